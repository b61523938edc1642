"""Chinese clauses of speech: who is told, asked or called, and the words for them."""

from __future__ import annotations

from zulong.agent.language.chinese_cursor import Frame
from zulong.agent.language.chinese_questions import ChineseQuestions
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token, chinese_number

_REPORTING = frozenset(("报告", "汇报", "列出", "列举", "讲述", "说说", "讲讲"))
_NO_QUESTION = frozenset("一下 一下下 一声 下 声 看 看看 去 吧 呗 一下吧 看吧 去吧 好了".split())  # noqa: SIM905 - shorter than quoted words


class ChineseSpeech(ChineseQuestions):
    """Reads what is said, and to whom."""

    def _have_do(self) -> bool:
        """Read 「叫简过来」: Jane is to be told, it is not the robot who comes."""
        found = self.nouns.read(self.index + 1)
        told = self.frame.theme
        if told is not None and told.pronoun == "me" and self._at().text == "叫":
            # 「我叫简」 tells who speaks.
            while self.index < len(self.tokens) and not self._at().plays("punct"):
                self.settled.add(self.index)
                self.index += 1
            self.frame = Frame()
            return True
        if found is not None and found[0].pronoun == "me" and told is not None and told.kind == "person":
            # 「简让我告诉你……」 is what somebody else wants.
            self.leftover.append(told.text)
        if found is None or found[0].kind != "person" or found[0].pronoun in ("me", "you"):
            return False
        if self._at().text == "请" and not (found[0].name or found[0].pronoun or found[0].at):
            return False
        if self.frame.action:
            self._close()
        self.frame.action, self.frame.verb, self.frame.recipient = "tell", self._at().text, found[0]
        self.index = found[1]
        self._free(self.frame)
        self.frame.topic, self.frame.text = "free", "请" + (self.frame.text or "过来") + "。"
        return True

    def _speech(self, frame: Frame) -> None:
        """Read what is said or asked, and to whom."""
        if frame.verb.endswith("我") and frame.recipient is None:
            # 「告诉我简穿着什么」
            frame.recipient = Referent("person", text="我", pronoun="me", definite=True)
        while (
            self._at().plays("mood", "times")
            and not self._at().has("polite")
            and not self._at(-1).plays("punct")
        ) or self._at().text in (
            "一下",
            "一声",
            "给",
        ):
            self.index += 1
        found = self.nouns.read(self.index)
        addressed = frame.recipient is not None
        if (
            found is not None
            and found[0].kind == "person"
            and not addressed
            and not self._segment_question(found[1])
        ):
            end = found[1]
            if not (self.nouns.at(end).plays("de") and self.nouns.at(end + 1).has("attribute")):
                frame.recipient = frame.recipient or found[0]
                frame.others, self.index = self._listed(end)
        opened = any(f"{frame.verb}{colon}" in self.text for colon in ("：", ":"))
        if self._at().text == "," and (frame.recipient is not None or opened):
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
        if token.has("topic") and self._ends(self.index + 1):
            frame.topic = token.value("topic")
            self.index += 1
            return
        if (frame.action == "ask" and token.has("attribute")) or (
            token.plays("pron") and self._at(2).has("attribute")
        ):
            offset = 0 if token.has("attribute") else 2
            frame.topic, frame.attribute = "attribute", self._at(offset).value("attribute")
            self.index += offset + 1
            return
        if frame.topic or self._told_noun(frame):
            return
        self._free(frame)

    def _ends(self, position: int) -> bool:
        """Tell whether the clause ends here: 「几点」 against 「几点开会」."""
        token = self.nouns.at(position)
        if not token.text or token.plays("punct", "conj", "mood", "noun_and") or token.has("polite", "verb"):
            return True
        return token.plays("give", "to", "times", "number") or self.frame.action != "ask"

    def _told_noun(self, frame: Frame) -> bool:
        """Read 「告诉我办公室里的人的姿势」「告诉我沙发上最大的东西」."""
        found = self.nouns.read(self.index)
        if found is None:
            return False
        referent, end = found
        if self.nouns.at(end).plays("de") and self.nouns.at(end + 1).has("attribute"):
            frame.topic, frame.attribute, frame.theme = (
                "attribute",
                self.nouns.at(end + 1).value("attribute"),
                referent,
            )
            self.index = end + 2
            return True
        listed = referent.kind == "object" and referent.number == -1
        if (referent.superlative or listed) and frame.action == "tell":
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

    def _free(self, frame: Frame) -> None:
        """Take the words up to the end of the clause as what is to be said."""
        if frame.verb.startswith("讲") and self._at().plays("measure") and frame.recipient is None:
            # 「讲个故事」 is not to be repeated word by word.
            self.leftover.append("".join(t.text for t in self.tokens[self.index :]))
            self.index = len(self.tokens)
            return
        if frame.verb in _REPORTING and frame.recipient is None and self._at().text:
            # 「报告一下厨房的情况」 is not to be said word by word.
            self.leftover.append("".join(t.text for t in self.tokens[self.index :]))
        words: list[str] = []
        position = self.index
        while position < len(self.tokens):
            token = self.nouns.at(position)
            if (
                token.plays("punct")
                or (token.plays("conj") and len(token.text) > 1)
                or token.text in ("并", "再")
            ):
                break
            if token.plays("number") and self.nouns.at(position + 1).plays("times"):
                break
            if token.value("verb") == "dangerous":
                # The robot passes no threats on.
                frame.action = "dangerous"
            words.append(token.text)
            position += 1
        me = frame.verb in ("告诉我", "跟我说", "对我说")
        me = me or (frame.recipient is not None and frame.recipient.pronoun == "me")
        if words and frame.action == "tell" and me and self.condition is None:
            # Nobody has his own words told to him: what was asked for was not understood.
            self.leftover.append("".join(words))
        if words and frame.action == "ask" and "".join(words) in _NO_QUESTION:
            # 「去问罗宾一下」: what he is to be asked is not said.
            words, self.index = [], position
        if words:
            frame.text = "".join(words)
            frame.topic = frame.topic or ("free" if frame.action == "tell" else "")
            self.index = position

    def _listed(self, position: int) -> tuple[tuple[Referent, ...], int]:
        """Read 「、罗宾和阿克塞尔」 after a person."""
        people: list[Referent] = []
        while self.nouns.at(position).plays("noun_and") or self.nouns.at(position).text == "、":
            found = self.nouns.read(position + 1)
            if found is None or found[0].kind != "person" or found[0].pronoun:
                break
            people.append(found[0])
            position = found[1]
        return tuple(people), position

    def _speech_follows(self) -> bool:
        found = self.nouns.read(self.index + 1)
        if found is None:
            return False
        position = self._listed(found[1])[1]
        while self.nouns.at(position).has("polite") and not self.nouns.at(position).has("verb"):
            position += 1
        token = self.nouns.at(position)
        return token.has("verb") and token.value("verb") in (
            "tell",
            "greet",
            "ask",
            "answer",
            "meet",
            "introduce",
        )

    def _toward(self, token: Token) -> bool:
        """Read 「对简」「跟他」 as the one who is spoken to."""
        if not token.plays("toward", "with") or (
            token.has("verb") and token.value("verb") == "follow" and not self._speech_follows()
        ):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person":
            return False
        if self.frame.action:
            self._close()
        self.frame.recipient, self.index = found
        people, self.index = self._listed(found[1])
        self.frame.others = people
        if self._at().plays("near"):
            self.index += 1
        return True
