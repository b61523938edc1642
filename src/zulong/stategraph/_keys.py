"""Reserved names: channels, pending-write markers and config keys that the engine owns.

The values are those of LangGraph, because they show in checkpoints, outputs and configs that
applications read (`__interrupt__`, `checkpoint_ns`, ...).
"""

from __future__ import annotations

from typing import Final

# Markers in pending writes and outputs.
INPUT: Final = "__input__"
INTERRUPT: Final = "__interrupt__"
RESUME: Final = "__resume__"
ERROR: Final = "__error__"
ERROR_SOURCE_NODE: Final = "__error_source_node__"
NO_WRITES: Final = "__no_writes__"
TASKS: Final = "__pregel_tasks"
RETURN: Final = "__return__"
PREVIOUS: Final = "__previous__"
OVERWRITE: Final = "__overwrite__"
CACHE_NS_WRITES: Final = "__pregel_ns_writes"
COPY: Final = "__copy__"
ROOT: Final = "__root__"

START: Final = "__start__"
END: Final = "__end__"
TAG_HIDDEN: Final = "langsmith:hidden"
TAG_NOSTREAM: Final = "nostream"

# Task paths.
PUSH: Final = "__pregel_push"
PULL: Final = "__pregel_pull"

# Checkpoint namespaces: "outer:task_id|inner:task_id".
NS_SEP: Final = "|"
NS_END: Final = ":"
NULL_TASK_ID: Final = "00000000-0000-0000-0000-000000000000"

# Keys of `config["configurable"]`.
CONF: Final = "configurable"
CONFIG_KEY_SEND: Final = "__pregel_send"
CONFIG_KEY_READ: Final = "__pregel_read"
CONFIG_KEY_CHECKPOINTER: Final = "__pregel_checkpointer"
CONFIG_KEY_STREAM: Final = "__pregel_stream"
CONFIG_KEY_CACHE: Final = "__pregel_cache"
CONFIG_KEY_TASK: Final = "__pregel_task"
CONFIG_KEY_TASK_ID: Final = "__pregel_task_id"
CONFIG_KEY_THREAD_ID: Final = "thread_id"
CONFIG_KEY_CHECKPOINT_MAP: Final = "checkpoint_map"
CONFIG_KEY_CHECKPOINT_ID: Final = "checkpoint_id"
CONFIG_KEY_CHECKPOINT_NS: Final = "checkpoint_ns"
CONFIG_KEY_NODE_FINISHED: Final = "__pregel_node_finished"
CONFIG_KEY_TIMED_ATTEMPT_OBSERVER: Final = "__pregel_timed_attempt_observer"
CONFIG_KEY_RUNTIME: Final = "__pregel_runtime"
CONFIG_KEY_DURABILITY: Final = "__pregel_durability"
CONFIG_KEY_STRICT_RESUME: Final = "__pregel_strict_resume"

CHECKPOINT_COORDINATES: Final = (
    CONFIG_KEY_THREAD_ID,
    CONFIG_KEY_CHECKPOINT_NS,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_MAP,
)

#: Names that no node, channel or managed value may take.
RESERVED: Final = frozenset(
    {
        TAG_HIDDEN,
        INPUT,
        INTERRUPT,
        RESUME,
        ERROR,
        ERROR_SOURCE_NODE,
        NO_WRITES,
        CONFIG_KEY_SEND,
        CONFIG_KEY_READ,
        CONFIG_KEY_CHECKPOINTER,
        CONFIG_KEY_STREAM,
        CONFIG_KEY_CHECKPOINT_MAP,
        CONFIG_KEY_TASK,
        CONFIG_KEY_TASK_ID,
        CONFIG_KEY_CHECKPOINT_ID,
        CONFIG_KEY_CHECKPOINT_NS,
        PUSH,
        PULL,
        NS_SEP,
        NS_END,
        CONF,
    }
)

#: Pending-write markers that never reach a channel.
CONTROL_WRITES: Final = frozenset({ERROR, ERROR_SOURCE_NODE, INTERRUPT, RESUME})
UNAPPLIED: Final = frozenset({NO_WRITES, PUSH, RESUME, INTERRUPT, RETURN, ERROR, ERROR_SOURCE_NODE})

BRANCH_PREFIX: Final = "branch:to:"


class Missing:
    """The type of `MISSING`: absence, where `None` is a value."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"

    def __copy__(self) -> Missing:
        return self

    def __deepcopy__(self, memo: object) -> Missing:
        return self


MISSING: Final = Missing()
