"""``zulong stop``, ``resume`` and ``recall``: single calls to the running robot."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from action_msgs.srv import CancelGoal
from std_srvs.srv import Trigger

from zulong.action import ExecuteTask
from zulong.cli.ask import EXIT_FAILED, EXIT_NO_PLANNER, constant_names, run_goal
from zulong.cli.session import Session
from zulong.msg import MemoryNode, TaskSummary
from zulong.nodes import names
from zulong.nodes.services import ServiceError
from zulong.srv import ControlOutput, ControlTask, ListTasks, Recall

_RESUMABLE = (
    TaskSummary.STATE_PAUSED,
    TaskSummary.STATE_WAITING_INPUT,
    TaskSummary.STATE_INTERRUPTED,
)


def stop(arguments: argparse.Namespace) -> int:
    """Cancel every task and silence the robot; with ``--emergency`` latch the emergency stop as well."""
    outcomes = []
    with Session(arguments.namespace) as session:
        if arguments.emergency:
            outcomes.append(_attempt("emergency stop", lambda: _trigger(session, names.SAFETY_STOP)))
        outcomes.append(_attempt("tasks", lambda: _cancel_all(session)))
        outcomes.append(_attempt("speech", lambda: _silence(session)))
    return max(outcomes)


def _attempt(what: str, action: Any) -> int:
    try:
        print(f"{what}: {action()}")
    except ServiceError as error:
        print(f"{what}: {error}", file=sys.stderr)
        return EXIT_NO_PLANNER
    return 0


def _trigger(session: Session, name: str) -> str:
    # Latching twice, like releasing twice, is the same as once: a lost answer is asked for again.
    answer = session.call(Trigger, name, Trigger.Request(), timeout_s=3.0, resend_s=0.5)
    return answer.message or ("done" if answer.success else "refused")


def _cancel_all(session: Session) -> str:
    # An all-zero goal id with a zero stamp means every goal (action_msgs/CancelGoal).
    answer = session.call(
        CancelGoal, f"{names.EXECUTE_TASK}/_action/cancel_goal", CancelGoal.Request(), timeout_s=3.0
    )
    count = len(answer.goals_canceling)
    return f"{count} canceled" if count else "none was running"


def _silence(session: Session) -> str:
    request = ControlOutput.Request(command=ControlOutput.Request.STOP, reason="zulong stop")
    answer = session.call(ControlOutput, names.CONTROL_OUTPUT, request, timeout_s=3.0)
    return answer.error_msg or f"silent, {answer.dropped} pieces dropped"


def reset(arguments: argparse.Namespace) -> int:
    """Release the latched emergency stop."""
    with Session(arguments.namespace) as session:
        return _attempt("emergency stop", lambda: _trigger(session, names.SAFETY_RESET))


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a paused, waiting or interrupted task."""
    with Session(arguments.namespace) as session:
        try:
            chosen = _choose_thread(session, arguments.thread)
            if chosen is None:
                print("There is no task to resume.", file=sys.stderr)
                return EXIT_FAILED
            thread_id, state = chosen
            held = state in (TaskSummary.STATE_PAUSED, TaskSummary.STATE_WAITING_INPUT)
            if held and _resume_running(session, thread_id, arguments.answer):
                return 0
        except ServiceError as error:
            print(error, file=sys.stderr)
            return EXIT_NO_PLANNER
        goal = ExecuteTask.Goal(thread_id=thread_id, instruction=arguments.answer)
        return run_goal(session, goal, arguments)


def _choose_thread(session: Session, wanted: str) -> tuple[str, int] | None:
    answer = session.call(ListTasks, names.LIST_TASKS, ListTasks.Request(limit=100))
    for task in answer.tasks:
        if (wanted and task.thread_id == wanted) or (not wanted and task.state in _RESUMABLE):
            return task.thread_id, int(task.state)
    return (wanted, int(TaskSummary.STATE_INTERRUPTED)) if wanted else None


def _resume_running(session: Session, thread_id: str, answer_text: str) -> bool:
    """Resume a goal that still runs; False when its goal has ended and a new one must carry the thread on."""
    request = ControlTask.Request(thread_id=thread_id, command=ControlTask.Request.RESUME, text=answer_text)
    answer = session.call(ControlTask, names.CONTROL_TASK, request)
    if answer.error_code == ControlTask.Response.SUCCEEDED:
        print(f"{thread_id} goes on.")
        return True
    return False


def pause(arguments: argparse.Namespace) -> int:
    """Pause a running task."""
    request = ControlTask.Request(thread_id=arguments.thread, command=ControlTask.Request.PAUSE)
    with Session(arguments.namespace) as session:
        try:
            answer = session.call(ControlTask, names.CONTROL_TASK, request)
        except ServiceError as error:
            print(error, file=sys.stderr)
            return EXIT_NO_PLANNER
    print(answer.error_msg or "paused; go on with `zulong resume`")
    return EXIT_FAILED if answer.error_code else 0


def tasks(arguments: argparse.Namespace) -> int:
    """List the task threads, newest first; with a query how alike each is, the most alike first."""
    states = constant_names(TaskSummary, "STATE_")
    with Session(arguments.namespace) as session:
        try:
            request = ListTasks.Request(query=arguments.query, limit=arguments.limit)
            answer = session.call(ListTasks, names.LIST_TASKS, request)
        except ServiceError as error:
            print(error, file=sys.stderr)
            return EXIT_NO_PLANNER
    for task in answer.tasks:
        state = states.get(int(task.state), "?").lower()
        alike = f"{task.similarity:4.2f}  " if arguments.query else ""
        print(
            f"{alike}{task.thread_id}  {state:<13} {task.leaves_done}/{task.leaves_total}  {task.instruction}"
        )
    return 0


def recall(arguments: argparse.Namespace) -> int:
    """Ask the memory."""
    request = Recall.Request(text=" ".join(arguments.text), limit=arguments.limit, person=arguments.person)
    with Session(arguments.namespace) as session:
        begun = time.monotonic()
        try:
            answer = session.call(Recall, names.RECALL, request)
        except ServiceError as error:
            print(error, file=sys.stderr)
            return EXIT_NO_PLANNER
        took = time.monotonic() - begun
    if answer.error_code:
        print(answer.error_msg, file=sys.stderr)
        return EXIT_FAILED
    if arguments.json:
        print(json.dumps(_plain(answer, took), ensure_ascii=False))
        return 0
    if answer.answer:
        print(answer.answer)
    types = constant_names(MemoryNode, "TYPE_")
    for hit in answer.hits:
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(hit.node.stamp.sec))
        room = f" @ {hit.node.room}" if hit.node.room else ""
        kind = types.get(int(hit.node.type), "?").lower()
        print(f"  {hit.score:5.2f}  {stamp}  {kind}{room}: {hit.node.text}  [{hit.route}]")
    if not answer.hits:
        print("Nothing comes to mind.")
    return 0


def _plain(answer: Any, took_s: float) -> dict[str, Any]:
    return {
        "answer": answer.answer,
        "elapsed_s": answer.elapsed_s,
        "round_trip_s": took_s,
        "late": list(answer.late),
        "hits": [
            {
                "id": hit.node.id,
                "text": hit.node.text,
                "score": hit.score,
                "route": hit.route,
                "path": list(hit.path),
                "room": hit.node.room,
                "stamp": hit.node.stamp.sec + hit.node.stamp.nanosec * 1e-9,
            }
            for hit in answer.hits
        ],
    }
