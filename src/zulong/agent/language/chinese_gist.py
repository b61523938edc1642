"""The gist of a Chinese sentence that the grammar did not understand: its orders, each put the plain way.

What only tells something is told apart (:mod:`zulong.agent.language.chinese_telling`), the rest is put together from
its words (:mod:`zulong.agent.language.chinese_orders`), and what an order leaves open is taken from what was told: the
one thing, person or place that was named. A stretch with a word that has no part in such an order stays as it was
said. The grammar then reads the plain orders with the same rigour as anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zulong.agent.language.chinese_orders import OrderReader
from zulong.agent.language.chinese_parts import Frame
from zulong.agent.language.chinese_pieces import frame_words, pieces
from zulong.agent.language.chinese_told import Told, note_told, one_person, one_thing
from zulong.agent.language.chinese_turns import straight
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_chinese import ChineseBackground

CONDITION = re.compile(
    r"如果|要是|假如|倘若|除非|否则|不然|的话|只要|一旦|若|(?:[有没在到来完](?:人|了)?|[不没][^，]{1,3})就(?![是好行成要在算])"
)
"""What hangs on something is left to the grammar."""
CORRECTED = re.compile(r"不对|错了|说错|哦不|啊不|噢不|不是[，,]|我是说|算了|取消|改成|换成|我说的")
_NEVER_FRAMED = re.compile(
    r"[“\"「『‘]|除了|除开|或者|或是|还是|要么|要不就|直到|每(?!天)|轮流|挨个|逐个|点钟|分钟|小时|\d+秒|[一二三四五六七八九十]秒|"
    r"明天|后天|多少|[也都](?:行|可以|成|好)|要不(?!要)|(?:了|过)(?:吗|么|没|没有)$|几[个只瓶杯罐盒位]|告诉|转告|通知|同时|[？?]"
)
_DOCK = ("充电桩", "充电座", "充电站")
_THEM = ("他们", "她们", "他俩", "她俩")
_HIM = ("他", "她", "他们", "她们", "那个人", "人家")
_TOO = re.compile(
    r"(?P<what>[^，]{1,10}?)也(?:是|一样|同样|这样|照样|是一样|拿上|拿来|放过去|拿过去|送过去|收进去|放进去|搁进去|塞进去|收过去|摆过去|搁过去|端过去|搬过去|挪过去|放上去|摆上去|拿去|送去|收走|收好|放好|一块儿放过去|收起来|放那儿?|要)(?:的|吧|哦|啊)?"
)
_LEAD_ON = re.compile(
    r"(?:你|就|快|给|帮忙|帮我|麻烦|请)*(?:带|领|引|陪|送)(?:个|一?下|着|带|领)?(?:路|他|她|我)?(?:过去|去|过来|一下|一趟|一程|走)*(?:吧|呗|啊)?"
)
_OF_PLACE = re.compile(r"(?P<where>[^，的]{1,6}[里上内中头面])的(?=.)")
_COURTEOUS = re.compile(r"(?:方便|可以|有空|有时间|不忙|不麻烦|没事|能行|行)的话")


def gist(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> str | None:
    """Return the plain orders of a sentence, None when what it leaves open is not clear."""
    said = _COURTEOUS.sub("", straight(plain(text)))
    if CORRECTED.search(said):
        return None
    told, orders = Told(), []
    conditional = False
    for whole, mark in _joined_topics(said, vocabulary, background):
        bare = background.without_courtesies(whole)
        conditional = conditional or CONDITION.search(bare) is not None
        if not bare or "aside" in frame_words().get(bare, ()):
            continue
        asked = "？" in mark or "?" in mark
        if conditional or not note_told(told, bare, whole, asked, vocabulary):
            orders.append(whole)
    if orders:
        return Composer(vocabulary, told).compose([_there(order, told) for order in orders])
    if told.wanted and len(told.people) == 1 and told.things == told.wanted:
        # 「厨房举左手那位，他要一罐可乐」
        counted = (_counted(told.counted.get(thing, ""), thing) for thing in told.wanted)
        return "，".join(f"把{thing}拿给{told.people[0]}" for thing in counted)
    return None


def _there(order: str, told: Told) -> str:
    """Return an order with the one place that was told for 「上面的」 and 「里面的」."""
    places = list(dict.fromkeys(told.places))
    if len(places) != 1:
        return order
    return re.sub(
        r"(?:(?<=把)|^)(?:上面|里面|里头|上头|那儿|那里|那边)(?:的|(?=[那这]))", f"{places[0]}的", order
    )


def _joined_topics(
    text: str, vocabulary: Vocabulary, background: ChineseBackground
) -> Sequence[tuple[str, str]]:
    """Return the stretches with their marks, a person named before 「他」 joined to what is said of him."""
    found: list[tuple[str, str]] = []
    for stretch in background.split(text):
        said = re.sub(r"^[他她](?!们|的)", "", stretch.text)
        if found and said != stretch.text and said and one_person(found[-1][0], vocabulary):
            found[-1] = (found[-1][0] + said, stretch.mark)
        else:
            found.append((stretch.text, stretch.mark))
    return found


class Composer:
    """Puts orders plainly, stretch by stretch.

    Args:
        vocabulary: knows the names.
        told: what the background named.
    """

    def __init__(self, vocabulary: Vocabulary, told: Told) -> None:
        self._vocabulary = vocabulary
        self._told = told
        self._used = ""
        self._last: Frame | None = None

    def compose(self, orders: Sequence[str]) -> str | None:
        """Return the orders in plain words; those that are no frames stay as they are."""
        said: list[str] = []
        at = 0
        while at < len(orders):
            for end in range(len(orders), at, -1):
                put = self.framed(orders[at:end])
                if put is not None:
                    said.append(put)
                    at = end
                    break
            else:
                same = self._likewise(orders[at])
                self._used += orders[at]
                said.append(same or self._led_on(orders[at]) or self._with_person(orders[at]))
                at += 1
        told = self._told
        if any(thing not in self._used for thing in told.wanted) or any(
            t in self._used for t in told.refused
        ):
            return None
        return "，".join(said)

    def framed(self, stretches: Sequence[str]) -> str | None:
        """Return the stretches in plain words when all of them are orders that move something, else None."""
        text = "，".join(stretches)
        if _NEVER_FRAMED.search(text) or CONDITION.search(text):
            return None
        frames = OrderReader(pieces(text, self._vocabulary)).read()
        if not frames:
            return None
        last, said = self._last, []
        for frame in frames:
            order = _order(frame, self._told, last)
            if order is None:
                return None
            said.append(order)
            last = frame if frame.kind != "go" else last
        self._last = last
        self._used += "".join(theme for frame in frames for theme in frame.themes)
        return "，然后".join(said)

    def _likewise(self, order: str) -> str | None:
        """Read 「麦片也是」 after an order for something else."""
        too = _TOO.fullmatch(order)
        if too is None or self._last is None or not one_thing(too["what"], self._vocabulary):
            return None
        return _order(replace(self._last, themes=[too["what"]], number="", pronoun=False), self._told, None)

    def _led_on(self, order: str) -> str | None:
        """Read 「你给带个路」 after it was told who wants to go where."""
        bound = self._told.bound
        if len(bound) != 1 or _LEAD_ON.fullmatch(order) is None:
            return None
        who, where = next(iter(bound.items()))
        return f"带{who}去{where}"

    def _with_person(self, order: str) -> str:
        people = self._told.people
        if len(people) != 1 or people[0] in order:
            return order
        return re.sub(r"[他她](?!们|的)", people[0], order, count=1)


def _order(frame: Frame, told: Told, last: Frame | None) -> str | None:
    """Return an order in plain words, None when something is open that was not told."""
    if frame.kind == "go" and frame.goal in _DOCK:
        return "去充电"
    if frame.kind == "go":
        return "过来" if frame.goal == "我" else f"去{frame.goal}"
    if frame.kind == "guide":
        return f"带{frame.themes[0]}去{frame.goal}"
    if not frame.verb and frame.recipients and (frame.themes or frame.number or len(told.things) == 1):
        frame.verb, frame.kind = "给", "carry"
    if not frame.verb or not _complete(frame, told, last):
        return None
    sources = [place for place in (frame.source, frame.at) if place]
    if frame.kind == "put" and not frame.goal and not frame.recipients and frame.at:
        frame.goal = frame.at
        sources = [frame.source] if frame.source else []
    if frame.out and not sources and len(set(told.places)) == 1:
        # 「冰箱里的东西太多了，把牛奶拿出来」
        sources = told.places[:1]
    first = _OF_PLACE.match(frame.themes[0])
    if (
        first
        and len(frame.themes) > 1
        and not sources
        and not any("的" in theme for theme in frame.themes[1:])
    ):
        # 「冰箱里的牛奶和橙汁」: both are there.
        sources, frame.themes[0] = [first["where"]], frame.themes[0][first.end() :]
    if len(sources) > 1:
        return None
    if frame.sought and not frame.hither and not frame.goal and set(frame.recipients) <= {"我"}:
        return (
            f"{'在' + sources[0] if sources else ''}找{frame.themes[0]}" if len(frame.themes) == 1 else None
        )
    mine = frame.recipients == ["我"] and (frame.favour or frame.kind == "put")
    if frame.goal and (mine or frame.kind == "put"):
        frame.recipients = []
    elif frame.stranger:
        return None
    source = f"从{sources[0]}" if sources else ""
    things = [_counted(frame.number, theme) for theme in frame.themes]
    return "，".join(_one(frame, source, thing, told) for thing in things)


def _one(frame: Frame, source: str, thing: str, told: Told) -> str:
    if frame.recipients:
        who = [_located(person, frame, told) for person in frame.recipients]
        if len(who) == 1:
            # 「帮简把她的咖啡拿过去」
            thing = re.sub(r"^[他她]的", "", thing)
        return "，".join(f"{source}把{thing}拿给{person}" for person in who)
    if frame.goal:
        return f"{source}把{thing}放到{frame.goal}"
    if frame.hither or frame.favour or thing in told.mine or told.refused:
        return f"{source}把{thing}拿给我"
    return f"{source}拿起{thing}"


def _located(person: str, frame: Frame, told: Told) -> str:
    where = frame.goal or told.located.get(person, "")
    return f"{where}的{person}" if where and person != "我" and "的" not in person else person


def _counted(number: str, thing: str) -> str:
    return thing if not number or re.match(r"[零一二两三四五六七八九十百俩仨\d]", thing) else number + thing


def _complete(frame: Frame, told: Told, last: Frame | None) -> bool:
    """Take what an order leaves open from what was told, or from the order before it; False when that is not clear."""
    if not frame.themes or frame.pronoun:
        if last is not None and len(last.themes) == 1 and frame.pronoun:
            frame.themes = list(last.themes)
        elif len(told.things) == 1:
            frame.themes = list(told.things)
            frame.number = frame.number or told.counted.get(told.things[0], "")
        else:
            return False
    if len(frame.themes) == 1 and not frame.source and frame.themes[0] in told.located:
        frame.at = frame.at or told.located[frame.themes[0]]
    if frame.thither and not frame.settled() and frame.beneficiary not in ("", "我"):
        frame.recipients, frame.beneficiary = [frame.beneficiary], ""
    if any(name in _HIM for name in frame.recipients) or (not frame.settled() and frame.thither):
        if frame.kind == "put" and not frame.recipients and len(set(told.places)) == 1:
            # 「盘子都该进洗碗机，帮我放进去」
            frame.goal = told.places[0]
            frame.at = "" if frame.at == frame.goal else frame.at
        elif not _somebody(frame, told):
            return False
    if (len(frame.recipients) > 1 or (len(frame.themes) > 1 and frame.number)) and not frame.each:
        # 「橙汁和牛奶，给简一个」: which of them is not said.
        return False
    if frame.beneficiary and not frame.goal and not frame.recipients and not frame.hither:
        return False
    if not frame.settled() and not frame.at and frame.kind == "put":
        return False
    return not (frame.hither and frame.goal and frame.recipients)


def _somebody(frame: Frame, told: Told) -> bool:
    """Take the one person who was told of for 「他」, or for whoever is to get it."""
    people = [frame.wanter] if frame.wanter else told.people
    if frame.each and len(people) > 1 and frame.recipients and frame.recipients[0] in _THEM:
        # 「安琪跟罗宾在厨房，给他们一人一个桃子」
        frame.recipients = list(people)
        return True
    if len(people) != 1 or len(frame.recipients) > 1:
        return False
    frame.recipients = list(people)
    return True
