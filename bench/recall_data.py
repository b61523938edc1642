"""Data sets for ``bench/recall_quality.py``: documents and questions with the documents that answer them.

Two shapes are read, from a folder or a ``.tgz``:

* JSON lines (one file, or a folder of them; one file is one memory, or many when lines carry ``"store"``).
  A document: ``{"id": "d1", "time": "2024-05-04T09:30:00", "kind": "dialogue", "text": "..."}``; ``time`` (ISO
  8601 or seconds since 1970) may be null; ``kind`` is free: one that names turns (dialogue, turn, message, chat,
  utterance) is linked to its neighbours in time, one that names files (file, attachment) is cut into chunks.
  A question: ``{"question": "...", "gold": ["d1"], "type": "fact", "time": "2024-06-01"}``; ``type`` and
  ``time`` (when it was asked) are optional. Lines of both sorts may be mixed in any order; ``"store"`` names the
  memory that a line belongs to.
* The layout of RHELM: ``conversations/NAME/*.json``, ``emails/NAME/*.txt``, ``attachments/NAME/*``, and
  ``QA*/...NAME...jsonl``. A turn is ``YYYY-MM-DD:turn``, a day's mails ``Emails_YYYY-MM-DD``, a file its name.
"""

from __future__ import annotations

import json
import re
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


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
    """Read every memory under ``path`` (a ``.tgz``, a folder, or a JSON lines file)."""
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
    return _checked(_json_lines(sorted(path.glob("**/*.jsonl"))), path)


def _checked(collections: list[Collection], path: Path) -> list[Collection]:
    kept = []
    for collection in collections:
        known = {document.id for document in collection.documents}
        questions = []
        for question in collection.questions:
            gold = tuple(dict.fromkeys(g for g in question.gold if g in known))
            if gold:
                questions.append(Question(question.text, gold, question.type, question.time))
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
        return float(value)
    moment = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


def _json_lines(paths: list[Path]) -> list[Collection]:
    stores: dict[str, Collection] = {}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                name = str(record.get("store", path.stem))
                store = stores.setdefault(name, Collection(name))
                if "question" in record:
                    gold = tuple(map(str, record["gold"]))
                    store.questions.append(
                        Question(
                            record["question"],
                            gold,
                            str(record.get("type", "all")),
                            seconds(record.get("time")),
                        )
                    )
                else:
                    store.documents.append(
                        Document(
                            str(record["id"]),
                            str(record["text"]),
                            str(record.get("kind", "document")),
                            seconds(record.get("time")),
                            str(record.get("title", "")),
                        )
                    )
            except (ValueError, KeyError, TypeError) as error:
                raise DataError(
                    f"{path}:{number}: {error!r}; the format is in bench/recall_data.py."
                ) from error
    return list(stores.values())


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
