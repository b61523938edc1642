"""A cancel at every moment of a run: it ends, nothing new is begun, and each effect happens once in the end."""

from __future__ import annotations

import threading

import pytest

from zulong.agent.approval import ApprovalDesk
from zulong.agent.chat.model import ChatChunk
from zulong.agent.codes import TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.ledger import LedgeredSkills, MemoryLedger
from zulong.agent.local_skills import LocalSkills
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.skills import SkillProfile
from zulong.agent.tools import ToolRegistry, tool_from_skill
from zulong.stategraph.checkpoint.memory import InMemorySaver

STEPS = ["look", "near", "far", "door"]


class Moments:
    """Counts what happens and cancels at one of the moments."""

    def __init__(self, cancel_at: int = 0) -> None:
        self.latch, self.seen, self._at = CancelLatch(), [], cancel_at

    def pass_by(self, what: str) -> None:
        self.seen.append(what)
        if len(self.seen) == self._at:
            self.latch.set("enough")


class WatchedSaver(InMemorySaver):
    def __init__(self, moments: Moments) -> None:
        super().__init__()
        self.moments = moments

    def put_step(self, *args, **options):
        self.moments.pass_by("before a checkpoint")
        config = super().put_step(*args, **options)
        self.moments.pass_by("after a checkpoint")
        return config


class Robot:
    """A loop over a tool that looks, one with an effect here, one elsewhere, and one that needs a yes."""

    def __init__(self, moments: Moments) -> None:
        self.moments, self.effects, self.late = moments, [], []
        registry, skills, desk, ledger = ToolRegistry(), LocalSkills(), ApprovalDesk(), MemoryLedger()

        @registry.function()
        def look() -> str:
            """Look."""
            moments.pass_by("looking")
            return "seen"

        @registry.function(has_side_effects=True)
        def near() -> str:
            """Act here."""
            return self.act("near")

        @registry.function(has_side_effects=True, approval="risky")
        def door() -> str:
            """Open."""
            return self.act("door")

        profile = SkillProfile("far", "Act elsewhere.", {"type": "object", "properties": {}})
        skills.add(lambda arguments, context: {"did": self.act("far")}, profile)
        registry.add(tool_from_skill(profile))

        def heard(request, state) -> None:
            moments.pass_by(f"approval {state}")
            if state == "pending":
                threading.Thread(target=desk.answer, args=(request.request_id, True)).start()

        desk.on_change(heard)
        self.loop = ToolLoop(
            self,
            registry,
            WatchedSaver(moments),
            skills=LedgeredSkills(skills, ledger, lambda call: False),
            ledger=ledger,
            desk=desk,
            settings=LoopSettings(nets={"final_confirmation": {"min_effects": 99}}),
        )

    def act(self, what: str) -> str:
        if self.moments.latch.is_set:
            self.late.append(what)
        self.moments.pass_by("before an effect")
        self.effects.append(what)
        self.moments.pass_by("after an effect")
        return what

    name, context_window = "the one who calls what has no answer yet", 100_000

    def stream(self, request, cancel):
        self.moments.pass_by("asked")
        results = [m for m in request.messages if m["role"] == "tool"]
        done = {m["name"] for m in results if not m["content"].startswith("error")}
        left = [step for step in STEPS if step not in done]
        for index, step in enumerate(left[: 1 if "look" in left else 2]):
            yield ChatChunk(call_index=index, call_id=str(index), call_name=step, call_arguments="{}")
            self.moments.pass_by("in the middle of a reply")
        if not left:
            yield ChatChunk(text="It is done.")
            self.moments.pass_by("in the middle of a word")
        yield ChatChunk(finish="tool_calls" if left else "stop")


def total() -> int:
    robot = Robot(Moments())
    assert robot.loop.run("do it").code == TaskCode.SUCCEEDED and robot.effects == ["near", "far", "door"]
    return len(robot.moments.seen)


@pytest.mark.feature("FC-01", "FC-06", "RB-09")
def test_a_cancel_at_any_moment_begins_nothing_new_and_loses_and_repeats_nothing() -> None:
    for moment in range(1, total() + 1):
        robot = Robot(Moments(moment))
        outcome = robot.loop.run("do it", thread_id="t", cancel=robot.moments.latch)
        assert len(robot.moments.seen) >= moment
        where = f"{robot.moments.seen[moment - 1]} ({moment})"
        assert outcome.code in (TaskCode.CANCELED, TaskCode.SUCCEEDED), where
        assert robot.late == [], f"{robot.late} was begun after a cancel {where}"
        robot.moments.latch = CancelLatch()
        if outcome.code == TaskCode.CANCELED:
            assert robot.loop.resume("t").code == TaskCode.SUCCEEDED, where
        assert sorted(robot.effects) == ["door", "far", "near"], where
