"""A whole robot for tests: ``zulong up`` with the simulator in its own domain and home, and a client of its interfaces."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zulong.action import ExecuteTask
from zulong.msg import ReflexEvent
from zulong.srv import SimControl

from zulong.cli.session import Session
from zulong.nodes import names, qos
from zulong.nodes.goals import Ending, GoalClient, RemoteGoal

UP_LIMIT_S = 90.0


class Robot:
    """One robot that is up, and what a test does with it."""

    def __init__(self, session: Session, home: Path) -> None:
        from geometry_msgs.msg import Twist
        from nav_msgs.msg import Odometry
        from std_msgs.msg import Bool

        self.session = session
        self.home = home
        self.speed_mps = 0.0
        self.turn_rps = 0.0
        self.contacts = 0
        self.reflexes: list[tuple[float, ReflexEvent]] = []
        self.commands: list[tuple[float, float, float]] = []
        self._lock = threading.Lock()
        node = session.node
        self.tasks = GoalClient(node, ExecuteTask, names.EXECUTE_TASK)
        node.create_subscription(Odometry, names.ODOM, self._on_odometry, qos.sensor())
        node.create_subscription(Twist, names.CMD_VEL, self._on_command, qos.command())
        node.create_subscription(Bool, names.BUMPER, self._on_bumper, qos.sensor())
        node.create_subscription(ReflexEvent, names.REFLEX_EVENT, self._on_reflex, qos.event())

    def send(
        self, instruction: str, feedback: Callable[[Any], None] | None = None, **fields: Any
    ) -> RemoteGoal:
        """Send an ExecuteTask goal."""
        return self.tasks.send(ExecuteTask.Goal(instruction=instruction, **fields), feedback)

    def do(self, instruction: str, limit_s: float = 100.0, **fields: Any) -> Ending:
        """Send a goal and wait for its end."""
        return self.send(instruction, **fields).wait(limit_s)

    def sim(self, command: int, **fields: Any) -> dict[str, Any]:
        """Change the world; returns the state of what was changed."""
        answer = self.session.call(
            SimControl, names.SIM_CONTROL, SimControl.Request(command=command, **fields), timeout_s=10.0
        )
        assert answer.error_code == 0, answer.error_msg
        state: dict[str, Any] = json.loads(answer.state_json or "{}")
        return state

    def call(self, kind: Any, name: str, timeout_s: float = 10.0, **fields: Any) -> Any:
        """Call a service."""
        return self.session.call(kind, name, kind.Request(**fields), timeout_s=timeout_s)

    def zulong(self, *arguments: str, limit_s: float = 60.0) -> subprocess.CompletedProcess[str]:
        """Run a zulong command as a person would."""
        command = [sys.executable, "-m", "zulong.cli.main", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)

    def status(self) -> dict[str, dict[str, Any]]:
        """Return the supervisor's view of each node."""
        answer = json.loads(self.zulong("status", "--json").stdout)
        return {node["name"]: node for node in answer["nodes"]}

    def kill(self, name: str) -> int:
        """Kill a node's process with SIGKILL; returns the old process id."""
        pid = int(self.status()[name]["pid"])
        os.kill(pid, signal.SIGKILL)
        return pid

    def wait_active(self, name: str, old_pid: int, limit_s: float = 60.0) -> None:
        """Wait until a killed node is active again as a new process."""

        def back() -> bool:
            node = self.status()[name]
            return node["state"] == "active" and node["pid"] not in (None, old_pid)

        self.until(back, limit_s, f"{name} did not come back")

    def until(self, condition: Callable[[], bool], limit_s: float, otherwise: str) -> None:
        """Poll ``condition`` until it holds; fail with ``otherwise`` after ``limit_s``."""
        deadline = time.monotonic() + limit_s
        while not condition():
            assert time.monotonic() < deadline, f"{otherwise} within {limit_s:g} s"
            time.sleep(0.02)

    def at_rest(self) -> bool:
        """Whether the base stands still."""
        return abs(self.speed_mps) < 0.02 and abs(self.turn_rps) < 0.05

    def _on_odometry(self, odometry: Any) -> None:
        self.speed_mps = odometry.twist.twist.linear.x
        self.turn_rps = odometry.twist.twist.angular.z

    def _on_command(self, twist: Any) -> None:
        with self._lock:
            self.commands.append((time.time(), twist.linear.x, twist.angular.z))

    def _on_bumper(self, pressed: Any) -> None:
        self.contacts += bool(pressed.data)

    def _on_reflex(self, event: ReflexEvent) -> None:
        self.reflexes.append((time.time(), event))

    def stop_latency_s(self, event: ReflexEvent) -> float:
        """Return the time from the stamp of the scan that triggered until its stop command had been sent."""
        return _seconds(event.header.stamp) - _seconds(event.sensor_stamp)

    def stop_seen_after_s(self, event: ReflexEvent) -> float:
        """Return the time from that stamp until this process, an ordinary one, saw the first zero command."""
        stamp = _seconds(event.sensor_stamp)
        self.until(lambda: self._first_stop(stamp) is not None, 5.0, "no zero command came")
        return (self._first_stop(stamp) or stamp) - stamp

    def _first_stop(self, stamp: float) -> float | None:
        with self._lock:
            return next((at for at, linear, _ in self.commands if at >= stamp and linear == 0.0), None)


def _seconds(stamp: Any) -> float:
    return float(stamp.sec + stamp.nanosec / 1e9)


@contextmanager
def running_robot(home: Path, *arguments: str) -> Iterator[Robot]:
    """Bring a robot up in the environment of this process and take it down at the end, whatever happens."""
    command = [sys.executable, "-m", "zulong.cli.main"]
    shutil.rmtree(home, ignore_errors=True)
    started = subprocess.run(
        [*command, "up", "--background", "--wait", str(UP_LIMIT_S), *arguments],
        capture_output=True,
        text=True,
        timeout=UP_LIMIT_S + 20,
        check=False,
    )
    try:
        assert started.returncode == 0, started.stdout + started.stderr
        with Session(name="test_client") as session:
            robot = Robot(session, home)
            try:
                yield robot
            finally:
                robot.tasks.destroy()
    finally:
        subprocess.run([*command, "down"], capture_output=True, timeout=60, check=False)
