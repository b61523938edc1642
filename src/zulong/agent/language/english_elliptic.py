"""English orders and questions that leave their verb or their point to be understood, written out in full.

"Cornflakes. Kitchen table.", "sofa to me: pringles, thanks", "anything left in the pantry?", "is the wine still in the
cabinet or has Axel finished it?", "who's that in the bathroom, is it Jules?": the sentence is looked at with one letter
for each name of the map (:class:`~zulong.agent.language.english_states.Lifted`), and written out only where the whole of
it is of a known form.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_rewriting import LiftedRule, of_words, with_names_lifted
from zulong.agent.language.lexicon import Vocabulary

_ROOM, _SPOT, _PLACE = "[\ue000-\ue1ff]", "[\ue200-\ue3ff]", "[\ue000-\ue3ff]"
_THING, _PERSON = "[\ue400-\ue5ff]", "[\ue600-\ue7ff]"
_THE = r"(?:(?:the|my|our|your|that|this) )?"
_A = r"(?:(?:the|my|our|that|this|an?|one|some|two|three|four) )?"
_OPEN = (
    r"(?:(?:hey|hi|hello|oh|ok|okay|so|and|well|right|um|please|robot|zulong|listen|excuse me|sorry|now|quick|tell me|"
    r"can you tell me|could you tell me|do you know|yo)[\s,:.!]+)*"
)
_CLOSE = (
    r"(?:[\s,.:;!\u2013\u2014-]+(?:please|thanks|thank you|ta|cheers|now|quick|quickly|chop chop|right now|asap|"
    r"would you|"
    r"will you|mate|love|dear|go|if you can|if you please))*[.!\s]*$"
)
_STOP = r"\s*[,.:;\u2013\u2014-]+\s*"


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def written_out(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence with what it leaves to be understood; unchanged where it is of no such form.

    Args:
        text: the instruction.
        vocabulary: the names of the map.
    """
    return with_names_lifted(text, vocabulary, _RULES)


_BARE = _pattern(
    rf"^{_OPEN}(?P<what>{_A}{_THING})(?:\s*[.:;\u2013\u2014-]+\s*(?:(?:to|in|on|into|onto|for) )?|\s*,\s*"
    rf"(?:to|in|on|into|onto) )(?P<to>{_THE}{_SPOT}){_CLOSE}"
)
_FROM_TO = _pattern(
    rf"^{_OPEN}(?:from )?(?P<at>{_THE}{_PLACE}) to (?P<who>me|us|{_PERSON}){_STOP}(?P<what>{_A}{_THING}){_CLOSE}"
)
_TABLE = _pattern(
    r"^(?P<open>.*?)\b(?:lay|set) (?:up )?the table(?: for (?:me|us|one|two|three|four|breakfast|lunch|dinner|"
    r"supper|tea|"
    rf"{_PERSON}))*,?(?: please)?(?: with\b|\s*[:,;\u2013\u2014-]+)\s*(?P<list>(?:{_A}{_THING}(?:, and |,? and |, |"
    rf"$|[.!]))+)"
    rf"{_CLOSE}"
)


_SET_OUT = _pattern(
    rf"^{_OPEN}(?P<list>{_A}{_THING}(?:(?:, and |,? and |, ){_A}{_THING})*) (?P<in>on|in) (?P<where>{_THE}{_SPOT}) "
    rf"for (?:one|two|three|"
    rf"four|me|us|breakfast|lunch|dinner|supper|tea|(?:(?:my|our|the|{_PERSON}'s) )?(?:[a-z]+'?s )?(?:porridge|"
    rf"cake|tea|pie|salad|lunch|dinner|"
    rf"breakfast|supper|sandwich|pudding|smoothie|soup|lunch ?box|packed lunch|picnic))(?: for (?:one|two|three|"
    rf"four|me|us|{_PERSON}))?{_CLOSE}"
)


def _verbless(text: str) -> str:
    """Write out where a thing goes that is only named with the place: "cornflakes. kitchen table."."""
    bare = _BARE.match(text)
    if bare is not None:
        return f"put {_named(bare['what'])} on {_named(bare['to'])}"
    out = _SET_OUT.match(text)
    if out is not None:
        return f"put {out['list']} {out['in']} {out['where']}"
    carried = _FROM_TO.match(text)
    if carried is not None:
        whom = carried["who"]
        return f"bring {whom} {_named(carried['what'])} from {_named(carried['at'])}"
    laid = _TABLE.match(text)
    if laid is not None and len(re.findall(_THING, laid["list"])) > 0 and not re.search(_PLACE, laid["open"]):
        things = [_named(what.strip()) for what in re.findall(rf"{_A}{_THING}", laid["list"], re.IGNORECASE)]
        listed = " and ".join(part for part in (", ".join(things[:-1]), things[-1]) if part)
        return f"{laid['open']}put {listed} on the kitchen table"
    return text


def _named(what: str) -> str:
    return what if re.match(r"[a-z]", what, re.IGNORECASE) else f"the {what}"


_ANYTHING = _pattern(
    rf"^(?P<open>{_OPEN})(?:have we |do we have |we |got )?(?:got )?any ?thing(?: at all)?(?: left| still| else| "
    rf"there| more)*"
    rf" (?P<in>in|on|at|inside|under) (?P<where>{_THE}{_PLACE})(?: (?:still|left|at all|then))*\s*\?+\s*$"
)
_OR_ELSE = _pattern(
    rf"^(?P<asks>{_OPEN}(?:is|are) {_A}(?:{_THING}|{_PERSON})(?: still| even)?(?: left)? (?:in|on|at|inside|by|"
    rf"under) {_THE}{_PLACE})(?: still)?,? or "
    rf"(?!not\b)(?:(?:has|have|did|does|is|are|was|were) [^?.!\ue000-\ue3ff]*|not any ?more|gone|all gone|finished|"
    rf"already [a-z]+)\?+\s*$"
)
_WHO_IS_IT = _pattern(
    rf"^{_OPEN}(?:who(?:'s|s| is)|somebody(?:'s| is)|someone(?:'s| is)) (?:that |it |there |in there )?,?\s*(?:in "
    rf"there,? )?"
    rf"(?P<in>in|on|at|by) (?P<where>{_THE}{_PLACE})[,;.?! \u2013-]+(?:is (?:it|that|she|he)|would (?:it|that) be) "
    rf"(?P<who>{_PERSON})\s*\?*\s*$"
)
_AFTER_IS_IT = _pattern(
    rf"^(?P<open>{_OPEN})is (?:it|that) (?P<who>{_PERSON}) (?:who(?:'s| is) |that(?:'s| is) )?(?:there |over there "
    rf")?(?P<in>in|"
    rf"on|at|by) (?P<where>{_THE}{_PLACE})\s*\?*\s*$"
)
_MISSED = _pattern(
    rf"^(?:{_OPEN}(?:is it just me,? or )?(?:is|has) (?P<a>{_PERSON}) (?:missing|gone|not (?:here|back)(?: yet)?|away|"
    rf"disappeared|vanished|hiding|about|around|here|home)\?|"
    rf"{_OPEN}(?:i|we) (?:can't|cannot|can not|couldn't|don't) (?:seem to )?(?:find|see|hear|spot) (?P<b>{_PERSON})"
    r"(?: any ?where| today| at all| at the moment)?"
    rf"[.,;!]|{_OPEN}where(?:'s| is| has) (?P<c>{_PERSON})(?: gone| got to| hiding| now)?\?|"
    rf"{_OPEN}(?P<d>{_PERSON})(?:'s| is| has) (?:missing|gone(?: missing)?|disappeared|vanished|late|not "
    rf"answering)[.,;!])\s*"
    rf"(?:(?:so|and|please|maybe|perhaps|could you|can you|would you|go|go and|just|quickly)[ ,]+)*"
    rf"(?:(?:see|check|look|have a look|find out|take a look)(?: and (?:see|look))? (?:if|whether) (?:he|she|"
    rf"they)(?:'s| is|'re| are)"
    rf"(?: (?:hiding|sitting|sleeping|asleep|perhaps|maybe|still))? (?P<in>in|on|at) (?P<at>{_THE}{_PLACE})|"
    rf"(?:check|try|look in|have a look in|look around|search) (?P<at2>{_THE}{_PLACE}))(?: for me)?{_CLOSE}"
)
_VERIFY = _pattern(
    r"^(?P<asks>[^?]*\?) *(?:please )?(?:(?:could|can|would|will) you )?(?:please )?(?:go (?:and )?)?"
    r"(?:verify|confirm|make sure|check|find out|have a look|take a look)(?: it| that| this)?(?: for me| please| "
    r"and tell me|"
    r" and let me know)*[.!?\s]*$"
)
_SEE_IF_IT = _pattern(
    rf"^{_OPEN}(?:i|we) (?:can't|cannot|can not|couldn't|don't) (?:seem to )?(?:find|see) "
    rf"(?P<what>{_A}{_THING})(?: any ?where)?[.,;!] *(?:so |and |please "
    rf"|could you |can you |go (?:and )?)*(?:see|check|look) (?:if|whether) (?:it|they)(?:'s|'re| is| are) "
    rf"(?P<at>(?:in|on|at) {_THE}{_PLACE}){_CLOSE}"
)
_SEE_IF_THEY = _pattern(
    rf"(?P<see>\b(?:see|check|look|find out|tell me|ask me) (?:if|whether)) (?:he|she|they)(?P<is>'s| is|'re| "
    rf"are)(?= (?:still |"
    rf"already )?(?:in|on|at|by) {_THE}{_PLACE})"
)


def _asks(text: str) -> str:
    """Put questions that leave something out, or offer an explanation, as the question that they ask."""
    anything = _ANYTHING.match(text)
    if anything is not None:
        return f"{anything['open']}what is {anything['in']} {anything['where']}?"
    either = _OR_ELSE.match(text)
    if either is not None:
        return f"{either['asks']}?"
    whose = _WHO_IS_IT.match(text) or _AFTER_IS_IT.match(text)
    if whose is not None:
        return f"is {whose['who']} {whose['in']} {whose['where']}?"
    missed = _MISSED.match(text)
    if missed is not None:
        one = missed["a"] or missed["b"] or missed["c"] or missed["d"]
        return f"is {one} {missed['in'] or 'in'} {missed['at'] or missed['at2']}?"
    verified = _VERIFY.match(text)
    if verified is not None and re.search(rf"{_PLACE}|\bdoor\b", verified["asks"]):
        return verified["asks"]
    lost = _SEE_IF_IT.match(text)
    if lost is not None:
        return f"is {lost['what']} {lost['at']}?"
    seen = _SEE_IF_THEY.search(text)
    if seen is not None:
        before = set(re.findall(_PERSON, text[: seen.start()]))
        if len(before) == 1 and not re.search(r"\b(?:tell|ask)\b", text[: seen.start()], re.IGNORECASE):
            return f"{text[: seen.end('see')]} {before.pop()} is{text[seen.end() :]}"
    return text


_GREETING = (
    r"(?:good (?:morning|afternoon|evening|day)|morning|afternoon|evening|hi(?:ya)?|hello|hey|hi there|hello there|"
    r"greetings|"
    r"howdy|welcome back|nice to (?:see|meet) you(?: again)?|long time no see)"
)
_PARTING = (
    r"(?:good ?night|night night|nighty night|sweet dreams|sleep (?:well|tight)|see you (?:tomorrow|in the "
    r"morning|later|soon)|bye(?: bye)?|goodbye|cheerio)"
)
_THANKING = (
    r"(?:(?:many |so many )?thanks(?: (?:a lot|a million|a bunch|so much|very much|again|for (?:everything|your "
    r"help|that|all "
    r"(?:that|your help|you do|you've done|the help))))*|thank you(?: (?:so much|very much|again|kindly|indeed|"
    r"ever so much|"
    r"for (?:everything|your help|that|all (?:that|your help|you do|you've done|the help))))*|cheers|ta|much "
    r"appreciated|"
    r"well done|good job|great job|nice work|great work|good work|nicely done|(?:good|clever) (?:robot|boy|girl|lad))"
)
_REMARK = (
    r"(?:(?:did|have) you (?:sleep|slept|rest|rested|charge|charged|recharge|recharged|wake up)(?: well| ok(?:ay)?|"
    r" all right| alright)?|(?:sleep|slept|rested) "
    r"(?:well|ok(?:ay)?|all right|alright)|(?:had|have you had|did you have) a (?:good|nice|pleasant|quiet|restful|"
    r"busy)"
    r" (?:day|night|sleep|rest|morning|evening|weekend|charge)|how(?:'s| is| are| was) (?:you|it going|things|your "
    r"(?:day|night|"
    r"morning|evening)|the battery|life)(?: today| this morning| doing| feeling| doing today)?|how do you do|all "
    r"right|you "
    r"all right|you ok(?:ay)?|"
    r"lovely to (?:see|meet) you|"
    r"(?:you've|you have|you were|you are|you're|that was|that's|that is)(?: been)?(?: such| really| very| so| "
    r"always| just)? ?"
    r"(?:a |an |of )?(?:(?:great|big|real|huge|good|tremendous|wonderful|true|absolute|total) )*(?:help|helpful|"
    r"star|gem|legend|"
    r"angel|dear|darling|lifesaver|wonderful|great|kind|brilliant|amazing|fantastic|lovely|perfect|treasure|"
    r"sweetheart|helper|"
    r"friend|robot|assistant|champion|champ|hero|good robot)(?: (?:today|as always|to me|of you|indeed|again))?|"
    r"(?:that's|that is|that will be|that'll be) (?:all|it|everything)(?: (?:for (?:now|today|tonight)|from me|"
    r"thanks|thank you))*|"
    r"i (?:really |do )?(?:appreciate|appreciated) (?:it|that|your help|all your help)|"
    r"(?:it|that) (?:really )?(?:helped|means)(?: me)?(?: a lot)|you (?:really )?(?:saved|made) my (?:day|life|"
    r"morning|evening)|"
    r"have a (?:good|nice|lovely) (?:day|night|rest|evening)|take care|rest well|i(?:'m| am) off to bed(?: now)?|"
    r"off to bed(?: now)?)"
)
_NAMED = (
    r"(?:(?:my |dear |old |little )*(?:robot|zulong|friend|dear|mate|love|buddy|pal|everyone|everybody|all|"
    r"boy|chap|sweetie))"
)
_PIECE = _pattern(rf"(?:(?:oh|ah|well|and|so|ok|okay|right|hey),? )*(?:(?P<night>{_PARTING})|(?P<hello>{_GREETING})|"
                  rf"(?P<thanks>{_THANKING})|(?P<remark>{_REMARK})|{_NAMED})(?:,? {_NAMED})?")  # fmt: skip
_PIECES = re.compile(r"\s*[,.;!?\u2013\u2014]+\s*|\s+and (?=good ?night|sleep|thanks|thank)", re.IGNORECASE)


def _only_talk(text: str) -> str:
    """Put a greeting, a farewell or thanks with what is said along with them as the greeting or the thanks alone."""
    if len(text) > 120 or re.search(r"[\ue000-\ue7ff]", text):
        return text
    pieces = [piece for piece in _PIECES.split(text) if piece.strip()]
    found = [_PIECE.fullmatch(piece.strip()) for piece in pieces]
    if len(pieces) < 2 and not (found and found[0] and found[0]["remark"]):
        return text
    kinds = [match.lastgroup for match in found if match is not None]
    if len(kinds) < len(pieces):
        return text
    if "night" in kinds:
        return "good night" if re.search(r"night|dreams|sleep", text, re.IGNORECASE) else "goodbye"
    if "thanks" in kinds or re.search(
        r"\b(?:you've|you have|you were|that was|saved|appreciate)", text, re.IGNORECASE
    ):
        return "thank you"
    return "hello" if "hello" in kinds else text


_LAST_THING = _pattern(
    r"^(?:oh,? |and |ok,? |okay,? |right,? )*(?:just )?(?:one )?(?:last|final|more|other|another) (?:little |small "
    r"|quick )?"
    r"(?:thing|favou?r|job|request)(?: for (?:today|tonight|now))?(?:, please)?\s*[,:;\u2013\u2014-]+\s*(?=\S)"
)


def _opened(text: str) -> str:
    """Leave out "one last thing:" in front of an order."""
    return _LAST_THING.sub("", text)


_USED = _pattern(
    rf"^(?P<open>{_OPEN})(?:is|are) (?P<who>anyone|anybody|someone|somebody|{_PERSON})(?: still| currently| "
    rf"already)? (?:using|"
    rf"occupying|hogging) (?P<where>{_THE}{_ROOM})(?: right now| now| at the moment| just now)?\s*\?*\s*$"
)
_HAS_PUT = _pattern(
    rf"^(?P<open>{_OPEN})(?:has|have|did) (?:anyone|anybody|someone|somebody|{_PERSON}|you|we|they)(?: already)? "
    rf"(?:put|left|leave|"
    rf"placed?) (?P<what>{_A}{_THING})(?: back| away)? (?P<in>in|into|on|onto|at) (?P<where>{_THE}{_PLACE})(?: yet|"
    rf" already| again)?\s*\?+\s*$"
)
_DOOR_LEFT = _pattern(
    rf"^(?P<open>{_OPEN})(?:has|have|did) (?:anyone|anybody|someone|somebody|{_PERSON}|you|we|i|they)(?: really)? "
    rf"(?:leave|left) "
    rf"(?P<door>(?:the|a|my|our) (?:(?:(?:front|back|{_ROOM}) )?door|{_PLACE}(?: door)?)) (?P<how>open|shut|closed|"
    rf"ajar)(?: again)?\s*\?+\s*$"
)
_DOOR_SHUT = _pattern(
    rf"^(?P<open>{_OPEN})(?:has|have|did) (?:anyone|anybody|someone|somebody|{_PERSON}|you|we|i|they)(?: really| "
    rf"already)? (?P<done>close|"
    rf"closed|shut|open|opened) (?P<door>(?:the|a|my|our) (?:(?:(?:front|back|{_ROOM}) )?door|{_PLACE}(?: "
    rf"door)?))(?: properly| again| already)?\s*\?+\s*$"
)


def _asks_what_was_done(text: str) -> str:
    """Ask how things are where what somebody did is asked: "has somebody put the cornflakes back in the pantry?"."""
    used = _USED.match(text)
    if used is not None:
        return f"{used['open']}is {used['who']} in {used['where']}?"
    put = _HAS_PUT.match(text)
    if put is not None:
        return f"{put['open']}is {put['what']} {put['in'].lower().replace('to', '')} {put['where']}?"
    left = _DOOR_LEFT.match(text)
    if left is not None:
        return f"{left['open']}is {left['door']} {'open' if left['how'].lower() == 'ajar' else left['how']}?"
    shut = _DOOR_SHUT.match(text)
    if shut is not None:
        return f"{shut['open']}is {shut['door']} {'open' if shut['done'].lower().startswith('open') else 'closed'}?"
    return text


_MESSAGE_FOR = _pattern(
    rf"^{_OPEN}(?:(?:i(?:'ve| have) (?:got )?)?(?:an? |the )?(?:quick |short |little )?(?:message|note|news|word) "
    rf"(?:for|to) (?P<a>{_PERSON})|"
    rf"(?:give|pass|take|bring|deliver)(?: on)? (?:a|this|the) (?:message|note|news) (?:on |along )?to "
    rf"(?P<b>{_PERSON})|(?:give|pass|"
    rf"take|bring) (?P<c>{_PERSON}) (?:a|this|the) (?:message|note|news))(?: from "
    rf"me)?\s*:\s*(?P<said>[^?\"\ue000-\ue3ff]+?)[.!\s]*$"
)
_NOT_HER_BUT = _pattern(
    rf"^(?P<open>{_OPEN})(?:don't|do not) (?:tell|ask|let) {_PERSON}(?: know)?(?: about it| anything)?[,;.] (?:but "
    rf"|instead |just |rather )*"
    rf"(?P<order>(?:tell|ask|let) {_PERSON}.+)$"
)


_ASKS_ONE = _pattern(rf"\bask {_PERSON}")
_WHAT_HE_SAYS = _pattern(
    rf"\btell (?P<who>{_PERSON}) (?:what (?:he|she|they) (?:says?|said|answers?|answered|thinks?|tells? you|"
    rf"replies|reply|told you)|(?:his|her|their) "
    r"(?:answer|reply))(?=\s*(?:[.!,]|$))"
)


def _messages(text: str) -> str:
    """Put "message for Jane: your mother called" as what is to be said word for word, and leave out who is not told."""
    message = _MESSAGE_FOR.match(text)
    if message is not None:
        return f'tell {message["a"] or message["b"] or message["c"]} "{message["said"].strip()}"'
    if _ASKS_ONE.search(text):
        text = _WHAT_HE_SAYS.sub(r"tell \g<who> the answer", text)
    denied = _NOT_HER_BUT.match(text)
    return f"{denied['open']}{denied['order']}" if denied is not None else text


_REST_OF = _pattern(
    rf"\b(?:what(?:'s| is)(?: still)? left of|what remains of|the last(?: bit)? of) (?:the|my|our|that) "
    rf"(?P<what>{_THING})"
)
_SAYS_HE_HAS = _pattern(
    rf"(?P<and>(?:^|[,;.] ?(?:and |but )?|\band ))(?P<who>{_PERSON}) (?:says|said|tells me|thinks|reckons)(?: "
    rf"that)? (?:he|she|they)(?:'ll|'d| will| would)? "
    rf"(?:have|like|take|love|wants?|needs?|fancies|fancy|prefers?|could do with)(?: to have)? (?P<what>(?:an?|the|"
    rf"some|one|two) {_THING})(?=\s*[.!]*\s*$)"
)
_WANTED_AT = _pattern(
    rf"^{_OPEN}(?P<what>{_A}{_THING})(?:'s| is| are) (?:wanted|needed|required|missing|due) (?:(?:in|on|at) "
    rf"(?P<where>{_THE}{_PLACE})|by (?P<who>{_PERSON})"
    rf"(?: (?:in|at) {_THE}{_PLACE})?){_CLOSE}"
)
_TOO_MUCH = _pattern(
    rf"^{_OPEN}(?:would|is) (?P<what>(?:an?|some|the|one) {_THING})(?: for (?P<who>me|us|{_PERSON}))? (?:be "
    rf")?(?:too much to ask(?: for)?|asking too much|"
    rf"possible|in order|on offer|an option)\s*\?*\s*$"
)
_EITHER_PLACE = _pattern(
    rf"^(?P<open>{_OPEN})(?P<is>is|are) (?P<what>{_A}(?:{_THING}|{_PERSON}))(?: still| kept| now)? "
    rf"(?P<a>(?:in|on|at) {_THE}{_PLACE}),? or (?:is (?:it|he|she) |are they )?(?P<at>(?:in|on|at) )?"
    rf"(?P<b>{_THE}{_PLACE})\s*\?+\s*$"
)
_DONT_FORGET = _pattern(
    rf"^{_OPEN}(?:and )?(?:don't|do not) forget (?P<who>{_PERSON})\s*[,:;\u2013-]+\s*(?P<what>{_A}{_THING}) for "
    rf"(?:him|her|them)(?: too| as well| also)?{_CLOSE}"
)


def _told_wishes(text: str) -> str:
    """Put wishes that are told or asked after as orders: "Morgan says she'll have an iced tea"."""
    text = _REST_OF.sub(r"the \g<what>", text)
    text = _SAYS_HE_HAS.sub(r"\g<and>bring \g<who> \g<what>", text)
    wanted = _WANTED_AT.match(text)
    if wanted is not None:
        return f"bring {_named(wanted['what'])} to {wanted['where'] or wanted['who']}"
    modest = _TOO_MUCH.match(text)
    if modest is not None:
        return f"bring {modest['who'] or 'me'} {modest['what']}"
    either = _EITHER_PLACE.match(text)
    if either is not None:
        second = f"{either['at'] or either['a'].split()[0] + ' '}{either['b']}"
        asks = f"{either['is']} {either['what']}"
        return f"{either['open']}{asks} {either['a']}, and {asks} {second}?"
    too = _DONT_FORGET.match(text)
    return f"bring {too['who']} {too['what']}" if too is not None else text


_THERE_AND_BACK = _pattern(
    rf"^(?P<open>{_OPEN}(?:(?:could|can|would|will) you )?)(?:go|drive|roll|run|move|walk|travel|head|trundle) "
    rf"from (?P<a>{_THE}{_PLACE}) "
    rf"to (?P<b>{_THE}{_PLACE}),? and (?:then )?back(?: again| there)*(?:,? (?P<often>once|twice|thrice|(?:two|"
    rf"three|four|five|\d) "
    rf"times))?{_CLOSE}"
)
_WILL_DO = _pattern(
    rf"^(?P<open>{_OPEN}(?:i(?:'m| am) (?:thirsty|hungry|parched|starving|peckish)[,.;]+ )?)(?P<any>any(?: of "
    rf"(?:the|those|our|my))?"
    rf"(?: [a-z]+)? {_THING}) (?:will do|will be (?:fine|ok|okay|all right|great|perfect)|would do|would be "
    rf"(?:fine|ok|okay|great|nice|"
    rf"lovely)|is (?:fine|ok|okay|all right|good enough))(?: for me| by me| with me)?(?P<rest>,? (?:(?:as|so) long "
    rf"as|provided|but (?=not?\b)|"
    rf"except|apart from|other than) [^.!?]*?)?(?:,? or (?:just )?what(?:ever)? [^,.;]*)?(?:[,.;] ?(?:and |so |"
    rf"please |just )*bring (?:me )?(?:it|one|"
    rf"that)(?: here| to me| over)*)?{_CLOSE}"
)
_PASSIVE = _pattern(
    r"^(?P<open>\W*(?:(?:please|robot|hey|oh),? )*)(?P<who>somebody|someone) (?:has|needs|wants|ought|is) to be "
    r"(?P<done>shown|taken|"
    r"guided|led|brought|escorted|walked|accompanied|followed|told|asked|greeted)(?: round| out| "
    r"back)?(?P<rest>(?: (?:to|into)"
    rf" {_THE}{_PLACE})?){_CLOSE}"
)
_DONE = {"followed": "follow", "told": "tell", "asked": "ask", "greeted": "greet"}


def _round_trips(text: str) -> str:
    """Put "from the sofa to the desk and back again, twice" as the legs that it takes."""
    trip = _THERE_AND_BACK.match(text)
    if trip is None:
        return text
    if trip["often"] and trip["often"].lower() != "once":
        return f"go back and forth between {trip['a']} and {trip['b']} {trip['often']}"
    return f"go to {trip['a']}, then to {trip['b']}, then to {trip['a']}"


def _wishes(text: str) -> str:
    """Put "any snack will do as long as it isn't the pringles" and "somebody has to be shown out" as orders."""
    any_of = _WILL_DO.match(text)
    if any_of is not None:
        return f"bring me {any_of['any']}{any_of['rest'] or ''}"
    passive = _PASSIVE.match(text)
    if passive is not None:
        deed = _DONE.get(passive["done"].lower(), "guide")
        return f"{passive['open']}{deed} {passive['who']}{passive['rest']}"
    return text


_RULES: tuple[LiftedRule, ...] = tuple(
    of_words(rule)
    for rule in (
        _only_talk,
        _opened,
        _messages,
        _verbless,
        _asks,
        _asks_what_was_done,
        _told_wishes,
        _round_trips,
        _wishes,
    )
)
