"""A short visit to the ROS graph: a node spun by a thread of its own, gone when the command ends."""

from __future__ import annotations

import os
import threading
import time
from types import TracebackType
from typing import Any

import rclpy
from lifecycle_msgs.srv import ChangeState, GetState
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from zulong.nodes.process import spin
from zulong.nodes.services import ServiceCaller, ServiceError

_SILENCE_S = 2.0


class Session:
    """Context manager: ``session.node`` may be used from the calling thread while a thread spins it."""

    def __init__(self, namespace: str = "", name: str = "zulong_cli") -> None:
        self._namespace = namespace
        self._name = f"{name}_{os.getpid()}"
        self._stop = threading.Event()

    def __enter__(self) -> Session:
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        self.node: Any = rclpy.create_node(self._name, namespace=self._namespace or None)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name="session", daemon=True)
        self._thread.start()
        return self

    def _spin(self) -> None:
        self.node.spin_thread = threading.get_ident()
        spin(self._executor, self._stop.is_set, lambda error: self.node.get_logger().error(str(error)))

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(2.0)
        self._executor.shutdown(timeout_sec=0.5)
        self.node.destroy_node()
        rclpy.try_shutdown()

    def call(
        self, kind: Any, name: str, request: Any, timeout_s: float = 5.0, *, resend_s: float | None = None
    ) -> Any:
        """Call a service; see ServiceCaller for the meaning and the errors."""
        return ServiceCaller(self.node, kind, name).call(request, timeout_s, resend_s=resend_s)

    def change_state(self, name: str, transition: int, reached: str, timeout_s: float = 60.0) -> bool:
        """Take a lifecycle node through a transition; returns whether it is in the state ``reached`` then.

        A service that has just appeared may lose its first answer, and a transition must not be asked for
        twice: after a silence the node's state tells whether it happened.

        Raises:
            ServiceUnavailableError, ServiceTimeoutError: the node says nothing within the time.
        """
        deadline = time.monotonic() + timeout_s
        change = ServiceCaller(self.node, ChangeState, f"{name}/change_state")
        state = ServiceCaller(self.node, GetState, f"{name}/get_state")
        request = ChangeState.Request()
        request.transition.id = transition
        while True:
            left_s = max(0.0, deadline - time.monotonic())
            try:
                if change.call(request, min(left_s, _SILENCE_S)).success:
                    return True
                refused = True
            except ServiceError:
                if time.monotonic() >= deadline:
                    raise
                refused = False
            left_s = max(0.0, deadline - time.monotonic())
            # One that was asked for already, and whose answer was lost or late, is refused the second time.
            now = state.call(GetState.Request(), left_s, resend_s=_SILENCE_S).current_state.label
            if now == reached:
                return True
            if refused and not now.endswith("ing"):
                return False
            if time.monotonic() >= deadline:
                return False
