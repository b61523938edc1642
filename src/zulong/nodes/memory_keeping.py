"""The services that keep a memory in order: forget, export_memory, review_memory.

They may take long, so they run in a thread of their own; recalls and writes go on beside them.
"""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from zulong.memory import MemoryGraph, forgetting
from zulong.memory import review as reviewing
from zulong.memory.erasure import ForgetResult, nodes_of_person
from zulong.memory.errors import (
    InvalidMemoryError,
    MemoryGraphError,
    StoreFullError,
    UndoError,
    UnknownNodeError,
)
from zulong.memory.journal import JournalEntry
from zulong.memory.model import Importance, ReviewVerdict
from zulong.msg import ReviewVerdict as VerdictMsg
from zulong.nodes import names
from zulong.nodes.convert_memory import check_names, node_type
from zulong.nodes.deferred import allow_deferred
from zulong.nodes.json_fields import InvalidFieldError
from zulong.nodes.memory_export import Choice, ExportStoppedError, MemoryExporter
from zulong.nodes.stamps import from_time
from zulong.nodes.workers import WorkerClosedError, WorkerFullError
from zulong.srv import ExportMemory, Forget, ReviewMemory

_WAITING = 16
_MOST_REVIEWED = 10_000
_LONGEST_NAME = 200
_JUDGE = "rules"
_FORMATS = {
    ExportMemory.Request.FORMAT_JSONL: "jsonl",
    ExportMemory.Request.FORMAT_GRAPHML: "graphml",
    ExportMemory.Request.FORMAT_BACKUP: "backup",
    ExportMemory.Request.FORMAT_MERMAID: "mermaid",
}
_EXPECTED = (InvalidFieldError, MemoryGraphError, WorkerFullError, WorkerClosedError)
_VERDICTS = {verdict.value: getattr(VerdictMsg, f"VERDICT_{verdict.name}") for verdict in ReviewVerdict}


class MemoryKeeping:
    """Serves what changes or copies much of the memory at once.

    Args:
        node: offers the services.
        memory: what to keep.
        exports: folder that exports are written into.
    """

    def __init__(self, node: Any, memory: MemoryGraph, exports: Path) -> None:
        self._memory = memory
        self._exporter = MemoryExporter(memory, exports)
        self._worker = node.worker("keeper", depth=_WAITING)
        for kind, name, check, work in (
            (Forget, names.FORGET, _check_forget, self._forget),
            (ExportMemory, names.EXPORT_MEMORY, _check_export, self._export),
            (ReviewMemory, names.REVIEW_MEMORY, _check_review, self._review),
        ):
            service = node.serve(kind, name, self._handler(kind, check, work))
            allow_deferred(service, node.post, lambda error, kind=kind: failure(kind, error))

    def close(self, timeout_s: float) -> None:
        """Let what runs end soon, so that the memory can be closed."""
        self._exporter.stop()
        self._worker.close(timeout_s)

    def _handler(
        self, kind: Any, check: Callable[[Any], None], work: Callable[[Any, Any], Any]
    ) -> Callable[[Any, Any], Any]:
        def answer(request: Any, response: Any) -> Future[Any]:
            check(request)
            return self._worker.submit(work, request, response)

        return typed(kind, answer)

    # --- forget -----------------------------------------------------------------------------------------

    def _forget(self, request: Forget.Request, response: Forget.Response) -> Forget.Response:
        ids = list(dict.fromkeys(request.ids))
        response.unknown = [id for id in ids if self._memory.get(id) is None]
        known = [id for id in ids if self._memory.get(id) is not None]
        if ids and not known and not request.person:
            raise UnknownNodeError(ids[0])
        if request.dry_run:
            response.forgotten, response.edges = self._count(known, request.person)
            return response
        reason = request.reason.strip()[:_LONGEST_NAME] or "asked to"
        done: list[ForgetResult] = []
        if request.person:
            done.append(self._memory.forget(person=request.person, reason=reason))
        left = [id for id in known if self._memory.get(id) is not None]
        if left:
            done.append(self._memory.forget(ids=left, permanent=True, reason=reason))
        response.forgotten = sum(each.nodes for each in done)
        response.edges = sum(each.edges for each in done)
        response.receipt_json = json.dumps(self._receipt(done, known, request.person), ensure_ascii=False)
        return response

    def _count(self, ids: list[str], person: str) -> tuple[int, int]:
        engine = self._memory.engine
        uids = {uid for uid in map(engine.uid, ids) if uid is not None}
        if person:
            uids |= set(nodes_of_person(engine, person))
        touched: set[tuple[int, int, int]] = set()
        for uid in uids:
            touched.update(engine.memory.topology.touching(engine.memory.columns.slot(uid)))
        return len(uids), len(touched)

    def _receipt(self, done: list[ForgetResult], ids: list[str], person: str) -> dict[str, Any]:
        remain = sum(self._memory.get(id) is not None for id in ids)
        if person:
            remain += len(nodes_of_person(self._memory.engine, person))
        index: dict[str, int] = {}
        for each in done:
            for part, count in each.index_entries.items():
                index[part] = index.get(part, 0) + count
        return {
            "memories": {"removed": sum(each.nodes for each in done), "remain": remain},
            "edges": {"removed": sum(each.edges for each in done)},
            "vectors": {"removed": sum(each.vectors for each in done)},
            "pairs": {"removed": sum(each.pairs for each in done)},
            "journal": {"removed": sum(each.journal_entries for each in done)},
            "index": {part: {"removed": count} for part, count in index.items()},
            "bytes_scrubbed": sum(each.bytes_scrubbed for each in done),
            "exports_not_touched": self._exporter.files(),
        }

    # --- export -----------------------------------------------------------------------------------------

    def _export(
        self, request: ExportMemory.Request, response: ExportMemory.Response
    ) -> ExportMemory.Response:
        choice = Choice(
            frozenset(node_type(number) for number in request.types) or None,
            request.person,
            from_time(request.since),
        )
        done = self._exporter.write(_FORMATS[request.format], request.name, choice)
        response.path, response.nodes, response.edges = str(done.path), done.nodes, done.edges
        response.sha256 = done.sha256
        return response

    # --- review -----------------------------------------------------------------------------------------

    def _review(
        self, request: ReviewMemory.Request, response: ReviewMemory.Response
    ) -> ReviewMemory.Response:
        begun = time.monotonic()
        commands = {
            request.COMMAND_RUN: self._run_review,
            request.COMMAND_PREVIEW: self._preview,
            request.COMMAND_UNDO: self._undo,
            request.COMMAND_LIST: self._list,
        }
        response.verdicts = commands[request.command](request)
        response.elapsed_s = time.monotonic() - begun
        return response

    def _run_review(self, request: ReviewMemory.Request) -> list[VerdictMsg]:
        report = self._memory.review(request.limit)
        numbers = set(report.journal_ids)
        journaled = {
            id: str(entry.number)
            for entry in self._memory.journal()
            if entry.number in numbers
            for id in entry.nodes
        }
        return [_decided(each, journaled.get(each.id, ""), applied=True) for each in report.decisions]

    def _preview(self, request: ReviewMemory.Request) -> list[VerdictMsg]:
        engine = self._memory.engine
        found = forgetting.scan(engine)
        importance = engine.columns(found.orphans).importance
        batch = reviewing.candidates_of(
            engine,
            found.fading,
            found.orphans[importance != Importance.TRIVIAL],
            found.unused,
            limit=request.limit,
        )
        judge = reviewing.rule_reviewer(engine.now(), engine.memory.config.forgetting.compress_after_s)
        decisions = reviewing.checked(judge(batch), batch)
        return [_decided(each, "", applied=False) for each in decisions]

    def _undo(self, request: ReviewMemory.Request) -> list[VerdictMsg]:
        number = int(request.journal_id)
        entry = next((each for each in self._memory.journal() if each.number == number), None)
        self._memory.undo(number)
        return _journaled(entry, applied=False) if entry is not None else []

    def _list(self, request: ReviewMemory.Request) -> list[VerdictMsg]:
        newest = self._memory.journal()[::-1][: request.limit]
        return [verdict for entry in newest for verdict in _journaled(entry, applied=True)]


def typed(kind: Any, handler: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a handler whose errors of the memory and of the request become responses with their code."""

    def answer(request: Any, response: Any) -> Any:
        try:
            return handler(request, response)
        except _EXPECTED as error:
            return failure(kind, error)

    return answer


def failure(kind: Any, error: BaseException) -> Any:
    """Return the typed response of a memory service for an error."""
    response = kind.Response()
    codes: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
        ((UnknownNodeError, UndoError), "NOT_FOUND"),
        ((InvalidFieldError, InvalidMemoryError), "INVALID_REQUEST"),
        (StoreFullError, "STORAGE_FULL"),
        ((MemoryGraphError, ExportStoppedError, WorkerFullError, WorkerClosedError), "UNAVAILABLE"),
    )
    name = next((name for types, name in codes if isinstance(error, types)), "INTERNAL")
    if isinstance(error, OSError):
        name = "STORAGE_FULL" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "UNAVAILABLE"
    response.error_code = getattr(kind.Response, name)
    response.error_msg = str(error) or type(error).__name__
    return response


def _check_forget(request: Forget.Request) -> None:
    if not request.ids and not request.person:
        raise InvalidFieldError("Give ids or person: there is nothing to forget.")
    check_names(request.ids, "ids")
    _check_person(request.person)


def _check_person(person: str) -> None:
    if person and not person.strip():
        raise InvalidFieldError("person is blank; name somebody or leave it empty.")
    if len(person) > _LONGEST_NAME:
        raise InvalidFieldError(f"person has {len(person)} characters; a name has at most {_LONGEST_NAME}.")


def _check_export(request: ExportMemory.Request) -> None:
    if request.format not in _FORMATS:
        raise InvalidFieldError(f"format {request.format} is none of the FORMAT_ constants (0 to 3).")
    _check_person(request.person)
    chosen = [node_type(number) for number in request.types]
    if request.format == request.FORMAT_BACKUP and (chosen or request.person or from_time(request.since)):
        raise InvalidFieldError("A backup holds everything; leave types, person and since empty.")


def _check_review(request: ReviewMemory.Request) -> None:
    if request.command not in range(4):
        raise InvalidFieldError(f"command {request.command} is none of the COMMAND_ constants (0 to 3).")
    if request.command == request.COMMAND_UNDO:
        if not (
            request.journal_id.isascii() and request.journal_id.isdigit() and len(request.journal_id) < 19
        ):
            raise InvalidFieldError(
                f"journal_id {request.journal_id[:40]!r} is none that COMMAND_LIST gives: a whole number."
            )
    elif not 1 <= request.limit <= _MOST_REVIEWED:
        raise InvalidFieldError(f"limit {request.limit} is outside 1 to {_MOST_REVIEWED}.")


def _decided(decision: reviewing.Decision, journal_id: str, *, applied: bool) -> VerdictMsg:
    return VerdictMsg(
        journal_id=journal_id,
        node_id=decision.id,
        verdict=_VERDICTS[decision.verdict.value],
        target_id=decision.into if decision.verdict is ReviewVerdict.MERGE else "",
        reason=decision.reason,
        judge=_JUDGE,
        applied=applied,
    )


def _journaled(entry: JournalEntry, *, applied: bool) -> list[VerdictMsg]:
    """Return one message a memory of a journaled act; forgetting and pruning count as DISCARD."""
    by_review = entry.kind in _VERDICTS
    reason = entry.reason if by_review else f"{entry.kind}: {entry.reason}"
    return [
        VerdictMsg(
            journal_id=str(entry.number),
            node_id=id,
            verdict=_VERDICTS.get(entry.kind, VerdictMsg.VERDICT_DISCARD),
            reason=reason,
            judge=_JUDGE,
            applied=applied,
        )
        for id in entry.nodes or ("",)
    ]
