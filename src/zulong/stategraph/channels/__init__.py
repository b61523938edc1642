"""Channels: where a graph's state lives between steps. Each is one small class with three verbs:
`update` takes what a step wrote, `get` gives the value, `checkpoint` what has to be saved."""

from zulong.stategraph.channels.any_value import AnyValue
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.binop import BinaryOperatorAggregate
from zulong.stategraph.channels.delta import AppendLog, DeltaChannel
from zulong.stategraph.channels.ephemeral_value import EphemeralValue
from zulong.stategraph.channels.last_value import LastValue, LastValueAfterFinish
from zulong.stategraph.channels.named_barrier_value import NamedBarrierValue, NamedBarrierValueAfterFinish
from zulong.stategraph.channels.topic import Topic
from zulong.stategraph.channels.untracked_value import UntrackedValue

__all__ = (
    "AnyValue",
    "AppendLog",
    "BaseChannel",
    "BinaryOperatorAggregate",
    "DeltaChannel",
    "EphemeralValue",
    "LastValue",
    "LastValueAfterFinish",
    "NamedBarrierValue",
    "NamedBarrierValueAfterFinish",
    "Topic",
    "UntrackedValue",
)
