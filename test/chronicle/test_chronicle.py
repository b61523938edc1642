from __future__ import annotations

from pathlib import Path

import pytest

from zulong.agent.htn.world import MapWorld
from zulong.agent.language.lexicon import Lexicon, Vocabulary
from zulong.apartment import load_apartment
from zulong.chronicle import Deeds, Done, Seen, Sentences, Sightings, Whereabouts, location_of, newest
from zulong.chronicle.location import location_meta
from zulong.memory import MemoryGraph
from zulong.memory.model import NodeType


@pytest.fixture(scope="module")
def sentences() -> Sentences:
    return Sentences(Vocabulary(Lexicon.load(), MapWorld.load()).name)


@pytest.fixture(scope="module")
def home():
    return load_apartment()


def cup(stamp: float, x: float = 10.4, y: float = 8.5, z: float = 0.8, **attributes: str) -> Seen:
    return Seen("red_cup", False, x, y, z, stamp, attributes)


@pytest.mark.feature("MG-14")
def test_a_thing_is_remembered_once_where_it_lies_and_again_when_it_moved(home, sentences) -> None:
    watch = Sightings(home, sentences)
    assert watch.saw(cup(1.0)) is None, "one sighting may be a mistake"
    first = watch.saw(cup(1.2))
    assert first is not None
    assert first.text.startswith("The red cup is on the desk in the office.")
    assert "红色的杯子在办公室的" in first.text
    assert first.place is not None
    assert first.place.room == "office"
    assert [watch.saw(cup(t)) for t in (2.0, 3.0)] == [None, None]
    watch.saw(cup(4.0, 9.7, 2.5))
    second = watch.saw(cup(4.2, 9.7, 2.5))
    assert second is not None
    assert second.meta["value"] == "kitchen_table"


def test_one_false_detection_elsewhere_changes_nothing(home, sentences) -> None:
    watch = Sightings(home, sentences)
    watch.saw(cup(1.0)), watch.saw(cup(1.2))
    assert watch.saw(cup(2.0, 1.1, 6.9, 0.55)) is None
    assert watch.saw(cup(2.2)) is None
    assert watch.saw(cup(2.4, 1.1, 6.9, 0.55)) is None


def test_the_same_fact_is_offered_again_after_a_while_and_outside_the_home_never(home, sentences) -> None:
    watch = Sightings(home, sentences, repeat_s=10.0)
    watch.saw(cup(1.0)), watch.saw(cup(1.2))
    assert watch.saw(cup(12.0)) is not None
    assert watch.saw(Seen("red_cup", False, -50.0, 0.0, 0.0, 13.0)) is None
    assert watch.saw(Seen("red_cup", False, -50.0, 0.0, 0.0, 13.2)) is None


def test_a_person_is_news_when_the_posture_changes(home, sentences) -> None:
    watch = Sightings(home, sentences)
    for stamp, posture in ((1.0, "standing"), (1.2, "standing"), (2.0, "sitting")):
        got = watch.saw(Seen("adel", True, 3.0, 2.0, 1.2, stamp, {"posture": posture}))
        assert (got is not None) is (stamp == 1.2)
    got = watch.saw(Seen("adel", True, 3.0, 2.0, 1.2, 2.2, {"posture": "sitting"}))
    assert got is not None
    assert got.type is NodeType.EPISODE
    assert got.person == "adel"
    assert "sitting in the living room" in got.text


def done(skill: str, **result: object) -> Done:
    return Done("thread", f"n_{skill}", f"Do {skill}", skill, True, 5.0, {}, result)


@pytest.mark.feature("MG-15")
def test_whereabouts_follow_the_cup_through_an_errand_and_a_restart(home, sentences, tmp_path: Path) -> None:
    deeds = Deeds(home, sentences)
    watch = Sightings(home, sentences)
    with MemoryGraph.open(tmp_path / "memory") as memory:
        where = Whereabouts(memory, sentences, patience_s=60.0)
        assert where.answer(["red_cup"], "en")[0].startswith("I do not remember")
        watch.saw(cup(1.0))
        seen = watch.saw(cup(1.2))
        assert seen is not None
        memory.remember_many([seen])
        assert where.answer(["red_cup"], "en")[0] == "The red cup is on the desk in the office."
        memory.remember_many(deeds.skill(done("pick", object="red_cup", position=[10.4, 8.5, 0.8])))
        assert where.answer(["red_cup"], "en")[0] == "I hold the red cup in my gripper."
        memory.remember_many(
            deeds.skill(
                done("place", object="red_cup", at="kitchen_table", room="kitchen", position=[9.7, 2.5, 0.8])
            )
        )
    with MemoryGraph.open(tmp_path / "memory") as memory:
        where = Whereabouts(memory, sentences, patience_s=60.0)
        text, hits = where.answer(["red_cup"], "zh")
        assert text.startswith("红色的杯子在厨房的")
        assert len(hits) == 1
        assert hits[0].node.source_ids == ("deed:thread:n_place",)
        assert where.hit("blue_cup") is None


def test_a_failed_deed_is_remembered_with_its_reason_and_makes_no_fact(home, sentences) -> None:
    deeds = Deeds(home, sentences)
    drafts = deeds.skill(Done("t", "n", "Pick the cup", "pick", False, 1.0, error="the gripper slipped"))
    assert len(drafts) == 1
    assert "the gripper slipped" in drafts[0].text
    assert "failed" in drafts[0].tags


def test_what_was_only_told_is_quoted_and_questions_are_not(sentences, tmp_path: Path) -> None:
    with MemoryGraph.open(tmp_path / "memory") as memory:
        where = Whereabouts(memory, sentences, patience_s=60.0)
        memory.remember("Where is the red cup?", NodeType.DIALOGUE)
        assert where.answer(["red_cup"], "en")[0].startswith("I do not remember")
        memory.remember("Grandma put the red cup into the cellar.", NodeType.KNOWLEDGE)
        assert where.answer(["red_cup"], "en")[0] == "I was told: Grandma put the red cup into the cellar."
        assert "Grandma" in where.answer(["red_cup"], "zh")[0]


def test_the_newest_fact_about_each_thing_holds_whatever_order_they_come_in() -> None:
    facts = [
        (location_of(location_meta("cup", "desk"), 5.0, 1), "a"),
        (location_of(location_meta("cup", "shelf"), 5.0, 2), "b"),
        (location_of(location_meta("cup", "sink"), 4.0, 9), "c"),
        (location_of(location_meta("ball", "bed"), 1.0), "d"),
        (location_of({"attribute": "colour", "subject": "cup", "value": "red"}, 9.0), "e"),
        (location_of({"attribute": "location"}, 9.0), "f"),
    ]
    for order in (facts, facts[::-1]):
        assert {thing: (fact.value, source) for thing, (fact, source) in newest(order).items()} == {
            "cup": ("shelf", "b"),
            "ball": ("bed", "d"),
        }
