"""``zulong ask`` and ``zulong resume``: an ExecuteTask goal, its plan shown live."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from action_msgs.msg import GoalStatus

from zulong.action import ExecuteTask
from zulong.cli.session import Session
from zulong.cli.stopping import StopLatch
from zulong.cli.tasktree import STATUS_NAMES, STATUS_STYLES, Row, rows
from zulong.nodes import names
from zulong.nodes.goals import Ending, GoalClient, GoalError, GoalTimeoutError, RemoteGoal

EXIT_FAILED, EXIT_USAGE, EXIT_NO_PLANNER, EXIT_NEEDS_INPUT, EXIT_CANCELED = 1, 2, 3, 4, 130
_CANCEL_LIMIT_S = 15.0
_POLL_S = 0.1


def constant_names(kind: Any, prefix: str = "") -> dict[int, str]:
    """Return the names of the integer constants of an interface part, by value."""
    found = {}
    for name in dir(kind):
        value = getattr(kind, name, None) if name.isupper() else None
        if isinstance(value, int) and name.startswith(prefix):
            found[value] = name.removeprefix(prefix)
    return found


class PlainView:
    """Prints a line whenever something changed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._phases = constant_names(ExecuteTask.Feedback, "PHASE_")
        self._phase = -1
        self._shown: dict[str, str] = {}

    def feedback(self, feedback: Any) -> None:
        """Show what is new in ``feedback``."""
        if feedback.phase != self._phase:
            self._phase = feedback.phase
            name = self._phases.get(feedback.phase, "?").lower().replace("_", " ")
            self._line(f"[{name}] {feedback.message}".rstrip())
        for row in rows(feedback.task_graph):
            line = f"{row.plain()}  ({STATUS_NAMES[row.status]})"
            # A changed percentage alone is not worth a line.
            key = f"{row.depth}{row.status}"
            if self._shown.get(row.id) != key:
                self._shown[row.id] = key
                self._line(line)
        if feedback.tokens:
            self._line(feedback.tokens)

    def _line(self, text: str) -> None:
        print(text, file=self._stream, flush=True)

    def __enter__(self) -> PlainView:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class LiveView:
    """Keeps one tree on the terminal up to date. Needs ``rich``."""

    def __init__(self, stream: TextIO, instruction: str) -> None:
        from rich.console import Console
        from rich.live import Live

        self._instruction = instruction
        self._phases = constant_names(ExecuteTask.Feedback, "PHASE_")
        self._rows: list[Row] = []
        self._phase, self._message, self._tokens = "sending", "", ""
        self._begun = time.monotonic()
        self._live = Live(
            console=Console(file=stream),
            get_renderable=self._picture,
            refresh_per_second=8,
            vertical_overflow="visible",
        )

    def feedback(self, feedback: Any) -> None:
        """Take what is new in ``feedback``; the picture follows by itself."""
        self._phase = self._phases.get(feedback.phase, "?").lower().replace("_", " ")
        self._message = feedback.message
        if feedback.task_graph.nodes:
            self._rows = rows(feedback.task_graph)
        self._tokens = (self._tokens + feedback.tokens)[-500:]

    def _picture(self) -> Any:
        from rich.text import Text

        text = Text()
        text.append(f"{self._instruction}\n", style="bold")
        text.append(f"{time.monotonic() - self._begun:6.1f} s  {self._phase}", style="cyan")
        text.append(f"  {self._message}\n")
        for row in self._rows:
            text.append(f"  {row.plain()}\n", style=STATUS_STYLES[row.status])
        text.append(self._tokens)
        return text

    def __enter__(self) -> LiveView:
        self._live.__enter__()
        return self

    def __exit__(self, *details: Any) -> None:
        self._live.__exit__(*details)


def view_for(stream: TextIO, instruction: str, *, quiet: bool) -> Any:
    """Return the view that fits the stream: live on a terminal, plain elsewhere or without rich."""
    if not quiet and stream.isatty():
        try:
            return LiveView(stream, instruction)
        except ImportError:
            pass
    return PlainView(stream)


def goal_from(arguments: argparse.Namespace) -> ExecuteTask.Goal:
    """Return the goal that the command line describes."""
    goal = ExecuteTask.Goal(
        instruction=" ".join(arguments.instruction),
        thread_id=arguments.thread or "",
        tool_budget=arguments.budget,
        priority={"low": 0, "normal": 1, "high": 2, "critical": 3}[arguments.priority],
        preempt=arguments.preempt,
        session=arguments.session or "",
        person=arguments.person or "",
    )
    seconds = max(0.0, arguments.time_limit)
    goal.time_limit.sec = int(seconds)
    goal.time_limit.nanosec = int((seconds - int(seconds)) * 1e9)
    return goal


def wait_for(goal: RemoteGoal, stop: StopLatch, limit_s: float) -> Ending:
    """Wait for the end; the first Ctrl-C cancels the goal and waits on, the second stops waiting.

    Raises:
        GoalError: no result; GoalTimeoutError after ``limit_s`` (0: none) or when a cancel brings no end.
    """
    deadline = time.monotonic() + limit_s if limit_s > 0 else None
    cancel_deadline: float | None = None
    while True:
        try:
            return goal.wait(_POLL_S)
        except GoalTimeoutError:
            now = time.monotonic()
            wanted = stop.is_set() or (deadline is not None and now > deadline)
            if wanted and cancel_deadline is None:
                print("canceling ...", file=sys.stderr, flush=True)
                goal.cancel()
                cancel_deadline = now + _CANCEL_LIMIT_S
            if stop.count > 1 or (cancel_deadline is not None and now > cancel_deadline):
                raise


def report(ending: Ending) -> dict[str, Any]:
    """Return the result as plain data."""
    result = ending.result
    codes = constant_names(ExecuteTask.Result)
    statuses = constant_names(GoalStatus, "STATUS_")
    return {
        "status": statuses.get(ending.status, str(ending.status)),
        "error_code": int(result.error_code),
        "error": codes.get(int(result.error_code), str(result.error_code)),
        "error_msg": result.error_msg,
        "summary": result.summary,
        "thread_id": result.thread_id,
        "tool_calls": int(result.tool_calls),
        "elapsed_s": result.elapsed.sec + result.elapsed.nanosec * 1e-9,
        "plan": [row.plain() for row in rows(result.task_graph)],
    }


def exit_status(error_code: int) -> int:
    """Return the command's exit status for an ExecuteTask result code."""
    special = {
        ExecuteTask.Result.SUCCEEDED: 0,
        ExecuteTask.Result.CANCELED: EXIT_CANCELED,
        ExecuteTask.Result.NEEDS_INPUT: EXIT_NEEDS_INPUT,
    }
    return special.get(error_code, EXIT_FAILED)


def run_goal(session: Session, goal: ExecuteTask.Goal, arguments: argparse.Namespace) -> int:
    """Send ``goal``, show it, print its result, return the exit status."""
    stop = StopLatch()
    client = GoalClient(session.node, ExecuteTask, names.EXECUTE_TASK)
    sink = sys.stderr if arguments.json else sys.stdout
    title = goal.instruction or f"thread {goal.thread_id}"
    try:
        with view_for(sink, title, quiet=arguments.json) as view:
            show: Callable[[Any], None] = view.feedback
            ending = wait_for(client.send(goal, None if arguments.json else show), stop, arguments.wait)
    except GoalError as error:
        if arguments.json:
            print(json.dumps({"status": "LOST", "error": type(error).__name__, "error_msg": str(error)}))
        print(error, file=sys.stderr)
        return EXIT_NO_PLANNER
    finally:
        client.destroy()
    facts = report(ending)
    if arguments.json:
        print(json.dumps(facts, ensure_ascii=False))
    else:
        _tell(facts)
    return exit_status(facts["error_code"])


def _tell(facts: dict[str, Any]) -> None:
    print(f"{facts['status']} in {facts['elapsed_s']:.1f} s, {facts['tool_calls']} skill calls", end="")
    print(f", thread {facts['thread_id']}" if facts["thread_id"] else "")
    if facts["summary"]:
        print(facts["summary"])
    if facts["error_code"]:
        print(f"{facts['error']}: {facts['error_msg']}")
    if facts["error"] in ("NEEDS_INPUT", "SHUTTING_DOWN") and facts["thread_id"]:
        print(f"go on with: zulong resume {facts['thread_id']}")


def ask(arguments: argparse.Namespace) -> int:
    """Give the robot an instruction in words."""
    if not " ".join(arguments.instruction).strip():
        print('Say what to do: zulong ask "bring the red cup to the kitchen"', file=sys.stderr)
        return EXIT_USAGE
    with Session(arguments.namespace) as session:
        return run_goal(session, goal_from(arguments), arguments)
