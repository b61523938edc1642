"""The row of legs of an English errand, and how its words are looked at; see english_legs.py."""

from __future__ import annotations

from dataclasses import dataclass, field

from zulong.agent.language.english_leg_words import PARTS_OF_FURNITURE, Piece

MOST_LEGS = 24
COME = "come back to me"
_BETWEEN = ("mark", "and", "then", "last", "polite", "first", "second", "third", "times", "row")


@dataclass(slots=True)
class Legs:
    """What was read so far: each leg in plain words, and of what kind the last one was."""

    said: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    marked: bool = False
    """Something besides the names says that it is a row of legs."""
    verbs: int = 0
    place: str = ""
    """Where the last thing was put."""

    def add(self, kind: str, *said: str) -> None:
        self.said.extend(said)
        self.kinds.extend([kind] * len(said))


class LegCursor:
    """The words of a sentence, where the reading stands, and the legs that were read.

    Args:
        found: the words, from :func:`zulong.agent.language.english_leg_words.pieces`.
    """

    def __init__(self, found: list[Piece]) -> None:
        self.pieces = found
        self.at = 0
        self.legs = Legs()

    def _piece(self, at: int) -> Piece:
        return self.pieces[at] if at < len(self.pieces) else Piece("", frozenset())

    def _skip(self, at: int, *roles: str) -> int:
        while at < len(self.pieces) and self._piece(at).plays(*roles):
            at += 1
        return at

    def _place(self, at: int) -> tuple[str, int] | None:
        """Read a place with its article, and where at it: "the back of the sofa"."""
        at = self._skip(at, "det")
        if self._piece(at).text in PARTS_OF_FURNITURE and self._piece(at + 1).text == "of":
            at = self._skip(at + 2, "det")
        piece = self._piece(at)
        if not piece.plays("place") or self._piece(at + 1).plays("thing", "place"):
            return None
        again = (
            self._piece(at + 1).text in ("again", "once more") and f"go to the {piece.text}" in self.legs.said
        )
        within = self._skip(at + 2, "det")
        if self._piece(at + 1).text == "in" and within > at + 2 and self._piece(within).plays("place"):
            # "the desk in the office"
            return f"the {piece.text} in the {self._piece(within).text}", within + 1
        return f"the {piece.text}", at + 1 + again

    def _toward(self, at: int) -> tuple[str, int] | None:
        """Read "(over) to the kitchen", "at the desk"."""
        after = self._skip(at, "to", "at", "back", "polite")
        return self._place(after)

    def _thing(self, at: int) -> tuple[str, int] | None:
        """Read a thing with its article, number and adjectives."""
        start = at
        pair = self._piece(at).text == "both" or (
            self._piece(at).plays("both") and self._piece(at + 1).plays("det")
        )
        at = self._skip(at + pair, "det", "number")
        loose = 0
        while not self._piece(at).plays("thing") and loose < 2 and self._describes(at):
            at, loose = at + 1, loose + 1
        if not self._piece(at).plays("thing"):
            return None
        said = " ".join(piece.text for piece in self.pieces[start + pair : at + 1])
        return f"two {said.removeprefix('the ')}" if pair else said, at + 1

    def _describes(self, at: int) -> bool:
        piece = self._piece(at)
        return piece.plays("adjective") or (not piece.roles and bool(piece.text))

    def _things(self, at: int) -> tuple[str, int, bool] | None:
        """Read one thing or several, or "it"; tells whether an article or number came first."""
        if self._piece(at).plays("it") and not self._piece(at + 1).plays("thing"):
            return self._piece(at).text, at + 1, True
        found = self._thing(at)
        if found is None:
            return None
        determined = self._piece(at).plays("det")
        named, at = [found[0]], found[1]
        while True:
            after = self._skip(at, "mark") if self._piece(at).text == "," else at
            joined = self._piece(after).plays("and")
            more = self._thing(after + 1) if joined else (self._thing(after) if after > at else None)
            if more is None:
                listed = ", ".join(named[:-1])
                return f"{listed} and {named[-1]}" if listed else named[-1], at, determined
            named.append(more[0])
            at = more[1]

    def _ends(self, at: int) -> bool:
        piece = self._piece(at)
        numbered = piece.plays("number") and self._piece(at + 1).plays("mark")
        return not piece.text or numbered or piece.plays(*_BETWEEN)
