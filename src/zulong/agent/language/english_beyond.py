"""Which skill is missing for an English order or question that was not understood as anything the robot can do.

"Run me a bath" and "who won the football?" hold no thing and no place that could be asked about: an honest answer names
what the robot cannot do. The words are data, ``config/beyond_en.yaml``; they are never looked at before the sentence
was tried as an order, so that none of them takes an errand away.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.english_wordings import compiled
from zulong.resources import config_path, read_yaml

_OPENING = (
    r"(?:(?:please|hey|hi|hello|robot|zulong|ok|okay|so|well|oh|um|and|then|now|just|also|right|listen|could you|can you|"
    r"will you|would you|would you mind|could you please|can you please|would you please|i want you to|i need you "
    r"to|i'd like you to|"
    r"i would like you to|be a (?:dear|love|star|sport) and|do me a favou?r and|go (?:and )?|kindly|do|let's|you should|"
    r"you must|you can|you could|why don't you|how about|quickly|quick|finally|first|next|after that|afterwards)[\s,:]+)*"
)
_STARTS = rf"(?:^|[,.;!?] |\band |\bthen |\bbut ){_OPENING}"


@functools.cache
def _phrases() -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = read_yaml(config_path("beyond_en.yaml"))
    orders = [
        (skill, rf"{_STARTS}(?:{phrase})") for skill, all_of in data["orders"].items() for phrase in all_of
    ]
    asked = [
        (skill, rf"(?:^|[,.;!?] ){_OPENING}(?:(?:tell me|do you know|i wonder|any idea) )?(?:{phrase})")
        for skill, all_of in data["questions"].items()
        for phrase in all_of
    ]
    pairs = compiled([(phrase, skill) for skill, phrase in (*orders, *asked)], data["parts"])
    return tuple((skill, pattern) for pattern, skill in pairs)


def missing_for(text: str) -> str:
    """Return the skill that the sentence would take and the robot has not, "" when none is known.

    Args:
        text: the sentence as it was said.
    """
    said = re.sub(r"\s+", " ", text.lower().replace("\u2019", "'")).strip()
    if '"' in said or re.search(r"\b(?:don't|do not|never|not)\b", said):
        return ""
    return next((skill for skill, pattern in _phrases() if pattern.search(said)), "")
