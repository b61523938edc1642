"""Third layer: the same thing keeps its id from picture to picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from zulong.vision.colour_detector import PixelBox


@dataclass(slots=True)
class Track:
    """A thing followed over pictures; ``missed`` counts pictures since it was last found."""

    id: str
    box: PixelBox
    age: int = 1
    missed: int = 0

    @property
    def confirmed(self) -> bool:
        """Seen often enough not to be a flicker."""
        return self.age >= 2


class Tracker:
    """Assigns finds to tracks of the same colour by overlap and nearness (Hungarian method).

    Args:
        most_missed: a track ends after so many pictures without a find.
        reach: centre distance, in box sizes, beyond which a find is another thing.
    """

    def __init__(self, most_missed: int = 5, reach: float = 2.0) -> None:
        self._most_missed = most_missed
        self._reach = reach
        self._next = 1
        self.tracks: list[Track] = []

    def update(self, finds: Sequence[PixelBox]) -> tuple[list[Track], list[Track]]:
        """Take the finds of one picture. Returns the tracks that began and those that ended."""
        pairs = self._assign(finds)
        for track_index, find_index in pairs:
            track = self.tracks[track_index]
            track.box, track.missed = finds[find_index], 0
            track.age += 1
        matched = {t for t, _ in pairs}
        taken = {f for _, f in pairs}
        for index, track in enumerate(self.tracks):
            if index not in matched:
                track.missed += 1
        ended = [t for t in self.tracks if t.missed > self._most_missed]
        self.tracks = [t for t in self.tracks if t.missed <= self._most_missed]
        begun = [self._begin(find) for index, find in enumerate(finds) if index not in taken]
        return begun, ended

    def _begin(self, find: PixelBox) -> Track:
        track = Track(f"{find.colour}-{self._next}", find)
        self._next += 1
        self.tracks.append(track)
        return track

    def _assign(self, finds: Sequence[PixelBox]) -> list[tuple[int, int]]:
        if not finds or not self.tracks:
            return []
        far = 1e6
        cost = np.full((len(self.tracks), len(finds)), far)
        for row, track in enumerate(self.tracks):
            size = max(8.0, track.box.width, track.box.height)
            cx, cy = track.box.centre
            for column, find in enumerate(finds):
                if find.colour != track.box.colour:
                    continue
                fx, fy = find.centre
                distance = float(np.hypot(fx - cx, fy - cy)) / size
                if distance <= self._reach * (1 + track.missed):
                    cost[row, column] = distance
        rows, columns = linear_sum_assignment(cost)
        return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if cost[r, c] < far]
