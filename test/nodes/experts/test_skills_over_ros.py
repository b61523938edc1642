"""The simulator and the skills as real nodes: topics, services, goals, cancels, and a kill in the middle of a pick."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from typing import Any

import pytest
from geometry_msgs.msg import PoseStamped, Twist
from lifecycle_msgs.msg import Transition
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, CameraInfo, Image, Imu, LaserScan, Temperature
from std_msgs.msg import Bool, Float32
from zulong.action import ExecuteSkill
from zulong.msg import DetectionArray, SkillInfo, TextChunk, Transcript
from zulong.srv import GripperControl, SimControl

from zulong.nodes import names, qos
from zulong.nodes.goals import GoalClient

LIMIT_S = 60.0
SENSORS = {
    names.SCAN: (LaserScan, 20.0), names.ODOM: (Odometry, 20.0), names.POSE: (PoseStamped, 20.0),
    names.IMU: (Imu, 50.0), names.BATTERY: (BatteryState, 1.0), names.BUMPER: (Bool, 20.0),
    names.GAS: (Float32, 10.0), names.TEMPERATURE: (Temperature, 1.0), names.SIM_OBJECTS: (DetectionArray, 5.0),
}  # fmt: skip


class World:
    """A simulator node and, if asked, the experts node, without the layers between: wishes go to the wheels."""

    def __init__(self, session: Any, spawn: Any, wait_until: Any) -> None:
        self.session, self.spawn, self.wait_until = session, spawn, wait_until
        self.newest: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.skills: dict[str, SkillInfo] = {}
        for topic, (kind, _) in SENSORS.items():
            session.node.create_subscription(kind, topic, self._note(topic), qos.sensor())
        session.node.create_subscription(
            SkillInfo, names.SKILLS, lambda m: self.skills.__setitem__(m.name, m), qos.latched(64)
        )
        self.velocity = session.node.create_publisher(Twist, names.CMD_VEL, qos.command_publisher())
        self.goals = GoalClient(session.node, ExecuteSkill, names.EXECUTE_SKILL)

    def _note(self, topic: str) -> Any:
        def note(message: Any) -> None:
            self.newest[topic] = message
            self.counts[topic] = self.counts.get(topic, 0) + 1

        return note

    def bring_up(self, name: str, *arguments: str) -> Any:
        process = self.spawn("-m", f"zulong.nodes.{name}", *arguments)
        for transition, reached in (
            (Transition.TRANSITION_CONFIGURE, "inactive"),
            (Transition.TRANSITION_ACTIVATE, "active"),
        ):
            assert self.session.change_state(name, transition, reached, LIMIT_S), process.output()
        return process

    def sim(self, **parameters: Any) -> Any:
        flags = [
            flag
            for key, value in {"walk_routes": False, **parameters}.items()
            for flag in ("-p", f"{key}:={value}")
        ]
        return self.bring_up("sim", "--ros-args", *flags)

    def experts(self) -> Any:
        return self.bring_up("experts", "--ros-args", "-r", f"{names.CMD_VEL_RAW}:={names.CMD_VEL}")

    def control(self, command: int, **fields: Any) -> Any:
        request = SimControl.Request(command=command)
        for key, value in fields.items():
            if key == "at":
                request.has_position = True
                request.position.x, request.position.y = value
            else:
                setattr(request, key, value)
        return self.session.call(SimControl, names.SIM_CONTROL, request, 20.0)

    def state(self, entity: str) -> dict[str, Any]:
        answer = self.control(SimControl.Request.GET, entity=entity)
        assert answer.error_code == SimControl.Response.SUCCEEDED, answer.error_msg
        return json.loads(answer.state_json)

    def goal(self, skill: str, key: str = "", **arguments: Any) -> Any:
        request = ExecuteSkill.Goal(skill=skill, arguments_json=json.dumps(arguments), idempotency_key=key)
        return self.goals.send(request)

    def do(self, skill: str, key: str = "", **arguments: Any) -> Any:
        return self.goal(skill, key, **arguments).wait(LIMIT_S * 2).result


@pytest.fixture
def world(ros_session, spawn, wait_until) -> World:
    return World(ros_session, spawn, wait_until)


@pytest.mark.feature("RB-16")
def test_the_simulator_speaks_standard_topics_and_obeys_velocity_and_its_services(world: World) -> None:
    world.sim(camera=False)
    world.wait_until(lambda: set(world.counts) == set(SENSORS), 20.0, "every sensor is heard")
    before, begun = dict(world.counts), time.monotonic()
    time.sleep(2.0)
    took = time.monotonic() - begun
    for topic, (_, rate) in SENSORS.items():
        heard = (world.counts[topic] - before[topic]) / took
        assert heard <= rate * 1.3 + 1.0, topic  # at most as promised; on a busy machine it may be less
    scan = world.newest[names.SCAN]
    assert len(scan.ranges) == 360 and scan.header.frame_id == "laser"
    assert scan.angle_increment == pytest.approx(math.tau / 360)
    assert 0.9 < world.newest[names.BATTERY].percentage <= 1.0

    world.velocity.publish(Twist())
    bad = Twist()
    bad.linear.x = math.nan
    world.velocity.publish(bad)
    forward = Twist()
    forward.linear.x = 0.4
    start = world.state("robot")["position"][0]
    for _ in range(20):
        world.velocity.publish(forward)
        time.sleep(0.05)
    world.wait_until(lambda: world.state("robot")["position"][0] > start + 0.1, 5.0, "the base drives")
    # Nobody commands any more: it stops by itself.
    world.wait_until(lambda: abs(world.state("robot")["linear_mps"]) < 0.01, 5.0, "the base stops")

    assert (
        world.control(SimControl.Request.GET, entity="unicorn").error_code
        == SimControl.Response.UNKNOWN_ENTITY
    )
    assert (
        world.control(SimControl.Request.MOVE, entity="jane").error_code
        == SimControl.Response.INVALID_REQUEST
    )
    assert world.control(99).error_code == SimControl.Response.INVALID_REQUEST
    grasp = GripperControl.Request(command=GripperControl.Request.GRASP, object_id="red_cup")
    answer = world.session.call(GripperControl, names.GRIPPER, grasp, 10.0)
    assert answer.error_code == GripperControl.Response.OUT_OF_REACH and "reaches" in answer.error_msg
    world.control(SimControl.Request.SET_FAULT, entity="scan", value=0.0)
    time.sleep(0.3)
    silent = world.counts[names.SCAN]
    time.sleep(0.5)
    assert world.counts[names.SCAN] <= silent + 1
    # As fast as it can: simulated time runs ahead, and services are still answered.
    world.control(SimControl.Request.SET_SPEED, value=0.0)
    first, begun = world.state("robot")["time_s"], time.monotonic()
    time.sleep(1.0)
    assert world.state("robot")["time_s"] - first > 2.0 * (time.monotonic() - begun)


@pytest.mark.feature("RB-16")
def test_the_camera_shows_pictures_or_says_once_why_not(world: World) -> None:
    process = world.sim(camera=True)
    pictures: list[Image] = []
    infos: list[CameraInfo] = []
    world.session.node.create_subscription(Image, names.IMAGE, pictures.append, qos.sensor())
    world.session.node.create_subscription(CameraInfo, names.CAMERA_INFO, infos.append, qos.sensor())
    missing = "The camera has no picture"
    world.wait_until(
        lambda: (pictures and infos) or missing in process.output(), 20.0, "a picture or a reason"
    )
    if missing in process.output():
        time.sleep(1.0)
        assert process.output().count(missing) == 1
        pytest.skip("no GL library on this machine")
    assert (pictures[0].width, pictures[0].height, pictures[0].encoding) == (320, 240, "rgb8")
    assert len(pictures[0].data) == 320 * 240 * 3
    assert infos[0].k[0] == pytest.approx(infos[0].k[4]) and infos[0].k[2] == 160.0


@pytest.mark.feature("RB-10", "RB-09")
def test_skills_are_advertised_cancelled_at_any_moment_and_two_goals_both_end(world: World) -> None:
    world.sim(camera=False)
    world.experts()
    world.wait_until(lambda: len(world.skills) == 12, 20.0, "twelve skills are advertised")
    info = world.skills["pick"]
    assert info.available and info.has_side_effects and info.uses_arm and info.action_name == "/execute_skill"
    assert json.loads(info.arguments_schema_json)["required"] == ["object"]
    world.wait_until(lambda: names.SIM_OBJECTS in world.counts, 20.0, "something is seen")
    time.sleep(0.5)
    for wait_s in (0.0, 0.05, 0.2, 1.0):
        goal = world.goal("go_to", place="bedroom")
        time.sleep(wait_s)
        goal.cancel()
        ending = goal.wait(LIMIT_S)
        assert ending.canceled and ending.result.error_code == ExecuteSkill.Result.CANCELED, wait_s
        state = world.state("robot")
        assert abs(state["linear_mps"]) < 0.05 and abs(state["angular_rps"]) < 0.1, (wait_s, state)
    both = [world.goal("wait", seconds=1), world.goal("go_to", place="exit")]
    assert [g.wait(LIMIT_S).result.error_code for g in both] == [0, 0]
    refused = world.do("go_to", place="the moon")
    assert refused.error_code == ExecuteSkill.Result.NOT_FOUND and "moon" in refused.error_msg
    # Nobody puts words out: that is said, not waited for without end.
    silent = world.do("say", text="hello")
    assert silent.error_code == ExecuteSkill.Result.UNAVAILABLE and "gateway" in silent.error_msg


@pytest.mark.feature("RB-10")
def test_a_killed_expert_comes_back_and_the_pick_happens_once(world: World) -> None:
    world.sim(camera=False)
    experts = world.experts()
    world.wait_until(lambda: names.SIM_OBJECTS in world.counts, 20.0, "something is seen")
    world.control(SimControl.Request.MOVE, entity="robot", at=(10.0, 7.5), yaw=math.pi / 2)
    time.sleep(1.0)
    world.goal("pick", "task/pick/1", object="red_cup")
    world.wait_until(lambda: world.state("robot")["holds"] == "red_cup", LIMIT_S, "the cup is in the hand")
    os.kill(experts.pid, signal.SIGKILL)
    experts.wait(10.0)
    world.experts()
    world.goals = GoalClient(world.session.node, ExecuteSkill, names.EXECUTE_SKILL)
    again = world.do("pick", "task/pick/1", object="red_cup")
    assert again.error_code == ExecuteSkill.Result.SUCCEEDED, again.error_msg
    assert json.loads(again.result_json)["object"] == "red_cup" and again.replayed
    other = world.do("pick", "task/pick/1", object="apple")
    assert other.error_code == ExecuteSkill.Result.INVALID_ARGUMENTS


def test_people_hear_the_gateway_and_answer_on_answers(world: World) -> None:
    world.sim(camera=False)
    said: list[Transcript] = []
    world.session.node.create_subscription(Transcript, names.ANSWERS, said.append, qos.event())
    words = world.session.node.create_publisher(TextChunk, names.TEXT_OUT, qos.stream())
    world.control(SimControl.Request.MOVE, entity="robot", at=(9.6, 6.5), yaw=0.0)
    world.wait_until(lambda: words.get_subscription_count() > 0, 20.0, "the simulator listens")
    words.publish(TextChunk(stream_id="s", sequence=0, text="What is ", is_final=False))
    words.publish(TextChunk(stream_id="s", sequence=1, text="your name?", is_final=True))
    world.wait_until(lambda: said, 10.0, "an answer")
    assert (said[0].text, said[0].person, said[0].is_final) == ("My name is Morgan.", "morgan", True)
