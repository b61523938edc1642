"""The store's protocol: items, operations, and the methods that every store offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypedDict

from zulong.stategraph.store.embed import AEmbeddingsFunc, Embeddings, EmbeddingsFunc, ensure_embeddings
from zulong.stategraph.store.paths import get_text_at_path, tokenize_path

Namespace = tuple[str, ...]
NamespacePath = tuple[str, ...]
"""A namespace in which `"*"` stands for any one label."""
NamespaceMatchType = Literal["prefix", "suffix"]


class NotProvided:
    """The type of `NOT_PROVIDED`, which tells an argument left out from None."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "NOT_PROVIDED"


NOT_PROVIDED = NotProvided()


class InvalidNamespaceError(ValueError):
    """A namespace is empty, or has a label that is empty, no text, or holds a period or NUL."""


class Item:
    """A stored value with its address and the times (UTC) of its first and last write."""

    __slots__ = ("created_at", "key", "namespace", "updated_at", "value")

    def __init__(
        self,
        *,
        value: dict[str, Any],
        key: str,
        namespace: Sequence[str],
        created_at: datetime | str,
        updated_at: datetime | str,
    ) -> None:
        self.value = value
        self.key = key
        self.namespace = tuple(namespace)
        self.created_at = _time(created_at)
        self.updated_at = _time(updated_at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Item):
            return NotImplemented
        return (self.namespace, self.key, self.value, self.created_at, self.updated_at) == (
            other.namespace,
            other.key,
            other.value,
            other.created_at,
            other.updated_at,
        )

    def __hash__(self) -> int:
        return hash((self.namespace, self.key))

    def dict(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return {
            "namespace": list(self.namespace),
            "key": self.key,
            "value": self.value,
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.dict().items())
        return f"{type(self).__name__}({fields})"


class SearchItem(Item):
    """An item that a search found; `score` is its cosine to the query (None without one)."""

    __slots__ = ("score",)

    def __init__(
        self,
        namespace: Sequence[str],
        key: str,
        value: dict[str, Any],
        created_at: datetime | str,
        updated_at: datetime | str,
        score: float | None = None,
    ) -> None:
        super().__init__(
            value=value, key=key, namespace=namespace, created_at=created_at, updated_at=updated_at
        )
        self.score = score

    def dict(self) -> dict[str, Any]:
        """Return the item as plain data, the score included."""
        return {**super().dict(), "score": self.score}


def _time(value: datetime | str) -> datetime:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


class GetOp(NamedTuple):
    """Read one item."""

    namespace: Namespace
    key: str
    refresh_ttl: bool = True


class SearchOp(NamedTuple):
    """Find items under a namespace prefix.

    `filter` maps a field to a value, or to operators: `$eq $ne $gt $gte $lt $lte $in $nin $exists`.
    `query` ranks by meaning where the store has an index.
    """

    namespace_prefix: Namespace
    filter: dict[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    query: str | None = None
    refresh_ttl: bool = True


class MatchCondition(NamedTuple):
    """A pattern that the start or the end of a namespace must match."""

    match_type: NamespaceMatchType
    path: NamespacePath


class ListNamespacesOp(NamedTuple):
    """List the namespaces that hold items; deeper ones are cut to `max_depth` labels."""

    match_conditions: tuple[MatchCondition, ...] | None = None
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


class PutOp(NamedTuple):
    """Write an item, or remove it when `value` is None.

    `index`: None for the store's fields, False for no vectors, or paths of its own. `ttl` in minutes.
    """

    namespace: Namespace
    key: str
    value: Mapping[str, Any] | None
    index: Literal[False] | list[str] | None = None  # type: ignore[assignment]
    ttl: float | None = None


Op = GetOp | SearchOp | PutOp | ListNamespacesOp
Result = Item | list[Item] | list[SearchItem] | list[Namespace] | None


class TTLConfig(TypedDict, total=False):
    """Times to live, all in minutes.

    `default_ttl` for items put without one; `refresh_on_read` (default True) starts an item's time again
    when it is read; `omit_expired` (default True) hides expired items before the sweep removes them;
    `sweep_interval_minutes` starts a sweep in the background.
    """

    refresh_on_read: bool
    omit_expired: bool
    default_ttl: float | None
    sweep_interval_minutes: float | None


class IndexConfig(TypedDict, total=False):
    """How values are indexed by meaning.

    `embed`: a `zulong.embedding.Embedder`, a function from texts to vectors (sync or async), or an object
    with `embed_documents` and `embed_query`. `dims`: length of a vector, checked when given. `fields`: paths
    such as `text`, `meta.title`, `turns[*].content`; default `["$"]`, the whole value.
    """

    dims: int
    embed: Any
    fields: list[str] | None


class BaseStore(ABC):
    """A store. An implementation provides `batch` and `abatch`; all else is built on them."""

    supports_ttl: bool = False
    ttl_config: TTLConfig | None = None

    __slots__ = ("__weakref__",)

    @abstractmethod
    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations together; reads see the state before the batch's writes."""

    @abstractmethod
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Asynchronous twin of `batch`."""

    def get(self, namespace: Namespace, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """Return an item, None when it is not there."""
        op = GetOp(namespace, str(key), self._refresh(refresh_ttl))
        return self.batch([op])[0]  # type: ignore[return-value]

    def search(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        """Return the items under a prefix that pass the filter, best first when there is a query."""
        op = SearchOp(namespace_prefix, filter, limit, offset, query, self._refresh(refresh_ttl))
        return self.batch([op])[0]  # type: ignore[return-value]

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        """Write an item (ttl in minutes).

        Raises:
            InvalidNamespaceError: the namespace is empty or has a bad label.
        """
        self.batch([self._put_op(namespace, key, value, index, ttl)])

    def delete(self, namespace: Namespace, key: str) -> None:
        """Remove an item; an unknown one is no error."""
        self.batch([PutOp(namespace, str(key), None)])

    def list_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Namespace]:
        """Return the namespaces that hold items, sorted."""
        op = ListNamespacesOp(_conditions(prefix, suffix), max_depth, limit, offset)
        return self.batch([op])[0]  # type: ignore[return-value]

    async def aget(self, namespace: Namespace, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """Asynchronous twin of `get`."""
        op = GetOp(namespace, str(key), self._refresh(refresh_ttl))
        return (await self.abatch([op]))[0]  # type: ignore[return-value]

    async def asearch(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        """Asynchronous twin of `search`."""
        op = SearchOp(namespace_prefix, filter, limit, offset, query, self._refresh(refresh_ttl))
        return (await self.abatch([op]))[0]  # type: ignore[return-value]

    async def aput(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        """Asynchronous twin of `put`."""
        await self.abatch([self._put_op(namespace, key, value, index, ttl)])

    async def adelete(self, namespace: Namespace, key: str) -> None:
        """Asynchronous twin of `delete`."""
        await self.abatch([PutOp(namespace, str(key), None)])

    async def alist_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Namespace]:
        """Asynchronous twin of `list_namespaces`."""
        op = ListNamespacesOp(_conditions(prefix, suffix), max_depth, limit, offset)
        return (await self.abatch([op]))[0]  # type: ignore[return-value]

    def _put_op(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None,
        ttl: float | NotProvided | None,
    ) -> PutOp:
        validate_namespace(namespace)
        if not isinstance(ttl, NotProvided) and ttl is not None and not self.supports_ttl:
            raise NotImplementedError(f"{type(self).__name__} has no time to live; leave ttl out.")
        if isinstance(ttl, NotProvided):
            ttl = self.ttl_config.get("default_ttl") if self.ttl_config else None
        return PutOp(namespace, str(key), value, index, ttl)

    def _refresh(self, refresh_ttl: bool | None) -> bool:
        if refresh_ttl is not None:
            return refresh_ttl
        return self.ttl_config.get("refresh_on_read", True) if self.ttl_config else True


def _conditions(prefix: NamespacePath | None, suffix: NamespacePath | None) -> tuple[MatchCondition, ...]:
    conditions = []
    if prefix:
        conditions.append(MatchCondition("prefix", tuple(prefix)))
    if suffix:
        conditions.append(MatchCondition("suffix", tuple(suffix)))
    return tuple(conditions)


def validate_namespace(namespace: Sequence[str]) -> None:
    """Raise `InvalidNamespaceError` unless something can be stored under this namespace."""
    if not namespace:
        raise InvalidNamespaceError("A namespace needs at least one label, for example ('users', 'anna').")
    validate_labels(namespace)
    if namespace[0] == "langgraph":
        raise InvalidNamespaceError(f"The first label of {tuple(namespace)} is reserved; choose another.")


def validate_labels(labels: Sequence[str]) -> None:
    """Raise `InvalidNamespaceError` unless every label is text without periods and NUL."""
    if isinstance(labels, str):
        raise InvalidNamespaceError(f"A namespace is a tuple of labels, not the text {labels!r}.")
    for label in labels:
        if not isinstance(label, str):
            raise InvalidNamespaceError(
                f"Label {label!r} of namespace {tuple(labels)} is {type(label).__name__}; labels must be text."
            )
        if not label:
            raise InvalidNamespaceError(f"Namespace {tuple(labels)} has an empty label.")
        if "." in label or "\0" in label:
            raise InvalidNamespaceError(
                f"Label {label!r} of namespace {tuple(labels)} holds a period or NUL."
            )


__all__ = [
    "NOT_PROVIDED",
    "AEmbeddingsFunc",
    "BaseStore",
    "Embeddings",
    "EmbeddingsFunc",
    "GetOp",
    "IndexConfig",
    "InvalidNamespaceError",
    "Item",
    "ListNamespacesOp",
    "MatchCondition",
    "NamespaceMatchType",
    "NamespacePath",
    "NotProvided",
    "Op",
    "PutOp",
    "Result",
    "SearchItem",
    "SearchOp",
    "TTLConfig",
    "ensure_embeddings",
    "get_text_at_path",
    "tokenize_path",
]
