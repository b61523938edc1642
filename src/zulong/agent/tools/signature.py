"""The parameters of a Python function as a JSON schema, and arguments checked against its types."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from zulong.agent.latch import CancelLatch
from zulong.agent.tools.docstrings import parameter_words


@dataclass(slots=True, frozen=True)
class Signature:
    """What a model may pass to a function.

    Attributes:
        schema: JSON schema (an object) of the arguments.
        validate: turns arguments into what the function takes; raises ValueError.
        latch_parameter: parameter that gets the latch of the task, None when there is none.
    """

    schema: Mapping[str, Any]
    validate: Callable[[Mapping[str, Any]], dict[str, Any]]
    latch_parameter: str | None


def read_signature(function: Callable[..., Any]) -> Signature:
    """Return the signature of a function, a method, a partial or an object that can be called.

    A parameter annotated :class:`CancelLatch` is not shown to the model. ``**more`` lets further arguments through.

    Raises:
        TypeError: a parameter cannot be passed by name, or its type is unknown or cannot be carried by JSON.
    """
    import pydantic

    name = name_of(function) or "tool"
    hints, words = _hints(function, name), parameter_words(inspect.getdoc(function) or "")
    fields: dict[str, Any] = {}
    aliases: dict[str, str] = {}
    latch: str | None = None
    more: Any = None
    for parameter in inspect.signature(function).parameters.values():
        hint = hints.get(parameter.name, Any)
        if parameter.kind is parameter.VAR_KEYWORD:
            more = hint
            continue
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise TypeError(
                f"Parameter {parameter.name} of {name} cannot be passed by name; "
                f"a tool takes named parameters only."
            )
        if hint is CancelLatch or CancelLatch in get_args(hint):
            latch = parameter.name
            continue
        # Under names of its own: parameters may be called like parts of the model ("json", "_x").
        key = f"p{len(fields)}"
        aliases[key] = parameter.name
        described: dict[str, Any] = (
            {"description": text} if (text := _words(parameter.name, hint, words)) else {}
        )
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[key] = (hint, pydantic.Field(default, alias=parameter.name, **described))
    extra: Any = "forbid" if more is None else "allow"
    config = pydantic.ConfigDict(extra=extra, title=name)
    try:
        model: Any = pydantic.create_model("Arguments", __config__=config, **fields)
        rest = pydantic.TypeAdapter(Any if more is None else more)
        schema = _without_titles(model.model_json_schema(by_alias=True))
        if more is not None:
            schema["additionalProperties"] = _without_titles(rest.json_schema()) or True
    except (pydantic.errors.PydanticUserError, pydantic.errors.PydanticUndefinedAnnotation) as error:
        raise TypeError(f"{name} cannot be a tool: {str(error).splitlines()[0]}") from error

    def validate(arguments: Mapping[str, Any]) -> dict[str, Any]:
        checked = model.model_validate(dict(arguments))
        passed = {alias: getattr(checked, key) for key, alias in aliases.items()}
        for key, value in (checked.model_extra or {}).items():
            passed[key] = rest.validate_python(value)
        return passed

    return Signature(schema, validate, latch)


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function, also of one that is wrapped in a partial; "" when it has none."""
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, "__name__", "") or "")


def _hints(function: Callable[..., Any], name: str) -> dict[str, Any]:
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function):
        function = type(function).__call__
    try:
        return get_type_hints(function, include_extras=True)
    except NameError as error:
        raise TypeError(f"{name} cannot be a tool: a type of its parameters is unknown ({error}).") from error


def _words(parameter: str, hint: Any, words: Mapping[str, str]) -> str:
    """Return what is said of a parameter in the docstring, or as a text beside its type."""
    beside = [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, str)]
    return words.get(parameter) or " ".join(beside)


def _without_titles(schema: Any) -> Any:
    """Return a schema without the titles that are made of names: they say nothing, and models read them all."""
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_titles(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
