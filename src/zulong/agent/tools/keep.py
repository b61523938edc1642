"""Long results: the model gets a part, memory keeps the whole, and a tool reads on."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Protocol

from zulong.agent.tools.tool import Tool, tool_from_function


class LoopMemory(Protocol):
    """Where a loop keeps what does not fit into its conversation; the memory graph, or a dictionary."""

    def keep(self, text: str, *, kind: str, meta: Mapping[str, Any] | None = None) -> str:
        """Keep a text (``TOOL_RESULT``, ``DIALOGUE``) durably and return its id."""

    def read(self, memory_id: str) -> str | None:
        """Return a kept text, None when there is none with this id."""

    def recall(self, query: str, limit: int = 5) -> list[tuple[str, str]]:
        """Return (id, text) of what is remembered about a query, best first."""


class ProcessMemory:
    """A memory for one process: a dictionary, recalled by shared words."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: dict[str, str] = {}

    def keep(self, text: str, *, kind: str, meta: Mapping[str, Any] | None = None) -> str:
        """See :class:`LoopMemory`."""
        with self._lock:
            memory_id = f"{kind.lower()}-{len(self._texts) + 1}"
            self._texts[memory_id] = text
        return memory_id

    def read(self, memory_id: str) -> str | None:
        """See :class:`LoopMemory`."""
        return self._texts.get(memory_id)

    def recall(self, query: str, limit: int = 5) -> list[tuple[str, str]]:
        """See :class:`LoopMemory`."""
        from zulong.agent.loop.terms import terms_of

        wanted = terms_of(query)
        scored = [(len(wanted & terms_of(text)), key, text) for key, text in self._texts.items()]
        best = sorted((s for s in scored if s[0]), key=lambda s: -s[0])
        return [(key, text) for _, key, text in best[:limit]]


class GraphMemory:
    """The memory graph as a loop's memory.

    Args:
        graph: a :class:`zulong.memory.MemoryGraph`.
        session: conversation that the memories belong to.
    """

    def __init__(self, graph: Any, session: str = "") -> None:
        self._graph = graph
        self._session = session

    def keep(self, text: str, *, kind: str, meta: Mapping[str, Any] | None = None) -> str:
        """See :class:`LoopMemory`."""
        from zulong.memory import NodeType

        result = self._graph.remember(text, NodeType[kind], meta=dict(meta or {}), session=self._session)
        if result.verdict == "refused":
            raise ValueError(f"The memory refused a {kind}: {result.reason}")
        return str(result.id)

    def read(self, memory_id: str) -> str | None:
        """See :class:`LoopMemory`."""
        try:
            node = self._graph.get(memory_id)
        except KeyError:
            return None
        return None if node is None else str(node.text)

    def recall(self, query: str, limit: int = 5) -> list[tuple[str, str]]:
        """See :class:`LoopMemory`."""
        # A tool may take its time; what matters here is that nothing is missed.
        found = self._graph.recall(query, k=limit, hot_deadline_s=2.0, cold_deadline_s=5.0)
        return [(hit.id, hit.node.text) for hit in found.hits]


def cut_result(text: str, limit: int, memory: LoopMemory, tool: str, call_id: str) -> str:
    """Return a result of at most about ``limit`` characters; a longer one is kept whole and named."""
    return cut_text(text, limit, memory, "TOOL_RESULT", {"tool": tool, "call": call_id})


def cut_text(text: str, limit: int, memory: LoopMemory, kind: str, meta: Mapping[str, Any]) -> str:
    """Return a text of at most about ``limit`` characters; a longer one is kept whole as ``kind`` and named."""
    if len(text) <= limit:
        return text
    try:
        memory_id = memory.keep(text, kind=kind, meta=meta)
    except Exception as error:
        # Losing the rest is worse than a long message, so the model is told that it is gone.
        return f"{text[:limit]}\n[cut after {limit} of {len(text)} characters; the rest could not be kept: {error}]"
    shown = max(1, limit * 3 // 4)
    tail = limit - shown
    end = text[-tail:] if tail else ""
    return (
        f"{text[:shown]}\n[... {len(text) - shown - tail} characters left out; "
        f"read_memory(memory_id={memory_id!r}, offset={shown}) reads on ...]\n{end}"
    )


def memory_tools(memory: LoopMemory, page: int = 4000) -> list[Tool]:
    """Return the tools by which a model reads kept texts and asks its memory."""

    def read_memory(memory_id: str, offset: int = 0) -> str:
        """Read a text that was kept because it was long.

        Args:
            memory_id: id of the text, as a cut result names it.
            offset: character to begin at.
        """
        text = memory.read(memory_id)
        if text is None:
            raise KeyError(f"nothing is kept under {memory_id!r}")
        piece = text[max(0, offset) : max(0, offset) + page]
        rest = len(text) - max(0, offset) - len(piece)
        return piece + (
            f"\n[{rest} characters follow at offset {max(0, offset) + len(piece)}]" if rest > 0 else ""
        )

    def recall_memory(query: str) -> list[dict[str, str]]:
        """Look up what is remembered about something: people, places, earlier tasks and talks.

        Args:
            query: what to look for, in words.
        """
        return [{"id": key, "text": text[:500]} for key, text in memory.recall(query)]

    return [tool_from_function(read_memory), tool_from_function(recall_memory)]
