"""Arguments as models write them, made to fit a tool's schema where that needs no guessing."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zulong.agent.chat.json_repair import BrokenJsonError, read_object
from zulong.agent.tools.tool import Tool


class ArgumentsError(ValueError):
    """The arguments do not fit; the message tells the model what to send instead."""


@dataclass(slots=True, frozen=True)
class Repaired:
    """Arguments that fit, and what had to be done to them."""

    arguments: dict[str, Any]
    notes: tuple[str, ...] = ()


def repair_arguments(tool: Tool, written: str | Mapping[str, Any]) -> Repaired:
    """Return the arguments of a call, repaired: JSON slips, other names, defaults, types, paths.

    Raises:
        ArgumentsError: what is missing or wrong, with the schema's own words.
    """
    notes: list[str] = []
    try:
        given = read_object(written) if isinstance(written, str) else dict(written)
    except BrokenJsonError as error:
        raise ArgumentsError(
            f"{error} Call {tool.name} again with an object like {example(tool)}."
        ) from error
    properties: Mapping[str, Any] = tool.parameters.get("properties") or {}
    if _is_schema(given, properties):
        inner = given.get("properties") or {}
        given = {k: v for k, v in inner.items() if not (isinstance(v, Mapping) and "type" in v)}
        notes.append("the schema was sent along")
    arguments: dict[str, Any] = {}
    for key, value in given.items():
        name = _parameter_name(tool, properties, key)
        if name != key:
            notes.append(f"{key} is called {name}")
        if name in arguments:
            raise ArgumentsError(f"{tool.name}: {name} is given twice ({key} means {name}). Give it once.")
        arguments[name] = value
    for name, value in tool.defaults.items():
        if name not in arguments:
            arguments[name] = value
            notes.append(f"{name} is {value!r} by default")
    for name, schema in properties.items():
        if name in arguments:
            arguments[name] = _fitted(name, arguments[name], schema, notes)
    for name, root in tool.path_roots.items():
        if name in arguments:
            arguments[name] = _inside(tool, name, str(arguments[name]), Path(root))
    if not _finite(arguments):
        raise ArgumentsError(f"{tool.name}: a number must be finite, not NaN or Infinity.")
    _check(tool, arguments)
    return Repaired(arguments, tuple(notes))


def _is_schema(given: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    """Return whether a model has filled in the schema itself instead of an object that fits it."""
    return (
        given.get("type") == "object"
        and isinstance(given.get("properties"), Mapping)
        and not {"type", "properties"} & set(properties)
    )


def example(tool: Tool) -> str:
    """Return an object with the required parameters and what goes where, for messages to the model."""
    properties: Mapping[str, Any] = tool.parameters.get("properties") or {}
    required = tool.parameters.get("required") or list(properties)[:2]
    sketch = {name: f"<{_type_words(properties.get(name) or {})}>" for name in required}
    return json.dumps(sketch, ensure_ascii=False)


def _type_words(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = schema.get("type", "value")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _parameter_name(tool: Tool, properties: Mapping[str, Any], key: str) -> str:
    """Return the parameter a key means: itself, an alias, another spelling, or a near miss that is clear."""
    if key in properties or not properties:
        return key
    if key in tool.aliases:
        return tool.aliases[key]
    plain = {_plain(name): name for name in properties} | {_plain(k): v for k, v in tool.aliases.items()}
    if _plain(key) in plain:
        return plain[_plain(key)]
    near = difflib.get_close_matches(_plain(key), list(plain), n=2, cutoff=0.72)
    return plain[near[0]] if len(near) == 1 else key


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9\u0080-\uffff]", "", name.lower())


def _fitted(name: str, value: Any, schema: Mapping[str, Any], notes: list[str]) -> Any:
    """Return the value in the schema's type where it plainly is that value written otherwise."""
    if "enum" in schema:
        for allowed in schema["enum"]:
            if value != allowed and _plain(str(value)) == _plain(str(allowed)) != "":
                notes.append(f"{name} is {allowed!r}")
                return allowed
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    changed = value
    if isinstance(value, str):
        text = value.strip()
        if "integer" in kinds and re.fullmatch(r"[+-]?\d{1,15}(?:\.0+)?", text):
            changed = int(float(text))
        elif "number" in kinds and re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", text):
            changed = float(text)
        elif "boolean" in kinds and text.lower() in ("true", "false", "yes", "no", "是", "否"):
            changed = text.lower() in ("true", "yes", "是")
        elif ("array" in kinds or "object" in kinds) and text[:1] in "[{" and text:
            try:
                changed = json.loads(text)
            except ValueError:
                pass
        elif kinds == ["array"]:
            changed = [value]
    elif isinstance(value, float) and value.is_integer() and "integer" in kinds and "number" not in kinds:
        changed = int(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and kinds == ["string"]:
        changed = str(value)
    elif kinds == ["array"] and value is not None and not isinstance(value, list):
        changed = [value]
    if changed is not value:
        notes.append(f"{name} is {changed!r}")
    return changed


def _inside(tool: Tool, name: str, value: str, root: Path) -> str:
    """Return a path made absolute below its root; links that lead out are followed and refused."""
    base = root.expanduser().resolve()
    path = Path(value.strip().strip("'\"")).expanduser()
    path = (path if path.is_absolute() else base / path).resolve()
    if path != base and base not in path.parents:
        raise ArgumentsError(f"{tool.name}: {name} must stay inside {base}; {value!r} does not.")
    return str(path)


def _finite(value: Any) -> bool:
    """Return whether every number is finite: limits are compared, and nothing is greater than NaN."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Mapping):
        return all(map(_finite, value.values()))
    return not isinstance(value, list) or all(map(_finite, value))


def _check(tool: Tool, arguments: Mapping[str, Any]) -> None:
    words = (
        _problems_of_function(tool, arguments)
        if tool.validate is not None
        else _problems_of_schema(tool, arguments)
    )
    if words:
        raise ArgumentsError(
            f"{tool.name}: {'; '.join(words[:3])}. Call it again with an object like {example(tool)}."
        )


def _problems_of_function(tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
    """Return what the function's own types do not accept."""
    import pydantic

    assert tool.validate is not None  # noqa: S101 - the caller has looked
    try:
        tool.validate(arguments)
    except pydantic.ValidationError as error:
        return [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors()]
    except ValueError as error:
        return [str(error)]
    return []


def _problems_of_schema(tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
    import jsonschema  # type: ignore[import-untyped]

    validator = jsonschema.Draft202012Validator(dict(tool.parameters))
    problems = sorted(validator.iter_errors(dict(arguments)), key=lambda e: list(map(str, e.absolute_path)))
    return [_problem_words(problem) for problem in problems]


def _problem_words(problem: Any) -> str:
    where = ".".join(map(str, problem.absolute_path))
    return f"{where}: {problem.message}" if where else str(problem.message)
