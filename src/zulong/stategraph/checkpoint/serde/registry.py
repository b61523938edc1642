"""Which application types may be stored, and how each becomes plain data and comes back.

Registering a type is the application's statement that making an instance from stored data is safe. What
is not registered is neither written nor made: a name in stored bytes is only ever looked up in here.
"""

from __future__ import annotations

import dataclasses
import enum
import sys
import threading
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from zulong.stategraph.checkpoint.errors import SerializationError, UnregisteredTypeError

T = TypeVar("T")


@dataclasses.dataclass(slots=True, frozen=True)
class RegisteredType:
    """One entry: the class, its name in stored bytes, and both directions of its conversion."""

    cls: type
    name: str
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


class TypeRegistry:
    """A set of registered types; a child sees its parent's entries as well, never the other way round."""

    def __init__(self, parent: TypeRegistry | None = None) -> None:
        self._parent = parent
        self._lock = threading.Lock()
        self._by_type: dict[type, RegisteredType] = {}
        self._by_name: dict[str, RegisteredType] = {}

    def register(
        self,
        cls: type[T],
        *,
        name: str | None = None,
        encode: Callable[[T], Any] | None = None,
        decode: Callable[[Any], T] | None = None,
    ) -> type[T]:
        """Allow `cls` to be stored; returns it, so that this serves as a class decorator.

        Dataclasses, Pydantic models, enums, named tuples and attrs classes need nothing else. Any other
        class needs `encode` (instance to plain or registered values) and `decode` (back). `name` is what
        stands in stored bytes (default `module:qualname`): give one to be free to move the class later.

        Raises:
            SerializationError: the class needs encode and decode, or the name belongs to another class.
        """
        if (encode is None) != (decode is None):
            raise SerializationError(
                f"Registering {cls.__qualname__}: give both encode and decode, or neither."
            )
        if encode is None or decode is None:
            encode, decode = _conversions(cls)
        entry = RegisteredType(cls, name or default_name(cls), encode, decode)
        with self._lock:
            known = self._by_name.get(entry.name)
            if known is not None and known.cls is not cls and not _redefined(known.cls, cls):
                raise SerializationError(
                    f"The stored name {entry.name!r} already belongs to {known.cls!r}; register {cls!r} with "
                    "another name=."
                )
            self._by_type[cls] = entry
            self._by_name[entry.name] = entry
        return cls

    def register_schema(self, schema: Any) -> None:
        """Allow every dataclass, Pydantic model, enum, named tuple and attrs class that `schema` names.

        `schema` is a class (a TypedDict for example) or an annotation; its fields are followed.
        """
        for cls in types_of(schema):
            if self.find_type(cls) is None:
                self.register(cls)

    def find_type(self, cls: type) -> RegisteredType | None:
        """Return the entry of exactly this class (a subclass is a type of its own)."""
        entry = self._by_type.get(cls)
        return self._parent.find_type(cls) if entry is None and self._parent is not None else entry

    def find_name(self, name: str) -> RegisteredType | None:
        """Return the entry of a name found in stored bytes."""
        entry = self._by_name.get(name)
        return self._parent.find_name(name) if entry is None and self._parent is not None else entry

    def child(self, extra: Iterable[type] = ()) -> TypeRegistry:
        """Return a registry that also allows `extra`; types that cannot be converted are left out."""
        registry = TypeRegistry(self)
        for cls in extra:
            if isinstance(cls, type) and is_convertible(cls) and self.find_type(cls) is None:
                registry.register(cls)
        return registry


def default_name(cls: type) -> str:
    """Return the name under which a class is stored unless one is given."""
    return f"{cls.__module__}:{cls.__qualname__}"


def unregistered(cls: type) -> UnregisteredTypeError:
    """Return the error for a value whose type may not be stored."""
    how = (
        f"register_type({cls.__qualname__})"
        if is_convertible(cls)
        else f"register_type({cls.__qualname__}, encode=..., decode=...)"
    )
    return UnregisteredTypeError(
        f"Type {cls.__module__}.{cls.__qualname__} is not registered for storing; call {how} from "
        "zulong.stategraph.checkpoint.serde.msgpack before the graph runs, or keep plain values in the state."
    )


def is_convertible(cls: type) -> bool:
    """Whether `register` knows how to convert this class by itself."""
    return (
        dataclasses.is_dataclass(cls)
        or issubclass(cls, enum.Enum)
        or _is_named_tuple(cls)
        or _is_pydantic(cls)
        or hasattr(cls, "__attrs_attrs__")
    )


def types_of(schema: Any) -> list[type]:
    """Return the convertible classes that a schema or annotation reaches, itself included."""
    found: dict[type, None] = {}
    seen: dict[int, Any] = {}  # holds the items too, so that no id is given twice
    todo: list[Any] = [schema]
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen[id(item)] = item
        todo.extend(typing.get_args(item))
        origin = typing.get_origin(item)
        if origin is not None:
            todo.append(origin)
        if not isinstance(item, type) or isinstance(item, types.GenericAlias):
            continue
        if is_convertible(item):
            found[item] = None
        if item.__module__ != "builtins":
            todo.extend(_annotations(item))
    return list(found)


def _annotations(cls: type) -> Iterator[Any]:
    try:
        hints = typing.get_type_hints(cls)
    except Exception:
        # A forward reference to a name local to a function cannot be resolved; what is plain still can.
        hints = {
            key: hint
            for key, hint in getattr(cls, "__annotations__", {}).items()
            if not isinstance(hint, str)
        }
    yield from hints.values()


def _redefined(old: type, new: type) -> bool:
    """Whether a module was reloaded or a function that defines a class ran again."""
    return old.__module__ == new.__module__ and old.__qualname__ == new.__qualname__


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and hasattr(cls, "_fields") and hasattr(cls, "_make")


def _is_pydantic(cls: type) -> bool:
    pydantic = sys.modules.get("pydantic")  # a class of pydantic cannot exist before pydantic is imported
    return pydantic is not None and issubclass(cls, pydantic.BaseModel)


def _conversions(cls: type) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    if issubclass(cls, enum.Enum):
        return _enum_conversions(cls)
    if _is_named_tuple(cls):
        return list, lambda values: cls._make(values)  # type: ignore[attr-defined]
    if _is_pydantic(cls):
        return _pydantic_conversions(cls)
    if dataclasses.is_dataclass(cls):
        fields = dataclasses.fields(cls)
        return _field_conversions(cls, [(f.name, f.name, f.init) for f in fields])
    attrs = getattr(cls, "__attrs_attrs__", None)
    if attrs is not None:
        return _field_conversions(cls, [(a.name, a.alias or a.name.lstrip("_"), a.init) for a in attrs])
    raise SerializationError(
        f"{cls.__module__}.{cls.__qualname__} is no dataclass, Pydantic model, enum, named tuple or attrs class; "
        f"call register_type({cls.__qualname__}, encode=..., decode=...)."
    )


def _enum_conversions(cls: type[enum.Enum]) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    if issubclass(cls, enum.Flag):
        return lambda member: member.value, cls
    return lambda member: member.name, lambda name: cls[name]


def _field_conversions(
    cls: type, fields: list[tuple[str, str, bool]]
) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Convert by field; a stored field that the class no longer has is dropped, a missing one takes its default."""
    names = [name for name, _, _ in fields]
    parameters = {name: parameter for name, parameter, init in fields if init}
    others = [name for name, _, init in fields if not init]

    def encode(instance: Any) -> dict[str, Any]:
        return {name: getattr(instance, name) for name in names if hasattr(instance, name)}

    def decode(stored: Mapping[str, Any]) -> Any:
        instance = cls(**{parameters[name]: value for name, value in stored.items() if name in parameters})
        for name in others:
            if name in stored:
                object.__setattr__(instance, name, stored[name])
        return instance

    return encode, decode


def _pydantic_conversions(cls: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Convert a model by its fields, so that a nested value keeps its own type and no coercion changes it.

    Private attributes are not stored. Validators do not run again: what was stored was valid.
    """

    def encode(instance: Any) -> list[Any]:
        values = dict(instance.__dict__)
        values.update(instance.__pydantic_extra__ or {})
        return [values, sorted(instance.model_fields_set)]

    def decode(stored: Any) -> Any:
        values, fields_set = stored
        known = cls.model_fields
        if cls.model_config.get("extra") != "allow":
            values = {name: value for name, value in values.items() if name in known}
        # Field names, not aliases, are stored; model_construct would look for aliases.
        missing = {
            name: field.get_default(call_default_factory=True)
            for name, field in known.items()
            if name not in values and not field.is_required()
        }
        if cls.__pydantic_root_model__:
            return cls.model_construct(values["root"], _fields_set=set(fields_set))
        instance = cls.model_construct(_fields_set=set(fields_set))
        extra = {name: value for name, value in values.items() if name not in known}
        object.__setattr__(
            instance, "__dict__", {**missing, **{k: v for k, v in values.items() if k in known}}
        )
        if extra:
            object.__setattr__(instance, "__pydantic_extra__", extra)
        return instance

    return encode, decode
