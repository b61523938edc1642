"""Performs what reading and updating a thread asks for; nothing runs in steps here."""

from __future__ import annotations

from typing import Any

from zulong.stategraph.pregel._effects import Act, Load, Save


class _Here:
    """Lets an action that is not async run where it is called, in the event loop's thread."""

    @staticmethod
    async def in_thread(task: Any, action: Any, argument: Any) -> Any:
        return action.call(argument, task)


def perform(work: Any, saver: Any) -> Any:
    """Run the generator to its end with the saver's blocking calls."""
    answer: Any = None
    try:
        while True:
            effect = work.send(answer)
            if isinstance(effect, Load):
                answer = getattr(saver, effect.method)(*effect.args, **effect.kwargs)
                if effect.method == "list":
                    answer = list(answer)
            elif isinstance(effect, Save):
                answer = None
                for method, args in effect.calls:
                    getattr(saver, method)(*args)
            elif isinstance(effect, Act):
                answer = effect.action.call(effect.argument, effect.task)
    except StopIteration as end:
        return end.value


async def aperform(work: Any, saver: Any) -> Any:
    """Run the generator to its end with the saver's asynchronous calls."""
    answer: Any = None
    while True:
        try:
            effect = work.send(answer)
        except StopIteration as end:
            return end.value
        answer = None
        if isinstance(effect, Load):
            if effect.method == "list":
                answer = [found async for found in saver.alist(*effect.args, **effect.kwargs)]
            else:
                answer = await getattr(saver, f"a{effect.method}")(*effect.args, **effect.kwargs)
        elif isinstance(effect, Save):
            for method, args in effect.calls:
                await getattr(saver, f"a{method}")(*args)
        elif isinstance(effect, Act):
            effect.task.run.driver = _Here
            answer = await effect.action.acall(effect.argument, effect.task)
