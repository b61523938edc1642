"""Chunks of any size, rate and channel count to mono 16 kHz frames of one size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16_000
FRAME_SAMPLES = 512

_ENCODINGS = {"pcm_s16le": (np.dtype("<i2"), 32768.0), "pcm_f32le": (np.dtype("<f4"), 1.0)}


class AudioFormatError(ValueError):
    """A chunk does not say truly what it holds."""


class FrameStream:
    """Joins chunks of one microphone into frames of 512 samples (32 ms), float32 in -1..1.

    Other rates are resampled by linear interpolation with its phase kept over chunk borders, which serves
    speech detection; a recogniser that needs better should be given 16 kHz by the driver.
    """

    def __init__(self) -> None:
        self._rest: NDArray[np.float32] = np.empty(0, np.float32)
        self._rate_hz = RATE_HZ
        self._phase = 0.0
        self._last = np.float32(0.0)

    def push(self, data: bytes, encoding: str, rate_hz: int, channels: int) -> Iterator[NDArray[np.float32]]:
        """Yield the frames that this chunk completes.

        Raises:
            AudioFormatError: unknown encoding, a rate outside 4-192 kHz, or a length that is no whole number of samples.
        """
        mono = self._mono(data, encoding, rate_hz, channels)
        self._rest = np.concatenate((self._rest, self._resample(mono, rate_hz)))
        count = len(self._rest) // FRAME_SAMPLES
        frames = self._rest[: count * FRAME_SAMPLES].reshape(count, FRAME_SAMPLES)
        self._rest = self._rest[count * FRAME_SAMPLES :].copy()
        yield from frames

    def reset(self) -> None:
        """Forget the unfinished frame, after a gap in the sound."""
        self._rest = np.empty(0, np.float32)
        self._phase, self._last = 0.0, np.float32(0.0)

    @staticmethod
    def _mono(data: bytes, encoding: str, rate_hz: int, channels: int) -> NDArray[np.float32]:
        if encoding not in _ENCODINGS:
            raise AudioFormatError(f"Unknown encoding {encoding!r}; known are {', '.join(_ENCODINGS)}.")
        if not 4_000 <= rate_hz <= 192_000:
            raise AudioFormatError(f"Sample rate {rate_hz} Hz is outside 4000 to 192000.")
        kind, scale = _ENCODINGS[encoding]
        if channels < 1 or len(data) % (kind.itemsize * channels):
            raise AudioFormatError(
                f"{len(data)} bytes are no whole number of {encoding} samples in {channels} channels."
            )
        samples = np.frombuffer(data, kind).astype(np.float32).reshape(-1, channels).mean(axis=1) / scale
        return np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)

    def _resample(self, mono: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
        if rate_hz != self._rate_hz:
            self.reset()
            self._rate_hz = rate_hz
        if rate_hz == RATE_HZ or not len(mono):
            return mono
        step = float(Fraction(rate_hz, RATE_HZ))
        known = np.concatenate(((self._last,), mono))  # index 0 is the last sample of the chunk before
        at = np.arange(self._phase, len(mono), step)
        self._phase = (at[-1] + step if len(at) else self._phase) - len(mono)
        self._last = mono[-1]
        return np.interp(at, np.arange(len(known)), known).astype(np.float32)
