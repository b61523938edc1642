"""Tool calls for models that know none: the reply is one JSON object, either words or a call, bound by a schema.

Small local models write calls as prose, in markdown, or in a form of their own. A server that follows a JSON
schema while it samples (llama.cpp, vLLM, Ollama, ...) leaves them no other way than a whole call of a known tool.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.chat.errors import ModelRejectedError
from zulong.agent.chat.json_repair import BrokenJsonError, read_object
from zulong.agent.chat.model import ChatChunk, ChatModel, ChatRequest, Message
from zulong.agent.latch import CancelLatch

logger = logging.getLogger(__name__)

_NO_SCHEMA = re.compile(r"response_format|json[_ ]?schema|structured output|grammar", re.IGNORECASE)
_BEGIN = re.compile(r'\s*\{\s*"say"\s*:\s*"')
_STRING_END = re.compile(r'(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*')
_ORDER = (
    'Answer with one JSON object only. To use a tool: {"tool": "<name>", "arguments": {...}}; you get its result '
    'and go on. To speak to the user, when nothing is left to do or to ask something: {"say": "<words>"}. '
    "What a tool can find out or do, find out or do by the tool before you speak.\nTools:\n"
)
_LONGEST = 64_000  # characters of one reply, most of which nobody sees before its end
_NO_TOOLS = 'Answer with one JSON object only: {"say": "<words for the user>"}.'


class JsonCalls:
    """A chat model whose calls are JSON by schema; see :class:`zulong.agent.chat.ChatModel`.

    One call a reply. Requests without tools that have no calls in their conversation, and requests that bring a
    schema of their own, go through as they are.

    Args:
        model: speaks; best behind a server that honours ``response_format`` with a JSON schema.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._by_schema = True

    @property
    def name(self) -> str:
        """See :class:`ChatModel`."""
        return self._model.name

    @property
    def context_window(self) -> int:
        """See :class:`ChatModel`."""
        return self._model.context_window

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        """Yield words as they are spoken, or one call at the end.

        Raises:
            ChatError: as the model behind it.
        """
        talked = any(m.get("role") == "tool" or m.get("tool_calls") for m in request.messages)
        if request.response_schema is not None or not (request.tools or talked):
            yield from self._model.stream(request, cancel)
            return
        spoken = _Spoken()
        ending: list[ChatChunk] = []
        for chunk in self._stream(_as_json(request), cancel):
            if len(spoken.raw) > _LONGEST:
                yield ChatChunk(finish="cut")
                return
            if chunk.text:
                words = spoken.feed(chunk.text)
                if words:
                    yield ChatChunk(text=words)
            if chunk.finish or chunk.usage or chunk.refusal or chunk.call_index is not None:
                ending.append(replace(chunk, text=""))
        yield from _rest(spoken, request.tools, ending)

    def _stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        """Stream by the schema; a server that knows none is asked by the prompt alone, from then on."""
        if self._by_schema:
            try:
                yield from self._model.stream(request, cancel)
                return
            except ModelRejectedError as error:
                if not _NO_SCHEMA.search(str(error)):
                    raise
                logger.warning("%s knows no JSON schemas; its calls are read from its words.", self.name)
                self._by_schema = False
        yield from self._model.stream(replace(request, response_schema=None), cancel)


class _Spoken:
    """The words inside ``{"say": "..."}``, decoded while they come."""

    def __init__(self) -> None:
        self.raw = ""
        self.told = ""

    def feed(self, text: str) -> str:
        """Take a piece of JSON and return the words that are new."""
        self.raw += text
        begin = _BEGIN.match(self.raw)
        if begin is None:
            return ""
        whole = _STRING_END.match(self.raw, begin.end())
        assert whole is not None  # noqa: S101 - it matches the empty string
        try:
            words: str = json.loads(f'"{whole[0]}"', strict=False)
        except ValueError:
            return ""
        if words and "\ud800" <= words[-1] <= "\udbff":
            words = words[:-1]  # the second half of the character is still to come
        new = words[len(self.told) :]
        self.told = words
        return new


def _rest(
    spoken: _Spoken, tools: Sequence[Mapping[str, Any]], ending: Sequence[ChatChunk]
) -> Iterator[ChatChunk]:
    """Yield what only the whole reply shows: a call, or words in another form than asked for."""
    finish = next((c.finish for c in ending if c.finish), "")
    if not spoken.told and spoken.raw.strip() and finish != "length":
        try:
            value = read_object(spoken.raw)
        except BrokenJsonError:
            yield ChatChunk(text=spoken.raw)  # a server that did not honour the schema: take it as words
        else:
            name = value.get("tool") or value.get("name")
            if isinstance(name, str) and name and tools:
                arguments = json.dumps(value.get("arguments") or {}, ensure_ascii=False)
                yield ChatChunk(call_index=0, call_id="json", call_name=name, call_arguments=arguments)
                ending = [replace(c, finish="tool_calls") if c.finish else c for c in ending]
            else:
                yield ChatChunk(text=str(value.get("say", spoken.raw)))
    yield from ending


def _as_json(request: ChatRequest) -> ChatRequest:
    order = _ORDER + "\n".join(map(_line, request.tools)) if request.tools else _NO_TOOLS
    messages = [dict(_in_words(message)) for message in request.messages]
    if messages and messages[0].get("role") == "system":
        messages[0]["content"] = f"{messages[0].get('content', '')}\n\n{order}"
    else:
        messages.insert(0, {"role": "system", "content": order})
    return replace(request, messages=messages, tools=(), response_schema=reply_schema(request.tools))


def _line(tool: Mapping[str, Any]) -> str:
    function = tool["function"]
    parameters = json.dumps(
        (function.get("parameters") or {}).get("properties") or {}, ensure_ascii=False, separators=(",", ":")
    )
    return f"- {function['name']}: {function.get('description', '')} arguments: {parameters}"


def _in_words(message: Message) -> Message:
    """Return a message of the conversation in the form that the model is asked for."""
    content = str(message.get("content") or "")
    if message.get("role") == "tool":
        name = message.get("name") or "the tool"
        return {"role": "user", "content": f"[result of {name}] {content}"}
    if message.get("role") != "assistant":
        return message
    calls = [
        {"tool": c["function"]["name"], "arguments": _arguments(c["function"]["arguments"])}
        for c in message.get("tool_calls") or ()
    ]
    said = [{"say": content}] if content and not calls else []
    return {
        "role": "assistant",
        "content": "\n".join(json.dumps(part, ensure_ascii=False) for part in [*said, *calls]),
    }


def _arguments(written: Any) -> Any:
    try:
        return read_object(written) if isinstance(written, str) else written
    except BrokenJsonError:
        return {}


def reply_schema(tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the JSON schema of a reply: words, or a call of one of the tools with arguments that fit it."""
    say = _object({"say": {"type": "string"}})
    calls = [
        _object(
            {
                "tool": {"const": tool["function"]["name"]},
                "arguments": _whole(tool["function"].get("parameters") or {"type": "object"}),
            }
        )
        for tool in tools
    ]
    return {"anyOf": [*calls, say]} if calls else say


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool's schema without references: inside a larger schema they would point nowhere."""
    definitions = schema.get("$defs") or {}

    def opened(part: Any, within: tuple[str, ...]) -> Any:
        if isinstance(part, list):
            return [opened(item, within) for item in part]
        if not isinstance(part, Mapping):
            return part
        name = str(part.get("$ref", "")).removeprefix("#/$defs/")
        if name in definitions:
            # A type that holds itself is cut there; the loop checks the arguments anyway.
            return {"type": "object"} if name in within else opened(definitions[name], (*within, name))
        return {key: opened(value, within) for key, value in part.items() if key != "$defs"}

    whole: dict[str, Any] = opened(schema, ())
    return whole
