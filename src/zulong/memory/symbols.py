"""Short texts that many nodes share (robots, persons, sessions, rooms, frames), stored once and numbered."""

from __future__ import annotations

from collections.abc import Mapping


class Symbols:
    """Number <-> text; 0 is the empty text. Numbers are never reused."""

    def __init__(self, known: Mapping[int, str] | None = None) -> None:
        self._texts: dict[int, str] = {0: "", **(known or {})}
        self._numbers = {text: number for number, text in self._texts.items()}
        self.next_number = max(self._texts) + 1

    def text(self, number: int) -> str:
        """Return the text of a number; empty for one that was forgotten."""
        return self._texts.get(number, "")

    def number(self, text: str) -> int | None:
        """Return the number of a text, None if no node ever used it."""
        return self._numbers.get(text)

    def add(self, number: int, text: str) -> None:
        """Make a stored pair known."""
        self._texts[number] = text
        self._numbers[text] = number
        self.next_number = max(self.next_number, number + 1)

    def drop(self, number: int) -> None:
        """Forget a text; its number stays taken."""
        text = self._texts.pop(number, None)
        if text is not None:
            self._numbers.pop(text, None)
