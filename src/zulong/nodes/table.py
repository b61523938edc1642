"""The one table of nodes: read by the supervisor, the launch file and CMake. Plain Python, no ROS.

Run as a script it prints the nodes' names, one a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, frozen=True)
class NodeSpec:
    """One node of the suite.

    Attributes:
        name: node name and executable name (``ros2 run zulong <name>``); its module is zulong.nodes.<name>.
        layer: L0, L1-A, ... as in the design.
        order: nodes are configured and activated by rising order, and stopped by falling order.
        description: one sentence.
        critical: when restarts of it do not help, everything is taken down: the robot must not go on without it.
        respawn: whether it is started again after a crash.
        configure_limit_s, activate_limit_s: longest time for these transitions, steady clock.
        remappings: (from, to) pairs of relative names.
        only_in_simulation: replaced by drivers on a real robot.
        optional: brought up only when asked for by name.
    """

    name: str
    layer: str
    order: int
    description: str
    critical: bool = False
    respawn: bool = True
    configure_limit_s: float = 60.0
    activate_limit_s: float = 20.0
    remappings: tuple[tuple[str, str], ...] = field(default=())
    only_in_simulation: bool = False
    optional: bool = False

    @property
    def module(self) -> str:
        """Module that is run with ``python -m``."""
        return f"zulong.nodes.{self.name}"


NODES: tuple[NodeSpec, ...] = (
    NodeSpec("sim", "L0", 0, "the embedded simulator in place of the drivers", only_in_simulation=True),
    NodeSpec("reflex", "L1-A", 10, "brakes within 50 ms; owns the only path to cmd_vel", critical=True),
    NodeSpec(
        "safety", "L1-E", 10, "watches hazards and heartbeats; latches the emergency stop", critical=True
    ),
    NodeSpec("scheduler", "L1-B", 20, "orders events by priority; gatekeeper, attention and power"),
    NodeSpec("memory", "L2", 20, "the memory graph as services"),
    NodeSpec("vision", "L1-C", 30, "from images to detections, tracks and scene"),
    NodeSpec("audio", "L1-D", 30, "from sound to utterances"),
    NodeSpec("gateway", "out", 30, "streams words and speech outward; stop, pause, resume"),
    NodeSpec("experts", "L3", 40, "the skills: navigation, manipulation, speech, perception"),
    NodeSpec("planner", "L2", 50, "understands instructions and carries them out"),
)


class UnknownNodeError(KeyError):
    """No node has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


def node(name: str) -> NodeSpec:
    """Return the node called ``name``.

    Raises:
        UnknownNodeError: there is none; the message lists the names.
    """
    for spec in NODES:
        if spec.name == name:
            return spec
    raise UnknownNodeError(
        f"There is no node {name!r}; the nodes are {', '.join(each.name for each in NODES)}."
    )


def selection(
    *, simulated: bool = True, only: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> list[NodeSpec]:
    """Return the nodes to bring up, in order.

    Args:
        simulated: with the embedded simulator; false where drivers or Gazebo give the topics.
        only: just these names; empty for all that are not optional.
        without: leave these out.

    Raises:
        UnknownNodeError: a name is unknown.
    """
    for name in (*only, *without):
        node(name)
    chosen = [
        spec
        for spec in NODES
        if (spec.name in only if only else not spec.optional)
        and spec.name not in without
        and (simulated or not spec.only_in_simulation)
    ]
    return sorted(chosen, key=lambda spec: spec.order)


if __name__ == "__main__":
    print("\n".join(spec.name for spec in NODES))
