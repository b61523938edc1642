"""An action server that does not lose cancels.

How it works: each accepted goal runs in a thread of its own, so the executor always answers. Every change of a
goal's state is made on the executor's thread, one after the other, so a cancel cannot meet a goal in the middle
of finishing. A cancel is a latch: it may come before the work begins and is seen when it does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import GoalEvent, ServerGoalHandle
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

from zulong.nodes.sentences import brief, shorten

if TYPE_CHECKING:
    from zulong.nodes.base import ZulongNode


class Goal:
    """One accepted goal, as its working thread sees it. Everything here is safe from any thread."""

    def __init__(self, handle: ServerGoalHandle) -> None:
        self._handle = handle
        self._cancel = threading.Event()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._accepted = time.monotonic()
        self.id: str = bytes(handle.goal_id.uuid).hex()
        self.cancel_reason = ""

    @property
    def request(self) -> Any:
        """The goal message."""
        return self._handle.request

    @property
    def canceled(self) -> bool:
        """Whether a cancel came, from the client or from inside."""
        return self._cancel.is_set()

    def elapsed_s(self) -> float:
        """Return the seconds since the goal was accepted, steady clock."""
        return time.monotonic() - self._accepted

    def wait_cancel(self, timeout_s: float) -> bool:
        """Wait up to ``timeout_s`` for a cancel and return whether it came: use it wherever the work would sleep."""
        return self._cancel.wait(timeout_s)

    def cancel(self, reason: str) -> None:
        """Set the cancel latch; the first reason is kept. Listeners run at once, on the caller's thread."""
        with self._lock:
            if self._cancel.is_set():
                return
            self.cancel_reason = reason
            self._cancel.set()
            listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def on_cancel(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` when a cancel comes, or now if it came already. It must be quick."""
        with self._lock:
            if not self._cancel.is_set():
                self._listeners.append(listener)
                return
        listener()

    def publish(self, feedback: Any) -> None:
        """Send feedback; silently nothing once the goal has ended."""
        try:
            if self._handle.is_active:
                self._handle.publish_feedback(feedback)
        except _rclpy.RCLError:  # ended between the question and the call
            pass


class _Server(ActionServer):
    """rclpy's server, with the place changed where goals are executed."""

    def __init__(self, begin: Callable[[ServerGoalHandle], None], *args: Any, **kwargs: Any) -> None:
        self._begin = begin
        self._closed = False
        super().__init__(*args, **kwargs)

    def notify_execute(self, goal_handle: ServerGoalHandle, execute_callback: Any) -> None:
        """Start the goal's thread; called on the executor's thread right after the goal became EXECUTING."""
        self._begin(goal_handle)

    def deliver(self, goal_handle: ServerGoalHandle, finish: Callable[[ServerGoalHandle], Any]) -> None:
        """Set the final state and the result on the executor's thread; nothing once the server is closed."""
        if not self._closed:
            super().notify_execute(goal_handle, finish)

    def destroy(self) -> None:
        """Take the action off the network; results of goals that still run are dropped."""
        self._closed = True
        super().destroy()


class GoalServer:
    """An action server whose goals run in their own threads.

    Args:
        node: the node; goals are rejected while it is not active.
        action_type: the action; its result has ``error_code`` (0 succeeded, 1 canceled, else failed) and
            ``error_msg``.
        name: relative name of the action.
        run: ``run(goal) -> result``; an exception becomes the result code INTERNAL.
        accept: ``accept(request) -> str | None``: the reason to reject a goal, or None.
        max_goals: most goals at once; more are rejected.
    """

    def __init__(
        self,
        node: ZulongNode,
        action_type: Any,
        name: str,
        run: Callable[[Goal], Any],
        *,
        accept: Callable[[Any], str | None] | None = None,
        max_goals: int = 32,
    ) -> None:
        self._node = node
        self._type = action_type
        self._name = name
        self._run = run
        self._accept = accept
        self._max_goals = max_goals
        self._goals: dict[str, Goal] = {}
        self._server = _Server(
            self._begin,
            node,
            action_type,
            name,
            execute_callback=lambda handle: None,
            goal_callback=self._judge,
            cancel_callback=self._cancel,
        )

    @property
    def running(self) -> int:
        """How many goals have not delivered their result."""
        return len(self._goals)

    @property
    def goals(self) -> list[Goal]:
        """The goals that have not delivered their result."""
        return list(self._goals.values())

    def cancel_all(self, reason: str) -> None:
        """Cancel every running goal from inside."""
        for goal in self.goals:
            goal.cancel(reason)

    def destroy(self) -> None:
        """Cancel what runs and take the action off the network."""
        self.cancel_all("the action server was closed")
        self._goals.clear()
        self._server.destroy()

    def _judge(self, request: Any) -> GoalResponse:
        if not self._node.active:
            reason: str | None = f"the node is {self._node.state_label}"
        elif len(self._goals) >= self._max_goals:
            reason = f"{self._max_goals} goals run already"
        else:
            reason = self._accept(request) if self._accept is not None else None
        if reason is None:
            return GoalResponse.ACCEPT
        self._node.get_logger().warning(f"Goal for {self._name} rejected: {brief(reason)}.")
        return GoalResponse.REJECT

    def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        goal = self._goals.get(bytes(handle.goal_id.uuid).hex())
        if goal is not None:
            # The latch is set after the state became CANCELING, else a quick thread could finish in between.
            self._node.post(goal.cancel, "the client canceled the goal")
        return CancelResponse.ACCEPT

    def _begin(self, handle: ServerGoalHandle) -> None:
        goal = Goal(handle)
        self._goals[goal.id] = goal
        if handle.is_cancel_requested:
            goal.cancel("the client canceled the goal")
        thread = threading.Thread(
            target=self._work, args=(goal, handle), name=f"{self._name}.{goal.id[:8]}", daemon=True
        )
        try:
            thread.start()
        except RuntimeError as error:  # the system gives no more threads; the goal must end all the same
            self._deliver_fault(goal, handle, error)

    def _work(self, goal: Goal, handle: ServerGoalHandle) -> None:
        try:
            result = self._run(goal)
            if not isinstance(result, self._type.Result):
                raise TypeError(f"{self._name} returned {type(result).__name__} instead of a result message")
        except Exception as error:
            self._deliver_fault(goal, handle, error)
        else:
            self._server.deliver(handle, lambda each: self._finish(goal, each, result))

    def _deliver_fault(self, goal: Goal, handle: ServerGoalHandle, error: Exception) -> None:
        self._node.note_fault(self._name, error)
        result = self._type.Result()
        result.error_code = self._type.Result.INTERNAL
        result.error_msg = f"{self._name} failed unexpectedly: {error}"
        self._server.deliver(handle, lambda each: self._finish(goal, each, result))

    def _finish(self, goal: Goal, handle: ServerGoalHandle, result: Any) -> Any:
        self._goals.pop(goal.id, None)
        shorten(result)
        code = int(result.error_code)
        if code == int(self._type.Result.SUCCEEDED):
            handle.succeed()
        elif code == int(self._type.Result.CANCELED):
            if (
                not handle.is_cancel_requested
            ):  # canceled from inside: the state machine wants this step first
                handle._update_state(GoalEvent.CANCEL_GOAL)
            handle.canceled()
        else:
            handle.abort()
        return result
