"""One reply through several streams: where one breaks off the next goes on, and no word is said twice."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.chat.errors import (
    ChatError,
    ModelNotServedError,
    ModelRejectedError,
    ModelTimeoutError,
    ModelUnavailableError,
    StreamCutError,
)
from zulong.agent.chat.model import ChatChunk, ChatModel, ChatRequest
from zulong.agent.chat.seam import Seam
from zulong.agent.latch import CancelLatch

logger = logging.getLogger(__name__)

_GO_ON = (
    "Your reply was cut off after the words above. Go on exactly where they end; do not repeat any of them. "
    "If a tool call was cut off, make it again from its beginning."
)


def stream_through(
    models: Sequence[ChatModel],
    request: ChatRequest,
    cancel: CancelLatch,
    *,
    on_failure: Callable[[ChatModel, Any], None] | None = None,
    on_success: Callable[[ChatModel], None] | None = None,
    said: str = "",
    max_chars: int | None = None,
) -> Iterator[ChatChunk]:
    """Yield one reply from the first of ``models`` that brings it to its end.

    Tool calls are handed out only when their stream has ended well, because a call that breaks off in the
    middle is made anew by the next model; words are handed out at once.

    Args:
        models: tried in order. The same model may stand there several times; it is asked again only after a stream
            that broke off or fell silent, for everything else it has retried itself.
        request: what is asked.
        cancel: see :class:`ChatModel`.
        on_failure, on_success: told about each attempt, the first with its error. A request that a server refuses
            for what it says is no failure of its model.
        said: words of this reply that were spoken before; the first model goes on after them.
        max_chars: calls that grow longer end the reply with ``cut``: they are held back, so nobody else sees it.

    Raises:
        ModelUnavailableError, ModelRejectedError: none of them brought it to its end; the last one's error, or that
            of the first which refused the request itself, for that one says what to change.
        ChatError: what another model could not help against, at once.
    """
    refused: ModelRejectedError | None = None
    for attempt, model in enumerate(models):
        ending: list[ChatChunk] = []
        held = 0
        seam = Seam(said)
        try:
            for chunk in model.stream(continued(request, said), cancel):
                words = seam.feed(chunk.text) if chunk.text else ""
                if words:
                    said += words
                    yield ChatChunk(text=words)
                if chunk.call_index is not None or chunk.finish or chunk.usage or chunk.refusal:
                    ending.append(replace(chunk, text="") if chunk.text else chunk)
                    held += ending[-1].chars
                if max_chars is not None and held > max_chars:
                    ending = [ChatChunk(finish="cut")]
                    break
        except (ModelUnavailableError, ModelRejectedError) as error:
            # Words held back to compare have not been said, so the next model says them if they are new.
            logger.warning("%s failed: %s", model.name, error)
            if isinstance(error, ModelRejectedError) and not isinstance(error, ModelNotServedError):
                refused = refused or error
            elif on_failure is not None:
                on_failure(model, error)
            if not _goes_on(error, model, models[attempt + 1 : attempt + 2]):
                if refused is None or refused is error:
                    raise
                raise refused from error
            continue
        rest = seam.flush()
        if rest:
            yield ChatChunk(text=rest)
        if on_success is not None:
            on_success(model)
        yield from ending
        return
    raise ModelUnavailableError("No model is configured; set one in config/agent.yaml, section models.")


def _goes_on(error: ChatError, model: ChatModel, following: Sequence[ChatModel]) -> bool:
    """Return whether the next model is asked: another one may help, the same one only where it was cut short."""
    if not following:
        return False
    return following[0] is not model or isinstance(error, (StreamCutError, ModelTimeoutError))


def continued(request: ChatRequest, said: str) -> ChatRequest:
    """Return the request for the rest of a reply of which ``said`` has been spoken."""
    if not said:
        return request
    tail = [{"role": "assistant", "content": said}, {"role": "user", "content": _GO_ON}]
    return replace(request, messages=[*request.messages, *tail])
