"""What the breaker and the nets look at: the turns of the conversation as small facts.

A turn is one reply of the model with the results of its calls. Only the last few are kept; they are plain
data and part of the checkpoint, so that a resumed loop is as wary as the one that was broken off.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

KEPT = 24
PLANNING = frozenset({"plan_steps", "mark_step"})
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)


@dataclass(slots=True, frozen=True)
class CallFact:
    """One call: which tool, a digest of its arguments, how it ended.

    Attributes:
        id: of the call.
        name: of the tool.
        digest: of the canonical arguments; same call, same digest.
        arguments: the repaired arguments (plain values).
        ok: it succeeded.
        result: digest of its result.
        effect: it changed the world (and succeeded).
        skipped: it was not made (duplicate, budget, denied).
    """

    id: str
    name: str
    digest: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ok: bool = True
    result: str = ""
    effect: bool = False
    skipped: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True, frozen=True)
class Turn:
    """One reply and what came of it.

    Attributes:
        number: from 1 in this run.
        chars: length of the reply's text.
        calls: its calls.
        progress: something new came of it: a result not seen before, or a change of the plan.
    """

    number: int
    chars: int
    calls: tuple[CallFact, ...] = ()
    progress: bool = False

    @property
    def empty(self) -> bool:
        """True when the model said nothing and called nothing."""
        return self.chars == 0 and not self.calls

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {
            "number": self.number,
            "chars": self.chars,
            "calls": [call.to_dict() for call in self.calls],
            "progress": self.progress,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Turn:
        """Read what :meth:`to_dict` wrote."""
        calls = tuple(CallFact(**call) for call in plain["calls"])
        return cls(plain["number"], plain["chars"], calls, plain["progress"])


def digest(value: Any) -> str:
    """Return a short digest of plain data, the same for the same values in whatever order."""
    return blake2b(_CANONICAL.encode(value).encode(), digest_size=8).hexdigest()


def makes_progress(calls: Iterable[CallFact], earlier: Sequence[Turn]) -> bool:
    """Return whether a call brought something that no earlier turn had brought.

    Writing down a plan is none; whether the plan itself comes forward the loop sees by its graph.
    """
    return any(
        call.ok and not call.skipped and call.name not in PLANNING and not _brought(call, earlier)
        for call in calls
    )


def _brought(call: CallFact, earlier: Sequence[Turn]) -> bool:
    """Return whether an earlier turn brought the same result of the same call."""
    for turn in earlier:
        for other in turn.calls:
            if other.digest != call.digest or other.result != call.result or other.name != call.name:
                continue
            if other.ok and not other.skipped:
                return True
    return False


def turns_of(messages: Sequence[Mapping[str, Any]], effects: Iterable[str] = ()) -> list[Turn]:
    """Return the turns of a recorded conversation.

    Args:
        messages: in OpenAI's form.
        effects: names of the tools that change the world.
    """
    changing = set(effects)
    results = {m["tool_call_id"]: str(m.get("content", "")) for m in messages if m.get("role") == "tool"}
    turns: list[Turn] = []
    for message in messages:
        if message.get("role") != "assistant":
            continue
        facts = []
        for call in message.get("tool_calls") or ():
            name, written = call["function"]["name"], call["function"]["arguments"]
            try:
                arguments = json.loads(written) if isinstance(written, str) else written
            except ValueError:
                arguments = {"": written}
            text = results.get(call["id"], "")
            ok = not text.lower().startswith("error")
            facts.append(
                CallFact(
                    call["id"], name, digest(arguments), arguments, ok, digest(text), ok and name in changing
                )
            )
        chars = len(str(message.get("content") or "").strip())
        turns.append(Turn(len(turns) + 1, chars, tuple(facts), makes_progress(facts, turns)))
    return turns
