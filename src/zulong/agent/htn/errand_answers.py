"""Errands that end in words: telling, counting, describing, recalling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zulong.agent.htn.binding import CannotServe, NeedsAnswer
from zulong.agent.htn.errand_people import ErrandPeople
from zulong.agent.htn.expand import OPERATOR
from zulong.agent.htn.step import Step
from zulong.agent.language.meaning import CARRYING, Clause, Condition, Referent

_POSED = ("name", "pose", "gesture")


class ErrandAnswers(ErrandPeople):
    """Plans clauses whose result is said to somebody."""

    def _do_tell(self, clause: Clause) -> list[Step]:
        topic = clause.topic
        # "come back and tell me": wherever the answer was seen, it is brought.
        self._moved = self._moved or (clause.goal is not None and clause.goal.pronoun == "back")
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
            self._refuse_bare_subject(clause.text)
            listener = clause.theme
            if clause.verb == "tell" and clause.recipient is None and listener is not None and listener.text:
                # "tell my phone to ring": the words are for somebody, and nobody here is called so.
                raise CannotServe("unknown_person", self.say.unknown_person(listener.text), listener.text)
            return self._deliver(clause, clause.text)
        if topic in self.words:
            return self._deliver(clause, self.words[topic])
        if "asked" in self.expander.state.labels:
            return self._reported(clause, f"${{{self.expander.state.labels['asked']}.answer}}")
        theme = clause.theme
        if theme is not None and theme.kind == "object" and (not theme.is_bare() or theme.at or clause.where):
            return self._property(clause)
        if self._previous in CARRYING:
            # "put the milk in the fridge, then come and tell me"
            return self._reported(clause, self.say.choose("I am done.", "我做完了。"))
        seen = self._found_last()
        if seen is not None:
            found = f"${{{self.expander.state.labels['found']}.at}}"
            words = self.say.thing(seen)
            told = self.say.choose(f"I found {words}: {found}.", f"我找到了{words}：{found}。")
            return self._reported(clause, told)
        raise NeedsAnswer(self.say.ask_text(), "text")

    def _found_last(self) -> Mapping[str, Any] | None:
        """Return the description of the thing or person that was looked for last, None when there was none."""
        if "found" not in self.expander.state.labels:
            return None
        facing = self.expander.state.facing
        if isinstance(facing, Mapping) and facing.get("kind") == "person":
            return facing
        return self.discourse.thing

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
        if not isinstance(what, Mapping):
            raise NeedsAnswer(self.say.ask_object(), "object")
        where = self._needed_where(clause, theme)
        steps = self._task("count", what=what, where=where)
        count = f"${{{self.expander.state.labels['counted']}.count}}"
        there = self.say.argument("where", where)
        words = self.say.things(what)
        if isinstance(what, Mapping) and "id" in what:
            text = self.say.choose(f"{words} {there}: {count} found.", f"我{there}找到{count}个：{words}。")
            return [*steps, *self._reported(clause, text)]
        text = self.say.choose(f"Number of {words} {there}: {count}.", f"我{there}数到{count}个{words}。")
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
        if not isinstance(what, Mapping):
            raise NeedsAnswer(self.say.ask_object(), "object")
        where = None if clause.attribute == "here" else self._needed_where(clause, theme)
        steps = self._task("inspect", what=what, where=where)
        described = f"${{{self.expander.state.labels['described']}.text}}"
        if where is None:
            return [*steps, *self._reported(clause, described)]
        self._seen_at = (what, where)
        self.discourse.thing_at = where
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
        if subject is not None and subject.name and subject.kind == "person" and clause.attribute == "name":
            return self._recall_about(subject)
        if subject is not None and subject.kind == "place" and clause.attribute not in _POSED:
            # "what colour is the sofa": no answer about somebody who sits there.
            raise CannotServe(
                "missing_skill", self.say.cannot_answer("look_of_furniture"), "look_of_furniture"
            )
        if subject is not None and subject.kind == "place":
            subject = Referent("person", text="person", at=subject)
        if subject is not None and subject.pronoun == "me":
            raise CannotServe("unknown_person", self.say.unknown_speaker(), "")
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

    def _recall_about(self, person: Referent) -> list[Step]:
        """Answer "who is Jane?" from memory."""
        who = self.binder.person(person)
        name = self.say.argument("person", who)
        return self._task(
            "recall", question=self.say.choose(f"Who is {name}?", f"{name}是谁？"), object=who["id"]
        )

    def _recall(self, clause: Clause) -> list[Step]:
        theme = clause.theme
        if theme is None:
            raise NeedsAnswer(self.say.ask_object(), "object")
        if theme.kind == "place":
            place = self.binder.place(theme)
            room = self.binder.room_of(place)
            if room is None:
                # The dock, or where the speaker is: in no room of the map.
                raise NeedsAnswer(self.say.ask_place(), "place")
            if room == place:
                named = self.say.named(place)
                text = self.say.choose(
                    f"{named[:1].upper()}{named[1:]} is one of the rooms here; I can show you the way.",
                    f"{named}是这里的一个房间，我可以带您去。",
                )
                return self._task("say", text=text)
            text = self.say.choose(
                f"{self.say.named(place).capitalize()} is in {self.say.named(str(room))}.",
                f"{self.say.named(place)}在{self.say.named(str(room))}。",
            )
            return self._task("say", text=text)
        what = self._what(theme)
        if what == OPERATOR or len(what) < 2:
            raise NeedsAnswer(self.say.ask_object(), "object")
        query = what.get("id") or what.get("name") or self.say.thing(what)
        question = self.say.choose(f"Where is {self.say.thing(what)}?", f"{self.say.thing(what)}在哪里？")
        if clause.recipient is not None and clause.recipient.pronoun != "me":
            known = self._task("look_back", question=question, object=query)
            return [*known, *self._deliver(clause, f"${{{self.expander.state.labels['known']}.answer}}")]
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

    def _state_check(self, condition: Condition) -> tuple[list[Step], dict[str, Any]]:
        subject = condition.subject or Referent("object", text="door", name="door")
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
