"""First layer: is this picture different enough to be worth a look?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_GRID = (64, 48)


class ChangeGate:
    """Compares a small grey version of each picture with the last one that was let through.

    Args:
        threshold: grey levels (0-255) from which a cell counts as changed; sensor noise stays below.
        share: share of changed cells that opens the gate.
        longest_s: opens after this time in any case, so that a static scene is confirmed now and then.
    """

    def __init__(self, threshold: float = 12.0, share: float = 0.002, longest_s: float = 1.0) -> None:
        self._threshold = threshold
        self._share = share
        self._longest_s = longest_s
        self._last: NDArray[np.float32] | None = None
        self._opened_s = -np.inf

    def look(self, rgb: NDArray[np.uint8], now_s: float) -> tuple[bool, float]:
        """Return whether the picture should be looked at, and the share of it that changed (0..1)."""
        small = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), _GRID, interpolation=cv2.INTER_AREA)
        grey = small.astype(np.float32)
        if self._last is None:
            change = 1.0
        else:
            change = float(np.mean(np.abs(grey - self._last) > self._threshold))
        opened = change >= self._share or now_s - self._opened_s >= self._longest_s
        if opened:
            self._last, self._opened_s = grey, now_s
        return opened, change
