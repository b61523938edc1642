"""The robot as skills see it, over topics and services: implements :class:`zulong.experts.robot.Robot`."""

from __future__ import annotations

import math
import threading
import time
import uuid
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped, Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan

from zulong.apartment import Pose2D
from zulong.experts.robot import DeviceError, Glance, GripperRefusedError, Heard, LaserView, Seen, Waiting
from zulong.experts.scene import SceneBook
from zulong.msg import DetectionArray, TextChunk, Transcript
from zulong.nodes import names, qos
from zulong.nodes.base import ZulongNode
from zulong.nodes.json_fields import object_or_empty
from zulong.nodes.measured import finite
from zulong.nodes.services import ServiceCaller, ServiceError
from zulong.srv import GripperControl

_STALE_S = 1.0
_ODOM_LATENCY_S = 0.06
_POSES = 40
_GRIPPER_LIMIT_S = 5.0
_SPOKEN_LIMIT_S = 8.0
_HEARD = 200
_FAULTS = {
    value: name
    for name, value in (
        (n, getattr(GripperControl.Response, n))
        for n in (
            "OUT_OF_REACH",
            "NOTHING_THERE",
            "ALREADY_HOLDING",
            "NOT_HOLDING",
            "OCCUPIED",
            "INVALID_REQUEST",
        )
    )
}


class TopicRobot:
    """Takes the newest of each topic; every method may be called from a goal's thread.

    Args:
        node: owns the subscriptions.
        detections_topic: DetectionArray topics to look at, for instance ``detections``; positions in the map, or
            in the camera's optical frame (then ``camera`` brings them into the map).
        camera: x and z of the camera in the base frame (metres) and its pitch down (radians).
    """

    def __init__(self, node: ZulongNode, detections_topic: str, camera: tuple[float, float, float]) -> None:
        self._node = node
        self._camera = camera
        self._scene = SceneBook()
        self._poses: deque[tuple[float, float, Pose2D]] = deque(maxlen=_POSES)
        self._scan: tuple[float, float, LaserScan] | None = None
        self._glance: Glance | None = None
        self._glances = 0
        self._heard: deque[Heard] = deque(maxlen=_HEARD)
        self._spoken = threading.Condition()
        self._spoken_ids: deque[str] = deque(maxlen=_HEARD)
        self._commanded_s = -math.inf
        self._moving: tuple[float, bool] | None = None
        self._velocity = node.create_publisher(Twist, names.CMD_VEL_RAW, qos.command_publisher())
        self._words = node.create_publisher(TextChunk, names.TEXT_IN, qos.stream())
        self._gripper = ServiceCaller(node, GripperControl, names.GRIPPER)
        node.subscribe(PoseStamped, names.POSE, self._on_pose, qos.sensor())
        node.subscribe(Odometry, names.ODOM, self._on_odometry, qos.sensor())
        node.subscribe(LaserScan, names.SCAN, self._on_scan, qos.sensor())
        node.subscribe(DetectionArray, detections_topic, self._on_detections, qos.sensor())
        node.subscribe(Transcript, names.ANSWERS, self._on_words_heard, qos.event())
        node.subscribe(Transcript, names.TRANSCRIPT, self._on_words_heard, qos.event())
        node.subscribe(TextChunk, names.TEXT_OUT, self._on_words_out, qos.stream())

    # Robot

    def clock_s(self) -> float:
        """Steady clock."""
        return time.monotonic()

    def sleep(self, seconds: float, latch: Waiting | None = None) -> None:
        """Sleep, cut short by the latch."""
        if latch is None:
            time.sleep(seconds)
        else:
            latch.wait(seconds)

    def pose(self) -> Pose2D:
        """Newest pose."""
        if not self._poses or time.monotonic() - self._poses[-1][0] > _STALE_S:
            raise DeviceError(f"No pose arrives on {names.POSE}; is localisation (or the simulator) active?")
        return self._poses[-1][2]

    def laser(self) -> LaserView:
        """Newest scan with the pose of its stamp."""
        scan = self._scan
        if scan is None or time.monotonic() - scan[0] > _STALE_S:
            raise DeviceError(f"No scan arrives on {names.SCAN}; is the laser active?")
        arrived, stamp, message = scan
        self.pose()
        # A turning base makes a scan useless with a pose of another moment: pair them by stamp.
        pose = min(list(self._poses), key=lambda p: abs(p[1] - stamp))[2]
        ranges = np.asarray(message.ranges, np.float32)
        return LaserView(ranges, message.angle_min, message.angle_increment, pose, arrived)

    def glance(self) -> Glance | None:
        """Newest detections."""
        return self._glance

    def remembered(self) -> Sequence[Seen]:
        """Everything seen since the start."""
        return self._scene.remembered()

    def drive(self, linear_mps: float, angular_rps: float) -> None:
        """Publish the wish; the reflex decides."""
        message = Twist()
        message.linear.x, message.angular.z = float(linear_mps), float(angular_rps)
        self._commanded_s = time.monotonic()
        self._velocity.publish(message)

    def at_rest(self) -> bool:
        """Whether an odometry message from after the newest command shows a base that stands."""
        moving = self._moving
        if moving is None:
            return True
        arrived, still = moving
        return still and arrived > self._commanded_s + _ODOM_LATENCY_S

    def held(self) -> str:
        """Ask the gripper."""
        return str(self._ask(GripperControl.Request(command=GripperControl.Request.QUERY)).held_id)

    def grasp(self, object_id: str, position: tuple[float, float, float] | None, key: str = "") -> str:
        """Close the gripper."""
        request = GripperControl.Request(
            command=GripperControl.Request.GRASP, object_id=object_id, idempotency_key=key
        )
        held = str(self._ask(_at(request, position)).held_id)
        self._scene.forget(held)
        return held

    def release(self, position: tuple[float, float, float] | None, key: str = "") -> None:
        """Open the gripper at a spot."""
        request = GripperControl.Request(command=GripperControl.Request.RELEASE, idempotency_key=key)
        self._ask(_at(request, position))

    def give(self, person_id: str, key: str = "") -> None:
        """Hand over."""
        self._ask(
            GripperControl.Request(
                command=GripperControl.Request.HAND_OVER, person_id=person_id, idempotency_key=key
            )
        )

    def say(self, text: str, language: str, latch: Waiting | None = None) -> None:
        """Send words to the gateway and wait until they are out."""
        stream = uuid.uuid4().hex
        chunk = TextChunk(
            stream_id=stream, sequence=0, text=text, language=language, speak=True, is_final=True
        )
        chunk.kind = TextChunk.KIND_QUESTION if text.rstrip().endswith(("?", "？")) else TextChunk.KIND_TOKEN
        chunk.stamp = self._node.get_clock().now().to_msg()
        deadline = time.monotonic() + _SPOKEN_LIMIT_S
        self._words.publish(chunk)
        with self._spoken:
            while stream not in self._spoken_ids:
                if latch is not None and latch.is_set:
                    return
                if time.monotonic() > deadline:
                    raise DeviceError(
                        "The gateway did not put the words out; is it active, or was the output stopped?"
                    )
                self._spoken.wait(0.05)

    def heard_since(self, since_s: float) -> Sequence[Heard]:
        """Finished utterances after a time."""
        return [h for h in list(self._heard) if h.heard_s > since_s]

    # Topics

    def _on_pose(self, message: PoseStamped) -> None:
        q = message.pose.orientation
        yaw = math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))
        pose = Pose2D(message.pose.position.x, message.pose.position.y, yaw)
        self._poses.append((time.monotonic(), _seconds(message.header.stamp), pose))

    def _on_odometry(self, message: Odometry) -> None:
        twist = message.twist.twist
        still = abs(twist.linear.x) < 0.02 and abs(twist.angular.z) < 0.05
        self._moving = (time.monotonic(), still)

    def _on_scan(self, message: LaserScan) -> None:
        self._scan = (time.monotonic(), _seconds(message.header.stamp), message)

    def _on_detections(self, message: DetectionArray) -> None:
        if not self._poses:
            return
        now = time.monotonic()
        stamp = _seconds(message.header.stamp)
        pose = min(list(self._poses), key=lambda p: abs(p[1] - stamp))[2]
        in_map = message.header.frame_id == "map"
        seen = [
            self._seen(d, pose, in_map, now)
            for d in message.detections
            if d.has_position and finite(d.position)
        ]
        self._glances += 1
        self._glance = Glance(self._glances, now, pose, seen)
        self._scene.note(seen)

    def _seen(self, d: Any, pose: Pose2D, in_map: bool, now: float) -> Seen:
        position = (d.position.x, d.position.y, d.position.z)
        return Seen(
            id=d.id,
            label=d.label,
            category=d.category,
            colour=d.colour,
            position=position if in_map else self._from_optical(position, pose),
            score=d.score,
            seen_s=now,
            attributes=object_or_empty(d.attributes_json),
        )

    def _from_optical(self, point: tuple[float, float, float], pose: Pose2D) -> tuple[float, float, float]:
        """Bring a point of the optical frame (x right, y down, z ahead; REP 103) into the map."""
        camera_x, camera_z, pitch = self._camera
        right, down, ahead = point
        c, s = math.cos(pitch), math.sin(pitch)
        forward = camera_x + c * ahead - s * down
        height = camera_z - s * ahead - c * down
        cy, sy = math.cos(pose.yaw), math.sin(pose.yaw)
        return pose.x + cy * forward + sy * right, pose.y + sy * forward - cy * right, height

    def _on_words_heard(self, message: Transcript) -> None:
        if message.is_final and message.text.strip():
            self._heard.append(
                Heard(message.text.strip(), message.language, message.person, time.monotonic())
            )

    def _on_words_out(self, chunk: TextChunk) -> None:
        if chunk.is_final:
            with self._spoken:
                self._spoken_ids.append(chunk.stream_id)
                self._spoken.notify_all()

    def _ask(self, request: Any) -> Any:
        try:
            response = self._gripper.call(request, _GRIPPER_LIMIT_S)
        except ServiceError as error:
            raise DeviceError(str(error)) from error
        if response.error_code == GripperControl.Response.SUCCEEDED:
            return response
        if response.error_code in _FAULTS:
            raise GripperRefusedError(_FAULTS[response.error_code], response.error_msg)
        raise DeviceError(response.error_msg or "The gripper failed; see its log.")


def _at(request: Any, position: tuple[float, float, float] | None) -> Any:
    if position is not None:
        request.has_position = True
        request.position.x, request.position.y, request.position.z = map(float, position)
    return request


def _seconds(stamp: Any) -> float:
    return float(stamp.sec) + stamp.nanosec * 1e-9
