"""Facts that can be contradicted: (subject, attribute, value) read from short statements and from meta.

Only attributes of which a thing has one at a time are read: where it is, what it is called, what colour it has,
whether it is open, when somebody was born, and any "X's A is V". That Anna likes tea does not contradict that
she likes coffee.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zulong.embedding.tokens import ENGLISH_STOP_WORDS, is_cjk, pieces, stem

_LONGEST = 240
"""Characters; what is longer is a story and not a statement."""


@dataclass(slots=True, frozen=True)
class Fact:
    """``subject`` has ``value`` for ``attribute``; all in normal form, so that equal means the same."""

    subject: str
    attribute: str
    value: str

    def contradicts(self, other: Fact) -> bool:
        """Tell whether both cannot be true of one moment."""
        if (self.subject, self.attribute) != (other.subject, other.attribute) or self.value == other.value:
            return False
        # "in the kitchen" and "on the kitchen table" agree: the one is within the other.
        mine, theirs = set(self.value.split()), set(other.value.split())
        return not (mine <= theirs or theirs <= mine)


_OPPOSITES: Mapping[str, tuple[str, ...]] = {
    "open": ("open", "opened", "closed", "shut"),
    "lock": ("locked", "unlocked"),
    "power": ("on", "off", "switched on", "switched off", "turned on", "turned off"),
    "fill": ("full", "empty", "half full"),
    "order": ("broken", "working", "repaired", "fixed", "out of order"),
    "clean": ("clean", "dirty"),
    "life": ("alive", "dead"),
    "charge": ("charged", "discharged"),
    "colour": (
        "red",
        "blue",
        "green",
        "yellow",
        "black",
        "white",
        "orange",
        "purple",
        "pink",
        "brown",
        "grey",
        "gray",
    ),
}
_SAME_STATE = {
    "opened": "open",
    "shut": "closed",
    "switched on": "on",
    "turned on": "on",
    "switched off": "off",
}
_SAME_STATE |= {
    "turned off": "off",
    "repaired": "working",
    "fixed": "working",
    "out of order": "broken",
    "gray": "grey",
}
_STATE_OF = {state: attribute for attribute, states in _OPPOSITES.items() for state in states}
_CHINESE_STATES = {
    "开着": ("open", "open"),
    "打开": ("open", "open"),
    "关着": ("open", "closed"),
    "关闭": ("open", "closed"),
}
_CHINESE_STATES |= {
    "锁着": ("lock", "locked"),
    "满": ("fill", "full"),
    "空": ("fill", "empty"),
    "坏了": ("order", "broken"),
}
_CHINESE_STATES |= {"干净": ("clean", "clean"), "脏": ("clean", "dirty"), "修好了": ("order", "working")}

_SUBJECT = r"(?P<s>[^,.;:!?]{1,60}?)"
_VALUE = r"(?P<v>[^,.;!?]{1,80}?)"
_END = r"(?:\s+(?:now|today|anymore|currently))?\s*[.!]?\s*$"
_VERB = r"(?:is|are|was|were|lies|lie|stands|stand|sits|hangs)(?:\s+now|\s+currently)?"
_STATES = "|".join(sorted(map(re.escape, _STATE_OF), key=len, reverse=True))

_ENGLISH: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), attribute)
    for pattern, attribute in (
        (rf"^{_SUBJECT}(?:'s|’s)\s+(?P<a>[\w -]{{2,40}}?)\s+(?:is|are|was)\s+{_VALUE}{_END}", ""),
        (
            rf"^(?P<s>my|his|her|their|our|your)\s+(?P<a>[\w -]{{2,40}}?)\s+(?:is|are|was)\s+{_VALUE}{_END}",
            "",
        ),
        (rf"^the\s+(?P<a>[\w -]{{2,40}}?)\s+of\s+{_SUBJECT}\s+(?:is|are|was)\s+{_VALUE}{_END}", ""),
        (rf"^{_SUBJECT}\s+{_VERB}\s+(?P<v>{_STATES}){_END}", "state"),
        (
            rf"^{_SUBJECT}\s+{_VERB}\s+(?:in|on|at|under|behind|inside|next to|near)\s+{_VALUE}{_END}",
            "location",
        ),
        (
            rf"^{_SUBJECT}\s+(?:is|are)\s+(?:located|kept|stored)\s+(?:in|on|at|under)\s+{_VALUE}{_END}",
            "location",
        ),
        (rf"^{_SUBJECT}\s+(?:lives?|moved)\s+(?:in|at|to)\s+{_VALUE}{_END}", "home"),
        (rf"^{_SUBJECT}\s+works?\s+(?:at|for)\s+{_VALUE}{_END}", "workplace"),
        (rf"^{_SUBJECT}\s+(?:is|am|was)\s+(?:called|named)\s+{_VALUE}{_END}", "name"),
        (rf"^{_SUBJECT}\s+was\s+born\s+(?:on|in)\s+{_VALUE}{_END}", "birth"),
        (rf"^{_SUBJECT}\s+is\s+married\s+to\s+{_VALUE}{_END}", "spouse"),
        (rf"^{_SUBJECT}\s+is\s+(?P<v>\d{{1,3}})\s+years\s+old{_END}", "age"),
        (rf"^{_SUBJECT}\s+costs?\s+{_VALUE}{_END}", "price"),
        (rf"^{_SUBJECT}\s+weighs?\s+{_VALUE}{_END}", "weight"),
        (rf"^{_SUBJECT}\s+opens\s+at\s+{_VALUE}{_END}", "opening"),
    )
)
_ZH_SUBJECT, _ZH_VALUE, _ZH_END = (
    r"(?P<s>[^，。；！？,.!?]{1,20}?)",
    r"(?P<v>[^，。；！？,.!?]{1,30}?)",
    r"(?:了|的)?[。！!.]?\s*$",
)
_ZH_NOW = r"(?:现在|目前|已经)?"
_CHINESE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), attribute)
    for pattern, attribute in (
        (rf"^{_ZH_SUBJECT}{_ZH_NOW}是?(?P<v>红|蓝|绿|黄|黑|白|橙|紫|粉|棕|灰)色{_ZH_END}", "colour"),
        (rf"^{_ZH_SUBJECT}的(?P<a>[^，。的是]{{1,10}})(?:现在|改)?是{_ZH_VALUE}{_ZH_END}", ""),
        (rf"^{_ZH_SUBJECT}{_ZH_NOW}是?(?P<v>{'|'.join(_CHINESE_STATES)}){_ZH_END}", "state"),
        (rf"^{_ZH_SUBJECT}{_ZH_NOW}住在{_ZH_VALUE}{_ZH_END}", "home"),
        (rf"^{_ZH_SUBJECT}{_ZH_NOW}在{_ZH_VALUE}(?:工作|上班){_ZH_END}", "workplace"),
        (
            rf"^{_ZH_SUBJECT}{_ZH_NOW}(?:放在|位于|在){_ZH_VALUE}(?:里面?|上面?|中|下面?)?{_ZH_END}",
            "location",
        ),
        (rf"^{_ZH_SUBJECT}(?:名叫|叫做|叫){_ZH_VALUE}{_ZH_END}", "name"),
        (rf"^{_ZH_SUBJECT}(?P<v>\d{{1,3}})岁{_ZH_END}", "age"),
    )
)
# Every English pattern needs one of these; to look for them first spares most texts the patterns.
_VERBS = frozenset(
    """is are am was were lies lie stands stand sits hangs live lives moved work works cost costs weigh weighs
    opens""".split()  # noqa: SIM905 - shorter to read than twenty quoted words
)
_QUESTION = re.compile(
    r"[?？]\s*$|^(?:who|what|where|when|why|how|is|are|do|does|did|can)\b|吗\W*$|谁|什么|哪里|哪儿",
    re.IGNORECASE,
)
_VAGUE = frozenset(
    [
        "it",
        "he",
        "she",
        "they",
        "this",
        "that",
        "there",
        "here",
        "what",
        "which",
        "它",
        "他",
        "她",
        "这",
        "那",
        "这里",
    ]
)
_FIRST_PERSON = {"i": "speaker", "my": "speaker", "me": "speaker", "我": "speaker", "我的": "speaker"}


def facts_of(text: str, meta: Mapping[str, Any] | None = None, person: str = "") -> list[Fact]:
    """Return the facts that a memory states.

    Args:
        meta: ``subject``, ``attribute`` (or ``predicate``) and ``value`` (or ``object``) name one outright;
            ``many`` true says that the attribute may have several values, so that nothing contradicts it.
        person: who is meant by "I" and "my".
    """
    named = _from_meta(meta or {})
    if named is not None:
        return named
    if len(text) > _LONGEST or (text.isascii() and _VERBS.isdisjoint(text.lower().split())):
        return []
    return [fact for statement in _statements(text) for fact in _read(statement, person)]


def _from_meta(meta: Mapping[str, Any]) -> list[Fact] | None:
    attribute = meta.get("attribute", meta.get("predicate"))
    value = meta.get("value", meta.get("object"))
    if not meta.get("subject") or not attribute or value is None:
        return None
    if meta.get("many"):
        return []
    return [Fact(_normal(str(meta["subject"])), _normal(str(attribute)), _normal(str(value)))]


def _statements(text: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.!。！])\s*|\n", text):
        sentence = sentence.strip()
        if sentence and not _QUESTION.search(sentence):
            yield sentence


def _read(statement: str, person: str) -> Iterator[Fact]:
    chinese = any(is_cjk(piece) for piece in pieces(statement))
    for pattern, attribute in _CHINESE if chinese else _ENGLISH:
        match = pattern.match(statement)
        if match is None:
            continue
        fact = _fact(match, attribute, person)
        if fact is not None:
            yield fact
        return


def _fact(match: re.Match[str], attribute: str, person: str) -> Fact | None:
    subject, value = match["s"].strip(), match["v"].strip()
    subject = _FIRST_PERSON.get(subject.casefold(), subject)
    if subject == "speaker":
        subject = f"speaker {person}"
    if subject.casefold() in _VAGUE:
        return None
    if attribute == "state":
        known = value.casefold()
        attribute, value = _CHINESE_STATES.get(
            known, (_STATE_OF.get(known, ""), _SAME_STATE.get(known, known))
        )
    elif not attribute:
        attribute = match["a"]
        if _normal(attribute) in {"nam", "name", "名字"}:
            attribute = "name"
    subject, attribute, value = _normal(subject), _normal(attribute), _normal(value)
    return Fact(subject, attribute, value) if subject and attribute and value else None


def _normal(text: str) -> str:
    """Return stems in order without function words; CJK runs as they are."""
    kept = []
    for piece in pieces(text):
        if is_cjk(piece):
            kept.append(piece.strip("的了"))
        elif piece not in ENGLISH_STOP_WORDS or piece in {"on", "off", "not", "no"}:
            kept.append(stem(piece))
    return " ".join(part for part in kept if part)
