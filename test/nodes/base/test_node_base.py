"""The base of every node, driven from outside as a real process (example_node.py)."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetState
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, SetParameters
from std_msgs.msg import String
from zulong.action import ExecuteSkill
from zulong.srv import SetPower

from zulong.nodes import qos
from zulong.nodes.goals import GoalClient, GoalLostError, GoalRejectedError
from zulong.nodes.services import ServiceCaller, ServiceTimeoutError, ServiceUnavailableError

EXAMPLE = str(Path(__file__).with_name("example_node.py"))
APPEAR_S = 20.0
CONFIGURE, ACTIVATE = Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE
DEACTIVATE, CLEANUP = Transition.TRANSITION_DEACTIVATE, Transition.TRANSITION_CLEANUP


class Remote:
    """The example node seen from outside."""

    def __init__(self, session, process) -> None:
        self.session = session
        self.process = process
        self._change = ServiceCaller(session.node, ChangeState, "example/change_state")
        self._state = ServiceCaller(session.node, GetState, "example/get_state")

    def change(self, *transitions: int) -> list[bool]:
        self.state()  # somebody answers: a request sent before that could be lost to a killed predecessor
        answers = []
        for transition in transitions:
            request = ChangeState.Request()
            request.transition.id = transition
            answers.append(self._change.call(request, APPEAR_S).success)
        return answers

    def state(self) -> str:
        return self._state.call(GetState.Request(), APPEAR_S, resend_s=0.5).current_state.label

    def set(self, name: str, value: ParameterValue):
        request = SetParameters.Request(parameters=[ParameterMessage(name=name, value=value)])
        return self.session.call(SetParameters, "example/set_parameters", request, APPEAR_S).results[0]

    def collect(self, kind, topic, profile) -> list:
        received: list = []
        self.session.node.create_subscription(kind, topic, received.append, profile)
        return received

    def figures(self, messages: list[DiagnosticArray]) -> dict[str, str]:
        newest = [status for message in messages for status in message.status if status.name == "/example"][
            -1
        ]
        return {each.key: each.value for each in newest.values}


@pytest.fixture
def example(ros_session, spawn):
    return Remote(ros_session, spawn(EXAMPLE))


def double(value: float) -> ParameterValue:
    return ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value)


def text(value: str) -> ParameterValue:
    return ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value)


@pytest.mark.feature("RB-01")
def test_a_node_goes_through_its_whole_lifecycle_twice_and_acts_only_while_active(example, wait_until):
    said = example.collect(String, "said", qos.event())
    assert example.state() == "unconfigured"
    for _ in range(2):
        assert example.change(CONFIGURE) == [True]
        said.clear()
        time.sleep(0.3)
        assert said == [], "an inactive node must not speak"
        assert example.change(ACTIVATE) == [True]
        wait_until(lambda: any(message.data == "hello" for message in said), 5.0, "the active node speaks")
        assert example.change(DEACTIVATE) == [True]
        wait_until(lambda: said[-1].data == "bye", 5.0, "stop() ran")
        assert example.change(CLEANUP) == [True]
        assert example.state() == "unconfigured"


def test_a_transition_that_the_state_does_not_allow_is_answered_and_changes_nothing(example):
    assert example.change(ACTIVATE) == [False]
    assert example.change(CONFIGURE, CONFIGURE, 99) == [True, False, False]
    assert example.state() == "inactive"


def test_a_node_with_autostart_becomes_active_by_itself_or_ends_with_status_one(
    ros_session, spawn, wait_until
):
    example = Remote(ros_session, spawn(EXAMPLE, "--ros-args", "-p", "autostart:=true"))
    wait_until(lambda: example.state() == "active", APPEAR_S, "the node is active by itself")
    broken = spawn(EXAMPLE, "--ros-args", "-p", "autostart:=true", "-p", "model_path:=/nowhere")
    assert broken.wait(APPEAR_S) == 1
    assert "model_path /nowhere does not exist" in broken.output()


def test_what_setup_cannot_find_fails_the_configuration_with_a_sentence(ros_session, spawn):
    example = Remote(ros_session, spawn(EXAMPLE, "--ros-args", "-p", "model_path:=/nowhere/model.bin"))
    assert example.change(CONFIGURE) == [False]
    assert example.state() == "unconfigured"
    assert "model_path /nowhere/model.bin does not exist; give an existing file." in example.process.output()


def test_a_bug_in_setup_is_logged_with_its_traceback_and_leaves_the_node_unconfigured(ros_session, spawn):
    example = Remote(ros_session, spawn(EXAMPLE, "--ros-args", "-p", "trouble:=setup raises"))
    assert example.change(CONFIGURE) == [False]
    assert example.state() == "unconfigured"
    output = example.process.output()
    assert "a bug in setup" in output
    assert "Traceback" in output


@pytest.mark.feature("RB-01")
def test_parameters_have_descriptors_and_refuse_what_is_not_allowed(example):
    request = DescribeParameters.Request(names=["rate_hz", "greeting", "model_path"])
    rate, greeting, path = example.session.call(
        DescribeParameters, "example/describe_parameters", request, APPEAR_S
    ).descriptors
    assert rate.floating_point_range[0].from_value == 1.0
    assert rate.floating_point_range[0].to_value == 100.0
    assert "[Hz]" in rate.description
    assert "one of hello, nihao" in greeting.additional_constraints
    assert path.read_only

    assert not example.set("rate_hz", double(1000.0)).successful
    assert not example.set("rate_hz", double(float("nan"))).successful
    assert not example.set("rate_hz", text("fast")).successful
    refused = example.set("greeting", text("hola"))
    assert not refused.successful
    assert "hello, nihao" in refused.reason
    assert not example.set("model_path", text("/elsewhere")).successful
    assert example.set("greeting", text("nihao")).successful

    answer = example.session.call(
        GetParameters,
        "example/get_parameters",
        GetParameters.Request(names=["rate_hz", "greeting", "tags"]),
        APPEAR_S,
    )
    assert answer.values[0].double_value == 20.0
    assert answer.values[1].string_value == "nihao"
    assert "greeting is now nihao" in example.process.output()


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [("rate_hz:=0.5", "rate_hz"), ("greeting:=hola", "hello, nihao"), ("tags:=[1, 2]", "tags")],
)
def test_a_bad_parameter_at_start_ends_the_process_with_the_configuration_status(spawn, setting, sentence):
    process = spawn(EXAMPLE, "--ros-args", "-p", setting)
    assert process.wait(15.0) == 78
    assert sentence in process.output()
    assert "Traceback" not in process.output()


@pytest.mark.feature("RB-01")
def test_diagnostics_tell_state_rhythm_misses_latency_and_faults(example, wait_until):
    messages = example.collect(DiagnosticArray, "/diagnostics", 10)
    wait_until(lambda: messages, APPEAR_S, "diagnostics of the unconfigured node")
    assert example.figures(messages)["state"] == "unconfigured"
    example.change(CONFIGURE, ACTIVATE)
    hear = example.session.node.create_publisher(String, "heard", qos.event())
    wait_until(lambda: hear.get_subscription_count() > 0, 10.0, "the subscription is matched")
    hear.publish(String(data="raise"))
    hear.publish(String(data="good"))
    wait_until(lambda: example.figures(messages).get("faults") == "1", 10.0, "the fault is counted")
    wait_until(
        lambda: example.figures(messages).get("heard") == "2", 10.0, "the node went on after the fault"
    )
    figures = example.figures(messages)
    assert figures["state"] == "active"
    assert "a bug in a callback" in figures["newest_fault"]
    assert float(figures["period.speak.mean_ms"]) == pytest.approx(50.0, rel=0.5)
    assert int(figures["period.speak.misses"]) >= 0
    assert float(figures["latency.heard.max_ms"]) > 0.0


def test_a_list_parameter_may_be_empty_at_first_and_filled_later(ros_session, spawn):
    example = Remote(ros_session, spawn(EXAMPLE, "--ros-args", "-p", "tags:=[a, b]"))
    assert example.state() == "unconfigured"
    numbers = ParameterValue(type=ParameterType.PARAMETER_INTEGER_ARRAY, integer_array_value=[1])
    assert "list of str" in example.set("tags", numbers).reason
    words = ParameterValue(type=ParameterType.PARAMETER_STRING_ARRAY, string_array_value=["c"])
    assert example.set("tags", words).successful
    assert "tags is now ['c']" in example.process.output()


def test_a_service_always_answers_inactive_active_and_with_a_bug(example):
    power = ServiceCaller(example.session.node, SetPower, "set_power")
    example.change(CONFIGURE)
    assert power.call(SetPower.Request(mode=1), 10.0).error_code == SetPower.Response.UNAVAILABLE
    example.change(ACTIVATE)
    assert power.call(SetPower.Request(mode=1), 10.0).mode == 1
    broken = power.call(SetPower.Request(mode=99), 10.0)
    assert broken.error_code == SetPower.Response.INTERNAL
    assert "a bug in a service" in broken.error_msg


def test_a_service_that_nobody_offers_and_one_that_hangs_are_told_apart_in_time(example):
    with pytest.raises(ServiceUnavailableError, match="nobody"):
        ServiceCaller(example.session.node, SetPower, "nobody").call(SetPower.Request(), 0.3)
    example.change(CONFIGURE, ACTIVATE)
    power = ServiceCaller(example.session.node, SetPower, "set_power")
    power.call(SetPower.Request(), 10.0)
    example.process.signal(signal.SIGSTOP)
    begun = time.monotonic()
    with pytest.raises(ServiceTimeoutError, match="set_power"):
        power.call(SetPower.Request(), 0.5)
    assert time.monotonic() - begun < 3.0
    example.process.signal(signal.SIGCONT)


@pytest.mark.feature("RB-01")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("busy", ["idle", "in a goal", "in a callback that hangs"])
def test_a_signal_ends_the_process_within_two_seconds(example, wait_until, number, busy):
    example.change(CONFIGURE, ACTIVATE)
    if busy == "in a goal":
        client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
        goal = client.send(ExecuteSkill.Goal(skill="wait", task_node_id="60"))
        wait_until(lambda: goal.accepted, 10.0, "the goal is accepted")
    elif busy == "in a callback that hangs":
        hear = example.session.node.create_publisher(String, "heard", qos.event())
        wait_until(lambda: hear.get_subscription_count() > 0, 10.0, "the subscription is matched")
        hear.publish(String(data="hang"))
        time.sleep(0.2)
    example.process.signal(number)
    status = example.process.wait(10.0)
    # The kernel ends a process with SIGALRM 1.9 s after the signal: status 0 means that it was quicker.
    if busy == "in a callback that hangs":
        assert status == -signal.SIGALRM, "the hard limit of the kernel ended it"
    else:
        assert status == 0, example.process.output()[-2000:]
    if busy == "in a goal":
        ending = goal.wait(5.0)
        assert ending.canceled
        assert ending.result.error_code == ExecuteSkill.Result.CANCELED


@pytest.mark.feature("RB-09")
def test_no_cancel_is_lost_whenever_it_comes(example, wait_until):
    example.change(CONFIGURE, ACTIVATE)
    client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
    wait_until(lambda: client.server_ready, 10.0, "the action server is seen")
    for delay_s in (0.0, 0.0, 0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15):
        goal = client.send(ExecuteSkill.Goal(skill="wait", task_node_id="30"))
        time.sleep(delay_s)
        goal.cancel()
        ending = goal.wait(10.0)
        assert ending.canceled, f"cancel after {delay_s} s"
        assert ending.result.error_code == ExecuteSkill.Result.CANCELED


@pytest.mark.feature("RB-09")
def test_a_cancel_that_meets_the_end_of_a_goal_harms_neither(example, wait_until):
    example.change(CONFIGURE, ACTIVATE)
    client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
    wait_until(lambda: client.server_ready, 10.0, "the action server is seen")
    for step in range(20):
        goal = client.send(ExecuteSkill.Goal(skill="wait", task_node_id="0.05"))
        time.sleep(0.045 + 0.0007 * step)
        goal.cancel()
        ending = goal.wait(10.0)
        assert ending.result.error_code in (ExecuteSkill.Result.SUCCEEDED, ExecuteSkill.Result.CANCELED)
        assert ending.canceled == (ending.result.error_code == ExecuteSkill.Result.CANCELED)
    assert "invalid" not in example.process.output().lower()
    assert example.process.running


def test_many_goals_at_once_all_end_and_a_bug_in_one_becomes_its_result(example, wait_until):
    example.change(CONFIGURE, ACTIVATE)
    client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
    wait_until(lambda: client.server_ready, 10.0, "the action server is seen")
    progress: list[float] = []
    goals = [
        client.send(
            ExecuteSkill.Goal(skill="wait", task_node_id="0.3"), lambda f: progress.append(f.progress)
        )
    ]
    goals += [client.send(ExecuteSkill.Goal(skill="wait", task_node_id="0.3")) for _ in range(9)]
    broken = client.send(ExecuteSkill.Goal(skill="raise"))
    assert all(goal.wait(10.0).result.error_code == 0 for goal in goals)
    assert progress == sorted(progress)
    assert progress
    ending = broken.wait(10.0)
    assert ending.result.error_code == ExecuteSkill.Result.INTERNAL
    assert "a bug in a skill" in ending.result.error_msg


def test_goals_are_refused_while_inactive_and_canceled_by_deactivation(example, wait_until):
    example.change(CONFIGURE)
    client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
    with pytest.raises(GoalRejectedError):
        client.send(ExecuteSkill.Goal(skill="wait", task_node_id="1")).wait(10.0)
    example.change(ACTIVATE)
    goal = client.send(ExecuteSkill.Goal(skill="wait", task_node_id="60"))
    wait_until(lambda: goal.accepted, 10.0, "the goal is accepted")
    assert example.change(DEACTIVATE) == [True]
    ending = goal.wait(10.0)
    assert ending.canceled
    assert ending.result.error_msg == "the node was deactivated"


@pytest.mark.feature("RB-09")
def test_a_goal_whose_server_is_killed_ends_with_a_typed_error_in_time(example, wait_until):
    example.change(CONFIGURE, ACTIVATE)
    client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
    goal = client.send(ExecuteSkill.Goal(skill="wait", task_node_id="60"))
    wait_until(lambda: goal.accepted, 10.0, "the goal is accepted")
    example.process.signal(signal.SIGKILL)
    with pytest.raises(GoalLostError, match="execute_skill"):
        goal.wait(40.0)


@pytest.mark.feature("RB-09")
def test_a_goal_that_a_restarted_server_no_longer_knows_ends_with_a_typed_error(example, spawn, wait_until):
    example.change(CONFIGURE, ACTIVATE)
    client = GoalClient(example.session.node, ExecuteSkill, "execute_skill")
    goal = client.send(ExecuteSkill.Goal(skill="wait", task_node_id="60"))
    wait_until(lambda: goal.accepted, 10.0, "the goal is accepted")
    example.process.signal(signal.SIGKILL)
    example.process.wait(5.0)
    again = Remote(example.session, spawn(EXAMPLE))
    assert again.change(CONFIGURE, ACTIVATE) == [True, True]
    with pytest.raises(GoalLostError):
        goal.wait(20.0)
    assert client.send(ExecuteSkill.Goal(skill="wait", task_node_id="0.1")).wait(10.0).result.error_code == 0


def test_a_goal_for_an_action_that_nobody_offers_ends_with_a_typed_error(ros_session):
    client = GoalClient(ros_session.node, ExecuteSkill, "nobody")
    with pytest.raises(GoalLostError, match="Nobody offers the action nobody"):
        client.send(ExecuteSkill.Goal()).wait(15.0)
