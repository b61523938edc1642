"""What the loop's graph waits for, served by the thread that runs it: approvals, remote calls, the end of a freeze."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.loop.acceptance import look_again
from zulong.agent.loop.hold import Hold, Thaw
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.mission.calls import Calls
from zulong.agent.mission.state import MissionConfig
from zulong.agent.skills import SkillExecutor
from zulong.agent.surroundings import Decision, Surroundings, Verdict

# Compares the surroundings after a thaw; the arguments of calls under way matter as well.
Judge = Callable[[Thaw, Sequence[Mapping[str, Any]]], Verdict]


class Waiting:
    """Serves the interrupts of one run.

    Args:
        skills: carries out remote tools; None when there are none.
        desk: where approvals are asked for; None denies.
        settings: limits.
        thread_id: the thread.
        latch: ends every wait.
        hold: freezes and thaws.
        judge: decides after a thaw.
    """

    def __init__(
        self,
        skills: SkillExecutor | None,
        desk: ApprovalDesk | None,
        settings: LoopSettings,
        thread_id: str,
        latch: CancelLatch,
        hold: Hold,
        judge: Judge,
    ) -> None:
        self._skills = skills
        self._desk = desk
        self._settings = settings
        self._thread_id = thread_id
        self._latch = latch
        self._hold = hold
        self._judge = judge
        self._news = threading.Event()
        self._calls: Calls | None = None

    def serve(self, request: Mapping[str, Any], words: str = "") -> dict[str, Any]:
        """Return what a suspended node waits for.

        Args:
            request: the interrupt's value.
            words: what the user said when the thread was taken up again.
        """
        if request["kind"] == "approval":
            return self._approvals(request["calls"])
        withdraw = [self._latch.on_set(self._news.set), self._hold.on_change(self._news.set)]
        try:
            if request["kind"] == "frozen":
                return self._frozen(request, words)
            return self._results(request["calls"])
        finally:
            for call in withdraw:
                call()

    # -- approvals -----------------------------------------------------------------------------------------

    def _approvals(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
        if self._desk is None:
            return {}
        answers: dict[str, bool] = {}
        changed = threading.Event()
        withdraw = self._latch.on_set(changed.set)
        open_requests = []
        for call in calls:

            def decide(granted: bool, _: str, call_id: str = str(call["id"])) -> None:
                answers[call_id] = granted
                changed.set()

            open_requests.append(
                self._desk.ask(
                    str(call["name"]),
                    call["arguments"],
                    decide=decide,
                    thread_id=self._thread_id,
                    task_node_id=str(call["id"]),
                    time_limit_s=self._settings.approval_time_limit_s,
                )
            )
        limit = time.monotonic() + self._settings.approval_time_limit_s + 1.0
        while len(answers) < len(calls) and not self._latch.is_set and time.monotonic() < limit:
            changed.wait(max(0.0, limit - time.monotonic()))
            changed.clear()
        withdraw()
        for request_id in open_requests:
            self._desk.withdraw(request_id)
        return dict(answers)

    # -- a freeze ------------------------------------------------------------------------------------------

    def _frozen(self, request: Mapping[str, Any], words: str) -> dict[str, Any]:
        if not self._hold.on:
            # Frozen by a process that is gone: nobody will thaw it, so look around and go on.
            self._hold.freeze(str(request["reason"]), Surroundings.from_dict(request["before"]))
            self._hold.thaw(words)
        while not self._latch.is_set:
            verdict = self._verdict([call["arguments"] for call in request["calls"]])
            if verdict is not None:
                return verdict
            self._wait()
        return {}

    def _verdict(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """Return the decision about a thawed run, None while it is frozen."""
        thaw = self._hold.settle()
        if thaw is None:
            return None
        return {**self._judge(thaw, calls).to_dict(), "words": thaw.words}

    # -- remote calls --------------------------------------------------------------------------------------

    def _results(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Have calls carried out until all have ended, or until a verdict about a freeze changes what is wanted.

        A freeze starts nothing. What runs is left to the reflex and its result awaited, or canceled, as the
        tool says; a call that was canceled so, and says so, is made anew when the task goes on.
        """
        if self._skills is None:
            return {"results": {}}
        if self._calls is None:
            config = MissionConfig(
                skill_time_limit_s=self._settings.remote_time_limit_s,
                cancel_time_limit_s=self._settings.cancel_time_limit_s,
                approval="never",
            )
            self._calls = Calls(self._skills, config, None, self._news.set, lambda *_: None)
        running = self._calls
        running.reconcile(calls, self._thread_id)
        ids = {str(call["id"]) for call in calls}
        cancelable = {str(call["id"]) for call in calls if call.get("when_frozen") == "cancel"}
        results: dict[str, Any] = {}
        taken: set[str] = set()
        while not self._latch.is_set:
            if self._hold.on and not taken:
                taken = running.cancel_some(cancelable)
            verdict = self._verdict([call["arguments"] for call in calls if call["id"] not in results])
            if verdict is not None:
                return self._decided(running, verdict, ids, taken, results)
            running.advance(may_start=not self._hold.on)
            results |= running.take_results()
            before = _canceled_before(results)
            if before:
                return _go_on(results, before, ids)
            # Results that a freeze may have spoiled wait for its verdict.
            if len(results) == len(ids) and not (self._hold.on and _spoiled(taken, results)):
                return {"results": results}
            self._wait(running.next_deadline())
        return {"results": self._rest(running, results)}

    def _decided(
        self,
        running: Calls,
        verdict: Mapping[str, Any],
        ids: set[str],
        taken: set[str],
        results: dict[str, Any],
    ) -> dict[str, Any]:
        """Return what becomes of calls under way by the verdict about a freeze."""
        decision = verdict["decision"]
        said = [{"role": "user", "content": verdict["words"]}] if verdict["words"] else []
        if decision in (Decision.RESUME.value, Decision.MERGE.value):
            limit = time.monotonic() + self._settings.cancel_time_limit_s + 1.0
            while taken - set(results) and time.monotonic() < limit and not self._latch.is_set:
                running.advance(may_start=False)
                results |= running.take_results()
                if taken - set(results):
                    self._wait(min(limit, running.next_deadline()))
            words = said if decision == Decision.MERGE.value else []
            return {**_go_on(results, _spoiled(taken, results), ids), "words": words}
        answer: dict[str, Any] = {"results": self._rest(running, results)}
        if decision == Decision.ABORT.value:
            message = f"The task was broken off. {verdict['reason']}"
            return answer | {"stop": {"code": int(TaskCode.ABORTED_BY_SAFETY), "message": message}}
        return answer | {"words": [look_again(verdict["reason"]), *said]}

    def _rest(self, running: Calls, results: dict[str, Any]) -> dict[str, Any]:
        """Cancel what is under way, wait until it has come to rest, and return all results."""
        running.cancel_all()
        running.drop_unstarted()
        while True:
            running.advance(may_start=False)
            results |= running.take_results()
            if running.idle:
                return results
            self._wait(running.next_deadline())

    def _wait(self, until: float = float("inf")) -> None:
        """Wait for news, at most until a moment on the steady clock (and never very long)."""
        self._news.wait(min(1.0, max(0.0, until - time.monotonic())))
        self._news.clear()


def _spoiled(taken: set[str], results: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the calls that were canceled by the freeze and ended by that."""
    return {key for key in taken if key in results and results[key]["code"] == int(SkillCode.CANCELED)}


def _canceled_before(results: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the calls whose stored end is a cancel: a freeze took them from a process that is gone."""
    canceled = int(SkillCode.CANCELED)
    return {key for key, result in results.items() if result["code"] == canceled and result["replayed"]}


def _go_on(results: Mapping[str, Any], again: set[str], ids: set[str]) -> dict[str, Any]:
    """Return the answer by which some calls have ended, some are made anew, and the others stay under way."""
    return {
        "results": {key: result for key, result in results.items() if key not in again},
        "again": sorted(again),
        "left": sorted(ids - set(results)),
    }
