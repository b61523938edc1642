"""Runs skills as goals ask: arguments against the schema, one base and one arm, time limit, each key once."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from zulong.experts.ledger import Ledger, LedgerConflictError, LedgerError
from zulong.experts.robot import DeviceError, Robot
from zulong.experts.skill import CanceledError, CancelLatch, ErrorCode, Report, Run, Skill, SkillError

_MOST_ARGUMENT_BYTES = 64_000
_REST_LIMIT_S = 1.0


@dataclass(slots=True, frozen=True)
class Outcome:
    """How a goal ended: code, sentence (empty on success), result, and whether it is the recorded one."""

    code: ErrorCode
    message: str = ""
    result: Mapping[str, Any] = field(default_factory=dict)
    replayed: bool = False


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


class SkillRunner:
    """Carries out skills for several goals at once.

    Args:
        skills: what is offered.
        robot: shared by all runs.
        ledger: of side effects.
        fault: told about exceptions that no skill should let out.
    """

    def __init__(
        self,
        skills: Iterable[Skill],
        robot: Robot,
        ledger: Ledger,
        fault: Callable[[str, BaseException], None] = lambda where, error: None,
    ) -> None:
        self.skills = {skill.spec.name: skill for skill in skills}
        self._validators = {name: Draft202012Validator(s.spec.arguments) for name, s in self.skills.items()}
        self._robot = robot
        self._ledger = ledger
        self._fault = fault
        self._base, self._arm = threading.Lock(), threading.Lock()
        self._running: dict[str, threading.Event] = {}
        self._running_lock = threading.Lock()

    def execute(
        self, name: str, arguments_json: str, key: str, limit_s: float, latch: CancelLatch, report: Report
    ) -> Outcome:
        """Carry out one goal and return how it ended; never raises.

        Args:
            name: of the skill.
            arguments_json: JSON object; empty means {}.
            key: idempotency key; a repeat of a success brings its result again without acting. Empty: always acts.
            limit_s: longest time on the robot's clock; 0: the skill's own limit.
            latch: set it to cancel.
            report: gets progress.
        """
        try:
            return self._execute(name, arguments_json, key, limit_s, latch, report)
        except (SkillError, DeviceError) as error:
            if latch.is_set:
                # Whatever failed while it came to an end: the end was asked for.
                return Outcome(ErrorCode.CANCELED, str(CanceledError()))
            return Outcome(error.code if isinstance(error, SkillError) else ErrorCode.UNAVAILABLE, str(error))
        except LedgerConflictError as error:
            return Outcome(ErrorCode.INVALID_ARGUMENTS, str(error))
        except LedgerError as error:
            return Outcome(ErrorCode.UNAVAILABLE, str(error))
        except Exception as error:
            self._fault(name, error)
            return Outcome(ErrorCode.INTERNAL, f"The skill {name} failed unexpectedly: {error}.")

    def _execute(
        self, name: str, arguments_json: str, key: str, limit_s: float, latch: CancelLatch, report: Report
    ) -> Outcome:
        skill = self.skills.get(name)
        if skill is None:
            offered = ", ".join(sorted(self.skills))
            raise SkillError(ErrorCode.UNKNOWN_SKILL, f"There is no skill {name!r}; there are: {offered}.")
        arguments = self._arguments(name, arguments_json)
        deadline = self._robot.clock_s() + (limit_s if limit_s > 0 else skill.spec.limit_s)
        run = Run(self._robot, latch, deadline, report)
        canonical = json.dumps(arguments, sort_keys=True, ensure_ascii=False)
        with self._alone(key, run):
            if key:
                entry = self._ledger.get(key)
                if entry is not None and (entry.skill, entry.arguments_json) != (name, canonical):
                    raise LedgerConflictError(
                        f"The idempotency key {key!r} belongs to another goal; use a new key."
                    )
                if entry is not None and entry.result is not None:
                    return Outcome(ErrorCode.SUCCEEDED, "", entry.result, replayed=True)
                if entry is not None and skill.spec.has_side_effects:
                    settled = self._reconcile(skill, arguments, run, key)
                    if settled is not None:
                        return settled
            run.check()
            with self._resources(skill, run):
                if key:
                    self._ledger.begin(key, name, canonical)
                return self._act(skill, arguments, run, key)

    def _act(self, skill: Skill, arguments: Mapping[str, Any], run: Run, key: str) -> Outcome:
        try:
            result = skill.run(arguments, run)
        except SkillError as error:
            self._come_to_rest(skill)
            # A skill raises before its side effect or without it. Only a device that did not answer leaves doubt:
            # then the key stays begun, and a repeat looks at the world first.
            if key and not (skill.spec.has_side_effects and error.code is ErrorCode.UNAVAILABLE):
                self._ledger.drop(key)
            raise
        if key:
            self._ledger.finish(key, result)
        self._come_to_rest(skill)
        run.report(1.0, "Done.")
        return Outcome(ErrorCode.SUCCEEDED, "", result)

    def _come_to_rest(self, skill: Skill) -> None:
        """Whoever hears that a goal has ended may count on a base that stands."""
        if not skill.spec.moves_base:
            return
        self._robot.drive(0.0, 0.0)
        end = self._robot.clock_s() + _REST_LIMIT_S
        while not self._robot.at_rest() and self._robot.clock_s() < end:
            self._robot.sleep(0.02)

    def _reconcile(self, skill: Skill, arguments: Mapping[str, Any], run: Run, key: str) -> Outcome | None:
        """The key was begun by a process that died: look at the world before acting again."""
        look = getattr(skill, "reconcile", None)
        if look is None:
            raise SkillError(
                ErrorCode.OUTCOME_UNKNOWN,
                f"{skill.spec.name} was begun before with this key and its end is not known; look before repeating.",
            )
        result = look(arguments, run)
        if result is None:
            return None
        self._ledger.finish(key, result)
        return Outcome(ErrorCode.SUCCEEDED, "", result, replayed=True)

    def _arguments(self, name: str, arguments_json: str) -> dict[str, Any]:
        if len(arguments_json) > _MOST_ARGUMENT_BYTES:
            raise SkillError(
                ErrorCode.INVALID_ARGUMENTS, f"The arguments are longer than {_MOST_ARGUMENT_BYTES} bytes."
            )
        try:
            arguments = (
                json.loads(arguments_json, parse_constant=_no_number) if arguments_json.strip() else {}
            )
        except (ValueError, RecursionError) as error:
            raise SkillError(ErrorCode.INVALID_ARGUMENTS, f"arguments_json is not JSON: {error}.") from error
        if not isinstance(arguments, dict):
            raise SkillError(ErrorCode.INVALID_ARGUMENTS, "arguments_json must be a JSON object.")
        arguments = {k: v for k, v in arguments.items() if v is not None}
        for flaw in sorted(
            self._validators[name].iter_errors(arguments), key=lambda e: list(map(str, e.path))
        ):
            where = ".".join(map(str, flaw.path)) or "the arguments"
            raise SkillError(ErrorCode.INVALID_ARGUMENTS, f"{name}: {where}: {flaw.message[:300]}.")
        return arguments

    @contextmanager
    def _alone(self, key: str, run: Run) -> Iterator[None]:
        """One run a key at a time: a repeat waits for the first one's end and then finds its result."""
        if not key:
            yield
            return
        while True:
            with self._running_lock:
                other = self._running.get(key)
                if other is None:
                    self._running[key] = threading.Event()
                    break
            run.check()
            other.wait(0.05)
        try:
            yield
        finally:
            with self._running_lock:
                self._running.pop(key).set()

    @contextmanager
    def _resources(self, skill: Skill, run: Run) -> Iterator[None]:
        """Hold base and arm, always in this order; wait for them as long as the goal's time allows."""
        wanted = [
            lock
            for lock, needed in ((self._base, skill.spec.moves_base), (self._arm, skill.spec.uses_arm))
            if needed
        ]
        held: list[threading.Lock] = []
        try:
            for lock in wanted:
                self._acquire(lock, run)
                held.append(lock)
            yield
        finally:
            for lock in reversed(held):
                lock.release()

    def _acquire(self, lock: threading.Lock, run: Run) -> None:
        waited_from = time.monotonic()
        while not lock.acquire(timeout=0.05):
            if time.monotonic() - waited_from > 0.2:
                run.report(0.0, "Waiting for the base or the arm, which another goal uses.")
            try:
                run.check()
            except CanceledError:
                raise
            except SkillError as error:
                raise SkillError(
                    ErrorCode.BUSY, "Another goal used the base or the arm until the time limit."
                ) from error
