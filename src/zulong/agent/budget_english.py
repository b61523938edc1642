"""Limits of tool calls in English words.

A limit is looked for where a clause speaks of using tools; what it bounds must be those uses: "use tools to fetch
at most two cups" and "at most two tools from the shed" set none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from zulong.agent.numerals import NUMBER, number

_N = rf"(?P<n>{NUMBER})"
_KIND = r"(?:tool|function|skill|api)"
_DET = r"(?:(?:a|an|any|the|your|these|those|all|other|more|further|single|external|outside|available|of|use|help|aid)\s+)"
# What shows that a tool is a thing, or that its number is reported and not limited.
_THING = (
    r"(?!\s*(?:box|bar|shed|kit|belt|from|on|in|at(?! (?:the )?most)|to|into|for(?! (?:this|that|it|now)\b)"
    r"|is|are|was|were|will|can|could|left|here|there|lie|lying|that|which|who)\b)"
)
_CALLING = (
    rf"(?:{_KIND}[ -]?(?:calls?|calling|uses?|usages?|invocations?|executions?|requests?)"
    rf"|(?:calls?|uses?|invocations?)\s+(?:of|to)\s+{_DET}{{0,4}}{_KIND}s?)\b"
)
_TOOLS = rf"(?:{_CALLING}|(?:tools?|functions?)\b{_THING})"
_USE = (
    r"(?:us(?:e|es|ing)|call(?:s|ing)?|invok(?:e|es|ing)|mak(?:e|es|ing)|employ(?:ing)?|resort(?:ing)? to"
    r"|rely(?:ing)? on|run(?:ning)?)"
)
_NOT = (
    r"(?:do not|don'?t|don'?t you (?:dare|ever)|never|must not|mustn'?t|should not|shouldn'?t|may not|cannot|can'?t"
    r"|not allowed to|not permitted to|not to|nor|shall not|shan't|(?:do not|don'?t) want you to|need not|needn't)"
)
_ANSWERED = re.compile(r"\b(?:answer|receive|accept|take)\b")
_HANDLED = re.compile(
    r"\b(?:bring|give|fetch|carry|put|pick|take|need|hand|pass|touch|move|lend|buy|find|see|hold|collect|clean"
    r"|count|look|search|check|used|had|name|list|mention|describe|show|explain)\b"
)
# A phone has calls too.
_CALLS = re.compile(
    r"\bcalls\b(?!\s+(?:to(?! \d)|from|with|for|by|a|per|every)\b)|\b(?:one|1|a|single) call\b(?!\s+(?:to|from|with)\b)"
)
_USES_TOOLS = re.compile(
    rf"{_CALLING}|\b{_USE}\s+{_DET}{{0,4}}(?:[\w-]+\s+){{0,4}}?(?:tools?|functions?|skills?)\b{_THING}"
)
_COUNTS_TOOLS = re.compile(
    rf"\b{NUMBER}\s+(?:different\s+|separate\s+|of your\s+|of the\s+)?tools?\b{_THING}"
    r"|\b(?:tools?|call)\s+(?:budget|limit|cap|quota)\b"
)
_REPORTED = re.compile(
    r"\b(?:tell|ask|remind|inform|warn|order|instruct|say to)\s+(?!me\b|us\b|yourself\b)\w+"
)
_SUBJECT = re.compile(
    r"(?:and |but )?(?:he|she|they|nobody|somebody|everybody|people|we|(?:do|did|does|have) (?:you|i|we))\b"
)
_SINGLE = re.compile(
    r"\b(?<!not )(?:an?|one|the|just the) (?:single|sole|lone) (?=(?:tool |function )?(?:call|invocation)\b)"
)
_SAID_TWICE = re.compile(rf"({NUMBER}) ?\(\d{{1,9}}\)")  # two (2)
_NO_MORE = re.compile(
    r",? (?:and |but )?(?:no|not (?:any|one)) more(?= ?(?:$|[.;!?,]))"
)  # "three calls, no more"
_TOPS = re.compile(r", (tops|max(?:imum)?|at (?:the )?most)\b(?! \w)")  # "three calls, tops"
_AFTER_THAT = re.compile(r"\bafter (.{3,30}?), (stop|give up|quit|conclude)\b")
_THERE = re.compile(
    r"\b(?:give|gives|gave|bring|brought|has|have|had|there|are|is|him|her|them|need|needs|see|find|found)\s*$"
)

_NONE = [
    rf"\b{_NOT}\s+(?:ever\s+|again\s+)?{_USE}\s+{_DET}{{0,4}}(?:{_TOOLS}|tools? here\b|skills\b)",
    rf"\b(?:avoid|refrain from|skip|forgo|stop|do without|go without)\s+(?:{_USE}\s+)?{_DET}{{0,4}}{_TOOLS}",
    rf"\b(?:without|with no|neither)\s+(?:(?:recourse|access|resort) to\s+)?(?:{_USE}\s+)?{_DET}{{0,4}}{_TOOLS}",
    rf"\b(?P<there>(?:no|zero|0|not a single|not one)\s+{_DET}{{0,4}}(?!function\b(?! \w)){_TOOLS})",
    rf"\b(?:{_CALLING}|tools|calls)\s*[:=]\s*(?:none|no|zero|0)\b",
    rf"\b{_TOOLS}\s+(?:(?:are|is)\s+)?(?:not (?:allowed|permitted|wanted)|forbidden|off[ -]limits|prohibited|banned"
    r"|disabled)\b",
    rf"\bnot (?:allowed|permitted|given)\s+{_DET}{{0,4}}{_TOOLS}",
    r"\b(?:tools?|functions?|tool calls?)\s+(?:must|may|should|shall|can|are to)\s?(?:not|n't) be"
    r" (?:used|called|invoked|made)\b",
    r"\btools?\s+(?:are\s+|is\s+)(?:not (?:allowed|permitted|wanted)|forbidden|off[ -]limits|prohibited|banned)\b",
]
# "don't use tools more than twice" is a limit, not a ban.
_BOUNDED = re.compile(r"\s*(?:more than|over|beyond|in excess of|unless|except|if|when)\b")

_MOST = (
    r"(?:≤|<=|at (?:the )?most|no more than|not more than|not exceed(?:ing)?|no greater than|up to|only|just"
    r"|(?:a )?max(?:imum)?(?: of)?|within|a (?:budget|limit|quota|cap) of)"
)
_AFTER = (
    r"(?:max(?:imum)?|at (?:the )?most|or (?:less|fewer)|only|tops|in total|altogether|allowed|permitted)\b"
)
_UNIT = rf"(?:{_CALLING}|calls?\b|tools?\b{_THING}|functions?\b{_THING}|times?\b|uses?\b|invocations?\b|attempts?\b)"
_LIMIT = r"(?:limit|restrict|capp?|keep|hold|reduce|confine)(?:s|ed|d|ing)?"
_MAY = r"(?:may|can|get|have|has|allowed|permitted|entitled to|us(?:e|ing)|mak(?:e|ing)|with|in|exactly|grant you|give you)"
_BOUNDS = [
    (rf"(?<!\w){_MOST}:?\s*(?:{_USE}\s+)?{_N}", 0),
    (rf"\bbetween\s+{NUMBER}\s+and\s+{_N}", 0),
    (rf"\b{_N}\s+(?:{_UNIT},?\s+)?{_AFTER}", 0),
    (rf"\b{_N}\s+or\s+(?:fewer|less)", 0),
    (rf"\b{_LIMIT}\b[^:]{{0,40}}?\s(?:to|at)\s+{_N}", 0),
    (rf"\b(?:limit|budget|quota|cap|max(?:imum)?)\s*(?:is|of|to|=|:)?\s*{_N}", 0),
    (
        rf"\b(?:limit|budget|quota|cap|max(?:imum)?)\s+(?:{_CALLING}|calls|tools)\s*(?:is|of|to|=|:)?\s*{_N}",
        0,
    ),
    (rf"\b(?:{_CALLING}|calls|tools)\s*[:=]\s*{_N}", 0),
    (rf"\b(?:{_NOT}|no|not)\b[^:]{{0,40}}?\b(?:more than|over|beyond|exceed|in excess of)\s+{_N}", 0),
    (rf"\bexceed(?:ing)?\s+{_N}", 0),
    (rf"\b{_MAY}\s+{_N}\s+(?=(?:{_CALLING}|calls?\b))", 0),
    (
        rf"\b{_N}\s+(?:{_CALLING}|calls)\s+(?:is|are)\s+(?:the\s+)?(?:limit|max(?:imum)?|allowed|permitted|all)",
        0,
    ),
    (
        rf"\b(?:stop|give up|quit|finish|end|conclude)\s+after\s+(?:{_MOST}\s+)?{_N}\s+(?=(?:{_CALLING}|calls\b))",
        0,
    ),
    (rf"\b(?:only|just|may|can)\s+{_USE}\s+{_DET}{{0,4}}(?:tools?|functions?)\s+{_N}", 0),
    (rf"\b(?:fewer than|less than|under|below)\s+{_N}", 1),
]
_ALONE = re.compile(
    rf"(?:.*\b(?:with|using|via|by|in|but|and|have|get|your|the)\s+|(?:please |ok |okay |so |but |and )*)(?:{_MOST}:?\s+)?$"
)
_NONE_RE = [re.compile(p) for p in _NONE]
_BOUNDS_RE = [(re.compile(p), less) for p, less in _BOUNDS]
# What may follow a count: what is counted, or the end of what is said about it.
_FOLLOWS = re.compile(
    rf"\s*(?:(?:more|further|additional|different|separate|other|total)\s+)*(?:of\s+(?:the|your)\s+)?"
    rf"(?:{_UNIT}|{_AFTER}|x\b|$|[)\]\"':-]|(?:and|or|but|then|please|for this|if|when|while|until|so|may|to)\b)"
)
_ADVERB = re.compile(r"once|twice")
_PER = re.compile(r"\s*(?:a|per|each|every)\s+(?:day|hour|minute|second|week|month)\b")
# A line that is broken in the middle of a sentence goes on; one that begins with a bullet does not.
_CLAUSE = re.compile(r"[,.;!?]+(?=\s|$)|[()。，；！？、（）]|\n\s*(?=\n|[-*•\d])")
_BARE = re.compile(rf"(?:but |so |and |please )*{_MOST}:?\s+{_N}(?:\s+(?:times|calls|in total|please))*\s*$")


def english_limits(text: str) -> Iterator[int]:
    """Yield each limit of tool calls that a text sets in English."""
    text = re.sub(r"\bmax\.", "max", text.lower().replace("’", "'").replace("_", " "))
    text = _SAID_TWICE.sub(r"\1", re.sub(r"[ \t]+", " ", text))
    text = _NO_MORE.sub(" at most", _SINGLE.sub("1 ", text))
    text = _TOPS.sub(r" \1", text)
    text = _AFTER_THAT.sub(r"\2 after \1", text)
    told = False
    for clause in _CLAUSE.split(text):
        clause = " ".join(clause.split())
        reported = _REPORTED.search(clause)
        if reported is not None:
            clause = clause[: reported.start()]
        if _SUBJECT.match(clause):
            continue
        bans = [match for pattern in _NONE_RE for match in pattern.finditer(clause) if _bans(clause, match)]
        yield from (0 for _ in bans)
        of_tools = _USES_TOOLS.search(clause) is not None
        counted = (_CALLS.search(clause) and not _ANSWERED.search(clause)) or (
            _counts_tools(clause) and not _HANDLED.search(clause)
        )
        if of_tools or counted:
            yield from _bounds(clause)
        elif told and (bare := _BARE.match(clause)) is not None:
            value = number(bare["n"])
            yield from () if value is None else (value,)
        told = of_tools


def _counts_tools(clause: str) -> bool:
    """Return whether a clause counts tools by themselves: no verb before the count does something to them."""
    counted = _COUNTS_TOOLS.search(clause)
    return counted is not None and _ALONE.match(clause[: counted.start()]) is not None


def _bans(clause: str, match: re.Match[str]) -> bool:
    if _BOUNDED.match(clause, match.end()):
        return False
    handed = match.groupdict().get("there") is not None and _THERE.search(clause[: match.start()])
    return not handed


def _bounds(clause: str) -> Iterator[int]:
    for pattern, less in _BOUNDS_RE:
        for match in pattern.finditer(clause):
            value, end = number(match["n"]), match.end("n")
            counted = _ADVERB.fullmatch(match["n"]) or _FOLLOWS.match(clause, end)
            if value is not None and counted and not _PER.match(clause, end):
                yield max(0, value - less)
