"""``python -m zulong.memory``: look after a store from a shell."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from zulong.memory.backup import backup, restore
from zulong.memory.config import MemoryConfig
from zulong.memory.errors import MemoryGraphError
from zulong.memory.graph import MemoryGraph
from zulong.memory.verification import verify

# These commands need the truth alone: no index is opened or made.
_PLAIN = MemoryConfig(retrieval={"direct": True}, door={"open": True})


def _verify(arguments: argparse.Namespace) -> int:
    report = verify(arguments.path, repair=not arguments.check_only)
    for problem in report.problems:
        print(f"{problem.table}: {problem.what}: {problem.repair}")
    state = "repaired" if report.repaired else "found"
    print(
        f"{report.nodes} nodes, {report.edges} edges, {len(report.problems)} problems {state} "
        f"in {report.elapsed_s:.1f} s"
    )
    return 1 if report.problems and not report.repaired else 0


def _export(arguments: argparse.Namespace) -> int:
    with MemoryGraph.open(arguments.path, config=_PLAIN) as graph:
        done = graph.export(arguments.file)
    print(f"{done.nodes} nodes and {done.edges} edges written to {arguments.file}")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    with MemoryGraph.open(arguments.path, config=_PLAIN) as graph:
        done = graph.import_from(arguments.file)
    print(f"{done.nodes} nodes and {done.edges} edges added, {done.skipped} skipped")
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    with MemoryGraph.open(arguments.path, config=_PLAIN) as graph:
        print(f"backup written to {backup(graph.engine, arguments.folder)}")
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    kept = restore(arguments.folder, arguments.path)
    print(f"restored to {arguments.path}" + (f"; the store that was there is kept in {kept}" if kept else ""))
    return 0


def _journal(arguments: argparse.Namespace) -> int:
    with MemoryGraph.open(arguments.path, config=_PLAIN) as graph:
        for entry in graph.journal():
            names = ", ".join(entry.nodes[:5]) + (" ..." if len(entry.nodes) > 5 else "")
            print(
                f"{entry.number}\t{entry.time:.0f}\t{entry.kind}\t{entry.edges} edges\t{names}\t{entry.reason}"
            )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m zulong.memory", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=what, description=what)
        sub.add_argument("path", help="the folder of the store")
        sub.set_defaults(run=run)
        return sub

    check = command("verify", _verify, "find what disagrees in a store and repair it")
    check.add_argument("--check-only", action="store_true", help="report, change nothing")
    command("export", _export, "write a store to JSON lines or GraphML").add_argument("file")
    command("import", _import, "add an export to a store").add_argument("file")
    command("backup", _backup, "copy a store into a new folder").add_argument("folder")
    command("restore", _restore, "put a backup in the place of a store").add_argument("folder")
    command("journal", _journal, "list what can still be undone")
    return parser


def main() -> int:
    """Run one command; returns the exit code."""
    arguments = _parser().parse_args()
    try:
        return int(arguments.run(arguments))
    except (MemoryGraphError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
