"""Conversations: a list of messages with ids, updated by id.

A message is a dictionary (`{"role": "user", "content": "..."}`) or any object with `id`, `content` and `type`
or `role`; the two may be mixed. Text becomes a dictionary, unless `set_message_converter` says otherwise.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph._message_index import MessageIndex, message_id, place_of
from zulong.stategraph.channels.binop import unwrap_overwrite
from zulong.stategraph.pregel._messages import is_message

if TYPE_CHECKING:
    from zulong.stategraph.graph._message_graph import MessageGraph

__all__ = (
    "REMOVE_ALL_MESSAGES",
    "MessageGraph",
    "MessagesState",
    "add_messages",
    "push_message",
    "set_message_converter",
)

REMOVE_ALL_MESSAGES = "__remove_all__"

_INDEX = MessageIndex()
_CHAT_ROLES = {"human": "user", "ai": "assistant"}


def _is_remove(message: Any) -> bool:
    if isinstance(message, dict):
        return (message.get("role") or message.get("type")) == "remove"
    if isinstance(message, Mapping):
        return _is_remove(dict(message))
    return getattr(message, "type", None) == "remove"


_convert: Callable[[list[Any]], list[Any]] | None = None


def set_message_converter(convert: Callable[[list[Any]], list[Any]] | None) -> None:
    """Keep conversations as objects: `convert` makes a list of messages in any form into a list of objects.

    An application that works with message objects of a library says so once, for example
    `set_message_converter(langchain_core.messages.convert_to_messages)`. None goes back to dictionaries.
    """
    global _convert
    _convert = convert


def _coerce(message: Any) -> Any:
    """One message in its final form: with an id; text and (role, text) pairs as dictionaries.

    Raises:
        ValueError: it is none of the forms of a message.
    """
    if isinstance(message, str):
        message = {"role": "user", "content": message}
    elif isinstance(message, (tuple, list)) and len(message) == 2 and isinstance(message[0], str):
        message = {"role": _CHAT_ROLES.get(message[0], message[0]), "content": message[1]}
    if isinstance(message, Mapping):
        if not is_message(message) and not _is_remove(message):
            raise ValueError(
                f"Unexpected message: {message!r}. A message needs 'role' (or 'type') and 'content'; a removal "
                "needs 'role': 'remove' and 'id'."
            )
        return message if message.get("id") is not None else {**message, "id": str(uuid.uuid4())}
    if not hasattr(message, "content") and not _is_remove(message):
        raise ValueError(
            f"Unsupported message type: {type(message).__name__}. Expected a dictionary, text or a message object."
        )
    if getattr(message, "id", None) is None:
        message.id = str(uuid.uuid4())
    return message


def _coerced(messages: list[Any]) -> list[Any]:
    if _convert is not None:
        messages = _convert(messages)
    return [_coerce(m) for m in messages]


def _as_list(messages: Any) -> list[Any]:
    if isinstance(messages, list):
        return messages
    if isinstance(messages, Sequence) and not isinstance(messages, (str, bytes, Mapping, tuple)):
        return list(messages)
    return [messages]


def _add(left: Any, right: Any, *, format: str | None = None) -> Any:
    if format not in (None, "langchain-openai"):
        raise ValueError(f"Unrecognized format={format!r}. Expected one of 'langchain-openai', None.")
    incoming = _coerced(_as_list(right))
    places = _INDEX.places(left)
    base: list[Any] = left
    if places is None:
        base = _coerced(_as_list(left))
        places = _INDEX.keep(base)
    for at in range(len(incoming) - 1, -1, -1):
        if _is_remove(incoming[at]) and message_id(incoming[at]) == REMOVE_ALL_MESSAGES:
            return _formatted(incoming[at + 1 :], format)
    merged = _appended(base, incoming, places)
    return _formatted(_merged(base, incoming, places) if merged is None else merged, format)


def _appended(base: list[Any], incoming: list[Any], places: dict[Any, int]) -> list[Any] | None:
    """The usual case: every message is new and goes to the end. None when it is not so."""
    end = len(base)
    if len(incoming) > 1 and len({message_id(message) for message in incoming}) < len(incoming):
        return None
    for at, message in enumerate(incoming, end):
        identity = message_id(message)
        known = places.get(identity)
        if _is_remove(message) or (known is not None and (known != at or known < end)):
            return None
    merged = base + incoming
    for at, message in enumerate(incoming, end):
        places[message_id(message)] = at
    _INDEX.keep(merged, places)
    return merged


def _merged(base: list[Any], incoming: list[Any], places: dict[Any, int]) -> list[Any]:
    """Replace by id, append what is new, take out what is removed."""
    merged = base[:]
    removed: set[Any] = set()
    for message in incoming:
        identity = message_id(message)
        at_place = place_of(identity, merged, places)
        if at_place is not None:
            if _is_remove(message):
                removed.add(identity)
            else:
                removed.discard(identity)
                merged[at_place] = message
        elif _is_remove(message):
            raise ValueError(f"Attempting to delete a message with an ID that doesn't exist ('{identity}')")
        else:
            known = places.get(identity)
            if known is not None and known != len(merged):
                places = dict(places)  # another branch put this id elsewhere
            places[identity] = len(merged)
            merged.append(message)
    if removed:
        merged = [m for m in merged if message_id(m) not in removed]
        _INDEX.keep(merged)
    else:
        _INDEX.keep(merged, places)
    return merged


def _formatted(messages: list[Any], format: str | None) -> Any:
    if format is None:
        return messages
    module = sys.modules.get("langchain_core.messages")
    if module is None:
        import warnings

        warnings.warn(
            "Must have langchain-core installed to use automatic message formatting "
            "(format='langchain-openai'). Returning un-formatted messages.",
            stacklevel=3,
        )
        return messages
    return module.convert_to_messages(module.convert_to_openai_messages(list(messages)))


def add_messages(left: Any = None, right: Any = None, *, format: str | None = None) -> Any:
    """The reducer of a conversation: append, replace what has the same id, remove.

    A removal is a message of type (or role) "remove" with the id of what goes; the id `REMOVE_ALL_MESSAGES`
    removes all before it. Without messages it returns the reducer itself, with `format` fixed.

    Raises:
        ValueError: only one side was given, or a removal names an id that is not there.
    """
    if left is not None and right is not None:
        return _add(left, right, format=format)
    if left is not None or right is not None:
        side = "left" if left else "right"
        raise ValueError(
            f"Must specify non-null arguments for both 'left' and 'right'. Only received: '{side}'."
        )
    return partial(_add, format=format)


class MessagesState(TypedDict):
    """A state that is a conversation."""

    messages: Annotated[list[Any], add_messages]


def _messages_delta_reducer(state: Sequence[Any], writes: Sequence[Any]) -> list[Any]:
    """The reducer of a conversation for `DeltaChannel`: like `add_messages`, but a removal of what is not
    there is ignored, so that a log can always be replayed."""
    flat: list[Any] = []
    for write in writes:
        is_overwrite, value = unwrap_overwrite(write)
        if is_overwrite:
            state, flat = _as_list(value or []), []
        else:
            flat.extend(write if isinstance(write, list) else [write])
    result: list[Any] = _add(_as_list(state), [])
    for message in flat:
        if _is_remove(message) and message_id(message) != REMOVE_ALL_MESSAGES:
            places = _INDEX.places(result)
            if places is None:
                places = _INDEX.keep(result)
            if place_of(message_id(message), result, places) is None:
                continue
        result = _add(result, [message])
    return result


def push_message(message: Any, *, state_key: str | None = "messages") -> Any:
    """Show a message, or a part of one, in the stream mode "messages" now, before the node returns.

    Args:
        message: it needs an id; parts of one message share it.
        state_key: the state key that the message is also written to; None for none.

    Raises:
        ValueError: the message has no id.
        RuntimeError: no node is running.
    """
    task = CURRENT_TASK.get()
    if task is None:
        raise RuntimeError("Called push_message outside of a runnable context: no node is running here.")
    identity = message_id(message) if not isinstance(message, (str, tuple)) else None
    if identity is None:
        raise ValueError("Message ID is required")
    stream = task.run.messages
    if stream is not None:
        stream.emit(task, message)
    if state_key:
        task.write(((state_key, message),))
    return message


def __getattr__(name: str) -> Any:
    if name == "MessageGraph":
        from zulong.stategraph.graph._message_graph import MessageGraph

        return MessageGraph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
