"""What is special to the LMDB store: it outlives the process, knows whose vectors it holds, and shares a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from zulong.stategraph.checkpoint.base import empty_checkpoint
from zulong.stategraph.checkpoint.errors import SerializationError, StorageClosedError
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.checkpoint.serde.encrypted import EncryptedSerializer
from zulong.stategraph.store.base import InvalidNamespaceError
from zulong.stategraph.store.lmdb import LmdbStore

pytestmark = pytest.mark.feature("SG-16")


class Letters:
    """Embeds by counting letters, in one of two orders."""

    dim = 2

    def __init__(self, name: str, letters: str) -> None:
        self.name = name
        self._letters = letters
        self.calls = 0

    def embed(self, texts: Any) -> list[list[float]]:
        self.calls += len(texts)
        return [[float(text.count(letter)) for letter in self._letters] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed([text])[0]


def test_values_and_vectors_are_there_after_a_restart(tmp_path: Path) -> None:
    index: Any = {"embed": Letters("ab", "ab"), "fields": ["t"]}
    with LmdbStore(tmp_path / "s", index=index) as store:
        store.put(("m",), "a", {"t": "aaa"})
        store.put(("m",), "b", {"t": "bbb"}, ttl=60)
    with LmdbStore(tmp_path / "s", index=index) as store:
        assert [item.key for item in store.search(("m",), query="ab b")] == ["b", "a"]


def test_vectors_of_another_embedder_are_not_compared_until_they_are_made_anew(tmp_path: Path) -> None:
    with LmdbStore(tmp_path / "s", index={"embed": Letters("ab", "ab"), "fields": ["t"]}) as store:
        store.put(("m",), "a", {"t": "aaa"})
        store.put(("m",), "none", {"t": "aaa"}, index=False)
    with LmdbStore(tmp_path / "s", index={"embed": Letters("ba", "ba"), "fields": ["t"]}) as store:
        assert [item.score for item in store.search(("m",), query="a")] == [None, None]
        assert store.reindex() == 1
        assert [item.score for item in store.search(("m",), query="a")] == [pytest.approx(1.0), None]
        assert store.reindex() == 0


def test_reading_does_not_embed_again(tmp_path: Path) -> None:
    embedder = Letters("ab", "ab")
    with LmdbStore(
        tmp_path / "s", index={"embed": embedder, "fields": ["t"]}, ttl={"default_ttl": 5}
    ) as store:
        store.put(("m",), "a", {"t": "aaa"})
        for _ in range(3):
            store.get(("m",), "a")
        assert embedder.calls == 1
        assert store.search(("m",), query="a")[0].score == pytest.approx(1.0), "refreshing keeps the vectors"


def test_a_put_survives_the_death_of_its_process(tmp_path: Path) -> None:
    script = (
        "import os, sys, signal\n"
        "from zulong.stategraph.store.lmdb import LmdbStore\n"
        "store = LmdbStore(sys.argv[1])\n"
        "store.put(('a',), 'k', {'v': 1})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "s")], timeout=60, check=False)
    assert done.returncode == -9
    with LmdbStore(tmp_path / "s") as store:
        found = store.get(("a",), "k")
        assert found is not None and found.value == {"v": 1}


def test_a_store_and_checkpoints_may_share_a_folder(tmp_path: Path) -> None:
    with LmdbSaver(tmp_path / "s") as saver, LmdbStore(tmp_path / "s") as store:
        address = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        saver.put(address, empty_checkpoint(), {}, {})
        store.put(("a",), "k", {"v": 1})
        assert saver.get_tuple(address) is not None
        assert store.get(("a",), "k") is not None


def test_values_can_be_encrypted(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    with LmdbStore(tmp_path / "s", serde=EncryptedSerializer.from_aes_gcm(b"k" * 32)) as store:
        store.put(("a",), "k", {"secret": "open sesame"})
        assert store.search(("a",), filter={"secret": "open sesame"})[0].key == "k"
    assert b"sesame" not in (tmp_path / "s" / "data.mdb").read_bytes()
    with LmdbStore(tmp_path / "s") as store, pytest.raises(SerializationError):
        store.get(("a",), "k")


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = LmdbStore(tmp_path / "s")
    store.close()
    store.close()
    with pytest.raises(StorageClosedError, match="closed"):
        store.get(("a",), "k")


def test_a_namespace_that_cannot_be_a_key_is_refused(tmp_path: Path) -> None:
    with LmdbStore(tmp_path / "s") as store, pytest.raises(InvalidNamespaceError, match="too long"):
        store.put(tuple("x" * 50 for _ in range(10)), "k", {})
