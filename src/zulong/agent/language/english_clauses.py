"""English clauses: a verb and what belongs to it."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_cursor import LOOKING, SPEECH_VERBS, Draft
from zulong.agent.language.english_questions import EnglishQuestions
from zulong.agent.language.english_words import base_form
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.tokens import Token

_ENDING = ("stop", "stops", "stopped", "halts", "ends", "finishes", "arrives", "arrive")
_LED = ("walk", "see", "run", "move", "drive", "get", "send off", "march", "roll", "wheel")
_SUBJECTS = ("it", "he", "she", "they")
_INTRANSITIVE = ("move", "moving", "return", "shift")


class EnglishClauses(EnglishQuestions):
    """Reads clauses."""

    def _states(self, position: int) -> bool:
        """Tell whether a statement that is no order starts here; see :class:`EnglishAsides`."""
        return False

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
                draft = Draft("go", "without" if text in ("without", "avoid") else text, negated=True)
                found = self.nouns.read(self.index)
                if found is not None:
                    draft.avoid.append(found[0])
                    draft.goal = found[0]
                    self.index = found[1]
                if found is None or found[0].kind != "place":
                    self.leftover.append(" ".join((text, self._at().text)).strip())
                return draft.finish()
        verb = self._at()
        action = "dangerous" if verb.has("danger") else verb.value("verb")
        self.index += 1
        if verb.text in LOOKING and (
            self._at().plays("wh", "howmany", "there_is") or self._at().text == "if"
        ):
            action = "tell"
        if verb.text in LOOKING and self._at().text == "that" and self._at(1).plays("there_is"):
            action = "tell"
        if verb.text == "show" and self._at().text == "me" and self._at(1).plays("wh"):
            action = "tell"
        draft = Draft(action, base_form(verb.text, self.vocabulary), negated=negated)
        if draft.action == "stop":
            if self._is_verb(self.index):
                # "stop following me": what is to end, not what is to be done.
                started = self.index
                self._clause([])
                self.excused.update(range(started, self.index))
            return draft.finish()
        if draft.verb == "say" and (self._at().plays("correct", "no", "yes") or self._at().text == "please"):
            # "say sorry", "say no": the word itself is to be said.
            draft.topic, draft.text = "free", self._at().text
            self.index += 1
        if places and draft.action not in ("go", "missing:fly"):
            draft.where = places[-1]
        self._arguments(draft)
        if draft.action == "put" and draft.where is not None and draft.goal is None and not draft.locatives:
            # "on the desk please put the milk"
            draft.goal, draft.where = draft.where, None
        if draft.verb == "help" and not (draft.themes or draft.recipient or draft.goal):
            return []
        self._settle(draft)
        self._remember(draft)
        if draft.action == "go" and draft.source is not None and draft.source.unknown:
            # "go from the blargish to the office"
            self.leftover.append(draft.source.text)
        if draft.via:
            return [*(Clause("go", verb="via", goal=place) for place in draft.via), *draft.finish()]
        if draft.seconds is not None and draft.action != "wait" and not negated:
            if draft.later:
                # "go to the kitchen in ten minutes"
                return [Clause("wait", verb="in", seconds=draft.seconds), *draft.finish()]
            if draft.action == "go" and draft.lasting and draft.goal and not draft.goal.pronoun:
                # "go to the bed for a minute"
                return [*draft.finish(), Clause("wait", verb="for", seconds=draft.seconds)]
            if draft.seconds == 60 and draft.action != "follow":
                # "come here for a minute", "lend me the sponge for a minute"
                return draft.finish()
            self.leftover.append(f"for {draft.seconds:g} seconds")
        if negated and draft.verb in ("leave", "exit", "quit"):
            # "go to the kitchen without leaving the living room"
            self.leftover.append(f"not {verb.text}")
        if negated:
            draft.avoid = [r for r in (draft.goal,) if r is not None] if draft.action == "go" else []
        return draft.finish()

    def _arguments(self, draft: Draft) -> None:
        while not self._done():
            token = self._at()
            if token.plays("punct"):
                if token.text == ":" and draft.action == "tell" and not draft.topic:
                    self.index += 1
                    self._verbatim(draft)
                    return
                if token.text == ":" and draft.themes and draft.themes[-1].is_bare():
                    # "bring me three things: a pear, a lemon and a plum"
                    draft.themes.pop()
                    self.excused.update(range(self.index - 2, self.index))
                    self.index += 1
                    continue
                several = draft.themes[-1].number if draft.themes else None
                if token.text == ":" and several and several > 1 and self._at(1).plays("one", "number"):
                    # "three colas: one to Jane, two to Robin": who gets how many is not followed.
                    self.leftover.append(":")
                if token.text == "," and self._joins_person(draft):
                    continue
                if (
                    token.text == ","
                    and self._at(1).text == "not"
                    and self._contrast_inside(draft, self.index + 1)
                ):
                    continue
                if token.text == "," and self._continues(draft):
                    self.index += 1
                    continue
                return
            if token.plays("if", "unless", "else", "but") and not (
                token.text == "if" and draft.action in SPEECH_VERBS and not draft.topic
            ):
                return
            if token.text == "not" and self._contrast_inside(draft, self.index):
                continue
            if token.plays("prep:without") or token.plays("not"):
                return
            if token.plays("correct") and not self._is_verb(self.index):
                return
            if token.plays("no") and self._at(1).plays("punct"):
                return
            if token.plays("before", "after") and self._subordinate(self.index + 1):
                return
            if token.plays("after", "when") and self._at(1).text.partition(" ")[0] == "you":
                return
            if token.plays("conj"):
                if self._joins_person(draft):
                    continue
                if self._joins_noun(draft):
                    self.index += 1
                    continue
                return
            if self._is_verb(self.index) and not self._verb_is_argument(draft):
                if draft.verb == "help" and draft.themes and token.value("verb") in ("take", "find", "go"):
                    self.excused.add(self.index)
                    self.index += 1
                    continue
                return
            if token.plays("while"):
                return
            if self._tells_more(draft, token):
                return
            if token.plays("located") and token.text.startswith("you ") and self._at(1).plays("pron"):
                return
            if token.text in ("until", "till") and self._until(draft):
                continue
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

    def _tells_more(self, draft: Draft, token: Token) -> bool:
        """Tell a statement run on from an argument: "bring me the milk it is in the fridge"."""
        subject = token.text in _SUBJECTS and draft.action not in SPEECH_VERBS
        return subject and self._at(1).plays("be") and not self._at(1).plays("poss")

    def _contrast_inside(self, draft: Draft, position: int) -> bool:
        """Skip "not the mustard," in "put the soup, not the mustard, on the table": the clause goes on after it."""
        found = self.nouns.read(position + 1, attach=False)
        if found is None or found[0].unknown or self._is_verb(position + 1):
            return False
        meant = [*draft.themes[-1:], draft.recipient, draft.goal]
        alike = [one for one in meant if one is not None and one.kind == found[0].kind and one.name]
        end = found[1] + 1 if self.nouns.at(found[1]).text == "," else found[1]
        goes_on = self.nouns.at(end).role_of("prep") or self.nouns.at(end).plays("det", "indef")
        if (
            not (alike and goes_on)
            or any(one.name == found[0].name for one in alike)
            or self._starts_clause(end)
        ):
            return False
        self.excused.update(range(self.index, end))
        self.index = end
        return True

    def _verb_is_argument(self, draft: Draft) -> bool:
        token = self._at()
        return (draft.action in ("answer", "ask") and token.plays("question")) or (
            token.has("topic") and draft.action in ("tell",)
        )

    def _continues(self, draft: Draft) -> bool:
        """Tell whether the clause goes on after this comma."""
        position = self.index + 1
        after = self.tokens[position] if position < len(self.tokens) else Token("")
        if (
            self._starts_clause(position)
            or after.plays("conj", "else", "but", "correct")
            or self._states(position)
        ):
            # "apples, pears and plums to the kitchen": only when a noun follows the "and".
            return False
        if after.plays("located") and after.text.startswith("you "):
            return False
        if draft.action == "put" and draft.where is not None and draft.themes and after.role_of("prep"):
            # "on the desk put the apple, on the bed the pear"
            return False
        listed = self.nouns.read(position, attach=False)
        if listed is not None and draft.recipient is not None and self._for_somebody(listed[1]):
            return False
        if listed is not None and listed[0].kind == "object" and self._addressed(draft):
            # "take the apple to Jane, the pear to Robin"
            return not self.nouns.at(listed[1]).role_of("prep")
        if after.plays("pron") and position + 1 < len(self.tokens) and self.tokens[position + 1].plays("be"):
            return False
        if after.role_of("prep") in ("in", "on", "at", "to", "from", "for", "about", "with") or after.role_of(
            "rel"
        ):
            return True
        if after.has("topic") or after.plays("wh", "howmany"):
            return draft.action in ("tell", "ask")
        if after.has("posture", "gesture"):
            return bool(draft.themes) and draft.themes[-1].kind == "person"
        return self.nouns.read(position) is not None and bool(draft.themes)

    def _until(self, draft: Draft) -> bool:
        """Read "until she stops", where following ends by itself, and "until she reaches the office"."""
        if not (self._at(1).plays("pron") or self._at(1).has("person")):
            return False
        reached = self._reached(self.index + 2)
        if draft.action == "follow" and draft.goal is None and reached is not None:
            self.excused.update(range(self.index, reached[1]))
            draft.goal, self.index = reached
            return True
        if draft.action == "wait" and draft.seconds is None:
            # How long is asked anyway.
            while not self._done() and not self._at().plays("punct"):
                self.excused.add(self.index)
                self.index += 1
            return True
        ends = self.index + 3
        if self._at(2).text in _ENDING and (
            not self.nouns.at(ends).text or self.nouns.at(ends).plays("punct", "conj")
        ):
            self.excused.add(self.index + 2)
            self.index = ends
            return True
        self.leftover.append(self._at().text)
        self.index += 1
        return True

    def _reached(self, position: int) -> tuple[Referent, int] | None:
        """Read "gets to the office", "is in the office" as the place where following ends."""
        moves = self.nouns.at(position).value("verb") in ("go", "take") or self.nouns.at(position).plays("be")
        moves = moves or self.nouns.at(position).text in ("arrives", "arrive", "gets", "comes")
        position += 1
        if self.nouns.at(position).role_of("prep") in ("to", "at", "in"):
            position += 1
        found = self.nouns.read(position) if moves else None
        return found if found is not None and found[0].kind == "place" else None

    def _addressed(self, draft: Draft) -> bool:
        """Tell whether the clause already says where its thing goes: what follows is another errand."""
        given = draft.recipient is not None and draft.recipient.pronoun != "me"
        return (
            draft.goal is not None
            or given
            or draft.addressed
            or (draft.action == "put" and bool(draft.locatives))
        )

    def _joins_person(self, draft: Draft) -> bool:
        """Read "(bring Jane) and me (an apple)": each of them gets one."""
        if draft.recipient is None or draft.action not in ("bring", "take", "tell", "greet"):
            return False
        if draft.themes and not (
            draft.addressed and not draft.themes[-1].definite and draft.action == "bring"
        ):
            # "an apple to Jane and Robin": one each; one and the same thing cannot go to two.
            return False
        listed = self._at().text == ","
        joins = listed or self._at().text in ("and", "&", "as well as")
        if not joins or self._starts_clause(self.index + 1):
            return False
        found = self.nouns.read(self.index + 1, attach=False)
        if found is None or found[0].kind != "person":
            return False
        after = self.nouns.at(found[1])
        if listed and not (after.plays("conj") or after.text == ","):
            return False
        if after.plays("be", "have", "prep:to", "poss") or after.text in ("wants", "needs"):
            return False
        if draft.themes and (listed or self.nouns.read(found[1]) is not None):
            return False
        if draft.action in ("bring", "take") and not draft.themes:
            thing = self.nouns.read(found[1])
            if thing is None or thing[0].kind != "object":
                return False
        draft.others.append(found[0])
        self.index = found[1]
        return True

    def _joins_noun(self, draft: Draft) -> bool:
        """Tell "the cup and the apple" from "... and then go"."""
        if self._at().text not in ("and", "as well as", "&", "plus", "also", "and also"):
            return False
        position = self.index + 1
        if self._starts_clause(position) or not draft.themes:
            return False
        if draft.action in ("bring", "put", "take") and self._addressed(draft):
            return False
        found = self.nouns.read(position, attach=False)
        if found is None or (found[0].kind == "place" and draft.action not in ("go",)):
            return False
        if found[0].kind == "person" and draft.themes[-1].kind == "object":
            # "hand Paris the soap and Jules the sponge"
            return False
        if draft.recipient is not None and self._for_somebody(found[1]):
            # "bring me a snack and one for Jane"
            return False
        if draft.action in ("guide", "follow") and draft.goal is not None and found[0].kind == "person":
            # "guide Jane to the kitchen and Adel to the bedroom"
            return False
        after = self.tokens[found[1]] if found[1] < len(self.tokens) else Token("")
        return not after.plays("be", "aux", "have")

    def _for_somebody(self, position: int) -> bool:
        """Tell whether "to Jane", "for Jane" stands here."""
        if not self.nouns.at(position).plays("prep:to", "prep:for"):
            return False
        found = self.nouns.read(position + 1, attach=False)
        return found is not None and found[0].kind == "person"

    def _settle(self, draft: Draft) -> None:
        """Decide between neighbouring actions by what the arguments are."""
        place = draft.themes[0] if len(draft.themes) == 1 else None
        if (
            draft.verb in ("leave", "exit", "quit", "vacate")
            and place is not None
            and place.kind == "place"
            and (draft.goal is None and draft.recipient is None)
        ):
            # "leave the kitchen"
            draft.action, draft.verb, draft.source, draft.themes = "go", "leave", place, []
        person = draft.recipient
        if (
            person is not None
            and person.plural
            and person.number is None
            and not (person.pronoun or person.ids)
        ):
            # "the people in the kitchen" are all who are there.
            draft.recipient = replace(person, number=-1)
        self._settle_motion(draft)
        self._settle_speech(draft)
        if len(draft.themes) > 1 and draft.themes[0].number == 2 and draft.themes[0].text.startswith("both"):
            # "both the fork and the spoon" are one of each.
            draft.themes[0] = replace(draft.themes[0], number=None)
        theme = draft.themes[0] if draft.themes else None
        if draft.action == "count" and theme is not None and theme.pronoun == "them" and not self._last_kind:
            # "count them" where nothing was named
            draft.themes[0] = replace(theme, kind="object", pronoun="it")
        if draft.action in ("take", "bring", "put") and theme is not None and theme.kind == "person":
            if theme.pronoun == "them" and (self._last_kind == "object" or draft.action == "put"):
                draft.themes[0] = replace(theme, kind="object", pronoun="it")
            elif not (draft.action == "bring" and theme.pronoun == "me"):
                draft.action = "guide"
        elif draft.action == "guide" and theme is not None and theme.kind == "object":
            # "show me the thinnest object" asks for words, "accompany the cup to the sink" is carrying.
            draft.action = (
                "tell" if draft.recipient is not None and draft.recipient.pronoun == "me" else "bring"
            )
            if draft.action == "tell":
                draft.topic = draft.topic or "property"

    def _settle_motion(self, draft: Draft) -> None:
        """Tell moving oneself, bringing things and bringing people apart."""
        kinds = [referent.kind for referent in draft.themes[:2]]
        if draft.action in ("take", "bring") and draft.recipient is None and kinds == ["person", "object"]:
            # "take Adel some soup"
            draft.recipient = draft.themes.pop(0)
            draft.action = "bring"
        several = [referent.kind for referent in draft.themes] == ["person"] * (len(draft.themes) - 1) + [
            "object"
        ]
        if (
            draft.action in ("take", "bring")
            and draft.recipient is None
            and several
            and len(draft.themes) > 2
        ):
            # "get Jane and Robin a drink each"
            *people, thing = draft.themes
            draft.action, draft.themes, draft.recipient, draft.others = (
                "bring",
                [thing],
                people[0],
                people[1:],
            )
            if thing.definite or (thing.number or 1) > 1:
                self.leftover.append(thing.text)
        theme = draft.themes[0] if draft.themes else None
        person = draft.recipient
        if draft.action == "put" and theme is None and person is None and draft.verb in _INTRANSITIVE:
            draft.action = "go"
        walked = (
            draft.verb == "walk" and theme is not None and theme.kind == "person" and draft.action == "go"
        )
        if draft.led and theme is not None and (walked or (draft.verb in _LED and draft.goal is not None)):
            # "walk Jane to the exit", "meet Alex and walk him"
            draft.action = "guide"
        if (
            draft.verb == "show"
            and draft.topic == "where"
            and theme is not None
            and theme.kind == "place"
            and person
        ):
            # "show me where the bathroom is"
            draft.action, draft.topic, draft.goal = "guide", "", theme
            draft.themes, draft.recipient = [person], None
        if draft.action == "go" and len(draft.themes) == 2 and sorted(kinds) == ["object", "person"]:
            # "run the milk over to Jane", "go to Jane with the milk"
            draft.recipient = draft.themes.pop(kinds.index("person"))
            draft.action = "bring"
        if draft.action == "go" and theme is not None and theme.kind == "object" and draft.goal is not None:
            draft.action = "bring"
        goal = draft.goal
        led = (
            person is not None
            and person.pronoun == "me"
            and theme is None
            and draft.action in ("bring", "take")
        )
        if led and person is not None and goal is not None and goal.pronoun != "back":
            # "bring me to the kitchen"
            draft.action, draft.themes, draft.recipient = "guide", [person], None
        if draft.verb == "return" and (theme is None or theme.kind == "person"):
            draft.action = "guide" if theme is not None else "go"
            draft.goal = draft.goal or Referent("place", text="back", pronoun="back", definite=True)
        if (
            theme is not None
            or person is None
            or person.pronoun == "me"
            or draft.action not in ("bring", "take")
        ):
            return
        spoken_of = person.pronoun in ("him", "her") or (
            person.pronoun == "them" and self._last_kind == "person"
        )
        led = draft.verb in ("bring", "take") and draft.goal is None and spoken_of
        moved = draft.action == "bring" and (draft.goal is not None or draft.source is not None)
        if led or moved:
            # "bring Peyton to the counter", "meet Alex and bring him"
            draft.action, draft.themes, draft.recipient = "guide", [person], None

    def _settle_speech(self, draft: Draft) -> None:
        """Tell giving things from giving answers and telling something."""
        theme = draft.themes[0] if draft.themes else None
        if draft.action in ("bring", "take") and theme is None and draft.text in ("question", "quiz"):
            draft.action = "answer"
        if draft.action in ("find", "bring", "take") and theme is None and draft.topic not in ("", "free"):
            draft.action = "tell"
        if (
            draft.topic == "attribute"
            and draft.attribute == "name"
            and theme is not None
            and theme.kind == "object"
        ):
            draft.topic, draft.attribute = "property", ""
