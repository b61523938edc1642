"""What stands in an English sentence that speaks against the orders that were read out of it.

"I will bring Jane the apple" says what the speaker does, "thanks for bringing me the apple" what was done, "how are
you going to bring it?" asks: the verb is there, the order is not. The reader of clauses, frames and wordings all look
for orders; here the sentence as it was said is looked at for whose deed each verb is. A verb with a subject of its own
or under words of thanks, regret or ability orders nothing, and a plan that rests on it has to be confirmed first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zulong.agent.language.english_frames import base_of
from zulong.agent.language.english_roles import misplaced
from zulong.agent.language.english_words import opened
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause
from zulong.agent.language.often import unrepeated

_CLASSES = {
    "bring": "carry", "take": "carry", "put": "carry", "go": "move", "guide": "lead", "follow": "follow", "tell": "speak",
    "ask": "speak", "greet": "speak", "introduce": "speak", "find": "find", "meet": "find", "count": "count",
    "wait": "wait", "describe": "describe", "charge": "move",
}  # fmt: skip
"""Verbs that stand for the same deed."""
_HELPING = frozenset(
    (
        "will", "shall", "would", "can", "could", "may", "might", "must", "should", "have", "had", "has", "do", "did",
        "does", "not", "need", "needs", "needed", "want", "wants", "wanted", "wish", "wished", "wishes", "plan", "plans",
        "planned", "intend", "intends", "hope", "hopes", "hoped", "try", "tries", "tried", "trying", "like", "love",
        "rather", "better", "got", "ought", "used", "able", "already", "just", "always", "never", "now", "then", "also",
        "only", "really", "still", "soon", "usually", "often", "sometimes", "to", "going", "about", "am", "was", "were",
        "planning", "hoping", "supposed", "allowed", "gladly", "happily", "actually", "probably", "maybe", "and", "myself",
        "ll", "d", "once", "prefer", "decided", "meant", "forgot", "promised", "agreed", "started", "stopped", "been",
        "managed", "failed", "refuse", "refused", "quickly", "simply", "almost", "nearly", "even", "finally", "is", "are",
        "go", "be", "having", "been", "being", "get", "currently", "first", "hate", "dare", "both", "all", "alone",
    )
)  # fmt: skip
"""Words between a subject and the verb that says what it does."""
_PASSIVE = frozenset(("be", "been", "being", "get", "gets", "got"))
_WISHED = frozenset(
    ("get", "have", "take", "grab", "order", "choose", "pick", "see", "find", "say", "report", "announce")
)
"""What "could I" and "I will" are followed by where something is wished for, not done."""
_OTHERS = frozenset(("he", "she", "they", "somebody", "someone", "everybody", "everyone", "nobody", "people"))
_INVERTED = frozenset(
    ("can", "could", "may", "might", "should", "shall", "must", "do", "did", "does", "will", "would")
)
_STOPS = frozenset(".,;:!?")
_DONE = re.compile(
    r"\b(?:thank(?:s| you)?(?: (?:so|very) much| a lot| again)?|thx|cheers|sorry|apologies|appreciate(?: you| your)?|"
    r"grateful|glad|good job|nice work|well done|kind of you|nice of you|good of you|bother|no use|no point|no sense|"
    r"not worth|no need|stop|quit|tired of|hate|without|instead of|rather than|nevermind|never mind|forget about) "
    r"(?:(?:for|on|in|of|to|about|it|you|always|not|ever|already|just|me|my|by) )*(?P<verb>[a-z]+ing)\b"
)
"""Words of thanks, regret, waiver: the deed that follows in its -ing form is not ordered."""
_NOT_DONE = re.compile(
    r"\b(?:do you|would you|how about|what about|fancy|consider|feel like|care for|start|begin|keep|try|busy)\b[^,.;]*$"
)
_ABILITY = re.compile(
    r"\b(?:how|why(?! (?:do |would |could )?not\b)|when|where|what|if only|i wish|we wish)\b[^,.;:!?]*?\b(?:are|is|did|"
    r"will|would|do|have|had|was|were|i wish|we wish|if only) you\b"
    r"(?P<rest>[^,.;:!?]*)|\bare you (?:(?:really|even|actually|physically) )*(?:able|strong enough|allowed|going|about|"
    r"willing) to (?P<lift>(?:lift|carry|hold|grasp|reach|move)\b[^,.;:!?]*)|"
    r"\b(?:do|did) you (?:ever|often|always|usually|sometimes|like|know how)\b(?P<habit>[^,.;:!?]*)|"
    r"\bmust you\b(?P<must>[^,.;:!?]*)|"
    r"\b(?:if|when|until|before|after|once|because|since|while)? ?\byou (?:should have|could have|would have|might have|"
    r"have (?:already |just |never |not )*|had (?:already |just |never |not )*|did not|never|always|already|just|"
    r"keep|kept|"
    r"still)\b(?P<past>[^,.;:!?]*)"
)
_BEFORE_ORDERED = re.compile(
    r"\b(?:if|when|once|after|as soon as|until|till|before|because|since|while|whenever|can|could|would|will|may|did|do|"
    r"should|must|have|that|which)\W*$"
)
_REPORTED = re.compile(
    r"\b(?P<who>[a-z]+) (?:said|says|say|told (?:me|us|you)|tells (?:me|us)|wrote|is saying|asked|asks|orders|ordered|"
    r"shouted|whispered|replied)(?: that| to (?:me|you|us))?[ ,:]*\"?(?:please )?(?P<verb>[a-z]+) (?:me|us)\b"
)


@dataclass(slots=True, frozen=True)
class _Deed:
    """A verb with a subject of its own: the class of the deed, the words, and where they stand."""

    kind: str
    words: str
    start: int
    end: int


def doubts(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> list[str]:
    """Return the words of the sentence that speak against the clauses, in their order; none when they stand.

    Args:
        text: the sentence as it was said.
        clauses: what is to be done by the plan that was made of it.
        vocabulary: the verbs and names.
    """
    words = _words(opened(text))
    done = [clause for clause in clauses if not clause.negated]
    kinds = {_CLASSES[clause.action] for clause in done if clause.action in _CLASSES and not _wish(clause)}
    unordered = [*_with_subject(words, vocabulary), *_only_spoken_of(words, vocabulary)]
    ordered = _ordered_kinds(words, unordered, vocabulary)
    spoken = " ".join(clause.text.lower() for clause in done)
    found = [
        deed.words
        for deed in sorted(unordered, key=lambda deed: deed.start)
        if deed.kind in kinds and deed.kind not in ordered and deed.words not in spoken
    ]
    found.extend(_reported(" ".join(words), done, vocabulary))
    found.extend(misplaced(text, clauses, vocabulary))
    found.extend(unrepeated(text, done))
    return list(dict.fromkeys(found))


def _words(plain: str) -> list[str]:
    outside = " ".join(plain.split('"')[::2])
    return re.findall(r"[a-z_]+|\d+|[.,;:!?]", outside)


def _wish(clause: Clause) -> bool:
    return clause.inferred and clause.verb == "want"


def _kind(word: str, vocabulary: Vocabulary) -> str:
    """Return the class of the deed that the word in any of its forms stands for, "" when it is no such verb."""
    for form in (word, base_of(word) or "", word.removesuffix("s"), word.removesuffix("es")):
        senses = vocabulary.english.get((form,), ())
        values = [sense.value for sense in senses if sense.kind == "verb"]
        if values and not any(sense.kind in ("object", "placement") for sense in senses):
            return _CLASSES.get(values[0], "")
    return ""


def _with_subject(words: Sequence[str], vocabulary: Vocabulary) -> Iterator[_Deed]:
    """Yield the deeds that the speaker or somebody else does: "I can bring ...", "Jane is going to bring ..."."""
    for start, word in enumerate(words):
        speaker = word in ("i", "we")
        if not (speaker or word in _OTHERS or _is_person(word, vocabulary)):
            continue
        before = words[start - 1] if start else ""
        inverted = before in _INVERTED
        opens = not before or before in _STOPS or before in _OPENERS or inverted
        if not speaker and not opens:
            continue
        helping = start + 1
        while (
            helping < len(words)
            and words[helping] in _HELPING
            and not (words[helping] == "go" and words[helping - 1] != "to" and False)
        ):
            if words[helping] in ("go", "get", "going") and not _more_verbs(words, helping, vocabulary):
                break
            helping += 1
        if helping >= len(words):
            continue
        verb = words[helping]
        kind = _kind(verb, vocabulary)
        plain = helping == start + 1 and not inverted
        finite = speaker or verb.endswith("s") or not plain or base_of(verb) not in ("", verb)
        passive = any(w in _PASSIVE for w in words[start + 1 : helping]) and base_of(verb) not in ("", verb)
        wish = speaker and base_of(verb) in _WISHED and not _taken_along(words, helping)
        if kind and finite and not wish and not (passive and not verb.endswith("ing")):
            if verb in ("said", "say", "asked", "told", "tell", "mean", "ask") and (plain or inverted):
                continue
            yield _Deed(kind, " ".join(words[start : helping + 1]), start, _end(words, helping))


_OPENERS = frozenset(
    ("and", "but", "so", "because", "since", "that", "then", "or", "as", "well", "ok", "okay", "hey", "oh", "yes", "no",
     "thanks", "bother", "nevermind", "mind", "maybe", "perhaps", "think", "guess", "suppose", "now", "actually")
)  # fmt: skip


def _more_verbs(words: Sequence[str], position: int, vocabulary: Vocabulary) -> bool:
    """Tell "go and bring", "going to bring" from "go to the kitchen"."""
    after = position + 1
    while after < len(words) and words[after] in ("and", "to"):
        after += 1
    return after < len(words) and bool(_kind(words[after], vocabulary)) and words[after] not in ("to", "and")


def _taken_along(words: Sequence[str], position: int) -> bool:
    """Tell "I will take the apple to Jane" from "I will take the apple", which wishes for it."""
    end = _end(words, position)
    return any(
        word in ("to", "back", "away", "into", "myself", "onto", "out") for word in words[position + 1 : end]
    )


def _is_person(word: str, vocabulary: Vocabulary) -> bool:
    senses = vocabulary.english.get((word,), ())
    return bool(senses) and all(sense.kind in ("person", "person_noun") for sense in senses)


def _end(words: Sequence[str], position: int) -> int:
    while position < len(words) and words[position] not in _STOPS:
        position += 1
    return position


def _next_verb(words: Sequence[str], position: int, vocabulary: Vocabulary) -> int:
    """Return where the next plain verb or the next mark stands: "instead of going to the bedroom / go to ..."."""
    end = _end(words, position)
    plain = (
        at for at in range(position, end) if base_of(words[at]) == words[at] and _kind(words[at], vocabulary)
    )
    return next(plain, end)


def _only_spoken_of(words: Sequence[str], vocabulary: Vocabulary) -> Iterator[_Deed]:
    """Yield the deeds under words of thanks, regret or ability."""
    text = " ".join(words)
    for match in _DONE.finditer(text):
        kind = _kind(match["verb"], vocabulary)
        start = text[: match.start()].count(" ")
        if kind and not _NOT_DONE.search(text[: match.start("verb")]):
            verb = start + match[0].count(" ")
            yield _Deed(kind, match[0], start, _next_verb(words, verb + 1, vocabulary))
    for match in _ABILITY.finditer(text):
        said = next((part for part in match.groupdict().values() if part is not None), "")
        start = len(text[: match.start()].split())
        if match["past"] is not None and (
            match[0].lstrip().split(" ")[0] != "you" or _BEFORE_ORDERED.search(text[: match.start()])
        ):
            # "when you have brought me the milk": it is to be done.
            continue
        for kind in filter(None, (_kind(word, vocabulary) for word in said.split())):
            yield _Deed(kind, match[0].strip(), start, _end(words, start))


def _ordered_kinds(words: Sequence[str], unordered: Sequence[_Deed], vocabulary: Vocabulary) -> set[str]:
    """Return the classes of the deeds of the verbs that stand outside of what is only spoken of."""
    covered = {position for deed in unordered for position in range(deed.start, deed.end)}
    return {
        kind
        for position, word in enumerate(words)
        if position not in covered
        and (kind := _kind(word, vocabulary))
        and (base_of(word) in ("", word) or words[position - 1 : position] in _INVITED)
    }


_INVITED = (["mind"], ["about"], ["fancy"], ["consider"], ["like"], ["please"], ["not"])
"""Words after which an -ing form is asked for: "mind fetching it?"."""


def _reported(text: str, done: Sequence[Clause], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "Adel said: bring me ...": who says "me" is not the one who speaks."""
    for match in _REPORTED.finditer(text):
        mine = any(
            clause.recipient is not None
            and clause.recipient.pronoun == "me"
            and clause.action in ("bring", "take")
            for clause in done
        )
        if (
            mine
            and (_is_person(match["who"], vocabulary) or match["who"] in _OTHERS)
            and _kind(match["verb"], vocabulary)
        ):
            yield match[0]
