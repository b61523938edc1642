"""What the planner does when a step fails."""

from __future__ import annotations

import pytest

from zulong.agent.htn import MapWorld, OfflinePlanner, Plan, PlanResult, Refusal, resolve


def plan_of(planner: OfflinePlanner, text: str) -> Plan:
    """Return the plan for an instruction that must have one."""
    result = planner.plan(text)
    assert isinstance(result, Plan), result
    return result


def run(
    planner: OfflinePlanner, plan: Plan, truth: dict[str, str], world: MapWorld
) -> tuple[list[str], PlanResult]:
    """Carry a plan out in a little world where only looking can fail; return what was done and the last result."""
    results: dict[str, dict[str, object]] = {}
    done: list[str] = []
    log: list[str] = []
    current: PlanResult = plan
    for _ in range(100):
        assert isinstance(current, Plan)
        leaf = next((leaf for leaf in current.leaves() if leaf.id not in results), None)
        if leaf is None:
            return log, current
        arguments = resolve(leaf.arguments, results)
        where = arguments.get("where")
        if leaf.skill == "look_for":
            thing = arguments["what"]["id"]
            at = truth.get(thing)
            room = world.placements[at]["room"] if at in world.placements else at
            if where not in (at, room):
                log.append(f"miss {where}")
                current = planner.replan(current, leaf.id, "NOT_FOUND", world, done=done)
                if isinstance(current, Refusal):
                    return log, current
                continue
            results[leaf.id] = {"id": thing, "at": at}
        else:
            results[leaf.id] = {"answer": "x", "count": 1, "text": "x"}
        done.append(leaf.id)
        log.append(
            f"{leaf.skill} {arguments.get('place') or arguments.get('object') or arguments.get('what')}"
        )
    raise AssertionError("The plan did not end.")


@pytest.mark.feature("FC-10")
def test_the_search_goes_on_room_by_room_until_the_thing_is_found(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    plan = plan_of(planner, "bring the red cup to the bedroom")
    log, end = run(planner, plan, {"red_cup": "sofa"}, world)
    assert isinstance(end, Plan)
    assert "miss kitchen_table" in log
    assert log[-5:] == [
        "look_for {'kind': 'object', 'id': 'red_cup', 'name': 'cup'}",
        "go_to sofa",
        "pick red_cup",
        "go_to bedside_table",
        "place red_cup",
    ]


def test_no_way_is_tried_twice_and_the_end_is_an_honest_refusal(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    plan = plan_of(planner, "bring me the red cup")
    log, end = run(planner, plan, {}, world)
    assert isinstance(end, Refusal) and end.code == "no_way_left"
    misses = [line for line in log if line.startswith("miss")]
    assert len(misses) == len(set(misses)) == 1 + len(world.rooms)
    assert "red cup" in end.text


def test_what_is_believed_by_now_is_tried_first(planner: OfflinePlanner, world: MapWorld) -> None:
    plan = plan_of(planner, "bring me the red cup")
    failed = next(leaf for leaf in plan.leaves() if leaf.skill == "look_for")
    again = planner.replan(plan, failed.id, "NOT_FOUND", world.believing({"red_cup": "bathroom"}))
    assert isinstance(again, Plan)
    assert next(leaf.arguments["where"] for leaf in again.leaves() if leaf.skill == "look_for") == "bathroom"


def test_what_is_done_is_not_planned_again(planner: OfflinePlanner, world: MapWorld) -> None:
    plan = plan_of(planner, "go to the kitchen and then follow Jane")
    first, look = plan.leaves()[0], next(leaf for leaf in plan.leaves() if leaf.skill == "look_for")
    again = planner.replan(plan, look.id, "NOT_FOUND", world, done=[first.id])
    assert isinstance(again, Plan)
    assert first.id not in {step.id for step in again.walk()}
    for step in again.walk():
        assert set(step.depends_on) <= {other.id for other in again.walk()}


def test_a_passing_failure_is_tried_once_more(planner: OfflinePlanner, world: MapWorld) -> None:
    plan = plan_of(planner, "go to the kitchen")
    once = planner.replan(plan, plan.leaves()[0].id, "BLOCKED", world)
    assert isinstance(once, Plan) and [leaf.skill for leaf in once.leaves()] == ["go_to"]
    assert once.leaves()[0].id != plan.leaves()[0].id
    twice = planner.replan(once, once.leaves()[0].id, "BLOCKED", world, message="A chair stands in the way.")
    assert isinstance(twice, Refusal)
    assert "A chair stands in the way." in twice.text


def test_a_second_try_gives_its_result_to_those_who_wait_for_it(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    plan = plan_of(planner, "answer the question of the person in the office")
    ask = next(leaf for leaf in plan.leaves() if leaf.skill == "ask_person")
    again = planner.replan(plan, ask.id, "NO_ANSWER", world)
    assert isinstance(again, Plan)
    retried = next(leaf for leaf in again.leaves() if leaf.skill == "ask_person")
    recall = next(leaf for leaf in again.leaves() if leaf.skill == "recall")
    assert recall.arguments["question"] == f"${{{retried.id}.answer}}"


@pytest.mark.parametrize("error", ["CANCELED", "ABORTED_BY_SAFETY", "INTERNAL"])
def test_some_failures_end_the_errand(planner: OfflinePlanner, world: MapWorld, error: str) -> None:
    plan = plan_of(planner, "bring me the red cup")
    assert isinstance(planner.replan(plan, plan.leaves()[0].id, error, world), Refusal)


def test_a_skill_that_no_server_offers_is_named(planner: OfflinePlanner, world: MapWorld) -> None:
    plan = plan_of(planner, "bring me the red cup")
    pick = next(leaf for leaf in plan.leaves() if leaf.skill == "pick")
    refusal = planner.replan(plan, pick.id, "UNKNOWN_SKILL", world)
    assert isinstance(refusal, Refusal) and (refusal.code, refusal.missing) == ("missing_skill", "pick")


def test_an_unknown_outcome_is_settled_by_what_the_hand_holds(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    plan = plan_of(planner, "bring me the red cup")
    done = []
    for leaf in plan.leaves():
        if leaf.skill == "pick":
            break
        done.append(leaf.id)
    held = planner.replan(plan, leaf.id, "OUTCOME_UNKNOWN", world.believing(held="red_cup"), done=done)
    assert isinstance(held, Plan) and [s.skill for s in held.leaves()] == ["go_to", "hand_over"]
    empty = planner.replan(plan, leaf.id, "OUTCOME_UNKNOWN", world, done=done)
    assert isinstance(empty, Plan) and [s.skill for s in empty.leaves()] == ["pick", "go_to", "hand_over"]


def test_the_users_own_alternative_is_taken_when_the_search_is_over(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    plan = plan_of(planner, "bring me the red cup, if you can not find it bring the blue one")
    log, end = run(planner, plan, {"blue_cup": "kitchen_table"}, world)
    assert isinstance(end, Plan)
    assert log[-1] == "hand_over blue_cup"


def test_a_step_that_the_plan_does_not_have_is_an_error(planner: OfflinePlanner, world: MapWorld) -> None:
    with pytest.raises(KeyError, match="nonsense"):
        planner.replan(plan_of(planner, "go to the kitchen"), "nonsense", "NOT_FOUND", world)
