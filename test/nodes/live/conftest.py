"""Nodes of the suite alive in the test's own process, each on its own executor, with a client beside them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2", exc_type=ImportError)
pytest.importorskip("zulong.msg", reason="needs the built interfaces: make setup")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugins"))
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from ros_domain import ROOT, take_domain

from zulong.nodes.goals import GoalClient, RemoteGoal
from zulong.nodes.process import spin
from zulong.nodes.services import ServiceCaller

LIMIT_S = 60.0


class Live:
    """Nodes that run in this process; ``call`` and ``send`` come from a client node with an executor of its own."""

    def __init__(self) -> None:
        self._running: list[tuple[Any, SingleThreadedExecutor, threading.Thread]] = []
        self._stop = threading.Event()
        self._callers: dict[str, ServiceCaller] = {}
        self._clients: dict[str, GoalClient] = {}
        self.client = rclpy.create_node("client")
        self._spin(self.client)

    def start(self, node: Any) -> Any:
        """Bring a node up and spin it; returns it."""
        assert node.bring_up(), f"{node.get_name()} did not come up"
        self._spin(node)
        return node

    def _spin(self, node: Any) -> None:
        executor = SingleThreadedExecutor()
        executor.add_node(node)

        def work() -> None:
            node.spin_thread = threading.get_ident()
            spin(executor, self._stop.is_set, lambda error: node.get_logger().error(str(error)))

        thread = threading.Thread(target=work, name=node.get_name(), daemon=True)
        thread.start()
        self._running.append((node, executor, thread))

    def call(self, kind: Any, name: str, /, **fields: Any) -> Any:
        """Call a service with the fields of its request."""
        caller = self._callers.get(name)
        if caller is None:
            caller = self._callers[name] = ServiceCaller(self.client, kind, name)
        return caller.call(kind.Request(**fields), LIMIT_S)

    def send(
        self, kind: Any, name: str, feedback: Callable[[Any], None] | None = None, /, **fields: Any
    ) -> RemoteGoal:
        """Send a goal with the fields given."""
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = GoalClient(self.client, kind, name)
        return client.send(kind.Goal(**fields), feedback)

    def hear(self, kind: Any, topic: str, profile: Any) -> list[Any]:
        """Return a list that fills with the messages of a topic."""
        heard: list[Any] = []
        self.client.create_subscription(kind, topic, heard.append, profile)
        self.until(lambda: self.client.count_publishers(topic) > 0, f"somebody publishes {topic}")
        return heard

    def publisher(self, kind: Any, topic: str, profile: Any) -> Any:
        """Return a publisher that somebody listens to."""
        made = self.client.create_publisher(kind, topic, profile)
        self.until(lambda: made.get_subscription_count() > 0, f"somebody listens to {topic}")
        return made

    @staticmethod
    def until(condition: Callable[[], object], what: str) -> None:
        """Wait until a condition holds; fails with ``what``."""
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline, f"not within {LIMIT_S:g} s: {what}"
            time.sleep(0.01)

    def close(self) -> None:
        """Stop spinning, then end every node as its process would."""
        self._stop.set()
        for node, executor, thread in self._running:
            thread.join(5.0)
            if hasattr(node, "trigger_shutdown"):
                node.trigger_shutdown()
            executor.shutdown(timeout_sec=0.5)
            node.destroy_node()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Live]:
    """A domain, a state folder and the parameters that the module names in PARAMETERS (node.name: value)."""
    home = tmp_path_factory.mktemp("live")
    parameters = getattr(request.module, "PARAMETERS", {})
    arguments = ["--ros-args"] if parameters else []
    for name, value in parameters.items():
        node, _, parameter = name.partition(".")
        arguments += ["-p", f"{node}:{parameter}:={value}"]
    with take_domain() as domain, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROS_DOMAIN_ID", str(domain))
        patch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        patch.setenv("ZULONG_HOME", str(home))
        patch.setenv("ROS_LOG_DIR", str(home / "log"))
        for name in ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"):
            patch.setenv(name, str(ROOT / "config" / "dds_profile.xml"))
        rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
        bench = Live()
        try:
            yield bench
        finally:
            bench.close()
            rclpy.try_shutdown()
