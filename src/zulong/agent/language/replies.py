"""A turn of a dialogue taken apart before it is read: the answer, what follows it, and what rules something out.

"Which cup?" - "the red one, and a plate": the answer, and one more order. "Not the red one" is no answer: it says
what not to take, and is asked about again instead of being read as the red one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zulong.agent.language.meaning import Meaning, Referent
from zulong.agent.language.reply_words import (
    ADDED,
    AROUND,
    CANCELS,
    COMMA,
    CONTRARY,
    CONTRAST,
    CORRECTING,
    EITHER,
    IF_THERE,
    JOINT,
    NO,
    NUMBERS,
    ORDINAL,
    PLAINLY,
    RULES_OUT,
    TIME,
    WHAT_ABOUT,
    YES,
)
from zulong.agent.language.tokens import language_of

Doubt = Literal["", "instead", "choice", "time", "again"]


@dataclass(slots=True, frozen=True)
class Reply:
    """One turn of the person.

    Attributes:
        answer: the words that answer the question, correct what was said or order something themselves.
        more: the pieces that follow an answer, each an order or another thing for the same order.
        doubt: why it cannot be acted on: ``instead`` (it only says what not to do), ``choice`` (it leaves a
            choice open), ``time`` (it says when, of what has no time), ``again`` (it only hurries), "" when it can.
        kind: the kind of what it names, for the question.
    """

    answer: str
    more: tuple[str, ...] = ()
    doubt: Doubt = ""
    kind: str = ""


def take_apart(text: str, context: Mapping[str, Any], read: Callable[[str], Meaning]) -> Reply:
    """Return the parts of a turn after others; ``context`` is that of the result before it."""
    pending = context.get("pending") or {}
    slot = str(pending.get("slot") or "")
    if not context.get("clauses") or slot == "text":
        return Reply(text)
    language = language_of(text)
    text = _in_plain_order(text, language, context)
    plain = text.strip().strip("。！!.").strip()
    if slot == "confirmation":
        for agreed, words in ((True, YES[language]), (False, NO[language])):
            if words.fullmatch(plain.lower()):
                return Reply(PLAINLY[language][agreed])
    added = _CORRECTED_AND_ADDED.fullmatch(plain) if not slot and language == "zh" else None
    if added is not None:
        return Reply(added["first"], (added["added"],))
    if pending.get("question") and _HURRY.fullmatch(plain.lower()):
        return Reply(text, doubt="again")
    option = _chosen(plain, [str(each) for each in pending.get("options") or ()], language)
    if option is not None:
        return Reply(option)
    if not slot and _untold_time(text, context):
        return Reply(text, doubt="time")
    meaning = read(text)
    if slot and meaning.clauses and all(c.negated and any(c.referents()) for c in meaning.clauses):
        # "Where to?" - "do not go to the kitchen"
        return Reply(text, doubt="instead", kind=next(meaning.clauses[0].referents()).kind)
    if _orders(meaning):
        return _answer_and_orders(text, slot, language, read)
    return _without_orders(text, slot, language, read)


def _answer_and_orders(text: str, slot: str, language: str, read: Callable[[str], Meaning]) -> Reply:
    """Tell the answer from the orders that follow it."""
    pieces = _pieces(text, language)
    if not slot or len(pieces) < 2:
        return Reply(text)
    first = read(pieces[0].words)
    answers = bool(first.fragment) or first.affirmation is True or _lasts(first, slot)
    if not answers or _orders(first) or first.leftover or RULES_OUT[language].search(pieces[0].words.lower()):
        return Reply(text)
    if any(piece.contrary or RULES_OUT[language].search(piece.words.lower()) for piece in pieces[1:]):
        return Reply(text, doubt="instead", kind=_kind(first))
    rest = text[text.index(pieces[0].words) + len(pieces[0].words) :]
    return Reply(pieces[0].words, (JOINT[language].sub("", rest, count=1).strip(" ,，"),))


def _without_orders(text: str, slot: str, language: str, read: Callable[[str], Meaning]) -> Reply:
    """Tell what a turn without a verb says, leaves open and rules out."""
    pieces = _pieces(text, language)
    ruled_out = [piece for piece in pieces if RULES_OUT[language].search(piece.words.lower())]
    meaning = read(text)
    if not meaning.fragment and not ruled_out and not _lasts(meaning, slot):
        return Reply(text)
    if any(piece.contrary for piece in pieces) and not ruled_out:
        return Reply(text, doubt="instead", kind=_kind(meaning))
    if ruled_out:
        left = [piece for piece in pieces if piece not in ruled_out]
        read_left = [(piece, read(piece.words)) for piece in left]
        named = [piece for piece, meant in read_left if _kind(meant)]
        kinds = {_kind(meant) for _, meant in read_left} - {""}
        denied = {_kind(read(CONTRAST[language].sub("", piece.words))) for piece in ruled_out}
        contrast = all(CONTRAST[language].match(piece.words.lower()) for piece in ruled_out)
        if named and contrast and len(kinds) == 1 and denied <= kinds:
            words = COMMA[language].join(piece.words for piece in named)
            return Reply(words if slot else CORRECTING[language] + words)
        if CANCELS[language].search(text.lower()):
            return Reply(text)
        return Reply(text, doubt="instead", kind=next(iter(denied), ""))
    if EITHER[language].search(text.lower()) and len(_named(meaning)) + len(meaning.leftover) > 0:
        return Reply(text, doubt="choice", kind=_kind(meaning))
    if len(pieces) > 1:
        return _list_of(text, pieces, read)
    return Reply(text)


def _list_of(text: str, pieces: Sequence[_Piece], read: Callable[[str], Meaning]) -> Reply:
    """Read "the red one and the blue one" and "yes, and a plate" one by one, if each piece is clear by itself."""
    meanings = [read(piece.words) for piece in pieces]
    clear = all(not m.leftover and (len(m.fragment) == 1 or m.affirmation is True) for m in meanings)
    things = [m.fragment[0] for m in meanings if m.fragment]
    several = [t for t in things if t.pronoun not in ("it", "them")]
    alike = len({t.kind for t in several}) <= 1 and len(several) == len(things)
    if not clear or not alike or any(piece.contrary for piece in pieces[1:]):
        return Reply(text)
    return Reply(pieces[0].words, tuple(piece.words for piece in pieces[1:]))


@dataclass(slots=True, frozen=True)
class _Piece:
    words: str
    contrary: bool


def _in_plain_order(text: str, language: str, context: Mapping[str, Any]) -> str:
    """Put what a turn adds for somebody else the plain way: "Robin wants one too" is "and for Robin"."""
    for pattern, plain in ADDED[language]:
        text = pattern.sub(plain, text)
    last = context["clauses"][-1]
    if language == "zh" and last.get("topic") == "exists":
        text = _if_there(text, last)
    if language == "zh" and (last.get("topic") or last.get("action") in ("count", "describe", "ask")):
        text = WHAT_ABOUT.sub(r"还有\1", text)
    return text


def _if_there(text: str, asked: Mapping[str, Any]) -> str:
    """Return 「有就拿来」 after 「冰箱里有牛奶吗？」 with what it hangs on."""
    hangs = IF_THERE.match(text.strip())
    thing = str((asked.get("theme") or {}).get("text") or "")
    where = str((asked.get("where") or {}).get("text") or "")
    if hangs is None or not thing or not where:
        return text
    return f"如果{where}有{thing}就{hangs['rest']}"


def _untold_time(text: str, context: Mapping[str, Any]) -> bool:
    """Tell "in ten minutes" after an order that has no part for a time."""
    if _STAYS.match(text.strip()):
        return False
    return TIME.fullmatch(text.strip()) is not None and context["clauses"][-1].get("action") != "wait"


# It hurries, and answers nothing of what was asked.
_HURRY = re.compile(
    r"(?:你)?(?:倒是)?(?:快点儿?|快一点儿?|快|赶紧(?:的)?|赶快|麻利点儿?|磨蹭什么|别磨蹭)(?:呀|啊|吧|嘛|哈|了|,|，|!|！)*|"
    r"(?:come on|hurry(?: up)?|quick(?:ly)?|chop chop|get on with it)(?: (?:now|then|please))?"
)
# 「改一个吧，再加个梨」
_CORRECTED_AND_ADDED = re.compile(
    r"(?P<first>(?:不对，(?:是)?|换成|改成|还有)[^，]{1,10})，(?:再|另外再?|还要|外加|顺便再?|然后再)(?:加|来|拿|要|给我拿|带|添)上?(?P<added>[^，]{1,10})"
)
_STAYS = re.compile(r"(?:and |then |please )*(?:wait|stay|pause|hold on)\b", re.IGNORECASE)


def _pieces(text: str, language: str) -> list[_Piece]:
    found: list[_Piece] = []
    at, contrary = 0, False
    for joint in [*JOINT[language].finditer(text), None]:
        words = text[at : joint.start() if joint is not None else len(text)].strip(" ,，。.!！")
        if words:
            found.append(_Piece(words, contrary))
        if joint is not None:
            at = joint.end()
            contrary = CONTRARY[language].search(joint.group().lower()) is not None
    return found


def _orders(meaning: Meaning) -> bool:
    """Tell whether a verb was said: "two minutes" is read as waiting, but orders nothing."""
    return any(
        not (clause.inferred or (clause.action == "wait" and _bare_time(meaning)))
        for clause in meaning.clauses
    )


def _bare_time(meaning: Meaning) -> bool:
    return len(meaning.clauses) == 1 and TIME.fullmatch(meaning.text.strip()) is not None


def _lasts(meaning: Meaning, slot: str) -> bool:
    return slot == "duration" and len(meaning.clauses) == 1 and meaning.clauses[0].action == "wait"


def _named(meaning: Meaning) -> list[Referent]:
    return [referent for referent in meaning.fragment if not referent.pronoun]


def _kind(meaning: Meaning) -> str:
    if meaning.fragment:
        return meaning.fragment[0].kind
    wished = next((clause.theme for clause in meaning.clauses if clause.inferred), None)
    return wished.kind if wished is not None else ""


def _chosen(plain: str, options: Sequence[str], language: str) -> str | None:
    """Return the option that the words are a part of, or count to, None when there is none or more than one."""
    if not options:
        return None
    ordinal = ORDINAL[language].fullmatch(plain.lower())
    if ordinal is not None:
        number = NUMBERS.get(ordinal.group(1))
        if number is not None and -len(options) <= number < len(options):
            return options[number]
    core = AROUND[language].sub("", plain.lower()).strip()
    if not core:
        return None
    if language == "zh":
        fits = [option for option in options if core in option.lower()]
    else:
        said = core.split()
        fits = [option for option in options if set(said) <= set(option.lower().split())]
    exact = [option for option in fits if option.lower() == core]
    return exact[0] if exact else fits[0] if len(fits) == 1 else None
