"""One gate for all words: STOP drops, PAUSE holds, RESUME lets go, and nothing leaves twice."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any


class GateState(IntEnum):
    """The command that holds; the values are those of ``ControlOutput.srv``."""

    STOPPED = 0
    PAUSED = 1
    FLOWING = 2


@dataclass(slots=True, frozen=True)
class Words:
    """A piece of a stream. ``sequence`` counts up from 0 within ``stream_id``; ``source`` is what it came as."""

    stream_id: str
    sequence: int
    text: str
    is_final: bool = False
    source: Any = None


class UnknownStreamError(LookupError):
    """A command names a stream that never spoke."""


@dataclass(slots=True)
class _Stream:
    next_sequence: int = 0
    state: GateState = GateState.FLOWING
    held: deque[Words] = field(default_factory=deque)
    final: bool = False


class OutputGate:
    """Thread-safe. ``emit`` is called under the gate's lock, so that no word can overtake a stop.

    A stopped stream stays stopped. A stop of everything is latched: until RESUME not even a new stream
    speaks. Chunks of a stream leave in order of their sequence; one that was emitted or dropped before,
    or that comes late, is dropped.

    Args:
        emit: publishes one piece; must not block.
        most_held: pieces held in a pause, per stream; beyond that the stream is stopped rather than cut in its middle.
        most_streams: streams remembered; the oldest ended ones are forgotten first.
    """

    def __init__(
        self, emit: Callable[[Words], None], most_held: int = 10_000, most_streams: int = 1_000
    ) -> None:
        self._emit = emit
        self._most_held = most_held
        self._most_streams = most_streams
        self._streams: OrderedDict[str, _Stream] = OrderedDict()
        self._state = GateState.FLOWING
        self._lock = threading.Lock()

    @property
    def state(self) -> GateState:
        """The state that holds for all streams together."""
        return self._state

    def push(self, words: Words) -> bool:
        """Offer one piece. Returns True when it left or is held, False when it was dropped."""
        with self._lock:
            stream = self._stream(words.stream_id)
            if self._state is GateState.STOPPED:
                stream.state = GateState.STOPPED
            if stream.state is GateState.STOPPED or words.sequence < stream.next_sequence:
                return False
            stream.next_sequence = words.sequence + 1
            stream.final = stream.final or words.is_final
            if GateState.PAUSED in (self._state, stream.state):
                if len(stream.held) >= self._most_held:
                    stream.state = GateState.STOPPED
                    stream.held.clear()
                    return False
                stream.held.append(words)
                return True
            self._emit(words)
            return True

    @property
    def held(self) -> int:
        """How many pieces a pause holds back."""
        with self._lock:
            return sum(len(stream.held) for stream in self._streams.values())

    def through(self, stream_id: str, pass_on: Callable[[], None]) -> GateState:
        """Call ``pass_on`` if a stream flows, and return the state that holds for it.

        For what is no words, such as the sound of a stream: it is called under the lock, so that nothing of
        it comes after a stop. It must not block.
        """
        with self._lock:
            stream = self._stream(stream_id)
            if self._state is GateState.STOPPED:
                stream.state = GateState.STOPPED
            state = min(self._state, stream.state)
            if state is GateState.FLOWING:
                pass_on()
            return state

    def stop(self, stream_id: str = "") -> int:
        """Drop what is held and refuse the rest; returns how many pieces were dropped."""
        with self._lock:
            chosen = self._chosen(stream_id)
            if not stream_id:
                self._state = GateState.STOPPED
            dropped = 0
            for stream in chosen:
                dropped += len(stream.held)
                stream.held.clear()
                stream.state = GateState.STOPPED
            return dropped

    def pause(self, stream_id: str = "") -> None:
        """Hold back from now on; nothing is lost. A stop is not weakened to a pause."""
        with self._lock:
            chosen = self._chosen(stream_id)
            if not stream_id:
                if self._state is GateState.FLOWING:
                    self._state = GateState.PAUSED
                return
            for stream in chosen:
                if stream.state is GateState.FLOWING:
                    stream.state = GateState.PAUSED

    def resume(self, stream_id: str = "") -> None:
        """Let held pieces go in their order; stopped streams stay stopped."""
        with self._lock:
            chosen = self._chosen(stream_id)
            if not stream_id:
                self._state = GateState.FLOWING
            for stream in chosen:
                if stream.state is GateState.PAUSED:
                    stream.state = GateState.FLOWING
                if self._state is not GateState.FLOWING:
                    continue
                while stream.held:
                    self._emit(stream.held.popleft())

    def _chosen(self, stream_id: str) -> list[_Stream]:
        if not stream_id:
            return list(self._streams.values())
        if stream_id not in self._streams:
            raise UnknownStreamError(
                f"No stream {stream_id!r} has spoken; leave stream_id empty to command all."
            )
        return [self._streams[stream_id]]

    def _stream(self, stream_id: str) -> _Stream:
        stream = self._streams.get(stream_id)
        if stream is None:
            stream = self._streams[stream_id] = _Stream()
            self._forget_old()
        return stream

    def _forget_old(self) -> None:
        if len(self._streams) <= self._most_streams:
            return
        ended = (key for key, s in self._streams.items() if s.final or s.state is GateState.STOPPED)
        oldest = next(ended, None)
        if oldest is None:
            oldest = next(iter(self._streams))
        del self._streams[oldest]
