"""Small talk around an English order that asks for nothing, taken off before the sentence is split into words.

Interjections ("ugh,"), what opens a request ("sorry to be a pain, but", "before I forget,"), what the speaker is doing
meanwhile ("while I finish this email"), and where something was seen last, said the long way round. Patterns work on
lower-case text with opened contractions and single blanks.
"""

from __future__ import annotations

import re

_BEGINS = (
    r"(?:^|(?<=[,.;:!?] )|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=\boh )|(?<=\bok )|(?<=\bokay )|(?<=\bhey ))"
)
_SIGHS = (
    r"(?:ugh+|argh+|a+h+|oo+f|phew|whew|gosh|jeez|yikes|blimey|crikey|wow|damn(?: it)?|darn(?: it)?|dear me|oh dear|"
    r"oh boy|oh no|"
    r"oh man|oh well|good grief|my goodness|goodness(?: me| gracious)?|oh my(?: god| goodness| gosh)?|omg|bloody "
    r"hell|heavens|"
    r"oops|whoops|mmm+|eh|yikes|man|boy|girl|gee|ha|haha|aww?|huh|hmm+|um+|uh+|er+m?|alright then|right then|now "
    r"then|well then|"
    r"love|dear|darling|honey|mate|pal|buddy|dude|sweetie|my friend|ok then|okay then|so yeah|yeah so|yeah|right|"
    r"well|anyway|anyways|anyhow)"
)
_OPENED = (
    r"(?:please )?do not (?:just )?(?:stand|sit|hang|wait|loiter|dawdle)(?: there| here| about| around| in (?:my|the) way)+"
    r"(?:,|\.|!)",
    r"sorry (?:to|for|about|if|that) (?!(?:say|tell)\b)[a-z' ]{2,40}?(?:,? but|,|\.)",
    r"(?:i )?(?:really |do )?hate to (?:ask|bother|be|interrupt|disturb|trouble|nag|do this|say)[a-z' ]{0,30}?(?:,? "
    r"but|,)",
    r"i (?:do not|did not) (?:want|mean) to (?:bother|be|interrupt|disturb|trouble|nag|sound|seem)[a-z' "
    r"]{0,30}?(?:,? but|,)",
    r"i know (?:it is|you are|you have|you just|this is|that is|i am|i just|i have)[a-z' ]{0,40}?(?:,? but|,)",
    r"(?:please )?do not (?:laugh|judge(?: me)?|ask(?: me)?(?: why)?|get me wrong|be mad|be angry|hate me)(?:,? but|,)",
    r"you (?:will|would) not believe (?:this|it|me)(?:,? but|,)",
    r"(?:this|that|it) (?:may|might|will|is going to) (?:sound|seem) [a-z ]{2,25}?(?:,? but|,)",
    r"call me (?:old|a|an|crazy|lazy|fussy|silly|weird)[a-z -]{0,20}(?:,? but|,)",
    r"(?:no offence|no pressure|no rush|no hurry|not to be (?:rude|pushy|a pain)|if i am honest|to be honest|to be "
    r"fair|truth be "
    r"told|in all honesty|full disclosure|fun fact|funny story|random|random question|quick question|quick one|"
    r"quick thing|small "
    r"thing|tiny thing|little favou?r|small favou?r|quick favou?r)(?:,? but|,|:)",
    r"believe (?:it|me) or not(?:,? but|,)",
    r"(?:to (?:cut|make) )?(?:a )?long story short(?:,|:)?",
    r"(?:before|lest) i forget(?: again)?(?:,|:)?",
    r"(?:oh )?(?:and )?(?:one )?(?:last|final|more|other) (?:little |small |quick )?(?:thing|favou?r|request)(?:,|:|"
    r" before [a-z ]{2,20},)",
    r"if (?:i remember|memory serves|my memory serves|i recall|i am not|you ask|i am right)(?: (?:me|right|"
    r"correctly|well|mistaken|wrong))*,?",
    r"(?:as|so) far as i (?:know|remember|recall|can tell)(?:,)?",
    r"(?:since|as|seeing as|seeing that|now that|given that) you are (?:already |just |still |all )*(?:up|there|"
    r"closer|nearer|closest|"
    r"nearest|free|here|passing|going|standing|about|not busy|done|awake|around|in|at|over)[a-z ]{0,30},",
    r"(?:while|when) you are (?:at it|up|there|about it|passing|in there)(?: already| anyway)?,?",
    r"you are (?:closer|nearer|closest|nearest|already up|already there|right there)[a-z ]{0,20}(?:,? so|,|\.)",
    r"you (?:look|seem|sound) (?:tired|exhausted|bored|busy|slow|done)[a-z ]{0,12}(?:,? so|,|\.)",
    r"your battery (?:is|must be|looks) (?:nearly|almost|practically|pretty much|about|getting|running|quite|very|"
    r"really)[a-z ]{2,20}"
    r"(?:,? so|,|\.)",
    r"(?:ok |okay |right |so )?that (?:is|will be|would be|was) (?:all|it|enough|everything)(?: for (?:now|today|"
    r"tonight|me|the moment)| "
    r"from me)*(?:,? so|,|\.)",
    r"(?:what|such) an? (?:[a-z]+ ){0,3}(?:day|week|night|morning|evening|afternoon|mess|surprise|relief|life|world|"
    r"shame|pity|year)"
    r"(?:,|\.|!)",
    r"no,? not [a-z ]{2,25}?[,.] (?=not\b)",
)  # fmt: skip
_MEANWHILE = re.compile(
    r",? (?:while|whilst|as|before|because|since|cause|cos|coz|for) i (?:am|was|have|can|could|do|did|will|would|"
    r"just|really|still|"
    r"need to|want to|get|finish|start|cook|make|do|watch|read|write|work|wait|clean|wash|talk|sit|lie|rest|relax|"
    r"change|shower|"
    r"leave|go|head|sort|set|lay|prepare|put my|hate|love|like|miss|forgot|feel|think|hurt|broke|twisted|lost my|"
    r"never|always|"
    r"cannot|keep|got)\b(?! (?:not )?(?:told|said|asked|tell|say|ask|want you|need you)\b)[^,.;:!?]*(?=[,.;:!?]|$)"
)
_LOC = r"(?:in|on|at|by|near|under|inside|behind|next to|beside|on top of)"
_NP = r"(?:(?:the|my|our|that|a|an|some|his|her) (?:[a-z]+ ){1,4}?)"
_SEEN = (
    (re.compile(rf"\b(?:the )?last (?:time|i) (?:that )?(?:i |we |anyone )?(?:saw|had|used|looked at|checked|"
                rf"remember) (?P<x>{_NP}),? ?"
                rf"(?:it|they|that) (?:was|were) (?:still |lying |sitting |standing )?(?={_LOC}\b)"), r"\g<x>is "),
    (re.compile(rf"\b(?:i|we) (?:last |just |definitely |already |also )*(?:saw|spotted|noticed|have seen|remember "
                rf"seeing|remember leaving|"
                rf"remember putting|think i saw|have left|forgot|had|last had|dropped) (?P<x>{_NP})(?:lying |"
                rf"sitting |earlier |standing )?"
                rf"(?=(?:{_LOC}) (?:the|my|our) [a-z ]+?(?:,|\.|;| so | and ))"), r"\g<x>is "),
    (re.compile(rf"\b(?:i|we) (?:usually |always |normally |generally )?(?:keep|store|have) "
                rf"(?P<x>{_NP})(?=(?:{_LOC}) (?:the|my|our) [a-z ]+?"
                r"(?:,|\.|;| so | and ))"), r"\g<x>is "),
    (re.compile(rf"^(?P<o>(?:hey |ok |so |robot,? |zulong,? )*)(?:can you see|do you see|you see|see|you know|do "
                rf"you know|remember) (?P<x>{_NP})"
                rf"(?P<at>(?:over |lying |sitting |standing |there )*(?:{_LOC}) (?:the|my|our) [a-z ]+?)\s*\?,? (?=\S)"),
     r"\g<o>there is \g<x>\g<at>, "),
    (re.compile(rf"\b(?P<who>who|which|that) (?:(?:should|must|might|may|could|will|ought to|has to|would)(?: still|"
                rf" probably| now)? be|(?:is|"
                rf"are) (?:supposed|meant|said|likely|bound|sure|probably|usually|thought)(?: to be)?) "
                rf"(?=(?:sitting |lying |standing )?{_LOC}\b)"),
     r"\g<who> is "),
    (re.compile(r"\b(?:i|we) have (?:been )?(?:looked|looking|searched|searching|hunted|hunting)(?: everywhere| all "
                r"over(?: the (?:place|house))?|"
                r" high and low| all (?:day|morning|evening|over)| for ages)* for (?P<x>(?:the|my|our) [a-z ]+?)(?: "
                r"everywhere| for ages| all "
                r"(?:day|morning|over))?,? (?:and|but) (?:i |we |still )*(?:can not|could not|did not) (?:seem to "
                r")?find (?:it|them)(?: anywhere)?"),
     r"i can not find \g<x>"),
    (re.compile(r"\byou have not (?:happened to |by any chance )?seen (?P<x>[a-z ]+?)(?: anywhere| around| "
                r"lately)?(?:,? have you)?(?=\s*\?|$)"),
     r"have you seen \g<x>"),
)  # fmt: skip
_SIGHING = re.compile(rf"{_BEGINS}{_SIGHS}(?:[,.!]+ |\s*\.\.\.+ )(?=\S)")
_OPENING = re.compile(rf"{_BEGINS}(?:{'|'.join(_OPENED)}) (?=\S)")


_SLOWLY = (
    r"quietly|discreetly|carefully|quickly|gently|slowly|softly|quick|careful|gentle|discreet|quiet|silently|calmly|"
    r"snappy|sharpish|swift|swiftly|nicely|properly|politely|patiently|nice and slow|nice and slowly|nice and gently"
)
_MANNER = re.compile(
    rf",? (?:but|and)? ?(?:please )?(?:do (?:it|so|that) |be |make it |keep it |go )?(?:very |nice and |"
    rf"really )?(?:{_SLOWLY})"
    r"(?: about it| with it| with them)?(?=\s*(?:[.!]|$))|"
    r",? ?(?:(?:and|but) )?(?:please )?(?:(?:do not|don't|dont|try not to|without|no) (?:you )?)(?:dawdl(?:e|ing)|"
    r"dilly[- ]?dally(?:ing)?|"
    r"hang(?:ing)? about|be long|be late|tak(?:e|ing) (?:too long|all day|forever|ages)|fall(?:ing)? behind|"
    r"get(?:ting)? lost|"
    r"drop(?:ping)? (?:it|them|anything)|spill(?:ing)? (?:it|any|any of it|a drop|them|anything)|messing(?: about)?|"
    r"mess about|"
    r"faff(?:ing)?(?: about)?|slack(?:ing)?(?: off)?|los(?:e|ing) (?:me|him|her|them)|dally(?:ing)?|loiter(?:ing)?|"
    r"shilly[- ]?shally(?:ing)?|wait(?:ing)? (?:around|about)|mak(?:e|ing) a (?:noise|fuss|mess|racket|sound)|worr(?:y|"
    r"ies)|delay|"
    r"wak(?:e|ing) (?:anyone|anybody|everyone|everybody|the baby|them|him|her)(?: up)?|excuses|stopping|stops|detours?|"
    r"stopping on the way|rush(?:ing)?|hurry(?:ing)?)"
    r"(?=\s*(?:[.!,;]|$))|"
    r",? before (?:it|they) (?:goes?|gets?|turns?|melts?|spoils?)(?: bad| warm| cold| off| sour| soft| hard|"
    r" mouldy)?(?=\s*[.!]?\s*$)",
    re.IGNORECASE,
)
"""In which manner it is to be done: nothing that the robot would do otherwise."""
_ENDEARED = re.compile(
    r"\b(thanks|thank you|ta|cheers|please|now|quick|go on),? (?:my )?(?:love|lovey|mate|dear|darling|duck|pet|hun|hon|"
    r"honey|pal|"
    r"buddy|sweetie|sweetheart|petal|chuck|old boy|old chap|son|boss|chief|guv|sunshine|matey)(?=[\s.,!?]*$)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:tell|say|ask|remind|inform|announce|warn|let \w+ know|message|shout|whisper|report|repeat|advise)\b",
    re.IGNORECASE,
)


def without_manner(text: str) -> str:
    """Return the sentence without words about the manner at its end: "but quietly", "and no dawdling"."""
    if _TELLING.search(text):
        # It may be part of what is to be told.
        return text
    shorter = _ENDEARED.sub(r"\1", _MANNER.sub("", text))
    return shorter if len(shorter.split()) > 1 else text


def without_chatter(text: str) -> str:
    """Return the sentence without what only surrounds its orders."""
    text = without_manner(text)
    for _ in range(3):
        shorter = _OPENING.sub("", _SIGHING.sub("", text))
        if shorter == text:
            break
        text = shorter
    for pattern, plain in _SEEN:
        text = pattern.sub(plain, text)
    shorter = _MEANWHILE.sub("", text)
    # "while I cook, ..." alone leaves an order; a sentence that is nothing else stays as it is.
    return shorter if len(shorter.split()) > 2 else text
