"""How the rules of one turn of phrase are put to an English sentence, each rule once.

Two kinds of rules: patterns over the words whose names are weighed when they fit (:func:`rewritten`), and functions over
a sentence whose names are single letters (:func:`with_names_lifted`). What stands in quotation marks is somebody's own
words and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from zulong.agent.language.english_named import matches
from zulong.agent.language.english_states import Lifted
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 300

Rule = Callable[[re.Match[str], Vocabulary], "str | None"]
"""Returns what a match becomes, None when its words are not what the rule is about."""

LiftedRule = Callable[[str, Lifted, Vocabulary], str]
"""Takes and returns a sentence with a letter for each name."""


def rewritten(
    text: str,
    vocabulary: Vocabulary,
    rules: Sequence[tuple[re.Pattern[str], Rule]],
    speaks: re.Pattern[str],
    anywhere: Collection[Rule] = (),
) -> str:
    """Return the sentence after each rule, in their order; unchanged where none applies.

    Args:
        text: the sentence as it was said.
        vocabulary: the words of the lexicon and the map.
        rules: what may be found, and what becomes of it; each is applied once.
        speaks: behind it are words for somebody, which no rule may change.
        anywhere: rules that hold behind ``speaks`` as well.
    """
    if '"' in text or len(text) > _LONGEST:
        return text
    said = re.sub(r"\s+", " ", text.replace("\u2019", "'")).strip()
    changed = False
    for pattern, rule in rules:
        for match in matches(pattern, said):
            told = rule not in anywhere and speaks.search(said[: match.start()]) is not None
            plain = None if told else rule(match, vocabulary)
            if plain is not None:
                said = f"{said[: match.start()]}{plain}{said[match.end() :]}".strip()
                changed = True
                break
    return said if changed else text


def of_words(rule: Callable[[str], str]) -> LiftedRule:
    """Return a rule that needs nothing but the words."""
    return lambda said, lifted, vocabulary: rule(said)


def with_names_lifted(text: str, vocabulary: Vocabulary, rules: Sequence[LiftedRule]) -> str:
    """Return the sentence after each rule over its names as letters; unchanged where none applies.

    Args:
        text: the sentence as it was said.
        vocabulary: the names of the map.
        rules: applied in their order.
    """
    if len(text) > _LONGEST or '"' in text:
        return text
    plain = text.replace("\u2019", "'").replace("\u2018", "'").strip()
    lifted = Lifted.of(plain, vocabulary)
    said = lifted.text
    for rule in rules:
        said = rule(said, lifted, vocabulary)
    whole = lifted.restored(said).strip()
    return whole if whole != plain else text
