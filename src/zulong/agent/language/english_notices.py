"""English messages and questions to people: who is spoken to and how, put the plain way.

"Would you mind letting the lady in the red blouse know that ...", "message for Robin: ..." and "find out from whoever is
in the office whether ..., and get back to me" all come to "tell ... that ...", "ask ... and tell me the answer". People
may be named or described; what they are to be told or asked stays as it was said, but for the courtesies after it,
which are meant for the robot.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.english_inquiries import told_before
from zulong.agent.language.english_inquiry_words import NOISE_BEFORE
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_english import EnglishBackground

_LONGEST = 300
_COLOURS = r"(?:red|blue|green|yellow|white|black|orange|pink|purple|brown|gr[ae]y|beige|dark|light)"
_GARMENT = (
    r"(?:jumper|sweater|shirt|t-?\s?shirt|tee|blouse|jacket|coat|top|cardigan|trousers|jeans|dress|skirt|hoodie|pullover|"
    r"clothes|outfit|vest|fleece|waistcoat|scarf)"
)
_SOMEBODY = (
    r"(?:(?:the|that|this|some|any|a) (?:(?:nice|old|young|tall|other) )?(?:person|man|woman|guy|lady|gentleman|fellow|"
    r"chap|"
    r"bloke|uncle|aunt(?:y|ie)?|girl|boy|guest|visitor|individual|one|dude|lad|lass)|somebody|someone|anybody|anyone|"
    r"everyone|everybody|"
    r"whoever|"
    r"(?:the )?(?:people|guests|visitors|folks?)|all (?:the )?(?:people|guests|visitors))"
)
_GESTURE = (
    r"(?:waving(?: (?:at (?:me|us|you)|(?:his|her|their|a) hands?))?|sitting(?: down)?|standing(?: up)?|lying(?: down)?|"
    r"sat|"
    r"pointing(?: to)?(?: the| his| her| their)? (?:left|right)|(?:raising|holding up|lifting) (?:(?:his|her|their|the|a|"
    r"an) )?"
    r"(?:left |right )?(?:arm|hand)s?|with (?:his|her|their|the|a|an) (?:left |right )?(?:arm|hand)s? (?:up|raised|"
    r"in the air))"
)


@functools.lru_cache(maxsize=8)
def who_pattern(vocabulary: Vocabulary) -> str:
    """Return the pattern of a person by name or by description."""
    places, names = set[str](), set[str]()
    for phrase, senses in vocabulary.english.items():
        kinds = {sense.kind for sense in senses if sense.ids}
        (places if kinds & {"room", "placement"} else names if "person" in kinds else set[str]()).add(
            " ".join(phrase)
        )
    by_length = functools.partial(sorted, key=len, reverse=True)
    place = rf"(?:the |my |our )?(?:{'|'.join(map(re.escape, by_length(places)))})"
    where = rf"(?:(?:over|up|down|out|through) )?(?:in|on|at|by|near|next to) {place}"
    wears = rf"(?:in|with|wearing) (?:the |a |an |that )?{_COLOURS}(?: {_COLOURS})? {_GARMENT}(?: on)?"
    modifier = rf"(?: (?:who|that|which)(?:'s| is|s| are)?|'s| is| are)? (?:{_GESTURE}|{wears}|{where})"
    return rf"(?:(?:{'|'.join(map(re.escape, by_length(names)))})\b(?: {where})?|{_SOMEBODY}\b(?:{modifier}){{0,3}})"


_PLEASE = r"(?:(?:please|kindly|just|quickly|then|now|also|and|so|go|go and|could you|can you|would you|will you)[ ,]+)*"
_GO = (
    r"(?:(?:please|can you|could you|would you|will you|just|quickly|kindly|i want you to|i need you to|i'd like you to|"
    r"i would like you to)[ ,]+)*"
)
_HIM = r"(?:him|her|them)"
_SO = r"(?: that|,? saying(?: that)?|:| -|,(?! (?:and|then)\b))"
_WHETHER = r"(?=(?:if|whether|what|when|where|why|how|which|who|whose)\b)"
_NEWS = r"(?:message|note|word|heads-?up|bit of news|news|reminder|warning|information)"
_MOVES = (
    r"(?:go|head|run|pop|nip|walk|drive|move|roll|come|dash|hurry)(?: (?:over|across|along|up|down|through|round|in|"
    r"off))*"
)
_DONE_BY_OTHERS = (
    r"(?:come|go|ring|call|phone|turn|wait|wash|help|pick|hurry|stop|be|join|put|tidy|open|close|shut|switch|answer|sit|"
    r"stand|"
    r"clean|set|make|feed|leave|move|keep|clear|take|do|read|write|bring|get|check|look)"
)
_MINE = r"(?:bring|get|give|fetch|hand|pass|take|show|buy|make) (?:me|us)\b"
_ROOM = r"(?:bed|bath|living|dining)\b"
_END = r"(?=\s*[.!?]*\s*$)"


@functools.lru_cache(maxsize=8)
def _frames(vocabulary: Vocabulary) -> tuple[tuple[re.Pattern[str], str], ...]:
    one = who_pattern(vocabulary)
    who = rf"(?P<who>(?:both )?{one}(?:(?:, and |,? and |, ){one}){{0,3}})"
    several = rf"(?P<who>{one}(?:(?:, and |,? and |, ){one}){{1,3}})"
    frames = (
        # who is asked, and what
        (rf"{_GO}ask {who}(?: (?:for|about))? (?:his|her|their|the) name\b", r"ask \g<who> what their name is"),
        (rf"{who} (?:wants?|needs?|would like|is asking for|has) (?:something|some(?:thing)? help|a word|a question),? "
         rf"{_PLEASE}(?:go (?:over |up )?(?:to {_HIM} )?(?:and )?)?{_PLEASE}ask(?: {_HIM})? what (?:it is|(?:he|she|"
         rf"they) (?:wants?|needs?)|for)",
         r"ask \g<who> what they want"),
        (rf"{who}(?: (?:over )?there)?, is (?:he|she) (?P<said>[^?.;,]{{3,50}})\? {_PLEASE}ask {_HIM}",
         r"ask \g<who> if they are \g<said>"),
        (rf"{who}(?: (?:over )?there)?, does (?:he|she) (?P<said>[^?.;,]{{3,50}})\? {_PLEASE}ask {_HIM}",
         r"ask \g<who> if they \g<said>"),
        (rf"{_GO}ask {who} (?:does|do) (?:he|she|they) ", r"ask \g<who> if they "),
        (rf"{_GO}ask {who} (?:is|are) (?:he|she|they) ", r"ask \g<who> if they are "),
        (rf"{_GO}ask {who} (?:has|have) (?:he|she|they) ", r"ask \g<who> if they have "),
        (rf"{_GO}ask {who} (?P<can>can|could|will|would) (?:he|she|they) ", r"ask \g<who> if they \g<can> "),
        # who is told what
        (rf"{_GO}let {who} know,?(?: about it,?)? {_WHETHER}", r"tell \g<who> "),
        (rf"{_GO}let {who} know(?:{_SO})? (?!what\b)", r"tell \g<who> that "),
        (rf"{_GO}(?:inform|notify|advise|alert|warn|assure|remind|update|tip off|"
         rf"tell) {who}(?: from me)?(?: of the fact)? that ",
         r"tell \g<who> that "),
        (rf"{_GO}(?:inform|notify|advise|alert|warn|update) {who} (?:about|of) {_WHETHER}", r"tell \g<who> "),
        (rf"{_GO}(?:remind|advise|warn|urge|beg|order|instruct|nudge|tell) {who} to (?!the\b|a\b|an\b|me\b|my\b)",
         r"tell \g<who> to "),
        (rf"{_GO}get {who} to (?!the\b|a\b|an\b|me\b|my\b|{_MINE}|{_ROOM})",
         r"tell \g<who> to "),
        (rf"{_GO}(?:have|make) {who} (?!{_MINE})(?={_DONE_BY_OTHERS}\b)", r"tell \g<who> to "),
        (rf"{_GO}tell {who}(?: from me)?,? (?:this|the following|as follows)(?: from me)?: ?", r"tell \g<who> that "),
        (rf"{_GO}tell {who} from me(?: that|,|:)? ", r"tell \g<who> that "),
        (rf"{_GO}(?:pass|hand|carry)(?: (?:it|this|the word|the message|a message|word))?(?: on| along)? to {who}{_SO} ",
         r"tell \g<who> that "),
        (rf"{_GO}(?:give|send|take|bring|get|hand|pass|leave) {who} (?:a|the|this|my|some) {_NEWS}(?: from me)?{_SO} ",
         r"tell \g<who> that "),
        (rf"{_GO}(?:deliver|take|send|carry|give|bring|relay|convey|pass on|pass)(?: on)? (?:(?:a|the|this|my) )?{_NEWS}"
         rf"(?: from me)?(?: on)? to {who}(?: from me)?{_SO} ", r"tell \g<who> that "),
        (rf"{_GO}(?:relay|announce|mention|explain|report|shout|call(?: out)?|yell|whisper|break (?:it|"
         rf"the news)(?: gently)?|"
         rf"point out|make (?:it )?clear|convey|say|state|repeat|confirm)(?: (?:across|over|through|down|up|"
         rf"out))? to {who}{_SO} ",
         r"tell \g<who> that "),
        (rf"(?:(?:i have|i've got|there is|there's|here is|here's) )?(?:a |another )?{_NEWS} (?:for|"
         rf"to) {who}(?:,? (?:please|from me))?"
         rf"(?: that|:| -) ", r"tell \g<who> that "),
        (rf"{_GO}(?:make sure|see to it|ensure|make certain)(?: that)? {who} (?:knows|hears|is told|finds out|understands|"
         rf"is "
         r"aware)(?: about it)?(?: that)? ", r"tell \g<who> that "),
        (rf"i(?:'d| would)? ?(?:need|want|like|love) {who} to (?:know|be told|hear|be aware|be informed)(?: that)? ",
         r"tell \g<who> that "),
        (rf"{who} (?:should|needs to|must|has to|ought to|may want to|might want to|would want to|is to|'d better) "
         r"(?:know|be told|hear|be informed|be aware)(?: about it)?(?: that|:)? ", r"tell \g<who> that "),
        (rf"{_GO}(?:if|when|as soon as|once|the moment|next time) you (?:see|meet|find|spot|run into|bump into|"
         rf"come across|pass) "
         rf"{who},? {_PLEASE}(?P<verb>tell|ask|remind) {_HIM} ", r"\g<verb> \g<who> "),
        (rf"{_GO}(?:{_MOVES} (?:to|and (?:see|find|get))|find|seek out|track down|locate|look for|catch|visit) {who},?"
         rf" (?:and|then|and then)? ?{_PLEASE}(?:let {_HIM} know(?: that)?|tell {_HIM} that|say(?: to {_HIM})? that|"
         rf"(?:inform|notify|"
         rf"remind|warn) {_HIM} that) ", r"tell \g<who> that "),
        (rf"{_GO}(?:{_MOVES} (?:to|and (?:see|find|get))|find|seek out|track down|locate|look for|catch|visit) {who},?"
         rf" (?:and|then|and then)? ?{_PLEASE}(?P<verb>tell|ask) {_HIM} ", r"\g<verb> \g<who> "),
        (rf"{_GO}{_MOVES} (?:to|and (?:see|find)) {who},? (?:and|then|and then) ask {_WHETHER}", r"ask \g<who> "),
        (rf"{_GO}(?:(?:run|pop|nip|go|dash|hop|hurry)(?: (?:over|across|along|up|down|through|in|off))*,? and |go )?"
         rf"(?P<verb>tell|ask) {who} ", r"\g<verb> \g<who> "),
        # who is asked what
        (rf"{_GO}(?:find out|hear|learn|check|check out|inquire|enquire|find)(?: from| with| of) {who},? {_WHETHER}",
         r"ask \g<who> "),
        (rf"{_GO}(?:see|find out|check) (?P<asked>if|whether) {who} (?P<said>[^,.;?]{{3,60}}?)[,.;] (?:just |please |"
         rf"you can )*"
         rf"ask {_HIM}(?: (?:for me|please))?{_END}", r"ask \g<who> \g<asked> they \g<said>"),
        # greetings
        (rf"(?:there(?:'s| is)|i (?:can )?see) {who}[,.;!]+ (?:so |and |please |can you |could you |"
         rf"would you )*(?:go (?:over )?(?:and )?)?"
         rf"(?:say (?P<hello>hello|hi)(?: to {_HIM})?|(?:greet|welcome) {_HIM}){_END}", r"say hello to \g<who>"),
        (rf"{_GO}thank {who}(?: (?:for|from) me)?{_END}", r'tell \g<who> "Thank you."'),
        (rf"{_GO}apologi[sz]e to {who}(?: (?:for|from) me)?{_END}", r'tell \g<who> "sorry"'),
        (rf"{_GO}say (?P<said>(?!(?:hello|hi|hey|good|bye|goodbye|sorry)\b)[^\",;.]{{2,50}}?) to {who} (?:from|"
         rf"for) me{_END}",
         r'tell \g<who> "\g<said>"'),
        (rf"{_GO}say (?P<said>(?!(?:hello|hi|hey|good|bye|sorry)\b)[^\",;.]{{2,50}}?) to {several}{_END}",
         r'tell \g<who> "\g<said>"'),
        (rf"{_GO}give {who} (?:my|a|the) message{_END}", r"tell \g<who>"),
        (rf"{_GO}{_MOVES} to {who},? (?:and|then|and then) (?:introduce yourself|say who you are)(?: to {_HIM})?{_END}",
         r"introduce yourself to \g<who>"),
        (rf"{_GO}(?:congratulate) {who}(?: for me)?{_END}", r'say "Congratulations!" to \g<who>'),
        (rf"{_GO}(?:go (?:and )?)?say (?P<hi>hello|hi|hey|goodbye|bye|good night|good morning|"
         rf"good evening) to {who} (?:from|for) me"
         rf"{_END}", r"say \g<hi> to \g<who>"),
    )  # fmt: skip
    return tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in frames)


@functools.lru_cache(maxsize=8)
def _told_first(vocabulary: Vocabulary) -> re.Pattern[str]:
    """Return the pattern of "dinner is ready, can you tell Jane?"."""
    return re.compile(
        r"(?P<said>(?:the|my|our|your|his|her|there(?:'s| is| are)|dinner(?:'s)?|lunch(?:'s)?|breakfast(?:'s)?|"
        r"supper(?:'s)?|"
        r"i'm|i am|we're|we are|i've|i have|i'll|we'll|i|we've|it's|it is|they're|mum|mom|dad|nobody|everybody|everyone|"
        r"(?:"
        + "|".join(map(re.escape, sorted(_names(vocabulary))))
        + r")(?:'s| is| has))\b[^.;!?\"]{3,70}?)"
        rf"(?:[,.;!]+| -)\s+(?:(?:so|please|can you|could you|would you|will you|go|go and|just|now|quickly|and|"
        rf"i'd like you to)[ ,]+)*"
        rf"(?:(?:tell|inform|notify) (?P<who>{who_pattern(vocabulary)})|"
        rf"let (?P<whom>{who_pattern(vocabulary)}) know)(?: that| so|"
        rf" about it| "
        rf"about that| this)?(?:,? (?:please|for me|would you|will you))*{_END}\s*[.!?]*",
        re.IGNORECASE,
    )


def _names(vocabulary: Vocabulary) -> set[str]:
    return {
        " ".join(phrase)
        for phrase, senses in vocabulary.english.items()
        if any(sense.kind == "person" and sense.ids for sense in senses)
    }


_MIND = re.compile(
    r"\b(?:would|do|will) you mind (tell|ask|inform|notify|remind|say|warn|greet|show|follow|bring|fetch|check|count|look|"
    r"find|"
    r"help|pass|hand|lett|gett|go|wait|putt|giv|tak|com|guid|mov|describ)ing\b",
    re.IGNORECASE,
)
_STEMS = {"lett": "let", "gett": "get", "putt": "put", "giv": "give", "tak": "take", "com": "come", "guid": "guide",
          "mov": "move", "describ": "describe"}  # fmt: skip
_AFTER = re.compile(
    r"(?:\s*[,;.-]+\s*(?:please|thanks|thank you(?: so much| very much)?|thx|ta|cheers|love|mate|dear|darling|buddy|pal|"
    r"robot|"
    r"zulong|will you|would you|could you|can you|ok|okay|if you (?:don't|do not) mind|if you (?:can|could|would|please)|"
    r"right away|"
    r"quickly|asap|when(?:ever)? you (?:can|get a (?:chance|moment|minute|sec)|have (?:a )?(?:time|moment|minute|"
    r"chance)))|"
    r"(?<!\bto)(?<!\bsay)(?<!\bsays)(?<!\bsaid)(?<!\bmany)(?<!\bher)(?<!\bhim)(?<!\bthem)(?<!\bof)(?<!\bmy)(?<!\bno)(?<!\ba)"
    r"(?<!\band)(?<!\bthat) (?:please|thanks|ta|cheers|if you (?:don't|do not) mind|would you|will you)|"
    r"(?:(?<=answer)|(?<=know)|(?<=tell me)|(?<=report back)|(?<=says)|(?<=ready)) (?:love|mate|dear|"
    r"darling))+(?=[\s.!?]*$)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:so |and |oh,? )?(?:you|i|we) (?:\w+n't|cannot|(?:can|do|does|did|will|could|would) not)\b",
    re.IGNORECASE,
)
"""Sentences whose last words belong to them: "you couldn't get me the dice, could you?"."""
_SO_TELL = re.compile(
    r"[,.;]+ (?:so |please |and |go |go and |can you )*(?:tell|let) (?:him|her|them)(?: know| that| so)?(?=[\s.!?]*$)",
    re.IGNORECASE,
)
_PLACE_FIRST = re.compile(
    rf"(?P<place> (?:in|on|at) (?:the |my )?[a-z]+(?: [a-z]+)?)(?P<wears> (?:in|with|wearing) (?:the |a |an |"
    rf"that )?{_COLOURS} {_GARMENT})",
    re.IGNORECASE,
)
_FAMILIAR = re.compile(
    rf"\b(?:that|this) (?:uncle|aunt(?:y|ie)?)(?= (?:{_GESTURE}|in|with|wearing)\b)", re.IGNORECASE
)
_RELATIVE = re.compile(rf"(?<=\w) (?:who|that|which)(?:'s| is|s)(?= {_GESTURE})", re.IGNORECASE)
_OF_PEOPLE = re.compile(r"(?:i|we|he|she|they|you)\b", re.IGNORECASE)
"""In "I am home, and Adel as well" Adel may be home as well."""
_AND_ALSO = re.compile(
    r"[.;,] (?:and )?(?:the )?same (?:message|thing|news|goes|again)? ?(?:for|to) (?P<whom>[^,.;!?]{2,60}?)(?=[\s.!?]*$)|"
    r", and (?:also |then |tell )?(?P<who>[^,.;!?]{2,60}?),? (?:too|as well|also|likewise)(?=[\s.!?]*$)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:the|my|our|your|his|her|their|an?|some|this|these|those) (?:[a-z]+ ){1,3}?(?:is|are|was|were|has|have|had|will|"
    r"needs?|"
    r"wants?|starts?|can|should|must|isn't|aren't|won't|came|called|arrived|left|broke|works?)\b|"
    r"(?:i|we|he|she|it|they|there|nobody|everyone|everybody|dinner|lunch|breakfast|supper|mum|mom|"
    r"dad)(?:'[a-z]+)? [a-z]+",
    re.IGNORECASE,
)
_ONLY_LISTENER = re.compile(r"(?:tell|say|ask|let|inform|remind)(?: \w+){0,2}", re.IGNORECASE)
_BOTH = re.compile(r"(?<=\bto )both (?=[a-z]+ and [a-z]+)", re.IGNORECASE)
_ANNOUNCED = re.compile(
    r"^(?:please |can you |could you )?(?:announce|make (?:an|this|the following) announcement|say out loud|call out|say)"
    r"(?: this| the following)?: ?(?P<said>[^\":;]{2,120}?)[.!]*$",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"[\s,.;]+(?:(?:and|then|and then|,)\s+)?(?:please )?(?:come (?:back )?(?:here )?(?:and |to )?|return (?:and |to )?)?"
    r"(?:tell me|let me know|report(?: back)?(?: to me)?|get back to me|come back with|be back with|"
    r"bring (?:me )?(?:back )?word|bring word back|back with|bring me|"
    r"give me|"
    r"inform me|fill me in|update me|relay)(?: (?:with |about |on )?(?:what (?:he|she|they) (?:say|says|said|want|wants|"
    r"answers?|"
    r"replies|reply|think|thinks)|(?:his|her|their|the|an) (?:answer|reply|response|verdict)|it|how it went|that))?"
    r"(?:,? please)?[\s.!?]*$",
    re.IGNORECASE,
)


def noticed(text: str, vocabulary: Vocabulary, background: EnglishBackground) -> str:
    """Return the sentence with the way to a listener put plainly; as it was where it speaks to nobody.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names.
        background: knows what only tells.
    """
    if len(text) > _LONGEST:
        return text
    plain = _ANNOUNCED.sub(r'say "\g<said>"', _BOTH.sub("", text))
    plain = _MIND.sub(lambda found: f"please {_STEMS.get(found[1].lower(), found[1])}", plain)
    if '"' in plain:
        return plain
    if not _SPEAKS.search(plain):
        return plain
    bare = _AFTER.sub("", plain)
    first = _told_first(vocabulary).fullmatch(bare, _opened(bare, 0))
    if first is not None:
        return f"tell {first['who'] or first['whom']} that {first['said'].rstrip(' ,')}"
    start = _opened(bare, told_before(bare, background))
    if _ONLY_LISTENER.fullmatch(bare[start:].strip(" .!")) or _DENIED.match(bare, start):
        bare = plain
    for at in dict.fromkeys((_opened(bare, 0), start)):
        framed = _framed(bare, at, vocabulary)
        if framed is not None:
            return framed
    return bare


def _framed(text: str, start: int, vocabulary: Vocabulary) -> str | None:
    """Return the sentence from this position on with its way to a listener put plainly, None when it has none."""
    for pattern, frame in _frames(vocabulary):
        found = pattern.match(text, start)
        if found is not None:
            said = _PLACE_FIRST.sub(r"\g<wears>\g<place>", _RELATIVE.sub("", found.expand(frame)))
            said = _FAMILIAR.sub("the person", said)
            said = re.sub(r"\bt-shirt", "t shirt", said, flags=re.IGNORECASE)
            said = said[0].lower() + said[1:]
            rest = _SO_TELL.sub("", text[found.end() :])
            if said.startswith("ask "):
                return said + _with_answer(rest)
            return _told(said, rest, vocabulary) if said.startswith("tell ") else said + rest
    return None


def _told(said: str, rest: str, vocabulary: Vocabulary) -> str:
    """Return "tell ... that ..." with those named last among the listeners."""
    more = _AND_ALSO.search(rest)
    if (
        more is not None
        and not _OF_PEOPLE.match(rest)
        and (listener := re.match(who_pattern(vocabulary), more["who"] or more["whom"], re.IGNORECASE))
    ):
        said = re.sub(r"^tell (.*?)(?= (?:that|to) $| $)", rf"tell \1 and {listener[0]}", said)
        rest = rest[: more.start()]
    if not said.endswith((" that ", " to ")) and _CLAUSE.match(rest) and said.count(" ") > 2:
        said += "that "
    return said + rest


def _with_answer(rest: str) -> str:
    """Return what is asked, and that the answer is to be told where it is awaited."""
    reported = _REPORT.search(rest)
    if reported is None:
        return rest
    rest = rest[: reported.start()]
    return f"{rest.rstrip(' ?,')} and tell me the answer"


def _opened(text: str, start: int) -> int:
    """Return where the words of politeness that stand at this position end."""
    opening = NOISE_BEFORE.match(text[start:].lower())
    return start + (opening.end() if opening else 0)


_SPEAKS = re.compile(
    r"\b(?:tell|let|inform|notify|advise|alert|warn|assure|remind|update|tip|urge|beg|order|instruct|nudge|get|have|make|"
    r"pass|"
    r"hand|give|send|take|bring|leave|deliver|relay|announce|mention|explain|report|shout|call|yell|whisper|break|convey|"
    r"say|"
    r"message|note|news|know|told|ask|find out|check|congratulate|apologi[sz]e|thank|wish|greet|welcome|find)\b",
    re.IGNORECASE,
)
