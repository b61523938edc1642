"""What a memory is made of: node and edge types, the three tags, and the records that go in and come out.

Numeric values of the enumerations are stored on disk. They are never renumbered; new members go to the end.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class NodeType(enum.IntEnum):
    """The kind of thing that a node remembers."""

    TASK = 0
    DIALOGUE = 1
    KNOWLEDGE = 2
    EXPERIENCE = 3
    EPISODE = 4
    FILE = 5
    CONCEPT = 6
    PERSON = 7
    DOCUMENT = 8
    CODE_SYMBOL = 9
    MODULE = 10
    TOOL_CALL = 11
    TOOL_RESULT = 12
    APPROVAL = 13


class EdgeType(enum.IntEnum):
    """How one node relates to another; edges of several types may join the same pair."""

    HIERARCHY = 0
    DEPENDENCY = 1
    TEMPORAL = 2
    REFERENCE = 3
    SEMANTIC = 4
    CAUSAL = 5
    ASSOCIATION = 6
    DERIVED_FROM = 7
    APPLIES_TO = 8
    SIMILAR_TO = 9
    CORRECTS = 10
    DEPENDS_ON = 11
    CONTRADICTS = 12
    FAILED_THEN_SUCCEEDED = 13

    @property
    def structural(self) -> bool:
        """True for the types that forgetting never removes."""
        return self in STRUCTURAL_EDGES


STRUCTURAL_EDGES = frozenset({EdgeType.HIERARCHY, EdgeType.DEPENDENCY, EdgeType.TEMPORAL})


class Importance(enum.IntEnum):
    """How much a node matters, least first; it sets the half-life of the edges that touch the node."""

    TRIVIAL = 0
    NORMAL = 1
    IDENTITY = 2
    FACT = 3
    IMPORTANT = 4
    MUST_REMEMBER = 5


class Temperature(enum.Enum):
    """How long ago a node was touched: under 1 h, under 24 h, longer. Computed, never stored."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class TimeScope(enum.Enum):
    """Whether a node was touched inside the window of the running conversation (30 minutes)."""

    RECENT = "recent"
    NON_RECENT = "non_recent"


class ReviewVerdict(enum.Enum):
    """What a review decides about one candidate."""

    KEEP = "keep"
    DISCARD = "discard"
    COMPRESS = "compress"
    PROMOTE = "promote"
    MERGE = "merge"


# How review marks what it made and what it left; keys and tags of nodes, stored on disk.
SUMMARY_TAG = "summary"
"""Tag of the nodes that COMPRESS makes."""
SUMMARY_OF = "summary_of"
"""Key in a summary's meta: the ids of what it was made from; of a summary of summaries, those still there."""
COMPRESSED_INTO = "compressed_into"
"""Key in the meta of a stub: the id of the summary or twin that holds its content, empty after DISCARD."""

_STUB_CHARS = 48


def stub_text(text: str) -> str:
    """Return what a stub keeps of its text: the first words."""
    return text if len(text) <= _STUB_CHARS else text[: _STUB_CHARS - 1] + "…"


HOT_WITHIN_S = 3600.0
WARM_WITHIN_S = 24 * 3600.0
RECENT_WITHIN_S = 30 * 60.0


def temperature_at(last_access: float, now: float) -> Temperature:
    """Return the temperature of a node last touched at ``last_access`` (both in seconds since the epoch)."""
    age_s = now - last_access
    if age_s < HOT_WITHIN_S:
        return Temperature.HOT
    return Temperature.WARM if age_s < WARM_WITHIN_S else Temperature.COLD


def time_scope_at(last_access: float, now: float) -> TimeScope:
    """Return whether ``last_access`` lies in the 30 minutes before ``now``."""
    return TimeScope.RECENT if now - last_access < RECENT_WITHIN_S else TimeScope.NON_RECENT


@dataclass(slots=True, frozen=True)
class Place:
    """Where something was: a point in metres in ``frame``, and the room it belongs to if known."""

    x: float
    y: float
    z: float = 0.0
    frame: str = "map"
    room: str = ""

    def distance_m(self, other: Place) -> float:
        """Return the straight distance in metres; infinite between different frames."""
        if self.frame != other.frame:
            return math.inf
        return math.dist((self.x, self.y, self.z), (other.x, other.y, other.z))


@dataclass(slots=True, frozen=True)
class Node:
    """One memory.

    ``id`` is the public name, ``uid`` the store's own number for it: both stay the same for ever and are
    never reused. Times are seconds since the epoch on the memory's clock: ``stamp`` when it happened,
    ``created_at`` when it was stored, ``last_access`` when it was last reinforced. The node was true from
    ``valid_from`` until ``valid_to`` (infinite while it still is).
    """

    id: str
    uid: int
    type: NodeType
    text: str
    importance: Importance
    stamp: float
    created_at: float
    last_access: float
    access_count: int = 0
    activation: float = 0.0
    tags: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    place: Place | None = None
    robot: str = ""
    person: str = ""
    session: str = ""
    source_ids: tuple[str, ...] = ()
    valid_from: float = -math.inf
    valid_to: float = math.inf

    def temperature(self, now: float) -> Temperature:
        """Return HOT, WARM or COLD at the moment ``now``."""
        return temperature_at(self.last_access, now)

    def time_scope(self, now: float) -> TimeScope:
        """Return RECENT or NON_RECENT at the moment ``now``."""
        return time_scope_at(self.last_access, now)

    @property
    def stub(self) -> bool:
        """True for what review left in its place for the sake of structure: read by id, in no search index."""
        return COMPRESSED_INTO in self.meta


@dataclass(slots=True, frozen=True)
class Edge:
    """A directed, typed, weighted relation between two nodes (public ids).

    ``weight`` is what is left at the moment of reading; ``base_weight`` is what it was when it was last
    reinforced at ``reinforced_at``. Structural edges do not fade: for them both are equal.
    """

    src: str
    dst: str
    type: EdgeType
    weight: float
    base_weight: float
    reinforced_at: float
    created_at: float
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Link:
    """An edge to be made together with a node that is being remembered; ``dst`` is a public id.

    With ``incoming`` the edge runs from ``dst`` to the new node.
    """

    dst: str
    type: EdgeType
    weight: float = 0.5
    meta: Mapping[str, Any] = field(default_factory=dict)
    incoming: bool = False


@dataclass(slots=True, frozen=True)
class Draft:
    """Something offered to the memory, before the door has looked at it. ``None`` means: decide by rule."""

    text: str
    type: NodeType = NodeType.EPISODE
    id: str | None = None
    importance: Importance | None = None
    tags: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    stamp: float | None = None
    place: Place | None = None
    robot: str = ""
    person: str = ""
    session: str = ""
    source_ids: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    valid_from: float | None = None
    valid_to: float | None = None


@dataclass(slots=True, frozen=True)
class RememberResult:
    """The answer to one offer: ``verdict`` is ``added``, ``strengthened`` (it was known) or ``refused``."""

    id: str
    verdict: str
    reason: str = ""


@dataclass(slots=True, frozen=True)
class RecallQuery:
    """One question to the memory; every filter left at its default lets everything through."""

    text: str
    k: int = 10
    types: frozenset[NodeType] | None = None
    since: float | None = None
    until: float | None = None
    near: Place | None = None
    radius_m: float | None = None
    person: str | None = None
    robot: str | None = None
    session: str | None = None
    focus: tuple[str, ...] = ()
    as_of: float | None = None
    hot_deadline_s: float = 0.05
    cold_deadline_s: float = 0.2


@dataclass(slots=True, frozen=True)
class Hit:
    """One recalled node with what brought it: each partial score, the path of ids, the edges walked."""

    id: str
    node: Node
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()


@dataclass(slots=True, frozen=True)
class RecallResult:
    """Hits, best first; ``late`` names the recall paths that missed their deadline and were left out."""

    hits: list[Hit]
    late: list[str] = field(default_factory=list)
    elapsed_s: float = 0.0
