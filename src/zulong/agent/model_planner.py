"""Plans from a chat model: its JSON checked against the skills there are, before anything of it is done."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.chat.json_repair import BrokenJsonError, read_object
from zulong.agent.chat.model import ChatModel, ChatRequest, complete
from zulong.agent.htn.step import Language, Plan, PlanResult, Question, Refusal, Step
from zulong.agent.latch import current_latch
from zulong.agent.loop.terms import mostly_cjk
from zulong.agent.mission.state import Planner
from zulong.agent.plan_tidying import references_in, tidied
from zulong.agent.skills import SkillProfile
from zulong.agent.tools.fitting import meant, plain_name
from zulong.agent.tools.repair import ArgumentsError, repair_arguments
from zulong.agent.tools.tool import Tool, tool_from_skill
from zulong.tasks import TaskGraph, TaskGraphError

logger = logging.getLogger(__name__)

_WORDS: Mapping[str, Any] = {"type": "string"}
_SHAPE: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["plan", "question", "refusal"]},
        "text": _WORDS,
        "steps": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": _WORDS,
                    "title": _WORDS,
                    "skill": _WORDS,
                    "arguments": {"type": "object"},
                    "depends_on": {"type": "array", "items": _WORDS},
                },
                "required": ["id", "title", "skill", "arguments"],
            },
        },
    },
    "required": ["kind", "text"],
}
_MOST_STEPS = 50
_LIST = re.compile(r"^\s*(?:```\w*\s*)?(\[.*\])\s*(?:```)?\s*$", re.DOTALL)


class PlanError(ValueError):
    """The model's plan does not hold; the message tells it what to mend."""


class ModelPlanner:
    """Asks a chat model for a plan as JSON; see :class:`zulong.agent.mission.Planner`.

    Args:
        model: the chat model.
        skills: what the robot can do; called at each plan, because skills come and go.
        places: words about the map for the prompt (rooms, things, people).
        attempts: how often a plan that does not hold is sent back before it counts as not understood.
    """

    def __init__(self, model: ChatModel, skills: Any, *, places: str = "", attempts: int = 2) -> None:
        self._model = model
        self._skills = skills
        self._places = places
        self._attempts = attempts

    def plan(self, text: str, context: Mapping[str, Any] | None = None) -> PlanResult:
        """Return the model's plan, question or refusal.

        Raises:
            ChatError: the model does not answer.
        """
        language: Language = "zh" if mostly_cjk(text) else "en"
        profiles: Sequence[SkillProfile] = self._skills()
        messages = [
            {"role": "system", "content": self._prompt(profiles)},
            *(dict(message) for message in (context or {}).get("messages", ())),
            {"role": "user", "content": text},
        ]
        problem = ""
        for _ in range(1 + self._attempts):
            request = ChatRequest(messages, temperature=0.0, response_schema=reply_schema(profiles))
            reply = complete(self._model, request, current_latch(), max_chars=20_000)
            if reply.refusal:
                return Refusal("dangerous", reply.refusal, language=language)
            remembered = {"messages": [*messages[1:], {"role": "assistant", "content": reply.text}]}
            try:
                if reply.finish in ("cut", "length"):
                    # Mended, it would look whole and lack its end.
                    raise PlanError("it was cut off before its end; make it shorter.")
                return read_plan(reply.text, profiles, language, remembered)
            except PlanError as error:
                problem = str(error)
                logger.info("The model's plan does not hold: %s", problem)
                messages += [
                    {"role": "assistant", "content": reply.text},
                    {"role": "user", "content": f"That does not hold: {problem} Send the whole JSON again."},
                ]
        words = "我没能为它找到可行的计划：" if language == "zh" else "I found no plan for it that holds: "
        return Refusal("not_understood", words + problem, language=language)

    def _prompt(self, profiles: Sequence[SkillProfile]) -> str:
        skills = "\n".join(
            f"- {p.name}: {p.description} arguments: {json.dumps(dict(p.arguments_schema), ensure_ascii=False)}"
            for p in profiles
        )
        return (
            "You plan for a robot. Answer with one JSON object only: "
            '{"kind": "plan", "text": "<one sentence what will be done>", "steps": [{"id": "s1", "title": "...", '
            '"skill": "...", "arguments": {...}, "depends_on": ["s0"]}]}. '
            'If something is missing: {"kind": "question", "text": "<one question>"}. If the robot cannot or must '
            'not do it: {"kind": "refusal", "text": "<why>"}. '
            'A later argument may use an earlier result as "${s1.key}". Use only these skills:\n'
            f"{skills}\n{self._places}"
        )


def reply_schema(profiles: Sequence[SkillProfile]) -> dict[str, Any]:
    """Return the JSON schema of the model's answer: each step names a skill there is, with arguments that fit it.

    A server that follows it while it samples keeps even a very small model from making skills up.
    """
    kinds = [
        {
            "type": "object",
            "properties": {
                "id": _WORDS,
                "title": _WORDS,
                "skill": {"const": profile.name},
                "arguments": _with_references(profile.arguments_schema),
                "depends_on": {"type": "array", "items": _WORDS},
            },
            "required": ["id", "title", "skill", "arguments"],
            "additionalProperties": False,
        }
        for profile in profiles
    ]
    steps = {"type": "array", "items": {"anyOf": kinds}} if kinds else {"type": "array", "maxItems": 0}
    properties = {**_SHAPE["properties"], "steps": steps}
    return {**_SHAPE, "properties": properties, "additionalProperties": False}


def _with_references(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a skill's schema whose every argument may also be a reference to an earlier result, which is text."""
    properties = {
        name: part if part.get("type") == "string" and "enum" not in part else {"anyOf": [part, _WORDS]}
        for name, part in (schema.get("properties") or {}).items()
    }
    return {**schema, "properties": properties}


def read_plan(
    text: str, profiles: Sequence[SkillProfile], language: Language, context: Mapping[str, Any] | None = None
) -> PlanResult:
    """Return what a model's JSON says, checked: known skills, fitting arguments, no circle.

    Raises:
        PlanError: it does not hold; the message says what to mend.
    """
    import jsonschema  # type: ignore[import-untyped]

    try:
        plain = tidied(_read(text))
    except BrokenJsonError as error:
        raise PlanError(str(error)) from error
    problem = next(iter(jsonschema.Draft202012Validator(dict(_SHAPE)).iter_errors(plain)), None)
    if problem is not None:
        raise PlanError(problem.message)
    remembered = dict(context or {})
    if plain["kind"] != "plan" and not plain["text"].strip():
        raise PlanError(f"A {plain['kind']} needs a text.")
    if plain["kind"] == "question":
        return Question(plain["text"], "", language=language, context=remembered)
    if plain["kind"] == "refusal":
        return Refusal("missing_skill", plain["text"], language=language, context=remembered)
    steps = plain.get("steps") or []
    if not 0 < len(steps) <= _MOST_STEPS:
        raise PlanError(f"A plan needs 1 to {_MOST_STEPS} steps, this one has {len(steps)}.")
    known = {profile.name: tool_from_skill(profile) for profile in profiles}
    ids = {step["id"] for step in steps}
    for step in steps:
        for needed in step["depends_on"]:
            if needed not in ids:
                raise PlanError(f"Step {step['id']!r} needs {needed!r}, which is no step of the plan.")
    plan = tuple(_step(step, known) for step in steps)
    try:
        TaskGraph().add_plan(None, plan)
    except TaskGraphError as error:
        raise PlanError(str(error)) from error
    return Plan(plan, language, plain["text"], remembered)


def _read(text: str) -> dict[str, Any]:
    listed = _LIST.match(text)
    if listed is None:
        return read_object(text)
    try:
        return {"steps": json.loads(listed[1])}
    except ValueError as error:
        raise BrokenJsonError(f"The steps are not valid JSON: {error}.") from error


def _step(plain: Mapping[str, Any], known: Mapping[str, Tool]) -> Step:
    tool = known.get(plain["skill"]) or {plain_name(name): tool for name, tool in known.items()}.get(
        plain_name(plain["skill"])
    )
    if tool is None:
        raise PlanError(f"There is no skill {plain['skill']!r}; there are {', '.join(known)}.")
    # A reference is filled in when its step has run; only what is written out can be checked now.
    arguments = {meant(key, _properties(tool)): value for key, value in plain["arguments"].items()}
    later = {key: value for key, value in arguments.items() if references_in(value)}
    required = [name for name in tool.parameters.get("required", ()) if name not in later]
    now = replace(tool, parameters={**tool.parameters, "required": required})
    try:
        fixed = repair_arguments(
            now, {key: value for key, value in arguments.items() if key not in later}
        ).arguments
    except ArgumentsError as error:
        raise PlanError(f"Step {plain['id']!r}: {error}") from error
    return Step(
        plain["id"], plain["title"], tool.name, fixed | later, depends_on=tuple(plain.get("depends_on") or ())
    )


def _properties(tool: Tool) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = tool.parameters.get("properties") or {}
    return properties


class FirstThatUnderstands:
    """Asks planners in order; the next one only when one did not understand.

    The offline planner comes first: it is quick, it needs no network, and what it refuses as dangerous or
    impossible is not asked of anybody else.
    """

    def __init__(self, planners: Sequence[Planner]) -> None:
        if not planners:
            raise ValueError("At least one planner is needed.")
        self._planners = tuple(planners)

    def plan(self, text: str, context: Mapping[str, Any] | None = None) -> PlanResult:
        """Return the first answer that is not "not understood", else the last one.

        Raises:
            ChatError: the model behind the last planner does not answer.
        """
        result = self._planners[0].plan(text, context)
        for planner in self._planners[1:]:
            if not (isinstance(result, Refusal) and result.code == "not_understood"):
                return result
            result = planner.plan(text, None)
        return result

    def thing_in_answer(self, answer: str) -> str:
        """Return the thing that an answer names, from the first planner that reads answers."""
        for planner in self._planners:
            read_answer = getattr(planner, "thing_in_answer", None)
            if read_answer is not None:
                return str(read_answer(answer))
        return ""

    def replan(self, failure: Any, context: Mapping[str, Any] | None = None) -> PlanResult | None:
        """Return another way from the first planner that finds one."""
        for planner in self._planners:
            replan = getattr(planner, "replan", None)
            found: PlanResult | None = replan(failure, context) if replan is not None else None
            if isinstance(found, Plan):
                return found
        return None
