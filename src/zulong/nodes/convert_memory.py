"""Memories between the engine's records and their messages."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.memory.model import (
    Draft,
    Edge,
    EdgeType,
    Hit,
    Importance,
    Link,
    Node,
    NodeType,
    Place,
    Temperature,
    TimeScope,
)
from zulong.msg import MemoryEdge, MemoryHit, MemoryNode
from zulong.nodes.json_fields import InvalidFieldError, json_object
from zulong.nodes.stamps import from_time, to_time

LONGEST_TEXT = 100_000
LONGEST_NAME = 400
MOST_NAMES = 10_000
_TEMPERATURES = {
    Temperature.HOT: MemoryNode.TEMPERATURE_HOT,
    Temperature.WARM: MemoryNode.TEMPERATURE_WARM,
    Temperature.COLD: MemoryNode.TEMPERATURE_COLD,
}
_SCOPES = {TimeScope.RECENT: MemoryNode.SCOPE_RECENT, TimeScope.NON_RECENT: MemoryNode.SCOPE_NON_RECENT}


def node_type(number: int) -> NodeType:
    """Return the type for a TYPE_ constant of ``MemoryNode``, whose numbers are one above the engine's."""
    try:
        return NodeType[_names(MemoryNode, "TYPE_")[number]]
    except KeyError:
        raise InvalidFieldError(
            f"Memory type {number} is none of the TYPE_ constants of MemoryNode."
        ) from None


def edge_type(number: int) -> EdgeType:
    """Return the type for a TYPE_ constant of ``MemoryEdge``."""
    try:
        return EdgeType[_names(MemoryEdge, "TYPE_")[number]]
    except KeyError:
        raise InvalidFieldError(f"Edge type {number} is none of the TYPE_ constants of MemoryEdge.") from None


def to_node(node: Node, now_s: float) -> MemoryNode:
    """Return the message of a memory, with the tags that depend on the moment ``now_s``."""
    message = MemoryNode(
        id=node.id,
        type=getattr(MemoryNode, f"TYPE_{node.type.name}"),
        text=node.text,
        importance=getattr(MemoryNode, f"IMPORTANCE_{node.importance.name}"),
        temperature=_TEMPERATURES[node.temperature(now_s)],
        time_scope=_SCOPES[node.time_scope(now_s)],
        tags=list(node.tags),
        meta_json=dump(node.meta),
        stamp=to_time(node.stamp),
        valid_until=to_time(node.valid_to),
        last_access=to_time(node.last_access),
        access_count=min(node.access_count, 2**32 - 1),
        activation=float(node.activation),
        robot=node.robot,
        person=node.person,
        session=node.session,
        source_ids=list(node.source_ids),
    )
    if node.place is not None:
        message.has_place = True
        message.room = node.place.room
        message.place.header.frame_id = node.place.frame
        message.place.header.stamp = message.stamp
        message.place.pose.position.x = node.place.x
        message.place.pose.position.y = node.place.y
        message.place.pose.position.z = node.place.z
        message.place.pose.orientation.w = 1.0
    return message


def to_edge(edge: Edge) -> MemoryEdge:
    """Return the message of an edge."""
    return MemoryEdge(
        source_id=edge.src,
        target_id=edge.dst,
        type=getattr(MemoryEdge, f"TYPE_{edge.type.name}"),
        weight=float(edge.weight),
        stamp=to_time(edge.created_at),
        reinforced=to_time(edge.reinforced_at),
        meta_json=dump(edge.meta),
    )


def to_hit(hit: Hit, now_s: float) -> MemoryHit:
    """Return the message of one recalled memory with its reasons."""
    names = sorted(hit.scores)
    return MemoryHit(
        node=to_node(hit.node, now_s),
        score=float(hit.score),
        score_names=names,
        scores=[float(hit.scores[name]) for name in names],
        route=str(getattr(hit, "route", "")),
        path=list(hit.path),
        edges=[to_edge(edge) for edge in hit.edges],
    )


def from_node(message: MemoryNode, links: list[MemoryEdge], own_robot: str) -> Draft:
    """Read a request to remember.

    Raises:
        InvalidFieldError: a field is malformed; the message names it.
    """
    if not message.text.strip():
        raise InvalidFieldError("node.text is empty; a memory needs words.")
    check_text(message.text, "node.text")
    for field in ("room", "robot", "person", "session"):
        check_name(getattr(message, field), f"node.{field}")
    check_name(message.place.header.frame_id, "node.place.header.frame_id")
    for field in ("tags", "source_ids"):
        check_names(getattr(message, field), f"node.{field}")
    check_text(message.meta_json, "node.meta_json")
    importance = None
    if message.importance != MemoryNode.IMPORTANCE_UNSPECIFIED:
        names = _names(MemoryNode, "IMPORTANCE_")
        if message.importance not in names:
            raise InvalidFieldError(
                f"node.importance {message.importance} is none of the IMPORTANCE_ constants."
            )
        importance = Importance[names[message.importance]]
    unspecified = message.type == MemoryNode.TYPE_UNSPECIFIED
    return Draft(
        text=message.text,
        type=NodeType.EPISODE if unspecified else node_type(message.type),
        id=message.id or None,
        importance=importance,
        tags=tuple(message.tags),
        meta=json_object(message.meta_json, "node.meta_json"),
        stamp=from_time(message.stamp),
        place=_place(message),
        robot=message.robot or own_robot,
        person=message.person,
        session=message.session,
        source_ids=tuple(message.source_ids),
        links=tuple(_link(edge, message.id) for edge in links),
        valid_to=from_time(message.valid_until),
    )


def check_text(text: str, field: str) -> None:
    """Refuse a text that is longer than any that a person would write.

    Raises:
        InvalidFieldError: it has more than LONGEST_TEXT characters.
    """
    if len(text) > LONGEST_TEXT:
        raise InvalidFieldError(f"{field} has {len(text)} characters; at most {LONGEST_TEXT} are taken.")


def check_name(name: str, field: str) -> None:
    """Refuse what is too long for the name of a place, robot, person, session or tag, or for an id.

    Raises:
        InvalidFieldError: it has more than LONGEST_NAME bytes.
    """
    size = len(name.encode("utf-8", "replace"))
    if size > LONGEST_NAME:
        raise InvalidFieldError(f"{field} has {size} bytes; a name has at most {LONGEST_NAME}.")


def check_names(found: Sequence[str], field: str) -> None:
    """Refuse a list with too many names, or with one that is empty or too long.

    Raises:
        InvalidFieldError: see above; the field is named.
    """
    if len(found) > MOST_NAMES:
        raise InvalidFieldError(f"{field} holds {len(found)} entries; at most {MOST_NAMES} are taken.")
    for name in found:
        if not name:
            raise InvalidFieldError(f"{field} holds an empty entry.")
        check_name(name, field)


def point_place(frame: str, x: float, y: float, z: float, room: str = "", field: str = "place") -> Place:
    """Return a place after checking that it is one.

    Raises:
        InvalidFieldError: a coordinate is not finite.
    """
    if not all(map(math.isfinite, (x, y, z))):
        raise InvalidFieldError(f"{field} has a coordinate that is not a finite number.")
    return Place(x, y, z, frame or "map", room)


def dump(value: Mapping[str, Any]) -> str:
    """Write a JSON object, empty text for an empty one; what JSON has no form for is written as its words."""
    return json.dumps(dict(value), ensure_ascii=False, default=str) if value else ""


def _place(message: MemoryNode) -> Place | None:
    if not message.has_place:
        return None
    position = message.place.pose.position
    return point_place(
        message.place.header.frame_id, position.x, position.y, position.z, message.room, "node.place"
    )


def _link(edge: MemoryEdge, own_id: str) -> Link:
    kind = edge_type(edge.type)
    if not 0.0 <= edge.weight <= 1.0:
        raise InvalidFieldError(f"links: weight {edge.weight} is outside 0 to 1.")
    meta = json_object(edge.meta_json, "links.meta_json")
    source_is_new = edge.source_id in ("", own_id)
    target_is_new = edge.target_id in ("", own_id)
    if source_is_new == target_is_new:
        raise InvalidFieldError("links: exactly one end of a link must be the new memory (an empty id).")
    if source_is_new:
        return Link(edge.target_id, kind, edge.weight, meta)
    return Link(edge.source_id, kind, edge.weight, meta, incoming=True)


def _names(message: type, prefix: str) -> dict[int, str]:
    """Return constant value -> name without its prefix, leaving out UNSPECIFIED."""
    constants = {
        getattr(message, name): name[len(prefix) :]
        for name in dir(type(message)) + dir(message)
        if name.startswith(prefix) and not name.endswith("UNSPECIFIED")
    }
    return {value: name for value, name in constants.items() if isinstance(value, int)}
