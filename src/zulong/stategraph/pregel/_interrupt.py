"""`interrupt()`: ask, stop the node, and on the next run hand out the answer."""

from __future__ import annotations

from typing import Any

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph._keys import RESUME
from zulong.stategraph.errors import GraphInterrupt, mark_invalid_resume
from zulong.stategraph.types import Interrupt, interrupt_id


def ask(value: Any, response_schema: Any) -> Any:
    """See `zulong.stategraph.types.interrupt`."""
    task = CURRENT_TASK.get()
    if task is None:
        raise RuntimeError("Called interrupt outside of a runnable context: no node is running here.")
    adapter = None
    if response_schema is not None and not isinstance(response_schema, dict):
        from pydantic import TypeAdapter

        adapter = TypeAdapter(response_schema)
    index = task.next_interrupt()
    answers = task.answers
    if index < len(answers):
        answer = _validated(adapter, answers[index])
        task.write(((RESUME, answers[: index + 1]),))
        return answer
    answer = task.take_answer(peek=True)
    if answer is not None:
        checked = _validated(adapter, answer)  # before it is taken: a wrong answer can be given again
        task.take_answer(peek=False)
        answers.append(answer)
        task.write(((RESUME, list(answers)),))
        return checked
    schema = adapter.json_schema() if adapter is not None else response_schema
    question: Interrupt[Any] = Interrupt(
        value, interrupt_id(task.checkpoint_ns, len(answers)), response_schema=schema
    )
    raise GraphInterrupt((question,))


def _validated(adapter: Any, answer: Any) -> Any:
    if adapter is None:
        return answer
    try:
        return adapter.validate_python(answer)
    except ValueError as exc:  # pydantic.ValidationError is one
        mark_invalid_resume(exc)
        raise
