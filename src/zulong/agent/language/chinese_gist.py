"""The gist of a Chinese sentence that the grammar did not understand: its orders, each put the plain way.

What only tells something is told apart (:mod:`zulong.agent.language.chinese_telling`), the rest is put together from
its words (:mod:`zulong.agent.language.chinese_orders`), and what an order leaves open is taken from what was told: the
one thing, person or place that was named. A stretch with a word that has no part in such an order stays as it was
said. The grammar then reads the plain orders with the same rigour as anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_orders import Frame, OrderReader
from zulong.agent.language.chinese_pieces import frame_words, pieces
from zulong.agent.language.chinese_telling import refuses_a_thing, tells, wants_a_thing
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_chinese import ChineseBackground
from zulong.agent.language.stretches import Stretch
from zulong.agent.language.tokens import Token

_NEVER_FRAMED = re.compile(
    r"[“\"「『‘]|除了|除开|或者|或是|还是|要么|要不就|直到|每(?!天)|轮流|挨个|逐个|点钟|分钟|小时|\d+秒|[一二三四五六七八九十]秒|"
    r"明天|后天|多少|[也都](?:行|可以|成|好)|要不(?!要)|(?:了|过)(?:吗|么|没|没有)$|几[个只瓶杯罐盒位]|告诉|转告|通知|同时|[？?]"
)
_CONDITION = re.compile(r"如果|要是|假如|倘若|除非|否则|不然|的话|只要|一旦|若")
_DENIED = re.compile(
    r"(?:我|就)?(?:可)?(?:别|不|不要|不用|不想|甭|不爱)(?:想|再|给我|帮我)?(?:要|喝|吃|拿|取|用|带|送|来|递)?(?:成|错|了)?"
    r"(?P<what>[^，]{1,8}?)(?:的)?(?:了|啊|哦|哈|呢)?"
)
_TOPIC = re.compile(
    r"(?:(?:家里|你那儿?|咱家|还)*(?:有没有|有)(?:什么|啥|点儿?|没有)?)?(?P<what>[^，]{1,10}?)(?P<end>呢|没有|没|吗|么|不)?"
)
_CORRECTED = re.compile(r"不对|错了|说错|哦不|啊不|噢不|不是[，,]|我是说|算了|取消|改成|换成|我说的")
_COLOUR = re.compile(
    r"(?:不是|不要|别拿|别|不用)(?:那个)?(?P<colour>[红蓝绿黄黑白橙灰棕紫粉])色?的(?:那|这)?(?:个|只|杯|瓶)?"
)
_OWNER = re.compile(
    r"(?:我|咱|他|她|你)?(?:老?爸|老?妈|爸爸|妈妈|爷爷|奶奶|"
    r"孩子|小孩|宝宝|老婆|老公|儿子|女儿|闺女|客人|家|们)的(?=[^，])"
)
_RATHER = re.compile(
    r"(?P<wish>(?:我|我们)?(?:想|要|想要|想喝|想吃|要喝|要吃|让你拿|叫你拿))的是(?P<what>[^，]{1,8}?)，?(?:而|可|并|又)?不是(?P<not>[^，]{1,8})"
)
_SPEAKS = re.compile(r"告诉|说一?[声下]|跟我说|回来[说报]|汇报|报告|讲|问")
_SEEN = r"(?:看见|看到|见到|见过|见着|瞧见|瞅见)"
_LACKS = r"(?:没有|没|吗|么|吧|不)"
_ASKED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:我|咱)?(?:的)?(?P<what>[^，]{1,12}?)(?:哪去了|(?:我|你|他|她|谁)?(?:是|给)?(?:在|放|搁|跑|丢|落)?(?:在|到|上)?(?:哪儿?|哪里|什么地方|啥地方)(?:去)?(?:了)?)(?:呢|呀|啊|来着)*",
        r"(?:我|咱)?(?:的)?(?P<what>[^，]{1,12}?)呢",
        rf"(?:你|您|有人|谁)?(?:有没有)?{_SEEN}(?:过|了)?(?:我|咱)?(?:的)?(?P<what>[^，]{{1,10}}?)(?:了)?{_LACKS}",
        rf"(?P<what>[^，]{{1,10}}?)(?:你)?{_SEEN}(?:了|过)?{_LACKS}",
        rf"(?P<where>[^，]{{1,8}}?)(?:还)?有(?:没有)?(?P<what>[^，]{{1,10}}?)(?:的)?{_LACKS}",
        r"(?P<where>[^，]{1,8}?)(?:是不是|有没有|还有没有|是否)(?:还)?有?(?P<what>[^，]{1,10}?)",
        rf"(?:家里|咱家|你那儿?|还)*有(?:没有)?(?:什么|啥|点儿?)?(?P<what>[^，]{{1,10}}?)(?:的)?{_LACKS}",
        r"(?:家里|咱家|你那儿?|还)*有没有(?:什么|啥|点儿?)?(?P<what>[^，]{1,10}?)(?:的)?",
    )
)
_WHICH = re.compile(
    r"(?:看看|瞧瞧|你看|看一下)?(?P<where>[^，]{1,6}?[里上])?(?:的)?(?:哪|什么)(?:个|瓶|种|只|盒|件|样)?(?P<what>[^，]{1,5}?)(?P<how>最[大小重轻沉薄])"
)
_ERHUA = re.compile(
    r"(?<=[罐瓶杯盒根桶个只块条包袋颗碗盘样件下边里前后跟头趟事圈边面气劲])儿(?!子|童|女|媳|孙|歌|科)"
)
_LEFT_SOMEWHERE = re.compile(
    r"[不没]在|(?:掉|落|忘|丢|放|搁|滚|摔|扔|藏|卡|夹)(?:在|到|进)|(?:地|外面|楼下|楼上|院子)[里上]?"
)
_ALSO = re.compile(r"[也都](?:行|可以|成|好)|要不(?!要)|要么")
_HIM = ("他", "她", "他们", "她们", "那个人", "人家")


@dataclass(slots=True)
class _Told:
    """What the background names; a thing may come with its place."""

    things: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    located: dict[str, str] = field(default_factory=dict)
    wanted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def asked_and_ordered(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> str | None:
    """Return the plain order of a sentence that asks for a thing and goes on to order it: 「可乐呢？给我拿来」.

    Who goes on so wants the thing and no answer. None when the order names a thing of its own, or asks on.
    """
    stretches = background.split(_ERHUA.sub("", plain(text)))
    while len(stretches) > 2 and _only_told(stretches[0], vocabulary, background):
        stretches = stretches[1:]
    if len(stretches) < 2 or _CONDITION.search(text) or _CORRECTED.search(text) or _SPEAKS.search(text):
        return None
    asked = background.without_courtesies(stretches[0].text)
    told = _Told()
    which = _WHICH.fullmatch(asked)
    things = _things(asked, vocabulary)
    question = next((found for pattern in _ASKED if (found := pattern.fullmatch(asked)) is not None), None)
    if which is not None and _names_thing(which["what"], vocabulary):
        told.things.append(f"{which['where'] or ''}{which['how']}的{which['what']}")
    elif question is not None and _one_thing(question["what"], vocabulary):
        _note(told, question["what"], vocabulary)
        where = question.groupdict().get("where")
        if where and len(told.things) == 1:
            if not _place(where, vocabulary):
                return None
            told.located[told.things[0]] = where
    elif (
        question is not None
        and not things
        and len(people := _people(pieces(question["what"], vocabulary))) == 1
    ):
        told.people.extend(people)
    else:
        return None
    rest = [stretch.text for stretch in stretches[1:] if background.without_courtesies(stretch.text)]
    if not rest or any(_names_thing(stretch, vocabulary) or "？" in stretch for stretch in rest):
        return None
    if not (told.things or told.people):
        return None
    if told.things:
        return _Composer(vocabulary, told).framed(rest)
    joined = "，".join(rest)
    named = re.sub(r"[他她](?!们|的)", told.people[0], joined, count=1)
    return named if named != joined else None


def _only_told(stretch: Stretch, vocabulary: Vocabulary, background: ChineseBackground) -> bool:
    bare = background.without_courtesies(stretch.text)
    return not bare or (tells(bare, vocabulary) and not _things(bare, vocabulary))


def _place(text: str, vocabulary: Vocabulary) -> bool:
    words = pieces(text, vocabulary)
    found = ChineseNounReader(words).place(0)
    return found is not None and found[1] == len(words)


def _names_thing(text: str, vocabulary: Vocabulary) -> bool:
    return any(token.has("object", "category") for token in pieces(text, vocabulary))


def gist(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> str | None:
    """Return the plain orders of a sentence, None when what it leaves open is not clear."""
    told, orders = _Told(), []
    conditional = False
    said = _OWNER.sub("", plain(text))
    if _CORRECTED.search(said):
        return None
    rather = _RATHER.fullmatch(said)
    if rather is not None:
        said = f"我要{rather['what']}，不要{rather['not']}"
    for stretch in background.split(_ERHUA.sub("", said)):
        bare = background.without_courtesies(stretch.text)
        conditional = conditional or _CONDITION.search(bare) is not None
        if not bare or "f:aside" in frame_words().get(bare, ()) or "aside" in frame_words().get(bare, ()):
            continue
        asked = "？" in stretch.mark or "?" in stretch.mark
        if conditional or not _told(told, bare, stretch.text, asked, vocabulary):
            orders.append(stretch.text)
    if not orders:
        return None
    return _Composer(vocabulary, told).compose(orders)


def _told(told: _Told, bare: str, whole: str, asked: bool, vocabulary: Vocabulary) -> bool:
    """Note what a stretch tells; False when it may be an order."""
    shade = _COLOUR.fullmatch(bare)
    if shade is not None:
        told.refused.append(shade["colour"])
        return True
    denied = _DENIED.fullmatch(bare)
    if denied is not None and (things := _things(denied["what"], vocabulary)):
        told.refused.extend(name for name, _ in things)
        return True
    topic = _TOPIC.fullmatch(bare)
    if topic is not None and (topic["end"] or topic.start("what")) and _one_thing(topic["what"], vocabulary):
        _note(told, topic["what"], vocabulary)
        return True
    if _ALSO.search(whole):
        return False
    if (asked and not bare.endswith(("吧", "了"))) or not tells(bare, vocabulary):
        return False
    _note(told, whole, vocabulary)
    return True


def _one_thing(text: str, vocabulary: Vocabulary) -> bool:
    words = pieces(text, vocabulary)
    found = ChineseNounReader(words).read(0)
    return found is not None and found[1] == len(words) and found[0].kind == "object" and not found[0].unknown


def _things(text: str, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """Return the names of the things in a text, each with the place that was said with it."""
    words = pieces(text, vocabulary)
    nouns, found, index = ChineseNounReader(words), [], 0
    while index < len(words):
        read = nouns.read(index)
        if read is None or read[1] == index:
            index += 1
            continue
        referent, end = read
        if referent.kind == "object" and (referent.name or referent.category) and not referent.unknown:
            colour = (
                f"{referent.text[0]}的" if referent.colour and words[end - 1].sense("colour") is None else ""
            )
            shade = next(
                (t.text + "的" for t in words[index:end] if t.has("colour") and not t.has("object")), ""
            )
            found.append(
                ((shade if colour else "") + words[end - 1].text, referent.at.text if referent.at else "")
            )
        index = end
    return found


def _note(told: _Told, text: str, vocabulary: Vocabulary) -> None:
    things = dict(_things(text, vocabulary))
    words = pieces(text, vocabulary)
    people = _people(words)
    if refuses_a_thing(text):
        told.refused.extend(things)
        things = {}
    elif wants_a_thing(text, vocabulary):
        told.wanted.extend(things)
    told.things.extend(thing for thing in things if thing not in told.things)
    told.people.extend(who for who in people if who not in told.people)
    told.located.update((thing, place) for thing, place in things.items() if place)
    where = _where(text, vocabulary)
    if where is None:
        if _LEFT_SOMEWHERE.search(text):
            # Where it is told to be is not on the map (「苹果掉在地上了」), or only where it is not.
            told.refused.extend(things)
        return
    holder, place = where
    if not place and len(told.places) == 1:
        # 「我刚才在书桌那边，杯子忘那儿了」
        place = told.places[0]
    if not place:
        return
    told.places.append(place)
    if holder in people:
        told.located[holder] = place
    elif len(things) == 1:
        told.located.setdefault(next(iter(things)), place)


def _people(words: list[Token]) -> list[str]:
    """Return how the people in a text are called or described."""
    nouns, found, index = ChineseNounReader(words), [], 0
    while index < len(words):
        read = nouns.read(index)
        if read is not None and read[0].kind == "person" and not (read[0].pronoun or read[0].unknown):
            if read[0].name or not read[0].is_bare():
                found.append("".join(token.text for token in words[index : read[1]]))
            index = read[1]
        else:
            index += 1
    return list(dict.fromkeys(found))


def _where(text: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """Return the one place where something is told to be, and the word before: 「简在客厅」「放在桌上」."""
    words = pieces(text, vocabulary)
    nouns, found = ChineseNounReader(words), []
    for index, token in enumerate(words):
        at = token.plays("at") or token.text in (
            "搁",
            "放",
            "到",
            "落",
            "丢",
            "忘",
            "掉",
            "落在",
            "忘在",
            "掉在",
            "掉到",
        )
        denied = index > 0 and words[index - 1].plays("not", "have_not")
        read = nouns.place(index + 1) if at and not denied else None
        if read is not None and read[0].pronoun != "back":
            found.append((words[index - 1].text if index else "", "" if read[0].pronoun else read[0].text))
    return found[0] if len(found) == 1 else None


class _Composer:
    """Puts orders plainly, stretch by stretch."""

    def __init__(self, vocabulary: Vocabulary, told: _Told) -> None:
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
                self._used += orders[at]
                said.append(self._with_person(orders[at]))
                at += 1
        told = self._told
        if any(thing not in self._used for thing in told.wanted) or any(
            t in self._used for t in told.refused
        ):
            return None
        return "，".join(said)

    def _with_person(self, order: str) -> str:
        people = self._told.people
        if len(people) != 1 or people[0] in order:
            return order
        return re.sub(r"[他她](?!们|的)", people[0], order, count=1)

    def framed(self, stretches: Sequence[str]) -> str | None:
        """Return the stretches in plain words when all of them are orders that move something, else None."""
        text = "，".join(stretches)
        if _NEVER_FRAMED.search(text) or _CONDITION.search(text):
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


def _order(frame: Frame, told: _Told, last: Frame | None) -> str | None:
    if frame.kind == "go":
        return "过来" if frame.goal == "我" else f"去{frame.goal}"
    if frame.kind == "guide":
        return f"带{frame.themes[0]}去{frame.goal}"
    if not frame.verb or not _complete(frame, told, last):
        return None
    sources = [place for place in (frame.source, frame.at) if place]
    if frame.sought and not frame.hither and not frame.goal and set(frame.recipients) <= {"我"}:
        return (
            f"{'在' + sources[0] if sources else ''}找{frame.themes[0]}" if len(frame.themes) == 1 else None
        )
    if frame.kind == "put" and not frame.goal and not frame.recipients and frame.at:
        frame.goal = frame.at
        sources = [frame.source] if frame.source else []
    if len(sources) > 1:
        return None
    source = f"从{sources[0]}" if sources else ""
    if frame.goal and frame.recipients == ["我"] and (frame.favour or frame.kind == "put"):
        frame.recipients = []
    if frame.goal and frame.kind == "put":
        frame.recipients = []
    things = [_counted(frame.number, theme) for theme in frame.themes]
    return "，".join(_one(frame, source, thing, told) for thing in things)


def _one(frame: Frame, source: str, thing: str, told: _Told) -> str:
    if frame.recipients:
        who = [_located(person, frame, told) for person in frame.recipients]
        return "，".join(f"{source}把{thing}拿给{person}" for person in who)
    if frame.goal:
        return f"{source}把{thing}放到{frame.goal}"
    if frame.hither or frame.favour:
        return f"{source}把{thing}拿给我"
    return f"{source}拿起{thing}"


def _located(person: str, frame: Frame, told: _Told) -> str:
    where = frame.goal or told.located.get(person, "")
    return f"{where}的{person}" if where and person != "我" and "的" not in person else person


def _counted(number: str, thing: str) -> str:
    return thing if not number or re.match(r"[零一二两三四五六七八九十百俩仨\d]", thing) else number + thing


def _complete(frame: Frame, told: _Told, last: Frame | None) -> bool:
    """Take what an order leaves open from what was told, or from the order before it; False when that is not clear."""
    if not frame.themes or frame.pronoun:
        if last is not None and len(last.themes) == 1 and frame.pronoun:
            frame.themes = list(last.themes)
        elif len(told.things) == 1:
            frame.themes = list(told.things)
        else:
            return False
    if len(frame.themes) == 1 and not frame.source and frame.themes[0] in told.located:
        frame.at = frame.at or told.located[frame.themes[0]]
    if any(name in _HIM for name in frame.recipients) or (not frame.settled() and frame.thither):
        if len(told.people) != 1 or len(frame.recipients) > 1:
            return False
        frame.recipients = list(told.people)
    if len(frame.recipients) > 1 and not frame.each:
        return False
    if frame.beneficiary and not frame.goal and not frame.recipients:
        return False
    if not frame.settled() and not frame.at and frame.kind == "put":
        return False
    return not (frame.hither and frame.goal and frame.recipients)
