"""English orders that break off: "first go to the desk, and then", or a condition with nothing behind it.

Half of an order must not be carried out as if it were all.
"""

from __future__ import annotations

import re

_LEADS_ON = re.compile(
    r"(?:\w+[\s,]+){2,}(?:and then|and also|and after that|and|or|but|because|"
    r"(?:with|to|from|on|in|at|into|onto) the|into|onto)"
    r"[\s.,\u2026-]*|(?:\w+[\s,]+)*?(?:tell|ask|remind|inform) \w+ (?:if|whether|that)[\s.,\u2026-]*",
    re.IGNORECASE | re.DOTALL,
)
_ASKS = re.compile(r"^(?:who|whom|what|which|where|whose)\b|\?\s*$|\"\s*$", re.IGNORECASE)
_ONLY_IF = re.compile(
    r"(?:and |so |well |ok |okay )*(?:if|when|unless|in case|as long as|whenever|once|provided)\s+"
    r"(?!(?:is|are|was|were|do|does|did|will|can|has|have|should|shall)\b)(?:[\w']+\s*){2,9}"
    r"(?:,?\s*then)?[\s.,\u2026-]*",
    re.IGNORECASE,
)


def broken_off(text: str) -> bool:
    """Tell an order that ends with the word that should lead on."""
    if _YOU_KNOW.search(text):
        return True
    return _LEADS_ON.fullmatch(text.strip()) is not None and _ASKS.search(text.strip()) is None


_YOU_KNOW = re.compile(
    r"^\W*(?:if|when|unless|once)\b.*[, ](?:then )?(?:you know (?:what to do|what i (?:want|like|mean)|the "
    r"(?:drill|rest))|do (?:your|the) "
    r"(?:thing|usual|rest)|the usual)[\s.!]*$",
    re.IGNORECASE,
)
"""What is to be done is only alluded to."""


def only_a_condition(text: str) -> bool:
    """Tell a condition without an order: "if the milk is in the fridge"."""
    return _ONLY_IF.fullmatch(text.strip()) is not None or _DO_IT.search(text) is not None


def leads_on(words: str) -> bool:
    """Tell words that cannot be a message or a question of their own: "and if he is not in the office ask Axel"."""
    bare = words.strip(" ,;.?")
    return (bool(words) and not bare) or _JOINS.match(bare) is not None


_JOINS = re.compile(
    r"(?:and|but|or|then)(?: then| also)?,? (?:if|unless|when|once|after|ask|tell|bring|come|go)\b",
    re.IGNORECASE,
)
_DO_IT = re.compile(
    r"^\W*(?:if|when|unless)\b.*[, ](?:then )?(?:please )?(?:do|try) (?:it|that|this|so)[\s.!]*$",
    re.IGNORECASE,
)


_OTHER_PLACE = re.compile(
    r"\b(?:to|into|in|on|onto|at|from) (?:the other|the next|the second|another|a different|some other|that other) "
    r"(?:room|place|spot|table|one|side|shelf|floor)\b",
    re.IGNORECASE,
)
_EITHER_PLACE = re.compile(
    r"\b(?:to|into|in|on|onto) the [a-z]+(?: [a-z]+)? or (?:(?:to|into|in|on|onto) )?the [a-z]+",
    re.IGNORECASE,
)


def other_place(text: str) -> bool:
    """Tell an order about a place that is only said to be another one: "take it to the other room"."""
    return _OTHER_PLACE.search(text) is not None


def either_place(text: str) -> bool:
    """Tell an order that leaves open which of two places is meant: "put it on the desk or the bed"."""
    return _EITHER_PLACE.search(text) is not None


_DENIED_AND_GIVEN = re.compile(
    r"\b(?:do not|don't|dont|never) (?:get|bring|take|fetch|pick up|grab|touch) "
    r"(?:(?!(?:to|me|him|her|us|them)\b)[a-z]+ ){1,8}?(?!(?:me|him|her|us|them)\b)[a-z]+[,;.] ?(?:but )?"
    r"(?:give|bring|take|hand|put|carry|deliver) (?:it|them)\b",
    re.IGNORECASE,
)


def denied_and_given(text: str) -> bool:
    """Tell "do not get the apple, give it to Jane": whether what must not be fetched is to be given is not clear."""
    return _DENIED_AND_GIVEN.search(text) is not None
