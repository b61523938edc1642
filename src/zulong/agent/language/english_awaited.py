"""English orders that hang on an answer: "ask Jane if she wants a cola; if she does, bring her one, if not, come back"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from zulong.agent.language.awaited import Awaited, Branch
from zulong.agent.language.stretches import Mention

_ASKING = re.compile(
    r"(?P<opening>.*?)\b(?P<verb>ask|find out from|check with)\s+(?P<who>(?:(?!\b(?:if|whether)\b)[^,;.?!])+?)\s+"
    r"(?:if|whether|wether|wheter)\s+(?P<question>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECT = r"(?:he|she|they|it|that|the answer|their answer|his answer|her answer)"
_GIVEN = r"(?: (?:one|some|it|that|to|so|any|them))?"
_YES = (
    rf"(?:so|yes|yeah|affirmative|it's (?:a )?yes|the answer(?:'s| is) (?:a )?yes|that's the case|"
    rf"{_SUBJECT} (?:says?|said|answers?|replies|reply|nods?)(?: (?:yes|yeah|ok|okay|sure|so|please|he does|she does|"
    rf"they do|he is|she is|they are|he would|she would|they would))?|"
    rf"{_SUBJECT} (?:does|do|is|are|would|will|can|has|have|agrees?|accepts?|wants?|needs?|likes?|would like|confirms?)"
    rf"{_GIVEN}|{_SUBJECT}'(?:s|d like|re|d love){_GIVEN})"
)
_NO = (
    rf"(?:not|no|nope|it's (?:a )?no|the answer(?:'s| is) (?:a )?no|{_SUBJECT} (?:says?|said|answers?) (?:no|nope|not)|"
    rf"{_SUBJECT} (?:declines?|refuses?|(?:does|do|is|are|would|will|has|have)(?:n't|nt| not)"
    rf"(?: (?:want|need|like|fancy))?){_GIVEN})"
)
_IF = r"(?:if|when|once|should|in case|provided)"
_THEN = r"(?:\s*[,:;]\s*(?:then\s+)?|\s+then\s+|\s+)"
_BREAK = r"(?:\s*[,;.?!:-]+\s*|\s+)(?:(?:and|then|but|or)\s+)*"
_MARK = re.compile(
    rf"(?P<break>{_BREAK})(?:(?P<yes>{_IF} {_YES}|in that case)|(?P<no>{_IF} {_NO}|otherwise|or else|else))"
    rf"(?={_THEN})(?P<then>{_THEN})",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    rf"(?P<break>{_BREAK})(?P<cond>{_IF} {_SUBJECT}(?: is|'s| are| has| does| wants?| needs?| would| can)?"
    rf"(?P<words>(?: [a-z']+){{1,5}}?))(?P<then>\s*[,:;]\s*(?:then\s+)?|\s+then\s+|\s+(?=(?:take|bring|give|go|come|get|"
    rf"fetch|tell|guide|lead|hand|put|carry|show|follow|wait|say)\b))",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"(?P<question>.+?)(?:\s*[,;.?!]\s*(?:and\s+|then\s+)*|\s+(?:and|then)\s+(?:then\s+)?)"
    rf"(?P<order>(?:please |go |come )?[a-z]+ [^,;.?!]+?),? (?P<yes>{_IF} {_YES})[.!?\s]*",
    re.IGNORECASE | re.DOTALL,
)
_OBJECT = re.compile(r"\b(?P<word>it|one|some|them)\b(?! (?:is|are|of|more)\b)", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:please |just |then |and |also |quickly |you can |you may )*(?:go|come|bring|take|give|fetch|get|hand|put|carry|"
    r"tell|say|guide|lead|show|follow|wait|look|find|pick|drive|return|let|pour|deliver|pass|leave|grab|ask|escort|accompany)\b",
    re.IGNORECASE,
)


def awaited(text: str, mentions: Callable[[str], Sequence[Mention]]) -> Awaited | None:
    """Return the question and what hangs on its answer, None when nothing hangs on an answer.

    Args:
        text: the instruction.
        mentions: names the things, people and places in a text.
    """
    said = text.replace("\u2019", "'").strip()
    asking = _ASKING.fullmatch(said)
    if asking is None:
        return None
    question = asking["question"]
    parts = _parts(question)
    if parts is None:
        trailing = _TRAILING.fullmatch(question)
        if trailing is None or not _ORDER.match(trailing["order"]):
            return None
        parts = trailing["question"], [(trailing["yes"], True, trailing["order"])]
    asked, marked = parts
    things = list(dict.fromkeys(m.text for m in mentions(asked) if m.kind == "thing"))
    branches = [
        Branch(_with_thing(order, things), agreed, words.strip())
        for words, agreed, order in marked
        if _ORDER.match(order)
    ]
    if not branches or len(branches) != len(marked):
        return None
    return Awaited(said[: asking.start("question")] + asked.rstrip(" ,.;?!"), tuple(branches))


def _parts(question: str) -> tuple[str, list[tuple[str, bool, str]]] | None:
    """Return the question alone, and for each condition its words, whether it is a yes, and the order."""
    marks = [
        (mark.start(), mark.end(), mark["yes"] or mark["no"], mark["yes"] is not None)
        for mark in _MARK.finditer(question)
    ]
    if not marks:
        again = _AGAIN.search(question)
        if again is None or not _repeated(again["words"], question[: again.start()]):
            return None
        marks = [(again.start(), again.end(), again["cond"], True)]
        marks.extend(
            (m.start(), m.end(), m["yes"] or m["no"], m["yes"] is not None)
            for m in _MARK.finditer(question, again.end())
        )
    if not question[: marks[0][0]].strip():
        return None
    ends = [mark[0] for mark in marks[1:]] + [len(question)]
    parts = [
        (words, agreed, question[end:until].strip(" ,.;!?"))
        for (_, end, words, agreed), until in zip(marks, ends, strict=True)
    ]
    return question[: marks[0][0]], parts


def _repeated(words: str, question: str) -> bool:
    """Tell that the condition says the words of the question again: "if she is hungry"."""
    asked = set(re.findall(r"[a-z']+", question.lower()))
    again = [word for word in re.findall(r"[a-z']+", words.lower()) if word not in ("a", "an", "the", "one")]
    return bool(again) and all(
        word in asked or word.removesuffix("s") in asked or f"{word}s" in asked for word in again
    )


def _with_thing(order: str, things: Sequence[str]) -> str:
    """Put the one thing that was asked about for "it" and "one"."""
    if len(things) != 1:
        return order

    def named(match: re.Match[str]) -> str:
        article = {"it": "the", "them": "the", "some": "some"}.get(match["word"].lower())
        if article is None:
            article = "an" if things[0][0] in "aeiou" else "a"
        return f"{article} {things[0]}"

    return _OBJECT.sub(named, order, count=1)
