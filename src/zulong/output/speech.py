"""Words to sound: sentences, voices, and the espeak-ng engine that needs no model and no network."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

SLOWEST, FASTEST = 0.25, 4.0
"""Bounds of the speed, as multiples of the voice's own."""
_SENTENCE_CHARS = 300
_WORDS_PER_MINUTE = 170.0  # espeak's own speed
_POLL_S = 0.05
_VOICES_LIMIT_S = 20.0
_SAMPLE_BYTES = 2
_END = re.compile(r"(?<=[.!?;…])\s+|(?<=[。！？；])\s*|\n+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_BREAKS = " ,，、:："


class SpeechError(RuntimeError):
    """Words could not be made into sound; the message says why and what helps."""


class NoVoiceError(SpeechError):
    """There is no speech engine, or it has no such voice or language."""


@dataclass(slots=True, frozen=True)
class Sound:
    """Speech: ``pcm`` holds signed 16-bit little-endian samples of one channel at ``rate_hz``."""

    pcm: bytes
    rate_hz: int

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.pcm) / _SAMPLE_BYTES / self.rate_hz

    def pieces(self, piece_s: float) -> Iterator[bytes]:
        """Yield the samples in pieces of ``piece_s``, the last one shorter."""
        step = max(1, round(piece_s * self.rate_hz)) * _SAMPLE_BYTES
        for start in range(0, len(self.pcm), step):
            yield self.pcm[start : start + step]


class SpeechEngine(Protocol):
    """Something that speaks. Safe from any thread."""

    def voice_for(self, language: str, voice: str) -> str:
        """Return the engine's own name of the voice that is meant; empty ``voice``: the language's default.

        Raises:
            NoVoiceError: there is none.
        """
        ...

    def synthesise(self, text: str, voice: str, rate: float, canceled: Callable[[], bool]) -> Sound | None:
        """Return one sentence as sound, or None once ``canceled()`` is true.

        Args:
            voice: what ``voice_for`` returned.
            rate: speed, 1.0 is the voice's own.

        Raises:
            SpeechError: the engine failed or took too long.
        """
        ...


def spoken_language(text: str) -> str:
    """Return the language to read a text in, by its script: ``zh`` where Chinese prevails, else ``en``."""
    return "zh" if len(_CHINESE.findall(text)) > len(_LATIN_WORD.findall(text)) else "en"


def speakable(text: str) -> str:
    """Return a text without control characters; empty when nothing in it can be spoken."""
    clean = _CONTROL.sub(" ", text).strip()
    return clean if any(letter.isalnum() for letter in clean) else ""


def sentences(text: str, most_characters: int = _SENTENCE_CHARS) -> list[str]:
    """Split a text into what is spoken in one breath; longer sentences are cut between words."""
    found: list[str] = []
    for sentence in _END.split(text):
        rest = sentence.strip()
        while len(rest) > most_characters:
            cut = max(rest.rfind(mark, 1, most_characters) for mark in _BREAKS)
            cut = cut + 1 if cut > 0 else most_characters
            found.append(rest[:cut].strip())
            rest = rest[cut:].strip()
        if rest:
            found.append(rest)
    return [each for each in found if speakable(each)]


@dataclass(slots=True, frozen=True)
class _Voice:
    file: str
    names: frozenset[str]
    languages: dict[str, int]  # code -> rank, the lower the better


class EspeakEngine:
    """The program espeak-ng, run once a sentence without a shell; the words go in over its standard input.

    Args:
        program: its path; None: looked for at each call, so that installing it needs no restart.
        limit_s: longest time for one sentence.
    """

    def __init__(self, program: str | None = None, limit_s: float = 30.0) -> None:
        self._program = program
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._voices: list[_Voice] = []

    def voice_for(self, language: str, voice: str) -> str:
        """See :class:`SpeechEngine`."""
        voices = self._known_voices()
        if voice:
            wanted = voice.casefold()
            found = next((each for each in voices if wanted in each.names), None)
            if found is None:
                raise NoVoiceError(f"espeak-ng has no voice {voice[:60]!r}; see espeak-ng --voices.")
            return found.file
        code = language.casefold()
        able = [
            (each.languages[code], number) for number, each in enumerate(voices) if code in each.languages
        ]
        if not able:
            raise NoVoiceError(
                f"espeak-ng has no voice for the language {language[:20]!r}; see espeak-ng --voices."
            )
        return voices[min(able)[1]].file

    def synthesise(self, text: str, voice: str, rate: float, canceled: Callable[[], bool]) -> Sound | None:
        """See :class:`SpeechEngine`."""
        speed = round(_WORDS_PER_MINUTE * min(max(rate, SLOWEST), FASTEST))
        # Two opening brackets would begin espeak's phoneme notation.
        words = speakable(text).replace("[[", "[ [")
        command = ["--stdin", "--stdout", "-b", "1", "-v", voice, "-s", str(speed)]
        output = self._run(command, words.encode("utf-8", "replace"), self._limit_s, canceled)
        return None if output is None else _from_wav(output)

    def _find(self) -> str:
        program = self._program or shutil.which("espeak-ng")
        if program is None:
            raise NoVoiceError("There is no speech engine: install espeak-ng (apt install espeak-ng).")
        return program

    def _known_voices(self) -> list[_Voice]:
        self._find()
        with self._lock:
            if not self._voices:
                listing = self._run(["--voices"], b"", _VOICES_LIMIT_S, lambda: False) or b""
                self._voices = _parse_voices(listing.decode("utf-8", "replace"))
            return self._voices

    def _run(
        self, arguments: list[str], words: bytes, limit_s: float, canceled: Callable[[], bool]
    ) -> bytes | None:
        deadline = time.monotonic() + limit_s
        try:
            process = subprocess.Popen(
                [self._find(), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise SpeechError(f"espeak-ng cannot be started: {error}.") from error
        pending: bytes | None = words
        try:
            while True:
                try:
                    output, _ = process.communicate(pending, timeout=_POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    pending = None  # it is kept by the process object
                if canceled():
                    return None
                if time.monotonic() > deadline:
                    raise SpeechError(f"espeak-ng did not end within {limit_s:g} s and was stopped.")
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        if process.returncode != 0:
            raise SpeechError(f"espeak-ng ended with status {process.returncode}.")
        return output


def _parse_voices(listing: str) -> list[_Voice]:
    """Read the table of ``espeak-ng --voices``; voices that need mbrola are left out."""
    voices: list[_Voice] = []
    for line in listing.splitlines()[1:]:
        columns = line.split(None, 5)
        if len(columns) < 5 or columns[4].startswith("mb/"):
            continue
        rank, code, _, name, file = columns[:5]
        languages = {other: int(place) for other, place in re.findall(r"\((\S+) (\d+)\)", line)}
        languages.setdefault(code.casefold(), int(rank) if rank.isdigit() else 9)
        voices.append(_Voice(file, frozenset({name.casefold(), code.casefold(), file.casefold()}), languages))
    return voices


def _from_wav(data: bytes) -> Sound:
    """Read a WAV file that was written to a pipe: its lengths are unknown when its header goes out."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise SpeechError("espeak-ng gave no sound.")
    at, rate_hz = 12, 0
    while at + 8 <= len(data):
        kind, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if kind == b"fmt ":
            form, channels, rate_hz, _, _, bits = struct.unpack_from("<HHIIHH", data, at + 8)
            if (form, channels, bits) != (1, 1, 16):
                raise SpeechError("espeak-ng gave sound in another form than 16-bit mono.")
        elif kind == b"data" and rate_hz:
            pcm = data[at + 8 : at + 8 + size]
            return Sound(pcm[: len(pcm) // _SAMPLE_BYTES * _SAMPLE_BYTES], rate_hz)
        at += 8 + size
    raise SpeechError("espeak-ng gave no sound.")
