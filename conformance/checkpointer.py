"""Run the public checkpointer conformance tests (langgraph-checkpoint-conformance) against ZULONG's savers.

The tests are fetched from the package index as data, into a temporary folder, at run time. Of what they
import, `langgraph.checkpoint.base` and `.serde.types` are stand-ins for ZULONG's modules, and any other
module of langgraph or langchain is an error, so not one line of another engine runs.

    python conformance/checkpointer.py [--saver lmdb] [--wheel FILE]

Exit code 0: every base test passed, and every optional one for deleting runs, copying and pruning.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import AsyncGenerator
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = "langgraph-checkpoint-conformance"
_STAND_INS = {
    "langgraph.checkpoint.base": "zulong.stategraph.checkpoint.base",
    "langgraph.checkpoint.base.id": "zulong.stategraph.checkpoint.base.id",
    "langgraph.checkpoint.serde": "zulong.stategraph.checkpoint.serde",
    "langgraph.checkpoint.serde.base": "zulong.stategraph.checkpoint.serde.base",
    "langgraph.checkpoint.serde.types": "zulong.stategraph.checkpoint.serde.types",
}
_REQUIRED = {
    "put",
    "put_writes",
    "get_tuple",
    "list",
    "delete_thread",
    "delete_for_runs",
    "copy_thread",
    "prune",
}


def fetch(folder: Path) -> Path:
    """Download the tests' wheel with pip and return its path."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(folder),
        PACKAGE,
    ]
    subprocess.run(command, check=True, timeout=300)
    return next(folder.glob("*.whl"))


class _Sealed:
    """Refuses every module of the other engine that is neither a stand-in nor part of the tests."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.split(".")[0] in ("langgraph", "langchain_core") and not name.startswith(
            "langgraph.checkpoint.conformance"
        ):
            raise ModuleNotFoundError(f"{name} is sealed off: only the tests themselves may run.", name=name)


def seal(tests: Path) -> None:
    """Put the stand-ins in place; the tests lie under `tests`/langgraph/checkpoint/conformance."""
    for name, folder in (
        ("langgraph", tests / "langgraph"),
        ("langgraph.checkpoint", tests / "langgraph/checkpoint"),
    ):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    for name, own in _STAND_INS.items():
        sys.modules[name] = importlib.import_module(own)
    runnables = ModuleType("langchain_core.runnables")
    runnables.RunnableConfig = dict  # type: ignore[attr-defined]  # the tests use it in annotations only
    sys.modules["langchain_core"] = ModuleType("langchain_core")
    sys.modules["langchain_core.runnables"] = runnables
    sys.meta_path.insert(0, _Sealed())  # type: ignore[arg-type]


def open_saver(kind: str, folder: Path) -> Any:
    """Return a fresh saver."""
    if kind == "lmdb":
        from zulong.stategraph.checkpoint.lmdb import LmdbSaver

        return LmdbSaver(tempfile.mkdtemp(dir=folder))
    if kind == "sqlite":
        import sqlite3

        from zulong.stategraph.checkpoint.sqlite import SqliteSaver

        return SqliteSaver(
            sqlite3.connect(Path(tempfile.mkdtemp(dir=folder)) / "c.db", check_same_thread=False)
        )
    raise ValueError(f"Saver {kind!r} is not known; use lmdb or sqlite.")


async def run(kind: str, folder: Path) -> int:
    """Run all tests; print a line a capability; return how many required ones failed."""
    tests = importlib.import_module("langgraph.checkpoint.conformance")

    async def factory() -> AsyncGenerator[Any, None]:
        saver = open_saver(kind, folder)
        yield saver
        saver.close()

    report = await tests.validate(tests.checkpointer_test(name=kind)(factory))
    failed = 0
    for capability, result in report.results.items():
        required = capability in _REQUIRED
        print(
            f"{capability:24} passed {result.tests_passed:3} failed {result.tests_failed:3}",
            *result.failures or (),
        )
        if required and not result.passed:
            failed += max(1, result.tests_failed)
    passed = sum(result.tests_passed for result in report.results.values())
    print(f"{kind}: {passed} passed, {failed} required ones failed")
    return failed


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--saver", default="lmdb", choices=["lmdb", "sqlite"])
    parser.add_argument("--wheel", type=Path, help="the tests' wheel, instead of fetching it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="zulong-conformance-") as name:
        folder = Path(name)
        wheel = arguments.wheel or fetch(folder)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / "tests")
        seal(folder / "tests")
        return 1 if asyncio.run(run(arguments.saver, folder)) else 0


if __name__ == "__main__":
    sys.exit(main())
