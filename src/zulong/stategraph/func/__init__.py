"""The functional API: a workflow as a function, its steps as calls that are saved one by one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar, get_args, get_origin

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph._keys import CACHE_NS_WRITES, END, PREVIOUS, RETURN, START
from zulong.stategraph.channels.ephemeral_value import EphemeralValue
from zulong.stategraph.channels.last_value import LastValue
from zulong.stategraph.pregel._action import Action, callable_name, identity_of, is_async_callable
from zulong.stategraph.pregel._graph import Pregel
from zulong.stategraph.pregel._node import PregelNode, Write
from zulong.stategraph.pregel._validate import sync_timeout_unsupported
from zulong.stategraph.types import CachePolicy, RetryPolicy, TimeoutPolicy

__all__ = ("entrypoint", "task")

R = TypeVar("R")
S = TypeVar("S")


class _Call:
    """A call of a task function: what the engine needs to run it as a task."""

    __slots__ = ("func", "input", "name", "node")

    def __init__(self, func: Callable[..., Any], input: tuple[Any, Any], name: str, node: PregelNode) -> None:
        self.func = func
        self.input = input
        self.name = name
        self.node = node


class _TaskFunction:
    """What `@task` makes of a function: calling it starts it and gives a future."""

    def __init__(
        self,
        func: Callable[..., Any],
        *,
        retry_policy: Sequence[RetryPolicy],
        cache_policy: CachePolicy[Any] | None = None,
        timeout: TimeoutPolicy | None = None,
        name: str | None = None,
    ) -> None:
        self.func = func
        self.retry_policy = retry_policy
        self.cache_policy = cache_policy
        self.timeout = timeout
        functools.update_wrapper(self, func)
        self.task_name = name or callable_name(func) or type(func).__name__
        if name is not None:
            self.__name__ = name
        self._node = PregelNode(
            channels=[],
            triggers=[],
            bound=Action(func, self.task_name, spread=True),
            writers=[Write(lambda value: ((RETURN, value),))],
            retry_policy=retry_policy,
            cache_policy=cache_policy,
            timeout=timeout,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Start the function beside its caller; `.result()` (or `await`) gives what it returns.

        Raises:
            RuntimeError: not called from within an entrypoint, node or task.
        """
        running = CURRENT_TASK.get()
        if running is None:
            raise RuntimeError(
                "Called get_config outside of a runnable context: a task can only be called from within an "
                "entrypoint, a node or another task."
            )
        driver = running.run.driver
        if (
            self._node.bound is not None
            and self._node.bound.is_async
            and driver.__class__.__name__ == "SyncDriver"
        ):
            raise RuntimeError("In an sync context async tasks cannot be called")
        return driver.call(running, _Call(self.func, (args, kwargs), self.task_name, self._node))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def clear_cache(self, cache: Any) -> None:
        """Forget the cached results of this function."""
        if self.cache_policy is not None:
            cache.clear(((CACHE_NS_WRITES, identity_of(self.func)),))

    async def aclear_cache(self, cache: Any) -> None:
        """Asynchronous twin of `clear_cache`."""
        if self.cache_policy is not None:
            await cache.aclear(((CACHE_NS_WRITES, identity_of(self.func)),))


def _policies(policy: RetryPolicy | Sequence[RetryPolicy] | None) -> Sequence[RetryPolicy]:
    if policy is None:
        return ()
    return (policy,) if isinstance(policy, RetryPolicy) else policy


def task(
    __func_or_none__: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None,
    cache_policy: CachePolicy[Any] | None = None,
    timeout: float | timedelta | TimeoutPolicy | None = None,
    **deprecated: Any,
) -> Any:
    """Make a function a step of a workflow: its result is saved, and after a resume it is not run again.

    Args:
        name: default the function's.
        retry_policy, cache_policy, timeout: see their types.

    Raises:
        ValueError: a time-out for a function that is not async and may not be fenced.
    """
    if deprecated:
        from zulong.stategraph.pregel._deprecated import LangGraphDeprecatedSinceV05, refuse_unknown, renamed

        retry_policy = renamed(
            deprecated,
            "retry",
            "retry_policy",
            retry_policy,
            category=LangGraphDeprecatedSinceV05,
            stacklevel=3,
        )
        refuse_unknown(deprecated, "task()")
    policy = TimeoutPolicy.coerce(timeout)

    def decorate(func: Callable[..., Any]) -> _TaskFunction:
        if policy is not None and policy.sync != "fence" and not is_async_callable(func):
            raise sync_timeout_unsupported(name or callable_name(func) or "task", kind="Task")
        return _TaskFunction(
            func, retry_policy=_policies(retry_policy), cache_policy=cache_policy, timeout=policy, name=name
        )

    return decorate if __func_or_none__ is None else decorate(__func_or_none__)


class entrypoint:
    """Make a function a workflow: `invoke(input, config)` runs it, and its `task` calls are its steps.

    The function takes one input, and what else it names: `previous` (what the thread's last run returned),
    `config`, `runtime`, `store`, `writer`.
    """

    def __init__(
        self,
        checkpointer: Any = None,
        store: Any = None,
        cache: Any = None,
        context_schema: Any = None,
        cache_policy: CachePolicy[Any] | None = None,
        retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None,
        timeout: float | timedelta | TimeoutPolicy | None = None,
        **deprecated: Any,
    ) -> None:
        if deprecated:
            from zulong.stategraph.pregel._deprecated import (
                LangGraphDeprecatedSinceV05,
                refuse_unknown,
                renamed,
            )

            context_schema = renamed(
                deprecated, "config_schema", "context_schema", context_schema, stacklevel=3
            )
            old = LangGraphDeprecatedSinceV05
            retry_policy = renamed(
                deprecated, "retry", "retry_policy", retry_policy, category=old, stacklevel=3
            )
            refuse_unknown(deprecated, "entrypoint()")
        self.checkpointer = checkpointer
        self.store = store
        self.cache = cache
        self.cache_policy = cache_policy
        self.retry_policy = retry_policy
        self.timeout = TimeoutPolicy.coerce(timeout)
        self.context_schema = context_schema

    @dataclass(kw_only=True, slots=True, frozen=True)
    class final(Generic[R, S]):
        """Return `value`, but save `save` as the next run's `previous`."""

        value: R
        save: S

    def __call__(self, func: Callable[..., Any]) -> Pregel:
        """The workflow.

        Raises:
            NotImplementedError: `func` is a generator.
            ValueError: it takes no input.
            TypeError: it is annotated with a `final` that does not have two types.
        """
        if inspect.isgeneratorfunction(func) or inspect.isasyncgenfunction(func):
            raise NotImplementedError("Generators are not supported in the Functional API.")
        signature = inspect.signature(func)
        first = next(iter(signature.parameters.values()), None)
        if first is None:
            raise ValueError("Entrypoint function must have at least one parameter")
        input_type = Any if first.annotation is inspect.Signature.empty else first.annotation
        output_type, save_type = _result_types(signature.return_annotation)

        def to_writes(result: Any) -> Sequence[tuple[str, Any]]:
            if isinstance(result, entrypoint.final):
                return ((END, result.value), (PREVIOUS, result.save))
            return ((END, result), (PREVIOUS, result))

        name = callable_name(func) or "entrypoint"
        schemas = [t for t in (input_type, output_type, save_type) if not isinstance(t, str)]
        return Pregel(
            nodes={
                name: PregelNode(
                    bound=Action(func, name),
                    triggers=[START],
                    channels=START,
                    writers=[Write(to_writes)],
                    timeout=self.timeout,
                )
            },
            channels={
                START: EphemeralValue(input_type),
                END: LastValue(output_type, END),
                PREVIOUS: LastValue(save_type, PREVIOUS),
            },
            input_channels=START,
            output_channels=END,
            stream_channels=END,
            stream_mode="updates",
            stream_eager=True,
            checkpointer=self.checkpointer,
            store=self.store,
            cache=self.cache,
            cache_policy=self.cache_policy,
            retry_policy=_policies(self.retry_policy),
            context_schema=self.context_schema,
            allowed_types=tuple(schemas),
        )


def _result_types(annotation: Any) -> tuple[Any, Any]:
    if annotation is inspect.Signature.empty or annotation is entrypoint.final:
        return Any, Any
    if get_origin(annotation) is entrypoint.final:
        args = get_args(annotation)
        if len(args) != 2:
            raise TypeError(
                "entrypoint.final needs two types, that of the value and that of what is saved: "
                "-> entrypoint.final[int, str]."
            )
        return args
    return annotation, annotation
