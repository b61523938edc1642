from __future__ import annotations

import math

import pytest

pytest.importorskip("zulong.msg", reason="the interfaces are not built")

from concurrent.futures import Future
from types import SimpleNamespace

from zulong.msg import MemoryEdge, MemoryNode
from zulong.msg import TaskGraph as TaskGraphMsg
from zulong.msg import TaskNode as TaskNodeMsg

from zulong.memory.model import Edge, EdgeType, Importance, Node, NodeType, Place
from zulong.nodes.convert_memory import (
    InvalidFieldError,
    edge_type,
    from_node,
    node_type,
    to_edge,
    to_node,
)
from zulong.nodes.convert_tasks import from_steps, to_task_graph
from zulong.nodes.deferred import allow_deferred
from zulong.nodes.images import ImageEncodingError, from_rgb, to_rgb
from zulong.nodes.memory_tasks import ending_of
from zulong.nodes.stamps import from_duration, from_time, to_duration, to_time
from zulong.tasks import TaskGraph


@pytest.mark.parametrize("seconds", [1.5, 1796042092.509826182, 0.000000001])
def test_times_survive_the_round_trip(seconds: float) -> None:
    assert from_time(to_time(seconds)) == pytest.approx(seconds, abs=1e-6)
    assert from_duration(to_duration(seconds)) == pytest.approx(seconds, abs=1e-6)


@pytest.mark.parametrize("unset", [None, math.inf, -math.inf, 0.0, -3.0, math.nan])
def test_what_is_no_moment_is_the_zero_time(unset: float | None) -> None:
    assert from_time(to_time(unset)) is None


@pytest.mark.parametrize("kind", list(NodeType))
def test_every_node_type_and_importance_survives(kind: NodeType) -> None:
    for importance in Importance:
        node = Node("a", 1, kind, "words", importance, 10.0, 10.0, 11.0, place=Place(1, 2, 3, room="kitchen"))
        message = to_node(node, 12.0)
        assert node_type(message.type) is kind
        draft = from_node(message, [], "robot1")
        assert (draft.type, draft.importance, draft.place, draft.robot) == (
            kind,
            importance,
            node.place,
            "robot1",
        )


@pytest.mark.parametrize("kind", list(EdgeType))
def test_every_edge_type_survives(kind: EdgeType) -> None:
    assert edge_type(to_edge(Edge("a", "b", kind, 0.5, 0.6, 1.0, 1.0)).type) is kind


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"text": "  "}, "node.text"),
        ({"meta_json": "{"}, "node.meta_json"),
        ({"meta_json": "[]"}, "JSON object"),
        ({"type": 99}, "99"),
        ({"importance": 99}, "importance"),
    ],
)
def test_a_malformed_memory_is_named(change: dict[str, object], words: str) -> None:
    message = MemoryNode(text="fine")
    for name, value in change.items():
        setattr(message, name, value)
    with pytest.raises(InvalidFieldError, match=words):
        from_node(message, [], "")


def test_a_place_that_is_no_number_and_a_link_that_joins_nothing_new_are_refused() -> None:
    message = MemoryNode(text="fine", has_place=True)
    message.place.pose.position.x = math.nan
    with pytest.raises(InvalidFieldError, match="finite"):
        from_node(message, [], "")
    with pytest.raises(InvalidFieldError, match="exactly one end"):
        from_node(MemoryNode(text="fine"), [MemoryEdge(source_id="x", target_id="y", type=4)], "")
    draft = from_node(
        MemoryNode(text="fine"), [MemoryEdge(source_id="", target_id="y", type=4, weight=0.3)], ""
    )
    assert draft.links[0].dst == "y"
    assert not draft.links[0].incoming


@pytest.mark.feature("TG-01")
def test_a_task_graph_goes_out_parents_first_with_progress() -> None:
    graph = TaskGraph()
    graph.add_node("errand", id="r")
    for name in "ab":
        graph.add_node(f"leaf {name}", parent="r", id=name, skill="say", arguments={"text": name})
    graph.add_dependency("b", "a")
    graph.start("a")
    graph.complete("a", {"text": "a"})
    message = to_task_graph(graph, thread_id="t", instruction="words", language="en", now_s=5.0)
    assert [n.id for n in message.nodes] == ["r", "a", "b"]
    root, a, b = message.nodes
    assert root.progress == pytest.approx(0.5)
    assert a.status == TaskNodeMsg.STATUS_COMPLETED
    assert a.result_json == '{"text": "a"}'
    assert list(b.depends_on) == ["a"]
    steps = from_steps(message)
    assert [s["id"] for s in steps] == ["a", "b"]
    assert steps[1]["depends_on"] == ["a"]


@pytest.mark.feature("TG-01")
def test_a_very_deep_task_graph_goes_out_with_siblings_in_order() -> None:
    graph = TaskGraph()
    graph.add_node("errand", id="0")
    for depth in range(1, 3000):
        graph.add_node(f"level {depth}", parent=str(depth - 1), id=str(depth))
    graph.add_node("sibling", parent="0", id="s")
    graph.start("s")
    graph.complete("s")
    message = to_task_graph(graph, thread_id="t", instruction="words", language="en", now_s=5.0)
    assert [n.id for n in message.nodes] == [*map(str, range(3000)), "s"]
    assert (message.nodes[0].progress, message.nodes[1].progress) == (0.5, 0.0)
    assert (message.nodes[1].position, message.nodes[-1].position) == (0, 1)


@pytest.mark.feature("TG-05")
def test_an_archived_task_says_how_it_ended_and_one_that_goes_on_does_not() -> None:
    graph = TaskGraph()
    graph.add_node("errand", id="r")
    going = to_task_graph(graph, thread_id="t", instruction="words", language="en", now_s=5.0)
    assert ending_of(going) is None
    graph.archive("SUCCEEDED", "Done.")
    ended = to_task_graph(graph, thread_id="t", instruction="words", language="en", now_s=5.0)
    assert ending_of(ended) == ("SUCCEEDED", "Done.")
    for broken in ("{", "[]", '{"outcome": 1, "summary": ""}', '{"outcome": ""}'):
        ended.nodes[0].result_json = broken
        assert ending_of(ended) is None


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([TaskNodeMsg(id="a"), TaskNodeMsg(id="a")], "stands twice"),
        ([TaskNodeMsg(id="a", parent_id="z")], "before its parent"),
        ([TaskNodeMsg(id="a", depends_on=["z"])], "unknown nodes: z"),
        ([TaskNodeMsg(id="a", arguments_json="{")], "arguments_json"),
    ],
)
def test_a_malformed_plan_is_named(nodes: list[TaskNodeMsg], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        from_steps(TaskGraphMsg(nodes=nodes))


def test_pictures_survive_and_lying_ones_are_refused() -> None:
    import numpy as np
    from std_msgs.msg import Header

    rng = np.random.default_rng(2)
    picture = rng.integers(0, 255, (12, 16, 3), dtype=np.uint8)
    image = from_rgb(picture, Header())
    assert np.array_equal(to_rgb(image), picture)
    image.encoding = "bgr8"
    assert np.array_equal(to_rgb(image), picture[:, :, ::-1])
    image.height = 100
    with pytest.raises(ImageEncodingError, match="bytes"):
        to_rgb(image)
    image.encoding = "bayer_rggb8"
    with pytest.raises(ImageEncodingError, match=r"cv_bridge|bayer"):
        to_rgb(image)


def test_a_deferred_answer_is_sent_when_its_future_is_done() -> None:
    sent: list[tuple[str, int]] = []
    service = SimpleNamespace(send_response=lambda response, header: sent.append((response, header)))
    allow_deferred(service, lambda call, *args: call(*args), lambda error: f"failed: {error}")
    later: Future[str] = Future()
    service.send_response(later, 1)
    service.send_response("now", 2)
    assert sent == [("now", 2)]
    later.set_result("then")
    broken: Future[str] = Future()
    service.send_response(broken, 3)
    broken.set_exception(OSError("disk"))
    assert sent == [("now", 2), ("then", 1), ("failed: disk", 3)]
