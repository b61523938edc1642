"""From a state's type annotations to its channels."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_args, get_origin, get_type_hints

from zulong.stategraph._fields import is_model_class
from zulong.stategraph._keys import ROOT
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.binop import BinaryOperatorAggregate
from zulong.stategraph.channels.delta import DeltaChannel
from zulong.stategraph.channels.last_value import LastValue
from zulong.stategraph.managed.base import is_managed_value


def unwrapped(annotation: Any) -> Any:
    """The annotation without Required, NotRequired or ReadOnly around it."""
    origin = getattr(annotation, "__origin__", None)
    name = getattr(origin, "_name", None)
    if name in ("Required", "NotRequired", "ReadOnly"):
        return annotation.__args__[0]
    return annotation


def channels_of(schema: Any) -> tuple[dict[str, BaseChannel[Any, Any, Any]], dict[str, Any]]:
    """Channels and managed values for the keys of a schema; a type without keys is one root channel."""
    if not hasattr(schema, "__annotations__"):
        return {ROOT: _root_channel(schema)}, {}
    channels: dict[str, BaseChannel[Any, Any, Any]] = {}
    managed: dict[str, Any] = {}
    for name, annotation in get_type_hints(schema, include_extras=True).items():
        if name == "__slots__":
            continue
        found = channel_of(name, annotation)
        if isinstance(found, BaseChannel):
            channels[name] = found
        else:
            managed[name] = found
    return channels, managed


def _root_channel(schema: Any) -> BaseChannel[Any, Any, Any]:
    found = channel_of(ROOT, schema)
    if not isinstance(found, BaseChannel):
        raise ValueError(f"This {schema} not allowed in this position: a managed value needs a key.")
    return found


def channel_of(name: str, annotation: Any) -> Any:
    """The channel or managed value that an annotation asks for.

    Raises:
        ValueError: a reducer does not take two arguments.
    """
    annotation = unwrapped(annotation)
    managed = managed_value_of(annotation)
    if managed is not None:
        return managed
    channel = field_channel(annotation) or _reducer_channel(annotation) or LastValue(annotation)
    channel.key = name
    return channel


def managed_value_of(annotation: Any) -> Any:
    """The managed value in the annotation, at any depth, or None."""
    metadata = getattr(annotation, "__metadata__", ())
    if metadata:
        last = get_origin(metadata[-1]) or metadata[-1]
        if is_managed_value(last):
            return last
    if get_origin(annotation) is not None:
        args = get_args(annotation)
        if args:
            return managed_value_of(args[0])
    return None


def field_channel(annotation: Any) -> BaseChannel[Any, Any, Any] | None:
    """The channel that the annotation names (`Annotated[T, Channel]`), or None."""
    for item in getattr(annotation, "__metadata__", ()):
        if isinstance(item, BaseChannel):
            if type(item) is DeltaChannel and hasattr(annotation, "__origin__"):
                origin = unwrapped(annotation.__origin__)
                return DeltaChannel(item.reducer, origin, snapshot_frequency=item.snapshot_frequency)
            return item.copy() if type(item).copy is not BaseChannel.copy else item
        if inspect.isclass(item) and issubclass(item, BaseChannel):
            return item(getattr(annotation, "__origin__", annotation))
    return None


def _reducer_channel(annotation: Any) -> BaseChannel[Any, Any, Any] | None:
    metadata = getattr(annotation, "__metadata__", ())
    if not metadata or not callable(metadata[-1]):
        return None
    reducer = metadata[-1]
    try:
        signature = inspect.signature(reducer)
    except ValueError:  # a builtin without one, like operator.add in some versions
        return BinaryOperatorAggregate(annotation, reducer)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if sum(p.kind in positional for p in signature.parameters.values()) != 2:
        raise ValueError(f"Invalid reducer signature. Expected (a, b) -> c. Got {signature}")
    return BinaryOperatorAggregate(annotation, reducer)


def mapper_of(keys: Any, schema: Any) -> Callable[[dict[str, Any]], Any] | None:
    """What makes the schema's object of a dictionary; None where nodes get the dictionary itself."""
    if keys == [ROOT] or keys == ROOT or not inspect.isclass(schema):
        return None
    if is_model_class(schema) or hasattr(schema, "__dataclass_fields__"):
        return lambda values: schema(**values)
    return None


def first_parameter_schema(func: Any) -> Any:
    """The schema that annotates the first parameter of a function, or None."""
    target = func
    if not (inspect.isfunction(target) or inspect.ismethod(target)):
        target = getattr(func, "__call__", None)  # noqa: B004
        if not inspect.ismethod(target):
            return None
    try:
        hints = get_type_hints(target)
        first = next(iter(inspect.signature(target).parameters))
        hint = hints.get(first)
        return hint if isinstance(hint, type) and get_type_hints(hint) else None
    except (NameError, TypeError, StopIteration, AttributeError):
        return None


def return_hint(func: Any) -> Any:
    """The return annotation of a function or callable object, or None."""
    is_function = inspect.isfunction(func) or inspect.ismethod(func)
    target = func if is_function else getattr(func, "__call__", None)  # noqa: B004 - its annotations are wanted
    try:
        return get_type_hints(target).get("return") if target is not None else None
    except (NameError, TypeError):
        return None
