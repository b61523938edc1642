"""Names on both sides of "er" in an English order: the second may stand for the first, or both may be meant.

"The lemon, er, the orange" most often puts the second name in the place of the first, and now and then goes on with a
list. Acting on both would be wrong half the time, so it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.lexicon import Vocabulary

_HESITATES = re.compile(r"(?:e+r+m*|u+m+|u+h+m*|h+m+|eh)")
_SMALL = frozenset(
    (
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "to",
        "in",
        "on",
        "some",
        "one",
        "two",
        "three",
        "with",
        "from",
        ",",
    )
)
_KINDS = {"object": "thing", "category": "thing", "room": "place", "placement": "place", "person": "person"}


def hesitated(words: Sequence[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the hesitation between two names of one kind where no "and" follows.

    Args:
        words: the words and marks of the sentence in lower case.
        vocabulary: the names.
    """
    for position, word in enumerate(words):
        if not _HESITATES.fullmatch(word) or "," not in words[max(position - 1, 0) : position + 2]:
            continue
        before = position
        while before and words[before - 1] == ",":
            before -= 1
        after = position + 1
        while after < len(words) and words[after] in _SMALL:
            after += 1
        first, second = (
            _kind(words[:before], vocabulary, ends=True),
            _kind(words[after:], vocabulary, ends=False),
        )
        rest = words[after : after + 8]
        listed = "and" in (rest[: rest.index(".")] if "." in rest else rest)
        if first and first == second and not listed:
            yield word


def _kind(words: Sequence[str], vocabulary: Vocabulary, *, ends: bool) -> str:
    """Return what kind of name the words end or begin with, "" for none."""
    for length in range(min(3, len(words)), 0, -1):
        phrase = tuple(words[-length:] if ends else words[:length])
        kinds = [_KINDS[sense.kind] for sense in vocabulary.english.get(phrase, ()) if sense.kind in _KINDS]
        if kinds:
            return kinds[0]
    return ""
