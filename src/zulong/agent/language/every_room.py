"""「每个房间」 and "every room" spelled out: the same order for one room after the other.

A search names no room then: who looks for a thing without being told where looks in every room anyway.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ENGLISH = re.compile(
    r"\b(?:every(?: single)?|each(?: and every)?|all(?: of)? the) rooms?\b"
    r"(?: (?:of|in) (?:the|this) (?:house|apartment|flat|home))?"
    r"(?:,? (?:in turn|one by one|one after (?:the other|another)))?",
    re.IGNORECASE,
)
_CALLING_IN = re.compile(
    r"\b(?:(?:look|pop|drop|call|peek|stick your head|poke your head) (?:in on|into|in at|by)|look in|check in on|go into|"
    r"go through|make a round of|do a round of|tour|patrol) "
    r"(?=(?:every(?: single)?|each(?: and every)?|all(?: of)? the) rooms?(?:[,.;!?]|$| and | then | once\b))",
    re.IGNORECASE,
)
_ENGLISH_CLAUSES = re.compile(r"(,? (?:and then|then|and) |[,;.!?]+ ?)", re.IGNORECASE)
_LOOKING_IN = re.compile(r"\b(?:look|search|find|hunt)\b", re.IGNORECASE)
_IN_IT = re.compile(r"\s*\b(?:in|through|inside|around) $", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?:每(?:一)?[个间]|各[个间]?|所有的?|全部的?|挨个|逐[个间]|一[个间][个间]|每)(?:房间|屋子|屋儿?|房(?!子|门|东|里))(?:里面?|内)?"
)
_CHINESE_CLAUSES = re.compile(r"([，。；！？,;]+(?:然后|再|接着)?)")
_CHINESE_GOING = re.compile(
    r"(?P<open>(?:请|你|您|帮我|麻烦你?|劳驾|去|到|在|把|先|给我|家里|全家|屋里|就)*)\0(?:都|各|给我|挨个|全|你|要|得)*(?:去|走|转|看|巡视|跑|检查|巡|逛|溜达|巡逻)?(?:到|过|上)?(?:一?[遍下趟圈转看逛眼]*)(?:吧|好吗|了)?"
)
_SEEKING = re.compile(r"找|搜|寻")
_BUT = re.compile(
    r"^,? (?:except|but|apart from|other than|besides)(?: for)?(?: not)? (?:the )?([a-z ]+?)(?= and | then |$)",
    re.IGNORECASE,
)
_BUT_CHINESE = re.compile(r"(?:除了|除开|除)([^，。]{1,6}?)(?:以外|之外|外)?的?(?:其他|其它|其余)?的?$")
_LEFT_OUT = re.compile(
    r"\b(?:except|but|apart|other than|besides|not)\b|除了|除开|以外|之外|除外|别|不", re.IGNORECASE
)
_GOING = re.compile(
    r"(?:^|\b)(?:go|drive|walk|visit|move|head|proceed|run|check|roll|travel|pop|wander|patrol)"
    r"(?: (?:on|over|up|round|around|back))?(?: (?:to|into|through|in|inside|around|round))? $",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"(?:please |just |quickly )?(?:say|announce|shout|call out|count|greet|describe|tell (?:me|us|everyone|everybody)|"
    r"let (?:me|us) know|report|see|check|find out|ask|have a look|look (?:around|if|whether|who|what))\b"
    r"(?!.*\b(?:all in all|in total|altogether|at the end|afterwards|when you are done)\b)",
    re.IGNORECASE,
)
_THERE_CHINESE = re.compile(
    r"(?:再|就|都)?(?:告诉我|跟我说|报告|汇报|看看|数|说|喊)(?!.*(?:一共|总共|加起来))"
)
"""What is done in each of the rooms that are gone to."""


def spelled_out(text: str, rooms: Sequence[str], language: str) -> str:
    """Return the sentence with an order about every room given for each of ``rooms``; others as they are.

    Args:
        text: the sentence.
        rooms: the names of the rooms in this language, in the order of a tour.
        language: ``en`` or ``zh``.
    """
    phrase, joints = (_ENGLISH, _ENGLISH_CLAUSES) if language == "en" else (_CHINESE, _CHINESE_CLAUSES)
    if language == "en":
        text = _CALLING_IN.sub("visit ", text)
    if not rooms or len(phrase.findall(text)) != 1:
        return text
    parts = joints.split(text)
    for number in range(0, len(parts), 2):
        found = phrase.search(parts[number])
        if found is None:
            continue
        before, after = parts[number][: found.start()], parts[number][found.end() :]
        left, before, after = _without_exceptions(before, after, rooms, language)
        if not left or _LEFT_OUT.search(before + after):
            return text
        done_there = _done_there(parts[number + 1 :], language) if _goes(before, after, language) else 0
        if done_there:
            tail = "".join(parts[number + 1 : number + 1 + done_there])
            each = f"the {{}}{after}{tail}" if language == "en" else f"{{}}{after.removeprefix('都')}{tail}"
            rest = "".join(parts[number + 1 + done_there :])
            joint = ", then " if language == "en" else "，然后"
            tours = joint.join(f"{before}{each.format(room)}" for room in left)
            return "".join(parts[:number]) + tours + rest
        parts[number] = _english(before, after, left) if language == "en" else _chinese(before, after, left)
    return "".join(parts)


def _goes(before: str, after: str, language: str) -> bool:
    """Tell whether the order about every room is only to go there, or to look in."""
    if language == "en":
        return _GOING.search(before) is not None and not after.strip()
    return _CHINESE_GOING.fullmatch(f"{before}\0{after}") is not None


def _done_there(parts: Sequence[str], language: str) -> int:
    """Return how many of the parts that follow, each after its joint, tell what is done in every room."""
    there = _THERE if language == "en" else _THERE_CHINESE
    number = 0
    while number + 1 < len(parts) and there.match(parts[number + 1].strip()):
        number += 2
    return number


def _without_exceptions(
    before: str, after: str, rooms: Sequence[str], language: str
) -> tuple[list[str], str, str]:
    """Return the rooms that are not left out, and what stands around the phrase without the exception."""
    but = _BUT.search(after) if language == "en" else _BUT_CHINESE.search(before)
    if but is None or but[1].strip().lower() not in rooms:
        return list(rooms), before, after
    left = [room for room in rooms if room != but[1].strip().lower()]
    if language == "en":
        return left, before, after[but.end() :]
    return left, before[: but.start()], after


def _english(before: str, after: str, rooms: Sequence[str]) -> str:
    if _LOOKING_IN.search(before):
        if after.strip().startswith("for ") and re.search(r"\bsearch\W*$", before, re.IGNORECASE):
            return before.rstrip() + after
        return _IN_IT.sub("", before) + after
    return ", then ".join(f"{before}the {room}{after}" for room in rooms)


def _chinese(before: str, after: str, rooms: Sequence[str]) -> str:
    if _SEEKING.search(before + after):
        return re.sub(r"(?:在|到|去|把)$", "", before) + re.sub(r"^(?:都|去|里)+", "", after)
    if _CHINESE_GOING.fullmatch(f"{before}\0{after}"):
        return "，然后".join(f"去{room}" for room in rooms)
    return "，然后".join(f"{before}{room}{after.removeprefix('都')}" for room in rooms)
