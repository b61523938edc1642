"""Background and courtesies of Chinese orders; see :mod:`zulong.agent.language.rewording`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zulong.agent.language.chinese_rewrites import RULED_OUT
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.stretches import NAMES, Mention, Stretch, different, ended, kind_of, named_first

_MARK = re.compile(r"(\s*(?:[，。？！,.?!；;…~～]+|——)\s*(?:(?:然后|接着|所以|因此|于是|那么|那就)(?=.))?)")
_OPENING = re.compile(
    r"(?:请问|请|麻烦(?:你|您)?(?:老人家)?(?:了)?|劳驾(?:你|您)?(?:呐|了)?|劳烦(?:你|您)?|拜托(?:你|您)?|辛苦(?:你|您)?|有劳(?:你|您)?|"
    r"能不能|可不可以|可以的话|能否|可否|(?:你|您)?(?:能|可以|可)(?:不能)?(?=帮|把|给|替|去|到|拿|送|带|找|看|问|告诉|过)|"
    r"那个|那啥|嗯+|呃+|啊|哎呀?|诶|喂|嘿|哦|噢|喔|好的?|行|那(?![位个些边儿里种瓶盒只本把人头杯罐块])|对了|话说|其实|要不(?!然|就|拿|给|送|放|去|把)|不如|"
    r"机器人|小祖龙|祖龙|小龙|小伙子|小家伙|小机器人|老人家|师傅|伙计|兄弟|宝贝|小朋友|"
    r"(?:我)?(?:想|要)?(?:让|请|叫|麻烦|拜托)(?:你|您)|我(?:想|要|希望)(?:你|您)|(?:你|您)(?:这会儿|现在|先|快|赶紧|赶快|得|该|应该|就|来|直接)?(?=帮|把|给|替|去|到|拿|送|带|找|看|问|告诉|过来|跟|在|放|挪|端|递|取)|"
    r"快(?:点儿?)?|赶紧|赶快|现在|马上|立刻|立即|顺便|顺手|帮(?:我个)?忙|帮个忙|快去)(?:[，,\s])*",
)
_CLOSING = re.compile(
    r"(?:[，,\s]*(?:谢谢(?:你|您)?(?:了|啦|啊)?|谢啦|多谢|拜托了?|麻烦了|辛苦了?|好吗|好不好|好么|行吗|行不行|行不|可以吗|可以不|"
    r"成不|成吗|呗|哈|哦|喔|噢|嘛|呀|啊|呐|哟|咯|啦(?!$)|就行|就好|吧|一下下?|快点儿?|马上|立刻|现在))+$"
)
_FOR_ME = re.compile(r"帮(?:我个)?忙|帮个忙")
_FETCHED = re.compile(r"[拿取递端](?!去|起来|着)")
_ONLY_COURTESY = re.compile(
    r"(?:请|麻烦(?:你|您)(?:了)?|劳驾|谢谢(?:你|您)?(?:了|啦)?|多谢|辛苦(?:你|您)?(?:了|啦)?|拜托(?:了|啦)?|不好意思|打扰(?:一下|了)?|对不起|抱歉|"
    r"嗯+|呃+|啊|哎呀?|诶|喂|嘿|哈喽|你好|您好|哦|噢|好(?:的|吧|了)?|行(?:吧)?|那个|那啥|我想想|让我想想|怎么说呢|我跟你讲(?:哦)?|我跟你说(?:哦|啊)?|"
    r"你看(?:啊)?|听着|行了行了|好了好了|得了|别在[^，。]{1,6}(?:转|待|站|晃|玩)(?:悠)?(?:着)?了|人呢|别(?:放)?坏了|别弄丢了|别摔了|先?别管我(?:了)?|别(?:再)?(?:杵|站|愣|傻站|发呆|磨蹭|待|呆|闲|傻|挡)(?:着|着我|着路|着电视|着门|在那儿|在这儿|在那里)?了|话说|对了|机器人|祖龙|小龙|小家伙|快点儿?|赶紧的|别急|不急|慢慢来|小心点儿?|好吗|行吗|可以吗|好不好|这样吧)"
)

_SUBJECT = (
    r"(?:我们?|咱们?|俺们?|他们?|她们?|它们?|这(?!里)|那(?!里)|大家|人家|有人|孩子们?|客人们?|小孩|宝宝|妈妈?|爸爸?|爷爷|奶奶|老师|医生|护士|同事|朋友|"
    r"刚|两手|双手|浑身|满头|手上|身上|肚子|嗓子|嘴里|脑袋|腿|腰|胳膊|今天|今儿|今晚|晚上|早上|上午|中午|下午|刚才|刚刚|昨天|外面|家里|屋里)"
)
_TELLING_END = re.compile(
    r"(?:了|呢|着|着呢|过|过了|的|得很|坏了|死了|极了|要命|没有|不动|不着|不到|不开身?|不过来|不了|得慌|好久|半天|一天|一上午|冒烟|着急)(?:啊|呀|嘛|哈|呢)?$"
)
_ASKS_MORE = re.compile(
    r"^(?:他|她|它|他们|她们|它们|那|再|还有|都|以及|和)+(?:们)?.{0,4}?(?:什么|啥|谁|哪|几个|多少|干嘛|怎么样)"
)
"""A question beside another is no background: 「客厅里有几个人，他们在干什么」."""
_ORDERS_TO_GO = re.compile(
    r"(?:再|就|然后|最后|接着|先|你|请|麻烦)*去(?:叫|喊|把|给|问|告诉|通知|提醒|带|领|送|拿|放|找|看|数|跟|请|接)[^，]*(?<!了)$"
)
"""An order to go and do something is no background, whoever it is about."""
_UNSURE = re.compile(r"不知|不晓得|不清楚|忘|想不起|不记得|没看见|没啥|没什么")
_LACKING = re.compile(r"(?:没(?:什么|啥)?|不太|不怎么|不大|不认|不熟|不会|不方便|不舒服)[^，]{1,8}")
_DEGREE = re.compile(r"(?:太|好|真|很|有点儿?|挺|怪|特别|非常|可)[^，。]{1,4}(?:了|的|啊|呀)?$")
_NOT_BACKGROUND = re.compile(
    r"[帮把替请让叫]|给我|给你|告诉|转告|如果|要是|若|假如|除非|除了|不然|否则|只要|只有|一旦|等到|的话|"
    r"别(?!人|的|处)|也行|也可以|也成|要不|不要|不用|甭|不必|不许|勿|算了|不对|错了|取消|改|换|还是|或者|要么|而是|不是|"
    r"想(?!到|起|往|出)|(?<!我)(?<!我们)要(?!命|紧|好|死|走了|来了|到了|出门|用|[^，。]{1,4}[呢了]$)|我们?要(?!命|紧|好|死|走了|来了|到了|出门|用)|需要|应该|应当|必须|希望|得(?=[去把给放拿送])|该|"
    r"已经|不再|再[说去拿做来弄放送给]|也是|也一样|也[放拿给送要]|(?:[有没在到来完]人?|[不没][^，]{1,3})就(?![是好行成要在算])|明天|后天|晚点|待会|等会|一会|点钟|分钟|小时|每|"
    r"去(?!了|过|年|哪)|拿|取|送|带|放(?!着)|找(?!不)|看看|问(?!题)|数|等|跟|搬|挪|端|递|抓|抱|收|扔"
)
_FIRST_LETTER = 0xE000
_MEASURE = re.compile(r"^(?:那|这|我的|一)?(?:个|只|杯|瓶|罐|盒|本|把|块|支|条|张|位|点)?")
_LOCATED = re.compile(r"(?:在|到|进|落|掉|搁|忘)")
_LOCATIVE = re.compile(r"(?:在|到|搁|落|放|丢|忘|掉)(?:在|到)?$")
_IT = re.compile(r"它们?|(?<=[把将])(?:那个|这个)|那个东西|这东西")
_THEM = re.compile(r"他们?|她们?|那个人|人家")
_THERE = re.compile(r"那里|那儿|那边|上面|里面(?=去|$)")
_PRONOUNS = ("他", "她", "我", "我们", "他们", "她们")
_HANDLING = re.compile(
    r"^(?:你|您|就|再|先|都|也|帮我|给我|替我|麻烦|直接|赶紧|快|去)*(?=拿|取|送|放|挪|搬|端|递|抓|抱|收|搁|捡|给|摆|移)"
)


class ChineseBackground:
    """What only tells and what orders, in Chinese.

    Args:
        vocabulary: knows the names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def split(self, text: str) -> list[Stretch]:
        """Return the stretches of a sentence."""
        # In stretches of their own its two halves would both be orders.
        parts = _MARK.split(re.sub(RULED_OUT, "", text).strip())
        pairs = zip(parts[::2], [*parts[1::2], ""], strict=True)
        return [Stretch(said.strip(), mark) for said, mark in pairs if said.strip()]

    def joined(self, stretches: Sequence[Stretch]) -> str:
        """Return the sentence that the stretches make."""
        return (
            "".join(stretch.text + (stretch.mark or "，") for stretch in stretches if stretch.text)
            .rstrip("，")
            .strip()
        )

    def without_courtesies(self, text: str) -> str:
        """Return the stretch without the courtesies at its ends, "" when it is nothing else."""
        if _ONLY_COURTESY.fullmatch(text):
            return ""
        opening = _OPENING.match(text)
        said = text[opening.end() :] if opening else text
        said = _CLOSING.sub("", said) or said
        if opening and _FOR_ME.search(opening.group(0)) and _FETCHED.match(said):
            # 「帮忙拿一下糖」: whoever asks the favour gets it.
            said = "帮我" + said
        return "" if _ONLY_COURTESY.fullmatch(said) else said

    def tells(self, stretch: Stretch) -> bool:
        """Return whether the stretch only tells something."""
        text = stretch.text.rstrip("啊呀嘛哈哦呢")
        if stretch.looked_up or "？" in stretch.mark or "?" in stretch.mark or len(text) < 2:
            return False
        if _ORDERS_TO_GO.match(text) is not None:
            return False
        if _ASKS_MORE.search(text) is not None and _UNSURE.search(text) is None:
            return False
        mentions = self.mentions(text)
        subject = re.match(_SUBJECT, text) is not None or (
            bool(mentions) and text.startswith(mentions[0].text) and mentions[0].before == ""
        )
        tells = subject or _TELLING_END.search(stretch.text) is not None or _DEGREE.search(text) is not None
        tells = tells or _LACKING.fullmatch(text) is not None
        elsewhere = _LOCATED.search(text) and not any(mention.kind == "place" for mention in mentions)
        return (
            tells
            and _NOT_BACKGROUND.search(stretch.text) is None
            and not self._dangerous(text)
            # A thing that is told to be somewhere without a name on the map may not be left out.
            and not (elsewhere and any(mention.kind == "thing" for mention in mentions))
        )

    def with_whole_names(self, text: str) -> tuple[str, dict[str, str]]:
        """Return the text with a letter of the private use area for each person, so that no slot ends within a name."""
        letters: dict[str, str] = {}
        for mention in self.mentions(text):
            if mention.kind == "person" and mention.text not in letters.values():
                letters[chr(_FIRST_LETTER + len(letters))] = mention.text
        for letter, name in letters.items():
            text = text.replace(name, letter)
        return text, letters

    def names(self, text: str) -> bool:
        """Return whether the text is a name, perhaps with a measure before it, and says nothing else."""
        bare = _MEASURE.sub("", text)
        if len(bare) == 1 and ord(bare) >= _FIRST_LETTER:
            return True
        return any(sense.kind in NAMES for sense in self._vocabulary.chinese.get(bare, ()))

    def retold(self, stretches: Sequence[Stretch], told: Sequence[int]) -> Iterator[str]:
        """Yield sentences in which what was told stands in for pronouns, is said plainly, or is left out."""
        # What is denied of a thing does not make it the one that is meant: 「罗宾不喝可乐，给他拿一瓶」.
        mentions = [
            mention
            for number in told
            for mention in self.mentions(stretches[number].text)
            if mention.kind != "thing" or not re.search(r"[不没别]", stretches[number].text)
        ]
        orders = [stretch for number, stretch in enumerate(stretches) if number not in told]
        things = different(mentions, "thing")
        people = different(mentions, "person")
        places = different(mentions, "place")
        located = [
            place
            for place in places
            if _LOCATIVE.search(place.before) and not self._of_somebody(place.before, people)
        ]
        if len(things) == 1 and not self._names_kind(orders, "thing"):
            where = f"{located[0].text}的" if len(located) == 1 else ""
            for thing in dict.fromkeys((where + things[0].text, things[0].text)):
                for version in _with_thing(orders, thing):
                    yield self.joined(self._with_others(version, people, places))
        named = self._with_others(orders, people, places)
        if len(located) == 1 and things and self._names_kind(orders, "thing"):
            yield self.joined([*ended(named, "，"), Stretch(f"它在{located[0].text}")])
        if named != orders:
            yield self.joined(named)
        yield self.joined(orders)

    def mentions(self, text: str) -> list[Mention]:
        """Return the things, people and places that are named in a text, in their order."""
        found: list[Mention] = []
        at = 0
        while at < len(text):
            for length in range(min(self._vocabulary.longest_zh, len(text) - at), 0, -1):
                senses = self._vocabulary.chinese.get(text[at : at + length], ())
                kind = next((k for k in map(kind_of, senses) if k), "")
                if kind and (length > 1 or kind == "thing" or text[at] in "简"):
                    found.append(Mention(kind, text[at : at + length], text[:at]))
                    at += length - 1
                    break
            at += 1
        return found

    @staticmethod
    def _of_somebody(before: str, people: Sequence[Mention]) -> bool:
        """Tell 「简在客厅等咖啡」: it is she who is there."""
        named = _LOCATIVE.sub("", before)
        if re.search(r"[被把将让]", named):
            return False
        return named.endswith((*_PRONOUNS, *(person.text for person in people)))

    def _with_others(
        self, orders: Sequence[Stretch], people: Sequence[Mention], places: Sequence[Mention]
    ) -> list[Stretch]:
        said = list(orders)
        if len(people) == 1 and not self._names_kind(orders, "person"):
            said = named_first(said, _THEM, people[0].text) or said
        if len(places) == 1 and not self._names_kind(orders, "place"):
            said = named_first(said, _THERE, places[0].text) or said
        return said

    def _names_kind(self, orders: Sequence[Stretch], kind: str) -> bool:
        return any(mention.kind == kind for stretch in orders for mention in self.mentions(stretch.text))

    def _dangerous(self, text: str) -> bool:
        # What somebody does, as told by name or pronoun, orders nothing: 「查理要踢球呢」.
        told = re.match(_SUBJECT, text) is not None or any(
            mention.kind == "person" and not mention.before for mention in self.mentions(text)
        )
        return any(
            sense.value == "dangerous" or (sense.value.startswith("missing:") and not told)
            for at in range(len(text))
            for length in range(1, min(self._vocabulary.longest_zh, len(text) - at) + 1)
            for sense in self._vocabulary.chinese.get(text[at : at + length], ())
        )


def _with_thing(orders: Sequence[Stretch], thing: str) -> Iterator[list[Stretch]]:
    """Yield the orders with the thing for "it", or put before the verb that lacks it."""
    named = named_first(orders, _IT, thing)
    if named is not None:
        yield named
        return
    for number, order in enumerate(orders):
        handling = _HANDLING.match(order.text)
        if handling is not None:
            text = f"{order.text[: handling.end()]}把{thing}{order.text[handling.end() :]}"
            yield [*orders[:number], replace(order, text=text), *orders[number + 1 :]]
            return
