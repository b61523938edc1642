"""What a user of the task graph relies on, case by case."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from zulong.tasks import (
    ArchivedError,
    CycleError,
    DuplicateTaskError,
    InvalidTransitionError,
    NotExecutableError,
    NothingToUndoError,
    RollbackError,
    SerializationError,
    TaskGraph,
    TaskStatus,
    UnknownTaskError,
    WordOverlapSearch,
    aggregate,
    depth_to_type,
    past_task,
)

S = TaskStatus


@pytest.fixture
def graph() -> TaskGraph:
    ticks = iter(range(1, 10_000))
    return TaskGraph(clock=lambda: float(next(ticks)))


def finish(graph: TaskGraph, *ids: str) -> None:
    for node_id in ids:
        graph.start(node_id)
        graph.complete(node_id)


def step(id, skill="wait", children=(), depends_on=(), **rest):
    fields = {"arguments": {}, "condition": None, "compensation": None, "alternatives": ()} | rest
    return SimpleNamespace(
        id=id, title=id, skill=None if children else skill, children=children, depends_on=depends_on, **fields
    )


@pytest.mark.feature("TG-01")
def test_depth_gives_a_type_without_end() -> None:
    assert [depth_to_type(d) for d in range(8)] == [
        "requirement",
        "analysis",
        "outline",
        "task",
        "subtask",
        "micro_task",
        "step_6",
        "step_7",
    ]
    with pytest.raises(ValueError):
        depth_to_type(-1)


@pytest.mark.feature("TG-01")
def test_a_started_leaf_is_broken_down_into_numbered_children_and_takes_its_status_from_them(graph) -> None:
    root = graph.add_node("tidy up", id="parent")
    graph.start(root)
    children = graph.convert_leaf_to_parent(
        root, ["find the cup", {"title": "put it away", "skill": "place"}]
    )
    assert children == ("parent_1", "parent_2")
    assert graph.status(root) is S.PENDING
    assert graph.node("parent_2").type == "analysis"
    finish(graph, "parent_1", "parent_2")
    assert graph.status(root) is S.COMPLETED
    with pytest.raises(InvalidTransitionError, match="parent_1, parent_2"):
        graph.start(root)
    with pytest.raises(InvalidTransitionError):
        graph.convert_leaf_to_parent("parent_1", ["too late"])


@pytest.mark.feature("TG-01")
def test_a_tree_far_deeper_than_the_interpreter_can_recurse_works(graph) -> None:
    node = graph.add_node("top")
    for depth in range(1, 3001):
        node = graph.add_node("deeper", parent=node, id=f"at_{depth}")
    finish(graph, node)
    assert graph.status(graph.roots[0]) is S.COMPLETED
    assert graph.node(node).type == "step_3000"
    assert TaskGraph.from_dict(graph.to_dict()).status(graph.roots[0]) is S.COMPLETED


@pytest.mark.feature("TG-02")
@pytest.mark.parametrize(
    ("children", "parent"),
    [
        ([S.COMPLETED, S.SKIPPED], S.COMPLETED),
        ([S.COMPLETED, S.IN_PROGRESS, S.BLOCKED], S.IN_PROGRESS),
        ([S.BLOCKED, S.NEEDS_ADJUST, S.PENDING], S.BLOCKED),
        ([S.NEEDS_ADJUST, S.COMPLETED], S.NEEDS_ADJUST),
        ([S.COMPLETED, S.PENDING], S.IN_PROGRESS),
        ([S.SKIPPED, S.PENDING], S.PENDING),
        ([S.WAITING_INPUT, S.PENDING], S.IN_PROGRESS),
        ([], S.PENDING),
    ],
)
def test_a_parent_reads_its_status_from_its_children(children, parent) -> None:
    assert aggregate(children) is parent


@pytest.mark.feature("TG-02")
def test_a_transition_outside_the_table_is_refused_and_says_what_is_allowed(graph) -> None:
    node = graph.add_node("go")
    with pytest.raises(InvalidTransitionError, match="blocked, in_progress, skipped"):
        graph.complete(node)
    graph.skip(node)
    with pytest.raises(InvalidTransitionError, match="roll it back"):
        graph.start(node)
    assert graph.version == 2


@pytest.mark.feature("TG-02")
def test_answering_a_question_continues_the_same_attempt(graph) -> None:
    node = graph.add_node("fetch a cup")
    graph.start(node)
    graph.wait_for_input(node, "Which cup?")
    assert graph.node(node).reason == "Which cup?"
    graph.start(node)
    assert graph.node(node).attempts == 1


@pytest.mark.feature("TG-03")
def test_a_cycle_is_refused_at_the_edge_that_closes_it_and_spelled_out(graph) -> None:
    a, b, c = (graph.add_node(name, id=name) for name in "abc")
    graph.add_dependency(b, a)
    graph.add_dependency(c, b)
    version = graph.version
    with pytest.raises(CycleError, match="a -> c -> b -> a") as caught:
        graph.add_dependency(a, c)
    assert caught.value.cycle == ("a", "c", "b", "a")
    assert graph.version == version and graph.node(a).depends_on == ()
    assert [n.id for n in graph.next_executable()] == ["a"]


@pytest.mark.feature("TG-03")
def test_a_cycle_over_a_long_chain_is_named_in_full_and_told_in_a_sentence_one_can_read(graph) -> None:
    graph.add_node("first", id="n0")
    for n in range(1, 5000):
        graph.add_node("next", id=f"n{n}", depends_on=[f"n{n - 1}"])
    with pytest.raises(CycleError, match=r"n0 -> n4999 -> .* \(\d+ more\) .* -> n1 -> n0") as caught:
        graph.add_dependency("n0", "n4999")
    assert caught.value.cycle == ("n0", *(f"n{n}" for n in range(4999, -1, -1)))
    assert len(str(caught.value)) < 500


@pytest.mark.feature("TG-03")
def test_a_cycle_through_the_tree_is_found_as_well(graph) -> None:
    graph.add_node("p", id="p")
    graph.add_node("child", id="c", parent="p")
    graph.add_node("other", id="o", depends_on=["p"])
    for node, needed in [("c", "o"), ("c", "p"), ("p", "c"), ("c", "c")]:
        with pytest.raises(CycleError):
            graph.add_dependency(node, needed)


@pytest.mark.feature("TG-03")
def test_tiers_are_the_parallel_groups_and_shrink_as_work_is_done(graph) -> None:
    graph.add_plan(
        None,
        [
            step("look", children=(step("kitchen"), step("bedroom"))),
            step("report", depends_on=("look",)),
            step("charge"),
        ],
    )
    assert graph.tiers() == [["kitchen", "bedroom", "charge"], ["report"]]
    finish(graph, "kitchen", "bedroom")
    assert graph.parallel_groups() == [["report", "charge"]]
    assert [n.id for n in graph.next_executable()] == ["report", "charge"]


@pytest.mark.feature("TG-03")
def test_starting_before_the_dependencies_are_finished_names_them(graph) -> None:
    graph.add_plan(None, [step("a"), step("group", children=(step("b"),), depends_on=("a",))])
    with pytest.raises(NotExecutableError, match="'b' cannot start: it waits for 'a'"):
        graph.start("b")


@pytest.mark.feature("TG-04")
def test_what_depends_on_a_task_blocked_for_good_is_skipped_and_comes_back_with_it(graph) -> None:
    graph.add_plan(
        None,
        [
            step("find"),
            step("grasp", depends_on=("find",)),
            step("bring", depends_on=("grasp",)),
            step("sing"),
        ],
    )
    graph.start("find")
    graph.block("find", "it is not here")
    assert graph.status("grasp") is S.PENDING
    graph.block("find", "it is nowhere", permanent=True)
    assert graph.status("grasp") is graph.status("bring") is S.SKIPPED
    assert [n.id for n in graph.next_executable()] == ["sing"]
    graph.start("find")
    graph.complete("find")
    assert graph.status("bring") is S.PENDING
    assert [n.id for n in graph.next_executable()] == ["grasp", "sing"]


@pytest.mark.feature("TG-04")
def test_a_step_skipped_on_request_lets_its_dependents_start(graph) -> None:
    graph.add_plan(None, [step("knock"), step("enter", depends_on=("knock",))])
    graph.skip("knock", "the door is open")
    assert [n.id for n in graph.next_executable()] == ["enter"]


@pytest.mark.feature("TG-04")
def test_rollback_of_a_subtree_compensates_in_reverse_and_takes_what_was_built_on_it_along(graph) -> None:
    undo = {"skill": "place", "arguments": {}}
    graph.add_plan(
        None,
        [
            step("get", children=(step("pick", compensation=undo), step("carry", depends_on=("pick",)))),
            step("serve", depends_on=("get",), compensation=undo),
            step("sing", compensation=undo),
        ],
    )
    finish(graph, "pick", "carry", "sing", "serve")
    compensated: list[str] = []
    assert graph.rollback("get", lambda node: compensated.append(node.id)) == ("serve", "carry", "pick")
    assert compensated == ["serve", "pick"]
    assert graph.status("sing") is S.COMPLETED
    assert [n.id for n in graph.next_executable()] == ["pick"]
    graph.undo()
    assert graph.status("serve") is S.COMPLETED


@pytest.mark.feature("TG-04")
def test_a_failing_compensation_stops_the_rollback_and_marks_its_node(graph) -> None:
    undo = {"skill": "place", "arguments": {}}
    graph.add_plan(None, [step("a", compensation=undo), step("b", depends_on=("a",), compensation=undo)])
    finish(graph, "a", "b")

    def compensate(node) -> None:
        if node.id == "a":
            raise OSError("gripper stuck")

    with pytest.raises(RollbackError, match="gripper stuck") as caught:
        graph.rollback("a", compensate)
    assert caught.value.node_id == "a" and caught.value.rolled_back == ("b",)
    assert graph.status("a") is S.NEEDS_ADJUST and graph.status("b") is S.PENDING


@pytest.mark.feature("TG-04")
def test_needs_adjust_on_a_parent_reaches_its_finished_leaves(graph) -> None:
    graph.add_plan(None, [step("p", children=(step("a"), step("b")))])
    finish(graph, "a")
    graph.needs_adjust("p", "the check failed")
    assert graph.status("a") is S.NEEDS_ADJUST and graph.status("b") is S.PENDING
    assert graph.status("p") is S.NEEDS_ADJUST
    graph.reopen("a")
    finish(graph, "a", "b")
    assert graph.status("p") is S.COMPLETED and graph.node("a").attempts == 2


@pytest.mark.feature("TG-05")
def test_a_mirror_hears_each_change_with_the_activation_of_every_node_it_touched(graph) -> None:
    class Mirror:
        def __init__(self) -> None:
            self.heard: list[tuple[str, str | None, float | None]] = []

        def on_change(self, change) -> None:
            self.heard += [(e.node_id, e.after and e.after.value, e.activation) for e in change.effects]

    mirror, broken = Mirror(), lambda change: 1 / 0
    graph.subscribe(broken)
    stop = graph.subscribe(mirror)
    graph.add_plan(None, [step("p", children=(step("a"),))])
    mirror.heard.clear()
    graph.start("a")
    graph.block("a", "stuck")
    graph.start("a")
    graph.complete("a")
    assert mirror.heard == [
        ("a", "in_progress", 0.9),
        ("p", "in_progress", 0.9),
        ("a", "blocked", 0.5),
        ("p", "blocked", 0.5),
        ("a", "in_progress", 0.9),
        ("p", "in_progress", 0.9),
        ("a", "completed", 0.1),
        ("p", "completed", 0.1),
    ]
    stop()
    graph.needs_adjust("a", "again")
    assert len(mirror.heard) == 8


@pytest.mark.feature("TG-05")
def test_an_archived_task_is_closed_and_found_again_by_a_similar_request(graph) -> None:
    graph.add_plan(None, [step("把红色杯子拿到厨房")])
    finish(graph, "把红色杯子拿到厨房")
    with pytest.raises(ValueError, match="not archived"):
        past_task(graph, "t1", "红色杯子")
    graph.archive("SUCCEEDED", "done")
    with pytest.raises(ArchivedError):
        graph.add_node("more")
    search = WordOverlapSearch()
    search.keep(past_task(graph, "t1", "请把红色杯子拿到厨房"))
    other = TaskGraph()
    other.add_node("water the plants")
    other.archive("CANCELED")
    search.keep(past_task(other, "t2", "water the plants in the bedroom"))
    assert [hit.task.id for hit in search.similar("红色的杯子在厨房吗")] == ["t1"]
    assert [hit.task.id for hit in search.similar("please water plants")] == ["t2"]
    assert search.similar("打扫房间") == []
    graph.undo()
    graph.add_node("more")


@pytest.mark.feature("TG-06")
def test_a_graph_survives_json_with_its_history(graph) -> None:
    graph.add_plan(None, [step("a", arguments={"place": "厨房"}), step("b", depends_on=("a",))])
    finish(graph, "a")
    again = TaskGraph.from_dict(json.loads(json.dumps(graph.to_dict())))
    assert list(again.nodes()) == list(graph.nodes())
    assert again.version == graph.version
    again.undo()
    assert again.status("a") is S.IN_PROGRESS
    finish(graph, "b")
    assert again.node("b").attempts == 0


@pytest.mark.feature("TG-06")
@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d | {"format": "other"},
        lambda d: d | {"format_version": 99},
        lambda d: d | {"events": d["events"][1:]},
        lambda d: d | {"events": [d["events"][0], d["events"][2]]},
        lambda d: d | {"events": [{**d["events"][0], "kind": "explode"}]},
        lambda d: d | {"events": [{"seq": "x"}]},
        lambda d: d | {"events": [{**d["events"][0], "data": {"id": "a"}}]},
        lambda d: d | {"events": [{**d["events"][0], "data": {**d["events"][0]["data"], "parent": "gone"}}]},
    ],
)
def test_a_damaged_save_is_refused_with_a_sentence(graph, damage) -> None:
    graph.add_plan(None, [step("a"), step("b")])
    graph.start("a")
    with pytest.raises(SerializationError):
        TaskGraph.from_dict(damage(graph.to_dict()))


@pytest.mark.feature("TG-06")
def test_events_recorded_in_one_process_bring_another_copy_up_to_date(graph) -> None:
    graph.add_plan(None, [step("a"), step("b")])
    copy = TaskGraph.from_events(graph.events)
    at = copy.version
    finish(graph, "a")
    copy.extend(graph.events_since(at))
    assert list(copy.nodes()) == list(graph.nodes())
    with pytest.raises(SerializationError):
        copy.extend(graph.events_since(at))


def test_a_refused_plan_leaves_nothing_behind(graph) -> None:
    graph.add_node("root", id="root")
    before = list(graph.nodes())
    for steps in (
        [step("a", depends_on=("b",)), step("b", depends_on=("a",))],
        [step("a"), step("b", depends_on=("nowhere",))],
    ):
        with pytest.raises((CycleError, UnknownTaskError)):
            graph.add_plan("root", steps)
        assert list(graph.nodes()) == before
    heard: list = []
    graph.subscribe(heard.append)
    with pytest.raises(DuplicateTaskError):
        graph.add_node("again", id="root")
    assert heard == []


def test_steps_whose_ids_are_taken_get_a_suffix_and_keep_their_dependencies(graph) -> None:
    graph.add_plan(None, [step("a")])
    names = graph.add_plan(None, [step("a"), step("b", depends_on=("a",))])
    assert names == {"a": "a_2", "b": "b"}
    assert graph.node("b").depends_on == ("a_2",)


def test_undo_of_nothing_is_an_error_and_unknown_ids_are_named(graph) -> None:
    with pytest.raises(NothingToUndoError):
        graph.undo()
    with pytest.raises(UnknownTaskError, match="'ghost'"):
        graph.node("ghost")
    node = graph.add_node("x")
    with pytest.raises(TypeError, match="colour"):
        graph.update(node, colour="red")
    graph.update(node, title="y", arguments={"n": 1})
    assert graph.node(node).title == "y"
    graph.undo()
    assert graph.node(node).title == "x"


@pytest.mark.feature("TG-06")
def test_a_version_that_is_none_and_a_listener_that_hears_nothing_are_refused_in_words(graph) -> None:
    with pytest.raises(ValueError, match=r"'1' is outside 0\.\.0"):
        graph.at("1")
    with pytest.raises(TypeError, match="on_change"):
        graph.subscribe(3)
