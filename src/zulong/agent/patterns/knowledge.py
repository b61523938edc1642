"""The parts of the trio, ready made: played by a chat model, or by rules that need no model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zulong.agent.chat.json_repair import BrokenJsonError, read_object
from zulong.agent.chat.model import ChatModel, ChatRequest, complete
from zulong.agent.latch import current_latch
from zulong.agent.patterns.knowledge_view import KnowledgeView, Triple
from zulong.agent.patterns.plan_execute import Done
from zulong.agent.patterns.speaking import PatternError
from zulong.agent.patterns.trio import Triples

_MOST_IMPLIED = 20_000
_MOST_FACTS = 200


class TrioParts(NamedTuple):
    """What :func:`~zulong.agent.patterns.trio.trio` takes first: ``trio(*parts, ...)``."""

    generate: Callable[[str], Triples]
    plan: Callable[[str, KnowledgeView], Sequence[str]]
    execute: Callable[[str, KnowledgeView, Done], str]
    answer: Callable[[str, Done], str]


def implied(
    *,
    symmetric: Sequence[str] = (),
    transitive: Sequence[str] = (),
    inverse: Mapping[str, str] | None = None,
    chains: Sequence[tuple[str, str, str]] = (),
) -> Callable[[KnowledgeView], list[Triple]]:
    """Return the rule that finds what a graph says without words; give it to the trio as ``imply``.

    Args:
        symmetric: relations that hold both ways ("next to").
        transitive: relations that pass on ("inside": a cup inside a box inside a room).
        inverse: the name of a relation seen from the other end ("owns": "belongs to").
        chains: (first, second, both): what "a first b, b second c" comes to for a and c ("on", "inside", "inside").
    """
    names = dict(inverse or {})
    steps = [*((r, r, r) for r in transitive), *chains]

    def imply(view: KnowledgeView) -> list[Triple]:
        found: dict[Triple, None] = dict.fromkeys(view.triples)
        fresh = list(found)
        while fresh:
            if len(found) > _MOST_IMPLIED:
                raise PatternError(
                    f"More than {_MOST_IMPLIED} triples follow; narrow the rules of implied()."
                )
            now = KnowledgeView(found)
            new: dict[Triple, None] = {}
            for s, r, o in fresh:
                if r in symmetric:
                    new[o, r, s] = None
                if r in names:
                    new[o, names[r], s] = None
                for first, second, both in steps:
                    if r == first:
                        new.update(
                            dict.fromkeys((s, both, end) for end in now.objects(o, second) if end != s)
                        )
                    if r == second:
                        starts = now.subjects(first, s)
                        new.update(dict.fromkeys((start, both, o) for start in starts if start != o))
            fresh = [triple for triple in new if triple not in found]
            found.update(dict.fromkeys(fresh))
        return list(found)[len(view.triples) :]

    return imply


@dataclass(slots=True, frozen=True)
class Relation:
    """A relation that rules know from words.

    Attributes:
        name: as it stands in the triples.
        says: words between subject and object in a statement ("is in", "在").
        asks: words for it in a question ("where is", "在哪").
    """

    name: str
    says: Sequence[str]
    asks: Sequence[str] = ()


_CLAUSES = re.compile(r"[.!?;。！？；，,\n]+|\band\b|并且|而且")
_ARTICLES = re.compile(r"^(?:(?:the|a|an|my|your)\s+|一个|一只|一张|那个|这个)", re.IGNORECASE)


def rule_knowledge(relations: Sequence[Relation]) -> TrioParts:
    """Return the parts of a trio that read and answer by rules, in any language that the relations are worded in.

    Statements are clauses "subject words object". A question is read from the thing that it names outwards:
    "where is the owner of the cup?" asks for what owns the cup, and then where that is. What no statement says
    is guessed from like things (see :meth:`KnowledgeView.likely`), and the answer says "probably".
    """

    def generate(text: str) -> list[Triple]:
        found = []
        for clause in _CLAUSES.split(text):
            splits = [
                _split(clause, relation.name, words) for relation in relations for words in relation.says
            ]
            best = max((s for s in splits if s is not None), key=lambda s: s[0], default=None)
            if best is not None:
                found.append(best[1])
        return found

    def plan(question: str, view: KnowledgeView) -> list[str]:
        asked = question.casefold()
        named = [(asked.rfind(name.casefold()), len(name), name) for name in view.entities]
        things = sorted((n for n in named if n[0] >= 0), key=lambda n: (-n[1], -n[0]))
        if not things:
            return []
        if len(things) > 1 and not _overlap(things[0], things[1]) and not _mentions(asked, relations):
            return [f"connect | {things[0][2]} | {things[1][2]}"]
        at, _, thing = things[0]
        mentions = sorted(_mentions(asked, relations), key=lambda mention: abs(mention[0] - at))
        wanted = list(dict.fromkeys(relation for _, relation in mentions))
        return [f"{relation} | {thing if n == 0 else ''}" for n, relation in enumerate(wanted)]

    def execute(step: str, view: KnowledgeView, done: Done) -> str:
        relation, *things = (part.strip() for part in step.split("|"))
        if relation == "connect":
            return "; ".join(" ".join(triple) for triple in view.path(things[0], things[1]))
        guess = "probably " if done and done[-1][1].startswith("probably ") else ""
        before = done[-1][1].removeprefix("probably ") if done else ""
        results: list[str] = []
        for thing in [things[0]] if things[0] else before.split(", "):
            known = view.related(thing, relation)
            if not known and (likely := view.likely(thing, relation)):
                known, guess = [likely[0][0]], "probably "
            results.extend(known)
        return guess + ", ".join(dict.fromkeys(results)) if results else ""

    def answer(question: str, done: Done) -> str:
        return str(done[-1][1]) if done else ""

    return TrioParts(generate, plan, execute, answer)


def model_knowledge(model: ChatModel) -> TrioParts:
    """Return the parts of a trio as a chat model plays them."""

    def ask(task: str, key: str, **given: Any) -> Any:
        parts = "\n\n".join(f"{name.capitalize()}:\n{text}" for name, text in given.items())
        prompt = f"{task} Answer with one JSON object {{{key!r}: ...}} and nothing else.\n\n{parts}"
        reply = complete(model, ChatRequest([{"role": "user", "content": prompt}]), current_latch())
        try:
            return read_object(reply.text)[key]
        except (BrokenJsonError, KeyError) as error:
            raise PatternError(
                f"{model.name} was to answer with a JSON object that holds {key!r}, and said {reply.text[:200]!r}."
            ) from error

    def generate(text: str) -> Triples:
        task = (
            "List what the text says and what it clearly implies as triples [subject, relation, object], each "
            "thing named the same way throughout."
        )
        triples: Triples = ask(task, "triples", text=text)
        return triples

    def plan(question: str, view: KnowledgeView) -> Sequence[str]:
        task = "Write the steps by which the question is answered over the graph, one look at a time."
        steps: Sequence[str] = ask(task, "steps", question=question, graph=_facts(view))
        return steps

    def execute(step: str, view: KnowledgeView, done: Done) -> str:
        task = "Do this one step over the graph with what was found before; where it says nothing, say what is likely."
        return str(ask(task, "result", step=step, graph=_facts(view), found=_found(done)))

    def answer(question: str, done: Done) -> str:
        return str(
            ask("Answer the question from what was found.", "answer", question=question, found=_found(done))
        )

    return TrioParts(generate, plan, execute, answer)


def _split(clause: str, relation: str, words: str) -> tuple[int, Triple] | None:
    """Return a clause as a triple if it holds the words, with their length: the longest words fit best."""
    latin = words.isascii()
    pattern = rf"\b{re.escape(words)}\b" if latin else re.escape(words)
    at = re.search(pattern, clause, re.IGNORECASE)
    if at is None:
        return None
    subject, thing = (_ARTICLES.sub("", part.strip()) for part in (clause[: at.start()], clause[at.end() :]))
    return (len(words), (subject, relation, thing)) if subject and thing else None


def _mentions(question: str, relations: Sequence[Relation]) -> list[tuple[int, str]]:
    """Return where a question names which relations, longer words before shorter ones inside them."""
    taken: list[tuple[int, int]] = []
    found = []
    ways = [(words.casefold(), r.name) for r in relations for words in (*r.asks, *r.says)]
    for words, name in sorted(ways, key=lambda way: -len(way[0])):
        at = question.find(words)
        if at >= 0 and not any(start < at + len(words) and at < end for start, end in taken):
            taken.append((at, at + len(words)))
            found.append((at, name))
    return found


def _overlap(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


def _facts(view: KnowledgeView) -> str:
    return "\n".join(" | ".join(triple) for triple in view.triples[-_MOST_FACTS:])


def _found(done: Done) -> str:
    return "\n".join(f"{step}: {result}" for step, result in done) or "nothing yet"
