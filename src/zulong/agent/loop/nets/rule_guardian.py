"""The reply breaks a rule: it claims a deed that no tool did, or says what must not be said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.deeds import asks_for_deed, asks_for_words, owns_up, says_done
from zulong.agent.loop.nets.view import ReplyView

_DEED_EN = (
    r"moved|picked up|placed|put|brought|delivered|opened|closed|sent|cleaned|fetched|handed|turned (?:on|off)"
    r"|switched|gone to|went to|driven|poured"
)
_CLAIM = re.compile(
    rf"\b(?:has|have) (?:now |just |already |successfully )*been (?:{_DEED_EN})\b"
    r"|\bis now (?:on|in|at|under|open|closed|off)\b"
    r"|(?:已|已经|成功)被?(?:放|拿|送|带|移|搬|递|交)(?:到|在|给|进|至)"
    rf"|\bi(?: have|'ve)? (?:now |just |already |successfully )?(?:{_DEED_EN})\b"
    r"|(?:我|已经|已)(?:已经|已|刚刚|刚)?(?:成功)?(?:把|将).{1,20}?(?:放|拿|送|带|移|搬|递|交|打开|关上|关闭)"
    r"|已经?(?:成功)?(?:放到|放在|拿到|送到|带到|打开了|关上了|移动到|到达)",
    re.IGNORECASE,
)

_DO_IT = (
    "You say “{words}”, but no tool has done anything. Do it with a tool ({tools}), or say plainly that it was not "
    "done."
)


@dataclass(slots=True, frozen=True)
class RuleGuardian:
    """Catches claims of deeds without a successful call that has an effect, and forbidden words.

    A claim is one that names the deed, or any "done" in reply to an order.

    Whoever insists on a deed without a single successful call is brought to an end: such a reply must not count
    as success. Deeds of earlier tasks of the same thread may be spoken of.

    Attributes:
        times: how often the model is sent back.
        forbidden: regular expressions that no reply may match (keys, inner prompts).
    """

    name: ClassVar[str] = "rule_guardian"
    times: int = 2
    forbidden: Sequence[str] = field(default=(r"\bsk-[A-Za-z0-9]{20,}",))

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        for pattern in self.forbidden:
            if re.search(pattern, view.reply):
                # Never let through, however often: the last resort is an end without these words.
                spent = view.caught.get(self.name, 0) >= self.times
                return Catch(
                    self.name,
                    Verdict.FORCE if spent else Verdict.CONTINUE,
                    "The reply holds words that must not be said.",
                    "Your reply holds words that must not be said (a secret or an inner prompt). Say it without them.",
                    {"pattern": pattern, "withhold": True},
                )
        if view.asks_the_user or not view.effects or view.earlier_effects:
            return None
        if any(call.effect for call in view.calls) or asks_for_words(view.instruction):
            return None
        words = self._claimed(view)
        if not words:
            return None
        spent = view.caught.get(self.name, 0) >= self.times
        if spent and any(call.ok for call in view.calls):
            return None  # it may have read of the deed
        return Catch(
            self.name,
            Verdict.FORCE if spent else Verdict.CONTINUE,
            f"The reply claims “{words}”, and no tool did anything.",
            "" if spent else _DO_IT.format(words=words, tools=", ".join(view.effects[:8])),
            {"words": words},
        )

    @staticmethod
    def _claimed(view: ReplyView) -> str:
        """Return the words that claim a deed, "" when none do."""
        claim = _CLAIM.search(view.reply)
        if claim is not None:
            return claim[0]
        claims = asks_for_deed(view.instruction, view.effects) and says_done(view.reply)
        return view.reply.strip()[:80] if claims and not owns_up(view.reply) else ""
