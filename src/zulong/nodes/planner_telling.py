"""What a goal tells while it runs: feedback to its client, the graph to everybody, words to the gateway."""

from __future__ import annotations

import threading
import time
from typing import Any

from zulong.action import ExecuteTask
from zulong.agent.codes import Phase
from zulong.agent.language.tokens import language_of
from zulong.agent.mission import Update
from zulong.agent.mission.words import spoken_words
from zulong.msg import TaskGraph as TaskGraphMsg
from zulong.msg import TextChunk
from zulong.nodes import names, qos
from zulong.nodes.actions import Goal
from zulong.nodes.convert_tasks import to_task_graph
from zulong.tasks import TaskGraph

_PROGRESS_PERIOD_S = 0.25


class GoalTeller:
    """Turns a mission's updates into feedback; the graph goes along after each change, progress at most 4 Hz."""

    def __init__(self, node: Any, goal: Goal, graph_topic: Any) -> None:
        self._node = node
        self._goal = goal
        self._graph_topic = graph_topic
        self._lock = threading.Lock()
        self._instruction = ""
        self._thread_id = ""
        self._graph: TaskGraphMsg | None = None
        self._progress_at = 0.0
        self._spoken: list[str] = []
        self._phase = int(Phase.QUEUED)

    @property
    def spoke(self) -> bool:
        """Whether the task itself said something."""
        return bool(self._spoken)

    def begin(self, thread_id: str, instruction: str) -> None:
        """Say whose goal this is."""
        self._thread_id, self._instruction = thread_id, instruction

    def queued(self, thread_id: str) -> None:
        """Say that the goal waits for the body."""
        self._goal.publish(ExecuteTask.Feedback(phase=int(Phase.QUEUED), thread_id=thread_id))

    def tell(self, update: Update) -> None:
        """Publish an update; called from the mission's threads."""
        feedback = ExecuteTask.Feedback(thread_id=update.thread_id, message=update.message)
        with self._lock:
            # The progress of a leaf says nothing about the phase: it may be told while the task is frozen.
            self._phase = self._phase if update.node_id else int(update.phase)
            feedback.phase = self._phase
            if update.graph is not None:
                self._graph = self._message(update.graph)
                feedback.task_graph = self._graph
                feedback.tokens = self._new_words(update.graph)
                self._graph_topic.publish(self._graph)
            elif update.node_id and self._graph is not None and not self._progressed(update, feedback):
                return
        self._goal.publish(feedback)

    def final(self, graph: TaskGraph) -> TaskGraphMsg:
        """Publish and return the graph at the end."""
        message = self._message(graph)
        self._graph_topic.publish(message)
        return message

    def _new_words(self, graph: TaskGraph) -> str:
        words = spoken_words(graph)
        new, self._spoken = words[len(self._spoken) :], words
        return "\n".join(new)

    def _progressed(self, update: Update, feedback: ExecuteTask.Feedback) -> bool:
        """Put a running leaf's progress into the last graph; False when it is too soon to send it again."""
        for node in self._graph.nodes if self._graph is not None else ():
            if node.id == update.node_id:
                node.progress = max(node.progress, float(update.progress))
        now = time.monotonic()
        if now - self._progress_at < _PROGRESS_PERIOD_S:
            return False
        self._progress_at = now
        feedback.task_graph = self._graph
        return True

    def _message(self, graph: TaskGraph) -> TaskGraphMsg:
        now_s = self._node.get_clock().now().nanoseconds / 1e9
        return to_task_graph(
            graph,
            thread_id=self._thread_id,
            instruction=self._instruction,
            language=language_of(self._instruction),
            now_s=now_s,
        )


class Voice:
    """The planner's words, on their way to the gateway."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self._streams = 0
        self._publisher = node.create_publisher(TextChunk, names.TEXT_IN, qos.stream())

    def say(self, text: str, thread_id: str, *, question: bool = False, failed: bool = False) -> None:
        """Send one whole utterance; nothing for empty text."""
        if not text:
            return
        self._streams += 1
        kind = TextChunk.KIND_TOKEN
        if question:
            kind = TextChunk.KIND_QUESTION
        elif failed:
            kind = TextChunk.KIND_ERROR
        self._publisher.publish(
            TextChunk(
                stamp=self._node.get_clock().now().to_msg(),
                stream_id=f"planner-{thread_id}-{self._streams}",
                thread_id=thread_id,
                text=text,
                kind=kind,
                language=language_of(text),
                is_final=True,
            )
        )
