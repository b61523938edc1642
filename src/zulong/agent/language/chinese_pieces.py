"""A Chinese sentence cut into the fewest words, with what each does in an order that moves something.

The grammar cuts greedily from the left and takes a verb with its complement for one word. Here the whole stretch is
cut at once into the fewest known words, verbs apart from their complements, so that whatever is said in whatever
order can be put together from them (see :mod:`zulong.agent.language.chinese_orders`). The words are data: the section
``frames`` of ``config/wordings_zh.yaml``, next to the lexicon and the words of the grammar.
"""

from __future__ import annotations

import functools

from zulong.agent.language.chinese_wordings import read_wordings
from zulong.agent.language.chinese_words import compounds, roles_of
from zulong.agent.language.lexicon import Sense, Vocabulary
from zulong.agent.language.tokens import Token

_UNKNOWN = 10.0
"""What a character costs that is part of no word; a word costs one, so that few long words win."""
_PUNCT = "，。；：！？,.;:!?、\n…~～—"
_NUMERALS = "零一二两三四五六七八九十百千俩仨"
_PLACED = {
    "边儿上": "near",
    "旁边儿": "near",
    "跟前儿": "near",
    "边儿": "near",
    "里头儿": "inside",
    "那头": "near",
}
_MOVING = frozenset(("bring", "take", "put", "go", "find", "guide"))


@functools.lru_cache(maxsize=1)
def frame_words() -> dict[str, frozenset[str]]:
    """Return the words of ``frames``, each with what it may do: ``carry``, ``put``, ``hither``, ``fill``, ..."""
    found: dict[str, set[str]] = {}
    for role, words in (read_wordings().get("frames") or {}).items():
        for word in str(words).split():
            found.setdefault(word, set()).add(role)
    return {word: frozenset(roles) for word, roles in found.items()}


def pieces(text: str, vocabulary: Vocabulary) -> list[Token]:
    """Cut a plain sentence into words; what a word does in an order is in its roles, as ``f:carry``."""
    return list(_cut(text, vocabulary))


@functools.lru_cache(maxsize=512)
def _cut(text: str, vocabulary: Vocabulary) -> tuple[Token, ...]:
    """Cut the sentence; several readers look at the same stretches."""
    words, longest = _words(vocabulary)
    best: list[tuple[float, int]] = [(0.0, 0)] * (len(text) + 1)
    for start in range(len(text) - 1, -1, -1):
        # The cheapest way to cut what stands from here to the end; of equal ones the longest first word.
        best[start] = (best[start + 1][0] + _UNKNOWN, start + 1)
        for end in range(start + 1, min(len(text), start + longest) + 1):
            if text[start:end] in words or text[start:end] in _PUNCT or _number(text[start:end]):
                cost = best[end][0] + 1.0
                if cost <= best[start][0]:
                    best[start] = (cost, end)
    tokens: list[Token] = []
    start = 0
    while start < len(text):
        end = best[start][1]
        tokens.append(_token(text[start:end], words))
        start = end
    return tuple(compounds(_unknown_together(_measures(tokens))))


def _measures(tokens: list[Token]) -> list[Token]:
    """Tell 「拿把刀」「一把叉子」 from 「把刀拿来」."""
    told = list(tokens)
    for number, token in enumerate(tokens[1:], 1):
        before = tokens[number - 1]
        after = tokens[number + 1] if number + 1 < len(tokens) else Token("")
        counts = before.plays("number", "det") or (
            before.plays("f:carry", "f:wish") and after.has("object", "category", "colour")
        )
        if token.text == "把" and counts:
            told[number] = Token("把", roles=("measure",))
    return told


def _number(text: str) -> bool:
    return all(char in _NUMERALS for char in text) or text.isdecimal()


def _token(text: str, words: dict[str, Token]) -> Token:
    if text in words:
        return words[text]
    if text in _PUNCT:
        return Token("、" if text == "、" else ",", roles=("punct",))
    return Token(text, roles=("number",)) if _number(text) else Token(text)


def _unknown_together(tokens: list[Token]) -> list[Token]:
    joined: list[Token] = []
    for token in tokens:
        known = bool(token.roles or token.senses)
        if joined and not known and not (joined[-1].roles or joined[-1].senses):
            joined[-1] = Token(joined[-1].text + token.text)
        else:
            joined.append(token)
    return joined


@functools.lru_cache(maxsize=8)
def _words(vocabulary: Vocabulary) -> tuple[dict[str, Token], int]:
    """Return the known words, and how long the longest of them is."""
    frames = frame_words()
    table: dict[str, Token] = {}
    phrases = {*vocabulary.chinese, *roles_of(), *frames, *_PLACED}
    for phrase in phrases:
        if not phrase or phrase.isascii():
            continue
        senses = tuple(sense for sense in vocabulary.chinese.get(phrase, ()) if not _moves(sense))
        roles = [*roles_of().get(phrase, ()), *(f"f:{role}" for role in sorted(frames.get(phrase, ())))]
        if "kin" in frames.get(phrase, ()):
            roles.append("nickname")
        if phrase in _PLACED:
            roles.append(_PLACED[phrase])
        if senses or roles:
            table[phrase] = Token(phrase, senses, tuple(roles))
    return table, max(map(len, table))


def _moves(sense: Sense) -> bool:
    return sense.kind == "verb" and sense.value in _MOVING
