"""Cuts a long text into chunks along its own headings and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zulong.embedding.tokens import is_cjk, pieces

_HEADING = re.compile(r"^(#{1,6})\s+(.*\S)\s*#*$")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？；;])\s*")


@dataclass(slots=True, frozen=True)
class Chunk:
    """A piece of a document.

    Attributes:
        headings: titles of the sections that the piece stands in, outermost first.
        text: the piece itself, without its headings.
    """

    headings: tuple[str, ...]
    text: str

    @property
    def full_text(self) -> str:
        """The headings, then the text: what is indexed, since a heading often names what the text is about."""
        return "\n".join((*self.headings, self.text))


def word_count(text: str) -> int:
    """Count the words of ``text``; a CJK character counts as one word."""
    return sum(len(piece) if is_cjk(piece) else 1 for piece in pieces(text))


def chunk_text(text: str, *, limit_words: int = 180) -> list[Chunk]:
    """Cut ``text`` into chunks of at most about ``limit_words`` words.

    Sections (by Markdown headings) and paragraphs stay whole where they fit; neighbouring short sections share
    a chunk, each under its own heading. A paragraph that is longer than the limit is cut between lines or
    sentences. A text under the limit comes back as one chunk.

    Raises:
        ValueError: ``limit_words`` is below 20, where a chunk could hold no sentence.
    """
    if limit_words < 20:
        raise ValueError(f"limit_words must be 20 or more, got {limit_words}.")
    chunks: list[Chunk] = []
    held: list[Chunk] = []
    held_words = 0
    for headings, paragraphs in _sections(text):
        for chunk in _fill(headings, paragraphs, limit_words):
            words = word_count(chunk.full_text)
            if held and held_words + words > limit_words:
                chunks.append(_joined(held))
                held, held_words = [], 0
            held.append(chunk)
            held_words += words
    if held:
        chunks.append(_joined(held))
    return chunks


def _joined(parts: list[Chunk]) -> Chunk:
    """Join sections into one chunk under the headings they share; each keeps the rest of its own above it."""
    shared = list(parts[0].headings)
    for part in parts[1:]:
        common = 0
        while common < min(len(shared), len(part.headings)) and shared[common] == part.headings[common]:
            common += 1
        del shared[common:]
    pieces_of_text = []
    above = tuple(shared)
    for part in parts:
        own = part.headings[len(shared) :] if part.headings != above else ()
        pieces_of_text.append("\n".join((*own, part.text)))
        above = part.headings
    return Chunk(tuple(shared), "\n\n".join(pieces_of_text))


def _sections(text: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    stack: list[tuple[int, str]] = []
    paragraphs: list[str] = []
    lines: list[str] = []

    def close_paragraph() -> None:
        if any(line.strip() for line in lines):
            paragraphs.append("\n".join(lines).strip())
        lines.clear()

    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is None and line.strip():
            lines.append(line)
            continue
        close_paragraph()
        if heading is None:
            continue
        if paragraphs:
            yield tuple(title for _, title in stack), paragraphs
            paragraphs = []
        level = len(heading.group(1))
        stack = [(depth, title) for depth, title in stack if depth < level]
        stack.append((level, heading.group(2)))
    close_paragraph()
    if paragraphs:
        yield tuple(title for _, title in stack), paragraphs


def _fill(headings: tuple[str, ...], paragraphs: list[str], limit: int) -> Iterator[Chunk]:
    held: list[str] = []
    held_words = 0
    for part in (piece for paragraph in paragraphs for piece in _split_long(paragraph, limit)):
        words = word_count(part)
        if held and held_words + words > limit:
            yield Chunk(headings, "\n\n".join(held))
            held, held_words = [], 0
        held.append(part)
        held_words += words
    if held:
        yield Chunk(headings, "\n\n".join(held))


def _split_long(paragraph: str, limit: int) -> Iterator[str]:
    """Yield ``paragraph`` whole if it fits, else in pieces cut between lines, sentences or, at worst, words."""
    if word_count(paragraph) <= limit:
        yield paragraph
        return
    units = [
        unit
        for line in paragraph.splitlines()
        for unit in (_SENTENCE_END.split(line) if word_count(line) > limit else [line])
        if unit.strip()
    ]
    held: list[str] = []
    held_words = 0
    for unit in (piece for whole in units for piece in _hard_cut(whole, limit)):
        words = word_count(unit)
        if held and held_words + words > limit:
            yield "\n".join(held)
            held, held_words = [], 0
        held.append(unit)
        held_words += words
    if held:
        yield "\n".join(held)


def _hard_cut(unit: str, limit: int) -> Iterator[str]:
    # A sentence without an end, such as a log dump: any cut is as good as another.
    if word_count(unit) <= limit:
        yield unit
        return
    words = unit.split()
    if len(words) > 1:
        for start in range(0, len(words), limit):
            yield " ".join(words[start : start + limit])
    else:
        for start in range(0, len(unit), limit):
            yield unit[start : start + limit]
