"""Chinese turns of phrase about questions and people, brought to one form before the grammar reads them.

People ask where a thing is in a hundred ways; the grammar knows one (「骰子在哪里」). Each form below is a pattern
and what it becomes; every word with content that a pattern takes is kept in what it becomes. The patterns know the
names of the vocabulary: ``{place}``, ``{thing}`` and ``{person}`` stand for any of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from zulong.agent.language.chinese_messages import Messages
from zulong.agent.language.chinese_people_forms import PEOPLE_FORMS, PEOPLE_MACROS, REPORT_FORMS
from zulong.agent.language.chinese_question_forms import EARLY_FORMS, MACROS, QUESTION_FORMS
from zulong.agent.language.lexicon import Vocabulary

_QUOTED = re.compile(r"([“\"「『‘][^”\"」』’]*[”\"」』’])")
_PRIVATE = 0xE000
_MOST_MESSAGES = 4
_SOMEBODY = (
    "他们", "她们", "他", "她", "大家", "所有人", "每个人", "各位", "大伙儿", "大伙", "那位", "这位", "那个人", "这个人",
    "那人", "这人", "对方", "客人们", "孩子们", "全家人", "全家",
)  # fmt: skip
_KIN = "爸爸 妈妈 爷爷 奶奶 外公 外婆 哥哥 姐姐 弟弟 妹妹 叔叔 阿姨 老婆 老公 女儿 儿子 老板 邻居 室友 同事 老师 爸 妈"


class ChineseForms:
    """The forms with the names of one vocabulary filled in."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        names = _names(vocabulary)
        macros = {**MACROS, **PEOPLE_MACROS, **names}
        self.early = _compiled(EARLY_FORMS, macros)
        self.questions = _compiled(QUESTION_FORMS, macros)
        self.people = _compiled(PEOPLE_FORMS, macros)
        self.reports = _compiled(REPORT_FORMS, macros)
        self.person = names["person"]
        self.place = names["place"]
        self.topics = frozenset(
            phrase
            for phrase, senses in vocabulary.chinese.items()
            if any(sense.kind == "topic" for sense in senses)
        )
        self.threats = tuple(
            phrase
            for phrase, senses in vocabulary.chinese.items()
            if any(sense.value == "dangerous" for sense in senses)
        )

        self.messages = Messages(self)

    def apply(self, text: str) -> str:
        """Return the sentence with every turn of phrase in the form that the grammar knows."""
        quotes: list[str] = []
        text = _masked(text, quotes)
        for forms in (self.early, self.reports):
            text = _rewritten(text, forms)
        for _ in range(_MOST_MESSAGES):
            text = _masked(self.messages.quoted(text), quotes)
        for forms in (self.people, self.questions):
            text = _masked(_rewritten(text, forms), quotes)
        return _unmasked(text, quotes)


@functools.lru_cache(maxsize=8)
def forms_of(vocabulary: Vocabulary) -> ChineseForms:
    """Return the forms for this vocabulary."""
    return ChineseForms(vocabulary)


def _names(vocabulary: Vocabulary) -> dict[str, str]:
    found: dict[str, list[str]] = {"place": [], "thing": [], "person": list(_SOMEBODY), "superlative": []}
    found["person"].extend(_KIN.split())
    kinds = {
        "room": "place", "placement": "place", "object": "thing", "category": "thing", "generic": "thing",
        "person": "person", "person_noun": "person", "superlative": "superlative",
    }  # fmt: skip
    for phrase, senses in vocabulary.chinese.items():
        for sense in senses:
            section = kinds.get(sense.kind)
            if section is not None and not phrase.isascii():
                found[section].append(phrase)
    return {section: _any(words) for section, words in found.items()}


def _any(words: Iterable[str]) -> str:
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, longest_first)) + ")"


def _compiled(
    forms: Sequence[tuple[str, str]], macros: dict[str, str]
) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_filled(pattern, macros)), form) for pattern, form in forms)


def _filled(pattern: str, macros: dict[str, str]) -> str:
    for _ in range(3):
        for name, value in macros.items():
            pattern = pattern.replace("{" + name + "}", value)
    return pattern


def _rewritten(text: str, forms: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for pattern, form in forms:
        text = pattern.sub(form, text)
    return text


def _masked(text: str, quotes: list[str]) -> str:
    """Return the text with one private character for each stretch in quotation marks."""

    def keep(found: re.Match[str]) -> str:
        quotes.append(found.group(0))
        return chr(_PRIVATE + len(quotes) - 1)

    return _QUOTED.sub(keep, text)


def _unmasked(text: str, quotes: Sequence[str]) -> str:
    for number in range(len(quotes) - 1, -1, -1):
        text = text.replace(chr(_PRIVATE + number), quotes[number])
    return text
