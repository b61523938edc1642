"""What a person's words are meant to do to the robot, and whether they may get through now."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from zulong.scheduler.event_queue import Priority


class Intent(str, Enum):
    """What an utterance asks of the scheduler; the planner finds out the rest."""

    STOP = "stop"
    PAUSE = "pause"
    RESUME = "resume"
    WAKE = "wake"
    SILENCE = "silence"
    QUESTION = "question"
    COMMAND = "command"


class Attention(str, Enum):
    """ACTIVE listens to everything; SILENT lets through only stops, the wake word and emergencies."""

    ACTIVE = "active"
    SILENT = "silent"


@dataclass(slots=True, frozen=True)
class Ruling:
    """The gatekeeper's decision about one utterance, with its reason in words."""

    intent: Intent
    priority: Priority
    admitted: bool
    reason: str


# A stop is recognised at the start of an utterance or as the whole of it: "stop at the kitchen" is an errand,
# but braking for it costs a second while missing a real stop may cost a person's toe.
# Everybody may speak to the robot: no pattern may take longer than in proportion to the text.
_STOP = re.compile(
    r"^\W*(?:(?:please|robot|hey|no|robot,)\W+)*(?:stop|halt|freeze|abort|cancel|don'?t move|emergency)\b"
    r"|^\W*(?:(?:请|快|机器人|祖龙)\W*)?(?:停|别动|不要动|不许动|急停|紧急停止|取消|站住|住手)",
    re.IGNORECASE,
)
_PAUSE = re.compile(
    r"^\W*(?:please\W+)?(?:pause|hold on|wait a (?:moment|minute|second))\b|^\W*(?:暂停|等一下|等等|稍等)",
    re.I,
)
_RESUME = re.compile(
    r"^\W*(?:please\W+)?(?:resume|continue|go on|carry on|keep going)\W*$|^\W*(?:请)?(?:继续|接着来|恢复)",
    re.I,
)
_SILENCE = re.compile(
    r"^\W*(?:be quiet|go to sleep|sleep|silence|shut up)\b|^\W*(?:安静|睡吧|去睡|休眠|别说话)", re.I
)
_QUESTION = re.compile(
    r"^\W*(?:what|where|who|when|which|why|how|is|are|do|does|did|can|could)\b.*|.*[?？]\s*$|.*(?:吗|呢|哪里|哪儿|什么|几个|多少|谁)",
    re.I | re.S,
)


class Gatekeeper:
    """Rules on each utterance by intent, attention and a cool-down that never holds back a stop.

    Args:
        wake_words: words that wake a silent robot, in any letter case.
        cool_down_s: how long the same utterance is refused as an echo of itself.
    """

    def __init__(
        self, wake_words: tuple[str, ...] = ("zulong", "祖龙", "robot", "机器人"), cool_down_s: float = 1.5
    ) -> None:
        self.attention = Attention.ACTIVE
        self._wake_words = tuple(word.casefold() for word in wake_words)
        self._cool_down_s = cool_down_s
        self._last: tuple[str, float] = ("", float("-inf"))

    def intent_of(self, text: str) -> Intent:
        """Return what the words ask for. A stop wins over everything else that they might say."""
        words = text.strip()
        bare = self._without_wake_word(words)
        for candidate in (words, bare):
            if _STOP.search(candidate):
                return Intent.STOP
        if _PAUSE.search(bare):
            return Intent.PAUSE
        if _RESUME.search(bare):
            return Intent.RESUME
        if _SILENCE.search(bare):
            return Intent.SILENCE
        if not bare:
            return Intent.WAKE
        if _QUESTION.match(bare):
            return Intent.QUESTION
        return Intent.COMMAND

    def rule(self, text: str, now_s: float) -> Ruling:
        """Decide on one utterance heard at steady-clock time ``now_s``; may change ``attention``."""
        if not text.strip():
            return Ruling(Intent.WAKE, Priority.LOW, False, "Nothing was said.")
        intent = self.intent_of(text)
        if intent is Intent.STOP:
            return Ruling(intent, Priority.CRITICAL, True, "A stop always passes.")
        if self.attention is Attention.SILENT and not self._names_robot(text):
            return Ruling(intent, Priority.LOW, False, "Silent: only a stop or the wake word passes.")
        said, at_s = self._last
        self._last = (text.strip().casefold(), now_s)
        if self._last[0] == said and now_s - at_s < self._cool_down_s:
            return Ruling(intent, Priority.LOW, False, "The same words again within the cool-down.")
        self.attention = Attention.SILENT if intent is Intent.SILENCE else Attention.ACTIVE
        urgent = intent in (Intent.PAUSE, Intent.RESUME, Intent.SILENCE)
        return Ruling(intent, Priority.HIGH if urgent else Priority.NORMAL, True, f"Heard as {intent.value}.")

    def _names_robot(self, text: str) -> bool:
        folded = text.casefold()
        return any(word in folded for word in self._wake_words)

    def _without_wake_word(self, text: str) -> str:
        folded = text.casefold()
        for word in self._wake_words:
            for prefix in (word, f"hey {word}", f"hi {word}", f"ok {word}", f"你好{word}", f"嘿{word}"):
                if folded.startswith(prefix):
                    return text[len(prefix) :].lstrip(" ,，.。!！:：")
        return text
