"""What a task graph refuses, each with its own type and one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence

_NAMED_ENDS = 10


def _spelled(cycle: Sequence[str]) -> str:
    """Spell a cycle out; of a very long one both ends, for it is a sentence that somebody reads."""
    if len(cycle) <= 2 * _NAMED_ENDS:
        return " -> ".join(cycle)
    left_out = f"({len(cycle) - 2 * _NAMED_ENDS} more)"
    return " -> ".join((*cycle[:_NAMED_ENDS], left_out, *cycle[-_NAMED_ENDS:]))


class TaskGraphError(Exception):
    """Base of everything the task graph refuses; the graph is unchanged when one is raised."""


class UnknownTaskError(TaskGraphError, KeyError):
    """No node has this id."""

    def __init__(self, node_id: str) -> None:
        super().__init__(node_id)
        self.node_id = node_id

    def __str__(self) -> str:
        return f"No task {self.node_id!r} in this graph; use an id that add_node or add_plan returned."


class DuplicateTaskError(TaskGraphError, ValueError):
    """The id is taken."""


class CycleError(TaskGraphError, ValueError):
    """A dependency, or a place in the tree, would close a cycle.

    Attributes:
        cycle: all node ids along it; the first and the last are the same. The sentence names the ends of a cycle
            of more than twenty.
    """

    def __init__(self, node_id: str, other: str, cycle: Sequence[str], wish: str = "depend on") -> None:
        self.cycle = tuple(cycle)
        super().__init__(
            f"{node_id!r} cannot {wish} {other!r}: it would close the cycle "
            f"{_spelled(self.cycle)} (each waits for the next); remove one of these dependencies first."
        )


class InvalidTransitionError(TaskGraphError, ValueError):
    """The status cannot follow the present one."""


class NotExecutableError(TaskGraphError, ValueError):
    """The node cannot start: something it depends on is not finished, or it is no leaf."""


class ArchivedError(TaskGraphError, RuntimeError):
    """The graph is archived and takes no more changes."""


class NothingToUndoError(TaskGraphError, RuntimeError):
    """No change is left to undo."""


class NothingToRedoError(TaskGraphError, RuntimeError):
    """No undone change is left that could be made again."""


class NotPlainError(TaskGraphError, TypeError):
    """A value is given that a saved graph could not hold."""

    def __init__(self, what: str, fault: str) -> None:
        super().__init__(
            f"{what} {fault}; a task keeps plain values only: texts, numbers, truth values, None, and lists "
            f"and dictionaries (with text keys) of these."
        )


class RollbackError(TaskGraphError, RuntimeError):
    """A compensation failed; the nodes rolled back before it are pending, this one needs adjusting.

    Attributes:
        node_id: the node whose compensation failed.
        rolled_back: the nodes that were rolled back before it, in that order.
    """

    def __init__(self, node_id: str, rolled_back: Sequence[str], cause: str) -> None:
        self.node_id = node_id
        self.rolled_back = tuple(rolled_back)
        super().__init__(
            f"Rolling back {node_id!r} failed: {cause}. It is marked needs_adjust; what was rolled back "
            f"before it stays so ({', '.join(rolled_back) or 'nothing'}). Repair the cause and try again."
        )


class SerializationError(TaskGraphError, ValueError):
    """The saved form is not one this version reads."""
