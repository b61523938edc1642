"""Who is named in an English order and is not known here: "get Harry a cola", "tell Will that dinner is ready".

A first name is no slip for another word or another name: "Simon" is not Simone, and "may" in the place of a person is May.
The names are data, ``first_names`` of ``config/lexicon.yaml``.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.lexicon import Vocabulary

_DEED = (
    r"(?:take|bring|carry|deliver|hand|pass|give|send|fetch|get|serve|show|tell|ask|inform|remind|warn|wake|greet|meet|follow|"
    r"guide|lead|escort|accompany|find|visit|call|invite|thank|wish|answer|help|say (?:hello|hi|goodbye) to|look for|"
    r"introduce yourself to|go to|drive to|come to)"
)
_AFTER = (
    r"(?=\W*$|[,.;!?]|\s+(?:the|a|an|some|that|to|in|at|on|if|whether|what|how|where|when|and|one|two|three|my|his|her|"
    r"dinner|i)\b)"
)


def stranger(text: str, vocabulary: Vocabulary) -> str:
    """Return the first name in the place of a person who is not on the map, "" when there is none.

    Args:
        text: the instruction.
        vocabulary: the people who are known, and the names that people have.
    """
    said = text.replace("\u2019", "'")
    outside = "".join(said.split('"')[::2])
    found = _pattern(vocabulary).search(outside)
    if found is None:
        return ""
    return next(name for name in found.groups() if name)


@functools.lru_cache(maxsize=4)
def _pattern(vocabulary: Vocabulary) -> re.Pattern[str]:
    known = {
        word for phrase, senses in vocabulary.english.items() if senses[0].kind == "person" for word in phrase
    }
    listed = str(vocabulary.lexicon.data.get("first_names") or "").split()
    names = "|".join(sorted(name for name in listed if name not in known)) or r"(?!)"
    return re.compile(
        rf"\b{_DEED} ({names})\b{_AFTER}|\bto ({names})(?=\W*$|[,.;!?]|\s+(?:in|at|and|please|that)\b)",
        re.IGNORECASE,
    )
