"""What can be run like a graph."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from zulong.stategraph.types import RunnableConfig, StateSnapshot

__all__ = ("PregelProtocol", "StreamProtocol")


@runtime_checkable
class PregelProtocol(Protocol):
    """The calls that local and remote graphs share."""

    @abstractmethod
    def get_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot: ...

    @abstractmethod
    def update_state(
        self, config: RunnableConfig, values: Any, as_node: str | None = None
    ) -> RunnableConfig: ...

    @abstractmethod
    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]: ...

    @abstractmethod
    def astream(
        self, input: Any, config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]: ...

    @abstractmethod
    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any: ...

    @abstractmethod
    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any: ...


class StreamProtocol:
    """A function that takes stream chunks, and the modes it wants."""

    __slots__ = ("_take", "modes")

    def __init__(self, take: Callable[[Any], None], modes: Sequence[str] | set[str]) -> None:
        self._take = take
        self.modes = modes

    def __call__(self, chunk: Any) -> None:
        self._take(chunk)
