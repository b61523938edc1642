"""What hangs on somebody's answer: "ask Jane if she wants a cola, and if she says yes, bring her one"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Branch:
    """What is to be done after one kind of answer.

    Attributes:
        order: the instruction, with what "it" and "one" stand for.
        agreed: whether it is done when the answer says yes, else when it says no.
        text: the words of the condition: "if she says yes".
    """

    order: str
    agreed: bool
    text: str


@dataclass(slots=True, frozen=True)
class Awaited:
    """A question to somebody, and what is done after the answer.

    Attributes:
        asking: the instruction that asks.
        branches: in the order they were said, at least one.
    """

    asking: str
    branches: tuple[Branch, ...]
