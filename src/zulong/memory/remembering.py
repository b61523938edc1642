"""From a draft to a stored node: validation on the caller's thread, the write itself on the writer's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.memory import records as rec
from zulong.memory.errors import InvalidMemoryError
from zulong.memory.model import (
    COMPRESSED_INTO,
    Draft,
    EdgeType,
    Importance,
    Link,
    NodeType,
    Place,
    RememberResult,
    stub_text,
)
from zulong.memory.plasticity import set_importance, touch
from zulong.memory.reader import Admission
from zulong.memory.transaction import Transaction

MAX_TEXT_BYTES = 1 << 20
MAX_ID_BYTES = 400
DERIVED_WEIGHT = 0.8
CONTRADICTS_WEIGHT = 0.6


@dataclass(slots=True, frozen=True)
class Prepared:
    """A validated draft with everything decided that can be decided outside the transaction."""

    draft: Draft
    importance: Importance
    tags: tuple[str, ...]
    contradicts: tuple[str, ...]
    duplicate_of: str
    refused: str
    text_key: bytes


def check_weight(weight: float) -> float:
    """Return ``weight`` if it is a number above 0 and at most 1.

    Raises:
        InvalidMemoryError: it is not.
    """
    if not (isinstance(weight, (int, float)) and 0.0 < weight <= 1.0):
        raise InvalidMemoryError(f"An edge weight must be above 0 and at most 1, not {weight!r}.")
    return float(weight)


def check_id(id: str) -> str:
    """Return ``id`` if it can be a key.

    Raises:
        InvalidMemoryError: it is empty, too long, or holds what UTF-8 cannot.
    """
    try:
        size = len(id.encode())
    except UnicodeEncodeError as error:
        raise InvalidMemoryError(f"The id {id!r} holds characters that UTF-8 has no form for.") from error
    if not 0 < size <= MAX_ID_BYTES:
        raise InvalidMemoryError(f"An id must have 1 to {MAX_ID_BYTES} bytes, not {size}.")
    return id


def pack_meta(meta: Mapping[str, Any] | None) -> bytes:
    """Return ``meta`` encoded, nothing for an empty one.

    Raises:
        InvalidMemoryError: it holds something that has no plain form.
    """
    return rec.pack_document("", "", (), meta, ()) if meta else b""


def prepare(draft: Draft, admission: Admission | None) -> Prepared:
    """Validate a draft and join it with what the door said.

    Raises:
        InvalidMemoryError: the draft cannot be stored as it is; the message says which part.
    """
    if not isinstance(draft.text, str):
        raise InvalidMemoryError(f"The text of a memory must be a string, not {type(draft.text).__name__}.")
    try:
        size = len(draft.text.encode())
    except UnicodeEncodeError as error:
        raise InvalidMemoryError(
            "The text of a memory holds characters that UTF-8 has no form for."
        ) from error
    if size > MAX_TEXT_BYTES:
        raise InvalidMemoryError(
            f"The text of a memory has {size} bytes, more than {MAX_TEXT_BYTES}; cut it into DOCUMENT chunks."
        )
    if draft.id is not None:
        check_id(draft.id)
    for name, time in (
        ("stamp", draft.stamp),
        ("valid_from", draft.valid_from),
        ("valid_to", draft.valid_to),
    ):
        if time is not None and math.isnan(time):
            raise InvalidMemoryError(f"The {name} of a memory is not a number.")
    if draft.stamp is not None and not abs(draft.stamp) < 1e12:
        raise InvalidMemoryError(f"The stamp {draft.stamp!r} is not in seconds since the epoch.")
    if draft.place is not None and not math.isfinite(draft.place.x + draft.place.y + draft.place.z):
        raise InvalidMemoryError("The place of a memory must have finite coordinates in metres.")
    for link in draft.links:
        check_weight(link.weight)
    # Encoded once here, so that what msgpack refuses never reaches the writer.
    rec.pack_document("", "", draft.tags, draft.meta, draft.source_ids)
    refused = ""
    if not draft.text.strip():
        refused = "The text is empty."
    elif admission is not None and admission.verdict == "refuse":
        refused = admission.reason or "The door refused it."
    importance = draft.importance
    if importance is None:
        importance = admission.importance if admission is not None else Importance.NORMAL
    tags = tuple(dict.fromkeys((*draft.tags, *(admission.tags if admission is not None else ()))))
    return Prepared(
        draft,
        Importance(importance),
        tags,
        admission.contradicts if admission is not None else (),
        admission.duplicate_of if admission is not None and admission.verdict == "strengthen" else "",
        refused,
        rec.text_key(
            draft.text,
            int(draft.type),
            draft.person,
            draft.session,
        ),
    )


def place_fields(tx: Transaction, place: Place | None) -> tuple[float, float, float, int, int]:
    """Return x, y, z, frame and room as a STATE holds them."""
    if place is None:
        return math.nan, math.nan, math.nan, 0, 0
    return place.x, place.y, place.z, tx.symbol(place.frame or "map"), tx.symbol(place.room)


def remember(tx: Transaction, prepared: Prepared) -> RememberResult:
    """Store one prepared draft, or strengthen what already says the same."""
    draft = prepared.draft
    if prepared.refused:
        return RememberResult("", "refused", prepared.refused)
    for link in draft.links:
        tx.known_uid(link.dst)  # before the first write: an unknown end refuses the whole draft
    if draft.id is not None:
        present = tx.uid(draft.id)
        if present is not None:
            return _meet_again(tx, present, prepared)
    else:
        owner = _text_owner(tx, prepared.text_key)
        if owner is None and prepared.duplicate_of:
            owner = tx.uid(prepared.duplicate_of)
        if owner is not None:
            return _strengthen(tx, owner, prepared, "It says the same as a memory that is already there.")
    uid = tx.take_uid()
    id = draft.id or _free_id(tx, draft.type, uid)
    stamp = tx.now if draft.stamp is None else draft.stamp
    x, y, z, frame, room = place_fields(tx, draft.place)
    state = (
        stamp,
        tx.now,
        tx.now,
        stamp if draft.valid_from is None else draft.valid_from,
        math.inf if draft.valid_to is None else draft.valid_to,
        x,
        y,
        z,
        0.0,
        0,
        frame,
        room,
        tx.symbol(draft.robot),
        tx.symbol(draft.person),
        tx.symbol(draft.session),
        int(draft.type),
        int(prepared.importance),
        0,
    )
    document = rec.pack_document(id, draft.text, prepared.tags, draft.meta, draft.source_ids)
    tx.put_node(uid, document, state, id, prepared.text_key)
    _join(tx, uid, draft.links, draft.source_ids)
    for other in prepared.contradicts:
        _contradict(tx, uid, other, stamp)
    return RememberResult(id, "added")


def _text_owner(tx: Transaction, key: bytes) -> int | None:
    """Return who says this already; a stub, which recall does not find, gives the text up."""
    owner = tx.text_owner(key)
    document = None if owner is None else tx.document(owner)
    if owner is not None and document is not None and COMPRESSED_INTO in document[3]:
        tx.move_text_key(owner, key, None)
        return None
    return owner


def _free_id(tx: Transaction, type: NodeType, uid: int) -> str:
    id = f"{type.name.lower()}:{uid}"
    while tx.uid(id) is not None:
        id += "'"
    return id


def _meet_again(tx: Transaction, uid: int, prepared: Prepared) -> RememberResult:
    document = tx.document(uid)
    if (
        document is not None
        and COMPRESSED_INTO in document[3]
        and document[1] == stub_text(prepared.draft.text)
    ):
        return RememberResult(document[0], "strengthened", "It was compressed and is kept in a summary.")
    if document is not None and document[1] != prepared.draft.text:
        return RememberResult(
            document[0],
            "refused",
            f"The id {document[0]!r} is taken by a memory with another text; use update() to change that one.",
        )
    return _strengthen(tx, uid, prepared, "A memory with this id is already there.")


def _strengthen(tx: Transaction, uid: int, prepared: Prepared, reason: str) -> RememberResult:
    touch(tx, uid)
    state = tx.state(uid)
    if state is not None and prepared.importance > state[rec.F_IMPORTANCE]:
        set_importance(tx, uid, prepared.importance)
    _join(tx, uid, prepared.draft.links, prepared.draft.source_ids)
    document = tx.document(uid)
    return RememberResult(document[0] if document else "", "strengthened", reason)


def _join(tx: Transaction, uid: int, links: Sequence[Link], sources: Sequence[str]) -> None:
    for link in links:
        other = tx.known_uid(link.dst)
        src, dst = (other, uid) if link.incoming else (uid, other)
        if src != dst:
            join(tx, src, dst, link.type, link.weight, link.meta)
    for source in sources:
        other_uid = tx.uid(source)
        if other_uid is not None and other_uid != uid:
            join(tx, uid, other_uid, EdgeType.DERIVED_FROM, DERIVED_WEIGHT)


def join(
    tx: Transaction,
    src: int,
    dst: int,
    type: EdgeType,
    weight: float,
    meta: Mapping[str, Any] | None = None,
) -> None:
    """Store an edge between live nodes; one that is there keeps the greater weight and is reinforced now."""
    key = (src, dst, int(type))
    if tx.put_new_edge(key, (weight, tx.now, tx.now), meta):
        return
    before, created = tx.edge(key), tx.now
    if before is not None:
        left = tx.weight_of(key)
        if left is not None:
            weight, created = max(weight, left), before[2]
    tx.put_edge(key, (weight, tx.now, created), meta)


def _contradict(tx: Transaction, uid: int, other_id: str, stamp: float) -> None:
    """Keep both sides: the older one stays and is valid until the newer begins, and both are joined."""
    other = tx.uid(other_id)
    if other is None or other == uid:
        return
    state = tx.state(other)
    if state is None:
        return
    older, newer = (other, uid) if state[rec.F_STAMP] <= stamp else (uid, other)
    begin = max(stamp, state[rec.F_STAMP])
    older_state = tx.state(older)
    if older_state is not None and older_state[rec.F_VALID_TO] > begin:
        tx.change_state(older, {rec.F_VALID_TO: begin})
        tx.changed.add(older)
    join(tx, newer, older, EdgeType.CONTRADICTS, CONTRADICTS_WEIGHT)


_UPDATABLE = frozenset(
    {"text", "tags", "meta", "importance", "valid_from", "valid_to", "activation", "place", "stamp"}
)


def check_update(id: str, changes: Mapping[str, Any]) -> None:
    """Validate the fields of an update.

    Raises:
        InvalidMemoryError: a field is unknown or its value cannot be stored.
    """
    unknown = set(changes) - _UPDATABLE
    if unknown:
        raise InvalidMemoryError(
            f"A memory has no changeable field {sorted(unknown)[0]!r}; there are {', '.join(sorted(_UPDATABLE))}."
        )
    text = changes.get("text", "x")
    draft = Draft(
        text,
        tags=tuple(changes.get("tags", ())),
        meta=changes.get("meta", {}),
        stamp=changes.get("stamp"),
        valid_from=changes.get("valid_from"),
        valid_to=changes.get("valid_to"),
        place=changes.get("place"),
    )
    if prepare(draft, None).refused:
        raise InvalidMemoryError(f"The text of memory {id!r} cannot be made empty; forget it instead.")
    activation = changes.get("activation", 0.0)
    if not 0.0 <= activation <= 1.0:
        raise InvalidMemoryError(f"An activation must lie between 0 and 1, not {activation!r}.")


def update(tx: Transaction, id: str, changes: Mapping[str, Any]) -> int:
    """Apply checked changes to one node; returns its uid."""
    uid = tx.known_uid(id)
    document = tx.document(uid)
    assert document is not None  # noqa: S101 - the id table and the node table change together
    fields: dict[int, Any] = {}
    for name, position in (
        ("stamp", rec.F_STAMP),
        ("valid_from", rec.F_VALID_FROM),
        ("valid_to", rec.F_VALID_TO),
        ("activation", rec.F_ACTIVATION),
    ):
        if changes.get(name) is not None:
            fields[position] = float(changes[name])
    if "place" in changes:
        x, y, z, frame, room = place_fields(tx, changes["place"])
        fields |= {rec.F_X: x, rec.F_Y: y, rec.F_Z: z, rec.F_FRAME: frame, rec.F_ROOM: room}
    if fields:
        tx.change_state(uid, fields)
    if changes.get("importance") is not None:
        set_importance(tx, uid, Importance(changes["importance"]))
    if changes.keys() & {"text", "tags", "meta"}:
        _, text, tags, meta, sources = document
        old_key = tx.text_key_of(uid)
        new_text = changes.get("text", text)
        if "text" in changes and "meta" not in changes:
            meta.pop(COMPRESSED_INTO, None)  # a stub that is given a text is a memory again
        packed = rec.pack_document(
            id, new_text, tuple(changes.get("tags", tags)), changes.get("meta", meta), tuple(sources)
        )
        tx.put_document(uid, packed)
        if new_text != text:
            tx.move_text_key(uid, old_key, tx.text_key_of(uid))
            tx.txn.delete(rec.UID.pack(uid), db=tx.memory.store.table("vectors"))
    if changes.keys() - {"activation"}:
        tx.changed.add(uid)
    return uid
