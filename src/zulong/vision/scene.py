"""Fourth layer: what the picture means, as facts and one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from zulong.vision.tracker import Track


@dataclass(slots=True, frozen=True)
class Scene:
    """Facts ("red-1 left_of blue-2"), and a sentence in English for people."""

    relations: tuple[str, ...]
    sentence: str


def describe(tracks: Sequence[Track], most_relations: int = 12) -> Scene:
    """Return what stands where, from left to right, for the confirmed tracks in view."""
    seen = sorted((t for t in tracks if t.confirmed and t.missed == 0), key=lambda t: t.box.centre[0])
    relations = []
    for left, right in pairwise(seen):
        if left.box.x + left.box.width <= right.box.x:
            relations.append(f"{left.id} left_of {right.id}")
        elif left.box.y + left.box.height <= right.box.y:
            relations.append(f"{left.id} above {right.id}")
        elif right.box.y + right.box.height <= left.box.y:
            relations.append(f"{right.id} above {left.id}")
        else:
            relations.append(f"{left.id} overlaps {right.id}")
    counts = Counter(t.box.colour for t in seen)
    if not counts:
        return Scene((), "Nothing colourful in view.")
    parts = [f"{n} {colour} thing{'s' if n > 1 else ''}" for colour, n in counts.most_common()]
    listed = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return Scene(tuple(relations[:most_relations]), f"In view: {listed}.")
