"""How nodes and edges lie on disk: fixed structs for what is read in bulk, msgpack for the rest.

Keys are big-endian so that LMDB's byte order is numeric order. Values are little-endian so that numpy reads
millions of them with one ``frombuffer``.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from zulong.memory.errors import InvalidMemoryError
from zulong.memory.model import NodeType

UID = struct.Struct(">Q")
EDGE_KEY = struct.Struct(">QQB")
EDGE_VALUE = struct.Struct("<ddd")
"""base weight, time of the last reinforcement, time of creation."""

STATE = struct.Struct("<8dfI5iBBH")
STATE_DTYPE = np.dtype(
    [
        ("stamp", "<f8"),
        ("created", "<f8"),
        ("accessed", "<f8"),
        ("valid_from", "<f8"),
        ("valid_to", "<f8"),
        ("x", "<f8"),
        ("y", "<f8"),
        ("z", "<f8"),
        ("activation", "<f4"),
        ("accesses", "<u4"),
        ("frame", "<i4"),
        ("room", "<i4"),
        ("robot", "<i4"),
        ("person", "<i4"),
        ("session", "<i4"),
        ("type", "u1"),
        ("importance", "u1"),
        ("reviewed", "<u2"),
    ]
)
assert STATE_DTYPE.itemsize == STATE.size  # noqa: S101 - the two descriptions of one layout must agree

# ``reviewed`` is the day (since the epoch) of the last review, 0 for never, NEVER_AGAIN for what review left.
# Positions of the fields in an unpacked STATE tuple.
(
    F_STAMP,
    F_CREATED,
    F_ACCESSED,
    F_VALID_FROM,
    F_VALID_TO,
    F_X,
    F_Y,
    F_Z,
    F_ACTIVATION,
    F_ACCESSES,
    F_FRAME,
    F_ROOM,
    F_ROBOT,
    F_PERSON,
    F_SESSION,
    F_TYPE,
    F_IMPORTANCE,
    F_REVIEWED,
) = range(18)
NEVER_AGAIN = 0xFFFF

EDGE_KEY_DTYPE = np.dtype([("src", ">u8"), ("dst", ">u8"), ("type", "u1")])
EDGE_VALUE_DTYPE = np.dtype([("weight", "<f8"), ("reinforced", "<f8"), ("created", "<f8")])
EDGE_ROW = struct.Struct("<QQBddd")
"""One edge in the journal: source, destination, type, then the value."""

StateTuple = tuple[Any, ...]


def pack_document(
    id: str, text: str, tags: tuple[str, ...], meta: Mapping[str, Any], sources: tuple[str, ...]
) -> bytes:
    """Encode the part of a node that is not in its STATE.

    Raises:
        InvalidMemoryError: ``meta`` holds something that msgpack has no plain form for.
    """
    try:
        return bytes(msgpack.packb((id, text, tags, meta, sources), use_bin_type=True))
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidMemoryError(
            f"The meta of memory {id!r} holds a value that cannot be stored ({error}); "
            "use text, numbers, booleans, lists and dictionaries."
        ) from error


def unpack_document(data: bytes) -> tuple[str, str, list[str], dict[str, Any], list[str]]:
    """Decode :func:`pack_document`."""
    id, text, tags, meta, sources = msgpack.unpackb(data, raw=False, strict_map_key=False)
    return id, text, tags, meta, sources


def pack(value: Any) -> bytes:
    """Encode a plain value."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def unpack(data: bytes) -> Any:
    """Decode a plain value; never makes anything but plain types."""
    return msgpack.unpackb(data, raw=False, strict_map_key=False)


# What happened at a moment is known by its session too: "yes" of today is not "yes" of last week.
_EVENT_TYPES = frozenset(
    int(type)
    for type in (
        NodeType.DIALOGUE,
        NodeType.TASK,
        NodeType.TOOL_CALL,
        NodeType.TOOL_RESULT,
        NodeType.APPROVAL,
    )
)


def text_key(text: str, type_value: int, person: str, session: str) -> bytes:
    """Return the 16-byte key under which the same text of the same kind and person is known."""
    if type_value not in _EVENT_TYPES:
        session = ""
    words = " ".join(text.split()).casefold()
    raw = f"{type_value}\0{person}\0{session}\0{words}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, digest_size=16).digest()


def pack_uids(uids: NDArray[np.int64] | list[int]) -> bytes:
    """Encode node numbers as 8 little-endian bytes each."""
    return np.asarray(uids, dtype="<i8").tobytes()


def unpack_uids(data: bytes) -> NDArray[np.int64]:
    """Decode :func:`pack_uids`."""
    return np.frombuffer(data, dtype="<i8").astype(np.int64)
