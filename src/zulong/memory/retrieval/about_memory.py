"""Answers to questions about memory itself, and to questions without words to search for."""

from __future__ import annotations

from typing import Any

import numpy as np

from zulong.memory.model import Hit, Importance, Node, NodeType, RecallQuery
from zulong.memory.reader import MemoryReader
from zulong.memory.retrieval import fusion
from zulong.memory.retrieval.question import Question

_BLOCK = 64
NOT_STORED = (1 << 63) - 1
"""Number of a node that stands in no store: the greatest that fits, which no store ever reaches."""


def newest(reader: MemoryReader, query: RecallQuery, question: Question) -> list[Hit]:
    """Return the latest memories that pass the filters, of the times that the question names."""
    uids = reader.select(query)
    stamp = reader.columns(uids).stamp
    if question.spans:
        inside = fusion.time_match(stamp, question.spans) > 0
        uids, stamp = uids[inside], stamp[inside]
    nodes: list[Node] = []
    order = uids[np.argsort(-stamp, kind="stable")]
    for start in range(0, len(order), _BLOCK):
        found = reader.nodes(order[start : start + _BLOCK])
        nodes += [node for node in found if node is not None and not node.stub]
        if len(nodes) >= query.k:
            break
    del nodes[query.k :]
    return [
        Hit(node.id, node, 1.0 / (1 + rank), {"recency": 1.0 / (1 + rank)}, (node.id,))
        for rank, node in enumerate(nodes)
    ]


def count(reader: MemoryReader, query: RecallQuery, question: Question) -> Hit:
    """Answer "how many memories": one hit made up for the answer, which is no stored node (uid ``NOT_STORED``)."""
    uids = reader.select(query)
    columns = reader.columns(uids)
    inside = np.ones(len(uids), np.bool_)
    if question.spans:
        inside = fusion.time_match(columns.stamp, question.spans) > 0
    types, counts = np.unique(columns.type[inside], return_counts=True)
    by_type = {NodeType(int(type)).name: int(number) for type, number in zip(types, counts, strict=True)}
    total = int(inside.sum())
    chinese = any("\u4e00" <= character <= "\u9fff" for character in query.text)
    listed = ", ".join(f"{number} {name}" for name, number in sorted(by_type.items(), key=lambda i: -i[1]))
    text = f"共有 {total} 条记忆" if chinese else f"There are {total} memories"
    text += f": {listed}." if listed else "."
    now = reader.now()
    meta: dict[str, Any] = {"count": total, "by_type": by_type}
    if total:
        meta |= {"first": float(columns.stamp[inside].min()), "last": float(columns.stamp[inside].max())}
    node = Node(
        "about-memory:count",
        NOT_STORED,
        NodeType.KNOWLEDGE,
        text,
        Importance.TRIVIAL,
        now,
        now,
        now,
        meta=meta,
    )
    return Hit(node.id, node, 1.0, {"about_memory": 1.0}, (node.id,))
