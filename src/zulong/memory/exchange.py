"""Export and import: JSON lines that give back the same memory, GraphML for other tools.

JSON lines: first a header, then one object a node, then one object an edge. Infinite times are null.
GraphML holds the same fields as attributes, lists and meta as JSON text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, iterparse
from xml.sax.saxutils import escape, quoteattr

from zulong.memory import records as rec
from zulong.memory.engine import WRITE_TIMEOUT_S, Engine, wait_for
from zulong.memory.errors import InvalidMemoryError
from zulong.memory.model import Edge, EdgeType, Importance, Node, NodeType, Place
from zulong.memory.remembering import check_id, check_weight, pack_meta, place_fields
from zulong.memory.transaction import Transaction
from zulong.memory.writer import Operation

FORMAT = "zulong-memory"
VERSION = 1
_BLOCK = 512
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


@dataclass(slots=True, frozen=True)
class Transferred:
    """How many nodes and edges were written or read; ``skipped`` were there already or had a missing end."""

    nodes: int
    edges: int
    skipped: int = 0


# -- plain objects --------------------------------------------------------------------------------------


def node_object(node: Node) -> dict[str, Any]:
    """Return a node as plain JSON values."""
    place = node.place
    return {
        "id": node.id,
        "type": node.type.name,
        "text": node.text,
        "importance": node.importance.name,
        "stamp": node.stamp,
        "created_at": node.created_at,
        "last_access": node.last_access,
        "access_count": node.access_count,
        "activation": node.activation,
        "tags": list(node.tags),
        "meta": dict(node.meta),
        "place": None if place is None else [place.x, place.y, place.z, place.frame, place.room],
        "robot": node.robot,
        "person": node.person,
        "session": node.session,
        "source_ids": list(node.source_ids),
        "valid_from": _finite(node.valid_from),
        "valid_to": _finite(node.valid_to),
    }


def edge_object(edge: Edge) -> dict[str, Any]:
    """Return an edge as plain JSON values."""
    return {
        "src": edge.src,
        "dst": edge.dst,
        "type": edge.type.name,
        "weight": edge.base_weight,
        "reinforced_at": edge.reinforced_at,
        "created_at": edge.created_at,
        "meta": dict(edge.meta),
    }


def _finite(time: float) -> float | None:
    return time if math.isfinite(time) else None


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"__bytes__": value.hex()}
    raise TypeError(f"a {type(value).__name__}")


def _from_plain(value: dict[str, Any]) -> Any:
    return bytes.fromhex(value["__bytes__"]) if value.keys() == {"__bytes__"} else value


def all_edges(engine: Engine) -> Iterator[Edge]:
    """Iterate every edge that has not faded away, in order of its ends."""
    last = b""
    while True:
        keys: list[tuple[int, int, int]] = []
        with (
            engine.memory.store.reading() as txn,
            txn.cursor(db=engine.memory.store.table("edges")) as cursor,
        ):
            found = cursor.set_range(last) if last else cursor.first()
            while found and len(keys) < _BLOCK:
                keys.append(rec.EDGE_KEY.unpack(cursor.key()))
                last = bytes(cursor.key()) + b"\0"
                found = cursor.next()
        if not keys:
            return
        yield from engine.edges(keys)


# -- JSON lines -----------------------------------------------------------------------------------------


def export_jsonl(engine: Engine, path: str | Path) -> Transferred:
    """Write the whole memory as JSON lines; the file appears once it is complete."""
    nodes = edges = 0
    target = Path(path)
    temporary = target.with_name(target.name + ".new")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(json.dumps({"format": FORMAT, "version": VERSION}) + "\n")
        for node in engine.documents():
            line = json.dumps({"node": node_object(node)}, ensure_ascii=False, default=_plain)
            file.write(line + "\n")
            nodes += 1
        for edge in all_edges(engine):
            file.write(json.dumps({"edge": edge_object(edge)}, ensure_ascii=False, default=_plain) + "\n")
            edges += 1
    temporary.replace(target)
    return Transferred(nodes, edges)


def import_jsonl(engine: Engine, path: str | Path) -> Transferred:
    """Add what an export holds; nodes whose id is there already are skipped, edges keep the one that is there.

    Raises:
        InvalidMemoryError: a line is not what an export writes; it is named. Earlier blocks stay imported.
    """
    with Path(path).open(encoding="utf-8") as file:
        return _import(engine, _read_lines(file))


def _read_lines(file: Iterable[str]) -> Iterator[tuple[str, dict[str, Any], str]]:
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            value = json.loads(line, object_hook=_from_plain)
        except ValueError as error:
            raise InvalidMemoryError(f"In {where} of the import: not JSON ({error}).") from error
        if not isinstance(value, dict):
            raise InvalidMemoryError(f"In {where} of the import: an object is expected.")
        if number == 1 and "format" in value:
            if value.get("format") != FORMAT or value.get("version") != VERSION:
                raise InvalidMemoryError(f"The import is not a {FORMAT} file of version {VERSION}.")
        elif isinstance(value.get("node"), dict):
            yield "node", value["node"], where
        elif isinstance(value.get("edge"), dict):
            yield "edge", value["edge"], where
        else:
            raise InvalidMemoryError(f"In {where} of the import: neither a node nor an edge.")


def _import(engine: Engine, items: Iterator[tuple[str, dict[str, Any], str]]) -> Transferred:
    counts = {"node": 0, "edge": 0}
    skipped = 0
    block: list[Callable[[Transaction], bool]] = []
    kinds: list[str] = []

    def flush() -> None:
        nonlocal skipped
        outcomes = wait_for(engine.writer.submit(_all(block.copy()), weight=len(block)), WRITE_TIMEOUT_S)
        for kind, done in zip(kinds, outcomes, strict=True):
            counts[kind] += done
            skipped += not done
        block.clear()
        kinds.clear()

    for kind, value, where in items:
        try:
            block.append(_node_writer(value) if kind == "node" else _edge_writer(value))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidMemoryError(
                f"In {where} of the import: this {kind} cannot be read ({error})."
            ) from error
        kinds.append(kind)
        if len(block) >= _BLOCK:
            flush()
    if block:
        flush()
    return Transferred(counts["node"], counts["edge"], skipped)


def _all(writers: list[Callable[[Transaction], bool]]) -> Operation:
    return lambda tx: [write(tx) for write in writers]


def _node_writer(value: Mapping[str, Any]) -> Callable[[Transaction], bool]:
    id, text = check_id(str(value["id"])), str(value["text"])
    tags = tuple(map(str, value.get("tags", ())))
    sources = tuple(map(str, value.get("source_ids", ())))
    meta = dict(value.get("meta", {}))
    pack_meta(meta)
    document = rec.pack_document(id, text, tags, meta, sources)
    type, importance = NodeType[value["type"]], Importance[value["importance"]]
    raw_place = value.get("place")
    place = None if raw_place is None else _place(raw_place)
    person, session, robot = (str(value.get(name, "")) for name in ("person", "session", "robot"))
    times = [float(value[name]) for name in ("stamp", "created_at", "last_access")]
    if not all(map(math.isfinite, times)):
        raise ValueError("a time is not finite")
    valid_from, valid_to = value.get("valid_from"), value.get("valid_to")

    def write(tx: Transaction) -> bool:
        if tx.uid(id) is not None:
            return False
        x, y, z, frame, room = place_fields(tx, place)
        state = (
            *times,
            -math.inf if valid_from is None else float(valid_from),
            math.inf if valid_to is None else float(valid_to),
            x,
            y,
            z,
            float(value.get("activation", 0.0)),
            int(value.get("access_count", 0)),
            frame,
            room,
            tx.symbol(robot),
            tx.symbol(person),
            tx.symbol(session),
            int(type),
            int(importance),
            0,
        )
        tx.put_node(tx.take_uid(), document, state, id, rec.text_key(text, int(type), person, session))
        return True

    return write


def _place(raw: Sequence[Any]) -> Place:
    x, y, z, frame, room = raw
    if not math.isfinite(x + y + z):
        raise ValueError("its place is not finite")
    return Place(float(x), float(y), float(z), str(frame), str(room))


def _edge_writer(value: Mapping[str, Any]) -> Callable[[Transaction], bool]:
    src_id, dst_id, type = str(value["src"]), str(value["dst"]), EdgeType[value["type"]]
    weight = check_weight(float(value["weight"]))
    reinforced, created = float(value["reinforced_at"]), float(value["created_at"])
    if not math.isfinite(reinforced + created):
        raise ValueError("a time is not finite")
    meta = dict(value.get("meta", {}))
    pack_meta(meta)

    def write(tx: Transaction) -> bool:
        src, dst = tx.uid(src_id), tx.uid(dst_id)
        if src is None or dst is None or tx.edge((src, dst, int(type))) is not None:
            return False
        tx.put_edge((src, dst, int(type)), (weight, reinforced, created), meta)
        return True

    return write


# -- GraphML --------------------------------------------------------------------------------------------

_NODE_KEYS = {
    "type": "string",
    "text": "string",
    "importance": "string",
    "stamp": "double",
    "created_at": "double",
    "last_access": "double",
    "access_count": "long",
    "activation": "double",
    "tags": "string",
    "meta": "string",
    "place": "string",
    "robot": "string",
    "person": "string",
    "session": "string",
    "source_ids": "string",
    "valid_from": "double",
    "valid_to": "double",
}
_EDGE_KEYS = {
    "type": "string",
    "weight": "double",
    "reinforced_at": "double",
    "created_at": "double",
    "meta": "string",
}
_JSON_FIELDS = frozenset({"tags", "meta", "place", "source_ids"})
_NUMBERS: dict[str, Callable[[str], Any]] = {"double": float, "long": int}
# XML 1.0 has no form for these, not even as references; they become JSON escapes inside a marked value.
_UNSPEAKABLE = {code for code in range(32) if code not in (9, 10, 13)} | {0xFFFE, 0xFFFF}
_ESCAPED = "json:"


def export_graphml(engine: Engine, path: str | Path) -> Transferred:
    """Write the whole memory as GraphML; the file appears once it is complete."""
    nodes = edges = 0
    target = Path(path)
    temporary = target.with_name(target.name + ".new")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_NAMESPACE}">\n')
        for prefix, kind, keys in (("n_", "node", _NODE_KEYS), ("e_", "edge", _EDGE_KEYS)):
            for name, type in keys.items():
                file.write(f'<key id="{prefix}{name}" for="{kind}" attr.name="{name}" attr.type="{type}"/>\n')
        file.write('<graph edgedefault="directed">\n')
        for node in engine.documents():
            value = node_object(node)
            file.write(f"<node id={_attribute(value['id'])}>{_fields('n_', _NODE_KEYS, value)}</node>\n")
            nodes += 1
        for edge in all_edges(engine):
            value = edge_object(edge)
            ends = f"source={_attribute(value['src'])} target={_attribute(value['dst'])}"
            file.write(f"<edge {ends}>{_fields('e_', _EDGE_KEYS, value)}</edge>\n")
            edges += 1
        file.write("</graph>\n</graphml>\n")
    temporary.replace(target)
    return Transferred(nodes, edges)


def _attribute(text: str) -> str:
    return quoteattr(_speakable(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _speakable(text: str) -> str:
    if text.startswith(_ESCAPED) or any(ord(letter) in _UNSPEAKABLE for letter in text):
        return _ESCAPED + json.dumps(text)
    return text


def _spoken(text: str) -> str:
    return str(json.loads(text[len(_ESCAPED) :])) if text.startswith(_ESCAPED) else text


def _fields(prefix: str, keys: Mapping[str, str], value: Mapping[str, Any]) -> str:
    parts: list[str] = []
    for name, type in keys.items():
        field = value[name]
        if field is None:
            continue
        if name in _JSON_FIELDS:
            text = json.dumps(field, ensure_ascii=True, default=_plain)
        else:
            text = repr(field) if type in _NUMBERS else _speakable(str(field))
        parts.append(f'<data key="{prefix}{name}">{escape(text, {chr(13): "&#13;"})}</data>')
    return "".join(parts)


def import_graphml(engine: Engine, path: str | Path) -> Transferred:
    """Add what a GraphML export of this module holds; see :func:`import_jsonl`.

    Raises:
        InvalidMemoryError: the file declares entities, or is not such an export.
    """
    _reject_doctype(Path(path))
    return _import(engine, _read_graphml(Path(path)))


def _reject_doctype(path: Path) -> None:
    """Entity declarations can make a small file expand without end; an export has none."""
    with path.open("rb") as file:
        tail = b""
        while block := file.read(1 << 20):
            if b"<!DOCTYPE" in tail + block or b"<!ENTITY" in tail + block:
                raise InvalidMemoryError(f"The GraphML file {path} declares entities; an export has none.")
            tail = block[-16:]


def _read_graphml(path: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    number = 0
    try:
        for _, element in iterparse(path):  # noqa: S314 - entities are refused above
            tag = element.tag.rpartition("}")[2]
            if tag not in ("node", "edge"):
                continue
            number += 1
            value = _element_fields(element, _NODE_KEYS if tag == "node" else _EDGE_KEYS)
            if tag == "node":
                value["id"] = _spoken(element.attrib["id"])
            else:
                value["src"], value["dst"] = (_spoken(element.attrib[end]) for end in ("source", "target"))
            yield tag, value, f"element {number}"
            element.clear()
    except (SyntaxError, KeyError, ValueError) as error:
        raise InvalidMemoryError(
            f"The GraphML file {path} cannot be read at element {number} ({error})."
        ) from error


def _element_fields(element: Element, keys: Mapping[str, str]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for data in element:
        name = data.attrib.get("key", "")[2:]
        if name not in keys:
            continue
        text = data.text or ""
        if name in _JSON_FIELDS:
            value[name] = json.loads(text, object_hook=_from_plain)
        else:
            value[name] = _NUMBERS[keys[name]](text) if keys[name] in _NUMBERS else _spoken(text)
    return value
