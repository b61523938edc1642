"""The nodes of a task graph as TASK nodes of the memory: any number of them in one durable transaction."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from zulong.memory import records as rec
from zulong.memory import remembering
from zulong.memory.engine import WRITE_TIMEOUT_S, wait_for
from zulong.memory.errors import InvalidMemoryError
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import COMPRESSED_INTO, Draft, EdgeType, Importance, NodeType, stub_text
from zulong.memory.plasticity import forget_pairs
from zulong.memory.transaction import EdgeKey, Transaction
from zulong.memory.writer import Operation

_PARENT_WEIGHT, _DEPENDS_WEIGHT = 0.9, 0.8
_HIERARCHY, _DEPENDENCY = int(EdgeType.HIERARCHY), int(EdgeType.DEPENDENCY)
_PREFIX = "task:"
_LONGEST_TITLE = 2000
_LONGEST_NAME = 120
_ROUNDING = 1e-6
"""An activation is stored in single precision."""


@dataclass(slots=True, frozen=True)
class MirrorNode:
    """One node of a task graph as the memory is to show it.

    Attributes:
        id: in its task graph.
        title: what is to be done; the text of the memory.
        parent: id of the parent, None for a root.
        depends_on: ids of what must be finished first.
        activation: 0..1, see :data:`zulong.tasks.status.ACTIVATION`.
        record: anything else, plain values; kept in the meta.
    """

    id: str
    title: str
    parent: str | None
    depends_on: tuple[str, ...] = ()
    activation: float = 0.0
    record: Mapping[str, Any] = field(default_factory=dict)


class TaskMirror:
    """Writes the nodes of one task, with HIERARCHY and DEPENDENCY edges that are exactly those of the task.

    Edges that join a node to other memories are left alone.

    Args:
        task_id: the thread of the task; node ids are ``task:TASK_ID:NODE_ID``.
    """

    def __init__(self, graph: MemoryGraph, task_id: str, *, robot: str = "") -> None:
        self._graph = graph
        self._task_id = task_id
        self._robot = robot
        self._prefix = f"{_PREFIX}{_name(task_id)}:"

    def id(self, node_id: str) -> str:
        """Return the id of the memory that mirrors a node; a name too long for one is shortened to its digest."""
        return self._prefix + _name(node_id)

    def put(
        self, nodes: Sequence[MirrorNode], gone: Collection[str] = (), *, into: str | None = None
    ) -> Future[Any]:
        """Bring nodes up to date and remove others, in one transaction; the future completes once it is durable.

        An edge to a node that is not mirrored, neither before nor by this call, is left out.

        Args:
            into: the id of the memory that holds what these nodes are about; they become stubs of it: read by
                id and followed by edges, in no search index. None: they are memories of their own.
        """
        drafts = [self._prepared(node, into) for node in nodes]
        removed = [self.id(node_id) for node_id in gone]
        weight = max(1, len(drafts) + len(removed))
        return self._graph.engine.writer.submit(self._operation(nodes, drafts, removed), weight=weight)

    def mirrored(self) -> list[str]:
        """Return the ids, in their task graph, of the nodes that the memory has of this task."""
        return [node_id for _, node_id, _ in _stored(self._graph, self._prefix)]

    # -- the transaction ----------------------------------------------------------------------------------

    def _operation(
        self, nodes: Sequence[MirrorNode], drafts: Sequence[remembering.Prepared], removed: Sequence[str]
    ) -> Operation:
        def operation(tx: Transaction) -> None:
            lost = {uid for uid in map(tx.uid, removed) if uid is not None}
            if lost:
                forget_pairs(tx, lost)
            for uid in lost:
                tx.delete_node(uid)
            fresh: set[int] = set()
            for node, prepared in zip(nodes, drafts, strict=True):
                _write_node(tx, prepared, node.activation, fresh)
            for node in nodes:
                self._write_edges(tx, node, fresh)

        return operation

    def _write_edges(self, tx: Transaction, node: MirrorNode, fresh: Collection[int]) -> None:
        uid = tx.known_uid(self.id(node.id))
        wanted: dict[EdgeKey, float] = {}
        parent = tx.uid(self.id(node.parent)) if node.parent is not None else None
        if parent is not None and parent != uid:
            wanted[parent, uid, _HIERARCHY] = _PARENT_WEIGHT
        for other in node.depends_on:
            needed = tx.uid(self.id(other))
            if needed is not None and needed != uid:
                wanted[uid, needed, _DEPENDENCY] = _DEPENDS_WEIGHT
        if uid not in fresh:  # a node that has just come has no edge that could be out of date
            for key in tx.edges_touching(uid):
                if key not in wanted and self._is_own(tx, key, uid):
                    tx.remove_edge(key)
        for key, weight in wanted.items():
            tx.put_new_edge(key, (weight, tx.now, tx.now))

    def _is_own(self, tx: Transaction, key: EdgeKey, uid: int) -> bool:
        """Tell whether an edge is one that this class made: from the parent, or to a dependency."""
        src, dst, type = key
        if (type, uid) not in ((_HIERARCHY, dst), (_DEPENDENCY, src)):
            return False
        document = tx.document(src if type == _HIERARCHY else dst)
        return document is not None and document[0].startswith(self._prefix)

    def _prepared(self, node: MirrorNode, into: str | None) -> remembering.Prepared:
        text = _plain(node.title).strip()[:_LONGEST_TITLE] or _plain(node.id)[:_LONGEST_NAME] or "task"
        meta: dict[str, Any] = {"task_id": self._task_id, "node": node.id, "record": dict(node.record)}
        if into is not None:
            meta[COMPRESSED_INTO], text = into, stub_text(text)
        draft = Draft(
            text,
            NodeType.TASK,
            id=self.id(node.id),
            importance=Importance.NORMAL,
            robot=self._robot,
            session=_plain(self._task_id),
            meta=meta,
        )
        try:
            return remembering.prepare(draft, None)
        except InvalidMemoryError:  # a record that has no stored form; its words do
            words = _plain(json.dumps(meta, ensure_ascii=False, default=str))
            plain = json.loads(words, parse_int=_bounded)
            return remembering.prepare(dataclasses.replace(draft, meta=plain), None)


def trees(graph: MemoryGraph) -> dict[str, list[str]]:
    """Return the mirrored nodes of every task, the task that was mirrored first coming first.

    Raises:
        MemoryGraphError: the store cannot be read.
    """
    found: dict[str, list[str]] = {}
    for task_id, node_id, _ in sorted(_stored(graph, _PREFIX), key=lambda row: row[2]):
        found.setdefault(task_id, []).append(node_id)
    return found


def _stored(graph: MemoryGraph, prefix: str) -> list[tuple[str, str, int]]:
    """Return (task, node, uid) of each mirrored node whose id begins so; read from the table of ids."""
    start = prefix.encode()

    def operation(tx: Transaction) -> list[tuple[str, str, int]]:
        uids: list[int] = []
        with tx.txn.cursor(db=tx.memory.store.table("ids")) as cursor:
            if cursor.set_range(start):
                for key, value in cursor.iternext():
                    name = bytes(key)
                    if not name.startswith(start):
                        break
                    if name.count(b":") >= 2:  # tasks that were remembered without an id have one colon
                        uids.append(int(rec.UID.unpack(bytes(value))[0]))
        rows: list[tuple[str, str, int]] = []
        for uid in uids:
            document = tx.document(uid)
            if document is not None and {"task_id", "node", "record"} <= document[3].keys():
                rows.append((str(document[3]["task_id"]), str(document[3]["node"]), uid))
        return rows

    rows: list[tuple[str, str, int]] = wait_for(graph.engine.writer.submit(operation), WRITE_TIMEOUT_S)
    return rows


def _write_node(tx: Transaction, prepared: remembering.Prepared, activation: float, fresh: set[int]) -> None:
    draft = prepared.draft
    assert draft.id is not None  # noqa: S101 - drafts are made above
    uid = tx.uid(draft.id)
    if uid is None:
        remembering.remember(tx, prepared)
        uid = tx.known_uid(draft.id)
        fresh.add(uid)
    else:
        document = tx.document(uid)
        if document is not None and (document[1], document[3]) != (draft.text, draft.meta):
            remembering.update(tx, draft.id, {"text": draft.text, "meta": dict(draft.meta)})
    state = tx.state(uid)
    fields: dict[int, Any] = {}
    if state is not None and abs(state[rec.F_ACTIVATION] - activation) > _ROUNDING:
        fields[rec.F_ACTIVATION] = activation
    reviewed = rec.NEVER_AGAIN if COMPRESSED_INTO in draft.meta else 0
    if reviewed:  # as review does with its stubs: no vector, no second look
        tx.txn.delete(rec.UID.pack(uid), db=tx.memory.store.table("vectors"))
    if (
        state is not None
        and reviewed != state[rec.F_REVIEWED]
        and rec.NEVER_AGAIN
        in (
            reviewed,
            state[rec.F_REVIEWED],
        )
    ):
        fields[rec.F_REVIEWED] = reviewed
    if fields:
        tx.change_state(uid, fields)


def _name(name: str) -> str:
    """Return a part of an id: the name itself, or its digest when it is long or has no form in UTF-8."""
    plain = _plain(name)
    if plain == name and 0 < len(name.encode()) <= _LONGEST_NAME:
        return name
    return "sha256-" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _bounded(digits: str) -> int | str:
    number = int(digits) if len(digits) < 20 else None
    return digits if number is None or not -(1 << 63) <= number < 1 << 64 else number
