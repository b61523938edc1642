"""What people see of the running system: one prefix a node, in colour on a terminal."""

from __future__ import annotations

import sys
from typing import TextIO

from zulong.cli.child import shorten

_COLOURS = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)  # SGR numbers that read well on dark and light
_BOLD, _RED, _YELLOW = 1, 31, 33


class Console:
    """Writes prefixed lines; a closed terminal is no reason to fail."""

    def __init__(self, nodes: list[str], stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._colour = self._stream.isatty()
        self._width = max([len(name) for name in nodes] + [len("zulong")])
        self._codes = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(nodes)}
        self._quiet = quiet

    def say(self, text: str) -> None:
        """Write a line of the supervisor's own."""
        self._write("zulong", _BOLD, text)

    def node_line(self, name: str, line: str) -> None:
        """Write a line from a node's log."""
        if self._quiet:
            return
        text = shorten(line)
        if self._colour and text.startswith(("ERROR", "FATAL")):
            text = f"\033[{_RED}m{text}\033[0m"
        elif self._colour and text.startswith("WARN"):
            text = f"\033[{_YELLOW}m{text}\033[0m"
        self._write(name, self._codes.get(name, _BOLD), text)

    def _write(self, name: str, code: int, text: str) -> None:
        prefix = f"{name:<{self._width}} |"
        if self._colour:
            prefix = f"\033[{code}m{prefix}\033[0m"
        try:
            self._stream.write(f"{prefix} {text}\n")
            self._stream.flush()
        except (OSError, ValueError):
            pass
