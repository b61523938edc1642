"""Every node of the suite keeps the promises of the base: lifecycle twice, diagnostics, a clean end in time."""

from __future__ import annotations

import signal

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import GetState

from zulong.nodes.table import NODES

LIMIT_S = 60.0
STEPS = (
    (Transition.TRANSITION_CONFIGURE, "inactive"),
    (Transition.TRANSITION_ACTIVATE, "active"),
    (Transition.TRANSITION_DEACTIVATE, "inactive"),
    (Transition.TRANSITION_CLEANUP, "unconfigured"),
    (Transition.TRANSITION_CONFIGURE, "inactive"),
    (Transition.TRANSITION_ACTIVATE, "active"),
)


@pytest.mark.feature("RB-01")
@pytest.mark.parametrize(
    ("number", "spec"), list(enumerate(NODES)), ids=lambda each: getattr(each, "name", "")
)
def test_a_node_goes_through_its_lifecycle_twice_and_ends_cleanly_in_time(
    ros_session, spawn, wait_until, number, spec
):
    heard: list[str] = []
    ros_session.node.create_subscription(
        DiagnosticArray,
        "/diagnostics",
        lambda message: heard.extend(each.name for each in message.status),
        50,
    )
    process = spawn("-m", spec.module)

    def state() -> str:
        answer = ros_session.call(
            GetState, f"{spec.name}/get_state", GetState.Request(), LIMIT_S, resend_s=2.0
        )
        return answer.current_state.label

    assert state() == "unconfigured"
    for transition, label in STEPS:
        assert ros_session.change_state(spec.name, transition, label, LIMIT_S), process.output()
        assert state() == label
    wait_until(lambda: f"/{spec.name}" in heard, 20.0, "its diagnostics are heard")
    process.signal((signal.SIGINT, signal.SIGTERM)[number % 2])
    status = process.wait(10.0)
    # The kernel ends a process with SIGALRM 1.9 s after the signal: status 0 means that it was quicker.
    assert status == 0, f"status {status}:\n{process.output()[-3000:]}"
    assert "Traceback" not in process.output(), process.output()[-3000:]
