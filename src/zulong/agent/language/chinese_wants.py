"""One stretch of a Chinese sentence that says what somebody is to get: 「牛奶一盒」「草莓的那种」「不要可乐」「摩根要苹果」.

People name things and leave the order to the listener. A stretch counts here only when each of its words has a part
in it; anything else is left to the other readers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_parts import AND, OrderWords
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token

_LEAD = re.compile(
    r"(?:(?:甭管|不管|无论)(?:什么|哪种|啥)|随便什么|随便来|随便拿|随便|那就|那|就|还是|要不|"
    r"要么(?=来)|干脆|不如|只|再|也|还|先|快|我说的是|我|我们|咱)*"
    r"(?:想要|想吃|想喝|要吃|要喝|改吃|改喝|改要|改拿|改成|换成|换吃|换喝|换|改|要|想|来|拿|"
    r"给我来|给我拿|给我弄|给我整|给我上|给我换|给我换成|帮我拿|整|弄|搞|上|点|喝|吃|求|请给我|"
    r"给我)?"
    r"(?:上)?(?:点儿?|些|口|一点儿?|一些)?(?=[^点些儿])"
)
_TAIL = re.compile(
    r"(?:就行|就好|就成|就可以|就够|就得|即可|得了|行了|好了|吧|呗|啊|呀|哈|哦|嘛|了|啦|谢谢|谢啦|麻烦|快|来)*$"
)
_REFUSED = (
    re.compile(
        r"(?:可|先|就|千万|我|我们|今天|今儿|现在|最近)*(?:别|不要|不用|甭|不想|不爱|不喜欢|不太想|"
        r"不能|不|没让你|不是)(?:再|给我|帮我|想|要|喝|吃|拿|来|上|带|送|用|端)*"
        r"(?:那个|那瓶|那盒|那种|这个)?(?P<what>[^，]{1,8}?)(?:了|啊|哦|哈|呢|啦)*"
    ),
    re.compile(
        r"(?P<what>[^，]{1,8}?)(?:我|就|可|也|都|先|今天|真的?)*(?:不要|别拿|别来|别给我|不用|"
        r"不喝|不吃|不想喝|不想吃|不爱吃|不爱喝|不喜欢|算了|免了|喝腻|吃腻|喝够|吃够|喝多|吃多)(?:了|"
        r"啊|哦|啦)*"
    ),
    re.compile(
        r"(?P<what>[^，]{1,8}?)(?:也|都|又|实在|可)?(?:太|有点儿?|怪|死|齁|过于|真)(?:甜|酸|"
        r"苦|辣|腻|硬|软|难吃|贵|凉|烫|冰|浓|淡|咸|油|难喝|没味儿?|没劲|伤胃|上火|长胖|胖人)(?:了|"
        r"得慌|的|死了)*"
    ),
    re.compile(r"(?P<what>[^，]{1,8}?)(?:都|已经|快|也)*(?:用|喝|吃)?(?:没|完|光)了(?:啊|呢)?"),
    re.compile(r"(?:我|我们)?(?:最近|正|已经)?(?:戒|忌|不碰)(?P<what>[^，]{1,5}?)(?:了|呢)?"),
)
_WANTS = re.compile(
    r"(?P<who>[^，]{1,14}?)(?:他|她|人家|刚才?|说|跟我说|今天|这会儿|现在|也|还|就|正|急着|"
    r"等着|好像|老|又|可能|在那儿|在那边|嚷嚷着|嚷着|喊着|吵着|念叨着?)*"
    r"(?:想要|想吃|想喝|要吃|要喝|想来|需要|点了|点的是|缺|差|等|要|惦记着?|馋)(?P<what>[^，]{1,14}?)(?:呢|了|啊|吃|喝|用)*"
)
_LACKS = re.compile(
    r"(?P<who>[^，]{1,8}?)(?:正|在|这会儿|现在|那儿|那边)*(?:洗手|洗澡|洗脸|做饭|吃饭|吃面|"
    r"喝汤|喝茶|洗碗|刷碗|打扫|干活|做蛋糕|调味|泡咖啡|拌麦片|喝粥|喝咖啡)?(?:那儿|那边|手边)?"
    r"(?:没有?|缺|少|差)(?P<what>[^，]{1,8}?)(?:了|用|呢)*"
)
_BELONGS = re.compile(r"(?P<what>[^，]{1,12}?)(?:都)?(?:归|是给|留给|给)(?P<who>[^，我]{1,10}?)(?:的|了|吧)?")
_SHADE = (
    r"(?:最大|最小|最重|最轻|大|小|红|蓝|绿|黄|黑|白|橙|粉|紫|灰|棕|热带|巧克力|朱古力|草莓|"
    r"橙子?|番茄|西红柿|小盒|盒装|小包|纸盒|鲜榨|咖啡)"
)
_SPEC_LEAD = (
    r"(?:我|就|是|要|想要|想吃|想喝|得是|得要|必须是|必须|最好是|最好|拿|来|给我|喜欢|爱吃|"
    r"爱喝|挑|选|那就|另外|换|找)*"
)
_THAT = r"(?:那|这)?(?:一)?(?:个|种|盒|瓶|只|罐|杯|款|包|份|块|样|那个|那种)?"
_SPEC = re.compile(
    rf"{_SPEC_LEAD}(?:一)?(?:个|种|盒|瓶|只|罐|杯)?{_THAT}(?P<shade>{_SHADE})(?:色|颜色|味儿?|"
    rf"口味儿?|味道)?的?{_THAT}(?:就行|就好|就成|吧|啊|哦|的|更好|最好)*"
)
_SPECS = re.compile(
    rf"{_SPEC_LEAD}(?:一)?(?:个|种|盒|瓶|只|罐|杯)?(?:要|是|拿)?(?P<one>{_SHADE})(?:色|味儿?|"
    rf"口味)?的?(?:和|跟|、|，|与)?一?(?:个|种|盒|瓶|只|罐|杯)?(?:要|是|拿)?"
    rf"(?P<two>{_SHADE})(?:色|味儿?|口味)?的?(?:就行|吧|啊)*"
)
_WARMTH = re.compile(
    r"(?:要|得|最好|最好是|来|拿|给我|越)*(?:冰镇|冰|凉|热|温|热乎|热乎乎|冷|常温|新鲜|现成|"
    r"干净|好|甜|酸|熟)(?:的|一点儿?|点儿?|的那种|乎的)+(?:最好|更好|就行|吧|也行|也成|啊|的|"
    r"哦)*"
)
_PLACE_OF = re.compile(
    r"(?:就)?(?:在)?(?P<where>(?!放|搁|摆)[^，]{2,9}?)(?:的|那儿?|那里|那边|呢|放着呢?|"
    r"搁着呢?|着呢|有|就有|应该有|那个|那盒|那瓶|那罐|那只|那把|那块|那种)*"
)
_ORDERED_BY = re.compile(
    r"(?P<what>[^，]{1,10}?)(?:都)?是(?P<who>[^，我]{1,10}?)(?:托|让|叫|请|拜托|要)?(?:我|我们|"
    r"咱)?(?:给他|给她|帮他|帮她)?(?:买|带|要|借|点|订|留|拿|找|落下|忘)(?:来|下|在这儿?)?的"
)
_WANTED_BY = re.compile(
    r"(?P<who>[^，]{1,10}?)(?:想要|想吃|想喝|要|点|等|爱喝|爱吃|惦记)的(?P<what>[^，]{1,8}?)(?:呢)?"
)
FOR_WHAT = (
    r"(?:(?:配(?:咖啡|茶|牛奶|饭|面包|粥|酒|菜|汤|药|面|水|果汁)?|[喝吃洗泡切拌夹盛装擦蘸抹下玩刷做扔踢打冲][^，的苹梨]{0,3})(?:用|使)?(?:的(?:那[个块把瓶只])?|"
    r"那[个块把瓶只]))"
)
_COUNT_LED = re.compile(
    r"(?<=[^，])(?:再|就|给我|我|帮我|我想|我就)*(?:续|加|添|来|要|拿|上|整|弄)(?=(?:上)?[一两三俩半\d][个瓶罐盒根杯只把块颗份条包听]$)"
)
_EACH_OF = re.compile(
    r"(?:各|都|全|一样|每样|每种)+(?:来|拿|要|给我|上|取|给)*(?P<number>[一两三]?[个瓶罐盒根杯只把块颗份条]?)?(?:吧|"
    r"来|给我)?$"
)
_MINE = re.compile(
    r"^(?:我|咱|俺|我们|咱们|咱家|我家)的?(?:那|这)?(?=[^们的]{2})|^(?:上次|上回|昨天|之前|"
    r"刚才)?(?:那|这)(?:个|种|款|瓶|盒)(?=[^的]{2})|"
    r"^[^，的]{1,5}(?:最)?(?:爱|喜欢|常|平时|天天|老)(?:吃|喝|用|玩)的(?:那种|那个|那款)?|"
    r"^(?:我|同事|客人|朋友|孩子|谁|昨天|今天|早上|上次|刚才?)[^，的]{0,4}(?:落下|忘|丢|留下|"
    r"送|买|带来|寄|剩|剩下|洗好|洗)(?:在[^，]{1,4})?的(?:那[个瓶盒罐])?|^" + FOR_WHAT
)
_PRAISED = re.compile(
    r"(?P<what>[^，]{2,10}?)(?:是|还|挺|真|很|可|特别|超|最|蛮|味道)*(?:好吃|好喝|不错|"
    r"好玩|香|甜|够味|解渴|过瘾|好用|顺手|提神|管用)(?:的|了|啊|呢|极了)*"
)
_NONE_LEFT = re.compile(
    r"(?:家里|我这儿?|那儿|手边|桌上)?(?:没有?|缺|差|少)(?P<what>[^，]{1,6}?)(?:了|呢|啊)*"
)
_GOES_WITH = re.compile(
    r"[^，]{1,6}?(?:少不了|离不开|得有|得配|要配|配|得加|要加|怎么能没|哪能没|就差|还差|还缺|"
    r"就缺)(?P<what>[^，]{1,6}?)(?:呢|了|啊)*"
)
_THERE = re.compile(
    r"(?P<where>[^，]{1,8}?)(?:不是|那儿|好像|应该|大概|可能|估计|记得|还|就|都)*(?:有|放着|"
    r"搁着|摆着|剩)(?:着|的)?(?P<what>[^，]{1,8}?)(?:吗|吧|么|呢|嘛|的|来着)*"
)
_THAT_IS = re.compile(r"(?:就是|也就是|我是说|我指的是|我说的是|指的是)(?P<what>[^，]{1,10})")


@dataclass(slots=True)
class Item:
    """One thing that is wanted: its name with what describes it, how many, and where it is."""

    name: str
    number: str = ""
    at: str = ""

    def text(self) -> str:
        """Return the thing as it stands in a plain order."""
        where = f"{self.at}的" if self.at else ""
        return where + (self.number if self.number not in ("一", "") else "") + self.name


class WantedThings:
    """Reads stretches that name things.

    Args:
        vocabulary: knows the names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def items(self, text: str) -> list[Item] | None:
        """Return the things that a stretch names with their counts, None when it says anything else."""
        words = pieces(_MINE.sub("", text), self._vocabulary)
        nouns, index = ChineseNounReader(words), 0
        found: list[Item] = []
        while index < len(words):
            if words[index].text in AND or words[index].text in ("各", "都", "全"):
                index += 1
                continue
            read = nouns.read(index)
            if read is None or read[0].kind != "object" or read[0].unknown or read[1] == index:
                return None
            referent, end = read
            if OrderWords._only_count(referent):
                if not found or found[-1].number or words[index - 1].text in AND:
                    # 「可乐还有两罐」 tells how many are left.
                    return None
                found[-1].number = _text(words, index, end)
            else:
                item = _item(words, index, end, referent)
                if item is None:
                    return None
                found.append(item)
                while end < len(words) and words[end].plays("det", "measure") and words[end].text != "把":
                    end += 1
            index = end
        return found or None

    def count(self, text: str) -> bool:
        """Return whether the text only says how many: 「一罐」."""
        words = pieces(text, self._vocabulary)
        return len(words) == 2 and words[0].plays("number") and words[1].plays("measure")

    def wanted(self, text: str) -> list[Item] | None:
        """Return the things of a stretch that may begin with a wish and end with a courtesy."""
        plain = self.items(text)
        if plain is not None:
            return plain
        counted = _COUNT_LED.sub("", text)
        if counted != text and (found := self.items(counted)) is not None:
            return found
        each = _EACH_OF.search(text)
        if each is not None and (found := self.items(text[: each.start()])) is not None and len(found) > 1:
            for item in found:
                item.number = item.number or each["number"] or ""
            return found
        lead = _LEAD.match(text)
        tail = _TAIL.search(text)
        start, end = (lead.end() if lead else 0), (tail.start() if tail else len(text))
        for begin, stop in ((start, len(text)), (0, end), (start, end)):
            if begin < stop and (begin, stop) != (0, len(text)):
                found = self.items(text[begin:stop])
                if found is not None:
                    return found
        return None

    def refused(self, text: str) -> str | None:
        """Return the words for what a stretch says is not wanted, None when it does not."""
        for pattern in _REFUSED:
            found = pattern.fullmatch(text)
            if found is None:
                continue
            what = found["what"]
            if self.items(what) is not None or _SPEC.fullmatch(what) is not None or self._kind(what):
                return what
        return None

    def wants(self, text: str) -> tuple[str, list[Item]] | None:
        """Return who is said to want, lack or own what: 「摩根想喝可乐」「红酒归摩根」."""
        for pattern in (_ORDERED_BY, _WANTED_BY, _WANTS, _LACKS, _BELONGS):
            found = pattern.fullmatch(text)
            things = self.wanted(found["what"]) if found is not None else None
            if found is not None and things is not None and (who := self.person(found["who"])):
                return who, things
        return None

    def person(self, text: str) -> str | None:
        """Return the words for the one person that a stretch names or describes, None when it says anything else."""
        said = re.sub(r"^(?:那个|那位|这位|这个)(?=.)", "", text)
        for words in dict.fromkeys((text, said, re.sub(r"(?:他|她|人家|那儿|那边)$", "", said))):
            tokens = pieces(words, self._vocabulary)
            read = ChineseNounReader(tokens).read(0) if words else None
            if read is None or read[1] != len(tokens) or read[0].kind != "person" or read[0].unknown:
                continue
            if not read[0].pronoun and (read[0].name or read[0].at or not read[0].is_bare()):
                return words
        return None

    def specified(self, text: str, item: Item) -> list[Item] | None:
        """Return the thing as a stretch tells more of it: 「要草莓的」 after 「果冻」; two for 「一个红的一个绿的」."""
        said_again = _THAT_IS.fullmatch(text)
        same = self.items(said_again["what"]) if said_again is not None else None
        if same is not None and len(same) == 1 and self._alike(same[0].name, item.name):
            return [Item(same[0].name, item.number or same[0].number, item.at or same[0].at)]
        both = _SPECS.fullmatch(text)
        one = _SPEC.fullmatch(text)
        if both is not None:
            names = [self._of(both[which], item.name) for which in ("one", "two")]
            if all(names) and item.number[:1] in ("", "两", "俩", "2", "二"):
                return [Item(name or "", "", item.at) for name in names]
        if one is not None and (name := self._of(one["shade"], item.name)):
            return [Item(name, item.number, item.at)]
        if _WARMTH.fullmatch(text):
            return [item]
        where = _PLACE_OF.fullmatch(text)
        if where is not None and not item.at and self._place(where["where"]):
            return [Item(item.name, item.number, where["where"])]
        return None

    def _of(self, shade: str, head: str) -> str | None:
        """Return the name of the thing of this colour, taste or size, None when there is none."""
        bare = re.sub(rf"^{_SHADE}(?:色|味儿?)?的?(?=.)", "", head) if head not in self._names() else head
        for name in (
            f"{shade}{bare}",
            f"{shade}味的{bare}",
            f"{shade}的{bare}",
            f"{shade}{bare.removeprefix('水')}",
        ):
            if name in self._names():
                return name
        if shade in ("最大", "最小", "最重", "最轻", "大", "小") or any(
            sense.kind == "colour" for sense in self._vocabulary.chinese.get(shade, ())
        ):
            return f"{shade}的{bare}"
        return None

    def _names(self) -> dict[str, bool]:
        return _THINGS.setdefault(
            id(self._vocabulary),
            {
                phrase: True
                for phrase, senses in self._vocabulary.chinese.items()
                if any(sense.kind in ("object", "category") for sense in senses)
            },
        )

    def praised(self, text: str) -> list[Item] | None:
        """Return the thing that a stretch calls good: 「上次那个果冻挺好吃」."""
        found = _PRAISED.fullmatch(text)
        return self.items(found["what"]) if found is not None else None

    def lacking(self, text: str) -> list[Item] | None:
        """Return what goes with something the speaker has: 「喝咖啡少不了糖」."""
        found = _GOES_WITH.fullmatch(text) or _NONE_LEFT.fullmatch(text)
        return self.items(found["what"]) if found is not None else None

    def there(self, text: str) -> list[Item] | None:
        """Return the thing that is said to be at a place, with the place: 「书桌上不是有草莓吗」."""
        found = _THERE.fullmatch(text)
        if found is None or not self._place(found["where"]):
            return None
        things = self.items(found["what"])
        if things is None or any(item.at or "的" in item.name for item in things):
            return None
        return [
            Item(item.name, item.number if item.number[:1] != "一" else "", found["where"]) for item in things
        ]

    def alike(self, item: Item, kind: Item) -> bool:
        """Return whether the one thing may be what the other, wider name stands for."""
        return item.name != kind.name and (
            self._alike(item.name, kind.name) or self._of_category(item.name, kind.name)
        )

    def _of_category(self, name: str, kind: str) -> bool:
        kinds = {s.value for s in self._vocabulary.chinese.get(kind, ()) if s.kind == "category"}
        return any(
            self._vocabulary.category_of.get(i) in kinds
            for sense in self._vocabulary.chinese.get(re.sub(r"^.*的", "", name), ())
            for i in sense.ids
        )

    def is_dish(self, item: Item) -> bool:
        """Return whether the thing is one to eat, drink or cook with."""
        return any(
            self._vocabulary.category_of.get(i) == "dish"
            for sense in self._vocabulary.chinese.get(re.sub(r"^.*的", "", item.name), ())
            for i in sense.ids
        )

    def _alike(self, one: str, other: str) -> bool:
        """Return whether both names can be the same thing on the map."""
        ids = [
            {i for sense in self._vocabulary.chinese.get(re.sub(r"^[那这]", "", name), ()) for i in sense.ids}
            for name in (one, other)
        ]
        return bool(ids[0] & ids[1])

    def _kind(self, text: str) -> bool:
        return all(
            any(sense.kind == "colour" for sense in self._vocabulary.chinese.get(part, ()))
            for part in re.split(r"色?的|和|、", text)
            if part
        )

    def _place(self, text: str) -> bool:
        words = pieces(text, self._vocabulary)
        found = ChineseNounReader(words).place(0)
        return found is not None and found[1] == len(words) and not found[0].pronoun and not found[0].relation


_THINGS: dict[int, dict[str, bool]] = {}


def _text(words: Sequence[Token], start: int, end: int) -> str:
    return "".join(word.text for word in words[start:end])


def _item(words: Sequence[Token], start: int, end: int, referent: Referent) -> Item | None:
    if referent.pronoun or not (referent.name or referent.category or referent.colour):
        return None
    if not (referent.name or referent.category):
        return None
    number = ""
    if words[start].plays("number") and start + 1 < end:
        stop = start + 2 if words[start + 1].plays("measure") else start + 1
        number, start = _text(words, start, stop), stop
    elif words[start].plays("measure") and start + 1 < end:
        start += 1
    elif words[start].plays("any") and start + 1 < end:
        start += 2 if words[start + 1].plays("measure") and start + 2 < end else 1
    return Item(_text(words, start, end), number)
