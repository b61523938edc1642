"""Checks a graph before it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import RESERVED
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.pregel._node import PregelNode

if TYPE_CHECKING:
    from zulong.stategraph.pregel._parts import GraphParts


def sync_timeout_unsupported(name: str, kind: str = "Node") -> ValueError:
    """The error for a time-out on something that Python cannot stop."""
    return ValueError(
        "Node timeouts are only supported for async nodes because sync Python execution cannot be safely "
        f"cancelled in-process. {kind} '{name}' is sync. Make it async, or say with TimeoutPolicy(sync='fence') "
        "that it may be left behind."
    )


def _known(channels: Any) -> str:
    return repr(sorted(channels))[:100]


def validate_graph(graph: GraphParts) -> None:
    """See `Pregel.validate`."""
    channels = {k: c for k, c in graph.channels.items() if isinstance(c, BaseChannel)}
    for name in graph.channels:
        if name in RESERVED:
            kind = "Channel" if name in channels else "Managed"
            raise ValueError(f"{kind} name '{name}' is reserved")
    subscribed: set[str] = set()
    for name, node in graph.nodes.items():
        if name in RESERVED:
            raise ValueError(f"Node name '{name}' is reserved")
        if not isinstance(node, PregelNode):
            raise TypeError(f"Invalid node type {type(node)}, expected PregelNode or NodeBuilder")
        if node.timeout is not None and not node.is_async and node.timeout.sync != "fence":
            raise sync_timeout_unsupported(name)
        subscribed.update(node.triggers)
        for channel in [node.channels] if isinstance(node.channels, str) else node.channels:
            if channel not in graph.channels:
                raise ValueError(
                    f"Node {name} reads channel '{channel}' not in known channels: '{_known(channels)}'"
                )
    for channel in subscribed:
        if channel not in channels:
            raise ValueError(f"Subscribed channel '{channel}' not in known channels: '{_known(channels)}'")
    _check_inputs(graph.input_channels, channels, subscribed)
    for key in _names(graph.output_channels) | _names(graph.stream_channels):
        if key not in channels:
            raise ValueError(f"Output channel '{key}' not in known channels: '{_known(channels)}'")
    for nodes in (graph.interrupt_after_nodes, graph.interrupt_before_nodes):
        if nodes != "*":
            for name in nodes:
                if name not in graph.nodes:
                    raise ValueError(f"Node {name} not in nodes")


def _names(keys: str | Sequence[str] | None) -> set[str]:
    return {keys} if isinstance(keys, str) else set(keys or ())


def _check_inputs(inputs: str | Sequence[str], channels: Any, subscribed: set[str]) -> None:
    for channel in _names(inputs):
        if channel not in channels:
            raise ValueError(f"Input channel '{channel}' not in known channels: '{_known(channels)}'")
    if isinstance(inputs, str):
        if inputs not in subscribed:
            raise ValueError(f"Input channel {inputs} is not subscribed to by any node")
    elif subscribed.isdisjoint(inputs):
        raise ValueError(f"None of the input channels {inputs} are subscribed to by any node")
