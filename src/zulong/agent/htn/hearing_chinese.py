"""Hearing Chinese: broken-off orders, halves written out, what was taken back, what is left open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zulong.agent.htn.step import Plan, PlanResult, Question, Refusal
from zulong.agent.htn.verdicts import UNKNOWN
from zulong.agent.htn.wording import Wording
from zulong.agent.language import (
    chinese_awaited,
    chinese_corrections,
    chinese_doubts,
    chinese_halves,
    chinese_unfinished,
)
from zulong.agent.language.awaited import Awaited
from zulong.agent.language.chinese_amounts import counted_plainly
from zulong.agent.language.chinese_arrivals import on_arrival
from zulong.agent.language.chinese_bare import said_bare
from zulong.agent.language.chinese_beyond import missing_for, never_done, stranger_called, stranger_named
from zulong.agent.language.chinese_choices import which_of_a_kind
from zulong.agent.language.chinese_contrasts import without_contrasts
from zulong.agent.language.chinese_exclusions import left_out_of_a_kind
from zulong.agent.language.chinese_hanging import written_out as hanging_written_out
from zulong.agent.language.chinese_located import with_places
from zulong.agent.language.chinese_noticed import addressed
from zulong.agent.language.chinese_others import without_others
from zulong.agent.language.chinese_passing_on import asked_of_all, passed_on
from zulong.agent.language.chinese_reporting import reported
from zulong.agent.language.chinese_resumed import resumed
from zulong.agent.language.chinese_rounds import in_a_row
from zulong.agent.language.chinese_selfrepair import said_anew
from zulong.agent.language.chinese_slips import in_characters
from zulong.agent.language.chinese_smoothing import smoothed
from zulong.agent.language.chinese_stages import in_turn, stages
from zulong.agent.language.dialogue import of_what_was_named
from zulong.agent.language.lexicon import Language, Vocabulary
from zulong.agent.language.meaning import Clause, clause_from_dict, clause_to_dict
from zulong.agent.language.rewording_chinese import ChineseBackground

_ASKED_FOR_A_PART = (
    "action",
    "object",
    "goal",
    "place",
    "person",
    "text",
    "confirmation",
    "duration",
    "where",
)


class ChineseHearing:
    """The part of Chinese in understanding an instruction; see :class:`zulong.agent.htn.hearing.Hearing`.

    Args:
        vocabulary: the words of the lexicon and the map.
    """

    language: Language = "zh"
    # 「桌上有个网球」 where there are four tables: which one is meant must not be left out of a plainer wording.
    asks_which_furniture = True

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._background = ChineseBackground(vocabulary)

    def finished(self, text: str, context: Mapping[str, Any]) -> str | None:
        """Return the instruction in whole words, None when it breaks off."""
        whole = chinese_corrections.in_whole_words(text, context)
        if not whole or chinese_unfinished.broken_off(text):
            return None
        written = in_characters(whole, self._vocabulary)
        if not context.get("clauses"):
            written = said_bare(written, self._vocabulary)
        halves = chinese_halves.written_out(resumed(written, self._vocabulary), self._vocabulary)
        return asked_of_all(resumed(halves, self._vocabulary), self._vocabulary)

    def smoothed(self, text: str, context: Mapping[str, Any]) -> str:
        """Return the instruction without fillers, about what was named before where it names nothing itself."""
        return of_what_was_named(smoothed(text, self._vocabulary), context)

    def in_plain_words(self, text: str, context: Mapping[str, Any]) -> str:
        """Return the instruction as it is: what was taken back is another reading of it."""
        return text

    def unknowable(self, text: str, spoken: str) -> str:
        """Return "": the grammar says itself what it cannot know."""
        return ""

    def put_right(self, spoken: str) -> Iterator[str]:
        """Yield it without what is taken back, with conditions before their orders, with places, without others' deeds."""
        for heard in (
            said_anew,
            which_of_a_kind,
            without_contrasts,
            counted_plainly,
            on_arrival,
            in_a_row,
            in_turn,
            hanging_written_out,
            addressed,
            passed_on,
            reported,
            with_places,
            without_others,
        ):
            put_right = heard(spoken, self._vocabulary)
            if put_right is not None and put_right != spoken:
                yield put_right

    def awaited(self, text: str, spoken: str) -> Awaited | None:
        """Return the question and the orders that hang on the answer; 「同不同意，同意就」 says nothing twice."""
        return chinese_awaited.awaited(spoken, self._background.mentions)

    def quotes(self, text: str) -> bool:
        """Tell that other wordings keep whose the words are."""
        return False

    def stages(self, text: str) -> Sequence[str]:
        """Return the orders of a sentence that says what comes after what."""
        return stages(text, self._vocabulary)

    def unsaid(self, text: str) -> Sequence[str]:
        """Return nothing: the doubts notice what a wording leaves out."""
        return ()

    def in_pieces(self, text: str) -> bool:
        """Tell that deliveries in pieces are among the plainer wordings."""
        return False

    def doubts(self, text: str, clauses: Sequence[Clause]) -> list[str]:
        """Return the words that speak against the clauses, none when they stand."""
        return chinese_doubts.doubts(text, clauses, self._vocabulary)

    def honest(self, text: str, result: PlanResult, context: Mapping[str, Any]) -> PlanResult:
        """Ask for what the sentence leaves open, or name the skill or the person that is missing."""
        wording = Wording(self.language, self._vocabulary)
        never = never_done(text, self._vocabulary)
        skill = never if never and not (isinstance(result, Refusal) and result.code == "dangerous") else ""
        if isinstance(result, Refusal) and result.code == "dangerous" and chinese_unfinished.of_traffic(text):
            return Refusal("not_understood", wording.not_understood(text), "", self.language, dict(context))
        if (
            isinstance(result, Refusal)
            and result.missing == "weather"
            and chinese_unfinished.of_weather(text)
        ):
            return Refusal("not_understood", wording.not_understood(text), "", self.language, dict(context))
        if (
            isinstance(result, Refusal)
            and result.missing == "follow_thing"
            and chinese_unfinished.follows_nobody(text)
        ):
            return Question(wording.ask_person(), "person", (), self.language, dict(context))
        if isinstance(result, Plan) and chinese_unfinished.without_words(text) and not context.get("pending"):
            return Question(wording.ask_text(), "text", (), self.language, dict(context))
        unclear = isinstance(result, Refusal) and (
            result.code == "not_understood" or (result.code in UNKNOWN and not result.missing.strip("…。.—"))
        )
        unclear = unclear or (isinstance(result, Refusal) and result.missing == "schedule")
        if (
            isinstance(result, Refusal)
            and result.missing == "carry_two"
            and chinese_unfinished.counts_nothing(text)
        ):
            return Question(wording.ask_object(), "object", (), self.language, dict(context))
        refused = isinstance(result, Refusal) and result.code in ("dangerous", "missing_skill")
        if not (skill or refused or isinstance(result, Plan)) and chinese_unfinished.another_person(text):
            return Question(wording.ask_person(), "person", (), self.language, dict(context))
        if isinstance(result, Plan) and chinese_unfinished.put_nowhere(text):
            return Question(wording.ask_instead(), "goal", (), self.language, dict(context))
        asked = isinstance(result, Question) and result.slot in ("action", "object", "confirmation")
        asked = asked or (isinstance(result, Question) and chinese_unfinished.tells_nobody(text))
        if (
            isinstance(result, Question)
            and result.slot in ("where", "confirmation")
            and chinese_unfinished.how_many(text)
        ):
            return Question(f"要几个？{wording.ask_whole(text)}", "number", (), self.language, dict(context))
        slot = (
            chinese_unfinished.left_open(text, self._vocabulary) if (unclear or asked) and not skill else ""
        )
        if slot:
            asks = {"person": wording.ask_person(), "object": wording.ask_object()}
            words = f"{asks[slot]}请把整句话告诉我。" if slot in asks else wording.ask_whole(text)
            return Question(words, slot, (), self.language, dict(context))
        if not skill and not context.get("pending"):
            stranger = stranger_called(text, self._vocabulary)
            if not (stranger or isinstance(result, Plan)):
                stranger = stranger_named(text, self._vocabulary)
            if stranger and not (
                isinstance(result, Refusal) and result.code in ("dangerous", "unknown_person")
            ):
                words = wording.unknown_person(stranger)
                return Refusal("unknown_person", words, stranger, self.language, result.context)
            doubted = isinstance(result, Question) and result.slot in _ASKED_FOR_A_PART
            unknown = isinstance(result, Refusal) and result.code in ("not_understood", *UNKNOWN)
            skill = missing_for(text, self._vocabulary) if doubted or unknown else ""
        if not skill:
            return self._which_other(text, result)
        return Refusal(
            "missing_skill",
            wording.missing_skill(skill, text.strip("。！？ ")),
            skill,
            self.language,
            dict(context),
        )

    def _which_other(self, text: str, result: PlanResult) -> PlanResult:
        """Ask openly which of a kind is wanted where one of it was left out: a yes could fetch that very one."""
        if not isinstance(result, Question) or result.slot != "confirmation":
            return result
        clauses = [clause_from_dict(entry) for entry in (result.context or {}).get("clauses") or ()]
        out = left_out_of_a_kind(text, clauses, self._vocabulary)
        if not out:
            return result
        which = "哪些" if any(c.theme is not None and c.theme.plural for c in clauses) else "哪一种"
        words = f"除了{'、'.join(out)}，要{which}？"
        wanted = [clause_to_dict(clause) for clause in clauses if not clause.negated]
        asks = {"slot": "object", "question": words, "options": []}
        pending = {**(result.context or {}), "clauses": wanted, "pending": asks}
        return Question(words, "object", (), self.language, pending)
