"""Nodes come, go and change their places; ids stay unique; what that costs does not grow with the graph."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from zulong.tasks import (
    CycleError,
    DuplicateTaskError,
    InvalidTransitionError,
    NothingToRedoError,
    TaskGraph,
    TaskStatus,
    UnknownTaskError,
)
from zulong.tasks import order as order_module

S = TaskStatus


def tree(graph: TaskGraph, **parents: str | None) -> None:
    for name, parent in parents.items():
        graph.add_node(name, id=name, parent=parent)


def step(id: str, children=(), depends_on=()) -> SimpleNamespace:
    fields = {"skill": None, "arguments": {}, "condition": None, "compensation": None, "alternatives": ()}
    return SimpleNamespace(id=id, title=id, children=children, depends_on=depends_on, **fields)


@pytest.mark.feature("TG-01")
def test_a_moved_node_takes_its_subtree_along_and_everything_follows() -> None:
    graph = TaskGraph()
    tree(graph, a=None, b=None, x="a", y="x")
    graph.add_node("later", id="later", depends_on=["b"])
    graph.start("y")
    graph.move("x", "b")
    assert graph.node("x").parent == "b" and graph.node("b").children == ("x",)
    assert graph.status("b") is S.IN_PROGRESS and graph.status("a") is S.PENDING
    graph.move("b", "a")
    assert (graph.node("y").depth, graph.node("y").type) == (3, "task")
    graph.complete("y")
    assert [node.id for node in graph.next_executable()] == ["later"]
    graph.undo()
    graph.undo()
    graph.undo()
    assert graph.node("x").parent == "a" and graph.status("a") is S.IN_PROGRESS


@pytest.mark.feature("TG-03")
def test_a_move_that_would_close_a_cycle_is_refused_spelled_out_and_changes_nothing() -> None:
    graph = TaskGraph()
    tree(graph, a=None, b="a", c="b", d=None, e=None)
    graph.add_dependency("d", "a")
    before, version = list(graph.nodes()), graph.version
    for node, parent, cycle in (
        ("a", "c", "a -> b -> c -> a"),
        ("a", "a", "a -> a"),
        ("d", "b", "d -> a -> b"),
    ):
        with pytest.raises(CycleError, match=f"cannot move below '{parent}'.*"):
            graph.move(node, parent)
        with pytest.raises(CycleError) as caught:
            graph.move(node, parent)
        assert caught.value.cycle[0] == caught.value.cycle[-1]
        assert cycle.split(" -> ")[0] in caught.value.cycle
    assert list(graph.nodes()) == before and graph.version == version
    graph.start("e")
    with pytest.raises(InvalidTransitionError, match="'e' is a leaf and in_progress"):
        graph.move("d", "e")


@pytest.mark.feature("TG-03")
def test_each_cycle_over_tree_and_dependencies_is_spelled_out() -> None:
    graph = TaskGraph()
    tree(graph, a=None, b="a", c="b", x=None, y="x")
    graph.add_dependency("x", "b")
    expected = {
        ("c", "c"): ("c", "c"),
        ("c", "a"): ("c", "b", "a", "c"),
        ("a", "c"): ("a", "c", "b", "a"),
        ("c", "y"): ("c", "y", "x", "b", "c"),
        ("a", "y"): ("a", "y", "x", "b", "a"),
    }
    for (node, needed), cycle in expected.items():
        with pytest.raises(CycleError) as caught:
            graph.add_dependency(node, needed)
        found = caught.value.cycle
        assert found[0] == found[-1] == node and needed in found and " -> ".join(found) in str(caught.value)
        assert set(found) <= set(cycle) | {node}, (node, needed, found)


@pytest.mark.feature("TG-01")
def test_a_removed_subtree_is_gone_with_its_dependencies_and_comes_back_whole() -> None:
    graph = TaskGraph()
    tree(graph, top=None, a="top", b="top", a1="a", a2="a")
    graph.add_node("after", id="after", depends_on=["b", "a", "top"])
    graph.start("a1")
    graph.complete("a1", {"n": 1})
    before = list(graph.nodes())
    assert graph.remove("a") == ("a", "a1", "a2")
    assert "a1" not in graph and graph.node("after").depends_on == ("b", "top")
    assert graph.node("top").children == ("b",) and graph.status("top") is S.PENDING
    with pytest.raises(UnknownTaskError):
        graph.node("a2")
    graph.undo()
    assert list(graph.nodes()) == before
    graph.redo()
    assert "a" not in graph
    graph.add_node("more", parent="top")
    with pytest.raises(NothingToRedoError):
        graph.redo()


@pytest.mark.feature("TG-01")
def test_what_is_under_way_cannot_be_removed_and_a_parent_without_children_is_to_be_done() -> None:
    graph = TaskGraph()
    graph.add_node("p", id="p")
    graph.start("p")
    graph.convert_leaf_to_parent("p", ["only"])
    graph.start("p_1")
    with pytest.raises(InvalidTransitionError, match="'p_1' is under way"):
        graph.remove("p")
    graph.block("p_1", "no", permanent=True)
    graph.remove("p_1")
    assert graph.status("p") is S.PENDING and [n.id for n in graph.next_executable()] == ["p"]


@pytest.mark.feature("TG-01")
def test_an_id_that_was_used_is_not_given_again_also_by_a_saved_copy() -> None:
    graph = TaskGraph()
    graph.add_node("p", id="p")
    first = graph.add_node("x", parent="p")
    graph.remove(first)
    again = TaskGraph.from_dict(graph.to_dict())
    assert first == "p_1" and graph.add_node("y", parent="p") == again.add_node("y", parent="p") == "p_2"
    for bad in ("", 7):
        with pytest.raises(TypeError, match="id"):
            graph.add_node("z", id=bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not the one text"):
        graph.add_node("z", depends_on="p")
    with pytest.raises(TypeError, match="not the one text"):
        graph.convert_leaf_to_parent("p_2", "two parts")


@pytest.mark.feature("TG-01")
def test_a_plan_deeper_than_the_interpreter_can_recurse_is_added() -> None:
    plan = step("s0")
    for depth in range(1, 2500):
        plan = step(f"s{depth}", children=(plan,))
    graph = TaskGraph()
    graph.add_plan(None, [plan])
    assert graph.node("s0").depth == 2499


def test_a_plan_with_an_id_twice_or_a_step_below_itself_is_refused() -> None:
    graph = TaskGraph()
    circle = step("a")
    circle.children = (circle,)
    for steps in ([step("a"), step("b", children=(step("a"),))], [circle]):
        with pytest.raises(DuplicateTaskError, match="'a'"):
            graph.add_plan(None, steps)
    assert len(graph) == 0


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the edges that the search for cycles looks along."""
    count = [0]
    step_along = order_module._Search.step

    def counted(self):
        count[0] += 1
        return step_along(self)

    monkeypatch.setattr(order_module._Search, "step", counted)
    return count


@pytest.mark.feature("TG-03")
@pytest.mark.parametrize("shape", ["first needs next", "last needs before", "ends first", "many before one"])
def test_an_edge_costs_its_neighbourhood_however_a_plan_is_written_down(looked_at, shape) -> None:
    size = 1000
    graph = TaskGraph()
    for n in range(size):
        graph.add_node("x", id=f"n{n}")
    edges = {
        "first needs next": [(n, n + 1) for n in range(size - 1)],
        "last needs before": [(n, n + 1) for n in range(size - 2, -1, -1)],
        "ends first": [e for n in range(size // 2 - 1) for e in ((n, n + 1), (size - 2 - n, size - 1 - n))],
        "many before one": [(n, size - 1) for n in range(size - 1)],
    }[shape]
    for node, needed in edges:
        graph.add_dependency(f"n{node}", f"n{needed}")
    assert looked_at[0] < 12 * len(edges)


@pytest.mark.feature("TG-06")
def test_threads_take_turns_and_no_change_is_lost() -> None:
    graph = TaskGraph()
    graph.add_node("top", id="top")
    heard: list[int] = []
    graph.subscribe(lambda change: heard.append(change.event.seq))
    failures: list[BaseException] = []

    def write(name: str) -> None:
        try:
            before = None
            for n in range(60):
                node = graph.add_node(name, parent="top", depends_on=[before] if before else [])
                graph.start(node)
                with graph.command():
                    graph.update(node, title=f"{name} {n}")
                    graph.complete(node)
                before = node
        except BaseException as error:
            failures.append(error)

    def read() -> None:
        try:
            for _ in range(30):
                assert len(graph.tiers()) <= 61
                TaskGraph.from_dict(graph.to_dict())
                for node in graph.nodes():
                    assert node.status is not S.COMPLETED or node.id == "top" or " " in node.title
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in "甲乙丙"]
    threads += [threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == [] and len(graph) == 181 and graph.status("top") is S.COMPLETED
    assert heard == list(range(2, graph.version + 1))
    assert list(TaskGraph.from_dict(graph.to_dict()).nodes()) == list(graph.nodes())


@pytest.mark.feature("TG-05")
def test_what_a_listener_changes_is_told_to_all_after_what_it_heard_of() -> None:
    graph = TaskGraph()
    heard: list[str] = []

    def follow_up(change) -> None:
        if change.event.kind == "node_added" and len(graph) == 1:
            graph.add_node("follow up", id="second")

    graph.subscribe(follow_up)
    graph.subscribe(lambda change: heard.append(change.event.data["id"]))
    graph.add_node("first", id="first")
    assert heard == ["first", "second"]
