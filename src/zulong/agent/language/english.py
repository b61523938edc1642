"""English instructions: sentences with several clauses, conditions, corrections and statements."""

from __future__ import annotations

import re
from dataclasses import replace

from zulong.agent.language.english_clauses import EnglishClauses
from zulong.agent.language.english_conditions import read_condition
from zulong.agent.language.english_cursor import REPEATABLE, WANTING, Draft, value_of
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Meaning, Referent
from zulong.agent.language.merge import (
    locate,
    merge_referent,
    replace_referent,
    with_antecedents,
    without_bare_reports,
    without_idle_moves,
)
from zulong.agent.language.tokens import Token

_WHETHER = re.compile(
    r"^\W*(?:robot|zulong|hey)?\W*"
    r"((?:did|have|has|had|were|was) (?:you|i|he|she|they|we|anyone|anybody|someone|somebody|[A-Z][a-z]+)|"
    r"(?:should|must|shall|do|did) i|why (?:did|do|does|are|is|was|were)) "
    r"(?!not |see\b|seen\b|find\b|found\b|got\b|have\b|get\b|need to know)",
    re.IGNORECASE,
)
"""How a question about what was or should be done begins: it is no order to do it."""
_SEEING = ("you see", "you find", "you can see", "you will find")
_FILLERS = ("conj", "but", "aux", "prep:to", "do", "or", "all", "again", "be", "while", "when")


class EnglishReader(EnglishClauses):
    """Reads one instruction; make a new one for each.

    Attributes:
        clauses, fragment, places: what was read so far: clauses, nouns without a verb, places that open a clause.
        pending: the condition that governs the clauses to come.
        last_condition: the condition that an "otherwise" denies.
        sentence_start: how many clauses were there when the sentence began.
        alongside: the next clause is to be done at the same time as the one before.
    """

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        super().__init__(text, vocabulary)
        self.clauses: list[Clause] = []
        self.fragment: list[Referent] = []
        self.places: list[Referent] = []
        self.pending: Condition | None = None
        self.last_condition: Condition | None = None
        self.sentence_start = 0
        self.alongside = False
        self.called_off = False

    def read(self) -> Meaning:
        """Read the instruction."""
        affirmation, correction = self._opening()
        while not self._done():
            self._step(self._at())
        if self.called_off and not self.clauses:
            return Meaning((), "en", self.text, correction=True, affirmation=False)
        whether = _WHETHER.match(self.text)
        if whether and any(clause.action != "tell" and not clause.negated for clause in self.clauses):
            self.leftover.append(whether.group(1))
        spoken = " ".join(clause.text for clause in self.clauses).split()
        self.leftover.extend(word for word in self.nouns.unweighed.values() if word not in spoken)
        clauses = without_bare_reports(without_idle_moves(self.clauses))
        correction = correction or (not clauses and any(token.plays("correct") for token in self.tokens))
        fragment = [r for r in self.fragment if r not in self.places] if clauses else self.fragment
        clauses, fragment = with_antecedents(clauses, fragment)
        return Meaning(
            clauses=tuple(clauses), language="en", text=self.text, correction=correction, fragment=tuple(fragment),
            affirmation=affirmation, leftover=tuple(self.leftover),
        )  # fmt: skip

    def _step(self, token: Token) -> None:
        """Read what starts with this token: one clause, condition, correction, statement or filler."""
        if token.plays("punct"):
            if token.text != "," and token.text != ":":
                self.pending = None
                self.sentence_start = len(self.clauses)
            self.index += 1
            return
        if token.plays("cancel"):
            self._called_off()
            return
        readers = (
            self._found_at,
            self._corrects, self._conditional, self._else, self._ordered, self._skipped_when, self._excludes,
            self._next_stop, self._bare_duration, self._when_seen, self._wish, self._asks, self._orders,
            self._filler,
        )  # fmt: skip
        if not any(reader(token) for reader in readers):
            self._loose_phrase(self.clauses, self.fragment, self.places)

    def _found_at(self, token: Token) -> bool:
        """Read "(take Jane to the desk,) you can find her at the sofa": where the person or thing is now."""
        if not (token.plays("located") and token.text.startswith("you ")) or not self.clauses:
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].at is None or found[0].kind == "place":
            return False
        self.clauses[:] = [locate(clause, found[0]) for clause in self.clauses]
        self.index = found[1]
        return True

    def _called_off(self) -> None:
        """Take back all that was said so far: "... actually, forget it"."""
        self.index += 1
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

    def _conditional(self, token: Token) -> bool:
        """Read "if ...": it governs what follows, or what stands before it in the sentence."""
        if not token.plays("if", "unless"):
            return False
        if token.plays("if") and self._courtesy():
            return True
        condition, self.index = read_condition(self.nouns, self.index)
        start = self.sentence_start
        if len(self.clauses) > start and not self._consequence_follows():
            self.clauses[start:] = [replace(clause, condition=condition) for clause in self.clauses[start:]]
        else:
            self.pending = condition
        self.last_condition = condition
        return True

    def _else(self, token: Token) -> bool:
        if not token.plays("else"):
            return False
        self.index += 1
        if self.last_condition is not None:
            self.pending = replace(
                self.last_condition, negated=not self.last_condition.negated, text="otherwise"
            )
            self.sentence_start = len(self.clauses)
        return True

    def _ordered(self, token: Token) -> bool:
        """Read "before ..." and "after ...": what is said last may have to be done first."""
        if not token.plays("before", "after"):
            return False
        verb = self._subordinate(self.index + 1)
        if not verb:
            return False
        self.index = verb
        new = self._clause(self.places)
        start = self.sentence_start
        if token.plays("after"):
            self.clauses[start:start] = new
        elif len(self.clauses) > start:
            self.clauses.extend(new)
        else:
            self.clauses.extend([*self._rest(self.places), *new])
        return True

    def _skipped_when(self, token: Token) -> bool:
        return (
            token.plays("after", "when", "while")
            and self._at(1).plays("pron", "det", "wh")
            and self._temporal()
        )

    def _excludes(self, token: Token) -> bool:
        return token.plays("not") and not self._negated_verb() and self._excluded(self.clauses)

    def _next_stop(self, token: Token) -> bool:
        """Read "to the bedroom" after "go to the kitchen, then"."""
        if not (token.plays("prep:to") and self.clauses and self.clauses[-1].action == "go"):
            return False
        if self.clauses[-1].negated:
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "place" or self._is_verb(self.index + 1):
            return False
        self.index = found[1]
        self.clauses.append(Clause("go", verb="go", goal=found[0], condition=self.pending, inferred=True))
        return True

    def _bare_duration(self, token: Token) -> bool:
        """Read "ten seconds" as an answer to "how long?"."""
        if not (token.plays("number") and self._at(1).plays("seconds", "minutes", "hours")):
            return False
        draft = Draft("wait", "", inferred=True)
        self._duration(draft, token)
        self.clauses.extend(draft.finish())
        return True

    def _when_seen(self, token: Token) -> bool:
        """Read "when you see a person standing": the person is to be found."""
        if not (token.plays("when") and self._at(1).text in _SEEING):
            return False
        found = self.nouns.read(self.index + 2)
        if found is None:
            self.index += 2
            return True
        self.clauses.append(Clause("find", verb=self._at(1).text, theme=found[0], inferred=True))
        self.index = found[1]
        return True

    def _wish(self, token: Token) -> bool:
        if not self._wanted():
            return False
        me = Referent("person", text="me", pronoun="me")
        draft = Draft("bring", "want", recipient=me, inferred=True)
        self._arguments(draft)
        self._settle(draft)
        self._remember(draft)
        self._add(draft.finish())
        return True

    def _asks(self, token: Token) -> bool:
        if not self._is_question_start():
            return False
        self._add(self._question(self.places))
        return True

    def _orders(self, token: Token) -> bool:
        """Read a clause with a verb, or a prohibition."""
        prohibited = token.plays("not") and self._negated_verb()
        if not (self._is_verb(self.index) or prohibited or token.plays("prep:without")):
            return False
        new = self._clause(self.places)
        if new and new[0].negated and new[0].verb == "without":
            self.clauses[:] = [replace(c, avoid=(*c.avoid, *new[0].avoid)) for c in self.clauses]
        else:
            self._add(new)
        return True

    def _filler(self, token: Token) -> bool:
        if token.text in ("nobody", "no one", "noone", "none", "nothing"):
            # "nobody should go to the kitchen"
            self.leftover.append(token.text)
            self.index += 1
            return True
        if not (token.has("polite") or token.plays(*_FILLERS)):
            return False
        if token.plays("while"):
            self.alongside = True
        if token.plays("again") and self.clauses and self.clauses[-1].repeat == 1:
            self.clauses[-1] = replace(self.clauses[-1], repeat=2)
        self.index += 1
        return True

    def _add(self, clauses: list[Clause]) -> None:
        """Add clauses under the condition that is open."""
        if self.alongside and self.clauses:
            clauses = [replace(clause, alongside=True) for clause in clauses]
            self.alongside = False
        if self.pending is not None:
            clauses = [replace(clause, condition=self.pending) for clause in clauses]
        self.clauses.extend(clauses)

    def _excluded(self, clauses: list[Clause]) -> bool:
        """Read "but not the red one", "except the blue one"."""
        start = self.index + (2 if self._at(1).role_of("prep") in ("to", "in", "from", "at") else 1)
        found = self.nouns.read(start)
        if found is None or not clauses:
            return False
        referent, end = found
        if referent.kind == "place" and not referent.pronoun:
            clauses[-1] = replace(clauses[-1], avoid=(*clauses[-1].avoid, referent))
            self.index = end
            return True
        theme = clauses[-1].theme
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

    def _wanted(self) -> bool:
        """Read "I would like", "can I have" in front of a thing: the thing is to be brought."""
        if self._at().text not in WANTING:
            return False
        position = self.index + 1
        while position < len(self.tokens) and self.tokens[position].has("polite"):
            position += 1
        found = self.nouns.read(position)
        if found is None or found[0].kind != "object" or self._is_verb(position):
            return False
        self.index = position
        return True

    def _rest(self, places: list[Referent]) -> list[Clause]:
        """Read the clause after "before doing this, ..."."""
        while not self._done() and (self._at().plays("punct", "conj") or self._at().has("polite")):
            self.index += 1
        return self._clause(places) if self._is_verb(self.index) else []

    def _opening(self) -> tuple[bool | None, bool]:
        """Read "yes", "no, ..." at the start."""
        while (
            self._at().has("polite")
            and not self._at().plays("yes", "no", "correct")
            and self._at().text not in WANTING
        ):
            self.index += 1
        token = self._at()
        if self._is_verb(self.index):
            return None, False
        if token.plays("yes") and all(
            t.plays("punct", "yes") or t.has("polite") for t in self.tokens[self.index :]
        ):
            self.index = len(self.tokens)
            return True, False
        if token.plays("no", "correct") or (token.plays("not") and not self._negated_verb()):
            only = all(t.plays("punct", "no") or t.has("polite") for t in self.tokens[self.index :])
            while self._at().plays("no", "correct", "punct") or self._at().has("polite"):
                self.index += 1
            return (False if only else None), True
        return None, False

    def _courtesy(self) -> bool:
        """Skip "if you can", "if you like" when nothing of a condition follows."""
        position = self.index + 1
        if self.nouns.at(position).text not in ("you", "you can"):
            return False
        while self.nouns.at(position).text in (
            "you",
            "you can",
            "can",
            "like",
            "want",
            "please",
            "wish",
            "could",
            "would",
            "may",
        ):
            position += 1
        after = self.nouns.at(position)
        if after.text and not after.plays("punct") and not self._is_verb(position):
            return False
        self.index = position
        return True

    def _consequence_follows(self) -> bool:
        """Tell "..., if it is open, come in" from "come in if it is open"."""
        position = self.index
        while self.nouns.at(position).text == "," or self.nouns.at(position).has("polite"):
            position += 1
        return self.nouns.at(position).text == "then" or self._is_verb(position)

    def _temporal(self) -> bool:
        """Skip "when you see a person standing," but keep the person; True when something was read."""
        start = self.index
        self.index += 1
        if self._at().text == "you":
            self.index += 1
        if self._is_verb(self.index):
            self.index = self.index
            return True
        self.index = start + 1
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
                theme = clauses.pop().theme
                fragment.extend(() if theme is None or theme.kind != "object" else (theme,))
            return
        if self._at().role_of("prep"):
            self.index += 1
        found = self.nouns.read(self.index)
        if found is None:
            return
        referent, self.index = found
        if clauses:
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
            fragment[-1] = merge_referent(fragment[-1], referent)

    def _loose_phrase(self, clauses: list[Clause], fragment: list[Referent], places: list[Referent]) -> None:
        token = self._at()
        if token.plays("not"):
            # A denial that was not understood must not get lost.
            self.leftover.append(token.text)
            self.index += 1
            return
        preposition = token.role_of("prep")
        if token.role_of("rel"):
            described, end = self.nouns.postmodifiers(Referent("object", text="thing"), self.index, True)
            if end > self.index and described.relation:
                fragment.append(described)
                self.index = end
                return
        if token.plays("have") and fragment and fragment[-1].kind == "person":
            for position in range(self.index + 1, min(self.index + 4, len(self.tokens))):
                if self.tokens[position].plays("question"):
                    clauses.append(
                        Clause("answer", verb="has a question", recipient=fragment.pop(), text="question")
                    )
                    self.index = position + 1
                    return
        if preposition in ("in", "on", "at", "to", "from", "of", "for", "with"):
            found = self.nouns.read(self.index + 1)
            if found is not None:
                referent, self.index = found
                if clauses and referent.kind == "place" and not self._more_verbs():
                    clauses[-1] = _give_place(clauses[-1], referent, preposition)
                elif referent.kind == "place":
                    places.append(referent)
                    fragment.append(referent)
                else:
                    fragment.append(referent)
                return
        if token.plays("there_is"):
            self.index += 1
            return
        found = self.nouns.read(self.index)
        if found is not None:
            referent, after = found
            after = self._statement(referent, after, clauses, fragment)
            self.index = max(after, self.index + 1)
            return
        topic = token.sense("topic")
        if topic is not None:
            self.index += 1
            if clauses and clauses[-1].action == "tell" and not clauses[-1].topic:
                clauses[-1] = replace(clauses[-1], topic=topic.value)
            else:
                clauses.append(Clause("tell", verb="", topic=topic.value, inferred=True, asked=True))
            return
        if token.plays("number") and not clauses and not fragment:
            fragment.append(Referent("object", text=token.text, number=value_of(token)))
        elif token.plays("number") or (not token.roles and not token.has("polite")):
            self.leftover.append(token.text)
        self.index += 1

    def _more_verbs(self) -> bool:
        return any(self._is_verb(position) for position in range(self.index, len(self.tokens)))

    def _statement(
        self, referent: Referent, after: int, clauses: list[Clause], fragment: list[Referent]
    ) -> int:
        """Read "she's at the stove", "the cup is on the table", "Micheal has a question" and noun fragments."""
        token = self.tokens[after] if after < len(self.tokens) else Token("")
        if token.plays("have") and after + 1 < len(self.tokens):
            for position in range(after + 1, min(after + 4, len(self.tokens))):
                if self.tokens[position].plays("question"):
                    clauses.append(
                        Clause("answer", verb="has a question", recipient=referent, text="question")
                    )
                    return position + 1
        if token.text in ("wants", "needs", "want", "need", "would like") and referent.kind == "person":
            wanted = self.nouns.read(after + 1)
            if wanted is not None and wanted[0].kind == "object":
                fragment.extend((wanted[0], referent))
                return wanted[1]
        if token.plays("be") and referent.pronoun == "it" and not (clauses or fragment):
            # "it is hot, get me a cola": the weather and the like.
            state = self.nouns.at(after + 1)
            if not state.roles and not state.has("verb", "object", "category", "room", "placement"):
                return after + 2
        feels = self.nouns.at(after + 1).text
        if token.plays("be") and referent.kind == "person" and ("en", feels) in self.vocabulary.needs:
            # "Robin is hungry, take him a banana"
            if not referent.pronoun:
                fragment.append(referent)
            return after + 2
        if token.plays("be") and referent.pronoun == "me":
            while after < len(self.tokens) and not self.tokens[after].plays("punct", "conj"):
                after += 1
            return after
        if token.plays("be"):
            position = after + 1
            if position < len(self.tokens) and self.tokens[position].has("verb"):
                for ahead in range(position, min(position + 4, len(self.tokens))):
                    if self.tokens[ahead].plays("question"):
                        clauses.append(Clause("answer", verb="asks", recipient=referent, text="question"))
                        return ahead + 1
            while position < len(self.tokens) and self.tokens[position].text in (
                "over",
                "currently",
                "right",
                "now",
            ):
                position += 1
            stated = NounReader(self.tokens)
            described, end = stated.postmodifiers(replace(referent, pronoun=""), position, True)
            if end > position:
                described = replace(described, pronoun=referent.pronoun)
                if clauses and (referent.pronoun or _mentions(clauses, referent)):
                    clauses[:] = [locate(clause, described) for clause in clauses]
                else:
                    fragment.append(described)
                return end
        before = self.tokens[self.index - 1] if self.index else Token("")
        if (
            before.plays("conj")
            and clauses
            and not self._verb_follows(after)
            and clauses[-1].action in REPEATABLE
        ):
            last = clauses[-1]
            if last.theme is not None and last.theme.kind == referent.kind:
                return self._same_again(clauses, replace(last, theme=referent), after)
        listed = before.plays("conj", "punct") and not self._verb_follows(after)
        if referent.kind == "place" and clauses and clauses[-1].action == "go" and listed:
            # "go to the bed, the desk and the sofa"
            clauses.append(replace(clauses[-1], goal=referent))
            return after
        fragment.append(referent)
        return after

    def _same_again(self, clauses: list[Clause], clause: Clause, after: int) -> int:
        """Add the clause before with another theme: "(put the spoon on the table) and the fork on the desk"."""
        if clause.action == "put" and clause.theme is not None and clause.theme.at is not None:
            clause = replace(clause, goal=clause.theme.at, theme=replace(clause.theme, at=None))
        while self.nouns.at(after).role_of("prep") in ("to", "from", "in", "on", "at", "for"):
            found = self.nouns.read(after + 1)
            if found is None:
                break
            preposition = self.nouns.at(after).role_of("prep")
            after = found[1]
            if found[0].kind == "person":
                clause = replace(clause, recipient=found[0], goal=None)
            elif preposition == "from":
                clause = replace(clause, source=found[0])
            else:
                clause = replace(
                    clause, goal=found[0], recipient=None if clause.action == "put" else clause.recipient
                )
        clauses.append(clause)
        return after

    def _verb_follows(self, position: int) -> bool:
        while position < len(self.tokens) and self.tokens[position].has("polite"):
            position += 1
        return self._is_verb(position)


def _mentions(clauses: list[Clause], referent: Referent) -> bool:
    return any(
        other.name == referent.name and other.category == referent.category and other.kind == referent.kind
        for c in clauses
        for other in c.referents()
    )


def _give_place(clause: Clause, place: Referent, preposition: str) -> Clause:
    if preposition == "to" and clause.goal is None:
        return replace(clause, goal=place)
    if preposition == "from" and clause.source is None:
        return replace(clause, source=place)
    if clause.where is None:
        return replace(clause, where=place)
    return clause
