"""Second hearing: plainer wordings of a sentence that the grammar did not understand.

Three things are tried, alone and together: the wordings of the phrasebook, courtesies left out, and background
told with the order ("Angel has had no breakfast yet, so take the cereal to her"): what it names stands in for the
pronouns of the order, where something is told to be is kept, and the rest is left out. Only a stretch with a
subject of its own that wants nothing, forbids nothing and sets no condition counts as background; every wording
is then read by the grammar with the same rigour as what was said.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zulong.agent.language.chinese_asked import asked_and_ordered
from zulong.agent.language.chinese_deliveries import plain_orders
from zulong.agent.language.chinese_flow import course
from zulong.agent.language.chinese_gist import gist as orders_of
from zulong.agent.language.chinese_provided import provided as chinese_provided
from zulong.agent.language.chinese_wordings import wordings_of
from zulong.agent.language.chinese_words import plain as narrow
from zulong.agent.language.english_chatter import without_manner
from zulong.agent.language.english_deliveries import Deliveries
from zulong.agent.language.english_gist import gist
from zulong.agent.language.english_legs import fetched_on_the_way, in_legs, may_be_legs, only_legs
from zulong.agent.language.english_provisos import hung, provided
from zulong.agent.language.lexicon import Language, Vocabulary
from zulong.agent.language.phrasebook import Phrasebook
from zulong.agent.language.provided import Provided
from zulong.agent.language.reader import read
from zulong.agent.language.rewording_chinese import ChineseBackground
from zulong.agent.language.rewording_english import EnglishBackground
from zulong.agent.language.stretches import Background, Stretch
from zulong.agent.language.tokens import language_of

_NOT_BROUGHT = re.compile(
    r"\b(?:do not|don't|dont|never|(?:must|should|shall|may|need|can|could) ?n[o']t|mustnt|shouldnt|not to) (?:[a-z]+ )?"
    r"(?:get|bring|fetch|give|take|hand|pass|carry|deliver|put|grab|serve|go|pick)\b[^,.;!?]* and\b|"
    r"\b(?:pop|put|set|plonk|place|lay|stick) (?:the|my|that|a|it) (?:[a-z]+ )*?down\b",
    re.IGNORECASE,
)
"""How far the "not" reaches is not clear: "do not get the apple and give it to Jane"; what is put down is not brought."""
_MOST_STRETCHES = 14
_LONGEST = 400
"""Nobody is heard again who speaks longer than this; patterns tried on more would take their time."""
_MOST_WORDINGS = 16
_CHOICES = 3


class Rewording:
    """Finds plainer wordings.

    Args:
        vocabulary: the words of the lexicon and the map.
        phrasebook: by default the files in ``config/``.
    """

    def __init__(self, vocabulary: Vocabulary, phrasebook: Phrasebook | None = None) -> None:
        self._vocabulary = vocabulary
        self._phrasebook = phrasebook if phrasebook is not None else Phrasebook.load()
        self._deliveries = Deliveries(vocabulary)
        self._background: dict[Language, Background] = {
            "en": EnglishBackground(vocabulary),
            "zh": ChineseBackground(vocabulary),
        }

    def without_idioms(self, text: str) -> str | None:
        """Return the sentence with its idioms put plainly, None when it has none."""
        language = language_of(text)
        background = self._background[language]
        if len(text) > _LONGEST:
            return None
        if language == "en":
            hanging = hung(without_manner(self._phrasebook.in_common_words(text, language)), self._vocabulary)
            if hanging is not None:
                return hanging
            if only_legs(without_manner(text), self._vocabulary):
                return in_legs(without_manner(text), self._vocabulary)
            fetched = fetched_on_the_way(without_manner(text), self._vocabulary) if " for " in text else None
            if fetched is not None:
                return fetched
        stretches = background.split(self._phrasebook.in_common_words(text, language))
        if len(stretches) > _MOST_STRETCHES:
            return None
        if isinstance(background, ChineseBackground):
            ordered = asked_and_ordered(text, self._vocabulary, background)
            if ordered is not None:
                return ordered
            for order in plain_orders(text, self._vocabulary, background, early=True):
                return order
            if wordings_of(self._vocabulary).knows(narrow(text)):
                return None
        plain = [replace(stretch, text=background.without_courtesies(stretch.text)) for stretch in stretches]
        looked_up = self._looked_up([stretch for stretch in plain if stretch.text], language, idioms=True)
        return background.joined(looked_up) if any(stretch.looked_up for stretch in looked_up) else None

    def provided(self, text: str) -> Provided | None:
        """Return the condition of a sentence with the orders that hang on it, None when it has none."""
        if len(text) > _LONGEST:
            return None
        if language_of(text) == "zh":
            return chinese_provided(text, self._vocabulary, lambda words: read(words, self._vocabulary))
        common = without_manner(self._phrasebook.in_common_words(text, "en"))
        return provided(common, self._vocabulary, lambda words: read(words, self._vocabulary))

    def delivered(self, text: str) -> str | None:
        """Return an English sentence that is deliveries in pieces as plain orders, None when it is anything else."""
        common = without_manner(self._phrasebook.in_common_words(text, "en"))
        if _NOT_BROUGHT.search(common):
            return None
        background = self._background["en"]
        stretches = background.split(common)
        ordered = [stretch for stretch in stretches if not background.tells(stretch)]
        if any(only_legs(background.joined(said), self._vocabulary) for said in (stretches, ordered) if said):
            # "fork in the dishwasher, lunch is at one": where it goes, not which one is wanted.
            return None
        return self._deliveries.plain(common)

    def wordings(self, text: str) -> Iterator[str]:
        """Yield plainer wordings of a sentence, the closest to what was said first, at most 16, each once."""
        language = language_of(text)
        background = self._background[language]
        if len(text) > _LONGEST:
            return
        common = self._phrasebook.in_common_words(text, language)
        if language == "en":
            common = without_manner(common)
        stretches = background.split(common)
        if len(stretches) > _MOST_STRETCHES:
            return
        seen = {text}
        ordered = language == "en" and may_be_legs(common)
        legs = in_legs(common, self._vocabulary) if ordered else None
        if legs is not None:
            seen.add(legs)
            yield legs
        if common != text:
            seen.add(common)
            yield common
        for wording in self._leg_by_leg(self._in_order(text, stretches, language, background), ordered):
            if wording.strip() and wording not in seen:
                seen.add(wording)
                yield wording
            if len(seen) > _MOST_WORDINGS:
                break
        plain = gist(common, self._vocabulary) if language == "en" else None
        if plain is not None and plain not in seen:
            yield plain

    def _leg_by_leg(self, wordings: Iterator[str], ordered: bool) -> Iterator[str]:
        """Yield each English wording also with its legs put plainly, where it is a row of legs."""
        for wording in wordings:
            legs = in_legs(wording, self._vocabulary) if ordered else None
            if legs is not None:
                yield legs
            yield wording

    def _in_order(
        self, text: str, stretches: Sequence[Stretch], language: Language, background: Background
    ) -> Iterator[str]:
        plain = [replace(stretch, text=background.without_courtesies(stretch.text)) for stretch in stretches]
        plain = [stretch for stretch in plain if stretch.text]
        looked_up = (self._looked_up(plain, language, choice=choice) for choice in range(_CHOICES))
        versions: Iterator[list[Stretch]] = itertools.chain(looked_up, [plain])
        if isinstance(background, ChineseBackground):
            # Put together from its words a sentence keeps more of its background than with that left out.
            kept = [*versions]
            in_order = course(text, self._vocabulary, background)
            if in_order is not None:
                yield in_order
            said, versions = [background.joined(version) for version in kept], iter(kept)
            yield from said
            yield from plain_orders(text, self._vocabulary, background)
            for whole in dict.fromkeys((text, background.joined(stretches), said[0])):
                orders = orders_of(whole, self._vocabulary, background)
                if orders is not None:
                    yield orders
        for version in versions:
            yield background.joined(version)
            told = [number for number, stretch in enumerate(version) if background.tells(stretch)]
            if told and len(told) < len(version):
                yield from background.retold(version, told)

    def _looked_up(
        self, stretches: Sequence[Stretch], language: Language, *, idioms: bool = False, choice: int = 0
    ) -> list[Stretch]:
        """Put the longest runs of stretches that the phrasebook knows plainly, the choice-th way where there is one."""
        background = self._background[language]
        found: list[Stretch] = []
        at = 0
        while at < len(stretches):
            for end in range(len(stretches), at, -1):
                run = stretches[at:end]
                said, names = background.with_whole_names(background.joined(run).rstrip(" ,.;!?，。；！？、"))
                forms = self._phrasebook.plain_forms(
                    said, language, idioms=idioms, may_be_left_out=background.names
                )
                plain = next(reversed([*itertools.islice(forms, choice + 1)]), None)
                for letter, name in names.items():
                    plain = plain.replace(letter, name) if plain is not None else None
                if plain is not None:
                    # The plain form of what orders nothing is empty.
                    found.append(Stretch(plain, run[-1].mark, looked_up=True))
                    at = end
                    break
            else:
                found.append(stretches[at])
                at += 1
        return found
