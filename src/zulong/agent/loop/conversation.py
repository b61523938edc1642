"""What the model is sent: the conversation made to fit, with old parts in memory instead of forgotten."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.chat.json_repair import BrokenJsonError, read_object
from zulong.agent.chat.tokens import chars_within, count, count_message, count_text
from zulong.agent.tools.keep import LoopMemory
from zulong.agent.tools.results import as_text

_DIGEST_LINE = 160
_LONGEST_BROKEN = 2_000
_LONGEST_WRITTEN = 8_000
_DIGEST_LINES = 40
_SAID_LINES = 8
_SAID_TOKENS = 60
_INTERRUPTED = {"role": "tool", "content": "error: not done, the task was interrupted before."}


class TokenCount:
    """Counts the tokens of a conversation that only grows: each message once."""

    def __init__(self) -> None:
        self._upto = 0
        self._seen = 0
        self._last: Mapping[str, Any] | None = None
        self._tokens = 0
        self._tools: dict[tuple[str, ...], int] = {}

    def of(
        self,
        messages: Sequence[Mapping[str, Any]],
        compaction: Mapping[str, Any],
        tools: Sequence[Mapping[str, Any]],
    ) -> int:
        """Return the tokens of a request: what stands for the old messages, the others, and the tools."""
        upto, total = int(compaction.get("upto", 0)), len(messages)
        same = (
            upto == self._upto
            and self._seen <= total
            and (self._seen <= upto or messages[self._seen - 1] == self._last)
        )
        if not same:
            self._upto, self._seen, self._tokens = upto, upto, 0
        if self._seen < total:
            self._tokens += count(messages[self._seen : total])
            self._seen, self._last = total, messages[total - 1]
        names = tuple(tool["function"]["name"] for tool in tools)
        if names not in self._tools:
            self._tools[names] = count((), tools)
        return self._tokens + self._tools[names] + count_text(str(compaction.get("digest", "")))


class AnsweredMessages:
    """The conversation with an answer to every call: servers refuse one where any is missing.

    A call is unanswered when the run ended (a cancel, a crash) between the reply and its results. The conversation
    only grows, so what is answered is kept between requests, and only what came since is looked at.
    """

    def __init__(self) -> None:
        self._upto = 0
        self._seen = 0
        self._last: Mapping[str, Any] | None = None
        self._answered: list[Mapping[str, Any]] = []

    def of(self, messages: Sequence[Mapping[str, Any]], upto: int) -> list[Mapping[str, Any]]:
        """Return the messages from ``upto`` on, each call followed by its result or by a word that there is none."""
        same = (
            upto == self._upto
            and self._seen <= len(messages)
            and (self._seen <= upto or messages[self._seen - 1] == self._last)
        )
        if not same:
            self._upto, self._seen, self._answered = upto, upto, []
        new = messages[self._seen :]
        results = {m["tool_call_id"]: m for m in new if m.get("role") == "tool"}
        out: list[Mapping[str, Any]] = []
        missing = False
        for message in new:
            if message.get("role") == "tool":
                continue
            out.append(message)
            for call in message.get("tool_calls") or ():
                result = results.get(call["id"])
                missing = missing or result is None
                out.append(_INTERRUPTED | {"tool_call_id": call["id"]} if result is None else result)
        if missing or not new:
            return self._answered + out
        self._seen, self._last = len(messages), messages[-1]
        self._answered += out
        return self._answered[:]


def request_messages(
    system: str, answered: Sequence[Mapping[str, Any]], digest: str = "", hints: Sequence[str] = ()
) -> list[Mapping[str, Any]]:
    """Return the messages of a request: system, what stands for the old ones, the rest, hints for this turn.

    There is one message of the system, at the begin: the templates of many models know no other.

    Args:
        system: the system's words.
        answered: the conversation as :class:`AnsweredMessages` gives it.
        digest: stands for the messages before.
        hints: told to the model in this request only.
    """
    begin = f"{system}\n\n{digest}" if digest else system
    told = [{"role": "user", "content": f"[loop] {hint}"} for hint in hints]
    return [{"role": "system", "content": begin}, *answered, *told]


def compacted(
    messages: Sequence[Mapping[str, Any]],
    compaction: Mapping[str, Any],
    memory: LoopMemory,
    *,
    window: int,
    compact_at: float,
    compact_to: float,
    used: int,
    instruction: str = "",
) -> dict[str, Any] | None:
    """Return a new compaction when the conversation has become too long, None when it fits.

    The oldest messages are kept in memory as DIALOGUE, and a digest that names the memory stands for them: the
    task's words, what the user said since, and a line for each of the newest of them. Each kept part names the one
    before it, so that all of the conversation can be read back from the last. A call is never parted from its
    result.

    Args:
        messages: the whole conversation.
        compaction: the one so far.
        memory: keeps the text.
        window: the model's context window, tokens.
        compact_at, compact_to: shares of the window: when to compact, and how much stays in words.
        used: tokens of the conversation after the present compaction, tools and digest included.
        instruction: the task's words.
    """
    upto = int(compaction.get("upto", 0))
    if used <= window * compact_at:
        return None
    live = messages[upto:]
    budget = window * compact_to
    keep = len(live)
    while keep > 0 and (budget := budget - count_message(live[keep - 1])) > 0:
        keep -= 1
    keep = max(keep, 1)
    while keep < len(live) and live[keep].get("role") == "tool":
        keep += 1  # a result belongs to the reply that called for it
    if keep >= len(live):
        keep = next((i for i in range(len(live) - 1, 0, -1) if live[i].get("role") != "tool"), 0)
    if keep <= 0:
        return None
    old = live[:keep]
    text = "\n".join(_line(message, None) for message in old)
    before = str(compaction.get("kept", ""))
    if before:
        text = f"[what was before: read_memory(memory_id={before!r})]\n{text}"
    memory_id = memory.keep(text, kind="DIALOGUE", meta={"messages": [upto, upto + keep], "before": before})
    said = [*compaction.get("said", ()), *_said(old, instruction)][-_SAID_LINES:]
    lines = _newest([line for message in old if (line := _line(message, _DIGEST_LINE))], window // 10)
    digest = "\n".join(
        [
            *([f"The user's task: {_short(instruction, window // 5)}"] if instruction else []),
            *(f"The user said since: {line}" for line in said),
            *_tail(str(compaction.get("lines", "")), window // 20),
            f"Earlier in this task (whole text: read_memory(memory_id={memory_id!r})):",
            *lines,
        ]
    )
    return {"upto": upto + keep, "digest": digest, "kept": memory_id, "said": said, "lines": "\n".join(lines)}


def _said(old: Sequence[Mapping[str, Any]], instruction: str) -> list[str]:
    """Return the user's own words among old messages but for the task itself, each in short."""
    texts = [str(m.get("content") or "") for m in old if m.get("role") == "user"]
    begin = max((i for i, text in enumerate(texts) if text == instruction), default=-1)
    return [
        _short(text, _SAID_TOKENS)
        for text in texts[begin + 1 :]
        if not text.startswith(("[loop]", "[surroundings]"))
    ]


def _short(text: str, tokens: int) -> str:
    limit = chars_within(text, tokens)
    return text if len(text) <= limit else f"{text[:limit]} …"


def _newest(lines: Sequence[str], tokens: int) -> list[str]:
    """Return the last lines that have room, in order; they only remind of what memory holds whole."""
    out: list[str] = []
    for line in reversed(lines[-_DIGEST_LINES:]):
        tokens -= count_text(line)
        if tokens < 0:
            break
        out.append(line)
    return out[::-1]


def _tail(text: str, limit: int) -> list[str]:
    return [text[-limit:]] if text else []


def _line(message: Mapping[str, Any], limit: int | None) -> str:
    content = (
        " ".join(str(message.get("content") or "").split()) if limit else str(message.get("content") or "")
    )
    calls = ", ".join(
        f"{c['function']['name']}({c['function']['arguments']})" for c in message.get("tool_calls") or ()
    )
    text = f"{message.get('role')}: {content}{' calls ' + calls if calls else ''}"
    return text if limit is None or len(text) <= limit else text[: limit - 1] + "…"


def valid_arguments(written: str) -> str:
    """Return arguments for the conversation: servers that parse them refuse it for ever where they are broken.

    A flood of them is cut; what was called is in the call itself.
    """
    if len(written) > _LONGEST_WRITTEN:
        return as_text({"text": written[:_LONGEST_BROKEN]})
    if written[:1] == "{" and "N" not in written and "I" not in written:  # no NaN, no Infinity
        try:
            json.loads(written)
        except (ValueError, RecursionError):
            pass
        else:
            return written
    try:
        return json.dumps(read_object(written), ensure_ascii=False, allow_nan=False, default=str)
    except (BrokenJsonError, ValueError):
        return as_text({"text": written[:_LONGEST_BROKEN]})
