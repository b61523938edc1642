#!/usr/bin/env python3
"""Write docs/parameters.md from the parameter tables of the nodes; ``--check`` only says whether it is current."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path

from zulong.nodes.base import BASE_PARAMETERS, ZulongNode
from zulong.nodes.parameters import documentation
from zulong.nodes.table import NODES, NodeSpec

TARGET = Path(__file__).resolve().parents[1] / "docs" / "parameters.md"
HEAD = """# Parameters

Made from the nodes' own tables by `scripts/write_parameter_docs.py`; do not edit. Values are set in
`config/params.yaml` (or the file given with `zulong up --params`, `ros2 launch ... params_file:=`), on the command
line (`-p name:=value`) and at run time with `ros2 param set`, where a parameter is not fixed at start.

## Every node
"""


def node_class(spec: NodeSpec) -> type[ZulongNode]:
    """Return the node class that the module of ``spec`` defines."""
    module = import_module(spec.module)
    found = [
        each
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, ZulongNode) and each.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise SystemExit(f"{spec.module} must define exactly one ZulongNode, not {len(found)}.")
    return found[0]


def text() -> str:
    """Return the whole page."""
    parts = [HEAD + "\n" + documentation(BASE_PARAMETERS)]
    for spec in NODES:
        parameters = node_class(spec).parameters
        table = documentation(parameters) if parameters else "None of its own."
        parts.append(
            f"## {spec.name} ({spec.layer})\n\n{spec.description[0].upper()}{spec.description[1:]}.\n\n{table}"
        )
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the page, or compare it."""
    wanted = text()
    if "--check" in sys.argv[1:]:
        if TARGET.is_file() and TARGET.read_text() == wanted:
            return 0
        print(
            f"{TARGET} is out of date; run scripts/run python scripts/write_parameter_docs.py",
            file=sys.stderr,
        )
        return 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
