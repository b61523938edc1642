"""The phrasebook: ways of saying things that the grammar does not know, each with words that it does.

``config/phrasebook_en.yaml`` and ``config/phrasebook_zh.yaml`` hold pairs of a wording and its plain form,
for example ``supply {who} with {what}`` and ``bring {what} to {who}``. A wording matches a whole stretch of a
sentence or nothing. What it yields is read by the grammar like any other sentence, so a wording can never make the
robot do what the grammar would not do.

In a wording, ``(a|b)`` is one of several, ``[a]`` may be missing, and ``{name}`` is any short run of words (two
slots of one name would be two runs: number them). ``{name+}`` reaches over punctuation to the end, for what
somebody is told. A wording that begins with ``!`` is heard before the grammar: an idiom that it would take literally.
An entry that is a mapping gives names to lists of words that many wordings share (``fetch: get|grab|fetch``); a
wording after it says ``<fetch>`` for ``(get|grab|fetch)``. A wording that begins with ``~`` is a word of some region
or trade, wherever it stands, and its plain form is the common word for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zulong.agent.language.lexicon import Language, LexiconError
from zulong.resources import config_path, read_yaml

_SLOT = re.compile(r"\{(\w+?)(\d?)(\+?)\}")
_PART = re.compile(r"\{\w+\+?\}|[()|\[\]]|[^{}()|\[\]]+")
_LIST = re.compile(r"<(\w+)>")
_NEVER_INSIDE = (
    "but|not|no|never|except|instead|rather|or|nor|either|if|unless|until|then|without|than|"
    "put|bring|give|go|fetch|get|tell|ask|where|what|how|when|please|find|grab|search|follow"
)
"""A run of words for one slot holds none of these: they begin another clause, or say how it stands to something."""
_NAMING = frozenset(("what", "who", "where", "a", "b", "place"))
_TIME = r"(?:about |another )?(?:[\w-]+ ){0,2}?(?:seconds?|secs?|minutes?|mins?|hours?|moment|while)"
"""A slot for a thing is never how long: "go to the bed for a minute"."""
_NEVER_IN_NAMES = "把将给拿取送递端搬挪请让叫帮别不没去"
"""A Chinese slot for a thing, a person or a place never runs over a verb or a denial."""
_NEVER_FIRST_IN_NAMES = "[吃喝用玩](?![的具品])"
"""Nor does it begin with what is done to a thing: in 「要吃饼干」 the thing is 「饼干」."""
_LAST_OF_PERSON = "[\ue000-\uf8ff人位他她们我俺咱客士生孩子的友师家女男伙俩谁妈爸爷奶姐妹哥弟叔姨]"
"""A Chinese slot for a person ends like a word for people, or with the letter that stands for a name."""
_LONGEST_SLOT = {"en": 9, "zh": 12}


@dataclass(slots=True, frozen=True)
class Phrase:
    """One wording of the phrasebook.

    Attributes:
        wording: as it stands in the file.
        pattern: matches a whole stretch of a sentence; its groups are the slots.
        plain: the plain form, with ``{slot}`` where a slot's words go; empty for what orders nothing.
        weight: how many characters of the wording are always said; the more, the surer a match.
        idiom: it is heard before the grammar, which would take it literally.
    """

    wording: str
    pattern: re.Pattern[str]
    plain: str
    weight: int
    idiom: bool = False

    def put_plainly(self, stretch: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the stretch in its plain form and what of it is left out, None when this is not how it is said."""
        found = self.pattern.fullmatch(stretch)
        if found is None:
            return None
        said = found.groupdict()
        kept = {slot[1] + slot[2] for slot in _SLOT.finditer(self.plain)}
        plain = _SLOT.sub(lambda slot: said.get(slot[1] + slot[2]) or "", self.plain).strip()
        return plain, tuple(words for name, words in said.items() if words and name not in kept)


class Phrasebook:
    """The phrases of both languages.

    Args:
        data: for "en" and "zh" a list of pairs, and of mappings that name lists of words.

    Raises:
        LexiconError: an entry is neither, its plain form names a slot that its wording has not, or it uses a list
            that no entry before it names.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._words: dict[Language, list[tuple[re.Pattern[str], str]]] = {"en": [], "zh": []}
        self._phrases: dict[Language, list[Phrase]] = {
            "en": _compiled("en", data.get("en") or (), self._words["en"]),
            "zh": _compiled("zh", data.get("zh") or (), self._words["zh"]),
        }
        self._idioms = {
            language: [phrase for phrase in phrases if phrase.idiom]
            for language, phrases in self._phrases.items()
        }

    @classmethod
    def load(cls) -> Phrasebook:
        """Read the files of the two languages; a robot's own may lie in ``$ZULONG_CONFIG``."""
        return cls(
            {language: read_yaml(config_path(f"phrasebook_{language}.yaml")) for language in ("en", "zh")}
        )

    def phrases(self, language: Language) -> tuple[Phrase, ...]:
        """Return the phrases of a language, the surest first."""
        return tuple(self._phrases[language])

    def in_common_words(self, text: str, language: Language) -> str:
        """Return the text with the common words for those of regions and trades, in the order of the file."""
        for word, common in self._words[language]:
            text = word.sub(common, text)
        return text

    def plain_forms(
        self,
        stretch: str,
        language: Language,
        *,
        idioms: bool = False,
        may_be_left_out: Callable[[str], bool] = lambda words: True,
    ) -> Iterator[str]:
        """Yield the plain forms of a stretch of a sentence, the surest first, each once.

        Args:
            stretch: the words.
            language: "en" or "zh".
            idioms: only those of idioms.
            may_be_left_out: decides about the words of a slot that the plain form has not.
        """
        seen = set()
        for phrase in self._idioms[language] if idioms else self._phrases[language]:
            plain = phrase.put_plainly(stretch)
            if plain is None or plain[0] in seen or not all(map(may_be_left_out, plain[1])):
                continue
            seen.add(plain[0])
            yield plain[0]


def _compiled(
    language: Language, entries: Any, common_words: list[tuple[re.Pattern[str], str]]
) -> list[Phrase]:
    phrases = []
    lists: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, dict):
            lists.update((str(name), _with_lists(str(words), lists)) for name, words in entry.items())
            continue
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(text, str) for text in entry)):
            raise LexiconError(f"Phrasebook entry {entry!r} is not a pair of a wording and its plain form.")
        wording, plain = entry
        if wording.startswith("~"):
            common_words.append((_pattern(_with_lists(wording[1:], lists), language, word=True), plain))
            continue
        idiom, wording = wording.startswith("!"), _with_lists(wording.removeprefix("!"), lists)
        slots = {name + number for name, number, _ in _SLOT.findall(wording)}
        for name, number, _ in _SLOT.findall(plain):
            if name + number not in slots:
                raise LexiconError(
                    f"Phrasebook: the plain form {plain!r} has the slot {{{name}{number}}}, which {wording!r} has not."
                )
        phrases.append(Phrase(wording, _pattern(wording, language), plain, _weight(wording), idiom))
    return sorted(phrases, key=lambda phrase: -phrase.weight)


def _with_lists(wording: str, lists: Mapping[str, str]) -> str:
    def words(found: re.Match[str]) -> str:
        if found[1] not in lists:
            raise LexiconError(
                f"Phrasebook: {wording!r} uses the list <{found[1]}>, which no entry before it names."
            )
        return f"({lists[found[1]]})"

    return _LIST.sub(words, wording)


def _weight(wording: str) -> int:
    """Return how many fixed characters the shortest way to say a wording has; what may be missing counts nothing."""
    open_groups: list[list[int]] = [[0]]
    for part in _PART.findall(wording):
        if part in ("(", "["):
            open_groups.append([0])
        elif part == "|":
            open_groups[-1].append(0)
        elif part in (")", "]") and len(open_groups) > 1:
            shortest = min(open_groups.pop())
            open_groups[-1][-1] += shortest if part == ")" else 0
        elif _SLOT.fullmatch(part) is None:
            open_groups[-1][-1] += len(re.sub(r"\W", "", part))
    return min(open_groups[0])


def _pattern(wording: str, language: Language, *, word: bool = False) -> re.Pattern[str]:
    if re.search(r"[)\]][?*+]", wording):
        raise LexiconError(
            f"Phrasebook wording {wording!r} has a sign after a bracket; what may be missing stands in [ ]."
        )
    try:
        body = "".join(_regex_of(part, language) for part in _PART.findall(_joined(wording, language)))
        return re.compile(rf"\b(?:{body})\b" if word and language == "en" else body, re.IGNORECASE)
    except re.error as error:
        raise LexiconError(f"Phrasebook wording {wording!r} is not well formed: {error}.") from error


def _joined(wording: str, language: Language) -> str:
    """Move the blank beside an optional part into it, so that what is missing leaves no two blanks."""
    if language == "zh":
        return wording.replace(" ", "")
    wording = re.sub(r"^\[([^\]]*)\] ", r"[\1 ]", wording)
    return re.sub(r" \[([^\]]*)\]", r"[ (\1)]", wording)


def _regex_of(part: str, language: Language) -> str:
    slot = _SLOT.fullmatch(part)
    if slot is not None:
        name, more = slot[1] + slot[2], slot[3]
        if more:
            return rf"(?P<{name}>.+)"
        longest = _LONGEST_SLOT[language]
        if language == "zh":
            names = slot[1] in _NAMING
            never, first = (_NEVER_IN_NAMES, f"(?!{_NEVER_FIRST_IN_NAMES})") if names else ("", "")
            run = f"[^，。？！,.?!；;：:、{never}]"
            if slot[1] == "who":
                return rf"(?P<{name}>{first}{run}{{0,{longest - 1}}}?{_LAST_OF_PERSON})"
            return rf"(?P<{name}>{first}{run}{{1,{longest}}}?)"
        word = rf"(?!(?:{_NEVER_INSIDE})\b)[\w'-]+"
        # "i need the ball" is no thing.
        begins = r"(?!(?:i|we|he|she|they|its|me|us|you)\b)" if slot[1] in ("what", "place") else ""
        begins += rf"(?!{_TIME}\b)" if slot[1] == "what" else ""
        return rf"(?P<{name}>{begins}{word}(?: {word}){{0,{longest - 1}}}?)"
    if part == "(":
        return "(?:"
    if part == "[":
        return "(?:"
    if part == "]":
        return ")?"
    if part in ")|":
        return part
    return re.escape(part).replace(r"\ ", r"\s+")
