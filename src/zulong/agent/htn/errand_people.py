"""Errands with people: following, guiding, meeting, greeting, asking, answering."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zulong.agent.htn.answered import asks_for_a_thing, thing_of_answer
from zulong.agent.htn.binding import CannotServe, NeedsAnswer
from zulong.agent.htn.errand_things import ErrandThings
from zulong.agent.htn.expand import OPERATOR
from zulong.agent.htn.step import Step
from zulong.agent.language.meaning import Clause, Referent

# "about the dinner", "to Jules", 「关于晚饭的事」
_BARE_SUBJECT = re.compile(
    r"(?:about|regarding|concerning|on behalf of|to the|to (?!\w+ (?:the|a|an|my|your)\b)[\w' ]+$)\b|关于"
    r"|(?:一|两|几)?(?:个|下|声|次|遍|句)$",
    re.IGNORECASE,
)

_TIME_OF_DAY = re.compile(r"\bgood (?:morning|afternoon|evening|day)\b", re.IGNORECASE)


class ErrandPeople(ErrandThings):
    """Plans clauses about people."""

    def _do_follow(self, clause: Clause) -> list[Step]:
        if clause.theme is not None and clause.theme.kind == "object":
            raise CannotServe(
                "missing_skill", self.say.missing_skill("follow_thing", clause.verb), "follow_thing"
            )
        self._one_person(clause)
        if self.discourse.avoid:
            raise CannotServe("contradiction", self._avoided_words())
        who, where = self._who(clause)
        to = self._goal(clause.goal) if clause.goal is not None else None
        steps = self._task("follow", person=who, where=where, to=to)
        self._last_place = to
        return steps

    def _one_person(self, clause: Clause) -> None:
        """Ask for one person where everybody was said: only one can be led or followed at a time."""
        theme = clause.theme
        several = theme is not None and theme.plural and not (theme.pronoun or theme.ids)
        if theme is not None and theme.kind == "person" and (theme.number == -1 or several):
            raise NeedsAnswer(self.say.ask_person(), "person")

    def _do_guide(self, clause: Clause) -> list[Step]:
        if clause.theme is not None and clause.theme.kind == "object":
            return self._do_bring(clause)
        self._one_person(clause)
        who, where = self._who(clause)
        goal = clause.goal
        if goal is not None and goal.text == "home" and goal.pronoun == "start":
            # Nobody but the robot is at home at its charging station.
            goal = None
        if goal is None and clause.where is not None and where is None:
            goal = clause.where
        if goal is None and clause.source is None and clause.verb in ("get", "fetch", "go get"):
            goal = Referent("place", pronoun="back", definite=True)
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
        believed = self.world.location_of(person.ids[0]) if person.ids else None
        if person.at is None and believed is not None:
            return believed
        if person.at is None:
            raise NeedsAnswer(
                self.say.ask_destination(), "goal", [self.say.named(r) for r in self.world.rooms]
            )
        return self._goal(person.at)

    def _do_meet(self, clause: Clause) -> list[Step]:
        if clause.theme is not None and clause.theme.pronoun == "me":
            place = clause.where or clause.theme.at
            return self._do_go(
                Clause("go", verb=clause.verb, goal=place or Referent("place", pronoun="back"))
            )
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
        if clause.recipient is not None and clause.recipient.number == -1:
            return self._deliver(clause, self._hello(None))
        who, where = self._who(clause)
        text = self._hello(who)
        time_of_day = _TIME_OF_DAY.search(clause.verb)
        if time_of_day is not None:
            # "say good morning to her" asks for these words.
            text = f"{time_of_day[0].capitalize()}!"
        return self._task("greet", person=who, where=where, text=text)

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
            told = clause.verb == "ask" and clause.recipient is not None and clause.recipient.pronoun != "me"
            if clause.recipient is not None and question and not told:
                return self._do_answer(clause)
            raise NeedsAnswer(self.say.ask_question_text(), "text")
        self._refuse_bare_subject(question)
        if clause.recipient is not None and clause.recipient.number == -1:
            # One answer of one person would pass for that of all.
            raise NeedsAnswer(self.say.ask_person(), "person")
        who, where = self._who(replace(clause, theme=None))
        steps = self._task("ask", person=who, where=where, question=question)
        if asks_for_a_thing(question) and "asked" in self.expander.state.labels:
            # "and bring it to him": what the answer will name.
            self.discourse.thing = thing_of_answer(self.expander.state.labels["asked"])
            self.discourse.thing_at = None
        return steps

    def _refuse_bare_subject(self, words: str) -> None:
        """Ask for the words when only what they are about, or whom they are for, was said: "tell Jane about it"."""
        if not words.strip() or (not self.worded and _BARE_SUBJECT.match(words)):
            raise NeedsAnswer(self.say.ask_text(), "text")

    def _topic_question(self, topic: str) -> str:
        questions = {
            "time": ("What time is it?", "现在几点了？"),
            "day_today": ("What day is it today?", "今天是几号？"),
            "your_name": ("What is your name?", "你叫什么名字？"),
            "about_yourself": ("Can you tell me something about yourself?", "能介绍一下你自己吗？"),
            "joke": ("Can you tell me a joke?", "能讲个笑话吗？"),
            "day_of_week": ("What day of the week is it?", "今天星期几？"),
        }
        pair = questions.get(topic)
        return self.say.choose(*pair) if pair else ""

    def _do_answer(self, clause: Clause) -> list[Step]:
        who, where = self._who(clause)
        quiz = "quiz" in clause.text or "riddle" in clause.text
        return self._task(
            "answer", person=who, where=where, question=self.words["ask_quiz" if quiz else "ask_question"]
        )

    def _deliver(self, clause: Clause, text: str) -> list[Step]:
        """Say the text to whom it is for: somebody to be found, the person in front, or the operator."""
        recipient = clause.recipient
        if recipient is not None and recipient.number is not None and recipient.number > 1:
            raise NeedsAnswer(self.say.ask_person(), "person")
        if recipient is not None and recipient.number == -1:
            if recipient.gender in ("male", "female", "child"):
                raise CannotServe("missing_skill", self.say.missing_skill("gender", recipient.text), "gender")
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
        return self._task("say_here", text=text)
