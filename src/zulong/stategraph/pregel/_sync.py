"""Drives a run with threads: one task runs in the caller's thread, several in the run's own."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from zulong.stategraph import tracing
from zulong.stategraph._keys import ERROR, RETURN
from zulong.stategraph.errors import NodeTimeoutError, RunCancelledError
from zulong.stategraph.pregel._attempt import retry_delay, run_node
from zulong.stategraph.pregel._effects import Act, CacheGet, Effect, Execute, Load, Save
from zulong.stategraph.pregel._fence import Attempt
from zulong.stategraph.pregel._plan import call_task
from zulong.stategraph.pregel._pool import DEFAULT_LIMIT, EAGER_THREADS, GROW_AFTER_S, Pool
from zulong.stategraph.pregel._stream import Waker, finished_output
from zulong.stategraph.pregel._writer import BackgroundWriter

if TYPE_CHECKING:
    from zulong.stategraph.pregel._run import Run
    from zulong.stategraph.pregel._task import Task

CALL_LIMIT = 512


class SyncDriver:
    """See the module. One driver serves one run."""

    def __init__(self, run: Run, *, eager: bool = False, step_timeout: float | None = None) -> None:
        self.run = run
        run.driver = self
        self.eager = eager
        self.step_timeout = step_timeout
        self.waker = Waker()
        self._pool: Pool | None = None
        self._calls: Pool | None = None
        self._writer: BackgroundWriter | None = None
        self._waiting: deque[Task] = deque()
        self._running: dict[Task, Attempt] = {}
        self._open_calls = 0
        self._stuck = False
        self._stop_starting = False

    # -- effects ----------------------------------------------------------------------------------

    def drive(self) -> Iterator[None]:
        """Run to the end; yields whenever there may be chunks to hand on."""
        main = self.run.main()
        sink = self.run.options.own_sink
        if sink is not None and self.eager:
            sink.wake = self.waker
        try:
            effect: Effect = next(main)
            while True:
                try:
                    if type(effect) is Execute:
                        answer = None
                        yield from self._execute(effect.tasks)
                    else:
                        answer = self.perform(effect)
                except GeneratorExit as gone:
                    self._abandon(main, gone)
                    raise
                except BaseException as exc:
                    effect = main.throw(exc)
                    continue
                if sink is not None and sink.chunks:
                    yield
                effect = main.send(answer)
        except StopIteration:
            pass
        finally:
            self.close()

    def _abandon(self, main: Any, gone: BaseException) -> None:
        """The consumer of the stream went away: save what there is to save, then stop."""
        self._fence_all()
        try:
            effect = main.throw(gone)
            while True:
                effect = main.send(self.perform(effect))
        except (StopIteration, GeneratorExit):
            pass

    def perform(self, effect: Effect) -> Any:
        """Do what a run asked for, except executing tasks."""
        run = self.run
        if isinstance(effect, Save):
            self.save(effect)
            return None
        if isinstance(effect, Load):
            if self._writer is not None:
                self._writer.flush()
            found = getattr(run.saver, effect.method)(*effect.args, **effect.kwargs)
            return list(found) if effect.method == "list" else found
        if isinstance(effect, CacheGet):
            return run.cache.get(effect.keys)
        if isinstance(effect, Act):
            return effect.action.call(effect.argument, effect.task)
        raise TypeError(f"Unknown effect {type(effect).__name__}")

    def save(self, save: Save) -> None:
        """Save now, or with durability "async" while the next step runs."""
        saver = self.run.saver
        if self.run.parent is not None and self.run.fenced:
            return
        if self.run.durability != "async":
            for method, args in save.calls:
                getattr(saver, method)(*args)
            return
        if self._writer is None:
            self._writer = BackgroundWriter()
        self._writer.submit(saver, save)

    def close(self) -> None:
        """End the run's threads; raises what saving in the background raised."""
        wait = not self._stuck
        if self._pool is not None:
            self._pool.close(wait=wait)
        if self._calls is not None:
            self._calls.close(wait=wait)
        if self._writer is not None:
            self._writer.close()

    # -- executing --------------------------------------------------------------------------------

    def _execute(self, tasks: Sequence[Task]) -> Iterator[None]:
        if len(tasks) == 1 and not self.eager and self.step_timeout is None:
            task = tasks[0]
            if task.timeout is None and not self.run.watched:
                self._inline(task)
                if self._open_calls or self._waiting:
                    yield from self._supervise(None)
                return
        if not tasks:
            return
        self._stop_starting = False
        deadline = None if self.step_timeout is None else time.monotonic() + self.step_timeout
        self._waiting.extend(tasks)
        yield from self._supervise(deadline)

    def _inline(self, task: Task | None) -> None:
        """Run a task in this thread, and after it the handler of its failure."""
        while task is not None:
            error: BaseException | None = None
            while True:
                try:
                    self._attempt(task)
                except BaseException as exc:
                    pause = retry_delay(task, exc)
                    if pause is not None:
                        time.sleep(pause)
                        task.new_attempt()
                        continue
                    error = exc
                break
            task = self._finish(task, error)
            if error is not None and not isinstance(error, Exception):
                raise error  # KeyboardInterrupt and the like end the run after they were recorded

    def _attempt(self, task: Task) -> Any:
        messages = self.run.messages
        if messages is None and not tracing.active():
            return run_node(task)
        if messages is not None:
            messages.started(task)
        if tracing.active():
            with tracing.task_span(task) as span:
                result = run_node(task)
                tracing.record_output(span, task, result)
        else:
            result = run_node(task)
        if messages is not None:
            messages.ended(task, result)
        return result

    def _finish(self, task: Task, error: BaseException | None) -> Task | None:
        """Record how a task ended; returns the handler of its failure, if that is to run now."""
        run = self.run
        with run.lock:
            save = run.commit(task, error)
            if save is not None:
                self.save(save)
            handler = run.handler_for(task) if error is not None else None
        if error is None and task.cache_key is not None and run.cache is not None:
            key = task.cache_key
            run.cache.set({(key.ns, key.key): (list(task.writes), key.ttl)})
        return handler if handler is not None and not handler.done else None

    def _supervise(self, deadline: float | None) -> Iterator[None]:
        """Start what waits, until everything has ended; watch the limits meanwhile."""
        run = self.run
        sink = run.options.own_sink
        cancel = run.control.subscribe(self.waker) if run.control is not None else None
        try:
            while True:
                self._start_waiting()
                if sink is not None and sink.chunks:
                    yield
                if (
                    not self._running
                    and not self._open_calls
                    and not (self._waiting and not self._stop_starting)
                ):
                    break
                if run.control is not None and run.control.cancel_requested:
                    self._cancel_running(RunCancelledError(run.control.cancel_reason or "cancelled"))
                    break
                until = self._next_limit(deadline)
                if self._pool is not None and self._pool.backlog():
                    soon = time.monotonic() + GROW_AFTER_S
                    if until is None or soon < until:
                        if not self.waker.wait(soon):
                            self._pool.grow()
                        continue
                if not self.waker.wait(until) or (until is not None and time.monotonic() >= until):
                    self._enforce_limits(deadline)
        finally:
            if cancel is not None:
                cancel()
            self._waiting.clear()

    def _start_waiting(self) -> None:
        if not self._waiting or self._stop_starting:
            return
        if self._pool is None:
            limit = self.run.config.get("max_concurrency") or DEFAULT_LIMIT
            self._pool = Pool(limit, "zulong-run", EAGER_THREADS)
        while self._waiting:
            task = self._waiting.popleft()
            attempt = self._open_attempt(task)
            self._running[task] = attempt
            self._pool.submit(self._job, task, attempt)

    def _open_attempt(self, task: Task) -> Attempt:
        policy = task.timeout
        attempt = Attempt(auto=policy is None or policy.refresh_on == "auto")
        task.guard(attempt)
        return attempt

    def _job(self, task: Task, attempt: Attempt) -> None:
        """One task in a thread of the pool, with its retries."""
        if self._stop_starting and not task.is_call:
            if attempt.shut():
                self._running.pop(task, None)
            self.waker()
            return
        attempt.started = attempt.last_progress = time.monotonic()
        while True:
            error: BaseException | None = None
            try:
                self._attempt(task)
            except BaseException as exc:
                error = exc
            if not attempt.shut():
                return  # given up meanwhile; whoever did has recorded it
            pause = retry_delay(task, error) if error is not None else None
            if pause is None:
                break
            time.sleep(pause)
            task.new_attempt()
            attempt = self._open_attempt(task)
            self._running[task] = attempt
        self._ended(task, error)

    def _ended(self, task: Task, error: BaseException | None) -> None:
        try:
            handler = self._finish(task, error)
            if handler is not None:
                self._waiting.append(handler)
            elif error is not None and self.run.stops_others(task):
                self._stop_starting = True
        except BaseException as exc:  # saving or committing failed: that is the run's error
            self.run.fail(exc)
            self._stop_starting = True
        self._running.pop(task, None)
        self.waker()

    # -- limits -----------------------------------------------------------------------------------

    def _next_limit(self, deadline: float | None) -> float | None:
        until = deadline
        for task, attempt in list(self._running.items()):
            policy = task.timeout
            if policy is None:
                continue
            for limit, since in (
                (policy.run_timeout, attempt.started),
                (policy.idle_timeout, attempt.last_progress),
            ):
                if limit is not None:
                    at = since + float(limit)  # type: ignore[arg-type]
                    until = at if until is None or at < until else until
        return until

    def _enforce_limits(self, deadline: float | None) -> None:
        now = time.monotonic()
        if deadline is not None and now >= deadline:
            self._cancel_running(TimeoutError("Timed out"))
            self.run.fail(TimeoutError(f"The step took longer than {self.step_timeout} s."))
            return
        for task, attempt in list(self._running.items()):
            policy = task.timeout
            if policy is None:
                continue
            run_s = None if policy.run_timeout is None else float(policy.run_timeout)  # type: ignore[arg-type]
            idle_s = None if policy.idle_timeout is None else float(policy.idle_timeout)  # type: ignore[arg-type]
            kind = ""
            if run_s is not None and now >= attempt.started + run_s:
                kind = "run"
            elif idle_s is not None and now >= attempt.last_progress + idle_s:
                kind = "idle"
            if kind and attempt.shut():
                error = NodeTimeoutError(
                    task.name,
                    now - attempt.started,
                    kind=kind,  # type: ignore[arg-type]
                    run_timeout=run_s,
                    idle_timeout=idle_s,
                )
                self._give_up(task, error)

    def _give_up(self, task: Task, error: BaseException) -> None:
        """A fenced attempt: its thread may go on, but nothing of it counts."""
        self._stuck = True
        if self._pool is not None:
            self._pool.widen()
        task.writes = []
        pause = retry_delay(task, error)
        if pause is None:
            self._ended(task, error)
            return
        self._running.pop(task, None)
        task.new_attempt()
        timer = threading.Timer(pause, self._again, (task,))
        timer.daemon = True
        self._open_calls += 1
        timer.start()

    def _again(self, task: Task) -> None:
        self._waiting.append(task)
        self._open_calls -= 1
        self.waker()

    def _cancel_running(self, error: BaseException) -> None:
        """Fence everything that runs, and record each task as cancelled."""
        self._stop_starting = True
        for task, attempt in list(self._running.items()):
            if attempt.shut():
                self._stuck = True
                task.writes = []
                self._ended(task, error)
        self.run.troubled = True
        self._open_calls = 0

    def _fence_all(self) -> None:
        self._stop_starting = True
        for attempt in list(self._running.values()):
            if attempt.shut():
                self._stuck = True

    # -- calls of @task functions -----------------------------------------------------------------

    def call(self, parent: Task, call: Any) -> Future[Any]:
        """Run a `@task` function beside the task that calls it."""
        run = self.run
        future: Future[Any] = Future()
        with run.lock:
            task = call_task(run, parent, call)
            run.tasks.append(task)
            if not run.is_replaying:
                writes = finished_output(run.pending.get(task.id, ()))
                if writes:
                    task.writes, task.done = writes, True
        if run.sink is not None and run.wants("tasks"):
            from zulong.stategraph.pregel._stream import task_payload

            run.emit("tasks", task_payload(task))
        if not task.done and task.cache_key is not None and run.cache is not None:
            key = (task.cache_key.ns, task.cache_key.key)
            found = run.cache.get((key,))
            if key in found:
                task.writes, task.done = [(c, v) for c, v in found[key]], True
                with run.lock:
                    save = run.keep(task, task.writes, cached=True)
                    if save is not None:
                        self.save(save)
        if task.done:
            settle(future, task)
            return future
        if self._calls is None:
            self._calls = Pool(self._call_limit(parent), "zulong-call")
        with run.lock:
            self._open_calls += 1
        self._calls.submit(self._call_job, task, future, parent)
        return future

    def _call_limit(self, parent: Task) -> int:
        limit = self.run.config.get("max_concurrency")
        return CALL_LIMIT if limit is None or parent.is_call else limit

    def _call_job(self, task: Task, future: Future[Any], parent: Task) -> None:
        task.fence = None
        error: BaseException | None = None
        while True:
            try:
                self._attempt(task)
            except BaseException as exc:
                pause = retry_delay(task, exc)
                if pause is not None:
                    time.sleep(pause)
                    task.new_attempt()
                    continue
                error = exc
            break
        try:
            if parent.fence is None or parent.fence.open:
                self._finish(task, error)
        except BaseException as exc:
            self.run.fail(exc)
            error = error or exc
        if error is None:
            settle(future, task)
        else:
            future.set_exception(error)
        with self.run.lock:
            self._open_calls -= 1
        self.waker()


def settle(future: Future[Any], task: Task) -> None:
    """Give the caller of a `@task` function its result, as the task's writes hold it."""
    for channel, value in task.writes:
        if channel == RETURN:
            future.set_result(value)
            return
    for channel, value in task.writes:
        if channel == ERROR:
            future.set_exception(value if isinstance(value, BaseException) else Exception(str(value)))
            return
    future.set_result(None)
