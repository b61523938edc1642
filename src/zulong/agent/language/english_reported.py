"""From reported to direct speech in English: what somebody is to be told or asked, as the robot says it to that person.

"Tell Jane that you will bring her an apple" is said as "I will bring you an apple": "you" is the robot, "she" the
person spoken to. What the speaker says of himself is passed on in his own words, as a note would be: "tell Jane that I
will be late" is said as "I will be late". An indirect question becomes a direct one: "if she wants tea" is asked as "do
you want tea?".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9][a-z0-9'-]*|[^a-z0-9\s]")
_SHORT = {"'s": "is", "'re": "are", "'m": "am", "'ve": "have", "'ll": "will", "'d": "would"}
_PRONOUN_SHORT = re.compile(r"(i|you|she|he|they|who|what|where|when|how)('(?:s|re|m|ve|ll|d))$")
_PARTICIPLES = frozenset(
    (
        "been", "got", "had", "seen", "gone", "done", "eaten", "taken", "slept", "found", "lost", "heard", "met", "left",
        "made", "come", "bought", "brought", "forgotten", "broken", "drunk", "given", "sent", "told", "put", "read",
        "written", "said", "won", "woken", "fallen", "felt",
    )
)  # fmt: skip
_ADVERBS = frozenset(
    (
        "always", "never", "also", "really", "just", "still", "only", "often", "already", "probably", "now", "usually",
        "sometimes", "ever", "even", "all", "both", "maybe", "perhaps", "certainly", "definitely", "not",
    )
)  # fmt: skip
_BE = frozenset(("is", "are", "am", "was", "were"))
_MODALS = frozenset(
    (
        "will", "would", "can", "could", "should", "shall", "must", "may", "might", "won't", "wouldn't", "can't",
        "couldn't", "shouldn't", "mustn't", "isn't", "aren't", "wasn't", "weren't", "did", "didn't",
    )
)  # fmt: skip
_FINITE = _BE | _MODALS | {"have", "has", "had", "do", "does", "don't", "doesn't", "haven't", "hasn't"}
_LISTING = frozenset(("and", "or", "but", ",", ":", "so", "as"))
_TO_YOU = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't",
    "hasn't": "haven't", "doesn't": "don't",
}  # fmt: skip
_TO_ME = {"are": "am", "were": "was", "weren't": "wasn't"}
_TO_ADDRESSED = {"am": "are", "was": "were", "wasn't": "weren't"}
_OPENS = frozenset(
    (
        "that", "if", "whether", "what", "when", "where", "why", "how", "because", "since", "and", "but", "so", "as",
        "than", "before", "after", "until", "while", "which", "who", "or", ",", ":", "once", "unless", "though", "think",
        "thinks", "hope", "hopes", "know", "knows", "sure", "say", "says", "believe", "believes",
    )
)  # fmt: skip
_AFTER_HER = frozenset(
    (
        "to", "in", "on", "at", "for", "from", "with", "about", "by", "into", "of", "and", "or", "but", "that", "if",
        "when", "because", "before", "after", "as", "than", "what", "where", "how", "who", "why", "today", "now", "then",
        "there", "here", "tomorrow", "tonight", "soon", "later", "very", "so", "too", "again", "always", "back", "up",
        "down", "well", "out", "over", "away", "yesterday", "a", "an", "the", "some", "this", "my", "your", "his", "much",
        "something", "anything", "please", "right", "home", "is", "are", "was", "will", "can", "?", ".", ",", "!",
    )
)  # fmt: skip
"""Words before which "her" is she and not what is hers."""
_GIVING = frozenset(
    ("bring", "give", "get", "show", "send", "make", "buy", "hand", "pass", "offer", "fetch", "tell")
)
_COUNTS = frozenset(("one", "two", "three", "four", "five", "six", "another", "more", "any", "several"))
_FEMALE = frozenset(
    (
        "jane", "simone", "mary", "anna", "sarah", "emma", "julia", "maria", "lisa", "laura", "susan", "linda", "barbara",
        "mother", "mom", "mum", "grandma",
    )
)  # fmt: skip
_MALE = frozenset(
    (
        "axel", "john", "peter", "tom", "david", "james", "michael", "paul", "bob", "robert", "max", "thomas", "gregory",
        "father", "dad", "grandpa",
    )
)  # fmt: skip
"""Names that only women, only men have: "he" of a message to Jane is somebody else."""
_PEOPLE = frozenset(
    (
        "man", "woman", "guy", "lady", "boy", "girl", "person", "somebody", "someone", "mother", "father", "mom", "mum",
        "dad", "son", "daughter", "brother", "sister", "friend", "neighbour", "neighbor", "doctor", "wife", "husband",
        "grandma", "grandpa",
        "boss", "colleague", "guest", "visitor", "child", "kid", "teacher", "nurse", "aunt", "uncle", "cousin",
    )
)  # fmt: skip
"""Words for somebody of whom a pronoun after them may speak."""
_SHE, _HE = frozenset(("she", "her", "hers", "herself")), frozenset(("he", "him", "his", "himself"))
_THEY = frozenset(("they", "them", "their", "theirs", "themselves"))
_SELF = frozenset(("i", "me", "my", "mine", "myself"))
_YOU = frozenset(("you", "your", "yours", "yourself"))
_AS_YOU = {"her": "you", "hers": "yours", "herself": "yourself", "him": "you", "his": "your", "himself": "yourself",
           "she": "you", "he": "you", "they": "you", "them": "you", "their": "your", "theirs": "yours",
           "themselves": "yourself"}  # fmt: skip
_AS_ME = {"you": "me", "your": "my", "yours": "mine", "yourself": "myself"}
_AS_SAID = {"i": "I", "me": "me", "my": "my", "mine": "mine", "myself": "myself"}
_AS_ADDRESSED = {"i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself"}
_PAST = {
    "slept": "sleep", "ate": "eat", "drank": "drink", "went": "go", "came": "come", "saw": "see", "felt": "feel",
    "got": "get", "had": "have", "made": "make", "took": "take", "found": "find", "lost": "lose", "knew": "know",
    "said": "say", "heard": "hear", "left": "leave", "met": "meet", "bought": "buy", "brought": "bring",
    "thought": "think", "gave": "give", "told": "tell", "wrote": "write", "broke": "break", "forgot": "forget",
    "wanted": "want", "needed": "need", "liked": "like", "called": "call", "enjoyed": "enjoy", "watched": "watch",
    "finished": "finish", "asked": "ask", "did": "do",
}  # fmt: skip
_FORMULAS = frozenset(
    (
        "thank",
        "thanks",
        "bless",
        "see",
        "love",
        "miss",
        "sorry",
        "congratulations",
        "happy",
        "good",
        "well",
        "best",
        "hello",
    )
)
"""What opens words that are said to somebody as they are: "thank you", "see you soon"."""
_UNCHANGED = frozenset(("put", "let", "cut", "hit", "set", "shut", "hurt", "read", "cost", "quit"))
_DETERMINERS = frozenset(
    ("the", "a", "an", "my", "your", "their", "our", "this", "that", "these", "those", "his")
)
_SUBJECTS = frozenset(("you", "i", "it", "they", "we", "there", "she", "he"))


@dataclass(slots=True)
class _Spoken:
    """A word as it is said, whether it is the subject of its clause, and whether it is a past form like its base."""

    text: str
    subject: bool = False
    past: bool = False


@dataclass(slots=True, frozen=True)
class Direct:
    """What is said to somebody.

    Attributes:
        text: the words.
        unclear: words of which it is not clear whom they mean.
    """

    text: str
    unclear: tuple[str, ...] = ()


def told(said: str, who: str, names: Collection[str] = (), *, with_that: bool = True) -> Direct:
    """Return a message as the robot says it to ``who``."""
    said = re.sub(r"\band that (?=(?!is\b|was\b)[a-z])", "and ", said)
    said = re.sub(r",? and not to (?=[a-z])", " and please do not ", said)
    said = re.sub(
        r"(?<=[a-z]),? and to (?=[a-z])(?!(?:the|a|an|my|your|her|his|you|him|them|me)\b)",
        " and please ",
        said,
    )
    words, unclear = _turned(said, who, names, with_that)
    return Direct(_shortened(_joined(words), said), unclear)


def requested(said: str, who: str, names: Collection[str] = ()) -> Direct:
    """Return "come to me" of "tell her to come to me" as the robot asks for it."""
    said = re.sub(r"\band that (?=(?!is\b|was\b)[a-z])", "and ", said.removeprefix("please "))
    said = re.sub(r"\b(and|or|then) to (?=[a-z])(?!(?:the|a|an|my|your|her|his)\b)", r"\1 ", said)
    words, unclear = _turned(said, who, names, True, imperative=True)
    return Direct(f"Please {_joined(words)}.", unclear)


def asked(said: str, who: str, names: Collection[str] = ()) -> Direct:
    """Return an indirect question as the robot asks it."""
    questions: list[str] = []
    unclear: tuple[str, ...] = ()
    for part in re.split(r",? and (?=(?:if|whether|what|when|why|how|where|which|who|whose)\b)", said):
        plain = re.sub(r"^(whether|if) or not ", r"\1 ", part)
        words, doubts = _turned(plain, who, names, True)
        unclear = (*unclear, *doubts)
        questions.append(_joined(_inverted(words, names)))
    return Direct(f"{' and '.join(questions)}?", unclear)


def _joined(words: list[_Spoken]) -> str:
    return re.sub(r" (?=[,.!?;:])", "", " ".join(word.text for word in words))


def _shortened(text: str, said: str) -> str:
    """Return the text with "I will" as short as it was said."""
    for short in re.findall(r"\bi'(?:m|ve|ll|d)\b", said):
        opened = "(?:would|had)" if short == "i'd" else _SHORT[short[1:]]
        text = re.sub(rf"\bI {opened}\b", "I" + short[1:], text, count=1)
    return text


def _opened(said: str) -> list[str]:
    """Return the words with the short forms of pronouns opened."""
    words: list[str] = []
    found = _WORD.findall(said)
    for number, word in enumerate(found):
        match = _PRONOUN_SHORT.match(word)
        if match is None:
            words.append("cannot" if word == "can not" else word)
            continue
        long = _SHORT[match[2]]
        after = found[number + 1] if number + 1 < len(found) else ""
        if match[2] == "'s" and after in _PARTICIPLES:
            long = "has"
        if match[2] == "'d" and (after in _PARTICIPLES or after == "better"):
            long = "had"
        words.extend((match[1], long))
    return words


def _is_named(who: str, names: Collection[str]) -> bool:
    if " and " in who:
        return False
    return who in names or (
        " " not in who and who not in ("everyone", "everybody", "someone", "somebody", "whoever")
    )


def _meant(who: str, word: str, names: Collection[str]) -> bool:
    """Tell whether a pronoun can mean whom the words are said to."""
    if not who:
        return False
    female = who in _FEMALE or bool(re.search(r"\b(?:woman|lady|girl)\b", who))
    male = who in _MALE or bool(re.search(r"\b(?:man|guy|boy|gentleman)\b", who))
    if word in _SHE:
        return not male
    if word in _HE:
        return not female
    return word in _THEY and (who in ("them", "they") or not _is_named(who, names))


def _singular(word: str, after: str) -> bool:
    """Tell "they is" and "they wants", which mean one person."""
    return word == "they" and (after in _TO_YOU or (_base(after) != after and after not in _ADVERBS))


def _turned(
    said: str, who: str, names: Collection[str], with_that: bool, *, imperative: bool = False
) -> tuple[list[_Spoken], tuple[str, ...]]:
    """Return the words with the persons of speech turned, and what is unclear."""
    words = _opened(said)
    turned: list[_Spoken] = []
    unclear: list[str] = []
    spoken_to = who in ("me", "us")
    selves = _AS_ADDRESSED if spoken_to else _AS_SAID
    agree: dict[str, str] | None = None
    third = False
    other, since = False, 0
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        after = words[number + 1] if number + 1 < len(words) else ""
        if agree is not None:
            if word in _ADVERBS:
                turned.append(_Spoken(word))
                continue
            if third and word in _UNCHANGED:
                # "she put it there": of now it would be "puts".
                turned.append(_Spoken(word, past=True))
                agree = None
                continue
            word, agree = _agreeing(word, agree, third), None
        if (word in names and word != who) or (word in _PEOPLE and word not in who.split()):
            other, since = True, number
        if word in _YOU and (words[0] in _FORMULAS or words[:3] == ["you", "are", "welcome"]):
            turned.append(_Spoken(word))
            continue
        if word in _YOU:
            subject = word == "you" and (number == 0 or before in _OPENS or after in _FINITE)
            if not with_that and not subject and words[:1] == ["i"]:
                # "tell Jane I love you": nobody tells that of the robot.
                turned.append(_Spoken(word))
                continue
            if with_that and not subject and word == "you" and words[:1] == ["i"]:
                unclear.append(word)
            turned.append(_Spoken("I" if subject else _AS_ME[word], subject))
            agree, third = (_TO_ME, False) if subject else (None, False)
        elif word == "i" and words[max(0, number - 2) : number] == ["you", "and"]:
            unclear.append("you and i")
            turned.append(_Spoken("they", True))
        elif word in _SELF:
            turned.append(_Spoken(selves[word], word == "i"))
            agree, third = (_TO_ADDRESSED, False) if word == "i" and spoken_to else (None, False)
        elif (word in _SHE or word in _HE or word in _THEY) and (
            _meant(who, word, names) or _singular(word, after)
        ):
            objective = word in ("him", "them") or (word == "her" and _object(before, after))
            if objective and imperative and word not in _THEY:
                # "tell Jane to help her": not herself.
                unclear.extend([word] if any(one in _OPENS - _LISTING for one in words[:number]) else [])
                turned.append(_Spoken(word))
                continue
            if other and (not objective or _of_another(words[since:number], names)):
                # "tell Jane that Adel has lost her cup": whose cup that is, is not clear.
                unclear.append(word)
            subject = word in ("she", "he", "they")
            text = "your" if word == "her" and not objective else _AS_YOU[word]
            if word == "his" and after in ("", ".", ",", "?", "and", "or", "but", "too"):
                text = "yours"
            turned.append(_Spoken(text, subject))
            agree, third = (_TO_YOU, True) if subject else (None, False)
            if (
                subject
                and turned[-2:-1]
                and turned[-2].text in _TO_YOU
                and (number < 2 or before not in words[:1])
            ):
                turned[-2].text = _TO_YOU[turned[-2].text]
        else:
            turned.append(_Spoken(word, word in ("it", "we", "there") or (word in ("she", "he", "they"))))
    return turned, tuple(dict.fromkeys(unclear))


def _of_another(between: list[str], names: Collection[str]) -> bool:
    """Tell whether somebody else than who was named before does what is done: "Adel wants you to bring her ..."."""
    return any(
        word in ("that", "if", "because", "when", "before", "after")
        or (
            word == "to"
            and (between[at - 1] in _YOU | _SELF | _SHE | _HE or (at > 1 and between[at - 1] in names))
        )
        for at, word in enumerate(between)
    )


def _object(before: str, after: str) -> bool:
    """Tell "(bring) her (an apple)" from "her (cup)"."""
    return not after or after in _AFTER_HER or (after in _COUNTS and before in _GIVING)


def _agreeing(word: str, forms: dict[str, str], third: bool) -> str:
    if word in forms:
        return forms[word]
    return _base(word) if third else word


def _base(word: str) -> str:
    """Return "want" for "wants"."""
    if not word.endswith("s") or word.endswith(("ss", "us", "'s")) or len(word) < 4 or word in _FINITE:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "oes")) else word[:-1]


def _inverted(words: list[_Spoken], names: Collection[str]) -> list[_Spoken]:
    """Put the words of an indirect question in the order of a direct one."""
    if words and words[0].text in ("if", "whether"):
        return _verb_first(words[1:], names)
    start = 1
    while start < min(len(words), 6) and not (
        words[start].subject or words[start].text in _DETERMINERS or words[start].text in names
    ):
        if words[start].text in _FINITE:
            # "who is there": the question word is the subject.
            return words
        start += 1
    if start >= min(len(words), 6):
        return words
    return [*words[:start], *_verb_first(words[start:], names)]


_CONTRACTED = frozenset(
    ("it's", "that's", "there's", "this's", "dinner's", "lunch's", "breakfast's", "supper's")
)


def _verb_first(words: list[_Spoken], names: Collection[str]) -> list[_Spoken]:
    """Turn "you want tea" into "do you want tea", "the bus is late" into "is the bus late"."""
    if not words:
        return words
    if words[0].text in _CONTRACTED:
        return [_Spoken("is"), _Spoken(words[0].text.removesuffix("'s")), *words[1:]]
    named = words[0].text in names and not (len(words) > 1 and words[1].text in ("and", "or", ","))
    listed = len(words) > 1 and words[1].text in ("and", "or")
    pronoun = (words[0].subject and not listed) or named
    at = 1
    while at < len(words) and words[at].text in _ADVERBS and words[at].text != "not":
        at += 1
    if not pronoun:
        while at < min(len(words), 8) and words[at].text not in _FINITE:
            if words[at].text in ("who", "that", "which", ","):
                return words
            at += 1
        if at >= min(len(words), 8):
            return words
    if at >= len(words):
        return words
    verb, after = words[at].text, words[at + 1].text if at + 1 < len(words) else ""
    perfect = after in _PARTICIPLES or after.endswith("ed") or after in _ADVERBS
    if verb in _BE | _MODALS or (verb in ("have", "has", "had", "haven't", "hasn't") and perfect):
        return [_Spoken(verb), *words[:at], *words[at + 1 :]]
    if verb in ("don't", "doesn't"):
        return [_Spoken(verb), *words[:at], *words[at + 1 :]]
    if not pronoun:
        return words
    if words[at].past:
        return [_Spoken("did"), *words]
    if verb in _PAST:
        return [_Spoken("did"), *words[:at], _Spoken(_PAST[verb]), *words[at + 1 :]]
    if verb.endswith("ed") and verb not in ("need", "feed", "speed"):
        return words
    singular = named or words[0].text in ("it", "she", "he")
    if named and _base(verb) == verb and verb != "has":
        return words
    if singular:
        base = "have" if verb == "has" else _base(verb)
        return [_Spoken("does"), *words[:at], _Spoken(base), *words[at + 1 :]]
    return [_Spoken("do"), *words]
