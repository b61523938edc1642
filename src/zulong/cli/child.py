"""One node as a process: its start, its log, its end."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

LOG_LIMIT_BYTES = 8 * 1024 * 1024
_ROS_LINE = re.compile(r"^\[(?P<severity>[A-Z]+)\] \[[\d.]+\] \[[^\]]*\]: (?P<text>.*)$")


def shorten(line: str) -> str:
    """Return a log line without the stamp and node name that its prefix tells already."""
    match = _ROS_LINE.match(line)
    if match is None:
        return line
    severity = "" if match["severity"] == "INFO" else f"{match['severity']} "
    return f"{severity}{match['text']}"


class Child:
    """A process whose output goes straight to its log file.

    A pipe would make a node wait when its reader is slow, and break it when its reader dies; a file never does.
    """

    def __init__(self, name: str, command: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.started = time.monotonic()
        self._log = log
        self._offset = log.stat().st_size if log.exists() else 0
        self._partial = b""
        with log.open("ab") as sink:
            # A group of its own: Ctrl-C in the terminal reaches the supervisor alone, which ends the nodes in order.
            self._process = subprocess.Popen(
                list(command),
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                process_group=0,
            )

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """Return the exit status (negative: the signal that ended it), or None while it runs."""
        return self._process.poll()

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it and everything it started."""
        self._signal(signal.SIGKILL, group=True)

    def _signal(self, number: int, group: bool = False) -> None:
        if self._process.poll() is not None and not group:
            return
        try:
            if group:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)
        except (ProcessLookupError, PermissionError):
            pass

    def new_lines(self) -> list[str]:
        """Return the whole lines that were logged since the last call; keeps the log file bounded."""
        try:
            with self._log.open("rb") as source:
                source.seek(self._offset)
                piece = source.read(256 * 1024)
        except OSError:
            return []
        self._offset += len(piece)
        *lines, self._partial = (self._partial + piece).split(b"\n")
        if self._offset > LOG_LIMIT_BYTES:
            shutil.copyfile(self._log, self._log.with_suffix(".log.1"))
            os.truncate(self._log, 0)
            self._offset = 0
        return [line.decode("utf-8", "replace") for line in lines]


def describe_exit(code: int) -> str:
    """Say in words how a process ended."""
    if code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
    return f"ended with status {code}"


def node_command(module: str, arguments: Sequence[str]) -> list[str]:
    """Return the command line that runs a node's module with ROS ``arguments``."""
    return [sys.executable, "-m", module, "--ros-args", *arguments]
