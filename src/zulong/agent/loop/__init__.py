"""The function-calling loop: a model, tools, and everything that keeps the two from going in circles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zulong.agent.loop.driver import ToolLoop
    from zulong.agent.loop.settings import LoopSettings

__all__ = ["LoopSettings", "ToolLoop"]

_HOME = {
    "ToolLoop": "driver",
    "LoopSettings": "settings",
}


def __getattr__(name: str) -> Any:
    # Signals and nets import nothing heavy, and must not pull in the engine through this package.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
