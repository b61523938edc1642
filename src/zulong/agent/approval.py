"""Asking a person before something is done; silence is a no."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.agent.skills import SkillProfile

logger = logging.getLogger(__name__)

MODES = ("always", "risky", "never")


def approval_needed(mode: str, profile: SkillProfile) -> bool:
    """Return whether a call needs a person's yes.

    Args:
        mode: ``always`` for everything with a side effect, ``risky`` as the profile says, ``never``.
        profile: the profile of what is called; one that says ``always`` is asked for in every mode but never.

    Raises:
        ValueError: an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"Approval mode {mode!r} is none of {', '.join(MODES)}.")
    if mode == "never":
        return False
    if mode == "always":
        return profile.has_side_effects or profile.approval != "never"
    return profile.approval != "never"


@dataclass(slots=True, frozen=True)
class ApprovalRequest:
    """What a person is asked.

    Attributes:
        request_id: to answer it by.
        thread_id, task_node_id: who asks.
        tool: what would be called, with ``arguments``.
        reason: one sentence for the person.
        time_limit_s: silence for so long is a no.
    """

    request_id: str
    thread_id: str
    task_node_id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    time_limit_s: float = 30.0


Decide = Callable[[bool, str], None]


class ApprovalDesk:
    """Open requests for approval; whoever shows them to people subscribes, whoever decides answers.

    Thread-safe. A request is decided once: by the first answer, by its time limit (no), or withdrawn.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, tuple[ApprovalRequest, Decide, threading.Timer]] = {}
        self._listeners: list[Callable[[ApprovalRequest, str], None]] = []

    def on_change(self, listener: Callable[[ApprovalRequest, str], None]) -> None:
        """Call back with (request, state): pending, approved, denied, expired or withdrawn."""
        self._listeners.append(listener)

    @property
    def open_requests(self) -> tuple[ApprovalRequest, ...]:
        """The requests that wait for an answer."""
        with self._lock:
            return tuple(request for request, _, _ in self._open.values())

    def ask(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        decide: Decide,
        thread_id: str = "",
        task_node_id: str = "",
        reason: str = "",
        time_limit_s: float = 30.0,
    ) -> str:
        """Open a request and return its id; ``decide(granted, who)`` is called once, from another thread."""
        request = ApprovalRequest(
            uuid.uuid4().hex, thread_id, task_node_id, tool, dict(arguments), reason, time_limit_s
        )
        timer = threading.Timer(time_limit_s, self._close, (request.request_id, False, "", "expired"))
        timer.daemon = True
        with self._lock:
            self._open[request.request_id] = (request, decide, timer)
        timer.start()
        self._announce(request, "pending")
        return request.request_id

    def answer(self, request_id: str, granted: bool, who: str = "") -> bool:
        """Decide a request; returns False when it is not open (any more)."""
        return self._close(request_id, granted, who, "approved" if granted else "denied")

    def withdraw(self, request_id: str) -> bool:
        """Close a request whose task ended; nobody is called back."""
        return self._close(request_id, None, "", "withdrawn")

    def ask_and_wait(
        self, tool: str, arguments: Mapping[str, Any], *, time_limit_s: float, **who: str
    ) -> bool:
        """Open a request and wait for the decision, at most its time limit on the steady clock."""
        decided = threading.Event()
        granted: list[bool] = []

        def decide(yes: bool, _: str) -> None:
            granted.append(yes)
            decided.set()

        request_id = self.ask(
            tool,
            arguments,
            decide=decide,
            time_limit_s=time_limit_s,
            **who,
        )
        if not decided.wait(time_limit_s + 1.0):
            self.withdraw(request_id)
        return bool(granted and granted[0])

    def _close(self, request_id: str, granted: bool | None, who: str, state: str) -> bool:
        with self._lock:
            entry = self._open.pop(request_id, None)
        if entry is None:
            return False
        request, decide, timer = entry
        timer.cancel()
        self._announce(request, state)
        if granted is not None:
            decide(granted, who)
        return True

    def _announce(self, request: ApprovalRequest, state: str) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(request, state)
            except Exception:
                # Whoever shows requests must not keep others from being asked.
                logger.exception("A listener of the approval desk failed.")
