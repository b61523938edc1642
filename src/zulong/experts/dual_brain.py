"""Two language models that stand in for each other: health, fail-over inside one reply, one conversation.

The conversation belongs to the loop and goes to whichever model answers in full, so both are always in step;
within a reply the words that were spoken go along, so the second model continues them and repeats none.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from zulong.agent.chat.continuing import stream_through
from zulong.agent.chat.errors import ChatError, ModelTimeoutError, ModelUnavailableError, StreamCutError
from zulong.agent.chat.model import ChatChunk, ChatModel, ChatRequest
from zulong.agent.latch import CancelLatch

logger = logging.getLogger(__name__)


class Health(str, Enum):
    """How a model is trusted."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"


@dataclass(slots=True, frozen=True)
class HealthLimits:
    """When a model's health falls, and when it is tried again.

    Attributes:
        degraded_after: failures in a row until it is asked second.
        unavailable_after: failures in a row until it is not asked at all.
        retry_after_s: a degraded or unavailable model is given one try in its place after so long; a reply that
            comes to its end makes it healthy again.
    """

    degraded_after: int = 3
    unavailable_after: int = 5
    retry_after_s: float = 300.0


class ModelHealth:
    """The health of one model, from how its replies ended. Thread-safe.

    Args:
        limits: when it falls and is tried again.
        clock: steady seconds.
    """

    def __init__(self, limits: HealthLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._failed_at = 0.0

    @property
    def failures(self) -> int:
        """Failures in a row."""
        return self._failures

    @property
    def state(self) -> Health:
        """The health now."""
        if self._failures >= self._limits.unavailable_after:
            return Health.UNAVAILABLE
        return Health.DEGRADED if self._failures >= self._limits.degraded_after else Health.HEALTHY

    @property
    def due(self) -> bool:
        """True when the model has earned its place: it is healthy, or the pause since its last failure is over."""
        with self._lock:
            return self._due()

    def _due(self) -> bool:
        healthy = self._failures < self._limits.degraded_after
        return healthy or self._clock() - self._failed_at >= self._limits.retry_after_s

    @property
    def askable(self) -> bool:
        """True when the model may be asked now, be it as the last one."""
        with self._lock:
            return self._failures < self._limits.unavailable_after or self._due()

    def take_turn(self) -> bool:
        """Return whether the model may be asked; of those who ask after the pause only one has its try."""
        with self._lock:
            tried = self._failures >= self._limits.degraded_after and self._due()
            if tried:
                self._failed_at = self._clock()
            return tried or self._failures < self._limits.unavailable_after

    def succeeded(self) -> None:
        """A reply came to its end."""
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        """A reply did not come to its end."""
        with self._lock:
            self._failures += 1
            self._failed_at = self._clock()


class DualBrain:
    """A chat model made of several, usually two; see :class:`zulong.agent.chat.ChatModel`.

    Args:
        models: in the order of preference.
        limits: of their health.
        clock: steady seconds.

    Raises:
        ValueError: no model is given.
    """

    def __init__(
        self,
        models: Sequence[ChatModel],
        limits: HealthLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not models:
            raise ValueError("A dual brain needs at least one model.")
        limits = limits if limits is not None else HealthLimits()
        self._brains = [(model, ModelHealth(limits, clock)) for model in models]

    @property
    def name(self) -> str:
        """The names of the models in order."""
        return " / ".join(model.name for model, _ in self._brains)

    @property
    def context_window(self) -> int:
        """The smallest window: a conversation must fit into whichever model takes over."""
        return min(model.context_window for model, _ in self._brains)

    @property
    def health(self) -> dict[str, Health]:
        """The health of each model by name."""
        return {model.name: health.state for model, health in self._brains}

    @property
    def active(self) -> str:
        """The name of the model that would be asked first now."""
        return self._order()[0][0].name

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        """Yield one reply; where a model fails in its middle the next one goes on.

        Raises:
            ModelUnavailableError: none brought it to its end.
            ModelRejectedError: one refused the request, and the other did not help.
            ChatError: what another model could not help against.
        """
        asked = [_Turn(model, health) for model, health in self._order() if health.askable]
        if not asked:
            raise ModelUnavailableError(
                f"None of {self.name} is available; each is tried again some minutes after its last failure."
            )
        yield from stream_through(asked, request, cancel, on_failure=_failed, on_success=_succeeded)

    def _order(self) -> list[tuple[ChatModel, ModelHealth]]:
        """Return the models in the order of preference, those that are degraded or unavailable for now behind."""
        rank = [Health.HEALTHY, Health.DEGRADED, Health.UNAVAILABLE]
        return sorted(self._brains, key=lambda b: 0 if b[1].due else rank.index(b[1].state))


class _NotAskedError(ModelUnavailableError):
    """Another call took the model's one try."""


class _Turn:
    """A model as one call asks it: its turn is taken only when it really is asked."""

    def __init__(self, model: ChatModel, health: ModelHealth) -> None:
        self.model = model
        self.health = health

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def context_window(self) -> int:
        return self.model.context_window

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        if not self.health.take_turn():
            raise _NotAskedError(f"{self.name} is unavailable for now; it is being tried by another call.")
        yield from self.model.stream(request, cancel)


def _failed(turn: ChatModel, error: ChatError) -> None:
    if isinstance(error, _NotAskedError) or not isinstance(turn, _Turn):
        return
    turn.health.failed()
    kind = "timed out" if isinstance(error, ModelTimeoutError) else "failed"
    cut = " in the middle of a reply" if isinstance(error, StreamCutError) else ""
    logger.warning("%s %s%s and is now %s.", turn.name, kind, cut, turn.health.state.value)


def _succeeded(turn: ChatModel) -> None:
    if isinstance(turn, _Turn):
        turn.health.succeeded()


def open_dual_brain(names: Sequence[str], path: str | Path | None = None) -> DualBrain:
    """Return the pair of the models that ``config/agent.yaml`` knows by these names, with the limits it sets.

    Raises:
        SettingsError: an unknown name, or a key or value that does not belong there.
        ImportError: the ``openai`` package is missing; names the extra.
    """
    from zulong.agent.config import load_agent_config, open_model, read_section

    limits = read_section(HealthLimits, load_agent_config(path).get("dual_brain", {}), "dual_brain")
    return DualBrain([open_model(name, path) for name in names], limits)
