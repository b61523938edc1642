"""Slips of typing and of hearing in English, put right where nothing else can be meant.

Patterns work on lower-case text with single blanks, outside quotation marks. Names and nouns are corrected elsewhere,
by what the vocabulary knows; here are the small words, which a dictionary of names does not reach.
"""

from __future__ import annotations

import re

from zulong.agent.language.lexicon import edit_distance

_PLACED = r"(?:in|on|at|from|to|into|near|by|inside|off|of)"
_WITH_THEM = r"(?:follow|guide|lead|escort|accompany|meet|greet|find)"
_ROOMS = r"(?:kitchen|bedroom|bathroom|living|dining|office|corridor|hallway)"

_TELL = r"(?:tell|say|announce|state|give|report|know)"
_WHOM = r" (?:me|him|her|them|us)"
_BEFORE_A_CLAUSE = (
    "if|whether|that|when|where|while|because|as|until|unless|once|and|so|since|but|or|says|said|say|think|know|what|"
    "who|how|which|till|before|after|there|then|see|check|sure|assume"
)

_SLIPS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"\b({_PLACED}) (?:he|tge|thr|thw|tthe|rhe) (?=[a-z])", r"\1 the "),
        (r"\b(?:tho|ot) (?=the\b)", "to "),
        (r"\bfor (?:the love of (?:god|mike)|(?:goodness|heaven|god|pete|christ)'?s?'? sake)\b,?", "please"),
        (r"\bda (?=[a-z])", "the "),
        (r"\bmov (?=(?:the|my|it|a|that|this)\b)", "move "),
        (r"\b2 (?=(?:the|my|me)\b)", "to "),
        (r"^((?:[a-z]+,? )?)id (?=(?:like|love|prefer|rather)\b)", r"\1i would "),
        (r"\b(like|love|want|need|me|have|get|bring) sum (?=[a-z])", r"\1 some "),
        (rf"\b(go|move|drive|walk|head|navigate) the (?={_ROOMS}\b)", r"\1 to the "),
        (r"\b(?:fnd|fidn|finde) (?=(?:the|a|an|my|me)\b)", "find "),
        (r"\b(?:bing|brng|brign|birng|brin) (?=(?:me|the|a|an|him|her|them|it|some|my)\b)", "bring "),
        (r"\b(?:giv|gve|gice|gvie|giev) (?=[a-z])", "give "),
        (r"\b(?:brng|brign|birng|bringg|brinf|brnig) (?=[a-z])", "bring "),
        (r"\b(?:ftech|fecth|fech|fetc|fethc|feth|fectch) (?=[a-z])", "fetch "),
        (r"\b(?:tkae|taek|tke) (?=[a-z])", "take "),
        (r"\b(?:gte|gett|ge) (?=(?:me|us|the|a|an|my|some|him|her)\b)", "get "),
        (r"\b(?:plase|plese|plaese|pleas|pleae|pleese|pleaze)\b", "please"),
        (r"\b(?:tel|tll|telll) (?=(?:me|the|him|her|them|us)\b)", "tell "),
        (r"\bpick (?:p|u|yp) (?=(?:the|a|an|my|that|this)\b)", "pick up "),
        (r"\bplease me (?=(?:the|a|an|some|that)\b)", "please bring me "),
        (r"\bthere (?=(?:name|gender|pose|gesture|question|order)s?\b(?! (?:are|is)\b))", "their "),
        (r"\b(?:being|bting) (?=(?:me|him|her|us) (?:the|a|an|some|my)\b)", "bring "),
        (r"\b(?:whta|waht|wht|wat)(?= ?'?s\b| (?:is|are)\b)", "what"),
        (r"\b(?:whaa+t+|wha*tt+|wwh?at|whhat|waht|whta|wht|wath)(?='?s?\b(?! the (?:milk|cola)\b))(?='?s\b| (?:is|are|do|"
         r"can|was|does)\b)", "what"),
        (r"\bwha't ?s\b", "what's"),
        (r"\bthe?i?re?'?s (?=(?:any|a|an|some|no|still|more|nobody|somebody|someone|anyone)\b)", "there's "),
        (r"\b(?:whre|wher|hwere) (?=(?:is|are|the|my)\b)", "where "),
        (r"\b(?:yuo|oyu|yoou|youu)\b", "you"),
        (r"\b(?:coud|culd|coukd) (?=you\b)", "could "),
        (r"\b(?:tree|thee|theee|tthree) (?=(?:\w+est )?(?:objects|items|things|\w+est)\b)", "three "),
        # left out or said twice
        (r"\b([a-z']+) \1\b(?! one)", r"\1"),
        (r"\b(to|on|at) (left|right) (?=(?:hand )?side\b|of\b)", r"\1 the \2 "),
        (r"\b(to|on|at) (left|right)(?=\W*$| (?:in|and|of|on)\b)", r"\1 the \2"),
        (r"\bat (left|right)(?= of\b)", r"at the \1"),
        (r"\bon (left|right) ?most\b", r"on the \1 most"),
        (r"\b(furthest|farthest|most) to (left|right)\b", r"\1 to the \2"),
        (r"\b(weighs?|weights?|weigths?) (most|least)\b", r"\1 the \2"),
        (r"\bday of (week|month)\b", r"day of the \1"),
        (rf"\b({_TELL})((?:{_WHOM})?) (date|day)(?=\W*$| and\b| to\b)", r"\1\2 the \3"),
        (rf"\b({_TELL})((?:{_WHOM})?) (name|gender|pose|gesture|number) of\b", r"\1\2 the \3 of"),
        (r"\b(of|to|for|with|from) (?=(?:person|man|woman|guest|individual) (?:at|in|on|near|by)\b)", r"\1 the "),
        (r"\bon (floor|ground)\b", r"on the \1"),
        (r"\basking you (question|quiz)\b", r"asking you a \1"),
        (r"\b(tell|say|announce)((?: (?:me|him|her|them|us))?) time(?=\W*$| and\b| to (?:the|a|person|[a-z]+ing)\b)",
         r"\1\2 the time"),
        (r"\b(how many (?:people|persons|men|women|guests|guys|girls|boys|ladies)) (stand|lie|wave)"
         r"(?= (?:in|at|on|near|by|up|down)\b)",
         r"\1 are \2ing"),
        (r"\blieing\b", "lying"),
        (r"\bwaveing\b", "waving"),
        (r"\bpoint (?!(?:to|at|out|left|right)\b)([a-z]+) (?:to|towards) (?=the\b)", r"guide \1 to "),
        (r"\binsert (?=(?:the|a|an|it|them|my|that|this)\b)", "put "),
        # heard for another word
        (r"\b(storage|coat) ?(?:wreck|rec|wrack|wreak)\b", r"\1 rack"),
        (r"\bwaist basket\b", "waste basket"),
        (r"\ba pair (?=(?:from|that|which|in the|on the|off)\b)", "a pear "),
        # sentences run together
        (r"^((?:please |robot |so )*there is (?:a |an |some |the )?[\w ]+? (?:in|on|at|by|under|near) the [\w ]+?) "
         r"(?=(?:(?:please|can you|could you|go) )*(?:find|bring|take|tell|give|get|answer|follow|guide|greet|ask|"
         r"hand|put|"
         r"fetch|grab) (?:it|him|her|them|me|us|and)\b)", r"\1, "),
        (rf"\b(?!(?:{_BEFORE_A_CLAUSE})\b)([a-z]+) (he|she) is (?=(?:at|in|by|near|on|over|next to|beside) )",
         r"\1, \2 is "),
        (r"\bfollower (?=(?:him|her|them)\b)", "follow "),
        # heard for "them"
        (rf"\b({_WITH_THEM}) then (?=(?:to|in|at|back|from|around|there|here)\b)", r"\1 them "),
        (r"\b(give|bring|take|deliver|hand) (it|them) too (?=\w)", r"\1 \2 to "),
        # what is compared
        (r"\bthe (?:most |very )?(bigg|larg|small|heavi|light|thinn)(?:er|es|ets|ed|esst|eest) "
         r"(?!(?:of|than|in|on|to|from|and|at|for|by|is|with)\b)(?=[a-z])", r"the \1est "),
        (r"\bthe (three|two|3|2) lights (?=(?:things|objects|items)\b)", r"the \1 lightest "),
        # sitting for setting, leaving for putting
        (r"\b(?:sit|lie|lay|leave) (it|them) (?:down |there )?"
         r"(?=(?:on|in|at|onto|into|inside|under|by|near|next to|beside) (?:the|my|a)\b)", r"put \1 "),
    )
)  # fmt: skip


def mended(text: str) -> str:
    """Return the sentence with its slips put right."""
    for pattern, plain in _SLIPS:
        text = pattern.sub(plain, text)
    return text


_SMALL_WORDS = (
    "please", "three", "four", "five", "number", "which", "there", "their", "them", "about", "above", "behind", "below",
    "under", "question", "quiz", "yourself", "something", "today", "tomorrow", "weighs", "least", "week", "month",
    "many", "where", "from", "wearing", "affiliation", "country", "seconds", "second", "minutes", "minute", "hours",
    "whether",
    "anyone", "somebody", "someone", "anybody", "anywhere", "people", "anything",
)  # fmt: skip


def small_word(word: str) -> str | None:
    """Return the small word of the language that this unknown one is a slip for, None when there is no one."""
    if len(word) < 4:
        return None
    meant = [
        small for small in _SMALL_WORDS if small[0] == word[0] and abs(len(small) - len(word)) < 2
        and edit_distance(word, small, 1) <= 1
    ]  # fmt: skip
    return meant[0] if len(meant) == 1 else None


_ORDERS = (
    "bring", "fetch", "give", "take", "find", "look", "follow", "guide", "wait", "count", "tell", "move", "hand", "grab",
    "check",
    "show", "place", "carry", "deliver", "greet", "escort", "describe", "introduce", "return", "search",
)  # fmt: skip


def order_meant(word: str, after: str) -> str | None:
    """Return the verb that an unknown word at the beginning of an order is a slip for, None when there is no one.

    Args:
        word: the unknown word.
        after: the word after it; only before a thing, a person or a place is it read as a verb.
    """
    if len(word) < 4 or after not in _BEFORE_A_NAME:
        return None
    meant = [verb for verb in _ORDERS if verb[0] == word[0] and edit_distance(word, verb, 1) <= 1]
    return meant[0] if len(meant) == 1 else None


_BEFORE_A_NAME = frozenset(
    (
        "the",
        "me",
        "a",
        "an",
        "my",
        "some",
        "it",
        "them",
        "him",
        "her",
        "to",
        "for",
        "how",
        "if",
        "all",
        "two",
        "yourself",
    )
)
