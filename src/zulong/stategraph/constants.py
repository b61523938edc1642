"""Public constants: where a graph starts and ends, and the tags the engine understands."""

from __future__ import annotations

from typing import Any

from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINTER,
    END,
    START,
    TAG_HIDDEN,
    TAG_NOSTREAM,
    TASKS,
)

__all__ = ("CONF", "CONFIG_KEY_CHECKPOINTER", "END", "START", "TAG_HIDDEN", "TAG_NOSTREAM", "TASKS")


def __getattr__(name: str) -> Any:
    import warnings

    from zulong.stategraph.warnings import LangGraphDeprecatedSinceV10

    if name in ("Send", "Interrupt"):
        from zulong.stategraph import types

        warnings.warn(
            f"Importing {name} from langgraph.constants is deprecated. "
            f"Please use 'from langgraph.types import {name}' instead.",
            LangGraphDeprecatedSinceV10,
            stacklevel=2,
        )
        return getattr(types, name)
    from zulong.stategraph import _keys

    if not name.startswith("_") and hasattr(_keys, name):
        warnings.warn(
            f"Importing {name} from langgraph.constants is deprecated: it is a private constant of the engine.",
            LangGraphDeprecatedSinceV10,
            stacklevel=2,
        )
        return getattr(_keys, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
