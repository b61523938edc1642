"""How a checkpoint is cut into rows, the same for every store that keeps rows.

A head is one checkpoint; it names the row of every channel. A channel that did not change names the row of
its parent's head, so nothing is written for it. An append-log names its newest segment, and every segment
the one before it. Rows of data belong to one thread and never change.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgpack

from zulong.stategraph.checkpoint.base.model import ChannelVersions
from zulong.stategraph.checkpoint.errors import StorageFormatError
from zulong.stategraph.checkpoint.log import SEGMENT_ID_BYTES

LAYOUT = 1
"""The version of these rows; a store of a higher one is refused."""

INLINE_BYTES = 48
"""A value no longer than this stays inside the head: a row of its own would take more room."""

_COMPRESS_FROM = 256
_MAX_PLAIN_BYTES = 1 << 31
_KINDS = ("msgpack", "null", "bytes", "+aes-gcm")
_OTHER_KIND = 127
_NO_PARENT = bytes(SEGMENT_ID_BYTES)
_STAMP = slice(3, 3 + SEGMENT_ID_BYTES)  # behind one byte of array header and two of bytes header

RowId = bytes
LogRef = tuple[bytes, int]
"""(id of the newest segment, number of items)."""
Inline = tuple[bytes]
Ref = RowId | LogRef | Inline
"""Where a value is: in a row, in a chain of segments, or right here as packed bytes."""


def pack_typed(typed: tuple[str, bytes]) -> bytes:
    """Return a serialized value as one string of bytes, compressed where that saves room."""
    kind, raw = typed
    compressed = False
    if len(raw) >= _COMPRESS_FROM and not kind.startswith("+"):
        smaller = zlib.compress(raw, 1)
        if len(smaller) < len(raw) * 0.9:
            raw, compressed = smaller, True
    if kind in _KINDS:
        return bytes([_KINDS.index(kind) << 1 | compressed]) + raw
    label = kind.encode()
    return bytes([_OTHER_KIND << 1 | compressed, len(label)]) + label + raw


def unpack_typed(packed: bytes) -> tuple[str, bytes]:
    """Return what `pack_typed` was given.

    Raises:
        StorageFormatError: the bytes are damaged.
    """
    try:
        code, start = packed[0] >> 1, 1
        if code == _OTHER_KIND:
            start = 2 + packed[1]
            kind = packed[2:start].decode()
        else:
            kind = _KINDS[code]
        raw = packed[start:]
        return kind, _inflate(raw) if packed[0] & 1 else raw
    except (IndexError, ValueError, zlib.error) as error:
        raise StorageFormatError(f"A stored value is damaged: {error}.") from error


def _inflate(raw: bytes) -> bytes:
    inflater = zlib.decompressobj()
    plain = inflater.decompress(raw, _MAX_PLAIN_BYTES)
    if not inflater.eof:
        raise ValueError("compressed data has no end")
    return plain


@dataclass(slots=True, frozen=True)
class Head:
    """One checkpoint: `stamp` is unique to this write of it, `payload` holds all but the values."""

    stamp: bytes
    parent_id: str | None
    versions: ChannelVersions
    refs: dict[str, Ref]
    payload: bytes

    def pack(self) -> bytes:
        """Return the row."""
        channels = {
            channel: (version, *self._flat(self.refs.get(channel)))
            for channel, version in self.versions.items()
        }
        packed: bytes = msgpack.packb([self.stamp, self.parent_id, channels, self.payload])
        return packed

    @staticmethod
    def _flat(ref: Ref | None) -> tuple[Any, ...]:
        if ref is None:
            return ()
        if isinstance(ref, bytes):
            return (ref,)
        return ref if len(ref) == 2 else (None, ref[0])

    @classmethod
    def unpack(cls, row: bytes) -> Head:
        """Return the head in a row.

        Raises:
            StorageFormatError: the row is damaged.
        """
        try:
            stamp, parent_id, channels, payload = msgpack.unpackb(row, use_list=False, strict_map_key=False)
            versions: ChannelVersions = {}
            refs: dict[str, Ref] = {}
            for channel, (version, *place) in channels.items():
                versions[_is(channel, str)] = _is(version, int | float | str)
                if len(place) == 1:
                    refs[channel] = _row_id(place[0])
                elif place and place[0] is None:
                    refs[channel] = (_is(place[1], bytes),)
                elif place:
                    refs[channel] = (_row_id(place[0]), _is(place[1], int))
            return cls(_row_id(stamp), _is(parent_id, str | None), versions, refs, _is(payload, bytes))
        except Exception as error:
            raise StorageFormatError(f"A checkpoint's row is damaged: {error!r}.") from error


def stamp_of(row: bytes | memoryview) -> bytes:
    """Return the stamp of a head's row without reading the rest."""
    return bytes(row[_STAMP])


@dataclass(slots=True, frozen=True)
class SharedItems:
    """A write whose value is made of items of a segment that is stored anyway.

    `form` says what the value is: the item itself, or a list or tuple of items `start` to `stop`.
    """

    segment_id: bytes
    start: int
    stop: int
    form: int  # 0 item, 1 list, 2 tuple


@dataclass(slots=True, frozen=True)
class Write:
    """One write of a task: its place, its channel, and where the value is."""

    index: int
    channel: str
    value: Inline | RowId | SharedItems


@dataclass(slots=True, frozen=True)
class TaskWrites:
    """What one task wrote against one checkpoint."""

    task_id: str
    task_path: str
    writes: tuple[Write, ...]

    def merged(self, earlier: TaskWrites) -> TaskWrites:
        """Return these writes joined to earlier ones: the first of a place stays, a special one is replaced."""
        places = {write.index: write for write in earlier.writes}
        for write in self.writes:
            if write.index < 0 or write.index not in places:
                places[write.index] = write
        return TaskWrites(self.task_id, self.task_path, tuple(places[index] for index in sorted(places)))

    def pack(self) -> bytes:
        """Return the row."""
        flat = [
            (write.index, write.channel, *write.value)
            if isinstance(write.value, tuple)
            else (write.index, write.channel, None, write.value)
            if isinstance(write.value, bytes)
            else (
                write.index,
                write.channel,
                write.value.segment_id,
                write.value.start,
                write.value.stop,
                write.value.form,
            )
            for write in self.writes
        ]
        packed: bytes = msgpack.packb([self.task_id, self.task_path, flat], unicode_errors="surrogatepass")
        return packed

    @classmethod
    def unpack(cls, row: bytes) -> TaskWrites:
        """Return the writes in a row.

        Raises:
            StorageFormatError: the row is damaged.
        """
        try:
            task_id, task_path, flat = msgpack.unpackb(row, use_list=False, unicode_errors="surrogatepass")
            writes = []
            for index, channel, *place in flat:
                value: Inline | RowId | SharedItems
                if len(place) == 1:
                    value = (_is(place[0], bytes),)
                elif len(place) == 2:
                    value = _row_id(place[1])
                else:
                    segment_id, start, stop, form = place
                    value = SharedItems(_row_id(segment_id), _is(start, int), _is(stop, int), _is(form, int))
                writes.append(Write(_is(index, int), _is(channel, str), value))
            return cls(_is(task_id, str), _is(task_path, str), tuple(writes))
        except Exception as error:
            raise StorageFormatError(f"A row of pending writes is damaged: {error!r}.") from error


@dataclass(slots=True, frozen=True)
class Segment:
    """One link of an append-log as it is stored; `count` is the number of items up to its end."""

    parent_id: bytes | None
    count: int
    items: bytes

    def pack(self) -> bytes:
        """Return the row."""
        return (self.parent_id or _NO_PARENT) + self.count.to_bytes(6, "big") + self.items

    @classmethod
    def unpack(cls, row: bytes) -> Segment:
        """Return the segment in a row.

        Raises:
            StorageFormatError: the row is damaged.
        """
        if len(row) < SEGMENT_ID_BYTES + 7:
            raise StorageFormatError("A segment of an append-log is damaged: it is too short.")
        parent = row[:SEGMENT_ID_BYTES]
        end = SEGMENT_ID_BYTES + 6
        return cls(
            None if parent == _NO_PARENT else parent,
            int.from_bytes(row[SEGMENT_ID_BYTES:end], "big"),
            row[end:],
        )


def _is(part: Any, kind: Any) -> Any:
    """Return a part of a row if it is what it must be; rows come from a disk, and disks fail."""
    if not isinstance(part, kind):
        raise TypeError(f"{type(part).__name__} in place of {kind}")
    return part


def _row_id(part: Any) -> bytes:
    if not isinstance(part, bytes) or len(part) != SEGMENT_ID_BYTES:
        raise TypeError("a reference to a row is damaged")
    return part


def rows_of(refs: Iterable[Ref | SharedItems]) -> tuple[set[RowId], set[bytes]]:
    """Return the rows and the newest segments that these references need."""
    rows: set[RowId] = set()
    segments: set[bytes] = set()
    for ref in refs:
        if isinstance(ref, bytes):
            rows.add(ref)
        elif isinstance(ref, SharedItems):
            segments.add(ref.segment_id)
        elif len(ref) == 2:
            segments.add(ref[0])
    return rows, segments
