"""What COMPRESS does: a group of memories becomes one summary, and those that hold structure become stubs.

Summaries have levels. The first holds a line of each event; one of the second is made from summaries of one
week and is of bounded length, so that a year of weeks stays small. A stub keeps its id, its first words and its
structural edges, and names the summary that holds its content; it is in no search index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from zulong.memory import journal
from zulong.memory import records as rec
from zulong.memory.config import DAY_S
from zulong.memory.model import (
    COMPRESSED_INTO,
    SUMMARY_OF,
    SUMMARY_TAG,
    EdgeType,
    NodeType,
    ReviewVerdict,
    stub_text,
)
from zulong.memory.remembering import join
from zulong.memory.transaction import EdgeKey, Transaction

COARSEST = 2
"""Level of the summaries that are not compressed any further."""
LEVEL = "level"
GONE = "gone"
"""Key in a coarse summary's meta: how many originals of its parts exist no more."""
PEOPLE = "people"
"""Key in a summary's meta: whose memories it was made from, if more than one person's."""
_LINE_CHARS = 200
_GIST_CHARS = 2_400
_DERIVED_WEIGHT = 0.8


@dataclass(slots=True, frozen=True)
class _Member:
    uid: int
    id: str
    text: str
    meta: Mapping[str, Any]
    state: rec.StateTuple

    @property
    def level(self) -> int:
        return summary_level(self.meta)


def summary_level(meta: Mapping[str, Any]) -> int:
    """Return the level of a summary by its meta, 0 for what is none."""
    return int(meta.get(LEVEL, 1)) if SUMMARY_OF in meta else 0


def holds_structure(tx: Transaction, uid: int) -> bool:
    """Tell whether a node has structural edges, which are never removed."""
    return any(EdgeType(key[2]).structural for key in tx.edges_touching(uid))


def moved_key(key: EdgeKey, uid: int, target: int) -> EdgeKey:
    """Return the key of an edge with ``target`` in the place of ``uid``."""
    return (target if key[0] == uid else key[0], target if key[1] == uid else key[1], key[2])


def leave_stub(tx: Transaction, act: journal.Act, uid: int, into: str) -> None:
    """Shrink a node to its first words; it stays where the structure needs it, out of every index."""
    document = tx.document(uid)
    assert document is not None  # noqa: S101 - the caller found it in this transaction
    id, text, tags, meta, sources = document
    act.changing(uid)
    tx.move_text_key(uid, tx.text_key_of(uid), None)  # who says it again is not told that it is known
    meta = {**meta, COMPRESSED_INTO: into}
    tx.put_document(uid, rec.pack_document(id, stub_text(text), tuple(tags), meta, tuple(sources)))
    tx.txn.delete(rec.UID.pack(uid), db=tx.memory.store.table("vectors"))
    tx.change_state(uid, {rec.F_REVIEWED: rec.NEVER_AGAIN})


def compress(tx: Transaction, label: str, ids: Sequence[str], text: str, reason: str) -> tuple[int, str]:
    """Put the content of these memories into one summary; returns (journal entry, id of the summary).

    Args:
        label: what the summary is of, for people.
        text: the summary; without it, one is drawn from the originals.
    """
    members = _members(tx, ids)
    if not members:
        return 0, ""
    act = journal.Act(tx, ReviewVerdict.COMPRESS.value, reason)
    if len(members) == 1 and members[0].level and not text:
        _settle(tx, act, members[0])
        return act.record(), ""
    summary = tx.take_uid()
    id, level = f"summary:{summary}", 1 + max(member.level for member in members)
    originals, gone = _originals(tx, members)
    state = _state(tx, members, level)
    meta: dict[str, Any] = {
        SUMMARY_OF: originals,
        "label": label,
        "from": min(float(member.meta.get("from", member.state[rec.F_STAMP])) for member in members),
        "to": max(member.state[rec.F_STAMP] for member in members),
    }
    if level > 1:
        meta[LEVEL] = level
    if gone:
        meta[GONE] = gone
    people = _people(tx, members)
    if len(people) > 1:
        meta[PEOPLE] = people
    text = text or _gist(members, level)
    packed = rec.pack_document(id, text, (SUMMARY_TAG,), meta, tuple(originals))
    person, session = tx.symbol_text(state[rec.F_PERSON]), tx.symbol_text(state[rec.F_SESSION])
    tx.put_node(summary, packed, state, id, rec.text_key(text, int(NodeType.EPISODE), person, session))
    act.created(summary)
    for member in members:
        _hand_over(tx, act, member, summary, id)
    return act.record(), id


def _settle(tx: Transaction, act: journal.Act, summary: _Member) -> None:
    """A summary that has nothing to be joined with stays as it is, for good."""
    document = tx.document(summary.uid)
    assert document is not None  # noqa: S101 - the caller found it in this transaction
    id, text, tags, meta, sources = document
    act.changing(summary.uid)
    meta = {**meta, LEVEL: COARSEST}
    tx.put_document(summary.uid, rec.pack_document(id, text, tuple(tags), meta, tuple(sources)))
    tx.change_state(summary.uid, {rec.F_REVIEWED: rec.NEVER_AGAIN})


def _members(tx: Transaction, ids: Sequence[str]) -> list[_Member]:
    found = []
    for id in ids:
        uid = tx.uid(id)
        if uid is None:
            continue
        document, state = tx.document(uid), tx.state(uid)
        if document is not None and state is not None:
            found.append(_Member(uid, id, document[1], document[3], state))
    return sorted(found, key=lambda member: (member.state[rec.F_STAMP], member.uid))


def _originals(tx: Transaction, members: Sequence[_Member]) -> tuple[list[str], int]:
    """Return the ids a summary is made from, those behind the summaries among them, and how many are gone."""
    found: dict[str, None] = {}
    gone = 0
    for member in members:
        if not member.level:
            found[member.id] = None
            continue
        behind = [str(id) for id in member.meta[SUMMARY_OF]]
        still = [id for id in behind if tx.uid(id) is not None]
        gone += int(member.meta.get(GONE, 0)) + len(behind) - len(still)
        found.update(dict.fromkeys(still))
    return list(found), gone


def _people(tx: Transaction, members: Sequence[_Member]) -> list[str]:
    names = {tx.symbol_text(member.state[rec.F_PERSON]) for member in members}
    names.update(str(name) for member in members for name in member.meta.get(PEOPLE, ()))
    return sorted(names - {""})


def _state(tx: Transaction, members: Sequence[_Member], level: int) -> rec.StateTuple:
    config = tx.memory.config.forgetting
    stamps = [member.state[rec.F_STAMP] for member in members]
    state = list(members[0].state)
    state[rec.F_STAMP], state[rec.F_CREATED], state[rec.F_ACCESSED] = max(stamps), tx.now, tx.now
    state[rec.F_VALID_FROM] = min(
        member.state[rec.F_VALID_FROM if member.level else rec.F_STAMP] for member in members
    )
    state[rec.F_ACCESSES] = 0
    state[rec.F_TYPE] = int(NodeType.EPISODE)
    # Review comes back to it once it may be compressed further.
    next_day = (tx.now + config.compress_after_s - config.review_again_s) / DAY_S + 1
    state[rec.F_REVIEWED] = rec.NEVER_AGAIN if level >= COARSEST else int(min(next_day, rec.NEVER_AGAIN - 1))
    for position in (rec.F_PERSON, rec.F_SESSION, rec.F_ROBOT):
        if len({member.state[position] for member in members}) > 1:
            state[position] = 0
    return tuple(state)


def _hand_over(tx: Transaction, act: journal.Act, member: _Member, summary: int, id: str) -> None:
    """Give what has not faded to the summary, so that it can be reached as the member was; then let that go."""
    for key in tx.edges_touching(member.uid):
        left = tx.weight_of(key)
        if left is None or EdgeType(key[2]).structural:
            continue
        moved = moved_key(key, member.uid, summary)
        if moved[0] != moved[1]:
            join(tx, moved[0], moved[1], EdgeType(key[2]), left, tx.edge_meta(key))
    if member.level:
        _redirect(tx, act, member, id)
    if holds_structure(tx, member.uid):
        leave_stub(tx, act, member.uid, id)
        join(tx, summary, member.uid, EdgeType.DERIVED_FROM, _DERIVED_WEIGHT)
    else:
        act.remove_node(member.uid)


def _redirect(tx: Transaction, act: journal.Act, member: _Member, into: str) -> None:
    """Let the stubs behind a summary that goes name the one that takes its place."""
    for stub_id in member.meta[SUMMARY_OF]:
        uid = tx.uid(str(stub_id))
        document = None if uid is None else tx.document(uid)
        if uid is None or document is None or document[3].get(COMPRESSED_INTO) != member.id:
            continue
        id, text, tags, meta, sources = document
        act.changing(uid)
        tx.put_document(
            uid, rec.pack_document(id, text, tuple(tags), {**meta, COMPRESSED_INTO: into}, tuple(sources))
        )


def _gist(members: Sequence[_Member], level: int) -> str:
    """Return a line of each event; for a coarse summary first lines before second ones, until it is full."""
    if level == 1:
        return "\n".join(_line(member.text) for member in members)
    taken: dict[tuple[int, int], str] = {}
    room = _GIST_CHARS
    lines = [[_line(line) for line in member.text.splitlines()] for member in members]
    for rank, row in enumerate(zip_longest(*lines, fillvalue="")):
        for position, line in enumerate(row):
            if line and line not in taken.values():
                room -= len(line) + 1
                if room < 0 and taken:
                    return "\n".join(taken[key] for key in sorted(taken))
                taken[position, rank] = line
    return "\n".join(taken[key] for key in sorted(taken))


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE_CHARS else flat[: _LINE_CHARS - 1] + "…"
