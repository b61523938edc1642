"""Checkpoints: the state of every thread after every superstep, kept in memory, LMDB, PostgreSQL or SQLite.

The savers are loaded when they are first named, so that a graph without them does not load a database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
    from zulong.stategraph.checkpoint.lmdb import LmdbSaver
    from zulong.stategraph.checkpoint.memory import InMemorySaver
    from zulong.stategraph.checkpoint.postgres import PostgresSaver
    from zulong.stategraph.checkpoint.serde.encrypted import EncryptedSerializer
    from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer, register_type
    from zulong.stategraph.checkpoint.sqlite import SqliteSaver

__all__ = [
    "BaseCheckpointSaver",
    "EncryptedSerializer",
    "InMemorySaver",
    "LmdbSaver",
    "MsgpackSerializer",
    "PostgresSaver",
    "SqliteSaver",
    "register_type",
]

_WHERE = {
    "BaseCheckpointSaver": "base",
    "EncryptedSerializer": "serde.encrypted",
    "InMemorySaver": "memory",
    "LmdbSaver": "lmdb",
    "MsgpackSerializer": "serde.msgpack",
    "PostgresSaver": "postgres",
    "SqliteSaver": "sqlite",
    "register_type": "serde.msgpack",
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
