"""Who is to hear what was found out, in whatever words: 「给我报报」「跟我学学」「看完言语一声」「说给简听」.

What is to be found out stands before, as a question or an errand; the end that says to whom it is reported comes to
「告诉我」 or 「告诉简」, and to 「然后回来告诉我」 where one comes back for it or somebody else is asked first. A question
about somebody who is then asked himself (「摩根几点出门？你去问他」) is put to him.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_MARKS = re.compile(r"([，。！？；,.!?;]+|——|…+)")
_QUOTED = re.compile(r"[“”\"「」『』：:]")
_LONGEST = 160
_FOUND_OUT = r"(?:看|瞧|瞅|数|问|查|点|听|打听|找|弄|搞|摸|确认|核实|了解|数|清点|观察)(?:好|完|清楚|明白|到|仔细|准|着|过)"
_LEAD = (
    rf"(?:你|您|请|麻烦|麻烦你|劳驾|帮我|替我|再|就|也|都|一起|一块儿?|一并|一道|统一|快|赶紧|然后|接着|之后|最后|完了|完事儿?|回头|一会儿|"
    rf"待会儿|马上|随后|并且?|去|记得|别忘了|[^，你我他她]{{1,5}}(?:似的|那样)|一样一样地?|挨个儿?|逐个|"
    rf"详细地?|仔细地?|如实|好好儿?|"
    rf"(?:有没有|有还是没有|在不在|不管有没有|在还是不在|是不是)都|{_FOUND_OUT}(?:了|之后|以后|后)?(?:就|再)?)*"
)
_BACK = (
    r"(?P<back>(?:赶紧|快|马上|就|再)?(?:回来|过来|回我这儿|回我这里|回到我这儿|回到我这里|回我这边|来我这儿|"
    r"来)(?:后|之后|以后|了|再|就)?)?"
)
_RESULT = (
    r"(?:(?:把|将)(?:结果|情况|数|数目|数字|数量|人数|总数|答案|回答|答复|他的话|她的话|原话|看到的|见到的|"
    r"你看到的|你看见的|所见|名字|他的回答|她的回答|(?:他|她|对方)说的)(?:都)?)?"
)
_SAYS = (
    r"(?:说道说道|念叨念叨|描述描述|形容形容|叨咕叨咕|唠叨唠叨|汇报汇报|学学舌|学一学|念一念|说一说|讲一讲|"
    r"报一报|学学|报报|说说|讲讲|念念|数数|唠唠|念叨|描述|形容|汇报|报告|通报|学舌|交代|说道|言语|吱|学|报|说|"
    r"讲|念|回)"
)
_MANY = r"(?:一下|一声|一遍|一嘴|一句|个信儿?|个话|个数|明白|清楚|出来|声|下|说|话|信儿?|听听|听|结果|情况|看看|看)*"
_SOFT = (
    r"(?:吧|呗|啊|呀|哦|哈|嘛|呢|啦|了|就行|就好|就成|就可以|行吗|好吗|好不好|行不|行不行|可以吗|成吗|谢谢|"
    r"谢谢你|谢谢啊|谢了)*"
)
_TO_ME = re.compile(
    rf"(?P<lead>{_LEAD}){_BACK}(?:{_LEAD}){_RESULT}(?:"
    rf"(?:给|跟|向|对|和|同)(?:我们?|咱们?|俺)(?:大家)?{_SAYS}{_MANY}|"
    rf"(?:说|讲|念|报|读|描述|形容|数|学|汇报)(?:出来)?(?:给|与)(?:我们?|咱们?|俺)(?:听听|听一听|听一下|听|知道)?|"
    rf"(?:言语|吱|吭|告诉|报告|汇报|通报|回禀|说|报|知会|喊)(?:我)?(?:一声|个声儿?|一嗓子|一下|一声儿)|"
    rf"(?:汇报|报告|回话|回个话|回个信儿?|给个信儿?|给个话|给个回话|来个信儿?|递个话|复命|交差|回禀)|"
    rf"回(?:我|咱|俺)(?:们)?(?:个|一声|一个)?(?:话|信儿?)|(?:给|捎)(?:我|咱|俺)(?:们)?(?:一)?个?(?:信儿?|话|"
    rf"回话|准信儿?|回音|答复|答案|准话)|"
    rf"(?:告诉|告知|通知|报告|回复|知会|回禀)(?:我们?|咱们?|俺)(?:一声|一下|结果|情况|听听|知道|说|吧|，)*|"
    rf"(?:好)?(?:让|叫|给)(?:我们?|咱们?|俺)(?:知道|晓得|心里有个?数|听听)(?:一下|一声)?){_SOFT}"
)
_ONLY_LOOKS = re.compile(
    r"(?:你|您|请|麻烦|麻烦你|劳驾|辛苦|快|帮我|帮忙|替我|给我|给|再|就|都)*(?:过?去|去那儿|去那边|到那儿|"
    r"上那儿)?(?:帮我|替我|给我)?"
    r"(?:点个卯|点个名|数个数|转一圈|看|瞧|瞅|查|数|点|瞄|打听|确认|核实|清点|观察)(?:看|瞧|瞅|查|数|点|一眼|"
    r"一下|一看|一数|一圈|眼|下|"
    r"仔细|清楚|打听)*(?:去|吧|呗|啊|，)*"
)
_SEEKS = re.compile(
    r"几|多少|找|谁|什么|啥|哪|吗|么|呢|有没有|是不是|在不在|是否|没有?$|[\u4e00-\u9fff]不[\u4e00-\u9fff]|"
    r"[\u4e00-\u9fff]没[\u4e00-\u9fff]|还是|看|瞧|瞅|数|点|查|问|打听|描述|形容|检查|确认|报|说说|怎么|咋|"
    r"空着|开着|关着"
)
_ASKS = re.compile(
    r"几|多少|谁|什么|啥|哪|吗|么|有没有|是不是|在不在|是否|怎么|[\u4e00-\u9fff]不[\u4e00-\u9fff]|"
    r"[看瞧瞅数查问]"
)
_BEGINS_REPORT = re.compile(rf"{_FOUND_OUT}|回来|完了|完事|看好|然后回来|回头")
_ASKS_HIM = (
    r"(?:你|您|请|麻烦|麻烦你|帮我|帮忙|替我|快|就)*(?:过?去|过来)?(?:帮我|替我|给我)?(?:当面|直接)?"
    r"(?:问问|问一问|问一下|问一声|问声|问下|问|打听一下|打听打听)(?:他|她|人家|本人|他本人|她本人)?(?:看|吧|"
    r"去|一下|一声|呗|，)*"
)
_PART_OF_A_CONDITION = re.compile(
    r"如果|要是|假如|若|万一|(?<![他她我])的话|一旦|只要|否则|不然|除非|等|(?:有|在|没有|没|不在|是|不是|开着|关着|空着|"
    r"空了|有人|没人)[，,]?就"
)


def reported(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with the end that says who hears it in plain words, None where it has no such end.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of people.
    """
    said = plain(text)
    if _QUOTED.search(said) or len(said) > _LONGEST or _PART_OF_A_CONDITION.search(said):
        return None
    parts = _MARKS.split(said)
    stretches = [part for part in parts[::2] if part]
    if not stretches:
        return None
    listener, back = _listener(stretches[-1], vocabulary)
    if listener is None:
        # 「电视柜上都放着些什么，去瞅一眼跟我说」「数一下厨房里有几个人数完告诉我」
        cut = (_cut(stretches[-1]) if len(stretches) > 1 else None) or _cut_off(stretches[-1])
        if cut is not None:
            stretches[-1:] = cut
            listener, back = _listener(stretches[-1], vocabulary)
    elsewhere = stretches[:-1] if listener is not None else stretches
    asked = _asked_himself(elsewhere, vocabulary)
    if asked is not None:
        to = listener or "我"
        return f"{asked}，然后{'回来' if to == '我' else ''}告诉{to}"
    if listener is None and len(elsewhere) > 1 and _ONLY_LOOKS.fullmatch(elsewhere[-1]):
        # 「储物架上还有没有杯子，帮我看眼」
        head = "，".join(elsewhere[:-1])
        return head if _SEEKS.search(head) and _ONLY_LOOKS.fullmatch(head) is None else None
    if listener is None or not elsewhere or not _SEEKS.search("，".join(elsewhere)):
        return None
    while len(elsewhere) > 1 and _ONLY_LOOKS.fullmatch(elsewhere[-1]):
        elsewhere = elsewhere[:-1]
    if len(elsewhere) > 1 and _ONLY_LOOKS.fullmatch(elsewhere[0]):
        elsewhere = elsewhere[1:]
    head = "，".join(elsewhere)
    if not _ASKS.search(head) and "找" in head:
        # 「找找咖啡粉，找着了言语一声」
        return f"{head}，找到了告诉{listener}"
    told = f"{head}，{'然后回来' if back else ''}告诉{listener}"
    return told if plain(told) != said.rstrip("。！!") else None


def _listener(stretch: str, vocabulary: Vocabulary) -> tuple[str | None, bool]:
    """Return who hears the report that the stretch orders, and whether one comes back for it."""
    found = _TO_ME.fullmatch(stretch)
    if found is not None:
        return "我", bool(found["back"])
    somebody = _to_somebody(vocabulary).fullmatch(stretch)
    if somebody is not None:
        return somebody["a"] or somebody["b"] or somebody["c"] or somebody["d"], False
    return None, False


def _cut(stretch: str) -> tuple[str, str] | None:
    """Return the looking and the reporting of one stretch: 「去瞅一眼」 and 「跟我说」."""
    for position in range(2, len(stretch) - 1):
        if _ONLY_LOOKS.fullmatch(stretch[:position]) and _TO_ME.fullmatch(stretch[position:]):
            return stretch[:position], stretch[position:]
    return None


def _cut_off(stretch: str) -> tuple[str, str] | None:
    """Return the question and the reporting of one stretch that was said without a pause."""
    for position in range(4, len(stretch) - 2):
        end = stretch[position:]
        if _BEGINS_REPORT.match(end) and _TO_ME.fullmatch(end) and _SEEKS.search(stretch[:position]):
            return stretch[:position], end
    return None


def _asked_himself(stretches: list[str], vocabulary: Vocabulary) -> str | None:
    """Return 「问摩根几点出门」 for a question about somebody who is then to be asked."""
    if len(stretches) != 2 or re.fullmatch(_ASKS_HIM, stretches[1]) is None:
        return None
    about = _about_somebody(vocabulary).fullmatch(stretches[0])
    return f"问{about['who']}{about['what']}" if about is not None else None


@functools.lru_cache(maxsize=4)
def _to_somebody(vocabulary: Vocabulary) -> re.Pattern[str]:
    person = name_patterns(vocabulary)["person"]
    who = rf"(?:[^，。把将跟对给说讲问告诉我你您]{{0,12}})?{person}"
    return re.compile(
        rf"{_LEAD}(?:回来|过去|去)?{_RESULT}(?:(?:说|讲|念|报|读|描述|学|汇报|报告)(?:给|"
        rf"与)(?P<a>{who})(?:听听|听一听|听一下|听|知道)?|"
        rf"(?:跟|给|向|对)(?P<b>{who})(?:说一声|说一下|说一说|说说|讲一声|讲一下|讲讲|汇报一下|汇报|报告一下|"
        rf"报告|报个数|报一下|报一声|言语一声|念叨念叨|学学)|"
        rf"(?:让)(?P<c>{who})(?:知道|晓得)(?:一下)?|(?:告诉|告知|通知|转告|报给|(?<=话)带给|(?<=话)捎给|"
        rf"(?<=答)带给|(?<=复)带给|(?<=的)带给)(?P<d>{who})(?:一声|一下)?){_SOFT}"
    )


@functools.lru_cache(maxsize=4)
def _about_somebody(vocabulary: Vocabulary) -> re.Pattern[str]:
    person = name_patterns(vocabulary)["person"]
    return re.compile(
        rf"(?:那|这)?(?P<who>{person})(?:他|她)?(?P<what>(?!在哪|在不在|是谁|叫什么)[^，。]{{0,14}}?"
        r"(?:几|什么|啥|哪|谁|多少|吗|怎么|[\u4e00-\u9fff]不[\u4e00-\u9fff]|[\u4e00-\u9fff]没[\u4e00-\u9fff]|"
        r"没$|是否|有没有|没有?$|"
        r"还是)[^，。]{0,10}?)(?:呢|啊|呀)?"
    )
