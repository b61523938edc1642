"""What is said beside the orders: background, statements, contrasts, and phrases without a verb."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_clauses import EnglishClauses
from zulong.agent.language.english_cursor import REPEATABLE, WANTING, value_of
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Referent
from zulong.agent.language.merge import locate
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
_SUBJECTS = frozenset(["i", "it", "he", "she", "they", "that", "this", "there", "somebody", "someone"])
_UNWANTED = ("i do not want", "i do not need", "i do not want to")
_STATIVE = frozenset(
    [
        "feel",
        "feels",
        "need",
        "needs",
        "look",
        "looks",
        "think",
        "hate",
        "love",
        "know",
        "hope",
        "came",
        "went",
        "got",
        "just",
        "cannot",
    ]
)


class EnglishStatements(EnglishClauses):
    """Reads what is no order, and keeps what was read so far.

    Attributes:
        clauses, fragment, places: what was read so far: clauses, nouns without a verb, places that open a clause.
        pending: the condition that governs the clauses to come.
        unused: a condition that governs nothing yet.
        last_condition: the condition that an "otherwise" denies.
        sentence_start: how many clauses were there when the sentence began.
        withdrawn: clauses that were taken back; stated, denied: nouns that were replaced, or that are not meant.
        alongside: the next clause is to be done at the same time as the one before.
    """

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        super().__init__(text, vocabulary)
        self.clauses: list[Clause] = []
        self.fragment: list[Referent] = []
        self.places: list[Referent] = []
        self.pending: Condition | None = None
        self.last_condition: Condition | None = None
        self.unused: Condition | None = None
        self.sentence_start = 0
        self.alongside = False
        self.called_off = False
        self.withdrawn: list[Clause] = []
        self.stated: list[Referent] = []
        self.denied: list[Referent] = []

    def _background(self, token: Token) -> bool:
        """Skip "I've got my hands full," and the like beside an order: no thing, person or place is named in it."""
        opening = self.index == 0 or self._at(-1).plays("punct", "conj", "but") or self._at(-1).has("polite")
        if not (opening and (token.text in _SUBJECTS or token.plays("det"))):
            return False
        end = self.index
        while end < len(self.tokens) and not self.tokens[end].plays("punct", "conj", "but", "if", "unless"):
            if self.tokens[end].text == "so":
                break
            end += 1
        said = self.tokens[self.index : end]
        verb = next(
            (n for n, t in enumerate(said) if t.plays("be", "have", "do", "aux") or t.text in _STATIVE), 0
        )
        if (
            not 0 < verb <= 3
            or token.text in ("you", "we")
            or any(_matters(t, said[n - 1] if n else None) for n, t in enumerate(said))
        ):
            return False
        rest = [*self.tokens[: self.index], *self.tokens[end:]]
        if not any(t.has("verb") or t.text in WANTING for t in rest):
            return False
        self.excused.update(range(self.index, end))
        self.index = end
        return True

    def _contrasts(self, token: Token) -> bool:
        """Read "(don't bring me the red cup) but the blue one", "(not going to the kitchen) but to the bedroom"."""
        last = self.clauses[-1] if self.clauses else None
        instead = token.plays("but") or token.text == "rather"
        if not instead or last is None or not last.negated or last.condition is not None:
            return False
        position = self.index + 1
        if self.nouns.at(position).text in ("rather", "just", "only"):
            position += 1
        preposition = self.nouns.at(position).role_of("prep")
        found = self.nouns.read(position + 1 if preposition else position, attach=last.action != "put")
        if (
            found is None
            or self._is_verb(position)
            or self.nouns.at(found[1]).plays("be", "have", "aux", "do")
        ):
            return False
        other = found[0]
        slot = {"place": "goal", "person": "recipient", "object": "theme"}[other.kind]
        if preposition == "from":
            slot = "source"
        old: Referent | None = getattr(last, slot)
        if old is None and last.action == "put" and slot == "goal":
            slot, old = "goal", last.where
        if old is None and last.theme is not None and last.theme.kind == other.kind:
            slot, old = "theme", last.theme
        if old is None:
            return False
        kept = (
            replace(other, name=other.name or old.name, ids=other.ids or old.ids)
            if slot == "theme"
            else other
        )
        self.clauses.append(replace(last, **{slot: kept}, negated=False, avoid=()))  # type: ignore[arg-type]
        self.index = found[1]
        return True

    def _denies(self, token: Token) -> bool:
        """Read "not the milk, ..." and "I don't want the pear, ...": what is not meant, before what is."""
        if not token.plays("not") or self.clauses or token.text not in ("not", *_UNWANTED):
            return False
        preposition = 1 if self._at(1).role_of("prep") else 0
        found = self.nouns.read(self.index + 1 + preposition)
        if found is None or found[0].pronoun or self._is_verb(self.index + 1):
            return False
        position = found[1]
        if not self.nouns.at(position).plays("punct", "but", "conj", "no"):
            return False
        position += 1
        while self.nouns.at(position).has("polite") and self.nouns.at(position).text not in WANTING:
            position += 1
        wanted = self.nouns.at(position).text in WANTING or self._is_verb(position)
        if not wanted:
            return False
        self.denied.append(found[0])
        self.excused.update(range(self.index, found[1]))
        self.index = found[1]
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
                self.excused.add(after)
                return wanted[1]
        if token.plays("be") and referent.pronoun == "it" and not (clauses or fragment):
            # "it is hot, get me a cola": the weather and the like.
            state = self.nouns.at(after + 1)
            if not state.roles and not state.has("verb", "object", "category", "room", "placement"):
                self.excused.add(after + 1)
                return after + 2
        feels = self.nouns.at(after + 1).text
        if token.plays("be") and referent.kind == "person" and ("en", feels) in self.vocabulary.needs:
            # "Robin is hungry, take him a banana"
            if not referent.pronoun:
                fragment.append(referent)
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
        if (
            before.plays("conj")
            and clauses
            and not self._verb_follows(after)
            and clauses[-1].action in REPEATABLE
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


def _matters(token: Token, before: Token | None) -> bool:
    """Tell whether a word makes more of a sentence than background."""
    if token.has(
        "object", "category", "generic", "person", "person_noun", "room", "placement", "danger", "colour", "topic",
    ):  # fmt: skip
        return True
    if token.has("verb"):
        if before is not None and before.plays("det", "indef", "have"):
            return token.value("verb") == "dangerous"
        return not token.text.endswith(("ing", "ed")) or token.value("verb").startswith(("danger", "missing"))
    timed = token.plays(
        "until", "before", "after", "when", "while", "wh", "or", "located", "there_is", "seen", "number"
    )
    return timed or token.text in WANTING or bool(token.role_of("prep") or token.role_of("rel"))


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
