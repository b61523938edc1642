"""English questions that the robot cannot know the answer to: what is to come, what was, what is wanted, why, whose.

The grammar of questions knows where, how many, who and what is there now. "Where will you put the apple?" has the words
of "where is the apple", and its answer would be that of another question. Patterns work on lower-case text with opened
contractions and single blanks.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_messages import quoted
from zulong.agent.language.english_words import opened

_OPENING = (
    r"^(?:(?:hey|hi|so|and|ok|okay|robot|zulong|please|well|but|excuse me|tell me|say|oh|um|now|then|(?:do|would) you know|"
    r"(?:can|could|would|will) you (?:please )?tell me|i wonder|by the way|just|also|any idea|let me know)[, ]+)*"
)
_BE = r"(?:is|are|was|were|am)"
_SOMEBODY = r"(?:i|we|you|he|she|it|they|one|somebody|someone|anybody|anyone|the [a-z ]+?|my [a-z]+|[a-z]+)"
_ROOM = r"(?:room|place|spot|corner|part|table|shelf|cabinet|surface|piece|day|date|weekday)"
_ENDS = r"\s*[?.!]*\s*$"

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(_OPENING + pattern))
    for kind, pattern in (
        ("compute", r"what time (?:will|would|was|is) it (?:be )?(?:in|when|after|at|ago|before|tomorrow|an|one|"
                    r"two|five|ten)\b"
                    r"(?! (?:the )?(?:moment|present|now)\b)"),
        ("foresee", r"when (?:will|shall|would|is|are|am|does|do|can|could|should|might|has|have) (?!you see\b|"
                    r"you have seen\b)"
                    rf"(?!(?:the last time|it that)\b){_SOMEBODY}\b(?![^?]*\b(?:last|seen|spotted)\b)"),
        ("past", r"when (?:did|was|were|had) (?![^?]*\b(?:see|saw|seen|spot|spotted|notice|noticed|meet|met|find|found)\b)"),
        ("foresee", rf"(?:what|who|which(?: [a-z]+)?|how many(?: [a-z]+)?|how much(?: [a-z]+)?|how long|how)"
                    rf" (?!{_ROOM}\b)(?:will|"
                    r"shall)\b(?! (?:it be )?tomorrow\b)"),
        ("foresee", r"(?:where|in which [a-z]+|on which [a-z]+) (?:will|shall) (?!(?:i|we|you|one) (?:find|see|"
                    r"look|get to see)\b)"),
        ("foresee", rf"(?:what|where|who|how) {_BE} {_SOMEBODY} (?:going to|about to|planning to)\b"),
        ("foresee", rf"where {_BE} (?:he|she|they|you|we|[a-z]+|the (?:man|woman|person|guy|lady|girl|boy)[a-z ]*?) "
                    rf"(?:going|heading|headed|off to|travelling|walking|moving|driving)(?: to| now)*{_ENDS}"),
        ("explain", rf"where {_BE} (?!you\b)(?:he|she|they|[a-z]+|the [a-z]+) (?:coming )?from{_ENDS}"),
        ("advise", r"(?:where|what|which(?: [a-z]+)?|who|whom|how|how many(?: [a-z]+)?|when|whose(?: [a-z]+)?|"
                   r"to whom|for whom|"
                   r"why) (?:should|ought|must|needs?|had better) (?!i call you\b)(?![^?]*\b(?:find|look|be)" + _ENDS + ")"
                   r"(?![^?]*\b(?:find|look for|see)\b)"),
        ("advise", rf"where (?:do|does|would|shall|can|may|could) {_SOMEBODY} (?:(?:have|want|like|need) (?:to|"
                   rf"me to|you to|it) )?"
                   rf"(?:put|place|go|set|leave|store|sit|stand|wait|sleep|bring|take|drop)\b(?: (?:it|them|"
                   rf"that|this|the [a-z ]+?|"
                   rf"my [a-z ]+?))?(?: down| back| away| in| on)*{_ENDS}"),
        ("advise", r"(?:who|whom) (?:gets?|wants?|needs?|would like|takes?|is getting|ordered|asked for|likes?) "),
        ("advise", r"(?:what|which(?: [a-z]+)?) (?:do|does|would) (?!(?:you|we|i|they|he|she) (?:see|find|have|look)\b)"
                   rf"{_SOMEBODY} (?:want|like|need|prefer|think|recommend|suggest|feel|know|mean|fancy|eat|drink|cook|do)\b"
                   r"(?<!look like)"),
        ("past", r"(?:what|who|whom|which (?!" + _ROOM + r"\b)[a-z]+|how many [a-z ]{2,20}?|how much [a-z]+) (?:was|were)\b"
                 r"(?! the last )(?! (?:your|the|my|his|her|that|this|it|i|you|what) ?(?:name|time|date|day|"
                 r"again|order|team)\b)"),
        ("past", r"(?:what|who|whom|which (?!" + _ROOM + r"\b)[a-z]+|how many [a-z]+|how) did (?!you (?:see|"
                                                         r"find) (?:here|there))"),
        ("past", rf"(?:was|were) (?:there|somebody|someone|anybody|anyone|the [a-z ]+?|[a-z]+) [^?]*{_ENDS}"),
        ("owner", r"(?:whose\b|who owns\b|who does [^?]* belong\b|who(?:m)? (?:is|are) (?:this|that|these|those|"
                  r"the) [a-z ]+ for\b|"
                  r"(?:is|are) (?:this|that|these|those) (?:[a-z]+ 's|my|your|his|her|their) )"),
        ("owner", r"where (?:is|are) (?!it\b|what\b|the person 's name)(?:[a-z]+|the [a-z]+) 's "
                  r"(?!at\b|in\b|on\b|going\b|been\b|gone\b|got\b|hiding\b|now\b|here\b|there\b)[a-z]+"),
        ("foresee", r"will (?:you|he|she|they|it|there|the [a-z]+) (?:still )?be (?:in|at|on|there|here|back|"
                    r"late|home|ready|able)\b"),
        ("absent", rf"(?:what|who|which [a-z]+|how many [a-z ]{{2,20}}?|where) {_BE} (?:the [a-z]+ )?not "
                   r"(?!(?:going|sitting|standing|lying|waving|raising|pointing|wearing)\b)"),
        ("past", r"what happened (?!to\b)"),
        ("explain", r"how (?:many|much)(?: [a-z]+){0,3} (?:(?:can|could|may|would|will) )?"
                    r"(?:fit|sleep|live|eat|work|go|be|hold|take|seat)\b"),
        ("explain", r"how (?:many|much)(?: [a-z]+){0,3} (?:can|could|may|would|will) (?:sit|stand|lie)\b"),
        ("explain", r"what (?:is|are) the (?!person\b|man\b|woman\b|guy\b|lady\b|guests?\b|people\b|child\b|boy\b|girl\b)"
                    r"[a-z ]{2,25}? doing (?:in|on|at|here|there)\b"),
        ("explain", r"how (?:do|did|does|can|could) (?:you|he|she|they|[a-z]+) (?:know|like|make|manage|think|"
                    r"see that|do that)\b"),
        ("explain", r"why (?!not\b|(?:do|would|could|can|will) (?:not )?(?:you|we)\b|(?:do|would|could|can|will) not\b)"),
        ("foresee", r"(?:(?<=know )|(?<=tell me )|(?<=idea ))when (?!you\b|i\b|done\b|it is done)[a-z]+"),
        ("explain", rf"what (?:is|are) (?:a|an|the|it|this|that|these|those) ?[a-z ]*?\b(?:for|used for|made of|"
                    rf"good for|made from)"
                    rf"{_ENDS}"),
        ("explain", r"(?:what does [^?]+ (?:mean|stand for|cost|do)\b(?! here)|how (?:does|do) [^?]+ work\b)"),
        ("owner", rf"(?:have you got|do you have|is there|are there|got) [^?]+ for (?!me\b|us\b|sale\b|dinner\b|lunch\b|"
                  rf"breakfast\b|everyone\b|everybody\b|all\b|[a-z]+ing\b)[a-z]+{_ENDS}"),
    )
)  # fmt: skip


_AWAITED = re.compile(
    r"\b(?:tell (?:me|us)|let (?:me|us) know|inform (?:me|us)|notify (?:me|us)|alert (?:me|us)|warn (?:me|us)|remind me) "
    r"(?:(?:when|once|as soon as|whenever) (?!you\b|(?:it|that|this|everything) (?:is|has been|gets) done\b|done\b|"
    r"it is\b(?=\s*[.?!]*$))(?:he|she|they|it|somebody|someone|the [a-z ]{2,30}?|my [a-z]+|[a-z]+) (?:is|are|has|have|gets?|"
    r"comes?|arrives?|wakes?|leaves?|goes|starts?|begins?|ends?|finishes|calls?|rings?|returns?|wants?|needs?|runs?)\b|"
    r"(?:if|whenever) (?:he|she|they|it|somebody|someone|anybody|anyone|the [a-z ]{2,30}?|my [a-z]+|[a-z]+)"
    r" (?:comes?|arrives?|"
    r"wakes?|leaves|goes|starts|calls?|rings?|returns?|falls?|cries|moves|knocks?|gets)\b)"
)
"""Words that ask to be told of something when it happens."""


def unanswered(text: str) -> str:
    """Return the kind of a question that the robot cannot answer, "" when it is none, or when more is said than that."""
    said = re.sub(r"\s+", " ", opened(text)).strip()
    if _AWAITED.search("".join(quoted(said).split('"')[::2])):
        return "watch"
    if re.search(r"[.?!;] *\w", said) or '"' in said:
        return ""
    return next((kind for kind, pattern in _KINDS if pattern.match(said)), "")
