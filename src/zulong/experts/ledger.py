"""What was begun and what was done, by idempotency key; written through to disk before anything moves.

A line of JSON a record, each synced before it counts. A line torn by a power cut is left out when reading.
"""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MOST = 20_000


class LedgerError(RuntimeError):
    """The ledger cannot be read or written; the message says where and what helps."""


class LedgerConflictError(ValueError):
    """One key was given to two different goals; the message names it."""


@dataclass(slots=True, frozen=True)
class Entry:
    """One key: the skill and arguments it was begun with, and its result once it succeeded."""

    skill: str
    arguments_json: str
    result: Mapping[str, Any] | None


class Ledger:
    """Remembers side effects across crashes. Safe from any thread of one process.

    Args:
        folder: where the file is kept; made if missing.

    Raises:
        LedgerError: the folder or file cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "skills.jsonl"
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._load()
            self._compact()
            self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise LedgerError(
                f"The ledger {self._path} cannot be used ({error}); set ZULONG_HOME to a writable folder."
            ) from error

    def get(self, key: str) -> Entry | None:
        """Return what is known about a key."""
        with self._lock:
            return self._entries.get(key)

    def begin(self, key: str, skill: str, arguments_json: str) -> None:
        """Record, durably, that a key's side effect may happen from now on.

        Raises:
            LedgerConflictError: the key belongs to another skill or other arguments.
            LedgerError: the disk refuses.
        """
        with self._lock:
            known = self._entries.get(key)
            if known is not None and (known.skill, known.arguments_json) != (skill, arguments_json):
                raise LedgerConflictError(
                    f"The idempotency key {key!r} was used for {known.skill} {known.arguments_json}; use a new key."
                )
            self._write({"key": key, "begin": skill, "arguments": arguments_json})
            self._entries[key] = Entry(skill, arguments_json, None)

    def finish(self, key: str, result: Mapping[str, Any]) -> None:
        """Record, durably, that the side effect has happened, with its result."""
        with self._lock:
            known = self._entries[key]
            self._write({"key": key, "done": dict(result)})
            self._entries[key] = Entry(known.skill, known.arguments_json, dict(result))

    def drop(self, key: str) -> None:
        """Record that nothing has happened: the goal failed or was cancelled before its side effect."""
        with self._lock:
            if key in self._entries:
                self._write({"key": key, "drop": True})
                del self._entries[key]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            os.close(self._file)

    def _write(self, record: Mapping[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            os.write(self._file, line.encode())
            os.fdatasync(self._file)
        except OSError as error:
            raise LedgerError(
                f"The ledger {self._path} cannot be written ({error}); free the disk."
            ) from error

    def _load(self) -> None:
        if not self._path.exists():
            return
        for line in self._path.read_bytes().split(b"\n"):
            try:
                record = json.loads(line)
                key = record["key"]
            except (ValueError, KeyError, TypeError):
                continue  # torn by a power cut: it had not counted yet
            if "begin" in record:
                self._entries[key] = Entry(str(record["begin"]), str(record["arguments"]), None)
            elif "done" in record and key in self._entries:
                known = self._entries[key]
                self._entries[key] = Entry(known.skill, known.arguments_json, record["done"])
            elif record.get("drop"):
                self._entries.pop(key, None)
        while len(self._entries) > _MOST:
            self._entries.popitem(last=False)

    def _compact(self) -> None:
        """Write what still counts into a new file and put it in the old one's place, all or nothing."""
        if not self._path.exists():
            return
        fresh = self._path.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as out:
            for key, entry in self._entries.items():
                out.write(
                    json.dumps({"key": key, "begin": entry.skill, "arguments": entry.arguments_json}) + "\n"
                )
                if entry.result is not None:
                    out.write(json.dumps({"key": key, "done": dict(entry.result)}) + "\n")
            out.flush()
            os.fsync(out.fileno())
        os.replace(fresh, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
