"""English instructions: from tokens to clauses."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from zulong.agent.language.english_conditions import read_condition
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.english_words import normalise, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Meaning, Referent
from zulong.agent.language.merge import merge_referent, replace_referent, with_antecedents, without_idle_moves
from zulong.agent.language.tokens import NUMBER_WORDS, Token

_GIVING = ("bring", "tell", "ask", "take", "find", "answer")
_NOUNISH = {"answer", "question", "place", "show", "walk", "call", "order", "book", "text", "present", "rest",
            "set", "list", "store", "light", "water", "box", "drink", "dish", "play", "look", "guide", "return",
            "cut", "ring", "park", "dust", "iron", "phone", "record", "position", "count", "trip", "feed", "trap",
            "draw", "message", "report", "state", "head", "step", "run", "see", "visit", "approach"}  # fmt: skip
_SPEECH_VERBS = frozenset(("tell", "ask"))


@dataclass(slots=True)
class _Draft:
    """A clause while it is being read."""

    action: str
    verb: str
    themes: list[Referent] = field(default_factory=list)
    recipient: Referent | None = None
    source: Referent | None = None
    goal: Referent | None = None
    where: Referent | None = None
    topic: str = ""
    attribute: str = ""
    text: str = ""
    negated: bool = False
    repeat: int = 1
    seconds: float | None = None
    avoid: list[Referent] = field(default_factory=list)
    asked: bool = False
    inferred: bool = False
    locatives: list[Referent] = field(default_factory=list)

    def finish(self) -> list[Clause]:
        """Return one clause for each theme."""
        self._place_locatives()
        themes: list[Referent | None] = list(self.themes) or [None]
        return [
            Clause(
                action=self.action, verb=self.verb, theme=theme, recipient=self.recipient, source=self.source,
                goal=self.goal, where=self.where, topic=self.topic, attribute=self.attribute, text=self.text,
                negated=self.negated, repeat=self.repeat, seconds=self.seconds, avoid=tuple(self.avoid),
                asked=self.asked, inferred=self.inferred,
            )
            for theme in themes
        ]  # fmt: skip

    def _place_locatives(self) -> None:
        if self.action == "put" and self.locatives and self.goal is None:
            self.goal = self.locatives.pop()
        if not self.locatives:
            return
        place = self.locatives.pop(0)
        if self.action in ("put", "bring", "take", "missing:pour") and self.themes and self.source is None:
            if self.themes[-1].at is None:
                self.themes = [replace(theme, at=theme.at or place) for theme in self.themes]
        elif self.where is None:
            self.where = place


class EnglishReader:
    """Reads one instruction; make a new one for each."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary
        self.tokens = tokenise(normalise(text), vocabulary)
        self.nouns = NounReader(self.tokens)
        self.leftover: list[str] = []
        self.index = 0
        self._last_kind = ""

    # -- helpers -------------------------------------------------------------------------------------------

    def _at(self, offset: int = 0) -> Token:
        position = self.index + offset
        return self.tokens[position] if 0 <= position < len(self.tokens) else Token("")

    def _done(self) -> bool:
        return self.index >= len(self.tokens)

    def _is_verb(self, position: int) -> bool:
        """Tell whether a verb starts here, and not a noun that looks like one."""
        token = self.tokens[position] if position < len(self.tokens) else Token("")
        if token.has("danger"):
            return True
        if not token.has("verb"):
            return False
        before = self.tokens[position - 1] if position else Token("")
        if before.plays("det", "indef", "poss", "number") or before.has("colour", "superlative", "size"):
            return before.text in ("her", "this") and False
        after = self.tokens[position + 1] if position + 1 < len(self.tokens) else Token("")
        if token.has("object", "category", "placement", "garment", "gesture", "posture"):
            # "water the plant" is an order, "bring water" is not.
            return (position == 0 or before.plays("conj", "punct") or before.has("polite")) and after.plays(
                "det", "indef", "pron"
            )
        if token.plays("located") and before.text not in ("have", "had", "you", "after", "before"):
            return False
        return not (token.plays("located") and before.plays("be"))

    def _starts_clause(self, position: int) -> bool:
        token = self.tokens[position] if position < len(self.tokens) else Token("")
        while token.has("polite") or token.plays("conj"):
            position += 1
            token = self.tokens[position] if position < len(self.tokens) else Token("")
        if token.plays("prep:to"):
            return self._is_verb(position + 1)
        if token.plays("not"):
            return True
        return (
            self._is_verb(position)
            or token.plays("if", "unless", "else", "howmany", "correct", "no")
            or (token.plays("wh", "there_is") and not token.plays("rel"))
        )

    # -- the whole instruction -----------------------------------------------------------------------------

    def read(self) -> Meaning:
        """Read the instruction."""
        affirmation, correction = self._opening()
        corrected = any(token.plays("correct") for token in self.tokens)
        clauses: list[Clause] = []
        fragment: list[Referent] = []
        pending: Condition | None = None
        last_condition: Condition | None = None
        sentence_start = 0
        places: list[Referent] = []
        while not self._done():
            token = self._at()
            if token.plays("punct"):
                if token.text in ".;!?":
                    pending = None
                    sentence_start = len(clauses)
                self.index += 1
            elif (token.plays("correct") and (clauses or fragment) and not self._is_verb(self.index)) or (token.plays("no") and clauses and self._at(1).plays("punct", "det", "indef", "correct")):
                self.index += 1
                self._repair(clauses, fragment)
            elif token.plays("if") and self._courtesy():
                pass
            elif token.plays("if", "unless"):
                condition, self.index = read_condition(self.nouns, self.index)
                if len(clauses) > sentence_start and not self._consequence_follows():
                    clauses[sentence_start:] = [
                        replace(c, condition=condition) for c in clauses[sentence_start:]
                    ]
                else:
                    pending = condition
                last_condition = condition
            elif token.plays("else"):
                self.index += 1
                if last_condition is not None:
                    pending = replace(last_condition, negated=not last_condition.negated)
                    sentence_start = len(clauses)
            elif token.plays("before", "after") and (skip := self._subordinate(self.index + 1)):
                earlier = token.plays("before")
                self.index = skip
                new = self._clause(places)
                if earlier and clauses and len(clauses) > sentence_start:
                    clauses.extend(new)
                elif earlier:
                    rest = self._rest(places)
                    clauses.extend([*rest, *new])
                else:
                    clauses[sentence_start:sentence_start] = new
            elif (
                token.plays("after", "when", "while")
                and self._at(1).plays("pron", "det", "wh")
                and self._temporal()
            ):
                pass
            elif token.plays("not") and not self._negated_verb() and self._excluded(clauses):
                pass
            elif token.plays("prep:to") and clauses and clauses[-1].action == "go" and self._next_stop(clauses, pending):
                pass
            elif token.plays("number") and self._at(1).plays("seconds", "minutes", "hours"):
                draft = _Draft("wait", "", inferred=True)
                self._duration(draft, token)
                clauses.extend(draft.finish())
            elif token.plays("when") and self._at(1).text in ("you see", "you find", "you can see", "you will find"):
                found = self.nouns.read(self.index + 2)
                self.index = found[1] if found is not None else self.index + 2
                if found is not None:
                    clauses.append(Clause("find", verb=self._at(1).text, theme=found[0], inferred=True))
            elif self._wanted():
                draft = _Draft("bring", "want", recipient=Referent("person", text="me", pronoun="me"), inferred=True)
                self._arguments(draft)
                self._settle(draft)
                self._remember(draft)
                clauses.extend(self._conditioned(draft.finish(), pending))
            elif self._is_question_start():
                clauses.extend(self._conditioned(self._question(places), pending))
            elif (
                self._is_verb(self.index)
                or (token.plays("not") and self._negated_verb())
                or token.plays("prep:without")
            ):
                new = self._clause(places)
                if new and new[0].negated and new[0].verb == "without":
                    clauses[:] = [replace(c, avoid=(*c.avoid, *new[0].avoid)) for c in clauses]
                else:
                    clauses.extend(self._conditioned(new, pending))
            elif token.has("polite") or token.plays(
                "conj", "but", "aux", "prep:to", "do", "or", "all", "again", "be", "while", "when"
            ):
                if token.plays("again") and clauses:
                    clauses[-1] = replace(
                        clauses[-1],
                        repeat=max(2, clauses[-1].repeat + 1)
                        if clauses[-1].repeat == 1
                        else clauses[-1].repeat,
                    )
                self.index += 1
            else:
                self._loose_phrase(clauses, fragment, places)
        clauses = without_idle_moves(clauses)
        correction = correction or (corrected and not clauses)
        if clauses:
            fragment = [referent for referent in fragment if referent not in places]
        clauses, fragment = with_antecedents(clauses, fragment)
        return Meaning(
            clauses=tuple(clauses), language="en", text=self.text, correction=correction, fragment=tuple(fragment),
            affirmation=affirmation, leftover=tuple(self.leftover),
        )  # fmt: skip

    def _excluded(self, clauses: list[Clause]) -> bool:
        """Read "but not the red one", "except the blue one"."""
        found = self.nouns.read(self.index + 1)
        if found is None or not clauses:
            return False
        referent, end = found
        theme = clauses[-1].theme
        if theme is None or theme.kind != "object" or not referent.colour or referent.name not in ("", theme.name):
            return False
        clauses[-1] = replace(clauses[-1], theme=replace(theme, excluded=(*theme.excluded, referent.colour)))
        self.index = end
        return True

    def _next_stop(self, clauses: list[Clause], condition: Condition | None) -> bool:
        """Read "to the bedroom" after "go to the kitchen, then"."""
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "place" or self._is_verb(self.index + 1):
            return False
        self.index = found[1]
        clauses.append(Clause("go", verb="go", goal=found[0], condition=condition, inferred=True))
        return True

    def _wanted(self) -> bool:
        """Read "I would like", "can I have" in front of a thing: the thing is to be brought."""
        if self._at().text not in _WANTING:
            return False
        position = self.index + 1
        while position < len(self.tokens) and self.tokens[position].has("polite"):
            position += 1
        found = self.nouns.read(position)
        if found is None or found[0].kind != "object" or self._is_verb(position):
            return False
        self.index = position
        return True

    def _subordinate(self, position: int) -> int:
        """Return where the verb of "after you (have) found her" or "before going" stands, 0 when there is none."""
        start = position
        while self.nouns.at(position).text in ("you", "have", "had", "you have") or self.nouns.at(position).plays("aux"):
            position += 1
        return position if position <= start + 3 and self._is_verb(position) else 0

    def _conditioned(self, clauses: list[Clause], condition: Condition | None) -> list[Clause]:
        return clauses if condition is None else [replace(clause, condition=condition) for clause in clauses]

    def _rest(self, places: list[Referent]) -> list[Clause]:
        """Read the clause after "before doing this, ..."."""
        while not self._done() and (self._at().plays("punct", "conj") or self._at().has("polite")):
            self.index += 1
        return self._clause(places) if self._is_verb(self.index) else []

    def _opening(self) -> tuple[bool | None, bool]:
        """Read "yes", "no, ..." at the start."""
        while self._at().has("polite") and not self._at().plays("yes", "no", "correct") and self._at().text not in _WANTING:
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

    def _negated_verb(self) -> bool:
        position = self.index + 1
        while position < len(self.tokens) and self.tokens[position].has("polite"):
            position += 1
        text = self._at().text
        return self._is_verb(position) or text in (
            "stay out of", "keep out of", "keep away from", "stay away from", "do not", "never", "avoid",
        )  # fmt: skip

    def _courtesy(self) -> bool:
        """Skip "if you can", "if you like" when nothing of a condition follows."""
        position = self.index + 1
        if self.nouns.at(position).text != "you":
            return False
        while self.nouns.at(position).text in ("you", "can", "like", "want", "please", "wish", "could", "would", "may"):
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
        if self._is_verb(self.index):
            if clauses:
                clauses.pop()
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
                slot = "source" if role == "from" else "goal"
                clauses[-1] = replace(clauses[-1], **{slot: more[0]})
        elif fragment:
            fragment[-1] = merge_referent(fragment[-1], referent)

    # -- phrases without a verb ----------------------------------------------------------------------------

    def _loose_phrase(self, clauses: list[Clause], fragment: list[Referent], places: list[Referent]) -> None:
        token = self._at()
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
                    clauses.append(Clause("answer", verb="has a question", recipient=fragment.pop(), text="question"))
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
        if token.plays("number") or (not token.roles and not token.has("polite")):
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
                    clauses[:] = [_locate(clause, described) for clause in clauses]
                else:
                    fragment.append(described)
                return end
        before = self.tokens[self.index - 1] if self.index else Token("")
        if before.plays("conj") and clauses and not self._verb_follows(after) and clauses[-1].action in _REPEATABLE:
            last = clauses[-1]
            if last.theme is not None and last.theme.kind == referent.kind:
                clauses.append(replace(last, theme=referent))
                return after
        fragment.append(referent)
        return after

    def _verb_follows(self, position: int) -> bool:
        while position < len(self.tokens) and self.tokens[position].has("polite"):
            position += 1
        return self._is_verb(position)

    # -- clauses -------------------------------------------------------------------------------------------

    def _clause(self, places: list[Referent]) -> list[Clause]:
        """Read one clause that starts with a verb or a negation."""
        negated = False
        if self._at().plays("not") or self._at().plays("prep:without"):
            text = self._at().text
            negated = True
            self.index += 1
            while self._at().has("polite"):
                self.index += 1
            if not self._is_verb(self.index):
                draft = _Draft("go", "without" if text in ("without", "avoid") else text, negated=True)
                found = self.nouns.read(self.index)
                if found is not None:
                    draft.avoid.append(found[0])
                    draft.goal = found[0]
                    self.index = found[1]
                return draft.finish()
        verb = self._at()
        action = "dangerous" if verb.has("danger") else verb.value("verb")
        self.index += 1
        if verb.text in _LOOKING and (self._at().plays("wh", "howmany", "there_is") or self._at().text == "if"):
            action = "tell"
        draft = _Draft(action, verb.text, negated=negated)
        if places and draft.action not in ("go", "missing:fly"):
            draft.where = places[-1]
        self._arguments(draft)
        self._settle(draft)
        self._remember(draft)
        if negated:
            draft.avoid = [r for r in (draft.goal,) if r is not None] if draft.action == "go" else []
        return draft.finish()

    def _remember(self, draft: _Draft) -> None:
        """Note whether "them" will mean things or people from now on."""
        for referent in (*draft.themes, draft.recipient):
            if referent is not None and referent.kind != "place" and not referent.pronoun:
                self._last_kind = referent.kind

    def _arguments(self, draft: _Draft) -> None:
        while not self._done():
            token = self._at()
            if token.plays("punct"):
                if token.text == "," and self._continues(draft):
                    self.index += 1
                    continue
                return
            if token.plays("if", "unless", "else", "but") and not (
                token.text == "if" and draft.action in _SPEECH_VERBS and not draft.topic
            ):
                return
            if token.plays("prep:without") or token.plays("not"):
                return
            if token.plays("correct") and not self._is_verb(self.index):
                return
            if token.plays("no") and self._at(1).plays("punct"):
                return
            if token.plays("before", "after") and self._subordinate(self.index + 1):
                return
            if token.plays("after", "when") and self._at(1).text == "you":
                return
            if token.plays("conj"):
                if self._joins_noun(draft):
                    self.index += 1
                    continue
                return
            if self._is_verb(self.index) and not self._verb_is_argument(draft):
                if draft.verb == "help" and draft.themes and token.value("verb") in ("take", "find", "go"):
                    self.index += 1
                    continue
                return
            if token.plays("prep:to") and self._told_to_do(draft):
                return
            if (
                token.plays("prep:to")
                and self._is_verb(self.index + 1)
                and not self.nouns.at(self.index + 1).plays("one")
            ):
                return
            if not self._argument(draft, token):
                return

    def _verb_is_argument(self, draft: _Draft) -> bool:
        token = self._at()
        return (
            (draft.action in ("answer", "ask")
            and token.plays("question"))
            or (token.has("topic") and draft.action in ("tell",))
        )

    def _continues(self, draft: _Draft) -> bool:
        """Tell whether the clause goes on after this comma."""
        position = self.index + 1
        after = self.tokens[position] if position < len(self.tokens) else Token("")
        if self._starts_clause(position) or after.plays("conj", "else", "but", "correct"):
            # "apples, pears and plums to the kitchen": only when a noun follows the "and".
            return False
        if after.plays("pron") and position + 1 < len(self.tokens) and self.tokens[position + 1].plays("be"):
            return False
        if after.role_of("prep") in ("in", "on", "at", "to", "from", "for", "about", "with") or after.role_of("rel"):
            return True
        if after.has("topic") or after.plays("wh", "howmany"):
            return draft.action in ("tell", "ask")
        if after.has("posture", "gesture"):
            return bool(draft.themes) and draft.themes[-1].kind == "person"
        return self.nouns.read(position) is not None and bool(draft.themes)

    def _joins_noun(self, draft: _Draft) -> bool:
        """Tell "the cup and the apple" from "... and then go"."""
        if self._at().text not in ("and", "as well as", "&", "plus", "also", "and also"):
            return False
        position = self.index + 1
        if self._starts_clause(position) or not draft.themes:
            return False
        found = self.nouns.read(position, attach=False)
        if found is None or (found[0].kind == "place" and draft.action not in ("go",)):
            return False
        after = self.tokens[found[1]] if found[1] < len(self.tokens) else Token("")
        return not after.plays("be", "aux", "have")

    def _argument(self, draft: _Draft, token: Token) -> bool:
        """Read one argument; False when the clause must end here."""
        if token.plays("quote"):
            draft.topic, draft.text = "free", token.text
            self.index += 1
            return True
        if self._repetition(draft, token) or self._duration(draft, token):
            return True
        if token.text == "you" and self._at(1).plays("aux"):
            # "a question you will be asked": who asks is said elsewhere.
            while self._at().text == "you" or self._at().plays("aux", "be") or self._at().text == "asked":
                self.index += 1
            return True
        if token.plays("question") or (token.text in ("answer", "answers") and not self._is_verb(self.index)):
            draft.text = token.text if token.plays("question") else draft.text or "question"
            self.index += 1
            return True
        if (
            token.has("topic")
            and draft.action in ("tell", "ask", "find", "bring", "answer")
            and not (token.has("verb") and draft.topic)
        ):
            if not (draft.action == "find" and token.text == "time" and False):
                sense = token.need("topic")
                draft.topic = sense.value
                self.index += 1
                return True
        if token.plays("way"):
            self.index += 1
            return True
        if token.text == "that" and draft.action == "tell" and not draft.topic and not self._at(1).plays("there_is"):
            self.index += 1
            return self._verbatim(draft)
        if draft.recipient is not None and token.plays("rel") and draft.recipient.pronoun != "me" and not token.plays("det", "wh"):
            step = self.nouns.relative(draft.recipient, self.index)
            if step is not None:
                draft.recipient, self.index = step
                return True
        if draft.recipient is not None and token.text == "who" and draft.text in ("question", "quiz"):
            step = self.nouns.relative(draft.recipient, self.index)
            if step is not None:
                draft.recipient, self.index = step
                return True
        if draft.themes and (token.plays("rel") or token.has("superlative", "posture", "gesture") or token.role_of("side")):
            last = draft.themes[-1]
            step = self.nouns.relative(last, self.index) or self.nouns.attribute(last, self.index)
            if step is not None and step[1] > self.index:
                draft.themes[-1], self.index = step
                return True
        if token.text in ("what", "whatever", "that") and draft.action in ("bring", "take", "put", "find") and not draft.themes:
            position = self.index + (2 if self._at(1).plays("be") else 1)
            described, end = self.nouns.postmodifiers(Referent("object", text=token.text), position, True)
            if end > position:
                draft.themes.append(described)
                self.index = end
                return True
        if draft.action in _SPEECH_VERBS and (
            token.plays("howmany") or token.plays("wh") or token.text in ("if", "that")
        ):
            if self._embedded_question(draft):
                return True
        if draft.action == "tell" and self._attribute_phrase(draft):
            return True
        if draft.action == "ask" and token.has("attribute") and not draft.text:
            draft.topic, draft.attribute = "attribute", token.value("attribute")
            self.index += 1
            return True
        if token.plays("howmany"):
            return self._count_phrase(draft)
        preposition = token.role_of("prep") or ("in" if token.role_of("rel") or token.role_of("side") else "")
        if preposition:
            return self._prepositional(draft, preposition)
        found = self.nouns.read(self.index, attach=draft.action not in ("put",))
        if found is not None:
            referent, after = found
            if after == self.index:
                self.index += 1
                return True
            if referent.pronoun == "them" and self._last_kind == "object" and draft.action in _HANDLING:
                referent = replace(referent, kind="object", pronoun="it")
            after = self._possessive_question(draft, referent, after)
            self.index = after
            self._bare_noun(draft, referent)
            return True
        if token.has("polite") or token.plays("all", "det", "indef", "aux", "once", "again", "alone", "nowhere", "yes", "be",
                                              "do", "answer_noun", "one", "rel", "located", "wh", "have", "way", "name"):  # fmt: skip
            self.index += 1
            return True
        if token.plays("there_is"):
            return False
        if draft.action == "tell" and not draft.topic and not token.senses and not token.roles:
            return self._free_words(draft)
        if token.has("attribute", "colour", "garment", "posture", "gesture", "superlative", "size", "topic"):
            self.index += 1
            return True
        if token.text in _ADVERBS:
            self.index += 1
            return True
        if token.plays("number"):
            self.index += 1
            self.leftover.append(token.text)
            return True
        if token.senses and token.has("verb"):
            return False
        self.leftover.append(token.text)
        self.index += 1
        return True

    def _told_to_do(self, draft: _Draft) -> bool:
        """Read "tell Jane to come here": she is to come, not the robot."""
        person = draft.recipient
        if draft.action not in _SPEECH_VERBS or person is None or person.pronoun == "me" or draft.topic:
            return False
        if not self._at(1).senses and not self._at(1).text.isalpha():
            return False
        if self.nouns.read(self.index + 1) is not None and not self._is_verb(self.index + 1):
            return False
        self.index += 1
        draft.action = "tell"
        self._verbatim(draft)
        draft.text = f"Please {draft.text}."
        return True

    def _verbatim(self, draft: _Draft) -> bool:
        """Take all words up to the end of the sentence part as what is to be said."""
        words: list[str] = []
        while not self._done() and not self._at().plays("punct") and self._at().text not in ("then", "and then"):
            words.append(self._at().text)
            self.index += 1
        draft.topic, draft.text = "free", " ".join(words)
        return bool(words)

    def _free_words(self, draft: _Draft) -> bool:
        """Take unknown words after "say" as what is to be said."""
        words: list[str] = []
        while not self._done() and not self._at().plays("punct") and not self._at().plays("prep:to", "conj"):
            words.append(self._at().text)
            self.index += 1
        draft.topic, draft.text = "free", " ".join(words)
        return True

    def _possessive_question(self, draft: _Draft, referent: Referent, after: int) -> int:
        """Read "Jordan's question", "the girls question"."""
        position = after
        if position < len(self.tokens) and self.tokens[position].plays("poss"):
            position += 1
        if (
            position < len(self.tokens)
            and self.tokens[position].plays("question")
            and referent.kind == "person"
        ):
            draft.text = self.tokens[position].text
            return position + 1
        if position > after and position < len(self.tokens) and self.tokens[position].has("attribute"):
            sense = self.tokens[position].need("attribute")
            if draft.action in ("tell", "find", "ask"):
                draft.topic, draft.attribute = "attribute", sense.value
                draft.action = "tell"
                return position + 1
        return position if position > after else after

    def _bare_noun(self, draft: _Draft, referent: Referent) -> None:
        person = referent.kind == "person"
        if referent.pronoun == "there" and draft.action not in ("go", "put", "guide"):
            return
        if draft.action == "guide" and draft.verb == "show" and referent.pronoun == "me":
            draft.recipient = referent
            return
        if draft.action in ("tell", "ask", "answer", "greet") and person:
            if draft.recipient is None:
                draft.recipient = referent
            elif draft.topic in ("", "free"):
                draft.themes.append(referent)
            return
        if draft.action == "bring" and person and draft.recipient is None:
            draft.recipient = referent
            return
        if draft.action in ("take", "find") and referent.pronoun == "me":
            draft.recipient = referent
            return
        if referent.kind == "place" and draft.action in (
            "go",
            "find",
            "guide",
            "follow",
            "bring",
            "take",
            "tell",
        ):
            if draft.action == "go" or draft.themes or draft.recipient is not None:
                if draft.goal is None:
                    draft.goal = referent
                    return
            elif draft.action in ("find",):
                draft.where = referent
                draft.themes or None
                draft.action = "go" if not draft.themes else draft.action
                draft.goal = referent if draft.action == "go" else draft.goal
                return
            elif referent.pronoun in ("back", "there", "start"):
                draft.goal = referent
                return
        draft.themes.append(referent)

    def _prepositional(self, draft: _Draft, preposition: str) -> bool:
        if preposition in ("to", "for") and self._at(1).has("polite") and not self._at(1).senses:
            self.index += 1
            return True
        if preposition == "about" and self._at(1).has("topic"):
            self.index += 1
            return True
        side = self._at().role_of("side")
        if side and self._at(1).has("person_noun", "object", "generic"):
            found = self.nouns.read(self.index + 1)
            if found is not None:
                self.index = found[1]
                self._to(draft, replace(found[0], side=side))
                return True
        relation = self._at().role_of("rel")
        if not relation and self._at().text in ("on top of", "on the top of", "atop"):
            relation = "on_top_of"
        found = self.nouns.read(self.index + (0 if self._at().role_of("side") else 1))
        if found is None:
            if preposition == "of" or preposition in ("about", "with", "for", "to"):
                self.index += 1
                return True
            self.index += 1
            return True
        referent, after = found
        if (
            after < len(self.tokens)
            and self.tokens[after].plays("poss")
            and after + 1 < len(self.tokens)
            and self.tokens[after + 1].plays("question")
        ):
            after = self._possessive_question(draft, referent, after)
        self.index = after
        if preposition == "to":
            self._to(draft, referent)
        elif preposition == "from":
            if referent.kind == "person" and draft.action in ("answer", "ask"):
                draft.recipient = draft.recipient or referent
            else:
                draft.source = draft.source or referent
        elif preposition in ("for", "of"):
            self._for_or_of(draft, referent, preposition)
        elif preposition == "with":
            if draft.action in ("go", "follow", "guide") and referent.kind == "person":
                draft.action = "follow"
                draft.themes.append(referent)
            elif draft.action in ("missing:pour",) or draft.action in ("dangerous",) or referent.kind == "object":
                draft.themes.append(referent)
            else:
                draft.recipient = draft.recipient or referent
        elif preposition == "about":
            draft.topic, draft.text = draft.topic or "free", draft.text or f"about {referent.text}"
            draft.themes.append(referent)
        else:
            if relation and relation != "on_top_of" and referent.kind == "place":
                referent = replace(referent, relation=relation)
            self._locative(draft, referent, relation)
        return True

    def _to(self, draft: _Draft, referent: Referent) -> None:
        if referent.kind == "person":
            if draft.action == "go":
                draft.themes.append(referent)
            elif draft.action in ("guide", "follow") and draft.themes:
                draft.goal = referent
            else:
                draft.recipient = referent
        elif draft.goal is None:
            draft.goal = referent
        else:
            draft.locatives.append(referent)

    def _for_or_of(self, draft: _Draft, referent: Referent, preposition: str) -> None:
        if referent.pronoun == "me" and draft.action in ("find", "go", "count", "wait", "follow", "guide", "meet"):
            return
        if referent.kind == "person":
            if draft.recipient is None or draft.recipient.pronoun == "me":
                if not (draft.action == "find" and preposition == "for"):
                    draft.recipient = referent
                    return
            draft.themes.append(referent)
        elif referent.kind == "place":
            draft.where = draft.where or referent
        elif draft.action in ("find", "go", "wait"):
            draft.action = "find" if draft.action == "go" else draft.action
            draft.themes.append(referent)
        else:
            draft.themes.append(referent)

    def _locative(self, draft: _Draft, referent: Referent, relation: str = "") -> None:
        if referent.kind == "person":
            if draft.action == "put":
                # Nothing is put or dropped on people.
                draft.action = "dangerous"
            if draft.action in ("greet", "missing:phone", "tell", "dangerous"):
                draft.recipient = draft.recipient or referent
            elif draft.action in ("go", "find"):
                draft.themes.append(referent)
            else:
                draft.recipient = draft.recipient or referent
            return
        if referent.kind == "object" and relation and draft.themes and not draft.themes[-1].relation:
            at = draft.themes[-1].at or referent.at
            draft.themes[-1] = replace(draft.themes[-1], relation=relation, relatum=replace(referent, at=None), at=at)
            return
        if referent.kind == "object":
            if draft.action == "put" and referent.pronoun and draft.themes:
                draft.goal = Referent("place", text=referent.text, pronoun="there", definite=True)
            elif draft.action == "put":
                draft.goal = referent
            else:
                draft.themes.append(referent)
            return
        if draft.action == "go":
            if draft.goal is None and not draft.themes:
                draft.goal = referent
                return
        if (
            draft.action in ("tell", "ask", "answer", "greet")
            and draft.recipient is not None
            and draft.recipient.at is None
            and draft.recipient.pronoun != "me"
        ):
            draft.recipient = replace(draft.recipient, at=referent)
            return
        draft.locatives.append(referent)

    def _repetition(self, draft: _Draft, token: Token) -> bool:
        if token.plays("once", "twice", "thrice", "again"):
            draft.repeat = {"once": 1, "twice": 2, "thrice": 3, "again": 1}[
                next(r for r in token.roles if r in ("once", "twice", "thrice", "again"))
            ]
            self.index += 1
            return True
        if token.plays("number") and self._at(1).plays("times"):
            draft.repeat = _value(token)
            self.index += 2
            return True
        return False

    def _duration(self, draft: _Draft, token: Token) -> bool:
        offset = 1 if token.plays("prep:for") else 0
        number, unit = self._at(offset), self._at(offset + 1)
        if number.plays("indef") and unit.plays("seconds", "minutes", "hours"):
            amount = 1.0
        elif number.plays("number") and unit.plays("seconds", "minutes", "hours"):
            amount = float(_value(number))
        else:
            return False
        if self._at(-1).text == "half" or number.text == "half":
            amount *= 0.5
        scale = 3600.0 if unit.plays("hours") else 60.0 if unit.plays("minutes") else 1.0
        draft.seconds = amount * scale
        self.index += offset + 2
        return True

    # -- questions -----------------------------------------------------------------------------------------

    def _is_question_start(self) -> bool:
        token = self._at()
        if token.plays("howmany"):
            return True
        if token.plays("there_is"):
            return token.text in ("is there", "are there")
        if token.plays("wh") and not token.has("verb"):
            return token.text != "when" or self._at(1).plays("be", "do")
        if token.plays("be"):
            found = self.nouns.read(self.index + 1)
            return found is not None or self._at(1).plays("door")
        return token.plays("prep:of") and self._any_question()

    def _any_question(self) -> bool:
        return any(t.plays("howmany") or t.plays("wh") for t in self.tokens[self.index :])

    def _question(self, places: list[Referent]) -> list[Clause]:
        draft = _Draft("tell", "", asked=True)
        if places:
            draft.where = places[-1]
        if self._at().plays("prep:of"):
            found = self.nouns.read(self.index + 1)
            if found is not None:
                self.index = found[1]
                while self._at().plays("punct"):
                    self.index += 1
                self._embedded_question(draft)
                draft.themes = [merge_referent(found[0], theme) for theme in draft.themes] or [found[0]]
                return draft.finish()
        if not self._embedded_question(draft):
            self.leftover.append(self._at().text)
            self.index += 1
            return []
        self._arguments(draft)
        self._settle(draft)
        return draft.finish()

    def _embedded_question(self, draft: _Draft) -> bool:
        """Read a question from its first word; True when it was one."""
        token = self._at()
        if token.plays("howmany"):
            return self._count_phrase(draft)
        word = token.text
        if word in ("is there", "are there") or (
            word in ("if", "whether", "that") and self._at(1).plays("there_is")
        ):
            self.index += 1 if word in ("is there", "are there") else 2
            found = self.nouns.read(self.index)
            if found is None:
                return False
            draft.topic = "exists"
            draft.themes.append(found[0])
            self.index = found[1]
            return True
        if token.plays("be") or word in ("if", "whether"):
            return self._yes_no(draft)
        if word == "where":
            return self._where(draft)
        if word == "who":
            return self._who(draft)
        if word in ("what", "which", "how"):
            return self._what(draft)
        return False

    def _where(self, draft: _Draft) -> bool:
        position = self.index + 1
        while position < len(self.tokens) and (
            self.tokens[position].plays("be", "do", "have", "aux", "located")
            or self.tokens[position].has("polite")
            or self.tokens[position].text in ("can", "i", "you", "we", "one", "see", "seen")
            or (self.tokens[position].value("verb") in ("find", "put", "take", "meet") and not self.tokens[position].has("object"))
        ):
            position += 1
        if self.tokens[position].text == "i" if position < len(self.tokens) else False:
            position += 1
            if (
                (position < len(self.tokens)
                and self.tokens[position].has("verb"))
                or self.tokens[position].plays("located")
            ):
                position += 1
        found = self.nouns.read(position)
        if found is None:
            return False
        draft.topic = "where"
        draft.themes.append(found[0])
        self.index = found[1]
        if self._at().plays("be", "located"):
            self.index += 1
        return True

    def _who(self, draft: _Draft) -> bool:
        position = self.index + 1
        if position < len(self.tokens) and self.tokens[position].plays("be"):
            position += 1
        person = Referent("person", text="who")
        found = self.nouns.read(position)
        if found is not None and found[0].kind == "person":
            draft.themes.append(found[0])
            self.index = found[1]
            if self._at().plays("be"):
                self.index += 1
        else:
            described, end = self.nouns.postmodifiers(person, position, True)
            draft.themes.append(described)
            self.index = end
        if draft.topic in ("", "about_yourself"):
            draft.topic, draft.attribute = "attribute", "name"
        return True

    def _what(self, draft: _Draft) -> bool:
        """Read "what is the biggest object on the sofa", "what pose is the person in", "what colour is the cup"."""
        word = self._at().text
        position = self.index + 1
        attribute = self.tokens[position].sense("attribute") if position < len(self.tokens) else None
        if attribute is not None and word in ("what", "which"):
            position += 1
            if position < len(self.tokens) and self.tokens[position].plays("be"):
                position += 1
            found = self.nouns.read(position)
            if found is None and position < len(self.tokens):
                inner = self.nouns.read(position - 1)
                found = inner
            draft.topic, draft.attribute = "attribute", attribute.value
            if found is not None:
                draft.themes.append(found[0])
                self.index = found[1]
            else:
                self.index = position
            return True
        start = position
        if word == "how" and self._at(1).plays("do") and self._way_to(draft):
            return True
        while position < len(self.tokens) and (
            self.tokens[position].plays("be", "do", "all") or self.tokens[position].has("polite")
        ):
            position += 1
        self.index = position
        if self._attribute_phrase(draft):
            return True
        if word == "how" and position == start:
            return False
        if self._at().has("topic") and not self._at().has("object"):
            draft.topic = self._at().value("topic")
            self.index += 1
            return True
        if self._at().plays("howmany"):
            return self._count_phrase(draft)
        if self._at().plays("number") and self._at(1).plays("be"):
            counted = Referent("object", text="things", plural=True, number=_value(self._at()))
            described, end = self.nouns.postmodifiers(counted, position + 2, True)
            if self.nouns.at(end).plays("det") and self.nouns.at(end + 1).has("superlative"):
                described = replace(described, superlative=self.nouns.at(end + 1).value("superlative"))
                end += 2
            draft.topic, self.index = "property", end
            draft.themes.append(described)
            return True
        found = self.nouns.read(position)
        if found is None:
            if self._at().role_of("prep") or self._at().role_of("rel") or self._at().plays("located"):
                described, end = self.nouns.postmodifiers(Referent("object", text="what"), position, True)
                draft.topic = "property"
                draft.themes.append(described)
                self.index = end
                return True
            return False
        referent, end = found
        self.index = end
        if referent.pronoun == "them" and self._last_kind == "object":
            referent = replace(referent, kind="object", pronoun="it")
        if referent.kind == "person":
            draft.topic, draft.attribute = (
                "attribute",
                ("pose" if word == "how" or self._at().text == "doing" else ""),
            )
            if self._at().plays("poss"):
                self.index += 1
            if self._at().has("attribute"):
                sense = self._at().need("attribute")
                draft.attribute = sense.value
                self.index += 1
            elif self._at().text == "doing":
                draft.attribute = "pose"
                self.index += 1
            elif self._at().plays("wear"):
                draft.attribute = "clothes"
                self.index += 1
            draft.attribute = draft.attribute or "name"
            draft.themes.append(referent)
            return True
        while self._at().plays("be", "there_is") or self._at().text in ("there", "currently"):
            self.index += 1
        number = None
        if self._at().plays("det"):
            self.index += 1
        if self._at().plays("number"):
            number = _value(self._at())
            self.index += 1
        if self._at().has("superlative"):
            sense = self._at().need("superlative")
            referent = replace(referent, superlative=sense.value)
            self.index += 1
            if self._at().plays("number"):
                number = _value(self._at())
                self.index += 1
        if number is not None:
            referent = replace(referent, number=number)
        referent, self.index = self.nouns.postmodifiers(referent, self.index, True)
        draft.topic = draft.topic or "property"
        draft.topic = "property"
        draft.themes.append(referent)
        return True

    def _way_to(self, draft: _Draft) -> bool:
        """Read "how do I get to the kitchen" as a wish to be guided there."""
        who = self.nouns.read(self.index + 2)
        if who is None or who[0].kind != "person" or self.nouns.at(who[1]).value("verb") not in ("take", "go"):
            return False
        position = who[1] + (2 if self.nouns.at(who[1] + 1).plays("prep:to") else 1)
        goal = self.nouns.read(position)
        if goal is None or goal[0].kind != "place":
            return False
        draft.action, draft.verb, draft.topic, draft.asked = "guide", "show", "", False
        draft.themes, draft.goal = [who[0]], goal[0]
        self.index = goal[1]
        return True

    def _door_state(self, draft: _Draft) -> bool:
        """Read "is the door open"."""
        position = self.index + 1
        room = self.nouns.read(position) if not self.nouns.at(position).plays("door") else None
        if room is not None and self.nouns.at(room[1]).plays("door"):
            position = room[1]
        if not self.nouns.at(position).plays("door"):
            return False
        door = Referent("object", text="door", name="door", definite=True, at=room[0] if room is not None else None)
        position += 1
        while self.nouns.at(position).plays("be"):
            position += 1
        state = next((_STATES[role] for role in self.nouns.at(position).roles if role in _STATES), "")
        draft.topic, draft.text = "state", state
        draft.themes.append(door)
        self.index = position + (1 if state else 0)
        return True

    def _yes_no(self, draft: _Draft) -> bool:
        """Read "is the person in the office male or female", "if a man or woman is sitting there"."""
        if self._door_state(draft):
            return True
        position = self.index + 1
        found = self.nouns.read(position)
        if found is None:
            return False
        referent, self.index = found
        genders = 0
        consumed = []
        while not self._done() and not self._at().plays("punct") and not self._at().plays("conj"):
            if self._at().has("person_noun"):
                genders += 1
            consumed.append(self._at())
            if self._at().role_of("prep") in ("in", "on", "at") and referent.at is None:
                described, end = self.nouns.postmodifiers(referent, self.index, True)
                if end > self.index:
                    referent, self.index = described, end
                    continue
            self.index += 1
        state = next((_STATES[role] for token in consumed for role in token.roles if role in _STATES), "")
        posed = next((kind for kind in ("posture", "gesture") if getattr(referent, kind)), "")
        draft.themes.append(replace(referent, gender="", posture="", gesture="") if genders or posed else referent)
        if posed and referent.kind == "person":
            draft.topic, draft.attribute = "attribute", "pose" if posed == "posture" else "gesture"
        elif state and (referent.kind != "person"):
            draft.topic, draft.text = "state", state
        elif genders:
            draft.topic, draft.attribute = "attribute", "gender"
        else:
            draft.topic = "exists"
            draft.text = " ".join(token.text for token in consumed)
        return True

    def _count_phrase(self, draft: _Draft) -> bool:
        """Read "how many people in the kitchen are wearing red shirts"."""
        self.index += 1
        if self._at().plays("prep:of"):
            self.index += 1
        while self._at().plays("det", "prep:of"):
            self.index += 1
        described: Referent
        found = self.nouns.read(self.index)
        if found is None:
            if self._at().plays("be", "there_is") and self.nouns.at(self.index + 1).plays("punct", "") or self._at().text == "are there":
                # "how many are there?": of what must be asked.
                draft.topic = "count"
                self.index += 1
                return True
            if self._at().plays("be") or self._at().has("posture", "gesture"):
                described, end = Referent("person", text="people", plural=True), self.index
            else:
                return False
        else:
            described, end = found
        negated = False
        while end < len(self.tokens):
            token = self.tokens[end]
            before = end
            if token.plays("not"):
                negated = True
                end += 1
            elif token.plays("be", "there_is", "det", "indef", "rel") or token.text in (
                "there",
                "you",
                "currently",
                "left",
                "present",
                "that",
                "do",
                "located",
                "see",
            ):
                end += 1
            elif token.has("person_noun") and described.kind == "person":
                sense = token.need("person_noun")
                gender = sense.value
                if negated and gender in ("male", "female"):
                    gender = "female" if gender == "male" else "male"
                if gender in ("male", "female", "child"):
                    described = replace(described, gender=gender)
                end += 1
            else:
                described, end = self.nouns.postmodifiers(described, end, True)
            if end == before:
                break
        if draft.action != "tell":
            draft.action = "count" if draft.action == "count" else "tell"
        if negated and (described.posture or described.gesture or described.garment or described.garment_colour):
            self.leftover.append("not")
        draft.topic = "count"
        draft.themes.append(replace(described, plural=True))
        self.index = end
        return True

    def _attribute_phrase(self, draft: _Draft) -> bool:
        """Read "the pose of the person in the office"."""
        position = self.index
        if self.nouns.at(position).plays("det"):
            position += 1
        attribute = self.nouns.at(position).sense("attribute")
        named = self.nouns.at(position)
        if attribute is None or (named.has("verb") and position == self.index and not self.nouns.at(position + 1).plays("prep:of")):
            return False
        position += 1
        draft.topic, draft.attribute = "attribute", attribute.value
        if self.nouns.at(position).plays("prep:of"):
            found = self.nouns.read(position + 1)
            if found is not None:
                draft.themes.append(found[0])
                position = found[1]
        self.index = position
        return True

    # -- after the clause ----------------------------------------------------------------------------------

    def _settle(self, draft: _Draft) -> None:
        """Decide between neighbouring actions by what the arguments are."""
        theme = draft.themes[0] if draft.themes else None
        if draft.action in ("bring", "take") and theme is None and draft.text in ("question", "quiz"):
            draft.action = "answer"
        if draft.action == "put" and theme is None and draft.recipient is None and draft.verb in ("move", "moving", "return", "shift"):
            draft.action = "go"
        if draft.action == "go" and theme is not None and theme.kind == "object" and draft.goal is not None:
            draft.action = "bring"
        if draft.verb == "return" and (theme is None or theme.kind == "person"):
            draft.action = "guide" if theme is not None else "go"
            draft.goal = draft.goal or Referent("place", text="back", pronoun="back", definite=True)
        if draft.verb in ("bring", "take") and theme is None and draft.recipient is not None and draft.goal is None:
            if draft.recipient.pronoun in ("him", "her") or (
                draft.recipient.pronoun == "them" and self._last_kind == "person"
            ):
                draft.action, draft.themes, draft.recipient = "guide", [draft.recipient], None
        if draft.action in ("find", "bring", "take") and draft.topic and theme is None and draft.topic != "free":
            draft.action = "tell"
        if draft.action in ("take", "bring", "put") and theme is not None and theme.kind == "person":
            if draft.action == "bring" and theme.pronoun == "me":
                return
            if theme.pronoun == "them" and self._last_kind == "object":
                draft.themes[0] = replace(theme, kind="object", pronoun="it")
                return
            draft.action = "guide"
        if (
            draft.action == "bring"
            and theme is None
            and draft.recipient is not None
            and (draft.goal is not None or draft.source is not None)
        ):
            # "bring Peyton to the counter"
            if draft.recipient.pronoun != "me":
                draft.themes, draft.recipient = [draft.recipient], None
                draft.action = "guide"
        if draft.topic == "attribute" and draft.attribute == "name" and theme is not None and theme.kind == "object":
            draft.topic, draft.attribute = "property", ""
        if draft.action == "guide" and theme is not None and theme.kind == "object":
            draft.action = (
                "tell" if draft.recipient is not None and draft.recipient.pronoun == "me" else "bring"
            )
            if draft.action == "tell":
                draft.topic = draft.topic or "property"


_REPEATABLE = frozenset(("bring", "put", "take", "find", "greet", "meet"))
_LOOKING = frozenset(("see", "check", "look", "find", "check for"))
_HANDLING = frozenset(("bring", "put", "take", "find", "tell", "missing:pour"))
_WANTING = frozenset(
    ("i want", "i would like", "i need", "can i have", "could i have", "may i have", "i would love", "i wish", "let me have")
)
_STATES = {"open": "open", "closed": "closed", "on_state": "on", "off_state": "off", "empty": "empty", "full": "full"}
_ADVERBS = frozenset(
    ["again", "up", "down", "over", "out", "off", "around", "round", "together", "aloud", "loudly", "please", "away", "forward", "inside", "outside", "left", "right", "everywhere", "somewhere", "anywhere", "there", "here", "too", "each", "also", "instead", "only", "even", "still", "already", "yet", "quietly", "slowly", "fast", "ever", "closely", "neatly", "very", "much", "really", "later", "soon", "first", "exactly", "immediately", "directly", "promptly", "kindly", "politely", "personally", "while", "until", "so", "such", "than", "well", "quick", "hello", "now", "whole", "entire"]
)


def _value(token: Token) -> int:
    return NUMBER_WORDS[token.text] if token.text in NUMBER_WORDS else int(float(token.text))


def _mentions(clauses: list[Clause], referent: Referent) -> bool:
    return any(
        other.name == referent.name and other.kind == referent.kind
        for c in clauses
        for other in c.referents()
    )


def _locate(clause: Clause, stated: Referent) -> Clause:
    """Add what a later sentence says about a person or a thing ("she's at the stove")."""
    changes: dict[str, Referent] = {}
    for slot in ("theme", "recipient"):
        other: Referent | None = getattr(clause, slot)
        if other is None or other.pronoun == "me" or other.at is not None:
            continue
        if other.kind == stated.kind and (stated.pronoun or other.name == stated.name):
            changes[slot] = replace(
                other,
                at=stated.at,
                posture=other.posture or stated.posture,
                gesture=other.gesture or stated.gesture,
            )
    return replace(clause, **changes) if changes else clause  # type: ignore[arg-type]


def _give_place(clause: Clause, place: Referent, preposition: str) -> Clause:
    if preposition == "to" and clause.goal is None:
        return replace(clause, goal=place)
    if preposition == "from" and clause.source is None:
        return replace(clause, source=place)
    if clause.where is None:
        return replace(clause, where=place)
    return clause
