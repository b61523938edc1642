"""What a mission tells while it runs, and what its thread shows afterwards."""

from __future__ import annotations

from scripted_parts import fail, fetch, plan_of

from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn.step import Step


def test_feedback_carries_the_graph_after_each_change_and_the_progress_of_leaves(
    make_engine, planner, skills
) -> None:
    planner.table["go"] = plan_of(fetch(), Step("b", "b", "say", depends_on=("fetch",)))
    skills.offer("pick", lambda a, c: c.report(0.5, "half way"))
    skills.offer("say")
    statuses, progress = [], []

    def tell(update) -> None:
        if update.graph is not None and "fetch" in update.graph:
            statuses.append((update.graph.status("fetch").value, update.graph.status("b").value))
        if update.node_id:
            progress.append((update.node_id, update.progress, update.message))
        raise RuntimeError("a broken listener disturbs nothing")

    assert make_engine().run("go", tell=tell).code == TaskCode.SUCCEEDED
    assert statuses == [
        ("pending", "pending"),
        ("in_progress", "pending"),
        ("completed", "pending"),
        ("completed", "in_progress"),
        ("completed", "completed"),
    ]
    assert progress == [("fetch", 0.5, "half way")]


def test_a_ready_plan_is_followed_without_the_planner(make_engine, planner, skills) -> None:
    skills.offer("pick")
    outcome = make_engine().run(plan=plan_of(fetch(), language="zh"))
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary.startswith("完成了")
    assert planner.asked == []


def test_the_history_of_a_thread_shows_the_graph_at_each_checkpoint(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick")
    engine = make_engine()
    outcome = engine.run("go")
    versions = [engine.task_graph(outcome.thread_id, c).version for c, _ in engine.history(outcome.thread_id)]
    assert versions == sorted(versions, reverse=True) and versions[0] > versions[-1] == 0


def test_a_task_of_which_nothing_was_done_does_not_say_that_there_was_nothing_to_do(
    make_engine, planner, skills
) -> None:
    skills.offer("pick", fail(SkillCode.NOT_FOUND, "no cup"))
    failed = make_engine().run(plan=plan_of(fetch()))
    assert failed.code == TaskCode.SKILL_FAILED and failed.summary == "Nothing was done."
    empty = make_engine().run(plan=plan_of(Step("a", "think")))
    assert empty.code == TaskCode.SUCCEEDED and empty.summary == "There was nothing to do."
