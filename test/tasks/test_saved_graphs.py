"""A saved graph that was damaged or forged is refused; one that is read holds together."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.tasks import SerializationError, TaskGraph, TaskGraphError, TaskStatus

pytestmark = pytest.mark.feature("TG-06")
JUNK: list[Any] = [
    None,
    "",
    "ghost",
    -1,
    0,
    10**30,
    1.5,
    float("nan"),
    True,
    [],
    {},
    ["a"],
    {"id": "a"},
    "pending",
]


def lived_in(rng: random.Random) -> TaskGraph:
    """Return a graph that has seen every kind of event."""
    graph = TaskGraph(clock=lambda: 1.0)
    graph.add_node("把杯子拿来", id="root", meta={"n": [1, {"x": 2}]})
    for name in "abcd":
        graph.add_node(name, id=name, parent="root", skill="go_to", arguments={"place": "厨房"})
    graph.add_dependency("b", "a")
    graph.add_dependency("c", "b")
    graph.start("a")
    graph.complete("a", {"seen": [1, 2]})
    graph.start("b")
    graph.block("b", "no way", permanent=True)
    graph.rollback("a")
    graph.update("d", title="d again")
    graph.move("d", None)
    graph.remove("c")
    graph.remove_dependency("b", "a")
    undone = rng.randrange(4)
    for _ in range(undone):
        graph.undo()
    for _ in range(rng.randint(0, undone)):
        graph.redo()
    if rng.random() < 0.3:
        graph.archive("SUCCEEDED", "done")
    return graph


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """Return the way to every part of plain data."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [way for key, inner in parts for way in places(inner, (*path, key))]


def damage(saved: dict, rng: random.Random) -> Any:
    path = rng.choice(places(saved))
    if not path:
        return rng.choice(JUNK)
    inner: Any = saved
    for key in path[:-1]:
        inner = inner[key]
    kind = rng.randrange(4)
    if kind == 0:
        del inner[path[-1]]
    elif kind == 1 and isinstance(inner, list):
        inner.insert(rng.randrange(len(inner) + 1), json.loads(json.dumps(rng.choice(inner))))
    elif kind == 2 and isinstance(inner, list):
        rng.shuffle(inner)
    else:
        inner[path[-1]] = rng.choice(JUNK)
    return saved


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_history_changed_anywhere_is_refused_or_makes_a_graph_that_holds_together(seed: int) -> None:
    rng = random.Random(seed)
    saved = json.loads(json.dumps(lived_in(rng).to_dict()))
    for _ in range(rng.choice([1, 1, 3])):
        if isinstance(saved, dict):
            saved = damage(saved, rng)
    try:
        graph = TaskGraph.from_dict(saved)
    except SerializationError:
        return
    for node in graph.nodes():
        assert isinstance(node.status, TaskStatus) and isinstance(node.title, str)
        assert all(graph.node(child).parent == node.id for child in node.children)
    leaves = {leaf.id for leaf in graph.leaves()}
    assert {name for tier in graph.tiers() for name in tier} == leaves
    assert {node.id for node in graph.next_executable()} <= leaves
    again = TaskGraph.from_dict(json.loads(json.dumps(graph.to_dict())))
    assert repr(list(again.nodes())) == repr(list(graph.nodes()))  # NaN may be among the damage
    try:
        while True:
            graph.undo()
    except TaskGraphError:
        pass


@pytest.mark.parametrize("saved", [None, [], "x", 5, {}, {"format": "zulong.taskgraph"}, {"format": None}])
def test_what_is_no_saved_graph_at_all_is_refused(saved: Any) -> None:
    with pytest.raises(SerializationError):
        TaskGraph.from_dict(saved)


def forged(kind: str, **data: Any) -> dict:
    graph = TaskGraph()
    graph.add_node("a", id="a")
    graph.add_node("b", id="b", parent="a")
    graph.add_node("c", id="c", depends_on=["a"])
    saved = graph.to_dict()
    saved["events"].append({"seq": 5, "command": 4, "kind": kind, "stamp": 0.0, "data": data})
    return saved


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("node_added", {"id": "a", "parent": None, "title": "twice"}),
        ("node_added", {"id": "d", "parent": None, "title": 7}),
        ("node_added", {"id": "d", "parent": None, "title": "d", "arguments": "all"}),
        ("node_added", {"id": "d", "parent": None, "title": "d", "position": 0}),
        ("node_added", {"id": "d", "parent": None, "title": "d", "position": 1}),
        ("node_removed", {"id": "a", "parent": None, "title": "a"}),
        ("node_removed", {"id": "c", "parent": None, "title": "c"}),
        ("node_moved", {"id": "a", "parent": "b", "position": 9, "old_parent": None, "old_position": 1}),
        ("node_moved", {"id": "b", "parent": "c", "position": 9, "old_parent": "c", "old_position": 1}),
        ("node_updated", {"id": "a", "new": {"children": {}}, "old": {}}),
        ("node_updated", {"id": "a", "new": {"id": "b"}, "old": {"id": "a"}}),
        ("dependency_added", {"id": "c", "on": "a"}),
        ("dependency_added", {"id": "a", "on": "c"}),
        ("dependency_added", {"id": "b", "on": "a"}),
        ("dependency_removed", {"id": "b", "on": "a"}),
        ("status_changed", {"id": "a", "new": {"status": "completed"}, "old": {"status": "pending"}}),
        ("status_changed", {"id": "b", "new": {"status": "completed"}, "old": {"status": "pending"}}),
        ("status_changed", {"id": "b", "new": {"status": "done"}, "old": {"status": "pending"}}),
        ("status_changed", {"id": "b", "new": {"status": "in_progress"}, "old": {"status": "blocked"}}),
        ("status_changed", {"id": "b", "new": {"attempts": "many"}, "old": {"attempts": 0}}),
        ("status_changed", {"id": "b", "new": {"parent": None}, "old": {}}),
    ],
)
def test_an_event_that_no_graph_would_have_recorded_is_refused(kind: str, data: dict) -> None:
    with pytest.raises(SerializationError):
        TaskGraph.from_dict(forged(kind, **data))


def test_commands_that_run_backwards_or_take_back_what_does_not_stand_are_refused() -> None:
    graph = TaskGraph()
    graph.add_node("a", id="a")
    graph.add_node("b", id="b")
    for change in ({"command": 1}, {"undoes": 7}, {"command": -1}):
        saved = graph.to_dict()
        saved["events"].append(
            {"seq": 3, "command": 3, "kind": "node_removed", "stamp": 0.0, "data": {"id": "b"}} | change
        )
        with pytest.raises(SerializationError):
            TaskGraph.from_dict(saved)


def test_a_copy_that_is_given_events_that_do_not_follow_stays_as_it_was() -> None:
    graph = TaskGraph()
    graph.add_node("a", id="a")
    graph.add_node("b", id="b", depends_on=["a"])
    copy = TaskGraph.from_events(graph.events)
    graph.start("a")
    graph.remove_dependency("b", "a")
    good, bad = graph.events_since(3)
    before = list(copy.nodes())
    told: list = []
    copy.subscribe(told.append)
    damaged = type(bad).from_dict(bad.to_dict() | {"kind": "dependency_added"})
    with pytest.raises(SerializationError):
        copy.extend([good, damaged])
    assert list(copy.nodes()) == before and copy.version == 3 and told == []
    copy.extend(graph.events_since(copy.version))
    assert list(copy.nodes()) == list(graph.nodes())
    assert [change.event for change in told] == graph.events_since(3)


def test_nobody_changes_a_graph_or_its_history_through_what_was_given_or_returned() -> None:
    graph = TaskGraph()
    arguments = {"place": ["kitchen"]}
    graph.add_node("a", id="a", arguments=arguments, meta={"deep": {"x": 1}})
    arguments["place"].append("attic")
    seen = graph.node("a")
    seen.arguments["place"].append("cellar")
    seen.meta["deep"]["x"] = 2
    result = {"found": []}
    graph.start("a")
    graph.complete("a", result)
    result["found"].append("a cup")
    saved = graph.to_dict()
    saved["events"][0]["data"]["arguments"]["place"].append("roof")
    again = TaskGraph.from_dict(saved)
    saved["events"][0]["data"]["meta"]["deep"]["x"] = 3
    assert again.node("a").meta == {"deep": {"x": 1}}
    node = graph.node("a")
    assert (node.arguments, node.meta, node.result) == (
        {"place": ["kitchen"]},
        {"deep": {"x": 1}},
        {"found": []},
    )
    assert TaskGraph.from_dict(json.loads(json.dumps(graph.to_dict()))).node("a") == node


@pytest.mark.parametrize("value", [{1, 2}, object(), b"x", {1: "x"}, [{"a": {3}}]])
def test_a_value_that_could_not_be_saved_is_refused_when_it_is_given(value: Any) -> None:
    graph = TaskGraph()
    with pytest.raises(TypeError, match="arguments"):
        graph.add_node("a", arguments={"x": value})
    graph.add_node("a", id="a")
    graph.start("a")
    with pytest.raises(TypeError, match="plain values"):
        graph.complete("a", value)
    assert graph.status("a") is TaskStatus.IN_PROGRESS and graph.version == 2
    nested: Any = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(TypeError, match="nested"):
        graph.update("a", meta={"x": nested})
    with pytest.raises(TypeError, match="title"):
        graph.update("a", title=5)
    graph.complete("a", (1, 2))
    assert graph.node("a").result == [1, 2]


def test_events_that_come_one_by_one_are_taken_up_and_other_things_refused() -> None:
    graph = lived_in(random.Random(1))
    copy = TaskGraph()
    copy.extend(event for event in graph.events_since(0))
    assert copy.to_dict() == graph.to_dict()
    with pytest.raises(SerializationError, match="task events"):
        copy.extend([{"seq": copy.version + 1}])  # type: ignore[list-item]
    assert copy.to_dict() == graph.to_dict()
