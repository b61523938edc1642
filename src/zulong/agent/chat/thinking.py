"""Thoughts that a model writes before its reply, between tags, are not words for the user."""

from __future__ import annotations

_BEGINS = ("<think>", "<thinking>")


class WithoutThoughts:
    """Drops ``<think>...</think>`` at the begin of a text that comes in pieces.

    Servers that know the model's template send its thoughts apart; behind the others they stand in the content.
    Tags later in the text are words like any other.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._begun = False
        self._thought = False

    def feed(self, piece: str) -> str:
        """Take a piece and return what may be said of it now."""
        if self._begun:
            return piece
        self._held += piece
        if not self._closing:
            start = self._held.lstrip()
            opened = next((tag for tag in _BEGINS if start.startswith(tag)), None)
            if opened is None:
                if any(tag.startswith(start) for tag in _BEGINS):
                    return ""  # it may still become a tag
                return self.flush()
            self._closing, self._held = f"</{opened[1:]}", start[len(opened) :]
        thought, closed, rest = self._held.partition(self._closing)
        if not closed:
            self._held = thought[-len(self._closing) :]  # a tag may have come in part
            return ""
        self._closing, self._held, self._thought = "", "", True
        return self.feed(rest)

    def flush(self) -> str:
        """Return what was held back and is no thought."""
        held, self._held = self._held, ""
        if self._closing:
            return ""
        held = held.lstrip() if self._thought else held
        self._begun = self._begun or bool(held)
        return held
