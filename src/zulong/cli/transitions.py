"""Driving a lifecycle node from outside without ever waiting: a request is sent, its answer is looked for later."""

from __future__ import annotations

import time
from typing import Any

from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState

_ASK_AGAIN_S = 0.5

UNCONFIGURED = int(State.PRIMARY_STATE_UNCONFIGURED)
INACTIVE = int(State.PRIMARY_STATE_INACTIVE)
ACTIVE = int(State.PRIMARY_STATE_ACTIVE)
CONFIGURE = int(Transition.TRANSITION_CONFIGURE)
ACTIVATE = int(Transition.TRANSITION_ACTIVATE)


class LifecycleDriver:
    """The lifecycle services of one node. All methods return at once.

    After a kill the dead node's services stay visible for a while, so requests may go nowhere: a question about
    the state is asked again every half second until somebody answers.
    """

    def __init__(self, node: Any, target: str) -> None:
        self._get = node.create_client(GetState, f"{target}/get_state")
        self._change = node.create_client(ChangeState, f"{target}/change_state")
        self._state_future: Any = None
        self._state_asked = 0.0
        self._change_future: Any = None

    def reset(self) -> None:
        """Forget all requests: the process behind the name is another one now."""
        if self._state_future is not None:
            self._get.remove_pending_request(self._state_future)
        if self._change_future is not None:
            self._change.remove_pending_request(self._change_future)
        self._state_future = self._change_future = None
        self._state_asked = 0.0

    def state(self) -> int | None:
        """Return the node's primary state once it has answered, else None (and ask)."""
        if self._state_future is not None and self._state_future.done():
            answer = self._state_future.result()
            self._state_future = None
            return int(answer.current_state.id) if answer is not None else None
        now = time.monotonic()
        if now - self._state_asked >= _ASK_AGAIN_S and self._get.service_is_ready():
            if self._state_future is not None:
                self._get.remove_pending_request(self._state_future)
            self._state_asked = now
            self._state_future = self._get.call_async(GetState.Request())
        return None

    def ready_to_change(self) -> bool:
        """Whether the service that changes the state is matched."""
        return bool(self._change.service_is_ready())

    def change(self, transition: int) -> None:
        """Send the request for a transition."""
        request = ChangeState.Request()
        request.transition.id = transition
        self._change_future = self._change.call_async(request)

    def changed(self) -> bool | None:
        """Return whether the transition succeeded, or None while there is no answer."""
        if self._change_future is None or not self._change_future.done():
            return None
        answer = self._change_future.result()
        self._change_future = None
        return bool(answer.success) if answer is not None else False
