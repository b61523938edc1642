"""Time and place indexes over the columns: which rows could match, without looking at all of them.

Both are sorted copies made when first asked for. Rows that came later are looked at one by one until there
are enough of them to sort anew; a row whose time or place was changed makes its index be sorted anew.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from zulong.memory.columns import Columns

Rows = NDArray[np.int64]
CELL_M = 2.0
"""Side of a grid cell in metres."""
_OFFSET = 1 << 20
_SPAN = 1 << 21
_TAIL = 4096
_MANY_CELLS = 256


class TimeIndex:
    """Rows in order of stamp."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._lock = threading.Lock()
        self._version = -1
        self._covered = 0
        self._order: Rows = np.zeros(0, np.int64)
        self._stamps: NDArray[np.float64] = np.zeros(0)

    def between(self, since: float | None, until: float | None) -> Rows:
        """Return the rows whose stamp lies in [since, until), and perhaps some of removed nodes."""
        with self._lock:
            self._refresh()
            order, stamps, covered = self._order, self._stamps, self._covered
        first = 0 if since is None else int(np.searchsorted(stamps, since, "left"))
        last = len(stamps) if until is None else int(np.searchsorted(stamps, until, "left"))
        tail = np.arange(covered, self._columns.count)
        late = self._columns.stamp[tail]
        inside = (late >= (-np.inf if since is None else since)) & (
            late < (np.inf if until is None else until)
        )
        return np.concatenate([order[first : max(last, first)], tail[inside]])

    def _refresh(self) -> None:
        columns = self._columns
        count = columns.count
        if columns.times_changed == self._version and count - self._covered <= max(_TAIL, self._covered // 8):
            return
        self._version = columns.times_changed
        self._order = np.argsort(columns.stamp[:count], kind="stable")
        self._stamps = columns.stamp[:count][self._order]
        self._covered = count


class PlaceIndex:
    """Rows that have a place, by grid cell."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._lock = threading.Lock()
        self._version = -1
        self._covered = 0
        self._rows: Rows = np.zeros(0, np.int64)
        self._cells: NDArray[np.int64] = np.zeros(0, np.int64)

    def around(self, frame: int, x: float, y: float, radius_m: float) -> Rows:
        """Return every row within ``radius_m`` in that frame, and some a little farther away."""
        with self._lock:
            self._refresh()
            rows, cells, covered = self._rows, self._cells, self._covered
        tail = np.arange(covered, self._columns.count)
        left, right = (int(side) for side in _grid(np.array([x - radius_m, x + radius_m])))
        low, high = (int(side) for side in _grid(np.array([y - radius_m, y + radius_m])))
        if right - left > _MANY_CELLS:
            return np.concatenate([rows, tail])
        across = np.arange(left, right + 1)
        starts = np.searchsorted(cells, _code(frame, across, np.full_like(across, low)), "left")
        ends = np.searchsorted(cells, _code(frame, across, np.full_like(across, high)), "right")
        parts = [rows[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return np.concatenate([*parts, tail])

    def _refresh(self) -> None:
        columns = self._columns
        count = columns.count
        if columns.places_changed == self._version and count - self._covered <= max(
            _TAIL, self._covered // 8
        ):
            return
        self._version = columns.places_changed
        field = columns.field
        placed = np.flatnonzero(~np.isnan(field["x"][:count]))
        x, y = _grid(field["x"][placed]), _grid(field["y"][placed])  # type: ignore[arg-type]
        cells = _code(field["frame"][placed].astype(np.int64), x, y)
        order = np.argsort(cells, kind="stable")
        self._rows, self._cells, self._covered = placed[order], cells[order], count


def _grid(metres: NDArray[np.float64]) -> NDArray[np.int64]:
    """Cell numbers; everything beyond two thousand kilometres shares the outermost cell."""
    return np.clip(np.floor(metres / CELL_M), -_OFFSET, _OFFSET - 1).astype(np.int64) + _OFFSET


def _code(frame: NDArray[np.int64] | int, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
    code: NDArray[np.int64] = (np.asarray(frame, np.int64) * _SPAN + x) * _SPAN + y
    return code
