"""Amounts that nobody can mean: "bring me -1 apples", 「等负五秒」."""

from __future__ import annotations

import re

_BELOW_ZERO = re.compile(
    r"(?:^|(?<=\s)|(?<=[\u4e00-\u9fff]))[-\u2212]\d+(?:\.\d+)?(?=\s*[a-z\u4e00-\u9fff])|\b(?:minus|negative) "
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b(?= [a-z]+)(?! from)|"
    r"负[零一二两三四五六七八九十百\d]+(?=[个秒分小只瓶杯罐])",
    re.IGNORECASE,
)


def below_zero(text: str) -> bool:
    """Tell a sentence with an amount below zero: the sign must not be left out to make an order fit."""
    return _BELOW_ZERO.search(text) is not None
