"""Chinese corrections and denials: 「不对，是蓝色的」「不要可乐」「不是红的」, and what they leave of the order."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.chinese_clauses import ChineseClauses
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.merge import merge_referent, replace_referent
from zulong.agent.language.tokens import Token

_CARRIED = ("take", "bring", "put")
_UNWANTED = frozenset(("不要", "不想要", "别要", "不需要", "不用", "不想喝", "不想吃"))


class ChineseRepairs(ChineseClauses):
    """Reads what is taken back, ruled out and put right."""

    _excluded: tuple[str, ...] = ()
    _undone: Clause | None = None

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        super().__init__(text, vocabulary)
        self._denied: list[tuple[int, int, Referent]] = []

    def _close(self) -> None:
        known = len(self.clauses)
        super()._close()
        undone, new = self._undone, self.clauses[known:]
        if undone is None or len(new) != 1:
            return
        # 「给我拿桃子，不对，拿李子」「把苹果给简，不对，给罗宾」: what is not said anew stays.
        self._undone = None
        clause = new[0]
        if clause.action in _CARRIED and undone.action in _CARRIED:
            if clause.action == "take" and clause.recipient is None and clause.goal is None:
                clause = replace(clause, action=undone.action, recipient=undone.recipient, goal=undone.goal)
            if clause.theme is None:
                clause = replace(clause, theme=undone.theme, source=clause.source or undone.source)
            self.clauses[known] = clause

    def _negation(self) -> bool:
        position = self.index + 1
        while (
            self.nouns.at(position).has("polite") and not self.nouns.at(position).has("verb")
        ) or self.nouns.at(position).plays("not"):
            position += 1
        token = self.nouns.at(position)
        if not (token.has("verb") or token.plays("ba", "to")):
            return False
        if self._noun_use(token) and not token.plays("ba"):
            return False
        self._close()
        self.frame.negated = True
        self.index = position
        return True

    def _exclusion(self) -> None:
        """Read 「不是红色的」「不要红色的」: what is ruled out."""
        start = self.index
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is None:
            return
        referent, self.index = found
        if self._at().plays("punct") and (self._at(1).plays("be") or self._at(1).text in ("而是", "要")):
            # 「不是红杯子，是蓝杯子」: the second says it all.
            self.settled.update(range(start, self.index))
        if self._contrasts(referent):
            # 「给我草莓果冻，不是巧克力果冻」
            self.settled.update(range(start, self.index))
            return
        if referent.colour:
            self._excluded = (*getattr(self, "_excluded", ()), referent.colour)
        while self._at().plays("punct") or self._at().text in ("而是", "而", "是"):
            self.index += 1

    def _contrasts(self, denied: Referent) -> bool:
        """Tell whether another thing or place of this kind was named than the one that is ruled out."""
        last = self.clauses[-1] if self.clauses else None
        said = [self.frame.theme, self.frame.goal, self.frame.recipient, self.frame.source]
        said += self.fragment
        said += [last.theme, last.goal, last.recipient, last.source] if last is not None else []
        return any(
            other is not None
            and other.kind == denied.kind
            and bool(denied.name and other.name)
            and (
                other.name != denied.name
                or bool(denied.colour and other.colour and other.colour != denied.colour)
            )
            for other in said
        )

    def _unwanted(self, token: Token) -> bool:
        """Read 「不要牛奶」 as ruling a thing out."""
        if token.text not in _UNWANTED:
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "object" or found[0].unknown or found[0].pronoun:
            return False
        if not self.nouns.at(found[1]).plays("punct", "not", "conj", "mood") and self.nouns.at(found[1]).text:
            return False
        if self.frame.action:
            self._close()
        self._denied.append((self.index, found[1], found[0]))
        if found[0].colour and not found[0].name:
            self._excluded = (*self._excluded, found[0].colour)
        self.index = found[1]
        return True

    def _unwanted_at_all(self) -> None:
        """Settle what was ruled out where another thing was asked for, and ask where it is not clear."""
        for start, end, denied in self._denied:
            wanted = [c.theme for c in self.clauses if c.theme is not None and not c.negated]
            other = any(t.kind == "object" and t.name and t.name != denied.name for t in wanted)
            shade = denied.colour and (not denied.name or all(t.colour != denied.colour for t in wanted))
            same = [t for t in wanted if t.name == denied.name or not denied.name or t.category]
            if (other and not same) or (shade and wanted and not any(t.category for t in wanted)):
                self.settled.update(range(start, end))
            elif not self.clauses and all(r.pronoun for r in self.fragment):
                self.fragment.append(denied)
            else:
                self.leftover.append("".join(t.text for t in self.tokens[start:end]))

    def _settle_segment(self) -> None:
        """Mark the words since the last punctuation as read."""
        position = self.index
        while position >= 0 and not self.nouns.at(position).plays("punct"):
            self.settled.add(position)
            if self.nouns.at(position).text in self.leftover:
                self.leftover.remove(self.nouns.at(position).text)
            position -= 1

    def _lift_exclusions(self) -> None:
        if not self._excluded:
            return
        for number, clause in enumerate(self.clauses):
            if clause.theme is not None and clause.theme.kind == "object" and not clause.theme.colour:
                self.clauses[number] = replace(clause, theme=replace(clause.theme, excluded=self._excluded))
        if not self.clauses and not self.fragment:
            self.fragment.append(
                Referent(
                    "object", text="不是" + "".join(self._excluded), definite=True, excluded=self._excluded
                )
            )

    def _except(self) -> None:
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is not None:
            self.index = found[1]
            if self._at().text in ("以外", "之外", "外"):
                self.index += 1
            self.leftover.append(self.tokens[found[1] - 1].text)

    def _repair(self) -> None:
        self.settled.update(range(self.index))
        while self._at().plays("correct", "punct", "be", "mood"):
            self.index += 1
        found = self.nouns.read(self.index)
        if found is None or self._at().has("verb") or self._at().plays("ba"):
            if self.frame.action:
                self._close()
            self._undone = self.clauses.pop() if self.clauses else None
            undone = self._undone.action if self._undone is not None else ""
            instead = self._at().value("verb") or ("put" if self._at().plays("ba") else "")
            if instead and (undone == "go") != (instead == "go"):
                # Which of the things to do is taken back is not clear.
                self.leftover.append(self._at().text)
            return
        referent, self.index = found
        if self.frame.action:
            self._close()
        if self.clauses and self.clauses[-1].negated and referent.kind == "object":
            # 「别拿可乐了，换成冰茶」
            self.clauses.append(replace(self.clauses[-1], negated=False, theme=referent))
        elif self.clauses:
            self.clauses[-1] = replace_referent(self.clauses[-1], referent)
        elif self.fragment:
            self.fragment[-1] = merge_referent(self.fragment[-1], referent)
