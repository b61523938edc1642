"""From a Chinese sentence to tokens: longest phrases of the vocabulary and of the grammar."""

from __future__ import annotations

import re

from zulong.agent.language.chinese_characters import simplified
from zulong.agent.language.chinese_rewrites import canonical
from zulong.agent.language.chinese_verbs import LONGEST as _LONGEST_VERB
from zulong.agent.language.chinese_verbs import compound
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import Token

_ROLES: dict[str, list[str]] = {}


def _role(role: str, words: str) -> None:
    for word in words.split():
        _ROLES.setdefault(word, []).append(role)


_role("ba", "把 将")
_role("from", "从 自 打从 由 从我的")
_role("to", "到 去 往 至 到达 回 回到 去往 前往 来 来到 过去 过来 去到")
_role("give", "给 交给 递给 送给 拿给 带给")
_role("toward", "对 向 跟 同 与 对着 朝 冲 替 跟着")
_role("with", "和")
_role("at", "在 位于 处于 待在 放在")
_role("inside", "里 里面 内 中 里头 之中 里边 内部 那里 那边 那儿")
_role("on", "上 上面 上头 上边 顶上 表面")
_role("near", "旁边 旁 边 附近 边上 处 身边 跟前 面前 一旁 旁边儿 前 前面 那边 那儿 那里")
_role("relation:behind", "后面 后边 后方 背后 后")
_role("relation:below", "下面 下边 底下 下方 下")
_role("relation:left_of", "左边 左侧 左面")
_role("relation:right_of", "右边 右侧 右面")
_role("relation:in_front_of", "前面 前方 前边")
_role("relation:above", "上方")
_role("de", "的")
_role("zhe", "着 着的 正在 正 在着 身上 之后的")
_role("have", "有 放着 摆着 存放着 放了 摆了")
_role("have_not", "没有 没")
_role("have_or_not", "有没有 有无 是否有 是不是有")
_role("be", "是 是不是 是否 就是")
_role("not_be", "不是 并不是 而不是 不是要")
_role(
    "howmany",
    "多少 几个 几 几位 多少个 多少位 几只 几瓶 几件 几样 多少件 几种 多少种 几杯 多少瓶 的数量 "
    "数量 总数 个数 人数",
)
_role("what", "什么 哪个 哪些 哪一个 哪样 啥 哪种 什么东西 哪一样 哪件 怎样 怎么样 怎样的")
_role(
    "where",
    "在哪里 在哪儿 在哪 哪里 哪儿 在什么地方 什么地方 放哪了 放在哪里 放在哪儿 放在哪 "
    "到哪里去了 去哪了 去哪儿了 放哪里了 放哪儿了 在哪个房间 哪去了 放在了哪里 在哪边",
)
_role("who", "谁 是谁 什么人 哪位")
_role(
    "conj",
    "然后 接着 之后 再 随后 最后 并 并且 而且 以及 还有 首先 先 此后 其次 跟着再 紧接着 后 "
    "完了再 完了 完 之后再 然后再 接下来 再然后 最终 另外 也 又 还 最后再 其后 第一 第二 第三 第一步 "
    "第二步 顺便 下一步 但是 但 不过 可是 然而 完成后 到了之后 到了以后 以后 到那里后 到那儿后 "
    "到了那里 来",
)
_role("or", "或者 或 或是 抑或")
_role("while", "同时 一边 与此同时 边")
_role("conj", "既 既然")
_role("noun_and", "和 以及 还有 跟 与 及")
_role("if", "如果 要是 假如 若 倘若 若是 假设 假使 只要 当 如 一旦 要是说 如果说")
_role("unless", "除非")
_role("then", "就 那就 那么 则 的话 的话就 那 时 的时候")
_role("until", "直到 一直到")
_role("else", "否则 不然 要不然 不然的话 否则的话 要不 如果不是 如果没有的话 没有的话 不是的话 若不是")
_role(
    "not",
    "别 不要 不用 不许 勿 不准 不能 避免 不可以 不得 请勿 切勿 千万别 千万不要 别再 不必 不 "
    "绝对不要 绝不要 不可 禁止 不需要 无需 甭",
)
_role("except", "除了 除 除去 除开")
_role(
    "correct",
    "不对 错了 我是说 我说的是 应该是 改成 换成 我的意思是 不对不对 说错了 搞错了 改为 更正 "
    "不是这个 不是那个 哦不 不不 啊不对 噢不 弄错了 不是不是 我说错了 我指的是 换 还是 "
    "我要的是 要的是",
)
_role(
    "yes",
    "是的 对 好 好的 可以 没错 对的 行 嗯 确定 是 当然 确认 好啊 好呀 对啊 是啊 没问题 要 需要 正确 对对",
)
_role("no", "不 不用了 算了 不行 不要了 不是 不要 没有 别了 不必了 不用 取消吧")
_role("pron", "它 他 她 它们 他们 她们 TA 那位 这位 此人 对方 这人 那人 前者 那东西 这东西")
_role("me", "我 我们 咱 咱们 本人")
_role("you", "你 您 自己 你自己")
_role(
    "here",
    "这里 这儿 我这里 我这儿 我身边 我面前 我旁边 我跟前 过来 我这 我手里 我手上 原地 此处 这边 我那里",
)
_role("there", "那里 那儿 那边 那头")
_role(
    "start",
    "窝 老窝 小窝 窝里 起点 原处 原位 充电座 充电桩 充电站 出发点 原来的地方 充电 出发的地方 原来的位置",
)
_role(
    "det",
    "这 那 这些 那些 这个 那个 我的 你的 该 某 某个 其 这只 那只 这杯 那杯 这瓶 那瓶 这位 那位 "
    "他的 她的 它的 咱家的 家里的 那件 这件 那本 这本 刚才的 刚才那个 刚才",
)
_role("any", "任意 任何 随便 随意 一些 一点 某 任意一个 随便一个 任何一个 随便哪个 点 些 些个 一点儿 点儿")
_role("all", "所有 全部 都 每个 每 一切 全 每一个 所有的 全部的 各")
_role(
    "measure",
    "桶 筒 箱 份 个 只 杯 瓶 件 位 名 把 本 块 罐 盒 条 颗 支 根 张 包 双 台 种 样 袋 碗 盘 听 副 枚 片 听 听儿",
)
_role("bound", "以上 至少 最少 起码 以下 最多 至多")
_role("times", "次 遍 回 趟 下")
_role("seconds", "秒 秒钟")
_role("minutes", "分钟 分")
_role("hours", "小时 个小时 钟头 个钟头")
_role("door", "门 房门")
_role("open", "开着 打开着 开 开着的 是开着的 敞开 敞开着 没关")
_role("empty", "空着 空的 是空的 空了 空")
_role("closed", "关着 关闭 关上了 关了 锁着 关着的 关闭着 关上 是关着的 没开 锁上了 关 关住")
_role("battery", "没电 快没电 没电了 电快没了 电不够 快没电了 电量 电池 电池电量 你的电量 剩余电量")
_role("less", "没电 快没电 没电了 电快没了 电不够 快没电了 低于 小于 少于 不足 不到 不够 低")
_role("more", "高于 大于 超过 多于 高")
_role("percent", "百分之 %")
_role("question", "问题 测验 测验题 题 小测验 提问 测试题 测试 考题 小测试 一道题 谜语")
_role("wear", "穿着 穿 身穿 穿了 身着")
_role("named", "叫 名叫 叫做 名字叫 名字是 名为")
_role("cancel", "算了 当我没说 别管了 不用管了 算了吧 没事了 当我没讲")
_role(
    "everyone",
    "大家 所有人 每个人 每人 人人 每一个人 每位 每一位 各位 大伙 全体人员 大伙儿 大家伙 "
    "大家伙儿 全家 全家人 一家人 诸位 家里人",
)
_role("before", "之前 以前")
_role("lasting", "一直 永远 始终 总是 老是")
_role(
    "total",
    "一块儿 一起 一道 一并 统统 通通 全都 大声 大声地 先后 依次 按顺序 挨个 逐个 轮流 一共 总共 共 共有 拢共 统共 "
    "具体 到底 究竟 大概 大约 都有些 目前 此刻 眼下 这会儿 当前",
)
_role("apart", "分别 各自")
_role("half", "半")
_role("clock", "钟")
_role("have_do", "叫 喊 让 叫上 请让 请")
_role("look_at", "看看 看一看 看一下 看下 检查 检查一下 查看 瞧瞧 看一眼 查一下")
_role(
    "able",
    "找不到 没找到 找不着 没找着 没看到 没有找到 "
    "拿不到 够不着 够不到 没拿到 拿不着 做不到 失败 不行 找不到的话 没找到的话 看不到",
)
_role("see", "见过 看见过 看到过 见到过 看到 看见 发现 见到 有看到 有看见")
_role(
    "complement",
    "来 过来 过去 去 起来 上 下 出来 进来 出去 进去 好 完 住 走 一下 一下子 回来 回去 下来 上来 一看 看",
)
_role("mood", "吗 呢 吧 啊 呀 了 哦 嘛 啦 喽 哈 呐 么 得 地 过")


def roles_of() -> dict[str, list[str]]:
    """Return the words of the grammar, each with the roles it can play."""
    return _ROLES


_LONGEST = max(_LONGEST_VERB, *map(len, _ROLES))
_DIGITS = "零一二两三四五六七八九十百千俩"
_PIECE = re.compile(r"[A-Za-z][A-Za-z' ]*[A-Za-z]|[A-Za-z]|\d+(?:\.\d+)?|%")
_PUNCT = "，。；：！？,.;:!?、\n"
_QUOTE = re.compile(r"[“\"「『‘]([^”\"」』’]*)[”\"」』’]")


def plain(text: str) -> str:
    """Return the sentence without spaces between Chinese characters, in simplified characters."""
    narrow = simplified(text.strip())
    narrow = narrow.translate({ord(full): ord(full) - 0xFEE0 for full in "０１２３４５６７８９％"})
    return re.sub(r"(?<![A-Za-z])\s+|\s+(?![A-Za-z])", "", narrow)


def normalise(text: str) -> str:
    """Return the plain sentence in the form that the grammar knows."""
    return canonical(plain(text))


def tokenise(text: str, vocabulary: Vocabulary) -> list[Token]:
    """Split a normalised sentence into the longest phrases that the vocabulary or the grammar knows."""
    tokens: list[Token] = []
    index = 0
    while index < len(text):
        token, used = _match(text, index, vocabulary)
        if token is not None:
            if token.roles or token.senses or not tokens or tokens[-1].roles or tokens[-1].senses:
                tokens.append(token)
            else:
                # Neighbouring unknown characters are one unknown word.
                tokens[-1] = Token(tokens[-1].text + token.text)
        index += used
    return compounds(tokens)


_VESSELS = frozenset("杯瓶罐盒袋包盘碗桶壶箱篮筐刀皮核壳机车垫布架罩套膜纸贴单巾签椅桌柜熊")


def compounds(tokens: list[Token]) -> list[Token]:
    """Join 「咖啡」「杯」 and 「冰箱」「贴」: a noun right before another one names another thing than itself."""
    joined: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        after = tokens[index + 1] if index + 1 < len(tokens) else Token("")
        beyond = tokens[index + 2] if index + 2 < len(tokens) else Token("")
        before = joined[-1] if joined else Token("")
        if _compound(before, token, after, beyond):
            joined.append(Token(token.text + after.text))
            index += 2
            continue
        joined.append(token)
        index += 1
    return joined


def _compound(before: Token, token: Token, after: Token, beyond: Token) -> bool:
    thing = token.has("object", "category") and not token.has("colour", "verb")
    if (
        token.plays("measure")
        and len(token.text) == 1
        and (before.has("verb") or before.plays("number", "det"))
    ):
        # 「拿包麦片」
        return False
    place = (
        token.has("placement")
        and not before.has("verb", "placement", "room")
        and not before.plays("to", "at")
    )
    if before.value("verb") in ("bring", "take", "find") and token.has("placement"):
        place = not before.text.endswith(("到", "在", "进", "回", "去", "往", "至", "入"))
    ends = (
        not beyond.text or beyond.has("verb") or beyond.plays("punct", "give", "de", "to", "noun_and", "conj")
    )
    if not (thing or place) or not ends or not after.text:
        return False
    if not after.roles and not after.senses:
        return not after.text.isascii() and (place or not beyond.plays("de"))
    if thing and after.has("object") and not after.plays("number"):
        return not token.has("person") and not before.plays("noun_and") and after.text not in token.text
    return thing and after.text in _VESSELS and not after.has("placement")


def _match(text: str, index: int, vocabulary: Vocabulary) -> tuple[Token | None, int]:
    char = text[index]
    quoted = _QUOTE.match(text, index)
    if quoted:
        return Token(quoted.group(1), roles=("quote",)), len(quoted.group(0))
    if char in _PUNCT:
        return Token("、" if char == "、" else "," if char in "，,：:" else ".", roles=("punct",)), 1
    if char.isascii():
        for length in (2, 3):
            words = vocabulary.chinese.get(text[index : index + length], ())
            if words and not text[index : index + length].isascii():
                return Token(text[index : index + length], tuple(words)), length
        piece = _PIECE.match(text, index)
        if piece is None:
            return None, 1
        return _latin(piece.group(0), vocabulary)
    nickname = _nickname(text, index, vocabulary)
    if nickname:
        return Token(nickname, roles=("nickname",)), len(nickname)
    number = _numeral(text, index, vocabulary)
    longest = max(vocabulary.longest_zh, _LONGEST)
    for length in range(min(longest, len(text) - index), 0, -1):
        phrase = text[index : index + length]
        senses = tuple(vocabulary.chinese.get(phrase, ())) or compound(phrase)
        roles = _ROLES.get(phrase, ())
        if (senses or roles) and length >= len(number):
            return Token(phrase, senses, tuple(roles)), length
    if number:
        return Token(number, roles=("number",)), len(number)
    return Token(char), 1


SURNAMES = "王李张刘陈杨赵周吴徐孙马朱胡林郭何罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
TITLES = ("先生", "女士", "小姐", "阿姨", "叔叔", "老师", "医生", "奶奶", "爷爷", "总", "工", "哥", "姐")
_KIN = (
    "爸爸", "妈妈", "爷爷", "奶奶", "外公", "外婆", "姥姥", "姥爷", "哥哥", "姐姐", "弟弟", "妹妹", "叔叔", "阿姨",
    "老婆", "老公", "女儿", "儿子", "老板", "邻居", "室友", "同事", "老师", "爸", "妈",
)  # fmt: skip


def _nickname(text: str, index: int, vocabulary: Vocabulary) -> str:
    """Return the nickname or form of address that starts here (「小艾」「王阿姨」「奶奶」), "" when there is none."""
    char, after = text[index], text[index + 1 : index + 2]
    for kin in _KIN:
        if text.startswith(kin, index):
            return kin
    if char in SURNAMES:
        for title in TITLES:
            if text.startswith(title, index + 1):
                return char + title
    if char not in "小老阿" or not after or after in _PUNCT or after.isascii():
        return ""
    ahead = range(2, max(vocabulary.longest_zh, _LONGEST) + 1)
    if any(text[index : index + n] in vocabulary.chinese or text[index : index + n] in _ROLES for n in ahead):
        return ""
    if char + after in ("小心", "小时") or after in _DIGITS:
        return ""
    known = any(
        text[index + 1 : index + n] in vocabulary.chinese or text[index + 1 : index + n] in _ROLES
        for n in ahead
    )
    return char + after if after in SURNAMES or not known else ""


def _numeral(text: str, index: int, vocabulary: Vocabulary) -> str:
    end = index
    while end < len(text) and text[end] in _DIGITS:
        end += 1
    return text[index:end]


def _latin(piece: str, vocabulary: Vocabulary) -> tuple[Token, int]:
    words = tuple(piece.lower().split())
    senses = tuple(vocabulary.english.get(words, ())) or tuple(vocabulary.chinese.get(piece, ()))
    if not senses and len(words) > 1:
        first = piece.split()[0]
        return _latin(first, vocabulary)[0], len(first)
    if piece[0].isdigit() or piece == "%":
        role = ("percent",) if piece == "%" else ("number",)
        return Token(piece, roles=role), len(piece)
    return Token(piece, senses), len(piece)
