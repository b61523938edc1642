"""The seven nets that a reply without tool calls falls through, in this order; the first catch decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from zulong.agent.loop.findings import Catch
from zulong.agent.loop.nets.backfill import Backfill
from zulong.agent.loop.nets.breaker_convergence import BreakerConvergence
from zulong.agent.loop.nets.drift import Drift
from zulong.agent.loop.nets.final_confirmation import FinalConfirmation
from zulong.agent.loop.nets.information_gap import InformationGap
from zulong.agent.loop.nets.rule_guardian import RuleGuardian
from zulong.agent.loop.nets.unfinished_work import UnfinishedWork
from zulong.agent.loop.nets.view import ReplyView


class Net(Protocol):
    """Looks at a reply that ends the loop unless it is caught."""

    name: str

    def look(self, view: ReplyView) -> Catch | None:
        """Return a catch, None to let the reply through."""


KINDS: Mapping[str, Any] = {
    kind.name: kind
    for kind in (
        BreakerConvergence,
        InformationGap,
        RuleGuardian,
        Drift,
        Backfill,
        UnfinishedWork,
        FinalConfirmation,
    )
}


def make_nets(thresholds: Mapping[str, Mapping[str, Any]]) -> tuple[Net, ...]:
    """Return all seven in order with their thresholds from configuration (``nets`` in ``config/agent.yaml``).

    Raises:
        ValueError: a name or threshold that no net has.
    """
    unknown = set(thresholds) - set(KINDS)
    if unknown:
        raise ValueError(
            f"nets: no net is called {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}."
        )
    nets = []
    for name, kind in KINDS.items():
        try:
            nets.append(kind(**thresholds.get(name, {})))
        except TypeError as error:
            raise ValueError(f"nets.{name}: {error}") from error
    return tuple(nets)
