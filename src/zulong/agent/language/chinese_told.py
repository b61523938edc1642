"""What the background of a Chinese order names: things with their places, people, where somebody wants to go."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zulong.agent.language.chinese_located import told_place
from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_telling import refuses_a_thing, tells, wants_a_thing
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import Token

ALSO = re.compile(r"[也都](?:行|可以|成|好)|要不(?!要)|要么")
"""What only adds a choice is never mere background."""
_DENIED = re.compile(
    r"(?:我|就)?(?:可)?(?:别|不|不要|不用|不想|甭|不爱)(?:想|再|给我|帮我)?(?:要|喝|吃|拿|取|用|带|送|来|递)?(?:成|错|了)?"
    r"(?P<what>[^，]{1,8}?)(?:的)?(?:了|啊|哦|哈|呢)?"
)
_COLOUR = re.compile(
    r"(?:不是|不要|别拿|别|不用)(?:那个)?(?P<colour>[红蓝绿黄黑白橙灰棕紫粉])色?的(?:那|这)?(?:个|只|杯|瓶)?"
)
_TOPIC = re.compile(
    r"(?:(?:家里|你那儿?|咱家|还)*(?:有没有|有)(?:什么|啥|点儿?|没有)?)?(?P<what>[^，]{1,10}?)(?P<end>呢|没有|没|吗|么|不)?"
)
_LEFT_SOMEWHERE = re.compile(
    r"[不没]在|(?:掉|落|忘|丢|放|搁|滚|摔|扔|藏|卡|夹)(?:在|到|进)|地(?:上|板|下|面)|外面|楼下|楼上|院子"
)
_LEFT = frozenset("搁 放 到 落 丢 忘 掉 落在 忘在 掉在 掉到 放在 搁在 丢在 放到".split())  # noqa: SIM905 - shorter than quoted words
_BOUND = frozenset("去 到 上 回 往 进 过".split())  # noqa: SIM905 - shorter than quoted words


@dataclass(slots=True)
class Told:
    """What the background names.

    Attributes:
        things, people, places: names in the order they were told, people also as they are described.
        located: where a thing or a person is told to be.
        bound: where a person, or 「我」, is told to want to go.
        wanted: things that somebody wants; those the speaker wants also in ``mine``.
        counted: how many of a thing there are, when it is more than one: 「三个橙子榨汁用」.
        refused: things and colours that are not wanted, and things that are not where the robot could find them.
    """

    things: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    located: dict[str, str] = field(default_factory=dict)
    bound: dict[str, str] = field(default_factory=dict)
    wanted: list[str] = field(default_factory=list)
    mine: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    counted: dict[str, str] = field(default_factory=dict)


def note_told(told: Told, bare: str, whole: str, asked: bool, vocabulary: Vocabulary) -> bool:
    """Note what a stretch tells; False when it may be an order.

    Args:
        told: what the stretches before it told; added to.
        bare: the stretch without courtesies.
        whole: the stretch.
        asked: it ends with a question mark.
        vocabulary: knows the names.
    """
    shade = _COLOUR.fullmatch(bare)
    if shade is not None:
        told.refused.append(shade["colour"])
        return True
    denied = _DENIED.fullmatch(bare)
    if denied is not None and (things := _things(denied["what"], vocabulary)):
        told.refused.extend(name for name, _ in things)
        return True
    topic = _TOPIC.fullmatch(bare)
    if topic is not None and (topic["end"] or topic.start("what")) and one_thing(topic["what"], vocabulary):
        note(told, topic["what"], vocabulary)
        return True
    place = re.sub(r"(?:的|呢|啊|那儿?|里呢)*$", "", bare)
    if place != bare and len(told.things) == 1 and one_place(place, vocabulary):
        # 「我想玩魔方，储物架上呢」
        told.located.setdefault(told.things[0], place)
        return True
    lies = told_place(bare, vocabulary) if len(told.things) == 1 else None
    if lies is not None and lies[1] == "object":
        told.located.setdefault(told.things[0], lies[0])
        return True
    if ALSO.search(whole) or (asked and not bare.endswith(("吧", "了"))) or not tells(bare, vocabulary):
        return False
    note(told, whole, vocabulary)
    return True


def _unheard_of(words: Sequence[Token]) -> bool:
    """Tell whether a word that nobody knows stands just before a wish: what it makes of the wish is not clear."""
    return any(
        wish.plays("f:wish") and not (word.senses or word.roles) for word, wish in itertools.pairwise(words)
    )


def note(told: Told, text: str, vocabulary: Vocabulary) -> None:
    """Note what a statement names."""
    things = dict(_things(text, vocabulary))
    words = pieces(text, vocabulary)
    people = people_in(words)
    if refuses_a_thing(text):
        told.refused.extend(things)
        things = {}
    elif wants_a_thing(text, vocabulary) and not _unheard_of(words):
        told.wanted.extend(things)
        if not people and re.match(r"(?:我|想|好想|要|突然)", text):
            told.mine.extend(things)
    told.things.extend(thing for thing in things if thing not in told.things)
    told.people.extend(who for who in people if who not in told.people)
    told.located.update((thing, place) for thing, place in things.items() if place)
    told.places.extend(place for place in _places(words) if place not in told.places)
    subject = ChineseNounReader(words).place(0)
    if subject is not None and not subject[0].pronoun and not things:
        told.places.append(subject[0].text)
    for number, token in enumerate(words[:-2]):
        several = token.plays("number") and token.text not in ("一", "1", "零")
        if several and words[number + 1].plays("measure") and words[number + 2].text in things:
            told.counted[words[number + 2].text] = token.text + words[number + 1].text
    _note_bound(told, text, words, people)
    _note_where(told, text, words, things, people)


def _note_bound(told: Told, text: str, words: Sequence[Token], people: Sequence[str]) -> None:
    who = people[0] if len(people) == 1 else "我" if not people and "我" in text else ""
    nouns = ChineseNounReader(words)
    for index, token in enumerate(words):
        read = nouns.place(index + 1) if token.text in _BOUND or token.plays("f:going") else None
        if who and read is not None and not read[0].pronoun:
            told.bound[who] = read[0].text


def _note_where(
    told: Told, text: str, words: Sequence[Token], things: dict[str, str], people: Sequence[str]
) -> None:
    where = _where(words)
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


def _where(words: Sequence[Token]) -> tuple[str, str] | None:
    """Return the one place where something is told to be, and the word before: 「简在客厅」「放在桌上」."""
    nouns, found = ChineseNounReader(words), []
    for index, token in enumerate(words):
        at = token.plays("at") or token.text in _LEFT
        denied = index > 0 and words[index - 1].plays("not", "have_not")
        read = nouns.place(index + 1) if at and not denied else None
        if read is not None and read[0].pronoun != "back":
            found.append((words[index - 1].text if index else "", "" if read[0].pronoun else read[0].text))
    return found[0] if len(found) == 1 else None


def people_in(words: Sequence[Token]) -> list[str]:
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


def one_thing(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether the text is the name of a thing and says nothing else."""
    words = pieces(text, vocabulary)
    found = ChineseNounReader(words).read(0)
    return found is not None and found[1] == len(words) and found[0].kind == "object" and not found[0].unknown


def one_person(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether the text names or describes a person and says nothing else."""
    words = pieces(text, vocabulary)
    found = ChineseNounReader(words).read(0)
    if found is None or found[1] != len(words) or found[0].kind != "person" or found[0].unknown:
        return False
    return not found[0].pronoun and (bool(found[0].name) or not found[0].is_bare())


def one_place(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether the text is the name of a place and says nothing else."""
    words = pieces(text, vocabulary)
    found = ChineseNounReader(words).place(0)
    return found is not None and found[1] == len(words)


def names_thing(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a thing is named."""
    return any(token.has("object", "category") for token in pieces(text, vocabulary))


def _places(words: Sequence[Token]) -> list[str]:
    """Return the places that are said with things: 「冰箱里的东西」."""
    nouns = ChineseNounReader(words)
    read = [nouns.read(index) for index in range(len(words))]
    return [r[0].at.text for r in read if r and r[0].kind == "object" and r[0].at and not r[0].at.pronoun]


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
            shades = [t.text + "的" for t in words[index:end] if t.has("colour") and not t.has("object")]
            shade = shades[0] if shades and referent.colour else ""
            found.append((shade + words[end - 1].text, referent.at.text if referent.at else ""))
        index = end
    return found
