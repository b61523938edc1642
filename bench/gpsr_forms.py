"""From our reading of a command to the logical forms of the GPSR commands dataset (arXiv 1907.01115).

The dataset writes a command as a lambda expression over anonymised classes (``<object>``, ``<room>``, ...). Only
the notation is decided here; what the sentence says is decided by ``zulong.agent.language``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from zulong.agent.language import Clause, Referent

UNKNOWN = "UNKNOWN"
OBJECT, CATEGORY, LOCATION, ROOM, NAME = "<object>", "<category>", "<location>", "<room>", "<name>"
_GENDERS = ("male", "female")
_HALVES = re.compile(r"\b(?:and|then)\b.*\b(?:it|them)\b|[,.;] *\w+ (?:it|them)\b", re.IGNORECASE)
_LEADING = ("accompany", "escort", "guide", "lead")


def form(*parts: str) -> str:
    """Return ``( a b c )``."""
    return "( " + " ".join(parts) + " )"


def quoted(word: str) -> str:
    """Return the notation of a constant."""
    return f'" {word} "'


@dataclass
class _Story:
    """What a command says in all, gathered over its clauses."""

    person: Referent | None = None
    person_place: Referent | None = None
    thing: Referent | None = None
    thing_place: Referent | None = None
    place: Referent | None = None
    goal: Referent | None = None
    sought: bool = False
    taken: bool = False
    met: bool = False
    halves: bool = False
    bowl: bool = False


class FormWriter:
    """Writes the logical form of one command.

    Args:
        rooms: names of rooms, to tell ``<room>`` from ``<location>``.
    """

    def __init__(self, rooms: Mapping[str, object]) -> None:
        self.rooms = rooms

    def write(self, clauses: Sequence[Clause], command: str = "") -> str:
        """Return the logical form, ``UNKNOWN`` when the command is none of the dataset's kinds.

        The order of a receiver's name and place in the notation depends on whether one verb or two said it ("take it
        and bring it to ..."), which the clauses no longer show: ``command`` does.
        """
        story = _Story(
            halves=bool(_HALVES.search(command)), bowl=bool(re.search(r"\bbowl\b", command.lower()))
        )
        done: list[Clause] = []
        for clause in map(_with_places, clauses):
            if clause.negated:
                continue
            self._gather(story, clause)
            done.append(clause)
        main = self._main(done)
        if main is None:
            return UNKNOWN
        return self._write(main, story, done)

    # -- gathering -----------------------------------------------------------------------------------------

    def _gather(self, story: _Story, clause: Clause) -> None:
        for referent in clause.referents():
            place = referent.at
            if place is not None and place.pronoun == "there":
                place = story.place
            if referent.kind == "person" and referent.pronoun not in ("me", "you"):
                if referent.pronoun and story.person is not None:
                    continue
                if story.person is None or not referent.is_bare() or story.person.is_bare():
                    if (
                        story.person is not None
                        and not referent.is_bare()
                        and story.person.name
                        and referent.name
                        and referent.name != story.person.name
                    ):
                        pass
                    story.person = _merged(story.person, referent)
                if place is not None:
                    story.person_place = place
            elif referent.kind == "object":
                if (
                    story.thing is not None
                    and referent.superlative
                    and not referent.name
                    and not story.thing.superlative
                ):
                    story.thing = replace(
                        story.thing,
                        superlative=referent.superlative,
                        number=referent.number or story.thing.number,
                    )
                    continue
                if not referent.pronoun and (
                    story.thing is None
                    or referent.name
                    or referent.category
                    or referent.superlative
                    or referent.relation
                ):
                    story.thing = referent
                if place is not None and story.thing_place is None:
                    story.thing_place = place
        theme = clause.theme
        located = clause.source or clause.where
        if clause.action == "go":
            target = clause.goal or clause.where
            if clause.theme is not None and clause.theme.kind == "person":
                story.person_place = story.person_place or clause.source or clause.where
            if target is not None and target.pronoun:
                return
            if target is not None:
                story.place = target
            return
        if clause.action in ("find", "meet", "take"):
            story.sought = story.sought or clause.action == "find"
            story.taken = story.taken or clause.action == "take"
            story.met = story.met or clause.action == "meet"
        for_person = theme is None or theme.kind == "person"
        if located is not None and located.kind == "place":
            if for_person and clause.action not in ("bring", "put", "take"):
                story.person_place = story.person_place or located
            else:
                story.thing_place = story.thing_place or located
        if story.place is not None and clause.goal is not None and clause.goal.pronoun == "there":
            return
        located_theme = (
            theme is not None and theme.kind == "object" and clause.source is None and theme.at is not None
        )
        if (
            located_theme
            and clause.recipient is not None
            and clause.recipient.name
            and story.person_place is None
            and not story.taken
        ):
            # "Give Hayden the shampoo in the baby chair": the dataset places the person there.
            story.person_place, story.thing_place = theme.at if theme is not None else None, None
        if story.place is not None:
            receives = (
                clause.recipient is not None
                and clause.recipient.kind == "person"
                and clause.recipient.pronoun != "me"
            )
            if (
                receives
                and story.person_place is None
                and clause.action in ("bring", "put")
                and story.thing_place is None
            ):
                story.person_place = story.place
                return
            if (
                theme is not None
                and theme.kind == "object"
                and story.thing_place is None
                and not theme.pronoun
            ):
                story.thing_place = story.place
                if clause.action in ("find", "take", "bring", "put"):
                    story.place = None
            elif story.person_place is None and (
                (theme is not None and theme.kind == "person")
                or (
                    clause.recipient is not None
                    and clause.recipient.kind == "person"
                    and clause.recipient.pronoun != "me"
                )
                or clause.action in ("tell", "answer", "ask")
            ):
                story.person_place = story.place
                story.place = None

    def _main(self, clauses: Sequence[Clause]) -> Clause | None:
        """Return the clause that says what the command is for: the last that is not only on the way."""
        ranked = [c for c in clauses if c.action not in ("go", "meet", "find", "wait", "greet") or _asks(c)]
        speech = [c for c in ranked if c.action in ("tell", "answer", "ask", "count", "describe")]
        others = [c for c in ranked if c not in speech]
        if others and speech and not _tells_result(speech[-1]):
            carried = others[-1].action in ("bring", "put") and others[-1].theme is not None
            # "which is the heaviest on the bar? Bring it to me"
            after = ranked.index(others[-1]) > ranked.index(speech[-1])
            return others[-1] if carried and after and speech[-1].asked else speech[-1]
        if others:
            return others[-1]
        if speech:
            useful = [c for c in speech if not _tells_result(c)]
            return (useful or speech)[-1]
        greeted = [c for c in clauses if c.action == "greet"]
        sought = [c for c in clauses if c.action == "find"]
        if greeted:
            return greeted[-1]
        if sought:
            return sought[-1]
        return clauses[-1] if clauses else None

    # -- writing -------------------------------------------------------------------------------------------

    def _write(self, main: Clause, story: _Story, clauses: Sequence[Clause]) -> str:
        action = main.action
        if action == "missing:pour" or self._is_pouring(main, story, clauses):
            return form("pour", _is("cereal"), _is("bowl"))
        if action in ("tell", "count", "describe"):
            return self._tell(main, story, clauses)
        if action == "greet":
            return self._tell(replace(main, action="tell", topic="free", theme=None), story, clauses)
        reported = any(
            c.action == "tell" and (c.recipient is None or c.recipient.pronoun == "me") for c in clauses
        )
        if action == "ask" and main.topic and (main.topic not in ("free", "attribute") or reported):
            return self._tell(replace(main, action="tell"), story, clauses)
        if action in ("answer", "ask"):
            return self._answer(story)
        if action == "find":
            if main.theme is not None and main.theme.kind == "person":
                return self._person_only(main, story)
            return self._find(story, clauses)
        if action in ("guide", "follow") or (action == "meet"):
            return self._walk(main, story, clauses)
        if main.verb in _LEADING and main.theme is not None and main.theme.kind == "object":
            return UNKNOWN
        if action in ("bring", "put", "take"):
            return self._carry(main, story, clauses)
        if action == "go":
            return self._go(main, story, clauses)
        return UNKNOWN

    def _is_pouring(self, main: Clause, story: _Story, clauses: Sequence[Clause]) -> bool:
        """Tell whether cereal is to come into a bowl, however that is said ("serve some cereal in a bowl")."""
        referents = [r for c in clauses for r in c.referents()]
        named = {r.name for r in referents} | {r.relatum.name for r in referents if r.relatum is not None}
        inside = main.theme is not None and main.theme.name == "cereal" and main.theme.relation == "on_top_of"
        related = any(r.relation for r in referents) and not inside
        mine = main.recipient is None or main.recipient.pronoun == "me"
        served = "bowl" in named or (story.bowl and main.theme is not None and main.theme.name == "cereal")
        return "cereal" in named and served and mine and not related

    def _at(self, variable: str, place: Referent | None, default: str = "") -> list[str]:
        if place is None and not default:
            return []
        return [form("at", variable, quoted(default or self._class(place)))]

    def _class(self, place: Referent | None) -> str:
        roomy = place is not None and (
            place.name in self.rooms or (place.unknown and place.name.endswith(" room"))
        )
        return ROOM if roomy else LOCATION

    def _person(self, story: _Story, *, at: str = "", keep_person: bool = True) -> str:
        person = story.person or Referent("person")
        parts = [form("person", "$1")] if keep_person else []
        parts += _traits(person, "$1")
        parts += self._at("$1", story.person_place, at if story.person_place is not None else "")
        return form("lambda $1 e", *parts)

    def _tell(self, main: Clause, story: _Story, clauses: Sequence[Clause]) -> str:
        described = main.theme
        if (
            main.topic == "attribute"
            and main.attribute == "name"
            and described is not None
            and (described.posture or described.gesture)
            and "who" in described.text
        ):
            return self._count(replace(main, topic="count"), story)
        if main.topic == "attribute":
            place = story.person_place or story.place
            attribute = main.attribute if main.attribute in ("name", "pose", "gender") else "name"
            default = ROOM if attribute == "name" or place is None else self._class(place)
            inner = form(
                "lambda $2 e",
                form("person", "$2"),
                form(attribute, "$2", "$1"),
                form("at", "$2", quoted(default)),
            )
            return form("say", form("lambda $1 e", inner))
        if main.topic == "count" or main.action == "count":
            counted = main.theme
            if counted is not None and counted.kind == "object" and counted.superlative:
                # "count the three biggest objects": which they are is asked.
                return self._property(story, clauses)
            return self._count(main, story)
        thing = main.theme if main.theme is not None and main.theme.kind == "object" else None
        if (
            main.topic in ("property", "")
            and (thing or story.thing) is not None
            and (main.topic or main.theme is not None)
        ):
            return self._property(story, clauses)
        if main.topic in ("exists", "where"):
            if thing is None and main.theme is not None and main.theme.kind == "person":
                return self._count(main, story)
            return self._find(story, clauses)
        if story.thing is not None and story.thing.superlative and main.topic in ("", "free"):
            return self._property(story, clauses)
        return form("say", quoted("<whattosay>"), self._listener(story, LOCATION))

    def _listener(self, story: _Story, place_of_named: str) -> str:
        """Write who is spoken to: the dataset always says where, and nameless people are always in a room."""
        person = story.person or Referent("person")
        place = place_of_named if person.name else ROOM
        return form(
            "lambda $1 e", form("person", "$1"), *_traits(person, "$1"), form("at", "$1", quoted(place))
        )

    def _count(self, main: Clause, story: _Story) -> str:
        theme = main.theme
        if theme is not None and theme.kind == "person":
            place = story.person_place or theme.at or main.where
            parts = [
                form("person", "$1"),
                *_traits(theme, "$1"),
                form("at", "$1", quoted(ROOM if place is None else self._class(place))),
            ]
            return form("say", form("count", form("lambda $1 e", *parts)))
        thing = theme or story.thing
        where = form("at", "$1", quoted(LOCATION))
        if thing is not None and thing.name:
            return form("say", form("count", form("lambda $1 e", form("is_a", "$1", quoted(OBJECT)), where)))
        inner = form("and", form("is_a", "$1", quoted(CATEGORY)), where)
        return form("count", form("lambda $1 e", inner))

    @staticmethod
    def _size_word(superlative: str, number: int, category: bool) -> str:
        """Return "biggest" or "largest" as the label has it.

        The label keeps the word of the sentence that people were asked to say in other words, so for one thing
        they mostly used the other of the two; this was counted on the training part.
        """
        if superlative not in ("biggest", "largest") or number > 1:
            return superlative
        if category:
            return "biggest"
        return "largest" if superlative == "biggest" else "biggest"

    def _property(self, story: _Story, clauses: Sequence[Clause]) -> str:
        thing = story.thing
        if thing is None:
            return UNKNOWN
        if thing.size == "big" and thing.plural and not thing.superlative:
            story.thing = thing = replace(thing, superlative="largest", name="")
        number = max((r.number or 0 for c in clauses for r in c.referents()), default=0)
        superlative = self._size_word(thing.superlative, number, _is_category(thing))
        if thing.relation and thing.relatum is not None:
            return self._bring_thing(story)
        if superlative in ("leftmost", "rightmost") or thing.side:
            return self._bring_thing(story)
        if not superlative:
            return self._find(story, clauses)
        where = form("at", "$1", quoted(LOCATION))
        if any(c.source is not None for c in clauses) and not thing.plural and not number:
            return self._bring_thing(story)
        if number and number > 1:
            category = [form("is_a", "$1", quoted(CATEGORY))] if _is_category(thing, three=True) else []
            return form("say", form("lambda $1 e", form(superlative, "$1", str(number)), *category, where))
        category = [form("is_a", "$1", quoted(CATEGORY))] if _is_category(thing) else []
        return form("say", form("lambda $1 e", form("and", form(superlative, "$1"), *category, where)))

    def _answer(self, story: _Story) -> str:
        named = self._class(story.person_place)
        return form("say", form("answer", quoted("<question>")), self._listener(story, named))

    def _find(self, story: _Story, clauses: Sequence[Clause] = ()) -> str:
        thing = story.thing
        if thing is None:
            return UNKNOWN
        where = form("at", "$1", quoted(ROOM))
        if thing.superlative:
            return self._property(story, clauses)
        if not thing.name:
            category = form("is_a", "$1", quoted(CATEGORY))
            if thing.number and thing.number > 1:
                return form("find", form("lambda $1 e", category, where), str(thing.number))
            return form("find", form("lambda $1 e", form("and", category, where)))
        return form("find", form("lambda $1 e", form("is_a", "$1", quoted(OBJECT)), where))

    def _person_only(self, main: Clause, story: _Story) -> str:
        """A person is looked for and nothing else was said: the dataset's commands then answer a question."""
        return self._answer(story) if main.theme is not None else UNKNOWN

    def _walk(self, main: Clause, story: _Story, clauses: Sequence[Clause]) -> str:
        if story.person is None or (main.theme is not None and main.theme.kind == "object"):
            return UNKNOWN
        positions = [number for number, clause in enumerate(clauses) if clause is main]
        later = clauses[positions[0] + 1 :] if positions else ()
        then_go = [c for c in later if c.action == "go" and c.goal is not None]
        goal = main.goal or main.where
        if main.where is not None and main.goal is None and story.person_place is main.where:
            goal = None
        back = any(
            g is not None and (g.pronoun in ("back", "me", "start"))
            for g in (goal, main.recipient, *(c.goal for c in then_go))
        )
        person = self._person(story, at=LOCATION)
        followed = main.action == "guide" and any(c.action == "follow" for c in clauses)
        if back or (followed and goal is None):
            inner = form(
                "follow",
                form("person", "$1"),
                form("name", "$1", quoted(NAME)),
                form("at", "$1", quoted(LOCATION)),
            )
            return form("lambda $1 e", form("sequence", inner, form("guide", "$1", quoted("current"))))
        if (
            main.action in ("follow", "meet")
            and story.met
            and story.person_place is None
            and goal is None
            and not then_go
        ):
            # "meet Alex and go with him": the dataset follows nobody that it meets without a place.
            return form("guide", person, UNKNOWN)
        together = main.verb in ("go with", "go") and not story.met
        if together and story.person_place is not None and goal is not None and self._class(goal) == LOCATION:
            return form("guide", person, quoted(LOCATION))
        if main.action == "follow" or main.action == "meet":
            if then_go:
                target = then_go[-1].goal
                if self._class(target) == ROOM:
                    place = story.person_place or Referent("place")
                    person = self._person(replace(story, person_place=place), at=LOCATION)
                    return form("sequence", form("follow", person), form("go", quoted(ROOM)))
                goal = target
            if goal is not None and goal.kind == "place" and self._class(goal) == LOCATION:
                return form("follow", person, quoted(LOCATION))
            return form("follow", person)
        goal = goal or (then_go[-1].goal if then_go else None)
        if goal is not None and self._class(goal) == ROOM and story.met:
            return form("sequence", form("follow", person), form("go", quoted(ROOM)))
        return form("guide", person, quoted(LOCATION) if goal is not None else UNKNOWN)

    def _carry(self, main: Clause, story: _Story, clauses: Sequence[Clause]) -> str:
        thing = story.thing
        if thing is None:
            return UNKNOWN
        goal = (
            main.goal
            if main.goal is not None
            and main.goal.kind == "place"
            and main.goal.pronoun not in ("back", "here")
            else None
        )
        recipient = next(
            (
                c.recipient
                for c in reversed(clauses)
                if c.recipient is not None and c.action in ("bring", "put", "take")
            ),
            None,
        )
        to_person = recipient is not None and recipient.pronoun != "me"
        if goal is not None and not to_person:
            return self._put(thing, story)
        if to_person:
            return self._give(story, main, clauses)
        if thing.size == "big" and thing.plural and not thing.superlative:
            story.thing = thing = replace(thing, superlative="largest", name="")
        if thing.superlative or thing.relation or thing.side:
            return self._bring_thing(story)
        place = story.thing_place
        if not thing.name and place is None:
            return UNKNOWN
        if main.action == "put":
            return self._put(thing, story)
        if place is not None and self._class(place) == ROOM:
            return self._find(story, clauses)
        parts = [form("is_a", "$1", quoted(OBJECT)), *self._at("$1", place)]
        return form("bring", form("lambda $1 e", *parts)) if thing.name else UNKNOWN

    def _put(self, thing: Referent, story: _Story) -> str:
        if not thing.name:
            return UNKNOWN
        parts = [form("is_a", "$1", quoted(OBJECT)), *self._at("$1", story.thing_place)]
        return form("put", form("lambda $1 e", *parts), quoted(LOCATION))

    def _give(self, story: _Story, main: Clause, clauses: Sequence[Clause]) -> str:
        person = story.person or Referent("person")
        place = [form("at", "$1", quoted(LOCATION))] if story.thing_place is not None else []
        thing = form("lambda $1 e", form("is_a", "$1", quoted(OBJECT)), *place)
        if person.name:
            at = [form("at", "$1", quoted(LOCATION))] if story.person_place is not None or place else []
            name = form("name", "$1", quoted(NAME))
            at_once = len(clauses) == 1 and not story.halves
            order = [*at, name] if place and at_once and at else [name, *at]
            return form("bring", thing, form("lambda $1 e", form("person", "$1"), *order))
        at = [form("at", "$1", quoted(ROOM))]
        gesture = form("is", "$1", quoted("<gesture>"))
        # The dataset leaves "person" out where the gesture follows it ("the person pointing left").
        named = [] if person.gesture and "gesture" not in person.text else [form("person", "$1")]
        return form("bring", thing, form("lambda $1 e", *named, gesture, *at))

    def _bring_thing(self, story: _Story) -> str:
        """Forms of things that are singled out: the biggest, the leftmost, the one behind the bowl."""
        thing = story.thing
        if thing is None:
            return UNKNOWN
        if thing.relation and thing.relatum is not None:
            inner = form("lambda $2 e", form("is_a", "$2", quoted(OBJECT)), form(thing.relation, "$1", "$2"))
            return form("bring", form("lambda $1 e", inner), quoted(LOCATION))
        side = {"left": "leftmost", "right": "rightmost"}.get(thing.side, "")
        if thing.superlative in ("leftmost", "rightmost") or (side and not thing.superlative):
            word = thing.superlative or side
            return form("bring", form("lambda $1 e", form(word, "$1", quoted(LOCATION))))
        category = [form("is_a", "$1", quoted(CATEGORY))] if _is_category(thing) else []
        superlative = self._size_word(thing.superlative, 1, bool(category))
        return form("bring", form("lambda $1 e", *category, form(superlative, "$1")), quoted(LOCATION))

    def _go(self, main: Clause, story: _Story, clauses: Sequence[Clause]) -> str:
        if story.person is not None and not story.person.is_bare():
            return self._walk(replace(main, action="follow"), story, clauses)
        goal = main.goal or main.where
        return form("go", quoted(self._class(goal))) if goal is not None else UNKNOWN


def _with_places(clause: Clause) -> Clause:
    """Take an unknown noun where a place belongs for a place: "from the wash"."""
    places = {
        slot: replace(said, kind="place")
        for slot in ("source", "goal", "where")
        if (said := getattr(clause, slot)) is not None and said.kind == "object" and said.unknown
    }
    return replace(clause, **places) if places else clause


def _is(name: str) -> str:
    return form("lambda $1 e", form("is_a", "$1", quoted(name)))


def _merged(old: Referent | None, new: Referent) -> Referent:
    if old is None or (new.name and not old.name):
        return new
    if new.is_bare():
        return old
    return replace(
        old,
        name=old.name or new.name,
        gender=old.gender or new.gender,
        posture=old.posture or new.posture,
        gesture=old.gesture or new.gesture,
        side=old.side or new.side,
    )


def _traits(person: Referent, variable: str) -> list[str]:
    if person.name:
        return [form("name", variable, quoted(NAME))]
    if person.gesture or person.side:
        return [form("is", variable, quoted("<gesture>"))]
    if person.gender in _GENDERS:
        return [form(person.gender, variable)]
    if person.posture:
        return [form(person.posture, variable)]
    return []


def _is_category(thing: Referent, *, three: bool = False) -> bool:
    """Tell the dataset's ``<category>`` ("objects", "fruits") from its plain "object"."""
    if thing.category:
        return True
    words = thing.text.split()
    if three:
        return any(word in ("objects",) for word in words)
    return thing.plural


def _asks(clause: Clause) -> bool:
    return clause.action == "tell"


def _tells_result(clause: Clause) -> bool:
    """Tell "... and tell me what it is": the clause before says what is wanted."""
    if clause.topic == "count" and (
        clause.theme is None or clause.theme.pronoun or (clause.theme.is_bare() and clause.theme.at is None)
    ):
        return True
    if clause.action != "tell" or clause.topic in ("count", "attribute", "exists", "where"):
        return False
    theme = clause.theme
    return (theme is None or bool(theme.pronoun) or theme.is_bare()) and clause.topic in (
        "",
        "property",
        "free",
    )
