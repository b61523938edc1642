"""Graph generator, task planner, task executor: text becomes a graph, and a question is answered over it.

The generator distils triples (subject, relation, object) from texts; rules add the links that are only implied;
the planner turns a question into steps over the graph; the executor does one step at a time with the results so
far; the last one words the answer. All of them are functions: those of
:mod:`zulong.agent.patterns.knowledge` (a chat model, or rules), or your own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, TypedDict

from zulong.agent.patterns.knowledge_view import KnowledgeView, Triple
from zulong.agent.patterns.plan_execute import Done, listed
from zulong.agent.patterns.speaking import PatternError, Retry, go_on_unless_canceled
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command, Send

Triples = Iterable[Sequence[str]]


def _known(left: list[Any] | None, right: list[Any]) -> list[Any]:
    """Join triples, each once, in the order they were first found."""
    return [list(t) for t in dict.fromkeys(tuple(triple) for triple in [*(left or []), *right])]


class TrioState(TypedDict, total=False):
    """The state: texts and question in; the graph, which grows; steps left, results and answer of the question.

    ``connected`` is how many triples of the graph have been looked at for what they imply; ``ended`` tells why
    the last question's steps ended: ``done``, or ``max_steps``.
    """

    texts: list[str]
    question: str
    graph: Annotated[list[Any], _known]
    connected: int
    steps: list[str]
    results: list[list[str]]
    answer: str
    ended: str


def trio(
    generate: Callable[[str], Triples],
    plan: Callable[[str, KnowledgeView], Sequence[str]],
    execute: Callable[[str, KnowledgeView, Done], str],
    answer: Callable[[str, Done], str],
    *,
    imply: Callable[[KnowledgeView], Triples] | None = None,
    keep: Callable[[Sequence[Triple]], object] | None = None,
    max_steps: int = 20,
    checkpointer: Any = None,
    retry: Retry = None,
) -> Any:
    """Return the compiled graph; invoke it with ``{"texts": [...], "question": ...}`` and read ``answer``.

    Args:
        generate: returns the triples of one text; texts are worked on in parallel.
        plan: returns the steps by which a question is answered over the graph.
        execute: does one step over the graph with (step, result) of those before, and returns its result.
        answer: words the answer from the question and all results.
        imply: returns triples that follow from the graph, see :func:`~zulong.agent.patterns.knowledge.implied`.
        keep: gets the triples that are new, to keep them elsewhere too (a memory); after a kill possibly twice.
        max_steps: most steps.
        checkpointer: where threads live; a thread keeps its graph for further questions.
        retry: how often a part that raises is tried again.

    Raises:
        PatternError: when running: there is no question, or a part returns something else than it should.
    """

    def begin(state: TrioState) -> dict[str, Any]:
        if "question" not in state:
            raise PatternError('There is no question: invoke({"texts": [...], "question": "..."}).')
        return {"texts": listed(state.get("texts") or [], "texts")}

    def fan_out(state: TrioState) -> Any:
        return [Send("generate", {"text": text}) for text in state["texts"]] or "connect"

    def distil(task: dict[str, Any]) -> dict[str, Any]:
        go_on_unless_canceled()
        return {"graph": checked_triples(generate(task["text"]), "generate")}

    def connect(state: TrioState) -> dict[str, Any]:
        graph = state.get("graph") or []
        known = state.get("connected", 0)
        if imply is not None and len(graph) > known:
            graph = _known(graph, checked_triples(imply(KnowledgeView(graph)), "imply"))
        if keep is not None and len(graph) > known:
            keep([(s, r, o) for s, r, o in graph[known:]])
        return {"graph": graph, "connected": len(graph), "texts": []}

    def make_plan(state: TrioState) -> dict[str, Any]:
        go_on_unless_canceled()
        steps = listed(plan(state["question"], KnowledgeView(state["graph"])), "plan")
        ended = "done" if len(steps) <= max_steps else "max_steps"
        return {"steps": steps[:max_steps], "results": [], "ended": ended}

    def do_step(state: TrioState) -> Command[str]:
        go_on_unless_canceled()
        if not state["steps"]:
            return Command(goto="answer")
        step, *left = state["steps"]
        results = state["results"]
        result = execute(step, KnowledgeView(state["graph"]), results)
        return Command(goto="execute", update={"steps": left, "results": [*results, [step, result]]})

    def word_answer(state: TrioState) -> dict[str, Any]:
        return {"answer": answer(state["question"], state["results"])}

    builder: Any = StateGraph(TrioState)
    builder.add_node("begin", begin)
    builder.add_node("generate", distil, input_schema=dict, retry_policy=retry)
    builder.add_node("connect", connect)
    builder.add_node("plan", make_plan, retry_policy=retry)
    builder.add_node("execute", do_step, destinations=("execute", "answer"), retry_policy=retry)
    builder.add_node("answer", word_answer, retry_policy=retry)
    builder.add_edge(START, "begin")
    builder.add_conditional_edges("begin", fan_out, ["generate", "connect"])
    builder.add_edge("generate", "connect")
    builder.add_edge("connect", "plan")
    builder.add_edge("plan", "execute")
    builder.add_edge("answer", END)
    return builder.compile(checkpointer=checkpointer)


def checked_triples(triples: Triples, who: str) -> list[list[str]]:
    """Return triples as plain lists.

    Raises:
        PatternError: one is no (subject, relation, object) of three texts that say something.
    """
    checked = []
    for triple in triples:
        parts = list(triple) if isinstance(triple, (list, tuple)) else []
        if len(parts) != 3 or not all(isinstance(part, str) and part.strip() for part in parts):
            raise PatternError(
                f"{who} must return (subject, relation, object) of three texts, got {repr(triple)[:80]}."
            )
        checked.append([part.strip() for part in parts])
    return checked
