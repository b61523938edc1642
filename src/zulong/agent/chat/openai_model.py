"""A chat model behind any server that speaks OpenAI's chat completions."""

from __future__ import annotations

import email.utils
import logging
import os
import random
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from zulong.agent.chat.bounded import BoundedStream
from zulong.agent.chat.deltas import Deltas
from zulong.agent.chat.errors import (
    ChatCanceledError,
    ChatError,
    ContextTooLongError,
    ModelNotServedError,
    ModelRejectedError,
    ModelTimeoutError,
    ModelUnavailableError,
    StreamCutError,
)
from zulong.agent.chat.events import Events
from zulong.agent.chat.model import ChatChunk, ChatRequest
from zulong.agent.latch import CancelLatch

logger = logging.getLogger(__name__)

# OpenAI says context_length_exceeded, llama.cpp that a request exceeds the available context size, vLLM that the
# maximum context length is n tokens.
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum context|too many tokens|(?:prompt|input|request) is too long",
    re.I,
)
_RETRIED_STATUS = frozenset({408, 409, 425, 429})
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|rk)-[\w*-]{6,}|\bBearer\s+[\w.~+/=-]{8,}")


@dataclass(slots=True, frozen=True)
class OpenAISettings:
    """Where the model is and how patient to be; section ``models`` of ``config/agent.yaml``.

    Attributes:
        model: the model's name on the server.
        base_url: address of the API, such as ``http://localhost:8080/v1``.
        key_variable: environment variable that holds the key; a server without keys needs none.
        context_window: most tokens of request and reply together.
        connect_s, first_s, idle_s, total_s: limits for connecting, for the first piece, between two pieces,
            and for one whole reply.
        retries: further attempts after 429, 5xx or a lost connection, before the first piece has come.
        pause_s: mean pause before the first retry; doubles with each, with full jitter.
        longest_pause_s: longest pause, also when the server asks for more by Retry-After.
        temperature: of requests that name none; None leaves it to the server.
        max_tokens: longest reply of requests that name none; None leaves it to the server.
        calls: ``native`` for models that call tools by the server's own means, ``json`` for small ones that do
            not (:class:`zulong.agent.chat.JsonCalls`); :func:`zulong.agent.config.open_model` heeds it.
    """

    model: str
    base_url: str
    key_variable: str = "OPENAI_API_KEY"
    context_window: int = 32_768
    connect_s: float = 5.0
    first_s: float = 30.0
    idle_s: float = 15.0
    total_s: float = 180.0
    retries: int = 3
    pause_s: float = 0.5
    longest_pause_s: float = 20.0
    temperature: float | None = None
    max_tokens: int | None = None
    calls: str = "native"

    def __post_init__(self) -> None:
        if self.calls not in ("native", "json"):
            raise ValueError(f"calls is native or json, not {self.calls!r}.")
        try:
            address = urlsplit(self.base_url)
            whole = address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
        except ValueError:
            whole = False
        if not whole:
            raise ValueError(
                f"base_url is an address such as http://localhost:8080/v1, not {self.base_url!r}."
            )
        if address.username is not None:
            # Addresses go into messages and logs.
            raise ValueError(
                "base_url holds a name or a password: secrets come from the environment, see key_variable."
            )


class OpenAIModel:
    """See :class:`zulong.agent.chat.model.ChatModel`.

    Args:
        settings: address and limits.

    Raises:
        ImportError: the ``openai`` package is missing; names the extra.
    """

    def __init__(self, settings: OpenAISettings) -> None:
        try:
            import openai
        except ImportError as error:
            raise ImportError("Chat models need the openai package: pip install 'zulong[models]'") from error
        self._openai = openai
        self._settings = settings
        # The socket's own limit only ends a reading thread that was left behind.
        timeout = openai.Timeout(max(settings.first_s, settings.idle_s) + 5.0, connect=settings.connect_s)
        self._key = os.environ.get(settings.key_variable) or ""
        self._client = openai.OpenAI(
            api_key=self._key or "none",
            base_url=settings.base_url,
            timeout=timeout,
            max_retries=0,
        )

    @property
    def name(self) -> str:
        """See :class:`ChatModel`."""
        return f"{self._settings.model} at {self._settings.base_url}"

    @property
    def context_window(self) -> int:
        """See :class:`ChatModel`."""
        return self._settings.context_window

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        """See :class:`ChatModel`. Retries pause interruptibly and never after the first piece."""
        attempt = 0
        while True:
            begun = False
            try:
                for chunk in self._attempt(request, cancel):
                    begun = True
                    yield chunk
                return
            except (ModelRejectedError, ChatCanceledError):
                raise
            except ChatError as error:
                if begun:
                    raise StreamCutError(
                        f"{self.name} broke off in the middle of its reply: {error}"
                    ) from error
                if attempt >= self._settings.retries or isinstance(error, ModelTimeoutError):
                    raise
                pause = self._pause(attempt, getattr(error, "retry_after_s", None))
            attempt += 1
            logger.info("%s: attempt %d after %.2f s.", self.name, attempt + 1, pause)
            if cancel.wait(pause):
                raise ChatCanceledError(f"Canceled while waiting for {self.name}: {cancel.reason}")

    def _attempt(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        settings = self._settings
        deltas = Deltas()
        done = False
        try:
            for event in BoundedStream(
                lambda: Events(self._client.chat.completions, self._arguments(request)),
                cancel,
                first_s=settings.first_s,
                idle_s=settings.idle_s,
                total_s=settings.total_s,
                name=self.name,
            ):
                if event is None:
                    done = True
                    continue
                if event.get("error"):
                    words = self._without_key(_words_of(event, "an error without words"))
                    kind = ContextTooLongError if _TOO_LONG.search(words) else ModelUnavailableError
                    raise kind(f"{self.name} reported an error: {words}")
                yield from deltas.feed(event)
        except self._openai.APIStatusError as error:
            raise self._status_error(error) from error
        except self._openai.APIConnectionError as error:
            raise ModelUnavailableError(f"{self.name} cannot be reached: {_cause(error)}.") from error
        except ChatError:
            raise
        except Exception as error:  # httpx errors in the middle of a stream come as they are
            words = self._without_key(repr(error)[:300])
            raise ModelUnavailableError(f"{self.name} broke off: {words}.") from error
        yield from deltas.end()
        if not done and not deltas.finished:
            raise ModelUnavailableError(f"{self.name} ended its stream before its reply.")

    def _arguments(self, request: ChatRequest) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [_wire_message(message) for message in request.messages],
            "stream": True,
        }
        if request.tools:
            arguments["tools"] = list(request.tools)
        for name in ("max_tokens", "temperature"):
            wanted, usual = getattr(request, name), getattr(self._settings, name)
            if wanted is not None or usual is not None:
                arguments[name] = usual if wanted is None else wanted
        if request.response_schema is not None:
            schema = {"name": "reply", "schema": dict(request.response_schema), "strict": True}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        return arguments

    def _status_error(self, error: Any) -> ChatError:
        status = int(error.status_code)
        words = f"{self.name} answered {status}: {self._without_key(_server_words(error))}"
        # A limit of tokens a minute (429) passes by itself; some servers say 500 for a request that is too long.
        if status not in _RETRIED_STATUS and _TOO_LONG.search(words):
            return ContextTooLongError(words)
        if status in _RETRIED_STATUS or status >= 500:
            failure = _RetryLaterError(words)
            failure.retry_after_s = _retry_after(error.response.headers)
            return failure
        key = f" Set the key in {self._settings.key_variable}."
        advice = {401: key, 403: key, 404: " Check the model's name and the address."}
        if status in advice:
            return ModelNotServedError(words.rstrip(". ") + "." + advice[status])
        if re.search(r"\btools?\b|tool[_ ]choice", words, re.IGNORECASE):
            words += " If the model knows no tools, set calls: json for it."
        return ModelRejectedError(words)

    def _without_key(self, words: str) -> str:
        """Return words of the server without the key: some give back what they were sent."""
        if self._key:
            words = words.replace(self._key, "***")
        return _LOOKS_LIKE_A_KEY.sub("***", words)

    def _pause(self, attempt: int, retry_after_s: float | None) -> float:
        if retry_after_s is not None:
            # A little jitter on top, so that a fleet does not come back in one instant.
            return min(retry_after_s, self._settings.longest_pause_s) + random.uniform(0, 0.1)
        mean: float = self._settings.pause_s * 2**attempt
        return min(random.uniform(0, 2 * mean), self._settings.longest_pause_s)


class _RetryLaterError(ModelUnavailableError):
    """The server asks for patience."""

    retry_after_s: float | None = None


def _wire_message(message: Mapping[str, Any]) -> dict[str, Any]:
    allowed = ("role", "content", "name", "tool_calls", "tool_call_id", "refusal")
    return {key: message[key] for key in allowed if key in message and message[key] not in (None, [])}


def _server_words(error: Any) -> str:
    usual = str(getattr(error, "message", error))
    return _words_of(error.body, usual) if isinstance(error.body, Mapping) else usual[:300]


def _words_of(body: Mapping[str, Any], usual: str) -> str:
    """Return what a server says of an error, in whichever of the usual places."""
    inner = body.get("error", body)
    if isinstance(inner, Mapping):
        inner = inner.get("message") or body.get("message") or body.get("detail") or usual
    return str(inner)[:300]


def _cause(error: BaseException) -> str:
    inner = error.__cause__ or error
    return f"{type(inner).__name__}: {inner}"[:200]


def _retry_after(headers: Any) -> float | None:
    """Return the seconds of a Retry-After header, a number or a date (RFC 9110, 10.2.3), or of retry-after-ms."""
    value, scale = headers.get("retry-after"), 1.0
    if headers.get("retry-after-ms"):
        value, scale = headers.get("retry-after-ms"), 0.001
    if not value:
        return None
    try:
        seconds = float(value) * scale
        return max(0.0, seconds) if seconds == seconds else None
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
