"""English contrasts inside a sentence, carried out before it is read: what is not meant is left out, what is meant stays.

"I don't want the red cup in the sink, I want the blue one there" is an order for the blue cup; "leave the mustard where
it is and bring me the soup" one for the soup; "not the apple, the pear, take it to Jane" one for the pear. A contrast is
carried out only between names that the vocabulary knows, and never inside a message.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_named import NAME, named, one_of_them
from zulong.agent.language.english_rewriting import Rule, rewritten
from zulong.agent.language.lexicon import Vocabulary

_SPEAKS = re.compile(
    r"\b(?:tell|say|says|saying|ask|asks|inform|remind|let [a-z]+ know|message|whisper|announce|shout)\b",
    re.IGNORECASE,
)
_GET = r"(?:bring|get|fetch|give|take|hand|pass|carry|grab|put|place|leave|set|move|deliver)"
_PLEASE = (
    r"(?:(?:and|so|then|please|just|kindly|do|now|you can|can you|could you|would you|will you|i'd like you "
    r"to),? )*"
)
_IN = r"(?:in|on|at|into|onto|to|by)"
_WANT = r"(?:want|need|would like|'d like|wish for|asked for|meant|mean|said)"
_NO_WANT = r"(?:do not|don't|did not|didn't|no longer|never)"


def without_contrasts(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence without what it says not to be meant.

    Args:
        text: the sentence as it was said.
        vocabulary: the words of the lexicon and the map.
    """
    return rewritten(text, vocabulary, _RULES, _SPEAKS, _ANYWHERE)


def _wanted_there(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "I don't want the red cup in the sink, I want the blue one there"."""
    out, place = named(match["out"], vocabulary), named(match["at"], vocabulary)
    meant = one_of_them(match["meant"], out, vocabulary) if out else None
    if out is None or place is None or meant is None or place.kind != "place" or meant.kind != out.kind:
        return None
    if out.kind == "person":
        return f"take {meant.said()} to {match['at']}"
    return f"put {meant.said()} {match['in']} {match['at']}" if out.kind == "object" else None


def _by_mistake(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "bring the sugar and don't bring the mustard by mistake"."""
    out = named(match["out"], vocabulary)
    before = match.string[: match.start()].lower()
    fits = out is not None and out.kind == "object" and bool(before.strip())
    return "" if out is not None and fits and out.said().split(" ", 1)[-1] not in before else None


def _belongs(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "take the coffee away from the sink. It belongs in the pantry, not the fridge"."""
    places = [named(match[part], vocabulary) for part in ("from", "to")]
    thing = named(match["what"], vocabulary)
    if thing is None or thing.kind != "object" or any(p is None or p.kind != "place" for p in places):
        return None
    out = named(match["out"], vocabulary) if match["out"] else None
    if match["out"] and (out is None or out.kind != "place"):
        return None
    return f"move {match['what']} from {match['from']} to {match['to']}"


def _asked_for(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "I said the lemon from the table, not a plum from the shelf, so bring that to Robin"."""
    meant, out = named(match["meant"], vocabulary), named(match["out"], vocabulary)
    if meant is not None and out is None:
        out = one_of_them(match["out"], meant, vocabulary)
    if meant is None or out is None or {meant.kind, out.kind} != {"object"}:
        return None
    return f"{match['verb']} {match['meant']}{match['from'] or ''}{match['rest']}"


def _left_alone(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "leave the mustard where it is and bring me the tomato soup"."""
    left = named(match["left"], vocabulary)
    if left is None or left.kind == "place" or re.search(r"\b(?:it|them|that|there)\b", match["order"], re.I):
        return None
    order = match["order"]
    headless = re.search(r"\bthe (?P<which>[a-z]+) one\b", order, re.IGNORECASE)
    if headless is None and match["at"]:
        return None
    if headless is not None:
        meant = one_of_them(headless[0], left, vocabulary)
        return None if meant is None else order.replace(headless[0], meant.said(), 1)
    said = f"{left.colour} {left.noun}".strip()
    return None if re.search(rf"\b{re.escape(said)}\b", order, re.IGNORECASE) else order


def _none_for(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "no sugar for me, just the milk" and "no juice for Paris, give her the tea"."""
    out, meant = named(match["out"], vocabulary), named(match["meant"], vocabulary)
    who = match["who"]
    person = None if who.lower() in ("me", "us") else named(who, vocabulary)
    if out is None or meant is None or {out.kind, meant.kind} != {"object"} or out.noun == meant.noun:
        return None
    if person is not None and person.kind != "person":
        return None
    if person is None and who.lower() not in ("me", "us"):
        return None
    return f"bring {who} {match['meant']}"


def _having(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "..., and Jules can have the milk" behind an order to bring somebody something."""
    who, what = named(match["who"], vocabulary), named(match["what"], vocabulary)
    if who is None or what is None or who.kind != "person" or what.kind != "object":
        return None
    return f" and bring {match['who']} {match['what']}"


def _not_but(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "not the green cup the red one, bring it over" and "not Robin, Adel, take her the cola"."""
    out = named(match["out"], vocabulary)
    meant = one_of_them(match["meant"], out, vocabulary) if out is not None else None
    if (
        out is None
        or meant is None
        or meant.kind != out.kind
        or (out.noun == meant.noun and out.colour == meant.colour)
    ):
        return None
    pronouns = {"object": _IT, "person": _HIM, "place": _THERE}[meant.kind]
    order, replaced = pronouns.subn(
        match["meant"] if meant.kind == "person" else meant.said(), match["order"], count=1
    )
    if not replaced:
        return None
    if meant.kind == "place":
        on = any(sense.kind == "placement" for sense in vocabulary.english.get(tuple(meant.noun.split()), ()))
        order = order.replace(meant.said(), f"{'on' if on else 'to'} {meant.said()}", 1)
    return order


_IT = re.compile(r"\b(?:it|that(?: one)?|them|this(?: one)?)\b", re.IGNORECASE)
_HIM = re.compile(r"\b(?:him|her|them)\b", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b", re.IGNORECASE)


def _rather(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "not for me but for Jane" and "not on the table but in the pantry"."""
    out, meant = _anybody(match["out"], vocabulary), _anybody(match["meant"], vocabulary)
    if out is not None and meant is None:
        other = named(match["out"], vocabulary)
        headless = one_of_them(match["meant"], other, vocabulary) if other is not None else None
        return None if headless is None else f"{match['before'] or ''}{headless.said()}"
    if out is None or meant != out:
        return None
    return f"{match['then'] or match['before'] or ''}{match['meant']}"


def _anybody(words: str, vocabulary: Vocabulary) -> str | None:
    """Return the kind of what is named, where the speaker and pronouns are people too."""
    if words.lower() in ("me", "us", "him", "her", "them"):
        return "person"
    found = named(words, vocabulary)
    return None if found is None else found.kind


def _told_instead(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "don't tell Jane, tell Adel that the door is open"."""
    out, meant = named(match["out"], vocabulary), named(match["meant"], vocabulary)
    fits = out is not None and meant is not None and {out.kind, meant.kind} == {"person"} and out != meant
    return f"{match['verb']} {match['meant']}" if fits else None


def _as_many(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "two apples, no, pears"."""
    out, meant = named(match["out"], vocabulary), named(match["meant"], vocabulary)
    fits = out is not None and meant is not None and {out.kind, meant.kind} == {"object"}
    return f"{match['number']} {match['meant']}" if fits else None


def _no(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "oh no, wait, go to the bookshelf" and "did I say Morgan? I meant Axel"."""
    return ", no, " if match.start() else "no, "


def _wanted_instead(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "I don't want milk, just the cereal"."""
    out = named(match["out"], vocabulary)
    meant = one_of_them(match["meant"], out, vocabulary) if out is not None else None
    if out is None or meant is None or out.kind != "object" or meant.kind != "object":
        return None
    return f"bring me {meant.said()}"


def _not_so_many(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "two plates on the table, not three"."""
    before = re.findall(r"\b(?:one|two|three|four|five|six)\b", match.string[: match.start()].lower())
    return "" if len(before) == 1 and before[0] != match["out"].lower() else None


def _fewer(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "two plates, no, just one, on the table"."""
    what = named(match["what"], vocabulary)
    ordered = what is not None and what.kind == "object" and match.start() > 0
    return f"{match['number']} {match['what']}" if ordered else None


def _at_most(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "no more than two oranges for Charlie, so bring him two"."""
    what, who = named(match["what"], vocabulary), named(match["who"], vocabulary)
    fits = what is not None and who is not None and what.kind == "object" and who.kind == "person"
    return f"bring {match['who']} {match['number']} {match['what']}" if fits else None


def _nothing(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "not now, wait ten seconds and then ..."."""
    return ""


def _this_not_that(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "the sponge, not the soap, goes on the shelf"."""
    meant, out = named(match["meant"], vocabulary), named(match["out"], vocabulary)
    if meant is not None and out is None:
        out = one_of_them(match["out"], meant, vocabulary)
    fits = meant is not None and out is not None and {meant.kind, out.kind} == {"object"}
    return f"{match['meant']} " if fits else None


def _ordered(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "I asked for cereal, not cornflakes"."""
    meant, out = named(match["meant"], vocabulary), named(match["out"], vocabulary)
    if meant is not None and out is None:
        out = one_of_them(match["out"], meant, vocabulary)
    fits = meant is not None and out is not None and {meant.kind, out.kind} == {"object"}
    return f"bring me {match['meant']}" if fits else None


def _not_him(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "don't give it to Robin, the orange juice is for Angel, and ..."."""
    out, who = named(match["out"], vocabulary), named(match["who"], vocabulary)
    what = named(match["what"], vocabulary)
    if (
        out is None
        or who is None
        or what is None
        or {out.kind, who.kind} != {"person"}
        or what.kind != "object"
    ):
        return None
    return f"give {match['what']} to {match['who']}" if out.noun != who.noun else None


def _number(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "not one but two strawberries"."""
    return str(match["number"])


def _not_the_other(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "to the one waving in the bedroom, not the one lying on the bed"."""
    before = match.string[: match.start()]
    if not _SOMEBODY_THERE.search(f"{before}{match['meant']}"):
        return None
    return str(match["meant"])


def _the_person(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "to the one waving in the bedroom"."""
    return f"{match['to']} the person "


def _one_of_us(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "to one of them, but not to Jane": which of them is still to be asked."""
    out = named(match["out"], vocabulary)
    return str(match["meant"]) if out is not None and out.kind == "person" else None


def _some_of_those(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "two of those, no, three, for Adel": what is said to bring is still to be asked."""
    who = match["who"]
    person = None if who.lower() in ("me", "us") else named(who, vocabulary)
    if person is not None and person.kind != "person":
        return None
    if person is None and who.lower() not in ("me", "us"):
        return None
    return f"bring {match['other'] or match['number']} of {match['those']} to {who}"


def _only_him(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "tell Axel, and Axel only, that ..."."""
    who = named(match["who"], vocabulary)
    return str(match["who"]) if who is not None and who.kind == "person" else None


def _other_time(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "lunch is at one, no wait, half past one" and "for ten minutes, no, a quarter of an hour"."""
    time = str(match["time"])
    if re.fullmatch(r"(?:half|quarter|a quarter) past", time, re.IGNORECASE):
        hour = re.search(rf"{_HOUR}$", match["old"], re.IGNORECASE)
        time = f"{time} {hour[0]}" if hour else time
    return f"{match['lead'] or ''}{time}"


_HOUR = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|\d{1,2}(?:[:.]\d\d)?)"
)
_CLOCK = (
    rf"(?:(?:half|quarter|a quarter|five|ten|twenty) (?:past|to) )?{_HOUR}(?:[ -](?:fifteen|thirty|forty-five|"
    rf"twenty|ten))?"
    r"(?: o'clock| ?[ap]m)?"
)
_DAY = (
    r"(?:(?:next |this )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|today|tonight|tomorrow(?: "
    r"morning| evening)?|"
    r"this (?:morning|afternoon|evening))"
)
_LASTS = (
    r"(?:(?:one|two|three|four|five|ten|fifteen|twenty|thirty|forty|fifty|sixty|ninety|an?|\d+) (?:more "
    r")?(?:seconds?|minutes?|"
    r"hours?)|(?:a )?quarter of an hour|half an hour|half a minute|a couple of minutes)"
)
_NO = (
    r"[,.;:-]* (?:uh |er |um |oh )?(?:(?:no|sorry|wait|hang on|hold on|i mean|i meant|actually|make (?:that|it)|or "
    r"rather|rather|correction|"
    r"let's say|scratch that|my mistake)[,.]? )+"
)
_PERSON = r"(?:one|person|man|woman|guy|girl|boy|lady|gentleman|lad|fellow|bloke|chap|visitor|guest)"
_DOING = (
    r"(?:waving|standing|sitting|lying|pointing|raising|wearing|who|that|in|on|with|at|by|near|seated|holding|"
    r"resting|sleeping)"
)
_SOMEBODY_THERE = re.compile(rf"\b{_PERSON} {_DOING}\b", re.IGNORECASE)
_CLAUSE = r"[^,.;:!?]"


def _rule(pattern: str, rule: Rule) -> tuple[re.Pattern[str], Rule]:
    return re.compile(pattern, re.IGNORECASE), rule


_ANYWHERE: tuple[Rule, ...] = (_other_time, _only_him)
"""What is put right inside a message too."""
_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    _rule(
        rf"\b(?P<lead>(?:at|by|until|till|before|after|from) )(?P<old>{_CLOCK}){_NO}(?:(?:at|by|until|till|before|"
        rf"after) "
        rf")?(?P<time>{_CLOCK}|(?:half|quarter|a quarter) past)(?=[,.;!?]|$)",
        _other_time,
    ),
    _rule(rf"\b(?P<lead>on )?{_DAY}{_NO}(?:on )?(?P<time>{_DAY})(?=[,.;!?]|$)", _other_time),
    _rule(rf"\b(?P<lead>for )?{_LASTS}{_NO}(?:for )?(?P<time>{_LASTS})(?=[,.;!?]|$)", _other_time),
    _rule(
        rf"^(?:no,? )?(?:i|we) {_NO_WANT} {_WANT} (?P<out>{NAME}) (?P<in>in|on|at|into|onto) (?P<at>{NAME})"
        rf"[,;.:-]+ (?:but |rather |instead )?(?:(?:i|we)(?: really| actually| do)? ?{_WANT} |it's |it is |"
        rf"{_PLEASE}(?:put|place|"
        rf"take|bring) )?(?P<meant>{NAME})(?: i want)?(?: to be| should be| is to be| goes)? (?:there|in (?:it|"
        rf"there)|on (?:it|there))"
        r"(?: instead| please)?(?=[,.;!?]|$| and\b| then\b)",
        _wanted_there,
    ),
    _rule(
        rf"[,;.]? ?(?:(?:and|but|so|only) )*(?:please )?(?:(?:do not|don't|be careful not to|take care not to|try "
        rf"not to|make "
        rf"sure (?:that )?you (?:don't|do not)|mind you don't) (?:bring|get|take|grab|pick up|pick|fetch|give|"
        rf"confuse it with|mix "
        rf"it up with)(?: me| us)?|not) (?P<out>{NAME}) (?:by mistake|by accident|by error|accidentally|in error|"
        rf"instead)"
        r"(?=[,.;!?]|$)",
        _by_mistake,
    ),
    _rule(
        rf"^(?:{_PLEASE})(?:take|clear|remove|get|move|fetch|grab) (?P<what>{NAME})(?: away)? (?:from|off|out of|"
        rf"off of) "
        rf"(?P<from>{NAME})(?:,? please)?[,;.?!:-]+ (?:because |since |as )?(?:it|they|that|those)(?:'s| is|'re| are)?"
        r"(?: really| actually)? (?:belongs?|goes?|go|should be|should go|ought to be|ought to go|lives?|needs? to be|"
        rf"(?:is |are )?supposed to be|meant to be)(?: back)? (?:in|on|at|into|onto|to) (?P<to>{NAME})"
        rf"(?:,? (?:and |but )?not (?:(?:in|on|at|into|onto|to) )?(?P<out>{NAME}))?(?=[.!?]*$)",
        _belongs,
    ),
    _rule(
        rf"^(?:no,? )?(?:i|we) (?:said|meant|mean|asked for|wanted|want) (?P<meant>{NAME})(?P<from> (?:from|on|in|"
        rf"off|at) "
        rf"{NAME})?,? (?:and )?not (?P<out>{NAME})(?: (?:from|on|in|off|at) {NAME})?[,;.:-]+ {_PLEASE}(?P<verb>{_GET}) "
        r"(?:that(?: one)?|it|this(?: one)?)(?P<rest>\b.*)$",
        _asked_for,
    ),
    _rule(
        rf"^(?:{_PLEASE})(?:leave|keep) (?P<left>{NAME})(?: (?P<at>(?:in|on|at) {NAME})(?=,? (?:and|but) [^,]*\bthe "
        rf"[a-z]+ one\b)| (?:where (?:it is|they are|it's)|alone|there|be|as "
        rf"(?:it is|they "
        rf"are)|in (?:its|their) place))?,? (?:and |but |and just )+(?P<order>{_PLEASE}(?:{_GET}|go|come|tell|ask|"
        rf"find|count|"
        r"follow|guide) .+)$",
        _left_alone,
    ),
    _rule(
        rf"^(?:no,? )?(?:no|not|none of) (?P<out>{NAME}) for (?P<who>[a-z]+)(?: today| tonight| now| this time)?(?: "
        rf"please| thanks)?"
        rf"[,;.:-]+ (?:(?:but|just|only|rather|instead|so|please|i'll have|i will have|i'd like|{_PLEASE}(?:give|"
        rf"bring|get|fetch|"
        rf"take)(?: me| us| him| her| them| over)?(?: just| only)?) )+(?P<meant>{NAME})(?=[,.;!?]|$| and\b| then\b| "
        rf"please\b| thanks\b| instead\b)",
        _none_for,
    ),
    _rule(
        rf",? and (?P<who>[a-z]+) (?:can|could|may|should|will|is to|gets to) (?:have|get) "
        rf"(?P<what>{NAME})(?=[,.;!?]|$)",
        _having,
    ),
    _rule(
        rf"^(?:no,? |please,? )*not (?P<out>{NAME}),? (?:but |it's |i want )?(?P<meant>(?:the|a|an|my|some) "
        rf"[a-z]+(?: [a-z]+){{0,2}}?|"
        rf"[a-z]+),?[,;.:-]* {_PLEASE}(?P<order>(?:{_GET}|go|tell|ask|guide|follow)\b.*)$",
        _not_but,
    ),
    _rule(
        rf"^(?:please )?(?:do not|don't) (?:give|take|bring|hand|pass) (?:it|that|them) to (?P<out>[a-z]+)[,;.:-]+ "
        rf"(?P<what>{NAME}) (?:is|are)(?: meant| supposed to be)? for (?P<who>[a-z]+)(?=[,.;!?]|$| and\b)",
        _not_him,
    ),
    _rule(
        r"(?:^|[,.;-]+ )(?:(?:oh|sorry|wait|no|hang on)[,.]? )*did i (?:just )?say [a-z ]{2,25}\?[,.]? (?:sorry,? "
        r")?(?:i (?:meant|mean)|"
        r"i wanted to say|it's) ",
        _no,
    ),
    _rule(r"[,.;-]+ (?:oh|ah|um|uh|er),? no,? (?:wait|hang on|hold on|sorry)[,.]? ", _no),
    _rule(
        rf"(?P<before>\b(?:to|for|in|on|at|from|into|onto) )?not (?:(?:to|for|in|on|at|from|into|onto) "
        rf")?(?P<out>{NAME}),? "
        rf"but (?:rather |instead |just )?(?P<then>(?:to|for|in|on|at|from|into|onto) )?(?P<meant>{NAME})(?=[,.;!?]|"
        rf"$| and\b| "
        r"please\b| then\b| for\b| to\b)",
        _rather,
    ),
    _rule(
        r"\b(?:one|two|three|four|five|six) (?P<what>[a-z]+(?: [a-z]+)?)[,;-]+ (?:oh |um |uh )?(?:no|sorry|wait|"
        r"actually|i mean)[,.]? "
        r"(?:just |only |make (?:it|that) )?(?P<number>one|two|three|four|five|six)(?:,(?= (?:on|in|to|for|from|at|"
        r"into|onto) )|"
        r"(?=[.!]*$))",
        _fewer,
    ),
    _rule(
        r"^(?:no|not) more than (?P<number>one|two|three|four|five) (?P<what>[a-z]+(?: [a-z]+)?) for "
        r"(?P<who>[a-z]+)(?:,? please)?"
        r"(?:,? (?:so )?(?:please )?(?:bring|give|take|get) (?:him|her|them) (?P=number))(?=[.!]*$)",
        _at_most,
    ),
    _rule(
        r"^(?:no,? )?not (?:now|yet|right now|just yet|immediately|straight away|right away|so fast)[,;:.-]+ "
        r"(?=(?:wait|first|give|bring|take|put|go|come|tell|ask|finish|in)\b)",
        _nothing,
    ),
    _rule(
        r"(?<=\w),? (?:and |but )?not (?P<out>one|two|three|four|five|six)(?=[.!]*$)",
        _not_so_many,
    ),
    _rule(
        rf"^(?:please )?(?P<meant>{NAME}),? (?:and |but )?not (?P<out>{NAME}),? (?=(?:goes|belongs|should|needs to|"
        rf"is to|has to|must)\b)",
        _this_not_that,
    ),
    _rule(
        rf"^(?:no,? )?(?:i|we) (?:asked for|said|wanted|ordered) (?P<meant>{NAME}),? (?:and )?not "
        rf"(?P<out>{NAME})(?=[.!]*$)",
        _ordered,
    ),
    _rule(
        r"^(?:please )?(?:do not|don't) (?P<verb>tell|ask|say to|greet|remind) (?P<out>[a-z]+)[,;.:-]+ (?:but |"
        r"please |just )*"
        r"(?P=verb) (?P<meant>[a-z]+)\b",
        _told_instead,
    ),
    _rule(
        r"\b(?P<number>two|three|four|five|\d) (?P<out>[a-z]+s)[,.;-]+ (?:oh |um |uh )?(?:no|sorry|i mean|i meant|"
        r"wait|rather|"
        r"make that)[,.]? (?P<meant>[a-z]+s)(?=[,.;!?]|$)",
        _as_many,
    ),
    _rule(
        rf"^(?:no,? )?(?:i|we) {_NO_WANT} (?:want|need|feel like|fancy) (?P<out>{NAME})(?:,? (?:but|just|only|"
        rf"rather)|, (?:i'd like|"
        rf"i would like|i'll have)) (?:just )?(?P<meant>{NAME})(?=[.!]*$| please[.!]*$)",
        _wanted_instead,
    ),
    _rule(
        r"\bnot (?:just |only )?(?:one|two|three|four|five|an?|\d) but (?P<number>one|two|three|four|five|six|"
        r"\d)(?= [a-z])",
        _number,
    ),
    _rule(
        rf"(?P<meant>\b{_PERSON} {_DOING}\b{_CLAUSE}*?)(?:,| -|,? and|,? but) (?:but |and )?not (?:to )?(?:the |that )?"
        rf"{_PERSON} {_DOING}?{_CLAUSE}{{0,40}}?(?=[,.;!?]|$)",
        _not_the_other,
    ),
    _rule(
        r"(?P<who>\b[a-z]+), (?:and |but )?(?:(?P=who) only|only (?P=who)|nobody else|no one else|just (?P=who)),",
        _only_him,
    ),
    _rule(
        r"(?P<to>\bto|\bfollow|\bguide|\bfind|\bask|\bgreet|\bgive|\bbring) the one "
        r"(?=(?:waving|standing|sitting|lying|pointing|raising|wearing|who is|who's|with (?:the|his|her|a) )\b)",
        _the_person,
    ),
    _rule(
        r"(?P<meant>\bto one of (?:them|us|these people|those people)),? (?:but |just |only |and )*not (?:to "
        r")?(?P<out>[a-z]+)"
        r"(?=[,.;!?]|$)",
        _one_of_us,
    ),
    _rule(
        r"^(?P<number>one|two|three|four|five|\d) of (?P<those>those|these|them)(?:[,.;:-]+ (?:no|sorry|wait|make "
        r"that|make it|i "
        r"mean|actually)[,.]? (?P<other>one|two|three|four|five|\d))?,? (?:for|to) (?P<who>[a-z]+)(?=[,.!]? "
        r"?(?:please)?[.!]*$)",
        _some_of_those,
    ),
)
