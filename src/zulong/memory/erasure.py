"""Forgetting on request: what belongs to a person, or to some ids, goes from every place it was kept in."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from zulong.memory import journal
from zulong.memory import records as rec
from zulong.memory.engine import Engine
from zulong.memory.errors import InvalidMemoryError
from zulong.memory.model import EdgeType, Node, NodeType, RecallQuery
from zulong.memory.plasticity import forget_pairs
from zulong.memory.reader import Retriever
from zulong.memory.records import UID
from zulong.memory.store import fetch
from zulong.memory.transaction import Transaction
from zulong.memory.writer import Operation

_LOG = logging.getLogger(__name__)
_BLOCK = 256
_ORDER = b"forgetting"
"""Note under which a permanent request stands until it is done."""


@dataclass(slots=True, frozen=True)
class ForgetResult:
    """What a request to forget removed, by kind; ``journal_ids`` undo it unless it was permanent."""

    nodes: int = 0
    edges: int = 0
    vectors: int = 0
    pairs: int = 0
    journal_entries: int = 0
    index_entries: Mapping[str, int] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    journal_ids: tuple[int, ...] = ()
    permanent: bool = False
    bytes_scrubbed: int = 0


def nodes_of_person(engine: Engine, person: str) -> list[int]:
    """Return the uids of everything that is about a person.

    That is: what carries the person's name in its ``person`` field, the PERSON node itself, what was derived
    from any of these (by the sources it names or over DERIVED_FROM, to the end), and every text that names
    the person by the id or by a name or alias that the PERSON node knows.
    """
    found = set(engine.select(RecallQuery("", person=person, as_of=None)).tolist())
    found |= _superseded(engine, person)
    names = {person}
    for node in engine.nodes(sorted(found)):
        if node is not None and node.type is NodeType.PERSON:
            names |= _names_of(node)
    for id in (person, f"person:{person}"):
        node = engine.node(id)
        if node is not None:
            found.add(node.uid)
            names |= _names_of(node)
    pattern = _name_pattern(names)
    by_source: dict[str, list[int]] = {}
    for node in engine.documents():
        if node.uid not in found and pattern.search(f"{node.id}\n{node.text}\n{node.meta}"):
            found.add(node.uid)
        for source in node.source_ids:
            by_source.setdefault(source, []).append(node.uid)
    return sorted(_with_derived(engine, found, by_source))


def _superseded(engine: Engine, person: str) -> set[int]:
    number = engine.memory.symbols.number(person)
    if number is None:
        return set()
    columns = engine.memory.columns
    count = columns.count
    mine = columns.alive[:count] & (columns.field["person"][:count] == number)
    return set(columns.uid[:count][mine].tolist())


def _names_of(node: Node) -> set[str]:
    names = {str(node.meta.get("name", ""))}
    aliases = node.meta.get("aliases", ())
    if isinstance(aliases, (list, tuple)):
        names |= {str(alias) for alias in aliases}
    return {name for name in names if name.strip()}


def _name_pattern(names: Collection[str]) -> re.Pattern[str]:
    """Latin names match whole words; Chinese has no word ends, so there the name itself is enough."""
    parts = []
    for name in names:
        word = re.escape(name)
        parts.append(rf"(?<![A-Za-z0-9_]){word}(?![A-Za-z0-9_])" if name.isascii() else word)
    return re.compile("|".join(parts), re.IGNORECASE)


def _with_derived(engine: Engine, uids: set[int], by_source: Mapping[str, Sequence[int]]) -> set[int]:
    """Add what was derived from these; its edge to the source may have faded, the name of the source stays."""
    found, todo = set(uids), sorted(uids)
    known = engine.memory.columns.uid
    while todo:
        uid = todo.pop()
        node = engine.nodes([uid])[0]
        for derived in by_source.get(node.id, ()) if node is not None else ():
            if derived not in found:
                found.add(derived)
                todo.append(derived)
        slot = engine.memory.columns.slot(uid)
        if slot < 0:
            continue
        for src, dst, type in engine.memory.topology.touching(slot):
            derived = int(known[src])
            if type == EdgeType.DERIVED_FROM and dst == slot and derived not in found:
                found.add(derived)
                todo.append(derived)
    return found


def forget(
    engine: Engine,
    retriever: Retriever,
    *,
    person: str | None = None,
    ids: Collection[str] | None = None,
    permanent: bool | None = None,
    reason: str = "asked to",
) -> ForgetResult:
    """Remove a person's data, or the memories with these ids; see :meth:`MemoryGraph.forget`."""
    if (person is None) == (ids is None) or person == "":
        raise InvalidMemoryError("Say whom or what to forget: either a person's name or some ids.")
    if isinstance(ids, str):
        raise InvalidMemoryError(f"The ids to forget must be a list of ids, not the text {ids!r}.")
    final = person is not None if permanent is None else permanent
    if person is not None:
        uids = nodes_of_person(engine, person)
    else:
        uids = sorted({uid for uid in map(engine.uid, ids or ()) if uid is not None})
    if final:
        # Written down first: a crash in between must not leave half of it behind.
        order = rec.pack([person, uids])
        engine.write(lambda tx: tx.set_note(_ORDER, order), removal=True)
    return _carry_out(engine, retriever, person, uids, final, reason)


def resume(engine: Engine, retriever: Retriever) -> ForgetResult | None:
    """Finish a request that a crash cut short; None if there is none."""
    with engine.memory.store.reading() as txn:
        raw = fetch(txn, engine.memory.store.table("meta"), _ORDER)
    if raw is None:
        return None
    person, uids = rec.unpack(raw)
    _LOG.warning("A request to forget %d memories was cut short; it is finished now.", len(uids))
    return _carry_out(engine, retriever, person, uids, True, "asked to")


def _carry_out(
    engine: Engine, retriever: Retriever, person: str | None, uids: list[int], final: bool, reason: str
) -> ForgetResult:
    totals = dict.fromkeys(("edges", "vectors", "pairs", "journal_entries"), 0)
    names: list[str] = []
    numbers: list[int] = []
    held = retriever.holds(uids) if uids else {}
    for start in range(0, len(uids), _BLOCK):
        block = uids[start : start + _BLOCK]
        counts, removed, number = engine.write(
            _removal(block, final, reason), weight=len(block), removal=True
        )
        names += removed
        if number:
            numbers.append(number)
        for kind, count in counts.items():
            totals[kind] += count
    everything = uids
    if final:
        totals["journal_entries"], everything = engine.write(
            lambda tx: _remove_traces(tx, set(uids), person), removal=True
        )
    # The indexes follow commits by themselves, so that most entries may be gone before they are asked to forget.
    removed_now = retriever.forget(everything) if everything else {}
    index = {kind: max(held.get(kind, 0), count) for kind, count in removed_now.items()}
    freed = 0
    if final:
        engine.drop_snapshots()
        engine.write(lambda tx: tx.set_note(_ORDER, None), removal=True)
        freed = engine.compact()
    return ForgetResult(
        len(names),
        totals["edges"],
        totals["vectors"],
        totals["pairs"],
        totals["journal_entries"],
        index,
        tuple(names),
        tuple(numbers),
        final,
        freed,
    )


def _removal(uids: list[int], final: bool, reason: str) -> Operation:
    return lambda tx: _remove(tx, uids, final, reason)


def _remove(
    tx: Transaction, uids: list[int], final: bool, reason: str
) -> tuple[dict[str, int], list[str], int]:
    counts = {"edges": 0, "vectors": 0, "pairs": forget_pairs(tx, set(uids))}
    names: list[str] = []
    act = journal.Act(tx, "forget", reason)
    for uid in uids:
        document = tx.document(uid)
        if document is None:
            continue
        names.append(document[0])
        counts["edges"] += len(tx.edges_touching(uid))
        counts["vectors"] += fetch(tx.txn, tx.memory.store.table("vectors"), UID.pack(uid)) is not None
        if final:
            tx.unnamed.add(uid)
            tx.delete_node(uid)
        else:
            act.remove_node(uid)
    return counts, names, 0 if final else act.record()


def _remove_traces(tx: Transaction, uids: set[int], person: str | None) -> tuple[int, list[int]]:
    """Clear journal, change log and symbols of nodes that must not leave even their names behind.

    Returns how many journal entries changed, and all uids this is about, those only journaled included.
    """
    if person is not None:
        uids = uids | _journaled_of(tx, person)
    entries = journal.scrub(tx, uids)
    log = tx.memory.store.table("log")
    with tx.txn.cursor(db=log) as cursor:
        rows = [(bytes(key), rec.unpack(bytes(value))) for key, value in cursor]
    for key, entry in rows:
        if any(uid in uids and id for uid, id in entry["r"]):
            entry["r"] = [[uid, "" if uid in uids else id] for uid, id in entry["r"]]
            tx.txn.put(key, rec.pack(entry), db=log)
    if person is not None:
        number = tx.memory.symbols.number(person)
        columns = tx.memory.columns
        mine = columns.field["person"][: columns.count] == number
        if number is not None and not (mine & columns.alive[: columns.count]).any():
            tx.drop_symbol(number)  # unless something new was remembered of them meanwhile
    return entries, sorted(uids)


def _journaled_of(tx: Transaction, person: str) -> set[int]:
    number = tx.memory.symbols.number(person)
    pattern = _name_pattern({person})
    found: set[int] = set()
    with tx.txn.cursor(db=tx.memory.store.table("journal")) as cursor:
        for value in cursor.iternext(keys=False):
            entry = rec.unpack(bytes(value))
            for uid, document, state, *_ in (*entry["nodes"], *entry["before"]):
                fields = rec.STATE.unpack(state)
                mine = number is not None and fields[rec.F_PERSON] == number
                if mine or (document and pattern.search("\n".join(map(str, rec.unpack_document(document))))):
                    found.add(uid)
    return found


def trace_of(engine: Engine, needle: str) -> list[str]:
    """Return the tables in which the bytes of ``needle`` still occur; for proving that something is gone."""
    wanted = needle.encode()
    found: list[str] = []
    with engine.memory.store.reading() as txn:
        for name in ("nodes", "ids", "symbols", "journal", "log", "edge_meta", "meta"):
            for key, value in txn.cursor(db=engine.memory.store.table(name)):
                if wanted in bytes(key) or wanted in bytes(value):
                    found.append(name)
                    break
    return found
