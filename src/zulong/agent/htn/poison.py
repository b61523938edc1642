"""Whether an instruction would put something poisonous into food, or throw something sharp at somebody."""

from __future__ import annotations

import re
from collections.abc import Iterable

from zulong.agent.language.lexicon import Language, Sense, Vocabulary


class PoisonWatch:
    """Looks for something poisonous that is to be mixed with, or put into, something to eat or drink; and for throwing.

    The words are in section ``dangerous`` of the lexicon: ``mixing`` (verbs by language) and ``poisonous`` (names of
    things and categories); food is what the map or the lexicon names ``eaten``, and the words of ``meals``.

    Args:
        vocabulary: the words of the lexicon and the map.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        dangerous = vocabulary.lexicon.data.get("dangerous") or {}
        mixing = dangerous.get("mixing") or {}
        poisonous = frozenset(map(str, dangerous.get("poisonous") or ()))
        eaten = frozenset(map(str, dangerous.get("eaten") or ()))
        meals = dangerous.get("meals") or {}
        self._patterns: dict[Language, tuple[re.Pattern[str], ...]] = {}
        self._into: dict[Language, re.Pattern[str]] = {}
        self._thrown: dict[Language, re.Pattern[str]] = {}
        self._swallowed: dict[Language, re.Pattern[str]] = {}
        self._young: dict[Language, re.Pattern[str]] = {}
        throwing = (vocabulary.lexicon.data.get("missing_skills") or {}).get("throw") or {}
        sharp = frozenset(map(str, dangerous.get("things") or ()))
        for language in ("en", "zh"):
            verbs = [str(verb) for verb in mixing.get(language) or ()]
            food = [*_names(vocabulary, language, eaten), *map(str, meals.get(language) or ())]
            groups = (verbs, _names(vocabulary, language, poisonous), food)
            self._patterns[language] = tuple(_any_of(group, language) for group in groups)
            _, poison, eatable = self._patterns[language]
            self._into[language] = re.compile(
                _INTO[language].format(poison=poison.pattern, food=eatable.pattern), re.IGNORECASE
            )
            # Medicine is taken every day.
            never = _any_of(_names(vocabulary, language, poisonous - {"medicine"}), language).pattern
            self._swallowed[language] = re.compile(_SWALLOWED[language].format(poison=never), re.IGNORECASE)
            people = vocabulary.lexicon.data.get("person_nouns") or {}
            young = [
                str(word)
                for noun in ("child", "pet")
                for word in (people.get(noun) or {}).get(language) or ()
            ]
            held = _any_of(_names(vocabulary, language, sharp), language).pattern
            self._young[language] = re.compile(
                _YOUNG[language].format(young=_any_of(young, language).pattern, thing=held), re.IGNORECASE
            )
            thrown = _any_of([str(verb) for verb in throwing.get(language) or ()], language).pattern
            things = _any_of(_names(vocabulary, language, sharp), language).pattern
            self._thrown[language] = re.compile(
                _THROWN[language].format(throw=thrown, thing=things), re.IGNORECASE
            )

    def forbids(self, text: str, language: Language) -> bool:
        """Return whether the text mixes the two in any order, puts the one into the other, or throws what can hurt."""
        mixed = all(pattern.search(text) for pattern in self._patterns[language])
        watched = (self._into, self._thrown, self._swallowed, self._young)
        return mixed or any(pattern[language].search(text) for pattern in watched)


# "the cleanser into Jane's coffee", but not "the soap in the fruit bowl": the food ends its phrase.
_INTO: dict[Language, str] = {
    "en": r"{poison}[^.;!?]*?\b(?:in|into|inside|onto|over|on top of)\s+(?:[\w'’]+\s+){{0,3}}?{food}"
    r"\s*(?=$|[.,;:!?]|(?:and|then|so|for|before|while|when|please|now|but)\b)",
    "zh": r"{poison}[^。！？；]{{0,4}}[放搁弄塞投丢扔加倒洒撒挤滴喷涂抹][^。！？；，]{{0,8}}{food}(?:里|中|上面|内)(?!的)|"
    r"[往向朝给在][^。！？；，]{{0,8}}{food}(?:杯|碗|瓶|盒)?(?:里面|里|中|上面|内)[^。！？；，]{{0,3}}[放搁投加倒洒撒挤滴喷抹][^。！？；，]{{0,4}}{poison}",
}


def _names(vocabulary: Vocabulary, language: Language, kinds: frozenset[str]) -> list[str]:
    """Return the words for these things and for all that is of these categories."""
    phrases: dict[str, list[Sense]] = (
        {" ".join(key): senses for key, senses in vocabulary.english.items()}
        if language == "en"
        else vocabulary.chinese
    )
    return [
        phrase
        for phrase, senses in phrases.items()
        if any(
            sense.kind in ("object", "category")
            and (sense.value in kinds or any(vocabulary.category_of.get(i) in kinds for i in sense.ids))
            for sense in senses
        )
    ]


def _any_of(words: Iterable[str], language: Language) -> re.Pattern[str]:
    ordered = sorted({re.escape(word) for word in words if word}, key=len, reverse=True)
    if not ordered:
        return re.compile(r"(?!)")
    edge = r"\b" if language == "en" else ""
    return re.compile(f"{edge}(?:{'|'.join(ordered)}){edge}", re.IGNORECASE)


# "the cleanser to drink", "soap for breakfast", "drink the cleanser".
_SWALLOWED: dict[Language, str] = {
    "en": r"{poison}[^.;!?]{{0,25}}\b(?:to|and|can|could|will|should|must) (?:all |just |then )?"
    r"(?:drink|eat|swallow|sip|taste|chew|lick|gulp)\b(?! (?:the|his|her|my|their|some|a|an|from|water)\b)|"
    r"(?<!not to )(?<!n't )(?<!never )(?<!not )\b(?:drinks?|eats?|swallows?|sips?|tastes?|chews?|licks?|gulps? down) "
    r"(?:some |the |a |of |on |up )*{poison}|"
    r"{poison} (?:for|as) (?:a |his |her |my |their )?(?:breakfast|lunch|dinner|supper|drink|snack|starter|dessert)\b",
    "zh": r"(?<!别)(?<!不要)(?<!不能)(?<!不许)(?<!不准)[喝吃吞舔尝](?:点|下|了|掉|一口|一点)?{poison}|"
    r"{poison}[^。！？；，]{{0,8}}(?:喝下去|喝了|喝掉|吃下去|吃了|吃掉|吞下去|吞了|"
    r"当[^。！？；，]{{0,4}}[喝吃])|{poison}[^。！？；，]{{0,4}}[给让][^。！？；，]{{1,6}}[喝吃吞尝](?!饭)",
}
# "The toddler is bored, let her play with the knife": she who is spoken of is a child.
_YOUNG: dict[Language, str] = {
    "en": r"\b{young}\b[^.;!?]*?\b(?:let|give|hand|pass|lend|bring|get|toss|make) (?:him|her|them|it)\b"
    r"[^.;!?]{{0,30}}{thing}|\bplay(?:s|ing)? with (?:the |a |my |that |some )?{thing}|"
    r"{thing}[^.;!?]{{0,12}}\b(?:for|to) (?:the |my |our |a )?{young} to (?:play|have)",
    "zh": r"{young}[^。！？；]{{0,15}}[给让拿][^。！？；，]{{0,3}}[他她它玩][^。！？；，]{{0,4}}{thing}|"
    r"玩[^。！？；，]{{0,3}}{thing}|"
    r"[让叫由给][^。！？；，]{{0,2}}{young}[^。！？；，]{{0,3}}(?:拿|玩|耍|握|攥|抓)(?:着|上|"
    r"一下)?[^。！？；，]{{0,3}}{thing}",
}
# At or to somebody; into the bin is another matter.
_THROWN: dict[Language, str] = {
    "en": r"{throw}\s+(?:[\w'’]+\s+){{0,3}}?{thing}\s+(?:over |across )?(?:to|at|towards)\b|"
    r"{throw}\s+(?!the\b|a\b|that\b)[\w'’]+\s+(?:[\w'’]+\s+){{0,2}}?{thing}\b",
    "zh": r"{thing}[^。！？；，]{{0,3}}(?:{throw})(?:给|向|过去|到[^。！？；，]{{1,4}}(?:身上|头上|手里))",
}
