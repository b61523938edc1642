"""What stands before or behind an English order and only says what is not wanted, left out before the order is read.

"I no longer need the fork, but do bring me the knife", "don't bother with the plates, just ...", "neither the apple nor
the pear, I'd like a plum", "you brought me the wrong cup, I wanted the green one", "just one banana, not the whole bunch":
what is to be done is the rest, heard as an instruction of its own. What is unwanted must not be what the rest orders.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_named import NAME, named, one_of_them
from zulong.agent.language.english_rewriting import Rule, rewritten
from zulong.agent.language.lexicon import Vocabulary

_SPEAKS = re.compile(r"\b(?:tell|say|says|ask|asks|inform|remind|let [a-z]+ know)\b", re.IGNORECASE)
_VERB = (
    r"(?:bring|get|fetch|give|take|hand|pass|carry|grab|put|place|set|move|deliver|go|come|tell|ask|find|follow|"
    r"guide|count|"
    r"wait|look|say)"
)
_THEN = r"(?:(?:but|and|so|just|only|please|instead|rather|do|could you|can you|would you|i want you to|you can)[, ]+)*"


def without_unwanted(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence without what it says not to be wanted.

    Args:
        text: the sentence as it was said.
        vocabulary: the words of the lexicon and the map.
    """
    return rewritten(text, vocabulary, _RULES, _SPEAKS)


def _unneeded(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "I no longer need the fork, but do bring me the knife"; what is ordered must be another thing."""
    out = named(match["out"], vocabulary)
    if out is None or out.kind != "object" or not out.noun:
        return None
    order = match.string[match.end() :]
    headless = re.search(r"\bthe [a-z]+ one\b", order, re.IGNORECASE)
    if headless is not None or re.search(
        rf"\b(?:it|them|that|{re.escape(out.noun)})\b", order, re.IGNORECASE
    ):
        return None
    return ""


def _neither(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "neither the apple nor the pear, I'd like a plum"."""
    out = [named(match[part], vocabulary) for part in ("a", "b")]
    return "" if all(one is not None and one.kind == "object" for one in out) else None


def _wrong_thing(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "you brought me the wrong cup, I wanted the green one"."""
    out = named(match["out"], vocabulary)
    meant = one_of_them(match["meant"], out, vocabulary) if out is not None and out.kind == "object" else None
    return f"bring me {meant.said()}" if meant is not None and meant.kind == "object" else None


def _not_all(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "just one banana, not the whole bunch" and "..., the rest can stay"."""
    return "" if match.start() else None


def _better_to(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "over to Robin, or no, better to Simone"."""
    out, meant = named(match["out"], vocabulary), named(match["meant"], vocabulary)
    if out is None or meant is None or out.kind != meant.kind or out.kind == "object":
        return None
    return f"{match['to']} {match['meant']}"


def _begun_again(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "find Jane. No, wait, find Paris and tell her ..."."""
    return ", no, "


def _whoever(match: re.Match[str], vocabulary: Vocabulary) -> str | None:
    """Read "to whoever is standing, not to the ones sitting"."""
    return f"the person {match['how']}"


_DOING = r"(?:standing|sitting|lying|waving|pointing|raising)"


def _rule(pattern: str, rule: Rule) -> tuple[re.Pattern[str], Rule]:
    return re.compile(pattern, re.IGNORECASE), rule


_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    _rule(
        rf"^(?:no,? )?(?:(?:i|we) (?:no longer|don't|do not) (?:need|want|feel like) |(?:don't|do not) (?:bother "
        rf"with|bother about|"
        rf"worry about|mind) |never mind |forget(?: about)? )(?P<out>{NAME})(?: any ?more| after all| now)?[,;.:-]+ "
        rf"{_THEN}"
        rf"(?={_VERB}\b)",
        _unneeded,
    ),
    _rule(
        rf"^neither (?P<a>{NAME}) nor (?P<b>{NAME})[,;.:-]+ (?:but |please )*(?=(?:i'd|i would|i want|{_VERB})\b)",
        _neither,
    ),
    _rule(
        rf"^(?:no,? |sorry,? )*(?:you(?:'ve| have)? (?:brought|got|gave|given|fetched)(?: me)?|that's|that is|this "
        rf"is) the wrong "
        rf"(?P<out>[a-z]+(?: [a-z]+)?)[,;.:!-]+ (?:i (?:wanted|want|asked for|meant|said|need)|it should (?:be|have "
        rf"been)|bring me|get me) "
        rf"(?P<meant>{NAME})(?=[.!]*$|,? please[.!]*$)",
        _wrong_thing,
    ),
    _rule(
        r",? (?:and |but )?not (?:the whole (?:bunch|lot|pack|box|bag|thing|set|tin)|all of (?:them|it)|the lot|any "
        r"more|more than "
        r"that)(?=[,.!]|$)",
        _not_all,
    ),
    _rule(
        r"[,;.]+ (?:and |but )?(?:you can )?(?:leave the (?:rest|others|other ones?)(?: (?:there|where (?:it is|"
        r"they are)|alone))?|the "
        r"(?:rest|others|other ones?) (?:can|may|should|must) (?:stay|remain|wait)(?: (?:there|where (?:it is|they "
        r"are)|put))?)(?=[,.!]|$)",
        _not_all,
    ),
    _rule(
        rf"\b(?P<old>to|in|on|into|onto) (?P<out>{NAME})[,;-]+ (?:or )?(?:no,? |actually,? |wait,? |hmm,? "
        rf")*(?:better|rather|preferably) "
        rf"(?P<to>to|in|on|into|onto) (?P<meant>{NAME})(?=[,.;!?]|$| and\b| then\b)",
        _better_to,
    ),
    _rule(
        r"[,.;!-]+ (?:oh )?no,? (?:wait|hang on|hold on|sorry)[,.]? (?=(?:find|go to|tell|ask|bring|put|take|give|"
        r"follow|guide|count)\b)",
        _begun_again,
    ),
    _rule(
        rf"\bwho(?:m)?ever(?:'s| is) (?P<how>{_DOING}(?: (?:in|on|at|by) {NAME})?),? (?:and |but )?not (?:to "
        rf")?(?:the ones?|those|"
        rf"anyone|anybody|the people) (?:who (?:are|is) )?{_DOING}[^,.;!?]{{0,30}}(?=[,.!]|$)",
        _whoever,
    ),
)
