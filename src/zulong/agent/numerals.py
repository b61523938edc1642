"""Whole numbers as people write them: digits, Chinese numerals, English number words."""

from __future__ import annotations

import re

_CHINESE = {
    character: value
    for value, characters in enumerate(
        ["零〇", "一壹", "二两贰俩", "三叁仨", "四", "五", "六", "七", "八", "九"]
    )
    for character in characters
}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_UNITS_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_ENGLISH = {word: value for value, word in enumerate(_UNITS_EN.split())} | {
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "once": 1,
    "twice": 2,
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_COUNTED = {"a single": 1, "a couple": 2, "a couple of": 2, "a dozen": 12, "half a dozen": 6}
_FULL_WIDTH = str.maketrans("０１２３４５６７８９", "0123456789")

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDS = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_TENS_AND_ONES = rf"(?:{'|'.join(_TENS)})(?:[ -](?:{_ONES}))?"
# English number words from twenty on.
LARGE_IN_WORDS = (
    rf"\b(?:(?:a|{_ONES}) hundred(?: and (?:{_TENS_AND_ONES}|{_WORDS}))?|{_TENS_AND_ONES})\b(?! of\b)"
)
# Matches one number in any of the forms that `number` reads.
NUMBER = (
    r"(?:[0-9０-９]{1,20}|[零〇一壹二两贰俩三叁仨四五六七八九十百千万]{1,20}"
    rf"|\b(?:a|{_ONES}) hundred(?: and (?:{_TENS_AND_ONES}|{_WORDS}))?\b"
    r"|\b(?:half )?a (?:single|dozen|couple(?: of)?)\b"
    rf"|{_TENS_AND_ONES}|\b(?:{_WORDS})\b)"
)


def number(text: str) -> int | None:
    """Return the value of a number in digits or words, else None.

    Read are ``5``, ``５``, ``十二``, ``两``, ``twenty-one``, ``a hundred and five``, ``a single``, ``a dozen``.
    """
    text = text.strip().lower().translate(_FULL_WIDTH)
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    if text in _ENGLISH:
        return _ENGLISH[text]
    if text in _COUNTED:
        return _COUNTED[text]
    if " hundred" in text:
        hundreds, _, rest = text.partition(" hundred")
        more = number(rest.removeprefix(" and ")) if rest else 0
        times = 1 if hundreds == "a" else _ENGLISH.get(hundreds)
        return None if more is None or times is None else 100 * times + more
    parts = re.split(r"[ -]", text)
    if parts[0] in _TENS and len(parts) <= 2:
        ones = _ENGLISH.get(parts[1], 10) if len(parts) == 2 else 0
        return _TENS[parts[0]] + ones if ones < 10 else None
    return _chinese_number(text)


def _chinese_number(text: str) -> int | None:
    if not text or any(c not in _CHINESE and c not in _UNITS for c in text):
        return None
    if not any(c in _UNITS for c in text):
        return int("".join(str(_CHINESE[c]) for c in text))
    total, section, digit = 0, 0, 0
    for c in text:
        if c in _CHINESE:
            digit = _CHINESE[c]
        elif c == "万":
            total, section, digit = (total + section + digit) * _UNITS[c], 0, 0
        else:
            section += (digit or 1) * _UNITS[c]
            digit = 0
    return total + section + digit
