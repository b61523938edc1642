"""From an English sentence to tokens: contractions, gestures, phrases of the vocabulary, spelling."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from zulong.agent.language.english_courtesies import somebody_after
from zulong.agent.language.english_idioms import plainly
from zulong.agent.language.english_inversions import straightened
from zulong.agent.language.english_messages import quoting
from zulong.agent.language.english_slips import mended, order_meant, small_word
from zulong.agent.language.english_spelling import PAST, closest_word, in_a_name, inflected_verb, stems
from zulong.agent.language.lexicon import Sense, Vocabulary
from zulong.agent.language.tokens import NUMBER_WORDS, Token
from zulong.agent.numerals import LARGE_IN_WORDS, number

_CONTRACTIONS = (
    (re.compile(r"\b(?:let's|lets)\b"), "let us"),
    (re.compile(r"\b(where|who|what|how|when)'d\b"), r"\1 did"),
    (re.compile(r"\brubik['\u2019]?s['\u2019]?(?= cube)"), "rubiks"),
    (re.compile(r"\b(?:d'(?:you|ya|ye)|dya|d'yer)\b"), "do you"),
    (re.compile(r"\b(?:can not|cannot|can't|cant)\b"), "can not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|would|could|should|must|have|has)n't\b"), r"\1 not"),
    (re.compile(r"\bdont\b"), "do not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b(what|who|where|how|that|there|it|he|she)(?:'s|,s)(?= )"), r"\1 is"),
    (re.compile(r"\b(what|who|where|that|how|there)s\b"), r"\1 is"),
    (re.compile(r"\bim\b(?= [a-z])"), "i am"),
    (re.compile(r"\b(he|she)s (?=(?!(?:and|or|to)\b)[a-z])"), r"\1 is "),
    (re.compile(r"\bhes\b(?= (?:at|in|by|on|near))"), "he is"),
    (re.compile(r"\bshes\b(?= (?:at|in|by|on|near))"), "she is"),
    (re.compile(r"\b(i|you|they|we|it|that|this)'(?:d)\b"), r"\1 would"),
    (re.compile(r"\b(i|you|they|we)'(?:ll)\b"), r"\1 will"),
    (re.compile(r"\b(you|they|we)'(?:re)\b"), r"\1 are"),
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\b(i|you|we|they|who|there)'ve\b"), r"\1 have"),
    (re.compile(r"(\w)'s (?=been\b)"), r"\1 has "),
    (re.compile(r"(\w)'s (?=(?:nearly|almost|very|quite|so|too|getting|going|running|coming|always|just|about|still|"
                r"not|all|a|an|"
                r"the|my|our|really)\b)"), r"\1 is "),
    (re.compile(r"\bid (?=like)"), "i would "),
    (re.compile(r"\bimma\b"), "i am going to"),
    (re.compile(r"\bgonna\b"), "going to"),
    (re.compile(r"\bgotta\b"), "have to"),
    (re.compile(r"\bwanna\b"), "want to"),
    (re.compile(r"\bgimme\b"), "give me"),
    (re.compile(r"\blemme\b"), "let me"),
    (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\b(?:pls|plz)\b"), "please"),
    (re.compile(r"\b(?:frm|fom)\b"), "from"),
    (re.compile(r"\b(?:do (?:we|you) (?:still )?have|have (?:we|you) got)\b"), "is there"),
    (re.compile(r"\bits is\b"), "it is"),
    (re.compile(r"\bwait,? no\b|\bno,? wait(?=,? (?:the|my|that|make|i|not|to|in|on|at|it)\b)(?! (?:in|on|at)\b)"),
     "no wait"),
    (re.compile(r"\blet (?!me |us |you )(\w+) know\b"), r"tell \1"),
    (re.compile(r"\b(?:teh|hte|th)\b"), "the"),
    (re.compile(r"\b(?:adn|nad|ands)\b"), "and"),
    (re.compile(r"\bt[ -]?shirt"), "t shirt"),
    (re.compile(r"(\w)'s\b"), r"\1 's"),
    (re.compile(r"(\w)s'(?= )"), r"\1 's"),
)  # fmt: skip

_OWN = r"(?:(?:their|his|her|its|the|a|an|one|your|both)\s+)?"
_GESTURES = (
    (
        re.compile(
            rf"\b(?:with\s+{_OWN}|who has\s+{_OWN}|that has\s+{_OWN}|having\s+{_OWN})?"
            rf"(?:raising|raises?|raised|lifting|lifts|lifted|holding up|putting up|puts up|holds up)\s+(?:up\s+)?{_OWN}"
            r"(left|right)\s+(?:arms?|hands?)(?:\s+up)?\b"
        ),
        "raising_{}_arm",
    ),
    (
        re.compile(
            rf"\b(?:with\s+|who has\s+|that has\s+|having\s+|has\s+|have\s+)?{_OWN}(left|right)\s+(?:arms?|hands?)\s+"
            r"(?:(?:is|are)\s+)?(?:raised|up|in the air|lifted)\b"
        ),
        "raising_{}_arm",
    ),
    (
        re.compile(
            r"\b(?:pointing|points|point)\s+(?:(?:to|at|towards?|in)\s+)?(?:(?:the|their|his|her|your)\s+)?"
            r"(left|right)(?:\s+(?:side|direction))?\b"
        ),
        "pointing_{}",
    ),
    (
        re.compile(
            r"\b(?:waving|waves)(?:\s+(?:with\s+)?(?:their|his|her|a|the|both|its)\s+(?:hands?|arms?))?"
            r"(?:\s+(?:at|to)\s+(?:you|me|us))?\b"
        ),
        "waving{}",
    ),
    (
        re.compile(
            rf"\b(?:with\s+|who has\s+|that has\s+)?(?:(?:raising|raises?|lifting)\s+{_OWN}(?:arm|hand)s?|"
            rf"{_OWN}(?:arm|hand)s?\s+(?:raised|up)\b)"
        ),
        "raising_arm{}",
    ),
    (re.compile(r"\b(?:(?:that|who|whom)\s+)?i am pointing (?:to|at)\b"), "pointed_at{}"),
)  # fmt: skip

_ROLES: dict[str, list[str]] = {}


def _role(role: str, *phrases: str) -> None:
    for phrase in phrases:
        _ROLES.setdefault(phrase, []).append(role)


_role("det", "the", "that", "this", "these", "those", "my", "your", "his", "their", "its", "our", "the same")
_role("indef", "a", "an", "some", "any", "another", "each", "one of the", "any of the", "some of the",
      "a few", "a piece of", "a bit of", "either", "a bottle of", "a can of", "a glass of", "a cup of",
      "a pack of", "a box of", "whatever", "anything", "whichever", "one of these", "one of those")  # fmt: skip
_role("all", "every", "every single", "each and every", "all", "all of my", "all my", "each of these")
_role("all", "all the", "all of the", "both", "all of them", "everything", "all those", "all these",
      "every one of the", "each of the")  # fmt: skip
_role("pron", "we", "dock", "base", "charging station")
_role("pron", "it", "them", "him", "her", "me", "you", "they", "he", "she", "here", "there", "myself", "us", "i",
      "this one", "that one", "back", "back here", "over here", "over there", "right here", "to here", "everyone",
      "everybody", "this place", "this guy", "my place", "where i am", "my location", "where you are",
      "starting point", "the start", "start position", "your starting point", "the starting point",
      "where you started", "the room", "that room", "this room", "the same place", "that place", "the same room",
      "your base", "your charging station", "the charging station", "your charger", "the charger", "the dock",
      "your charging dock", "the charging dock", "your dock", "home")  # fmt: skip
_role(
    "prep:to",
    "to",
    "into",
    "onto",
    "towards",
    "toward",
    "over to",
    "up to",
    "back to",
    "back into",
    "over into",
    "through to",
    "to the front of",
    "until",
    "till",
    "on to",
    "down to",
    "back onto",
    "closer to",
    "nearer to",
    "next door to",
    "across to",
    "over across to",
    "across into",
)
_role("prep:via", "via", "by way of", "through", "past", "passing by", "passing through", "by going through")  # fmt: skip
_role("prep:from", "from", "out of", "off", "off of", "away from", "out from", "from the top of", "from inside",
      "from on top of", "from out of", "starting from", "from off")  # fmt: skip
_role("prep:in", "in", "inside", "within", "inside of", "in the middle of", "down", "throughout", "over in",
      "back in", "out in", "in at", "from in", "in on", "in in", "up in", "around in", "right in")  # fmt: skip
_role("prep:on", "on", "upon", "atop", "on top of", "on the top of", "on top", "over on", "up on", "onto the top of",
      "at the top of", "on the surface of")  # fmt: skip
_role("prep:at", "at", "near", "by", "beside", "next to", "close to", "around", "over at", "over by", "near to",
      "nearby", "along", "up at", "at near", "alongside", "right by", "right next to", "against")  # fmt: skip
_role("rel:left_of", "to the left of", "left of", "at the left of", "on the left side of", "on the left of",
      "to the left side of", "on the left hand side of", "at the left side of", "on the left end of",
      "at the left end of", "on the far left of", "at the far left of", "on the far left side of",
      "on the left edge of", "in the left corner of", "on the left part of")  # fmt: skip
_role("rel:right_of", "to the right of", "right of", "at the right of", "on the right side of", "on the right of",
      "to the right side of", "on the right hand side of", "at the right side of", "on the right end of",
      "at the right end of", "on the far right of", "at the far right of", "on the far right side of",
      "on the right edge of", "in the right corner of", "on the right part of")  # fmt: skip
_role("rel:behind", "behind", "in back of", "in the back of", "at the back of")
_role("rel:in_front_of", "in front of", "ahead of")
_role("rel:below", "under", "below", "beneath", "underneath")
_role("rel:above", "above", "over")
_role("rel:between", "between")
_role("side:left", "to the far left", "on the far left", "at the far left")
_role("side:right", "to the far right", "on the far right", "at the far right")
_role("side:left", "on the left", "to the left", "on the left side", "on the left hand side", "at the left",
      "on the left most side", "to the left side", "leftward", "at the left side", "on left")  # fmt: skip
_role("side:right", "on the right", "to the right", "on the right side", "on the right hand side", "at the right",
      "on the right most side", "to the right side", "at the right side", "on right")  # fmt: skip
_role("prep:for", "for")
_role("prep:with", "with", "together with", "along with")
_role("prep:without", "without")
_role("prep:about", "about", "regarding")
_role("prep:of", "of", "amongst", "among", "out of all")
_role("conj", "and", "then", "and then", "after that", "afterwards", "next", "also", "and also", "as well as", "&",
      "plus", "finally", "after this", "followed by", "and after that", "and next", "and finally",
      "once there", "once you are there", "and once there", "when you are there", "when you get there",
      "when you arrive", "first", "firstly", "first of all", "second", "secondly", "third", "lastly", "to begin",
      "while there", "subsequently", "thereafter", "in order to", "so that you can", "once done",
      "when you are done", "when done", "as well", "too", "and so", "upon arrival", "so as to", "and afterwards",
      "once you get there", "once you arrive", "when there", "and when you get there", "at last")  # fmt: skip
_role("but", "but", "however", "yet", "although")
_role("or", "or")
_role("bound", "at least", "at most", "no more than", "not more than", "exactly half")
_role("not", "not", "you do not have to", "you do not need to", "do not have to", "no need to",
      "there is no need to", "you need not", "never", "do not", "do not ever", "avoid", "refrain from",
      "must not", "should not", "no longer", "please do not", "you must not", "can not", "rather than",
      "instead of", "stay out of", "keep out of", "keep away from", "stay away from", "you should not",
      "you are not allowed to", "except", "apart from", "besides", "other than", "excluding", "except for",
      "i do not want you to", "i do not need you to", "i would not like you to", "you are not to",
      "i do not want to", "i do not want", "i do not need")  # fmt: skip
_role(
    "if",
    "if",
    "in case",
    "provided that",
    "only if",
    "as long as",
    "given that",
    "assuming",
    "provided",
    "providing",
    "providing that",
    "so long as",
    "in the event that",
    "on condition that",
)
_role("unless", "unless")
_role("when", "when", "once", "as soon as", "whenever")
_role(
    "while",
    "while",
    "as they",
    "as you",
    "at the same time",
    "simultaneously",
    "meanwhile",
    "in the meantime",
)
_role("after", "after")
_role("before", "before", "prior to")
_role("else", "otherwise", "else", "or else", "if not", "if that is not the case", "in the other case")
_role("rel", "that", "which", "who", "whom", "whose", "where")
_role("be", "is", "are", "was", "were", "be", "being", "been", "am", "'s")
_role("poss", "'s")
_role("wh", "what", "who", "which", "where", "how", "whats", "why", "when", "whether")
_role("howmany", "how many", "the number of", "number of", "the amount of", "amount of", "the count of", "how much",
      "the quantity of", "the total of", "the total number of", "number", "the total number")  # fmt: skip
_role("wear", "wearing", "dressed in", "wears", "who wears", "has on", "clothed in", "wear")
_role("name", "named", "called", "with the name", "by the name of", "whose name is", "goes by")
_role("located", "located", "placed", "found", "positioned", "situated", "you find", "you will find", "you can find",
      "you see", "you saw", "you have seen", "you may find", "you might find", "you could find",
      "lying around", "kept", "stored", "that you find", "that you see", "i left",
      "left", "you can see", "that you will find", "i put", "last seen", "seen last", "usually kept")  # fmt: skip
_role("there_is", "there is", "there are", "there will be", "there should be", "is there", "are there", "there was",
      "there might be", "there must be", "there ought to be", "there may be", "there could be", "there has to be",
      "there have to be", "there used to be", "there must still be", "there should still be")  # fmt: skip
_role("cancel", "forget it", "forget that", "forget about it", "never mind", "nevermind", "cancel that",
      "do not bother", "leave it")  # fmt: skip
_role("seen", "i am looking for", "i can not find", "i cannot find", "i lost", "i have lost", "i have misplaced",
      "did anyone see", "did anybody see", "has anyone seen", "has anybody seen", "did someone see",
      "have you seen", "did you see", "have you found", "did you find", "when did you last see",
      "when did you see", "where did you see", "do you remember where", "where have you seen")  # fmt: skip
_role("half", "half", "half of")
_role("times", "times", "time")
_role("once", "once", "one time")
_role("twice", "twice", "two times", "double")
_role("thrice", "thrice")
_role("again", "again", "one more time", "once more", "over again")
_role("have", "has", "have", "had", "got", "having")
_role("do", "do", "does", "did", "doing")
_role("aux", "will", "would", "should", "shall", "may", "might", "must", "can", "could")
_role("focus", "only", "just", "even")
_role("one", "one", "ones")
_role("yes", "yes", "yeah", "yep", "yup", "sure", "correct", "right", "that is right", "exactly", "affirmative",
      "of course", "do it", "go ahead", "confirmed", "indeed", "that is correct", "absolutely", "fine")  # fmt: skip
_role(
    "no",
    "no",
    "nope",
    "nah",
    "wrong",
    "that is wrong",
    "not that",
    "no no",
    "incorrect",
    "negative",
    "no way",
)
_role(
    "correct",
    "or rather",
    "or better",
    "or better yet",
    "on second thought",
    "on second thoughts",
    "better yet",
    "or no",
    "or actually",
    "no rather",
)
_role("correct", "i mean", "i meant", "sorry", "correction", "rather", "make that", "make it", "no wait", "wait no",
      "scratch that", "that should be", "no sorry", "no i mean", "no i meant", "sorry i meant", "sorry i mean",
      "oops", "i said", "instead", "not that one", "change that to", "change it to", "no not that one", "no make that",
      "actually no", "no actually", "oh no", "well no", "excuse me")  # fmt: skip
_role("question", "question", "quiz", "questions", "inquiry", "query", "riddle", "quesion", "quizzes")
_role("answer_noun", "the answer", "answers", "the result", "the results", "the total", "the outcome", "the count",
      "the findings", "the number you get")  # fmt: skip
_role("open", "open", "opened", "unlocked")
_role("closed", "closed", "shut", "locked")
_role("on_state", "on", "switched on", "turned on", "lit")
_role("off_state", "off", "switched off", "turned off", "dark")
_role("empty", "empty", "free", "vacant")
_role("full", "full", "occupied")
_role("comparison:<", "below", "under", "less than", "lower than", "fewer than", "drops below", "falls below")
_role("comparison:>=", "at least", "no fewer than", "no less than")
_role("comparison:<=", "at most", "no more than", "not more than")
_role("comparison:==", "exactly", "precisely")
_role("comparison:>", "above", "over", "more than", "higher than", "greater than")
_role(
    "battery", "battery", "your battery", "the battery", "battery level", "the battery level", "your charge"
)
_role("door", "door", "the door", "a door")
_role("way", "the way", "way", "a way", "their way", "his way", "her way", "some help", "help")
_role("percent", "percent", "per cent", "%")
_role("seconds", "seconds", "second", "sec", "secs", "s")
_role("minutes", "minutes", "minute", "min", "mins")
_role("hours", "hours", "hour")
_role("alone", "side", "top", "bottom", "front", "middle", "center", "corner", "end", "edge", "part", "hand")
_role("timing", "later", "later on", "soon", "sometime", "sometime today", "yesterday", "this morning", "last night",
      "last week", "in the morning", "in the evening", "in the afternoon", "next time", "next month", "some day",
      "by noon", "until noon", "until midnight", "at dawn", "at lunch", "at dinner time", "at lunch time", "at night",
      "on monday", "on tuesday", "on wednesday", "on thursday", "on friday", "on saturday", "on sunday", "by tonight",
      "every time", "from now on", "at some point", "before dinner", "before lunch", "before breakfast", "after dinner",
      "after lunch", "after breakfast", "before bed", "during dinner", "during lunch", "overnight", "weekly",
      "by tomorrow", "until tomorrow", "by then", "for now", "for the time being")  # fmt: skip
_role("none", "nobody", "no one", "noone", "none", "nothing")
_role("nowhere", "anywhere", "somewhere", "everywhere", "nowhere")

_ROLE_PHRASES: dict[tuple[str, ...], tuple[str, ...]] = {}
_FIRST_ROLE_WORD: dict[str, int] = {}
_ROLE_WORDS: set[str] = set()


def _compile_roles() -> None:
    for phrase in _ROLES:
        words = tuple(phrase.split())
        _ROLE_PHRASES[words] = tuple(_ROLES[phrase])
        _FIRST_ROLE_WORD[words[0]] = max(_FIRST_ROLE_WORD.get(words[0], 0), len(words))
        _ROLE_WORDS.update(words)


_compile_roles()


def _gesture_word(form: str, match: re.Match[str]) -> str:
    return f" gesture_{form.format(match.group(1) if match.lastindex else '')} "


def opened(text: str) -> str:
    """Return the sentence in lower case with its contractions opened, else as it was said."""
    text = text.lower().replace("\u2019", "'").replace("\u2018", "'")
    for pattern, replacement in _CONTRACTIONS:
        text = pattern.sub(replacement, text)
    return text


_LARGE = re.compile(LARGE_IN_WORDS)


def _opened(text: str) -> str:
    return straightened(_LARGE.sub(lambda found: str(number(found.group()) or found.group()), opened(text)))


def _mended(text: str) -> str:
    return straightened(mended(text))


def gestures_joined(text: str) -> str:
    """Return the sentence with what it says of arms and hands as single words: "gesture_waving"."""
    for pattern, form in _GESTURES:
        text = pattern.sub(functools.partial(_gesture_word, form), text)
    return text


def _outside_quotes(text: str, change: Callable[[str], str]) -> str:
    """Change what does not stand in quotation marks: what does is to be said as it is."""
    parts = text.split('"')
    return '"'.join(part if number % 2 else change(part) for number, part in enumerate(parts))


def normalise(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return the sentence in lower case with contractions opened and gestures as single words."""
    return normalised(text, names)[0]


def normalised(text: str, names: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """Return the sentence as :func:`normalise` does, and words that may or may not be part of a message in it."""
    plain = text.lower().replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    plain = re.sub(r"[\u201c\u201d\u300c\u300d]", '"', plain)
    plain = re.sub(r"\s+[-\u2013\u2014]+\s+|\s*[()\[\]]+\s*(?=\w)|\u2014", ", ", plain)
    plain = re.sub(r"[()\[\]]", " ", plain).lstrip(", ")
    plain = re.sub(r"\s+", " ", plain.replace("_", " ")).strip() + " "
    plain = _outside_quotes(plain, _mended)
    plain, unclear = quoting(plain, names)
    plain = _outside_quotes(plain, _opened)
    plain = _outside_quotes(plainly(plain) + " ", gestures_joined)
    plain = re.sub(r"\b(\w+) \1\b(?! one)", r"\1", plain)
    return re.sub(r"\s+", " ", plain).strip(), unclear


@functools.lru_cache(maxsize=8)
def _people(vocabulary: Vocabulary) -> frozenset[str]:
    return frozenset(
        " ".join(phrase)
        for phrase, senses in vocabulary.english.items()
        if any(sense.kind == "person" for sense in senses)
    )


def people_named(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the names of people in lower case: those that are known, and what is written like a name in the text."""
    written = re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?\b", text)
    return _people(vocabulary) | {name.lower() for name in written}


_PIECE = re.compile(r'"[^"]*"|[a-z_]+|\'s|\d+(?:\.\d+)?|[.,;:!?%&]')


def tokenise(text: str, vocabulary: Vocabulary) -> list[Token]:
    """Split a normalised sentence into the longest phrases that the vocabulary or the grammar knows."""
    pieces = [(piece, False) for piece in _PIECE.findall(text)]
    pieces = _correct_spelling(pieces, vocabulary)
    tokens: list[Token] = []
    index = 0
    while index < len(pieces):
        token, used = _match(pieces, index, vocabulary)
        tokens.append(somebody_after(tokens, token))
        index += used
    return tokens


def _match(pieces: list[tuple[str, bool]], index: int, vocabulary: Vocabulary) -> tuple[Token, int]:
    word, corrected = pieces[index]
    if word[0] == '"':
        return Token(word[1:-1].strip(), roles=("quote",)), 1
    if word.startswith("gesture_"):
        return Token(word, (Sense("gesture", word[len("gesture_") :]),)), 1
    if word in ".,;:!?":
        return Token(word, roles=("punct",)), 1
    clock = _clock_time(pieces, index)
    if clock:
        return Token(" ".join(piece for piece, _ in pieces[index : index + clock]), roles=("timing",)), clock
    limit = max(vocabulary.first_words.get(word, 0) + 1, _FIRST_ROLE_WORD.get(word, 0))
    for length in range(min(limit, len(pieces) - index), 0, -1):
        phrase = tuple(piece for piece, _ in pieces[index : index + length])
        senses = tuple(vocabulary.english.get(phrase, ()))
        if not senses and "'s" in phrase[1:-1]:
            # "the baby's chair" where the map says "baby chair".
            senses = tuple(vocabulary.english.get(tuple(piece for piece in phrase if piece != "'s"), ()))
        roles = _ROLE_PHRASES.get(phrase, ())
        if roles and not senses and length == 1 and word in PAST:
            senses = inflected_verb(word, vocabulary)
        if senses or roles:
            return Token(" ".join(phrase), senses, roles, corrected), length
    if word in NUMBER_WORDS or word[0].isdigit():
        return Token(word, roles=("number",)), 1
    inflected = inflected_verb(word, vocabulary)
    if inflected:
        return Token(word, inflected), 1
    return Token(word), 1


_CLOCK_WORDS = ("at", "by", "until", "till", "before", "after", "around", "from", "about")
_HALVES = ("am", "pm", "o", "clock", "oclock", "sharp", "noon", "midnight", "a", "p", "m")


def _clock_time(pieces: list[tuple[str, bool]], index: int) -> int:
    """Return how many pieces of "at 5", "by half past six", "at 17:30" start here, 0 when it is no time of day."""
    words = [piece for piece, _ in pieces[index : index + 8]]
    if words[0] not in _CLOCK_WORDS or len(words) < 2:
        return 0
    position = 1
    if words[1:3] in (["half", "past"], ["quarter", "past"], ["quarter", "to"]):
        position = 3
    number = words[position] if position < len(words) else ""
    if number in ("noon", "midnight"):
        return position + 1
    if not (number in NUMBER_WORDS or number[:1].isdigit()):
        return 0
    position += 1
    if words[position : position + 1] == [":"] and words[position + 1 : position + 2]:
        position += 2
    marked = position > 2
    while position < len(words) and words[position] in _HALVES:
        marked, position = True, position + 1
    ends = (
        position >= len(words)
        or words[position] in ".,;!?"
        or words[position] in ("and", "please", "bring", "go")
    )
    return position if (marked or (ends and words[0] != "about")) else 0


def base_form(phrase: str, vocabulary: Vocabulary) -> str:
    """Return "fetch" for "fetching" and "fetches", a phrase that is a verb as it stands unchanged."""
    if any(sense.kind == "verb" for sense in vocabulary.english.get(tuple(phrase.split()), ())):
        return phrase
    return next((stem for stem in stems(phrase) if _is_verb_stem(stem, vocabulary)), phrase)


def _is_verb_stem(stem: str, vocabulary: Vocabulary) -> bool:
    return any(sense.kind == "verb" for sense in vocabulary.english.get((stem,), ()))


def _correct_spelling(pieces: list[tuple[str, bool]], vocabulary: Vocabulary) -> list[tuple[str, bool]]:
    known = vocabulary.all_words
    corrected: list[tuple[str, bool]] = []
    for position, (word, _) in enumerate(pieces):
        if (
            len(word) < 4
            or not word.isalpha()
            or word in known
            or word in _ROLE_WORDS
            or word in vocabulary.ordinary
            or word in NUMBER_WORDS
            or inflected_verb(word, vocabulary)
            or (word.endswith("ed") and (word[:-1] in known or word[:-2] in known))
        ):
            corrected.append((word, False))
            continue
        run_together = _split(word, vocabulary)
        if run_together:
            corrected.extend((part, True) for part in run_together)
            continue
        after = pieces[position + 1][0] if position + 1 < len(pieces) else ""
        starts = position == 0 or pieces[position - 1][0] in _BEFORE_AN_ORDER
        better = (order_meant(word, after) if starts else None) or in_a_name(word, after, vocabulary)
        if better is not None:
            corrected.append((better, True))
            continue
        better = closest_word(word, vocabulary)
        if better is None or not any(sense.ids for sense in vocabulary.english.get((better,), ())):
            better = small_word(word) or better
        corrected.append((better, True) if better else (word, False))
    return corrected


_BEFORE_AN_ORDER = frozenset((",", ".", ";", "!", "?", "and", "then", "please", "you", "just"))


def _split(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the two words that are run together in "highchair" and "thesink", none when it is no such thing."""
    if word.startswith("the") and (word[3:],) in vocabulary.english and len(word) > 5:
        return ("the", word[3:])
    halves = ((word[:cut], word[cut:]) for cut in range(3, len(word) - 2))
    return next((pair for pair in halves if pair in vocabulary.english), ())
