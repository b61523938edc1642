"""What is done on arrival, or when all is done, joined to what comes before: 「送到书房，交给简」「弄完告诉摩根：……」.

A thing that is taken to a room and handed to somebody there is one delivery; 「弄完」 before the next order says no more
than 「然后」.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_HANDED = (
    r"(?P<before>[^，]*?(?:送|拿|端|带|捎|递))(?:到|去|进)(?P<room>{place})(?:里|里面|那边|那儿)?(?:去|来)?，(?:再|然后|就|并|到了)*"
    r"(?:交给|递给|给|送给|拿给|交到|端给)(?P<who>[^，]{1,16}?)(?P<rest>(?:，.*)?)"
)
_DONE = re.compile(
    r"(?<=[，。])(?:都|全|全部|一切)?(?:弄|忙|做|搞|办|干|放|送|给|搬|收|拿|摆|端|问)(?:完|好|妥|定)(?:了|之后|以后|后|事)*[，]?(?:再|就|你就)?"
    r"(?=(?:去|回来)?(?:告诉|通知|提醒|跟|问|和|回|去|到|来))"
)


def on_arrival(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with what is done on arrival joined to its order, None when there is nothing of the kind.

    Args:
        text: the sentence as it was said.
        vocabulary: the names.
    """
    said = plain(text).strip("。！!")
    put = _DONE.sub("然后", said)
    handed = _handed(vocabulary).fullmatch(put)
    if handed is not None and not re.match(r"我|她|他|谁", handed["who"]):
        rest = handed["rest"]
        put = f"{handed['before']}到{handed['room']}给{handed['who']}{rest}"
    return put if put != said else None


@functools.lru_cache(maxsize=4)
def _handed(vocabulary: Vocabulary) -> re.Pattern[str]:
    return re.compile(_HANDED.replace("{place}", name_patterns(vocabulary)["place"]))
