"""What a speaker takes back within one Chinese sentence: 「先给罗宾……哦不是，先给简拿罐可乐」.

A slip of the tongue, a word that says so, and what was meant: the sentence is put together as it should have been
said, before anything is read out of it. What is said anew replaces its like: words that begin with the same verb or
preposition replace from there on, a bare name replaces the last one of its kind, a number or a colour likewise. Where
nothing of the kind stands before it, the sentence stays as it was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_P = r"[，,。！!？?…—~～、\s\-]"
_HUM = (
    r"(?:呃+|嗯+|嗐+|咳+|嗨+|害+|不要不要|哎+呀?|哦+|噢+|啊+|诶|欸|唉|喔|额|哎哟|哟|那个|等等|等会儿?|等下|等一下|慢着|且慢|算了|"
    r"(?:瞧|看)?我这(?:个)?(?:记性|嘴|脑子|脑袋)|我糊涂了|我老糊涂了|我(?:给)?忘了|抱歉|对不起|不好意思)"
)
_SURE = (
    r"(?:不对|不是不是|不不+|错了|(?:我)?(?:刚才|刚刚|刚)?(?:又)?(?:说|讲|搞|弄|记|叫|喊|念)(?:错|岔|反|混|串)了|口误|嘴瓢了|"
    r"(?:我)?(?:想说的是|是想说|说的是|是说|的意思是|指的是)|更正(?:一下)?|收回刚才的话|我(?:又)?(?:改主意|反悔|改变主意)了)"
)
_MARK = re.compile(
    rf"{_P}+(?:{_HUM}{_P}*)*(?:{_SURE}|不是(?={_P})|不(?={_P})|(?<=[呃嗯哎哦噢啊诶欸唉喔额])不(?=[去给放送带问告等数找把从在叫跟拿]))"
    rf"(?:{_P}|{_HUM}|{_SURE}|了|哈|呀)*"
    rf"|{_P}+(?:{_HUM}{_P}*)+还是(?!不|没|别)"
    rf"|{_P}+(?:{_HUM}{_P}*)*(?:这|那)?(?:有点|也)?太[久长多少短慢](?:了)?(?:点)?{_P}+"
    rf"|{_P}+(?:要不)?还是(?!不|没|别)(?=[^，。？?]{{1,12}}(?:吧|好了))"
    rf"|{_P}+(?:{_HUM}{_P}*)*(?:对不起|抱歉|不好意思){_P}+(?=是)"
    r"|[，,…—]+(?:也)?就是(?=[那这])"
    rf"|[，,…—]+(?:呃+|额+|欸|诶)[，,…—]*(?=[^，。？！?]{{1,6}}(?:[，。]|$))"
    rf"|{_P}+(?:{_HUM}{_P}*)*算了{_P}+(?=[^，。？?不别没]{{1,14}}$|告诉|通知|提醒)"
    rf"|{_P}+(?:{_HUM}{_P}*)*(?:改成|改为|换成|减成|减到|加到|变成)(?=(?:[零一二两三四五六七八九十俩仨半\d]+)(?:[个只杯瓶件罐盒根块份]|秒|分|遍|次|$|吧))"
    r"|(?<=[^，。])(?:[呃啊哦噢诶]不(?:对|是)?(?=[^，。不]{2})|(?:我说错了|说错了|口误|嘴瓢了|我改主意了|不对不对)(?=[^，。]))"
    rf"|{_P}+(?:等等|慢着|且慢){_P}+(?=[放搁摆拿送给把])"
    rf"|{_P}+(?:(?:哦|噢|啊|哎呀?|诶|欸|呃+|嗯+|喔|额){_P}*)+(?=(?:还是|就|要)?[零一二两三四五六七八九十百半\d]+(?:个|只|杯|瓶|件|罐|盒|根|块|份|条|颗|张|包|把|秒钟?|分钟?|遍|次)(?:吧|好了|算了|就行)(?:[，。！]|$))"
    rf"|{_P}+(?:{_P}*(?:等等|等会儿?|等下|等一下|慢着|且慢){_P}*)+(?=[红蓝绿黄黑白橙灰棕紫粉大小])"
)
# 「不是厨房，是浴室」「帕里斯吗？噢是朱尔斯」: what is taken back is named.
_NAMED = re.compile(
    rf"{_P}+(?:{_HUM}{_P}*)*(?:不是|不叫|不去|不给|不要)(?:给|去|在|放|叫)?(?P<no>[^，。！？,.!?…]{{1,8}}?)(?:啦|了|啊|哈)?{_P}+(?:(?:{_HUM}|{_SURE}){_P}*)*(?:而)?(?:是|要)(?:给|去|在)?"
    rf"|{_P}+(?P<doubted>[^，。！？,.!?…]{{1,8}}?)(?:吗|么)?[？?]{_P}*(?:(?:{_HUM}|{_SURE}){_P}*)*(?:不对|不是|不)?{_P}*(?:{_HUM}{_P}*)*是(?:给|去|在)?"
)
# 「床上不行，放到书架上」「等等，她不喝可乐，送牛奶」: what does not do is named.
_WILL_NOT_DO = re.compile(
    rf"{_P}+(?:{_HUM}{_P}*)*(?P<no>[^，。！？,.?!…]{{1,6}}?)(?:那边|那儿|那里)?(?:不行|不好|不合适|不够|不能放|放不下|有人(?:用|在|在用|占着)?(?:了|呢)?|满了|不要了|没了|不喝了|不吃了)(?:吧|啊)?{_P}+(?:还是|那就|那|就|改)?"
    rf"|{_P}+(?:{_HUM}{_P}+)+(?:他|她|我|人家)?(?:不|别)(?:喝|吃|要|用|爱喝|爱吃|喜欢)(?P<unwanted>[^，。！？,.?!…]{{1,6}}?)(?:了|啊|的)?{_P}+(?:还是|那就|那|就|改)?"
)
_HANGS = re.compile(r"如果|要是|假如|万一|倘若|的话")
# 「拿给摩……拿给罗宾」: a word that was not said to its end.
_BROKEN_OFF = re.compile(
    r"(?=[把给将去到拿取送递端搬带领问数等放搁摆找叫让告看])([^，。！？,.?!…—]{1,4})[^，。！？,.?!…—]?[…—]+(?=\1)(?![^，。！]{1,8}[吗么？?])"
)
_IS = re.compile(
    r"^(?:我)?(?:是)?(?:想)?(?:问|说)(?:的)?(?:是)?(?=[^，。]{1,8}$)|^(?:那就|那|就)?(?:应该|应当|该)?(?:而)?(?:是|还是|改成|换成|变成|改为)(?=[^，。])"
)
_WANTS_COUNT = re.compile(r"^(?:我)?(?:要|来|拿|给我|就|就要)(?=[零一二两三四五六七八九十百俩仨\d半])")
_TAKES = re.compile(r"^(?:再|先)?(?:数|拿|取|要)(?:一下)?")
_FETCHES = re.compile(r"^(?:再|先)?(?:我)?(?:拿|取|要|来|送|端|带|换)(?![过去回到给])")
_WAITS = re.compile(r"^(?:先|再|就)?等(?=[零一二两三四五六七八九十百半\d])")
_SOFT = r"(?:吧|就行|就好|就可以|就够|就成|了|啊|呀|哦|的|得了|好了|呗|那个)"
_SOFT_END = re.compile(rf"^{_SOFT}*(?=[，。！？,.!?]|$)")
_SOFT_BETWEEN = re.compile(r"(?:吧|啊|呀|哦|哈|呗)(?=[，。！,.!]|$)")
_DURATION = re.compile(
    r"[零一二两三四五六七八九十百半\d]+(?:个)?(?:半)?(?:秒钟|秒|分钟|分|刻钟|小时|钟头)(?:半|[零一二两三四五六七八九十\d]+秒?)?"
)
_COUNT = re.compile(
    r"[零一二两三四五六七八九十百俩仨\d]+[个只杯瓶件位把本块罐盒条颗根张包双样袋碗盘份遍次趟回]?"
)
_SHADE = re.compile(r"(?P<shade>[红蓝绿黄黑白橙灰棕紫粉])色?的?(?:那个|那只|个)?")
_ANCHORS = (
    *("告诉", "通知", "转告", "提醒", "放到", "放在", "放进", "拿到", "送到", "带到", "送给", "拿给", "递给"),
    *"跟问给去到放送带领等数找把从在叫让喊拿取端递来看搁摆往要",
)
_SAID_WORD_BY_WORD = re.compile(r"[“”\"「」『』‘’：:]")
_VERBAL = re.compile(r"[把给将去到拿取送递端搬带领问数等放搁摆找叫让告看]")


@dataclass(slots=True, frozen=True)
class _Span:
    start: int
    end: int
    kind: str
    counted: bool
    bare: str
    """The words without number and measure."""


def said_anew(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence as its speaker put it right, None when nothing is taken back or it is not clear what.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names.
    """
    whole = plain(text)
    said = _BROKEN_OFF.sub("", whole)
    changed = said != whole
    for _ in range(3):
        again = _once(said, vocabulary)
        if again is None:
            break
        said, changed = again, True
    return said if changed else None


def _once(said: str, vocabulary: Vocabulary) -> str | None:
    for named in _NAMED.finditer(said):
        before, after = said[: named.start()], said[named.end() :]
        taken_back = named["no"] or named["doubted"]
        if taken_back in before and not _SAID_WORD_BY_WORD.search(before):
            return _in_place_of(before, taken_back, after, vocabulary)
    for bad in _WILL_NOT_DO.finditer(said):
        if _HANGS.search(bad.group()) is None and (bad["no"] or bad["unwanted"]) in said[: bad.start()]:
            return _put_right(said[: bad.start()], said[bad.end() :], vocabulary)
    mark = _MARK.search(said)
    if mark is None or mark.start() == 0:
        return None
    if mark.group().endswith("就是") and not _VERBAL.search(said[: mark.start()]):
        # 「那个，嗯……就是那个苹果」 orders nothing.
        return None
    return _put_right(said[: mark.start()], said[mark.end() :], vocabulary)


def _put_right(before: str, after: str, vocabulary: Vocabulary) -> str | None:
    if not after.strip("，。！？,.!?") or _SAID_WORD_BY_WORD.search(before):
        return None
    after = _WANTS_COUNT.sub("", _IS.sub("", after))
    stretch = re.split(r"[，。！？,.!?]", after, maxsplit=1)[0]
    rest = after[len(stretch) :]
    return (
        _measured(before, stretch, rest)
        or _anchored(before, stretch, rest, vocabulary)
        or _renamed(before, stretch, rest, vocabulary)
        or _renamed(
            before, _TAKES.sub("", stretch) if "数" in before else _FETCHES.sub("", stretch), rest, vocabulary
        )
    )


def _in_place_of(before: str, taken_back: str, after: str, vocabulary: Vocabulary) -> str | None:
    """Put the name that follows where the one that is taken back stands."""
    spans = _spans(after, vocabulary)
    if not spans or spans[0].start != 0:
        return None
    start = before.rindex(taken_back)
    rest = _SOFT_END.sub("", after[spans[0].end :])
    if rest and rest[0] not in "，。！？,.!?":
        return None
    return before[:start] + after[: spans[0].end] + before[start + len(taken_back) :] + rest


def _measured(before: str, stretch: str, rest: str) -> str | None:
    """Put another time, number or colour in its place: 「等三分钟，不，五分钟」."""
    stretch = _FETCHES.sub("", _WAITS.sub("", stretch)) if "把" in before else _WAITS.sub("", stretch)
    for pattern in (_DURATION, _COUNT, _SHADE):
        new = pattern.match(stretch)
        if new is None or _SOFT_END.fullmatch(stretch[new.end() :]) is None:
            continue
        old = None
        for old in pattern.finditer(before):  # noqa: B007 - the last one counts
            pass
        if old is None or old.group() == "一" or (pattern is _COUNT and _DURATION.search(before)):
            continue
        if pattern is _SHADE:
            at = old.start("shade")
            return before[:at] + new["shade"] + before[at + 1 :] + _without_echo(rest, new["shade"])
        count = new.group()
        if pattern is _COUNT and (count[-1] in "俩仨" or count[-1].isdigit()):
            count = {"俩": "两", "仨": "三"}.get(count, count)
            count += (
                old.group()[-1] if old.group()[-1] not in "零一二两三四五六七八九十百俩仨0123456789" else ""
            )
        return before[: old.start()] + count + before[old.end() :] + rest
    return None


def _without_echo(rest: str, shade: str) -> str:
    """Leave out 「蓝杯子」 after 「蓝的，」."""
    echo = re.match(rf"[，,]{shade}[^，。]{{1,4}}(?=[，。]|$)", rest)
    return rest[echo.end() :] if echo else rest


def _anchored(before: str, stretch: str, rest: str, vocabulary: Vocabulary) -> str | None:
    """Put words that begin with a verb that was said before where it stands: 「去简那……不，去罗宾那」."""
    opening = re.match(r"(?:先|再|就|你|请|帮我|我要|我想|还是)*", stretch)
    lead = opening.group() if opening else ""
    verb = next((a for a in _ANCHORS if stretch[len(lead) :].startswith(a)), "")
    if not verb or verb not in before:
        return None
    at = before.rindex(verb)
    new, old = _spans(stretch, vocabulary), [s for s in _spans(before, vocabulary) if s.start >= at]
    kinds, replaced = {s.kind for s in new}, {s.kind for s in old}
    if not new or (not old and "把" in before[:at]):
        # 「把牛奶拿给我，算了，拿橙汁」: what is taken stands before the verb.
        return None
    lead_before = re.search(r"(?:先|再|就|你|请|帮我|我要|我想)*$", before[:at])
    head = before[: lead_before.start()] if lead and lead_before else before[:at]
    said = lead + stretch[len(lead) :]
    if replaced <= kinds:
        if lead_before and not lead:
            head = before[:at]
        return head + _SOFT_BETWEEN.sub("", said) + _SOFT_BETWEEN.sub("", rest)
    first_new, first_old = new[0], old[0]
    follows = len(lead) + len(verb)
    adjacent = first_new.start == follows and first_old.start == at + len(verb)
    if adjacent and first_new.kind == first_old.kind and not re.sub(_SOFT, "", said[first_new.end :]):
        # 「给罗宾送罐可乐，不对，给简」
        name = said[first_new.start : first_new.end]
        return before[: first_old.start] + name + before[first_old.end :] + rest
    return None


def _renamed(before: str, stretch: str, rest: str, vocabulary: Vocabulary) -> str | None:
    """Put a name in the place of the last one of its kind."""
    new = _spans(stretch, vocabulary)
    if not new or new[0].start != 0 or re.sub(_SOFT, "", stretch[new[0].end :]):
        return None
    old = [s for s in _spans(before, vocabulary) if s.kind == new[0].kind]
    if not old:
        return None
    last, name = old[-1], new[0]
    start = last.start if name.counted or not last.counted else before.index(last.bare, last.start)
    word = stretch[name.start : name.end]
    rest = re.sub(rf"^[，,]{re.escape(word)}(?=[，。]|$)", "", rest)
    return before[:start] + word + before[last.end :] + rest


def _spans(text: str, vocabulary: Vocabulary) -> list[_Span]:
    """Return where things, people and places are named."""
    words = pieces(text, vocabulary)
    nouns, found, index, at = ChineseNounReader(words), [], 0, 0
    while index < len(words):
        token = words[index]
        read = None if token.plays("punct") else nouns.read(index)
        if read is None or read[1] == index or read[0].unknown or read[0].pronoun in ("me", "you"):
            at += len(token.text)
            index += 1
            continue
        referent, end = read
        said = [word.text for word in words[index : read[1]]]
        counted, position = 0, index
        while position < end and nouns.at(position).plays("number", "measure"):
            counted += 1
            position += 1
        length = sum(map(len, said))
        found.append(_Span(at, at + length, referent.kind, counted > 0, "".join(said[counted:])))
        at += length
        index = end
    return found
