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
        (r"(^|[.;!?,] )(?:many )?(?:thanks|thank you|thx|cheers)(?: (?:so|very) much| a lot)? for (?:not )?[a-z]+ing "
         r"[^,.;!?]*[,.;!?] (?=[a-z])", r"\1"),
        (rf"( to (?:the )?[a-z]+) for me{_END}", r"\1"),
        (r"\b(take|get|bring|pick up) ((?:the|my) [a-z ]{2,20}?),? (?:and |but )?leave (?:the|my) [a-z ]{2,20}?"
         rf"(?: there| alone| where (?:it|they) (?:is|are)| behind)?{_END}", r"\1 \2"),
        (r"\b(take|bring|carry) ((?:the|my|a|an|some) [a-z ]{2,20}?) (?:along )?with you (?=(?:in)?to\b)", r"\1 \2 "),
        (r"\b(go|drive|move|head|travel|walk|run|roll|journey|make your way) from the (?:kitchen|office|study|lounge|sofa|"
         r"desk|bed|(?:bed|bath|living|dining) ?room) to (?=(?:the|my)\b)",
         r"\1 to "),
        (r"\bfrom the (?:kitchen|office|study|lounge|sofa|desk|bed|(?:bed|bath|living|dining) ?room),? "
         r"(go|drive|move|head|travel|walk|run|roll|proceed|continue|carry) (?:on )?to (?=(?:the|my)\b)", r"\1 to "),
        (r"^for (?!me\b|us\b|now\b|once\b|that\b|this\b|the\b|a\b|you\b|it\b)([a-z]+), "
         rf"(?:please )?(bring|get|fetch) ([^,;.]+?){_END}", r"bring \3 to \1"),
        (r"\b(check|see|make sure)(?: that| if| whether)? (?:nobody|no one) is\b", r"check if somebody is"),
        (r"\b(?:make sure|be sure|take care|be careful|try) (?:you )?(?:not to|never to|you do not|do not)\b", "do not"),
        (r"\bask (her|him|them) (?:his|her|their) name\b", r"ask \1 for the name"),
    )
)  # fmt: skip


def written_out(text: str) -> str:
    """Return the sentence with the phrases that stand for more, or for less, put plainly."""
    for pattern, plain in _HALVES:
        text = pattern.sub(plain, text)
    return text
