"""One face for everything that turns texts into vectors."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

EmbeddingsFunc = Callable[[Sequence[str]], "list[list[float]]"]
AEmbeddingsFunc = Callable[[Sequence[str]], Awaitable["list[list[float]]"]]


class Embeddings(Protocol):
    """What a store calls: documents and queries to vectors, sync and async."""

    def embed_documents(self, texts: list[str]) -> Any:
        """Return one vector a text."""
        ...

    def embed_query(self, text: str) -> Any:
        """Return the vector of a query."""
        ...


class _FromFunction:
    """A plain function, or a coroutine function, from texts to vectors."""

    def __init__(self, function: Callable[[Sequence[str]], Any]) -> None:
        self._function = function
        call = getattr(function, "__call__", None)  # noqa: B004 - the method itself is inspected, not called
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)

    def embed_documents(self, texts: list[str]) -> Any:
        if self._is_async:
            raise TypeError(
                "The store's embed function is asynchronous; call aput and asearch, or give a synchronous function."
            )
        return self._function(texts)

    def embed_query(self, text: str) -> Any:
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts: list[str]) -> Any:
        if self._is_async:
            return await self._function(texts)
        return await asyncio.to_thread(self._function, texts)

    async def aembed_query(self, text: str) -> Any:
        return (await self.aembed_documents([text]))[0]


class _FromEmbedder:
    """A `zulong.embedding.Embedder`."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> Any:
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Any:
        return self._embedder.embed_query(text)


def ensure_embeddings(embed: Any) -> Embeddings:
    """Return the object that a store calls, from an embedder, an object with `embed_documents`, or a function.

    None gives ZULONG's offline default embedder.

    Raises:
        TypeError: none of these.
    """
    if embed is None:
        from zulong.embedding import default_embedder

        return _FromEmbedder(default_embedder())
    if hasattr(embed, "embed_documents") and hasattr(embed, "embed_query"):
        return embed  # type: ignore[no-any-return]
    if hasattr(embed, "embed") and hasattr(embed, "embed_query"):
        return _FromEmbedder(embed)
    if callable(embed):
        return _FromFunction(embed)
    raise TypeError(
        f"index['embed'] is {type(embed).__name__}; give a zulong.embedding.Embedder, a function from texts to "
        "vectors, or an object with embed_documents and embed_query."
    )


async def aembed_documents(embeddings: Embeddings, texts: list[str]) -> Any:
    """Embed documents without blocking the event loop."""
    method = getattr(embeddings, "aembed_documents", None)
    return await (
        method(texts) if method is not None else asyncio.to_thread(embeddings.embed_documents, texts)
    )


async def aembed_query(embeddings: Embeddings, text: str) -> Any:
    """Embed a query without blocking the event loop."""
    method = getattr(embeddings, "aembed_query", None)
    return await (method(text) if method is not None else asyncio.to_thread(embeddings.embed_query, text))
