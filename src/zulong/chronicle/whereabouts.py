"""Where things are, as memory has it, for a person's question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from zulong.chronicle.location import location_of, newest
from zulong.chronicle.sentences import Sentences
from zulong.memory.model import Hit, NodeType, RecallResult

_PATIENCE_S = 2.0
_TOLD = frozenset({NodeType.KNOWLEDGE, NodeType.EPISODE, NodeType.DIALOGUE})


class Recaller(Protocol):
    """The part of a memory graph that is needed here."""

    def recall(
        self,
        text: str,
        *,
        k: int = ...,
        types: Collection[NodeType] | None = ...,
        hot_deadline_s: float = ...,
        cold_deadline_s: float = ...,
    ) -> RecallResult:
        """Return the best memories for ``text``."""
        ...


class Whereabouts:
    """Reads the newest fact about where a thing or person is.

    Args:
        memory: where the facts are.
        sentences: words them.
        patience_s: time that each of the two ways of recall has; a late answer to a person is better than a
            wrong "I do not remember".
    """

    def __init__(self, memory: Recaller, sentences: Sentences, patience_s: float = _PATIENCE_S) -> None:
        self._memory = memory
        self._sentences = sentences
        self._patience_s = patience_s

    def hit(self, thing: str) -> Hit | None:
        """Return the newest memory of where ``thing`` is that still holds, or None."""
        names = f"{self._sentences.name(thing, 'en')} {self._sentences.name(thing, 'zh')}"
        kinds = frozenset({NodeType.KNOWLEDGE, NodeType.EPISODE})
        found = self._find(names, 50, kinds)
        facts = newest((location_of(h.node.meta, h.node.stamp, h.node.uid), h) for h in found)
        return facts[thing][1] if thing in facts else None

    def heard_of(self, thing: str) -> Hit | None:
        """Return the best memory that speaks of ``thing`` by name without being a question, or None."""
        names = [self._sentences.name(thing, language).casefold() for language in ("en", "zh")]
        for hit in self._find(" ".join(names), 20, _TOLD):
            words = hit.node.text.casefold()
            asked = words.rstrip().endswith(("?", "？"))
            if any(name in words for name in names) and not asked and "speaker:robot" not in hit.node.tags:
                return hit
        return None

    def _find(self, words: str, most: int, kinds: frozenset[NodeType]) -> list[Hit]:
        patience_s = self._patience_s
        return self._memory.recall(
            words, k=most, types=kinds, hot_deadline_s=patience_s, cold_deadline_s=patience_s
        ).hits

    def answer(self, things: Sequence[str], language: str) -> tuple[str, list[Hit]]:
        """Answer "where is X?" for each thing, in one text, with the memories that it rests on."""
        sentences, hits = [], []
        for thing in things:
            hit = self.hit(thing)
            if hit is None:
                heard = self.heard_of(thing)
                if heard is None:
                    sentences.append(self._unknown(thing, language))
                    continue
                hits.append(heard)
                sentences.append(
                    f"我记得听说：{heard.node.text}" if language == "zh" else f"I was told: {heard.node.text}"
                )
                continue
            hits.append(hit)
            sentences.append(self._sentence(hit, thing, language))
        return ("" if language == "zh" else " ").join(sentences), hits

    def _sentence(self, hit: Hit, thing: str, language: str) -> str:
        value, words = str(hit.node.meta.get("value", "")), self._sentences
        if value == "gripper":
            return words.held(thing, language)
        if value.startswith("person:"):
            return words.handed(thing, value.removeprefix("person:"), language)
        room = hit.node.place.room if hit.node.place is not None else ""
        places = (tag.removeprefix("place:") for tag in hit.node.tags if tag.startswith("place:"))
        room = room or next((place for place in places if place != value), "")
        if hit.node.person == thing:
            return words.person(thing, value, "", language)
        return words.location(thing, "" if value == room else value, room or value, language)

    def _unknown(self, thing: str, language: str) -> str:
        name = self._sentences.name(thing, language)
        return f"我不记得{name}在哪里。" if language == "zh" else f"I do not remember where the {name} is."
