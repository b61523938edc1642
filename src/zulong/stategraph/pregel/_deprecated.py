"""Arguments and methods of older versions: they still work, and say what to use instead."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from zulong.stategraph.warnings import LangGraphDeprecatedSinceV05, LangGraphDeprecatedSinceV10


def renamed(
    given: dict[str, Any],
    old: str,
    new: str,
    current: Any,
    *,
    category: type[DeprecationWarning] = LangGraphDeprecatedSinceV10,
    stacklevel: int = 4,
) -> Any:
    """The value for argument `new`, taken from `old` (with a warning) where only that was given."""
    if old not in given:
        return current
    value = given.pop(old)
    warnings.warn(
        f"`{old}` is deprecated and will be removed. Please use `{new}` instead.",
        category,
        stacklevel=stacklevel,
    )
    return value if current is None else current


def refuse_unknown(given: dict[str, Any], where: str) -> None:
    """Raise `TypeError` for arguments that nobody took."""
    if given:
        raise TypeError(f"{where} got an unexpected keyword argument '{next(iter(given))}'")


def take_config_type(given: dict[str, Any], context_schema: Any) -> Any:
    """`config_type` was the name of `context_schema`."""
    context_schema = renamed(given, "config_type", "context_schema", context_schema)
    for ignored in ("trigger_to_nodes", "node_error_handler_map", "stream_transformers"):
        given.pop(ignored, None)
    refuse_unknown(given, "Pregel()")
    return context_schema


def take_checkpoint_during(given: dict[str, Any], durability: Any) -> Any:
    """`checkpoint_during` said what `durability` says."""
    given.pop("debug", None)
    during = given.pop("checkpoint_during", None)
    if during is None:
        refuse_unknown(given, "The run")
        return durability
    warnings.warn(
        "`checkpoint_during` is deprecated and will be removed. Please use `durability` instead.",
        LangGraphDeprecatedSinceV10,
        stacklevel=4,
    )
    if durability is not None:
        raise ValueError(
            "Cannot use both `checkpoint_during` and `durability` parameters. Please use `durability` instead."
        )
    return "async" if during else "exit"


def config_schema(graph: Any, include: Sequence[str] | None) -> Any:
    """See `Pregel.config_schema`."""
    from pydantic import create_model

    warnings.warn(
        "`config_schema` is deprecated. Use `get_context_jsonschema` for the relevant schema instead.",
        LangGraphDeprecatedSinceV10,
        stacklevel=3,
    )
    fields: dict[str, Any] = {}
    if graph.context_schema:
        fields["configurable"] = (graph.context_schema, None)
    kinds = {"tags": list[str], "metadata": dict[str, Any], "recursion_limit": int, "max_concurrency": int}
    fields.update({n: (kinds[n] | None, None) for n in include or () if n in kinds})
    return create_model(graph.get_name("Config"), **fields)


def config_jsonschema(graph: Any, include: Sequence[str] | None) -> dict[str, Any]:
    """See `Pregel.get_config_jsonschema`."""
    warnings.warn(
        "`get_config_jsonschema` is deprecated. Use `get_context_jsonschema` instead.",
        LangGraphDeprecatedSinceV10,
        stacklevel=3,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=LangGraphDeprecatedSinceV10)
        schema: dict[str, Any] = config_schema(graph, include).model_json_schema()
    return schema


__all__ = ("LangGraphDeprecatedSinceV05", "renamed")
