"""English talk put the plain way before anything else reads it: questions, messages, reports, greetings.

"Get Charlie to come here", "are we out of milk?" and "pop through and tell Paris ..." are said in other words than the
grammar knows; a message in them has to be recognised before its words are, and what speaks against a plan is looked for
in the plain form too. The wordings are data, ``config/talk_en.yaml``.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.english_wordings import compiled
from zulong.resources import config_path, read_yaml

_QUOTED = re.compile(r"(?:(?<=^)|(?<=[\s,:]))'((?:[^'\"]|(?<=\w)'(?=\w)){2,160}?)'(?=[\s,.!?;]|$)")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'"})


@functools.cache
def _wordings(section: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    data = read_yaml(config_path("talk_en.yaml"))
    return compiled(data[section], data["parts"], re.IGNORECASE)


def without_filling(text: str) -> str:
    """Return the sentence without what fills it and orders nothing: "robot?", "battery's low, huh?".

    Args:
        text: the sentence as it was said.
    """
    if '"' in text:
        return text
    plain = text.translate(_APOSTROPHES)
    for pattern, kept in _wordings("filling"):
        plain = pattern.sub(kept, plain)
    return plain if plain.strip() else text


def said_plainly(text: str) -> str:
    """Return the sentence with its turns of talk put plainly; what stands in quotation marks stays as it is.

    Args:
        text: the sentence as it was said.
    """
    plain = _QUOTED.sub(r'"\1"', text.translate(_APOSTROPHES))
    plain = re.sub(r"\s+", " ", plain).strip()
    if '"' in plain:
        # What stands in quotation marks is to be said as it is.
        parts = plain.split('"')
        if len(parts) % 2 == 0:
            return text
        outside = _rewritten('"'.join(f"{n}" if n % 2 else part for n, part in enumerate(parts)))
        return re.sub(r'"(\d+)"', lambda found: f'"{parts[int(found[1])]}"', outside)
    return _rewritten(plain)


def _rewritten(text: str) -> str:
    for pattern, plain in _wordings("said"):
        text = pattern.sub(plain, text)
    return text
