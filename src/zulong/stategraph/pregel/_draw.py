"""A graph as nodes and edges, and its pictures: mermaid text, and PNG through a library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from zulong.stategraph._keys import BRANCH_PREFIX, END, START
from zulong.stategraph.pregel._node import Branch

if TYPE_CHECKING:
    from zulong.stategraph.pregel._parts import GraphParts


class Node(NamedTuple):
    """A node of a picture."""

    id: str
    name: str
    data: Any = None
    metadata: Mapping[str, Any] | None = None


class Edge(NamedTuple):
    """An edge of a picture; `data` is its label, `conditional` whether it may not be taken."""

    source: str
    target: str
    data: str | None = None
    conditional: bool = False


@dataclass
class Graph:
    """Nodes and edges, in the order in which they were added."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    def first_node(self) -> Node | None:
        """The node where all paths start, if there is one."""
        targets = {e.target for e in self.edges}
        found = [n for n in self.nodes.values() if n.id not in targets]
        return found[0] if len(found) == 1 else None

    def last_node(self) -> Node | None:
        """The node where all paths end, if there is one."""
        sources = {e.source for e in self.edges}
        found = [n for n in self.nodes.values() if n.id not in sources]
        return found[0] if len(found) == 1 else None

    def to_json(self) -> dict[str, list[dict[str, Any]]]:
        """The graph as plain values."""
        nodes = []
        for node in self.nodes.values():
            entry: dict[str, Any] = {"id": node.id, "type": "runnable", "data": {"name": node.name}}
            if node.metadata:
                entry["metadata"] = dict(node.metadata)
            nodes.append(entry)
        edges = []
        for edge in self.edges:
            entry = {"source": edge.source, "target": edge.target}
            if edge.data is not None:
                entry["data"] = edge.data
            if edge.conditional:
                entry["conditional"] = True
            edges.append(entry)
        return {"nodes": nodes, "edges": edges}

    def draw_mermaid(self, *, with_styles: bool = True, **_: Any) -> str:
        """Mermaid text: https://mermaid.js.org/syntax/flowchart.html."""
        lines: list[str] = []
        if with_styles:
            lines += ["---", "config:", "  flowchart:", "    curve: linear", "---"]
        lines.append("graph TD;")
        self._mermaid_group(lines, "", with_nodes=with_styles)
        if with_styles:
            lines.append("\tclassDef default fill:#f2f0ff,line-height:1.2")
            lines.append("\tclassDef first fill-opacity:0")
            lines.append("\tclassDef last fill:#bfb6fc")
        return "\n".join(lines) + "\n"

    def _mermaid_group(self, lines: list[str], group: str, *, with_nodes: bool) -> None:
        """The nodes and edges of one graph, then those of the graphs inside it."""
        if with_nodes:
            for node in self.nodes.values():
                if _group_of(node.id) == group:
                    lines.append(f"\t{_mermaid_node(node)}")
        loops: list[str] = []
        for edge in self.edges:
            if _common_group(edge) == group:
                line = f"\t{_mermaid_edge(edge)}"
                (loops if edge.source == edge.target else lines).append(line)
        lines += loops
        for name in self._groups_inside(group):
            lines.append(f"\tsubgraph {_safe(name.split(':')[-1])}")
            self._mermaid_group(lines, name, with_nodes=True)
            lines.append("\tend")

    def _groups_inside(self, group: str) -> list[str]:
        depth = len(group.split(":")) if group else 0
        found: dict[str, None] = {}
        for identity in self.nodes:
            parts = identity.split(":")[:-1]
            if len(parts) > depth and ":".join(parts[:depth]) == group:
                found.setdefault(":".join(parts[: depth + 1]))
        return list(found)

    def draw_mermaid_png(self, output_file_path: str | None = None, **_: Any) -> bytes:
        """The same picture as PNG, drawn here; see `draw_png`."""
        return self.draw_png(output_file_path)

    def draw_png(self, output_file_path: str | None = None) -> bytes:
        """The picture as PNG bytes, also written to a file if a path is given.

        Raises:
            ImportError: Pillow is missing; the message names the extra to install.
        """
        from zulong.stategraph.pregel._draw_png import render_png

        png = render_png(self)
        if output_file_path is not None:
            from pathlib import Path

            Path(output_file_path).write_bytes(png)
        return png


def _safe(identity: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", lambda m: f"\\{ord(m.group()):x}", identity)


def _group_of(identity: str) -> str:
    return identity.rpartition(":")[0]


def _common_group(edge: Edge) -> str:
    """The innermost graph that has both ends of the edge."""
    common = []
    for a, b in zip(edge.source.split(":")[:-1], edge.target.split(":")[:-1], strict=False):
        if a != b:
            break
        common.append(a)
    return ":".join(common)


def _mermaid_node(node: Node) -> str:
    label = node.name.split(":")[-1]
    if label.startswith("_") and label.endswith("_"):
        label = f"<p>{label}</p>"  # mermaid would read the underscores as emphasis
    if node.metadata:
        facts = "\n".join(f"{k} = {v}" for k, v in node.metadata.items())
        label = f"{label}<hr/><small><em>{facts}</em></small>"
    if node.id in (START, END):
        style = "first" if node.id == START else "last"
        return f"{_safe(node.id)}([{label}]):::{style}"
    return f"{_safe(node.id)}({label})"


def _mermaid_edge(edge: Edge) -> str:
    arrow = "-.->" if edge.conditional else "-->"
    if edge.data is not None:
        arrow = f"-. &nbsp;{edge.data}&nbsp; .->" if edge.conditional else f"-- &nbsp;{edge.data}&nbsp; -->"
    return f"{_safe(edge.source)} {arrow} {_safe(edge.target)};"


def draw_graph(graph: GraphParts, *, xray: int | bool = False) -> Graph:
    """The graph's nodes and the edges that can be told without running it."""
    picture = Graph()
    opened: dict[str, Graph] = {}
    depth: int | bool = xray if isinstance(xray, bool) else xray - 1
    for name, node in graph.nodes.items():
        inner = node.subgraphs[0] if node.subgraphs else None
        if xray and inner is not None and hasattr(inner, "get_graph"):
            sub = inner.get_graph(xray=depth)
            if len(sub.nodes) > 1:
                opened[name] = sub
    for name, node in graph.nodes.items():
        if name not in opened and not node.is_error_handler:
            picture.nodes[name] = Node(name, name, node.bound, _shown_metadata(graph, name))
    if START not in picture.nodes and START in graph.channels:
        picture.nodes[START] = Node(START, START)
    edges = _edges(graph)
    entries: dict[str, str] = {}
    exits: dict[str, str] = {}
    for name, sub in opened.items():
        entries[name], exits[name] = _embed(picture, name, sub)
    if any(e.target == END for e in edges):
        picture.nodes[END] = Node(END, END)
    for edge in edges:
        source, target = exits.get(edge.source, edge.source), entries.get(edge.target, edge.target)
        picture.edges.append(Edge(source, target, edge.data, edge.conditional))
    return picture


def _shown_metadata(graph: GraphParts, name: str) -> dict[str, Any] | None:
    metadata = dict(graph.nodes[name].metadata)
    before = graph.interrupt_before_nodes == "*" or name in graph.interrupt_before_nodes
    after = graph.interrupt_after_nodes == "*" or name in graph.interrupt_after_nodes
    if name != START and (before or after):
        metadata["__interrupt"] = "before,after" if before and after else "before" if before else "after"
    return metadata or None


def _edges(graph: GraphParts) -> list[Edge]:
    found: dict[tuple[str, str, str | None], Edge] = {}
    visible = [n for n, node in graph.nodes.items() if not node.is_error_handler]

    def add(source: str, target: str, label: str | None, conditional: bool) -> None:
        shown = label if label != target and label != target.removeprefix(BRANCH_PREFIX) else None
        found.setdefault((source, target, shown), Edge(source, target, shown, conditional))

    for name in visible:
        node = graph.nodes[name]
        for index, writer in enumerate(node.writers):
            if isinstance(writer, Branch):
                if writer.ends is None:
                    for target in (*(n for n in visible if n not in (name, START)), END):
                        add(name, target, None, True)
                else:
                    for target, label in writer.ends:
                        add(name, target, label, True)
            else:
                for target, label in writer.ends:
                    add(name, target, label, index == 0)  # the first writer's ends are those of commands
    if not hasattr(graph, "builder"):
        _channel_edges(graph, add)
    ends = [e for e in found.values() if e.target == END and not e.conditional]
    edges = sorted(
        (e for e in found.values() if e not in ends), key=lambda e: (e.source, e.target, e.data or "")
    )
    sources = {e.source for e in edges}
    finals = [n for n in visible if n != START and (n not in sources or any(e.source == n for e in ends))]
    return [*edges, *(Edge(n, END) for n in sorted(finals))]


def _channel_edges(graph: GraphParts, add: Any) -> None:
    inputs = [graph.input_channels] if isinstance(graph.input_channels, str) else graph.input_channels
    for name, node in graph.nodes.items():
        if any(trigger in inputs for trigger in node.triggers) and START not in graph.nodes:
            add(START, name, None, False)


def _embed(picture: Graph, name: str, sub: Graph) -> tuple[str, str]:
    """Put a subgraph's nodes into the picture; returns where edges to it and from it are drawn.

    Its START and END are left out where one node begins or ends it anyway.
    """
    inner = [e for e in sub.edges if e.source != START and e.target != END]
    body = [n for n in sub.nodes if n not in (START, END)]
    firsts = [n for n in body if all(e.target != n for e in inner)]
    lasts = [n for n in body if all(e.source != n for e in inner)]
    drop_start, drop_end = len(firsts) == 1, len(lasts) == 1
    dropped = {START} if drop_start else set()
    if drop_end:
        dropped.add(END)
    for node in sub.nodes.values():
        if node.id not in dropped:
            identity = f"{name}:{node.id}"
            picture.nodes[identity] = Node(identity, f"{name}:{node.name}", node.data, node.metadata)
    for edge in sub.edges:
        if edge.source not in dropped and edge.target not in dropped:
            picture.edges.append(
                Edge(f"{name}:{edge.source}", f"{name}:{edge.target}", edge.data, edge.conditional)
            )
    entry = firsts[0] if drop_start else START
    leave = lasts[0] if drop_end else END
    return f"{name}:{entry}", f"{name}:{leave}"
