"""What a run shows while it runs: the shapes of stream chunks, and the queue they travel through."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_MAP,
    CONFIG_KEY_CHECKPOINT_NS,
    CONTROL_WRITES,
    ERROR,
    INTERRUPT,
    MISSING,
    NS_END,
    NS_SEP,
    NULL_TASK_ID,
    RETURN,
)
from zulong.stategraph.types import Interrupt, PregelTask

Chunk = tuple[tuple[str, ...], str, Any]
Pending = Mapping[str, Sequence[tuple[str, Any]]]


class Sink:
    """A queue of chunks that any thread may fill and one consumer empties.

    Attributes:
        modes: what the consumer wants to see.
        wake: called after a chunk was put; the consumer's way not to poll.
    """

    __slots__ = ("chunks", "modes", "wake")

    def __init__(self, modes: Iterable[str]) -> None:
        self.modes = frozenset(modes)
        self.chunks: deque[Chunk] = deque()
        self.wake: Callable[[], None] | None = None

    def put(self, chunk: Chunk) -> None:
        """Add a chunk."""
        self.chunks.append(chunk)
        wake = self.wake
        if wake is not None:
            wake()


class Tee:
    """Gives each chunk to every sink that wants its mode: a subgraph's own consumer and the outer graph's."""

    __slots__ = ("modes", "sinks")

    def __init__(self, *sinks: Any) -> None:
        self.sinks = sinks
        self.modes = frozenset().union(*(s.modes for s in sinks))

    def put(self, chunk: Chunk) -> None:
        """Add a chunk to the sinks that want it."""
        for sink in self.sinks:
            if chunk[1] in sink.modes:
                sink.put(chunk)


class Waker:
    """Lets one thread sleep until another has something for it, never longer than a limit."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def __call__(self) -> None:
        self._event.set()

    def wait(self, until: float | None) -> bool:
        """Sleep until woken or until the steady clock shows `until`; False if the time came first."""
        limit = None if until is None else max(0.0, until - time.monotonic())
        woken = self._event.wait(limit)
        self._event.clear()
        return woken


# -- updates ---------------------------------------------------------------------------------------


def update_of(name: str, writes: Sequence[tuple[str, Any]], keys: str | Sequence[str]) -> dict[str, Any]:
    """A task's writes as `{name: update}`: one dictionary, a list of them, or None if nothing shows."""
    found: list[Any] = []
    returned = next((v for c, v in writes if c == RETURN), MISSING)
    if returned is not MISSING:
        found.append(returned)
    elif isinstance(keys, str):
        found.extend(v for c, v in writes if c == keys)
    else:
        shown = [(c, v) for c, v in writes if c in keys]
        if shown:
            counts = Counter(c for c, _ in shown)
            if max(counts.values()) > 1:
                found.extend({c: v} for c, v in shown)
            else:
                found.append(dict(shown))
    return {name: None if not found else found[0] if len(found) == 1 else found}


def interrupts_in(writes: Iterable[tuple[str, Any]]) -> tuple[Interrupt[Any], ...]:
    """All interrupts among the writes."""
    found: list[Interrupt[Any]] = []
    for channel, value in writes:
        if channel == INTERRUPT:
            found.extend(value if isinstance(value, (list, tuple)) else (value,))
    return tuple(found)


# -- tasks and checkpoints -------------------------------------------------------------------------


def task_payload(task: Any) -> dict[str, Any]:
    """The chunk for a task that starts."""
    payload: dict[str, Any] = {
        "id": task.id,
        "name": task.name,
        "input": task.input,
        "triggers": task.triggers,
    }
    excluded = ("thread_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map")
    metadata = {
        k: v
        for k, v in {**task.run.config.get("metadata", {}), **task.node.metadata}.items()
        if k not in excluded and not k.startswith("langgraph_")
    }
    tags = [t for t in task.config.get("tags", ()) if not t.startswith("seq:step")]
    if tags:
        metadata["tags"] = tags
    if metadata:
        payload["metadata"] = metadata
    return payload


def merged_writes(writes: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Writes by channel; several to one channel as `{"$writes": [...]}`."""
    merged: dict[str, Any] = {}
    for channel, value in writes:
        before = merged.get(channel)
        if before is None:
            merged[channel] = value
        elif isinstance(before, dict) and isinstance(before.get("$writes"), list):
            before["$writes"].append(value)
        else:
            merged[channel] = {"$writes": [before, value]}
    return merged


def task_result_payload(
    task: Any, writes: Sequence[tuple[str, Any]], keys: str | Sequence[str]
) -> dict[str, Any]:
    """The chunk for a task that ended."""
    shown = [keys] if isinstance(keys, str) else keys
    return {
        "id": task.id,
        "name": task.name,
        "error": next((v for c, v in writes if c == ERROR), None),
        "result": merged_writes([w for w in writes if w[0] in shown or w[0] == RETURN]),
        "interrupts": [i.as_dict() for i in interrupts_in(writes)],
    }


def own_keys(config: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A config's `configurable` without what only the engine uses."""
    if config is None:
        return None
    return {CONF: {k: v for k, v in config.get(CONF, {}).items() if not k.startswith("__")}}


def with_checkpoint_map(config: Any, metadata: Any) -> Any:
    """A checkpoint's config that also addresses the checkpoints of the graphs around it."""
    parents = (metadata or {}).get("parents")
    if config is None or not parents:
        return config
    conf = config[CONF]
    own = {conf.get(CONFIG_KEY_CHECKPOINT_NS, ""): conf.get(CONFIG_KEY_CHECKPOINT_ID)}
    return {**config, CONF: {**conf, CONFIG_KEY_CHECKPOINT_MAP: {**parents, **own}}}


def subgraph_config(run: Any, task: Any) -> dict[str, Any]:
    """Where the state of a task's subgraph is found."""
    own = f"{task.name}{NS_END}{task.id}"
    ns = f"{run.checkpoint_ns}{NS_SEP}{own}" if run.checkpoint_ns else own
    return {CONF: {"thread_id": run.configurable.get("thread_id"), CONFIG_KEY_CHECKPOINT_NS: ns}}


def finished_output(writes: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """What a task that finished wrote; empty if it only failed or asked."""
    return [w for w in writes if w[0] not in CONTROL_WRITES]


def describe_tasks(
    tasks: Iterable[Any],
    pending: Pending,
    states: Mapping[str, Any],
    keys: str | Sequence[str],
    *,
    live: bool = False,
) -> tuple[PregelTask, ...]:
    """The tasks of a step with what is known of them.

    Args:
        pending: task id -> what it wrote so far.
        states: task id -> its subgraph's state or config.
        live: leave out interrupts of tasks that have finished since.
    """
    described = []
    for task in tasks:
        writes = pending.get(task.id, ()) if task.id != NULL_TASK_ID else ()
        output = finished_output(writes)
        interrupts = () if live and output else interrupts_in(writes)
        error = next((v for c, v in writes if c == ERROR), None)
        result = _result_of(output, keys) if output else None
        described.append(
            PregelTask(task.id, task.name, task.path, error, interrupts, states.get(task.id), result)
        )
    return tuple(described)


def _result_of(output: Sequence[tuple[str, Any]], keys: str | Sequence[str]) -> Any:
    returned = next((v for c, v in output if c == RETURN), MISSING)
    if returned is not MISSING:
        return returned
    if isinstance(keys, str):
        return merged_writes([w for w in output if w[0] == keys]).get(keys)
    return merged_writes([w for w in output if w[0] in keys])


def checkpoint_payload(
    *,
    config: Any,
    parent_config: Any,
    values: Any,
    metadata: Any,
    tasks: Sequence[Any],
    described: Sequence[PregelTask],
) -> dict[str, Any]:
    """The chunk for a checkpoint."""
    entries: list[dict[str, Any]] = []
    for task in described:
        entry: dict[str, Any] = {"id": task.id, "name": task.name}
        if task.error:
            entry["error"] = task.error
        else:
            if task.result:
                entry["result"] = task.result
            entry["interrupts"] = tuple(i.as_dict() for i in task.interrupts)
        entry["state"] = task.state
        entries.append(entry)
    return {
        "config": own_keys(with_checkpoint_map(config, metadata)),
        "parent_config": own_keys(with_checkpoint_map(parent_config, metadata)),
        "values": values,
        "metadata": metadata,
        "next": [t.name for t in tasks],
        "tasks": entries,
    }


def shaped(
    chunk: Chunk,
    *,
    modes: Any,
    subgraphs: bool,
    version: str,
    output_mapper: Callable[[Any], Any] | None = None,
    state_mapper: Callable[[Any], Any] | None = None,
) -> Iterator[Any]:
    """A chunk as the caller of `stream` asked for it."""
    ns, mode, payload = chunk
    wanted = modes == mode if isinstance(modes, str) else mode in modes
    if not wanted:
        return
    if version == "v2":
        part: dict[str, Any] = {"type": mode, "ns": ns, "data": payload}
        if mode == "values":
            interrupts: tuple[Interrupt[Any], ...] = ()
            if isinstance(payload, dict):
                interrupts = payload.pop(INTERRUPT, ())
                if output_mapper is not None and not ns:
                    payload = output_mapper(payload)
            part = {"type": mode, "ns": ns, "data": payload, "interrupts": interrupts}
        elif state_mapper is not None and not ns and mode in ("checkpoints", "debug"):
            _map_state(payload, state_mapper)
        yield part
    elif isinstance(modes, str):
        yield (ns, payload) if subgraphs else payload
    else:
        yield (ns, mode, payload) if subgraphs else (mode, payload)


def _map_state(payload: Any, mapper: Callable[[Any], Any]) -> None:
    inner = payload.get("payload") if payload.get("type") == "checkpoint" else payload
    if (
        isinstance(inner, dict)
        and isinstance(inner.get("values"), dict)
        and "__start__" not in inner.get("next", ())
    ):
        inner["values"] = mapper(inner["values"])
