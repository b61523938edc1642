"""The words of ``config/lexicon.yaml`` joined with the names on the map.

:class:`Lexicon` is the file; :class:`Vocabulary` is the lexicon seen together with one world: a table from
phrases to senses, for one language at a time.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from zulong.resources import config_path, read_yaml

if TYPE_CHECKING:
    from zulong.agent.htn.step import WorldView

Language = Literal["zh", "en"]

SENSE_KINDS = (
    "room", "placement", "object", "category", "generic", "person", "person_noun", "colour", "garment",
    "posture", "gesture", "superlative", "size", "topic", "attribute", "verb", "polite",
)  # fmt: skip


_LANGUAGES: tuple[Language, ...] = ("en", "zh")


class LexiconError(ValueError):
    """The lexicon file does not have the expected form; the message names the entry."""


@dataclass(slots=True, frozen=True)
class Sense:
    """One meaning of a phrase.

    Attributes:
        kind: one of :data:`SENSE_KINDS`.
        value: canonical English word, action, or category id.
        ids: what carries this name on the map.
        plural: the phrase is a plural form.
        colour: a colour that is part of the name ("red cup").
        known: for an entity: it is on the map.
    """

    kind: str
    value: str
    ids: tuple[str, ...] = ()
    plural: bool = False
    colour: str = ""
    known: bool = True


class Lexicon:
    """The content of a lexicon file.

    Raises:
        LexiconError: a section is missing or has another form.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        for section in ("rooms", "placements", "objects", "categories", "verbs", "function_words"):
            if not isinstance(data.get(section), Mapping):
                raise LexiconError(
                    f"Lexicon section {section!r} is missing or is not a mapping; see lexicon.yaml."
                )

    @classmethod
    def load(cls, path: Path | None = None) -> Lexicon:
        """Read a lexicon file, by default ``config/lexicon.yaml``."""
        return cls(read_yaml(path or config_path("lexicon.yaml")))

    def words(self, section: str, name: str, language: Language) -> list[str]:
        """Return the phrases of one entry; the English name itself comes first for English."""
        entry = (self.data.get(section) or {}).get(name) or {}
        words = [str(word) for word in entry.get(language) or ()]
        return [name, *words] if language == "en" else words

    def name_in(self, language: Language, section: str, name: str) -> str:
        """Return how ``name`` is called in this language; the English name when there is no other."""
        if language == "en":
            return name
        words = self.words(section, name, "zh")
        return words[0] if words else name


def plural_of(noun: str) -> str:
    """Return the regular English plural of a noun phrase."""
    if noun.endswith("fe"):
        return noun[:-2] + "ves"
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def gerund_of(verb: str) -> str:
    """Return the -ing form of a verb phrase: "say hello" -> "saying hello"."""
    first, _, rest = verb.partition(" ")
    if first.endswith("e") and not first.endswith("ee"):
        first = first[:-1]
    elif (
        len(first) <= 4
        and first[-1] not in "aeiouwxy"
        and first[-2:-1] in "aeiou"
        and first[-3:-2] not in "aeiou"
    ):
        first += first[-1]
    return f"{first}ing {rest}".strip()


class Vocabulary:
    """Phrases and their senses for one world.

    English phrases are tuples of lower-case words, Chinese ones strings.
    """

    def __init__(self, lexicon: Lexicon, world: WorldView) -> None:
        self.lexicon = lexicon
        self.english: dict[tuple[str, ...], list[Sense]] = {}
        self.chinese: dict[str, list[Sense]] = {}
        self._section_of: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self.plurals: dict[str, str] = {}
        self.room_of = {i: str(item.get("room", "")) for i, item in world.placements.items()}
        self.category_of = {i: str(item.get("category", "")) for i, item in world.objects.items()}
        self.needs: dict[tuple[str, str], str] = {}
        self._add_places(world)
        self._add_objects(world)
        self._add_people(world)
        self._add_words()
        self.longest_en = max(map(len, self.english))
        self.longest_zh = max(map(len, self.chinese))
        self.first_words = _index_by_first(self.english)
        # Only names of things are corrected when they are misspelt: a corrected verb could change what is done.
        self.correctable = sorted(
            {
                word
                for phrase, senses in self.english.items()
                for word in phrase
                if len(word) >= 4 and any(_may_be_misspelt(sense, word) for sense in senses)
            }
        )
        self.ordinary = frozenset(str(lexicon.data.get("ordinary_words") or "").split())
        self.all_words = frozenset(word for phrase in self.english for word in phrase)

    def _add(self, language: Language, phrase: str, sense: Sense) -> None:
        if language == "en":
            key = tuple(phrase.lower().replace("-", " ").replace("'s", " 's").split())
            senses = self.english.setdefault(key, [])
        else:
            senses = self.chinese.setdefault(phrase, [])
        for index, other in enumerate(senses):
            if other.kind == sense.kind and other.value == sense.value:
                ids = tuple(dict.fromkeys((*other.ids, *sense.ids)))
                senses[index] = Sense(
                    sense.kind, sense.value, ids, other.plural, other.colour, other.known or sense.known
                )
                return
            if other.kind == sense.kind and other.known and not sense.known:
                return
            if other.kind == sense.kind and sense.known and not other.known:
                senses[index] = sense
                return
        senses.append(sense)

    def _entity(self, section: str, kind: str, name: str, ids: tuple[str, ...], known: bool = True) -> None:
        sense = Sense(kind, name, ids, known=known)
        for phrase in self.lexicon.words(section, name, "en"):
            self._add("en", phrase, sense)
            plural = plural_of(phrase)
            if kind != "room" and plural != phrase:
                self._add("en", plural, Sense(kind, name, ids, plural=True, known=known))
        for phrase in self.lexicon.words(section, name, "zh"):
            self._add("zh", phrase, sense)
        if known:
            self._add("zh", name, sense)

    def _add_places(self, world: WorldView) -> None:
        for section, kind, items in (
            ("rooms", "room", world.rooms),
            ("placements", "placement", world.placements),
        ):
            for place_id, item in items.items():
                self._entity(section, kind, str(item["name"]).lower(), (place_id,))
                self._names[place_id] = str(item["name"])
                self._section_of[place_id] = section
            present = {str(item["name"]).lower() for item in items.values()}
            if section == "placements":
                self._add_generic_placements(items)
            for name in self.lexicon.data[section]:
                if name not in present:
                    self._entity(section, kind, name, (), known=False)

    def _add_generic_placements(self, placements: Mapping[str, Mapping[str, Any]]) -> None:
        """Let "table" mean any furniture whose name ends so, unless one has just that name."""
        for word, entry in (self.lexicon.data.get("generic_placements") or {}).items():
            endings = tuple(str(ending) for ending in entry.get("names") or (word,))
            ids = tuple(i for i, item in placements.items() if str(item["name"]).lower().endswith(endings))
            if ids and not any(str(item["name"]).lower() == word for item in placements.values()):
                self._add("en", word, Sense("placement", word, ids))
            for phrase in entry.get("zh") or ():
                if ids:
                    self._add("zh", str(phrase), Sense("placement", word, ids))

    def _add_objects(self, world: WorldView) -> None:
        colours = set(self.lexicon.data.get("colours") or ())
        by_type: dict[str, list[str]] = {}
        coloured: list[tuple[str, str, str]] = []
        for object_id, item in world.objects.items():
            name = str(item["name"]).lower()
            self._names[object_id] = name
            self._section_of[object_id] = "objects"
            colour, _, rest = name.partition(" ")
            if colour in colours and rest and name not in self.lexicon.data["objects"]:
                by_type.setdefault(rest, []).append(object_id)
                coloured.append((name, rest, colour))
            else:
                by_type.setdefault(name, []).append(object_id)
        for name, rest, colour in coloured:
            self._add("en", name, Sense("object", rest, tuple(by_type[rest]), colour=colour))
        for name, ids in by_type.items():
            self._entity("objects", "object", name, tuple(ids))
        for name in self.lexicon.data["objects"]:
            if name not in by_type:
                # "the ball" where there are a tennis ball and a baseball: which of them must be asked.
                kinds = tuple(
                    i
                    for other, ids in by_type.items()
                    if other.endswith(name) or name in other.split()
                    for i in ids
                )
                several = kinds if len(kinds) > 1 else ()
                self._entity("objects", "object", name, several, known=False)
        for category_id, item in world.categories.items():
            singular = str(item["singular"]).lower()
            self._names[category_id] = singular
            self._section_of[category_id] = "categories"
            self._entity("categories", "category", singular, (category_id,))
            self.plurals[category_id] = str(item["plural"]).lower()
            self._add("en", str(item["plural"]), Sense("category", singular, (category_id,), plural=True))
        present = {str(item["singular"]).lower() for item in world.categories.values()}
        for name in self.lexicon.data["categories"]:
            if name not in present:
                self._entity("categories", "category", name, (), known=False)
        for language in _LANGUAGES:
            for word in self.lexicon.data["generic_objects"][language]:
                self._add(language, word, Sense("generic", "object"))
                if language == "en":
                    self._add(language, plural_of(word), Sense("generic", "object", plural=True))

    def _add_people(self, world: WorldView) -> None:
        names = self.lexicon.data.get("people") or {}
        by_lower = {str(name).lower(): str(name) for name in names}
        for person_id, item in world.people.items():
            name = str(item["name"])
            self._names[person_id] = name
            self._section_of[person_id] = "people"
            sense = Sense("person", name, (person_id,))
            self._add("en", name, sense)
            self._add("zh", name, sense)
            self._add("zh", name.lower(), sense)
            for phrase in self.lexicon.words("people", by_lower.get(name.lower(), name), "zh"):
                self._add("zh", phrase, sense)
        present = {str(item["name"]).lower() for item in world.people.values()}
        for name in names:
            if str(name).lower() not in present:
                self._entity("people", "person", str(name), (), known=False)
        for noun in self.lexicon.data["person_nouns"]:
            for language in _LANGUAGES:
                entry = self.lexicon.data["person_nouns"][noun].get(language) or ()
                for word in entry:
                    plural = language == "en" and word in _PERSON_PLURALS
                    self._add(language, word, Sense("person_noun", noun, plural=plural))

    def _add_words(self) -> None:
        data = self.lexicon.data
        simple = {
            "colours": "colour", "garments": "garment", "postures": "posture", "gestures": "gesture",
            "superlatives": "superlative", "sizes": "size", "topics": "topic", "person_attributes": "attribute",
            "verbs": "verb",
        }  # fmt: skip
        for section, kind in simple.items():
            for name, entry in (data.get(section) or {}).items():
                english = [str(word) for word in entry.get("en") or ()]
                if section not in ("verbs", "topics", "gestures"):
                    english.insert(0, name)
                if section == "gestures" and "_" not in name:
                    english.insert(0, name)
                for phrase in english:
                    self._add("en", phrase, Sense(kind, name))
                    if kind == "verb" and " " in phrase:
                        self._add("en", gerund_of(phrase), Sense(kind, name))
                    if kind == "garment":
                        self._add("en", plural_of(phrase), Sense(kind, name, plural=True))
                for phrase in entry.get("zh") or ():
                    self._add("zh", str(phrase), Sense(kind, name))
        for name, entry in (data.get("needs") or {}).items():
            for language in _LANGUAGES:
                for phrase in entry.get(language) or ():
                    self.needs[language, str(phrase)] = name
        for name, entry in (data.get("missing_skills") or {}).items():
            for language in _LANGUAGES:
                for phrase in entry.get(language) or ():
                    self._add(language, str(phrase), Sense("verb", f"missing:{name}"))
        dangerous = data.get("dangerous") or {}
        for language in _LANGUAGES:
            for phrase in (dangerous.get("verbs") or {}).get(language) or ():
                self._add(language, str(phrase), Sense("verb", "dangerous"))
            for phrase in (dangerous.get("phrases") or {}).get(language) or ():
                self._add(language, str(phrase), Sense("danger", "dangerous"))
            for phrase in data["function_words"]["polite"].get(language) or ():
                self._add(language, str(phrase), Sense("polite", ""))

    @property
    def ids(self) -> Mapping[str, str]:
        """What is on the map: id -> section (rooms, placements, objects, categories, people)."""
        return self._section_of

    def name(self, thing_id: str, language: Language) -> str:
        """Return how a thing, place, person or category on the map is called in this language."""
        english = self._names.get(thing_id, thing_id.replace("_", " "))
        section = self._section_of.get(thing_id)
        if language == "en" or section is None:
            return english
        if section == "objects":
            colour, _, rest = english.partition(" ")
            if (
                english not in self.lexicon.data["objects"]
                and colour in self.lexicon.data["colours"]
                and rest
            ):
                shade = self.lexicon.name_in(language, "colours", colour)
                return f"{shade}的{self.lexicon.name_in(language, 'objects', rest)}"
        key = english if section == "people" else english.lower()
        return self.lexicon.name_in(language, section, key)

    def word(self, section: str, name: str, language: Language) -> str:
        """Return a word of the lexicon in this language."""
        return self.lexicon.name_in(language, section, name).replace("_", " ")


def _may_be_misspelt(sense: Sense, word: str) -> bool:
    if sense.kind == "verb":
        return len(word) >= 5 and ":" not in sense.value and sense.value != "dangerous"
    return sense.kind not in ("polite", "topic", "danger")


_PERSON_PLURALS = frozenset(
    [
        "people",
        "persons",
        "humans",
        "guests",
        "visitors",
        "callers",
        "men",
        "boys",
        "guys",
        "males",
        "women",
        "girls",
        "ladies",
        "females",
    ]
)


def _index_by_first(phrases: Iterable[tuple[str, ...]]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    return longest


@functools.lru_cache(maxsize=4096)
def edit_distance(left: str, right: str, limit: int = 2) -> int:
    """Return the Damerau-Levenshtein distance (adjacent swaps count one), or ``limit + 1`` when it is more."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        last, row, older = row, [i], before
        for j, b in enumerate(right, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if older and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        before = last
        if min(row) > limit:
            return limit + 1
    return row[-1]
