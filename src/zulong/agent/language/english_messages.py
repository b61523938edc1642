"""What somebody is to be told or asked in an English instruction, and where it ends.

"Tell Jane that dinner is ready, then come back" holds a message and an order. A message ends where a clause begins
that is meant for the robot: an order, a condition under which it is to speak, an exception, another listener. What
stands before that is put in quotation marks, as the robot says it; what follows is read like any other instruction.
Where it is not clear to whom a clause belongs, its words are noted, so that the user is asked.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from zulong.agent.language.english_message_ends import (
    ANSWERED,
    ASIDE,
    ASK_ALL,
    ASK_ME,
    ENDS,
    HOW_IS,
    LISTED,
    MINE,
    OWN_STATE,
    QUOTED_NEXT,
    REQUEST,
    SAY_BARE,
    SAY_THAT,
    SAY_TO,
    TELL_ALL,
    TELL_BARE,
    TELLING,
    UNKNOWN,
    VP,
)
from zulong.agent.language.english_reported import Direct, asked, requested, told
from zulong.agent.language.english_wordings import Wordings, spoken_wordings

_UNREAD = frozenset(
    ("so", "it", "this", "that", "them", "something", "you did", "i did", "it all", "everything")
)

_SAID = r"\g<said>"
_ONLY_WHEN = re.compile(
    r"(?:if|when|once|whether|as soon as) you (?:see|find|meet|reach|spot|run into) (?:him|her|them|it)"
)
"""A condition of an order whose words were left out: "ask Jane if you see her"."""
_TOPICAL = re.compile(
    r"(?:the|his|her|their|your|my) (?:[a-z]+ )?(?:time|date|day|names?|number|joke|way|weather)\b"
)
_QUOTED = re.compile('"([^"]*)"')
_DONE = re.compile(
    r"\b(?:tell me|let me know|report(?: back)?(?: to me)?|inform me) (?:when|once|as soon as|that|after) "
    r"(?:you (?:are|have|'ve|'re) ?(?:done|finished|ready|through|back|there|completed|done (?:so|it|that))|"
    r"you're (?:done|finished|ready|back|there)|you've (?:done|finished)(?: it)?|it(?:'s| is) done|that(?:'s| is) done)"
    r"(?=\s*(?:[.!?;,]|$))"
)


@dataclass(slots=True, frozen=True)
class _Frame:
    """A message in a sentence.

    Attributes:
        start: where it is opened.
        said: from where to where its words are in the text.
        who: to whom they are said.
        plain: the order that is read instead, with ``\\g<said>`` for the words.
        kind: ``that``, ``bare`` (without "that"), ``asked``, ``request``, ``verbatim``, ``fixed`` (no words).
    """

    start: int
    said: tuple[int, int]
    who: str
    plain: str
    kind: str


@functools.lru_cache(maxsize=64)
def quoting(text: str, names: frozenset[str] = frozenset()) -> tuple[str, tuple[str, ...]]:
    """Return the sentence with its messages in quotation marks, and the words that may or may not belong to one.

    Args:
        text: lower case, with single blanks.
        names: the names of people, in lower case.
    """
    if '"' in text:
        return _named(QUOTED_NEXT, names).sub(r'\1\2"\3" and \1 \4 "', text), ()
    text = _named(ASIDE, names).sub(r"\1 \2 ", text)
    for pattern, plain in LISTED:
        text = _named(pattern, names).sub(plain, text)
    text = text.replace(" to  and tell  that ", " and say that ")
    said, unclear = _quoted(text, names, 0)
    return said, tuple(dict.fromkeys(unclear))


def quoted(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return the sentence with what is to be said or asked word for word in quotation marks."""
    return quoting(text, names)[0]


def words_and_rest(
    text: str, who: str, names: frozenset[str] = frozenset()
) -> tuple[str, str, tuple[str, ...]]:
    """Return the words of a message that stands alone, what follows it, and words that may belong to either.

    Args:
        text: the message, in lower case.
        who: to whom it is said.
        names: the names of people, in lower case.
    """
    said, rest, unclear = _parted(
        text, _Frame(0, (0, len(text)), who, f'tell {who} "{_SAID}"', "verbatim"), names
    )
    return said, rest, tuple(unclear)


def _quoted(text: str, names: frozenset[str], depth: int) -> tuple[str, list[str]]:
    frame = min(_frames(text, names), key=lambda one: one.start, default=None)
    if frame is None or depth > 5:
        return _wordless(text)
    head, doubts = _wordless(text[: frame.start])
    unclear: list[str] = []
    if frame.kind == "fixed" and '"' not in frame.plain and depth < 5:
        # Only the opening was put plainly: what it opens is still to be read.
        return _quoted(head + frame.plain + text[frame.said[1] :], names, depth + 1)
    if frame.kind == "fixed":
        order, tail = frame.plain, text[frame.said[1] :]
    else:
        said, tail, unclear = _parted(text, frame, names)
        if said.startswith("that ") and frame.kind in ("verbatim", "bare"):
            frame, said = replace(frame, kind="that"), said.removeprefix("that ")
        direct = _direct(frame, said, names)
        unclear = [*unclear, *direct.unclear]
        order = _ordered(frame, direct.text)
        answer = ANSWERED.search(tail)
        if answer is not None and re.search(r"\bask\b", tail[: answer.start()]):
            # "tell Jane that ..., then ask her if ..., and tell me what she says": it is the question that awaits one.
            answer = None
        if answer is not None and frame.who not in ("", "me", "us"):
            # "tell Jane that dinner is ready and then tell me what she says": the words await an answer.
            order = f"ask {order.removeprefix('tell ')}" if order.startswith("tell ") else order
            tail = tail[: answer.start()] + tail[answer.end() :] if answer["waits"] else tail
        if said in _UNREAD or _ONLY_WHEN.fullmatch(said):
            unclear = [*unclear, said]
            order = (
                f"{'ask' if frame.kind == 'asked' else 'tell'} {frame.who} something"
                if frame.who
                else "say something"
            )
    tail, more = _quoted(tail, names, depth + 1) if tail.strip() else (tail, [])
    return head + order + tail, [*doubts, *unclear, *more]


def _wordless(text: str) -> tuple[str, list[str]]:
    """Leave out what somebody is to be told of which the robot has no words: "tell Jane how I feel"."""
    doubts = [match[0].removeprefix(f"tell {match[2]}").strip() for match in UNKNOWN.finditer(text)]
    return UNKNOWN.sub(r"\1 \2 something", text), doubts


def _direct(frame: _Frame, said: str, names: frozenset[str]) -> Direct:
    """Return what is said to the listener of a message."""
    if frame.kind == "asked" and said.startswith("about "):
        return Direct(f"can you tell me {told(said, frame.who, names).text}?")
    if frame.kind == "asked":
        return asked(said, frame.who, names)
    if frame.kind == "request":
        return requested(said, frame.who, names)
    content = _QUOTED.search(frame.plain)
    words = content[1].replace(_SAID, said) if content else said
    return (
        Direct(words)
        if frame.kind == "verbatim"
        else told(words, frame.who, names, with_that=frame.kind == "that")
    )


def _ordered(frame: _Frame, text: str) -> str:
    return _QUOTED.sub(lambda _: f'"{text}"', frame.plain)


def _frames(text: str, names: frozenset[str]) -> Iterator[_Frame]:
    """Yield the first message of each kind in the text."""
    wordings: Wordings = spoken_wordings()
    done = _DONE.search(text)
    if done is not None and re.search(r"[a-z]{2,} [a-z]", text[: done.start()]):
        yield _Frame(done.start(), done.span(), "me", 'tell me "I am done"', "fixed")
    for match in wordings.asked.finditer(text):
        if not wordings.known.search(match["said"]):
            yield _Frame(
                match.start(), match.span("said"), match["who"], f'ask {match["who"]} "{_SAID}"', "asked"
            )
            break
    request = _named(REQUEST, names).search(text)
    if request is not None:
        yield _requested(request)
    said_to = _named(SAY_TO, names).search(text)
    if said_to is not None and said_to["that"]:
        plain = f'tell {said_to["who"]} "{{}}"'.format(told(said_to["said"], said_to["who"], names).text)
        yield _Frame(said_to.start(), said_to.span(), "", plain, "fixed")
    elif said_to is not None:
        yield _Frame(
            said_to.start(), said_to.span(), "", f'say "{said_to["said"]}" to {said_to["who"]}', "fixed"
        )
    aloud = re.search(SAY_BARE, text)
    if aloud is not None:
        yield _Frame(aloud.start(), aloud.span("said"), "", f'say "{_SAID}"', "verbatim")
    said_so = re.search(SAY_THAT, text)
    if said_so is not None:
        yield _Frame(said_so.start(), said_so.span("said"), "", f'say "{_SAID}"', "that")
    all_told = _named(TELL_ALL, names).search(text)
    if all_told is not None and not _TOPICAL.match(all_told["said"]):
        plain = " and ".join(f'tell {one} "{_SAID}"' for one in _each(all_told["who"]))
        kind = "that" if all_told["that"] else "bare"
        yield _Frame(all_told.start(), all_told.span("said"), all_told["who"], plain, kind)
    everybody = _named(ASK_ALL, names).search(text)
    if everybody is not None:
        plain = " and ".join(f'ask {one} "{_SAID}"' for one in _each(everybody["who"]))
        yield _Frame(everybody.start(), everybody.span("said"), "them", plain, "asked")
    own = re.search(ASK_ME, text)
    if own is not None:
        yield _Frame(own.start(), own.span("said"), own["who"], f'ask {own["who"]} "{_SAID}"', "asked")
    wellbeing = re.search(HOW_IS, text)
    if wellbeing is not None:
        who = wellbeing["on"] or {"he": "him", "she": "her"}.get(wellbeing["they"], "them")
        plain = f'ask {who} "how are you?" and tell me the answer'
        yield _Frame(wellbeing.start(), wellbeing.span(), who, plain, "fixed")
    for pattern, plain in wordings.spoken:
        found = pattern.search(text)
        if found is None:
            continue
        yield _worded(found, plain, text)
    bare = _named(TELL_BARE, names).search(text)
    if bare is not None:
        yield _Frame(bare.start(), bare.span("said"), bare["who"], f'tell {bare["who"]} "{_SAID}"', "bare")


def _worded(match: re.Match[str], plain: str, text: str) -> _Frame:
    """Return the message that a wording of the file opens."""
    groups = match.groupdict()
    if "said" not in groups or '"' not in plain:
        return _Frame(match.start(), match.span(), "", match.expand(plain), "fixed")
    opened = text[match.start() : match.start("said")]
    direct = plain.startswith("say ") or re.search(r"(?::|\bsay(?:s|ing)| -)\s*$", opened)
    kind = "verbatim" if direct else "that" if re.search(r"\bthat\W*$|\bnot to\W*$", opened) else "bare"
    expanded = match.expand(plain.replace(_SAID, "\0")).replace("\0", _SAID)
    return _Frame(match.start(), match.span("said"), groups.get("who") or "", expanded, kind)


def _requested(match: re.Match[str]) -> _Frame:
    """Read "ask Jane to come here", and "ask Jane to tell me where she is" as the question that it is."""
    who, span = match["who"], match.span("said")
    telling = TELLING.match(match["said"])
    when = telling is not None and telling["said"].startswith("when")
    if telling is None or when or telling["to"] in ("him", "her", "them"):
        plain = " and ".join(f'tell {one} "{_SAID}"' for one in _each(who))
        return _Frame(match.start(), span, who, plain, "request")
    start = span[0] + telling.start("said")
    after = " and tell me the answer" if telling["to"] in ("me", "us") else ""
    return _Frame(match.start(), (start, span[1]), who, f'ask {who} "\\g<said>"{after}', "asked")


@functools.lru_cache(maxsize=512)
def _named(pattern: str, names: frozenset[str]) -> re.Pattern[str]:
    """Compile a pattern with ``<N>`` for the name of a person and ``<NS>`` for those of one or more."""
    name = (
        "(?:" + "|".join(re.escape(one) for one in sorted(names, key=lambda n: (-len(n), n))) + r")\b"
        if names
        else "(?!)"
    )
    several = rf"{name}(?:(?:,| and|, and) {name})*"
    return re.compile(pattern.replace("<NS>", several).replace("<N>", name))


def _parted(text: str, frame: _Frame, names: frozenset[str]) -> tuple[str, str, list[str]]:
    """Return the words of the message, what follows it, and words that may belong to either."""
    start, end = frame.said
    stop = re.search(r"[.?!;]", text[start:])
    sentence = start + stop.start() if stop else len(text)
    whole = text[start:sentence]
    first, kind, match = _first_end(whole, frame, names)
    if match is None or end - start < first:
        # A wording knows best how far what it quotes reaches.
        until = start + min(first, end - start)
        return text[start:until].strip(" ,"), text[until:], []
    said, rest = whole[: match.start()].strip(" ,"), whole[match.end() :]
    after = text[sentence:]
    if kind == "drop":
        return _again(said, rest, after, frame, names)
    if kind == "either":
        return said, after, [(match[0] + rest).strip(" ,")]
    if kind == "manner":
        return said, rest + after, [match["how"]]
    if match.groupdict().get("n"):
        tail, unclear = _to_others(match, kind, said, rest, frame, names)
        return said, tail + after, unclear
    tail, unclear = _joined_on(whole[match.start() :], kind, said, frame, names)
    return said, tail + after, unclear


def _to_others(
    match: re.Match[str], kind: str, said: str, rest: str, frame: _Frame, names: frozenset[str]
) -> tuple[str, list[str]]:
    """Return the order that "... and Adel too", "... and Adel that it is late" adds, and what is unclear about it."""
    named, verb = match["n"], "ask" if frame.kind == "asked" else "tell"
    if kind == "instead":
        condition = re.sub(rf",? (?:then )?(?:tell )?{re.escape(named)}\s*$", "", rest.rstrip())
        return f", {condition}, {_same(frame, said, named, names)}", []
    if kind == "other":
        return f" and {verb} {named} {rest}", []
    if verb == "ask" and not re.search(r"\b(?:ask|too|same|also|as well)\b", match[0]):
        # "ask Jane when she is coming and tell Adel": the answer.
        return f" and tell {named} the answer{rest}", []
    own = _named(OWN_STATE, names).match(said) is not None
    told = re.search(r"\b(?:tell|ask|let|inform|same|likewise|say|then)\b", match[0]) is not None
    repeated = "".join(f" and {_same(frame, said, one, names)}" for one in _each(named))
    # "I am home and Adel as well": Adel may be home, or is to be told.
    return repeated + rest, [match[0].strip(" ,")] if own and not told else []


def _joined_on(
    text: str, kind: str, said: str, frame: _Frame, names: frozenset[str]
) -> tuple[str, list[str]]:
    """Return what follows a message as an order or a condition of its own, and the part that may belong to the "
    "message."""
    joined = _repeated(text.lstrip(" ,"), frame, said, names)
    joined = re.sub(r"^(and|but|while)(?: then)? you (?=\w)", r"\1 ", joined)
    opens = re.match(r"(?:and|but|then|also|so|after|before)\b", joined)
    joined = f" {joined}" if opens else f", {joined}"
    unclear = False
    if kind in ("and", "comma") and not re.match(rf"\W*(?:and |but |then |also |so )*{MINE}", joined):
        unclear = kind == "comma" or VP.search(said) is not None
    if kind in ("if", "when"):
        unclear = re.search(r"\b(?:can|may|could|should|must|will|would|might)\b", said) is not None
    return joined, [joined.strip(" ,")] if unclear else []


def _again(
    said: str, rest: str, after: str, frame: _Frame, names: frozenset[str]
) -> tuple[str, str, list[str]]:
    """Part what follows words that add nothing."""
    text = f"{said}{rest}"
    if not rest.strip(" ,"):
        return said, after, []
    inner = _Frame(0, (0, len(text)), frame.who, frame.plain, frame.kind)
    parted, tail, unclear = _parted(text, inner, names)
    return parted, tail + after, unclear


def _repeated(rest: str, frame: _Frame, said: str, names: frozenset[str]) -> str:
    """Give "... and tell Adel", "ask Adel too" after other orders the words of the message before."""
    verb = "ask" if frame.kind == "asked" else "tell"
    words = "(?: the same(?: thing)?| too| as well| also| so| that| it| instead)?"
    pattern = _named(rf"\b{verb} (?P<n><NS>){words}" + r"(?=\s*(?:[.!?;,]|$))", names)
    return pattern.sub(
        lambda found: " and ".join(_same(frame, said, one, names) for one in _each(found["n"])), rest
    )


def _same(frame: _Frame, said: str, name: str, names: frozenset[str]) -> str:
    """Return the order to tell or ask somebody else the same."""
    other = _Frame(0, (0, 0), name, frame.plain, frame.kind)
    verb = "ask" if frame.kind == "asked" else "tell"
    return f'{verb} {name} "{_direct(other, said, names).text}"'


def _each(named: str) -> list[str]:
    return [one for one in re.split(r",? and |, ", named) if one]


def _first_end(whole: str, frame: _Frame, names: frozenset[str]) -> tuple[int, str, re.Match[str] | None]:
    """Return where the message ends first, how, and the words that end it."""
    best: tuple[int, str, re.Match[str] | None] = (len(whole), "", None)
    for kind, pattern in ENDS:
        if kind == "and" and frame.kind == "request":
            # "tell Jane to go to the kitchen and bring a cup": both are hers.
            continue
        match = _named(pattern, names).search(whole, 1)
        if match is not None and match.start() > 0 and match.start() < best[0]:
            best = (match.start(), kind, match)
    return best
