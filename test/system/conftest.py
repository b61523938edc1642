"""One robot a module: bringing ten nodes up takes some seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="ROS 2 is not in this environment")
pytest.importorskip("zulong.msg", reason="the interfaces are not built")

from robot_harness import Robot, running_robot
from ros_domain import take_domain


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robot]:
    """A robot in the simulator, up and idle."""
    home = tmp_path_factory.mktemp("robot") / "home"
    root = Path(__file__).resolve().parents[2]
    with take_domain() as domain, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROS_DOMAIN_ID", str(domain))
        patch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        patch.setenv("ZULONG_HOME", str(home))
        patch.setenv("ROS_LOG_DIR", str(home.parent / "log"))
        for name in ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"):
            patch.setenv(name, str(root / "config" / "dds_profile.xml"))
        patch.delenv("ZULONG_NAMESPACE", raising=False)
        with running_robot(home) as built:
            yield built
