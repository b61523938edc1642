"""From the clauses of an instruction to tasks of the domain, expanded into steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.htn.answered import is_of_answer
from zulong.agent.htn.binding import CannotServe, NeedsAnswer
from zulong.agent.htn.errand_answers import ErrandAnswers
from zulong.agent.htn.errand_things import FETCHING
from zulong.agent.htn.expand import OPERATOR, NoMethodError, in_sequence
from zulong.agent.htn.step import Step
from zulong.agent.htn.unless import with_exceptions
from zulong.agent.language.meaning import CARRYING, FOUND_OUT, Clause, Condition, Referent

_MOST_REPEATS = 20
_MOST_CONFIRMED = 100
_MOVING = CARRYING | {"go", "find", "follow", "guide", "meet"}
_MOVES = ("move", "moving", "drive", "budge")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

REFRAINS = ("All right, I will not do that.", "好的，我不会那样做。")
"""What is said when all that was said is what not to do."""
CALLED_OFF = ("All right, I will leave it.", "好的，那我不做了。")
"""What is said when an order is taken back."""


class ErrandBuilder(ErrandAnswers):
    """Builds the steps of one instruction.

    Raises (in :meth:`build`):
        NeedsAnswer: the user must be asked first.
        CannotServe: the instruction is refused.
    """

    def build(self, clauses: Sequence[Clause]) -> tuple[Step, ...]:
        """Return the top-level steps, in order, chained by dependencies."""
        self._refuse(clauses)
        for clause in clauses:
            self.discourse.avoid.update(self.binder.place(r) for r in clause.avoid if r.kind == "place")
        served = with_exceptions([clause for clause in clauses if not clause.negated])
        served = [
            _back_again(clause, served[:number])
            for number, clause in enumerate(served)
            if not number or not _said_twice(served[number - 1], clause)
        ]
        served = [for_the_asker(clause, served[number + 1 :]) for number, clause in enumerate(served)]
        if not served:
            return self._acknowledge()
        steps: list[Step] = []
        stages: list[list[tuple[Step, ...]]] = []
        index = 0
        while index < len(served):
            end = index + 1
            condition = served[index].condition
            while end < len(served) and condition is not None and served[end].condition == condition:
                end += 1
            if condition is None:
                self._last = index == len(served) - 1
                if index and _left_behind(served[index - 1], served[index]):
                    self._last_place = None
                self._led_there = bool(index) and _brought_after(served[index - 1], served[index])
                new = self._repeated(served[index])
            elif condition.kind == "failed" and steps:
                served[index:end] = [_in_place_of(other, served[index - 1]) for other in served[index:end]]
                steps[-1] = self._fallback(steps[-1], served[index:end])
                new = []
            else:
                self._last = all(_other_branch(condition, later) for later in served[end:])
                new = self._conditional(condition, served[index:end])
            if served[index].alongside and stages and _independent(stages[-1][-1], new):
                stages[-1].append(tuple(new))
            elif new:
                stages.append([tuple(new)])
            elif steps and stages:
                stages[-1] = [(*stages[-1][0][:-1], steps[-1])]
            steps.extend(new)
            index = end
        return _in_stages(stages)

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

        stays = any(c.negated and c.verb in _MOVES and not (c.goal or c.where or c.theme) for c in clauses)
        if stays and any(c.action in _MOVING and not c.negated for c in clauses):
            # "bring me the milk but don't move"
            raise CannotServe("contradiction", self.say.stays())

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
        text = self.say.choose(*REFRAINS)
        return self.expander.expand("say", {"text": text})

    def _repeated(self, clause: Clause) -> list[Step]:
        if clause.repeat < 1 or clause.repeat > (_MOST_CONFIRMED if self.confirmed else _MOST_REPEATS):
            raise NeedsAnswer(
                self.say.choose(
                    f"Do you really mean {clause.repeat} times?", f"真的要做{clause.repeat}次吗？"
                ),
                "confirmation",
            )
        steps: list[Step] = []
        trips = self._several(clause)
        place = clause.source or (clause.theme.at if clause.theme is not None else None)
        for _ in range(clause.repeat):
            for trip in trips:
                if (
                    len(trips) > 1
                    and trips[0] != trips[-1]
                    and place is not None
                    and trip.theme is not None
                    and len(trip.theme.ids) == 1
                ):
                    # "all the toys on the shelf": only those that are there.
                    named = self.say.named(trip.theme.ids[0])
                    words = self.say.choose(f"if {named} is there", f"如果{named}在那里")
                    there = Condition("exists", subject=replace(trip.theme, at=None), where=place, text=words)
                    steps.extend(self._conditional(there, [trip]))
                    continue
                # Of several things that fit one description, each trip has to look for another one.
                self.expander.state.facing = None if len(trips) > 1 else self.expander.state.facing
                steps.extend(self._one(trip))
        return steps

    def _for_who_was_asked(self, clause: Clause) -> Clause:
        """Return an order to fetch "it" as one for who was asked what they want, when that was said and nobody else."""
        theme, fetched = clause.theme, clause.action in ("bring", "take")
        said = clause.recipient is not None or clause.goal is not None
        if (
            not fetched
            or said
            or theme is None
            or not theme.pronoun
            or not is_of_answer(self.discourse.thing)
        ):
            return clause
        return replace(
            clause, action="bring", recipient=Referent("person", text="them", pronoun="them", definite=True)
        )

    def _one(self, clause: Clause) -> list[Step]:
        clause = self._for_who_was_asked(clause)
        handler = getattr(self, f"_do_{clause.action}", None)
        if handler is None:
            raise CannotServe(
                "missing_skill", self.say.missing_skill(clause.action, clause.verb), clause.action
            )
        visited, self._visited = self._visited, 0
        if clause.action == "go":
            self._visited = visited + 1
        elif visited > 1 and clause.topic in ("count", "property", "exists") and not _names_place(clause):
            # "go to the kitchen and the office and count the people": where is not clear.
            raise NeedsAnswer(self.say.ask_place(), "where", [self.say.named(r) for r in self.world.rooms])
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
        self._previous = clause.action
        return steps

    def _conditional(self, condition: Condition, clauses: Sequence[Clause]) -> list[Step]:
        subject = condition.subject
        if (
            subject is not None
            and subject.pronoun == "it"
            and clauses[0].theme is not None
            and self.discourse.thing is None
        ):
            condition = replace(
                condition, subject=replace(clauses[0].theme, at=subject.at or clauses[0].theme.at)
            )
        place = condition.where or (condition.subject.at if condition.subject is not None else None)
        if place is not None and place.pronoun == "there" and self.discourse.place is None:
            # "go to the bathroom if nobody is in there"
            goal = clauses[0].goal or clauses[0].where
            if goal is not None and goal.kind == "place" and not goal.pronoun:
                condition = replace(condition, where=goal)
        same = replace(condition, negated=False, text="", subject=_whatever_number(condition))
        check: list[Step] = []
        try:
            if self._checked is not None and self._checked[0] == same and condition.kind != "answer":
                test = dict(self._checked[1])
                if condition.negated != self._checked[2]:
                    test = _opposite(test)
                    # Only one of the two is carried out.
                    self.expander.state.hand = self._hand_before
            else:
                check, test = self._check(condition)
                self._checked = (same, test, condition.negated)
                self._hand_before = self.expander.state.hand
        except (CannotServe, NeedsAnswer) as error:
            if isinstance(error, NeedsAnswer) and error.slot != "confirmation":
                raise
            if not self.confirmed:
                raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation") from error
            # The user said to do it although the condition cannot be checked.
            return [step for clause in clauses for step in self._repeated(clause)]
        clauses = [
            clause if any(map(_finds_out, clauses[:number])) else self._stated(condition, clause)
            for number, clause in enumerate(clauses)
        ]
        if not _spoken_of(condition, clauses):
            # Where the condition is checked says nothing about where another thing is.
            self._last_place = None
        given = clauses[0].action in CARRYING and clauses[0].theme is None
        if subject is not None and not given and _to_somebody_else(subject, clauses[0]):
            # "if there is no milk in the fridge, tell Jane": where the milk is not says nothing about her.
            self._last_place = None
        if condition.negated and _about_the_same(condition, clauses):
            # "bring me the apple unless it is on the bed": where it is not, it is not looked for first.
            self._last_place = None
        was_last = self._last
        inner: list[Step] = []
        for number, clause in enumerate(clauses):
            self._last = was_last and number == len(clauses) - 1
            inner.extend(self._repeated(clause))
        title = self.say.guarded(condition.text, [step.title for step in inner if step.title])
        guarded = Step(self.expander.new_id(), title, children=tuple(in_sequence(inner)), condition=test)
        # Whether the guarded part ran is not known when the rest is planned.
        self.expander.state.robot_at = None
        self.expander.state.facing = None
        self._last_place = None
        return [*check, guarded]

    def _stated(self, condition: Condition, clause: Clause) -> Clause:
        """Complete "if there is no milk, tell me": what is told is that there is none."""
        bare = clause.action == "tell" and not (clause.topic or clause.text or clause.theme)
        text = self.say.statement(condition.text)
        if not bare or not text or "asked" in self.expander.state.labels:
            return clause
        return replace(
            clause, topic="free", text=text, recipient=clause.recipient or Referent("person", pronoun="me")
        )

    def _check(self, condition: Condition) -> tuple[list[Step], dict[str, Any]]:
        """Return the steps that find out whether the condition holds, and the test on their results."""
        if condition.kind == "fact":
            op = condition.op
            if condition.negated:
                op = {"<": ">=", ">": "<="}[op]
            return [], {"left": {"fact": condition.fact}, "op": op, "right": condition.value}
        if condition.kind == "answer" and "asked" in self.expander.state.labels:
            answer = f"${{{self.expander.state.labels['asked']}.answer}}"
            return [], {"left": answer, "op": "assents", "right": not condition.negated}
        subject = condition.subject
        if condition.kind == "state" and subject is not None and self._is_doorway(subject):
            # The exit is open or closed when its door is.
            door = Referent("object", text=self.say.choose("the door", "门"), name="door", at=subject)
            condition = replace(condition, subject=door)
            subject = door
        if condition.kind == "state" and subject is not None and subject.name != "door":
            if condition.state != "empty" or subject.kind != "place":
                # Only of a door can be seen in which state it is.
                raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation")
            things = Referent("object", text=self.say.choose("things", "东西"), plural=True)
            if set(subject.ids) & set(self.world.rooms):
                # A room is free when nobody is in it.
                things = Referent("person", text=self.say.choose("people", "人"), plural=True)
            condition = replace(
                condition, kind="exists", subject=things, where=subject, negated=not condition.negated
            )
        if condition.kind == "state" and condition.subject is not None:
            return self._state_check(condition)
        if condition.kind == "exists" and condition.subject is not None:
            subject = condition.subject
            what = self._what(subject)
            if what == OPERATOR:
                raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation")
            place = condition.where or subject.at
            # Of what colour a thing is does not hang on where it is.
            named = bool(subject.text) and subject.text.lower().split()[-1] in condition.text.lower()
            kept = self._kept_at(what) if named and not subject.colour else None
            where = self._goal(place) if place is not None else self._last_place or kept
            if where is None:
                raise NeedsAnswer(
                    self.say.ask_place(), "where", [self.say.named(r) for r in self.world.rooms]
                )
            steps = self._task("count", what=what, where=where)
            self._last_place = where
            if subject.kind == "person" and not condition.negated:
                # "if anybody is in the bedroom, bring them a cola": it is there that they are.
                self.discourse.person_where = where
            # "if there is a banana on the bed, bring it": it is looked for there first.
            counts = condition.negated or condition.op in ("<", "<=")
            self._seen_at = None if counts or not isinstance(what, dict) else (what, where)
            left = f"${{{self.expander.state.labels['counted']}.count}}"
            least = subject.number if subject.number is not None and subject.number > 1 else 1
            op, right = (condition.op, condition.value) if condition.op else (">=", least)
            return steps, {"left": left, "op": _OPPOSITE[op] if condition.negated else op, "right": right}
        raise NeedsAnswer(self.say.ask_condition(condition.text), "confirmation")

    def _is_doorway(self, subject: Referent) -> bool:
        doorways = {i for i, item in self.world.placements.items() if item.get("kind") == "doorway"}
        return subject.kind == "place" and bool(subject.ids) and set(subject.ids) <= doorways

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
        ways = (tuple(in_sequence(way)),)
        return Step(self.expander.new_id(), step.title, children=(step,), alternatives=ways)


def _opposite(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return the test that holds where the other does not; of an unclear answer neither does."""
    if test["op"] == "assents":
        return {**test, "right": not test["right"]}
    return {**test, "op": _OPPOSITE[test["op"]]}


def _whatever_number(condition: Condition) -> Referent | None:
    """Return what the condition is about, without the number that its comparison has."""
    subject = condition.subject
    return replace(subject, number=None, text="") if subject is not None and condition.op else subject


def _about_the_same(condition: Condition, clauses: Sequence[Clause]) -> bool:
    """Tell whether what is to be done is done to the thing that the condition is about."""
    subject, theme = condition.subject, clauses[0].theme
    if subject is None or theme is None or subject.kind != "object" or theme.kind != "object":
        return False
    return (
        theme.pronoun == "it" or subject.pronoun == "it" or (bool(theme.name) and theme.name == subject.name)
    )


def _finds_out(clause: Clause) -> bool:
    """Tell whether a clause finds something out that may be told after it."""
    return clause.action in ("count", "describe", "find", "ask") or clause.topic in FOUND_OUT


def _spoken_of(condition: Condition, clauses: Sequence[Clause]) -> bool:
    """Tell whether the clauses are about what the condition is about, or about its place."""
    subject = condition.subject
    if subject is None or subject.kind != "person":
        return True
    themes = [
        clause.theme for clause in clauses if clause.theme is not None and clause.theme.kind == "object"
    ]
    return not themes or any(theme.pronoun for theme in themes)


def _other_branch(condition: Condition, clause: Clause) -> bool:
    """Tell an order that is carried out where the condition does not hold: nothing comes after both."""
    other = clause.condition
    if other is None or other.negated == condition.negated:
        return False
    return replace(other, negated=condition.negated, text=condition.text) == condition


def _to_somebody_else(subject: Referent, clause: Clause) -> bool:
    """Tell an order about somebody who is named and of whom nothing says where they are."""
    person = clause.theme if clause.theme is not None and clause.theme.kind == "person" else clause.recipient
    if person is None or not person.name or person.at is not None or clause.where is not None:
        return False
    return subject.kind == "object" or (subject.kind == "person" and person.name != subject.name)


_VOICE = frozenset(("say", "ask_person"))


def _independent(left: Sequence[Step], right: Sequence[Step]) -> bool:
    """Tell whether two parts can be done at once: one only speaks, the other only moves."""
    skills = [{leaf.skill for step in part for leaf in step.leaves()} for part in (left, right)]
    return any(skills[a] and skills[a] <= {"say"} and not skills[b] & _VOICE for a, b in ((0, 1), (1, 0)))


def _in_stages(stages: Sequence[Sequence[tuple[Step, ...]]]) -> tuple[Step, ...]:
    """Chain the stages one after the other; the parts of a stage run side by side."""
    steps: list[Step] = []
    before: tuple[str, ...] = ()
    for stage in stages:
        ends: list[str] = []
        for part in stage:
            chained = in_sequence(list(part))
            chained[0] = replace(chained[0], depends_on=(*chained[0].depends_on, *before))
            ends.append(chained[-1].id)
            steps.extend(chained)
        before = tuple(ends)
    return tuple(steps)


def for_the_asker(clause: Clause, later: Sequence[Clause]) -> Clause:
    """Return "fetch an apple" as bringing it to the one who asks, where nothing later is done with it.

    Args:
        clause: what is to be done.
        later: what is to be done after it; what is fetched for the next deed is only taken.
    """
    fetched = clause.action == "take" and clause.verb in FETCHING
    alone = fetched and clause.recipient is None and clause.goal is None and clause.condition is None
    theme = clause.theme
    if not (alone and later and theme is not None and theme.kind == "object") or theme.pronoun:
        return clause
    if any(one.theme is None or one.theme.pronoun for one in later if one.action in ("bring", "put", "take")):
        return clause
    following = later[0]
    moves = following.action in ("go", "wait", "meet", "find")
    comes = following.goal is not None and following.goal.pronoun in ("me", "here", "back")
    if moves and not comes:
        # "get the plate and go to the kitchen": it is taken along.
        return clause
    return replace(
        clause, action="bring", recipient=Referent("person", text="me", pronoun="me", definite=True)
    )


def _brought_after(before: Clause, clause: Clause) -> bool:
    """Tell "lead Jane to the sofa, then get her an iced tea": she is there, and the tea is somewhere else."""
    led, given = before.theme, clause.recipient
    if before.action != "guide" or clause.action not in ("bring", "take") or led is None or given is None:
        return False
    return given.pronoun in ("him", "her", "them") or (given.name == led.name and bool(given.name))


def _left_behind(before: Clause, clause: Clause) -> bool:
    """Tell whether a thing was carried off in between: what comes then is not about the place one had gone to before."""
    carried = before.action in ("bring", "put") and (before.goal is not None or before.recipient is not None)
    same = (before.goal, before.recipient) == (clause.goal, clause.recipient)
    return (
        carried
        and not same
        and clause.action in ("bring", "put", "take", "guide", "follow", "tell", "ask", "meet")
    )


def _said_twice(before: Clause, clause: Clause) -> bool:
    """Tell what would only be done again at once: stopping, going where one is, answering the same."""
    if clause.action != before.action or clause.condition != before.condition or clause.repeat > 1:
        return False
    if clause.action == "stop":
        return True
    if clause.action == "go":
        goal, there = clause.goal, before.goal
        return goal is not None and there is not None and bool(goal.ids) and goal.ids == there.ids
    theme, same = clause.theme, before.theme
    where = clause.action == "tell" and clause.topic == before.topic == "where"
    if not where or theme is None or same is None:
        return False
    return theme.pronoun == "it" or (bool(theme.ids) and theme.ids == same.ids)


def _back_again(clause: Clause, before: Sequence[Clause]) -> Clause:
    """Read "to the desk, to the sofa, then to the desk again" as once more where one has been, not as twice."""
    goal = clause.goal
    been = goal is not None and any(
        c.action == "go" and c.goal is not None and c.goal.ids and c.goal.ids == goal.ids for c in before
    )
    return replace(clause, repeat=1) if clause.action == "go" and clause.repeat == 2 and been else clause


def _names_place(clause: Clause) -> bool:
    at = clause.theme.at if clause.theme is not None else None
    return any(place is not None for place in (at, clause.where, clause.source))


def _in_place_of(clause: Clause, main: Clause) -> Clause:
    """Complete "(if there is none) take the blue one" by what was to be done with the first."""
    if clause.action == main.action == "find" and clause.theme is None and main.theme is not None:
        # 「找不到就去柜子里找」
        return replace(clause, theme=replace(main.theme, at=None))
    if (
        clause.action in ("take", "bring")
        and main.action in ("bring", "put")
        and clause.recipient is None
        and clause.goal is None
    ):
        return replace(clause, action=main.action, recipient=main.recipient, goal=main.goal)
    return clause
