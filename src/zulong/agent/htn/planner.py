"""The offline planner: an instruction in, a plan, a question or a refusal out. No model and no network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.agent.htn.binding import CannotServe, Discourse, NeedsAnswer
from zulong.agent.htn.coverage import unserved
from zulong.agent.htn.domain import Domain
from zulong.agent.htn.errands import REFRAINS, ErrandBuilder
from zulong.agent.htn.poison import PoisonWatch
from zulong.agent.htn.replan import replan
from zulong.agent.htn.step import Plan, PlanResult, Question, Refusal, Step, WorldView
from zulong.agent.htn.wording import Wording
from zulong.agent.htn.world import MapWorld
from zulong.agent.language.dialogue import resume
from zulong.agent.language.lexicon import Lexicon, Vocabulary
from zulong.agent.language.meaning import Clause, Meaning, Referent, clause_to_dict, referent_to_dict
from zulong.agent.language.reader import read
from zulong.agent.language.rewording import Rewording
from zulong.agent.language.tokens import language_of


@dataclass(slots=True, frozen=True)
class Understood:
    """What an instruction means after the dialogue so far is taken into account.

    Attributes:
        meaning: the sentence by itself.
        clauses: what is to be done: the sentence completed by what was said before.
    """

    meaning: Meaning
    clauses: tuple[Clause, ...]


class OfflinePlanner:
    """Understands instructions in Chinese and English and plans them with hierarchical task networks.

    The planner holds no state between calls: the dialogue is in ``context``, which every result hands back as
    plain data.

    Args:
        domain: skills and tasks; by default ``config/skills.yaml``.
        lexicon: the words; by default ``config/lexicon.yaml``.
        world: names of the map and beliefs; by default the names of ``config/apartment.yaml``, no beliefs.
    """

    def __init__(
        self, domain: Domain | None = None, lexicon: Lexicon | None = None, world: WorldView | None = None
    ) -> None:
        self.domain = domain or Domain.load()
        self.lexicon = lexicon or Lexicon.load()
        self.world: WorldView = world if world is not None else MapWorld.load()
        self.vocabulary = Vocabulary(self.lexicon, self.world)
        self.rewording = Rewording(self.vocabulary)
        self._poison = PoisonWatch(self.vocabulary)

    def warm_up(self) -> None:
        """Compile the patterns of both languages; the first instruction is then understood as fast as the rest."""
        for words in _UNHEARD_OF:
            self.plan(words)

    def understand(self, text: str, context: Mapping[str, Any] | None = None) -> Understood:
        """Return what the instruction means; ``context`` is that of the result before."""
        meaning = read(text, self.vocabulary)
        return Understood(meaning, resume(meaning, context or {}))

    def plan(
        self, text: str, context: Mapping[str, Any] | None = None, world: WorldView | None = None
    ) -> PlanResult:
        """Return a plan, a question that must be answered first, or a refusal.

        Args:
            text: the instruction.
            context: ``context`` of the result before it, for corrections, pronouns and answers to questions.
            world: current beliefs about the same map; by default those given at construction.
        """
        language = language_of(text)
        if self._poison.forbids(text, language):
            return Refusal(
                "dangerous", Wording(language, self.vocabulary).dangerous(), "", language, dict(context or {})
            )
        idiomatic = self.rewording.without_idioms(text)
        if idiomatic is not None:
            meant = self._plan_as_said(idiomatic, context, world)
            if isinstance(meant, Plan):
                return meant
        result = self._plan_as_said(text, context, world)
        if isinstance(result, Plan) or (isinstance(result, Refusal) and result.code == "dangerous"):
            return result
        # What was not understood is heard again in plainer wordings, each read with the same rigour.
        absent = self._absent(text)
        for wording in self.rewording.wordings(text):
            if any(word not in wording.lower() for word in absent):
                # What is not here must not be left out to make an order fit.
                continue
            again = self._plan_as_said(wording, context, world)
            if isinstance(again, Refusal) and again.code == "dangerous":
                return again
            if isinstance(again, Plan) and not _refrains(again):
                return again
        return result

    def _absent(self, text: str) -> list[str]:
        """Return the English words for things and places that the lexicon knows and the map has not."""
        plain = f" {' '.join(re.findall(r'[a-z]+', text.lower()))} "
        return [
            " ".join(phrase)
            for phrase, senses in self.vocabulary.english.items()
            if any(s.kind in ("room", "placement", "object") for s in senses)
            and not any(s.ids or s.kind in ("verb", "polite", "generic", "category") for s in senses)
            and f" {' '.join(phrase)} " in plain
        ]

    def _plan_as_said(
        self, text: str, context: Mapping[str, Any] | None, world: WorldView | None
    ) -> PlanResult:
        context = context or {}
        world = world if world is not None else self.world
        understood = self.understand(text, context)
        meaning, clauses = understood.meaning, understood.clauses
        language = meaning.language
        wording = Wording(language, self.vocabulary)
        remembered = {"clauses": [clause_to_dict(clause) for clause in clauses], "language": language}
        if meaning.affirmation is False and not clauses:
            text_back = wording.choose("All right, I will leave it.", "好的，那我不做了。")
            return Plan(
                (Step("s1", text_back, skill="say", arguments={"text": text_back}),), language, text_back
            )
        if not clauses:
            return self._nothing_to_do(meaning, wording, context)
        discourse = _discourse(context)
        asked = (context.get("pending") or {}).get("slot")
        confirmed = asked == "confirmation" and meaning.affirmation is True
        builder = ErrandBuilder(
            self.domain,
            world,
            self.vocabulary,
            wording,
            discourse,
            confirmed=confirmed,
            worded=asked == "text",
        )
        try:
            steps = builder.build(clauses)
        except NeedsAnswer as need:
            pending = {**remembered, "pending": {"slot": need.slot}, **_memory(discourse)}
            return Question(need.text, need.slot, need.options, language, pending)
        except CannotServe as refusal:
            kept = (
                {**remembered, **_memory(discourse)}
                if refusal.code not in ("dangerous", "missing_skill")
                else dict(context)
            )
            return Refusal(refusal.code, refusal.text, refusal.missing, language, kept)
        summary = wording.summary([step.title for step in steps if step.title])
        after = {**remembered, **_memory(discourse)}
        # What was asked for word by word need not be understood.
        spoken = asked == "text" and any(clause.text == meaning.text.strip() for clause in clauses)
        unclear = (
            [*meaning.leftover, *(r.text for r in meaning.fragment if not r.pronoun)]
            if meaning.clauses and not spoken
            else []
        )
        if not confirmed:
            unclear.extend(word for word in unserved(steps, clauses) if word not in unclear)
        if unclear:
            pending = {**after, "pending": {"slot": "confirmation"}}
            return Question(wording.confirm(summary, unclear), "confirmation", (), language, pending)
        return Plan(steps, language, summary, after)

    def replan(
        self,
        plan: Plan,
        failed_step: str,
        error: str,
        world: WorldView | None = None,
        *,
        done: Sequence[str] = (),
        message: str = "",
    ) -> PlanResult:
        """Return what is still to be done after a step failed; see :func:`zulong.agent.htn.replan.replan`."""
        wording = Wording(plan.language, self.vocabulary)
        view = world if world is not None else self.world
        return replan(plan, failed_step, error, view, wording, done=done, message=message)

    def _nothing_to_do(self, meaning: Meaning, wording: Wording, context: Mapping[str, Any]) -> PlanResult:
        language = meaning.language
        words = self.domain.identity.get(language) or self.domain.identity["en"]
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
        return Refusal("not_understood", wording.not_understood(meaning.text), "", language, dict(context))

    def _offer(self, meaning: Meaning, wording: Wording, context: Mapping[str, Any]) -> Question | None:
        """Offer what somebody may want who says "I am thirsty"."""
        words = re.findall(r"[a-z]+", meaning.text.lower())
        need = next(
            (
                name
                for (language, phrase), name in self.vocabulary.needs.items()
                if language == meaning.language
                and (phrase in words if language == "en" else phrase in meaning.text)
            ),
            None,
        )
        denied = bool(_DENIED.search(meaning.text.lower()))
        if need is None or denied:
            return None
        ids = tuple(i for i, item in self.world.categories.items() if str(item["singular"]).lower() == need)
        me = Referent("person", text="me", pronoun="me", definite=True)
        wanted = Clause("bring", theme=Referent("object", text=need, category=need, ids=ids), recipient=me)
        text = wording.offer(need)
        pending = {**context, "clauses": [clause_to_dict(wanted)], "pending": {"slot": "confirmation"}}
        return Question(text, "confirmation", (), meaning.language, pending)


# Understood by no part of the grammar, so all of it is tried.
_UNHEARD_OF = ("so the thing over yonder, would you mind", "那边那个，麻烦你了")
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


def _refrains(plan: Plan) -> bool:
    """Tell a plan that only says that nothing will be done: too much for words that were not understood at first."""
    return len(plan.steps) == 1 and plan.steps[0].arguments.get("text") in REFRAINS


def _only_a_number(referent: Referent) -> bool:
    return referent.is_bare() and referent.number is not None


def _discourse(context: Mapping[str, Any]) -> Discourse:
    saved = context.get("discourse") or {}
    return Discourse(
        thing=saved.get("thing"), person=saved.get("person"), person_where=saved.get("person_where"),
        place=saved.get("place"),
    )  # fmt: skip


def _memory(discourse: Discourse) -> dict[str, Any]:
    return {
        "discourse": {
            "thing": discourse.thing,
            "person": discourse.person,
            "person_where": discourse.person_where,
            "place": discourse.place,
        }
    }
