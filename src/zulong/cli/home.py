"""Where one robot's supervisor keeps its run-time files: below ZULONG_HOME, one folder a namespace."""

from __future__ import annotations

import os
from pathlib import Path

from zulong.resources import zulong_home

DEFAULT_ROBOT = "robot"  # folder of a robot without a namespace


def robot_home(namespace: str = "") -> Path:
    """Return the folder of the robot with ROS ``namespace`` (``/robot1``, ``a/b`` or empty).

    Raises:
        ValueError: the namespace is not a ROS name.
    """
    parts = [part for part in namespace.split("/") if part]
    for part in parts:
        if not part.isidentifier() or not part.isascii():
            raise ValueError(
                f"Namespace {namespace!r} is no ROS name: letters, digits, underscores and slashes only."
            )
    return zulong_home().joinpath(*(parts or [DEFAULT_ROBOT]))


def run_folder(namespace: str = "") -> Path:
    """Return the folder for lock, socket and status, made readable for the owner alone."""
    folder = robot_home(namespace) / "run"
    folder.mkdir(parents=True, exist_ok=True)
    os.chmod(folder, 0o700)
    return folder


def log_folder(namespace: str = "") -> Path:
    """Return the folder of the nodes' logs."""
    folder = robot_home(namespace) / "log"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
