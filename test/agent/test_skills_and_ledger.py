"""The small parts under missions and loop: latch, handles, ledgers, local skills, approvals."""

from __future__ import annotations

import threading
import time

import pytest
from scripted_parts import RecordingSkills, wait_until

from zulong.agent.approval import ApprovalDesk, approval_needed
from zulong.agent.codes import SkillCode
from zulong.agent.latch import CancelLatch, current_latch, latch_in_context
from zulong.agent.ledger import LedgeredSkills, LmdbLedger, MemoryLedger
from zulong.agent.local_skills import LocalSkills, SkillError
from zulong.agent.skills import SkillCall, SkillHandle, SkillProfile, SkillResult
from zulong.stategraph.checkpoint.errors import StorageClosedError, StorageFormatError

OK = SkillResult(SkillCode.SUCCEEDED, result={"n": 1})


def call(key: str = "t/a/1", **arguments) -> SkillCall:
    return SkillCall("pick", arguments, "t", "a", key)


def raise_(error: BaseException) -> None:
    raise error


# -- latch ---------------------------------------------------------------------------------------------------


def test_a_latch_is_set_once_and_calls_back_once_whether_asked_before_or_after() -> None:
    latch, called = CancelLatch(), []
    latch.on_set(lambda: called.append("before"))
    latch.on_set(lambda: 1 / 0)
    withdraw = latch.on_set(lambda: called.append("withdrawn"))
    withdraw()
    assert latch.set("first") and not latch.set("second")
    latch.on_set(lambda: called.append("after"))
    assert called == ["before", "after"] and latch.reason == "first" and latch.wait(0)


def test_the_latch_of_the_context_is_found_and_given_back() -> None:
    latch = CancelLatch()
    with latch_in_context(latch):
        assert current_latch() is latch
    assert current_latch() is not latch and not current_latch().is_set


# -- handles -------------------------------------------------------------------------------------------------


def test_the_first_result_counts_and_listeners_hear_it_once() -> None:
    handle, heard = SkillHandle(), []
    handle.on_done(lambda r: 1 / 0)
    handle.on_done(heard.append)
    assert handle.result(0.01) is None
    assert handle.finish(OK) and not handle.finish(SkillResult(SkillCode.TIMEOUT))
    handle.on_done(heard.append)
    assert heard == [OK, OK] and handle.result(0) is OK and handle.done


def test_a_cancel_before_the_performer_can_be_asked_is_delivered_when_it_can() -> None:
    handle, asked = SkillHandle(), []
    handle.cancel()
    handle.on_cancel(lambda: asked.append(1))
    handle.cancel()
    assert asked == [1]
    ended = SkillHandle()
    ended.finish(OK)
    ended.cancel()
    ended.on_cancel(lambda: asked.append(2))
    assert asked == [1]


def test_the_last_progress_is_told_to_those_who_ask_late() -> None:
    handle, heard = SkillHandle(), []
    handle.report(0.2)
    handle.report(0.5, "half")
    handle.on_progress(lambda fraction, words: heard.append((fraction, words)))
    assert heard == [(0.5, "half")]


# -- ledgers -------------------------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "lmdb"])
def ledger(request, tmp_path):
    return MemoryLedger() if request.param == "memory" else LmdbLedger(tmp_path / "ledger")


@pytest.mark.feature("RB-10")
def test_a_key_is_begun_once_and_answered_with_its_first_result(ledger) -> None:
    assert ledger.begin("k", "pick") is None
    assert ledger.begin("k", "pick").result is None
    ledger.finish("k", OK)
    ledger.finish("k", SkillResult(SkillCode.TIMEOUT))
    assert ledger.begin("k", "pick").result == OK
    ledger.forget("k")
    assert ledger.begin("k", "pick") is None
    ledger.finish("never begun", OK)
    assert ledger.begin("never begun", "pick") is None
    long_key = "thread/" + "x" * 2000
    assert ledger.begin(long_key, "pick") is None and ledger.begin(long_key, "pick") is not None


def test_a_ledger_on_disk_outlives_the_process(tmp_path) -> None:
    first = LmdbLedger(tmp_path / "ledger")
    first.begin("钥匙", "pick")
    first.finish("钥匙", OK)
    first.close()
    assert LmdbLedger(tmp_path / "ledger").begin("钥匙", "pick").result == OK


def test_a_folder_that_is_no_ledger_is_refused_in_words_and_one_ledger_may_be_opened_twice(tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "data.mdb").write_bytes(b"\xa5" * 20_000)
    for name in ("file", "other"):
        with pytest.raises(StorageFormatError, match=name):
            LmdbLedger(tmp_path / name)
    first, second = LmdbLedger(tmp_path / "ledger"), LmdbLedger(tmp_path / "ledger")
    first.begin("k", "pick")
    first.close()
    entry = second.get("k")
    assert entry is not None and entry.result is None
    second.close()
    with pytest.raises(StorageClosedError, match="open it again"):
        second.begin("l", "pick")


@pytest.mark.feature("RB-10")
def test_a_repeated_key_gives_the_stored_result_and_a_running_one_is_joined(ledger) -> None:
    inner, go = RecordingSkills(), threading.Event()
    inner.offer("pick", lambda a, c: {"waited": go.wait(10)})
    skills = LedgeredSkills(inner, ledger)
    first, second = skills.start(call()), skills.start(call())
    assert first is second
    go.set()
    assert first.result(5).succeeded
    wait_until(lambda: skills.start(call()) is not first)
    again = skills.start(call()).result(1)
    assert again.replayed and again.result == {"waited": True} and len(inner.calls) == 1


@pytest.mark.feature("RB-10")
@pytest.mark.parametrize(
    ("effects", "seen", "code", "made"),
    [
        (True, None, SkillCode.OUTCOME_UNKNOWN, 0),
        (True, False, SkillCode.SUCCEEDED, 1),
        (True, OK, SkillCode.SUCCEEDED, 0),
        (False, None, SkillCode.SUCCEEDED, 1),
    ],
)
def test_a_call_that_was_begun_and_never_ended(ledger, effects, seen, code, made) -> None:
    inner = RecordingSkills()
    inner.offer("pick", has_side_effects=effects)
    ledger.begin("t/a/1", "pick")
    result = LedgeredSkills(inner, ledger, lambda c: seen).start(call()).result(5)
    assert result.code is code and len(inner.calls) == made


# -- local skills --------------------------------------------------------------------------------------------


def test_local_skills_end_in_every_way() -> None:
    skills = LocalSkills()

    def act(arguments, context):
        if arguments["how"] == "fail":
            raise SkillError(SkillCode.NOT_FOUND, "not here")
        if arguments["how"] == "break":
            raise KeyError("oops")
        if arguments["how"] == "hang":
            context.cancel.wait(10)
            raise SkillError(SkillCode.CANCELED, "stopped")
        return {"how": arguments["how"]}

    skills.add(act, SkillProfile("pick", time_limit_s=0.2))
    assert skills.start(call(how="work")).result(5).result == {"how": "work"}
    assert skills.start(call(how="fail")).result(5).code is SkillCode.NOT_FOUND
    assert "oops" in skills.start(call(how="break")).result(5).message
    assert skills.start(call(how="hang")).result(5).code is SkillCode.TIMEOUT
    hanging = skills.start(SkillCall("pick", {"how": "hang"}, "t", "a", "", time_limit_s=30))
    hanging.cancel()
    assert hanging.result(5).code is SkillCode.CANCELED
    unknown = skills.start(SkillCall("fly", {}, "t", "a", ""))
    assert unknown.result(0).code is SkillCode.UNKNOWN_SKILL


# -- approvals -----------------------------------------------------------------------------------------------


CIRCLE: dict = {}
CIRCLE["itself"] = CIRCLE


@pytest.mark.parametrize(
    ("returned", "kept"),
    [
        ("ok", {"result": "ok"}),
        ([1, 2], {"result": [1, 2]}),
        ({1: {2}}, {"1": "{2}"}),
        ({"half": "\ud83d!"}, {"half": "\ufffd!"}),
        (CIRCLE, {"result": "{'itself': {'itself': {...}}}"}),
        (None, {}),
    ],
)
def test_whatever_a_skill_returns_its_deed_is_done_and_kept(tmp_path, returned, kept) -> None:
    local = LocalSkills()
    local.add(lambda arguments, context: returned, SkillProfile("pick"))
    skills = LedgeredSkills(local, LmdbLedger(tmp_path))
    first = skills.start(call()).result(10)
    assert first is not None and first.succeeded
    wait_until(lambda: not skills._running)
    again = skills.start(call()).result(10)
    assert again is not None and again.replayed and again.result == kept


def test_a_skill_that_calls_exit_or_fails_with_a_code_that_is_none_ends_with_a_sentence() -> None:
    local = LocalSkills()
    for error, words in [(SystemExit(3), "SystemExit"), (KeyboardInterrupt(), "KeyboardInterrupt")]:
        local.add(lambda a, c, error=error: raise_(error), SkillProfile("pick"))
        result = local.start(call()).result(10)
        assert result is not None and result.code is SkillCode.INTERNAL and words in result.message
    for code in (99, SkillCode.SUCCEEDED):
        with pytest.raises(ValueError, match="no code of a failed skill"):
            SkillError(code, "strange")  # type: ignore[arg-type]


def test_an_end_that_cannot_be_recorded_is_told_all_the_same_and_the_deed_not_repeated() -> None:
    class FullDisk(MemoryLedger):
        def finish(self, key: str, result: SkillResult) -> None:
            raise OSError("no space left")

    deeds: list[str] = []
    local = LocalSkills()
    local.add(lambda a, c: deeds.append("picked"), SkillProfile("pick"))
    skills = LedgeredSkills(local, FullDisk())
    for _ in range(2):
        result = skills.start(call()).result(10)
        assert result is not None and result.succeeded
    assert deeds == ["picked"]


@pytest.mark.feature("FC-08")
@pytest.mark.parametrize(
    ("mode", "approval", "effects", "needed"),
    [
        ("always", "never", True, True),
        ("always", "never", False, False),
        ("always", "risky", False, True),
        ("risky", "never", True, False),
        ("risky", "risky", True, True),
        ("risky", "always", False, True),
        ("never", "always", True, False),
    ],
)
def test_modes_and_profiles_decide_who_is_asked(mode, approval, effects, needed) -> None:
    assert approval_needed(mode, SkillProfile("x", approval=approval, has_side_effects=effects)) is needed
    with pytest.raises(ValueError, match="none of"):
        approval_needed("sometimes", SkillProfile("x"))


@pytest.mark.feature("FC-08")
def test_a_request_is_decided_once_and_silence_is_a_no() -> None:
    desk, states, decided = ApprovalDesk(), [], []
    desk.on_change(lambda request, state: states.append(state))
    first = desk.ask("pick", {}, decide=lambda yes, who: decided.append((yes, who)))
    assert [r.tool for r in desk.open_requests] == ["pick"]
    assert desk.answer(first, True, "anna") and not desk.answer(first, False) and not desk.withdraw(first)
    withdrawn = desk.ask("pick", {}, decide=lambda yes, who: decided.append("never"))
    assert desk.withdraw(withdrawn)
    assert decided == [(True, "anna")]
    assert states == ["pending", "approved", "pending", "withdrawn"]
    start = time.monotonic()
    assert not desk.ask_and_wait("pick", {}, time_limit_s=0.1)
    assert 0.1 <= time.monotonic() - start < 3 and states[-1] == "expired"
