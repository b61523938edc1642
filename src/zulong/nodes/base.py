"""The base of every ZULONG node: lifecycle, parameters, diagnostics, and work that keeps its limits.

A node file is a table of contents. It derives from ZulongNode, lists its parameters, and fills four hooks:

    setup      configure: make publishers, subscriptions, services, action servers; open files, load models
    start      activate: begin to act
    stop       deactivate: come to rest
    teardown   clean up: close what setup opened (ROS entities are destroyed by the base)

Everything runs on one SingleThreadedExecutor; work that takes long goes to a Worker or a goal's own thread.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable
from typing import Any, ClassVar

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rcl_interfaces.msg import SetParametersResult
from rclpy.clock import Clock, ClockType
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.parameter import Parameter as RosParameter
from rclpy.qos import QoSProfile

from zulong.nodes import names
from zulong.nodes.actions import GoalServer
from zulong.nodes.diagnostics import Health, Latency, Level, Period
from zulong.nodes.parameters import Parameter, as_plain, declare
from zulong.nodes.process import main
from zulong.nodes.sentences import brief, shorten
from zulong.nodes.workers import Worker

__all__ = ["ConfigurationError", "Health", "Level", "Parameter", "ZulongNode", "main"]

BASE_PARAMETERS = (
    Parameter(
        "diagnostics_period_s",
        1.0,
        "Time between two diagnostic messages; they are the node's heartbeat as well.",
        unit="s",
        minimum=0.1,
        maximum=10.0,
        read_only=True,
    ),
    Parameter(
        "autostart",
        False,
        "Whether the node configures and activates itself, where no supervisor does (ros2 run, ros2 launch).",
        read_only=True,
    ),
)
FAULT_PERIOD_S = 5.0
_SUCCESS = TransitionCallbackReturn.SUCCESS
_FAILURE = TransitionCallbackReturn.FAILURE
_ERROR = TransitionCallbackReturn.ERROR


class ConfigurationError(Exception):
    """A node cannot be configured; the message is one sentence: what is wrong, where, and what to do."""


class ZulongNode(LifecycleNode):
    """A lifecycle node with declared parameters, diagnostics and owned entities.

    Class attributes for subclasses:
        parameters: the table of the node's parameters.

    Raises (constructor):
        ParameterError: a parameter from the file or the command line is not allowed.
    """

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    # Rclpy's constructor calls our create_* overrides before ours has run: these must exist on the class.
    _owned: list[tuple[Callable[[Any], Any], Any]] | None = None

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        self._active = False
        self._state_label = "unconfigured"
        self._owned_by_setup: list[tuple[Callable[[Any], Any], Any]] = []
        self._owned_by_start: list[tuple[Callable[[Any], Any], Any]] = []
        self._workers: list[Worker] = []
        self._goal_servers: list[GoalServer] = []
        self._periods: dict[str, Period] = {}
        self._latencies: dict[str, Latency] = {}
        self._faults = 0
        self._newest_fault = ""
        self._fault_logged_s: dict[tuple[str, type], float] = {}
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._table = {each.name: each for each in (*BASE_PARAMETERS, *self.parameters)}
        self._values = declare(self, self._table.values())
        self.add_on_set_parameters_callback(self._judge_parameters)
        self.add_post_set_parameters_callback(self._take_parameters)
        self._diagnostics = self.create_publisher(DiagnosticArray, names.DIAGNOSTICS, 10)
        self.create_timer(self.param("diagnostics_period_s"), self.publish_diagnostics, clock=self._steady)
        self._answer_every_transition()

    # --- hooks for subclasses -------------------------------------------------------------------------------

    def setup(self) -> None:
        """Make everything; raise ConfigurationError when something is missing."""

    def start(self) -> None:
        """Begin to act."""

    def stop(self) -> None:
        """Come to rest. Called on deactivation, on errors and before the end; must not raise or wait long."""

    def teardown(self) -> None:
        """Close what setup opened. ROS entities, workers and goal servers are closed by the base."""

    def parameter_changed(self, name: str, value: Any) -> None:
        """React to a parameter that was set at run time (already validated and stored)."""

    def health(self) -> Health:
        """Say how the node is, for the diagnostics."""
        return Health()

    # --- for subclasses -------------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether the node is in the active state."""
        return self._active

    @property
    def state_label(self) -> str:
        """The lifecycle state: unconfigured, inactive, active or finalized."""
        return self._state_label

    def param(self, name: str) -> Any:
        """Return the present value of the declared parameter ``name``."""
        return self._values[name]

    def latency(self, name: str) -> Latency:
        """Return the latency figures called ``name`` (made at the first call); they appear in the diagnostics."""
        return self._latencies.setdefault(name, Latency())

    def period(self, name: str, wanted_s: float) -> Period:
        """Return the rhythm called ``name`` (made at the first call); it appears in the diagnostics."""
        return self._periods.setdefault(name, Period(wanted_s))

    def every(
        self, period_s: float, callback: Callable[[], None], name: str, *, node_clock: bool = False
    ) -> Any:
        """Call ``callback`` every ``period_s`` while active; its rhythm and duration are measured as ``name``.

        Runs on the steady clock, so that it goes on when simulated time stalls; ``node_clock`` changes that.
        """
        rhythm, duration = self.period(name, period_s), self.latency(name)

        def tick() -> None:
            if not self._active:
                rhythm.reset()
                return
            begun = time.monotonic()
            rhythm.tick(begun)
            self._guarded(name, callback)
            duration.note(time.monotonic() - begun)

        return self.create_timer(period_s, tick, clock=None if node_clock else self._steady)

    def subscribe(
        self,
        kind: type,
        topic: str,
        callback: Callable[[Any], None],
        profile: QoSProfile,
        *,
        when_inactive: bool = False,
    ) -> Any:
        """Subscribe; the callback runs only while active unless ``when_inactive``, and its duration is measured."""
        duration = self.latency(topic)

        def receive(message: Any) -> None:
            if self._active or when_inactive:
                begun = time.monotonic()
                self._guarded(topic, callback, message)
                duration.note(time.monotonic() - begun)

        return self.create_subscription(kind, topic, receive, profile)

    def serve(
        self, kind: Any, name: str, handler: Callable[[Any, Any], Any], *, when_inactive: bool = False
    ) -> Any:
        """Offer a service whose response carries ``error_code`` and ``error_msg``; every request gets an answer.

        ``handler(request, response) -> response``. An inactive node answers UNAVAILABLE, a handler that raises
        answers INTERNAL (std_srvs responses: ``success`` false and ``message``).
        """
        duration = self.latency(name)

        def answer(request: Any, response: Any) -> Any:
            if not (self._active or when_inactive):
                return _refuse(kind, "UNAVAILABLE", f"{self.get_name()} is {self._state_label}, not active.")
            begun = time.monotonic()
            try:
                return shorten(handler(request, response))
            except Exception as error:
                self.note_fault(name, error)
                return shorten(_refuse(kind, "INTERNAL", f"{self.get_name()} failed inside {name}: {error}"))
            finally:
                duration.note(time.monotonic() - begun)

        return self.create_service(kind, name, answer)

    def serve_goals(self, kind: Any, name: str, run: Callable[[Any], Any], **options: Any) -> GoalServer:
        """Offer an action; ``run(goal)`` works in the goal's own thread and returns the result. See GoalServer."""
        server = GoalServer(self, kind, name, run, **options)
        self._goal_servers.append(server)
        return server

    def worker(self, name: str, *, depth: int = 64, newest_only: bool = False) -> Worker:
        """Return a thread for long work; it is closed on clean-up."""
        worker = Worker(f"{self.get_name()}.{name}", depth=depth, newest_only=newest_only)
        self._workers.append(worker)
        return worker

    def post(self, call: Callable[..., Any], *args: Any) -> None:
        """Run ``call(*args)`` soon on the executor's thread; safe from any thread, never raises."""
        executor = self.executor
        if executor is not None:
            executor.create_task(self._guarded, getattr(call, "__name__", "post"), call, *args)

    def note_fault(self, where: str, error: BaseException) -> None:
        """Log an unexpected error with its traceback and count it in the diagnostics.

        One that comes again and again, as at the rate of a sensor, is logged once in FAULT_PERIOD_S.
        """
        self._faults += 1
        self._newest_fault = brief(f"{where}: {type(error).__name__}: {error}")
        kind, now = (where, type(error)), time.monotonic()
        if now - self._fault_logged_s.get(kind, -math.inf) < FAULT_PERIOD_S:
            return
        self._fault_logged_s[kind] = now
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        self.get_logger().error(f"Unexpected error in {where}: {brief(str(error))}\n{brief(text, 8000)}")

    @property
    def faults(self) -> int:
        """How many unexpected errors were caught since the start."""
        return self._faults

    def _guarded(self, where: str, call: Callable[..., Any], *args: Any) -> None:
        try:
            call(*args)
        except Exception as error:
            self.note_fault(where, error)

    # --- owned entities -------------------------------------------------------------------------------------

    def _own(self, destroy: Callable[[Any], Any], entity: Any) -> Any:
        if self._owned is not None:
            self._owned.append((destroy, entity))
        return entity

    def create_publisher(self, *args: Any, **kwargs: Any) -> Any:
        """As rclpy's; destroyed on clean-up when made in setup, on deactivation when made in start."""
        return self._own(self.destroy_publisher, super().create_publisher(*args, **kwargs))

    def create_subscription(self, *args: Any, **kwargs: Any) -> Any:
        """As rclpy's; owned like a publisher."""
        return self._own(self.destroy_subscription, super().create_subscription(*args, **kwargs))

    def create_timer(self, *args: Any, **kwargs: Any) -> Any:
        """As rclpy's; owned like a publisher."""
        return self._own(self.destroy_timer, super().create_timer(*args, **kwargs))

    def create_service(self, *args: Any, **kwargs: Any) -> Any:
        """As rclpy's; owned like a publisher."""
        return self._own(self.destroy_service, super().create_service(*args, **kwargs))

    def create_client(self, *args: Any, **kwargs: Any) -> Any:
        """As rclpy's; owned like a publisher."""
        return self._own(self.destroy_client, super().create_client(*args, **kwargs))

    @staticmethod
    def _destroy_all(owned: list[tuple[Callable[[Any], Any], Any]]) -> None:
        while owned:
            destroy, entity = owned.pop()
            destroy(entity)

    # --- lifecycle ------------------------------------------------------------------------------------------

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Run setup; a failure leaves nothing behind."""
        self._owned = self._owned_by_setup
        try:
            self.setup()
        except ConfigurationError as error:
            self.get_logger().error(f"{self.get_name()} cannot be configured: {error}")
            self._release()
            return _FAILURE
        except Exception as error:
            self.note_fault("setup", error)
            return _ERROR
        finally:
            self._owned = None
        result = super().on_configure(state)
        self._state_label = "inactive"
        return result

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Run start."""
        result = super().on_activate(state)
        self._owned = self._owned_by_start
        for rhythm in self._periods.values():
            rhythm.reset()
        try:
            self.start()
        except ConfigurationError as error:
            self.get_logger().error(f"{self.get_name()} cannot be activated: {error}")
            self._destroy_all(self._owned_by_start)
            return _FAILURE
        except Exception as error:
            self.note_fault("start", error)
            return _ERROR
        finally:
            self._owned = None
        self._active = True
        self._state_label = "active"
        self.publish_diagnostics()
        return result

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Cancel every goal and run stop."""
        self._come_to_rest("the node was deactivated")
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Release everything that setup made."""
        self._release()
        return super().on_cleanup(state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Come to rest and release everything."""
        self._come_to_rest("the node shuts down")
        self._release()
        self._state_label = "finalized"
        return super().on_shutdown(state)

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """After an unexpected error in a transition: back to unconfigured, ready to be configured again."""
        self._come_to_rest("an error stopped the node")
        self._release()
        return _SUCCESS

    def _answer_every_transition(self) -> None:
        """Answer a transition that the present state does not allow with success=false.

        rclpy raises instead of answering, and whoever asked would wait for ever.
        """
        service = getattr(self, "_service_change_state", None)
        if service is None:  # a node without the lifecycle services
            return
        inner = service.callback

        def answer(request: Any, response: Any) -> Any:
            try:
                return inner(request, response)
            except Exception as error:
                self.get_logger().warning(
                    f"Transition {request.transition.id} refused in {self._state_label}: {error}"
                )
                response.success = False
                return response

        service.callback = answer

    def bring_up(self) -> bool:
        """Configure and activate from inside; return whether the node is active."""
        steps = (self.trigger_configure, self.trigger_activate)
        return all(step() == _SUCCESS for step in steps)

    def cancel_goals(self, reason: str) -> None:
        """Cancel every goal of this node's action servers; their threads end by themselves."""
        for server in self._goal_servers:
            server.cancel_all(reason)

    @property
    def running_goals(self) -> int:
        """How many goals have not delivered their result."""
        return sum(server.running for server in self._goal_servers)

    def _come_to_rest(self, reason: str) -> None:
        was_active, self._active = self._active, False
        self.cancel_goals(reason)
        if was_active:
            self._guarded("stop", self.stop)
            self._state_label = "inactive"
        self._destroy_all(self._owned_by_start)

    def _release(self) -> None:
        self._guarded("teardown", self.teardown)
        for server in self._goal_servers:
            server.destroy()
        self._goal_servers.clear()
        for worker in self._workers:
            worker.close(timeout_s=0.5)
        self._workers.clear()
        self._destroy_all(self._owned_by_setup)
        self._state_label = "unconfigured"

    # --- parameters -----------------------------------------------------------------------------------------

    def _judge_parameters(self, changes: list[RosParameter]) -> SetParametersResult:
        for change in changes:
            known = self._table.get(change.name)
            problem = known.problem(change.value) if known is not None else None
            if problem:
                return SetParametersResult(successful=False, reason=problem)
        return SetParametersResult(successful=True)

    def _take_parameters(self, changes: list[RosParameter]) -> None:
        for change in changes:
            if change.name in self._table:
                self._values[change.name] = as_plain(change.value)
                self._guarded(
                    f"parameter {change.name}", self.parameter_changed, change.name, self._values[change.name]
                )

    # --- diagnostics ----------------------------------------------------------------------------------------

    def publish_diagnostics(self) -> None:
        """Publish the node's state, rhythms, latencies and health now."""
        status = DiagnosticStatus(name=self.get_fully_qualified_name(), hardware_id=self.get_namespace())
        health = self._ask_health()
        status.level = bytes([int(health.level)])
        status.message = health.message or self._state_label
        figures: dict[str, Any] = {"state": self._state_label, "faults": self._faults}
        if self._newest_fault:
            figures["newest_fault"] = self._newest_fault
        for name, rhythm in list(self._periods.items()):
            figures.update({f"period.{name}.{key}": value for key, value in rhythm.figures().items()})
        for name, duration in list(self._latencies.items()):
            figures.update({f"latency.{name}.{key}": value for key, value in duration.figures().items()})
        figures.update(health.values)
        status.values = [KeyValue(key=key, value=str(value)) for key, value in figures.items()]
        message = DiagnosticArray(status=[status])
        message.header.stamp = self.get_clock().now().to_msg()
        self._diagnostics.publish(message)

    def _ask_health(self) -> Health:
        if not self._active:
            return Health(Level.OK, self._state_label)
        try:
            return self.health()
        except Exception as error:
            self.note_fault("health", error)
            return Health(Level.ERROR, f"The node cannot judge its own health: {error}")


def _refuse(kind: Any, code: str, sentence: str) -> Any:
    """Return a response of the service ``kind`` that carries the error ``code`` and ``sentence``."""
    response = kind.Response()
    if hasattr(response, "error_code"):
        response.error_code = getattr(kind.Response, code, getattr(kind.Response, "INTERNAL", 1))
        response.error_msg = sentence
    elif hasattr(response, "success"):
        response.success = False
        response.message = sentence
    return response
