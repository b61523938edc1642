"""From the clauses of an instruction to tasks of the domain, expanded into steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.htn.binding import Binder, CannotServe, Discourse, NeedsAnswer
from zulong.agent.htn.domain import Domain
from zulong.agent.htn.expand import OPERATOR, Expander, NoMethodError, in_sequence
from zulong.agent.htn.step import Step, WorldView
from zulong.agent.htn.wording import Wording
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Referent

_MOST_REPEATS = 20
_MOST_TRIPS = 6
_LONGEST_WAIT_S = 24 * 3600.0
_WEIGHT = ("heaviest", "lightest")


class ErrandBuilder:
    """Builds the steps of one instruction.

    Raises (in :meth:`build`):
        NeedsAnswer: the user must be asked first.
        CannotServe: the instruction is refused.
    """

    def __init__(
        self, domain: Domain, world: WorldView, vocabulary: Vocabulary, wording: Wording, discourse: Discourse
    ) -> None:
        self.domain = domain
        self.world = world
        self.vocabulary = vocabulary
        self.say = wording
        self.discourse = discourse
        self.binder = Binder(world, vocabulary, wording, discourse)
        self.words = domain.identity.get(wording.language) or domain.identity["en"]
        self.expander = Expander(
            domain,
            is_placement=world.placements.__contains__,
            likely_places=self._likely_places,
            describe=wording.argument,
            language=wording.language,
        )
        self._last_place: str | None = None
        self._moved = False
        self._last = False
        self._checked: tuple[Condition, Mapping[str, Any], bool] | None = None

    # -- the whole instruction -----------------------------------------------------------------------------

    def build(self, clauses: Sequence[Clause]) -> tuple[Step, ...]:
        """Return the top-level steps, in order, chained by dependencies."""
        self._refuse(clauses)
        for clause in clauses:
            self.discourse.avoid.update(self.binder.place(r) for r in clause.avoid if r.kind == "place")
        served = [clause for clause in clauses if not clause.negated]
        if not served:
            return self._acknowledge()
        steps: list[Step] = []
        index = 0
        while index < len(served):
            end = index + 1
            condition = served[index].condition
            while end < len(served) and condition is not None and served[end].condition == condition:
                end += 1
            if condition is None:
                self._last = index == len(served) - 1
                new = self._repeated(served[index])
            elif condition.kind == "failed" and steps:
                served[index] = _in_place_of(served[index], served[index - 1])
                steps[-1] = self._fallback(steps[-1], served[index:end])
                new = []
            else:
                self._last = end == len(served)
                new = self._conditional(condition, served[index:end])
            steps.extend(new)
            index = end
        return tuple(in_sequence(steps))

    def _refuse(self, clauses: Sequence[Clause]) -> None:
        """Refuse the whole instruction when any part of it is dangerous or beyond the robot."""
        for clause in clauses:
            if clause.negated:
                continue
            if clause.action == "dangerous" or self._harms(clause):
                raise CannotServe("dangerous", self.say.dangerous())
        for clause in clauses:
            if clause.action.startswith("missing:") and not clause.negated:
                skill = clause.action.removeprefix("missing:")
                raise CannotServe("missing_skill", self.say.missing_skill(skill, clause.verb), skill)

    def _harms(self, clause: Clause) -> bool:
        dangerous = self.vocabulary.lexicon.data.get("dangerous") or {}
        theme = clause.theme
        if theme is None or theme.kind != "object":
            return False
        if theme.name in (dangerous.get("never_carried") or ()):
            return True
        target = clause.recipient
        return (
            theme.name in (dangerous.get("things") or ())
            and target is not None
            and target.gender in ("child", "pet")
        )

    def _acknowledge(self) -> tuple[Step, ...]:
        text = self.say.choose("All right, I will not do that.", "好的，我不会那样做。")
        return self.expander.expand("say", {"text": text})

    def _repeated(self, clause: Clause) -> list[Step]:
        if clause.repeat < 1 or clause.repeat > _MOST_REPEATS:
            raise NeedsAnswer(
                self.say.choose(
                    f"Do you really mean {clause.repeat} times?", f"真的要做{clause.repeat}次吗？"
                ),
                "confirmation",
            )
        steps: list[Step] = []
        trips = self._several(clause)
        for _ in range(clause.repeat):
            for trip in trips:
                # Of several things that fit one description, each trip has to look for another one.
                self.expander.state.facing = None if len(trips) > 1 else self.expander.state.facing
                steps.extend(self._one(trip))
        return steps

    def _one(self, clause: Clause) -> list[Step]:
        handler = getattr(self, f"_do_{clause.action}", None)
        if handler is None:
            raise CannotServe(
                "missing_skill", self.say.missing_skill(clause.action, clause.verb), clause.action
            )
        try:
            steps: list[Step] = handler(clause)
        except NoMethodError as error:
            if error.need == "an empty hand":
                raise CannotServe("missing_skill", self.say.hand_full(), "carry_two") from error
            if error.need == "something in the hand":
                raise CannotServe("contradiction", self.say.hand_empty()) from error
            if error.need == "a place to look":
                raise CannotServe("contradiction", self._avoided_words()) from error
            raise
        return steps

    def _avoided_words(self) -> str:
        names = [self.say.named(place).removeprefix("the ") for place in sorted(self.discourse.avoid)]
        return self.say.forbidden_place(", ".join(names))

    def _task(self, name: str, **arguments: Any) -> list[Step]:
        steps = list(self.expander.expand(name, arguments))
        if any(
            leaf.skill in ("go_to", "look_for", "follow", "guide") for step in steps for leaf in step.leaves()
        ):
            self._moved = True
        return steps

    # -- places --------------------------------------------------------------------------------------------

    def _goal(self, referent: Referent) -> str:
        place = self.binder.place(referent)
        self._check_allowed(place)
        return place

    def _check_allowed(self, place: str) -> None:
        room = self.binder.room_of(place)
        if place in self.discourse.avoid or room in self.discourse.avoid:
            forbidden = place if place in self.discourse.avoid else str(room)
            raise CannotServe(
                "contradiction", self.say.forbidden_place(self.say.named(forbidden).removeprefix("the "))
            )

    def _where(self, clause: Clause, *referents: Referent | None) -> str | None:
        """Return the place that the clause names for its thing or person, else where the robot was sent."""
        for referent in (*(r.at for r in referents if r is not None), clause.source, clause.where):
            if referent is not None and referent.kind == "place":
                return self._goal(referent)
        if clause.source is not None and clause.source.kind == "person":
            return None
        if any(r is not None and r.pronoun for r in referents):
            return None
        return self._last_place

    def _likely_places(self, env: Mapping[str, Any]) -> list[str]:
        """Return where to look, best first: where it was said, believed, usual, then room by room."""
        what, where = env.get("what"), env.get("where")
        places: list[str] = [where] if where else []
        if not (where and env.get("strict")):
            if where in self.world.placements:
                places.append(str(self.world.placements[where]["room"]))
            if isinstance(what, Mapping):
                places.extend(self._guesses(what, where))
        allowed: list[str] = []
        for place in dict.fromkeys(places):
            if place not in self.discourse.avoid and self.binder.room_of(place) not in self.discourse.avoid:
                allowed.append(place)
        return allowed

    def _guesses(self, what: Mapping[str, Any], where: str | None) -> list[str]:
        if what.get("kind") == "person" and where and "id" not in what:
            return []
        believed = self.world.location_of(str(what["id"])) if "id" in what else None
        guesses = [believed] if believed and not where else []
        if what.get("kind") == "object":
            guesses.extend(self._usual(what))
        start = guesses[-1] if guesses else where or self._last_place
        return [*guesses, *self._rooms_from(self.binder.room_of(start) if start else None)]

    def _rooms_from(self, start: str | None) -> list[str]:
        """Return the rooms in the order of a short tour that begins at ``start``, if the map says where they are."""
        rooms = list(self.world.rooms)
        if start not in rooms:
            return rooms
        centres = {room: _centre(item.get("rect")) for room, item in self.world.rooms.items()}
        tour = [start]
        rooms.remove(start)
        while rooms:
            here = centres[tour[-1]]
            if here is not None:
                rooms.sort(key=lambda room: _distance(here, centres[room]))
            tour.append(rooms.pop(0))
        return tour

    def _usual(self, what: Mapping[str, Any]) -> list[str]:
        if "to" in what:
            # "behind the bowl": where the bowl is.
            beside = self.world.location_of(str(what["to"].get("id")))
            return [beside] if beside else self._usual(what["to"])
        category = what.get("category")
        if category is None:
            ids = (
                [what["id"]]
                if "id" in what
                else [
                    i
                    for i, item in self.world.objects.items()
                    if str(item["name"]).endswith(str(what.get("name") or "\0"))
                ]
            )
            category = next(
                (self.world.objects[i].get("category") for i in ids if i in self.world.objects), None
            )
        usual = [i for i, item in self.world.placements.items() if item.get("default_for") == category]
        known = self.domain.usual_places.get(str(category), ())
        return usual or [place for place in known if place in self.world.placements]

    # -- moving --------------------------------------------------------------------------------------------

    def _do_go(self, clause: Clause) -> list[Step]:
        target = clause.theme if clause.theme is not None and clause.theme.kind == "person" else None
        if target is not None and clause.goal is None:
            who = self.binder.person(target)
            return self._task("go", place=who, person=who, where=self._person_where(clause, target))
        referent = clause.goal or clause.where
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
        return self._task("go", place=place)

    def _do_wait(self, clause: Clause) -> list[Step]:
        if clause.seconds is None:
            raise NeedsAnswer(self.say.ask_duration(), "duration")
        if clause.seconds > _LONGEST_WAIT_S:
            raise NeedsAnswer(self.say.ask_duration(), "duration")
        return self._task("wait", seconds=clause.seconds)

    def _do_stop(self, clause: Clause) -> list[Step]:
        return self._task("wait", seconds=0.0)

    # -- things --------------------------------------------------------------------------------------------

    def _object(self, clause: Clause) -> dict[str, Any]:
        theme = clause.theme
        if theme is None:
            if self.discourse.thing is not None:
                return dict(self.discourse.thing)
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.kind == "person" and theme.pronoun == "them":
            theme = replace(theme, kind="object", pronoun="it")
        if theme.kind != "object":
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.number is not None and (theme.number > 1 or theme.number == -1):
            raise CannotServe("missing_skill", self.say.hand_full(), "carry_two")
        return self.binder.thing(theme)

    def _several(self, clause: Clause) -> list[Clause]:
        """Return one clause for each trip when several things are to be carried, for one hand carries one."""
        theme = clause.theme
        if clause.action not in ("bring", "put") or theme is None or theme.kind != "object" or theme.pronoun:
            return [clause]
        if theme.number is not None and 1 < theme.number <= _MOST_TRIPS and (theme.name or theme.category):
            one = replace(clause, theme=replace(theme, number=None, plural=False, definite=False))
            return [one] * theme.number
        if theme.number == -1 and theme.name and 0 < len(theme.ids) <= _MOST_TRIPS:
            fitting = [i for i in theme.ids if self.binder.fits(i, theme)]
            return [replace(clause, theme=replace(theme, number=None, plural=False, ids=(i,))) for i in fitting]
        return [clause]

    def _in_hand(self, what: Mapping[str, Any]) -> bool:
        return self.expander.state.hand is not None and self.expander.state.hand[1] == what

    def _do_take(self, clause: Clause) -> list[Step]:
        what = self._object(clause)
        if clause.recipient is not None or clause.goal is not None:
            return self._do_bring(clause)
        if clause.verb in _FETCHING and self._last and not (clause.theme and clause.theme.pronoun):
            return self._do_bring(replace(clause, recipient=Referent("person", pronoun="me")))
        return self._task("take", what=what, where=self._where(clause, clause.theme))

    def _do_bring(self, clause: Clause) -> list[Step]:
        what = self._object(clause)
        recipient, goal = clause.recipient, clause.goal
        if goal is not None and goal.kind == "place" and goal.pronoun in ("back", "here"):
            recipient, goal = Referent("person", pronoun="me"), None
        if recipient is None and goal is None:
            if clause.verb in _NEEDS_RECIPIENT:
                raise NeedsAnswer(self.say.ask_recipient(self.say.thing(what)), "person")
            recipient = Referent("person", pronoun="me")
        where = None if self._in_hand(what) else self._where(clause, clause.theme)
        if recipient is not None:
            who = self.binder.person(recipient)
            person_where = self._person_where(clause, recipient, own_only=True)
            described = isinstance(who, Mapping) and "id" not in who and not recipient.pronoun
            if described and person_where is None and where is not None and where == self._last_place:
                # "go to the living room and give the soap to the waving person": the person is there.
                person_where, where = where, None
            if person_where is None and goal is not None and goal.kind == "place":
                person_where = self._goal(goal)
            if self._in_hand(what):
                return self._task(
                    "give", what=what, person=who, where=person_where, person_where=person_where
                )
            self._source_person(clause)
            return self._task(
                "bring_to_person", what=what, where=where, person=who, person_where=person_where
            )
        assert goal is not None
        place = self._surface(self._goal(goal), what)
        if self._in_hand(what):
            return self._task("put", what=what, goal=place)
        return self._task("bring_to_place", what=what, where=where, goal=place)

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

    def _do_put(self, clause: Clause) -> list[Step]:
        what = self._object(clause)
        if clause.recipient is not None and clause.goal is None:
            return self._do_bring(clause)
        if clause.goal is None:
            raise NeedsAnswer(self.say.ask_goal(self.say.thing(what)), "goal", ())
        if clause.goal.kind == "object":
            raise CannotServe(
                "missing_skill",
                self.say.choose(
                    "I can only put things on furniture, not into or onto other things.",
                    "我只能把东西放在家具上，不能放到别的东西里或上面。",
                ),
                "stack",
            )
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

    def _explicit_where(self, clause: Clause, theme: Referent) -> str | None:
        for referent in (theme.at, clause.where, clause.goal):
            if referent is not None and referent.kind == "place":
                return self._goal(referent)
        return None

    # -- people --------------------------------------------------------------------------------------------

    def _person_where(self, clause: Clause, referent: Referent, *, own_only: bool = False) -> str | None:
        if referent.pronoun == "me":
            return None
        if referent.at is not None:
            # Two descriptions that read the same may mean two people when their places are named.
            self.expander.state.facing = None
            return self._goal(referent.at)
        if referent.pronoun:
            return self.discourse.person_where
        if own_only:
            return None
        where = self._where(clause, referent)
        self.discourse.person_where = where
        return where

    def _who(self, clause: Clause) -> tuple[Any, str | None]:
        """Return the person that a clause is about: its theme or recipient, or the one in front."""
        referent = (
            clause.theme if clause.theme is not None and clause.theme.kind == "person" else clause.recipient
        )
        if referent is None:
            facing = self.expander.state.facing
            if isinstance(facing, Mapping) and facing.get("kind") == "person":
                return facing, None
            if clause.where is not None or self._last_place is not None:
                referent = Referent("person", text="person")
            else:
                raise NeedsAnswer(self.say.ask_person(), "person")
        who = self.binder.person(referent)
        where = self._person_where(clause, referent)
        if isinstance(who, Mapping) and len(who) == 1 and where is None and not self._faces(who):
            raise NeedsAnswer(self.say.ask_person(), "person")
        return who, where

    def _faces(self, who: Any) -> bool:
        return bool(self.expander.state.facing == who)

    def _do_follow(self, clause: Clause) -> list[Step]:
        if clause.theme is not None and clause.theme.kind == "object":
            raise CannotServe(
                "missing_skill", self.say.missing_skill("follow_thing", clause.verb), "follow_thing"
            )
        who, where = self._who(clause)
        to = self._goal(clause.goal) if clause.goal is not None else None
        steps = self._task("follow", person=who, where=where, to=to)
        self._last_place = to
        return steps

    def _do_guide(self, clause: Clause) -> list[Step]:
        if clause.theme is not None and clause.theme.kind == "object":
            return self._do_bring(clause)
        who, where = self._who(clause)
        goal = clause.goal
        if goal is None and clause.where is not None and where is None:
            goal = clause.where
        if goal is None:
            raise NeedsAnswer(
                self.say.ask_guide_goal(self.say.argument("person", who)), "goal",
                [self.say.named(r) for r in self.world.rooms],
            )  # fmt: skip
        if goal.kind == "person":
            target = self.binder.person(goal)
            return [
                *self._task("meet", person=who, where=where),
                *self._task(
                    "guide",
                    person=who,
                    where=where,
                    to=OPERATOR if target == OPERATOR else self._goal_of(goal),
                ),
            ]
        to = self._goal(goal)
        steps = self._task("guide", person=who, where=where, to=to)
        self._last_place = to if to != OPERATOR else None
        return steps

    def _goal_of(self, person: Referent) -> str:
        if person.at is None:
            raise NeedsAnswer(
                self.say.ask_destination(), "goal", [self.say.named(r) for r in self.world.rooms]
            )
        return self._goal(person.at)

    def _do_meet(self, clause: Clause) -> list[Step]:
        if clause.theme is not None and clause.theme.pronoun == "me":
            place = clause.where or clause.theme.at
            return self._do_go(Clause("go", verb=clause.verb, goal=place or Referent("place", pronoun="back")))
        who, where = self._who(clause)
        meet = self._task("meet", person=who, where=where)
        if not self._last:
            return meet
        return [*meet, *self._task("say", text=self._hello(who))]

    def _hello(self, who: Any) -> str:
        name = who.get("name", "") if isinstance(who, Mapping) else ""
        if name:
            shown = self.vocabulary.name(who["id"], self.say.language)
            name = f"，{shown}" if self.say.language == "zh" else f" {shown}"
        return self.words["hello"].replace("{name}", name)

    def _do_greet(self, clause: Clause) -> list[Step]:
        if (
            clause.recipient is None
            and clause.theme is None
            and clause.where is None
            and not isinstance(self.expander.state.facing, Mapping)
        ):
            return self._task("say", text=self._hello(None))
        who, where = self._who(clause)
        return self._task("greet", person=who, where=where, text=self._hello(who))

    def _do_introduce(self, clause: Clause) -> list[Step]:
        if clause.recipient is None or clause.theme is None or clause.theme.kind != "person":
            if clause.recipient is None and clause.theme is None:
                return self._task("say", text=self.words["about_yourself"])
            return self._do_greet(clause)
        introduced = self.binder.person(clause.theme)
        text = self.say.choose(
            f"This is {self.say.argument('person', introduced)}.",
            f"这是{self.say.argument('person', introduced)}。",
        )
        who = self.binder.person(clause.recipient)
        return self._task("tell", person=who, where=self._person_where(clause, clause.recipient), text=text)

    def _do_ask(self, clause: Clause) -> list[Step]:
        question = clause.text
        if not question and clause.topic in self.vocabulary.lexicon.data.get("topics", {}):
            question = self._topic_question(clause.topic)
        if not question and clause.topic == "attribute" and clause.attribute == "name":
            question = self.words["ask_name"]
        if not question or question in ("question", "quiz", "questions"):
            if clause.recipient is not None and question:
                return self._do_answer(clause)
            raise NeedsAnswer(self.say.ask_question_text(), "text")
        who, where = self._who(replace(clause, theme=None))
        return self._task("ask", person=who, where=where, question=question)

    def _topic_question(self, topic: str) -> str:
        questions = {
            "time": ("What time is it?", "现在几点了？"), "day_today": ("What day is it today?", "今天是几号？"),
            "your_name": ("What is your name?", "你叫什么名字？"), "about_yourself": ("Can you tell me something about yourself?", "能介绍一下你自己吗？"),
            "joke": ("Can you tell me a joke?", "能讲个笑话吗？"), "day_of_week": ("What day of the week is it?", "今天星期几？"),
        }  # fmt: skip
        pair = questions.get(topic)
        return self.say.choose(*pair) if pair else ""

    def _do_answer(self, clause: Clause) -> list[Step]:
        who, where = self._who(clause)
        quiz = "quiz" in clause.text or "riddle" in clause.text
        return self._task(
            "answer", person=who, where=where, question=self.words["ask_quiz" if quiz else "ask_question"]
        )

    # -- saying and knowing --------------------------------------------------------------------------------

    def _do_tell(self, clause: Clause) -> list[Step]:
        topic = clause.topic
        if topic == "where":
            return self._recall(clause)
        if topic == "count":
            return self._count(clause)
        if topic == "property":
            return self._property(clause)
        if topic == "exists":
            return self._exists(clause)
        if topic == "attribute":
            return self._attribute(clause)
        if topic == "state":
            return self._state(clause)
        if topic == "weather":
            raise CannotServe(
                "missing_skill",
                self.say.missing_skill("weather", self.say.choose("tell the weather", "说天气")),
                "weather",
            )
        if topic == "free":
            return self._deliver(clause, clause.text)
        if topic in self.words:
            return self._deliver(clause, self.words[topic])
        if "asked" in self.expander.state.labels:
            return self._deliver(clause, f"${{{self.expander.state.labels['asked']}.answer}}")
        if clause.theme is not None and clause.theme.kind == "object" and not clause.theme.is_bare():
            return self._property(clause)
        raise NeedsAnswer(self.say.ask_text(), "text")

    def _deliver(self, clause: Clause, text: str) -> list[Step]:
        """Say the text to whom it is for: somebody to be found, the person in front, or the operator."""
        recipient = clause.recipient
        if recipient is not None and recipient.number == -1:
            at = recipient.at or clause.where
            place = self._goal(at) if at is not None else self._last_place
            there = self._task("be_at", place=place) if place is not None else []
            return [*there, *self._task("say", text=text)]
        if recipient is not None and recipient.pronoun != "me":
            who = self.binder.person(recipient)
            where = self._person_where(clause, recipient)
            if isinstance(who, Mapping) and len(who) == 1 and where is None and not self._faces(who):
                raise NeedsAnswer(self.say.ask_person(), "person")
            return self._task("tell", person=who, where=where, text=text)
        facing = self.expander.state.facing
        if (
            recipient is None
            and isinstance(facing, Mapping)
            and facing.get("kind") == "person"
            and not clause.asked
        ):
            return self._task("tell", person=facing, where=None, text=text)
        if recipient is None and clause.where is not None and not clause.asked:
            self._check_allowed(self.binder.place(clause.where))
            return [
                *self._task("be_at", place=self.binder.place(clause.where)),
                *self._task("say", text=text),
            ]
        if self._moved and (recipient is not None or clause.asked):
            return self._task("tell", person=OPERATOR, where=None, text=text)
        return self._task("tell", person=None, text=text)

    def _reported(self, clause: Clause, text: str) -> list[Step]:
        """Report what was found out: to the one it is for, by default the operator."""
        if clause.recipient is None:
            clause = replace(clause, recipient=Referent("person", pronoun="me"))
        return self._deliver(replace(clause, where=None), text)

    def _needed_where(self, clause: Clause, theme: Referent) -> str:
        where = self._where(clause, theme)
        if where is None:
            raise NeedsAnswer(self.say.ask_place(), "where", [self.say.named(r) for r in self.world.rooms])
        return where

    def _what(self, theme: Referent) -> Any:
        """Return the description of things or people that are looked at and not touched."""
        if theme.kind == "person":
            return self.binder.person(theme)
        return self.binder.thing(replace(theme, definite=False), any_will_do=True)

    def _count(self, clause: Clause) -> list[Step]:
        theme = clause.theme
        if theme is None or theme.kind == "place":
            raise NeedsAnswer(self.say.ask_object(), "object")
        what = self._what(theme)
        if isinstance(what, Mapping) and "gender" in what:
            raise CannotServe("missing_skill", self.say.missing_skill("gender", theme.text), "gender")
        where = self._needed_where(clause, theme)
        steps = self._task("count", what=what, where=where)
        count = f"${{{self.expander.state.labels['counted']}.count}}"
        there = self.say.argument("where", where)
        words = self.say.thing(what)
        text = self.say.choose(f"I counted {count}: {words} {there}.", f"我{there}数到{count}个{words}。")
        return [*steps, *self._reported(clause, text)]

    def _exists(self, clause: Clause) -> list[Step]:
        theme = clause.theme
        if theme is not None and theme.at is None and clause.where is None and self._last_place is None:
            return self._recall(clause)
        return self._count(clause)

    def _state(self, clause: Clause) -> list[Step]:
        """Answer "is the door open?" by looking."""
        condition = Condition("state", subject=clause.theme, state=clause.text, text=clause.text)
        steps, test = self._state_check(condition)
        return [*steps, *self._reported(clause, test["left"].replace(".state}", ".text}"))]

    def _property(self, clause: Clause) -> list[Step]:
        theme = clause.theme or Referent("object", text="thing")
        if theme.kind == "place":
            theme = Referent("object", text="things", at=theme)
        what = self._what(theme)
        where = self._needed_where(clause, theme)
        steps = self._task("inspect", what=what, where=where)
        described = f"${{{self.expander.state.labels['described']}.text}}"
        there = self.say.argument("where", where)
        words = self.say.thing(what)
        text = self.say.choose(
            f"{words[:1].upper()}{words[1:]} {there}: {described}", f"{there}{words}：{described}"
        )
        return [*steps, *self._reported(clause, text)]

    def _attribute(self, clause: Clause) -> list[Step]:
        if clause.attribute == "gender":
            raise CannotServe(
                "missing_skill",
                self.say.missing_skill("gender", self.say.choose("tell the gender", "说出性别")),
                "gender",
            )
        subject = clause.theme
        if subject is not None and subject.kind == "object":
            return self._property(clause)
        if subject is not None and subject.kind == "place":
            subject = Referent("person", text="person", at=subject)
        inner = replace(clause, theme=subject or Referent("person", text="person"), recipient=None)
        if (
            subject is None
            and inner.where is None
            and self._last_place is None
            and not isinstance(self.expander.state.facing, Mapping)
        ):
            raise NeedsAnswer(self.say.ask_person(), "person")
        who, where = self._who(inner)
        words = self.say.argument("person", who)
        if clause.attribute == "name":
            steps = self._task("ask_name", person=who, where=where, question=self.words["ask_name"])
            answer = f"${{{self.expander.state.labels['asked']}.answer}}"
            text = self.say.choose(f"The name is: {answer}", f"名字是：{answer}")
        else:
            steps = self._task("inspect_person", person=who, where=where)
            key = {"pose": "posture", "gesture": "gesture"}.get(clause.attribute, "clothes")
            answer = f"${{{self.expander.state.labels['described']}.{key}}}"
            name = self.vocabulary.word("person_attributes", clause.attribute, self.say.language)
            text = self.say.choose(f"The {name} of {words}: {answer}", f"{words}的{name}：{answer}")
        self.discourse.person = None
        if clause.recipient is not None and clause.recipient.pronoun != "me":
            return [*steps, *self._deliver(clause, text)]
        return [*steps, *self._reported(clause, text)]

    def _recall(self, clause: Clause) -> list[Step]:
        theme = clause.theme
        if theme is None:
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.kind == "place":
            place = self.binder.place(theme)
            room = self.binder.room_of(place)
            text = self.say.choose(
                f"{self.say.named(place).capitalize()} is in {self.say.named(str(room))}.",
                f"{self.say.named(place)}在{self.say.named(str(room))}。",
            )
            return self._task("say", text=text)
        what = self._what(theme)
        if what == OPERATOR:
            raise NeedsAnswer(self.say.ask_object(), "object")
        query = what.get("id") or what.get("name") or self.say.thing(what)
        question = self.say.choose(f"Where is {self.say.thing(what)}?", f"{self.say.thing(what)}在哪里？")
        return self._task("recall", question=question, object=query)

    def _do_count(self, clause: Clause) -> list[Step]:
        return self._count(clause)

    def _do_describe(self, clause: Clause) -> list[Step]:
        theme = clause.theme
        if theme is not None and theme.kind == "person":
            who, where = self._who(clause if theme is clause.theme else replace(clause, theme=theme))
            steps = self._task("inspect_person", person=who, where=where)
            described = f"${{{self.expander.state.labels['described']}.text}}"
            return [*steps, *self._reported(clause, described)]
        if theme is None and clause.where is None and self._last_place is None:
            if clause.topic in self.words:
                return self._deliver(clause, self.words[clause.topic])
            raise NeedsAnswer(self.say.ask_object(), "object")
        return self._property(clause)

    # -- conditions ----------------------------------------------------------------------------------------

    def _conditional(self, condition: Condition, clauses: Sequence[Clause]) -> list[Step]:
        subject = condition.subject
        if subject is not None and subject.pronoun == "it" and clauses[0].theme is not None and self.discourse.thing is None:
            condition = replace(condition, subject=replace(clauses[0].theme, at=subject.at or clauses[0].theme.at))
        same = replace(condition, negated=False, text="")
        try:
            if self._checked is not None and self._checked[0] == same:
                check, test = [], dict(self._checked[1])
                if condition.negated != self._checked[2]:
                    test["op"] = _OPPOSITE[test["op"]]
            else:
                check, test = self._check(condition)
                self._checked = (same, test, condition.negated)
        except CannotServe as error:
            raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation") from error
        was_last = self._last
        inner: list[Step] = []
        for number, clause in enumerate(clauses):
            self._last = was_last and number == len(clauses) - 1
            inner.extend(self._repeated(clause))
        title = self.say.choose(f"{condition.text or 'if it holds'}", condition.text or "如果成立")
        guarded = Step(self.expander.new_id(), title, children=tuple(in_sequence(inner)), condition=test)
        # Whether the guarded part ran is not known when the rest is planned.
        self.expander.state.robot_at = None
        self.expander.state.facing = None
        self._last_place = None
        return [*check, guarded]

    def _check(self, condition: Condition) -> tuple[list[Step], dict[str, Any]]:
        """Return the steps that find out whether the condition holds, and the test on their results."""
        if condition.kind == "fact":
            op = condition.op
            if condition.negated:
                op = {"<": ">=", ">": "<="}[op]
            return [], {"left": {"fact": condition.fact}, "op": op, "right": condition.value}
        if condition.kind == "state" and condition.subject is not None:
            return self._state_check(condition)
        if condition.kind == "exists" and condition.subject is not None:
            subject = condition.subject
            what = self._what(subject)
            if what == OPERATOR:
                raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation")
            place = condition.where or subject.at
            where = self._goal(place) if place is not None else self._last_place
            if where is None:
                raise NeedsAnswer(
                    self.say.ask_place(), "where", [self.say.named(r) for r in self.world.rooms]
                )
            steps = self._task("count", what=what, where=where)
            self._last_place = where
            left = f"${{{self.expander.state.labels['counted']}.count}}"
            op = "<" if condition.negated else ">="
            return steps, {"left": left, "op": op, "right": 1}
        raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation")

    def _state_check(self, condition: Condition) -> tuple[list[Step], dict[str, Any]]:
        subject = condition.subject
        assert subject is not None
        where = None
        if subject.name == "door":
            what: Any = {"kind": "object", "name": "door"}
            if subject.at is not None:
                where = self._goal(subject.at)
        elif subject.kind == "place":
            what = {"kind": "place", "id": self.binder.place(subject)}
            where = what["id"]
        else:
            what = self._what(subject)
            where = self._goal(subject.at) if subject.at is not None else None
        steps = self._task("inspect", what=what, where=where)
        left = f"${{{self.expander.state.labels['described']}.state}}"
        return steps, {"left": left, "op": "!=" if condition.negated else "==", "right": condition.state}

    def _fallback(self, step: Step, clauses: Sequence[Clause]) -> Step:
        """Make "if you cannot find it, ..." the last alternative of the step before."""
        before = self.expander.state.copy()
        self.expander.state.hand = None
        self.expander.state.facing = None
        self.expander.state.robot_at = None
        way: list[Step] = []
        for clause in clauses:
            way.extend(self._repeated(clause))
        self.expander.state = before
        self.expander.state.robot_at = None
        parent = Step(
            self.expander.new_id(), step.title, children=(step,), alternatives=(tuple(in_sequence(way)),)
        )
        return parent


def _in_place_of(clause: Clause, main: Clause) -> Clause:
    """Complete "(if there is none) take the blue one" by what was to be done with the first."""
    if clause.action in ("take", "bring") and main.action in ("bring", "put") and clause.recipient is None and clause.goal is None:
        return replace(clause, action=main.action, recipient=main.recipient, goal=main.goal)
    return clause


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _centre(rect: Any) -> tuple[float, float] | None:
    if not isinstance(rect, (list, tuple)) or len(rect) != 4:
        return None
    return (rect[0] + rect[2]) / 2.0, (rect[1] + rect[3]) / 2.0


def _distance(here: tuple[float, float], there: tuple[float, float] | None) -> float:
    return math.inf if there is None else math.dist(here, there)


_FETCHING = frozenset(("get", "fetch", "retrieve", "obtain", "拿来", "取来"))
_NEEDS_RECIPIENT = frozenset(
    ("deliver", "give", "hand", "pass", "hand over", "serve", "carry", "transport", "present", "递", "递给", "交给", "送给", "给", "拿给", "带给",
     "送", "拿到", "带到", "送到", "搬到", "端到", "交到")
)  # fmt: skip
