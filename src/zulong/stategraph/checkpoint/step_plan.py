"""One superstep on its way into rows: what is made into bytes before the transaction, and what inside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zulong.stategraph.checkpoint.base.model import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    StepWrites,
    storable,
)
from zulong.stategraph.checkpoint.log import LogSegment, LogValue, new_segment_id
from zulong.stategraph.checkpoint.row_table import Place, RowTable
from zulong.stategraph.checkpoint.rows import (
    INLINE_BYTES,
    Head,
    Inline,
    Ref,
    RowId,
    Segment,
    SharedItems,
    TaskWrites,
    Write,
    pack_typed,
)
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol

_OWN_KEYS = frozenset(
    {"v", "id", "ts", "channel_values", "channel_versions", "versions_seen", "updated_channels"}
)


class NotLoadedError(Exception):
    """A segment must be stored whose items are still in another thread's rows; read them, then try again."""

    def __init__(self, segment: LogSegment) -> None:
        super().__init__("a segment is not in memory")
        self.segment = segment


class StepPlan:
    """A checkpoint and the writes that led to it, made ready to store.

    Values are turned into bytes here, outside the transaction, so that a type that cannot be stored is
    refused before anything is locked. A value that is written and then becomes the channel's value is
    stored once, as are items of an append-log.
    """

    def __init__(
        self,
        serde: SerializerProtocol,
        checkpoint: Checkpoint,
        metadata: Mapping[str, Any],
        new_versions: ChannelVersions,
        parent_id: str | None,
        writes: Sequence[StepWrites],
    ) -> None:
        self._serde = serde
        self._values = checkpoint["channel_values"]
        self._versions = checkpoint["channel_versions"]
        self._new = new_versions
        self._parent_id = parent_id
        self.checkpoint_id = checkpoint["id"]
        self._rows: dict[RowId, bytes] = {}
        self._refs: dict[str, Ref] = {}
        for channel in new_versions:
            if channel in self._values and channel in self._versions:
                value = self._values[channel]
                if not (isinstance(value, LogValue) and value.head is not None):
                    self._refs[channel] = self._place(value)
        self.writes = [self._task_writes(*task) for task in writes]
        extra = {key: value for key, value in checkpoint.items() if key not in _OWN_KEYS}
        self._payload = self._pack(
            [
                checkpoint["v"],
                checkpoint["ts"],
                checkpoint["versions_seen"],
                checkpoint.get("updated_channels"),
                metadata,
                extra,
            ]
        )

    def _pack(self, value: Any) -> bytes:
        return pack_typed(self._serde.dumps_typed(value))

    def _place(self, value: Any) -> Ref:
        """Return where a value will be: in the head if it is small, in a row of its own if not."""
        packed = self._pack(value)
        if len(packed) <= INLINE_BYTES:
            return (packed,)
        row_id = new_segment_id()
        self._rows[row_id] = packed
        return row_id

    def _task_writes(self, task_id: str, task_path: str, writes: Sequence[tuple[str, Any]]) -> TaskWrites:
        return TaskWrites(
            task_id,
            task_path,
            tuple(
                Write(WRITES_IDX_MAP.get(channel, index), channel, self._write_value(channel, value))
                for index, (channel, value) in enumerate(writes)
            ),
        )

    def _write_value(self, channel: str, value: Any) -> Inline | RowId | SharedItems:
        current = self._values.get(channel)
        ref = self._refs.get(channel)
        if current is value and ref is not None:
            return ref  # type: ignore[return-value]  # only rows and inline values are placed here
        if isinstance(current, LogValue) and channel in self._new:
            shared = shared_items(current, value)
            if shared is not None:
                return shared
        return (self._pack(storable(channel, value)),)

    def commit(self, table: RowTable, place: Place, parent: Head | None) -> Head:
        """Store the checkpoint's rows in a transaction; return its head."""
        refs = dict(self._refs)
        for channel, version in self._versions.items():
            if channel in refs:
                continue
            if channel not in self._new and parent is not None and parent.versions.get(channel) == version:
                if channel in parent.refs:
                    refs[channel] = parent.refs[channel]
                continue
            # A log; or a channel that the parent should have had, when that was pruned or never stored.
            value = self._values.get(channel)
            if isinstance(value, LogValue) and value.head is not None:
                refs[channel] = self._store_log(table, place.thread, value)
            elif channel in self._values and channel not in self._new:
                refs[channel] = self._place(value)
        for row_id, row in self._rows.items():
            table.put_data(place.thread, row_id, row)
        head = Head(new_segment_id(), self._parent_id, dict(self._versions), refs, self._payload)
        table.put_head(place, self.checkpoint_id, head.pack())
        return head

    def _store_log(self, table: RowTable, thread: int, log: LogValue) -> Ref:
        """Store the segments that this thread does not hold yet: of a growing log, the newest alone."""
        newest = log.head
        if newest is None:
            return self._place(log)
        missing = []
        segment = newest
        while table.find_data(thread, segment.id) is None:
            if not segment.loaded:
                raise NotLoadedError(
                    segment
                )  # not here: a transaction within this one could wait for it for ever
            missing.append(segment)
            if segment.parent is None:
                break
            segment = segment.parent
        for segment in reversed(missing):
            parent = segment.parent
            row = Segment(
                parent.id if parent is not None else None, segment.count, self._pack(list(segment.items))
            )
            table.put_data(thread, segment.id, row.pack())
        return (newest.id, newest.count)


def shared_items(log: LogValue, value: Any) -> SharedItems | None:
    """Return where a written value stands in the newest segment, None unless its very objects are there."""
    newest = log.head
    if newest is None or not newest.loaded:
        return None
    items = newest.items
    kind = type(value)
    if kind is list or kind is tuple:
        count = len(value)
        first = value[0] if count else None
        for start in range(len(items) - count + 1) if count else ():
            if items[start] is first and all(items[start + i] is part for i, part in enumerate(value)):
                return SharedItems(newest.id, start, start + count, 1 if kind is list else 2)
    for start, item in enumerate(items):
        if item is value:
            return SharedItems(newest.id, start, start + 1, 0)
    return None
