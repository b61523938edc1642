"""Data sets for ``bench/recall_quality.py``: documents and questions with the documents that answer them.

Two shapes are read, from a folder or a ``.tgz``:

* JSON lines. A document is ``{"id": "d1", "time": "2024-05-04T09:30:00", "kind": "dialogue", "text": "..."}`` or
  ``["d1", time, kind, text]``; ``time`` (ISO 8601, or seconds or milliseconds since 1970) may be missing or null;
  ``kind`` is free and may be missing: one that names turns (dialogue, turn, message, chat, utterance) is linked to
  its neighbours in time, one that names files (file, attachment) is cut into chunks.
  A question is ``{"question": "...", "gold": ["d1"], "type": "fact", "time": "2024-06-01"}`` or
  ``["question", ["d1"]]``; ``type`` and ``time`` (when it was asked) are optional. Lines of both sorts may be mixed
  in any order. ``"store"`` names the memory that a line belongs to; without it a file is a memory, and the files
  of one folder are one memory together where some hold documents only and others questions only.
  Documents that share an id are parts of one document. Gold that names no document is left out and told.
* The layout of RHELM: ``conversations/NAME/*.json``, ``emails/NAME/*.txt``, ``attachments/NAME/*``, and
  ``QA*/...NAME...jsonl``. A turn is ``YYYY-MM-DD:turn``, a day's mails ``Emails_YYYY-MM-DD``, a file its name.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

_LATEST_S = 1e11
"""A greater number is a time in milliseconds: in seconds it would lie beyond the year 5000."""


@dataclass(slots=True, frozen=True)
class Document:
    id: str
    text: str
    kind: str = "document"
    time: float | None = None
    title: str = ""


@dataclass(slots=True, frozen=True)
class Question:
    text: str
    gold: tuple[str, ...]
    type: str = "all"
    time: float | None = None


@dataclass(slots=True)
class Collection:
    """One memory: what it holds and what it is asked."""

    name: str
    documents: list[Document] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


class DataError(ValueError):
    """The data cannot be read; the message names the file, the line and the cure."""


def load(path: Path) -> list[Collection]:
    """Read every memory under ``path`` (a ``.tgz``, a folder, or a JSON lines file).

    Raises:
        DataError: nothing can be read there; the message names the file and the line.
    """
    if not path.exists():
        raise DataError(f"{path} is not there.")
    if path.is_file() and path.name.endswith((".tgz", ".tar.gz", ".tar")):
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(path) as archive:
                archive.extractall(folder, filter="data")
            return load(Path(folder))
    if path.is_file():
        return _checked(_json_lines([path]), path)
    conversations = sorted(path.glob("**/conversations"))
    if conversations:
        return _checked([c for root in conversations for c in _rhelm(root.parent)], path)
    return _checked(_json_lines(sorted(path.glob("**/*.jsonl")) + sorted(path.glob("**/*.ndjson"))), path)


def _checked(collections: list[Collection], path: Path) -> list[Collection]:
    kept = []
    for collection in collections:
        known = {document.id for document in collection.documents}
        absent = {g for question in collection.questions for g in question.gold} - known
        questions = []
        for question in collection.questions:
            gold = tuple(dict.fromkeys(g for g in question.gold if g in known))
            if gold:
                questions.append(Question(question.text, gold, question.type, question.time))
        if absent:
            left = len(collection.questions) - len(questions)
            _tell(
                collection,
                f"{len(absent)} gold ids name no document ({min(absent)!r}); {left} questions have no other gold "
                "and are left out",
            )
        if questions:
            kept.append(Collection(collection.name, collection.documents, questions))
    if not kept:
        raise DataError(f"{path} holds no question whose gold documents are there; see bench/recall_data.py.")
    return kept


def seconds(value: Any) -> float | None:
    """Return seconds since 1970 of an ISO 8601 text (UTC where it names no zone) or of a number."""
    if value is None or value == "":
        return None
    if isinstance(value, int | float):
        if isinstance(value, bool) or not math.isfinite(value):
            raise TypeError(f"'time' must be a moment, got {value!r}")
        return value / 1000.0 if abs(value) > _LATEST_S else float(value)
    moment = datetime.fromisoformat(str(value).strip().replace("Z", "+00:00"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


def _json_lines(paths: list[Path]) -> list[Collection]:
    stores: dict[str, Collection] = {}
    unnamed: dict[Path, Collection] = {}
    for path in paths:
        # Not splitlines(): JSON texts may hold line separators of other alphabets.
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
            if not line.strip():
                continue
            try:
                record = _record(json.loads(line))
                named = record.get("store")
                if named is None:
                    store = unnamed.setdefault(path, Collection(path.stem))
                else:
                    store = stores.setdefault(str(named), Collection(str(named)))
                if "question" in record:
                    store.questions.append(_question(record))
                else:
                    store.documents.append(_document(record))
            except (ValueError, KeyError, TypeError, OverflowError) as error:
                told = f"there is no {error}" if isinstance(error, KeyError) else str(error)
                raise DataError(
                    f"{path}:{number}: {told}; the format is described in bench/recall_data.py."
                ) from error
    return [_whole(store) for store in (*stores.values(), *_joined(unnamed))]


def _record(value: Any) -> dict[str, Any]:
    """Return a line as a dictionary; lists are documents of four parts and questions of two or three."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and len(value) == 4:
        return dict(zip(("id", "time", "kind", "text"), value, strict=True))
    if isinstance(value, list) and len(value) in (2, 3):
        return dict(zip(("question", "gold", "type"), value, strict=False))
    raise TypeError(
        f"expected an object, a list of four (a document) or of two (a question), got {value!r:.60}"
    )


def _question(record: dict[str, Any]) -> Question:
    gold = record["gold"] if "gold" in record else record.get("gold_ids")
    if isinstance(gold, str | int):
        gold = [gold]
    if not isinstance(gold, list):
        raise TypeError(f"'gold' must be a list of document ids, got {gold!r:.60}")
    text = record["question"]
    if not isinstance(text, str) or not text.strip():
        raise TypeError(f"'question' must be a text, got {text!r:.60}")
    return Question(
        text, tuple(map(str, gold)), str(record.get("type") or "all"), seconds(record.get("time"))
    )


def _document(record: dict[str, Any]) -> Document:
    id, text = record["id"], record["text"]
    if not isinstance(id, str | int) or id == "":
        raise TypeError(f"'id' must be a text or a number, got {id!r:.60}")
    if not isinstance(text, str):
        raise TypeError(f"'text' must be a text, got {text!r:.60}")
    kind, title = str(record.get("kind") or "document"), str(record.get("title") or "")
    return Document(str(id), text, kind, seconds(record.get("time")), title)


def _joined(files: dict[Path, Collection]) -> list[Collection]:
    """Return the files as they are, or the files of a folder as one where documents and questions lie apart."""
    found: list[Collection] = []
    for folder in dict.fromkeys(path.parent for path in files):
        parts = [collection for path, collection in files.items() if path.parent == folder]
        if all(part.documents and part.questions for part in parts):
            found.extend(parts)
            continue
        whole = Collection(folder.name or "set")
        for part in parts:
            whole.documents.extend(part.documents)
            whole.questions.extend(part.questions)
        found.append(whole)
    return found


def _whole(collection: Collection) -> Collection:
    """Return the collection with the parts of each document joined and documents without text left out."""
    documents: dict[str, Document] = {}
    shared: set[str] = set()
    for document in collection.documents:
        known = documents.get(document.id)
        if known is None:
            documents[document.id] = document
        elif document.text not in known.text:
            shared.add(document.id)
            documents[document.id] = replace(known, text=f"{known.text}\n{document.text}")
    empty = [id for id, document in documents.items() if not document.text.strip()]
    if shared:
        _tell(
            collection, f"{len(shared)} ids are shared by several texts ({min(shared)!r}), which are joined"
        )
    if empty:
        _tell(collection, f"{len(empty)} documents have no text ({empty[0]!r}) and are left out")
    kept = [document for id, document in documents.items() if document.text.strip()]
    return Collection(collection.name, kept, collection.questions)


def _tell(collection: Collection, what: str) -> None:
    print(f"{collection.name}: {what}.", file=sys.stderr)


class _Text(HTMLParser):
    """Keeps the visible text of a page, block by block."""

    _BLOCKS = frozenset(
        [
            "p",
            "div",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "li",
            "tr",
            "table",
            "ul",
            "ol",
            "br",
            "hr",
            "section",
            "article",
            "header",
            "blockquote",
        ]
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"style", "script", "title"}:
            self._hidden += 1
        elif tag in self._BLOCKS:
            self.parts.append("\n" + "#" * int(tag[1]) + " " if re.fullmatch("h[1-6]", tag) else "\n")
        elif tag in {"td", "th"}:
            self.parts.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"style", "script", "title"}:
            self._hidden = max(0, self._hidden - 1)
        elif tag in self._BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data if data.strip() else " ")


def strip_html(text: str) -> str:
    """Return the visible text of an HTML page; headings keep their level as ``#`` marks."""
    parser = _Text()
    parser.feed(text)
    lines = (re.sub(r"[ \t\r\n]+", " ", line).strip() for line in "".join(parser.parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _rhelm(root: Path) -> Iterator[Collection]:
    for folder in sorted((root / "conversations").iterdir()):
        if not folder.is_dir():
            continue
        collection = Collection(folder.name)
        days: dict[int, float | None] = {}
        for path in sorted((root / "emails" / folder.name).glob("*.txt")):
            number, day = _numbered_day(path.stem)
            days[number] = seconds(day)
            collection.documents.append(
                Document(f"Emails_{day}", path.read_text(encoding="utf-8"), "mail", seconds(day))
            )
        for path in sorted(folder.glob("*.json")):
            day = json.loads(path.read_text(encoding="utf-8"))
            for turn in day["conversation"]:
                text = f"{turn.get('user', '')}\n{turn.get('assistant', '')}"
                stamp = seconds(turn.get("timestamp") or day["date"])
                collection.documents.append(
                    Document(f"{day['date']}:{turn['turn']}", text, "dialogue", stamp)
                )
        for path in sorted((root / "attachments" / folder.name).iterdir()):
            text = path.read_text(encoding="utf-8")
            number = re.match(r"\d+", path.name)
            stamp = days.get(int(number.group())) if number else None
            text = strip_html(text) if path.suffix == ".html" else text
            collection.documents.append(Document(path.name, text, "file", stamp))
        for path in sorted(root.glob(f"QA*/*{folder.name}*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                gold = tuple(_gold_id(evidence) for evidence in record["supporting_evidence"])
                collection.questions.append(
                    Question(
                        record["question"],
                        gold,
                        record["question_type"],
                        seconds(record.get("question_date")),
                    )
                )
        yield collection


def _numbered_day(stem: str) -> tuple[int, str]:
    match = re.fullmatch(r"(\d+)_email_(\d{4})_(\d\d)_(\d\d)", stem)
    if match is None:
        raise DataError(f"Mail file {stem}.txt is not named NN_email_YYYY_MM_DD.txt.")
    return int(match.group(1)), "-".join(match.groups()[1:])


def _gold_id(evidence: str) -> str:
    """Return the document that a piece of evidence names: a turn, a day's mails, or a file without its section."""
    if re.match(r"\d{4}-\d\d-\d\d:", evidence):
        return evidence.strip()
    return evidence.split(":", 1)[0].strip()
