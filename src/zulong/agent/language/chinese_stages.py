"""Chinese errands told in stages: 「先……，再……，弄好了叫我」, 「……之前先……」.

The grammar reads the orders of one sentence together, and most rows of orders need no more. Where it does not, the
sentence is cut here at the words that only say what comes after what, and each order is heard by itself with all the
rigour that a whole sentence gets. What hangs on something, takes something back or offers a choice is not cut; what may
belong to a message stays with it. The English twin is :mod:`english_stages`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_pauses import with_pauses
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_reasons import reason
from zulong.agent.language.chinese_telling import tells
from zulong.agent.language.chinese_told import names_thing, one_person, one_place, one_thing
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_MOST = 8
_LONGEST = 160

_BARRED = re.compile(
    r"如果|要是|假如|倘若|除非|否则|不然|要不|的话|只要|一旦|万一|或者|还是|要么|[有没在]就|没有?人|谁|不在|没在|"
    r"不对|不是|说错|搞错|口误|算了|改成|改为|换成|改去|反悔|取消|作罢|的时候|同时|一边|直到|为止|"
    r"除了|除开|路过|经过|没(?!事)[^，。]{0,2}了|留(?:着|下|给)|"
    r"明天|后天|昨天|每天|每次|[点时]钟?(?:半|整)?(?=去|叫|来|把|拿)|上午|下午"
)
"""What may turn an order round, hang it on something or put it off is not for this reading."""
_HARMLESS = re.compile(
    r"(?:如果|要是)?(?:你)?(?:方便|可以|有空|不忙|有时间|不麻烦|行|顺路|没事)的话|好吗|行吗|可以吗|好不好|行不行|成吗|要不然?你"
)
_SPEAKS = re.compile(
    r"告诉|转告|通知|提醒|嘱咐|转达|问|[对跟和向][^，。]{1,12}(?:说|讲)|说|讲|[喊念催劝]|叫(?!我)|"
    r"让|请(?=[^你您帮把给去来到拿送等]{1,6}[来去到吃喝])"
)
_SPOKEN_ENOUGH = re.compile(r"打个?招呼|问个?[好候]|自我介绍|讲个?(?:笑话|段子)|道个?[谢别歉]")
_OTHERS = re.compile(r"^(?:我(?:们)?(?!要|想要|想喝|想吃|渴|饿)|他|她|它|咱|大家|客人|孩子|这|那(?!个?，))")
_QUOTED = re.compile(r"[“”\"「」『』‘’：:]")
_MARK = re.compile(r"[，。；,;！!～~\s]+")
_LEAD = (
    r"(?:然后|接着|随后|之后|以后|紧接着|紧跟着|再然后|再接着|而后|继而|跟着(?=再|就|，)|回头(?=再|就|把|给|去|拿|，)|下一步|第[一二三四五]步|"
    r"第[一二三四五](?=[去到给把拿送带等回归，]|$)|首先|其次|最后|末了|末尾|最末|完了|完事儿?了?|完后|得了(?=，|再)|"
    r"(?:弄|办|做|忙|干|放|送|拿|给|搁|摆|搬|转|逛|跑|带|收|走|递|挪)(?:完|好|到|妥)(?:了|这个|这些|这事儿?|那儿|之后|以后|后)*|"
    r"都?好了(?:以后|之后)?|到了(?:那儿|那里|以后|之后|地方)?|办完(?:这个|这事儿?)|做完这些|还有(?=，)|另外|还要|还得|除此之外|"
    r"此外|顺便|顺手|顺道|顺路|捎带手?(?:地|着)?|并且|而且|并(?=把|给|去|带)|再一个|再有|再就是)"
)
_OPENS = re.compile(rf"^(?:{_LEAD}|再(?!来一|见|说|次|也))(?:再|就|，|你|还|也(?=去|把|给))*")
_STRIPPED = re.compile(rf"^(?:{_LEAD}(?:再|就|，|你|还)*)+(?=.)|^先(?=.{{2}})(?!别|不|等)")
_INLINE = re.compile(
    r"(?<=[^，。再先]{3})(?=(?:然后|接着|随后|紧接着|完事儿?(?:了)?再|完了再?|最后(?!面|头|一)|末了|之后再?|以后再?)(?:就|，)?"
    r"(?:[去到上回来把给拿取送放搁带领等待从跟帮端找进摆搬挪递收停过]|麻烦|请))"
    r"|(?<=[^，。再先]{3})(?=再(?:去|到|上|回|来(?!一)|把|给|拿|取|送|放|搁|带|领|等|从|跟|帮|端|找|进|摆|搬|挪|递|收|绕|停|跑))"
    r"|(?<=好了)(?=再)|(?<=[^，。再先]{2}了)(?=再)"
)
_ALONE = re.compile(
    r"^(?:可|但|就|千万|你|不过)*(?:不许|别|不要|不准|不能|甭|不用)(?:再)?(?:拿|给|动|碰|送|带|放|要|去|进)*(?:给)?(?P<what>[^，]{1,10}?)(?:了|啊|哈|去|里|那儿|的)*$"
    r"|^(?P<it>[^，]{1,10}?)(?:就|你|先|可|那儿|都)*(?:别|不用|不要|甭|不许)(?:再)?(?:动|碰|拿|管|给|送|去|放|收|摆|带|急)(?:了|它|啊|哈|过去)*$"
    r"|^(?P<that>[^，]{1,10}?)(?:就|可|也)?(?:不要|不用|算)了(?:啊|哈)*$"
)
_NOTHING_ELSE = re.compile(
    r"^(?:可|但)?(?:别|不要|甭|不许|不用)(?:再|给我)?(?:拿|要|带|碰|动)?(?:别的|其他的?|其它的?|错了?|错地方|混了?)(?:啊|哈|了|哦)*$"
)
_ALL = re.compile(r"都|所有|全部|每|东西|一切|其他|别的|喝的|吃的|玩的|用的")
_LATER = re.compile(r"^(?:先别|先不要|先不用|别急着|不急着|先别急着|先甭)(?P<what>.{2,12}?)$")
_DENIES = re.compile(r"别(?!处|的|人|急)|不要(?!紧)|不许|不准|甭|不用(?!急|着急)")
_PRONOUN = re.compile(
    r"它|他|她|那(?:儿|里|边)(?!的)|(?<!过)(?<!进)(?<!回)(?<!出)里头去|人家|其中|剩下的|另一|其余"
)
_CARRIES = re.compile(r"[拿取送递端放搁摆搬挪收捎给]|带(?:过?来|给|过去)|归位|扔|丢")
_MOVES = re.compile(r"[去到回来等待停歇跟带领陪送问说讲数看转绕跑走逛巡找站]|充电|招呼|告诉|通知|提醒|汇报")
_AGAIN = re.compile(
    r"^.{0,4}?[一两三四五六七八九十几\d]+(?:遍|次|回|趟|轮|圈|下)(?:吧|啊)?$|"
    r"^(?:再|重新|从头)?来[一几]?(?:遍|次|回)$"
)
_NEXT_ONE = re.compile(r"^(?:首先|先|后|再|然后|接着|其次|随后|最后|末了|第[一二三四五])(?:是|去|到)?(?=.)")
_IT = frozenset("我 他 她 它 你 他们 她们 它们 这个 那个 这 那".split())  # noqa: SIM905 - shorter than quoted words
_PUT = re.compile(
    r"(?:放|搁|摆|收|搬|挪|塞|送|拿|归|撂|存|丢|扔|端|移)(?:回|进|到|在|入)?(?:了)?(?P<where>[^，。给把]{1,6}?)(?:里面|里头|里边|上面|上头|里|上)?(?:去|来|吧|就行|就好)*$"
)
_THERE_TOO = re.compile(
    r"^(?:把)?(?P<what>[^，把]{1,12}?)(?:也|都)(?:一起|一块儿?|一并)?(?:放|搁|摆|收|搬|挪|塞|送|拿|扔|丢|端|归)?(?:到|在)?"
    r"(?:进去|上去|过去|那儿去?|那里去?|里头去?|里面去?|一样|一起|是|同样)(?:吧|啊|哈|呗)*$"
)
_SOFT = r"(?:吧|啊|哈|呗|哦|噢|嘛|呀|了|谢谢(?:你|啦|了)?|多谢|谢啦|辛苦了?|麻烦了|[，。！!、])*"
_NEAR_END = re.compile(rf"{_SOFT}$")

_DONE = (
    r"(?:等|都|全|你|一)*(?:(?:弄|办|做|放|送|搞|拿|给|摆|搬|收|挪|干|忙|收拾|归置|安排|处理|整|递|带|走|转|跑|扔|归位?|交|端|搁|绕|巡|逛)(?:完事儿?|好|妥|到|定|完)(?:了|当)?|"
    r"好了|完了|完事儿?(?:了)?|搞定(?:了)?|妥了|都好了|到了|到位了?|结束(?:了)?|事成|搞掂)(?:之后|以后|后|了)?"
)
_REPORTS = (
    r"(?:(?:回来|回头|过来|来|回我这儿?|到我这儿?|再|就|跟|给|记得|马上)*)(?:告诉我|告我|知会我|通知我|叫我|喊我|跟我(?:说|讲|言语|吱)|"
    r"给我(?:说|讲|个信儿?|个话|回个?话|报个信儿?)|和我说|向我(?:汇报|报告|说)|跟我(?:汇报|报告)|我(?:说|讲|汇报|报告|言语|个信儿?)|汇报|报告|回话|回个话|吱|言语|复命|交差|说|报)"
    r"(?:一声|一下|一句|声|下|句|个信儿?|一嘴)?"
)
_DONE_REPORT = re.compile(
    rf"[，,。；;\s]+(?:然后|接着|最后|再)?{_DONE}[，,]?(?:就|再|，|记得|马上)*{_REPORTS}{_SOFT}$"
)
_LOOKS = re.compile(
    r"看|数|问|查(?!理)|找|瞧|瞅|几|多少|什么|啥|吗|哪|有没有|是不是|说|讲|告诉|谁|打听|统计|描述|报"
)
_COMES = re.compile(
    r"回来|过来|回去|过去|进来|进去|出来|出去|充电|待命|去$|去一[趟下]|[走跑转逛绕]一?[趟圈走跑转逛下]"
)
_ASKS = re.compile(r"有没有|没有?$|[吗么]$|呢$|几[个瓶罐盒只根点样]|多少|什么|哪|是不是|在不在|谁|怎么|看看")
_MAY_ORDER = re.compile(
    r"就(?!是|要|好|行)|才|再|拿|送|给|放|搁|递|端|带|领|搬|收|还|换|等|找|叫|问|告诉|通知|说好|不算|不作数|骗|开玩笑"
)
_NAMES = ("object", "category", "generic", "person", "room", "placement", "colour", "size", "number")
_SPARES = re.compile(
    r"(?:省得|免得|省的|以免|不然我|怕)(?!你)[^，]{1,12}$|(?:慢|稳|轻|悠)着点儿?(?:走|来|拿|放)?$|(?:先|一?路上)?(?:别|甭|不用|不必)管(?:我|别的|他们|人家)(?:了)?$|"
    r"(?:大|小|好)?(?:兄弟|妹子|哥们儿?|老弟|老妹儿?|靓仔|靓女|帅哥|美女|小哥|老铁|亲)(?:啊|呀)?$"
)
_REPORT = "，然后回到我这里，说“做好了”"
_MINE = re.compile(r"(?:我|俺|咱)们?(?:在|正|正在|要|得|想|准备|这儿|这会儿|现在|刚|忙着|还|马上)")

_HEADING = re.compile(r"^[^，。：:]{2,8}[：:]\s*(?=[^，。]{2,12}[，,；;])")
_LISTED = re.compile(
    r"^(?:[^，：:]{0,12}[，,])?(?:有|给你|帮我(?:办|做)|你)?(?:[一两三四五六几]个?(?:件事儿?|任务|活儿?|步)|任务|清单|安排|流程|步骤|路线|计划|顺序|今天的活儿?)(?:如下|是|是这样|这样)?[：:，,]\s*(?=.{4})"
)
_CALLED = re.compile(
    r"^(?:(?:哎呀?|诶|欸|喂|嘿|嗨|那个|那什么|小?祖龙?|小?机器人|小家伙|帮个?忙|帮把手|劳驾|麻烦你?了?|辛苦(?:你|一下|了)?|不好意思|打扰一下|拜托|"
    r"你好|您好|听着|跟你说)[，,。！!]+)+"
)
_THANKED = re.compile(
    r"(?:[，,。！!]+(?:不着急|不急|别急|慢慢来|谢谢(?:你|您)?|谢(?:了|啦)|多谢(?:了|啦)?|辛苦(?:你|您)?(?:了|啦)?|麻烦(?:你|您)?(?:了|啦)?|拜托(?:了|啦)?|快点儿?|快些|快|"
    r"赶紧的?|好吗|行吗|可以吗|好不好|听见没|听到没有?|感谢|劳驾|有劳了?)[啊呀哈哦噢吧呗]*)+[。！!]*$"
)
_ORDER = r"(?:把|给|去|到|上|拿|取|送|放|搁|摆|带|领|端|递|收|搬|挪|回|帮|等|跟|从|进|来|归|找|陪|绕|跑|走|转|逛|交)"
_BEFORE = re.compile(
    rf"^(?P<lead>(?:你|请|麻烦你?|劳驾|帮个忙|哎|嘿|喂|那个|小祖龙?|机器人|[，,])*)(?:在)?(?P<later>[^，。；我他她]{{0,7}}?{_ORDER}[^，。；]{{1,24}}?)"
    r"(?:之前|以前|(?<![跟门眼身往向提])(?<![^里上下外后]面)前)[，,]?(?:你|您|请|得|要|记得|务必|麻烦你?|最好|应该)*先(?P<first>[^别不][^。；]+)$"
)
_BUT_FIRST = re.compile(
    rf"^(?P<lead>(?:(?:你|请|麻烦你?|劳驾|帮个忙|哎|嘿|喂|那个|小祖龙?|机器人|辛苦一下)[，,]?)*)(?P<later>[^。；]*?{_ORDER}[^。；]{{1,24}}?)[，,。]+(?:(?:但是?|不过|可是?|只是|然而)?(?:在)?(?:那|这|此)(?:之前|以前)[，,]?(?:你|您|得|要|务必|最好)*先?"
    r"|(?:但是?|不过|可是?|可得?)(?:你|您|得|要|必须|务必|最好|请)*先)(?P<first>[^别不，][^。；]+)$"
)
_FURTHER = re.compile(rf"[，,](?=(?:{_LEAD}|再|最后))")


def in_turn(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with what is said last but done first in its place, and with a report when all is done.

    「去书房之前先到厨房」 is 「先到厨房，然后去书房」; 「弄好了叫我」 is said in so many words.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names.
    """
    if len(text) > _LONGEST or _QUOTED.search(text):
        return None
    said = _HARMLESS.sub("", plain(text)).strip()
    bare = _CALLED.sub("", _THANKED.sub("", said))
    if _barred(said):
        return None
    said = bare or said
    done = _DONE_REPORT.search(said)
    if done is not None and not _LOOKS.search(said[: done.start()]):
        before = said[: done.start()]
        turned = _turned(before)
        return f"{turned or before}{_REPORT}"
    return _turned(said)


def _turned(said: str) -> str | None:
    found = _BEFORE.match(said) or _BUT_FIRST.match(said)
    if found is None or _SPEAKS.search(found["later"]) or _OTHERS.match(found["later"]):
        return None
    later, first = found["later"].strip("，, "), _NEAR_END.sub("", found["first"]).strip("，, ")
    later = re.sub(r"^先", "", later)
    if not later or not first or "之前" in later + first or re.search(r"[，,]", later):
        return None
    further = _FURTHER.search(first)
    rest = ""
    if further is not None:
        first, rest = first[: further.start()], "，" + first[further.end() :]
    return f"{found['lead']}先{first}，然后{later}{rest}"


def stages(text: str, vocabulary: Vocabulary) -> Sequence[str]:
    """Return the orders of a sentence in the order in which they are done, none when they are heard together.

    Args:
        text: the sentence.
        vocabulary: knows the names.
    """
    whole = _HARMLESS.sub("", plain(text)).strip("，。！!,. ")
    said = _LISTED.sub("", _CALLED.sub("", _THANKED.sub("", whole)))
    headed = _HEADING.match(said)
    if headed is not None and not _names(headed.group(), vocabulary) and not _may_speak(headed.group()):
        # 「下午茶：咖啡给我，饼干放茶几」
        said = said[headed.end() :]
    report = ""
    if said.endswith(_REPORT):
        said, report = said[: -len(_REPORT)], _REPORT.removeprefix("，然后")
    if len(said) > _LONGEST or _QUOTED.search(said):
        return ()
    orders = () if _barred(said) else _cut(said, report, vocabulary)
    if orders or report:
        return orders
    if said != whole:
        # Only what calls the robot and thanks it is left out.
        return (said,)
    paused = with_pauses(whole)
    return (paused,) if paused is not None else ()


def _cut(said: str, report: str, vocabulary: Vocabulary) -> Sequence[str]:
    """Return the orders of a sentence without courtesies and without its report, none where it is not to be cut."""
    parts = [part for part in _MARK.split(_INLINE.sub("，", said)) if part]
    places = [_NEXT_ONE.sub("", _NEAR_END.sub("", part)) for part in parts]
    if len(places) > 1 and all(one_place(place, vocabulary) for place in places) and places != parts:
        # 「先边桌，后灶间，最后起居室」
        return [*(f"去{place}" for place in places), *([report] if report else [])]
    telling = [part for part in parts if not _only_tells(part, vocabulary)]
    stretches = _without_left_alone(telling, vocabulary)
    orders = _completed(_joined(stretches))
    if len(orders) == 1 and len(stretches) > 1 and not report and not any(map(_ASKS.search, stretches)):
        orders = _completed(stretches)
    leaning = bool(orders) and len(telling) < len(parts) and _leans(orders[0], vocabulary)
    orders = _whole(orders, vocabulary)
    if leaning or any(map(_DENIES.search, orders)) or any(map(_AGAIN.search, stretches)):
        return ()
    orders = [*orders, report] if report else orders
    least = 1 if len(stretches) < len(parts) else 2
    if not least <= len(orders) <= _MOST or any(map(_may_speak, orders[: -1 - bool(report)])):
        return ()
    return () if any(_of_others(order, vocabulary) for order in orders) else orders


def _names(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether anything is named that an order could be about."""
    return names_thing(text, vocabulary) or any(token.has(*_NAMES) for token in pieces(text, vocabulary))


def _only_tells(stretch: str, vocabulary: Vocabulary) -> bool:
    """Tell a stretch that orders nothing and has no word for anything that an order could be about: 「我在打扫」."""
    if _SPARES.match(stretch):
        return True
    moves = _COMES.search(stretch) is not None and _OTHERS.match(stretch) is None
    if moves or _OPENS.match(stretch) is not None:
        return False
    if _MAY_ORDER.search(stretch) and not (_MINE.match(stretch) and reason(stretch)):
        return False
    if _names(stretch, vocabulary):
        return False
    return (_MINE.match(stretch) is not None and reason(stretch)) or tells(stretch, vocabulary)


def _barred(said: str) -> bool:
    return _BARRED.search(said) is not None or "？" in said or "?" in said


def _may_speak(order: str) -> bool:
    """Tell an order whose message what follows may belong to."""
    return _SPEAKS.search(_SPOKEN_ENOUGH.sub("", order)) is not None


def _joined(stretches: Sequence[str]) -> list[str]:
    """Return the orders; each begins with a word that says that it comes next, except the first."""
    orders: list[str] = []
    for stretch in stretches:
        opens = _OPENS.match(stretch)
        if opens is not None and opens.end() == len(stretch):
            # 「完了，去书房」: the next stretch is the order.
            orders.append("")
        elif orders and not orders[-1]:
            orders[-1] = stretch
        elif not orders or opens is not None:
            orders.append(stretch)
        else:
            orders[-1] += "，" + stretch
    return [_STRIPPED.sub("", order) for order in orders if order]


def _of_others(order: str, vocabulary: Vocabulary) -> bool:
    """Tell a stretch about somebody's own deeds: 「罗宾拿梨」."""
    if _OTHERS.match(order):
        return True
    first = ChineseNounReader(pieces(order, vocabulary)).read(0)
    return first is not None and first[0].kind == "person" and first[0].pronoun != "you"


def _whole(orders: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Put an order that speaks of what was named before to the order that names it."""
    whole: list[str] = []
    things: list[set[str]] = []
    for order in orders:
        named = _things(order, vocabulary)
        leans = _leans(order, vocabulary)
        again = next((number for number, before in enumerate(things) if named & before), None)
        if whole and (leans or again is not None):
            start = again if again is not None else len(whole) - 1
            whole[start:] = ["，".join([*whole[start:], order])]
            things[start:] = [set().union(*things[start:], named)]
        else:
            whole.append(order)
            things.append(named)
    return whole


def _leans(order: str, vocabulary: Vocabulary) -> bool:
    """Tell an order that speaks of what was named before it."""
    named = _things(order, vocabulary)
    return _PRONOUN.search(order) is not None or (
        not named and (_CARRIES.search(order) is not None or _MOVES.search(order) is None)
    )


def _things(text: str, vocabulary: Vocabulary) -> set[str]:
    """Return the things that a text names, for a kind of thing all that belong to it."""
    found: set[str] = set()
    for token in pieces(text, vocabulary):
        for sense in token.senses:
            if sense.kind == "object":
                found.update(sense.ids or (sense.value,))
            elif sense.kind == "category":
                found.update(i for i, kind in vocabulary.category_of.items() if kind == sense.value)
                found.add(sense.value)
            elif sense.kind == "generic":
                found.update(sense.ids or (sense.value,))
    return found


def _completed(orders: Sequence[str]) -> list[str]:
    """Say in full what an order leaves to the one before it: 「也放进去」."""
    whole: list[str] = []
    for order in orders:
        too = _THERE_TOO.match(order)
        put = _PUT.search(_NEAR_END.sub("", whole[-1])) if whole and too is not None else None
        if too is not None and put is not None:
            order = f"把{too['what']}放到{put['where']}"
        whole.append(order)
    return whole


def _without_left_alone(stretches: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Leave out 「可不许给阿克塞尔」 and 「先别去书房」 where no order is about him, or the order itself comes later."""
    kept: list[str] = []
    for number, stretch in enumerate(stretches):
        later = _LATER.match(stretch)
        if later is not None and any(later["what"] in other for other in stretches[number + 1 :]):
            continue
        if number and _NOTHING_ELSE.match(stretch):
            continue
        alone = _ALONE.match(stretch)
        what = (alone["what"] or alone["it"] or alone["that"]) if alone is not None else ""
        others = [*stretches[:number], *stretches[number + 1 :]]
        if one_place(what, vocabulary) and re.search(r"[去进到]", stretch) is None:
            # 「拿苹果，不要书桌上的」
            what = ""
        if what and others and _apart(what, others, vocabulary):
            continue
        kept.append(stretch)
    return kept


def _apart(what: str, others: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Tell whether a thing, a person or a place is named and the other stretches name nothing that it can be."""
    if what in _IT or not (
        one_thing(what, vocabulary) or one_person(what, vocabulary) or one_place(what, vocabulary)
    ):
        return False
    ids = _ids(what, vocabulary) | _things(what, vocabulary)
    return bool(ids) and not any(
        _ALL.search(other) or ids & (_ids(other, vocabulary) | _things(other, vocabulary)) for other in others
    )


def _ids(text: str, vocabulary: Vocabulary) -> set[str]:
    longest = 10
    return {
        name
        for start in range(len(text))
        for end in range(start + 1, min(len(text), start + longest) + 1)
        for sense in vocabulary.chinese.get(text[start:end], ())
        for name in sense.ids
    }
