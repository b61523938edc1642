"""A past task that was like the present one is found, in English and Chinese; others are not."""

from __future__ import annotations

import pytest

from zulong.tasks import TaskGraph, WordOverlapSearch, past_task


@pytest.mark.feature("TG-05")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("红杯子送去厨房", "cup"),
        ("客厅很脏", "floor"),
        ("the plant is dry", "plants"),
        ("let anna know that we eat", "anna"),
        ("wo ist das café", "cafe"),
        ("the weather in the mountains", None),
        ("请把它给我", None),
        ("", None),
    ],
)
def test_tasks_are_alike_by_what_they_are_about(text, found) -> None:
    search = WordOverlapSearch()
    for name, instruction in (
        ("cup", "请把红色杯子拿到厨房"),
        ("floor", "打扫客厅的地板"),
        ("plants", "water the plants in the bedroom"),
        ("anna", "tell Anna that dinner is ready"),
        ("cafe", "bring me to the café"),
    ):
        graph = TaskGraph()
        graph.add_node(instruction)
        graph.archive("SUCCEEDED")
        search.keep(past_task(graph, name, instruction))
    assert [hit.task.id for hit in search.similar(text, 1)] == ([found] if found else [])
