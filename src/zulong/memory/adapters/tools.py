"""Tool traces: calls, their results and the approvals that they needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.memory.adapters.access import nodes_of, put
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Link, Node, NodeType

_NEXT_WEIGHT, _RESULT_WEIGHT, _TASK_WEIGHT, _LED_TO_WEIGHT = 0.5, 0.9, 0.7, 0.9
_SHOWN = 400
"""Characters of arguments and output that stand in the text; all of it is in the meta."""


@dataclass(slots=True, frozen=True)
class ToolCall:
    """One call; ``id`` as the model gave it, ``task_node`` the id of the memory node of the task, if any."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    stamp: float
    session: str
    task_node: str = ""


@dataclass(slots=True, frozen=True)
class ToolResult:
    """How a call ended: ``output`` (text) or, when it failed, ``error``."""

    call_id: str
    succeeded: bool
    stamp: float
    output: str = ""
    error: str = ""


@dataclass(slots=True, frozen=True)
class ToolApproval:
    """Who allowed or refused a call, and why."""

    call_id: str
    approved: bool
    by: str
    stamp: float
    reason: str = ""


@dataclass(slots=True, frozen=True)
class Trace:
    """A call with what came of it."""

    call: ToolCall
    result: ToolResult | None = field(default=None)
    approval: ToolApproval | None = field(default=None)


class ToolTraceAdapter:
    """Keeps traces as TOOL_CALL, TOOL_RESULT and APPROVAL nodes of one session each.

    A call leads to its result (CAUSAL), follows the call before it (TEMPORAL), belongs to its task (APPLIES_TO);
    a success of a tool is joined to its last failure in the session (FAILED_THEN_SUCCEEDED).
    """

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph

    def called(self, call: ToolCall) -> str:
        """Store a call; returns its node's id. The same call stored twice is one node."""
        id = _call_id(call.session, call.id)
        links: list[Link] = []
        present = self._graph.get(id)
        if present is None:
            before = [node for node in self._calls(call.session) if node.stamp <= call.stamp]
            if before:
                links.append(Link(before[-1].id, EdgeType.TEMPORAL, _NEXT_WEIGHT, incoming=True))
        if call.task_node and self._graph.get(call.task_node) is not None:
            links.append(Link(call.task_node, EdgeType.APPLIES_TO, _TASK_WEIGHT))
        draft = Draft(
            f"{call.name}({_shown(call.arguments)})",
            NodeType.TOOL_CALL,
            id=id,
            stamp=call.stamp,
            session=call.session,
            tags=(f"tool:{call.name}",),
            meta={
                "call_id": call.id,
                "name": call.name,
                "arguments": dict(call.arguments),
                "task_node": call.task_node,
            },
            links=tuple(links),
        )
        return put(self._graph, draft).id

    def returned(self, session: str, result: ToolResult) -> str:
        """Store the result of a call.

        Raises:
            KeyError: the session has no such call.
        """
        call = self._call(session, result.call_id)
        name = str(call.meta["name"])
        end = (
            f"returned {_cut(result.output) or 'nothing'}"
            if result.succeeded
            else f"failed: {_cut(result.error)}"
        )
        draft = Draft(
            f"{name} {end}",
            NodeType.TOOL_RESULT,
            id=f"{call.id}:result",
            stamp=result.stamp,
            session=session,
            tags=(f"tool:{name}", "succeeded" if result.succeeded else "failed"),
            meta={
                "call_id": result.call_id,
                "succeeded": result.succeeded,
                "output": result.output,
                "error": result.error,
            },
            links=(Link(call.id, EdgeType.CAUSAL, _RESULT_WEIGHT, incoming=True),),
        )
        node = put(self._graph, draft)
        if result.succeeded:
            failed = self._last_failure(session, name, call)
            if failed is not None:
                self._graph.link(failed.id, call.id, EdgeType.FAILED_THEN_SUCCEEDED, _LED_TO_WEIGHT)
        return node.id

    def approved(self, session: str, approval: ToolApproval) -> str:
        """Store who allowed or refused a call.

        Raises:
            KeyError: the session has no such call.
        """
        call = self._call(session, approval.call_id)
        verdict = "approved" if approval.approved else "refused"
        draft = Draft(
            f"{approval.by} {verdict} {call.text}" + (f": {approval.reason}" if approval.reason else ""),
            NodeType.APPROVAL,
            id=f"{call.id}:approval",
            stamp=approval.stamp,
            session=session,
            person=approval.by,
            tags=(verdict,),
            meta={
                "call_id": approval.call_id,
                "approved": approval.approved,
                "by": approval.by,
                "reason": approval.reason,
            },
            links=(Link(call.id, EdgeType.APPLIES_TO, _RESULT_WEIGHT),),
        )
        return put(self._graph, draft).id

    def load(self, session: str) -> list[Trace]:
        """Return every trace of a session, in order of the calls."""
        return [self._trace(node) for node in self._calls(session)]

    def failures(self, name: str, arguments: Mapping[str, Any], session: str) -> list[Trace]:
        """Return the calls of a session with the very same arguments that failed, latest first."""
        traces = [trace for trace in self.load(session) if trace.call.name == name]
        same = [trace for trace in traces if dict(trace.call.arguments) == dict(arguments)]
        return [trace for trace in reversed(same) if trace.result is not None and not trace.result.succeeded]

    def _trace(self, node: Node) -> Trace:
        meta = node.meta
        call = ToolCall(
            str(meta["call_id"]), str(meta["name"]), meta["arguments"], node.stamp, node.session, str(meta["task_node"])
        )  # fmt: skip
        result = self._graph.get(f"{node.id}:result")
        approval = self._graph.get(f"{node.id}:approval")
        return Trace(
            call,
            None if result is None else _result(result),
            None if approval is None else _approval(approval),
        )

    def _call(self, session: str, call_id: str) -> Node:
        node = self._graph.get(_call_id(session, call_id))
        if node is None:
            raise KeyError(f"Session {session!r} has no tool call {call_id!r}; store the call first.")
        return node

    def _calls(self, session: str) -> list[Node]:
        nodes = nodes_of(self._graph, [NodeType.TOOL_CALL], session=session)
        return [node for node in nodes if "call_id" in node.meta]

    def _last_failure(self, session: str, name: str, before: Node) -> Node | None:
        for node in reversed(self._calls(session)):
            if node.id == before.id or node.stamp > before.stamp or node.meta["name"] != name:
                continue
            result = self._graph.get(f"{node.id}:result")
            if result is not None:
                return None if result.meta["succeeded"] else node
        return None


def _call_id(session: str, call_id: str) -> str:
    return f"tool:{session}:{call_id}"


def _shown(arguments: Mapping[str, Any]) -> str:
    return _cut(
        ", ".join(
            f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
            for name, value in arguments.items()
        )
    )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _result(node: Node) -> ToolResult:
    meta = node.meta
    return ToolResult(
        str(meta["call_id"]), bool(meta["succeeded"]), node.stamp, str(meta["output"]), str(meta["error"])
    )


def _approval(node: Node) -> ToolApproval:
    meta = node.meta
    return ToolApproval(
        str(meta["call_id"]), bool(meta["approved"]), str(meta["by"]), node.stamp, str(meta["reason"])
    )
