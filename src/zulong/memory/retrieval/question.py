"""What a question asks besides its words: times, kinds of memory, and whether it asks about memory itself."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone

from zulong.memory.model import Node, NodeType
from zulong.memory.retrieval.when import Span, TimeExpressions


class Kind(enum.IntEnum):
    """The sorts of memory that people have a word for."""

    OTHER = 0
    FILE = 1
    MAIL = 2
    CODE = 3
    TASK = 4
    TOOL = 5


_KIND_OF_TYPE = {
    NodeType.FILE: Kind.FILE,
    NodeType.DOCUMENT: Kind.FILE,
    NodeType.CODE_SYMBOL: Kind.CODE,
    NodeType.MODULE: Kind.CODE,
    NodeType.TASK: Kind.TASK,
    NodeType.TOOL_CALL: Kind.TOOL,
    NodeType.TOOL_RESULT: Kind.TOOL,
}
_MAIL_TAGS = frozenset({"mail", "email", "e-mail"})

_KIND_WORDS: Mapping[Kind, re.Pattern[str]] = {
    Kind.FILE: re.compile(
        r"\b(?:documents?|reports?|notes?|files?|attachments?|tables?|sections?|spreadsheets?|logs?|articles?"
        r"|checklists?)\b|文件|文档|报告|附件|表格|笔记|清单",
        re.IGNORECASE,
    ),
    Kind.MAIL: re.compile(
        r"\b(?:e-?mails?|mails?|mailed|correspondences?|inbox|messages?|letters?)\b|邮件|来信|信件|消息",
        re.IGNORECASE,
    ),
    Kind.CODE: re.compile(
        r"\b(?:functions?|class(?:es)?|methods?|modules?|source code)\b|代码|函数|模块", re.IGNORECASE
    ),
    Kind.TASK: re.compile(r"\b(?:tasks?|plans?|subtasks?)\b|任务|计划", re.IGNORECASE),
    Kind.TOOL: re.compile(r"\btool (?:calls?|results?)\b|工具", re.IGNORECASE),
}

_COUNT = re.compile(
    r"\bhow many memories\b|\bhow much do you (?:remember|know)\b"
    r"|\bhow many (?:things|facts|nodes|episodes|conversations)\b.*\bdo you (?:remember|have|know|keep|store|hold)\b"
    r"|(?:记住|记得|存)了?多少|多少(?:条|个|段)?记忆",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"^\W*(?:(?:hey|so|well|and)\W+)?(?:do|can|could|did|would) you (?:still |happen to )?(?:remember|recall)\b"
    r"(?:\s+(?:that|if|whether|when|how))?\s*(?P<topic>.*?)\W*$"
    r"|^\W*(?:你)?(?:还|是否|是不是)?(?:记得|记不记得|想得起来?|想得起)(?P<topic_zh>.*?)(?:吗|(?<!什)么|嘛|不)?\W*$",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_TOPIC = re.compile(
    r"^\W*what (?:do|can) you (?:still )?(?:remember|recall|know)(?: about)?\s*(?P<topic>.*?)\W*$"
    r"|^\W*(?:关于)(?P<topic_zh>.+?)你(?:还)?(?:记得|知道)(?:些)?(?:什么|多少)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_NO_TOPIC = re.compile(
    r"^(?:什么|些什么|啥|哪些|anything|everything|what|me|us|this|that|it)?\W*$", re.IGNORECASE
)


@dataclass(slots=True, frozen=True)
class Question:
    """A question taken apart.

    Attributes:
        topic: the text to search for (without "do you remember").
        spans: the times that it names.
        kinds: the kinds of memory that it names.
        about_memory: ``count`` (how many), ``recent`` (what do you remember, with no topic), ``remember``
            (do you remember such and such), or empty for any other question.
    """

    topic: str
    spans: tuple[Span, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    about_memory: str = ""


def kind_of(node: Node) -> Kind:
    """Return the kind of a memory: a mail by its tag, any other by its type."""
    if not _MAIL_TAGS.isdisjoint(node.tags):
        return Kind.MAIL
    return _KIND_OF_TYPE.get(node.type, Kind.OTHER)


def understand(
    text: str, time_range: tuple[float, float] | None, now: float, utc_offset_s: float = 0.0
) -> Question:
    """Take a question apart.

    Args:
        time_range: first and last time that the memory covers; names of days without a year mean these years.
        now: seconds since the epoch, for "yesterday".
        utc_offset_s: seconds that the clocks on the wall are ahead of UTC: days begin at their midnight.
    """
    about_memory, topic = _about_memory(text)
    spans: tuple[Span, ...] = ()
    if time_range is not None:
        first, last = (_year(moment + utc_offset_s) for moment in time_range)
        local = TimeExpressions(first, last, now + utc_offset_s).spans(text)
        spans = tuple(Span(s.start - utc_offset_s, s.end - utc_offset_s, s.weight) for s in local)
    kinds = frozenset(kind for kind, words in _KIND_WORDS.items() if words.search(topic))
    return Question(topic, spans, kinds, about_memory)


def _year(moment: float) -> int:
    try:
        return datetime.fromtimestamp(moment, tz=timezone.utc).year
    except (ValueError, OverflowError, OSError):
        return 1970


def _about_memory(text: str) -> tuple[str, str]:
    if _COUNT.search(text):
        return "count", text
    for pattern in (_ABOUT_TOPIC, _REMEMBER):
        match = pattern.match(text)
        if match:
            topic = (match["topic"] or match["topic_zh"] or "").strip(" ，,。?？!！")
            return ("recent", "") if _NO_TOPIC.match(topic) else ("remember", topic)
    return "", text
