"""The outcome codes of the actions ExecuteTask and ExecuteSkill, for code that knows no ROS.

The interface files define them; a test reads those files and compares.
"""

from __future__ import annotations

from enum import IntEnum


class SkillCode(IntEnum):
    """How a skill ended (``ExecuteSkill.Result.error_code``)."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID_ARGUMENTS = 2
    UNKNOWN_SKILL = 3
    NOT_FOUND = 4
    UNREACHABLE = 5
    BLOCKED = 6
    TIMEOUT = 7
    OUT_OF_REACH = 8
    PRECONDITION_FAILED = 9
    NO_ANSWER = 10
    UNAVAILABLE = 11
    ABORTED_BY_SAFETY = 12
    BUSY = 13
    OUTCOME_UNKNOWN = 14
    INTERNAL = 15


class TaskCode(IntEnum):
    """How a task ended (``ExecuteTask.Result.error_code``)."""

    SUCCEEDED = 0
    CANCELED = 1
    NOT_UNDERSTOOD = 2
    UNKNOWN_OBJECT = 3
    UNKNOWN_PLACE = 4
    UNKNOWN_PERSON = 5
    UNREACHABLE = 6
    SKILL_FAILED = 7
    SKILL_MISSING = 8
    BUDGET_EXHAUSTED = 9
    TIME_LIMIT = 10
    MODEL_UNAVAILABLE = 11
    NEEDS_INPUT = 12
    APPROVAL_DENIED = 13
    REFUSED = 14
    ABORTED_BY_SAFETY = 15
    UNKNOWN_THREAD = 16
    THREAD_BUSY = 17
    INVALID_GOAL = 18
    SHUTTING_DOWN = 19
    INTERNAL = 20


class Phase(IntEnum):
    """What a task is at (``ExecuteTask.Feedback.phase``)."""

    QUEUED = 0
    UNDERSTANDING = 1
    PLANNING = 2
    EXECUTING = 3
    PAUSED = 4
    FROZEN = 5
    WAITING_APPROVAL = 6
    WAITING_INPUT = 7
    EVALUATING = 8
    CONCLUDING = 9
    CANCELING = 10


# A skill that failed for good fails the task with a code that says more than SKILL_FAILED where there is one.
TASK_CODE_OF_SKILL = {
    SkillCode.UNREACHABLE: TaskCode.UNREACHABLE,
    SkillCode.UNKNOWN_SKILL: TaskCode.SKILL_MISSING,
    SkillCode.ABORTED_BY_SAFETY: TaskCode.ABORTED_BY_SAFETY,
}

# The planner's refusals, by their code.
TASK_CODE_OF_REFUSAL = {
    "missing_skill": TaskCode.SKILL_MISSING,
    "dangerous": TaskCode.REFUSED,
    "unknown_object": TaskCode.UNKNOWN_OBJECT,
    "unknown_place": TaskCode.UNKNOWN_PLACE,
    "unknown_person": TaskCode.UNKNOWN_PERSON,
    "contradiction": TaskCode.REFUSED,
    "not_understood": TaskCode.NOT_UNDERSTOOD,
    "no_way_left": TaskCode.SKILL_FAILED,
}
