"""What stands beside the orders of an English instruction: asides, statements, contrasts, what is not meant."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_clauses import EnglishClauses
from zulong.agent.language.english_cursor import WANTING
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Referent
from zulong.agent.language.merge import locate
from zulong.agent.language.tokens import Token

_UNWANTED = (
    "instead of",
    "rather than",
    "never mind",
    "forget",
    "forget about",
    "forget about it",
    "skip",
    "leave out",
    "cancel",
    "ignore",
    "nevermind",
    "i no longer want",
    "i no longer need",
    "i do not want",
    "i do not need",
    "i do not want to",
)
_IRREGULAR = frozenset(
    (
        "ate", "been", "began", "bought", "broke", "came", "did", "drank", "fell", "felt", "forgot", "gave", "goes", "got",
        "grew", "had", "heard", "kept", "knew", "left", "lost", "made", "met", "put", "ran", "said", "sat", "saw", "sent",
        "slept", "spent", "spoke", "stood", "took", "told", "thought", "went", "woke", "wrote", "feel", "need", "want",
        "think", "hate", "love", "know", "hope", "like", "look", "live", "just", "really", "always", "never", "still",
        "have", "cannot", "totally", "usually", "already", "also", "both", "all",
    )
)  # fmt: skip
"""Verbs of statements, and adverbs before them, that no ending shows."""
_WISHES = frozenset(
    (
        "wants", "want", "needs", "need", "would like", "would love", "asked", "asked for", "asking", "asking for",
        "waiting", "wait for", "waiting for", "wanted", "fancies", "ordered", "requested", "promised", "belongs", "meant",
        "for", "like", "craving", "needed", "could use", "requests", "orders",
    )
)  # fmt: skip
_DESTINATIONS = frozenset(
    ("goes", "go", "belong", "belongs", "lives", "live", "should be", "ought", "supposed", "should")
)
_GOING = ("goes", "go", "belong", "belongs")
_REASONS = frozenset(("because", "since", "cause", "cuz", "as"))
_BOUNDS = ("until", "before", "after", "unless")


class EnglishAsides(EnglishClauses):
    """Reads what is said beside the orders, and keeps what was read so far.

    Attributes:
        clauses, fragment, places: what was read so far: clauses, nouns without a verb, places that open a clause.
        pending: the condition that governs the clauses to come.
        unused: a condition that governs nothing yet.
        last_condition: the condition that an "otherwise" denies.
        sentence_start: how many clauses were there when the sentence began.
        withdrawn: clauses that were taken back; stated, denied: nouns that were replaced, or that are not meant.
        candidates: things, people and places that a statement beside the orders names; "it" and "her" mean them.
        alongside: the next clause is to be done at the same time as the one before.
        taken_back: what was to be brought by a clause that was taken back.
        wished: what somebody is told to want, and who, where nothing else was said.
        wisher: who is told to want something; resident: who is told to be somewhere.
    """

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        super().__init__(text, vocabulary)
        self.clauses: list[Clause] = []
        self.fragment: list[Referent] = []
        self.places: list[Referent] = []
        self.pending: Condition | None = None
        self.last_condition: Condition | None = None
        self.unused: Condition | None = None
        self.sentence_start = 0
        self.alongside = False
        self.called_off = False
        self.withdrawn: list[Clause] = []
        self.stated: list[Referent] = []
        self.denied: list[Referent] = []
        self.candidates: list[Referent] = []
        self.taken_back: list[Referent] = []
        self.wisher: Referent | None = None
        self.wished: tuple[Referent, Referent] | None = None
        self.resident: Referent | None = None

    def _aside(self, token: Token) -> bool:
        """Read a statement beside an order: "I've got my hands full", "Angel hasn't had her breakfast yet".

        It asks for nothing. What it names may be meant by the pronouns of the orders, and it may say where that is;
        words that are not known do no harm in it.
        """
        start = self.index
        if not (start == 0 or self._at(-1).plays("punct", "conj", "but") or self._at(-1).has("polite")):
            return False
        reason = token.text in _REASONS
        end = self._end_of_statement(start + 1 if reason else start)
        if end == 0 or not self._orders_beside(start, end) or self._elsewhere(start, end):
            return False
        said = self.tokens[start:end]
        if self.clauses and any(t.plays("have") for t in said) and any(t.plays("question") for t in said):
            # "(go and see Jane,) she has a question": it is to be answered.
            return False
        self._note(start, end)
        self.excused.update(range(start, end))
        self.index = end
        return True

    def _elsewhere(self, start: int, end: int) -> bool:
        """Tell whether a thing is said to be at a place without a name on the map: that may not be passed by."""
        subject = self.nouns.read(start)
        if subject is None or subject[0].kind != "object" or subject[0].pronoun:
            return False
        for position in range(subject[1], end):
            if self.tokens[position].text in ("on the floor", "on the ground"):
                return True
            if self.tokens[position].role_of("prep") in ("in", "on", "at"):
                place = self.nouns.read(position + 1)
                if self.nouns.at(position + 1).plays("det") and (place is None or not place[0].ids):
                    return True
        return False

    def _missed(self, token: Token) -> bool:
        """Read "I can't find the sponge" beside an order: it names the thing, and asks for nothing by itself."""
        if not (token.plays("seen") and token.text.startswith("i ")):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or not self._orders_beside(self.index, found[1]):
            return False
        self.candidates.append(found[0])
        if found[0].kind == "object":
            self._last_kind = "object"
        self.excused.update(range(self.index, found[1]))
        self.index = found[1]
        return True

    def _states(self, position: int) -> bool:
        """Tell whether a statement that is no order starts here."""
        return bool(self._end_of_statement(position))

    def _end_of_statement(self, position: int) -> int:
        """Return where the statement that starts here ends, 0 when there is none."""
        while self.nouns.at(position).has("polite") and self.nouns.at(position).text not in WANTING:
            position += 1
        verb = self._predicate(position)
        if not verb:
            return 0
        end = verb
        while end < len(self.tokens):
            token = self.tokens[end]
            if token.plays("punct", "but") or (token.text in ("so", "and so") and end > verb):
                break
            if (
                token.plays("if", "unless", "else")
                or token.text in _BOUNDS
                or token.plays("timing", "or", "seen")
            ):
                return 0
            if token.plays("conj") and self._starts_clause(end + 1) and not self._predicate(end + 1):
                break
            if token.has("danger") or token.value("verb") == "dangerous":
                return 0
            end += 1
        return end

    def _predicate(self, position: int) -> int:
        """Return where the finite verb after the subject that stands here is, 0 when there is no subject or verb."""
        token = self.nouns.at(position)
        if token.text in ("you", "you can", "let", "i want", "which", "who", "what") or token.plays(
            "wh", "not", "howmany"
        ):
            return 0
        if self._is_verb(position) and not token.plays("pron", "there_is"):
            return 0
        if token.plays("nowhere") or token.role_of("prep") in ("in", "on", "at"):
            # "somewhere in the bedroom there must be a banana"
            position += 1 if token.plays("nowhere") else 0
            place = (
                self.nouns.read(position + 1)
                if self.nouns.at(position).role_of("prep") in ("in", "on", "at")
                else None
            )
            if place is None or place[0].kind != "place" or not self.nouns.at(place[1]).plays("there_is"):
                return 0
            return place[1] + 1
        if token.plays("there_is"):
            return position + 1 if token.text.startswith("there ") else 0
        found = self.nouns.read(position)
        if found is None or found[0].pronoun in ("you", "here", "back", "there", "start"):
            return 0
        after = found[1]
        if token.text in ("me", "him", "her", "them", "us"):
            return 0
        for _ in range(3):
            verb = self.nouns.at(after)
            if verb.plays("be", "have", "do", "aux") or verb.text in _IRREGULAR or verb.plays("located"):
                return after + 1
            inflected = verb.text.endswith(("s", "ed")) and len(verb.text) > 3
            if inflected and not verb.roles and (verb.has("verb") or not verb.senses):
                return after + 1
            if not (verb.text.endswith("ly") or verb.plays("focus", "not") or verb.text in _IRREGULAR):
                return 0
            after += 1
        return 0

    def _orders_beside(self, start: int, end: int) -> bool:
        """Tell whether there is an order before or after the words from ``start`` to ``end``."""
        if self.clauses:
            return True
        position = end
        while position < len(self.tokens):
            token = self.tokens[position]
            first = self.tokens[position - 1].plays("punct", "conj", "but") or self.tokens[position - 1].has(
                "polite"
            )
            if token.text in WANTING or (first and self._starts_clause(position)):
                return True
            position += 1
        return False

    def _note(self, start: int, end: int) -> None:
        """Keep what a statement names, and where it says that this is."""
        named: list[Referent] = []
        position = start
        while position < end:
            token = self.tokens[position]
            found = None
            if token.has(
                "object", "category", "person", "person_noun", "placement", "room", "colour"
            ) or token.plays("det", "indef", "pron"):
                found = self.nouns.read(position)
            if found is None or found[1] <= position:
                position += 1
                continue
            named.append(found[0])
            position = found[1]
        words = self.tokens[start:end]
        destined = any(word.text in _DESTINATIONS for word in words)
        denied = any(word.plays("not") or word.text in ("no", "without") for word in words)
        moved = any(word.role_of("prep") in ("to", "from", "for", "about", "with") for word in words)
        things = [
            one
            for one in self._not_inside(named, start, end)
            if one.kind != "place" and one.pronoun not in ("me", "you") and not one.unknown
        ]
        places = [one for one in named if one.kind == "place" and not one.pronoun]
        self._note_person(
            [one for one in things if one.kind == "person" and not one.pronoun], start, end, named
        )
        place = places[0] if len(places) == 1 and not (denied or moved) else None
        for thing in things:
            if thing.pronoun and thing.at is not None and not denied:
                # "there is one on the bed"
                self._placed(replace(thing, at=None, pronoun="it"), thing.at)
        if not self.clauses and any(word.text in ("should", "ought", "supposed") for word in words):
            # Before an order "it should be on the shelf" says where it is, after one where it goes.
            destined = False
        last = self.clauses[-1] if self.clauses else None
        if last is not None and last.recipient is not None and not any(word.text in _GOING for word in words):
            # "bring me the dice, they should be on the shelf"
            destined = False
        taken_from = [
            one for one in named if one.kind == "place" and one.name and self._follows_from(one, start, end)
        ]
        if len(taken_from) == 1 and len(places) == 1 and things and things[0].at is None:
            # "Angel asked for the spoon from the side tables"
            things = [
                self._placed(thing, taken_from[0]) if thing.kind == "object" else thing for thing in things
            ]
        if place is not None and destined:
            self._destine(things, place)
            more = self.tokens[end - 1].text not in place.text
            if (
                self.clauses
                and self.clauses[-1].verb == "put"
                and (more or self._unknown_between(start, end))
            ):
                # "(the fork goes on the shelf) and the plum goes on the desk tomorrow"
                self.leftover.extend(token.text for token in self.tokens[start:end])
        elif place is not None and things:
            things = [self._placed(things[0], place), *things[1:]]
        if any(thing.kind == "object" and not thing.pronoun for thing in things):
            # "them" will mean things.
            self._last_kind = "object"
        self.candidates.extend(places)
        self.candidates.extend(thing for thing in things if not thing.pronoun)

    def _not_inside(self, named: list[Referent], start: int, end: int) -> list[Referent]:
        """Leave out what something else is in or on: the coffee of "there is no milk in my coffee"."""
        inside = {
            found[0].name
            for position in range(start, end)
            if self.tokens[position].role_of("prep") in ("in", "on", "with", "at")
            and (found := self.nouns.read(position + 1)) is not None
            and found[0].kind == "object"
        }
        return [
            one for one in named if one.kind != "object" or not one.name or one.name not in inside
        ] or named

    def _follows_from(self, place: Referent, start: int, end: int) -> bool:
        """Tell whether the place stands after "from"."""
        return any(
            self.tokens[position].role_of("prep") == "from"
            and (found := self.nouns.read(position + 1)) is not None
            and found[0].name == place.name
            for position in range(start, end)
        )

    def _note_person(self, people: list[Referent], start: int, end: int, named: list[Referent]) -> None:
        """Keep who is told to want something, "Jane wants the cola", "the cola is for Jane", or to be somewhere."""
        words = self.tokens[start:end]
        denied = any(word.plays("not") or word.text in ("no", "without") for word in words)
        if len(people) != 1 or denied:
            return
        person, wishes = people[0], any(word.text in _WISHES for word in words)
        if wishes and any(one.kind == "object" for one in named):
            thing = next(number for number, one in enumerate(named) if one.kind == "object")
            where = next((one for one in named[:thing] if one.kind == "place" and not one.pronoun), None)
            self.wisher = replace(person, at=person.at or where)
        elif person is named[0] and not any(one.kind == "object" and not one.pronoun for one in named):
            place = next((one for one in named if one.kind == "place" and not one.pronoun), person.at)
            moved = any(word.role_of("prep") in ("to", "from") or word.has("verb") for word in words)
            self.resident = replace(person, at=place) if place is not None and not moved else None

    def _granted(self, fragment: list[Referent]) -> list[Clause]:
        """Read "Axel wants a strawberry jello" and nothing else as a wish to be granted: it is to be brought."""
        if self.wished is None or fragment != list(self.wished) or self.unused or self.pending:
            return []
        thing, person = self.wished
        # "Jane needs the soap in the bathroom": who of the two is there is not clear.
        known = (
            bool(person.name and person.ids)
            and thing.at is None
            and not thing.unknown
            and bool(thing.name or thing.category)
        )
        return [Clause("bring", verb="bring", theme=thing, recipient=person, inferred=True)] if known else []

    def _for_the_wisher(self, clauses: list[Clause]) -> list[Clause]:
        """Complete "Jane wants the cola, (can you) take it over" by who gets it, "Jane is in the kitchen, take it there"."""
        person, resident = self.wisher, self.resident
        addressed: list[Clause] = []
        for clause in clauses:
            carried = clause.action in ("bring", "take") and clause.recipient is None and not clause.negated
            thing = clause.theme is not None and clause.theme.kind == "object"
            there = clause.goal is not None and clause.goal.pronoun == "there"
            if (
                person is not None
                and carried
                and thing
                and (clause.goal is None or there)
                and clause.source is None
            ):
                clause = replace(clause, action="bring", recipient=person, goal=None)
                person = None
            elif resident is not None and carried and thing and there:
                clause = replace(clause, action="bring", recipient=resident, goal=None)
            addressed.append(clause)
        return addressed

    def _placed(self, thing: Referent, place: Referent) -> Referent:
        """Say where a thing or a person is, also in what was read or noted before."""
        placed = thing if thing.at is not None else replace(thing, at=place)
        self.clauses[:] = [locate(clause, placed) for clause in self.clauses]
        if thing.pronoun:
            for number in reversed(range(len(self.candidates))):
                other = self.candidates[number]
                if other.kind == thing.kind and other.at is None:
                    self.candidates[number] = replace(other, at=place)
                    break
        return placed

    def _destine(self, things: list[Referent], place: Referent) -> None:
        """Read "(take away the pringles,) they should be on the side tables" as where they go."""
        last = self.clauses[-1] if self.clauses else None
        thing = things[0] if things else None
        known = thing is not None and thing.kind == "object" and bool(thing.name) and not thing.unknown
        if last is not None and thing is not None and known and not self._spoken_of(thing):
            # "the fork goes on the shelf and the spoon goes on the desk"
            self.clauses.append(Clause("put", verb="put", theme=replace(thing, at=None), goal=place))
            return
        if last is None or last.action not in ("take", "bring") or last.goal is not None or last.negated:
            return
        if last.recipient is None and any(thing.pronoun or thing.kind == "object" for thing in things):
            self.clauses[-1] = replace(last, action="put", goal=place)

    def _unknown_between(self, start: int, end: int) -> list[str]:
        """Return the words of a statement that nothing is known of."""
        return [self.tokens[at].text for at in range(start, end) if self.nouns.is_plain_unknown(at)]

    def _spoken_of(self, thing: Referent) -> bool:
        return any(clause.theme is not None and clause.theme.name == thing.name for clause in self.clauses)

    def _contrasts(self, token: Token) -> bool:
        """Read "(don't bring me the red cup) but the blue one", "(not going to the kitchen) but to the bedroom"."""
        last = self.clauses[-1] if self.clauses else None
        instead = token.plays("but") or token.text == "rather"
        if not instead or last is None or not last.negated or last.condition is not None:
            return False
        position = self.index + 1
        if self.nouns.at(position).text in ("rather", "just", "only"):
            position += 1
        preposition = self.nouns.at(position).role_of("prep")
        found = self.nouns.read(position + 1 if preposition else position, attach=last.action != "put")
        if (
            found is None
            or self._is_verb(position)
            or self.nouns.at(found[1]).plays("be", "have", "aux", "do")
        ):
            return False
        other = found[0]
        slot = {"place": "goal", "person": "recipient", "object": "theme"}[other.kind]
        if preposition == "from":
            slot = "source"
        old: Referent | None = getattr(last, slot)
        if old is None and last.action == "put" and slot == "goal":
            slot, old = "goal", last.where
        if old is None and last.theme is not None and last.theme.kind == other.kind:
            slot, old = "theme", last.theme
        if old is None:
            return False
        kept = (
            replace(other, name=other.name or old.name, ids=other.ids or old.ids)
            if slot == "theme"
            else other
        )
        self.clauses.append(replace(last, **{slot: kept}, negated=False, avoid=()))  # type: ignore[arg-type]
        self.index = found[1]
        return True

    def _denies(self, token: Token) -> bool:
        """Read "not the milk, ..." and "I don't want the pear, ...": what is not meant, before what is."""
        if self.clauses or token.text not in ("not", *_UNWANTED):
            return False
        preposition = 1 if self._at(1).role_of("prep") else 0
        found = self.nouns.read(self.index + 1 + preposition)
        if found is None or found[0].pronoun or self._is_verb(self.index + 1):
            return False
        position = found[1]
        apart = self.nouns.at(position).plays("punct", "but", "conj", "no")
        if not apart and token.text not in ("instead of", "rather than"):
            return False
        position += 1 if apart else 0
        while self.nouns.at(position).has("polite") and self.nouns.at(position).text not in WANTING:
            position += 1
        wanted = self.nouns.at(position).text in WANTING or self._is_verb(position)
        if not wanted:
            return False
        self.denied.append(found[0])
        self.excused.update(range(self.index, found[1]))
        self.index = found[1]
        return True
