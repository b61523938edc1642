"""Code in memory: modules and symbols of a source tree, with what they contain, import and call."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path

from zulong.memory.adapters.access import PATIENCE_S, nodes_of, put
from zulong.memory.adapters.code_parser import Module, Symbol, parse_module
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Link, Node, NodeType, RecallResult

_CONTAINS_WEIGHT, _IMPORTS_WEIGHT, _CALLS_WEIGHT, _EXTENDS_WEIGHT = 0.9, 0.6, 0.6, 0.8
_LARGEST_BYTES = 1 << 20
_SKIPPED = frozenset({".git", ".venv", "venv", "node_modules", "__pycache__", "build", "install", "log"})


class CodeGraphAdapter:
    """Keeps Python files as MODULE nodes and their classes, functions and methods as CODE_SYMBOL nodes.

    HIERARCHY joins a module to its symbols and a class to its methods, DEPENDS_ON a module to those of the same
    project that it imports, REFERENCE a symbol to those that it calls, DERIVED_FROM a class to its bases.

    Args:
        project: name in front of every id, so that two source trees can share a memory.
        root: the folder whose ``.py`` files are read; nothing outside of it is ever opened.
    """

    def __init__(self, graph: MemoryGraph, project: str, root: Path | str) -> None:
        self._graph = graph
        self._project = project
        self._root = Path(root).resolve()

    def index(self) -> list[str]:
        """Read what is new or changed, drop what is gone; returns the names of the modules read.

        Raises:
            FileNotFoundError: the root is no folder.
        """
        if not self._root.is_dir():
            raise FileNotFoundError(f"The source folder {self._root} is not there.")
        known = {str(node.meta["module"]): node for node in self._module_nodes()}
        present: dict[str, tuple[Path, str]] = {}
        for path in sorted(self._root.rglob("*.py")):
            if self._readable(path):
                present[self._module_name(path)] = (path, hashlib.sha256(path.read_bytes()).hexdigest())
        gone = [node for name, node in known.items() if name not in present]
        for node in gone:
            self._drop(node)
        changed = [
            name
            for name, (_, digest) in present.items()
            if name not in known or known[name].meta["digest"] != digest
        ]
        modules = [self._read(name, *present[name]) for name in changed]
        for module in modules:
            self._join(module)
        return changed

    def load(self, module: str) -> Module | None:
        """Return a module as it was read, or None."""
        node = self._graph.get(self._module_id(module))
        if node is None:
            return None
        symbols = sorted(self._symbol_nodes(module), key=lambda one: (int(one.meta["line"]), one.uid))
        meta = node.meta
        return Module(
            module,
            str(meta["path"]),
            str(meta["doc"]),
            tuple(meta["imports"]),
            tuple(map(_symbol, symbols)),
            bool(meta["broken"]),
        )

    def modules(self) -> list[str]:
        """Return the names of all modules of the project, sorted."""
        return sorted(str(node.meta["module"]) for node in self._module_nodes())

    def callers(self, module: str, name: str) -> list[str]:
        """Return the ids of the symbols that call this one."""
        id = self._symbol_id(module, name)
        return sorted(edge.src for edge in self._graph.edges_of(id, [EdgeType.REFERENCE]) if edge.dst == id)

    def find(self, text: str, *, k: int = 10) -> RecallResult:
        """Find code by what it is called or says it does."""
        words = " ".join((text, _spoken(text)))
        return self._graph.recall(
            words,
            k=k,
            types=[NodeType.MODULE, NodeType.CODE_SYMBOL],
            hot_deadline_s=PATIENCE_S,
            cold_deadline_s=PATIENCE_S,
        )

    def _readable(self, path: Path) -> bool:
        skipped = _SKIPPED & set(path.relative_to(self._root).parts)
        inside = path.resolve().is_relative_to(self._root)  # a link may lead out
        return inside and not skipped and path.stat().st_size <= _LARGEST_BYTES

    # -- storing ----------------------------------------------------------------------------------------

    def _read(self, name: str, path: Path, digest: str) -> Module:
        module = parse_module(
            path.read_text(encoding="utf-8", errors="replace"), name, str(path.relative_to(self._root))
        )
        meta = {
            "module": name,
            "project": self._project,
            "path": module.path,
            "doc": module.doc,
            "imports": list(module.imports),
            "broken": module.broken,
            "digest": digest,
        }
        put(
            self._graph,
            Draft(
                f"{name} {_spoken(name)}: {module.doc}", NodeType.MODULE, id=self._module_id(name), meta=meta
            ),
        )
        wanted = {symbol.name for symbol in module.symbols}
        stale = [node.id for node in self._symbol_nodes(name) if node.meta["name"] not in wanted]
        if stale:
            self._graph.forget(ids=stale, reason="no longer in the source")
        for symbol in module.symbols:
            self._put(module, symbol)
        return module

    def _put(self, module: Module, symbol: Symbol) -> None:
        parent = (
            self._symbol_id(module.name, symbol.parent) if symbol.parent else self._module_id(module.name)
        )
        if self._graph.get(parent) is None:
            parent = self._module_id(module.name)
        meta = {**asdict(symbol), "calls": list(symbol.calls), "bases": list(symbol.bases)}
        draft = Draft(
            f"{symbol.signature} {_spoken(symbol.name)}: {symbol.doc}",
            NodeType.CODE_SYMBOL,
            id=self._symbol_id(module.name, symbol.name),
            meta={**meta, "module": module.name, "project": self._project},
            links=(Link(parent, EdgeType.HIERARCHY, _CONTAINS_WEIGHT, incoming=True),),
        )
        put(self._graph, draft)

    def _join(self, module: Module) -> None:
        """Join a module to what it imports and its symbols to what they call, as far as both are in the project."""
        edges: list[tuple[str, str, EdgeType, float]] = []
        for imported in module.imports:
            target = self._module_of(imported, module.name)
            if target is not None and target != module.name:
                edges.append(
                    (
                        self._module_id(module.name),
                        self._module_id(target),
                        EdgeType.DEPENDS_ON,
                        _IMPORTS_WEIGHT,
                    )
                )
        for symbol in module.symbols:
            source = self._symbol_id(module.name, symbol.name)
            for names, type, weight in (
                (symbol.calls, EdgeType.REFERENCE, _CALLS_WEIGHT),
                (symbol.bases, EdgeType.DERIVED_FROM, _EXTENDS_WEIGHT),
            ):
                for name in names:
                    target_id = self._resolve(name, symbol, module)
                    if target_id is not None and target_id != source:
                        edges.append((source, target_id, type, weight))
        self._graph.engine.link_many(edges)

    def _resolve(self, name: str, symbol: Symbol, module: Module) -> str | None:
        """Return the id of the symbol that a name means, looked for outwards from where it stands."""
        scope = symbol.name
        while scope:
            scope = scope.rpartition(".")[0]
            id = self._symbol_id(module.name, f"{scope}.{name}" if scope else name)
            if self._graph.get(id) is not None:
                return id
        head, _, rest = name.partition(".")
        for imported in module.imports:
            if imported.rpartition(".")[2] != head:
                continue
            for target, inner in ((imported.rpartition(".")[0], name), (imported, rest)):
                where = self._module_of(target, module.name)
                id = self._symbol_id(where, inner) if where is not None and inner else ""
                if id and self._graph.get(id) is not None:
                    return id
        return None

    def _module_of(self, imported: str, importer: str) -> str | None:
        """Return the module of the project that an import means: itself, or the one that holds the name."""
        if imported.startswith("."):
            level = len(imported) - len(imported.lstrip("."))
            package = importer.split(".")[:-level]
            imported = ".".join((*package, imported.lstrip(".")))
        for name in (imported, imported.rpartition(".")[0]):
            if name and self._graph.get(self._module_id(name)) is not None:
                return name
        return None

    def _drop(self, node: Node) -> None:
        symbols = [one.id for one in self._symbol_nodes(str(node.meta["module"]))]
        self._graph.forget(ids=[*symbols, node.id], reason="no longer in the source")

    def _module_nodes(self) -> list[Node]:
        return [
            node
            for node in nodes_of(self._graph, [NodeType.MODULE])
            if node.meta.get("project") == self._project
        ]

    def _symbol_nodes(self, module: str) -> list[Node]:
        """Return the symbols of a module: everything below it in the hierarchy."""
        found: dict[str, Node] = {}
        todo = [self._module_id(module)]
        while todo:
            current = todo.pop()
            for edge in self._graph.edges_of(current, [EdgeType.HIERARCHY]):
                if edge.src == current and edge.dst not in found:
                    node = self._graph.get(edge.dst)
                    if node is not None and node.type is NodeType.CODE_SYMBOL:
                        found[edge.dst] = node
                        todo.append(edge.dst)
        return list(found.values())

    def _module_name(self, path: Path) -> str:
        parts = list(path.relative_to(self._root).with_suffix("").parts)
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        return ".".join(parts)

    def _module_id(self, module: str) -> str:
        return f"code:{self._project}:{module}"

    def _symbol_id(self, module: str, name: str) -> str:
        return f"code:{self._project}:{module}:{name}"


def _spoken(name: str) -> str:
    """Return an identifier in words: ``HTTPServer.do_get`` is spoken "http server do get"."""
    words: list[str] = []
    for part in name.replace(".", "_").split("_"):
        start = 0
        for i in range(1, len(part)):
            new_word = part[i].isupper() and (part[i - 1].islower() or part[i + 1 : i + 2].islower())
            if new_word:
                words.append(part[start:i])
                start = i
        words.append(part[start:])
    return " ".join(word.lower() for word in words if word)


def _symbol(node: Node) -> Symbol:
    meta = node.meta
    return Symbol(
        str(meta["name"]),
        str(meta["kind"]),
        str(meta["signature"]),
        str(meta["doc"]),
        int(meta["line"]),
        int(meta["last_line"]),
        tuple(meta["calls"]),
        tuple(meta["bases"]),
    )
