"""What comes of words that order nothing: greetings, needs that are told, names without a verb, calls for help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zulong.agent.htn.domain import Domain
from zulong.agent.htn.step import Plan, PlanResult, Question, Refusal, Step, WorldView
from zulong.agent.htn.wording import Wording
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Meaning, Referent, clause_to_dict, referent_to_dict
from zulong.agent.language.openings import calls_only

_DENIED = re.compile(
    r"不|(?:\bnot|n't|\bnever|\bno longer)\b[^,.;!?]*\b(?:thirsty|hungry|parched|dehydrated|starving|famished|peckish)\b"
)
_SMALL_TALK = (
    ("thank", "thanks"),
    ("谢", "thanks"),
    ("hello", "hello"),
    ("hi", "hello"),
    ("hey", "hello"),
    ("good morning", "hello"),
    ("good evening", "hello"),
    ("你好", "hello"),
    ("您好", "hello"),
    ("嗨", "hello"),
    ("早", "hello"),
    ("上午好", "hello"),
    ("中午好", "hello"),
    ("下午好", "hello"),
    ("哈喽", "hello"),
    ("晚上好", "hello"),
)


class WithoutOrder:
    """Answers what orders nothing.

    Args:
        domain: holds what the robot says of itself.
        vocabulary: the words for needs.
        world: the kinds of things that are offered.
    """

    def __init__(self, domain: Domain, vocabulary: Vocabulary, world: WorldView) -> None:
        self._domain = domain
        self._vocabulary = vocabulary
        self._world = world

    def answered(self, meaning: Meaning, wording: Wording, context: Mapping[str, Any]) -> PlanResult:
        """Return the answer to small talk, an offer, or the question or refusal that tells what is missing.

        Args:
            meaning: what was said, without a clause.
            wording: of its language.
            context: the dialogue so far.
        """
        language = meaning.language
        words = self._domain.identity.get(language) or self._domain.identity["en"]
        plain = " " + re.sub(r"[^\w ]", " ", meaning.text.lower()) + " "
        for greeting, key in _SMALL_TALK:
            said = (
                f" {greeting}" if greeting == "thank" else f" {greeting} " if greeting.isascii() else greeting
            )
            if said in plain and not meaning.fragment and not meaning.leftover:
                text = words[key].replace("{name}", "")
                title = wording.choose(f"say: {text}", f"说：{text}")
                step = Step("s1", title, skill="say", arguments={"text": text})
                return Plan((step,), language, wording.summary([title]), dict(context))
        offer = self._offer(meaning, wording, context)
        if offer is not None:
            return offer
        known = [
            referent
            for referent in meaning.fragment
            if not (referent.unknown or referent.pronoun or _only_a_number(referent))
        ]
        if known:
            names = wording.choose(", ", "、").join(referent.text for referent in known)
            text = wording.choose(f"What shall I do with {names}?", f"要我拿{names}做什么？")
            named = [referent_to_dict(referent) for referent in known]
            return Question(text, "action", (), language, {**context, "named": named})
        if calls_only(meaning.text):
            return Question(wording.ask_action(), "action", (), language, dict(context))
        return Refusal("not_understood", wording.not_understood(meaning.text), "", language, dict(context))

    def _offer(self, meaning: Meaning, wording: Wording, context: Mapping[str, Any]) -> Question | None:
        """Offer what somebody may want who says "I am thirsty"."""
        words = re.findall(r"[a-z]+", meaning.text.lower())
        need = next(
            (
                name
                for (language, phrase), name in self._vocabulary.needs.items()
                if language == meaning.language
                and (phrase in words if language == "en" else phrase in meaning.text)
            ),
            None,
        )
        denied = bool(_DENIED.search(meaning.text.lower()))
        if need is None or denied:
            return None
        ids = tuple(i for i, item in self._world.categories.items() if str(item["singular"]).lower() == need)
        named = [r for r in meaning.fragment if r.kind == "person" and len(r.ids) == 1]
        who = named[0] if len(named) == 1 else Referent("person", text="me", pronoun="me", definite=True)
        wanted = Clause("bring", theme=Referent("object", text=need, category=need, ids=ids), recipient=who)
        text = wording.offer(need, wording.named(who.ids[0]) if who.ids else "")
        pending = {**context, "clauses": [clause_to_dict(wanted)], "pending": {"slot": "confirmation"}}
        return Question(text, "confirmation", (), meaning.language, pending)


def _only_a_number(referent: Referent) -> bool:
    return referent.is_bare() and referent.number is not None
