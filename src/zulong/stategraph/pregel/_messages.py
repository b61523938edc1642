"""Stream mode "messages": which messages a node's result holds that were not shown before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zulong.stategraph._keys import NS_SEP
from zulong.stategraph._message_index import message_id
from zulong.stategraph.types import Command

_ROLES = frozenset(
    {"user", "human", "assistant", "ai", "tool", "system", "function", "developer", "remove", "chat"}
)


def is_message(value: Any) -> bool:
    """Whether `value` is a message: a dictionary with role or type and content, or an object with id, type
    and content."""
    if isinstance(value, Mapping):
        return "content" in value and (value.get("role") or value.get("type")) in _ROLES
    return hasattr(value, "content") and hasattr(value, "id") and hasattr(value, "type")


def _values(obj: Any) -> Sequence[Any]:
    if isinstance(obj, Mapping):
        return list(obj.values())
    fields = getattr(type(obj), "model_fields", None) or getattr(obj, "__dataclass_fields__", None)
    return [getattr(obj, name, None) for name in fields] if fields else ()


def messages_in(result: Any) -> Iterator[Any]:
    """The messages that a state or an update holds: itself, in a list, or one level down."""
    if is_message(result):
        yield result
    elif isinstance(result, Command):
        yield from messages_in(result.update)
    elif isinstance(result, (list, tuple)):
        for item in result:
            if is_message(item):
                yield item
            elif isinstance(item, (Command, dict)):
                yield from messages_in(item)
    else:
        for value in _values(result):
            if is_message(value):
                yield value
            elif isinstance(value, Sequence) and not isinstance(value, str):
                yield from (item for item in value if is_message(item))


def graph_namespace(task: Any) -> tuple[str, ...]:
    """The namespace of the graph that a task belongs to, calls of `@task` functions peeled off."""
    parts = tuple(task.checkpoint_ns.split(NS_SEP))
    drop, at = 1, task
    while at.parent is not None:
        drop += 1
        at = at.parent
    return parts[:-drop]


class MessageStream:
    """Remembers which messages were shown, and shows the others.

    Args:
        sink: where they go.
        subgraphs: whether those of subgraphs are shown.
        parent_ns: namespace of the graph whose stream this is.
    """

    __slots__ = ("_parent_ns", "_seen", "_sink", "_subgraphs")

    def __init__(self, sink: Any, subgraphs: bool, parent_ns: tuple[str, ...] = ()) -> None:
        self._sink = sink
        self._subgraphs = subgraphs
        self._parent_ns = parent_ns
        self._seen: set[Any] = set()

    def _shows(self, ns: tuple[str, ...]) -> bool:
        return self._subgraphs or not ns or ns == self._parent_ns

    def started(self, task: Any) -> None:
        """A node starts: what is in its input was there before."""
        if task.hidden:
            return
        for value in _values(task.input):
            for message in value if isinstance(value, (list, tuple)) else (value,):
                if is_message(message) and message_id(message) is not None:
                    self._seen.add(message_id(message))

    def ended(self, task: Any, result: Any) -> None:
        """A node ended with `result`."""
        ns = graph_namespace(task)
        if task.hidden or not self._shows(ns):
            return
        for message in messages_in(result):
            identity = message_id(message)
            if identity is not None and identity in self._seen:
                continue
            self.emit(task, message, ns)

    def emit(self, task: Any, message: Any, ns: tuple[str, ...] | None = None) -> None:
        """Show a message, or a part of one, now."""
        ns = graph_namespace(task) if ns is None else ns
        if not self._shows(ns):
            return
        identity = message_id(message)
        if identity is None:
            from uuid import uuid4

            identity = str(uuid4())
            if isinstance(message, dict):
                message["id"] = identity
            else:
                message.id = identity
        self._seen.add(identity)
        metadata = task.metadata
        tags = task.config.get("tags")
        if tags:
            metadata["tags"] = list(tags)
        self._sink.put((ns, "messages", (message, metadata)))
