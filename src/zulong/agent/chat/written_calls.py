"""Tool calls that a model wrote as text, in the forms that models without native calls (or behind servers that do
not know theirs) use."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterable
from typing import Any

from zulong.agent.chat.json_repair import BrokenJsonError, read_object

Call = tuple[str, dict[str, Any]]

_FENCED = re.compile(r"```[a-zA-Z_]*[ \t]*\n(\s*[{\[].*?)\n?\s*```", re.DOTALL)
_LINES = re.compile(r"^\s*(\{.*\})\s*$", re.MULTILINE)
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.DOTALL)
# What some models put before the JSON of their calls.
_MARKED = re.compile(r"^\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>|functools|<\|tool_call\|>)\s*", re.IGNORECASE)
_FUNCTION = re.compile(r"<function=(?P<name>[\w.-]+)>\s*(?P<body>.*?)\s*(?:</function>|$)", re.DOTALL)
_PARAMETER = re.compile(
    r"<parameter=(?P<name>[\w.-]+)>[ \t]*\n?(?P<value>.*?)\n?[ \t]*</parameter>", re.DOTALL
)
_ACTION = re.compile(
    r"^Action:[ \t]*(?P<name>[\w.-]+)[ \t]*\n+Action Input:[ \t]*(?P<body>\{.*)", re.MULTILINE | re.DOTALL
)


def calls_in_text(text: str, names: Iterable[str]) -> list[Call]:
    """Return the tool calls in a text; none when it is anything else than calls of offered tools.

    Understood are ``<tool_call>{...}</tool_call>``, a reply that is JSON (also after a mark such as
    ``[TOOL_CALLS]``), JSON in code fences or on lines of its own between words, ``<function=name>`` with JSON or
    ``<parameter=name>`` inside, ``Action:`` with ``Action Input:``, and a reply that is nothing but
    ``name(key="value")``. Each object (or list of them) has a name and arguments, in OpenAI's form as well.

    Args:
        text: the reply.
        names: of the tools that are offered.
    """
    known = set(names)
    tagged = _functions(text, known) or _action(text, known)
    return tagged or _in_json(text, known) or _in_python(text, known)


def _functions(text: str, known: Collection[str]) -> list[Call]:
    found: list[Call] = []
    for match in _FUNCTION.finditer(text):
        parts = {part["name"]: part["value"] for part in _PARAMETER.finditer(match["body"])}
        arguments = parts or _arguments(match["body"])
        if match["name"] not in known or arguments is None:
            return []
        found.append((match["name"], dict(arguments)))
    return found


def _action(text: str, known: Collection[str]) -> list[Call]:
    match = _ACTION.search(text)
    arguments = _arguments(match["body"]) if match is not None and match["name"] in known else None
    return [(match["name"], arguments)] if match is not None and arguments is not None else []


def _in_json(text: str, known: Collection[str]) -> list[Call]:
    text = _MARKED.sub("", text)
    pieces = _TAGGED.findall(text)
    if not pieces and text.strip().startswith(("{", "[")):
        pieces = _LINES.findall(text) if _is_lines(text) else [text.strip()]
    if not pieces:
        pieces = [p.strip() for p in _FENCED.findall(text)] or _LINES.findall(text)
    found: list[Call] = []
    for piece in pieces:
        try:
            value: Any = json.loads(piece, strict=False) if piece.startswith("[") else read_object(piece)
        except (ValueError, RecursionError):
            return []
        for item in value if isinstance(value, list) else [value]:
            call = _call(item, known)
            if call is None:
                return []
            found.append(call)
    return found


def _call(item: Any, known: Collection[str]) -> Call | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("function")
    item = inner if isinstance(inner, dict) else item
    name = item.get("name") or item.get("tool") or item.get("function")
    arguments = _arguments(item.get("arguments", item.get("parameters", {})))
    if not isinstance(name, str) or name not in known or arguments is None:
        return None
    return name, arguments


def _arguments(written: Any) -> dict[str, Any] | None:
    if isinstance(written, dict):
        return written
    try:
        return read_object(written) if isinstance(written, str) else None
    except BrokenJsonError:
        return None


def _in_python(text: str, known: Collection[str]) -> list[Call]:
    """Return the calls of a text that is one Python call, a list of them, or one on each line; names only."""
    text = re.sub(r"^\s*```\w*\n(.*?)\n?```\s*$", r"\1", text, flags=re.DOTALL).strip()
    if not any(text.lstrip("[").startswith(f"{name}(") for name in known):
        return []
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    found: list[Call] = []
    for line in module.body:
        value = line.value if isinstance(line, ast.Expr) else None
        for node in value.elts if isinstance(value, ast.List) else [value]:
            call = _python_call(node, known)
            if call is None:
                return []
            found.append(call)
    return found


def _python_call(node: Any, known: Collection[str]) -> Call | None:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in known):
        return None
    if node.args or any(keyword.arg is None for keyword in node.keywords):
        return None  # which parameter a bare value is meant for would be a guess
    try:
        arguments = {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
        return node.func.id, json.loads(json.dumps(arguments))
    except (ValueError, TypeError, RecursionError):
        return None


def _is_lines(text: str) -> bool:
    """Return whether every line is an object of its own."""
    lines = text.strip().splitlines()
    return len(lines) > 1 and all(
        line.strip().startswith("{") and line.rstrip().endswith("}") for line in lines
    )
