"""Recall by plain word overlap, with no index: for a store opened without the retrieval package."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from zulong.memory.model import Hit, RecallQuery, RecallResult
from zulong.memory.reader import MemoryReader

_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")


class DirectRetriever:
    """Reads every node that passes the filters; meant for small stores and for tests of the engine."""

    def __init__(self, reader: MemoryReader) -> None:
        self._reader = reader

    def recall(self, query: RecallQuery) -> RecallResult:
        """Rank by the share of the question's words that a text has."""
        begun = time.monotonic()
        wanted = set(_WORD.findall(query.text.casefold()))
        hits: list[Hit] = []
        late: list[str] = []
        uids = self._reader.select(query)
        for start in range(0, len(uids), 512):
            if time.monotonic() - begun > query.cold_deadline_s:
                late.append("keyword")
                break
            for node in self._reader.nodes(uids[start : start + 512]):
                if node is None or node.stub:
                    continue
                common = wanted & set(_WORD.findall(node.text.casefold()))
                if common or not wanted:
                    score = len(common) / max(len(wanted), 1)
                    hits.append(Hit(node.id, node, score, {"keyword": score}, (node.id,)))
        hits.sort(key=lambda hit: (-hit.score, -hit.node.stamp))
        return RecallResult(hits[: query.k], late, time.monotonic() - begun)

    def maintain(self, budget_s: float) -> bool:
        """Do nothing: there is no index."""
        return False

    def holds(self, uids: Sequence[int]) -> dict[str, int]:
        """Hold nothing: there is no index."""
        return {}

    def forget(self, uids: Sequence[int]) -> dict[str, int]:
        """Remove nothing: nothing is kept."""
        return {}

    def close(self) -> None:
        """Keep nothing."""
