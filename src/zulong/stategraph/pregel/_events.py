"""One stream of everything: runs and nodes that start and end, updates, messages, custom values, as events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from zulong.stategraph._keys import INTERRUPT

#: The stream modes that events are made of.
MODES = ("tasks", "updates", "values", "messages", "custom")


class EventMaker:
    """Turns stream chunks into events `{"event", "name", "run_id", "parent_ids", "metadata", "tags", "data"}`.

    Events: `on_chain_start`, `on_chain_stream` and `on_chain_end` of the graph and of its nodes,
    `on_chain_error`, `on_interrupt`, `on_chat_model_stream` for messages, `on_custom_event`. `metadata["ns"]`
    says in which subgraph.
    """

    def __init__(self, graph: Any, input: Any, config: Mapping[str, Any] | None) -> None:
        self.name = (config or {}).get("run_name") or graph.get_name()
        self.run_id = str((config or {}).get("run_id") or uuid4())
        self.tags = list((config or {}).get("tags") or ())
        self.input = input
        self.latest: Any = None

    def _event(
        self, kind: str, data: Any, *, name: str | None = None, task: str | None = None, ns: Any = ()
    ) -> dict[str, Any]:
        return {
            "event": kind,
            "name": name or self.name,
            "run_id": task or self.run_id,
            "parent_ids": [self.run_id] if task else [],
            "tags": self.tags,
            "metadata": {"ns": tuple(ns)},
            "data": data,
        }

    def start(self) -> dict[str, Any]:
        """The graph starts."""
        return self._event("on_chain_start", {"input": self.input})

    def end(self) -> dict[str, Any]:
        """The graph ended."""
        return self._event("on_chain_end", {"output": self.latest})

    def event(self, chunk: tuple[Any, str, Any]) -> dict[str, Any] | None:
        """The event for a chunk of one of `MODES`, None if it makes none."""
        ns, mode, payload = chunk
        if mode == "values":
            if not ns:
                self.latest = payload
            return None
        if mode == "updates":
            if isinstance(payload, dict) and INTERRUPT in payload:
                return self._event("on_interrupt", {"interrupts": payload[INTERRUPT]}, ns=ns)
            return self._event("on_chain_stream", {"chunk": payload}, ns=ns)
        if mode == "messages":
            message, metadata = payload
            event = self._event(
                "on_chat_model_stream", {"chunk": message}, name=metadata["langgraph_node"], ns=ns
            )
            event["metadata"] = {**metadata, "ns": tuple(ns)}
            return event
        if mode == "custom":
            return self._event("on_custom_event", payload, ns=ns)
        if "result" not in payload:
            data = {"input": payload["input"]}
            return self._event("on_chain_start", data, name=payload["name"], task=payload["id"], ns=ns)
        if payload["error"] is not None:
            data = {"error": payload["error"]}
            return self._event("on_chain_error", data, name=payload["name"], task=payload["id"], ns=ns)
        data = {"output": payload["result"]}
        return self._event("on_chain_end", data, name=payload["name"], task=payload["id"], ns=ns)
