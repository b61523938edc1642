"""A past task that was like the present one is found, in English and Chinese; others are not."""

from __future__ import annotations

import pytest

from zulong.tasks import TaskGraph, WordOverlapSearch, likeness, past_task


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


@pytest.mark.feature("TG-05")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bring me the red cup", "fetch the red cup for me"),
        ("bring me the red mug from the kitchen", "could you get me the red cup from the kitchen"),
        ("把红色杯子拿到厨房", "红杯子送去厨房"),
        ("请打扫客厅的地板", "帮我把客厅地板扫一下"),
        ("water the plants in the bedroom", "please water the bedroom plants"),
        ("tell Anna that dinner is ready", "let Anna know dinner is ready"),
        ("find the cat", "look for the cat"),
        ("how many bottles are on the table", "count the bottles on the table"),
        ("去厨房看看有几个苹果", "厨房里有多少苹果"),
        ("把药递给奶奶", "给奶奶送药"),
        ("bring the red cup to the kitchen", "把红色的杯子拿到厨房"),
        ("follow the guest to the living room", "accompany the visitor to the living room"),
        ("我的钥匙在哪里", "帮我找一下钥匙"),
        ("put the milk on the kitchen table", "place the milk on the table in the kitchen"),
        ("提醒我八点吃药", "八点的时候提醒我吃药"),
    ],
)
def test_another_wording_of_a_request_is_alike(one, other) -> None:
    assert likeness(one, other) == pytest.approx(likeness(other, one))
    assert 0.6 <= likeness(one, other) <= 1.0


@pytest.mark.feature("TG-05")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bring me the red cup", "water the plants on the balcony"),
        ("bring the red cup to the kitchen", "clean the kitchen"),
        ("bring me a banana", "bring the red cup to the kitchen"),
        ("把红色杯子拿到厨房", "给植物浇水"),
        ("打扫客厅", "客厅里有几个人"),
        ("find the cat in the bedroom", "water the plants in the bedroom"),
        ("tell Anna that dinner is ready", "ask Bob what time it is"),
        ("what is the weather in the mountains", "bring me to the café"),
        ("提醒我八点吃药", "给妈妈打电话"),
        ("请给我拿一瓶水", "请打开卧室的窗户"),
        ("say hello to the guest", "count the books on the shelf"),
        ("去厨房", "去卧室"),
        ("go to the kitchen", "go to the bedroom"),
        ("fetch the newspaper", "fetch the dog"),
        ("把书放到书架上", "把垃圾带出去"),
        ("play some music", "turn off the light"),
        ("唱首歌", "讲个笑话"),
        ("今天天气怎么样", "现在几点了"),
        ("bring the bottle to Anna", "tell Anna a joke"),
        ("follow me", "guide me to the exit"),
        ("回到充电桩", "到客厅找我的手机"),
    ],
)
def test_requests_that_have_little_to_do_with_each_other_are_not_alike(one, other) -> None:
    assert likeness(one, other) == pytest.approx(likeness(other, one))
    assert likeness(one, other) < 0.4


@pytest.mark.parametrize("text", ["", " ", "?!", "the", "把", "\ud800", "x" * 100_000, "的" * 10_000])
def test_likeness_of_odd_texts_is_a_share(text) -> None:
    assert 0.0 <= likeness(text, "bring the red cup") < 0.4
    assert likeness(text, text) in (0.0, 1.0)
