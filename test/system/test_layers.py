"""Each layer's first true function, on the running robot, through its public interface."""

from __future__ import annotations

import time
import wave
from pathlib import Path
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray
from robot_harness import Robot
from std_msgs.msg import Bool
from zulong.msg import AudioChunk, DetectionArray, Event, SafetyState, SkillInfo, TextChunk, Transcript
from zulong.srv import ControlOutput, ListTasks, PredictTools, Recall, Remember, SetAttention, SetPower

from zulong.nodes import names, qos

SPEECH = Path(__file__).resolve().parents[3] / "shared" / "audio" / "librivox-0870.wav"


def listen(robot: Robot, kind: type, topic: str, profile: Any) -> list[Any]:
    heard: list[Any] = []
    robot.session.node.create_subscription(kind, topic, heard.append, profile)
    return heard


def matched(robot: Robot, publisher: Any, listener: str) -> None:
    """Wait until a publisher has found every subscription of its topic, that of node ``listener`` among them."""

    def complete() -> bool:
        known = robot.session.node.get_subscriptions_info_by_topic(publisher.topic_name)
        return any(k.node_name == listener for k in known) and publisher.get_subscription_count() >= len(
            known
        )

    robot.until(complete, 10.0, f"{listener} does not listen to {publisher.topic_name}")


@pytest.mark.feature("RB-10")
def test_every_skill_is_advertised_with_a_schema(robot: Robot) -> None:
    infos = listen(robot, SkillInfo, names.SKILLS, qos.latched(100))
    wanted = {
        "go_to", "look_for", "pick", "place", "hand_over", "say", "ask_person", "follow", "guide", "count", "describe",
        "wait",
    }  # fmt: skip
    robot.until(
        lambda: wanted <= {info.name for info in infos}, 10.0, f"not all of {sorted(wanted)} were advertised"
    )
    assert all(info.arguments_schema_json.startswith("{") and info.description for info in infos)


@pytest.mark.feature("RB-04")
def test_events_come_out_once_each_and_an_expired_one_does_not(robot: Robot) -> None:
    ordered = listen(robot, Event, names.EVENTS_ORDERED, qos.event())
    publisher = robot.session.node.create_publisher(Event, names.EVENTS, qos.event())
    matched(robot, publisher, "scheduler")
    stamp = robot.session.node.get_clock().now().to_msg()
    for number in range(20):
        event = Event(stamp=stamp, id=f"t{number}", source="test", type="test.event", priority=number % 4)
        publisher.publish(event)
        publisher.publish(event)
    late = Event(id="late", source="test", type="test.event", priority=1)
    late.stamp.sec, late.ttl.sec = stamp.sec - 100, 1
    publisher.publish(late)
    publisher.publish(Event(stamp=stamp, id="end", source="test", type="test.event", priority=3))
    robot.until(lambda: any(e.id == "end" for e in ordered), 10.0, "the events did not come out")
    robot.until(lambda: sum(e.source == "test" for e in ordered) >= 21, 10.0, "some events are missing")
    ids = [e.id for e in ordered if e.source == "test"]
    assert sorted(ids) == sorted([f"t{n}" for n in range(20)] + ["end"])


@pytest.mark.feature("RB-14")
def test_after_stop_no_word_leaves_until_resume(robot: Robot) -> None:
    out = listen(robot, TextChunk, names.TEXT_OUT, qos.stream())
    health = listen(robot, DiagnosticArray, names.DIAGNOSTICS, qos.event())
    publisher = robot.session.node.create_publisher(TextChunk, names.TEXT_IN, qos.stream())
    matched(robot, publisher, "gateway")

    def dropped() -> int:
        told = [
            int(pair.value)
            for array in health
            for status in array.status
            for pair in status.values
            if pair.key == "dropped" and status.name.rstrip("/").endswith("gateway")
        ]
        return told[-1] if told else -1

    robot.until(lambda: dropped() >= 0, 10.0, "the gateway does not tell how it is")
    before = dropped()

    def speak(stream: str, sequence: int) -> None:
        publisher.publish(TextChunk(stream_id=stream, sequence=sequence, text=f"{stream}{sequence}"))

    speak("a", 0)
    robot.until(lambda: any(c.text == "a0" for c in out), 10.0, "a word did not leave")
    answer = robot.call(ControlOutput, names.CONTROL_OUTPUT, command=ControlOutput.Request.STOP)
    assert answer.error_code == 0
    assert answer.state == 0
    speak("a", 1), speak("b", 0)
    # A topic and a service have no order between them: what is said now must have been dropped before it goes on.
    robot.until(lambda: dropped() >= before + 2, 10.0, "words that came after the stop were not dropped")
    robot.call(ControlOutput, names.CONTROL_OUTPUT, command=ControlOutput.Request.RESUME)
    speak("a", 2), speak("c", 0)
    robot.until(lambda: any(c.text == "c0" for c in out), 10.0, "a new stream did not flow after resume")
    assert [c.text for c in out if c.stream_id in "abc"] == ["a0", "c0"]
    bad = robot.call(ControlOutput, names.CONTROL_OUTPUT, command=9)
    assert bad.error_code == ControlOutput.Response.INVALID_REQUEST


@pytest.mark.feature("RB-05")
def test_the_word_stop_cancels_the_running_goal(robot: Robot) -> None:
    goal = robot.send("go to the bed")
    robot.until(lambda: robot.speed_mps > 0.1, 60.0, "the robot did not start")
    voice = robot.session.node.create_publisher(Transcript, names.TRANSCRIPT, qos.event())
    matched(robot, voice, "scheduler")
    voice.publish(Transcript(text="停！", is_final=True, person="adel"))
    ending = goal.wait(20.0)
    assert ending.status in (GoalStatus.STATUS_CANCELED, GoalStatus.STATUS_ABORTED)
    assert ending.result.error_code == ending.result.CANCELED
    robot.until(robot.at_rest, 3.0, "the robot did not stop")


@pytest.mark.feature("RB-05")
def test_spoken_words_become_a_task(robot: Robot) -> None:
    voice = robot.session.node.create_publisher(Transcript, names.TRANSCRIPT, qos.event())
    matched(robot, voice, "scheduler")
    voice.publish(Transcript(text="wait for one second", is_final=True, person="adel"))

    def done() -> bool:
        tasks = robot.call(ListTasks, names.LIST_TASKS, limit=3).tasks
        return any(t.instruction == "wait for one second" and t.state == t.STATE_SUCCEEDED for t in tasks)

    robot.until(done, 30.0, "the words did not become a task")


@pytest.mark.feature("RB-06")
def test_attention_power_and_tool_prediction_answer_typed(robot: Robot) -> None:
    silent = robot.call(SetAttention, names.SET_ATTENTION, mode=SetAttention.Request.SILENT)
    assert silent.mode == SetAttention.Request.SILENT
    assert (
        robot.call(SetAttention, names.SET_ATTENTION, mode=7).error_code
        == SetAttention.Response.INVALID_REQUEST
    )
    assert robot.call(SetAttention, names.SET_ATTENTION, mode=SetAttention.Request.ACTIVE).error_code == 0
    saving = robot.call(SetPower, names.SET_POWER, mode=SetPower.Request.SAVING)
    assert saving.error_code in (0, SetPower.Response.BUSY)
    full = robot.call(SetPower, names.SET_POWER, mode=SetPower.Request.FULL)
    assert full.models_loaded
    robot.call(SetPower, names.SET_POWER, mode=SetPower.Request.AUTO)
    tools = robot.call(PredictTools, names.PREDICT_TOOLS, text="count the people, at most two calls", limit=3)
    assert tools.tools[0] == "count"
    assert tools.budget == 2
    empty = robot.call(PredictTools, names.PREDICT_TOOLS, text=" ", limit=3)
    assert empty.error_code == PredictTools.Response.INVALID_REQUEST


@pytest.mark.feature("RB-07")
def test_vision_finds_coloured_things_in_the_camera_picture(robot: Robot) -> None:
    from sensor_msgs.msg import Image

    pictures = listen(robot, Image, names.IMAGE, qos.sensor())
    seen = listen(robot, DetectionArray, names.DETECTIONS, qos.event())
    deadline = time.monotonic() + 10.0
    while not pictures and time.monotonic() < deadline:
        time.sleep(0.05)
    if not pictures:
        pytest.skip("the simulator has no camera here: no GL library")
    robot.do("go to the kitchen table", limit_s=90.0)
    robot.until(lambda: any(a.detections for a in seen[-20:]), 20.0, "nothing coloured was found")
    found = {d.colour for array in seen for d in array.detections}
    assert found & {"red", "blue", "green", "yellow", "orange"}
    assert all(d.width_px > 0 and d.score > 0 for array in seen[-5:] for d in array.detections)


@pytest.mark.feature("RB-08")
@pytest.mark.skipif(not SPEECH.exists(), reason="the recorded speech is not beside this checkout")
def test_audio_notices_speech_and_its_end(robot: Robot) -> None:
    voice = listen(robot, Bool, names.VOICE_ACTIVITY, qos.latched())
    publisher = robot.session.node.create_publisher(AudioChunk, names.AUDIO_IN, qos.stream())
    matched(robot, publisher, "audio")
    with wave.open(str(SPEECH)) as recording:
        data = recording.readframes(4 * recording.getframerate())
    for number, start in enumerate(range(0, len(data), 3200)):
        publisher.publish(AudioChunk(sequence=number, data=list(data[start : start + 3200])))
        time.sleep(0.01)  # faster than real time, but not all at once
    robot.until(lambda: any(v.data for v in voice), 10.0, "speech was not noticed")
    robot.until(lambda: not voice[-1].data, 10.0, "the end of speech was not noticed")


@pytest.mark.feature("RB-03")
def test_safety_state_keeps_coming_and_carries_the_readings(robot: Robot) -> None:
    states = listen(robot, SafetyState, names.SAFETY_STATE, qos.latched())
    robot.until(lambda: len(states) >= 5, 10.0, "the safety state does not come")
    state = states[-1]
    assert state.motion_allowed, state.causes
    assert 0.0 < state.battery_fraction <= 1.0
    assert state.gas_ppm >= 0.0


@pytest.mark.feature("MG-16")
def test_memory_refuses_what_is_no_memory_with_a_reason(robot: Robot) -> None:
    request = Remember.Request()
    request.node.text = "   "
    answer = robot.session.call(Remember, names.REMEMBER, request)
    assert answer.error_code == Remember.Response.INVALID_REQUEST
    assert "text" in answer.error_msg
    request.node.text, request.node.meta_json = "a fact", "[1, 2]"
    answer = robot.session.call(Remember, names.REMEMBER, request)
    assert answer.error_code == Remember.Response.INVALID_REQUEST
    assert "meta_json" in answer.error_msg
    answer = robot.call(Recall, names.RECALL, text="x", limit=0)
    assert answer.error_code == Recall.Response.INVALID_REQUEST


@pytest.mark.feature("MG-06")
def test_where_is_it_is_answered_in_the_language_of_the_question(robot: Robot) -> None:
    robot.do("go to the kitchen table", limit_s=90.0)
    robot.until(
        lambda: "kitchen" in robot.call(Recall, names.RECALL, text="where is the blue cup?", limit=3).answer,
        20.0,
        "the blue cup on the kitchen table was not remembered",
    )
    chinese = robot.call(Recall, names.RECALL, text="蓝色的杯子在哪里？", limit=3)
    assert chinese.answer.startswith("蓝色的杯子在厨房")
    assert any("location" in hit.node.tags for hit in chinese.hits)
