"""Reads the symbols of a Python file with tree-sitter: what it defines, imports and calls, even with errors in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as SyntaxNode
    from tree_sitter import Parser

_DEFINITIONS = {"function_definition": "function", "class_definition": "class"}


class ParserMissingError(RuntimeError):
    """tree-sitter is not installed."""


@dataclass(slots=True, frozen=True)
class Symbol:
    """A class, function or method.

    Attributes:
        name: qualified within the module (``Robot.move``).
        kind: ``class``, ``function`` or ``method``.
        signature: the first line of the definition.
        doc: first line of its docstring.
        line, last_line: counted from 1.
        calls: names called in its body (``self.h`` as ``h``), without repetition.
        bases: of a class.
    """

    name: str
    kind: str
    signature: str
    doc: str
    line: int
    last_line: int
    calls: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()

    @property
    def parent(self) -> str:
        """The qualified name of what it is defined in, empty at the top of the module."""
        return self.name.rpartition(".")[0]


@dataclass(slots=True, frozen=True)
class Module:
    """What one file holds. ``imports`` are dotted names; ``broken`` says that the file has syntax errors."""

    name: str
    path: str
    doc: str
    imports: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    broken: bool = False


@lru_cache(maxsize=1)
def _parser() -> Parser:
    try:
        import tree_sitter_python
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise ParserMissingError(
            f"Reading code needs the package {error.name!r}: pip install tree-sitter tree-sitter-python."
        ) from error
    return Parser(Language(tree_sitter_python.language()))


def parse_module(source: str, name: str, path: str) -> Module:
    """Return what a file's source defines; a file with errors gives what could be read.

    Raises:
        ParserMissingError: tree-sitter is not installed.
    """
    root = _parser().parse(source.encode()).root_node
    return Module(
        name, path, _doc(root), tuple(_imports(root)), tuple(_symbols(root, "", False)), root.has_error
    )


def _text(node: SyntaxNode | None) -> str:
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def _walk(node: SyntaxNode) -> Iterator[SyntaxNode]:
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(reversed(current.children))


def _symbols(node: SyntaxNode, prefix: str, in_class: bool) -> Iterator[Symbol]:
    for child in node.children:
        kind = _DEFINITIONS.get(child.type)
        if kind is None:
            # Definitions also stand under decorators, conditions, try blocks and the body itself.
            yield from _symbols(child, prefix, in_class)
            continue
        name = prefix + _text(child.child_by_field_name("name"))
        body = child.child_by_field_name("body")
        is_class = kind == "class"
        yield Symbol(
            name,
            "method" if in_class and not is_class else kind,
            " ".join(_text(child).split("\n", 1)[0].rstrip(": ").split()),
            "" if body is None else _doc(body),
            child.start_point[0] + 1,
            child.end_point[0] + 1,
            () if is_class or body is None else tuple(dict.fromkeys(_calls(body))),
            tuple(_bases(child)) if is_class else (),
        )
        if body is not None:
            yield from _symbols(body, f"{name}.", is_class)


def _bases(node: SyntaxNode) -> Iterator[str]:
    listed = node.child_by_field_name("superclasses")
    for child in listed.named_children if listed is not None else ():
        if child.type in {"identifier", "attribute"}:
            yield _text(child)


def _calls(body: SyntaxNode) -> Iterator[str]:
    for node in _walk(body):
        if node.type == "call":
            called = node.child_by_field_name("function")
            if called is not None and called.type in {"identifier", "attribute"}:
                name = _text(called)
                yield name.removeprefix("self.").removeprefix("cls.")


def _imports(root: SyntaxNode) -> Iterator[str]:
    seen: set[str] = set()
    for node in _walk(root):
        names: list[str] = []
        if node.type == "import_statement":
            names = [_imported(child) for child in node.named_children]
        elif node.type == "import_from_statement":
            module = node.child_by_field_name("module_name")
            base = _text(module)
            listed = [child for child in node.named_children if child != module]
            names = [
                f"{base}.{_imported(child)}" if not base.endswith(".") else base + _imported(child)
                for child in listed
            ]
            names = names or [base]
        for name in names:
            if name and name not in seen:
                seen.add(name)
                yield name


def _imported(node: SyntaxNode) -> str:
    return _text(node.child_by_field_name("name")) if node.type == "aliased_import" else _text(node)


def _doc(body: SyntaxNode) -> str:
    for child in body.children:
        if child.type in {"comment", "\n"}:
            continue
        if child.type == "expression_statement" and child.children and child.children[0].type == "string":
            content = [part for part in child.children[0].children if part.type == "string_content"]
            return _text(content[0]).strip().split("\n", 1)[0].strip() if content else ""
        return ""
    return ""
