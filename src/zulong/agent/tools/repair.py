"""Arguments as models write them, made to fit a tool's schema where that needs no guessing."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zulong.agent.chat.json_repair import BrokenJsonError, read_object
from zulong.agent.tools.fitting import Fitting, meant
from zulong.agent.tools.tool import Tool

logger = logging.getLogger(__name__)


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
    properties = _properties(tool)
    if _is_schema(given, properties):
        inner = given.get("properties") or {}
        given = {k: v for k, v in inner.items() if not (isinstance(v, Mapping) and "type" in v)}
        notes.append("the schema was sent along")
    arguments: dict[str, Any] = {}
    for key, value in given.items():
        name = meant(key, properties, tool.aliases)
        if name != key:
            notes.append(f"{key} is called {name}")
        if name in arguments:
            raise ArgumentsError(f"{tool.name}: {name} is given twice ({key} means {name}). Give it once.")
        arguments[name] = value
    for name, value in tool.defaults.items():
        if name not in arguments:
            arguments[name] = value
            notes.append(f"{name} is {value!r} by default")
    fitting = Fitting(tool.parameters)
    for name, schema in properties.items():
        if name not in arguments:
            continue
        arguments[name] = fitting.fitted(name, arguments[name], schema)
        optional = name not in (tool.parameters.get("required") or ())
        if arguments[name] is None and optional and not fitting.allows_nothing(schema):
            del arguments[name]
            notes.append(f"{name} is left out")
    notes += fitting.notes
    for name, root in tool.path_roots.items():
        if name in arguments:
            arguments[name] = _inside(tool, name, str(arguments[name]), Path(root))
    if not _finite(arguments):
        raise ArgumentsError(f"{tool.name}: a number must be finite, not NaN or Infinity.")
    _check(tool, arguments)
    return Repaired(arguments, tuple(notes))


def _properties(tool: Tool) -> Mapping[str, Any]:
    properties = tool.parameters.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _is_schema(given: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    """Return whether a model has filled in the schema itself instead of an object that fits it."""
    return (
        given.get("type") == "object"
        and isinstance(given.get("properties"), Mapping)
        and not {"type", "properties"} & set(properties)
    )


def example(tool: Tool) -> str:
    """Return an object with the required parameters and what goes where, for messages to the model."""
    properties = _properties(tool)
    required = tool.parameters.get("required") or list(properties)[:2]
    fitting = Fitting(tool.parameters)
    sketch = {name: f"<{_type_words(fitting.resolved(properties.get(name) or {}))}>" for name in required}
    return json.dumps(sketch, ensure_ascii=False)


def _type_words(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = schema.get("type", "value")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


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
    import referencing

    # Without a registry that fetches: a schema from elsewhere must not make us open its addresses.
    validator = jsonschema.Draft202012Validator(dict(tool.parameters), registry=referencing.Registry())
    try:
        errors = list(validator.iter_errors(dict(arguments)))
    except Exception:
        # The schema itself is broken; whoever made it checks the arguments, or nobody does.
        logger.warning("The schema of tool %s cannot be used to check its arguments.", tool.name)
        return []
    problems = sorted(errors, key=lambda e: list(map(str, e.absolute_path)))
    return [_problem_words(problem) for problem in problems]


def _problem_words(problem: Any) -> str:
    where = ".".join(map(str, problem.absolute_path))
    return f"{where}: {problem.message}" if where else str(problem.message)
