"""L1-B as a node: orders events, rules on utterances, keeps attention and power, predicts tools."""

from __future__ import annotations

import json
import threading
import time
from typing import ClassVar

from action_msgs.msg import GoalStatus, GoalStatusArray
from sensor_msgs.msg import BatteryState

from zulong.agent.budget import budget_from_words
from zulong.msg import Event as EventMsg
from zulong.msg import SkillInfo, Transcript
from zulong.nodes import names, qos
from zulong.nodes.base import Health, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.nodes.sentences import brief
from zulong.nodes.stamps import from_duration, from_time
from zulong.scheduler import (
    Attention,
    Event,
    EventQueue,
    Gatekeeper,
    Intent,
    PowerMode,
    PowerPolicy,
    Priority,
    ToolPredictor,
    ToolSummary,
)
from zulong.srv import PredictTools, SetAttention, SetPower

_REMEMBERED_IDS = 4096
_LONGEST_ID = 512
_WARN_PERIOD_S = 1.0
_LONGEST_TEXT = 20_000  # more would hold up the events
_FORCED = {
    SetPower.Request.AUTO: None,
    SetPower.Request.FULL: PowerMode.FULL,
    SetPower.Request.SAVING: PowerMode.IDLE,
    SetPower.Request.SLEEP: PowerMode.IDLE,
}


class SchedulerNode(ZulongNode):
    """Events in on ``events``, out by priority on ``events/ordered``."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("capacity", 1000, "Events that may wait.", "", 1, 1_000_000, read_only=True),
        Parameter(
            "wake_words",
            ["zulong", "祖龙", "robot", "机器人"],
            "Words that wake a silent robot.",
            read_only=True,
        ),
        Parameter(
            "cool_down_s",
            1.5,
            "Time in which the same words again are taken for an echo.",
            "s",
            0.0,
            60.0,
            read_only=True,
        ),
        Parameter(
            "idle_after_s",
            300.0,
            "Silence after which the planner's models are unloaded.",
            "s",
            1.0,
            86400.0,
            read_only=True,
        ),
    )

    def __init__(self) -> None:
        super().__init__("scheduler")

    def setup(self) -> None:
        """Make the queue and what feeds it."""
        self._queue = EventQueue(self.param("capacity"))
        self._originals: dict[str, EventMsg] = {}
        self._seen: dict[str, None] = {}
        self._gate = Gatekeeper(tuple(self.param("wake_words")), self.param("cool_down_s"))
        self._attention_until: tuple[float, Attention] | None = None
        self._power = PowerPolicy(time.monotonic(), self.param("idle_after_s"))
        self._sleeping = False
        self._mode = PowerMode.FULL
        self._skills: dict[str, SkillInfo] = {}
        self._predictor = ToolPredictor()
        self._running = 0
        self._waits = self.latency("queueing")
        self._stopping = threading.Event()
        self._ordered = self.create_publisher(EventMsg, names.EVENTS_ORDERED, qos.event())
        self.subscribe(EventMsg, names.EVENTS, self._on_event, qos.event())
        self.subscribe(Transcript, names.TRANSCRIPT, self._on_transcript, qos.event())
        self.subscribe(SkillInfo, names.SKILLS, self._on_skill, qos.latched(100), when_inactive=True)
        self.subscribe(BatteryState, names.BATTERY, self._on_battery, qos.sensor())
        self.subscribe(GoalStatusArray, f"{names.EXECUTE_TASK}/_action/status", self._on_tasks, qos.latched())
        self.serve(SetAttention, names.SET_ATTENTION, self._set_attention)
        self.serve(SetPower, names.SET_POWER, self._set_power)
        self.serve(PredictTools, names.PREDICT_TOOLS, self._predict)
        self.every(0.5, self._keep, "keep")

    def start(self) -> None:
        """Begin to dispatch."""
        self._stopping.clear()
        self._dispatcher = threading.Thread(target=self._dispatch, name="scheduler.dispatch", daemon=True)
        self._dispatcher.start()

    def stop(self) -> None:
        """Let the dispatcher end."""
        self._stopping.set()
        self._dispatcher.join(0.5)

    def health(self) -> Health:
        """Tell the queue's counts, attention and power."""
        counts = self._queue.counts
        return Health(
            message=f"{self._gate.attention.value}, power {self._mode.value}",
            values={
                "waiting": len(self._queue),
                "accepted": counts.accepted,
                "delivered": counts.delivered,
                "expired": counts.expired,
                "displaced": counts.displaced,
                "refused": counts.refused,
                "attention": self._gate.attention.value,
                "power": self._mode.value,
            },
        )

    # --- events -----------------------------------------------------------------------------------------

    def _on_event(self, message: EventMsg) -> None:
        key = message.id or f"{message.source}-{message.stamp.sec}.{message.stamp.nanosec:09d}-{message.type}"
        if key in self._seen:
            return
        if len(key) > _LONGEST_ID:
            self.get_logger().warning(
                f"Event {brief(key)!r} is refused: its id has {len(key)} characters, at most {_LONGEST_ID} are kept.",
                throttle_duration_sec=_WARN_PERIOD_S,
            )
            return
        self._seen[key] = None
        if len(self._seen) > _REMEMBERED_IDS:
            del self._seen[next(iter(self._seen))]
        try:
            priority = Priority(message.priority)
        except ValueError:
            self.get_logger().warning(
                f"Event {brief(key)!r} from {brief(message.source)} has an unknown priority {message.priority}.",
                throttle_duration_sec=_WARN_PERIOD_S,
            )
            return
        now = time.monotonic()
        event = Event(
            key, message.source, message.type, priority, message.payload_json, self._expiry(message, now)
        )
        self._originals[key] = message
        if not self._queue.put(event, now):
            self._originals.pop(key, None)

    def _expiry(self, message: EventMsg, now_s: float) -> float:
        ttl_s = from_duration(message.ttl)
        if ttl_s <= 0.0:
            return float("inf")
        stamp = from_time(message.stamp)
        age_s = 0.0 if stamp is None else self.get_clock().now().nanoseconds / 1e9 - stamp
        return now_s + ttl_s - max(0.0, age_s)

    def _dispatch(self) -> None:
        while not self._stopping.is_set():
            if not self._queue.wait(0.1):
                continue
            event = self._queue.take(time.monotonic())
            if event is not None:
                original = self._originals.pop(event.id, None)
                if original is not None:
                    self._ordered.publish(original)
            if len(self._originals) > 2 * len(self._queue) + 64:
                self._forget_expired()

    def _forget_expired(self) -> None:
        now = self.get_clock().now().nanoseconds / 1e9
        for key, message in list(self._originals.items()):
            ttl_s, stamp = from_duration(message.ttl), from_time(message.stamp)
            if ttl_s > 0.0 and stamp is not None and now - stamp > ttl_s:
                self._originals.pop(key, None)

    def _raise_event(self, kind: str, priority: Priority, payload: dict[str, object]) -> None:
        stamp = self.get_clock().now().to_msg()
        self._on_event(
            EventMsg(
                stamp=stamp,
                id=f"scheduler-{kind}-{stamp.sec}.{stamp.nanosec:09d}",
                source=self.get_fully_qualified_name(),
                type=kind,
                priority=int(priority),
                payload_json=json.dumps(payload, ensure_ascii=False),
            )
        )

    # --- words ------------------------------------------------------------------------------------------

    def _on_transcript(self, transcript: Transcript) -> None:
        if not transcript.is_final:
            return
        now = time.monotonic()
        ruling = self._gate.rule(transcript.text, now)
        self.get_logger().info(f"Heard {brief(transcript.text)!r}: {ruling.reason}")
        if not ruling.admitted:
            return
        self._power.on_activity(now)
        kinds = {
            Intent.STOP: "control.stop",
            Intent.PAUSE: "control.pause",
            Intent.RESUME: "control.resume",
            Intent.WAKE: "attention.wake",
            Intent.SILENCE: "attention.silent",
            Intent.QUESTION: "speech.instruction",
            Intent.COMMAND: "speech.instruction",
        }
        self._raise_event(
            kinds[ruling.intent],
            ruling.priority,
            {"text": transcript.text, "person": transcript.person, "intent": ruling.intent.value},
        )

    def _set_attention(
        self, request: SetAttention.Request, response: SetAttention.Response
    ) -> SetAttention.Response:
        modes = {SetAttention.Request.ACTIVE: Attention.ACTIVE, SetAttention.Request.SILENT: Attention.SILENT}
        duration_s = from_duration(request.duration)
        if request.mode not in modes or duration_s < 0.0:
            response.error_code = SetAttention.Response.INVALID_REQUEST
            response.error_msg = "mode must be ACTIVE (0) or SILENT (1), and duration not negative."
        else:
            former = self._gate.attention
            self._gate.attention = modes[request.mode]
            until = (time.monotonic() + duration_s, former)
            self._attention_until = until if duration_s > 0.0 else None
        response.mode = (
            SetAttention.Request.SILENT
            if self._gate.attention is Attention.SILENT
            else SetAttention.Request.ACTIVE
        )
        return response

    # --- power ------------------------------------------------------------------------------------------

    def _on_battery(self, battery: BatteryState) -> None:
        charging = battery.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_CHARGING
        if battery.percentage == battery.percentage:  # NaN: not measured
            self._power.on_battery(battery.percentage, charging)

    def _on_tasks(self, statuses: GoalStatusArray) -> None:
        live = (GoalStatus.STATUS_ACCEPTED, GoalStatus.STATUS_EXECUTING, GoalStatus.STATUS_CANCELING)
        running = sum(each.status in live for each in statuses.status_list)
        if running != self._running:
            self._running = running
            self._power.on_busy(running > 0, time.monotonic())

    def _set_power(self, request: SetPower.Request, response: SetPower.Response) -> SetPower.Response:
        if request.mode not in _FORCED:
            response.error_code = SetPower.Response.INVALID_REQUEST
            response.error_msg = f"Mode {request.mode} is none of AUTO (0), FULL (1), SAVING (2), SLEEP (3)."
        elif self._running and request.mode in (SetPower.Request.SAVING, SetPower.Request.SLEEP):
            response.error_code = SetPower.Response.BUSY
            response.error_msg = "A task runs; the models stay loaded until it ends."
        else:
            self._power.force(_FORCED[request.mode])
            self._sleeping = request.mode == SetPower.Request.SLEEP
            self._keep()
        full = self._mode is PowerMode.FULL
        idle = SetPower.Request.SLEEP if self._sleeping else SetPower.Request.SAVING
        response.mode = SetPower.Request.FULL if full else idle
        response.models_loaded = full
        return response

    def _keep(self) -> None:
        now = time.monotonic()
        if self._attention_until is not None and now >= self._attention_until[0]:
            self._gate.attention, self._attention_until = self._attention_until[1], None
        mode = self._power.mode(now)
        if mode is not self._mode:
            self._mode = mode
            label = "sleep" if self._sleeping and mode is not PowerMode.FULL else mode.value
            self._raise_event("power.mode", Priority.HIGH, {"mode": label})

    # --- tools ------------------------------------------------------------------------------------------

    def _on_skill(self, info: SkillInfo) -> None:
        if info.available:
            self._skills[info.name] = info
        else:
            self._skills.pop(info.name, None)
        self._predictor.set_tools(ToolSummary(s.name, s.description) for s in self._skills.values())

    def _predict(
        self, request: PredictTools.Request, response: PredictTools.Response
    ) -> PredictTools.Response:
        if not request.text.strip() or request.limit == 0:
            response.error_code = PredictTools.Response.INVALID_REQUEST
            response.error_msg = "text must hold words and limit must be at least 1."
            return response
        if len(request.text) > _LONGEST_TEXT:
            response.error_code = PredictTools.Response.INVALID_REQUEST
            response.error_msg = (
                f"text has {len(request.text)} characters; at most {_LONGEST_TEXT} are judged."
            )
            return response
        wanted = set(request.available)
        found = self._predictor.predict(request.text, limit=len(self._skills) or 1)
        found = [(name, score) for name, score in found if not wanted or name in wanted][: request.limit]
        response.tools = [name for name, _ in found]
        response.scores = [float(score) for _, score in found]
        response.intent = self._gate.intent_of(request.text).value
        budget = budget_from_words(request.text)
        response.budget = -1 if budget is None else budget
        response.forbidden = budget == 0
        return response


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(SchedulerNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
