"""What is said beside the orders: background, statements, contrasts, and phrases without a verb."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_asides import EnglishAsides
from zulong.agent.language.english_cursor import REPEATABLE, value_of
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.merge import locate, merge_referent
from zulong.agent.language.tokens import Token

_MOODS = frozenset(
    [
        "afraid",
        "anymore",
        "awake",
        "back",
        "bored",
        "busy",
        "cold",
        "done",
        "exhausted",
        "freezing",
        "glad",
        "happy",
        "hot",
        "ill",
        "late",
        "not",
        "ready",
        "sad",
        "sick",
        "sleepy",
        "sure",
        "tired",
        "warm",
    ]
)
"""What somebody says of oneself beside an order."""


class EnglishStatements(EnglishAsides):
    """Reads what is no order, and keeps what was read so far."""

    def _meant_for(self, token: Token) -> bool:
        """Read "(milk) to Jane", "(one coffee) for Axel": it is to be brought."""
        thing = self.fragment[-1] if self.fragment and not self.clauses else None
        if thing is None or thing.kind != "object" or thing.pronoun or thing.unknown:
            return False
        if token.text not in ("to", "for"):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person" or self._is_verb(self.index + 1):
            return False
        if any(self._is_verb(position) for position in range(found[1], len(self.tokens))):
            return False
        self.index = found[1]
        self.fragment.pop()
        self.clauses.append(Clause("bring", verb="bring", theme=thing, recipient=found[0], inferred=True))
        return True

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
                    given = _give_place(clauses[-1], referent, preposition)
                    if given == clauses[-1]:
                        # "look for Jane in the kitchen first and then in the office"
                        self.leftover.append(f"{preposition} {referent.text}")
                    clauses[-1] = given
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

    def _mood(self, token: Token, referent: Referent, after: int, begun: bool) -> int:
        """Read "it is hot", "Robin is hungry", "I am tired"; returns where it ends, 0 when it is none of these."""
        if token.plays("be") and referent.pronoun == "it" and not begun:
            # "it is hot, get me a cola": the weather and the like.
            state = self.nouns.at(after + 1)
            if not state.roles and not state.has("verb", "object", "category", "room", "placement"):
                self.excused.add(after + 1)
                return after + 2
        feels = self.nouns.at(after + 1).text
        if token.plays("be") and referent.kind == "person" and ("en", feels) in self.vocabulary.needs:
            # "Robin is hungry, take him a banana"
            if not referent.pronoun:
                self.fragment.append(referent)
            self.excused.add(after + 1)
            return after + 2
        if token.plays("be") and referent.pronoun == "me":
            while after < len(self.tokens) and not self.tokens[after].plays("punct", "conj"):
                if ("en", self.tokens[after].text) in self.vocabulary.needs or self.tokens[
                    after
                ].text in _MOODS:
                    self.excused.add(after)
                after += 1
            return after
        return 0

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
                self.wished = (wanted[0], referent)
                self.excused.add(after)
                return wanted[1]
        if clauses and referent.kind == "person" and referent.pronoun and referent.at is not None:
            # "(give it to Robin.) He is standing by the bookshelf."
            clauses[:] = [locate(clause, referent) for clause in clauses]
            return after
        told = self._mood(token, referent, after, bool(clauses or fragment))
        if told:
            return told
        if token.plays("be"):
            position = after + 1
            if position < len(self.tokens) and self.tokens[position].has("verb"):
                for ahead in range(position, min(position + 4, len(self.tokens))):
                    if self.tokens[ahead].plays("question"):
                        clauses.append(Clause("answer", verb="asks", recipient=referent, text="question"))
                        self.excused.update(range(after, ahead))
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
        if before.plays("punct") and clauses and self._specifies(clauses[-1].theme, referent):
            # "bring me the cup. The blue one."
            clauses[-1] = replace(clauses[-1], theme=merge_referent(clauses[-1].theme or referent, referent))
            return after
        placed = bool(clauses) and clauses[-1].action == "put" and referent.at is not None
        gapped = before.text == "," and (placed or bool(self.nouns.at(after).role_of("prep")))
        if (
            (before.plays("conj") or gapped)
            and clauses
            and not self._verb_follows(after)
            and clauses[-1].action in (*REPEATABLE, "guide", "follow")
        ):
            last = clauses[-1]
            another = (
                self.nouns.read(after) if referent.kind == "person" and last.recipient is not None else None
            )
            if another is not None and another[0].kind == "object" and not another[0].unknown:
                # "(hand Paris the soap) and Jules the sponge"
                clauses.append(replace(last, recipient=referent, theme=another[0]))
                return another[1]
            if last.theme is not None and last.theme.kind == referent.kind:
                return self._same_again(clauses, replace(last, theme=referent), after)
        listed = before.plays("conj", "punct") and not self._verb_follows(after)
        if referent.kind == "place" and clauses and clauses[-1].action == "go" and listed:
            # "go to the bed, the desk and the sofa"
            clauses.append(replace(clauses[-1], goal=referent))
            return after
        if before.plays("conj") and clauses and referent.pronoun in ("me", "him", "her", "them"):
            # "bring a drink for Jane and me"
            self.leftover.append(referent.text)
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
    if clause.action == "put" and clause.goal is not None and preposition in ("in", "on", "at"):
        # "put it on the desk, then on the bed"
        return clause
    if preposition == "to" and clause.goal is None:
        return replace(clause, goal=place)
    if preposition == "from" and clause.source is None:
        return replace(clause, source=place)
    if clause.where is None and (clause.theme is None or clause.theme.at is None):
        return replace(clause, where=place)
    return clause
