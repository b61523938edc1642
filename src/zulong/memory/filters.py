"""Which nodes a query lets through, decided on columns without one object a node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zulong.memory.columns import Columns
from zulong.memory.model import Place, RecallQuery
from zulong.memory.symbols import Symbols

Mask = NDArray[np.bool_]
Rows = NDArray[np.int32] | NDArray[np.int64] | slice


def passing(columns: Columns, symbols: Symbols, rows: Rows, query: RecallQuery, now: float) -> Mask:
    """Return which of the rows are alive and pass every filter of ``query``.

    Without ``as_of`` what has been superseded (``valid_to`` in the past) does not pass; with it, what was
    true at that moment does.
    """
    field = columns.field
    mask: Mask = columns.alive[rows].copy()
    if query.types is not None:
        allowed = np.zeros(256, np.bool_)
        allowed[[int(type) for type in query.types]] = True
        mask &= allowed[columns.type[rows]]
    if query.since is not None:
        mask &= columns.stamp[rows] >= query.since
    if query.until is not None:
        mask &= columns.stamp[rows] < query.until
    valid_at = now if query.as_of is None else query.as_of
    mask &= field["valid_to"][rows] > valid_at  # type: ignore[operator]
    if query.as_of is not None:
        mask &= field["valid_from"][rows] <= query.as_of  # type: ignore[operator]
    for name, wanted in (("person", query.person), ("robot", query.robot), ("session", query.session)):
        if wanted is not None:
            number = symbols.number(wanted)
            mask &= field[name][rows] == (-1 if number is None else number)
    if query.near is not None and query.radius_m is not None:
        mask &= near(columns, symbols, rows, query.near, query.radius_m)
    return mask


def near(columns: Columns, symbols: Symbols, rows: Rows, centre: Place, radius_m: float) -> Mask:
    """Return which rows have a place within ``radius_m`` of ``centre``, in the same frame."""
    field = columns.field
    frame = symbols.number(centre.frame)
    with np.errstate(invalid="ignore"):
        squared = (
            (field["x"][rows] - centre.x) ** 2  # type: ignore[operator]
            + (field["y"][rows] - centre.y) ** 2  # type: ignore[operator]
            + (field["z"][rows] - centre.z) ** 2  # type: ignore[operator]
        )
        inside: Mask = (squared <= radius_m**2) & (field["frame"][rows] == (-1 if frame is None else frame))
    return inside
