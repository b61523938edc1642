"""The services around task threads: steer, list, look back, fork, approve."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

from zulong.agent.approval import ApprovalDesk
from zulong.agent.approval import ApprovalRequest as DeskRequest
from zulong.agent.mission import Mission, MissionEngine, MissionError
from zulong.msg import ApprovalRequest, TaskCheckpoint, TaskSummary
from zulong.nodes import names
from zulong.nodes.convert_tasks import to_task_graph
from zulong.nodes.json_fields import InvalidFieldError, json_object
from zulong.nodes.planner_threads import ThreadRegister
from zulong.nodes.stamps import to_time
from zulong.srv import Approve, ControlTask, ForkTask, GetTaskHistory, ListTasks
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.tasks.errors import TaskGraphError, UnknownTaskError

_MOST_CHECKPOINTS = 500
_STATES = {
    "pending": ApprovalRequest.STATE_PENDING,
    "approved": ApprovalRequest.STATE_APPROVED,
    "denied": ApprovalRequest.STATE_DENIED,
    "expired": ApprovalRequest.STATE_EXPIRED,
    "withdrawn": ApprovalRequest.STATE_WITHDRAWN,
}


class PlannerServices:
    """Serves what people and pages ask about threads."""

    def __init__(
        self,
        node: Any,
        engine: MissionEngine,
        register: ThreadRegister,
        desk: ApprovalDesk,
        saver: BaseCheckpointSaver[Any],
        requests: Any,
    ) -> None:
        self._node = node
        self._engine = engine
        self._register = register
        self._desk = desk
        self._saver = saver
        self._requests = requests
        self._decided: dict[str, int] = {}
        desk.on_change(self._announce)
        node.serve(ControlTask, names.CONTROL_TASK, self._control)
        node.serve(ListTasks, names.LIST_TASKS, self._list)
        node.serve(GetTaskHistory, names.GET_TASK_HISTORY, self._history)
        node.serve(ForkTask, names.FORK_TASK, self._fork)
        node.serve(Approve, names.APPROVE, self._approve)

    def _control(self, request: ControlTask.Request, response: ControlTask.Response) -> ControlTask.Response:
        missions = self._engine.missions
        if not request.thread_id and len(missions) != 1:
            return _fail(response, "INVALID_REQUEST", f"{len(missions)} threads run; name one in thread_id.")
        thread_id = request.thread_id or missions[0].thread_id
        mission = self._engine.mission(thread_id)
        if mission is None:
            if not self._engine.knows(thread_id):
                return _fail(
                    response, "UNKNOWN_THREAD", f"There is no thread {thread_id!r}; see zulong tasks."
                )
            sentence = "does not run now; resume it with an ExecuteTask goal that names it"
            return _fail(response, "WRONG_STATE", f"Thread {thread_id!r} {sentence}.")
        try:
            self._steer(mission, request)
        except (ValueError, KeyError, TaskGraphError) as error:
            code = "UNKNOWN_NODE" if isinstance(error, UnknownTaskError) else "INVALID_REQUEST"
            return _fail(response, code, str(error))
        response.task_graph = self._graph(thread_id)
        return response

    def _steer(self, mission: Mission, request: ControlTask.Request) -> None:
        command, thread_id = request.command, mission.thread_id
        node_id = request.node_id
        if node_id or command in (request.ROLLBACK, request.SKIP, request.ADJUST):
            graph = self._engine.task_graph(thread_id)
            node_id = node_id or graph.roots[0]
            graph.node(node_id)  # raises UnknownTaskError by name
        if command == request.PAUSE:
            mission.pause()
            self._register.set_state(thread_id, TaskSummary.STATE_PAUSED)
        elif command == request.RESUME:
            mission.resume()
            self._register.set_state(thread_id, TaskSummary.STATE_RUNNING)
        elif command == request.ROLLBACK:
            mission.roll_back(node_id)
        elif command == request.SKIP:
            mission.skip(node_id)
        elif command == request.ADJUST:
            given = request.arguments_json.strip()
            arguments = json_object(given, "arguments_json") if given else None
            mission.adjust(node_id, title=request.text or None, arguments=arguments)
        else:
            raise ValueError(f"Command {command} is none of PAUSE, RESUME, ROLLBACK, SKIP, ADJUST (0 to 4).")

    def _list(self, request: ListTasks.Request, response: ListTasks.Response) -> ListTasks.Response:
        if request.limit == 0:
            return _fail(response, "INVALID_REQUEST", "limit must be at least 1.")
        response.tasks = self._register.list(request.states, request.query, request.limit)
        return response

    def _history(self, request: GetTaskHistory.Request, response: GetTaskHistory.Response) -> Any:
        config: Any = {"configurable": {"thread_id": request.thread_id, "checkpoint_ns": ""}}
        before: Any = {"configurable": {"checkpoint_id": request.before}} if request.before else None
        limit = min(int(request.limit) or 50, _MOST_CHECKPOINTS)
        found = list(self._saver.list(config, before=before, limit=limit))
        if not found and not self._engine.knows(request.thread_id):
            return _fail(
                response, "UNKNOWN_THREAD", f"There is no thread {request.thread_id!r}; see zulong tasks."
            )
        response.checkpoints = [_checkpoint(each, request.with_values) for each in found]
        response.task_graph = self._graph(request.thread_id)
        return response

    def _fork(self, request: ForkTask.Request, response: ForkTask.Response) -> ForkTask.Response:
        if not self._engine.knows(request.thread_id):
            return _fail(
                response, "UNKNOWN_THREAD", f"There is no thread {request.thread_id!r}; see zulong tasks."
            )
        new_id = request.new_thread_id or uuid.uuid4().hex
        if self._engine.knows(new_id):
            return _fail(
                response, "INVALID_REQUEST", f"Thread {new_id!r} exists already; choose another name."
            )
        try:
            changes = json_object(request.values_json, "values_json")
        except InvalidFieldError as error:
            return _fail(response, "INVALID_REQUEST", str(error))
        configurable: dict[str, Any] = {"thread_id": request.thread_id, "checkpoint_ns": ""}
        if request.checkpoint_id:
            configurable["checkpoint_id"] = request.checkpoint_id
        found = self._saver.get_tuple({"configurable": configurable})
        if found is None:
            return _fail(response, "UNKNOWN_NODE", f"The thread has no checkpoint {request.checkpoint_id!r}.")
        try:
            response.checkpoint_id = self._copy(found, new_id, changes)
        except InvalidFieldError as error:
            return _fail(response, "INVALID_REQUEST", str(error))
        response.thread_id = new_id
        record = self._register.record(request.thread_id) or {}
        self._register.begin(new_id, str(record.get("instruction", "")))
        self._register.set_state(new_id, TaskSummary.STATE_INTERRUPTED, "Forked; run it with its thread_id.")
        return response

    def _copy(self, found: Any, new_id: str, changes: dict[str, Any]) -> str:
        """Write the checkpoint as the first one of the new thread; the old thread is not touched."""
        unknown = set(changes) - set(found.checkpoint["channel_values"])
        if unknown:
            raise InvalidFieldError(
                f"values_json names unknown parts of the state: {', '.join(sorted(unknown))}."
            )
        checkpoint = dict(found.checkpoint)
        checkpoint["channel_values"] = {**found.checkpoint["channel_values"], **changes}
        config: Any = {"configurable": {"thread_id": new_id, "checkpoint_ns": ""}}
        metadata = {**found.metadata, "source": "fork", "parents": {}}
        written = self._saver.put(config, checkpoint, metadata, dict(checkpoint["channel_versions"]))  # type: ignore[arg-type]
        return str(written["configurable"]["checkpoint_id"])

    def _approve(self, request: Approve.Request, response: Approve.Response) -> Approve.Response:
        state = self._decided.get(request.request_id)
        if self._desk.answer(request.request_id, request.approved, request.decided_by or "service"):
            response.state = self._decided[request.request_id]
            return response
        if state is None:
            return _fail(response, "UNKNOWN_REQUEST", f"No approval request {request.request_id!r} is open.")
        response.state = state
        if state == ApprovalRequest.STATE_EXPIRED:
            return _fail(response, "EXPIRED", "Nobody answered in time; that counted as no.")
        return _fail(response, "ALREADY_DECIDED", "The request was decided or withdrawn before.")

    def _announce(self, request: DeskRequest, state: str) -> None:
        if state != "pending":
            self._decided[request.request_id] = int(_STATES[state])
            while len(self._decided) > 1000:
                del self._decided[next(iter(self._decided))]
        now = self._node.get_clock().now().nanoseconds / 1e9
        self._requests.publish(
            ApprovalRequest(
                stamp=to_time(now),
                request_id=request.request_id,
                thread_id=request.thread_id,
                task_node_id=request.task_node_id,
                tool=request.tool,
                arguments_json=json.dumps(dict(request.arguments), ensure_ascii=False, default=str),
                reason=request.reason,
                risk=ApprovalRequest.RISK_MEDIUM,
                state=_STATES[state],
                expires=to_time(now + request.time_limit_s),
            )
        )

    def _graph(self, thread_id: str) -> Any:
        instruction = str((self._register.record(thread_id) or {}).get("instruction", ""))
        try:
            graph = self._engine.task_graph(thread_id)
        except MissionError:
            return ControlTask.Response().task_graph
        return to_task_graph(
            graph, thread_id=thread_id, instruction=instruction, language="", now_s=time.time()
        )


def _checkpoint(found: Any, with_values: bool) -> TaskCheckpoint:
    metadata = found.metadata or {}
    parent = (found.parent_config or {}).get("configurable", {})
    values = found.checkpoint["channel_values"] if with_values else None
    return TaskCheckpoint(
        checkpoint_id=str(found.checkpoint["id"]),
        parent_id=str(parent.get("checkpoint_id", "")),
        step=int(metadata.get("step", -1)),
        source=str(metadata.get("source", "")),
        values_json=json.dumps(values, ensure_ascii=False, default=str) if values is not None else "",
    )


def _fail(response: Any, code: str, sentence: str) -> Any:
    response.error_code = getattr(type(response), code)
    response.error_msg = sentence
    return response
