"""A long reply about something else, or one that only gives the user's words back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.terms import mostly_cjk, terms_of

# Who is asked to say something does well to say just that.
_TO_BE_SAID = re.compile(
    r"\b(?:say|repeat|echo|read|write|spell|translate|quote|summari[sz]e|rephrase)\b|说|重复|复述|念|读|写|翻译|总结|概括",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\W+")


@dataclass(slots=True, frozen=True)
class Drift:
    """Catches replies that share next to no terms with the instruction, the results and the plan, and echoes.

    An echo is a reply that is nothing but a part of the user's words, of at least ``min_echo_terms`` terms.

    Short replies cannot drift far, and a reply in another script than the task shares no terms with it anyway.

    Attributes:
        times: how often the model is sent back.
        min_terms: fewest terms of a reply that is looked at.
        overlap: least share of its terms that belong to the task.
        min_echo_terms: fewest terms of an echo.
    """

    name: ClassVar[str] = "drift"
    times: int = 1
    min_terms: int = 25
    overlap: float = 0.04
    min_echo_terms: int = 3

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        if view.caught.get(self.name, 0) >= self.times:
            return None
        task = " ".join([view.instruction, *view.sources])
        terms, known = terms_of(view.reply), terms_of(task)
        whole = view.asks_the_user and _plain(view.reply) == _plain(view.instruction)
        if whole or (len(terms) >= self.min_echo_terms and self._echoes(view)):
            return Catch(
                self.name,
                Verdict.CONTINUE,
                "The reply only repeats the user's words.",
                f"You only repeat what was said. Do it or answer it: {view.instruction}",
                {"echo": view.reply.strip()[:200], "terms": len(terms)},
            )
        if view.asks_the_user or len(terms) < self.min_terms or mostly_cjk(view.reply) != mostly_cjk(task):
            return None
        share = len(terms & known) / len(terms)
        if share >= self.overlap:
            return None
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"Only {share:.0%} of the reply is about the task.",
            f"That is not what was asked. Return to the task: {view.instruction}",
            {"share": round(share, 3), "terms": len(terms)},
        )

    @staticmethod
    def _echoes(view: ReplyView) -> bool:
        return _plain(view.reply) in _plain(view.instruction) and not _TO_BE_SAID.search(view.instruction)


def _plain(text: str) -> str:
    return _PLAIN.sub(" ", text.lower()).strip()
