"""Keys and values of states that are objects: dataclasses, Pydantic models, annotated classes."""

from __future__ import annotations

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

    A None that is only a Pydantic model's default is not written; every other value that is there is.
    """
    chosen: Any = ()
    none_by_default: Any = ()
    if is_model_class(type(update)):
        chosen = update.model_fields_set
        none_by_default = {k for k, field in type(update).model_fields.items() if field.default is None}
    pairs = []
    for key in keys:
        value = getattr(update, key, MISSING)
        if value is MISSING or (value is None and key in none_by_default and key not in chosen):
            continue
        pairs.append((key, value))
    return pairs
