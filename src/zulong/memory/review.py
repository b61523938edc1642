"""Review: what is fading is looked at once before it goes. A model may decide; rules decide without one.

KEEP      stays, and its fading edges are reinforced once by Hebb's rule
DISCARD   is removed; what holds structural edges keeps its place in the structure and is compressed instead
COMPRESS  a group becomes one summary that leads back to the originals that stay; later the summaries of a
          week that nobody came back to become few, of bounded length
PROMOTE   matters more from now on
MERGE     goes into another node that says the same; its edges move there

Every verdict is one journal entry and can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timezone

import numpy as np

from zulong.memory import journal
from zulong.memory import records as rec
from zulong.memory.compressing import (
    COARSEST,
    compress,
    holds_structure,
    leave_stub,
    moved_key,
    summary_level,
)
from zulong.memory.config import DAY_S
from zulong.memory.engine import WRITE_TIMEOUT_S, Engine, wait_for
from zulong.memory.model import SUMMARY_TAG, EdgeType, Importance, Node, NodeType, ReviewVerdict
from zulong.memory.plasticity import set_importance, touch
from zulong.memory.remembering import join
from zulong.memory.transaction import Transaction
from zulong.memory.writer import Operation

_GROUP = 24
_LAST_DATE = 253_402_214_400.0
"""31 December 9999, the last that has a date; a clock gone wrong may be far beyond."""
_EVENTS = (
    NodeType.DIALOGUE,
    NodeType.EPISODE,
    NodeType.TASK,
    NodeType.TOOL_CALL,
    NodeType.TOOL_RESULT,
    NodeType.APPROVAL,
)
_HELD = (Importance.IDENTITY, Importance.FACT, Importance.IMPORTANT, Importance.MUST_REMEMBER)


@dataclass(slots=True, frozen=True)
class Candidate:
    """A node that review is asked about; ``reason`` is ``fading``, ``orphan`` or ``unused``."""

    node: Node
    reason: str
    structural: bool
    twin: str = ""
    """Id of a live node with the same text, if there is one."""


@dataclass(slots=True, frozen=True)
class Decision:
    """The verdict on one candidate.

    ``into`` names the node of a MERGE, or a label that groups candidates of one COMPRESS; ``summary`` is the
    text of that group's summary (without it, one is drawn from the originals).
    """

    id: str
    verdict: ReviewVerdict
    reason: str = ""
    into: str = ""
    summary: str = ""


Reviewer = Callable[[Sequence[Candidate]], Sequence[Decision]]


@dataclass(slots=True, frozen=True)
class ReviewReport:
    """What one batch of review did."""

    decisions: tuple[Decision, ...] = ()
    journal_ids: tuple[int, ...] = ()
    summaries: tuple[str, ...] = ()


def rule_reviewer(now: float, compress_after_s: float) -> Reviewer:
    """Return the reviewer that needs no model: it goes by importance, use, age and likeness."""

    def review(candidates: Sequence[Candidate]) -> list[Decision]:
        return [_decide(candidate, now, compress_after_s) for candidate in candidates]

    return review


def _decide(candidate: Candidate, now: float, compress_after_s: float) -> Decision:
    node = candidate.node
    if candidate.twin:
        return Decision(node.id, ReviewVerdict.MERGE, "It says the same as another memory.", candidate.twin)
    if node.importance is Importance.NORMAL and node.access_count >= 3:
        return Decision(node.id, ReviewVerdict.PROMOTE, "It was used three times or more.")
    if node.importance in _HELD:
        return Decision(node.id, ReviewVerdict.KEEP, f"It is {node.importance.name}.")
    summary = SUMMARY_TAG in node.tags
    if node.stub or (summary and summary_level(node.meta) >= COARSEST):
        return Decision(node.id, ReviewVerdict.KEEP, "It is what an earlier review left.")
    if node.importance is Importance.TRIVIAL and not summary:
        return Decision(node.id, ReviewVerdict.DISCARD, "It is trivial and no longer in use.")
    if node.type not in _EVENTS:
        return Decision(node.id, ReviewVerdict.KEEP, "It is knowledge.")
    # Each use buys as much time again.
    idle_s = now - max(node.stamp, node.created_at, node.last_access)
    if idle_s <= compress_after_s * (1 + node.access_count):
        return Decision(node.id, ReviewVerdict.KEEP, "It is not old yet, or has been used.")
    day = datetime.fromtimestamp(min(max(node.stamp, 0.0), _LAST_DATE), timezone.utc)
    # By person, so that forgetting one takes nothing of the others along.
    about = f" with {node.person}" if node.person else ""
    into = f"{day:week %G-%V}{about}" if summary else f"{node.type.name} {node.session or f'{day:%Y-%m-%d}'}"
    return Decision(node.id, ReviewVerdict.COMPRESS, "Nobody came back to it; its gist is enough.", into)


def candidates_of(
    engine: Engine, fading: Iterable[int], orphans: Iterable[int], unused: Iterable[int], *, limit: int
) -> list[Candidate]:
    """Return at most ``limit`` candidates, oldest use first."""
    reasons = (
        dict.fromkeys(map(int, unused), "unused")
        | dict.fromkeys(map(int, fading), "fading")
        | dict.fromkeys(map(int, orphans), "orphan")
    )
    uids = np.fromiter(reasons, np.int64, len(reasons))
    oldest = np.lexsort((uids, engine.columns(uids).last_access))[:limit]
    nodes = [node for node in engine.nodes(uids[oldest]) if node is not None]
    topology, columns = engine.memory.topology, engine.memory.columns
    found: list[Candidate] = []
    for node in nodes:
        types = {EdgeType(type) for _, _, type in topology.touching(columns.slot(node.uid))}
        structural = any(type.structural for type in types)
        found.append(Candidate(node, reasons[node.uid], structural, _twin(engine, node)))
    return found


def _twin(engine: Engine, node: Node) -> str:
    key = rec.text_key(node.text, int(node.type), node.person, node.session)
    with engine.memory.store.reading() as txn:
        raw = txn.get(key, db=engine.memory.store.table("texts"))
    if raw is None:
        return ""
    owner = engine.nodes([int(rec.UID.unpack(bytes(raw))[0])])[0]
    return owner.id if owner is not None and owner.uid != node.uid and not owner.stub else ""


def checked(decisions: Sequence[Decision], candidates: Sequence[Candidate]) -> list[Decision]:
    """Return the decisions that name a candidate, one each; the rest are kept.

    A reviewer may be a model: what it invents is dropped, and what it passes over stays.
    """
    asked = {candidate.node.id for candidate in candidates}
    given: dict[str, Decision] = {}
    for decision in decisions:
        if decision.id in asked and isinstance(decision.verdict, ReviewVerdict):
            given.setdefault(decision.id, decision)
    for id in asked - given.keys():
        given[id] = Decision(id, ReviewVerdict.KEEP, "The reviewer said nothing about it.")
    return list(given.values())


def apply(engine: Engine, decisions: Sequence[Decision]) -> ReviewReport:
    """Carry out decisions; a candidate that is gone meanwhile is passed over.

    All are queued before the first is waited for, so that they share commits.
    """
    groups: dict[str, list[Decision]] = {}
    single: list[Future[int]] = []
    for decision in decisions:
        if decision.verdict is ReviewVerdict.COMPRESS:
            groups.setdefault(decision.into or decision.id, []).append(decision)
        else:
            single.append(engine.writer.submit(_one(decision)))
    grouped: list[Future[tuple[int, str]]] = [
        engine.writer.submit(_many(label, group[start : start + _GROUP]), weight=_GROUP)
        for label, group in groups.items()
        for start in range(0, len(group), _GROUP)
    ]
    numbers = [wait_for(future, WRITE_TIMEOUT_S) for future in single]
    done = [wait_for(future, WRITE_TIMEOUT_S) for future in grouped]
    numbers += [number for number, _ in done]
    summaries = tuple(summary for _, summary in done if summary)
    return ReviewReport(tuple(decisions), tuple(number for number in numbers if number), summaries)


def _one(decision: Decision) -> Operation:
    return lambda tx: _apply_one(tx, decision)


def _many(label: str, group: Sequence[Decision]) -> Operation:
    text = next((decision.summary for decision in group if decision.summary), "")
    reason = group[0].reason
    return lambda tx: compress(tx, label, [decision.id for decision in group], text, reason)


def _apply_one(tx: Transaction, decision: Decision) -> int:
    uid = tx.uid(decision.id)
    if uid is None:
        return 0
    act = journal.Act(tx, decision.verdict.value, decision.reason)
    if decision.verdict is ReviewVerdict.KEEP:
        _keep(tx, act, uid)
    elif decision.verdict is ReviewVerdict.PROMOTE:
        _promote(tx, act, uid)
    elif decision.verdict is ReviewVerdict.MERGE:
        _merge(tx, act, uid, decision.into)
    elif holds_structure(tx, uid):
        leave_stub(tx, act, uid, "")
    else:
        act.remove_node(uid)
    return act.record()


def _keep(tx: Transaction, act: journal.Act, uid: int) -> None:
    act.changing(uid, content=False)
    _note_review(tx, uid)
    limit = tx.memory.config.forgetting.review_below
    for key in tx.edges_touching(uid):
        left, value = tx.weight_of(key), tx.edge(key)
        if left is None or value is None or left >= limit or tx.rate_of(key) == 0.0:
            continue
        stronger = max(limit, left + tx.memory.config.hebb.rate * (1.0 - left))
        tx.put_edge(key, (stronger, tx.now, value[2]))


def _note_review(tx: Transaction, uid: int) -> None:
    state = tx.state(uid)
    if state is not None and state[rec.F_REVIEWED] != rec.NEVER_AGAIN:
        tx.change_state(uid, {rec.F_REVIEWED: int(tx.now // DAY_S) & 0xFFFF})


def _promote(tx: Transaction, act: journal.Act, uid: int) -> None:
    state = tx.state(uid)
    assert state is not None  # noqa: S101 - the caller found it in this transaction
    steps = {Importance.TRIVIAL: Importance.NORMAL, Importance.MUST_REMEMBER: Importance.MUST_REMEMBER}
    act.changing(uid)
    set_importance(tx, uid, steps.get(Importance(state[rec.F_IMPORTANCE]), Importance.IMPORTANT))
    _keep(tx, act, uid)


def _merge(tx: Transaction, act: journal.Act, uid: int, into: str) -> None:
    target = tx.uid(into)
    if target is None or target == uid:
        _keep(tx, act, uid)
        return
    act.changing(target)
    for key in tx.edges_touching(uid):
        moved = moved_key(key, uid, target)
        left = tx.weight_of(key)
        if left is None or moved[0] == moved[1]:
            continue
        if tx.edge(moved) is None:
            act.created_edge(moved)
        join(tx, moved[0], moved[1], EdgeType(key[2]), left, tx.edge_meta(key))
    state = tx.state(uid)
    touch(tx, target, count=1 + (state[rec.F_ACCESSES] if state is not None else 0))
    if holds_structure(tx, uid):
        leave_stub(tx, act, uid, into)
    else:
        act.remove_node(uid)
