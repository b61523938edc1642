"""The sentences a mission says to its user, in the two languages."""

from __future__ import annotations

import re

from zulong.tasks import TaskGraph, TaskNode, TaskStatus

_SENTENCES = {
    "en": {
        "done": "Done: {steps}.",
        "nothing": "There was nothing to do.",
        "none_done": "Nothing was done.",
        "partly": "Done so far: {steps}. ",
        "failed": "I could not finish “{step}”: {why}",
        "canceled": "Canceled: {why}",
        "time": "The time limit of {limit} s ended before the task did.",
        "budget": "The limit of {limit} skill calls was reached before the task was done.",
        "missing": "Nobody offers the skill {skill}, which is needed for “{step}”; start the node that serves it.",
        "denied": "Nobody allowed “{step}”.",
        "unknown_end": "I was interrupted during “{step}” and do not know whether it was done. Was it?",
        "aborted": "I stopped the task. {why}",
        "reference": "“{step}” needs a result that is not there: {why}",
        "yes": "yes",
        "no": "no",
    },
    "zh": {
        "done": "完成了：{steps}。",
        "nothing": "没有需要做的事。",
        "none_done": "什么都没有做成。",
        "partly": "已完成：{steps}。",
        "failed": "我没能完成“{step}”：{why}",
        "canceled": "已取消：{why}",
        "time": "{limit} 秒的时限到了，任务还没做完。",
        "budget": "已达到 {limit} 次技能调用的上限，任务还没做完。",
        "missing": "没有节点提供技能 {skill}，“{step}”需要它；请启动提供它的节点。",
        "denied": "没有人批准“{step}”。",
        "unknown_end": "我在“{step}”时被打断了，不知道它做完了没有。做完了吗？",
        "aborted": "我停止了任务。{why}",
        "reference": "“{step}”需要的结果还没有：{why}",
        "yes": "是",
        "no": "否",
    },
}

_TALKING = frozenset({"say", "recall"})

_NO = re.compile(r"^(?:no|nope|not|n|it was ?n.t|it was not)\b|^[没不否未]", re.IGNORECASE)
_YES = re.compile(r"^(?:yes|yeah|yep|y|done|it was|it is)\b|^[是对嗯]|完了|完成|好了", re.IGNORECASE)


def say(language: str, name: str, **values: object) -> str:
    """Return a sentence in ``zh`` or, for any other language, English."""
    return _SENTENCES["zh" if language == "zh" else "en"][name].format(**values)


def yes_or_no(text: str) -> bool | None:
    """Return the meaning of a short answer, None when it is neither yes nor no."""
    if _NO.search(text.strip()):
        return False
    return True if _YES.search(text.strip()) else None


def summary(graph: TaskGraph, language: str) -> str:
    """Return what was done, from the graph alone; a task that only had to say something is what it said."""
    acting = [n for n in graph.leaves() if n.skill is not None]
    done = [n for n in acting if n.status is TaskStatus.COMPLETED]
    if not done:
        left = any(n.status is not TaskStatus.SKIPPED for n in acting)
        return say(language, "none_done" if left else "nothing")
    spoken = spoken_words(graph)
    if spoken and all(n.skill in _TALKING for n in done):
        return ("" if language == "zh" else " ").join(spoken)
    steps = [_deed(n, language) for n in done]
    return say(language, "done", steps=("；" if language == "zh" else "; ").join(steps))


def _deed(node: TaskNode, language: str) -> str:
    """Return what a completed leaf did: for words, those that were really said."""
    text = node.result.get("text") if node.skill == "say" and isinstance(node.result, dict) else None
    if text:
        return f"说了“{text}”" if language == "zh" else f"said “{text}”"
    return node.title


def spoken_words(graph: TaskGraph) -> list[str]:
    """Return what the completed ``say`` leaves said, in order."""
    said = [n for n in graph.leaves() if n.skill == "say" and n.status is TaskStatus.COMPLETED]
    return [str(n.result["text"]) for n in said if isinstance(n.result, dict) and n.result.get("text")]
