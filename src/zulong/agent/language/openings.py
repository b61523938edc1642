"""Calls on the robot that order nothing yet: "can you help me?", 「帮个忙」."""

from __future__ import annotations

import re

_CALL = re.compile(
    r"(?:(?:hey|hello|hi|robot|zulong|please|sorry|excuse me|oh|um|well|so|ok|okay|could you|can you|would you|will you|"
    r"i need you to|i want you to|i'd like you to)[\s,.!]*)*"
    r"(?:help(?: me)?(?: out)?|i (?:need|require|want|could use) (?:some |a little |a bit of |your )?"
    r"(?:help|assistance|a hand|favou?r)(?: here| from you)?|(?:give|lend) me a hand(?: here)?|assist me|"
    r"do (?:something|me a favou?r|us a favou?r)(?: for me)?|"
    r"i(?:'ve| have)(?: got)? (?:a (?:task|job|favou?r to ask)|something)"
    r"(?: for you)?(?: to do)?|are you (?:free|busy|available)|got a (?:minute|moment|sec|second)|"
    r"do you have a (?:minute|moment|sec|second))(?:[\s,]*(?:please|robot|zulong|now|right now|quick|quickly|will you|"
    r"would you|for a (?:second|moment|minute)|with something))*[\s.!?]*",
    re.IGNORECASE,
)
_CHINESE_CALL = re.compile(
    r"(?:喂|嘿|嗨|哎|欸|诶|那个|你好|哈喽|小|我的|亲爱的|[，,！!\s])*(?:祖龙|机器人|小家伙|小龙|"
    r"机器小子)(?:啊|呀|呢|同学|先生|宝贝|在吗|在不在|在么|你在吗|你在不在|"
    r"听得到吗|听得见吗|听到吗|醒醒|过来没|[，,！!？?\s])*[。.！!？?\s]*|"
    r"(?:(?:喂|嘿|嗨|你好|机器人|祖龙|请|麻烦|麻烦你|劳驾|不好意思|那个|能不能|能|可以|可不可以|你|来|快)[，,！!\s]*)*"
    r"(?:帮(?:我|我们|咱们)?(?:一下|下|个忙|一个忙|帮忙|一把)|帮帮(?:我|我们|忙)|帮忙|搭把手|搭个手|救命啊?|救救我|帮帮忙|"
    r"(?:我)?(?:有|找你有)(?:个|点|件)?(?:儿)?(?:事|事儿|活儿?|任务)(?:找你|要你做|给你|交给你|想请你帮忙)?|"
    r"(?:我)?需要(?:你的|一点|点)?(?:帮助|帮忙)|(?:有空|在忙|忙着?)(?:吗|么|不))(?:[，,\s]*(?:吗|么|吧|啊|呀|"
    r"行吗|好吗|行不行|谢谢|"
    r"好不好|可以吗))*[。.！!？?\s]*"
)


def calls_only(text: str) -> bool:
    """Tell whether a sentence only calls on the robot, and what is to be done is still to come."""
    said = text.strip().replace("\u2019", "'")
    return (_CALL.fullmatch(said) or _CHINESE_CALL.fullmatch(said)) is not None
