"""What hangs on how things are: "if Jane is in the kitchen, tell her dinner is ready, otherwise come back"."""

from __future__ import annotations

from dataclasses import dataclass

from zulong.agent.language.meaning import Condition


@dataclass(slots=True, frozen=True)
class Provided:
    """An order, what must be so for it, and what is done otherwise.

    Attributes:
        condition: what must be so; of kind ``failed`` when the order itself finds it out.
        order: the instruction that is carried out then.
        other: what is carried out otherwise: an instruction, or only what is taken in place of what the order names;
            "" for nothing.
        before: the instruction that is carried out in any case, first; "" for none.
        opposite: the words of the condition that "otherwise" stands for.
        reports: an order that only says to tell is about the condition; else that order asks whether it is so.
    """

    condition: Condition
    order: str
    other: str = ""
    before: str = ""
    opposite: str = "otherwise"
    reports: bool = True
