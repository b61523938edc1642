"""Asynchronous twins for savers that wait for a disk: each call runs in the saver's one thread."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from zulong.stategraph.checkpoint.base.model import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    Config,
    StepWrites,
)
from zulong.stategraph.checkpoint.base.saver import BaseCheckpointSaver, DeltaChannelHistory, V

T = TypeVar("T")
_PAGE = 16


class OwnThread:
    """One thread, started with the first call and ended by `close`; calls run in the order of submission."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None
        self._closed = False

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Run a call in the thread. If the caller is cancelled the call still ends, whole."""
        with self._lock:
            if self._executor is None and not self._closed:
                self._executor = ThreadPoolExecutor(1, thread_name_prefix=self._name)
            executor = self._executor
        if executor is None:
            return function(*args)  # closed: the call itself raises the error that says so
        return await asyncio.get_running_loop().run_in_executor(executor, function, *args)

    def close(self) -> None:
        """Wait for the calls that were submitted, and end the thread."""
        with self._lock:
            self._closed = True
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True)


class OffLoopTwins(BaseCheckpointSaver[V]):
    """Base of savers whose calls wait; keeps the event loop free. The subclass closes `_own_thread`."""

    _own_thread: OwnThread

    async def aget_tuple(self, config: Config) -> CheckpointTuple | None:
        """Asynchronous twin of `get_tuple`."""
        return await self._own_thread.run(self.get_tuple, config)

    async def alist(
        self,
        config: Config | None,
        *,
        filter: dict[str, Any] | None = None,
        before: Config | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Asynchronous twin of `list`."""
        items = self.list(config, filter=filter, before=before, limit=limit)
        while True:
            page = await self._own_thread.run(lambda: list(itertools.islice(items, _PAGE)))
            for item in page:
                yield item
            if len(page) < _PAGE:
                return

    async def aget_delta_channel_history(
        self, *, config: Config, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Asynchronous twin of `get_delta_channel_history`."""
        return await self._own_thread.run(
            lambda: self.get_delta_channel_history(config=config, channels=channels)
        )

    async def aput(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        """Asynchronous twin of `put`."""
        return await self._own_thread.run(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Asynchronous twin of `put_writes`."""
        await self._own_thread.run(self.put_writes, config, writes, task_id, task_path)

    async def aput_step(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        writes: Sequence[StepWrites],
        writes_config: Config,
    ) -> dict[str, Any]:
        """Asynchronous twin of `put_step`."""
        return await self._own_thread.run(
            self.put_step, config, checkpoint, metadata, new_versions, writes, writes_config
        )

    async def adelete_thread(self, thread_id: str) -> None:
        """Asynchronous twin of `delete_thread`."""
        await self._own_thread.run(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Asynchronous twin of `delete_for_runs`."""
        await self._own_thread.run(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Asynchronous twin of `copy_thread`."""
        await self._own_thread.run(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Asynchronous twin of `prune`."""
        await self._own_thread.run(lambda: self.prune(thread_ids, strategy=strategy))
