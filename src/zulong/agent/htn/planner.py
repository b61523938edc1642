"""The offline planner: an instruction in, a plan, a question or a refusal out. No model and no network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zulong.agent.htn.answered import is_of_answer, thing_in_answer
from zulong.agent.htn.binding import CannotServe, Discourse, NeedsAnswer
from zulong.agent.htn.coverage import unserved
from zulong.agent.htn.domain import Domain
from zulong.agent.htn.errands import CALLED_OFF, ErrandBuilder, for_the_asker
from zulong.agent.htn.hearing import Hearing
from zulong.agent.htn.hearing_chinese import ChineseHearing
from zulong.agent.htn.hearing_english import EnglishHearing
from zulong.agent.htn.narrowed import narrowed
from zulong.agent.htn.poison import PoisonWatch
from zulong.agent.htn.provided import clauses_provided
from zulong.agent.htn.replan import replan
from zulong.agent.htn.step import Plan, PlanResult, Question, Refusal, Step, WorldView
from zulong.agent.htn.verdicts import (
    UNKNOWN,
    denies,
    drops_condition,
    only_refrains,
    vague,
)
from zulong.agent.htn.without_order import WithoutOrder
from zulong.agent.htn.wording import Wording
from zulong.agent.htn.world import MapWorld
from zulong.agent.language.amounts import below_zero
from zulong.agent.language.awaited import Awaited
from zulong.agent.language.dialogue import followed_by, resume
from zulong.agent.language.english_answers import Words, words_wanted
from zulong.agent.language.english_words import people_named
from zulong.agent.language.every_room import spelled_out
from zulong.agent.language.lexicon import Language, Lexicon, Vocabulary
from zulong.agent.language.meaning import (
    Clause,
    Condition,
    Meaning,
    Referent,
    clause_from_dict,
    clause_to_dict,
)
from zulong.agent.language.reader import read
from zulong.agent.language.replies import Reply, take_apart
from zulong.agent.language.rewording import Rewording
from zulong.agent.language.ruled_out import ruled_out
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
        self._without_order = WithoutOrder(self.domain, self.vocabulary, self.world)
        self._hearings: dict[Language, Hearing] = {
            "en": EnglishHearing(self.vocabulary),
            "zh": ChineseHearing(self.vocabulary),
        }

    def warm_up(self) -> None:
        """Compile the patterns of both languages; the first instruction is then understood as fast as the rest."""
        for words in _UNHEARD_OF:
            self.plan(words)

    def understand(
        self, text: str, context: Mapping[str, Any] | None = None, more: Sequence[str] = ()
    ) -> Understood:
        """Return what the instruction means.

        Args:
            text: the instruction, or the answer to what was asked.
            context: that of the result before.
            more: what else was said with the answer.
        """
        worded = self._words(text, context)
        if worded is not None and worded.clauses and not worded.doubt:
            return Understood(Meaning(worded.clauses, "en", text, leftover=worded.leftover), worded.clauses)
        meaning = read(text, self.vocabulary)
        clauses = resume(meaning, context or {})
        for words in more if clauses else ():
            added = read(words, self.vocabulary)
            chosen = self._chosen(clauses, added) if _confirms(context) else None
            clauses = (chosen,) if chosen is not None else followed_by(clauses, added)
            loose = () if not added.clauses else tuple(r.text for r in added.fragment if not r.pronoun)
            meaning = replace(meaning, leftover=(*meaning.leftover, *added.leftover, *loose))
        return Understood(meaning, clauses)

    def _chosen(self, clauses: Sequence[Clause], added: Meaning) -> Clause | None:
        """Return what is wanted of the kind that was offered: "(something to eat?)" - "Yes, an apple."."""
        offered = clauses[0].theme if len(clauses) == 1 else None
        if offered is None or not offered.category or offered.name:
            return None
        named = (
            [c.theme for c in added.clauses if c.theme is not None] if added.clauses else [*added.fragment]
        )
        kinds = [self.world.objects.get(i, {}).get("category") for r in named for i in r.ids]
        of_that_kind = len(named) == 1 and bool(kinds) and set(kinds) <= _EATEN | set(offered.ids)
        return replace(clauses[0], theme=named[0]) if of_that_kind else None

    def plan(
        self, text: str, context: Mapping[str, Any] | None = None, world: WorldView | None = None
    ) -> PlanResult:
        """Return a plan, a question that must be answered first, or a refusal.

        Args:
            text: the instruction.
            context: ``context`` of the result before it, for corrections, pronouns and answers to questions.
            world: current beliefs about the same map; by default those given at construction.
        """
        return self._heard(text, context or {}, world if world is not None else self.world, 0)

    def thing_in_answer(self, answer: str) -> str:
        """Return the name of the one thing that somebody's answer names, "" when it names none or several."""
        return thing_in_answer(answer, self.vocabulary, self.world)

    def _heard(self, text: str, context: Mapping[str, Any], world: WorldView, depth: int) -> PlanResult:
        hearing = self._hearings[language_of(text)]
        return hearing.honest(text, self._planned(text, hearing, context, world, depth), context)

    def _planned(
        self, text: str, hearing: Hearing, context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult:
        """Return what an instruction comes to that may be whole, broken off, put right or an answer.

        Args:
            depth: how many times the instruction was put right already.
        """
        language = hearing.language
        wording = Wording(language, self.vocabulary)
        spoken = hearing.finished(text, context)
        if spoken is None or below_zero(text):
            return Question(wording.ask_whole(text), "action", (), language, dict(context))
        rooms = [self.vocabulary.name(room, language) for room in self.world.rooms]
        written = text = spelled_out(hearing.smoothed(spoken, context), rooms, language)
        if self._poison.forbids(text, language):
            return Refusal("dangerous", wording.dangerous(), "", language, dict(context))
        text = hearing.in_plain_words(text, context)
        worded = self._words(text, context)
        if worded is not None:
            return self._with_words(text, worded, context, world, depth)
        unknowable = hearing.unknowable(text, spoken)
        if unknowable:
            honestly = wording.cannot_answer(unknowable)
            return Refusal("missing_skill", honestly, unknowable, language, dict(context))
        awaited = None if context.get("pending") else hearing.awaited(text, spoken)
        hanging = self._after_answer(text, awaited, context, world, depth) if awaited else None
        if hanging is not None:
            return hanging
        for words in dict.fromkeys((written, text)):
            # As it was said every part is there; put plainly as a whole it may have lost one.
            provided = self._provided(words, context, world, depth)
            if provided is not None:
                return provided
        narrowed_down = self._without_ruled_out(text, context, world, depth)
        if narrowed_down is not None:
            return narrowed_down
        for put_right in hearing.put_right(spoken) if depth < _MOST_PUT_RIGHT else ():
            anew = self._heard(put_right, context, world, depth + 1)
            done = isinstance(anew, Plan) and not only_refrains(anew)
            if done or (isinstance(anew, Refusal) and anew.code == "dangerous"):
                return anew
        return self._understood(text, hearing, context, world, depth)

    def _understood(
        self, text: str, hearing: Hearing, context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult:
        """Return what a whole instruction comes to, as it was said or in plainer words."""
        reply = take_apart(text, context, lambda words: read(words, self.vocabulary))
        if reply.doubt:
            return self._ask_again(reply, hearing.language, context)
        if reply.answer != text or reply.more:
            # What is left of the turn is weighed like any sentence: the answer with what follows it.
            answered = self._plan_as_said(reply.answer, context, world, reply.more)
            return self._weighed(", ".join((reply.answer, *reply.more)), answered)
        if hearing.quotes(text):
            # Whose the words are is to be asked; hearing them again in others would leave them out.
            spoken = self._weighed(text, self._plan_as_said(text, context, world))
            stages = hearing.stages(text) if isinstance(spoken, Question) else ()
            return self._in_stages(text, stages, context, world, depth) or spoken
        bare = bool(context.get("pending")) and self._only_names(text)
        idiomatic = self.rewording.without_idioms(text) if not bare else None
        doubted: PlanResult | None = None
        if idiomatic is not None:
            said = self._plan_as_said(idiomatic, context, world)
            meant = self._weighed(text, said)
            if isinstance(meant, Plan):
                return meant
            doubted = meant if isinstance(said, Plan) else None
        said = self._plan_as_said(text, context, world)
        result = self._weighed(text, said)
        if isinstance(said, Plan):
            doubted = doubted or result
        if isinstance(result, Plan) and denies(result):
            return self._unless_ordered(text, result, context, world)
        if isinstance(result, Plan) or (isinstance(result, Refusal) and result.code == "dangerous"):
            return result
        which = isinstance(result, Question) and result.slot != "goal" and self._several_such(result.options)
        if which and hearing.asks_which_furniture:
            return result
        if context.get("clauses") and self._only_names(text):
            # "to Jane" after an order: without a verb it is no order of its own in any other words.
            return result
        in_stages = self._in_stages(text, hearing.stages(text), context, world, depth)
        if in_stages is not None:
            return in_stages
        delivered = self._delivered(text, context, world) if hearing.in_pieces(text) else None
        if isinstance(delivered, Plan):
            return delivered
        again = self._in_other_words(text, hearing, context, world)
        if again is not None:
            return again
        return doubted or (delivered if delivered is not None and vague(result) else result)

    def _after_answer(
        self, text: str, awaited: Awaited, context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult | None:
        """Return what a question to somebody and the orders that hang on the answer come to, None when it is no such thing.

        The question and each order are heard as instructions of their own.
        """
        asks = self._heard(awaited.asking, context, world, depth + 1)
        clauses = _clauses(asks)
        if not isinstance(asks, Plan) or not clauses or clauses[-1].action != "ask":
            return None
        language = asks.language
        known = {"discourse": asks.context.get("discourse") or {}}
        for branch in awaited.branches:
            then = self._heard(branch.order, known, world, depth + 1)
            if isinstance(then, Refusal):
                return replace(then, context=dict(context))
            ordered = _clauses(then)
            reports = isinstance(then, Question) and then.slot == "text" and ordered[-1:] != []
            reports = reports and ordered[-1].action == "tell"
            if (isinstance(then, Question) and not reports) or any(c.condition or c.negated for c in ordered):
                # The answer to a question about a part of it would not bring the rest back.
                asked = Wording(language, self.vocabulary).ask_whole(text)
                return Question(asked, "action", (), language, dict(context))
            condition = Condition("answer", negated=not branch.agreed, text=branch.text)
            clauses.extend(replace(clause, condition=condition) for clause in ordered)
        whole = Meaning(tuple(clauses), language, text)
        return self._carried_out(Understood(whole, whole.clauses), context, world)

    def _in_other_words(
        self, text: str, hearing: Hearing, context: Mapping[str, Any], world: WorldView
    ) -> PlanResult | None:
        """Return what an instruction that was not understood comes to in plainer words, each read with the same rigour."""
        unsaid = hearing.unsaid(text)
        for wording in self.rewording.wordings(text):
            if any(word not in wording.lower() for word in unsaid):
                # What is not here must not be left out to make an order fit.
                continue
            again = self._weighed(text, self._plan_as_said(wording, context, world))
            if isinstance(again, Refusal) and again.code == "dangerous":
                return again
            if isinstance(again, Plan) and not only_refrains(again) and not drops_condition(text, again):
                return again
        return None

    def _provided(
        self, text: str, context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult | None:
        """Return the plan of orders that hang on how things are, None unless the condition and each order are understood."""
        said = None
        if not context.get("pending") and depth < _MOST_PUT_RIGHT:
            said = self.rewording.provided(text)
        if said is None:
            return None

        def carried_out(clauses: Sequence[Clause]) -> PlanResult:
            whole = Meaning(tuple(clauses), language_of(text), text)
            return self._carried_out(Understood(whole, whole.clauses), context, world)

        clauses = clauses_provided(
            said,
            context,
            lambda words, known: self._heard(words, known, world, depth + 1),
            carried_out,
            lambda words: read(words, self.vocabulary),
        )
        planned = carried_out(clauses) if clauses else None
        return planned if isinstance(planned, Plan) else None

    def _without_ruled_out(
        self, text: str, context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult | None:
        """Return the plan of an order for one of a kind of which some are ruled out, None when it is anything else."""
        if context.get("pending") or depth >= _MOST_PUT_RIGHT:
            return None
        said = ruled_out(text, lambda words: read(words, self.vocabulary))
        if said is None:
            return None
        rest = self._heard(said.order, context, world, depth + 1)
        clauses = narrowed(_clauses(rest), said, world) if isinstance(rest, Plan) else None
        if clauses is None:
            return None
        whole = Meaning(tuple(clauses), language_of(text), text)
        planned = self._carried_out(Understood(whole, whole.clauses), context, world)
        return planned if isinstance(planned, Plan) else None

    def _in_stages(
        self, text: str, stages: Sequence[str], context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult | None:
        """Return what orders come to that are done one after the other, None unless each of them has a plan alone."""
        if not stages or context.get("pending") or depth >= _MOST_PUT_RIGHT:
            return None
        clauses: list[Clause] = []
        known: Mapping[str, Any] = {"discourse": context.get("discourse") or {}}
        for stage in stages:
            alone = self._heard(stage, known, world, depth + 1)
            if isinstance(alone, Refusal) and alone.code == "dangerous":
                return alone
            done = _clauses(alone)
            if not isinstance(alone, Plan) or only_refrains(alone) or not done:
                return None
            clauses.extend([*done[:-1], for_the_asker(done[-1], (_COMES,))])
            known = _memory(_discourse(alone.context or {}))
        whole = Meaning(tuple(clauses), language_of(text), text)
        return self._carried_out(Understood(whole, whole.clauses), context, world)

    def _delivered(
        self, text: str, context: Mapping[str, Any] | None, world: WorldView | None
    ) -> PlanResult | None:
        """Return what an English sentence that is deliveries in pieces comes to, None when it is no such thing."""
        if (context or {}).get("pending"):
            return None
        orders = self.rewording.delivered(text)
        if orders is None or self._goes_on_beyond(text):
            return None
        said = self._weighed(text, self._plan_as_said(orders, context, world))
        named = (isinstance(said, Question) and said.slot == "object") or (
            isinstance(said, Refusal) and said.code in UNKNOWN
        )
        return said if named or (isinstance(said, Plan) and not only_refrains(said)) else None

    def _goes_on_beyond(self, text: str) -> bool:
        """Tell whether an order goes on with one that the robot lacks the skill for: "... and then open the can"."""
        lacking = [c.verb for c in read(text, self.vocabulary).clauses if c.action.startswith("missing:")]
        return any(re.search(rf"\b(?:and|then) {re.escape(verb)}\b", text, re.IGNORECASE) for verb in lacking)

    def _unless_ordered(
        self, text: str, refrains: Plan, context: Mapping[str, Any] | None, world: WorldView | None
    ) -> PlanResult:
        """Return the plan that only refrains, or ask when plainer words of the same sentence order something."""
        parts = [part.strip() for part in _STRETCH.split(text) if part.strip()]
        if len(parts) < 2:
            return refrains
        for wording in self.rewording.wordings(text):
            ordered = self._plan_as_said(wording, context, world)
            if isinstance(ordered, Plan) and not only_refrains(ordered):
                words = Wording(ordered.language, self.vocabulary).confirm(ordered.summary, parts[:1])
                pending = {**ordered.context, "pending": {"slot": "confirmation"}}
                return Question(words, "confirmation", (), ordered.language, pending)
        return refrains

    def _words(self, text: str, context: Mapping[str, Any] | None) -> Words | None:
        names = people_named(text, self.vocabulary)
        return words_wanted(text, context or {}, lambda words: read(words, self.vocabulary), names)

    def _with_words(
        self, text: str, words: Words, context: Mapping[str, Any], world: WorldView, depth: int
    ) -> PlanResult:
        """Go on after an answer to "what shall I say?"."""
        wording = Wording("en", self.vocabulary)
        free = {key: value for key, value in context.items() if key not in ("clauses", "pending", "named")}
        if words.order and depth < _MOST_PUT_RIGHT:
            return self._heard(words.order, free, world, depth + 1)
        if words.doubt == "cancel":
            said = wording.choose(*CALLED_OFF)
            return Plan((Step("s1", said, skill="say", arguments={"text": said}),), "en", said, free)
        if not words.doubt:
            return self._plan_as_said(text, context, world)
        kept = {**context, "clauses": [clause_to_dict(clause) for clause in words.clauses]}
        pending = dict(context.get("pending") or {})
        if words.doubt == "confirm":
            spoken = next((c.text for c in words.clauses if c.text), text)
            asked = wording.confirm_words(spoken)
            return Question(asked, "confirmation", (), "en", {**kept, "pending": {"slot": "confirmation"}})
        if words.doubt == "whom":
            return Question(wording.ask_person(), "person", (), "en", {**kept, "pending": {"slot": "person"}})
        asks = any(clause.action == "ask" and not clause.text for clause in words.clauses)
        asked = wording.ask_question_text() if asks else wording.ask_text()
        return Question(asked, "text", (), "en", {**kept, "pending": {**pending, "slot": "text"}})

    def _weighed(self, text: str, result: PlanResult) -> PlanResult:
        """Return the result, or the question whether it is meant where the words that were said speak against it."""
        if not isinstance(result, Plan):
            return result
        hearing = self._hearings[language_of(text)]
        unclear = hearing.doubts(text, _clauses(result))
        if not unclear:
            return result
        words = Wording(hearing.language, self.vocabulary).confirm(result.summary, unclear)
        pending = {**(result.context or {}), "pending": {"slot": "confirmation"}}
        return Question(words, "confirmation", (), hearing.language, pending)

    def _several_such(self, options: Sequence[str]) -> bool:
        """Tell whether the options are pieces of furniture, of which one was named."""
        furniture = {str(item["name"]).lower() for item in self.world.placements.values()}
        chinese = {self.vocabulary.name(place, "zh") for place in self.world.placements}
        return len(options) > 1 and all(
            option.lower() in furniture or option in chinese for option in options
        )

    def _only_names(self, text: str) -> bool:
        meaning = read(text, self.vocabulary)
        return bool(meaning.fragment) and not (meaning.clauses or meaning.leftover)

    def _ask_again(self, reply: Reply, language: Language, context: Mapping[str, Any]) -> Question:
        """Ask once more when a turn only says what is not meant, or leaves a choice open."""
        wording = Wording(language, self.vocabulary)
        pending = dict(context.get("pending") or {})
        slot = str(pending.get("slot") or reply.kind or "object")
        options = tuple(str(option) for option in pending.get("options") or ())
        if reply.doubt == "time":
            return Question(wording.ask_whole(reply.answer), "action", (), language, context)
        asks = {"choice": wording.ask_which(), "again": ""}
        text = asks.get(reply.doubt, wording.ask_instead())
        if pending.get("question"):
            text = (
                f"{text} {pending['question']}".strip()
                if language == "en"
                else f"{text}{pending['question']}"
            )
        return Question(text, slot, options, language, {**context, "pending": {**pending, "slot": slot}})

    def _plan_as_said(
        self,
        text: str,
        context: Mapping[str, Any] | None,
        world: WorldView | None,
        more: Sequence[str] = (),
    ) -> PlanResult:
        view = world if world is not None else self.world
        return self._carried_out(self.understand(text, context, more), context or {}, view)

    def _carried_out(
        self, understood: Understood, context: Mapping[str, Any], world: WorldView
    ) -> PlanResult:
        """Return the steps for what an instruction means, or what must be asked or refused."""
        meaning, clauses = understood.meaning, understood.clauses
        language = meaning.language
        wording = Wording(language, self.vocabulary)
        remembered = {"clauses": [clause_to_dict(clause) for clause in clauses], "language": language}
        if meaning.affirmation is False and not clauses:
            text_back = wording.choose(*CALLED_OFF)
            return Plan(
                (Step("s1", text_back, skill="say", arguments={"text": text_back}),), language, text_back
            )
        if not clauses:
            return self._without_order.answered(meaning, wording, context)
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
            asks = {"slot": need.slot, "question": need.text, "options": list(need.options)}
            pending = {**remembered, "pending": asks, **_memory(discourse)}
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


_EATEN = frozenset(("food", "fruit", "snack", "drink"))
"""The kinds of things that somebody takes who is hungry or thirsty."""
_MOST_PUT_RIGHT = 4
"""How many times one instruction is put right: each makes it shorter or settles it, more would be no speech."""
_COMES = Clause("go", goal=Referent("place", pronoun="me"))
"""What is fetched in a stage of its own is brought to the one who asks."""
# Understood by no part of the grammar, so all of it is tried; what speaks to somebody has patterns of its own.
_UNHEARD_OF = (
    "so the thing over yonder, would you mind",
    "so tell the thing over yonder, if yonder then so, would you mind",
    "那边那个，麻烦你了",
    "如果那边那个，就告诉那边那个，麻烦你了",
)
_STRETCH = re.compile(r"[,;.!?，；。！？]+")


def _clauses(result: PlanResult) -> list[Clause]:
    return [clause_from_dict(entry) for entry in (result.context or {}).get("clauses") or ()]


def _confirms(context: Mapping[str, Any] | None) -> bool:
    return ((context or {}).get("pending") or {}).get("slot") == "confirmation"


def _discourse(context: Mapping[str, Any]) -> Discourse:
    saved = context.get("discourse") or {}
    return Discourse(
        thing=saved.get("thing"),
        person=saved.get("person"),
        person_where=saved.get("person_where"),
        place=saved.get("place"),
        thing_at=saved.get("thing_at"),
        rivals=tuple(map(str, saved.get("people") or ())),
    )


def _memory(discourse: Discourse) -> dict[str, Any]:
    return {
        "discourse": {
            # The answer to a question of this plan is no result of the next one.
            "thing": None if is_of_answer(discourse.thing) else discourse.thing,
            "person": discourse.person,
            "person_where": discourse.person_where,
            "place": discourse.place,
            "thing_at": discourse.thing_at,
            "people": discourse.people or list(discourse.rivals),
        }
    }
