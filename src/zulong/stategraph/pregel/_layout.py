"""What can be known about a graph before it runs: who listens to what, which channels need care when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.stategraph._keys import TASKS
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.ephemeral_value import EphemeralValue
from zulong.stategraph.channels.last_value import LastValue
from zulong.stategraph.channels.untracked_value import UntrackedValue
from zulong.stategraph.managed.base import ManagedValueSpec
from zulong.stategraph.pregel._node import PregelNode


class Layout:
    """The index that planning works from; its size is the graph's, its use costs only what changed.

    Attributes:
        specs: empty channels, copied on first use in a run.
        managed: computed state keys.
        listeners: channel -> names of the nodes that it wakes.
        consumable: channels that change when a task that they woke is done.
        cleared: channels that lose their value when a step does not write to them.
        finishers: channels that change when nothing else is left to do.
        untracked: channels that are never saved.
        safe: channels that take any single update without running code of the application, so that none raises.
    """

    __slots__ = (
        "cleared",
        "consumable",
        "finishers",
        "listeners",
        "managed",
        "nodes",
        "safe",
        "specs",
        "triggers",
        "untracked",
    )

    def __init__(self, nodes: Mapping[str, PregelNode], channels: Mapping[str, Any]) -> None:
        self.nodes = nodes
        self.specs: dict[str, BaseChannel[Any, Any, Any]] = {}
        self.managed: dict[str, ManagedValueSpec] = {}
        for name, spec in channels.items():
            if isinstance(spec, BaseChannel):
                if not spec.key:
                    spec.key = name
                self.specs[name] = spec
            else:
                self.managed[name] = spec
        listeners: dict[str, list[str]] = {}
        self.triggers: dict[str, tuple[str, ...]] = {}
        for name, node in nodes.items():
            self.triggers[name] = tuple(sorted(node.triggers))
            for trigger in node.triggers:
                listeners.setdefault(trigger, []).append(name)
        self.listeners: dict[str, tuple[str, ...]] = {c: tuple(n) for c, n in listeners.items()}
        base = BaseChannel
        self.cleared = frozenset(n for n, c in self.specs.items() if c.cleared_each_step)
        self.consumable = frozenset(n for n, c in self.specs.items() if type(c).consume is not base.consume)
        self.finishers = tuple(
            n for n, c in self.specs.items() if c.waits_for_finish and type(c).finish is not base.finish
        )
        self.untracked = frozenset(n for n, c in self.specs.items() if isinstance(c, UntrackedValue))
        self.safe = frozenset(
            n
            for n, c in self.specs.items()
            if type(c) is LastValue or (type(c) is EphemeralValue and not c.guard)
        )

    def wakes(self, channels: set[str]) -> bool:
        """Whether any of `channels` wakes a node (or starts a `Send`)."""
        listeners = self.listeners
        return any(c in listeners or c == TASKS for c in channels)
