"""A digest of plain values that does not depend on the order of keys or the process."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from operator import itemgetter
from typing import Any


def stable_digest(value: Any) -> bytes:
    """A 16-byte digest, equal for equal plain values.

    Raises:
        TypeError: `value` holds an object that has no plain form.
    """
    from hashlib import blake2b

    h = blake2b(digest_size=16)
    _feed(h.update, value)
    return h.digest()


def _feed(update: Any, value: Any) -> None:
    if value is None or isinstance(value, (bool, int, float, complex)):
        update(f"{type(value).__name__}:{value!r};".encode())
    elif isinstance(value, str):
        update(f"s{len(value)}:".encode() + value.encode("utf-8", "surrogatepass"))
    elif isinstance(value, (bytes, bytearray)):
        update(f"b{len(value)}:".encode() + bytes(value))
    elif isinstance(value, Enum):
        update(f"e:{type(value).__qualname__}.{value.name};".encode())
    elif isinstance(value, Mapping):
        update(b"{")
        for _, key, item in sorted(((stable_digest(k), k, v) for k, v in value.items()), key=itemgetter(0)):
            _feed(update, key)
            _feed(update, item)
        update(b"}")
    elif isinstance(value, Set):
        update(b"<" + b"".join(sorted(stable_digest(item) for item in value)) + b">")
    elif isinstance(value, Sequence):
        update(b"[")
        for item in value:
            _feed(update, item)
        update(b"]")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        update(f"d:{type(value).__qualname__};".encode())
        _feed(update, {f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    elif hasattr(value, "model_dump"):
        update(f"d:{type(value).__qualname__};".encode())
        _feed(update, value.model_dump())
    elif hasattr(value, "isoformat") or type(value).__module__ in ("uuid", "decimal", "pathlib"):
        update(f"{type(value).__qualname__}:{value!s};".encode())
    elif hasattr(value, "__dict__"):
        update(f"o:{type(value).__qualname__};".encode())
        _feed(update, vars(value))
    else:
        raise TypeError(
            f"Cannot make a cache key from a value of type {type(value).__qualname__}: "
            "give CachePolicy a key_func that turns the input into text or bytes."
        )
