"""Traces by OpenTelemetry, off until `enable` is called: a span a run, and inside it one a task.

Spans carry names, thread, step, attempt and outcome. Inputs and outputs are recorded only with
`record_payloads=True`, and then as a node's `TracePolicy` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ("disable", "enable", "run_span", "task_span")

_tracer: Any = None
_record = False
_MAX_TEXT = 4000


def enable(provider: Any = None, *, record_payloads: bool = False) -> None:
    """Trace every run from now on.

    Args:
        provider: an OpenTelemetry TracerProvider; default the process-wide one.
        record_payloads: also record inputs and outputs, as text cut to 4,000 characters.

    Raises:
        ImportError: OpenTelemetry is missing.
    """
    global _tracer, _record
    try:
        from opentelemetry import trace
    except ImportError as exc:
        raise ImportError("Tracing needs OpenTelemetry: pip install 'zulong[tracing]'.") from exc
    source = trace if provider is None else provider
    _tracer = source.get_tracer("zulong.stategraph")
    _record = record_payloads


def disable() -> None:
    """Trace no more runs."""
    global _tracer
    _tracer = None


def active() -> bool:
    """Whether runs are traced."""
    return _tracer is not None


@contextmanager
def run_span(run: Any) -> Iterator[Any]:
    """A span around a run."""
    attributes = {
        "zulong.graph": run.graph.get_name(),
        "zulong.thread_id": str(run.configurable.get("thread_id") or ""),
        "zulong.checkpoint_ns": run.checkpoint_ns,
    }
    with _tracer.start_as_current_span(f"graph {run.graph.get_name()}", attributes=attributes) as span:
        yield span


@contextmanager
def task_span(task: Any) -> Iterator[Any]:
    """A span around one attempt of a task; give it the result by `record_output`."""
    attributes = {
        "zulong.node": task.name,
        "zulong.task_id": task.id,
        "zulong.step": task.run.step,
        "zulong.attempt": task.attempt,
    }
    with _tracer.start_as_current_span(f"node {task.name}", attributes=attributes) as span:
        if _record:
            _set(span, "zulong.input", task.input, getattr(task.node.trace_policy, "process_inputs", None))
        yield span


def record_output(span: Any, task: Any, result: Any) -> None:
    """Record what a task returned, if payloads are recorded."""
    if _record:
        _set(span, "zulong.output", result, getattr(task.node.trace_policy, "process_outputs", None))


def _set(span: Any, key: str, value: Any, process: Any) -> None:
    try:
        text = repr(process(value) if process is not None else value)
    except Exception as exc:  # a trace must never fail a run
        text = f"<not recorded: {type(exc).__name__}>"
    span.set_attribute(key, text[:_MAX_TEXT])
