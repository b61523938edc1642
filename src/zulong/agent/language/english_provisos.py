"""What an English order hangs on, in any wording, put as the "if ..." that the grammar reads.

"Anybody in the office? If not, ...", "with the bathroom empty, ...", "check the sofa: if the crackers are there, ...",
"... provided she is in the kitchen": what has to be so is one of a few things (somebody or nobody in a room, a thing in
a place or not, the charge of the battery), and the words around it only say that the order hangs on it. Both are looked
for here over the whole sentence; the order itself is handed on as it was said. A sentence of which one part is none of
these has no reading here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zulong.agent.language import english_states as states
from zulong.agent.language.english_legs import in_legs
from zulong.agent.language.english_states import Lifted, State
from zulong.agent.language.lexicon import Vocabulary

_HELLO = (
    r"(?:(?:hey|hi|hello|robot|zulong|please|so|ok|okay|right|well|now|oh|and|could you|can you|would you|will you|listen|"
    r"do me a favou?r and|quickly|just|go and|go|pop (?:over|in|round|along)? ?and|be a dear and|i want you to|"
    r"i(?:'d| would) like you to|first)[,.!]? +)*"
)
_IF = (
    r"(?:(?:but |and )?only if|(?:but |and )?if|in case|just in case|provided(?: that)?|providing(?: that)?|"
    r"as long as|so long as|long as|on (?:the )?condition(?: that)?|assuming(?: that)?|supposing(?: that)?|suppose|"
    r"presuming(?: that)?|"
    r"given(?: that)?|in the event(?: that)?|on the off[- ]chance(?: that)?|if and only if|if by any chance|"
    r"if ever|if it (?:turns out|so happens) that|should it (?:turn out|happen) that|seeing(?: that| as)?)"
)
_COURTESY = (
    r"(?:(?:hey|hi|hello|robot|zulong|please|so|ok|okay|right|well|now|oh|and|could you|can you|would you|will you|"
    r"i want you to|i(?:'d| would) like you to)[,.!]? +)*"
)
_UNLESS = r"(?:unless|except if|but not if|if not)"
_THEN = (
    r"(?:then|in that case|if so|if yes|if that is so|if that's so|if that(?:'s| is) the case|good|great|right|well then|so|"
    r"if (?:there|she|he|it|they|you|we|the answer|someone|somebody|anyone|anybody) (?:is|are|do|does|have|has|can|did)"
    r"(?: (?:yes|one|any|some|there|in there|in|free|empty|here))?|if (?:there's|she's|he's|it's|they're) "
    r"(?:one|any|some|there|in there|in|free|empty|here)|if (?:you|we) (?:find|see|spot|have|got|'ve got|have got) "
    r"(?:one|any|some|it|them|him|her|anyone|anybody|someone|somebody)|if (?:it is|it's|that's a yes|yes)|"
    r"if any|when you do|"
    r"should there be(?: one| any)?|should that be so|should (?:it|she|he|they) be(?: there| in)?)"
)
_ELSE = (
    r"(?:otherwise|or else|else|if not|if no|failing that|if that is not so|if (?:there|she|he|it|they) "
    r"(?:isn't|aren't|is not|are not)(?: (?:any|one|there|in there|in|here|left|anyone|anybody))?|"
    r"if (?:nobody|no one|none)(?:'s| is| are)?(?: (?:there|in there|in|here|left|around))?|if (?:she|he|it)'s not"
    r"(?: there| in| in there)?|if (?:there|she|he|it|they)(?: is| are|'s|'re) (?:not|gone|out|away|elsewhere)"
    r"(?: there| in)?|"
    r"if they're not(?: there)?|if there(?:'s| is| are) (?:none|no one|nobody|nothing|not)(?: left| there)?|"
    r"if (?:you|we) (?:don't|do not|haven't|can't)(?: (?:find|see|have))?(?: (?:one|any|it|him|her|them))?|if none|"
    r"(?:should|if) (?:nobody|no one|there not) be(?: there)?|no joy|no luck|in case not)"
)
_CHECK = (
    r"(?:(?:go )?(?:and )?(?:check|see|look|find out|have a look|take a look|look and see|check and see|go see|check up on|"
    r"make sure|tell me)(?: to see)? (?:if|whether|that)|i wonder (?:if|whether)|do you know (?:if|whether)|"
    r"i (?:think|believe|reckon|suspect|guess)(?: that)?|maybe|perhaps|probably)"
)
_SEP = r"(?:\s*[,;:.?!\u2013\u2014-]+\s*(?:and |but )?|\s+(?:and|then)\s+)"
_END = re.compile(r"[\s.!]+$")
_LONGEST = 300


@dataclass(slots=True, frozen=True)
class _Hung:
    """A state, and what is to be done when it is so and when it is not."""

    state: State
    order: str
    other: str = ""


def hung(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with its condition as "if ...", None when it has none of these forms.

    Args:
        text: the sentence as it was said.
        vocabulary: the names of the map.
    """
    if len(text) > _LONGEST or '"' in text or not _HANGS_ON.search(text):
        return None
    lifted = Lifted.of(text.replace("\u2019", "'").replace("\u2018", "'").strip(), vocabulary)
    for form in (_if_first, _asked, _looked_after, _if_last):
        found = form(lifted.text)
        if found is not None:
            break
    else:
        return None
    order = _ordered(found.order, found.state, lifted, vocabulary)
    if not order or _ONLY_ASKS.fullmatch(order.strip()):
        return None
    plain = f"if {lifted.restored(found.state.words)}, {order}"
    if found.other:
        # What is to be done otherwise is done where the opposite holds.
        other = _ordered(found.other, found.state.opposite(), lifted, vocabulary)
        if not other:
            return None
        plain = f"{plain}, otherwise {other}"
    return plain


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


_ONLY_ASKS = _pattern(
    r"(?:(?:please|can you|could you|would you|will you|go|and|go to the [a-z ]+|just|quickly|hey|robot|zulong)[, ]+)*"
    r"(?:see|check|look|find out|have a look|verify|make sure|confirm)(?:,? (?:please|for me))*[.?!]*"
)
"""What remains of "see if Adel is on the sofa": the condition is what is asked."""
_HANGS_ON = _pattern(
    r"\b(?:if|unless|should|with|without|being|provid(?:ed|ing)|long as|condition|assuming|suppos(?:e|ing)|"
    r"presuming|given|in case|event|off[- ]chance|seeing|then|otherwise|failing)\b|\?"
)
_OPENS = _pattern(rf"{_HELLO}(?:(?P<unless>{_UNLESS})|{_IF}) +")
_SHOULD = _pattern(rf"{_HELLO}should +")
_WITH = _pattern(rf"{_HELLO}(?P<no>with|without) +")
_CHECKS = _pattern(rf"{_HELLO}{_CHECK} +")
_GREETS = _pattern(_HELLO)
_ANSWERED = _pattern(rf"{_SEP}(?:(?P<else>{_ELSE})|(?P<then>{_THEN}))\b[,:]?\s*(?:then[, ]+)?")
_OTHERWISE = _pattern(rf"(?:{_SEP}(?:but )?{_ELSE}|\s+(?:otherwise|or else|else))\b[,:]?\s*(?:then[, ]+)?")
_ORDER_FIRST = _pattern(rf"(?:,|\s-|;)?\s+(?:(?:but|and) )?(?:(?P<unless>{_UNLESS})|(?:only )?{_IF}) +(?=\S)")
_ONLY = _pattern(
    rf"^{_COURTESY}(?:only (?P<order>.+?)|(?P<order2>.+?),? (?:but |and )?only) (?:if|provided(?: that)?) +"
)
_POSED = _pattern(
    r"\s*\?\s*(?P<order>.+?),? (?:if (?:so|yes|there (?:is|are)(?: any| one)?|(?:it|she|he) is|they are))[\s.!]*$"
)
_IF_NEXT = _pattern(rf"{_SEP}(?:if|whether|and if|should) +")
_THEN_COMES = _pattern(
    r"(?P<mark>\s*[,;:.?!\u2013\u2014-]+)?\s*(?P<then>(?:then|so|please|just|well)\b[, ]*)*"
)
_NO_ORDER = _pattern(
    r"(?:and|or|but|nor|that|which|who|whose|with|if|unless|when|while|because|until|before|after|is|are|was|as|than|"
    r"next to)\b|"
    r"(?:it|he|she|they|there|i|we|who|what)(?:'s|'re|'m| is| are| was| am| will|'ll)\b|"
    r".*\b(?:if|unless|provided|until|as long as)\b"
)
_LAST = _pattern(r"[\s.!,]*(?:(?:please|thanks|thank you|ta|cheers|robot|love)[\s.!]*)?")


def _if_first(text: str) -> _Hung | None:
    """Read "if nobody is in the office, ...", "should there be nobody", "with the office empty"."""
    opened = _OPENS.match(text)
    state: tuple[State, int] | None = None
    if opened:
        state = states.stated(text, opened.end())
        if state is not None and opened["unless"]:
            state = (state[0].opposite(), state[1])
    if state is None and (should := _SHOULD.match(text)):
        state = states.inverted(text, should.end())
    if state is None and (absolute := _WITH.match(text)):
        state = states.absolute(text, absolute.end(), without=absolute["no"].lower() == "without")
        state = (state[0].opposite(), state[1]) if state and state[0].somebody else state
    if state is None:
        state = states.being(text, _greeted(text))
    return _then(text, *state) if state is not None else None


def _greeted(text: str) -> int:
    hello = _GREETS.match(text)
    return hello.end() if hello else 0


def _then(text: str, state: State, at: int) -> _Hung | None:
    """Read the order after a state, and what is to be done otherwise."""
    opening = _THEN_COMES.match(text, at)
    order = text[opening.end() :] if opening else text[at:]
    marked = opening is not None and (opening["mark"] or opening["then"])
    other = ""
    split = _OTHERWISE.search(order)
    if split:
        order, other = order[: split.start()], order[split.end() :]
    order, other = _END.sub("", order), _END.sub("", other)
    if not order or state.uncertain or (other and not state.reversible):
        return None
    if _NO_ORDER.match(order) or _NO_ORDER.match(other) or (not marked and not _VERB.match(order)):
        # More that it hangs on, or more that is told of what it hangs on.
        return None
    return _Hung(state, order, other)


def _asked(text: str) -> _Hung | None:
    """Read "is anybody in the office? if not, ...", "check whether ..., and if so ..."."""
    checks = _CHECKS.match(text)
    state = states.stated(text, checks.end()) if checks else None
    if state is None:
        state = states.asked(text, _greeted(text))
    return _answered(text, *state) if state is not None else None


def _answered(text: str, state: State, at: int) -> _Hung | None:
    answer = _ANSWERED.match(text, at)
    if answer is None:
        posed = _POSED.match(text, at)
        return (
            _Hung(state, _END.sub("", posed["order"]))
            if posed and not _NO_ORDER.match(posed["order"])
            else None
        )
    supposed = answer["then"] is None or re.match(
        r"(?:if|should|when|in that)\b", answer["then"], re.IGNORECASE
    )
    if not supposed and "?" not in answer[0]:
        # "Jane in the kitchen, so bring her the cola" asks nothing.
        return None
    return _then(text, state.opposite() if answer["else"] else state, answer.end())


def _looked_after(text: str) -> _Hung | None:
    """Read "look in the fridge: if there is milk, ...", "check the pantry for sugar; if there is none, ..."."""
    start = _greeted(text)
    sought = states.sought(text, start)
    if sought is not None:
        return _answered(text, *sought)
    place = states.visited(text, start)
    if place is None:
        return None
    opened = _IF_NEXT.match(text, place[1])
    state = states.stated(text, opened.end(), place=place[0]) if opened else None
    return _then(text, *state) if state is not None else None


def _if_last(text: str) -> _Hung | None:
    """Read "..., provided she is in the kitchen", "only go there if it is empty"."""
    other = ""
    if split := _OTHERWISE.search(text):
        text, other = text[: split.start()], _END.sub("", text[split.end() :])
    only = _ONLY.match(text)
    if only:
        order, at, unless = only["order"] or only["order2"], only.end(), False
    else:
        marks = list(_ORDER_FIRST.finditer(text))
        if len(marks) != 1:
            return None
        order, at, unless = text[: marks[0].start()], marks[0].end(), bool(marks[0]["unless"])
    state = states.stated(text, at, order=order)
    if state is None or not _LAST.fullmatch(text, state[1]):
        return None
    said = state[0].opposite() if unless else state[0]
    order = re.sub(rf"^{_COURTESY}", "", order, flags=re.IGNORECASE)
    order = re.sub(r",? (?:but|and)$", "", _END.sub("", order.rstrip(" ,")))
    if (
        said.uncertain
        or not order
        or _NO_ORDER.match(order)
        or (other and (not said.denied or _NO_ORDER.match(other)))
    ):
        return None
    return _Hung(said, order, other)


_VERB = _pattern(
    r"(?:bring|give|get|fetch|take|put|place|set|go|come|tell|ask|say|wait|stay|stop|find|look|follow|guide|lead|show|count|"
    r"head|drive|walk|run|pop|nip|move|carry|hand|pass|greet|return|let|grab|pick|leave|drop|deliver|charge|recharge|escort|"
    r"describe|report|warn|inform|remind|help|stick|store|roll|visit|hurry|call|invite|accompany|collect|serve|offer|fill)\b"
)

_INSIDE = re.compile(
    r"\b(?P<go>go|pop|nip|head|come|step|walk|drive|roll|get|drop|slip|move|hop|wander|stroll)"
    r"(?: straight| right| on| over| back| along| yourself)* (?:in there|inside|in|there|over there|into it)"
    r"(?=\s*(?:$|[,.;!]|and\b|then\b|for\b|please\b|to wait\b))",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?P<verb>wait|stay|stop|stand|hang on|hang about|sit|park yourself)(?: in)? there\b", re.IGNORECASE
)
_THITHER = re.compile(
    r"\b(?P<verb>take|bring|guide|lead|walk|escort|show|put|carry|move|accompany|leave|drop)"
    r"(?P<what> [a-z'\ue400-\ue7ff ]+?) (?:in there|over there|there|inside|in)(?=\s*(?:$|[,.;!]|and\b|then\b|please\b))",
    re.IGNORECASE,
)
_THEM = re.compile(
    r"\b(?P<verb>tell|ask|greet|say hello to|say hi to|wave to|say (?:[a-z]+ ){1,4}to) (?:them|him|her)\b",
    re.IGNORECASE,
)


def _ordered(order: str, state: State, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Return an order that hangs on a state, with the place and people of the state for "there" and "them"."""
    if re.match(
        r"(?:please )?(?:leave it|do nothing|don't|do not|never mind|forget it|that's fine|fine)\b",
        order,
        re.IGNORECASE,
    ):
        return ""
    if state.thing:
        order = re.sub(r"\bthem\b", f"the {state.thing}", order)
    if state.place:
        order = re.sub(r"\bfrom (?:there|it)\b", f"from {state.place}", order)
        order = _INSIDE.sub(f"go to {state.place}", order)
        order = (
            _STAYS.sub(rf"go to {state.place} and wait", order) if state.nobody or state.somebody else order
        )
        if state.nobody or state.somebody or state.person:
            order = _THITHER.sub(rf"\g<verb>\g<what> to {state.place}", order)
    if state.somebody and state.place and not state.person:
        order = _THEM.sub(rf"\g<verb> the person in {state.place}", order)
    order = lifted.restored(order)
    legs = in_legs(order, vocabulary)
    return legs.replace(", then ", " and ") if legs is not None else order.strip()
