#!/usr/bin/env python3
"""Set up everything that ``make demo`` and ``make test`` need, in ``.venv`` and ``.state`` of this checkout.

Runs with the system's Python and its standard library alone. Each step leaves a stamp with the hash of what it
depends on: a second run takes a fraction of a second, an interrupted one goes on where it was.
"""

from __future__ import annotations

import ctypes.util
import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
STATE = ROOT / ".state"
DISTROS = ("jazzy", "kilted")
PYTHONS = ((3, 11), (3, 13))
SYSTEM_PACKAGES = ("libegl1", "libegl-mesa0", "libgl1-mesa-dri", "libgles2", "libosmesa6", "espeak-ng")


class SetUpError(Exception):
    """Set-up cannot go on; one sentence: what is wrong and what to do."""


def say(text: str) -> None:
    """Tell people what happens."""
    print(text, file=sys.stderr, flush=True)


def distro() -> str:
    """Return the ROS distribution to use: ``ROS_DISTRO`` or jazzy."""
    chosen = os.environ.get("ROS_DISTRO") or "jazzy"
    if chosen not in DISTROS:
        raise SetUpError(
            f"ROS_DISTRO={chosen} does not come as wheels; use one of {', '.join(DISTROS)} or colcon."
        )
    return chosen


def check_machine() -> None:
    """Refuse early what cannot work."""
    low, high = PYTHONS
    if not low <= sys.version_info[:2] <= high:
        raise SetUpError(
            f"Python {platform.python_version()} does not fit: ROS wheels and numpy need {low[0]}.{low[1]} to "
            f"{high[0]}.{high[1]}; run for instance `make setup PYTHON=python3.11`."
        )
    for tool, package in (("g++", "g++"), ("make", "make")):
        if shutil.which(tool) is None:
            raise SetUpError(f"{tool} is missing; install it, for instance: sudo apt-get install {package}")


def missing_system_packages() -> list[str]:
    """Return the Debian packages whose absence costs a feature (camera picture, voice)."""
    # find_library needs ldconfig, which is not on every PATH; a file look-up does as well.
    places = [
        Path("/usr/lib"),
        Path("/usr/lib64"),
        Path(f"/usr/lib/{platform.machine()}-linux-gnu"),
        Path("/lib"),
    ]

    def library(name: str) -> bool:
        return bool(ctypes.util.find_library(name)) or any(
            list(place.glob(f"lib{name}.so*")) for place in places
        )

    missing = []
    if not library("EGL"):
        missing += ["libegl1", "libegl-mesa0", "libgl1-mesa-dri", "libgles2"]
    if not library("OSMesa"):
        missing.append("libosmesa6")
    if shutil.which("espeak-ng") is None:
        missing.append("espeak-ng")
    return missing


def install_system_packages() -> None:
    """Install what only the system can give when we are root on Debian or Ubuntu; else say the command."""
    missing = missing_system_packages()
    if not missing:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"[1/4] system packages: {' '.join(missing)}")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        done = _quietly(command, env, limit_s=300.0)
        if not done:  # the lists of a fresh image are empty
            done = _quietly(["apt-get", "update"], env, limit_s=180.0) and _quietly(
                command, env, limit_s=300.0
            )
        if done:
            return
        say(
            "      they could not be installed; everything but the camera picture and the voice works without."
        )
    say(f"      for the simulator's camera and the voice: sudo {' '.join(command)}")


def _quietly(command: list[str], env: dict[str, str], limit_s: float) -> bool:
    try:
        return (
            subprocess.run(
                command, env=env, capture_output=True, timeout=limit_s, check=False, stdin=subprocess.DEVNULL
            ).returncode
            == 0
        )
    except (subprocess.TimeoutExpired, OSError):
        return False


def fingerprint(*parts: str) -> str:
    """Return a hash over the pins and ``parts``."""
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes())
    for part in parts:
        digest.update(b"\0" + part.encode())
    return digest.hexdigest()


def make_virtual_environment() -> None:
    """Make ``.venv`` unless a whole one for this Python and distribution is there."""
    kind = f"{distro()} {platform.python_version()} {VENV}"
    mark = VENV / "zulong-kind"
    if mark.is_file() and mark.read_text() == kind and (VENV / "bin" / "python").exists():
        return
    say(f"[2/4] virtual environment in {VENV}")
    if VENV.exists():
        shutil.rmtree(VENV)
    done = subprocess.run(
        [sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetUpError(
            f"python3 -m venv failed; on Debian and Ubuntu: sudo apt-get install python3-venv python3-dev\n{done.stdout}"
        )
    mark.write_text(kind)


def install_python_packages() -> None:
    """Install the pins of pyproject.toml and this package, editable."""
    extras = os.environ.get("ZULONG_EXTRAS") or f"test,ros-{distro()},ros-{distro()}-build"
    wanted = fingerprint(extras)
    stamp = VENV / "zulong-packages.sha256"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    stamp.unlink(missing_ok=True)
    say(f"[3/4] Python packages [{extras}] (about 1.5 GB, some minutes the first time)")
    log = STATE / "set-up-pip.log"
    command = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    _pip([*command, "--progress-bar", "off", "-e", f"{ROOT}[{extras}]"], log)
    stamp.write_text(wanted)


def _pip(command: list[str], log: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
    begun, seen = time.monotonic(), 0
    with log.open("w") as sink:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
        )
        try:
            for line in process.stdout or ():
                sink.write(line)
                if line.lstrip().startswith(
                    ("Downloading", "Using cached", "Installing collected", "Building")
                ):
                    seen += 1
                    _progress(seen, line.strip(), begun)
            code = process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(timeout=10.0)
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    if code != 0:
        tail = "\n".join(log.read_text().splitlines()[-12:])
        raise SetUpError(f"pip failed ({code}); the whole log is {log}. Its end:\n{tail}")
    say(f"      done in {time.monotonic() - begun:.0f} s")


def _progress(count: int, line: str, begun: float) -> None:
    text = re.sub(r"https?://\S+/", "", line)[:70]
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K      {time.monotonic() - begun:4.0f} s  {count:3d}  {text}")
        sys.stderr.flush()
    elif count % 25 == 0 or line.startswith("Installing"):
        say(f"      {time.monotonic() - begun:4.0f} s  {count:3d}  {text}")


_FOREIGN = frozenset(
    ("PYTHONPATH", "PYTHONHOME", "AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "LD_LIBRARY_PATH",
     "_ROS_WHEELS_BOOTSTRAP_COMPLETE")
)  # fmt: skip


def build_interfaces() -> None:
    """Build the ROS interfaces into ``.venv`` unless they are current."""
    env = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
    env["ROS_DISTRO"] = distro()
    script = str(ROOT / "scripts" / "build_interfaces.py")
    current = VENV / "share" / "zulong" / "interfaces.sha256"
    if not current.is_file():
        say("[4/4] ROS interfaces (about three minutes of processor time)")
    code = subprocess.run(
        [str(VENV / "bin" / "python"), script, "--if-needed"], env=env, check=False
    ).returncode
    if code != 0:
        raise SetUpError("the ROS interfaces could not be built, see above.")


def locked(steps: list[Callable[[], None]]) -> None:
    """Run ``steps``; a second set-up of the same checkout waits for the first."""
    STATE.mkdir(exist_ok=True)
    with (STATE / "set-up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up of this checkout runs; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        for step in steps:
            step()


def main() -> int:
    """Run every step; 1 with one clear message when one fails, 130 when interrupted."""
    try:
        check_machine()
        locked([install_system_packages, make_virtual_environment, install_python_packages, build_interfaces])
    except SetUpError as error:
        say(f"Set-up failed: {error}")
        return 1
    except KeyboardInterrupt:
        say("\nSet-up was interrupted; run it again and it goes on where it was.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
