"""How a vector lies on disk: eight bits a component, and nothing for the components that are zero.

A row of length 1 is scaled so that its greatest component is 127 and rounded. For vectors of some hundred components
that moves a cosine by less than a thousandth, and the offline embedder's rows, most of them zeros, take a
fifth of what half-precision numbers would. Short vectors, where the rounding would show, stay half-precision.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
_HEAD = struct.Struct("<BHf")
"""kind, components, scale"""
_HALF, _DENSE, _SPARSE = 0, 1, 2
_SHORT = 64
"""Vectors with fewer components are stored in half precision."""


def encode(matrix: F32) -> list[bytes]:
    """Return each row as bytes."""
    count, dim = matrix.shape
    if dim < _SHORT:
        half = matrix.astype("<f2")
        return [_HEAD.pack(_HALF, dim, 1.0) + row.tobytes() for row in half]
    scale = np.abs(matrix).max(axis=1, initial=0.0) / 127.0
    whole = np.rint(matrix / np.where(scale > 0, scale, 1.0)[:, None]).astype(np.int8)
    present = whole != 0
    sparse = present.sum(axis=1) < dim - dim // 8
    bits = np.packbits(present, axis=1)
    rows: list[bytes] = []
    for row in range(count):
        if sparse[row]:
            head = _HEAD.pack(_SPARSE, dim, scale[row])
            rows.append(head + bits[row].tobytes() + whole[row][present[row]].tobytes())
        else:
            rows.append(_HEAD.pack(_DENSE, dim, scale[row]) + whole[row].tobytes())
    return rows


def decode(rows: Sequence[bytes], dim: int) -> F32:
    """Return the rows as a matrix; each must have ``dim`` components.

    Raises:
        ValueError: a row is damaged or of another length.
    """
    matrix = np.zeros((len(rows), dim), np.float32)
    for index, raw in enumerate(rows):
        if len(raw) < _HEAD.size:
            raise ValueError("a vector is cut")
        kind, components, scale = _HEAD.unpack_from(raw)
        body = raw[_HEAD.size :]
        if components != dim:
            raise ValueError(f"a vector has {components} components, not {dim}")
        if kind == _HALF and len(body) == 2 * dim:
            matrix[index] = np.frombuffer(body, "<f2")
        elif kind == _DENSE and len(body) == dim:
            matrix[index] = np.frombuffer(body, np.int8) * np.float32(scale)
        elif kind == _SPARSE and len(body) >= -(-dim // 8):
            size = -(-dim // 8)
            present = np.unpackbits(np.frombuffer(body[:size], np.uint8), count=dim).view(np.bool_)
            values = np.frombuffer(body[size:], np.int8)
            if int(present.sum()) != len(values):
                raise ValueError("a vector is cut")
            matrix[index][present] = values * np.float32(scale)
        else:
            raise ValueError("a vector is damaged")
    return matrix


def dimension(raw: bytes) -> int:
    """Return how many components a stored vector has, 0 if it is too short to tell."""
    return int(_HEAD.unpack_from(raw)[1]) if len(raw) >= _HEAD.size else 0
