"""Tools from MCP servers; the other way round, what is offered to MCP clients, is in ``mcp_offer``.

The connection lives on an event loop in a thread of its own; to the agent its tools are ordinary internal
tools with time limits.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TextIO, TypeVar
from urllib.parse import urlsplit

from zulong.agent.latch import CancelLatch
from zulong.agent.mcp_offer import MISSING, add_graph, add_loop, mcp_server
from zulong.agent.tools.tool import Tool

__all__ = ["McpConnection", "McpError", "McpServerSettings", "add_graph", "add_loop", "mcp_server"]

logger = logging.getLogger(__name__)

T = TypeVar("T")
_MOST_TOOLS = 1_000
_APPROVALS = ("never", "risky", "always")


class McpError(RuntimeError):
    """An MCP server cannot be reached, does not answer in time, or reports an error."""


@dataclass(slots=True, frozen=True)
class McpServerSettings:
    """Where an MCP server is: a program that speaks over its pipes, or an address.

    Attributes:
        name: prefix of its tools' names.
        command: program and arguments for stdio; empty for HTTP.
        url: address for streamable HTTP; empty for stdio.
        environment: further environment variables for the program.
        token_variable: environment variable that holds the token for the address (sent as ``Bearer``); "" for none.
        time_limit_s: longest wait for a connection or a call.
        approval: of tools that are not marked read-only: never, risky or always.
    """

    name: str
    command: Sequence[str] = ()
    url: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    token_variable: str = ""
    time_limit_s: float = 30.0
    approval: str = "risky"

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("An MCP server needs a name; it stands before the names of its tools.")
        if isinstance(self.command, str):
            raise ValueError(
                f"MCP server {self.name!r}: command must be a list of program and arguments, "
                f"such as {self.command.split()}."
            )
        if self.approval not in _APPROVALS:
            raise ValueError(
                f"MCP server {self.name!r}: approval must be one of {', '.join(_APPROVALS)}, not {self.approval!r}."
            )
        if not self.time_limit_s > 0:
            raise ValueError(
                f"MCP server {self.name!r}: time_limit_s must be positive, got {self.time_limit_s}."
            )
        if self.url and urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"MCP server {self.name!r}: the url must begin with http:// or https://.")
        if bool(self.command) == bool(self.url):
            raise ValueError(f"MCP server {self.name!r} needs either a command or a url, not both or none.")
        if "@" in urlsplit(self.url).netloc:
            raise ValueError(
                f"MCP server {self.name!r}: the url holds a name or a password: secrets come from the environment, "
                f"see token_variable."
            )


class McpConnection:
    """A connection to one MCP server, opened with :meth:`open` or ``with``.

    Args:
        settings: where it is.

    Raises:
        ImportError: the ``mcp`` package is missing; names the extra.
    """

    def __init__(self, settings: McpServerSettings) -> None:
        try:
            import mcp
        except ImportError as error:
            raise ImportError(MISSING) from error
        self._mcp = mcp
        self._settings = settings
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: Any = None
        self._task: asyncio.Task[Any] | None = None
        self._thread: threading.Thread | None = None
        self._opening = threading.Lock()
        self._wanted = False
        self._lost = False

    def __enter__(self) -> McpConnection:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Connect; once is enough. A connection that is lost later is opened anew by the next call.

        Raises:
            McpError: the server cannot be reached in time.
        """
        with self._opening:
            if not self._wanted:
                self._connect()
                self._wanted = True

    def _connect(self) -> None:
        self._lost = False
        ready: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._thread = threading.Thread(
            target=self._serve, args=(ready,), name=f"mcp-{self._settings.name}", daemon=True
        )
        self._thread.start()
        try:
            ready.result(self._settings.time_limit_s)
        except Exception as error:
            self._disconnect()
            late = isinstance(error, (TimeoutError, concurrent.futures.TimeoutError))
            words = f"it did not answer in {self._settings.time_limit_s:g} s" if late else _words(error)
            raise McpError(f"MCP server {self._settings.name!r} cannot be reached: {words}.") from error

    def close(self) -> None:
        """Disconnect and end the server's program; waits a moment for it, never long."""
        with self._opening:
            self._wanted = False
            self._disconnect()

    def _disconnect(self) -> None:
        loop, task = self._loop, self._task
        if loop is not None and task is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(task.cancel)
            except RuntimeError:
                pass  # the loop has ended in this very moment
        if self._thread is not None:
            self._thread.join(5.0)
        self._client = self._thread = None

    def tools(self) -> list[Tool]:
        """Return the server's tools, named ``<server>_<tool>``.

        Raises:
            McpError: the server does not answer.
        """
        found: list[Any] = []
        cursor, seen = None, set[str]()
        deadline = time.monotonic() + self._settings.time_limit_s
        while True:
            left = max(0.0, deadline - time.monotonic())
            page = self._run(partial(self._list, cursor), left)
            found.extend(page.tools)
            cursor = page.next_cursor
            if not cursor or cursor in seen or len(found) >= _MOST_TOOLS:
                return self._named(found[:_MOST_TOOLS])
            seen.add(cursor)

    def _named(self, found: Sequence[Any]) -> list[Tool]:
        """Return the tools under names that chat servers accept, each once."""
        tools: dict[str, Tool] = {}
        for tool in {tool.name: tool for tool in found}.values():
            plain = re.sub(r"[^a-zA-Z0-9_-]", "_", f"{self._settings.name}_{tool.name}")[:64]
            name, number = plain, 1
            while name in tools:
                number += 1
                name = f"{plain[: 63 - len(str(number))]}_{number}"
            tools[name] = self._tool(name, tool)
        return list(tools.values())

    async def _list(self, cursor: str | None) -> Any:
        return await self._client.list_tools(cursor=cursor)

    def call(self, name: str, arguments: Mapping[str, Any], cancel: CancelLatch | None = None) -> str:
        """Call a tool by the server's own name and return its result as text.

        A call during which the connection breaks is not repeated: nobody knows how far it came.

        Args:
            name: the tool.
            arguments: its arguments.
            cancel: gives the call up; the server is told.

        Raises:
            McpError: it failed, was canceled, or did not answer in time.
        """
        result = self._run(lambda: self._call(name, arguments), self._settings.time_limit_s, cancel)
        text = _text(result)
        if result.is_error:
            raise McpError(text or f"{name} failed without a word.")
        return text

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return await self._client.call_tool(name, dict(arguments))

    def _tool(self, name: str, tool: Any) -> Tool:
        hints = tool.annotations
        reads_only = bool(hints is not None and hints.read_only_hint)
        approval: Any = "never" if reads_only else self._settings.approval
        return Tool(
            name=name,
            description=tool.description or tool.title or tool.name,
            parameters=tool.input_schema,
            function=lambda zulong_cancel, **arguments: self.call(tool.name, arguments, zulong_cancel),
            latch_parameter="zulong_cancel",
            approval=approval,
            has_side_effects=not reads_only,
            time_limit_s=self._settings.time_limit_s + 1.0,
        )

    def _run(
        self, begin: Callable[[], Coroutine[Any, Any, T]], limit_s: float, cancel: CancelLatch | None = None
    ) -> T:
        loop = self._connected()
        future = asyncio.run_coroutine_threadsafe(begin(), loop)
        withdraw = cancel.on_set(lambda: _cancel(future)) if cancel is not None else None
        try:
            return future.result(limit_s)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise McpError(f"MCP server {self._settings.name!r} did not answer in {limit_s:g} s.") from None
        except concurrent.futures.CancelledError:
            self._lost = not (cancel is not None and cancel.is_set)
            words = "the call was canceled" if not self._lost else "the connection broke during the call"
            raise McpError(f"MCP server {self._settings.name!r}: {words}.") from None
        except Exception as error:
            self._lost = self._lost or "closed" in str(error).lower()
            raise McpError(f"MCP server {self._settings.name!r}: {_words(error)}.") from error
        finally:
            if withdraw is not None:
                withdraw()

    def _connected(self) -> asyncio.AbstractEventLoop:
        """Return the connection's event loop, after connecting anew when it was lost."""
        with self._opening:
            if not self._wanted:
                raise McpError(f"MCP server {self._settings.name!r} is not connected; open it first.")
            if self._lost or self._loop is None or self._loop.is_closed() or self._client is None:
                logger.info("Connecting to MCP server %s anew.", self._settings.name)
                self._disconnect()
                self._connect()
            assert self._loop is not None  # noqa: S101 - connected
            return self._loop

    def _serve(self, ready: concurrent.futures.Future[None]) -> None:
        try:
            asyncio.run(self._live(ready))
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            if not ready.done():
                ready.set_exception(McpError(_words(error)))
            else:
                logger.warning(
                    "The connection to MCP server %s ended: %s", self._settings.name, _words(error)
                )

    async def _live(self, ready: concurrent.futures.Future[None]) -> None:
        """Hold the connection open; it must be opened and closed in the same task."""
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        async with contextlib.AsyncExitStack() as stack:
            target = await self._target(stack)
            self._client = await stack.enter_async_context(self._mcp.Client(target))
            ready.set_result(None)
            await asyncio.get_running_loop().create_future()  # until it is canceled

    async def _target(self, stack: contextlib.AsyncExitStack) -> Any:
        settings = self._settings
        if settings.url and not settings.token_variable:
            return settings.url
        if settings.url:
            import httpx2  # comes with mcp
            from mcp.client.streamable_http import streamable_http_client

            token = os.environ.get(settings.token_variable)
            if not token:
                raise McpError(f"set its token in the environment variable {settings.token_variable}")
            headers = {"Authorization": f"Bearer {token}"}
            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers=headers, timeout=settings.time_limit_s, follow_redirects=True)
            )
            return streamable_http_client(settings.url, http_client=http)
        program, *arguments = settings.command
        environment = dict(settings.environment) or None
        parameters = self._mcp.StdioServerParameters(command=program, args=arguments, env=environment)
        return self._mcp.stdio_client(parameters, errlog=stack.enter_context(_error_stream()))


def _cancel(future: concurrent.futures.Future[Any]) -> None:
    future.cancel()


@contextlib.contextmanager
def _error_stream() -> Iterator[TextIO]:
    """Open where a server's program writes its log: to ours, or nowhere where ours is no file (a notebook)."""
    try:
        sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            yield nowhere
    else:
        yield sys.stderr


def _words(error: BaseException) -> str:
    """Return what went wrong; groups of exceptions are opened to their first cause."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]  # type: ignore[attr-defined]
    name, words = type(error).__name__, str(error).rstrip(".")
    if words.endswith("Connection closed"):
        return "Connection closed; its program may have ended, or speaks no MCP"
    return words if isinstance(error, McpError) and words else f"{name}: {words}" if words else name


def _text(result: Any) -> str:
    """Return a result as text: its words, what stands for the rest, and its structure where there are none."""
    parts = [part for part in map(_part, result.content) if part]
    structured = getattr(result, "structured_content", None)
    if not parts and structured is not None:
        return json.dumps(structured, ensure_ascii=False, default=str)
    return "\n".join(parts)


def _part(part: Any) -> str:
    inner = getattr(part, "resource", None)
    text = getattr(part, "text", None) if inner is None else getattr(inner, "text", None)
    if isinstance(text, str):
        return text
    what = getattr(part, "mime_type", None) or getattr(inner, "mime_type", None) or ""
    where = getattr(part, "uri", None) or getattr(inner, "uri", None) or ""
    return f"[{' '.join(str(word) for word in (part.type, what, where) if word)}]"
