"""Chinese phrases that stand for a plainer order, written out before anything else is read.

「老地方」 is where the robot charges, 「祝安琪生日快乐」 is said to her, 「卧室有个人在挥手，去问问他……」 introduces the one
who is meant, and 「梨别动」 leaves alone what no order is about. The English twin is :mod:`english_halves`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.lexicon import Vocabulary

_ASKS = r"(?:你|您|请|麻烦|帮我|帮忙|给我|替我|快|就|去|来|过去|先)*"
_END = r"(?=[，。！!；;]|$)"
_SIDE = r"(?:里面|里头|里边|上面|上头|那边|那儿|那里|旁边|里|上|内|中)?"
_POSE = (
    r"挥着?手|招着?手|举着?[左右]?手|站着|坐着|躺着|睡着|"
    r"穿[^，。]{2,7}?(?:衣服?|衫|夹克|外套|毛衣|衬衫|裙子?|T恤)"
)
_WISH = (
    r"(?:(?:生日|新年|节日|新婚|中秋节?|圣诞节?|春节|端午节?|国庆节?|元旦|母亲节|父亲节|教师节|情人节|周末|"
    r"假期|旅途|工作|考试|学习|一切)?"
    r"(?:快乐|愉快|幸福|顺利|成功|平安|顺心)|好运|健康|身体健康|早日康复|一路顺风|一路平安|万事如意|"
    r"恭喜发财|百年好合|好梦|学业有成|步步高升)"
)
_EVIL = (
    r"(?:像什么话|像什么样子?|像话吗?|不像话|不像样|算怎么回事|算什么事|成何体统|怎么行|可不行|不行|多危险|"
    r"太?危险|不安全|不合适|不卫生|"
    r"碍事|碍眼|挡路|容易[坏摔碎丢掉倒]|会坏|会掉)(?:了|的|啊|呀|呢|吧)*"
)
_REACH = (
    r"(?:小?孩子?|宝宝|娃娃?|猫|狗|小朋友|小家伙)们?(?:都|会|就|也|很?容易|一?伸手就?)*"
    r"(?:够得[着到]|碰得[着到]|拿得[着到]|摸得[着到]|够[着到]|碰[着到]|会碰|会动|乱动|误食)(?:的|了)?"
)

# Each: what has to be in the sentence at all, the phrase, and what it becomes.
_HALVES: tuple[tuple[str, str, str], ...] = (
    # 「喂」 calls somebody; with nothing behind it, it is a greeting.
    ("喂", r"^喂+[，,！!。？?\s]*(?:小?祖龙|小?机器人|小家伙)?[。！!？?]*$", "你好"),
    ("喂", r"^喂+(?:[，,！!。？?\s]+|(?=小?祖龙|小?机器人|小家伙))", ""),
    ("拉倒", r"(?<=[没有])(?:的话|了)?[，,]?(?:那)?(?:就)?拉倒(?:吧|呗)?" + _END, "就算了"),
    # 「你的位置」「老地方」: where the robot charges
    (
        "位|老地方",
        r"^" + _ASKS + r"(?:回到|回去|回|去到|去|到)?(?:(?:你|你自己|自己|自个儿)的?(?:老地方|老?位置|位子|"
        r"岗位)|老地方|老位置)(?:上|那儿|那里)?"
        r"(?:去|待着|呆着|歇着|站着|候着|待命|休息|吧|了)*(?=[。！!]?$)",
        "去充电",
    ),
    ("休息休息|歇歇", r"(?<=去)(?:休息休息|歇歇|歇一歇|好好休息|歇一下)(?=吧|$|[，。！])", "休息"),
    # what is said to somebody
    (
        "祝",
        r"^" + _ASKS + r"(?:代我|替我|帮我|我)?(?:去)?祝(?:福|愿|"
        r"贺)?({person})((?:" + _WISH + r")(?:[、，]" + _WISH + r")*)(?=[。！!吧]?$)",
        r"对\1说「祝你\2」",
    ),
    ("祝你", r"((?:大家|所有人|每个人|各位|们)说「祝你)(?!们)", r"\1们"),
    (
        "谢",
        r"^" + _ASKS + r"(?:代我|替我|帮我|代表我|给我)(?:去|跟|向|和|对)*(?:说)?(?:声|句)?(?:谢谢|感谢|"
        r"谢过|谢)(?:一下|下)?({person})"
        r"((?:送|给|做|带|寄|借|买|帮|的|请|招待|照顾|陪|教|让|拿|煮|炒|烤|修)[^，。！？「：]{1,10})(?=[。！!]?$)",
        r"对\1说「谢谢你\2」",
    ),
    (
        "遍|次",
        r"^(" + _ASKS + r")(?:跟|对|和|给|向|告诉|提醒|通知)({person})(?:讲|说|念|喊|念叨|重复|"
        r"提)?([一二两三四五六七八九十\d]+[遍次])[：:，,]\s*([^，。：]{2,30})$",
        r"\1对\2说\3\4",
    ),
    # counted, with the order to count behind the question
    (
        "数|点",
        r"([几多][^，。？]{1,6})[，,？?]+" + _ASKS + r"(?:点点数|点个数|数清楚了?|点清楚了?|数好了?|数完了?|"
        r"数一数|数数看|数明白了?|清点一下|点一点|点点|数数)"
        r"(?:[，,]|再|就|后|以后|之后)*(?:回来)?(?:告诉我|跟我说|跟我讲|报给我|报个数|向我汇报|汇报|说一声|"
        r"告诉我一声)?(?:一下|一声)?(?=[。！!]?$)",
        r"\1",
    ),
    ("几样|几种", r"有(?:几样|几种)(?=[^，。？]{1,6}$)", "有几个"),
    # somebody who is introduced, and then spoken of
    (
        "有",
        r"^(如果|要是|若是|假如)?({place}" + _SIDE + r")(?:现在|这会儿)?有(?:一)?(?:个|位|名)?(?:人|"
        r"家伙)(?:在|正在|正|一直)?(" + _POSE + r")(?:呢|的话)?[，,]"
        r"([^，。；！？他她]*?)(?:他|她|那个人|人家|那人)(?!们|的)([^，。；！？他她]*)(?=[，。；！]|$)",
        r"\1\2有\3的人，\4\2\3的人\5",
    ),
    ("^(?!如果|要是|若是|假如)", r"^({place}" + _SIDE + r")有(" + _POSE + r")的人，(?=[^，。；]*\1\2的人)", ""),
    (
        "要去|想去|去|回",
        r"^({person})(?:现在|正|马上)?(?:要|想|准备|打算|得|正要)(?:去|上|回|到)({place})(?:里|那儿|"
        r"那边)?(?:了|呢)?[，,]" + _ASKS + r"(跟)(?:着|上)?(?:他|她)(?:一起|一块儿?)?"
        r"(?:过去|去|走|走一趟|去一趟)?(?:吧|呗)?(?=[。！]?$)",
        r"跟着\1去\2",
    ),
    (
        "要去|想去|去|回",
        r"^({person})(?:现在|正|马上)?(?:要|想|准备|打算|得|正要)(?:去|上|回|到)({place})(?:里|那儿|"
        r"那边)?(?:了|呢)?[，,]" + _ASKS + r"(?:带|领|送|引|陪)(?:着|一下)?(?:他|她)(?:一下)?"
        r"(?:过去|去|走|走一趟|去一趟)?(?:吧|呗)?(?=[。！]?$)",
        r"带\1去\2",
    ),
    (
        "见",
        r"^(?:咋|怎么)?(?:半天|好久|一直|一上午|一下午|一天|大半天|好半天|好一会儿|老半天|今天)?(?:都|也|就|"
        r"了)*(?:没|不)(?:看|瞧|瞅)?见(?:着|到)?({person})(?:了|啦)?"
        r"[，,](?:他|她)?(?:人)?(?:呢|(?:跑|上)?(?:去)?(?:在)?哪(?:儿|里)?(?:去)?(?:了|啦|呢)?)[？?。]*$",
        r"\1在哪里",
    ),
    # what is wrong with where a thing is
    (
        "放|搁|摆|丢|扔|在",
        r"^({thing})(?:怎么|又|还|总|老)*(?:放|搁|摆|丢|扔|落|撂|待)?(?:在|"
        r"到)?({place}" + _SIDE + r")" + _EVIL + r"[，,！!？?](?=[^，。]*(?:放|搁|摆|收|拿|挪|搬|送|归))",
        r"\2的\1，",
    ),
    ("够|碰|动|误|拿|摸", r"(?<=[^，。])[，,]?" + _REACH + r"(?:[，,]" + _EVIL + r")?[，,](?=[^，。]*(?:放|"
    r"搁|摆|收|拿|挪|搬|送|归))", "，"),
    ("呢", r"^({thing})呢[，,！!？?]+(?:你|快|赶紧|就|去|请)*(?=(?:给我)?(?:拿|取|递|端|送|找来))(?!拿什么|"
    r"找找)(?![^。]*[吗么？?])", r"把\1"),
    # one thing refused, another one wanted
    (
        "改",
        r"^(?:{thing})(?:就|还是)?(?:别|不|不要|不用)(?:拿|要|吃|喝|送|取|用)了?[，,](?:我|我们|那就)?(?:想|"
        r"要)?改(?:吃|喝|拿|要|用|成|为|送|取)([一两]?[个只瓶杯罐盒根块]?{thing})(?:吧|好了)?(?=[。！]?$)",
        r"给我拿\1",
    ),
    (
        "也",
        r"^(?:你)?(?:别|不要)(?:拿|要|给我)?(?P<no>{shade})[，,]?也?(?:别|不要)(?:拿|要|"
        r"给我)?{shade}[，,](?=(?:我要|要|给我|拿|把)?[红蓝绿黄黑白橙灰棕紫粉])(?!(?:我要|要|给我|拿|把)?(?P=no))",
        "",
    ),
    # as soon as, if
    ("才", r"^({place}" + _SIDE + r"(?:没有?人|有人|空着|空了))(?:的话|了|时|的时候)?[，,]?(?:你)?才(?:能|"
    r"可以)?(?:过去|进去|去)(?=[。！]?$)", r"如果\1，就过去"),
    ("才", r"^({place})(没有?人|有人|空着|空了)(?:的话|了)?[，,]?(?:你)?才(?:能|可以)?(去|拿|把|告诉|跟|叫|"
    r"带)", r"如果\1\2，就\3"),
    ("再", r"(等[^，。等]{1,6}(?:钟|秒|分|小时))再(说|讲|喊|念)(?=[^，。不]{2})", r"\1，然后\2"),
    (
        "有",
        r"^({place}" + _SIDE + r")有({thing})(?:的话)?(?:就)?(?:拿|要|取)\2[，,；;]没有?(?:的话|"
        r"了)?(?:就)?({thing})(?:也成|也行|也可以|也好|就行|凑合)?[，,](?:给我|拿给我|拿来)(?:拿来|吧)?$",
        r"如果\1有\2，就给我拿\2，没有就给我拿\3",
    ),
    # two places in a row
    ("这", r"^(?:去)?({place})(?:[、，,和跟](?:还有)?({place}))[，,]?(?:这|那)?(?:两|俩)?(?:个)?(?:地方|处|"
    r"地儿)?[，,]?(?:来回)?(?:各)?(?:跑|走|转|巡)([两三四五六七八九十\d]+)(?:轮|遍|圈|趟|"
    r"回)(?=[。！]?$)", r"去\1和\2，跑\3遍"),
    ("待着|呆着", r"(?<=[，,])(?:之后|然后|再|接着|最后)+(?:再)?(?:去|回|到)({place})(?:里|那儿|"
    r"那边)?(?:待着|呆着|候着|歇着|待命)(?=[。！]?$)", r"然后去\1"),
    (
        "也",
        r"((?:放|摆|搁|挪|移)(?:到|在|进|"
        r"回)({place}" + _SIDE + r")(?:去)?[，,；;][^。]*?把{thing})也(?:一起|一块儿?)?(?:放|摆|搁|送|拿|挪|"
        r"搬|端)(?:过去|上去|进去|那儿去?|那里去?)(?=[，。！]|$)",
        r"\1也放到\2",
    ),
    ("[玩踢]", r"(?<=[拿找送来取递])((?:一?[个只])?(?:{thing}))(?:来)?(?:玩玩|玩会儿|玩一会儿|玩儿|踢踢|玩|"
    r"踢)(?=$|[，。！吧])", r"\1"),
)  # fmt: skip

_LEFT_ALONE = re.compile(
    r"[，,；;](?:那个|那|这)?(?P<what>[^，。；不别]{1,6}?)(?:就|先|都)?(?:(?:放着|留着|搁着)?(?:别|不要|"
    r"甭)(?:动|碰)|留着|留在(?:那儿|那里|原处|原地)|"
    r"放着|不动|(?:别|不用|甭)管)(?:它|了|就行|就好)*(?=[。！]?$)"
)
_SAID_WRONGLY = re.compile(
    r"(?P<order>[^，,…。？]{2,})(?P<gap>[，,…。—]+)(?P<more>(?:(?P<mark>不是|不对|不|错了|"
    r"哦不)[，,…。—]*)?[^，。？…]{2,12})"
    r"[，,…。—]+(?:我)?(?:刚才|刚刚|刚)?(?:说|讲|搞|弄|记)(?:错|岔|反)了(?:啊|呀)?[。！]*"
)
_TELLS = re.compile(r"告诉|通知|转告|提醒|[说讲道]")
_QUOTED = re.compile(r"[“”\"「」『』‘’]")
_LONGEST = 120
_OVER_ALL = re.compile(r"都|所有|全部|全|每|东西|一切|其他|别的")


def written_out(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with the phrases that stand for a plainer order written out.

    Args:
        text: the sentence as it was said.
        vocabulary: the names.
    """
    if _QUOTED.search(text) or len(text) > _LONGEST:
        return text
    wrong = _SAID_WRONGLY.fullmatch(text)
    if wrong is not None and not _TELLS.search(wrong["order"]):
        mark = "" if wrong["mark"] else "不对，"
        text = f"{wrong['order']}，{mark}{wrong['more']}"
    for needed, rewrite in _rewrites(vocabulary):
        if needed.search(text):
            text = rewrite(text)
    return _without_left_alone(text, vocabulary)


def _without_left_alone(text: str, vocabulary: Vocabulary) -> str:
    """Leave out 「梨别动」 behind an order about single things that are something else."""
    alone = _LEFT_ALONE.search(text)
    if alone is None:
        return text
    rest = text[: alone.start()]
    known = [sense for sense in vocabulary.chinese.get(alone["what"], ()) if sense.kind == "object"]
    ids = {name for sense in known for name in sense.ids}
    named = [
        sense
        for start in range(len(rest))
        for end in range(start + 1, min(len(rest), start + 6) + 1)
        for sense in vocabulary.chinese.get(rest[start:end], ())
        if sense.kind in ("object", "category", "generic")
    ]
    single = bool(named) and all(sense.kind == "object" and not ids & set(sense.ids) for sense in named)
    return rest if len(ids) == 1 and single and not _OVER_ALL.search(rest) else text


@functools.lru_cache(maxsize=4)
def _rewrites(vocabulary: Vocabulary) -> tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]:
    names = {**name_patterns(vocabulary), "shade": r"(?:[红蓝绿黄黑白橙灰棕紫粉](?:色|颜色)?的?)"}

    def filled(pattern: str) -> re.Pattern[str]:
        for name, words in names.items():
            pattern = pattern.replace("{" + name + "}", words)
        return re.compile(pattern)

    return tuple(
        (re.compile(needed), functools.partial(filled(pattern).sub, plain))
        for needed, pattern, plain in _HALVES
    )
