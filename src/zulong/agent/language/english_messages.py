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
from dataclasses import dataclass

from zulong.agent.language.english_reported import Direct, asked, requested, told
from zulong.agent.language.english_wordings import Wordings, spoken_wordings

_ORDER = (
    r"(?:tell|ask|inform|notify|let (?:him|her|them|me|us|\w+) know|say|bring|get|fetch|give|take|put|go|come|return|report|"
    r"follow|guide|find|look|wait|count|check|pick|hand|greet|escort|lead|drive|stay|show|serve|deliver|introduce|meet|"
    r"move|carry|place|search|grab|turn|clean|call|wake|remember|leave|help|see|describe|put away|make sure|see to it)"
)
_MINE = (
    r"(?:(?:tell|ask|inform|notify|let) (?:me|us)\b|(?:come|go|drive|get|head) (?:straight |right )?back\b|report|return\b|"
    r"(?:bring|get|fetch|give|hand|pass|show|find|grab|follow|guide|take) (?:me|us)\b|come (?:to me|here)\b|"
    r"(?:bring|take|give|fetch|get|hand) (?:it|them|[a-z ]{1,30}?) to (?:me|us)\b)"
)
"""Orders that are the robot's own, whoever is spoken of before them."""
_AND = r"(?:,? (?:and|but|so|then|and then|but then|after that|afterwards|and also|and after that)|, then|,? also|;)"
_SO = r"(?:(?: then| also| please| afterwards| next| just| finally| now|,)* )"
_SEEN = r"(?:see|find|meet|reach|spot|get to|run into|bump into|have found|come across|catch|found|pass)"
_STATE = (
    r"(?:asleep|sleeping|awake|busy|there|here|in\b|at\b|on\b|home|alone|out\b|away|back\b|up\b|still|on the phone|"
    r"eating|talking|working|resting|not (?:asleep|sleeping|awake|busy|there|here|in|at|home|alone|away))"
)
_THEY = r"(?:she|he|they|it)"
_UNREAD = frozenset(("so", "it", "this", "that", "them", "something", "you did", "i did", "it all", "everything"))

_ENDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        # What adds nothing.
        ("drop", r",? (?:and )?(?:make it (?:quick|snappy|short|fast)|be quick(?: about it)?|hurry(?: up)?|that'?s (?:it|all)"
                 r"(?: for now)?|that is (?:it|all)|nothing (?:else|more)|no more|leave it at that)(?=\s*[.!?]*\s*$)"),
        ("drop", r", (?:please|thanks|thank you|will you|would you|could you|can you|okay|ok|right away|immediately|quickly|"
                 r"at once|as soon as possible|asap)(?=\s*[.!?]*\s*$)"),
        ("drop", rf",? (?:as soon as|when|once|whenever|the moment|next time) you (?:next |first )?{_SEEN} "
                 rf"(?:him|her|them|<N>)(?=\s*(?:[.!?,]|$| and\b))"),
        ("drop", r",? (?:and )?(?:not|rather than|instead of) (?:that|to|if|whether|what|when|where|how) [^.!?;]*"),
        ("drop", r",? (?:and )?(?:not|instead of|rather than)(?: to| telling| asking)? <N>(?=\s*(?:[.!?,]|$| and\b))"),
        # The listener of another message.
        ("same", r",? and (?:then |also )?(?:tell |ask |let |inform |the same (?:goes )?(?:for|to) |do the same (?:for|with) |"
                 r"likewise )?(?P<n><NS>)(?: know)?(?: the same(?: thing)?| it| that)?,? (?:too|as well|also|likewise)"
                 r"(?=\s*(?:[.!?,;]|$| and\b))"),
        ("same", r"(?:,|,? (?:and|then|and then)) (?:also |then )?(?:tell|ask|inform|say it to|say so to) (?P<n><NS>)"
                 r"(?:,? (?:the same(?: thing)?|too|as well|also|that|it|so))?(?=\s*(?:[.!?;]|$))"),
        ("same", r",? (?:and )?(?:the same (?:goes |thing )?(?:for|to)|same for|likewise|do the same (?:for|with)) "
                 r"(?P<n><NS>)(?=\s*(?:[.!?,;]|$))"),
        ("other", r"(?:,| and|, and|;)(?: then| also)? (?P<n><NS>),? (?=(?:that|if|whether|to|what|when|where|why|how|who|which)\b)"),
        ("either", r",? or(?: else| rather)?(?: tell| ask)? <NS>(?=\s*(?:[.!?,;]|$|(?: that| if| whether| to)\b))"),
        ("instead", r",? (?:or|and|but) (?=if (?:you (?:can ?not|can't|cannot|do not|don't) (?:find|see) (?:him|her|them)|"
                    r"(?:he|she|they) (?:is|are)(?:n't| not)[^,.;]*),? (?:then )?(?:tell )?(?P<n><NS>)\s*(?:[.!?;]|$))"),
        # Orders.
        ("order", rf"{_AND}{_SO}(?={_MINE})"),
        ("order", rf",? (?:and|but|while)(?: then)? you (?=(?:then )?{_ORDER}\b)"),
        ("order", rf",? (?:and )?then(?:,)? (?=(?:please )?{_ORDER}\b)"),
        ("order", rf",(?: please)? (?={_MINE})"),
        ("order", r",? (?:but|and)(?: please| also| then)? (?=(?:do not|don't|never|make sure|be sure|see to it)\b)"),
        ("order", rf",? (?:and|but) (?=if (?:so|not|yes|no|{_THEY} (?:does|do|is|says?|wants?|has|can)\b))"),
        ("order", r",? (?=(?:if not|otherwise|or else|if so)\b)"),
        ("order", rf"{_AND}{_SO}(?=(?:tell|ask) (?:<N>|him|her|them|the [a-z]+)\b)"),
        ("and", rf"{_AND}{_SO}(?={_ORDER}\b(?!'))"),
        ("comma", rf",(?: please)? (?={_ORDER}\b)"),
        # When and whether the robot is to speak.
        ("when", rf",? (?:but )?(?=(?:before|after) (?:you )?(?:have |had )?{_ORDER}\b)"),
        ("when", r",? (?:but )?(?=(?:before|after) (?:going|coming|bringing|taking|putting|getting|fetching|giving|returning|"
                 r"finding|leaving for|guiding|following|driving|delivering)\b)"),
        ("if", rf",? (?:but )?(?=(?:only )?(?:if|when|once|in case|provided) you {_SEEN}\b)"),
        ("if", rf",? (?:but |and )?(?=(?:unless|(?:only )?(?:if|when|in case)|as long as|provided(?: that)?) {_THEY} "
               rf"(?:asks?|wants? to know|wakes? up|(?:is|are|isn't|aren't)(?: already)? {_STATE}))"),
        ("if", r",? (?:but )?(?=only (?:if|when)\b)"),
        ("manner", r"(?:,| and|, and|,? but)(?: do it| say it| do so| only)? (?P<how>(?:very |really )?(?:quietly|softly|gently|"
                   r"politely|nicely|discreetly|loudly|slowly|carefully|in private|in a whisper|silently))(?=\s*(?:[.!?]|$))"),
    )
)  # fmt: skip
_VP = re.compile(
    r"\b(?:will|would|can|could|should|shall|must|may|might|let us|let's|please|have to|has to|had to|needs? to|wants? to|"
    r"going to|able to|[a-z]+'ll|[a-z]+'d|(?:i|we|you|they) (?:always |usually |often )?"
    r"(?:go|come|bring|take|get|put|leave|eat|work|live|sleep|wake|look))\b"
)
"""What a bare verb after "and" may be joined to in a message: "I will go home and bring the milk"."""
_OWN_STATE = re.compile(r"^(?:i|we|you|he|she|they|<N>)\b")
_REQUEST = (
    r"\b(?P<verb>tell|ask|order|instruct|request|beg|urge) (?P<who>(?!(?:me|us|you|to|that|if|<N> and|the (?:time|date|day|"
    r"name|number|story|joke|truth|count|answer|result))\b)(?:<N>|him|her|them|(?:the|an?|my|our|everyone|everybody|whoever|"
    r"someone|somebody|anyone)\b[a-z' ]{0,60}?|[a-z]+)) to (?P<said>(?!the\b|a\b|an\b|my\b|me\b|us\b|him\b|her\b|them\b|"
    r"<N>\b|every|some|you\b|dinner\b|lunch\b|breakfast\b|it\b|be told\b)[a-z][^\"]*)"
)
_TELLING = re.compile(
    r"^(?P<who>tell|show|explain to|let) (?P<to>me|us|you|him|her|them)(?: know)? (?P<said>(?:if|whether|what|when|why|how|"
    r"where|which|who|whose)\b.*)$"
)
_SAY_TO = (
    r"\bsay (?P<said>(?:i|you|we|it|he|she|they|there|dinner|lunch|breakfast|this|that)(?:'[a-z]+)? (?!to\b)[^\",.;]+?) "
    r"to (?P<who><N>|him|her|them|(?:the|everyone|everybody) ?[a-z' ]{0,40}?)(?=\s*(?:[.!?;,]|$| and\b))"
)
_ASK_ME = r"\bask (?P<who>me|us) (?P<said>(?:if|whether|what|when|why|how|where|which|who|whose)\b[^\"]*)"
_ASIDE = r"\b(tell|ask|inform|let) (<N>|him|her|them), (?:and )?(?:but )?not (?:<N>|him|her|them),? (?=\w)"
_UNKNOWN = re.compile(
    r"\b(tell) (?!(?:me|us)\b)((?:the )?[a-z]+(?: (?:in|at|on) the [a-z]+)?) (?:why\b|how (?:i|you|we|he|she|they|it)\b"
    r"|when (?!you\b)|the truth\b|a secret\b|a lie\b|lies\b|(?:exactly )?what (?:i|you|we|he|she|they) "
    r"(?!(?:see|saw|find|found|can see|can do|are called)\b)|whether (?:i|you|we)\b)[^.!?;,\"]*"
)
_SAID = r"\g<said>"
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
        return text, ()
    said, unclear = _quoted(_named(_ASIDE, names).sub(r"\1 \2 ", text), names, 0)
    return said, tuple(dict.fromkeys(unclear))


def quoted(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return the sentence with what is to be said or asked word for word in quotation marks."""
    return quoting(text, names)[0]


def _quoted(text: str, names: frozenset[str], depth: int) -> tuple[str, list[str]]:
    frame = min(_frames(text, names), key=lambda one: one.start, default=None)
    if frame is None or depth > 5:
        return _UNKNOWN.sub(r"\1 \2 something", text), []
    head = _UNKNOWN.sub(r"\1 \2 something", text[: frame.start])
    if frame.kind == "fixed":
        order, tail, unclear = frame.plain, text[frame.said[1] :], []
    else:
        said, tail, unclear = _parted(text, frame, names)
        direct = _direct(frame, said, names)
        unclear = [*unclear, *direct.unclear]
        order = _ordered(frame, direct.text)
        if said in _UNREAD:
            order = f"tell {frame.who} something"
    tail, more = _quoted(tail, names, depth + 1) if tail.strip() else (tail, [])
    return head + order + tail, [*unclear, *more]


def _direct(frame: _Frame, said: str, names: frozenset[str]) -> Direct:
    """Return what is said to the listener of a message."""
    if frame.kind == "asked":
        return Direct(f"can you tell me {said}?") if said.startswith("about ") else asked(said, frame.who, names)
    if frame.kind == "request":
        return requested(said, frame.who, names)
    content = _QUOTED.search(frame.plain)
    words = content[1].replace(_SAID, said) if content else said
    return Direct(words) if frame.kind == "verbatim" else told(words, frame.who, names, with_that=frame.kind == "that")


def _ordered(frame: _Frame, text: str) -> str:
    return _QUOTED.sub(lambda _: f'"{text}"', frame.plain, count=1)


def _frames(text: str, names: frozenset[str]) -> Iterator[_Frame]:
    """Yield the first message of each kind in the text."""
    wordings: Wordings = spoken_wordings()
    done = _DONE.search(text)
    if done is not None:
        yield _Frame(done.start(), done.span(), "me", 'tell me "I am done"', "fixed")
    for match in wordings.asked.finditer(text):
        if not wordings.known.search(match["said"]):
            yield _Frame(match.start(), match.span("said"), match["who"], f'ask {match["who"]} "{_SAID}"', "asked")
            break
    request = _named(_REQUEST, names).search(text)
    if request is not None:
        yield _requested(request)
    said_to = _named(_SAY_TO, names).search(text)
    if said_to is not None:
        yield _Frame(said_to.start(), said_to.span(), "", f'say "{said_to["said"]}" to {said_to["who"]}', "fixed")
    own = re.search(_ASK_ME, text)
    if own is not None:
        yield _Frame(own.start(), own.span("said"), own["who"], f'ask {own["who"]} "{_SAID}"', "asked")
    for pattern, plain in wordings.spoken:
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        if "said" not in groups or '"' not in plain:
            yield _Frame(match.start(), match.span(), "", match.expand(plain), "fixed")
            continue
        opened = text[match.start() : match.start("said")]
        direct = plain.startswith("say ") or re.search(r"(?::|\bsay(?:s|ing)| -)\s*$", opened)
        kind = "verbatim" if direct else "that" if re.search(r"\bthat\W*$|\bnot to\W*$", opened) else "bare"
        expanded = match.expand(plain.replace(_SAID, "\0")).replace("\0", _SAID)
        yield _Frame(match.start(), match.span("said"), groups.get("who") or "", expanded, kind)


def _requested(match: re.Match[str]) -> _Frame:
    """Read "ask Jane to come here", and "ask Jane to tell me where she is" as the question that it is."""
    who, span = match["who"], match.span("said")
    telling = _TELLING.match(match["said"])
    if telling is None or telling["to"] in ("him", "her", "them"):
        return _Frame(match.start(), span, who, f'tell {who} "\\g<said>"', "request")
    start = span[0] + telling.start("said")
    after = " and tell me the answer" if telling["to"] in ("me", "us") else ""
    return _Frame(match.start(), (start, span[1]), who, f'ask {who} "\\g<said>"{after}', "asked")


@functools.lru_cache(maxsize=512)
def _named(pattern: str, names: frozenset[str]) -> re.Pattern[str]:
    """Compile a pattern with ``<N>`` for the name of a person and ``<NS>`` for those of one or more."""
    name = "(?:" + "|".join(re.escape(one) for one in sorted(names, key=lambda n: (-len(n), n))) + r")\b" if names else "(?!)"
    several = rf"{name}(?:(?:,| and|, and) {name})*"
    return re.compile(pattern.replace("<NS>", several).replace("<N>", name))


def _parted(text: str, frame: _Frame, names: frozenset[str]) -> tuple[str, str, list[str]]:
    """Return the words of the message, what follows it, and words that may belong to either."""
    start, end = frame.said
    stop = re.search(r"[.?!;]", text[start:])
    sentence = start + stop.start() if stop else len(text)
    whole = text[start:sentence]
    first, kind, match = _first_end(whole, frame, names)
    until = min(first, end - start) if end > start else 0
    if match is None or end - start < first:
        # A wording knows best how far what it quotes reaches.
        return text[start : start + until].strip(" ,"), text[start + until :], []
    said, rest = whole[: match.start()].strip(" ,"), whole[match.end() :]
    after = text[sentence:]
    named = match.groupdict().get("n")
    verb = "ask" if frame.kind == "asked" else "tell"
    if kind == "drop":
        said_again = _again(said, rest, after, frame, names)
        return said_again
    if kind == "same" and named:
        repeated = "".join(f" and {_same(frame, said, one, names)}" for one in _each(named))
        unclear = [match.group().strip(" ,")] if _named(_OWN_STATE.pattern, names).match(said) and not re.search(
            r"\b(?:tell|ask|let|inform|same|likewise|say)\b", match.group()
        ) else []
        return said, repeated + rest + after, unclear
    if kind == "other" and named:
        told_to = re.sub(r",? (?:and )?", " and ", named).removeprefix(" and ") if "," in named else named
        return said, f" and {verb} {told_to} {rest}{after}", []
    if kind == "instead" and named:
        condition = rest.rstrip()
        condition = re.sub(rf",? (?:then )?(?:tell )?{re.escape(named)}\s*$", "", condition)
        return said, f", {condition}, {_same(frame, said, named, names)}{after}", []
    if kind == "either":
        return said, after, [match.group().strip(" ,") + rest]
    if kind == "manner":
        return said, rest + after, [match["how"]]
    joined = whole[match.start() :].lstrip(" ,")
    joined = re.sub(r"^(and|but|while)(?: then)? you (?=\w)", r"\1 ", joined)
    joined = f" {joined}" if re.match(r"(?:and|but|then|also|so|after|before)\b", joined) else f", {joined}"
    unclear = []
    if kind in ("and", "comma") and not re.match(rf"\W*(?:and |but |then |also |so )*{_MINE}", joined):
        unclear = [joined.strip(" ,")] if kind == "comma" or _VP.search(said) else []
    if kind in ("if", "when") and re.search(r"\b(?:can|may|could|should|must|will|would|might)\b", said):
        unclear = [joined.strip(" ,")]
    return said, joined + after, unclear


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


def _same(frame: _Frame, said: str, name: str, names: frozenset[str]) -> str:
    """Return the order to tell or ask somebody else the same."""
    other = _Frame(0, (0, 0), name, frame.plain, frame.kind)
    verb = "ask" if frame.kind == "asked" else "tell"
    return f'{verb} {name} "{_direct(other, said, names).text}"'


def _each(named: str) -> list[str]:
    return [one for one in re.split(r",? and |, ", named) if one]


def _first_end(
    whole: str, frame: _Frame, names: frozenset[str]
) -> tuple[int, str, re.Match[str] | None]:
    """Return where the message ends first, how, and the words that end it."""
    best: tuple[int, str, re.Match[str] | None] = (len(whole), "", None)
    for kind, pattern in _ENDS:
        if kind == "and" and frame.kind == "request":
            # "tell Jane to go to the kitchen and bring a cup": both are hers.
            continue
        match = _named(pattern.pattern, names).search(whole, 1)
        if match is not None and match.start() > 0 and match.start() < best[0]:
            best = (match.start(), kind, match)
    return best
