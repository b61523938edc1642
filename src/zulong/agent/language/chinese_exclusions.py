"""What is left out of a kind in a Chinese order: 「拿瓶喝的，别拿牛奶」.

Which of the others it is to be was not said, and a mere yes to 「要我拿饮料吗」 could fetch the very one that was ruled
out; so one of the others has to be named.
"""

from __future__ import annotations

from collections.abc import Sequence

from zulong.agent.language.chinese_doubts import LEFT_OUT
from zulong.agent.language.chinese_named import names_of
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import CARRYING, Clause


def left_out_of_a_kind(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the names of what must not be taken where only its kind is to be carried; none where nothing is left out.

    Args:
        text: the sentence as it was said.
        clauses: what is to be done.
        vocabulary: the names.
    """
    kinds = [
        clause.theme
        for clause in clauses
        if clause.action in CARRYING
        and clause.theme is not None
        and clause.theme.category
        and not clause.negated
    ]
    if len(kinds) != 1:
        return ()
    names = names_of(vocabulary)
    said = [
        next((group for group in match.groups() if group), "") for match in LEFT_OUT.finditer(plain(text))
    ]
    found = [
        name
        for words in said
        for name, thing in names.found(words)
        if thing not in names.places | names.people
    ]
    return tuple(dict.fromkeys(found))
