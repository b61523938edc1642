"""English words that are a courtesy by themselves and name somebody after a preposition: "to my friend"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zulong.agent.language.lexicon import Sense
from zulong.agent.language.tokens import Token

_SOMEBODY = re.compile(
    r"(?:my |the |your )?(?:(?:good|dear|old|little) )*"
    r"(?:friend|sir|buddy|mate|pal|dude|bro|champ|lad|honey|darling|sweetheart|dear|love)s?"
)


def somebody_after(before: Sequence[Token], token: Token) -> Token:
    """Return the token, as a person that nobody knows by name where it is no courtesy after the tokens before it."""
    if not token.has("polite") or not _SOMEBODY.fullmatch(token.text):
        return token
    rest = before[:-1] if before and before[-1].text in ("my", "the", "your", "a") else before
    if not rest or not rest[-1].plays("prep:to", "prep:for", "prep:with", "prep:from"):
        return token
    return Token("somebody", (Sense("person_noun", "anyone"),), (), token.corrected)
