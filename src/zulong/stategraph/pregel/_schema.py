"""JSON schemas of inputs, outputs and contexts, through Pydantic where it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args, get_type_hints

from zulong.stategraph._fields import is_model_class
from zulong.stategraph._keys import ROOT
from zulong.stategraph.channels.base import BaseChannel


def channels_model(graph: Any, keys: str | Sequence[str], suffix: str, *, update: bool) -> Any:
    """A Pydantic model of channels: of what they take, or of what they hold."""
    from pydantic import RootModel, create_model

    def kind(channel: Any) -> Any:
        return channel.UpdateType if update else channel.ValueType

    if isinstance(keys, str):
        root: Any = RootModel
        return create_model(graph.get_name(suffix), __base__=root[kind(graph.channels[keys])])
    fields: dict[str, Any] = {
        k: (kind(graph.channels[k]), None) for k in keys if isinstance(graph.channels[k], BaseChannel)
    }
    return create_model(graph.get_name(suffix), **fields)


def channels_jsonschema(
    graph: Any, keys: str | Sequence[str], suffix: str, *, update: bool
) -> dict[str, Any]:
    """The JSON schema of channels."""
    schema: dict[str, Any] = channels_model(graph, keys, suffix, update=update).model_json_schema()
    return schema


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
    fields: dict[str, Any] = {}
    for key in keys:
        if key in builder.channels:
            kind = builder.channels[key].UpdateType
            fields[key] = (kind, _default_of(schema, key))
    model: Any = create_model(graph.get_name(suffix), **fields)
    return dict(model.model_json_schema())


def _default_of(schema: Any, key: str) -> Any:
    field = getattr(schema, "__dataclass_fields__", {}).get(key)
    if field is None:
        return getattr(schema, key, None)
    import dataclasses

    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    hint = get_type_hints(schema).get(key)
    return None if type(None) in get_args(hint) else ...


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
