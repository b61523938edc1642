"""The register of task threads: what each was about and how it stands, for people and for resuming."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from zulong.agent.codes import TaskCode
from zulong.msg import TaskSummary
from zulong.nodes.stamps import to_time
from zulong.stategraph.store.base import BaseStore
from zulong.tasks import likeness

_SPACE = ("task_threads",)
_MOST = 10_000
_MOST_LEAVES = 2**16 - 1

STATE_OF_CODE = {
    TaskCode.SUCCEEDED: TaskSummary.STATE_SUCCEEDED,
    TaskCode.CANCELED: TaskSummary.STATE_CANCELED,
    TaskCode.NEEDS_INPUT: TaskSummary.STATE_WAITING_INPUT,
    TaskCode.SHUTTING_DOWN: TaskSummary.STATE_INTERRUPTED,
    TaskCode.TIME_LIMIT: TaskSummary.STATE_INTERRUPTED,
}


def ended_for_good(code: int) -> bool:
    """Tell whether a goal that ended so leaves nothing open: no question, no interruption."""
    state = STATE_OF_CODE.get(TaskCode(code), TaskSummary.STATE_FAILED)
    return state not in (TaskSummary.STATE_WAITING_INPUT, TaskSummary.STATE_INTERRUPTED)


class ThreadRegister:
    """Keeps one small record a thread in a durable store."""

    def __init__(self, store: BaseStore) -> None:
        self._store = store

    def begin(self, thread_id: str, instruction: str) -> None:
        """Note that a thread is being carried out; an instruction already known is kept."""
        known = self.record(thread_id)
        self._put(
            thread_id,
            {
                "instruction": (known or {}).get("instruction") or instruction,
                "state": int(TaskSummary.STATE_RUNNING),
                "summary": "",
                "created": (known or {}).get("created") or time.time(),
            },
        )

    def set_state(self, thread_id: str, state: int, summary: str = "") -> None:
        """Note how a thread stands."""
        known = self.record(thread_id)
        if known is not None:
            self._put(
                thread_id, {**known, "state": int(state), "summary": summary or known.get("summary", "")}
            )

    def end(self, thread_id: str, code: int, summary: str) -> None:
        """Note how a thread's goal ended."""
        state = STATE_OF_CODE.get(TaskCode(code), TaskSummary.STATE_FAILED)
        self.set_state(thread_id, state, summary)

    def note_leaves(self, thread_id: str, done: int, total: int) -> None:
        """Note how much of a thread is done."""
        known = self.record(thread_id)
        if known is not None:
            self._put(thread_id, {**known, "leaves": [done, total]})

    def record(self, thread_id: str) -> dict[str, Any] | None:
        """Return the record of a thread, None when it is unknown."""
        item = self._store.get(_SPACE, thread_id)
        return dict(item.value) if item is not None else None

    def interrupt_running(self) -> list[str]:
        """Mark what was running when the process ended as interrupted; returns their ids."""
        live = (TaskSummary.STATE_RUNNING, TaskSummary.STATE_QUEUED, TaskSummary.STATE_PAUSED)
        found = [key for key, value in self._all() if value["state"] in live]
        for key in found:
            self.set_state(key, TaskSummary.STATE_INTERRUPTED)
        return found

    def list(self, states: Iterable[int], query: str, limit: int) -> list[TaskSummary]:
        """Return summaries, newest first; with a query most similar first (:func:`~zulong.tasks.likeness.likeness`)."""
        wanted = set(states)
        rows = [(key, value) for key, value in self._all() if not wanted or value["state"] in wanted]
        if query:
            scored = [(likeness(query, value["instruction"]), key, value) for key, value in rows]
            scored = sorted((row for row in scored if row[0] > 0.0), key=lambda row: -row[0])
        else:
            newest = sorted(rows, key=lambda row: -float(row[1]["updated"]))
            scored = [(float("nan"), key, value) for key, value in newest]
        return [_summary(key, value, likeness) for likeness, key, value in scored[:limit]]

    def _put(self, thread_id: str, record: dict[str, Any]) -> None:
        self._store.put(_SPACE, thread_id, {**record, "updated": time.time()})

    def _all(self) -> list[tuple[str, dict[str, Any]]]:
        return [(item.key, dict(item.value)) for item in self._store.search(_SPACE, limit=_MOST)]


def _summary(thread_id: str, record: dict[str, Any], likeness: float) -> TaskSummary:
    done, total = record.get("leaves", (0, 0))
    return TaskSummary(
        thread_id=thread_id,
        leaves_done=min(done, _MOST_LEAVES),
        leaves_total=min(total, _MOST_LEAVES),
        instruction=record["instruction"],
        state=record["state"],
        summary=record["summary"],
        similarity=likeness,
        created=to_time(record["created"]),
        updated=to_time(record["updated"]),
    )
