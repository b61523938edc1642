"""Errands with things: going, taking, bringing, putting, finding."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zulong.agent.htn.binding import DOCK, CannotServe, NeedsAnswer
from zulong.agent.htn.errand_places import ErrandPlaces
from zulong.agent.htn.expand import OPERATOR
from zulong.agent.htn.step import Step
from zulong.agent.language.chinese_verbs import AWAY
from zulong.agent.language.meaning import Clause, Referent

_MOST_TRIPS = 12
_ANY_THING = re.compile(r"\b(?:some|any)?thing\b|\bobject\b|\bitem\b|东西|物品|玩意")
"""Of no kind in particular: "something red" is any red thing, "a red one" is one of what was spoken of."""
_LONGEST_WAIT_S = 24 * 3600.0
FETCHING = frozenset(("get", "fetch", "retrieve", "obtain", "拿来", "取来", "拿", "取", "去拿", "去取"))
"""What is got with these and nothing else said of it is for the one who asks."""
_OUT = frozenset(("go out", "get out", "come out", "head out", "move out", "step out", "leave", "exit"))
_HANDED = frozenset(("give", "hand", "hand over", "pass", "serve", "offer", "present"))
_NEEDS_RECIPIENT = frozenset(
    (
        "deliver",
        "give",
        "hand",
        "serve",
        "carry",
        "transport",
        "present",
        "递",
        "递给",
        "交给",
        "送给",
        "给",
        "拿给",
        "带给",
        "送",
        "拿到",
        "带到",
        "送到",
        "搬到",
        "端到",
        "交到",
    )
)


class ErrandThings(ErrandPlaces):
    """Plans clauses about places and things."""

    def _do_go(self, clause: Clause) -> list[Step]:
        target = clause.theme if clause.theme is not None and clause.theme.kind == "person" else None
        if target is not None and clause.goal is None:
            who = self.binder.person(target)
            return self._task("go", place=who, person=who, where=self._person_where(clause, target))
        referent = clause.goal or clause.where
        if clause.verb in _OUT and clause.goal is None:
            # "go out of the kitchen": where to was not said.
            referent = None
            clause = replace(clause, theme=None, recipient=None)
        if referent is None and clause.theme is not None:
            referent = clause.theme
        if referent is None and clause.recipient is not None:
            referent = Referent("place", pronoun="me")
        if referent is None:
            raise NeedsAnswer(
                self.say.ask_destination(), "place", [self.say.named(r) for r in self.world.rooms]
            )
        place = self._goal(referent)
        self._last_place = place if place != OPERATOR else None
        steps = self._task("go", place=place)
        if referent.pronoun == "back":
            # "come back and tell me": wherever the answer was seen, it is brought.
            self._moved = True
        return steps

    def _do_wait(self, clause: Clause) -> list[Step]:
        place = clause.goal or clause.where
        there = self._goal(place) if place is not None and place.kind == "place" and not place.pronoun else ""
        if clause.seconds is None or clause.seconds > _LONGEST_WAIT_S:
            raise NeedsAnswer(self.say.ask_duration(), "duration")
        waits = {"seconds": clause.seconds}
        return [*(self._task("be_at", place=there) if there else ()), *self._task("wait", **waits)]

    def _do_charge(self, clause: Clause) -> list[Step]:
        return self._task("go", place=DOCK)

    def _do_stop(self, clause: Clause) -> list[Step]:
        return self._task("wait", seconds=0.0)

    def _object(self, clause: Clause) -> dict[str, Any]:
        theme = clause.theme
        if theme is None:
            if self.discourse.thing is not None:
                return dict(self.discourse.thing)
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.kind == "person" and theme.pronoun == "them":
            theme = replace(theme, kind="object", pronoun="it")
        if theme.kind == "place" and theme.name:
            raise CannotServe("missing_skill", self.say.missing_skill("furniture", clause.verb), "furniture")
        somewhere = theme.at or clause.where or clause.source or self._last_place
        of_its_kind = theme.name or theme.category or somewhere
        elliptic = theme.colour and not (theme.definite or _ANY_THING.search(theme.text))
        unsaid = theme.superlative or (elliptic and self.discourse.thing is None)
        if theme.kind != "object" or (unsaid and not of_its_kind):
            # "the biggest one", "a green one": of what, and where?
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.number is not None and (theme.number > 1 or theme.number == -1):
            raise CannotServe("missing_skill", self.say.hand_full(), "carry_two")
        if theme.number == 0:
            raise NeedsAnswer(self.say.choose("How many shall I bring?", "要拿几个？"), "number")
        if theme.plural and not theme.pronoun and theme.number is None and theme.ids:
            raise NeedsAnswer(self.say.choose("How many shall I bring?", "要拿几个？"), "number")
        return self.binder.thing(theme)

    def _several(self, clause: Clause) -> list[Clause]:
        """Return one clause for each trip when several things are to be carried, for one hand carries one."""
        theme = clause.theme
        carried = clause.action in ("bring", "put") or (
            clause.action == "take" and (clause.goal is not None or clause.recipient is not None)
        )
        if not carried or theme is None or theme.kind != "object" or theme.pronoun:
            return [clause]
        if theme.number is not None and 1 < theme.number <= _MOST_TRIPS and (theme.name or theme.category):
            one = replace(clause, theme=replace(theme, number=None, plural=False, definite=False))
            return [one] * theme.number
        chosen = theme.superlative or theme.size or theme.side
        every = theme.number == -1 or (
            theme.number is None and theme.plural and theme.definite and not chosen
        )
        ids = theme.ids
        if every and theme.category:
            ids = tuple(i for i, item in self.world.objects.items() if item.get("category") in theme.ids)
        if every and (theme.name or theme.category) and 0 < len(ids) <= _MOST_TRIPS:
            fitting = [i for i in ids if self.binder.fits(i, theme)]
            names = {i: str(self.world.objects[i]["name"]) for i in fitting}
            return [
                replace(
                    clause,
                    theme=replace(
                        theme, number=None, plural=False, category="", name=names[i], ids=(i,), ruled_out=()
                    ),
                )
                for i in fitting
            ]
        return [clause]

    def _in_hand(self, what: Mapping[str, Any]) -> bool:
        return self.expander.state.hand is not None and self.expander.state.hand[1] == what

    def _do_take(self, clause: Clause) -> list[Step]:
        what = self._object(clause)
        self._source_person(clause)
        if clause.recipient is not None or clause.goal is not None:
            return self._do_bring(clause)
        if clause.verb in FETCHING and self._last and not (clause.theme and clause.theme.pronoun):
            return self._do_bring(replace(clause, recipient=Referent("person", pronoun="me")))
        return self._task("take", what=what, where=self._where(clause, clause.theme))

    def _refuse_furniture(self, clause: Clause) -> None:
        """Refuse "bring me the sofa", "carry the fridge to the office"."""
        places = [p for p in (clause.goal, clause.where) if p is not None and p.kind == "place" and p.name]
        mine = clause.recipient is not None and clause.recipient.pronoun == "me"
        if clause.theme is None and (len(places) > 1 or (mine and places)) and self.discourse.thing is None:
            raise CannotServe("missing_skill", self.say.missing_skill("furniture", clause.verb), "furniture")

    def _do_bring(self, clause: Clause) -> list[Step]:
        self._refuse_furniture(clause)
        self._source_person(clause)
        if clause.goal is not None and clause.goal.relation in ("below", "above", "behind"):
            raise self._only_onto_furniture()
        what = self._object(clause)
        recipient, goal = clause.recipient, clause.goal
        if goal is not None and goal.kind == "place" and goal.pronoun in ("back", "here"):
            recipient, goal = Referent("person", pronoun="me"), None
        if recipient is None and goal is None:
            if clause.verb in _NEEDS_RECIPIENT or clause.verb in AWAY:
                raise NeedsAnswer(self.say.ask_recipient(self.say.thing(what)), "person")
            recipient = Referent("person", pronoun="me")
        where = None if self._in_hand(what) else self._where(clause, clause.theme)
        if recipient is not None and recipient.pronoun in ("him", "her") and not clause.source:
            # "find Jane in the bedroom and give her the apple": it is she who is there.
            met = where is not None and where == self._last_place == self.discourse.person_where
            where = (
                None
                if met and clause.where is None and (clause.theme is None or not clause.theme.at)
                else where
            )
        if recipient is not None and recipient.number is not None and recipient.number not in (0, 1):
            # One thing cannot go to several people.
            raise NeedsAnswer(self.say.ask_person(), "person")
        if recipient is not None:
            who = self.binder.person(recipient)
            if (
                isinstance(who, Mapping)
                and len(who) == 1
                and recipient.at is None
                and recipient.demonstrative
            ):
                # "that person": which one only a finger can say.
                raise NeedsAnswer(self.say.ask_person(), "person")
            person_where = self._person_where(clause, recipient, own_only=True)
            described = isinstance(who, Mapping) and "id" not in who and not recipient.pronoun
            # 「看看咖啡在不在床头柜，在的话给西蒙娜」: there is the coffee.
            seen = clause.theme is None and self._checked is not None
            told = (described or clause.verb in _HANDED) and not seen
            if told and person_where is None and where is not None and where == self._last_place:
                # "go to the living room and give the soap to the waving person": the person is there.
                person_where, where = where, None
            if self._led_there and not (clause.theme is not None and clause.theme.at) and not clause.where:
                # "lead Jane to the sofa, then get her an iced tea"
                person_where, where = person_where or self._last_place, None
            if person_where is None and goal is not None and goal.kind == "place":
                person_where = self._goal(goal)
            if described and len(who) == 1 and person_where is None and not self._faces(who):
                # "take the lemon to somebody": nobody in particular is meant.
                raise NeedsAnswer(self.say.ask_person(), "person")
            if self._in_hand(what):
                return self._task(
                    "give", what=what, person=who, where=person_where, person_where=person_where
                )
            return self._task(
                "bring_to_person", what=what, where=where, person=who, person_where=person_where
            )
        goal = self._own_place(goal or Referent("place", pronoun="me"), what)
        place = self._surface(self._goal(goal), what)
        if self._in_hand(what):
            return self._task("put", what=what, goal=place)
        return self._task("bring_to_place", what=what, where=where, goal=place)

    def _own_place(self, goal: Referent, what: Mapping[str, Any]) -> Referent:
        """Return where a thing is usually kept for "its shelf", when that is such a piece of furniture."""
        if not goal.text.lower().startswith("its ") or goal.kind != "place" or not goal.ids:
            return goal
        noun = goal.text.lower().split()[-1]
        usual = next(
            (i for i in self._usual(what) if str(self.world.placements[i]["name"]).endswith(noun)), None
        )
        if usual is None:
            raise NeedsAnswer(self.say.ask_goal(self.say.thing(what)), "goal")
        return replace(goal, ids=(usual,))

    def _surface(self, place: str, what: Mapping[str, Any]) -> str:
        """Return where to put a thing that is to go to a room: its usual furniture there, else a table."""
        if place not in self.world.rooms:
            return place
        surfaces = {
            i: str(item["name"])
            for i, item in self.world.placements.items()
            if item.get("room") == place and item.get("holds", True) and item.get("kind") != "doorway"
        }
        usual = [i for i in self._usual(what) if i in surfaces]
        tables = [i for i, name in surfaces.items() if "table" in name or "desk" in name or "counter" in name]
        return next(iter([*usual, *tables, *surfaces]), place)

    def _source_person(self, clause: Clause) -> None:
        if clause.source is not None and clause.source.kind == "person":
            raise CannotServe(
                "missing_skill",
                self.say.choose(
                    "I have no skill for taking things out of people's hands.",
                    "我没有从别人手里拿东西的技能。",
                ),
                "take_from_person",
            )

    def _only_onto_furniture(self) -> CannotServe:
        return CannotServe(
            "missing_skill",
            self.say.choose(
                "I can only put things on furniture, not under, behind, into or onto other things.",
                "我只能把东西放在家具上，不能放到下面、后面或别的东西里。",
            ),
            "stack",
        )

    def _do_put(self, clause: Clause) -> list[Step]:
        what = self._object(clause)
        if clause.recipient is not None and clause.goal is None:
            return self._do_bring(clause)
        if clause.goal is None:
            raise NeedsAnswer(self.say.ask_goal(self.say.thing(what)), "goal", ())
        if clause.goal.kind == "object":
            raise self._only_onto_furniture()
        return self._do_bring(clause)

    def _do_find(self, clause: Clause) -> list[Step]:
        theme = clause.theme
        if theme is None:
            if clause.where is not None or clause.goal is not None:
                return self._do_go(replace(clause, goal=clause.goal or clause.where))
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.kind == "place":
            return self._do_go(replace(clause, goal=theme, theme=None))
        if theme.kind == "person":
            return self._find_person(clause, theme)
        every = theme.number == -1 or (theme.number is not None and theme.number > 1 and bool(theme.name))
        if every and not self.confirmed:
            words = self.say.choose(
                "I look for one of a kind only. Shall I do that?", "我一次只找一个，要找吗？"
            )
            raise NeedsAnswer(words, "confirmation")
        what = self.binder.thing(theme)
        where = self._where(clause, theme)
        reach = self._task("find_within_reach", what=what, where=where, strict=where is not None)
        if not self._last:
            return reach
        found = f"${{{self.expander.state.labels['found']}.at}}"
        text = self.say.choose(
            f"I found {self.say.thing(what)}: {found}.", f"我找到了{self.say.thing(what)}：{found}。"
        )
        return [*reach, *self._task("say", text=text)]

    def _find_person(self, clause: Clause, theme: Referent) -> list[Step]:
        who = self.binder.person(theme)
        where = self._where(clause, theme) if not theme.pronoun else self._explicit_where(clause, theme)
        if theme.pronoun and where is not None:
            self.expander.state.facing = None
        if who == OPERATOR:
            return self._task("meet", person=who, where=where)
        steps = self._task("find", what=who, where=where, person=who)
        self.discourse.person_where = where
        return steps
