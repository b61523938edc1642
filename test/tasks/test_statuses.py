"""Every transition of the table is possible, every other one refused; what a skip or a wake reaches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zulong.tasks import (
    ACTIVATION,
    TRANSITIONS,
    InvalidTransitionError,
    RollbackError,
    TaskGraph,
    TaskStatus,
)

S = TaskStatus
TABLE = {
    S.PENDING: {S.IN_PROGRESS, S.BLOCKED, S.SKIPPED},
    S.IN_PROGRESS: {S.COMPLETED, S.BLOCKED, S.NEEDS_ADJUST, S.WAITING_INPUT},
    S.BLOCKED: {S.PENDING, S.IN_PROGRESS, S.SKIPPED},
    S.NEEDS_ADJUST: {S.PENDING, S.IN_PROGRESS},
    S.WAITING_INPUT: {S.IN_PROGRESS},
    S.COMPLETED: {S.NEEDS_ADJUST},
    S.SKIPPED: set(),
}
WAY: dict[TaskStatus, list[TaskStatus]] = {
    S.PENDING: [],
    S.IN_PROGRESS: [S.IN_PROGRESS],
    S.COMPLETED: [S.IN_PROGRESS, S.COMPLETED],
    S.BLOCKED: [S.BLOCKED],
    S.SKIPPED: [S.SKIPPED],
    S.NEEDS_ADJUST: [S.IN_PROGRESS, S.NEEDS_ADJUST],
    S.WAITING_INPUT: [S.IN_PROGRESS, S.WAITING_INPUT],
}


def into(graph: TaskGraph, node: str, status: TaskStatus) -> None:
    verbs: dict[TaskStatus, Callable[[], None]] = {
        S.PENDING: lambda: graph.reopen(node),
        S.IN_PROGRESS: lambda: graph.start(node),
        S.COMPLETED: lambda: graph.complete(node),
        S.BLOCKED: lambda: graph.block(node, "stuck"),
        S.SKIPPED: lambda: graph.skip(node),
        S.NEEDS_ADJUST: lambda: graph.needs_adjust(node, "wrong"),
        S.WAITING_INPUT: lambda: graph.wait_for_input(node, "which?"),
    }
    verbs[status]()


@pytest.mark.feature("TG-02")
@pytest.mark.parametrize("before", list(S))
@pytest.mark.parametrize("after", list(S))
def test_a_transition_is_made_exactly_where_the_table_has_it(before: TaskStatus, after: TaskStatus) -> None:
    graph = TaskGraph()
    node = graph.add_node("x")
    for step in WAY[before]:
        into(graph, node, step)
    version = graph.version
    if after in TABLE[before]:
        into(graph, node, after)
        assert graph.status(node) is after
    else:
        with pytest.raises(InvalidTransitionError, match=before.value):
            into(graph, node, after)
        assert graph.status(node) is before and graph.version == version
    graph.rollback(node)
    assert graph.status(node) is S.PENDING


def test_the_published_tables_are_those_of_the_design() -> None:
    assert {status: set(after) for status, after in TRANSITIONS.items()} == TABLE
    assert dict(ACTIVATION) == {S.COMPLETED: 0.1, S.IN_PROGRESS: 0.9, S.BLOCKED: 0.5}


@pytest.mark.feature("TG-04")
def test_skipping_a_parent_is_one_command_and_reaches_what_its_own_skips_wake() -> None:
    graph = TaskGraph()
    graph.add_node("p", id="p")
    graph.add_node("a", id="a", parent="p")
    graph.add_node("b", id="b", parent="p", depends_on=["a"])
    graph.block("a", "gone", permanent=True)
    assert graph.node("b").cause == "dependency"
    graph.skip("p", "not wanted")
    assert [graph.node(n).cause for n in "ab"] == ["requested", "requested"]
    assert graph.status("p") is S.COMPLETED
    graph.undo()
    assert graph.status("a") is S.BLOCKED and graph.node("b").cause == "dependency"
    with pytest.raises(ValueError, match="no cause 'dependency'"):
        graph.skip("a", cause="dependency")


@pytest.mark.feature("TG-04")
def test_taking_the_dependency_on_a_dead_end_away_wakes_what_waited_for_it() -> None:
    graph = TaskGraph()
    graph.add_node("a", id="a")
    graph.add_node("b", id="b", depends_on=["a"])
    graph.block("a", "gone", permanent=True)
    graph.remove_dependency("b", "a")
    assert graph.status("b") is S.PENDING and graph.node("b").reason == ""
    graph.undo()
    assert graph.status("b") is S.SKIPPED


@pytest.mark.feature("TG-04")
def test_a_dead_end_that_is_broken_down_is_none_any_more() -> None:
    graph = TaskGraph()
    graph.add_node("a", id="a")
    graph.add_node("b", id="b", depends_on=["a"])
    graph.block("a", "too hard", permanent=True)
    graph.convert_leaf_to_parent("a", ["first half", "second half"])
    assert graph.status("b") is S.PENDING
    for node in ("a_1", "a_2", "b"):
        graph.start(node)
        graph.complete(node)


UNDO = {"skill": "place", "arguments": {}}


@pytest.mark.feature("TG-04")
def test_a_compensation_runs_once_for_each_time_that_something_was_done() -> None:
    graph = TaskGraph()
    graph.add_node("a", id="a", compensation=UNDO)
    undone: list[str] = []
    graph.start("a")
    graph.complete("a")
    graph.rollback("a", lambda node: undone.append(node.id))
    graph.skip("a")
    graph.rollback("a", lambda node: undone.append(node.id))
    assert undone == ["a"]


@pytest.mark.feature("TG-04")
def test_what_was_done_and_waits_to_be_done_again_is_compensated_too() -> None:
    graph = TaskGraph()
    graph.add_node("a", id="a", compensation=UNDO)
    graph.start("a")
    graph.complete("a")
    graph.needs_adjust("a", "the wrong cup")
    graph.reopen("a")
    assert graph.node("a").has_effect
    undone: list[str] = []
    assert graph.rollback("a", lambda node: undone.append(node.id)) == ("a",)
    assert undone == ["a"] and not graph.node("a").has_effect


@pytest.mark.feature("TG-04")
def test_work_begun_again_is_taken_back_before_what_was_finished_meanwhile() -> None:
    graph = TaskGraph()
    for name in "ab":
        graph.add_node(name, id=name)
        graph.start(name)
        graph.complete(name)
    graph.add_node("top", id="top")
    for name in "ab":
        graph.move(name, "top")
    graph.needs_adjust("a", "again")
    graph.start("a")
    assert [node.id for node in graph.rollback_order("top")] == ["a", "b"]


@pytest.mark.feature("TG-04")
@pytest.mark.parametrize("end", [KeyboardInterrupt, RuntimeError])
def test_what_was_compensated_before_the_rollback_broke_off_stays_rolled_back(end: type) -> None:
    graph = TaskGraph()
    for name, needs in (("a", []), ("b", ["a"]), ("c", ["b"])):
        graph.add_node(name, id=name, depends_on=needs, compensation=UNDO)
        graph.start(name)
        graph.complete(name)

    def compensate(node) -> None:
        if node.id == "b":
            raise end("stop")

    with pytest.raises((end, RollbackError)):
        graph.rollback("a", compensate)
    assert [graph.status(n) for n in "abc"] == [S.COMPLETED, S.NEEDS_ADJUST, S.PENDING]
    undone: list[str] = []
    graph.rollback("a", lambda node: undone.append(node.id))
    assert undone == ["b", "a"]
