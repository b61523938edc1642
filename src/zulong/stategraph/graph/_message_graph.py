"""The graph whose whole state is one conversation (deprecated)."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

from zulong.stategraph.graph.message import add_messages
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.warnings import LangGraphDeprecatedSinceV10


class MessageGraph(StateGraph[Any, Any, Any, Any]):
    """Deprecated: use a `StateGraph` whose state has a key `messages`."""

    def __init__(self) -> None:
        warnings.warn(
            "MessageGraph is deprecated in LangGraph v1.0.0, to be removed in v2.0.0. Please use StateGraph with a "
            "`messages` key instead.",
            category=LangGraphDeprecatedSinceV10,
            stacklevel=2,
        )
        super().__init__(Annotated[list[Any], add_messages])  # type: ignore[arg-type]
