"""English orders that follow one another, where what comes after what is told by what will be so then.

"Take her to the kitchen and, once she's there, ...", "after you've said hello to Jane, ...", "..., and before you come
back, ...", "would you mind guiding him there and bringing him a cola": each comes to orders with "then" between them. The
sentence is looked at with one letter for each name of the map (:class:`~zulong.agent.language.english_states.Lifted`).
"""

from __future__ import annotations

import re

from zulong.agent.language.english_frames import base_of
from zulong.agent.language.english_states import Lifted
from zulong.agent.language.english_supposed import PERSON as _PERSON
from zulong.agent.language.english_supposed import PLACE as _PLACE
from zulong.agent.language.english_supposed import THING as _THING
from zulong.agent.language.english_supposed import pattern as _pattern

_THE = r"(?:(?:the|my|our|your|that|this) )?"
_GUIDES = _pattern(r"\b(?:guid|tak|bring|lead|led|escort|walk|show|accompan|see|seen)[a-z]*\b")
_SEEKS = _pattern(r"\b(?:find|look for|looking for|finding|locate|search for|track down|seek)\b")
_ONCE = r"(?P<lead>,? ?(?:and |but )?,? ?)(?:once|when|as soon as|after|the moment)"
_ARRIVED = _pattern(
    rf"{_ONCE} (?:he|she|they|{_PERSON}|you(?: both| two)?)(?:'s|'ve| is| are|'re| has| have)?(?: safely| finally| both)?"
    rf"(?: (?:got|get|gets|arrived?|arrives|come|comes|been taken|sitting|seated|settled))?"
    rf"(?: (?:there|here|in there|over there|in|down)| (?:in|at|on|to) {_THE}{_PLACE})(?:,| then)* (?=\S)"
)
_FOUND = _pattern(
    rf"{_ONCE} (?:you(?:'ve| have)?|having) (?:found|located|got|met|reached|find|see|spotted|seen) "
    rf"(?:him|her|them|it|that|one|{_PERSON}|{_THE}{_THING}),?(?: then)? (?=\S)|"
    rf"(?:{_ONCE.replace('<lead>', '<lead2>')}) you (?:have|do), (?=\S)"
)
_DROPPED = _pattern(
    rf"{_ONCE} (?:you(?:'ve| have)|having) (?:dropped|delivered|handed|given|put|left|brought|taken|guided|seen|"
    rf"walked|shown|fetched) "
    r"(?:him|her|them|it|that)(?: (?:off|over|down|away|there|out|in))?, (?:please )?(?=\S)"
)
_GOT_IT = _pattern(
    rf"{_ONCE} (?:he|she|they|{_PERSON})(?:'s|'ve| has| have| is| are|'re)? (?:got|gets?|eaten|finished|taken|"
    rf"received|done with|holding) "
    r"(?:it|that|them|one)(?:,| then)* (?=\S)"
)
_WAY_BACK = _pattern(
    r"(?P<lead>,? ?(?:and |but )?,? ?)on (?:the|your|its) (?:way|journey|trip) back(?: here| to me| home)?,? (?:please )?"
    r"(?=(?:bring|get|fetch|grab|pick|tell|ask|let|put|stop|take|say|pop|check|look)\b)"
)


_BEFORE_BACK = _pattern(
    r"^(?P<first>\W*[a-z].*?),?(?: and)?,? before (?:you )?(?:come|coming|go|going|head|heading|return|"
    r"returning)(?: back| home)?"
    r"(?: here| to me)?, (?P<then>[a-z].*?)[.! ]*$"
)
_SEE_WHAT = _pattern(
    r"(?P<sep>,? and(?: then)?,?|, then|;|\.) (?:see|find out|check) (?P<ask>if|whether|what|how|"
    r"when) (?P<who>he|she|they)(?P<verb>'d| would| wants?"
    r"| needs?| prefers?| likes?| fancies| feels?|(?:'s| is| are) (?:ok|okay|alright|all right|hungry|thirsty|"
    r"cold|tired|comfortable|ready|free))\b"
)
_ASKED = {"he": "him", "she": "her", "they": "them"}
_A_WAIT = _pattern(
    r"^\W*after (?P<time>(?:an?|one|two|three|four|five|ten|\d+|half an?) (?:minute|second|"
    r"hour)s?)(?:'s?)? (?:wait|pause|break),? (?=[a-z])"
)
_TO_SOMEBODY = _pattern(
    rf"(?P<guide>\b(?:take|guide|lead|bring|walk|escort|show) (?:him|her|them|{_PERSON})(?: over| across|"
    rf" through)?) to {_PERSON} "
    rf"(?P<at>(?:on|in|at|by) {_THE}{_PLACE})"
)


def asked_there_and_then(text: str, lifted: Lifted) -> str:
    """Put what is asked of somebody, waited for, or done before coming back in the order in which it is done."""
    text = _TO_SOMEBODY.sub(lambda said: f"{said['guide']} to {said['at'].split(' ', 1)[1]}", text)
    text = _A_WAIT.sub(lambda said: f"wait {said['time']}, then ", text)
    asks = _SEE_WHAT.search(text)
    if asks is not None and re.search(_PERSON, text[: asks.start()]):
        who = asks["who"].lower()
        text = f"{text[: asks.start()]}, then ask {_ASKED[who]} {asks['ask']} {who}{asks['verb']}{text[asks.end() :]}"
    back = _BEFORE_BACK.match(text)
    return f"{back['first']}, then {back['then']}, then come back to me" if back is not None else text


def in_turn(text: str, lifted: Lifted) -> str:
    """Put what only says that the order before is done as "then": "... and, once he's there, get him a cola"."""
    for pattern, done in (
        (_ARRIVED, _GUIDES),
        (_FOUND, _SEEKS),
        (_WAY_BACK, _CARRIED),
        (_GOT_IT, _CARRIED),
        (_DROPPED, _CARRIED),
    ):
        mark = pattern.search(text)
        if mark is None or not mark.start() or not done.search(text[: mark.start()]):
            continue
        if pattern is _WAY_BACK and re.search(r"\bto me\b", text[: mark.start()], re.IGNORECASE):
            continue
        text = f"{text[: mark.start()]}, then {text[mark.end() :]}"
    return text


_CARRIED = _pattern(
    r"\b(?:tak|bring|put|carry|carri|deliver|drop|hand|giv|return|mov|place|plac|guid|walk|escort|lead|go)[a-z]*\b"
)
_MIND = _pattern(
    r"^(?P<open>\W*(?:[a-z]+, )?(?:would|do|could) you (?:kindly )?mind )(?P<orders>[a-z]+ing\b.*)$"
)
_DOING = _pattern(r"(?P<joint>(?:,|\band|\bthen)(?:,? then|,? and)*,? )(?P<verb>[a-z]+ing)\b(?= )")


def as_orders(text: str, lifted: Lifted) -> str:
    """Put every order after "would you mind" alike: "would you mind guiding her there and bringing her a cola"."""
    asked = _MIND.match(text)
    if asked is None:
        return text

    def ordered(said: re.Match[str]) -> str:
        verb = base_of(said["verb"].lower())
        return f"{said['joint']}{verb}" if verb else said[0]

    return asked["open"] + _DOING.sub(ordered, asked["orders"])


_HAVING_DONE = _pattern(
    r"^(?P<open>\W*(?:(?:and|ok|okay|so|please|robot|hey)[, ]+)*)(?:after|once|when|as soon as) (?:you(?:'ve|"
    r" have)(?: first)?|having) "
    r"(?P<verb>[a-z]+)(?P<rest> [^,;.?!]+), (?:please )?(?:then )?(?=[a-z])"
)


def first_done(text: str, lifted: Lifted) -> str:
    """Put what is to be done first as an order: "after you've said hello to Jane, ask her ..."."""
    done = _HAVING_DONE.match(text)
    verb = (_DONE.get(done["verb"].lower()) or base_of(done["verb"].lower())) if done is not None else ""
    if done is None or not verb:
        return text
    return f"{done['open']}{verb}{done['rest']}, then {text[done.end() :]}"


_DONE = {
    "said": "say", "told": "tell", "asked": "ask", "brought": "bring", "taken": "take", "given": "give", "put": "put",
    "got": "get", "fetched": "fetch", "counted": "count", "guided": "guide", "led": "lead", "found": "find",
    "spoken": "speak",
    "delivered": "deliver", "handed": "hand", "greeted": "greet", "dropped": "drop", "shown": "show", "walked": "walk",
}  # fmt: skip
