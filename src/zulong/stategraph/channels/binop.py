"""A channel that folds updates into its value by a reducer."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable, Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING, OVERWRITE
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError, ErrorCode, InvalidUpdateError, create_error_message
from zulong.stategraph.types import Overwrite

__all__ = ("BinaryOperatorAggregate",)

_CONCRETE: dict[Any, type[Any]] = {
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Set: set,
    abc.MutableSet: set,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
}


def concrete_type(typ: Any) -> Any:
    """The class to make an empty value of: `Annotated[Required[Sequence[int]], ...]` -> list."""
    while (origin := getattr(typ, "__origin__", None)) is not None:
        name = getattr(origin, "_name", None) or getattr(origin, "__name__", "")
        typ = typ.__args__[0] if name in ("Required", "NotRequired", "ReadOnly") else origin
    return _CONCRETE.get(typ, typ)


def unwrap_overwrite(value: Any) -> tuple[bool, Any]:
    """Whether `value` is an overwrite in any of its forms (also after a trip through JSON), and of what."""
    if isinstance(value, Overwrite):
        return True, value.value
    if isinstance(value, dict):
        if len(value) == 1 and OVERWRITE in value:
            return True, value[OVERWRITE]
        if value.get("type") == OVERWRITE and "value" in value:
            return True, value["value"]
    return False, None


def same_reducer(a: Callable[..., Any], b: Callable[..., Any]) -> bool:
    """Whether two reducers may stand for one channel; two lambdas are given the benefit of the doubt."""
    if getattr(a, "__name__", "") == "<lambda>" or getattr(b, "__name__", "") == "<lambda>":
        return True
    return a is b


def two_overwrites() -> InvalidUpdateError:
    """The error for a second `Overwrite` in one step."""
    return InvalidUpdateError(
        create_error_message(
            message="Can receive only one Overwrite value per super-step.",
            error_code=ErrorCode.INVALID_CONCURRENT_GRAPH_UPDATE,
        )
    )


class BinaryOperatorAggregate(BaseChannel[Value, Value, Value], Generic[Value]):
    """Applies `operator(value, update)` for every update; an `Overwrite` replaces the value instead."""

    __slots__ = ("operator", "value")
    cleared_each_step = False
    waits_for_finish = False

    def __init__(self, typ: Any, operator: Callable[[Any, Any], Any]) -> None:
        super().__init__(typ)
        self.operator = operator
        try:
            self.value: Any = concrete_type(typ)()
        except Exception:  # whatever the type's constructor wants, there is no empty value then
            self.value = MISSING

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BinaryOperatorAggregate) and same_reducer(self.operator, other.operator)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> BinaryOperatorAggregate[Value]:
        new = self.__class__.__new__(self.__class__)
        new.typ = self.typ
        new.key = self.key
        new.operator = self.operator
        new.value = self.value
        return new

    def from_checkpoint(self, checkpoint: Any) -> BinaryOperatorAggregate[Value]:
        from_log = getattr(checkpoint, "to_list", None)  # the key was an append log before
        if from_log is not None:
            from zulong.stategraph.channels.delta import replay

            checkpoint = replay(from_log(), self.operator, self.typ)
        if checkpoint is MISSING:
            new = self.__class__(self.typ, self.operator)
            new.key = self.key
            return new
        new = self.copy()
        new.value = checkpoint
        return new

    def update(self, values: Sequence[Any]) -> bool:
        if not values:
            return False
        current, overwritten = self.value, False
        for value in values:
            is_overwrite, replacement = unwrap_overwrite(value)
            if is_overwrite:
                if overwritten:
                    raise two_overwrites()
                current, overwritten = replacement, True
            elif not overwritten:
                current = value if current is MISSING else self.operator(current, value)
        self.value = current
        return True

    def get(self) -> Any:
        if self.value is MISSING:
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return self.value

    def is_available(self) -> bool:
        return self.value is not MISSING

    def checkpoint(self) -> Any:
        return self.value
