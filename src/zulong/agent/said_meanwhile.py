"""What the user said while a task was held: stop, otherwise, go on, or something more.

A clause that is nothing but an order to stop or to go on is one; "stop at the door" and "the stop sign" are not.
"""

from __future__ import annotations

import re
from enum import Enum


class Said(str, Enum):
    """What words come to for an interrupted task."""

    NOTHING = "nothing"
    STOP = "stop"
    CHANGE = "change"
    GO_ON = "go on"
    MORE = "more"


_CLAUSE = re.compile(
    r"[,.;:!?，。；：！？、\n]+|\s(?:and|but)\s+(?=(?:stop|cancel|continue|go on|carry on|resume)\b)"
)

# -- English -------------------------------------------------------------------------------------------------
_FILL_EN = (
    r"(?:please|now|ok(?:ay)?|oh|so|then|just|well|hey|robot|zulong|right|at once|immediately|yes|no|nope|thanks"
    r"|thank you|you can|you may|you should|you must|we can|let us|let's|i want you to|it is (?:fine|ok(?:ay)?)"
    r"|it's (?:fine|ok(?:ay)?)|that's (?:fine|ok(?:ay)?)|fine|good|alright|all right|again|for now|completely|already)"
)
_IT = (
    r"(?:it|that|this|everything|all(?: of it)?|the (?:whole )?(?:task|job|mission|work|plan|order|errand)"
    r"|what(?:ever)? you(?:'re| are| were) doing|doing (?:that|this|it))"
)
_STOP_EN = (
    rf"(?:(?:stop|cancel|abort|quit|halt|end|forget|drop|leave|scrap|skip|abandon)(?: (?:about )?{_IT})?"
    r"(?: be| alone| there)?"
    rf"|never ?mind|give up(?: on {_IT})?|(?:that'?s |that is )?enough|call (?:it|that) off|that will do"
    rf"|(?:do not|don'?t) (?:bother|do {_IT}|go on|continue)(?: any ?more)?|no (?:longer|need)(?: needed)?(?: any ?more)?"
    r"|not (?:any ?more|needed(?: any ?more)?)|(?:it's|it is|that's) (?:no longer needed|not needed(?: any ?more)?)"
    r"|i(?:'ve| have)? changed my mind)"
)
_GO_EN = (
    rf"(?:(?:continue|go on|carry on|resume|proceed|keep (?:going|at it)|go ahead)(?: with {_IT}| {_IT})?|as you were"
    r"|(?:get )?back to (?:work|it)|(?:do not|don'?t|never) (?:stop|cancel|abort)(?: it)?|all clear|the coast is clear)"
)
_CHANGE_EN = re.compile(
    r"\b(?:instead|rather|change (?:it |that )?to|make (?:it|that)|i (?:meant|mean)|correction|actually|the wrong|wrong"
    r"|not (?:that|this|the|a|to|on|in)\b|switch to)|^no,? (?:the|a|an|to|my|your|in|on)\b",
    re.IGNORECASE,
)
_OBJECTION_EN = re.compile(r"no|nope|wrong", re.IGNORECASE)

# -- Chinese -------------------------------------------------------------------------------------------------
_FILL_ZH = (
    r"(?:请|你|您|先|就|快|马上|赶紧|赶快|立刻|那|还是|都|好了|好的|好|行|可以|没事|嗯|喂|现在|我说|咱们|我们"
    r"|(?:这个|那个)?任务|这件事)"
)
_DOING_ZH = r"(?:做|干|弄|搞|忙|管|麻烦|继续)"
_STOP_ZH = (
    rf"(?:停(?:下来?|止|住|手|了)?|住手|取消|算了|拉倒|别再?{_DOING_ZH}了?|不(?:要|用|需要|必)再?{_DOING_ZH}?了"
    rf"|不{_DOING_ZH}了|放弃|到此为止|终止|中止|够了|结束|免了|作废|改主意了|我改主意了)"
)
_TAIL_ZH = r"(?:吧|了|啊|呀|哦|啦|这个|那个|任务|它|就好|就行|行了|掉|做|干|下去|执行|走|来|动|一切)"
_GO_ZH = (
    r"(?:继续|接着|往下|恢复|别停(?:下来?)?|不要停(?:下来?)?|不用停|没事了?|忙你的|你忙你的|照旧|照常"
    r"|(?:不要|别|不用)取消)"
)
_CHANGE_ZH = re.compile(
    r"改成|换成|改为|改到|改去|换到|换一?[个只杯把]|不对|错了|[拿搞弄说听找]错|而不是|不是.{1,10}?[，,]?(?:是|要)"
    r"|(?:说|要|指|想要?)的是|应该是|不要.{1,8}?的?[，,](?:要|拿|给)|还是.{1,10}吧|[，,]不是.{1,8}$"
)
_OBJECTION_ZH = re.compile(r"不对|错了|不+是?")

_AGAIN = re.compile(r"\b(\w+)(?:\s+\1\b)+", re.IGNORECASE)  # "stop stop stop"
_STOP = re.compile(
    rf"(?:{_FILL_EN}\s+)*{_STOP_EN}(?:\s+{_FILL_EN})*|{_FILL_ZH}*{_STOP_ZH}{_TAIL_ZH}*", re.IGNORECASE
)
_GO = re.compile(
    rf"(?:{_FILL_EN}\s+)*{_GO_EN}(?:\s+{_FILL_EN})*|{_FILL_ZH}*{_GO_ZH}{_TAIL_ZH}*", re.IGNORECASE
)
_FILL = re.compile(rf"(?:{_FILL_EN}\s*)+|不+|{_FILL_ZH}+(?:了|的|吧)*", re.IGNORECASE)


def what_was_said(words: str) -> Said:
    """Return what the user's words come to; a change counts before a stop, and a stop before going on.

    "No, stop" and "不对，停下" stop, for an objection alone changes nothing; "go on, and bring a spoon" says more
    than to go on.
    """
    if not words.strip():
        return Said.NOTHING
    clauses = [" ".join(clause.split()) for clause in _CLAUSE.split(words.replace("’", "'"))]
    clauses = [_AGAIN.sub(r"\1", clause) for clause in clauses if clause]
    stops = any(_STOP.fullmatch(clause) for clause in clauses)
    goes_on = any(_GO.fullmatch(clause) for clause in clauses)
    rest = [c for c in clauses if not (_STOP.fullmatch(c) or _GO.fullmatch(c) or _FILL.fullmatch(c))]
    if _changes(words, clauses, rest):
        return Said.CHANGE
    if stops:
        return Said.STOP
    if goes_on and not rest:
        return Said.GO_ON
    return Said.MORE if rest or goes_on else Said.GO_ON


def _changes(words: str, clauses: list[str], rest: list[str]) -> bool:
    if not rest:
        return False
    told = " ".join(rest)
    change = _CHANGE_EN.search(told) or _CHANGE_ZH.search("，".join(rest))
    objects = bool(clauses) and bool(
        _OBJECTION_EN.fullmatch(clauses[0]) or _OBJECTION_ZH.fullmatch(clauses[0])
    )
    if change is None:
        return objects  # "no, the blue one"
    alone = _OBJECTION_EN.fullmatch(change[0]) or _OBJECTION_ZH.fullmatch(change[0])
    handled = any(_STOP.fullmatch(clause) or _GO.fullmatch(clause) for clause in clauses)
    return not (alone and handled and len(rest) == 1)
