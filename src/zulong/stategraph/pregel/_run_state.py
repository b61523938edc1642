"""What a run knows: its thread, its state, and what tasks may ask of it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from zulong.stategraph._clock import now_text
from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_NS,
    MISSING,
    NULL_TASK_ID,
    PREVIOUS,
    RESUME,
)
from zulong.stategraph.pregel._plan import node_input
from zulong.stategraph.pregel._state import State
from zulong.stategraph.pregel._task import Task
from zulong.stategraph.types import interrupt_id

if TYPE_CHECKING:
    from zulong.stategraph.pregel._options import Options
    from zulong.stategraph.runtime import Runtime


class RunState:
    """See the module. Attributes are set by `load`, and then by each step.

    Attributes:
        status: input, pending, done, draining, interrupt_before, interrupt_after, out_of_steps, cancelled.
        pending: task id -> what it wrote in the current step (also by runs before this one).
        tasks: the tasks of the current step, those that are called from others included.
        interrupts: what now waits for an answer, as the caller is told.
        latest: the output as the caller was last told, `MISSING` before that.
    """

    state: State
    step: int
    stop: int
    metadata: dict[str, Any]
    parent_config: Any
    driver: Any
    saved_id: str
    addressed: bool
    superseded: bool
    existed: bool
    new_id: Any

    def __init__(self, graph: Any, input: Any, options: Options, parent: Task | None) -> None:
        self.graph = graph
        self.layout = graph.layout
        self.input = input
        self.options = options
        self.config = options.config
        self.configurable: dict[str, Any] = options.config[CONF]
        self.parent = parent
        self.saver = options.saver
        self.store = options.store
        self.cache = options.cache
        self.durability = options.durability
        self.runtime: Runtime[Any] = options.runtime
        self.control = options.runtime.control
        self.sink = options.sink
        self.modes: frozenset[str] = options.sink.modes if options.sink is not None else frozenset()
        self.messages = options.messages
        self.checkpoint_ns: str = self.configurable.get(CONFIG_KEY_CHECKPOINT_NS) or ""
        self.ns_parts = tuple(self.checkpoint_ns.split("|")) if self.checkpoint_ns else ()
        rid = self.config.get("run_id")
        self.run_id = str(rid) if rid else None
        self.resume_map: dict[str, Any] | None = parent.run.resume_map if parent is not None else None
        self.replay: Any = parent.run.replay_for_children if parent is not None else None
        self.replay_for_children: Any = self.replay
        self.resuming: bool | None = None
        if parent is not None:
            self.resuming = parent.resuming if parent.resuming is not None else parent.run.resuming
        self.status = "input"
        self.lock = threading.RLock()
        self.pending: dict[str, list[tuple[str, Any]]] = {}
        self.tasks: list[Task] = []
        self.updated: set[str] | None = None
        self.is_replaying = False
        self.written: set[str] = set()
        self.deferred: list[tuple[str, str, Sequence[tuple[str, Any]]]] = []
        self.unfinished = 0
        self.troubled = False
        self.interrupts: list[Any] = []
        self.latest: Any = MISSING
        self._output_known = True
        self._checkpoint_id: str | None = None
        self.checkpoint_ts: str | None = None
        self.base_config: dict[str, Any] = {}
        self.events: list[tuple[str, str, str, tuple[Any, ...]]] = []
        self._failure: BaseException | None = None

    # -- identity ---------------------------------------------------------------------------------

    @property
    def checkpoint_id(self) -> str:
        """The checkpoint that the current step starts from (made up where nothing is saved)."""
        if self._checkpoint_id is None:
            from zulong.stategraph.checkpoint.base.id import create_checkpoint_id

            self._checkpoint_id = create_checkpoint_id(self.step)
        return self._checkpoint_id

    def task_id(self, name: str, parts: Iterable[str]) -> str:
        """A task's id; see `Task.id`."""
        text = "\0".join((self.checkpoint_id, self.checkpoint_ns, str(self.step), name, *parts))
        h = blake2b(text.encode(), digest_size=16).hexdigest()
        return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"

    def config_for(self, checkpoint_id: str | None) -> dict[str, Any]:
        """The config that addresses a checkpoint of this run's thread and namespace."""
        base = self.base_config
        return {
            **base,
            CONF: {
                **base[CONF],
                CONFIG_KEY_CHECKPOINT_NS: self.checkpoint_ns,
                CONFIG_KEY_CHECKPOINT_ID: checkpoint_id,
            },
        }

    @property
    def previous(self) -> Any:
        """What the last run of the thread returned (functional API)."""
        if PREVIOUS not in self.layout.specs:
            return None
        return self.state.values.get(PREVIOUS)

    # -- for tasks --------------------------------------------------------------------------------

    def answers_for(self, task: Task) -> list[Any]:
        """The answers that `task` has: those of earlier runs, and one given now by interrupt id."""
        answers: list[Any] = []
        for channel, value in self.pending.get(task.id, ()):
            if channel == RESUME:
                answers = list(value) if isinstance(value, list) else [value]
                break
        if self.resume_map:
            for index in (len(answers), 0):
                key = interrupt_id(task.checkpoint_ns, index)
                if key in self.resume_map:
                    answers.append(self.resume_map[key])
                    break
        return answers

    def read_keys(self, keys: Sequence[str]) -> dict[str, Any]:
        """State and managed values by key, without the empty ones."""
        held, managed = self.state.held, self.layout.managed
        if not managed:
            return held.of(keys)
        found: dict[str, Any] = {}
        for key in keys:
            value = managed[key].get(self) if key in managed else held[key]
            if value is not MISSING:
                found[key] = value
        return found

    def read_for(self, task: Task, select: str | Sequence[str], fresh: bool) -> Any:
        """See `Task.read`."""
        single = isinstance(select, str)
        keys: Sequence[str] = [select] if isinstance(select, str) else select
        found = self.read_keys(keys)
        if fresh and task.writes:
            mine: dict[str, list[Any]] = {}
            for channel, value in task.writes:
                if channel in keys:
                    mine.setdefault(channel, []).append(value)
            for key, values in mine.items():
                if key in self.layout.specs:
                    local = self.state.channels[key].copy()
                    local.update(values)
                    if local.is_available():
                        found[key] = local.get()
        return found.get(keys[0]) if single else found

    def stream_writer_for(self, task: Task, outer: Any) -> Any:
        """The function that sends to the stream mode "custom" in the name of `task`."""
        sink = self.options.custom_sink
        if sink is None:
            return outer
        from zulong.stategraph.pregel._messages import graph_namespace

        def write(value: Any) -> None:
            sink.put((graph_namespace(task), "custom", value))

        return write

    # -- emitting ---------------------------------------------------------------------------------

    def emit(self, mode: str, payload: Any) -> None:
        """Show a chunk to whoever streams this mode."""
        sink = self.sink
        if sink is None:
            return
        if mode in self.modes:
            sink.put((self.ns_parts, mode, payload))
        if "debug" in self.modes and mode in ("checkpoints", "tasks"):
            kind = "checkpoint" if mode == "checkpoints" else "task_result" if "result" in payload else "task"
            wrapped = {
                "step": self.step - 1 if mode == "checkpoints" else self.step,
                "timestamp": now_text(),
                "type": kind,
                "payload": payload,
            }
            sink.put((self.ns_parts, "debug", wrapped))

    def wants(self, mode: str) -> bool:
        """Whether anyone sees chunks of this mode (debug shows checkpoints and tasks too)."""
        return mode in self.modes or (mode in ("checkpoints", "tasks") and "debug" in self.modes)

    def emit_values(self) -> None:
        """The output changed: remember it, and show it."""
        keys = self.options.output_keys
        if self.options.volatile_output or "values" in self.modes:
            self.latest = self.state.read(keys)
            self._output_known = True
            if "values" in self.modes:
                self.emit("values", dict(self.latest) if isinstance(self.latest, dict) else self.latest)
        else:
            self._output_known = False  # read when it is asked for: nothing else can change it

    @property
    def output(self) -> Any:
        """The output as last shown, None if it never was."""
        if not self._output_known:
            self.latest = self.state.read(self.options.output_keys)
            self._output_known = True
        return None if self.latest is MISSING else self.latest

    def _news_for_output(self, updated: set[str]) -> bool:
        keys = self.options.output_keys
        return keys in updated if isinstance(keys, str) else not updated.isdisjoint(keys)

    # -- for get_state and the like ---------------------------------------------------------------

    def input_of(self, name: str) -> Any:
        """What node `name` would read now."""
        return node_input(self, self.layout.nodes[name], name)

    def null_writes(self) -> list[tuple[str, Any]]:
        """Writes that came with a command, not from a task."""
        return self.pending.get(NULL_TASK_ID, [])
