"""The version of the engine, which is that of the installed package."""

from __future__ import annotations

__all__ = ("__version__",)  # noqa: F822 - read on demand, see __getattr__


def _read() -> str:
    from importlib import metadata

    try:
        return metadata.version("zulong")
    except metadata.PackageNotFoundError:
        return ""


def __getattr__(name: str) -> str:
    # Read on demand: importlib.metadata costs more than the rest of this package's import.
    if name == "__version__":
        return _read()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
