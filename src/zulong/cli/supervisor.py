"""Brings the nodes up in order, keeps them up, takes them down.

One thread, one loop, nothing in it waits: processes are polled, lifecycle requests are sent and their answers
looked for later, logs are read from files, commands come over a socket. So Ctrl-C works at every moment.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray

from zulong.cli.child import Child, describe_exit, node_command
from zulong.cli.console import Console
from zulong.cli.respawn import Respawn, RespawnLimits
from zulong.cli.transitions import ACTIVATE, ACTIVE, CONFIGURE, INACTIVE, UNCONFIGURED, LifecycleDriver
from zulong.nodes import names
from zulong.nodes.process import EXIT_CONFIGURATION, EXIT_LIMIT_S, SUPERVISOR_VARIABLE
from zulong.nodes.table import NodeSpec

APPEAR_LIMIT_S = 60.0  # from the start of a process until its lifecycle services answer
HANG_LIMIT_S = 20.0  # silence of an active node's diagnostics after which it is taken for hung
KILL_AFTER_S = EXIT_LIMIT_S + 0.6
_STATUS_PERIOD_S = 1.0
_OWN_PAUSE_S = 2.0  # a longer gap between two of our own ticks: it was we who slept, not the nodes


class Phase(str, Enum):
    """What a supervised node is doing; the values are what people see."""

    WAITING = "waiting"  # its process runs or not yet, its turn has not come
    STARTING = "starting"
    CONFIGURING = "configuring"
    ACTIVATING = "activating"
    ACTIVE = "active"
    BACKING_OFF = "backing off"
    STOPPING = "stopping"
    GIVEN_UP = "given up"
    STOPPED = "stopped"


class Supervised:
    """One node under supervision."""

    def __init__(self, spec: NodeSpec, driver: LifecycleDriver, limits: RespawnLimits) -> None:
        self.spec = spec
        self.driver = driver
        self.respawn = Respawn(limits)
        self.child: Child | None = None
        self.phase = Phase.WAITING
        self.since = time.monotonic()
        self.message = ""
        self.was_active = False
        self.heard: float | None = None
        self.health = ""
        self.restart_wanted = False
        self.start_at = 0.0

    def enter(self, phase: Phase, message: str = "") -> None:
        """Change the phase."""
        self.phase = phase
        self.since = time.monotonic()
        self.message = message

    def lasted_s(self) -> float:
        """Return how long the present phase lasts."""
        return time.monotonic() - self.since


class Supervisor:
    """Supervises ``specs``. Call ``tick`` a few times a second; ``finished`` tells when all is over.

    Args:
        node: the rclpy node for the lifecycle clients; somebody else spins it.
        specs: the nodes, any order.
        namespace: ROS namespace of the robot, with leading slash; empty for none.
        arguments: further ROS arguments for every node.
        env: environment of the nodes.
        logs: folder of their logs.
        status_file: where the status is written for others to read.
        console: where logs and messages go.
        command: module and ROS arguments to a command line; replaced by tests.
    """

    def __init__(
        self,
        node: Any,
        specs: Sequence[NodeSpec],
        *,
        namespace: str,
        arguments: Sequence[str],
        env: dict[str, str],
        logs: Path,
        status_file: Path,
        console: Console,
        limits: RespawnLimits = RespawnLimits(),  # noqa: B008 - frozen
        command: Callable[[str, Sequence[str]], list[str]] = node_command,
    ) -> None:
        self._namespace = "/" + namespace.strip("/") if namespace.strip("/") else ""
        self._arguments = list(arguments)
        self._env = {**env, SUPERVISOR_VARIABLE: str(os.getpid())}
        self._logs = logs
        self._status_file = status_file
        self._console = console
        self._command = command
        self._begun = time.time()
        self._stopping = False
        self._failed = ""
        self._announced = False
        self._last_tick = time.monotonic()
        self._status_written = 0.0
        self.nodes = [
            Supervised(spec, LifecycleDriver(node, f"{self._namespace}/{spec.name}"), limits)
            for spec in sorted(specs, key=lambda spec: spec.order)
        ]
        self._by_full_name = {f"{self._namespace}/{each.spec.name}": each for each in self.nodes}
        node.create_subscription(DiagnosticArray, names.DIAGNOSTICS, self._hear, 50)
        for each in self.nodes:
            self._start(each)

    # --- what others ask ------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The whole: starting, up, degraded (something gave up or comes back), stopping, down."""
        phases = {each.phase for each in self.nodes}
        if phases <= {Phase.STOPPED, Phase.GIVEN_UP} and self._stopping:
            return "down"
        if self._stopping:
            return "stopping"
        if phases == {Phase.ACTIVE}:
            return "up"
        return "degraded" if self._announced else "starting"

    @property
    def finished(self) -> bool:
        """Whether everything was taken down."""
        return self.state == "down"

    @property
    def failure(self) -> str:
        """Why everything was taken down; empty when it was asked for."""
        return self._failed

    def status(self) -> dict[str, Any]:
        """Return the status as plain data."""
        return {
            "state": self.state,
            "pid": os.getpid(),
            "namespace": self._namespace or "/",
            "domain": int(self._env.get("ROS_DOMAIN_ID", "0") or 0),
            "started": self._begun,
            "failure": self._failed,
            "nodes": [self._node_status(each) for each in self.nodes],
        }

    @staticmethod
    def _node_status(each: Supervised) -> dict[str, Any]:
        return {
            "name": each.spec.name,
            "layer": each.spec.layer,
            "state": each.phase.value,
            "pid": each.child.pid if each.child is not None else None,
            "restarts": each.respawn.total,
            "since_s": round(each.lasted_s(), 1),
            "message": each.message or (each.health if each.phase is Phase.ACTIVE else ""),
        }

    def stop(self, reason: str = "") -> None:
        """Take everything down, last layer first. May be called at any moment and again."""
        if not self._stopping:
            self._stopping = True
            self._failed = reason
            self._console.say("taking everything down" + (f": {reason}" if reason else ""))

    def restart(self, name: str) -> str | None:
        """Restart one node; return what is wrong, or None."""
        if self._stopping:
            return "Everything is being taken down."
        for each in self.nodes:
            if each.spec.name == name:
                each.restart_wanted = True
                each.respawn.forget()
                if each.child is None or each.phase in (Phase.GIVEN_UP, Phase.BACKING_OFF):
                    self._start(each)
                else:
                    each.child.terminate()
                    each.enter(Phase.STOPPING, "restart asked for")
                return None
        return f"There is no node {name!r} here; the nodes are {', '.join(each.spec.name for each in self.nodes)}."

    # --- the loop -------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Look after every node once."""
        now = time.monotonic()
        if now - self._last_tick > _OWN_PAUSE_S:
            for each in self.nodes:
                each.heard = None
        self._last_tick = now
        for each in self.nodes:
            self._show_log(each)
            if self._stopping:
                self._take_down(each)
            else:
                self._look_after(each)
        self._announce()
        if now - self._status_written > _STATUS_PERIOD_S or self.finished:
            self.write_status()

    def write_status(self) -> None:
        """Write the status file, whole or not at all."""
        self._status_written = time.monotonic()
        fresh = self._status_file.with_suffix(".tmp")
        fresh.write_text(json.dumps(self.status(), indent=1))
        fresh.replace(self._status_file)

    def _announce(self) -> None:
        if self._announced or self._stopping:
            return
        settled = {Phase.ACTIVE, Phase.GIVEN_UP}
        if all(each.phase in settled for each in self.nodes):
            self._announced = True
            active = sum(each.phase is Phase.ACTIVE for each in self.nodes)
            took = time.time() - self._begun
            self._console.say(f"up: {active} of {len(self.nodes)} nodes active after {took:.1f} s")
            self.write_status()

    def _show_log(self, each: Supervised) -> None:
        if each.child is not None:
            for line in each.child.new_lines():
                self._console.node_line(each.spec.name, line)

    def _start(self, each: Supervised) -> None:
        # Last, so that it wins over the parameter file: two who configure one node would disturb each other.
        arguments = [*self._arguments, "-p", "autostart:=false"]
        if self._namespace:
            arguments += ["-r", f"__ns:={self._namespace}"]
        for old, new in each.spec.remappings:
            arguments += ["-r", f"{old}:={new}"]
        each.restart_wanted = False
        each.heard = None
        each.driver.reset()
        command = self._command(each.spec.module, arguments)
        each.child = Child(each.spec.name, command, self._env, self._logs / f"{each.spec.name}.log")
        each.enter(Phase.STARTING)

    def _look_after(self, each: Supervised) -> None:
        if each.phase is Phase.GIVEN_UP:
            return
        if each.phase is Phase.BACKING_OFF:
            if time.monotonic() >= each.start_at:
                self._console.say(f"{each.spec.name}: starting it again ({each.message})")
                self._start(each)
            return
        code = each.child.exit_code() if each.child is not None else None
        if code is not None:
            self._ended(each, code)
            return
        step = {
            Phase.STARTING: self._step_starting,
            Phase.WAITING: self._step_waiting,
            Phase.CONFIGURING: self._step_configuring,
            Phase.ACTIVATING: self._step_activating,
            Phase.ACTIVE: self._step_active,
            Phase.STOPPING: self._step_stopping,
        }[each.phase]
        step(each)

    def _step_starting(self, each: Supervised) -> None:
        state = each.driver.state()
        if state in (UNCONFIGURED, INACTIVE, ACTIVE):
            each.enter(Phase.WAITING, "waits for the layers below")
        elif each.lasted_s() > APPEAR_LIMIT_S:
            self._hung(each, f"its lifecycle services did not answer within {APPEAR_LIMIT_S:g} s")

    def _step_waiting(self, each: Supervised) -> None:
        if self._turn_has_come(each) and each.driver.ready_to_change():
            each.driver.change(CONFIGURE)
            each.enter(Phase.CONFIGURING)

    def _turn_has_come(self, each: Supervised) -> bool:
        """In the bring-up a node waits for all of lower order; after its first time it comes back at once."""
        if each.was_active or self._announced:
            return True
        below = (other for other in self.nodes if other.spec.order < each.spec.order)
        return all(other.phase in (Phase.ACTIVE, Phase.GIVEN_UP) or other.was_active for other in below)

    def _step_configuring(self, each: Supervised) -> None:
        changed = each.driver.changed()
        if changed:
            each.driver.change(ACTIVATE)
            each.enter(Phase.ACTIVATING)
        elif changed is False:
            self._hung(each, "it could not be configured, see its log above")
        elif each.lasted_s() > each.spec.configure_limit_s:
            self._hung(each, f"it was not configured within {each.spec.configure_limit_s:g} s")

    def _step_activating(self, each: Supervised) -> None:
        changed = each.driver.changed()
        if changed:
            each.was_active = True
            each.respawn.became_active()
            each.enter(Phase.ACTIVE)
            again = f" (restart {each.respawn.total})" if each.respawn.total else ""
            self._console.say(f"{each.spec.name}: active{again}")
        elif changed is False:
            self._hung(each, "it could not be activated, see its log above")
        elif each.lasted_s() > each.spec.activate_limit_s:
            self._hung(each, f"it was not activated within {each.spec.activate_limit_s:g} s")

    def _step_active(self, each: Supervised) -> None:
        if each.heard is not None and time.monotonic() - each.heard > HANG_LIMIT_S:
            self._hung(each, f"it has been silent for {HANG_LIMIT_S:g} s")

    def _step_stopping(self, each: Supervised) -> None:
        if each.lasted_s() > KILL_AFTER_S and each.child is not None:
            each.child.kill()

    def _hung(self, each: Supervised, reason: str) -> None:
        if each.child is not None:
            each.child.kill()
            self._show_log(each)
        self._crashed(each, reason)

    def _ended(self, each: Supervised, code: int) -> None:
        self._show_log(each)
        if each.restart_wanted:
            self._start(each)
        elif code == EXIT_CONFIGURATION:
            self._give_up(
                each, "a parameter is not allowed, see its log above; correct it, then `zulong restart`"
            )
        elif not each.spec.respawn:
            self._give_up(each, f"it {describe_exit(code)} and is not to be started again")
        else:
            self._crashed(each, f"it {describe_exit(code)}")

    def _crashed(self, each: Supervised, reason: str) -> None:
        if each.child is not None:
            each.child.kill()  # whatever it started goes with it
        delay = each.respawn.failed()
        if delay is None:
            failures = each.respawn.failures
            self._give_up(each, f"{reason}, {failures} times in a row; restarts do not help")
            return
        self._console.say(f"{each.spec.name}: {reason}; next start in {delay:g} s")
        each.start_at = time.monotonic() + delay
        each.enter(Phase.BACKING_OFF, reason)

    def _give_up(self, each: Supervised, reason: str) -> None:
        each.enter(Phase.GIVEN_UP, reason)
        log = self._logs / f"{each.spec.name}.log"
        self._console.say(f"{each.spec.name}: given up: {reason}. Its log: {log}")
        if each.spec.critical:
            self.stop(f"the robot must not run without {each.spec.name} ({reason})")

    def _take_down(self, each: Supervised) -> None:
        """One step of the way down: a node is asked to end once all above it have ended."""
        if each.phase in (Phase.STOPPED, Phase.GIVEN_UP):
            return
        if each.child is None or each.child.exit_code() is not None:
            self._show_log(each)
            each.enter(Phase.STOPPED)
            return
        if each.phase is not Phase.STOPPING:
            above = (other for other in self.nodes if other.spec.order > each.spec.order)
            if all(other.phase in (Phase.STOPPED, Phase.GIVEN_UP) for other in above):
                each.child.terminate()
                each.enter(Phase.STOPPING)
        elif each.lasted_s() > KILL_AFTER_S:
            self._console.say(f"{each.spec.name}: did not end in time, killed")
            each.child.kill()
            each.enter(Phase.STOPPING)  # a busy machine takes a while to bury it: say it once

    def _hear(self, message: DiagnosticArray) -> None:
        for status in message.status:
            each = self._by_full_name.get(status.name)
            if each is not None:
                each.heard = time.monotonic()
                each.health = status.message
