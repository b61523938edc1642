"""How text becomes terms, for the keyword index and for the offline embedder alike.

English (and other Latin script) words are lower-cased, cleaned of stop words and stemmed by Snowball;
runs of Chinese, Japanese and Korean characters become overlapping bigrams, which need no dictionary.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

# Basic Han, extension A, compatibility ideographs, kana and hangul.
CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_PIECE = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)*")
_CJK_RUN = re.compile(rf"^[{CJK}]")

_STOP_WORDS_TEXT = """
a about above after again against all also am an and any are as at be because been before being
below between both but by can could did do does doing down during each few for from further had has
have having he her here hers herself him himself his how i if in into is it its itself just me more
most my myself no nor not now of off on once only or other our ours ourselves out over own same she
should so some such than that the their theirs them themselves then there these they this those
through to too under until up us very was we were what when where which while who whom whose why
will with would you your yours yourself yourselves may might must shall let s t d ll m re ve don
didn doesn isn wasn weren won
"""
ENGLISH_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
CHINESE_STOP_CHARACTERS = frozenset("的了是我你他她它们在有和就不也都而及与着或吗呢吧啊呀这那个")


@lru_cache(maxsize=1)
def _stemmer() -> tuple[snowballstemmer.stemmer, threading.Lock]:
    # A Snowball stemmer keeps its cursor in itself, so that two threads must not share one unguarded.
    return snowballstemmer.stemmer("english"), threading.Lock()


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the Snowball stem of one lower-case English word; words with digits stay as they are."""
    if any(character.isdigit() for character in word):
        return word
    stemmer, lock = _stemmer()
    with lock:
        return str(stemmer.stemWord(word))


def normalise(text: str) -> str:
    """Return ``text`` in compatibility form (full-width made plain), case-folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def is_cjk(piece: str) -> bool:
    """Tell whether a piece from :func:`pieces` is a run of Chinese, Japanese or Korean characters."""
    return not piece.isascii() and bool(_CJK_RUN.match(piece))


def pieces(text: str) -> Iterator[str]:
    """Yield the words and the CJK runs of ``text`` in order, normalised; possessive ``'s`` is cut off."""
    for match in _PIECE.finditer(normalise(text)):
        piece = match.group()
        if not is_cjk(piece):
            piece = piece.replace("’", "'")
            piece = piece[:-2] if piece.endswith("'s") else piece.replace("'", "")
        if piece:
            yield piece


def cjk_bigrams(run: str) -> list[str]:
    """Return the overlapping bigrams of a CJK run, or the one character of a run of one."""
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def terms(text: str, *, keep_stop_words: bool = False) -> list[str]:
    """Return the search terms of ``text`` in order, with repetitions.

    English stop words are left out unless ``keep_stop_words``; so are bigrams made of two Chinese
    function characters (的了, 是我, ...) and such characters that stand alone.
    """
    found: list[str] = []
    for piece in pieces(text):
        if is_cjk(piece):
            for gram in cjk_bigrams(piece):
                if keep_stop_words or not all(c in CHINESE_STOP_CHARACTERS for c in gram):
                    found.append(gram)
        elif keep_stop_words or piece not in ENGLISH_STOP_WORDS:
            found.append(stem(piece))
    return found
