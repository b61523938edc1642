"""The door: looks at every draft before it is stored."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from zulong.embedding import Embedder, EmbeddingError
from zulong.embedding.tokens import ENGLISH_STOP_WORDS, is_cjk, pieces, stem
from zulong.memory.door.facts import Fact, facts_of
from zulong.memory.door.junk import junk_reason
from zulong.memory.door.rules import domains_of, importance_of
from zulong.memory.model import Draft, Node, NodeType, RecallQuery
from zulong.memory.reader import Admission, Store
from zulong.memory.retrieval.indexing import Indexer
from zulong.memory.retrieval.keyword import question_weights

# Statements about the world. What was said or done at a moment is true of that moment for ever.
_STATEMENTS = frozenset({NodeType.KNOWLEDGE, NodeType.EPISODE, NodeType.PERSON, NodeType.CONCEPT})
_MERGEABLE = frozenset(
    {NodeType.KNOWLEDGE, NodeType.EPISODE, NodeType.EXPERIENCE, NodeType.CONCEPT, NodeType.PERSON}
)
_NEGATIONS = frozenset(["not", "no", "never", "without", "none", "cannot", "nothing", "nobody"])
_CHINESE_NEGATION = re.compile(r"不|没|无|别|未")
_PLACE_APART_M = 1.0
_CATCH_UP_S = 0.5
_IN_HAND_S = 0.25


@dataclass(slots=True, frozen=True)
class DoorConfig:
    """What an integrator may change about the door.

    Attributes:
        duplicate_cosine: texts at least so alike say the same, if their numbers, names and negations agree.
        near_duplicates: look for near duplicates at all.
        near_batch: larger batches are imports, of which only exact duplicates are looked for.
        near_share: share of the time that may go into that search; beyond it (a flood of writes) only exact
            duplicates are caught, and near ones meet later by their SEMANTIC edges.
        refuse_junk, tag, contradictions: the other three duties, each can be turned off.
        candidates: how many stored memories are compared with a new fact.
    """

    duplicate_cosine: float = 0.95
    near_duplicates: bool = True
    near_batch: int = 64
    near_share: float = 0.1
    refuse_junk: bool = True
    tag: bool = True
    contradictions: bool = True
    candidates: int = 20

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any]) -> DoorConfig:
        """Make a configuration from ``MemoryConfig.door``.

        Raises:
            ValueError: a name is unknown.
        """
        known = {f.name for f in fields(cls)}
        unknown = sorted(set(settings) - known - {"open"})
        if unknown:
            raise ValueError(f"The door has no setting {unknown[0]!r}; there are {', '.join(sorted(known))}.")
        return cls(**{name: value for name, value in settings.items() if name in known})


class _TimeShare:
    """Allows work for a share of the passing time, with at most ``_IN_HAND_S`` saved up."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._left = _IN_HAND_S
        self._at = time.monotonic()
        self._lock = threading.Lock()

    def allowed(self) -> bool:
        with self._lock:
            now = time.monotonic()
            self._left = min(self._left + (now - self._at) * self._share, _IN_HAND_S)
            self._at = now
            return self._left > 0

    def spent(self, seconds: float) -> None:
        with self._lock:
            self._left -= seconds


class Gate:
    """Implements :class:`zulong.memory.reader.Door` by rules and by the indexes of the retriever.

    Args:
        indexer: the indexes of the same store; None leaves near duplicates and contradictions unseen.
    """

    def __init__(self, store: Store, indexer: Indexer | None, embedder: Embedder, config: DoorConfig) -> None:
        self._store = store
        self._indexer = indexer
        self._embedder = embedder
        self._config = config
        self._share = _TimeShare(config.near_share)

    def inspect(self, drafts: Sequence[Draft]) -> list[Admission]:
        """Return one admission a draft: refused junk, known things, importance, tags and contradictions."""
        stated: dict[tuple[str, str], list[tuple[str, Fact]]] = {}
        near = self._config.near_duplicates and len(drafts) <= self._config.near_batch
        return [self._inspect(draft, stated, near) for draft in drafts]

    def _inspect(
        self, draft: Draft, stated: dict[tuple[str, str], list[tuple[str, Fact]]], near: bool
    ) -> Admission:
        config = self._config
        text = draft.text if isinstance(draft.text, str) else ""
        if config.refuse_junk:
            reason = junk_reason(text, draft.type)
            if reason:
                return Admission("refuse", reason=reason)
        importance = importance_of(text, draft.type)
        tags = domains_of(text, draft.type) if config.tag else ()
        contradicts: tuple[str, ...] = ()
        if config.contradictions and draft.type in _STATEMENTS:
            contradicts = self._contradicted(draft, stated)
        if near and not contradicts and draft.id is None and draft.type in _MERGEABLE:
            known = self._near_duplicate(draft)
            if known is not None:
                return Admission(
                    "strengthen",
                    importance,
                    tags,
                    f"It says the same as {known.id!r}.",
                    duplicate_of=known.id,
                )
        return Admission("add", importance, tags, contradicts=contradicts)

    # -- near duplicates --------------------------------------------------------------------------------

    def _near_duplicate(self, draft: Draft) -> Node | None:
        indexer = self._indexer
        if indexer is None or not self._share.allowed():
            return None
        begun = time.monotonic()
        try:
            indexer.catch_up(begun + _CATCH_UP_S)
            # Words first: it is cheap, and a near duplicate shares most of them.
            best = indexer.keyword.score(question_weights(draft.text)).best(5).uids
            nodes = [
                node for node in self._store.nodes(best) if node is not None and self._comparable(draft, node)
            ]
            nodes = [node for node in nodes if _agree(draft.text, node.text)]
            if not nodes:
                return None
            vectors = self._embedder.embed([draft.text, *(node.text for node in nodes)])
            cosines = vectors[1:] @ vectors[0]
            at = int(np.argmax(cosines))
            return nodes[at] if cosines[at] >= self._config.duplicate_cosine else None
        except EmbeddingError:
            return None  # the text is stored; better twice than not at all
        finally:
            self._share.spent(time.monotonic() - begun)

    def _comparable(self, draft: Draft, node: Node) -> bool:
        if (draft.type, draft.person, draft.robot) != (node.type, node.person, node.robot):
            return False
        if draft.place is None or node.place is None:
            return draft.place is node.place
        return draft.place.distance_m(node.place) <= _PLACE_APART_M

    # -- contradictions ---------------------------------------------------------------------------------

    def _contradicted(
        self, draft: Draft, stated: dict[tuple[str, str], list[tuple[str, Fact]]]
    ) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for fact in facts_of(draft.text, draft.meta, draft.person):
            key = (fact.subject, fact.attribute)
            for id, other in stated.get(key, ()):
                if fact.contradicts(other) and id != draft.id:
                    found[id] = None
            for node in self._like(draft, fact):
                facts = facts_of(node.text, node.meta, node.person)
                if any(fact.contradicts(other) for other in facts):
                    found[node.id] = None
            if draft.id is not None:
                stated.setdefault(key, []).append((draft.id, fact))
        return tuple(found)

    def _like(self, draft: Draft, fact: Fact) -> list[Node]:
        """Return stored statements that share words with the subject, valid ones only."""
        indexer = self._indexer
        if indexer is None:
            return []
        indexer.catch_up(time.monotonic() + _CATCH_UP_S)
        weights = {term: 1.0 for part in (fact.subject, fact.attribute) for term in question_weights(part)}
        weights |= dict.fromkeys(question_weights(draft.text), 0.5)
        query = RecallQuery("", types=_STATEMENTS)
        scores = indexer.keyword.score(weights)
        uids = scores.best(
            self._config.candidates, passes=lambda uids: self._store.matching(uids, query)
        ).uids
        return [node for node in self._store.nodes(uids) if node is not None and node.id != draft.id]


def _agree(one: str, other: str) -> bool:
    """Tell whether two texts name the same numbers and negations, and the same things but for function words."""
    return _marks(one) == _marks(other) and _content(one) == _content(other)


def _marks(text: str) -> tuple[list[str], int]:
    words = [piece for piece in pieces(text) if not is_cjk(piece)]
    numbers = sorted(word for word in words if any(character.isdigit() for character in word))
    negations = sum(word in _NEGATIONS or word.endswith("nt") for word in words)
    return numbers, negations + len(_CHINESE_NEGATION.findall(text))


def _content(text: str) -> set[str]:
    content: set[str] = set()
    for piece in pieces(text):
        if is_cjk(piece):
            content.update(character for character in piece if character not in "的了是在着过吗呢吧啊这那个")
        elif piece not in ENGLISH_STOP_WORDS:
            content.add(stem(piece))
    return content
