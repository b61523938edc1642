"""English names that the rest of the sentence narrows down: "the table" in the kitchen, "the ones in the sink", "any juice".

The sentence is looked at with one letter for each name of the map
(:class:`~zulong.agent.language.english_states.Lifted`). A name that fits several things is only put for one of them where
the words before leave one, or where any of them is said to do.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_rewriting import LiftedRule, with_names_lifted
from zulong.agent.language.english_states import Lifted
from zulong.agent.language.lexicon import Sense, Vocabulary

_ROOM, _PLACE = "[\ue000-\ue1ff]", "[\ue000-\ue3ff]"
_THING, _PERSON = "[\ue400-\ue5ff]", "[\ue600-\ue7ff]"


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def narrowed_names(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with the names that its own words narrow down; unchanged where they narrow none.

    Args:
        text: the instruction.
        vocabulary: the names of the map.
    """
    return with_names_lifted(text, vocabulary, _RULES)


def _sense(letter: str, lifted: Lifted, vocabulary: Vocabulary) -> Sense | None:
    words = tuple(lifted.names[letter].lower().split())
    return next((sense for sense in vocabulary.english.get(words, ()) if sense.ids), None)


_ANY_OF = _pattern(
    rf"\bany(?: one)?(?: of (?:the|those|these|my|our))? (?P<thing>{_THING})(?! (?:left|in|on|at)\b)"
)


def _any_of_them(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Name one of those that all do: "any of the juices will be fine"."""
    if "?" in text or re.search(r"\b(?:if|whether|unless|when|there)\b", text, re.IGNORECASE):
        return text

    def named(said: re.Match[str]) -> str:
        sense = _sense(said["thing"], lifted, vocabulary)
        several = (
            sense is not None
            and sense.kind == "object"
            and len(sense.ids) > 1
            and sense.value not in sense.ids
        )
        return f"the {sense.ids[0].replace('_', ' ')}" if sense is not None and several else said[0]

    return _ANY_OF.sub(named, text)


_IN_ROOM = _pattern(
    rf"\b(?:go|drive|head|come|roll|move|walk|run|nip|pop|get|look|in|into|inside)(?: over| back| along| out)*(?: "
    rf"to| into| in|"
    rf" inside)? (?:(?:the|my|our) )?(?P<room>{_ROOM})(?P<between>[^?!]*?)\b(?P<at>on|at|from|off|to|onto|by) the "
    rf"(?P<place>{_PLACE})(?! (?:in|of)\b)"
)


def _in_that_room(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Name the only table of the room that was named: "go to the kitchen, count the dishes on the table"."""
    found = _IN_ROOM.search(text)
    if (
        found is None
        or lifted.names[found["place"]].lower() != "table"
        or len(set(re.findall(_ROOM, text))) > 1
    ):
        return text
    room, table = (_sense(found[which], lifted, vocabulary) for which in ("room", "place"))
    if room is None or table is None or len(room.ids) != 1:
        return text
    # A desk is a table by kind, and nobody who has both means it so.
    there = [i for i in table.ids if vocabulary.room_of.get(i) == room.ids[0] and i.endswith("table")]
    if len(there) != 1:
        return text
    name = there[0].replace("_", " ")
    return f"{text[: found.start('place')]}{name}{text[found.end('place') :]}"


_ONES = _pattern(
    rf"(?P<count>\bcount|\bhow many)(?P<what> (?:all )?(?:the )?(?:[a-z]+ )?{_THING})(?P<where> "
    rf"[^?!.;]*?{_PLACE}[^?!;\ue400-\ue7ff]*?)"
    r"(?P<then>,? (?:and|then|and then),? )(?:count )?(?:the ones|those|all those|the ones that are|the ones lying) "
    rf"(?P<at>(?:in|on|at|inside|by) (?:the |my |our )?{_PLACE})"
)


def _the_ones(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Say again what is counted: "count the dishes on the table, then count the ones in the sink"."""
    return _ONES.sub(
        lambda said: (
            f"{said['count']}{said['what']}{said['where']}{said['then']}count{said['what']} {said['at']}"
        ),
        text,
    )


_GIVES = r"(?:bring|give|take|get|fetch|hand|pass|serve|deliver)"
_NOT_THAT = _pattern(
    rf"^(?P<open>\W*(?:(?:please|robot|no|oh|hey|sorry|wait|and)[, ]+)*)(?:don't|do not|dont|never) {_GIVES} "
    rf"(?:(?:the|any|that|my|an?) "
    rf"{_THING} (?:to|for) (?P<a>{_PERSON})|(?P<b>{_PERSON}) (?:the|any|that|my|an?) {_THING})"
    rf"[,;.] ?(?:but |rather |instead |please |just )*(?P<verb>{_GIVES}) (?:(?:him|her|them) "
    rf"(?P<x>[^,.;!?\ue600-\ue7ff]*?{_THING})|"
    rf"(?P<y>[^,.;!?\ue600-\ue7ff]*?{_THING}) to (?:him|her|them))(?: instead| rather| please)*(?=\s*[.!]*\s*$)"
)


def _to_the_same(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Name who gets something else: "don't take the cola to Jane, give her the milk instead"."""
    said = _NOT_THAT.match(text)
    if said is None:
        return text
    return f"{said['open']}{said['verb']} {said['a'] or said['b']} {said['x'] or said['y']}"


_ONE_FROM = _pattern(
    rf"(?<!not )\bthe one (?:(?:that's|that is|which is) )?(?P<at>from|in|on|off) "
    rf"(?P<where>(?:the |my |our )?{_PLACE})"
)


def _the_one_from(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Name the thing of "the one from the storage rack" where one thing was named before."""
    found = _ONE_FROM.search(text)
    things = set(re.findall(_THING, text[: found.start()])) if found is not None else set()
    if found is None or len(things) != 1 or "\u0020or\u0020" in text:
        return text
    return f"{text[: found.start()]}the {things.pop()} {found['at']} {found['where']}{text[found.end() :]}"


_I_AM_IN = _pattern(
    rf"\b(?:i|we)(?:'ll be| will be|'m| am|'re| are)(?: (?:sitting|working|waiting|busy|back|now|over|upstairs|"
    rf"resting|lying))* (?:in|on|at|by) "
    rf"(?P<where>(?:the |my |our )?{_PLACE})(?P<rest>(?:[,;.]| and| so|, so) [^?!]*?\b(?:bring|take|carry|fetch|"
    rf"deliver|send|get)\b [^?!]*?) "
    r"(?:over |in |up )?(?:there|here)(?=\s*(?:[,.!]|$|please\b|and\b))"
)


def _where_i_am(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Name the place where the speaker is going to be: "I'll be in the office, bring my coffee there"."""
    return _I_AM_IN.sub(
        lambda said: f"{said[0][: said.start('rest') - said.start()]}{said['rest']} to {said['where']}", text
    )


_LEFT_IT = _pattern(
    rf"^(?P<open>\W*(?:(?:oh|hey|robot|zulong|please|so),? )*)(?P<who>{_PERSON}) (?:has |'s )?(?:left|forgot|"
    rf"forgotten|dropped) (?:his|her|their|the|an?) "
    rf"(?P<what>{_THING})(?: lying| behind)?(?P<at> (?:in|on|at) (?P<where>(?:the |my |our )?{_PLACE}))?[,;.] "
    rf"(?:and |so |but )*(?:he|she|they)"
    r"(?:'s|'d|'ll| is| would| will)? (?:wants?|needs?|like|love|asking for|looking for|need|wants? to have)(?: to "
    r"have)? (?:it|that)"
    r"(?: back| now| please)*[.!]*$"
)


def _left_behind(text: str, lifted: Lifted, vocabulary: Vocabulary) -> str:
    """Take what somebody forgot to them: "Jane left her orange on the bedside table, she wants it"."""
    said = _LEFT_IT.match(text)
    if said is None:
        return text
    where = f" from {said['where']}" if said["where"] else ""
    return f"{said['open']}take the {said['what']}{where} to {said['who']}"


_RULES: tuple[LiftedRule, ...] = (
    _to_the_same,
    _left_behind,
    _the_one_from,
    _where_i_am,
    _the_ones,
    _in_that_room,
    _any_of_them,
)
