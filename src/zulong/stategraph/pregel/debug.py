"""The shapes of the chunks of stream modes "tasks", "checkpoints" and "debug"."""

from zulong.stategraph.pregel._stream import (
    checkpoint_payload,
    describe_tasks,
    task_payload,
    task_result_payload,
)
from zulong.stategraph.types import CheckpointPayload, CheckpointTask, TaskPayload, TaskResultPayload

__all__ = (
    "CheckpointPayload",
    "CheckpointTask",
    "TaskPayload",
    "TaskResultPayload",
    "checkpoint_payload",
    "describe_tasks",
    "task_payload",
    "task_result_payload",
)
