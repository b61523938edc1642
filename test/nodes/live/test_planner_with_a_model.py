"""The planner node asks a chat model for what the offline planner does not understand, over real HTTP."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ros_domain import ROOT
from zulong.action import ExecuteSkill, ExecuteTask
from zulong.msg import SkillInfo

from zulong.nodes import names, qos
from zulong.nodes.base import ZulongNode
from zulong.nodes.planner import PlannerNode

sys.path.insert(0, str(ROOT / "test" / "agent"))
import scripted_server

PARAMETERS = {"planner.model": "default"}
LIMIT_S = 60.0
STRANGE = "let us celebrate the equinox"


class Dancer(ZulongNode):
    """Performs a skill that only the model can think of."""

    def __init__(self) -> None:
        super().__init__("dancer")
        self.danced: list[str] = []

    def setup(self) -> None:
        self.serve_goals(ExecuteSkill, "dancer/execute", self._dance)
        info = SkillInfo(name="dance", description="Dance.", action_name="/dancer/execute", available=True)
        info.arguments_schema_json = json.dumps(
            {"type": "object", "properties": {"style": {"type": "string"}}}
        )
        self.create_publisher(SkillInfo, names.SKILLS, qos.latched()).publish(info)

    def _dance(self, goal: Any) -> ExecuteSkill.Result:
        self.danced.append(goal.request.arguments_json)
        return ExecuteSkill.Result()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[scripted_server.ScriptedServer]:
    running = scripted_server.ScriptedServer()
    folder: Path = tmp_path_factory.mktemp("config")
    (folder / "agent.yaml").write_text(
        f"models: {{default: {{model: scripted, base_url: '{running.url}', first_s: 5, idle_s: 5}}}}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZULONG_CONFIG", str(folder))
        yield running
    running.close()


@pytest.fixture(scope="module")
def planner(server, live):
    return live.start(PlannerNode())


@pytest.fixture(scope="module")
def dancer(live):
    return live.start(Dancer())


@pytest.mark.feature("FC-10")
def test_what_only_the_model_understands_is_planned_by_it_and_performed(
    live, server, planner, dancer
) -> None:
    live.until(lambda: planner._skills.profile("dance") is not None, "the planner knows the skill")
    steps = [{"id": "a", "title": "Dance", "skill": "dance", "arguments": {"style": "waltz"}}]
    server.play(scripted_server.say(json.dumps({"kind": "plan", "text": "I will dance.", "steps": steps})))
    ended = live.send(ExecuteTask, names.EXECUTE_TASK, None, instruction=STRANGE).wait(LIMIT_S)
    assert ended.result.error_code == 0, ended.result.error_msg
    assert [json.loads(arguments) for arguments in dancer.danced] == [{"style": "waltz"}]
    prompt = json.dumps(server.requests[-1]["messages"])
    assert "dance" in prompt and "kitchen_table" in prompt and STRANGE in prompt


@pytest.mark.feature("FC-10")
def test_what_the_offline_planner_understands_never_reaches_the_model(live, server, planner) -> None:
    before = len(server.requests)
    ended = live.send(ExecuteTask, names.EXECUTE_TASK, None, instruction="stab Jane").wait(LIMIT_S)
    assert ended.result.error_code != 0
    assert len(server.requests) == before


@pytest.mark.feature("FC-08")
def test_a_model_that_is_out_of_order_ends_the_goal_with_its_code(live, server, planner) -> None:
    server.play(*[scripted_server.status(401, "no key")] * 3)
    ended = live.send(ExecuteTask, names.EXECUTE_TASK, None, instruction=STRANGE).wait(LIMIT_S)
    assert ended.result.error_code not in (0, ExecuteTask.Result.INTERNAL), ended.result.error_msg
    assert planner.faults == 0
