"""The order of the legs of an English errand, and what of it is done more than once; see english_legs.py."""

from __future__ import annotations

import re

from zulong.agent.language.english_leg_cursor import COME, MOST_LEGS, LegCursor, Legs
from zulong.agent.language.english_leg_words import Piece


class LegRounds(LegCursor):
    """Reads ordinals ("first", "last of all", "step 2:") and repetition ("and do that three times").

    Args:
        found: the words, from :func:`zulong.agent.language.english_leg_words.pieces`.
    """

    def __init__(self, found: list[Piece]) -> None:
        super().__init__(found)
        self.ahead = ""
        """The ordinal that was said before the leg to come."""
        self.ordinals: list[tuple[str, int]] = []
        self.rounds = 1
        """How often it is all to be done, where that was said first."""
        self.whole = False
        """Everything that comes after belongs to the rounds."""

    def _ordinal(self) -> bool:
        piece = self._piece(self.at)
        ordinal = next((o for o in ("first", "second", "third", "last") if piece.plays(o)), "")
        if not ordinal:
            return False
        self._rounds_end()
        self.at += 1
        self.legs.marked = True
        before = self._piece(self.at - 2)
        ends = self._piece(self.at).plays("mark", "and") or not self._piece(self.at).text
        if self.legs.said and ends and self.at > 1 and not before.plays("mark", "and", "then", "polite"):
            # "kitchen first, study second"
            self.ordinals.append((ordinal, len(self.legs.said) - 1))
        else:
            self.ahead = ordinal
            self.at = self._skip(self.at, "mark")
        return True

    def _opens(self, at: int) -> bool:
        after = self._skip(at, "polite")
        return self._piece(after).plays("to", "go") or (after == at and self._piece(at).plays("place", "det"))

    def _rounds_end(self) -> None:
        """Carry out "twice to the fridge and back" before what comes then."""
        if self.rounds > 1 and self.legs.said and not self.whole:
            self.legs.said, self.legs.kinds = self.legs.said * self.rounds, self.legs.kinds * self.rounds
            self.rounds = 1

    def _step_number(self) -> bool:
        """Read "1." and "step 2:" before a leg."""
        at = self.at + (self._piece(self.at).text in ("step", "number", "stop", "task"))
        if not self._piece(at).plays("number") or not self._piece(at + 1).plays("mark"):
            return False
        if self.at and not (self._piece(self.at - 1).plays("mark") or self.legs.said):
            return False
        self.at = at + 2
        self.legs.marked = True
        return True

    def _again(self) -> bool:
        """Read "and do that three times", "then both of them once more", "all of that again"."""
        at = self.at
        both, repeat = self._piece(at).plays("both"), self._piece(at).plays("repeat")
        count, done = 0, self.legs.said
        announced = self._skip(at + 1, "repeat")
        if (
            repeat
            and not done
            and self._piece(announced).times
            and self._piece(announced + 1).text in (":", ",", "-")
        ):
            # "repeat this two times: ..."
            self.rounds, self.at = self._piece(announced).times or 1, announced + 2
            self.whole = True
            return True
        if both or repeat:
            after = self._skip(at + 1, "polite")
            piece = self._piece(after)
            if piece.plays("again"):
                count, at = 2, after + 1
            elif piece.times and repeat and not self._piece(at).text.startswith("repeat"):
                count, at = piece.times, after + 1
            elif piece.times and both and self._piece(after + 1).text == "more":
                count, at = piece.times + 1, after + 2
            elif repeat and self._piece(at).text.startswith("repeat") and self._ends(after):
                count, at = 2, after
            elif piece.times == 1 and self._piece(at).text.startswith("repeat"):
                count, at = 2, after + 1
        elif self._piece(at).times and not done and self._opens(at + 1):
            # "three times to the kitchen and back", "twice you go to the sofa"
            self.rounds, self.at = self._piece(at).times or 1, at + 1
            return True
        elif self._piece(at).times and self._ends(at + 1):
            alone = len(done) == 1 or (len(done) == 2 and done[1] == COME)
            alone = alone or set(self.legs.kinds) == {"between"}
            count, at = (self._piece(at).times or 0, at + 1) if alone else (0, at)
        if not count or not done or (both and len(done) < 2):
            return False
        again = done[-2:] if both else done
        if any(re.search(r"\b(?:it|them)\b", leg) for leg in again) or not self._ends(at):
            return False
        kinds = self.legs.kinds[-len(again) :]
        for _ in range(count - 1):
            self.legs.said = [*self.legs.said, *again]
            self.legs.kinds = [*self.legs.kinds, *kinds]
            if len(self.legs.said) > MOST_LEGS:
                return False
        self.at = at
        self.legs.marked = True
        return True

    def _between(self) -> bool:
        """Read "back and forth between the kitchen and the office"."""
        said = " ".join(piece.text for piece in self.pieces[self.at : self.at + 6])
        found = re.match(
            r"(?:(?:go|drive|run|walk|move|shuttle|travel|pace|patrol|alternate|switch|commute|ply|roll) )?"
            r"(?:(?:back and forth|to and fro|back and forwards?|up and down|"
            r"backwards? and forwards?|there and back) )?between ",
            said,
        )
        if found is None:
            return False
        first = self._place(self.at + len(found[0].split()))
        if first is None or not self._piece(first[1]).plays("and"):
            return False
        second = self._place(first[1] + 1)
        if second is None or self._piece(second[1]).times is None:
            # How often is to be asked.
            return False
        self.legs.add("between", f"go to {first[0]}", f"go to {second[0]}")
        self.legs.verbs += 1
        self.at = second[1]
        return True

    def _in_order(self) -> Legs | None:
        """Return the legs in the order that their ordinals tell."""
        if self.ahead:
            return None
        legs = self.legs
        count = len(legs.said)
        for ordinal, position in self.ordinals:
            due = {"first": 0, "second": 1, "third": 2, "last": count - 1}[ordinal]
            rest = [kind for kind in legs.kinds[position + 1 :] if kind != "wait"]
            fits = (
                position == due
                or (ordinal == "last" and (not rest or position >= due - 1))
                or ordinal in ("second", "third")
            )
            if not fits:
                return None
        return legs
