"""Task graphs, tool traces and code."""

import pytest

from zulong.memory import EdgeType, NodeType
from zulong.memory.adapters.code import CodeGraphAdapter
from zulong.memory.adapters.code_parser import parse_module
from zulong.memory.adapters.tasks import PastTasks, TaskGraphAdapter
from zulong.memory.adapters.tools import ToolApproval, ToolCall, ToolResult, ToolTraceAdapter, Trace
from zulong.tasks import TaskGraph, past_task


def plan(clock):
    tasks = TaskGraph(clock=clock)
    root = tasks.add_node("Bring the red cup to the kitchen")
    go = tasks.add_node("Go to the bedroom", parent=root, skill="go_to", arguments={"place": "bedroom"})
    pick = tasks.add_node(
        "Pick up the red cup", parent=root, skill="pick", arguments={"object": "red cup"}, depends_on=[go]
    )
    return tasks, root, go, pick


@pytest.mark.feature("MG-12", "TG-05")
def test_every_change_of_a_task_graph_is_mirrored(graph, reopen, clock):
    tasks, root, go, pick = plan(clock)
    adapter = TaskGraphAdapter(graph, tasks, "t1", robot="r1")
    assert adapter.sync() == 3
    tasks.subscribe(adapter)
    tasks.start(go)
    node = graph.get(f"task:t1:{go}")
    assert node.activation == pytest.approx(0.9)
    assert node.meta["record"]["status"] == "in_progress"
    tasks.complete(go, {"pose": [1, 2]})
    assert graph.get(f"task:t1:{go}").activation == pytest.approx(0.1)
    tasks.start(pick)
    tasks.block(pick, "the door is shut")
    late = tasks.add_node("Open the door", parent=root)
    graph = reopen()
    assert graph.get(f"task:t1:{pick}").activation == pytest.approx(0.5)
    mirrored = TaskGraphAdapter(graph, tasks, "t1").load()
    assert [one["id"] for one in mirrored] == [root, go, pick, late]
    for one in mirrored:
        node = tasks.node(one["id"])
        assert (one["title"], one["parent"], one["status"], one["depends_on"], one["skill"], one["arguments"]) == (
            node.title, node.parent, str(node.status), list(node.depends_on), node.skill, dict(node.arguments),
        )  # fmt: skip
    edges = {(e.src, e.dst, e.type) for e in graph.edges_of(f"task:t1:{pick}")}
    assert (f"task:t1:{root}", f"task:t1:{pick}", EdgeType.HIERARCHY) in edges
    assert (f"task:t1:{pick}", f"task:t1:{go}", EdgeType.DEPENDENCY) in edges


@pytest.mark.feature("MG-12", "TG-05")
def test_a_past_task_is_found_and_comes_back_as_it_was(graph, reopen, clock):
    tasks, _, go, pick = plan(clock)
    for leaf in (go, pick):
        tasks.start(leaf)
        tasks.complete(leaf)
    tasks.archive("succeeded", "The cup is in the kitchen.")
    kept = past_task(tasks, "t1", "bring the red cup to the kitchen")
    search = PastTasks(graph)
    search.keep(kept)
    other, *_ = plan(clock)
    other.archive("cancelled", "")
    search.keep(past_task(other, "t2", "water the plants on the balcony"))
    search = PastTasks(reopen())
    found = search.similar("please bring me the red cup from the kitchen")
    assert found[0].task.id == "t1"
    assert 0.6 < found[0].score <= 1
    assert all(hit.score < 0.4 for hit in search.similar("what is the weather like in the cellar"))
    assert search.get("t1").summary == "The cup is in the kitchen."
    again = TaskGraph.from_dict(found[0].task.graph)
    assert [node.title for node in again.nodes()] == [node.title for node in tasks.nodes()]
    search.keep(kept)
    assert search.get("t1") == kept


@pytest.mark.feature("MG-12")
def test_a_tool_trace_comes_back_whole(graph, reopen, clock):
    graph.remember("Tidy up", NodeType.TASK, id="task:x")
    slow, fast = {"place": "kitchen", "speed": 0.2}, {"place": "kitchen", "speed": 0.5}
    calls = [
        ToolCall(f"c{number}", name, arguments, clock.advance(1), "s1", task)
        for number, name, arguments, task in (
            (1, "go_to", fast, "task:x"),
            (2, "say", {"text": "你好"}, ""),
            (3, "go_to", slow, ""),
            (4, "look", {}, ""),
        )
    ]
    traces = [
        Trace(
            calls[0],
            ToolResult("c1", False, clock.advance(1), error="the way is blocked"),
            ToolApproval("c1", True, "anna", clock()),
        ),
        Trace(calls[1], ToolResult("c2", True, clock.advance(1), "done")),
        Trace(calls[2], ToolResult("c3", True, clock.advance(1))),
        Trace(calls[3]),
    ]
    adapter = ToolTraceAdapter(graph)
    for trace in traces:
        adapter.called(trace.call)
        adapter.called(trace.call)
        if trace.approval:
            adapter.approved("s1", trace.approval)
        if trace.result:
            adapter.returned("s1", trace.result)
    graph = reopen()
    adapter = ToolTraceAdapter(graph)
    assert adapter.load("s1") == traces
    edges = {(e.src, e.dst, e.type.name) for e in graph.edges_of("tool:s1:c1")}
    assert edges == {
        ("tool:s1:c1", "task:x", "APPLIES_TO"),
        ("tool:s1:c1:approval", "tool:s1:c1", "APPLIES_TO"),
        ("tool:s1:c1", "tool:s1:c1:result", "CAUSAL"),
        ("tool:s1:c1", "tool:s1:c2", "TEMPORAL"),
        ("tool:s1:c1", "tool:s1:c3", "FAILED_THEN_SUCCEEDED"),
    }
    assert adapter.failures("go_to", fast, "s1") == [traces[0]]
    assert adapter.failures("go_to", slow, "s1") == []
    with pytest.raises(KeyError, match="c9"):
        adapter.returned("s1", ToolResult("c9", True, clock()))


SHAPES = '''"""Shapes and their areas."""
import math


class Shape:
    """Anything flat."""

    def area(self):
        """Return the area in square metres."""
        raise NotImplementedError


class Circle(Shape):
    def __init__(self, radius_m: float):
        self.radius_m = radius_m

    def area(self):
        return circle_area(self.radius_m)


def circle_area(radius_m):
    return math.pi * radius_m**2
'''
REPORT = """from app import shapes
from .shapes import Circle as Round


def print_report():
    shape = Round(2)
    print(shapes.circle_area(3), shape.area())
"""


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / "app").mkdir(parents=True)
    (root / "app" / "__init__.py").write_text("")
    (root / "app" / "shapes.py").write_text(SHAPES)
    (root / "app" / "report.py").write_text(REPORT)
    return root


@pytest.mark.feature("MG-12")
def test_a_source_tree_comes_back_as_it_was_read(graph, reopen, project):
    CodeGraphAdapter(graph, "p", project).index()
    graph = reopen()
    adapter = CodeGraphAdapter(graph, "p", project)
    assert adapter.modules() == ["app", "app.report", "app.shapes"]
    for name, source in (("app.shapes", SHAPES), ("app.report", REPORT)):
        assert adapter.load(name) == parse_module(source, name, name.replace(".", "/") + ".py")
    shapes = adapter.load("app.shapes")
    assert [(s.name, s.kind) for s in shapes.symbols] == [
        ("Shape", "class"), ("Shape.area", "method"), ("Circle", "class"), ("Circle.__init__", "method"),
        ("Circle.area", "method"), ("circle_area", "function"),
    ]  # fmt: skip
    assert adapter.load("app.nothing") is None
    assert adapter.index() == []


@pytest.mark.feature("MG-12")
def test_what_calls_imports_and_extends_is_joined_and_found(graph, project):
    adapter = CodeGraphAdapter(graph, "p", project)
    adapter.index()
    assert adapter.callers("app.shapes", "circle_area") == [
        "code:p:app.report:print_report",
        "code:p:app.shapes:Circle.area",
    ]
    imports = {(e.src, e.dst) for e in graph.edges_of("code:p:app.report", [EdgeType.DEPENDS_ON])}
    assert ("code:p:app.report", "code:p:app.shapes") in imports
    bases = [
        e.dst
        for e in graph.edges_of("code:p:app.shapes:Circle", [EdgeType.DERIVED_FROM])
        if e.src.endswith("Circle")
    ]
    assert bases == ["code:p:app.shapes:Shape"]
    hits = adapter.find("area in square metres").hits
    assert hits[0].id == "code:p:app.shapes:Shape.area"
    assert adapter.find("print report").hits[0].id == "code:p:app.report:print_report"


@pytest.mark.feature("MG-12")
def test_what_changed_is_read_again_and_what_is_gone_goes(graph, project):
    adapter = CodeGraphAdapter(graph, "p", project)
    adapter.index()
    (project / "app" / "shapes.py").write_text(SHAPES.replace("circle_area", "disc_area"))
    (project / "app" / "report.py").unlink()
    assert adapter.index() == ["app.shapes"]
    assert adapter.modules() == ["app", "app.shapes"]
    assert graph.get("code:p:app.shapes:circle_area") is None
    assert graph.get("code:p:app.report:print_report") is None
    assert adapter.callers("app.shapes", "disc_area") == ["code:p:app.shapes:Circle.area"]


def test_a_file_with_errors_gives_what_can_be_read_and_links_out_are_not_followed(graph, project, tmp_path):
    (project / "broken.py").write_text("def good():\n    return 1\n\ndef bad(:\n")
    (tmp_path / "secret.py").write_text("def secret(): pass")
    (project / "link.py").symlink_to(tmp_path / "secret.py")
    adapter = CodeGraphAdapter(graph, "p", project)
    adapter.index()
    assert adapter.load("broken").broken
    assert "good" in [symbol.name for symbol in adapter.load("broken").symbols]
    assert "link" not in adapter.modules()
    with pytest.raises(FileNotFoundError, match="not there"):
        CodeGraphAdapter(graph, "q", tmp_path / "absent").index()
