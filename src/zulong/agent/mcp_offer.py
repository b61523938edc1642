"""The loop, or any compiled graph, offered to MCP clients as a tool."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import inspect
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from zulong.agent.codes import TaskCode
from zulong.agent.latch import CancelLatch, latch_in_context

MISSING = "MCP tools need the mcp package: pip install 'zulong[models]'"


class _LeftOut:
    """Stands for a field that the caller did not give and that has no default."""


_LEFT_OUT = _LeftOut()
_REQUIRED: Any = inspect.Parameter.empty


def mcp_server(name: str, instructions: str = "") -> Any:
    """Return an empty MCP server; ``server.run("stdio")`` or ``server.run("streamable-http")`` serves it.

    Raises:
        ImportError: the ``mcp`` package is missing; names the extra.
    """
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise ImportError(MISSING) from error
    return MCPServer(name, instructions=instructions)


def add_loop(server: Any, loop: Any, *, name: str = "do_task", description: str = "") -> None:
    """Offer a :class:`zulong.agent.loop.ToolLoop` as a tool of an MCP server.

    Its result has the outcome's code and name, a message where it did not succeed, the answer, and the thread.
    A client that gives its call up cancels the run.
    """

    async def do_task(instruction: str, thread_id: str = "", max_tool_calls: int = -1) -> dict[str, Any]:
        budget = None if max_tool_calls < 0 else max_tool_calls

        def run(latch: CancelLatch) -> Any:
            if thread_id:
                return loop.resume(thread_id, instruction, cancel=latch)
            return loop.run(instruction, budget=budget, cancel=latch)

        outcome = await _given_up_with_the_call(run)
        return {
            "code": outcome.code,
            "outcome": TaskCode(outcome.code).name,
            "message": outcome.message,
            "answer": outcome.summary,
            "thread_id": outcome.thread_id,
        }

    words = "Have the robot's mind do a task. Give thread_id to answer a question it asked, or to go on from there."
    server.add_tool(do_task, name=name, description=description or words)


def add_graph(server: Any, graph: Any, *, name: str, description: str, input_schema: type) -> None:
    """Offer a compiled StateGraph as a tool of an MCP server.

    Each call is a run of its own. A graph with a checkpointer may ask (``interrupt``): the result then holds
    ``question`` and ``thread_id``, and a second tool, ``<name>_answer``, takes the answer. What goes wrong is told
    to the client in words; a client that gives its call up sets the latch of the run
    (:func:`zulong.agent.latch.current_latch`), and no further superstep begins.

    Args:
        server: see :func:`mcp_server`.
        graph: the compiled graph.
        name, description: of the tool.
        input_schema: a TypedDict, dataclass or Pydantic model whose fields, with their defaults and descriptions,
            become the tool's parameters.
    """
    parameters = list(_parameters(input_schema))
    lives_on = bool(getattr(graph, "checkpointer", None))

    async def run(**fields: Any) -> dict[str, Any]:
        state = {key: value for key, value in fields.items() if value is not _LEFT_OUT}
        return await _run_graph(graph, state, uuid.uuid4().hex if lives_on else "")

    async def answer(thread_id: str, answer: str) -> dict[str, Any]:
        from zulong.stategraph.types import Command

        if not graph.get_state({"configurable": {"thread_id": thread_id}}).interrupts:
            raise _tool_error(f"No question is open in thread {thread_id!r}; call {name} for a new run.")
        return await _run_graph(graph, Command(resume=answer), thread_id)

    run.__name__ = name
    run.__signature__ = inspect.Signature(parameters, return_annotation=dict[str, Any])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": dict[str, Any]}
    server.add_tool(run, name=name, description=description)
    if lives_on:
        words = f"Answer the question that {name} came back with, in its thread."
        server.add_tool(answer, name=f"{name}_answer", description=words)


async def _run_graph(graph: Any, given: Any, thread_id: str) -> dict[str, Any]:
    """Run a graph to its end, its question or the end of the caller's patience."""
    config = {"configurable": {"thread_id": thread_id}} if thread_id else None

    def run(latch: CancelLatch) -> Any:
        last: Any = {}
        questions: list[Any] = []
        with latch_in_context(latch):
            for chunk in graph.stream(given, config, stream_mode="values"):
                if isinstance(chunk, Mapping) and "__interrupt__" in chunk:
                    questions.extend(question.value for question in chunk["__interrupt__"])
                else:
                    last = chunk
                if latch.is_set:
                    break
        if questions:
            return {"question": questions[0] if len(questions) == 1 else questions, "thread_id": thread_id}
        return last if isinstance(last, Mapping) else {"result": last}

    try:
        result = await _given_up_with_the_call(run)
    except Exception as error:
        # Other exceptions the server hides from its clients behind "error executing tool".
        raise _tool_error(
            f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        ) from error
    return _as_json(result)


async def _given_up_with_the_call(run: Callable[[CancelLatch], Any]) -> Any:
    """Run something that blocks in a thread; its latch is set when the client gives its call up."""
    latch = CancelLatch()
    try:
        return await asyncio.to_thread(run, latch)
    except asyncio.CancelledError:
        latch.set("the client no longer wants it")
        raise


def _tool_error(words: str) -> Exception:
    from mcp.server.mcpserver.exceptions import ToolError

    return ToolError(words)


def _as_json(result: Mapping[str, Any]) -> dict[str, Any]:
    import pydantic_core

    plain = pydantic_core.to_jsonable_python(dict(result), serialize_unknown=True, fallback=repr)
    return {str(key): value for key, value in plain.items()}


def _parameters(schema: type) -> Iterator[inspect.Parameter]:
    """Yield the fields of a schema as parameters by name; one that may be left out has a default."""
    from pydantic import Field

    hints = get_type_hints(schema, include_extras=True)
    for name, hint in hints.items():
        if name.startswith("_") or name == "model_config":
            continue
        annotation, default = _described(hint), _REQUIRED
        model_field = getattr(schema, "model_fields", {}).get(name)
        data_field = getattr(schema, "__dataclass_fields__", {}).get(name)
        if model_field is not None:
            annotation, default = model_field.annotation, copy.copy(model_field)
        elif data_field is not None and data_field.default is not dataclasses.MISSING:
            default = data_field.default
        elif data_field is not None and data_field.default_factory is not dataclasses.MISSING:
            default = Field(default_factory=data_field.default_factory)
        elif _may_be_left_out(schema, name, hint):
            default = Field(default_factory=lambda: _LEFT_OUT)
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _may_be_left_out(schema: type, name: str, hint: Any) -> bool:
    """Return whether a field of a TypedDict is not required.

    Where annotations are texts (``from __future__ import annotations``) only its resolved type says so: such a class
    takes every field for as required as its own ``total``.
    """
    if not hasattr(schema, "__required_keys__"):
        return False
    mark = getattr(get_origin(hint), "_name", "")
    if mark in ("Required", "NotRequired"):
        return mark == "NotRequired"
    return name not in schema.__required_keys__


def _described(hint: Any) -> Any:
    """Return a field's type with what describes it to a caller; reducers and other marks are the graph's own."""
    origin = get_origin(hint)
    if getattr(origin, "_name", "") in ("Required", "NotRequired", "ReadOnly"):
        return _described(get_args(hint)[0])
    if origin is not Annotated:
        return hint
    inner, *marks = get_args(hint)
    kept = [mark for mark in marks if type(mark).__module__.split(".")[0] in ("pydantic", "annotated_types")]
    return Annotated[(_described(inner), *kept)] if kept else _described(inner)
