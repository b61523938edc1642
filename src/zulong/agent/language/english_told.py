"""Words of an English sentence that order nothing, whatever orders were read out of it: what is only told.

That something would be nicer, what somebody hates or has, what they say, when something is to be done that is done at
once, and a sentence that breaks off. Patterns work on lower-case words with opened contractions and single blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from zulong.agent.language.meaning import CARRYING, Clause

_NO_ORDERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bfor (?!me to\b)[a-z]+ (?:was|were|has been|had been)\b",
        r"^(?:the|my|that|those|these) [a-z ]+ for [a-z]+(?: and [a-z]+)? (?:is|are|has|have) "
        r"(?!in\b|on\b|at\b|to\b|by\b|near\b|inside\b)[a-z ]+[.!]*$",
        r"\? no\b(?= ,? ?(?:he|she|they|it|i|we|not|thanks)\b)|\bhas had enough\b",
        r"\b(?:would|might|will|could|may) (?:be|do|work|look|go|fit|suit|seem|taste|make)(?: [a-z]+)? "
        r"(?:better|nicer|nice|great|good|fine|perfect|lovely|prettier|well|wonderful|neater)\b(?! (?:if|to|of|for you))",
        r"\b(?:for|to) yourself\b",
        r", (?:he|she|they|[a-z]+) (?:said|says|told me|told us|replied|asked|shouted|wrote|insisted)(?= ?\.?$)",
        r"\btime for (?:me|us) to\b",
        r"(?:^|, ?)(?:the )?(?:fridge|refrigerator|pantry|larder|sink|desk|sofa|shelf|cabinet|dishwasher|bed|"
        r"bookshelf|kitchen|"
        r"bedroom|bathroom|office|study) for (?:the|my) ",
        r"\b(?:hates?|dislikes?|loathes?|detests?|(?:can|could) not stand|is allergic to|(?:does|did|do) not "
        r"(?:like|want|drink|eat|need)) "
        r"(?:it|them|that|this|those|any)\b",
        r"\bthat is (?:how|the way|why)\b(?! (?:i|we) (?:like|want|need)\b)",
        r"\band (?:he|she|it|they|i|we) (?:was|were|had|got|went|fell|became)\b",
        r"^(?:(?:in|on|at) the [a-z ]+ )?there (?:is|are) [^,.;:!?]* for (?!me\b|us\b)[a-z]+ ?[.!]*$",
        r"\b(?:would|do) you (?:like|want|fancy|care for) (?:an?|some|any|another|more) ",
        r"^(?:they|people|some people|folks?|we|i|he|she) (?:all |always |often )?says?\b",
        r"\bi (?:always |usually |often )?wish\b.* every (?:day|week|month|year|morning|night|time)\b",
        # One thing goes to one place: "put the apple on the desk, then on the bed".
        r"\b(?:put|place|set|lay|bring|give|hand|deliver) (?:the|my|it|that|this)\b[^.;]*\bthen "
        r"(?:on|in|onto|into|to) (?!me\b)(?:the |my )?[a-z]+(?: [a-z]+)?$",
        r"\b(?:each|every one|all|both|most|none) of us\b|\bus (?:all|both|each)\b",
        # "go to the bedroom, unless she is there, then go to the office": which of the two hangs on it is not clear.
        r"\band somewhere\b",
        r"\bsomewhere (?:safe|else|warm|cool|cold|dry|nice|sensible|handy|out of (?:the way|reach|sight|harm))\b",
        r"^[^,;]+, unless [^,;]+, (?:then|and) ",
        r"\b(?:but|and) stop (?:at|in|before|near|short of|outside|inside)\b|\bstop (?:when|if|as soon as|once)\b",
        r"\bif\b[^,.;:!?]*\b(?:is|are|was|were|has|have)\b[^,.;:!?]*? and (?:(?:the|a|an|my|no) )?[a-z]+(?: [a-z]+)? "
        r"(?:is|are|was|were|has)\b",
        r"\b(?:see|make sure|ensure|make certain|take care|watch out)(?: to it)?(?: that)? (?!(?:you|to)\b)[a-z ]{2,20}? "
        r"(?:does|do|did|is|are|will|can) not\b",
    )
)
"""What is said of things that would be nice, of the robot itself, or of what others must not do."""
_BROKEN_OFF = re.compile(
    r"\b(?:the|a|an|my|your|our|(?<!is )(?<!'s )(?<!was )his|into|onto|and|or|about the|of the)(?= ?[.]*$)"
)
"""A sentence that ends so was not said to its end."""
_LIFTED = re.compile(
    r"\b(?:carry|lift|drag|haul|lug|hoist|heave) (?P<who>[a-z]+)\b(?! (?:the|a|an|some|my|his|her|one|two|three)\b)"
)
"""People are led and not carried."""
_OWNS = re.compile(
    r"(?:(?:but|and|oh|well|no|because|since|so) ?,? )*(?P<who>[a-z]+) (?:has|had|has got|owns|keeps|took|ate|"
    r"drank|used|broke|"
    r"lost|likes|loves|hates|bought|found|saw|made)(?: already| always)? (?!to\b)[^,.;:!?]*[.!]*"
)
"""What somebody has or likes, and nothing besides."""
_LATER = re.compile(
    r"(?:in|after|within) (?:about |another |exactly |around )?(?:half )?"
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|fifteen|twenty|thirty|forty|sixty|\d+) (?:seconds?|minutes?|mins?|hours?|days?|weeks?)\b"
)
"""When something is to be done that is done at once."""

_GOES_SOMEWHERE = re.compile(
    r"^(?!.*\b(?:bring|fetch|get|give|grab|hand|pass|want|need|have|find|like)\b)"
    r".*?\b(?:should|ought to|must|needs? to|has to|have to) (?:all |both |really |actually )?(?:be|go|live|sit|stand) "
    r"(?:back )?(?:on|in|into|onto|inside) the\b|"
    r"\b(?:take|carry|run) (?:some|it|them|one|that) (?:over|round|across|along|there)\b(?! to me\b)|"
    r"(?<!right )(?<!straight )(?<!far )\baway(?= ?(?:,|please|now|then|thanks|[.!]|$))"
)
"""A thing is to be taken somewhere, or to somebody, who was named before."""
_ANOTHER_TIME = re.compile(
    r"\b(?:seconds?|secs?|minutes?|mins?|hours?) ?,? ?(?:er+|e?rm|um+|uh+|no|sorry|actually|i mean|make that|make it|or)\b"
)
"""One time or the other, not both."""
_DO_THAT = re.compile(r"\b(?:do|manage|sort|arrange|see to|handle) (?:that|it|this)\b")
"""It stands for what was told before, which is no thing to bring."""
_LIES_THERE = re.compile(r"\bwhat(?:ever)? [a-z]+ (?:is|are|you find) (?:left )?(?:on|in|at) ")
"""Where a thing lies is no place to put it."""


def told_only(
    said: str, spoken: str, clauses: Sequence[Clause], is_person: Callable[[str], bool]
) -> Iterator[str]:
    """Yield the words that speak against orders by what they tell.

    Args:
        said: the words of the sentence.
        spoken: the words of the messages in it, which order nothing of the robot.
        clauses: what was read out of it.
        is_person: tells whether a word is somebody's name or a word for people.
    """
    amiss = (match[0].strip() for pattern in _NO_ORDERS for match in pattern.finditer(said))
    yield from (words for words in amiss if words not in spoken)
    yield from (match[0] for match in _BROKEN_OFF.finditer(said))
    yield from (match[0] for match in _LIFTED.finditer(said) if is_person(match["who"]))
    carried = [clause for clause in clauses if clause.action in CARRYING and not clause.negated]
    mine = all(
        clause.goal is None and (clause.recipient is None or clause.recipient.pronoun == "me")
        for clause in carried
    )
    if carried and mine:
        yield from (match[0] for match in _GOES_SOMEWHERE.finditer(said) if match[0] not in spoken)
    if any(clause.action == "put" for clause in carried):
        yield from (match[0].strip() for match in _LIES_THERE.finditer(said))
    if any(clause.action == "put" for clause in carried) and any(
        clause.action == "bring" for clause in carried
    ):
        yield from (match[0] for match in _DO_THAT.finditer(said))
    if sum(clause.action == "wait" for clause in clauses) > 1:
        yield from (match[0] for match in _ANOTHER_TIME.finditer(said))
    owner = _OWNS.fullmatch(said)
    if owner and is_person(owner["who"]):
        yield said
    later = _LATER.match(said)
    if later and not any(clause.action == "wait" for clause in clauses):
        yield later[0].strip()
