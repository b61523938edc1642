"""Summary navigation: what review has compressed stays findable, and leads back to what is left of it."""

from zulong.memory.summaries.navigator import SummaryHit, SummaryNavigator
from zulong.memory.summaries.store import SummaryStore

__all__ = ["SummaryHit", "SummaryNavigator", "SummaryStore"]
