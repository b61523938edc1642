"""English questions about numbers: "how many people in the kitchen are wearing red shirts"."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_arguments import EnglishArguments
from zulong.agent.language.english_cursor import Draft
from zulong.agent.language.meaning import Referent

_IDLE = frozenset(
    ("there", "you", "currently", "left", "present", "that", "do", "located", "see", "total", "remaining")
)
_COUNTED_GENDERS = frozenset(("male", "female", "child"))


class EnglishCounting(EnglishArguments):
    """Reads what is to be counted."""

    def _count_phrase(self, draft: Draft) -> bool:
        """Read "how many people in the kitchen are wearing red shirts"."""
        self.index += 1
        while self._at().plays("det", "prep:of"):
            self.index += 1
        found = self.nouns.read(self.index)
        if found is None and self._counts_nothing(draft):
            return True
        if found is None:
            if not (self._at().plays("be") or self._at().has("posture", "gesture")):
                return False
            counted = self._last_counted or Referent("person", text="people", plural=True)
            found = replace(counted, at=None), self.index
        more, end = self._counted_too(found[0], found[1])
        described, self.index, negated = self._counted(found[0], end)
        if draft.action not in ("tell", "count"):
            draft.action = "tell"
        if negated and (
            described.posture or described.gesture or described.garment or described.garment_colour
        ):
            self.leftover.append("not")
        draft.topic = "count"
        self._last_counted = described
        place = next((thing.at for thing in (described, *more) if thing.at is not None), None)
        counted = replace(described, plural=True)
        draft.themes.append(replace(counted, at=place) if more else counted)
        draft.themes.extend(replace(another, plural=True, at=place) for another in more)
        return True

    def _counts_nothing(self, draft: Draft) -> bool:
        """Read "how many are there?": of what must be asked."""
        token, after = self._at(), self._at(1)
        ends = not after.text or after.plays("punct")
        if not (token.text == "are there" or (token.plays("be", "there_is") and ends)):
            return False
        draft.topic = "count"
        self.index += 1
        return True

    def _counted_too(self, first: Referent, end: int) -> tuple[list[Referent], int]:
        """Read "(how many fruits) and drinks (are on the desk)"."""
        more: list[Referent] = []
        while self.nouns.at(end).text == "and" and not self._starts_clause(end + 1):
            another = self.nouns.read(end + 1)
            if another is None or another[0].kind != first.kind or another[0].unknown:
                break
            more.append(another[0])
            end = another[1]
        return more, end

    def _counted(self, described: Referent, end: int) -> tuple[Referent, int, bool]:
        """Read what singles out those that count; also returns where it ends, and whether there was a "not"."""
        negated = False
        while end < len(self.tokens):
            token, before = self.tokens[end], end
            if token.plays("not"):
                negated = True
                end += 1
            elif token.plays("be", "there_is", "det", "indef", "rel") or token.text in _IDLE:
                end += 1
            elif token.has("person_noun") and described.kind == "person":
                gender = token.value("person_noun")
                if negated and gender in ("male", "female"):
                    gender = "female" if gender == "male" else "male"
                described = replace(described, gender=gender) if gender in _COUNTED_GENDERS else described
                end += 1
            elif self._rests(described, end):
                self.excused.add(end)
                end += 1
            else:
                described, end = self.nouns.postmodifiers(described, end, True)
            if end == before:
                break
        return described, end, negated

    def _rests(self, thing: Referent, position: int) -> bool:
        """Tell whether "lying", "sitting", "standing" only says where a thing is."""
        after = self.nouns.at(position + 1)
        placed = bool(after.role_of("prep")) or bool(after.role_of("rel"))
        return thing.kind == "object" and self.nouns.at(position).has("posture") and placed
