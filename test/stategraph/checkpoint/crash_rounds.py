"""Kill a writer at random moments, again and again, and check what is left; run as a program by the crash tests.

Each round forks a writer that continues the thread from its newest checkpoint, acknowledges every step over
a pipe, and is killed with SIGKILL. Then: every acknowledged step is there, the newest is at most one
further, every checkpoint reads whole, and the writes of a step are there exactly when its checkpoint is.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from typing import Any

from zulong.stategraph.checkpoint.base import Checkpoint, LogValue, create_checkpoint_id
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

ADDRESS = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
SMALL_MAP = 128 * 1024  # the map must grow while writers die


def big(step: int) -> str:
    return f"{step}:" * (1 + step * 37 % 900)


def write(path: str, pipe: int, keep_last: int | None) -> None:
    saver = LmdbSaver(path, map_bytes=SMALL_MAP, keep_last=keep_last)
    newest = saver.get_tuple(ADDRESS)
    step = newest.metadata["step"] if newest else 0
    address: dict[str, Any] = newest.config if newest else ADDRESS
    log = newest.checkpoint["channel_values"]["log"] if newest else LogValue()
    while True:
        step += 1
        log = log.append([f"item {step}"])
        checkpoint = Checkpoint(
            v=4,
            id=create_checkpoint_id(step, after=address["configurable"].get("checkpoint_id")),
            ts="",
            channel_values={"log": log, "big": big(step), "same": "never changes" * 40},
            channel_versions={"log": step, "big": step, "same": 1},
            versions_seen={},
            updated_channels=None,
        )
        new = {"log": step, "big": step, "same": 1} if step == 1 else {"log": step, "big": step}
        if step == 1:
            address = saver.put(address, checkpoint, {"source": "loop", "step": step}, new)
        else:
            writes = [(f"task-{i}", f"~{i}", [("log", f"item {step}"), ("n", step)]) for i in range(3)]
            address = saver.put_step(
                address, checkpoint, {"source": "loop", "step": step}, new, writes, address
            )
        os.write(pipe, step.to_bytes(4, "big"))


def check(path: str, acknowledged: int, keep_last: int | None) -> int:
    with LmdbSaver(path) as saver:
        found = list(saver.list(ADDRESS))
        newest = found[0].metadata["step"] if found else 0
        assert acknowledged <= newest <= acknowledged + 1, (acknowledged, newest)
        if keep_last is None:
            assert len(found) == newest, (len(found), newest)
        else:
            assert min(newest, keep_last) <= len(found), (len(found), newest)
        for item in found:
            step = item.metadata["step"]
            values = item.checkpoint["channel_values"]
            assert values["big"] == big(step) and values["same"] == "never changes" * 40, step
            assert values["log"].to_list() == [f"item {i}" for i in range(1, step + 1)], step
            expected = (
                []
                if step == newest
                else [
                    (f"task-{i}", channel, value)
                    for i in range(3)
                    for channel, value in (("log", f"item {step + 1}"), ("n", step + 1))
                ]
            )
            assert item.pending_writes == expected, (step, newest, item.pending_writes)
    return newest


def one_round(path: str, keep_last: int | None, seconds: float) -> int:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write(path, writing, keep_last)
        finally:
            os._exit(1)
    os.close(writing)
    acknowledged = 0
    deadline = time.monotonic() + seconds
    started = time.monotonic()
    while True:
        # The clock of the round starts with the first acknowledgement, so that every round gets to write.
        ready, _, _ = select.select([reading], [], [], max(0.0, min(deadline - time.monotonic(), 0.01)))
        if ready:
            chunk = os.read(reading, 4)
            assert chunk, "the writer died by itself"
            if acknowledged == 0:
                deadline = time.monotonic() + seconds
            acknowledged = int.from_bytes(chunk, "big")
        elif time.monotonic() >= deadline and (acknowledged or time.monotonic() - started > 10):
            break
        if time.monotonic() >= deadline and acknowledged:
            break
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while chunk := os.read(reading, 4):
        acknowledged = int.from_bytes(chunk, "big")
    os.close(reading)
    return acknowledged


def main() -> None:
    path, rounds, keep, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(seed)
    keep_last = keep or None
    newest = 0
    for _ in range(rounds):
        acknowledged = one_round(path, keep_last, chance.uniform(0.0, 0.05))
        newest = check(path, acknowledged or newest, keep_last)
    print(json.dumps({"rounds": rounds, "steps": newest}))


if __name__ == "__main__":
    main()
