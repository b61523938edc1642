"""JSON schemas of inputs, outputs and contexts, through Pydantic where it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zulong.stategraph._fields import is_model_class
from zulong.stategraph._keys import ROOT
from zulong.stategraph.channels.base import BaseChannel


def channels_jsonschema(graph: Any, keys: str | Sequence[str], suffix: str, *, update: bool) -> dict[str, Any]:
    """The schema of channels: of what they take, or of what they hold."""
    from pydantic import TypeAdapter, create_model

    def kind(channel: Any) -> Any:
        return channel.UpdateType if update else channel.ValueType

    if isinstance(keys, str):
        schema: dict[str, Any] = TypeAdapter(kind(graph.channels[keys])).json_schema()
        schema.setdefault("title", graph.get_name(suffix))
        return schema
    fields: dict[str, Any] = {
        k: (kind(graph.channels[k]), None) for k in keys if isinstance(graph.channels[k], BaseChannel)
    }
    return create_model(graph.get_name(suffix), **fields).model_json_schema()


def state_jsonschema(graph: Any, schema: Any, suffix: str) -> dict[str, Any]:
    """The schema of a state."""
    from pydantic import TypeAdapter, create_model

    if is_model_class(schema):
        return schema.model_json_schema()  # type: ignore[no-any-return]
    if hasattr(schema, "__total__"):
        return TypeAdapter(schema).json_schema()
    builder = graph.builder
    keys = list(builder.schemas[schema])
    if keys == [ROOT]:
        adapter: Any = TypeAdapter(builder.channels[ROOT].UpdateType)
        return {**adapter.json_schema(), "title": graph.get_name(suffix)}
    fields = {}
    for key in keys:
        if key in builder.channels:
            kind = builder.channels[key].UpdateType
            fields[key] = (kind, _default_of(schema, key))
    return create_model(graph.get_name(suffix), **fields).model_json_schema()


def _default_of(schema: Any, key: str) -> Any:
    field = getattr(schema, "__dataclass_fields__", {}).get(key)
    if field is None:
        return getattr(schema, key, None)
    import dataclasses

    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return ...


def context_jsonschema(schema: Any) -> dict[str, Any] | None:
    """The schema of a context.

    Raises:
        ValueError: it is neither a Pydantic model, a TypedDict nor a dataclass.
    """
    if schema is None:
        return None
    if is_model_class(schema):
        return schema.model_json_schema()  # type: ignore[no-any-return]
    if hasattr(schema, "__total__") or hasattr(schema, "__dataclass_fields__"):
        from pydantic import TypeAdapter

        return TypeAdapter(schema).json_schema()
    raise ValueError(f"Invalid context schema type: {schema}. Must be a BaseModel, TypedDict or dataclass.")
