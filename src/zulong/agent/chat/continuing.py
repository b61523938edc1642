"""One reply through several streams: where one breaks off the next goes on, and no word is said twice."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from zulong.agent.chat.errors import ModelUnavailableError
from zulong.agent.chat.model import ChatChunk, ChatModel, ChatRequest
from zulong.agent.latch import CancelLatch

logger = logging.getLogger(__name__)

_LONGEST_OVERLAP = 2000
_GO_ON = (
    "Your reply was cut off after the words above. Go on exactly where they end; do not repeat any of them. "
    "If a tool call was cut off, make it again from its beginning."
)


def stream_through(
    models: Sequence[ChatModel],
    request: ChatRequest,
    cancel: CancelLatch,
    *,
    on_failure: Callable[[ChatModel, ModelUnavailableError], None] | None = None,
    on_success: Callable[[ChatModel], None] | None = None,
    said: str = "",
) -> Iterator[ChatChunk]:
    """Yield one reply from the first of ``models`` that brings it to its end.

    Tool calls are handed out only when their stream has ended well, because a call that breaks off in the
    middle is made anew by the next model; words are handed out at once.

    Args:
        models: tried in order; the same model may stand there several times.
        request: what is asked.
        cancel: see :class:`ChatModel`.
        on_failure, on_success: told about each attempt.
        said: words of this reply that were spoken before; the first model goes on after them.

    Raises:
        ModelUnavailableError: none of them brought it to its end; the last one's error.
        ChatError: what repeating does not help against, at once.
    """
    last: ModelUnavailableError | None = None
    for model in models:
        ending: list[ChatChunk] = []
        seam = Seam(said)
        try:
            for chunk in model.stream(continued(request, said), cancel):
                words = seam.feed(chunk.text) if chunk.text else ""
                if words:
                    said += words
                    yield ChatChunk(text=words)
                if chunk.call_index is not None or chunk.finish or chunk.usage or chunk.refusal:
                    ending.append(replace(chunk, text=""))
        except ModelUnavailableError as error:
            last = error
            # Words held back to compare were spoken after all: they continue what was said.
            said_late = seam.flush()
            if said_late:
                said += said_late
                yield ChatChunk(text=said_late)
            logger.warning("%s failed: %s", model.name, error)
            if on_failure is not None:
                on_failure(model, error)
            continue
        rest = seam.flush()
        if rest:
            yield ChatChunk(text=rest)
        if on_success is not None:
            on_success(model)
        yield from ending
        return
    raise last or ModelUnavailableError(
        "No model is configured; set one in config/agent.yaml, section models."
    )


def continued(request: ChatRequest, said: str) -> ChatRequest:
    """Return the request for the rest of a reply of which ``said`` has been spoken."""
    if not said:
        return request
    tail = [{"role": "assistant", "content": said}, {"role": "user", "content": _GO_ON}]
    return replace(request, messages=[*request.messages, *tail])


class Seam:
    """Joins a continuation to what was said: words at its begin that were said already are dropped.

    A model may go on at once, repeat the last words, or begin the whole reply anew. While the continuation
    still agrees with some ending of what was said, it is held back; at the first difference the longest
    agreeing part is dropped and the rest let through.

    Args:
        said: the words so far; nothing is held back when empty.
    """

    def __init__(self, said: str) -> None:
        self._said = said[-_LONGEST_OVERLAP:]
        self._whole = said
        self._held = ""
        self._open = bool(said)

    def feed(self, text: str) -> str:
        """Take a piece of the continuation and return what may be said of it now."""
        if not self._open:
            return text
        self._held += text
        if self._whole.startswith(self._held) or self._said.find(self._held) >= 0:
            return ""  # it may still be a repetition
        return self.flush()

    def flush(self) -> str:
        """Return what was held back and is new."""
        if not self._open:
            return ""
        self._open = False
        held, self._held = self._held, ""
        if held.startswith(self._whole):
            return held[len(self._whole) :]
        if self._whole.startswith(held):
            return ""
        for size in range(min(len(held), len(self._said)), 0, -1):
            if self._said.endswith(held[:size]) and _no_chance(held[:size]):
                return held[size:]
        return held


def _no_chance(overlap: str) -> bool:
    """Return whether an agreement is long enough not to be one by chance ("a" at an end, "apple" at a begin)."""
    return len(overlap) >= 4 or sum(1 for c in overlap if c > "\u2fff") >= 2
