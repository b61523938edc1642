"""Chinese turns of phrase about questions and people, brought to one form before the grammar reads them.

People ask where a thing is in a hundred ways; the grammar knows one (「骰子在哪里」). The ways are data:
``config/wordings_zh.yaml``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.agent.language.chinese_messages import Messages
from zulong.agent.language.lexicon import LexiconError, Sense, Vocabulary
from zulong.resources import config_path, read_yaml

_QUOTED = re.compile(r"([“\"「『‘][^”\"」』’]*[”\"」』’])")
_PRIVATE = 0xE000
_MOST_MESSAGES = 4
_LONGEST = 200
"""Nobody says more at once; beyond it the plain words are read as they are."""
_SOMEBODY = (
    "他们", "她们", "他", "她", "大家", "所有人", "每个人", "各位", "大伙儿", "大伙", "那位", "这位", "那个人", "这个人",
    "那人", "这人", "对方", "客人们", "孩子们", "全家人", "全家",
)  # fmt: skip
_KIN = "爸爸 妈妈 爷爷 奶奶 外公 外婆 哥哥 姐姐 弟弟 妹妹 叔叔 阿姨 老婆 老公 女儿 儿子 老板 邻居 室友 同事 老师 爸 妈"
_SECTIONS = ("macros", "when", "forms", "messages")
_BEFORE = ("early", "reports", "greeting")
_AFTER = ("guiding", "following", "waiting", "finding", "superlatives", "scenes", "where")


@dataclass(slots=True, frozen=True)
class _Group:
    """Forms that are tried where ``when`` is found (None: always), in their order."""

    when: re.Pattern[str] | None
    forms: list[tuple[re.Pattern[str], str]]

    def rewritten(self, text: str) -> str:
        if self.when is not None and not self.when.search(text):
            return text
        for pattern, form in self.forms:
            text = pattern.sub(form, text)
        return text


class ChineseWordings:
    """The forms of ``config/wordings_zh.yaml`` with the names of one vocabulary filled in.

    Raises:
        LexiconError: the file does not have the expected form.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        data = _wordings()
        names = name_patterns(vocabulary)
        macros = {**data["macros"], **names}
        said = {name: re.compile(pattern) for name, pattern in data["when"].items()}
        groups = {
            name: _Group(said.get(name), _compiled(forms, macros)) for name, forms in data["forms"].items()
        }
        self._before = [groups[name] for name in _BEFORE]
        self._after = [groups[name] for name in _AFTER]
        topics = _phrases(vocabulary, lambda sense: sense.kind == "topic")
        threats = _phrases(vocabulary, lambda sense: sense.value == "dangerous")
        self._messages = Messages(
            data["messages"], lambda text: _atomic(_filled(text, macros)), topics, threats
        )

    def apply(self, text: str) -> str:
        """Return the sentence with every turn of phrase in the form that the grammar knows."""
        if len(text) > _LONGEST:
            return text
        quotes: list[str] = []
        text = _masked(_rewritten(_masked(text, quotes), self._before), quotes)
        for _ in range(_MOST_MESSAGES):
            text = _masked(self._messages.quoted(text), quotes)
        return _unmasked(_masked(_rewritten(text, self._after), quotes), quotes)

    def knows(self, text: str) -> bool:
        """Tell whether a question or an errand with people is said here, which no idiom must hide."""
        worded = _rewritten(text, self._before[:1])
        return self.apply(text) != worded


@functools.lru_cache(maxsize=8)
def wordings_of(vocabulary: Vocabulary) -> ChineseWordings:
    """Return the forms for this vocabulary."""
    return ChineseWordings(vocabulary)


@functools.lru_cache(maxsize=8)
def name_patterns(vocabulary: Vocabulary) -> dict[str, str]:
    """Return a pattern for the names of places, things, people and superlatives."""
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
    first = "".join(sorted({re.escape(word[0]) for word in longest_first}))
    # What does not begin like any of them is passed by at once.
    return f"(?=[{first}])(?:" + "|".join(map(re.escape, longest_first)) + ")"


def _phrases(vocabulary: Vocabulary, wanted: Callable[[Sense], bool]) -> tuple[str, ...]:
    return tuple(phrase for phrase, senses in vocabulary.chinese.items() if any(map(wanted, senses)))


def read_wordings() -> dict[str, Any]:
    """Return the content of ``config/wordings_zh.yaml``.

    Raises:
        LexiconError: the file does not have the expected form.
    """
    data = read_yaml(config_path("wordings_zh.yaml"))
    needed = {*_BEFORE, *_AFTER}
    sections = isinstance(data, dict) and all(isinstance(data.get(name), dict) for name in _SECTIONS)
    if not sections or set(data["forms"]) != needed:
        raise LexiconError(
            f"wordings_zh.yaml must hold {', '.join(_SECTIONS)}, with the forms {', '.join(sorted(needed))}."
        )
    return dict(data)


_wordings = functools.cache(read_wordings)


def _compiled(forms: Iterable[Sequence[str]], macros: dict[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_atomic(_filled(pattern, macros))), form) for pattern, form in forms]


def _filled(pattern: str, macros: dict[str, str]) -> str:
    for _ in range(4):
        for name, value in macros.items():
            pattern = pattern.replace("{" + name + "}", value)
    return pattern


def _atomic(pattern: str) -> str:
    """Make each word of a repeated choice (``(?:想|想想)*``) atomic: else a long text would take for ever."""
    opened: list[int] = []
    changed = list(pattern)
    escaped = in_set = False
    for position, char in enumerate(pattern):
        if escaped or char == "\\":
            escaped = not escaped
        elif in_set or char == "[":
            in_set = char != "]"
        elif char == "(":
            opened.append(position)
        elif char == ")":
            start = opened.pop()
            if pattern[start : start + 3] == "(?:" and pattern[position + 1 : position + 2] in ("*", "+"):
                changed[start + 2] = ">"
    return "".join(changed)


def _rewritten(text: str, groups: Iterable[_Group]) -> str:
    for group in groups:
        text = group.rewritten(text)
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
