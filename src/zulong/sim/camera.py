"""The rendered camera: MuJoCo's off-screen renderer, or a clear reason why there are no pictures."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zulong.sim.gl import GL_HELP
from zulong.sim.world import GL, World

_GROUPS_SEEN = (0, 1, 3, 4, 5)  # 2: the columns that people are for laser and base


class CameraUnavailableError(RuntimeError):
    """No picture can be rendered on this machine; the message says what to install."""


class Camera:
    """Renders what the robot sees. Must be made and used in one thread, because a GL context belongs to it.

    Args:
        world: the world to look at.
        width: picture width in pixels.
        height: picture height in pixels.

    Raises:
        CameraUnavailableError: no off-screen GL on this machine.
    """

    def __init__(self, world: World, width: int = 320, height: int = 240) -> None:
        import mujoco

        if GL == "late":
            raise CameraUnavailableError(
                "The camera has no picture, because mujoco was imported before zulong.sim chose its GL library: "
                "set MUJOCO_GL=egl (or osmesa) in the environment."
            )
        if GL == "disable":
            raise CameraUnavailableError(
                f"The camera has no picture, because this machine has no GL library: {GL_HELP}."
            )
        self.width, self.height = width, height
        self._world = world
        try:
            self._renderer: Any = mujoco.Renderer(world.model, height, width)
        except Exception as error:  # MuJoCo, EGL and OSMesa each raise their own kinds
            raise CameraUnavailableError(f"The camera has no picture ({error}): {GL_HELP}.") from error
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = 0
        self._option.geomgroup[list(_GROUPS_SEEN)] = 1

    def render(self, lock: threading.Lock | None = None) -> NDArray[np.uint8]:
        """Return a picture, uint8 [height, width, 3] in rgb order.

        Args:
            lock: held only while the scene is copied from the world, so that physics goes on while pixels are drawn.
        """
        if lock is None:
            self._renderer.update_scene(self._world.data, "camera", self._option)
        else:
            with lock:
                self._renderer.update_scene(self._world.data, "camera", self._option)
        picture: NDArray[np.uint8] = self._renderer.render()
        return picture

    def focal_px(self) -> float:
        """Return the focal length in pixels (square pixels, the optical centre in the middle)."""
        return self.height / 2 / math.tan(self._world.shape.camera_fov_y_rad / 2)

    def close(self) -> None:
        """Free the GL context."""
        self._renderer.close()
