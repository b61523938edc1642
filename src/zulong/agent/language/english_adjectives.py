"""Words around an English noun that say little of it, words for kin and containers, and pronouns."""

from __future__ import annotations

ADVERBS = frozenset(
    (
        "again", "aloud", "already", "also", "around", "closely", "currently", "directly", "each", "even", "ever",
        "exactly", "fast", "forward", "here", "immediately", "kindly", "loudly", "much", "neatly", "now", "personally",
        "please", "politely", "promptly", "quick", "quietly", "really", "right", "round", "slowly", "so", "still",
        "there", "together", "too", "very", "well", "whole", "somewhere", "anywhere", "everywhere", "only", "hello",
        "over", "up", "down", "first", "away", "such", "straightaway", "yet",
    )
)  # fmt: skip
"""Words that say how, where about or how much, and change nothing of what is to be done."""
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
        "tin",
        "tins",
        "bag",
        "tub",
        "sachet",
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
SPENT = frozenset(("empty", "dirty", "used", "old"))
"""What a thing is that goes to the sink or the bin; where there is only one of it, it tells nothing apart."""
CLEARED_TO = frozenset(("sink", "dishwasher", "trashbin", "waste basket"))
PERSON_PRONOUNS = {"him", "her", "them", "me", "you", "they", "he", "she", "us", "we", "i", "everyone", "everybody",
                    "myself", "this guy"}  # fmt: skip
THERE = {
    "there",
    "over there",
    "the room",
    "that room",
    "this room",
    "the same place",
    "that place",
    "the same room",
}
BACK = {"back", "back here", "here", "over here", "right here", "to here", "this place", "my place", "where i am",
         "my location"}  # fmt: skip
START = {
    "where you are", "starting point", "the start", "start position", "your starting point",
    "the starting point", "where you started", "your charging station", "the charging station",
    "your charger", "the charger", "the dock", "your charging dock", "the charging dock",
    "your base", "your dock", "home", "dock", "base", "charging station",
}  # fmt: skip
