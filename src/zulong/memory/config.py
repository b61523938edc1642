"""Every number of the memory engine that an integrator may want to change, with the defaults of the design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from zulong.memory.model import Importance

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S

HALF_LIFE_S: dict[Importance, float] = {
    Importance.TRIVIAL: 6 * HOUR_S,
    Importance.NORMAL: 24 * HOUR_S,
    Importance.IDENTITY: 30 * DAY_S,
    Importance.FACT: 15 * DAY_S,
    Importance.IMPORTANT: 7 * DAY_S,
    Importance.MUST_REMEMBER: float("inf"),
}

ORPHAN_AFTER_S: dict[Importance, float] = {
    Importance.TRIVIAL: 6 * HOUR_S,
    Importance.NORMAL: 24 * HOUR_S,
    Importance.IDENTITY: 7 * DAY_S,
    Importance.FACT: 7 * DAY_S,
    Importance.IMPORTANT: 7 * DAY_S,
    Importance.MUST_REMEMBER: float("inf"),
}


@dataclass(slots=True, frozen=True)
class ForgettingConfig:
    """Times in seconds; weights between 0 and 1.

    A node that was reviewed is not asked about again for ``review_again_s``; events that nobody used for
    ``compress_after_s`` are compressed by the rules.
    """

    half_life_s: dict[Importance, float] = field(default_factory=lambda: dict(HALF_LIFE_S))
    orphan_after_s: dict[Importance, float] = field(default_factory=lambda: dict(ORPHAN_AFTER_S))
    prune_below: float = 0.05
    review_below: float = 0.15
    undo_for_s: float = 7 * DAY_S
    review_again_s: float = 7 * DAY_S
    compress_after_s: float = 30 * DAY_S


@dataclass(slots=True, frozen=True)
class ActivationConfig:
    """Spreading activation: decay a hop, hops, and the strength below which a path is not followed."""

    decay: float = 0.5
    depth: int = 3
    cut: float = 0.01


@dataclass(slots=True, frozen=True)
class HebbConfig:
    """Plasticity: learning rate, the co-activation count that makes an edge, its weight, and the two caps."""

    rate: float = 0.1
    create_at: int = 3
    initial_weight: float = 0.3
    max_out: int = 10
    max_pairs: int = 5000


@dataclass(slots=True, frozen=True)
class StorageConfig:
    """``map_size`` is the first size of the LMDB map in bytes; it grows by doubling up to ``max_map_size``."""

    commit_interval_s: float = 0.02
    map_size: int = 1 << 28
    max_map_size: int = 1 << 40
    change_log_commits: int = 100_000
    overlay_edges: int = 32_768


@dataclass(slots=True, frozen=True)
class MemoryConfig:
    """All settings of a :class:`~zulong.memory.graph.MemoryGraph`.

    ``retrieval`` and ``door`` hold what their packages read, by name.
    """

    activation: ActivationConfig = field(default_factory=ActivationConfig)
    hebb: HebbConfig = field(default_factory=HebbConfig)
    forgetting: ForgettingConfig = field(default_factory=ForgettingConfig)
    storage: StorageConfig = field(default_factory=StorageConfig)
    retrieval: dict[str, Any] = field(default_factory=dict)
    door: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any]) -> MemoryConfig:
        """Make a configuration from nested plain values, as a YAML file holds them; what is absent keeps its default.

        Times by importance (``half_life_s``, ``orphan_after_s``) are keyed by the level's name; ``.inf`` means never.

        Raises:
            ValueError: a name is unknown, or a value is not a number that can be; the message names it.
        """
        parts: dict[str, Any] = {}
        for name, value in settings.items():
            if name in ("retrieval", "door"):
                parts[name] = dict(value)
            elif name in _SECTIONS:
                parts[name] = _section(name, _SECTIONS[name], value)
            else:
                known = ", ".join([*_SECTIONS, "retrieval", "door"])
                raise ValueError(f"The memory has no settings {name!r}; there are {known}.")
        return cls(**parts)


_SECTIONS: dict[str, Any] = {
    "activation": ActivationConfig,
    "hebb": HebbConfig,
    "forgetting": ForgettingConfig,
    "storage": StorageConfig,
}


def _section(name: str, kind: Any, settings: Mapping[str, Any]) -> Any:
    default = kind()
    values: dict[str, Any] = {}
    known = {one.name for one in fields(kind)}
    for key, value in settings.items():
        if key not in known:
            raise ValueError(f"The memory has no setting {name}.{key}; there are {', '.join(sorted(known))}.")
        present = getattr(default, key)
        if isinstance(present, dict):
            values[key] = present | {
                _level(name, key, level): _number(f"{name}.{key}.{level}", time, float)
                for level, time in value.items()
            }
        else:
            values[key] = _number(f"{name}.{key}", value, type(present))
    return kind(**values)


def _level(name: str, key: str, level: Any) -> Importance:
    try:
        return Importance[str(level)]
    except KeyError:
        levels = ", ".join(one.name for one in Importance)
        raise ValueError(f"The setting {name}.{key} has no level {level!r}; there are {levels}.") from None


def _number(name: str, value: Any, kind: type[float] | type[int]) -> float | int:
    sound = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    if not sound or (kind is int and not isinstance(value, int)):
        raise ValueError(
            f"The memory's setting {name} must be a {kind.__name__} of at least 0, not {value!r}."
        )
    return kind(value)
