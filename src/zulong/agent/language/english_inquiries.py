"""English inquiries: something is to be looked up, and told to somebody, in any order and wording.

"Is the wine still in the cabinet or did somebody take it?", "have a look in the fridge and let Jane know what is there"
and "Paul wants to know how many forks there are, go count them and tell him" are put together from the same parts:
where to look, the question, who is to be told, and what says no more than that. The names are taken out first, so that
every part is one pattern over closed words; a sentence with any other word in it is no inquiry and stays as it is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zulong.agent.language.english_inquiry_words import (
    ANSWERED,
    CORES,
    GUESSED,
    LOOKED,
    NOISE_AFTER,
    NOISE_BEFORE,
    PRESENT,
    REPORTED,
    WONDERED,
    WONDERING,
)
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.english_words import opened, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent
from zulong.agent.language.rewording_english import EnglishBackground
from zulong.agent.language.stretches import Stretch
from zulong.agent.language.tokens import Token

_LONGEST = 240
_SLOT = re.compile(r"\b[TPRNS]\d+\b")
_SPEAKS = re.compile(
    r"\b(?:said|says?|told|tells?|asked|asks?|asking|shouted|wondered|wonders?|wants?|sure|know|idea|find|looking|lost|"
    r"missing|if|whether)\b|[:\"]"
)
_QUANTIFIERS = frozenset(("any", "some", "enough", "more", "any more", "some more"))
_BARE = re.compile(r"\b(is|whether) (T\d+)(?= in\b)")
_DETERMINED = re.compile(r"(?:the|my|our|your|his|her|their|this|that|these|those)\b")
_WHETHER = re.compile(r"(?:if|whether|that)\b")
_DO = re.compile(
    r"\b((?:people|persons|folks?|guests|visitors)(?: (?:in|on|at) [PR]\d+)?) (wave|sit|stand|lie|point|raise)(?= |$|\?)"
)
_DOING = {
    "wave": "waving",
    "sit": "sitting",
    "stand": "standing",
    "lie": "lying",
    "point": "pointing",
    "raise": "raising",
}
_OPENS = re.compile(
    r"(?<= )(?:what|who|where|how|which|is|are|have|has|any|anyone|anybody|can you|could you|will you|would you|tell|go|"
    r"look|"
    r"check|see|find out|let|do you|did|count|list|describe|report|please)\b(?!,)",
    re.IGNORECASE,
)
_OF_MYSELF = re.compile(
    r"(?:because |since |as )?(?:i|we|i'm|we're|i've|we've|my \w+|i'd|i'll|it's|it is)\b(?!.*\b(?:bring|get me|fetch|tell|"
    r"ask|if|otherwise|"
    r"you|take|put|go and|then)\b)[^?]{2,80}",
    re.IGNORECASE,
)
"""What somebody says of himself after a question is no part of it."""
_ENDS = re.compile(r"\s*(?:[,.;!?:]|[-\u2013\u2014]+\s|so\b|but\b)")
_TRAILS = re.compile(
    r"(?<= )(?:i'm|i am|im|we're|we are|my|our|i've|i have|we have|i need to)\b(?!.*\b(?:i'm|i am|im|we're)\b)",
    re.I,
)
_AFTER_TOLD = re.compile(r"\s*[,.;!?:]+\s+|\s+[-\u2013\u2014]+\s+|\s+(?:and|so|but)\s+", re.IGNORECASE)
_MOST_OPENINGS = 6
_THEY = re.compile(r"\b(?:he|she|they)\b")


@dataclass(slots=True)
class _Inquiry:
    """What is known of an inquiry so far; all words are those of the sentence with its names taken out.

    Attributes:
        words: what was not read yet.
        place: where it is looked, "" where no place was named.
        person: who was named, and may be meant by "she".
        listener: who is told, "" for the one who speaks.
        opened: that it is to be looked, or told, was said before the question, so that "if" is no condition.
    """

    words: str
    place: str = ""
    person: str = ""
    listener: str = ""
    opened: bool = False


def plain_inquiry(text: str, vocabulary: Vocabulary, misspelt: bool = False) -> str | None:
    """Return the inquiry as one plain question or "tell ..." order, None when the sentence is anything else.

    Args:
        text: the sentence as it was said, without background.
        vocabulary: knows the names.
        misspelt: words that are nearly one of the lexicon count as that one.
    """
    if len(text) > _LONGEST or '"' in text:
        return None
    said = _spaced(opened(text))
    if PRESENT.search(said) is None:
        return None
    tokens = tokenise(said, vocabulary)
    if not misspelt and any(token.corrected for token in tokens):
        return None
    words, names = _without_names(tokens)
    trimmed = _trimmed(words)
    plain = _read(trimmed, (_wondered, _guessed, _answered, _looked, _reported)) or _read(
        trimmed, (_wondered, _looked, _reported)
    )
    if plain is None:
        return None
    plain = _BARE.sub(lambda found: _any_of(found[1], found[2], names), plain)
    return _SLOT.sub(lambda slot: names[slot[0]], plain)


def _any_of(be: str, slot: str, names: dict[str, str]) -> str:
    """Return "is the milk", but "is there any milk" where the name has no determiner."""
    if _DETERMINED.match(names[slot]):
        return f"{be} {slot}"
    return f"{'is there' if be == 'is' else 'whether there is'} any {re.sub(r'^an? ', '', names[slot])}"


def asked_plainly(
    text: str, vocabulary: Vocabulary, background: EnglishBackground, misspelt: bool = False
) -> str | None:
    """Return the inquiry that a sentence is, whatever is told before or after it, None when it is anything else.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names.
        background: knows what only tells.
        misspelt: words that are nearly one of the lexicon count as that one.
    """
    if len(text) > 2 * _LONGEST or '"' in text or PRESENT.search(text.lower()) is None:
        return None
    plain = plain_inquiry(text, vocabulary, misspelt)
    if plain is not None:
        return plain
    asked, mark, told = text.partition("?")
    if mark and _OF_MYSELF.fullmatch(told.strip()):
        # "What day is it? I lose track."
        plain = plain_inquiry(asked + mark, vocabulary, misspelt)
        if plain is not None:
            return plain
    stretches = background.split(text)
    first = 0
    for number, stretch in enumerate(stretches[:-1], start=1):
        if not beside(stretch, background):
            break
        first = number if _ENDS.match(stretch.mark) else first
    kept = stretches[first:]
    while len(kept) > 1 and _ENDS.match(kept[-2].mark) and beside(kept[-1], background):
        kept = kept[:-1]
    plain = (
        plain_inquiry(background.joined(kept), vocabulary, misspelt) if len(kept) < len(stretches) else None
    )
    return plain if plain is not None else _run_on(background.joined(kept), vocabulary, background, misspelt)


def _run_on(text: str, vocabulary: Vocabulary, background: EnglishBackground, misspelt: bool) -> str | None:
    """Read "dinner is nearly ready what is Adel wearing", where no mark shows what only tells."""
    if re.search(r"[,.;:!?] ?\w", text):
        return None
    trailing = _TRAILS.search(text)
    ends = [len(text)]
    if trailing is not None and beside(Stretch(text[trailing.start() :]), background):
        ends.append(trailing.start())
    for end in ends:
        openings = itertools.islice(_OPENS.finditer(text, 0, end), _MOST_OPENINGS)
        for start in (0, *(opening.start() for opening in openings)):
            if start and not beside(Stretch(text[:start].strip()), background):
                continue
            plain = plain_inquiry(text[start:end].strip(), vocabulary, misspelt)
            if plain is not None:
                return plain
    return None


def told_before(text: str, background: EnglishBackground) -> int:
    """Return where what a sentence tells before its order or question ends, 0 where it begins with that.

    Args:
        text: the sentence.
        background: knows what only tells.
    """
    start = at = 0
    for mark in _AFTER_TOLD.finditer(text):
        said = text[at : mark.start()].strip()
        if said and not beside(Stretch(said), background):
            break
        at = mark.end()
        start = at if _ENDS.match(mark[0]) else start
    return start


def beside(stretch: Stretch, background: EnglishBackground) -> bool:
    """Return whether a stretch only tells something, or is a courtesy; nobody's words are passed by.

    Args:
        stretch: the words, and the mark after them.
        background: knows what only tells.
    """
    if _SPEAKS.search(stretch.text.lower()):
        return False
    return not background.without_courtesies(stretch.text) or background.tells(stretch)


def _spaced(text: str) -> str:
    return re.sub(r"\bstill (?=(?:in|on|at)\b)", "", re.sub(r"\s+", " ", text)).strip()


def _without_names(tokens: list[Token]) -> tuple[str, dict[str, str]]:
    """Return the words with a letter and a number for each name, and what each stands for.

    T is a thing, S the biggest or smallest of things, R a room, P another place, N somebody.
    """
    nouns, names, words, index = NounReader(tokens), dict[str, str](), list[str](), 0
    while index < len(tokens):
        plain = tokens[index].plays("punct", "howmany", "quote") or tokens[index].text in _QUANTIFIERS
        found = None if plain else nouns.read(index, attach=False)
        letter = _letter(found[0]) if found is not None else ""
        if found is None or not letter:
            words.append(tokens[index].text)
            index += 1
            continue
        if letter == "P" and any(token.has("room") for token in tokens[index : found[1]]):
            letter = "R"
        slot = f"{letter}{len(names)}"
        names[slot] = " ".join(token.text for token in tokens[index : found[1]]).replace(" 's", "'s")
        words.append(slot)
        index = found[1]
    return re.sub(r" (?=[.,;:!?])", "", " ".join(words)), names


def _letter(referent: Referent) -> str:
    if referent.pronoun or referent.unknown:
        return ""
    if referent.kind == "place":
        return "P"
    if referent.superlative and referent.kind == "object":
        return "S"
    if referent.kind == "person":
        return "N" if referent.ids or (referent.definite and not referent.plural) else ""
    return "T" if referent.ids or referent.name or referent.category else ""


def _trimmed(words: str) -> str:
    """Leave out what is said for politeness before and after."""
    before = None
    while before != words:
        before = words
        words = NOISE_AFTER.sub("", NOISE_BEFORE.sub("", words)).strip(" ,.;:!")
    return words


def _read(words: str, frames: Sequence[Callable[[_Inquiry], None]]) -> str | None:
    """Read the inquiry from the outside in: who wonders, where to look, who is told, and then the question."""
    inquiry = _Inquiry(words)
    for frame in frames:
        frame(inquiry)
    question = _question(inquiry)
    if question is None or not inquiry.listener:
        return question
    return f"tell {inquiry.listener} {question}"


def _wondered(inquiry: _Inquiry) -> None:
    """Read "Jane wants to know ..."."""
    found = WONDERED.match(inquiry.words)
    if found is not None:
        inquiry.listener, inquiry.opened = found["who"], True
        inquiry.words = inquiry.words[found.end() :]


def _guessed(inquiry: _Inquiry) -> None:
    """Read "I think Jane is in the office, can you check?"."""
    found = GUESSED.match(inquiry.words)
    if found is not None and not inquiry.listener:
        inquiry.words = f"{found['be']} {found['what']} in {found['at']}"


def _answered(inquiry: _Inquiry) -> None:
    """Read "..., go and look, and tell him" at the end."""
    while (found := ANSWERED.search(inquiry.words)) is not None:
        who = found["who"] or ""
        if who and not _listens(inquiry, who):
            return
        inquiry.words = inquiry.words[: found.start()].rstrip(" ,.;?!")


def _listens(inquiry: _Inquiry, who: str) -> bool:
    """Take somebody for the listener; False where it is not clear who that is."""
    if who in ("me", "us"):
        return not inquiry.listener
    if who in ("him", "her", "them"):
        return bool(inquiry.listener)
    if inquiry.listener not in ("", who):
        return False
    inquiry.listener = who
    return True


def _looked(inquiry: _Inquiry) -> None:
    """Read "have a look in the fridge and ..." at the start."""
    found = LOOKED.match(inquiry.words)
    if found is None:
        return
    named = found["at"] or ""
    if named.startswith("N"):
        inquiry.person = named
    else:
        inquiry.place = named
    inquiry.opened = True
    inquiry.words = inquiry.words[found.end() :]


def _reported(inquiry: _Inquiry) -> None:
    """Read "let Jane know ...", "find out ...", "I wonder ..." before the question."""
    while (found := REPORTED.match(inquiry.words) or WONDERING.match(inquiry.words)) is not None:
        who = found.groupdict().get("who") or ""
        if who and not _listens(inquiry, who):
            return
        inquiry.opened = True
        inquiry.words = inquiry.words[found.end() :]


def _question(inquiry: _Inquiry) -> str | None:
    words = inquiry.words
    if inquiry.person and _THEY.search(words):
        words = _THEY.sub(inquiry.person, words, count=1)
    words = _DO.sub(lambda found: f"{found[1]} are {_DOING[found[2]]}", words)
    words = re.sub(r"\s+", " ", words).strip(" ,.;:!")
    for pattern, plain, embedded in CORES:
        found = pattern.fullmatch(words) or pattern.fullmatch(words.rstrip(" ?"))
        if found is None or (_WHETHER.match(words) and not inquiry.opened):
            continue
        parts = {name: said for name, said in found.groupdict().items() if said}
        parts.setdefault("at", inquiry.place)
        if not parts["at"]:
            del parts["at"]
        form = embedded if inquiry.listener else plain
        if "{at}" in form and "at" not in parts:
            continue
        if inquiry.place and parts.get("at", inquiry.place) != inquiry.place:
            return None
        return form.format(**parts)
    return None
