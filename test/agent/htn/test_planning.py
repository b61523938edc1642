"""The task networks: beliefs, preconditions, alternatives, compensation, other homes."""

from __future__ import annotations

import pytest

from zulong.agent.htn import (
    Domain,
    DomainError,
    MapWorld,
    OfflinePlanner,
    Plan,
    Question,
    Refusal,
    WorldError,
    WorldView,
)


def plan_of(planner: OfflinePlanner, text: str, world: MapWorld | None = None) -> Plan:
    """Return the plan for an instruction that must have one."""
    result = planner.plan(text, world=world)
    assert isinstance(result, Plan), result
    return result


def first_look(plan: Plan) -> object:
    """Return where the first look_for looks."""
    return next(leaf.arguments["where"] for leaf in plan.leaves() if leaf.skill == "look_for")


def test_the_map_view_is_a_world_view(world: MapWorld) -> None:
    assert isinstance(world, WorldView)


def test_the_truth_of_the_map_is_not_believed(world: MapWorld) -> None:
    assert world.location_of("red_cup") is None
    assert "at" not in world.objects["red_cup"]
    assert not {"posture", "gesture", "clothes", "room"} & set(world.people["jane"])


@pytest.mark.feature("FC-10")
def test_a_thing_is_looked_for_first_where_it_is_believed_to_be(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    assert first_look(plan_of(planner, "bring me the red cup")) == "kitchen_table"
    believed = world.believing({"red_cup": "desk"})
    assert first_look(plan_of(planner, "bring me the red cup", believed)) == "desk"


def test_what_the_user_says_beats_what_is_believed(planner: OfflinePlanner, world: MapWorld) -> None:
    believed = world.believing({"red_cup": "desk"})
    assert first_look(plan_of(planner, "bring me the red cup from the sofa", believed)) == "sofa"


def test_every_room_is_an_alternative_when_the_thing_is_not_at_its_place(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    plan = plan_of(planner, "bring me the red cup")
    find = next(step for step in plan.walk() if step.alternatives)
    looked = [
        leaf.arguments["where"]
        for way in find.alternatives
        for s in way
        for leaf in s.leaves()
        if leaf.skill == "look_for"
    ]
    assert set(looked) == set(world.rooms)


def test_a_room_that_is_not_to_be_entered_is_no_alternative(planner: OfflinePlanner) -> None:
    plan = plan_of(planner, "bring me the sponge without going into the bathroom")
    places = [
        leaf.arguments.get("place")
        for step in plan.walk()
        for way in [(step,), *step.alternatives]
        for s in way
        for leaf in s.leaves()
    ]
    assert "bathroom" not in places and "shelf" not in places


def test_what_lies_somewhere_in_a_room_is_approached_before_the_pick(planner: OfflinePlanner) -> None:
    plan = plan_of(planner, "find a lemon in the kitchen then take it and give it to me")
    skills = [leaf.skill for leaf in plan.leaves()]
    assert skills == ["go_to", "look_for", "go_to", "pick", "go_to", "hand_over"]
    assert plan.leaves()[2].arguments == {"place": f"${{{plan.leaves()[1].id}.at}}"}


def test_the_pick_and_the_place_say_how_they_are_undone(planner: OfflinePlanner) -> None:
    plan = plan_of(planner, "put the apple on the sofa")
    pick = next(leaf for leaf in plan.leaves() if leaf.skill == "pick")
    place = next(leaf for leaf in plan.leaves() if leaf.skill == "place")
    assert pick.compensation == {
        "skill": "place",
        "arguments": {"object": pick.arguments["object"], "at": pick.arguments["from"]},
    }
    assert place.compensation == {
        "skill": "pick",
        "arguments": {"object": place.arguments["object"], "from": "sofa"},
    }


def test_one_hand_carries_one_thing(planner: OfflinePlanner) -> None:
    result = planner.plan("pick up the apple and pick up the pear")
    assert isinstance(result, Refusal) and result.missing == "carry_two"


def test_a_thing_brought_to_a_room_is_put_on_furniture_that_holds_things(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    for room in world.rooms:
        plan = plan_of(planner, f"bring the red cup to the {world.rooms[room]['name']}")
        target = plan.leaves()[-1].arguments["at"]
        assert world.placements[target]["room"] == room and world.placements[target]["holds"]


def test_what_is_believed_at_the_place_said_settles_which_one_is_meant(
    planner: OfflinePlanner, world: MapWorld
) -> None:
    assert isinstance(planner.plan("bring me the cup on the desk"), Question)
    believed = world.believing({"green_cup": "desk"})
    plan = plan_of(planner, "bring me the cup on the desk", believed)
    assert plan.leaves()[1].arguments["what"]["id"] == "green_cup"


def test_the_title_and_the_summary_are_in_the_language_of_the_instruction(planner: OfflinePlanner) -> None:
    assert (
        plan_of(planner, "bring the red cup to the kitchen").summary
        == "I will bring the red cup to the kitchen table."
    )
    assert plan_of(planner, "把红色的杯子拿到厨房").summary == "我会把红色的杯子拿到餐桌。"
    assert all("$" not in step.title.replace("${", "") for step in plan_of(planner, "带简去出口").walk())


def test_the_same_instruction_gives_the_same_plan(planner: OfflinePlanner) -> None:
    text = "go to the kitchen, find an apple and bring it to Jane in the living room"
    assert planner.plan(text) == planner.plan(text)


OTHER_HOME = {
    "rooms": [{"id": "hall", "name": "hall"}, {"id": "garage", "name": "garage"}],
    "placements": [
        {"id": "workbench", "name": "workbench", "room": "garage", "kind": "furniture"},
        {"id": "console", "name": "console", "room": "hall", "kind": "furniture", "default_for": "tool"},
    ],
    "categories": [{"id": "tool", "singular": "tool", "plural": "tools"}],
    "objects": [
        {"id": "hammer", "name": "hammer", "category": "tool"},
        {"id": "yellow_box", "name": "yellow box", "category": "tool", "colour": "yellow"},
        {"id": "blue_box", "name": "blue box", "category": "tool", "colour": "blue"},
    ],
    "people": [{"id": "olga", "name": "Olga"}],
}


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("bring me the hammer", ["go_to console", "look_for hammer", "pick", "go_to operator", "hand_over"]),
        (
            "put the yellow box on the workbench",
            ["go_to console", "look_for yellow_box", "pick", "go_to workbench", "place"],
        ),
        ("guide Olga to the garage", ["go_to hall", "look_for olga", "guide"]),
        ("把锤子 hammer 拿到车库", None),
        (
            "把黄色的盒子拿给Olga",
            ["go_to console", "look_for yellow_box", "pick", "go_to hall", "look_for olga", "hand_over"],
        ),
        ("how many tools are on the workbench", ["go_to workbench", "count None", "go_to operator", "say"]),
        ("go to the kitchen", None),
    ],
)
def test_another_home_needs_no_change_of_code(text: str, leaves: list[str] | None) -> None:
    planner = OfflinePlanner(world=MapWorld.from_mapping(OTHER_HOME))
    result = planner.plan(text)
    if leaves is None:
        assert not isinstance(result, Plan)
        return
    assert isinstance(result, Plan), result
    said = []
    for leaf in result.leaves():
        what = leaf.arguments.get("what")
        named = what.get("id") if isinstance(what, dict) else leaf.arguments.get("place")
        said.append(
            f"{leaf.skill} {named}" if leaf.skill in ("go_to", "look_for", "count") else str(leaf.skill)
        )
    assert said == leaves


def test_a_map_without_a_section_is_refused_by_name() -> None:
    with pytest.raises(WorldError, match="placements"):
        MapWorld.from_mapping({"rooms": []})


def test_a_map_entry_without_a_name_is_refused_by_its_text() -> None:
    with pytest.raises(WorldError, match="name"):
        MapWorld.from_mapping({**OTHER_HOME, "rooms": [{"id": "hall"}]})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "skills"),
        ({"skills": {"fly": {}}, "tasks": {}, "identity": {}}, "arguments"),
        ({"skills": {}, "tasks": {"t": {"methods": [{"steps": [{"nope": {}}]}]}}, "identity": {}}, "nope"),
        ({"skills": {}, "tasks": {"t": {}}, "identity": {}}, "no methods"),
    ],
)
def test_a_broken_domain_file_is_refused_with_the_entry_named(data: dict[str, object], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Domain.from_mapping(data)


def test_a_method_of_the_file_changes_the_plan() -> None:
    domain = Domain.load()
    path = {"skills": {}, "tasks": {}, "identity": domain.identity}
    data = {
        **path,
        "skills": {"go_to": {"arguments": ["place"]}, "say": {"arguments": ["text"]}},
        "tasks": {
            "go": {"methods": [{"steps": [{"say": {"text": "On my way."}}, {"go_to": {"place": "$place"}}]}]}
        },
    }
    planner = OfflinePlanner(domain=Domain.from_mapping(data))
    plan = planner.plan("go to the kitchen")
    assert isinstance(plan, Plan)
    assert [leaf.skill for leaf in plan.leaves()] == ["say", "go_to"]


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize("text", ["go to the kitchen while saying hello", "一边去厨房一边说你好"])
def test_what_is_said_while_driving_does_not_wait_for_the_drive(planner: OfflinePlanner, text: str) -> None:
    plan = plan_of(planner, text)
    assert [leaf.skill for leaf in plan.leaves()] == ["go_to", "say"]
    assert all(not step.depends_on for step in plan.steps)


def test_what_follows_two_parallel_parts_waits_for_both(planner: OfflinePlanner) -> None:
    plan = plan_of(planner, "go to the kitchen while saying hello, then go to the desk")
    assert set(plan.steps[-1].depends_on) == {step.id for step in plan.steps[:-1]}


def test_two_drives_are_never_parallel(planner: OfflinePlanner) -> None:
    plan = plan_of(planner, "go to the kitchen while going to the office")
    assert plan.steps[1].depends_on == (plan.steps[0].id,)


def test_a_thing_is_also_looked_for_where_such_things_are_kept_in_other_rooms(
    planner: OfflinePlanner,
) -> None:
    result = planner.plan("bring me the milk")
    assert isinstance(result, Plan)
    looked = [leaf.arguments["where"] for leaf in result.leaves() if leaf.skill == "look_for"]
    ways = [way for step in result.walk() for way in step.alternatives]
    looked += [
        leaf.arguments["where"]
        for way in ways
        for step in way
        for leaf in step.leaves()
        if leaf.skill == "look_for"
    ]
    # Where the map says that drinks are kept, then where they are kept elsewhere, then room by room.
    assert looked[:3] == ["cabinet", "refrigerator", "kitchen"]
    assert sorted(looked[2:]) == sorted(planner.world.rooms)
