"""The client's side of actions: goals whose end always comes, as a result or as a typed error.

Every request is sent on the executor's thread, so a quick answer cannot come before its future is registered.
A watch on the steady clock looks after each goal: it repeats a cancel that was not taken, asks again for a result
that does not come, and gives up with GoalLostError when the server went away or no longer knows the goal.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.clock import Clock, ClockType

SERVER_WAIT_S = 5.0  # for the action server to appear
ACCEPT_WAIT_S = 10.0  # for the answer to the goal request
GONE_WAIT_S = 2.0  # a server may be invisible for this long
PROBE_S = 3.0  # silence after which the result is asked for again; doubles while the silence lasts
LONGEST_PROBE_S = 30.0
_WATCH_S = 0.1
_CANCEL_REPEAT_S = 0.3
_CLOSE_WAIT_S = 1.0


class GoalError(RuntimeError):
    """A goal did not end with a result."""


class GoalRejectedError(GoalError):
    """The server did not accept the goal."""


class GoalLostError(GoalError):
    """The server is missing, went away, or no longer knows the goal: its outcome is unknown."""


class GoalTimeoutError(GoalError):
    """The result did not come within the caller's time; the goal may still run."""


@dataclass(slots=True, frozen=True)
class Ending:
    """How a goal ended: ``status`` is a constant of action_msgs/GoalStatus, ``result`` the action's result."""

    status: int
    result: Any

    @property
    def canceled(self) -> bool:
        """Whether the goal ended CANCELED."""
        return self.status == GoalStatus.STATUS_CANCELED


class RemoteGoal:
    """One goal that was sent. ``cancel``, ``wait`` and ``future`` are safe from any thread."""

    def __init__(self, client: GoalClient, goal: Any, feedback: Callable[[Any], None] | None) -> None:
        self._client = client
        self._goal = goal
        self._feedback = feedback
        self._cancel_wanted = threading.Event()
        self._cancel_sent = 0.0
        self._begun = time.monotonic()
        self._sent: float | None = None
        self._heard = self._begun
        self._seen_server = self._begun
        self._patience = PROBE_S
        self._handle: Any = None
        self.future: Future[Ending] = Future()

    @property
    def accepted(self) -> bool:
        """Whether the server accepted the goal."""
        return self._handle is not None

    @property
    def goal_id(self) -> str:
        """The goal's id in hexadecimal; empty until it is accepted."""
        return bytes(self._handle.goal_id.uuid).hex() if self._handle is not None else ""

    def cancel(self) -> None:
        """Cancel, at any moment: before the goal is sent, before it is accepted, or later. It is never lost."""
        self._cancel_wanted.set()
        self._client.post(self._drive)

    def wait(self, timeout_s: float) -> Ending:
        """Wait for the end.

        Raises:
            GoalRejectedError, GoalLostError: there will be no result.
            GoalTimeoutError: none within ``timeout_s`` (steady clock); the goal goes on.
        """
        try:
            return self.future.result(timeout_s)
        except FutureTimeoutError:
            if self.future.done():
                raise
            raise GoalTimeoutError(f"{self._client.name}: no result within {timeout_s:g} s.") from None

    # --- on the executor's thread ---------------------------------------------------------------------------

    def _drive(self) -> None:
        """Take the next step; called by the watch and whenever something changed."""
        if self.future.done():
            return
        now = time.monotonic()
        if self._client.raw.server_is_ready():
            self._seen_server = now
        if self._sent is None:
            self._try_send(now)
        elif self._handle is None:
            if now - self._sent > ACCEPT_WAIT_S or now - self._seen_server > GONE_WAIT_S:
                self._fail(GoalLostError(f"{self._client.name}: the goal was sent but never answered."))
        else:
            self._look_after(now)

    def _try_send(self, now: float) -> None:
        if self._seen_server == now:
            self._sent = now
            future = self._client.raw.send_goal_async(self._goal, feedback_callback=self._on_feedback)
            future.add_done_callback(self._on_response)
        elif now - self._begun > SERVER_WAIT_S:
            self._fail(
                GoalLostError(
                    f"Nobody offers the action {self._client.name}; is its node up? (zulong status)"
                )
            )

    def _look_after(self, now: float) -> None:
        if self._cancel_wanted.is_set() and now - self._cancel_sent > _CANCEL_REPEAT_S:
            self._cancel_sent = now
            self._handle.cancel_goal_async()
        if now - self._seen_server > GONE_WAIT_S:
            self._fail(
                GoalLostError(f"{self._client.name}: the server went away; the goal's outcome is unknown.")
            )
        elif now - self._heard > self._patience:
            # Each question stays pending on both sides until the goal ends, so they become rarer.
            self._heard = now
            self._patience = min(2.0 * self._patience, LONGEST_PROBE_S)
            self._ask_result()

    def _ask_result(self) -> None:
        self._handle.get_result_async().add_done_callback(self._on_result)

    def _on_feedback(self, message: Any) -> None:
        self._heard = time.monotonic()
        self._patience = PROBE_S
        if self._feedback is not None and not self.future.done():
            self._feedback(message.feedback)

    def _on_response(self, future: Any) -> None:
        if self.future.done():
            return
        if future.exception() is not None:
            self._fail(
                GoalLostError(f"{self._client.name}: the goal could not be sent: {future.exception()}")
            )
            return
        handle = future.result()
        if not handle.accepted:
            self._fail(GoalRejectedError(f"{self._client.name} did not accept the goal; its log says why."))
            return
        self._handle = handle
        self._heard = time.monotonic()
        self._ask_result()
        self._drive()

    def _on_result(self, future: Any) -> None:
        if self.future.done() or future.exception() is not None:
            return
        response = future.result()
        if response.status == GoalStatus.STATUS_UNKNOWN:
            self._fail(
                GoalLostError(f"{self._client.name}: the server no longer knows the goal (it was restarted).")
            )
            return
        self._client.forget(self)
        self.future.set_result(Ending(response.status, response.result))

    def _fail(self, error: GoalError) -> None:
        self._client.forget(self)
        self.future.set_exception(error)


class GoalClient:
    """An action client for any thread; the node must be spun by an executor."""

    def __init__(self, node: Any, action_type: Any, name: str) -> None:
        self.name = name
        self.raw = ActionClient(node, action_type, name)
        self._node = node
        self._goals: list[RemoteGoal] = []
        self._timer = node.create_timer(_WATCH_S, self._watch, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._timer.cancel()

    def send(self, goal: Any, feedback: Callable[[Any], None] | None = None) -> RemoteGoal:
        """Send ``goal`` and return at once; ``feedback`` is called on the executor's thread."""
        remote = RemoteGoal(self, goal, feedback)
        self.post(self._begin, remote)
        return remote

    @property
    def server_ready(self) -> bool:
        """Whether somebody offers the action now."""
        return bool(self.raw.server_is_ready())

    def destroy(self) -> None:
        """Fail what runs and leave the network; safe from any thread while the node is spun."""
        executor = self._node.executor
        if executor is None or getattr(self._node, "spin_thread", None) == threading.get_ident():
            self._close()
            return
        # Taken away under a spinning executor, the client would be missed in its wait set.
        closed = threading.Event()
        executor.create_task(self._close_and_tell, closed)
        closed.wait(_CLOSE_WAIT_S)

    def _close(self) -> None:
        for goal in list(self._goals):
            goal._fail(GoalLostError(f"{self.name}: the client was closed."))
        self._node.destroy_timer(self._timer)
        self.raw.destroy()

    def _close_and_tell(self, closed: threading.Event) -> None:
        try:
            self._close()
        finally:
            closed.set()

    def post(self, call: Callable[..., None], *args: Any) -> None:
        """Run ``call`` on the executor's thread."""
        executor = self._node.executor
        if executor is None:
            raise RuntimeError(f"{self.name}: the node of this client is not spun by an executor.")
        executor.create_task(call, *args)

    def forget(self, goal: RemoteGoal) -> None:
        """Look after ``goal`` no more."""
        if goal in self._goals:
            self._goals.remove(goal)
        if not self._goals:
            self._timer.cancel()

    def _begin(self, goal: RemoteGoal) -> None:
        self._goals.append(goal)
        if self._timer.is_canceled():
            self._timer.reset()
        goal._drive()

    def _watch(self) -> None:
        for goal in list(self._goals):
            goal._drive()
