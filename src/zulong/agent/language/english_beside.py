"""What an English speaker says beside an order, of which the order does not depend: left out before it is read.

"God knows why", "before he leaves for school", "while I mop", "for Grandma's porridge", "I've never been in this flat
before" and "an old woman" for the one who speaks. Nothing is left out of what somebody is to be told, and nothing that a
wait or a condition needs.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_rewriting import LiftedRule, of_words, with_names_lifted
from zulong.agent.language.english_states import Lifted
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 300
_PLACE, _THING, _PERSON = "[\ue000-\ue3ff]", "[\ue400-\ue5ff]", "[\ue600-\ue7ff]"
_END = (
    r"(?=\s*(?:[,.;:!?\u2013\u2014]|$|(?:and|then|but) (?:then |please )?(?:bring|take|put|go|come|give|get|"
    r"tell|ask|wait|find|fetch)\b))"
)
_KIN = (
    r"(?:mum|mom|mummy|mommy|dad|daddy|gran|granny|grandma|grandmother|nan|nana|grandad|grandpa|grandfather|auntie|"
    r"aunt|"
    r"uncle|mother|father|sister|brother|wife|husband|son|daughter|neighbou?r|guest|kid|kids|children|boy|girl|cat|dog|"
    r"baby)"
)
_DISH = (
    r"(?:porridge|cake|cakes|tea|pie|salad|lunch|dinner|breakfast|supper|sandwich|sandwiches|pudding|smoothie|"
    r"toast|soup|"
    r"stew|sauce|packed lunch|lunch ?box|picnic|birthday|party|recipe|baking|drink|cocktail|dessert|snack|cooking|"
    r"throat|"
    r"cough|headache|bath)"
)
_SPEAKS = re.compile(
    r"\b(?:tell|ask|say|saying|says|remind|inform|announce|warn|let (?:\S+ ){1,6}?know|message|shout|whisper|"
    r"repeat|report|"
    r"wish|greet)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:bring|get|fetch|give|take|put|go|come|find|look|follow|guide|wait|stay|count|move|hand|check|show|place|"
    r"carry|"
    r"pass|deliver|escort|pick|serve|return|head|lead|set|drive|need|want|would like|stop|hold|park|grab|leave|"
    r"drop|walk|"
    r"like)\b",
    re.IGNORECASE,
)


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def without_remarks(text: str, vocabulary: Vocabulary) -> str:
    """Return the sentence without what is only said beside its order.

    Args:
        text: the instruction.
        vocabulary: the names of the map.
    """
    return with_names_lifted(text, vocabulary, _RULES)


def _left_out(pattern: re.Pattern[str], text: str, plain: str = "", spoken: bool = False) -> str:
    """Leave out what fits, except where it may be part of what somebody is told or nothing would be ordered any more."""

    def kept(found: re.Match[str]) -> str:
        sentence = re.split(r"[.!?;]", text[: found.start()])[-1]
        if not spoken and _SPEAKS.search(sentence):
            return found[0]
        rest = text[: found.start()] + " " + text[found.end() :]
        return found.expand(plain) if _ORDER.search(rest) else found[0]

    return pattern.sub(kept, text)


_GOD_KNOWS = _pattern(
    r"\s*[,.;(\u2013\u2014-]+ *(?:and |but )?(?:(?:god|heaven|goodness|lord|who) (?:only |alone )?knows|don't "
    r"ask(?: me)?|"
    r"(?:i )?(?:don't know|haven't a clue|have no idea|can't think|dunno|couldn't tell you|can't imagine)|no idea|"
    r"beats me|"
    r"search me|i wonder)(?: (?:why|how|what|who|when|where|which|whose)\b[^,.;!?()\ue400-\ue5ff]*)?\)?"
    + _END
)
_BEFORE_THAT = _pattern(
    rf",? before (?:he|she|they|it|somebody|someone|anybody|anyone|{_PERSON}|(?:the|my|our|his|her|their) "
    rf"(?!\ue000-\ue5ff)[a-z]+(?: [a-z]+)?)"
    r"(?:'s|'ve|'re)? (?!(?:and|then|you)\b)[a-z][^,.;:!?]*?(?=\s*(?:[,.;:!?]|$))"
)
_BEFORE_FIRST = _pattern(
    rf"^(?:please )?before (?:he|she|they|somebody|someone|{_PERSON})(?:'s|'ve|'re)? (?:leaves?|goes|go|sets? off|"
    rf"heads? (?:off|"
    r"out)|has to (?:go|leave)|gets? (?:up|home|back|going)|wakes? up|comes? (?:home|back)|arrives?|falls? "
    r"asleep)\b[^,.;!?]*, "
)
_WHILE_I = _pattern(
    rf",? (?:while|whilst) (?:i|we|he|she|they|{_PERSON}|the [a-z]+)(?:'m|'re|'s| am| are| is)? (?!you\b)(?:[a-z']+)"
    r"[^,.;:!?]*?(?=\s*(?:[,.;:!?]|$))"
)
_UNWOKEN = _pattern(
    rf",? without (?:waking|disturbing|bothering|startling|hurting|upsetting|dropping|spilling|touching) (?:him|"
    rf"her|them|it|{_PERSON}|"
    r"any(?:one|body|thing)|a drop|the [a-z]+)(?: up)?" + _END
)
_FOR_A_DISH = _pattern(
    rf" for (?:(?:my|our|the|his|her|your|a|tonight's|today's|tomorrow's) )?(?:(?:dear|old|little|poor) "
    rf")?(?:{_KIN}'s?'? )?"
    rf"(?:(?:morning|birthday|evening|afternoon|sore|bad|packed) )?{_DISH}" + _END
)
_OUT_OF_REACH = _pattern(
    rf",? (?:safely |well )?(?:out of (?:{_PERSON}'s |the (?:kids|children|cat|dog|baby|toddler)'?s? |everyone's |"
    rf"his |her )?(?:reach|sight|harm's way|the way)(?: of "
    rf"(?:{_PERSON}|the [a-z]+|him|her|them))?|where (?:{_PERSON}|the [a-z]+|he|she|they|nobody|no one) (?:can't|"
    rf"cannot|can not|won't|can) (?:reach|get at|"
    rf"find|see|break|knock)(?: it| them)?(?: over)?),?(?= (?:in|on|into|onto|back) )"
)
_FOR_HIS_DISH = _pattern(rf" for {_PERSON}'s (?:(?:packed|school) )?{_DISH}" + _END)
_WHEN_DONE = _pattern(
    r",? (?:when(?:ever)?|once|as soon as|after) you(?:'re| are|'ve| have) (?:all )?(?:done|finished|ready|"
    r"free)(?: with (?:that|it|everything))?"
    r"(?=[.!]*\s*$)"
)
_NEW_HERE = (
    r"(?:i(?:'ve| have) never (?:been|set foot|visited)(?: (?:here|there|in|to|at)[^,.;!?]*)?|(?:it's|it is|this "
    r"is) (?:my|our) "
    r"(?:very )?first (?:time|day|visit|evening|night)[^,.;!?]*|(?:i'm|i am|we're|we are) (?:new|a guest|guests|a "
    r"visitor|"
    r"(?:just|only) visiting|not from|a stranger|lost)(?: (?:here|in|around|to|this)[^,.;!?]*)?|i (?:don't|do not) "
    r"(?:know|"
    r"remember) (?:my way(?: around)?|the way|where (?:it|that|anything|everything) is)[^,.;!?]*|i (?:always|keep) "
    r"get(?:ting)?"
    r" lost[^,.;!?]*|i(?:'ve| have) no idea where (?:it|that) is)"
)
_NEW_AFTER = _pattern(rf"\s*[,.;\u2013\u2014-]+ *(?:because |as |since )?{_NEW_HERE}(?=[.!]*\s*$)")
_NEW_FIRST = _pattern(rf"^{_NEW_HERE}\s*[,.;!]+ *(?:so |and |but )*(?=[a-z])")
_ME = _pattern(
    r"\b(?P<verb>bring|get|fetch|give|hand|pass|find|grab|spare) (?:an?|this) (?:(?:poor|old|tired|thirsty|hungry|"
    r"sick|ill|lazy|"
    r"busy|lonely|elderly|weary|cold|starving|exhausted|frail|feeble|busy|sleepy|parched|famished) ?){1,2}"
    r"(?:woman|man|lady|girl|boy|soul|fellow|chap|mum|mother|dad|father|person|gentleman|student|cook|guy|granny|"
    r"grandma|"
    r"bloke|engineer|writer|thing)(?! (?:in|on|at|who|that|with|by|wearing|waving|sitting|standing|lying|pointing)\b)"
    r"(?: (?P<whose>his|her|their)\b)?"
)


def _remarks(text: str) -> str:
    """Leave out why, when and for what, and what the speaker tells of himself."""
    if re.search(rf"\b(?:put|place|leave|set)\b|\b(?:in|on) (?:the )?{_PLACE}", text, re.IGNORECASE):
        # Where it is to go is said; else it may be for that person.
        text = _FOR_HIS_DISH.sub("", text)
    for pattern in (
        _OUT_OF_REACH,
        _WHEN_DONE,
        _UNWOKEN,
        _GOD_KNOWS,
        _BEFORE_THAT,
        _BEFORE_FIRST,
        _WHILE_I,
        _FOR_A_DISH,
        _NEW_AFTER,
        _NEW_FIRST,
    ):
        text = _left_out(pattern, text)
    return text


def _speaker(text: str) -> str:
    """Put "bring an old woman a pear" as what it means."""
    return _ME.sub(lambda said: f"{said['verb']} me{' the' if said['whose'] else ''}", text)


_UNLOUD = _pattern(
    r",? (?:please,? )?(?:but |and )?(?:please )?(?:not (?:too|so|very) (?:loud|loudly|noisily|loud please)|(?:in "
    r"a|with a) (?:low|"
    r"soft|quiet) voice|under your breath)(?:,? please)?(?=[.!]*\s*$)"
)
_ONLY_HIM = _pattern(
    rf"(?<=[\ue600-\ue7ff]) ?(?:\((?:just|only) (?:him|her|them)(?: please)?\)|, (?:just|only) (?:him|her|them),|, "
    rf"and (?:only "
    rf"(?:{_PERSON}|him|her)|{_PERSON} only|(?:him|her) only|no ?body else|no one else|to no one else|not the "
    rf"others),?)"
)
_DO_THE_SAME = _pattern(
    rf"\b(?P<say>(?:wish|bid|say|tell)) (?P<one>{_PERSON})(?P<what> [^,.;!?\ue000-\ue7ff]*?)(?P<and>,? and(?: then|"
    rf" also)?|[.;] "
    rf"then|,? then|[.;,]) (?:please )?(?:do|say) (?:the same|so|likewise)(?: thing)? (?:for|to|with) "
    rf"(?P<other>{_PERSON})(?=\W|$)"
)
_SAY_TO_BOTH = _pattern(
    rf"\b(?P<say>say [^,.;!?\ue000-\ue7ff]*?|wish|bid|say good(?: ?night|bye| morning)) to (?P<one>{_PERSON}),? "
    rf"(?:and )?(?:then|"
    rf"after that|afterwards|also|after (?:him|her|that)) (?:to )?(?P<other>{_PERSON})(?=\s*(?:[,.;!?]|$))"
)
_ONE_OR_OTHER = _pattern(
    rf"(?:\b(?:either|one of) )?{_PERSON}(?: or {_PERSON})+(?=\W|$)(?![^.;]*\b(?:whoever|whichever|either|matter|"
    rf"mind|care|prefer|"
    r"if|choose|up to you)\b)"
)
_CARRIES = _pattern(r"^\W*(?:(?:please|robot|could you|can you|would you|will you)[, ]+)*(?:bring|give|take|hand|"
                    r"pass|get|fetch|deliver|"
                    r"serve|carry)\b")  # fmt: skip
_AFTER_HER = _pattern(
    rf"(?<=[\ue600-\ue7ff]),?(?: first)?,? and (?:after|then after) (?:him|her|that),? (?={_PERSON})"
)


def _listeners(text: str) -> str:
    """Name each who is spoken to, and leave out how it is to be said."""
    text = _UNLOUD.sub("", text)
    text = _ONLY_HIM.sub("", text)
    text = _DO_THE_SAME.sub(r"\g<say> \g<one>\g<what> and then \g<say> \g<other>\g<what>", text)
    text = _SAY_TO_BOTH.sub(r"\g<say> to \g<one> and then \g<say> to \g<other>", text)
    if _CARRIES.match(text) and re.search(_THING, text):
        # To whom of two is left open: nobody is brought what may be the other's.
        text = _ONE_OR_OTHER.sub("someone", text)
    return _AFTER_HER.sub(" and then ", text)


_ABOUT_TO_LEAVE = _pattern(
    rf"(?P<who>{_PERSON})(?:'s| is)(?: just| now| already)?(?: about to (?:leave|come out of|go out of|walk out of|"
    rf"get out of)|"
    rf" (?:leaving|coming out of|going out of|walking out of)| on (?:his|her|their|the) (?:way out|{_PLACE}) of| "
    rf"(?:getting )?ready to leave|"
    rf" stepping out of) (?P<where>(?:the |my |our )?{_PLACE})(?=\s*[,.;:!]|,? (?:so|and) )"
)
_SOMEBODY = r"(?:man|woman|lady|guy|gentleman|girl|boy|person|visitor|guest|stranger|bloke|fellow|chap)"
_UNKNOWN_ONE = _pattern(
    rf"^(?:(?:oh|hey|hm+|robot|zulong),? )?i (?:don't|do not) (?:know|recogni[sz]e) (?:who )?(?P<det>the|that|this) "
    rf"(?P<one>{_SOMEBODY})(?P<rest>(?: who| that)?(?:'s| is)? ?[^,.;!?]*?{_PLACE}[^,.;!?]*?)(?: is)?(?=\s*[,.;!])"
)
_NEVER_SEEN = _pattern(
    rf"(?P<one>\b{_SOMEBODY}\b[^,.;!?]*?),? (?:who(?:m)? |that )?(?:i(?:'ve| have)? never (?:seen|met)(?: before)?|"
    rf"i (?:don't|do not) "
    rf"(?:know|recogni[sz]e))(?=\s*[,.;!]|$)"
)
_FIND_OUT = _pattern(
    r"\b(?:(?:please |could you |can you )?(?:go (?:over )?(?:and )?)?(?:find out|see|check|ask|learn|discover|get|"
    r"work out)) (?:(?:(?P<whose>his|her|their) names?)|who (?P<who>he|she|they|it) (?:is|are)|what (?P<they>he|she|"
    r"they) (?P<wants>wants?|needs?|'d like|would like|(?:is|are) (?:after|looking for|doing here|called)))(?= "
    r"*(?:[,.;!?]|$|and\b|then\b))"
)


def _strangers(text: str) -> str:
    """Ask the one who was described: "I don't know the man in the office. Find out his name and tell me"."""
    text = _ABOUT_TO_LEAVE.sub(r"\g<who> is in \g<where>", text)
    text = _UNKNOWN_ONE.sub(r"There is a \g<one>\g<rest>", text)
    text = _NEVER_SEEN.sub(r"\g<one>", text)
    asked = _FIND_OUT.search(text)
    if asked is None or not re.search(
        rf"\b(?:somebody|someone|{_SOMEBODY})\b", text[: asked.start()], re.IGNORECASE
    ):
        return text
    question = "what their name is"
    if asked["they"]:
        wants = re.sub(r"^is\b", "are", re.sub(r"^(want|need)s\b", r"\1", asked["wants"].lower()))
        question = f"what they {wants}"
    return text[: asked.start()] + f"ask them {question}" + text[asked.end() :]


_RULES: tuple[LiftedRule, ...] = tuple(map(of_words, (_listeners, _strangers, _remarks, _speaker)))


_LOVELY = (
    r"(?:comfortable|comfy|soft|lovely|nice|beautiful|pretty|gorgeous|delicious|tasty|yummy|bright|cosy|cozy|great|"
    r"wonderful|amazing|"
    r"fantastic|awesome|awful|ugly|horrible|terrible|disgusting|good|perfect|funny|cute|huge|enormous|elegant|"
    r"stylish|modern|"
    r"old-fashioned|(?:my |our |the )?(?:favou?rite|best)|expensive|cheap|charming|impressive|excellent|superb|"
    r"sweet|too sweet|"
    r"juicy|fresh|quiet|peaceful|spacious|sunny|famous|interesting|boring)"
)
_VALUES = _pattern(
    r"^(?:(?:oh|well|wow|mm+|you know|i must say|i think|i find|honestly|really),? )*(?:the|this|that|these|those|"
    r"my|our|your) "
    rf"(?:[a-z]+ )??(?:[\ue000-\ue7ff]|[a-z]+)(?:'s|'re| is| are| was| were| looks?| tastes?| smells?| feels?| "
    rf"sounds?)?"
    rf"(?: (?:really|very|so|quite|absolutely|always|just|rather|truly|pretty|still|is|are|was|such|a|an|most|"
    rf"too))* {_LOVELY}"
    r"(?: (?:chair|place|room|piece|colou?r|today|in the (?:mornings?|evenings?|afternoons?|summer|winter)|as "
    r"always|at night|again|"
    r"thing|idea|this (?:morning|time|year)|one|food|drink|day|time of the day))*[.!]*$"
)


def only_values(text: str, vocabulary: Vocabulary) -> bool:
    """Tell a sentence that only says how somebody finds something: "the sofa really is very comfortable".

    Args:
        text: the sentence as it was said.
        vocabulary: the names of the map.
    """
    said = Lifted.of(text.replace("\u2019", "'").strip(), vocabulary).text
    return _VALUES.match(said) is not None and not _ORDER.search(said)


_TOLD_OF = _pattern(
    rf"^(?:(?:oh|well|no|yes|sorry|actually|but),? )*(?:i|we|he|she|they|{_PERSON})(?:'ve| have|'s| has)?(?: "
    rf"already| just| only| never)? (?:told|"
    r"said|asked|met|phoned|thanked|spoke|talked|heard)\b[^,.;!?:]*[.!]*$"
)


def only_tells(text: str, vocabulary: Vocabulary) -> bool:
    """Tell a sentence that only says what somebody did: "I told Jane already".

    Args:
        text: the sentence as it was said.
        vocabulary: the people of the map.
    """
    return _TOLD_OF.match(Lifted.of(text.replace("\u2019", "'").strip(), vocabulary).text) is not None


_LIFTS = _pattern(
    rf"(?:^|[,.;!] |\band |\bthen )(?:(?:please|robot|could you|can you|would you|will you|now|then)[, "
    rf"]+)*(?:carry|lift|haul|drag|hoist|"
    rf"heave|lug) {_PERSON}(?: (?:and {_PERSON}|there|home|up|down|out|away|off|back|over|inside|outside|"
    rf"upstairs)\b| (?:to|into|onto|"
    r"from|in|on|off|out of|without|gently|carefully)\b|\s*[.!,]*$)"
)


def lifts_somebody(text: str, vocabulary: Vocabulary) -> bool:
    """Tell an order to carry somebody: "carry Simone to the kitchen".

    Args:
        text: the sentence as it was said.
        vocabulary: the people of the map.
    """
    said = text.replace("\u2019", "'")
    return re.search(r"\b(?:don't|do not|never)\b", said, re.IGNORECASE) is None and (
        _LIFTS.search(Lifted.of(said, vocabulary).text) is not None
    )
