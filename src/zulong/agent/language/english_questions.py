"""English questions, by themselves or inside "tell me ..."."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from zulong.agent.language.english_conditions import MEANWHILE, door_itself
from zulong.agent.language.english_counting import EnglishCounting
from zulong.agent.language.english_cursor import STATES, Draft, value_of
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.merge import merge_referent


class EnglishQuestions(EnglishCounting):
    """Reads questions: where, who, what, which, how many, is there."""

    @abstractmethod
    def _arguments(self, draft: Draft) -> None: ...

    @abstractmethod
    def _settle(self, draft: Draft) -> None: ...

    def _is_question_start(self) -> bool:
        token = self._at()
        if token.plays("howmany", "seen"):
            return True
        if token.plays("there_is"):
            return token.text in ("is there", "are there")
        if token.plays("wh") and not token.has("verb"):
            return token.text != "when" or self._at(1).plays("be", "do")
        if token.plays("be") and self._at(-1).text in ("it", "that", "this", "he", "she", "these", "those"):
            # "that is my soup" asks for nothing.
            return False
        if token.plays("be"):
            found = self.nouns.read(self.index + 1)
            return found is not None or self._at(1).plays("door") or bool(self._at(1).role_of("comparison"))
        return token.plays("prep:of") and self._any_question()

    def _any_question(self) -> bool:
        return any(t.plays("howmany") or t.plays("wh") for t in self.tokens[self.index :])

    def _question(self, places: list[Referent]) -> list[Clause]:
        draft = Draft("tell", "", asked=True)
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

    def _embedded_question(self, draft: Draft) -> bool:
        """Read a question from its first word; True when it was one."""
        token = self._at()
        if token.plays("howmany"):
            return self._count_phrase(draft)
        if token.plays("seen"):
            return self._where(draft)
        word = token.text
        if word in ("is there", "are there") or (
            word in ("if", "whether", "that") and self._at(1).plays("there_is")
        ):
            self.index += 1 if word in ("is there", "are there") else 2
            if self._at().text in ("no", "still"):
                self.index += 1
            if self._at().role_of("comparison") and self._at(1).plays("number"):
                # "are there more than two": the number that is told answers it.
                self.excused.add(self.index + 1)
                self.index += 2
            found = self.nouns.read(self.index)
            if found is None:
                return False
            draft.topic = "exists"
            draft.themes.append(found[0])
            self.index = found[1]
            return True
        if token.plays("be") and self._at(1).role_of("comparison") and self._at(2).plays("number"):
            # "are more than two people in the office": the number that is told answers it.
            self.excused.add(self.index + 2)
            self.index += 2
            return self._count_phrase(draft)
        if token.plays("be") or word in ("if", "whether"):
            return self._yes_no(draft)
        if word == "where":
            return self._where(draft)
        if word == "who":
            return self._who(draft)
        if word in ("what", "which", "how"):
            return self._what(draft)
        return False

    def _where(self, draft: Draft) -> bool:
        position = self.index + 1
        while position < len(self.tokens) and (
            self.tokens[position].plays("be", "do", "have", "aux", "located")
            or self.tokens[position].has("polite")
            or self.tokens[position].text in ("can", "i", "you", "we", "one", "see", "seen")
            or (
                self.tokens[position].value("verb") in ("find", "put", "take", "meet")
                and not self.tokens[position].has("object")
            )
        ):
            position += 1
        if self.tokens[position].text == "i" if position < len(self.tokens) else False:
            position += 1
            if (position < len(self.tokens) and self.tokens[position].has("verb")) or self.tokens[
                position
            ].plays("located"):
                position += 1
        found = self.nouns.read(position)
        if found is None:
            return False
        draft.topic = "where"
        draft.themes.append(found[0])
        self.index = found[1]
        while found is not None and found[0].kind == "person" and self._at().text in ("and", ","):
            # "where are Jane and Robin": the second one listens to nobody's answer.
            found = self.nouns.read(self.index + 1)
            if found is not None and found[0].kind == "person" and found[0].name:
                draft.themes.append(found[0])
                self.index = found[1]
            else:
                found = None
        if self._at().plays("be", "located"):
            self.index += 1
        return True

    def _who(self, draft: Draft) -> bool:
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
        draft.topic, draft.attribute = "attribute", "name"
        return True

    def _what(self, draft: Draft) -> bool:
        """Read "what is the biggest object on the sofa", "what pose is the person in", "how is Jane"."""
        word = self._at().text
        if word != "how" and self._what_attribute(draft):
            return True
        if word == "how" and self._at(1).plays("do") and self._way_to(draft):
            return True
        if word == "what" and self._seen_here(draft):
            return True
        start = self.index + 1
        position = start
        while self.nouns.at(position).plays("be", "do", "all") or self.nouns.at(position).has("polite"):
            position += 1
        if word == "which" and position == start and self.nouns.at(position).plays("prep:of"):
            # "which of the drinks"
            position += 1
        if word == "how" and position == start:
            return False
        self.index = position
        token = self._at()
        if self._attribute_phrase(draft):
            return True
        if token.has("topic") and not token.has("object"):
            draft.topic = token.value("topic")
            self.index += 1
            return True
        if token.plays("howmany"):
            return self._count_phrase(draft)
        if token.plays("number") and self._at(1).plays("be"):
            return self._which_ones(draft)
        found = self.nouns.read(position)
        if found is None:
            return self._what_there(draft)
        referent, self.index = found
        if referent.pronoun == "them" and self._last_kind == "object":
            referent = replace(referent, kind="object", pronoun="it")
        if referent.kind == "person":
            return self._about_person(draft, referent, word)
        return self._about_thing(draft, referent)

    def _what_attribute(self, draft: Draft) -> bool:
        """Read "what pose is the person in the office in"."""
        attribute = self._at(1).sense("attribute")
        if attribute is None:
            return False
        position = self.index + (3 if self._at(2).plays("be") else 2)
        found = self.nouns.read(position) or self.nouns.read(position - 1)
        draft.topic, draft.attribute = "attribute", attribute.value
        if found is not None:
            draft.themes.append(found[0])
            position = found[1]
        self.index = position
        return True

    def _seen_here(self, draft: Draft) -> bool:
        """Read "what do you see", "what can you see (here)": about where the robot stands."""
        position = self.index + 1
        while self.nouns.at(position).text in (
            "do",
            "can",
            "you",
            "you can",
            "are",
            "can you",
            "you see",
            "looking",
        ):
            position += 1
        seeing = (
            self.nouns.at(position).text in ("see", "seeing") or self.nouns.at(position - 1).text == "you see"
        )
        if not seeing:
            return False
        position += self.nouns.at(position).text in ("see", "seeing")
        position += self.nouns.at(position).text in ("here", "now", "right now", "right here")
        if self.nouns.at(position).text and not self.nouns.at(position).plays("punct"):
            return False
        draft.topic, draft.attribute, self.index = "property", "here", position
        draft.themes.append(Referent("object", text="things", plural=True))
        return True

    def _which_ones(self, draft: Draft) -> bool:
        """Read "(which) three are the thinnest"."""
        counted = Referent("object", text="things", plural=True, number=value_of(self._at()))
        described, end = self.nouns.postmodifiers(counted, self.index + 2, True)
        if self.nouns.at(end).plays("det") and self.nouns.at(end + 1).has("superlative"):
            described = replace(described, superlative=self.nouns.at(end + 1).value("superlative"))
            end += 2
        draft.topic, self.index = "property", end
        draft.themes.append(described)
        return True

    def _what_there(self, draft: Draft) -> bool:
        """Read "(what is) on the table"."""
        token = self._at()
        if not (token.role_of("prep") or token.role_of("rel") or token.plays("located")):
            return False
        described, end = self.nouns.postmodifiers(Referent("object", text="what"), self.index, True)
        draft.topic, self.index = "property", end
        draft.themes.append(described)
        return True

    def _about_person(self, draft: Draft, person: Referent, word: str) -> bool:
        """Read what is asked about a person: "(what is) Jane wearing", "(what is) the person's name"."""
        if self._at().plays("poss", "be"):
            self.index += 1
        token = self._at()
        attribute = "pose" if word == "how" or token.text == "doing" else ""
        if token.has("attribute"):
            attribute = token.value("attribute")
        elif token.plays("wear"):
            attribute = "clothes"
        if token.has("attribute") or token.plays("wear") or token.text == "doing":
            self.index += 1
        elif (
            word == "what"
            and (token.plays("have") or not (token.roles or token.has("polite")))
            and token.text
        ):
            # "what does Jane have": more is asked than a name.
            self.leftover.append(token.text)
            self.index += 1
        draft.topic, draft.attribute = "attribute", attribute or "name"
        draft.themes.append(person)
        return True

    def _about_thing(self, draft: Draft, thing: Referent) -> bool:
        """Read what follows "which objects": "... on the bar are the three lightest"."""
        while self._at().plays("be", "there_is") or self._at().text in ("there", "currently"):
            self.index += 1
        if self._rests(thing, self.index):
            self.excused.add(self.index)
            self.index += 1
        if self._at().plays("det"):
            self.index += 1
        number = None
        for _ in range(2):
            if self._at().plays("number"):
                number = value_of(self._at())
                self.index += 1
            if self._at().has("superlative"):
                thing = replace(thing, superlative=self._at().value("superlative"))
                self.index += 1
                self.index += 1 if self._at().plays("one") else 0
        if number is not None:
            thing = replace(thing, number=number)
        thing, self.index = self.nouns.postmodifiers(thing, self.index, True)
        draft.topic = "property"
        draft.themes.append(thing)
        return True

    def _way_to(self, draft: Draft) -> bool:
        """Read "how do I get to the kitchen" as a wish to be guided there."""
        who = self.nouns.read(self.index + 2)
        if (
            who is None
            or who[0].kind != "person"
            or self.nouns.at(who[1]).value("verb") not in ("take", "go")
        ):
            return False
        position = who[1] + (2 if self.nouns.at(who[1] + 1).plays("prep:to") else 1)
        goal = self.nouns.read(position)
        if goal is None or goal[0].kind != "place":
            return False
        draft.action, draft.verb, draft.topic, draft.asked = "guide", "show", "", False
        draft.themes, draft.goal = [who[0]], goal[0]
        self.excused.add(who[1])
        self.index = goal[1]
        return True

    def _door_state(self, draft: Draft) -> bool:
        """Read "is the door open"."""
        position = self.index + 1
        room = self.nouns.read(position, attach=False) if not self.nouns.at(position).plays("door") else None
        if room is not None and self.nouns.at(room[1]).plays("door"):
            position = room[1]
        if room is not None and door_itself(self.nouns, *room):
            position = room[1] - 1
        elif not self.nouns.at(position).plays("door"):
            return False
        door = Referent(
            "object", text="door", name="door", definite=True, at=room[0] if room is not None else None
        )
        position += 1
        while self.nouns.at(position).plays("be") or self.nouns.at(position).text in MEANWHILE:
            position += 1
        state = next((STATES[role] for role in self.nouns.at(position).roles if role in STATES), "")
        draft.topic, draft.text = "state", state
        draft.themes.append(door)
        self.index = position + (1 if state else 0)
        return True

    def _yes_no(self, draft: Draft) -> bool:
        """Read "is the person in the office male or female", "if a man or woman is sitting there"."""
        if self._door_state(draft):
            return True
        position = self.index + 1
        found = self.nouns.read(position)
        if found is None:
            return False
        if found[0].posture or found[0].gesture:
            self.excused.update(range(position, found[1]))
        referent, self.index = found
        genders = 0
        consumed = []
        while not self._done() and not self._at().plays("punct") and not self._at().plays("conj"):
            if self._at().has("person_noun"):
                genders += 1
            consumed.append(self._at())
            if self._at().has("posture", "gesture"):
                self.excused.add(self.index)
            if self._at().plays("or") and self._alternative(referent):
                consumed.pop()
                continue
            if self._at().role_of("prep") in ("in", "on", "at") and referent.at is None:
                described, end = self.nouns.postmodifiers(referent, self.index, True)
                if end > self.index:
                    # The "on" of "on the table" is no state.
                    consumed.pop()
                    referent, self.index = described, end
                    continue
            self.index += 1
        self.leftover.extend(t.text for t in consumed if t.has("person", "object", "category"))
        if not genders:
            self.leftover.extend(t.text for t in consumed if t.plays("or"))
        state = next((STATES[role] for token in consumed for role in token.roles if role in STATES), "")
        posed = next((kind for kind in ("posture", "gesture") if getattr(referent, kind)), "")
        anybody = referent.kind == "person" and not (referent.definite or referent.name or referent.pronoun)
        posed = "" if anybody else posed
        draft.themes.append(
            replace(referent, gender="", posture="", gesture="") if genders or posed else referent
        )
        if posed and referent.kind == "person":
            draft.topic, draft.attribute = "attribute", "pose" if posed == "posture" else "gesture"
        elif state in ("empty", "full") and referent.kind == "place" and referent.name:
            # "is the bathroom free": whether somebody is in it; "is the desk empty": whether something is on it.
            room = any(t.has("room") and t.value("room") == referent.name for t in self.tokens)
            inside = Referent(
                "person" if room else "object", text="people" if room else "things", plural=True
            )
            draft.themes[-1] = replace(inside, at=replace(referent, at=None))
            draft.topic = "exists"
        elif state and (referent.kind != "person"):
            draft.topic, draft.text = "state", state
        elif genders:
            draft.topic, draft.attribute = "attribute", "gender"
        else:
            draft.topic = "exists"
            draft.text = " ".join(token.text for token in consumed)
        return True

    def _alternative(self, person: Referent) -> bool:
        """Read "or (is she still) standing" after "is Jane sitting": the answer says which of them."""
        position = self.index + 1
        while self.nouns.at(position).plays("be", "pron", "focus") or self.nouns.at(position).text in (
            "still",
            "up",
        ):
            position += 1
        kinds = [kind for kind in ("posture", "gesture") if self.nouns.at(position).has(kind)]
        said = [t for t in self.tokens[: self.index] if any(t.has(kind) for kind in kinds)]
        if person.kind != "person" or not said:
            return False
        self.index = position
        return True

    def _attribute_phrase(self, draft: Draft) -> bool:
        """Read "the pose of the person in the office"."""
        position = self.index
        if self.nouns.at(position).plays("det"):
            position += 1
        attribute = self.nouns.at(position).sense("attribute")
        named = self.nouns.at(position)
        if attribute is None or (
            named.has("verb") and position == self.index and not self.nouns.at(position + 1).plays("prep:of")
        ):
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
