"""Where a node keeps what must outlive it: one folder a robot, the same for every node."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from zulong.nodes.parameters import Parameter
from zulong.resources import zulong_home

if TYPE_CHECKING:
    from zulong.nodes.base import ZulongNode

STATE_DIR = Parameter(
    "state_dir", "", "Folder of the robot's state; empty: $ZULONG_HOME/<namespace>.", read_only=True
)
_UNNAMED = "robot"


def state_folder(node: ZulongNode, name: str) -> Path:
    """Return the folder ``name`` in the robot's state of a node that declares :data:`STATE_DIR`."""
    own = str(node.param(STATE_DIR.name))
    root = Path(own) if own else zulong_home() / (node.get_namespace().strip("/") or _UNNAMED)
    return root / name
