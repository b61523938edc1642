"""Summaries in SQLite: full text by FTS5, meaning by vectors. A cache of what the memory holds, never the truth.

FTS5 has no notion of Chinese words, so that each text goes in as the terms that the keyword index uses (stems
and CJK bigrams), parted by blanks.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zulong.embedding import Embedder, EmbeddingError
from zulong.embedding.protocol import Vectors
from zulong.embedding.tokens import terms
from zulong.memory.model import SUMMARY_TAG, Node

_LOG = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS summary (
    uid INTEGER PRIMARY KEY, id TEXT NOT NULL, label TEXT NOT NULL, start REAL NOT NULL, stop REAL NOT NULL,
    embedder TEXT NOT NULL, vector BLOB
);
CREATE INDEX IF NOT EXISTS summary_time ON summary (start, stop);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(terms, tokenize='unicode61');
"""
_VERSION = "1"


@dataclass(slots=True, frozen=True)
class SummaryScore:
    """One summary found: its uid and id, the share of the best word score, and the cosine (0 without vectors)."""

    uid: int
    id: str
    words: float
    cosine: float

    @property
    def score(self) -> float:
        """Words and meaning in equal parts."""
        return 0.5 * self.words + 0.5 * max(self.cosine, 0.0)


class SummaryStore:
    """The summaries of one memory in one SQLite file; a damaged file is made anew.

    Args:
        path: the file; its folder is made if needed.
        embedder: gives the vectors; summaries are few, so that they are embedded as they come.
    """

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._path = path
        self._embedder = embedder
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._database = self._open()
        except sqlite3.DatabaseError as error:
            _LOG.warning("The summaries in %s cannot be read (%s); they are made again.", path, error)
            path.unlink(missing_ok=True)
            self._database = self._open()

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        # A cache: its loss costs time only. What is deleted is overwritten, for the sake of those who asked.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA secure_delete = ON")
        database.executescript(_SCHEMA)
        row = database.execute("SELECT value FROM about WHERE key = 'version'").fetchone()
        if row is not None and row[0] != _VERSION:
            database.close()
            raise sqlite3.DatabaseError(f"version {row[0]} instead of {_VERSION}")
        database.execute("INSERT OR REPLACE INTO about VALUES ('version', ?)", (_VERSION,))
        database.execute("SELECT count(*) FROM summary").fetchone()
        return database

    def close(self) -> None:
        """Close the file; harmless when called twice."""
        with self._lock:
            self._database.close()

    # -- writing ----------------------------------------------------------------------------------------

    def put(self, nodes: Iterable[Node]) -> None:
        """Take in the summaries among ``nodes``; one that is there is replaced, one that is none any more goes."""
        changed = list(nodes)
        wanted = [node for node in changed if SUMMARY_TAG in node.tags]
        try:
            matrix = self._embedder.embed([node.text for node in wanted]) if wanted else None
        except EmbeddingError as error:
            _LOG.warning("%d summaries have no vectors for now: %s", len(wanted), error)
            matrix = None
        with self._lock, self._database:
            self._database.execute("BEGIN")
            self._delete(node.uid for node in changed)
            for row, node in enumerate(wanted):
                meta = node.meta
                start, stop = float(meta.get("from", node.stamp)), float(meta.get("to", node.stamp))
                vector = None if matrix is None else matrix[row].astype("<f4").tobytes()
                name = self._embedder.name if vector is not None else ""
                self._database.execute(
                    "INSERT INTO summary VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (node.uid, node.id, str(meta.get("label", "")), start, stop, name, vector),
                )
                self._database.execute(
                    "INSERT INTO words (rowid, terms) VALUES (?, ?)", (node.uid, _searchable(node.text))
                )

    def remove(self, uids: Collection[int]) -> int:
        """Remove these summaries; returns how many there were."""
        with self._lock, self._database:
            self._database.execute("BEGIN")
            return self._delete(uids)

    def count(self, uids: Iterable[int]) -> int:
        """Return how many of these memories are summaries here."""
        with self._lock:
            found = (
                self._database.execute("SELECT 1 FROM summary WHERE uid = ?", (uid,)).fetchone()
                for uid in uids
            )
            return sum(row is not None for row in found)

    def _delete(self, uids: Iterable[int]) -> int:
        count = 0
        for uid in uids:
            if self._database.execute("DELETE FROM summary WHERE uid = ?", (uid,)).rowcount:
                self._database.execute("DELETE FROM words WHERE rowid = ?", (uid,))
                count += 1
        return count

    def clear(self) -> None:
        """Remove everything, to be filled again."""
        with self._lock, self._database:
            self._database.execute("BEGIN")
            self._database.execute("DELETE FROM summary")
            self._database.execute("DELETE FROM words")

    def purge(self) -> None:
        """Rewrite the file, so that words of removed summaries stand in no index page either."""
        with self._lock:
            self._database.execute("INSERT INTO words (words) VALUES ('optimize')")
            self._database.execute("VACUUM")

    @property
    def txn_id(self) -> int | None:
        """The transaction of the memory that the file reflects, None for a new file."""
        with self._lock:
            row = self._database.execute("SELECT value FROM about WHERE key = 'txn'").fetchone()
        return None if row is None else int(row[0])

    @txn_id.setter
    def txn_id(self, value: int) -> None:
        with self._lock:
            self._database.execute("INSERT OR REPLACE INTO about VALUES ('txn', ?)", (str(value),))

    # -- reading ----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        with self._lock:
            return int(self._database.execute("SELECT count(*) FROM summary").fetchone()[0])

    def search(self, text: str, n: int) -> list[SummaryScore]:
        """Return the ``n`` summaries that fit a question best, by words and meaning."""
        words = self._by_words(text, 4 * n)
        cosines = self._by_meaning(text)
        best = max(words.values(), default=0.0)
        found = [
            SummaryScore(uid, id, words.get(uid, 0.0) / best if best > 0 else 0.0, cosines.get(uid, 0.0))
            for uid, id in self._ids(words.keys() | cosines.keys())
        ]
        found = [one for one in found if one.words > 0 or one.cosine > 0.2]
        return sorted(found, key=lambda one: (-one.score, one.uid))[:n]

    def between(self, start: float, stop: float) -> list[int]:
        """Return the uids of the summaries of [start, stop) (seconds since the epoch), oldest first."""
        with self._lock:
            rows = self._database.execute(
                "SELECT uid FROM summary WHERE start < ? AND stop >= ? ORDER BY start, uid", (stop, start)
            ).fetchall()
        return [int(uid) for (uid,) in rows]

    def _by_words(self, text: str, n: int) -> dict[int, float]:
        wanted = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms(text)))
        if not wanted:
            return {}
        with self._lock:
            rows = self._database.execute(
                "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?",
                (wanted, n),
            ).fetchall()
        # With one summary or two the inverse document frequency may be 0; a match is a match all the same.
        return {int(uid): max(float(score), 1e-9) for uid, score in rows}

    def _by_meaning(self, text: str) -> dict[int, float]:
        with self._lock:
            rows = self._database.execute(
                "SELECT uid, vector FROM summary WHERE embedder = ?", (self._embedder.name,)
            ).fetchall()
        if not rows:
            return {}
        try:
            question = self._embedder.embed_query(text)
        except EmbeddingError:
            return {}
        matrix: Vectors = np.frombuffer(b"".join(vector for _, vector in rows), "<f4").reshape(len(rows), -1)
        return dict(zip((int(uid) for uid, _ in rows), (matrix @ question).tolist(), strict=True))

    def _ids(self, uids: Iterable[int]) -> list[tuple[int, str]]:
        with self._lock:
            rows = [
                self._database.execute("SELECT uid, id FROM summary WHERE uid = ?", (uid,)).fetchone()
                for uid in uids
            ]
        return [(int(row[0]), str(row[1])) for row in rows if row is not None]


def _searchable(text: str) -> str:
    return " ".join(terms(text))
