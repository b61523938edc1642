"""From tasks to a tree of steps: the hierarchical task network is expanded forward over a planning state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zulong.agent.htn.domain import Call, Domain, Method
from zulong.agent.htn.step import Step

OPERATOR = "operator"
"""The place and the person "me": where the instruction was given, and who gave it."""

Describe = Callable[[str, Any], str]
LikelyPlaces = Callable[[Mapping[str, Any]], Sequence[str]]


class NoMethodError(Exception):
    """No method of a task applies; ``need`` says which need of a skill was not met."""

    def __init__(self, name: str, need: str) -> None:
        super().__init__(f"No way to do {name!r} from here: it needs {need}.")
        self.name = name
        self.need = need


@dataclass(slots=True)
class PlanningState:
    """What will hold after the steps planned so far.

    Attributes:
        robot_at: id of the place, None when it depends on how the plan goes.
        hand: what the gripper holds as (value for arguments, description), None when it is empty.
        facing: description of whom or what was found last and is still in front, else None.
        who: argument value for the person in front.
        found_within_reach: the thing in front can be picked without driving.
        labels: label -> id of the step that has the result.
    """

    robot_at: str | None = None
    hand: tuple[str, Mapping[str, Any]] | None = None
    facing: Any = None
    who: Any = None
    found_within_reach: bool = False
    labels: dict[str, str] = field(default_factory=dict)

    def copy(self) -> PlanningState:
        """Return an independent copy."""
        return replace(self, labels=dict(self.labels))


class Expander:
    """Expands tasks one after the other; each sees the state that the one before leaves.

    Args:
        domain: skills and tasks.
        is_placement: tells furniture from rooms.
        likely_places: where to look, best first, for the arguments ``what`` and ``where``.
        describe: title words for an argument: its name and value.
        language: language of the titles.
    """

    def __init__(
        self,
        domain: Domain,
        *,
        is_placement: Callable[[str], bool],
        likely_places: LikelyPlaces,
        describe: Describe,
        language: str,
    ) -> None:
        self.domain = domain
        self.state = PlanningState()
        self._is_placement = is_placement
        self._likely_places = likely_places
        self._describe = describe
        self._language = language
        self._count = 0

    def new_id(self) -> str:
        """Return a step id that is not used yet."""
        self._count += 1
        return f"s{self._count}"

    def expand(self, name: str, arguments: Mapping[str, Any]) -> tuple[Step, ...]:
        """Expand a task (or a skill, when no task has that name) and advance the state.

        Raises:
            NoMethodError: no method applies, or a skill's need is not met.
        """
        if name in self.domain.tasks:
            return tuple(self._task(name, dict(arguments), None))
        return (self._skill(Call(name, arguments), dict(arguments), None),)

    # -- tasks ---------------------------------------------------------------------------------------------

    def _task(self, name: str, env: dict[str, Any], prefix: str | None) -> list[Step]:
        task = self.domain.tasks[name]
        applicable = [method for method in task.methods if self._holds(method, env)]
        if not applicable:
            raise NoMethodError(name, "a method")
        method = applicable[0]
        if method.for_each:
            return [self._ways(name, method, env, prefix)]
        step_id = self.new_id() if task.title else ""
        children = _in_sequence(self._steps(method, env, prefix))
        if not task.title or not children:
            return children
        title = self._title(task.title, env)
        return [Step(step_id, title, children=tuple(children))]

    def _steps(self, method: Method, env: dict[str, Any], prefix: str | None) -> list[Step]:
        steps: list[Step] = []
        for call in method.steps:
            arguments = {key: self._value(value, env) for key, value in call.arguments.items()}
            if call.name in self.domain.skills:
                steps.append(self._skill(call, arguments, prefix))
            else:
                inherited = {**env, **arguments}
                steps.extend(self._task(call.name, inherited, prefix))
        return steps

    def _ways(self, name: str, method: Method, env: dict[str, Any], prefix: str | None) -> Step:
        """Expand the method once for each place; the first way is the plan, the others are alternatives."""
        parent = self.new_id()
        ((variable, _),) = method.for_each.items()
        places = list(self._likely_places(env))
        if not places:
            raise NoMethodError(name, "a place to look")
        before = self.state
        ways: list[tuple[Step, ...]] = []
        states: list[PlanningState] = []
        for number, place in enumerate(places):
            self.state = before.copy() if number == 0 else replace(before.copy(), robot_at=None)
            states.append(self.state)
            steps = self._steps(method, {**env, variable: place}, f"{parent}{_letter(number)}_")
            ways.append(tuple(_in_sequence(steps)))
        self.state = states[0]
        self.state.facing = env.get("what")
        self.state.found_within_reach = name == "find_within_reach" or self._is_placement(places[0])
        self.state.who = f"${{{self.state.labels['found']}.id}}"
        if len(places) > 1:
            self.state.robot_at = None
            self.state.found_within_reach = name == "find_within_reach"
        title = self._title(self.domain.tasks[name].title, env)
        return Step(parent, title, children=ways[0], alternatives=tuple(ways[1:]))

    # -- skills --------------------------------------------------------------------------------------------

    def _skill(self, call: Call, arguments: dict[str, Any], prefix: str | None) -> Step:
        skill = self.domain.skills[call.name]
        self._check_needs(call.name, skill.needs)
        step_id = f"{prefix}{call.label or self.new_id()}" if prefix else self.new_id()
        if call.label:
            self.state.labels[call.label] = step_id
        undo = None
        if skill.undo is not None:
            undo = {
                "skill": skill.undo["skill"],
                "arguments": {
                    key: self._value(value, arguments) for key, value in skill.undo["arguments"].items()
                },
            }
        for name, value in skill.effects.items():
            self._apply(name, self._value(value, arguments), arguments)
        given = {name: arguments.get(name) for name in skill.arguments if arguments.get(name) is not None}
        return Step(
            step_id, self._title(skill.title, arguments), skill=call.name, arguments=given, compensation=undo
        )

    def _check_needs(self, name: str, needs: Mapping[str, Any]) -> None:
        if needs.get("hand") == "empty" and self.state.hand is not None:
            raise NoMethodError(name, "an empty hand")
        if needs.get("hand") == "full" and self.state.hand is None:
            raise NoMethodError(name, "something in the hand")

    def _apply(self, effect: str, value: Any, arguments: Mapping[str, Any]) -> None:
        if effect == "robot_at":
            self.state.robot_at = value if isinstance(value, str) and "${" not in value else None
            if value == OPERATOR:
                self.state.who = OPERATOR
        elif effect == "facing":
            self.state.facing = None if value == "none" else value
            if value == "none":
                self.state.found_within_reach = False
        elif effect == "hand":
            self.state.hand = None if value == "empty" else (value, self.state.facing or {})
        else:
            raise NoMethodError(effect, "an effect on robot_at, facing or hand")

    # -- values and conditions -----------------------------------------------------------------------------

    def _value(self, value: Any, env: Mapping[str, Any]) -> Any:
        if not isinstance(value, str):
            return value
        if value == "$hand":
            if self.state.hand is None:
                raise NoMethodError("hand", "something in the hand")
            return self.state.hand[0]
        if value == "$who":
            return self.state.who
        if value.startswith("$") and not value.startswith("${"):
            return env.get(value[1:])
        if value.startswith("@"):
            label, _, key = value[1:].partition(".")
            if label not in self.state.labels:
                raise NoMethodError(label, f"the result of a step labelled {label!r}")
            return f"${{{self.state.labels[label]}.{key}}}"
        return value

    def _holds(self, method: Method, env: Mapping[str, Any]) -> bool:
        return all(self._predicate(name, self._value(value, env), env) for name, value in method.when.items())

    def _predicate(self, name: str, value: Any, env: Mapping[str, Any]) -> bool:
        state = self.state
        if name == "robot_at":
            return value is not None and state.robot_at == value
        if name == "facing":
            return value is not None and state.facing == value
        if name == "within_reach":
            return value is not None and state.facing == value and state.found_within_reach
        if name == "hand":
            if value == "empty":
                return state.hand is None
            return state.hand is not None and state.hand[1] == value
        if name == "is_placement":
            return isinstance(value, str) and self._is_placement(value)
        if name == "operator":
            return bool(value == OPERATOR)
        if name == "person" and value != "none":
            return isinstance(value, Mapping) or value == OPERATOR
        if value == "none":
            return env.get(name) is None
        return bool(env.get(name) == value)

    def _title(self, titles: Mapping[str, str], env: Mapping[str, Any]) -> str:
        template = titles.get(self._language) or titles.get("en") or ""
        words = {name: self._describe(name, value) for name, value in env.items()}
        if "{things}" in template:
            words["things"] = self._describe("things", env.get("what"))
        title = template.format_map(_Blank(words))
        title = " ".join(title.split()).strip(" :：")
        for awkward, natural in _NATURAL:
            title = re.sub(awkward, natural, title)
        return title


# What filling in a template makes, and how people say it.
_NATURAL = (
    (r"^go to you$", "come back to you"),
    (r"^去你(?:那里)?$", "回到你这里"),
    (r"到你(?:那里)?$", "到你这里"),
    (r"^(follow|guide) (.*) to$", r"\1 \2"),
    (r"^(跟随|带)(.*)到$", r"\1\2"),
    (r"^tell ?:", "say:"),
    (r"^告诉：", "说："),
    (r"^数在", "数"),
    (r"^look at a thing$", "look what is there"),
    (r"^看东西$", "看看有什么"),
    (r"^wait 0 seconds$", "stop"),
    (r"^等待0秒$", "停下"),
)


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number % 26] + ("" if number < 26 else str(number // 26))


def _in_sequence(steps: list[Step]) -> list[Step]:
    """Make each step wait for the one before."""
    chained: list[Step] = []
    for step in steps:
        if chained and chained[-1].id not in step.depends_on:
            step = replace(step, depends_on=(*step.depends_on, chained[-1].id))
        chained.append(step)
    return chained


in_sequence = _in_sequence
