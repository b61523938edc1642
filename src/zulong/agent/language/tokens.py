"""Words and phrases of an instruction, each with its senses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zulong.agent.language.lexicon import Language, Sense


@dataclass(slots=True, frozen=True)
class Token:
    """A phrase with all its senses.

    Attributes:
        text: the words as normalised.
        senses: senses of the lexicon.
        roles: closed-class roles in the grammar (``det``, ``prep:to``, ``conj``, ``punct``, ...).
        corrected: the text was misspelt and is read as this.
    """

    text: str
    senses: tuple[Sense, ...] = ()
    roles: tuple[str, ...] = ()
    corrected: bool = False

    def sense(self, *kinds: str) -> Sense | None:
        """Return the first sense of one of these kinds, in the order of ``kinds``."""
        for kind in kinds:
            for sense in self.senses:
                if sense.kind == kind:
                    return sense
        return None

    def need(self, *kinds: str) -> Sense:
        """Return the first sense of one of these kinds where :meth:`has` said that there is one.

        Raises:
            LookupError: there is none.
        """
        found = self.sense(*kinds)
        if found is None:
            raise LookupError(f"Token {self.text!r} has no sense of kind {' or '.join(kinds)}.")
        return found

    def has_one(self, kind: str) -> bool:
        """Return whether it means exactly one thing on the map in a sense of this kind."""
        found = self.sense(kind)
        return found is not None and len(found.ids) == 1

    def value(self, *kinds: str) -> str:
        """Return the value of the first sense of one of these kinds, "" when there is none."""
        found = self.sense(*kinds)
        return found.value if found is not None else ""

    def plays(self, *roles: str) -> bool:
        """Return whether the token can play one of these roles."""
        return any(role in self.roles for role in roles)

    def role_of(self, prefix: str) -> str:
        """Return what follows ``prefix:`` in the first such role, "" when there is none."""
        for role in self.roles:
            if role.startswith(prefix) and role[len(prefix) : len(prefix) + 1] == ":":
                return role[len(prefix) + 1 :]
        return ""

    def has(self, *kinds: str) -> bool:
        """Return whether there is a sense of one of these kinds."""
        return any(sense.kind in kinds for sense in self.senses)


_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


MOST = 1_000_000_000
"""More than this is never meant; it keeps a number of endless digits finite."""


def whole_number(digits: str) -> int:
    """Return the number that digits spell, at most ``MOST``."""
    return int(min(float(digits), MOST))


def language_of(text: str) -> Language:
    """Return "zh" when the text holds Chinese characters that are not outweighed by English words."""
    return "zh" if len(_CHINESE.findall(text)) >= len(_LATIN_WORD.findall(text)) > 0 or (
        _CHINESE.search(text) and not _LATIN_WORD.search(text)
    ) else "en"  # fmt: skip


NUMBER_WORDS = {
    word: value
    for value, words in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
    for word in (words,)
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "couple": 2, "dozen": 12}

_ZH_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "俩": 2, "〇": 0}


def chinese_number(text: str) -> int | None:
    """Read a number up to 9999 in Chinese or Arabic numerals; None when it is not one."""
    if text.isdigit():
        return int(text)
    total, digit = 0, None
    for char in text:
        if char in _ZH_DIGITS:
            if digit:
                return None
            digit = _ZH_DIGITS[char]
        elif char in "十百千":
            total += (1 if digit is None else digit) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = None
        else:
            return None
    return total + (digit or 0) if text else None
