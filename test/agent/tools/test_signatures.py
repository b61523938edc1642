"""Schemas from signatures of every kind, and arguments made to fit them at every depth."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import functools
import threading
import time
from typing import Annotated, Any, Literal

import pydantic
import pytest

from zulong.agent.latch import CancelLatch
from zulong.agent.tools import ArgumentsError, RunningTool, Tool, repair_arguments, tool_from_function
from zulong.agent.tools.docstrings import first_sentence, parameter_words

pytestmark = pytest.mark.feature("FC-06", "FC-07")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Spot(pydantic.BaseModel):
    x: float
    tags: list[str] = pydantic.Field(default_factory=list)


class Tour(pydantic.BaseModel):
    start: Spot
    stops: list[Spot] = []
    color: Color = Color.RED


@dataclasses.dataclass
class Box:
    width: int


def paint(
    color: Color | None = None,
    kind: Literal["a", "b", 3] = "a",
    tour: Tour | None = None,
    stops: list[Spot] = [],  # noqa: B006 - what a careless user writes
    times: int | None = None,
    either: int | str = 0,
    name: str = "",
    box: Box | None = None,
) -> str:
    """Paint."""
    return "painted"


def call(tool: Tool, **arguments: Any) -> str:
    outcome = RunningTool(tool, repair_arguments(tool, arguments).arguments, CancelLatch()).wait()
    assert outcome.ok, outcome.text
    return outcome.text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"color": "RED"}, {"color": "red"}),
        ({"color": "none"}, {"color": None}),
        ({"color": ["blue"]}, {"color": "blue"}),
        ({"kind": "3"}, {"kind": 3}),
        ({"kind": "A"}, {"kind": "a"}),
        (
            {"tour": {"Start": {"X": "2"}, "stops": {"x": 1}, "color": "Blue"}},
            {"tour": {"start": {"x": 2.0}, "stops": [{"x": 1}], "color": "blue"}},
        ),
        ({"tour": '{"start": {"x": 1}}'}, {"tour": {"start": {"x": 1}}}),
        ({"stops": '[{"x": 1}]'}, {"stops": [{"x": 1}]}),
        ({"times": "null"}, {"times": None}),
        ({"times": "5"}, {"times": 5}),
        ({"either": "7"}, {"either": "7"}),
        ({"name": None}, {}),
        ({"name": ["x"]}, {"name": "x"}),
        ({"box": {"Width": "4"}}, {"box": {"width": 4}}),
    ],
)
def test_values_are_made_to_fit_at_every_depth(written, meant) -> None:
    assert repair_arguments(tool_from_function(paint), written).arguments == meant


@pytest.mark.parametrize(
    "written",
    [
        {"color": "green"},
        {"tour": {"start": {}}},
        {"times": "many"},
        {"stops": "x"},
        {"box": {"width": "wide"}},
    ],
)
def test_what_does_not_fit_is_never_guessed(written) -> None:
    with pytest.raises(ArgumentsError):
        repair_arguments(tool_from_function(paint), written)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_no_limit_holds_is_refused(number) -> None:
    def drive(metres: Annotated[float, pydantic.Field(le=5)]) -> float:
        """Drive."""
        return metres

    with pytest.raises(ArgumentsError):
        repair_arguments(tool_from_function(drive), f'{{"metres": {number}}}')


def test_parameters_may_have_any_name_and_any_kind_of_words() -> None:
    def odd(json: str, model_config: int, _hidden: int, copy: Annotated[int, "how many"] = 1) -> list:
        """Odd."""
        return [json, model_config, _hidden, copy]

    tool = tool_from_function(odd)
    assert tool.parameters["properties"]["copy"] == {
        "default": 1,
        "description": "how many",
        "type": "integer",
    }
    assert call(tool, json="a", model_config=2, _hidden=3) == '["a", 2, 3, 1]'


def test_further_keywords_are_let_through_in_their_type() -> None:
    def tag(what: str, **marks: int) -> dict:
        """Tag."""
        return {"what": what, **marks}

    tool = tool_from_function(tag)
    assert tool.parameters["additionalProperties"] == {"type": "integer"}
    assert call(tool, what="cup", size=3) == '{"what": "cup", "size": 3}'
    with pytest.raises(ArgumentsError):
        repair_arguments(tool, {"what": "cup", "size": "big"})


def test_methods_partials_and_callable_objects_are_tools_too() -> None:
    class Arm:
        def lift(self, height: int = 1) -> int:
            """Lift."""
            return height

        def __call__(self, *, force: float) -> float:
            """Push."""
            return force

    assert call(tool_from_function(Arm().lift), height="2") == "2"
    assert call(tool_from_function(Arm(), name="push"), force=1.5) == "1.5"
    assert call(tool_from_function(functools.partial(Arm().lift, height=3))) == "3"
    with pytest.raises(TypeError, match="has no name"):
        tool_from_function(Arm())


@pytest.mark.parametrize("kind", ["Undefined", "object()"])
def test_a_type_that_is_not_known_is_named(kind) -> None:
    namespace: dict[str, Any] = {}
    exec(f"from __future__ import annotations\ndef f(x: {kind}): 'F.'", namespace)  # noqa: S102
    with pytest.raises(TypeError, match="cannot be a tool"):
        tool_from_function(namespace["f"])


def test_an_async_function_is_run_and_canceled_at_its_limit() -> None:
    ended = threading.Event()

    async def think(seconds: float, cancel: CancelLatch | None = None) -> str:
        """Think."""
        assert cancel is not None
        try:
            await asyncio.sleep(seconds)
        finally:
            ended.set()
        return "thought"

    tool = tool_from_function(think, time_limit_s=5.0)
    assert list(tool.parameters["properties"]) == ["seconds"] and call(tool, seconds=0.01) == "thought"
    ended.clear()
    slow = tool_from_function(think, time_limit_s=0.1)
    start = time.monotonic()
    assert "0.1 s" in RunningTool(slow, {"seconds": 60}, CancelLatch()).wait().text
    assert time.monotonic() - start < 5 and ended.wait(5)


def returning(value: Any):
    def give() -> Any:
        """Give."""
        return value

    return give


def raising(error: BaseException):
    def fail() -> None:
        """Fail."""
        raise error

    return fail


def test_whatever_a_tool_returns_is_text_and_whatever_it_raises_is_an_answer() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("cannot say")

    async def steps():
        """Steps."""
        for n in range(3):
            yield n

    results = {
        "model": (Spot(x=1), '{"x": 1.0, "tags": []}'),
        "models": ([Box(1), Color.RED, {2}], '[{"width": 1}, "red", [2]]'),
        "bytes": (b"\xff", "\"b'\\\\xff'\""),
        "items": ((n for n in range(3)), "[0, 1, 2]"),
    }
    for name, (value, text) in results.items():
        assert call(tool_from_function(returning(value), name=name)) == text
    assert call(tool_from_function(steps)) == "[0, 1, 2]"
    for error in (SystemExit(3), KeyboardInterrupt(), Mute()):
        outcome = RunningTool(tool_from_function(raising(error)), {}, CancelLatch()).wait()
        assert not outcome.ok and type(error).__name__ in outcome.text


@pytest.mark.parametrize("limit", [0, -1, float("inf"), float("nan")])
def test_a_tool_without_a_real_time_limit_is_refused(limit) -> None:
    with pytest.raises(ValueError, match="time_limit_s"):
        tool_from_function(paint, time_limit_s=limit)


GOOGLE = """Do it.

Args:
    x (int): the number,
        in metres
    y: the word: any

Returns:
    z: nothing
"""
NUMPY = """Do it.

Parameters
----------
x : int
    the number,
    in metres
y : str, optional
    the word: any

Returns
-------
z
"""
SPHINX = """Do it.

:param int x: the number,
    in metres
:param y: the word: any
:returns: nothing
"""


@pytest.mark.parametrize("doc", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_docstrings_of_the_usual_styles_are_read(doc) -> None:
    assert first_sentence(doc) == "Do it."
    assert parameter_words(doc) == {"x": "the number, in metres", "y": "the word: any"}
