"""Goals: arguments, keys, crashes, two at once."""

from __future__ import annotations

import json
import math
import threading
import time

import pytest

from zulong.experts.ledger import Ledger
from zulong.experts.robot import DeviceError
from zulong.experts.runner import SkillRunner
from zulong.experts.skill import CancelLatch, ErrorCode, SkillSpec

pytestmark = pytest.mark.feature("RB-10")


def quiet(progress, message, state) -> None:
    """Progress nobody reads."""


def at_desk(bench) -> None:
    bench.sim.move("robot", 10.0, 7.5, yaw=math.pi / 2)


def test_a_repeated_key_returns_the_recorded_result_and_nothing_moves(bench) -> None:
    at_desk(bench)
    first = bench.do("pick", key="k1", object="red cup")
    bench.do("place", key="k2", at="desk")
    again = bench.do("pick", key="k1", object="red cup")
    assert first.code is again.code is ErrorCode.SUCCEEDED
    assert again.replayed and not first.replayed and dict(again.result) == dict(first.result)
    assert bench.robot.held() == ""  # it was not picked a second time


def test_a_failed_or_cancelled_key_may_be_tried_again(bench) -> None:
    at_desk(bench)
    assert bench.do("place", key="k", at="desk").code is ErrorCode.PRECONDITION_FAILED
    assert bench.do("pick", key="k3", object="red cup").code is ErrorCode.SUCCEEDED
    bench.cancel_after(0.3)
    assert bench.do("place", key="k", at="desk").code is ErrorCode.CANCELED
    bench.robot.each_step = None
    outcome = bench.do("place", key="k", at="desk")
    assert outcome.code is ErrorCode.SUCCEEDED and not outcome.replayed


def test_one_key_for_two_goals_is_refused(bench) -> None:
    at_desk(bench)
    bench.do("wait", key="k", seconds=0)
    outcome = bench.do("wait", key="k", seconds=1)
    assert outcome.code is ErrorCode.INVALID_ARGUMENTS and "'k'" in outcome.message


@pytest.mark.parametrize("grasped", [True, False], ids=["after the grasp", "before the grasp"])
def test_after_a_crash_in_a_pick_the_hand_tells_whether_it_happened(bench, tmp_path, grasped: bool) -> None:
    at_desk(bench)
    arguments = json.dumps({"object": "red cup"}, sort_keys=True)
    bench.ledger.begin("k", "pick", arguments)  # what a process that was killed leaves behind
    if grasped:
        bench.sim.gripper.grasp("red_cup", None)
    reborn = SkillRunner(bench.runner.skills.values(), bench.robot, Ledger(tmp_path / "ledger"))
    outcome = reborn.execute("pick", arguments, "k", 0.0, CancelLatch(), quiet)
    assert outcome.code is ErrorCode.SUCCEEDED and outcome.result["object"] == "red_cup"
    assert outcome.replayed is grasped
    assert bench.robot.held() == "red_cup"


def test_after_a_crash_in_a_place_an_empty_hand_means_it_was_put_down(bench) -> None:
    bench.ledger.begin("k", "place", json.dumps({"at": "desk"}))
    outcome = bench.do("place", key="k", at="desk")
    assert outcome.code is ErrorCode.SUCCEEDED and outcome.replayed


def test_a_gripper_that_does_not_answer_leaves_the_key_open(bench, monkeypatch) -> None:
    at_desk(bench)
    grasp = bench.robot.grasp

    def grasps_but_does_not_answer(object_id, position, key=""):
        grasp(object_id, position)
        raise DeviceError("The gripper did not answer within 3 s.")

    monkeypatch.setattr(bench.robot, "grasp", grasps_but_does_not_answer)
    assert bench.do("pick", key="k", object="red cup").code is ErrorCode.UNAVAILABLE
    monkeypatch.undo()
    outcome = bench.do("pick", key="k", object="red cup")
    assert outcome.code is ErrorCode.SUCCEEDED and outcome.replayed


@pytest.mark.parametrize(
    ("skill", "arguments", "code", "words"),
    [
        ("dance", "{}", ErrorCode.UNKNOWN_SKILL, "go_to"),
        ("go_to", "{}", ErrorCode.INVALID_ARGUMENTS, "place"),
        ("go_to", '{"place": 7}', ErrorCode.INVALID_ARGUMENTS, "place"),
        ("go_to", '{"place": ""}', ErrorCode.INVALID_ARGUMENTS, "place"),
        ("go_to", "[1]", ErrorCode.INVALID_ARGUMENTS, "object"),
        ("go_to", "{oops", ErrorCode.INVALID_ARGUMENTS, "JSON"),
        ("go_to", "[" * 50_000, ErrorCode.INVALID_ARGUMENTS, "JSON"),
        ("go_to", '"' + "x" * 70_000 + '"', ErrorCode.INVALID_ARGUMENTS, "longer"),
        ("wait", '{"seconds": -1}', ErrorCode.INVALID_ARGUMENTS, "seconds"),
        ("wait", '{"seconds": 1e9}', ErrorCode.INVALID_ARGUMENTS, "seconds"),
        ("wait", '{"seconds": NaN}', ErrorCode.INVALID_ARGUMENTS, "JSON"),
        ("say", '{"text": null}', ErrorCode.INVALID_ARGUMENTS, "text"),
    ],
    ids=lambda v: str(v)[:24],
)
def test_bad_goals_end_in_a_typed_sentence(
    bench, skill: str, arguments: str, code: ErrorCode, words: str
) -> None:
    outcome = bench.runner.execute(skill, arguments, "", 0.0, CancelLatch(), quiet)
    assert outcome.code is code, outcome
    assert words in outcome.message
    assert not bench.faults


class Slow:
    """A skill in real time: holds the base until it is let go."""

    def __init__(self, name: str = "slow", fail: bool = False) -> None:
        self.spec = SkillSpec(name, "Test.", {"type": "object"}, {}, moves_base=True, limit_s=20.0)
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.runs = 0
        self.fail = fail

    def run(self, arguments, run):
        self.runs += 1
        self.begun.set()
        if self.fail:
            raise ZeroDivisionError("a bug")
        while not self.let_go.is_set():
            run.pause(0.01)
        return {"runs": self.runs}


class Standing:
    """A robot without a world, on the steady clock."""

    clock_s = staticmethod(time.monotonic)

    def sleep(self, seconds, latch=None):
        _ = latch.wait(seconds) if latch is not None else time.sleep(seconds)

    def drive(self, linear_mps, angular_rps):
        """Stands."""

    def at_rest(self):
        return True


@pytest.fixture
def slow(tmp_path):
    skill = Slow()
    faults = []
    runner = SkillRunner(
        [skill, Slow("other")],
        Standing(),
        Ledger(tmp_path / "ledger"),
        lambda where, error: faults.append(error),
    )
    yield skill, runner, faults
    skill.let_go.set()


def in_thread(runner, skill, key="", limit_s=0.0, latch=None):
    box = {}
    thread = threading.Thread(
        target=lambda: box.update(
            outcome=runner.execute(skill, "{}", key, limit_s, latch or CancelLatch(), quiet)
        ),
        daemon=True,
    )
    thread.start()
    return thread, box


def test_a_repeat_while_the_first_runs_waits_and_gets_its_result(slow) -> None:
    skill, runner, _ = slow
    first, one = in_thread(runner, "slow", key="k")
    assert skill.begun.wait(5)
    second, two = in_thread(runner, "slow", key="k")
    time.sleep(0.2)
    assert not two and skill.runs == 1
    skill.let_go.set()
    first.join(5)
    second.join(5)
    assert one["outcome"].result == two["outcome"].result == {"runs": 1}
    assert two["outcome"].replayed


def test_a_second_drive_waits_for_the_base_and_is_busy_at_its_time_limit(slow) -> None:
    skill, runner, _ = slow
    in_thread(runner, "slow")
    assert skill.begun.wait(5)
    thread, box = in_thread(runner, "other", limit_s=0.3)
    thread.join(5)
    assert box["outcome"].code is ErrorCode.BUSY


def test_a_goal_that_waits_for_the_base_can_be_cancelled(slow) -> None:
    skill, runner, _ = slow
    in_thread(runner, "slow")
    assert skill.begun.wait(5)
    latch = CancelLatch()
    thread, box = in_thread(runner, "other", latch=latch)
    latch.set()
    thread.join(5)
    assert box["outcome"].code is ErrorCode.CANCELED


def test_the_base_is_free_again_after_a_bug_in_a_skill(tmp_path) -> None:
    broken, fine, faults = Slow("broken", fail=True), Slow("fine"), []
    fine.let_go.set()
    runner = SkillRunner(
        [broken, fine], Standing(), Ledger(tmp_path), lambda where, error: faults.append(error)
    )
    outcome = runner.execute("broken", "{}", "", 0.0, CancelLatch(), quiet)
    assert outcome.code is ErrorCode.INTERNAL and "a bug" in outcome.message
    assert isinstance(faults[0], ZeroDivisionError)
    assert runner.execute("fine", "{}", "", 0.0, CancelLatch(), quiet).code is ErrorCode.SUCCEEDED


def test_what_fails_after_a_cancel_ends_cancelled(bench, monkeypatch) -> None:
    def deaf():
        bench.latch.set()
        raise DeviceError("No scan arrives.")

    monkeypatch.setattr(bench.robot, "laser", deaf)
    assert bench.do("go_to", place="kitchen").code is ErrorCode.CANCELED
    monkeypatch.setattr(bench.robot, "laser", lambda: (_ for _ in ()).throw(DeviceError("No scan arrives.")))
    outcome = bench.do("go_to", place="kitchen")
    assert outcome.code is ErrorCode.UNAVAILABLE and "scan" in outcome.message


def test_a_short_silence_of_the_laser_only_halts_the_drive(bench, monkeypatch) -> None:
    laser, silent_until = bench.robot.laser, bench.sim.time_s + 4.0

    def stutters():
        if 2.0 < bench.sim.time_s < silent_until:
            raise DeviceError("No scan arrives.")
        return laser()

    monkeypatch.setattr(bench.robot, "laser", stutters)
    outcome = bench.do("go_to", place="kitchen")
    assert outcome.code is ErrorCode.SUCCEEDED and bench.robot.bumps == 0
