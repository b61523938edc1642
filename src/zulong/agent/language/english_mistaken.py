"""English orders that were taken for something else: part of a question, the robot's own way, for whom it was not.

"Ask Angel if she is hungry, and when she says yes you give her the cornflakes" is no question about cornflakes, and "it
should go in the sink" moves no robot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zulong.agent.language.meaning import CARRYING, Clause

_UPON_ANSWER = re.compile(
    r"\b(?:when|if|once|should) (?:she|he|they) (?:says?|answers?) (?:yes|no|so|that)\b|"
    r"\b(?:and|then),? you (?:give|bring|get|take|fetch|come|go|put)\b"
)
_IT_GOES = re.compile(r"^(?:and |so |then )*it (?:should|must|has to|needs to|is to|ought to) go\b")
_IT_SHOULD_BE = re.compile(r"\bplease ?, it (?:should|must|ought to) (?:still )?be (?:in|on|at)\b")
_TO_SOMEBODY = re.compile(
    r"\b(?:deliver|bring|take|give|carry|hand|pass) (?:one |it |some |that )(?:over )?to (?:her|him|them)\b"
)


def taken_for_another(said: str, done: Sequence[Clause]) -> list[str]:
    """Return the words of such orders, none when every order was taken for what it is.

    Args:
        said: the sentence in plain words.
        done: what is to be done by the plan that was made of it.
    """
    asks = any(clause.action == "ask" for clause in done)
    hangs = any(clause.condition is not None for clause in done)
    upon = _UPON_ANSWER.search(said) if asks and not hangs and len(done) == 1 else None
    goes = _IT_GOES.search(said) if all(clause.action == "go" for clause in done) else None
    put = any(clause.action == "put" for clause in done)
    found_there = _IT_SHOULD_BE.search(said) if put else None
    carried = [clause for clause in done if clause.action in CARRYING]
    mine = all(clause.recipient is not None and clause.recipient.pronoun == "me" for clause in carried)
    to_other = _TO_SOMEBODY.search(said) if carried and mine else None
    return [match[0] for match in (upon, goes, found_there, to_other) if match is not None]
