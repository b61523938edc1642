"""An ExecuteTask server that ends as the words ask: the command line's counterpart in its tests.

The real planner is driven in test/system; here every ending must be reachable at will.
"""

from __future__ import annotations

import sys

from zulong.action import ExecuteTask
from zulong.msg import TaskGraph, TaskNode, TaskSummary
from zulong.srv import ControlTask, ListTasks, Recall

from zulong.nodes import names
from zulong.nodes.base import ZulongNode, main

Result = ExecuteTask.Result


class ScriptedPlanner(ZulongNode):
    """Ends a goal with the result constant that its instruction names; "wait" waits for a cancel."""

    def __init__(self) -> None:
        super().__init__("planner")

    def setup(self) -> None:
        self.serve_goals(ExecuteTask, names.EXECUTE_TASK, self._execute)
        self.serve(ListTasks, names.LIST_TASKS, self._list)
        self.serve(ControlTask, names.CONTROL_TASK, self._control)
        self.serve(Recall, names.RECALL, self._recall)

    def _execute(self, goal) -> ExecuteTask.Result:
        graph = TaskGraph(
            nodes=[
                TaskNode(id="root", title="the errand", status=1),
                TaskNode(id="1", parent_id="root", title="到厨房", skill="go_to", status=1, progress=0.5),
            ]
        )
        goal.publish(
            ExecuteTask.Feedback(
                phase=ExecuteTask.Feedback.PHASE_EXECUTING, task_graph=graph, message="going"
            )
        )
        words = goal.request.instruction
        result = Result(
            thread_id=goal.request.thread_id or "t1", task_graph=graph, tool_calls=2, summary="好的"
        )
        if words == "wait":
            while not goal.wait_cancel(0.5):
                pass
            result.error_code, result.error_msg = Result.CANCELED, goal.cancel_reason
        elif words:
            result.error_code = getattr(Result, words)
            result.error_msg = f"because of {words}" if result.error_code else ""
        return result

    def _list(self, request, response):
        response.tasks = [
            TaskSummary(thread_id="done", state=TaskSummary.STATE_SUCCEEDED, instruction="old"),
            TaskSummary(thread_id="t7", state=TaskSummary.STATE_INTERRUPTED, instruction="fetch"),
        ]
        return response

    def _control(self, request, response):
        response.error_code = ControlTask.Response.UNKNOWN_THREAD
        response.error_msg = "No such thread."
        return response

    def _recall(self, request, response):
        response.answer = f"红色的杯子在厨房。({request.text})"
        return response


if __name__ == "__main__":
    sys.exit(main(ScriptedPlanner))
