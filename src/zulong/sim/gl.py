"""Chooses MuJoCo's off-screen GL before MuJoCo is imported, because it looks at ``MUJOCO_GL`` only then."""

from __future__ import annotations

import ctypes.util
import os
import sys

GL_HELP = (
    "install the GL libraries (Debian, Ubuntu: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri libgles2 "
    "libosmesa6), or set MUJOCO_GL to egl or osmesa"
)


def choose_gl() -> str:
    """Set ``MUJOCO_GL`` unless it is set, to the first library that this machine has, and return it.

    ``egl`` before ``osmesa``; ``disable`` where there is neither, so that everything but pictures works; ``late``
    (and nothing is set) when MuJoCo was imported before anybody chose.
    """
    chosen = os.environ.get("MUJOCO_GL")
    if not chosen and "mujoco" in sys.modules:
        # Too late: MuJoCo has chosen a windowing library, and rendering without a screen would end the process.
        return "late"
    if not chosen:
        if ctypes.util.find_library("EGL"):
            chosen = "egl"
        elif ctypes.util.find_library("OSMesa"):
            chosen = "osmesa"
        else:
            chosen = "disable"
        os.environ["MUJOCO_GL"] = chosen
    return chosen
