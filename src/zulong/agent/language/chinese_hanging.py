"""What a Chinese sentence hangs on, in any wording, written out before the grammar reads it.

A condition comes with a hundred wordings (「冰箱里有橙子的话」「看看简在不在，在就」「除非没人」「前提是」), at the
beginning, behind the order, or as a question with its answer; what is to be done else follows in full or in two words
(「没有的话桃子也行」「否则拉倒」). Here the condition alone is read, the orders stay as they were said, and the whole is
put as 「如果……，就……。如果……，就……」, one sentence for each case, so that every order meets the grammar in the same
place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from zulong.agent.language.chinese_flow_conditions import Hangs, condition_reader
from zulong.agent.language.chinese_flow_words import places
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_told import one_thing
from zulong.agent.language.chinese_wordings import wordings_of
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 120
_ORDER = "就"
"""Stands for the mark of a stretch that was found to be an order."""
_QUOTED = re.compile(r"[“”\"「」『』‘’：:]")
_MAY_HANG = re.compile(
    r"如果|要是|假如|假使|假若|倘若|若|只要|万一|一旦|的话|除非|前提|就|那|有没有|在不在|是不是|吗|看|否则|不然|要[^，。]*[有在没]"
)
_STRETCH = re.compile(r"([^，。；！？,;!?]+)([，。；！？,;!?]*)")
_LEAD = re.compile(
    r"(?:你看|你说|你|您|请|麻烦(?:你|您)?|劳驾|帮个?忙|帮我|给我|替我|祖龙|小祖龙|机器人|哎|诶|喂|嗯|那个|那什么|对了|好|这样|记得|回头|"
    r"先|再|然后|接着|另外|还有|顺便|到时候|去|过去|(?:看看|看一下|看一眼|瞧瞧|瞅瞅)(?=如果|要是|假如|若|万一))+"
)
_ONLY_LOOK = re.compile(
    r"(?:你|您|请|麻烦(?:你|您)?|帮我|给我|替我|先|去|过去|到时候|帮个?忙|祖龙|哎|那个)*(?:看看|看一看|看一下|看下|看一眼|瞧瞧|瞧一眼|瞅瞅|检查一下|确认一下)(?:吧|啊|去)?"
)
_ONLY_LEAD = re.compile(
    r"(?:你|您|请|麻烦(?:你|您)?(?:了)?|劳驾|帮个?忙|祖龙|小祖龙|机器人|哎|诶|喂|嗯|那个|那什么|对了|好的?|这样|行|谢谢(?:你|您)?|多谢|"
    r"辛苦了?|好吗|行吗|可以吗|好不好|行不行)+(?:了|啦|啊|帮忙|帮我)?|"
    r"(?:麻烦|辛苦|劳烦)?你?(?:再)?(?:帮我)?跑(?:一)?趟(?:腿)?(?:吧)?"
)
_ONLY_ASIDE = re.compile(f"{_ONLY_LOOK.pattern}|{_ONLY_LEAD.pattern}")
_THEN = re.compile(
    r"^(?:(?:那么|那就|那|则|便|就|再|你|您|请|麻烦(?:你|您)?|直接|这时候?|呢)(?!里|儿|边|个|位|瓶|盒))+"
)
_ELSE = re.compile(
    r"^(?:否则的话|不然的话|要不然的话|要不然|否则|不然|反之|要不)(?:的话)?(?:呢)?(?:你|您|就|那就|那|请|麻烦你|再)*"
)
_UNLESS = re.compile(r"^(?:除非|除了(?=[^，]*(?:有人|没人|空着|开着|关着|超过|不到)))")
_ONLY_IF = re.compile(
    r"^(?:前提是|条件是|但前提是|但条件是|不过得|但得|但要|只有(?=.*(?:时|的时候|才|的话)$))"
)
_LATER_IF = re.compile(r"^(?:如果|如果说|要是|假如|假使|假若|倘若|若是|若|只要|万一|一旦)")
_AT_END = re.compile(r"(?:的话|的时候|时|呢|就行|就好|才行|的情况下|了)*$")
_SPLIT_ELSE = re.compile(
    r"(?<=[^，。都也还就有])(?=(?:否则|不然|要不然|(?:如果|要是)?(?:没有|不在|没人|没有人|没了)(?:的话|就|拉倒|算了)|(?:如果|要是)(?:没有|不在|没人)(?!.{0,8}(?:的话|就))))"
)
_SPLIT_IF = re.compile(r"(?<=.{2})(?:如果|要是|假如|假使|倘若|万一|除非|只要|前提是)")
_QUESTION = re.compile(r"[？?]|(?:怎么办|会怎样|会怎么样|行吗|咋办|是什么|吗|呢)$")
_WISH = re.compile(r"^(?:就)?(?:好了|行了|可以了|太好了|最好|糟了|完了|麻烦了|没办法|没事|不用|算)")
_BARE_MESSAGE = re.compile(
    r"(?:告诉|通知|转告|提醒|跟(?!着|上|好|紧)|对|和|问|问问|问一下)(?:[^，我]{1,4}?)(?:说|讲|一声|一下|说一声)?$"
)
_SPEAKS = re.compile(r"(?:你|再|去|来|请|麻烦)*(?:告诉|跟|对|通知|转告|问|提醒|和)")
_END = re.compile(
    r"(?:吧|呗|啊|呀|哦|哈|嘛|啦|得了|好了|就行|就好|就成|都行|都可以|都成|都好|也行|也成|也可以|也好|凑合|代替|来|过来|给我)+$"
)
_FETCH = re.compile(
    r"^(?:随便什么|随便哪种|随便来个|随便拿个|随便|什么|哪种|你|您|就|也|那|去|帮我|给我|替我|再|改|换|换成|改成|改拿|换个|拿|取|要|来|上|端|用|把|倒)*(?P<count>[一两]?[个瓶罐盒杯包根块份只颗条袋听支把])?"
)
_TO_ME = re.compile(r"给我|拿来|过来|来[一个瓶罐盒杯包根块份只颗条袋]|(?<=.)来$|递我")
_LOOK_THERE = re.compile(
    r"^(?:你|您|请|麻烦你|帮我|先|再)*(?:去|到|上|往|去到)(?P<place>[^，看]{1,8}?)(?:里|那儿|那边|上|里头|里面)?(?:去)?"
    r"(?:看看|看一看|看一下|看下|看一眼|看|瞧瞧|瞧一眼|瞅瞅|检查一下|检查|确认一下)(?P<what>[^，]{2,12})$"
)
_SOUGHT = re.compile(
    r"^(?:你|您|请|麻烦你|帮我|先|再)*(?:去|到|上|在)(?P<place>[^，]{1,8}?)(?:里|那儿|那边|上)?(?:去)?(?:找|找找|找一下|找一找|找一个|找个|看看|看一下|看一眼|看|瞧瞧|瞅瞅)(?P<what>[^，看]{1,10})$"
)
_ONLY_SO_MANY = re.compile(
    r"(?:里面|人数|那儿|一共|总共|有|要是|如果)*(?P<bound>超过|多于|大于|不止|至少|不少于|不到|少于|不足|有)(?:有|了)?(?P<number>[一二两三四五六七八九十\d]+)"
    r"(?P<measure>[个瓶罐杯盒根块份颗包只把位])?(?:人)?(?:以上|的话)?"
)
_ONE_MORE = re.compile(r"[^，]{1,8}(?:也|还|都|又)(?:没有?|有|在|不在|没在|没人|有人)[^，去拿给告回]{0,5}")
"""A second condition, which is not looked at: 「柜子里也没有」."""
_HOW_MANY = re.compile(
    r"(?:你|请|麻烦你?|帮我|给我|先|去|过去|再)*(?:看看|看一下|看下|看一眼|数数|数一数|数一下|数下|清点一下|瞧瞧|查查)?(?:一下)?(?P<place>[^，有几多]{1,6}?)(?:里面|里|上)?"
    r"(?:现在|还|一共|总共)*(?:有|剩|坐着|站着)?(?:几|多少)(?P<measure>[个瓶罐杯盒根块份颗包只把位])?(?P<what>[^，]{1,8})"
)


@dataclass(slots=True)
class Case:
    """Orders that hang on the same; on nothing when ``hangs`` is None."""

    hangs: Hangs | None
    orders: list[str] = field(default_factory=list)


def written_out(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with each condition put before its orders in plain words, None when none was read.

    Args:
        text: the sentence as it was said.
        vocabulary: the names.
    """
    said = plain(text)
    if len(said) > _LONGEST or _QUOTED.search(said) or not _MAY_HANG.search(said):
        return None
    written = Hanging(said, vocabulary).read()
    return written if written != said else None


class Hanging:
    """Reads the stretches of one sentence.

    Args:
        said: the plain sentence.
        vocabulary: the names.
    """

    def __init__(self, said: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._conditions = condition_reader(vocabulary)
        self._place = re.compile(places(vocabulary))
        self._rest = [(text.strip(), mark) for text, mark in _STRETCH.findall(said) if text.strip()]
        if self._rest and not re.search(r"[说道讲声句]一?[声句]?谢", self._rest[-1][0]):
            last, mark = self._rest[-1]
            self._rest[-1] = (re.sub(r"(?<=.{2})(?:谢谢(?:你|您)?(?:了|啦)?|多谢)$", "", last), mark)
        while self._rest and len(self._rest) > 1 and _ONLY_LEAD.fullmatch(self._rest[-1][0]):
            self._rest.pop()
        self._cases = [Case(None)]
        self._base: Hangs | None = None

    def read(self) -> str | None:
        """Return the whole in plain words."""
        self._gather()
        return self._joined()

    def cases(self) -> tuple[list[str], list[Case]] | None:
        """Return the orders that hang on nothing, which come first, and those that hang on something, as they were said."""
        self._gather()
        cases = self._settled()
        if cases is None:
            return None
        before = [order for order in self._cases[0].orders if not _ONLY_ASIDE.fullmatch(order)]
        return before, cases

    def _gather(self) -> None:
        while self._rest:
            text, mark = self._rest.pop(0)
            if (
                (mark != _ORDER and self._otherwise(text))
                or self._opens(text, mark)
                or self._afterwards(text)
            ):
                continue
            if self._split_in_two(text, mark):
                continue
            self._cases[-1].orders.append(text)

    # -- conditions

    def _opens(self, text: str, mark: str) -> bool:
        """Read the beginning of a case: a condition or a question that is answered."""
        lead = _LEAD.match(text)
        for said in dict.fromkeys((text, text[lead.end() :] if lead else text)):
            if said and (
                self._unless(said) or self._whole(said) or self._with_order(said) or self._asked(said, mark)
            ):
                return True
        return False

    def _whole(self, said: str) -> bool:
        """Read a stretch that is a condition and no more."""
        bare = self._conditions.without_if(said)
        if bare is None:
            following = self._rest[0][0] if self._rest else ""
            if not re.match(r"就|那就|那你就|你就|则|那么", following) or re.match(
                r"就是|就在(?!那|这|原地)", following
            ):
                return False
            bare = said
        stated = self._stated(_AT_END.sub("", bare)) or self._stated(bare)
        if stated is None or not self._rest:
            return False
        self._open(stated, "")
        return True

    def _with_order(self, said: str) -> bool:
        """Read 「厨房没人就回来」, 「要是有人的话告诉我」 and 「要是有人告诉我」."""
        for found in re.finditer(
            r"的话|的时候|呢(?=你|您|就|那)|那(?=你|[去给把拿告跟带帮说数问找等回描领])|(?:你|您)?(?:那就|就|则|便)",
            said,
        ):
            head, rest = said[: found.start()], said[found.end() :]
            if not head or not rest:
                continue
            stated = self._stated(_AT_END.sub("", self._conditions.without_if(head) or head))
            if stated is not None:
                self._open(stated, rest)
                return True
        opened = _LATER_IF.match(said) or re.match(r"要(?=.*[有没在空])", said)
        if opened is None:
            return False
        bare = said[opened.end() :]
        if self._stated(bare) is not None:
            return False
        for end in range(len(bare) - 1, 2, -1):
            stated = (
                self._stated(bare[:end])
                if not re.match(
                    r"[了的话着人们吗呢里上也和或而并且又还都不没有是]|过(?!来|去)|在(?!那|这|原地|门口)",
                    bare[end:],
                )
                else None
            )
            if stated is not None:
                self._open(stated, bare[end:])
                return True
        return False

    def _unless(self, said: str) -> bool:
        """Read 「除非有人，否则……」 and 「除非有人，才……」."""
        found = _UNLESS.match(said)
        if found is None:
            return False
        inside = re.search(r"否则|不然|要不然|才(?=[能可去把给拿告])", said)
        if inside is not None and inside.start() > found.end():
            # 「除非没人否则别进去」
            self._rest.insert(0, (said[inside.start() :], ""))
            said = said[: inside.start()]
        bare, only = _AT_END.sub("", said[found.end() :]), False
        stated = self._stated(bare)
        if stated is None or not self._rest:
            return False
        text, mark = self._rest[0]
        otherwise = _ELSE.match(text)
        if otherwise is not None:
            self._rest[0] = (text[otherwise.end() :], mark)
        elif text.startswith("才"):
            self._rest[0], only = (text[1:], mark), True
        self._open(stated if only else stated.opposite(), "")
        return True

    def _asked(self, said: str, mark: str) -> bool:
        """Read a question, or what is looked for somewhere, where the answer decides."""
        asks = "？" in mark or "?" in mark
        if self._base is not None and re.match(r"(?:你|再|去|帮我)*数", said):
            return False
        cuts = [(said, self._rest[0][0] if self._rest else "")]
        cuts += [
            (said[: found.start()], said[found.start() :])
            for found in re.finditer(
                r"(?<=.)(?=(?:如果|要是)?(?:[他她人])?(?:有|没有|没|在|不在|有人|没人|没有人|没在)(?:的话|就)|(?:如果|要是|要)(?:没有?|不在|没人|没在|有人?|在)(?=[^，]{2}))",
                said,
            )
            if found.start()
        ]
        for number, (question, answer) in enumerate(cuts):
            asked = (
                (self._conditions.question(question, asks) or self._looked_at(question)) if question else None
            )
            if asked is None and question:
                asked = self._looked_for(question, answer)
            if asked is None or not answer:
                continue
            located = self._located(asked)
            answered = self._conditions.answer(self._bare(answer), located) if located is not None else None
            if answered is None:
                continue
            if number == 0:
                self._rest.pop(0)
            self._open(*answered)
            return True
        return False

    def _looked_at(self, said: str) -> Hangs | None:
        """Read 「去卧室看看有没有人」 and 「去卧室看看简在不在」."""
        found = _LOOK_THERE.match(said)
        if found is None or self._place.fullmatch(found["place"]) is None:
            return None
        place, what = found["place"], re.sub(r"(?:那儿|那里|里面|里头|先)+$", "", found["what"])
        return self._conditions.question(f"看看{place}里{what}", False) or self._conditions.question(
            f"看看{what}{place}", False
        )

    def _looked_for(self, said: str, answer: str) -> Hangs | None:
        """Read 「去卧室找查理」 where 「在就」 follows."""
        found = _SOUGHT.match(said)
        if found is None or not re.match(r"(?:如果|要是)?(?:[他她人])?(?:有|没|在|不在)", answer):
            return None
        if re.search(r"有没有|在不在|是不是", found["what"]):
            return None
        return self._conditions.statement(f"{found['place']}里有{found['what']}")

    def _otherwise(self, text: str) -> bool:
        """Read 「否则」, and 「没有就」 after a condition."""
        if self._base is None:
            return False
        lead = re.match(r"(?:但是?|可是?|那|那么|然后|而)(?=.)", text)
        said = text[lead.end() :] if lead else text
        otherwise = _ELSE.match(said)
        if otherwise is not None:
            current = self._cases[-1].hangs or self._base
            self._open(current.opposite(), said[otherwise.end() :])
            return True
        answered = self._conditions.answer(self._bare(said), self._base)
        if answered is None or (answered[1] == "" and not self._rest):
            return False
        self._open(*answered)
        return True

    @staticmethod
    def _bare(answer: str) -> str:
        """Return the answer without 「如果」 where it does not belong to its words."""
        return re.sub(r"^(?:如果|要是|假如|若是|若)(?!.{0,1}$)", "", answer)

    def _split_in_two(self, text: str, mark: str) -> bool:
        """Read 「拿牛奶没有的话拿橙汁」, said without a pause."""
        cut = 0
        if self._base is not None and (found := _SPLIT_ELSE.search(text)) is not None:
            at_a_place = text[found.start() - 1] in "里上"
            if not at_a_place or re.search(r"[放搁挪摆送移拿]", text[: found.start()]):
                cut = found.start()
        for found in _SPLIT_IF.finditer(text) if not cut else ():
            bare = re.split(r"的话|就|才", text[found.end() :], maxsplit=1)[0]
            answers = re.match(r"(?:[他她人])?(?:有|没|在|不在)", bare) is not None
            if answers or self._conditions.statement(bare) is not None or self._stated(bare) is not None:
                cut = found.start()
                break
        before = text[:cut]
        if not before or _BARE_MESSAGE.search(before):
            return False
        self._rest[:0] = [(before, _ORDER if mark == _ORDER else ""), (text[cut:], "")]
        return True

    def _afterwards(self, text: str) -> bool:
        """Read a condition that is said behind its one order: 「去充电，如果书房没人的话」."""
        if self._rest or len(self._cases) > 1:
            return False
        orders = [order for order in self._cases[0].orders if not _ONLY_LEAD.fullmatch(order)]
        if len(orders) != 1 or _BARE_MESSAGE.search(orders[0]):
            return False
        unless = _UNLESS.match(text)
        opened = unless or _ONLY_IF.match(text) or _LATER_IF.match(text)
        bare = text[opened.end() :] if opened else text.removesuffix("的话") if text.endswith("的话") else ""
        stated = self._stated(_AT_END.sub("", bare)) if bare else None
        if stated is None:
            stated = self._there_is_some(_AT_END.sub("", bare), orders[0]) if bare else None
        if stated is None:
            return False
        self._cases[0].orders.clear()
        self._open(stated.opposite() if unless else stated, orders[0])
        return True

    def _there_is_some(self, said: str, order: str) -> Hangs | None:
        """Read 「冰箱里有」 of the one thing that the order names."""
        found = re.fullmatch(r"(?P<place>.+?)(?:里|上|那儿|那里)?(?:还)?(?P<has>有|没有|没|没了)", said)
        things = [token.text for token in pieces(order, self._vocabulary) if token.has("object", "category")]
        if found is None or len(things) != 1:
            return None
        return self._conditions.statement(f"{found['place']}里{found['has'].removesuffix('了')}{things[0]}")

    def _stated(self, said: str) -> Hangs | None:
        """Return what is stated, with the place that was spoken of last where none is named."""
        stated = self._conditions.statement(said)
        if stated is not None:
            return self._located(stated)
        if self._place.search(said):
            return None
        asked = self._asked_how_many(said)
        if asked is not None:
            return asked
        place = self._last_place()
        if not place:
            return None
        bare = re.sub(
            r"(?:在)?(?:里面|里头|里边|那儿|那里|那边)$|^(?:里面|里头|那儿|那里|那边|上面)", "", said
        )
        for form in (f"{place}里{bare}", f"{bare.removesuffix('在')}在{place}", f"{place}的{bare}"):
            if (stated := self._conditions.statement(form)) is not None:
                return stated
        return None

    def _asked_how_many(self, said: str) -> Hangs | None:
        """Read 「不止一个」 after 「看看卧室有几个人」, which is then nothing to report."""
        amount = _ONLY_SO_MANY.fullmatch(said)
        before = self._cases[-1].orders
        asked = _HOW_MANY.fullmatch(before[-1]) if before and amount is not None else None
        if amount is not None and asked is None and self._base is not None and not self._base.person:
            base = self._base
            return self._conditions.statement(
                f"{base.place}里{amount['bound']}{amount['number']}{amount['measure'] or '个'}{base.subject}"
            )
        if asked is None or amount is None:
            return None
        measure = asked["measure"] or ""
        stated = self._conditions.statement(
            f"{asked['place']}里{amount['bound']}{amount['number']}{amount['measure'] or measure}{asked['what']}"
        )
        if stated is not None:
            before.pop()
        return stated

    def _located(self, hangs: Hangs) -> Hangs | None:
        if hangs.place or hangs.subject in ("门", "电"):
            return hangs
        place = self._last_place()
        return replace(hangs, place=place) if place else None

    def _last_place(self) -> str:
        """Return the place that was named last before this."""
        for case in reversed(self._cases):
            for order in reversed(case.orders):
                named = self._place.findall(order)
                if named:
                    return str(named[-1])
            if case.hangs is not None and case.hangs.place:
                return case.hangs.place
        return ""

    def _open(self, hangs: Hangs, order: str) -> None:
        self._base = hangs
        self._cases.append(Case(hangs))
        order = _THEN.sub("", order)
        if order:
            self._rest.insert(0, (order, _ORDER))

    # -- the whole

    def _settled(self) -> list[Case] | None:
        """Return the cases without the words that only open their orders, None when they are no orders."""
        cases = self._cases[1:]
        for case in cases:
            if not case.orders:
                # What is to be done then was not found.
                return None
            if len(case.orders) == 1 and (
                self._conditions.nothing(case.orders[0]) or self._conditions.nothing(f"就{case.orders[0]}")
            ):
                case.orders.clear()
            else:
                case.orders[0] = _THEN.sub("", case.orders[0])
            if len(case.orders) > 1:
                # 「就别打扰她，回来告诉我」
                case.orders[:] = [order for order in case.orders if not self._conditions.nothing(order)]
        if not cases or any(_ONE_MORE.fullmatch(order) for case in cases for order in case.orders[:1]):
            return None
        for case in cases:
            case.orders[:] = [self._about(case.hangs, order) for order in case.orders]
        said = [order for case in cases for order in case.orders]
        if any(_QUESTION.search(order) for order in said[-1:]) or any(_WISH.match(order) for order in said):
            return None
        return cases

    def _joined(self) -> str | None:
        """Return the cases in plain words."""
        first, cases = self._cases[0], self._settled()
        if cases is None or not any(case.orders for case in cases):
            return None
        self.complete(cases)
        worded = wordings_of(self._vocabulary)
        for case in cases:
            if case.orders and not _SPEAKS.match(case.orders[-1]):
                case.orders[-1] = re.sub(r"(?<=.{2})[吧呗]$", "", case.orders[-1])
        before = [order for order in first.orders if not _ONLY_ASIDE.fullmatch(order)]
        sentences = ["，".join(before)] if before else []
        for case in cases:
            if case.orders and case.hangs is not None:
                sentences.append(
                    f"{_beside(case.hangs, cases[0].hangs)}，就{worded.apply('，'.join(case.orders))}"
                )
        return "。".join(sentences)

    def _about(self, hangs: Hangs | None, order: str) -> str:
        """Say what is looked for, and who is spoken to, where the order leaves it to its condition."""
        if hangs is None:
            return order
        if hangs.subject == "人" and not hangs.negated:
            return re.sub(
                r"(?<=[对跟和问])(?:他们|她们|他|她|人家)(?=[说讲问要想])",
                f"{hangs.place}里的人",
                order,
                count=1,
            )
        named = hangs.person or one_thing(hangs.subject, self._vocabulary)
        if named and re.fullmatch(
            r"(?:你|就|再|那)*(?:去|到|上)[^，]{2,6}(?:里|上|那儿)?(?:去)?(?:找找|找一下|找)(?:看)?", order
        ):
            return re.sub(r"(?:找找|找一下|找)(?:看)?$", f"找{hangs.subject}", order)
        return order

    def complete(self, cases: list[Case]) -> None:
        """Say in full what the cases leave to each other: 「有橙汁就拿来，没有的话牛奶也行」."""
        with_orders = [case for case in cases if case.orders]
        fetched = [self.fetched(case) for case in with_orders]
        for case, thing in zip(with_orders, fetched, strict=True):
            if thing and re.match(r"(?:你|就|去|请)*(?:帮我|给我|替我)(?!找)", case.orders[0]):
                case.orders[0] = f"给我拿{thing}"
        if len(with_orders) > 1 and all(fetched):
            to_me = any(_TO_ME.search(case.orders[0]) for case in with_orders) or all(
                re.match(r"(?:你|就)*(?:拿|取|端)", case.orders[0]) for case in with_orders
            )
            if to_me:
                for case, thing in zip(with_orders, fetched, strict=True):
                    case.orders[0] = f"给我拿{thing}"
                return
        for number, case in enumerate(with_orders[1:], 1):
            thing, model = fetched[number], with_orders[number - 1]
            if (
                not thing
                or len(model.orders) != 1
                or re.match(r"(?:你|就)*(?:拿|取|端|送|给)", case.orders[0])
            ):
                continue
            order, subject = model.orders[0], model.hangs.subject if model.hangs else ""
            if subject and order.count(subject) == 1 and one_thing(subject, self._vocabulary):
                case.orders[0] = order.replace(subject, thing)
            elif subject and one_thing(subject, self._vocabulary) and not self._names_thing(order):
                case.orders[0] = f"把{thing}{re.sub(r'^把?它', '', order)}"

    def fetched(self, case: Case) -> str:
        """Return the one thing that a case is about when it says no more than to fetch it, perhaps only its name."""
        if len(case.orders) != 1:
            return ""
        order = case.orders[0]
        opened = _FETCH.match(order)
        bare = _END.sub("", order[opened.end() :] if opened else order)
        count = opened["count"] or "" if opened else ""
        return count + bare if bare and one_thing(bare, self._vocabulary) else ""

    def _names_thing(self, text: str) -> bool:
        return any(token.has("object", "category") for token in pieces(text, self._vocabulary))


def _beside(hangs: Hangs, first: Hangs | None) -> str:
    """Return the condition in plain words; of a door, in those of the condition before, so that it is looked at once."""
    if hangs.subject == "门" and first is not None and hangs == first.opposite():
        return first.plain().replace("门开着", "门不是开着的").replace("门关着", "门不是关着的")
    return hangs.plain()
