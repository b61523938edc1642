"""What people do not mean when they speak Chinese: words begun twice, sounds of thinking, titles behind names.

「帮我拿瓶，呃，拿瓶橙汁」 is 「帮我拿瓶橙汁」, 「那个叫啥来着……哦对，芥末酱」 is 「芥末酱」, 「简姐」 is 「简」.
Nothing with content is left out: what is said twice stays once, and nothing inside quotation marks is touched.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_courtesies import without_courtesies
from zulong.agent.language.lexicon import Vocabulary

_QUOTED = re.compile(r"[“\"「『‘]")
_SOUND = r"(?:呃+|额+|嗯+|唔+|呣+|哦+|噢+|啊+|那个+|那啥|这个+|怎么说呢?|怎么说来着|我想想(?:啊)?|让我想想|等我想想|就是说)"
_GAP = r"(?:…+|\.{2,}|。{2,}|—+|～+|~+)"
_NAME_SOUGHT = re.compile(
    rf"(?:(?:那个|那|这个)(?:什么|啥)?|^|(?<=[，、…。把给]))(?:{_GAP}|[，、])?(?:那个|这个|那)?(?:叫|"
    rf"是)?(?:什么|啥)(?:玩意儿?|东西|名字|名)?来着"
    rf"(?:{_GAP}|[，、？?。])*(?:哦|噢|啊|嗯|呃|哎)*(?:对+|想起来|对了|有了)?(?:了)?(?:{_GAP}|[，、！!。])*"
)
_BETWEEN = re.compile(rf"(?:^|(?<=[，、…。！!—~～])){_SOUND}(?:[，、]|{_GAP})+")
_TRAILING_OFF = re.compile(rf"(?<=[^，。！？!?、]){_GAP}(?=[^，。！？!?、…])")
_ELSEWHERE = re.compile(
    rf"(?:^|(?<=[，。、…]))([把给]?[放丢扔搁摆送拿搬挪收带塞领][到进在回去给])[^，。…]{{1,6}}{_GAP}(?=\1)"
)
_BEGUN_TWICE = re.compile(r"(?!回来|过来|然后)([^，。！？!?、…\s]{2,6})[，、…]+(?=\1)")
_STUTTER = re.compile(
    r"(把|给|(?<![^，。、…！？])去|拿|我要|帮我|那个|这个|给我|我想|你|要|一下|拿一下|来个|"
    r"来瓶|来杯)(?:[，、…]*\1){1,3}(?=[^，。！？!?…]|$)"
)
_TITLES = (
    "大姐姐|大哥哥|小姐姐|小哥哥|姐姐|哥哥|大姐|大哥|老弟|老妹|妹妹|弟弟|妹子|小妹|小弟|阿姨|叔叔|大叔|大爷|大伯|大妈|大婶|"
    "先生|女士|小姐|太太|老师|同学|同志|医生|大夫|师傅|老板|经理|主任|教授|宝宝|宝贝|小朋友|小姑娘|小伙子|姑娘|奶奶|爷爷|"
    "姐|哥|叔|姨|爷|总|工|酱|桑|君|儿"
)
_AFTER_TITLE = r"(?=[，。！？!?、\s]|$|[给把在要想说正也都还去来那的跟和与坐站躺送端拿递带一两三俩呢喝吃爱需点渴饿]|他|她)"


_LONGEST = 200
_HOW = r"(?:穿|戴|挥|招手|招着手|举|抬|坐|站|躺|指|睡|趴|靠|歪)"
_WOMAN = "阿姨|大姨|姐姐|姐|妹妹|奶奶|婆婆|大妈|婶婶|婶子|姑姑|姑娘家|老太|小姐姐"
_MAN = "叔叔|大叔|哥哥|哥|弟弟|爷爷|伯伯|舅舅|大爷|老头|小哥哥|兄弟|小子"
_SEEN_WOMAN = re.compile(
    rf"({_HOW}[^，。把给]{{0,9}}?(?:的|着|那))(?:那|这)?(?:个|位|名)?(?:{_WOMAN})(?!的|夫|俩)"
)
_SEEN_MAN = re.compile(rf"({_HOW}[^，。把给]{{0,9}}?(?:的|着|那))(?:那|这)?(?:个|位|名)?(?:{_MAN})(?!的|俩)")
_NOBODY_NAMED = re.compile(
    r"((?:正|正在|在)?(?:挥着?手|招着?手|举着?[左右]手|抬着?[左右]手|指着?[左右]边|坐着|站着|"
    r"躺着|睡觉|睡着))(?:的(?:那个|那|这个)?|那个)(?=[，。！？]|$|要|想|说)"
)

_TOWARDS = re.compile(
    r"(?:朝着?|冲着?|向着?|对着?)(?:你|我|他|她|这边|这儿|这里|咱们?|咱|镜头)(?:这边)?(?=挥着?手|"
    r"招着?手|摆手)"
)
_SOMEBODY_THERE = re.compile(
    r"(?<![^，。])((?:[^，。有没]{1,5})(?:里|那边|上|那儿|旁边)?)有(?:一)?(个|位|名)?(?:人|家伙)(?:在|正在|正|一直在)?"
    r"(挥手|招手|举着?[左右]手|站着|坐着|躺着|指着[左右]边|穿[^，。]{2,7}?衣服?)呢?(，(?=[^，。]{0,12}(?:给|"
    r"送|递|端|拿|带)[^，。]{0,4}[他她]))"
)
_TO_ME_LAST = re.compile(
    r"(?:给|畀|俾|拿|递)([一两]?[罐瓶杯个盒包支只条份][^，。我给把]{1,6})(?:我|俺)(?=[，。！!]|$|[啦喇呀吖吧])"
)

_YOUNG = (
    r"(?:乖|乖乖|乖孩子|好孩子|宝贝|宝宝|大?孙子|乖?孙女|大?孙女|乖孙|外孙|闺女|丫头|儿子|女儿|"
    r"孩子|小家伙|小子|娃|小祖)(?:啊|呀|哎|诶|哟|乖|听话|祖龙)*"
)
_CALLS = re.compile(rf"(?:^|(?<=[，。！]))(?:哎|来|好|我的|喂)?{_YOUNG}(?:过来|来){{0,3}}[，。！]")
_ELDER = (
    r"(?<![你我他她俺咱])(?:姥姥|姥爷|爷爷|奶奶|外公|外婆|爸爸|妈妈|爸|妈|叔叔|阿姨|伯伯|大爷|大妈|姑姑|姑|舅舅|"
    r"舅|哥哥|姐姐|大哥|大姐|老娘|老爹)(?!的房|那[儿边里]|在|说)"
)
_OFF = re.compile(r"送|去给|带去|拿去|端去|过去")
_BROKEN = re.compile(
    r"^(?:哎呀?|糟了?|坏了|完了|不好)?[，！]?(?:我|他|她|孩子|宝宝|猫|谁)?(?:刚才?|又|不小心|把|给|手滑)*[^，。把给]{0,5}?"
    r"(?:打翻|打碎|打破|弄洒|弄脏|弄翻|摔碎|碰倒|碰翻|撞翻|撒|洒|"
    r"泼)(?:了)?[^，。把给拿]{0,5}(?<=了)[^，。把给拿]{0,3}[，。！](?=.{3})"
)

_LEFT_BY = re.compile(
    r"把([^，落忘丢放留]{1,6})(?:落|忘|丢|放|留)在([^，的]{1,8})的([^，]{1,8}?)(?:还|送|拿|"
    r"带)(?:回|去)?给(?:他|她)(?![们的])"
)
_RATHER_TO = re.compile(
    r"把给[^，的]{1,6}的(?:那[个罐瓶盒杯只块把])?([^，]{1,6}?)(?:改|换|转)(?:送|拿)?给([^，]{1,6})"
)
_THANKING = re.compile(
    r"([拿来送端带取][一两]?[个罐瓶盒杯只块把份包][^，。给把]{1,6}?)(?:谢谢|感谢|犒劳|慰劳|"
    r"答谢|安慰)(?:一下)?([他她])(?![们的])"
)
_CRY = re.compile(
    r"^(?:哎呦|哎哟|哎呀|诶呀|唉哟|妈呀|天哪|天啊|我的天|我去|哇塞|哎|唉|哟)(?:喂|呀|啊|我的妈|我|妈)*[，！!](?=.{2})|"
    r"^(?:哎|喂)?那(?:个)?谁谁?[，,](?=机器人|祖龙|小|你|给我|帮我|把|拿|去)"
)
_LYING_ON = re.compile(
    r"(?<![着在])(坐|站|躺|趴|睡)(?:在)?([^，。的把给着去到]{1,5}[上里边])的?(?:那个|那位|这位|"
    r"那人)(?=[，。要想说喝吃起过去来别该快坐站下]|$)"
)

_IF_YOU_CAN = re.compile(
    r"(?:^|(?<=[，。！]))(?:你|您)?(?:如果|要是|假如|若是|倘若|等)?(?:你|您)?(?:现在|这会儿|手头|手上|今天|"
    r"正好|刚好|那边)*(?:也|还)?"
    r"(?:不忙|不太忙|有空儿?|有时间|得空儿?|得闲|方便|顺路|顺便|没事儿?|没什么事|没别的事|不麻烦|不嫌麻烦|"
    r"不介意|闲着|闲下来|忙完了?|抽得出空)(?:的话|的时候|了)?[，,]"
    r"(?=[^，。]{3})"
)
_CONDITIONED = re.compile(r"如果|要是|假如|若是|倘若|的话|等|的时候|你|您")
_THANKED = re.compile(
    r"(?<=[^，。]{4})(?:非常|十分|万分|真的|太|多多)(?:感谢|谢谢)(?:你|您)?(?:了|啦)?[。！]?$"
)
_PRAISE = re.compile(
    r"(?:哇|嗯|好|哎呀?|你|您|真|太|这次|今天|小家伙|祖龙|机器人|谢谢(?:你|您)?(?:啦|了|啊)?|多谢(?:啦|了)?|"
    r"谢啦|辛苦(?:你|您)?(?:了|啦)?|"
    r"干得|做得|办得|弄得|表现得?|很|挺|非常|不愧是你|可|就是|得|[，,！!。\s])*"
    r"(?:不错|棒|漂亮|真棒|太棒|好样的|厉害|聪明|能干|贴心|乖|利索|太好了|真好|完美|给力|牛|赞|做得好|干得好|"
    r"做得不赖|辛苦(?:了|啦)|得好)(?:了|啊|呀|哦|啦|极了|呢|你|您|嘛|的|祖龙|小家伙|[，,！!。\s]|"
    r"谢谢(?:你|您)?(?:啦|了|啊)?|辛苦(?:你|您)?(?:了|啦)?|多谢(?:啦|了)?|谢啦)*"
)
_ANYBODY = re.compile(
    r"(?:^|(?<=[，。！]))(?:谁能|谁来|谁去|有没有人能|有谁能|哪位能|有人能)(?=[给帮替把拿送倒][^，。？！]{2,}[^谁])"
)
"""Who asks whether anybody can do it asks the one who hears it."""
_LAST_SEEN = re.compile(
    r"^你?(?:还记得)?你?(?:最后一次|上一次|上次|最近一次)是?(?:看见|看到|见到|见|看)([^，。？我你他她]{1,10}?)是?"
    r"(?:什么时候|啥时候|几时|在哪[里儿]?|在什么地方)(?:[呀啊的了呢]|来着)*(?=[？。?]?$)"
)


_COMES_TO_ME = re.compile(r"给(我|咱|俺)(们?)来(?=(?:一|两|三|几)?[个份杯瓶罐盒碗盘块根颗点些])")
_GO_AND_CALL = re.compile(
    r"(?:过去|去)叫(?=[^，。醒]{1,6}(?:起床|吃饭|吃早饭|吃午饭|吃晚饭|开会)(?:了|吧)?(?:[，。！]|$))"
)
_SOMETHING = re.compile(
    r"^(?:我|咱)(?:现在|有点儿?|好|就)*(?:想|要)(喝|吃)点儿?(?:什么|啥|东西)(?=[，。！]?$)"
)


def smoothed(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence without what its speaker took back at once, and with plain names of people.

    Args:
        text: the sentence.
        vocabulary: knows the names of people.
    """
    if _QUOTED.search(text) or len(text) > _LONGEST:
        return text
    if _PRAISE.fullmatch(text):
        # Praise is answered like thanks.
        return "谢谢"
    text = _SOMETHING.sub(r"给我拿点\1的", _COMES_TO_ME.sub(r"给\1\2拿", without_courtesies(text)))
    text = _GO_AND_CALL.sub("叫", text)
    said = _NAME_SOUGHT.sub("", re.sub(r"^(?:唔该晒?|劳该)[，,]?|[，,]?唔该晒?[。！]?$", "", text))
    said = _BETWEEN.sub("，", _ELSEWHERE.sub("", said))
    said = _STUTTER.sub(r"\1", said)
    said = _BEGUN_TWICE.sub(lambda twice: twice[0] if _names(twice[1], vocabulary) else "", said)
    said = _TRAILING_OFF.sub("，", said)
    said = _titled(vocabulary).sub(r"\1\2", said)
    said = _LEFT_BY.sub(r"把\2的\3拿给\1", _RATHER_TO.sub(r"把\1拿给\2", said))
    said = _LAST_SEEN.sub(r"\1在哪", _ANYBODY.sub("", said))
    said = _THANKING.sub(r"给\2\1", said)
    said = _CRY.sub("", said)
    said = _LYING_ON.sub(r"\2\1着的人", said)
    said = _BROKEN.sub("", said)
    said = _IF_YOU_CAN.sub(lambda polite: "" if _CONDITIONED.search(polite[0]) else polite[0], said)
    if _CALLS.search(said) and not _OFF.search(said):
        # Who calls somebody a child says 「奶奶」 of herself.
        elder = re.search(_ELDER, said)
        said = said.replace(elder[0], "我") if elder is not None else said
    said = _without_small_talk(_THANKED.sub("", said))
    said = _twice(vocabulary).sub(r"\1", said)
    said = _TO_ME_LAST.sub(r"给我拿\1", _TOWARDS.sub("", said))
    said = _SOMEBODY_THERE.sub(r"\1\3的人\4", said)
    said = _SEEN_MAN.sub(r"\1男士", _SEEN_WOMAN.sub(r"\1女士", said))
    said = _NOBODY_NAMED.sub(r"\1的人", said)
    said = re.sub(r"^[，、…]+|(?<=[把给])[，、]+|(?<=[到在往])…+，?|(?<=，)，+", "", said)
    return said if said.strip("，。！？!? ") else text


_STRETCHES = re.compile(r"([，。！？!?,~～]+)")
_YOU = r"(?:你|您|祖龙|小祖龙|机器人|小家伙)?"
_SMALL_TALK = re.compile(
    r"(?:小家伙|小祖龙|祖龙|机器人|乖|宝贝)?(?:过来|来){2,3}(?:啊|吧)?|得|嗐|害|(?:哎|诶|"
    r"喂)?我说(?:小)?(?:祖龙|你)?(?:啊|呀)?|"
    r"(?:你说)?(?:今天)?这天(?:儿|气)?(?:可)?(?:也|真|也真|真是)?怪(?:了|啊)?|"
    r"(?:这天儿?)?一会儿[冷热晴阴雨]一会儿[冷热晴阴雨](?:的)?|"
    rf"{_YOU}(?:好久不见|好久没见)(?:了|啊|呀)*{_YOU}|{_YOU}(?:最近|今天|这两天|这几天|近来)(?:过得|心情|"
    rf"身体)?(?:还)?(?:怎么样|好吗|好不好|忙吗|忙不忙|还好吗|如何|挺好吧)(?:啊|呀)?|"
    r"(?:你|您)?吃(?:过)?(?:饭)?了(?:吗|没|没有)|(?:你|您)(?:真|可|果然)?是(?:个|我的|我|咱家的?)*(?:好帮手|"
    r"乖孩子|好孩子|大好人|小能手|活雷锋|小天使|得力助手|开心果|好伙伴|救星)(?:啊|呀|了)?|"
    r"(?:你|您)(?:真|最|太|可|可真|实在)(?:好|乖|棒|贴心|能干|勤快|聪明|厉害|可爱)(?:了|啊|呀)*|"
    r"有你(?:在)?真好|(?:真)?(?:多亏|幸亏)(?:有)?(?:你|您)(?:了|啊)?|"
    r"(?:我)?(?:跟|和)(?:你|您)(?:说|讲)(?:个事儿?|啊|哦|件事|句话|呀)*|我(?:就)?知道(?:你|您)(?:最)?(?:行|"
    r"可以|能干|靠谱|好)(?:了)?|"
    r"(?:不好意思|对不起|抱歉|真是|真不好意思)?(?:啊|呀)?(?:又|老|总|老是|总是)(?:要|得|是)?(?:麻烦|劳烦|辛苦|"
    r"使唤|打扰)(?:你|您)(?:了|啦)?|"
    r"(?:我)?(?:就|只是|就是|随便|顺便)(?:是)?(?:问问|问一下|打听一下|问一嘴)(?:而已|罢了)?|(?:我)?(?:问|请教|"
    r"跟你打听)(?:你|您)?(?:个|一|一个|件)?(?:事儿?|问题|件事)|"
    r"(?:啊呀|哎呀|哎哟|哦|啊)?(?:差点儿?|差一点儿?|险些)(?:给|都|就)*忘了(?:说|讲)?|(?:啊|哦)?(?:突然|"
    r"忽然)?想起来(?:了|个事儿?|一件事)+|对了对了|说到这个|"
    r"客气话[^，]{0,6}|长话短说|废话不多说|闲话少说|言归正传|说正事|咱说正事|"
    r"(?:你|您)?(?:轻|小声|小心|慢|稳|悠着|当心|留神|走慢|动作轻|手脚轻)(?:着)?(?:一)?点儿?(?:走|开|声|啊|哦|"
    r"哈|来)*|(?:你|您)?别(?:摔|磕|碰|绊)(?:着|倒|坏)(?:了|自己)?(?:啊|哦)?|"
    r"(?:今天|今儿|刚才|这一天|这趟)?(?:可|真|真是|可真|简直)?(?:把我|累得我|热得我)?(?:累|热|冷|饿|渴|困|忙|"
    r"气|急|愁)(?:死|坏|惨|疯|晕)(?:我)?了|"
    r"(?:我|我们|咱|人家|脑袋|脑子|头|肚子|嗓子)(?:都|真|真的|简直|快|快要|要|就要|又|今天|热得|气得|急得|忙得|累得|饿得|渴得|憋得)*"
    r"(?:炸|爆炸|爆|疯|崩溃|崩|裂开|废|散架|垮|冒烟|吐血|晕倒|晕|虚脱|抓狂|原地爆炸|气炸|冻僵|冻死|憋死|烦死|无聊死|笑死)(?:了|啦|我了)+|"
    r"(?:今天|今儿)?(?:这)?天(?:气|儿)?(?:可)?(?:真|好|太|这么)(?:热|冷|好|闷|糟|不错|差)(?:了|啊|呀|得要命|得很)*"
)
_LEAST_ORDER = 3


def _without_small_talk(text: str) -> str:
    """Return the sentence without whole stretches that are said to be kind, where an order stands beside them."""
    parts = _STRETCHES.split(text)
    said = parts[::2]
    # After 「问罗宾」 it is what he is to be asked.
    spoken = [
        re.search(r"问|告诉|转告|[说讲]$", "".join(said[:number])) is not None for number in range(len(said))
    ]
    talk = [
        _SMALL_TALK.fullmatch(part.strip()) is not None and not words
        for part, words in zip(said, spoken, strict=True)
    ]
    rest = [part for part, idle in zip(said, talk, strict=True) if not idle and len(part) >= _LEAST_ORDER]
    if not any(talk) or not rest:
        return text
    kept = [
        part + (parts[2 * number + 1] if 2 * number + 1 < len(parts) else "")
        for number, (part, idle) in enumerate(zip(said, talk, strict=True))
        if not idle
    ]
    return "".join(kept).strip("，, ")


def _names(words: str, vocabulary: Vocabulary) -> bool:
    """Tell 「拧魔方，魔方给我」, where a thing is named again, from words begun twice."""
    return any(
        sense.kind in ("object", "category", "person", "placement", "room")
        for start in range(2)
        for sense in vocabulary.chinese.get(words[start:], ())
    )


@functools.lru_cache(maxsize=4)
def _titled(vocabulary: Vocabulary) -> re.Pattern[str]:
    names = sorted(
        {
            phrase
            for phrase, senses in vocabulary.chinese.items()
            if any(sense.kind == "person" for sense in senses) and not phrase.isascii()
        },
        key=len,
        reverse=True,
    )
    known = "|".join(map(re.escape, names)) or r"(?!)"
    return re.compile(rf"[小老阿]({known})(?:{_TITLES})?{_AFTER_TITLE}|({known})(?:{_TITLES}){_AFTER_TITLE}")


@functools.lru_cache(maxsize=4)
def _twice(vocabulary: Vocabulary) -> re.Pattern[str]:
    """Match the name of a thing that is said twice: 「魔方魔方」."""
    names = {
        phrase
        for phrase, senses in vocabulary.chinese.items()
        if len(phrase) > 1 and any(sense.kind in ("object", "category") for sense in senses)
    }
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"({'|'.join(map(re.escape, longest_first))})[，、]?\1(?=[，。！!]|$)")
