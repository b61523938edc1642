#!/usr/bin/env python3
"""Build the ROS interfaces of this checkout against a virtual environment of ROS wheels.

The interfaces are compiled in a temporary folder, installed into a staging folder and only then moved into
the prefix, so an interruption at any moment leaves either the old or no interfaces, never half of them.
A stamp with the hash of everything that goes in makes a second run a matter of milliseconds.

Needs only the Python standard library; run it with the Python of the virtual environment.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAMP = "share/zulong/interfaces.sha256"
MANIFEST = "share/zulong/interfaces.files"
RECIPE = 2  # count up when this script builds something else from the same files
# The machine that built the wheels had its Python here; CMake refuses folders that do not exist.
_FOREIGN_PYTHON_INCLUDE = re.compile(r"/opt/[^;\"\s)]*/include/python3\.\d+")
_FOREIGN_NUMPY_INCLUDE = re.compile(r"/opt/[^;\"\s)]*/numpy/_?core/include")


class BuildError(Exception):
    """The interfaces could not be built; the message says what failed and where the log is."""


def interface_files(root: Path) -> list[Path]:
    """Return every interface file of ``root``, sorted."""
    return sorted(path for kind in ("msg", "srv", "action") for path in (root / kind).glob(f"*.{kind}"))


def fingerprint(root: Path, python: str = sys.executable) -> str:
    """Return the hash of all that the built interfaces depend on."""
    digest = hashlib.sha256()
    digest.update(f"{python} {sys.version} {os.environ.get('ROS_DISTRO', 'jazzy')}\n".encode())
    digest.update(f"recipe {RECIPE}\n".encode())
    for path in [*interface_files(root), root / "CMakeLists.txt", root / "package.xml"]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    generators = sorted(Path(sys.prefix, "share").glob("rosidl_generator_py/package.xml"))
    for path in generators:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current(prefix: Path, wanted: str) -> bool:
    """Whether ``prefix`` holds the interfaces with the hash ``wanted``, every file of them."""
    stamp, manifest = prefix / STAMP, prefix / MANIFEST
    if not (stamp.is_file() and manifest.is_file()) or stamp.read_text().strip() != wanted:
        return False
    return all((prefix / name).exists() for name in manifest.read_text().splitlines())


def rewrite_baked_include_paths(environment: Path) -> int:
    """Replace include folders of a foreign machine in the wheels' CMake files; return how many files changed."""
    import numpy

    python_include = sysconfig.get_paths()["include"]
    numpy_include = numpy.get_include()
    changed = 0
    for path in environment.glob("share/*/cmake/*.cmake"):
        text = path.read_text()
        new = _FOREIGN_NUMPY_INCLUDE.sub(numpy_include, _FOREIGN_PYTHON_INCLUDE.sub(python_include, text))
        if new != text:
            fresh = path.with_suffix(".tmp")
            fresh.write_text(new)
            fresh.replace(path)
            changed += 1
    return changed


def build_environment(environment: Path) -> dict[str, str]:
    """Return the variables that CMake and the generators need to find the wheels in ``environment``."""
    result = dict(os.environ)
    # Another ROS installation in the caller's shell must not leak into this build.
    result.pop("PYTHONPATH", None)
    result.update(
        AMENT_PREFIX_PATH=str(environment),
        CMAKE_PREFIX_PATH=str(environment),
        ROS_DISTRO=os.environ.get("ROS_DISTRO", "jazzy"),
        PATH=f"{environment / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
        VIRTUAL_ENV=str(environment),
    )
    # The wheels' start-up hook sets the library path itself when its guard is absent.
    result.pop("_ROS_WHEELS_BOOTSTRAP_COMPLETE", None)
    return result


def _run(command: list[str], env: Mapping[str, str], log: Path, quiet: bool) -> None:
    with log.open("a") as sink:
        sink.write(f"$ {' '.join(command)}\n")
        sink.flush()
        process = subprocess.Popen(
            command, env=dict(env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert process.stdout is not None  # noqa: S101 - PIPE was asked for
        last = ""
        for line in process.stdout:
            sink.write(line)
            percent = re.match(r"\[\s*(\d+)%\]", line)
            if percent and percent[1] != last and not quiet:
                last = percent[1]
                _progress(f"interfaces {last:>3} %")
        code = process.wait()
    if code != 0:
        tail = "\n".join(log.read_text().splitlines()[-15:])
        raise BuildError(f"{command[0]} ended with {code}; the whole log is {log}. Its end:\n{tail}")


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r    {text} ")
        sys.stderr.flush()
    elif text.endswith("0 %"):
        sys.stderr.write(f"    {text}\n")


def _files_below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() or path.is_symlink():
            yield str(path.relative_to(folder))


def _publish(staging: Path, prefix: Path, wanted: str) -> None:
    """Move the staged tree into ``prefix``; drop what an earlier build left and this one does not have."""
    (prefix / STAMP).unlink(missing_ok=True)
    new = list(_files_below(staging))
    manifest = prefix / MANIFEST
    old = manifest.read_text().splitlines() if manifest.is_file() else []
    manifest.parent.mkdir(parents=True, exist_ok=True)
    # Written first, and with both generations: an interruption still knows every file to clean up.
    manifest.write_text("\n".join(sorted({*old, *new})) + "\n")
    for name in new:
        target = prefix / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(staging / name, target)
    for name in set(old) - set(new):
        (prefix / name).unlink(missing_ok=True)
    manifest.write_text("\n".join(new) + "\n")
    fresh = (prefix / STAMP).with_suffix(".tmp")
    fresh.write_text(wanted + "\n")
    fresh.replace(prefix / STAMP)


def build(root: Path, prefix: Path, environment: Path, *, jobs: int, quiet: bool = False) -> bool:
    """Build the interfaces of ``root`` into ``prefix`` if they are not there already.

    Returns whether anything was built. Raises BuildError with the end of the log when a step fails.
    """
    wanted = fingerprint(root)
    if is_current(prefix, wanted):
        return False
    prefix.mkdir(parents=True, exist_ok=True)
    lock_path = prefix / ".zulong-interfaces.lock"
    with lock_path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_current(prefix, wanted):  # somebody else built it while we waited
            return False
        rewrite_baked_include_paths(environment)
        log = prefix / "zulong-interfaces.log"
        log.write_text("")
        with tempfile.TemporaryDirectory(prefix="zulong-interfaces-") as scratch:
            _compile(root, Path(scratch), environment, log, jobs, quiet)
            _publish(Path(scratch) / "stage", prefix, wanted)
    return True


def _compile(root: Path, scratch: Path, environment: Path, log: Path, jobs: int, quiet: bool) -> None:
    env = build_environment(environment)
    stage = scratch / "stage"
    cmake = shutil.which("cmake", path=env["PATH"])
    if cmake is None:
        raise BuildError("cmake was not found; install it with: pip install 'zulong[build]'")
    # CMake refuses to export include folders that lie below the source folder, and .venv does: build a copy.
    source = scratch / "source"
    source.mkdir()
    for path in [*interface_files(root), root / "CMakeLists.txt", root / "package.xml"]:
        target = source / path.relative_to(root)
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)
    configure = [
        cmake, "-S", str(source), "-B", str(scratch / "build"),
        f"-DCMAKE_INSTALL_PREFIX={stage}",
        f"-DPython3_EXECUTABLE={environment / 'bin' / 'python'}",
        "-DCMAKE_BUILD_TYPE=Release",
        # Generated code is copies of fields: optimising it costs minutes of compile time and gains nothing.
        "-DCMAKE_C_FLAGS_RELEASE=-O1", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
        "-DZULONG_INSTALL_PYTHON=OFF", "-DBUILD_TESTING=OFF", "-Wno-dev",
    ]  # fmt: skip
    _run(configure, env, log, quiet)
    _run([cmake, "--build", str(scratch / "build"), "-j", str(jobs)], env, log, quiet)
    _run([cmake, "--install", str(scratch / "build")], env, log, quiet)
    if sys.stderr.isatty() and not quiet:
        sys.stderr.write("\n")
    # Without its own __init__.py the generated folder is a namespace portion, so the source tree's package
    # wins whatever the order of sys.path and takes the generated modules in (see zulong/__init__.py).
    for generated in stage.glob("lib/python*/site-packages/zulong/__init__.py"):
        generated.unlink()
    # This metadata names the package as pip's own: the next `pip install -e .` would take it for an older version
    # of the package and remove the generated modules with it.
    for metadata in stage.glob("lib/python*/site-packages/zulong-*.egg-info"):
        shutil.rmtree(metadata)


def main(argv: list[str] | None = None) -> int:
    """Run the build; exit status 1 with one clear message when it fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--prefix", type=Path, default=Path(sys.prefix), help="where to install (default: the venv)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="parallel compiler processes")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--if-needed", action="store_true", help="say nothing when they are up to date")
    arguments = parser.parse_args(argv)
    try:
        built = build(
            ROOT, arguments.prefix.resolve(), Path(sys.prefix), jobs=arguments.jobs, quiet=arguments.quiet
        )
    except BuildError as error:
        print(f"The ROS interfaces could not be built: {error}", file=sys.stderr)
        return 1
    if built or not (arguments.quiet or arguments.if_needed):
        print(f"    interfaces {'built' if built else 'up to date'} in {arguments.prefix}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
