"""What the tests of the loop share: a registry that records its calls, and loops over it."""

from __future__ import annotations

import pytest

from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.tools import ToolRegistry
from zulong.stategraph.checkpoint.memory import InMemorySaver


@pytest.fixture
def tools() -> ToolRegistry:
    """A registry with one tool that looks and one that changes something; both record their calls."""
    registry = ToolRegistry()
    registry.calls = []

    @registry.function()
    def look_for(what: str, where: str = "everywhere") -> str:
        """Look for something.

        Args:
            what: the thing.
            where: the place.
        """
        registry.calls.append(("look_for", what, where))
        return f"{what}: on the desk"

    @registry.function(has_side_effects=True)
    def move(what: str, to: str) -> dict:
        """Move something."""
        registry.calls.append(("move", what, to))
        return {"moved": what, "to": to}

    return registry


@pytest.fixture
def make_loop(make_model, tools):
    saver = InMemorySaver()

    def make(model=None, **options) -> ToolLoop:
        settings = LoopSettings(**({"time_limit_s": 20.0} | options.pop("settings", {})))
        registry = options.pop("tools", tools)
        return ToolLoop(model or make_model(), registry, saver, settings=settings, **options)

    return make
