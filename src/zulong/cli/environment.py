"""The environment that ROS needs here, worked out once: for the command, the make targets and the tests.

Three cases: a sourced ROS workspace (nothing to do), a checkout with ``.venv`` over ROS wheels (library path,
prefix, own domain and home), and plain Python without ROS (one clear sentence).
"""

from __future__ import annotations

import os
import shlex
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from zulong.cli.domain import domain_of

WHEELS_GUARD = "_ROS_WHEELS_BOOTSTRAP_COMPLETE"
_REENTERED = "ZULONG_ENVIRONMENT_SET"


class NoRosError(RuntimeError):
    """ROS or the built interfaces are missing; the message says how to get them."""


def checkout() -> Path | None:
    """Return the root of the source checkout that this package runs from, or None if it is installed."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "package.xml").is_file() and (root / "src" / "zulong").is_dir() else None


def sourced_workspace(base: Mapping[str, str]) -> bool:
    """Whether ``base`` names a ROS prefix that holds ZULONG's interfaces and is not this Python's own."""
    for prefix in base.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if (
            prefix
            and Path(prefix) != Path(sys.prefix)
            and (Path(prefix) / "share/zulong/package.xml").is_file()
        ):
            return True
    return False


def _joined(new: list[str], old: str) -> str:
    parts = [*new, *(part for part in old.split(os.pathsep) if part)]
    return os.pathsep.join(dict.fromkeys(parts))


def _wheels(base: Mapping[str, str]) -> dict[str, str]:
    prefix = Path(sys.prefix)
    root = checkout()
    profile = str((root or prefix / "share" / "zulong") / "config" / "dds_profile.xml")
    libraries = sorted(Path(sysconfig.get_paths()["purelib"]).glob("ros_*.libs"))
    return {
        # The wheels' start-up hook would run Python a second time to set the library path: it is set here.
        WHEELS_GUARD: "1",
        "LD_LIBRARY_PATH": _joined(
            [str(prefix / "lib"), *(str(path) for path in libraries)], base.get("LD_LIBRARY_PATH", "")
        ),
        "AMENT_PREFIX_PATH": _joined([str(prefix)], base.get("AMENT_PREFIX_PATH", "")),
        "PATH": _joined([str(prefix / "bin")], base.get("PATH", "")),
        "VIRTUAL_ENV": str(prefix),
        "RMW_IMPLEMENTATION": base.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp"),
        # Two names: Jazzy's and Kilted's.
        "FASTRTPS_DEFAULT_PROFILES_FILE": base.get("FASTRTPS_DEFAULT_PROFILES_FILE", profile),
        "FASTDDS_DEFAULT_PROFILES_FILE": base.get("FASTDDS_DEFAULT_PROFILES_FILE", profile),
        "PYTHONUNBUFFERED": "1",
    }


def _own_world(root: Path, base: Mapping[str, str]) -> dict[str, str]:
    """A checkout keeps its state, its domain and its traffic to itself; what the caller set wins."""
    state = root / ".state"
    return {
        "ZULONG_HOME": base.get("ZULONG_HOME") or str(state / "home"),
        "ROS_DOMAIN_ID": base.get("ROS_DOMAIN_ID") or str(domain_of(state)),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": base.get("ROS_AUTOMATIC_DISCOVERY_RANGE") or "LOCALHOST",
        "ROS_LOG_DIR": base.get("ROS_LOG_DIR") or str(state / "log"),
    }


def changes(base: Mapping[str, str]) -> dict[str, str]:
    """Return the variables to set on top of ``base``; empty in a sourced ROS workspace.

    Raises:
        NoRosError: neither a sourced workspace nor built interfaces in this Python environment.
    """
    if sourced_workspace(base):
        return {}
    if not (Path(sys.prefix) / "share/zulong/interfaces.sha256").is_file():
        raise NoRosError(
            "This Python has no ROS interfaces of ZULONG: run `make setup` in the checkout and use .venv/bin/zulong, "
            "or build the package with colcon and source install/setup.bash."
        )
    result = _wheels(base)
    root = checkout()
    if root is not None:
        result.update(_own_world(root, base))
    return result


def enter() -> None:
    """Make sure that this process has the environment: start it again with it when needed (once).

    Raises:
        NoRosError: see ``changes``.
    """
    wanted = {key: value for key, value in changes(os.environ).items() if os.environ.get(key) != value}
    library_path = wanted.keys() & {"LD_LIBRARY_PATH"}
    os.environ.update(wanted)
    # The dynamic linker reads its path only at the start of a process; the rest works at once.
    if library_path and _REENTERED not in os.environ:
        os.environ[_REENTERED] = "1"
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ)  # noqa: S606 - the same program


def main() -> int:
    """Print the changes as shell commands, for ``scripts/env.sh``."""
    base = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    try:
        for key, value in changes(base).items():
            print(f"export {key}={shlex.quote(value)}")
    except NoRosError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
