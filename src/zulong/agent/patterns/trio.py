"""Graph generator, task planner, task executor: text becomes a graph, and a question is answered over it.

The generator distils triples (subject, relation, object) from texts, the ones that are only implied as well;
the planner turns a question into steps over the graph; the executor does one step at a time with the results
so far; the last one words the answer. All four are functions: models, rules, or the memory graph behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, TypedDict

from zulong.stategraph.channels import AppendLog
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command, Send

Triple = tuple[str, str, str]


def _known(left: list[Any] | None, right: list[Any]) -> list[Any]:
    """Join triples, each once, in the order they were first found."""
    return [list(t) for t in dict.fromkeys(tuple(triple) for triple in [*(left or []), *right])]


class TrioState(TypedDict, total=False):
    """The state: texts and question in, the graph, the steps left, their results, the answer out."""

    texts: list[str]
    question: str
    graph: Annotated[list[Any], _known]
    steps: list[str]
    results: Annotated[list[list[str]], AppendLog]
    answer: str


class KnowledgeView:
    """The triples as a graph that a planner or an executor asks."""

    def __init__(self, triples: Iterable[Sequence[str]]) -> None:
        self.triples: list[Triple] = [(str(s), str(r), str(o)) for s, r, o in triples]
        self._out: dict[str, list[Triple]] = {}
        self._in: dict[str, list[Triple]] = {}
        for triple in self.triples:
            self._out.setdefault(triple[0], []).append(triple)
            self._in.setdefault(triple[2], []).append(triple)

    def about(self, entity: str) -> list[Triple]:
        """Return the triples that an entity takes part in."""
        return [*self._out.get(entity, []), *self._in.get(entity, [])]

    def objects(self, subject: str, relation: str) -> list[str]:
        """Return what a subject has a relation to."""
        return [o for _, r, o in self._out.get(subject, []) if r == relation]

    def subjects(self, relation: str, obj: str) -> list[str]:
        """Return what has a relation to an object."""
        return [s for s, r, _ in self._in.get(obj, []) if r == relation]

    def path(self, start: str, end: str, longest: int = 6) -> list[Triple]:
        """Return the shortest chain of triples between two entities, in either direction; empty if there is none."""
        came: dict[str, tuple[str, Triple] | None] = {start: None}
        frontier = [start]
        for _ in range(longest):
            reached: list[str] = []
            for entity in frontier:
                for triple in self.about(entity):
                    other = triple[2] if triple[0] == entity else triple[0]
                    if other not in came:
                        came[other] = (entity, triple)
                        reached.append(other)
            if end in came:
                break
            frontier = reached
        chain: list[Triple] = []
        step = came.get(end)
        while step is not None:
            chain.append(step[1])
            step = came[step[0]]
        return chain[::-1]


def trio(
    generate: Callable[[str], Iterable[Sequence[str]]],
    plan: Callable[[str, KnowledgeView], Sequence[str]],
    execute: Callable[[str, KnowledgeView, Sequence[Sequence[str]]], str],
    answer: Callable[[str, Sequence[Sequence[str]]], str],
    *,
    max_steps: int = 20,
    checkpointer: Any = None,
) -> Any:
    """Return the compiled graph; invoke it with ``{"texts": [...], "question": ...}`` and read ``answer``.

    Args:
        generate: returns the triples of one text; texts are worked on in parallel.
        plan: returns the steps by which a question is answered over the graph.
        execute: does one step over the graph with (step, result) of those before, and returns its result.
        answer: words the answer from the question and all results.
        max_steps: most steps.
        checkpointer: where threads live; a thread keeps its graph for further questions.
    """

    def fan_out(state: TrioState) -> Any:
        return [Send("generate", {"text": text}) for text in state.get("texts") or []] or "plan"

    def distil(task: dict[str, Any]) -> dict[str, Any]:
        return {"graph": [list(triple) for triple in generate(task["text"])]}

    def make_plan(state: TrioState) -> dict[str, Any]:
        return {
            "steps": list(plan(state["question"], KnowledgeView(state.get("graph") or [])))[:max_steps],
            "texts": [],
        }

    def do_step(state: TrioState) -> Command[str]:
        if not state["steps"]:
            return Command(goto="answer")
        step, *left = state["steps"]
        results = state.get("results") or []
        result = execute(step, KnowledgeView(state.get("graph") or []), results)
        return Command(goto="execute", update={"steps": left, "results": [[step, result]]})

    def word_answer(state: TrioState) -> dict[str, Any]:
        return {"answer": answer(state["question"], state.get("results") or [])}

    builder: Any = StateGraph(TrioState)
    builder.add_node("generate", distil, input_schema=dict)
    builder.add_node("plan", make_plan)
    builder.add_node("execute", do_step, destinations=("execute", "answer"))
    builder.add_node("answer", word_answer)
    builder.add_conditional_edges(START, fan_out, ["generate", "plan"])
    builder.add_edge("generate", "plan")
    builder.add_edge("plan", "execute")
    builder.add_edge("answer", END)
    return builder.compile(checkpointer=checkpointer)
