"""From what a node returns to writes: updates, commands, edges and branches."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from zulong.stategraph._fields import annotated_keys, object_update
from zulong.stategraph._keys import BRANCH_PREFIX, END, ROOT, START, TASKS
from zulong.stategraph.errors import ErrorCode, InvalidUpdateError, ParentCommand, create_error_message
from zulong.stategraph.graph._schema import first_parameter_schema, return_hint
from zulong.stategraph.pregel._action import Action
from zulong.stategraph.pregel._node import Branch, Write, Writes
from zulong.stategraph.types import Command, Send

if TYPE_CHECKING:
    from zulong.stategraph.pregel._task import Task


def result_write(keys: Sequence[str], ends: Any = ()) -> Write:
    """Writes a node's result to the state keys it may write, and follows its commands."""
    static = (
        [(e, label) for e, label in ends.items()]
        if isinstance(ends, Mapping)
        else [(e, None) for e in ends or ()]
    )
    if list(keys) == [ROOT]:
        return Write(_root_writes, static)
    allowed = frozenset(keys)
    ordered = list(keys)

    def to_writes(result: Any) -> Writes:
        if type(result) is dict:  # by far the most frequent
            for key in result:
                if key not in allowed:
                    return [(k, v) for k, v in result.items() if k in allowed]
            return list(result.items())
        if result is None:
            return ()
        if type(result) is Command:
            goto = _goto_writes(result)
            return [(k, v) for k, v in result._update_as_tuples() if k in allowed] + goto
        return [*_updates(result, allowed, ordered), *control_writes(result)]

    return Write(to_writes, static)


def _updates(result: Any, allowed: frozenset[str], ordered: Sequence[str]) -> list[tuple[str, Any]]:
    if result is None or isinstance(result, Send):
        return _refuse(result) if isinstance(result, Send) else []
    if isinstance(result, dict):
        return [(k, v) for k, v in result.items() if k in allowed]
    if isinstance(result, Command):
        if result.graph == Command.PARENT:
            return []
        return [(k, v) for k, v in result._update_as_tuples() if k in allowed]
    if isinstance(result, (list, tuple)) and any(isinstance(r, Command) for r in result):
        return [w for r in result for w in _updates(r, allowed, ordered)]
    if annotated_keys(type(result)):
        return object_update(result, ordered)
    return _refuse(result)


def _refuse(result: Any) -> list[tuple[str, Any]]:
    raise InvalidUpdateError(
        create_error_message(
            message=f"Expected dict, got {result}", error_code=ErrorCode.INVALID_GRAPH_NODE_RETURN_VALUE
        )
    )


def _root_writes(result: Any) -> Writes:
    if result is None:
        return ()
    if isinstance(result, Command):
        update = () if result.graph == Command.PARENT else result._update_as_tuples()
        return [*update, *control_writes(result)]
    if isinstance(result, (list, tuple)) and any(isinstance(r, Command) for r in result):
        writes: list[tuple[str, Any]] = []
        for item in result:
            if isinstance(item, Command):
                if item.graph != Command.PARENT:
                    writes.extend(item._update_as_tuples())
            else:
                writes.append((ROOT, item))
        return [*writes, *control_writes(result)]
    return [(ROOT, result), *control_writes(result)]


def control_writes(result: Any) -> list[tuple[str, Any]]:
    """Where the commands in a result lead.

    Raises:
        ParentCommand: a command is meant for the graph around this one.
    """
    if isinstance(result, Send):
        return [(TASKS, result)]
    if isinstance(result, Command):
        commands = [result]
    elif isinstance(result, (list, tuple)):
        commands = [r for r in result if isinstance(r, Command)]
    else:
        return []
    return [write for command in commands for write in _goto_writes(command)]


def _goto_writes(command: Command[Any]) -> list[tuple[str, Any]]:
    """Where one command leads; see `control_writes`."""
    if command.graph == Command.PARENT:
        raise ParentCommand(command)
    targets = (command.goto,) if isinstance(command.goto, (Send, str)) else command.goto
    writes: list[tuple[str, Any]] = []
    for target in targets:
        if isinstance(target, Send):
            writes.append((TASKS, target))
        elif isinstance(target, str) and target != END:
            writes.append((f"{BRANCH_PREFIX}{target}", None))
    return writes


def edge_write(channel: str, value: Any, end: str) -> Write:
    """Wakes the node at the end of a plain edge, or tells a join that this start is done."""
    constant = ((channel, value),)
    return Write(lambda _: constant, ((end, None),))


class BranchSpec:
    """A conditional edge as it was added.

    Attributes:
        path: what chooses.
        ends: results -> node names; None where any node may follow.
        input_schema: the state that the path function wants.
    """

    __slots__ = ("ends", "input_schema", "path")

    def __init__(self, path: Action, ends: dict[Hashable, str] | None, input_schema: Any) -> None:
        self.path = path
        self.ends = ends
        self.input_schema = input_schema

    @classmethod
    def from_path(cls, path: Any, path_map: Mapping[Hashable, str] | Sequence[str] | None) -> BranchSpec:
        """Read the path's annotations: a Literal return names the ends."""
        action = path if isinstance(path, Action) else Action(path)
        ends: dict[Hashable, str] | None = None
        if isinstance(path_map, Mapping):
            ends = dict(path_map)
        elif path_map is not None:
            ends = {name: name for name in path_map}
        else:
            hint = return_hint(action.target)
            if get_origin(hint) is Literal:
                ends = {name: name for name in get_args(hint)}
        return cls(action, ends, first_parameter_schema(_function_of(action.target)))

    def node_branch(self, name: str, read: Callable[[Task, Any], Any]) -> Branch:
        """The branch as a writer of its node."""
        ends = None if self.ends is None else [(e, str(label)) for label, e in self.ends.items()]
        return Branch(self.path, read, self.to_writes, name=name, ends=ends)

    def to_writes(self, chosen: Any) -> Writes:
        """What to wake for what the path function returned.

        Raises:
            ValueError: it returned None or START.
            InvalidUpdateError: it sends to END.
        """
        targets = chosen if isinstance(chosen, (list, tuple)) else [chosen]
        if self.ends:
            ends = self.ends
            targets = [t if isinstance(t, Send) else ends[t] for t in targets]
        writes: list[tuple[str, Any]] = []
        for target in targets:
            if isinstance(target, Send):
                if target.node == END:
                    raise InvalidUpdateError("Cannot send a packet to the END node")
                writes.append((TASKS, target))
            elif target is None or target == START:
                raise ValueError("Branch did not return a valid destination")
            elif target != END:
                writes.append((f"{BRANCH_PREFIX}{target}", None))
        return writes


def _function_of(target: Any) -> Any:
    return (
        getattr(target, "func", None) or getattr(target, "afunc", None) or target
        if not inspect.isfunction(target)
        else target
    )


def destinations_of(func: Any) -> Any:
    """The nodes that a `Command[Literal[...]]` return annotation names."""
    hint = return_hint(func)
    options = get_args(hint) if get_origin(hint) is not Command and get_args(hint) else (hint,)
    for option in options:
        if get_origin(option) is Command:
            args = get_args(option)
            if args and get_origin(args[0]) is Literal:
                return get_args(args[0])
    return ()
