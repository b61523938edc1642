"""The action ``say`` and the words that are spoken aloud, through the real gateway and the real espeak-ng."""

from __future__ import annotations

import math
import shutil
import time
from pathlib import Path

import pytest
from action_msgs.msg import GoalStatus
from std_msgs.msg import Bool
from zulong.action import Say
from zulong.msg import AudioChunk, SafetyState, TextChunk
from zulong.srv import ControlOutput

from zulong.nodes import names, qos
from zulong.nodes.gateway import GatewayNode

PARAMETERS = {"gateway.barge_in": "true", "gateway.longest_text": "20000"}
LIMIT_S = 60.0  # a busy machine makes even espeak slow
LONG = "This sentence goes on and on and on and on and on and on. " * 20
pytestmark = [
    pytest.mark.feature("RB-08"),
    pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng"),
]


@pytest.fixture(scope="module")
def gateway(live):
    return live.start(GatewayNode())


@pytest.fixture(scope="module")
def sound(live, gateway) -> list[AudioChunk]:
    return live.hear(AudioChunk, names.AUDIO_OUT, qos.stream())


@pytest.fixture(scope="module")
def text(live, gateway) -> list[TextChunk]:
    return live.hear(TextChunk, names.TEXT_OUT, qos.stream())


@pytest.fixture(autouse=True)
def fresh(live, gateway, sound, text):
    control(live, ControlOutput.Request.RESUME)
    live.until(lambda: not gateway._speech.speaker.speaking, "the gateway is silent")
    sound.clear()
    text.clear()


def control(live, command: int, stream_id: str = "") -> ControlOutput.Response:
    return live.call(ControlOutput, names.CONTROL_OUTPUT, command=command, stream_id=stream_id)


def say(live, words: str, feedback=None, **fields):
    return live.send(Say, names.SAY, feedback, text=words, **fields)


def test_words_go_out_as_sound_and_as_text_with_progress(live, sound, text) -> None:
    told: list[Say.Feedback] = []
    ending = say(live, "I bring the red cup. 马上就来。", told.append).wait(LIMIT_S)
    assert (ending.status, ending.result.error_code) == (GoalStatus.STATUS_SUCCEEDED, 0), (
        ending.result.error_msg
    )
    assert ending.result.spoken_text == "I bring the red cup. 马上就来。"
    live.until(lambda: any(chunk.is_final for chunk in text), "the text is out")
    assert "".join(chunk.text for chunk in text) == "I bring the red cup. 马上就来。"
    assert [chunk.language for chunk in text] == ["en", "zh"]
    seconds = ending.result.duration.sec + ending.result.duration.nanosec / 1e9
    live.until(lambda: sum(len(c.data) // 2 for c in sound) >= 22050 * (seconds - 0.1), "the sound is out")
    assert seconds > 0.5
    assert [c.sequence for c in sound] == list(range(sound[0].sequence, sound[0].sequence + len(sound)))
    live.until(lambda: told[-1].progress == pytest.approx(1.0), "the last feedback")
    assert [each.progress for each in told] == sorted(each.progress for each in told)


def test_words_that_a_stream_wrote_already_are_only_spoken(live, sound, text) -> None:
    assert say(live, "Hello.", stream_id="answer").wait(LIMIT_S).result.error_code == 0
    live.until(lambda: sound, "the sound is out")
    assert text == []


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.4])
def test_a_cancel_ends_the_speech_in_the_middle_of_a_sentence(live, sound, delay_s: float) -> None:
    goal = say(live, LONG)
    if delay_s:
        live.until(lambda: sound, "it speaks")
        time.sleep(delay_s)
    goal.cancel()
    ending = goal.wait(LIMIT_S)
    assert (ending.status, ending.result.error_code) == (GoalStatus.STATUS_CANCELED, Say.Result.CANCELED)
    assert len(ending.result.spoken_text) < len(LONG) / 2


def test_stop_silences_the_goal_and_resume_lets_the_next_one_speak(live, sound) -> None:
    goal = say(live, LONG)
    live.until(lambda: sound, "it speaks")
    control(live, ControlOutput.Request.STOP)
    ending = goal.wait(LIMIT_S)
    assert ending.result.error_code == Say.Result.CANCELED
    assert "RESUME" in ending.result.error_msg
    refused = say(live, "Still silent.").wait(LIMIT_S)
    assert refused.result.error_code == Say.Result.CANCELED
    control(live, ControlOutput.Request.RESUME)
    assert say(live, "Here.").wait(LIMIT_S).result.error_code == 0


def test_pause_holds_and_resume_goes_on(live, sound, gateway) -> None:
    goal = say(live, "One two three four five six.")
    live.until(lambda: sound, "it speaks")
    control(live, ControlOutput.Request.PAUSE)
    time.sleep(0.2)  # what was on its way arrives
    held = len(sound)
    time.sleep(0.3)
    assert len(sound) == held
    assert not goal.future.done()
    control(live, ControlOutput.Request.RESUME)
    assert goal.wait(LIMIT_S).result.error_code == 0


def test_an_interrupting_goal_cuts_off_the_one_that_speaks(live, sound) -> None:
    first = say(live, LONG)
    live.until(lambda: sound, "it speaks")
    waiting = say(live, "I wait.")
    urgent = say(live, "Careful!", interrupt=True)
    assert first.wait(LIMIT_S).result.error_code == Say.Result.INTERRUPTED
    assert urgent.wait(LIMIT_S).result.error_code == 0
    assert waiting.wait(LIMIT_S).result.error_code == 0


def test_a_person_who_speaks_and_an_emergency_cut_the_speech_off(live, sound, text) -> None:
    voice = live.publisher(Bool, names.VOICE_ACTIVITY, qos.latched())
    goal = say(live, LONG)
    live.until(lambda: sound, "it speaks")
    voice.publish(Bool(data=True))
    assert goal.wait(LIMIT_S).result.error_code == Say.Result.INTERRUPTED
    voice.publish(Bool(data=False))
    safety = live.publisher(SafetyState, names.SAFETY_STATE, qos.latched())
    goal = say(live, LONG)
    live.until(lambda: any(c.stream_id == f"say-{goal.goal_id}" for c in text), "it speaks again")
    waiting = say(live, "I wait.")
    live.until(lambda: waiting.accepted, "the second goal waits")
    safety.publish(SafetyState(latched=True, causes=["gas 40 % of the limit"]))
    assert goal.wait(LIMIT_S).result.error_code == Say.Result.INTERRUPTED
    live.until(
        lambda: any(c.text == "Emergency stop: gas 40 % of the limit." for c in text), "the words are out"
    )
    assert waiting.wait(LIMIT_S).result.error_code == 0
    safety.publish(SafetyState(latched=False))


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"text": ""}, "INVALID_TEXT", "nothing that can be spoken"),
        ({"text": "\x00 ... \x07"}, "INVALID_TEXT", "nothing that can be spoken"),
        ({"text": "x" * 1_000_000}, "INVALID_TEXT", "1000000 characters"),
        ({"text": "hi", "rate": math.nan}, "INVALID_TEXT", "rate"),
        ({"text": "hi", "rate": 0.0}, "INVALID_TEXT", "rate"),
        ({"text": "hi", "rate": math.inf}, "INVALID_TEXT", "rate"),
        ({"text": "hi", "language": "xx"}, "NO_VOICE", "language"),
        ({"text": "hi", "voice": "../../../etc/passwd"}, "NO_VOICE", "voice"),
    ],
)
def test_hostile_goals_end_with_a_typed_error(live, text, fields, code: str, words: str) -> None:
    ending = live.send(Say, names.SAY, None, **fields).wait(LIMIT_S)
    assert ending.status == GoalStatus.STATUS_ABORTED
    assert ending.result.error_code == getattr(Say.Result, code)
    assert words in ending.result.error_msg
    if code == "NO_VOICE":
        live.until(lambda: "".join(chunk.text for chunk in text) == "hi", "the words go out as text")


def test_without_espeak_the_code_says_so_and_the_words_go_out_as_text(
    live, gateway, text, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ending = say(live, "I am here. 我在这里。").wait(LIMIT_S)
    assert ending.result.error_code == Say.Result.NO_VOICE
    assert "install espeak-ng" in ending.result.error_msg
    live.until(lambda: any(chunk.is_final for chunk in text), "the words are out")
    assert "".join(chunk.text for chunk in text) == "I am here. 我在这里。"


def test_words_that_ask_for_it_are_spoken_sentence_by_sentence(live, sound, text) -> None:
    words = live.publisher(TextChunk, names.TEXT_IN, qos.stream())
    for sequence, piece in enumerate(("I am at the ", "sofa. Where is", " the cup?")):
        words.publish(
            TextChunk(
                stream_id="spoken", sequence=sequence, text=piece, language="en", is_final=sequence == 2
            )
        )
    live.until(lambda: sound, "it speaks")
    sound.clear()
    words.publish(TextChunk(stream_id="mute", text="Only to be read.", speak=False, is_final=True))
    words.publish(TextChunk(stream_id="status", text="Working.", kind=TextChunk.KIND_STATUS, is_final=True))
    live.until(
        lambda: {chunk.stream_id for chunk in text} == {"spoken", "mute", "status"}, "all words are out"
    )


def test_a_piece_of_a_stream_waits_for_the_end_of_its_sentence(live, gateway, monkeypatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(
        gateway._speech._sentences, "put_nowait", lambda utterance: heard.append(utterance.text)
    )
    for sequence, (piece, after) in enumerate(
        (
            ("I am at", []),
            (" the sofa. Where", ["I am at the sofa."]),
            (" is it? ", ["I am at the sofa."]),
            ("Ah.", ["I am at the sofa.", "Where is it?"]),
        )
    ):
        gateway._speech.on_words(TextChunk(stream_id="s", sequence=sequence, text=piece))
        assert heard == after
    gateway._speech.on_words(TextChunk(stream_id="s", sequence=4, text="", is_final=True))
    assert heard == ["I am at the sofa.", "Where is it?", "Ah."]
