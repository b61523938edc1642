"""Drives a run in the event loop: coroutines here, functions that are not async in the run's threads."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Sequence
from concurrent.futures import Future as ThreadFuture
from typing import TYPE_CHECKING, Any

from zulong.stategraph import tracing
from zulong.stategraph._keys import CONFIG_KEY_TIMED_ATTEMPT_OBSERVER
from zulong.stategraph.errors import GraphBubbleUp, NodeCancelledError, NodeTimeoutError, RunCancelledError
from zulong.stategraph.pregel._attempt import arun_node, is_user_cancel, retry_delay
from zulong.stategraph.pregel._effects import Act, CacheGet, Effect, Execute, Load, Save
from zulong.stategraph.pregel._fence import Attempt
from zulong.stategraph.pregel._observe import Observer
from zulong.stategraph.pregel._plan import call_task
from zulong.stategraph.pregel._pool import DEFAULT_LIMIT, Pool
from zulong.stategraph.pregel._stream import finished_output, task_payload
from zulong.stategraph.pregel._sync import settle

if TYPE_CHECKING:
    from zulong.stategraph.pregel._action import Action
    from zulong.stategraph.pregel._run import Run
    from zulong.stategraph.pregel._task import Task

#: How long a cancelled node may take to clean up before it is left behind.
CLEANUP_S = 5.0


class AsyncDriver:
    """See the module. One driver serves one run, in one event loop."""

    def __init__(self, run: Run, *, eager: bool = False, step_timeout: float | None = None) -> None:
        self.run = run
        run.driver = self
        self.eager = eager
        self.step_timeout = step_timeout
        self.loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._pool: Pool | None = None
        self._wake = asyncio.Event()
        self._running: dict[asyncio.Task[None], Task] = {}
        self._calls: set[asyncio.Task[None]] = set()
        self._ended: deque[asyncio.Task[None]] = deque()
        self._failed = False
        self._saves: list[asyncio.Task[None]] = []
        self._last_step: asyncio.Task[None] | None = None
        limit = run.config.get("max_concurrency")
        self._slots = asyncio.Semaphore(limit) if limit else None
        self._call_slots = asyncio.Semaphore(limit) if limit else None

    def waker(self) -> None:
        """Wake the supervisor, from any thread."""
        if threading.get_ident() == self._thread:
            self._wake.set()
        else:
            try:
                self.loop.call_soon_threadsafe(self._wake.set)
            except RuntimeError:  # the loop is closed: nobody waits any more
                pass

    # -- effects ----------------------------------------------------------------------------------

    async def drive(self) -> AsyncIterator[None]:
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
                        async for _ in self._execute(effect.tasks):
                            yield
                    else:
                        answer = await self.perform(effect)
                    if sink is not None and sink.chunks:
                        yield
                except (GeneratorExit, asyncio.CancelledError) as gone:
                    await self._abandon(main, gone)
                    raise
                except BaseException as exc:
                    effect = main.throw(exc)
                    continue
                effect = main.send(answer)
        except StopIteration:
            pass
        finally:
            await self._close()

    async def _abandon(self, main: Any, gone: BaseException) -> None:
        """The caller cancelled, or stopped listening: end the tasks, record them, save."""
        await self._end_running()
        try:
            effect = main.throw(gone if isinstance(gone, GeneratorExit) else asyncio.CancelledError())
            while True:
                answer = await self._shielded(self.perform(effect))
                effect = main.send(answer)
        except (StopIteration, GeneratorExit, asyncio.CancelledError):
            pass

    async def _shielded(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Finish `work` even if this coroutine is cancelled meanwhile (once more)."""
        task = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            return await task

    async def perform(self, effect: Effect) -> Any:
        """Do what a run asked for, except executing tasks."""
        run = self.run
        if isinstance(effect, Save):
            await self.save(effect)
            return None
        if isinstance(effect, Load):
            await self._flush()
            if effect.method == "list":
                return [found async for found in run.saver.alist(*effect.args, **effect.kwargs)]
            return await getattr(run.saver, f"a{effect.method}")(*effect.args, **effect.kwargs)
        if isinstance(effect, CacheGet):
            return await run.cache.aget(effect.keys)
        if isinstance(effect, Act):
            return await effect.action.acall(effect.argument, effect.task)
        raise TypeError(f"Unknown effect {type(effect).__name__}")

    async def save(self, save: Save) -> None:
        """Save after everything before; "async" waits only for the step before the last one."""
        if self.run.parent is not None and self.run.fenced:
            return
        before = self._saves[-1] if self._saves else None
        waits = self.run.durability != "async"
        if save.ends_step:
            last = self._last_step
            if last is not None and not waits:
                await asyncio.shield(last)
        task = self.loop.create_task(self._write(before, save))
        self._saves = [t for t in self._saves if not t.done() or t.exception() is not None]
        self._saves.append(task)
        if save.ends_step:
            self._last_step = task
        if waits:
            await asyncio.shield(task)

    async def _write(self, before: asyncio.Task[None] | None, save: Save) -> None:
        if before is not None:
            await before
        for method, args in save.calls:
            await getattr(self.run.saver, f"a{method}")(*args)

    async def _flush(self) -> None:
        saves, self._saves = self._saves, []
        for task in saves:
            await asyncio.shield(task)

    async def _close(self) -> None:
        await self._end_running()
        error: BaseException | None = None
        saves, self._saves = self._saves, []
        for task in saves:
            try:
                await self._shielded_wait(task)
            except BaseException as exc:
                error = error or exc
        if self._pool is not None:
            self._pool.close(wait=False)
        if error is not None:
            raise error

    async def _shielded_wait(self, task: asyncio.Task[None]) -> None:
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise
            await task
            raise

    # -- executing --------------------------------------------------------------------------------

    async def _execute(self, tasks: Sequence[Task]) -> AsyncIterator[None]:
        if len(tasks) == 1 and not self.eager and self.step_timeout is None and not self.run.watched:
            await self._run_task(tasks[0])
            if not self._calls and not self._running:
                return
        else:
            for task in tasks:
                self._start(task)
        async for _ in self._supervise():
            yield

    def _start(self, task: Task) -> None:
        task.guard(Attempt())
        job = self.loop.create_task(self._in_slot(self._slots, self._run_task(task)), name=task.name)
        self._running[job] = task
        job.add_done_callback(self._job_ended)

    def _job_ended(self, job: asyncio.Task[None]) -> None:
        self._ended.append(job)
        self._wake.set()

    async def _in_slot(self, slots: asyncio.Semaphore | None, work: Coroutine[Any, Any, None]) -> None:
        if slots is None:
            await work
            return
        try:
            await slots.acquire()
        except BaseException:
            work.close()
            raise
        try:
            await work
        finally:
            slots.release()

    async def _supervise(self) -> AsyncIterator[None]:
        run = self.run
        sink = run.options.own_sink
        deadline = None if self.step_timeout is None else time.monotonic() + self.step_timeout
        unsubscribe = run.control.subscribe(self.waker) if run.control is not None else None
        try:
            while True:
                self._wake.clear()
                if sink is not None and sink.chunks:
                    yield
                self._reap()
                if not self._running and not self._calls:
                    return
                if run.control is not None and run.control.cancel_requested:
                    run.fail(RunCancelledError(run.control.cancel_reason or "cancelled"))
                    await self._end_running()
                    return
                if self._failed:
                    self._failed = False
                    await self._end_running()
                    return
                limit = None if deadline is None else max(0.0, deadline - time.monotonic())
                try:
                    await asyncio.wait_for(self._wake.wait(), limit)
                except asyncio.TimeoutError:
                    if deadline is not None and time.monotonic() >= deadline:
                        await self._end_running()
                        run.fail(asyncio.TimeoutError(f"The step took longer than {self.step_timeout} s."))
                        return
        finally:
            if unsubscribe is not None:
                unsubscribe()

    def _reap(self) -> None:
        while self._ended:
            job = self._ended.popleft()
            self._running.pop(job, None)
            self._calls.discard(job)
            self._collect(job)

    def _collect(self, job: asyncio.Task[None]) -> None:
        if not job.cancelled():
            error = job.exception()
            if error is not None:
                self.run.fail(error)

    async def _end_running(self) -> None:
        """Cancel what runs, give it a moment to clean up, and record each task as cancelled."""
        jobs = [*self._running, *self._calls]
        if not jobs:
            return
        for task in self._running.values():
            if task.fence is not None and not task.done:
                task.fence.shut()
        for job in jobs:
            job.cancel()
        cleanup = asyncio.ensure_future(asyncio.wait(jobs, timeout=CLEANUP_S))
        try:
            await asyncio.shield(cleanup)
        except asyncio.CancelledError:
            await cleanup
        for task in self._running.values():
            if not task.done:
                task.writes = []
                await self._shielded(self._finish(task, asyncio.CancelledError()))
        self._running.clear()
        self._calls.clear()

    async def _run_task(self, task: Task) -> None:
        """Run one task with its retries, and the handler of its failure."""
        following: Task | None = task
        while following is not None:
            error = await self._attempts(following)
            following = await self._finish(following, error)

    async def _attempts(self, task: Task) -> BaseException | None:
        while True:
            try:
                await self._limited(task)
                return None
            except asyncio.CancelledError as exc:
                if not is_user_cancel():
                    if task.fence is None:  # it ran in the caller's coroutine
                        task.writes = []
                        await self._shielded(self._finish(task, exc))
                    raise
                error: BaseException = NodeCancelledError(task.name)
                error.__cause__ = exc
            except Exception as exc:
                error = exc
            except GeneratorExit:
                raise
            except BaseException as exc:
                return exc
            pause = retry_delay(task, error)
            if pause is None:
                return error
            await asyncio.sleep(pause)
            task.new_attempt()
            if task.fence is not None:
                task.guard(Attempt())

    async def _limited(self, task: Task) -> None:
        """One attempt, within the limits of the task's time-out policy."""
        policy = task.timeout
        if policy is None:
            await self._attempt(task)
            return
        run_s = None if policy.run_timeout is None else float(policy.run_timeout)  # type: ignore[arg-type]
        idle_s = None if policy.idle_timeout is None else float(policy.idle_timeout)  # type: ignore[arg-type]
        observer = Observer.start(self.run.configurable.get(CONFIG_KEY_TIMED_ATTEMPT_OBSERVER), task, policy)
        fence = Attempt(auto=policy.refresh_on == "auto", on_progress=observer.progress if observer else None)
        task.guard(fence)
        inner = self.loop.create_task(self._attempt(task))
        try:
            await self._watch(task, inner, fence, run_s, idle_s)
        except BaseException as exc:
            if observer is not None:
                observer.finish(None if isinstance(exc, GraphBubbleUp) else exc)
            raise
        if observer is not None:
            observer.finish(None)

    async def _watch(
        self, task: Task, inner: asyncio.Task[Any], fence: Attempt, run_s: float | None, idle_s: float | None
    ) -> None:
        try:
            while True:
                now = time.monotonic()
                ends = []
                if run_s is not None:
                    ends.append((fence.started + run_s, "run"))
                if idle_s is not None:
                    ends.append((fence.last_progress + idle_s, "idle"))
                at, kind = min(ends)
                if not inner.done() and now >= at:
                    break
                done, _ = await asyncio.wait({inner}, timeout=max(0.0, at - now))
                if done:
                    await inner
                    return
        except asyncio.CancelledError:
            if not inner.done():
                fence.shut()
                _drop(inner)
            raise
        fence.shut()
        task.writes = []
        if self._pool is not None and task.node.bound is not None and task.node.bound.is_async is False:
            self._pool.widen()
        _drop(inner)
        raise NodeTimeoutError(
            task.name,
            now - fence.started,
            kind=kind,  # type: ignore[arg-type]
            run_timeout=run_s,
            idle_timeout=idle_s,
        )

    async def _attempt(self, task: Task) -> Any:
        messages = self.run.messages
        if messages is None and not tracing.active():
            return await arun_node(task)
        if messages is not None:
            messages.started(task)
        if tracing.active():
            with tracing.task_span(task) as span:
                result = await arun_node(task)
                tracing.record_output(span, task, result)
        else:
            result = await arun_node(task)
        if messages is not None:
            messages.ended(task, result)
        return result

    async def _finish(self, task: Task, error: BaseException | None) -> Task | None:
        run = self.run
        with run.lock:
            save = run.commit(task, error)
            handler = run.handler_for(task) if error is not None else None
            if error is not None and run.stops_others(task) and not run.is_handled(task):
                self._failed = True
        if save is not None:
            await self.save(save)
        if error is None and task.cache_key is not None and run.cache is not None:
            key = task.cache_key
            await run.cache.aset({(key.ns, key.key): (list(task.writes), key.ttl)})
        return handler if handler is not None and not handler.done else None

    def in_thread(self, task: Task, action: Action, argument: Any) -> asyncio.Future[Any]:
        """Run a function that is not async in a thread of the run."""
        if self._pool is None:
            self._pool = Pool(self.run.config.get("max_concurrency") or DEFAULT_LIMIT, "zulong-run")
        future: asyncio.Future[Any] = self.loop.create_future()

        def job() -> None:
            try:
                result, error = action.call(argument, task), None
            except BaseException as exc:
                if isinstance(exc, StopIteration):
                    exc = RuntimeError(f"Node '{task.name}' raised StopIteration.")
                result, error = None, exc
            try:
                self.loop.call_soon_threadsafe(_settle, future, result, error)
            except RuntimeError:  # the loop closed while the node ran: nobody waits any more
                pass

        self._pool.submit(job)
        return future

    # -- calls of @task functions -----------------------------------------------------------------

    def call(self, parent: Task, call: Any) -> Any:
        """Run a `@task` function beside the task that calls it; the future fits the caller's thread."""
        if threading.get_ident() == self._thread:
            future = self.loop.create_future()
            self._start_call(parent, call, future)
            return future
        elsewhere: ThreadFuture[Any] = ThreadFuture()
        self.loop.call_soon_threadsafe(self._start_call, parent, call, elsewhere)
        return elsewhere

    def _start_call(self, parent: Task, call: Any, future: Any) -> None:
        slots = None if parent.is_call else self._call_slots
        job = self.loop.create_task(self._in_slot(slots, self._call(parent, call, future)))
        self._calls.add(job)

        def ended(_: Any) -> None:
            if job.cancelled() and not future.done():
                future.cancel()
            self._job_ended(job)

        job.add_done_callback(ended)
        if isinstance(future, asyncio.Future):
            future.add_done_callback(lambda f: job.cancel() if f.cancelled() else None)

    async def _call(self, parent: Task, call: Any, future: Any) -> None:
        run = self.run
        if parent.fence is not None:
            parent.fence.progress()
        with run.lock:
            task = call_task(run, parent, call)
            run.tasks.append(task)
            if not run.is_replaying:
                writes = finished_output(run.pending.get(task.id, ()))
                if writes:
                    task.writes, task.done = writes, True
        if run.sink is not None and run.wants("tasks"):
            run.emit("tasks", task_payload(task))
        if not task.done and task.cache_key is not None and run.cache is not None:
            key = (task.cache_key.ns, task.cache_key.key)
            found = await run.cache.aget((key,))
            if key in found:
                task.writes, task.done = [(c, v) for c, v in found[key]], True
                save = run.keep(task, task.writes, cached=True)
                if save is not None:
                    await self.save(save)
        error: BaseException | None = None
        if not task.done:
            task.guard(Attempt())
            try:
                error = await self._attempts(task)
            except asyncio.CancelledError as exc:
                task.writes = []
                await self._shielded(self._finish(task, exc))
                raise
            await self._finish(task, error)
        if parent.fence is not None:
            parent.fence.progress()
        if future.done():
            return
        if error is None:
            settle(future, task)
        else:
            future.set_exception(error)


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _drop(inner: asyncio.Task[Any]) -> None:
    """Cancel an attempt that was given up; its end is nobody's business any more."""
    inner.cancel()

    def seen(task: asyncio.Task[Any]) -> None:
        if not task.cancelled():
            task.exception()

    inner.add_done_callback(seen)
