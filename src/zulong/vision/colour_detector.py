"""Second layer: things of one strong colour, found by hue. Needs no model; knows colours, not kinds."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# Hue in OpenCV's half degrees (0-179). Red wraps around; brown and beige are dark or pale orange and are left
# to a trained detector, as are the greys: furniture and walls would drown everything else.
_HUES: dict[str, tuple[tuple[int, int], ...]] = {
    "red": ((0, 8), (172, 179)),
    "orange": ((9, 19),),
    "yellow": ((20, 34),),
    "green": ((38, 85),),
    "blue": ((95, 130),),
    "purple": ((131, 155),),
    "pink": ((156, 171),),
}


@dataclass(slots=True, frozen=True)
class PixelBox:
    """One find: colour, box in pixels (left, top, width, height) and score 0..1 (how well it fills its box)."""

    colour: str
    x: int
    y: int
    width: int
    height: int
    score: float

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the box in pixels."""
        return self.x + self.width / 2.0, self.y + self.height / 2.0


class ColourDetector:
    """Finds connected regions of strong colour in an RGB picture.

    Args:
        min_saturation, min_value: 0-255; paler or darker pixels have no colour.
        min_area_px: smaller regions are noise.
        most: at most so many finds, largest first.
    """

    def __init__(
        self, min_saturation: int = 110, min_value: int = 60, min_area_px: int = 24, most: int = 40
    ) -> None:
        self._floor = (min_saturation, min_value)
        self._min_area_px = min_area_px
        self._most = most
        self._kernel = np.ones((3, 3), np.uint8)

    def find(self, rgb: NDArray[np.uint8]) -> list[PixelBox]:
        """Return the coloured regions, largest first.

        Raises:
            ValueError: the picture is not H x W x 3 bytes.
        """
        if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
            raise ValueError(
                f"ColourDetector needs an H x W x 3 picture of bytes, got {rgb.dtype} {rgb.shape}."
            )
        hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
        finds: list[PixelBox] = []
        for colour, ranges in _HUES.items():
            finds.extend(self._regions(hsv, colour, ranges))
        finds.sort(key=lambda box: -box.width * box.height)
        return finds[: self._most]

    def _regions(
        self, hsv: NDArray[np.uint8], colour: str, ranges: tuple[tuple[int, int], ...]
    ) -> list[PixelBox]:
        saturation, value = self._floor
        mask = np.zeros(hsv.shape[:2], np.uint8)
        for low, high in ranges:
            mask |= cv2.inRange(hsv, (low, saturation, value), (high, 255, 255))
        if not mask.any():
            return []
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, self._kernel)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        boxes = []
        for x, y, width, height, area in stats[1:count].tolist():
            if area >= self._min_area_px:
                boxes.append(PixelBox(colour, x, y, width, height, min(1.0, area / (width * height))))
        return boxes
