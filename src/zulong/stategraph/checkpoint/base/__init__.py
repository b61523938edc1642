"""The checkpointer's protocol: what the engine calls and what every saver provides."""

from zulong.stategraph.checkpoint.base.id import create_checkpoint_id, uuid6
from zulong.stategraph.checkpoint.base.model import (
    EXCLUDED_METADATA_KEYS,
    LATEST_VERSION,
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    PendingWrite,
    StepWrites,
    copy_checkpoint,
    create_checkpoint,
    empty_checkpoint,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)
from zulong.stategraph.checkpoint.base.saver import BaseCheckpointSaver, DeltaChannelHistory, V
from zulong.stategraph.checkpoint.log import LogSegment, LogValue
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from zulong.stategraph.checkpoint.serde.types import (
    ERROR,
    INTERRUPT,
    RESUME,
    SCHEDULED,
    TASKS,
    ChannelProtocol,
)
from zulong.stategraph.errors import EmptyChannelError

__all__ = [
    "ERROR",
    "EXCLUDED_METADATA_KEYS",
    "INTERRUPT",
    "LATEST_VERSION",
    "RESUME",
    "SCHEDULED",
    "TASKS",
    "WRITES_IDX_MAP",
    "BaseCheckpointSaver",
    "ChannelProtocol",
    "ChannelVersions",
    "Checkpoint",
    "CheckpointMetadata",
    "CheckpointTuple",
    "DeltaChannelHistory",
    "EmptyChannelError",
    "JsonPlusSerializer",
    "LogSegment",
    "LogValue",
    "PendingWrite",
    "SerializerProtocol",
    "StepWrites",
    "V",
    "copy_checkpoint",
    "create_checkpoint",
    "create_checkpoint_id",
    "empty_checkpoint",
    "get_checkpoint_id",
    "get_checkpoint_metadata",
    "uuid6",
    "writes_sort_key",
]
