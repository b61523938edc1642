"""The channels of one run, their versions, and how a step's writes change them: all or nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from zulong.stategraph._keys import MISSING, TASKS, UNAPPLIED
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.binop import BinaryOperatorAggregate
from zulong.stategraph.channels.delta import AppendLog
from zulong.stategraph.channels.ephemeral_value import EphemeralValue
from zulong.stategraph.channels.last_value import LastValue
from zulong.stategraph.errors import EmptyChannelError, ErrorCode, InvalidUpdateError, create_error_message
from zulong.stategraph.pregel._layout import Layout
from zulong.stategraph.pregel._task import Task
from zulong.stategraph.types import Send

logger = logging.getLogger(__name__)

Channel = BaseChannel[Any, Any, Any]


class Channels(dict[str, Channel]):
    """Channels by name, made from their saved values when they are first looked at."""

    __slots__ = ("_specs", "saved")

    def __init__(self, specs: Mapping[str, Channel], saved: Mapping[str, Any]) -> None:
        super().__init__()
        self._specs = specs
        self.saved = saved

    def __missing__(self, name: str) -> Channel:
        channel = self[name] = self._specs[name].from_checkpoint(self.saved.get(name, MISSING))
        return channel

    def get_or_none(self, name: str) -> Channel | None:
        """The channel, or None if the graph has none of that name."""
        return self[name] if name in self._specs else None


class Values(dict[str, Any]):
    """What channels hold, `MISSING` where one is empty; read from the channel when it is first asked for.

    Most nodes read all keys and change few, so a value is kept until its channel changes. Only where every reader
    gets the same object anyway: a channel of another kind may make a new one each time.
    """

    __slots__ = ("_channels", "_empty")
    _KEPT = (LastValue, BinaryOperatorAggregate, AppendLog, EphemeralValue)

    def __init__(self, channels: Channels) -> None:
        super().__init__()
        self._channels = channels
        self._empty: set[str] = set()  # of those that were asked for

    def __missing__(self, name: str) -> Any:
        channel = self._channels[name]
        try:
            value = channel.get() if channel.is_available() else MISSING
        except EmptyChannelError:
            value = MISSING
        if value is MISSING:
            self._empty.add(name)
        if type(channel) in self._KEPT:
            self[name] = value
        return value

    def of(self, names: Sequence[str]) -> dict[str, Any]:
        """The values of these channels by name, without the empty ones."""
        found = dict(zip(names, map(self.__getitem__, names), strict=True))
        for name in self._empty.intersection(names):
            del found[name]
        return found

    def forget(self, names: Sequence[str]) -> None:
        """Read these channels anew: they have changed."""
        self._empty.difference_update(names)
        for name in names:
            self.pop(name, None)


class Writer:
    """Writes that come from no task: input, or what `Command` and `update_state` bring."""

    __slots__ = ("name", "path", "triggers", "writes")

    def __init__(
        self,
        name: str,
        writes: Sequence[tuple[str, Any]],
        path: tuple[Any, ...] = (),
        triggers: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.writes = writes
        self.path = path
        self.triggers = triggers

    @property
    def sort_key(self) -> str:
        """Orders the writes of a step."""
        from zulong.stategraph.pregel._task import path_text

        return path_text(self.path[:3])


class State:
    """Channels, versions, and what each node has seen.

    Attributes:
        versions: channel -> version of its last change.
        seen: node -> versions of its triggers when it last ran.
        newest: the highest version.
        changed: channels that changed since the last checkpoint.
        held: the channels' values, as nodes read them.
        values: what the last checkpoint holds, kept up to date channel by channel.
    """

    __slots__ = (
        "changed",
        "channels",
        "held",
        "layout",
        "newest",
        "next_version",
        "scoped",
        "seen",
        "values",
        "versions",
    )

    def __init__(
        self,
        layout: Layout,
        values: Mapping[str, Any],
        versions: dict[str, Any],
        seen: dict[str, dict[str, Any]],
        next_version: Callable[[Any, None], Any] | None,
    ) -> None:
        self.layout = layout
        self.values: dict[str, Any] = dict(values)
        self.channels = Channels(layout.specs, values)
        self.held = Values(self.channels)
        self.versions = versions
        self.seen = seen
        self.newest = max(versions.values()) if versions else None
        self.next_version = next_version
        self.changed: set[str] = set()
        specs = layout.specs
        self.scoped = {name for name in values if name in specs and specs[name].cleared_each_step}

    def bump(self) -> Any:
        """A version above all others."""
        if self.next_version is None:
            self.newest = 1 if self.newest is None else self.newest + 1
        else:
            self.newest = self.next_version(self.newest, None)
        return self.newest

    # -- reading ----------------------------------------------------------------------------------

    def value(self, name: str) -> Any:
        """The value of a channel, `MISSING` if it is empty."""
        return self.held[name]

    def read(self, select: str | Sequence[str]) -> Any:
        """One value (None if empty), or a dictionary of those that are not empty."""
        held = self.held
        if isinstance(select, str):
            value = held[select]
            return None if value is MISSING else value
        return held.of(select)

    def wakes(self, name: str) -> bool:
        """Whether node `name` has a trigger that is newer than what it has seen."""
        seen = self.seen.get(name)
        for channel in self.layout.triggers[name]:
            version = self.versions.get(channel)
            if version is None:
                if seen is None and self.channels[channel].is_available():
                    return True
                continue
            if seen is not None:
                last = seen.get(channel)
                if last is not None and not version > last:
                    continue
            if self.channels[channel].is_available():
                return True
        return False

    # -- applying a step --------------------------------------------------------------------------

    def apply(self, tasks: Iterable[Task | Writer]) -> set[str]:
        """Apply the writes of tasks, in the order of their paths; returns the channels that now have news.

        Raises:
            InvalidUpdateError: a channel refuses its updates. Then nothing was changed.
        """
        ordered = list(tasks)
        if len(ordered) > 1:
            ordered.sort(key=lambda t: t.sort_key)
        by_channel = self._grouped(ordered)
        bump_step = bool(ordered[0].triggers) if len(ordered) == 1 else any(t.triggers for t in ordered)
        newest, version = self.newest, self.bump()
        updated: set[str] = set()
        bumped: list[str] = []
        undo = self._consume(ordered, bumped)
        self._update(by_channel, updated, bumped, undo)
        if bump_step:
            self._clear_scoped(updated, bumped)
        seen, versions = self.seen, self.versions
        for task in ordered:
            if not task.triggers:
                seen.setdefault(task.name, {})
            else:
                before = seen.get(task.name)
                now = {c: versions[c] for c in task.triggers if c in versions}
                seen[task.name] = {**before, **now} if before else now
        versions.update(dict.fromkeys(bumped, version))
        if bump_step and self.layout.finishers and not self.layout.wakes(updated):
            self._finish(updated, bumped, version)
        self.held.forget(bumped)
        if not bumped:
            self.newest = newest
        self.changed.update(bumped)
        return updated

    def _grouped(self, tasks: Sequence[Task | Writer]) -> dict[str, list[Any]]:
        """Return the writes by channel; two plain writes to one key are refused before anything changes."""
        by_channel: dict[str, list[Any]] = {}
        specs = self.layout.specs
        for task in tasks:
            for name, value in task.writes:
                if name in by_channel:
                    if isinstance(specs[name], LastValue):
                        raise _two_values(name, tasks)
                    by_channel[name].append(value)
                elif name in specs:
                    by_channel[name] = [value]
                elif name not in UNAPPLIED:
                    logger.warning(
                        "Task %s with path %s wrote to unknown channel %s, ignoring it.",
                        task.name,
                        task.path,
                        name,
                    )
        return by_channel

    def _consume(self, tasks: Sequence[Task | Writer], bumped: list[str]) -> dict[str, Channel]:
        undo: dict[str, Channel] = {}
        consumable = self.layout.consumable
        if consumable:
            for task in tasks:
                for name in task.triggers:
                    if name in consumable and name not in undo:
                        channel = self.channels[name]
                        before = channel.copy()
                        if channel.consume():
                            undo[name] = before
                            bumped.append(name)
        return undo

    def _update(
        self,
        by_channel: dict[str, list[Any]],
        updated: set[str],
        bumped: list[str],
        undo: dict[str, Channel],
    ) -> None:
        channels, safe = self.channels, self.layout.safe
        # Reducers are the application's code and may raise, so they go first; the others cannot any more. The last
        # of them needs no copy: a channel that refuses its updates is unchanged.
        folded = [name for name in by_channel if name not in safe]
        try:
            for name in folded:
                if name != folded[-1]:
                    undo.setdefault(name, channels[name].copy())
                channel = channels[name]
                if channel.update(by_channel[name]):
                    bumped.append(name)
                    if channel.is_available():
                        updated.add(name)
        except BaseException:
            for name, before in undo.items():
                channels[name] = before
            raise
        taken = [name for name in by_channel if name in safe]
        for name in taken:
            channels[name].update(by_channel[name])
        bumped += taken
        updated.update(taken)
        self.scoped |= self.layout.cleared.intersection(updated)

    def _clear_scoped(self, updated: set[str], bumped: list[str]) -> None:
        scoped = self.scoped
        if not scoped:
            return
        for name in [n for n in scoped if n not in updated]:
            channel = self.channels[name]
            if channel.is_available() and channel.update(()):
                bumped.append(name)
                if channel.is_available():
                    updated.add(name)
            if not channel.is_available():
                scoped.discard(name)

    def _finish(self, updated: set[str], bumped: list[str], version: Any) -> None:
        for name in self.layout.finishers:
            channel = self.channels[name]
            if channel.finish():
                self.versions[name] = version
                bumped.append(name)
                if channel.is_available():
                    updated.add(name)

    # -- saving -----------------------------------------------------------------------------------

    def saved_values(self) -> dict[str, Any]:
        """What a checkpoint holds now: only channels that changed since the last one are asked again."""
        values = self.values
        for name in self.changed:
            value = self.channels[name].checkpoint()
            if value is MISSING:
                values.pop(name, None)
            elif name == TASKS and self.layout.untracked:
                values[name] = [self._without_untracked(send) for send in value]
            else:
                values[name] = value
        return dict(values)

    def _without_untracked(self, send: Any) -> Any:
        if not isinstance(send, Send) or not isinstance(send.arg, dict):
            return send
        kept = {k: v for k, v in send.arg.items() if k not in self.layout.untracked}
        return Send(send.node, kept, timeout=send.timeout)


def _two_values(name: str, tasks: Sequence[Task | Writer]) -> InvalidUpdateError:
    """The error for two plain writes to one key, which names the key and who wrote."""
    writers = sorted({t.name for t in tasks for c, _ in t.writes if c == name})
    return InvalidUpdateError(
        create_error_message(
            message=f"At key '{name}': Can receive only one value per step. Use an Annotated key to "
            f"handle multiple values. Written by: {', '.join(writers)}.",
            error_code=ErrorCode.INVALID_CONCURRENT_GRAPH_UPDATE,
        )
    )
