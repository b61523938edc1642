"""Append logs: a step costs what it adds, and branches see exactly their own items."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.stategraph import END, START, StateGraph
from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels import AppendLog, DeltaChannel
from zulong.stategraph.channels.delta import LogView
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.types import Overwrite


def extend(value: list[Any], writes: list[list[Any]]) -> list[Any]:
    return [*value, *(item for write in writes for item in write)]


class Appended(TypedDict):
    i: int
    log: Annotated[list[str], AppendLog]


class Folded(TypedDict):
    i: int
    log: Annotated[list[str], DeltaChannel(extend)]


class Listed(TypedDict):
    i: int
    log: Annotated[list[str], operator.add]


def growing(schema: Any, saver: Any, steps: int) -> Any:
    graph = StateGraph(schema).add_node("n", lambda s: {"i": s["i"] + 1, "log": [f"item {s['i']}"]})
    graph.add_edge(START, "n").add_conditional_edges("n", lambda s: "n" if s["i"] < steps else END)
    return graph.compile(checkpointer=saver)


@pytest.mark.feature("SG-23")
@pytest.mark.parametrize("schema", [Appended, Folded])
def test_a_thread_is_read_back_whole_and_a_fork_sees_only_its_branch(
    schema: Any, saver: Any, thread: Any
) -> None:
    graph = growing(schema, saver, 5)
    config = {**thread, "recursion_limit": 100}
    assert graph.invoke({"i": 0, "log": ["start"]}, config)["log"] == [
        "start",
        *(f"item {i}" for i in range(5)),
    ]
    assert list(graph.get_state(thread).values["log"]) == ["start", *(f"item {i}" for i in range(5))]
    at_two = next(h for h in graph.get_state_history(thread) if h.values.get("i") == 2)
    fork = graph.update_state(at_two.config, {"log": ["forked"]})
    assert list(graph.get_state(fork).values["log"]) == ["start", "item 0", "item 1", "forked"]
    out = graph.invoke(None, fork)
    assert out["log"] == ["start", "item 0", "item 1", "forked", "item 2", "item 3", "item 4"]
    history = [
        list(h.values.get("log", [])) for h in graph.get_state_history(thread) if h.values.get("i") == 5
    ]
    assert ["start", *(f"item {i}" for i in range(5))] in history


@pytest.mark.feature("SG-23")
def test_bytes_on_disk_grow_with_what_is_added_not_with_the_history(tmp_path: Path, thread: Any) -> None:
    def used(steps: int) -> int:
        saver = LmdbSaver(tmp_path / str(steps))
        growing(Appended, saver, steps).invoke({"i": 0, "log": []}, {**thread, "recursion_limit": 1000})
        saver.close()
        return sum(f.stat().st_blocks * 512 for f in (tmp_path / str(steps)).iterdir())

    small, large = used(50), used(200)
    assert large < small * 6, "four times the steps cost about four times the bytes, not sixteen"


@pytest.mark.feature("SG-23", "SG-03")
def test_overwrite_starts_the_log_anew_and_a_small_value_is_not_kept_as_a_long_log() -> None:
    channel = AppendLog(list).from_checkpoint(MISSING)
    channel.update([["a", "b"], ["c"]])
    channel.update([Overwrite(["z"])])
    channel.update([["y"]])
    again = AppendLog(list).from_checkpoint(channel.checkpoint())
    assert again.get() == channel.get() == ["z", "y"]
    last: DeltaChannel[Any] = DeltaChannel(lambda v, ws: ws[-1], dict, snapshot_frequency=10)
    for i in range(1000):
        last.update([{"i": i}])
    assert len(last.checkpoint()) <= 11
    assert DeltaChannel(lambda v, ws: ws[-1], dict).from_checkpoint(last.checkpoint()).get() == {"i": 999}


@pytest.mark.feature("SG-23")
@given(st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(), max_size=3)), max_size=30))
@settings(deadline=None, max_examples=200)
def test_views_that_share_a_buffer_behave_like_lists(steps: list[tuple[int, list[int]]]) -> None:
    views, lists = [LogView()], [[]]  # type: ignore[var-annotated]
    for which, items in steps:
        at = which % len(views)
        views.append(views[at].appended(items))
        lists.append(lists[at] + items)
        for view, plain in zip(views, lists, strict=True):
            assert view == plain
            assert plain == view
            assert list(view) == plain
            assert len(view) == len(plain)
            assert view[1:] == plain[1:]
            assert view[::-1] == plain[::-1]
            if plain:
                assert view[-1] == plain[-1]
            with pytest.raises(IndexError):
                view[len(plain)]


@pytest.mark.feature("SG-23")
def test_a_key_may_change_from_a_plain_list_to_a_log_and_back(saver: Any, thread: Any) -> None:
    config = {**thread, "recursion_limit": 100}
    growing(Listed, saver, 2).invoke({"i": 0, "log": ["a"]}, config)
    assert growing(Appended, saver, 3).invoke({"i": 1, "log": ["b"]}, config)["log"][:4] == [
        "a",
        "item 0",
        "item 1",
        "b",
    ]
    out = growing(Folded, saver, 3).invoke({"i": 2, "log": ["c"]}, config)
    assert out["log"][-2:] == ["c", "item 2"]
