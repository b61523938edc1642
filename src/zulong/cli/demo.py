"""The demonstration: everything comes up, an errand is done, somebody stands in the way, memory survives a kill."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from zulong.cli import control
from zulong.cli.demo_watch import Watch
from zulong.cli.home import run_folder
from zulong.cli.session import Session
from zulong.msg import MemoryNode
from zulong.nodes import names
from zulong.nodes.services import ServiceError
from zulong.nodes.stamps import to_time
from zulong.resources import zulong_home
from zulong.srv import Recall, Remember, SimControl

ERRAND = "bring the red cup to the kitchen"
QUESTION = "红色的杯子在哪里？"
_UP_LIMIT_S, _ERRAND_LIMIT_S, _MOVING_LIMIT_S, _RESTART_LIMIT_S = 60.0, 110.0, 30.0, 30.0
_AHEAD_M = 0.6


class DemoError(RuntimeError):
    """A part of the demonstration failed; the message says which and why."""


class Demo:
    """One run: each step adds a row to the table at the end."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self._rows: list[tuple[str, str]] = []
        self._folder = run_folder("")
        self._state = zulong_home().parent / "demo"

    def run(self) -> int:
        """Run all steps; the exit status is 0 when everything happened as it should."""
        begun = time.monotonic()
        try:
            self._bring_up()
            with Session(name="zulong_demo") as session:
                watch = Watch(session.node)
                self._tell_memory(session)
                self._errand(session, watch)
                self._restart_memory()
                self._question(session)
                self._row("contacts with anything", str(watch.sights.contacts))
                if watch.sights.contacts:
                    raise DemoError("The robot touched something; the reflex must not let that happen.")
            self._row("whole demonstration", f"{time.monotonic() - begun:.1f} s")
        except (DemoError, ServiceError, control.NotRunningError) as error:
            self._table()
            print(
                f"\nDEMO FAILED: {error}\nLogs: zulong logs, or {self._folder.parent / 'log'}",
                file=sys.stderr,
            )
            return 1
        finally:
            self._end()
        self._table()
        print("\nEverything happened as it should.")
        if self._keep:
            print(
                'It goes on running. In another terminal: .venv/bin/zulong ask "bring me a cola"; end: make down'
            )
        return 0

    # --- steps ------------------------------------------------------------------------------------------

    def _bring_up(self) -> None:
        self._heading("Bringing up every layer")
        marker = self._state / "running"
        if self._supervisor() is not None:
            if not marker.exists():
                raise DemoError("ZULONG runs here already; end it with `make down`, then run the demo.")
            _zulong("down")
        shutil.rmtree(self._state, ignore_errors=True)
        self._state.mkdir(parents=True)
        marker.touch()
        begun = time.monotonic()
        state = ("-p", f"state_dir:={self._state}")
        ended = _zulong("up", "--background", "--wait", f"{_UP_LIMIT_S:g}", *state)
        if ended != 0:
            raise DemoError(f"Not every node came up (zulong up ended with {ended}).")
        self._row("bring-up of 10 nodes", f"{time.monotonic() - begun:.1f} s")

    def _tell_memory(self, session: Session) -> None:
        """What the robot knows from before: without it, it would look where cups usually are first."""
        request = Remember.Request()
        request.node.text = "The red cup is on the desk in the office. 红色的杯子在办公室的书桌上。"
        request.node.type = MemoryNode.TYPE_KNOWLEDGE
        request.node.tags = ["location", "object:red_cup", "place:desk", "place:office"]
        request.node.meta_json = json.dumps({"subject": "red_cup", "attribute": "location", "value": "desk"})
        request.node.stamp = to_time(time.time() - 60.0)
        request.node.has_place, request.node.room = True, "office"
        request.node.place.header.frame_id = "map"
        request.node.place.pose.position.x, request.node.place.pose.position.y = 10.0, 8.3
        begun = time.monotonic()
        answer = session.call(Remember, names.REMEMBER, request, timeout_s=10.0)
        if answer.error_code:
            raise DemoError(f"Memory did not take a fact: {answer.error_msg}")
        self._row("first durable write, with discovery", f"{(time.monotonic() - begun) * 1e3:.0f} ms")

    def _errand(self, session: Session, watch: Watch) -> None:
        self._heading(f'The errand, from another process: zulong ask "{ERRAND}"')
        watch.asked()
        asking = subprocess.Popen([sys.executable, "-m", "zulong.cli.main", "ask", ERRAND])
        begun = time.monotonic()
        try:
            self._obstacle(session, watch)
            ended = asking.wait(timeout=max(1.0, _ERRAND_LIMIT_S - (time.monotonic() - begun)))
        except subprocess.TimeoutExpired:
            raise DemoError(f"The errand did not end within {_ERRAND_LIMIT_S:g} s.") from None
        finally:
            if asking.poll() is None:
                asking.send_signal(signal.SIGINT)
                asking.wait(timeout=20.0)
        if ended != 0:
            raise DemoError(f"The errand did not succeed (zulong ask ended with {ended}).")
        self._row("errand, from words to done", f"{time.monotonic() - begun:.1f} s")
        if watch.sights.first_plan_s is not None:
            self._row(
                "words to plan, with the start of zulong ask", f"{watch.sights.first_plan_s * 1e3:.0f} ms"
            )

    def _obstacle(self, session: Session, watch: Watch) -> None:
        def driving(sights: Any) -> bool:
            return sights.speed_mps > 0.35 and abs(sights.turn_rps) < 0.15

        if not watch.until(driving, _MOVING_LIMIT_S):
            raise DemoError(f"The robot did not drive within {_MOVING_LIMIT_S:g} s.")
        step = SimControl.Request(command=SimControl.Request.STEP_IN_FRONT, value=_AHEAD_M)
        self._control(session, step)
        if not watch.until(lambda s: bool(s.stops), 5.0):
            raise DemoError("An obstacle stood in the way and no stop came within 5 s.")
        if not watch.until(lambda s: s.frozen_at is not None, 3.0):
            raise DemoError(
                "The reflex stopped the robot, but the planner did not freeze its task within 3 s."
            )
        watch.until(lambda s: False, 1.0)  # long enough for people to see it stand
        self._control(session, SimControl.Request(command=SimControl.Request.REMOVE, entity="passer_by"))
        if not watch.until(lambda s: s.thawed_at is not None, 8.0):
            raise DemoError("The way was free again, but the task did not go on within 8 s.")
        stop_ms = watch.sights.stops[0] * 1e3
        self._row("scan's stamp to stop command", f"{stop_ms:.1f} ms (limit 50)")
        self._row("task frozen, until it went on", f"{watch.sights.thawed_at - watch.sights.frozen_at:.1f} s")
        if stop_ms > 50.0:
            raise DemoError(f"The stop command came {stop_ms:.1f} ms after its scan; the limit is 50.")

    def _restart_memory(self) -> None:
        self._heading("kill -9 of the memory process")
        old = self._node("memory")["pid"]
        os.kill(old, signal.SIGKILL)
        begun = time.monotonic()
        while time.monotonic() - begun < _RESTART_LIMIT_S:
            node = self._node("memory")
            if node["state"] == "active" and node["pid"] not in (None, old):
                self._row("memory killed, until active again", f"{time.monotonic() - begun:.1f} s")
                print(f"memory is back as process {node['pid']}")
                return
            time.sleep(0.1)
        raise DemoError(f"Memory was not active again within {_RESTART_LIMIT_S:g} s.")

    def _question(self, session: Session) -> None:
        self._heading(f'The question: zulong ask "{QUESTION}"')
        request = Recall.Request(text=QUESTION, limit=3, hot_deadline_s=0.5, cold_deadline_s=1.0)
        recalled = session.call(Recall, names.RECALL, request, timeout_s=10.0)
        self._row("recall, inside the memory node", f"{recalled.elapsed_s * 1e3:.1f} ms")
        if _zulong("ask", QUESTION) != 0:
            raise DemoError("The question was not answered.")
        if "厨房" not in recalled.answer:
            raise DemoError(
                f"Memory should know that the cup is in the kitchen, but says: {recalled.answer!r}"
            )
        self._row("answer from memory", recalled.answer)

    # --- means ------------------------------------------------------------------------------------------

    def _control(self, session: Session, request: SimControl.Request) -> None:
        answer = session.call(SimControl, names.SIM_CONTROL, request, timeout_s=5.0)
        if answer.error_code:
            raise DemoError(f"The simulator refused: {answer.error_msg}")

    def _supervisor(self) -> dict[str, Any] | None:
        try:
            return control.request(self._folder, {"command": "status"}, timeout_s=2.0)
        except control.NotRunningError:
            return None

    def _node(self, name: str) -> dict[str, Any]:
        status = control.request(self._folder, {"command": "status"})
        return next(node for node in status["nodes"] if node["name"] == name)

    def _end(self) -> None:
        if self._keep and self._supervisor() is not None:
            return
        _zulong("down")
        (self._state / "running").unlink(missing_ok=True)

    def _heading(self, text: str) -> None:
        print(f"\n== {text}", flush=True)

    def _row(self, what: str, value: str) -> None:
        self._rows.append((what, value))

    def _table(self) -> None:
        if not self._rows:
            return
        width = max(len(what) for what, _ in self._rows)
        print("\nWhat happened")
        for what, value in self._rows:
            print(f"  {what:<{width}}  {value}")


def _zulong(*arguments: str) -> int:
    return subprocess.call([sys.executable, "-m", "zulong.cli.main", *arguments])


def main(argv: list[str] | None = None, run: Callable[[bool], int] | None = None) -> int:
    """Parse the command line and run the demonstration."""
    parser = argparse.ArgumentParser(
        prog="python -m zulong.cli.demo",
        description="Bring every layer up in the embedded simulator and do the main job, with a table at the end.",
        epilog="example: python -m zulong.cli.demo --keep",
    )
    parser.add_argument("--keep", action="store_true", help="leave everything running")
    arguments = parser.parse_args(argv)
    return (run or (lambda keep: Demo(keep).run()))(arguments.keep)


if __name__ == "__main__":
    raise SystemExit(main())
