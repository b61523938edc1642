"""Strict msgpack: plain values, a fixed set of built-in types, and what the application registered.

Loading looks names up in the registry and nowhere else: no import, no attribute of a module, no pickle.
Whatever the bytes are, the result is a value of these types or a `SerializationError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import msgpack

from zulong.stategraph._registered import ENGINE_TYPES
from zulong.stategraph.checkpoint.errors import SerializationError, UnregisteredTypeError
from zulong.stategraph.checkpoint.serde.builtin import (
    DECODERS,
    ENCODERS,
    NDARRAY,
    NDSCALAR,
    REGISTERED,
    decode_numpy,
    encode_numpy,
)
from zulong.stategraph.checkpoint.serde.registry import TypeRegistry, is_convertible, types_of, unregistered

T = TypeVar("T")

MAX_DEPTH = 100
"""How deep built-in and registered types may be nested in each other (lists and dicts: about 500).

Every level of extension is a reader of its own; without a bound hostile bytes could exhaust the C stack.
"""

_SHALLOW = 3  # levels that are read with the reader on the C stack: 3 times 40 kB fit in any thread's stack

default_registry = TypeRegistry()
"""The registry that serializers use unless given another; the engine's own types are in it."""
for _cls, _name, _to_plain, _from_plain in ENGINE_TYPES:
    default_registry.register(_cls, name=_name, encode=_to_plain, decode=_from_plain)


def register_type(
    cls: type[T],
    *,
    name: str | None = None,
    encode: Callable[[T], Any] | None = None,
    decode: Callable[[Any], T] | None = None,
) -> type[T]:
    """Allow `cls` in stored state everywhere in this process; see `TypeRegistry.register`."""
    return default_registry.register(cls, name=name, encode=encode, decode=decode)


class MsgpackSerializer:
    """Strict serializer over a `TypeRegistry`.

    `register_on_dump` registers convertible types when they are first written. It is meant for tests and
    throw-away savers in memory, whose bytes never leave the process: what one process learned by writing,
    the next one does not know.
    """

    def __init__(self, registry: TypeRegistry | None = None, *, register_on_dump: bool = False) -> None:
        self.registry = default_registry if registry is None else registry
        self._register_on_dump = register_on_dump
        if register_on_dump:
            self.registry = self.registry.child()

    def with_types(self, extra: Iterable[type]) -> MsgpackSerializer:
        """Return a serializer that also allows the convertible types in `extra` and in their fields."""
        wanted = [cls for item in extra for cls in types_of(item)]
        wanted = [cls for cls in wanted if self.registry.find_type(cls) is None]
        if not wanted:
            return self
        return type(self)._over(self.registry.child(wanted), self._register_on_dump)

    @classmethod
    def _over(cls, registry: TypeRegistry, register_on_dump: bool) -> MsgpackSerializer:
        serde = cls()
        serde.registry = registry
        serde._register_on_dump = register_on_dump
        return serde

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return `(type, bytes)`.

        Raises:
            UnregisteredTypeError: a type that is neither plain, built in nor registered.
            SerializationError: nested too deeply, or a value out of range.
        """
        if obj is None:
            return "null", b""
        kind = type(obj)
        if kind is bytes:
            return "bytes", obj
        return "msgpack", self.pack(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value of `(type, bytes)`.

        Raises:
            SerializationError: bytes that this serializer did not write, or a type that is not registered.
        """
        kind, raw = data
        if kind == "msgpack":
            return self.unpack(raw)
        if kind == "null":
            return None
        if kind == "bytes":
            return bytes(raw)
        raise SerializationError(
            f"Stored data of kind {kind!r} cannot be read by {type(self).__name__}; open the store with the "
            "serializer that wrote it (for encrypted data: EncryptedSerializer with its key)."
        )

    def pack(self, obj: Any) -> bytes:
        """Return the msgpack bytes of `obj`."""
        try:
            return self._pack(obj, 0)
        except SerializationError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise SerializationError(
                f"A value of type {type(obj).__qualname__} cannot be stored: {error}"
            ) from error

    def unpack(self, raw: bytes) -> Any:
        """Return the value of msgpack bytes."""
        try:
            return self._unpack(raw, 0)
        except SerializationError:
            raise
        except Exception as error:
            # Registered decoders and constructors may raise anything over damaged data.
            raise SerializationError(f"Stored data is damaged or of another format: {error!r}") from error

    def _pack(self, obj: Any, depth: int) -> bytes:
        # packb would allocate 256 kB for every value; most are far smaller, and the buffer grows by itself.
        packer = msgpack.Packer(
            default=partial(self._encode, depth + 1),
            strict_types=True,
            unicode_errors="surrogatepass",
            buf_size=512,
        )
        packed: bytes = packer.pack(obj)
        return packed

    def _encode(self, depth: int, obj: Any) -> msgpack.ExtType:
        if depth > MAX_DEPTH:
            raise SerializationError(
                f"A value is nested deeper than {MAX_DEPTH} levels of tuples, sets or registered types; flatten it."
            )
        cls = type(obj)
        known = ENCODERS.get(cls)
        if known is not None:
            code, encode = known
            return msgpack.ExtType(code, self._pack(encode(obj), depth))
        entry = self.registry.find_type(cls)
        if entry is None and self._register_on_dump and is_convertible(cls):
            self.registry.register(cls)
            entry = self.registry.find_type(cls)
        if entry is not None:
            return msgpack.ExtType(REGISTERED, self._pack([entry.name, entry.encode(obj)], depth))
        array = encode_numpy(obj)
        if array is not None:
            code, plain = array
            return msgpack.ExtType(code, self._pack(plain, depth))
        raise unregistered(cls)

    def _decode(self, depth: int, code: int, raw: bytes) -> Any:
        if depth > MAX_DEPTH:
            raise SerializationError(f"Stored data is nested deeper than {MAX_DEPTH} levels; it is damaged.")
        plain = self._unpack(raw, depth) if depth < _SHALLOW else self._unpack_deep(raw, depth)
        decode = DECODERS.get(code)
        if decode is not None:
            return decode(plain)
        if code == REGISTERED:
            name, stored = plain
            entry = self.registry.find_name(name) if isinstance(name, str) else None
            if entry is None:
                raise UnregisteredTypeError(
                    f"Stored data holds a value of type {name!r}, which is not registered in this process; call "
                    "register_type on that class (with the same name=) before reading."
                )
            return entry.decode(stored)
        if code in (NDARRAY, NDSCALAR):
            return decode_numpy(code, plain)
        raise SerializationError(
            f"Stored data holds the unknown extension code {code}; a newer version wrote it."
        )

    def _unpack(self, raw: bytes, depth: int) -> Any:
        return msgpack.unpackb(
            raw,
            ext_hook=partial(self._decode, depth + 1),
            strict_map_key=False,
            unicode_errors="surrogatepass",
            timestamp=3,
        )

    def _unpack_deep(self, raw: bytes, depth: int) -> Any:
        # An Unpacker keeps its state on the heap; unpackb keeps 40 kB of it on the C stack at every level.
        unpacker = msgpack.Unpacker(
            ext_hook=partial(self._decode, depth + 1),
            strict_map_key=False,
            unicode_errors="surrogatepass",
            timestamp=3,
            max_buffer_size=max(len(raw), 1),
            read_size=min(max(len(raw), 1), 65536),
        )
        unpacker.feed(raw)
        value = unpacker.unpack()
        if unpacker.tell() != len(raw):
            raise SerializationError("Stored data has bytes behind its end; it is damaged.")
        return value
