"""What is to be said or asked in a Chinese instruction: words for others, never orders for the robot.

「转告罗宾：饭好了，别等我」 comes to 「告诉罗宾「饭好了，别等我」」: what stands in quotation marks is said as it is. What the
robot has to find out itself (「告诉简客厅里有几个人」) and what it knows (「告诉简现在几点」) stays for the grammar.
"""

from __future__ import annotations

import re
from typing import Protocol


class Names(Protocol):
    """What is known of the words of a vocabulary."""

    person: str
    place: str
    topics: frozenset[str]
    threats: tuple[str, ...]


_PRIVATE, _PRIVATE_END = "\ue000", "\uf8ff"
_MARKS = "，。？！,.?!；;"
_ORDERS = (
    "然后", "接着", "再", "随后", "之后", "完了", "最后", "顺便", "顺道", "并", "把", "将", "给", "去", "拿", "取", "带", "找", "到", "问", "告诉", "跟",
    "向", "对", "说完", "讲完", "问完", "帮", "回到", "回去", "过来", "来我", "你", "您", "送", "放", "等", "看", "数", "如果", "要是", "不然", "否则",
    "算了", "不对", "谢谢", "好吗", "好不", "行吗", "行不", "可以吗", "可以不", "在", "从", "别跟", "别告诉", "不要告诉", "回头", "他怎么", "她怎么", "听", "记得告诉",
    "停", "站", "跑", "走到", "接", "先", "另外", "祖龙", "机器人", "辛苦", "麻烦", "拜托", "就行", "就可以", "即可", "就好", "还有", "同时", "一边", "也", "哦", "嗯", "不用了", "取消",
)  # fmt: skip
"""How what the robot itself is to do begins, after words that are to be said."""
_CONJUNCTION = re.compile(
    r"(?:然后|接着|随后|之后再|并且|完了再|再(?=[去来回把拿给带找到问告跟看数等])|并(?=[把给去带告问回])|后(?=回来|再))"
)
_FILLERS = re.compile(r"^(?:一下|一声|一句话|一句|下|声|句话|句|就说|说是|说|讲|道|呀|啊|哈|，|,|：|:)+")
_TIMES = re.compile(r"^[一二两三四五六七八九十\d]+(?:次|遍|回|声)")
_END = re.compile(r"(?:吧|呗|好吗|行吗|可以吗)+$")
_OBSERVED = re.compile(
    r"(?:有|是|坐着|站着|躺着|剩)?(?:几|多少)(?:个|位|只|瓶|件|样|种|名|口)|有(?:没有|什么|谁|哪些)|在哪里|在哪|在不在|最.{1,4}的.{0,6}是"
    r"|(?:名字|姓名|姿势|姿态|手势|性别|衣服|着装|数量|人数|位置)(?:是什么)?$|^(?:关于)?(?:你自己|你的|自己)|(?:东西|饮料|水果|食物|玩具)(?:有哪些|是什么)?$"
    r"|叫什么|是什么姿势|是什么手势|穿着什么"
)
_ANSWERED_BY_ALL = re.compile(r"^(?:有|还有)?(?:一个|个|道)?(?:问题|测验|测试|谜语|题目|小测验|提问)$|^(?:个)?好$|^候$|^(?:他|她|一下)?的?(?:名字|姓名)$|^(?:叫)?什么名字$|^(?:他|她)?叫什么(?:名字)?$")


class Messages:
    """Puts what is to be said or asked in quotation marks."""

    def __init__(self, names: Names) -> None:
        self.names = names
        listener = rf"(?:[^，。？！,.?!；;：:我你您「把]{{0,14}}?(?:{names.person}))(?:们|那儿|那边|那里)?(?:(?:和|、|跟|以及|与)(?:{names.person}))*"
        saying = r"(?:说|讲|道|喊|传话|传个话|传句话|带话|带个话|带句话|捎话|捎个话|捎句话|捎个信|带个信|捎口信|报告|通报|解释|交代|嘱咐|吩咐|交待|提醒|宣布)"
        telling = r"(?:告诉|告知|转告|通知|叮嘱|嘱咐|知会|通报|回复|吩咐|交代|提示|答复|转达|传达|叫|喊|让|催)"
        asking = r"(?:询问|问问|问一问|问一下|问一声|问下|问声|请教|打听一下|打听下|打听|咨询|问)"
        colon = r"[：:]"
        self.forms = [
            (re.compile(pattern), kind)
            for pattern, kind in (
                # the listener, then the verb
                (rf"(?:跟|对|向|和|给|同|冲|朝|替我跟|替我向)({listener})(?:大声|小声|悄悄|轻轻|再|也)*{saying}(?:一下|一声|一句话|一句|下|声|句话)?(?=([：:，,]?))", "tell"),
                (rf"(?:给)({listener})(?:捎|带|传|递)(?:一)?(?:个|句)(?:话|口信|信儿|信|消息)(?=([：:，,]?))", "tell"),
                (rf"(?:捎|带|传|递)(?:一)?(?:个|句)?(?:话|口信|信儿|消息)给({listener})(?=([：:，,]?))", "tell"),
                (rf"(?:告诉|告知|转告|通知|叮嘱|嘱咐|知会|通报|回复|提示|转达给|传达给)(?:一下|下|一声)?({listener})(?:一声|一下|一句)?(?=([：:，,]?))", "tell"),
                (rf"(?:让)({listener})知道(?=([：:，,]?))", "tell"),
                (rf"{asking}(?:一下|下|一声)?({listener})(?:一声|一下|下)?(?=([：:，,]?))", "ask"),
                (rf"(?:跟|向|找|和|同)({listener})(?:询问|打听|请教|确认|核实|咨询|了解|问)(?:一下|下|一声|问)?(?=([：:，,]?))", "ask"),
                # to nobody in particular
                (rf"(?:大声(?:地)?(?:说|喊|宣布)|宣布|广播|喊(?:一嗓子|一声|一句|话)|说(?:一句|一声|句)|播报|高喊|吆喝一声)(?:一下|下)?({colon}|(?=()))", "say"),
                (rf"(?<![跟对向和给同小听据])说({colon})", "say"),
            )
        ]  # fmt: skip
        _ = telling

    def quoted(self, text: str) -> str:
        """Return the sentence with its first message that is not yet quoted in quotation marks.

        What stands in quotation marks already is one private character.
        """
        for pattern, kind in self.forms:
            for found in pattern.finditer(text):
                start = found.end()
                end = self._end(text, start, kind)
                content = text[start:end]
                lead = _FILLERS.match(content)
                words = content[lead.end() :] if lead else content
                if not self._is_message(words, kind):
                    continue
                return text[: found.start()] + self._said(found, kind, words) + text[end:]
        return text

    def _said(self, found: re.Match[str], kind: str, words: str) -> str:
        if kind == "say":
            return f"说「{words}」"
        return f"{'告诉' if kind == 'tell' else '问'}{found.group(1)}「{words}」"

    def _is_message(self, words: str, kind: str) -> bool:
        plain = words.strip("呀啊呢吧哦的了？?！! ")
        if any(_PRIVATE <= char < _PRIVATE_END for char in words):
            return False
        if not plain or _TIMES.match(plain) or any(threat in words for threat in self.names.threats):
            return False
        if kind == "ask":
            return not _ANSWERED_BY_ALL.search(plain)
        if plain in self.names.topics or words in self.names.topics or plain in ("你好", "您好", "谢谢", "结果", "答案"):
            return False
        return not _OBSERVED.search(plain)

    def _end(self, text: str, start: int, kind: str) -> int:
        """Return where the words that are to be said end."""
        opened = text[start : start + 1] in ("：", ":") or text[start - 1 : start] in ("：", ":")
        position = start
        while position < len(text) and text[position] in "：:，,":
            position += 1
        first = True
        while position < len(text):
            stop = position
            while stop < len(text) and text[stop] not in _MARKS:
                stop += 1
            segment = text[position:stop]
            if not first and self._is_order(segment, opened):
                return position - 1
            joint = _CONJUNCTION.search(segment)
            if joint and joint.start() > 0:
                return position + joint.start()
            if stop < len(text) and text[stop] in "。？！?!；;." or (kind == "ask" and stop >= len(text)):
                return stop
            position, first = stop + 1, False
        return len(text)

    def _is_order(self, segment: str, opened: bool) -> bool:
        if "的话" in segment or segment.startswith(("不在", "没人", "没有", "有人")):
            return True
        if opened and not segment.startswith(("然后", "接着", "再", "说完", "问完", "最后", "完了", "回来告诉", "随后", "并", "谢谢", "好吗", "行吗", "可以吗", "好不好", "把答", "告诉我")):
            return False
        return not segment or segment.startswith(_ORDERS) or bool(re.match(r"回来(?!吃|喝|拿|开|睡|了)", segment))
