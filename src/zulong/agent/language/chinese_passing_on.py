"""Words for somebody that are said before him, or for one more: 「饭好了，跟罗宾说一声」「告诉简饭好了，罗宾也说一声」.

What was said before the order to tell is what is told; whoever is told "too" is told the same. An order that only says
once more to whom words are said that are addressed already (「祝罗宾生日快乐，你去跟他说」) is left out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from zulong.agent.language.chinese_telling import tells
from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_MARKS = re.compile(r"([，。！？；：:,.!?;]+|——|…+)")
_QUOTED = re.compile(r"[“”\"「」『』？?]")
_NEVER = re.compile(
    r"如果|要是|假如|若是|万一|的话|否则|不然|除非|一旦|只要|等[^，]{1,8}[再就]|[有在没][，]?就|除了"
)
_LONGEST = 120
_SEVERAL = 2
_LEAD = (
    r"(?:你|您|先|请|麻烦|麻烦你|劳驾|快|赶紧|就|再|然后|接着|顺便|顺道|顺路|帮我|替我|给我|代我|帮忙|去|过去|"
    r"回头|待会儿|一会儿|记得|别忘了|过去一趟|走一趟|还有)*"
)
_TOO = r"(?P<too>也|都|同样|同样地|一样)?(?:去|要|得|给)?"
_SOFT = r"(?:吧|呗|啊|呀|哦|哈|嘛|呢|啦|就行|就好|好吗|好不好|行吗|行不|谢谢|谢谢你|谢了)*"
_NOT_TOLD = re.compile(
    r"^(?:你|您|请|帮|麻烦|劳驾|去|把|将|给|拿|取|送|带|找|数|看|瞧|问|跟|到|放|等|回|来|过来|告诉|通知|转告|"
    r"先(?!别|不)|再|然后|接着|最后|之后|完了|快(?!递)|停(?!水|电)|别(?:动|停|走)|我(?:想|要|需要|渴|饿|忙|走不开|没空|腾不))"
    r"|谁|什么|啥|哪|几|多少|怎么|吗$|我(?:这|手)"
)
_WISHED = re.compile(r"^(?:祝|恭喜|祝贺)")
_SAID = re.compile(
    r"(?:该|快|马上|可以|得|要|别|不用|甭)[^，]{1,12}(?:了|啦)$|(?:快乐|顺利|健康|加油|辛苦了|谢谢|晚安|早安|"
    r"恭喜发财|新年好|对不起|抱歉|再见|欢迎|恭喜|平安)(?:了|啦|啊|你)?$|"
    r"(?:了|啦|着呢|呢)$|[^，]{2,}(?:开始|结束|集合|出发|开会|开饭|取消|提前|推迟|见面|到齐|停水|停电)$|"
    r"[^，]{1,6}改(?:到|成)[^，]{1,8}$|^(?:先)?(?:别|不用|不要|甭|少)(?!拿|动|碰|去|给|放)"
)


@dataclass(slots=True, frozen=True)
class _Forms:
    """The patterns for one vocabulary.

    Attributes:
        tells: an order to tell somebody that has no words of its own.
        told: an order to tell or ask somebody with its words.
        two: 「跟查理和帕里斯都说一声」, whose 「都」 says nothing more.
    """

    tells: re.Pattern[str]
    told: re.Pattern[str]
    two: re.Pattern[str]


def passed_on(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with each message put to the one who hears it, None where no words stand apart from him.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of people.
    """
    said = plain(text)
    if _QUOTED.search(said) or len(said) > _LONGEST or _NEVER.search(said):
        return None
    forms = _forms(vocabulary)
    both = forms.two.sub(lambda found: found.group().replace("都", ""), said)
    if both != said:
        return both
    stretches = [part for part in _MARKS.split(said)[::2] if part]
    if len(stretches) < 2:
        return None
    asked = re.match(
        rf"({_person(vocabulary)})(?:刚|刚才|又|老|一直|在|还|正)*(?:问我|问起|想知道|不知道|不清楚|问咱)",
        stretches[0],
    )
    told = _TELLS_HIM.match(stretches[1])
    if asked is not None and told is not None:
        # 「罗宾问我几点开会，你去告诉他三点」
        return "，".join([f"告诉{asked[1]}{stretches[1][told.end() :]}", *stretches[2:]])
    in_a_row = _in_a_row(stretches, forms, vocabulary)
    if in_a_row is not None:
        return in_a_row
    again = forms.tells.fullmatch(stretches[-1])
    if again is None:
        return None
    listener = _listener(again)
    before = stretches[:-1]
    first = forms.told.fullmatch("，".join(before))
    if first is not None and not _name_goes_on(first, vocabulary):
        return _once_more(first, again, listener)
    if again["asks"]:
        return None
    message = "，".join(before)
    if _PRONOUN.fullmatch(listener):
        named = re.match(rf"(?:祝|恭喜|祝贺)?({_person(vocabulary)})", message)
        if named is None:
            return None
        listener = named[1]
        if _WISHED.match(message):
            message = message.replace(listener, "你", 1)
    if not all(_may_be_told(stretch, vocabulary) for stretch in before):
        return None
    return f"告诉{listener}「{message}」"


def _in_a_row(stretches: Sequence[str], forms: _Forms, vocabulary: Vocabulary) -> str | None:
    """Return 「告诉简「外面有风」，然后告诉阿黛尔「外面有风」」 for 「告诉简，再告诉阿黛尔，就说外面有风」."""
    told = [forms.tells.fullmatch(stretch) for stretch in stretches]
    start = next((n for n in range(len(told) - 1) if told[n] and told[n + 1]), None)
    if start is None:
        return None
    end = next((n for n in range(start, len(told)) if told[n] is None), len(told))
    run = [found for found in told[start:end] if found is not None]
    asks = bool(run[0]["asks"])
    rest = list(stretches[end:])
    opened = _SAYS_SO.match(rest[0]) if rest else None
    words = "，".join([rest[0][opened.end() if opened else 0 :], *rest[1:]]) if rest else ""
    if not words or any(bool(found["asks"]) != asks for found in run):
        return None
    if opened is None and (asks or not all(_may_be_told(part, vocabulary) for part in rest)):
        return None
    if any(_PRONOUN.fullmatch(found["a"] or found["b"] or found["c"]) for found in run):
        return None
    says = "问" if asks else "告诉"
    return "，".join([*stretches[:start], *(f"{says}{_listener(found)}「{words}」" for found in run)])


def asked_of_all(text: str, vocabulary: Vocabulary) -> str:
    """Return 「问简和罗宾」 for 「先问问简，再问问罗宾」, where what is to be said is still to be asked; else the text.

    Args:
        text: the sentence.
        vocabulary: knows the names of people.
    """
    said = plain(text)
    if _QUOTED.search(said) or len(said) > _LONGEST or _NEVER.search(said):
        return text
    forms = _forms(vocabulary)
    told = [forms.tells.fullmatch(part) for part in _MARKS.split(said)[::2] if part]
    run = [found for found in told if found is not None and not found["at"]]
    if len(run) < _SEVERAL or len(run) < len(told) or len({bool(found["asks"]) for found in run}) > 1:
        return text
    listeners = [_listener(found) for found in run]
    if any(_PRONOUN.fullmatch(who) for who in listeners):
        return text
    return f"{'问' if run[0]['asks'] else '告诉'}{'和'.join(listeners)}"


def _listener(found: re.Match[str]) -> str:
    """Return who is told, with the place where he is."""
    who, place = found["a"] or found["b"] or found["c"], found["at"]
    return f"{place}里的{who}" if place and place not in who else str(who)


_SAYS_SO = re.compile(
    r"(?:就|都|内容是|内容|只)*(?:跟|对|和)?(?:他们|她们|他|她)?(?:说|讲|告诉(?:他们|她们|他|她)|问)"
    r"(?:一声|一下|的是)?(?=.)"
)
_TELLS_HIM = re.compile(
    rf"{_LEAD}(?:(?:跟|对)(?:他|她)(?:说|讲)|(?:告诉|回复|转告)(?:他|她))(?:一声|一下)?(?=[^，])"
)
_PRONOUN = re.compile(r"他|她|人家|他们|她们")


def _name_goes_on(first: re.Match[str], vocabulary: Vocabulary) -> bool:
    """Tell 「问阿克塞尔」 that was cut after a shorter name."""
    whole = first["who"] + first["words"]
    return any(
        found.start() < len(first["who"]) < found.end() for found in re.finditer(_person(vocabulary), whole)
    )


def _once_more(first: re.Match[str], again: re.Match[str], listener: str) -> str | None:
    """Return the same words for both, or for the first alone when the second is he."""
    asks, who, words = first["says"].startswith("问"), first["who"], first["words"]
    if first["at"] and first["at"] not in who:
        who = f"{first['at']}里的{who}"
    if bool(again["asks"]) != asks:
        return None
    says = "问" if asks else "告诉"
    if _PRONOUN.fullmatch(listener):
        return f"{says}{who}「{words}」" if not again["too"] else None
    if listener in who:
        return None
    return f"{says}{who}「{words}」，{says}{listener}「{words}」"


def _may_be_told(stretch: str, vocabulary: Vocabulary) -> bool:
    if _WISHED.match(stretch):
        return True
    if _NOT_TOLD.search(stretch):
        return False
    return _SAID.search(stretch) is not None or tells(stretch, vocabulary)


def _person(vocabulary: Vocabulary) -> str:
    return name_patterns(vocabulary)["person"]


@functools.lru_cache(maxsize=4)
def _forms(vocabulary: Vocabulary) -> _Forms:
    person = _person(vocabulary)
    who = rf"(?:[^，把将跟对给说讲问告诉我你您]{{0,10}})?{person}(?:们)?(?:(?:和|、|跟|与|以及){person})*"
    says = (
        r"(?:说一声|说一下|说一说|说下|说说|说|(?:这么|这样|同样(?:也)?(?:这么)?)(?:说|讲)|讲一声|讲一下|讲|"
        r"言语一声|吱一声|知会一声|打个招呼说一下|"
        r"转达一下|转达|传个话|传达一下)(?:去)?"
    )
    there = rf"(?:(?:去|到|上)?(?P<at>{name_patterns(vocabulary)['place']})(?:里|那儿|那边|那里|上)?(?:去)?)?"
    return _Forms(
        tells=re.compile(
            rf"{_LEAD}{there}{_TOO}(?:(?:跟|对|和|同|向|给)(?P<a>{who})(?:也|都)*(?:去)?{says}|(?:告诉|通知|转告|知会|"
            rf"告知|提醒)(?:一下|一声|下)?(?P<b>{who})(?:一下|一声|一句|知道)?|"
            rf"(?P<asks>问问|问一下|问一声|问下|问)(?P<c>{who})(?:一下|一声)?){_SOFT}"
        ),
        told=re.compile(
            rf"{_LEAD}{there}(?P<says>(?:跟|对|和|同|向|给)(?={who}(?:说|讲))|告诉|通知|转告|告知|提醒|问问|问一下|"
            rf"问一声|问下|问)(?:一下|一声)?(?P<who>{who})"
            r"(?:说一声|说一下|说|讲|一声|一下)?[，]?(?P<words>.+)"
        ),
        two=re.compile(
            rf"(?:跟|对|和|同|向|给){person}(?:和|、|跟|与|以及){person}(?:他们|她们)?(?:俩|两个|两人|几个|"
            rf"二位)?都(?=说|讲|打|道|问|喊|道)"
        ),
    )
