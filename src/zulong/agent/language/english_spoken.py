"""What English clauses of telling and asking hold: the words that are to be said."""

from __future__ import annotations

import re

from zulong.agent.language.english_cursor import SPEECH_VERBS, Draft, EnglishCursor
from zulong.agent.language.english_reported import asked, requested, told
from zulong.agent.language.english_words import tokenise

_THREATENING = frozenset(
    (
        "will",
        "to",
        "and",
        "or",
        "must",
        "should",
        "would",
        "please",
        "i",
        "they",
        "we",
        "not",
        "shall",
        "can",
        "could",
        "ll",
    )
)


class EnglishSpoken(EnglishCursor):
    """Reads what is to be said, word for word."""

    def _question_words(self, draft: Draft) -> bool:
        """Take "(ask Jane) what she wants" as the words of the question, unless it is about a known topic."""
        words: list[str] = []
        position = self.index
        while position < len(self.tokens) and not self.tokens[position].plays("punct"):
            token = self.tokens[position]
            if token.plays("conj") and self._starts_clause(position):
                break
            if token.has("topic", "attribute"):
                return False
            words.append(token.text)
            position += 1
        self.index = position
        draft.text = asked(" ".join(words), self._listener(draft)).text
        return True

    def _told_to_do(self, draft: Draft) -> bool:
        """Read "tell Jane to come here": she is to come, not the robot."""
        person = draft.recipient
        if self._at(-1).plays("wh"):
            return False
        if draft.action not in SPEECH_VERBS or person is None or person.pronoun == "me" or draft.topic:
            return False
        if not self._at(1).senses and not self._at(1).text.isalpha():
            return False
        found = self.nouns.read(self.index + 1)
        if found is not None and not found[0].unknown and not self._is_verb(self.index + 1):
            return False
        self.index += 1
        draft.action = "tell"
        self._verbatim(draft, turned=False)
        draft.text = requested(draft.text, self._listener(draft)).text
        return True

    def _verbatim(self, draft: Draft, *, turned: bool = True) -> bool:
        """Take all words up to the end of the sentence part as what is to be said, ``turned`` to whom it is said."""
        words: list[str] = []
        while (
            not self._done() and not self._at().plays("punct") and self._at().text not in ("then", "and then")
        ):
            if self._at().plays("conj") and self._at(1).has("person") and self._at(2).plays("prep:to"):
                # "(tell Jane to go) and Robin to stay": the rest is for somebody else.
                break
            self._no_threat(draft)
            words.append(self._at().text)
            self.index += 1
        draft.topic, draft.text = "free", " ".join(words).replace(" 's", "'s").replace(" o clock", " o'clock")
        if turned and draft.verb != "say" and self._at(-1 - len(words)).text != ":":
            draft.text = told(draft.text, self._listener(draft)).text
        return bool(words)

    def _free_words(self, draft: Draft) -> bool:
        """Take unknown words after "say" as what is to be said."""
        words: list[str] = []
        while not self._done() and not self._at().plays("punct") and not self._at().plays("prep:to", "conj"):
            self._no_threat(draft)
            words.append(self._at().text)
            self.index += 1
        draft.topic, draft.text = "free", " ".join(words)
        return True

    def _no_threat(self, draft: Draft) -> None:
        """Make the clause a dangerous one when the word to be said is: the robot passes no threats on."""
        if self._at().has("danger") or self._at().value("verb") == "dangerous":
            draft.action = "dangerous"

    def _no_threat_quoted(self, draft: Draft, words: str) -> None:
        """Check what stands in quotation marks: a harm that somebody will do, or is told to do, is a threat."""
        said = tokenise(re.sub(r"[^a-z' ]", " ", words.lower()), self.vocabulary)
        for number, token in enumerate(said):
            harms = token.has("danger") or token.value("verb") == "dangerous"
            before = said[number - 1].text if number else ""
            if harms and (not number or before in _THREATENING):
                draft.action = "dangerous"

    def _listener(self, draft: Draft) -> str:
        """Return the words for whom the clause speaks to."""
        person = draft.recipient
        return "" if person is None else person.pronoun or person.text.lower()
