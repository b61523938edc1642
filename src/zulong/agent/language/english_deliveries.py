"""English deliveries said in pieces: "Milk to Robin, sharpish", "One pear each for Simone, Jane and me".

The grammar reads sentences with a verb; much of what is said at home has none, or has it in an idiom. Here a sentence
is taken apart at its marks and joining words, and every piece must be a courtesy, a reason, where something is, who
wishes for what, or a part of a delivery. Of the parts plain orders are made ("bring the milk to Robin"), which the
grammar then reads with the rigour that it has for any order. A piece that is none of these leaves the sentence as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from zulong.agent.language.english_delivery_orders import Said, Share, orders_of, specified
from zulong.agent.language.english_delivery_pieces import Person, Piece, PieceReader, Thing
from zulong.agent.language.english_delivery_speech import Smoother
from zulong.agent.language.english_delivery_words import delivery_words
from zulong.agent.language.english_words import normalise
from zulong.agent.language.lexicon import Vocabulary

_SPLIT = re.compile(
    r"\s*([,.;:!?]+)\s*|\s+((?:and then|and also|and after that|and afterwards|and|but|then|afterwards|plus|because|"
    r"cos|coz|cuz|cause(?= (?:i|we|he|she|they|it|my|our|the)\b)|since|seeing as|seeing that|as(?= (?:i am|we are|he is|"
    r"she is|they are|i have|we have)\b)|so(?= (?:please|can|could|would|will|take|bring|give|get|fetch|hand|pass|grab|"
    r"go|pop|nip|run|do|i|we|he|she|they)\b)))\s+"
)
_DANGLING = re.compile(r" (?:the|a|an|my|some|that)$")
_CLEAN_ONE = re.compile(
    r"\b(?:a|another) (?:clean|new|fresh|different|second|replacement|nice|better|proper) one\b"
)
_ANOTHER = re.compile(r"\b(?:another|some)(?= from\b| off\b| out of\b|$)")
_WANTS_TO = re.compile(
    r"\b(?:wants?|needs?|would like|would love|has|have|is going|are going|am going|is about|am about) to (?:play|see|eat|"
    r"drink|try|cook|bake|wash|clean|make|show|read|watch|use|draw|paint|learn|feed|count|juggle|practise|practice|sleep|"
    r"rest|work|study|go|leave|shave|shower|bathe|celebrate|relax|train|finish|start)\b"
)
_LONGEST = 300
_MOST_PIECES = 12
_LED = re.compile(r"(and|but|so|then|because|cos|since|plus|or rather) (?=\S)")
_NOT = re.compile(
    r"(?:and |but )?(?:not|rather than|instead of|never|(?:i|we) (?:do|did) not (?:want|need|like|fancy|mean|order|ask for))"
    r" ((?:the|my|a|an|that) .+)"
)
_SAYS = re.compile(
    r"(?:my [a-z]+|he|she|they|somebody|someone|[a-z]+) (?:says|said|tells me|told me|reckons|thinks|believes|swears|"
    r"mentioned|claims)(?: that)? (?=there (?:is|are)\b|(?:it|they) (?:is|are)\b)"
)
_ALREADY = re.compile(
    r"\balready (?=(?:here|there|made|ready|served|cold|hot|late|on the table|open|boiling|cooked|waiting|gone|finished)\b)"
)
_OCCASION = re.compile(
    r"^(?:a )?(?:(?:breakfast|lunch|dinner|supper|elevenses|brunch|dessert|pudding|afters|starters|treat|present|gift|"
    r"delivery|order|special delivery|room service|a little something|a little treat|refreshments)(?: time)?|"
    r"(?:snack|tea|coffee|play|bed|bath|story|break|party) ?time) (?=for )"
)
_HER = re.compile(r"^her (?=[a-z])")
_TURNED = re.compile(r"(?:for|to) (.+?) ((?:please )?(?:bring|get|fetch|take|give|grab|carry|hand|pass) .+)")
_NOT_ITSELF = re.compile(r"(?:it|they|that|this|he|she|these|those)\b")
_SPEAKER = re.compile(r"(?:it is |they are |that is )?(?:for |because )?(?:i|my|we|our|me|us)\b")
_IT_IS_FOR = re.compile(
    r"(?:it|this|that|this one|that one|they|these) (?:is|are|goes|go|should go) (?=(?:for|to) )"
)


class Deliveries:
    """Finds plain orders for deliveries.

    Args:
        vocabulary: the words of the lexicon and the map.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._reader = PieceReader(vocabulary)
        self._smoother = Smoother(vocabulary)

    def plain(self, text: str) -> str | None:
        """Return the sentence as plain orders, None when it is not deliveries and nothing else."""
        if '"' in text or len(text) > _LONGEST:
            return None
        for said in dict.fromkeys((self._smoother.lightly(text), normalise(text))):
            read = self._read(said)
            if read is not None and (orders := list(orders_of(read))):
                return " and ".join(orders)
        return None

    # -- taking apart --------------------------------------------------------------------------------------

    def _read(self, text: str) -> Said | None:
        text = self._smoother.simpler(re.sub(r"(\w)'s\b", r"\1 's", text))
        said = Said()
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

    def _stripped(self, piece: str, said: Said) -> str:
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

    def _piece(self, piece: str, joined: str, after: str, said: Said) -> bool:
        """Read one piece into what was said; False when it is nothing of a delivery."""
        led = _LED.match(piece)
        if led is not None:
            piece, joined = piece[led.end() :], "and" if led[1] == "and" else joined
        piece = _ANOTHER.sub("one", _CLEAN_ONE.sub("one", _DANGLING.sub("", self._stripped(piece, said))))
        if not piece:
            return True
        readers = (
            self._instead,
            self._let,
            self._wished,
            self._ordered,
            self._wish_of,
            self._stays,
            self._parts,
            self._told,
        )
        waiting = bool(said.things) and joined.endswith(("then", "afterwards", "after that"))
        # "the juice on the table, then give Adel the crackers": the juice is not for Adel.
        return any(reader(piece, joined, after, said) for reader in readers) and (
            not waiting or bool(said.things)
        )

    def _instead(self, piece: str, joined: str, after: str, said: Said) -> bool:
        """Read "not the red one" beside the blue one: it only says again which is meant."""
        match = _NOT.fullmatch(piece)
        if match is None:
            return False
        other = self._reader.read(match[1])
        named = [*said.things, *(thing for share in said.shares for thing in share.things)]
        if other is None or other.thing is None or other.person is not None or len(named) > 1:
            return False
        if not named:
            said.told.append(other.thing)
            return True
        return other.thing.words.split() != named[0].words.split() and other.thing.key != (
            named[0].key or "-"
        )

    def _let(self, piece: str, joined: str, after: str, said: Said) -> bool:
        for pattern in delivery_words().letting:
            match = pattern.fullmatch(piece)
            if match is None:
                continue
            person, rest = (
                self._reader.person(match["who"]),
                self._reader.read(_HER.sub("the ", match["rest"])),
            )
            if person is None or rest is None or rest.thing is None or rest.person is not None or rest.here:
                continue
            self._give(rest, self._with(self._pending(said, joined), person), said, more_things=True)
            return True
        return False

    def _wished(self, piece: str, joined: str, after: str, said: Said) -> bool:
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
        if "out of" in match[0]:
            # "we are out of sugar (, bring some)"
            said.told.append(rest.thing)
            return rest.person is None
        self._give(rest, [], said, more_things=True, wished=True)
        return True

    def _ordered(self, piece: str, joined: str, after: str, said: Said) -> bool:
        words = delivery_words()
        turned = _TURNED.fullmatch(piece)
        if turned is not None and self._reader.person(turned[1]) is not None:
            # "for Robin bring a spoon"
            piece = f"{turned[2]} to {turned[1]}"
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
            if match[0].rstrip().endswith((" me", " us")):
                if rest.person is not None:
                    return False
                mine = True
            if not to_me and not mine and rest.person is None:
                said.things.append(self._sourced(rest, said))
                said.for_somebody = True
                return True
            people = [] if rest.person is None or mine else [self._at(rest.person)]
            pending = self._pending(said, joined) if rest.first else []
            self._give(
                rest,
                [*pending, *people],
                said,
                open_ended=rest.towards and not mine,
                more_things=rest.first or mine or not people,
            )
            return True
        return False

    def _wish_of(self, piece: str, joined: str, after: str, said: Said) -> bool:
        match = delivery_words().theirs.fullmatch(piece)
        if match is None and joined == "and" and len({one.words for one in said.mentioned}) == 1:
            # "Jules is washing up and needs the sponge"
            match = delivery_words().theirs.fullmatch(f"{said.mentioned[-1].words} {piece}")
        if match is None or "?" in after:
            return False
        person, rest = self._reader.person(match["who"]), self._reader.read(_HER.sub("the ", match["rest"]))
        if person is None or rest is None or rest.thing is None or rest.person is not None or rest.here:
            return False
        alone = person.pronoun == "me" and not (said.people and joined == "and")
        if alone or (rest.thing.at and not rest.source):
            # "Jane needs the soap in the bathroom": who of the two is there is not clear.
            return False
        self._give(
            rest,
            self._with(self._pending(said, joined), self._at(person)),
            said,
            more_things=True,
            wished=True,
        )
        return True

    def _stays(self, piece: str, joined: str, after: str, said: Said) -> bool:
        piece = _SAYS.sub("", piece)
        match = delivery_words().stays.fullmatch(piece)
        if match is None:
            there = re.fullmatch(r"(?:there|that|this|here) (?:is|are) (.+)", piece)
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
        them = match["what"] in ("they", "these", "those") and not said.mentioned
        if them and (said.things or said.shares or said.told):
            said.located.append(("", where))
            return True
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

    def _person_stays(self, person: Person, where: str, said: Said) -> bool:
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

    def _parts(self, piece: str, joined: str, after: str, said: Said) -> bool:
        piece = _OCCASION.sub("", _IT_IS_FOR.sub("", piece))
        found = self._reader.read(piece)
        if found is None or ("?" in after and not said.asked):
            return False
        if found.here and found.person is None:
            said.asked = True
        if found.purpose:
            said.asked = True
        if found.thing is not None and (found.person is not None or found.here):
            people = [Person("me", "me")] if found.person is None else [self._at(found.person)]
            if found.first:
                people = [*self._pending(said, joined), *people]
            said.asked = said.asked or found.towards or found.here
            wishes = found.first and bool(said.shares) and said.shares[-1].wished
            self._give(found, people, said, open_ended=found.towards, wished=wishes)
            return True
        if found.thing is not None:
            return self._bare_thing(found, joined, said)
        if found.person is not None:
            return self._bare_person(found, joined, said)
        if found.source and said.shares and not said.shares[-1].source:
            said.shares[-1].source = found.source
            return True
        return found.here or found.purpose

    def _bare_thing(self, found: Piece, joined: str, said: Said) -> bool:
        thing = found.thing
        last = said.shares[-1] if said.shares else None
        if thing is None or (thing.pronoun and not said.people):
            return False
        if last is not None and not said.things and joined in (",", ":") and specified(last, thing):
            return True
        if (
            last is not None
            and last.more_things
            and not said.people
            and joined in (",", "and", "plus", "and also")
        ):
            last.things.append(self._sourced(found, said))
            return True
        if said.people and joined in (":", ",", "!", "."):
            self._give(found, said.people[:], said)
            said.people.clear()
            return True
        if said.things and said.things[-1].generic and thing.known:
            # "something to stir it with, a spoon will do"
            said.things[-1] = self._sourced(found, said)
        elif all(one.key != thing.key for one in said.things):
            said.things.append(self._sourced(found, said))
        return True

    def _bare_person(self, found: Piece, joined: str, said: Said) -> bool:
        person = found.person
        if person is None:
            return False
        last = said.shares[-1] if said.shares else None
        mine = person.pronoun == "me"
        if found.towards and said.things:
            said.shares.append(
                Share(said.things[:], [] if mine else [self._at(person)], each=found.each, open_ended=True)
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

    def _told(self, piece: str, joined: str, after: str, said: Said) -> bool:
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
        denied = re.search(r"\b(?:no|not)\b", piece) is not None
        if words.stays.fullmatch(piece) and not denied and any(self._reader.mentioned(piece)[1]):
            # "the sponge is in the garage": a place without a name on the map may not be passed by.
            return False
        if _NOT_ITSELF.match(piece) and self._reader.names_places(piece):
            # "they are on the sofa": that is where, and no reason.
            return False
        subject = self._reader.subject(piece)
        piece = _ALREADY.sub("", piece)
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
        if _SPEAKER.match(piece) or not (people or _NOT_ITSELF.match(piece)):
            said.asked = said.asked or bool(said.things)
        return True

    def _named(self, thing: Thing, said: Said) -> Thing:
        """Put the noun for "one" in "not the red cup, the blue one"."""
        if thing.words.endswith(" one") and len({one.words.split()[-1] for one in said.told}) == 1:
            words = f"{thing.words.removesuffix('one')}{said.told[-1].words.split()[-1]}"
            return replace(thing, words=words, key=words, known=True)
        return thing

    def _at(self, person: Person) -> Person:
        return person

    def _sourced(self, found: Piece, said: Said) -> Thing:
        thing = found.thing
        if thing is None:
            raise LookupError("A piece without a thing has no source.")
        thing = self._named(thing, said)
        where = f"from {found.source}" if found.source and not thing.at else ""
        return replace(thing, at=where, words=f"{thing.words} {where}") if where else thing

    def _pending(self, said: Said, joined: str) -> list[Person]:
        pending = said.people[:] if joined in ("and", ",", "", ":") else []
        said.people = [] if pending else said.people
        return pending

    def _with(self, pending: list[Person], person: Person) -> list[Person]:
        """Return those whom a piece is about: "the boy in the black shirt, he can have the dice" is about one."""
        if person.pronoun == "me":
            return [*pending, person]
        if person.pronoun and pending:
            return pending if len(pending) == 1 else [*pending, person]
        return [*pending, person]

    def _give(
        self,
        found: Piece,
        people: list[Person],
        said: Said,
        *,
        open_ended: bool = False,
        more_things: bool = False,
        wished: bool = False,
    ) -> None:
        thing = self._named(found.thing, said) if found.thing is not None else None
        if thing is None:
            return
        pending, said.things = said.things, []
        if thing.pronoun == "one" and len(pending) == 1 and (pending[0].number or 1) > 1 and people:
            # "three plums: one for Axel, one for Morgan ..."
            said.told, said.shared_out, pending = [pending[0]], pending[0].number or 0, []
        elif thing.words == "them" and len(pending) > 1:
            # "cereal, milk, spoon: bring them all to me"
            pending, thing = pending[:-1], pending[-1]
        elif thing.pronoun and len(pending) == 1:
            # "any fruit from the desk, bring it here"
            pending, thing = [], pending[0]
        if said.people and not people:
            people, said.people = said.people, []
        share = Share(
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


def _courteous(words: str) -> bool:
    return delivery_words().courteous.search(words) is not None
