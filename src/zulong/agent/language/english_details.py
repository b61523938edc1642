"""Details of English orders that are put plainly before they are read.

How something is to be said, who somebody is to those who live here, what lies about where, what somebody will look like:
none of it changes what is to be done. The sentence is looked at with one letter for each name of the map
(:class:`~zulong.agent.language.english_states.Lifted`).
"""

from __future__ import annotations

import re

from zulong.agent.language.english_states import Lifted
from zulong.agent.language.english_supposed import PERSON as _PERSON
from zulong.agent.language.english_supposed import PLACE as _PLACE
from zulong.agent.language.english_supposed import THING as _THING
from zulong.agent.language.english_supposed import pattern as _pattern

_MANNER = _pattern(
    r",? (?:but |and )?(?:do it |do so )?(?:very |ever so |as )?(?:quietly|softly|gently|carefully|slowly|politely|nicely|"
    r"discreetly)(?: please| as you can| as possible)*[.!]*$"
)
_HE_WILL_BE = _pattern(
    rf"(?<=[?.!]) *(?:if (?:it|that)(?:'s| is) {_PERSON},? )(?:he|she|they)(?:'ll| will| should|"
    rf"'d)(?: probably)? (?:be|have|look|wear)\b"
    r"[^?!;]*$"
)
_LIES = _pattern(
    rf"(?P<thing>{_THING}) (?:lying|standing|sitting|kept|stored|left lying|hanging)(?: about| around)? (?=(?:in|"
    rf"on|at|by) )"
)
_PARENTHESES = _pattern(
    r",? (?:let's say|let us say|shall we say|say|i don't know|i'd say),? (?=(?:\d|a |an |half|one|two|three|"
    r"four|five|six|seven|eight|nine|"
    r"ten|fifteen|twenty|thirty|forty|fifty|sixty|ninety)[a-z -]*(?:seconds?|minutes?|hours?|times)\b)"
)
_KEEPS_OFF = _pattern(
    r",? but (?:don't (?:go|get|come|follow)|do not (?:go|get|come|follow)|not) (?:(?:him|her|them) )?(?:too|so|"
    r"that) close(?:ly)?(?: to (?:him|her|them))?,?"
)
_APPOSED = _pattern(
    rf"\b(?:everyone's|everybody's|the|my|our|your) (?!{_PLACE}|{_THING})(?!(?:one|"
    rf"person)\b)[a-z]+(?: [a-z]+)?, (?P<who>{_PERSON}),? "
)
"""Who somebody is to those who live here: "everybody's favourite, Morgan,"."""
_THE_ONE = _pattern(
    rf"\b(?:an?|the|one|some|my) (?P<thing>{_THING}), (?:i mean |that is |and )?the (?P<colour>red|blue|green|"
    rf"white|yellow|black|brown|"
    r"gr[ae]y|orange|pink|purple|big|small) one,"
)
_ITS_NAME = _pattern(
    rf"\bask (?:(?P<who>him|her|them|{_PERSON}) (?:for |about )?(?P<whose>his|her|their)|(?P<whose2>his|her|their)) "
    r"(?P<what>name|age|job|birthday|opinion|address|favou?rite [a-z]+)(?=\s*(?:[,.;!?]|and\b|then\b|$))"
)
_PRONOUNS = {"his": "him", "her": "her", "their": "them"}


def question_about(text: str, lifted: Lifted) -> str:
    """Put "ask her name" as a question."""

    def asked(said: re.Match[str]) -> str:
        whose = (said["whose"] or said["whose2"]).lower()
        return f"ask {said['who'] or _PRONOUNS[whose]} what {whose} {said['what']} is"

    if _SOMEBODY.search(text):
        text = _TELL_NAME.sub("ask them for their name and tell me", text)
    return _ITS_NAME.sub(asked, text)


_SOMEBODY = _pattern(
    r"\b(?:the|a|that) (?:[a-z]+ )?(?:person|man|woman|guy|lady|boy|girl|visitor|guest)\b|"
    r"\bwhoever\b|\bsome(?:one|body)\b"
)
_TELL_NAME = _pattern(
    r"\b(?:find out and |come back and |come and )?(?:tell me|let me know|find out) (?:his|her|"
    r"their) name\b(?: and tell me)?"
)
_HOW_IS = _pattern(
    rf"^\W*how(?:'s| is) (?P<who>{_PERSON})(?P<are>(?: doing| feeling)?(?: today|"
    rf" now)?)\?+ *(?:please )?(?:go and |go )?ask (?P<him>him|her|them)"
    r"(?P<then>(?:,| and|\.).*)?$"
)
_HE = {"him": "he is", "her": "she is", "them": "they are"}
_TIDY_UP = _pattern(
    r"^\W*(?:let's|let us|time to) (?:tidy|clean|clear) (?:things )?up(?: a bit| a little| now|"
    r" here)*[:;.,!] *(?=[a-z])"
)
_BACK_FOR = _pattern(
    rf"\b(?:go|come|head|nip|pop) back (?:again )?(?:for|to get) (?P<what>(?:the|a|an|"
    rf"some) {_THING})(?=\s*(?:[.,;!]|$))"
)


_EITHER_WAY = _pattern(
    r"^\W*(?:either way|in any case|at any rate|any ?how|in either case|if (?:it|that) ?(?:isn't|is not|'s not|"
    r"is|'s) (?:not )?(?:too "
    r"much|any|no) (?:trouble|bother|hassle|work)(?: for you)?),? (?=[a-z])"
)
_FROM_US = _pattern(
    r"(?P<hello>\b(?:say|wish|bid) [a-z, \ue600-\ue7ff]+?),? (?:from|on behalf of) (?:all of us|us all|us|"
    r"everyone|everybody|me and "
    r"[a-z]+|(?:all )?(?:the|my|our) (?:whole |entire )?(?:family|team|household|kids|children|"
    r"gang))(?: here)?(?=\s*(?:[.!?,]|$))"
)
_ANYTHING = _pattern(
    r"(?P<open>^\W*(?:(?:hey|hi|so|robot|please)[, ]+)*(?:(?:is|are) there )?)any ?thing to (?P<do>eat|"
    r"nibble(?: on)?|play with|[\ue400-\ue5ff](?: on(?! the))?)(?=\W)"
)
_KINDS = {
    "drink": "any drink",
    "eat": "any food",
    "nibble": "any snack",
    "nibble on": "any snack",
    "snack": "any snack",
    "snack on": "any snack",
    "play with": "any toy",
}


def any_kind(text: str, lifted: Lifted) -> str:
    """Name the kind of thing that is asked for: "anything to drink on the side tables?"."""

    def named(said: re.Match[str]) -> str:
        kind = _KINDS.get(lifted.restored(said["do"]).lower())
        return f"{said['open'] or ''}{kind}" if kind else said[0]

    return _ANYTHING.sub(named, text) if "?" in text else text


def plainly(text: str, lifted: Lifted) -> str:
    """Leave out how something is to be said or done, and what somebody will look like."""
    text = _HOW_IS.sub(
        lambda said: f"ask {said['who']} how {_HE[said['him'].lower()]} {said['are']}{said['then']}", text
    )
    text = _TIDY_UP.sub("", text)
    text = _BACK_FOR.sub(r"bring me \g<what>", text)
    text = _THE_ONE.sub(r"the \g<colour> \g<thing>", text)
    text = _APPOSED.sub(r"\g<who> ", _KEEPS_OFF.sub("", _PARENTHESES.sub(" ", _EITHER_WAY.sub("", text))))
    if "?" in text or re.search(r"\bif\b", text, re.IGNORECASE):
        text = _LIES.sub(r"\g<thing> ", text)
    return _FROM_US.sub(r"\g<hello>", _HE_WILL_BE.sub("", _MANNER.sub("", text)))
