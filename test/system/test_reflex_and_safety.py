"""Braking and hazards on the running robot."""

from __future__ import annotations

import os
import statistics
import threading

import pytest
from action_msgs.msg import GoalStatus
from robot_harness import Robot
from std_srvs.srv import Trigger
from zulong.msg import ReflexEvent
from zulong.srv import SimControl

from zulong.nodes import names

TRIES = int(os.environ.get("ZULONG_OBSTACLE_TRIES", "5"))
PLACES = ("the bed", "the desk", "the kitchen table", "the sofa")


def _obstacles(robot: Robot) -> list[ReflexEvent]:
    return [event for _, event in robot.reflexes if event.kind == ReflexEvent.KIND_OBSTACLE and event.active]


def _step_in_front(robot: Robot, words: str) -> tuple[float, float] | None:
    """Let somebody step in front of the driving robot.

    Returns the time from the scan's stamp to the stop command, as sent and as seen from here; None when the
    robot did not drive.
    """
    goal = robot.send(words)

    def driving() -> bool:
        return robot.speed_mps > 0.35 and abs(robot.turn_rps) < 0.15

    robot.until(lambda: driving() or goal.future.done(), 60.0, "no driving")
    if goal.future.done():
        return None
    before = len(_obstacles(robot))
    robot.sim(SimControl.Request.STEP_IN_FRONT, value=0.6)
    robot.until(lambda: len(_obstacles(robot)) > before, 5.0, "no stop came")
    event = _obstacles(robot)[before]
    latency = robot.stop_latency_s(event), robot.stop_seen_after_s(event)
    robot.sim(SimControl.Request.REMOVE, entity="passer_by")
    goal.cancel()
    assert goal.wait(20.0).status == GoalStatus.STATUS_CANCELED
    return latency


@pytest.mark.feature("RB-02")
def test_somebody_who_steps_in_front_is_never_touched_and_stops_the_robot_at_once(robot: Robot) -> None:
    tries = [_step_in_front(robot, f"go to {PLACES[number % len(PLACES)]}") for number in range(TRIES)]
    sent = sorted(round(each[0] * 1e3, 1) for each in tries if each is not None)
    seen = sorted(round(each[1] * 1e3, 1) for each in tries if each is not None)
    print(f"scan's stamp to stop command sent, ms: median {statistics.median(sent)}, all {sent}")
    print(f"the same as seen by an ordinary process, ms: median {statistics.median(seen)}, all {seen}")
    assert robot.contacts == 0
    assert len(sent) >= TRIES // 2
    assert max(sent) <= 50.0


@pytest.mark.feature("RB-02")
def test_a_silent_laser_stops_the_robot(robot: Robot) -> None:
    goal = robot.send("go to the bed")
    robot.until(lambda: robot.speed_mps > 0.3, 60.0, "no driving")
    robot.sim(SimControl.Request.SET_FAULT, entity="scan", value=1.5)
    robot.until(
        lambda: any(e.kind == ReflexEvent.KIND_STALE_SENSOR and e.active for _, e in robot.reflexes[-3:]),
        5.0,
        "the silence was not noticed",
    )
    robot.until(robot.at_rest, 3.0, "the robot drove on blind")
    robot.until(lambda: robot.speed_mps > 0.2, 30.0, "it did not go on when the laser was back")
    goal.cancel()
    goal.wait(20.0)


@pytest.mark.feature("RB-03")
def test_gas_stops_everything_until_the_reset(robot: Robot) -> None:
    robot.sim(SimControl.Request.SET_GAS, value=900.0)
    stopped = threading.Event()

    def latched() -> bool:
        answer = robot.call(Trigger, names.SAFETY_RESET)
        stopped.set()
        return not answer.success and "Gas" in answer.message

    robot.until(latched, 10.0, "the gas was not noticed")
    ending = robot.do("go to the bed", limit_s=60.0)
    assert ending.status == GoalStatus.STATUS_ABORTED
    robot.until(robot.at_rest, 3.0, "the robot moved in spite of the stop")
    robot.sim(SimControl.Request.SET_GAS, value=0.0)
    robot.until(lambda: robot.call(Trigger, names.SAFETY_RESET).success, 20.0, "the stop could not be reset")
    ending = robot.do("say hello", limit_s=30.0)
    assert ending.status == GoalStatus.STATUS_SUCCEEDED, ending.result.error_msg


@pytest.mark.feature("RB-03")
def test_heat_stops_the_robot_until_the_reset(robot: Robot) -> None:
    robot.sim(SimControl.Request.SET_TEMPERATURE, value=85.0)
    robot.until(
        lambda: "Temperature" in robot.call(Trigger, names.SAFETY_RESET).message,
        10.0,
        "the heat was not noticed",
    )
    robot.sim(SimControl.Request.SET_TEMPERATURE, value=30.0)
    robot.until(lambda: robot.call(Trigger, names.SAFETY_RESET).success, 20.0, "the stop could not be reset")
