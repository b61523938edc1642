"""The asynchronous face of the SQLite saver; its methods' asynchronous twins are those of `SqliteSaver`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from zulong.stategraph.checkpoint.sqlite import SqliteSaver


class AsyncSqliteSaver(SqliteSaver):
    """`SqliteSaver`, opened in an `async with` block."""

    @classmethod
    @asynccontextmanager
    async def from_conn_string(  # type: ignore[override]
        cls, conn_string: str | os.PathLike[str]
    ) -> AsyncIterator[SqliteSaver]:
        """Open a saver on a file (or `":memory:"`) and close it at the end of the block."""
        with SqliteSaver.from_conn_string(conn_string) as saver:
            yield saver
