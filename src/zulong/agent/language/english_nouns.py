"""English noun phrases: "the red cup that is on the table", "the person in the office wearing a gray coat"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zulong.agent.language.english_adjectives import (
    ADJECTIVES,
    ADVERBS,
    BACK,
    CLEARED_TO,
    CONTAINERS,
    IGNORED_ADJECTIVES,
    KIN,
    PERSON_PRONOUNS,
    PITYING,
    SPACES,
    SPENT,
    START,
    TELLING_ADJECTIVES,
    THERE,
    TITLES,
)
from zulong.agent.language.meaning import Kind, Referent
from zulong.agent.language.tokens import NUMBER_WORDS, Token, whole_number

PLACE_KINDS = ("room", "placement")
_HEADS = ("object", "category", "person", "person_noun", "placement", "room", "generic")


@dataclass(slots=True)
class NounReader:
    """Reads noun phrases out of a list of tokens; positions are indices into it."""

    tokens: Sequence[Token]
    unweighed: dict[int, str] = field(default_factory=dict)
    """Adjectives that were read but that nothing can be told by, by their position."""
    idle: set[int] = field(default_factory=set)
    """Positions of words like "lying" and "located" that only say that a place follows."""

    def at(self, index: int) -> Token:
        """Return the token at this position, an empty one beyond the end."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else Token("")

    @property
    def _to_be_cleared(self) -> bool:
        """Tell whether it is about a place where used things go."""
        return any(
            token.sense("placement") and token.value("placement") in CLEARED_TO for token in self.tokens
        )

    # -- the phrase ----------------------------------------------------------------------------------------

    def read(self, index: int, *, attach: bool = True) -> tuple[Referent, int] | None:
        """Read a noun phrase that starts here.

        Args:
            index: where it starts.
            attach: take a following "in the kitchen" as part of the phrase; relative clauses always are.

        Returns:
            the referent and the position after it, or None when no noun phrase starts here.
        """
        start = index
        token = self.at(index)
        if token.plays("pron") and not self._is_determiner(index):
            return self._pronoun(index, attach)
        if token.text in ("that", "this", "these", "those") and self._stands_alone(index + 1):
            plural = token.text in ("these", "those")
            return Referent("object", text=token.text, pronoun="it", definite=True, plural=plural), index + 1
        base = Referent("object")
        index, base = self._premodifiers(index, base)
        head = self._head(index, base, determined=index > start)
        if head is None:
            return None
        referent, index = head
        referent = replace(referent, text=self._text(start, index))
        referent, index = self.postmodifiers(referent, index, attach)
        return referent, index

    def _stands_alone(self, index: int) -> bool:
        """Tell "put that on the desk" from "put that cup on the desk" by what comes after "that"."""
        token = self.at(index)
        return (
            not token.text
            or token.plays("punct", "conj")
            or token.text in ("there", "here", "too", "back", "away", "over there", "over here", "please")
            or (bool(token.role_of("prep")) and not token.has(*_HEADS))
        )

    def _is_determiner(self, index: int) -> bool:
        """Tell "her question" from "follow her", "that cup" from "that"."""
        token, after = self.at(index), self.at(index + 1)
        if not token.plays("det"):
            return False
        return after.has(*_HEADS, "colour", "superlative", "size", "posture", "attribute") or after.plays(
            "question", "one", "number"
        )

    def _text(self, start: int, end: int) -> str:
        return " ".join(token.text for token in self.tokens[start:end])

    def _pronoun(self, index: int, attach: bool) -> tuple[Referent, int] | None:
        word = self.at(index).text
        if word in BACK or word in START or word in THERE or word in ("that one", "this one", "it"):
            kind: Kind = "object" if word in ("it", "that one", "this one") else "place"
            name = (
                "back" if word in BACK else "start" if word in START else "there" if word in THERE else word
            )
            return Referent(kind, text=word, pronoun=name, definite=True), index + 1
        if word in ("everyone", "everybody"):
            everyone = Referent("person", text=word, number=-1, plural=True, definite=True)
            return self.postmodifiers(everyone, index + 1, attach)
        if word in PERSON_PRONOUNS:
            canonical = {
                "they": "them",
                "he": "him",
                "she": "her",
                "us": "me",
                "we": "me",
                "i": "me",
                "myself": "me",
            }
            referent = Referent("person", text=word, pronoun=canonical.get(word, word), definite=True)
            if referent.pronoun in ("me", "you"):
                return referent, index + 1
            return self.postmodifiers(referent, index + 1, attach)
        return None

    def _premodifiers(self, index: int, base: Referent) -> tuple[int, Referent]:
        while True:
            token = self.at(index)
            if token.plays("det"):
                demonstrative = token.text in ("this", "that", "these", "those")
                base = replace(base, definite=True, demonstrative=base.demonstrative or demonstrative)
            elif token.plays("indef"):
                one = token.text.startswith(("one of", "any of"))
                base = replace(base, definite=False, number=1 if one else base.number)
                if token.text == "each" and self.at(index + 1).has("person_noun", "person"):
                    # "a cola for each person" is more than one; "an apple each" is told elsewhere.
                    base = replace(base, definite=True, number=-1)
            elif token.plays("all"):
                base = replace(base, number=2 if token.text == "both" else -1, definite=True)
            elif token.plays("number") and (
                self.at(index + 1).has(*_HEADS, *ADJECTIVES) or self.at(index + 1).plays("one", "prep:of")
            ):
                base = replace(base, number=_number(token))
                if self.at(index + 1).plays("prep:of"):
                    index += 1
                    if self.at(index + 1).text in ("each", "every"):
                        # "two of each fruit": how many that are is not followed.
                        self.unweighed[index + 1] = self.at(index + 1).text
            elif token.plays("one") and self.at(index + 1).has(*_HEADS, *ADJECTIVES):
                base = replace(base, number=1)
            elif token.has("colour") and self._colour_not_noun(index):
                sense = token.need("colour")
                base = replace(base, colour=sense.value)
            elif token.has("superlative"):
                sense = token.need("superlative")
                base = replace(base, superlative=sense.value)
            elif token.text == "most" and self.at(index + 1).has("size"):
                pass
            elif token.has("size") and not token.has(*_HEADS):
                sense = token.need("size")
                base = replace(base, size=sense.value)
            elif token.has("posture") and self.at(index + 1).has("person_noun", "person"):
                sense = token.need("posture")
                base = replace(base, posture=sense.value)
            elif token.has("gesture") and self.at(index + 1).has("person_noun", "person"):
                sense = token.need("gesture")
                base = replace(base, gesture=sense.value)
            elif token.text in ("left", "right") and self.at(index + 1).has(*_HEADS):
                base = replace(base, side=token.text)
            elif token.has("person_noun") and self.at(index + 1).has("person_noun"):
                sense = token.need("person_noun")
                if sense.value in ("male", "female"):
                    base = replace(base, gender=sense.value)
            elif token.text in TELLING_ADJECTIVES and self.at(index + 1).has(*_HEADS, *ADJECTIVES):
                if token.text in SPENT and self._to_be_cleared and self.at(index + 1).has_one("object"):
                    self.idle.add(index)
                else:
                    self.unweighed[index] = token.text
            elif (token.text in PITYING and self.at(index + 1).has("person")) or (
                token.text in IGNORED_ADJECTIVES
                and (
                    self.at(index + 1).has(*_HEADS, *ADJECTIVES) or self.at(index + 1).plays("number", "one")
                )
            ):
                pass
            else:
                return index, base
            index += 1

    def _colour_not_noun(self, index: int) -> bool:
        token, after = self.at(index), self.at(index + 1)
        if not token.has("object"):
            return True
        return after.has("object", "generic", "category", "garment", "colour", "size") or after.plays("one")

    def _head(self, index: int, base: Referent, *, determined: bool) -> tuple[Referent, int] | None:
        token = self.at(index)
        room = token.sense("room")
        after = self.at(index + 1)
        if room and after.has("placement"):
            # "the kitchen counter" where the map has no such name: the counter that is in the kitchen.
            inner = self._head(index + 1, base, determined=True)
            if inner is not None:
                return replace(inner[0], at=_place(token, room.kind)), inner[1]
        if token.has("placement") and after.has("object") and not after.has("placement"):
            inner = self._head(index + 1, base, determined=True)
            if inner is not None and determined:
                return replace(inner[0], at=_place(token, "placement")), inner[1]
        if token.plays("one") and not determined and not self.at(index + 1).senses:
            return replace(base, pronoun="it"), index + 1
        if (
            token.plays("one")
            and self.at(index - 1).text == "another"
            and self.at(index - 2).plays("conj", "punct")
        ):
            # "(an apple on the desk) and another one on the bed"
            return replace(base, pronoun="it"), index + 1
        if token.plays("one") and base.definite and not (base.colour or base.size):
            described = index + 2 if self.at(index + 1).plays("be") else index + 1
            clothed = self.at(index + 1).plays("prep:in", "prep:with", "wear") and any(
                self.at(index + ahead).has("garment") for ahead in (2, 3, 4)
            )
            described_so = self.at(described).has("posture", "gesture") or clothed
            if self.at(index + 1).text in ("who", "whom") or described_so:
                # "the one who is waving"
                return replace(base, kind="person", plural=token.text == "ones"), index + 1
        if token.plays("one") and (base.colour or base.size or base.superlative or base.definite):
            return replace(base, plural=token.text == "ones"), index + 1
        if token.has(*_HEADS):
            return self._space(index, base) or self._compound(index, base) or self._known_head(index, base)
        if base.colour and not (token.text and self.is_plain_unknown(index)):
            ahead = self.read(index + 1, attach=False) if token.text == "and" else None
            if ahead is not None and ahead[0].colour and ahead[0].name and ahead[0].kind == "object":
                # "the red and the blue cup"
                return replace(base, name=ahead[0].name, ids=ahead[0].ids), index
            return base, index
        if base.superlative and not self.is_plain_unknown(index):
            return base, index
        if base.number == -1:
            return replace(base, plural=True), index
        if token.plays("alone") and after.plays("prep:of"):
            # "the top of the table": the part is not what matters.
            return self._head(self._premodifiers(index + 2, base)[0], base, determined=True)
        if determined and (self.is_plain_unknown(index) or self._verb_as_noun(index)):
            return self._unknown_head(index, base)
        if self.is_plain_unknown(index) and not determined and token.text.isalpha():
            return self._unknown_head(index, base)
        if base.demonstrative or base.side:
            return None
        return None

    def _compound(self, index: int, base: Referent) -> tuple[Referent, int] | None:
        """Read "apple juice" as one thing, which is none of the two, and "milk carton" as the milk."""
        token, after = self.at(index), self.at(index + 1)
        if not token.has("object", "category") or token.has("person", "person_noun") or base.plural:
            return None
        if after.text in CONTAINERS and token.has("object"):
            head = self._known_head(index, base)
            return head[0], index + 2
        if after.has("generic") and token.has("category"):
            # "a food item"
            head = self._known_head(index, base)
            return replace(head[0], plural=after.need("generic").plural), index + 2
        if (
            after.plays("one")
            and base.definite
            and token.has("object")
            and not self.at(index + 2).has(*_HEADS)
        ):
            # "the chocolate one": which of several kinds.
            head = self._known_head(index, base)
            return replace(head[0], plural=after.text == "ones"), index + 2
        noun = after.has("object", "category") and not after.has("verb", "colour", "superlative", "posture")
        sense = token.sense("object", "category")
        if not noun or after.roles or sense is None or sense.plural:
            return None
        end = index + 1
        while self.at(end).has("object", "category") and not self.at(end).roles:
            end += 1
        return replace(base, name=self._text(index, end), unknown=True), end

    def _space(self, index: int, base: Referent) -> tuple[Referent, int] | None:
        """Read "the food preparation room" as a place without a name on the map."""
        end = index + 1
        while end < index + 3 and self.is_plain_unknown(end) and self.at(end).text not in SPACES:
            end += 1
        named = self.at(index).has("object", "category") or (
            self.at(index).has("placement") and end == index + 1
        )
        if not named or self.at(end).text not in SPACES:
            return None
        return replace(base, kind="place", name=self._text(index, end + 1), unknown=True), end + 1

    def is_plain_unknown(self, index: int) -> bool:
        """Return whether the word there is one that neither the vocabulary nor the grammar knows."""
        token = self.at(index)
        adverb = token.text.endswith("ly") and len(token.text) > 5
        adverb = adverb or token.text in ADVERBS
        return bool(token.text) and not token.senses and not token.roles and not adverb

    def _verb_as_noun(self, index: int) -> bool:
        """Tell "the meeting" from an order to meet."""
        token = self.at(index)
        only_verb = token.has("verb") and all(sense.kind in ("verb", "polite") for sense in token.senses)
        opened = self.at(index - 1).text in ("the", "a", "an", "my", "your", "his", "their", "our", "this")
        return only_verb and not token.roles and opened and not self.at(index + 1).has(*_HEADS)

    def _unknown_head(self, index: int, base: Referent) -> tuple[Referent, int]:
        start = index
        while self.is_plain_unknown(index) or (index == start and self._verb_as_noun(index)):
            index += 1
        if self.at(index).has("generic", "person_noun", "placement", "object") and not self.at(index).plays(
            "pron"
        ):
            # "the wooden thing", "the xyz person": an unknown adjective.
            inner = self._known_head(index, base)
            referent = replace(
                inner[0], name=f"{self._text(start, index)} {inner[0].name}".strip(), unknown=True, ids=()
            )
            return referent, inner[1]
        if self.at(index - 1).text in SPACES and base.kind == "object":
            return replace(base, kind="place", name=self._text(start, index), unknown=True), index
        kin = self.at(index - 1).text in KIN or self.at(start).text in TITLES
        return replace(
            base, kind="person" if kin else base.kind, name=self._text(start, index), unknown=True
        ), index

    def _known_head(self, index: int, base: Referent) -> tuple[Referent, int]:
        token = self.at(index)
        sense = token.need(*_HEADS)
        plural = sense.plural
        if sense.kind in PLACE_KINDS:
            place = replace(base, kind="place", name=sense.value, ids=sense.ids, unknown=False, plural=plural)
            return place, index + 1
        if sense.kind == "person" and self.at(index + 1).plays("poss") and self.at(index + 2).text in KIN:
            # "Jane's brother" is somebody else.
            return replace(base, kind="person", name=self._text(index, index + 3), unknown=True), index + 3
        if (
            sense.kind == "person"
            and self.at(index + 1).plays("poss")
            and self.at(index + 2).has(*PLACE_KINDS)
        ):
            # "Axel's desk": whose it is does not matter.
            self.idle.add(index)
            return self._known_head(index + 2, base)
        if sense.kind == "person":
            return replace(base, kind="person", name=sense.value, ids=sense.ids, definite=True), index + 1
        if sense.kind == "person_noun" and not plural and self.at(index + 1).has("person"):
            # "our guest Adel"
            return self._known_head(index + 1, base)
        if sense.kind == "person_noun":
            gender = sense.value if sense.value in ("male", "female", "child", "pet") else base.gender
            return replace(base, kind="person", gender=gender, plural=plural), index + 1
        if sense.kind == "category":
            return replace(base, category=sense.value, ids=sense.ids, plural=plural), index + 1
        if sense.kind == "generic":
            return replace(base, plural=plural), index + 1
        thing = replace(
            base, name=sense.value, ids=sense.ids, colour=sense.colour or base.colour, plural=plural
        )
        shade, after = self.at(index + 1), self.at(index + 2)
        if shade.has("colour") and not (thing.colour or shade.has("object")) and not after.has(*_HEADS):
            # "cup blue"
            return replace(thing, colour=shade.need("colour").value), index + 2
        return thing, index + 1

    # -- what follows the head -----------------------------------------------------------------------------

    def postmodifiers(self, referent: Referent, index: int, attach: bool) -> tuple[Referent, int]:
        while True:
            step = (
                self.relative(referent, index)
                or self.attribute(referent, index)
                or self._garment(referent, index)
                or self._relation(referent, index)
                or (self._resting(referent, index) if attach else None)
                or (self._location(referent, index) if attach else None)
            )
            if step is None:
                return referent, index
            referent, index = step

    def relative(self, referent: Referent, index: int) -> tuple[Referent, int] | None:
        """Read "that is on the table", "who is waving", "located in the kitchen", "which weighs the most"."""
        start = index
        comma = self.at(index).text == "," and self.at(index + 1).plays("rel") and referent.kind != "place"
        if comma:
            index += 1
        opened = self.at(index).plays("rel") and not self.at(index).plays("prep:in")
        if opened:
            index += 1
        if self.at(index).plays("be") and (opened or referent.kind == "person"):
            if not (opened or self.at(index - 1).text == "whoever") and not (
                self.at(index + 1).has("posture", "gesture") or self.at(index + 1).plays("wear")
            ):
                return None
            index += 1
            opened = True
        while self.at(index).plays("located") or (
            self.at(index).text in ("just", "currently", "right", "sitting", "lying", "also", "still", "now")
            and self._locative(index + 1)
        ):
            said = self.at(index).text.startswith(("you ", "that you ", "i "))
            if self.at(index).plays("located") and not (opened or said or self._locative(index + 1)):
                return None
            if self.at(index).has("posture") and referent.kind == "person":
                break
            self.idle.add(index)
            index += 1
            opened = True
        if self.at(index).plays("have") and opened:
            if self.at(index + 1).has("gesture"):
                index += 1
            elif self.at(index + 1).plays("question") or self.at(index + 2).plays("question"):
                return referent, index + (2 if self.at(index + 1).plays("question") else 3)
        if not opened:
            return None
        if referent.kind == "place":
            return self._location(referent, index)
        there_is = opened and self.at(index).text in ("is there", "are there")
        if there_is or (
            self.at(index).text in ("there", "over there", "in there")
            and self.at(start).plays("rel", "located")
        ):
            # "the apple that is there"
            there = Referent("place", text="there", pronoun="there", definite=True)
            return (replace(referent, at=there), index + 1) if referent.at is None else None
        step = (
            self.attribute(referent, index)
            or self._garment(referent, index)
            or self._relation(referent, index)
            or self._location(referent, index)
        )
        if step is not None:
            return step
        after = index + 1 if self.at(index).role_of("prep") in ("at", "on", "in") else index
        after = after + 1 if self.at(after).plays("det") else after
        if self.at(after).has("superlative"):
            sense = self.at(after).need("superlative")
            return replace(referent, superlative=sense.value), after + 1
        if self.at(index).has("colour"):
            sense = self.at(index).need("colour")
            return replace(referent, colour=sense.value), index + 1
        return (
            (referent, index)
            if index > start and comma is False and self.at(start).plays("located")
            else None
        )

    def _locative(self, index: int) -> bool:
        return self.at(index).role_of("prep") in ("in", "on", "at") or bool(self.at(index).role_of("rel"))

    def attribute(self, referent: Referent, index: int) -> tuple[Referent, int] | None:
        token = self.at(index)
        if token.text == "," and self.at(index + 1).has("gesture"):
            return self.attribute(referent, index + 1)
        if token.plays("not") and self.at(index + 1).has("posture", "gesture"):
            return None
        if token.has("superlative") and referent.kind == "object" and not referent.superlative:
            sense = token.need("superlative")
            return replace(referent, superlative=sense.value), index + 1
        side = token.role_of("side")
        if side and not referent.side and not self.at(index + 1).has("person_noun"):
            return replace(referent, side=side), index + 1
        if referent.kind != "person":
            return None
        if token.has("gesture") and not referent.gesture:
            sense = token.need("gesture")
            return replace(referent, gesture=sense.value), self._skip_there(index + 1)
        if token.has("posture") and referent.posture == token.value("posture"):
            return referent, index + 1
        if token.has("posture") and not referent.posture:
            sense = token.need("posture")
            return replace(referent, posture=sense.value), self._skip_there(index + 1)
        if token.plays("name") and self.at(index + 1).has("person"):
            sense = self.at(index + 1).need("person")
            return replace(referent, name=sense.value, ids=sense.ids), index + 2
        if token.plays("prep:with") and self.at(index + 1).has("gesture"):
            return self.attribute(referent, index + 1)
        return None

    def _skip_there(self, index: int) -> int:
        return index + 1 if self.at(index).text in ("there", "down", "up") else index

    def _garment(self, referent: Referent, index: int) -> tuple[Referent, int] | None:
        if referent.kind != "person":
            return None
        dressed = self.at(index).plays("have") and (
            self.at(index + 1).has("garment")
            or (self.at(index + 1).has("colour") and self.at(index + 2).has("garment"))
        )
        wears = self.at(index).plays("wear") or dressed
        if not wears and not (self.at(index).plays("prep:in", "prep:with")):
            return None
        index += 1
        if self.at(index).plays("det", "indef"):
            index += 1
        colour = ""
        if self.at(index).has("colour"):
            sense = self.at(index).need("colour")
            colour = sense.value
            index += 1
        if self.at(index).has("garment"):
            garment = self.at(index).need("garment")
            index += 2 if dressed and self.at(index + 1).text == "on" else 1
            return replace(referent, garment=garment.value, garment_colour=colour), index
        if colour and not self.at(index).has(*_HEADS):
            return replace(referent, garment_colour=colour), index
        if wears and self.is_plain_unknown(index):
            return replace(
                referent, garment=self.at(index).text, garment_colour=colour, unknown=True
            ), index + 1
        return None

    def _resting(self, referent: Referent, index: int) -> tuple[Referent, int] | None:
        """Read "(the apple) on the plate", "(the apple) in the bowl": what one thing lies on or in singles it out."""
        if self.at(index).text not in ("on", "in", "inside", "on top of"):
            return None
        if referent.kind != "object" or referent.pronoun or referent.relation or referent.unknown:
            return None
        lower = self.read(index + 1, attach=False)
        if lower is None or lower[0].kind != "object" or not lower[0].name or lower[0].unknown:
            return None
        if not lower[0].definite or self.at(lower[1]).has(*_HEADS):
            # "the milk in a cup": that is how it is to be served.
            return None
        return replace(referent, relation="on_top_of", relatum=lower[0]), lower[1]

    def _relation(self, referent: Referent, index: int) -> tuple[Referent, int] | None:
        """Read "behind the bowl": a relation to an object; to furniture it is just a place."""
        if self.at(index).text == ",":
            return self._relation(referent, index + 1) if self.at(index + 1).role_of("rel") else None
        relation = self.at(index).role_of("rel")
        on_top = self.at(index).text in ("on top of", "on the top of", "atop")
        bare = referent.kind == "object" and referent.is_bare() and not referent.unknown
        if not on_top and bare and self.at(index).text == "on":
            # "the thing on the bowl"
            lower = self.read(index + 1, attach=False)
            on_top = lower is not None and lower[0].kind == "object" and bool(lower[0].name)
        if not relation and not on_top:
            return None
        inner = self.read(index + 1, attach=True)
        if inner is None:
            return None
        target, after = inner
        if target.kind == "object" and referent.kind == "place":
            return None
        if target.kind == "object" and not referent.relation:
            at = target.at
            target = replace(target, at=None)
            placed = replace(referent, relation=relation or "on_top_of", relatum=target)
            return (replace(placed, at=at) if at is not None and referent.at is None else placed), after
        if target.kind == "place" and relation and referent.at is None:
            if relation in ("left_of", "right_of") and referent.kind == "object":
                return replace(referent, side=relation[:-3], at=target), after
            return replace(referent, at=replace(target, relation=relation)), after
        return None

    def _location(self, referent: Referent, index: int) -> tuple[Referent, int] | None:
        if self.at(index).text == "," and self._locative(index + 1) and referent.kind == "person":
            return self._location(referent, index + 1)
        preposition = self.at(index).role_of("prep")
        if self.at(index).plays("conj"):
            return None
        if self.at(index).text in ("over", "right", "down", "up", "just") and self._locative(index + 1):
            return self._location(referent, index + 1)
        if preposition not in ("in", "on", "at") or (referent.at is not None and referent.kind != "object"):
            return None
        inner = self.read(index + 1, attach=False)
        if inner is not None and inner[0].kind == "place" and referent.kind != "place":
            room = (
                self.read(inner[1] + 1, attach=False) if self.at(inner[1]).text in ("in", "inside") else None
            )
            if room is not None and room[0].kind == "place" and self.at(inner[1] + 1).plays("det"):
                inner = replace(inner[0], at=room[0]), room[1]
        if inner is None or inner[0].kind != "place" or inner[0].pronoun in ("back", "start"):
            return None
        place, after = inner
        furniture = referent.kind == "place" and self.at(index).text in ("in", "on", "onto", "into")
        if referent.at is not None or (furniture and not self.at(after - 1).has("room")):
            # "(put the cup on) the sofa on the desk": no furniture is on other furniture.
            return None
        return replace(referent, at=place), after


def _number(token: Token) -> int:
    if token.text in NUMBER_WORDS:
        return NUMBER_WORDS[token.text]
    return whole_number(token.text) if token.text[0].isdigit() else 1


def _place(token: Token, kind: str) -> Referent:
    sense = token.need(kind)
    return Referent("place", text=token.text, ids=sense.ids, name=sense.value, definite=True)
