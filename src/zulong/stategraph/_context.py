"""The task that is running in this context (thread or coroutine)."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

CURRENT_TASK: ContextVar[Any] = ContextVar("zulong_current_task", default=None)
