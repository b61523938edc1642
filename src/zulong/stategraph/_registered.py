"""How the engine's own types are stored: sends, interrupts, commands and overwrites in pending writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zulong.stategraph._sequences import LogView
from zulong.stategraph.types import Command, Interrupt, Overwrite, Send, TimeoutPolicy


def _timeout(policy: TimeoutPolicy | None) -> Any:
    if policy is None:
        return None
    return [policy.run_timeout, policy.idle_timeout, policy.refresh_on, policy.sync]


def _policy(stored: Any) -> TimeoutPolicy | None:
    if stored is None:
        return None
    run, idle, refresh_on, sync = stored
    return TimeoutPolicy(run_timeout=run, idle_timeout=idle, refresh_on=refresh_on, sync=sync)


def _send(stored: Any) -> Send:
    node, arg, timeout = stored
    return Send(node, arg, timeout=_policy(timeout))


def _interrupt(stored: Any) -> Interrupt[Any]:
    value, identity, schema = stored
    return Interrupt(value, identity, response_schema=schema)


def _command(stored: Any) -> Command[Any]:
    graph, update, resume, goto = stored
    return Command(graph=graph, update=update, resume=resume, goto=goto)


ENGINE_TYPES: tuple[tuple[type[Any], str, Callable[[Any], Any], Callable[[Any], Any]], ...] = (
    (Send, "zulong:Send", lambda s: [s.node, s.arg, _timeout(s.timeout)], _send),
    (Interrupt, "zulong:Interrupt", lambda i: [i.value, i.id, i.response_schema], _interrupt),
    (Overwrite, "zulong:Overwrite", lambda o: o.value, Overwrite),
    (TimeoutPolicy, "zulong:TimeoutPolicy", _timeout, _policy),
    (LogView, "zulong:LogView", list, list),
    (Command, "zulong:Command", lambda c: [c.graph, c.update, c.resume, c.goto], _command),
)
"""(class, stored name, to plain values, back): registered by the strict serializer when it is imported."""
