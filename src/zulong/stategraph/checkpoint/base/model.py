"""What a checkpoint is made of, and the small functions over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

from zulong.stategraph._clock import now_text
from zulong.stategraph.checkpoint.base.id import create_checkpoint_id
from zulong.stategraph.checkpoint.serde.types import ERROR, INTERRUPT, RESUME, SCHEDULED
from zulong.stategraph.errors import EmptyChannelError

LATEST_VERSION = 4
"""The layout of a checkpoint that this version writes."""

Config = Mapping[str, Any]
"""`{"configurable": {"thread_id", "checkpoint_ns", "checkpoint_id"}, "metadata": {...}}`; only the first is needed."""

PendingWrite = tuple[str, str, Any]
"""(task id, channel, value) of a task that finished, or stopped, after a checkpoint."""

StepWrites = tuple[str, str, Sequence[tuple[str, Any]]]
"""(task id, task path, [(channel, value), ...]) of one task, for `put_step`."""

ChannelVersions = dict[str, str | int | float]

WRITES_IDX_MAP = {ERROR: -1, SCHEDULED: -2, INTERRUPT: -3, RESUME: -4}
"""Writes to these channels have a fixed place of their own, so a later one replaces an earlier one."""

_OWN_KEYS = frozenset({"thread_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map"})
_STEP_KEYS = ("step", "node", "triggers", "path", "checkpoint_ns")
EXCLUDED_METADATA_KEYS = _OWN_KEYS | {f"langgraph_{key}" for key in _STEP_KEYS}
"""Keys of a config that are not copied into a checkpoint's metadata."""


class CheckpointMetadata(TypedDict, total=False):
    """Where a checkpoint came from. Scalars of the config's `metadata` and `configurable` join it."""

    source: Literal["input", "loop", "update", "fork"]
    step: int
    parents: dict[str, str]
    run_id: str


class Checkpoint(TypedDict):
    """The state of one thread (and namespace) after one superstep.

    `channel_values` by channel; `channel_versions` grow with every update of a channel; `versions_seen`
    says by node which versions its last run saw; `updated_channels` were updated by this step.
    """

    v: int
    id: str
    ts: str
    channel_values: dict[str, Any]
    channel_versions: ChannelVersions
    versions_seen: dict[str, ChannelVersions]
    updated_channels: list[str] | None


class CheckpointTuple(NamedTuple):
    """A checkpoint with its address, its parent's address and the writes that wait on it."""

    config: dict[str, Any]
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    parent_config: dict[str, Any] | None = None
    pending_writes: list[PendingWrite] | None = None


def empty_checkpoint() -> Checkpoint:
    """Return the checkpoint of a thread in which nothing happened."""
    return Checkpoint(
        v=LATEST_VERSION,
        id=create_checkpoint_id(-2),
        ts=now_text(),
        channel_values={},
        channel_versions={},
        versions_seen={},
        updated_channels=None,
    )


def copy_checkpoint(checkpoint: Checkpoint) -> Checkpoint:
    """Return a copy whose dictionaries are its own; channel values are shared."""
    return Checkpoint(
        v=checkpoint["v"],
        id=checkpoint["id"],
        ts=checkpoint["ts"],
        channel_values=checkpoint["channel_values"].copy(),
        channel_versions=checkpoint["channel_versions"].copy(),
        versions_seen={node: seen.copy() for node, seen in checkpoint["versions_seen"].items()},
        updated_channels=checkpoint.get("updated_channels"),
    )


def create_checkpoint(
    checkpoint: Checkpoint,
    channels: Mapping[str, Any] | None,
    step: int,
    *,
    id: str | None = None,
    updated_channels: Sequence[str] | None = None,
) -> Checkpoint:
    """Return the checkpoint that follows `checkpoint`, with the values that `channels` hold now.

    Channels without a version were never written and are left out, as are empty ones.
    """
    if channels is None:
        values = checkpoint["channel_values"]
    else:
        values = {}
        for name in checkpoint["channel_versions"]:
            channel = channels.get(name)
            if channel is None:
                continue
            try:
                values[name] = channel.checkpoint()
            except EmptyChannelError:
                continue
    return Checkpoint(
        v=LATEST_VERSION,
        id=id or create_checkpoint_id(step, after=checkpoint["id"]),
        ts=now_text(),
        channel_values=values,
        channel_versions=checkpoint["channel_versions"],
        versions_seen=checkpoint["versions_seen"],
        updated_channels=None if updated_channels is None else sorted(updated_channels),
    )


def get_checkpoint_id(config: Config) -> str | None:
    """Return the checkpoint that a config names, None when it means the newest."""
    return config["configurable"].get("checkpoint_id") or None


def get_checkpoint_metadata(config: Config, metadata: Mapping[str, Any]) -> CheckpointMetadata:
    """Return `metadata` joined by the scalars of the config that it does not name itself.

    NUL characters are dropped from text, because PostgreSQL cannot hold them.
    """
    joined: dict[str, Any] = dict(metadata)
    for extra in (config.get("metadata"), config.get("configurable")):
        if not extra or extra.keys() <= EXCLUDED_METADATA_KEYS:
            continue  # nothing but the address of a checkpoint, as nearly always
        for key, value in extra.items():
            if key in EXCLUDED_METADATA_KEYS or key in joined or key.startswith("__"):
                continue
            if isinstance(value, (str, int, float)):
                joined[key] = value
    for key, value in joined.items():
        if isinstance(value, str) and "\0" in value:
            joined[key] = value.replace("\0", "")
    return joined  # type: ignore[return-value]


def writes_sort_key(task_path: str, task_id: str = "", idx: int = 0) -> tuple[str, str, int]:
    """Return the key that sorts stored writes into the order in which a superstep applies them."""
    return (task_path, task_id, idx)


def storable(channel: str, value: Any) -> Any:
    """Return what a saver stores for a write: an exception becomes its text, anything else stays.

    Exceptions carry frames, sockets and classes of any library; what a resumed run needs is the sentence.
    """
    return repr(value) if channel == ERROR and isinstance(value, BaseException) else value


def config_of(thread_id: str, checkpoint_ns: str, checkpoint_id: str) -> dict[str, Any]:
    """Return the config that addresses one checkpoint."""
    return {
        "configurable": {
            "thread_id": thread_id,
            "checkpoint_ns": checkpoint_ns,
            "checkpoint_id": checkpoint_id,
        }
    }
