"""The words a text is about: Latin words without the commonest ones, and pairs of CJK characters."""

from __future__ import annotations

import re

_RUNS = re.compile(r"[a-z0-9_]+|[\u3400-\u9fff]+", re.IGNORECASE)
_COMMON_WORDS = """
a an and are as at be been but by can could did do does done for from had has have he her his i if in is it its
me my no not of on or our she so that the their them then there these they this to was we were what when where
which who will with would you your just also about into please
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def terms_of(text: str) -> set[str]:
    """Return the terms of a text, lower case."""
    terms: set[str] = set()
    for run in _RUNS.findall(text.lower()):
        if run[0] > "\u2fff":
            terms.update(run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else terms.add(run)
        elif len(run) > 1 and run not in _COMMON:
            terms.add(run.removesuffix("s") if len(run) > 3 else run)
    return terms


def mostly_cjk(text: str) -> bool:
    """Return whether a text is written in Chinese characters for the most part."""
    wide = sum(1 for c in text if "\u3400" <= c <= "\u9fff")
    return wide * 2 > sum(1 for c in text if c.isalpha())
