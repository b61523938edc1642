"""The ledger of side effects: what was begun and what came of it, so that nothing is done twice.

A performer writes "begun" before it touches the world and the result after. Found again with a result, a call
is answered from the ledger. Found begun without one (the power went in between), nobody knows: a skill
without side effects is simply run, for any other the answer is OUTCOME_UNKNOWN, or what its check finds out.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from zulong.agent.codes import SkillCode
from zulong.agent.skills import SkillCall, SkillExecutor, SkillHandle, SkillProfile, SkillResult

logger = logging.getLogger(__name__)


@dataclass(slots=True, frozen=True)
class LedgerEntry:
    """What the ledger holds of a key: begun, and the result once there is one."""

    key: str
    skill: str
    result: SkillResult | None


class EffectLedger(Protocol):
    """Where begun and finished calls are recorded; durable before a method returns."""

    def get(self, key: str) -> LedgerEntry | None:
        """Return the entry of a key, None when it was not begun."""

    def begin(self, key: str, skill: str) -> LedgerEntry | None:
        """Record that a call begins; returns the entry, and changes nothing, when the key is known."""

    def finish(self, key: str, result: SkillResult) -> None:
        """Record the result of a begun call; a second result is ignored."""

    def forget(self, key: str) -> None:
        """Remove a key, because it is known that nothing was done under it."""


class MemoryLedger:
    """A ledger that lives as long as the process; for tests and for skills without side effects."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, LedgerEntry] = {}

    def get(self, key: str) -> LedgerEntry | None:
        """See :class:`EffectLedger`."""
        with self._lock:
            return self._entries.get(key)

    def begin(self, key: str, skill: str) -> LedgerEntry | None:
        """See :class:`EffectLedger`."""
        with self._lock:
            known = self._entries.get(key)
            if known is None:
                self._entries[key] = LedgerEntry(key, skill, None)
            return known

    def finish(self, key: str, result: SkillResult) -> None:
        """See :class:`EffectLedger`."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and entry.result is None:
                self._entries[key] = LedgerEntry(key, entry.skill, result)

    def forget(self, key: str) -> None:
        """See :class:`EffectLedger`."""
        with self._lock:
            self._entries.pop(key, None)


class LmdbLedger:
    """A ledger on disk, one synced transaction an entry; several processes may share the folder.

    Args:
        path: folder of the ledger, made when missing.

    Raises:
        StorageError: the folder cannot be used, has no room, or holds no ledger
            (see :mod:`zulong.stategraph.checkpoint.errors`); so do the methods.
    """

    def __init__(self, path: str | Path) -> None:
        from zulong.stategraph.checkpoint.lmdb_environment import LmdbEnvironment

        self._environment = LmdbEnvironment.open(path)

    def get(self, key: str) -> LedgerEntry | None:
        """See :class:`EffectLedger`."""
        with self._environment.read() as transaction:
            raw = transaction.get(_key(key))
            return None if raw is None else _entry(key, bytes(raw))

    def begin(self, key: str, skill: str) -> LedgerEntry | None:
        """See :class:`EffectLedger`."""

        def write(transaction: Any) -> LedgerEntry | None:
            raw = transaction.get(_key(key))
            if raw is not None:
                return _entry(key, bytes(raw))
            transaction.put(_key(key), json.dumps({"skill": skill}).encode())
            return None

        return self._environment.write(write)

    def finish(self, key: str, result: SkillResult) -> None:
        """See :class:`EffectLedger`."""

        def write(transaction: Any) -> None:
            raw = transaction.get(_key(key))
            if raw is None or _entry(key, bytes(raw)).result is not None:
                return
            plain = {**json.loads(bytes(raw)), "result": result.to_dict()}
            transaction.put(_key(key), json.dumps(plain).encode())

        self._environment.write(write)

    def forget(self, key: str) -> None:
        """See :class:`EffectLedger`."""
        self._environment.write(lambda transaction: transaction.delete(_key(key)))

    def close(self) -> None:
        """Close the files; the ledger is unusable afterwards."""
        self._environment.close()


def _key(key: str) -> bytes:
    from hashlib import blake2b

    raw = key.encode("utf-8", "surrogatepass")
    # LMDB takes keys of at most 511 bytes; a longer one is named by its digest.
    return raw if 0 < len(raw) <= 400 else b"#" + blake2b(raw, digest_size=32).digest()


def _entry(key: str, raw: bytes) -> LedgerEntry:
    plain: dict[str, Any] = json.loads(raw)
    result = plain.get("result")
    return LedgerEntry(key, plain["skill"], None if result is None else SkillResult.from_dict(result))


Check = Callable[[SkillCall], "SkillResult | Literal[False] | None"]


class LedgeredSkills:
    """Any executor, made to do each side effect once by a ledger on the caller's side.

    For performers that keep no ledger themselves (a Nav2 action, a plain function).

    Args:
        skills: the executor that does the work.
        ledger: where begun and finished calls are recorded.
        check: looks at the world for a call that was begun and never ended: returns its result when it sees
            that the call was done, False when it sees that nothing was done (the call is then made), None
            when it cannot tell.
    """

    def __init__(self, skills: SkillExecutor, ledger: EffectLedger, check: Check | None = None) -> None:
        self._skills = skills
        self._ledger = ledger
        self._check = check
        self._lock = threading.Lock()
        self._running: dict[str, SkillHandle] = {}

    def profile(self, skill: str) -> SkillProfile | None:
        """See :class:`SkillExecutor`."""
        return self._skills.profile(skill)

    def recall(self, call: SkillCall) -> SkillResult | None:
        """Return what is known of a call that an earlier process may have made, and begin nothing.

        None: it was not begun, or nothing was done under it.
        """
        entry = self._ledger.get(call.idempotency_key) if call.idempotency_key else None
        return self._known(entry, call) if entry is not None else None

    def start(self, call: SkillCall) -> SkillHandle:
        """See :class:`SkillExecutor`."""
        key = call.idempotency_key
        if not key:
            return self._skills.start(call)
        with self._lock:
            running = self._running.get(key)
            if running is not None:
                return running
            entry = self._ledger.begin(key, call.skill)
            if entry is not None:
                known = self._known(entry, call)
                if known is not None:
                    handle = SkillHandle()
                    handle.finish(known)
                    return handle
            handle = self._running[key] = self._skills.start(call)
        handle.on_done(lambda result: self._end(key, result))
        return handle

    def _known(self, entry: LedgerEntry, call: SkillCall) -> SkillResult | None:
        """Return the answer for a key that was begun before, None when the call may simply run."""
        if entry.result is not None:
            result = entry.result
            return SkillResult(result.code, result.message, result.result, replayed=True)
        profile = self._skills.profile(call.skill)
        if profile is not None and not profile.has_side_effects:
            return None
        found = self._check(call) if self._check is not None else None
        if found is False:
            return None
        if found is not None:
            self._ledger.finish(call.idempotency_key, found)
            return found
        return SkillResult(
            SkillCode.OUTCOME_UNKNOWN,
            f"{call.skill} was begun before a restart and its end is not recorded; look before repeating it.",
        )

    def _end(self, key: str, result: SkillResult) -> None:
        try:
            self._ledger.finish(key, result)
        except Exception:
            # The deed is done and its result is on its way to the caller; only a later process has to ask.
            logger.exception("The end of %s could not be recorded; free its disk.", key)
            return  # a further call with the key joins this one as long as the process lives
        with self._lock:
            self._running.pop(key, None)
