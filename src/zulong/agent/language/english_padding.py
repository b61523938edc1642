"""What stands around an English order and orders nothing: politeness, small talk, reasons, complaints, hesitations.

"Sorry to bother you, but my hands are full, could you, er, bring me the milk? You're a star" is "bring me the milk".
Courtesies are known by their words. What only tells something of the speaker is left out where it names no thing, place
or person of the map, for then nothing in the order can mean it; everything else stays where it is. Speech without marks
is taken apart where an order or a question begins after what only tells.
"""

from __future__ import annotations

import functools
import itertools
import re

from zulong.agent.language.english_inquiries import beside
from zulong.agent.language.english_spelling import stems
from zulong.agent.language.english_wordings import Wordings
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_english import EnglishBackground
from zulong.agent.language.stretches import Stretch

_LONGEST = 400
_ROBOT = (
    r"(?:robot|zulong|mate|buddy|pal|dear|darling|love|sweetie|friend|(?:my |old |dear )+(?:robot|friend|boy|chap|fellow|"
    r"man|bean)|"
    r"mister robot)"
)
_HELP = (
    r"(?:(?:help (?:me|us)(?: out)?(?: (?:here|please|a bit))?|give (?:me|us) a hand|lend (?:me|us) a hand)"
    r"(?=\s*[,.;:!]))"
)
_ASKING = (
    r"(?:(?:it|that) (?:would|'d|will|could) (?:really |truly |just )?(?:help(?: me| us)?(?: out)?(?: a lot)?|be (?:so |"
    r"really |very )?"
    r"(?:great|nice|lovely|good|wonderful|helpful|kind|amazing|fantastic|brilliant|super|a (?:great |big |"
    r"real )?help)(?: of you)?)"
    r"(?: if you (?:could|would|can)| for you to)|i(?:'d| would| will|'ll) (?:really |so |be )*(?:appreciate it|grateful|"
    r"thankful|"
    r"very happy|happy|much obliged|glad|love it|like it) if you (?:could|would|can)|"
    r"(?:do you )?(?:think|reckon|suppose) you (?:could|can|might be able to)(?: possibly| maybe| please)?|"
    r"(?:is there )?any (?:chance|way|possibility)(?: that)? (?:you (?:could|can|might|would)|of you)|"
    r"(?:might|may|can|could) i (?:just |please |kindly )?(?:ask|trouble|bother|get|have|request) you to|"
    r"(?:do you )?mind if i (?:ask|trouble|get|have) you to|would it be (?:possible|ok|okay|all right|alright|"
    r"too much trouble)(?: for you)?"
    r" to|(?:please )?be so (?:good|kind) as to|would you be so (?:good|kind) as to|would you be (?:good|kind) enough to|"
    r"i(?:'m| am| was) (?:just )?(?:wondering|hoping|thinking)(?: if| whether| that)? you (?:could|can|might|would)|"
    r"i (?:wonder|hope) (?:if |whether )?you (?:could|can|might|would)|(?:i )?(?:just )?need you to|i(?:'d|"
    r" would) (?:like|love|want|need)"
    r" (?:for )?you to|i want you to|(?:your )?(?:next |new |first )?(?:job|task|mission)(?: for you)?(?: is|"
    r" now is)?(?: to|:)|"
    r"(?:why don't|how about|what if) you(?: go and| just)?|what about you|you(?: can| could| may| should|"
    r" might(?: want to)?|'d better)"
    r"(?: now| just| please| go ahead and)?(?! (?:see|hear|not|never)\b)|go ahead and|(?:please )?try to|make sure (?:to|"
    r"you)|be sure to|"
    r"(?:be a (?:dear|love|darling|star|sport|pal|mate|legend|good robot|good boy|sweetheart) and|"
    r"would you mind,? would you))"
)
_GREETING = (
    r"(?:good (?:morning|afternoon|evening|day)|morning|evening|hi|hiya|hello|hey|yo|oi|hi there|hello there|hey there|"
    r"greetings|howdy)"
)
_CHAT = (
    r"(?:how are you(?: doing| today| feeling)?|how's it going|how do you do|you all right|you ok(?:ay)?|what's up|"
    r"nice to see you(?: again)?|"
    r"(?:thanks|thank you|cheers)(?: so much| a lot| very much| again)?(?: for (?:earlier|before|that|your help|the help|"
    r"last time|"
    r"everything|helping(?: me| us)?(?: earlier| before)?|coming(?: so quickly)?|waiting|listening|all your help|"
    r"this morning|yesterday)"
    r"|(?=\s*[,.;:!]))|"
    r"(?:well done|good job|nice work|great work)(?: earlier| before| there| with that)?|you(?:'re|"
    r" are)(?: such)? (?:a star|a gem|a legend|"
    r"an angel|a dear|a darling|a lifesaver|the best|great|wonderful|so (?:kind|helpful|good)|a good (?:robot|boy|girl)|"
    r"amazing|awesome|"
    r"brilliant|very kind|too kind|a sweetheart)|"
    r"(?:what )?(?:a )?(?:lovely|nice|beautiful|terrible|awful|horrible|gorgeous|miserable|great|wonderful) (?:weather|"
    r"day|morning|evening|"
    r"afternoon|night)(?: today| outside| out there)?(?:,? (?:isn't it|right|eh|huh|innit|don't you think))?|"
    r"(?:it's|it is|its) (?:so |very |really |quite |a bit |rather |freezing |boiling )*(?:cold|hot|warm|late|early|dark|"
    r"wet|chilly|freezing|"
    r"boiling|raining|snowing|monday|tuesday|wednesday|thursday|friday|saturday|sunday|my birthday|christmas|the weekend|"
    r"movie night|"
    r"game night|laundry day)(?: (?:in here|outside|out|out there|today|tonight|again|already|i know))*|"
    r"(?:sorry|apologies|excuse me)(?: again)? (?:to (?:bother|disturb|trouble|interrupt|be a (?:pain|nuisance|bother))|"
    r"for (?:bothering|"
    r"disturbing|troubling|interrupting))(?: you)?(?: again| so late| like this| this late)?(?:,? but)?|excuse me|"
    r"pardon me|"
    r"(?:i )?hate to (?:bother|disturb|trouble) you(?:,? but)?|i know (?:you(?:'re| are| just| have|'ve)|it(?:'s| is)) "
    r"(?:(?:just|only|very|a bit|really|still|so) )*(?:busy|came back|come back|got back|charged|charging|late|early|"
    r"tired|sat down|started|"
    r"cleaned|arrived|a lot to ask|silly|a pain)(?:,)? but|"
    r"(?:if|when(?:ever)?) (?:it's|it is|that's) (?:ok|okay|all right|alright|possible|not too much (?:trouble|bother|"
    r"to ask)|no (?:trouble|"
    r"bother|problem)|convenient)(?: with you| for you)?|if you (?:don't|do not|wouldn't) mind(?: (?:me asking|"
    r"terribly))?|you wouldn't mind(?:,? would you)?|if i may|"
    r"if (?:at all )?possible|if you (?:can|could|would|like|please|have (?:a )?(?:time|moment|minute|second|sec))|"
    r"when(?:ever)? you(?: (?:have|get|'ve got|find))? (?:a |some )?(?:moment|minute|chance|time|sec|second|free moment|"
    r"spare moment)|"
    r"when(?:ever)? you(?:'re| are) (?:free|ready|done)|at your (?:earliest )?convenience|before i forget|"
    r"while i remember|while you're at it|"
    r"while you are at it|while you're (?:up|there|about it)|one (?:more|other|last|final) thing|another thing|"
    r"just one thing|"
    r"(?:a )?quick (?:favou?r|one|request|job|task)(?: for you)?|small (?:favou?r|request)|next up|"
    r"listen(?: up)?|look here|let's see|let me see|let me think|right(?: then)?(?! (?:now|away|next|here|there|in|on|at|"
    r"by)\b)|all ?right(?: then)?|ok(?:ay)?(?: then)?|well(?: then)?(?! done\b)|"
    r"so(?! (?:long|far|that|much|many|as)\b)|now(?: then)?(?! that\b)|"
    r"anyway|anyhow|by the way|btw|just(?! (?:in case|as|like|after|before|when|if)\b)|quickly|quick|urgent|kindly|please|"
    r"pretty please|i beg (?:of )?you|come on|"
    r"go on|you know what|tell you what|guess what|" + _HELP + r")"
)
_SEP = r"[\s,.;:!?\u2026\u2014-]+"
_OPENER = re.compile(
    rf"(?:(?:oh|ah|and|but),? )?(?:(?:{_GREETING}|{_CHAT}|{_ROBOT})(?:,? {_ROBOT})?{_SEP}|"
    rf"{_ASKING}(?: please)?{_SEP})(?=[a-z])",
    re.IGNORECASE,
)
_THANKS = (
    r"(?:please|pls|plz|pretty please|thanks|thank you|thx|tnx|ta|cheers|much appreciated|many thanks|thanks in advance)"
    r"(?: (?:so much|a lot|very much|a million|a bunch|in advance|again|indeed|ever so much))?(?: (?:mate|love|dear|robot|"
    r"buddy|pal|darling))?"
)
_CLOSER = re.compile(
    rf"(?:{_SEP}|^)(?:and )?(?:{_THANKS}|{_ROBOT}|will you|would you|could you|can you|won't you|would you mind|"
    rf"if you (?:don't|do not|"
    r"wouldn't) mind|if you (?:can|could|would|please|like)|if (?:that's|it's|it is|that is) (?:ok|okay|all right|alright|"
    r"possible|no (?:bother|"
    r"trouble)|not too much (?:trouble|bother))|when(?:ever)? you(?:'ve| have| get| 've got| can)?(?: got)?(?: (?:a|"
    r"some) (?:chance|moment|"
    r"minute|sec|second)| time| the time)?|when(?:ever)? you(?:'re| are) (?:free|ready)|"
    r"(?:i(?:'d| would| 'd| will|'ll)? (?:really |so |much |truly )*(?:appreciate it|be (?:so |very |ever so )?grateful|"
    r"love you forever|owe you one|"
    r"be in your debt))|(?:that|it)(?:'d| would| 'd) (?:really )?(?:be|help)(?: so| really| just| a)*(?: great| lovely|"
    r" nice| wonderful| good| perfect|"
    r" fantastic| kind| kind of you| awesome| ideal| help| big help| great help| amazing| brilliant| me a lot| a lot|"
    r" super)?|"
    r"i (?:really|badly|urgently|desperately)(?: do)? need (?:it|them|that)(?: (?:now|badly|urgently))?|no rush|no hurry|"
    r"there's no rush|take your time|"
    r"be quick(?: about it)?|(?:and )?(?:please )?hurry(?: up)?|make it (?:quick|snappy|fast)|quick|chop[- ]chop|"
    r"on the double|pronto|asap|rn|real quick|"
    r"right now|right away|immediately|straight away|at once|there's a (?:good|love|dear)(?: \w+)?|that's a (?:good|love|"
    r"dear)(?: \w+)?|good (?:boy|robot|girl|"
    r"lad)|you(?:'re| are)(?: such)? (?:a star|a gem|a legend|an angel|a dear|a darling|a lifesaver|the best|great|"
    r"wonderful|so kind|so helpful|"
    r"amazing|awesome|brilliant|very kind|too kind)|ok(?:ay)?|all ?right|alright|right|got (?:it|that)|understood|deal|"
    r"yeah|yes|eh|huh|is that (?:ok|okay|clear|"
    r"all right)|that's (?:all|it)(?: for now| thanks)?|that is all(?: for now)?|nothing (?:else|more)|i beg (?:of )?you|"
    r"sorry (?:to|for) "
    r"(?:bother|bothering|disturb|trouble|troubling)(?: you)?|it's (?:urgent|important|an emergency)|lol|haha|hehe|xx?|"
    r":\)|"
    r"for (?:goodness|heaven's|pity's|god's) sake|do you mind|do you hear(?: me)?|you hear(?: me)?|"
    r"i would do it myself but [^,.;!?]+|i(?:'d| would) (?:do|get|fetch) it myself(?:,? but [^,.;!?]+)?|i can't (?:do it|"
    r"get it|reach it|manage(?: it)?)(?: myself)?)"
    r"(?=[\s.!?,:)]*$)",
    re.IGNORECASE,
)
_BARE_CLOSER = re.compile(
    r"\s*(?:(?:my |old |dear )*(?:mate|buddy|pal|dear|darling|love|sweetie|friend|boy|chap)|right|yes|yeah|eh|huh|okay|ok|"
    r"quick|x|deal|alright|all right|nothing more|nothing else|"
    r"do you (?:hear|mind).*|you hear.*|robot|mate)[\s.!?]*",
    re.IGNORECASE,
)
"""Closers that may belong to the order where no mark stands before them."""
_COMPLAINT = re.compile(
    r"(?:(?:because|since|as|so|and|but|ouch|ow) )?(?:i(?:'ve| have|'m| am|) (?:just |really |badly |"
    r"accidentally )*(?:hurt|burnt|burned|cut|broke|broken|twisted|"
    r"sprained|banged|pulled|put out|strained|hurting|injured)(?: my (?:own )?(?:\w+ )?(?:leg|arm|back|foot|ankle|hand|"
    r"wrist|knee|finger|thumb|shoulder|neck|"
    r"toe|hip|head|tongue|self)|myself)|my (?:\w+ )?(?:leg|arm|back|foot|feet|ankle|hand|hands|wrist|knee|knees|finger|"
    r"shoulder|neck|toe|hip|head|tummy|"
    r"stomach|legs|tooth|throat|eyes)(?:'s| is| are)? ?(?:really |so |still |absolutely )*(?:hurts?|hurting|aches?|aching|"
    r"kills? me|killing me|sore|bad|stiff|"
    r"broken|playing up|giving me (?:hell|trouble|grief)|wet|dirty|full|sticky|bandaged|numb|asleep|tired|cold)(?: today|"
    r" again| so much| a lot| badly)?|"
    r"i(?:'m| am) in (?:pain|a (?:rush|hurry|meeting|call|bit of a (?:rush|hurry))|the (?:bath|shower|tub|"
    r"middle of [a-z ]+))|"
    r"(?:the |my )(?:doctor|nurse|physio|dentist|boss|wife|husband|mum|mom|mother)(?:'s| has)? (?:said|told me|says|"
    r"wants me|ordered me|advised me)(?: that)?"
    r" (?:i (?:should|must|have to|need to)|to|not to) (?:rest|relax|stay [a-z ]+|sit [a-z ]+|lie [a-z ]+|take it easy|"
    r"keep [a-z ]+|not [a-z ]+|avoid [a-z ]+|"
    r"drink [a-z ]+|eat [a-z ]+|walk [a-z ]*|get [a-z ]*rest|lift [a-z ]+|move [a-z ]*)|"
    r"i(?:'ve| have) (?:got )?(?:the|a|my|our) (?:baby|kid|kids|cat|dog|phone|children|toddler)(?: \w+)? (?:in|on|"
    r"with) (?:my (?:arms?|lap|hands?|shoulder|back|knee)|me|the line)|"
    r"the (?:baby|kids|children|twins|dog|cat)(?:'s| is| are|'re) (?:asleep|sleeping|crying|napping|hungry|in bed|"
    r"teething|poorly|ill|sick|awake)|"
    r"(?:the|my|our) [a-z]+(?: [a-z]+)? (?:will|'ll|are going to|is going to) (?:be|arrive|come|get) (?:here|home|back|"
    r"over|round|late)?(?: ?(?:any|soon|shortly|"
    r"late|later|early|minute|moment|second|now|in [a-z ]+|at [a-z ]+|tonight|today|tomorrow))*|"
    r"i know it(?:'s| is) [a-z ]{2,30}?)",
    re.IGNORECASE,
)
"""What somebody says of himself or the family, though it holds words that would else be looked at twice."""
_POINTS = re.compile(
    r"\b(?:he|she|they|him|her|them|it|one|ones|any|some|that|this|those|these|there|same|both|"
    r"none)\b",
    re.IGNORECASE,
)
"""What may stand for something in the order, or belong to it."""
_MARK = re.compile(r"\s*[,.;!?\u2026]+\s+|\s+[-\u2013\u2014]+\s+|,?\s+(?:so|but)\s+", re.IGNORECASE)
_SO = r"(?:(?:so|and|but|then|now|please)[ ,]+)*"
_ORDERS = re.compile(
    r"(?<= )(?:(?:so|and|but|please|anyway) )*(?=(?:bring|get|fetch|give|take|put|go|tell|ask|find|look|follow|guide|wait|"
    r"count|say|move|hand|come|see|"
    r"introduce|grab|check|show|let|place|carry|pass|deliver|greet|escort|describe|pick|serve|return|head|lead|set|"
    r"can you|could you|would you|will you|what|who|where|how many|is there|are there|please|i want|i need|i'd like|"
    r"i would like)\b)",
    re.IGNORECASE,
)
_NO_END = re.compile(
    r"\b(?:always|never|just|still|really|can|could|should|would|will|must|may|might|have|has|had|did|does|do|don't|"
    r"doesn't|didn't|to|and|or|that|if|who|when|"
    r"while|not|is|are|was|were|be|been|the|a|an|my|our|your|his|him|her|them|me|us|you|it|he|she|they|i|we|let|made|make|"
    r"saw|heard|watched|helped|help|"
    r"help|usually|often|sometimes|also|only|even|all|both|of|in|on|at|for|with|about|like|than|as|what|where|how|by|from|"
    r"going|trying|about|used|need|want|curious|wondering|sure|"
    r"please|then|there|here)$|^(?:if|when|unless|until|before|after|while|once|whenever|as soon|as long|whether|although|"
    r"though)\b",
    re.IGNORECASE,
)
_I_AM = frozenset(("i'm", "im", "we're"))
_CUT = re.compile(
    r"\b(?:the|a|an|my|our|your|his|their|to|and|or|if|that|in|on|at|with|from|for|is|are|of|when|while|where|what|who|"
    r"because|whether|how|than|like|as)$",
    re.IGNORECASE,
)
"""Words that an order does not end with."""
_TRAILING = re.compile(
    r"(?<=\w) (?=(?:because |since |as |cause |cos |coz )?(?:i'm|im|i am|i've|ive|i have|we're|we are|we've|my (?:hands?|"
    r"back|leg|legs|arm|knee|head|feet|foot|mum|mom|"
    r"dad|wife|husband|boss|shoes|friends?)|i can't|i cant|i cannot|i forgot|i don't|i dont|i just|the (?:guests|kids|"
    r"baby|phone|football|neighbours|neighbors)"
    r"(?:'s|'re| is| are)|it's|its)\b)",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\b(?:tell|ask|say|let (?:\w+ ){1,8}know|inform|remind|warn|announce|notify|mention|pass on|message|shout|repeat|"
    r"whisper)\b",
    re.IGNORECASE,
)
"""What follows may be part of what somebody is told."""
_DENIED = re.compile(
    r"(?:so |and |oh,? )?(?:you|i|we|could|can|would|will) ?(?:\w+n't|n't|cannot|(?:can|do|does|did|will|could|"
    r"would) not)\b",
    re.IGNORECASE,
)
"""The last words of "you couldn't get me the dice, could you?" belong to it."""
_ORDER_WORDS = re.compile(
    r"\b(?:bring|get|fetch|give|take|put|go|tell|ask|find|look|follow|guide|wait|count|say|move|hand|come|see|introduce|"
    r"grab|check|show|let|"
    r"place|carry|pass|deliver|greet|escort|describe|pick|serve|return|head|lead|set|want|need|like|have|is|are|do|does|"
    r"did|what|who|where|how|"
    r"which|when|drive|stop|stay|search|leave|drop|meet|accompany|walk|call|remind|inform|turn|open|close|clean|make|cook|"
    r"play|help|run|"
    r"charge|dock|store|stow|tidy|clear|return|visit|pop|nip|chuck|throw|collect|send|lay|stick|shift|swap|announce|wish|"
    r"thank|repeat|"
    r"can|could|would|will|should|seen)\b",
    re.IGNORECASE,
)
"""Without any of these a sentence leaves its order unsaid, and how it is asked for may be all that tells what is meant."""
_LISTENS = re.compile(
    rf"{_SO}(?:(?:can you|could you|would you|will you|go|just) (?:and )?)*(?:let .{{2,60}} know(?: about (?:it|that)|"
    rf" that| so)?|"
    r"(?:tell|inform|notify|warn|ask) (?:\w+|the \w+|\w+ in the \w+(?: \w+)?)(?: that| so| about it)?)"
    r"(?:[ ,]+(?:please|ta|thanks|thank you|would you|will you|for me|love|mate|cheers))*[\s.!?]*",
    re.IGNORECASE,
)
_MOST_SPLITS = 6


def unpadded(text: str, vocabulary: Vocabulary, background: EnglishBackground) -> str:
    """Return the sentence without what stands around its orders and orders nothing.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names.
        background: knows what only tells.
    """
    if len(text) > _LONGEST or '"' in text:
        return text
    said = _without_hesitations(text, vocabulary)
    before = None
    while before != said:
        before = said
        said = _closed(_opened(said, background), background)
    said = _run_on(said, background, vocabulary)
    return said if _ORDER_WORDS.search(said) else text


def _opened(text: str, background: EnglishBackground) -> str:
    """Leave out courtesies and what only tells at the beginning."""
    found = _OPENER.match(text)
    if found is not None and len(text) > found.end():
        return text[found.end() :]
    for mark in itertools.islice(_MARK.finditer(text), _MOST_SPLITS):
        if _LISTENS.fullmatch(text[mark.end() :].strip()):
            # "The taxi is here, let Jane know": what is told is what she is to know.
            break
        if text[mark.end() :].strip() and _tells(text[: mark.start()], background):
            return re.sub(rf"^{_SO}", "", text[mark.end() :], flags=re.IGNORECASE) or text
    return text


def _closed(text: str, background: EnglishBackground) -> str:
    """Leave out courtesies and what only tells at the end."""
    if _DENIED.match(text):
        return text
    found = _CLOSER.search(text)
    if found is not None and found.start() > 0:
        marked = re.match(r"\s*[,.;:!?\u2026\u2014-]", found[0]) is not None
        speaks = _SPEAKS.search(text) is not None
        if (marked or not (_BARE_CLOSER.fullmatch(found[0]) or speaks)) and len(
            text[: found.start()].split()
        ) > 1:
            return text[: found.start()] + (
                "?" if text.rstrip().endswith("?") and "?" not in text[: found.start()] else ""
            )
    if _SPEAKS.search(text):
        return text
    marks = list(_MARK.finditer(text))
    if marks and _tells(text[marks[-1].end() :], background):
        return text[: marks[-1].start()]
    return text


def _tells(stretch: str, background: EnglishBackground) -> bool:
    """Tell whether a stretch only tells something that no order can mean."""
    said = stretch.strip(" ,.;!?:\u2026")
    if len(said.split()) < 2:
        return not said
    if _COMPLAINT.fullmatch(said):
        return True
    if _POINTS.search(said):
        return False
    return beside(
        Stretch(
            re.sub(
                r"^(?:because|since|as|cause|cos|coz|and|but|"
                r"so) ",
                "",
                said,
                flags=re.IGNORECASE,
            )
        ),
        background,
    ) and not (background.mentions(said))


def _familiar(told: str, vocabulary: Vocabulary) -> bool:
    """Tell words that are all known: without marks an unknown one may belong to the order."""
    known = _ordinary(vocabulary)
    return all(
        word in known or any(stem in known for stem in stems(word))
        for word in re.findall(
            r"[a-z0-9]+(?:'[a-z]+)?", told.lower().replace("'m", " am").replace("'re", " are")
        )
    )


@functools.lru_cache(maxsize=4)
def _ordinary(vocabulary: Vocabulary) -> frozenset[str]:
    listed = str(vocabulary.lexicon.data.get("ordinary_words") or "").split()
    named = (word for phrase in vocabulary.english for word in phrase)
    return frozenset((*listed, *named, *_EVERYDAY.split(), *Wordings.load().weightless))


_EVERYDAY = (
    "hands full terrible awful busy tired exhausted running late lazy hungry thirsty painting working reading writing "
    "wet dirty greasy sticky floury soapy broken hurt hurts knee knees leg legs back foot feet arm arms asleep sleeping "
    "ill sick cold unwell guests visitors mother father mum mom dad kids baby dinner lunch breakfast supper night morning "
    "afternoon evening today cooking baking washing bath shower phone call meeting lesson homework exam movie film game "
    "couch comfy comfortable cosy stuck upstairs downstairs garden outside moment hour week headache day long rough bad"
)


def _run_on(text: str, background: EnglishBackground, vocabulary: Vocabulary) -> str:
    """Take apart "i'm running late give the pear to paris my hands are full"."""
    if re.search(r"[,.;:!?\u2026] ?\w", text):
        return text
    for found in itertools.islice(_ORDERS.finditer(text), _MOST_SPLITS):
        told = text[: found.start()].strip() or "so"
        words = told.split()
        if len(words) < (2 if words[0].lower() in _I_AM else 3) or (
            _NO_END.search(told) and words[-1].lower() != "us"
        ):
            continue
        if _LISTENS.fullmatch(text[found.end() :].strip()):
            return text
        if _tells(told, background) and _familiar(told, vocabulary):
            text = text[found.end() :]
            break
    if _SPEAKS.search(text):
        return text
    for found in itertools.islice(_TRAILING.finditer(text), _MOST_SPLITS):
        order, told = text[: found.start()], text[found.end() :]
        if _CUT.search(order) or min(len(order.split()), len(told.split()) - 1) < 2:
            continue
        if _tells(told, background) and _familiar(told, vocabulary):
            return order
    return text


_HESITATION = re.compile(
    r"(?P<before>(?:^|\w+)\s*)(?:[,\u2026-]|\.{2,})?\s*\b(?:u+m+|u+h+m*|e+r+m*|h+m+|ehm|like|you know|please|"
    r"i mean to say|sort of|kind of)\b\s*(?:[,\u2026-]|\.{2,})?\s+"
    r"(?P<after>\w+)",
    re.IGNORECASE,
)
_ALWAYS = frozenset(
    (
        "ask", "tell", "guide", "follow", "bring", "get", "fetch", "give", "take", "put", "go", "find", "look", "wait",
        "count", "say", "move", "hand", "come", "see", "introduce", "grab", "check", "show", "let", "place", "carry",
        "pass", "deliver", "greet", "escort", "describe", "pick", "the", "a", "an", "my", "your", "our", "his", "her",
        "their", "some", "any", "to", "in", "on", "at", "from", "into", "onto", "of", "with", "for", "by", "near", "if",
        "whether", "that", "what", "who", "how", "many", "is", "are", "and", "then", "me", "him", "them", "us", "it",
        "could", "can", "would", "will", "you", "there", "two", "three", "four", "five", "red", "blue", "green", "yellow",
        "white", "orange",
    )
)  # fmt: skip
"""Words after which a hesitation puts nothing right."""


def _without_hesitations(text: str, vocabulary: Vocabulary) -> str:
    """Leave out "um", "please" and "you know" in the middle where they put nothing right."""
    at = 0
    while (found := _HESITATION.search(text, at)) is not None:
        before, after = found["before"].strip().lower(), found["after"].lower()
        word = re.sub(r"[\W\d]+", " ", found[0][len(found["before"]) : -len(found["after"])]).strip().lower()
        joined = (before, after) in vocabulary.english
        if _idle(word, before, after, joined, found[0]):
            text = f"{text[: found.start()]}{found['before'].rstrip()} {found['after']}{text[found.end() :]}".lstrip()
            at = found.start()
        else:
            at = found.start("after")
    return text


def _idle(word: str, before: str, after: str, joined: bool, said: str) -> bool:
    """Tell whether a filler between two words fills only."""
    marked = re.search(r"[,\u2026-]|\.{2,}", said) is not None
    if word in ("like", "sort of", "kind of"):
        return before in (
            "the",
            "a",
            "an",
            "my",
            "some",
            "to",
            "in",
            "on",
            "at",
            "me",
            "from",
            "into",
            "onto",
            "of",
            "with",
            "for",
            "by",
        ) or (marked and said.count(",") > 1)
    if word == "you know":
        return marked
    if word == "please" and marked and not re.search(r",\s*please\s*,", said):
        return False
    if word == "please":
        return (
            bool(before)
            and (joined or before in _ALWAYS)
            and before not in ("to", "say", "and", "that", "you", "then")
        )
    return not before or joined or before in _ALWAYS
