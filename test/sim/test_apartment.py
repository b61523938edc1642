"""The home as data: the vocabulary of the GPSR arena, and descriptions that contradict themselves."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
import yaml

from zulong.apartment import Apartment, ApartmentError, load_apartment, parse_apartment
from zulong.apartment_walls import wall_segments
from zulong.experts.navigation.approach import at_place, near_point
from zulong.experts.navigation.astar import find_path
from zulong.experts.navigation.grid import ClearanceGrid
from zulong.resources import config_path

ROOMS = {"bedroom", "kitchen", "office", "living room", "bathroom"}
PLACES = {
    "bed", "bedside table", "shelf", "trashbin", "dishwasher", "potted plant", "kitchen table", "chairs", "pantry",
    "refrigerator", "sink", "cabinet", "coatrack", "desk", "armchair", "desk lamp", "waste basket", "tv stand",
    "storage rack", "lamp", "side tables", "sofa", "bookshelf", "entrance", "exit",
}  # fmt: skip
PEOPLE = {"Adel", "Angel", "Axel", "Charlie", "Jane", "Jules", "Morgan", "Paris", "Robin", "Simone"}


@pytest.fixture
def raw() -> dict[str, Any]:
    return yaml.safe_load(config_path("apartment.yaml").read_text(encoding="utf-8"))


@pytest.mark.feature("RB-16")
def test_the_home_has_the_names_of_the_gpsr_arena(home: Apartment) -> None:
    assert {r.name for r in home.rooms} == ROOMS
    assert {p.name for p in home.placements} == PLACES
    assert {p.name for p in home.people} == PEOPLE
    assert {"drinks", "cleaning supplies", "dishes", "fruits", "toys"} <= {c.plural for c in home.categories}
    assert {"red cup", "blue cup", "green cup"} <= {o.name for o in home.objects}
    red_cup = home.find("red cup")
    assert home.placement(red_cup.at).room != "kitchen"


def test_names_are_found_in_any_spelling_of_id_or_name(home: Apartment) -> None:
    for name in ("kitchen table", "Kitchen Table", "kitchen_table", " kitchen-table "):
        assert home.placement(name).id == "kitchen_table"
    assert home.find("cleaning supplies") is home.find("cleaning_supply")
    assert home.find("helicopter") is None


def test_every_person_rests_where_the_file_says(home: Apartment) -> None:
    assert home.find("Simone").on == "bed"
    assert {p.id for p in home.people if p.posture == "lying"} == {"simone"}


def test_objects_stand_on_their_furniture_without_overlap(home: Apartment) -> None:
    spots: dict[str, list[tuple[float, float, float]]] = {}
    for o in home.objects:
        place = home.placement(o.at)
        assert all(abs(o.offset[i]) + o.size[i] / 2 <= place.size[i] / 2 + 1e-9 for i in (0, 1)), o.id
        for x, y, radius in spots.setdefault(o.at, []):
            assert math.dist((x, y), o.offset) > 0.5 * (radius + min(o.size[:2])) - 1e-9, o.id
        spots[o.at].append((*o.offset, min(o.size[:2])))


def test_every_place_and_every_object_can_be_reached_from_the_start(home: Apartment) -> None:
    grid = ClearanceGrid.of(home)
    start = home.robot_start
    for place in (*home.rooms, *home.placements):
        goal = at_place(home, place)(grid, start)
        assert goal is not None, place.id
        assert find_path(grid, (start.x, start.y), (goal.x, goal.y)) is not None, place.id
    for o in home.objects:
        place = home.placement(o.at)
        x, y = place.pose.x + o.offset[0], place.pose.y + o.offset[1]
        goal = near_point(x, y, 0.88, home.room(place.room))(grid, start)
        assert goal is not None and math.dist((goal.x, goal.y), (x, y)) < 0.9, o.id
        assert find_path(grid, (start.x, start.y), (goal.x, goal.y)) is not None, o.id


def test_walls_are_the_rooms_borders_without_the_doors(home: Apartment) -> None:
    borders = 9.0 * 2 + 12.0 * 3 + 4.5 * 3
    total = sum(math.dist(w[:2], w[2:]) for w in wall_segments(home))
    assert total == pytest.approx(borders - sum(d.width_m for d in home.doors))


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("placements", 0, "room"), "cellar", "unknown room"),
        (("objects", 0, "category"), "weapon", "unknown category"),
        (("objects", 0, "at"), "lamp", "holds nothing"),
        (("objects", 0, "shape"), "torus", "unknown shape"),
        (("objects", 1, "name"), "red cup", "given twice"),
        (("people", 0, "posture"), "floating", "unknown posture"),
        (("people", 0, "pose"), [1.0, float("nan"), 0.0], "finite"),
        (("rooms", 0, "rect"), [0, 0, 1], "4 finite numbers"),
        (("doors", 0, "between"), ["kitchen", "cellar"], "unknown room"),
    ],
)
def test_a_contradiction_is_refused_with_a_sentence(
    raw: dict[str, Any], path: tuple[Any, ...], value: Any, sentence: str
) -> None:
    broken = copy.deepcopy(raw)
    target = broken
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(ApartmentError, match=sentence):
        parse_apartment(broken, "broken.yaml")


def test_a_file_that_is_no_mapping_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "home.yaml"
    file.write_text("- just\n- a list\n")
    with pytest.raises(ApartmentError, match=r"home\.yaml"):
        load_apartment(file)
