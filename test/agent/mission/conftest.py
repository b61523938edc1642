"""What the tests of missions share."""

from __future__ import annotations

import threading

import pytest


class Running:
    """A mission in a thread of its own."""

    def __init__(self, engine, mission) -> None:
        self.mission = mission
        self.outcome = None
        self.thread = threading.Thread(target=self._run, args=(engine,), daemon=True)
        self.thread.start()

    def _run(self, engine) -> None:
        self.outcome = engine.carry_out(self.mission)

    def end(self, limit_s: float = 15.0):
        self.thread.join(limit_s)
        assert not self.thread.is_alive(), "the mission did not end in time"
        return self.outcome


@pytest.fixture
def in_thread():
    def start(engine, *args, **options):
        return Running(engine, engine.start(*args, **options))

    return start
