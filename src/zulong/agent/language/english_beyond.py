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
def _phrases(section: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = read_yaml(config_path("beyond_en.yaml"))
    before = (
        rf"(?:^|[,.;!?] ){_OPENING}(?:(?:tell me|do you know|i wonder|any idea) )?"
        if section == "questions"
        else f"{_STARTS}"
    )
    named = [(f"{before}(?:{phrase})", skill) for skill, all_of in data[section].items() for phrase in all_of]
    return tuple((skill, pattern) for pattern, skill in compiled(named, data["parts"]))


def never_done(text: str) -> str:
    """Return the skill for what is refused whatever else is understood, "" when the sentence orders no such thing.

    Args:
        text: the sentence as it was said.
    """
    return _skill(text, "always")


def missing_for(text: str) -> str:
    """Return the skill that the sentence would take and the robot has not, "" when none is known.

    Args:
        text: the sentence as it was said.
    """
    return _skill(text, "orders") or _skill(text, "questions")


def _skill(text: str, section: str) -> str:
    said = re.sub(r"\s+", " ", text.lower().replace("\u2019", "'")).strip()
    if '"' in said or re.search(r"\b(?:don't|do not|never|not)\b", said):
        return ""
    return next((skill for skill, pattern in _phrases(section) if pattern.search(said)), "")
