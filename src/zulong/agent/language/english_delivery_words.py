"""The words around English deliveries: courtesies, wishes, verbs of bringing, reasons; ``config/deliveries_en.yaml``."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zulong.agent.language.lexicon import LexiconError
from zulong.resources import config_path, read_yaml

_PART = re.compile(r"<([A-Z_]+)>")


@dataclass(slots=True, frozen=True)
class DeliveryWords:
    """The compiled patterns of a file; all work on lower-case text with opened contractions.

    Attributes:
        idle: a piece of a sentence that says nothing of what is to be done.
        courteous: what makes an order of a mere name: courtesies, and how fast it is to be done.
        opening, closing: the same at the beginning and at the end of a piece.
        mine: how a wish of the speaker begins.
        fetched, carried: verbs of bringing; those of ``carried`` need somebody.
        theirs: what stands between somebody and what they wish for.
        letting: whole pieces that let somebody have something; their groups are ``who`` and ``rest``.
        stays: the verb of a statement where something is.
        statement: a statement that orders nothing, unless ``barred`` or a denial other than ``denied`` is in it.
        purpose: what a thing is for.
        adjective, kin, container: words before a name that change nothing.
    """

    idle: re.Pattern[str]
    courteous: re.Pattern[str]
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    mine: re.Pattern[str]
    fetched: re.Pattern[str]
    carried: re.Pattern[str]
    theirs: re.Pattern[str]
    letting: tuple[re.Pattern[str], ...]
    stays: re.Pattern[str]
    statement: re.Pattern[str]
    barred: re.Pattern[str]
    denied: re.Pattern[str]
    purpose: re.Pattern[str]
    adjective: re.Pattern[str]
    kin: str
    container: str

    @classmethod
    def load(cls, path: Path | None = None) -> DeliveryWords:
        """Read a file, by default ``config/deliveries_en.yaml``.

        Raises:
            LexiconError: a section is missing or a pattern is none; the message names it.
        """
        data = read_yaml(path or config_path("deliveries_en.yaml"))
        try:
            parts, told = data["parts"], data["background"]
            idle = _any(data["idle"])
            alone = f"{idle}|{_any(data['alone'])}"
            return cls(
                idle=_pattern(f"(?:{alone})", parts),
                courteous=_pattern(
                    r"\b(?:<TA>|<FAST>|<YOU>|<SLOW>|oi|hey|robot|me again|next|also|lastly|finally|orders?|thing)(?=$| )",
                    parts,
                ),
                opening=_pattern(rf"(?:{idle}) (?=\S)(?!for (?!me\b|us\b))", parts),
                closing=_pattern(rf"(?<=\S) (?:{_any(data['closing'])})$", parts),
                mine=_pattern(rf"{_any(data['mine'])} ", parts),
                fetched=_pattern(rf"{data['fetched']}(?: |$)", parts),
                carried=_pattern(rf"{data['carried']}(?: |$)", parts),
                theirs=_pattern(rf"(?P<who>.+?) (?:{_any(data['theirs'])}) (?P<rest>.+)", parts),
                letting=tuple(_pattern(one, parts) for one in data["letting"]),
                stays=_pattern(
                    r"(?:there (?:is|are) (?P<there>.+?)"
                    r"(?: (?:lying|sitting|kicking|knocking|floating|hanging|hiding|left))?"
                    rf"(?: (?:about|around))? ?|(?P<what>.+?) {data['stays']} )(?P<where>"
                    r"(?:in|on|at|by|near|next to|under|inside|beside|behind) .+)",
                    parts,
                ),
                statement=_pattern(rf"{told['subject']} {told['verb']}(?: .+)?", parts),
                barred=_pattern(told["barred"], parts),
                denied=_pattern(told["denied"], parts),
                purpose=_pattern(rf"(?:{_any(data['purpose'])})", parts),
                adjective=_pattern("<ADJ>", parts),
                kin=_opened("(?:<KIN>|<TITLE>)", parts),
                container=_opened("<CONTAINER>", parts),
            )
        except (KeyError, TypeError) as error:
            raise LexiconError(
                f"Deliveries need the section or part {error}; see deliveries_en.yaml."
            ) from error


def _any(entries: Any) -> str:
    return f"(?:{'|'.join(map(str, entries))})"


def _opened(text: str, parts: Mapping[str, str]) -> str:
    while _PART.search(text):
        text = _PART.sub(lambda part: parts[part[1]], text)
    return text


def _pattern(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    opened = _opened(str(text), parts)
    try:
        return re.compile(opened)
    except re.error as error:
        raise LexiconError(f"Delivery wording {text!r} is no regular expression: {error}.") from error


@functools.cache
def delivery_words() -> DeliveryWords:
    """Return the patterns of ``config/deliveries_en.yaml``."""
    return DeliveryWords.load()
