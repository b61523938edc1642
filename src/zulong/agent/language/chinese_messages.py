"""What is to be said or asked in a Chinese instruction: words for others, never orders for the robot.

「转告罗宾：饭好了，别等我」 comes to 「告诉罗宾「饭好了，别等我」」: what stands in quotation marks is said as it is.
What the robot has to find out itself (「告诉简客厅里有几个人」) and what it knows (「告诉简现在几点」) stays for the
grammar. The patterns are those of ``config/wordings_zh.yaml``, section ``messages``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

_PRIVATE, _PRIVATE_END = "\ue000", "\uf8ff"
_MARKS = "，。？！,.?!；;"
_COLONS = "：:"
_IDLE = "呀啊呢吧哦的了？?！! "
# 「让她下来拿」 is said to her as 「请下来拿」.
_ORDER_TO_LISTENER = re.compile(r"(^|[，,])(?:就|快|赶紧)?(?:让|叫|请)(?:他|她|他们|她们)(?=[^，。])")
# 「水烧好了」「妈妈打电话来了」: no threats, though their verbs may be.
_HARMLESS = re.compile(
    r"烧(?:好|开|水|饭|菜|烤|着水|着饭|着菜|肉|鱼|糊|的)|[发退高低]烧|红烧|燃气|"
    r"打(?:着|了|上)?(?:石膏|点滴|吊瓶|吊针|封闭|补丁|领带)|打(?:电话|扫|包|车|球|牌|开|算|听|招呼|扰|折|印|卡|针|完|来|雷|工|游戏|麻将|扮|盹|瞌睡|呼噜|喷嚏|疫苗|水|饭|酱油|酱|拼|烊|分|字|个电话|个招呼|瓶|点折|八折)|"
    r"(?:刮|拉|摔|绊)?(?:到|倒)了|踢(?:球|足球|完球)|弹琴|切(?:菜|好|水果|蛋糕)|撞(?:见|上|衫)|抢(?:红包|到票|购)|捏(?:饺子|面团)|刺身|扎(?:头发|辫子)|炸(?:鸡|酱面|鱼|薯条|丸子)"
)


def harmless(words: str) -> str:
    """Return the words without those whose verbs threaten only by themselves: 「水烧好了」, 「打电话」."""
    return _HARMLESS.sub("", words)


_LEADS = {"tell": "告诉", "ask": "问"}


class Messages:
    """Puts what is to be said or asked in quotation marks.

    Args:
        data: the section ``messages``.
        filled: fills the macros of a pattern in.
        topics: what the robot can tell by itself; such words are no message.
        threats: words that the robot passes on to nobody.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        filled: Callable[[str], str],
        topics: Collection[str],
        threats: Sequence[str],
    ) -> None:
        parts = {name: str(data[name]) for name in ("listener", "title", "saying", "measure", "asking")}

        def pattern(text: str) -> re.Pattern[str]:
            for name, value in parts.items():
                text = text.replace("{" + name + "}", value)
            return re.compile(filled(text))

        self._forms = [(pattern(text), kind) for kind in ("tell", "ask", "say") for text in data[kind]]
        self._order = pattern(data["orders"])
        self._order_after_colon = pattern(data["orders_after_colon"])
        self._order_after_and = pattern(data["orders_after_and"])
        self._opening = pattern(data["opening"])
        self._known = pattern(data["known"])
        self._asked_anyway = pattern(data["asked_anyway"])
        self._topics = frozenset(topics)
        self._threats = tuple(threats)

    def quoted(self, text: str) -> str:
        """Return the sentence with its first message that is not yet quoted in quotation marks.

        What stands in quotation marks already is one private character.
        """
        for pattern, kind in self._forms:
            for found in pattern.finditer(text):
                end = self._end(text, found.end(), kind)
                words = text[found.end() : end]
                lead = self._opening.match(words)
                words = words[lead.end() :] if lead else words
                if self._is_message(words, kind):
                    words = _ORDER_TO_LISTENER.sub(r"\1请", words) if kind == "tell" else words
                    said = f"说「{words}」" if kind == "say" else f"{_LEADS[kind]}{found.group(1)}「{words}」"
                    return text[: found.start()] + said + text[end:]
        return text

    def _is_message(self, words: str, kind: str) -> bool:
        plain = words.strip(_IDLE)
        if not plain or any(_PRIVATE <= char < _PRIVATE_END for char in words):
            return False
        if any(threat in harmless(words) for threat in self._threats):
            return False
        if kind == "ask":
            return not self._asked_anyway.search(plain)
        return plain not in self._topics and words not in self._topics and not self._known.search(plain)

    def _end(self, text: str, start: int, kind: str) -> int:
        """Return where the words that are to be said end."""
        opened = text[start : start + 1] in tuple(_COLONS) or text[start - 1 : start] in tuple(_COLONS)
        order = self._order_after_colon if opened else self._order
        position = start
        while position < len(text) and text[position] in _COLONS + "，,":
            position += 1
        first = True
        while position < len(text):
            stop = position
            while stop < len(text) and text[stop] not in _MARKS:
                stop += 1
            segment = text[position:stop]
            if not first and (not segment or order.match(segment)):
                return position - 1
            joint = self._order_after_and.search(segment)
            if joint and (joint.start() > 0 or not opened):
                return position + joint.start()
            ends = text[stop : stop + 1] not in ("，", ",")
            if ends or kind == "ask":
                # A question is one stretch; what is told may go on after a comma.
                return stop
            position, first = stop + 1, False
        return len(text)
