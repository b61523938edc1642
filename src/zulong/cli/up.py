"""``zulong up``: the supervisor's process; ``down``, ``status`` and ``restart`` talk to it."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

from zulong.cli import control
from zulong.cli.console import Console
from zulong.cli.home import log_folder, run_folder
from zulong.nodes.table import NodeSpec, UnknownNodeError, selection

EXIT_NOT_RUNNING = 3
_DOWN_LIMIT_S = 20.0
_SPIN_S = 0.05


class AlreadyRunningError(RuntimeError):
    """Another supervisor holds this robot."""


def take_lock(folder: Path) -> IO[str]:
    """Return the held lock of this robot's run folder.

    Raises:
        AlreadyRunningError: another supervisor holds it.
    """
    handle = (folder / "supervisor.lock").open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        raise AlreadyRunningError(
            "ZULONG runs here already; see `zulong status`, end it with `zulong down`."
        ) from None
    return handle


def ros_arguments(arguments: argparse.Namespace) -> list[str]:
    """Return the ROS arguments that every node gets."""
    from zulong.resources import config_path

    result: list[str] = []
    params = arguments.params or config_path("params.yaml")
    result += ["--params-file", str(params)]
    if arguments.sim_time:
        result += ["-p", "use_sim_time:=true"]
    for pair in arguments.param or ():
        result += ["-p", pair]
    if arguments.log_level:
        result += ["--log-level", arguments.log_level]
    return result


def node_environment() -> dict[str, str]:
    """Return the environment of the nodes' processes."""
    env = dict(os.environ)
    # Ten processes that each start a thread per core would take the processor from the reflex.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        env.setdefault(name, "1")
    env["PYTHONUNBUFFERED"] = "1"
    return env


def up(arguments: argparse.Namespace) -> int:
    """Bring everything up and supervise it until Ctrl-C or ``zulong down``."""
    try:
        specs = selection(
            simulated=not arguments.no_sim,
            only=tuple(arguments.only or ()),
            without=tuple(arguments.without or ()),
        )
    except UnknownNodeError as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.background:
        return _background(arguments)
    folder = run_folder(arguments.namespace)
    try:
        lock = take_lock(folder)
    except AlreadyRunningError as error:
        print(error, file=sys.stderr)
        return 1
    with lock:
        return _supervise(arguments, specs, folder)


def _supervise(arguments: argparse.Namespace, specs: list[NodeSpec], folder: Path) -> int:
    import rclpy
    from rclpy.executors import SingleThreadedExecutor
    from rclpy.signals import SignalHandlerOptions

    from zulong.cli.sharedmemory import clean_dead_segments
    from zulong.cli.stopping import StopLatch
    from zulong.cli.supervisor import Supervisor

    stop = StopLatch()
    clean_dead_segments()
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("supervisor", namespace=arguments.namespace or None)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    console = Console([spec.name for spec in specs], quiet=arguments.quiet)
    supervisor = Supervisor(
        node,
        specs,
        namespace=arguments.namespace,
        arguments=ros_arguments(arguments),
        env=node_environment(),
        logs=log_folder(arguments.namespace),
        status_file=folder / "status.json",
        console=console,
    )
    server = control.ControlServer(folder, lambda request: _answer(supervisor, request))
    try:
        while not supervisor.finished:
            executor.spin_once(timeout_sec=_SPIN_S)
            server.poll()
            if stop.is_set():
                supervisor.stop()
            supervisor.tick()
    finally:
        server.close()
        executor.shutdown(timeout_sec=0.5)
        node.destroy_node()
        rclpy.try_shutdown()
        clean_dead_segments()
    if supervisor.failure:
        print(f"ZULONG went down: {supervisor.failure}", file=sys.stderr)
        return 1
    return 0


def _answer(supervisor: Any, request: dict[str, Any]) -> dict[str, Any]:
    command = request.get("command")
    if command == "status":
        return dict(supervisor.status())
    if command == "down":
        supervisor.stop()
        return {"ok": True}
    if command == "restart":
        problem = supervisor.restart(str(request.get("node", "")))
        return {"error": problem} if problem else {"ok": True}
    return {"error": f"unknown command {command!r}"}


def _background(arguments: argparse.Namespace) -> int:
    """Start the supervisor detached and wait until everything is up, or say why not."""
    folder = run_folder(arguments.namespace)
    command = [
        sys.executable,
        "-m",
        "zulong.cli.main",
        *(each for each in sys.argv[1:] if each != "--background"),
    ]
    log = log_folder(arguments.namespace) / "supervisor.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT, start_new_session=True
        )
    deadline = time.monotonic() + arguments.wait
    while time.monotonic() < deadline:
        if process.poll() is not None:
            print(log.read_text(errors="replace")[-2000:], file=sys.stderr)
            return process.returncode or 1
        try:
            status = control.request(folder, {"command": "status"}, timeout_s=1.0)
        except control.NotRunningError:
            status = {}
        if status.get("pid") == process.pid and status.get("state") in ("up", "degraded"):
            print(format_status(status))
            return 0 if status["state"] == "up" else 1
        time.sleep(0.1)
    print(f"Not everything is up after {arguments.wait:g} s; see `zulong status` and {log}.", file=sys.stderr)
    return 1


def down(arguments: argparse.Namespace) -> int:
    """Take everything down and wait for the end."""
    folder = run_folder(arguments.namespace)
    try:
        control.request(folder, {"command": "down"})
    except control.NotRunningError:
        return _no_answer(folder, 0)
    deadline = time.monotonic() + _DOWN_LIMIT_S
    while time.monotonic() < deadline:
        try:
            take_lock(folder).close()
        except AlreadyRunningError:
            time.sleep(0.05)
        else:
            print("ZULONG is down.")
            return 0
    print(f"It did not end within {_DOWN_LIMIT_S:g} s; see the log of `zulong up`.", file=sys.stderr)
    return 1


def _lock_is_held(folder: Path) -> bool:
    try:
        take_lock(folder).close()
    except AlreadyRunningError:
        return True
    return False


def _no_answer(folder: Path, status_when_down: int, sentence: str = "ZULONG is not running here.") -> int:
    """Tell a supervisor that is not there from one that hangs; return the exit status."""
    if not _lock_is_held(folder):
        print(sentence)
        return status_when_down
    try:
        pid = json.loads((folder / "status.json").read_text())["pid"]
    except (OSError, ValueError, KeyError):
        pid = "unknown"
    print(
        f"The supervisor (process {pid}) does not answer; its nodes end with it: kill -9 {pid}",
        file=sys.stderr,
    )
    return 1


def status(arguments: argparse.Namespace) -> int:
    """Show the nodes; 0 when everything is up, 1 when not, 3 when nothing runs."""
    folder = run_folder(arguments.namespace)
    try:
        answer = control.request(folder, {"command": "status"})
    except control.NotRunningError as error:
        if arguments.json:
            print(json.dumps({"state": "unknown" if _lock_is_held(folder) else "down", "nodes": []}))
            return EXIT_NOT_RUNNING
        return _no_answer(folder, EXIT_NOT_RUNNING, str(error))
    print(json.dumps(answer) if arguments.json else format_status(answer))
    return 0 if answer.get("state") == "up" else 1


def restart(arguments: argparse.Namespace) -> int:
    """Restart one node."""
    try:
        answer = control.request(
            run_folder(arguments.namespace), {"command": "restart", "node": arguments.node}
        )
    except control.NotRunningError as error:
        print(error, file=sys.stderr)
        return EXIT_NOT_RUNNING
    if "error" in answer:
        print(answer["error"], file=sys.stderr)
        return 2
    print(f"{arguments.node} is being restarted; see `zulong status`.")
    return 0


def format_status(answer: dict[str, Any]) -> str:
    """Return the status as a table for people."""
    lines = [
        f"ZULONG is {answer['state']}  (namespace {answer['namespace']}, ROS_DOMAIN_ID {answer['domain']})"
    ]
    lines.append(f"  {'node':<10} {'layer':<5} {'state':<12} {'pid':>7} {'restarts':>8} {'since':>9}  ")
    for each in answer["nodes"]:
        pid = each["pid"] if each["pid"] is not None else "-"
        lines.append(
            f"  {each['name']:<10} {each['layer']:<5} {each['state']:<12} {pid:>7} {each['restarts']:>8} "
            f"{each['since_s']:>7.1f} s  {each['message']}"
        )
    return "\n".join(lines)


def logs(arguments: argparse.Namespace) -> int:
    """Show the newest lines of the logs; with ``--follow`` go on until Ctrl-C."""
    from zulong.cli.child import shorten

    folder = log_folder(arguments.namespace)
    files = sorted(folder.glob(f"{arguments.node or '*'}.log"))
    if not files:
        print(f"There is no log of {arguments.node or 'any node'} in {folder}.", file=sys.stderr)
        return 1
    offsets: dict[Path, int] = {}
    try:
        while True:
            for path in files:
                first = path not in offsets
                size = path.stat().st_size
                start = 0 if first or size < offsets[path] else offsets[path]
                with path.open("rb") as source:
                    source.seek(start)
                    lines = source.read(size - start).decode("utf-8", "replace").splitlines()
                offsets[path] = size
                for line in lines[-arguments.lines :] if first else lines:
                    print(f"{path.stem:<10} | {shorten(line)}", flush=True)
            if not arguments.follow:
                return 0
            time.sleep(0.2)
    except KeyboardInterrupt:
        return 0
