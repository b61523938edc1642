"""Runs langgraph-checkpoint-conformance against this product's savers.

    python conformance/checkpointers.py [--saver lmdb|memory|sqlite]

The suite is fetched through pip into .cache/conformance (never committed) and reaches our classes through the same
sealed shim as the other tests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CACHE = ROOT / ".cache" / "conformance"
SUITE = CACHE / "checkpointers"

sys.path.insert(0, str(HERE))

import shim  # noqa: E402
from run import libraries  # noqa: E402


def fetch() -> None:
    """Install the suite, and nothing that it depends on, into the cache."""
    if (SUITE / "langgraph").exists():
        return
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(SUITE)]
    subprocess.run([*command, "langgraph-checkpoint-conformance"], check=True, timeout=300)


def validate(saver: str, suite: Path) -> int:
    """In the child: run the suite; prints a line a capability, returns the number of failures."""
    import asyncio
    import tempfile
    from collections.abc import AsyncIterator
    from importlib import import_module
    from typing import Any

    package = import_module("langgraph.checkpoint")
    package.__path__.append(str(suite / "langgraph" / "checkpoint"))
    foreign = import_module("langgraph.checkpoint.conformance")
    folder = tempfile.mkdtemp(prefix="zulong-conformance-")
    made = iter(range(1000))

    async def create() -> AsyncIterator[Any]:
        if saver == "memory":
            yield import_module("zulong.stategraph.checkpoint.memory").InMemorySaver()
        elif saver == "sqlite":
            path = f"{folder}/{next(made)}.sqlite"
            with import_module("zulong.stategraph.checkpoint.sqlite").SqliteSaver.from_conn_string(
                path
            ) as kept:
                yield kept
        else:
            kept = import_module("zulong.stategraph.checkpoint.lmdb").LmdbSaver(f"{folder}/{next(made)}")
            try:
                yield kept
            finally:
                kept.close()

    report = asyncio.run(foreign.validate(foreign.checkpointer_test(name=saver)(create)))
    failures = 0
    for name, result in report.results.items():
        if not result.detected:
            print(f"{saver} {name}: not offered")
            continue
        print(f"{saver} {name}: {result.tests_passed} passed, {result.tests_failed} failed")
        for failure in result.failures:
            print(f"  {failure}")
        failures += result.tests_failed
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--saver", choices=("lmdb", "memory", "sqlite"), default="lmdb")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return 1 if validate(arguments.saver, SUITE) else 0
    fetch()
    work = CACHE / "work_checkpointers"
    shim.prepare(work, besides=("checkpoint.conformance",))
    paths = [str(work), str(ROOT / "src"), str(libraries())]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(HERE / "checkpointers.py"), "--child", "--saver", arguments.saver]
    return subprocess.run(command, env=env, timeout=300, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
