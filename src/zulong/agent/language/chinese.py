"""Chinese instructions: from tokens to clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_words import normalise, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Meaning, Referent
from zulong.agent.language.merge import merge_referent, replace_referent, with_antecedents, without_idle_moves
from zulong.agent.language.tokens import Token, chinese_number

_MOVING = ("bring", "take", "put", "guide", "follow", "go")
_STATES = {"open": "open", "closed": "closed"}


@dataclass(slots=True)
class _Frame:
    """What was said in a clause before its verb, and with it."""

    action: str = ""
    verb: str = ""
    theme: Referent | None = None
    more: tuple[Referent, ...] = ()
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
    asked: bool = False

    def clauses(self) -> list[Clause]:
        """Return one clause for each theme."""
        themes = (self.theme, *self.more) if self.more else (self.theme,)
        return [
            Clause(
                self.action, verb=self.verb, theme=theme, recipient=self.recipient, source=self.source,
                goal=self.goal, where=self.where, topic=self.topic, attribute=self.attribute, text=self.text,
                negated=self.negated, repeat=self.repeat, seconds=self.seconds, asked=self.asked,
                avoid=(self.goal,) if self.negated and self.action == "go" and self.goal is not None else (),
            )
            for theme in themes
        ]  # fmt: skip


class ChineseReader:
    """Reads one instruction; make a new one for each."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.tokens = tokenise(normalise(text), vocabulary)
        self.nouns = ChineseNounReader(self.tokens)
        self.index = 0
        self.frame = _Frame()
        self.clauses: list[Clause] = []
        self.fragment: list[Referent] = []
        self.leftover: list[str] = []
        self.condition: Condition | None = None
        self.last_condition: Condition | None = None
        self.deferred: list[Clause] = []

    def _at(self, offset: int = 0) -> Token:
        return self.nouns.at(self.index + offset)

    # -- the whole instruction -----------------------------------------------------------------------------

    def read(self) -> Meaning:
        """Read the instruction."""
        affirmation, correction = self._opening()
        while self.index < len(self.tokens):
            before = self.index
            self._step()
            if self.index == before:
                self.leftover.append(self._at().text)
                self.index += 1
        self._close()
        self.clauses.extend(self.deferred)
        self._lift_exclusions()
        self._wishes()
        self.clauses = without_idle_moves(self.clauses)
        self.clauses, self.fragment = with_antecedents(self.clauses, self.fragment)
        return Meaning(
            clauses=tuple(self.clauses), language="zh", text=self.text, correction=correction,
            fragment=tuple(self.fragment), affirmation=affirmation,
            leftover=tuple(word for word in self.leftover if word.strip()),
        )  # fmt: skip

    def _wishes(self) -> None:
        """Read 「我想要一个橙子」 and 「帮我拿一个苹果」 as wishes to have the thing brought."""
        me = Referent("person", text="我", pronoun="me", definite=True)
        said = {token.text for token in self.tokens}
        if not self.clauses and len(self.fragment) == 1 and self.fragment[0].kind == "object" and said & _WANTING:
            self.clauses.append(Clause("bring", verb="要", theme=self.fragment.pop(), recipient=me, inferred=True))
        elif self.clauses and said & _FAVOUR:
            last = self.clauses[-1]
            if last.action == "take" and last.recipient is None and last.goal is None and not (last.theme and last.theme.pronoun):
                self.clauses[-1] = replace(last, action="bring", recipient=me)

    def _opening(self) -> tuple[bool | None, bool]:
        rest = [t for t in self.tokens if not t.plays("punct", "mood")]
        if rest and all(t.plays("yes") or (t.has("polite") and not t.plays("no")) for t in rest) and any(t.plays("yes") for t in rest):
            self.index = len(self.tokens)
            return True, False
        if rest and all(t.plays("no") or t.has("polite") for t in rest) and any(t.plays("no") for t in rest):
            self.index = len(self.tokens)
            return False, True
        first = self._at()
        if first.plays("correct") and not first.plays("conj") or (first.plays("no") and self._at(1).plays("punct")) or first.plays("not_be"):
            correction_end = self.index
            while self._at().plays("correct", "punct", "mood", "be") or (self._at().plays("no") and self._at(1).plays("punct")) :
                self.index += 1
            if self.index > correction_end or first.plays("not_be"):
                return None, True
        return None, False

    def _step(self) -> None:
        token = self._at()
        if token.plays("punct"):
            self._punctuation(token)
        elif token.plays("quote"):
            self.frame.text = token.text
            if self.frame.action in ("tell", "ask", "greet", ""):
                self.frame.action = self.frame.action if self.frame.action in ("tell", "ask") else "tell"
                self.frame.topic = "free" if self.frame.action == "tell" else self.frame.topic
            self.index += 1
        elif token.plays("if", "unless") and not token.has("verb") and self._condition_here():
            pass
        elif token.plays("else"):
            self._close()
            self.index += 1
            if self.last_condition is not None:
                self.condition = replace(self.last_condition, negated=not self.last_condition.negated)
        elif token.plays("have_do") and self._have_do():
            pass
        elif token.plays("before") and self.frame.action:
            self._close()
            self.deferred.append(self.clauses.pop())
            self.index += 1
        elif token.plays("not_be"):
            self._exclusion()
        elif token.plays("correct") and (self.clauses or self.frame.action) and not (token.text == "还是"):
            self._repair()
        elif self._question(token):
            pass
        elif token.plays("except"):
            self._except()
        elif token.plays("not") and self._negation():
            pass
        elif token.plays("ba"):
            self._ba()
        elif self._repetition(token) or self._duration(token):
            pass
        elif token.plays("from"):
            self._from()
        elif self._give(token) or self._to(token) or self._toward(token) or self._located(token):
            pass
        elif token.has("danger") or (token.has("verb") and not self._noun_use(token)):
            self._verb(token)
        elif token.has("topic") and self._topic(token):
            pass
        elif token.plays("conj", "while") and not self._joins(token):
            self._connector(token)
        elif token.plays("noun_and") and self._joins(token):
            self._and_noun()
        elif self._noun(token):
            pass
        else:
            self._filler(token)

    def _filler(self, token: Token) -> None:
        known = token.has("polite", "colour", "size", "attribute", "posture", "gesture", "superlative", "garment") or token.roles
        if not known:
            self.leftover.append(token.text)
        self.index += 1

    def _punctuation(self, token: Token) -> None:
        if token.text == "." :
            self._close()
            self.condition = None
        elif self.frame.action:
            if not self._list_goes_on():
                self._close()
        elif self.frame.theme is not None and self.frame.theme.pronoun == "me":
            self.frame = _Frame()
        elif self.frame.theme is not None and self.frame.theme.kind == "object" and not self._list_goes_on():
            self._close()
        self.index += 1

    def _list_goes_on(self) -> bool:
        """Tell 「苹果、梨和桃子」 from the end of a clause."""
        if self.frame.theme is None or self.frame.theme.kind != "object":
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "object" or found[0].unknown:
            return False
        self.frame.more = (*self.frame.more, found[0])
        self.index = found[1] - 1
        return True

    def _have_do(self) -> bool:
        """Read 「叫简过来」: Jane is to be told, it is not the robot who comes."""
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person" or found[0].pronoun in ("me", "you"):
            return False
        if self.frame.action:
            self._close()
        self.frame.action, self.frame.verb, self.frame.recipient = "tell", self._at().text, found[0]
        self.index = found[1]
        self._free(self.frame)
        self.frame.topic, self.frame.text = "free", "请" + (self.frame.text or "过来") + "。"
        return True

    def _connector(self, token: Token) -> None:
        if token.text in ("来", "后", "又", "也") and self.frame.action == "":
            self.index += 1
            return
        if self.frame.action:
            self._close()
        self.index += 1

    def _joins(self, token: Token) -> bool:
        """Tell whether 「和」 joins two things here."""
        if not token.plays("noun_and") or token.text not in ("和", "以及", "还有", "与", "跟", "及"):
            return False
        if self.frame.theme is None or self.frame.theme.kind == "place":
            return False
        found = self.nouns.read(self.index + 1)
        return found is not None and found[0].kind == self.frame.theme.kind and not found[0].pronoun and not found[0].unknown

    def _and_noun(self) -> None:
        found = self.nouns.read(self.index + 1)
        if found is None:
            self.index += 1
            return
        self.frame.more = (*self.frame.more, found[0])
        self.index = found[1]

    def _close(self) -> None:
        """End the clause that is being read."""
        frame, self.frame = self.frame, _Frame()
        if not frame.action:
            self._loose(frame)
            return
        self._settle(frame)
        new = frame.clauses()
        if self.condition is not None:
            new = [replace(clause, condition=self.condition) for clause in new]
        self.clauses.extend(new)

    def _loose(self, frame: _Frame) -> None:
        """Keep what was said without a verb: a place that opens the sentence, or a fragment."""
        if frame.topic and frame.topic != "free":
            frame.action = "tell"
            frame.asked = True
            self.clauses.extend(self._with_condition(frame.clauses()))
            return
        if frame.where is not None and frame.theme is not None and frame.theme.kind != "place":
            frame.theme, frame.where = replace(frame.theme, at=frame.theme.at or frame.where), None
        if frame.where is not None or (frame.theme is not None and frame.theme.kind == "place"):
            place = frame.where or frame.theme
            if place is not None:
                self.fragment.append(place)
                if frame.theme is None or frame.theme is place:
                    return
        for referent in (frame.theme, *frame.more, frame.recipient, frame.goal, frame.source):
            if referent is not None:
                self.fragment.append(referent)

    def _with_condition(self, clauses: list[Clause]) -> list[Clause]:
        return clauses if self.condition is None else [replace(c, condition=self.condition) for c in clauses]

    def _settle(self, frame: _Frame) -> None:
        """Decide between neighbouring actions by what the arguments are."""
        if self.fragment and frame.theme is None and frame.action in ("bring", "take", "put", "find", "guide", "follow", "tell", "count"):
            last = self.fragment[-1]
            if last.kind == "object" and frame.action not in ("tell",) and not frame.topic:
                frame.theme = self.fragment.pop()
            elif last.kind == "person" and frame.action in ("guide", "follow", "find"):
                frame.theme = self.fragment.pop()
        if self.fragment and self.fragment[-1].kind == "place" and frame.where is None and frame.source is None and frame.action != "go":
            frame.where = self.fragment.pop()
        theme = frame.theme
        if frame.action in ("take", "bring", "put") and theme is not None and theme.kind == "person":
            if theme.pronoun == "me" and frame.recipient is None and frame.goal is None:
                frame.theme, frame.recipient = None, theme
            elif frame.goal is not None or frame.verb.startswith("带"):
                frame.action = "guide"
            elif frame.recipient is None:
                frame.theme, frame.recipient = None, theme
        if frame.action == "guide" and theme is not None and theme.kind == "object":
            frame.action = "bring"
        if frame.action == "take" and (frame.recipient is not None or frame.goal is not None):
            frame.action = "bring"
        if frame.action in ("bring", "take") and frame.verb in _TOWARDS_ME and frame.recipient is None and frame.goal is None:
            frame.action = "bring"
            frame.recipient = Referent("person", text="我", pronoun="me", definite=True)
        if frame.action in ("greet", "ask", "answer", "tell") and frame.theme is not None and frame.theme.kind == "person" and frame.recipient is None and frame.topic not in ("attribute", "count", "where", "exists"):
            frame.recipient, frame.theme = frame.theme, None
        if frame.action == "follow" and frame.theme is None and frame.recipient is not None:
            frame.theme, frame.recipient = frame.recipient, None
        if frame.action in ("meet", "find") and frame.theme is None and frame.recipient is not None:
            frame.theme, frame.recipient = frame.recipient, None

    # -- verbs ---------------------------------------------------------------------------------------------

    def _noun_use(self, token: Token) -> bool:
        """Tell a noun that also is a verb: 「水」, 「画」."""
        return token.has("object", "category", "placement", "room") and not token.has("danger")

    def _verb(self, token: Token) -> None:
        sense = token.sense("danger", "verb")
        action = "dangerous" if sense is None or sense.kind == "danger" else sense.value
        frame = self.frame
        if frame.action and not self._complements(frame, token, action):
            if token.text in ("过来", "过去", "来", "去", "回来", "回去") and frame.action in _MOVING:
                self._direction(frame, token)
                return
            self._close()
            frame = self.frame
        elif frame.action:
            self.index += 1
            return
        if action == "go" and token.text in ("来", "去") and self._is_auxiliary():
            self.index += 1
            return
        frame.action, frame.verb = action, token.text
        if frame.theme is not None and frame.theme.kind == "place" and action != "go":
            frame.where, frame.theme = frame.where or frame.theme, None
        self.index += 1
        if action in ("tell", "ask"):
            self._speech(frame)
        elif action == "go":
            self._go(frame)

    def _is_auxiliary(self) -> bool:
        """Tell 「去拿」 (go and) from 「去厨房」."""
        return self._at(1).has("verb") and not self._at(1).has("object", "room", "placement")

    def _complements(self, frame: _Frame, token: Token, action: str) -> bool:
        """Tell a second verb that only completes the first: 「拿起来」「找到」."""
        if token.plays("complement") and token.text in ("起来", "走", "好", "住", "完", "看", "一看", "一下"):
            return True
        return frame.action == "find" and frame.theme is None and action == "find"

    def _direction(self, frame: _Frame, token: Token) -> None:
        """Read 「拿过来」「带过去」, with a place after it when there is one."""
        place = self.nouns.read(self.index + 1)
        self.index += 1
        if place is not None and place[0].kind == "place":
            frame.goal, self.index = place
        elif token.text in ("过来", "来", "回来") and frame.action in ("bring", "take", "put"):
            frame.action = "bring"
            frame.recipient = frame.recipient or Referent("person", text="我", pronoun="me", definite=True)
        elif token.text in ("过来", "来", "回来") and frame.action in ("guide", "go"):
            frame.goal = frame.goal or Referent("place", text=token.text, pronoun="back", definite=True)

    def _go(self, frame: _Frame) -> None:
        if frame.verb in ("过来", "来", "回来", "返回", "回去") and not self._at().has("room", "placement") and not self._at().plays("me", "here"):
            if frame.goal is None and not self._at().has("verb"):
                frame.goal = Referent("place", text=frame.verb, pronoun="back", definite=True)
                return
        found = self.nouns.read(self.index)
        if found is None:
            return
        referent, end = found
        if referent.kind == "place":
            frame.goal = referent
        elif referent.kind == "person":
            if referent.pronoun == "me" and self.nouns.at(end).plays("here", "near", "inside"):
                end += 1
            if referent.pronoun == "me":
                frame.goal = Referent("place", text=referent.text, pronoun="back", definite=True)
            else:
                frame.theme = referent
                while self.nouns.at(end).plays("near", "here", "there"):
                    end += 1
        elif referent.unknown:
            frame.goal = replace(referent, kind="place")
        else:
            return
        self.index = end

    def _speech(self, frame: _Frame) -> None:
        """Read what is said or asked, and to whom."""
        while self._at().plays("mood", "times") and not self._at().has("polite") or self._at().text in ("一下", "一声", "给"):
            self.index += 1
        found = self.nouns.read(self.index)
        if found is not None and found[0].kind == "person" and not self._segment_question(found[1]):
            end = found[1]
            if not (self.nouns.at(end).plays("de") and self.nouns.at(end + 1).has("attribute")):
                frame.recipient = frame.recipient or found[0]
                self.index = end
        if self._at().text == "," and frame.recipient is not None:
            self.index += 1
        if self._at().plays("number") and self._at(1).plays("measure") and self._at(2).has("topic"):
            frame.repeat = chinese_number(self._at().text) or 1
            self.index += 2
        if self._repetition(self._at()):
            pass
        if self._question(self._at()):
            return
        token = self._at()
        if token.plays("question"):
            frame.text = token.text
            self.index += 1
            return
        if token.plays("quote"):
            frame.topic, frame.text = "free", token.text
            self.index += 1
            return
        if token.has("topic"):
            frame.topic = token.value("topic")
            self.index += 1
            return
        if frame.action == "ask" and token.has("attribute") or (token.plays("pron") and self._at(2).has("attribute")):
            offset = 0 if token.has("attribute") else 2
            frame.topic, frame.attribute = "attribute", self._at(offset).value("attribute")
            self.index += offset + 1
            return
        if frame.topic or self._told_noun(frame):
            return
        self._free(frame)

    def _told_noun(self, frame: _Frame) -> bool:
        """Read 「告诉我办公室里的人的姿势」「告诉我沙发上最大的东西」."""
        found = self.nouns.read(self.index)
        if found is None:
            return False
        referent, end = found
        if self.nouns.at(end).plays("de") and self.nouns.at(end + 1).has("attribute"):
            frame.topic, frame.attribute, frame.theme = "attribute", self.nouns.at(end + 1).value("attribute"), referent
            self.index = end + 2
            return True
        if referent.superlative and frame.action == "tell":
            frame.topic, frame.theme, self.index = "property", referent, end
            return True
        return False

    def _segment_question(self, index: int) -> bool:
        """Tell whether the rest of the clause after ``index`` is a question about what stands before it."""
        while index < len(self.tokens) and not self.nouns.at(index).plays("punct"):
            if self.nouns.at(index).plays("de") and self.nouns.at(index + 1).has("attribute"):
                return True
            index += 1
            break
        return False

    def _free(self, frame: _Frame) -> None:
        """Take the words up to the end of the clause as what is to be said."""
        words: list[str] = []
        position = self.index
        while position < len(self.tokens):
            token = self.nouns.at(position)
            if token.plays("punct") or (token.plays("conj") and len(token.text) > 1) or token.text in ("并", "再"):
                break
            if token.plays("number") and self.nouns.at(position + 1).plays("times"):
                break
            words.append(token.text)
            position += 1
        if words:
            frame.text = "".join(words)
            frame.topic = frame.topic or ("free" if frame.action == "tell" else "")
            self.index = position

    # -- arguments -----------------------------------------------------------------------------------------

    def _ba(self) -> None:
        if self.frame.action:
            self._close()
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is None:
            return
        self.frame.theme, self.index = found
        if self._at().plays("de") and self._at(1).has("attribute"):
            self.frame.topic, self.frame.attribute = "attribute", self._at(1).value("attribute")
            self.index += 2
        while self._at().plays("noun_and") or self._at().text == ",":
            more = self.nouns.read(self.index + 1)
            if more is None or more[0].kind != "object":
                break
            self.frame.more = (*self.frame.more, more[0])
            self.index = more[1]

    def _from(self) -> None:
        if self.frame.action and self.frame.source is not None:
            self._close()
        elif self.frame.action == "go":
            self._close()
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is not None and found[0].kind in ("place", "person"):
            if found[0].pronoun in ("me", "back"):
                self.index = found[1]
                return
            self.frame.source, self.index = found

    def _give(self, token: Token) -> bool:
        """Read 「给我」「给简」 as the one who gets it."""
        if not token.plays("give") and not (token.has("verb") and token.value("verb") == "bring" and token.text.endswith("给")):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person":
            return False
        frame = self.frame
        if frame.action == "tell" or frame.action == "go":
            self._close()
            frame = self.frame
        if frame.action and frame.recipient is not None and frame.action != "bring":
            self._close()
            frame = self.frame
        frame.recipient, self.index = found
        location = self._at()
        if not frame.action and (frame.theme is not None or not self._more_verb()):
            frame.action, frame.verb = "bring", token.text
        elif frame.action in ("take", "find", "put", "missing:pour"):
            if frame.action == "find" and frame.theme is not None:
                theme = frame.theme
                recipient = frame.recipient
                frame.recipient = None
                self._close()
                self.frame.action, self.frame.verb, self.frame.recipient = "bring", token.text, recipient
                self.frame.theme = replace(theme, pronoun="it", at=None) if theme.kind == "object" else None
            elif frame.action in ("take", "put"):
                frame.action = "bring"
        _ = location
        return True

    def _more_verb(self) -> bool:
        """Tell whether a verb follows in this clause."""
        position = self.index
        while position < len(self.tokens) and not self.nouns.at(position).plays("punct", "conj"):
            if self.nouns.at(position).has("verb") and not self._noun_use(self.nouns.at(position)):
                return True
            position += 1
        return False

    def _to(self, token: Token) -> bool:
        """Read 「到厨房」「去厨房」 after the verb as where it ends."""
        frame = self.frame
        if not token.plays("to") or not frame.action or frame.action not in ("bring", "take", "put", "guide", "follow"):
            if token.plays("to") and not frame.action and (frame.source is not None or frame.theme is not None) and not token.plays("complement"):
                return False
            return False
        found = self.nouns.read(self.index + 1)
        if found is None:
            return False
        referent, end = found
        if referent.kind == "place":
            if frame.goal is not None:
                return False
            frame.goal, self.index = referent, end
            return True
        if referent.kind == "person" and frame.action in ("bring", "take", "put"):
            frame.recipient, self.index = referent, end
            while self._at().plays("near", "here", "there"):
                self.index += 1
            return True
        if referent.pronoun == "me" or (referent.kind == "person" and frame.action == "guide"):
            frame.goal = referent
            self.index = end
            while self._at().plays("near", "here", "there"):
                self.index += 1
            return True
        if referent.unknown:
            frame.goal, self.index = replace(referent, kind="place"), end
            return True
        return False

    def _toward(self, token: Token) -> bool:
        """Read 「对简」「跟他」 as the one who is spoken to."""
        if not token.plays("toward", "with") or (token.has("verb") and token.value("verb") == "follow" and not self._speech_follows()):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person":
            return False
        if self.frame.action:
            self._close()
        self.frame.recipient, self.index = found
        if self._at().plays("near"):
            self.index += 1
        return True

    def _speech_follows(self) -> bool:
        found = self.nouns.read(self.index + 1)
        if found is None:
            return False
        position = found[1]
        while self.nouns.at(position).has("polite") and not self.nouns.at(position).has("verb"):
            position += 1
        token = self.nouns.at(position)
        return token.has("verb") and token.value("verb") in ("tell", "greet", "ask", "answer", "meet", "introduce")

    def _located(self, token: Token) -> bool:
        """Read 「在厨房」 before or after the verb."""
        if not token.plays("at") or (token.value("verb") == "put" and self.frame.theme is not None):
            return False
        found = self.nouns.place(self.index + 1)
        noun = self.nouns.read(self.index + 1)
        if noun is not None and noun[0].kind != "place":
            # 「在厨房里的人」 is a noun phrase.
            whole = self.nouns.read(self.index)
            if whole is not None and whole[0].kind != "place" and self.nouns.at((found or noun)[1]).plays("de"):
                return False
        if found is None:
            self.index += 1
            return True
        place, end = found
        frame = self.frame
        if self.nouns.at(end).plays("de") and noun is not None and noun[0].kind != "place":
            return False
        self.index = end
        if frame.action == "put":
            frame.goal = place
        elif frame.action in ("guide", "follow") and frame.theme is not None and frame.theme.at is None:
            frame.theme = replace(frame.theme, at=place)
        elif frame.action and frame.theme is not None and frame.theme.at is None and frame.action != "go":
            frame.theme = replace(frame.theme, at=place)
        elif frame.action and frame.recipient is not None and frame.recipient.at is None and frame.recipient.pronoun != "me":
            frame.recipient = replace(frame.recipient, at=place)
        elif not frame.action and frame.theme is not None and frame.theme.kind == "person" and frame.theme.at is None:
            frame.theme = replace(frame.theme, at=place)
        elif frame.action == "go" and frame.goal is not None:
            self._close()
            self.frame.where = place
        else:
            frame.where = place
        return True

    def _topic(self, token: Token) -> bool:
        frame = self.frame
        if frame.action in ("greet", "introduce") or token.has("verb") and not frame.action:
            return False
        if not frame.action or frame.action in ("tell", "ask", "answer"):
            frame.topic = token.value("topic")
            if not frame.action:
                frame.asked = True
                frame.action = "tell"
            self.index += 1
            return True
        self.index += 1
        return True

    def _noun(self, token: Token) -> bool:
        found = self.nouns.read(self.index)
        if found is None or found[1] == self.index:
            return False
        referent, end = found
        frame = self.frame
        if referent.pronoun == "me" and not frame.action and self.nouns.at(end).text in _FEELINGS:
            while self.index < len(self.tokens) and not self._at().plays("punct"):
                self.index += 1
            return True
        if referent.kind == "person" and not frame.action and self.nouns.at(end).text in _WANTING:
            wanted = self.nouns.read(end + 1)
            if wanted is not None and wanted[0].kind == "object" and not wanted[0].unknown:
                self.fragment.extend((wanted[0], referent))
                self.index = wanted[1]
                return True
        if referent.unknown and not frame.action:
            # Unknown words before any verb are not taken for things.
            return False
        if frame.action == "answer" and self.nouns.at(end).plays("de") and self.nouns.at(end + 1).plays("question"):
            frame.recipient = referent
            frame.text = self.nouns.at(end + 1).text
            self.index = end + 2
            return True
        self.index = end
        if self._at().plays("de") and self._at(1).has("attribute"):
            frame.theme = referent
            frame.topic, frame.attribute = "attribute", self._at(1).value("attribute")
            if frame.action in ("", "find"):
                frame.action = "tell"
            self.index += 2
            return True
        self._assign(frame, referent)
        return True

    def _assign(self, frame: _Frame, referent: Referent) -> None:
        if referent.kind == "place":
            if frame.action in ("go",) and frame.goal is None:
                frame.goal = referent
            elif frame.action in ("put", "bring", "guide", "follow") and frame.theme is not None and frame.goal is None:
                frame.goal = referent
            elif frame.action == "put" and frame.goal is None:
                frame.goal = referent
            elif frame.action in ("guide", "bring") and frame.goal is None:
                frame.goal = referent
            elif frame.action in ("find", "count") and frame.theme is None:
                frame.theme = referent
            else:
                frame.where = referent
            return
        if frame.action in ("tell", "ask", "greet", "answer") and referent.kind == "person" and frame.recipient is None:
            frame.recipient = referent
            return
        if frame.action == "bring" and referent.kind == "person" and frame.recipient is None and not frame.verb.startswith(("带",)):
            frame.recipient = referent
            return
        if frame.theme is None:
            frame.theme = referent
        elif frame.action and frame.theme.kind != referent.kind and frame.recipient is None and referent.kind == "person":
            frame.recipient = referent
        else:
            if frame.action == "" and frame.theme.kind == "person":
                frame.recipient, frame.theme = frame.theme, referent
            else:
                frame.more = (*frame.more, referent)

    def _repetition(self, token: Token) -> bool:
        if token.plays("number") and self._at(1).plays("times"):
            number = chinese_number(token.text)
            if number is not None:
                target = self.frame
                if not target.action and self.clauses:
                    self.clauses[-1] = replace(self.clauses[-1], repeat=number)
                else:
                    target.repeat = number
                self.index += 2
                return True
        return False

    def _duration(self, token: Token) -> bool:
        if not token.plays("number", "half"):
            return False
        unit = self._at(1)
        half = 0.0
        offset = 2
        if unit.plays("measure") and self._at(2).plays("hours"):
            unit, offset = self._at(2), 3
        if not unit.plays("seconds", "minutes", "hours") or unit.text == "分" and False:
            return False
        if token.plays("half"):
            number: float | None = 0.5
        else:
            number = float(token.text) if token.text.replace(".", "").isdigit() else chinese_number(token.text)
        if number is None:
            return False
        if self._at(offset).plays("half"):
            half = 0.5
            offset += 2 if self._at(offset + 1).text in ("钟", "分钟") else 1
        scale = 3600.0 if unit.plays("hours") else 60.0 if unit.plays("minutes") else 1.0
        self.frame.seconds = (number + half) * scale
        if not self.frame.action:
            self.frame.action, self.frame.verb = "wait", "等"
        self.index += offset
        return True

    # -- negation, correction, condition -------------------------------------------------------------------

    def _negation(self) -> bool:
        position = self.index + 1
        while self.nouns.at(position).has("polite") and not self.nouns.at(position).has("verb") or self.nouns.at(position).plays("not"):
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
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is None:
            return
        referent, self.index = found
        if referent.colour:
            self._excluded = (*getattr(self, "_excluded", ()), referent.colour)
        while self._at().plays("punct") or self._at().text in ("而是", "而", "是"):
            self.index += 1

    _excluded: tuple[str, ...] = ()

    def _lift_exclusions(self) -> None:
        if not self._excluded:
            return
        for number, clause in enumerate(self.clauses):
            if clause.theme is not None and clause.theme.kind == "object" and not clause.theme.colour:
                self.clauses[number] = replace(clause, theme=replace(clause.theme, excluded=self._excluded))
        if not self.clauses and not self.fragment:
            self.fragment.append(Referent("object", text="不是" + "".join(self._excluded), definite=True, excluded=self._excluded))

    def _except(self) -> None:
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is not None:
            self.index = found[1]
            if self._at().text in ("以外", "之外", "外"):
                self.index += 1
            self.leftover.append(self.tokens[found[1] - 1].text)

    def _repair(self) -> None:
        while self._at().plays("correct", "punct", "be", "mood"):
            self.index += 1
        found = self.nouns.read(self.index)
        if found is None or self._at().has("verb"):
            if self.frame.action:
                self.frame = _Frame()
            elif self.clauses:
                self.clauses.pop()
            return
        referent, self.index = found
        if self.frame.action:
            self._close()
        if self.clauses:
            self.clauses[-1] = replace_referent(self.clauses[-1], referent)
        elif self.fragment:
            self.fragment[-1] = merge_referent(self.fragment[-1], referent)

    def _condition_here(self) -> bool:
        """Read a condition that starts here; False when the word was not meant so."""
        token = self._at()
        if token.text in ("当", "若", "如") and not self._at(1).senses and not self._at(1).roles:
            return False
        self._close()
        start = self.index
        end = self.index + 1
        while end < len(self.tokens) and not (self.nouns.at(end).plays("punct") or (self.nouns.at(end).plays("then") and self.nouns.at(end).text != "时")):
            end += 1
        condition = self._read_condition(start + 1, end)
        negated = token.plays("unless")
        text = "".join(t.text for t in self.tokens[start:end])
        self.condition = replace(condition, negated=condition.negated != negated, text=text)
        self.last_condition = self.condition
        self.index = end
        while self._at().plays("punct", "then"):
            self.index += 1
        return True

    def _read_condition(self, index: int, end: int) -> Condition:
        tokens = self.tokens[index:end]
        if any(t.plays("able") for t in tokens) or all(t.text in ("没有", "没", "找不到", "了") for t in tokens):
            return Condition("failed")
        if any(t.plays("battery") for t in tokens):
            return _battery(tokens)
        seen = next((i for i in range(index, end) if self.nouns.at(i).plays("see") or self.nouns.at(i).value("verb") == "find" or self.nouns.at(i).value("verb") == "meet"), None)
        if seen is not None:
            found = self.nouns.read(seen + 1)
            if found is not None:
                place = self._condition_place(index, seen)
                negated = any(t.plays("have_not") or t.text in ("没", "没有", "不") for t in self.tokens[index:seen])
                return Condition("exists", subject=found[0], where=place, negated=negated)
        for position in range(index, end):
            if self.nouns.at(position).plays("door"):
                return self._door(index, position, end)
        return self._existence(index, end)

    def _condition_place(self, index: int, end: int) -> Referent | None:
        for position in range(index, end):
            place = self.nouns.place(position)
            if place is not None:
                return place[0]
        return None

    def _door(self, index: int, position: int, end: int) -> Condition:
        door = Referent("object", text="门", name="door", definite=True)
        place = self._condition_place(index, position)
        if place is not None:
            door = replace(door, at=place)
        rest = self.tokens[position + 1 : end]
        negated = any(t.text in ("没", "没有", "不", "不是") for t in rest)
        for role, state in _STATES.items():
            if any(t.plays(role) for t in rest):
                return Condition("state", subject=door, state=state, negated=negated)
        return Condition("unknown")

    def _existence(self, index: int, end: int) -> Condition:
        """Read 「厨房里有苹果」「简在客厅」「苹果不在桌上」「客厅没有人」."""
        negated = False
        subject: Referent | None = None
        place: Referent | None = None
        position = index
        while position < end:
            token = self.nouns.at(position)
            if token.plays("have_not") or token.text in ("不", "不在", "没", "没有"):
                negated = True
                position += 1
                continue
            if token.plays("at"):
                found = self.nouns.place(position + 1)
                if found is not None:
                    place, position = found
                    continue
            found = self.nouns.read(position)
            if found is not None and found[1] > position and not found[0].unknown:
                if found[0].kind == "place" and place is None:
                    place = found[0]
                elif subject is None:
                    subject = found[0]
                position = found[1]
                continue
            if subject is not None and subject.kind == "person" and token.has("posture"):
                subject = replace(subject, posture=token.value("posture"))
            if subject is not None and subject.kind == "person" and token.has("gesture"):
                subject = replace(subject, gesture=token.value("gesture"))
            position += 1
        if subject is None:
            return Condition("unknown")
        return Condition("exists", subject=subject, where=place, negated=negated)

    # -- questions -----------------------------------------------------------------------------------------

    def _question(self, token: Token) -> bool:
        """Read a question from here to the end of the clause; True when it is one."""
        end = self.index
        while end < len(self.tokens) and not self.nouns.at(end).plays("punct"):
            if self.nouns.at(end).plays("conj") and self.nouns.at(end).text in ("然后", "接着", "并", "再", "随后", "并且"):
                break
            end += 1
        roles = {role for t in self.tokens[self.index : end] for role in t.roles}
        if not roles & {"howmany", "where", "what", "who", "have_or_not"} and not self._is_yes_no(end):
            return False
        if self.frame.action == "go":
            self._close()
        frame = self.frame
        if not frame.action and self._verb_before_question(end):
            return False
        if frame.action and frame.action not in ("tell", "ask", "count", "find"):
            return False
        if frame.action == "ask" and frame.recipient is not None:
            return False
        if "howmany" in roles:
            return self._how_many(end)
        if "where" in roles:
            return self._where(end)
        if "who" in roles:
            return self._who(end)
        if "what" in roles:
            return self._what(end)
        return self._exists(end)

    def _is_yes_no(self, end: int) -> bool:
        """Tell 「厨房里有苹果吗」."""
        words = self.tokens[self.index : end]
        if not words or self.frame.action in ("tell", "ask") and self.frame.text:
            return False
        asking = any(t.text in ("吗", "么") for t in words) or words[-1].text in ("没有", "没") or any(
            t.text in ("是不是", "是否", "有没有") for t in words
        )
        about = any(t.plays("have", "door", "at") or t.has("posture", "gesture") for t in words)
        return asking and about

    def _verb_before_question(self, end: int) -> bool:
        """Tell whether a verb other than those of speech stands between here and the end of the clause."""
        for position in range(self.index, end):
            token = self.nouns.at(position)
            if token.plays("howmany", "where", "what", "who"):
                return False
            if token.has("verb") and not self._noun_use(token) and not token.plays("see", "where", "wear"):
                return True
        return False

    def _asking(self, topic: str) -> _Frame:
        frame = self.frame
        if not frame.action or frame.action == "find":
            frame.asked = not frame.action
            frame.action = "tell"
        frame.topic = topic
        return frame

    def _describe_all(self, end: int) -> tuple[Referent | None, Referent | None, Token | None]:
        """Collect what the question is about between here and ``end``: the subject, a place, an attribute."""
        subject: Referent | None = self.frame.theme if self.frame.theme is not None and self.frame.theme.kind != "place" else None
        place: Referent | None = self.frame.where
        attribute: Token | None = None
        position = self.index
        while position < end:
            token = self.nouns.at(position)
            if token.plays("at") and (found := self.nouns.place(position + 1)) is not None and not self.nouns.at(found[1]).plays("de"):
                place, position = found
                continue
            if token.has("attribute") and not token.has("verb"):
                attribute = token
                position += 1
                continue
            if token.has("room", "placement"):
                spot = self.nouns.place(position)
                if spot is not None and not self.nouns.at(spot[1]).plays("de"):
                    place, position = place or spot[0], spot[1]
                    continue
            if token.plays("wear"):
                garment = self.nouns._garment(subject or Referent("person", text="人"), position)
                if garment is not None:
                    subject, position = replace(garment[0], kind="person"), garment[1]
                    continue
                if self.nouns.at(position + 1).plays("what"):
                    attribute = token
            if token.has("posture", "gesture") and not self.nouns._before_person(position + 1):
                kind = "posture" if token.has("posture") else "gesture"
                subject = replace(subject or Referent("person", text="人"), kind="person", **{kind: token.value(kind)})  # type: ignore[arg-type]
                position += 1
                continue
            if token.has("superlative") and subject is not None:
                subject = replace(subject, superlative=token.value("superlative"))
                position += 1
                continue
            if token.plays("me", "you") or (token.plays("pron") and self.nouns.at(position + 1).plays("howmany")):
                position += 1
                continue
            found = None if token.plays("howmany", "what", "where", "who", "be", "have", "mood") else self.nouns.read(position)
            if found is not None and found[1] > position and not found[0].unknown:
                referent, position = found
                if referent.kind == "place":
                    place = place or referent
                elif subject is None or (subject.is_bare() and not referent.is_bare()) or not subject.text:
                    at = subject.at if subject is not None else None
                    subject = replace(referent, at=referent.at or at)
                continue
            if not token.roles and not token.senses:
                self.leftover.append(token.text)
            position += 1
        return subject, place, attribute

    def _how_many(self, end: int) -> bool:
        number = next((t.text for t in self.tokens[self.index : end] if t.plays("howmany")), "")
        if number in ("几", "几个") and self.frame.action in ("find",):
            return False
        subject, place, _ = self._describe_all(end)
        if subject is None:
            subject = Referent("person", text="人") if number in ("几位", "人数", "多少位") else None
        if subject is None:
            return False
        frame = self._asking("count")
        frame.theme = replace(subject, plural=True)
        frame.where = place
        self.index = end
        return True

    def _where(self, end: int) -> bool:
        subject, place, _ = self._describe_all(end)
        if subject is None:
            if place is None:
                return False
            subject = place
        frame = self._asking("where")
        frame.theme, frame.where = subject, None
        self.index = end
        return True

    def _who(self, end: int) -> bool:
        subject, place, _ = self._describe_all(end)
        frame = self._asking("attribute")
        frame.attribute = "name"
        frame.theme = subject if subject is not None and subject.kind == "person" else Referent("person", text="人")
        frame.where = place
        self.index = end
        return True

    def _what(self, end: int) -> bool:
        words = self.tokens[self.index : end]
        topic = next((t for t in words if t.has("topic")), None)
        if topic is not None:
            frame = self._asking(topic.value("topic"))
            self.index = end
            return True
        subject, place, attribute = self._describe_all(end)
        if attribute is not None:
            frame = self._asking("attribute")
            frame.attribute = "clothes" if attribute.plays("wear") else attribute.value("attribute")
            frame.theme = subject or Referent("person", text="人")
            frame.where = place
            self.index = end
            return True
        if any(t.plays("named") for t in words) and subject is not None and subject.kind == "person":
            frame = self._asking("attribute")
            frame.attribute, frame.theme, frame.where = "name", subject, place
            self.index = end
            return True
        if subject is None and place is None and not any(t.plays("have") for t in words):
            return False
        frame = self._asking("property")
        frame.theme = subject or Referent("object", text="东西", plural=True)
        frame.where = place
        self.index = end
        return True

    def _exists(self, end: int) -> bool:
        for position in range(self.index, end):
            if self.nouns.at(position).plays("door"):
                return self._door_question(position, end)
        posed = next((t for t in self.tokens[self.index : end] if t.has("posture", "gesture")), None)
        subject, place, _ = self._describe_all(end)
        if subject is None:
            return False
        if posed is not None and subject.kind == "person" and (subject.name or place is not None):
            frame = self._asking("attribute")
            frame.attribute = "pose" if posed.has("posture") else "gesture"
            frame.theme, frame.where, self.index = replace(subject, posture="", gesture=""), place, end
            return True
        frame = self._asking("exists")
        frame.theme, frame.where = subject, place
        self.index = end
        return True

    def _door_question(self, position: int, end: int) -> bool:
        """Read 「门开着吗」."""
        condition = self._door(self.index, position, end)
        if condition.kind != "state":
            return False
        frame = self._asking("state")
        frame.theme, frame.text, self.index = condition.subject, condition.state, end
        return True


def _battery(tokens: list[Token]) -> Condition:
    op = "<" if any(t.plays("less") for t in tokens) else ">" if any(t.plays("more") for t in tokens) else ""
    number = next((t.text for t in tokens if t.plays("number")), "")
    value = float(number) if number.replace(".", "").isdigit() else chinese_number(number) if number else None
    if op and value is not None:
        return Condition("fact", fact="battery.percent", op=op, value=float(value))
    if op == "<":
        return Condition("fact", fact="battery.percent", op="<", value=20.0)
    return Condition("unknown")


_FEELINGS = frozenset(("渴", "饿", "累", "困", "冷", "热", "口渴", "好渴", "好饿", "有点渴", "有点饿", "很渴", "很饿"))
_WANTING = frozenset(("我想要", "我要", "想要", "我想", "我需要", "需要", "要", "我希望", "来"))
_FAVOUR = frozenset(("帮我", "替我", "为我", "帮忙", "帮个忙"))
_TOWARDS_ME = frozenset(("拿来", "拿过来", "带来", "送来", "取来", "递来", "端来", "拿个", "给"))
