"""What an English order hangs on, where its words only point to it, put as "if ..." with its thing and its place named.

"If the door's open, ..., if it's closed, ..." is one condition and its opposite; "should the cola be gone" is no cola;
"take the milk from the table if it's there and ..." hangs on the milk on the table; "and if there's a spoon, that too" is
an order for the spoon. The sentence is looked at with one letter for each name of the map
(:class:`~zulong.agent.language.english_states.Lifted`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from zulong.agent.language.english_states import Lifted
from zulong.agent.language.meaning import Clause

PLACE, THING, PERSON = "[\ue000-\ue3ff]", "[\ue400-\ue5ff]", "[\ue600-\ue7ff]"
"""The letters that stand for a place, a thing and a person in a lifted sentence."""
_SEP = r"(?:\s*[,;:.?!\u2013\u2014-]+\s*(?:and |but |then )*|\s+(?:and |but )(?:then )?)"
_SOME = r"(?:any|some|an?|the|more|another|enough)"


def pattern(form: str) -> re.Pattern[str]:
    """Return the pattern that takes letters of any case."""
    return re.compile(form, re.IGNORECASE)


def only(letters: str, text: str) -> str:
    """Return the one name of a kind in a text, "" when there is none or more than one."""
    found = set(re.findall(letters, text))
    return found.pop() if len(found) == 1 else ""


_OPEN_SHUT = pattern(
    rf"\bif (?P<what>the [a-z]+ ?door|the door|{PLACE}(?: door)?|the {PLACE}(?: door)?)(?:'s| is)(?: still)? "
    r"(?P<state>open|closed|shut)\b(?P<first>.+?)"
    rf"{_SEP}if (?:it|that|the door|the [a-z]+ door)(?:'s| is)(?P<not> not|n't)?(?: still)? (?P<other>open|"
    rf"closed|shut)\b,? *"
)


def _or_opposite(text: str, lifted: Lifted) -> str:
    """Put the opposite condition as "otherwise": "if the door's open, ..., if it's closed, ..."."""

    def put(said: re.Match[str]) -> str:
        opened = said["state"].lower() == "open", said["other"].lower() == "open"
        opposite = (opened[0] != opened[1]) != bool(said["not"])
        if not opposite or re.search(r"\botherwise\b", said["first"], re.IGNORECASE):
            return said[0]
        return f"if {said['what']} is {said['state']}{said['first']}, otherwise "

    return _OPEN_SHUT.sub(put, text)


_GONE = pattern(
    rf"\b(?:should (?:all )?the (?P<thing>{THING}) be (?:all )?(?:gone|missing|finished|used up|out)|"
    rf"if (?:all )?the (?P<thing2>{THING})"
    r"(?:'s| is| are| has)(?: all| already)? (?:gone|missing|finished|used up|run out|not there|no longer there))(?=\W)"
)


def _none_left(text: str, lifted: Lifted) -> str:
    """Put "should the cola be gone" as that there is none."""
    return _GONE.sub(lambda said: f"if there is no {said['thing'] or said['thing2']}", text)


_SO_NONE = pattern(
    r"\b(?P<if>if|unless) there(?:'s| is| are)(?: (?:none|not any|not one)|n't (?:any|one))(?: left| there|"
    r" of (?:them|those)| in there"
    r"| on it| in it)*(?=\s*[,:]|\s+(?:then|please|bring|take|give|put|get|tell|come|go|fetch|hand|move|let|ask)\b)"
)


def _none_of_them(text: str, lifted: Lifted) -> str:
    """Say of what there is none, and where: "count the plates in the kitchen, and if there are none, ..."."""
    found = _SO_NONE.search(text)
    if found is None:
        return text
    thing, place = only(THING, text[: found.start()]), only(PLACE, text[: found.start()])
    if not (thing and place) or re.search(r"\b(?:if|unless|whether)\b", text[: found.start()], re.IGNORECASE):
        return text
    return f"{text[: found.start()]}{found['if']} there is no {thing} in the {place}{text[found.end() :]}"


_THAT_TOO = pattern(
    rf"^(?P<orders>\W*(?:[a-z]+ )?(?P<verb>bring|get|fetch|give|hand|pass|grab) me\b.*?),? and if (?:there(?:'s|"
    rf" is| are)|you (?:find|see)) "
    rf"(?P<what>(?:{_SOME} )?{THING})(?: left| anywhere| about| around| there| in there)*,? (?:that|it|one|some|"
    rf"them|those|that one)"
    r"(?: too| as well| also)?(?: please)?[.! ]*$"
)


def _besides(text: str, lifted: Lifted) -> str:
    """Put the verb to what is wanted besides: "bring me the milk, and if there's a spoon, that too"."""
    return _THAT_TOO.sub(
        lambda said: f"{said['orders']}, then {said['verb']} me {said['what']} if there is one", text
    )


_IF_THERE = pattern(
    rf"^(?P<open>\W*(?:(?:please|could you|can you|would you|robot|hey)[, ]+)*)(?P<verb>take|get|bring|fetch|"
    rf"grab|pick up|collect|move)"
    rf"(?P<me> me)? the (?P<thing>{THING}) (?P<prep>from|off|in|on|out of) the (?P<place>{PLACE}),? if "
    r"(?:it's|it is|they're|they are|that's)(?: still)? (?:there|in there|on it|in it)(?P<rest>(?:,? and |,? to |"
    r",? then |[.!]*$).*)$"
)


def _if_it_is_there(text: str, lifted: Lifted) -> str:
    """Say first what must be there: "take the milk from the table if it's there and put it in the fridge"."""
    return _IF_THERE.sub(
        lambda said: (
            f"{said['open']}if the {said['thing']} is in the {said['place']}, {said['verb']}{said['me'] or ''} the "
            f"{said['thing']} from the {said['place']}{said['rest']}"
        ),
        text,
    )


_WISHES = pattern(
    rf"^\W*(?P<who>{PERSON})(?:'s| is| wants| needs| would| likes| fancies| feels| has| asked| said|'d)\b[^,.;?!]*"
    r"(?:,? so(?: please)?,?|[;.]) (?=(?:if|should) )(?P<rest>.*)$"
)


def _for_whom(text: str, lifted: Lifted) -> str:
    """Name who is told of first: "Jane's thirsty, so if there's iced tea in the cabinet bring her that"."""
    wish = _WISHES.match(text)
    if wish is None or re.search(PERSON, wish["rest"]):
        return text
    thing = only(THING, text[: wish.start("rest")])
    rest = (
        re.sub(r"\b(?:find|see|have|got) it\b", lambda said: f"{said[0][:-2]}the {thing}", wish["rest"])
        if thing
        else wish["rest"]
    )
    named = re.sub(r"\b(?:him|her|them)\b", wish["who"], rest, count=1)
    return named if named != wish["rest"] else text


_ANY_LEFT = pattern(
    rf"^\W*(?:(?:hey|robot|so|please)[, ]+)*(?:(?:is|are) there |(?:do|have) (?:we|you) (?:have |got )?|have we got )?"
    rf"(?:still )?(?P<what>(?:any|some)(?: more)? {THING})(?: left| about| around| anywhere| at all)*\? *(?:and |but )?"
    r"(?P<then>if (?:so|yes|there is|there are|we do|we have)|if (?:not|no|there isn't|there aren't|we don't|"
    r"we haven't)),? +(?=\S)"
)


def _any_left(text: str, lifted: Lifted) -> str:
    """Put a question and what hangs on it in one: "any wine left? If so, take it to Morgan"."""
    asked = _ANY_LEFT.match(text)
    if asked is None:
        return text
    negated = re.search(r"\b(?:not|no|isn't|aren't|don't|haven't)$", asked["then"], re.IGNORECASE)
    what = re.sub(r"^(?:any|some)(?: more)?", "no" if negated else "any", asked["what"], flags=re.IGNORECASE)
    return f"if there is {what} left, {text[asked.end() :]}"


_SHOULD_BE = pattern(
    rf"^\W*(?:there (?:should|ought to|must|might|may) be|you(?:'ll| should|"
    rf" will) find) (?P<what>(?:{_SOME} )?(?P<thing>{THING})) "
    rf"(?:in|on|at) (?:the |my |our )?(?P<place>{PLACE})(?:,|;|\.| -)(?: and| but)? if (?:there|it|they)(?:'s|"
    rf" is| are)?(?P<not> ?n't| not| none)?"
    r"(?: any| one| there)*,? +(?=\S)"
)


def _should_be_there(text: str, lifted: Lifted) -> str:
    """Put "there should be a cube on the rack, if there isn't, ..." as what there must be."""
    told = _SHOULD_BE.match(text)
    if told is None:
        return text
    there = f"no {told['thing']}" if told["not"] else f"a {told['thing']}"
    return f"if there is {there} in the {told['place']}, {text[told.end() :]}"


_IF_SHE_IS = pattern(
    rf"(?P<sep>{_SEP})(?P<if>if|unless) (?:he|she)(?P<is>'s| is)(?=(?: not|n't)?(?: still| already)? (?:in|on|"
    rf"at) (?:the |my |our )?[\ue000-\ue3ff])"
)


def _who_is_meant(text: str, lifted: Lifted) -> str:
    """Name who must be somewhere: "what is Robin wearing? And if he's in the kitchen, ..."."""
    found = _IF_SHE_IS.search(text)
    person = only(PERSON, text) if found is not None else ""
    if found is None or not person or person not in text[: found.start()]:
        return text
    return f"{text[: found.start()]}{found['sep']}{found['if']} {person} is{text[found.end() :]}"


_IS_SHE = pattern(
    rf"^\W*(?:(?:hey|robot|so)[, ]+)*is (?P<who>{PERSON})(?: still)? (?P<how>sitting|standing|lying|waiting|"
    rf"resting|working)(?: down| about"
    rf"| around)? (?P<at>(?:in|on|at|by) (?:the |my |our )?{PLACE})\? *(?:and |but )?if (?:so|yes|(?:he|"
    rf"she)(?:'s| is)(?P<not> not|n't)?|"
    r"(?P<no>not)),? +(?=\S)"
)


def _is_she_there(text: str, lifted: Lifted) -> str:
    """Put "is Angel sitting in the kitchen? If she is, ..." as who must be there."""
    asked = _IS_SHE.match(text)
    if asked is None:
        return text
    no = " not" if asked["not"] or asked["no"] else ""
    return f"if {asked['who']} is{no} {asked['how']} {asked['at']}, {text[asked.end() :]}"


_BOTH = pattern(
    rf"^\W*(?P<who>{PERSON})(?:'s| is| wants| needs| would like|'d like| fancies|"
    rf" asked for)(?: after)? (?P<things>(?:{_SOME} )?{THING} "
    rf"and (?:{_SOME} )?{THING})(?:,? so(?: please)?,?|[;.]) (?P<verb>bring|take|give|get|fetch) (?:him|her|"
    rf"them) (?:both|them both|those)[.! ]*$"
)
_TOO_IF = pattern(
    rf"^(?P<open>\W*(?:please |could you |can you )*)(?P<verb>[a-z]+) (?P<first>the {THING}) (?P<goal>(?:to|on|"
    rf"in|into|onto) the {PLACE}),? and "
    rf"(?P<other>the {THING})(?: too| as well| also)?,? (?P<if>if) (?:it's|it is)(?: still)? (?P<at>(?:on|"
    rf"in) the {PLACE})[.! ]*$"
)
_NOT_THERE = pattern(
    r"(?<=[a-z\ue000-\ue7ff])[.!;,] *(?:not there|none there|none left|nothing there|no luck|"
    r"gone)\? *(?:then )?(?=[a-z])"
)
_ANY_MORE = pattern(r"(?P<not>\bif [^,;.]*?(?:n't|not)\b[^,;.]*?) (?:any ?more|any longer)\b")


def _besides_if(text: str, lifted: Lifted) -> str:
    """Give each of two orders its own: "move the bowl to the desk, and the plate too if it's in the sink"."""
    text = _BOTH.sub(lambda said: f"bring {said['who']} {said['things']}", text)
    text = _ANY_MORE.sub(r"\g<not>", _NOT_THERE.sub(", and if not, ", text))
    return _TOO_IF.sub(
        lambda said: (
            f"{said['open']}{said['verb']} {said['first']} {said['goal']}, and if {said['other']} is {said['at']}, "
            f"{said['verb']} {said['other']} {said['goal']}"
        ),
        text,
    )


_WE_HAVE = pattern(
    rf"\b(?P<if>if|whether) (?:we|you|i)(?:'ve| have)?(?: still)?(?: got| have)?(?: still)?(?: got)? "
    rf"(?P<what>(?:(?:any|some|an?|enough|more) )*{THING})(?P<left> left)?(?=\W)"
)
_IF_WE_DO = pattern(
    r"\bif (?:we|you|i) (?P<not>don't|do not|haven't|have not)?(?:do|have)?(?: have| got)?(?: any| some| one)?"
    r"(?=,| (?:bring|take|give|get|fetch|put|tell|come|go|let|ask|please)\b)"
)


def _of_ours(text: str, lifted: Lifted) -> str:
    """Put "check if we still have milk, and if we do, ..." as what there is."""
    had = _WE_HAVE.search(text)
    if had is None:
        return text
    there = f"{text[: had.start()]}{had['if']} there is {had['what']}{had['left'] or ''}"
    rest = _IF_WE_DO.sub(lambda said: "if not" if said["not"] else "if so", text[had.end() :], count=1)
    return f"{there}{rest}"


_DEED_THEN_IF = pattern(
    r"^\W*(?:(?:please|could you|can you|would you|will you|robot|hey|first)[, ]+)*(?P<deed>(?:bring|take|put|"
    r"give|get|fetch|move|tell|say|"
    r"guide|lead|walk|escort|hand|deliver|carry|greet|remind|inform)\b[^;.?!]*?),? (?:and|then|"
    r"but also)(?: then)?,? if (?!so\b|not\b)"
    r"[^,;.?!]+?,? (?:[a-z]+)"
)


def _if_it_is_so(text: str, lifted: Lifted) -> str:
    """Put the condition first that is asked first: "see if the tuna's in the pantry, and bring it to Robin if it is"."""

    def put(said: re.Match[str]) -> str:
        no = bool(said["not"])
        return said[0] if no else f"if {said['state']}, {said['order']}"

    text = _HAS_LEFT.sub(r"if \g<who> is not in the \g<place>", text)
    text = _SHOULD_THERE.sub(r"if there is \g<some>", text)
    other = _NO_SUCH.search(text)
    if other is not None:
        noun = lifted.names[other["thing"]].split()[-1]
        text = f"{text[: other.end('order')]} or, if there is none, the {other['other']} {noun}"
    text = _SEE_AND_IF.sub(put, text)
    return _ANY_OTHER.sub(r"\g<else>a \g<thing>", text)


_HAS_LEFT = pattern(
    rf"\b(?:if|in case|should) (?P<who>{PERSON})(?:'s| is| has| be| have)?(?: already)? (?:gone|left|away|"
    rf"out)(?: from| out of| of)? (?:the |my )?"
    rf"(?P<place>{PLACE})(?=\W)"
)
_COLOURS = r"(?:red|blue|green|white|yellow|black|brown|orange)"
_NO_SUCH = pattern(
    rf"(?P<order>\bthe (?:{_COLOURS} )?(?P<thing>{THING})(?=\W)[^,;.?!]*),? (?:and |but |or )?if there(?:'s|"
    rf" is)(?:n't| not)? (?:no|none|any|a)"
    rf"(?: {_COLOURS})?(?: one)?(?: left)?,? (?:then )?the (?P<other>{_COLOURS})(?: one)?(?: instead)?[.! ]*$"
)
_SHOULD_THERE = pattern(rf"\bshould there be (?P<some>(?:{_SOME} )?{THING})")
_SEE_AND_IF = pattern(
    r"^\W*(?:(?:hey|robot|please|could you|can you|would you|will you|go|and|just)[, ]+)*(?:see|check|find out|"
    r"look|have a look|take a look) "
    r"(?:if|whether) (?P<state>[^,;.?!]+?),? (?:and|then)(?: then)?,? (?P<order>(?:bring|take|give|get|fetch|put|"
    r"move|tell|ask|say|guide|lead|"
    r"let|hand|come)\b[^,;.?!]*?),? if (?:so|(?:it|they|he|she|there|that)(?:'s| is| are)(?P<not> not|"
    r"n't)?(?: there| one| any| the case| in)?)"
    r"[.?! ]*$"
)
_ANY_OTHER = pattern(
    rf"(?P<else>\b(?:if not|otherwise|or else|if (?:it|there) (?:isn't|"
    rf"is not)),? (?:then )?(?:just )?[a-z]+ (?:me )?)(?:any other|some other|another|a "
    rf"different) (?P<thing>{THING})"
)


def swallowed(text: str, clauses: Sequence[Clause]) -> list[str]:
    """Return the order that stands before a condition of its own where everything hangs on the condition, else nothing.

    Args:
        text: the sentence.
        clauses: what is to be done.
    """
    deed = _DEED_THEN_IF.match(text)
    if deed is None or re.search(r"\b(?:if|unless|otherwise)\b", deed["deed"], re.IGNORECASE):
        return []
    done = [clause for clause in clauses if not clause.negated]
    same = {clause.condition for clause in done}
    alone = bool(done) and None not in same and len(same) == 1
    return (
        [deed["deed"]]
        if alone and done[0].condition is not None and done[0].condition.kind != "answer"
        else []
    )


RULES: tuple[Callable[[str, Lifted], str], ...] = (
    _of_ours,
    _if_it_is_so,
    _besides_if,
    _or_opposite,
    _who_is_meant,
    _is_she_there,
    _any_left,
    _should_be_there,
    _none_left,
    _none_of_them,
    _besides,
    _if_it_is_there,
    _for_whom,
)
"""Each returns the sentence with one kind of condition said in full, unchanged where it has none of that kind."""
