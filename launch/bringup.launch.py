"""Bring every ZULONG node up with ros2 launch, in the order of the table of nodes.

    ros2 launch zulong bringup.launch.py
    ros2 launch zulong bringup.launch.py namespace:=robot1 use_sim:=false params_file:=/path/params.yaml

The table is the supervisor's own (zulong.nodes.table). Nodes of one order are started when all of lower order
are active, or after ORDER_LIMIT_S, so that one that cannot start does not keep the rest from it. Each configures
and activates itself (parameter autostart), so it comes back to active after a crash too.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, RegisterEventHandler, Shutdown, TimerAction
from launch.event_handlers import OnProcessExit
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import LifecycleNode
from launch_ros.event_handlers import OnStateTransition

from zulong.nodes.table import NodeSpec, selection
from zulong.resources import config_path

_TRUE = ("true", "1", "yes", "on")
RESPAWN_DELAY_S = 1.0
RESPAWN_TRIES = 5
ORDER_LIMIT_S = 10.0


def _node(spec: NodeSpec, namespace: str, params_file: str, sim_time: bool) -> LifecycleNode:
    return LifecycleNode(
        package="zulong",
        executable=spec.name,
        name=spec.name,
        namespace=namespace,
        parameters=[params_file, {"use_sim_time": sim_time, "autostart": True}],
        remappings=list(spec.remappings),
        output="screen",
        emulate_tty=True,
        respawn=spec.respawn and not spec.critical,
        respawn_delay=RESPAWN_DELAY_S,
        respawn_max_retries=RESPAWN_TRIES,
    )


class _BringUp:
    """Starts the nodes of each order once all of lower order are active."""

    def __init__(self, nodes: list[tuple[NodeSpec, LifecycleNode]]) -> None:
        self._nodes = nodes
        self._active: set[str] = set()
        self._started: set[str] = set()

    def next_actions(self) -> list:
        """Return the nodes whose turn has come and that were not started yet, and the limit of their turn."""
        waiting = [spec.order for spec, _ in self._nodes if spec.name not in self._active]
        if not waiting:
            return []
        turn = min(waiting)
        due = [
            (spec, node)
            for spec, node in self._nodes
            if spec.order == turn and spec.name not in self._started
        ]
        if not due:
            return []
        self._started.update(spec.name for spec, _ in due)
        limit = TimerAction(
            period=ORDER_LIMIT_S, actions=[OpaqueFunction(function=lambda _context: self.waited_for(turn))]
        )
        return [*(node for _, node in due), limit]

    def waited_for(self, order: int) -> list:
        """Wait no longer for the nodes of ``order``; return what follows."""
        self._active.update(spec.name for spec, _ in self._nodes if spec.order <= order)
        return self.next_actions()

    def became_active(self, name: str) -> list:
        """Note an active node; return what follows."""
        self._active.add(name)
        return self.next_actions()


def _handlers(spec: NodeSpec, node: LifecycleNode, bring_up: _BringUp) -> list[RegisterEventHandler]:
    activated = OnStateTransition(
        target_lifecycle_node=node,
        goal_state="active",
        entities=[OpaqueFunction(function=lambda _context: bring_up.became_active(spec.name))],
    )
    handlers = [RegisterEventHandler(activated)]
    if spec.critical:
        gone = OnProcessExit(
            target_action=node, on_exit=[Shutdown(reason=f"the robot must not run without {spec.name}")]
        )
        handlers.append(RegisterEventHandler(gone))
    return handlers


def _set_up(context, *_args, **_kwargs):
    def value(name: str) -> str:
        return LaunchConfiguration(name).perform(context)

    chosen = selection(simulated=value("use_sim").lower() in _TRUE)
    params_file = value("params_file") or str(config_path("params.yaml"))
    sim_time = value("use_sim_time").lower() in _TRUE
    nodes = [(spec, _node(spec, value("namespace"), params_file, sim_time)) for spec in chosen]
    bring_up = _BringUp(nodes)
    handlers = [handler for spec, node in nodes for handler in _handlers(spec, node, bring_up)]
    return [*handlers, *bring_up.next_actions()]


def generate_launch_description() -> LaunchDescription:
    """Return the description that ros2 launch runs."""
    return LaunchDescription(
        [
            DeclareLaunchArgument("namespace", default_value="", description="ROS namespace of the robot"),
            DeclareLaunchArgument(
                "use_sim", default_value="true", description="start the embedded simulator"
            ),
            DeclareLaunchArgument("use_sim_time", default_value="false", description="use /clock"),
            DeclareLaunchArgument(
                "params_file", default_value="", description="parameters; default config/params.yaml"
            ),
            OpaqueFunction(function=_set_up),
        ]
    )
