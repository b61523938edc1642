"""Grid, planner, follower, and the navigator against a world that moves."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.apartment import Apartment, Pose2D
from zulong.experts.navigation.astar import Footing, find_path, path_length
from zulong.experts.navigation.grid import ClearanceGrid
from zulong.experts.navigation.pursuit import DriveLimits, PathFollower
from zulong.experts.skill import ErrorCode

BOX = ClearanceGrid((0.0, 0.0, 10.0, 6.0), [(5.0, 2.0, 0.2, 4.0, 0.0)], 0.1)


def test_clearance_is_the_distance_to_the_nearest_box() -> None:
    assert BOX.clearance_at(3.05, 1.05) == pytest.approx(4.9 - 3.05, abs=1e-6)
    assert BOX.clearance_at(5.05, 4.55) == pytest.approx(0.55, abs=1e-6)
    assert BOX.clearance_at(5.05, 2.05) == 0.0


def test_points_take_clearance_away_and_give_it_back() -> None:
    grid = ClearanceGrid((0.0, 0.0, 4.0, 4.0), [], 0.1)
    before = grid.clearance_at(2.0, 2.0)
    grid.set_points(np.array([[2.3, 2.05], [99.0, 99.0]]))
    assert grid.clearance_at(2.05, 2.05) == pytest.approx(0.25, abs=1e-6)
    grid.set_points(np.empty((0, 2)))
    assert grid.clearance_at(2.0, 2.0) == before


@settings(max_examples=40, deadline=None)
@given(
    start=st.tuples(st.floats(0.5, 9.5), st.floats(0.5, 5.5)),
    goal=st.tuples(st.floats(0.5, 9.5), st.floats(0.5, 5.5)),
)
def test_a_path_keeps_its_distance_and_is_never_shorter_than_the_straight_line(
    start: tuple[float, float], goal: tuple[float, float]
) -> None:
    footing = Footing()
    if min(BOX.clearance_at(*start), BOX.clearance_at(*goal)) < footing.hard_m:
        return
    path = find_path(BOX, start, goal, footing)
    assert path is not None and path[0] == start and path[-1] == goal
    assert path_length(path) >= math.dist(start, goal) - 1e-9
    for a, b in itertools.pairwise(path):
        for t in np.linspace(0, 1, 20):
            x, y = a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
            assert BOX.clearance_at(x, y) >= footing.hard_m - BOX.resolution_m


def test_no_way_through_a_closed_wall_and_out_of_a_tight_corner_there_is() -> None:
    closed = ClearanceGrid((0.0, 0.0, 10.0, 6.0), [(5.0, 3.0, 0.2, 6.0, 0.0)], 0.1)
    assert find_path(closed, (2.0, 3.0), (8.0, 3.0)) is None
    assert find_path(BOX, (4.65, 1.0), (2.0, 1.0)) is not None  # starts nearer to the wall than allowed
    assert find_path(BOX, (2.0, 1.0), (4.65, 1.0)) is None  # and may not end there


@pytest.mark.parametrize("start", [(0.0, 0.0, 0.0), (0.0, 0.5, 2.0), (0.0, -0.4, -3.0)])
def test_the_follower_reaches_the_end_of_its_path(start: tuple[float, float, float]) -> None:
    follower = PathFollower([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (4.0, 2.5)], DriveLimits())
    x, y, yaw, speed, way = *start, 0.0, 0.0
    for _ in range(1200):
        speed, turn = follower.velocity(Pose2D(x, y, yaw), speed, 1.0)
        assert 0.0 <= speed <= 0.6 and abs(turn) <= 1.4 + 1e-9
        x, y, yaw = x + speed * math.cos(yaw) * 0.05, y + speed * math.sin(yaw) * 0.05, yaw + turn * 0.05
        way += speed * 0.05
        if math.dist((x, y), (4.0, 2.5)) < 0.06:
            break
    assert math.dist((x, y), (4.0, 2.5)) < 0.06
    assert way < 1.35 * path_length(follower.points) + 0.6


def test_it_drives_to_every_room_without_touching_anything(bench) -> None:
    for place in ("kitchen", "office", "bathroom", "bedroom", "living room"):
        outcome = bench.do("go_to", place=place)
        assert outcome.code is ErrorCode.SUCCEEDED, outcome
        assert outcome.result["room"] == bench.tools.home.room(place).id
        assert bench.at_rest()
    assert bench.robot.bumps == 0


def test_it_faces_the_furniture_that_it_went_to(bench, home: Apartment) -> None:
    outcome = bench.do("go_to", place="bookshelf")
    pose, shelf = bench.robot.pose(), home.placement("bookshelf").pose
    bearing = math.atan2(shelf.y - pose.y, shelf.x - pose.x)
    assert outcome.code is ErrorCode.SUCCEEDED
    assert abs(math.remainder(pose.yaw - bearing, math.tau)) < 0.2


def test_it_drives_around_who_stands_in_the_way(bench) -> None:
    bench.sim.move("robot", 1.0, 2.3, yaw=0.0)
    bench.sim.move("jane", 3.0, 2.3)
    outcome = bench.do("go_to", place="kitchen")
    assert outcome.code is ErrorCode.SUCCEEDED and bench.robot.bumps == 0


@pytest.mark.feature("RB-02")
def test_somebody_steps_in_front_of_the_moving_base_and_the_goal_is_still_reached(bench) -> None:
    stepped = []

    def step() -> None:
        if not stepped and bench.sim.world.robot_velocity[0] > 0.45:
            stepped.append(bench.sim.step_in_front(distance_m=0.9))

    bench.robot.each_step = step
    outcome = bench.do("go_to", place="kitchen")
    assert stepped and outcome.code is ErrorCode.SUCCEEDED
    assert bench.robot.bumps == 0


def close_door(bench, x: float, y: float) -> None:
    for i in range(3):
        bench.sim.move(f"box_{i + 1}", x, y + 0.38 * (i - 1))


def test_a_closed_door_makes_it_take_the_other_way(bench) -> None:
    close_door(bench, 6.0, 2.25)
    outcome = bench.do("go_to", place="kitchen")
    assert outcome.code is ErrorCode.SUCCEEDED and bench.robot.bumps == 0


def test_shut_in_it_waits_says_so_and_gives_up_in_words(bench) -> None:
    close_door(bench, 6.0, 2.25)
    for i, (x, y) in enumerate([(1.5, 4.5), (5.25, 4.5)]):
        name = ["box_4", "passer_by"][i]
        bench.sim.move(name, x, y)
    bench.sim.move("jane", 1.1, 4.5)
    bench.sim.move("adel", 4.85, 4.5)
    outcome = bench.do("go_to", place="office")
    assert outcome.code is ErrorCode.BLOCKED
    assert "office" in outcome.message
    assert any("waiting" in message for _, message in bench.reports)
    assert bench.at_rest()


def test_an_unknown_place_is_named_with_those_there_are(bench) -> None:
    outcome = bench.do("go_to", place="cellar")
    assert outcome.code is ErrorCode.NOT_FOUND
    assert "cellar" in outcome.message and "kitchen table" in outcome.message


def test_a_place_that_the_map_gives_no_way_to_is_unreachable_at_once(bench, home: Apartment) -> None:
    sealed = ClearanceGrid(
        home.bounds,
        [
            *map(tuple, bench.tools.navigator.grid._rectangles),
            (8.2, 4.5, 1.2, 0.3, 0),
            (7.5, 7.5, 0.3, 1.2, 0),
        ],
    )
    bench.tools.navigator.grid = sealed
    begun = bench.sim.time_s
    outcome = bench.do("go_to", place="office")
    assert outcome.code is ErrorCode.UNREACHABLE
    assert bench.sim.time_s - begun < 1.0


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.2, 1.0, 3.0])
def test_a_cancel_at_any_moment_ends_at_rest_within_the_brakes_way(bench, after_s: float) -> None:
    bench.cancel_after(after_s)
    begun = bench.sim.time_s
    outcome = bench.do("go_to", place="kitchen")
    assert outcome.code is ErrorCode.CANCELED
    assert bench.at_rest()
    assert bench.sim.time_s - begun < after_s + 1.0


def test_progress_never_falls(bench) -> None:
    bench.do("go_to", place="kitchen")
    values = [progress for progress, _ in bench.reports]
    assert values == sorted(values) and values[-1] == 1.0 and len(values) > 10


def test_a_time_limit_ends_it_at_rest(bench) -> None:
    outcome = bench.do("go_to", limit_s=2.0, place="kitchen")
    assert outcome.code is ErrorCode.TIMEOUT and bench.at_rest()
