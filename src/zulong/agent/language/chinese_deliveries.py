"""What a Chinese sentence wants brought and to whom, when most of it is not said as an order.

「渴死了，可乐」, 「书房里坐着那位，给上瓶冰红茶」, 「果冻我不吃草莓的，拿巧克力的」: things are named, told more of,
turned down or given to somebody, stretch by stretch, beside reasons. Each stretch must be one of these, or the
sentence has no reading here; what comes out is put plainly and read by the grammar with the usual rigour.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zulong.agent.language import chinese_delivery_words as words
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
    shares: bool = False
    """Somebody got a share without a verb: 「我一罐可乐，罗宾一杯咖啡」."""
    spared: list[str] = field(default_factory=list)
    """People who are to get nothing."""
    reasons: list[str] = field(default_factory=list)
    """Things that were named in reasons."""
    shared: tuple[Item, list[str]] | None = None
    """A thing and the people of whom each is still to be told how many he gets."""
    group: list[str] = field(default_factory=list)
    """People of whom each gets what is named next."""


@functools.lru_cache(maxsize=64)
def deliveries(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> tuple[str, bool] | None:
    """Return the plain orders of a sentence, and whether they are to be heard before the sentence as it was said.

    Args:
        text: the sentence.
        vocabulary: knows the names.
        background: tells courtesies and what only tells something.
    """
    said = re.sub(r"(?<![们他她咱两])俩(?![人口个])", "两个", straight(plain(text))).replace("仨", "三个")
    if words.NEVER.search(said) or CONDITION.search(said):
        return None
    if words.CALLS.search(said):
        said = words.TO_ELDER.sub("给我", said)
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
        if words.HURRY.fullmatch(stretch):
            return True
        if (
            words.CALLED.fullmatch(stretch)
            or "aside" in frame_words().get(stretch, ())
            or words.ALL_RIGHT.fullmatch(stretch)
        ):
            return True
        bare = words.MEAL.sub("", self._background.without_courtesies(stretch))
        bare = re.sub(rf"^(把)?{FOR_WHAT}(?=[^，]{{2}})", r"\1", bare)
        said.wanted = said.wanted or re.search(r"[吧呗]$", stretch) is not None
        if not bare or words.CALLED.fullmatch(bare):
            return True
        if "？" in mark or "?" in mark or bare.endswith("呢"):
            asked = self._asked(bare)
            if asked or "？" in mark or "?" in mark:
                return asked
        self._narrowed = bare != stretch
        steps = (
            self._shared_out, self._from_there, self._turned_down, self._specified, self._each, self._meant_for,
            self._group, self._likewise, self._named, self._for_somebody, self._there, self._somebody, self._ordered,
            self._told,
        )  # fmt: skip
        if any(step(bare) for step in steps) or (bare != stretch and self._told(stretch)):
            return True
        doing = words.DOING_TAIL.search(bare)
        return doing is not None and doing.start() > 1 and any(step(bare[: doing.start()]) for step in steps)

    def orders(self) -> tuple[str, bool] | None:
        """Return the plain orders."""
        said = self._said
        if said.group or said.shared is not None:
            return None
        if said.open_items:
            who = said.person or ("我" if said.wanted else "")
            if not who or said.another or (said.tentative and said.orders):
                return None
            said.orders.extend((item, who) for item in said.open_items)
        if any(who in said.spared for _, who in said.orders) and not said.told.refused:
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
        there = words.THERE_IS.fullmatch(bare)
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
        if re.search(r"(?:不用|别|不要|不必|甭)(?:拿|送|端)?给我", bare):
            self._said.spared.append("我")
        spared = words.NOT_FOR.fullmatch(bare)
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
        if words.ANOTHER.fullmatch(bare) and said.open_items:
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
        said, each = self._said, words.EACH.fullmatch(bare)
        if each is None or len(said.open_items) < 2:
            return False
        for item in said.open_items:
            item.number = item.number or each["number"] or ""
        said.wanted = True
        return True

    def _likewise(self, bare: str) -> bool:
        """Read 「阿克塞尔也要」 after what somebody else gets."""
        too = words.TOO.fullmatch(bare)
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
        family = words.FAMILY_WANTS.fullmatch(bare)
        if family is not None and (things := self._wants.wanted(family["what"])):
            said.open_items.extend(things)
            return True
        for found, wanted in (
            (self._wants.there(bare), False),
            (self._wants.praised(bare), False),
            (self._wants.lacking(bare), False),
        ):
            if found is not None and len(found) == 1:
                said.open_items.extend(found)
                said.wanted, said.tentative = said.wanted or wanted, not wanted
                return True
        return False

    def _shared_out(self, bare: str) -> bool:
        """Read 「一人一罐」 after what several people get, and 「罗宾一杯咖啡」 among such."""
        said = self._said
        each = words.ONE_EACH.fullmatch(bare)
        if said.shared is not None and each is not None:
            item, people = said.shared
            said.orders.extend((Item(item.name, each["number"] or "", item.at), who) for who in people)
            said.shared = None
            return True
        for end in range(1, min(len(bare) - 1, 12)):
            who = "我" if bare[:end] == "我" else self._wants.person(bare[:end])
            things = self._wants.items(bare[end:]) if who else None
            if who and things and (said.shares or all(item.number for item in things)):
                said.orders.extend((item, who) for item in things)
                said.shares = True
                return True
        return False

    def _from_there(self, bare: str) -> bool:
        """Read 「厨房水槽那块拿给我」: the thing that was named, and where the one that is meant is."""
        said = self._said
        found = words.THAT_ONE_THERE.fullmatch(bare)
        names = [item.name for item in said.open_items] or list(
            dict.fromkeys((*said.told.refused, *said.told.things))
        )
        if (
            found is None
            or said.orders
            or len(names) != 1
            or self._wants.specified(found["where"], Item("它")) is None
        ):
            return False
        said.told.refused = []
        said.open_items = [Item(re.sub(r"^.*的", "", names[0]), "", found["where"])]
        return self._ordered(found["rest"])

    def _group(self, bare: str) -> bool:
        """Read the people of whom each gets what follows: 「给罗宾、摩根还有我，每人一罐可乐」."""
        said = self._said
        found = words.GROUP.fullmatch(bare)
        each = words.EACH_OF_THEM.fullmatch(bare) if said.group else None
        if each is not None:
            things = self._wants.wanted(each["what"]) or []
            said.orders.extend((item, who) for who in said.group for item in things)
            said.group = []
            return bool(things)
        if found is None or said.orders or said.open_items or said.group:
            return False
        listed, what = found["who"], None
        both = words.EACH_AT_ONCE.fullmatch(listed)
        if both is not None:
            listed, what = both["who"], self._wants.wanted(both["what"])
            if what is None:
                return False
        listed = re.sub(r"(?:他们|她们)?(?:俩|仨|两个人?|三个人?|几个)$|他们$|她们$", "", listed)
        parts = re.split(r"、|和|跟|还有|以及|与|及", listed)
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
        if words.JUST_IT.fullmatch(bare) or (words.JUST_SOME.fullmatch(bare) and said.open_items):
            said.wanted = True
            return True
        dish = self._wants.is_dish(last[0])
        if not (dish and words.WITH_TOOLS.fullmatch(bare)) and not words.MEANT_FOR.fullmatch(bare):
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
        elif plainly is None and said.open_items and words.OF_A_KIND.fullmatch(said.open_items[-1].name):
            # 「来点喝的，果汁就行」
            said.open_items.pop()
        elif (
            plainly is None
            and said.orders
            and words.OF_A_KIND.fullmatch(said.orders[-1][0].name)
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
        """Read 「摩根想喝可乐」, 「红酒归摩根」, and 「安琪要」 after what was named."""
        theirs = words.THEIRS.fullmatch(bare) if self._said.open_items else None
        owner = self._wants.person(theirs["who"]) if theirs is not None else None
        if owner is not None:
            self._said.orders.extend((item, owner) for item in self._said.open_items)
            self._said.open_items, self._said.early = [], True
            return True
        found = self._wants.wants(bare)
        if found is None:
            return False
        who, things = found
        self._said.orders.extend((item, who) for item in things)
        self._said.told.people.append(who)
        return True

    def _somebody(self, bare: str) -> bool:
        """Read the person that what follows is for."""
        first = words.HIM_FIRST.fullmatch(bare)
        if first is not None and (who := self._wants.person(first["who"])) is not None:
            self._said.told.people.append(who)
            return True
        who = self._wants.person(bare)
        said = self._said
        if who is None or said.person:
            return False
        if said.open_items:
            return False
        said.person = who
        return True

    def _ordered(self, bare: str) -> bool:
        if self._said.orders and not self._said.open_items and words.ALL_THERE.fullmatch(bare):
            # 「红酒归摩根，果汁归简，都送过去」
            return all(who != "我" for _, who in self._said.orders)
        frames = OrderReader(pieces(bare, self._vocabulary)).read()
        return frames is not None and len(frames) == 1 and self._frame(frames[0], bare)

    def _frame(self, frame: Frame, bare: str) -> bool:
        said = self._said
        if frame.kind not in ("carry", "") or frame.goal or frame.stranger:
            return False
        if frame.beneficiary and not frame.hither:
            if frame.beneficiary == "我" or frame.recipients or self._wants.person(frame.beneficiary) is None:
                return False
            frame.recipients = [frame.beneficiary]
            said.told.people.append(frame.beneficiary)
        elif frame.beneficiary:
            return False
        if frame.sought and not (frame.hither or frame.recipients):
            return False
        who = self._recipients(frame)
        if who is None:
            return False
        if frame.source and frame.at:
            return False
        that = frame.pronoun or (
            len(frame.themes) == 1 and words.THAT_ONE.fullmatch(frame.themes[0]) is not None
        )
        items = [self._item(theme, frame) for theme in frame.themes] if not that else []
        if any(item is None for item in items):
            return False
        if not items and frame.number and len(said.open_items) == 1 and not said.open_items[0].number:
            said.open_items[0].number = frame.number
        elif not items and frame.number and said.orders and not said.open_items and words.AGAIN.search(bare):
            # 「给罗宾拿可乐，给摩根也拿一罐」
            items = [Item(said.orders[-1][0].name, frame.number, said.orders[-1][0].at)]
        elif not items and frame.number and len(said.told.things) == 1 and not said.open_items:
            items = [Item(said.told.things[0], frame.number, said.told.located.get(said.told.things[0], ""))]
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
        if len(things) == 1 and len(who) > 1 and not frame.each:
            # 「给摩根和阿克塞尔送两罐可乐，一人一罐」
            said.shared = (things[0], who)
            return True
        if not things or (len(things) > 1 and len(who) > 1):
            return False
        said.orders.extend((item, person) for person in who for item in things)
        return True

    def _item(self, theme: str, frame: Frame) -> Item | None:
        found = self._wants.items(re.sub(r"^[他她](?:们)?的", "", theme))
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
        if (words.ROBOT.search(bare) and not words.FAVOUR_DONE.search(bare)) or names_thing(
            bare, self._vocabulary
        ):
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
            said.reasons.extend(t.text for t in pieces(bare, self._vocabulary) if t.has("object"))
            if words.LACKS.search(bare):
                note(said.told, bare, self._vocabulary)
            return True
        if self._of_somebody(bare):
            return True
        if not (tells(bare, self._vocabulary) or reason(bare)):
            return False
        before, things = list(said.told.people), list(said.told.things)
        note(said.told, bare, self._vocabulary)
        new = [thing for thing in said.told.things if thing not in things]
        of_people = any(person in said.told.located for person in said.told.people)
        if (
            words.SOMEWHERE.search(bare)
            and any(thing not in said.told.located for thing in new)
            and not of_people
        ):
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
