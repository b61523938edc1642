"""Whether the user asks for a deed, and whether a reply says that it was done, or owns up that it was not.

The words of a reply never prove a deed; these patterns only say where a proof is missed. What was asked for counts
most: whoever asks for a deed and gets words alone has nothing, however the words are put.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zulong.agent.loop.terms import terms_of

_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")

_DETERMINED = (
    r"(?:the|my|your|our|his|her|its|their|a|an|this|that|these|those|me|us|him|it|them|some|all|both|every|each|another"
    r"|one|two|three|four|five)\b"
)
_HANDLE = (
    r"move|place|put|pick|grab|lift|drop|throw|open|close|shut|lock|unlock|switch|turn|clean|wipe|sweep|tidy|wash|pour"
    r"|fill|empty|water|push|pull|press|hand|follow|guide|lead|fold|stack|take|get|give|pass"
)
# What is given, taken or opened without a hand.
_IMMATERIAL = (
    rf"(?!\s+(?:{_DETERMINED}\s+|few\s+|short\s+|brief\s+|good\s+|any\s+|to\s+|on\s+|up\s+|next\s+|first\s+)*"
    r"(?:jokes?|ideas?|answers?|advice|examples?|time|date|names?|list|summary|story|hints?|tips?|reasons?|guess"
    r"|opinion|explanation|information|overview|number|care|note|part|call|look|break|rest|over|on\s*$|ahead|news"
    r"|through|into|topic|question|point|subject|eyes|mind|heart|date)\b)"
)
_ORDER_EN = re.compile(
    r"(?:^\W*|[,;:]\s*|\b(?:please|and|then|now|just|kindly|also|you|(?:want|need|like) you to|must|have to)\s+)"
    rf"(?:(?!move on\b)(?:{_HANDLE})\b{_IMMATERIAL}\s+(?:(?:up|down|out|on|off|away|back|over)\s+)?{_DETERMINED}"
    rf"|(?:turn|switch)\s+(?:on|off)\b|(?:bring|fetch|carry|deliver)\b{_IMMATERIAL}\s+\w"
    rf"|(?:go|drive|come|walk)\s+(?:back\s+)?(?:in|into|to|over|here|home)\b(?!\s+(?:sleep|bed|hell)){_IMMATERIAL})",
    re.IGNORECASE,
)
_TALK_EN = re.compile(
    r"\b(?:tell|explain|write|describe|say|translate|imagine|how to|not|never|no need)\b|n[’']t\b",
    re.IGNORECASE,
)
_NOT_AN_ORDER_EN = re.compile(
    r"^\W*(?:how|why|what|who|where|when|which|did|have|has|had|was|were|do|does|is|are|should|may|don'?t|do not"
    r"|never|if you (?:could|were))\b",
    re.IGNORECASE,
)
# "Can you open doors?" asks what it can do, "can you open the door?" wants it done.
_CAN_YOU = re.compile(r"^\W*(?:can|could|will|would) you\b(?P<what>.*)", re.IGNORECASE | re.DOTALL)
_CERTAIN = re.compile(
    r"\b(?:the|my|your|our|a|an|this|that|these|those|me|us|him|her|it|them|all|some|both|every|one|two|three|please)\b",
    re.IGNORECASE,
)
_VERBS_ZH = (
    r"(?:打开|关上|关掉|关闭|打扫|收拾|整理|擦|扫|洗|浇|倒(?!霉|是|数)|拿|取(?!名|个名|消|得|笑)|放(?!心|假|松|弃|学|过)"
    r"|送(?!你|您|给你)|带(?!我了解)|移|搬|递|交(?!流|谈|往)|端|捡|抓|推(?!荐)|拉(?!倒)|按(?!照|理)|扔|叠|装|盛|扶|抬|举(?!例|个例)"
    r"|抱(?!歉|怨)|锁|喂|挂|铺|摆|插(?!嘴|话)|拔|开(?!心|始|玩笑|个玩笑|会|学)|关(?!于|心|注|系))"
)
_BEFORE_ZH = r"(?:^|[，。；！、]|请|麻烦|帮我|帮忙|给我|你|您|先|再|然后|并|就|快|去|来|能|可以|可否|能否|能不能|可不可以)"
_PLACE_ZH = (
    r"(?:厨房|客厅|卧室|书房|浴室|阳台|走廊|花园|车库|餐厅|门口|房间|[桌床门窗柜沙楼]|这里|这儿|那里|那儿)"
)
_ORDER_ZH = re.compile(
    rf"{_BEFORE_ZH}(?:把|将)[^，。！？]{{1,20}}?{_VERBS_ZH}"
    rf"|{_BEFORE_ZH}(?:你|去|来|帮我|给我|先|再|把)*{_VERBS_ZH}"
    rf"|{_BEFORE_ZH}(?:去|到|回|来)[^，。]{{0,6}}?(?:{_VERBS_ZH}|{_PLACE_ZH})"
    rf"|{_BEFORE_ZH}给[^我你您，。]{{1,6}}?(?:{_VERBS_ZH}|充|换)"
)
_NOT_AN_ORDER_ZH = re.compile(
    r"^(?:谢谢|多谢|感谢|辛苦)|怎么|怎样|如何|为什么|什么|哪|谁|几|多少|[吗呢么]|吧？|是不是|有没有|了没|(?:别|不要|不许|不准|不用|勿|莫)"
)
_ASKS_POLITELY_ZH = re.compile(r"(?:能|可以|可不可以|能不能|可否|能否)[^，。]*(?:吗|呢|\?|？)?")

_DONE_EN = re.compile(
    r"\b(?:done|complete[d]?|finished|accomplished|taken care of|all set|here (?:is|are|you (?:are|go))|there you go"
    r"|(?:has|have|was|were|been|is|are|now|successfully|just|i) (?:\w+ )?(?:\w{2,}ed|open|shut|put|brought|taken|took"
    r"|gone|went|driven|drove|given|gave|sent|left|set|swept|held)|^\W*(?:\w+\W+){0,4}?\w{3,}ed\W*$)\b",
    re.IGNORECASE,
)
_DONE_ZH = re.compile(
    r"了(?=$|[\s，。！!~～；;,.])|已|好了|完成|搞定|做完|办妥|办好|搬完|放完|送达|完毕|就绪"
)
_AHEAD = re.compile(
    r"\b(?:will|would|going to|when|if|once|as soon as)\b|[’']ll\b|如果|等.{1,20}?(?:再|就)|将会|之后再",
    re.IGNORECASE,
)
_REASSURES = re.compile(
    r"\b(?:no|not a) (?:problem|worries|trouble|doubt)\b|\bdon[’']t worry\b|\bwithout (?:delay|further ado)\b"
    r"|没问题|没事|没关系|不客气|(?:别|不用|不必)担心",
    re.IGNORECASE,
)
_OWNS_UP = re.compile(
    r"\b(?:not|no|never|cannot|unable|failed|fail|impossible|sorry|unfortunately|without|nothing|refuse|decline)\b|n[’']t\b"
    r"|不|没|无法|未|抱歉|失败|做不到|别|拒绝",
    re.IGNORECASE,
)


def asks_for_deed(instruction: str, effects: Iterable[str] = ()) -> bool:
    """Return whether an instruction orders something that changes the world.

    Args:
        instruction: the user's words; what stands in quotes is not asked for.
        effects: names of the tools that change the world; one whose name is in the words shows it as well.
    """
    words = _QUOTED.sub(" ", instruction).strip()
    if any("\u3400" <= c <= "\u9fff" for c in words):
        clauses = re.split(r"[，。；！!,;\n]+|(?<=[？?])", words)
        return any(_orders_zh(clause.strip()) for clause in clauses if clause.strip())
    sentences = [s for s in re.split(r"(?<=[.!?;])\s+|\n+", words) if s.strip()]
    asked = [s for s in sentences if not _NOT_AN_ORDER_EN.match(s) and not _asks_what_it_can(s)]
    if any(_ORDER_EN.search(sentence) for sentence in asked):
        return True
    terms = terms_of(" ".join(s for s in asked if not _TALK_EN.search(s)))
    # A verb alone was looked for above, with what must stand by it.
    names = [name for name in effects if not re.fullmatch(_HANDLE, name)]
    return any((named := terms_of(name.replace("_", " "))) and named <= terms for name in names)


_LOOK = re.compile(
    rf"(?:^\W*|[,;:]\s*|\b(?:please|and|then|now|just|you)\s+)(?:find|locate|search for|look for|check)\s+{_DETERMINED}"
    rf"|{_BEFORE_ZH}(?:帮我|给我|去|来)?(?:寻?找(?!我|他|她|人)|检查|查看|查一下|看一下|看看)",
    re.IGNORECASE,
)


def asks_for_look(instruction: str) -> bool:
    """Return whether an instruction orders something to be looked for or looked at."""
    words = _QUOTED.sub(" ", instruction).strip()
    told = _NOT_AN_ORDER_EN.match(words) or re.match("谢谢|多谢|感谢|怎么|如何|别|不要", words)
    return told is None and _LOOK.search(words) is not None


def _asks_what_it_can(sentence: str) -> bool:
    polite = _CAN_YOU.match(sentence)
    return polite is not None and _CERTAIN.search(polite["what"]) is None


def _orders_zh(clause: str) -> bool:
    if _NOT_AN_ORDER_ZH.search(clause) and not _ASKS_POLITELY_ZH.match(clause.lstrip("你您请")):
        return False
    return _ORDER_ZH.search(clause) is not None


def says_done(reply: str) -> bool:
    """Return whether a reply, in whatever words, says that something is done or stands as it was wanted."""
    done = _DONE_EN.search(reply) or _DONE_ZH.search(reply)
    return done is not None and _AHEAD.search(reply) is None


def owns_up(reply: str) -> bool:
    """Return whether a reply says that something was not, cannot or will not be done."""
    return _OWNS_UP.search(_REASSURES.sub(" ", reply)) is not None


_TO_BE_SAID = re.compile(
    r"\b(?:say|repeat|echo|read|write|spell|translate|quote|tell)\b|说|重复|复述|念|读|写|翻译|讲",
    re.IGNORECASE,
)
_ABOUT_ITSELF = re.compile(
    r"\b(?:what|when|why|how|who|which|where)\b.*\b(?:will|would|do|did|can|could|are|were|have) you\b"
    r"|\bhave you\b|\bdid you\b|你[^，。]*(?:做|干|会|能)(?:了|过|些|点)?什么|你[^，。]*(?:计划|打算)",
    re.IGNORECASE,
)


def asks_for_words(instruction: str) -> bool:
    """Return whether an instruction is met by words alone: something to be said, or a question about the robot."""
    return not asks_for_deed(instruction) and (
        _TO_BE_SAID.search(instruction) is not None or _ABOUT_ITSELF.search(instruction) is not None
    )


_DECLINES_EN = re.compile(
    r"\b(?:can ?not|can[’']?t|could not|couldn[’']?t|will not|won[’']?t|am unable to|am not able to"
    r"|[’']m (?:unable|not able) to|must not|may not|am not allowed to|[’']m not allowed to|do not|don[’']?t) (?:\w+ )?"
    r"(?:help|assist|comply|fulfil+|carry (?:that|this|it) out|do (?:it|that|this|so|what)|perform (?:it|that|this)|support"
    r"|participate|engage)\b|\bi (?:must |have to |respectfully )*(?:refuse|decline)\b",
    re.IGNORECASE,
)
_DECLINES_ZH = re.compile(
    r"(?:我|本人)?(?:不能|无法|不会|不可以|没法|不愿意?|不便)(?:帮|协助|为您|为你|做|执行|满足|参与|配合|完成|答应|照办)|(?:我|予以)?(?:拒绝|恕难)"
)
_ASKED_NOT_TO = re.compile(
    r"\b(?:do not|don[’']?t|never|stop|refuse|decline)\b|别|不要|不许|不准|勿|拒绝|停", re.IGNORECASE
)
_LONGEST_DECLINE = 400


def declines(reply: str, instruction: str) -> bool:
    """Return whether a reply says in prose that the task will not or cannot be done.

    Who was told not to do something and says so declines nothing.
    """
    if len(reply) > _LONGEST_DECLINE or _ASKED_NOT_TO.search(instruction):
        return False
    return (_DECLINES_EN.search(reply) or _DECLINES_ZH.search(reply)) is not None
