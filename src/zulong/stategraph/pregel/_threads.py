"""What a compiled graph knows of its threads: reading their state, and writing it from outside."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from zulong.stategraph.pregel._parts import GraphParts
from zulong.stategraph.types import RunnableConfig, StateSnapshot, StateUpdate


class ThreadAccess(GraphParts):
    """See the module."""

    def _do(self, work: Any, config: Mapping[str, Any]) -> Any:
        from zulong.stategraph.pregel._history import state_saver
        from zulong.stategraph.pregel._offline import perform

        return perform(work, state_saver(self, config))

    async def _ado(self, work: Any, config: Mapping[str, Any]) -> Any:
        from zulong.stategraph.pregel._history import state_saver
        from zulong.stategraph.pregel._offline import aperform

        return await aperform(work, state_saver(self, config))

    def get_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """The state of the thread (or of the checkpoint) that `config` addresses.

        Args:
            subgraphs: give the states of subgraphs in the tasks, instead of configs that address them.

        Raises:
            ValueError: the graph has no checkpointer.
        """
        from zulong.stategraph.pregel._history import get_state

        return self._do(get_state(self, config, subgraphs=subgraphs), config)  # type: ignore[no-any-return]

    async def aget_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """Asynchronous twin of `get_state`."""
        from zulong.stategraph.pregel._history import get_state

        return await self._ado(get_state(self, config, subgraphs=subgraphs), config)  # type: ignore[no-any-return]

    def get_state_history(
        self,
        config: RunnableConfig,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[StateSnapshot]:
        """The thread's checkpoints, newest first; `filter` by metadata, those `before` one, at most `limit`."""
        from zulong.stategraph.pregel._history import find_history

        yield from self._do(find_history(self, config, filter=filter, before=before, limit=limit), config)

    async def aget_state_history(
        self,
        config: RunnableConfig,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[StateSnapshot]:
        """Asynchronous twin of `get_state_history`."""
        from zulong.stategraph.pregel._history import find_history

        work = find_history(self, config, filter=filter, before=before, limit=limit)
        for found in await self._ado(work, config):
            yield found

    def update_state(
        self, config: RunnableConfig, values: Any, as_node: str | None = None, task_id: str | None = None
    ) -> RunnableConfig:
        """Write to the thread as if node `as_node` had returned `values`; returns the new checkpoint's config.

        With a `checkpoint_id` in `config` this forks: the old branch stays. `as_node` may also be
        "__input__", "__copy__", or END with None to drop what was to run next.

        Raises:
            InvalidUpdateError: the node is unknown, or cannot be told because several ran last.
        """
        return self.bulk_update_state(config, [[StateUpdate(values, as_node, task_id)]])

    async def aupdate_state(
        self, config: RunnableConfig, values: Any, as_node: str | None = None, task_id: str | None = None
    ) -> RunnableConfig:
        """Asynchronous twin of `update_state`."""
        return await self.abulk_update_state(config, [[StateUpdate(values, as_node, task_id)]])

    def bulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Several steps of updates, each step's updates applied together."""
        from zulong.stategraph.pregel._update import bulk_update

        return self._do(bulk_update(self, config, supersteps), config)  # type: ignore[no-any-return]

    async def abulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Asynchronous twin of `bulk_update_state`."""
        from zulong.stategraph.pregel._update import bulk_update

        return await self._ado(bulk_update(self, config, supersteps), config)  # type: ignore[no-any-return]
