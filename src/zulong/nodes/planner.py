"""L2 as a node: ExecuteTask goals as checkpointed missions whose leaves are ExecuteSkill goals."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import BatteryState

from zulong.action import ExecuteTask
from zulong.agent.approval import ApprovalDesk
from zulong.agent.believing import BelievingPlanner
from zulong.agent.body_queue import BodyQueue
from zulong.agent.codes import TaskCode
from zulong.agent.config import mission_config, open_model
from zulong.agent.htn import MapWorld, OfflinePlanner, Plan, Question, Refusal, Step
from zulong.agent.language.tokens import language_of
from zulong.agent.mission import Mission, MissionEngine, MissionError, Outcome
from zulong.agent.model_planner import FirstThatUnderstands, ModelPlanner
from zulong.apartment import Apartment, ApartmentError, load_apartment
from zulong.chronicle import Sentences
from zulong.msg import (
    ApprovalRequest,
    DetectionArray,
    Event,
    MemoryNode,
    ReflexEvent,
    SafetyState,
    SkillInfo,
    TaskSummary,
)
from zulong.msg import TaskGraph as TaskGraphMsg
from zulong.nodes import names, qos
from zulong.nodes.actions import Goal
from zulong.nodes.base import ConfigurationError, Health, Level, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.nodes.convert_tasks import from_steps
from zulong.nodes.goals import GoalClient
from zulong.nodes.json_fields import object_or_empty
from zulong.nodes.planner_beliefs import Beliefs
from zulong.nodes.planner_goals import goal_problem
from zulong.nodes.planner_services import PlannerServices
from zulong.nodes.planner_skills import RosSkills, recall_skill
from zulong.nodes.planner_telling import GoalTeller, Voice
from zulong.nodes.planner_threads import ThreadRegister, ended_for_good
from zulong.nodes.sentences import brief
from zulong.nodes.services import ServiceCaller, ServiceError
from zulong.nodes.stamps import from_duration, to_duration
from zulong.nodes.state import STATE_DIR, state_folder
from zulong.resources import ResourceNotFoundError
from zulong.srv import ControlOutput, Recall
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.store.lmdb import LmdbStore
from zulong.tasks import TaskStatus

_RESULT = ExecuteTask.Result
_LEARN_LIMIT_S = 1.0
_FREEZING = (ReflexEvent.KIND_OBSTACLE, ReflexEvent.KIND_BUMP, ReflexEvent.KIND_STALE_SENSOR)


class PlannerNode(ZulongNode):
    """The ``execute_task`` action server and the services around it."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        STATE_DIR,
        Parameter(
            "time_limit_s",
            1800.0,
            "Longest run of a goal that names no limit.",
            "s",
            1.0,
            86400.0,
            read_only=True,
        ),
        Parameter(
            "skill_time_limit_s", 180.0, "Longest wait for one skill.", "s", 1.0, 3600.0, read_only=True
        ),
        Parameter(
            "freeze_limit_s",
            4.0,
            "An obstacle freezes a task for so long at most.",
            "s",
            0.0,
            60.0,
            read_only=True,
        ),
        Parameter(
            "skills_wait_s",
            8.0,
            "How long a goal waits for a missing skill.",
            "s",
            0.0,
            60.0,
            read_only=True,
        ),
        Parameter(
            "approval",
            "risky",
            "Which skills need a yes.",
            choices=("always", "risky", "never"),
            read_only=True,
        ),
        Parameter(
            "model",
            "",
            "Chat model (its name in section models of config/agent.yaml) that plans what the offline planner does "
            "not understand; empty: none is asked.",
            read_only=True,
        ),
        Parameter("max_goals", 16, "Goals at once.", "", 1, 256, read_only=True),
        Parameter(
            "resume_at_start",
            False,
            "Whether goals that a crash interrupted go on unasked.",
            read_only=True,
        ),
    )

    def __init__(self) -> None:
        super().__init__("planner")

    # --- life -------------------------------------------------------------------------------------------

    def setup(self) -> None:
        """Open the checkpoints, load language and map, offer action and services."""
        try:
            home = load_apartment()
            offline = OfflinePlanner()
            offline.warm_up()
            limits = mission_config()
            model = open_model(self.param("model")) if self.param("model") else None
            self._saver = LmdbSaver(str(state_folder(self, "checkpoints")), keep_last=200)
            self._store = LmdbStore(str(state_folder(self, "tasks")))
        except (
            OSError,
            ImportError,
            ApartmentError,
            ResourceNotFoundError,
            ValueError,
            RuntimeError,
        ) as error:
            raise ConfigurationError(str(error)) from error
        base = offline.world if isinstance(offline.world, MapWorld) else MapWorld.load()
        self._offline = offline
        self._beliefs = Beliefs(home, base, Sentences(offline.vocabulary.name))
        self._register = ThreadRegister(self._store)
        self._recall = ServiceCaller(self, Recall, names.RECALL)
        self._output = ServiceCaller(self, ControlOutput, names.CONTROL_OUTPUT)
        self._skills = RosSkills(self, recall_skill(self._ask_memory))
        self._desk = ApprovalDesk()
        self._planner = BelievingPlanner(offline, self._beliefs.world)
        self._asks_model = model is not None
        asked = [ModelPlanner(model, self._skills.profiles, places=_map_in_words(home))] if model else []
        self._engine = MissionEngine(
            FirstThatUnderstands([self._planner, *asked]),
            self._skills,
            self._saver,
            world=self._beliefs,
            config=dataclasses.replace(
                limits,
                time_limit_s=self.param("time_limit_s"),
                skill_time_limit_s=self.param("skill_time_limit_s"),
                approval=self.param("approval"),
            ),
            desk=self._desk,
        )
        self._body = BodyQueue()
        self._contexts: dict[str, dict[str, Any]] = {}
        self._freeze_timer: threading.Timer | None = None
        self._latency = self.latency("instruction_to_plan")
        self._listen()
        self._offer()

    def _listen(self) -> None:
        self.subscribe(SkillInfo, names.SKILLS, self._skills.on_info, qos.latched(100), when_inactive=True)
        self.subscribe(DetectionArray, names.SIM_OBJECTS, self._beliefs.on_detections, qos.sensor())
        self.subscribe(DetectionArray, names.DETECTIONS, self._beliefs.on_detections, qos.sensor())
        self.subscribe(PoseStamped, names.POSE, self._beliefs.on_pose, qos.sensor())
        self.subscribe(BatteryState, names.BATTERY, self._beliefs.on_battery, qos.sensor())
        self.subscribe(SafetyState, names.SAFETY_STATE, self._on_safety, qos.latched())
        self.subscribe(ReflexEvent, names.REFLEX_EVENT, self._on_reflex, qos.event())
        self.subscribe(Event, names.EVENTS_ORDERED, self._on_event, qos.event())

    def _offer(self) -> None:
        self._graph_topic = self.create_publisher(TaskGraphMsg, names.TASK_GRAPH, qos.latched(10))
        self._voice = Voice(self)
        requests = self.create_publisher(ApprovalRequest, names.APPROVAL_REQUESTS, qos.latched(20))
        self._server = self.serve_goals(
            ExecuteTask,
            names.EXECUTE_TASK,
            self._execute,
            max_goals=self.param("max_goals"),
        )
        self._own_goals = GoalClient(self, ExecuteTask, names.EXECUTE_TASK)
        self._thread_services = PlannerServices(
            self, self._engine, self._register, self._desk, self._saver, requests
        )
        self._background = self.worker("background")

    def start(self) -> None:
        """Take up what a crash interrupted."""
        interrupted = self._register.interrupt_running()
        self._background.submit(self._learn_locations, 15.0)
        if interrupted and self.param("resume_at_start"):
            self.get_logger().info(f"Going on with {len(interrupted)} interrupted task(s).")
            for thread_id in interrupted:
                self._own_goals.send(ExecuteTask.Goal(thread_id=thread_id))

    def stop(self) -> None:
        """Suspend every mission where it is; their threads can be resumed."""
        for mission in self._engine.missions:
            mission.shut_down()
        self._body.wake()

    def teardown(self) -> None:
        """Close the checkpoints."""
        for name in ("_saver", "_store"):
            opened = getattr(self, name, None)
            if opened is not None:
                opened.close()
        client = getattr(self, "_own_goals", None)
        if client is not None:
            client.destroy()

    def health(self) -> Health:
        """Tell what runs."""
        running = len(self._engine.missions)
        values: dict[str, str | float | int | bool] = {
            "goals": running,
            "skills": ", ".join(self._skills.names),
        }
        if not self._skills.names:
            return Health(Level.WARN, "No skill is offered yet.", values)
        return Health(Level.OK, f"{running} goal(s) running.", values)

    # --- goals ------------------------------------------------------------------------------------------

    def _execute(self, goal: Goal) -> ExecuteTask.Result:
        request: ExecuteTask.Goal = goal.request
        problem = goal_problem(request)
        if problem:
            return _RESULT(
                error_code=_RESULT.INVALID_GOAL, error_msg=problem, thread_id=brief(request.thread_id)
            )
        begun = time.monotonic()
        teller = GoalTeller(self, goal, self._graph_topic)
        self._learn_locations(_LEARN_LIMIT_S)
        try:
            mission = self._mission(request, teller)
        except (MissionError, ValueError) as error:
            code = error.code if isinstance(error, MissionError) else TaskCode.INVALID_GOAL
            return _RESULT(error_code=int(code), error_msg=str(error), thread_id=request.thread_id)
        words = request.instruction or request.plan.instruction
        teller.begin(mission.thread_id, words or self._words_of(mission.thread_id))
        goal.on_cancel(lambda: self._on_goal_cancel(goal, mission))
        self._register.begin(mission.thread_id, words)
        if request.preempt:
            self._preempt(mission, request.priority)
        outcome = self._run(goal, mission, request, teller)
        return self._conclude(mission, outcome, teller, begun, request)

    def _mission(self, request: ExecuteTask.Goal, teller: GoalTeller) -> Mission:
        limit_s = from_duration(request.time_limit) or None
        if request.thread_id and self._engine.knows(request.thread_id):
            return self._engine.resume(
                request.thread_id,
                request.instruction,
                skill_budget=request.tool_budget,
                time_limit_s=limit_s,
                tell=teller.tell,
            )
        if request.thread_id and not request.instruction.strip():
            raise MissionError(
                TaskCode.UNKNOWN_THREAD, f"There is no thread {request.thread_id!r}; see zulong tasks."
            )
        plan = None
        if request.plan.nodes:
            steps = tuple(Step.from_dict(step) for step in from_steps(request.plan))
            plan = Plan(steps, "zh" if request.plan.language == "zh" else "en", request.plan.instruction)
        words = request.instruction or request.plan.instruction
        return self._engine.start(
            words,
            plan=plan,
            skill_budget=request.tool_budget,
            time_limit_s=limit_s,
            language=language_of(words),
            person=request.person,
            context=self._contexts.get(request.person or request.session),
            tell=teller.tell,
            thread_id=request.thread_id or None,
        )

    def _run(self, goal: Goal, mission: Mission, request: ExecuteTask.Goal, teller: GoalTeller) -> Outcome:
        self._open_output()
        if not self._needs_body(request, mission):
            return self._engine.carry_out(mission)
        teller.queued(mission.thread_id)
        with self._body.turn(mission.thread_id, request.priority, lambda: goal.canceled) as taken:
            del taken  # a canceled mission still runs: it sees its latch at once and words its end
            return self._engine.carry_out(mission)

    def _needs_body(self, request: ExecuteTask.Goal, mission: Mission) -> bool:
        """Tell whether a goal will move the robot; a goal that is only words need not wait for one that does."""
        if request.thread_id and self._engine.knows(request.thread_id):
            return True
        skills: set[str] = {node.skill for node in request.plan.nodes if node.skill}
        if not skills:
            begun = time.monotonic()
            context = self._contexts.get(request.person or request.session)
            plan = self._planner.plan(request.instruction, context)
            self._latency.note(time.monotonic() - begun)
            skills = {str(leaf.skill) for leaf in plan.leaves()} if isinstance(plan, Plan) else set()
            if self._asks_model and isinstance(plan, Refusal) and plan.code == "not_understood":
                return True  # what the model will plan is not known yet
            if isinstance(plan, (Plan, Question)):
                self._contexts[request.person or request.session] = dict(plan.context)
        deadline = time.monotonic() + self.param("skills_wait_s")
        for skill in skills:
            self._skills.wait_for(skill, max(0.0, deadline - time.monotonic()))
        return any(self._skills.moves(skill) for skill in skills)

    def _conclude(
        self, mission: Mission, outcome: Outcome, teller: GoalTeller, begun: float, request: ExecuteTask.Goal
    ) -> ExecuteTask.Result:
        self._register.end(mission.thread_id, outcome.code, outcome.summary or outcome.message)
        if outcome.code not in (TaskCode.CANCELED, TaskCode.SHUTTING_DOWN):
            question = outcome.code == TaskCode.NEEDS_INPUT
            text = (
                (outcome.question or {}).get("text", "") if question else outcome.summary or outcome.message
            )
            self._voice.say(
                text, mission.thread_id, question=question, failed=bool(outcome.code) and not question
            )
        result = _RESULT(
            error_code=int(outcome.code),
            error_msg=outcome.message,
            summary=outcome.summary,
            thread_id=mission.thread_id,
            tool_calls=outcome.skill_calls,
            elapsed=to_duration(time.monotonic() - begun),
        )
        if self._engine.knows(mission.thread_id):
            graph = mission.task_graph()
            leaves = [node.status for node in graph.nodes() if node.is_leaf]
            done = sum(status in (TaskStatus.COMPLETED, TaskStatus.SKIPPED) for status in leaves)
            self._register.note_leaves(mission.thread_id, done, len(leaves))
            if ended_for_good(outcome.code):
                # A copy: the memory keeps the task as ended, and the thread can still be taken up again.
                graph.archive(TaskCode(outcome.code).name, outcome.summary or outcome.message)
            result.task_graph = teller.final(graph)
        return result

    def _words_of(self, thread_id: str) -> str:
        return str((self._register.record(thread_id) or {}).get("instruction", ""))

    def _on_goal_cancel(self, goal: Goal, mission: Mission) -> None:
        if goal.cancel_reason in (
            "the node shuts down",
            "the node was deactivated",
            "an error stopped the node",
        ):
            mission.shut_down()
        else:
            mission.cancel(goal.cancel_reason)
        self._body.wake()

    def _preempt(self, mission: Mission, priority: int) -> None:
        for goal in self._server.goals:
            if goal.request.priority < priority:
                goal.cancel("a more urgent goal came")

    # --- reflexes, safety, words from the bus --------------------------------------------------------------

    def _on_reflex(self, event: ReflexEvent) -> None:
        if event.kind not in _FREEZING or event.suppressed:
            return
        if event.active:
            for mission in self._engine.missions:
                mission.freeze(event.message)
            self._arm_thaw()
        else:
            self._thaw()

    def _arm_thaw(self) -> None:
        """Go on after a while although the obstacle stays: then navigation looks for a way around it."""
        self._disarm_thaw()
        self._freeze_timer = threading.Timer(self.param("freeze_limit_s"), self._thaw)
        self._freeze_timer.daemon = True
        self._freeze_timer.start()

    def _disarm_thaw(self) -> None:
        if self._freeze_timer is not None:
            self._freeze_timer.cancel()
            self._freeze_timer = None

    def _thaw(self) -> None:
        self._disarm_thaw()
        for mission in self._engine.missions:
            mission.thaw()

    def _on_safety(self, state: SafetyState) -> None:
        self._beliefs.on_safety(state)
        if state.latched:
            for mission in self._engine.missions:
                if mission.thread_id == self._body.holder:
                    mission.freeze("; ".join(state.causes))
                    mission.thaw()  # the comparison of the surroundings finds the hazard and ends the task

    def _on_event(self, event: Event) -> None:
        if event.type == "control.stop":
            self._server.cancel_all("a person said stop")
        elif event.type == "control.pause":
            for mission in self._engine.missions:
                mission.pause()
        elif event.type == "control.resume":
            for mission in self._engine.missions:
                mission.resume()
        elif event.type == "speech.instruction":
            self._take_words(object_or_empty(event.payload_json))

    def _take_words(self, payload: dict[str, Any]) -> None:
        text, person = str(payload.get("text", "")), str(payload.get("person", ""))
        if not text.strip():
            return
        # Words that come while a thread waits for an answer are most likely that answer.
        waiting = self._register.list([TaskSummary.STATE_WAITING_INPUT], "", 1)
        thread_id = waiting[0].thread_id if waiting else ""
        self._own_goals.send(ExecuteTask.Goal(instruction=text, person=person, thread_id=thread_id))

    # --- memory -----------------------------------------------------------------------------------------

    def _learn_locations(self, limit_s: float) -> None:
        """Take over what memory knows of where things are; a memory that is away is no reason not to act."""
        request = Recall.Request(text="", limit=1000, types=[MemoryNode.TYPE_KNOWLEDGE])
        request.hot_deadline_s = request.cold_deadline_s = min(0.5, limit_s)
        try:
            added = self._beliefs.remember(self._recall.call(request, timeout_s=limit_s))
        except ServiceError as error:
            self.get_logger().warning(f"Going on without memories of where things are: {error}")
            return
        if added:
            self.get_logger().info(f"Learned from memory where {added} things are.")

    def _ask_memory(self, question: str, thing: str) -> str:
        request = Recall.Request(text=question, limit=5, hot_deadline_s=0.5, cold_deadline_s=1.0)
        response = self._recall.call(request, timeout_s=8.0)
        if response.answer:
            return str(response.answer)
        chinese = language_of(question) == "zh"
        if not response.hits:
            return "我不记得。" if chinese else "I do not remember that."
        best = response.hits[0].node.text
        return f"我记得：{best}" if chinese else f"I remember: {best}"

    def _open_output(self) -> None:
        """Words of a new goal may flow again after a stop; a gateway that is away is no reason not to act."""
        request = ControlOutput.Request(command=ControlOutput.Request.RESUME, reason="a new goal")
        try:
            self._output.call(request, timeout_s=0.5)
        except ServiceError:
            self.get_logger().debug("The gateway does not answer.")


def _map_in_words(home: Apartment) -> str:
    """Return the names that a model may use as arguments."""
    kinds: dict[str, Sequence[Any]] = {
        "Rooms": home.rooms,
        "Furniture": home.placements,
        "Things": home.objects,
        "People": home.people,
    }
    return "\n".join(f"{kind}: {', '.join(item.id for item in items)}." for kind, items in kinds.items())


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(PlannerNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
