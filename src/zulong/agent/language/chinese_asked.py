"""Chinese orders that begin with a question: 「可乐呢？给我拿来」「书桌上哪个水果最大，拿给我」.

Who asks for a thing and goes on to order it wants the thing and no answer; the grammar would do both. So these are
heard before it.
"""

from __future__ import annotations

import re

from zulong.agent.language.chinese_gist import CONDITION, CORRECTED, Composer
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_telling import tells
from zulong.agent.language.chinese_told import Told, names_thing, note, one_place, one_thing, people_in
from zulong.agent.language.chinese_turns import shared_out, straight
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_chinese import ChineseBackground
from zulong.agent.language.stretches import Stretch

_SPEAKS = re.compile(r"告诉|说一?[声下]|跟我说|回来[说报]|汇报|报告|讲|问")
_SEEN = r"(?:看见|看到|见到|见过|见着|瞧见|瞅见|拿了|动了|收了)"
_LACKS = r"(?:没有|没|吗|么|吧|不)"
_ASKED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:我|咱)?(?:的)?(?P<what>[^，]{1,12}?)(?:哪去了|(?:我|你|他|她|谁)?(?:是|给)?(?:在|放|搁|跑|丢|落|掉|滚|弄|藏|忘)?(?:在|到|上)?"
        r"(?:哪儿?|哪里|什么地方|啥地方)(?:去)?(?:了)?)(?:呢|呀|啊|来着)*",
        r"(?:我|咱)?(?:的)?(?P<what>[^，]{1,12}?)呢",
        rf"(?:谁|有人|有谁){_SEEN}(?:过|了)?(?:我|咱)?(?:的)?(?P<what>[^，]{{1,10}}?)(?:了|呀|啊)?",
        rf"(?:你|您|有人|谁)?(?:有没有)?{_SEEN}(?:过|了)?(?:我|咱)?(?:的)?(?P<what>[^，]{{1,10}}?)(?:了)?{_LACKS}",
        rf"(?P<what>[^，]{{1,10}}?)(?:你)?{_SEEN}(?:了|过)?{_LACKS}",
        rf"(?P<where>[^，]{{1,8}}?)(?:还)?有(?:没有)?(?P<what>[^，]{{1,10}}?)(?:的)?{_LACKS}",
        r"(?P<where>[^，]{1,8}?)(?:是不是|有没有|还有没有|是否)(?:还)?有?(?P<what>[^，]{1,10}?)",
        rf"(?:家里|咱家|你那儿?|还)*有(?:没有)?(?:什么|啥|点儿?)?(?P<what>[^，]{{1,10}}?)(?:的)?{_LACKS}",
        r"(?P<what>[^，]{1,10}?)(?:还)?(?:有没有|有吗|有没|有么|有不|还剩吗|剩没剩)(?:了|啊|呀)*",
        r"(?:家里|咱家|你那儿?|还)*有没有(?:什么|啥|点儿?)?(?P<what>[^，]{1,10}?)(?:的)?",
    )
)
_WHICH = re.compile(
    r"(?:看看|瞧瞧|你看|看一下)?(?P<where>[^，]{1,6}?[里上])?(?:的)?(?:哪|什么)(?:个|瓶|种|只|盒|件|样)?"
    r"(?P<what>[^，]{1,5}?)(?P<how>最[大小重轻沉薄])"
)


def asked_and_ordered(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> str | None:
    """Return the plain order of such a sentence; None when the order names a thing of its own, or asks on."""
    shared = shared_out(plain(text))
    if shared is not None:
        return shared
    stretches = background.split(straight(plain(text)))
    while len(stretches) > 2 and _only_told(stretches[0], vocabulary, background):
        stretches = stretches[1:]
    if len(stretches) < 2 or CONDITION.search(text) or CORRECTED.search(text) or _SPEAKS.search(text):
        return None
    told = _asked_for(background.without_courtesies(stretches[0].text), vocabulary)
    rest = [stretch.text for stretch in stretches[1:] if background.without_courtesies(stretch.text)]
    if told is None or not rest or any(names_thing(part, vocabulary) or "？" in part for part in rest):
        return None
    if told.things:
        return Composer(vocabulary, told).framed(rest)
    joined = "，".join(rest)
    named = re.sub(r"[他她](?!们|的)", told.people[0], joined, count=1)
    return named if named != joined else None


def _asked_for(asked: str, vocabulary: Vocabulary) -> Told | None:
    """Return what a question asks for: one thing, perhaps with its place, or one person."""
    told = Told()
    which = _WHICH.fullmatch(asked)
    if which is not None and names_thing(which["what"], vocabulary):
        told.things.append(f"{which['where'] or ''}{which['how']}的{which['what']}")
        return told
    question = next((found for pattern in _ASKED if (found := pattern.fullmatch(asked)) is not None), None)
    if question is None:
        return None
    where = question.groupdict().get("where")
    if one_thing(question["what"], vocabulary):
        note(told, question["what"], vocabulary)
        if len(told.things) != 1 or (where and not one_place(where, vocabulary)):
            return None
        if where:
            told.located[told.things[0]] = where
        return told
    people = people_in(pieces(question["what"], vocabulary))
    if len(people) != 1 or names_thing(asked, vocabulary):
        return None
    told.people.extend(people)
    return told


def _only_told(stretch: Stretch, vocabulary: Vocabulary, background: ChineseBackground) -> bool:
    bare = background.without_courtesies(stretch.text)
    return not bare or (tells(bare, vocabulary) and not names_thing(bare, vocabulary))
