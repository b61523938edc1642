"""When the thinking model may sleep: unloaded in silence, loaded on wake, while L1 stays awake."""

from __future__ import annotations

from enum import Enum


class PowerMode(str, Enum):
    """FULL keeps the L2 model loaded; IDLE unloads it; CHARGING is IDLE at the dock."""

    FULL = "full"
    IDLE = "idle"
    CHARGING = "charging"


class PowerPolicy:
    """Decides the power mode from activity, charge and a person's wish.

    Args:
        idle_after_s: silence after which the model is unloaded.
        low_charge: charge fraction below which the model is unloaded even while a person talks, unless FULL was asked for.
    """

    def __init__(self, now_s: float, idle_after_s: float = 300.0, low_charge: float = 0.1) -> None:
        if idle_after_s <= 0:
            raise ValueError("PowerPolicy.idle_after_s must be positive.")
        self._idle_after_s = idle_after_s
        self._low_charge = low_charge
        self._active_s = now_s
        self._busy = False
        self._charging = False
        self._charge = 1.0
        self._forced: PowerMode | None = None

    def on_activity(self, now_s: float) -> None:
        """Somebody spoke, a goal arrived or the wake word was heard."""
        self._active_s = now_s

    def on_busy(self, busy: bool, now_s: float) -> None:
        """A task runs (or ended): a robot at work is never idle."""
        self._busy = busy
        self._active_s = now_s

    def on_battery(self, charge: float, charging: bool) -> None:
        """Take the charge as a fraction 0-1."""
        self._charge, self._charging = charge, charging

    def force(self, mode: PowerMode | None) -> None:
        """Hold a mode that a person asked for; None returns to the automatic choice."""
        self._forced = mode

    def mode(self, now_s: float) -> PowerMode:
        """Return the mode that holds now."""
        if self._forced is not None:
            return self._forced
        if self._busy:
            return PowerMode.FULL
        if now_s - self._active_s >= self._idle_after_s or self._charge <= self._low_charge:
            return PowerMode.CHARGING if self._charging else PowerMode.IDLE
        return PowerMode.FULL
