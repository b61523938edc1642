"""The memory graph as ROS services, and the chronicle that fills it with what was seen, said and done."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ClassVar

from zulong.agent.htn.world import MapWorld
from zulong.agent.language.lexicon import Lexicon, Vocabulary
from zulong.agent.language.meaning import Referent
from zulong.agent.language.reader import read
from zulong.agent.language.tokens import language_of
from zulong.apartment import ApartmentError, load_apartment
from zulong.chronicle import Deeds, Done, Seen, Sentences, Sightings, Whereabouts
from zulong.embedding import EmbeddingError, open_embedder
from zulong.memory import MemoryGraph
from zulong.memory.errors import MemoryGraphError, UnknownNodeError
from zulong.memory.model import Draft, Edge
from zulong.msg import DetectionArray, TaskNode, TextChunk, Transcript
from zulong.msg import TaskGraph as TaskGraphMsg
from zulong.nodes import names, qos
from zulong.nodes.base import ConfigurationError, Health, Level, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.nodes.convert_memory import (
    check_name,
    check_names,
    edge_type,
    from_node,
    node_type,
    point_place,
    to_edge,
    to_hit,
    to_node,
)
from zulong.nodes.deferred import allow_deferred
from zulong.nodes.json_fields import InvalidFieldError, json_object, object_or_empty
from zulong.nodes.measured import finite
from zulong.nodes.memory_keeping import MemoryKeeping, failure, typed
from zulong.nodes.memory_tasks import TaskTrees
from zulong.nodes.sentences import brief
from zulong.nodes.stamps import from_time
from zulong.nodes.state import STATE_DIR, state_folder
from zulong.resources import ResourceNotFoundError
from zulong.srv import GetMemory, LinkMemories, Recall, Reinforce, Remember

_VERDICTS = {
    "added": Remember.Response.VERDICT_ADDED,
    "strengthened": Remember.Response.VERDICT_STRENGTHENED,
    "refused": Remember.Response.VERDICT_REFUSED,
}
_CLOSE_S = 0.5
_LONGEST_RECALL_S = 60.0
_LONGEST_QUESTION = 10_000
_ENDED = (TaskNode.STATUS_COMPLETED, TaskNode.STATUS_BLOCKED)


class MemoryNode(ZulongNode):
    """Owns the store under ``$ZULONG_HOME/<namespace>/memory``."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        STATE_DIR,
        Parameter(
            "lifecycle_period_s",
            60.0,
            "Time between two rounds of decay, review and forgetting.",
            "s",
            1.0,
            86400.0,
            read_only=True,
        ),
        Parameter(
            "embedder",
            "hashing",
            "What makes vectors: hashing (offline, no model) or the folder of a sentence-transformers or ONNX model.",
            read_only=True,
        ),
        Parameter(
            "chronicle", True, "Whether what is seen, said and done is remembered by itself.", read_only=True
        ),
        Parameter(
            "repeat_s",
            600.0,
            "An unchanged sighting is offered again after this time.",
            "s",
            1.0,
            86400.0,
            read_only=True,
        ),
        Parameter(
            "task_trees",
            16,
            "How many tasks are mirrored step by step; of older ones one memory each stays.",
            "",
            1,
            1000,
            read_only=True,
        ),
    )

    def __init__(self) -> None:
        super().__init__("memory")

    def setup(self) -> None:
        """Open the store and offer the services."""
        robot = self.get_namespace().strip("/")
        path = state_folder(self, "memory")
        try:
            home = load_apartment()
            vocabulary = Vocabulary(Lexicon.load(), MapWorld.load())
            self._memory = MemoryGraph.open(
                path, embedder=open_embedder(self.param("embedder")), clock=self._now
            )
        except (MemoryGraphError, EmbeddingError, OSError, ApartmentError, ResourceNotFoundError) as error:
            raise ConfigurationError(str(error)) from error
        self._home = home
        self._vocabulary = vocabulary
        sentences = Sentences(vocabulary.name)
        self._robot = robot
        self._sightings = Sightings(home, sentences, robot, self.param("repeat_s"))
        self._deeds = Deeds(home, sentences, robot)
        self._whereabouts = Whereabouts(self._memory, sentences)
        self._told: dict[tuple[str, str], int] = {}
        self._words: dict[str, list[str]] = {}
        self._refused_newest = ""
        self._reader = self.worker("reader", depth=256)
        self._trees = TaskTrees(self, self._memory, robot, self.param("task_trees"))
        self._reader.submit(self._warm_up)
        self._serve_all()
        if self.param("chronicle"):
            self._listen()

    def start(self) -> None:
        """Let the memory live: decay, review and forgetting run in small slices beside the recalls."""
        self._memory.lifecycle.start(self.param("lifecycle_period_s"))

    def stop(self) -> None:
        """Let no further stage of the lifecycle begin."""
        self._memory.lifecycle.stop(timeout_s=0.5)

    def teardown(self) -> None:
        """Close the store; everything acknowledged is on disk already."""
        memory = getattr(self, "_memory", None)
        if memory is None:
            return
        for name in ("_keeping", "_trees", "_reader"):
            part = getattr(self, name, None)
            if part is not None:  # none when setup failed before it was made
                part.close(timeout_s=_CLOSE_S)
        memory.close()
        self._memory = None

    def health(self) -> Health:
        """Tell how much is remembered."""
        values: dict[str, str | float | int | bool] = {"memories": len(self._memory)}
        for stage, counters in self._memory.lifecycle.counters().items():
            values[f"stage.{stage}.runs"] = counters.runs
        trouble = self._refused_newest or self._trees.trouble
        if trouble:
            return Health(Level.ERROR, brief(trouble), values)
        return Health(Level.OK, f"{len(self._memory)} memories.", values)

    # --- services ---------------------------------------------------------------------------------------

    def _serve_all(self) -> None:
        for kind, name, handler in (
            (Remember, names.REMEMBER, self._remember),
            (LinkMemories, names.LINK_MEMORIES, self._link),
            (Reinforce, names.REINFORCE, self._reinforce),
            (GetMemory, names.GET_MEMORY, self._get),
            (Recall, names.RECALL, self._recall),
        ):
            service = self.serve(kind, name, typed(kind, handler))
            allow_deferred(service, self.post, lambda error, kind=kind: failure(kind, error))
        self._keeping = MemoryKeeping(self, self._memory, state_folder(self, "exports"))

    def _now(self) -> float:
        return self.get_clock().now().nanoseconds / 1e9

    def _remember(self, request: Remember.Request, response: Remember.Response) -> Any:
        draft = from_node(request.node, list(request.links), self._robot)
        if draft.stamp is None:
            draft = dataclasses.replace(draft, stamp=self._now())

        def told(result: Any) -> Remember.Response:
            response.id, response.verdict = result.id, _VERDICTS[result.verdict]
            if result.verdict == "refused":
                response.error_code, response.error_msg = Remember.Response.REFUSED, result.reason
            return response

        return _then(self._memory.remember_async(draft), told)

    def _link(self, request: LinkMemories.Request, response: LinkMemories.Response) -> Any:
        check_names([e.source_id for e in request.edges], "edges.source_id")
        check_names([e.target_id for e in request.edges], "edges.target_id")
        wanted = [
            (
                e.source_id,
                e.target_id,
                edge_type(e.type),
                e.weight,
                json_object(e.meta_json, "edges.meta_json"),
            )
            for e in request.edges
        ]

        def work() -> LinkMemories.Response:
            for source, target, kind, weight, meta in wanted:
                known = any(e.src == source and e.dst == target for e in self._edges(source, kind))
                self._memory.link(source, target, kind, weight, meta)
                response.updated += known
                response.added += not known
            return response

        return self._reader.submit(work)

    def _edges(self, id: str, kind: Any) -> list[Edge]:
        return self._memory.edges_of(id, {kind}) if self._memory.get(id) is not None else []

    def _reinforce(self, request: Reinforce.Request, response: Reinforce.Response) -> Any:
        check_names(request.ids, "ids")

        def work() -> Reinforce.Response:
            known = [id for id in request.ids if self._memory.get(id) is not None]
            response.unknown = [id for id in request.ids if id not in known]
            response.strengthened = self._memory.reinforce(known) if known else 0
            if response.unknown and not known:
                raise UnknownNodeError(response.unknown[0])
            return response

        return self._reader.submit(work)

    def _get(self, request: GetMemory.Request, response: GetMemory.Response) -> Any:
        check_names(request.ids, "ids")
        kinds = frozenset(edge_type(number) for number in request.edge_types) or None
        if request.depth > 2 or not 1 <= (request.limit or 200) <= 5000:
            raise InvalidFieldError("depth must be 0 to 2 and limit 1 to 5000.")
        return self._reader.submit(self._neighbourhood, request, response, kinds)

    def _neighbourhood(self, request: GetMemory.Request, response: GetMemory.Response, kinds: Any) -> Any:
        now, limit = self._now(), request.limit or 200
        reached: dict[str, None] = dict.fromkeys(request.ids)
        edges: dict[tuple[str, str, int], Edge] = {}
        frontier = list(reached)
        for step in range(request.depth + 1):
            following: list[str] = []
            for id in frontier if request.depth or request.with_edges else ():
                if self._memory.get(id) is None:
                    continue
                for edge in self._memory.edges_of(id, kinds):
                    edges[edge.src, edge.dst, int(edge.type)] = edge
                    following.extend(end for end in (edge.src, edge.dst) if end not in reached)
            if step < request.depth:
                reached.update(dict.fromkeys(following))
                frontier = following
        found = [(id, self._memory.get(id)) for id in list(reached)[:limit]]
        response.truncated = len(reached) > limit
        response.nodes = [to_node(node, now) for _, node in found if node is not None]
        response.unknown = [id for id in request.ids if self._memory.get(id) is None]
        inside = {node.id for node in response.nodes}
        asked = (
            inside
            if request.depth
            else inside | {e.dst for e in edges.values()} | {e.src for e in edges.values()}
        )
        response.edges = [to_edge(e) for e in edges.values() if e.src in asked and e.dst in asked]
        response.stats_json = json.dumps(_figures(self._memory))
        if response.unknown and not response.nodes:
            response.error_code = GetMemory.Response.NOT_FOUND
            response.error_msg = (
                f"No memory has the id {response.unknown[0]!r}; it was never stored or is forgotten."
            )
        return response

    def _recall(self, request: Recall.Request, response: Recall.Response) -> Any:
        return self._reader.submit(self._find, request.text, self._query(request), response)

    def _query(self, request: Recall.Request) -> dict[str, Any]:
        if not 1 <= request.limit <= 1000:
            raise InvalidFieldError(f"limit {request.limit} is outside 1 to 1000.")
        if not all(
            0.0 < each <= _LONGEST_RECALL_S for each in (request.hot_deadline_s, request.cold_deadline_s)
        ):
            raise InvalidFieldError(
                f"hot_deadline_s and cold_deadline_s must be above 0 and at most {_LONGEST_RECALL_S:g}."
            )
        if len(request.text) > _LONGEST_QUESTION:
            raise InvalidFieldError(
                f"text has {len(request.text)} characters; at most {_LONGEST_QUESTION} are asked for."
            )
        for field in ("person", "robot", "session"):
            check_name(getattr(request, field), field)
        check_names(request.focus, "focus")
        near = None
        if request.use_place:
            point = request.place.point
            near = point_place(request.place.header.frame_id, point.x, point.y, point.z)
            if not request.radius_m > 0.0:
                raise InvalidFieldError("radius_m must be above 0.")
        return {
            "k": request.limit,
            "types": frozenset(node_type(number) for number in request.types) or None,
            "since": from_time(request.since),
            "until": from_time(request.until),
            "as_of": from_time(request.as_of),
            "near": near,
            "radius_m": request.radius_m if near is not None else None,
            "person": request.person or None,
            "robot": request.robot or None,
            "session": request.session or None,
            "focus": tuple(request.focus),
            "hot_deadline_s": request.hot_deadline_s,
            "cold_deadline_s": request.cold_deadline_s,
        }

    def _find(self, text: str, query: dict[str, Any], response: Recall.Response) -> Recall.Response:
        begun = time.monotonic()
        result = self._memory.recall(text, **query)
        hits = {hit.id: hit for hit in result.hits}
        things = self._asked_where(text)
        if things:
            response.answer, reasons = self._whereabouts.answer(things, language_of(text))
            hits = {**{hit.id: hit for hit in reasons}, **hits}
        now = self._now()
        response.hits = [to_hit(hit, now) for hit in list(hits.values())[: query["k"]]]
        response.late = list(result.late)
        response.elapsed_s = time.monotonic() - begun
        return response

    def _warm_up(self) -> None:
        """Compile the patterns of both languages; the first question is then answered as fast as the rest."""
        for question in ("where is the cup?", "杯子在哪里？"):
            self._asked_where(question)

    def _asked_where(self, text: str) -> list[str]:
        """Return the ids of the things whose place the words ask for."""
        if not text.strip():
            return []
        meaning = read(text, self._vocabulary)
        asked = [c.theme for c in meaning.clauses if c.topic == "where" and c.theme is not None]
        return [id for theme in asked for id in self._meant(theme)]

    def _meant(self, theme: Referent) -> list[str]:
        """Return the things of the map that a description fits: those of its name, narrowed by its colour."""
        if not theme.colour:
            return list(theme.ids)
        return [id for id in theme.ids if getattr(self._home.find(id), "colour", "") == theme.colour]

    # --- chronicle --------------------------------------------------------------------------------------

    def _listen(self) -> None:
        self.subscribe(DetectionArray, names.SIM_OBJECTS, self._on_detections, qos.sensor())
        self.subscribe(DetectionArray, names.DETECTIONS, self._on_detections, qos.sensor())
        self.subscribe(TaskGraphMsg, names.TASK_GRAPH, self._on_task_graph, qos.latched(10))
        self.subscribe(Transcript, names.TRANSCRIPT, self._on_transcript, qos.event())
        self.subscribe(Transcript, names.ANSWERS, self._on_transcript, qos.event())
        self.subscribe(TextChunk, names.TEXT_OUT, self._on_words, qos.stream())

    def _keep(self, *drafts: Draft) -> None:
        for draft in drafts:
            try:
                self._memory.remember_async(draft).add_done_callback(self._kept)
            except MemoryGraphError as error:  # it can never be stored, whatever sent it
                self._refused_newest = brief(f"The newest memory cannot be stored: {error}")

    def _kept(self, done: Future[Any]) -> None:
        error = done.exception()
        self._refused_newest = "" if error is None else f"The newest memory could not be stored: {error}"

    def _on_detections(self, array: DetectionArray) -> None:
        if array.header.frame_id != "map":
            return  # without a place in the map there is no fact to keep
        stamp = from_time(array.header.stamp) or self._now()
        for detection in array.detections:
            point = detection.position
            if not (detection.has_position and detection.id and finite(point)):
                continue
            attributes = object_or_empty(detection.attributes_json)
            person = detection.category in ("person", "people")
            draft = self._sightings.saw(
                Seen(detection.id, person, point.x, point.y, point.z, stamp, attributes)
            )
            if draft is not None:
                self._keep(draft)

    def _on_task_graph(self, graph: TaskGraphMsg) -> None:
        self._trees.take(graph)
        for node in graph.nodes:
            key = (graph.thread_id, node.id)
            if node.status not in _ENDED or not node.skill or self._told.get(key) == node.attempts:
                continue
            self._told[key] = node.attempts
            done = self._done(graph, node)
            if done.skill == "pick" and done.succeeded:
                self._sightings.moved(str(done.result.get("object", "")))
            self._keep(*self._deeds.skill(done))
        while len(self._told) > 10_000:
            del self._told[next(iter(self._told))]

    def _done(self, graph: TaskGraphMsg, node: TaskNode) -> Done:
        return Done(
            graph.thread_id,
            node.id,
            node.title,
            node.skill,
            node.status == TaskNode.STATUS_COMPLETED,
            from_time(node.finished) or self._now(),
            object_or_empty(node.arguments_json),
            object_or_empty(node.result_json),
            node.error_msg,
        )

    def _on_transcript(self, transcript: Transcript) -> None:
        if transcript.is_final and transcript.text.strip():
            stamp = from_time(transcript.header.stamp) or self._now()
            self._keep(self._deeds.said(transcript.person or "operator", transcript.text, stamp))

    def _on_words(self, chunk: TextChunk) -> None:
        if chunk.kind == TextChunk.KIND_STATUS:
            return
        words = self._words.setdefault(chunk.stream_id, [])
        words.append(chunk.text)
        if chunk.is_final:
            del self._words[chunk.stream_id]
            text = "".join(words).strip()
            if text:
                self._keep(
                    self._deeds.said("robot", text, from_time(chunk.stamp) or self._now(), chunk.thread_id)
                )
        while len(self._words) > 1000:
            del self._words[next(iter(self._words))]


def _figures(memory: MemoryGraph) -> dict[str, Any]:
    """Return the numbers of nodes and edges and the timing of the lifecycle's stages, as plain values."""
    stats = memory.stats()
    return {
        "nodes": stats.nodes,
        "edges": stats.edges,
        "types": {kind.name: count for kind, count in stats.types.items()},
        "stages": {stage: dataclasses.asdict(counters) for stage, counters in stats.stages.items()},
    }


def _then(future: Future[Any], change: Callable[[Any], Any]) -> Future[Any]:
    """Return a future of ``change(result)``."""
    changed: Future[Any] = Future()

    def settle(done: Future[Any]) -> None:
        try:
            changed.set_result(change(done.result()))
        except Exception as error:
            changed.set_exception(error)

    future.add_done_callback(settle)
    return changed


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(MemoryNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
