"""What a Chinese order that moves something is made of: its frame, and how its words are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token

AND = frozenset(("、", "和", "跟", "与", "还有", "以及", "及", "同", "外加", "加上", "加", "配", "搭"))
_NEAR = ("near", "inside", "on", "there", "here")
_HANDS = frozenset("手里 手上 手中 跟前 面前 身边 这儿 那儿 那里 那边 处 屋里 房间 这里".split())  # noqa: SIM905 - shorter than quoted words
_WANTING = frozenset("要 想要 想吃 想喝 要吃 要喝 点 等 需要 缺 爱吃 爱喝".split())  # noqa: SIM905 - shorter than quoted words


@dataclass(slots=True)
class Frame:
    """One order as far as it is said; texts are the words that were used."""

    kind: str = ""
    verb: str = ""
    themes: list[str] = field(default_factory=list)
    named: Referent | None = None
    number: str = ""
    source: str = ""
    at: str = ""
    goal: str = ""
    recipients: list[str] = field(default_factory=list)
    beneficiary: str = ""
    before: str = ""
    hither: bool = False
    thither: bool = False
    held: bool = False
    favour: bool = False
    pronoun: bool = False
    each: bool = False
    out: bool = False
    """It is taken out of, or down from, where it is."""
    wanter: str = ""
    """Who wants it: 「朱尔斯要的肥皂」."""
    stranger: bool = False
    """Whoever gets it is nobody the robot knows."""
    sought: bool = False
    """Nothing but looking for it was said."""

    def settled(self) -> bool:
        """Return whether it was said where the thing goes."""
        return bool(self.goal or self.recipients or self.hither)


class OrderWords:
    """The words of a sentence, where the reading stands, and the orders that were read.

    Args:
        tokens: the words, from :func:`zulong.agent.language.chinese_pieces.pieces`.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.nouns = ChineseNounReader(tokens)
        self.length = len(tokens)
        self.index = 0
        self.frame = Frame()
        self.frames: list[Frame] = []
        self.lost = False
        """A place or a number has no part in any order."""

    def _listed(self, index: int) -> tuple[list[str], Referent, int] | None:
        """Return the names of one or several things or of a person here, and the position after them."""
        texts: list[str] = []
        referent: Referent | None = None
        while True:
            index = self._wanted_by(index)
            found = self.nouns.read(index)
            if found is None or found[0].unknown or found[0].kind == "place" or self._only_count(found[0]):
                break
            if texts and found[0].kind == "person":
                break
            referent, end = found
            texts.append(self._text(index, end))
            index = end
            if self.nouns.at(index).has("object", "category") and self._all_follows(index):
                # 「薯片可乐都给我」
                continue
            if self.nouns.at(index).text not in AND:
                return texts, referent, index
            index += 1
        if not texts or referent is None:
            return None
        return texts, referent, index - 1

    def _all_follows(self, index: int) -> bool:
        while index < self.length and not self.nouns.at(index).plays("punct"):
            if self.nouns.at(index).text in ("都", "全", "各"):
                return True
            index += 1
        return False

    def _wanted_by(self, index: int) -> int:
        """Pass by 「朱尔斯要的」 before a thing."""
        found = self.nouns.read(index)
        if found is None or found[0].kind != "person" or found[0].unknown or found[0].pronoun:
            return index
        wanting, of, thing = (self.nouns.at(found[1] + offset) for offset in range(3))
        if wanting.text in _WANTING and of.plays("de") and thing.has("object", "category", "colour"):
            self.frame.wanter = self._text(index, found[1])
            return found[1] + 2
        return index

    def _text(self, start: int, end: int) -> str:
        return "".join(self.nouns.at(index).text for index in range(start, end))

    @staticmethod
    def _only_count(referent: Referent) -> bool:
        bare = not (
            referent.name or referent.category or referent.colour or referent.size or referent.superlative
        )
        return referent.kind == "object" and bare and (referent.number is not None or "一" in referent.text) and (
            referent.pronoun in ("", "it") and referent.at is None
        ) and not referent.demonstrative  # fmt: skip

    def _beside(self, index: int) -> int:
        while self.nouns.at(index).plays(*_NEAR) or self.nouns.at(index).text in _HANDS:
            index += 1
        return index

    def _ends(self, index: int) -> bool:
        while self.nouns.at(index).plays("f:fill", "mood", "f:being_there") or self.nouns.at(index).has(
            "polite"
        ):
            index += 1
        return index >= self.length or self.nouns.at(index).plays("punct")

    def _bare_place(self, start: int, end: int) -> str:
        """Return a place without 「边上」 and 「那儿」 after it."""
        while end > start + 1 and self.nouns.at(end - 1).plays("near", "there"):
            end -= 1
        return self._text(start, end)

    def _at(self, offset: int = 0) -> Token:
        return self.nouns.at(self.index + offset)

    @staticmethod
    def _complement(token: Token) -> bool:
        return token.plays("f:hither", "f:thither", "f:hold") and not token.plays("number")

    def _verb_ahead(self, index: int) -> bool:
        token = self.nouns.at(index)
        return token.plays("f:carry", "f:put", "f:going", "f:hither") or token.text in ("把", "我", "从")

    def _after_a_thing(self) -> bool:
        return self._at(-1).has("object", "category")
