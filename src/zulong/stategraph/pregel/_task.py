"""A task: one node, run once in one step. Everything that may not be needed is made when it is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_MAP,
    CONFIG_KEY_CHECKPOINT_NS,
    CONFIG_KEY_CHECKPOINTER,
    CONFIG_KEY_READ,
    CONFIG_KEY_RUNTIME,
    CONFIG_KEY_SEND,
    CONFIG_KEY_TASK,
    CONFIG_KEY_TASK_ID,
    NS_END,
    NS_SEP,
    NULL_TASK_ID,
    PULL,
    PUSH,
    RESUME,
    TAG_HIDDEN,
)
from zulong.stategraph.runtime import ExecutionInfo, Runtime

if TYPE_CHECKING:
    from zulong.stategraph.pregel._fence import Attempt
    from zulong.stategraph.pregel._node import PregelNode
    from zulong.stategraph.pregel._run import Run
    from zulong.stategraph.types import CacheKey, RetryPolicy, RunnableConfig, TimeoutPolicy

PUSH_TRIGGER = (PUSH,)


def path_text(part: Any) -> str:
    """A task's path as text that sorts in the order in which writes are applied."""
    if isinstance(part, (tuple, list)):
        return "~" + ", ".join(path_text(p) for p in part)
    if isinstance(part, int):
        return f"{part:010d}"
    return str(part)


class Task:
    """See the module.

    Attributes:
        writes: (channel, value) pairs, in order; what counts is decided when the task is committed.
        error: the exception it ended with, if any.
        done: whether it ended (finished, failed, interrupted) or was answered from earlier writes.
        attempt: 1 for the first.
        fence: the current attempt's gate; None where nothing can time out.
    """

    __slots__ = (
        "_answers",
        "_calls",
        "_config",
        "_id",
        "_interrupts",
        "_ns",
        "_runtime",
        "_subgraphs",
        "attempt",
        "cache_key",
        "call",
        "done",
        "error",
        "fence",
        "first_attempt_time",
        "id_parts",
        "input",
        "name",
        "node",
        "node_error",
        "parent",
        "path",
        "resuming",
        "run",
        "timeout",
        "triggers",
        "writes",
    )

    def __init__(
        self,
        run: Run,
        node: PregelNode,
        name: str,
        input: Any,
        path: tuple[Any, ...],
        triggers: Sequence[str],
        id_parts: tuple[str, ...],
        timeout: TimeoutPolicy | None = None,
    ) -> None:
        self.run = run
        self.node = node
        self.name = name
        self.input = input
        self.path = path
        self.triggers = triggers
        self.id_parts = id_parts
        self.timeout = timeout
        self.writes: list[tuple[str, Any]] = []
        self.error: BaseException | None = None
        self.done = False
        self.attempt = 1
        self.first_attempt_time: float | None = None
        self.fence: Attempt | None = None
        self.parent: Task | None = None
        self.call: Any = None
        self.node_error: Any = None
        self.resuming: bool | None = None
        self.cache_key: CacheKey | None = None
        self._id: str | None = None
        self._ns: str | None = None
        self._config: RunnableConfig | None = None
        self._runtime: Runtime[Any] | None = None
        self._answers: list[Any] | None = None
        self._interrupts = 0
        self._calls: Any = None
        self._subgraphs: Any = None

    # -- identity ---------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The task's id: a function of checkpoint, namespace, step, name and place, so that a resumed run
        finds the writes of the run before it."""
        if self._id is None:
            self._id = self.run.task_id(self.name, self.id_parts)
        return self._id

    @property
    def checkpoint_ns(self) -> str:
        """Where the task's subgraphs keep their checkpoints."""
        if self._ns is None:
            outer = self.parent.checkpoint_ns if self.parent is not None else self.run.checkpoint_ns
            own = f"{self.name}{NS_END}{self.id}"
            self._ns = f"{outer}{NS_SEP}{own}" if outer else own
        return self._ns

    @property
    def hidden(self) -> bool:
        """Whether streams leave the task out."""
        return TAG_HIDDEN in self.node.tags

    @property
    def is_call(self) -> bool:
        """Whether it is a call of a `@task` function from within another task."""
        return self.call is not None

    @property
    def retry_policy(self) -> Sequence[RetryPolicy]:
        """The policies of the node, else those of the graph."""
        return self.node.retry_policy or self.run.graph.retry_policy

    # -- what the node may use --------------------------------------------------------------------

    def write(self, writes: Sequence[tuple[str, Any]]) -> None:
        """Add writes, unless this attempt was fenced."""
        fence = self.fence
        if fence is None:
            self.writes.extend(writes)
        else:
            fence.write(self, writes)

    def next_interrupt(self) -> int:
        """The index of this call of `interrupt()` in this attempt."""
        index = self._interrupts
        self._interrupts = index + 1
        return index

    def next_call(self) -> int:
        """The index of this call of a `@task` function in this attempt (threads of a node may race)."""
        if self._calls is None:
            self._calls = count()
        return int(next(self._calls))

    def next_subgraph(self) -> int:
        """The index of this run of a subgraph in this attempt."""
        if self._subgraphs is None:
            self._subgraphs = count()
        return int(next(self._subgraphs))

    @property
    def answers(self) -> list[Any]:
        """The answers that this task's interrupts already have, in order."""
        if self._answers is None:
            self._answers = self.run.answers_for(self)
        return self._answers

    def take_answer(self, *, peek: bool) -> Any:
        """The answer that was given without naming an interrupt, here or in an enclosing run; None if there is
        none. Only the first interrupt that asks gets it (`peek=False` takes it)."""
        run: Run | None = self.run
        while run is not None:
            for index, (channel, value) in enumerate(run.pending.get(NULL_TASK_ID, ())):
                if channel == RESUME:
                    if not peek:
                        with run.lock:
                            del run.pending[NULL_TASK_ID][index]
                    return value
            run = run.parent.run if run.parent is not None else None
        return None

    def guard(self, fence: Attempt) -> None:
        """Put this attempt behind a fence."""
        self.fence = fence
        self._runtime = self._config = None

    def new_attempt(self) -> None:
        """Forget what the failed attempt did, before the node is tried again."""
        self.attempt += 1
        self.writes = []
        self._interrupts = 0
        self._runtime = None
        self._config = None
        self.resuming = True  # its subgraphs go on where they were

    @property
    def runtime(self) -> Runtime[Any]:
        """The `Runtime` for this attempt."""
        if self._runtime is None:
            run = self.run
            if self.first_attempt_time is None:
                self.first_attempt_time = time.time()
            fence = self.fence
            base = run.runtime
            writer = run.stream_writer_for(self, base.stream_writer)
            extra: dict[str, Any] = {}
            if fence is not None:
                writer = fence.guard_writer(writer)
                extra = {"heartbeat": fence.heartbeat, "is_cancelled": lambda: not fence.open}
            elif run.parent is not None and run.parent.fence is not None:
                outer = run.parent.fence
                extra = {"heartbeat": outer.heartbeat, "is_cancelled": lambda: not outer.open}
            self._runtime = Runtime(
                context=base.context,
                store=run.store,
                stream_writer=writer,
                previous=run.previous if self.call is None else base.previous,
                execution_info=ExecutionInfo(
                    checkpoint_id=run.checkpoint_id,
                    checkpoint_ns=self.checkpoint_ns,
                    task_id=self.id,
                    thread_id=run.configurable.get("thread_id"),
                    run_id=run.run_id,
                    node_attempt=self.attempt,
                    node_first_attempt_time=self.first_attempt_time,
                ),
                server_info=base.server_info,
                control=base.control,
                **extra,
            )
        return self._runtime

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata for streams: the config's, the task's place, the node's own."""
        return {
            **self.run.config.get("metadata", {}),
            "langgraph_step": self.run.step,
            "langgraph_node": self.name,
            "langgraph_triggers": tuple(self.triggers),
            "langgraph_path": self.path,
            "langgraph_checkpoint_ns": self.checkpoint_ns,
            **self.node.metadata,
        }

    @property
    def config(self) -> RunnableConfig:
        """The config as a node sees it; a subgraph that is run with it belongs to this task."""
        if self._config is None:
            run = self.run
            config = dict(run.config)
            config.pop("run_name", None)
            config["metadata"] = self.metadata
            if self.node.tags:
                config["tags"] = [*config.get("tags", ()), *self.node.tags]
            checkpoint_map = dict(run.configurable.get(CONFIG_KEY_CHECKPOINT_MAP) or {})
            checkpoint_map[run.checkpoint_ns] = run.checkpoint_id
            config[CONF] = {
                **run.configurable,
                CONFIG_KEY_TASK: self,
                CONFIG_KEY_TASK_ID: self.id,
                CONFIG_KEY_SEND: self.write,
                CONFIG_KEY_READ: self.read,
                CONFIG_KEY_CHECKPOINTER: run.saver,
                CONFIG_KEY_CHECKPOINT_MAP: checkpoint_map,
                CONFIG_KEY_CHECKPOINT_ID: None,
                CONFIG_KEY_CHECKPOINT_NS: self.checkpoint_ns,
                CONFIG_KEY_RUNTIME: self.runtime,
            }
            self._config = config
        return self._config

    def read(self, select: str | Sequence[str], fresh: bool = False) -> Any:
        """The state before this step, with `fresh` as this task's own writes change it."""
        return self.run.read_for(self, select, fresh)

    @property
    def sort_key(self) -> str:
        """Orders the writes of a step."""
        path = self.path
        if path[0] == PULL:
            return f"~{PULL}, {path[1]}"
        if path[0] == PUSH and type(path[1]) is int and len(path) == 3:
            return f"~{PUSH}, {path[1]:010d}, 0000000000"
        return path_text(path[:3])

    @property
    def path_text(self) -> str:
        """The whole path, as savers keep it."""
        return self.sort_key if len(self.path) <= 3 else path_text(self.path)
