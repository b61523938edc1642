"""Savers of every kind, each fresh, and the modules of this folder that tests share."""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _load(name: str) -> ModuleType:
    """Load a sibling module; test folders are no packages."""
    full = f"zulong_checkpoint_tests_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    module = _load("postgres_server")
    try:
        context = module.running_server()
        server = context.__enter__()
    except module.NoServerError as error:
        pytest.skip(f"PostgreSQL: {error}")
    try:
        yield server
    finally:
        context.__exit__(None, None, None)


@pytest.fixture
def postgres_url(postgres: Any) -> str:
    """The server's database, without what an earlier test left."""
    psycopg = pytest.importorskip("psycopg")
    tables = ("layout", "threads", "namespaces", "names", "heads", "writes", "data")
    with psycopg.connect(postgres.conn_string, autocommit=True) as connection:
        connection.execute(f"DROP TABLE IF EXISTS {', '.join(f'zulong_{table}' for table in tables)}")
    return str(postgres.conn_string)


def _memory(request: pytest.FixtureRequest, path: Path) -> Any:
    from zulong.stategraph.checkpoint.memory import InMemorySaver

    return InMemorySaver()


def _lmdb(request: pytest.FixtureRequest, path: Path) -> Any:
    from zulong.stategraph.checkpoint.lmdb import LmdbSaver

    return LmdbSaver(path / "checkpoints")


def _lmdb_encrypted(request: pytest.FixtureRequest, path: Path) -> Any:
    pytest.importorskip("cryptography")
    from zulong.stategraph.checkpoint.lmdb import LmdbSaver
    from zulong.stategraph.checkpoint.serde.encrypted import EncryptedSerializer

    return LmdbSaver(path / "checkpoints", serde=EncryptedSerializer.from_aes_gcm(b"k" * 32))


def _sqlite(request: pytest.FixtureRequest, path: Path) -> Any:
    import sqlite3

    from zulong.stategraph.checkpoint.sqlite import SqliteSaver

    return SqliteSaver(sqlite3.connect(path / "checkpoints.db", check_same_thread=False))


def _postgres(request: pytest.FixtureRequest, path: Path) -> Any:
    url = request.getfixturevalue("postgres_url")
    from zulong.stategraph.checkpoint.postgres import PostgresSaver

    return PostgresSaver(url)


SAVERS: dict[str, Callable[[pytest.FixtureRequest, Path], Any]] = {
    "memory": _memory,
    "lmdb": _lmdb,
    "lmdb-encrypted": _lmdb_encrypted,
    "sqlite": _sqlite,
    "postgres": _postgres,
}


@pytest.fixture
def memory_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system in memory, where there is one: what these tests ask does not need a slow disk."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="zulong-test-", dir=shared) as name:
        yield Path(name)


@pytest.fixture(params=list(SAVERS))
def saver(request: pytest.FixtureRequest, memory_disk: Path) -> Iterator[Any]:
    made = SAVERS[request.param](request, memory_disk)
    yield made
    if hasattr(made, "close"):
        made.close()
