"""English instructions: sentences with several clauses, conditions, corrections and statements."""

from __future__ import annotations

import re
from dataclasses import replace

from zulong.agent.language.english_adjectives import ADVERBS
from zulong.agent.language.english_audit import Reading, unaccounted
from zulong.agent.language.english_conditions import in_words, looked_for, read_condition
from zulong.agent.language.english_cursor import WANTING, Draft
from zulong.agent.language.english_joins import at_odds, does_something, joined_errands, placed_as_told
from zulong.agent.language.english_repairs import EnglishRepairs
from zulong.agent.language.english_shares import shared
from zulong.agent.language.english_words import base_form
from zulong.agent.language.meaning import Clause, Condition, Meaning, Referent
from zulong.agent.language.merge import (
    locate,
    with_antecedents,
    with_candidates,
    with_places_asked_about,
    with_trips,
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
_BROKEN_OFF = (
    "the",
    "a",
    "an",
    "my",
    "your",
    "to the",
    "and the",
    "of",
    "from",
    "into",
    "onto",
    "and",
    "or",
    "to",
)
"""A sentence that ends so was not said to its end."""
_AHEAD = ("first", "beforehand", "before that", "first of all")
_FILLERS = ("conj", "but", "aux", "prep:to", "do", "or", "all", "again", "be", "while", "when")


def asks_whether(text: str) -> str:
    """Return how a question about what was or should be done begins, "" when it is none."""
    match = _WHETHER.match(text)
    return match.group(1) if match else ""


def _of_the_same(clause: Clause) -> bool:
    """Tell "found it", "got them", which only name what was named before."""
    theme = clause.theme
    return (
        clause.action in ("find", "take", "bring") and theme is not None and theme.pronoun in ("it", "them")
    )


def _taken_from(clause: Clause, taken: list[Clause]) -> Clause:
    """Say where a thing is taken: "put the milk on the desk after you get it from the kitchen"."""
    said = [one.source or one.where or (one.theme.at if one.theme is not None else None) for one in taken]
    place = next((one for one in said if one is not None), None)
    carried = clause.action in ("put", "bring", "take") and clause.source is None and clause.theme is not None
    if place is None or not carried or (clause.theme is not None and clause.theme.at is not None):
        return clause
    return replace(clause, source=place)


class EnglishReader(EnglishRepairs):
    """Reads one instruction; make a new one for each."""

    def read(self) -> Meaning:
        """Read the instruction."""
        affirmation, correction = self._opening()
        while not self._done():
            self._step(self._at())
        if self.called_off and not self.clauses:
            return Meaning((), "en", self.text, correction=True, affirmation=False)
        self.leftover.extend(self._unread())
        if self.tokens and self.tokens[-1].text in _BROKEN_OFF:
            self.leftover.append(f"{self.tokens[-1].text} ...")
        if self.alongside and [clause.action for clause in self.clauses[-2:]] == ["go", "go"]:
            # "go to the kitchen and the bedroom at the same time"
            self.leftover.append("at the same time")
        self.leftover.extend(at_odds(self.clauses))
        if self.unused is not None and self.clauses:
            self.leftover.append(self.unused.text)
        whether = asks_whether(self.text)
        if whether and any(does_something(clause) for clause in self.clauses):
            self.leftover.append(whether)
        spoken = " ".join(clause.text for clause in self.clauses).split()
        self.leftover.extend(word for word in self.nouns.unweighed.values() if word not in spoken)
        self.leftover = list(dict.fromkeys(self.leftover))
        clauses = with_places_asked_about(without_bare_reports(without_idle_moves(self.clauses)))
        clauses = joined_errands(with_trips(clauses))
        correction = correction or (not clauses and any(token.plays("correct") for token in self.tokens))
        fragment = [r for r in self.fragment if r not in self.places] if clauses else self.fragment
        if not clauses and not correction and not self.leftover and (granted := self._granted(fragment)):
            clauses, fragment = granted, []
        clauses, fragment = with_antecedents(placed_as_told(clauses, fragment), fragment)
        if clauses and clauses[-1].theme is not None and not clauses[-1].theme.pronoun:
            # "bring me the milk, scratch that, bring me the cola"
            fragment = [one for one in fragment if one not in self.taken_back]
        clauses = with_candidates(self._for_the_wisher(clauses), self.candidates)
        clauses, unclear = shared(clauses)
        self.leftover.extend(word for word in unclear if word not in self.leftover)
        clauses = placed_as_told(clauses, self.candidates)
        return Meaning(
            clauses=tuple(clauses), language="en", text=self.text, correction=correction, fragment=tuple(fragment),
            affirmation=affirmation, leftover=tuple(self.leftover),
        )  # fmt: skip

    def _unread(self) -> list[str]:
        """Return the words with content of which nothing that was read has a trace."""
        reading = Reading(
            (*self.clauses, *self.withdrawn),
            (*self.fragment, *self.places, *self.stated, *self.beneficiaries),
            self.leftover,
        )
        return unaccounted(self.tokens, reading, self.excused | self.nouns.idle)

    def _step(self, token: Token) -> None:
        """Read what starts with this token: one clause, condition, correction, statement or filler."""
        if token.plays("punct"):
            if token.text != "," and token.text != ":":
                self.pending = None
                self.sentence_start = len(self.clauses)
            self.index += 1
            return
        if token.plays("cancel") and self.last_condition is not None and self.clauses:
            # "..., and if he is not there, leave it": nothing that was said before is taken back.
            self.leftover.append(token.text)
            self.index += 1
            return
        if token.plays("cancel") and not self._denies(token):
            self._called_off()
            return
        if token.plays("cancel"):
            return
        readers = (
            self._aside, self._missed, self._contrasts, self._denies, self._found_at,
            self._corrects, self._conditional, self._else, self._ordered, self._comes_first, self._skipped_when,
            self._excludes,
            self._next_stop, self._next_listener, self._bare_duration, self._when_seen, self._wish, self._asks, self._orders,
            self._meant_for, self._filler,
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

    def _conditional(self, token: Token) -> bool:
        """Read "if ...": it governs what follows, or what stands before it in the sentence."""
        if not token.plays("if", "unless"):
            return False
        if token.plays("if") and self._courtesy():
            return True
        if self._at(-1).text == "even":
            # "even if": it is to be done anyway, which is better asked.
            self.leftover.append("even")
        opened = self.index
        confirmed = self._confirms(self.index + 1) if token.plays("if") else 0
        asked = self._asked_condition() if confirmed else None
        if asked is not None:
            # "check if there is milk in the fridge and if so, bring it to me"
            self.pending = self.last_condition = asked
            self.sentence_start = len(self.clauses)
            self.excused.update(range(opened, confirmed))
            self.index = confirmed
            return True
        condition, self.index = read_condition(self.nouns, self.index)
        if self._at().text == "and" and self._predicate(self.index + 1):
            # "if there is milk in the fridge and Jane is in the kitchen, ...": one of two is checked only.
            self.leftover.append("and")
        if condition.kind in ("failed", "fact", "unknown"):
            self.excused.update(range(opened, self.index))
        start = self.sentence_start
        if len(self.clauses) > start and not self._consequence_follows():
            self.clauses[start:] = [replace(clause, condition=condition) for clause in self.clauses[start:]]
        else:
            self.pending = self.unused = condition
        self.last_condition = condition
        return True

    def _confirms(self, position: int) -> int:
        """Return the end of "so", "there is one", "she is" after an "if", 0 when something else follows."""
        if self.nouns.at(position).text in ("so", "yes", "true"):
            position += 1
        elif self.nouns.at(position).plays("there_is"):
            position += 1
            while self.nouns.at(position).plays("one", "indef") or self.nouns.at(position).text == "any":
                position += 1
        elif self.nouns.at(position).plays("pron") and self.nouns.at(position + 1).plays("be"):
            position += 2
        else:
            return 0
        after = self.nouns.at(position)
        ends = (
            not after.text or after.plays("punct", "conj") or after.has("polite") or self._is_verb(position)
        )
        return position if ends else 0

    def _asked_condition(self, *, negated: bool = False) -> Condition | None:
        """Turn the question just before into the condition that "if so" means; the answer needs no telling then."""
        last = self.clauses[-1] if self.clauses else None
        if (
            last is None
            or last.action != "tell"
            or last.topic not in ("exists", "state")
            or last.theme is None
        ):
            return None
        if last.recipient is None:
            self.withdrawn.append(self.clauses.pop())
        topic = last.topic
        asked = Condition(
            topic, subject=last.theme, where=last.where, state=last.text if topic == "state" else ""
        )
        asked = replace(asked, negated=negated)
        return replace(asked, text=in_words(asked) or "if so")

    def _else(self, token: Token) -> bool:
        if not token.plays("else"):
            return False
        self.index += 1
        if self.last_condition is not None:
            opposite = replace(self.last_condition, negated=not self.last_condition.negated)
            self.pending = replace(opposite, text=in_words(opposite) or "otherwise")
            self.sentence_start = len(self.clauses)
            return True
        # "check if the milk is in the fridge; if not, tell Jane"
        self.pending = self.last_condition = self._asked_condition(negated=True)
        self.sentence_start = len(self.clauses)
        if self.pending is None:
            self.leftover.append(token.text)
        return True

    def _ordered(self, token: Token) -> bool:
        """Read "before ..." and "after ...": what is said last may have to be done first."""
        later = token.plays("after") or (token.plays("when") and self._perfect(self.index + 1))
        if not (later or token.plays("before")):
            return False
        verb = self._subordinate(self.index + 1)
        if not verb and later and token.plays("when"):
            # "when you have the coffee"
            self.leftover.append(token.text)
        if not verb:
            return False
        self.index = verb
        new = self._clause(self.places)
        start = self.sentence_start
        if later and self.clauses[start:] and all(_of_the_same(clause) for clause in new):
            # "give the apple to Jane once you have found it": that is part of giving it.
            self.withdrawn.extend(new)
            self.clauses[-1] = _taken_from(self.clauses[-1], new)
        elif later:
            self.clauses[start:start] = new
        elif len(self.clauses) > start:
            self.clauses.extend(new)
        else:
            self.clauses.extend([*self._rest(self.places), *new])
        return True

    def _perfect(self, position: int) -> bool:
        """Tell "(when) you have brought me the apple" from "(when) you see Jane"."""
        return self.nouns.at(position).text in ("you have", "you had") or (
            self.nouns.at(position).text == "you" and self.nouns.at(position + 1).plays("have")
        )

    def _comes_first(self, token: Token) -> bool:
        """Read "go to the kitchen, but first get the sponge": what is said last is done first."""
        then = self._at(1).text == "before" and self._at(2).text in ("that", "this")
        if not (
            token.plays("but", "conj")
            and (then or self._at(1).text in ("first", "before that", "beforehand"))
        ):
            return False
        start = self.sentence_start
        if len(self.clauses) == start or token.text == "then":
            return False
        self.index += 3 if then else 2
        while self._at().has("polite") or self._at().plays("punct"):
            self.index += 1
        place = self.nouns.read(self.index + 1) if self._at().plays("prep:to") else None
        if self._is_verb(self.index) or (then and self._at().has("verb")):
            self.clauses[start:start] = self._clause(self.places)
        elif place is not None and place[0].kind == "place" and self.clauses[-1].action == "go":
            # "go to the bedroom, but before that to the kitchen"
            self.clauses.insert(start, replace(self.clauses[-1], goal=place[0]))
            self.index = place[1]
        else:
            self.leftover.append(token.text)
        return True

    def _awaited(self, token: Token) -> None:
        """Note "when Jane waves", "whenever it rings": nobody watches for what others do."""
        if not token.plays("when") or token.plays("conj", "once"):
            return
        subject = self.nouns.read(self.index + 1, attach=False)
        others = subject is not None and subject[0].pronoun not in ("you", "there", "back", "here")
        if token.text == "whenever" or (others and self._at(1).text != "you"):
            self.leftover.append(token.text)

    def _skipped_when(self, token: Token) -> bool:
        self._awaited(token)
        return (
            token.plays("after", "when", "while")
            and self._at(1).plays("pron", "det", "wh")
            and self._temporal()
        )

    def _next_listener(self, token: Token) -> bool:
        """Read "to Charlie" after "say good night to Simone, then"."""
        last = self.clauses[-1] if self.clauses else None
        if last is None or not token.plays("prep:to") or last.action not in ("tell", "greet", "bring"):
            return False
        if last.recipient is None or last.negated or not self._at(-1).plays("conj", "punct"):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person" or self._is_verb(self.index + 1):
            return False
        self.index = found[1]
        if (
            last.action == "bring"
            and last.theme is not None
            and last.theme.definite
            and not last.theme.plural
        ):
            # "bring the apple to Jane and then to Robin": one thing cannot go to two.
            self.leftover.append(f"to {found[0].text}")
        self.clauses.append(replace(last, recipient=found[0]))
        return True

    def _next_stop(self, token: Token) -> bool:
        """Read "to the bedroom" after "go to the kitchen, then", "take Jane to the kitchen and then"."""
        last = self.clauses[-1] if self.clauses else None
        if (
            last is None
            or not token.plays("prep:to")
            or last.action not in ("go", "guide", "follow")
            or last.negated
        ):
            return False
        if last.action != "go" and (last.goal is None or not self._at(-1).plays("conj")):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "place" or self._is_verb(self.index + 1):
            return False
        self.index = found[1]
        stop = Clause("go", verb="go", goal=found[0], condition=self.pending, inferred=True)
        self.clauses.append(stop if last.action == "go" else replace(last, goal=found[0], where=None))
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
        if found is None or (found[0].pronoun and self.clauses[self.sentence_start :]):
            # "bring me the apple as soon as you find it"
            self.index = found[1] if found is not None else self.index + 2
            return True
        if self.clauses and self.clauses[-1].action == "stop":
            # "stop when you see Jane": what it sees while it does something else is not watched.
            self.leftover.append(token.text)
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
        told = token.text.endswith("s") and base_form(token.text, self.vocabulary) != token.text
        if told and self._at(-1).text and not self._at(-1).plays("punct", "conj"):
            # "(see that) Jane gets the pear": it says what somebody does.
            self.leftover.append(token.text)
        joined = self._at(-1).text
        new = self._under_negation(self._clause(self.places), joined)
        if self._said_to_be_first(joined, new):
            self.clauses[self.sentence_start : self.sentence_start] = new
            return True
        if new and new[0].negated and new[0].verb == "without":
            self.clauses[:] = [replace(c, avoid=(*c.avoid, *new[0].avoid)) for c in self.clauses]
        else:
            self._add(new)
        return True

    def _said_to_be_first(self, joined: str, new: list[Clause]) -> bool:
        """Tell whether "..., but go to the kitchen first" puts the clause just read before the others."""
        if len(self.clauses) == self.sentence_start or joined not in ("but", "and", ",") or not new:
            return False
        told = 0 if self._at().text in _AHEAD else -1 if self._at(-1).text in _AHEAD else None
        after = self._at(told + 1) if told is not None else None
        if told is None or after is None or not (not after.text or after.plays("punct")):
            return False
        if new[0].negated or self.pending is not None or any(clause.negated for clause in self.clauses):
            return False
        self.index += told + 1
        return True

    def _under_negation(self, new: list[Clause], joined: str) -> list[Clause]:
        """Carry a negation on: "don't go get Jane", "don't go to the kitchen or touch the cup"."""
        last = self.clauses[-1] if self.clauses else None
        if last is None or not last.negated or last.verb == "without" or not new or new[0].negated:
            return new
        idle = last.action == "go" and not any(last.referents())
        if joined == "or" or (idle and joined != ","):
            return [replace(clause, negated=True, avoid=()) for clause in new]
        if joined == "and":
            # "don't go to the kitchen and bring the apple": how far the "not" reaches is not clear.
            self.leftover.append("not")
        return new

    def _filler(self, token: Token) -> bool:
        if token.text in ("nobody", "no one", "noone", "none", "nothing"):
            # "nobody should go to the kitchen"
            self.leftover.append(token.text)
            self.index += 1
            return True
        if not (token.has("polite") or token.plays(*_FILLERS)):
            return False
        adverb = self._at(-1).has("polite") or self._at(-1).text in ADVERBS
        if (
            token.plays("but")
            and not adverb
            and all(t.plays("punct") or t.has("polite") for t in self.tokens[self.index + 1 :])
        ):
            # Something was to follow.
            self.leftover.append(token.text)
        elif token.plays("but") and self.clauses and not self.clauses[-1].negated:
            excepted = self.nouns.read(self.index + 1)
            if (excepted is not None and self.nouns.at(excepted[1]).plays("punct", "")) or (
                excepted is not None and not self.nouns.at(excepted[1]).text
            ):
                # "bring me anything but fruit"
                self.leftover.append(token.text)
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
            clauses = [looked_for(replace(clause, condition=self.pending)) for clause in clauses]
            self.unused = None
        self.clauses.extend(clauses)

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
        thing = self._at(2) if self._at(1).has("colour") and self._at(2).has("object") else self._at(1)
        if token.text == "no" and thing.has("object", "category") and not thing.plays("one"):
            # "no milk for Robin": it is turned down.
            self.leftover.append(f"no {thing.text}")
            self.index += 1
            return None, False
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
