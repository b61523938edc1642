"""Chinese instructions: sentences with several clauses, corrections and statements."""

from __future__ import annotations

import re
from dataclasses import replace

from zulong.agent.language.chinese_account import unaccounted
from zulong.agent.language.chinese_completion import ChineseCompletion
from zulong.agent.language.chinese_cursor import Frame
from zulong.agent.language.meaning import Clause, Meaning, Referent
from zulong.agent.language.merge import (
    with_antecedents,
    without_bare_reports,
    without_idle_moves,
)
from zulong.agent.language.tokens import Token

_WHETHER = re.compile(r"(?:了|过)(?:吗|么|没|没有)[？?。！!]*$")
"""How a question about what was done ends: it is no order to do it."""
_DOUBLE_DENIAL = re.compile(r"(?:不|没)[^，。,.！!？?]{1,12}就(?:别|不要|不许|不准|不能)")
_DEVICES = frozenset(("lamp", "desk lamp", "stove", "microwave", "washing machine", "dishwasher", "tv stand"))


_COMES_BACK = re.compile(
    r"(?:回来|回头|过来|回我这儿?|回我这里)(?:再|就|后|之后)?(?:告诉|跟|向|给|和|汇报|报告|说|通知|回)"
)
_OR_ELSE = re.compile(r"(?:要不|或者)[^，。]{1,8}也(?:行|可以|成)")
_BROKEN_OFF = re.compile(r"(?<!拿)(?<!递)(?<!送)(?<!交)[给把和跟往从向对]$")
"""A sentence that ends so was not said to its end."""


class ChineseReader(ChineseCompletion):
    """Reads one instruction; make a new one for each."""

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
        self.leftover.extend(self.nouns.unweighed.values())
        if _OR_ELSE.search(self.text):
            self.leftover.append("要不")
        if _BROKEN_OFF.search(self.text.strip()):
            self.leftover.append(self.text.strip()[-1] + "……")
        if _DOUBLE_DENIAL.search(self.text):
            self.leftover.append("就别")
        whether = _WHETHER.search(self.text.strip())
        if whether and self.clauses and self.clauses[-1].action not in ("tell", "ask"):
            self.leftover.append(whether.group(0).rstrip("？?。！!"))
        self.clauses.extend(self.deferred)
        self._complete()
        self.clauses = [
            clause
            for number, clause in enumerate(self.clauses)
            # 「回充电桩充电」: being there is all.
            if clause.action != "charge" or not number or not _at_the_dock(self.clauses[number - 1])
        ]
        self._loose_ends()
        self.clauses = without_bare_reports(without_idle_moves(self.clauses))
        self.clauses, self.fragment = with_antecedents(self.clauses, self.fragment)
        self.clauses = [self._brought_back(clause) for clause in self.clauses]
        if self.called_off and not self.clauses:
            return Meaning((), "zh", self.text, correction=True, affirmation=False)
        self._account()
        return Meaning(
            clauses=tuple(self.clauses), language="zh", text=self.text, correction=correction,
            fragment=tuple(self.fragment), affirmation=affirmation,
            leftover=tuple(word for word in self.leftover if word.strip()),
        )  # fmt: skip

    def _brought_back(self, clause: Clause) -> Clause:
        """Keep 「回来」 of 「看看门开着没有，回来告诉我」, where nothing else says that one comes back."""
        told = clause.action == "tell" and clause.recipient is not None and clause.recipient.pronoun == "me"
        about = clause.topic == "state" or (clause.condition is not None and clause.condition.kind == "state")
        if not (told and about and clause.goal is None and _COMES_BACK.search(self.text)):
            return clause
        return replace(clause, goal=Referent("place", text="回来", pronoun="back", definite=True))

    def _loose_ends(self) -> None:
        """See to a condition and to a denial at the end, which say how what stands before them is meant."""
        condition = self.condition
        if condition is not None and self.clauses and all(c.condition != condition for c in self.clauses):
            if len(self.clauses) == 1 and self.clauses[0].condition is None:
                # 「给我拿个苹果，如果厨房里有的话」
                self.clauses = [replace(self.clauses[0], condition=condition)]
            else:
                self.leftover.append(condition.text)
        last = self.clauses[-1] if len(self.clauses) > 1 else None
        if last is not None and last.negated and not (any(last.referents()) or last.text or last.topic):
            before = self.clauses[-2]
            if before.goal is None or before.goal.pronoun != "back":
                # 「拿一下刀，别去」
                self.leftover.append("别" + last.verb)

    def _account(self) -> None:
        """Put the words that did not reach the meaning to those that were not understood."""
        conditions = [self.last_condition] if self.last_condition is not None else []
        for word in unaccounted(self.tokens, self.clauses, self.fragment, conditions, self.settled):
            if not any(word in other for other in self.leftover):
                self.leftover.append(word)

    def _opening(self) -> tuple[bool | None, bool]:
        rest = [t for t in self.tokens if not t.plays("punct", "mood")]
        if (
            rest
            and all(t.plays("yes") or (t.has("polite") and not t.plays("no")) for t in rest)
            and any(t.plays("yes") for t in rest)
        ):
            self.index = len(self.tokens)
            return True, False
        if rest and all(t.plays("no") or t.has("polite") for t in rest) and any(t.plays("no") for t in rest):
            self.index = len(self.tokens)
            return False, True
        first = self._at()
        if (
            (first.plays("correct") and not first.plays("conj"))
            or (first.plays("no") and self._at(1).plays("punct"))
            or first.plays("not_be")
        ):
            correction_end = self.index
            while self._at().plays("correct", "punct", "mood", "be") or (
                self._at().plays("no") and self._at(1).plays("punct")
            ):
                self.index += 1
            if self.index > correction_end or first.plays("not_be"):
                return None, True
        return None, False

    def _step(self) -> None:
        token = self._at()
        readings = (
            self._mark,
            self._answered,
            self._conditional,
            self._otherwise,
            self._called_off,
            self._turned,
            self._question,
            self._at_an_hour,
            self._denied_or_handled,
            self._argument,
            self._content,
        )
        if not any(read(token) for read in readings):
            self._filler(token)

    def _mark(self, token: Token) -> bool:
        """Read punctuation and words in quotation marks."""
        if (token.text == "、" or token.plays("noun_and")) and self._next_place():
            return True
        if token.plays("punct"):
            self._punctuation(token)
            return True
        if not token.plays("quote"):
            return False
        self.frame.text = token.text
        if self.frame.action in ("tell", "ask", "greet", ""):
            self.frame.action = self.frame.action if self.frame.action in ("tell", "ask") else "tell"
            self.frame.topic = "free" if self.frame.action == "tell" else self.frame.topic
        self.index += 1
        return True

    def _otherwise(self, token: Token) -> bool:
        """Read 「直到她停下」, 「否则」 and 「没有的话」."""
        if token.plays("until") and (self._at(1).plays("pron") or self._at(1).has("person")):
            # Following ends so by itself.
            while self.index < len(self.tokens) and not self._at().plays("punct"):
                self.settled.add(self.index)
                self.index += 1
            return True
        if not token.plays("else"):
            return False
        if self._without_it(token):
            return True
        self._close()
        self.index += 1
        if self.last_condition is None:
            self.leftover.append(token.text)
        else:
            negated = not self.last_condition.negated
            self.condition = replace(self.last_condition, negated=negated, text="否则")
        return True

    def _called_off(self, token: Token) -> bool:
        """Read 「算了」, after which nothing of what was said before is to be done."""
        hangs = self.condition is not None and not self._at(-1).plays("punct")
        if token.plays("cancel") and (hangs or self._if_none() or self._if_not_found()):
            # 「如果有就……，没有就算了」: nothing else is to be done.
            self._close()
            self._settle_segment()
        elif token.text == "没事了" and not self.frame.action and self._went_back():
            # 「回来吧，没事了」: why to come back.
            self.settled.add(self.index)
        elif token.plays("cancel") and self._at(-1).text == "就" and token.text.startswith("算"):
            # 「没空就算了」: what that hangs on was not understood.
            self.leftover.append("就" + token.text)
        elif token.plays("cancel") and (self.clauses or self.frame.action or self.fragment):
            self.settled.update(range(self.index + 1))
            self.clauses, self.fragment, self.leftover, self.frame = [], [], [], Frame()
            self.called_off = True
        else:
            return False
        self.index += 1
        return True

    def _turned(self, token: Token) -> bool:
        """Read what turns the sentence: 「或者」, 「叫……来」, 「之前」, 「不是」, 「不对」."""
        if token.plays("or") or (token.text == "还是" and self.frame.action):
            self.leftover.append(token.text)
            self.index += 1
        elif token.plays("have_do") and self._have_do():
            pass
        elif token.plays("before") and self.frame.action:
            self._close()
            self.deferred.append(self.clauses.pop())
            self.index += 1
        elif token.plays("not_be"):
            self._exclusion()
        elif token.plays("correct") and (self.clauses or self.frame.action) and token.text != "还是":
            self._repair()
        else:
            return False
        return True

    def _denied_or_handled(self, token: Token) -> bool:
        """Read 「除了」, 「别」, 「把」, how often, how long, and 「从」."""
        if token.plays("except"):
            self._except()
        elif token.plays("not") and (self._negation() or self._unwanted(token)):
            pass
        elif token.plays("ba"):
            self._ba()
        elif self._repetition(token) or self._duration(token):
            pass
        elif token.plays("apart"):
            self.frame.apart = True
            self.index += 1
        elif token.plays("from"):
            self._from()
        else:
            return False
        return True

    def _argument(self, token: Token) -> bool:
        return (
            self._for(token)
            or self._give(token)
            or self._to(token)
            or self._toward(token)
            or self._located(token)
        )

    def _content(self, token: Token) -> bool:
        """Read verbs, topics, things and what joins them."""
        if token.has("danger") or (token.has("verb") and not self._noun_use(token)):
            self._verb(token)
        elif token.has("topic") and self._topic(token):
            pass
        elif token.plays("conj", "while") and not self._joins(token):
            self._connector(token)
        elif token.plays("noun_and") and self._joins(token):
            self._and_noun()
        elif self.frame.handled and not self.frame.action and token.plays("open", "closed"):
            # 「把灯关了」
            device = self.frame.theme is not None and self.frame.theme.name in _DEVICES
            self.frame.action = "missing:switch" if device else "missing:open"
            self.frame.verb = token.text
            self.index += 1
        else:
            return self._noun(token)
        return True

    def _if_not_found(self) -> bool:
        """Tell whether 「找不到就」 stands before 「算了」."""
        return bool(self.clauses) and self._at(-1).text == "就" and self._at(-2).plays("able")

    def _if_none(self) -> bool:
        """Tell whether 「没有就」 stands before 「算了」 after a question."""
        asked = self.clauses[-1] if self.clauses else None
        before = [self._at(offset).text for offset in (-1, -2)]
        return (
            asked is not None
            and bool(asked.topic)
            and before[0] == "就"
            and before[1] in ("没有", "不在", "没")
        )

    def _at_an_hour(self, token: Token) -> bool:
        """Read 「五点去厨房」「一点半叫我」: nothing can be done at an hour that is to come."""
        hour = token.plays("number") and self._at(1).text in ("点", "点钟", "点半", "点整", "一刻")
        if not hour and not (token.text in ("一点", "一点钟") and self._at(1).has("verb")):
            return False
        if self.nouns.read(self.index) is not None and not self._at(2).has("verb"):
            return False
        self._close()
        self.clauses.append(Clause("missing:schedule", verb=token.text + (self._at(1).text if hour else "")))
        self.settled.update((self.index, self.index + 1))
        self.index += 2 if hour else 1
        return True

    def _went_back(self) -> bool:
        last = self.clauses[-1] if self.clauses else None
        return last is not None and last.action == "go" and last.goal is not None and bool(last.goal.pronoun)

    def _conditional(self, token: Token) -> bool:
        opened = token.plays("if", "unless") and not token.has("verb")
        return (opened and self._condition_here()) or self._plain_condition()

    def _filler(self, token: Token) -> None:
        known = (
            token.has("polite", "colour", "size", "attribute", "posture", "gesture", "superlative", "garment")
            or token.roles
        )
        denial = token.plays("not") and not token.has("polite") and not token.plays("yes", "no")
        amount = token.plays("half", "number") and not token.has("polite")
        if self.vocabulary.needs.get(("zh", token.text)):
            # 「有点渴，拿瓶可乐来」: why it is wanted.
            self.settled.add(self.index)
            self.index += 1
            return
        if not known or denial or amount or token.text == "不" or token.plays("have_not"):
            # A denial that was not understood must not get lost.
            self.leftover.append(token.text)
        self.index += 1

    def _punctuation(self, token: Token) -> None:
        if token.text == ".":
            self._close()
            self.condition = None
        elif self.frame.action:
            if not self._list_goes_on():
                self._close()
        elif self.frame.theme is not None and self.frame.theme.pronoun == "me":
            self.frame = Frame()
        elif (
            self.frame.theme is not None
            and self.frame.theme.kind in ("object", "person")
            and not self._list_goes_on()
            and (self.frame.theme.kind == "object" or self._spoken_of_again())
        ):
            self._close()
        self.index += 1

    def _next_place(self) -> bool:
        """Read 「去厨房、客厅和卧室」: one after the other."""
        if self.frame.action != "go" or self.frame.goal is None or self.frame.goal.pronoun:
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "place":
            return False
        denied = self.frame.negated
        self._close()
        self.frame.action, self.frame.verb, self.frame.goal, self.frame.negated = "go", "去", found[0], denied
        self.index = found[1]
        return True

    def _spoken_of_again(self) -> bool:
        """Tell whether the person named before the comma is a pronoun after it: 「站着的那位，给他拿瓶水」."""
        return any(
            token.plays("pron") and token.text not in ("它", "它们")
            for token in self.tokens[self.index + 1 :]
        )

    def _list_goes_on(self) -> bool:
        """Tell 「苹果、梨和桃子」 from the end of a clause."""
        if self.frame.theme is None or self.frame.theme.kind != "object":
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "object" or found[0].unknown or found[0].pronoun:
            return False
        given = self.frame.recipient is not None and self._at().text != "、"
        if self.frame.goal is not None or given:
            return False
        if any(found[0].name == named.name != "" for named in (self.frame.theme, *self.frame.more)):
            # 「拿牛奶和橙汁，牛奶给简」: now it is said what becomes of each.
            return False
        after = self.nouns.at(found[1])
        if after.has("verb") and not after.plays("give", "noun_and"):
            return False
        self.frame.more = (*self.frame.more, found[0])
        self.index = found[1] - 1
        return True

    def _connector(self, token: Token) -> None:
        if token.text in ("来", "后", "又", "也") and self.frame.action == "":
            self.index += 1
            return
        if self.frame.handled and self.frame.theme is not None and not self.frame.action:
            # 「把灯……再回来」: what was to be done with it was not understood.
            self.leftover.append(self.frame.theme.text)
            self.frame = Frame()
        if self.frame.action:
            self._close()
        if token.plays("while"):
            self.alongside = bool(self.clauses)
        self.index += 1

    def _joins(self, token: Token) -> bool:
        """Tell whether 「和」 joins two things here."""
        if not token.plays("noun_and") or token.text not in ("和", "以及", "还有", "与", "跟", "及"):
            return False
        if self.frame.theme is None or self.frame.theme.kind == "place":
            return False
        found = self.nouns.read(self.index + 1)
        return (
            found is not None
            and found[0].kind == self.frame.theme.kind
            and not found[0].pronoun
            and not found[0].unknown
        )

    def _and_noun(self) -> None:
        found = self.nouns.read(self.index + 1)
        if found is None:
            self.index += 1
            return
        self.frame.more = (*self.frame.more, found[0])
        self.index = found[1]


def _at_the_dock(clause: Clause) -> bool:
    return clause.action == "go" and clause.goal is not None and clause.goal.pronoun == "start"
