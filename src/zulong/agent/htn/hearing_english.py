"""Hearing English: repairs and talk put plainly, what cannot be known, what is missing by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zulong.agent.htn.step import Plan, PlanResult, Question, Refusal
from zulong.agent.htn.verdicts import UNKNOWN, named_like_somebody
from zulong.agent.htn.wording import Wording
from zulong.agent.language import english_awaited, english_doubts, english_unfinished
from zulong.agent.language.awaited import Awaited
from zulong.agent.language.english_beside import lifts_somebody, only_tells, only_values, without_remarks
from zulong.agent.language.english_beyond import missing_for, never_done
from zulong.agent.language.english_choices import settled
from zulong.agent.language.english_contrasts import without_contrasts
from zulong.agent.language.english_elliptic import written_out
from zulong.agent.language.english_inquiries import asked_plainly
from zulong.agent.language.english_instead import without_unwanted
from zulong.agent.language.english_narrowing import narrowed_names
from zulong.agent.language.english_notices import noticed
from zulong.agent.language.english_padding import unpadded
from zulong.agent.language.english_registers import in_written_english
from zulong.agent.language.english_replies import in_plain_words
from zulong.agent.language.english_restarts import repaired
from zulong.agent.language.english_resumed import resumed
from zulong.agent.language.english_stages import in_common_turns, joint_orders, stages, wishes_left_out
from zulong.agent.language.english_strangers import stranger
from zulong.agent.language.english_supposed import swallowed
from zulong.agent.language.english_talk import said_plainly, without_filling
from zulong.agent.language.english_unanswered import unanswered
from zulong.agent.language.english_words import normalised, people_named
from zulong.agent.language.lexicon import Language, Vocabulary
from zulong.agent.language.meaning import Clause, clause_from_dict
from zulong.agent.language.rewording_english import EnglishBackground


def _half_a_message(result: PlanResult) -> str | None:
    """Return the action of a clause whose words only lead on to another order, None when there is none."""
    if not isinstance(result, Plan):
        return None
    said = [clause_from_dict(entry) for entry in (result.context or {}).get("clauses") or ()]
    return next(
        (c.action for c in said if c.action in ("ask", "tell") and english_unfinished.leads_on(c.text)), None
    )


_SAY_IT = re.compile(
    r"\b(?i:say|tell) (?:it|that|this) (?:first )?to [A-Z][a-z]+|\b(?i:tell) [A-Z][a-z]+ (?:that|it)[.! ]*$"
)
_LOOSE = re.compile(
    r"\band (?:then )?(?P<word>(?!(?:then|please|just|also|now|off|i|we|he|she|they|you|it|to|people|guests|"
    r"quickly|straight|let|kindly|"
    r"after|not|can|could|would|will|must|should|robot|everyone|everybody|somebody|someone|who|kids|friends)\b)[a-z]+) "
    r"(?:go|run|come|see|look|walk)\b",
    re.IGNORECASE,
)
_TAKEN_THERE = re.compile(
    r"\b(?:take|bring|lead|guide|walk|show|escort) (?:him|her|them|[A-Za-z]+) (?:over )?there\b",
    re.IGNORECASE,
)
"""Somebody is to be taken to a place that was not named."""
_ASKED_FOR_A_PART = ("action", "person", "object", "place", "where")


class EnglishHearing:
    """The part of English in understanding an instruction; see :class:`zulong.agent.htn.hearing.Hearing`.

    Args:
        vocabulary: the words of the lexicon and the map.
    """

    language: Language = "en"
    asks_which_furniture = False

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._background = EnglishBackground(vocabulary)

    def finished(self, text: str, context: Mapping[str, Any]) -> str | None:
        """Return the instruction without what it takes back or leaves open itself, None when it breaks off.

        An answer may be of any form.
        """
        if context.get("pending"):
            return text
        if english_unfinished.broken_off(text):
            return None
        said = narrowed_names(written_out(text, self._vocabulary), self._vocabulary)
        said = without_remarks(said, self._vocabulary)
        return resumed(self._settled(said), self._vocabulary)

    def _settled(self, text: str) -> str:
        """Return the instruction without what it says not to be wanted, and without open choices."""
        plain = without_contrasts(without_unwanted(text, self._vocabulary), self._vocabulary)
        return settled(plain, self._vocabulary)

    def smoothed(self, text: str, context: Mapping[str, Any]) -> str:
        """Return the instruction in written English: no dialect, chat or dictated marks, nothing shouted."""
        shouted = text.isupper() and len(text.split()) > 2
        return in_written_english(text.lower() if shouted else text)

    def in_plain_words(self, text: str, context: Mapping[str, Any]) -> str:
        """Return the instruction with what was taken back and mere talk put plainly."""
        said = without_filling(text)
        if not (context.get("pending") or context.get("clauses")):
            said = unpadded(said, self._vocabulary, self._background)
        plain = in_plain_words(repaired(said, self._vocabulary), context, self._vocabulary)
        plain = in_common_turns(plain)
        asked = asked_plainly(plain, self._vocabulary, self._background)
        if asked is not None:
            return asked
        plain = said_plainly(noticed(plain, self._vocabulary, self._background))
        return asked_plainly(plain, self._vocabulary, self._background, misspelt=True) or plain

    def unknowable(self, text: str, spoken: str) -> str:
        """Return what is asked that cannot be known, as said or as put plainly, "" when nothing is."""
        return unanswered(text) or unanswered(spoken)

    def put_right(self, spoken: str) -> Iterator[str]:
        """Yield nothing: what was taken back is put plainly before."""
        return iter(())

    def awaited(self, text: str, spoken: str) -> Awaited | None:
        """Return the question to somebody and the orders that hang on the answer, None when none do."""
        return english_awaited.awaited(text, self._background.mentions)

    def quotes(self, text: str) -> bool:
        """Tell words of somebody's that must not be heard again in other words."""
        return bool(normalised(text, people_named(text, self._vocabulary))[1])

    def stages(self, text: str) -> Sequence[str]:
        """Return the orders of a sentence that says what comes after what, and those that are only joined."""
        return stages(text) or joint_orders(text)

    def unsaid(self, text: str) -> Sequence[str]:
        """Return the words for things and places that the lexicon knows and the map has not."""
        return self._absent(text, ("room", "placement", "object"))

    def in_pieces(self, text: str) -> bool:
        """Tell whether the instruction may be deliveries in pieces: every place in it is here, nobody goes along."""
        loose = _LOOSE.search(text)
        if loose is not None and loose["word"].lower() not in people_named(text, self._vocabulary):
            # A word that is no word here stands before a verb: what it orders must not be passed by.
            return False
        return _TAKEN_THERE.search(text) is None and not self._absent(text, ("room", "placement"))

    def doubts(self, text: str, clauses: Sequence[Clause]) -> list[str]:
        """Return the words that speak against the clauses, none when they stand."""
        found = english_doubts.doubts(text, clauses, self._vocabulary)
        return [*found, *wishes_left_out(text, clauses), *swallowed(text, clauses)]

    def honest(self, text: str, result: PlanResult, context: Mapping[str, Any]) -> PlanResult:
        """Name the skill or the person that is missing where the instruction was not understood."""
        named = stranger(without_remarks(text, self._vocabulary), self._vocabulary)
        if named and (isinstance(result, Plan) or (isinstance(result, Refusal) and result.code in UNKNOWN)):
            words = Wording(self.language, self._vocabulary).unknown_person(named)
            return Refusal("unknown_person", words, named.lower(), self.language, result.context)
        never = never_done(text) or ("embrace" if lifts_somebody(text, self._vocabulary) else "")
        if never and not (isinstance(result, Refusal) and result.code == "dangerous"):
            wording = Wording(self.language, self._vocabulary)
            honestly = wording.missing_skill(never, text.strip(" .!?"))
            return Refusal("missing_skill", honestly, never, self.language, dict(context))
        if context.get("pending"):
            return result
        if isinstance(result, Plan) and english_unfinished.denied_and_given(text):
            whole = Wording(self.language, self._vocabulary).ask_whole(text)
            return Question(whole, "action", (), self.language, dict(context))
        unsaid = _half_a_message(result)
        if unsaid is not None:
            wording = Wording(self.language, self._vocabulary)
            asked_for = wording.ask_question_text() if unsaid == "ask" else wording.ask_text()
            return Question(asked_for, "text", (), self.language, dict(context))
        unclear = isinstance(result, Refusal) and result.code in ("not_understood", *UNKNOWN)
        asked = isinstance(result, Question) and result.slot in _ASKED_FOR_A_PART
        if isinstance(result, Refusal) and str(result.missing).startswith(
            ("coloured ", "colored ", "colourful ")
        ):
            # Which of those with a colour was not told.
            which = Wording(self.language, self._vocabulary).ask_object()
            return Question(which, "object", (), self.language, result.context)
        if isinstance(result, Question) and result.slot == "object" and _SAY_IT.search(text):
            # What is to be said was not told.
            wording = Wording(self.language, self._vocabulary)
            return Question(wording.ask_text(), "text", (), self.language, result.context)
        if (unclear or asked) and (only_values(text, self._vocabulary) or only_tells(text, self._vocabulary)):
            words = Wording(self.language, self._vocabulary).not_understood(text)
            return Refusal("not_understood", words, "", self.language, dict(context))
        skill = missing_for(text) if unclear or asked else ""
        wording = Wording(self.language, self._vocabulary)
        if skill:
            honestly = wording.missing_skill(skill, text.strip(" .!?"))
            return Refusal("missing_skill", honestly, skill, self.language, dict(context))
        nowhere = isinstance(result, Refusal) and result.code in ("unknown_place", "unknown_object")
        furniture = isinstance(result, Refusal) and result.missing == "furniture"
        if (nowhere and english_unfinished.other_place(text)) or (
            furniture and english_unfinished.either_place(text)
        ):
            return Question(wording.ask_place(), "place", (), self.language, result.context)
        if isinstance(result, Refusal) and english_unfinished.only_a_condition(text):
            return Question(wording.ask_whole(text), "action", (), self.language, dict(context))
        if isinstance(result, Refusal) and (
            named_like_somebody(result, text) or self._given_name(text, result)
        ):
            words = wording.unknown_person(result.missing)
            return Refusal("unknown_person", words, result.missing, self.language, result.context)
        return result

    def _given_name(self, text: str, refusal: Refusal) -> bool:
        """Tell whether what is not known, and is not only asked about, is a first name: "my brother Kevin"."""
        name = str(refusal.missing or "")
        if refusal.code not in UNKNOWN or not name or re.match(r"\W*where\b", text, re.IGNORECASE):
            return False
        return bool(stranger(f"tell {name}", self._vocabulary))

    def _absent(self, text: str, kinds: Sequence[str]) -> list[str]:
        plain = f" {' '.join(re.findall(r'[a-z]+', text.lower()))} "
        return [
            " ".join(phrase)
            for phrase, senses in self._vocabulary.english.items()
            if any(s.kind in kinds for s in senses)
            and not any(s.ids or s.kind in ("verb", "polite", "generic", "category") for s in senses)
            and f" {' '.join(phrase)} " in plain
        ]
