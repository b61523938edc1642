"""How many tool calls a task may make: from the user's words, from a field, and what is left."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zulong.agent.budget_chinese import chinese_limits
from zulong.agent.budget_english import english_limits

# What somebody is to be told, or what is written somewhere, sets no limit here.
_QUOTED = re.compile(r"“[^”]{1,200}”|「[^」]{1,200}」|\"[^\"]{1,200}\"|(?<![a-z])'[^']{1,200}'(?![a-z])")


def budget_from_words(text: str) -> int | None:
    """Return how many tool calls the words allow, None when they do not speak of it; the tightest wins.

    "别用工具" and "no tools" give 0, "最多三次", "不超过 5 次调用" and "at most two calls" their number. Counts of
    anything else ("at most two cups", "最多等三分钟") are no budget, nor is what others are to be told.
    """
    unquoted = _QUOTED.sub(" ", text)
    words = unquoted if unquoted.strip() else text
    return min([*english_limits(words), *chinese_limits(words)], default=None)


@dataclass(slots=True, frozen=True)
class Budget:
    """A limit of tool calls and how many are used; kept in the checkpoint, so resumes share it.

    Attributes:
        limit: most calls, None without a limit.
        used: calls made.
    """

    limit: int | None = None
    used: int = 0

    @classmethod
    def of(cls, text: str, field: int | None = None) -> Budget:
        """Return the budget of an instruction: the tighter of its words and of the field (None or < 0: no limit)."""
        field = None if field is not None and field < 0 else field
        limits = [limit for limit in (budget_from_words(text), field) if limit is not None]
        return cls(min(limits, default=None))

    def tightened(self, text: str) -> Budget:
        """Return the budget after further words of the user: they count from now on, and never loosen it."""
        more = budget_from_words(text)
        if more is None:
            return self
        limits = [limit for limit in (self.limit, self.used + more) if limit is not None]
        return Budget(min(limits), self.used)

    @property
    def left(self) -> int | None:
        """Calls left, None without a limit."""
        return None if self.limit is None else max(0, self.limit - self.used)

    @property
    def exhausted(self) -> bool:
        """True when no call is left."""
        return self.left == 0

    def spend(self, calls: int = 1) -> Budget:
        """Return the budget after some calls."""
        return Budget(self.limit, self.used + calls)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {"limit": self.limit, "used": self.used}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Budget:
        """Read what :meth:`to_dict` wrote."""
        return cls(plain.get("limit"), int(plain.get("used", 0)))


class SharedBudget:
    """One limit for several runs of the loop at once, such as the branches of a graph. Thread-safe.

    It lives in this process; what the runs have used is in their checkpoints. Whoever takes them up again after a
    restart makes it anew with the sum of what their outcomes say.

    Args:
        limit: most calls of all runs together.
        used: calls that were made before.
    """

    def __init__(self, limit: int, used: int = 0) -> None:
        self._lock = threading.Lock()
        self._limit = limit
        self._used = used

    @property
    def left(self) -> int:
        """Calls left."""
        return max(0, self._limit - self._used)

    def take(self) -> bool:
        """Take one call; returns False when none is left."""
        with self._lock:
            if self._used >= self._limit:
                return False
            self._used += 1
            return True

    def give_back(self, calls: int) -> None:
        """Give back calls that were taken and not made."""
        with self._lock:
            self._used -= calls

    def tightened(self, budget: Budget) -> Budget:
        """Return a run's own budget with no more left than there is for all."""
        limit = budget.used + self.left
        return budget if budget.limit is not None and budget.limit <= limit else Budget(limit, budget.used)
