"""English errands in several legs, put together from their parts and said plainly leg by leg.

"First the kitchen, then the study, and finish up at your charger" has no verb that the grammar could read. Here a
sentence is a row of legs: going somewhere, staying for a time, coming back, putting a thing somewhere, leading somebody,
and doing all that again. A leg may have its verb or not, in any of the many words for it; an order with a verb of another
kind is handed on as it was said. Every word must have its part: one that has none leaves the sentence without a reading.
What is yielded is read by the grammar with the same rigour as anything else that is said.
"""

from __future__ import annotations

import itertools
import re

from zulong.agent.language.english_frames import base_of
from zulong.agent.language.english_leg_cursor import COME, MOST_LEGS, Legs
from zulong.agent.language.english_leg_rounds import LegRounds
from zulong.agent.language.english_leg_words import pieces
from zulong.agent.language.english_words import opened
from zulong.agent.language.lexicon import Vocabulary

_BARRED = re.compile(
    r"[\"?]|\b(?:not|no|never|nor|if|unless|until|till|or|but|instead|except|without|rather|otherwise|else|when|whenever|"
    r"before|dont|don't|can't|won't|isn't|should|would have|already|nobody|who|whom|tomorrow|tonight|yesterday|"
    r"later today)\b"
)
"""What may turn an order round or hang it on something is not for this reading."""
_TOLD = re.compile(r"\b(?:i|we|he|she|they|did|was|were|because|since|while)\b")
_ASKED = re.compile(r"(?:,? (?:would you|will you|could you|can you|yeah|okay|ok|right))+\s*\?\s*$")
_OPENED = re.compile(
    r"^\W*(?:(?:hey|hi|hello|robot|zulong|please|so|ok|okay)\W+)*(?:(?:could|can|would|will|do) you|mind|how about)\b"
)
_COURTEOUS = re.compile(
    r"\b(?:i (?:would like|want|need|would love) you to|i would be grateful if you would|if you (?:would|please|"
    r"do not mind)|when you can|when (?:you are done(?: with that)?|done|that is done|you have done that)|"
    r"once you (?:have done that|are there|are done))\b"
)
_CARRYING = frozenset(
    ("take", "carry", "bring", "get", "deliver", "haul", "lug", "cart", "ferry", "transport", "run", "fetch")
)
_SAME_PLACE = re.compile(
    r"(?:beside|next to|near|by|close to|along with) (?:it|them|that)\b|(?:there )?(?:too|as well|also)\b|there\b"
)
_TIDYING = frozenset(
    (
        "tidy",
        "tidy up",
        "clear",
        "clear up",
        "sort",
        "pack",
        "pack up",
        "file",
        "get",
        "arrange",
        "leave",
        "keep",
    )
)
"""With these "in" and "on" say where the thing is, if no "away" or "back" comes before."""
_OF_THINGS = (
    "move",
    "shift",
    "roll",
    "wheel",
    "turn",
    "slide",
    "hit",
    "drive",
    "run",
    "walk",
    "push",
    "try",
    "cover",
)
"""Verbs that are done to a thing unless a preposition follows."""
_CHARGER = "go to your charging station"


def may_be_legs(text: str) -> bool:
    """Tell whether nothing in a sentence asks, denies, hangs on something or tells of others."""
    plain = _ALL_FOR_NOW.sub(" ", _unasked(text.strip()))
    return _BARRED.search(_COURTEOUS.sub("", opened(plain))) is None


_ALL_FOR_NOW = re.compile(
    r"\b(?:and )?that(?:'s| is| will be|'ll be) (?:all|it|enough|everything)(?: (?:for|from) (?:now|today|tonight|me|"
    r"the moment|this evening|you))*[,.;!]?|,? won't you,?",
    re.IGNORECASE,
)
"""What neither orders nor forbids anything."""
_ON_THE_WAY = (
    (
        re.compile(
            r"^(.*[a-z]),? on (?:your|the) way (?:over )?to ((?:the |"
            r"my )?[a-z]+(?: [a-z]+)?)\W*$",
            re.I,
        ),
        r"\1, then go to \2",
    ),
    (
        re.compile(
            r"^\W*on (?:your|the) way (?:over )?to ((?:the |"
            r"my )?[a-z]+(?: [a-z]+)?), (.*)$",
            re.I,
        ),
        r"\2, then go to \1",
    ),
    (
        re.compile(r"^(.*[a-z]),? on (?:your|the) way (?:back|home)(?: here| to me)?\W*$", re.I),
        r"\1, then come back to me",
    ),
    (
        re.compile(r"^\W*on (?:your|the) way (?:back|home)(?: here| to me)?,? (.*)$", re.I),
        r"\1, then come back to me",
    ),
)
"""Where one stops on the way comes first."""
_MINDING = re.compile(r"\b(mind|how about|what about|fancy|consider) (\w+ing)\b", re.IGNORECASE)


def _unasked(plain: str) -> str:
    """Take the mark off "could you ...?", which asks nothing."""
    if _OPENED.match(plain.lower()) or _ASKED.search(plain):
        return re.sub(r"\s*\?\s*$", "", plain)
    return plain


def in_legs(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the legs of a sentence in plain words, None when it is no row of legs.

    Args:
        text: the sentence as it was said.
        vocabulary: the names of the map.
    """
    legs = _legs_of(text, vocabulary)
    return ", then ".join(legs.said) if legs is not None else None


def only_legs(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence is a row of legs and has no order of another kind."""
    legs = _legs_of(text, vocabulary)
    if legs is None or "said" in legs.kinds:
        return False
    # The same move twice on end is one for the grammar: "go to the sofa twice" is for it to read as it was said.
    return all(leg != following for leg, following in itertools.pairwise(legs.said))


def fetched_on_the_way(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the legs of a sentence that says what is to be got where, "go to the fridge for the milk"; else None."""
    legs = _legs_of(text, vocabulary)
    return ", then ".join(legs.said) if legs is not None and "fetch" in legs.kinds else None


def _legs_of(text: str, vocabulary: Vocabulary) -> Legs | None:
    plain = _ALL_FOR_NOW.sub(" ", _unasked(text.strip()))
    for pattern, in_turn in _ON_THE_WAY:
        plain = pattern.sub(in_turn, plain)
    plain = _MINDING.sub(lambda said: f"{said[1]} {base_of(said[2].lower()) or said[2]}", plain)
    if not may_be_legs(plain) or _TOLD.search(_COURTEOUS.sub("", opened(plain))):
        return None
    legs = _LegReader(pieces(plain, vocabulary)).read()
    if legs is None or not legs.said or len(legs.said) > MOST_LEGS:
        return None
    if not legs.verbs and not (legs.marked and len(legs.said) > 1) and set(legs.kinds) != {"put"}:
        # Names alone order nothing.
        return None
    return None if set(legs.kinds) == {"said"} else legs


class _LegReader(LegRounds):
    """Reads the legs of one sentence; make a new one for each."""

    def read(self) -> Legs | None:
        """Return the legs, None when a word has no part in them."""
        readers = (
            self._ordinal, self._step_number, self._again, self._between, self._charging, self._waits, self._goes,
            self._comes, self._puts, self._lays, self._leads, self._place_alone, self._thing_alone, self._between_legs,
            self._as_said,
        )  # fmt: skip
        while self.at < len(self.pieces):
            start = len(self.legs.said)
            if not any(reader() for reader in readers):
                return None
            if len(self.legs.said) > start and self.ahead:
                self.ordinals.append((self.ahead, start))
                self.ahead = ""
        legs = self._in_order()
        if legs is not None and self.rounds > 1:
            legs.said, legs.kinds = legs.said * self.rounds, legs.kinds * self.rounds
        return legs

    # -- between the legs

    def _between_legs(self) -> bool:
        piece = self._piece(self.at)
        onward = piece.plays("again") and self._piece(self.at + 1).plays("to", "det", "place")
        if not piece.plays("mark", "and", "then", "polite", "row") and not onward:
            return False
        if piece.plays("then") and not (
            piece.text == "and then" and self._piece(self.at + 1).plays("det", "place")
        ):
            # "three times to the sofa and then the desk" is one round.
            self._rounds_end()
        self.legs.marked = self.legs.marked or piece.plays("then", "row") or ">" in piece.text
        self.at += 1
        return True

    # -- the legs

    def _goes(self) -> bool:
        piece = self._piece(self.at)
        if not piece.plays("go", "stand", "back"):
            return False
        at = self._skip(self.at, "go", "back", "polite")
        moved = at > self.at and any(one.plays("go") for one in self.pieces[self.at : at])
        if self._piece(at).plays("and") and self._piece(at + 1).plays("stand", "go"):
            at += 1
        stood = self._skip(at, "stand", "go")
        found = self._toward(stood)
        if found is None and moved and self._piece(stood).plays("to"):
            found = self._dock(stood + 1)
        placed = stood > at and found is not None and self._piece(stood).plays("at", "back")
        if found is None or not (moved or placed or self._piece(self._skip(self.at, "back")).plays("to")):
            return False
        if self._piece(stood - 1).text in _OF_THINGS and not self._piece(stood).plays("to", "at"):
            # "move the sofa" is no way of saying "go to the sofa".
            return False
        if found[0] == _CHARGER:
            self.legs.add("go", _CHARGER)
            self.at = found[1]
            self.legs.verbs += 1
            return True
        if self._fetched(found):
            return True
        stays, delay = self._time(found[1]), self._delay(found[1])
        if delay is not None:
            if not self._ends(delay[1]):
                return False
            self.legs.add("wait", f"wait {delay[0]:g} seconds")
            self.legs.add("go", f"go to {found[0]}")
            self.legs.verbs += 1
            self.at = delay[1]
            return True
        if (
            stays is None
            and not self._ends(found[1])
            and not self._piece(found[1]).plays("to", "go", "wait", "come")
        ):
            return False
        self.legs.add("go", f"go to {found[0]}")
        self.at = found[1]
        self.legs.verbs += 1
        if stays is not None:
            self.legs.add("wait", f"wait {stays[0]:g} seconds")
            self.at = stays[1]
        return True

    def _fetched(self, place: tuple[str, int]) -> bool:
        """Read "(go to the fridge) for the milk": what is to be got there."""
        things = self._things(place[1] + 1) if self._piece(place[1]).plays("for") else None
        pronouns = any(piece.plays("it") for piece in self.pieces[place[1] :])
        if things is None or not self._ends(things[1]):
            return False
        # "go to the kitchen for a cola and give it to Jane": then it is not for the one who asks.
        self.legs.add("fetch", f"{'get' if pronouns else 'bring me'} {things[0]} from {place[0]}")
        self.legs.verbs += 1
        self.at = things[1]
        return True

    def _time(self, at: int) -> tuple[float, int] | None:
        """Read "for two minutes", "there for a minute"."""
        at = self._skip(at, "there", "for", "polite")
        seconds = self._piece(at).seconds
        return (seconds, at + 1) if seconds else None

    def _dock(self, at: int) -> tuple[str, int] | None:
        at = self._skip(at, "to", "at", "back")
        return (_CHARGER, at + 1) if self._piece(at).plays("dock") and self._ends(at + 1) else None

    def _charging(self) -> bool:
        start = self._skip(self.at, "go", "back")
        start = self._skip(start, "and")
        if self._piece(start).plays("charging") and self._ends(start + 1):
            found: tuple[str, int] | None = (_CHARGER, start + 1)
        else:
            found = self._dock(self._skip(self.at, "go", "back"))
        bare = found is not None and found[1] == self.at + 1 and not self._piece(self.at).plays("charging")
        if found is None or (bare and not (self.legs.said or self.ahead)):
            return False
        self.legs.add("go", found[0])
        self.legs.verbs += 1
        self.at = found[1]
        return True

    def _comes(self) -> bool:
        """Read "come back", "back to me", "to me", "then me"."""
        at = self._skip(self.at, "come", "go", "back")
        came = any(piece.plays("come") for piece in self.pieces[self.at : at])
        if (self.ahead or self.legs.said) and self._piece(at).plays("me") and at == self.at:
            came, at = True, at + 1
        to = self._piece(at).plays("to")
        if to and self._piece(at + 1).plays("me"):
            at, came = at + 2, True
        elif self._piece(at).plays("me") and at > self.at:
            at += 1
        delay = self._delay(at)
        alone = at == self.at + 1 and self._piece(self.at).text == "back" and not self.legs.said
        if not came or not (self._ends(at) or delay) or alone:
            return False
        only_here = all(
            piece.text in ("here", "over here", "back", "me") for piece in self.pieces[self.at : at]
        )
        if only_here and not self.legs.said:
            return False
        if delay:
            self.legs.add("wait", f"wait {delay[0]:g} seconds")
        self.legs.add("come", COME)
        self.legs.verbs += 1
        self.at = delay[1] if delay else at
        return True

    def _delay(self, at: int) -> tuple[float, int] | None:
        """Read "in ten minutes", "after a minute": it is waited before."""
        seconds = self._piece(at + 1).seconds
        return (seconds, at + 2) if seconds and self._piece(at).text in ("in", "after") else None

    def _waits(self) -> bool:
        """Read "wait by the desk for a minute", "a minute there", "stay put thirty seconds"."""
        at = self._skip(self.at, "wait", "stand", "back", "go")
        if self._piece(at).plays("and") and self._piece(at + 1).plays("wait", "stand"):
            at = self._skip(at + 1, "wait", "stand", "back")
        waits = any(piece.plays("wait") for piece in self.pieces[self.at : at])
        stands = at > self.at
        place: tuple[str, int] | None = None
        if stands and self._piece(at).plays("at"):
            place = self._place(self._skip(at, "at"))
            if place is None:
                return False
            at = place[1]
        at = self._skip(at, "there", "polite")
        at += place is not None and self._piece(at).text == "," and self._time(at + 1) is not None
        time = self._time(at)
        if time is None:
            return False
        at = time[1]
        if place is None and self._piece(at).plays("at"):
            place = self._place(self._skip(at, "at"))
            if place is None:
                return False
            at = place[1]
        each = self._piece(at).text.startswith(("at each", "in each"))
        at = self._skip(at, "there")
        if not self._ends(at) or not (waits or place is not None or self.legs.said):
            return False
        if each:
            return self._stays_at_each(time[0], at)
        if place is not None:
            self.legs.add("go", f"go to {place[0]}")
            self.legs.marked = True
        self.legs.add("wait", f"wait {time[0]:g} seconds")
        self.legs.verbs += waits or stands
        self.legs.marked = True
        self.at = at
        return True

    def _stays_at_each(self, seconds: float, at: int) -> bool:
        """Read "the desk, the cabinet and the sofa, ten seconds at each"."""
        if set(self.legs.kinds) != {"go"}:
            return False
        self.legs.said = [leg for said in self.legs.said for leg in (said, f"wait {seconds:g} seconds")]
        self.legs.kinds = ["go", "wait"] * len(self.legs.kinds)
        self.legs.marked = True
        self.at = at
        return True

    def _puts(self) -> bool:
        if not self._piece(self.at).plays("put"):
            return False
        found = self._things(self._skip(self.at + 1, "polite"))
        if found is None:
            return False
        said, at, _ = found
        return self._put(said, at, verb=self._piece(self.at).text)

    def _put(self, said: str, at: int, verb: str = "") -> bool:
        """Read where a thing goes, perhaps after where it comes from."""
        at = self._skip(at, "back", "polite")
        source = ""
        if self._piece(at).plays("from"):
            left = self._place(self._skip(at + 1, "from"))
            if left is None:
                return False
            source, at = f" from {left[0]}", self._skip(left[1], "back", "polite", "and")
        if verb in ("put", "place", "set", "leave") and self._piece(at).plays("place") and self._ends(at + 1):
            # "put milk fridge"
            self.legs.add("put", f"put {said}{source} on the {self._piece(at).text}")
            self.legs.place, self.at = f"the {self._piece(at).text}", at + 1
            self.legs.verbs += 1
            return True
        if not self._piece(at).plays("to", "at"):
            return False
        towards = self._piece(at).plays("to") and not self._piece(at).plays("at")
        place = self._place(self._skip(at, "to", "at", "back"))
        if place is None or not self._ends(place[1]):
            return False
        carried = verb in (
            "take",
            "carry",
            "bring",
            "get",
            "deliver",
            "haul",
            "lug",
            "cart",
            "ferry",
            "transport",
            "run",
            "fetch",
        )
        loose = verb in _TIDYING and not self._piece(at - 1).plays("back")
        if (carried or loose) and not towards:
            # "get the milk in the fridge": that is where it is.
            return False
        word = "take" if towards and carried else "put"
        self.legs.add("put", f"{word} {said}{source} {'to' if word == 'take' else 'on'} {place[0]}")
        self.legs.place = place[0]
        self.legs.verbs += bool(verb)
        self.at = place[1]
        return True

    def _leads(self) -> bool:
        if not self._piece(self.at).plays("lead"):
            return False
        person = self._piece(self.at + 1)
        if not person.plays("person"):
            return False
        at = self._skip(self.at + 2, "back", "polite")
        place = self._place(self._skip(at, "to")) if self._piece(at).plays("to") else None
        if place is None or not self._ends(place[1]):
            return False
        self.legs.add("lead", f"guide {person.text} to {place[0]}")
        self.legs.verbs += 1
        self.at = place[1]
        return True

    def _place_alone(self) -> bool:
        """Read a place without a verb: in a row of places, or with "to"."""
        at = self._skip(self.at, "to", "at", "back")
        towards = any(piece.plays("to") for piece in self.pieces[self.at : at])
        found = self._place(at)
        goes_on = not self.legs.said or self.legs.kinds[-1] in ("go", "wait", "come", "fetch")
        if found is None or not goes_on:
            return False
        if self.legs.said and self._fetched(found):
            return True
        if self._piece(found[1]).text in ("you", "you can", "you should", "you will", "you may"):
            # "bathroom you go first, kitchen you can do after that"
            found = found[0], self._skip(found[1], "polite", "go", "repeat")
        time = self._time(found[1])
        if time is None and not self._ends(found[1]) and not self._piece(found[1]).plays("come"):
            return False
        self.legs.add("go", f"go to {found[0]}")
        self.legs.marked = self.legs.marked or towards
        self.at = found[1]
        if time is not None:
            self.legs.add("wait", f"wait {time[0]:g} seconds")
            self.legs.marked = True
            self.at = time[1]
        return True

    def _thing_alone(self) -> bool:
        """Read a thing and where it goes, without a verb: "fork in the dishwasher", "and the spoon beside it"."""
        found = self._things(self.at)
        if found is None or found[0] in ("it", "them", "one"):
            return False
        said, at, determined = found
        after_put = bool(self.legs.kinds) and self.legs.kinds[-1] == "put"
        beside = " ".join(piece.text for piece in self.pieces[at : at + 3])
        same = _SAME_PLACE.match(beside)
        if same and after_put and self.legs.place:
            self.legs.add("put", f"put {said} on {self.legs.place}")
            self.at = at + self._words(at, same[0])
            return True
        if self._piece(at).text in (":", "->", ">") and not self.legs.said:
            # "red wine: kitchen table"
            place = self._place(self._skip(at + 1, "to", "at", "back"))
            if place is not None and self._ends(place[1]):
                self.legs.add("put", f"put {said} on {place[0]}")
                self.legs.place, self.at = place[0], place[1]
                return True
        person = self._piece(at + 1)
        if self._piece(at).text in ("to", "for") and person.plays("person") and self._ends(at + 2):
            self.legs.add("said", f"give {said} to {person.text}")
            self.at = at + 2
            return True
        returned = self._piece(at).text == "back"
        moved = self._piece(self._skip(at, "back")).plays("to", "from")
        if determined and not (after_put or returned or moved):
            # "the fork in the dishwasher": that may be which fork is meant.
            return False
        return self._put(said, at)

    def _lays(self) -> bool:
        """Read "lay the table for two: bowl, spoon and fork": what goes there."""
        if self._piece(self.at).text not in ("lay", "set", "lay out", "set up"):
            return False
        place = self._place(self.at + 1)
        if place is None:
            return False
        at = place[1]
        if self._piece(at).plays("for") and self._piece(at + 1).plays("number", "det", "it", "me"):
            at += 2
        if not (self._piece(at).text in (":", "with") or self._piece(at).plays("mark")):
            return False
        things = self._things(self._skip(at + 1, "mark"))
        if things is None or not self._ends(things[1]):
            return False
        self.legs.add("put", f"put {things[0]} on {place[0]}")
        self.legs.place, self.at = place[0], things[1]
        self.legs.verbs += 1
        return True

    def _words(self, at: int, said: str) -> int:
        used, joined = 0, ""
        while joined != said and used < 6:
            joined = f"{joined} {self._piece(at + used).text}".strip()
            used += 1
        return used

    def _as_said(self) -> bool:
        """Hand on an order with a verb of another kind, up to the next leg."""
        opens = not self.at or self._ends(self.at - 1)
        halts = self._piece(self.at).text.startswith(("stop", "halt"))
        if not self._piece(self.at).plays("verb", "put", "lead", "wait") or halts or not opens:
            # "stop" said by itself stops the robot.
            return False
        end = self.at + 1
        while end < len(self.pieces) and not self._next_leg(end):
            end += 1
        words = [piece.text for piece in self.pieces[self.at : end]]
        while words and words[-1] in (",", ".", ";", "!", ":", "-"):
            words.pop()
        self.legs.add("said", re.sub(r" ([,.;:!])", r"\1", " ".join(words)))
        self.legs.verbs += 1
        self.at = end
        return True

    def _next_leg(self, at: int) -> bool:
        piece = self._piece(at)
        if piece.plays("then", "last"):
            return True
        if not piece.plays("mark", "and"):
            return False
        after = self._skip(at, "mark", "and", "polite")
        following = self._piece(after)
        if following.plays("then", "last"):
            return True
        return following.plays("verb", "go", "come", "wait", "put", "lead") and not following.plays(
            "thing", "place"
        )
