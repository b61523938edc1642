"""The rendered picture, where this machine can render at all."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from zulong.sim.camera import Camera, CameraUnavailableError
from zulong.sim.simulator import Simulator

pytestmark = pytest.mark.feature("RB-16")


@pytest.fixture
def camera(sim: Simulator):
    try:
        camera = Camera(sim.world)
    except CameraUnavailableError as error:
        pytest.skip(str(error))
    yield camera
    camera.close()


def reddish(picture: np.ndarray) -> np.ndarray:
    red, green, blue = (picture[..., i].astype(int) for i in range(3))
    return (red > 120) & (green < 60) & (blue < 60)


def test_the_red_cup_is_red_where_sight_says_it_is(sim: Simulator, camera: Camera) -> None:
    sim.move("robot", 10.0, 7.5, yaw=math.pi / 2)
    for other in ("apple", "strawberry"):
        sim.remove(other)
    rows, columns = np.nonzero(reddish(camera.render()))
    box = next(s.box for _ in range(5) for s in sim.sightings() if s.id == "red_cup")
    assert len(rows) > 100
    assert box[0] - 6 <= columns.mean() <= box[0] + box[2] + 6
    assert box[1] - 10 <= rows.mean() <= box[1] + box[3] + 10
    sim.remove("red_cup")
    assert not reddish(camera.render()).any()


def test_pictures_have_the_promised_form(sim: Simulator, camera: Camera) -> None:
    picture = camera.render()
    assert picture.shape == (240, 320, 3) and picture.dtype == np.uint8
    assert picture.std() > 10
    assert camera.focal_px() == pytest.approx(120 / math.tan(sim.shape.camera_fov_y_rad / 2))


def test_without_gl_the_camera_says_what_to_install_and_the_world_runs() -> None:
    program = (
        "from zulong.sim.simulator import Simulator\n"
        "from zulong.sim.camera import Camera, CameraUnavailableError\n"
        "sim = Simulator()\n"
        "try:\n    Camera(sim.world)\n"
        "except CameraUnavailableError as error:\n    assert 'libegl1' in str(error), error\n"
        "else:\n    raise SystemExit('rendered without GL')\n"
        "sim.run(0.5)\nassert len(sim.scan()) == 360\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "MUJOCO_GL": "disable"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
