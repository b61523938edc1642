"""Runs langgraph's own tests against this product's engine.

    python conformance/run.py [--list a|b|both] [-k EXPRESSION] [pytest arguments]

The newest source distribution is fetched through pip into .cache/conformance (never committed), and its tests run
through a sealed import shim, so that not one line of langgraph's engine is executed. List A must pass
completely; of list B those fail that `reasons_b.txt` names, each with its reason.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CACHE = ROOT / ".cache" / "conformance"
MAX_AGE_S = 7 * 24 * 3600
REQUIRED_B = 240

sys.path.insert(0, str(HERE))

import shim  # noqa: E402


def fetch(refresh: bool) -> Path:
    """The folder of the newest source distribution, downloaded at most once a week."""
    archives = sorted(CACHE.glob("langgraph-*.tar.gz"), key=lambda p: p.stat().st_mtime)
    if refresh or not archives or time.time() - archives[-1].stat().st_mtime > MAX_AGE_S:
        CACHE.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--no-binary", ":all:", "langgraph", "-d", str(CACHE)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        archives = sorted(CACHE.glob("langgraph-*.tar.gz"), key=lambda p: p.stat().st_mtime)
        if not archives:
            raise SystemExit(f"Could not download the test data: {done.stderr.strip()[-500:]}")
        os.utime(archives[-1])
    archive = archives[-1]
    folder = CACHE / archive.name.removesuffix(".tar.gz")
    if not folder.exists():
        with tarfile.open(archive) as tar:
            tar.extractall(CACHE, filter="data")
    return folder


# What the foreign tests themselves import; test data like them, so none of it is a dependency of the product.
LIBRARIES = (
    "langchain-core",
    "langsmith",
    "httpx",
    "syrupy",
    "pytest-asyncio",
    "pytest-mock",
    "pytest-timeout",
)


def libraries() -> Path:
    """The folder of the libraries that the foreign tests need, installed once."""
    folder = CACHE / "libraries"
    stamp = folder / ".installed"
    if stamp.exists() and stamp.read_text() == " ".join(LIBRARIES):
        return folder
    print("fetching the libraries of the foreign tests (once) ...", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(folder), *LIBRARIES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        raise SystemExit(f"Could not fetch {', '.join(LIBRARIES)}: {done.stderr.strip()[-500:]}")
    stamp.write_text(" ".join(LIBRARIES))
    return folder


def prepare(source: Path) -> Path:
    """A working folder with the shim, the tests, and our conftest in place of theirs."""
    work = CACHE / "work"
    shutil.rmtree(work, ignore_errors=True)
    shim.prepare(work)
    shutil.copytree(source / "tests", work / "tests")
    for unwanted in (work / "tests").glob("conftest*.py"):
        unwanted.unlink()
    shutil.copy(HERE / "foreign_conftest.py", work / "tests" / "conftest.py")
    (work / "pytest.ini").write_text("[pytest]\naddopts =\nasyncio_mode = auto\n", encoding="utf-8")
    return work


def read_names(path: Path) -> list[str]:
    """Test names, one a line; what follows a # is a comment."""
    lines = (line.split("#", 1)[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def existing(work: Path, names: list[str]) -> tuple[list[str], list[str]]:
    """Names that the distribution has, and those it no longer has."""
    sources: dict[str, str] = {}
    found, gone = [], []
    for name in names:
        file, _, function = name.partition("::")
        if file not in sources:
            path = work / file
            sources[file] = path.read_text(encoding="utf-8") if path.exists() else ""
        there = re.search(rf"^(async )?def {re.escape(function)}\(", sources[file], re.MULTILINE)
        (found if there else gone).append(name)
    return found, gone


def run_tests(work: Path, names: list[str], extra: list[str]) -> dict[str, set[str]]:
    """Run tests; returns outcome -> names of test functions (the worst outcome of their parameters)."""
    report = work / "report.xml"
    paths = [str(work), str(ROOT / "src"), str(libraries())]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"LANGSMITH_TRACING": "false", "NO_DOCKER": "true", "PYTHONHASHSEED": "0"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--timeout",
        "60",
        "--tb=short",
    ]
    command += [f"--junitxml={report}", "-o", "junit_family=xunit2", *extra, *names]
    subprocess.run(command, cwd=work, env=env, timeout=1500, check=False)
    order = ("passed", "skipped", "failed")
    worst: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314
        name = str(case.get("classname")).replace(".", "/") + ".py::" + str(case.get("name")).split("[")[0]
        tags = {child.tag for child in case}
        outcome = "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"
        worst[name] = max(worst.get(name, "passed"), outcome, key=order.index)
    outcomes: dict[str, set[str]] = defaultdict(set)
    for name, outcome in worst.items():
        outcomes[outcome].add(name)
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", choices=("a", "b", "both"), default="both")
    parser.add_argument("--refresh", action="store_true", help="look for a newer distribution now")
    arguments, extra = parser.parse_known_args()
    work = prepare(fetch(arguments.refresh))
    failed = False
    for letter in ("a", "b") if arguments.list == "both" else (arguments.list,):
        names, gone = existing(work, read_names(HERE / f"list_{letter}.txt"))
        outcomes = run_tests(work, names, extra)
        passed, skipped = outcomes["passed"], outcomes["skipped"]
        missing = set(names) - passed - skipped  # what its authors skip cannot be failed
        if extra:
            print(
                f"list {letter.upper()}: {len(passed)} passed, {len(outcomes['failed'])} failed (a selection)"
            )
            failed |= bool(outcomes["failed"])
            continue
        print(
            f"list {letter.upper()}: {len(passed)} of {len(names)} passed, {len(skipped)} skipped by themselves, "
            f"{len(missing)} failed; {len(gone)} no longer exist"
        )
        if letter == "a":
            for name in sorted(missing):
                print(f"  does not pass: {name}")
            failed |= bool(missing)
        else:
            reasons = set(read_names(HERE / "reasons_b.txt"))
            for name in sorted(missing - reasons):
                print(f"  does not pass, and no reason is given: {name}")
            for name in sorted(reasons & passed):
                print(f"  passes, so its reason is out of date: {name}")
            failed |= bool(missing - reasons) or len(passed) < REQUIRED_B
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
