"""One run of one graph: load, take the input, then step after step plan, execute, apply and save.

The run itself neither waits nor calls a saver: `main` is a generator that hands out what has to be done
(`Effect`s) and takes the results, so that one engine serves threads (`_sync`) and the event loop (`_async`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from zulong.stategraph._clock import now_text
from zulong.stategraph._keys import (
    CONFIG_KEY_CHECKPOINT_MAP,
    CONTROL_WRITES,
    ERROR,
    ERROR_SOURCE_NODE,
    INTERRUPT,
    NO_WRITES,
    NS_END,
    RESUME,
    TASKS,
)
from zulong.stategraph.errors import GraphBubbleUp, GraphInterrupt, NodeError, RunCancelledError
from zulong.stategraph.pregel import _stream as stream
from zulong.stategraph.pregel._effects import CacheGet, Effect, Execute, Load, Save
from zulong.stategraph.pregel._input import take_input
from zulong.stategraph.pregel._load import load
from zulong.stategraph.pregel._plan import handler_task, plan
from zulong.stategraph.pregel._run_state import RunState
from zulong.stategraph.pregel._task import Task

Effects = Generator[Effect, Any, Any]


class Run(RunState):
    """See the module."""

    # -- the run ----------------------------------------------------------------------------------

    def main(self) -> Effects:
        """Run to the end, an interrupt, or an error."""
        yield from load(self)
        try:
            yield from take_input(self)
            while self._tick():
                if self.cache is not None:
                    yield from self._match_cache()
                yield Execute([t for t in self.tasks if not t.done])
                self._raise_trouble()
                yield from self._end_step()
        except GraphInterrupt as exc:
            if self.parent is not None:
                yield from self._save_on_exit(failed=True)
                raise
            yield from self._save_on_exit(failed=True)
            self._show_interrupted(exc)
        except BaseException:
            yield from self._save_on_exit(failed=True)
            raise
        else:
            yield from self._save_on_exit(failed=False)

    @property
    def fenced(self) -> bool:
        """Whether a task around this run was given up: then nothing of this run may land any more."""
        task = self.parent
        while task is not None:
            if task.fence is not None and not task.fence.open:
                return True
            task = task.run.parent
        return False

    def _tick(self) -> bool:
        """Plan a step; False if there is none to execute."""
        if self.parent is not None and self.fenced:
            raise RunCancelledError("the task that runs this graph was given up")
        self.tasks = plan(self, self.updated)
        if self.saver is not None and self.sink is not None and self.wants("checkpoints"):
            self.emit_checkpoint()
        if self.step > self.stop:
            self.status = "out_of_steps"
            return False
        if not self.tasks:
            self.status = "done"
            return False
        if self.pending and not self.is_replaying:
            self._reuse_writes(self.tasks)
            self._resume_error_handlers()
        if self.options.interrupt_before and self._breaks(self.options.interrupt_before):
            self.status = "interrupt_before"
            raise GraphInterrupt
        control = self.control
        if control is not None and (control.drain_requested or control.cancel_requested):
            if control.cancel_requested:
                self.status = "cancelled"
                raise RunCancelledError(control.cancel_reason or "cancelled")
            self.status = "draining"
            return False
        if self.sink is not None and self.wants("tasks"):
            for task in self.tasks:
                if not task.hidden:
                    self.emit("tasks", stream.task_payload(task))
        self.troubled = False
        if self.pending and self.resume_map and not self.is_replaying:
            self._hold_unanswered()
        unfinished = len(self.tasks)
        for task in self.tasks:
            if task.done:
                unfinished -= 1
                self.show_writes(task, task.writes, cached=True)
        self.unfinished = unfinished
        return True

    def _breaks(self, nodes: Any) -> bool:
        """Whether a static breakpoint stops here: nothing has stopped at these channel versions yet."""
        state = self.state
        if state.newest is None:
            return False
        seen = state.seen.get(INTERRUPT)
        if seen and not state.newest > max(seen.values()):
            return False
        return any(not t.hidden if nodes == "*" else t.name in nodes for t in self.tasks)

    def _reuse_writes(self, tasks: Iterable[Task]) -> None:
        """Tasks that a run before this one finished are done: they do not run again."""
        pending = self.pending
        for task in tasks:
            writes = pending.get(task.id)
            if writes:
                output = stream.finished_output(writes)
                if output:
                    task.writes = output
                    task.done = True

    def _hold_unanswered(self) -> None:
        """Answers were given by id: a task whose questions are not among them goes on waiting, and does not
        run again only to ask the same."""
        answered = self.resume_map or {}
        for task in self.tasks:
            if task.done:
                continue
            questions = stream.interrupts_in(self.pending.get(task.id, ()))
            if questions and not any(q.id in answered for q in questions):
                task.done, task.error = True, GraphInterrupt(questions)
                self.troubled = True
                self.show_writes(task, [(INTERRUPT, questions)])

    def _resume_error_handlers(self) -> None:
        """A node failed before and its handler had not finished: only the handler runs."""
        for task in tuple(self.tasks):
            writes = self.pending.get(task.id, ())
            if not any(c == ERROR_SOURCE_NODE for c, _ in writes):
                continue
            error = next((v for c, v in writes if c == ERROR), None)
            cause = error if isinstance(error, BaseException) else Exception(str(error))
            handler = handler_task(self, task, NodeError(task.name, cause))
            if handler is not None:
                task.writes, task.done = [(ERROR, cause)], True
                self.tasks.append(handler)
                self._reuse_writes((handler,))

    def _match_cache(self) -> Effects:
        wanted = {(t.cache_key.ns, t.cache_key.key): t for t in self.tasks if t.cache_key and not t.done}
        if not wanted:
            return
        found = yield CacheGet(tuple(wanted))
        for key, writes in found.items():
            self.answer_from_cache(wanted[key], writes)

    def answer_from_cache(self, task: Task, writes: Iterable[tuple[str, Any]]) -> None:
        """The task needs not run: its writes were found in the cache."""
        task.writes = [(c, v) for c, v in writes]
        task.done = True
        self.unfinished -= 1
        self.keep(task, task.writes, cached=True)

    def _raise_trouble(self) -> None:
        """After executing: raise what ended the step, if anything did."""
        if not self.troubled:
            return
        control = self.control
        if control is not None and control.cancel_requested:
            self.status = "cancelled"
            raise RunCancelledError(control.cancel_reason or "cancelled")
        if self._failure is not None:
            raise self._failure
        bubbled: BaseException | None = None
        cancelled: BaseException | None = None
        questions: list[Any] = []
        for task in self.tasks:
            error = task.error
            if error is None or task.is_call:
                continue
            if isinstance(error, GraphInterrupt):
                questions.extend(error.args[0] if error.args else ())
            elif isinstance(error, GraphBubbleUp):
                bubbled = bubbled or error
            elif not isinstance(error, Exception):
                cancelled = cancelled or error
            elif not self.is_handled(task):
                raise error
        if cancelled is not None:
            raise cancelled
        if bubbled is not None:
            raise bubbled
        if questions or any(isinstance(t.error, GraphInterrupt) for t in self.tasks):
            raise GraphInterrupt(tuple(questions))

    def is_handled(self, task: Task) -> bool:
        """Whether an error handler takes care of the task's failure."""
        return any(c == ERROR_SOURCE_NODE for c, _ in task.writes)

    def _end_step(self) -> Effects:
        """Apply what the tasks wrote, save, and see whether to stop."""
        if len(self.tasks) == 1:
            finished: list[Task] = self.tasks
        else:
            finished = [t for t in self.tasks if not t.is_call]
        self.updated = updated = self.state.apply(finished)
        if self._news_for_output(updated):
            self.emit_values()
        deferred, self.deferred = self.deferred, []
        if self.pending:
            self.pending = {}
        self.is_replaying = False
        yield from self.save_checkpoint("loop", deferred)
        if self.options.interrupt_after and self._breaks(self.options.interrupt_after):
            self.status = "interrupt_after"
            self.tasks = plan(self, self.updated)
            if self.saver is not None and self.wants("checkpoints"):
                self.emit_checkpoint()
            raise GraphInterrupt
        self.resuming = None

    # -- what tasks did ---------------------------------------------------------------------------

    def commit(self, task: Task, error: BaseException | None) -> Save | None:
        """Record how a task ended; returns what has to be saved now, if anything.

        Called once per task, under `lock`.
        """
        task.done = True
        if not task.is_call:
            self.unfinished -= 1
        if error is None:
            if all(c in CONTROL_WRITES for c, _ in task.writes):
                task.writes.append((NO_WRITES, None))
            finished = self.options.node_finished
            if finished is not None and not task.hidden:
                finished(task.name)
            last = not self.troubled and self.unfinished == 0 and not task.is_call
            return self.keep(task, task.writes, defer=last)
        task.error = error
        self.troubled = True
        if isinstance(error, GraphInterrupt):
            questions = error.args[0] if error.args else ()
            if not questions:
                return None
            writes: list[tuple[str, Any]] = [(INTERRUPT, tuple(questions))]
            writes.extend(w for w in task.writes if w[0] == RESUME)
            return self.keep(task, writes)
        if isinstance(error, GraphBubbleUp):
            return self._flush_deferred()
        task.writes.append((ERROR, error))
        if task.node.error_handler_node and not task.node.is_error_handler and isinstance(error, Exception):
            task.writes.append((ERROR_SOURCE_NODE, task.name))
        return self.keep(task, task.writes)

    def handler_for(self, task: Task) -> Task | None:
        """The task that handles `task`'s failure, planned into this step; None if nothing handles it."""
        error = task.error
        if error is None or not self.is_handled(task):
            return None
        handler = handler_task(self, task, NodeError(task.name, error))
        if handler is not None:
            self.tasks.append(handler)
            self.unfinished += 1
            if not self.is_replaying:
                self._reuse_writes((handler,))
                if handler.done:
                    self.unfinished -= 1
        return handler

    def keep(
        self, task: Task, writes: Sequence[tuple[str, Any]], *, cached: bool = False, defer: bool = False
    ) -> Save | None:
        """Keep a task's writes as pending, show them, and say how they are saved."""
        if not writes:
            return None
        save: Save | None = None
        if self.saver is not None or task.call is not None:
            task_id = task.id
            saves = self.saver is not None and self.durability != "exit"
            if saves and defer and self.options.step_writer:
                # The last task of the step: its writes go into the transaction of the checkpoint after it.
                self.deferred.append((task_id, task.path_text, self._savable(writes)))
            else:
                self.pending[task_id] = list(writes)
                self.written.add(task_id)
                if saves:
                    step_writes = (task_id, task.path_text, self._savable(writes))
                    save = self._save_writes([*self.deferred, step_writes])
                    self.deferred = []
        if self.sink is not None or writes[0][0] == INTERRUPT:
            self.show_writes(task, writes, cached=cached)
        return save

    def _flush_deferred(self) -> Save | None:
        if not self.deferred:
            return None
        save, self.deferred = self._save_writes(self.deferred), []
        return save

    def _save_writes(self, step_writes: Sequence[tuple[str, str, Sequence[tuple[str, Any]]]]) -> Save:
        config = self.config_for(self.checkpoint_id)
        return Save([self.writes_call(config, w, tid, path) for tid, path, w in step_writes])

    def writes_call(
        self, config: Any, writes: Sequence[tuple[str, Any]], task_id: str, path: str
    ) -> tuple[str, tuple[Any, ...]]:
        """The saver's call that stores a task's writes."""
        return "put_writes", (config, writes, task_id, path) if self.options.takes_path else (
            config,
            writes,
            task_id,
        )

    def _savable(self, writes: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        untracked = self.layout.untracked
        if not untracked:
            return list(writes)
        clean = self.state._without_untracked
        return [(c, clean(v) if c == TASKS else v) for c, v in writes if c not in untracked]

    def show_writes(self, task: Task, writes: Sequence[tuple[str, Any]], *, cached: bool = False) -> None:
        """Stream what a task wrote: an update, its interrupts, its result."""
        if not writes or task.hidden:
            return
        first = writes[0][0]
        if first == INTERRUPT:
            if task.is_call:
                return  # the task that called it raises the same interrupts
            questions = stream.interrupts_in(writes)
            if self.parent is None:
                self.interrupts.extend(questions)
            self.emit("updates", {INTERRUPT: questions})
            if "values" in self.modes:
                values = self.state.read(self.options.output_keys)
                shown = (
                    {**values, INTERRUPT: questions} if isinstance(values, dict) else {INTERRUPT: questions}
                )
                self.emit("values", shown)
        elif first != ERROR and "updates" in self.modes:
            update = stream.update_of(task.name, writes, self.options.output_keys)
            if cached:
                update["__metadata__"] = {"cached": True}
            self.emit("updates", update)
        if not cached and self.wants("tasks"):
            self.emit("tasks", stream.task_result_payload(task, writes, self.options.stream_keys))

    def emit_checkpoint(self) -> None:
        """Show the checkpoint that the step starts from, with its tasks."""
        keys = self.options.stream_keys
        states = {t.id: stream.subgraph_config(self, t) for t in self.tasks if t.node.subgraphs}
        payload = stream.checkpoint_payload(
            config=self.config_for(self.checkpoint_id),
            parent_config=self.parent_config,
            values=self.state.read(keys),
            metadata=self.metadata,
            tasks=self.tasks,
            described=stream.describe_tasks(self.tasks, self.pending, states, self.options.output_keys),
        )
        self.emit("checkpoints", payload)

    def note(self, kind: str, questions: tuple[Any, ...] = ()) -> None:
        """Remember a stop or a resume for the callbacks."""
        self.events.append((kind, self.status, self.checkpoint_id, questions))

    def fail(self, error: BaseException) -> None:
        """The run itself failed (not a node): the step ends with this error."""
        self.troubled = True
        if self._failure is None:
            self._failure = error

    def stops_others(self, task: Task) -> bool:
        """Whether tasks of the step that have not started yet need not start any more."""
        error = task.error
        return error is not None and not task.is_call and not isinstance(error, GraphBubbleUp)

    @property
    def watched(self) -> bool:
        """Whether a cancellation from outside must be able to end a task that runs in the caller's thread."""
        return self.options.cancellable

    # -- saving -----------------------------------------------------------------------------------

    def save_checkpoint(
        self, source: str, deferred: Sequence[tuple[str, str, Sequence[tuple[str, Any]]]] = ()
    ) -> Effects:
        """End a step: make the checkpoint after it, and save it unless that waits for the exit."""
        self.metadata = {
            "source": source,
            "step": self.step,
            "parents": self.configurable.get(CONFIG_KEY_CHECKPOINT_MAP) or {},
        }
        if self.saver is None:
            self._checkpoint_id = None
        else:
            before = self._checkpoint_id
            self._checkpoint_id = self.new_id(self.step, after=before)
            self.checkpoint_ts = now_text()
            if self.durability != "exit":
                yield self._checkpoint_save(before, deferred)
        self.step += 1

    def _checkpoint_save(
        self, writes_to: str | None, deferred: Sequence[tuple[str, str, Sequence[tuple[str, Any]]]]
    ) -> Save:
        state, saved_id = self.state, self.saved_id
        values = state.saved_values()
        versions = dict(state.versions)
        changed, state.changed = state.changed, set()
        checkpoint = {
            "v": 4,
            "id": self._checkpoint_id,
            "ts": self.checkpoint_ts,
            "channel_values": values,
            "channel_versions": versions,
            "versions_seen": dict(state.seen),
            "updated_channels": None if self.updated is None else sorted(self.updated),
        }
        config = self.config_for(saved_id or None)
        self.parent_config = config if saved_id else None
        self.saved_id = self.checkpoint_id
        new_versions = {c: versions[c] for c in changed if c in versions}
        args = (config, checkpoint, dict(self.metadata), new_versions)
        if deferred:
            to = config if writes_to == saved_id else self.config_for(writes_to)
            return Save([("put_step", (*args, deferred, to))], ends_step=True)
        return Save([("put", args)], ends_step=True)

    def _save_on_exit(self, *, failed: bool) -> Effects:
        if self.saver is None:
            return
        if self.durability != "exit":
            flush = self._flush_deferred() if failed and self.troubled else None
            if flush is not None:
                yield flush
            return
        if self.parent is not None and not failed and any(NS_END in part for part in self.ns_parts):
            return
        if self._checkpoint_id != self.saved_id:
            yield self._checkpoint_save(None, ())
        mine = [(tid, w) for tid, w in self.pending.items() if tid in self.written]
        if mine:
            config = self.config_for(self.checkpoint_id)
            paths = {t.id: t.path_text for t in self.tasks}
            yield Save(
                [self.writes_call(config, self._savable(w), tid, paths.get(tid, "")) for tid, w in mine]
            )

    def _show_interrupted(self, exc: GraphInterrupt) -> None:
        """The outermost graph stops here: show what the finished tasks of the step will have changed."""
        questions = tuple(exc.args[0]) if exc.args else ()
        self.note("interrupt", questions)
        done = [t for t in self.tasks if t.done and t.error is None and not t.is_call]
        if done:
            try:
                updated = self.state.apply(done)
            except Exception:  # it will be raised when the step really ends
                updated = set()
            if self._news_for_output(updated):
                self.emit_values()
        if not questions:
            self.emit("updates", {INTERRUPT: ()})


__all__ = ("Effects", "Load", "Run")
