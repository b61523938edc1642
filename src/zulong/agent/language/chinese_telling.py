"""Tells stretches of a Chinese sentence that only tell something from those that order, want or forbid.

An order has no subject, or 「你」; what has another subject and a predicate of its own is a statement. Whatever could
say how an order is meant (a condition, a denial, a time, a choice, a correction) is never a mere statement.
"""

from __future__ import annotations

import re

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import Token

_YOU_SEE = re.compile(
    r"你(?:看|瞧|知道|也知道|说|猜|懂的|想|想想)(?:啊|呀|吧)?|(?:跟|和|告诉|不瞒)(?:你|您)(?:说|讲)?"
)
_BARRED = re.compile(
    r"^(?:不过|但是|但|可是|可|然而)[^，]*[没不别]|你|您|帮[我忙他她]|替我|给我|请(?!假|客|了)|麻烦|劳驾|拜托|"
    r"如果|要是|假如|假若|倘若|若|除非|否则|不然|的话|只要|只有|一旦|等[^着了]{1,8}(?:再|就|后|时)|以后|之后|的时候|(?<!一)再|"
    r"别(?!人|的|处|墅)|不要|不用|不许|不准|甭|勿|禁止|千万|切记|务必|"
    r"也是$|也一样|也(?:放|拿|给|送|要|搁|去)|算了|不对|错了|取消|改成|换成|我[是说指]的?是|我说的|而是|不是|还是|或者|或是|要么|要不|除了|除开|仅|"
    r"谁|什么|啥|哪|几[个只瓶杯点时]|多少|怎么|咋|吗|明天|后天|晚点|[待一]会儿?(?!儿|要|还|得|有|用|吃|喝|来|就)|"
    r"点钟|[一二三四五六七八九十两\d]+(?:点|分钟|小时|秒)|每(?!天|次)|轮流|一人|各"
)
_RHETORICAL = re.compile(
    r"谁[^，]{1,10}(?:的|了)$|不知道(?:谁|哪|什么时候|怎么)[^，]*|怎么(?:这么|那么|又|还)[^，]*|"
    r"(?:什么|啥)都(?:没|不)[^，]*"
)
_EXCLAIMED = re.compile(
    r"(?:哎哟|哎呀|哎|唉|啊|哦|哟)*"
    r"(?:我这(?:个|把)?老?(?:腰|腿|头|手|肩膀|胳膊|嗓子|肚子|脑子|记性|身子骨|胳膊老?腿|脚|眼睛|嘴)|"
    r"我的?(?:天|妈|老天)(?:哪|呀|爷|啊)?|妈呀|天哪|老天爷|真是的?|烦死我?了?)"
)
_SOMEBODY = (
    r"我们?|咱们?|俺们?|他们?|她们?|大家|大伙儿?|人家|有人|家里人|(?:[我他她]的?|咱)?(?:老?爸|老?妈|爸爸|妈妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|"
    r"妹妹?|叔叔|阿姨|老婆|老公|媳妇|爱人|女儿|闺女|儿子|老板|邻居|室友|同事|老师|朋友|孩子|小孩|宝宝|娃|小朋友|客人|儿媳|岳母|婆婆|孙子|孙女|闺蜜|同学|保姆|钟点工|快递员|医生|护士|物业的?|[^，]师傅|猫|狗)们?"
)
_TIME = (
    r"(?:今天|今儿|今晚|今早|昨天|昨晚|刚才|刚刚|刚|这会儿|现在|早上|上午|中午|下午|晚上|"
    r"最近|这两天|这几天|马上|一会儿?|待会儿?|其实|好像|可能|大概|估计|听说|看来|看样子|话说|反正|因为|由于|既然|虽然|可|可是|但|但是|不过|那|这)*"
)
_PERSON_SUBJECT = re.compile(rf"^{_TIME}(?:{_SOMEBODY})(?!的|那|这|[个只杯瓶])")
_OTHER_SUBJECT = re.compile(
    r"^(?:今天|外面|外头|屋里|家里|天|天气|太阳|雨|风|时间|肚子|嗓子|手|两手|双手|手上|手里|腿|腰|脚|胳膊|头|脑袋|眼睛|嘴|嘴里|嘴巴|喉咙|浑身|满头|身上|"
    r"作业|工作|会议|比赛|电影|晚饭|早饭|午饭|饭|菜|锅|水|快递|外卖|作业|生意|电话|门铃|事情|东西|地上|桌上|房间|生日|聚会|派对)"
)
_STATIVE = re.compile(
    r"(?:要|得)(?:腾|用|空)(?:出来)?|[^，]不(?:下去?|了|动|着|到|开|起来?|来|过来|上)|像样|碍事|挡路|"
    r"太|很|挺|真|有点|怪|特别|非常|实在|不(?!要|用)|没|有|是|在|快[^点些]|还|已经|早就|刚|又|老|总|一直|正|被|让|忘|落(?:在|下)|剩|坏|脏|疼|酸|干|渴|饿|累|困|冷|热|"
    r"凉|用完|喝完|吃完|看完|完了|好了|到了|来了|要[^，]{1,4}了|该[^，]{1,4}了|(?:应?该|得|要)(?:进|回|归|在|搁|待)|了$|着呢?$|呢$"
)
_ENDS_TELLING = re.compile(
    r"(?:碍事儿?|没电了|[弯够走起站坐睡挪动腾抽脱](?:得|不)(?:下去?|了|动|着|到|开|开身|出手|起来?|来|过来|身)|碍(?:手碍脚|事)|挡(?:路|道)了?|[死坏透极惨疯]了|得[^，]{1,6}|(?:刚|才|忙|跑|走|站|坐|干|累|开|加|看|写|打)[^，把给拿放送]{0,6}了?[^，]{0,4}(?:一|半|整|大半|好几|几)(?:整)?[个]?(?:天|上午|下午|晚上|早上|夜|会|小时|钟头)|"
    r"(?:下班|放学|到家|起床|睡醒|出汗|感冒|发烧|头疼|饿|渴|累|困|馋|热|冷|吃饭|开饭|回来|回家|口渴|吃完|喝完|用完|洗完|做完|写完|忙完|打完|跑完|看完|玩完)了?)$"
)
_CALLS_SOMEBODY = re.compile(
    r"(?:再|就|然后|最后|接着|先|你|请|麻烦)*(?:去|来)?(?:叫|喊|催|告诉|通知|提醒)(?!我|苦|累|停|外卖|车|唤|得)[^，]*(?<!了)$"
)
"""An order to speak to somebody tells nothing, whoever it is: 「去叫小王起床」."""
_PURPOSE = re.compile(
    r"^(?:我|他|她|我们)?(?:正|就|马上|一会儿?|待会儿?)?(?:要|等着|急着|赶着|准备|打算|得|好|用来|着急)[^，把给拿放送]{1,8}$|"
    r"^[^，把给拿放送]{1,6}(?:用|使)(?:的|呢)?$"
)
_AND = frozenset(("、", "和", "跟", "与", "还有", "以及"))
_LED = re.compile(r"(?:带|领|送|接|叫|请|喊|扶|引|陪)(?:到|去|来|过|进|回|往|上)")
_SAFE_BEFORE = re.compile(
    r"(?:是|被|让|谁|刚|刚刚|已经|我|他|她|人|正|在|没|不|忘了|自己|去|来|想|要|老|总|着)$"
)
_IDLE = re.compile(
    r"(?:别|不要|甭|先别)(?:老|总|光|再|一直)?(?:在)?[^，把给拿放送]{0,5}?(?:杵|站|愣|傻站|待|呆|蹲|坐|晃悠?|转悠?|挡|躲|闲|歇|磨蹭|发呆|逛|溜达)(?:着|在)?[^，把给拿放送]{0,6}"
    r"|(?:别|不要|甭)(?:老|总|光|只)?(?:顾着?|知道|想着|惦记着)(?:玩儿?|聊天|睡|看|打游戏|说话|偷懒|闲聊)[^，把给拿放送]{0,4}"
    r"|(?:先)?不(?:急着|着急|用急着|忙着?)[^，把给拿放送]{1,6}|(?:充电|歇|休息)(?:的事)?(?:先)?不(?:急|着急)|(?:充电|歇着|休息)的事(?:以后|回头|待会儿?)再说"
)
_BUSY = re.compile(
    r"(?:正在?|在|还在|我正)?(?:做|炒|烧|洗|擦|打|写|看|开|带|哄|喂|赶|忙|吃|喝|睡|修|收拾|准备|化|画|织|玩|聊|排|加|备|煮|切|揉|和|包)"
    r"[^，把给拿放送]{0,4}呢|我?(?:也|可)?不(?:想|爱|能|敢|宜)(?:吃|喝)太?(?:甜|辣|冰|凉|热|酸|油|腻|咸|苦|浓)的?了?|受潮|怕潮|怕热|怕晒|(?:会|容易|要)(?:坏|化|馊|潮|碎|丢|洒|烂)|占地方|碍眼|不好看|不安全|太乱|太挤"
)
_LEST = re.compile(
    r"(?:免得|省得|以免|以防|防止|小心|当心|别|可别|别乱|别让|别叫|别给|不然)(?:被|让|叫)?(?:孩子|小孩|宝宝|小朋友|别人|人|它|猫|狗|他|她|他们|我)?(?:们|家)?"
    r"(?:再|又|给)?(?:碰|够|摸|拿|弄|摔|打|洒|撒|放|坏|丢|凉|化|馊|忘|磕|绊|压|烫|割|划|伤|着凉|感冒|耽误|错过|麻烦|跑|踩|误食|吃|喝|等)(?:着|到|了|坏|掉|翻|碎|急|倒|伤|丢|久|脏|乱|走|坏了|掉了|翻了|碎了|急了|倒了|久了)?(?:了|手|脚)?"
)
_AT_IT = re.compile(
    r"(?:我|他|她)?(?:都|又|可)?[^，把给拿放送不没]{1,3}了(?:一|半|整|大半|好几|两|三|几)(?:整|个|大)*(?:天|早上|上午|中午|下午|晚上|晚|夜|会儿?|小时|钟头|年|宿|路|周|星期)的?[^，把给拿放送]{0,6}"
    r"|今天(?:是|又是)?(?:周|星期|礼拜|假期|放假|生日|过节|中秋|除夕|元旦|休息|不上班|没课)[^，把给拿放送]{0,4}|(?:全家|一家人|大家)(?:人)?都?(?:在|到齐|回来)[^，把给拿放送]{0,3}"
)
_ASPECT = re.compile(
    r"了|着|过|呢|想|要|在|正|刚|说|没|不|还|该|会|能|爱|喜欢|需要|缺|是|有|被|让|很|太|真|特别|等|急|饿|渴|困|累|忙|病|疼|冷|热|睡|醒|坐|站|躺|"
    r"念叨|嚷|闹|吵|喊|刚才|天天|老|总|都|快|马上|今天|昨天|明天|晚上|早上|下午|上午"
)
"""What makes a statement of words about somebody; 「罗宾去卧室」 may be an order."""
_WANTS = re.compile(r"想|要|需要|等着|缺|差|惦记|馋|念叨|闹|吵|嚷|喊|点了")
_REFUSES = re.compile(r"不(?:想|要|爱|喜欢|能)?(?:喝|吃|要|用|玩|喜欢|爱)")


def tells(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a stretch, without its courtesies, only tells something."""
    said = _YOU_SEE.sub("", text).rstrip("啊呀嘛哈哦噢哎呗")
    if _RHETORICAL.fullmatch(said) or _EXCLAIMED.fullmatch(said):
        return True
    said = _RHETORICAL.sub("了", said)
    if len(said) < 2 or _CALLS_SOMEBODY.match(said):
        return False
    if _IDLE.fullmatch(said) or _LEST.fullmatch(said) or _AT_IT.fullmatch(said) or _BUSY.fullmatch(said):
        return True
    guess = re.search(r"应该|可能|大概|估计|也许|好像|恐怕|[没不][^，]{1,4}了吧$", said)
    if (said.endswith("吧") and not guess) or _BARRED.search(said):
        return False
    words = pieces(said, vocabulary)
    if _PURPOSE.search(said) and not _describes(words) and not wants_a_thing(said, vocabulary):
        return True
    subject, rest = _subject(said, words)
    if subject == "person":
        return _LED.match(rest) is None and (said.startswith("我") or _ASPECT.search(rest) is not None)
    return (subject == "thing" and _STATIVE.search(said) is not None and not _ordered(words)) or (
        _ENDS_TELLING.search(said) is not None and not _ordered(words)
    )


def _subject(said: str, words: list[Token]) -> tuple[str, str]:
    """Return what the subject is (``person``, ``thing`` or "") and what is said of it."""
    somebody = _PERSON_SUBJECT.search(said)
    if somebody is not None and somebody.end() < len(said):
        return "person", said[somebody.end() :]
    index = 0
    while index < len(words) and words[index].plays("f:fill") and not words[index].plays("det"):
        index += 1
    found = ChineseNounReader(words).read(index)
    while found is not None and words[found[1] : found[1] + 1] and words[found[1]].text in _AND:
        further = ChineseNounReader(words).read(found[1] + 1)
        found = (found[0], further[1]) if further is not None else None
    if (
        found is not None
        and found[1] < len(words)
        and not found[0].unknown
        and found[0].pronoun not in ("you", "me")
    ):
        kind = "person" if found[0].kind == "person" else "thing"
        return kind, "".join(token.text for token in words[found[1] :])
    thing = _OTHER_SUBJECT.search(said) or words[0].plays("det") or words[0].has("room", "placement")
    return ("thing" if thing else ""), said


def _describes(words: list[Token]) -> bool:
    """Return whether the words only say which one is wanted: 「要粉色的那个」."""
    return any(token.has("colour", "size", "superlative") or token.plays("det") for token in words)


def wants_a_thing(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether somebody wants a thing that is named."""
    named = any(token.has("object", "category", "generic") for token in pieces(text, vocabulary))
    return named and _WANTS.search(text) is not None


def refuses_a_thing(text: str) -> bool:
    """Return whether somebody wants none of what is named."""
    return _REFUSES.search(text) is not None


def _ordered(words: list[Token]) -> bool:
    """Return whether a verb of carrying or putting, or one of what the robot cannot do, may be an order here."""
    said = ""
    for number, token in enumerate(words):
        moves = token.plays("f:carry", "f:put", "ba") and not token.plays("measure", "f:hither", "on")
        moves = moves or token.plays("open", "closed")
        if token.text in ("把", "将") or (
            (moves or token.has("verb")) and not token.has("object", "category")
        ):
            after, beyond = ([t.text for t in words[number + 1 : number + 3]] + ["", ""])[:2]
            done = after in ("着", "着呢", "过", "完", "完了", "好了") or after + beyond == "好了"
            if not (_SAFE_BEFORE.search(said) or done):
                return True
        said += token.text
    return False
