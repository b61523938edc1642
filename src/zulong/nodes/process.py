"""How a node's process begins and ends: one executor, signals, and an end within two seconds whatever happens."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from zulong.nodes.parameters import ParameterError

EXIT_CONFIGURATION = 78  # EX_CONFIG of sysexits.h: starting again would not help
EXIT_LIMIT_S = 1.9  # steady clock, from the signal to the end of the process
GOALS_LIMIT_S = 1.0  # of these, for goals to come to rest and deliver their results
SUPERVISOR_VARIABLE = "ZULONG_SUPERVISOR_PID"
LISTENER_LIMIT_S = 1.5  # autostart waits so long for somebody to follow its transitions
_DELIVERY_S = 0.2
_SPIN_S = 0.1  # longest time until a signal is seen
_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Let the kernel end this process when its supervisor dies, however it dies.

    Only where the supervisor asked for it by its environment variable.
    """
    wanted = os.environ.pop(SUPERVISOR_VARIABLE, "")
    if not wanted.isdigit() or not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() != int(wanted):  # it died before the call above
        sys.exit(0)


def take_priority(priority: int) -> str:
    """Ask for SCHED_FIFO with ``priority`` (0: do not ask) and return the scheduling that holds now, in words.

    It is asked for every thread that the process has by now, those of the middleware that bring the scans
    included. Without the right to it (CAP_SYS_NICE, or an rtprio limit) ordinary scheduling goes on.
    """
    if priority <= 0 or not sys.platform.startswith("linux"):
        return "ordinary"
    try:
        for thread in os.listdir("/proc/self/task"):
            os.sched_setscheduler(int(thread), os.SCHED_FIFO, os.sched_param(priority))
    except OSError:
        return "ordinary (no right to SCHED_FIFO)"
    return f"SCHED_FIFO {priority}"


def prefer_process(niceness: int = -10) -> None:
    """Let this process go before ordinary ones where the system allows it; called before any thread is made."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
    except OSError:
        pass  # without the right to it the process runs as others do


class StopSignal:
    """SIGINT and SIGTERM as a latch; arms the hard limit for the end of the process at the first one."""

    def __init__(self) -> None:
        self.number = 0
        self._event = threading.Event()
        signal.signal(signal.SIGINT, self._receive)
        signal.signal(signal.SIGTERM, self._receive)

    def _receive(self, number: int, _frame: object) -> None:
        if self._event.is_set() and number == signal.SIGINT and self.number == signal.SIGINT:
            os._exit(130)  # a second Ctrl-C: the person means it
        self.number = number
        self._event.set()
        arm_hard_limit()

    def is_set(self) -> bool:
        """Whether a signal came."""
        return self._event.is_set()


def arm_hard_limit() -> None:
    """End the process after EXIT_LIMIT_S even if it hangs.

    The default action of SIGALRM needs no Python, so not even a library that keeps the interpreter's lock
    can hold it up.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, EXIT_LIMIT_S)


def spin(
    executor: SingleThreadedExecutor, stop: Callable[[], bool], fault: Callable[[BaseException], None]
) -> None:
    """Spin until ``stop()`` is true; an exception from a callback goes to ``fault`` and spinning goes on."""
    while not stop():
        try:
            executor.spin_once(timeout_sec=_SPIN_S)
        except ExternalShutdownException:
            return
        except Exception as error:
            fault(error)


def main(node_class: Callable[[], Any], argv: list[str] | None = None) -> int:
    """Run one node until SIGINT or SIGTERM; return the exit status.

    0 after a signal; 1 when ``autostart`` is set and the node cannot become active;
    78 when a parameter is not allowed (with one sentence on standard error).
    The node comes to rest, delivers the results of its goals and is gone within 2 s of the signal.
    """
    end_with_parent()
    rclpy.init(args=sys.argv if argv is None else argv, signal_handler_options=SignalHandlerOptions.NO)
    stop = StopSignal()
    try:
        node = node_class()
    except ParameterError as error:
        print(f"{getattr(node_class, '__name__', 'node')}: {error}", file=sys.stderr, flush=True)
        rclpy.try_shutdown()
        return EXIT_CONFIGURATION
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    node.spin_thread = threading.get_ident()
    status = 0
    try:
        if node.param("autostart"):
            _await_listener(node, executor)
        if node.param("autostart") and not node.bring_up():
            status = 1
        else:
            spin(executor, stop.is_set, lambda error: node.note_fault("a callback", error))
        arm_hard_limit()
        _finish(node, executor)
    finally:
        executor.shutdown(timeout_sec=0.1)
        node.destroy_node()
        rclpy.try_shutdown()
        signal.setitimer(signal.ITIMER_REAL, 0)
    sys.stdout.flush()
    sys.stderr.flush()
    if threading.active_count() > 1:
        os._exit(status)  # threads of libraries must not hold up the end; everything of ours is closed by now
    return status


def _await_listener(node: Any, executor: SingleThreadedExecutor) -> None:
    """Wait a moment for whoever follows the transitions (ros2 launch): what is published before is lost to him."""
    topic = f"{node.get_fully_qualified_name()}/transition_event"
    deadline = time.monotonic() + LISTENER_LIMIT_S
    spin(
        executor,
        lambda: node.count_subscribers(topic) > 0 or time.monotonic() > deadline,
        lambda error: node.note_fault("a callback", error),
    )


def _finish(node: Any, executor: SingleThreadedExecutor) -> None:
    def fault(error: BaseException) -> None:
        node.note_fault("a callback", error)

    if node.running_goals:
        node.cancel_goals("the node shuts down")
        deadline = time.monotonic() + GOALS_LIMIT_S
        spin(executor, lambda: node.running_goals == 0 or time.monotonic() > deadline, fault)
        # The results are set; they leave as tasks of their own, and DDS needs a moment to get them across.
        sent = time.monotonic() + _DELIVERY_S
        spin(executor, lambda: time.monotonic() > sent, fault)
    try:
        node.trigger_shutdown()
    except Exception as error:  # in the middle of a transition; the end must not depend on it
        node.get_logger().warning(f"No orderly lifecycle shutdown: {error}")
