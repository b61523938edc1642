"""Types of the standard library (and numpy arrays) that are stored without registration.

Each has a one-byte code in the msgpack extension; codes are never reused for something else. A bytearray or
memoryview comes back as bytes.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any
from uuid import UUID

from zulong.stategraph.checkpoint.errors import SerializationError
from zulong.stategraph.checkpoint.log import LogValue
from zulong.stategraph.checkpoint.serde.types import _DeltaSnapshot

REGISTERED = 1
NDARRAY = 20
NDSCALAR = 21

Encode = Callable[[Any], Any]
_ZONE_KEY = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
_DTYPE = re.compile(r"[<>|=]?[biufcMmSU]\d+(\[\d*[A-Za-z]+\])?|\|b1")


def _zone_out(zone: tzinfo | None, offset: timedelta | None) -> Any:
    if zone is None:
        return None
    seconds = 0.0 if offset is None else offset.total_seconds()
    return [seconds, getattr(zone, "key", None)]


def _zone_in(stored: Any) -> tzinfo | None:
    if stored is None:
        return None
    seconds, key = stored
    if key is not None:
        zone = _zone_by_key(key)
        if zone is not None:
            return zone
    return timezone.utc if seconds == 0 else timezone(timedelta(seconds=seconds))


def _zone_by_key(key: str) -> tzinfo | None:
    """Return a named zone from the system's time zone files, None when they do not have it.

    `ZoneInfo(key)` would fall back to importing a sub-package of tzdata whose name is made from the key.
    """
    import zoneinfo

    if not _ZONE_KEY.fullmatch(key):
        raise SerializationError(f"{key!r} is no name of a time zone.")
    for root in zoneinfo.TZPATH:
        if (Path(root) / key).is_file():
            return zoneinfo.ZoneInfo(key)
    return None


def _datetime_in(stored: Any) -> datetime:
    text, fold, zone = stored
    return datetime.fromisoformat(text).replace(tzinfo=_zone_in(zone), fold=fold)


def _time_in(stored: Any) -> time:
    text, fold, zone = stored
    return time.fromisoformat(text).replace(tzinfo=_zone_in(zone), fold=fold)


def _path_out(path: PurePath) -> str:
    return str(path)


def _timedelta_out(delta: timedelta) -> list[int]:
    return [delta.days, delta.seconds, delta.microseconds]


def _range_in(stored: Any) -> range:
    start, stop, step = stored
    return range(start, stop, step)


def _deque_in(stored: Any) -> deque[Any]:
    items, maxlen = stored
    return deque(items, maxlen)


def _big_int_in(stored: bytes) -> int:
    return int.from_bytes(stored, "big", signed=True)


def _big_int_out(number: int) -> bytes:
    return number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)


def _log_in(stored: Any) -> LogValue:
    return LogValue(stored)


# code: (types, encode to plain or built-in values, decode)
_TABLE: Mapping[int, tuple[tuple[type, ...], Encode, Encode]] = {
    2: ((tuple,), list, tuple),
    3: ((set,), list, set),
    4: ((frozenset,), list, frozenset),
    5: ((deque,), lambda d: [list(d), d.maxlen], _deque_in),
    6: (
        (datetime,),
        lambda d: [d.replace(tzinfo=None).isoformat(), d.fold, _zone_out(d.tzinfo, d.utcoffset())],
        _datetime_in,
    ),
    7: ((date,), lambda d: d.isoformat(), date.fromisoformat),
    8: (
        (time,),
        lambda t: [t.replace(tzinfo=None).isoformat(), t.fold, _zone_out(t.tzinfo, t.utcoffset())],
        _time_in,
    ),
    9: ((timedelta,), _timedelta_out, lambda stored: timedelta(*stored)),
    10: ((UUID,), lambda u: u.bytes, lambda stored: UUID(bytes=stored)),
    11: ((Decimal,), str, Decimal),
    12: ((complex,), lambda c: [c.real, c.imag], lambda stored: complex(*stored)),
    13: ((type(Path()),), _path_out, Path),
    14: ((int,), _big_int_out, _big_int_in),
    16: ((LogValue,), lambda v: v.to_list(), _log_in),
    17: ((PurePosixPath,), _path_out, PurePosixPath),
    18: ((PureWindowsPath,), _path_out, PureWindowsPath),
    19: ((_DeltaSnapshot,), lambda s: [s.value], lambda stored: _DeltaSnapshot(*stored)),
    22: ((range,), lambda r: [r.start, r.stop, r.step], _range_in),
    23: ((IPv4Address, IPv6Address), str, ip_address),
    24: ((IPv4Network, IPv6Network), str, ip_network),
}

ENCODERS: dict[type, tuple[int, Encode]] = {
    cls: (code, encode) for code, (classes, encode, _) in _TABLE.items() for cls in classes
}
DECODERS: dict[int, Encode] = {code: decode for code, (_, _, decode) in _TABLE.items()}


def encode_numpy(obj: Any) -> tuple[int, Any] | None:
    """Return code and plain value of a numpy array or scalar, None for anything else."""
    numpy = sys.modules.get("numpy")  # an array cannot exist before numpy is imported
    if numpy is None or not isinstance(obj, numpy.ndarray | numpy.generic):
        return None
    dtype = obj.dtype.str
    if not _DTYPE.fullmatch(dtype):
        raise SerializationError(
            f"A numpy array of dtype {obj.dtype} cannot be stored; use numbers, booleans, times or fixed text."
        )
    if isinstance(obj, numpy.generic):
        return NDSCALAR, [dtype, obj.tobytes()]
    return NDARRAY, [dtype, list(obj.shape), numpy.ascontiguousarray(obj).tobytes()]


def decode_numpy(code: int, stored: Any) -> Any:
    """Return the array or scalar that `encode_numpy` described."""
    import numpy

    dtype, *shape, raw = stored
    if not isinstance(dtype, str) or not _DTYPE.fullmatch(dtype):
        raise SerializationError(f"{dtype!r} is no dtype of a stored array.")
    flat = numpy.frombuffer(raw, dtype=dtype)
    if code == NDSCALAR:
        return flat[0]
    return flat.reshape(shape[0]).copy()  # a copy, because the buffer's memory is read-only
