"""The six signals and the seven nets on recorded conversations: what each catches, what each lets through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from zulong.agent.config import (
    SettingsError,
    load_agent_config,
    loop_settings,
    mission_config,
    model_settings,
)
from zulong.agent.loop.nets import KINDS as NETS
from zulong.agent.loop.nets import make_nets
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.plan_tools import complete_node, run_plan_tool
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.signals import KINDS as SIGNALS
from zulong.agent.loop.signals import make_signals
from zulong.agent.loop.turns import CallFact, Turn, digest, turns_of
from zulong.agent.mission import MissionConfig
from zulong.tasks import TaskGraph

RECORDINGS = yaml.safe_load(Path(__file__).with_name("recordings.yaml").read_text(encoding="utf-8"))


def cases(kind: str, outcome: str):
    for name, group in RECORDINGS[kind].items():
        for case in group[outcome]:
            yield pytest.param(name, group, case, id=f"{name}: {case['name']}")


def messages_of(case: dict) -> list[dict]:
    """Return the recorded turns as the messages that went over the wire."""
    turns = list(case.get("turns", []))
    if "repeat" in case:
        count, turn = case["repeat"]
        turns += [json.loads(json.dumps(turn).replace("#", str(n))) for n in range(count)]
    messages: list[dict] = []
    for n, turn in enumerate(turns):
        calls = [
            {"id": f"{n}-{i}", "type": "function", "function": {"name": c[0], "arguments": json.dumps(c[1])}}
            for i, c in enumerate(turn.get("calls", []))
        ]
        messages.append({"role": "assistant", "content": "x" * turn.get("chars", 0), "tool_calls": calls})
        for call, recorded in zip(calls, turn.get("calls", []), strict=True):
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": recorded[2]})
    return messages


def look_at_signal(name: str, group: dict, case: dict):
    signal = next(s for s in make_signals(load_agent_config()["breaker"]) if s.name == name)
    pending = [CallFact(f"p{i}", c[0], digest(c[1]), c[1]) for i, c in enumerate(case.get("pending", []))]
    return signal.look(turns_of(messages_of(case), group.get("effects", ())), pending)


@pytest.mark.feature("FC-03")
@pytest.mark.parametrize(("name", "group", "case"), list(cases("signals", "catch")))
def test_a_signal_fires_on_what_it_is_for(name, group, case) -> None:
    finding = look_at_signal(name, group, case)
    assert finding is not None and finding.signal == name
    assert finding.action.value == case["action"]
    assert finding.reason and finding.evidence and finding.level > 0
    if "targets" in case:
        assert list(finding.targets) == case["targets"]


@pytest.mark.feature("FC-03")
@pytest.mark.parametrize(("name", "group", "case"), list(cases("signals", "pass")))
def test_a_signal_is_quiet_on_a_near_miss(name, group, case) -> None:
    assert look_at_signal(name, group, case) is None


def view_of(group: dict, case: dict) -> ReplyView:
    messages = messages_of(case)
    effects = group.get("effects", [])
    turns = turns_of(messages, effects)
    plan = None
    if "plan" in case:
        plan = TaskGraph()
        steps = [{k: v for k, v in step.items() if k != "done"} for step in case["plan"]]
        assert run_plan_tool(plan, "plan_steps", {"steps": steps}, case["instruction"])[0]
        for n, step in enumerate(case["plan"], start=1):
            if step.get("done"):
                complete_node(plan, f"goal_{n}", "seen")
    findings = [
        f for s in make_signals(load_agent_config()["breaker"]) if (f := s.look(turns, ())) is not None
    ]
    return ReplyView(
        instruction=case["instruction"],
        reply=case["reply"],
        turns=[*turns, Turn(len(turns) + 1, len(case["reply"]))],
        tools=case.get("tools", ["look_for", *effects]),
        effects=effects,
        sources=[m["content"] for m in messages if m["role"] == "tool"],
        plan=plan,
        findings=findings,
        caught=case.get("caught", {}),
        earlier_effects=case.get("earlier_effects", False),
    )


def look_with_net(name: str, group: dict, case: dict):
    net = next(n for n in make_nets(load_agent_config()["nets"]) if n.name == name)
    return net.look(view_of(group, case))


@pytest.mark.feature("FC-02")
@pytest.mark.parametrize(("name", "group", "case"), list(cases("nets", "catch")))
def test_a_net_catches_what_it_is_for(name, group, case) -> None:
    catch = look_with_net(name, group, case)
    assert catch is not None and catch.net == name and catch.verdict.value == case["verdict"]
    assert catch.reason and catch.evidence
    assert (catch.verdict.value == "continue") == bool(catch.message)
    assert [node for node, _ in catch.completes] == case.get("completes", [])


@pytest.mark.feature("FC-02")
@pytest.mark.parametrize(("name", "group", "case"), list(cases("nets", "pass")))
def test_a_net_lets_a_near_miss_through(name, group, case) -> None:
    assert look_with_net(name, group, case) is None


@pytest.mark.feature("FC-02")
def test_no_net_can_send_the_model_back_for_ever() -> None:
    for name, group in RECORDINGS["nets"].items():
        for case in group["catch"]:
            if case["verdict"] == "continue":
                spent = case | {"caught": dict.fromkeys(NETS, 9)}
                catch = look_with_net(name, group, spent)
                assert catch is None or catch.verdict.value == "force"


def test_every_signal_and_net_has_cases_to_catch_and_to_let_through() -> None:
    for kind, names in (("signals", SIGNALS), ("nets", NETS)):
        assert set(RECORDINGS[kind]) == set(names)
        assert all(group["catch"] and group["pass"] for group in RECORDINGS[kind].values())


def test_the_configuration_file_says_what_the_code_has_by_default() -> None:
    shipped = loop_settings()
    assert shipped.signals() == LoopSettings().signals()
    assert shipped.safety_nets() == LoopSettings().safety_nets()
    fields = [f for f in LoopSettings.__dataclass_fields__ if f not in ("breaker", "nets")]
    assert all(getattr(shipped, f) == getattr(LoopSettings(), f) for f in fields)
    shipped_mission, default = mission_config(), MissionConfig()
    assert all(getattr(shipped_mission, f) == getattr(default, f) for f in MissionConfig.__dataclass_fields__)
    assert model_settings().base_url.startswith("http")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loop: {time_limit: 3}", "time_limit"),
        ("loop: {time_limit_s: soon}", "soon"),
        ("breaker: {tool_streek: {limit: 5}}", "tool_streek"),
        ("breaker: {tool_streak: {limits: 5}}", "limits"),
        ("nets: {drift: {amount: 5}}", "amount"),
        ("loop: 5", "mapping"),
    ],
)
def test_a_wrong_key_in_the_configuration_is_named(tmp_path, text, words) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((SettingsError, ValueError), match=words):
        loop_settings(file)


@pytest.mark.feature("FC-03")
def test_calls_that_were_put_off_and_made_again_are_no_longer_streak() -> None:
    signal = next(s for s in make_signals(load_agent_config()["breaker"]) if s.name == "tool_streak")

    def turn(number: int, *things: str) -> Turn:
        """Pick several things in one reply: the first is picked, the others are put off."""
        calls = [
            CallFact(f"{number}-{thing}", "pick", thing, skipped=n > 0) for n, thing in enumerate(things)
        ]
        return Turn(number, 0, tuple(calls), True)

    turns = [turn(1, "cup", "fork"), turn(2, "fork", "plate"), turn(3, "plate", "spoon"), turn(4, "spoon")]
    assert signal.look(turns, ()) is None
    fifth = signal.look([*turns, turn(5, "bowl")], ())
    assert fifth is not None and fifth.targets == ("pick",)
    refused = Turn(6, 0, (CallFact("6", "pick", "bowl", ok=False, skipped=True),))
    assert signal.look([*turns, turn(5, "bowl"), refused], ()) is not None
