"""The limits and thresholds of the loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.agent.approval import MODES
from zulong.agent.loop.nets import Net, make_nets
from zulong.agent.loop.signals import Signal, make_signals
from zulong.agent.surroundings import InterruptionLimits


@dataclass(slots=True, frozen=True)
class LoopSettings:
    """Limits of one run of the loop; section ``loop`` of ``config/agent.yaml``.

    Attributes:
        system_prompt: what the model is told first.
        plan_prompt: what it is told beside when plan_steps is offered.
        time_limit_s: longest run.
        max_reply_chars: a longer reply is cut.
        truncated_tokens: longest reply after the breaker asked for truncation.
        max_calls_per_reply: further calls of one reply are not made.
        result_chars: a longer tool result is cut, the rest kept in memory.
        cut_retries: how often a reply that broke off is continued.
        compact_at: share of the context window at which the conversation is compacted.
        compact_to: share that is kept in words after compaction.
        approval: always, risky or never.
        approval_time_limit_s: silence for so long is a no.
        remote_time_limit_s: longest wait for a remote tool.
        cancel_time_limit_s: longest wait for a canceled remote tool to come to rest.
        uncounted_tools: tools that cost no budget.
        own_tools: which of the loop's own tools are offered; a very small model is better off with fewer.
        breaker: thresholds of the six signals by name.
        nets: thresholds of the seven nets by name.
        surroundings: what counts as changed when a held or interrupted task goes on.
    """

    system_prompt: str = (
        "You are the mind of a robot. Use the tools to do what the user asks, step by step. Never say that "
        "something was done unless a tool did it. Answer in the user's language, briefly."
    )
    plan_prompt: str = (
        "For a task of more than two steps make a plan with plan_steps first and mark each step by mark_step."
    )
    time_limit_s: float = 1800.0
    max_reply_chars: int = 16_000
    truncated_tokens: int = 400
    max_calls_per_reply: int = 8
    result_chars: int = 4_000
    cut_retries: int = 2
    compact_at: float = 0.75
    compact_to: float = 0.35
    approval: str = "risky"
    approval_time_limit_s: float = 30.0
    remote_time_limit_s: float = 300.0
    cancel_time_limit_s: float = 5.0
    uncounted_tools: tuple[str, ...] = ("plan_steps", "mark_step", "read_memory", "recall_memory")
    own_tools: tuple[str, ...] = ("plan_steps", "mark_step", "read_memory", "recall_memory")
    breaker: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    nets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    surroundings: InterruptionLimits = field(default_factory=InterruptionLimits)

    def __post_init__(self) -> None:
        if self.approval not in MODES:
            raise ValueError(f"approval is one of {', '.join(MODES)}, not {self.approval!r}.")
        positive = (
            "time_limit_s",
            "max_reply_chars",
            "max_calls_per_reply",
            "result_chars",
            "truncated_tokens",
        )
        for name in (*positive, "approval_time_limit_s", "remote_time_limit_s", "cancel_time_limit_s"):
            if not 0 < getattr(self, name) < 1e9:
                raise ValueError(f"{name} must be a number greater than 0, not {getattr(self, name)!r}.")
        if not 0 < self.compact_to < self.compact_at <= 1:
            raise ValueError(
                f"0 < compact_to < compact_at <= 1 must hold, not {self.compact_to!r} and {self.compact_at!r}."
            )

    def signals(self) -> tuple[Signal, ...]:
        """Return the six signals with these thresholds."""
        return make_signals(self.breaker)

    def safety_nets(self) -> tuple[Net, ...]:
        """Return the seven nets with these thresholds."""
        return make_nets(self.nets)
