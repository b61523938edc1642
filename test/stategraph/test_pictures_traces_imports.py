"""Pictures, traces, and what importing the engine costs."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest

from zulong.stategraph import END, START, StateGraph, tracing
from zulong.stategraph.types import RetryPolicy, TracePolicy, omit_payload


def pictured(state: Any) -> Any:
    inner = (
        StateGraph(state)
        .add_node("deep", lambda s: {})
        .add_edge(START, "deep")
        .add_edge("deep", END)
        .compile()
    )
    graph = StateGraph(state).add_node("a", lambda s: {}).add_node("inner", inner)
    graph.add_edge(START, "a").add_conditional_edges("a", lambda s: "go", {"go": "inner", "stop": END})
    return graph.add_edge("inner", END).compile()


@pytest.mark.feature("SG-24")
def test_mermaid_shows_nodes_labels_and_opened_subgraphs(state: Any) -> None:
    text = pictured(state).get_graph().draw_mermaid()
    assert "graph TD;" in text
    assert "__start__ --> a;" in text
    assert "a -. &nbsp;go&nbsp; .-> inner;" in text
    assert "a -. &nbsp;stop&nbsp; .-> __end__;" in text
    opened = pictured(state).get_graph(xray=True).draw_mermaid()
    assert "subgraph inner" in opened
    assert "(deep)" in opened


@pytest.mark.feature("SG-24")
def test_png_is_a_picture_with_the_nodes_on_it(state: Any, tmp_path: Any) -> None:
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "graph.png"
    png = pictured(state).get_graph().draw_png(str(path))
    assert path.read_bytes() == png
    opened = image.open(io.BytesIO(png))
    assert opened.format == "PNG"
    assert len(opened.convert("L").getcolors(100_000)) > 5, "more than an empty sheet"


class Span:
    def __init__(self, name: str, attributes: dict[str, Any], parent: Span | None) -> None:
        self.name, self.attributes, self.parent = name, dict(attributes), parent

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value


class Provider:
    """A tracer provider that keeps its spans, with the two calls that the engine uses."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.current: Span | None = None

    def get_tracer(self, name: str) -> Provider:
        assert name == "zulong.stategraph"
        return self

    def start_as_current_span(self, name: str, attributes: dict[str, Any]) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def opened() -> Any:
            span = Span(name, attributes, self.current)
            self.spans.append(span)
            self.current, before = span, self.current
            try:
                yield span
            finally:
                self.current = before

        return opened()


@pytest.mark.feature("SG-27")
def test_traces_are_off_until_enabled_and_then_hold_a_span_per_run_and_attempt(state: Any) -> None:
    calls: list[int] = []

    def flaky(s: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise ConnectionError("again")
        return {"log": ["secret"]}

    policy = RetryPolicy(initial_interval=0.001, jitter=False, retry_on=ConnectionError)
    trace_policy = TracePolicy(process_outputs=omit_payload)
    graph = StateGraph(state).add_node(flaky, retry_policy=policy, trace_policy=trace_policy)
    compiled = graph.add_edge(START, "flaky").compile(name="demo")
    compiled.invoke({"log": []})
    provider = Provider()
    pytest.importorskip("opentelemetry")
    tracing.enable(provider, record_payloads=True)
    try:
        compiled.invoke({"log": []})
    finally:
        tracing.disable()
    compiled.invoke({"log": []})
    names = [s.name for s in provider.spans]
    assert names == ["graph demo", "node __start__", "node flaky", "node flaky"]
    assert [s.attributes["zulong.attempt"] for s in provider.spans[2:]] == [1, 2]
    assert provider.spans[2].parent is provider.spans[0]
    assert provider.spans[3].attributes["zulong.output"] == "{}"


def test_importing_the_engine_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from zulong.stategraph.graph import StateGraph, START, END\n"
        "from zulong.stategraph.types import Command, Send, interrupt\n"
        "heavy = {'pydantic', 'asyncio', 'numpy', 'lmdb', 'msgpack', 'langgraph', 'langchain_core', 'typing_extensions'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
