"""Keys and values of states that are objects: dataclasses, Pydantic models, annotated classes."""

from __future__ import annotations

import dataclasses
import inspect
import weakref
from typing import Any

from zulong.stategraph._keys import MISSING

_KEYS: weakref.WeakKeyDictionary[type[Any], tuple[str, ...]] = weakref.WeakKeyDictionary()


def annotated_keys(cls: type[Any]) -> tuple[str, ...]:
    """Names annotated on `cls` and its bases, those of the most derived class first."""
    keys = _KEYS.get(cls)
    if keys is None:
        found: dict[str, None] = {}
        for base in cls.__mro__:
            if base.__module__ == "builtins" or base.__name__ == "BaseModel":
                continue
            for name in inspect.get_annotations(base):
                found.setdefault(name)
        keys = tuple(found)
        try:
            _KEYS[cls] = keys
        except TypeError:
            pass
    return keys


def is_model_class(cls: Any) -> bool:
    """Whether `cls` is a Pydantic model class, told without importing pydantic."""
    return isinstance(cls, type) and hasattr(cls, "model_fields") and hasattr(cls, "model_validate")


def object_update(update: Any, keys: Any) -> list[tuple[str, Any]]:
    """The keys that an object returned by a node means to write.

    Of a Pydantic model: what was set explicitly, and what differs from its default. Of other objects: every
    key that is there and, where the key has a default, is not None or differs from that default.
    """
    if is_model_class(type(update)):
        chosen = update.model_fields_set
        model_fields = type(update).model_fields
        result = []
        for key in keys:
            value = getattr(update, key, MISSING)
            if value is MISSING:
                continue
            if key in chosen:
                result.append((key, value))
                continue
            field = model_fields.get(key)
            if (
                field is not None
                and not field.is_required()
                and field.get_default(call_default_factory=True) != value
            ):
                result.append((key, value))
        return result
    defaults = _dataclass_defaults(type(update))
    pairs = []
    for key in keys:
        value = getattr(update, key, MISSING)
        if value is MISSING:
            continue
        if value is not None or defaults.get(key, MISSING) is not None:
            pairs.append((key, value))
    return pairs


def _dataclass_defaults(cls: type[Any]) -> dict[str, Any]:
    if not dataclasses.is_dataclass(cls):
        # A plain annotated class: an attribute that is None counts as "not given".
        return dict.fromkeys(annotated_keys(cls), None)
    found: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
    return found
