"""How the agent gets a skill done: a call goes to an executor, which answers through a handle."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from zulong.agent.codes import SkillCode

logger = logging.getLogger(__name__)

_LONGEST_REPR = 2000

Approval = Literal["never", "risky", "always"]
WhenFrozen = Literal["leave", "cancel"]


@dataclass(slots=True, frozen=True)
class SkillProfile:
    """What is known of a skill before it is called (the message ``SkillInfo``).

    Attributes:
        name: the skill's name.
        description: one sentence that a model or a person can choose by.
        arguments_schema: JSON schema of its arguments.
        approval: whether a person must say yes first: never, risky (when it may do harm) or always.
        has_side_effects: it changes the world, so it must not run twice for one key.
        moves_base: only one such skill runs at a time.
        uses_arm: only one such skill runs at a time.
        when_frozen: what the loop does with a call under way when a reflex freezes the task: ``leave`` it to the
            reflex and await its result, or ``cancel`` it and make it anew when the task goes on.
        time_limit_s: longest time until its result; the caller gives up then. None: the executor's default.
    """

    name: str
    description: str = ""
    arguments_schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"})
    approval: Approval = "never"
    has_side_effects: bool = True
    moves_base: bool = False
    uses_arm: bool = False
    time_limit_s: float | None = None
    when_frozen: WhenFrozen = "leave"


@dataclass(slots=True, frozen=True)
class SkillCall:
    """One call of a skill.

    Attributes:
        skill: name of the skill.
        arguments: its arguments, plain values.
        thread_id: the task thread that calls.
        task_node_id: the leaf that is carried out.
        idempotency_key: same key, same side effect; stays the same over restarts of the caller, and changes
            when the caller wants the skill done anew.
        time_limit_s: longest time until the result, on the steady clock.
    """

    skill: str
    arguments: Mapping[str, Any]
    thread_id: str
    task_node_id: str
    idempotency_key: str
    time_limit_s: float | None = None


@dataclass(slots=True, frozen=True)
class SkillResult:
    """How a call ended.

    Attributes:
        code: what kind of end it was.
        message: one sentence: what went wrong and what helps; empty on success.
        result: what the skill brought, plain values.
        replayed: it is the stored result of an earlier call with the same key.
    """

    code: SkillCode
    message: str = ""
    result: Mapping[str, Any] = field(default_factory=dict)
    replayed: bool = False

    @property
    def succeeded(self) -> bool:
        """True when the code is SUCCEEDED."""
        return self.code is SkillCode.SUCCEEDED

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {
            "code": int(self.code),
            "message": self.message,
            "result": plain_result(self.result),
            "replayed": self.replayed,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> SkillResult:
        """Read what :meth:`to_dict` wrote."""
        return cls(
            SkillCode(plain["code"]),
            plain.get("message", ""),
            plain.get("result") or {},
            bool(plain.get("replayed")),
        )


def plain_result(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a skill brought as it can be kept and sent: what JSON cannot say is put into words.

    Whatever a performer returns, its deed is done; so this refuses nothing.
    """
    from zulong.agent.chat.characters import well_formed_value

    try:
        plain = json.loads(json.dumps({str(key): value for key, value in result.items()}, default=str))
    except (TypeError, ValueError, RecursionError):  # circles, keys that are no text, nested without end
        plain = {"result": repr(result)[:_LONGEST_REPR]}
    return dict(well_formed_value(plain))


DoneCallback = Callable[[SkillResult], None]
ProgressCallback = Callable[[float, str], None]


class SkillHandle:
    """A call under way. The executor ends it with :meth:`finish`; the caller may ask for :meth:`cancel`.

    Thread-safe. The first result counts, later ones are ignored, so that a performer and a watchdog may race.

    Args:
        cancel: asks the performer to stop; its result (usually CANCELED) still has to come.
    """

    def __init__(self, cancel: Callable[[], None] | None = None) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._result: SkillResult | None = None
        self._done: list[DoneCallback] = []
        self._progress: list[ProgressCallback] = []
        self._reported: tuple[float, str] | None = None
        self._cancel = cancel
        self._cancel_asked = False

    @property
    def done(self) -> bool:
        """True once there is a result."""
        return self._ended.is_set()

    def result(self, timeout_s: float) -> SkillResult | None:
        """Wait for the result, at most ``timeout_s`` on the steady clock; None when it did not come."""
        return self._result if self._ended.wait(timeout_s) else None

    def cancel(self) -> None:
        """Ask the performer to stop, once; does not wait. Without effect after the end."""
        with self._lock:
            if self._cancel_asked or self._ended.is_set():
                return
            self._cancel_asked = True
            ask = self._cancel
        if ask is not None:
            ask()

    def on_cancel(self, ask: Callable[[], None]) -> None:
        """Set how the performer is asked to stop; called at once when that was asked for already.

        A ROS action's goal handle exists only after acceptance: set this then, and no cancel is lost.
        """
        with self._lock:
            self._cancel = ask
            asked = self._cancel_asked and not self._ended.is_set()
        if asked:
            ask()

    def on_done(self, callback: DoneCallback) -> None:
        """Call back with the result, from the thread that brings it; at once when it is there."""
        with self._lock:
            if self._result is None:
                self._done.append(callback)
                return
            result = self._result
        callback(result)

    def on_progress(self, callback: ProgressCallback) -> None:
        """Call back with (fraction 0..1, sentence) when the performer reports; at once with what it last said."""
        with self._lock:
            self._progress.append(callback)
            reported = self._reported
        if reported is not None:
            callback(*reported)

    def finish(self, result: SkillResult) -> bool:
        """Bring the result (executor's side); returns False when there was one already."""
        with self._lock:
            if self._result is not None:
                return False
            self._result = result
            self._ended.set()
            callbacks, self._done = self._done, []
        for callback in callbacks:
            try:
                callback(result)
            except Exception:
                logger.exception("A listener of a skill's result failed.")
        return True

    def report(self, progress: float, message: str = "") -> None:
        """Report progress (executor's side)."""
        with self._lock:
            self._reported = (progress, message)
            callbacks = tuple(self._progress)
        for callback in callbacks:
            try:
                callback(progress, message)
            except Exception:
                logger.exception("A listener of a skill's progress failed.")


class SkillExecutor(Protocol):
    """Whoever carries skills out: ROS actions, threads of this process, a script in a test."""

    def profile(self, skill: str) -> SkillProfile | None:
        """Return what is known of a skill, None when nobody offers it."""

    def start(self, call: SkillCall) -> SkillHandle:
        """Begin a call and return at once. What goes wrong is a result, not an exception.

        A second call with the same idempotency key gives the result of the first, or joins it.
        """
