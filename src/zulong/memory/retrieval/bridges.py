"""A second round of search: the names in the first hits that the question does not say.

"Where was the inventor of the lamp born?" finds the lamp; its text names the inventor; only the name finds the
birthplace. Names are capitalised words that few memories hold. Scripts without capitals give none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from zulong.embedding.tokens import ENGLISH_STOP_WORDS, stem, terms
from zulong.memory.retrieval.keyword import KeywordIndex

_NAME = re.compile(r"\b[A-Z][\w'’-]{2,}")
_READ_AT_MOST = 2_000
_RARE_SHARE = 0.02
_RARE_AT_LEAST = 3


def names_in(text: str) -> set[str]:
    """Return the search terms of the capitalised words of a text."""
    words = (match.group().lower().rstrip("'’-") for match in _NAME.finditer(text[:_READ_AT_MOST]))
    return {
        term for word in words if word not in ENGLISH_STOP_WORDS for term in (terms(word) or [stem(word)])
    }


def bridge_weights(
    question: Collection[str], seeds: Sequence[tuple[str, float]], index: KeywordIndex
) -> Mapping[str, float]:
    """Return the weight of each name that leads from the first hits to others.

    Args:
        question: terms of the question, which lead nowhere new.
        seeds: (text, score of 0..1) of the first hits.
        index: tells how many passages hold a term: at least two, and at most 2 % of all (or 3).
    """
    limit = max(_RARE_AT_LEAST, _RARE_SHARE * index.size)
    weights: dict[str, float] = {}
    for text, score in seeds:
        for name in names_in(text):
            if name not in question and 2 <= index.frequency(name) <= limit:
                weights[name] = max(weights.get(name, 0.0), score)
    return weights
