"""Scripted parts for tests: a planner that answers from a table, skills that record what they do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from zulong.agent.codes import SkillCode
from zulong.agent.htn.step import Plan, Step
from zulong.agent.local_skills import LocalSkills, SkillContext, SkillError
from zulong.agent.skills import SkillProfile


class TablePlanner:
    """Answers each text with what the table holds for it."""

    def __init__(self) -> None:
        self.table: dict[str, Any] = {}
        self.asked: list[tuple[str, Any]] = []

    def plan(self, text: str, context: Any = None) -> Any:
        self.asked.append((text, context))
        answer = self.table[text]
        return answer() if callable(answer) else answer


class RecordingSkills(LocalSkills):
    """Every call is recorded; a skill does what its script says, by default it succeeds at once."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str] = []
        self.ended: list[tuple[str, str]] = []
        self.begun = threading.Event()

    def offer(
        self, name: str, script: Callable[[Any, SkillContext], Any] | None = None, **profile: Any
    ) -> None:
        def function(arguments: Any, context: SkillContext) -> Any:
            self.calls.append((name, dict(arguments)))
            self.keys.append(context.call.idempotency_key)
            self.begun.set()
            try:
                result = script(arguments, context) if script else {}
            except SkillError as error:
                self.ended.append((name, error.code.name))
                raise
            self.ended.append((name, "SUCCEEDED"))
            return result

        self.add(function, SkillProfile(name, **profile))


def fail(code: SkillCode, message: str = "it did not work") -> Callable[[Any, SkillContext], Any]:
    def script(arguments: Any, context: SkillContext) -> Any:
        raise SkillError(code, message)

    return script


def until_canceled(arguments: Any, context: SkillContext) -> Any:
    if context.cancel.wait(20):
        raise SkillError(SkillCode.CANCELED, "stopped")
    raise SkillError(SkillCode.TIMEOUT, "nobody canceled it")


def plan_of(*steps: Step, language: Any = "en") -> Plan:
    return Plan(steps, language, "a plan")


def wait_until(condition: Callable[[], Any], limit_s: float = 10.0) -> None:
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "the condition did not come true in time"
        time.sleep(0.002)


def fetch(**more: Any) -> Step:
    return Step("fetch", "fetch the cup", "pick", {"object": "red_cup"}, **more)


def tool_messages(server: Any) -> list[dict[str, Any]]:
    """Return the results of tools in the last request of a scripted server."""
    return [m for m in server.requests[-1]["messages"] if m["role"] == "tool"]


def offered(request: dict[str, Any]) -> set[str]:
    """Return the names of the tools that a request offers."""
    return {tool["function"]["name"] for tool in request.get("tools", [])}
