"""What was read of an English delivery, and the plain orders that it comes to.

Who gets what is shared out here: "one pear each for Simone and Jane" is two errands, a wish and the order that grants
it are one, and what is not clear comes to no order at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from zulong.agent.language.english_delivery_pieces import Person, Thing
from zulong.agent.language.english_delivery_words import delivery_words

_MOST_DELIVERIES = 8
_MOST_THINGS = 6
_LOCATIVE = frozenset(("in", "on", "at", "by", "near", "next", "under", "inside", "beside", "behind", "from"))


_MORE_OF = {"food": ("fruit", "snack"), "snack": ("fruit", "food")}
"""What else is had as food, or between meals."""


@dataclass(slots=True)
class Share:
    """Things for people; no person is the speaker when the order is plain."""

    things: list[Thing]
    people: list[Person]
    source: str = ""
    each: bool = False
    open_ended: bool = False
    """More people may follow: "for Simone, Jane and me"."""
    more_things: bool = False
    """More things may follow: "bring me a fork, a spoon and a bowl"."""
    wished: bool = False
    """It is told what somebody wishes for."""


@dataclass(slots=True)
class Said:
    """What was read of a sentence so far."""

    shares: list[Share] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    mentioned: list[Person] = field(default_factory=list)
    located: list[tuple[str, str]] = field(default_factory=list)
    told: list[Thing] = field(default_factory=list)
    shared_out: int = 0
    """How many there are to be shared out: "three plums: one for Axel, ..."."""
    for_somebody: bool = False
    """A verb of giving was said without anybody: it is not for the speaker."""
    asked: bool = False
    """Courteous, urgent or reasoned enough for a mere name to be an order."""


def specified(share: Share, thing: Thing) -> bool:
    """Put what is said of the last thing again, closer: "the whatsit, the Rubik's cube", "..., the box on the shelf"."""
    last = share.things[-1]
    if last.key == thing.key and (thing.known or thing.words == last.words):
        if thing.at and not last.at:
            share.things[-1] = replace(last, at=thing.at, words=thing.words)
        return True
    if re.fullmatch(delivery_words().container, thing.words.split()[0]) and thing.at and not last.at:
        share.things[-1] = replace(
            last, at=thing.at, words=f"{last.words} {' '.join(thing.words.split()[1:])}"
        )
        return True
    closer = (
        last.sort and not thing.sort and thing.category in (last.category, *_MORE_OF.get(last.category, ()))
    )
    ones = set(thing.key.split("|"))
    if thing.words.split()[0] == "one" and thing.at:
        # "the blue cup, the one on the table"
        rest = thing.words.split(" ", 1)[1] if " " in thing.words else thing.at
        share.things[-1] = replace(last, at=thing.at, words=f"{last.words} {rest}")
        return True
    if thing.known and (not last.known or last.generic or closer or ones < set(last.key.split("|"))):
        share.things[-1] = thing
        return True
    return False


def orders_of(said: Said) -> Iterator[str]:
    """Yield the plain orders; none when what was said is no order, or not clear."""
    shares = said.shares
    if said.things:
        if said.people and shares:
            return
        if not said.asked or shares or (said.for_somebody and not said.people):
            return
        shares = [Share(said.things, said.people or [Person("me", "me")])]
    elif said.people:
        return
    shares = _merged(shares)
    if said.shared_out and said.shared_out != sum(len(share.people) for share in shares):
        return
    theirs = [share for share in shares if share.wished and not _mine(share)]
    if theirs and any(not share.wished for share in shares):
        # "Bring me the milk. Robin wants the cola.": a reason, or an order of its own?
        return
    orders: list[str] = []
    for share in shares:
        orders.extend(_of_share(share, said, shares))
    if not orders or len(orders) > _MOST_DELIVERIES or any(not order for order in orders):
        return
    yield from orders


def _merged(shares: list[Share]) -> list[Share]:
    """Leave out a wish that the next order grants, or that is said again."""
    kept: list[Share] = []
    for share in shares:
        before = kept[-1] if kept else None
        if before is not None and before.wished and len(share.things) == len(before.things) == 1:
            thing, named = share.things[0], before.things[0]
            if thing.pronoun or thing.key == named.key or (named.generic and before.people == share.people):
                thing = named if thing.pronoun else thing
                people = before.people if _pronouns(share.people) else share.people
                kept[-1] = Share([thing], people, share.source or before.source, share.each or before.each)
                continue
        again = len(share.things) == 1 and share.things[0].pronoun == "it" and before is not None
        if again and before is not None and len(before.things) == 1:
            # "pick up the ball for me and bring it over"; for two people it is not clear who gets it.
            if before.people != share.people:
                return []
            continue
        if before is not None and before == share:
            # "Bring me, um, bring me the mustard"
            continue
        kept.append(share)
    return kept


def _of_share(share: Share, said: Said, shares: list[Share]) -> Iterator[str]:
    several = len(share.people) > 1 or share.each
    if share.each and len(share.people) == 1 and not share.people[0].pronoun:
        # "one each" for one person: somebody was not understood.
        yield ""
        return
    for thing in share.things:
        named = thing
        if thing.pronoun:
            others = [one for other in shares for one in other.things if not one.pronoun] or said.told
            first = next((one for one in shares if not one.things[0].pronoun), None)
            counted = first is not None and not first.more_things and first.things[0].number is not None
            shared = first is not None and _mine(first) and not _mine(share) and not counted
            if len({one.key for one in others}) != 1 or shared:
                # "Get me a snack, one for Robin and one for Morgan"; "three for me, one for Robin" are four.
                yield ""
                return
            named = others[0]
            if thing.words in ("one", "another one") or thing.number:
                named = replace(named, number=thing.number or 1, at="", indefinite=True)
        if len(share.people) > 1 and named.bare and named.plural:
            # "colas to Jane and Adel"
            named = replace(named, number=1)
        place = share.source or next((where for key, where in said.located if key in ("", named.key)), "")
        if several and not (named.indefinite or named.bare or named.number):
            yield ""
            return
        alone = share.open_ended and not share.each and not named.bare and (named.number or 1) == 1
        if len(share.people) > 1 and alone:
            # "a snack for Robin and me"
            yield ""
            return
        if several and named.number and named.number > 1 and not share.each:
            yield ""
            return
        for person in share.people:
            yield _order(named, person, place, said, several=several)


def _order(thing: Thing, person: Person, place: str, said: Said, *, several: bool) -> str:
    if thing.number is not None and thing.number > _MOST_THINGS:
        return ""
    count = "" if thing.number is None else f"{thing.number} "
    indefinite = thing.indefinite or (thing.bare and (several or thing.plural))
    article = (
        count or thing.amount or ("some " if thing.plural and indefinite else "a " if indefinite else "the ")
    )
    if article == "a " and thing.words[:1] in "aeiou":
        article = "an "
    what = f"{'' if thing.words.startswith(('something', 'anything')) else article}{thing.words}"
    if place and not thing.at:
        what += f" {place}" if place.split()[0] in _LOCATIVE else f" from {place}"
    whom = person
    if person.pronoun and person.pronoun != "me":
        others = list(dict.fromkeys(said.mentioned))
        others += [
            one for share in said.shares for one in share.people if not one.pronoun and one not in others
        ]
        if len({one.words for one in others}) > 1:
            return ""
        whom = others[0] if others else person
    if whom.pronoun == "me":
        return f"bring me {what}"
    at = whom.at or next((one.at for one in said.mentioned if one.words == whom.words and one.at), "")
    return f"bring {what} to {whom.words}{' ' + at if at else ''}"


def _mine(share: Share) -> bool:
    return [person.pronoun for person in share.people] == ["me"]


def _pronouns(people: list[Person]) -> bool:
    return bool(people) and all(person.pronoun for person in people)
