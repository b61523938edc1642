"""English phrases that stand for another clause or another thing, written out before a sentence is split into words.

"On your way to the kitchen" is an errand of its own, "the other" is another one of what was named, and "then again"
takes something back and repeats nothing. Patterns work on lower-case text with opened contractions and single blanks.
"""

from __future__ import annotations

import re

_PLACE = r"(?P<place>(?:the|my) [a-z ]{2,25}?|(?:bed|living|bath|dining) ?room)"
_END = r"(?=\s*[.!?]*\s*$)"
_HALVES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"^(?P<order>[^,;.]+?),? (?:while |when )?(?:you are )?on (?:your|the) way (?:over )?(?:in)?to {_PLACE}{_END}",
         r"\g<order>, and then go to \g<place>"),
        (rf"^(?:while |when )?(?:you are )?on (?:your|the) way (?:over )?(?:in)?to {_PLACE}, (?P<order>[^,;.]+?){_END}",
         r"\g<order>, and then go to \g<place>"),
        (r"((?:,|\band) )(?:another|the other(?: one)?|the second(?: one)?) (?=(?:to|for|on|in|at|onto|into|under|by)\b)",
         r"\1another one "),
        (r"\b(greet|welcome|call|address) ((?:the )?[a-z ]{2,20}?) by (?:his |her |their )?names?\b", r"\1 \2"),
        (r"(^|[.;!?,] )(?:but )?then again,? ", r"\1but "),
        (r"\bdo not (?:you )?bother (?:about |with |to )?(?=[a-z]+ing\b)", "do not "),
        (r"\b(?:there is )?no (?:need|point)(?: in| of)? (?=[a-z]+ing\b)", "do not "),
        (r"\bnever ?mind (?:about )?(?=(?:bring|go|guid|follow|fetch|tell|ask|tak|putt?|giv|gett?|look|find|com)ing\b)",
         "do not "),
        (r"^(?P<order>do not bother|never ?mind|forget it|leave it),? (?:i|we) (?:will|can|could|am going to|have|am|would "
         r"rather)\b[^;.!?]*$", r"\g<order>"),
    )
)  # fmt: skip


def written_out(text: str) -> str:
    """Return the sentence with the phrases that stand for more, or for less, put plainly."""
    for pattern, plain in _HALVES:
        text = pattern.sub(plain, text)
    return text
