from __future__ import annotations

import math

import pytest

pytest.importorskip("sensor_msgs.msg", reason="needs ROS 2", exc_type=ImportError)

from geometry_msgs.msg import Quaternion
from sensor_msgs.msg import Imu

from zulong.nodes.measured import up_component


def imu(x: float, y: float, z: float, w: float, covariance: float = 0.0) -> Imu:
    message = Imu(orientation=Quaternion(x=x, y=y, z=z, w=w))
    message.orientation_covariance[0] = covariance
    return message


@pytest.mark.feature("RB-03")
@pytest.mark.parametrize(
    ("orientation", "up"),
    [
        ((0.0, 0.0, 0.0, 1.0), 1.0),
        ((0.0, 0.0, math.sin(0.7), math.cos(0.7)), 1.0),  # turned on the spot
        ((math.sin(0.25), 0.0, 0.0, math.cos(0.25)), math.cos(0.5)),
        ((0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4)), 0.0),
        ((1.0, 0.0, 0.0, 0.0), -1.0),
    ],
)
def test_the_up_axis_follows_the_orientation(orientation, up: float) -> None:
    assert up_component(imu(*orientation)) == pytest.approx(up, abs=1e-9)


@pytest.mark.feature("RB-03")
@pytest.mark.parametrize(
    "orientation",
    [
        (math.nan, 0.0, 0.0, 1.0),
        (0.0, 0.0, 0.0, math.inf),
        (0.0, 0.0, 0.0, 0.0),  # what a driver sends that never filled it
        (3.0, 0.0, 0.0, 1.0),
    ],
)
def test_what_is_no_rotation_is_not_taken_for_upright(orientation) -> None:
    assert math.isnan(up_component(imu(*orientation)))


def test_an_orientation_that_is_not_measured_is_none() -> None:
    assert math.isnan(up_component(imu(0.0, 0.0, 0.0, 1.0, covariance=-1.0)))
