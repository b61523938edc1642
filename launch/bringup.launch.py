"""Bring every ZULONG node up with ros2 launch, configured and activated in the order of the table of nodes.

    ros2 launch zulong bringup.launch.py
    ros2 launch zulong bringup.launch.py namespace:=robot1 use_sim:=false params_file:=/path/params.yaml

The table is the supervisor's own (zulong.nodes.table). A node is configured when all of lower order are active,
and comes back to active by itself after a crash.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, EmitEvent, OpaqueFunction, RegisterEventHandler, Shutdown
from launch.event_handlers import OnProcessExit
from launch.events import matches_action
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import LifecycleNode
from launch_ros.event_handlers import OnStateTransition
from launch_ros.events.lifecycle import ChangeState
from lifecycle_msgs.msg import Transition

from zulong.nodes.table import NodeSpec, selection
from zulong.resources import config_path

_TRUE = ("true", "1", "yes", "on")
RESPAWN_DELAY_S = 1.0


def _change(node: LifecycleNode, transition: int) -> EmitEvent:
    return EmitEvent(event=ChangeState(lifecycle_node_matcher=matches_action(node), transition_id=transition))


def _node(spec: NodeSpec, namespace: str, params_file: str, sim_time: bool) -> LifecycleNode:
    return LifecycleNode(
        package="zulong",
        executable=spec.name,
        name=spec.name,
        namespace=namespace,
        parameters=[params_file, {"use_sim_time": sim_time}],
        remappings=list(spec.remappings),
        output="screen",
        emulate_tty=True,
        respawn=spec.respawn and not spec.critical,
        respawn_delay=RESPAWN_DELAY_S,
    )


class _BringUp:
    """Configures each order's nodes once all nodes of lower order are active."""

    def __init__(self, nodes: list[tuple[NodeSpec, LifecycleNode]]) -> None:
        self._nodes = nodes
        self._active: set[str] = set()
        self._asked: set[str] = set()

    def next_actions(self) -> list[EmitEvent]:
        """Return the configure events whose turn has come and that were not sent yet."""
        waiting = [spec.order for spec, _ in self._nodes if spec.name not in self._active]
        if not waiting:
            return []
        turn = min(waiting)
        due = [(spec, node) for spec, node in self._nodes if spec.order == turn and spec.name not in self._asked]
        self._asked.update(spec.name for spec, _ in due)
        return [_change(node, Transition.TRANSITION_CONFIGURE) for _, node in due]

    def became_active(self, name: str) -> list[EmitEvent]:
        """Note an active node; return what follows."""
        self._active.add(name)
        return self.next_actions()


def _handlers(spec: NodeSpec, node: LifecycleNode, bring_up: _BringUp) -> list[RegisterEventHandler]:
    configured = OnStateTransition(
        target_lifecycle_node=node,
        start_state="configuring",
        goal_state="inactive",
        entities=[_change(node, Transition.TRANSITION_ACTIVATE)],
    )
    activated = OnStateTransition(
        target_lifecycle_node=node,
        goal_state="active",
        entities=[OpaqueFunction(function=lambda _context: bring_up.became_active(spec.name))],
    )
    handlers = [RegisterEventHandler(configured), RegisterEventHandler(activated)]
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
    return [*handlers, *(node for _, node in nodes), OpaqueFunction(function=lambda _context: bring_up.next_actions())]


def generate_launch_description() -> LaunchDescription:
    """Return the description that ros2 launch runs."""
    return LaunchDescription(
        [
            DeclareLaunchArgument("namespace", default_value="", description="ROS namespace of the robot"),
            DeclareLaunchArgument("use_sim", default_value="true", description="start the embedded simulator"),
            DeclareLaunchArgument("use_sim_time", default_value="false", description="use /clock"),
            DeclareLaunchArgument("params_file", default_value="", description="parameters; default config/params.yaml"),
            OpaqueFunction(function=_set_up),
        ]
    )
