import pytest

from zulong.memory import EdgeType, NodeType
from zulong.memory.adapters.experience import Attempt, ExperienceAdapter


@pytest.fixture
def adapter(graph):
    return ExperienceAdapter(graph)


def pick(stamp, succeeded, **arguments):
    error = "" if succeeded else "the gripper slipped off the wet handle"
    lesson = "Wet handles need more force." if succeeded else ""
    return Attempt("pick up the red cup", "pick", succeeded, stamp, arguments, error, lesson)


@pytest.mark.feature("MG-20", "MG-12")
def test_what_failed_and_then_worked_is_found_before_it_is_tried_again(graph, reopen, adapter, clock):
    failed, worked = pick(clock(), False, force_n=5), pick(clock.advance(60), True, force_n=12)
    adapter.record(failed)
    adapter.record(worked)
    adapter.record(Attempt("open the fridge", "pull", False, clock(), {"angle": 10}, "it is locked"))
    adapter = ExperienceAdapter(reopen())
    advice = adapter.before_trying("pick up the red cup", "pick", {"force_n": 5})
    assert [(a.failed, a.worked) for a in advice] == [(failed, worked)]
    assert "slipped" in advice[0].text and "force_n 12" in advice[0].text and "Wet handles" in advice[0].text
    assert advice[0].likeness > 0.9
    alike = adapter.before_trying("pick up the blue cup", "pick", {"force_n": 5})
    assert alike and alike[0].worked == worked
    assert 0 < alike[0].likeness < advice[0].likeness


@pytest.mark.feature("MG-20")
def test_chinese_experience_is_found_too(adapter, clock):
    adapter.record(Attempt("把红色杯子拿起来", "pick", False, clock(), {"夹力": 5}, "杯子太滑"))
    adapter.record(Attempt("把红色杯子拿起来", "pick", True, clock.advance(9), {"夹力": 12}))
    advice = adapter.before_trying("拿起红色杯子", "pick", {"夹力": 5})
    assert advice[0].worked.arguments == {"夹力": 12}


@pytest.mark.feature("MG-20")
def test_what_has_never_worked_is_said_so_and_other_matters_are_left_out(adapter, clock):
    adapter.record(Attempt("open the fridge", "pull", False, clock(), {"angle": 10}, "it is locked"))
    advice = adapter.before_trying("open the fridge", "pull", {"angle": 10})
    assert advice[0].worked is None
    assert "Nothing has worked yet" in advice[0].text
    assert adapter.before_trying("water the plants on the balcony", "pour") == []
    assert adapter.before_trying("open the fridge", "push", {"angle": 10}) == []


def test_a_failure_that_the_same_try_overcame_is_no_warning(adapter, clock):
    adapter.record(pick(clock(), False, force_n=5))
    adapter.record(pick(clock.advance(5), True, force_n=5))
    assert adapter.before_trying("pick up the red cup", "pick", {"force_n": 5}) == []


@pytest.mark.feature("MG-12")
def test_attempts_come_back_whole_and_are_joined(graph, reopen, adapter, clock):
    attempts = [
        pick(clock(), False, force_n=5),
        pick(clock.advance(1), False, force_n=6),
        pick(clock.advance(1), True, force_n=12),
    ]
    for attempt in attempts:
        adapter.record(attempt)
    graph = reopen()
    assert ExperienceAdapter(graph).load() == attempts
    joined = {(e.src, e.dst) for e in graph.edges_of("experience:3", [EdgeType.FAILED_THEN_SUCCEEDED])}
    assert joined == {("experience:1", "experience:3"), ("experience:2", "experience:3")}
    assert graph.get("experience:1").type is NodeType.EXPERIENCE


def test_an_attempt_needs_a_goal_and_an_action(adapter):
    with pytest.raises(ValueError, match="goal"):
        adapter.record(Attempt("", "pick", True, 0.0))
