from __future__ import annotations

import pytest

from zulong.scheduler import PowerMode, PowerPolicy, ToolPredictor, ToolSummary

TOOLS = (
    ToolSummary("go_to", "Drive to a room or a piece of furniture", ("move", "走到", "去")),
    ToolSummary("pick", "Grasp an object with the gripper", ("grab", "take", "拿")),
    ToolSummary("count", "Count objects or people", ("how many", "几个")),
)


@pytest.mark.feature("RB-06")
def test_model_sleeps_in_silence_and_wakes_on_activity() -> None:
    policy = PowerPolicy(0.0, idle_after_s=10.0)
    assert policy.mode(9.0) is PowerMode.FULL
    assert policy.mode(10.0) is PowerMode.IDLE
    policy.on_activity(11.0)
    assert policy.mode(12.0) is PowerMode.FULL
    policy.on_busy(True, 12.0)
    assert policy.mode(500.0) is PowerMode.FULL
    policy.on_busy(False, 500.0)
    policy.on_battery(0.5, True)
    assert policy.mode(600.0) is PowerMode.CHARGING
    policy.force(PowerMode.FULL)
    assert policy.mode(601.0) is PowerMode.FULL
    policy.force(None)
    policy.on_activity(602.0)
    policy.on_battery(0.05, False)
    assert policy.mode(603.0) is PowerMode.IDLE


@pytest.mark.feature("FC-05")
def test_prediction_ranks_by_words_in_both_languages_and_learns() -> None:
    predictor = ToolPredictor(TOOLS)
    assert predictor.predict("how many objects are on the desk")[0][0] == "count"
    assert predictor.predict("去厨房拿苹果")[0][0] in {"go_to", "pick"}
    assert predictor.predict("zzz") == []
    predictor.learn("fetch coffee", ["go_to", "pick"])
    assert {name for name, _ in predictor.predict("fetch a coffee")} == {"go_to", "pick"}
    assert len(predictor.predict("drive count grasp objects", limit=2)) == 2
