"""What a Chinese sentence sets against what is wanted, left out: 「别跟简说，跟罗宾说」「给招手的那位，不是躺着的那位」.

Who or what is not meant says nothing about what is to be done, as long as it is another one than is named by the rest of
the sentence; where it could be the same, or is a kind out of which one is to be taken, the sentence stays as it is.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent

_BETWEEN = re.compile(r"([，。！；？!?;]+|——|—)")
_QUOTED = re.compile(r"[“”\"「」『』‘’]")
_HANGS = re.compile(r"如果|要是|假如|倘若|万一|除非|的话|只要|一旦|否则|不然")
_NOT = r"(?:别|不要|不用|甭|不必|不许|不准)"
_OPENS = (
    r"(?:你|您|请|先|可|可是|可千万|千万|但|但是|不过|记得|记住|一定|路上|途中|半路|"
    r"这回|这次|今天|反正|我要的|我说的|的)*"
)
_NOBODY = re.compile(
    rf"{_OPENS}(?P<what>[^，给跟对向]{{0,8}}?)(?:先)?(?:"
    rf"(?:给|跟|对|向)?(?:谁|每个人|任何人|其他人|别的人|旁人|别人|大家)(?:那儿)?(?:都|也)?(?:先|就)?(?:别|不要|不用|不许|不)(?:再)?(?:给|说|讲|告诉|拿|提|问|通知|动|碰|叫)?"
    rf"|{_NOT}(?:再)?(?:给|告诉|跟|对|向|通知|问|让|叫)(?:任何人|其他人|别的人|旁人|别人|大家|谁)(?:说|讲|提|知道)?"
    r")(?:了|的)?"
)
_ONLY = re.compile(
    r"^(?:你)?(?:就|只|光|单|单单|仅|只要|只用|只需要?)?(?:悄悄|偷偷)?(?:地)?(?:就)?(?=给|跟|对|告诉|通知|问|叫|和|放)"
)
_NOT_ME = re.compile(
    rf"(?P<first>(?:[^，]{{0,4}}(?:完|好)(?:了)?(?:以后|之后|后)?|之后|然后)?)(?:就|先|也)?{_NOT}(?:再)?(?:急着)?"
    r"(?:告诉我|通知我|(?:跟|对|向|和)我(?:说|讲|汇报|报告)|给我(?:说|讲|汇报)|回来(?:告诉我|跟我说|汇报))(?:了|一声)?"
)
_TOLD = re.compile(
    r"(?:再|就|直接|而是)*(?:去|要)?(?:直接)?(?:告诉|通知|转告|跟|对|向|和|报告|汇报|讲给|说给|报给)"
)
_SPEAKS = re.compile(r"告诉|通知|转告|提醒|[说讲喊念问]|：|:|转达|捎|带话|带句话")
_DENIED = re.compile(
    rf"{_OPENS}(?:(?:而)?不是|{_NOT}(?:再)?)(?:让你|叫你|给我)?(?P<verb>给|送给|拿给|交给|带给|送|拿成|弄成|搞成|认成|送成|带成|看成|错成|弄错成|拿|要|取|动|碰|管|告诉|通知|提醒|"
    r"问|跟着|跟|对|叫|带|领|找|请|去|进|往|到|放到|放在|放|搁在|搁|从|理)?(?P<name>[^，]{1,14}?)(?:那儿|那里|那边)?"
    r"(?:说|讲|拿|去拿|送|问|放|去|走)?(?:了|的话|啊|喔|哦|呀|哈|吧)*"
)
_LET_ALONE = re.compile(
    rf"{_OPENS}(?:至于)?(?P<name>[^，给跟对向把]{{1,10}}?)(?:就|你)?(?:别|不用|不要|甭|不必)(?P<verb>拿|给|管|动|碰|带|放|送|去|叫|收|理|取|要|通知|告诉|问)(?:了|啦|它|他|她|过来|过去)*"
)
_FROM = re.compile(
    rf"{_OPENS}{_NOT}(?:从|去|到|在)(?P<name>[^，拿取]{{1,8}}?)(?:里|上|那儿|那边)?(?:拿|取)(?P<what>[^，]{{0,6}})"
)
_BARE_PERSON = re.compile(r"(?:站|坐|躺)着的|(?:招|挥|举)着?[左右]?手的|指着?[左右]边的")
_KINDS = re.compile(r"随便|什么都行|都行|任何|哪个都|哪种都")
_TO_HAVE_INSTEAD = (
    r"(?:你)?(?:别|不要|不用|甭|先别)(?:再)?(?:给|帮|替)(?P<who>{person})(?:再)?(?:拿|送|端|倒|喝|吃|来)?(?P<no>[^，给]{1,8}?)(?:了|啦)?，"
    r"(?:(?:因为|他|她|人家|大夫|医生|护士|妈妈)?[^，给把拿送去换说]{1,9}，)?(?:你|那就|就|改|还是)*(?:(?:给|帮|替)(?:他|她|{person}))?"
    r"(?:换成?|改成?|改拿|改送|换)(?:一)?(?P<measure>[个瓶罐盒杯根包块份只]?)(?P<what>[^，给]{1,8}?)(?:给(?:他|她))?(?:吧|好了|得了|就行)*"
)
_WHO_IS = re.compile(
    r"(?:谁|哪位|哪个(?:人)?|哪个)(?:现在|正|正在)?在(?P<where>[^，？在]{1,6}?)(?:里|上|那儿|那边)?(?:正|正在)?"
    r"(?P<how>(?:招|挥|举)(?:着)?[左右]?手|指着?[左右]边|(?:站|坐|躺)着|(?:站|坐|躺)(?:着)?)(?:呢|啊|呀|着呢|着)?[，？?]+(?P<rest>.+)"
)
_SOMEBODY_TOLD_OF = re.compile(
    r"(?:我|我们|咱们)?(?:家)?(?:的|有个|有位|有一位)?(?:客人|朋友|同事|同学|亲戚|表姐|表妹|表哥|舅舅|姑姑|邻居|老师|学生|室友|女朋友|男朋友|小朋友)"
    r"(?P<told>(?:，?(?:他|她)?(?:现在|正|就)?(?:穿着?[^，]{2,7}|(?:就)?在[^，给带告问送拿去]{1,6}|(?:坐|站|躺)(?:着|在[^，]{1,6})))+)，(?:麻烦你?|请你?|你)?(?P<rest>.+)"
)
_FACT = re.compile(
    r"(?:他|她)?(?:现在|正|就)*(?:穿着?(?:一[件条身])?(?P<worn>[^，]{2,7}?)(?:的|呢)?|(?P<how>[坐站躺])?(?:着)?在(?P<place>[^，]{1,6}?)(?:那儿|那边)?(?:等着)?(?:呢)?|(?P<posture>[坐站躺])着(?:呢)?)"
)
_SHOWN = re.compile(
    r"(?P<before>(?:你|请|麻烦你?|帮我|给我|去|把|拿|要|我要)*)(?:那|这)(?:个|瓶|罐|盒|只|把)?[红蓝绿黄黑白橙灰棕紫粉]色?的(?:那个)?(?:[，—…]|哎呀?|呃|嗯|不对|哦)+"
    r"不是(?P<no>[^，—是]{1,5})(?:[，—…]|是|我说的是|那个)+(?P<what>[^，—的]{1,6})(?=[，—]|给|拿|送|放)[—]*"
)
_SAID_AGAIN = re.compile(
    r"(?P<before>.{3,}?)[，。！？?—…]+(?:[哎哦啊]，?)?(?:可)?不是(?P<no>[^，是]{1,6})(?:啊|哦|哈)?，(?:而)?是(?P<what>[^，]{1,6}?)(?:啊|哦|哈)?"
)
_WORDS_PUT_RIGHT = (
    r"(?P<lead>(?:[^，]*，)?(?:你|请|去|帮我|替我|麻烦你?)*(?:(?:跟|对|和|向)[^，说讲]{1,10}(?:说|讲)(?:一声)?|(?:告诉|通知|转告|提醒)(?:一下|一声)?{person}))[，]?[^，]{2,14}，"
    r"(?:(?:[哦噢啊哎诶]|不对|不是|错了|说错了|口误)[，]?)+(?:应该)?(?:是)?(?:说|告诉(?:他|她)|讲|跟(?:他|她)说)(?:是)?[，]?(?P<words>[^，]{2,16})"
)
_CLOCK = r"(?:早上|上午|中午|下午|傍晚|晚上)?[零一二两三四五六七八九十\d]+点(?:半|一刻|[零一二三四五六七八九十\d]+分?|钟)?"
_TIME_PUT_RIGHT = re.compile(
    rf"(?P<lead>[^，]*?(?:告诉|跟|对|通知|提醒|转告)[^，]*?)(?P<old>{_CLOCK})(?P<tail>[^，]{{0,8}})，(?:(?:[哦噢啊哎诶]?不(?:对|是)?|错了|说错了|口误|[哦噢啊哎])[，]?)+"
    rf"(?:应该)?(?:是)?(?P<new>{_CLOCK})(?P<same>[^，]{{0,8}})"
)
_WORDS_TOO = (
    r"(?P<first>(?:告诉|通知|跟|对)(?:[^，]{1,12}?)(?:说|讲)?(?P<words>[^，也]{2,12}))，"
    r"(?P<second>(?:再|还|然后)?(?:告诉|通知|跟|对)[^，也]{1,12}?(?:说|讲)?)也(?P=words)"
)
_ONLY_WHERE = re.compile(r"(?:就|都|人)?在[^，]{1,6}")
_NOT_THERE = re.compile(
    r"，(?P<who>他|她|人|它|东西)(?:现在|这会儿)?不在[^，]{1,6}，(?:他|她|人|它)?(?:现在)?(?:而)?(?:是)?(?:就)?在(?=[^，]{1,6}(?:，|$))"
)
_KEPT_WAITING = (
    r"(?:你)?(?:别|不要|不能)(?:再)?(?:让|叫)(?P<who>{person})(?:一直|干|久)?(?:等|着急|饿|渴|挨饿)(?:着|急|太久|久)*"
    r"(?:了|啦)?，(?:你|请|先|快|赶紧)*(?P<rest>.+)"
)
_POINTED_OUT = re.compile(
    r"那(?:个|位)(?:小孩|人|孩子|客人|小朋友|阿姨|先生|女士|姑娘|小伙子|同学|叔叔)?，(?:就)?是(?P<how>[^，给把]{2,10}?)(?:的)?(?:那个|那位)(?:人)?(?=，|$)"
)
_HOW_MANY_POSED = r"(?:有)?(?:(?P<{0}>[坐站躺])着(?:的)?(?:有)?几个(?:人)?|几个(?P<{0}2>[坐站躺])着的(?:人)?)"
_COUNTED_APART = re.compile(
    r"(?:你|请|去|帮我)*(?:(?:数数|数一下|数一数|看看|看一下)(?P<where>[^，坐站躺有几]{1,8}?)|(?P<there>[^，坐站躺有几]{1,8}?))(?:里|里面)?"
    + _HOW_MANY_POSED.format("a")
    + "[，、和]"
    + _HOW_MANY_POSED.format("b")
    + r"(?:，(?:数完|看完)?(?:分别|都|一起|各)?(?:数一下|数数)?(?:，)?(?:回来)?(?:再)?"
    r"(?P<tell>(?:告诉|报给|说给|跟)[^，]{1,6}))?"
)
_OTHER_POSTURE = {"坐": "站", "站": "坐"}
_NOT_COUNTED = re.compile(
    r"(?:你|去|请|帮我|先)*(?:(?:数数|数一下|数一数|点点|看看|点一下)(?P<a>[^，数]{1,8}?)(?:里|里面)?(?:的|有几个|有多少)人|"
    r"(?P<b>[^，数]{1,8}?)(?:里|里面)?(?:的)?人，?(?:你)?(?:给我|帮我|去)?(?:数数|数一下|数一数|点点)(?:看)?)(?:数)?，(?P<posture>[坐站])着的(?:人)?"
    r"(?:就|都)?(?:不算|别算|不用算|不用数|别数|不数|除外|不计|不算在内|不要算)(?:进去|在内)?(?:，(?P<tell>(?:再|然后|回来|数完)?(?:告诉我|跟我说|报给我)[^，]{0,3}))?"
)


def without_contrasts(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence without what is not meant, None when nothing is set against what is wanted.

    Args:
        text: the sentence as it was said.
        vocabulary: the names.
    """
    said = plain(text).strip("。！!")
    if _QUOTED.search(said):
        return None
    person = name_patterns(vocabulary)["person"]
    whole = (
        _instead(said, person)
        or _introduced(said, vocabulary)
        or _told_of(said, vocabulary)
        or _waiting(said, person)
        or _pointed_out(said, vocabulary)
        or _not_counted(said)
        or _counted_apart(said)
        or _said_again(said, vocabulary)
        or _words_put_right(said, person)
    )
    if whole is not None or _HANGS.search(said):
        return whole
    parts = _BETWEEN.split(said)
    stretches = [part.strip() for part in parts[::2]]
    marks = [*parts[1::2], ""]
    kept = _without_denied(stretches, vocabulary)
    if kept == stretches or not any(kept):
        return None
    return "".join(s + m for s, m in zip(kept, marks, strict=True) if s).strip("，。—；")


def _without_denied(stretches: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    kept = list(stretches)
    if any(_ONLY_WHERE.fullmatch(stretch) for stretch in stretches):
        # Who or what is there is to be told from all that is said.
        return kept
    for number, stretch in enumerate(stretches):
        others = [other for at, other in enumerate(kept) if at != number and other]
        if not others or not stretch:
            continue
        after = kept[number + 1] if number + 1 < len(kept) else ""
        nobody = _NOBODY.fullmatch(stretch)
        if nobody is not None and after and not _spoken(kept[:number]):
            kept[number] = nobody["what"]
            kept[number + 1] = _ONLY.sub("", after)
            continue
        not_me = _NOT_ME.fullmatch(stretch)
        if not_me is not None and _TOLD.match(after):
            kept[number] = not_me["first"] if not_me["first"] and number else ""
            kept[number + 1] = re.sub(r"(?:就行|就好|就可以)(?:了)?$", "", after)
            if kept[number]:
                kept[number + 1] = kept[number] + kept[number + 1].removeprefix("而是")
                kept[number] = ""
            continue
        if _is_denied(stretch, others, kept[:number], vocabulary):
            kept[number] = ""
            kept[0] = re.sub(r"^我(?:想)?要的是", "我要", kept[0])
            if after and number == 0:
                kept[number + 1] = re.sub(r"^(?:而是|要|是)(?=[跟告给问拿去])", "", after)
    return kept


def _spoken(before: Sequence[str]) -> bool:
    return any(_SPEAKS.search(part) for part in before)


def _is_denied(stretch: str, others: Sequence[str], before: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Tell a stretch that says only who, what or where is not meant, and is no part of a message."""
    contrast = re.match(rf"{_OPENS}(?:而)?不是", stretch) is not None
    if _spoken(before) and not contrast:
        return False
    from_there = _FROM.fullmatch(stretch)
    if from_there is not None:
        place = _one(from_there["name"], vocabulary)
        taken = not from_there["what"] or _one(from_there["what"], vocabulary) is not None
        named = [r for other in others for r in _named(other, vocabulary) if r.kind == "place"]
        return place is not None and place.kind == "place" and taken and bool(named) and _apart(place, named)
    for form in (_DENIED, _LET_ALONE):
        found = form.fullmatch(stretch)
        denied = _one(found["name"], vocabulary) if found is not None else None
        if found is None or denied is None or denied.pronoun or denied.unknown:
            continue
        if contrast and _spoken(before) and (denied.kind != "person" or denied.name):
            return False
        rest = [r for other in others for r in _named(other, vocabulary)]
        alike = [r for r in rest if r.kind == denied.kind]
        if denied.kind == "object" and denied.colour and not (denied.name or denied.category):
            shades = {r.colour for r in alike}
            if shades and "" not in shades and denied.colour not in shades:
                return True
        if denied.kind == "object" and (
            denied.category or not denied.name or any(_KINDS.search(other) for other in others)
        ):
            continue
        of_there = denied.kind == "place" and found["name"].endswith("的")
        if of_there or (
            denied.kind == "place" and found["verb"] in ("从", "放", "放到", "放在", "搁", "搁在")
        ):
            # Where else it is to be put or taken from has to be said.
            return bool(alike) and _apart(denied, alike)
        if denied.kind == "person" and not denied.name and not alike:
            continue
        if _apart(denied, alike):
            return True
    return False


def _apart(denied: Referent, alike: Sequence[Referent]) -> bool:
    """Tell that what is denied is none of those that are named."""
    for other in alike:
        if other.unknown or (other.category and not other.name and denied.kind == "object"):
            return False
        if set(other.ids) & set(denied.ids):
            return False
        if denied.name and other.name:
            if denied.name == other.name and (not denied.colour or denied.colour == other.colour):
                return False
            continue
        if denied.kind == "person" and not other.name:
            # 「客厅里的人」 may be the very one; 「客厅里招手的那位」 is another than 「躺着的那位」.
            elsewhere = not denied.name and _where(other) and _where(denied) not in ("", _where(other))
            singled = other.posture or other.gesture or other.garment or other.garment_colour
            if other.plural or not (singled or elsewhere):
                return False
            if not denied.name and _described(other) in (_described(denied), ()):
                return False
    return True


def _where(who: Referent) -> str:
    return who.at.name if who.at is not None else ""


def _described(who: Referent) -> tuple[str, ...]:
    said = (who.posture, who.gesture, who.garment, who.garment_colour, who.gender, who.side, _where(who))
    return said if any(said) else ()


@functools.lru_cache(maxsize=256)
def _one(text: str, vocabulary: Vocabulary) -> Referent | None:
    """Return what a text names when it names one thing and says nothing else."""
    text = re.sub(r"(?<=[里上])的$", "", text.strip())
    if _BARE_PERSON.fullmatch(text):
        text += "人"
    text = re.sub(r"(?<=[着手边衣衫裙套的])的?那个$", "的那位", text) if "的那个" in text else text
    words = pieces(text, vocabulary)
    found = ChineseNounReader(words).read(0) if words else None
    return found[0] if found is not None and found[1] == len(words) and not found[0].unknown else None


@functools.lru_cache(maxsize=256)
def _named(text: str, vocabulary: Vocabulary) -> tuple[Referent, ...]:
    """Return the things, people and places that a stretch names."""
    words = pieces(re.sub(r"的那个(?=$|，)", "的那位", text), vocabulary)
    nouns, found, at = ChineseNounReader(words), [], 0
    while at < len(words):
        read = None if words[at].plays("punct") else nouns.read(at)
        if read is None or read[1] == at:
            at += 1
            continue
        if not (read[0].unknown or read[0].pronoun):
            found.append(read[0])
            if read[0].at is not None and not read[0].at.unknown:
                found.append(read[0].at)
        at = read[1]
    return tuple(found)


@functools.lru_cache(maxsize=4)
def _instead_form(person: str) -> re.Pattern[str]:
    return re.compile(_TO_HAVE_INSTEAD.replace("{person}", person))


def _instead(said: str, person: str) -> str | None:
    """Return 「给罗宾拿橙汁」 for 「别给罗宾可乐了，给他换成橙汁」."""
    found = _instead_form(person).fullmatch(said)
    if found is None or found["no"] == found["what"]:
        return None
    measure = f"一{found['measure']}" if found["measure"] else ""
    return f"给{found['who']}拿{measure}{found['what']}"


def _introduced(said: str, vocabulary: Vocabulary) -> str | None:
    """Return the order with whoever is asked for in it: 「谁在书房招手？给他拿个梨」."""
    found = _WHO_IS.fullmatch(said)
    where = _one(found["where"], vocabulary) if found is not None else None
    if found is None or where is None or where.kind != "place":
        return None
    how = found["how"] if found["how"].endswith(("手", "边", "着")) else f"{found['how']}着"
    who = (
        f"{found['where']}里{how}的那位"
        if not found["where"].endswith(("上", "里"))
        else f"{found['where']}{how}的那位"
    )
    rest = found["rest"]
    if re.search(r"他|她|那个人|人家", rest):
        return re.sub(r"(?:他|她|那个人|人家)(?!们)", who, rest, count=1)
    asked = re.match(r"(?:你)?(?:去|过去)?(?:看看|看一下|问问|问一下)(?=长|穿|要|想|叫|需)", rest)
    return rest[: asked.end()] + who + rest[asked.end() :] if asked else None


def _told_of(said: str, vocabulary: Vocabulary) -> str | None:
    """Return the order with somebody in it of whom is told first: 「我的客人穿蓝夹克，在客厅，带她去出口」."""
    found = _SOMEBODY_TOLD_OF.fullmatch(said)
    if found is None or len(re.findall(r"(?:他|她)(?!们)", found["rest"])) == 0:
        return None
    room, worn, posture = "", "", ""
    for told in filter(None, re.split(r"[，]", found["told"])):
        fact = _FACT.fullmatch(told)
        if fact is None or (fact["place"] and (room or _one(fact["place"], vocabulary) is None)):
            return None
        room, worn = fact["place"] or room, fact["worn"] or worn
        posture = fact["how"] or fact["posture"] or posture
    if not (worn or posture):
        return None
    inside = f"{room}{'' if not room or room.endswith(('里', '上')) else '里'}"
    who = f"{inside}{f'穿{worn}' if worn else f'{posture}着'}的人"
    if _one(who, vocabulary) is None:
        return None
    return re.sub(r"(?:他|她)(?!们)", who, found["rest"], count=1)


def _waiting(said: str, person: str) -> str | None:
    """Return the order with whoever is not to be kept waiting in it; where somebody is not, is left out."""
    elsewhere = _NOT_THERE.search(said)
    if elsewhere is not None:
        return f"{said[: elsewhere.start()]}，{elsewhere['who']}在{said[elsewhere.end() :]}"
    found = re.fullmatch(_KEPT_WAITING.replace("{person}", person), said)
    if found is None or re.search(r"(?:他|她)(?!们)", found["rest"]) is None:
        return None
    return re.sub(r"(?:他|她)(?!们)", found["who"], found["rest"], count=1)


def _pointed_out(said: str, vocabulary: Vocabulary) -> str | None:
    """Return 「把魔方给客厅招手的那位」 for 「把魔方给那个小孩，就是客厅招手那个」."""
    found = _POINTED_OUT.search(said)
    who = f"{found['how']}的那位" if found is not None else ""
    seen = _one(who, vocabulary) if who else None
    if found is None or seen is None or seen.kind != "person" or not _described(seen):
        return None
    return said[: found.start()] + who + said[found.end() :]


def _said_again(said: str, vocabulary: Vocabulary) -> str | None:
    """Leave out 「不是海绵，是清洁剂」 where the cleanser was what was said first; name what was only pointed at."""
    shown = _SHOWN.match(said)
    if shown is not None:
        no, what = _one(shown["no"], vocabulary), _one(shown["what"], vocabulary)
        if no is not None and what is not None and no.kind == what.kind == "object" and what.name:
            return shown["before"] + shown["what"] + said[shown.end() :]
    again = _SAID_AGAIN.fullmatch(said)
    if again is None or again["what"] not in again["before"] or again["no"] in again["before"]:
        return None
    named = _one(again["what"], vocabulary), _one(again["no"], vocabulary)
    return again["before"] if all(r is not None and not r.pronoun for r in named) else None


@functools.lru_cache(maxsize=4)
def _message_forms(person: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(_WORDS_PUT_RIGHT.replace("{person}", person)),
        re.compile(_WORDS_TOO.replace("{person}", person)),
    )


def _words_put_right(said: str, person: str) -> str | None:
    """Return the message in the words that were meant: 「说车到了，哦，是说车还没到」; 「也」 is not part of it."""
    other, too = _message_forms(person)
    found = other.fullmatch(said)
    if found is not None:
        return f"{found['lead']}{found['words']}"
    timed = _TIME_PUT_RIGHT.fullmatch(said)
    if timed is not None and timed["same"] in ("", timed["tail"]):
        return f"{timed['lead']}{timed['new']}{timed['tail']}"
    again = too.fullmatch(said)
    return f"{again['first']}，{again['second']}{again['words']}" if again is not None else None


def _counted_apart(said: str) -> str | None:
    """Return 「数一下客厅里坐着的人，再数一下客厅里站着的人」 for 「数数客厅坐着几个、站着几个」."""
    found = _COUNTED_APART.fullmatch(said)
    one, other = (found["a"] or found["a2"], found["b"] or found["b2"]) if found is not None else ("", "")
    if found is None or one == other:
        return None
    where = found["where"] or found["there"]
    tell = f"，{found['tell']}" if found["tell"] else ""
    return f"数一下{where}里{one}着的人，再数一下{where}里{other}着的人{tell}"


def _not_counted(said: str) -> str | None:
    """Return 「数一下书房里站着的人」 for 「数数书房里的人，坐着的不算」; on beds and sofas people lie as well."""
    found = _NOT_COUNTED.fullmatch(said)
    where = (found["a"] or found["b"]) if found is not None else ""
    if found is None or re.search(r"卧室|床|客厅|沙发", where):
        return None
    tell = f"，{found['tell']}" if found["tell"] else ""
    return f"数一下{where}里{_OTHER_POSTURE[found['posture']]}着的人{tell}"
