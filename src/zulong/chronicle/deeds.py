"""From the course of a task to memories: what was done, with what result, and where things are because of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.apartment import Apartment
from zulong.chronicle.location import location_meta
from zulong.chronicle.sentences import Sentences
from zulong.memory.model import Draft, Importance, NodeType, Place


@dataclass(slots=True, frozen=True)
class Done:
    """One skill that ended: its arguments, its result (or the sentence of its failure) and its thread."""

    thread_id: str
    node_id: str
    title: str
    skill: str
    succeeded: bool
    stamp: float
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


class Deeds:
    """Words deeds for memory. The same deed gives the same ids, so telling it twice stores it once."""

    def __init__(self, home: Apartment, sentences: Sentences, robot: str = "") -> None:
        self._home = home
        self._sentences = sentences
        self._robot = robot

    def skill(self, done: Done) -> list[Draft]:
        """Return the memories of one finished skill: the deed, and the fact that it made true, if any."""
        outcome = "done" if done.succeeded else f"failed: {done.error}"
        drafts = [
            Draft(
                text=f"{done.title} ({done.skill}): {outcome}",
                type=NodeType.TASK,
                id=f"deed:{done.thread_id}:{done.node_id}",
                tags=("deed", f"skill:{done.skill}", "done" if done.succeeded else "failed"),
                meta={"arguments": dict(done.arguments), "result": dict(done.result), "error": done.error},
                stamp=done.stamp,
                place=self._place(done),
                robot=self._robot,
                session=done.thread_id,
            )
        ]
        fact = self._fact(done) if done.succeeded else None
        return [*drafts, fact] if fact is not None else drafts

    def said(self, speaker: str, text: str, stamp: float, session: str = "") -> Draft:
        """Return the memory of something said; ``speaker`` is a person's id, or ``robot``."""
        return Draft(
            text=text,
            type=NodeType.DIALOGUE,
            tags=("said", f"speaker:{speaker}"),
            meta={"speaker": speaker},
            stamp=stamp,
            robot=self._robot,
            person="" if speaker == "robot" else speaker,
            session=session,
        )

    def _fact(self, done: Done) -> Draft | None:
        words, thing = self._sentences, str(done.result.get("object", ""))
        if not thing:
            return None
        if done.skill == "pick":
            return self._location(done, thing, "gripper", words.both(lambda lang: words.held(thing, lang)))
        if done.skill == "hand_over":
            person = str(done.result.get("person", ""))
            text = words.both(lambda lang: words.handed(thing, person, lang))
            return self._location(done, thing, f"person:{person}", text)
        if done.skill == "place":
            placement, room = self._where(done)
            if placement or room:
                text = words.both(lambda lang: words.location(thing, placement, room, lang))
                return self._location(done, thing, placement or room, text)
        return None

    def _location(self, done: Done, thing: str, value: str, text: str) -> Draft:
        return Draft(
            text=text,
            type=NodeType.KNOWLEDGE,
            importance=Importance.FACT,
            tags=("location", f"object:{thing}", f"place:{value}"),
            meta=location_meta(thing, value),
            stamp=done.stamp,
            place=self._place(done),
            robot=self._robot,
            session=done.thread_id,
            source_ids=(f"deed:{done.thread_id}:{done.node_id}",),
        )

    def _where(self, done: Done) -> tuple[str, str]:
        found = self._home.find(str(done.result.get("at") or done.result.get("place") or ""))
        room = getattr(found, "room", None)
        if found is None:
            return "", str(done.result.get("room", ""))
        return (found.id, room) if isinstance(room, str) else ("", found.id)

    def _place(self, done: Done) -> Place | None:
        position = done.result.get("position")
        if not isinstance(position, (list, tuple)) or len(position) < 2:
            return None
        x, y, *rest = (float(v) for v in position)
        room = self._home.room_at(x, y)
        return Place(x, y, rest[0] if rest else 0.0, "map", room.id if room is not None else "")
