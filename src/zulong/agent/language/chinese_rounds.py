"""Rounds through the home in Chinese: every room but one, how long one stays at each place, there and back.

「除了书房，每个屋都转转」, 「依次去书架、沙发，每处停五秒」 and 「在厨房和书房之间跑两个来回」 are put as the row of places
that they stand for, before the grammar reads them. The places of one row alone: :mod:`chinese_flow_steps`.
"""

from __future__ import annotations

import re

from zulong.agent.language.chinese_flow_steps import Step, step_reader
from zulong.agent.language.chinese_flow_words import DURATION, rooms
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 120
_OPEN = (
    r"(?:(?:请|你|您|帮我|麻烦你?|劳驾|那个|哎|嘿|喂|小?祖龙?|机器人|给我|把|在|家里的?|咱家|全家)[，,]?)*"
)
_ROOM = (
    r"(?:(?:其他|其余|别|其它|另外|剩下)的?)?"
    r"(?:每一?[个间]|所有的?|各[个间]?|全部的?|挨个儿?|几[个间])?(?:房间|屋子?|屋儿|房(?!子|门|东|里)|地方)(?:里面?|内)?"
)
_EVERY = (
    r"(?:每一?[个间]|所有的?|各[个间]?|全部的?|挨个儿?)(?:房间|屋子?|屋儿|房(?!子|门|东|里))(?:里面?|内)?"
)
_GOING = (
    r"(?:都|各|给我|你|要|得|挨个儿?|全|去|帮我|跟我|替我|也)*(?:走|转|看|巡视|跑|检查|巡|逛|溜达|巡逻|去|查看|瞧|瞅|遛)(?:到|过|上|一)*"
    r"(?:[遍下趟圈转看逛眼瞧瞅个]|一[遍下趟圈转看逛眼])*(?:吧|呗|好吗|了|啊)*"
)
_NOT = r"(?:就|那儿|那间)?(?:不用|不必|别|不要|甭|不|除外|例外)(?:去|管|进|转|看|了|算)*"
_AND_THEN = r"(?P<rest>[，,。](?:然后|再|最后|完了|接着|弄完|转完|看完|走完|回来|回到|回我|去充电).*)?"
_BUT = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_OPEN}(?:除了|除开|除)(?P<but>[^，。]{{2,12}}?)(?:以外|之外|外)?[，,]?{_ROOM}{_GOING}{_AND_THEN}[。！!]*",
        rf"{_OPEN}(?P<but>[^，。]{{2,12}}?)(?:以外|之外)的?{_ROOM}{_GOING}{_AND_THEN}[。！!]*",
        rf"{_OPEN}(?:去|到)?{_EVERY}{_GOING}[，,](?:但|就|不过|只有)?(?:除了|除开)(?P<but>[^，。]{{2,12}}?)(?:以外|之外|外)?{_AND_THEN}[。！!]*",
        rf"{_OPEN}(?:去|到)?{_EVERY}{_GOING}[，,](?:但|就|不过|只有)?(?P<but>[^，。]{{2,8}}?){_NOT}{_AND_THEN}[。！!]*",
    )
)
_AT_EACH = re.compile(
    rf"[，,](?:在)?(?:每处|每个地方|每到一处|每站|每一处|每个房间|每间屋?|每个点|各处|每地|各|都|分别|每个)(?:都|各)*"
    rf"(?:停留?|等|待|站|歇|呆)(?:上|个|够)?(?P<lasting>{DURATION})(?:吧|啊|钟|左右|就行)*(?P<rest>[，,].+)?[。！!]*$"
)
_IN_TURN = re.compile(
    r"[，,](?:你)?(?:给我)?(?:挨个儿?|依次|逐个|轮流|一个个|一个一个|按顺序|照顺序|顺着)(?:地)?(?:都)?(?:来|走|转|跑|去|过|看)?(?:上)?(?:一[遍趟圈下回])?(?:吧|呗|啊)*[。！!]*$"
    r"|[，,](?:一处|每处|各处|每个地方|各|每个房间)(?:都)?(?:看|瞧|瞅|瞄|扫)(?:上)?一[眼下](?:吧|呗)*[。！!]*$"
)
_THERE_AND_BACK = re.compile(
    rf"{_OPEN}(?:从|打)?(?P<one>[^，。和跟与到]{{2,6}}?)(?:和|跟|与|到|至|、)(?P<other>[^，。]{{2,6}}?)(?:之间|中间|两头)?[，,]?(?:你|给我|帮我)*"
    r"(?:跑|走|来|遛|溜达|转)(?:上|个)?(?P<times>[一两二三四五])个?来回(?:吧|呗|啊)*[。！!]*"
)
_ROUNDS = re.compile(
    rf"{_OPEN}(?:从这儿|从这里)?(?P<row>[^。；]{{3,40}}?)[，,]?(?:轮着|轮流|挨个儿?|依次|来回|这样|就这样|照这样|按这个顺序)(?:地)?(?:各)?(?:转|跑|走|逛|绕|来|重复|溜达)(?:上|够)?(?P<times>[两二三四五])[圈遍趟轮次回](?:吧|呗)*[。！!]*"
    rf"|{_OPEN}(?:从这儿|从这里)?(?P<row2>[^。；]{{3,40}}?)[，,](?:跑|走|来|重复|溜达)(?:上|够)?(?P<times2>[两二三四五])[圈遍趟轮次回](?:吧|呗)*[。！!]*"
)
_DUE = re.compile(r"[^，]{1,8}(?:时间|点儿?|时候)?(?:到|开始)(?:了|啦)|(?:该|到点)[^，]{1,6}了")
_TIMES = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}


def in_a_row(text: str, vocabulary: Vocabulary) -> str | None:
    """Return a round as the row of places that it stands for, None where the sentence is no such round.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of the places.
    """
    said = plain(text).strip()
    if len(said) > _LONGEST:
        return None
    return (
        _every_room_but(said, vocabulary)
        or _staying(said, vocabulary)
        or _there_and_back(said, vocabulary)
        or _each_in_turn(said, vocabulary)
        or _several_rounds(said, vocabulary)
    )


def _every_room_but(said: str, vocabulary: Vocabulary) -> str | None:
    if "除" not in said and "外" not in said and "每" not in said and "所有" not in said and "各" not in said:
        return None
    for pattern in _BUT:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        spared = [_room(name, vocabulary) for name in re.split(r"和|跟|、|与|还有", found["but"])]
        if any(room is None for room in spared):
            continue
        left = [room for room in rooms(vocabulary) if _room(room, vocabulary) not in spared]
        if left:
            return "，然后".join(f"去{room}" for room in left) + (found["rest"] or "")
    return None


def _room(name: str, vocabulary: Vocabulary) -> str | None:
    """Return the id of the room that a name stands for, None when it is no room of this home."""
    bare = re.sub(r"(?:里|那间|那个|间)$", "", name) if name not in vocabulary.chinese else name
    for sense in vocabulary.chinese.get(bare, ()):
        if sense.kind == "room" and sense.ids:
            return sense.ids[0]
    return None


def _staying(said: str, vocabulary: Vocabulary) -> str | None:
    found = _AT_EACH.search(said)
    row = _row(said[: found.start()], vocabulary) if found is not None else None
    if found is None or row is None:
        return None
    return "，然后".join(f"去{step.place}，等{found['lasting']}" for step in row) + (found["rest"] or "")


def _each_in_turn(said: str, vocabulary: Vocabulary) -> str | None:
    """Read 「从冰箱走到餐桌再走到沙发，挨个儿来一遍」: one after the other is how a row is done anyway."""
    found = _IN_TURN.search(said)
    row = _row(said[: found.start()], vocabulary) if found is not None else None
    return "，然后".join(f"去{step.place}" for step in row) if row is not None else None


def _there_and_back(said: str, vocabulary: Vocabulary) -> str | None:
    found = _THERE_AND_BACK.fullmatch(said)
    if found is None:
        return None
    one, other = re.sub("^在", "", found["one"]), found["other"]
    named = step_reader(vocabulary).named
    if named(one) != [one] or named(other) != [other]:
        return None
    return "，然后".join([f"去{one}，然后去{other}"] * _TIMES[found["times"]])


def _several_rounds(said: str, vocabulary: Vocabulary) -> str | None:
    """Read 「客厅、厨房、书房轮着转三圈」 and 「去厨房再回来，跑两趟」."""
    found = _ROUNDS.fullmatch(said)
    row = _row(found["row"] or found["row2"], vocabulary, back=True) if found is not None else None
    if found is None or row is None:
        return None
    whole = "，然后".join(f"去{step.place}" if step.kind == "go" else "回到我这里" for step in row)
    return "，然后".join([whole] * _TIMES[found["times"] or found["times2"]])


def _row(text: str, vocabulary: Vocabulary, *, back: bool = False) -> list[Step] | None:
    """Return the places of a row of at least two, None when the text says anything else."""
    reader = step_reader(vocabulary)
    row: list[Step] = []
    whole = re.sub(rf"^{_OPEN}(?:依次|按顺序|按照顺序|挨个儿?|轮流|分别|逐个|一个个)?(?:地)?", "", text)
    whole = re.sub(r"(?:转|逛|看|走)(?:一)?[圈下遍眼](?=[，,、]|$)", "", whole)
    names = re.sub("[，,]", "、", whole)
    together = reader.steps(names) or reader.steps(f"去{names}")
    for stretch in [whole] if together else re.split(r"[，,；;]", whole):
        steps = together or next((s for said in reader.openings(stretch) if (s := reader.steps(said))), None)
        if steps is None and not row and not reader.named(stretch) and _DUE.fullmatch(stretch):
            continue
        if steps is None:
            return None
        row.extend(steps)
    kinds = ("go", "come") if back else ("go",)
    known = all(step.kind in kinds and (step.place or step.kind == "come") for step in row)
    return row if len(row) > 1 and known else None
