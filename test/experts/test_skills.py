"""Each skill on a good day and on the days that end in a typed error."""

from __future__ import annotations

import math

import pytest

from zulong.experts.skill import ErrorCode

pytestmark = pytest.mark.feature("RB-10")


def ok(outcome):
    assert outcome.code is ErrorCode.SUCCEEDED, outcome
    return outcome.result


def test_the_red_cup_is_found_picked_carried_and_put_down_in_the_kitchen(bench) -> None:
    ok(bench.do("go_to", place="desk"))
    found = ok(bench.do("look_for", what="red cup", where="office"))
    assert (found["id"], found["at"], found["room"]) == ("red_cup", "desk", "office")
    assert found["position"] == pytest.approx([10.0, 8.3, 0.8], abs=0.1)
    assert ok(bench.do("pick", object=found["id"], **{"from": found["at"]}))["object"] == "red_cup"
    ok(bench.do("go_to", place="kitchen"))
    placed = ok(bench.do("place", object="red_cup", at="kitchen"))
    assert placed["at"] == "kitchen_table"  # where dishes belong
    assert bench.sim.state("red cup")["at"] == "kitchen_table"
    assert bench.robot.bumps == 0


def test_a_thing_is_found_in_a_room_by_kind_and_colour(bench) -> None:
    bench.sim.move("robot", 9.0, 1.3)
    found = ok(bench.do("look_for", what={"category": "dish", "colour": "green"}, where="kitchen"))
    assert found["id"] == "green_cup" and found["at"] == "dishwasher"


def test_what_is_not_there_is_not_found_and_the_places_looked_at_are_told(bench) -> None:
    bench.sim.move("robot", 9.0, 1.3)
    outcome = bench.do("look_for", what="banana", where="kitchen table")
    assert outcome.code is ErrorCode.NOT_FOUND and "kitchen table" in outcome.message


def test_pick_needs_an_empty_hand_and_a_thing_that_exists(bench) -> None:
    bench.sim.move("robot", 10.0, 7.5, yaw=math.pi / 2)
    assert bench.do("pick", object="unicorn").code is ErrorCode.NOT_FOUND
    ok(bench.do("pick", object="red cup"))
    assert ok(bench.do("pick", object="red cup"))["object"] == "red_cup"  # it is in the hand
    outcome = bench.do("pick", object="apple")
    assert outcome.code is ErrorCode.PRECONDITION_FAILED and "red cup" in outcome.message


def test_place_and_hand_over_need_something_in_the_hand(bench) -> None:
    assert bench.do("place", at="desk").code is ErrorCode.PRECONDITION_FAILED
    assert bench.do("hand_over", to="me").code is ErrorCode.PRECONDITION_FAILED


def test_nothing_is_put_on_what_cannot_hold_it(bench) -> None:
    bench.sim.move("robot", 10.0, 7.5, yaw=math.pi / 2)
    ok(bench.do("pick", object="red cup"))
    outcome = bench.do("place", at="trashbin")
    assert outcome.code is ErrorCode.PRECONDITION_FAILED and "trashbin" in outcome.message
    assert bench.robot.held() == "red_cup"


def test_a_full_table_gets_the_cup_beside_the_other_things(bench) -> None:
    bench.sim.move("robot", 1.3, 8.15, yaw=math.pi)
    ok(bench.do("pick", object="coffee"))
    placed = ok(bench.do("place", at="bedside table"))
    x, y, _ = placed["position"]
    ball = bench.sim.state("tennis ball")["position"]
    assert math.dist((x, y), ball[:2]) > 0.07


def test_the_operator_gets_what_was_asked_for(bench) -> None:
    bench.sim.move("robot", 10.0, 7.5, yaw=math.pi / 2)
    ok(bench.do("pick", object="apple"))
    ok(bench.do("go_to", place="operator"))
    assert ok(bench.do("hand_over", object="apple", to="me"))["person"] == "operator"
    assert bench.sim.state("operator")["holds"] == "apple"


def test_hand_over_to_somebody_who_is_not_here_keeps_the_thing(bench) -> None:
    bench.sim.move("robot", 10.0, 7.5, yaw=math.pi / 2)
    ok(bench.do("pick", object="apple"))
    assert bench.do("hand_over", to="Simone").code is ErrorCode.NOT_FOUND
    assert bench.robot.held() == "apple"


def test_people_are_found_by_what_they_do_and_wear(bench) -> None:
    bench.sim.move("robot", 2.5, 6.7)
    assert ok(bench.do("look_for", what="lying person", where="bedroom"))["person"] == "simone"
    assert (
        ok(bench.do("look_for", what="person wearing a black t shirt", where="bedroom"))["person"]
        == "charlie"
    )
    assert (
        bench.do("look_for", what="person pointing to the left", where="bedroom").code is ErrorCode.NOT_FOUND
    )


def test_counting_counts_each_once(bench) -> None:
    bench.sim.move("robot", 11.0, 6.9)
    assert ok(bench.do("count", what="drinks", where="cabinet"))["count"] == 3
    assert ok(bench.do("count", what="toys", where="cabinet"))["count"] == 0
    assert ok(bench.do("count", what="persons", where="office"))["count"] == 2
    assert ok(bench.do("count", what="standing persons", where="office"))["count"] == 1


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("biggest food", "cereal"), ("heaviest food", "sugar"), ("lightest food", "chocolate jello"),
        ("smallest object", "chocolate jello"), ("thinnest food", "chocolate jello"),
    ],
)  # fmt: skip
def test_the_most_of_a_kind_is_named(bench, what: str, answer: str) -> None:
    bench.sim.move("robot", 10.9, 1.75)
    result = ok(bench.do("describe", what=what, where="pantry"))
    assert result["answer"] == answer and answer in result["text"]


def test_a_person_is_described(bench) -> None:
    bench.sim.move("robot", 9.6, 6.9)
    result = ok(bench.do("describe", what="Morgan", where="office"))
    assert (result["posture"], result["gesture"], result["clothes"]) == (
        "standing",
        "raising right arm",
        "gray coat",
    )
    assert ok(bench.do("describe", what="person", where="armchair", property="pose"))["answer"] == "sitting"


def test_a_room_is_described_by_what_is_in_it(bench) -> None:
    bench.sim.move("robot", 6.0, 7.0)
    result = ok(bench.do("describe", what="bathroom"))
    assert {"sponge", "knife", "paris", "jules"} <= {f["id"] for f in result["found"]}


def test_asking_brings_the_answer_of_who_was_asked(bench) -> None:
    bench.sim.move("robot", 8.3, 2.2)
    result = ok(bench.do("ask_person", question="What would you like?", person="Robin"))
    assert result["answer"] == "I would like a cola." and result["person"] == "robin"
    assert bench.robot.said == ["What would you like?"]


def test_nobody_answers_where_nobody_is(bench) -> None:
    bench.sim.move("robot", 11.0, 1.0)
    for name in ("angel", "robin"):
        bench.sim.remove(name)
    outcome = bench.do("ask_person", question="Hello?")
    assert outcome.code is ErrorCode.NO_ANSWER
    assert bench.robot.said == ["Hello?", "Hello?"]


def test_saying_needs_words(bench) -> None:
    assert ok(bench.do("say", text="你好")) == {"text": "你好"}
    assert bench.do("say", text=" ").code is ErrorCode.INVALID_ARGUMENTS
    assert bench.robot.said == ["你好"]


def test_a_person_is_followed_to_the_next_room(bench) -> None:
    result = ok(bench.do("follow", person="Jane", to="kitchen"))
    pose = bench.robot.pose()
    assert result["place"] == "kitchen" and bench.sim.state("jane")["room"] == "kitchen"
    assert math.dist(bench.sim.state("jane")["position"][:2], (pose.x, pose.y)) < 2.0
    assert bench.robot.bumps == 0


def test_a_person_is_guided_and_waited_for(bench) -> None:
    bench.sim.move("robot", 6.0, 7.0)
    result = ok(bench.do("guide", person="Paris", to="kitchen"))
    assert result["person"] == "paris" and bench.sim.state("paris")["room"] == "kitchen"
    assert bench.robot.bumps == 0


def test_who_does_not_come_along_is_lost_not_guided(bench) -> None:
    bench.sim.move("robot", 6.0, 7.0)
    paris = bench.sim.crowd.people["paris"]
    bench.robot.each_step = lambda: setattr(paris, "path", [])
    outcome = bench.do("guide", person="Paris", to="kitchen")
    assert outcome.code is ErrorCode.NOT_FOUND
    assert bench.at_rest()


def test_waiting_takes_its_time_and_can_be_cancelled(bench) -> None:
    begun = bench.sim.time_s
    ok(bench.do("wait", seconds=3))
    assert bench.sim.time_s - begun == pytest.approx(3.0, abs=0.1)
    bench.cancel_after(0.5)
    assert bench.do("wait", seconds=100).code is ErrorCode.CANCELED
    assert bench.sim.time_s - begun < 4.0


def test_a_description_chooses_among_several_by_size_side_and_neighbour(bench) -> None:
    bench.sim.move("robot", 10.9, 6.9)
    drink = {"kind": "object", "category": "drink"}
    assert (
        ok(bench.do("look_for", what={**drink, "superlative": "heaviest"}, where="cabinet"))["id"]
        == "red_wine"
    )
    assert ok(bench.do("look_for", what={**drink, "size": "small"}, where="cabinet"))["id"] == "iced_tea"
    relation = {**drink, "relation": "left_of", "to": {"kind": "object", "id": "iced_tea"}}
    assert ok(bench.do("look_for", what=relation, where="cabinet"))["id"] == "red_wine"
    relation["relation"] = "right_of"
    assert ok(bench.do("look_for", what=relation, where="cabinet"))["id"] == "tropical_juice"


def test_a_door_is_open_until_something_bars_it(bench) -> None:
    bench.sim.move("robot", 4.5, 2.25)
    assert ok(bench.do("describe", what={"kind": "object", "name": "door"}, where="here"))["state"] == "open"
    for i in range(3):
        bench.sim.move(f"box_{i + 1}", 6.0, 2.25 + 0.38 * (i - 1))
    assert ok(bench.do("describe", what="the door", where="living room"))["state"] == "closed"


def test_it_drives_home_to_the_dock(bench) -> None:
    assert ok(bench.do("go_to", place="dock"))["place"] == "dock"
    bench.sim.run(0.5)
    assert bench.sim.docked and bench.sim.battery.charging
