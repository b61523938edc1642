"""The thing that somebody names when asked what they want: "ask Robin what he wants to drink and bring it to him".

What it is to be is not known before the answer comes. The plan refers to it as ``${step.thing}``, and the mission reads
the answer when it has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zulong.agent.htn.assent import assents
from zulong.agent.htn.step import WorldView
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent
from zulong.agent.language.reader import read

_ASKS_FOR_A_THING = re.compile(
    r"\b(?:what|which)\b[^?]{0,30}\b(?:want|like|need|prefer|fancy|love|care for|have|drink|eat|bring|get|fetch)\b|"
    r"(?:想|要|喜欢|需要|爱|来|喝|吃|拿)[^，。？?]{0,4}(?:什么|啥|哪)"
)
_REFERENCE = re.compile(r"\$\{\w+\.thing\}")


def asks_for_a_thing(question: str) -> bool:
    """Tell whether the answer to a question may name a thing that could be fetched."""
    return _ASKS_FOR_A_THING.search(question.lower()) is not None


def thing_of_answer(step_id: str) -> dict[str, Any]:
    """Return the description of the thing that the answer to a step of the plan will name."""
    return {"kind": "object", "name": f"${{{step_id}.thing}}"}


def is_of_answer(what: Any) -> bool:
    """Tell whether a description is that of a thing an answer is still to name."""
    return isinstance(what, Mapping) and _REFERENCE.fullmatch(str(what.get("name", ""))) is not None


def thing_in_answer(answer: str, vocabulary: Vocabulary, world: WorldView) -> str:
    """Return the name of the one thing or kind of thing that an answer names, "" when it names none or several.

    Args:
        answer: what somebody said, in Chinese or English.
        vocabulary: the names.
        world: what there is.
    """
    if assents(answer) is False:
        return ""
    meaning = read(answer, vocabulary)
    if meaning.leftover or any(clause.negated for clause in meaning.clauses):
        return ""
    named = [clause.theme for clause in meaning.clauses if clause.theme is not None] + list(meaning.fragment)
    things = {_name(referent, world) for referent in named if referent.kind == "object"}
    return things.pop() if len(things) == 1 and all(things) else ""


def with_thing(result: Mapping[str, Any], planner: Any) -> Mapping[str, Any]:
    """Return the result of a step with the ``thing`` that its ``answer`` names.

    Args:
        result: what a skill brought.
        planner: reads answers when it offers ``thing_in_answer``, as :class:`OfflinePlanner` does.
    """
    answer, read_answer = result.get("answer"), getattr(planner, "thing_in_answer", None)
    if read_answer is None or not isinstance(answer, str) or "thing" in result:
        return result
    thing = read_answer(answer)
    return {**result, "thing": thing} if thing else result


def _name(referent: Referent, world: WorldView) -> str:
    if not referent.ids or referent.superlative:
        return ""
    if referent.category:
        kind = str(world.categories[referent.ids[0]]["singular"])
        return f"{referent.colour} {kind}".strip()
    fitting = [
        i
        for i in referent.ids
        if i in world.objects and referent.colour in ("", world.objects[i].get("colour"))
    ]
    if len(fitting) == 1:
        return str(world.objects[fitting[0]]["name"])
    return referent.name if fitting and not referent.colour else ""
