"""Physics, contacts and sensors against what geometry and arithmetic say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from zulong.apartment import Apartment
from zulong.sim.mjcf import PERSON_RADIUS_M
from zulong.sim.simulator import Simulator, SimulatorConfig, UnknownEntityError, UnknownPlaceError

pytestmark = pytest.mark.feature("RB-16")


def story(home: Apartment, seed: int) -> list[float]:
    """A drive with everything that draws random numbers; the trace of all of it."""
    sim = Simulator(home, SimulatorConfig(seed=seed))
    trace: list[float] = []
    for i in range(20):
        sim.drive(0.4, 0.5 * math.sin(i))
        sim.run(0.2)
        pose, imu = sim.odometry.pose, sim.imu()
        trace += [
            *map(float, sim.scan()[::45]),
            pose.x,
            pose.y,
            pose.yaw,
            imu.linear_acceleration[0],
            sim.gas_ppm(),
        ]
        trace += [v for s in sim.sightings() for v in (s.score, *s.position)]
    return trace


def test_one_seed_tells_one_story_and_another_seed_another(home: Apartment) -> None:
    first, again, other = story(home, 1), story(home, 1), story(home, 2)
    assert first == again
    assert first != other


def test_the_base_drives_as_commanded_and_respects_its_limits(sim: Simulator) -> None:
    sim.move("robot", 3.0, 2.3)
    sim.drive(0.4, 0.0)
    sim.run(2.0)
    pose = sim.world.robot_pose
    # One ramp of 0.4 / 1.5 s from rest costs half its time of way.
    assert pose.x - 3.0 == pytest.approx(0.4 * (2.0 - 0.4 / 1.5 / 2), abs=0.03)
    assert abs(pose.y - 2.3) < 0.005
    sim.drive(50.0, 50.0)
    sim.run(1.0)
    linear, _, angular = sim.world.robot_velocity
    assert linear <= sim.shape.max_linear_mps + 0.02 and angular <= sim.shape.max_angular_rps + 0.05


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_velocity_that_is_no_number_is_refused_and_the_old_one_holds(sim: Simulator, bad: float) -> None:
    sim.drive(0.3, 0.0)
    with pytest.raises(ValueError, match="finite"):
        sim.drive(bad, 0.0)
    sim.run(1.0)
    assert sim.world.robot_velocity[0] == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(
    ("x", "y", "yaw", "wall"),
    [(5.0, 1.0, 0.0, 5.95), (3.0, 7.0, 0.0, 4.45), (11.0, 3.2, 0.0, 11.95)],
)
def test_driving_into_a_wall_ends_in_contact_there_and_presses_the_bumper(
    sim: Simulator, x: float, y: float, yaw: float, wall: float
) -> None:
    sim.move("robot", x, y, yaw=yaw)
    assert not sim.bumped
    sim.drive(0.5, 0.0)
    sim.run(5.0)
    assert sim.world.robot_pose.x == pytest.approx(wall - sim.shape.radius_m, abs=0.02)
    assert sim.bumped
    assert any(name.startswith("wall:") for name in sim.world.touching())
    sim.drive(-0.3, 0.0)
    sim.run(1.0)
    assert not sim.bumped and not sim.world.touching()


def test_people_and_furniture_are_solid_too(sim: Simulator) -> None:
    sim.move("robot", 2.0, 2.0, yaw=0.0)
    sim.step_in_front(distance_m=0.6)
    sim.drive(0.5, 0.0)
    sim.run(3.0)
    assert "passer_by" in sim.world.touching()
    sim.remove("passer_by")
    sim.move("robot", 9.7, 1.4, yaw=math.pi / 2)
    sim.drive(0.5, 0.0)
    sim.run(3.0)
    assert "furniture:kitchen_table" in sim.world.touching()
    assert sim.world.robot_pose.y == pytest.approx(2.1 - sim.shape.radius_m, abs=0.02)


def test_the_laser_measures_walls_furniture_and_people_where_they_are(sim: Simulator) -> None:
    sim.move("robot", 8.0, 1.6, yaw=0.0)
    sim.move("morgan", 8.0, 2.6)
    ranges = sim.scan()
    angle = sim.laser.angle_min_rad + sim.laser.angle_increment_rad * np.arange(len(ranges))

    def toward(bearing: float) -> float:
        return float(ranges[int(np.argmin(np.abs(angle - bearing)))])

    assert toward(0.0) == pytest.approx(11.70 - 0.225 - 8.0, abs=0.04)  # the pantry's front
    assert toward(math.pi / 2) == pytest.approx(1.0 - PERSON_RADIUS_M, abs=0.04)
    assert toward(-math.pi / 2) == pytest.approx(1.6 - 0.68, abs=0.04)  # the sink's front
    sim.move("robot", 8.0, 1.6, yaw=math.pi / 2)
    assert sim.scan()[180] == pytest.approx(1.0 - PERSON_RADIUS_M, abs=0.04)


def test_nothing_in_range_reads_infinity(home: Apartment) -> None:
    sim = Simulator(home, SimulatorConfig(walk_routes=False))
    sim.laser.range_max_m = 1.0
    sim.move("robot", 3.0, 2.3)
    ranges = sim.scan()
    assert np.isinf(ranges).sum() > 200
    assert np.all(ranges[np.isfinite(ranges)] <= 1.0)


def test_odometry_drifts_like_wheels_and_starts_at_its_own_origin(sim: Simulator) -> None:
    start = sim.world.robot_pose
    sim.drive(0.5, 0.2)
    sim.run(8.0)
    true, odom = sim.world.robot_pose, sim.odometry.pose
    way = math.dist((start.x, start.y), (true.x, true.y))
    error = math.dist((odom.x, odom.y), (true.x - start.x, true.y - start.y))
    assert 0.001 < error < 0.1 * way


def test_the_imu_feels_gravity_turning_and_a_lean(sim: Simulator) -> None:
    still = np.mean([sim.imu().linear_acceleration for _ in range(50)], axis=0)
    assert still == pytest.approx([0.0, 0.0, 9.81], abs=0.05)
    sim.drive(0.0, 1.0)
    sim.run(1.0)
    assert sim.imu().angular_velocity[2] == pytest.approx(1.0, abs=0.05)
    sim.drive(0.0, 0.0)
    sim.run(1.0)
    sim.imu_unit.tilt_rad = 0.5
    sample = sim.imu()
    assert abs(sample.linear_acceleration[0]) == pytest.approx(9.81 * math.sin(0.5), abs=0.1)
    x, y, z, w = sample.orientation
    assert 1 - 2 * (x * x + y * y) == pytest.approx(math.cos(0.5), abs=1e-6)
    assert x * x + y * y + z * z + w * w == pytest.approx(1.0)


def test_a_leak_smells_at_its_source_less_far_away_and_not_after_it_ended(sim: Simulator) -> None:
    calm = sim.gas_ppm()
    sim.leak(800.0)
    sim.run(2.0)
    here = sim.gas_ppm()
    sim.move("robot", 11.0, 8.0)
    there = sim.gas_ppm()
    assert calm < 10 < 700 < here
    assert there < 10
    sim.leak(0.0)
    sim.move("robot", 3.0, 2.3)
    assert sim.gas_ppm() < 10


def test_the_battery_empties_faster_while_driving_and_loads_at_the_dock(sim: Simulator) -> None:
    before = sim.battery.charge
    sim.run(10.0)
    idle = before - sim.battery.charge
    before = sim.battery.charge
    sim.drive(0.3, 0.0)
    sim.run(6.0)
    driving = (before - sim.battery.charge) / 0.6
    assert driving > idle > 0
    dock = sim.home.robot_dock
    sim.move("robot", dock.x, dock.y, yaw=dock.yaw)
    before = sim.battery.charge
    sim.run(10.0)
    assert sim.docked and sim.battery.charging and sim.battery.charge > before


def test_a_silenced_sensor_speaks_again_when_its_time_is_over(sim: Simulator) -> None:
    sim.set_fault("scan", 0.5)
    assert not sim.alive("scan") and sim.alive("imu")
    sim.run(0.6)
    assert sim.alive("scan")
    sim.set_fault("scan", 0.0)
    sim.run(5.0)
    assert not sim.alive("scan")
    sim.set_fault("scan", -1.0)
    assert sim.alive("scan")
    with pytest.raises(UnknownEntityError, match="scan, camera"):
        sim.set_fault("nose", 1.0)


def test_what_steps_in_front_stands_on_the_driven_way(sim: Simulator) -> None:
    sim.move("robot", 2.0, 2.0, yaw=0.3)
    sim.drive(0.5, 0.0)
    sim.run(1.0)
    pose = sim.world.robot_pose
    state = sim.step_in_front(distance_m=0.8)
    ahead = sim.shape.radius_m + 0.8
    assert state["position"][0] == pytest.approx(pose.x + ahead * math.cos(pose.yaw), abs=1e-6)
    assert state["position"][1] == pytest.approx(pose.y + ahead * math.sin(pose.yaw), abs=1e-6)
    assert sim.scan()[180] == pytest.approx(ahead - PERSON_RADIUS_M, abs=0.05)


def test_unknown_things_and_places_are_named_in_the_error(sim: Simulator) -> None:
    with pytest.raises(UnknownEntityError, match="unicorn"):
        sim.move("unicorn", 0, 0)
    with pytest.raises(UnknownPlaceError, match="Jane"):
        sim.walk("jane", "moon")
    with pytest.raises(UnknownEntityError, match="not a person"):
        sim.walk("red cup", "kitchen")


def test_reset_brings_everything_back_while_time_goes_on(sim: Simulator) -> None:
    start = {e: sim.state(e)["position"] for e in ("robot", "red_cup", "simone", "jane")}
    sim.move("robot", 9.0, 1.5)
    sim.move("red cup", 9.0, 2.5)
    sim.move("simone", 8.0, 2.0)
    sim.step_in_front()
    sim.run(1.0)
    sim.reset()
    assert {e: sim.state(e)["position"] for e in start} == start
    assert sim.state("simone")["posture"] == "lying"
    assert not sim.state("passer_by")["present"]
    assert sim.time_s > 0.9
