"""The offline planner behind the protocol of chat models, so that the loop works with no model and no network.

It keeps nothing between calls: from the conversation it finds the user's last words, plans them, sees from the
results of its calls how far the plan has come, and makes the next call or reports.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from zulong.agent.chat.model import ChatChunk, ChatRequest, Message
from zulong.agent.htn.answered import with_thing
from zulong.agent.htn.step import (
    Plan,
    PlanResult,
    Question,
    Refusal,
    Step,
    UnresolvedReferenceError,
    condition_holds,
    resolve,
)
from zulong.agent.latch import CancelLatch
from zulong.agent.mission.words import say


class TextPlanner(Protocol):
    """What is asked of the planner."""

    def plan(self, text: str, context: Mapping[str, Any] | None = None) -> PlanResult:
        """Return what the words come to."""


class OfflineModel:
    """See :class:`zulong.agent.chat.ChatModel`.

    Args:
        planner: the offline planner.
    """

    def __init__(self, planner: TextPlanner) -> None:
        self._planner = planner

    @property
    def name(self) -> str:
        """See :class:`ChatModel`."""
        return "offline planner"

    @property
    def context_window(self) -> int:
        """See :class:`ChatModel`; only the user's words and the results since then are looked at."""
        return 1_000_000

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        """Yield the next call of the plan, a question, a refusal, or the report."""
        words, later = _last_task(request.messages)
        context: Mapping[str, Any] | None = None
        result: PlanResult | None = None
        for text in words:
            result = self._planner.plan(text, context)
            context = result.context
        if isinstance(result, Question):
            yield ChatChunk(text=result.text, finish="stop")
        elif isinstance(result, Refusal):
            yield ChatChunk(refusal=result.text, finish="stop")
        elif isinstance(result, Plan):
            offered = {t["function"]["name"] for t in request.tools}
            yield from _go_on(result, later, offered, lambda brought: with_thing(brought, self._planner))
        else:
            yield ChatChunk(finish="stop")


def _last_task(messages: Sequence[Message]) -> tuple[list[str], list[Message]]:
    """Return the user's words of the present task (with answers to questions), and what came after them."""
    words: list[str] = []
    later: list[Message] = []
    for message in messages:
        content = str(message.get("content") or "")
        if message.get("role") == "user" and not content.startswith(("[loop]", "[surroundings]")):
            if later and not _was_question(later[-1]):
                words = []
            words.append(content)
            later = []
        elif message.get("role") in ("assistant", "tool"):
            later.append(message)
    return words, later


def _was_question(message: Message) -> bool:
    text = str(message.get("content") or "").rstrip()
    return message.get("role") == "assistant" and not message.get("tool_calls") and text.endswith(("?", "？"))


def _go_on(
    plan: Plan,
    later: Sequence[Message],
    offered: set[str],
    understood: Callable[[Mapping[str, Any]], Mapping[str, Any]],
) -> Iterator[ChatChunk]:
    """Yield the plan first, then the first step that is not done, then the report.

    Written down by plan_steps, the plan becomes the loop's task graph, so that the loop sees what stays open.
    """
    answers = [m for m in later if m.get("role") == "tool"]
    planned = bool(answers) and answers[0].get("name", "plan_steps") == "plan_steps" and _planned(later)
    if not answers and "plan_steps" in offered:
        yield from _calls("plan", "plan_steps", {"steps": _written(plan)})
        return
    answers = answers[1:] if planned else answers
    results: dict[str, Mapping[str, Any]] = {}
    done: list[Step] = []
    for number, step in enumerate(plan.leaves(), start=1):
        wanted = condition_holds(step.condition, results)
        if not wanted and not planned:
            continue
        if not answers and not wanted and "mark_step" in offered:
            skipped = {"step": f"goal_{number}", "status": "skipped", "how": "its condition does not hold"}
            yield from _calls(step.id, "mark_step", skipped)
            return
        if not answers:
            yield from _call(plan, step, results, done, offered)
            return
        answer = str(answers.pop(0).get("content") or "")
        if wanted and answer.startswith("error"):
            yield ChatChunk(text=_report(plan, done, step, answer), finish="stop")
            return
        if wanted:
            brought = _as_result(answer)
            results[step.id] = understood(brought) if step.skill == "ask_person" else brought
            done.append(step)
    yield ChatChunk(text=_report(plan, done, None, ""), finish="stop")


def _planned(later: Sequence[Message]) -> bool:
    first = next((m for m in later if m.get("tool_calls")), None)
    return first is not None and first["tool_calls"][0]["function"]["name"] == "plan_steps"


def _written(plan: Plan) -> list[dict[str, Any]]:
    """Return the leaves as plan_steps takes them; what an earlier step has yet to find is left out."""
    return [
        {
            "title": step.title,
            "tool": step.skill,
            "arguments": {k: v for k, v in step.arguments.items() if "${" not in str(v)},
        }
        for step in plan.leaves()
    ]


def _calls(call_id: str, name: str, arguments: Mapping[str, Any]) -> Iterator[ChatChunk]:
    written = json.dumps(dict(arguments), ensure_ascii=False)
    yield ChatChunk(call_index=0, call_id=call_id, call_name=name, call_arguments=written)
    yield ChatChunk(finish="tool_calls")


def _call(
    plan: Plan, step: Step, results: Mapping[str, Mapping[str, Any]], done: Sequence[Step], offered: set[str]
) -> Iterator[ChatChunk]:
    if step.skill not in offered:
        why = say(plan.language, "missing", skill=step.skill, step=step.title) if offered else step.title
        yield ChatChunk(text=_report(plan, done, step, why), finish="stop")
        return
    try:
        arguments = resolve(step.arguments, results)
    except UnresolvedReferenceError as error:
        yield ChatChunk(text=_report(plan, done, step, str(error.args[0])), finish="stop")
        return
    yield from _calls(step.id, str(step.skill), arguments)


def _as_result(answer: str) -> Mapping[str, Any]:
    try:
        value = json.loads(answer)
    except ValueError:
        return {"text": answer}
    return value if isinstance(value, dict) else {"value": value}


def _report(plan: Plan, done: Sequence[Step], failed: Step | None, why: str) -> str:
    titles = ("；" if plan.language == "zh" else "; ").join(step.title for step in done)
    text = say(plan.language, "partly" if failed else "done", steps=titles) if done else ""
    if failed is not None:
        text += say(plan.language, "failed", step=failed.title, why=why.removeprefix("error: "))
    return text or say(plan.language, "nothing")
