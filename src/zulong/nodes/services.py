"""Calling services from working threads, with a limit, without the ways in which such calls hang."""

from __future__ import annotations

import threading
import time
from typing import Any

_POLL_S = 0.02
_SILENCE_S = 1.0

# Services that only read, or set what their request names: asking twice is the same as asking once.
REPEATABLE = frozenset(
    {
        "action_msgs/CancelGoal",
        "lifecycle_msgs/GetState",
        "rcl_interfaces/DescribeParameters",
        "rcl_interfaces/GetParameters",
        "rcl_interfaces/ListParameters",
        "rcl_interfaces/SetParameters",
        "zulong/ControlOutput",
        "zulong/GetMemory",
        "zulong/GetTaskHistory",
        "zulong/ListTasks",
        "zulong/PredictTools",
        "zulong/Recall",
        "zulong/SetAttention",
        "zulong/SetPower",
        "zulong/SimControl",
    }
)


class ServiceError(RuntimeError):
    """A service call brought no answer; the message names the service and what to look at."""


class ServiceUnavailableError(ServiceError):
    """Nobody offers the service."""


class ServiceTimeoutError(ServiceError):
    """The service did not answer in time."""


class ServiceCaller:
    """A service client for threads other than the executor's."""

    def __init__(self, node: Any, kind: Any, name: str) -> None:
        self._node = node
        self._name = name
        self._client = node.create_client(kind, name)
        repeatable = f"{kind.__module__.partition('.')[0]}/{kind.__name__}" in REPEATABLE
        self._silence_s = _SILENCE_S if repeatable else None

    @property
    def available(self) -> bool:
        """Whether somebody offers the service now."""
        return bool(self._client.service_is_ready())

    def call(self, request: Any, timeout_s: float = 5.0, *, resend_s: float | None = None) -> Any:
        """Send ``request`` and return the response; ``timeout_s`` on the steady clock covers discovery too.

        A killed server stays visible for some seconds, and what is sent to it is lost even if its successor is
        coming up; a server that has not matched a new client yet cannot answer it. Requests that may arrive
        twice without harm are sent again after a silence of 1 s if their kind is REPEATABLE, else after
        ``resend_s`` where the caller knows that repeating is harmless.

        Raises:
            ServiceUnavailableError: nobody offers the service within the time.
            ServiceTimeoutError: no answer within the time.
            RuntimeError: called on the executor's thread, which would wait for itself for ever.
        """
        if getattr(self._node, "spin_thread", None) == threading.get_ident():
            raise RuntimeError(f"{self._name} was called on the executor's thread; call it from a worker.")
        deadline = time.monotonic() + timeout_s
        while not self._client.service_is_ready():
            if time.monotonic() >= deadline:
                raise ServiceUnavailableError(
                    f"Nobody offers the service {self._client.srv_name}; is its node up? (zulong status)"
                )
            time.sleep(_POLL_S)
        if resend_s is None:
            resend_s = self._silence_s
        patience_s = resend_s if resend_s is not None else timeout_s
        while True:
            answered = threading.Event()
            future = self._client.call_async(request)
            future.add_done_callback(lambda _, event=answered: event.set())
            if answered.wait(max(0.0, min(patience_s, deadline - time.monotonic()))):
                return future.result()
            self._client.remove_pending_request(future)
            if time.monotonic() >= deadline:
                raise ServiceTimeoutError(f"{self._client.srv_name} did not answer within {timeout_s:g} s.")
