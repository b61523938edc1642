"""Encryption at rest."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from zulong.stategraph.checkpoint.base import empty_checkpoint
from zulong.stategraph.checkpoint.errors import SerializationError
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.checkpoint.serde.encrypted import AesGcmCipher, EncryptedSerializer
from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer

pytestmark = pytest.mark.feature("SG-22")
pytest.importorskip("cryptography")
SECRET = "the code of the safe is 4711 " * 20


@pytest.fixture
def serde() -> EncryptedSerializer:
    return EncryptedSerializer.from_aes_gcm(os.urandom(32))


@pytest.mark.parametrize("value", [None, b"bytes", {"a": (1, "x")}, SECRET])
def test_values_come_back_and_do_not_show(serde: EncryptedSerializer, value: Any) -> None:
    kind, raw = serde.dumps_typed(value)
    assert serde.loads_typed((kind, raw)) == value
    assert SECRET[:10].encode() not in raw
    assert serde.dumps_typed(value)[1] != raw, "two messages must never share a nonce"


def test_any_change_of_the_bytes_is_noticed(serde: EncryptedSerializer) -> None:
    kind, raw = serde.dumps_typed({"door": "locked"})
    for at in range(len(raw)):
        changed = bytearray(raw)
        changed[at] ^= 1
        with pytest.raises(SerializationError):
            serde.loads_typed((kind, bytes(changed)))
    for cut in (0, 3, 15, len(raw) - 1):
        with pytest.raises(SerializationError):
            serde.loads_typed((kind, raw[:cut]))


def test_plain_data_is_refused_unless_an_old_store_is_moved(serde: EncryptedSerializer) -> None:
    plain = MsgpackSerializer().dumps_typed([1])
    with pytest.raises(SerializationError, match="not encrypted"):
        serde.loads_typed(plain)
    assert EncryptedSerializer(serde.cipher, allow_plain=True).loads_typed(plain) == [1]


def test_a_new_key_in_front_reads_data_of_the_old_one() -> None:
    old, new = os.urandom(16), os.urandom(32)
    typed = EncryptedSerializer.from_aes_gcm(old).dumps_typed("x")
    assert EncryptedSerializer(AesGcmCipher([new, old])).loads_typed(typed) == "x"
    with pytest.raises(SerializationError, match="key that was not given"):
        EncryptedSerializer(AesGcmCipher([new])).loads_typed(typed)


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = os.urandom(32), os.urandom(32)
    monkeypatch.setenv("ZULONG_AES_KEY", base64.b64encode(first).decode())
    typed = EncryptedSerializer.from_environment().dumps_typed("x")
    monkeypatch.setenv("ZULONG_AES_KEY", f"{second.hex()},{base64.b64encode(first).decode()}")
    assert EncryptedSerializer.from_environment().loads_typed(typed) == "x"
    monkeypatch.delenv("ZULONG_AES_KEY")
    with pytest.raises(ValueError, match="ZULONG_AES_KEY is not set"):
        EncryptedSerializer.from_environment()
    monkeypatch.setenv("ZULONG_AES_KEY", "not a key!")
    with pytest.raises(ValueError, match="neither base64 nor hexadecimal"):
        EncryptedSerializer.from_environment()


@pytest.mark.parametrize("length", [0, 15, 33])
def test_a_key_of_a_wrong_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="16, 24 or 32"):
        EncryptedSerializer.from_aes_gcm(b"k" * length)


def test_nothing_secret_stands_in_the_files_of_a_store(tmp_path: Path, serde: EncryptedSerializer) -> None:
    address = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    put = empty_checkpoint()
    put["channel_values"], put["channel_versions"] = {"note": SECRET}, {"note": 1}
    with LmdbSaver(tmp_path / "s", serde=serde) as saver:
        stored = saver.put(address, put, {"source": "input", "step": 0, "note": SECRET}, {"note": 1})  # type: ignore[typeddict-unknown-key]
        saver.put_writes(stored, [("note", SECRET)], "task")
        found = saver.get_tuple(stored)
        assert found is not None and found.checkpoint["channel_values"] == {"note": SECRET}
    assert SECRET[:12].encode() not in (tmp_path / "s" / "data.mdb").read_bytes()
    with LmdbSaver(tmp_path / "s") as plain, pytest.raises(SerializationError, match="EncryptedSerializer"):
        plain.get_tuple(address)
