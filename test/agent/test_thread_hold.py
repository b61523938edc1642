"""One runner a thread: within a process, among processes, and nothing left over after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from scripted_parts import wait_until

from zulong.agent import thread_hold
from zulong.agent.thread_hold import ThreadHolds
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.checkpoint.memory import InMemorySaver

HOLDER = """
import sys, time
from zulong.agent.thread_hold import ThreadHolds
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

print(ThreadHolds(LmdbSaver(sys.argv[1])).take("a"), flush=True)
time.sleep(120)
"""


def test_a_thread_is_held_once_however_many_runners_a_process_has(tmp_path: Path) -> None:
    first, second = ThreadHolds(LmdbSaver(tmp_path)), ThreadHolds(LmdbSaver(tmp_path))
    assert first.take("a") and second.take("b") and not second.take("a") and not first.take("a")
    second.release("a")  # not its own
    assert not second.take("a")
    first.release("a")
    assert second.take("a")
    second.release("a")
    second.release("b")
    assert not thread_hold._files


def test_a_thread_that_another_process_runs_is_refused_until_that_process_is_gone(tmp_path: Path) -> None:
    here = ThreadHolds(LmdbSaver(tmp_path))
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "True\n"
            assert not here.take("a") and here.take("b")
            os.kill(process.pid, signal.SIGKILL)
            process.wait(30)
            wait_until(lambda: here.take("a"))
        finally:
            process.kill()
    here.release("a")
    here.release("b")


def test_threads_that_live_in_this_process_alone_are_free() -> None:
    saver = InMemorySaver()
    assert ThreadHolds(saver).take("a") and ThreadHolds(saver).take("a")
