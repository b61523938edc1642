"""Tools from Python signatures, repaired arguments, bounded runs, long results."""

from __future__ import annotations

import threading
import time
from typing import Literal

import pydantic
import pytest
from scripted_parts import wait_until

from zulong.agent.latch import CancelLatch
from zulong.agent.skills import SkillProfile
from zulong.agent.tools import (
    ArgumentsError,
    GraphMemory,
    ProcessMemory,
    RunningTool,
    Tool,
    ToolRegistry,
    cut_result,
    memory_tools,
    repair_arguments,
    tool_from_function,
    tool_from_skill,
)
from zulong.agent.tools.workers import Workers


class Pose(pydantic.BaseModel):
    x: float
    y: float = 0.0


def drive(
    pose: Pose,
    speed: Literal["slow", "fast"] = "slow",
    tags: list[str] | None = None,
    loud: bool = False,
    times: int = 1,
) -> str:
    """Drive to a pose.

    More words that the model need not see.

    Args:
        pose: where to, in the map frame,
            in metres.
        speed: how fast.
    """
    return f"{pose.x} {pose.y} {speed} {tags} {loud} {times}"


@pytest.fixture
def tool() -> Tool:
    return tool_from_function(drive, aliases={"target": "pose"})


@pytest.mark.feature("FC-06")
def test_a_signature_becomes_a_schema_with_the_docstrings_words(tool) -> None:
    assert tool.name == "drive" and tool.description == "Drive to a pose."
    properties = tool.parameters["properties"]
    assert tool.parameters["required"] == ["pose"] and properties["speed"]["enum"] == ["slow", "fast"]
    assert properties["pose"]["description"] == "where to, in the map frame, in metres."
    assert tool.definition()["function"]["parameters"] is not None


@pytest.mark.feature("FC-07")
@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ({"pose": {"x": 1}}, {"pose": {"x": 1}}),
        ('{"target": {"x": 1}}', {"pose": {"x": 1}}),
        ({"Pose": {"x": 1}}, {"pose": {"x": 1}}),
        ({"pose": {"x": 1}, "sped": "fast"}, {"pose": {"x": 1}, "speed": "fast"}),
        ({"pose": {"x": 1}, "speed": "FAST"}, {"pose": {"x": 1}, "speed": "fast"}),
        ({"pose": {"x": 1}, "times": "3"}, {"pose": {"x": 1}, "times": 3}),
        ({"pose": {"x": 1}, "times": 3.0}, {"pose": {"x": 1}, "times": 3}),
        ({"pose": {"x": 1}, "loud": "yes"}, {"pose": {"x": 1}, "loud": True}),
        ({"pose": {"x": 1}, "loud": "是"}, {"pose": {"x": 1}, "loud": True}),
        (
            {"type": "object", "properties": {"pose": {"x": 1}, "times": {"type": "integer"}}},
            {"pose": {"x": 1}},
        ),
    ],
)
def test_arguments_that_are_nearly_right_are_made_right(tool, written, arguments) -> None:
    assert repair_arguments(tool, written).arguments == arguments


@pytest.mark.feature("FC-07")
@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({}, "pose: Field required"),
        ({"pose": {"x": "far"}}, "pose.x"),
        ({"pose": {"x": 1}, "speed": "warp"}, "'slow' or 'fast'"),
        ({"pose": {"x": 1}, "target": {"x": 2}}, "given twice"),
        ({"pose": {"x": 1}, "zzz": 2}, "zzz"),
        ("[1]", "not a JSON object"),
        ({"pose": {"x": 1}, "times": "many"}, "times"),
    ],
)
def test_what_cannot_be_repaired_says_what_to_send(tool, written, words) -> None:
    with pytest.raises(ArgumentsError, match=words) as caught:
        repair_arguments(tool, written)
    assert "drive" in str(caught.value) or "twice" in words


@pytest.mark.feature("FC-07")
def test_a_remote_tool_is_checked_by_its_schema_and_given_defaults() -> None:
    schema = {
        "type": "object",
        "properties": {
            "place": {"type": "string"},
            "n": {"type": "integer", "minimum": 1},
            "way": {"type": "array"},
        },
        "required": ["place"],
        "additionalProperties": False,
    }
    remote = tool_from_skill(SkillProfile("go_to", "Drive.", schema, approval="risky"))
    assert remote.remote and remote.approval == "risky" and remote.has_side_effects
    assert repair_arguments(remote, {"Place": 5, "way": "left"}).arguments == {"place": "5", "way": ["left"]}
    with pytest.raises(ArgumentsError, match="'place' is a required property"):
        repair_arguments(remote, {})
    with pytest.raises(ArgumentsError, match="n: 0 is less than the minimum of 1"):
        repair_arguments(remote, {"place": "x", "n": "0"})
    with_default = Tool("t", "d", schema, defaults={"place": "home"})
    assert repair_arguments(with_default, "").arguments == {"place": "home"}


@pytest.mark.feature("FC-07")
def test_paths_stay_inside_their_root_even_through_links(tmp_path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("x")
    (root / "link").symlink_to(tmp_path / "secret")

    def read(path: str) -> str:
        """Read."""
        return path

    tool = tool_from_function(read, path_roots={"path": str(root)})
    assert repair_arguments(tool, {"path": "a/../b.txt"}).arguments == {"path": str(root / "b.txt")}
    for path in ("../secret", str(tmp_path / "secret"), "link", "a/../../secret", "/etc/passwd", "~/x"):
        with pytest.raises(ArgumentsError, match="must stay inside"):
            repair_arguments(tool, {"path": path})


def test_names_are_unique_and_such_as_servers_accept() -> None:
    registry = ToolRegistry()
    registry.add(tool_from_function(drive))
    for name in ("drive", "two words", "", "x" * 65, "a;b"):
        with pytest.raises(ValueError):
            registry.add(tool_from_function(drive, name=name) if name else Tool("", "", {}))

    def bad(*things: int) -> None:
        """Bad."""

    with pytest.raises(TypeError, match="named parameters only"):
        tool_from_function(bad)


@pytest.mark.feature("FC-06")
def test_a_time_limit_bounds_time_and_tells_the_function_to_stop() -> None:
    stopped = threading.Event()

    def wait(cancel: CancelLatch) -> str:
        """Wait."""
        if cancel.wait(10):
            stopped.set()
        return "late"

    tool = tool_from_function(wait, time_limit_s=0.1)
    assert "cancel" not in tool.parameters["properties"]
    start = time.monotonic()
    outcome = RunningTool(tool, {}, CancelLatch()).wait()
    assert not outcome.ok and "0.1 s" in outcome.text and time.monotonic() - start < 3
    assert stopped.wait(5)


def test_threads_are_used_again_but_a_job_never_waits_for_another() -> None:
    workers, names, go = Workers(), [], threading.Event()
    for _ in range(5):
        done = threading.Event()
        workers.run(lambda done=done: (names.append(threading.current_thread().ident), done.set()))
        assert done.wait(5)
        time.sleep(0.05)
    assert len(set(names)) == 1
    begun = threading.Barrier(11, timeout=5)
    for _ in range(10):
        workers.run(lambda: (begun.wait(), go.wait(5)))
    begun.wait()
    go.set()


def test_a_long_result_keeps_both_ends_and_its_whole_is_read_page_by_page() -> None:
    memory = ProcessMemory()
    text = "".join(f"{n:05d} " for n in range(2000))
    cut = cut_result(text, 1000, memory, "log", "c1")
    assert len(cut) < 1200 and cut.startswith("00000 ") and cut.endswith("01999 ")
    read, recall = memory_tools(memory, page=5000)
    whole, offset = "", 0
    while offset < len(text):
        page = read.function(memory_id="tool_result-1", offset=offset).split("\n[")[0]
        whole, offset = whole + page, offset + len(page)
    assert whole == text
    with pytest.raises(KeyError, match="nothing is kept"):
        read.function(memory_id="no")
    memory.keep("the red cup is on the desk", kind="DIALOGUE")
    assert "red cup" in recall.function(query="where is the cup?")[0]["text"]
    assert cut_result("short", 1000, memory, "log", "c2") == "short"


def test_a_result_that_memory_refuses_is_said_to_be_lost() -> None:
    class Full(ProcessMemory):
        def keep(self, text, *, kind, meta=None):
            raise OSError("no space left")

    assert "could not be kept: no space left" in cut_result("x" * 500, 100, Full(), "log", "c")


@pytest.mark.feature("FC-06", "MG-12")
def test_the_memory_graph_keeps_a_long_result_and_gives_it_back(tmp_path) -> None:
    from zulong.memory import MemoryGraph

    with MemoryGraph.open(tmp_path / "memory") as graph:
        memory = GraphMemory(graph, session="s")
        text = "The inventory of the kitchen: " + ", ".join(f"plate {n}" for n in range(400))
        cut = cut_result(text, 500, memory, "inventory", "c1")
        memory_id = cut.split("memory_id='")[1].split("'")[0]
        assert memory.read(memory_id) == text
        assert memory.read("no such id") is None
        # Finding is indexed a moment after the durable write.
        wait_until(
            lambda: any("inventory of the kitchen" in text for _, text in memory.recall("kitchen inventory"))
        )
