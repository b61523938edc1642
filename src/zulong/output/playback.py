"""Sound to a loudspeaker of this machine, through ALSA's aplay."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading

_END_S = 2.0


class PlaybackError(RuntimeError):
    """The sound device does not take sound; the message says what to look at."""


class AlsaPlayer:
    """Pipes samples to ``aplay``. No call waits for the device, so a hung one cannot hold up a stop.

    Args:
        device: name of the ALSA device, for instance ``default`` or ``plughw:1,0`` (see aplay -L).
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._rate_hz = 0

    def play(self, pcm: bytes, rate_hz: int) -> None:
        """Hand over signed 16-bit little-endian mono samples.

        Raises:
            PlaybackError: aplay is missing, ended, or takes no more samples.
        """
        with self._lock:
            if self._process is not None and rate_hz != self._rate_hz:
                self._end(self._release())
            if self._process is None:
                self._start(rate_hz)
            try:
                taken = os.write(self._pipe, pcm)
                reason = "" if taken == len(pcm) else "it takes no more sound"
            except OSError as error:  # a full pipe, or a program that ended
                reason = error.strerror or "it ended"
            if reason:
                self._end(self._release())
                raise PlaybackError(
                    f"The sound device {self._device!r} does not play ({reason}); see aplay -L."
                )

    def hush(self) -> None:
        """Be silent at once: what the device has not played yet is dropped."""
        with self._lock:
            self._end(self._release())

    def finish(self) -> None:
        """Let what was handed over be played to its end, at most two seconds, and let the device go."""
        with self._lock:
            process = self._release()
        if process is None:
            return
        try:
            process.wait(_END_S)  # its pipe is closed: it ends by itself
        except subprocess.TimeoutExpired:
            pass
        self._end(process)

    def _start(self, rate_hz: int) -> None:
        program = shutil.which("aplay")
        if program is None:
            raise PlaybackError("There is no aplay to play sound with: install alsa-utils.")
        form = ["-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(rate_hz)]
        ours, theirs = os.pipe2(os.O_CLOEXEC)[::-1]
        try:
            self._process = subprocess.Popen(
                [program, "-q", "-D", self._device, *form, "-"],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            os.close(ours)
            raise PlaybackError(f"aplay cannot be started: {error}.") from error
        finally:
            os.close(theirs)
        os.set_blocking(ours, False)
        self._pipe, self._rate_hz = ours, rate_hz

    def _release(self) -> subprocess.Popen[bytes] | None:
        """Close the pipe and return the program that plays, None if none does."""
        process, self._process = self._process, None
        if process is not None:
            os.close(self._pipe)
        return process

    @staticmethod
    def _end(process: subprocess.Popen[bytes] | None) -> None:
        if process is not None:
            process.kill()
            process.wait()
