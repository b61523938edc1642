"""What stands in a Chinese sentence that speaks against the orders that were read out of it.

「有没有去厨房」 asks, 「下次把苹果给简」 is for another time, 「水果都拿来，苹果除外」 leaves something out: the order
is there, and so is what changes it. The readers look for orders; here the sentence as it was said is looked at for what
none of them has a part for, and a plan that passes it by has to be confirmed first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.chinese_excess import excess
from zulong.agent.language.chinese_named import CORRECTED, Names, ids_of, names_of, told_more
from zulong.agent.language.chinese_oversights import oversights
from zulong.agent.language.chinese_undone import undone
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import CARRYING, FOUND_OUT, Clause, Referent
from zulong.agent.language.often import unrepeated

_MOVING = frozenset(("go", "guide", "follow", "meet", "find"))
_DOING = CARRYING | _MOVING | {"tell", "ask", "greet", "introduce", "wait", "count", "describe"}
_NUMBER = r"[一二两三四五六七八九十几\d]+"

_UNTIL = re.compile(r"直到(?![^，。]{0,4}停)[^，。]*|[^，。]{1,8}(?:就停下?|为止)")
# The words, and the deeds that they speak against.
_AGAINST: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(pattern), frozenset(deeds))
    for pattern, deeds in (
        # -- asked about, not ordered
        (r"有没有(?=去|把|带|告诉|问|给|拿|送|放|跟)[^，。]*", _DOING),
        (
            r"^(?!.*(?:能|可以|可否|帮|请|麻烦)).*(?:(?:去|拿|告诉|问|给|说|带|放|找|送)(?:过(?!来|去)|了)[^，。！？]{0,8}|"
            r"(?:告诉|给|带)[^，。！？]{1,4}(?:过|了))(?:吗|没有|没|么)(?=[？?。]*$)",
            _DOING,
        ),
        (r"你(?:还)?(?:要|想|打算|准备)(?:去|不去)[^，。！？]*(?:吗|么)?(?=[？?]*$)", _DOING),
        (r"(?:还|要不要|用不用|该不该)去[^，。！？]*(?:吗|么)?(?=[？?]*$)", _MOVING),
        (
            r"(?:^|[，。])(?:咱们?|我们?|你说|你看|你觉得|那|我在想|不知道|是不是)*(?:要不要|该不该|用不用|"
            r"需不需要|应不应该|是不是该|是不是要)[^，。！？]*",
            _DOING - {"tell", "ask"},
        ),
        (
            r"[^，。]{1,6}还(?:要[^，。]{0,3}(?:吗|么|不)?|[拿给](?:不[^，。]{0,3}|[^，。]{0,3}(?:吗|么|不)))(?=[？?]*$)",
            CARRYING,
        ),
        (r"(?:悄悄|偷偷)地?(?=跟)", frozenset(("follow",))),
        (r"(?<=[^，。])不是(?:带|领|去|跟着)[^，。]*", frozenset(("guide", "follow"))),
        (
            r"(?:已经|早就|早)(?:把[^，。]{1,5})?(?:给|送|拿|端|递|带)[^，。]{0,6}(?:了|过)(?![^，。])",
            CARRYING,
        ),
        (r"(?:昨天|前天|上周|以前|小时候|从前|上个月)[^，。]{0,4}(?:想|要|喝|吃)(?!的)[^，。]*", CARRYING),
        (
            r"(?:可惜|但是?|可是?|不过)[^，。]{0,3}(?:没有|没了|没牙|喝不了|吃不了|不能喝|不能吃)(?![^，。])",
            CARRYING,
        ),
        (r"我(?:要是|如果)[^，。]{1,6}就(?:喝|吃|要)[^，。]*", CARRYING),
        (r"说给[^，。我]{1,4}(?:带|拿|送|端|递|捎|取)[^，。]*", frozenset(("tell",))),
        (r"谁(?:让|叫|要)你[^，。]*", _DOING),
        (
            r"(?:我|他|她)(?:叫|让|要|请|吩咐)(?:过)?你[^，。！？]*(?:了吗|了没|没有|吗|么)(?=[？?。]*$)",
            _DOING,
        ),
        # -- looked at only, watched, led or asked with more to follow
        (r"^(?!.*[拿取带递送端给捎搬放挪收]).*(?:看看|看一下|瞧瞧|瞅瞅|看一眼)(?=[。！吧]*$)", CARRYING),
        (
            r"^(?!.*(?:跟|哪)).*(?:盯[着住]|看[着住](?=[^，。办走]{1,4}(?:[，。]|$))|监视|守着)",
            frozenset(("follow",)),
        ),
        (r"(?:路过|经过|途经)[^，。]{1,6}", frozenset(("guide",))),
        (
            r"跟着?[^，。]{1,5}(?:走|跑|逛)[一二两三四五六七八九十半\d]+个?(?:分钟|小时|秒)",
            frozenset(("follow",)),
        ),
        (
            r"[，。](?:他|她|要是|如果)?(?:同意|愿意|答应|想去|说好|说要|说行|说可以|点头)(?:的话|了)?[，]?就[^，。]*",
            frozenset(("ask",)),
        ),
        (r"不是(?:让|叫|要)你[^，。]*(?:吗|么)", _DOING),
        (r"给我找(?:过)?来(?=[，。！]*$)", frozenset(("go",))),
        (
            r"(?:让|叫|要)你(?:拿|送|去|放|给|带)[^，。]{1,8}你(?:却|又|倒|怎么|偏|就|还)?(?:拿|送|去|放|给|带)[^，。]*",
            _DOING,
        ),
        (r"你(?:是不是|会不会|去不去|拿不拿|不[^，。]{1,6}吗)[^，。]*", CARRYING | _MOVING),
        (r"你认(?:识|得)[^，。]*", _DOING),
        (r"(?:拿|搬|端|够)得[了动着到][^，。]*", _DOING),
        (r"我能[^，。]{0,3}(?:吗|么)|让我(?:过去|进去|看看|试试)", _DOING),
        (
            r"(?:祝|谢谢|感谢|问候)[^，。？！]{1,10}(?:了|过)(?:吗|没有|没|么)(?=[？?。]*$)",
            frozenset(("tell", "greet")),
        ),
        # -- what the speaker or somebody else does, or has heard
        (
            r"(?:^|[，。])(?:我|我们|咱们?)(?:现在|马上|一会儿|等会儿|今天|还是)?(?:想|要|打算|准备|得|"
            r"去)(?:自己)?(?:去|见)(?!.*(?:带|领|送|陪|路))[^，。]*",
            _MOVING,
        ),
        (r"听说[^，。]*|说好的[^，。]*", frozenset(("tell", *CARRYING))),
        (r"都去[^，。]{1,6}了", _MOVING),
        (
            r"(?:^|[，。])(?:我|我们)(?:来|自己|先|这就)?(?:带|领|送|陪)[^，。我你]{1,6}(?:去|到|回|上)[^，。]+",
            frozenset(("guide",)),
        ),
        (
            r"(?:^|"
            r"[，。])[^，。你您我请帮让叫把给快去来先再就麻该得需有么][^，。你您我请帮让叫把给]{0,4}(?:要|想|"
            r"会|准备|打算)(?:带|领|送|陪|跟着)[^，。我]{1,5}(?:去|到|回|上)[^，。]+",
            frozenset(("guide", "follow")),
        ),
        (r"看看?(?:他|她)(?:要|想|准备)?(?:去|上|往|干|做)(?:哪[儿里]?|什么|啥)", frozenset(("tell",))),
        (
            r"(?:^|[，。])(?!可以|该|能|要|现在|一起|快|马上|得|带|领|送|陪|"
            r"跟)[^，。你您请帮让叫把给去来先再就麻]{1,5}(?:带|领|送|陪|跟着|跟)"
            r"[^，。]{1,5}(?:(?:去|到|回|上)了[^，。]{1,6}|(?:去|到|回|上|过)[^，。]{1,6}了)(?=[，。！]|$)",
            frozenset(("guide", "follow")),
        ),
        # -- what is done already, or will be done by the speaker
        (
            r"(?:^|[，。])(?!(?:把|帮|请|你|麻烦|给我|赶紧|快))[^，。该快得要应别不甭]{0,8}(?:放|搁|摆|收|"
            r"存)(?:在|到|进)?[^，。该]{1,6}(?:上|里)了(?=[，。！]|$)(?!.*[，。](?:你|帮我|给我|快|赶紧|"
            r"就)*(?:收|放|搁|摆|挪|搬|拿|送)(?:到|回|进|去|在))",
            {"put", "bring"},
        ),
        (
            r"(?:给|被|让)[^，。]{1,4}(?:喝|吃|用|玩|拿|弄|打|摔|收)(?:完|光|掉|没|走|坏|丢|碎)了",
            CARRYING,
        ),
        (r"我自己(?:来|去|拿|弄|做|动手|过去|搞)(?!的)[^，。]{0,4}", _DOING - {"tell"}),
        (r"(?:不要|别拿|别要|不想要)(?:太)?[大小旧脏坏烂冰凉热甜酸]的(?=[，。]|$)", CARRYING),
        # -- asked for, or taken back, by what was ordered before
        (
            r"(?:你|我|他|她)?(?:给|帮|替)[^，。]{1,4}(?:拿|送|带|买|端|取|放)的[^，。]{1,6}(?:呢|在哪|去哪|"
            r"哪去了|哪儿|好了吗|到了吗)[^，。]*",
            CARRYING,
        ),
        (r"(?:让|叫|请|要)你[^，。]{1,8}的[^，。]{0,6}(?:不要|不用|算了|别)[^，。]*", CARRYING),
        # -- held up while walking
        (r"[搀扶](?!手)[^，。]{1,6}", {"guide"}),
        # -- left where it is
        (r"[，。](?:你)?别(?:动|碰)(?:它|那个)?(?=[，。])", CARRYING),
        # -- some of it
        (r"再来一?(?:点|些|口|份|杯|瓶|罐|块)(?=[，。！吧啊]|$)", {"go"}),
        (
            r"[两俩三四][个瓶罐杯盒根][^，。]{1,5}[，]?(?:其中)?一[个瓶罐杯盒根]给(?:我|他|她|"
            r"[^，。]{1,4})(?=[，。]|$)(?!.*(?:另|还有|剩|再|，一))",
            CARRYING,
        ),
        # -- not to be counted
        (
            r"(?<=[，。])[^，。]{1,8}(?:不算|别算|不用数|别数|不数|不计|除外)(?:在内|进去)?",
            frozenset(("count",)),
        ),
        # -- at another time, how often, until when
        (
            r"(?:^|[，。])(?:你|那)?(?:下次|下回|以后|今后|往后(?![退站靠挪让走躲撤倒点一])|将来|改天|平时)(?!再说)",
            _DOING,
        ),
        (
            rf"{_NUMBER}个?(?:秒钟?|分钟?|小时|钟头)(?:就)?(?:说|来|去|看|问|喊|报)?[^，。]{{0,4}}一[次遍回趟]",
            _DOING,
        ),
        (r"等了[^，。]{0,8}了", frozenset(("wait",))),
        (r"(?:等我|我)(?:叫|喊|让|说)[^，。]{0,4}再[^，。]*", _DOING),
        (r"(?:再说|再问|再喊)(?=[^，。])[^，。]*", frozenset(("wait",))),
        (r"(?:回来|过来|来|去)的?(?:时候|路上)|(?:回来|过来)时", CARRYING),
        (_UNTIL.pattern, frozenset(("follow", "wait"))),
        # -- by somebody else, from somebody, of somebody
        (
            r"找(?:个|一个)?人(?:帮忙|帮我|帮|来|去)?(?=把|拿|要|帮|去)[^，。]*|找[^，。把给不到]{1,3}(?:帮忙|"
            r"帮我|要)[^，。]*",
            CARRYING | {"go"},
        ),
        (r"(?:大家|所有人|别人|谁)的", CARRYING),
        (
            r"(?:同|跟|和)(?![^，。]{0,5}[子果片奶汁茶碗杯盘勺叉刀乐啡梨桃])[^，。]{1,4}(?:一起|一块儿?)[^，。]*",
            CARRYING,
        ),
        (r"(?:让|叫|请)[^，。]{1,4}等[^，。]*", frozenset(("wait",))),
        (r"要么[^，。]+要么[^，。]*", CARRYING),
        (
            r"跟[^，。]{0,3}我(?:走)?[，,](?:[^，。]{1,8}[，,])?(?:咱们?|我们)(?:一起|一块儿?)?(?:去|到|上|回)[^，。]*",
            frozenset(("go",)),
        ),
        (
            r"(?:^|[，。])(?:你|您)?(?:还)?(?:想|要)不?(?:想|要)?(?:吃|喝|要)[^，。]{1,6}(?:吗|么|不)(?=[？?。]*$)",
            CARRYING,
        ),
        (r"再(?:切|削|洗|热|煮|剥|榨|加热|烤|泡)[^，。]*", CARRYING),
        (r"(?:没|不)(?:答应|同意|许|准|允许)[^，。]*", CARRYING),
        (r"(?:返回|回)[^，。]{1,6}之前先[^，。]*", _MOVING),
        (r"把[^，。]{1,4}(?:放|搁|扔|丢)(?:到|在|进)[^，。]*", frozenset(("guide",))),
        (r"问[^，。]*是否[^，。]*", frozenset(("tell",))),
    )
)
# A denial that is none.
_REPROACH = re.compile(r"不是(?:让|叫|要)你[^，。]*(?:吗|么)|你(?:是不是|去不去|不[^，。]{1,8}吗)[^，。]*")
# Questions that would get the answer to another one.
_NOT_ANSWERED = re.compile(
    r"(?:(?:应该|该|要)把|^把)[^，。]{1,6}放(?:在|到)?(?:哪|什么地方)[^，。]*|谁(?:让|叫|要)你[^，。]*|"
    r"谁(?:在|和|跟)[^，。]{1,5}(?:旁边|身边|一起)|[^，。]{1,5}(?:旁边|身边)(?:有|是)谁|只有(?=[^，。]*吗)|"
    r"(?:最后|上)(?:一)?次[^，。]*(?:什么时候|几点)[^，。]*|"
    r"(?:沙发|桌子?|床|柜子?|架子?|门|墙|冰箱|洗碗机|水槽)(?:是|的)?(?:什么)?颜色[^，。]*"
)
# Messages and questions whose words are no words to say.
_NO_MESSAGE = re.compile(
    r"着.*|呢|什么(?:呢)?|啥|完(?:了)?(?:话|事|天)?(?:就|再|后|之后|以后)?[^，。]*|(?:他|她|它)们?|(?:了|"
    r"过了?)(?:吗|没有|没|什么)?|(?:说|讲)?(?:点|些)(?:什么|啥|话)|(?:句|个)?话|说话|说说话|明情况|清楚|明白|"
    r"请?(?:的|或者?|和|跟|以及|吗|英语|普通话|中文)[^，。]*|(?:让|叫)(?!他|她)[^，。]*|"
    r"[一二两三四五六七八九十几\d]*(?:个|段|句)(?:笑话|故事|话)|"
    r"(?:这|那)?(?:件|个)?(?:事情?|消息|结果|答案|真相|情况|秘密|原因)|(?:我)?的?(?:谢意|歉意|问候|祝福|心意)"
)
_WHOM_NOT_KNOWN = re.compile(r"[^，。是有在]{1,8}的(?:那个人|那位|那个|那人|人)(?=[^，。的是])")
_TOLD_ON = re.compile(r"(?:再|也|然后|还有)?(?:告诉|通知|转告|提醒|跟)[^，。]{1,5}(?:说一声|一声|说)?$")
_HEARD_FROM = re.compile(
    r"(?:^|[，。])(?:我|咱|他|她)?(?:们)?(?:爸爸?|妈妈?|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|"
    r"老婆|老公|媳妇|儿子|女儿|闺女|孩子|老板|医生|老师|邻居|客人|他|她|他们|人家)(?:刚|刚才|刚刚|昨天)?(?:说|"
    r"讲|喊|叫)(?:要|让你|叫你)?$"
)
_ASIDE_IN_MESSAGE = re.compile(
    r"(?:不是|不对)(?:告诉|通知|转告|问)[^，。]*|(?:，|(?<=了))(?:我?说错了|口误|嘴瓢了|我改主意了)[^。]*|[，,；;](?:但|不过|也|先)?(?:不用|不要|别|不必)(?:再)?(?:告诉|通知|跟|和|对|让|叫)[^，。]*|"
    r"[，,][^，。]{1,4}也(?:要|得)?(?:告诉|通知|说)[^，。]*|[，,]让(?!他|她)[^，。]{1,4}也[^，。]*|"
    r"(?:就|再|然后|[，,])(?:赶紧|马上|立刻)?回来(?=$)|[，,](?:好吗|好不好|行吗|可以吗)$|然后[^，。]*|再说$|"
    r"[^，。]{1,6}(?:之|以)?[前后]先?等[^，。]*|"
    r"并(?:且)?(?:转告|告诉|通知)[^，。]*|就给(?:他|她)[^，。]*|来就[^，。]*"
)
_OTHER_BRANCH = re.compile(
    r"(?:^|[，,；;])(?:要是|如果)?(?:没有|没人|不在|没|有人|在|有|否则|不然|不是|关着|开着)(?:的话|了)?(?:你)?(?:就|则)"
    r"(?:在|去|回|等|把|拿|给|带|跟|放|过来|来|待|站|直接|先)[^，。]*"
)
"""What is to be done if it is otherwise is no part of what is said."""
_REPORTED_ORDER = re.compile(
    r"[，,](?:他|她)(?:原谅|来|去|别|快|等|早|把|拿|先|下来)[^，。]*|^请[^，。]*你[^，。]*"
)
_QUOTED = re.compile(r"[“\"「『‘：:]")
_IN_QUOTES = re.compile(r"[“\"「『‘][^”\"」』’]*[”\"」』’]")
_NO_ANSWER_TO = re.compile(r"(?:过?了|过)(?:吗|没有|没)?|(?:或者?|和|跟)[^，。]*|再说|[^，。]*再说")
_NO_QUESTION = re.compile(r"(?:拿|去|把|带|送|放)[^，。吗呢？几什么谁哪多要想]*")
_ASKED_IN_MESSAGE = re.compile(
    r"(?:我|你|咱们?|我们)?(?:(?:现在)?在哪(?:儿|里)?|叫什么(?:名字)?|是谁|几点(?:了)?|什么时候[^，。]*|为什么[^，。]*)|"
    r"谁(?:在|是)[^，。]*|怎么(?:去|走|做)[^，。]*|(?:我|你)(?:看|听|找|拿)到了?(?:什么|谁)"
)
LEFT_OUT = re.compile(
    r"(?:除了|除开|除)(?P<a>[^，。]{1,8}?)(?:以外|之外|外)?(?=[，。]|都|其|$)|"
    r"(?P<b>[^，。和跟及]{1,6}?)(?:除外|以外的?|之外的?)|"
    r"(?:^|[，。])(?:但|不过|可|就|只|切记|千万|记得|记住|一定|绝对|注意)*(?:是)?(?:别|不要|不能|不喝|不吃|不爱吃|不爱喝)(?!把|忘|碰|急|让|叫|去|"
    r"告诉)(?:是|拿|要|放|给)?"
    r"(?P<c>[^，。]{1,6})|"
    r"[，。](?P<d>[^，。]{1,5}?)(?:就)?(?:别(?:拿|放|动|碰|给)?|不要|留下|算了|不用)(?:了)?(?=[，。]|$)|"
    r"[，。](?P<h>[^，。]{1,6}?)(?:就)?(?:别|不要|不用|甭|不许)(?:再)?(?:给|拿给|送给|递给|端给|拿)(?:我|他|"
    r"她|[^，。]{1,3})?(?:了)?(?=[，。]|$)|"
    r"(?:他|她|我|[^，。]{1,3})不(?:能)?(?:吃|喝|爱吃|爱喝|喜欢)(?P<e>[^，。]{1,5})|对(?P<f>[^，。]{1,5})过敏|"
    r"(?P<g>[^，。]{1,5})(?:吃|喝|玩)?腻了?"
)
_BESIDE = r"(?:旁边|旁|后面|后头|前面|下面|底下|背后|之间|中间|隔壁)"
_SENT_TO = re.compile(r"往[^，。]{1,5}(?:送|拿|端|带|搬)[^，。]*")
_GO_BEHIND = re.compile(r"去[^，。]{1,5}(?:后面|背后|底下|中间)(?=$|[，。])")
_ONLY_NAMES = re.compile(
    r"(?:[给把将在到去送拿带放也和跟与及、的了吧个只瓶杯罐盒份根颗张本条块各各自一二两三四五六七八九十\d\s要得]|"
    r"还有|告诉|通知|说|一声|一下)*"
)
_AT_ONCE = re.compile(
    r"同时(?:去|帮我|给我)?[拿取端搬带送]|一手[^，。]{1,6}一手|(?:两个|两样)?一起(?:拿|端|搬|取)"
)
"""One hand carries one thing."""


def doubts(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> list[str]:
    """Return the words of the sentence that speak against the clauses, in their order; none when they stand.

    Args:
        text: the sentence as it was said.
        clauses: what is to be done by the plan that was made of it.
        vocabulary: the names.
    """
    said = plain(text)
    done = [clause for clause in clauses if not clause.negated]
    if not done:
        reproach = _REPROACH.search(said)
        return [reproach.group()] if reproach is not None else []
    spoken = "".join(clause.text for clause in done)
    names = names_of(vocabulary)
    found = [*_against(said, done, spoken), *_in_messages(said, done, names)]
    # What stands in quotation marks is said to somebody and orders, denies and corrects nothing.
    ordered = _IN_QUOTES.sub("「」", said)
    found.extend(_left_out(ordered, done, names))
    found.extend(_not_carried_out(ordered, done, spoken, names))
    found.extend(_misplaced(ordered, done, names))
    found.extend(oversights(ordered, done, spoken, names))
    found.extend(undone(ordered, done, spoken, names))
    found.extend(unrepeated(ordered, done))
    found.extend(excess(ordered, done))
    return list(dict.fromkeys(word for word in found if word))


def _against(said: str, done: Sequence[Clause], spoken: str) -> Iterator[str]:
    deeds = {clause.action for clause in done if not clause.asked and clause.topic not in FOUND_OUT}
    if any(clause.asked or clause.topic in FOUND_OUT for clause in done) and len(done) == 1:
        answered = _NOT_ANSWERED.search(said)
        if answered is not None:
            yield answered.group()
    for pattern, concerned in _AGAINST:
        if not deeds & concerned or (
            pattern.pattern == _UNTIL.pattern and all(c.goal for c in done if c.action == "follow")
        ):
            continue
        if pattern.pattern.startswith("把") and any(clause.action in CARRYING for clause in done):
            continue
        for match in pattern.finditer(said):
            words = match.group().strip("，。")
            if words and words not in spoken:
                yield words
    at_once = _AT_ONCE.search(said)
    if at_once is not None and sum(clause.action in CARRYING for clause in done) > 1:
        yield at_once.group()
    if "然后把" in said and any(clause.text.startswith("把") for clause in done):
        yield "然后"
    for clause in done:
        if clause.repeat > 1 and clause.action in ("find", "bring", "take", "put"):
            yield f"{clause.repeat}次"


def _in_messages(said: str, done: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield what is in the words to say, or to ask, and belongs to the order."""
    for clause in done:
        words = clause.text.strip("。！!")
        if _QUOTED.search(said):
            # What is quoted is said word for word.
            continue
        if not words or clause.action not in ("tell", "ask"):
            continue
        if (
            clause.action == "tell"
            and clause.recipient is None
            and _HEARD_FROM.search(said[: said.find(words)])
        ):
            # 「爸爸说把电视关了」
            yield words
        if clause.action == "tell" and clause.recipient is None and _WHOM_NOT_KNOWN.match(words):
            # 「跟进来的那个人说欢迎」: whoever is to hear it is no part of what is said.
            yield words
        if clause.action == "tell" and _NO_MESSAGE.fullmatch(words):
            yield words
        if clause.action == "ask" and (_NO_QUESTION.fullmatch(words) or _NO_ANSWER_TO.fullmatch(words)):
            yield words
        if _TOLD_ON.match(words) and names.found(words):
            # 「告诉罗宾，然后告诉简，饭好了」
            yield words
        first = names.pattern.match(words)
        if first is not None and words[first.end() : first.end() + 1] in ("，", "、", "和"):
            # One more who is to hear it.
            yield words
        if any(other.condition is not None for other in done):
            yield from (match.group().strip("，,；;") for match in _OTHER_BRANCH.finditer(words))
        for match in _ASIDE_IN_MESSAGE.finditer(words):
            yield match.group().strip("，,；;")
        if clause.action == "tell" and clause.topic == "free":
            if _ASKED_IN_MESSAGE.fullmatch(words):
                yield words
            for match in _REPORTED_ORDER.finditer(words):
                yield match.group().strip("，,")


def _left_out(said: str, done: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield what was said to be left out and may be taken all the same."""
    for match in LEFT_OUT.finditer(said):
        words = next((group for group in match.groups() if group), "")
        excluded = {thing for _, thing in names.found(words)}
        for clause in done:
            theme = clause.theme
            if clause.action not in CARRYING or theme is None or theme.kind != "object" or theme.excluded:
                continue
            of_a_kind = not theme.ids or bool(theme.category)
            if of_a_kind or (len(theme.ids) == 1 and excluded & set(theme.ids)):
                yield match.group().strip("，。")
                break


def _not_carried_out(said: str, done: Sequence[Clause], spoken: str, names: Names) -> Iterator[str]:
    """Yield the parts that are nothing but names and have no part in what is done: 「给简苹果，罗宾梨」."""
    if CORRECTED.search(said):
        # What was said first is taken back.
        return
    served = ids_of(done)
    for part in re.split(r"[，。；！？,.;!?]", said):
        found = names.found(part)
        if not found or part in spoken or not _ONLY_NAMES.fullmatch(names.pattern.sub("", part)):
            continue
        if any(
            thing not in served
            and name not in spoken
            and not (served & names.all_ids[name])
            and not told_more(name, done)
            for name, thing in found
        ):
            yield part


def _misplaced(said: str, done: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield people who own something and would be given it, and sides of furniture that would be taken for its top."""
    found = names.found(said)
    for clause in done:
        goal = clause.goal
        if clause.action in CARRYING and clause.recipient is not None:
            yield from _owners(said, clause.recipient, found)
        if clause.action in CARRYING and goal is None:
            yield from (match.group() for match in _SENT_TO.finditer(said))
        if clause.action == "go" and goal is not None and _GO_BEHIND.search(said):
            yield said
        if clause.action in ("bring", "put") and goal is not None and not goal.relation:
            beside = (rf"{re.escape(name)}的?{_BESIDE}" for name, thing in found if thing in goal.ids[:1])
            yield from (match.group() for pattern in beside for match in re.finditer(pattern, said))


def _owners(said: str, who: Referent, found: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, thing in found:
        if thing not in who.ids[:1]:
            continue
        owned = re.search(rf"(?:把|将|拿|放到|放在)?{re.escape(name)}的[^，。]{{1,6}}", said)
        given = re.search(rf"(?:给|送|递|交|向)(?:{re.escape(name)}|他|她)(?!的)", said)
        if owned is not None and given is None:
            yield owned.group()
