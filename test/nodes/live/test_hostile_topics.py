"""Messages that nobody should send harm nobody, and do not fill the log."""

from __future__ import annotations

import math
import time

import pytest
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point
from sensor_msgs.msg import Imu
from std_msgs.msg import Header
from zulong.action import ExecuteSkill
from zulong.msg import Detection, DetectionArray, Event, Transcript
from zulong.srv import PredictTools

from zulong.nodes import base, names, qos
from zulong.nodes.experts import ExpertsNode
from zulong.nodes.memory import MemoryNode
from zulong.nodes.safety import SafetyNode
from zulong.nodes.scheduler import SchedulerNode

MILLION = "x" * 1_000_000


class Log:
    """Takes the place of a node's logger."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def error(self, text: str) -> None:
        self.lines.append(text)


def test_a_fault_that_comes_at_the_rate_of_a_sensor_is_logged_once_and_counted(live, monkeypatch) -> None:
    node, log = live.start(base.ZulongNode("faulty")), Log()
    monkeypatch.setattr(node, "get_logger", lambda: log)
    for _ in range(100):
        node.note_fault("scan", ValueError(MILLION))
    node.note_fault("scan", KeyError("another"))
    node.note_fault("odom", ValueError("elsewhere"))
    assert node.faults == 102
    assert len(log.lines) == 3
    assert max(map(len, log.lines)) < 10_000
    monkeypatch.setattr(base, "FAULT_PERIOD_S", 0.0)
    node.note_fault("scan", ValueError("later"))
    assert len(log.lines) == 4


def test_things_seen_at_no_place_or_with_broken_attributes_are_passed_over(live) -> None:
    memory = live.start(MemoryNode())
    seen = [
        Detection(
            id="a", has_position=True, position=Point(x=math.nan), attributes_json='{"on": "kitchen_table"}'
        ),
        Detection(id="b", has_position=True, position=Point(z=math.inf)),
        Detection(id="c", has_position=True, attributes_json="{"),
        Detection(id="d", has_position=True, attributes_json="[" * 100_000),
        Detection(id=MILLION, has_position=True, position=Point(x=10.4, y=8.5, z=0.8)),
        Detection(id="red_cup", has_position=True, position=Point(x=10.4, y=8.5, z=0.8)),
    ]
    publisher = live.publisher(DetectionArray, names.DETECTIONS, qos.event())

    def known() -> bool:
        publisher.publish(DetectionArray(header=Header(frame_id="map"), detections=seen))
        time.sleep(0.05)
        return len(memory._memory) > 0

    live.until(known, "the cup is remembered")
    assert memory.faults == 0


def test_the_scheduler_refuses_what_is_too_long_and_goes_on(live) -> None:
    scheduler = live.start(SchedulerNode())
    ordered = live.hear(Event, names.EVENTS_ORDERED, qos.event())
    events = live.publisher(Event, names.EVENTS, qos.event())
    words = live.publisher(Transcript, names.TRANSCRIPT, qos.event())
    for event in (Event(id=MILLION, type="a"), Event(id="b", type="b", priority=99), Event(id="c", type="c")):
        events.publish(event)
    for text in ("[" * 300_000, MILLION, "停"):
        words.publish(Transcript(text=text, is_final=True))
    live.until(lambda: {"c", "control.stop"} <= {each.type for each in ordered}, "stop and the good event")
    assert not {"a", "b"} & {each.type for each in ordered}
    answer = live.call(PredictTools, names.PREDICT_TOOLS, text=MILLION, limit=3)
    assert answer.error_code == PredictTools.Response.INVALID_REQUEST
    assert scheduler.faults == 0


@pytest.mark.feature("RB-03")
def test_an_imu_that_measures_nothing_counts_as_silent(live) -> None:
    safety = live.start(SafetyNode())
    before = safety._monitor._seen_s["imu"]
    for w in (math.nan, 0.0, math.inf):
        broken = Imu()
        broken.orientation.w = w
        safety._on_imu(broken)
    assert safety._monitor._seen_s["imu"] == before
    good = Imu()
    good.orientation.w = 1.0
    safety._on_imu(good)
    assert safety._monitor._seen_s["imu"] != before


@pytest.mark.parametrize("seconds", [-1, -(2**31)])
def test_a_skill_refuses_a_negative_time_limit(live, seconds: int) -> None:
    if not any(node.get_name() == "experts" for node, _, _ in live._running):
        live.start(ExpertsNode())
    fields = {"skill": "wait", "arguments_json": '{"seconds": 30}', "time_limit": Duration(sec=seconds)}
    ending = live.send(ExecuteSkill, names.EXECUTE_SKILL, None, **fields).wait(60.0)
    assert ending.result.error_code == ExecuteSkill.Result.INVALID_ARGUMENTS
    assert "time_limit" in ending.result.error_msg
