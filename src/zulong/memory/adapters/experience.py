"""Experience: what was tried with what end, so that what failed and then worked is known before it is tried again."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.embedding import Embedder, default_embedder
from zulong.embedding.tokens import terms
from zulong.memory.adapters.access import PATIENCE_S, nodes_of, store
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Node, NodeType

_LED_TO_WEIGHT = 0.9
_SAME_GOAL = 0.6
"""Share of the words that two goals must have in common to be taken for the same."""


@dataclass(slots=True, frozen=True)
class Attempt:
    """One try.

    Attributes:
        goal: what it was for, in words ("pick up the red cup").
        action: what was done (a skill or tool).
        arguments: plain values.
        succeeded: how it ended; ``error`` is the sentence of a failure, ``lesson`` what is to be learnt.
        stamp: seconds since the epoch.
    """

    goal: str
    action: str
    succeeded: bool
    stamp: float
    arguments: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    lesson: str = ""
    robot: str = ""
    session: str = ""


@dataclass(slots=True, frozen=True)
class Advice:
    """What the memory says before something is tried.

    Attributes:
        failed: the try that went wrong, very like what is about to be done.
        worked: the later try at the same goal that went well, None if nothing has worked yet.
        likeness: 0 to 1, of the goal and the action.
        text: a sentence for a planner or a person.
    """

    failed: Attempt
    worked: Attempt | None
    likeness: float
    text: str


class ExperienceAdapter:
    """Keeps attempts as EXPERIENCE nodes; a failure and the later success at its goal are joined."""

    def __init__(self, graph: MemoryGraph, embedder: Embedder | None = None) -> None:
        self._graph = graph
        self._embedder = embedder or default_embedder()

    def record(self, attempt: Attempt) -> str:
        """Store an attempt and return its id; a success is joined to the failures at the same goal before it.

        Raises:
            ValueError: goal or action are empty.
        """
        if not attempt.goal.strip() or not attempt.action.strip():
            raise ValueError("An attempt needs a goal and an action.")
        known = self._nodes(robot=None)
        number = 1 + max((int(node.meta["number"]) for node in known), default=0)
        id = f"experience:{number}"
        draft = Draft(
            _sentence(attempt),
            NodeType.EXPERIENCE,
            id=id,
            stamp=attempt.stamp,
            robot=attempt.robot,
            session=attempt.session,
            tags=("succeeded" if attempt.succeeded else "failed", f"action:{attempt.action}"),
            meta={
                "number": number,
                "goal": attempt.goal,
                "action": attempt.action,
                "arguments": dict(attempt.arguments),
                "succeeded": attempt.succeeded,
                "error": attempt.error,
                "lesson": attempt.lesson,
            },
        )
        store(self._graph, [draft])
        if attempt.succeeded:
            for node in known:
                earlier = _attempt(node)
                if (
                    not earlier.succeeded
                    and earlier.stamp <= attempt.stamp
                    and _same_goal(earlier.goal, attempt.goal)
                ):
                    self._graph.link(node.id, id, EdgeType.FAILED_THEN_SUCCEEDED, _LED_TO_WEIGHT)
        return id

    def load(self, *, robot: str | None = None) -> list[Attempt]:
        """Return every attempt that is remembered, oldest first."""
        return [_attempt(node) for node in self._nodes(robot=robot)]

    def before_trying(
        self,
        goal: str,
        action: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        limit: int = 3,
        least: float = 0.45,
    ) -> list[Advice]:
        """Return what went wrong when this was tried, and what worked then, most alike first.

        Only failures of the same action count whose goal and arguments are like these. A failure that was
        followed by a success with the very same action and arguments says nothing against trying, and is
        left out.

        Args:
            least: likeness below which a past try is another matter.
        """
        now = _words(goal, action, arguments or {})
        candidates = [node for node in self._candidates(goal, action) if not node.meta["succeeded"]]
        candidates = [node for node in candidates if node.meta["action"] == action]
        if not candidates:
            return []
        texts = [now, *(_words(a.goal, a.action, a.arguments) for a in map(_attempt, candidates))]
        vectors = self._embedder.embed(texts)
        likeness = (vectors[1:] @ vectors[0]).tolist()
        advice = []
        for node, alike in sorted(zip(candidates, likeness, strict=True), key=lambda pair: -pair[1]):
            if alike < least:
                break
            failed, worked = _attempt(node), self._worked_after(node)
            repeated = worked is not None and (worked.action, dict(worked.arguments)) == (
                failed.action,
                dict(failed.arguments),
            )
            if not repeated:
                advice.append(Advice(failed, worked, float(alike), _advice_text(failed, worked)))
        return advice[:limit]

    def _worked_after(self, node: Node) -> Attempt | None:
        edges = self._graph.edges_of(node.id, [EdgeType.FAILED_THEN_SUCCEEDED])
        later = [self._graph.get(edge.dst) for edge in edges if edge.src == node.id]
        attempts = [_attempt(one) for one in later if one is not None]
        return min(attempts, key=lambda attempt: attempt.stamp, default=None)

    def _candidates(self, goal: str, action: str) -> list[Node]:
        result = self._graph.recall(
            f"{goal} {action}",
            k=50,
            types=[NodeType.EXPERIENCE],
            hot_deadline_s=PATIENCE_S,
            cold_deadline_s=PATIENCE_S,
        )
        return [hit.node for hit in result.hits if "goal" in hit.node.meta]

    def _nodes(self, robot: str | None) -> list[Node]:
        nodes = nodes_of(self._graph, [NodeType.EXPERIENCE])
        return [node for node in nodes if "goal" in node.meta and (robot is None or node.robot == robot)]


def _sentence(attempt: Attempt) -> str:
    with_what = _plain(attempt.arguments)
    end = "worked" if attempt.succeeded else f"failed: {attempt.error or 'no reason given'}"
    text = f"To {attempt.goal}: {attempt.action}{f' ({with_what})' if with_what else ''} {end}."
    return f"{text} {attempt.lesson}".strip()


def _words(goal: str, action: str, arguments: Mapping[str, Any]) -> str:
    return f"{goal} {action} {_plain(arguments)}"


def _plain(arguments: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in arguments.items()
    )


def _same_goal(one: str, other: str) -> bool:
    left, right = set(terms(one)) or {one}, set(terms(other)) or {other}
    return len(left & right) >= math.ceil(_SAME_GOAL * max(len(left), len(right)))


def _advice_text(failed: Attempt, worked: Attempt | None) -> str:
    what = f"{failed.action} ({_plain(failed.arguments)})" if failed.arguments else failed.action
    text = f"When trying to {failed.goal}, {what} failed: {failed.error or 'no reason given'}."
    if worked is None:
        return f"{text} Nothing has worked yet."
    instead = f"{worked.action} ({_plain(worked.arguments)})" if worked.arguments else worked.action
    return f"{text} Then {instead} worked. {worked.lesson}".strip()


def _attempt(node: Node) -> Attempt:
    meta = node.meta
    return Attempt(
        str(meta["goal"]),
        str(meta["action"]),
        bool(meta["succeeded"]),
        node.stamp,
        dict(meta["arguments"]),
        str(meta["error"]),
        str(meta["lesson"]),
        node.robot,
        node.session,
    )
