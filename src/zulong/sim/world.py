"""The physical world: MuJoCo model and state, the driven base, bodies that tests and people move, contacts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zulong.apartment import Apartment, Pose2D
from zulong.sim.geometry import RobotShape, approach_value, wrap_angle
from zulong.sim.gl import choose_gl
from zulong.sim.mjcf import PARKED_Z_M, TIMESTEP_S, build_mjcf

GL = choose_gl()
try:
    import mujoco
except ImportError as missing:  # pragma: no cover - depends on the installation
    raise ImportError("The embedded simulator needs MuJoCo: pip install 'zulong[sim]'.") from missing


class World:
    """A MuJoCo world in which a robot drives and bodies are put where the story wants them.

    Not thread-safe: its owner serialises calls.

    Args:
        home: the apartment to build.
        shape: measures of the robot.
        image_size: width and height in pixels of the largest picture that will be rendered.
    """

    def __init__(
        self, home: Apartment, shape: RobotShape | None = None, image_size: tuple[int, int] = (320, 240)
    ) -> None:
        self.home = home
        self.shape = shape or RobotShape()
        self.model: Any = mujoco.MjModel.from_xml_string(build_mjcf(home, self.shape, image_size))
        self.data: Any = mujoco.MjData(self.model)
        self._mocap_ids = {
            self.model.body(i).name: int(self.model.body_mocapid[i])
            for i in range(self.model.nbody)
            if self.model.body_mocapid[i] >= 0
        }
        self._base_geom = int(self.model.geom("base").id)
        self.robot_body = int(self.model.body("robot").id)
        self._commanded = (0.0, 0.0)
        self._target = (0.0, 0.0)
        self.place_robot(home.robot_start)

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return float(self.data.time)

    @property
    def robot_pose(self) -> Pose2D:
        """True pose of the base in the map."""
        x, y, yaw = self.data.qpos[:3]
        return Pose2D(float(x), float(y), wrap_angle(float(yaw)))

    @property
    def robot_velocity(self) -> tuple[float, float, float]:
        """True velocity in the base frame: ahead and left in m/s, turning in rad/s."""
        vx, vy, wz = self.data.qvel[:3]
        yaw = self.data.qpos[2]
        c, s = math.cos(yaw), math.sin(yaw)
        return float(c * vx + s * vy), float(-s * vx + c * vy), float(wz)

    def command(self, linear_mps: float, angular_rps: float) -> None:
        """Ask the base for a velocity; it is reached within the base's limits of speed and acceleration."""
        if not (math.isfinite(linear_mps) and math.isfinite(angular_rps)):
            raise ValueError(f"Velocity must be finite, got {linear_mps} m/s and {angular_rps} rad/s.")
        limit_v, limit_w = self.shape.max_linear_mps, self.shape.max_angular_rps
        self._commanded = (
            max(-limit_v, min(limit_v, linear_mps)),
            max(-limit_w, min(limit_w, angular_rps)),
        )

    def step(self) -> None:
        """Advance the physics by one time step of 10 ms."""
        dt = TIMESTEP_S
        v = approach_value(self._target[0], self._commanded[0], self.shape.max_linear_mps2 * dt)
        w = approach_value(self._target[1], self._commanded[1], self.shape.max_angular_rps2 * dt)
        self._target = (v, w)
        yaw = self.data.qpos[2]
        self.data.ctrl[:3] = (v * math.cos(yaw), v * math.sin(yaw), w)
        mujoco.mj_step(self.model, self.data)

    def place_robot(self, pose: Pose2D) -> None:
        """Put the base at a pose, at rest."""
        self.data.qpos[:3] = (pose.x, pose.y, pose.yaw)
        self.data.qvel[:3] = 0.0
        self._commanded = self._target = (0.0, 0.0)
        mujoco.mj_forward(self.model, self.data)

    def has_body(self, name: str) -> bool:
        """Whether a movable body of this name exists."""
        return name in self._mocap_ids

    def place_body(self, name: str, x: float, y: float, z: float = 0.0, yaw: float = 0.0) -> None:
        """Put a movable body at a position (metres) and heading (radians).

        Raises:
            KeyError: there is no such body.
        """
        index = self._mocap_ids[name]
        self.data.mocap_pos[index] = (x, y, z)
        self.data.mocap_quat[index] = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))

    def park_body(self, name: str) -> None:
        """Take a movable body out of sight and reach."""
        self.place_body(name, 0.0, 0.0, PARKED_Z_M)

    def body_position(self, name: str) -> tuple[float, float, float] | None:
        """Return where a movable body is, or None while it is parked."""
        x, y, z = self.data.mocap_pos[self._mocap_ids[name]]
        return None if z <= PARKED_Z_M / 2 else (float(x), float(y), float(z))

    def settle(self) -> None:
        """Make rays and pictures see bodies that were moved since the last step."""
        mujoco.mj_forward(self.model, self.data)

    def touching(self) -> list[str]:
        """Return the names of the geoms that touch the base now."""
        names = []
        for i in range(self.data.ncon):
            contact = self.data.contact[i]
            if self._base_geom in (contact.geom1, contact.geom2) and contact.dist < 0.0:
                other = contact.geom2 if contact.geom1 == self._base_geom else contact.geom1
                names.append(str(self.model.geom(int(other)).name))
        return names

    def cast(
        self, origin: NDArray[np.float64], rays: NDArray[np.float64], groups: tuple[int, ...], range_m: float
    ) -> NDArray[np.float64]:
        """Return the distance along each unit ray [n, 3] to the first geom of ``groups``; infinity where there is none."""
        count = len(rays)
        mask = np.zeros(6, np.uint8)
        mask[list(groups)] = 1
        distance = np.empty(count)
        geom = np.empty(count, np.int32)
        flat = np.ascontiguousarray(rays, np.float64).reshape(-1)
        mujoco.mj_multiRay(
            self.model,
            self.data,
            origin,
            flat,
            mask,
            1,
            self.robot_body,
            geom,
            distance,
            None,
            count,
            range_m,
        )
        distance[distance < 0.0] = np.inf
        return distance

    def line_of_sight(
        self,
        origin: tuple[float, float, float],
        target: tuple[float, float, float],
        slack_m: float,
        exclude: str = "",
    ) -> bool:
        """Whether no wall, furniture or person stands between two points, up to ``slack_m`` before the target."""
        start, end = np.asarray(origin, float), np.asarray(target, float)
        way = end - start
        distance = float(np.linalg.norm(way))
        if distance <= slack_m:
            return True
        mask = np.array([1, 1, 1, 0, 0, 0], np.uint8)
        body = int(self.model.body(exclude).id) if exclude else self.robot_body
        hit = mujoco.mj_ray(self.model, self.data, start, way / distance, mask, 1, body, None)
        return bool(hit < 0.0 or hit >= distance - slack_m)
