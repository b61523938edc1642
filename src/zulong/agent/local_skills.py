"""Skills that are Python functions of this process, each call in a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from zulong.agent.codes import SkillCode
from zulong.agent.latch import CancelLatch
from zulong.agent.skills import SkillCall, SkillHandle, SkillProfile, SkillResult

logger = logging.getLogger(__name__)


class SkillError(Exception):
    """Raised by a skill function to fail with a code of its own.

    Args:
        code: what kind of failure; anything but SUCCEEDED.
        message: one sentence: what went wrong and what helps.

    Raises:
        ValueError: that is no code of a failure.
    """

    def __init__(self, code: SkillCode, message: str) -> None:
        if code not in SkillCode.__members__.values() or code == SkillCode.SUCCEEDED:
            raise ValueError(f"{code!r} is no code of a failed skill ({message}); use one of SkillCode.")
        self.code = SkillCode(code)
        super().__init__(message)


class SkillContext:
    """What a skill function gets beside its arguments.

    Attributes:
        call: the whole call, with its idempotency key.
        cancel: latch that asks the function to stop; it then raises ``SkillError(CANCELED)`` or returns.
    """

    def __init__(self, call: SkillCall, handle: SkillHandle) -> None:
        self.call = call
        self.cancel = CancelLatch()
        self._handle = handle

    def stop(self) -> None:
        """Ask the function to stop."""
        self.cancel.set("canceled")

    def report(self, progress: float, message: str = "") -> None:
        """Report progress, 0..1."""
        self._handle.report(progress, message)


SkillFunction = Callable[[Mapping[str, Any], SkillContext], "Mapping[str, Any] | None"]


class LocalSkills:
    """An executor over functions ``f(arguments, context) -> result``.

    The result is a dictionary of plain values, or None; anything else comes as ``{"result": it}``.

    A function that outlives its time limit is told to stop and its call ends with TIMEOUT at that moment;
    Python cannot end the thread, so a function should look at ``context.cancel``.
    """

    def __init__(self) -> None:
        self._skills: dict[str, tuple[SkillProfile, SkillFunction]] = {}

    def add(self, function: SkillFunction, profile: SkillProfile) -> None:
        """Offer a function as a skill; the same name replaces."""
        self._skills[profile.name] = (profile, function)

    def profile(self, skill: str) -> SkillProfile | None:
        """See :class:`zulong.agent.skills.SkillExecutor`."""
        entry = self._skills.get(skill)
        return entry[0] if entry else None

    def start(self, call: SkillCall) -> SkillHandle:
        """See :class:`zulong.agent.skills.SkillExecutor`."""
        handle = SkillHandle()
        entry = self._skills.get(call.skill)
        if entry is None:
            handle.finish(SkillResult(SkillCode.UNKNOWN_SKILL, f"No skill {call.skill!r} is offered here."))
            return handle
        context = SkillContext(call, handle)
        handle.on_cancel(context.stop)
        limit = call.time_limit_s if call.time_limit_s is not None else entry[0].time_limit_s
        if limit is not None:
            timer = threading.Timer(limit, _time_out, (handle, context, limit))
            timer.daemon = True
            timer.start()
            handle.on_done(lambda _: timer.cancel())
        thread = threading.Thread(target=_run, args=(entry[1], context, handle), daemon=True)
        thread.name = f"skill-{call.skill}"
        thread.start()
        return handle


def _time_out(handle: SkillHandle, context: SkillContext, limit: float) -> None:
    context.cancel.set("time limit")
    handle.finish(SkillResult(SkillCode.TIMEOUT, f"{context.call.skill} did not end within {limit:g} s."))


def _run(function: SkillFunction, context: SkillContext, handle: SkillHandle) -> None:
    try:
        result = function(context.call.arguments, context)
    except SkillError as error:
        handle.finish(SkillResult(error.code, str(error)))
    except BaseException as error:  # sys.exit() in a skill ends the skill, and its caller must hear of it
        logger.exception("Skill %s failed.", context.call.skill)
        handle.finish(SkillResult(SkillCode.INTERNAL, f"{context.call.skill} failed: {error!r}."))
    else:
        handle.finish(SkillResult(SkillCode.SUCCEEDED, result=_as_result(result)))


def _as_result(returned: Any) -> dict[str, Any]:
    """Return what a function gave as a result; what it did is done, so nothing it returns makes it fail."""
    if returned is None:
        return {}
    return dict(returned) if isinstance(returned, Mapping) else {"result": returned}
