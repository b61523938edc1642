"""What a later part of an English sentence only points back to, said in full.

"How many balls are on the bookshelf, and is the dice there too?", "who is in the bathroom, and if it's Jules, ...",
"check the fridge for oranges: if there are at least two, ...", "take her there and, once she's there, ...", "see who is
sitting there and ask them ...": each later part is an instruction of its own once the place, the thing or the person
that it points back to is named. The sentence is looked at with one letter for each name of the map
(:class:`~zulong.agent.language.english_states.Lifted`); a part that may point back to more than one is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from zulong.agent.language.english_details import any_kind, plainly, question_about
from zulong.agent.language.english_sequels import as_orders, asked_there_and_then, first_done, in_turn
from zulong.agent.language.english_states import Lifted
from zulong.agent.language.english_supposed import PERSON as _PERSON
from zulong.agent.language.english_supposed import PLACE as _PLACE
from zulong.agent.language.english_supposed import RULES as _SUPPOSED
from zulong.agent.language.english_supposed import THING as _THING
from zulong.agent.language.english_supposed import only as _only
from zulong.agent.language.english_supposed import pattern as _pattern
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 300
_THE = r"(?:(?:the|my|our|your|that|this) )?"
_SEP = r"(?:\s*[,;:.?!\u2013\u2014-]+\s*(?:and |but |then )*|\s+(?:and |but )(?:then )?)"
_HOLDS = frozenset(("bowl", "cup", "plate", "red cup", "blue cup", "green cup", "mug", "glass", "dish"))
"""Things that other things are put in or on."""


def resumed(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with what its later parts point back to said in full; unchanged where nothing points back.

    Args:
        text: the instruction.
        vocabulary: the names of the map.
    """
    if len(text) > _LONGEST:
        return text
    plain = text.replace("\u2019", "'").replace("\u2018", "'")
    lifted = Lifted.of(_SAME.sub(_same_words, plain), vocabulary)
    said = lifted.text
    if '"' not in said:
        for rule in _RULES:
            said = rule(said, lifted)
    whole = lifted.restored(said)
    return whole if whole != plain else text


_SAME = _pattern(
    r"\bsay (?P<words>'[^']+(?:'[a-z][^']*)*'|\"[^\"]+\"|[a-z' ]+?) to (?P<one>[a-z]+)(?P<then>,? (?:and )?then |"
    r",? and |, )"
    r"(?:say )?the same(?: thing| words)? to (?P<other>[a-z]+)\b"
)


def _same_words(said: re.Match[str]) -> str:
    """Say the words again: "say 'time to go' to Jules, then say the same to Paris"."""
    return f"say {said['words']} to {said['one']}, then say {said['words']} to {said['other']}"


def _last_place(before: str) -> str:
    """Return the place that was named last, "" when none was."""
    found = re.findall(_PLACE, before)
    return f"the {found[-1]}" if found else ""


_IN_IT = _pattern(
    rf"(?P<thing>{_THING}(?: left)?|\\b(?:things|people|items))(?P<rel> (?:that|which)(?:'s| is| are|'re|"
    rf" ?s)?(?: lying| standing| kept)?| lying| standing)? "
    r"(?P<prep>on|in|inside|from|off|out of) (?:it|there)\b(?! is\b)"
)
_HAS = _pattern(rf"{_PLACE}(?: still)?(?:'s| has| have| holds| contains)(?: still)?(?: got)?(?: [a-z]+)* *$")
_PUTS = _pattern(
    r"\b(?:put|place|set|lay|drop|leave|stick|pop|throw|store|stand|stow|shove|pour|return)\b[^,;.?!:]*$"
)


def _where_it_is(text: str, lifted: Lifted) -> str:
    """Name the place of "the fruit that's on it" and "the milk in there"."""

    def named(said: re.Match[str]) -> str:
        before = text[: said.start()]
        place = _last_place(before)
        since = re.split(_PLACE, before)[-1]
        holds = any(lifted.names[letter].lower() in _HOLDS for letter in re.findall(_THING, since))
        if not place or holds or _HAS.search(before) or (said["rel"] is None and _PUTS.search(before)):
            return said[0]
        return f"{said['thing']} {said['prep']} {place}"

    lies = _IS_ON_IT.search(text)
    where = _last_place(text[: lies.start()]) if lies is not None else ""
    if lies is not None and where and "?" not in text[: lies.start()]:
        text = f"{text[: lies.start()]}{lies['thing']} {lies['prep']} {where}{text[lies.end() :]}"
    text = _WHATEVER.sub(r"the \g<thing> \g<prep> \g<where>", text)
    return _IN_IT.sub(named, text)


_WHATEVER = _pattern(
    rf"\b(?:whatever|whichever|any|what) (?P<thing>{_THING}) (?:is|are|'s|there is|you find|you see|happens to be) "
    r"(?P<prep>in|on) (?P<where>it|there)\b"
)
_IS_ON_IT = _pattern(
    rf"(?P<thing>{_THING}(?:'s| is| are)(?: not|n't)?(?: still| already)?) (?P<prep>on|in|"
    rf"inside) (?:it|there)\b"
)
_THERE_TOO = _pattern(
    rf"(?P<asks>(?:,|\?|\.)? ?(?:and )?\b(?:is|are) {_THE}(?:{_THING}|{_PERSON})) (?:in |on |over )?there"
    r"(?:,? (?:too|as well|also))?(?=\s*[?.!]*\s*$)"
)
_ASKS_FIRST = _pattern(r"^\W*(?:(?:hey|hi|robot|please|and|so|tell me|can you tell me|do you know)[, ]+)*"
                       r"(?:how many|is|are|who|what|which)\b")  # fmt: skip


def _asked_there(text: str, lifted: Lifted) -> str:
    """Name the place of a second question: "is the milk in the fridge, and is the juice there too?"."""
    asks = _THERE_TOO.search(text)
    if asks is None or not asks.start() or not _ASKS_FIRST.match(text):
        return text
    place = _only(_PLACE, text[: asks.start()])
    return f"{text[: asks.end('asks')]} in the {place}{text[asks.end() :]}" if place else text


_IF_IT_IS = _pattern(
    rf"(?P<before>(?:\beither {_PERSON} or {_PERSON}|\bwho)(?:'s| is| are| might be|"
    rf" could be)?\b[^?.;]*?)(?P<sep>{_SEP})(?P<if>if|unless) (?:it|that)"
    rf"(?P<is>'s| is| happens to be| turns out to be)(?P<not> not|n't)? (?P<who>{_PERSON})(?=\W)"
)

_GREETS = _pattern(r"\W*(?:(?:hey|hi|hello|robot|zulong|so|please)[, ]+)*")


def _who_it_is(text: str, lifted: Lifted) -> str:
    """Say who must be where: "who is in the bathroom, and if it's Jules, ..."."""

    said = _IF_IT_IS.search(text)
    place = _only(_PLACE, said["before"]) if said is not None else ""
    if said is None or not place:
        return text
    no = " not" if said["not"] else ""
    hangs_on = f"{said['if']} {said['who']} is{no} in the {place}{text[said.end() :]}"
    # Whether it is that person is what the question is asked for.
    asks_only = _GREETS.fullmatch(text[: said.start()]) and not said["not"]
    return hangs_on if asks_only else f"{text[: said.end('sep')]}{hangs_on}"


_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a dozen)"
_SO_MANY = _pattern(
    rf"(?P<if>\b(?:if|unless)) there(?P<is>'s| is| are|'re)(?: still)? (?:(?P<than>at least|at most|more than|fewer than|"
    rf"less than|no more than|exactly|only|over|under) (?P<n>{_NUMBER})|(?P<m>{_NUMBER}) (?P<or>or more|or fewer|or less))"
    r"(?: of (?:them|those))?(?: there| left| in there| in it| on it)?(?=\s*[,:]|\s+(?:then|please|bring|take|"
    r"give|put|get|tell|"
    r"come|go|fetch|hand|move|let|ask)\b)"
)
_BOUND = {"or more": "at least", "or fewer": "at most", "or less": "at most"}


def _how_many(text: str, lifted: Lifted) -> str:
    """Say of what there must be so many, and where: "check the fridge for oranges: if there are at least two, ..."."""
    found = _SO_MANY.search(text)
    if found is None:
        return text
    before = text[: found.start()]
    thing, place = _only(_THING, before), _only(_PLACE, before)
    people = re.search(r"\bpeople|persons|guests|visitors\b", before, re.IGNORECASE)
    what = thing or ("people" if people else "")
    if not (what and place):
        return text
    than = found["than"] or _BOUND[found["or"].lower()]
    return f"{before}{found['if']} there are {than} {found['n'] or found['m']} {what} in the {place}{text[found.end() :]}"


_LOOK = (
    r"(?:(?:hey|hi|robot|please|could you|can you|would you|will you|go|and|just|go and|pop over and|quickly|first|now)"
    r"[, ]+)*(?:check|look|(?:have|take) a (?:quick |little )?(?:look|peek|glance)|peek|glance|see|search|"
    r"inspect|find out|count)\b"
)
_MERE_LOOK = _pattern(rf"^\W*(?P<look>{_LOOK}[^,;:.?!]*?)(?P<sep>{_SEP})(?=(?:if|unless) )(?P<rest>.+)$")
_IF_THERE_IS = _pattern(
    rf"(?P<if>(?:if|unless) (?:you (?:find|see|spot)|there(?:'s| is| are|'re)(?:n't| not)?(?: still)?)(?: any|"
    rf" some| an?| the| no| one| "
    rf"another| more)* {_THING})(?: left| there| in there| in it| on it)*(?=\s*[,:]|\s+(?:then|please|bring|take|"
    rf"give|put|get|tell|"
    r"come|go|fetch|hand|move|let|ask|i'll)\b)"
)
_VISIT = _pattern(
    rf"^\W*(?P<look>(?:(?:please|could you|can you|would you|robot|hey|first)[, ]+)*(?:drop|stop|swing|pop|call|"
    rf"nip|head|go|run)"
    rf"(?: (?:over|along|round|back))? (?:by|to|past|into|in at|at) {_THE}{_PLACE})(?P<sep>{_SEP})(?=(?:if|"
    rf"unless) )(?P<rest>.+)$"
)
_TELLS = _pattern(r"\b(?:tell|let me know|report|say|ask)\b|\b(?:if|whether)\b")


def _only_looks(text: str, lifted: Lifted) -> str:
    """Leave the looking out that the condition asks for anyway, its place named there: "look in the pantry, and if ..."."""
    looks = _MERE_LOOK.match(text) or _VISIT.match(text)
    if looks is None or _TELLS.search(looks["look"]):
        return text
    place = _only(_PLACE, looks["look"])
    if not place:
        return text
    if looks.re is _VISIT:
        named = _IF_THERE_IS.sub(rf"\g<if> in the {place}", looks["rest"], count=1)
        return f"{looks['look']}{looks['sep']}{named}"
    rest = _IF_THERE_IS.sub(rf"\g<if> in the {place}", looks["rest"], count=1)
    condition = re.match(rf"(?:if|unless) [^,;:?!]*?{_PLACE}", rest, re.IGNORECASE)
    return rest if condition is not None and place in condition[0] else text


_GO_AND_LOOK = _pattern(
    r"^(?P<question>[^?]*\?) *(?:please )?(?:(?:could|can|would|will) you )?(?:go|pop over|nip over|run|"
    r"have a look|take a look|"
    r"look|check)(?: over| there| in there)?(?:,? and (?:look|see|check|find out|have a look|"
    r"take a look))?(?: for me| please)*"
    r"(?P<rest>[.!? ]*$|(?:[,.;]| and| then)+ ?(?:and |then )*(?P<then>.*))$"
)
_TELL_ME = _pattern(
    r"(?:come (?:back )?(?:here )?(?:and|to) )?(?:tell me|let me know|report(?: back)?(?: to me)?)[.!? ]*$"
)


def _looks_to_answer(text: str, lifted: Lifted) -> str:
    """Leave out the looking that the question asks for: "What's on the desk? Go and look, then bring me the fruit"."""
    found = _GO_AND_LOOK.match(text)
    if found is None or not re.search(_PLACE, found["question"]):
        return text
    rest = found["then"] or ""
    if not rest.strip() or _TELL_ME.fullmatch(rest):
        return found["question"]
    return f"{found['question']} Then {rest}"


_PASS_ON = _pattern(
    r"\bpass (?:it|that|this|(?:the|his|her|their) (?:answer|reply)) (?:on|back)(?: to me)?(?=\s*(?:[.!,;]|$))|"
    r"\bpass on (?:to me )?"
    r"(?:the|his|her|their) (?:answer|reply)(?: to me)?(?=\s*(?:[.!,;]|$))"
)
_WHILE_THERE = _pattern(
    rf",? ?(?:and )?while you(?:'re| are) (?:in |over |up )?(?:there|at it|in it),? (?:please )?(?:see|check|"
    rf"count|find out|look) how many "
    rf"(?:[a-z]+ of )?(?P<what>{_THING})(?: (?:are|is))?(?: left| there| in there| in it| on it)*(?=[.?!]*$)"
)
_IN_EACH = _pattern(
    rf"^\W*(?:go (?:in)?to )?(?:first )?(?:the )?(?P<one>{_PLACE}),? (?:and )?then (?:to )?(?:the )?(?P<other>{_PLACE})\W+"
    r"(?:and )?(?P<how>"
    r"(?:tell me |count |see |check )?(?:how many )?[^,;.?!]+?) (?:in each(?: of them| room)?|in both(?: of them|"
    r" rooms)?)[.?!]*$"
)
_COUNT_WHO = _pattern(r"\bcount who(?:ever)?(?:'s| is| are) (?:in )?(?=there\b|in\b|on\b)")
_OF_THEM = _pattern(
    rf"^(?P<asks>[^?]*?(?P<what>{_THING})[^?]*\?) *(?P<order>[^?]*?\b(?P<n>one|two|three|some|"
    rf"a couple)) of (?:them|those)\b(?P<rest>[^?]*)$"
)
_AMONG = _pattern(rf"(?P<thing>{_THING}) (?:among|amongst|amid) (?:them|those|it)\b")
_WAKING = _pattern(
    r",? (?:but )?(?:please )?(?:wake|disturb) (?:nobody|no one|no-one)(?P<after>,(?= )|"
    r"(?= and\b)|(?=[.!]*$))"
)


def _there_too(text: str, lifted: Lifted) -> str:
    """Name where is counted "while you're there", "in each" and "among them", and whom an answer is passed on to."""
    text = _COUNT_WHO.sub("count the people ", text)
    text = _WAKING.sub(r"\g<after>", text)
    if re.match(r"\W*(?:[a-z]+ ){0,3}ask\b", text, re.IGNORECASE):
        text = _PASS_ON.sub("tell me", text)
    each = _IN_EACH.match(text)
    if each is not None and not re.search(_PLACE, each["how"]):
        how = each["how"]
        text = f"{how} in the {each['one']}, then {how} in the {each['other']}"
    counted = _WHILE_THERE.search(text)
    place = _last_place(text[: counted.start()]) if counted is not None else ""
    if counted is not None and place:
        text = f"{text[: counted.start()]}, then count the {counted['what']} in {place}"
    some = _OF_THEM.match(text)
    if some is not None and _only(_THING, some["asks"]) and (place := _only(_PLACE, some["asks"])):
        text = f"{some['asks']} {some['order']} of the {some['what']} in the {place}{some['rest']}"
    among = _AMONG.search(text)
    place = _last_place(text[: among.start()]) if among is not None else ""
    return (
        f"{text[: among.end('thing')]} in {place}{text[among.end() :]}"
        if among is not None and place
        else text
    )


_SEE_WHO = _pattern(
    rf"(?:(?:(?:go|pop|nip|run|step|head|drop|look)(?: over| along)? (?:in|into|to|"
    rf"by) {_THE}(?P<place>{_PLACE})(?:,? and|,)? )?"
    r"(?:go )?(?:and )?(?:see|find out|look|check|take a look at|have a look at) )"
    r"who(?:ever)?(?:'s| is| are)?(?: currently)? (?P<how>sitting|standing|lying|waving|pointing)?(?: down|"
    r" around| about)? ?"
    rf"(?:there|in there|in it|(?:in|on|at|by) {_THE}(?P<at>{_PLACE}))?(?:,? and then|,? and|,? then|,) "
    r"(?P<rest>(?:ask|tell|bring|give|say|guide|take|hand|greet|let|follow)\b.*)$"
)
_WHOEVER_IS = _pattern(
    rf"^(?P<open>\W*(?:(?:please|could you|can you|would you|robot|hey)[, ]+)*)(?:go|pop|nip|run|step|head|drop|"
    rf"look)(?: over| along| on)? "
    rf"(?:in|into|to|by|in to) {_THE}(?P<place>{_PLACE})(?:,? and then|,? and|,) (?P<verb>(?:tell|ask|greet|"
    rf"inform|let|give|say (?:hello|hi) to|bring)) "
    r"(?:whoever(?:'s| is)|anyone who(?:'s| is)|the person who(?:'s| is))(?: (?:in |over |around )?(?:there|"
    r"about|around|in))(?= |[.!?]*$)"
)
_ONE_OF_THEM = _pattern(
    rf"^\W*there(?:'s| is| are) (?:[a-z]+ )?(?:people|persons|someone|somebody|a couple|guests|men|women) (?:in|"
    rf"on|at|by) {_THE}(?P<place>{_PLACE})"
    r"(?:[.;,:!]| -)+ *(?:and |so |please )*(?P<order>[^.?!]*?\b(?:the one|whoever)(?: who(?:'s| is)| that(?:'s|"
    r" is)|'s| is)? (?P<how>standing|sitting|"
    r"lying|waving|in the [a-z]+ [a-z]+))(?! (?:in|on|at) )(?P<rest>.*)$"
)
_WHO_IS = _pattern(
    rf"^\W*who(?:'s| is)(?: that| the person)? (?P<how>sitting|standing|lying|waving)(?: down| there)? (?:in|on|"
    rf"at|by) {_THE}(?P<at>"
    rf"{_PLACE})(?P<place>)\?+ (?:and |please |go and )*(?P<rest>(?:ask|tell|bring|give|say|guide|take|hand|greet)\b[^?]*)$"
)
_THEM = _pattern(r"\b(?:them|him|her)\b")


def _whoever(text: str, lifted: Lifted) -> str:
    """Look for the one who is spoken of then: "see who's sitting there and ask them ..."."""
    text = _WHOEVER_IS.sub(r"\g<open>\g<verb> the person in the \g<place>", text)
    which = _ONE_OF_THEM.match(text)
    if which is not None:
        return f"{which['order']} in the {which['place']}{which['rest']}"
    seen = _WHO_IS.match(text) or _SEE_WHO.search(text)
    place = (seen["at"] or seen["place"]) if seen is not None else None
    if seen is None or not place or not _THEM.search(seen["rest"]):
        return text
    how = f" {seen['how'].lower()}" if seen["how"] else ""
    rest = _THEM.sub(f"the person{how} in the {place}", seen["rest"], count=1)
    return f"{text[: seen.start()]}{rest}"


_SO_IS = _pattern(
    rf"^\W*(?P<one>{_PERSON})(?:'s| is) (?P<how>[a-z]+),? and (?:so is (?P<other>{_PERSON})|(?P<other2>{_PERSON})(?:'s| is)"
    rf"(?: [a-z]+)?,? too)(?:,? so,?|[,.;:]+)(?: please)? (?P<order>.+?)[.! ]*$"
)
_EACH = _pattern(
    rf"^(?:(?:bring|give|take|get|fetch|hand) )?(?:them )?(?P<what>(?:an?|one|"
    rf"some) [^,]*?{_THING})(?:,? (?:for )?(?:each of them|each|"
    r"for both of them|for both|apiece))(?:,? please)?$|^(?:bring|give|take|get|fetch|hand) (?:each of them|"
    r"them each|both of them"
    rf"|them both) (?P<what2>(?:an?|one|some) [^,]*?{_THING})(?:,? please| each)*$"
)


def _one_each(text: str, lifted: Lifted) -> str:
    """Name both who get one: "Jules is thirsty and so is Paris, so one juice pack for each of them"."""
    told = _SO_IS.match(text)
    each = _EACH.match(told["order"].strip()) if told is not None else None
    if told is None or each is None:
        return text
    what = each["what"] or each["what2"]
    return f"bring {told['one']} {what} and bring {told['other'] or told['other2']} {what}"


_ONE_THEN_OTHER = _pattern(
    rf"\b(?P<verb>ask|tell|say) (?:first )?(?P<one>{_PERSON})(?:,? and then(?: also)?|, then(?: also)?|"
    rf",? and after that|, after that"
    rf"|,? and afterwards) (?P<other>{_PERSON})(?P<what>,? (?:what|whether|if|how|when|where|who|which|why|that)\b.*?)"
    r"(?P<end>,? (?:and|then)(?: then)? (?:come (?:back )?and )?(?:tell me|let me know|report back|"
    r"report to me)\b.*)?(?P<stop>[.!?]*)$"
)


_ASKED_THE_SAME = _pattern(
    rf"\bask (?P<one>{_PERSON}) (?P<what>[^,;.?!]+)(?P<then>,? (?:and )?(?:then|next|after that|"
    rf"afterwards)(?: also)?,?|,? and|[,;.]) ask (?P<other>{_PERSON})"
    r" the same(?: thing| question)?\b"
)


def _asked_in_turn(text: str, lifted: Lifted) -> str:
    """Put the same question to each: "ask Angel and then Robin what they'd like to drink"."""
    text = _ASKED_THE_SAME.sub(
        lambda said: f"ask {said['one']} {said['what']}, then ask {said['other']} {said['what']}", text
    )

    def apart(said: re.Match[str]) -> str:
        what = said["what"].lstrip(",")
        first, second = (f"{said['verb']} {said[who]}{what}" for who in ("one", "other"))
        return f"{first}, then {second}{said['end'] or ''}"

    return _ONE_THEN_OTHER.sub(apart, text)


_RULES: tuple[Callable[[str, Lifted], str], ...] = (
    as_orders,
    first_done,
    _there_too,
    *_SUPPOSED,
    any_kind,
    plainly,
    question_about,
    _one_each,
    _asked_in_turn,
    _whoever,
    _who_it_is,
    _how_many,
    _only_looks,
    _looks_to_answer,
    asked_there_and_then,
    in_turn,
    _where_it_is,
    _asked_there,
)
