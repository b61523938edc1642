"""Words to sound: sentences, voices, espeak-ng as a program that may be missing, slow or broken."""

from __future__ import annotations

import shutil
import stat
import threading
from pathlib import Path

import pytest

from zulong.output.playback import AlsaPlayer, PlaybackError
from zulong.output.speech import (
    EspeakEngine,
    NoVoiceError,
    SpeechError,
    sentences,
    speakable,
    spoken_language,
)

needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")


def program(folder: Path, name: str, script: str) -> str:
    """Make an executable shell script."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I am here. Where are you?", ["I am here.", "Where are you?"]),
        ("红色的杯子在厨房。我去拿！", ["红色的杯子在厨房。", "我去拿！"]),
        ("It is 3.5 m away.", ["It is 3.5 m away."]),
        ("... !! ", []),
        ("", []),
        ("one\n\ntwo", ["one", "two"]),
    ],
)
def test_a_text_is_spoken_sentence_by_sentence(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_a_sentence_without_end_is_cut_between_words_and_nothing_is_lost() -> None:
    text = "word " * 500
    parts = sentences(text)
    assert max(map(len, parts)) <= 300
    assert " ".join(parts).split() == text.split()
    assert "".join(sentences("x" * 1000)) == "x" * 1000


def test_what_cannot_be_spoken_is_known_before() -> None:
    assert speakable("\x00\x07 ?! \n") == ""
    assert speakable("a\x00b") == "a b"
    assert [spoken_language(text) for text in ("red cup", "红色的杯子", "把 cup 拿来", "?")] == [
        "en",
        "zh",
        "zh",
        "en",
    ]


@needs_espeak
@pytest.mark.feature("RB-08")
@pytest.mark.parametrize(("language", "text"), [("en", "I bring the red cup."), ("zh", "红色的杯子在厨房。")])
def test_espeak_speaks_both_languages(language: str, text: str) -> None:
    engine = EspeakEngine()
    sound = engine.synthesise(text, engine.voice_for(language, ""), 1.0, lambda: False)
    assert sound is not None
    assert 0.5 < sound.duration_s < 10.0
    assert any(sound.pcm)
    assert b"".join(sound.pieces(0.05)) == sound.pcm
    faster = engine.synthesise(text, engine.voice_for(language, ""), 2.0, lambda: False)
    assert faster is not None
    assert faster.duration_s < 0.8 * sound.duration_s


@needs_espeak
def test_text_cannot_give_espeak_options_or_phonemes() -> None:
    engine = EspeakEngine()
    voice = engine.voice_for("en", "")
    plain = engine.synthesise("version", voice, 1.0, lambda: False)
    option = engine.synthesise("--version", voice, 1.0, lambda: False)
    phonemes = engine.synthesise("[[h@l'oU h@l'oU h@l'oU]]", voice, 1.0, lambda: False)
    assert plain is not None
    assert option is not None
    assert option.duration_s > 0.2
    assert phonemes is not None


@needs_espeak
@pytest.mark.parametrize(
    ("language", "voice"), [("xx", ""), ("", ""), ("en", "nobody"), ("en", "../../etc/passwd")]
)
def test_an_unknown_voice_or_language_is_named(language: str, voice: str) -> None:
    with pytest.raises(NoVoiceError, match=r"espeak-ng --voices"):
        EspeakEngine().voice_for(language, voice)


def test_without_espeak_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoVoiceError, match="install espeak-ng"):
        EspeakEngine().voice_for("en", "")


def test_an_engine_that_hangs_fails_or_talks_nonsense_is_an_error(tmp_path: Path) -> None:
    hung = EspeakEngine(program(tmp_path, "hung", "exec sleep 60"), limit_s=0.2)
    with pytest.raises(SpeechError, match="did not end within"):
        hung.synthesise("words", "en", 1.0, lambda: False)
    with pytest.raises(SpeechError, match="status 3"):
        EspeakEngine(program(tmp_path, "failing", "exit 3")).synthesise("words", "en", 1.0, lambda: False)
    with pytest.raises(SpeechError, match="no sound"):
        EspeakEngine(program(tmp_path, "silent", "echo RIFF")).synthesise("words", "en", 1.0, lambda: False)
    with pytest.raises(SpeechError, match="cannot be started"):
        EspeakEngine(str(tmp_path / "missing")).synthesise("words", "en", 1.0, lambda: False)


def test_a_cancel_ends_the_program_at_once(tmp_path: Path) -> None:
    canceled = threading.Event()
    engine = EspeakEngine(
        program(tmp_path, "slow", f"echo $$ > {tmp_path}/pid; exec sleep 600"), limit_s=60.0
    )
    threading.Timer(0.2, canceled.set).start()
    assert engine.synthesise("words", "en", 1.0, canceled.is_set) is None


@pytest.fixture
def aplay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of aplay that writes down its arguments and what it gets."""
    program(tmp_path, "aplay", f'echo "$@" > {tmp_path}/arguments; exec cat > {tmp_path}/sound')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def test_a_device_gets_all_of_the_sound(aplay: Path) -> None:
    player = AlsaPlayer("plughw:1,0")
    for number in range(20):
        player.play(bytes([number]) * 1000, 22050)
    player.finish()
    assert (aplay / "sound").read_bytes() == b"".join(bytes([number]) * 1000 for number in range(20))
    assert (aplay / "arguments").read_text().split()[:3] == ["-q", "-D", "plughw:1,0"]


def test_a_device_that_takes_nothing_or_is_missing_is_an_error_and_never_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PlaybackError, match="install alsa-utils"):
        AlsaPlayer("default").play(b"\0\0", 22050)
    program(tmp_path, "aplay", "exec /bin/sleep 600")
    player = AlsaPlayer("default")

    def flood() -> None:
        for _ in range(100):  # the pipe holds 64 KiB
            player.play(bytes(2000), 22050)

    with pytest.raises(PlaybackError, match="does not play"):
        flood()
    player.play(bytes(2000), 22050)  # a new try
    player.hush()
    player.hush()
