"""Frames that English speakers put around an order or a wish, taken off before the sentence is split into words.

"I was hoping you could bring me the milk", "it would be lovely if you brought me the milk", "you couldn't bring me
the milk, could you" and "what I'd like you to do is bring me the milk" all hold the order "bring me the milk"; "it's
the milk that I want" and "I was hoping for the milk" hold the wish for it; "the milk needs to be put on the desk" and
"I want the milk put on the desk" say in the passive what "put the milk on the desk" orders. Each frame is composed
from closed classes of words; what it holds is kept as it was said, and what is no frame stays as it is. Patterns work
on lower-case text with opened contractions and single blanks.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_turns import put_directly

_IRREGULAR = {
    "brought": "bring", "got": "get", "gotten": "get", "went": "go", "gone": "go", "came": "come", "took": "take",
    "taken": "take", "gave": "give", "given": "give", "found": "find", "put": "put", "set": "set", "left": "leave",
    "laid": "lay", "led": "lead", "told": "tell", "asked": "ask", "said": "say", "saw": "see", "seen": "see",
    "met": "meet", "let": "let", "stuck": "stick", "ran": "run", "run": "run", "swung": "swing", "drove": "drive",
    "made": "make", "sought": "seek", "shown": "show", "said to": "say to", "kept": "keep", "stood": "stand",
}  # fmt: skip
_REGULAR = (
    "fetch", "grab", "hand", "pass", "place", "move", "carry", "deliver", "look", "follow", "guide", "show", "walk",
    "wait", "count", "check", "describe", "help", "pick", "drop", "return", "head", "pop", "greet", "escort", "locate",
    "search", "nip", "stop", "transfer", "transport", "collect", "retrieve", "serve", "offer", "accompany", "visit",
    "hurry", "shift", "store", "stow", "position", "remind", "inform", "enter", "navigate", "roll", "turn", "lift",
    "clear", "remove", "relocate", "supply", "slide", "pour", "cook", "clean", "open", "close", "switch", "wash",
    "call", "phone", "play", "cut", "throw", "charge", "stay", "introduce", "answer", "announce", "deposit", "stash",
    "tuck", "shut", "lock", "wipe", "report", "name", "welcome", "wish", "thank", "join", "approach",
)  # fmt: skip
_BASES = frozenset((*_IRREGULAR.values(), *_REGULAR))


def _forms() -> dict[str, str]:
    """Return the base form of every form of the verbs that orders are made of."""
    forms = dict(_IRREGULAR)
    for base in _BASES:
        stem = base[:-1] if base.endswith("e") and base != "see" else base
        doubled = base[-1] if re.fullmatch(r"[a-z]*[^aeiou][aeiou][bdgmnpt]", base) and base != "open" else ""
        past = f"{base[:-1]}ied" if re.search(r"[^aeiou]y$", base) else f"{stem}{doubled}ed"
        forms.update({base: base, past: base, f"{stem}{doubled}ing": base})
    return forms


_BASE_OF = _forms()


def base_of(word: str) -> str:
    """Return the base form of a verb that orders are made of, "" for other words."""
    return _BASE_OF.get(word, "")


_ADV = (
    r"(?:(?:just|really|actually|only|also|still|simply|kind of|sort of|maybe|perhaps|quite|rather|very much|so|dearly|"
    r"truly|honestly|now|then|please|kindly|possibly|quickly|always|currently|right now|do|again|ever so|very|most|"
    r"extremely|eternally|too|much|all|definitely|certainly|absolutely|urgently|desperately|badly|secretly) )*"
)
_GLAD = r"(?:grateful|thankful|happy|glad|obliged|delighted|pleased|indebted|overjoyed|in your debt)"
_NICE = (
    r"(?:great|lovely|nice|good|wonderful|helpful|kind|handy|perfect|super|awesome|amazing|fantastic|brilliant|ace|grand|smashing|fab|swell|wicked|mint|class|stellar|lush|bonza|"
    r"peachy|dandy|neat|epic|magic|champion|rad|"
    r"fabulous|cool|sweet|appreciated|useful|ideal|marvellous|splendid|best|super helpful|"
    r"(?:a |an |such a )?(?:great|big|huge|real|massive|tremendous|enormous|life)? ?(?:help|favou?r|relief|saver|"
    r"kindness|pleasure|treat))"
)
_MODAL = (
    r"(?:(?:could|can|would|will|might|may|should|were to|was to|manage to|managed to|be able to|were able to|"
    r"are able to|be willing to|be so kind as to|be so good as to|be kind enough to|go ahead and|take the time to|"
    r"find the time to|have the time to|be a dear and|like to|want to|help me and|get to|have to|not mind|mind) )*"
)
_WISHING = r"(?:hoping|wondering|thinking|wishing|praying|asking|wanting|looking)"
_FOR_YOU = "|".join(
    (
        rf"(?:i|we) (?:am|are|was|were|have been|had been) {_ADV}{_WISHING}(?: (?:if|whether|that|maybe|perhaps))* you ",
        rf"(?:i|we) {_ADV}(?:hope|wonder|wish)(?: (?:if|whether|that|maybe|perhaps))* you (?=could|can|would|might|will)",
        rf"(?:i|we) (?:would|will|should) (?:be|feel) {_ADV}{_GLAD}(?: if| were| should) you ",
        rf"(?:i|we) (?:would |should )?{_ADV}(?:appreciate|love|like|prefer|enjoy)(?: it)?(?: (?:very|so|ever so) much|"
        r" a lot| greatly| immensely)? if you ",
        rf"(?:it|that) (?:would|will) {_ADV}(?:be|mean) {_ADV}(?:{_NICE}|a lot|so much|the world)(?: of you| to me| "
        r"for me)? if you ",
        rf"(?:would|could|might) it be {_ADV}(?:{_NICE}|possible|ok|okay|alright|all right|fine) if you ",
        rf"(?:is|would) it (?:be )?{_ADV}(?:possible|ok|okay|alright|all right|fine|feasible) for you to ",
        r"do you (?:think|reckon|suppose|believe|imagine|feel)(?: that| maybe| perhaps)? you (?=could|can|would|might)",
        r"(?:i|we) do not suppose(?: that)? you (?=could|can|would|might|will)",
        r"(?:(?:is|would) there (?:be )?)?(?:any|a|some) (?:chance|way|possibility|hope)(?: at all)?(?: that)? you ",
        r"(?:how|what) about(?: if)? you ",
        r"what if you ",
        rf"(?:i|we) (?:am|are) (?:going to|about to) {_ADV}(?:need|want|ask) you to ",
        rf"(?:i|we) (?:will|would) {_ADV}(?:need|want|require|ask|like|love|prefer) (?:for )?you to ",
        rf"(?:i|we) {_ADV}(?:need|want|require|order|ask|request|beg|urge|expect) (?:for )?you to ",
        r"(?:need|want|going to need) you to ",
        rf"(?:could|can|may|might|would) (?:i|we) {_ADV}(?:get|ask|trouble|bother|persuade|convince|beg|have|request) "
        r"you to ",
        rf"(?:what|all|the (?:only |one |next |first )?thing) (?:that )?(?:i|we) {_ADV}(?:want|need|ask|require|"
        rf"would {_ADV}(?:like|love|want|need|prefer)) (?:for |from |of )?you(?: to do)?(?: now| next| right now| "
        rf"for me| "
        r"today)* (?:is|now is)(?: to| for you to)? ",
        r"what you (?:need to|have to|should|must|can|could)(?: do)?(?: now| next| right now| for me)* is(?: to)? ",
        r"(?:your|the) (?:plan|idea|task|job|mission|errand|assignment|deal) (?:is|would be)(?: simple| easy| this)?"
        r"(?:,|:|;| to| for you to| that you| you)+ ",
        r"(?:would|could) you (?:possibly )?be (?:so |too |very |as )*(?:kind|good|nice|sweet|lovely)(?: "
        r"enough)?(?: as)? "
        r"(?:to|and) ",
        r"be (?:so |too |very |as )*(?:kind|good|nice|sweet|lovely)(?: enough)?(?: as)? (?:to|and) ",
        r"(?:do|would you do|could you do|can you do) me (?:a|an|this|one) (?:\w+ )?(?:favou?r|solid|kindness|service)"
        r"(?: and|,|:| -|\? please|\?)+ ",
        r"(?:why do|why would|could|can|would|will) not you ",
        r"why not ",
    )
)  # fmt: skip
_YOU = re.compile(rf"\b(?:{_FOR_YOU})(?:you )?{_ADV}{_MODAL}{_ADV}(?:to )?(?P<verb>[a-z]+)\b")
_DOING = re.compile(
    r"\b(?:(?:how|what) about|(?:do you )?fancy|do you feel like|would you consider|would you care for|(?:do|would) "
    r"you (?:not )?"
    r"mind|mind) (?:please |maybe |quickly |just )?(?P<verb>[a-z]+ing)\b"
)
_STAR = re.compile(
    r"\bbe an? (?:(?:real|total|absolute|good|little|proper|nice|true|kind|great|dear|old|clever|sweet) ){0,2}"
    r"(?:love|dear|darling|star|angel|sweetheart|sweetie|hero|champ|champion|pal|sport|gem|treasure|robot|boy|girl|lad|chap|"
    r"friend|helper|saint|legend|lamb|duck|peach|mate|butler|buddy|honey|doll|brick|help|machine) and (?P<verb>[a-z]+)\b"
)
_IF_YOU = re.compile(
    rf"\bif you {_ADV}{_MODAL}{_ADV}(?P<verb>[a-z]+) (?P<rest>[^,.;!?]+),? (?:(?:that|it|this) (?:would|will) "
    rf"{_ADV}(?:be|"
    rf"mean) {_ADV}(?:{_NICE}|a lot)(?: of you| to me| for me)?|(?:i|we) would (?:be|feel) {_ADV}{_GLAD}|(?:i|we) would "
    rf"{_ADV}appreciate (?:it|that)(?: very much| a lot| greatly)?)"
)
_NEGATIVE = re.compile(
    r"\byou (?:could|would|can|will|might) not (?:possibly |perhaps |happen to |by any chance |maybe |be able to |mind )*"
    r"(?P<verb>[a-z]+) (?P<rest>[^?!;]+?),? (?:could|would|can|will|might) you\b"
)

_NOUN = (
    r"(?:(?:the|my|our|your|that|this|these|those|a|an|some|any|another|his|her|one|two|three|four|five) "
    r"(?:(?!(?:and|or|to|is|are|be|if|that|which|who|but|not|you|i|we|it|for|so|because|then) )[a-z]+ ){1,5}?)"
)
_THING = (
    r"(?:(?:the|my|our|your|that|this|a|an|some) (?:(?!(?:and|or|to|is|are|be|if|but|not|you|i|we|it|so|then) "
    r")[a-z]+ ){1,8}?|it |them )"
)
_DONE = (
    r"(?P<verb>put|placed|moved|taken|brought|carried|returned|delivered|set|handed|given|fetched|left|stored|"
    r"transferred|dropped|passed|shifted|relocated|laid|transported|served|tidied|stowed|got|gotten)"
)
_PLACED = (
    r"(?P<rest>(?:back |down |away |over |up |across )*(?:on|in|at|to|onto|into|inside|by|near|next to|from|"
    r"off|here|back|over|away)\b[^,.;!?]*)"
)
_HAVE_TO = (
    r"(?:(?:really |also |still |now |just )*(?:needs|need|has|have|ought|wants|is supposed|are supposed|is meant|"
    r"is|are) "
    r"to (?:be|get)|(?:should|must|can|could|may|might|shall) (?:now |then |please )?(?:be|get)|gets)"
)
_PASSIVE = (
    re.compile(rf"(?P<start>^|[,.;:!?] (?:and |so |then |but |please )*)(?P<what>{_THING}){_HAVE_TO} {_DONE} {_PLACED}"),
    re.compile(
        rf"(?P<start>)\b(?:(?:i|we) {_ADV}(?:want|need|would {_ADV}(?:like|love|prefer)|will {_ADV}(?:need|have))"
        r"(?: to have| to see)?|(?:(?:can|could|may|might) (?:i|we) (?:please )?)?(?:have|get)|please have|please get) "
        rf"(?P<what>{_THING})(?:to be )?{_DONE} {_PLACED}"
    ),
    re.compile(
        rf"(?P<start>)\b(?:can|could|would|may|might|will) (?P<what>{_THING})(?:please )?(?:be|get) {_DONE} {_PLACED}"
    ),
    re.compile(
        rf"(?P<start>^|[,.;:!?] (?:and |so |then |but |please )*)(?P<what>{_THING})(?:needs|wants|requires) "
        rf"(?P<verb>putting|"
        rf"placing|moving|taking|bringing|carrying|returning|delivering|handing|giving|fetching|storing) {_PLACED}"
    ),
)  # fmt: skip
_I = r"(?:i|we)"
_WISH = "|".join(
    (
        rf"{_I} (?:am|are|was|were|have been) {_ADV}(?:hoping|wishing|waiting|longing|dying|desperate|gagging|"
        r"itching|craving|aching|yearning|hankering)(?: for| to (?:get|have|grab|find|drink|eat))(?: hold of)?",
        rf"{_I} (?:am|are) {_ADV}(?:going to|about to) {_ADV}(?:need|want|have|take|require)",
        rf"{_I} would {_ADV}need",
        rf"{_I} will {_ADV}(?:need|have|want|take|go for|require)",
        rf"{_I} {_ADV}(?:must|have got to|have to|need to|would {_ADV}(?:like|love|prefer) to|want to) "
        rf"{_ADV}(?:have|get)",
        rf"{_I} (?:would|could) {_ADV}(?:kill|die|murder|give anything|do with|go for|use|sell my soul)(?: for)?",
        rf"{_I} would not {_ADV}(?:mind|say no to|object to|refuse|turn down)(?: having| getting)?",
        rf"{_I} {_ADV}(?:fancy|crave|require)",
        rf"{_I} (?:am|are) {_ADV}(?:after|craving|in (?:\w+ )?need of|short of|missing out on)",
        rf"{_I} (?:have|have got) (?:a|an|such a|this) (?:\w+ )?(?:craving|hankering|yearning|longing) for",
        rf"(?:what|all|the (?:only |one )?thing) (?:that )?{_I} {_ADV}(?:want|need|fancy|crave|require|would "
        rf"{_ADV}(?:like|"
        r"love|want)|am after|am asking for|am looking for|could (?:do with|use))(?: now| right now| most| from you|"
        r" at the "
        r"moment| today)* is",
        rf"you know what {_I} (?:would {_ADV}(?:love|like|kill for|want)|{_ADV}(?:want|need|fancy|crave))(?: right "
        rf"now)?\s*\?",
        rf"(?:can|could|may|might) {_I} {_ADV}(?:get (?:a )?hold of|get my (?:hands|mitts) on|have|get|"
        r"grab|take|bother you for|trouble you for|ask for)",
        rf"(?:let us|let me) {_ADV}have",
        rf"let me {_ADV}get",
    )
)  # fmt: skip
_WANTED = re.compile(
    rf"\b(?:{_WISH}) (?=(?:the|my|our|your|that|this|a|an|some|another|something)\b)(?!(?:an? )?(?:look|"
    r"word|talk|chat|go|idea|question|problem|feeling|moment|minute|second|rest|break|nap|way|the way)\b)"
)
_WANT_BROUGHT = re.compile(
    rf"\b(?:what|the thing|the only thing) (?:i|we) {_ADV}(?:want|need|would {_ADV}(?:like|love)) you to "
    rf"(?P<verb>bring|get|fetch|"
    r"grab|pass|hand|give)(?: me| to me)?(?: now| right now)? is\b"
)
_CLEFT = re.compile(
    rf"\b(?:it is|it was|that is|this is) (?P<what>{_NOUN})(?:that |which )?{_I} {_ADV}(?:want|need|wanted|needed|"
    rf"am after|"
    rf"was after|would {_ADV}(?:like|love)|fancy|asked for|had in mind|meant|am looking for|require)(?: to have)?\b"
    r"(?! (?:you|to|him|her|them)\b)"
)


_I_WANT = re.compile(
    r"^(?P<open>(?:(?:hey|hi|yo|ok|okay|so|please|robot|zulong|um|uh|oh|well|hello)[,.!]? )*)(?:want|need|would "
    r"like|craving|"
    r"fancy|would love|could use|could do with|could murder|would kill for|could kill for|would not say no to|"
    r"would not mind|dying for|gasping for|would die for) (?=(?:the|my|a|an|some|that|another|one|two|three) )"
)
_TAIL = (
    r"(?:(?!\b(?:or|except|but|if|unless|until|till|before|after|when|tomorrow|later|tonight|at \d|noon|instead|and|not)\b)"
    r"[^,.;:!?])*"
)
"""The rest of what something is for; a time, a choice or a condition in it may govern the order."""
_PURPOSE = re.compile(
    r",? (?:so(?: that)?|in order that) (?:(?:i|we|it|they|everyone|everybody|nobody|you) (?:(?:can|could|will|"
    r"would|may|might|"
    r"do not|does not|did not|will not|would not) (?:all |both |easily |later |always |just |not |finally |then |"
    r"also |at least )*(?:have|drink|eat|find|reach|see|use|get|read|play|wash|take|make|relax|rest|sit|wipe|try|"
    r"enjoy|start|work|sleep|grab|be|stay|keep|lose|forget|go off|go bad|spoil|melt|fall|trip over|miss|need|clean|cook)|"
    rf"(?:stays?|keeps?|remains?|is|are|does not|do not)) ?{_TAIL}|there (?:is|are|will be) "
    rf"{_TAIL})(?=[,.;:!?]|$| please\b)"
)
_HER_PURPOSE = re.compile(
    r"\b(?P<told>(?:(?:to|for) (?:(?:him|her|them|me|us)|(?!(?:the|a|an|my)\b)[a-z]+)|(?:on|in|onto|into|at) the "
    r"[a-z ]+?)),? "
    r"so(?: that)? (?:he|she|they|(?!(?:that|the|you|please)\b)[a-z]+) (?:can|could|will|may|might|does not|do not|"
    r"has|have) "
    r"(?:all |both |easily |later |always |just |finally |then |have to )*(?:have|drink|eat|find|reach|see|use|get|"
    r"read|play|"
    rf"wash|take|make|relax|enjoy|start|work|grab|something|a|an|some|it)\b{_TAIL}(?=[,.;:!?]|$)"
)
_BELONGING = re.compile(
    r"\b(?P<back>back )?(?:where (?:it|they) (?:belongs?|goes?|go|lives?|should be|came from|should go)|(?:in|to) "
    r"(?:its|their) "
    r"(?:usual |proper |right )?(?:place|spot|home)),? (?=(?:on|in|at|onto|into|to|inside)\b)"
)


def unframed(text: str) -> str:
    """Return the sentence with the frames around its orders and wishes taken off."""
    text = put_directly(text)
    text = _BELONGING.sub(r"\g<back>", text)
    text = _HER_PURPOSE.sub(r"\g<told>", _PURPOSE.sub("", text))
    text = _I_WANT.sub(r"\g<open>i would like ", text)
    text = _WANT_BROUGHT.sub("bring me", text)
    text = _IF_YOU.sub(_ordered_rest, text)
    text = _NEGATIVE.sub(_ordered_rest, text)
    text = _YOU.sub(_ordered, text)
    text = _STAR.sub(_ordered, _DOING.sub(_ordered, text))
    for passive in _PASSIVE:
        text = passive.sub(_active, text)
    text = _CLEFT.sub(r"i would like \g<what>", text)
    return _WANTED.sub("i would like ", text)


def _ordered(match: re.Match[str]) -> str:
    base = _BASE_OF.get(match["verb"])
    return match[0] if base is None else f"please {base}"


def _ordered_rest(match: re.Match[str]) -> str:
    base = _BASE_OF.get(match["verb"])
    return match[0] if base is None else f"please {base} {match['rest']}"


def _active(match: re.Match[str]) -> str:
    """Turn "the milk needs to be put on the desk" into "put the milk on the desk"."""
    base = _BASE_OF.get(match["verb"], match["verb"])
    rest = match["rest"]
    to = re.match(r"(?:(?:back|over|across|down) )*to ", rest)
    if base == "tidied" or (base in ("put", "set", "leave", "store") and to):
        base = "put"
    if base in ("bring", "take", "get", "fetch") and re.match(
        r"(?:(?:over|back) )*here\b|(?:over|back)$", rest
    ):
        return f"{match['start']}bring {match['what']}to me{rest[len(rest) :]}"
    return f"{match['start']}{base} {match['what']}{rest}"
