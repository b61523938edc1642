"""Self-repairs inside an English sentence, carried out before it is read: "four, er, two apples" is "two apples".

Who speaks off the cuff hesitates ("um"), begins again ("bring me, um, bring me the milk"), looks for a word ("the,
what's it called, the spoon") and puts one word right by another ("the drinks, wait, the snacks, on the side tables").
A repair is carried out only where what is put in its place is of the same kind as what stood before: a number for a
number, a thing for a thing, a place for a place, a person for a person, the same verb for the same verb. All else is
left as it was said; the grammar reads the corrections that change an order as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import NUMBER_WORDS

_STRONG = (
    "no wait", "wait no", "no sorry", "sorry no", "no i mean", "sorry i mean", "i mean", "i meant", "i should say",
    "scratch that", "scrap that", "strike that", "correction", "my mistake", "my bad", "hang on", "hold on", "wait",
    "sorry", "or rather", "rather", "oops", "whoops", "no make that", "make that", "make it", "actually", "silly me",
    "what am i saying", "excuse me", "pardon", "no", "nope", "not that", "no no", "let me think", "wrong", "beg pardon",
    "i beg your pardon", "no hang on", "no hold on", "well no", "oh no", "or no", "actually no", "no actually",
)  # fmt: skip
"""What takes back the words before it."""
_WEAK = (
    "um",
    "umm",
    "uhm",
    "uh",
    "uhh",
    "er",
    "err",
    "erm",
    "hmm",
    "hm",
    "mm",
    "ah",
    "oh",
    "eh",
    "like",
    "well",
    "you know",
)
"""What only fills a pause."""
_SEEKING = (
    "what is it called", "what's it called", "whats it called", "what do you call it", "what do they call it",
    "what's the word", "what is the word", "how do you say", "how do you call it", "what's its name", "whatsit",
    "whatchamacallit", "thingy", "thing", "you know", "what was it", "let me see", "let me think", "what is the name",
    "what's the name", "i forget the name", "i forgot the name", "i forget the word",
)  # fmt: skip
"""What is said while a word is looked for."""
_SAID_AFTER = frozenset(
    (("i", "mean"), ("i", "meant"), ("i", "should", "say"), ("rather",), ("i", "mean", "sorry"))
)
"""What says afterwards that the last name is the right one."""
_WANTING = frozenset(
    (
        "want",
        "need",
        "like",
        "me",
        "have",
        "fancy",
        "get",
        "bring",
        "take",
        "fetch",
        "find",
        "put",
        "grab",
        "give",
        "is",
    )
)
"""Words that a name is expected after."""
_APART = frozenset(("wait", "like", "thing", "thingy", "actually", "rather", "well", "sorry", "wrong"))
"""Words of repair that mean something else where no mark sets them apart."""
_DETERMINERS = frozenset(
    ("the", "a", "an", "my", "your", "our", "his", "her", "that", "this", "some", "those", "these")
)
_PREPOSITIONS = frozenset(
    (
        "in",
        "on",
        "at",
        "to",
        "into",
        "onto",
        "from",
        "by",
        "near",
        "beside",
        "inside",
        "under",
        "behind",
        "for",
        "off",
    )
)
_UNITS = frozenset(
    ("second", "seconds", "sec", "secs", "minute", "minutes", "min", "mins", "hour", "hours", "times")
)
_AFTER_NAME = frozenset(
    (
        "and",
        "then",
        "please",
        "that",
        "if",
        "whether",
        "to",
        "who",
        "which",
        "thanks",
        "ta",
        "cheers",
        "instead",
        "too",
    )
)
"""What may follow a name that was put in the place of another; a verb of its own would begin a statement."""
_PIECE = re.compile(r"\.\.\.|\u2026|[a-z]+(?:['\u2019-][a-z]+)*|\d+(?:[.:-]\d+)*|[^\s\w]", re.IGNORECASE)
_MARKS = frozenset((",", ".", ";", ":", "-", "\u2013", "\u2014", "...", "\u2026", "!", "?"))
_THING, _PLACE, _PERSON = ("object", "category"), ("room", "placement"), ("person", "person_noun")
_COLOURS = ("colour", "size")
_MOST_WORDS = 80


@dataclass(slots=True, frozen=True)
class _Piece:
    """A word or mark: in lower case, as it was said, and where it stands in the text."""

    word: str
    said: str
    start: int
    end: int


@dataclass(slots=True, frozen=True)
class _Edit:
    """Words of repair: from piece ``start`` up to piece ``end``, the marks around them included."""

    start: int
    end: int
    strong: bool
    seeking: bool


@dataclass(slots=True, frozen=True)
class _Name:
    """A name with its determiner: from piece ``start`` up to piece ``end``."""

    start: int
    end: int
    kind: str


_PHRASES: dict[tuple[str, ...], tuple[bool, bool]] = {}
for _words, _is_strong, _seeks in ((_WEAK, False, False), (_SEEKING, False, True), (_STRONG, True, False)):
    for _phrase in _words:
        _PHRASES.setdefault(tuple(_phrase.split()), (_is_strong, _seeks))
_FIRST = frozenset(phrase[0] for phrase in _PHRASES)
_LONGEST = max(map(len, _PHRASES))
_SLURRED = re.compile(
    r"\b(\w+(?: \w+){0,3})[\s,.;\u2026-]+(?:(?:u+m+|u+h+m?|e+r+m*|h+m+)[\s,.;\u2026-]+)*\1\b", re.IGNORECASE
)
_BEGUN_AGAIN = frozenset(
    (*_DETERMINERS, *_PREPOSITIONS, "bring", "get", "fetch", "give", "take", "put", "go", "tell", "ask", "can", "could",
     "would", "please", "me", "i", "you", "and", "then", "it", "is", "where", "what", "who", "how", "with", "of")
)  # fmt: skip


def repaired(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with its self-repairs carried out; one without any comes back as it is.

    Args:
        text: the sentence as it was said.
        vocabulary: the words of the lexicon and the map.
    """
    if '"' in text or "\u201c" in text or len(text) > 600:
        return text
    text = _without_repetition(text)
    for _ in range(4):
        pieces = [
            _Piece(m.group().lower().replace("\u2019", "'"), m.group(), *m.span())
            for m in _PIECE.finditer(text)
        ]
        if len(pieces) > _MOST_WORDS:
            return text
        edits = _edits(pieces)
        cuts = (_cut(pieces, edit, vocabulary) if edit.end < len(pieces) else None for edit in edits)
        cut = next((cut for cut in cuts if cut is not None), None)
        late = (_afterthought(pieces, edit, vocabulary) for edit in edits)
        cut = cut if cut is not None else next((cut for cut in late if cut is not None), None)
        if cut is None:
            return text
        (start, end), put = cut
        before, after = text[: pieces[start].start], text[pieces[end - 1].end :] if end > start else ""
        text = re.sub(r"\s+", " ", f"{before}{put}{after}").replace(" ,", ",").strip()
    return text


def _without_repetition(text: str) -> str:
    """Leave out what was begun twice: "bring me, um, bring me the the mustard"."""

    def once(found: re.Match[str]) -> str:
        words = found[1].lower().split()
        hesitates = re.search(r"(?i)\b(?:u+m+|u+h+m?|e+r+m*|h+m+)\b", found[0][len(found[1]) :]) is not None
        begun = words[0] in _BEGUN_AGAIN and not any(word.isdigit() or word in NUMBER_WORDS for word in words)
        ended = re.search(r"[.;!?]", found[0]) is not None
        small = words[0] in _DETERMINERS or words[0] in _PREPOSITIONS
        sure = len(words) > 1 or hesitates or small or "," not in found[0]
        return found[1] if begun and not ended and sure else found[0]

    return _SLURRED.sub(once, text)


def _edits(pieces: Sequence[_Piece]) -> list[_Edit]:
    """Return the words of repair in the sentence, each run with the marks around it as one."""
    found: list[_Edit] = []
    at = 0
    while at < len(pieces):
        start, end, strong, seeking, some = at, at, False, False, False
        while end < len(pieces):
            if pieces[end].word in _MARKS:
                end += 1
                continue
            length = _phrase_at(pieces, end)
            if not length:
                break
            words = tuple(piece.word for piece in pieces[end : end + length])
            strong, seeking = strong or _PHRASES[words][0], seeking or _PHRASES[words][1]
            some, end = True, end + length
        broken = any(pieces[i].word in ("...", "\u2026", "-", "\u2013", "\u2014") for i in range(start, end))
        if (some or broken) and start:
            found.append(_Edit(start, end, strong, seeking))
        at = max(end, at + 1)
    return found


def _phrase_at(pieces: Sequence[_Piece], at: int) -> int:
    """Return how many pieces of words of repair start here, 0 when they mean something else."""
    if pieces[at].word not in _FIRST:
        return 0
    for length in range(min(_LONGEST, len(pieces) - at), 0, -1):
        words = tuple(piece.word for piece in pieces[at : at + length])
        if words not in _PHRASES:
            continue
        before = pieces[at - 1].word if at else ""
        after = pieces[at + length].word if at + length < len(pieces) else ""
        apart = before in _MARKS or before == "" or after in _MARKS
        if words in (("no",), ("nope",)):
            # "no sugar" leaves something out, it puts nothing right.
            marked = after in _MARKS or after in _DETERMINERS or _number(after) or (after,) in _PHRASES
            return length if marked and before != "say" else 0
        if len(words) == 1 and words[0] in _APART:
            return length if apart and (words[0] != "wait" or after in _MARKS or after in _DETERMINERS) else 0
        if words in (("make", "it"), ("make", "that"), ("you", "know"), ("hold", "on"), ("hang", "on")):
            return length if apart else 0
        return length
    return 0


def _number(word: str) -> bool:
    return word in NUMBER_WORDS or word.isdigit()


def _cut(pieces: Sequence[_Piece], edit: _Edit, vocabulary: Vocabulary) -> tuple[tuple[int, int], str] | None:
    """Return which pieces are to be left out, and what is put in their place; None when nothing is repaired."""
    right = edit.end
    numbers = _numbers(pieces, edit)
    if numbers is not None:
        return numbers
    name = _name_at(pieces, right, vocabulary)
    dangling = edit.start - 1
    left = pieces[dangling].word
    if (left in _DETERMINERS or _is(left, _COLOURS, vocabulary)) and name is not None and name.kind:
        # "the, what's it called, the spoon", "the red, sorry, the blue cup"
        start = dangling
        while start > 0 and (
            pieces[start - 1].word in _DETERMINERS or _is(pieces[start - 1].word, _COLOURS, vocabulary)
        ):
            start -= 1
        article = (
            "" if pieces[right].word in _DETERMINERS or name.kind == "person" else f"{pieces[start].said} "
        )
        return (start, right), article
    if left in _PREPOSITIONS and pieces[right].word in _PREPOSITIONS:
        compound = dangling > 0 and pieces[dangling - 1].word in (
            "next",
            "close",
            "out",
            "over",
            "back",
            "up",
        )
        return (dangling - compound, right), ""
    if left in _PREPOSITIONS and left != "off" and name is not None:
        return (edit.start, right), " "
    if left in _WANTING and not edit.strong and (pieces[right].word in _DETERMINERS or name is not None):
        # "I want, hmm, let me think, the iced tea"
        return (edit.start, right), " "
    begun = _begun_again(pieces, edit, vocabulary) if edit.strong else None
    if begun is not None:
        return begun
    old = _name_before(pieces, edit.start, vocabulary)
    if old is None or edit.seeking or _denied(pieces, old):
        return None
    phrase = _prepositional(pieces, right, vocabulary)
    if (
        phrase is not None
        and phrase.kind == old.kind == "place"
        and pieces[old.start - 1].word in _PREPOSITIONS
    ):
        # "on the kitchen ... er, in the sink"
        return (old.start - 1, right), ""
    if name is None or name.kind != old.kind or not edit.strong or not _ends(pieces, name):
        return None
    if _colour_only(pieces, name, vocabulary):
        return None
    bare = name.kind != "person" and pieces[name.start].word not in _DETERMINERS
    article = pieces[old.start].said + " " if bare and pieces[old.start].word in _DETERMINERS else ""
    if _number(pieces[name.start].word) or article.strip() in ("a", "an"):
        article = ""
    if _closes_repair(pieces, name.end):
        # "the drinks, wait, the snacks, on the side tables": the comma belonged to the repair.
        return (old.start, name.end + 1), article + _said(pieces[name.start : name.end])
    return (old.start, right), article


def _afterthought(
    pieces: Sequence[_Piece], edit: _Edit, vocabulary: Vocabulary
) -> tuple[tuple[int, int], str] | None:
    """Read "find Adel - Axel, I mean - and ...": what is put right is said to be so afterwards."""
    words = [piece.word for piece in pieces[edit.start : edit.end] if piece.word not in _MARKS]
    new = _name_before(pieces, edit.start, vocabulary)
    if (
        new is None
        or tuple(words) not in _SAID_AFTER
        or new.start < 2
        or pieces[new.start - 1].word not in _MARKS
    ):
        return None
    start = new.start
    while start > 0 and pieces[start - 1].word in _MARKS:
        start -= 1
    old = _name_before(pieces, start, vocabulary)
    if old is None or old.kind != new.kind or _denied(pieces, old):
        return None
    return (old.start, edit.end), _said(pieces[new.start : new.end]) + " "


def _denied(pieces: Sequence[_Piece], name: _Name) -> bool:
    """Tell "not the bedroom, I meant the kitchen", which the grammar reads as a whole."""
    before = {piece.word for piece in pieces[max(name.start - 2, 0) : name.start]}
    return bool(before & {"not", "no", "than", "of", "isn't", "wasn't", "never", "except", "but", "nor"})


def _said(pieces: Sequence[_Piece]) -> str:
    return " ".join(piece.said for piece in pieces)


def _closes_repair(pieces: Sequence[_Piece], at: int) -> bool:
    """Tell whether a comma stands here after which the sentence goes on as if nothing had been put right."""
    if at + 1 >= len(pieces) or pieces[at].word not in (",", "-", "\u2013", "\u2014"):
        return False
    after = pieces[at + 1].word
    return (
        after in _PREPOSITIONS or after in _DETERMINERS or after in ("that", "if", "whether", "please", "who")
    )


def _numbers(pieces: Sequence[_Piece], edit: _Edit) -> tuple[tuple[int, int], str] | None:
    """Read "four, er, two apples", "ten - no, twenty seconds" and "ten seconds, no, twenty"."""
    right = edit.end
    if (
        edit.strong
        and right + 1 < len(pieces)
        and edit.start > 1
        and pieces[right].word in _PREPOSITIONS
        and pieces[edit.start - 2].word == pieces[right].word
        and _number(pieces[edit.start - 1].word)
    ):
        # "at six, correction, at seven"
        right += 1
    if not _number(pieces[right].word):
        return None
    if _number(pieces[edit.start - 1].word):
        comma = right + 2 < len(pieces) and pieces[right + 1].word in (",", "-", "\u2013", "\u2014")
        return (edit.start - 1, right + 2 if comma else right), pieces[right].said if comma else ""
    after = pieces[right + 1].word if right + 1 < len(pieces) else ""
    last = after == "" or after in _MARKS
    for back in range(2, 5):
        if edit.start < back or not edit.strong:
            break
        first = pieces[edit.start - back].word
        if not _number(first):
            continue
        counted = [piece.word for piece in pieces[edit.start - back + 1 : edit.start]]
        again = [piece.word for piece in pieces[right + 1 : right + 1 + len(counted)]]
        if last:
            return (edit.start - back, right + 1), " ".join([pieces[right].said, *counted])
        if (counted[-1] in _UNITS and after in _UNITS) or again == counted:
            return (edit.start - back, right), ""
        break
    return None


def _begun_again(
    pieces: Sequence[_Piece], edit: _Edit, vocabulary: Vocabulary
) -> tuple[tuple[int, int], str] | None:
    """Read "ask Jane, actually ask Simone, if she has it": the verb is said again with another name."""
    verb = pieces[edit.end].word
    if not _is(verb, ("verb",), vocabulary):
        return None
    for back in range(edit.start - 1, max(edit.start - 6, -1), -1):
        if pieces[back].word in _MARKS:
            return None
        if pieces[back].word != verb:
            continue
        old, new = _name_at(pieces, back + 1, vocabulary), _name_at(pieces, edit.end + 1, vocabulary)
        whole = old is not None and old.end == edit.start
        if new is None or old is None or not whole or new.kind != old.kind:
            return None
        if new.end + 1 >= len(pieces) or pieces[new.end].word != ",":
            # Said to the end it is an order of its own, which the grammar takes for a correction.
            return None
        return (back, new.end + 1), _said(pieces[edit.end : new.end])
    return None


def _is(word: str, kinds: tuple[str, ...], vocabulary: Vocabulary) -> bool:
    return any(sense.kind in kinds for sense in vocabulary.english.get((word,), ()))


def _kind_of(words: tuple[str, ...], vocabulary: Vocabulary) -> str:
    """Return what the words name: "thing", "place", "person", or "" when they are no name."""
    words = tuple(part for word in words for part in re.split(r"(?='s$)", word) if part)
    for sense in vocabulary.english.get(words, ()):
        for kind, senses in (("thing", _THING), ("place", _PLACE), ("person", _PERSON)):
            if sense.kind in senses:
                return kind
    return ""


def _name_at(pieces: Sequence[_Piece], at: int, vocabulary: Vocabulary) -> _Name | None:
    """Return the name that starts here, with its determiner and colour."""
    start = at
    while at < len(pieces) and (
        pieces[at].word in _DETERMINERS
        or _number(pieces[at].word)
        or (_is(pieces[at].word, _COLOURS, vocabulary) and not _kind_of((pieces[at].word,), vocabulary))
    ):
        at += 1
    for length in range(min(3, len(pieces) - at), 0, -1):
        kind = _kind_of(tuple(piece.word for piece in pieces[at : at + length]), vocabulary)
        if kind:
            return _Name(start, at + length, kind)
    return None


def _name_before(pieces: Sequence[_Piece], end: int, vocabulary: Vocabulary) -> _Name | None:
    """Return the name that ends here, with its determiner and colour."""
    for length in range(min(3, end), 0, -1):
        kind = _kind_of(tuple(piece.word for piece in pieces[end - length : end]), vocabulary)
        if not kind:
            continue
        start = end - length
        while start > 0 and (
            pieces[start - 1].word in _DETERMINERS
            or _number(pieces[start - 1].word)
            or _is(pieces[start - 1].word, _COLOURS, vocabulary)
        ):
            start -= 1
        return _Name(start, end, kind)
    return None


def _prepositional(pieces: Sequence[_Piece], at: int, vocabulary: Vocabulary) -> _Name | None:
    if pieces[at].word not in _PREPOSITIONS:
        return None
    return _name_at(pieces, at + 1, vocabulary)


def _ends(pieces: Sequence[_Piece], name: _Name) -> bool:
    """Tell whether nothing follows the name that would make it the subject of a statement."""
    if name.end >= len(pieces):
        return True
    after = pieces[name.end].word
    given = name.kind == "person" and (after in _DETERMINERS or _number(after))
    return after in _MARKS or after in _PREPOSITIONS or after in _AFTER_NAME or given


def _colour_only(pieces: Sequence[_Piece], name: _Name, vocabulary: Vocabulary) -> bool:
    """Tell "no, the red one": the thing is still the one that was named before."""
    return all(
        piece.word in _DETERMINERS
        or (_is(piece.word, _COLOURS, vocabulary) and not _kind_of((piece.word,), vocabulary))
        for piece in pieces[name.start : name.end]
    )
