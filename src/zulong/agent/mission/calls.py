"""The skill calls of a mission that are under way in this process, kept in line with what the thread asks for."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zulong.agent.approval import ApprovalDesk, approval_needed
from zulong.agent.codes import SkillCode
from zulong.agent.mission.state import MissionConfig
from zulong.agent.skills import SkillCall, SkillExecutor, SkillHandle, SkillResult, plain_result

logger = logging.getLogger(__name__)

_FOREVER = float("inf")


@dataclass(slots=True)
class _Entry:
    """One call: waiting for its time or for approval, under way, being canceled, or ended.

    ``inherited`` ones were wanted before this process began, so an earlier one may have made them; ``withheld``
    ones must not begin, because it is being decided whether they are wanted any longer.
    """

    call: SkillCall
    title: str
    not_before: float
    handle: SkillHandle | None = None
    request_id: str = ""
    approved: bool = False
    deadline: float = _FOREVER
    cancel_deadline: float = _FOREVER
    timed_out: bool = False
    result: SkillResult | None = None
    stale: bool = False
    inherited: bool = False
    withheld: bool = False
    extra: dict[str, Any] = field(default_factory=dict)


class Calls:
    """Starts, watches and cancels calls; every wait has a limit on the steady clock.

    Args:
        skills: carries the calls out.
        config: time limits and approval mode.
        desk: where approvals are asked for; None: what needs one is denied.
        wake: called from any thread when something happened.
        on_progress: called with (node id, fraction, sentence).
    """

    def __init__(
        self,
        skills: SkillExecutor,
        config: MissionConfig,
        desk: ApprovalDesk | None,
        wake: Callable[[], None],
        on_progress: Callable[[str, float, str], None],
    ) -> None:
        self._skills = skills
        self._config = config
        self._desk = desk
        self._wake = wake
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}
        self._recall = getattr(skills, "recall", None)
        self._inherits = False
        self._starting = True

    def inherit(self) -> None:
        """What is wanted next may have been begun by an earlier process; nothing of it is made unseen."""
        self._inherits = True

    @property
    def waiting_for_approval(self) -> bool:
        """True when some call waits for a person's yes."""
        return any(entry.request_id and not entry.approved for entry in self._entries.values())

    def reconcile(self, wanted: Sequence[Mapping[str, Any]], thread_id: str) -> None:
        """Take up calls that are new, and let go of those that are wanted no more."""
        keys = {str(call["key"]) for call in wanted}
        now = time.monotonic()
        for key, entry in list(self._entries.items()):
            if key not in keys:
                entry.stale = True
                self._cancel(entry, now)
                if entry.result is not None or entry.handle is None:
                    del self._entries[key]
        for call in wanted:
            if str(call["key"]) in self._entries:
                self._entries[str(call["key"])].withheld = False
            else:
                entry = self._entries[str(call["key"])] = self._entry(call, thread_id, now)
                entry.inherited = self._inherits
                if entry.inherited and self._recall is not None:
                    entry.result = self._recall(entry.call)
        self._inherits = False

    def advance(self, *, may_start: bool) -> None:
        """Start what may start, and end what is out of time."""
        now = time.monotonic()
        settling = any(entry.stale for entry in self._entries.values())
        self._starting = may_start and not settling
        for key, entry in list(self._entries.items()):
            if entry.stale and (entry.result is not None or now >= entry.cancel_deadline):
                del self._entries[key]
                continue
            if entry.handle is None and entry.result is None and self._starting:
                if now >= entry.not_before and not entry.withheld:
                    self._start(entry, now)
            elif entry.handle is not None and entry.result is None:
                self._watch(entry, now)

    def next_deadline(self) -> float:
        """Return when :meth:`advance` has something to do by itself, on the steady clock."""
        times = [_FOREVER]
        for entry in self._entries.values():
            if entry.result is None:
                times.append(min(entry.deadline, entry.cancel_deadline))
                waits = entry.handle is None and not entry.request_id and not entry.withheld
                if waits and self._starting:
                    times.append(entry.not_before)
        return min(times)

    def take_results(self) -> dict[str, dict[str, Any]]:
        """Return, once, the results that have come, by node id."""
        results: dict[str, dict[str, Any]] = {}
        with self._lock:
            for key, entry in list(self._entries.items()):
                if entry.result is not None:
                    del self._entries[key]
                    if not entry.stale:
                        result = replace(entry.result, result=plain_result(entry.result.result))
                        results[entry.call.task_node_id] = result.to_dict()
        return results

    def cancel_all(self) -> None:
        """Ask every call to stop."""
        now = time.monotonic()
        for entry in self._entries.values():
            self._cancel(entry, now)

    def cancel_some(self, node_ids: Collection[str]) -> set[str]:
        """Ask those calls of some nodes to stop that are under way, and return their nodes."""
        now = time.monotonic()
        asked = set()
        for entry in self._entries.values():
            if entry.call.task_node_id in node_ids and entry.handle is not None and entry.result is None:
                asked.add(entry.call.task_node_id)
                self._cancel(entry, now)
        return asked

    def withdraw(self, node_ids: Collection[str]) -> set[str]:
        """Let no call of some nodes begin until the next :meth:`reconcile`, and ask those under way to stop.

        Returns the nodes of calls that have yet to come to rest.
        """
        now = time.monotonic()
        for entry in self._entries.values():
            if entry.call.task_node_id in node_ids and entry.handle is None:
                if self._may_have_begun(entry):
                    self._start(entry, now)
                else:
                    entry.withheld = True
        return self.cancel_some(node_ids)

    def _may_have_begun(self, entry: _Entry) -> bool:
        """Return whether only its performer can say what an earlier process made of a call."""
        if (
            not entry.inherited
            or self._recall is not None
            or entry.handle is not None
            or entry.result is not None
        ):
            return False
        profile = self._skills.profile(entry.call.skill)
        return profile is not None and not approval_needed(self._config.approval, profile)

    def at_rest(self, node_ids: Collection[str]) -> bool:
        """Return whether no call of these nodes is under way."""
        entries = [e for e in self._entries.values() if e.call.task_node_id in node_ids and not e.stale]
        return all(entry.result is not None or entry.handle is None for entry in entries)

    @property
    def idle(self) -> bool:
        """True when nothing is under way."""
        return all(entry.result is not None or entry.handle is None for entry in self._entries.values())

    def drop_unstarted(self) -> None:
        """Forget calls that were never started, with their requests for approval."""
        for key, entry in list(self._entries.items()):
            if entry.handle is None and entry.result is None:
                if entry.request_id and self._desk is not None:
                    self._desk.withdraw(entry.request_id)
                del self._entries[key]

    def _entry(self, call: Mapping[str, Any], thread_id: str, now: float) -> _Entry:
        profile = self._skills.profile(str(call["skill"]))
        limit = profile.time_limit_s if profile is not None else None
        limit = self._config.skill_time_limit_s if limit is None else limit
        retries = max(0, int(call.get("attempt", 1)) - 1)
        pause = self._config.retry_pause_s * 2 ** (retries - 1) if retries else 0.0
        skill_call = SkillCall(
            skill=str(call["skill"]),
            arguments=dict(call["arguments"]),
            thread_id=thread_id,
            task_node_id=str(call["node_id"]),
            idempotency_key=str(call["key"]),
            time_limit_s=limit,
        )
        return _Entry(skill_call, str(call.get("title", "")), now + pause)

    def _start(self, entry: _Entry, now: float) -> None:
        profile = self._skills.profile(entry.call.skill)
        if profile is None:
            entry.result = SkillResult(
                SkillCode.UNKNOWN_SKILL, f"Nobody offers the skill {entry.call.skill}."
            )
            self._wake()
            return
        if not entry.approved and approval_needed(self._config.approval, profile):
            self._ask_approval(entry)
            return
        # The performer gets its own limit first; this one is for performers that never report.
        entry.deadline = now + (entry.call.time_limit_s or _FOREVER) + self._config.cancel_time_limit_s
        try:
            handle = self._skills.start(entry.call)
        except Exception as error:
            logger.exception("Starting skill %s failed.", entry.call.skill)
            handle = SkillHandle()
            handle.finish(
                SkillResult(SkillCode.INTERNAL, f"{entry.call.skill} could not be started: {error!r}.")
            )
        entry.handle = handle
        node_id = entry.call.task_node_id
        handle.on_progress(lambda fraction, message: self._on_progress(node_id, fraction, message))
        handle.on_done(lambda result: self._ended(entry, result))

    def _ask_approval(self, entry: _Entry) -> None:
        if entry.request_id:
            return
        if self._desk is None:
            self._decide(entry, False)
            return
        entry.request_id = "asking"
        entry.request_id = self._desk.ask(
            entry.call.skill,
            entry.call.arguments,
            decide=lambda granted, _: self._decide(entry, granted),
            thread_id=entry.call.thread_id,
            task_node_id=entry.call.task_node_id,
            reason=entry.title,
            time_limit_s=self._config.approval_time_limit_s,
        )

    def _decide(self, entry: _Entry, granted: bool) -> None:
        if granted:
            entry.approved = True
        else:
            message = f"Nobody allowed {entry.call.skill}."
            entry.result = SkillResult(SkillCode.PRECONDITION_FAILED, message, {"denied": True})
        self._wake()

    def _ended(self, entry: _Entry, result: SkillResult) -> None:
        if entry.timed_out and result.code is SkillCode.CANCELED:
            result = SkillResult(SkillCode.TIMEOUT, f"{entry.call.skill} did not end within its time limit.")
        with self._lock:
            if entry.result is None:
                entry.result = result
        self._wake()

    def _watch(self, entry: _Entry, now: float) -> None:
        if now >= entry.deadline and not entry.timed_out:
            entry.timed_out = True
            self._cancel(entry, now)
        if now >= entry.cancel_deadline and entry.result is None:
            # A performer that does not answer its cancel may still be at it: nobody knows what becomes of it.
            code = SkillCode.TIMEOUT if entry.timed_out else SkillCode.OUTCOME_UNKNOWN
            limit = self._config.cancel_time_limit_s
            self._ended(
                entry, SkillResult(code, f"{entry.call.skill} did not come to rest within {limit:g} s.")
            )

    def _cancel(self, entry: _Entry, now: float) -> None:
        if entry.request_id and not entry.approved and self._desk is not None:
            self._desk.withdraw(entry.request_id)
        if entry.handle is None or entry.result is not None:
            return
        if entry.cancel_deadline == _FOREVER:
            entry.cancel_deadline = now + self._config.cancel_time_limit_s
        try:
            entry.handle.cancel()
        except Exception:
            logger.exception("Canceling skill %s failed.", entry.call.skill)
