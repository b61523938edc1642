"""Parameters declared once, as a table: descriptor, validation and documentation come from it.

``Parameter`` is plain data without ROS; ``declare`` and ``check`` bring a table to a node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rclpy.node import Node

Value = bool | int | float | str | list[bool] | list[int] | list[float] | list[str]


class ParameterError(ValueError):
    """A parameter has a value that it must not have; the message names it, the value and what is allowed."""


@dataclass(slots=True, frozen=True)
class Parameter:
    """One parameter of a node.

    Attributes:
        name: as in the YAML file; dots make groups.
        default: its type is the parameter's type; a list must not be empty unless ``item_type`` is given.
        description: one sentence for people.
        unit: for instance ``m``, ``s``, ``rad``, ``Hz``; empty for none.
        minimum, maximum: closed range for numbers (each item of a list); None for open.
        choices: the only values allowed; empty for any.
        read_only: only settable from the file or the command line at start.
        check: a further test; returns the sentence that says what is wrong, or None.
        item_type: type of a list's items, needed when the default is an empty list.
    """

    name: str
    default: Value
    description: str
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: Sequence[Value] = ()
    read_only: bool = False
    check: Callable[[Any], str | None] | None = None
    item_type: type | None = None

    @property
    def type_name(self) -> str:
        """The parameter's type as people write it, for instance ``float`` or ``list of str``."""
        if isinstance(self.default, list):
            item = self.item_type or type(self.default[0])
            return f"list of {item.__name__}"
        return type(self.default).__name__

    def allowed(self) -> str:
        """Say which values are allowed; empty if any of the type is."""
        parts = []
        if self.choices:
            parts.append("one of " + ", ".join(str(choice) for choice in self.choices))
        if self.minimum is not None or self.maximum is not None:
            low = "-inf" if self.minimum is None else f"{self.minimum:g}"
            high = "inf" if self.maximum is None else f"{self.maximum:g}"
            parts.append(f"{low} to {high}{' ' + self.unit if self.unit else ''}")
        return "; ".join(parts)

    def problem(self, value: Any) -> str | None:
        """Return one sentence about what is wrong with ``value``, or None if it is allowed."""
        value = as_plain(value)
        if self.item_type is not None and not (
            isinstance(value, list) and all(type(item) is self.item_type for item in value)
        ):
            return f"Parameter {self.name} must be a {self.type_name}, not {value!r}."
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, float) and not math.isfinite(item):
                return f"Parameter {self.name} must be a finite number, not {item}."
            too_low = self.minimum is not None and item < self.minimum
            if too_low or (self.maximum is not None and item > self.maximum):
                return f"Parameter {self.name} = {item} is outside its range {self.allowed()}."
            if self.choices and item not in self.choices:
                return f"Parameter {self.name} = {item!r} must be {self.allowed()}."
        return self.check(value) if self.check is not None else None


def as_plain(value: Any) -> Any:
    """Return array values, which rclpy gives as ``array.array``, tuples or lists, as lists."""
    return value if isinstance(value, (bool, int, float, str, bytes)) or value is None else list(value)


def documentation(parameters: Iterable[Parameter]) -> str:
    """Return a Markdown table of ``parameters``, sorted by name."""
    rows = ["| parameter | type | default | allowed | meaning |", "|---|---|---|---|---|"]
    for parameter in sorted(parameters, key=lambda each: each.name):
        unit = f" {parameter.unit}" if parameter.unit else ""
        fixed = " (fixed at start)" if parameter.read_only else ""
        rows.append(
            f"| `{parameter.name}` | {parameter.type_name} | `{parameter.default}`{unit} "
            f"| {parameter.allowed() or 'any'} | {parameter.description}{fixed} |"
        )
    return "\n".join(rows)


def _ros_type(parameter: Parameter) -> int:
    from rclpy.parameter import Parameter as RosParameter

    kinds = RosParameter.Type
    if isinstance(parameter.default, list):
        item = parameter.item_type or type(parameter.default[0])
        lists = {
            bool: kinds.BOOL_ARRAY,
            int: kinds.INTEGER_ARRAY,
            float: kinds.DOUBLE_ARRAY,
            str: kinds.STRING_ARRAY,
        }
        return int(lists[item].value)
    singles = {bool: kinds.BOOL, int: kinds.INTEGER, float: kinds.DOUBLE, str: kinds.STRING}
    return int(singles[type(parameter.default)].value)


def _descriptor(parameter: Parameter) -> Any:
    from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor

    unit = f" [{parameter.unit}]" if parameter.unit else ""
    descriptor = ParameterDescriptor(
        name=parameter.name,
        type=_ros_type(parameter),
        description=parameter.description + unit,
        additional_constraints=parameter.allowed(),
        read_only=parameter.read_only,
    )
    # rclpy takes an empty list for a list of bytes; such a parameter's type is checked by problem() instead.
    descriptor.dynamic_typing = parameter.default == []
    bounded = parameter.minimum is not None or parameter.maximum is not None
    if bounded and isinstance(parameter.default, float):
        low = -math.inf if parameter.minimum is None else float(parameter.minimum)
        high = math.inf if parameter.maximum is None else float(parameter.maximum)
        descriptor.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
    elif bounded and isinstance(parameter.default, int):
        low_int = -(2**63) if parameter.minimum is None else int(parameter.minimum)
        high_int = 2**63 - 1 if parameter.maximum is None else int(parameter.maximum)
        descriptor.integer_range = [IntegerRange(from_value=low_int, to_value=high_int, step=1)]
    return descriptor


def declare(node: Node, parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Declare ``parameters`` on ``node`` and return their values, overrides from file or command line applied.

    Raises:
        ParameterError: an override has the wrong type or is not allowed.
    """
    from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException

    values: dict[str, Any] = {}
    for parameter in parameters:
        try:
            declared = node.declare_parameter(parameter.name, parameter.default, _descriptor(parameter))
        except InvalidParameterTypeException as error:
            raise ParameterError(
                f"Parameter {parameter.name} must be a {parameter.type_name}: {error}"
            ) from error
        except InvalidParameterValueException as error:
            raise ParameterError(
                f"Parameter {parameter.name} must be {parameter.allowed() or parameter.type_name}: {error}"
            ) from error
        problem = parameter.problem(declared.value)
        if problem:
            raise ParameterError(problem)
        values[parameter.name] = as_plain(declared.value)
    return values
