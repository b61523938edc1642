"""The first thing a run does: take its input, or find out what it resumes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import (
    BRANCH_PREFIX,
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_MAP,
    CONFIG_KEY_STRICT_RESUME,
    INPUT,
    INTERRUPT,
    MISSING,
    NULL_TASK_ID,
    RESUME,
    START,
    TASKS,
)
from zulong.stategraph.errors import EmptyInputError, InvalidUpdateError, UnknownInterruptError
from zulong.stategraph.pregel._effects import Save
from zulong.stategraph.pregel._load import Replay
from zulong.stategraph.pregel._plan import plan
from zulong.stategraph.pregel._state import Writer
from zulong.stategraph.pregel._stream import finished_output, interrupts_in
from zulong.stategraph.types import Command, Send, is_interrupt_id

if TYPE_CHECKING:
    from zulong.stategraph.pregel._run import Effects, Run

logger = logging.getLogger(__name__)

_FORKED = ("update", "fork")


def command_writes(command: Command[Any]) -> Iterator[tuple[str, Any]]:
    """A command as writes that no task made.

    Raises:
        InvalidUpdateError: it is meant for a parent graph, of which there is none.
        TypeError: `goto` names neither nodes nor sends.
    """
    if command.graph == Command.PARENT:
        raise InvalidUpdateError("There is no parent graph")
    targets = (
        command.goto if isinstance(command.goto, (list, tuple)) else [command.goto] if command.goto else []
    )
    for target in targets:
        if isinstance(target, Send):
            yield TASKS, target
        elif isinstance(target, str):
            yield f"{BRANCH_PREFIX}{target}", START
        else:
            raise TypeError(f"In Command.goto, expected Send/str, got {type(target).__name__}")
    if command.resume is not None:
        yield RESUME, command.resume
    if command.update:
        yield from command._update_as_tuples()


def input_writes(channels: str | Sequence[str], value: Any) -> list[tuple[str, Any]]:
    """An input as writes to the input channels.

    Raises:
        TypeError: several channels take input, and the input is not a dictionary.
    """
    if value is None:
        return []
    if isinstance(channels, str):
        return [(channels, value)]
    if not isinstance(value, dict):
        raise TypeError(f"Expected chunk to be a dict, got {type(value).__name__}")
    writes = []
    for key, item in value.items():
        if key in channels:
            writes.append((key, item))
        else:
            logger.warning("Input channel %s not found in %s", key, channels)
    return writes


def pending_interrupts(run: Run) -> set[str]:
    """Ids of the interrupts that wait for an answer."""
    found: set[str] = set()
    for task_id, writes in run.pending.items():
        if task_id != NULL_TASK_ID and not finished_output(writes):
            found.update(i.id for i in interrupts_in(writes))
    return found


def take_input(run: Run) -> Effects:
    """Write the input as step -1, or prepare to go on from what was saved.

    Raises:
        EmptyInputError: there is neither input nor anything to go on from.
        UnknownInterruptError, RuntimeError: the answer in a command fits no single pending interrupt.
    """
    value = run.input
    command = value if isinstance(value, Command) else None
    resuming = _resumes(run, command)
    travels = _travels(run, command)
    run.is_replaying = travels or run.superseded
    if travels:
        _drop(run, RESUME)
    forks = resuming and travels and (run.metadata.get("source") not in _FORKED or run.superseded)
    carried: list[tuple[str, Any]] = []
    if command is not None:
        carried = yield from _take_command(run, command, forks=forks)
    null_writes = [*run.null_writes(), *carried]
    if null_writes:
        news = run.state.apply([Writer(INPUT, null_writes)])
        if run.updated is not None:
            run.updated |= news
    replay_id = run.checkpoint_id if run.existed else None
    if resuming:
        run.state.seen[INTERRUPT] = dict(run.state.versions)
        if run.metadata.get("source") in _FORKED and run.parent_config:
            replay_id = run.parent_config[CONF].get(CONFIG_KEY_CHECKPOINT_ID, replay_id)
        if forks:
            _drop(run, INTERRUPT)
            yield from run.save_checkpoint("fork")
        run.emit_values()
    else:
        writes = input_writes(run.graph.input_channels, value)
        if writes:
            replay_id = yield from _start(run, writes, replay_id)
        elif run.resuming is None:
            raise EmptyInputError(f"Received no input for {run.graph.input_channels}")
    if run.parent is None:
        run.resuming = resuming
        run.replay_for_children = Replay(replay_id or run.checkpoint_id) if travels else None
    run.status = "pending"
    if resuming:
        run.note("resume")


def _start(run: Run, writes: Sequence[tuple[str, Any]], replay_id: Any) -> Effects:
    # Whatever an unfinished run left to do is dropped: its tasks count as seen, and wrote nothing.
    dropped = plan(run, run.updated) if run.existed else []
    for task in dropped:
        task.writes = []
    run.updated = run.state.apply([*dropped, Writer(INPUT, writes)])
    run.pending = {}
    yield from run.save_checkpoint("input")
    return run.checkpoint_id if run.saver is not None else replay_id


def _resumes(run: Run, command: Command[Any] | None) -> bool:
    if not run.state.versions:
        return False
    if run.parent is not None and run.resuming is not None:
        return run.resuming
    if run.input is None or command is not None:
        return True
    if run.parent is None:
        asked = (run.config.get("metadata") or {}).get("run_id", MISSING)
        return asked is not MISSING and asked == run.metadata.get("run_id", MISSING)
    return False


def _travels(run: Run, command: Command[Any] | None) -> bool:
    """Whether the run repeats from a chosen checkpoint, so that its tasks run again."""
    if not run.addressed:
        return False
    if run.parent is not None and run.checkpoint_ns in (
        run.configurable.get(CONFIG_KEY_CHECKPOINT_MAP) or {}
    ):
        return True
    answers = command is not None and command.resume is not None
    return not (answers or (run.parent is not None and bool(run.resuming)))


def _drop(run: Run, channel: str) -> None:
    run.pending = {
        task_id: kept for task_id, ws in run.pending.items() if (kept := [w for w in ws if w[0] != channel])
    }


def _take_command(run: Run, command: Command[Any], *, forks: bool) -> Effects:
    """Note the answers and writes of a command; returns those that only a fork will save."""
    by_map = False
    resume = command.resume
    if resume is not None:
        if run.saver is None:
            raise RuntimeError("Cannot use Command(resume=...) without checkpointer")
        strict = (
            run.configurable.get(CONFIG_KEY_STRICT_RESUME, False)
            and run.parent is None
            and not run.superseded
        )
        by_map = isinstance(resume, dict) and all(is_interrupt_id(k) for k in resume)
        if by_map:
            if strict:
                _check_strictly(resume, pending_interrupts(run))
            run.resume_map = resume
        else:
            waiting = pending_interrupts(run)
            if len(waiting) > 1:
                message = (
                    "When there are multiple pending interrupts, you must specify the interrupt id when resuming: "
                    "Command(resume={interrupt.id: answer})."
                )
                if strict:
                    raise UnknownInterruptError(message, reason="ambiguous", pending_ids=sorted(waiting))
                raise RuntimeError(message)
    writes = [w for w in command_writes(command) if not (by_map and w[0] == RESUME)]
    if not writes:
        if not by_map:
            raise EmptyInputError("Received empty Command input")
        return []
    if forks:
        return writes
    earlier = [w for w in run.null_writes() if w[0] != RESUME]
    writes.sort(key=lambda w: w[0] == RESUME)
    run.pending[NULL_TASK_ID] = [*earlier, *writes]
    run.written.add(NULL_TASK_ID)
    if run.saver is not None and run.durability != "exit":
        config = run.config_for(run.checkpoint_id)
        yield Save([run.writes_call(config, run._savable(run.pending[NULL_TASK_ID]), NULL_TASK_ID, "")])
    return []


def _check_strictly(resume: dict[str, Any], waiting: set[str]) -> None:
    if not resume:
        raise UnknownInterruptError(
            "The resume map names no interrupt", reason="empty_map", pending_ids=sorted(waiting)
        )
    unknown = sorted(resume.keys() - waiting)
    if unknown:
        raise UnknownInterruptError(
            f"Unknown or already-consumed interrupt: {unknown[0]}",
            reason="not_pending",
            interrupt_ids=unknown,
            pending_ids=sorted(waiting),
        )
