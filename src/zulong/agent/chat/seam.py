"""Where a reply that was broken off is gone on with: no word is said twice, and none is lost."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST_OVERLAP = 2000
# So many characters that begin within a word agree by more than chance.
_NO_CHANCE = 4
# So much of the reply's begin said again is a new beginning.
_FALSE_START_WORDS = 3
_FALSE_START_CHINESE = 5
# What a model may put before it goes on; it counts only when what follows is no repetition.
_LEAD = " \t\r\n…."
_SENTENCE_ENDS = ("", *".!?:。！？：；;")
_QUOTES = "\"'“”‘’「『"


class Seam:
    """Joins a continuation to what was said: words at its begin that were said already are dropped.

    A model may go on at once, repeat the last words or the word that was cut, or begin the whole reply anew.
    While the continuation still agrees with some ending of what was said, it is held back; at the first
    difference the longest agreeing part is dropped and the rest let through. Spaces may differ; a short agreement
    must begin where a word begins, and one of Chinese characters needs two of them (妈|妈 is no repetition).

    Args:
        said: the words so far; nothing is held back when empty.
    """

    def __init__(self, said: str) -> None:
        self._whole = said
        self._held = ""
        self._open = bool(said)
        self._endings = [said, *_endings(said)] if said else []

    def feed(self, text: str) -> str:
        """Take a piece of the continuation and return what may be said of it now."""
        if not self._open:
            return text
        self._held += text
        matches = [(ending, _match(ending, self._held)) for ending in self._endings]
        self._endings = [ending for ending, match in matches if match is not None]
        longest = next((match for _, match in matches if match is not None), None)
        # Endings come longest first: what is shorter than one that agrees to its end is of no interest.
        if longest is None or longest.complete:
            return self.flush()
        return ""

    def flush(self) -> str:
        """Return what was held back and is new; the continuation has ended, or differs now."""
        if not self._open:
            return ""
        self._open = False
        held, self._held = self._held, ""
        if held.startswith(self._whole):
            return held[len(self._whole) :]
        for ending in self._endings:
            match = _match(ending, held, at_end=True)
            if match is not None and match.complete:
                return held[match.length :]
        return _without_false_start(self._whole, held)


@dataclass(slots=True, frozen=True)
class _Match:
    """How far a continuation agrees with an ending: ``length`` of its characters, and whether to the end."""

    length: int
    complete: bool


def _endings(said: str) -> list[str]:
    """Return the endings that a continuation may repeat, longest first."""
    first = max(0, len(said) - _LONGEST_OVERLAP)
    starts = (at for at in range(first, len(said)) if not said[at].isspace())
    likely = (said[at:] for at in starts if _begins_a_word(said, at) or len(said) - at >= _NO_CHANCE)
    return [ending for ending in likely if _says_something(ending)]


def _begins_a_word(text: str, at: int) -> bool:
    return at == 0 or _is_chinese(text[at]) or not (text[at].isalnum() and text[at - 1].isalnum())


def _says_something(ending: str) -> bool:
    chinese = sum(1 for character in ending if _is_chinese(character))
    return chinese >= 2 or any(c.isalnum() and not _is_chinese(c) for c in ending)


def _match(ending: str, held: str, *, at_end: bool = False) -> _Match | None:
    """Return how a continuation agrees with an ending, None where it differs.

    Args:
        ending: of what was said.
        held: the begin of the continuation.
        at_end: no more of it comes.
    """
    lead = 0 if ending[0] in _LEAD + _QUOTES else len(held) - len(held.lstrip(_LEAD + _QUOTES))
    i, j = 0, lead
    while i < len(ending):
        if ending[i].isspace():
            j_before = j
            while i < len(ending) and ending[i].isspace():
                i += 1
            while j < len(held) and held[j].isspace():
                j += 1
            if j == j_before and (j < len(held) or (at_end and i < len(ending))):
                return None
            if j == len(held) and not (at_end and i == len(ending)):
                return _Match(j, False)
        elif j == len(held):
            return _Match(j, False)
        elif held[j] != ending[i]:
            return None
        else:
            i, j = i + 1, j + 1
    # After a space of its own it is a new word that only begins like the one that was said: " apple" after "a".
    one_word = ending[-1].isalnum() and not _is_chinese(ending[-1]) and len(ending.split()) == 1
    if one_word and lead and held[:1].isspace():
        if j == len(held) and not at_end:
            return _Match(j, False)
        if j < len(held) and held[j].isalnum():
            return None
    return _Match(j, True)


def _without_false_start(whole: str, held: str) -> str:
    """Return a continuation without what agrees with the begin of the reply, where that is more than chance.

    A model that began the reply anew may word it differently further on, or end it sooner. After a whole sentence
    the next one may well begin like the first.
    """
    if whole.rstrip()[-1:] in _SENTENCE_ENDS:
        return held
    i, j = 0, len(held) - len(held.lstrip(_LEAD + _QUOTES))
    while i < len(whole) and j < len(held):
        if whole[i].isspace() and held[j].isspace():
            i, j = _after_spaces(whole, i), _after_spaces(held, j)
        elif whole[i] != held[j]:
            break
        else:
            i, j = i + 1, j + 1
    # Back to where the word begins that differs.
    while 0 < j < len(held) and held[j].isalnum() and not _begins_a_word(held, j):
        j -= 1
    agreed = held[:j]
    chinese = sum(1 for character in agreed if _is_chinese(character))
    if len(agreed.split()) < _FALSE_START_WORDS and chinese < _FALSE_START_CHINESE:
        return held
    rest = held[j:]
    apart = rest[:1].isalnum() and not _is_chinese(rest[0]) and not whole[-1].isspace()
    return " " + rest if apart else rest


def _after_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _is_chinese(character: str) -> bool:
    return character > "\u2fff"
