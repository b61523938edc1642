"""The TaskGraph: what is to be done, as a tree with dependencies across it, and where each part stands."""

from zulong.tasks.errors import (
    ArchivedError,
    CycleError,
    DuplicateTaskError,
    InvalidTransitionError,
    NotExecutableError,
    NothingToRedoError,
    NothingToUndoError,
    NotPlainError,
    RollbackError,
    SerializationError,
    TaskGraphError,
    UnknownTaskError,
)
from zulong.tasks.events import Change, Effect, TaskEvent
from zulong.tasks.graph import TaskGraph
from zulong.tasks.journal import MirrorListener
from zulong.tasks.likeness import likeness
from zulong.tasks.record import TaskNode
from zulong.tasks.similar import (
    PastTask,
    PastTaskSearch,
    SimilarTask,
    WordOverlapSearch,
    likeness_to,
    past_task,
)
from zulong.tasks.status import ACTIVATION, TRANSITIONS, TaskStatus, aggregate, depth_to_type

__all__ = [
    "ACTIVATION",
    "TRANSITIONS",
    "ArchivedError",
    "Change",
    "CycleError",
    "DuplicateTaskError",
    "Effect",
    "InvalidTransitionError",
    "MirrorListener",
    "NotExecutableError",
    "NotPlainError",
    "NothingToRedoError",
    "NothingToUndoError",
    "PastTask",
    "PastTaskSearch",
    "RollbackError",
    "SerializationError",
    "SimilarTask",
    "TaskEvent",
    "TaskGraph",
    "TaskGraphError",
    "TaskNode",
    "TaskStatus",
    "UnknownTaskError",
    "WordOverlapSearch",
    "aggregate",
    "depth_to_type",
    "likeness",
    "likeness_to",
    "past_task",
]
