"""What is said after an order in English, put the plain way: other words for the same corrections and additions.

"Actually make that a minute", "oh no, it's Axel's", "it's in the pantry, sorry" and "same for Jules" hold no order of
their own: each says what of the order before is to be another. They are put into the few forms that the dialogue
knows ("wait 60 seconds", "no, to Axel", "no, from the pantry", "and for Jules"). A turn that orders something itself
stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zulong.agent.language.english_second_turns import put_right_after
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import NUMBER_WORDS

_CARRYING = frozenset(("bring", "take", "put"))
_TOLD = frozenset(("tell", "count", "describe", "find", "ask"))
_BACK = (
    r"(?:(?:oh+|oo+h|ah+|argh+|ugh|d'?oh|uh|um+|er+m?|hmm+|eh|yikes|gosh|well|hey|robot|zulong|ok|okay|right|no|"
    r"nope|nah|sorry|wait|oops|whoops|actually|hang on|"
    r"hold on|hold it|my mistake|my bad|correction|scratch that|scrap that|strike that|cancel that|on second thoughts?|"
    r"i mean|i meant|wrong (?:one|person|place|thing|name|room|way|table)|not that(?: one)?|that's wrong|that is wrong|"
    r"(?:i )?(?:just )?changed my mind|i've changed my mind|i have changed my mind|rather|better|let's say|silly me|"
    r"come to think of it|thinking about it|tell you what|in fact|or rather|please|so)[\s,.;:!\u2014-]+)*"
)
"""How a turn begins that takes something back."""
_END = (
    r"(?:[\s,]+(?:please|thanks|thank you|ta|cheers|sorry|instead|then|robot|rather|if you can|if possible|mate|love|"
    r"dear|actually|i think|i mean|i meant|that is|better|will you|would you|i guess|while you're (?:at it|there|"
    r"up)|while you are (?:at it|there|up)))*[\s.!?]*$"
)
_NUMBER = (
    rf"(?:\d+|an?(?: whole| full| good)?|one whole|another(?: \d+| (?:two|three|four|five|ten|fifteen|twenty|"
    rf"thirty|sixty))?|"
    rf"{'|'.join(sorted(map(re.escape, NUMBER_WORDS), key=len, reverse=True))})(?:[ -](?:one|two|"
    rf"three|four|five|six|seven|eight|nine))?"
)
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?)"
_LASTING = (
    rf"(?P<time>half (?:a|an) {_UNIT}|{_NUMBER} and a half {_UNIT}|{_NUMBER}(?: {_UNIT})?(?: and a half)?|a couple "
    rf"of {_UNIT}|"
    r"(?:a )?quarter of an hour|three quarters of an hour)"
)
_ANOTHER_TIME = re.compile(
    rf"{_BACK}(?:(?:and )?(?:make|let's make|call|say|let's say)(?: it| that)?,? |(?:wait|stay|for|only|just|it "
    rf"should be|it's) )*"
    rf"{_LASTING}(?: (?:or so|will do|would do|is (?:better|enough|fine|plenty)|would be (?:better|fine|enough|nicer)|"
    rf"will be (?:better|enough)|should (?:do|be enough)|tops|max))?{_END}",
    re.IGNORECASE,
)
_WHO = r"(?P<who>(?:the |my |our )?[a-z]+(?: [a-z]+)?)"
_FOR_ANOTHER = tuple(
    re.compile(rf"{_BACK}{pattern}{_END}", re.IGNORECASE)
    for pattern in (
        rf"(?:it|that|this|they)(?:'s| is| was|'re| are)(?: (?:really|actually|meant|supposed|all))?(?: to be)? "
        rf"(?:for|going to) {_WHO}",
        rf"(?:it|that|this|the \w+)(?:'s| is) (?:really |actually )?{_WHO}(?:'s|s')",
        rf"(?:it|that|this) (?:belongs|goes|should go|must go|needs to go|has to go) to {_WHO}",
        rf"{_WHO} (?:wanted|asked for|wants|needs|ordered|is waiting for|should get|should have|needed|gets|has to "
        rf"have|is to have|"
        r"was asking for) (?:it|that|this|them|that one)(?: first)?",
        rf"(?:give|take|bring|hand|pass) (?:it|that|them) to {_WHO}",
        rf"(?:it(?:'s| is| was) )?{_WHO}(?:'s| is| was)? (?:the one )?(?:who|that) (?:wanted|wants|asked for|needs|"
        rf"needed|ordered)"
        r"(?: (?:it|that|one|them))?",
        rf"not (?:to |for )?(?!to\b|for\b)[a-z]+(?:,| but|, but) (?:it's |it was |to |for )*{_WHO}",
    )
)
_MORE_FOR = tuple(
    re.compile(rf"(?:and |also,? |oh,? |ok,? |then )*{pattern}{_END}", re.IGNORECASE)
    for pattern in (
        rf"(?:the )?(?:same|ditto|likewise)(?: again)?(?: thing)?,? (?:for|to|with) {_WHO}(?:,? (?:too|as well|also))?",
        rf"(?:one|another(?: one)?|some)(?: more)? (?:for|to) {_WHO}(?:,? (?:too|as well|also))?",
        rf"{_WHO} (?:might|may|will|would|could|should|'d|'ll) (?:also )?(?:like|want|have|need|do with|love|use|"
        rf"get) (?:one|some|the same)"
        r"(?:,? (?:too|as well|also))?",
        rf"(?:do|and) the same for {_WHO}",
        rf"(?:do (?:it|that) )?(?:once )?(?:again|one more time|once more),? (?:and |but )?"
        rf"(?:this time |now )?(?:for|to) {_WHO}",
    )
)
_ADDRESSED = re.compile(
    r"(?<=\w), (?:silly|dummy|stupid|love|mate|dear|robot|zulong|darling|you (?:silly|daft|stupid) \w+)(?=,)",
    re.IGNORECASE,
)
_SPOT_THERE = re.compile(
    r"(?:to|on|in|into|onto|at) (?:the |my )?[a-z]+(?: [a-z]+)? there[\s.!]*$", re.IGNORECASE
)
_INSTEAD_OF_UNKNOWN = re.compile(
    r"(?:(?:ok|okay|oh|well|right|fine|so|then|all right|alright|in that case|never mind|no)[,. ]+)*(?:i (?:mean|"
    r"meant) )?"
    rf"(?:to )?(?P<what>(?:the |an? |my |some )?[a-z]+(?: [a-z]+)??)(?: will do| then| instead){{0,2}}{_END}",
    re.IGNORECASE,
)
_LOOK = re.compile(
    r"(?:and |then |well |oh |sorry,? )*(?:look|check|try|search|have a look)(?: for it)? "
    rf"(?P<at>(?:in|on|at|under|inside) (?:the |my |our )?[a-z]+(?: [a-z]+)?){_END}",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    rf"{_BACK}(?:forget(?: about)?|cancel|skip|drop|never mind|scrap|hold) (?:the |that |my )?(?P<what>[a-z]+(?: "
    rf"[a-z]+)?)"
    rf"(?: after all)?{_END}",
    re.IGNORECASE,
)
_SAID_TO = re.compile(
    r"(?:and |please |now |also |then )*(?:say|tell|repeat|pass on|give) (?:it|that|the same(?: thing)?|this)(?: "
    r"message)? to "
    rf"(?P<who>[a-z]+)(?:,? (?:as well|too|also))?{_END}",
    re.IGNORECASE,
)
_RETURN = re.compile(
    r"(?:and |then |now )*(?:straight |right )?back(?: again)?(?: to me| here)?[\s.!]*$", re.IGNORECASE
)
_ONTO = re.compile(
    rf"{_BACK}(?P<at>(?:to|on|into|onto) (?P<place>(?:the |my |our )?[a-z]+(?: [a-z]+)?)){_END}",
    re.IGNORECASE,
)
_FETCHED = re.compile(
    r"(?:(?:and|then|ok|okay|so|please|now|well|good|great|right|can you|could you|would you)[, ]+)*"
    rf"(?:fetch|get|grab|collect) (?P<it>it|them|one)(?: for me| then| here)*{_END}",
    re.IGNORECASE,
)
_KNOWS_TOO = re.compile(
    r"(?:and |oh,? |but )?(?P<who>[a-z]+) (?:needs to|has to|ought to|should|must|wants to|would like to|'d like to) "
    rf"(?:know|hear|be told)(?: it| that| about it)?(?:,? (?:too|as well|also))?{_END}",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    rf"{_BACK}(?:not (?:{_NUMBER})(?: of (?:them|those))?[,.;:]? *(?:but )?)?"
    r"(?:(?:i )?(?:just |only )?(?:need|want|meant) )?"
    r"(?:just|only|make (?:it|that|them)(?: just| only)?|let's (?:say|make it)|better make (?:it|that)) (?P<number>"
    rf"{'|'.join(sorted((w for w in NUMBER_WORDS if ' ' not in w), key=len, reverse=True))}|\d)"
    rf"(?: of (?:them|those))?{_END}",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"(?:(?:no|actually|oh|well|sorry|wait)[,. ]+)*(?P<number>one|two|three|four|five|\d)(?: of (?:them|those))? "
    rf"(?:(?:is|are|will be|would be)(?: more than)? (?:enough|plenty|fine|sufficient)|will do|would do|"
    rf"suffices?){_END}",
    re.IGNORECASE,
)
_STAY = re.compile(
    r"(?:and |then |now )*(?:stay|wait|remain|stop|hang on|hang about|stand) (?:there|put)(?: for)? (?=\w)",
    re.IGNORECASE,
)
_INTERJECTED = re.compile(r"^(?:(?:oo+h|argh+|ugh|d'?oh|yikes|gosh|hmm+|eh)[,!. ]+)+(?=\w)", re.IGNORECASE)
_TOO = re.compile(
    rf"(?:and |also,? |oh,? |ok,? |then )*(?P<what>(?:the |a |an |some |my )?[a-z]+(?: [a-z]+)?),? (?:as well|too|"
    rf"also){_END}",
    re.IGNORECASE,
)
_COLOUR = re.compile(rf"{_BACK}(?P<colour>[a-z]+)(?:[\s!,.]+(?P=colour))*{_END}", re.IGNORECASE)
_AFTER_ALL = re.compile(
    r"(?:(?:oh|well|sorry|no|wait|actually|hang on|um+)[,.]? )*(?:(?:i (?:have |just )?|i've |i have just "
    r")?changed my mind|on second thoughts?|"
    r"scratch that|scrap that|strike that|no,? (?:don't|do not|stop|wait)|cancel that|forget that|tell you what|"
    r"better still|better yet)"
    r"[\s,.;:!\u2014-]+(?:and |then |so |please |just |you can |could you |can you )*"
    r"(?=(?:bring|take|put|give|go|get|fetch|tell|ask|come|leave|find|look|follow|guide|count|hand|pass|move|"
    r"carry|place|wait|say)\b)",
    re.IGNORECASE,
)
_IS_AT = re.compile(
    rf"{_BACK}(?P<who>he|she|they|[a-z]+)(?:'s| is| will be| should be| must be|'ll be|'re| are)"
    r"(?: (?:now|probably|still|over|currently|sitting|standing|lying|back|just|waiting|working|asleep|resting|up|"
    r"down))* "
    rf"(?P<at>(?:in|on|at|by) (?:the |my |our )?[a-z]+(?: [a-z]+)?){_END}",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"^(?P<lead>(?:(?:and|then|ok|please|so|now)[, ]+)*(?:please )?(?:look for|look|find|count|search for|search|"
    r"see|check|describe|tell me|"
    r"how many|who|what|is|are)\b.*?)(?: is| are)?(?:'s)? (?:in |over |out )?there(?P<end>\s*[.!?]*)$",
    re.IGNORECASE,
)
_WHAT_ABOUT = re.compile(
    r"(?:(?:and|ok|right|so|well|oh)[, ]+)*(?:(?:what|how) about|same (?:for|in)|now|try|check)(?: (?:in|on|at))? "
    r"(?P<place>(?:the |my |our )?[a-z]+(?: [a-z]+)?)[\s?.!]*$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"(?:and |but |only |just )*(?:until|till|as far as|all the way to|up to|just to|over to) (?=(?:the|my|you)\b)",
    re.I,
)
_DETAILED = re.compile(
    r"(?:the )?[a-z]+ (?:one|thing|bit)[,.:;]? (?:i mean |so |that is |that's )?(?P<what>(?:the|my) [a-z]+(?: "
    r"[a-z]+)?)[\s.!]*$",
    re.I,
)
_WHICH = re.compile(
    r"(?:(?:which|what)(?: [a-z]+)? (?:are there|is there|have you got|do you have|do we have|can i choose from)|"
    r"what (?:are|were) (?:the|my) (?:options|choices)|what(?:'s| is) on offer|somewhere(?: [a-z]+){0,4})[\s?.!]*$",
    re.IGNORECASE,
)
_AT = r"(?P<at>(?:in|on|at|under|by|inside|on top of) (?:the |my |our )[a-z]+(?: [a-z]+)?)"
_ELSEWHERE = re.compile(
    rf"{_BACK}(?:it|that|this|they|the \w+(?: \w+)?)(?:'s| is|'re| are| should be| must be| might be)"
    rf"(?: (?:actually|really|now|still|over|lying|kept|probably))* {_AT}{_END}",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?:the one |that |it's |its )?(?:from|out of|off) (?:the |my |our )?[a-z]+(?: [a-z]+)?[\s.!]*$",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"^.*?\b(?:from|out of|off) ", re.IGNORECASE)
_NICER = re.compile(
    rf"{_BACK}(?:(?P<a>(?:the |an? |some |my )[a-z]+(?: [a-z]+){{0,2}}?) (?:would|will|might|'d|is) (?:be "
    rf")?(?:really |much |even |a bit |actually )*"
    r"(?:nicer|better|nice|great|good|lovely|preferable|do(?: me)?(?: fine| better)?|perfect|fine)|"
    r"(?:i'd|i would|i'll|i will|let me|i) (?:rather |much |really )*(?:have|prefer|take|get|like|go for|fancy|want) "
    rf"(?P<b>(?:the |an? |some |my )[a-z]+(?: [a-z]+){{0,2}}?)(?: instead| better| more| rather)?){_END}",
    re.IGNORECASE,
)
_CALLED_OFF = re.compile(
    rf"{_BACK}(?:do not bother|don't bother|no need|not needed|leave it(?: (?:there|alone|be|where it is))?|drop it|"
    r"there's no need|it's not needed|never ?mind|forget (?:it|that|about it|i asked)|"
    r"i (?:don't|do not|no longer) (?:need|want) (?:it|that|one|them)(?: any ?more| after all| now)?|"
    r"(?:i've|i have|i) (?:already )?(?:got|found|have) (?:it|one|them)(?: myself| already| now)?|(?:i'll|i will|"
    r"i can) (?:get|do|fetch|grab) (?:it|that) myself|"
    r"(?:it's|that's) (?:ok|okay|fine|all right|alright)(?: where it is| as it is| there)?|don't worry(?: about it)?|"
    r"(?:you )?(?:needn't|need not|don't have to|do not have to)(?: bother| do (?:it|that))?)"
    r"(?:,? (?:after all|any ?more|thanks|then|now))*"
    r"(?:[,.;] *(?:(?:it|that|this)(?:'s| is) (?:fine|ok|okay|all right|alright|good|not important|no use|gone|done)"
    r"(?: where it is| as it is| there)?|i (?:found|have|got|have got|am fine|don't need).{0,30}|i've .{0,30}|i'm "
    r"(?:fine|good|ok|full)))?"
    rf"{_END}",
    re.IGNORECASE,
)
_ONCE_MORE = re.compile(
    r"(?:sorry|pardon|oh|um+|and|hey|ok|please|what)?[\s,?!.]*(?:once more|one more time|once again|again|(?:say|"
    r"repeat) (?:that|it)(?: again| once more)?|come again|"
    r"(?:do|run|try|check|count) (?:it|that|them) (?:again|once more|one more time)|same again|(?:and )?another go|"
    r"repeat|"
    r"what was that(?: again)?|what did you say|how many was that|what's that again|i beg your pardon|pardon(?: me)?|"
    r"tell me again|could you (?:repeat|say) that(?: again)?|can you (?:repeat|say) that(?: again)?)"
    r"(?:,? (?:please|would you|will you|could you|robot|thanks))*"
    r"(?:[,.;:?!\u2014-]+ *(?:i|we) (?:was|were|am|did|do|have|could|can|missed|forgot|lost)(?:n't|not| "
    r"not)?\b[^,.;]{0,40}|"
    r"[,.;:] *(?:i|we) (?:didn't|don't|couldn't|wasn't|weren't|haven't|can't|'ve)\b[^,.;]{0,40})?[\s.!?]*$",
    re.IGNORECASE,
)
_YOU_CHOOSE = re.compile(
    r"(?:(?:oh|um+|well|hmm+|i don't know|i do not know|dunno|not sure|no idea|i don't mind|i don't care)[\s,.;]*)*"
    r"(?:you (?:choose|pick|decide)|your choice|up to you|it's up to you|whatever(?: you (?:like|think|want))?|"
    r"wherever(?: you (?:like|think|want)| there's room)?|anywhere(?: you like| will do| is fine)?|whoever|"
    r"surprise me|as you like)[\s.!]*$",
    re.IGNORECASE,
)
_NO_MATTER = re.compile(
    r"(?:(?:oh|well|um+|any|honestly|really)[,. ]+)*(?:i (?:don't|do not) (?:mind|care)|(?:it )?doesn't matter|no "
    r"preference|whichever|whatever|"
    r"you (?:choose|pick|decide)|(?:it's )?all the same to me|(?:it )?makes no difference)(?: which| what| to me| "
    r"you like| one| at all| really)*[\s.!]*$",
    re.IGNORECASE,
)
_NEAREST = re.compile(
    r"(?:whichever|whatever|the one|any|just)(?: one)?(?:'s| is| that's| that is)? ?(?:the )?(?:nearest|closest|"
    r"easiest|handiest|handy|to hand|"
    r"there|clean|going|will do|is fine|quickest)(?: to (?:you|hand|find|get))?[\s.!]*$",
    re.IGNORECASE,
)
_THEM = re.compile(
    r"\b(give|hand|bring|pass|take|put|leave|deliver|carry) them (?=(?:to|on|in|into|onto|back|over|here|away|down)\b)",
    re.I,
)
_ROOM_AND_SPOT = re.compile(
    r"^(?P<lead>.*?)\b(?:to|in|into) (?:the |my |our )?(?P<room>[a-z]+(?: room)?),? (?P<spot>(?:on|in|onto|into|"
    r"at|by) (?:the |my |our )?"
    r"[a-z]+(?: [a-z]+)?)(?P<end>[\s.!]*)$",
    re.IGNORECASE,
)


_TAKING_BACK = re.compile(
    rf"(?=\W*(?:\w+\W+){{0,4}}?(?:scrap|strike|cancel that|silly me|my bad|tell you what|come to think|thinking "
    rf"about|let's say|"
    rf"nah|changed my mind|wrong|hold it))(?P<back>{_BACK})"
    r"(?=(?:the|a|an|my|to|in|on|from|into|onto|at|for|some|two|three|four|five|[A-Z][a-z]+[\s.!]*$)\b)",
    re.IGNORECASE,
)


_CALLED_OUT = re.compile(
    r"(?:to )?(?:the )?(?P<place>[a-z]+(?: room)?)[,.!]*(?P<haste>(?:[ ,.]+(?:quick|quickly|fast|now|right now|at once|"
    r"immediately|go|asap|hurry|chop chop|on the double|pronto))*)(?:[ ,]+(?:please|robot))*[.!]*",
    re.IGNORECASE,
)


def in_plain_words(text: str, context: Mapping[str, Any], vocabulary: Vocabulary) -> str:
    """Return a turn that goes on about the order before it in the words that the dialogue knows.

    Args:
        text: what is said.
        context: that of the result before.
        vocabulary: the words of the lexicon and the map.
    """
    clauses = context.get("clauses") or ()
    if not (clauses or context.get("pending") or context.get("named")):
        return _sent_to(text, vocabulary)
    if not clauses or context.get("language") not in (None, "en"):
        return text
    last, slot = clauses[-1], str((context.get("pending") or {}).get("slot") or "")
    if slot in ("text", "confirmation"):
        return text
    said = re.sub(r"\s+", " ", text.replace("\u2019", "'")).strip()
    said = _ADDRESSED.sub("", _INTERJECTED.sub("", said))
    said = re.sub(r"(?<=\w) there(?=[\s.!]*$)", "", said) if _SPOT_THERE.match(said) else said
    things = last.get("theme") or {}
    if things.get("kind") == "object" and not things.get("number") and str(things.get("text")).endswith("s"):
        # "Take the cornflakes to Paris." - "... bring them to me."
        said = _THEM.sub(r"\1 it ", said)
    put_right = put_right_after(said, clauses, slot, vocabulary)
    if put_right is not None:
        return put_right
    after_all = _AFTER_ALL.match(said)
    if after_all is not None and not slot:
        return f"no, {said[after_all.end() :]}"
    goal = last.get("goal") or {}
    unknown = (last.get("theme") or {}).get("unknown") or (goal.get("name") and not goal.get("ids"))
    instead = _INSTEAD_OF_UNKNOWN.match(said) if unknown and not slot else None
    if instead is not None:
        return f"no, {instead['what']}"
    for step in (_of_waiting, _called_off, _carried, _repeated, _told_where, _gone_on):
        plain = step(said, last, slot, vocabulary)
        if plain is not None:
            return plain
    taken_back = _TAKING_BACK.match(said) if not slot else None
    if taken_back is not None and taken_back["back"]:
        return f"no, {said[taken_back.end() :]}"
    theme = last.get("theme") or {}
    one = theme.get("kind") == "object" and not theme.get("pronoun") and int(theme.get("number") or 1) == 1
    return _THEM.sub(r"\1 it ", said) if one and not last.get("recipient") else said


def _sent_to(text: str, vocabulary: Vocabulary) -> str:
    """Read "bedroom!", "office, quick": a room called out alone, with haste, is where to go."""
    called = _CALLED_OUT.fullmatch(text.strip())
    if called is None or not (called["haste"] or "!" in text):
        return text
    senses = _senses(called["place"], vocabulary)
    return f"go to the {called['place'].lower()}" if any(s.kind == "room" and s.ids for s in senses) else text


def _of_waiting(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "make it two" after "wait a minute"."""
    if last.get("action") != "wait" or slot not in ("", "duration"):
        return None
    match = _ANOTHER_TIME.match(said)
    if match is None or re.search(r"\bnot\b|n't\b|\blonger\b|\bmore\b", said):
        return None
    time = re.sub(r"\b(?:whole|full|good) ", "", match["time"])
    time = re.sub(r"^another (?=\d|\w+$)", "", time) if time != "another" else "a"
    time = re.sub(r"^another\b", "a", time)
    if re.search(_UNIT, time) or "hour" in time:
        return f"wait {time}"
    seconds = float(last.get("seconds") or 0)
    if not seconds or time in ("a", "an", "another"):
        return None
    unit = "hours" if seconds % 3600 == 0 else "minutes" if seconds % 60 == 0 else "seconds"
    return f"wait {time} {unit}"


def _called_off(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    dropped = _DROPPED.match(said)
    theme = str((last.get("theme") or {}).get("name") or "")
    if dropped is not None and theme and not slot and theme in dropped["what"].lower():
        return "never mind"
    return "never mind" if _CALLED_OFF.fullmatch(said) else None


def _carried(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    """Read who is to have what was ordered, and which thing instead."""
    if last.get("action") not in _CARRYING or slot not in ("", "person", "goal", "object"):
        return None
    for forms, plain in ((_MORE_FOR, "and for {}"), (_FOR_ANOTHER, "no, to {}")):
        for form in forms:
            match = form.match(said)
            if match is not None and _is_person(match["who"], vocabulary):
                return plain.format(match["who"])
    counted = None if slot else _HOW_MANY.match(said) or _ENOUGH.match(said)
    name = str((last.get("theme") or {}).get("name") or "")
    if counted is not None and name:
        return f"no, {counted['number']} {name}"
    mine = (last.get("recipient") or {}).get("pronoun") == "me"
    nicer = _NICER.match(said) if mine and slot == "" else None
    if nicer is not None:
        thing = nicer["a"] or nicer["b"]
        return f"no, {thing}" if _is_thing(thing, vocabulary) else None
    return _of_person_and_kind(said, last, slot, vocabulary)


def _of_person_and_kind(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    """Read where the one is to whom the thing goes, and of which colour it is to be."""
    recipient, theme = last.get("recipient") or {}, last.get("theme") or {}
    at = _IS_AT.match(said) if recipient.get("name") and not slot else None
    if at is not None and at["who"].lower() in ("he", "she", "they", str(recipient["name"]).lower()):
        return (
            f"no, to {recipient['name']} {at['at']}"
            if _is_place(at["at"].split(" ", 1)[1], vocabulary)
            else None
        )
    colour = _COLOUR.match(said) if theme.get("name") and slot in ("", "object") else None
    if colour is not None and _any(colour["colour"], vocabulary, lambda kind: kind == "colour"):
        return f"no, the {colour['colour']} one" if not slot else f"the {colour['colour']} one"
    return None


def _gone_on(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "the bowl as well", "and who is there?", "what about the bathroom?", "until the exit"."""
    goal = last.get("goal") or {}
    fetched = _FETCHED.match(said) if not slot else None
    if fetched is not None:
        return f"bring me {fetched['it']}"
    spoken = last.get("action") in ("tell", "ask") and not slot
    to = (_SAID_TO.match(said) or _KNOWS_TOO.match(said)) if spoken else None
    if to is not None and _is_person(to["who"], vocabulary):
        return f"tell {to['who']} the same"
    if last.get("action") == "go" and not slot and _RETURN.match(said):
        return "come back to me"
    too = _TOO.match(said) if not slot else None
    if too is not None and (_is_thing(too["what"], vocabulary) or _is_person(too["what"], vocabulary)):
        return f"and {too['what']}" if _is_thing(too["what"], vocabulary) else f"and {too['what']} too"
    there = _THERE.match(said) if last.get("action") == "go" and goal.get("name") and not slot else None
    if there is not None:
        asked = re.search(r"\b(?:who|what)\b", there["lead"], re.IGNORECASE) is not None
        return f"{there['lead']}{' is' if asked else ''} in the {goal['name']}{there['end']}"
    about = (
        _WHAT_ABOUT.match(said) if last.get("topic") or last.get("action") in ("count", "describe") else None
    )
    if about is not None and not slot and _is_place(about["place"], vocabulary):
        room = any(sense.kind == "room" for sense in _senses(about["place"], vocabulary))
        return f"and {'in' if room else 'on'} {about['place']}?"
    onto = _ONTO.match(said) if last.get("action") in _CARRYING and goal and not slot else None
    if onto is not None and _is_place(onto["place"], vocabulary):
        return f"no, {onto['at']}"
    if last.get("action") == "go" and not slot and _STAY.match(said):
        return _STAY.sub("wait ", said, count=1)
    if last.get("action") in ("follow", "guide") and _UNTIL.match(said):
        return _UNTIL.sub("to ", said, count=1)
    detailed = _DETAILED.match(said) if slot in ("", "object") else None
    if detailed is not None and _is_thing(detailed["what"], vocabulary):
        return str(detailed["what"]) if slot else f"no, {detailed['what']}"
    if slot == "duration" and re.match(r"(?:until|till) ", said, re.IGNORECASE):
        return "i do not know"
    return "i do not know" if slot and slot != "action" and _WHICH.match(said) else None


def _repeated(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    """Read "once more, I wasn't listening"."""
    if slot or not _ONCE_MORE.match(said):
        return None
    asks_back = re.search(r"\b(?:pardon|say|said|what|tell|repeat)\b", said, re.IGNORECASE) is not None
    if asks_back and last.get("action") not in _TOLD:
        return None
    return "do it again"


def _told_where(said: str, last: Mapping[str, Any], slot: str, vocabulary: Vocabulary) -> str | None:
    """Read where the thing is after all, where it goes in which room, and that any will do."""
    if slot == "object" and (_NEAREST.match(said) or _NO_MATTER.match(said)):
        return "any of them"
    if slot in ("goal", "place", "person", "number", "duration") and _YOU_CHOOSE.match(said):
        return "i do not know"
    elsewhere = _ELSEWHERE.match(said)
    if elsewhere is not None and last.get("action") in (*_CARRYING, "find") and slot == "":
        place = elsewhere["at"].split(" ", 1)[1]
        return f"no, {'in' if last['action'] == 'find' else 'from'} {place}"
    look = _LOOK.match(said) if last.get("action") in _CARRYING and not slot else None
    if look is not None and _is_place(look["at"].split(" ", 1)[1], vocabulary):
        return f"no, from {look['at'].split(' ', 1)[1]}"
    if last.get("action") in _CARRYING and not slot and not last.get("source") and _FROM.match(said):
        return f"no, {said}" if _is_place(_SOURCE.sub("", said).strip(" .!"), vocabulary) else "i do not know"
    spot = _ROOM_AND_SPOT.match(said) if slot in ("goal", "place") else None
    if spot is not None and _in_room(spot["spot"].split(" ", 1)[1], spot["room"], vocabulary):
        return f"{spot['lead']}{spot['spot']}{spot['end']}"
    return None


def _senses(words: str, vocabulary: Vocabulary) -> Sequence[Any]:
    plain = re.sub(r"^(?:the|a|an|my|our|some) ", "", words.lower().strip())
    return vocabulary.english.get(tuple(plain.split()), ())


def _is_person(words: str, vocabulary: Vocabulary) -> bool:
    return words.lower() == "me" or _any(words, vocabulary, lambda kind: kind in ("person", "person_noun"))


def _is_thing(words: str, vocabulary: Vocabulary) -> bool:
    return _any(words, vocabulary, lambda kind: kind in ("object", "category"))


def _is_place(words: str, vocabulary: Vocabulary) -> bool:
    return _any(words, vocabulary, lambda kind: kind in ("room", "placement"))


def _any(words: str, vocabulary: Vocabulary, fits: Callable[[str], bool]) -> bool:
    return any(fits(sense.kind) for sense in _senses(words, vocabulary))


def _in_room(spot: str, room: str, vocabulary: Vocabulary) -> bool:
    """Tell whether both are places of the map, the second a room and the first none."""
    spots = {sense.kind for sense in _senses(spot, vocabulary)}
    return "placement" in spots and any(sense.kind == "room" for sense in _senses(room, vocabulary))
