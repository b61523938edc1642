"""The forms of :mod:`zulong.agent.language.english_states`: patterns over sentences with a letter for each name.

A form is a template: ``<none>`` and the like are the parts below, a blank is any run of blanks.
"""

from __future__ import annotations

import re

from zulong.agent.language.tokens import NUMBER_WORDS

DET = r"(?:(?:the|my|our|your|that|this|his|her|their|old|one of the) )*"
_ADJECTIVE = (
    r"(?:(?!(?:in|on|at|is|are|not|and|or|no|the|a|to|me|it|him|her|them|bring|put|get|take|give)\b)[a-z]+ )?"
)
_FREE = (
    r"(?:empty|free|vacant|unoccupied|deserted|available|unused|not occupied|not in use|clear of people|not taken|"
    r"not busy)"
)
FREE = re.compile(_FREE, re.IGNORECASE)
_NUMBERS = "|".join(sorted((word for word in NUMBER_WORDS if word.isalpha()), key=len, reverse=True))
_PARTS = {
    "is": r"(?: ?'s| is| are| ?'re|(?<=it)s|(?<=there)s|(?<=one)s|(?<=body)s)",
    "gone": r"(?P<not>n't| not)?<still>(?P<not2> not| no longer)?",
    "isnt": r"(?:n't| not)",
    "still": r"(?:,? (?:still|currently|now|already|really|actually|completely|all|totally|just|also|indeed|happens? to be|"
    r"by any chance|perhaps|maybe|definitely))*",
    "be": r"(?: still| happen to| turn out to)* be(?: still)?",
    "at": r"(?: (?:waiting|kept|left|around|about|stored|still|up|out|over|through|back|somewhere))*"
    r" ?(?:in|on|at|by|inside|near|around|within) (?P<place><place>)",
    "place": rf"{DET}(?:[\ue000-\ue3ff]|door\b)",
    "room": rf"{DET}[\ue000-\ue1ff]",
    "a thing": rf"{DET}{_ADJECTIVE}[\ue400-\ue5ff]",
    "bare": rf"{_ADJECTIVE}[\ue400-\ue5ff]",
    "some": r"(?:(?:any|some|a|an|more|one|another|a bit of|a drop of|any of the|any more|enough|at least one) )?",
    "left": r"(?: (?:left|remaining|still|there|around|about|left over|available))*",
    "nobody": r"(?P<none>nobody else|nobody|no one|no-one|noone|not a soul|none of (?:them|us)|no people)",
    "somebody": r"(?P<some>(?:some|any)body(?: else)?|(?:some|any) ?one(?: else)?|(?:any )?people|a person)\b",
    "how": rf"(?P<how>{_FREE}|occupied|taken|in use|busy|being used|engaged|not empty|not free|full)\b",
    "than": r"(?P<than>(?:less|fewer) (?:than|then)|(?:more|greater) (?:than|then)|over|under|at least|at most|exactly|"
    r"no more than|only)",
    "many": r"(?P<things><bare>|people|persons?|men|women|children|kids|guests|visitors)",
    "colours": r"(?:red|blue|green|yellow|white|black|brown|gray|grey|orange|pink|purple|beige)",
    "number": rf"(?P<count>\d+|{_NUMBERS})\b",
    "seen": r"(?:you|we|i) (?:happen to |can |could |should )?<find>(?: that)?",
    "unseen": r"(?:you|we|i) (?:don't|do not|dont|can't|cannot|can not|cant|fail to|are unable to)(?: happen to)? <find>",
    "counted": r"(?:you|we|i) (?:can )?count(?: up)?",
    "find": r"(?:find|see|spot|come across|notice|discover)",
    "there": r" (?P<there>(?:in |over |around |right |on )?(?:there|here|around|about))\b",
    "thing": r"(?P<det><some>)(?P<thing><bare>)<left>",
    "no": r"(?P<no><bare>)<left>",
    "who": "(?P<who>[\ue600-\ue7ff])",
    "pronoun": r"(?P<who>he|she|they)(?: ?'s| is| are| ?'re)",
    "it": r"(?P<it>it|they)(?: ?'s| is| are| ?'re|s)",
    "power": r"(?: (?:on|of) (?:battery|charge|power|juice|energy|batteries))",
}
_PART = re.compile(r"(?<!\?P)<([a-z ]+)>")


def _form(template: str) -> re.Pattern[str]:
    opened = template
    while _PART.search(opened):
        opened = _PART.sub(lambda part: _PARTS[part[1]], opened)
    return re.compile(opened, re.IGNORECASE)


def _forms(*templates: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(_form, templates))


STATED = _forms(
    r"(?:the )?(?P<free><room>)<is><still> <how>",
    r"(?P<free>it|there|that)<is><still> <how>",
    r"<nobody>(?:<is>)?<still><left><at>",
    r"<nobody>(?:<is>)?<still><left><there>",
    r"there ?(?:<is>)?<still> <nobody><left><at>",
    r"there ?<is><still> <nobody>(?:<there>)?",
    r"there ?<is><isnt><still> (?P<none>(?:any)(?:body|one)(?: else)?)<left><at>",
    r"<somebody>(?:<is>)?<still><left><at>",
    r"<somebody><is><still><there>",
    r"there ?<is><still> <somebody><left><at>",
    r"(?:there ?(?:<is>)?<still> )?<than> <number> <many><left><at>",
    r"there ?<is><still> (?:no more|no|not any more|not any|none of the) <no><at>",
    r"there ?<is><isnt><still> <some><no><at>",
    r"there ?<is><still> <thing><at>",
    r"there ?<is><still> <thing>",
    r"there ?<is><still> (?:no more|no|not any more|not any) <no>",
    r"no(?: more)? <no>(?:<is>)?<at>",
    r"(?:there ?(?:<is>)?<still> )?<than> <number> <many><is><still><left><at>",
    r"(?:<seen>|<counted>) <than> <number> <many><left><at>",
    r"<seen> <nobody><at>",
    r"<unseen> (?P<none>any(?:body|one)(?: else)?)<at>",
    r"<unseen> (?:any|a|an|some|any more) <no><at>",
    r"(?:we|you|i)(?:'ve| have)(?: got)? no(?: more)? <no><at>",
    r"(?:we|you|i) (?:don't|do not|haven't) (?:have|got) (?:any|a|an|any more) <no><at>",
    r"(?:we|you|i)(?:'re| are| have| 've)?(?: all| run| completely)* out of (?:the )?<no><at>",
    r"(?:all (?:of )?)?the <no><is>(?: all)? (?:gone|finished|used up|out) (?:from )?<at>",
    r"(?:there ?<is><still> )?none of the <no><at>",
    r"<seen> <somebody><at>",
    r"<seen> <thing><at>",
    r"<seen> (?:the )?(?P<det>)(?P<thing><bare>)<at>",
    r"<seen> <who><at>",
    r"(?:you|we) (?P<not>don't|do not|can't|cannot|can not|fail to|are unable to)(?: <find>| locate) <who><at>",
    r"(?:you|we) (?P<not>don't|do not|can't|cannot|can not|fail to|are unable to)(?: <find>| locate) (?P<it><a thing>)<at>",
    r"(?:we|you|i)(?:'ve| have)(?: still)?(?: got)?(?: still)? <thing><at>",
    r"(?P<place><place>)(?: still)? (?:has|'s got|contains|holds)(?: still)?(?: got)? <thing>(?: (?:in|on) it)?",
    r"(?:the|that) (?P<tinted><bare>) (?:that(?:'s| is) )?<at><is><still> (?P<colour><colours>)\b",
    r"<who><is><gone><at>",
    r"<who><is><gone><there>",
    r"<pronoun><gone><at>",
    r"<pronoun><gone><there>",
    r"(?P<it><a thing>)<is><gone><at>",
    r"(?P<it><a thing>)<is><gone><there>",
    r"<it><gone><at>",
    r"<nobody><at>",
    r"(?P<det>(?:any|some|a|an|enough|more) )?(?P<thing><bare>)<left><at>",
    r"<who><still><at>",
    r"(?:your|the) batter(?:y|ies)(?:<is>)?<still>(?: getting| running| nearly| almost| about| pretty| quite| very| too)* "
    r"(?P<low>low|empty|flat|dead|down|dying|weak|drained)\b",
    r"you(?: are|'re)?(?: getting| running)+ (?:a bit |very |quite |rather )?(?P<low>low|out|flat)(?:<power>)?\b",
    r"you(?: are|'re) (?:a bit |very |quite |rather )?(?P<low>low)<power>\b",
    r"you need (?P<low>charging|a charge|recharging|to charge|to recharge|power|juice|some juice|some charge)\b",
)
"""What is told after "if"."""
INVERTED = _forms(
    r"there<be> <nobody><left><at>",
    r"<nobody><be><left><at>",
    r"there<be> <somebody><left><at>",
    r"<somebody><be><left><at>",
    r"there<be> no(?: more)? <no><at>",
    r"there<be> <thing><at>",
    r"there<be> <than> <number> <many><left><at>",
    r"(?P<free><room>)<be> <how>",
    r"<who>(?P<not> not)?<be>(?P<not2> not)?<at>",
    r"(?P<it><a thing>)(?P<not> not)?<be>(?P<not2> not)?<at>",
    r"you(?: happen to)? <find> <somebody><at>",
    r"you(?: happen to)? <find> <thing><at>",
    r"you(?: happen to)? <find> (?:the )(?P<det>)(?P<thing><bare>)<at>",
    r"you(?: happen to)? (?:<find>|meet|run into) <who><at>",
    r"your battery(?: get| run| be)+ (?P<low>low|flat|empty)\b",
    r"you(?: run| get)+ (?P<low>low|out|flat)(?:<power>)?\b",
)
"""What is told after "should"."""
ASKED = _forms(
    r"(?:is|are) there<still> <somebody><left><at>",
    r"(?:is |are )?<somebody><still><left><at>",
    r"(?:is )?<nobody><still><left><at>",
    r"(?:is|are) <who><still><at>",
    r"(?:is|are) (?P<free><room>)<still> <how>",
    r"(?:is|are) there<still> <thing><at>",
    r"(?:have we|have you|do we have|do you have|we|have i)(?: still)?(?: got)?(?: still)? <thing><at>",
    r"(?:is|are) (?P<it><a thing>)<still><at>",
    r"(?:is|are) (?:the|that) (?P<tinted><bare>)<at> (?P<colour><colours>)\b",
    r"(?:is|are) there<still> <than> <number> <many><left><at>",
    r"no (?:more )?<no><at>",
    r"(?P<det>(?:any|some) )(?P<thing><bare>)<left><at>",
    r"<who><still><at>",
)
"""What is asked before "if so" and "if not"."""
POSED = _forms(
    r"<who><is><still><at>",
    r"(?P<it><a thing>)<is><still><at>",
    r"(?P<free><room>)<is><still> <how>",
    r"<thing><at>",
    r"<somebody><is><still><left><at>",
    r"<nobody><is><still><left><at>",
    r"there ?<is><still> <thing><at>",
)
"""What is asked by its tone only: "the milk is in the fridge?"."""
ABSOLUTE = _forms(
    r"<nobody>(?: being| else| left)*<at>",
    r"(?P<some>(?:any)(?:body|one)|people)(?: being| else)*<at>",
    r"(?P<free><room>)(?: being)?<still> <how>",
    r"no <no>(?: being)?<at>",
)
BEING = _forms(
    r"(?P<free><room>) being<still> <how>",
    r"<nobody> being<still><at>",
    r"there being <nobody><left><at>",
    r"there being no <no><at>",
    r"<who> (?P<not>not )?being<at>",
)
SOUGHT = _forms(
    r"(?:check|search|look in|look on|have a look in|have a look on|look through|inspect|scan|see) (?P<place><place>) "
    r"(?:for|to see if there(?: is|'s| are)|and see if there(?: is|'s| are)) <thing>",
    r"(?:look|have a look|take a look|check|search|hunt)(?: around)?(?: (?:in|on|at|by) (?P<place><place>))? for <thing>"
    r"(?: (?:in|on|at|by) (?P<place2><place>))?",
)
VISITED = _form(
    r"(?:check(?: (?:on|in|out))?|look (?:in|on|at|into|around|inside)|have a look (?:in|on|at|around|inside|into)|"
    r"take a look (?:in|on|at|around)|inspect|go (?:and )?(?:check|look)(?: in| on| at)?|go (?:in)?to|pop (?:in)?to|"
    r"peek (?:in|into)|glance (?:in|into|at)|pop over to|nip to|head (?:over )?to|visit|see) ?(?P<place><place>)"
)
