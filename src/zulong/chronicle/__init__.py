"""What was seen, said and done, worded for memory; and plain answers to where-questions out of it. No ROS in here."""

from zulong.chronicle.deeds import Deeds, Done
from zulong.chronicle.location import Location, location_of, newest
from zulong.chronicle.sentences import Sentences
from zulong.chronicle.sightings import Seen, Sightings
from zulong.chronicle.whereabouts import Whereabouts

__all__ = [
    "Deeds",
    "Done",
    "Location",
    "Seen",
    "Sentences",
    "Sightings",
    "Whereabouts",
    "location_of",
    "newest",
]
