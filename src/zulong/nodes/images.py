"""Images between sensor_msgs and numpy: cv_bridge where ROS provides it, else the few encodings cameras use."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import Image

_CHANNELS = {"rgb8": 3, "bgr8": 3, "rgba8": 4, "bgra8": 4, "mono8": 1}


class ImageEncodingError(ValueError):
    """An image has an encoding that is not supported here, or fewer bytes than it says."""


def to_rgb(image: Image) -> NDArray[np.uint8]:
    """Return the H x W x 3 RGB picture of an image message.

    Raises:
        ImageEncodingError: unsupported encoding or too few bytes; the message names it.
    """
    channels = _CHANNELS.get(image.encoding)
    if channels is None:
        return _by_cv_bridge(image)
    needed = image.step * image.height
    if image.step < image.width * channels or len(image.data) < needed:
        raise ImageEncodingError(
            f"Image of {image.width} x {image.height} {image.encoding} has {len(image.data)} bytes "
            f"and a step of {image.step}."
        )
    rows = np.frombuffer(image.data, np.uint8, needed).reshape(image.height, image.step)
    picture = rows[:, : image.width * channels].reshape(image.height, image.width, channels)
    if channels == 1:
        return np.repeat(picture, 3, axis=2)
    if image.encoding.startswith("bgr"):
        picture = picture[:, :, 2::-1]
    return np.ascontiguousarray(picture[:, :, :3])


def from_rgb(picture: NDArray[np.uint8], header: Any) -> Image:
    """Return the message of an H x W x 3 RGB picture."""
    height, width = picture.shape[:2]
    image = Image(height=height, width=width, encoding="rgb8", is_bigendian=0, step=3 * width)
    image.header = header
    image.data = picture.tobytes()
    return image


def _by_cv_bridge(image: Image) -> NDArray[np.uint8]:
    try:
        from cv_bridge import CvBridge
    except ImportError as error:
        raise ImageEncodingError(
            f"Image encoding {image.encoding!r} needs cv_bridge, which comes with ROS 2; "
            f"without it only {', '.join(_CHANNELS)} are read."
        ) from error
    return np.asarray(CvBridge().imgmsg_to_cv2(image, "rgb8"), dtype=np.uint8)
