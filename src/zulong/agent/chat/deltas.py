"""The pieces of a reply as servers send them, each with habits of its own, read into pieces of one form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from zulong.agent.chat.characters import WellFormedText
from zulong.agent.chat.model import ChatChunk
from zulong.agent.chat.thinking import WithoutThoughts


class Deltas:
    """Reads the events of one streamed reply.

    Taken as they are meant: content as a list of parts or null, a whole message where a piece was asked for
    (servers that do not stream), arguments as an object, the older ``function_call``, tool calls without index
    or id, several calls under one index, thoughts between tags, halves of a character in different pieces.
    """

    def __init__(self) -> None:
        self._calls = _CallNumbers()
        self._words = WellFormedText()
        self._spoken = WithoutThoughts()
        self.finished = False

    def feed(self, event: Mapping[str, Any]) -> Iterator[ChatChunk]:
        """Yield what an event adds to the reply."""
        usage = event.get("usage")
        if isinstance(usage, Mapping):
            counts = {
                name: int(value)
                for name in ("prompt_tokens", "completion_tokens")
                if isinstance(value := usage.get(name), (int, float))
            }
            if counts:
                yield ChatChunk(usage=counts)
        for choice in _items(event.get("choices")):
            if choice.get("index") in (None, 0):  # one was asked for
                yield from self._choice(choice)
                return

    def end(self) -> Iterator[ChatChunk]:
        """Yield what was held back at the end of the stream."""
        rest = self._spoken.feed(self._words.flush()) + self._spoken.flush()
        if rest:
            yield ChatChunk(text=rest)

    def _choice(self, choice: Mapping[str, Any]) -> Iterator[ChatChunk]:
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            delta = choice.get("message")
        if isinstance(delta, Mapping):
            text = self._spoken.feed(self._words.feed(_text(delta.get("content"))))
            refusal = delta.get("refusal")
            if text or (isinstance(refusal, str) and refusal):
                yield ChatChunk(text=text, refusal=refusal if isinstance(refusal, str) else "")
            for position, call in enumerate(_items(delta.get("tool_calls"))):
                yield from self._call(call, position)
            older = delta.get("function_call")
            if isinstance(older, Mapping):
                yield from self._call({"index": 0, "function": older}, 0)
        finish = choice.get("finish_reason")
        if finish:
            self.finished = True
            yield from self.end()
            yield ChatChunk(finish=str(finish))

    def _call(self, call: Mapping[str, Any], position: int) -> Iterator[ChatChunk]:
        function = call.get("function")
        function = function if isinstance(function, Mapping) else {}
        index, call_id, name = call.get("index"), call.get("id"), function.get("name")
        name = name if isinstance(name, str) else ""
        written = _written(function.get("arguments"))
        number = self._calls.number(
            index if isinstance(index, int) else None,
            "" if call_id is None else str(call_id),
            name,
            position,
        )
        self._calls.add(number, name, written)
        yield ChatChunk(
            call_index=number,
            call_id="" if call_id is None else str(call_id),
            call_name=name,
            call_arguments=written,
        )


class _CallNumbers:
    """Tells which call a piece belongs to.

    An id that is new and comes with a name begins a call, also under an index that is in use (some servers give
    every call the index 0). Without index and id a name begins one, unless it only repeats the name of a call
    that is not whole yet.
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._names: list[str] = []
        self._arguments: list[list[str]] = []
        self._by_index: dict[int, int] = {}

    def number(self, index: int | None, call_id: str, name: str, position: int) -> int:
        """Return the number of a piece's call, counted from 0 in the order they begin."""
        if index is not None:
            known = self._by_index.get(index)
            other = known is not None and call_id and self._ids[known] and call_id != self._ids[known]
            if known is None or (other and name):
                known = self._begin(call_id)
                self._by_index[index] = known
            self._ids[known] = self._ids[known] or call_id
            return known
        if call_id and call_id in self._ids:
            return self._ids.index(call_id)
        begins = not self._ids or bool(call_id) or (bool(name) and self._is_new(name, position))
        return self._begin(call_id) if begins else len(self._ids) - 1

    def add(self, number: int, name: str, written: str) -> None:
        """Note what came of a call."""
        self._names[number] = self._names[number] or name
        self._arguments[number].append(written)

    def _begin(self, call_id: str) -> int:
        self._ids.append(call_id)
        self._names.append("")
        self._arguments.append([])
        return len(self._ids) - 1

    def _is_new(self, name: str, position: int) -> bool:
        if position > 0 or name != self._names[-1]:
            return True
        try:
            json.loads("".join(self._arguments[-1]))
        except ValueError:
            return False
        return True


def _items(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in _items(content) if part.get("type", "text") == "text"]
    return "".join(part for part in parts if isinstance(part, str))


def _written(arguments: Any) -> str:
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
