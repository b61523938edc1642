"""Draw one picture of the running system: camera, map with laser, and the plan. Needs a robot that is up.

example: zulong up --background && zulong ask "bring the red cup to the kitchen" & scripts/run python scripts/take_picture.py
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from PIL import Image, ImageDraw, ImageFont
from sensor_msgs.msg import Image as ImageMessage
from sensor_msgs.msg import LaserScan
from zulong.msg import TaskGraph

from zulong.apartment import load_apartment
from zulong.cli.session import Session
from zulong.cli.tasktree import rows
from zulong.nodes import names, qos
from zulong.nodes.images import to_rgb

_BACK, _INK, _PALE = (250, 250, 248), (30, 34, 40), (140, 146, 152)
_MARK_COLOURS = (
    (150, 150, 150),
    (0, 110, 190),
    (20, 140, 60),
    (190, 40, 40),
    (170, 170, 170),
    (190, 130, 0),
    (150, 0, 150),
)
_METRE_PX = 48
_TEXT_PX = 17


class Sight:
    """The newest of what the picture shows."""

    def __init__(self, node: Any) -> None:
        self.camera: ImageMessage | None = None
        self.scan: LaserScan | None = None
        self.pose: PoseStamped | None = None
        self.graph: TaskGraph | None = None
        self.trail: list[tuple[float, float]] = []
        node.create_subscription(ImageMessage, names.ANNOTATED_IMAGE, self._on_camera, qos.sensor())
        node.create_subscription(LaserScan, names.SCAN, self._on_scan, qos.sensor())
        node.create_subscription(PoseStamped, names.POSE, self._on_pose, qos.sensor())
        node.create_subscription(TaskGraph, names.TASK_GRAPH, self._on_graph, qos.latched(10))

    def _on_camera(self, image: ImageMessage) -> None:
        self.camera = image

    def _on_scan(self, scan: LaserScan) -> None:
        self.scan = scan

    def _on_pose(self, pose: PoseStamped) -> None:
        self.pose = pose
        self.trail.append((pose.pose.position.x, pose.pose.position.y))

    def _on_graph(self, graph: TaskGraph) -> None:
        self.graph = graph


def font(size: int) -> Any:
    """Return a readable font, whatever is installed."""
    for name in ("DejaVuSans.ttf", "NotoSansCJK-Regular.ttc"):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def draw_map(sight: Sight) -> Image.Image:
    """Return the apartment from above with the robot, its laser and its trail."""
    home = load_apartment()
    x0, y0, x1, y1 = home.bounds
    width, height = int((x1 - x0) * _METRE_PX) + 20, int((y1 - y0) * _METRE_PX) + 20
    picture = Image.new("RGB", (width, height), _BACK)
    pen = ImageDraw.Draw(picture)

    def at(x: float, y: float) -> tuple[float, float]:
        return 10 + (x - x0) * _METRE_PX, height - 10 - (y - y0) * _METRE_PX

    for room in home.rooms:
        left, bottom = at(room.rect[0], room.rect[1])
        right, top = at(room.rect[2], room.rect[3])
        pen.rectangle((left, top, right, bottom), outline=_INK, width=3)
        pen.text((left + 8, top + 6), room.name, fill=_PALE, font=font(15))
    for door in home.doors:
        cx, cy = at(*door.at)
        pen.ellipse((cx - 6, cy - 6, cx + 6, cy + 6), fill=_BACK)
    for place in home.placements:
        if place.kind != "furniture":
            continue
        left, top = at(place.pose.x - place.size[0] / 2, place.pose.y + place.size[1] / 2)
        right, bottom = at(place.pose.x + place.size[0] / 2, place.pose.y - place.size[1] / 2)
        pen.rectangle((left, top, right, bottom), fill=(226, 220, 208), outline=_PALE)
        pen.text((left + 2, top + 1), place.name, fill=_PALE, font=font(10))
    _draw_robot(pen, at, sight)
    return picture


def _draw_robot(pen: ImageDraw.ImageDraw, at: Any, sight: Sight) -> None:
    if sight.pose is None:
        return
    p, q = sight.pose.pose.position, sight.pose.pose.orientation
    yaw = 2.0 * math.atan2(q.z, q.w)
    if len(sight.trail) > 1:
        pen.line([at(x, y) for x, y in sight.trail], fill=(0, 110, 190), width=2)
    if sight.scan is not None:
        ranges = np.array(sight.scan.ranges)
        angles = sight.scan.angle_min + sight.scan.angle_increment * np.arange(len(ranges)) + yaw
        for r, a in zip(ranges, angles, strict=True):
            if math.isfinite(r):
                cx, cy = at(p.x + r * math.cos(a), p.y + r * math.sin(a))
                pen.ellipse((cx - 1.5, cy - 1.5, cx + 1.5, cy + 1.5), fill=(200, 30, 30))
    cx, cy = at(p.x, p.y)
    size = 0.22 * _METRE_PX
    pen.ellipse((cx - size, cy - size, cx + size, cy + size), fill=(20, 140, 60))
    pen.line((cx, cy, cx + 1.4 * size * math.cos(yaw), cy - 1.4 * size * math.sin(yaw)), fill=_BACK, width=3)


def draw_plan(sight: Sight, width: int, height: int) -> Image.Image:
    """Return the plan as a tree, each line in the colour of its status."""
    picture = Image.new("RGB", (width, height), _BACK)
    pen = ImageDraw.Draw(picture)
    pen.text((10, 8), "The plan, live (task_graph)", fill=_INK, font=font(_TEXT_PX))
    lines = rows(sight.graph) if sight.graph is not None else []
    for number, row in enumerate(lines):
        y = 40 + number * (_TEXT_PX + 7)
        pen.text((14, y), row.plain(), fill=_MARK_COLOURS[row.status], font=font(_TEXT_PX - 2))
    return picture


def compose(sight: Sight) -> Image.Image:
    """Return the whole picture."""
    above = draw_map(sight)
    camera = (
        Image.fromarray(to_rgb(sight.camera))
        if sight.camera is not None
        else Image.new("RGB", (320, 240), _PALE)
    )
    camera = camera.resize((480, 360))
    lines = len(rows(sight.graph)) if sight.graph is not None else 0
    plan = draw_plan(sight, 640, 60 + lines * (_TEXT_PX + 7))
    whole = Image.new("RGB", (above.width + 660, max(above.height + 30, 395 + plan.height)), _BACK)
    pen = ImageDraw.Draw(whole)
    whole.paste(above, (0, 30))
    whole.paste(camera, (above.width + 10, 30))
    pen.text((10, 8), "The apartment from above: laser (red), trail (blue)", fill=_INK, font=font(_TEXT_PX))
    pen.text((above.width + 10, 8), "What the robot sees (camera/annotated)", fill=_INK, font=font(_TEXT_PX))
    whole.paste(plan, (above.width + 10, 395))
    return whole


def main() -> int:
    """Collect for a while, then draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__.splitlines()[-1])
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to watch before drawing")
    parser.add_argument("--out", type=Path, default=Path("docs/running.png"), help="file to write")
    arguments = parser.parse_args()
    with Session(name="picture") as session:
        sight = Sight(session.node)
        deadline = time.monotonic() + arguments.seconds
        while time.monotonic() < deadline:
            time.sleep(0.1)
        if sight.pose is None:
            print("No robot is up in this domain; start one with `zulong up`.", file=sys.stderr)
            return 1
        compose(sight).save(arguments.out)
    print(f"wrote {arguments.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
