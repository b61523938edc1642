"""A cursor over the words of an English instruction, and the clause that is being read."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field, replace

from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.english_words import normalised, people_named, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.merge import narrowed
from zulong.agent.language.tokens import NUMBER_WORDS, Token, whole_number

SPEECH_VERBS = frozenset(("tell", "ask"))
REPEATABLE = frozenset(("bring", "put", "take", "find", "greet", "meet"))
LOOKING = frozenset(("see", "check", "look", "find", "check for"))
HANDLING = frozenset(("bring", "put", "take", "find", "tell", "missing:pour"))
WANTING = frozenset(
    (
        "i want",
        "i would like",
        "i need",
        "can i have",
        "could i have",
        "may i have",
        "i would love",
        "i wish",
        "let me have",
        "would it be too much to ask for",
        "i could use",
        "i could do with",
        "i fancy",
        "any chance of",
        "any chance for",
        "is there any chance of",
        "i would appreciate",
        "i would kill for",
        "i am dying for",
        "i feel like",
        "how about",
        "what about",
        "i am in the mood for",
        "i would prefer",
    )
)
STATES = {
    "open": "open",
    "closed": "closed",
    "on_state": "on",
    "off_state": "off",
    "empty": "empty",
    "full": "full",
}


@dataclass(slots=True)
class Draft:
    """A clause while it is being read."""

    action: str
    verb: str
    themes: list[Referent] = field(default_factory=list)
    recipient: Referent | None = None
    others: list[Referent] = field(default_factory=list)
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
    addressed: bool = False
    inferred: bool = False
    later: bool = False
    lasting: bool = False
    led: bool = False
    via: list[Referent] = field(default_factory=list)
    locatives: list[Referent] = field(default_factory=list)

    def finish(self) -> list[Clause]:
        """Return one clause for each theme."""
        self._place_locatives()
        themes: list[Referent | None] = list(self.themes) or [None]
        met = (
            self.action in ("greet", "meet") and self.recipient is not None and self.recipient.at is not None
        )
        if met and self.recipient is not None:
            # "welcome Jane and Robin at the entrance": both are there.
            self.others = [replace(one, at=one.at or self.recipient.at) for one in self.others]
        listeners = [self.recipient, *self.others]
        return [
            Clause(
                action=self.action, verb=self.verb, theme=theme, recipient=recipient, source=self.source,
                goal=self.goal, where=self.where, topic=self.topic, attribute=self.attribute, text=self.text,
                negated=self.negated, repeat=self.repeat, seconds=self.seconds, avoid=tuple(self.avoid),
                asked=self.asked, inferred=self.inferred,
            )
            for theme in themes
            for recipient in listeners
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


def value_of(token: Token) -> int:
    return NUMBER_WORDS[token.text] if token.text in NUMBER_WORDS else whole_number(token.text)


_EATEN = ("fruit", "snack")


def _as_written(token: Token, text: str) -> Token:
    """Return what stands in quotation marks with the capitals that it was written with."""
    if not token.plays("quote") or '"' not in text:
        return token
    at = text.lower().find(token.text)
    return token if at < 0 else replace(token, text=text[at : at + len(token.text)])


class EnglishCursor(ABC):  # noqa: B024 - the readers built on it have the abstract parts
    """The words of one instruction, and where the reading stands."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary
        said, unclear = normalised(text, people_named(text, vocabulary))
        self.tokens = [_as_written(token, text) for token in tokenise(said, vocabulary)]
        self.nouns = NounReader(self.tokens)
        self.leftover: list[str] = [*unclear]
        self.beneficiaries: list[Referent] = []
        self.excused: set[int] = set()
        """Positions of words that were understood and ask for nothing: a wish beside an order, courtesies."""
        self.index = 0
        self._last_kind = ""
        self._last_counted: Referent | None = None

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
            return False
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

    def _negated_verb(self) -> bool:
        position = self.index + 1
        while position < len(self.tokens) and self.tokens[position].has("polite"):
            position += 1
        text = self._at().text
        return self._is_verb(position) or text in (
            "stay out of", "keep out of", "keep away from", "stay away from", "do not", "never", "avoid",
        )  # fmt: skip

    def _subordinate(self, position: int) -> int:
        """Return where the verb of "after you (have) found her" or "before going" stands, 0 when there is none."""
        start = position
        while self.nouns.at(position).text in ("you", "have", "had", "you have") or self.nouns.at(
            position
        ).plays("aux"):
            position += 1
        return position if position <= start + 3 and self._is_verb(position) else 0

    def _of_kind(self, thing: Referent, kind: Referent) -> bool:
        """Tell whether a thing is one of a category; what is eaten is food too."""
        wanted = {*kind.ids, kind.category, *(_EATEN if kind.category == "food" else ())}
        return bool(thing.ids) and all(self.vocabulary.category_of.get(i, "") in wanted for i in thing.ids)

    def _specifies(self, named: Referent | None, other: Referent) -> bool:
        """Tell whether "the blue one", "any cup" after a comma only says more of what was just named."""
        if named is None or not named.kind == other.kind == "object" or other.unknown:
            return False
        if not (named.name or named.category) or other.text in ("one", "another one"):
            return False
        if named.category and not named.name and other.name and self._of_kind(other, named):
            # "something to eat, a pear"
            return True
        if named.ids and other.text.endswith(" one") and narrowed(named, other) is not None:
            return True
        told = bool(other.colour or other.size or other.superlative or other.at)
        same = (other.name, other.category) == (named.name, named.category)
        again = same and not (other.colour and named.colour) and other.number is None
        same_colour = not named.colour or other.colour == named.colour
        return again or (told and not other.name and not other.category and same_colour)

    def _remember(self, draft: Draft) -> None:
        """Note whether "them" will mean things or people from now on."""
        for referent in (*draft.themes, draft.recipient):
            if referent is not None and referent.kind != "place" and not referent.pronoun:
                self._last_kind = referent.kind

    def _repetition(self, draft: Draft, token: Token) -> bool:
        if token.plays("once", "twice", "thrice", "again"):
            draft.repeat = {"once": 1, "twice": 2, "thrice": 3, "again": 1}[
                next(r for r in token.roles if r in ("once", "twice", "thrice", "again"))
            ]
            self.index += 1
            return True
        if token.plays("number") and self._at(1).plays("times"):
            draft.repeat = value_of(token)
            self.index += 2
            return True
        return False

    def _duration(self, draft: Draft, token: Token) -> bool:
        """Read "for ten seconds", "half an hour", "a minute"."""
        offset = 1 if token.plays("prep:for") else 0
        amount = 1.0
        if self._at(offset).plays("half"):
            amount = 0.5
            offset += 1
        number, unit = self._at(offset), self._at(offset + 1)
        if not unit.plays("seconds", "minutes", "hours") or not number.plays("indef", "number", "one"):
            return False
        if not number.plays("indef"):
            amount *= value_of(number)
        scale = 3600.0 if unit.plays("hours") else 60.0 if unit.plays("minutes") else 1.0
        draft.seconds = amount * scale
        draft.later = self._at(-1).text == "in"
        draft.lasting = bool(token.plays("prep:for"))
        self.index += offset + 2
        return True
