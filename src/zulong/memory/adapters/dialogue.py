"""Conversations: the short-term memory of a running one, and its turns as DIALOGUE nodes."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from zulong.memory.adapters.access import PATIENCE_S, nodes_of, store
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Link, Node, NodeType, RecallResult

_NEXT_WEIGHT = 0.5


@dataclass(slots=True, frozen=True)
class Turn:
    """One thing said. ``stamp`` in seconds since the epoch; ``speaker`` a person's id, or ``robot``."""

    session: str
    speaker: str
    text: str
    stamp: float


class ShortTermMemory:
    """The latest turns of the running conversations, in the memory of the process.

    Args:
        capacity: turns kept in all; the oldest go first.

    Raises:
        ValueError: ``capacity`` is below 1.
    """

    def __init__(self, capacity: int = 64) -> None:
        if capacity < 1:
            raise ValueError(f"ShortTermMemory needs a capacity of 1 or more, got {capacity}.")
        self._turns: deque[Turn] = deque(maxlen=capacity)
        self._lock = threading.Lock()

    def add(self, turn: Turn) -> None:
        """Note one turn."""
        with self._lock:
            self._turns.append(turn)

    def turns(self, session: str | None = None) -> list[Turn]:
        """Return the turns kept, oldest first, of one session if named."""
        with self._lock:
            return [turn for turn in self._turns if session is None or turn.session == session]


class DialogueAdapter:
    """Keeps conversations in the memory graph; each turn is joined to the one before by TEMPORAL."""

    def __init__(self, graph: MemoryGraph, short_term: ShortTermMemory | None = None) -> None:
        self._graph = graph
        self.short_term = short_term or ShortTermMemory()
        self._lock = threading.Lock()
        self._last: dict[str, tuple[int, str]] = {}

    def record(self, *turns: Turn) -> list[str]:
        """Store turns in the order given and return their ids; each is in the short-term memory as well.

        Raises:
            AdapterError: a turn holds no word.
        """
        with self._lock:
            drafts = []
            for turn in turns:
                number, previous = self._position(turn.session)
                id = f"dialogue:{turn.session}:{number}"
                links = (Link(previous, EdgeType.TEMPORAL, _NEXT_WEIGHT, incoming=True),) if previous else ()
                drafts.append(
                    Draft(
                        turn.text,
                        NodeType.DIALOGUE,
                        id=id,
                        stamp=turn.stamp,
                        session=turn.session,
                        person="" if turn.speaker == "robot" else turn.speaker,
                        meta={"speaker": turn.speaker, "turn": number},
                        links=links,
                    )
                )
                self._last[turn.session] = (number, id)
            try:
                store(self._graph, drafts)
            except BaseException:
                for turn in turns:  # read anew from the store next time
                    self._last.pop(turn.session, None)
                raise
        for turn in turns:
            self.short_term.add(turn)
        return [str(draft.id) for draft in drafts]

    def load(self, session: str) -> list[Turn]:
        """Return the turns of a session that are still remembered, in order."""
        return [_turn(node) for node in self._nodes(session)]

    def recall(self, text: str, *, k: int = 10, session: str | None = None) -> RecallResult:
        """Find turns; see :meth:`MemoryGraph.recall`."""
        return self._graph.recall(
            text,
            k=k,
            types=[NodeType.DIALOGUE],
            session=session,
            hot_deadline_s=PATIENCE_S,
            cold_deadline_s=PATIENCE_S,
        )

    def _nodes(self, session: str) -> list[Node]:
        nodes = [
            node
            for node in nodes_of(self._graph, [NodeType.DIALOGUE], session=session)
            if "turn" in node.meta
        ]
        return sorted(nodes, key=lambda node: int(node.meta["turn"]))

    def _position(self, session: str) -> tuple[int, str]:
        """Return the number of the next turn of a session and the id of the one before it."""
        last = self._last.get(session)
        if last is None:
            nodes = self._nodes(session)
            last = (int(nodes[-1].meta["turn"]), nodes[-1].id) if nodes else (0, "")
        return last[0] + 1, last[1]


def _turn(node: Node) -> Turn:
    return Turn(node.session, str(node.meta["speaker"]), node.text, node.stamp)
