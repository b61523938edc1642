"""What a later part of a Chinese sentence only points back to, said in full.

「柠檬和糖都给安琪，先给糖」 says in which order they come, 「再把简也请过去」 goes where the one before was led,
「看看里面还有没有橙子」 looks into what was named last, 「等他到了客厅，你就回来」 says how far to follow, and
「叫查理，让他过来」 is one call. Each comes to what an instruction of its own would say. What stands in quotation marks
stays as it is. The English twin is :mod:`english_resumed`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 160
_QUOTED = re.compile(r"[“”\"「」『』‘’：:]")
_MAY_POINT = re.compile(
    r"先|想|的|又|时|回|他|她|再|给我|谁|[走开完好妥到]|[里上那]|过去|到那|也|让[他她]|等[他她]|路上|途中|中途"
)
_M = r"(?:[一两二三]?[个瓶罐杯盒根块份颗包只把袋条])?"
_NEXT = r"(?:(?:再|然后|接着|随后|之后|最后|另外|顺便|还|回头|完了|你|就|请|麻烦|劳驾|给我|帮我|去)*)"
_SOFT = r"(?:吧|啊|呗|哦|哈|了|谢谢|好吗|行吗)*"
_THITHER = r"(?:过去|到那儿去?|到那里去?|到那边去?|去那儿|去那边|去)"
_LOOK = (
    r"(?:看看|看一看|看一下|看下|看一眼|数数|数一数|数一下|数下|瞧瞧|瞧一眼|瞅瞅|瞅一眼|检查一下|检查|查查|查一下|看|数|"
    r"确认一下|告诉我|跟我说说?)"
)
_FINISHED = re.compile(
    r"(?<=[，,；;。])(?:都|全)?(?:给|送|交|递|放|拿|带|领|搬|端|摆|收|搁|送到|放回|发)(?:完|好|到|妥)(?:了|之后|以后|后)*[，,]?(?:你|就|再|记得)*"
    r"(?=[问跟对去回把给带领拿来到]|告诉(?!我))(?!跟我|回来告诉|来告诉|回来跟我|给我(?:说|个))"
)
_ASKED = re.compile(
    r"(?<=[，,；;。])(?:问|说|讲|吃|喝|打听|招呼|聊)(?:完|好|清楚)(?:了|之后|以后|后)*[，,]?(?:你|就|再|记得)*(?=[带领把拿送陪请给](?!我(?:说|个|讲)))"
)
_NOT_YET = re.compile(
    r"^(?P<lead>(?:你|请|哎|那)*)(?:先)?(?:别|不要|不用|甭)(?:急着|忙着|着急|急)[^，。给我]{1,12}[，,](?=先)"
)
_RED = r"(?:红|蓝|绿|黄|白|黑|灰|橙|紫|粉|棕)"
_SHADES = re.compile(
    rf"(?P<before>(?P<one>{_RED})色?的?(?P<thing>杯子|马克杯|茶杯|杯)[^。]*?[，,；](?:要是|如果)?(?:没有?|找不到|不在)(?P=one)色?的)(?P<mid>(?:的话)?[，,]?(?:你|就|那就|那)*[拿取要用换给把][^，。红蓝绿]{{0,4}})"
    rf"(?P<other>{_RED})色?的(?=$|[，。吧来给也])"
)
_REPORTS_DONE = re.compile(
    r"[，,](?:然后|再|最后|接着)?(?:你)?(?:回来|过来|来)?(?:再|就)?(?:跟我说|告诉我|跟我讲|给我说)(?:一声)?(?:说)?[，,]?"
    r"(?P<done>(?:都)?(?:送|放|拿|做|办|弄|搞|收|摆|带)(?:到|好|完|定|齐)了|好了|完事了|完成了)[。！]*$"
)
_GIVE_TIME = re.compile(
    r"(?:(?<=^)|(?<=[，。]))给我(?=(?:[一二两三四五六七八九十半\d]+)(?:个)?(?:半)?(?:分钟|秒钟|秒|小时|钟头)(?:时间)?(?:[，,。]|$))"
)
_AS_WELL = re.compile(r"(?<=[^，。])又(?=有(?:几|多少|没有|什么|谁))")
_ON_THE_WAY_BACK = re.compile(
    r"(?<=[^，。])[，,。；](?:你)?(?:在)?(?:回来|回|过来|往回走|返回)的?(?:时候|路上|途中|时)[，,]?(?:你|再|就|记得|顺便|顺手|顺路|顺道)*"
    r"(?=[把从带捎拿去到看数问跟告给帮取])"
)
_POSED = re.compile(r"(?P<how>[站坐躺]着|[招挥举]着?手)的那?[个位](?=[^人男女小老大姑先客孩穿朋叔阿]|$)")
_TAKEN_AWAY = re.compile(r"给我(?=(?:拿|搬|收|端|挪)[走开])")
_TOLD_FIRST = re.compile(
    r"(?<=在哪)[，,](?:跟我|告诉|给我)(?:我)?(?:说|讲)?(?:一声|一下)?(?:完|好)?了?(?:以后|之后|后)?[，,]?再(?=[去把拿])"
)
_HE = r"(?:他|她|人家|人)"


@dataclass(slots=True, frozen=True)
class _Forms:
    """The patterns for one vocabulary.

    Attributes:
        row: 「柠檬和糖都给安琪，先给糖」.
        led: an order that leads somebody somewhere.
        too: an order that leads one more, without the place.
        too_before: the same, the person before the verb.
        there: 「看看里面还有」.
        place: the name of a place.
        followed: 「跟着罗宾，等他到了客厅，你就」.
        called: 「叫查理，让他过来」.
        shunned: 「路上别去厨房」.
        recalled: 「回忆一下红酒最后在哪看到的」.
        sought: 「问简糖放哪儿了，再去拿来给我」.
        told_where: 「安琪在客厅吧，你过去问问她」.
        both: 「简和罗宾都要咖啡，先给罗宾送」.
        him: a condition on him, behind the order for the one person.
        person: somebody by name.
        seated: 「带他到餐桌那儿坐」.
        offered: 「把苹果给简之前，先问她要不要」.
        of_both_there: 「把沙发上的足球和棒球」, both of which are there.
        whoever: 「拿到沙发那儿，谁坐着就给谁」.
        on_the_way: 「去客厅的路上把杯子放到水槽」.
        left: 「从食品柜拿盒麦片给我，看看还剩几盒」.
    """

    row: re.Pattern[str]
    led: re.Pattern[str]
    too: re.Pattern[str]
    too_before: re.Pattern[str]
    there: re.Pattern[str]
    place: re.Pattern[str]
    followed: re.Pattern[str]
    called: re.Pattern[str]
    shunned: re.Pattern[str]
    recalled: re.Pattern[str]
    sought: re.Pattern[str]
    told_where: re.Pattern[str]
    both: re.Pattern[str]
    him: re.Pattern[str]
    person: re.Pattern[str]
    seated: re.Pattern[str]
    offered: re.Pattern[str]
    of_both_there: re.Pattern[str]
    whoever: re.Pattern[str]
    left: re.Pattern[str]
    on_the_way: re.Pattern[str]


def resumed(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with what its later parts point back to said in full; unchanged where nothing points back.

    Args:
        text: the sentence.
        vocabulary: knows the names.
    """
    if len(text) > _LONGEST or _QUOTED.search(text) or not _MAY_POINT.search(text):
        return text
    said, forms = plain(text), _forms(vocabulary)
    changed = _FINISHED.sub("然后", _TAKEN_AWAY.sub("", _in_order(_AS_WELL.sub("", said), forms)))
    changed = _ON_THE_WAY_BACK.sub("，然后", _POSED.sub(r"\g<how>的人", changed))
    changed = forms.on_the_way.sub(r"\g<order>，然后去\g<place>", changed)
    changed = _GIVE_TIME.sub("等", changed)
    changed = forms.of_both_there.sub(r"\g<head>\g<where>\g<a>\g<and>\g<where>\g<b>", changed)
    changed = forms.whoever.sub(r"拿给\g<place>上\g<pose>的人", changed)
    changed = forms.left.sub(r"\g<head>，看看\g<place>里还剩几\g<m>\g<what>", changed)
    changed = _ASKED.sub("然后", _NOT_YET.sub(r"\g<lead>", changed))
    changed = _SHADES.sub(_in_shades, changed)
    changed = forms.sought.sub(
        lambda found: f"{found['asked']}，然后把{found['what']}拿给{found['whom'] or '我'}", changed
    )
    changed = _beside(_of_both(_told_where(changed, forms), forms), forms)
    changed = _REPORTS_DONE.sub(r"，然后回到我这里，说“\g<done>”", changed)
    changed = forms.offered.sub(r"问\g<who>\g<ask>\g<what>，要的话拿给他", changed)
    changed = forms.seated.sub(r"\g<led>", changed)
    changed = forms.recalled.sub(r"告诉我\g<what>在哪", changed)
    changed = _TOLD_FIRST.sub("，然后再", changed)
    changed = forms.followed.sub(
        lambda found: f"跟着{found['who']}到{found['place']}{'' if found['stop'] else '，然后'}", changed
    )
    changed = re.sub(r"，然后(?:在)?(?:外面|门外|门口)(?=等[一二两三四五六七八九十半\d])", "，然后", changed)
    changed = forms.called.sub(r"叫\g<who>过来", changed)
    changed = forms.shunned.sub(r"，别去\g<place>", changed)
    changed = _in_there(_led_too(changed, forms), forms)
    return changed if changed != said else text


def _in_order(said: str, forms: _Forms) -> str:
    """Put the thing that comes first before the other."""
    found = forms.row.fullmatch(said)
    if found is None:
        return said
    one, other, first = found["a"], found["b"], found["first"]
    if first == found["thing_a"]:
        return f"{found['lead']}{one}和{other}{found['rest']}"
    if first == found["thing_b"]:
        return f"{found['lead']}{other}和{one}{found['rest']}"
    return said


def _led_too(said: str, forms: _Forms) -> str:
    """Say where one more is led: 「再把简也请过去」."""
    parts = re.split(r"([，。；！,;!]+)", said)
    where = ""
    for number in range(0, len(parts), 2):
        part = parts[number]
        too = (forms.too.fullmatch(part) or forms.too_before.fullmatch(part)) if where else None
        if too is not None:
            parts[number] = f"然后带{too['who']}去{where}"
            continue
        led = forms.led.search(part)
        where = (led["where"] or led["where2"]) if led is not None else where
    return "".join(parts)


def _in_there(said: str, forms: _Forms) -> str:
    """Name the place that 「里面」 and 「那儿」 stand for behind an order to look."""

    def named(found: re.Match[str]) -> str:
        before = forms.place.findall(said[: found.start("there")])
        if not before:
            return found.group()
        side = "上" if found["there"].startswith("上") else "里"
        return f"{found['look']}{before[-1]}{side}"

    return forms.there.sub(named, said)


def _in_shades(found: re.Match[str]) -> str:
    """Name the thing that 「蓝的」 and 「绿的」 are said of."""
    thing = found["thing"]
    return f"{found['before'].removesuffix('的')}{thing}{found['mid']}{found['other']}{thing}"


def _told_where(said: str, forms: _Forms) -> str:
    """Put where somebody is told to be, and who a condition is on, in place of the pronoun."""
    found = forms.told_where.fullmatch(said)
    if found is not None:
        rest = found["rest"]
        him = re.search(r"(?<!其)[他她](?!们|的)", rest)
        if him is not None and not forms.person.search(rest[: him.start()]):
            said = f"{found['lead']}{rest[: him.start()]}{found['place']}的{found['who']}{rest[him.end() :]}"
    later = forms.him.search(said)
    if later is not None:
        people = list(dict.fromkeys(forms.person.findall(said[: later.start()])))
        if len(people) == 1:
            said = f"{said[: later.start()]}，如果{people[0]}{later['where']}{said[later.end() :]}"
    return said


def _of_both(said: str, forms: _Forms) -> str:
    """Say who gets something, in the order that was said: 「简和罗宾都要咖啡，先给罗宾送」."""
    found = forms.both.fullmatch(said)
    if found is None or found["first"] not in (found["a"], found["b"]):
        return said
    other = found["b"] if found["first"] == found["a"] else found["a"]
    many = found["many"] or ""
    return f"给{found['first']}拿{many}{found['what']}，然后给{other}拿{many}{found['what']}"


def _beside(said: str, forms: _Forms) -> str:
    """Name the place that 「也放到旁边」 means."""

    def named(found: re.Match[str]) -> str:
        before = forms.place.findall(said[: found.start()])
        return f"{found['put']}{before[-1]}" if before else found.group()

    return _PUT_BESIDE.sub(named, said)


_PUT_BESIDE = re.compile(
    r"(?P<put>也(?:一起|一块儿?)?[放搁摆收拿]?[放搁摆][到在])(?:旁边|边上|一起|一块儿?|同一个地方)(?=$|[，。])"
)


@functools.lru_cache(maxsize=4)
def _forms(vocabulary: Vocabulary) -> _Forms:
    names = name_patterns(vocabulary)
    place, thing, person = names["place"], names["thing"], names["person"]
    who = rf"(?:[^，。把带领请送陪叫也跟去到]{{0,10}}?{person})"
    lead_on = r"(?:带着?|领着?|请|送|陪着?|护送|接)"
    there = r"(?:里|那边|那儿|那里|上|旁边|跟前)?(?:去|来)?"
    deed = r"(?:给|拿给?|放|送|端|带|来|上|递给?|搬|取|把)*"
    whom = rf"(?:我|他|她|你|{person})?"
    return _Forms(
        row=re.compile(
            rf"(?P<lead>(?:.*[，。；])?[^，和跟]{{0,6}}?)(?P<a>{_M}(?P<thing_a>{thing}))(?:和|跟|、|与|以及|还有)"
            rf"(?P<b>{_M}(?P<thing_b>{thing}))(?P<rest>(?:都|一起|一块儿?|全)?[^，]{{0,4}}[给拿放送端带来要搬取递][^，。]*)"
            rf"[，,。](?:但是?|不过|记得|要|得)?先{deed}{whom}(?:的是)?{_M}(?P<first>{thing})"
            rf"(?:给{whom})?(?:[，,]?(?:然后|再|后){deed}{whom}{_M}{thing})?{_SOFT}[。！]*"
        ),
        led=re.compile(
            rf"(?:{lead_on}{who}|把{who}{lead_on})(?:去|到|过去|上|回|往|进)+(?P<where>{place}){there}{_SOFT}$|"
            rf"让{who}(?:去|到)(?P<where2>{place})$"
        ),
        too=re.compile(
            rf"{_NEXT}(?:{lead_on}|叫|让)(?P<who>{who})(?:也|都)?(?:一起|一块儿?)?(?:{_THITHER})?{_SOFT}"
        ),
        too_before=re.compile(
            rf"{_NEXT}把(?P<who>{who})(?:也|都)?(?:一起|一块儿?|一道)?(?:{lead_on}|叫){_THITHER}{_SOFT}"
        ),
        there=re.compile(
            rf"(?P<look>(?:^|[，。；]){_NEXT}(?:顺路|顺手|顺带|回来的?时候)?{_LOOK}(?:那)?)"
            r"(?P<there>里面|里头|里边|上面|上头|那儿|那里|那边)(?=(?:现在|一共|总共|到底|都|还)*(?:[有剩放是没]|几|多少))"
        ),
        place=re.compile(place),
        followed=re.compile(
            rf"跟(?:着|上|住|在)?(?P<who>{who})(?:走|后面走|后面|身后)?[，,](?:你)?(?:一直)?(?:等到?|直到|到)?{_HE}?(?:一)?(?:走到|走进|到|进|回到|去)了?"
            rf"(?P<place>{place})(?:里|那儿|那边|了)*(?:以后|之后|后|的时候|的话)?[，,]?(?:然后)?(?:你|就|再|便|马上|赶紧)+(?:(?=[回来去告跟给等]|在外面)|(?P<stop>停下来?|停住|停|打住|别跟了|为止)(?:吧|就行)?)"
        ),
        called=re.compile(
            rf"(?:叫|喊|找|叫上|喊一下|叫一下|通知)(?P<who>{who})[，,](?:让|叫|请|喊)(?:他|她)(?:马上|赶紧|快|赶快|就)*(?:过来|来)"
            r"(?:找我|见我|我这儿|我这里|我这边|这儿|这里|一下|一趟)*"
        ),
        shunned=re.compile(
            rf"[，,](?:但是?|不过)?(?:一?路上|途中|中途|半路上?|路过的时候)(?:别|不要|不许|不能|可别|千万别)(?:再)?(?:去|进|走|经过|路过|绕到|绕)(?P<place>{place})(?:里|那边|那儿)?"
        ),
        sought=re.compile(
            rf"(?P<asked>(?P<what>{thing})(?:现在)?(?:是)?(?:放|在|搁|收)(?:在|到)?(?:哪儿?|哪里|什么地方)(?:了|呢|儿)?)[，,]"
            r"(?:然后|再|接着|之后|(?:问|打听|知道|找)(?:到|清楚|好|着)?了(?:以后|之后)?[，,]?(?:就|再)?)+(?:去|帮我|给我)*"
            r"(?:拿|取)(?:过)?来(?:给(?P<whom>我|她|他))?(?=[，。]|$)"
        ),
        told_where=re.compile(
            rf"(?P<lead>(?:[^，]{{0,4}}[，])?)(?P<who>{person})(?:现在|这会儿|应该|好像|可能|大概|就|还|人)*在(?P<place>{place})(?:里面|里|那儿|那边|上)?(?:呢|吧|呀|啊)?[，,]"
            r"(?P<rest>(?:你|请|麻烦你?|就|快|帮我|替我|给我|去|过去|到那儿|先)+.*)"
        ),
        both=re.compile(
            rf"(?P<a>{person})(?:和|跟|、|与){{1}}(?P<b>{person})(?:两个人?|俩)?都(?:想|说)?(?:要|喝|吃)(?:喝|吃)?(?P<many>{_M})(?P<what>{thing})[，,](?:你)?先(?:给|拿给|送给)(?P<first>{person})"
            rf"(?:送|拿|端|来)?(?:去|过去)?(?:一?[个瓶罐杯盒])?{_SOFT}[。！]*"
        ),
        him=re.compile(
            rf"[，,。](?:但是?|不过)?(?:(?:如果|要是|万一|假如)(?:他|她)|(?:他|她)(?:如果|要是|万一))(?P<where>(?:人)?(?:不|没)在{place}(?:里|那儿|那边)?)"
        ),
        person=re.compile(person),
        of_both_there=re.compile(
            rf"(?P<head>(?:^|[，。把将]))(?P<where>{place}(?:上|里|里面|上面)的)(?P<a>{_M}{thing})(?P<and>和|跟|、|还有)(?P<b>{_M}{thing})"
            r"(?=都|全|一起|[收放拿给搬送端取挪摆]|$)"
        ),
        whoever=re.compile(
            rf"(?:拿|送|端)(?:到|去)(?P<place>{place}){there}[，,]谁(?P<pose>[坐站躺]着|招手|举手)就(?:拿|送|递)?给谁"
        ),
        on_the_way=re.compile(
            rf"^(?:你|请|麻烦你?)*去(?P<place>{place})的(?:路上|途中|时候)[，,]?(?:你|先|再|顺便|顺手|顺路|顺道|给我|帮我)*(?P<order>把[^，。]+)[。！]*$"
        ),
        left=re.compile(
            rf"(?P<head>(?:.*[，。])?(?:从|去|到)?(?P<place>{place})(?:里|上)?(?:的)?(?:拿|取|给我拿)?(?P<m>[个瓶罐盒包根])?(?P<what>{thing})[^，。]*)[，,]"
            r"(?:然后|再|顺便|顺带)*(?:看看|看一下|数数|数一下|瞧瞧)(?:一下)?还(?:剩|有)(?:下)?(?:几|多少)[个瓶罐盒包根](?=$|[，。])"
        ),
        offered=re.compile(
            rf"(?:在)?把(?P<what>{_M}{thing})(?:给|拿给|送给|端给|递给)(?P<who>{person})(?:之前|以前|前)[，,]?(?:你|记得|要|得)*先问(?:问|一下|一声)?(?:他|她|人家)?"
            r"(?P<ask>要不要|想不想要|吃不吃|喝不喝|想不想喝|想不想吃)[。！]*$"
        ),
        seated=re.compile(
            rf"(?P<led>(?:{lead_on})[^，。]{{1,10}}?(?:到|去)(?:去)?{place}{there})(?:坐下|坐着|坐坐|坐|歇着|歇会儿|歇歇|休息|待着)(?:一会儿?|一下|会儿)?(?=吧|$|[，。])"
        ),
        recalled=re.compile(
            rf"(?<![\u4e00-\u9fff])(?P<lead>(?:你|先|请|麻烦你?|帮我|给我|好好|仔细)*)(?:回忆|回想|想想|想一想|想)(?:一下|一想|看|起)?[，,]?(?:我的?)?(?P<what>{thing})"
            r"(?:最后|上次|上回|之前|刚才)?(?:是|被)?(?:一次)?(?:放|搁|丢|落|扔)?(?:在|到)?(?:哪儿?|哪里|什么地方)(?:看到|看见|见到|见过|放|搁)?(?:的|了|来着|呢|吧)*(?=[，。]|$)"
        ),
    )
