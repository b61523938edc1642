"""Gripper, sight and people: what is possible, what is refused, who hears and walks."""

from __future__ import annotations

import math

import pytest

from zulong.sim.gripper import GripperError, GripperFault
from zulong.sim.simulator import Simulator

pytestmark = pytest.mark.feature("RB-16")


def stand_at_desk(sim: Simulator) -> None:
    sim.move("robot", 10.0, 7.6, yaw=math.pi / 2)


def test_a_grasped_thing_rides_along_and_stands_where_it_is_put(sim: Simulator) -> None:
    stand_at_desk(sim)
    sim.gripper.grasp("red_cup", None)
    sim.drive(-0.5, 0.0)
    sim.run(1.0)
    cup, pose = sim.state("red cup"), sim.world.robot_pose
    assert cup["held_by"] == "robot"
    assert math.dist(cup["position"][:2], (pose.x, pose.y)) == pytest.approx(0.24, abs=0.01)
    sim.move("robot", 9.7, 1.65, yaw=math.pi / 2)
    sim.gripper.release((9.7, 2.3, 0.75))
    assert sim.state("red cup")["at"] == "kitchen_table"
    assert sim.state("red cup")["room"] == "kitchen"


@pytest.mark.parametrize(
    ("place", "object_id", "fault"),
    [
        ((3.0, 2.3, 0.0), "red_cup", GripperFault.OUT_OF_REACH),
        ((10.0, 7.6, -math.pi / 2), "red_cup", GripperFault.OUT_OF_REACH),
        ((10.0, 7.6, math.pi / 2), "unicorn", GripperFault.NOTHING_THERE),
    ],
    ids=["too far", "behind", "no such thing"],
)
def test_a_grasp_fails_as_hardware_does(
    sim: Simulator, place: tuple[float, float, float], object_id: str, fault: GripperFault
) -> None:
    sim.move("robot", place[0], place[1], yaw=place[2])
    with pytest.raises(GripperError) as caught:
        sim.gripper.grasp(object_id, None)
    assert caught.value.fault is fault
    assert sim.gripper.held is None


def test_a_full_hand_takes_nothing_and_an_empty_one_gives_nothing(sim: Simulator) -> None:
    stand_at_desk(sim)
    with pytest.raises(GripperError) as empty:
        sim.gripper.release(None)
    sim.gripper.grasp("red_cup", None)
    with pytest.raises(GripperError) as full:
        sim.gripper.grasp("apple", None)
    assert (empty.value.fault, full.value.fault) == (GripperFault.NOT_HOLDING, GripperFault.ALREADY_HOLDING)


def test_a_thing_that_was_moved_since_it_was_seen_is_not_grasped(sim: Simulator) -> None:
    stand_at_desk(sim)
    sim.move("red cup", 10.4, 8.3)
    with pytest.raises(GripperError) as caught:
        sim.gripper.grasp("red_cup", (10.0, 8.3, 0.8))
    assert caught.value.fault is GripperFault.NOTHING_THERE


@pytest.mark.parametrize("spot", [(10.45, 8.3, 0.75), (10.2, 8.3, 1.4)], ids=["on the apple", "in the air"])
def test_nothing_is_put_into_another_thing_or_into_the_air(
    sim: Simulator, spot: tuple[float, float, float]
) -> None:
    stand_at_desk(sim)
    sim.gripper.grasp("red_cup", None)
    with pytest.raises(GripperError) as caught:
        sim.gripper.release(spot)
    assert caught.value.fault is GripperFault.OCCUPIED
    assert sim.gripper.held is not None


def test_a_person_within_reach_takes_what_is_handed_over_and_keeps_it(sim: Simulator) -> None:
    stand_at_desk(sim)
    sim.gripper.grasp("red_cup", None)
    with pytest.raises(GripperError) as caught:
        sim.gripper.hand_over("jane")
    assert caught.value.fault is GripperFault.OUT_OF_REACH
    sim.move("robot", 1.9, 2.3, yaw=math.pi)
    sim.gripper.hand_over("Jane")
    assert sim.state("jane")["holds"] == "red_cup"
    assert sim.walk("jane", "kitchen")["doing"] == "walking"
    sim.run(15.0)
    sim.scan()
    assert sim.state("red_cup")["room"] == sim.state("jane")["room"] == "kitchen"


def test_sight_shows_what_is_in_view_near_enough_and_not_hidden(sim: Simulator) -> None:
    stand_at_desk(sim)
    seen = {s.id for _ in range(5) for s in sim.sightings()}
    assert "red_cup" in seen and "blue_cup" not in seen
    sim.move("robot", 10.0, 7.6, yaw=-math.pi / 2)
    assert "red_cup" not in {s.id for _ in range(5) for s in sim.sightings()}
    # From the next room the wall hides the desk.
    sim.move("robot", 10.0, 3.6, yaw=math.pi / 2)
    assert "red_cup" not in {s.id for _ in range(5) for s in sim.sightings()}


def test_sightings_carry_position_box_and_attributes(sim: Simulator) -> None:
    sim.move("robot", 9.0, 6.4, yaw=0.0)
    person = next(s for _ in range(5) for s in sim.sightings() if s.id == "morgan")
    assert person.position == pytest.approx((10.2, 6.5, 1.15), abs=0.1)
    assert person.attributes["gesture"] == "raising_right_arm"
    assert person.attributes["posture"] == "standing"
    assert person.attributes["clothes"] == "gray coat"
    x, y, width, height = person.box
    assert 0 <= x <= x + width <= 320 and 0 <= y <= y + height <= 240
    assert height > width > 10


def test_a_detector_misses_now_and_then(sim: Simulator) -> None:
    stand_at_desk(sim)
    hits = sum(any(s.id == "red_cup" for s in sim.sightings()) for _ in range(300))
    assert 260 < hits < 300


def test_the_nearest_person_hears_and_answers_and_a_named_one_before_them(sim: Simulator) -> None:
    sim.move("robot", 9.6, 5.8, yaw=0.0)
    sim.move("morgan", 10.0, 6.4)
    assert sim.say("What would you like?").spec.id == "morgan"
    sim.run(1.0)
    assert [(u.person, u.text) for u in sim.replies()] == [("morgan", "I would like an apple.")]
    assert sim.say("Axel, what is your name?").spec.id == "axel"
    sim.run(1.0)
    assert sim.replies()[0].text == "My name is Axel."
    assert sim.replies() == []


def test_nobody_hears_what_is_said_in_an_empty_place(sim: Simulator) -> None:
    sim.move("robot", 11.0, 1.0)
    for name in ("angel", "robin"):
        sim.remove(name)
    assert sim.say("Hello?") is None
    sim.run(2.0)
    assert sim.replies() == []


def test_a_lying_person_who_is_asked_to_come_stands_up_and_follows(sim: Simulator) -> None:
    sim.move("robot", 1.6, 8.2, yaw=math.pi)
    assert sim.state("simone")["posture"] == "lying"
    assert sim.say("Simone, please follow me to the kitchen.").spec.id == "simone"
    sim.move("robot", 3.0, 5.4)
    sim.run(10.0)
    state = sim.state("simone")
    assert state["posture"] == "standing" and state["doing"] == "following"
    assert math.dist(state["position"][:2], (3.0, 5.4)) < 1.6


def test_walkers_keep_away_from_the_robot_and_from_walls(sim: Simulator) -> None:
    sim.move("robot", 3.0, 2.3)
    sim.walk("jane", "exit")
    nearest = math.inf
    for _ in range(150):
        sim.run(0.1)
        x, y, _ = sim.state("jane")["position"]
        nearest = min(nearest, math.dist((x, y), (3.0, 2.3)))
        assert not sim.world.touching()
    assert nearest > 0.55
    assert math.dist(sim.state("jane")["position"][:2], (5.3, 0.5)) < 1.0
