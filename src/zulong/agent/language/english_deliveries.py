"""English deliveries said in pieces: "Milk to Robin, sharpish", "One pear each for Simone, Jane and me".

The grammar reads sentences with a verb; much of what is said at home has none, or has it in an idiom. Here a sentence
is taken apart at its marks and joining words, and every piece must be a courtesy, a reason, where something is, who
wishes for what, or a part of a delivery. Of the parts plain orders are made ("bring the milk to Robin"), which the
grammar then reads with the rigour that it has for any order. A piece that is none of these leaves the sentence as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from zulong.agent.language.english_delivery_pieces import Person, Piece, PieceReader, Thing
from zulong.agent.language.english_delivery_words import delivery_words
from zulong.agent.language.english_words import gestures_joined, normalise, opened
from zulong.agent.language.lexicon import Vocabulary

_SPLIT = re.compile(
    r"\s*([,.;:!?]+)\s*|\s+((?:and then|and also|and after that|and afterwards|and|but|then|afterwards|plus|because|"
    r"cos|coz|cuz|cause(?= (?:i|we|he|she|they|it|my|our|the)\b)|since|seeing as|seeing that|as(?= (?:i am|we are|he is|"
    r"she is|they are|i have|we have)\b)|so(?= (?:please|can|could|would|will|take|bring|give|get|fetch|hand|pass|grab|"
    r"go|pop|nip|run|do|i|we|he|she|they)\b)))\s+"
)
_PAIRS = re.compile(r"\b(?:an? |the )?(?:couple|pair)(?: of)? (?=[a-z])")
_OUT_THE = re.compile(r"\bout (?=(?:the|my|your|our) (?!window|door|way|house|blue|box)[a-z])")
_FOUR = re.compile(r"(?<=[a-z] )4(?= [a-z]{3,})")
_IS = re.compile(
    r"(?<=[a-z]) ?'s (?=(?:[a-z]+ing|[a-z]+ed|in|on|at|by|for|after|not|so|very|just|still|too|really|always|never|the|a|an|"
    r"my|our|here|there|back|home|out|thirsty|hungry|tired|poorly|sick|ill|cold|hot|wet|dry|asleep|awake|busy|upset|sad|"
    r"dead|empty|full|gone|got|lost|left|run|broken|spilt|had|done|new|ready|due|next|who|that|up|off|over|through|near|"
    r"next|under|behind|all|almost|nearly|only|quite|a bit|feverish|unwell|grumpy|lonely|filthy|dirty|late|old|young|"
    r"shy|blind|deaf|in|low|sore|dizzy|peckish|famished|ravenous)\b)"
)
_FILLED = re.compile(
    r"(?:,\s*)?\b(?:um+|uh+h*|er+m*|erm|hmm+|coming up|kinda|sorta|kind of|sort of|like(?=,))\b(?:\s*,)?(?= )"
)
_NUMBER = r"(?:a|an|one|two|three|four|five|six|\d)"
_COUNTED_AGAIN = re.compile(
    rf"\b{_NUMBER}(?: [a-z]+)??,? (?:no|no wait|wait|sorry|i mean|make that|make it|or rather|actually|no sorry)?,? ?"
    rf"(?=(?:two|three|four|five|six|\d) [a-z]+)"
)
_SAID_AGAIN = re.compile(r"\b([a-z]+(?: [a-z]+){0,2}),? \1\b")
_DANGLING = re.compile(r" (?:the|a|an|my|some|that)$")
_ANOTHER = re.compile(r"\b(?:another|some)(?= from\b| off\b| out of\b|$)")
_WANTS_TO = re.compile(
    r"\b(?:wants?|needs?|would like|would love|has|have|is going|are going|am going|is about|am about) to (?:play|see|eat|"
    r"drink|try|cook|bake|wash|clean|make|show|read|watch|use|draw|paint|learn|feed|count|juggle|practise|practice|sleep|"
    r"rest|work|study|go|leave|shave|shower|bathe|celebrate|relax|train|finish|start)\b"
)
_DASHES = re.compile(r"\s*(?:\.\.+|…)\s*|\s+[-–—]+\s+|—|\s*[()]\s*")
_LONGEST = 300
_MOST_PIECES = 12
_MOST_DELIVERIES = 8
_MOST_THINGS = 6
_SPEAKER = re.compile(r"(?:it is |they are |that is )?(?:for |because )?(?:i|my|we|our|me|us)\b")
_IT_IS_FOR = re.compile(
    r"(?:it|this|that|this one|that one|they|these) (?:is|are|goes|go|should go) (?=(?:for|to) )"
)


@dataclass(slots=True)
class _Share:
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
class _Said:
    """What was read of a sentence so far."""

    shares: list[_Share] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    mentioned: list[Person] = field(default_factory=list)
    located: list[tuple[str, str]] = field(default_factory=list)
    told: list[Thing] = field(default_factory=list)
    for_somebody: bool = False
    """A verb of giving was said without anybody: it is not for the speaker."""
    asked: bool = False
    """Courteous, urgent or reasoned enough for a mere name to be an order."""


class Deliveries:
    """Finds plain orders for deliveries.

    Args:
        vocabulary: the words of the lexicon and the map.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._reader = PieceReader(vocabulary)
        people = "|".join(
            re.escape(" ".join(phrase))
            for phrase, senses in vocabulary.english.items()
            if any(sense.kind == "person" for sense in senses)
        )
        words = delivery_words()
        adjective = words.adjective.pattern
        self._kin = re.compile(
            rf"\b(?:(?:my|our|his|her|their|your|the|this|that) )?(?:{adjective} )*(?:{words.kin} )+"
            rf"(?=(?:{people or '(?!)'})\b(?! and my\b))|\bour (?=(?:{people or '(?!)'})\b)"
        )
        self._container = re.compile(
            rf"\b(a|an|the|that|this|my|some|another|one|two|three|four|five|six|his|her|their|our|your) "
            rf"(?:[a-z]+ )?{words.container} (?:of )(?=(?!the\b|my\b|your\b|those\b|these\b)[a-z])"
        )

    def plain(self, text: str) -> str | None:
        """Return the sentence as plain orders, None when it is not deliveries and nothing else."""
        if '"' in text or len(text) > _LONGEST:
            return None
        for said in dict.fromkeys((self._lightly(text), normalise(text))):
            read = self._read(said)
            if read is not None and (orders := list(self._orders(read))):
                return " and ".join(orders)
        return None

    def _lightly(self, text: str) -> str:
        plain = _FILLED.sub("", _DASHES.sub(", ", opened(text)))
        plain = _SAID_AGAIN.sub(r"\1", _COUNTED_AGAIN.sub("", plain))
        plain = gestures_joined(_IS.sub(" is ", _FOUR.sub("for", plain)) + " ")
        return re.sub(r"\s+", " ", plain.replace(" 's ", "'s ")).strip(" ,")

    def _simpler(self, text: str) -> str:
        text = self._kin.sub("", _OUT_THE.sub("out of ", _PAIRS.sub("two ", text)))
        return self._container.sub(r"\1 ", text)

    # -- taking apart --------------------------------------------------------------------------------------

    def _read(self, text: str) -> _Said | None:
        text = self._simpler(re.sub(r"(\w)'s\b", r"\1 's", text))
        said = _Said()
        parts = _SPLIT.split(text)
        pieces = [(parts[0], "")]
        for number in range(3, len(parts), 3):
            pieces.append((parts[number], parts[number - 2] or parts[number - 1]))
        if sum(bool(piece) for piece, _ in pieces) > _MOST_PIECES:
            return None
        for number, (piece, joined) in enumerate(pieces):
            after = pieces[number + 1][1] if number + 1 < len(pieces) else ""
            if piece.strip() and not self._piece(piece.strip(), joined, after, said):
                return None
        return said

    def _stripped(self, piece: str, said: _Said) -> str:
        """Take courtesies off the ends of a piece; they make an order of a mere name."""
        words = delivery_words()
        if words.idle.fullmatch(piece):
            said.asked = said.asked or _courteous(piece)
            return ""
        for _ in range(4):
            shorter = words.closing.sub("", piece)
            opening = words.opening.match(shorter)
            if opening is not None and not words.mine.match(shorter):
                shorter = shorter[opening.end() :]
            if shorter == piece:
                break
            taken = piece.replace(shorter, "", 1).strip()
            said.asked = said.asked or _courteous(taken)
            piece = shorter
            if words.idle.fullmatch(piece):
                return ""
        return piece

    def _piece(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        """Read one piece into what was said; False when it is nothing of a delivery."""
        piece = _ANOTHER.sub("one", _DANGLING.sub("", self._stripped(piece, said)))
        if not piece:
            return True
        readers = (
            self._let,
            self._wished,
            self._ordered,
            self._wish_of,
            self._stays,
            self._parts,
            self._told,
        )
        return any(reader(piece, joined, after, said) for reader in readers)

    def _let(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        for pattern in delivery_words().letting:
            match = pattern.fullmatch(piece)
            if match is None:
                continue
            person, rest = self._reader.person(match["who"]), self._reader.read(match["rest"])
            if person is None or rest is None or rest.thing is None or rest.person is not None or rest.here:
                continue
            self._give(rest, self._with(self._pending(said, joined), person), said)
            return True
        return False

    def _wished(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        match = delivery_words().mine.match(piece)
        if match is None:
            return False
        rest = self._reader.read(piece[match.end() :])
        if rest is None or rest.thing is None or (rest.person is not None and rest.first):
            return False
        if rest.person is not None and rest.person.pronoun != "me":
            # "I would like a cola for Jane"
            self._give(rest, [rest.person], said)
            return True
        if "run" in match[0] or "ran" in match[0] or "out of" in match[0]:
            rest = replace(rest, thing=replace(rest.thing, bare=True))
        self._give(rest, [], said, more_things=True, wished=True)
        return True

    def _ordered(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        words = delivery_words()
        for pattern, to_me in ((words.fetched, True), (words.carried, False)):
            match = pattern.match(piece)
            if match is None:
                continue
            rest = self._reader.read(piece[match.end() :])
            if rest is None:
                continue
            if rest.thing is None and rest.person is None:
                continue
            if rest.thing is None:
                # "give Jane (and Adel a strawberry)", "bring me (, um, bring me the mustard)"
                if rest.person is not None and rest.person.pronoun != "me":
                    said.people.append(self._at(rest.person))
                said.asked = True
                return True
            mine = rest.here or (rest.person is not None and rest.person.pronoun == "me")
            if " me " in f" {match[0]} " or " us " in f" {match[0]} ":
                if rest.person is not None:
                    return False
                mine = True
            if not to_me and not mine and rest.person is None:
                said.things.append(self._sourced(rest))
                said.for_somebody = True
                return True
            people = [] if rest.person is None or mine else [self._at(rest.person)]
            pending = self._pending(said, joined) if rest.first else []
            self._give(rest, [*pending, *people], said, more_things=rest.first or mine or not people)
            return True
        return False

    def _wish_of(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        match = delivery_words().theirs.fullmatch(piece)
        if match is None:
            return False
        person, rest = self._reader.person(match["who"]), self._reader.read(match["rest"])
        if person is None or rest is None or rest.thing is None or rest.person is not None or rest.here:
            return False
        if person.pronoun == "me" or (rest.thing.at and not rest.source):
            # "Jane needs the soap in the bathroom": who of the two is there is not clear.
            return False
        self._give(rest, self._with(self._pending(said, joined), self._at(person)), said, wished=True)
        return True

    def _stays(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        match = delivery_words().stays.fullmatch(piece)
        if match is None:
            there = re.fullmatch(r"there (?:is|are) (.+)", piece)
            person = self._reader.person(there[1]) if there else None
            if person is not None and not person.pronoun:
                said.mentioned.append(self._at(person))
                return True
            return False
        where = self._reader.place(match["where"])
        if not where:
            person = self._reader.person(f"the person {match['where']}")
            subject = self._reader.person(match["what"] or match["there"] or "")
            if person is not None and subject is not None and not subject.known:
                # "my mum is in the lounge in a white sweater"
                said.mentioned.append(person)
                return True
            return False
        found = self._reader.read(match["there"] or match["what"])
        if found is None or found.here or found.towards or found.source:
            return False
        if found.thing is not None and found.person is None:
            if found.thing.pronoun:
                said.located.append(("", where))
            else:
                said.located.append((found.thing.key, where))
                said.told.append(found.thing)
            return True
        if found.person is not None and found.thing is None:
            return self._person_stays(found.person, where, said)
        return False

    def _person_stays(self, person: Person, where: str, said: _Said) -> bool:
        """Note where somebody is: "Jane is in the kitchen", "she is on the settee"."""
        if not person.pronoun:
            said.mentioned.append(replace(person, at=person.at or where) if person.known else person)
            return person.known
        if person.pronoun == "me":
            return False
        for share in reversed(said.shares):
            if len(share.people) == 1 and not share.people[0].at and share.people[0].pronoun != "me":
                share.people[0] = replace(share.people[0], at=where)
                return True
        if len(said.mentioned) == 1 and not said.mentioned[0].at:
            said.mentioned[0] = replace(said.mentioned[0], at=where)
            return True
        return False

    def _parts(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        piece = _IT_IS_FOR.sub("", piece)
        found = self._reader.read(piece)
        if found is None:
            return False
        if found.here and found.person is None:
            said.asked = True
        if found.purpose:
            said.asked = True
        if found.thing is not None and (found.person is not None or found.here):
            mine = found.here or (found.person is not None and found.person.pronoun == "me")
            people = [] if mine or found.person is None else [self._at(found.person)]
            if found.first:
                people = [*self._pending(said, joined), *people]
            said.asked = said.asked or found.towards or found.here
            self._give(found, people, said, open_ended=found.towards)
            return True
        if found.thing is not None:
            return self._bare_thing(found, joined, said)
        if found.person is not None:
            return self._bare_person(found, joined, said)
        if found.source and said.shares and not said.shares[-1].source:
            said.shares[-1].source = found.source
            return True
        return found.here or found.purpose

    def _bare_thing(self, found: Piece, joined: str, said: _Said) -> bool:
        thing = found.thing
        last = said.shares[-1] if said.shares else None
        if thing is None or (thing.pronoun and not said.people):
            return False
        if last is not None and not said.things and joined == "," and self._specified(last, thing):
            return True
        if (
            last is not None
            and last.more_things
            and not said.people
            and joined in (",", "and", "plus", "and also")
        ):
            last.things.append(self._sourced(found))
            return True
        if said.people and joined in (":", ",", "!", "."):
            self._give(found, said.people[:], said)
            said.people.clear()
            return True
        if all(one.key != thing.key for one in said.things):
            said.things.append(self._sourced(found))
        return True

    def _specified(self, share: _Share, thing: Thing) -> bool:
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
        if thing.known and not last.known:
            share.things[-1] = thing
            return True
        return False

    def _bare_person(self, found: Piece, joined: str, said: _Said) -> bool:
        person = found.person
        if person is None:
            return False
        last = said.shares[-1] if said.shares else None
        mine = person.pronoun == "me"
        if found.towards and said.things:
            said.shares.append(
                _Share(said.things[:], [] if mine else [self._at(person)], each=found.each, open_ended=True)
            )
            said.things.clear()
            said.asked = True
            return True
        if last is not None and last.open_ended and joined in (",", "and") and not said.things:
            last.people.append(self._at(person))
            last.each = last.each or found.each
            return True
        if found.each or (mine and not found.towards):
            return False
        said.people.append(self._at(person))
        said.asked = said.asked or found.towards
        return True

    def _told(self, piece: str, joined: str, after: str, said: _Said) -> bool:
        """Read a reason or another statement that orders nothing."""
        words = delivery_words()
        if words.purpose.fullmatch(re.sub(r"^(?:it|they|that|this) (?:is|are) ", "", piece)):
            if self._reader.names_people(piece):
                return False
            said.asked = said.asked or bool(said.things)
            return True
        there = re.fullmatch(
            r"(?:(?:has )?any(?:one|body) got|got|have you got|is there|are there|do you have|do we have) "
            r"(?P<what>(?:any|a|an|some) .+)",
            piece,
        )
        if there is not None and "?" in after:
            offered = self._reader.read(there["what"])
            if offered is None or offered.thing is None or offered.person is not None:
                return False
            said.told.append(offered.thing)
            return True
        subject = self._reader.subject(piece)
        stated = _WANTS_TO.sub("likes", " ".join(("he", *piece.split()[subject:])) if subject else piece)
        if "?" in after or words.statement.fullmatch(stated) is None or words.barred.search(stated):
            return False
        allowed = words.denied.sub("", stated)
        if re.search(r"\b(?:not|never|no|nothing|none|nobody|without|neither|nor)\b", allowed):
            return False
        people, things = self._reader.mentioned(piece)
        if any(
            thing.at and thing.key in {one.key for share in said.shares for one in share.things}
            for thing in things
        ):
            # It says where what was ordered is, and that is more than a reason.
            return False
        said.mentioned.extend(people)
        said.told.extend(things)
        if _SPEAKER.match(piece):
            said.asked = said.asked or bool(said.things)
        return True

    # -- putting together ----------------------------------------------------------------------------------

    def _at(self, person: Person) -> Person:
        return person

    def _sourced(self, found: Piece) -> Thing:
        thing = found.thing
        if thing is None:
            raise LookupError("A piece without a thing has no source.")
        return replace(thing, at=f"from {found.source}") if found.source and not thing.at else thing

    def _pending(self, said: _Said, joined: str) -> list[Person]:
        pending = said.people[:] if joined in ("and", ",", "", ":") else []
        said.people = [] if pending else said.people
        return pending

    def _with(self, pending: list[Person], person: Person) -> list[Person]:
        """Return those whom a piece is about: "the boy in the black shirt, he can have the dice" is about one."""
        if person.pronoun and pending:
            return pending if len(pending) == 1 else [*pending, person]
        return [*pending, person]

    def _give(
        self,
        found: Piece,
        people: list[Person],
        said: _Said,
        *,
        open_ended: bool = False,
        more_things: bool = False,
        wished: bool = False,
    ) -> None:
        thing = found.thing
        if thing is None:
            return
        pending, said.things = said.things, []
        if thing.pronoun and len(pending) == 1:
            # "any fruit from the desk, bring it here"
            pending, thing = [], pending[0]
        if said.people and not people:
            people, said.people = said.people, []
        share = _Share(
            [*pending, thing],
            people or [Person("me", "me")],
            found.source,
            found.each,
            open_ended,
            more_things,
            wished,
        )
        said.asked = True
        said.shares.append(share)

    def _orders(self, said: _Said) -> Iterator[str]:
        """Yield the plain orders; none when what was said is no order, or not clear."""
        shares = said.shares
        if said.things:
            if said.people and shares:
                return
            if not said.asked or shares or (said.for_somebody and not said.people):
                return
            shares = [_Share(said.things, said.people or [Person("me", "me")])]
        elif said.people:
            return
        shares = self._merged(shares)
        theirs = [share for share in shares if share.wished and not _mine(share)]
        if theirs and any(not share.wished for share in shares):
            # "Bring me the milk. Robin wants the cola.": a reason, or an order of its own?
            return
        orders: list[str] = []
        for share in shares:
            orders.extend(self._of_share(share, said, shares))
        if not orders or len(orders) > _MOST_DELIVERIES or any(not order for order in orders):
            return
        yield from orders

    def _merged(self, shares: list[_Share]) -> list[_Share]:
        """Leave out a wish that the next order grants, or that is said again."""
        kept: list[_Share] = []
        for share in shares:
            before = kept[-1] if kept else None
            if before is not None and before.wished and len(share.things) == len(before.things) == 1:
                thing, named = share.things[0], before.things[0]
                if thing.pronoun or thing.key == named.key:
                    thing = named if thing.pronoun else thing
                    people = before.people if _pronouns(share.people) else share.people
                    kept[-1] = _Share(
                        [thing], people, share.source or before.source, share.each or before.each
                    )
                    continue
            if before is not None and before == share:
                # "Bring me, um, bring me the mustard"
                continue
            kept.append(share)
        return kept

    def _of_share(self, share: _Share, said: _Said, shares: list[_Share]) -> Iterator[str]:
        several = len(share.people) > 1 or share.each
        for thing in share.things:
            named = thing
            if thing.pronoun:
                others = [one for other in shares for one in other.things if not one.pronoun] or said.told
                first = next((one for one in shares if not one.things[0].pronoun), None)
                if len({one.key for one in others}) != 1 or (first and _mine(first) and not _mine(share)):
                    # "Get me a snack, one for Robin and one for Morgan"
                    yield ""
                    return
                named = others[0]
                if thing.words in ("one", "another one"):
                    named = replace(named, number=1, at="", indefinite=True)
            place = share.source or next((where for key, where in said.located if key in ("", named.key)), "")
            if several and not (named.indefinite or named.bare or named.number):
                yield ""
                return
            if several and named.number and named.number > 1 and not share.each:
                yield ""
                return
            for person in share.people:
                yield self._order(named, person, place, said, several=several)

    def _order(self, thing: Thing, person: Person, place: str, said: _Said, *, several: bool) -> str:
        if thing.number is not None and thing.number > _MOST_THINGS:
            return ""
        count = "" if thing.number is None else f"{thing.number} "
        indefinite = thing.indefinite or (thing.bare and (several or thing.plural))
        article = (
            count
            or thing.amount
            or ("some " if thing.plural and indefinite else "a " if indefinite else "the ")
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


_LOCATIVE = frozenset(("in", "on", "at", "by", "near", "next", "under", "inside", "beside", "behind", "from"))
_COURTEOUS = re.compile(
    r"\b(?:please|pls|plz|ta|cheers|thanks?|thx|tx|ty|tyvm|now|quick\w*|sharpish|pronto|asap|stat|away|once|you|ya|"
    r"obliged|appreciate\w*|snappy|hurry|lively|dawdling|messing|order|possible|service|rush|can|kindly|needful|minute|"
    r"second|love|mate|dear|oi|hey|robot)\b"
)


def _courteous(words: str) -> bool:
    return _COURTEOUS.search(words) is not None


def _mine(share: _Share) -> bool:
    return [person.pronoun for person in share.people] == ["me"]


def _pronouns(people: list[Person]) -> bool:
    return bool(people) and all(person.pronoun for person in people)
