"""Where the files that an integrator may edit are found: ``config/`` on disk, whatever way ZULONG was installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class ResourceNotFoundError(FileNotFoundError):
    """A configuration file is missing everywhere it was looked for."""


def _config_roots() -> Iterator[Path]:
    override = os.environ.get("ZULONG_CONFIG")
    if override:
        yield Path(override)
    # A source checkout wins over an installed copy: an edit must show at once.
    yield Path(__file__).resolve().parents[2] / "config"
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if prefix:
            yield Path(prefix) / "share" / "zulong" / "config"
    yield Path(sys.prefix) / "share" / "zulong" / "config"


def config_path(name: str) -> Path:
    """Return the path of the configuration file ``name``.

    Looked for in ``$ZULONG_CONFIG``, the source checkout, each prefix of ``AMENT_PREFIX_PATH`` and the
    Python prefix, in this order.

    Raises:
        ValueError: ``name`` leaves the configuration folder.
        ResourceNotFoundError: no such file; the message lists the folders.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise ValueError(f"Configuration name {name!r} must be a plain relative path inside config/.")
    roots = list(_config_roots())
    for root in roots:
        candidate = root / name
        if candidate.is_file():
            return candidate
    places = ", ".join(str(root) for root in roots)
    raise ResourceNotFoundError(
        f"Configuration file {name!r} was not found in {places}; set ZULONG_CONFIG to the folder that holds it."
    )


def read_yaml(path: Path) -> Any:
    """Return what a YAML file holds, as plain data only, read by the parser in C where there is one.

    Raises:
        OSError: the file cannot be read.
        yaml.YAMLError: it is not YAML.
    """
    import yaml

    with path.open(encoding="utf-8") as stream:
        return yaml.load(stream, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe


def zulong_home() -> Path:
    """Return the state folder: ``$ZULONG_HOME``, by default ``~/.zulong`` (not created here)."""
    return Path(os.environ.get("ZULONG_HOME") or Path.home() / ".zulong")
