from __future__ import annotations

import pytest

from zulong.scheduler import Attention, Gatekeeper, Intent, Priority


@pytest.mark.feature("RB-05")
@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("stop", Intent.STOP),
        ("Please stop!", Intent.STOP),
        ("robot, stop right now", Intent.STOP),
        ("Zulong stop", Intent.STOP),
        ("停", Intent.STOP),
        ("停下来！", Intent.STOP),
        ("祖龙，别动", Intent.STOP),
        ("紧急停止", Intent.STOP),
        ("cancel that", Intent.STOP),
        ("暂停一下", Intent.PAUSE),
        ("hold on", Intent.PAUSE),
        ("continue", Intent.RESUME),
        ("继续", Intent.RESUME),
        ("go to sleep", Intent.SILENCE),
        ("安静", Intent.SILENCE),
        ("where is the red cup?", Intent.QUESTION),
        ("红色的杯子在哪里？", Intent.QUESTION),
        ("bring the red cup to the kitchen", Intent.COMMAND),
        ("把红色的杯子拿到厨房", Intent.COMMAND),
        ("go to the bus stop", Intent.COMMAND),
        ("continue to the kitchen then find a fruit", Intent.COMMAND),
        ("zulong", Intent.WAKE),
    ],
)
def test_intents(text: str, intent: Intent) -> None:
    assert Gatekeeper().intent_of(text) is intent


@pytest.mark.feature("RB-05")
def test_a_stop_passes_in_silence_and_in_every_cool_down() -> None:
    gate = Gatekeeper()
    gate.attention = Attention.SILENT
    for now in (0.0, 0.01, 0.02, 0.03):
        ruling = gate.rule("stop", now)
        assert ruling.admitted
        assert ruling.priority is Priority.CRITICAL


@pytest.mark.feature("RB-05")
def test_silence_holds_words_back_until_the_wake_word() -> None:
    gate = Gatekeeper()
    assert gate.rule("go to sleep", 0.0).admitted
    assert gate.attention is Attention.SILENT
    assert not gate.rule("bring me a cola", 10.0).admitted
    assert gate.rule("zulong, bring me a cola", 20.0).admitted
    assert gate.attention is Attention.ACTIVE


@pytest.mark.feature("RB-05")
def test_an_echo_is_refused_and_passes_again_later() -> None:
    gate = Gatekeeper(cool_down_s=1.0)
    assert gate.rule("bring me a cola", 0.0).admitted
    assert not gate.rule("bring me a cola", 0.5).admitted
    assert gate.rule("bring me a cola", 2.0).admitted
    assert not gate.rule("   ", 3.0).admitted


@pytest.mark.parametrize(
    "piece", ["[", " ", ".", "x", "1", "停 ", "请", "?", "? ", "hey ", "please ", "please-", "🙂"]
)
def test_a_flood_of_anything_is_ruled_on_in_proportion_to_its_length(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    for words in (text, text + "a", "wait" + text):
        Gatekeeper().rule(words, 1.0)  # a pattern that tries every split would take hours
