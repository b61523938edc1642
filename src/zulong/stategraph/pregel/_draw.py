"""A graph as nodes and edges, and its pictures: mermaid text, and PNG through a library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from zulong.stategraph._keys import BRANCH_PREFIX, END, START
from zulong.stategraph.pregel._node import Branch

if TYPE_CHECKING:
    from zulong.stategraph.pregel._graph import Pregel


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
        lines = ["---", "config:", "  flowchart:", "    curve: linear", "---"] if with_styles else []
        lines.append("graph TD;")
        for node in self.nodes.values():
            if ":" not in node.id:
                lines.append(f"\t{_mermaid_node(node)}")
        self._mermaid_groups(lines)
        lines.extend(f"\t{_mermaid_edge(edge)}" for edge in self.edges if not _same_group(edge))
        if with_styles:
            lines.append("\tclassDef default fill:#f2f0ff,line-height:1.2")
            lines.append("\tclassDef first fill-opacity:0")
            lines.append("\tclassDef last fill:#bfb6fc")
        return "\n".join(lines) + "\n"

    def _mermaid_groups(self, lines: list[str]) -> None:
        groups: dict[str, list[Node]] = {}
        for node in self.nodes.values():
            if ":" in node.id:
                groups.setdefault(node.id.split(":")[0], []).append(node)
        for group, nodes in groups.items():
            lines.append(f"\tsubgraph {_safe(group)}")
            lines.extend(f"\t{_mermaid_node(node)}" for node in nodes)
            for edge in self.edges:
                if _same_group(edge) and edge.source.split(":")[0] == group:
                    lines.append(f"\t{_mermaid_edge(edge)}")
            lines.append("\tend")

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


def _same_group(edge: Edge) -> bool:
    return ":" in edge.source and ":" in edge.target and edge.source.split(":")[0] == edge.target.split(":")[0]


def _mermaid_node(node: Node) -> str:
    label = node.name.split(":")[-1]
    if node.metadata:
        facts = "\n".join(f"{k} = {v}" for k, v in node.metadata.items())
        label = f"{label}<hr/><small><em>{facts}</em></small>"
    if node.id in (START, END):
        style = "first" if node.id == START else "last"
        return f"{_safe(node.id)}([<p>{label}</p>]):::{style}"
    return f"{_safe(node.id)}({label})"


def _mermaid_edge(edge: Edge) -> str:
    arrow = "-.->" if edge.conditional else "-->"
    if edge.data is not None:
        arrow = f"-. &nbsp;{edge.data}&nbsp; .->" if edge.conditional else f"-- &nbsp;{edge.data}&nbsp; -->"
    return f"{_safe(edge.source)} {arrow} {_safe(edge.target)};"


def draw_graph(graph: Pregel, *, xray: int | bool = False) -> Graph:
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
    for name, sub in opened.items():
        _embed(picture, name, sub)
    if any(e.target == END for e in edges):
        picture.nodes[END] = Node(END, END)
    for edge in edges:
        picture.edges.append(_redirected(edge, opened))
    return picture


def _shown_metadata(graph: Pregel, name: str) -> dict[str, Any] | None:
    metadata = dict(graph.nodes[name].metadata)
    before = graph.interrupt_before_nodes == "*" or name in graph.interrupt_before_nodes
    after = graph.interrupt_after_nodes == "*" or name in graph.interrupt_after_nodes
    if name != START and (before or after):
        metadata["__interrupt"] = "before,after" if before and after else "before" if before else "after"
    return metadata or None


def _edges(graph: Pregel) -> list[Edge]:
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
    sources = {e.source for e in found.values()}
    for name in visible:
        if name not in sources and name != START:
            add(name, END, None, False)
    if not hasattr(graph, "builder"):
        _channel_edges(graph, add)
    return sorted(found.values(), key=lambda e: (visible.index(e.source) if e.source in visible else -1))


def _channel_edges(graph: Pregel, add: Any) -> None:
    inputs = [graph.input_channels] if isinstance(graph.input_channels, str) else graph.input_channels
    for name, node in graph.nodes.items():
        if any(trigger in inputs for trigger in node.triggers) and START not in graph.nodes:
            add(START, name, None, False)


def _embed(picture: Graph, name: str, sub: Graph) -> None:
    hidden = {START, END}
    for node in sub.nodes.values():
        if node.id not in hidden:
            picture.nodes[f"{name}:{node.id}"] = Node(f"{name}:{node.id}", f"{name}:{node.name}", node.data, node.metadata)
    for edge in sub.edges:
        if edge.source not in hidden and edge.target not in hidden:
            picture.edges.append(Edge(f"{name}:{edge.source}", f"{name}:{edge.target}", edge.data, edge.conditional))


def _redirected(edge: Edge, opened: Mapping[str, Graph]) -> Edge:
    source, target = edge.source, edge.target
    if source in opened:
        last = [e.source for e in opened[source].edges if e.target == END]
        source = f"{source}:{last[-1]}" if last else source
    if target in opened:
        first = [e.target for e in opened[target].edges if e.source == START]
        target = f"{target}:{first[0]}" if first else target
    return Edge(source, target, edge.data, edge.conditional)
