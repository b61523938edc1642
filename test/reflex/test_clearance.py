"""The free way along an arc against a simulation that steps the disc in millimetres."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.reflex import ScanGeometry, free_distance

HORIZON = 2.0
RADIUS = 0.3


def stepped(x: float, y: float, linear: float, angular: float) -> float:
    """Drive in small steps until the point is inside the disc."""
    step = 0.002
    px = py = heading = 0.0
    driven = 0.0
    sign = math.copysign(1.0, linear)
    turn_per_m = angular / abs(linear)
    while driven < HORIZON:
        if math.hypot(x - px, y - py) < RADIUS:
            return driven
        heading += turn_per_m * step
        px += sign * step * math.cos(heading)
        py += sign * step * math.sin(heading)
        driven += step
    return HORIZON


@settings(max_examples=150, deadline=None)
@given(
    x=st.floats(-2, 2),
    y=st.floats(-2, 2),
    linear=st.sampled_from([-0.5, 0.3, 0.8]),
    angular=st.floats(-1.5, 1.5),
)
def test_free_distance_agrees_with_a_stepped_drive(x: float, y: float, linear: float, angular: float) -> None:
    if math.hypot(x, y) < RADIUS + 0.01:
        return  # contact at the start has its own tests
    expected = stepped(x, y, linear, angular)
    found = free_distance(np.array([x]), np.array([y]), linear, angular, RADIUS, HORIZON)
    if expected < HORIZON - 0.05 or found < HORIZON - 0.05:
        # A graze along the rim depends on the step; the clear cases must agree.
        grazing = stepped_min_gap(x, y, linear, angular)
        if abs(grazing - RADIUS) > 0.01:
            assert found == pytest.approx(expected, abs=0.02)


def stepped_min_gap(x: float, y: float, linear: float, angular: float) -> float:
    step, px, py, heading, best = 0.004, 0.0, 0.0, 0.0, math.inf
    sign = math.copysign(1.0, linear)
    for _ in range(int(HORIZON / step)):
        best = min(best, math.hypot(x - px, y - py))
        heading += angular / abs(linear) * step
        px += sign * step * math.cos(heading)
        py += sign * step * math.sin(heading)
    return best


def test_touching_point_ahead_blocks_and_behind_lets_go() -> None:
    at = np.array([0.29]), np.array([0.0])
    assert free_distance(*at, 0.5, 0.0, RADIUS, HORIZON) == 0.0
    assert free_distance(*at, -0.5, 0.0, RADIUS, HORIZON) == HORIZON
    assert free_distance(*at, 0.5, 0.4, RADIUS, HORIZON) == 0.0
    assert free_distance(*at, -0.5, 0.4, RADIUS, HORIZON) == HORIZON


def test_invalid_readings_are_no_points() -> None:
    ranges = np.array([0.01, 1.0, math.inf, math.nan, 40.0, 2.0], dtype=np.float32)
    x, y = ScanGeometry(mount_x_m=0.1).points(ranges, 0.0, math.pi / 2, 0.05, 12.0)
    assert len(x) == 2
    assert x[0] == pytest.approx(0.1, abs=1e-6)
    assert y[0] == pytest.approx(1.0)
