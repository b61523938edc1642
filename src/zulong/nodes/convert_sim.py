"""What the simulated devices measure, as standard messages."""

from __future__ import annotations

import array
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, PoseStamped, Quaternion, TransformStamped
from nav_msgs.msg import Odometry as OdometryMessage
from numpy.typing import NDArray
from sensor_msgs.msg import BatteryState, CameraInfo, Image, LaserScan
from sensor_msgs.msg import Imu as ImuMessage

from zulong.apartment import Pose2D
from zulong.msg import Detection, DetectionArray, Transcript
from zulong.sim.people import Utterance
from zulong.sim.sensors import Battery, ImuSample, Laser, Odometry
from zulong.sim.sight import Sighting

MAP_FRAME = "map"
ODOM_FRAME = "odom"
BASE_FRAME = "base_link"
LASER_FRAME = "laser"
CAMERA_FRAME = "camera_optical_frame"


def quaternion(yaw: float) -> Quaternion:
    """Return a turn by ``yaw`` radians about the vertical axis."""
    return Quaternion(z=math.sin(yaw / 2), w=math.cos(yaw / 2))


def scan_message(stamp: Time, laser: Laser, ranges: NDArray[np.float32], period_s: float) -> LaserScan:
    """One turn of the laser; infinity where nothing was in range (REP 117)."""
    message = LaserScan()
    message.header.stamp, message.header.frame_id = stamp, LASER_FRAME
    message.angle_min = laser.angle_min_rad
    message.angle_increment = laser.angle_increment_rad
    message.angle_max = laser.angle_min_rad + laser.angle_increment_rad * (laser.rays - 1)
    message.scan_time = period_s
    message.range_min, message.range_max = laser.range_min_m, laser.range_max_m
    message.ranges = array.array("f", ranges.tobytes())
    return message


def pose_message(stamp: Time, pose: Pose2D) -> PoseStamped:
    """The base in the map."""
    message = PoseStamped()
    message.header.stamp, message.header.frame_id = stamp, MAP_FRAME
    message.pose.position.x, message.pose.position.y = pose.x, pose.y
    message.pose.orientation = quaternion(pose.yaw)
    return message


def odometry_message(stamp: Time, odometry: Odometry) -> OdometryMessage:
    """Dead reckoning: pose in ``odom``, velocity in ``base_link``."""
    message = OdometryMessage()
    message.header.stamp, message.header.frame_id = stamp, ODOM_FRAME
    message.child_frame_id = BASE_FRAME
    message.pose.pose.position.x, message.pose.pose.position.y = odometry.pose.x, odometry.pose.y
    message.pose.pose.orientation = quaternion(odometry.pose.yaw)
    message.twist.twist.linear.x, message.twist.twist.angular.z = odometry.velocity
    message.pose.covariance[0] = message.pose.covariance[7] = 0.01
    message.pose.covariance[35] = 0.02
    message.twist.covariance[0] = odometry.noise_mps**2
    message.twist.covariance[35] = odometry.noise_rps**2
    return message


def transforms(
    stamp: Time, truth: Pose2D, odometry: Odometry, camera: tuple[float, float, float]
) -> list[TransformStamped]:
    """Frames map -> odom -> base_link -> laser and camera_optical_frame.

    Args:
        camera: x and z of the camera in the base frame (metres) and its pitch down (radians).
    """
    yaw = truth.yaw - odometry.pose.yaw
    c, s = math.cos(yaw), math.sin(yaw)
    shift = (
        truth.x - (c * odometry.pose.x - s * odometry.pose.y),
        truth.y - (s * odometry.pose.x + c * odometry.pose.y),
    )
    # Optical frames look along z with x to the right and y down (REP 103): this turn, then the pitch.
    half = camera[2] / 2
    ch, sh = math.cos(half), math.sin(half)
    optical = Quaternion(
        x=-0.5 * ch - 0.5 * sh, y=0.5 * ch + 0.5 * sh, z=-0.5 * ch + 0.5 * sh, w=0.5 * ch - 0.5 * sh
    )
    return [
        _transform(stamp, MAP_FRAME, ODOM_FRAME, (*shift, 0.0), quaternion(yaw)),
        _transform(
            stamp,
            ODOM_FRAME,
            BASE_FRAME,
            (odometry.pose.x, odometry.pose.y, 0.0),
            quaternion(odometry.pose.yaw),
        ),
        _transform(stamp, BASE_FRAME, LASER_FRAME, (0.0, 0.0, 0.2), quaternion(0.0)),
        _transform(stamp, BASE_FRAME, CAMERA_FRAME, (camera[0], 0.0, camera[1]), optical),
    ]


def _transform(
    stamp: Time, parent: str, child: str, shift: tuple[float, float, float], turn: Quaternion
) -> TransformStamped:
    message = TransformStamped()
    message.header.stamp, message.header.frame_id, message.child_frame_id = stamp, parent, child
    message.transform.translation.x, message.transform.translation.y, message.transform.translation.z = shift
    message.transform.rotation = turn
    return message


def imu_message(stamp: Time, sample: ImuSample) -> ImuMessage:
    """One sample of the inertial unit, gravity included in the acceleration."""
    message = ImuMessage()
    message.header.stamp, message.header.frame_id = stamp, BASE_FRAME
    x, y, z, w = sample.orientation
    message.orientation = Quaternion(x=x, y=y, z=z, w=w)
    angular, linear = message.angular_velocity, message.linear_acceleration
    angular.x, angular.y, angular.z = sample.angular_velocity
    linear.x, linear.y, linear.z = sample.linear_acceleration
    return message


def battery_message(stamp: Time, battery: Battery) -> BatteryState:
    """State of the battery; ``percentage`` is 0 to 1 as sensor_msgs says."""
    message = BatteryState()
    message.header.stamp, message.header.frame_id = stamp, BASE_FRAME
    message.voltage, message.current = battery.voltage_v, battery.current_a
    message.percentage = battery.charge
    message.capacity = message.design_capacity = battery.capacity_wh / 25.0
    message.charge = message.capacity * battery.charge
    message.temperature = math.nan
    full = battery.charge >= 1.0
    message.power_supply_status = (
        BatteryState.POWER_SUPPLY_STATUS_FULL
        if full and battery.power_w >= 0
        else BatteryState.POWER_SUPPLY_STATUS_CHARGING
        if battery.charging
        else BatteryState.POWER_SUPPLY_STATUS_DISCHARGING
    )
    message.power_supply_health = BatteryState.POWER_SUPPLY_HEALTH_GOOD
    message.power_supply_technology = BatteryState.POWER_SUPPLY_TECHNOLOGY_LION
    message.present = True
    return message


def image_message(stamp: Time, picture: NDArray[np.uint8]) -> Image:
    """A picture, encoding rgb8."""
    message = Image()
    message.header.stamp, message.header.frame_id = stamp, CAMERA_FRAME
    message.height, message.width = picture.shape[:2]
    message.encoding, message.step = "rgb8", picture.shape[1] * 3
    message.data = array.array("B", picture.tobytes())
    return message


def camera_info_message(stamp: Time, width: int, height: int, focal_px: float) -> CameraInfo:
    """The pinhole model of the camera, without distortion."""
    message = CameraInfo()
    message.header.stamp, message.header.frame_id = stamp, CAMERA_FRAME
    message.width, message.height = width, height
    message.distortion_model = "plumb_bob"
    message.d = [0.0] * 5
    cx, cy = width / 2, height / 2
    message.k = [focal_px, 0.0, cx, 0.0, focal_px, cy, 0.0, 0.0, 1.0]
    message.r = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    message.p = [focal_px, 0.0, cx, 0.0, 0.0, focal_px, cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    return message


def sightings_message(stamp: Time, seen: Sequence[Sighting], width: int, height: int) -> DetectionArray:
    """What a detector would find, positions in the map."""
    message = DetectionArray(image_width_px=width, image_height_px=height)
    message.header.stamp, message.header.frame_id = stamp, MAP_FRAME
    message.detections = [_detection(s) for s in seen]
    return message


def _detection(s: Sighting) -> Detection:
    x, y, width, height = s.box
    return Detection(
        id=s.id,
        label=s.label,
        category=s.category,
        colour=s.colour,
        score=s.score,
        x_px=x,
        y_px=y,
        width_px=width,
        height_px=height,
        has_position=True,
        position=Point(x=s.position[0], y=s.position[1], z=s.position[2]),
        position_std_m=0.02,
        age=1,
        attributes_json=json.dumps(s.attributes),
    )


def answer_message(stamp: Time, said: Utterance, number: int) -> Transcript:
    """What a simulated person answered."""
    message = Transcript(
        utterance_id=f"sim-{number}",
        text=said.text,
        language=said.language,
        confidence=1.0,
        is_final=True,
        addressed=True,
        person=said.person,
        source=Transcript.SOURCE_TEXT,
        engine="simulated person",
    )
    message.header.stamp = stamp
    return message


def plain_json(value: Any) -> str:
    """JSON text of plain data, without NaN."""
    return json.dumps(value, allow_nan=False)
