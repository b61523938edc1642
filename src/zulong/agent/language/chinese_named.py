"""The Chinese names of things, people and places on the map, found in a sentence and in what is to be done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Referent

CORRECTED = re.compile(
    r"不对|不是|哦不|啊不|噢不|不，|错了|改成|换成|我是说|还是|算了|而不是|先别|别|不要|不用"
)
"""What was said first is taken back."""


@dataclass(slots=True, frozen=True)
class Names:
    """The Chinese names of things, people and places on the map, and their ids."""

    pattern: re.Pattern[str]
    ids: Mapping[str, str]
    all_ids: Mapping[str, frozenset[str]]
    places: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()

    def found(self, words: str) -> list[tuple[str, str]]:
        """Return the names in the words with their ids, in order; the longest where several begin."""
        return [(match.group(), self.ids[match.group()]) for match in self.pattern.finditer(words)]


@lru_cache(maxsize=4)
def names_of(vocabulary: Vocabulary) -> Names:
    """Return the names of this vocabulary."""
    known = {
        phrase: sense.ids
        for phrase, senses in vocabulary.chinese.items()
        for sense in senses
        if sense.ids and sense.kind in ("object", "person", "placement", "room")
    }
    longest_first = sorted(known, key=len, reverse=True)
    places = frozenset(
        sense.ids[0]
        for senses in vocabulary.chinese.values()
        for sense in senses
        if sense.ids and sense.kind in ("placement", "room")
    )
    return Names(
        re.compile("|".join(map(re.escape, longest_first)) or r"(?!)"),
        {phrase: ids[0] for phrase, ids in known.items()},
        {phrase: frozenset(ids) for phrase, ids in known.items()},
        places,
        frozenset(
            sense.ids[0]
            for senses in vocabulary.chinese.values()
            for sense in senses
            if sense.ids and sense.kind == "person"
        ),
    )


def told_more(name: str, done: Sequence[Clause]) -> bool:
    """Tell 「果冻，要草莓的」: the name is a part of the name of what is carried."""
    return any(c.theme is not None and len(c.theme.text) > len(name) and name in c.theme.text for c in done)


def ids_of(done: Sequence[Clause]) -> set[str]:
    """Return the ids of all that the clauses speak of."""
    ids: set[str] = set()
    for clause in done:
        referents: list[Referent] = list(clause.referents())
        if clause.condition is not None:
            referents.extend(r for r in (clause.condition.subject, clause.condition.where) if r is not None)
        while referents:
            referent = referents.pop()
            ids.update(referent.ids)
            if referent.colour and referent.name:
                # 「红杯子」 may be bound by its colour only when it is looked for.
                ids.add(f"{referent.colour}_{referent.name.replace(' ', '_')}")
            referents.extend(r for r in (referent.at, referent.relatum) if r is not None)
    return ids
