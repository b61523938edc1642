"""What may stand in an English clause besides its verb."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from zulong.agent.language.english_adjectives import ADVERBS
from zulong.agent.language.english_cursor import HANDLING, SPEECH_VERBS, Draft
from zulong.agent.language.english_spoken import EnglishSpoken
from zulong.agent.language.meaning import Referent
from zulong.agent.language.merge import merge_referent
from zulong.agent.language.tokens import Token

_WITH_PEOPLE = frozenset(("follow", "guide", "greet", "meet", "tell", "ask", "answer"))
_ADDRESSING = frozenset(
    ("tell", "inform", "ask", "greet", "follow", "guide", "escort", "lead", "meet", "welcome")
)
_HANDING = frozenset(("give", "hand", "pass", "hand over", "serve", "present"))
_TOPICAL = frozenset(("tell", "ask", "find", "bring", "answer"))
_CARRYING = frozenset(("bring", "take", "put", "find"))
_LOOKING_AT = frozenset(("count", "tell", "describe", "find"))
_WEIGHTLESS = (
    "all", "det", "indef", "aux", "once", "again", "alone", "nowhere", "yes", "be", "do", "answer_noun", "one", "rel",
    "located", "wh", "have", "way", "name",
)  # fmt: skip


class EnglishArguments(EnglishSpoken):
    """Reads the arguments of a clause, one at a time."""

    @abstractmethod
    def _embedded_question(self, draft: Draft) -> bool: ...

    @abstractmethod
    def _attribute_phrase(self, draft: Draft) -> bool: ...

    @abstractmethod
    def _count_phrase(self, draft: Draft) -> bool: ...

    def _argument(self, draft: Draft, token: Token) -> bool:
        """Read one argument; False when the clause must end here."""
        if self._marked(draft, token) or self._description(draft, token) or self._asked(draft, token):
            return True
        if token.plays("howmany"):
            return self._count_phrase(draft)
        preposition = token.role_of("prep") or ("in" if token.role_of("rel") or token.role_of("side") else "")
        if preposition:
            return self._prepositional(draft, preposition)
        if self._noun_argument(draft):
            return True
        return self._leftover(draft, token)

    def _marked(self, draft: Draft, token: Token) -> bool:
        """Read what its first word gives away: quotes, repetitions, durations, questions, topics."""
        timed = self._at(2).plays("seconds", "minutes", "hours")
        bounded = token.plays("bound") or (token.text == "up to" and self._at(1).plays("number"))
        if bounded or (token.plays("half") and self._at(1).plays("indef") and not timed):
            self.leftover.append(token.text)
        elif token.plays("quote"):
            draft.topic, draft.text = "free", token.text
            self._no_threat_quoted(draft, token.text)
        elif self._repetition(draft, token) or self._duration(draft, token):
            return True
        elif token.text == "you" and self._at(1).plays("aux"):
            # "a question you will be asked": who asks is said elsewhere.
            while self._at().text in ("you", "asked") or self._at().plays("aux", "be"):
                self.index += 1
            return True
        elif token.plays("question"):
            draft.text = token.text
        elif token.text in ("answer", "answers") and not self._is_verb(self.index):
            draft.text = draft.text or "question"
        elif token.has("topic") and draft.action in _TOPICAL and not (token.has("verb") and draft.topic):
            draft.topic = token.value("topic")
        elif draft.action == "ask" and token.has("attribute") and not draft.text:
            draft.topic, draft.attribute = "attribute", token.value("attribute")
        elif draft.verb.startswith("say") and not draft.topic and not token.senses and not token.roles:
            return self._free_words(draft)
        elif (
            token.text == "that"
            and draft.action == "tell"
            and not draft.topic
            and not self._at(1).plays("there_is")
            and not (_is_me(draft.recipient) and self._at(1).plays("wh", "when"))
        ):
            self.index += 1
            return self._verbatim(draft)
        elif not token.plays("way"):
            return False
        self.index += 1
        return True

    def _description(self, draft: Draft, token: Token) -> bool:
        """Read what describes somebody or something that was named before: "... that is on the left"."""
        person = draft.recipient
        if person is not None and person.pronoun != "me":
            plain = (token.plays("rel") and not token.plays("det", "wh")) or token.text in (
                "last seen",
                "seen last",
            )
            if plain or (token.text == "who" and draft.text in ("question", "quiz")):
                step = self.nouns.relative(person, self.index)
                if step is not None:
                    draft.recipient, self.index = step
                    return True
        sided = token.role_of("side") and not self._at(1).has("person_noun")
        if draft.themes and (token.plays("rel") or token.has("superlative", "posture", "gesture") or sided):
            last = draft.themes[-1]
            step = self.nouns.relative(last, self.index) or self.nouns.attribute(last, self.index)
            if step is not None and step[1] > self.index:
                draft.themes[-1], self.index = step
                return True
        return False

    def _asked(self, draft: Draft, token: Token) -> bool:
        """Read "what is above the cereal" and questions inside "tell me ..."."""
        if token.text in ("what", "whatever", "that") and draft.action in _CARRYING and not draft.themes:
            position = self.index + (2 if self._at(1).plays("be") else 1)
            described, end = self.nouns.postmodifiers(Referent("object", text=token.text), position, True)
            if end > position:
                draft.themes.append(described)
                self.index = end
                return True
        worded = draft.action == "ask" and not draft.text and (token.plays("wh") or token.text == "if")
        if worded and self._question_words(draft):
            return True
        placed = draft.goal is not None or bool(draft.locatives)
        if token.text == "where" and draft.action in _CARRYING and draft.themes and placed:
            said = self.nouns.read(self.index + 1)
            if said is not None and self.nouns.at(said[1]).plays("be"):
                # "(put it on the desk) where the pear is"
                self.leftover.append(f"where {said[0].text} is")
                self.excused.update(range(self.index, said[1] + 1))
                self.index = said[1] + 1
                return True
        asking = token.plays("howmany", "wh") or token.text in ("if", "that")
        if draft.action in SPEECH_VERBS and asking and self._embedded_question(draft):
            return True
        if draft.action == "describe" and self._attribute_phrase(draft):
            # "describe the pose of the person in the office"
            draft.action = "tell"
            return True
        return draft.action == "tell" and self._attribute_phrase(draft)

    def _noun_argument(self, draft: Draft) -> bool:
        addressed = draft.recipient is not None or any(theme.kind == "person" for theme in draft.themes)
        if addressed and self._at().text == "her" and draft.action in ("bring", "take", "guide"):
            named = self._at(2) if self._at(1).has("colour", "size") else self._at(1)
            if named.has("object", "category"):
                # "get Jane her coffee": whose it is.
                self.index += 1
        found = self.nouns.read(self.index, attach=draft.action != "put")
        if found is None:
            return False
        referent, after = found
        if after == self.index:
            self.index += 1
            return True
        listener = draft.recipient
        reported = (
            draft.action == "tell" and not draft.topic and listener is not None and listener.pronoun != "me"
        )
        said_by = referent.kind != "person" or referent.pronoun in ("me", "you", "him", "her", "them")
        tells = self.nouns.at(after).plays("be", "have", "aux") or (
            # "tell Jane the meeting starts at three", "... the cola tastes odd"
            not referent.pronoun
            and (referent.unknown or self.nouns.is_plain_unknown(after))
            and (bool(self.nouns.at(after).text.strip(".,!?;")) or len(referent.text.split()) > 2)
        )
        if reported and said_by and tells:
            return self._verbatim(draft)
        if referent.pronoun == "them" and self._last_kind == "object" and draft.action in HANDLING:
            referent = replace(referent, kind="object", pronoun="it")
        if draft.themes and self._at(-1).text == "," and self._specifies(draft.themes[-1], referent):
            # "the cup, the green one, from the dishwasher"
            closer = draft.themes[-1].category and not draft.themes[-1].name and referent.name
            if closer:
                self.beneficiaries.append(draft.themes[-1])
            draft.themes[-1] = referent if closer else merge_referent(draft.themes[-1], referent)
            self.index = after
            return True
        if referent.kind == "person" and self._owns(after):
            # "Jane's cup": whose it is cannot be seen.
            self.leftover.append(f"{referent.text}'s")
            self.index = after + 1
            return True
        if referent.unknown and draft.action in _WITH_PEOPLE and draft.verb in _ADDRESSING | {draft.action}:
            referent = self._as_person(draft, referent)
        self.index = self._possessive_question(draft, referent, after)
        if draft.topic == "attribute" and self.index > after and not draft.themes:
            draft.themes.append(referent)
            return True
        self._bare_noun(draft, referent)
        return True

    def _owns(self, after: int) -> bool:
        owned = self.nouns.at(after + 1)
        return self.nouns.at(after).plays("poss") and (
            owned.has("object", "category", "generic", "colour") and not owned.plays("question")
        )

    def _as_person(self, draft: Draft, referent: Referent) -> Referent:
        """Take an unknown name for somebody where only a person fits: "follow Ahmed", "give it to Bob"."""
        free = draft.recipient is None and not draft.topic
        if referent.kind != "object" or not free or not referent.text.replace(" ", "").isalpha():
            return referent
        return referent if referent.text != referent.name else replace(referent, kind="person")

    def _placed_later(self) -> bool:
        """Tell whether a place is still to come in this part: "(put the cola for Jane) in the fridge"."""
        position = self.index
        while position < len(self.tokens) and not self.tokens[position].plays("punct", "conj"):
            if self.tokens[position].role_of("prep") in ("in", "on", "to"):
                found = self.nouns.read(position + 1, attach=False)
                if found is not None and found[0].kind == "place":
                    return True
            position += 1
        return False

    def _leftover(self, draft: Draft, token: Token) -> bool:
        """Skip words without weight, note those that have some; False when the clause must end here."""
        attribute = token.has(
            "attribute", "colour", "garment", "posture", "gesture", "superlative", "size", "topic"
        )
        if token.has("polite") or token.plays(*_WEIGHTLESS) or attribute or token.text in ADVERBS:
            self.index += 1
            return True
        if token.plays("there_is") or token.has("verb"):
            return False
        to_me = draft.recipient is not None and draft.recipient.pronoun == "me"
        open_question = any(t.plays("wh") for t in self.tokens[max(0, self.index - 3) : self.index])
        # "tell Jane the news": which that is, is not said.
        named_only = self._at(-1).plays("det", "indef") and not self._is_said()
        plain = not token.senses and not token.roles and not open_question and not named_only
        if draft.action == "tell" and not draft.topic and plain and not to_me:
            return self._free_words(draft)
        self.leftover.append(token.text)
        self.index += 1
        return True

    def _is_said(self) -> bool:
        """Tell whether there is a verb of a statement in what is left of this part of the sentence."""
        position = self.index
        while position < len(self.tokens) and not self.tokens[position].plays("punct", "conj"):
            token = self.tokens[position]
            if token.plays("be", "have", "do", "aux") or token.text.endswith(("s", "ed")):
                return True
            position += 1
        return False

    def _possessive_question(self, draft: Draft, referent: Referent, after: int) -> int:
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

    def _bare_noun(self, draft: Draft, referent: Referent) -> None:
        person = referent.kind == "person"
        draft.led = draft.led or (person and not draft.themes)
        if referent.pronoun == "there" and draft.action not in ("go", "put", "guide"):
            if self._at(-2).has("placement", "room"):
                # "from the sofa there": the sofa that one points at.
                return
            if draft.action in ("bring", "take") and (draft.themes or draft.recipient is not None):
                draft.goal = draft.goal or referent
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
        if draft.verb in ("take", "taking") and referent.pronoun == "me":
            draft.themes.append(referent)
            return
        if draft.action in ("take", "find") and referent.pronoun == "me":
            draft.recipient = referent
            return
        if (
            draft.action in ("bring", "take")
            and not (draft.themes or referent.pronoun)
            and referent.kind == "place"
        ):
            # "bring me the sofa": it is to be carried, no way there was said.
            draft.themes.append(referent)
            return
        if (
            draft.action == "put"
            and referent.pronoun == "back"
            and draft.themes
            and self._at().role_of("prep")
        ):
            # "put it back on the bookshelf"
            return
        if draft.action == "put" and referent.pronoun == "there" and referent.kind == "place":
            draft.goal = draft.goal or referent
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
                draft.action = "go" if not draft.themes else draft.action
                draft.goal = referent if draft.action == "go" else draft.goal
                return
            elif referent.pronoun in ("back", "there", "start"):
                draft.goal = referent
                return
        draft.themes.append(referent)

    def _prepositional(self, draft: Draft, preposition: str) -> bool:
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
        # "put the cola for Jane in the fridge": the place is where it goes.
        attach = not (draft.action == "put" and preposition == "for" and draft.goal is None)
        found = self.nouns.read(self.index + (0 if self._at().role_of("side") else 1), attach=attach)
        if found is None:
            if preposition == "with" and self._ends(self.index + 1):
                # "something to eat with"
                self.leftover.append(self._at().text)
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
            named = referent.text[:1].upper() + referent.text[1:]
            if referent.unknown and (
                draft.verb in _HANDING or (named in self.text and draft.action == "bring")
            ):
                referent = self._as_person(draft, referent)
            self._to(draft, referent)
        elif preposition == "via":
            if draft.action == "go" and referent.kind == "place":
                draft.via.append(referent)
            else:
                self.leftover.append(referent.text)
        elif preposition == "from":
            if referent.kind == "person" and draft.action in ("answer", "ask"):
                draft.recipient = draft.recipient or referent
            else:
                draft.source = draft.source or referent
        elif preposition in ("for", "of"):
            self._for_or_of(draft, referent, preposition)
        elif preposition == "with":
            joined = draft.verb in ("move", "moving") and not draft.themes and draft.goal is not None
            if referent.kind == "object" and draft.themes and self._upon_it(after):
                # "the plate with the apple on it": what is on it is not asked for by itself.
                self.leftover.append(f"with {referent.text}")
            elif (draft.action in ("go", "follow", "guide") or joined) and referent.kind == "person":
                draft.action = "follow"
                draft.themes.append(referent)
            elif (
                draft.action in ("missing:pour",)
                or draft.action in ("dangerous",)
                or referent.kind == "object"
            ):
                draft.themes.append(referent)
            else:
                draft.recipient = draft.recipient or referent
        elif preposition == "about":
            draft.topic, draft.text = draft.topic or "free", draft.text or f"about {referent.text}"
            draft.themes.append(referent)
        else:
            if relation == "between" and referent.kind == "place":
                # What is between two pieces of furniture has no name on the map.
                self.leftover.append("between")
            if relation and relation != "on_top_of" and referent.kind == "place":
                referent = replace(referent, relation=relation)
            self._locative(draft, referent, relation)
        return True

    def _ends(self, position: int) -> bool:
        """Tell whether nothing more of this part of the sentence stands here."""
        while self.nouns.at(position).has("polite"):
            position += 1
        after = self.nouns.at(position)
        return not after.text or after.plays("punct")

    def _upon_it(self, position: int) -> bool:
        """Tell whether "on it", "in it" stands here."""
        preposition = self.nouns.at(position).role_of("prep") or self.nouns.at(position).role_of("rel")
        return bool(preposition) and self.nouns.at(position + 1).text in ("it", "them", "that")

    def _to(self, draft: Draft, referent: Referent) -> None:
        if referent.kind == "person":
            person = draft.recipient
            if draft.action == "go":
                draft.themes.append(referent)
            elif (
                draft.action in ("bring", "take")
                and not draft.themes
                and person is not None
                and person.pronoun != "me"
            ):
                # "bring Charlie back to me"
                draft.action, draft.themes, draft.recipient, draft.goal = "guide", [person], None, referent
            elif (
                draft.action in ("guide", "follow", "take")
                and draft.themes
                and draft.themes[-1].kind == "person"
            ):
                draft.goal = referent
            else:
                draft.recipient = referent
                draft.addressed = bool(draft.themes)
        elif draft.goal is None:
            draft.goal = referent
        else:
            draft.locatives.append(referent)

    def _for_or_of(self, draft: Draft, referent: Referent, preposition: str) -> None:
        if referent.pronoun == "me" and draft.action in (
            "find",
            "go",
            "count",
            "wait",
            "follow",
            "guide",
            "meet",
        ):
            return
        if (
            referent.kind == "person"
            and draft.action == "put"
            and (draft.goal is not None or draft.locatives or (preposition == "for" and self._placed_later()))
        ):
            # "leave a banana on the table for Simone": it is put there all the same.
            self.beneficiaries.append(referent)
            return
        moved = draft.recipient is not None and (draft.goal is not None or draft.source is not None)
        if referent.pronoun == "me" and draft.action in ("bring", "take") and moved and not draft.themes:
            # "bring Hayden over to the freezer for me"
            return
        found = draft.themes[-1] if draft.themes and draft.action == draft.verb == "find" else None
        wanted = found is not None and found.kind == "object" and not found.pronoun
        if referent.kind == "person" and wanted and preposition == "for":
            # "find something to drink for Jane"
            draft.action, draft.recipient, draft.addressed = "bring", referent, True
            return
        if referent.kind == "person":
            free = draft.recipient is None or draft.recipient.pronoun == "me"
            if free and not (draft.action == "find" and preposition == "for"):
                draft.recipient = referent
            else:
                draft.themes.append(referent)
        elif referent.kind == "place" and preposition == "of" and _unplaced(draft.recipient):
            # "bring them to the left person of the dining table"
            draft.recipient = replace(draft.recipient, at=referent) if draft.recipient is not None else None
        elif referent.kind == "place":
            draft.where = draft.where or referent
        elif referent.unknown and preposition == "of" and draft.themes and draft.themes[-1].superlative:
            # "the lightest thing of the board": no place that is known.
            draft.source = draft.source or referent
        elif preposition == "for" and draft.themes and draft.action in ("bring", "take", "put"):
            # "bring me the milk for my cereal": what it is wanted for.
            self.beneficiaries.append(referent)
            if referent.unknown:
                self.leftover.append(referent.text)
        elif draft.action in ("find", "go", "wait"):
            draft.action = "find" if draft.action == "go" else draft.action
            draft.themes.append(referent)
        else:
            draft.themes.append(referent)

    def _locative(self, draft: Draft, referent: Referent, relation: str = "") -> None:
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
            draft.themes[-1] = replace(
                draft.themes[-1], relation=relation, relatum=replace(referent, at=None), at=at
            )
            return
        if referent.kind == "object":
            if draft.action == "put" and referent.pronoun and draft.themes:
                draft.goal = Referent("place", text=referent.text, pronoun="there", definite=True)
            elif draft.action == "put":
                draft.goal = referent
            elif referent.pronoun == "it" and draft.themes and draft.action in _LOOKING_AT:
                # "(go to the desk and) count the apples on it"
                draft.where = draft.where or Referent(
                    "place", text=referent.text, pronoun="there", definite=True
                )
            elif draft.themes and draft.action in _CARRYING:
                # "the apple near the pear": the pear only says where it is.
                self.leftover.append(referent.text)
                self.beneficiaries.append(referent)
            else:
                draft.themes.append(referent)
            return
        if draft.action == "go" and draft.goal is None and not draft.themes:
            draft.goal = referent
            return
        person = draft.recipient
        if person is not None and person.pronoun == "me" and draft.addressed and draft.action in _CARRYING:
            # "bring the coffee to me in the bedroom": the speaker is expected where the errand was given.
            self.leftover.append(referent.text)
        if (
            draft.action in ("tell", "ask", "answer", "greet")
            and draft.recipient is not None
            and draft.recipient.at is None
            and draft.recipient.pronoun != "me"
        ):
            draft.recipient = replace(draft.recipient, at=referent)
            return
        draft.locatives.append(referent)


def _is_me(person: Referent | None) -> bool:
    return person is not None and person.pronoun == "me"


def _unplaced(person: Referent | None) -> bool:
    """Tell whether somebody else is meant of whom no place was said."""
    return person is not None and person.pronoun != "me" and person.at is None
