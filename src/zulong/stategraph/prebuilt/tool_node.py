"""A node that runs the tools that the last message calls."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph._keys import END
from zulong.stategraph.errors import GraphBubbleUp, is_invalid_resume
from zulong.stategraph.types import Command, Send

__all__ = ("ToolCallError", "ToolNode", "tools_condition")


class ToolCallError(Exception):
    """A tool call cannot be run: its tool is unknown or its arguments do not fit. The model is told so."""


class Tool:
    """A callable with a name and a schema, made of a function or of any object with `name` and `invoke`."""

    __slots__ = ("accepts", "async_func", "description", "func", "injected", "name", "target")

    def __init__(self, target: Any) -> None:
        self.target = target
        name = getattr(target, "name", None) or getattr(target, "__name__", None)
        if not isinstance(name, str):
            raise TypeError(
                f"A tool needs a name: {target!r} is neither a function nor an object with `name`."
            )
        self.name = name
        self.description = (getattr(target, "description", None) or inspect.getdoc(target) or "").strip()
        self.func: Callable[..., Any] | None = None
        self.async_func: Callable[..., Any] | None = None
        self.injected: frozenset[str] = frozenset()
        self.accepts: inspect.Signature | None = None
        if inspect.isroutine(target) or not hasattr(target, "invoke"):
            if inspect.iscoroutinefunction(target):
                self.async_func = target
            else:
                self.func = target
            self.accepts = inspect.signature(target)
            known = ("state", "store", "config", "runtime", "tool_call_id")
            self.injected = frozenset(p for p in self.accepts.parameters if p in known)

    def schema(self) -> dict[str, Any]:
        """The tool as models are told of it (OpenAI's function format), without injected parameters."""
        properties: dict[str, Any] = {}
        required = []
        kinds = {
            int: "integer",
            float: "number",
            str: "string",
            bool: "boolean",
            list: "array",
            dict: "object",
        }
        for name, parameter in (self.accepts.parameters if self.accepts else {}).items():
            if name in self.injected:
                continue
            kind = kinds.get(parameter.annotation)
            properties[name] = {"type": kind} if kind else {}
            if parameter.default is inspect.Parameter.empty:
                required.append(name)
        parameters = {"type": "object", "properties": properties, "required": required}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


def _field(message: Any, key: str, default: Any = None) -> Any:
    return message.get(key, default) if isinstance(message, Mapping) else getattr(message, key, default)


def calls_of(message: Any) -> list[dict[str, Any]]:
    """The tool calls of a message as `{"id", "name", "args"}`, also from OpenAI's form.

    Raises:
        ToolCallError: arguments are text that is not JSON of an object.
    """
    found = []
    for call in _field(message, "tool_calls") or ():
        function = call.get("function")
        name, args = (
            (function["name"], function.get("arguments")) if function else (call["name"], call.get("args"))
        )
        if isinstance(args, str):
            try:
                args = json.loads(args or "{}")
            except ValueError as exc:
                raise ToolCallError(f"The arguments of {name} are not JSON: {exc}.") from exc
        if not isinstance(args, dict):
            args = {} if args is None else args
        if not isinstance(args, dict):
            raise ToolCallError(f"The arguments of {name} must be an object, got {type(args).__name__}.")
        found.append({"id": call.get("id"), "name": name, "args": args, "type": "tool_call"})
    return found


class ToolNode:
    """Runs the tool calls of the last message, side by side, and returns their results as messages.

    Works on plain dictionaries and on message objects; results have the form of the message that called.

    Args:
        tools: functions, or objects with `name` and `invoke`.
        name: the node's name.
        handle_tool_errors: True tells the model of an error; False raises it; a function makes the text; a
            class (or tuple) of exceptions says which are told.
        messages_key: the state key of the conversation.
    """

    def __init__(
        self,
        tools: Sequence[Any],
        *,
        name: str = "tools",
        tags: list[str] | None = None,
        handle_tool_errors: Any = True,
        messages_key: str = "messages",
    ) -> None:
        self.tools_by_name = {t.name: t for t in (x if isinstance(x, Tool) else Tool(x) for x in tools)}
        self.name = self.__name__ = name
        self.tags = tags
        self.handle_tool_errors = handle_tool_errors
        self.messages_key = messages_key

    def get_name(self) -> str:
        """The node's name."""
        return self.name

    # -- input ------------------------------------------------------------------------------------

    def _calls(self, state: Any) -> tuple[list[dict[str, Any]], Any, Any]:
        """Calls, the message they stand in, and the state to inject."""
        if isinstance(state, Mapping) and state.get("__type") == "tool_call_with_context":
            return [state["tool_call"]], None, state["state"]
        if (
            isinstance(state, list)
            and state
            and isinstance(state[-1], dict)
            and state[-1].get("type") == "tool_call"
        ):
            return list(state), None, None
        if isinstance(state, list) or (not isinstance(state, Mapping) and isinstance(state, Sequence)):
            messages: Any = state
        elif isinstance(state, Mapping):
            messages = state.get(self.messages_key)
        else:
            messages = getattr(state, self.messages_key, None)
        if not messages:
            raise ValueError("No message found in input")
        for message in reversed(messages):
            if (_field(message, "role") or _field(message, "type")) in ("assistant", "ai"):
                return calls_of(message), message, state
        raise ValueError("No AIMessage found in input")

    # -- running ----------------------------------------------------------------------------------

    def __call__(self, state: Any, config: dict[str, Any]) -> Any:
        """Run the calls in threads, if there are several."""
        calls, message, inject = self._calls(state)
        if len(calls) == 1:
            outputs = [self._run(calls[0], message, inject, config)]
        else:
            from zulong.stategraph.pregel._pool import DEFAULT_LIMIT, Pool

            pool = Pool(config.get("max_concurrency") or DEFAULT_LIMIT, "zulong-tools")
            futures: list[Future[Any]] = [Future() for _ in calls]
            try:
                for call, future in zip(calls, futures, strict=True):
                    pool.submit(self._into, future, call, message, inject, config)
                outputs = [future.result() for future in futures]
            finally:
                pool.close(wait=False)
        return self._combined(outputs, state)

    async def acall(self, state: Any, config: dict[str, Any]) -> Any:
        """Run the calls in the event loop; tools that are not async run in threads."""
        import asyncio

        calls, message, inject = self._calls(state)
        work = (self._arun(call, message, inject, config) for call in calls)
        return self._combined(list(await asyncio.gather(*work)), state)

    def invoke(self, state: Any, config: Any = None, **_: Any) -> Any:
        """Run the calls in `state`."""
        return self(state, config or {})

    async def ainvoke(self, state: Any, config: Any = None, **_: Any) -> Any:
        """Asynchronous twin of `invoke`."""
        return await self.acall(state, config or {})

    def _into(self, future: Future[Any], *args: Any) -> None:
        try:
            future.set_result(self._run(*args))
        except BaseException as exc:
            future.set_exception(exc)

    def _prepare(self, call: dict[str, Any], inject: Any, config: Any) -> tuple[Tool, dict[str, Any]]:
        tool = self.tools_by_name.get(call["name"])
        if tool is None:
            known = ", ".join(self.tools_by_name)
            raise ToolCallError(f"{call['name']} is not a valid tool, try one of [{known}].")
        args = {k: v for k, v in call["args"].items() if k not in tool.injected}
        task = CURRENT_TASK.get()
        for name in tool.injected:
            if name == "state":
                args[name] = inject
            elif name == "config":
                args[name] = config
            elif name == "tool_call_id":
                args[name] = call["id"]
            elif task is not None:
                args[name] = task.runtime if name == "runtime" else task.runtime.store
        if tool.accepts is not None:
            try:
                tool.accepts.bind(**args)
            except TypeError as exc:
                raise ToolCallError(f"The arguments of {tool.name} do not fit: {exc}.") from exc
        return tool, args

    def _run(self, call: dict[str, Any], message: Any, inject: Any, config: Any) -> Any:
        try:
            tool, args = self._prepare(call, inject, config)
            if tool.func is not None:
                result = tool.func(**args)
            elif tool.async_func is not None:
                raise NotImplementedError(
                    f"The tool {tool.name} is async: run the graph with ainvoke or astream."
                )
            else:
                result = tool.target.invoke({**call, "args": args, "type": "tool_call"}, config)
        except GraphBubbleUp:
            raise
        except Exception as exc:
            return self._failed(call, message, exc)
        return self._message(call, message, result)

    async def _arun(self, call: dict[str, Any], message: Any, inject: Any, config: Any) -> Any:
        import asyncio

        try:
            tool, args = self._prepare(call, inject, config)
            if tool.async_func is not None:
                result = await tool.async_func(**args)
            elif tool.func is not None:
                func = tool.func
                result = await asyncio.to_thread(lambda: func(**args))
            else:
                result = await tool.target.ainvoke({**call, "args": args, "type": "tool_call"}, config)
        except GraphBubbleUp:
            raise
        except Exception as exc:
            return self._failed(call, message, exc)
        return self._message(call, message, result)

    # -- output -----------------------------------------------------------------------------------

    def _failed(self, call: dict[str, Any], message: Any, exc: Exception) -> Any:
        how = self.handle_tool_errors
        if is_invalid_resume(exc) or how is False or how is None:
            raise exc
        if isinstance(how, (type, tuple)) and not isinstance(exc, how):
            raise exc
        if isinstance(how, str):
            text = how
        elif callable(how) and not isinstance(how, type):
            text = str(how(exc))
        else:
            text = f"Error: {exc!r}\n Please fix your mistakes."
            if isinstance(exc, ToolCallError):
                text = f"Error: {exc}"
        return self._message(call, message, text, status="error")

    def _message(self, call: dict[str, Any], message: Any, result: Any, *, status: str = "success") -> Any:
        if isinstance(result, (Command, Send)) or (
            isinstance(result, list) and any(isinstance(r, (Command, Send)) for r in result)
        ):
            return result
        if (_field(result, "role") or _field(result, "type")) == "tool":
            return result
        text = result if isinstance(result, str) else _as_text(result)
        kind = type(message).__module__ if message is not None and not isinstance(message, Mapping) else ""
        if kind.startswith("langchain"):
            from langchain_core.messages import ToolMessage

            return ToolMessage(text, name=call["name"], tool_call_id=call["id"], status=status)
        return {
            "role": "tool",
            "name": call["name"],
            "tool_call_id": call["id"],
            "content": text,
            "status": status,
        }

    def _combined(self, outputs: list[Any], state: Any) -> Any:
        flat: list[Any] = []
        for output in outputs:
            flat.extend(output if isinstance(output, list) else [output])
        if any(isinstance(o, (Command, Send)) for o in flat):
            return [o if isinstance(o, (Command, Send)) else {self.messages_key: [o]} for o in flat]
        if isinstance(state, list) and not (
            state and isinstance(state[-1], dict) and state[-1].get("type") == "tool_call"
        ):
            return flat
        return {self.messages_key: flat}


def _as_text(result: Any) -> str:
    try:
        return json.dumps(result, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(result)


def tools_condition(state: Any, messages_key: str = "messages") -> str:
    """For a conditional edge: "tools" if the last message calls tools, else END."""
    messages = state if isinstance(state, list) else _field(state, messages_key)
    if not messages:
        raise ValueError(f"No messages found in input state to tool_edge: {state}")
    return "tools" if _field(messages[-1], "tool_calls") else END
