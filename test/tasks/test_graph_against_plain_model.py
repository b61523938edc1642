"""The incremental graph against a model that computes everything anew from plain dictionaries."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.tasks import (
    CycleError,
    InvalidTransitionError,
    NotExecutableError,
    NothingToRedoError,
    TaskGraph,
    TaskStatus,
    aggregate,
)
from zulong.tasks.status import TRANSITIONS

S = TaskStatus


@dataclass
class Plain:
    """Nodes with parent, dependencies and own status; nothing derived is stored."""

    parent: dict[str, str | None] = field(default_factory=dict)
    needs: dict[str, list[str]] = field(default_factory=dict)
    own: dict[str, TaskStatus] = field(default_factory=dict)
    permanent: set[str] = field(default_factory=set)
    skipped_by_dependency: set[str] = field(default_factory=set)

    def children(self, node):
        return [n for n, p in self.parent.items() if p == node]

    def leaves(self, node):
        below = self.children(node)
        return [leaf for child in below for leaf in self.leaves(child)] if below else [node]

    def status(self, node):
        below = self.children(node)
        return aggregate(self.status(c) for c in below) if below else self.own[node]

    def dead(self, node):
        below = self.children(node)
        if below:
            return any(self.dead(c) for c in below)
        return node in self.permanent or node in self.skipped_by_dependency

    def satisfied(self, node):
        return self.status(node) in (S.COMPLETED, S.SKIPPED) and not self.dead(node)

    def chain(self, node):
        while node is not None:
            yield node
            node = self.parent[node]

    def gates(self, node):
        return [d for n in self.chain(node) for d in self.needs[n] if not self.satisfied(d)]

    def ready(self):
        return {
            n for n in self.parent if not self.children(n) and self.own[n] is S.PENDING and not self.gates(n)
        }

    def edges(self, extra=()):
        for node, parent in self.parent.items():
            yield (node, 0), (node, 1)
            if parent is not None:
                yield (parent, 0), (node, 0)
                yield (node, 1), (parent, 1)
            for needed in self.needs[node]:
                yield (needed, 1), (node, 0)
        yield from extra

    def closes_cycle(self, node, needed):
        after: dict = {}
        for a, b in self.edges():
            after.setdefault(a, []).append(b)
        seen, stack = set(), [(node, 0)]
        while stack:
            vertex = stack.pop()
            if vertex == (needed, 1):
                return True
            if vertex not in seen:
                seen.add(vertex)
                stack.extend(after.get(vertex, ()))
        return False

    def has_cycle(self):
        after: dict = {}
        for a, b in self.edges():
            after.setdefault(a, []).append(b)
        waiting = dict.fromkeys(after, 0)
        for ends in after.values():
            for b in ends:
                waiting[b] = waiting.get(b, 0) + 1
        free = [vertex for vertex, count in waiting.items() if not count]
        seen = 0
        while free:
            seen += 1
            for b in after.get(free.pop(), ()):
                waiting[b] -= 1
                if not waiting[b]:
                    free.append(b)
        return seen < len(waiting)

    def take(self, node, parent):
        self.parent[node], self.needs[node], self.own[node] = parent, [], S.PENDING

    def reset(self, node):
        self.own[node] = S.PENDING
        self.permanent.discard(node)
        self.skipped_by_dependency.discard(node)

    def drop(self, gone):
        for node in gone:
            self.reset(node)
            del self.parent[node], self.needs[node], self.own[node]
        for needs in self.needs.values():
            needs[:] = [n for n in needs if n not in gone]

    def lost_child(self, parent):
        """A parent without children is a leaf that is to be done."""
        if parent is not None and not self.children(parent):
            self.reset(parent)

    def settle_skips(self):
        """Skip what waits for a dead node and wake what no longer does, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for node in self.parent:
                if self.children(node):
                    continue
                waits = any(self.dead(d) for n in self.chain(node) for d in self.needs[n])
                if waits and self.own[node] in (S.PENDING, S.BLOCKED) and not self.dead(node):
                    self.own[node] = S.SKIPPED
                    self.skipped_by_dependency.add(node)
                    changed = True
                elif not waits and node in self.skipped_by_dependency:
                    self.skipped_by_dependency.discard(node)
                    self.own[node] = S.PENDING
                    changed = True


def check(graph: TaskGraph, model: Plain) -> None:
    assert {n: graph.status(n) for n in graph} == {n: model.status(n) for n in model.parent}
    assert {n.id for n in graph.next_executable()} == model.ready()
    first = graph.next_executable(limit=1)
    assert [n.id for n in first] == [n.id for n in graph.next_executable()[:1]]
    tier_of = {n: i for i, tier in enumerate(graph.tiers()) for n in tier}
    assert set(tier_of) == {n for n in model.parent if not model.children(n)}
    for node in model.parent:
        for needed in model.needs[node]:
            latest = max(tier_of[leaf] for leaf in model.leaves(needed))
            assert all(tier_of[leaf] > latest for leaf in model.leaves(node))


def random_step(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    """Do one random thing to both; what is not allowed must be refused."""
    actions = [
        add,
        add,
        depend,
        any_status,
        any_status,
        any_status,
        roll_back,
        undepend,
        move,
        remove,
        break_down,
    ]
    action = rng.choice(actions) if model.parent else add
    action(graph, model, rng)
    model.settle_skips()


def add(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    parent = rng.choice([None, *model.parent])
    if parent is not None and not model.children(parent) and model.own[parent] is not S.PENDING:
        with pytest.raises(InvalidTransitionError):
            graph.add_node("x", parent=parent)
        return
    model.take(graph.add_node("x", parent=parent), parent)


def break_down(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    node = rng.choice(list(model.parent))
    if model.children(node) or model.own[node] in (S.COMPLETED, S.SKIPPED):
        with pytest.raises(InvalidTransitionError):
            graph.convert_leaf_to_parent(node, ["x"])
        return
    for child in graph.convert_leaf_to_parent(node, ["x", {"title": "y"}]):
        model.take(child, node)


def depend(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    node, needed = rng.choice(list(model.parent)), rng.choice(list(model.parent))
    if needed in model.needs[node]:
        return
    if model.closes_cycle(node, needed):
        with pytest.raises(CycleError) as caught:
            graph.add_dependency(node, needed)
        cycle = caught.value.cycle
        assert cycle[0] == cycle[-1] == node and needed in cycle and len(set(cycle)) == len(cycle) - 1
    else:
        graph.add_dependency(node, needed)
        model.needs[node].append(needed)


def undepend(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    pairs = [(node, needed) for node in model.parent for needed in model.needs[node]]
    if pairs:
        node, needed = rng.choice(pairs)
        graph.remove_dependency(node, needed)
        model.needs[node].remove(needed)


def move(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    node, parent = rng.choice(list(model.parent)), rng.choice([None, *model.parent])
    old = model.parent[node]
    no_parent = parent is not None and not model.children(parent) and model.own[parent] is not S.PENDING
    below = parent is not None and node in model.chain(parent)
    if not below:
        model.parent[node] = parent
    if no_parent or below or model.has_cycle():
        model.parent[node] = old
        with pytest.raises((InvalidTransitionError, CycleError)) as caught:
            graph.move(node, parent)
        assert isinstance(caught.value, InvalidTransitionError) == no_parent
        return
    graph.move(node, parent)
    model.lost_child(old)


def remove(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    if rng.random() < 0.5:
        return
    node = rng.choice(list(model.parent))
    if any(model.own[leaf] in (S.IN_PROGRESS, S.WAITING_INPUT) for leaf in model.leaves(node)):
        with pytest.raises(InvalidTransitionError):
            graph.remove(node)
        return
    gone = {n for n in model.parent if node in model.chain(n)}
    old = model.parent[node]
    assert set(graph.remove(node)) == gone
    model.drop(gone)
    model.lost_child(old)


def any_status(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    set_status(graph, model, rng.choice([n for n in model.parent if not model.children(n)]), rng)


def roll_back(graph: TaskGraph, model: Plain, rng: random.Random) -> None:
    node = rng.choice(list(model.parent))
    for rolled in graph.rollback(node):
        model.reset(rolled)
    model.settle_skips()
    assert all(
        model.own[leaf] is S.PENDING or leaf in model.skipped_by_dependency for leaf in model.leaves(node)
    )


def set_status(graph, model, node, rng):
    to = rng.choice(list(S))
    permanent = to is S.BLOCKED and rng.random() < 0.5
    do = {
        S.PENDING: lambda: graph.reopen(node),
        S.IN_PROGRESS: lambda: graph.start(node),
        S.COMPLETED: lambda: graph.complete(node, {"ok": True}),
        S.BLOCKED: lambda: graph.block(node, "stuck", permanent=permanent),
        S.SKIPPED: lambda: graph.skip(node),
        S.NEEDS_ADJUST: lambda: graph.needs_adjust(node, "wrong"),
        S.WAITING_INPUT: lambda: graph.wait_for_input(node, "which?"),
    }[to]
    own = model.own[node]
    if to is S.IN_PROGRESS and own is not S.WAITING_INPUT and model.gates(node):
        with pytest.raises(NotExecutableError):
            do()
        return
    upgrade = own is S.BLOCKED and permanent and node not in model.permanent
    if to not in TRANSITIONS[own] and not upgrade:
        with pytest.raises(InvalidTransitionError):
            do()
        return
    do()
    model.own[node] = to
    if permanent:
        model.permanent.add(node)
    else:
        model.permanent.discard(node)
    model.settle_skips()


@pytest.mark.feature("TG-01", "TG-02", "TG-03", "TG-04")
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 45))
def test_every_derived_value_equals_the_one_computed_from_scratch(seed: int, length: int) -> None:
    rng, graph, model = random.Random(seed), TaskGraph(), Plain()
    for _ in range(length):
        random_step(graph, model, rng)
        check(graph, model)


def picture(graph: TaskGraph) -> dict:
    return {node.id: node for node in graph.nodes()} | {"ready": [n.id for n in graph.next_executable()]}


@pytest.mark.feature("TG-06")
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 30))
def test_folding_the_events_again_gives_the_same_graph_and_undoing_all_gives_an_empty_one(
    seed, length
) -> None:
    rng, graph, model = random.Random(seed), TaskGraph(), Plain()
    pictures = [picture(graph)]
    versions = [0]
    for _ in range(length):
        before = graph.version
        random_step(graph, model, rng)
        if graph.version > before:
            pictures.append(picture(graph))
            versions.append(graph.version)
    assert picture(TaskGraph.from_dict(graph.to_dict())) == pictures[-1]
    middle = rng.randrange(len(versions))
    assert picture(graph.at(versions[middle])) == pictures[middle]
    again = TaskGraph.from_dict(graph.to_dict())
    for wanted in reversed(pictures[:-1]):
        graph.undo()
        assert picture(graph) == wanted
        again.undo()
    assert len(graph) == 0 and len(again) == 0
    for wanted in pictures[1:]:
        graph.redo()
        assert picture(graph) == wanted


@pytest.mark.feature("TG-06")
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 40))
def test_undo_and_redo_in_any_mix_go_along_the_line_of_states_also_in_a_saved_copy(seed, length) -> None:
    rng, graph, model = random.Random(seed), TaskGraph(), Plain()
    for _ in range(15):
        random_step(graph, model, rng)
    done, undone = [picture(graph)], []
    for _ in range(length):
        if rng.random() < 0.1:
            graph = TaskGraph.from_dict(graph.to_dict())
        action = rng.choice(["undo", "redo", "new"])
        if action == "new":
            graph.add_node("new")
            done.append(picture(graph))
            undone.clear()
        elif action == "undo" and len(done) > 1:
            graph.undo()
            undone.append(done.pop())
        elif action == "redo" and undone:
            graph.redo()
            done.append(undone.pop())
        elif action == "redo":
            with pytest.raises(NothingToRedoError):
                graph.redo()
        assert picture(graph) == done[-1]
