"""Slips of typing and of hearing in English, put right where nothing else can be meant.

Patterns work on lower-case text with single blanks, outside quotation marks. Names and nouns are corrected elsewhere,
by what the vocabulary knows; here are the small words, which a dictionary of names does not reach.
"""

from __future__ import annotations

import re

_PLACED = r"(?:in|on|at|from|to|into|near|by|inside|off|of)"
_WITH_THEM = r"(?:follow|guide|lead|escort|accompany|meet|greet|find)"
_ROOMS = r"(?:kitchen|bedroom|bathroom|living|dining|office|corridor|hallway)"

_SLIPS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"\b({_PLACED}) (?:he|tge|thr|thw|tthe|rhe) (?=[a-z])", r"\1 the "),
        (r"\b(?:tho|ot) (?=the\b)", "to "),
        (rf"\b(go|move|drive|walk|head|navigate) the (?={_ROOMS}\b)", r"\1 to the "),
        (r"\b(?:fnd|fidn|finde) (?=(?:the|a|an|my|me)\b)", "find "),
        (r"\b(?:bing|brng|brign|birng|brin) (?=(?:me|the|a|an|him|her|them|it|some|my)\b)", "bring "),
        (r"\b(?:giv|gve|gice) (?=(?:me|the|a|an|him|her|them|it|some)\b)", "give "),
        (r"\b(?:tel|tll|telll) (?=(?:me|the|him|her|them|us)\b)", "tell "),
        (r"\bpick (?:p|u|yp) (?=(?:the|a|an|my|that|this)\b)", "pick up "),
        (r"\bplease me (?=(?:the|a|an|some|that)\b)", "please bring me "),
        (r"\bthere (?=(?:name|gender|pose|gesture|question|order)s?\b(?! (?:are|is)\b))", "their "),
        # heard for "them"
        (rf"\b({_WITH_THEM}) then (?=(?:to|in|at|back|from|around|there|here)\b)", r"\1 them "),
        (r"\b(give|bring|take|deliver|hand) (it|them) too (?=\w)", r"\1 \2 to "),
        # what is compared
        (r"\bthe (?:most |very )?(bigg|larg|small|heavi|light|thinn)(?:er|es|ets|ed|esst|eest) "
         r"(?!(?:of|than|in|on|to|from|and|at|for|by|is|with)\b)(?=[a-z])", r"the \1est "),
        (r"\bthe (three|two|3|2) lights (?=(?:things|objects|items)\b)", r"the \1 lightest "),
        # sitting for setting, leaving for putting
        (r"\b(?:sit|lie|lay|leave) (it|them) (?:down |there )?"
         r"(?=(?:on|in|at|onto|into|inside|under|by|near|next to|beside) (?:the|my|a)\b)", r"put \1 "),
    )
)  # fmt: skip


def mended(text: str) -> str:
    """Return the sentence with its slips put right."""
    for pattern, plain in _SLIPS:
        text = pattern.sub(plain, text)
    return text
