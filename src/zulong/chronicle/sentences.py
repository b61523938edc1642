"""The chronicle's sentences. Each is kept in English and Chinese, so that either language finds it again."""

from __future__ import annotations

from collections.abc import Callable

Name = Callable[[str, str], str]
"""Takes an id of the map and a language (``en`` or ``zh``) and returns what it is called."""


class Sentences:
    """Words facts about things, people and places.

    Args:
        name: how the things of the map are called.
    """

    def __init__(self, name: Name) -> None:
        self.name = name

    def location(self, thing: str, placement: str, room: str, language: str) -> str:
        """Say where a thing is; ``placement`` or ``room`` may be empty, not both."""
        what = self.name(thing, language)
        where = [self.name(place, language) for place in (placement, room) if place]
        if language == "zh":
            spot = "的".join(reversed(where)) + ("上" if placement else "里")
            return f"{what}在{spot}。"
        spot = (
            f"on the {where[0]} in the {where[1]}"
            if len(where) == 2
            else f"{'on' if placement else 'in'} the {where[0]}"
        )
        return f"The {what} is {spot}."

    def held(self, thing: str, language: str) -> str:
        """Say that the robot carries a thing."""
        what = self.name(thing, language)
        return f"{what}在我的夹爪里。" if language == "zh" else f"I hold the {what} in my gripper."

    def handed(self, thing: str, person: str, language: str) -> str:
        """Say that a person has a thing."""
        what = self.name(thing, language)
        who = self._person(person, language)
        return f"{what}在{who}那里。" if language == "zh" else f"The {what} is with {who}."

    def person(self, person: str, room: str, posture: str, language: str) -> str:
        """Say where a person was seen."""
        who, where = self._person(person, language), self.name(room, language)
        if language == "zh":
            how = {"standing": "站", "sitting": "坐", "lying": "躺"}.get(posture, "")
            return f"{who}{how}在{where}里。"
        how = posture or "present"
        return f"{who} is {how} in the {where}."

    def both(self, sentence: Callable[[str], str]) -> str:
        """Return the English and the Chinese sentence as one text."""
        return f"{sentence('en')} {sentence('zh')}"

    def _person(self, person: str, language: str) -> str:
        if person in ("operator", ""):
            return "您" if language == "zh" else "the person who asked"
        return self.name(person, language)
