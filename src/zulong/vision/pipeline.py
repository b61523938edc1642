"""The four layers in order, shed from the top when a picture takes too long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from zulong.vision.change_gate import ChangeGate
from zulong.vision.colour_detector import ColourDetector
from zulong.vision.scene import Scene, describe
from zulong.vision.tracker import Track, Tracker


class Layer(IntEnum):
    """How deep a picture was looked at; the values are those of ``SceneState.msg``."""

    GATING = 0
    DETECTION = 1
    TRACKING = 2
    SCENE = 3


@dataclass(slots=True)
class Sight:
    """What came of one picture."""

    layer: Layer
    change: float
    degraded: bool = False
    tracks: list[Track] = field(default_factory=list)
    begun: list[Track] = field(default_factory=list)
    ended: list[Track] = field(default_factory=list)
    scene: Scene | None = None
    elapsed_s: float = 0.0


class VisionPipeline:
    """Looks at one picture at a time and never queues: the caller drops pictures that come meanwhile.

    Args:
        budget_s: time a picture may take; when it is exceeded the deepest layer is left out for the next ones,
            and tried again after ``retry_after`` pictures within the budget.
        deepest: the deepest layer to run at all (power saving stops at GATING).
    """

    def __init__(
        self,
        budget_s: float = 0.08,
        deepest: Layer = Layer.SCENE,
        retry_after: int = 20,
        detector: ColourDetector | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.deepest = deepest
        self._budget_s = budget_s
        self._retry_after = retry_after
        self._allowed = Layer.SCENE
        self._good = 0
        self._clock = clock
        self._gate = ChangeGate()
        self._detector = detector or ColourDetector()
        self._tracker = Tracker()

    def look(self, rgb: NDArray[np.uint8]) -> Sight:
        """Run the layers that time and ``deepest`` allow on one RGB picture."""
        started = self._clock()
        depth = min(self._allowed, self.deepest)
        opened, change = self._gate.look(rgb, started)
        sight = Sight(Layer.GATING, change, degraded=self._allowed < self.deepest)
        if opened and depth >= Layer.DETECTION:
            self._look_closely(rgb, depth, sight)
        sight.elapsed_s = self._clock() - started
        self._shed(sight)
        return sight

    def _look_closely(self, rgb: NDArray[np.uint8], depth: Layer, sight: Sight) -> None:
        finds = self._detector.find(rgb)
        sight.layer = Layer.DETECTION
        if depth < Layer.TRACKING:
            sight.tracks = [Track("", find) for find in finds]
            return
        sight.begun, sight.ended = self._tracker.update(finds)
        sight.tracks = list(self._tracker.tracks)
        sight.layer = Layer.TRACKING
        if depth >= Layer.SCENE:
            sight.scene = describe(sight.tracks)
            sight.layer = Layer.SCENE

    def _shed(self, sight: Sight) -> None:
        if sight.elapsed_s > self._budget_s:
            self._good = 0
            self._allowed = Layer(max(Layer.GATING, self._allowed - 1))
            return
        self._good += 1
        if self._good >= self._retry_after and self._allowed < Layer.SCENE:
            self._allowed, self._good = Layer(self._allowed + 1), 0
