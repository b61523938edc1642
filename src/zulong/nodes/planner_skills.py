"""The skills of the ROS graph as the mission's executor: every leaf runs as an ExecuteSkill goal."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from zulong.action import ExecuteSkill
from zulong.agent.codes import SkillCode
from zulong.agent.local_skills import LocalSkills
from zulong.agent.skills import SkillCall, SkillHandle, SkillProfile, SkillResult
from zulong.msg import SkillInfo
from zulong.nodes.goals import GoalClient, GoalLostError, GoalRejectedError
from zulong.nodes.json_fields import InvalidFieldError, json_object
from zulong.nodes.sentences import brief
from zulong.nodes.stamps import to_duration

_APPROVAL = {
    SkillInfo.APPROVAL_NEVER: "never",
    SkillInfo.APPROVAL_RISKY: "risky",
    SkillInfo.APPROVAL_ALWAYS: "always",
}
_LOST_RETRIES = 3
_LOST_PAUSE_S = 1.0
_MOST_TEXT = 4000


class RosSkills:
    """Skills that nodes advertise by SkillInfo, and a few of the planner's own.

    A performer that dies in the middle is asked again with the same idempotency key once it is back: its
    ledger then answers with what it did, and nothing is done twice.

    Args:
        node: makes the action clients; must be spun.
        own: skills that the planner serves itself.
    """

    def __init__(self, node: Any, own: LocalSkills) -> None:
        self._node = node
        self._own = own
        self._lock = threading.Lock()
        self._infos: dict[str, SkillInfo] = {}
        self._schemas: dict[str, dict[str, Any]] = {}
        self._clients: dict[str, GoalClient] = {}

    def on_info(self, info: SkillInfo) -> None:
        """Take an advertisement; called on the executor's thread."""
        with self._lock:
            if not info.available:
                self._infos.pop(info.name, None)
                self._schemas.pop(info.name, None)
                return
            try:
                schema = json_object(
                    info.arguments_schema_json, f"arguments_schema_json of skill {info.name!r}"
                )
            except InvalidFieldError as error:
                self._node.get_logger().error(
                    f"{info.node_name or 'A node'} offers a skill that is left out: {brief(str(error))}"
                )
                return
            self._infos[info.name], self._schemas[info.name] = info, schema or {"type": "object"}
            if info.action_name not in self._clients:
                self._clients[info.action_name] = GoalClient(self._node, ExecuteSkill, info.action_name)

    @property
    def names(self) -> list[str]:
        """What can be called now."""
        with self._lock:
            return sorted(self._infos)

    def wait_for(self, skill: str, timeout_s: float) -> bool:
        """Wait until a skill is advertised; for a planner that starts before its performers."""
        deadline = time.monotonic() + timeout_s
        while self.profile(skill) is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        return True

    def moves(self, skill: str) -> bool:
        """Tell whether a skill needs the robot's body: its base or its arm."""
        profile = self.profile(skill)
        return profile is not None and (profile.moves_base or profile.uses_arm)

    def profile(self, skill: str) -> SkillProfile | None:
        """See :class:`zulong.agent.skills.SkillExecutor`."""
        with self._lock:
            info, schema = self._infos.get(skill), self._schemas.get(skill, {})
        if info is None:
            return self._own.profile(skill)
        return SkillProfile(
            name=info.name,
            description=info.description,
            arguments_schema=schema,
            approval=_APPROVAL.get(info.approval, "always"),  # type: ignore[arg-type]  # checked by the table
            has_side_effects=info.has_side_effects,
            moves_base=info.moves_base,
            uses_arm=info.uses_arm,
        )

    def profiles(self) -> list[SkillProfile]:
        """Everything that can be called now, for a planner that is told what there is."""
        return [profile for name in self.names if (profile := self.profile(name)) is not None]

    def start(self, call: SkillCall) -> SkillHandle:
        """See :class:`zulong.agent.skills.SkillExecutor`."""
        with self._lock:
            info = self._infos.get(call.skill)
            client = self._clients.get(info.action_name) if info is not None else None
        if client is None:
            return self._own.start(call)
        return _RemoteCall(client, call).handle


class _RemoteCall:
    """One leaf's goal at its performer, with repeats after the performer was lost."""

    def __init__(self, client: GoalClient, call: SkillCall) -> None:
        self._client = client
        self._call = call
        self._losses = 0
        self._canceled = False
        self._remote: Any = None
        self.handle = SkillHandle()
        self._send()
        self.handle.on_cancel(self._cancel)

    def _goal(self) -> ExecuteSkill.Goal:
        call = self._call
        goal = ExecuteSkill.Goal(
            skill=call.skill,
            arguments_json=json.dumps(dict(call.arguments), ensure_ascii=False, default=str),
            task_node_id=call.task_node_id,
            thread_id=call.thread_id,
            idempotency_key=call.idempotency_key,
        )
        if call.time_limit_s is not None:
            goal.time_limit = to_duration(call.time_limit_s)
        return goal

    def _send(self) -> None:
        self._remote = self._client.send(self._goal(), self._on_feedback)
        self._remote.future.add_done_callback(self._on_end)

    def _cancel(self) -> None:
        self._canceled = True
        self._remote.cancel()

    def _on_feedback(self, feedback: ExecuteSkill.Feedback) -> None:
        self.handle.report(float(feedback.progress), feedback.message)

    def _on_end(self, future: Future[Any]) -> None:
        error = future.exception()
        if error is None:
            self.handle.finish(_result(future.result().result))
        elif isinstance(error, GoalRejectedError):
            self.handle.finish(SkillResult(SkillCode.UNAVAILABLE, str(error)))
        elif isinstance(error, GoalLostError) and not self._canceled and self._losses < _LOST_RETRIES:
            self._losses += 1
            timer = threading.Timer(_LOST_PAUSE_S * self._losses, self._again)
            timer.daemon = True
            timer.start()
        else:
            code = SkillCode.OUTCOME_UNKNOWN if self._remote.accepted else SkillCode.UNAVAILABLE
            self.handle.finish(SkillResult(code, str(error)))

    def _again(self) -> None:
        if self._canceled:
            self.handle.finish(SkillResult(SkillCode.CANCELED, "Canceled while its performer was away."))
            return
        self._send()
        if self._canceled:
            self._remote.cancel()


def _result(message: ExecuteSkill.Result) -> SkillResult:
    try:
        code = SkillCode(message.error_code)
    except ValueError:
        return SkillResult(
            SkillCode.INTERNAL, f"Unknown result code {message.error_code}: {message.error_msg}"
        )
    return SkillResult(code, message.error_msg, _outcome(message.result_json), message.replayed)


def _outcome(text: str) -> Mapping[str, Any]:
    """Read a performer's result; what is no JSON object is kept as text rather than lost."""
    try:
        return json_object(text, "result_json")
    except InvalidFieldError:
        return {"text": text[:_MOST_TEXT]}


Answer = Callable[[str, str], str]


def recall_skill(answer: Answer) -> LocalSkills:
    """Return the planner's own skills: ``recall{question, object}`` -> ``{answer}``."""
    skills = LocalSkills()
    schema = {
        "type": "object",
        "properties": {"question": {"type": "string"}, "object": {"type": "string"}},
        "required": ["question"],
    }

    def recall(arguments: Mapping[str, Any], _context: Any) -> Mapping[str, Any]:
        return {"answer": answer(str(arguments["question"]), str(arguments.get("object", "")))}

    skills.add(
        recall,
        SkillProfile(
            "recall",
            "Answer a question from memory.",
            schema,
            has_side_effects=False,
            time_limit_s=10.0,
        ),
    )
    return skills
