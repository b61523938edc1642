"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, on a socket in that folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LIMIT_S = 120


class NoServerError(RuntimeError):
    """The system has no PostgreSQL server, or it cannot be started here; says why."""


def _programs() -> Path:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    found = shutil.which("initdb")
    if found and (Path(found).parent / "pg_ctl").exists():
        return Path(found).parent
    raise NoServerError("no PostgreSQL server is installed (Debian: apt-get install postgresql)")


def _unprivileged() -> tuple[list[str], int | None]:
    """Return how to run a command as a user that may run the server (it refuses to run as root)."""
    if os.geteuid() != 0:
        return [], None
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        if shutil.which("setpriv"):
            return ["setpriv", f"--reuid={name}", f"--regid={user.pw_gid}", "--clear-groups"], user.pw_uid
        if shutil.which("runuser"):
            return ["runuser", "-u", name, "--"], user.pw_uid
    raise NoServerError("running as root, and there is no user postgres or nobody to run the server as")


class Server:
    """A running server: `conn_string` reaches it; it can be stopped hard and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._programs = _programs()
        self._as_user, uid = _unprivileged()
        if uid is not None:
            os.chown(folder, uid, -1)
        user = pwd.getpwuid(uid if uid is not None else os.geteuid()).pw_name
        self.conn_string = f"host={folder} port=5432 user={user} dbname=postgres"
        self._run(
            "initdb",
            "-D",
            str(folder / "data"),
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "--no-instructions",
        )

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._programs / program), *arguments]
        log = self._folder / f"{program}.log"
        with log.open("ab") as output:
            done = subprocess.run(
                command, stdout=output, stderr=output, cwd=self._folder, timeout=_LIMIT_S, check=False
            )
        if done.returncode:
            raise NoServerError(f"{program} failed: {log.read_text(errors='replace')[-500:]}")

    def start(self) -> None:
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c shared_buffers=16MB"
        # The tests kill the server, not the machine: what it handed to the system is safe without waiting for a disk.
        options += " -c fsync=off"
        log = str(self._folder / "server.log")
        self._run(
            "pg_ctl", "-D", str(self._folder / "data"), "-w", "-t", "100", "-l", log, "-o", options, "start"
        )

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-t", "100", "-m", mode, "stop")


@contextmanager
def running_server() -> Iterator[Server]:
    # Not pytest's folder: the path of a socket has at most 107 bytes, and another user must reach it.
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="zulong-pg-", dir=shared))
    folder.chmod(0o755)
    try:
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
