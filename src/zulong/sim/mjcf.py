"""Turns an :class:`~zulong.apartment.Apartment` into a MuJoCo model (MJCF text).

Geom groups: 0 walls and floor, 1 furniture, 2 people, 3 the robot, 4 looks only, 5 things that can be carried.
The laser sees 0, 1, 2 and 5; only 0, 1 and 2 collide with the robot.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from zulong.apartment import Apartment, ObjectSpec, PersonSpec, Placement
from zulong.apartment_walls import WALL_THICKNESS_M, wall_segments
from zulong.sim.geometry import RobotShape

WALL_HEIGHT_M = 2.2
TIMESTEP_S = 0.01
PARKED_Z_M = -20.0
SPARE_BOXES = 4
PASSER_BY = "passer_by"
PERSON_RADIUS_M = 0.22

COLOURS: dict[str, tuple[float, float, float]] = {
    "red": (0.85, 0.08, 0.08),
    "green": (0.10, 0.65, 0.15),
    "blue": (0.10, 0.20, 0.85),
    "yellow": (0.95, 0.85, 0.10),
    "orange": (0.95, 0.50, 0.05),
    "purple": (0.50, 0.10, 0.60),
    "pink": (0.95, 0.55, 0.70),
    "brown": (0.42, 0.28, 0.17),
    "beige": (0.85, 0.80, 0.68),
    "white": (0.95, 0.95, 0.95),
    "gray": (0.50, 0.50, 0.52),
    "black": (0.08, 0.08, 0.08),
}
_SKIN = (0.86, 0.68, 0.55)
_TROUSERS = (0.15, 0.15, 0.22)


def build_mjcf(home: Apartment, robot: RobotShape, image_size: tuple[int, int]) -> str:
    """Return the MJCF text of the home with the robot at the origin of its joints.

    Args:
        home: the home to build.
        robot: measures of the robot.
        image_size: width and height in pixels that the off-screen buffer must hold.
    """
    bodies: list[str] = []
    bodies += _floor(home)
    bodies += [_wall(i, *segment) for i, segment in enumerate(wall_segments(home))]
    for placement in home.placements:
        bodies += _furniture(placement)
    bodies += [_object(o) for o in home.objects]
    for person in (*home.people, home.operator):
        bodies += list(_person_bodies(person))
    bodies.append(_standing_person(PASSER_BY, "none", COLOURS["purple"]))
    bodies += [_spare_box(i) for i in range(SPARE_BOXES)]
    bodies.append(_robot(robot))
    width, height = image_size
    return f"""<mujoco model="apartment">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="{TIMESTEP_S}" integrator="implicitfast" cone="pyramidal" iterations="20"/>
  <visual>
    <global offwidth="{width}" offheight="{height}"/>
    <quality offsamples="0" shadowsize="0"/>
    <map znear="0.01" zfar="20"/>
    <headlight ambient="0.55 0.55 0.55" diffuse="0.5 0.5 0.5" specular="0 0 0"/>
  </visual>
  <default>
    <geom contype="0" conaffinity="0"/>
    <default class="solid"><geom contype="1" conaffinity="2" friction="0.3 0.005 0.0001"/></default>
    <default class="base"><geom contype="2" conaffinity="1" friction="0.3 0.005 0.0001"/></default>
  </default>
  <worldbody>
    <light pos="6 4.5 6" dir="0 0 -1" castshadow="false" diffuse="0.3 0.3 0.3" specular="0 0 0"/>
{chr(10).join(bodies)}
  </worldbody>
  <actuator>
    <velocity name="drive_x" joint="base_x" kv="800" forcerange="-250 250"/>
    <velocity name="drive_y" joint="base_y" kv="800" forcerange="-250 250"/>
    <velocity name="drive_yaw" joint="base_yaw" kv="60" forcerange="-40 40"/>
  </actuator>
  <sensor>
    <accelerometer name="accelerometer" site="imu"/>
    <gyro name="gyro" site="imu"/>
  </sensor>
</mujoco>"""


def _rgba(colour: tuple[float, float, float], alpha: float = 1.0) -> str:
    return f'rgba="{colour[0]:.3f} {colour[1]:.3f} {colour[2]:.3f} {alpha}"'


def colour_rgb(name: str) -> tuple[float, float, float]:
    """Return the red, green and blue shares (0 to 1) in which a colour word is drawn; grey where it is unknown."""
    return COLOURS.get(name, COLOURS["gray"])


def _floor(home: Apartment) -> list[str]:
    shades = [
        (0.72, 0.68, 0.62),
        (0.66, 0.70, 0.72),
        (0.70, 0.66, 0.70),
        (0.64, 0.72, 0.70),
        (0.72, 0.72, 0.64),
    ]
    geoms = []
    for room, shade in zip(home.rooms, (shades * len(home.rooms))[: len(home.rooms)], strict=True):
        x0, y0, x1, y1 = room.rect
        geoms.append(
            f'    <geom name={quoteattr("floor:" + room.id)} type="box" group="0" '
            f'pos="{(x0 + x1) / 2} {(y0 + y1) / 2} -0.05" '
            f'size="{(x1 - x0) / 2} {(y1 - y0) / 2} 0.05" {_rgba(shade)}/>'
        )
    return geoms


def _wall(index: int, x0: float, y0: float, x1: float, y1: float) -> str:
    half = WALL_THICKNESS_M / 2
    sx = max((x1 - x0) / 2, half)
    sy = max((y1 - y0) / 2, half)
    return (
        f'    <geom name="wall:{index}" class="solid" type="box" group="0" '
        f'pos="{(x0 + x1) / 2} {(y0 + y1) / 2} {WALL_HEIGHT_M / 2}" '
        f'size="{sx} {sy} {WALL_HEIGHT_M / 2}" {_rgba((0.90, 0.89, 0.86))}/>'
    )


def _furniture(p: Placement) -> list[str]:
    if p.kind != "furniture":
        return []
    return [
        f'    <geom name={quoteattr("furniture:" + p.id)} class="solid" type="box" group="1" '
        f'pos="{p.pose.x} {p.pose.y} {p.height_m / 2}" euler="0 0 {p.pose.yaw}" '
        f'size="{p.size[0] / 2} {p.size[1] / 2} {p.height_m / 2}" {_rgba(colour_rgb(p.colour))}/>'
    ]


def _object(o: ObjectSpec) -> str:
    length, width, height = o.size
    size = {
        "box": f"{length / 2} {width / 2} {height / 2}",
        "cylinder": f"{length / 2} {height / 2}",
        "sphere": f"{length / 2}",
    }[o.shape]
    return (
        f'    <body name={quoteattr("object:" + o.id)} mocap="true" pos="0 0 {PARKED_Z_M}">'
        f'<geom name={quoteattr("object:" + o.id)} type="{o.shape}" group="5" size="{size}" '
        f"{_rgba(colour_rgb(o.colour))}/></body>"
    )


def _spare_box(index: int) -> str:
    return (
        f'    <body name="box_{index + 1}" mocap="true" pos="0 0 {PARKED_Z_M}">'
        f'<geom name="box_{index + 1}" class="solid" type="box" group="1" size="0.2 0.2 0.4" pos="0 0 0.4" '
        f"{_rgba((0.70, 0.55, 0.35))}/></body>"
    )


def _person_bodies(person: PersonSpec) -> Iterator[str]:
    clothes = colour_rgb(person.clothes_colour)
    yield _standing_person(f"person:{person.id}", person.gesture, clothes)
    if person.posture == "sitting":
        yield _sitting_person(f"person:{person.id}:sitting", person.gesture, clothes)
    elif person.posture == "lying":
        yield _lying_person(f"person:{person.id}:lying", clothes)


def _mocap(name: str, geoms: Iterable[str]) -> str:
    return f'    <body name={quoteattr(name)} mocap="true" pos="0 0 {PARKED_Z_M}">{"".join(geoms)}</body>'


def _capsule(
    start: tuple[float, float, float], end: tuple[float, float, float], radius: float, paint: str
) -> str:
    points = " ".join(f"{v:.3f}" for v in (*start, *end))
    return f'<geom type="capsule" group="4" fromto="{points}" size="{radius}" {paint}/>'


def _arms(gesture: str, shoulder_z: float, paint: str) -> list[str]:
    hang, raised, side = (0.0, 0.05, -0.50), (0.0, 0.10, 0.50), (0.10, 0.55, 0.0)
    left = {"raising_left_arm": raised, "pointing_left": side}.get(gesture, hang)
    right = {"waving": (0.0, 0.25, 0.45), "raising_right_arm": raised, "pointing_right": side}.get(
        gesture, hang
    )
    arms = []
    for sign, (dx, dy, dz) in ((1.0, left), (-1.0, right)):
        shoulder = (0.0, sign * 0.22, shoulder_z)
        arms.append(_capsule(shoulder, (dx, sign * (0.22 + dy), shoulder_z + dz), 0.045, paint))
    return arms


def _trunk(name: str, height: float, radius: float, bottom: float = 0.0) -> str:
    """The solid column that laser and base meet; the camera leaves its group out (rays do not see transparent geoms)."""
    return (
        f'<geom name={quoteattr(name)} class="solid" type="cylinder" group="2" '
        f'pos="0 0 {bottom + height / 2}" size="{radius} {height / 2}" {_rgba((1, 1, 1))}/>'
    )


def _standing_person(name: str, gesture: str, clothes: tuple[float, float, float]) -> str:
    shirt, legs = _rgba(clothes), _rgba(_TROUSERS)
    return _mocap(
        name,
        [
            _trunk(name, 1.7, PERSON_RADIUS_M),
            _capsule((0, 0.09, 0.06), (0, 0.09, 0.80), 0.075, legs),
            _capsule((0, -0.09, 0.06), (0, -0.09, 0.80), 0.075, legs),
            _capsule((0, 0, 0.98), (0, 0, 1.32), 0.17, shirt),
            *_arms(gesture, 1.38, shirt),
            f'<geom type="sphere" group="4" pos="0 0 1.60" size="0.12" {_rgba(_SKIN)}/>',
        ],
    )


def _sitting_person(name: str, gesture: str, clothes: tuple[float, float, float]) -> str:
    shirt, legs = _rgba(clothes), _rgba(_TROUSERS)
    return _mocap(
        name,
        [
            _trunk(name, 1.25, PERSON_RADIUS_M),
            _capsule((0, 0.09, 0.45), (0.35, 0.09, 0.45), 0.075, legs),
            _capsule((0, -0.09, 0.45), (0.35, -0.09, 0.45), 0.075, legs),
            _capsule((0, 0, 0.60), (0, 0, 0.88), 0.17, shirt),
            *_arms(gesture, 0.95, shirt),
            f'<geom type="sphere" group="4" pos="0 0 1.16" size="0.12" {_rgba(_SKIN)}/>',
        ],
    )


def _lying_person(name: str, clothes: tuple[float, float, float]) -> str:
    return _mocap(
        name,
        [
            _trunk(name, 0.35, PERSON_RADIUS_M),
            _capsule((-0.80, 0, 0.15), (-0.15, 0, 0.15), 0.12, _rgba(_TROUSERS)),
            _capsule((0.05, 0, 0.17), (0.40, 0, 0.17), 0.16, _rgba(clothes)),
            f'<geom type="sphere" group="4" pos="0.70 0 0.17" size="0.12" {_rgba(_SKIN)}/>',
        ],
    )


def _robot(r: RobotShape) -> str:
    paint, dark = _rgba((0.93, 0.93, 0.95)), _rgba((0.20, 0.20, 0.25))
    tilt = r.camera_pitch_rad
    # MuJoCo cameras look along their -z: x axis to the robot's right, y axis up.
    up = (math.sin(tilt), 0.0, math.cos(tilt))
    return f"""    <body name="robot" pos="0 0 0">
      <joint name="base_x" type="slide" axis="1 0 0" damping="2"/>
      <joint name="base_y" type="slide" axis="0 1 0" damping="2"/>
      <joint name="base_yaw" type="hinge" axis="0 0 1" damping="0.5"/>
      <geom name="base" class="base" type="cylinder" group="3" mass="25" pos="0 0 {r.base_height_m / 2 + 0.02}"
            size="{r.radius_m} {r.base_height_m / 2}" {paint}/>
      <geom name="mast" type="capsule" group="3" mass="5" fromto="-0.05 0 {r.base_height_m} -0.05 0 {r.camera_z_m}"
            size="0.05" {dark}/>
      <geom name="gripper" type="box" group="3" mass="0.5" pos="0.16 0 0.60" size="0.05 0.08 0.02" {dark}/>
      <site name="imu" pos="0 0 0.1"/>
      <camera name="camera" pos="{r.camera_x_m} 0 {r.camera_z_m}" fovy="{math.degrees(r.camera_fov_y_rad)}"
              xyaxes="0 -1 0 {up[0]:.6f} {up[1]:.6f} {up[2]:.6f}"/>
    </body>"""
