"""Words around an English noun that say little of it, and words that name kin and containers."""

from __future__ import annotations

CONTAINERS = frozenset(
    (
        "can",
        "carton",
        "bottle",
        "box",
        "jar",
        "packet",
        "pack",
        "bar",
        "tube",
        "cans",
        "cartons",
        "bottles",
        "package",
    )
)
SPACES = frozenset(
    ("room", "area", "corner", "hall", "hallway", "closet", "garage", "balcony", "terrace", "garden")
)
TITLES = frozenset(
    ("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "doctor", "uncle", "aunt", "auntie", "madam")
)
KIN = TITLES | frozenset(
    (
        "mother", "father", "mom", "mum", "dad", "mommy", "daddy", "grandma", "grandpa", "grandmother",
        "grandfather", "granny", "sister", "brother", "wife", "husband", "son", "daughter", "uncle", "aunt",
        "boss", "neighbor", "neighbour", "roommate", "flatmate", "colleague", "teacher", "nurse", "doctor",
        "boyfriend", "girlfriend", "cousin", "nephew", "niece", "friend", "friends", "guest", "guests", "visitor",
        "parents", "kids", "children", "dog", "cat", "assistant", "partner", "family", "team", "twin",
    )
)  # fmt: skip
ADJECTIVES = ("colour", "superlative", "size", "posture", "gesture")
IGNORED_ADJECTIVES = frozenset(
    (
        "other", "same", "nearest", "closest", "next", "certain", "specific", "particular",
        "following", "nice", "entire", "whole", "available", "correct", "right", "exact", "remaining",
        "single", "only", "main",
    )
)  # fmt: skip


PITYING = frozenset(("poor", "dear", "old", "little", "lovely", "young"))
TELLING_ADJECTIVES = frozenset(
    (
        "old", "new", "empty", "full", "clean", "dirty", "broken", "hot", "cold", "warm", "fresh", "ripe", "open",
        "opened", "closed", "half", "first", "second", "third", "last", "young", "tall", "short", "other", "wet",
        "dry", "used", "favorite", "favourite", "wooden", "plastic", "metal", "round", "square", "heavy", "light",
    )
)  # fmt: skip
