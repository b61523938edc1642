"""The nine stages of a memory's life, run one after another, each counted and timed.

bootstrap    take what was stored by the last process into use
activate     spread from what was recalled lately, so that nodes carry how present they are
hebb         strengthen what was recalled together
auto_embed   give vectors and semantic edges to what has none
consolidate  promote what is used, merge the overlay of the topology
decay        clear up edges that have faded away
review       ask about what is fading or alone, a few at a time, only while nobody is waiting for an answer
forget       remove trivial orphans, and journal entries that can no longer be undone
persist      write the snapshot that makes the next start fast
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zulong.memory import forgetting, journal, review
from zulong.memory import records as rec
from zulong.memory.engine import WRITE_TIMEOUT_S, Engine, wait_for
from zulong.memory.forgetting import Faded
from zulong.memory.model import Importance
from zulong.memory.plasticity import PROMOTE_AT, reinforce, set_importance
from zulong.memory.reader import Mask, Retriever, Uids
from zulong.memory.review import Reviewer, ReviewReport, rule_reviewer
from zulong.memory.transaction import Transaction
from zulong.memory.writer import Operation

_LOG = logging.getLogger(__name__)
STAGES = (
    "bootstrap",
    "activate",
    "hebb",
    "auto_embed",
    "consolidate",
    "decay",
    "review",
    "forget",
    "persist",
)
_REMEMBERED_RECALLS = 256
_TOGETHER = 5
"""How many of the best hits of one recall count as active together."""
_PRESENT = 200
"""How many nodes carry an activation at most."""


@dataclass(slots=True, frozen=True)
class StageCounters:
    """What one stage did since the store was opened. ``items`` are what it worked on; times in seconds."""

    runs: int = 0
    items: int = 0
    failures: int = 0
    total_s: float = 0.0
    last_s: float = 0.0
    last_error: str = ""


class Lifecycle:
    """Runs the stages on demand or in a thread of its own."""

    def __init__(
        self,
        engine: Engine,
        retriever: Retriever,
        *,
        reviewer: Reviewer | None = None,
        embed_budget_s: float = 1.0,
        review_batch: int = 16,
        idle_after_s: float = 2.0,
    ) -> None:
        self._engine = engine
        self._retriever = retriever
        self._reviewer = reviewer
        self._embed_budget_s = embed_budget_s
        self._review_batch = review_batch
        self._idle_after_s = idle_after_s
        self._recalls: deque[tuple[int, ...]] = deque(maxlen=_REMEMBERED_RECALLS)
        self._to_reinforce: deque[tuple[int, ...]] = deque(maxlen=_REMEMBERED_RECALLS)
        self._present: set[int] = set()
        self._found = Faded()
        self._last_recall = -float("inf")
        self._counters = {name: StageCounters() for name in STAGES}
        self._counters_lock = threading.Lock()
        self._run_lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # -- what is told to it -----------------------------------------------------------------------------

    def recalled(self, uids: Sequence[int]) -> None:
        """Note what one recall brought up, best first; never waits."""
        self._last_recall = time.monotonic()
        if uids:
            self._recalls.append(tuple(uids))
            self._to_reinforce.append(tuple(uids[:_TOGETHER]))

    def counters(self) -> dict[str, StageCounters]:
        """Return the counters of every stage, in order."""
        with self._counters_lock:
            return dict(self._counters)

    # -- running ----------------------------------------------------------------------------------------

    def start(self, period_s: float = 60.0) -> None:
        """Run the stages every ``period_s`` seconds (steady clock) until :meth:`stop`."""
        if self._thread is not None:
            return
        self._stop.clear()

        def loop() -> None:
            while not self._stop.is_set():
                self.run_once()
                self._stop.wait(period_s)

        self._thread = threading.Thread(target=loop, name="memory-lifecycle", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ask the thread to stop and wait for the stage that runs; harmless when it does not run."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(timeout_s)

    def run_once(self, stages: Sequence[str] = STAGES) -> dict[str, int]:
        """Run the named stages once, in order; returns how many items each worked on.

        A stage that fails is counted and logged, and the next one runs.
        """
        done: dict[str, int] = {}
        with self._run_lock:
            for name in stages:
                if self._stop.is_set() and self._thread is not None:
                    break
                done[name] = self._run_stage(name, self._work_of(name))
        return done

    def _work_of(self, name: str) -> Callable[[], int]:
        work: dict[str, Callable[[], int]] = {
            "bootstrap": self._bootstrap,
            "activate": self._activate,
            "hebb": self._hebb,
            "auto_embed": self._auto_embed,
            "consolidate": self._consolidate,
            "decay": self._decay,
            "review": self._review,
            "forget": self._forget,
            "persist": self._persist,
        }
        if name not in work:
            raise ValueError(f"There is no lifecycle stage {name!r}; the stages are {', '.join(STAGES)}.")
        return work[name]

    def _run_stage(self, name: str, work: Callable[[], int]) -> int:
        begun, items, error = time.monotonic(), 0, ""
        try:
            items = work()
        except Exception as failure:  # one stage's trouble must not end the memory's care for itself
            error = str(failure)
            _LOG.exception("Lifecycle stage %s failed.", name)
        elapsed = time.monotonic() - begun
        with self._counters_lock:
            before = self._counters[name]
            self._counters[name] = replace(
                before,
                runs=before.runs + 1,
                items=before.items + items,
                failures=before.failures + bool(error),
                total_s=before.total_s + elapsed,
                last_s=elapsed,
                last_error=error,
            )
        return items

    # -- the stages -------------------------------------------------------------------------------------

    def _bootstrap(self) -> int:
        if self._counters["bootstrap"].runs:
            return 0
        columns = self._engine.memory.columns
        active = columns.field["activation"][: columns.count] > 0  # type: ignore[operator]
        self._present = set(columns.uid[: columns.count][active & columns.alive[: columns.count]].tolist())
        return len(self._engine)

    def _activate(self) -> int:
        seeds: dict[int, float] = {}
        while self._recalls:
            for rank, uid in enumerate(self._recalls.popleft()):
                seeds[uid] = max(seeds.get(uid, 0.0), 1.0 / (1 + rank))
        if not seeds and not self._present:
            return 0
        found = self._engine.spread(seeds, limit=_PRESENT) if seeds else None
        values: dict[int, float] = {}
        if found is not None:
            values = dict(zip(found.uids.tolist(), found.values.tolist(), strict=True))
        present = self._present
        config = self._engine.memory.config.activation

        def operation(tx: Transaction) -> set[int]:
            still: set[int] = set()
            for uid in present | values.keys():
                state = tx.state(uid)
                if state is None:
                    continue
                value = max(values.get(uid, 0.0), state[rec.F_ACTIVATION] * config.decay)
                value = min(value, 1.0) if value >= config.cut else 0.0
                tx.change_state(uid, {rec.F_ACTIVATION: value})
                if value:
                    still.add(uid)
            return still

        self._present = self._engine.write(operation)
        return len(values)

    def _hebb(self) -> int:
        waiting = []
        while self._to_reinforce:
            waiting.append(self._engine.writer.submit(_co_activation(self._to_reinforce.popleft())))
        return sum(int(wait_for(future, WRITE_TIMEOUT_S)) for future in waiting)

    def _auto_embed(self) -> int:
        return int(self._retriever.maintain(self._embed_budget_s))

    def _consolidate(self) -> int:
        engine = self._engine
        columns = engine.memory.columns
        count = columns.count
        due = (
            columns.alive[:count]
            & (columns.importance[:count] == Importance.NORMAL)
            & (columns.field["accesses"][:count] >= PROMOTE_AT)  # type: ignore[operator]
        )
        uids = columns.uid[:count][due].tolist()

        def operation(tx: Transaction) -> None:
            for uid in uids:
                set_importance(tx, uid, Importance.IMPORTANT)

        if uids:
            engine.write(operation)
        if engine.memory.topology.overlay_size > engine.memory.config.storage.overlay_edges // 8:
            engine.memory.topology.merge(count)
        return len(uids)

    def _decay(self) -> int:
        report = forgetting.prune(self._engine)
        self._found = report.found
        return report.pruned

    def _review(self) -> int:
        if time.monotonic() - self._last_recall < self._idle_after_s:
            return 0
        return len(self.review(self._review_batch).decisions)

    def review(self, limit: int, reviewer: Reviewer | None = None) -> ReviewReport:
        """Review at most ``limit`` candidates now; scans first if no scan has been made."""
        engine = self._engine
        found = self._found
        if not (len(found.fading) or len(found.orphans) or len(found.unused)):
            found = forgetting.scan(engine)
        orphans = found.orphans[~self._trivial(found.orphans)]
        batch = review.candidates_of(engine, found.fading, orphans, found.unused, limit=limit)
        asked = np.array([candidate.node.uid for candidate in batch], np.int64)
        self._found = replace(
            found,
            fading=np.setdiff1d(found.fading, asked),
            orphans=np.setdiff1d(found.orphans, asked),
            unused=np.setdiff1d(found.unused, asked),
        )
        if not batch:
            return ReviewReport()
        after_s = engine.memory.config.forgetting.compress_after_s
        decide = reviewer or self._reviewer or rule_reviewer(engine.now(), after_s)
        return review.apply(engine, review.checked(decide(batch), batch))

    def _trivial(self, uids: Uids) -> Mask:
        trivial: Mask = self._engine.columns(uids).importance == Importance.TRIVIAL
        return trivial

    def _forget(self) -> int:
        orphans = self._found.orphans
        trivial = orphans[self._trivial(orphans)]
        removed, _ = forgetting.remove_orphans(self._engine, trivial, frozenset({Importance.TRIVIAL}))
        self._found = replace(self._found, orphans=np.setdiff1d(orphans, trivial))
        return removed + int(self._engine.write(journal.expire))

    def _persist(self) -> int:
        return int(self._engine.save_snapshot())


def _co_activation(uids: Sequence[int]) -> Operation:
    return lambda tx: reinforce(tx, uids)
