"""What an English order hangs on, in any wording, put as the "if ..." that the grammar reads.

"Anybody in the office? If not, ...", "with the bathroom empty, ...", "check the sofa: if the crackers are there, ...",
"... provided she is in the kitchen": what has to be so is one of a few things (somebody or nobody in a room, a thing in
a place or not, the charge of the battery), and the words around it only say that the order hangs on it. Both are looked
for here over the whole sentence; the order itself is handed on as it was said. A sentence of which one part is none of
these has no reading here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from zulong.agent.language import english_states as states
from zulong.agent.language.english_conditions import in_words
from zulong.agent.language.english_legs import in_legs
from zulong.agent.language.english_states import Lifted, State
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Condition, Meaning
from zulong.agent.language.provided import Provided

_HELLO = (
    r"(?:(?:hey|hi|hello|robot|zulong|please|so|ok|okay|right|well|now|oh|and|could you|can you|would you|"
    r"will you|listen|"
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
    r"(?:then|in that case|if so|if yes|if that is so|if that's so|if that(?:'s| is) the case|good|great|"
    r"right|well then|so|"
    r"if (?:there|she|he|it|they|you|we|the answer|someone|somebody|anyone|anybody) (?:is|are|do|does|"
    r"have|has|can|did)"
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
    r"(?:(?:go )?(?:and )?(?:check|see|look|find out|have a look|take a look|look and see|check and see|"
    r"go see|check up on|"
    r"make sure|tell me)(?: to see)? (?:if|whether|that)|i wonder (?:if|whether)|do you know (?:if|whether)|"
    r"i (?:think|believe|reckon|suspect|guess)(?: that)?|maybe|perhaps|probably)"
)
_SEP = r"(?:\s*[,;:.?!\u2013\u2014-]+\s*(?:and |but )?|\s+(?:and|then)\s+)"
_END = re.compile(r"[\s.!]+$")
_LONGEST = 300


@dataclass(slots=True, frozen=True)
class _Hung:
    """A state, and what is to be done when it is so and when it is not, and before that in any case."""

    state: State
    order: str
    other: str = ""
    before: str = ""
    reports: bool = True


Told = Callable[..., "tuple[State, int] | None"]
"""Reads a state at a position of a lifted sentence; see :func:`zulong.agent.language.english_states.stated`."""


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
        found = form(lifted.text, states.stated)
        if found is not None and not (_HANGS.search(found.order) or _HANGS.search(found.other)):
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


def provided(text: str, vocabulary: Vocabulary, read: Callable[[str], Meaning]) -> Provided | None:
    """Return the condition of a sentence and the orders that hang on it as they were said, None when it has no such form.

    Args:
        text: the sentence.
        vocabulary: the names of the map.
        read: the grammar; it reads the conditions that have none of the forms here.
    """
    said = re.sub(r"[\"\u201c][^\"\u201d]*[\"\u201d]", "", text)
    if len(text) > _LONGEST or '"' in said or not _HANGS_ON.search(said):
        return None
    if len(said) < len(text) and any(
        _HANGS.search(quoted) for quoted in re.findall(r"[\"\u201c](.*?)[\"\u201d]", text)
    ):
        return None
    lifted = Lifted.of(text.replace("\u2019", "'").replace("\u2018", "'").strip(), vocabulary)

    def told(said: str, at: int, *, place: str = "", order: str = "") -> tuple[State, int] | None:
        known = states.stated(said, at, place=place, order=order)
        return known if known is not None else _read_as_said(said, at, lifted, read)

    for form in (_if_first, _asked, _looked_after, _either, _if_last, _after_orders, _between):
        found = form(lifted.text, told)
        if found is None:
            continue
        condition = _condition(found.state, lifted, read)
        order = _named(found.order, found.state).strip(" ,")
        if condition is None or not order or _ONLY_ASKS.fullmatch(order) or _IDLE.fullmatch(order):
            continue
        opposite = found.state.opposite() if found.state.denied else found.state
        if re.search(_PERSON_LETTER, f"{found.before} {found.order}"):
            # Who was named before is spoken of, not whoever is there.
            opposite = replace(opposite, somebody=False)
        other = _named(found.other, opposite).strip(" ,")
        other = _INSTEAD.sub("", other)
        other = "" if _IDLE.fullmatch(other) else other
        denied = "" if found.state.denied.startswith(_NOT_SO) else lifted.restored(found.state.denied)
        denied = f"if {denied}" if denied else in_words(replace(condition, negated=not condition.negated))
        order, other, before = (lifted.restored(part) for part in (order, other, found.before))
        return Provided(condition, order, other, before, denied or "otherwise", found.reports)
    return None


_CONDITIONS = ("exists", "state", "fact", "failed")


def _condition(state: State, lifted: Lifted, read: Callable[[str], Meaning]) -> Condition | None:
    """Return what the words of a state mean, None when the grammar does not know them whole."""
    if state.words == _THERE_IS_NONE:
        return Condition("failed", text="if there is none")
    denied = state.words.startswith(_NOT_SO)
    words = lifted.restored(state.words.removeprefix(_NOT_SO))
    if words.startswith(_WHETHER):
        return _asked_about(read(words.removeprefix(_WHETHER)), denied)
    meaning = read(f"if {words}, wait one second")
    if len(meaning.clauses) != 1 or meaning.leftover or meaning.fragment:
        return None
    condition = meaning.clauses[0].condition
    waits = meaning.clauses[0].action == "wait" and meaning.clauses[0].seconds == 1
    if condition is None or condition.kind not in _CONDITIONS[:3] or not waits:
        return None
    if condition.subject is not None and condition.subject.pronoun:
        return None
    condition = replace(condition, negated=condition.negated != denied)
    return replace(condition, text=f"if {words}" if not denied else in_words(condition) or f"unless {words}")


def _asked_about(meaning: Meaning, denied: bool) -> Condition | None:
    """Return what a question asks as what must be so."""
    asked = meaning.clauses[0] if len(meaning.clauses) == 1 and not meaning.leftover else None
    if (
        asked is None
        or asked.action != "tell"
        or asked.topic not in ("exists", "state")
        or asked.theme is None
    ):
        return None
    state = asked.text if asked.topic == "state" else ""
    condition = Condition(asked.topic, subject=asked.theme, where=asked.where, state=state, negated=denied)
    return replace(condition, text=in_words(condition) or "if so")


def _read_as_said(
    text: str, at: int, lifted: Lifted, read: Callable[[str], Meaning]
) -> tuple[State, int] | None:
    """Return a state that only the grammar knows: up to a comma, to "then", to the verb of an order or to the end."""
    ends = [end.start() for end in _STATE_ENDS.finditer(text, at)][:_MOST_ENDS]
    for end in [*ends, len(_END.sub("", text))]:
        words = text[at:end].strip()
        if len(words.split()) < 3 or re.search(r"\b(?:if|unless|or)\b", words):
            continue
        state = State(words, f"{_NOT_SO}{words}")
        if _condition(state, lifted, read) is not None:
            person = set(re.findall(_PERSON_LETTER, words))
            return replace(state, person=person.pop() if len(person) == 1 else ""), end
    return None


def _named(order: str, state: State) -> str:
    """Return an order with the place and the people of a state for "there" and "them"."""
    if state.place:
        order = re.sub(r"\bfrom (?:there|it)\b", f"from {state.place}", order)
        order = _INSIDE.sub(f"go to {state.place}", order)
        if state.nobody or state.somebody:
            order = _STAYS.sub(rf"go to {state.place} and wait", order)
        if state.nobody or state.somebody or state.person:
            order = _THITHER.sub(rf"\g<verb>\g<what> to {state.place}", order)
    if state.somebody and state.place and not state.person:
        order = _THEM.sub(rf"\g<verb> the person in {state.place}", order)
    order = _REPORTS.sub("come and tell me", order)
    order = _FETCHED.sub(r"bring me \g<what>", order)
    if state.thing:
        order = _LOOKS.sub(rf"look for the {state.thing} \g<where>", order)
    return order


def _either(text: str, told: Told) -> _Hung | None:
    """Read "the cola if there is any, the milk if not" and "the cola or, if there is none, the milk"."""
    if (some := _ANY_ELSE.fullmatch(text)) is not None:
        return _Hung(_unseen(), some["order"], some["other"] or some["other2"])
    found = _EITHER.fullmatch(text) or _OR_ELSE.fullmatch(text) or _OR.fullmatch(text)
    if found is None:
        return None
    order, other = found["order"], found["other"]
    around = f"{text[: found.start('order')]}{text[found.end('order') : found.start('other')]}{text[found.end('other') :]}"
    if any(letter not in order for letter in re.findall(_THING_LETTER, around)):
        # "drop by the desk, and if there is no pear, ...": it is not what the order is for that is not there.
        return None
    if found.re is not _EITHER:
        return _Hung(_unseen(), order, other)
    hung_on = _if_last(order, told)
    return replace(hung_on, other=other) if hung_on is not None else None


def _unseen() -> State:
    """Return that what the order names is not there; the order finds it out."""
    return State(_THERE_IS_NONE)


def _between(text: str, told: Told) -> _Hung | None:
    """Read "tell Jane, if she is in the kitchen, that dinner is ready"."""
    for mark in _ORDER_FIRST.finditer(text):
        state = None if mark["should"] else told(text, mark.end(), order=text[: mark.start()])
        rest = text[state[1] :].lstrip() if state is not None else ""
        rest = rest[1:].lstrip() if rest.startswith(",") else ""
        if state is None or not rest or _VERB.match(rest) or _NO_TAIL.match(rest) or _NO_ORDER.match(text):
            continue
        said = state[0].opposite() if mark["unless"] else state[0]
        order = f"{text[: mark.start()]} {rest.strip()}"
        if said.uncertain or _OTHERWISE.search(order):
            return None
        return _Hung(said, _END.sub("", order))
    return None


def _after_orders(text: str, told: Told) -> _Hung | None:
    """Read "go to the kitchen, and if Jane is there, tell her ...": what comes first is done in any case."""
    for mark in _NEXT_IF.finditer(text):
        before = text[: mark.start()]
        if _NO_ORDER.match(before) or _OTHERWISE.search(before):
            return None
        places = re.findall(_PLACE_LETTER, before)
        place = f"the {places[-1]}" if places else ""
        state = told(text, mark.end(), place=place)
        if state is None:
            continue
        hung_on = _then(text, state[0].opposite() if mark["unless"] else state[0], state[1])
        return replace(hung_on, before=before) if hung_on is not None else None
    return None


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


_ONLY_ASKS = _pattern(
    r"(?:[^.;?!]*\b(?:and|then|to)[, ]+)?(?:(?:please|can you|could you|would you|will you|go|and|go to the [a-z ]+|just|"
    r"quickly|hey|robot|"
    r"zulong)[, ]+)*"
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
_ORDER_FIRST = _pattern(
    rf"(?:,|\s-|;)?\s+(?:(?:but|and) )?(?:(?P<unless>{_UNLESS})|(?P<should>should)|(?:only )?{_IF}) +(?=\S)"
)
_ONLY = _pattern(
    rf"^{_COURTESY}(?:only (?P<order>.+?)|(?P<order2>.+?),? (?:but |and )?only) (?:if|provided(?: that)?) +"
)
_POSED = _pattern(
    r"\s*\?\s*(?P<order>.+?),? (?:if (?:so|yes|there (?:is|are)(?: any| one)?|(?:it|she|he) is|they are))[\s.!]*$"
)
_ELSE_COMES = _pattern(rf"{_SEP}{_ELSE}\b")
_IF_NEXT = _pattern(rf"{_SEP}(?:if|whether|and if|should) +")
_THEN_COMES = _pattern(
    r"(?P<mark>\s*[,;:.?!\u2013\u2014-]+)?\s*(?P<then>(?:then|so|please|just|well)\b[, ]*)*"
)
_NO_ORDER = _pattern(
    r"(?:and|or|but|nor|that|which|who|whose|with|if|unless|when|while|because|until|before|after|is|are|was|as|than|"
    r"next to)\b|"
    r"(?:it|he|she|they|there|we|who|what)(?:'s|'re|'m| is| are| was| am| will|'ll)\b|i(?:'m| am| was)\b"
)
_HANGS = _pattern(r"\b(?:if|unless|provided|until|as long as)\b")
"""What hangs on more than one thing, or may be told to somebody, is not put in one line with it."""
_LAST = _pattern(r"[\s.!,]*(?:(?:please|thanks|thank you|ta|cheers|robot|love)[\s.!]*)?")

_NOT_SO = "it is not so that "
_WHETHER = "whether "
_THERE_IS_NONE = "there is none"
_PERSON_LETTER, _PLACE_LETTER, _THING_LETTER = "[\ue600-\ue7ff]", "[\ue000-\ue3ff]", "[\ue400-\ue5ff]"
_MOST_ENDS = 6
_QUESTION = _pattern(r"(?:is|are|have|has|do|does) [^?.!;]+(?=\?)")
_REPORTS = _pattern(
    r"^(?P<o>(?:please |just |then |could you |can you |come |go |back |and )*)(?:report(?: back| it)?(?: "
    r"to me)?|give me a "
    r"(?:shout|yell|heads[- ]up|holler|call)|shout|holler|alert me|notify me|ping me|say so|"
    r"sound the alarm|call me|drop me a line)(?: about (?:it|that)| please| then)*$"
)
_FETCHED = _pattern(
    r"^(?:please |just |then |go |and |could you |can you )*"
    r"(?:(?:fetch|get|grab)(?: me)?|i(?:'ll| will| would|'d)(?: like to)? (?:take|have|like)) (?P<what>it|one|"
    r"some|them|that|that one)"
    r"(?: for me| here| over here| to me| please)*$"
)
_LOOKS = _pattern(
    r"^(?:then |please )*(?:look|have a look|take a look|check|try) (?P<where>(?:in|on|at|inside) "
    r"[a-z ]*[\ue000-\ue3ff])(?=$|,? and\b|,? then\b)"
)
_STATE_ENDS = _pattern(
    r"\s*[,;:.?!]+(?=\s)|\s+(?=(?:and|but) (?:if|in that case)\b)|\s+(?=(?:then|please|can you|could you|"
    r"would you|will you)\b)|\s+(?=(?:bring|"
    r"give|get|fetch|take|put|"
    r"place|go|come|tell|ask|say|wait|stay|find|look|follow|guide|lead|show|count|head|drive|move|carry|"
    r"hand|let|grab|"
    r"describe|i'd|i'll|report|leave|drop|deliver)\b)"
)
_IDLE = _pattern(
    r"(?:(?:then |just |please |you can )*(?:say nothing|(?:keep|stay|be|remain) (?:quiet|silent)|"
    r"keep it to yourself|"
    r"(?:don't|do not) (?:say|tell (?:me|him|her|them|anyone|anybody)) anything|(?:don't|do not) say a word|"
    r"not a word|leave it(?: be| there)?|do nothing|don't(?: bother| worry| do "
    r"anything)?|do not bother|"
    r"never mind|nevermind|forget it|forget about it|that's fine|it's fine|fine|no worries|no matter|it "
    r"doesn't matter|"
    r"skip it|not to worry|no problem|leave them(?: be)?|don't worry about it)[.! ]*)?"
)
"""What is said of nothing to be done."""
_INSTEAD = _pattern(
    r"^(?:(?:then|just|well|maybe|perhaps|please|make it|make that|i'll (?:have|take)(?= the| a)|go for|"
    r"it's|use|with)\b,? )+"
    r"(?=(?:the|a|an|some|my|your|any|one|[\ue000-\ue7ff]))|(?:,? (?:instead|then|please|thanks|will "
    r"do(?: nicely)?|is fine|"
    r"is ok(?:ay)?|would do|will be fine|it is|works too|for me))+$"
)
"""What stands around the name of what is taken instead."""
_ALONE = r"(?P<order>(?:(?!\b(?:if|unless|or|otherwise)\b)[^,;.])+?)"
_NONE_LEFT = (
    r"(?:if (?:there(?:'s| is| are) (?:none|no more|nothing|no [a-z\ue400-\ue5ff ]+)(?: left| there)?|"
    r"there (?:isn't|is not|aren't|"
    r"are not) (?:any|one|any [a-z\ue400-\ue5ff ]+)(?: left| there)?|it's (?:all )?(?:gone|finished|out)|"
    r"we(?:'ve| have) (?:got )?"
    r"none(?: left)?|we(?:'re| are) out(?: of (?:it|that))?|that's (?:all )?(?:gone|out|finished)|you "
    r"(?:can't|cannot|don't) (?:find|"
    r"see) (?:it|any|one|that|them)|not|none|we haven't (?:got )?any|there be none)|failing that|otherwise)"
)
_IF_ANY = (
    r"(?:if (?:there(?:'s| is| are) (?:any|some|one)(?: left| about| around| at all)?|we(?:'ve| have)(?: "
    r"got)? (?:any|some|it|one)"
    r"(?: left)?|you (?:can )?(?:find|see) (?:it|any|some|one|them)|it's (?:there|available|still there)|"
    r"possible|available|any))"
)
_ANY_ELSE = _pattern(
    rf"{_ALONE},? {_IF_ANY}[,;.]* (?:and |but |or )?(?:(?:{_ELSE}|if there (?:isn't|is not)(?: any)?)\b,? "
    rf"(?:then )?(?P<other>.+?)|"
    rf"(?P<other2>[^,;.]+?),? (?:{_NONE_LEFT}))[.!\s]*"
)
"""What is to be had where it is is not said: the order finds it out."""
_EITHER = _pattern(
    rf"(?P<order>.+ if .+?)(?:,| and| but|;)+ (?:or |but |and |else )*(?P<other>[^,;.]+?),? "
    rf"{_NONE_LEFT}(?: please)?[.!\s]*"
)
_OR = _pattern(rf"{_ALONE},? or (?P<other>[^,;.]+?),? {_NONE_LEFT}[.!\s]*")
_OR_ELSE = _pattern(rf"{_ALONE},? (?:or|and|but),? {_NONE_LEFT},? (?:then )?(?P<other>.+?)[.!\s]*")
_NO_TAIL = _pattern(r"(?:and|or|but|if|then|so|otherwise|else|when|because)\b")
_NEXT_IF = _pattern(rf"{_SEP}(?:then +|but +|and +|also +)*(?:(?P<unless>{_UNLESS})|{_IF}) +")


def _if_first(text: str, told: Told) -> _Hung | None:
    """Read "if nobody is in the office, ...", "should there be nobody", "with the office empty"."""
    opened = _OPENS.match(text)
    state: tuple[State, int] | None = None
    if opened:
        state = told(text, opened.end())
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


def _then(text: str, state: State, at: int, *, marked: bool = False) -> _Hung | None:
    """Read the order after a state, and what is to be done otherwise."""
    opening = _THEN_COMES.match(text, at)
    order = text[opening.end() :] if opening else text[at:]
    marked = marked or (opening is not None and bool(opening["mark"] or opening["then"]))
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


def _asked(text: str, told: Told) -> _Hung | None:
    """Read "is anybody in the office? if not, ...", "check whether ..., and if so ..."."""
    checks = _CHECKS.match(text)
    tells = checks is not None and re.search(r"\btell me (?:if|whether) +$", checks[0], re.IGNORECASE)
    state = told(text, checks.end()) if checks else None
    if state is None:
        state = states.asked(text, _greeted(text))
    if state is None and told is not states.stated and (posed := _QUESTION.match(text, _greeted(text))):
        state = State(f"{_WHETHER}{posed[0]}", f"{_NOT_SO}{_WHETHER}{posed[0]}"), posed.end()
    answered = _answered(text, *state) if state is not None else None
    if answered is None or not tells or answered.other:
        return answered
    # "tell me if it is there, if not, ...": both hang on it.
    return (
        _Hung(answered.state.opposite(), "come and tell me", answered.order)
        if _ELSE_COMES.search(text)
        else None
    )


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
    return _then(text, state.opposite() if answer["else"] else state, answer.end(), marked=True)


def _looked_after(text: str, told: Told) -> _Hung | None:
    """Read "look in the fridge: if there is milk, ...", "check the pantry for sugar; if there is none, ..."."""
    start = _greeted(text)
    sought = states.sought(text, start)
    if sought is not None:
        return _answered(text, *sought)
    place = states.visited(text, start)
    if place is None:
        return None
    opened = _IF_NEXT.match(text, place[1])
    state = told(text, opened.end(), place=place[0]) if opened else None
    return _then(text, *state) if state is not None else None


def _if_last(text: str, told: Told) -> _Hung | None:
    """Read "..., provided she is in the kitchen", "only go there if it is empty"."""
    other = ""
    if split := _OTHERWISE.search(text):
        text, other = text[: split.start()], _END.sub("", text[split.end() :])
    only = _ONLY.match(text)
    if only:
        order, at, unless, inverted = only["order"] or only["order2"], only.end(), False, False
        plain_if = False
    else:
        marks = list(_ORDER_FIRST.finditer(text))
        if len(marks) != 1:
            return None
        order, at, unless = text[: marks[0].start()], marks[0].end(), bool(marks[0]["unless"])
        inverted = bool(marks[0]["should"])
        plain_if = re.fullmatch(r"\s*if\s*", marks[0][0], re.IGNORECASE) is not None
    state = told(text, at, order=order) if not inverted else states.inverted(text, at)
    if state is None or not _LAST.fullmatch(text, state[1]):
        return None
    if plain_if and not other and not state[0].person and _TOLD_TO.search(order):
        # "tell Robin to bring the milk if there is any": that may be what Robin is told.
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
    return _Hung(said, order, other, reports=bool(only or unless or other))


_TOLD_TO = _pattern(
    r"\b(?:tell|ask|remind|inform|warn|say|let)\b(?! (?:me|us|them|him|her|[\ue600-\ue7ff])[.! ]*$)"
)
_VERB = _pattern(
    r"(?:bring|give|get|fetch|take|put|place|set|go|come|tell|ask|say|wait|stay|stop|find|look|follow|"
    r"guide|lead|show|count|"
    r"head|drive|walk|run|pop|nip|move|carry|hand|pass|greet|return|let|grab|pick|leave|drop|deliver|"
    r"charge|recharge|escort|"
    r"describe|report|warn|inform|see|hang|check|search|hold|shout|alert|ring|have|announce|remind|help|"
    r"stick|store|roll|visit|hurry|call|invite|accompany|collect|serve|offer|fill|i'd like|i'll have|i'll "
    r"take|i would like|i want|could you|can you|would you|"
    r"will you|please)\b"
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
    r"(?P<what> [a-z'\ue400-\ue7ff ]+?) (?:in there|over there|there|inside|in)(?=\s*(?:$|[,.;!]|and\b|"
    r"then\b|please\b))",
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
    order = _named(order, state)
    order = lifted.restored(order)
    legs = in_legs(order, vocabulary)
    return legs.replace(", then ", " and ") if legs is not None else order.strip()
