"""The fixtures for real ROS processes; skips the folder where ROS is missing."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2", exc_type=ImportError)
pytest.importorskip("zulong.msg", reason="needs the built interfaces: make setup")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugins"))
from ros_domain import ros_domain_id, ros_environment, ros_session, spawn, wait_until  # noqa: F401
