"""Reading JSON that a model has nearly written right."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from typing import Any

_FENCE = re.compile(r"^\s*```[a-zA-Z]*\s*\n?(.*?)\n?\s*```\s*$", re.DOTALL)
_FENCED = re.compile(r"```[a-zA-Z]*[ \t]*\n(\s*[{\[].*?)\n?\s*```", re.DOTALL)
_LINES = re.compile(r"^\s*(\{.*\})\s*$", re.MULTILINE)
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.DOTALL)


class BrokenJsonError(ValueError):
    """The text is no JSON object and cannot be made one without guessing."""


def read_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a text, with the usual slips repaired.

    Repaired are: nothing at all (an empty object), code fences, words around one object, single quotes,
    Python's True, False and None, trailing commas, raw line breaks in strings, missing closing brackets, an
    object that was encoded twice.

    Raises:
        BrokenJsonError: it cannot be read; the message says where it breaks.
    """
    if not text.strip():
        return {}
    problem = ""
    for candidate in _candidates(text):
        try:
            value = json.loads(candidate, strict=False)
        except ValueError as error:
            problem = problem or str(error)
            try:
                value = ast.literal_eval(candidate)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
        if isinstance(value, str) and value.strip().startswith("{"):
            return read_object(value)
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return value
        problem = problem or f"it is a {type(value).__name__}, not an object"
    raise BrokenJsonError(f"The arguments are not a JSON object: {problem}.")


def _candidates(text: str) -> Iterable[str]:
    yield text
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text.strip()
    yield text
    start = text.find("{")
    if start < 0:
        return
    body = text[start:]
    end = _end_of_object(body)
    if end is not None:
        yield body[:end]
        yield _without_trailing_commas(body[:end])
    else:
        closed = _closed(body)
        yield closed
        yield _without_trailing_commas(closed)


def _scan(text: str) -> tuple[list[str], bool, int | None]:
    """Return the open brackets, whether a string is open, and where the first object ends."""
    stack: list[str] = []
    quote, escaped = "", False
    for index, c in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == quote:
                quote = ""
        elif c == '"' or (c == "'" and text[:index].rstrip()[-1:] in ("{", "[", ",", ":")):
            quote = c
        elif c in "{[":
            stack.append("}" if c == "{" else "]")
        elif c in "}]" and stack and stack[-1] == c:
            stack.pop()
            if not stack:
                return [], False, index + 1
    return stack, bool(quote), None


def _end_of_object(text: str) -> int | None:
    return _scan(text)[2]


def _closed(text: str) -> str:
    stack, in_string, _ = _scan(text)
    tail = text.rstrip()
    if in_string:
        tail += '"'
    elif tail.endswith(":"):
        tail += "null"
    return tail.rstrip(",") + "".join(reversed(stack))


def _without_trailing_commas(text: str) -> str:
    out: list[str] = []
    quote, escaped = False, False
    for c in text:
        if quote:
            quote = escaped or c != '"'
            escaped = c == "\\" and not escaped
        elif c == '"':
            quote = True
        elif c in "}]":
            while out and (out[-1].isspace() or out[-1] == ","):
                out.pop()
        out.append(c)
    return "".join(out)


def _is_lines(text: str) -> bool:
    """Return whether every line is an object of its own."""
    lines = text.strip().splitlines()
    return len(lines) > 1 and all(
        line.strip().startswith("{") and line.rstrip().endswith("}") for line in lines
    )


def calls_in_text(text: str, names: Iterable[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return the tool calls that a model wrote as text because it knows no native ones.

    Understood are ``<tool_call>{...}</tool_call>``, a reply that is JSON, and JSON in code fences or on lines of
    its own between words; each object (or list of them) has ``name`` and ``arguments``, and every name is that of
    an offered tool. Anything else is plain text.
    """
    known = set(names)
    pieces = _TAGGED.findall(text)
    if not pieces and text.strip().startswith(("{", "[")):
        pieces = _LINES.findall(text) if _is_lines(text) else [text.strip()]
    if not pieces:
        pieces = [p.strip() for p in _FENCED.findall(text)] or _LINES.findall(text)
    found: list[tuple[str, dict[str, Any]]] = []
    for piece in pieces:
        try:
            value: Any = json.loads(piece, strict=False) if piece.startswith("[") else read_object(piece)
        except ValueError:
            return []
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, dict):
                return []
            name = item.get("name") or item.get("tool") or item.get("function")
            arguments = item.get("arguments", item.get("parameters", {}))
            if name not in known or not isinstance(arguments, (dict, str)):
                return []
            found.append((str(name), arguments if isinstance(arguments, dict) else read_object(arguments)))
    return found
