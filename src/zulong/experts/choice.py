"""Which of several that fit is meant: by size, mass, side, or how it stands to another thing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zulong.apartment import Apartment, ObjectSpec, Pose2D
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, SkillError

_ALIASES = {"big": "biggest", "small": "smallest", "left": "leftmost", "right": "rightmost"}
_BESIDE_M = 0.08
_DENSITY_KG_M3 = 500.0


def size_of(home: Apartment, s: Seen) -> tuple[float, float, float]:
    """Return length, width and height in metres: of a known thing from the home, else as the detector says."""
    spec = home.find(s.id) or home.find(s.label)
    if isinstance(spec, ObjectSpec):
        return spec.size
    given = s.attributes.get("size_m") or (0.1, 0.1, 0.1)
    return float(given[0]), float(given[1]), float(given[2])


class Choice:
    """Ranks what was seen, from where the robot stands. Sizes and masses of known things come from the home.

    Args:
        home: its vocabulary.
        pose: of the robot.
    """

    def __init__(self, home: Apartment, pose: Pose2D) -> None:
        self._home = home
        self._pose = pose
        self._ranks: dict[str, Callable[[Seen], float]] = {
            "biggest": lambda s: -math.prod(size_of(home, s)),
            "largest": lambda s: -math.prod(size_of(home, s)),
            "smallest": lambda s: math.prod(size_of(home, s)),
            "heaviest": lambda s: -self._mass(s),
            "lightest": self._mass,
            "thinnest": lambda s: min(size_of(home, s)),
            "leftmost": lambda s: -self._bearing(s),
            "rightmost": self._bearing,
        }

    @staticmethod
    def word_of(what: Any) -> str:
        """Return the word of a description that chooses among several (``biggest``, ``left``, ...), or empty."""
        if not isinstance(what, Mapping):
            return ""
        word = str(what.get("superlative") or what.get("side") or what.get("size") or "").lower()
        return _ALIASES.get(word, word)

    def most(self, items: Sequence[Seen], word: str) -> Seen:
        """Return the biggest (leftmost, ...) of some things.

        Raises:
            SkillError: INVALID_ARGUMENTS for a word that is no comparison.
        """
        rank = self._ranks.get(_ALIASES.get(word, word))
        if rank is None:
            known = ", ".join(self._ranks)
            raise SkillError(ErrorCode.INVALID_ARGUMENTS, f"I cannot compare by {word!r}; I can by {known}.")
        return min(items, key=rank)

    def nearest(self, items: Sequence[Seen]) -> Seen:
        """Return what is nearest to the robot."""
        return min(items, key=lambda s: math.dist(s.position[:2], (self._pose.x, self._pose.y)))

    def related(self, items: Sequence[Seen], relation: str, others: Sequence[Seen]) -> list[Seen]:
        """Return those items that stand in a relation (``behind``, ``left_of``, ...) to one of the others.

        Seen from the robot: behind is further away, left is to its left. ``above`` and ``on_top_of`` are heights.
        """
        return [i for i in items if any(o is not i and self._stands(i, relation, o) for o in others)]

    def _stands(self, item: Seen, relation: str, other: Seen) -> bool:
        aside = math.remainder(self._bearing(item) - self._bearing(other), math.tau) * self._distance(other)
        further = self._distance(item) - self._distance(other)
        higher = item.position[2] - other.position[2]
        near = math.dist(item.position[:2], other.position[:2]) < 0.15
        return {
            "left_of": aside > _BESIDE_M,
            "right_of": aside < -_BESIDE_M,
            "behind": further > _BESIDE_M,
            "in_front_of": further < -_BESIDE_M,
            "above": higher > _BESIDE_M,
            "below": higher < -_BESIDE_M,
            "on_top_of": near and higher > 0.02,
        }.get(relation, False)

    def _mass(self, s: Seen) -> float:
        spec = self._home.find(s.id) or self._home.find(s.label)
        return (
            spec.mass_kg
            if isinstance(spec, ObjectSpec)
            else math.prod(size_of(self._home, s)) * _DENSITY_KG_M3
        )

    def _bearing(self, s: Seen) -> float:
        to = math.atan2(s.position[1] - self._pose.y, s.position[0] - self._pose.x)
        return math.remainder(to - self._pose.yaw, math.tau)

    def _distance(self, s: Seen) -> float:
        return math.dist(s.position[:2], (self._pose.x, self._pose.y))
