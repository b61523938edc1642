"""What a Chinese sentence wants brought and to whom, when most of it is not said as an order.

「渴死了，可乐」, 「书房里坐着那位，给上瓶冰红茶」, 「果冻我不吃草莓的，拿巧克力的」: things are named, told more of,
turned down or given to somebody, stretch by stretch, beside reasons. Each stretch must be one of these, or the
sentence has no reading here; what comes out is put plainly and read by the grammar with the usual rigour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zulong.agent.language.chinese_gist import CONDITION
from zulong.agent.language.chinese_orders import OrderReader
from zulong.agent.language.chinese_parts import Frame
from zulong.agent.language.chinese_pieces import frame_words, pieces
from zulong.agent.language.chinese_reasons import need, reason
from zulong.agent.language.chinese_telling import tells
from zulong.agent.language.chinese_told import Told, names_thing, note
from zulong.agent.language.chinese_turns import straight
from zulong.agent.language.chinese_wants import FOR_WHAT, Item, WantedThings
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_chinese import ChineseBackground

_NEVER = re.compile(
    r"[“\"「『‘]|除了|除开|或者|或是|要么|直到|轮流|点钟|分钟|小时|\d+秒|告诉|转告|通知|问问|如果|要是|不然|否则|万一|昨天|刚才.*了$|"
    r"(?:送|拿|给|端|递|带)(?:了|过(?![来去]))|不对|错了|[？?].*[？?]"
)
_HURRY = re.compile(
    r"(?:快|快点儿?|快些|赶紧|赶快|赶紧的|快快|速度|马上|立刻|现在就要|急|着急|麻利点儿?|利索点儿?|"
    r"谢谢|谢谢你|谢谢啊|谢啦|谢了|多谢|麻烦|麻烦了|麻烦你了|拜托|拜托了|辛苦|辛苦了|劳驾|有劳|"
    r"好吗|行吗|可以吗|好不好|行不行|听见没|听到没有?|就这些|就这样|别磨蹭|别忘了|不急|不着急|"
    r"慢慢来|小心|小心点|小心烫|别洒了|跑一趟|跑个腿|去吧|快去|来吧)(?:啊|呀|哈|哦|吧|了|啦)*"
)
_YOUNG = (
    r"(?:乖|乖乖|乖孩子|好孩子|宝贝|宝宝|大?孙子|乖?孙女|大?孙女|乖孙|外孙|闺女|丫头|儿子|女儿|"
    r"孩子|小家伙|小子|娃|小祖龙|小祖)"
)
_CALLED = re.compile(
    rf"(?:哎|喂|嘿|嗨|诶|哎呀|我说|好|来)?(?:{_YOUNG}|祖龙|机器人|小机器人|小龙|老伴儿?|老头子|"
    rf"老婆子|大哥|大姐|哥们儿?|兄弟|老弟|亲|亲爱的|朋友|伙计|师傅|帅哥|美女|小哥|小助手|管家|"
    rf"小可爱)"
    r"(?:祖龙|机器人|小祖龙|们)?(?:啊|呀|哎|诶|哟|乖|听话|过来|来)*"
)
_ELDER = (
    "姥姥|姥爷|爷爷|奶奶|外公|外婆|爸爸|妈妈|爸|妈|叔叔|阿姨|伯伯|大爷|大妈|姑姑|姑|舅舅|舅|姨|"
    "哥哥|姐姐|哥|姐|大哥|大姐|老娘|老爹"
)
_TO_ELDER = re.compile(
    rf"给(?:你)?(?:{_ELDER})(?=[^，]{{0,10}}(?:来|过来|回来|尝|吃|喝|用)(?:吧|呗|啊|一下)*(?:[，。！]|"
    rf"$))"
)
_CALLS = re.compile(
    rf"(?:^|[，。！])(?:哎|来|好|我的|奶奶的|爷爷的)?{_YOUNG}(?:啊|呀|哎|诶|哟|乖|听话)*[，。！]|"
    rf"^{_YOUNG}(?=给)"
)
_ANOTHER = re.compile(
    r"(?:拿|要|来|给我|换|换成|改成)?另外?(?:一)?(?:种|个|瓶|盒|杯|那种|那个|那瓶|那盒)(?:吧|就行|好了)?"
)
_ALL_RIGHT = re.compile(
    r"(?:别的|其他的?|其它的?)(?:都)?(?:不要|不用|别拿)(?:了)?|随便|我不挑|不挑|哪个都行|都行|"
    r"都可以|什么样的都行|多少都行|有就行|大小不限|大小都行|无所谓"
)
_MEAL = re.compile(
    r"^(?:早饭|早餐|午饭|午餐|晚饭|晚餐|夜宵|下午茶|饭后|睡前|今天|今晚|中午|晚上|早上|一会儿|"
    r"待会儿|现在|这会儿|顺便|对了|那么?|然后|另外|还有)+(?:就|我)*(?=[给拿来要想吃喝端送整])"
)
_EACH = re.compile(
    r"(?:给我|帮我|都|我要|你)*(?:各|一样|每样|每种|分别|都)(?:给我|来|拿|要|带|取|送)*(?P<number>[一两三][个瓶罐盒根杯只把块份])?(?:来|"
    r"过来|给我|吧|就行)*"
)
_LACKS = re.compile(r"(?:没|没有|缺|少|差|用完|喝完|吃完|找不到)[^，]{0,6}(?:了|呢|用)?$")
_ALL_THERE = re.compile(
    r"(?:都|一起|一块儿?|全|赶紧|快|帮我|麻烦|就|你)*(?:给)?(?:他们?|她们?|人家)?(?:都)?(?:送|"
    r"端|拿|带|递|捎)(?:一下|去|过去|到|一趟|上|了)*"
)
_DOING_TAIL = re.compile(
    r"(?:来|好|去|用来|让我|给我)?(?:(?:哄|逗|招待|陪)(?:一?下)?(?:孩子们?|宝宝|娃|客人们?|小朋友们?)(?:玩|开心)?|"
    r"(?:泡|拌|蘸|煮|擦|洗|做|抹|配|炖|榨|盛|装)[^，]{0,4}(?:用|喝|吃|使))$"
)
_MEANT_FOR = re.compile(
    r"(?:好|来|去)?(?:盛|装|喝|吃|蘸|拌|抹|配|夹|垫|盖|搅|舀)[^，把给拿放送]{1,3}(?:用|的)?"
)
_JUST_SOME = re.compile(
    r"(?:给我|再|快|随便|帮我)*(?:来|整|上|弄|搞|拿)(?:点儿?|些|一点儿?)(?:吧|呗|尝尝|吃吃|喝喝|嚼嚼)*"
)
_WITH_TOOLS = re.compile(r"(?:我|我们|他|孩子)?(?:正|要|在|好|得|就)?(?:吃|喝|切|盛|装|舀|夹)[^，]{1,4}")
_EACH_AT_ONCE = re.compile(
    r"(?P<who>[^，]{3,16}?)(?:一人|每人|每个人|人手|各|每位|各自)+(?:给我|来|拿|送|给|发|端|"
    r"要|分|带)*(?P<what>[^，]{2,10}?)(?:吧|呗|过去|去)*"
)
_TOO = re.compile(
    r"(?P<who>[^，]{1,10}?)(?:也|同样|照样)(?:要|想要|来|一样|是|给)?(?:一?[个瓶罐盒根杯只把块颗份]|"
    r"一样|的)*(?:吧|呢)?"
)
_NOT_FOR = re.compile(
    r"(?:先|可)?(?:不急着|不着急|不用|别|不忙着?|先别|不是|不要)(?:先)?(?:给|送给|拿给)(?P<who>[^，]{1,8}?)(?:的|"
    r"了|拿|送|准备)?"
)
_ROBOT = re.compile(
    r"[你您把将给替请]|帮|叫|让|拿|取|递|送|端|带|放|搬|去|到|来|问|告诉|如果|要是|别|不要|"
    r"还是|或|谁|哪|什么|几|多少|怎么|吗|跟着?|领|陪|等(?!.*[了呢])"
)
_THERE_IS = re.compile(
    r"(?:家里|你那儿|那儿|还)*有(?:没有)?(?P<what>[^，没不]{1,8}?)(?:不|没有|没|吗|么|呀|啊)*"
)
_GROUP = re.compile(r"(?:给|帮)?(?P<who>[^，]{3,20})")
_EACH_OF_THEM = re.compile(
    r"(?:一人|每人|每个人|人手|各|一个人|每位|各自|都)+(?:给我|来|拿|送|给|发|端|要|分)*(?P<what>[^，]{2,10}?)(?:吧|"
    r"呗|过去|去)*"
)
_SOMEWHERE = re.compile(r"在|有|放|搁|掉|落|忘|丢")
_OF_A_KIND = re.compile(r"喝的|饮料|吃的|水果|零食|玩具|东西|果汁|果冻|杯子|茶|点心|餐具")


@dataclass(slots=True)
class _Said:
    """What was read so far."""

    orders: list[tuple[Item, str]] = field(default_factory=list)
    open_items: list[Item] = field(default_factory=list)
    person: str = ""
    told: Told = field(default_factory=Told)
    wanted: bool = False
    """Something says that what is named is to be brought."""
    early: bool = False
    """The grammar would pass by how the things are told more of, or who was named first."""
    another: bool = False
    needy: bool = False
    """Somebody else is told to be in need of something."""
    tentative: bool = False
    """What is named is only told of."""
    spared: list[str] = field(default_factory=list)
    """People who are to get nothing."""
    reasons: list[str] = field(default_factory=list)
    """Things that were named in reasons."""
    group: list[str] = field(default_factory=list)
    """People of whom each gets what is named next."""


def deliveries(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> tuple[str, bool] | None:
    """Return the plain orders of a sentence, and whether they are to be heard before the sentence as it was said.

    Args:
        text: the sentence.
        vocabulary: knows the names.
        background: tells courtesies and what only tells something.
    """
    said = re.sub(r"(?<![们他她咱两])俩(?![人口个])", "两个", straight(plain(text))).replace("仨", "三个")
    if _NEVER.search(said) or CONDITION.search(said):
        return None
    if _CALLS.search(said):
        said = _TO_ELDER.sub("给我", said)
    reader = _Deliveries(vocabulary, background)
    for stretch in background.split(said):
        if not reader.take(stretch.text, stretch.mark):
            return None
    return reader.orders()


class _Deliveries:
    def __init__(self, vocabulary: Vocabulary, background: ChineseBackground) -> None:
        self._vocabulary = vocabulary
        self._background = background
        self._wants = WantedThings(vocabulary)
        self._said = _Said()
        self._narrowed = False

    def take(self, stretch: str, mark: str) -> bool:
        """Read one stretch; False when it is nothing that belongs here."""
        said = self._said
        if _HURRY.fullmatch(stretch):
            return True
        if (
            _CALLED.fullmatch(stretch)
            or "aside" in frame_words().get(stretch, ())
            or _ALL_RIGHT.fullmatch(stretch)
        ):
            return True
        bare = _MEAL.sub("", self._background.without_courtesies(stretch))
        bare = re.sub(rf"^(把)?{FOR_WHAT}(?=[^，]{{2}})", r"\1", bare)
        said.wanted = said.wanted or re.search(r"[吧呗]$", stretch) is not None
        if not bare or _CALLED.fullmatch(bare):
            return True
        if "？" in mark or "?" in mark or bare.endswith("呢"):
            asked = self._asked(bare)
            if asked or "？" in mark or "?" in mark:
                return asked
        self._narrowed = bare != stretch
        steps = (
            self._turned_down, self._specified, self._each, self._meant_for, self._group, self._likewise, self._named,
            self._there, self._for_somebody, self._somebody, self._ordered, self._told,
        )  # fmt: skip
        if any(step(bare) for step in steps) or (bare != stretch and self._told(stretch)):
            return True
        doing = _DOING_TAIL.search(bare)
        return doing is not None and doing.start() > 1 and any(step(bare[: doing.start()]) for step in steps)

    def orders(self) -> tuple[str, bool] | None:
        """Return the plain orders."""
        said = self._said
        if said.group:
            return None
        if said.open_items:
            who = said.person or ("我" if said.wanted else "")
            if not who or said.another or (said.tentative and said.orders):
                return None
            said.orders.extend((item, who) for item in said.open_items)
        if any(who in said.spared for _, who in said.orders):
            return None
        names = [item.name for item, _ in said.orders]
        if not names or any(refused in names for refused in said.told.refused):
            return None
        return "，".join(self._put(item, who) for item, who in said.orders), said.early

    def _put(self, item: Item, who: str) -> str:
        where = self._said.told.located.get(who, "")
        located = f"{where}的{who}" if where and "的" not in who and who != "我" else who
        return f"把{item.text()}拿给{located}"

    def _asked(self, bare: str) -> bool:
        """Take 「可乐呢？」 for the thing that is wanted when an order follows."""
        there = _THERE_IS.fullmatch(bare)
        if there is not None:
            bare = there["what"]
        item = self._wants.items(
            re.sub(r"(?:呢|在哪儿?|在哪里|还有吗|还有没有|还有吧|有吗|有不|有没|有没有)$", "", bare)
        )
        who = self._wants.wants(bare)
        if who is not None and not self._said.orders:
            self._said.told.people.append(who[0])
            item = who[1]
        if item is None or self._said.orders or self._said.open_items:
            return False
        self._said.open_items.extend(item)
        return True

    def _turned_down(self, bare: str) -> bool:
        topic = None
        spared = _NOT_FOR.fullmatch(bare)
        if spared is not None and (spared["who"] == "我" or self._wants.person(spared["who"])):
            self._said.spared.append(spared["who"])
            return True
        what = self._wants.refused(bare)
        if what is None:
            # 「果冻我不吃草莓的」
            for end in range(1, min(len(bare), 7)):
                topic = self._wants.items(bare[:end])
                what = self._wants.refused(bare[end:]) if topic is not None else None
                if what is not None:
                    break
        if what is None:
            return False
        items = self._wants.items(what)
        self._said.told.refused.extend(item.name for item in items or [])
        if topic is not None and what is not None and items is None:
            self._said.open_items.extend(topic)
            self._said.another = True
        self._said.wanted = True
        return True

    def _specified(self, bare: str) -> bool:
        said = self._said
        if _ANOTHER.fullmatch(bare) and said.open_items:
            return True
        last = said.open_items[-1] if said.open_items else (said.orders[-1][0] if said.orders else None)
        told = self._wants.specified(bare, last) if last is not None else None
        if told is None:
            return False
        if said.open_items:
            said.open_items[-1:] = told
        else:
            who = said.orders[-1][1]
            said.orders[-1:] = [(item, who) for item in told]
        said.wanted, said.another = True, False
        said.early = said.early or [item.text() for item in told] != [last.text() if last else ""]
        return True

    def _each(self, bare: str) -> bool:
        """Read 「各来一个」 after two things."""
        said, each = self._said, _EACH.fullmatch(bare)
        if each is None or len(said.open_items) < 2:
            return False
        for item in said.open_items:
            item.number = item.number or each["number"] or ""
        said.wanted = True
        return True

    def _likewise(self, bare: str) -> bool:
        """Read 「阿克塞尔也要」 after what somebody else gets."""
        too = _TOO.fullmatch(bare)
        who = self._wants.person(too["who"]) if too is not None and too["who"] != "我" else too and "我"
        if not who or not self._said.orders:
            return False
        self._said.orders.append((self._said.orders[-1][0], who))
        return True

    def _there(self, bare: str) -> bool:
        """Take what is said to be somewhere, is praised or goes with something for what is wanted."""
        said = self._said
        if said.orders or said.open_items:
            return False
        for found, wanted in (
            (self._wants.there(bare), False),
            (self._wants.praised(bare), False),
            (self._wants.lacking(bare), True),
        ):
            if found is not None and len(found) == 1:
                said.open_items.extend(found)
                said.wanted, said.tentative = said.wanted or wanted, not wanted
                return True
        return False

    def _group(self, bare: str) -> bool:
        """Read the people of whom each gets what follows: 「给罗宾、摩根还有我，每人一罐可乐」."""
        said = self._said
        found = _GROUP.fullmatch(bare)
        each = _EACH_OF_THEM.fullmatch(bare) if said.group else None
        if each is not None:
            things = self._wants.wanted(each["what"]) or []
            said.orders.extend((item, who) for who in said.group for item in things)
            said.group = []
            return bool(things)
        if found is None or said.orders or said.open_items or said.group:
            return False
        words, what = found["who"], None
        both = _EACH_AT_ONCE.fullmatch(words)
        if both is not None:
            words, what = both["who"], self._wants.wanted(both["what"])
            if what is None:
                return False
        words = re.sub(r"(?:他们|她们)?(?:俩|仨|两个人?|三个人?|几个)$|他们$|她们$", "", words)
        parts = re.split(r"、|和|跟|还有|以及|与|及", words)
        people = ["我" if part in ("我", "俺", "咱") else self._wants.person(part) for part in parts]
        if len(people) < 2 or any(who is None for who in people):
            return False
        said.group = [who for who in people if who is not None]
        if what is not None:
            said.orders.extend((item, who) for who in said.group for item in what)
            said.group = []
        return True

    def _meant_for(self, bare: str) -> bool:
        """Pass by what a dish or a tool that was named is for: 「盘子给我一个，盛菜」「叉子！我吃水果」."""
        said = self._said
        last = said.open_items[-1:] or [item for item, _ in said.orders[-1:]]
        if not last:
            return False
        if self._wants.count(bare) and said.open_items and not said.open_items[-1].number:
            said.open_items[-1].number, said.wanted = bare, True
            return True
        if _JUST_SOME.fullmatch(bare) and said.open_items:
            said.wanted = True
            return True
        dish = self._wants.is_dish(last[0])
        if not (dish and _WITH_TOOLS.fullmatch(bare)) and not _MEANT_FOR.fullmatch(bare):
            return False
        said.wanted, said.early = True, True
        return True

    def _named(self, bare: str) -> bool:
        wished = self._wants.wanted(bare)
        if wished is None:
            return False
        plainly = self._wants.items(bare) if not self._narrowed else None
        said = self._said
        wider = said.open_items[-1:]
        if (
            wider
            and all(self._wants.alike(item, wider[0]) for item in wished)
            and (not said.open_items[-1].number or len(wished) > 1)
        ):
            # 「三个水果，苹果、梨、香蕉」「球，网球」
            said.open_items.pop()
            said.early = True
        elif plainly is None and said.open_items and _OF_A_KIND.fullmatch(said.open_items[-1].name):
            # 「来点喝的，果汁就行」
            said.open_items.pop()
        elif (
            plainly is None
            and said.orders
            and _OF_A_KIND.fullmatch(said.orders[-1][0].name)
            and len(wished) == 1
        ):
            said.orders[-1:] = [(wished[0], said.orders[-1][1])]
            said.wanted, said.early = True, True
            return True
        said.open_items.extend(wished)
        said.wanted = said.wanted or plainly is None or any(item.number for item in wished)
        said.another = False
        return True

    def _for_somebody(self, bare: str) -> bool:
        """Read 「摩根想喝可乐」 and 「红酒归摩根」."""
        found = self._wants.wants(bare)
        if found is None:
            return False
        who, things = found
        self._said.orders.extend((item, who) for item in things)
        self._said.told.people.append(who)
        return True

    def _somebody(self, bare: str) -> bool:
        """Read the person that what follows is for."""
        who = self._wants.person(bare)
        said = self._said
        if who is None or said.person:
            return False
        if said.open_items:
            return False
        said.person = who
        return True

    def _ordered(self, bare: str) -> bool:
        if self._said.orders and not self._said.open_items and _ALL_THERE.fullmatch(bare):
            # 「红酒归摩根，果汁归简，都送过去」
            return all(who != "我" for _, who in self._said.orders)
        frames = OrderReader(pieces(bare, self._vocabulary)).read()
        return frames is not None and len(frames) == 1 and self._frame(frames[0], bare)

    def _frame(self, frame: Frame, bare: str) -> bool:
        said = self._said
        if frame.kind not in ("carry", "") or frame.goal or frame.stranger or frame.beneficiary:
            return False
        if frame.sought and not (frame.hither or frame.recipients):
            return False
        who = self._recipients(frame)
        if who is None:
            return False
        if frame.source and frame.at:
            return False
        items = [self._item(theme, frame) for theme in frame.themes] if not frame.pronoun else []
        if any(item is None for item in items):
            return False
        if not items and frame.number and len(said.open_items) == 1 and not said.open_items[0].number:
            said.open_items[0].number = frame.number
        elif not items and frame.number:
            return False
        things = [item for item in items if item is not None]
        if not things:
            things, said.open_items = said.open_items, []
            if not things and len(said.orders) and said.told.people and who == [said.told.people[-1]]:
                # 「摩根想喝可乐，给他送一罐」: it was said already.
                return said.orders[-1][1] == who[0]
            if not things and not said.told.things and len(set(said.reasons)) == 1:
                # 「孩子要玩骰子，你去拿」
                things = [Item(said.reasons[0])]
            if not things and len(said.told.things) == 1:
                things = [Item(said.told.things[0], "", said.told.located.get(said.told.things[0], ""))]
        if len(frame.themes) > 1 and "的" in frame.themes[0]:
            return False
        if not things or (len(things) > 1 and len(who) > 1) or (len(who) > 1 and not frame.each):
            return False
        said.orders.extend((item, person) for person in who for item in things)
        return True

    def _item(self, theme: str, frame: Frame) -> Item | None:
        found = self._wants.items(theme)
        if found is None or len(found) != 1:
            return None
        item = found[0]
        return Item(item.name, item.number or frame.number, item.at or frame.source or frame.at)

    def _recipients(self, frame: Frame) -> list[str] | None:
        """Return who gets it, None when that is not clear."""
        said = self._said
        somebody = said.person or (said.told.people[-1] if len(set(said.told.people)) == 1 else "")
        if frame.recipients:
            them = {"他", "她", "人", "人家", "那位", "那人", "那个人"}
            if all(who in them for who in frame.recipients):
                return [somebody] if somebody else None
            return list(frame.recipients)
        if frame.hither and not (said.person and frame.verb == "上"):
            return ["我"]
        if frame.thither:
            return [somebody] if somebody else None
        if said.person:
            said.early = True
            return [said.person]
        if somebody:
            return [somebody] if frame.verb in ("送", "端", "捎") or said.needy else None
        return ["我"] if frame.favour or frame.verb else None

    def _of_somebody(self, bare: str) -> bool:
        """Take what is told of a person on the map, who may be the one to get what follows."""
        if _ROBOT.search(bare) or names_thing(bare, self._vocabulary):
            return False
        for end in range(1, min(len(bare), 9)):
            who = self._wants.person(bare[:end])
            if who is not None and self._wants.person(bare[: end + 1]) is None:
                said = self._said
                said.told.people = list(dict.fromkeys([*said.told.people, who]))
                said.needy = said.needy or re.search(r"渴|饿|馋|累|困|热|冷|想|要", bare[end:]) is not None
                return True
        return False

    def _told(self, bare: str) -> bool:
        said = self._said
        if reason(bare):
            said.wanted = said.wanted or need(bare) or not names_thing(bare, self._vocabulary)
            named = Told()
            note(named, bare, self._vocabulary)
            said.reasons.extend(named.things)
            if _LACKS.search(bare):
                note(said.told, bare, self._vocabulary)
            return True
        if self._of_somebody(bare):
            return True
        if not (tells(bare, self._vocabulary) or reason(bare)):
            return False
        before, things = list(said.told.people), list(said.told.things)
        note(said.told, bare, self._vocabulary)
        new = [thing for thing in said.told.things if thing not in things]
        if _SOMEWHERE.search(bare) and any(thing not in said.told.located for thing in new):
            # Where a thing is told to be must not be left out.
            return False
        said.told.people = list(dict.fromkeys([*before, *said.told.people]))
        return True


def plain_orders(
    text: str, vocabulary: Vocabulary, background: ChineseBackground, *, early: bool = False
) -> Sequence[str]:
    """Return the plain orders as wordings; with ``early`` only those to be heard before the sentence itself."""
    found = deliveries(text, vocabulary, background)
    if found is None or (early and not found[1]):
        return ()
    return (found[0],)
