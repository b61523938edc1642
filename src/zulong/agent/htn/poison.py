"""Whether an instruction would put something poisonous into food, or throw something sharp at somebody."""

from __future__ import annotations

import re
from collections.abc import Iterable

from zulong.agent.language.lexicon import Language, Sense, Vocabulary


class PoisonWatch:
    """Looks for something poisonous that is to be mixed with, or put into, something to eat or drink; and for throwing.

    The words are in section ``dangerous`` of the lexicon: ``mixing`` (verbs by language) and ``poisonous`` (names of
    things and categories); food is what the map or the lexicon names ``eaten``.

    Args:
        vocabulary: the words of the lexicon and the map.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        dangerous = vocabulary.lexicon.data.get("dangerous") or {}
        mixing = dangerous.get("mixing") or {}
        poisonous = frozenset(map(str, dangerous.get("poisonous") or ()))
        eaten = frozenset(map(str, dangerous.get("eaten") or ()))
        self._patterns: dict[Language, tuple[re.Pattern[str], ...]] = {}
        self._into: dict[Language, re.Pattern[str]] = {}
        self._thrown: dict[Language, re.Pattern[str]] = {}
        throwing = (vocabulary.lexicon.data.get("missing_skills") or {}).get("throw") or {}
        sharp = frozenset(map(str, dangerous.get("things") or ()))
        for language in ("en", "zh"):
            verbs = [str(verb) for verb in mixing.get(language) or ()]
            groups = (verbs, _names(vocabulary, language, poisonous), _names(vocabulary, language, eaten))
            self._patterns[language] = tuple(_any_of(group, language) for group in groups)
            _, poison, food = self._patterns[language]
            self._into[language] = re.compile(
                _INTO[language].format(poison=poison.pattern, food=food.pattern), re.IGNORECASE
            )
            thrown = _any_of([str(verb) for verb in throwing.get(language) or ()], language).pattern
            things = _any_of(_names(vocabulary, language, sharp), language).pattern
            self._thrown[language] = re.compile(
                _THROWN[language].format(throw=thrown, thing=things), re.IGNORECASE
            )

    def forbids(self, text: str, language: Language) -> bool:
        """Return whether the text mixes the two in any order, puts the one into the other, or throws what can hurt."""
        mixed = all(pattern.search(text) for pattern in self._patterns[language])
        return mixed or any(pattern[language].search(text) for pattern in (self._into, self._thrown))


# "the cleanser into Jane's coffee", but not "the soap in the fruit bowl": the food ends its phrase.
_INTO: dict[Language, str] = {
    "en": r"{poison}[^.;!?]*?\b(?:in|into|inside|onto|over|on top of)\s+(?:[\w'’]+\s+){{0,3}}?{food}"
    r"\s*(?=$|[.,;:!?]|(?:and|then|so|for|before|while|when|please|now|but)\b)",
    "zh": r"{poison}[^。！？；]{{0,4}}[放搁弄塞投丢扔加倒洒撒挤滴喷涂抹][^。！？；，]{{0,8}}{food}(?:里|中|上面|内)(?!的)",
}


def _names(vocabulary: Vocabulary, language: Language, kinds: frozenset[str]) -> list[str]:
    """Return the words for these things and for all that is of these categories."""
    phrases: dict[str, list[Sense]] = (
        {" ".join(key): senses for key, senses in vocabulary.english.items()}
        if language == "en"
        else vocabulary.chinese
    )
    return [
        phrase
        for phrase, senses in phrases.items()
        if any(
            sense.kind in ("object", "category")
            and (sense.value in kinds or any(vocabulary.category_of.get(i) in kinds for i in sense.ids))
            for sense in senses
        )
    ]


def _any_of(words: Iterable[str], language: Language) -> re.Pattern[str]:
    ordered = sorted({re.escape(word) for word in words if word}, key=len, reverse=True)
    if not ordered:
        return re.compile(r"(?!)")
    edge = r"\b" if language == "en" else ""
    return re.compile(f"{edge}(?:{'|'.join(ordered)}){edge}", re.IGNORECASE)


# At or to somebody; into the bin is another matter.
_THROWN: dict[Language, str] = {
    "en": r"{throw}\s+(?:[\w'’]+\s+){{0,3}}?{thing}\s+(?:over |across )?(?:to|at|towards)\b|"
    r"{throw}\s+(?!the\b|a\b|that\b)[\w'’]+\s+(?:[\w'’]+\s+){{0,2}}?{thing}\b",
    "zh": r"{thing}[^。！？；，]{{0,3}}(?:{throw})(?:给|向|过去|到[^。！？；，]{{1,4}}(?:身上|头上|手里))",
}
