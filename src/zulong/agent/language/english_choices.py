"""English choices and shares, settled before a sentence is read: "either will do", "one for each of them".

A choice is settled only where the speaker leaves it open on purpose ("either", "whichever", "I don't mind"): then the
first is as good as the second. A share is written out for each person.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_named import DETERMINER, NAME, named, one_of_them
from zulong.agent.language.english_rewriting import Rule, rewritten
from zulong.agent.language.lexicon import Vocabulary

_SPEAKS = re.compile(
    r"\b(?:tell|say|says|ask|asks|inform|remind|let [a-z]+ know|if|whether|unless|what|which|where|how)\b",
    re.IGNORECASE,
)
_FINE = (
    r"(?:(?:will|would) (?:do|be (?:fine|ok|okay|great|good|lovely|nice))|'d be fine|'ll do|(?:is|are|'s) (?:fine|"
    r"ok|okay|good|"
    r"all right|alright)(?: by me| with me)?|works?|does|suits? me)"
)
_OPEN = (
    rf"[,;.:-]* (?:but )?(?:(?:either|any|both)(?: one| of them| of the two)? {_FINE}|whichever(?: one)?(?: you "
    rf"(?:find|see|like|prefer)"
    r"(?: first)?| is (?:nearer|closer|nearest|easier)| comes first)?|whoever(?: is (?:nearer|closer))?|either(?: "
    r"one)?|(?:i )?(?:do not|don't) (?:mind|care)(?: which| who)?"
    r"(?: one)?|(?:it )?(?:does not|doesn't) matter(?: which| who)?(?: one)?|it's all the same(?: to me)?|you "
    r"(?:choose|decide|pick)|"
    r"up to you|your choice|no matter which)(?:,(?= (?:to|on|in|for|into|from) )|(?=[,.;!?]|$| please\b))"
)
_GET = r"(?:bring|get|fetch|give|take|hand|pass|carry|grab|put|place|leave|set|move|deliver)"


def settled(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with open choices settled and shares written out.

    Args:
        text: the sentence as it was said.
        vocabulary: the words of the lexicon and the map.
    """
    return rewritten(text, vocabulary, _RULES, _SPEAKS)


def _alike(match: re.Match[str], vocabulary: Vocabulary) -> bool:
    """Tell whether both names of a choice are known and of one kind."""
    first = named(match["a"], vocabulary)
    second = one_of_them(match["b"], first, vocabulary) if first else None
    if first is not None and first.noun == "" and second is not None:
        return True
    return (
        first is not None
        and second is not None
        and first.kind == second.kind
        and first.known
        and second.known
    )


def _first_is_fine(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "either the pear or the apple will do, just bring one to me"."""
    if not _alike(match, vocabulary):
        return None
    order = (match["order"] or "").strip(" ,;.-")
    if not order:
        return f"bring me {match['a']}"
    one = re.search(r"\b(?:one|either|it|any)(?: of them)?\b", order, re.IGNORECASE)
    return None if one is None else f"{order[: one.start()]}{match['a']}{order[one.end() :]}"


def _first_of_two(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "bring me a pear or an apple, either will do"; whom is meant is asked unless anyone will do."""
    first = named(match["a"], vocabulary)
    if not _alike(match, vocabulary) or first is None:
        return None
    if first.kind == "person" and re.search(r"\b(?:whoever|either)[\s.!]*$", match[0], re.IGNORECASE):
        return None
    return f"{match['a']}{match['rest'] or ''}"


def _each(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "Jules is thirsty and so is Paris, so one juice pack for each of them"."""
    second = match["b"] or match["c"]
    people = [named(match["a"], vocabulary), named(second, vocabulary)]
    thing = named(match["what"], vocabulary)
    if any(p is None or p.kind != "person" for p in people) or thing is None or thing.kind != "object":
        return None
    return f"bring {match['what']} to {match['a']} and {match['what']} to {second}"


def _closer(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "a cup, the blue one, for Morgan"."""
    first = named(match["a"], vocabulary)
    if first is None or first.kind != "object" or first.colour or not first.noun:
        return None
    which = one_of_them(f"the {match['which']} one", first, vocabulary)
    return None if which is None else which.said()


def _goes_to(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "the wine goes to Jane and the juice pack goes to Adel"."""
    things = [named(match[part], vocabulary) for part in ("x", "y")]
    people = [named(match[part], vocabulary) for part in ("a", "b")]
    fits = all(t is not None and t.kind == "object" for t in things) and all(
        p is not None and p.kind == "person" for p in people
    )
    return f"bring {match['x']} to {match['a']} and bring {match['y']} to {match['b']}" if fits else None


def _like(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "anything sweet like the chocolate jello"."""
    thing = named(match["what"], vocabulary)
    return str(match["what"]) if thing is not None and thing.kind == "object" and thing.known else None


def _other_kind(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "bring me the chocolate jello and give the strawberry one to Jane"."""
    first = named(match["a"], vocabulary)
    if first is None or first.kind != "object" or named(f"the {match['which']} one", vocabulary) is not None:
        return None
    other = one_of_them(f"the {match['which']} one", first, vocabulary)
    return None if other is None else f"{match['a']}{match['between']}{other.said()}"


def _another_kind(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "Jane hates cola so take her some other drink"."""
    out, kind = named(match["out"], vocabulary), named(match["kind"], vocabulary)
    who = "me" if match["who"].lower() == "i" else match["who"]
    person = None if who == "me" else named(who, vocabulary)
    if out is None or kind is None or {out.kind, kind.kind} != {"object"} or out.noun == kind.noun:
        return None
    if who != "me" and (person is None or person.kind != "person"):
        return None
    same = match["to"].lower() in ("him", "her", "them", who.lower())
    asks = " and ask her " if match["asks"] else ""
    return f"bring {who} a {kind.noun}, but no {out.noun}{',' + asks if asks else ''}" if same else None


def _any_but(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "any fruit except bananas for Angel"."""
    kind, out, who = (named(match[part], vocabulary) for part in ("kind", "out", "who"))
    if kind is None or out is None or {kind.kind, out.kind} != {"object"}:
        return None
    fits = match["who"].lower() == "me" or (who is not None and who.kind == "person")
    return f"bring {match['who']} a {match['kind']}, but no {match['out']}" if fits else None


def _laid(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "two plates for the kitchen table"."""
    thing, place = named(match["what"], vocabulary), named(match["at"], vocabulary)
    spot = (
        any(s.kind == "placement" for s in vocabulary.english.get(tuple(place.noun.split()), ()))
        if place
        else False
    )
    return (
        f"put {match['what']} on {match['at']}"
        if thing is not None and thing.kind == "object" and spot
        else None
    )


def _both_told(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "Axel and Morgan both want to know what day it is tomorrow, tell them"."""
    people = [named(match[part], vocabulary) for part in ("a", "b") if match[part]]
    if any(p is None or p.kind != "person" for p in people):
        return None
    return f"tell {match['a']}{' and ' + match['b'] if match['b'] else ''} {match['what']}"


def _rule(pattern: str, rule: Rule) -> tuple[re.Pattern[str], Rule]:
    return re.compile(pattern, re.IGNORECASE), rule


_WHO = r"[a-z]+"
_NEEDY = r"(?:thirsty|hungry|peckish|starving|parched|here|back)"
_THEN = r"(?:(?:so|and|please|just|can you|could you|would you|then|you can)[ ,]+)*"
_BRINGS = rf"{_THEN}(?:{_GET} (?:them )?)?"
_WHAT = r"(?:a|an|one|some) [a-z]+(?: [a-z]+)?"
_APIECE = r"(?:(?: for)? each(?: of them)?| apiece| (?:for|to) both(?: of them)?| to each(?: of them)?)"
_BOTH_NEED = (
    rf"(?P<a>{_WHO})(?:(?: is|'s) {_NEEDY}(?:,? and so is |,? and )(?P<b>{_WHO})(?: is| too| as well)?|"
    rf" and (?P<c>{_WHO}) are(?: both)? {_NEEDY})"
)
_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    _rule(
        rf"^(?:well,? |oh,? )?(?:either )?(?P<a>{DETERMINER} [a-z]+(?: [a-z]+)??) or (?P<b>{NAME}) {_FINE}"
        rf"(?P<order>[,;.:-]+ (?:so |just |please |and )*{_GET}\b.*)?(?=[.!?]*$)",
        _first_is_fine,
    ),
    _rule(
        rf"(?:\beither )?\b(?P<a>{NAME}) or (?:(?:to|in|on|from) )?(?P<b>{NAME})(?P<rest>,? (?:to|for|from|on|in) "
        rf"[a-z ]+?)?{_OPEN}",
        _first_of_two,
    ),
    _rule(rf"^{_BOTH_NEED}[,;.:-]+ {_BRINGS}(?P<what>{_WHAT}){_APIECE}(?=[.!?]*$)", _each),
    _rule(
        rf"^{_BOTH_NEED}[,;.:-]+ {_THEN}(?:bring|give|get|take|fetch) (?:each of them|both of them|them each|them "
        rf"both) "
        rf"(?P<what>{_WHAT})(?: each)?(?=[.!?]*$)",
        _each,
    ),
    _rule(
        rf"\b(?P<a>{DETERMINER} [a-z]+),? (?:i mean |that is )?the (?P<which>[a-z]+) one(?=,|[.!?]|$)",
        _closer,
    ),
    _rule(
        rf"^(?P<x>{NAME}) (?:goes|should go) to (?P<a>{_WHO}),? (?:and |while )?(?P<y>{NAME})(?: goes| should go)? "
        rf"to (?P<b>{_WHO})(?=[.!]*$)",
        _goes_to,
    ),
    _rule(
        r"\b(?:any|some)(?:thing)? (?:[a-z]+ )?(?:like|such as|for example|for instance|say) (?P<what>(?:the|an?|"
        r"some) [a-z]+(?: [a-z]+)??)(?=[,.;!?]|$| and\b| please\b)",
        _like,
    ),
    _rule(
        r"(?P<a>\b(?:the|an?|my) [a-z]+ [a-z]+)(?P<between>[^.!?]{1,60}? )the (?P<which>[a-z]+) one\b",
        _other_kind,
    ),
    _rule(
        rf"^(?:my [a-z]+,? |our [a-z]+,? )?(?P<who>[a-z]+) (?:really )?(?:hates?|dislikes?|(?:does not|doesn't|do "
        rf"not|don't) (?:like|drink|eat|want)|"
        rf"can't stand|cannot stand|(?:is|am) (?:allergic to|sick of|tired of|fed up with))(?: the)? "
        rf"(?P<out>{NAME})[,;.]? "
        rf"{_THEN}(?:take|bring|get|give|fetch) (?P<to>me|him|her|them|[a-z]+) (?:some other|another|a different|"
        rf"any other|some different) "
        rf"(?P<kind>[a-z]+)(?:(?P<asks>,? and ask (?:her |him |them )?(?=if\b|whether\b))|(?=[.!]*$))",
        _another_kind,
    ),
    _rule(
        rf"^(?P<what>(?:one|two|three|four|five|an?|the) [a-z]+(?: [a-z]+)?) for (?P<at>{NAME})(?=[,.!]*$|,? "
        rf"please\b)",
        _laid,
    ),
    _rule(
        r"^(?P<a>[a-z]+)(?: and (?P<b>[a-z]+))? (?:both )?(?:wants?|would like|needs?|is asking|are asking|"
        r"asked)(?: to know)? (?P<what>(?:what|when|where|how|who)\b"
        rf"[^,.;!?]+)[,.;]+ {_THEN}tell (?:them|him|her)(?: both)?(?=[.!]*$| please[.!]*$)",
        _both_told,
    ),
    _rule(
        rf"^(?:any|some|an?) (?P<kind>[a-z]+),? (?:but|except(?: for)?|other than|apart from|but not|not) "
        rf"(?P<out>{NAME}),? (?:for|to) "
        r"(?P<who>[a-z]+)(?=[,.!]*$|,? please\b)",
        _any_but,
    ),
)
