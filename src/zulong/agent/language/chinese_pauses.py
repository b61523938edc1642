"""The pauses of a Chinese sentence that was typed or recognised without any mark: 「红杯子落书房了帮我捎过来」.

Where a clause ends with a particle of mood and what follows begins like an order, where 「你」 begins one, and around what
opens or joins clauses, a comma is put. The sentence is then heard anew with the usual rigour; what is to be said to
somebody stays as it is.
"""

from __future__ import annotations

import re

_MARKED = re.compile(r"[，。！？；：,.!?;:“”\"「」『』、]")
_REPROACHES = re.compile(
    r"我(?:要|说|叫|点|想要)的(?:是|可)?|明明|(?:我|谁)(?:让|叫|要)你|不是说|怎么|为什么|凭什么|干嘛|干吗"
)
_LEAST, _LONGEST = 7, 80
_SPEAKS = re.compile(
    r"告诉|转告|通知|提醒|[跟和对向][^，]{1,6}(?:说|讲)|问(?!题|好)|说(?=一?声)|叫(?=[^我])|喊(?=[^我])"
)
_OPENS = (
    r"(?:帮我|帮忙|给我|给他|给她|替我|你|您|把|去(?!了)|找|跟|直接|拿|快|赶紧|麻烦|先|再|然后|接着|带|领|送|端|别|不要|放|搁|扔|等|来(?!了)|回(?!来了)|到|叫|问|告诉|"
    r"渴|饿|累|困|我|他|她|没有的话|不在的话|有的话|在的话|要是|如果|谢谢|好吗|行吗|可以吗)"
)
_FILLED = re.compile(
    r"^((?:那个|那什么|嗯+|呃+|额+|哎+|诶+|唉|我靠|我去(?=[^，]{0,2}[这那])|卧槽|妈呀|天哪|哎呀|哎哟|喂|嘿|小?祖龙|小?机器人)+)(?=[^，])"
)
_PARTICLE = re.compile(
    rf"(?<=[^，]{{2}}[吧呗呀啦哈嘛呢吗喽咯])(?={_OPENS})|(?<=[^，]{{2}}[了啊])(?={_OPENS})|(?<=的话)(?=[^，就])"
)
_YOU = re.compile(
    r"(?<=[^，]{3})(?<![让叫请要给跟帮把对问陪找等到和])(?=你(?:去|把|给|帮|先|等|到|过来|再|快|别|拿|送|带|找|回))"
)
_JOINS = re.compile(
    r"(?<=[^，先]{3})(?=然后|接着|最后(?:再|去|回|把)|(?:没有|不在|有|在)的话|否则|不然的话|要不然)"
)


def with_pauses(text: str) -> str | None:
    """Return the sentence with commas where its clauses end, None when it has marks of its own or needs none."""
    said = text.strip()
    if _MARKED.search(said) or _REPROACHES.search(said) or not _LEAST <= len(said) <= _LONGEST:
        return None
    speaks = _SPEAKS.search(said)
    head, message = (said[: speaks.start()], said[speaks.start() :]) if speaks is not None else (said, "")
    for pattern in (_PARTICLE, _YOU, _JOINS):
        head = pattern.sub("，", head)
    head = _FILLED.sub(r"\1，", head)
    if message and re.search(r"[吧呗呢了]$|找到[他她它]?$", head):
        head += "，"
    paused = re.sub("，{2,}", "，", head + message)
    return paused if paused != said else None
