"""Which texts of a value are indexed: paths such as `title`, `meta.author`, `turns[*].content`, `{a,b.c}`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_TOKEN = re.compile(r"\[[^\]]*\]|\{[^}]*\}|[^.\[{]+")


def tokenize_path(path: str) -> list[str]:
    """Return the steps of a path: field names, `*`, `[0]`, `[-1]`, `[*]`, `{first,second}`."""
    return _TOKEN.findall(path)


def get_text_at_path(obj: Any, path: str | Sequence[str]) -> list[str]:
    """Return the texts that a path (or its steps) reaches; `$` or nothing stands for the whole value.

    Text, numbers and booleans give their text, lists and mappings their JSON; what is not there gives
    nothing.
    """
    if not path or path == "$":
        return [_json(obj)]
    return list(_walk(obj, tokenize_path(path) if isinstance(path, str) else list(path)))


def _walk(obj: Any, steps: Sequence[str]) -> Iterator[str]:
    if not steps:
        yield from _text(obj)
        return
    step, rest = steps[0], steps[1:]
    if step.startswith("["):
        yield from _walk_list(obj, step[1:-1].strip(), rest)
    elif step.startswith("{"):
        for field in step[1:-1].split(","):
            yield from _walk(obj, [*tokenize_path(field.strip()), *rest])
    elif step == "*":
        children = obj.values() if isinstance(obj, Mapping) else obj if isinstance(obj, list | tuple) else ()
        for child in children:
            yield from _walk(child, rest)
    elif isinstance(obj, Mapping) and step in obj:
        yield from _walk(obj[step], rest)


def _walk_list(obj: Any, index: str, rest: Sequence[str]) -> Iterator[str]:
    if not isinstance(obj, list | tuple):
        return
    if index == "*":
        for child in obj:
            yield from _walk(child, rest)
        return
    try:
        child = obj[int(index)]
    except (ValueError, IndexError):
        return
    yield from _walk(child, rest)


def _text(obj: Any) -> Iterator[str]:
    if isinstance(obj, str | bool | int | float):
        yield str(obj)
    elif isinstance(obj, Mapping | list | tuple):
        yield _json(obj)


def _json(obj: Any) -> str:
    return json.dumps(obj, sort_keys=True, ensure_ascii=False, default=str)
