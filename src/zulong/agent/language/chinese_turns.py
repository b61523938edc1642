"""Turns of a Chinese order that say the same as a plainer one, put straight before its words are looked at.

Each keeps every word with content: a superlative behind its noun, a colour set against another, who owns a thing, what
was done with it before, and things that are counted first and shared out afterwards.
"""

from __future__ import annotations

import re

_ERHUA = re.compile(
    r"(?<=[罐瓶杯盒根桶个只块条包袋颗碗盘样件下边里前后跟头趟事圈面气劲把])儿(?!子|童|女|媳|孙|歌|科)"
)
_KIN = (
    "爸|妈|爸爸|妈妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|孩子|小孩|宝宝|娃|老婆|老公|老伴|老头子|媳妇|爱人|儿子|女儿|闺女|哥|姐|弟|妹|"
    "客人|家|同事|室友|邻居|老师"
)
_OWNER = re.compile(rf"(?:我|咱|他|她)?(?:们)?老?(?:{_KIN})儿?们?的(?=[^，。])")
_USED = re.compile(
    r"(?:昨天|昨晚|早上|中午|刚才|上次)?(?:没)?(?:用|吃|喝|洗|玩|看|擦|剩)(?:完|过|好|剩|干净|下)(?:了)?的(?=[^，。]{1,6})(?!那|这)"
)
_RATHER = re.compile(
    r"(?:我|我们)?(?:想|要|想要|想喝|想吃|要喝|要吃|让你拿|叫你拿)的是(?P<what>[^，]{1,8}?)，?(?:而|可|并|又)?不是(?P<not>[^，]{1,8})"
)
_SUPERLATIVE = re.compile(
    r"(?:那些|这些|那几个|的)?(?P<what>水果|饮料|零食|玩具|餐具|食物|吃的|喝的|东西|杯子|果冻|球)(?:里面?|里头|中间?|当中)?的?(?:挑|拣|选)?"
    r"(?P<how>最[大小重轻沉薄])的?(?:那|一)?(?:个|瓶|罐|盒|件|样|种)?(?=[，拿递给送取]|$)"
)
_HESITATION = re.compile(
    r"(?:那个什么|那个啥|那什么|叫什么来着|叫啥来着|怎么说来着|怎么说呢|是什么来着)(?=[，。]|$)[，。]?|[，](?=[，。])"
)
_SORTS = re.compile(
    r"(?<=[要拿来])(?:[两三四俩]|几)(?:样|种|个)(?:东西|吃的|喝的)?[，：:](?=一|[^，]{1,6}[和、])"
)
_FURTHER = re.compile(
    r"，(?:外加|再加上?|加上|还要|再要|还有|以及|另加)(?=[一两三半]?[个瓶罐盒根杯块份只把包袋条颗])"
)
_SHADES = "红蓝绿黄黑白橙灰棕紫粉"
_OTHER_SHADE = re.compile(
    rf"(?:不要|别拿|不是|别给我拿)(?:那个)?(?P<not>[{_SHADES}])色?的?(?P<what>[^，的]{{1,4}}?)，(?:我)?(?:要|拿|给我|是|给我拿|换)"
    rf"(?P<shade>[{_SHADES}])色?的(?:那个|那只)?(?=[，。]|$)"
)
_SHADE_OF = re.compile(rf"([{_SHADES}])颜色")
_THAT_SHADE = re.compile(
    rf"(?P<shade>[{_SHADES}])色?的[那这][个只瓶杯盒把件](?=[^，。的拿递给送]{{1,4}}(?:[，。拿递给送]|$))"
)
_ONCE_OVER = re.compile(r"([收放拿摆挪搬端递捡取])一?\1(?:一下)?(?![个瓶])")
_LET_BE = re.compile(
    r"(?P<what>(?:^|(?<=，))(?![没不找])[^，没不找]{1,8}?)(?:就|还是)算了，(?=拿|来|给|换|要|我)"
)
_INTO_BIN = re.compile(r"(?:扔|丢)(?:到|进|去|在|掉到|掉进)?(?=垃圾桶|垃圾箱|垃圾篓|纸篓|废纸篓|厨余桶)")
_NOT_YET = re.compile(
    r"(?P<what>(?:^|(?<=，))(?!把|将)[^，把给]{1,8}?)(?:先|就)?(?:别|不要|甭|不用)(?:急着|忙着)?(?:收|动|洗|扔|拿走|收走|端走|放回去|收起来|给我|拿给我|拿来|送来|递给我|端给我|拿过来|给我拿)了?，"
    r"(?=(?:先|就|给我|帮我|直接)*(?:放|搁|摆|挪|移|搬|拿到|送到))"
)
_LEFT_BY = re.compile(
    r"(?<=[上里中边])(?:是)?(?:谁|不知道谁|哪个)(?:又|给|刚才|乱)?(?:扔|放|丢|落|搁|忘|吃剩|喝剩|留|撂|摆)(?:下|在这儿?|在那儿?)?的(?=[^，])"
)
_NOT_THERE = re.compile(
    r"(?P<what>(?:^|(?<=，))[^，把给]{1,8}?)(?:别|不要|不该|不应该)(?:再|总|老)?(?:搁|放|摆|待|堆|扔|落|丢|掉|忘|留)(?:在|到)?(?!这|那|我)[^，]{1,6}?(?:里|上|边)?了?，"
    r"(?=[^，]*(?:放|搁|摆|收|挪|移|搬|拿到|送到|换到|换去|拿去|送去))"
)
_SHARED = re.compile(
    r"(?P<head>[^，两俩三四五]{0,6})(?P<many>两|俩|三|四)(?P<measure>[个瓶罐盒根杯只把块份包])?(?P<what>[^，]{1,8}?)(?:来|过来)?，(?P<parts>[^。]+)"
)
_ONE = "一[个瓶罐盒根杯只把块份包颗]"
_PART = re.compile(
    rf"(?:另外?|剩下|还有|再|其中)?(?:的)?{_ONE}?(?:给|送给|拿给|端给|归)(?P<who>[^，一]{{1,14}})"
    rf"|(?:再|还|也)?(?:给|送给|拿给|端给|分给)(?P<to>[^，一]{{1,14}}?)(?:拿|送|端|分|来|带)?(?:另外?|再)?{_ONE}(?:过去|去|来)?"
    rf"|(?P<gets>[^，一给把]{{1,8}}?)(?:也|要|得|拿|分)?{_ONE}"
)
_BEFORE_ONE = re.compile(rf"，|(?<=[^，])(?=(?:另外?|再)?{_ONE}(?:给|送给|拿给|归))")
_AFTER_ONE = re.compile(rf"，|(?<={_ONE})(?=[^，])")
_ALL_OF_THEM = re.compile(r"(?:就行|就好|都送去|都给送去|都给他们送去|都拿过去)$")
_MANY = {"两": 2, "俩": 2, "三": 3, "四": 4}


def straight(text: str) -> str:
    """Return the plain text of a sentence with its turns put straight."""
    text = _OWNER.sub("", _ERHUA.sub("", _HESITATION.sub("", text)))
    text = _FURTHER.sub("和", _SORTS.sub("", text))
    rather = _RATHER.fullmatch(text)
    if rather is not None:
        return f"我要{rather['what']}，不要{rather['not']}"
    text = _THAT_SHADE.sub(r"\g<shade>色的", _SHADE_OF.sub(r"\1色", text))
    text = _ONCE_OVER.sub(r"\1", text)
    text = _LET_BE.sub(r"不要\g<what>，", text)
    text = _NOT_YET.sub(r"把\g<what>", _NOT_THERE.sub(r"\g<what>，", text))
    text = _OTHER_SHADE.sub(r"我要\g<shade>的\g<what>", text)
    text = _SUPERLATIVE.sub(r"\g<how>的\g<what>", text)
    text = _INTO_BIN.sub("放到", text)
    return _USED.sub("", _LEFT_BY.sub("的", text))


def shared_out(text: str) -> str | None:
    """Return 「把一个桃子拿给简，……」 for 「两个桃子，一个给简，一个给罗宾」, None when it is not such a sentence."""
    found = _SHARED.fullmatch(_ALL_OF_THEM.sub("", text.strip().rstrip("。！!.啊呀吧哦")))
    if found is None or not re.fullmatch(r"(?:请|麻烦|帮我|给我|去|把|拿|取|来|帮忙|你)*", found["head"]):
        return None
    between = _BEFORE_ONE if found["parts"].startswith("一") else _AFTER_ONE
    stretches = [part.strip() for part in between.split(found["parts"]) if part.strip()]
    parts = [_PART.fullmatch(part) for part in stretches]
    if len(parts) != _MANY[found["many"]] or any(part is None for part in parts):
        return None
    thing = f"一{found['measure'] or '个'}{found['what']}"
    people = [part["who"] or part["to"] or part["gets"] for part in parts if part is not None]
    return "，".join(f"把{thing}拿给{who.removesuffix('的')}" for who in people)
