"""Fixtures for tests with real ROS processes: a domain of their own, processes that always end, waits with limits.

    def test_something(ros_session, spawn, wait_until): ...

Domains 215..231 are used: below 102 people and checkouts live, from 102 to 214 Linux takes ports for itself.
A lock file a domain keeps two test runs on one machine apart; a domain where nodes of a killed run still live is left out.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRST_DOMAIN, LAST_DOMAIN = 215, 231
_WAIT_FOR_DOMAIN_S = 120.0


@contextmanager
def take_domain() -> Iterator[int]:
    """Hold a ROS domain that no other test on this machine uses."""
    folder = Path(tempfile.gettempdir()) / f"zulong-test-domains-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    deadline = time.monotonic() + _WAIT_FOR_DOMAIN_S
    while time.monotonic() < deadline:
        for domain in range(FIRST_DOMAIN, LAST_DOMAIN + 1):
            handle = (folder / str(domain)).open("w")
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                handle.close()
                continue
            with handle:
                if inhabited(domain):
                    continue
                yield domain
            return
        time.sleep(0.2)
    pytest.fail(
        f"No free ROS domain between {FIRST_DOMAIN} and {LAST_DOMAIN} within {_WAIT_FOR_DOMAIN_S:g} s"
    )


def inhabited(domain: int) -> bool:
    """Tell whether a process of this user was started into the domain: it would answer a test's requests."""
    for process in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = process.read_bytes().split(b"\0")
        except OSError:
            continue
        if f"ROS_DOMAIN_ID={domain}".encode() in variables and process.parent.name != str(os.getpid()):
            return True
    return False


@pytest.fixture
def ros_domain_id() -> Iterator[int]:
    """A ROS domain that no other test on this machine uses."""
    with take_domain() as domain:
        yield domain


@pytest.fixture
def ros_environment(ros_domain_id: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of this test's processes; set in this process as well."""
    for name, value in {
        "ROS_DOMAIN_ID": str(ros_domain_id),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ZULONG_HOME": str(tmp_path / "home"),
        "ROS_LOG_DIR": str(tmp_path / "ros-log"),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
        "FASTRTPS_DEFAULT_PROFILES_FILE": str(ROOT / "config" / "dds_profile.xml"),
        "FASTDDS_DEFAULT_PROFILES_FILE": str(ROOT / "config" / "dds_profile.xml"),
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("ZULONG_NAMESPACE", raising=False)
    return dict(os.environ)


class Process:
    """A started process with its output in a file."""

    def __init__(self, arguments: list[str], env: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as sink:
            self._process = subprocess.Popen(
                arguments,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                process_group=0,
            )

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def output(self) -> str:
        """Return what it wrote so far."""
        return self.log.read_text(errors="replace")

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def wait(self, limit_s: float) -> int:
        """Return its exit status; fail the test when it does not end within ``limit_s``."""
        try:
            return self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            pytest.fail(
                f"{self._process.args} did not end within {limit_s:g} s; its output:\n{self.output()[-3000:]}"
            )

    def end(self) -> None:
        """End it and what it started, whatever it does."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self._process.wait(10.0)


@pytest.fixture
def spawn(ros_environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """``spawn(*arguments, env={}) -> Process``: run Python with ``arguments``; ended with the test."""
    started: list[Process] = []

    def start(*arguments: str, env: dict[str, str] | None = None) -> Process:
        command = [sys.executable, *arguments]
        process = Process(
            command, {**ros_environment, **(env or {})}, tmp_path / f"process-{len(started)}.log"
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.end()


@pytest.fixture
def ros_session(ros_environment: dict[str, str]) -> Iterator[object]:
    """A node in this process, spun by a thread: ``ros_session.node``, ``ros_session.call(kind, name, request)``."""
    session_module = pytest.importorskip("zulong.cli.session", reason="needs ROS and the built interfaces")
    with session_module.Session(name="test") as session:
        yield session


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """``wait_until(condition, limit_s, what)``: poll until true; fail with ``what`` after the limit."""

    def wait(condition: Callable[[], object], limit_s: float, what: str) -> None:
        deadline = time.monotonic() + limit_s
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"Not within {limit_s:g} s: {what}")
            time.sleep(0.02)

    return wait
