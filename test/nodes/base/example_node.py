"""A small but whole node: the pattern for every node file, and the subject of the base's tests."""

from __future__ import annotations

import os
import sys
import time

from std_msgs.msg import String
from zulong.action import ExecuteSkill
from zulong.srv import SetPower

from zulong.nodes import qos
from zulong.nodes.actions import Goal
from zulong.nodes.base import ConfigurationError, Health, Level, Parameter, ZulongNode, main


class ExampleNode(ZulongNode):
    """Repeats what it hears, counts, and waits as a skill."""

    parameters = (
        Parameter("rate_hz", 20.0, "How often it speaks.", unit="Hz", minimum=1.0, maximum=100.0),
        Parameter("greeting", "hello", "What it says.", choices=("hello", "nihao")),
        Parameter("model_path", "", "A file that must exist when given.", read_only=True),
        Parameter("tags", [], "Free words.", item_type=str),
        Parameter("trouble", "", "What goes wrong, for tests.", read_only=True),
    )

    def __init__(self) -> None:
        super().__init__("example")
        self._heard = 0

    def setup(self) -> None:
        if self.param("model_path") and not os.path.exists(self.param("model_path")):
            raise ConfigurationError(
                f"model_path {self.param('model_path')} does not exist; give an existing file."
            )
        if self.param("trouble") == "setup raises":
            raise RuntimeError("a bug in setup")
        if self.param("trouble") == "setup crashes":
            os._exit(3)
        if self.param("trouble") == "setup hangs":
            time.sleep(60.0)
        self._said = self.create_publisher(String, "said", qos.event())
        self.subscribe(String, "heard", self._hear, qos.event())
        self.serve(SetPower, "set_power", self._set_power)
        self.serve_goals(ExecuteSkill, "execute_skill", self._execute)
        self.every(1.0 / self.param("rate_hz"), self._speak, "speak")

    def start(self) -> None:
        self._heard = 0

    def stop(self) -> None:
        self._said.publish(String(data="bye"))

    def parameter_changed(self, name: str, value: object) -> None:
        self.get_logger().info(f"{name} is now {value}")

    def health(self) -> Health:
        return Health(Level.OK, "speaking", {"heard": self._heard})

    def _speak(self) -> None:
        self._said.publish(String(data=self.param("greeting")))

    def _hear(self, message: String) -> None:
        self._heard += 1
        if message.data == "raise":
            raise ValueError("a bug in a callback")
        if message.data == "crash":
            os._exit(3)
        if message.data == "hang":
            time.sleep(60.0)
        self._said.publish(String(data=f"heard {message.data}"))

    def _set_power(self, request: SetPower.Request, response: SetPower.Response) -> SetPower.Response:
        if request.mode > SetPower.Request.SLEEP:
            raise ValueError("a bug in a service")
        response.mode = request.mode
        return response

    def _execute(self, goal: Goal) -> ExecuteSkill.Result:
        """Skill wait: seconds in task_node_id, feedback every 20 ms."""
        seconds = float(goal.request.task_node_id or 0.0)
        if goal.request.skill == "raise":
            raise ValueError("a bug in a skill")
        while goal.elapsed_s() < seconds:
            goal.publish(ExecuteSkill.Feedback(progress=goal.elapsed_s() / seconds))
            if goal.wait_cancel(0.02):
                return ExecuteSkill.Result(
                    error_code=ExecuteSkill.Result.CANCELED, error_msg=goal.cancel_reason
                )
        return ExecuteSkill.Result(result_json="{}")


if __name__ == "__main__":
    sys.exit(main(ExampleNode))
