"""Corrections in an English instruction: what is taken back, what is put in its place, and what is excepted."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_statements import EnglishStatements
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.merge import merge_referent, replace_referent
from zulong.agent.language.tokens import Token


class EnglishRepairs(EnglishStatements):
    """Reads what corrects or narrows what was said before."""

    def _called_off(self) -> None:
        """Take back all that was said so far: "... actually, forget it"."""
        self.index += 1
        self.excused.update(range(self.index))
        self.clauses.clear()
        self.fragment.clear()
        self.leftover.clear()
        self.called_off = True

    def _corrects(self, token: Token) -> bool:
        """Read "..., no, the blue one" and "sorry, I mean the bedroom"."""
        meant = token.plays("correct") and (self.clauses or self.fragment) and not self._is_verb(self.index)
        denied = token.plays("no") and self.clauses and self._at(1).plays("punct", "det", "indef", "correct")
        if not (meant or denied):
            return False
        self.index += 1
        self._repair(self.clauses, self.fragment)
        return True

    def _excludes(self, token: Token) -> bool:
        return token.plays("not") and not self._negated_verb() and self._excluded(self.clauses)

    def _excluded(self, clauses: list[Clause]) -> bool:
        """Read "but not the red one", "except the blue one"."""
        placed = (
            ("to", "in", "from", "at", "on")
            if clauses and clauses[-1].action == "put"
            else ("to", "in", "from", "at")
        )
        start = self.index + (2 if self._at(1).role_of("prep") in placed else 1)
        found = self.nouns.read(start)
        if found is None or not clauses:
            return found is not None and self._excluded_of_fragment(*found)
        referent, end = found
        carried = clauses[-1].action in ("bring", "put", "guide") and self._at(1).role_of("prep") != "from"
        if referent.kind == "place" and not referent.pronoun and carried and clauses[-1].goal is not None:
            # "put the apple on the sofa, not on the desk": that is where it may come from.
            self.excused.update(range(self.index, end))
            self.index = end
            return True
        if referent.kind == "place" and not referent.pronoun:
            clauses[-1] = replace(clauses[-1], avoid=(*clauses[-1].avoid, referent))
            self.index = end
            return True
        theme = clauses[-1].theme
        meant = {"person": (clauses[-1].recipient, theme), "object": (theme,)}.get(referent.kind, ())
        other = next(
            (one for one in meant if one is not None and one.kind == referent.kind and one.name), None
        )
        contrasted = self._at().text in ("not", "rather than", "instead of")
        if (
            contrasted
            and other is not None
            and referent.name not in ("", other.name)
            and not referent.unknown
        ):
            # "bring the apple to Jane, not to Robin"
            self.excused.update(range(self.index, end))
            self.index = end
            return True
        if (
            theme is None
            or theme.kind != "object"
            or not referent.colour
            or referent.name not in ("", theme.name)
        ):
            return False
        clauses[-1] = replace(clauses[-1], theme=replace(theme, excluded=(*theme.excluded, referent.colour)))
        self.index = end
        return True

    def _excluded_of_fragment(self, referent: Referent, end: int) -> bool:
        """Read "any cup except the green one, ..."."""
        named = self.fragment[-1] if self.fragment else None
        fits = named is not None and referent.colour and named.kind == referent.kind == "object"
        if named is None or not fits or referent.name not in ("", named.name):
            return False
        self.fragment[-1] = replace(named, excluded=(*named.excluded, referent.colour))
        self.index = end
        return True

    def _repair(self, clauses: list[Clause], fragment: list[Referent]) -> None:
        """Apply "..., no, the blue one" to what was said just before."""
        while self._at().plays("punct", "correct", "no") or self._at().has("polite"):
            self.index += 1
        if self._at().plays("not") and (not self._at(1).text or self._at(1).plays("punct")):
            self._called_off()
            return
        if self._is_verb(self.index):
            if clauses:
                self.withdrawn.append(clauses[-1])
                theme = clauses.pop().theme
                taken_back = () if theme is None or theme.kind != "object" else (theme,)
                fragment.extend(taken_back)
                self.taken_back.extend(taken_back)
            return
        if self._at().role_of("prep"):
            self.index += 1
        found = self.nouns.read(self.index)
        if found is None:
            return
        referent, self.index = found
        if clauses:
            self.withdrawn.append(clauses[-1])
            clauses[-1] = replace_referent(clauses[-1], referent)
            while self._at().role_of("prep") in ("to", "from", "in", "on", "at") and (
                more := self.nouns.read(self.index + 1)
            ):
                role = self._at().role_of("prep")
                self.index = more[1]
                if role == "from":
                    clauses[-1] = replace(clauses[-1], source=more[0])
                else:
                    clauses[-1] = replace(clauses[-1], goal=more[0])
        elif fragment:
            self.stated.append(fragment[-1])
            fragment[-1] = merge_referent(fragment[-1], referent)
