"""Text from outside made well-formed: half characters would break every later request, log and checkpoint."""

from __future__ import annotations

from typing import Any

_REPLACEMENT = "\ufffd"


def well_formed(text: str) -> str:
    """Return a text without half characters: pairs of surrogates are joined, lone ones replaced by U+FFFD.

    JSON may spell halves out (``"\\ud83d"``), and Python reads file names that are no UTF-8 into such.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def well_formed_value(value: Any) -> Any:
    """Return plain data with every text in it made well-formed."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [well_formed_value(item) for item in value]
    if isinstance(value, dict):
        return {well_formed_value(key): well_formed_value(item) for key, item in value.items()}
    return value


class WellFormedText:
    """Makes a text that comes in pieces well-formed: a character whose halves come apart is put together."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        """Take a piece and return what is whole of it."""
        text, self._half = self._half + piece, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return well_formed(text)

    def flush(self) -> str:
        """Return what stands for a half that was left over."""
        half, self._half = self._half, ""
        return _REPLACEMENT if half else ""
