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
from zulong.agent.chat.errors import ModelTimeoutError, ModelUnavailableError, StreamCutError
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
        retry_after_s: an unavailable model is given one try after so long.
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

    def take_turn(self) -> bool:
        """Return whether the model may be asked; of those who ask after the pause only one may."""
        with self._lock:
            if self._failures < self._limits.unavailable_after:
                return True
            if self._clock() - self._failed_at < self._limits.retry_after_s:
                return False
            self._failed_at = self._clock()
            return True

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
            ChatError: what another model could not help against.
        """
        asked = [model for model, health in self._order() if health.take_turn()]
        if not asked:
            raise ModelUnavailableError(
                f"None of {self.name} is available; each is tried again some minutes after its last failure."
            )
        health_of = {id(model): health for model, health in self._brains}

        def failed(model: ChatModel, error: ModelUnavailableError) -> None:
            health = health_of[id(model)]
            health.failed()
            kind = "timed out" if isinstance(error, ModelTimeoutError) else "failed"
            cut = " in the middle of a reply" if isinstance(error, StreamCutError) else ""
            logger.warning("%s %s%s and is now %s.", model.name, kind, cut, health.state.value)

        def succeeded(model: ChatModel) -> None:
            health_of[id(model)].succeeded()

        yield from stream_through(asked, request, cancel, on_failure=failed, on_success=succeeded)

    def _order(self) -> list[tuple[ChatModel, ModelHealth]]:
        """Return the models with the healthy ones first, otherwise in the order of preference."""
        rank = [Health.HEALTHY, Health.DEGRADED, Health.UNAVAILABLE]
        return sorted(self._brains, key=lambda brain: rank.index(brain[1].state))


def open_dual_brain(names: Sequence[str], path: str | Path | None = None) -> DualBrain:
    """Return the pair of the models that ``config/agent.yaml`` knows by these names, with the limits it sets.

    Raises:
        SettingsError: an unknown name, or a key or value that does not belong there.
        ImportError: the ``openai`` package is missing; names the extra.
    """
    from zulong.agent.config import load_agent_config, open_model, read_section

    limits = read_section(HealthLimits, load_agent_config(path).get("dual_brain", {}), "dual_brain")
    return DualBrain([open_model(name, path) for name in names], limits)
