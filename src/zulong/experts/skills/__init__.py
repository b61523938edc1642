"""The skills, one idea a module; :func:`all_skills` makes one of each for a home."""

from __future__ import annotations

from zulong.experts.skill import Skill
from zulong.experts.skills.carry import HandOver, Pick, Place
from zulong.experts.skills.lead import Follow, Guide
from zulong.experts.skills.move import GoTo, Wait
from zulong.experts.skills.observe import Count, Describe
from zulong.experts.skills.search import LookFor
from zulong.experts.skills.speech import AskPerson, Say
from zulong.experts.skills.toolbox import Toolbox


def all_skills(tools: Toolbox) -> list[Skill]:
    """Return one of each skill, sharing the map and the navigator of ``tools``."""
    return [
        GoTo(tools),
        LookFor(tools),
        Pick(tools),
        Place(tools),
        HandOver(tools),
        Say(tools),
        AskPerson(tools),
        Follow(tools),
        Guide(tools),
        Count(tools),
        Describe(tools),
        Wait(),
    ]
