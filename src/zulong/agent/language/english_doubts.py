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

from zulong.agent.language.english_frames import base_of, unframed
from zulong.agent.language.english_hesitations import hesitated
from zulong.agent.language.english_mistaken import taken_for_another
from zulong.agent.language.english_roles import elsewhere, granted, misplaced
from zulong.agent.language.english_told import told_only
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


_AWAY_FROM = re.compile(
    r"\b(?:put|tidy|clear|pack|stow|store)(?: away [a-z ]+? (?:on|at|by) the [a-z ]+"
    r"|(?! away)(?: [a-z]+)+? (?:on|at|by) the [a-z]+(?: [a-z]+)? away)\b"
)
"""Where things are that are put away, or where they go: "put away the toys on the bed"."""


def doubts(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> list[str]:
    """Return the words of the sentence that speak against the clauses, in their order; none when they stand.

    Args:
        text: the sentence as it was said.
        clauses: what is to be done by the plan that was made of it.
        vocabulary: the verbs and names.
    """
    # A frame around an order ("could I get you to bring ...") speaks for it.
    words = _words(unframed(opened(text)))
    done = [clause for clause in clauses if not clause.negated]
    kinds = {_CLASSES[clause.action] for clause in done if clause.action in _CLASSES and not _wish(clause)}
    unordered = [*_with_subject(words, vocabulary), *_only_spoken_of(words, vocabulary)]
    # "I will take the milk to Jane" would be a wish for the milk without where it goes.
    raw = _words(opened(text))
    taken = (deed for deed in _with_subject(raw, vocabulary) if deed.words.split()[-1] in _WISHED)
    unordered.extend(
        deed for deed in taken if "you" not in raw[deed.start : deed.end] and deed not in unordered
    )
    ordered = _ordered_kinds(words, unordered, vocabulary)
    spoken = " ".join(clause.text.lower() for clause in done)
    found = [
        deed.words
        for deed in sorted(unordered, key=lambda deed: deed.start)
        if deed.kind in kinds
        and deed.kind not in ordered
        and deed.words not in spoken
        and not granted(deed.words, words[deed.start - 1 : deed.start], done)
    ]
    denied = [clause for clause in clauses if clause.negated]
    if denied and not done:
        found.extend(_beside_denials(words, denied, unordered, vocabulary))
    said = " ".join(words)
    found.extend(_reported(said, done, vocabulary))
    found.extend(_left_to_others(words, done, vocabulary))
    if done:
        found.extend(told_only(said, spoken, clauses, lambda word: _is_person(word, vocabulary)))
        found.extend(_lost_me(said, done))
        found.extend(_excepted(said, done))
        late = _AFTER_PURPOSE.search(" ".join(raw))
        if late is not None and late["late"] not in spoken:
            found.append(late["late"])
        in_row = _IN_A_ROW.search(said)
        if in_row is not None and in_row[0] not in spoken:
            found.append(in_row[0])
        found.extend(elsewhere(said, done, vocabulary))
        found.extend(["away"] if _AWAY_FROM.search(said) else [])
        found.extend(taken_for_another(said, done))
        both = _BOTH.search(said)
        carried = [
            clause for clause in done if clause.theme is not None and _CLASSES.get(clause.action) == "carry"
        ]
        if (
            both
            and len(carried) == 1
            and carried[0].theme is not None
            and carried[0].theme.number in (None, 1)
        ):
            found.append(both[0])
        found.extend(_mixed_up(words, unordered, kinds & ordered, done))
        found.extend(_wished_besides(said, done, vocabulary))
        if re.search(r"\bbelongs? to\b", said) and not ordered:
            found.append("belongs to")
    found.extend(_thanked_for(said, done))
    found.extend(_left_where_it_is(" ".join(raw), done))
    found.extend(_not_followed(" ".join(raw), done, vocabulary))
    found.extend(misplaced(text, clauses, vocabulary))
    if len(done) > 1:
        found.extend(hesitated(raw, vocabulary))
    found.extend(unrepeated(text, done))
    return list(dict.fromkeys(found))


def _words(plain: str) -> list[str]:
    outside = " ".join(plain.split('"')[::2])
    return re.findall(r"[a-z_]+|\d+|[.,;:!?]", outside)


def _wish(clause: Clause) -> bool:
    mine = clause.recipient is not None and clause.recipient.pronoun == "me" and clause.goal is None
    return clause.inferred and clause.verb == "want" and mine


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
        if not speaker and (not opens or before in _ENSURING or words[start - 2 : start] in _ENSURED):
            continue
        helping = start + 1
        while helping < len(words) and words[helping] in _HELPING:
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


_ENSURING = frozenset(("sure", "ensure", "let"))
_ENSURED = (["see", "that"], ["sure", "that"], ["ensure", "that"], ["certain", "that"])
"""Before somebody who is to get or to have something: that is an order."""
_THANKED = re.compile(
    r"\b(?:(?:thanks|thank you|thx|cheers|ta|grateful)(?: (?:so|very) much| a lot| again)? for|never ?mind(?: about)?|"
    r"forget(?: about)?|skip|cancel|scrap|no need for|do not bother (?:with|about)) "
    r"(?P<what>(?:the|that|my|a|an|your|this|those|these|some|bringing|getting) (?:(?! (?:and|but|instead|"
    r"just)\b)[^,.;!?])*)"
)


def _thanked_for(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield "thanks for the pear" where the pear is to be brought: it was brought already."""
    for match in _THANKED.finditer(said):
        named = [
            clause.theme
            for clause in done
            if clause.theme is not None and _CLASSES.get(clause.action) == "carry"
        ]
        if any(theme.text and theme.text.split()[-1] in match["what"].split() for theme in named):
            yield match[0]


_LEFT_ALONE = re.compile(
    r"\b(?:leave|keep|let|do not (?:touch|move|take|bring|fetch)) (?:the|my|our|that) "
    r"(?P<what>[a-z]+(?: (?!where|alone|be\b|stay|there|right|just|exactly)[a-z]+)?)(?: (?:just|exactly|right))? "
    r"(?:(?:where|as) (?:it|they) (?:is|are)|alone|be|"
    r"stay where it is|untouched|in its place)\b"
)


_BUT_NOT = re.compile(
    r"\b(?:but not|just not|only not|not|except(?: for)?|anything but|other than) (?:the |an? |any )?(?P<what>[a-z]+)"
)
_WHILE = re.compile(r"\bwhile (?P<who>[a-z]+) is (?:still )?(?:in|on|at) the\b")


def _not_followed(said: str, done: Sequence[Clause], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what narrows an order and is not in it: "any drink but not the cola", "while Jane is in the kitchen"."""
    carried = [c for c in done if c.theme is not None and _CLASSES.get(c.action) == "carry"]
    kinds = any(c.theme is not None and c.theme.category for c in carried)
    for match in _BUT_NOT.finditer(said) if kinds else ():
        if any(sense.kind == "object" for sense in vocabulary.english.get((match["what"],), ())):
            yield match[0]
    for match in _WHILE.finditer(said):
        if carried and _is_person(match["who"], vocabulary) and not any(c.condition for c in done):
            yield match[0]


def _left_where_it_is(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield "leave the milk where it is" where the milk is to be brought: both cannot be."""
    for match in _LEFT_ALONE.finditer(said):
        if any(
            clause.theme is not None and clause.theme.name == match["what"]
            for clause in done
            if _CLASSES.get(clause.action) == "carry"
        ):
            yield match[0]


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
    for position in range(len(words) - 1):
        done = words[position + 1]
        if words[position] == "you" and base_of(done) not in ("", done) and not done.endswith("ing"):
            kind = _kind(done, vocabulary)
            if kind and not _BEFORE_ORDERED.search(" ".join(words[:position])):
                # "you brought me the pear"
                yield _Deed(kind, f"you {done}", position, _end(words, position))
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


_TAKEN_BACK = re.compile(r"\b(?:no|not|actually|sorry|wait|mean|instead|rather|forget|cancel|mind|never)\b")
_LOST = re.compile(
    r"\b(?:(?:bring|get|fetch|give|hand|pass|grab) me|(?<!talk )(?<!say )(?<!listen )(?<!speak )to me)\b"
)
_BOTH = re.compile(
    r"\b(?:another(?: one)?(?=[.!?]*$)|both(?: of them)?|all (?:three|four|of them)|them all|"
    r"the two of them)(?=\s*(?:[.,;!?]|$|to\b|on\b|in\b))"
)


def _mixed_up(
    words: Sequence[str], unordered: Sequence[_Deed], kinds: set[str], done: Sequence[Clause]
) -> Iterator[str]:
    """Yield "I will go" where the kitchen of "I will go to the kitchen, you go to the bedroom" is gone to as well."""
    covered = {position for deed in unordered for position in range(deed.start, deed.end)}
    outside = {word for position, word in enumerate(words) if position not in covered}
    if outside & {"it", "there", "them", "him", "her", "one", "that"}:
        return
    for deed in unordered:
        inside = set(words[deed.start : deed.end])
        for clause in done:
            goal = clause.goal if clause.goal is not None else clause.recipient
            if (
                deed.kind not in kinds
                or _CLASSES.get(clause.action) != deed.kind
                or goal is None
                or goal.pronoun
            ):
                continue
            name = goal.text.split()[-1:]
            if name and name[0] in inside and name[0] not in outside:
                yield deed.words


_AFTER_PURPOSE = re.compile(
    r"\b(?:to (?!the |me |my |[a-z]+ing)[a-z]+ (?:the|this|that|my|our|some)|for (?:my|our|his|her|their)) [a-z ]*?"
    r"\b(?P<late>tomorrow|tonight|later|until [a-z]+|till [a-z]+|at \d+|or the [a-z]+|except (?:for )?(?:the )?[a-z]+|"
    r"if it is [a-z]+)$"
)
"""What follows a purpose is of the order: "the knife to cut this bread" may be any bread, "tomorrow" is no bread."""
_IN_A_ROW = re.compile(
    r"\b(?:second|third|fourth|fifth|2nd|3rd|4th|next|last)(?: [a-z]+){0,2} (?:from|on|to) the "
    r"(?:left|right|top|bottom|end)\b"
)
"""Which one of a row: the robot looks for a thing, not for its place among others."""
_EXCEPTED = re.compile(
    r"\b(?:everything|anything|all|any|every|each|nothing)\b(?: [a-z]+){0,3}? (?:but|except(?: for)?|apart from|other than|"
    r"besides|bar|save(?: for)?) (?:the |my |a |an |for )*([a-z]+(?: [a-z]+)?)"
)


def _excepted(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield what is left out in so many words and is carried all the same: "everything but the apple"."""
    excepted = _EXCEPTED.search(said)
    if excepted is None or excepted[0].startswith("nothing"):
        return
    for clause in done:
        named = (clause.theme.name or clause.theme.text).lower() if clause.theme is not None else ""
        if named and (excepted[1].startswith(named) or named.startswith(excepted[1].split()[0])):
            yield excepted[0]
            return


def _lost_me(text: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield "bring me" where nothing comes to the one who speaks."""
    match = _LOST.search(text)
    if match is None or _TAKEN_BACK.search(text):
        return
    mine = any(
        referent.pronoun in ("me", "back", "here")
        for clause in done
        for referent in (
            *clause.referents(),
            *((clause.theme.at,) if clause.theme and clause.theme.at else ()),
        )
    )
    if not mine and not any(clause.topic for clause in done):
        yield match[0]


_WANTS = re.compile(
    r"\b(?P<who>[a-z]+) (?:also |really |just |now )*(?:wants?|needs?|would (?:like|love|prefer)|prefers?|could use|fancies|"
    r"ordered|(?:has |is )?(?:asked|asking|waiting) for) (?:(?:the|a|an|some|his|her|my) )?(?P<what>[a-z]+(?: [a-z]+)?)"
)
_IS_FOR = re.compile(r"\bthe (?P<what>[a-z]+(?: [a-z]+)?) (?:is|are) (?:meant )?for (?P<who>[a-z]+)\b")


def _wished_besides(text: str, done: Sequence[Clause], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "Jane wants the pear" where no order is about it, or what is for her goes to nobody."""
    themes = [clause.theme for clause in done if clause.theme is not None]
    things = {i for theme in themes for i in theme.ids} | {theme.category for theme in themes}
    people = {
        i
        for clause in done
        for one in (clause.recipient, clause.theme, clause.goal)
        if one is not None
        for i in one.ids
    }
    spoken = any(clause.topic == "free" or clause.action in ("ask", "find") for clause in done)
    for match in (*_WANTS.finditer(text), *_IS_FOR.finditer(text)):
        who = vocabulary.english.get((match["who"],), ())
        if spoken or not who or who[0].kind != "person" or not who[0].ids:
            continue
        words = match["what"].split()
        named = next(
            (s for n in (2, 1) for s in vocabulary.english.get(tuple(words[:n]), ()) if s.kind in _THINGS),
            None,
        )
        one = (words[0] in ("one", "another") or "one" in words[1:]) and not set(who[0].ids) & people
        other = named is not None and not (set(named.ids) & things or named.value in things)
        if one or other:
            yield match[0]


_THINGS = ("object", "category")


def _left_to_others(words: Sequence[str], done: Sequence[Clause], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "Jane to bring", "an apple to give": who is named before "to" is to do it, not the robot."""
    kinds = {_CLASSES.get(clause.action, "") for clause in done}
    for position in range(1, len(words) - 2):
        if words[position] != "to" or not _kind(words[position + 1], vocabulary):
            continue
        before = words[position - 1]
        verb = words[position + 1]
        somebody = _is_person(before, vocabulary) or before in ("someone", "somebody", "anyone", "anybody")
        handed = any(
            word in ("give", "hand", "bring", "pass", "get", "find", "have", "let")
            for word in words[:position]
        )
        about = any(word in ("him", "her", "them") for word in words[position + 2 : _end(words, position)])
        gives = verb in ("give", "bring", "take", "pass", "hand", "put") and _gifts(
            words, position, vocabulary
        )
        if kinds & {_kind(verb, vocabulary)} and handed and not about and (somebody or gives):
            yield f"{before} to {verb}"


def _gifts(words: Sequence[str], position: int, vocabulary: Vocabulary) -> bool:
    """Tell "give Jane an apple to give to Adel" from "go to the kitchen to get the milk"."""
    start = position
    while start > 0 and words[start - 1] not in _STOPS and words[start - 1] not in ("and", "then"):
        start -= 1
    part = words[start:position]
    given = next(
        (n for n, word in enumerate(part) if word in ("give", "hand", "bring", "pass", "get", "fetch")), None
    )
    return (
        given is not None
        and given + 1 < len(part)
        and (part[given + 1] == "me" or _is_person(part[given + 1], vocabulary))
    )


def _beside_denials(
    words: Sequence[str], denied: Sequence[Clause], unordered: Sequence[_Deed], vocabulary: Vocabulary
) -> Iterator[str]:
    """Yield what stands beside a prohibition that is all that was read: an order after it, an exception, a complaint."""
    kinds = {_CLASSES.get(clause.action, "") for clause in denied}
    told = ("i", "we", "sorry", "thanks", "thank", "apologies", "appreciate")
    yield from (deed.words for deed in unordered if deed.kind in kinds and deed.words.split()[0] in told)
    for position, word in enumerate(words):
        if word in ("unless", "until", "till", "except"):
            yield word
        if word in ("belongs", "goes", "should", "must") and words[position - 1 : position] in (
            ["it"],
            ["they"],
            ["that"],
        ):
            # "don't put it on the desk, it belongs on the bed"
            yield word
        opens = words[position - 1] if position else ""
        after = position
        while after < len(words) and words[after] in _AFTER_BUT:
            after += 1
        if opens not in _STOPS and opens not in ("but", "instead", "rather"):
            continue
        if (
            after < len(words)
            and base_of(words[after]) in ("", words[after])
            and _kind(words[after], vocabulary)
        ):
            yield words[after]


_AFTER_BUT = frozenset(
    (
        "just",
        "please",
        "you",
        "and",
        "instead",
        "only",
        "then",
        "rather",
        "can",
        "could",
        "simply",
        "so",
        "now",
        "should",
    )
)


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
