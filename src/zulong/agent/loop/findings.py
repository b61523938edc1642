"""What a signal of the breaker or a net reports, and what is done about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any


class Level(IntEnum):
    """How worried the breaker is."""

    GREEN = 0
    YELLOW = 1
    RED = 2


class Action(str, Enum):
    """What a signal asks for."""

    REMOVE_TOOL = "remove_tool"
    CONVERGE = "converge"
    TRUNCATE = "truncate"
    FORCE = "force"
    STOP = "stop"
    SKIP_CALL = "skip_call"


class Verdict(str, Enum):
    """What a net asks for."""

    CONTINUE = "continue"
    DONE = "done"
    FORCE = "force"
    ASK = "ask"


@dataclass(slots=True, frozen=True)
class Finding:
    """A signal has fired.

    Attributes:
        signal: its name.
        level: YELLOW or RED.
        action: what is done.
        reason: in words.
        targets: tools or ids of calls that the action is about.
        evidence: the figures it saw.
    """

    signal: str
    level: Level
    action: Action
    reason: str
    targets: tuple[str, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for the event stream."""
        return {
            "signal": self.signal,
            "level": self.level.name,
            "action": self.action.value,
            "reason": self.reason,
            "targets": list(self.targets),
            "evidence": dict(self.evidence),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Finding:
        """Read what :meth:`to_dict` wrote."""
        return cls(
            plain["signal"],
            Level[plain["level"]],
            Action(plain["action"]),
            plain["reason"],
            tuple(plain["targets"]),
            plain["evidence"],
        )


@dataclass(slots=True, frozen=True)
class Catch:
    """A net has caught a reply.

    Attributes:
        net: its name.
        verdict: what is done.
        reason: in words.
        message: what the model is told when it has to go on.
        evidence: what was seen.
        completes: (plan node, id of the call that proves it) for nodes that are done by the evidence.
    """

    net: str
    verdict: Verdict
    reason: str
    message: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    completes: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for the event stream."""
        return {
            "net": self.net,
            "verdict": self.verdict.value,
            "reason": self.reason,
            "message": self.message,
            "evidence": dict(self.evidence),
            "completes": [list(pair) for pair in self.completes],
        }
