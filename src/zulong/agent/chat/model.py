"""The protocol of chat models: a request goes in, pieces of a reply come out as they are spoken.

Messages are plain dictionaries in the form of OpenAI's chat completions (``role``, ``content``,
``tool_calls``, ``tool_call_id``), so that they go into checkpoints and over the wire as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from zulong.agent.latch import CancelLatch

Message = Mapping[str, Any]


@dataclass(slots=True, frozen=True)
class ChatRequest:
    """What a model is asked.

    Attributes:
        messages: the conversation, oldest first.
        tools: OpenAI tool definitions; empty: the model may only speak.
        max_tokens: longest reply, None for the model's own limit.
        temperature: 0 is the most deterministic; None leaves it to the server.
        response_schema: JSON schema that the reply must follow, None for free text.
    """

    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] = ()
    max_tokens: int | None = None
    temperature: float | None = None
    response_schema: Mapping[str, Any] | None = None


@dataclass(slots=True, frozen=True)
class ChatChunk:
    """A piece of a reply.

    Attributes:
        text: words that follow what came before.
        call_index: which tool call the next three parts belong to, None when they are empty.
        call_id, call_name, call_arguments: parts of that call; arguments come in pieces of JSON.
        refusal: words with which the model declines.
        finish: why the reply ended (stop, length, tool_calls, content_filter), "" before the end.
        usage: tokens used (prompt_tokens, completion_tokens), where the server says so.
    """

    text: str = ""
    call_index: int | None = None
    call_id: str = ""
    call_name: str = ""
    call_arguments: str = ""
    refusal: str = ""
    finish: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)

    @property
    def chars(self) -> int:
        """How much it adds to the reply."""
        return len(self.text) + len(self.call_name) + len(self.call_arguments) + len(self.refusal)


class ChatModel(Protocol):
    """A model that one can talk to."""

    @property
    def name(self) -> str:
        """Name for people and logs."""

    @property
    def context_window(self) -> int:
        """Most tokens of request and reply together."""

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        """Yield the reply piece by piece.

        Raises:
            ChatError: one of its kinds, from the first or any later piece on; see there.
        """


@dataclass(slots=True, frozen=True)
class ToolCall:
    """A tool call as the model wrote it; ``arguments`` is text that should be a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(slots=True, frozen=True)
class Reply:
    """A whole reply.

    Attributes:
        text: the words.
        calls: the tool calls in order.
        finish: why it ended; ``cut`` when it was ended here because it had become too long, ``length`` when the
            server did so. Calls of such a reply are dropped.
        refusal: words with which the model declined, "" when it did not.
        usage: tokens used.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    refusal: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """True when the model said nothing and called nothing."""
        return not self.text.strip() and not self.calls and not self.refusal

    def to_message(self) -> dict[str, Any]:
        """Return the reply as the assistant's message of the conversation."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.calls:
            message["tool_calls"] = [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
                for c in self.calls
            ]
        if self.refusal:
            message["refusal"] = self.refusal
        return message


def complete(
    model: ChatModel,
    request: ChatRequest,
    cancel: CancelLatch,
    *,
    on_text: Callable[[str], None] | None = None,
    max_chars: int | None = None,
) -> Reply:
    """Have a model reply to the end, and return the whole.

    Args:
        model, request, cancel: see :class:`ChatModel`.
        on_text: called with each piece of text as it comes.
        max_chars: the reply is ended here when its words and calls grow longer.

    Raises:
        ChatError: as :meth:`ChatModel.stream`.
    """
    return Assembly(on_text).take(model.stream(request, cancel), max_chars)


class Assembly:
    """Puts pieces of a reply together. What has come so far can be read at any time, after a break too.

    Args:
        on_text: called with each piece of text.
        said: words of the reply that were spoken before.
    """

    def __init__(self, on_text: Callable[[str], None] | None = None, said: str = "") -> None:
        self._on_text = on_text
        self._text: list[str] = [said] if said else []
        self._refusal: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._finish = ""
        self._usage: dict[str, int] = {}
        self._chars = 0

    def take(self, chunks: Iterator[ChatChunk], max_chars: int | None = None) -> Reply:
        """Take pieces to their end (or to ``max_chars``) and return the whole reply."""
        for chunk in chunks:
            self.add(chunk)
            if max_chars is not None and self._chars > max_chars:
                self._finish = "cut"
                close = getattr(chunks, "close", None)
                if close is not None:
                    close()
                break
        return self.reply()

    def add(self, chunk: ChatChunk) -> None:
        """Add one piece."""
        if chunk.text:
            self._text.append(chunk.text)
            if self._on_text is not None:
                self._on_text(chunk.text)
        if chunk.refusal:
            self._refusal.append(chunk.refusal)
        if chunk.call_index is not None:
            call = self._calls.setdefault(chunk.call_index, {"id": "", "name": "", "arguments": ""})
            call["id"] = call["id"] or chunk.call_id
            call["name"] = _joined(call["name"], chunk.call_name)
            call["arguments"] += chunk.call_arguments
        self._finish = chunk.finish or self._finish
        self._usage.update(chunk.usage)
        self._chars += chunk.chars

    @property
    def text(self) -> str:
        """The words so far."""
        return "".join(self._text)

    def reply(self) -> Reply:
        """Return what has come so far as a reply; calls without a name are dropped."""
        calls = tuple(
            ToolCall(call["id"] or f"call_{index}", call["name"], call["arguments"])
            for index, call in sorted(self._calls.items())
            if call["name"]
        )
        finish = self._finish or "stop"
        if finish in ("cut", "length"):
            calls = ()  # the last one is not whole, and which ones depend on it nobody knows
        return Reply(self.text, calls, finish, "".join(self._refusal), dict(self._usage))


def _joined(name: str, piece: str) -> str:
    """Return a call's name with one more piece; some servers give the whole name again with every piece."""
    if not piece or name.endswith(piece):
        return name
    return piece if piece.startswith(name) else name + piece
