"""The words by which a turn of a dialogue agrees, rules something out, leaves a choice open or adds something."""

from __future__ import annotations

import re

PLAINLY = {"en": {True: "yes", False: "no"}, "zh": {True: "是的", False: "不是"}}
YES = {
    "en": re.compile(
        r"(?:ok(?:ay)?|sure|fine|all ?right|alright|go ahead|please do|do it|do that|yes,? please|that is (?:right|it)|"
        r"that's (?:right|it|fine)|correct|exactly|right|yep|yup|yeah|certainly|absolutely|of course|indeed)"
        r"(?:,? (?:please|thanks|robot))?"
    ),
    "zh": re.compile(
        r"(?:好|好的|好啊|好吧|行|行吧|可以|嗯+|对|对的|是|没错|没问题|去吧|就这样|正是|当然|对对|是啊)(?:吧|呀|啊|，谢谢)?"
    ),
}
NO = {
    "en": re.compile(
        r"(?:of course not|not (?:now|yet|really|at all|today|any more|anymore)|better not|i would rather not|"
        r"i'd rather not|certainly not|absolutely not|nope|nah|no way|no thanks|no,? thank you)"
    ),
    "zh": re.compile(
        r"(?:不用|不用了|不要|不要了|不了|别|别了|先不用|先不要|暂时不用|算了|不必|不必了|不，谢谢|没有)"
    ),
}
CANCELS = {
    "en": re.compile(
        r"\b(?:never ?mind|forget it|cancel|stop)\b|^no(?:ne| one| thanks)\b|\bnothing\b|"
        r"\bi (?:do not|don't) (?:know|care|mind)\b"
    ),
    "zh": re.compile(r"算了|取消|不用了|不要了|不了|没事|不知道|不清楚|无所谓|随便|都行|都可以"),
}
# Joints between the pieces of a turn.
JOINT = {
    "en": re.compile(
        r"\s*[,;.!]+\s*(?:(?:and|then|but|or)\s+)*|\s+(?:and then|and also|and(?! a half\b)|then|but)\s+",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"\s*[，、；。！,;]+\s*(?:然后|再|接着|但是|但|不过|可是|还有|和)*|(?<=[^先要])(?:和|跟|以及|还有)(?=.)"
    ),
}
CONTRARY = {"en": re.compile(r"\bbut\b"), "zh": re.compile(r"但|不过|可是")}
RULES_OUT = {
    "en": re.compile(
        r"\b(?:not|never|neither|nor|except|excluding|without|other than|rather than|instead of|"
        r"(?:anything|any|all|everything) but|any (?:one )?except|less than|fewer than|more than|"
        r"at least|at most|only if|if|unless|until|when|while|after|before|"
        r"as long as|later|tomorrow)\b|n't\b"
    ),
    "zh": re.compile(
        r"^(?:不是|不要|不给|不去|不放|不在|不用|别|甭|没|除了|除开|而不是|不超过|至少|最多|如果|要是|除非|只有|等|直到)|"
        r"^(?!不对|不是吧|不，)不|(?:以外|之外|除外|的话|以前|之前|以后|之后)$"
    ),
}
CONTRAST = {
    "en": re.compile(r"^(?:no,? )?(?:not|rather than|instead of)\s+"),
    "zh": re.compile(r"^(?:不是|不要|而不是|别拿|不拿|不给|不去)"),
}
ADDED = {
    "en": (
        (
            re.compile(
                r"^(?:sorry,? |oh,? )*(?:i (?:have )?changed my mind|wrong one|that is (?:wrong|the wrong one)|"
                r"my mistake|i was wrong)"
                r"[,.;:]? (?=(?:the|a|an|to|from|it is|make it)\b)",
                re.IGNORECASE,
            ),
            "no, ",
        ),
        (
            re.compile(
                r"^(?:and |but |oh,? |also,? )*(?!(?:i|you|he|she|it|they|we|who|that|there)\b)(\w+) "
                r"(?:wants|needs|would like|gets|should (?:get|have)|will have|could use) (?:one|some|the same)"
                r"(?:,? (?:too|as well|also))?(?=[.!]*$)",
                re.IGNORECASE,
            ),
            r"and for \1",
        ),
        (
            re.compile(
                r"^(?:and |also,? )*(?:one|another(?: one)?|the same) (?:for|to) (\w+)(?:,? (?:too|as well|also))?"
                r"(?=[.!]*$)",
                re.IGNORECASE,
            ),
            r"and for \1",
        ),
    ),
    "zh": (
        (re.compile(r"^(?:不+|别|等等|不是|哦不|啊不|不不|错|错了|慢着)[，,]\s*(?=[^，])"), "不对，"),
        (
            re.compile(
                r"^(?:我)?(?:还是)?改(?:成|为|一下，|送到|放到|拿到|带到)?(?=去|到|给|放|送|拿|要|带|[^变主了天成为送放拿带])"
            ),
            "不对，",
        ),
        (
            re.compile(
                r"^(?:那|还有)?[，,]?([^，。！？的]{1,6}?)(?:里|那边|那儿)?也(?:去)?(?:看看|数数|数一下|数一数|看一下|看一眼|问问|问一下|来一遍|"
                r"一样|说说|走一趟|去一趟|瞧瞧|检查一下)(?:吧|呗|哦|啊)?(?=[。！]*$)"
            ),
            r"还有\1",
        ),
        (
            re.compile(
                r"^(?:你|您|我)?(?:拿|搞|弄|听|带|送|说|认|给|记)错(?:人|地方|东西)?了[，,。]?(?:我)?(?:要的|说的)?(?:应该)?是"
            ),
            "不对，是",
        ),
        (re.compile(r"^(?:我)?(?:改(?:变)?主意|反悔)了[，,。]?(?:还是)?(?:我)?(?:要|换成|换|拿)"), "不对，是"),
        (re.compile(r"(给[^，。！？]{1,4}?)(?:也|再|又|还)(?=[拿来送带端倒取弄])"), r"\1"),
        (
            re.compile(
                r"^(?:那|还有|对了)?[，,]?([^，。！？的]{1,6}?)也(?:想?要|得要|来|需要|是|一样|同样|放|放过去|送过去|拿上)"
                r"(?:一[个罐瓶杯份根只盒]|的)?(?:哦|啊|呢|的)?(?=[。！]*$)"
            ),
            r"还有\1",
        ),
        (
            re.compile(
                r"^(?:那|顺便|对了|哦)?[，,]?(?:你|麻烦)?(?:也(?:去)?(?:带|给)|(?:也|顺便|另外|再|还)(?:去)?(?:告诉|通知|提醒|问问|问一下|问|跟|和|对|叫|喊))(?:一下|一声)?"
                r"([^，。！？不吗几么了别要一两]{1,6}?)(?:也)?(?:说|讲|问|道|提|带)?(?:一声|一下|一句|声|下)?(?:吧|呗|哦|啊)?(?=[。！]*$)"
            ),
            r"还有\1",
        ),
        (
            re.compile(
                r"^(?:和|跟(?!着|上|紧|随|住|踪|我|你|她|他)|以及|加上|外加)([^，。！？的说讲走去来]{1,6})(?=[。！]*$)"
            ),
            r"还有\1",
        ),
        (
            re.compile(
                r"^(?:哦|噢|啊|等等|哎)?[，,]?(?:他|她|我)不(?:吃|喝|要|爱吃|爱喝|喜欢)[^，。]{1,6}[，,]"
                r"(?:还是)?(?:换成|换|改成|改拿|改送|拿|送)(?=[^，。给]{1,6}$)"
            ),
            "不对，",
        ),
        (re.compile(r"^算了(?=[放去给拿送要带换搁摆])"), "算了，"),
        (re.compile(r"^([^，。！？的]{1,6}?)也(?:去|带(?:上|去)?)(?=[。！]*$)"), r"还有\1"),
    ),
}  # fmt: skip
WHAT_ABOUT = re.compile(
    r"^(?:那|还有|那么|嗯|哦)?[，,]?([^，。！？]{1,8}?)(?:那边|那里|那儿|(?<=[里上边头面])的)?呢[？?]*$"
)
IF_THERE = re.compile(
    r"^(?:那|嗯|哦)?[，,]?(?:要是|如果)?有(?:的话)?[，,]?就?(?:帮我|都)?(?P<rest>(?:给我)?(?:拿|取|送|端|放|递|搁|摆|带)[^，。！？]*)"
)
EITHER = {"en": re.compile(r"\b(?:or|either)\b"), "zh": re.compile(r"或者?|(?<=.)还是|要么")}
COMMA = {"en": ", ", "zh": "，"}
CORRECTING = {"en": "no, ", "zh": "不对，"}
TIME = re.compile(
    r"(?:for |in |after |about )*(?:[\w\- ]+ )?(?:seconds?|minutes?|hours?|while|moment|bit)(?: please|, please)?[.!]*|"
    r"(?:[零一二两三四五六七八九十百半\d]+(?:个)?(?:秒钟?|分钟?|小时|钟头)半?)+(?:吧|后|以后|之后)?[。！]*",
    re.IGNORECASE,
)
ORDINAL = {
    "en": re.compile(r"(?:the )?(first|second|third|fourth|fifth|last)(?: one)?(?:,? please)?"),
    "zh": re.compile(r"(?:要|拿|就)?(?:第(?=[一二三四五]))?((?<=第)[一二三四五]|最后一)个(?:吧|那个)?"),
}
NUMBERS = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1,
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "最后一": -1,
}  # fmt: skip
# What may stand around the name of an option.
AROUND = {
    "en": re.compile(
        r"^(?:(?:oh|um|uh|well|yes|ok|okay|the|a|an|to|in|into|on|onto|at|from|i (?:mean|meant|want)|"
        r"make it|it is|that is)[, ]+)+|"
        r"[, ]+(?:one|please|thanks|thank you|i (?:mean|think)|then)(?=[, ]|$)"
    ),
    "zh": re.compile(
        r"^(?:嗯+|呃|要|拿|就|是|用|去|到|在|放|那个|我要|我说的是|我是说|请)+[，,]?|"
        r"(?:的)?(?:那个|这个|一个)?(?:吧|呀|啊|里|上|，谢谢)?$"
    ),
}
