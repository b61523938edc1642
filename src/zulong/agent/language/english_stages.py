"""English errands told in stages: "first ..., once that's done ..., and last of all ...", "before ..., ...".

The grammar reads the orders of one sentence together, and most rows of orders need no more. Where it does not, the
sentence is cut here at the words that only say what comes after what, the orders are put in the order in which they are
to be done, and each is heard by itself with all the rigour that a whole sentence gets. What hangs on something, denies or
offers a choice is not cut; what may belong to a message stays with it; an order that speaks of something named before
("then bring it to me") stays with the order that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.english_everyday import gathered
from zulong.agent.language.english_frames import base_of
from zulong.agent.language.meaning import Clause

_MOST = 8
_LONGEST = 400

_BARRED = re.compile(
    r"[\"“”]|\b(?:not|cannot|[a-z]+n['’]t|dont|cant|wont|doesnt|isnt|no|never|nor|neither|if|unless|until|till|"
    r"or|instead|except|without|rather|otherwise|else|when(?:ever)?|while|nobody|nothing|none|whichever|either|tomorrow|"
    r"tonight|yesterday|every|always|(?<!, )but|provided|assuming|in case|should (?:he|she|it|they|there))\b",
    re.IGNORECASE,
)
"""What may turn an order round or hang it on something is not for this reading."""
_HARMLESS = re.compile(
    r"\b(?:if you (?:would|please|can|could|do(?:n['’]t| not) mind|wouldn['’]t mind|get (?:a|the) chance|have (?:a|the) "
    r"(?:time|moment|chance|minute)|like|will)|if (?:it['’]s|it is) (?:ok|okay|all right|alright|not too much trouble|"
    r"no trouble|possible)|when(?:ever)? you (?:can|get (?:a|the) (?:chance|moment|minute)|have (?:a|the) (?:moment|time|"
    r"chance|minute|sec(?:ond)?)|are (?:ready|free)|['’]re (?:ready|free))|no (?:rush|hurry|worries|problem)|"
    r"would(?:n['’]t| not)? you mind|why don['’]t you|couldn['’]t you|won['’]t you|not (?:to|far|too far))\b",
    re.IGNORECASE,
)

_GREETING = (
    r"(?:(?:hey|hi|hello|yo|oi|ok|okay|right|so|well|now|alright|all right|listen|please|robot|zulong|um|uh|er)"
    r"[,.! ]+)*"
)
_INTRO = re.compile(
    rf"^\W*{_GREETING}(?:(?:i['’]ve (?:got )?|i have (?:got )?|you have |you['’]ve (?:got )?|there (?:are|is) |here are |"
    r"just )?(?:a (?:few|couple of|list of|number of)|two|three|four|five|2|3|4|5|some|several|your)(?: (?:little|small|"
    r"quick|more|easy|simple))? (?:things|jobs|tasks|errands|chores|favou?rs|orders|instructions|requests|stops)(?: "
    r"(?:(?:for|from) (?:you|me)|to do|today|now|please|to run|for you to do))*|"
    r"here(?:['’]?s| is) (?:the|your|my|a) (?:plan|list|job|task|mission|errand|routine|to[- ]?do list|itinerary|route|"
    r"drill|deal)(?: for (?:you|today|now))?|"
    r"here(?:['’]?s| is) what (?:i (?:want|need|['’]d like)(?: you to do)?|to do|you (?:do|should do|have to do|need to "
    r"do)|we(?:['’]ll| will) do|happens)|"
    r"(?:(?:can|could) you |please |i (?:want|need) you to )?do (?:the following|this|these(?: (?:two|three))?(?: things)?|"
    r"(?:two|three|a few) things)(?: for me)?(?:,? (?:please|in (?:this|that) order|in order))*|"
    r"(?:your (?:orders|tasks|jobs|instructions|mission|route|errands)|the plan|plan|to[- ]?do(?: list)?|mission|"
    r"instructions|tasks?)(?: (?:are|is))?)"
    r"\s*[:;,.–—-]+\s*(?=\S)",
    re.IGNORECASE,
)
_OUTRO = re.compile(
    r"[\s,;.!?–—(-]*\b(?:(?:exactly |precisely |strictly )?in (?:that|this|the given|exactly that|exactly this|the same|"
    r"just that|precisely that) (?:exact |very )?(?:order|sequence)|in order|one after (?:the other|another)|one (?:by|"
    r"at a) "
    r"(?:one|time)|(?:and )?that(?:['’]s| is| will be|['’]ll be) (?:all|it|everything)(?: (?:for|from) (?:now|me|today))?|"
    r"(?:thanks|thank you|ta|cheers|please)(?: (?:so|very) much| a lot| in advance)?|got (?:it|that)\??|(?:is that )?(?:ok|"
    r"okay|alright|clear|understood)\??)\)?[\s.!?]*$",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(
    r"\b(?:order|sequence|after the other|after another|by one|at a time)[)\s.!?]*$", re.IGNORECASE
)
_DONE = (
    r"(?:(?:you(?:['’]ve| have)|you(?:['’]re| are)|that(?:['’]s| is| has been)|it(?:['’]s| is)|this is|all that(?:['’]s|"
    r" is)|"
    r"those are|they(?:['’]re| are)|everything(?:['’]s| is)) )?(?:all |been |completely |fully |quite )*(?:done|finished|"
    r"completed?|sorted|sorted out|over|over with|out of the way|taken care of|dealt with|through|accomplished|"
    r"seen to|settled|ready|in place)(?: (?:with )?(?:that|this|it|so|all that|there|everything|them))?"
)
_AFTER_THAT = (
    r"(?:right |straight |immediately |shortly |directly |soon )?after(?:wards?| (?:all )?(?:that|this|which)(?: is done|"
    r"['’]s done)?)|there ?after|subsequently|following (?:that|this|which)|"
    rf"(?:(?:as soon as|once|when|whenever|after|the moment|immediately after) {_DONE})|having done (?:that|this|so)|"
    r"with (?:that|this) done|(?:that|this) done|(?:up)?on (?:completion|completing (?:that|this)|finishing(?: (?:that|"
    r"this))?)|"
    r"only (?:then|after that)|from there(?: on)?|on top of that|at that point|later(?: on)?"
)
_LAST = (
    r"finally|last(?:ly)?(?: of all)?|last but not least|and last|(?:right )?at the (?:very )?end|in the end|to (?:finish|"
    r"end)"
    r"(?: (?:off|up|with|it off|things off))?|to (?:conclude|wrap (?:up|it up|things up)|round (?:off|it off|things off))|"
    r"eventually|in conclusion|as a last (?:step|thing)|the last thing"
)
_THEN = (
    rf"(?:and |but |plus )?(?:(?:then|next)(?: (?:up|next|also))?(?=[\s,:])(?! to\b)(?:[, ]+(?:{_AFTER_THAT}|"
    rf"{_LAST})(?=\W))?|"
    rf"(?:{_AFTER_THAT}|{_LAST})(?=\W)(?:[, ]+then(?=\W))?)"
)
_SEPARATOR = re.compile(
    rf"(?P<strong>\s*(?:[.;!]+|\s[–—-]+|->|=>|>|→)\s*(?:{_THEN}[\s,:]*)?)|(?P<then>\s*,?\s+{_THEN}[\s,:]*|"
    rf",\s*{_THEN}[\s,:]*)|"
    r"(?P<by>\s*,?\s+(?:and )?(?:followed by|(?:end|finish|conclude|round off|wrap up)(?: (?:up|off))? (?:by|with))\s+)",
    re.IGNORECASE,
)
_YOU_DO = r"(?:,? (?:then|please|also|just|you (?:should|can|must)|(?:could|can|would|will) you))*,? "
_FIRST_OF_ALL = re.compile(
    r"^(?:before (?:you do )?anything else|first things first)[,:]? (?=[a-z])", re.IGNORECASE
)
_ON_THE_WAY = re.compile(
    r"^(?P<order>(?:bring|get|fetch|take|go|come|head|carry|deliver)\b[^,.;!?]*?),? (?:and |but )?on (?:the|"
    r"your) way(?: back| "
    r"here| there| over)*,? (?P<stop>(?:stop|drop|swing|pop|call|pass|nip|look)(?: by| in| past| into| at| off at| over to|"
    r" to)* "
    r"(?:the|my) [a-z ]+)[.!]*$",
    re.IGNORECASE,
)
"""Where one stops on the way comes first."""
_RARE_TURN = re.compile(
    rf"(?<=[a-z]),? (?:and |but )?(?:(?:(?:once|when|as soon as) {_DONE}|last of all|last but not least|there ?after|"
    r"subsequently|(?:up)?on completion|having done (?:that|this|so)|later on|after all (?:that|this)|only then|after which"
    rf"(?: you (?:should|can|must|need to|have to|may))?){_YOU_DO}(?P<verb>[a-z]+)(?=\W)|"
    rf"followed by (?P<doing>[a-z]+ing)\b)",
    re.IGNORECASE,
)
_ASKED_AND = re.compile(
    r"(?P<asks>\bask (?:[a-z]+|the [a-z ]+?) (?:how (?:he|she|they) (?:is|are)(?: doing| feeling| today)*|what (?:he|she|"
    r"they) "
    r"(?:wants?|would like)(?: to (?:eat|drink|have))?)),? and (?P<verb>[a-z]+)(?=\W)",
    re.IGNORECASE,
)
_APART = re.compile(_RARE_TURN.pattern.replace("(?<=[a-z]),?", "(?<=[a-z])[,;.]", 1), re.IGNORECASE)
_TURN = re.compile(
    rf"(?<=[a-z]),? (?:and |but )?(?:after (?:that|this)|afterwards?|lastly|finally|next|second(?:ly)?|third(?:ly)?|then)"
    rf"{_YOU_DO}(?P<verb>[a-z]+)(?P<doing>)(?=\W)",
    re.IGNORECASE,
)
"""What a message may be taken to go on with."""
_OPENING = re.compile(rf"^\W*(?:{_GREETING})(?:{_THEN}|(?:first(?:ly)?(?: of all| off| up)?|to (?:begin|start) with|"
                      r"in the first place|for starters|before (?:anything|everything) else|first things first|"
                      r"start(?:ing)? "
                      r"off|initially)(?=[\s,:]))[\s,:]*", re.IGNORECASE)  # fmt: skip
_ENDING = re.compile(
    r",?\s+(?:first(?: of all)?|last(?: of all)?|(?:right )?at the (?:very )?end|second|third|to (?:start|begin|finish)(?: "
    r"with| off)?|next|afterwards?|after that|straight away)[\s.!]*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(?:(?:,|and|also|please|kindly|just|now|go ahead and|go on to|proceed to|i (?:want|need|would like|['’]d like)"
    r"(?: for)? you to|i['’]d like you to|(?:can|could|would|will) you(?: please| kindly| also| then)?|you (?:should|can|"
    r"could|must|have to|need to|are to|['’]re to|will|may|['’]ll)(?: also| then)?|you|if you (?:would|please|could|can)|"
    r"be so kind as to|don['’]t forget to|remember to|make sure (?:you|to)|be sure to|try to|let['’]s)[\s,]+)+",
    re.IGNORECASE,
)
_STARTED = re.compile(
    r"^(?:and )?(?:start|begin|kick|finish|end|conclude|wrap|round|lead|open|continue|proceed|go on|carry on)(?: (?:off|"
    r"out|up|"
    r"things))* (?:by|with) (?=[a-z]+ing\b)",
    re.IGNORECASE,
)
_GERUND = re.compile(
    r"^(?P<aside>(?:would you mind |do you mind |how about |mind )?)(?P<verb>[a-z]+ing)\b", re.IGNORECASE
)
_NUMBERS = (
    (r"(?:^|(?<=[\s,.;]))\(?{n}[.):](?:\s+|(?=[a-z]))", ("1", "2", "3", "4", "5", "6", "7", "8")),
    (r"(?:^|(?<=[\s,.;]))\(?{n}[.):]\s+", ("a", "b", "c", "d", "e")),
    (r"(?:^|(?<=[\s,.;]))(?:and )?(?:step|task|job|number|stop|item|order|errand) {n}\W*\s+",
     ("(?:one|1)", "(?:two|2)", "(?:three|3)", "(?:four|4)", "(?:five|5)")),
    (r"(?:^|(?<=[\s,.;]))(?:and )?{n}(?:\s*[,:]|(?=\s))\s+(?!thing\b|of all\b)",
     ("first(?:ly)?", "second(?:ly)?", "(?:and )?third(?:ly)?", "(?:and )?fourth(?:ly)?", "(?:and )?fifth(?:ly)?")),
    (r"(?:^|(?<=[\s,.;]))(?:and )?the {n} (?:thing|job|task|step|order)(?: is to| is|:|,)?\s+",
     ("first", "second", "third", "fourth")),
)  # fmt: skip
"""How the orders of a list are numbered: at least two numbers in a row, the first one at the start."""

_WHEN = (
    r"(?:as soon as|once|when(?= you(?:['’]ve| have|['’]re| are) )|after|right after|immediately after|straight after|just "
    r"after)"
)
_BEFORE_FIRST = re.compile(
    r"^(?:right |just |but |and )?(?:before|prior to)(?: you)? (?P<later>[a-z]+\b[^.;!]*?), (?:please )?(?P<first>[a-z].*)$",
    re.IGNORECASE,
)
_AFTER_FIRST = re.compile(
    rf"^(?:{_WHEN})(?: (?:you(?:['’]ve| have|['’]re| are)?|having))?(?: (?:done|finished|through|done with|finished with))? "
    r"(?P<first>[a-z]+\b[^.;!]*?), (?:please )?(?P<later>[a-z].*)$",
    re.IGNORECASE,
)
_BEFORE_LAST = re.compile(
    r"^(?P<first>[a-z][^.;!]*?),? (?:right |just |but only |shortly |and do it )?(?:before|prior to)(?: you(?= [a-z]+\b))? "
    r"(?P<later>[a-z]+\b.*)$",
    re.IGNORECASE,
)
_AFTER_LAST = re.compile(
    rf"^(?P<later>[a-z][^.;!]*?),? (?:but only |only )?(?:{_WHEN})(?: (?:you(?:['’]ve| have|['’]re| are)?|"
    rf"having))?(?: (?:done|"
    r"finished|through|done with|finished with))? (?P<first>[a-z]+\b.*)$",
    re.IGNORECASE,
)
_BUT_FIRST = re.compile(
    r"^(?P<later>[a-z][^;!]*?)(?:[,.;]* (?:but|only|though) (?:(?:first(?: of all)?|before (?:that|you do(?: that| so)?|"
    r"doing "
    r"(?:that|so)))[, ]+(?P<first>[a-z].*)|(?P<ahead>[a-z].*?),? (?:first(?: of all)?|beforehand|before (?:that|"
    r"you do(?: that| "
    r"so)?)))|[,.;]+ (?:before (?:that|doing (?:that|so))|prior to that|beforehand)[, ]+(?P<prior>[a-z].*))[\s.!]*$",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"\b(?:tell|ask|remind|inform|let|warn|say|announce|shout|whisper|mention|notify|advise|instruct|order|invite|"
    r"call out)\b",
    re.IGNORECASE,
)
_CLOSED_MESSAGE = re.compile(
    r"\b(?:say|tell) (?:hello|hi|hey|good ?(?:bye|night|morning|evening|afternoon|day)|bye|thanks|"
    r"thank you)(?: to)? [a-z ]+$|"
    r"\b(?:say|tell) [a-z]+ (?:hello|hi|good ?(?:bye|night|morning|evening))$|\bask [a-z ]+? (?:how|what|where|who|why|"
    r"which|"
    r"when|whether) (?:he|she|they|it|his|her|their|the|is|are|kind|sort|time|colou?r)\b[^,]*$|\b(?:tell|inform|"
    r"let) [a-z ]+? "
    r"(?:know )?(?:that )?(?:the |my |our |his |her |their )?(?!(?:i|we|you|they|he|she|to|it|this|"
    r"that)\b)[a-z]+(?: [a-z]+)?"
    r"(?: is|['’]s| are| has| have| starts?| begins?| arrived| came)\b(?! to\b)[^,]*$",
    re.IGNORECASE,
)
_OPEN_MESSAGE = re.compile(
    r"\b(?:tell|ask|remind|warn|instruct|order|invite|advise) (?:(?!(?:what|how|where|who|which|why|when|if|whether|that)\b)"
    r"[a-z]+ ){1,6}?to\b",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"^(?:(?:come|head|get|go|drive|report|return) (?:straight |right )?back\b|return to (?:me|us)\b|(?:bring|get|fetch|"
    r"give|hand|pass|"
    r"grab|find|tell) (?:me|us)\b|(?:charge|recharge|dock)\b|go (?:and )?(?:charge|recharge)|.*\bto (?:me|us|your "
    r"(?:dock|charger|base|charging \w+))\b)",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(
    r"\b(?:it|them|they|that(?= (?:to|on|in|into|over|back|at|there)\b|$)|those|these|"
    r"(?<!stay )(?<!wait )(?<!stop )(?<!stand )"
    r"(?<!remain )there|one(?=\W*$|[,.;]| (?:to|for|on|in|into|onto|from|and|over|at|each|back|more)\b)|ones|"
    r"another(?= one\b|"
    r"\W*$| (?:to|for|on|in)\b)|same|both(?! (?:the|a|an|my|his|her)\b)|him|"
    r"her(?= (?:to|the|a|an|some|back|over|here|up|out|with|in|on|at|into|that|if|what|how)\b|\W*$)|he|she|again|too|"
    r"as well|"
    r"(?:her|his|their) [a-z]+|the other(?:s)?|the rest)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(
    r"\b(?:get|grab|take|pick|fetch|find|locate|collect|bring|meet|put|look for|give|carry|go to|see|lift|ask|tell|remind|"
    r"inform|"
    r"let|greet|follow|guide|lead|escort|show|help|accompany|hand|visit|say hello to) (?:up |me |us )?"
    r"(?!(?:it|them|him|her|me|us|back|that|those)\b)[a-z]+",
    re.IGNORECASE,
)
_CARRIED_ON = re.compile(
    r"^(?:please |go (?:and )?)?(?:grab|take|pick|collect|carry|hold|lift|load|gather|retrieve)\b"
    r"(?! [a-z]+ (?:the|an?|some|my|his|her|their|one|two|three)\b)(?!.*\b(?:me|us|to|for|"
    r"into|onto|"
    r"in|on|at|here|back|over|with|from|off)\b)",
    re.IGNORECASE,
)
_TO_ORDER = (
    r"(?:(?:please |then |also |could you |can you )*(?P<verb>[a-z]+)\b|(?:could|can|may) i (?:have|get)\b|i['’]d like\b|i "
    r"(?:want|need|would like)\b)"
)
_JOINT = re.compile(rf"(?:,? and (?:also )?|\s*[,&+]\s+|,? plus )(?={_TO_ORDER})", re.IGNORECASE)
_WISHED = re.compile(
    r"(?:(?:could|can|may) i (?:have|get)|i['’]d like|i (?:want|need|would like|fancy|will have))\b",
    re.IGNORECASE,
)
_WISHING = (
    r"(?:wants?|needs?|would like|asked for|is asking for|has asked for|fancies|is waiting for|is after|could do with|"
    r"would love)"
)
_WISH_OF = re.compile(
    rf"(?!(?:i|we|you|it|that|this|there|if|who|what)\b)[a-z][a-z' ]*? {_WISHING} ", re.IGNORECASE
)
_WISH_THEN = re.compile(
    rf"\b(?:then|after that|afterwards|next|finally|last of all|lastly|done|finished)\b[\s,:]+(?!(?:i|we|you|it)\b)"
    rf"[^,.;:!?]*? {_WISHING} (?P<what>[^,.;:!?]+)",
    re.IGNORECASE,
)
_WISH_FIRST = re.compile(
    rf"^\W*(?:first,? )?(?!(?:i|we|you|it|if)\b)[^,.;:!?]*? {_WISHING} (?P<what>[^,.;:!?]+?)(?:[,.;]| and)+ (?=(?:then|"
    rf"after that|"
    r"afterwards|next)\b)",
    re.IGNORECASE,
)
_DETERMINERS = frozenset(
    ("the", "a", "an", "some", "my", "both", "all", "another", "one", "two", "three", "four", "2", "3", "4")
)
_SEEN = frozenset(("see", "hear", "notice", "spot", "know", "feel", "say"))
_MORE_ORDERS = re.compile(
    r"accompany|advance|approach|ask|attend|brief|bring|bung|call|carry|catch|charge|check|chuck|clear|"
    r"collect|come|conduct|count|cruise|dash|deliver|deposit|describe|direct|distribute|dock|drive|drop|"
    r"enter|escort|exit|fetch|find|follow|gather|get|give|glide|go|grab|greet|guide|hand|hang|head|help|"
    r"hit|hold|hop|hurry|identify|inform|inspect|introduce|invite|jog|join|land|lay|lead|leave|let|linger|"
    r"lob|locate|look|make|meet|move|navigate|nip|notify|offer|park|pass|pause|pay|peek|perch|pick|place|"
    r"plonk|point|pop|position|proceed|put|race|recharge|relocate|remain|remind|remove|report|rest|"
    r"retrieve|return|roll|run|rush|say|scan|scoot|search|see|seek|serve|set|shepherd|shift|show|sit|skip|"
    r"slip|spend|spot|sprint|stand|stash|station|stay|stick|stop|store|stow|stroll|study|swing|tail|take|"
    r"tell|thank|tidy|toss|track|trail|transfer|transport|travel|trot|trundle|turn|usher|visit|wait|walk|"
    r"wander|warn|welcome|wheel|whip|wish|zip"
)


def stages(text: str) -> tuple[str, ...]:
    """Return the orders of a sentence in the order in which they are to be done, each as it was said.

    Empty when the sentence is no row of orders, or one of them may hang on another.
    """
    whole = _OUTRO.sub("", _OUTRO.sub("", text.strip()))
    if not whole or len(whole) > _LONGEST:
        return ()
    shorter = _INTRO.sub("", whole)
    listed = _numbered(shorter)
    pieces = listed or _cut(shorter)
    in_turn = [leg for piece in pieces for leg in _in_turn(piece)] if pieces else []
    if not in_turn or len(in_turn) > _MOST:
        return ()
    plain = [_plainly(leg) for leg in in_turn]
    legs = _together(
        [_with_verb(leg, before) for before, leg in zip(["", *plain], plain, strict=False) if leg]
    )
    if any(
        _BARRED.search(_HARMLESS.sub("", leg)) or re.search(r"\b(?:before|once)\b", leg, re.I) for leg in legs
    ):
        return ()
    if any(_CARRIED_ON.match(leg) for leg in legs[:-1]) or not all(_orders(leg) for leg in legs):
        # "pick up the plate, then go to the kitchen" is one errand; "Robin wants the cola" is for somebody to say what.
        return ()
    counted = _IN_ORDER.search(text) is not None
    changed = len(legs) > 1 or ((shorter != whole or counted) and legs)
    return tuple(legs) if changed else ()


def _orders(leg: str) -> bool:
    """Tell whether a leg begins like an order, a wish or a thing that is to be put somewhere."""
    first = re.match(r"[a-z]+|\d+", leg.lower())
    wish = _WISHED.match(leg) is not None or _WISH_OF.match(leg) is not None
    return first is not None and (_verb(leg) or wish or first[0] in _DETERMINERS)


def in_common_turns(text: str) -> str:
    """Return the sentence with the rarer words for what comes after what put as "then", outside of requests to others.

    "Tell Jane that dinner is ready, and once that's done follow her" is "..., then follow her".
    """
    if '"' in text or len(text) > _LONGEST:
        return text
    if _OPEN_MESSAGE.search(text) is not None:
        # "tell Jane to hurry up and later on ..." may be all for Jane; after a comma "once you are done" is for the robot.
        return _APART.sub(_then, text)
    text = gathered(_FIRST_OF_ALL.sub("", text))
    stopping = _ON_THE_WAY.match(text)
    if stopping is not None and _orders(stopping["order"]) and not _MESSAGE.search(text):
        return f"{stopping['stop'].strip(' .!')}, then {stopping['order']}"
    first = _BUT_FIRST.match(text)
    if first is not None and re.search(r"\b(?:after|before|once)\b", first["later"], re.IGNORECASE):
        return text
    told = (
        _MESSAGE.search(text) is not None and _CLOSED_MESSAGE.search(first["later"] if first else "") is None
    )
    if first is not None and not (told or _BARRED.search(_HARMLESS.sub("", f"{first['later']}."))):
        ahead = (first["first"] or first["ahead"] or first["prior"]).strip(" ,.!")
        if _orders(ahead) and not (_SPOKEN_OF.search(ahead) or _BARRED.search(_HARMLESS.sub("", ahead))):
            return f"{ahead}, then {first['later'].strip(' ,.')}"
    before = _BEFORE_FIRST.match(text)
    if before is not None and _ordered_before(before["first"], before["later"]):
        return f"{before['first'].strip(' .!')}, then {_plainly(before['later'])}"
    in_turn = _RARE_TURN.sub(_then, text)
    in_turn = _TURN.sub(_then, in_turn) if _MESSAGE.search(in_turn) else in_turn
    return _ASKED_AND.sub(
        lambda said: f"{said['asks']}, then {said['verb']}" if _verb(said["verb"]) else said[0], in_turn
    )


def _ordered_before(first: str, later: str) -> bool:
    """Tell whether both are plain orders, of which the first speaks of nothing that the other names."""
    spoken_of = _SPOKEN_OF.search(first)
    alone = spoken_of is None or _NAMES.search(first[: spoken_of.start()]) is not None
    plain = all(_BARRED.search(_HARMLESS.sub("", one)) is None for one in (first, later))
    verbs = _verb(first) and _verb(later) and later.split()[0].lower() not in _SEEN
    return plain and alone and verbs and _MESSAGE.search(f"{first} {later}") is None


def _then(turn: re.Match[str]) -> str:
    verb = base_of(turn["doing"].lower()) if turn["doing"] else turn["verb"]
    return f", then {verb}" if verb and _verb(verb) else turn[0]


def wishes_left_out(text: str, clauses: Sequence[Clause]) -> list[str]:
    """Return what somebody wishes for when their turn comes, "then the man in the coat wants a pear", and nobody does."""
    named = " ".join(clause.theme.text.lower() for clause in clauses if clause.theme is not None)
    spoken = " ".join(clause.text.lower() for clause in clauses)
    wished = [found["what"].lower() for turn in (_WISH_THEN, _WISH_FIRST) for found in turn.finditer(text)]
    last = [_WORD.findall(_BESIDES.sub(" ", what))[-1:] for what in wished]
    left = [word for words in last for word in words if word.rstrip("s") not in named and word not in spoken]
    mine = any(clause.recipient is not None and clause.recipient.pronoun == "me" for clause in clauses)
    return left if mine else [*left, *_ONE_FOR_ME.findall(text)]


_WORD = re.compile(r"[a-z']+")
_BESIDES = re.compile(r"\b(?:please|too|as well|now)\b")
_ONE_FOR_ME = re.compile(r"\b(?:one|two|three|another) (?:for|to) me\b", re.IGNORECASE)


def joint_orders(leg: str) -> tuple[str, ...]:
    """Return the orders that are joined with "and" and commas in one leg, empty when there is only one."""
    if _BARRED.search(_HARMLESS.sub("", leg)) or not _orders(_ASIDE.sub("", _OPENING.sub("", leg))):
        return ()
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(leg):
        verb = (joint["verb"] or "").lower()
        if verb and _MORE_ORDERS.fullmatch(verb) is None:
            continue
        rest = leg[joint.end() :]
        said = leg[start : joint.start()]
        until = _JOINT.search(rest)
        following = rest[: until.start()] if until is not None else rest
        if _SPOKEN_OF.search(following) or _CARRIED_ON.match(said) or _swallows(said, following):
            continue
        parts.append(said)
        start = joint.end()
    parts.append(leg[start:])
    return tuple(part.strip(" ,") for part in parts) if len(parts) > 1 else ()


def _numbered(text: str) -> list[str]:
    """Return the items of a list that counts them, empty when nothing counts."""
    for form, numbers in _NUMBERS:
        marks: list[re.Match[str]] = []
        at = 0
        for number in numbers:
            mark = re.compile(form.format(n=number), re.IGNORECASE).search(text, at)
            if mark is None or (not marks and text[: mark.start()].strip(" ,.:;-")):
                break
            marks.append(mark)
            at = mark.end()
        if len(marks) < 2:
            continue
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        items = [text[mark.end() : end].strip(" ,.;") for mark, end in zip(marks, ends, strict=True)]
        last = _cut(items[-1]) or [items[-1]]
        return [*items[:-1], *last] if all(items) else []
    return []


def _cut(text: str) -> list[str]:
    """Return what stands between the words that say what comes after what."""
    legs: list[str] = []
    start = 0
    for mark in _SEPARATOR.finditer(text):
        said, rest = text[start : mark.start()], text[mark.end() :]
        if not said.strip(" ,") or not rest.strip(" ,.;!?"):
            continue
        if re.search(r"\d$", said) and re.match(r"\d", rest):
            continue
        if mark["strong"] is None and _swallows(said, rest):
            continue
        if mark["strong"] is not None and re.search(r"[a-z]", mark[0]) is None and _WISH_OF.match(rest):
            # "Bring me the milk. Robin wants the cola.": that may be a reason.
            return []
        if mark["by"] is not None and not base_of(rest.split()[0].lower()):
            continue
        legs.append(said)
        start = mark.end()
    legs.append(text[start:])
    return legs


def _swallows(said: str, rest: str) -> bool:
    """Tell whether what follows may still be part of a message."""
    if _MESSAGE.search(said) is None or _MINE.match(_ASIDE.sub("", rest)):
        return False
    return _OPEN_MESSAGE.search(said) is not None or _CLOSED_MESSAGE.search(said.strip()) is None


def _in_turn(leg: str) -> Iterator[str]:
    """Yield the orders of one leg, what comes first before what comes after it."""
    leg = leg.strip(" ,.;!")
    for pattern in (_BUT_FIRST, _BEFORE_FIRST, _AFTER_FIRST, _AFTER_LAST, _BEFORE_LAST):
        found = pattern.match(leg)
        if found is None:
            continue
        groups = found.groupdict()
        first = groups.get("first") or groups.get("ahead") or groups.get("prior") or ""
        later = groups["later"]
        hangs = first if pattern in (_AFTER_FIRST, _AFTER_LAST) else later
        if pattern is not _BUT_FIRST and (not _verb(hangs) or hangs.split()[0].lower() in _SEEN):
            continue
        if (pattern in (_AFTER_LAST, _BEFORE_LAST)) and _MESSAGE.search(
            groups["later" if hangs is first else "first"] or ""
        ):
            # "tell Jane to wash her hands before eating"
            continue
        yield from (first, later)
        return
    yield leg


def _verb(words: str) -> bool:
    first = re.match(r"[a-z]+", words.lower())
    return first is not None and bool(base_of(first[0]) or _MORE_ORDERS.fullmatch(first[0]))


def _plainly(leg: str) -> str:
    """Return a leg without the words that only say when its turn comes, its verb as an order."""
    leg = leg.strip(" ,.;!:")
    for _ in range(3):
        shorter = _ENDING.sub("", _STARTED.sub("", _ASIDE.sub("", _OPENING.sub("", leg)))).strip(" ,.;!")
        if shorter == leg or not shorter:
            break
        leg = shorter
    said = _GERUND.match(leg)
    first = re.match(r"[a-z]+", leg.lower())
    base = base_of(said["verb"].lower()) if said is not None else ""
    if said is not None and base:
        return f"{base}{leg[said.end() :]}"
    done = base_of(first[0]) if first is not None else ""
    return f"{done}{leg[first.end() :]}" if first is not None and done and done != first[0] else leg


def _with_verb(leg: str, before: str) -> str:
    """Put the verb to "the milk onto the table" among orders; after "bring me" it may be what is to be brought."""
    first = re.match(r"[a-z]+", leg.lower())
    named = first is not None and first[0] in _DETERMINERS
    placed = _ONTO.search(leg) if named else None
    if placed is None or re.search(
        r"\b(?:is|are|goes|go|should|belongs?|needs?|wants?|has|to|from|for)\b", leg, re.IGNORECASE
    ):
        return leg
    wished = _WISHED.match(before) or re.match(
        r"(?:bring|get|fetch|give|grab|hand|pass|find)\b", before, re.IGNORECASE
    )
    return leg if wished and placed[1].lower() in ("on", "in", "at") else f"put {leg}"


_ONTO = re.compile(
    r" (onto|into|back (?:on|in|onto|into)|on|in|inside) (?:the|my|our) [a-z ]+$", re.IGNORECASE
)


def _together(legs: Sequence[str]) -> list[str]:
    """Put a leg that speaks of what was named before to the leg that names it."""
    joined: list[str] = []
    for leg in legs:
        spoken_of = _SPOKEN_OF.search(leg)
        if joined and spoken_of and not _NAMES.search(leg[: spoken_of.start()]):
            joined[-1] = f"{joined[-1]}, then {leg}"
        else:
            joined.append(leg)
    return joined
