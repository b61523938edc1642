"""Anything that can be called as (part of) a node: functions, objects, compiled graphs, runnables."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zulong.stategraph.pregel._task import Task

_BY_NAME = {
    "config": lambda task: task.config,
    "writer": lambda task: task.runtime.stream_writer,
    "store": lambda task: task.runtime.store,
    "previous": lambda task: task.runtime.previous,
    "runtime": lambda task: task.runtime,
}
_KEYWORD = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_EMPTY = inspect.Parameter.empty


def is_async_callable(func: Any) -> bool:
    """Whether calling `func` gives a coroutine."""
    while isinstance(func, partial):
        func = func.func
    if inspect.iscoroutinefunction(func):
        return True
    call = getattr(type(func), "__call__", None)  # noqa: B004 - whether it is a coroutine function
    return call is not None and inspect.iscoroutinefunction(call)


def callable_name(func: Any) -> str | None:
    """The name a node gets when it is given none."""
    name = getattr(func, "__name__", None)
    if name is None and isinstance(func, partial):
        return callable_name(func.func)
    if name is None:
        getter = getattr(func, "get_name", None)
        name = getter() if getter is not None else type(func).__name__
    return name


def _wants(parameter: inspect.Parameter) -> bool:
    """Whether a parameter with an injectable name means the injected value, by its annotation."""
    if parameter.kind not in _KEYWORD:
        return False
    name, hint = parameter.name, parameter.annotation
    text = hint if isinstance(hint, str) else getattr(hint, "__name__", None) or str(hint)
    if name == "error":
        return "NodeError" in text
    if hint is _EMPTY or name in ("previous", "runtime"):
        return True
    if name == "config":
        return "RunnableConfig" in text or hint is dict or text.startswith(("dict", "Dict"))
    if name == "writer":
        return "StreamWriter" in text or "Callable" in str(hint)
    return "Store" in str(hint)


def _injected(func: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    try:
        parameters = inspect.signature(func).parameters.values()
    except (TypeError, ValueError):
        return ()
    found: list[tuple[str, Callable[[Any], Any]]] = []
    for index, parameter in enumerate(parameters):
        if parameter.name in _BY_NAME and _wants(parameter):
            if index == 0 and parameter.name in ("previous", "store", "writer"):
                continue  # the first parameter is the state
            found.append((parameter.name, _BY_NAME[parameter.name]))
        elif parameter.name == "error" and _wants(parameter):
            found.append(("error", lambda task: task.node_error))
    return tuple(found)


class Action:
    """A callable with what it needs from the run. `call` runs it here, `acall` in the event loop.

    Args:
        target: function, coroutine function, callable object, compiled graph, or any object with `invoke`.
        name: shown in errors and traces.
        spread: whether the input is (args, kwargs) instead of one value.
    """

    __slots__ = ("afunc", "func", "graph", "inject", "name", "spread", "target")

    def __init__(self, target: Any, name: str | None = None, *, spread: bool = False) -> None:
        self.target = target
        self.name = name or callable_name(target)
        self.spread = spread
        self.func: Callable[..., Any] | None = None
        self.afunc: Callable[..., Any] | None = None
        self.graph: Any = None
        self.inject: tuple[tuple[str, Callable[[Any], Any]], ...] = ()
        if getattr(type(target), "_is_compiled_graph", False):
            self.graph = target
            self.func = lambda arg, config: target.invoke(arg, config)
            self.afunc = lambda arg, config: target.ainvoke(arg, config)
            self.inject = (("config", _BY_NAME["config"]),)
        elif hasattr(type(target), "invoke") and hasattr(type(target), "ainvoke"):
            self._wrap_runnable(target)
        elif callable(target):
            if is_async_callable(target):
                self.afunc = target
            else:
                self.func = target
            self.inject = _injected(target)
        else:
            raise TypeError(
                f"Expected a function, a compiled graph or an object with invoke(), got {type(target).__name__}."
            )

    def _wrap_runnable(self, target: Any) -> None:
        self.func, self.afunc = target.invoke, target.ainvoke
        self.inject = (("config", _BY_NAME["config"]),)

    @property
    def is_async(self) -> bool:
        """Whether it can only run in an event loop."""
        return self.func is None

    def call(self, arg: Any, task: Task) -> Any:
        """Run it in this thread.

        Raises:
            TypeError: it is a coroutine function, and the graph was started by `invoke` or `stream`.
        """
        func = self.func
        if func is None:
            raise TypeError(
                f'No synchronous function provided to "{self.name}". Either initialize with a synchronous '
                "function or invoke via the async API (ainvoke, astream, etc.)"
            )
        if self.inject:
            extra = {name: get(task) for name, get in self.inject}
            if self.spread:
                return func(*arg[0], **{**extra, **arg[1]})
            return func(arg, **extra)
        if self.spread:
            return func(*arg[0], **arg[1])
        return func(arg)

    async def acall(self, arg: Any, task: Task) -> Any:
        """Run it in the event loop; what is not async runs in a thread of the run."""
        if self.afunc is None:
            result = await task.run.driver.in_thread(task, self, arg)
            return await result if inspect.isawaitable(result) else result
        extra = {name: get(task) for name, get in self.inject} if self.inject else {}
        if self.spread:
            return await self.afunc(*arg[0], **{**extra, **arg[1]})
        return await self.afunc(arg, **extra)


def identity_of(target: Any) -> str:
    """Module and name of what an action runs, which name its cache entries."""
    if isinstance(target, Action):
        target = target.target
    while isinstance(target, partial):
        target = target.func
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", None)
    module = getattr(target, "__module__", None)
    return f"{module}.{name}" if name and module else "__dynamic__"


def graphs_in(action: Action) -> list[Any]:
    """The compiled graphs that an action runs: its target, or those that its function names (as variables of
    the functions around it, or of its module)."""
    if action.graph is not None:
        return [action.graph]
    func = action.target
    while isinstance(func, partial):
        func = func.func
    func = getattr(func, "__func__", func)
    code = getattr(func, "__code__", None)
    if code is None:
        return []
    found: list[Any] = []
    values = [func.__globals__[name] for name in code.co_names if name in func.__globals__]
    for cell in func.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:  # a variable that is assigned later
            continue
    for value in values:
        if getattr(type(value), "_is_compiled_graph", False) and value not in found:
            found.append(value)
    return found
