"""What puts an English order right in the turn after it: "wrong table, the bedside one", "Robin wanted that".

Each is put into the few forms that the dialogue knows ("no, on the bedside table", "no, to Robin"). A turn that only
says that something is wrong is put as what it is: a wish for another, which is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zulong.agent.language.english_asked_turns import asked_on
from zulong.agent.language.english_message_turns import message_put_right
from zulong.agent.language.english_named import NAME, named, one_of_them
from zulong.agent.language.english_turn_words import ENDING, OPENING, Clauses, is_spot, known_as, theme_of
from zulong.agent.language.lexicon import Vocabulary

_CARRYING = ("bring", "put", "take")
_IN = r"(?:in|on|at|into|onto|to|by|from)"

_Step = Callable[[str, Clauses, str, Vocabulary], "str | None"]


def put_right_after(
    said: str, clauses: Sequence[Mapping[str, Any]], slot: str, vocabulary: Vocabulary
) -> str | None:
    """Return the turn in the words that the dialogue knows, None when it is nothing of the kind.

    Args:
        said: what is said, with single blanks and plain apostrophes.
        clauses: those of the order before, as plain data.
        slot: what was asked for, "" when nothing was.
        vocabulary: the words of the lexicon and the map.
    """
    if not clauses:
        return None
    message = message_put_right(said, clauses, vocabulary) if not slot else None
    if message is not None:
        return message
    asked = asked_on(said, clauses, vocabulary) if not slot else None
    if asked is not None:
        return asked
    steps: Sequence[_Step] = _ALWAYS if slot else (*_ALWAYS, *_UNASKED)
    for step in steps:
        plain = step(said, clauses, slot, vocabulary)
        if plain is not None:
            return plain
    return None


def _goal(clauses: Clauses) -> str:
    return str((clauses[-1].get("goal") or {}).get("name") or "")


def _other_spot(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "sorry, I meant the office, put it on the desk there"."""
    match = _MEANT_ROOM.match(said)
    if match is None or clauses[-1].get("action") not in _CARRYING or not _goal(clauses):
        return None
    if not known_as(match["room"], "place", vocabulary) or not known_as(match["spot"], "place", vocabulary):
        return None
    return f"no, {match['in']} {match['spot']}"


_MEANT_ROOM = re.compile(
    rf"{OPENING}(?:i (?:meant|mean) )?(?:(?:in|to) )?(?P<room>{NAME})[,;.:-]+ (?:(?:and|so|please|just) )*(?:(?:put|"
    rf"leave|set|place) (?:it|them|that)"
    rf"(?: down)? )?(?P<in>in|on|at|into|onto) (?P<spot>{NAME})(?: in)? there{ENDING}",
    re.IGNORECASE,
)


def _waits_elsewhere(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "make that the bathroom" after "wait in the bedroom for three minutes"."""
    match = _OTHER_PLACE.match(said)
    actions = [clause.get("action") for clause in clauses]
    if match is None or actions != ["go", "wait"] or not known_as(match["place"], "place", vocabulary):
        return None
    seconds = clauses[-1].get("seconds")
    if not seconds:
        return None
    return f"go to {match['place']} and wait {int(float(seconds))} seconds"


_OTHER_PLACE = re.compile(
    rf"{OPENING}(?:make (?:that|it) (?:in )?|i (?:meant|mean) (?:in |to )?|not (?:in |to )?{NAME}[,;] (?:but )?(?:in |"
    rf"to )?|better (?:in )?|rather (?:in )?|in |to )?"
    rf"(?P<place>(?:the |my |our )[a-z]+(?: [a-z]+)?|[a-z]+)(?: (?:would be|is) better)?{ENDING}",
    re.IGNORECASE,
)


def _wrong_one(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "wrong table, the bedside one" and "wrong room"."""
    match = _WRONG.match(said)
    if match is None:
        return None
    last = clauses[-1]
    noun, rest = match["noun"].lower(), (match["rest"] or "").strip(" .!")
    role = _role_of(noun, last, vocabulary)
    if role is None:
        return None
    if not rest:
        return {
            "place": "not there, somewhere else",
            "person": "not him",
            "object": "not that one",
        }[role]
    words = re.sub(
        rf"^(?:{_IN}|i meant|i mean|it's|it is|it should be|make it|i wanted|i want|i need|i said|take|use) ",
        "",
        rest,
        flags=re.IGNORECASE,
    )
    words = re.sub(rf"^{_IN} ", "", words, flags=re.IGNORECASE)
    before = str((last.get("goal" if role == "place" else "theme") or {}).get("name") or noun)
    other = named(before, vocabulary)
    meant = named(words, vocabulary)
    if (meant is None or not meant.noun) and other is not None:
        meant = one_of_them(words, other, vocabulary)
    if meant is None or meant.kind != role:
        return None
    if role == "place":
        spot = is_spot(meant.noun, vocabulary) and last.get("action") in _CARRYING
        return f"no, {'in' if 'in ' in rest else 'on'} {meant.said()}" if spot else f"no, to {meant.said()}"
    return f"no, {meant.said()}" if role == "object" else f"no, to {meant.said()}"


_WRONG = re.compile(
    rf"{OPENING}(?:that's |that is |it's |you've got |you have |that was )?(?:the )?wrong "
    rf"(?P<noun>[a-z]+)(?:[\s,.;:!-]+(?P<rest>{_IN} {NAME}|(?:i meant |i mean |it's |i wanted |i want |i need |i "
    rf"said |it should be |make it |take |use )?{NAME}))?"
    r"(?: please| sorry|, please|, sorry)?[\s.!]*$",
    re.IGNORECASE,
)


def _role_of(noun: str, last: Mapping[str, Any], vocabulary: Vocabulary) -> str | None:
    """Return of what kind "wrong ..." speaks, None when the order has nothing of that kind."""
    if noun in ("person", "man", "woman", "guy", "girl", "boy", "one") and noun != "one":
        return (
            "person"
            if (last.get("recipient") or {}).get("kind") == "person" or _themed(last, "person")
            else None
        )
    if noun in ("room", "place", "spot", "table", "shelf", "end"):
        return "place" if last.get("goal") or last.get("where") else None
    if noun == "one":
        return "object" if _themed(last, "object") else None
    found = named(noun, vocabulary)
    return "object" if found is not None and found.kind == "object" and _themed(last, "object") else None


def _themed(last: Mapping[str, Any], kind: str) -> bool:
    return (last.get("theme") or {}).get("kind") == kind


def _another(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "no, not to him, to somebody else" and "not that, something else"."""
    match = _ANOTHER.match(said)
    if match is None:
        return None
    role = "person" if match["who"] else "place" if match["where"] else "object"
    return {
        "place": "not there, somewhere else",
        "person": "not him",
        "object": "not that one",
    }[role]


_ANOTHER = re.compile(
    rf"{OPENING}(?:not (?:to |for |in |on )?(?:him|her|them|there|here|that(?: one)?|this(?: one)?|it|[a-z]+)[,;.:-]* "
    rf"(?:but )?)?(?:give it |take it |bring it |put it )?(?:to |for |in |on )?"
    rf"(?:(?P<who>somebody|someone|anybody|anyone) else(?: (?:wants|wanted|needs|asked for|should (?:get|have)) "
    rf"(?:it|that|them))?|(?P<where>somewhere|some other (?:place|room)|another room|"
    rf"someplace|anywhere) ?(?:else)?|(?P<what>something) else|(?<=no, )the other(?: one)?){ENDING}",
    re.IGNORECASE,
)


def _who_wanted(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "wait, Robin wanted that, not Morgan"."""
    match = _WANTED.match(said) or _WHO_IT_WAS.match(said)
    if match is None or clauses[-1].get("action") not in _CARRYING:
        return None
    if not known_as(match["who"], "person", vocabulary):
        return None
    if match["out"] and not known_as(match["out"], "person", vocabulary):
        return None
    return f"no, to {match['who']}" if match["who"].lower() != str(match["out"]).lower() else None


_ASKED = (
    r"(?:wanted|wants|asked for|needs|needed|ordered|was waiting for|is waiting for|should (?:get|have)|gets)"
)
_WANTED = re.compile(
    rf"{OPENING}(?:i think )?(?P<who>[a-z]+) {_ASKED} (?:it|that|this|them|that one|the [a-z]+(?: [a-z]+)?),? (?:and "
    rf")?not (?P<out>[a-z]+){ENDING}",
    re.IGNORECASE,
)
_WHO_IT_WAS = re.compile(
    rf"{OPENING}(?:it|that)(?:'s| was| is) (?P<who>[a-z]+) (?:who|that) (?:{_ASKED}|asked)(?: (?:it|that|them|one))?"
    rf"(?:,? (?:and )?not (?P<out>[a-z]+))?{ENDING}",
    re.IGNORECASE,
)


def _better_there(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "hmm, better in the sink" and "the shelf would be better"."""
    match = _BETTER.match(said) or _WOULD_BE_BETTER.match(said)
    if (
        match is None
        or clauses[-1].get("action") not in (*_CARRYING, "guide", "go")
        or not clauses[-1].get("goal")
    ):
        return None
    place = known_as(match["place"], "place", vocabulary)
    if place is None:
        return None
    spot = is_spot(place.noun, vocabulary) and clauses[-1].get("action") in _CARRYING
    return f"no, {match['in'] or ('on' if spot else 'to')} {match['place']}"


_BETTER = re.compile(
    rf"{OPENING}(?:it's |it is |it would be |i think |maybe |perhaps )*(?:better|best|rather)(?: put| leave| take)?(?: "
    rf"it| off| still)?,? (?:(?P<in>in|on|at|into|onto|to) )?(?P<place>{NAME}){ENDING}",
    re.IGNORECASE,
)
_WOULD_BE_BETTER = re.compile(
    rf"{OPENING}(?:i think )?(?:(?P<in>in|on|at|into|onto) )?(?P<place>{NAME}) (?:would be|is|might be|'d be)(?: much| "
    rf"a bit| even)? (?:better|nicer|best){ENDING}",
    re.IGNORECASE,
)


def _of_the_kind(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "the white one, milk" after "could you get me a drink?"."""
    match = _WHITE_ONE.match(said)
    theme = theme_of(clauses)
    if match is None:
        return None
    if match["other"]:
        return (
            f"no, the {match['what']}"
            if known_as(match["what"], "object", vocabulary) and theme.get("name")
            else None
        )
    if not theme.get("category") or theme.get("name"):
        return None
    one = named(match["one"], vocabulary)
    return (
        f"the {match['what']}" if one is not None and known_as(match["what"], "object", vocabulary) else None
    )


_WHITE_ONE = re.compile(
    rf"{OPENING}(?:(?P<one>the [a-z]+ one)|(?P<other>the other [a-z]+))[,;.:-]+ (?:i mean |that is |that's |the |an? |"
    rf"some )*(?P<what>[a-z]+(?: "
    rf"[a-z]+)?){ENDING}",
    re.IGNORECASE,
)


def _somebody_else(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "not Jane, the one sitting on the sofa" after an order about Jane."""
    match = _NOT_HER.match(said)
    last = clauses[-1]
    if match is None:
        return None
    theme, recipient = theme_of(clauses), last.get("recipient") or {}
    out = match["out"].lower()
    about = next(
        (p for p in (theme, recipient) if p.get("kind") == "person" and str(p.get("name")).lower() == out),
        None,
    )
    if about is None or len(clauses) != 1:
        return None
    who = f"the {_PEOPLE.get(match['person'].lower(), match['person'])} {match['how']}"
    goal = _goal(clauses)
    if last.get("action") == "guide" and about is theme and goal:
        return f"take {who} to the {goal}"
    if last.get("action") == "follow" and about is theme:
        return f"follow {who} to the {goal}" if goal else f"follow {who}"
    thing = str(theme.get("text") or "")
    if last.get("action") in _CARRYING and about is recipient and thing and not last.get("goal"):
        return f"bring {thing} to {who}"
    return None


_PEOPLE = {"one": "person", "guy": "man", "lady": "woman"}
_NOT_HER = re.compile(
    rf"{OPENING}(?:i (?:don't|didn't) mean |not (?:to )?)(?P<out>[a-z]+)[,;.:-]+ (?:but )?(?:to )?(?:i meant |i mean "
    rf")?the (?P<person>one|person|man|woman|guy|lady|girl|boy) "
    rf"(?P<how>(?:waving|standing|sitting|lying|pointing|raising|wearing|in|on|with|at|by|who|that)\b[a-z ]+?){ENDING}",
    re.IGNORECASE,
)


def _led_instead(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "oh, take Adel instead" after somebody was to be guided, and "stop at the office" after following."""
    last, goal = clauses[-1], _goal(clauses)
    stop = _STOP_AT.match(said)
    if (
        stop is not None
        and last.get("action") in ("follow", "guide")
        and known_as(stop["place"], "place", vocabulary)
    ):
        return f"to {stop['place']}"
    match = _TAKE_INSTEAD.match(said)
    if (
        match is None
        or last.get("action") != "guide"
        or not goal
        or not known_as(match["who"], "person", vocabulary)
    ):
        return None
    return f"guide {match['who']} to the {goal}"


_STOP_AT = re.compile(
    rf"(?:and |but |then |please )*stop (?:at|in|by|when you (?:get|are|come|reach)(?: to| in| at)?) "
    rf"(?P<place>{NAME}){ENDING}",
    re.IGNORECASE,
)
_TAKE_INSTEAD = re.compile(
    rf"{OPENING}(?:take|bring|guide|lead|show|escort|walk) (?P<who>[a-z]+) (?:there )?instead{ENDING}",
    re.IGNORECASE,
)


def _rather_this(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "the red one would be better" and "and while you're at it the red one" after "bring me the blue cup"."""
    theme = theme_of(clauses)
    match = _ONE_WOULD_BE.match(said)
    other = named(str(theme.get("name") or ""), vocabulary)
    if clauses[-1].get("action") in _CARRYING and match is not None and other is not None:
        meant = one_of_them(match["what"] or match["preferred"], other, vocabulary)
        return f"no, {meant.said()}" if meant is not None and meant.kind == "object" else None
    meanwhile = _MEANWHILE.match(said)
    return f"and {said[meanwhile.end() :]}" if meanwhile is not None else None


_ONE_WOULD_BE = re.compile(
    rf"{OPENING}(?:i think |maybe |perhaps )?(?:(?P<what>(?:the|an?) [a-z]+(?: [a-z]+)?) (?:would be|is|might be|'d "
    rf"be)(?: much| a bit| even)? (?:better|nicer|best)|"
    rf"i(?:'d| would) (?:prefer|rather have) (?P<preferred>(?:the|an?) [a-z]+ one)){ENDING}",
    re.IGNORECASE,
)
_MEANWHILE = re.compile(
    r"(?:and |oh,? |also,? )*while you(?:'re| are) (?:at it|there|up|about it|going),? (?:also )?(?=\w)",
    re.IGNORECASE,
)


def _so_many(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "she asked for two" after "bring Simone an orange"."""
    match = _ASKED_FOR.match(said)
    name = str(theme_of(clauses).get("name") or "")
    if match is None or clauses[-1].get("action") not in _CARRYING or not name:
        return None
    recipient = clauses[-1].get("recipient") or {}
    who = "i" if recipient.get("pronoun") == "me" else str(recipient.get("name") or "").lower()
    of_whom = match["who"].lower()
    fits = of_whom == who or (of_whom in ("he", "she", "they") and who != "i")
    return f"no, {match['number']} {name}" if fits and len(clauses) == 1 else None


_ASKED_FOR = re.compile(
    rf"{OPENING}(?P<who>[a-z]+)(?:'d| would)? (?:asked for|wanted|wants|want|needs|need|said|likes?) (?P<number>two|"
    rf"three|four|five|six)(?: of (?:them|those))?{ENDING}",
    re.IGNORECASE,
)


def _taken_from(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "make sure it's from the fridge" after an order to bring something."""
    match = _MIND_WHERE_FROM.match(said)
    if (
        match is None
        or clauses[-1].get("action") not in _CARRYING
        or not known_as(match["place"], "place", vocabulary)
    ):
        return None
    return f"no, from {match['place']}"


_MIND_WHERE_FROM = re.compile(
    rf"{OPENING}(?:but |and )?(?:make sure|see|be sure|mind)(?: that)? (?:it's|it is|they're|you get (?:it|them)|you "
    rf"take (?:it|them)|to (?:get|take) (?:it|them)|(?:it|they) comes?) (?:the one )?(?:from|out of) "
    rf"(?P<place>{NAME}){ENDING}",
    re.IGNORECASE,
)


def _to_that_place(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "I mean follow me there" after "go to the office"."""
    match = _COME_THERE.match(said)
    goal = _goal(clauses)
    if (
        match is None
        or not goal
        or (match["who"].lower() != "me" and not known_as(match["who"], "person", vocabulary))
    ):
        return None
    return f"{match['verb']} {match['who']} to the {goal}"


_COME_THERE = re.compile(
    rf"{OPENING}(?:(?:i mean|i meant|and|then)[,]? )?(?P<verb>follow|guide|lead|walk|show|escort|take) (?P<who>[a-z]+) "
    rf"(?:over )?there{ENDING}",
    re.IGNORECASE,
)


def _to_somebody(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "to Robin" after "bring the milk", which named nobody, and "she's in the bathroom, not the living room"."""
    last = clauses[-1]
    match = _TO_WHOM.match(said)
    if (
        match is not None
        and last.get("action") == "bring"
        and not last.get("recipient")
        and not last.get("goal")
    ):
        return f"no, to {match['who']}" if known_as(match["who"], "person", vocabulary) else None
    at = _IS_THERE.match(said)
    name = str((last.get("recipient") or {}).get("name") or "")
    if at is None or not name or at["who"].lower() not in ("he", "she", "they", name.lower()):
        return None
    both = known_as(at["place"], "place", vocabulary) and known_as(at["out"], "place", vocabulary)
    return f"no, to {name} {at['in']} {at['place']}" if both else None


_TO_WHOM = re.compile(r"(?:and )?(?:to|for) (?P<who>[a-z]+)(?: please|, please)?[\s.!]*$", re.IGNORECASE)
_IS_THERE = re.compile(
    rf"{OPENING}(?P<who>[a-z]+)(?:'s| is| are|'re) (?P<in>in|on|at) (?P<place>{NAME}),? (?:and )?not (?:in |on |at "
    rf")?(?P<out>{NAME}){ENDING}",
    re.IGNORECASE,
)


def _handed_on(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "Robin's had enough, give them to Adel"."""
    match = _HAD_ENOUGH.match(said)
    last = clauses[-1]
    if (
        match is None
        or last.get("action") not in _CARRYING
        or not known_as(match["who"], "person", vocabulary)
    ):
        return None
    before = str((last.get("recipient") or {}).get("name") or "").lower()
    of_whom = match["of"].lower()
    if not before or of_whom not in (before, "he", "she", "they") or match["who"].lower() == before:
        return None
    return f"no, to {match['who']}"


_HAD_ENOUGH = re.compile(
    rf"{OPENING}(?P<of>[a-z]+)(?:'s| is| has| does| doesn't| already| won't| will)\b[^,.;!?]{{2,30}}[,.;!-]+ (?:so |"
    rf"and |please |just )*"
    rf"(?:(?:give|take|bring|hand|pass) (?:it|them|that|those|some|one)(?: over)? )?to (?P<who>[a-z]+){ENDING}",
    re.IGNORECASE,
)


def _not_that_kind(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "not milk though" after "bring me a drink"."""
    match = _BUT_NO.match(said)
    last, theme = clauses[-1], theme_of(clauses)
    if (
        match is None
        or last.get("action") != "bring"
        or not theme.get("category")
        or theme.get("name")
        or last.get("goal")
    ):
        return None
    recipient = last.get("recipient") or {}
    who = "me" if recipient.get("pronoun") == "me" or not recipient else str(recipient.get("name") or "")
    fits = who and known_as(match["out"], "object", vocabulary) and len(clauses) == 1
    return f"bring {who} {theme.get('text')}, but no {match['out']}" if fits else None


_BUT_NO = re.compile(
    r"(?:but |just |only |oh,? |and )*(?:not|no|anything but|but no|not the|except|except for) (?:the |an? "
    r")?(?P<out>[a-z]+(?: [a-z]+)??)(?:,? (?:though|please|thanks|today))*[\s.!]*$",
    re.IGNORECASE,
)


def _one_more(said: str, clauses: Clauses, slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "and another one" after "bring a plum"."""
    return "another one please" if clauses[-1].get("action") in _CARRYING and _ONE_MORE.match(said) else None


_ONE_MORE = re.compile(
    r"(?:(?:and|oh|also|then|ok|please)[\s,]+)*(?:another(?: one)?|one more)(?: of (?:them|"
    r"those))?(?:[\s,]+(?:please|too|then))*[\s.!]*$",
    re.IGNORECASE,
)


_ALWAYS: tuple[_Step, ...] = (_wrong_one, _another)
_UNASKED: tuple[_Step, ...] = (
    _other_spot,
    _waits_elsewhere,
    _who_wanted,
    _better_there,
    _of_the_kind,
    _somebody_else,
    _rather_this,
    _so_many,
    _taken_from,
    _to_that_place,
    _to_somebody,
    _handed_on,
    _not_that_kind,
    _led_instead,
    _one_more,
)
