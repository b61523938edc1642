"""The mirror of a task graph in the memory is the graph, whatever was done to it, in few commits."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.memory import EdgeType, MemoryConfig, MemoryGraph, NodeType
from zulong.memory.adapters.task_mirror import TaskMirror, trees
from zulong.memory.adapters.tasks import TaskGraphAdapter, mirror_node
from zulong.memory.config import StorageConfig
from zulong.tasks import ACTIVATION, TaskGraph, TaskGraphError

COMMANDS = (
    "add", "add", "add", "depend", "depend", "undepend", "move", "start", "complete", "block", "skip", "update",
    "rollback", "remove", "undo", "undo", "redo", "parent", "several",
)  # fmt: skip
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory):
    config = MemoryConfig(retrieval={"background": False}, storage=StorageConfig(commit_interval_s=0.0))
    with MemoryGraph.open(tmp_path_factory.mktemp("mirror"), config=config) as graph:
        yield graph


def shown(memory: MemoryGraph, task_id: str) -> tuple[dict, set]:
    """Return what the memory has of a task: nodes with status and activation, and every edge between them."""
    mirror = TaskMirror(memory, task_id)
    nodes, edges = {}, set()
    for node_id in trees(memory).get(task_id, []):
        node = memory.get(mirror.id(node_id))
        record = node.meta["record"]
        assert node.type is NodeType.TASK
        nodes[node_id] = (node.text, record["status"], record["type"], round(node.activation, 6))
        edges |= {(edge.src, edge.dst, edge.type) for edge in memory.edges_of(node.id)}
    return nodes, edges


def wanted(tasks: TaskGraph, mirror: TaskMirror) -> tuple[dict, set]:
    nodes, edges = {}, set()
    for node in tasks.nodes():
        nodes[node.id] = (node.title, str(node.status), node.type, ACTIVATION.get(node.status, 0.0))
        if node.parent is not None:
            edges.add((mirror.id(node.parent), mirror.id(node.id), EdgeType.HIERARCHY))
        edges |= {(mirror.id(node.id), mirror.id(other), EdgeType.DEPENDENCY) for other in node.depends_on}
    return nodes, edges


def act(tasks: TaskGraph, command: str, one: int, other: int) -> None:
    ids = [node.id for node in tasks.nodes()]
    a, b = (ids[number % len(ids)] if ids else "" for number in (one, other))
    if command == "add":
        tasks.add_node(f"title {one}", parent=a if one % 4 else None)
    elif command == "depend":
        tasks.add_dependency(a, b)
    elif command == "undepend":
        tasks.remove_dependency(a, b)
    elif command == "move":
        tasks.move(a, b if other % 3 else None)
    elif command == "update":
        tasks.update(a, title=f"changed {other}")
    elif command == "parent":
        tasks.convert_leaf_to_parent(a, [f"part {one}", "other part"])
    elif command == "several":
        with tasks.command():
            first = tasks.add_node("first", parent=a or None)
            tasks.add_node("second", parent=a or None, depends_on=[first])
    elif command == "block":
        tasks.block(a, "the door is shut", permanent=other % 2 == 0)
    elif command in ("undo", "redo"):
        getattr(tasks, command)()
    else:
        getattr(tasks, command)(a)


@pytest.mark.feature("TG-05")
@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(st.tuples(st.sampled_from(COMMANDS), st.integers(0, 60), st.integers(0, 60)), max_size=20),
    wait=st.booleans(),
)
def test_the_mirror_is_the_graph_after_any_changes_taken_back_or_not(memory, steps, wait) -> None:
    tasks, task_id = TaskGraph(), f"property {next(NUMBERS)}"
    adapter = TaskGraphAdapter(memory, tasks, task_id, wait=wait)
    tasks.subscribe(adapter)
    for command, one, other in steps:
        try:
            act(tasks, command, one, other)
        except TaskGraphError:
            continue
        if wait:
            assert shown(memory, task_id) == wanted(tasks, TaskMirror(memory, task_id)), command
    adapter.flush()
    assert shown(memory, task_id) == wanted(tasks, TaskMirror(memory, task_id))


@pytest.mark.feature("TG-05")
def test_a_command_is_one_commit_however_many_changes_it_makes(memory) -> None:
    tasks = TaskGraph()
    adapter = TaskGraphAdapter(memory, tasks, "many")
    tasks.subscribe(adapter)
    root = tasks.add_node("root")
    before = memory.engine.writer.commits
    with tasks.command():
        for number in range(200):
            tasks.add_node(f"step {number}", parent=root)
    assert memory.engine.writer.commits == before + 1
    assert len(trees(memory)["many"]) == 201
    # Nothing to tell, nothing written twice.
    assert adapter.sync() == 201


def test_what_was_there_before_the_first_change_is_mirrored_and_what_went_meanwhile_goes(memory) -> None:
    tasks = TaskGraph()
    kept = tasks.add_node("kept")
    gone = tasks.add_node("gone")
    TaskGraphAdapter(memory, tasks, "early").sync()
    tasks.undo()
    assert gone not in tasks
    later = TaskGraphAdapter(memory, tasks, "early")
    tasks.subscribe(later)
    new = tasks.add_node("new", depends_on=[kept])
    nodes, _ = shown(memory, "early")
    assert set(nodes) == {kept, new}


def test_edges_of_others_to_a_mirrored_task_are_left_alone(memory) -> None:
    tasks = TaskGraph()
    node = tasks.add_node("bring the tea")
    adapter = TaskGraphAdapter(memory, tasks, "joined")
    adapter.sync()
    tasks.subscribe(adapter)
    memory.remember("The guests come at four.", NodeType.KNOWLEDGE, id="fact")
    mirrored = TaskMirror(memory, "joined").id(node)
    memory.link("fact", mirrored, EdgeType.HIERARCHY)
    memory.link("fact", mirrored, EdgeType.CAUSAL)
    tasks.start(node)
    found = {(edge.src, edge.type) for edge in memory.edges_of(mirrored)}
    assert found == {("fact", EdgeType.HIERARCHY), ("fact", EdgeType.CAUSAL)}


def test_stubs_are_in_no_search_and_come_back_when_the_task_goes_on(memory) -> None:
    tasks = TaskGraph()
    root = tasks.add_node("polish the brass telescope")
    mirror = TaskMirror(memory, "stub")
    nodes = [mirror_node(node) for node in tasks.nodes()]

    def found() -> bool:
        hits = memory.recall(
            "polish the brass telescope", types=[NodeType.TASK], hot_deadline_s=60, cold_deadline_s=60
        ).hits
        return mirror.id(root) in [hit.id for hit in hits]

    mirror.put(nodes).result(60)
    assert found()
    mirror.put(nodes, into="past_task:stub").result(60)
    assert not found()
    assert memory.get(mirror.id(root)).stub
    mirror.put(nodes).result(60)
    assert found()


@pytest.mark.parametrize(
    ("task_id", "title", "arguments"),
    [
        ("odd\ud800thread", "fine", {}),
        ("x" * 5000, "fine", {}),
        ("blank", " \n ", {}),
        ("surrogate", "half a \ud83d sign", {"words": "half a \ud83d sign"}),
        ("huge", "y" * 2_000_000, {"number": 1 << 80}),
        ("colon:in:it", "fine", {}),
    ],
)
def test_names_and_values_that_have_no_stored_form_do_not_stop_the_mirror(
    memory, task_id, title, arguments
) -> None:
    tasks = TaskGraph()
    root = tasks.add_node(title, arguments=arguments)
    adapter = TaskGraphAdapter(memory, tasks, task_id)
    assert adapter.sync() == 1
    tasks.subscribe(adapter)
    tasks.start(root)
    assert memory.get(TaskMirror(memory, task_id).id(root)).activation == pytest.approx(0.9)


def test_a_change_that_could_not_be_stored_goes_along_with_the_next(
    memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = TaskGraph()
    adapter = TaskGraphAdapter(memory, tasks, "full")
    tasks.subscribe(adapter)
    first = tasks.add_node("first")

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(TaskMirror, "put", full)
        second = tasks.add_node("second")
    assert set(shown(memory, "full")[0]) == {first}
    third = tasks.add_node("third")
    assert set(shown(memory, "full")[0]) == {first, second, third}
