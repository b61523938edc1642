"""Files that can be made again: numpy arrays with the store and transaction they reflect, and a checksum.

Whatever is wrong with such a file (missing, cut, flipped bits, of another store) it is reported as absent:
a damaged cache costs time, never data.
"""

from __future__ import annotations

import json
import logging
import os
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
_MAGIC = b"ZLCACHE1"
_HEAD = struct.Struct("<8sII")
"""magic, bytes of the JSON header, checksum of the header."""
_ALIGN = 64


@dataclass(slots=True, frozen=True)
class Cached:
    """The content of a cache file."""

    txn_id: int
    arrays: dict[str, NDArray[Any]]
    info: dict[str, Any]


def save(
    path: Path,
    *,
    store_id: str,
    txn_id: int,
    arrays: Mapping[str, NDArray[Any]],
    info: Mapping[str, Any] | None = None,
) -> None:
    """Write a cache file and put it in place in one step; ``info`` must be plain JSON.

    Raises:
        OSError: it could not be written; the file that was there before stays.
    """
    described, offset = [], 0
    blobs = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    for name, blob in blobs.items():
        described.append(
            {
                "name": name,
                "dtype": blob.dtype.str,
                "shape": blob.shape,
                "offset": offset,
                "crc": zlib.crc32(_bytes(blob)),
            }
        )
        offset += -(-blob.nbytes // _ALIGN) * _ALIGN
    header = json.dumps(
        {"store": store_id, "txn": txn_id, "info": dict(info or {}), "arrays": described}
    ).encode()
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(path.name + ".new")
    try:
        with temporary.open("wb") as file:
            file.write(_HEAD.pack(_MAGIC, len(header), zlib.crc32(header)))
            file.write(header)
            for blob in blobs.values():
                file.write(_bytes(blob))
                file.write(bytes(-blob.nbytes % _ALIGN))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _bytes(blob: NDArray[Any]) -> memoryview:
    """Return the bytes of a contiguous array without copying them."""
    return blob.reshape(-1).view(np.uint8).data


def load(path: Path, *, store_id: str) -> Cached | None:
    """Return the content of a cache file; None if it is absent, damaged, or of another store."""
    try:
        data = path.read_bytes()
        return _parse(data, store_id)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        _LOG.warning("The cache %s cannot be used (%s); it is made again.", path, error)
        return None


def _parse(data: bytes, store_id: str) -> Cached | None:
    magic, size, checksum = _HEAD.unpack_from(data)
    raw = data[_HEAD.size : _HEAD.size + size]
    if magic != _MAGIC or zlib.crc32(raw) != checksum:
        raise ValueError("its header is damaged")
    header = json.loads(raw)
    if header["store"] != store_id:
        raise ValueError("it belongs to another store")
    start = _HEAD.size + size
    arrays: dict[str, NDArray[Any]] = {}
    for one in header["arrays"]:
        dtype = np.dtype(one["dtype"])
        if dtype.hasobject:
            raise ValueError("it holds objects")
        count = int(np.prod(one["shape"], dtype=np.int64))
        begin = start + one["offset"]
        piece = memoryview(data)[begin : begin + count * dtype.itemsize]
        if len(piece) != count * dtype.itemsize or (count and zlib.crc32(piece) != one["crc"]):
            raise ValueError(f"its array {one['name']!r} is damaged")
        arrays[one["name"]] = np.frombuffer(piece, dtype).reshape(one["shape"]).copy()
    return Cached(int(header["txn"]), arrays, header["info"])
