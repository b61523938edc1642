"""Reading JSON that a model has nearly written right."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from typing import Any, cast

from zulong.agent.chat.characters import well_formed_value

_FENCE = re.compile(r"^\s*```[a-zA-Z]*\s*\n?(.*?)\n?\s*```\s*$", re.DOTALL)
_BARE_KEY = r"(?P<before>[{,]\s*)(?P<key>[A-Za-z_][\w-]*)(?=\s*:)"
_STRING = r'"(?:[^"\\]|\\.)*"|(?<=[{\[,:])\s*\'(?:[^\'\\]|\\.)*\''
_STRING_OR_KEY = re.compile(rf"{_STRING}|{_BARE_KEY}", re.DOTALL)
_DEEPEST = 60
_DECODER = json.JSONDecoder(strict=False)


class BrokenJsonError(ValueError):
    """The text is no JSON object and cannot be made one without guessing."""


def read_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a text, with the usual slips repaired.

    Repaired are: nothing at all (an empty object), code fences, words around one object, single or full-width
    quotes, keys without quotes, Python's True, False and None, trailing commas, raw line breaks in strings,
    missing closing brackets, an object that was encoded twice. A string that does not end is not closed: nobody
    knows what is missing of it.

    Raises:
        BrokenJsonError: it cannot be read; the message says where it breaks.
    """
    if not text.strip():
        return {}
    problem = ""
    for candidate in _candidates(text):
        try:
            value = _DECODER.decode(candidate)
        except RecursionError:
            raise BrokenJsonError("The arguments are nested too deeply.") from None
        except ValueError as error:
            problem = problem or str(error)
            try:
                value = _as_json(ast.literal_eval(candidate))
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
        if isinstance(value, str) and value.strip().startswith("{"):
            return read_object(value)
        if isinstance(value, list):
            if len(value) != 1 or not isinstance(value[0], dict):
                break  # of several objects none is the one
            value = value[0]
        if _deeper_than(value, _DEEPEST):
            raise BrokenJsonError(f"The arguments are nested deeper than {_DEEPEST} levels.")
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return cast(dict[str, Any], well_formed_value(value)) if "\\u" in text else value
        problem = problem or f"it is a {type(value).__name__}, not an object"
    problem = problem or "they are a list, not an object"
    raise BrokenJsonError(f"The arguments are not a JSON object: {problem}.")


def _as_json(value: Any) -> Any:
    """Return a Python literal as JSON would give it back; what JSON cannot hold is refused."""
    if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
        raise TypeError("keys must be strings")
    return json.loads(json.dumps(value))


def _deeper_than(value: Any, levels: int) -> bool:
    """Return whether plain data is nested deeper; without recursion, because that is what it guards."""
    if isinstance(value, dict) and not any(isinstance(v, (dict, list, tuple)) for v in value.values()):
        return False
    layer = [value]
    for _ in range(levels + 1):
        inner: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, (list, tuple, set)):
                inner.extend(item)
        if not inner:
            return False
        layer = inner
    return True


def _candidates(text: str) -> Iterable[str]:
    yield text
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text.strip()
    yield text
    yield from _bodies(text)
    plain = _plain_quotes(text)
    if plain != text:
        yield from _bodies(plain)
    yield from _bodies(_with_quoted_keys(plain))


def _bodies(text: str) -> Iterable[str]:
    """Yield the first object in a text, closed and without trailing commas."""
    start = text.find("{")
    if start < 0:
        return
    body = text[start:]
    stack, in_string, end = _scan(body)
    if end is None and in_string:
        return
    whole = body[:end] if end is not None else _closed(body, stack)
    yield whole
    yield _without_trailing_commas(whole)


def _plain_quotes(text: str) -> str:
    """Return a text with the full-width signs of its structure as plain ones; those inside strings stay."""
    if '"' not in text:
        text = text.replace("“", '"').replace("”", '"')
    text = re.sub(r"^(\W*)｛|｝(\W*)$", lambda m: f"{m[1]}{{" if m[1] is not None else f"}}{m[2]}", text)
    text = re.sub(r'"\s*：', '":', text)
    return re.sub(r'(?<=["\]}\d])\s*，\s*(?=")', ", ", text)


def _with_quoted_keys(text: str) -> str:
    """Return a text with quotes around the keys that have none; strings stay as they are."""
    return _STRING_OR_KEY.sub(lambda m: f'{m["before"]}"{m["key"]}"' if m["key"] is not None else m[0], text)


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


def _closed(text: str, stack: list[str]) -> str:
    tail = text.rstrip()
    if tail.endswith(":"):
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
