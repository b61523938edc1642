"""The parts of English inquiries, as patterns over a sentence whose names are letters.

``T1`` stands for a thing, ``P1`` for a place, ``N1`` for somebody. Text is in lower case with opened contractions.
"""

from __future__ import annotations

import re

_SOON = (
    r"(?:please|as soon as (?:possible|you can)|quickly|just|for me|for us|now|right now|real quick|asap|thanks|thank you|"
    r"ta|cheers|would you|will you|"
    r"could you|can you|mate|love|dear|buddy|robot|zulong|then|if you (?:do not mind|can|could|would|please)|quick|"
    r"when(?:ever)? you (?:can|get a (?:chance|moment|minute|sec|second)|have (?:a )?(?:time|moment|minute|chance|sec)))"
)
NOISE_BEFORE = re.compile(
    r"^(?:(?:hey|hi|hello|yo|oi|oh|um+|uh+|er+m?|hmm+|so|and|well|right|ok|okay|alright|now|then|also|please|robot|zulong|"
    r"mate|buddy|dear|love|listen|look here|sorry|excuse me|pardon me|excuse|actually|by the way|btw|say(?= ?,)|anyway|"
    r"hang on|"
    r"wait|"
    r"one more (?:thing|question)(?: for you)?|"
    r"(?:just )?(?:a |one )?(?:(?:quick|little|small|other) )?(?:question|one|thing)(?: for you)?(?= ?[:,.;-])|"
    r"(?:just )?(?:a |one )?(?:quick|little|small|other) (?:question|one)(?: for you)?|"
    r"(?:sorry )?to (?:bother|disturb|trouble) you(?: again)?|just wondering|"
    r"(?:and |but )?first(?: of all)?|quickly|(?:be a (?:dear|love|sport|star|darling|pal|good robot|good boy|doll|"
    r"legend)|do me a favou?r) and|out of (?:curiosity|interest)|tell me(?= ?[,:]))[ ,.;:!-]+)+"
)
NOISE_AFTER = re.compile(
    rf"(?:[ ,.;:!?-]+{_SOON})+(?=[ .,!?]*$)|,? (?:would|do|will|can|could) you\??$|"
    r"[?.!,;]+ (?:and )?i (?:just |really )?(?:need|want|have) to know(?: (?:for|by|before|soon|quickly|so|because|now|"
    r"right away|"
    r"in time|today)\b[^?.!]*)?[?.! ]*$"
)

_THERE = r"(?: (?:there|over there|in there|on there|on it|in it|here))"
_IN = r"(?:in|on|at|inside|within|over in|over on|down in|up in|out in|through in|over at)"
_AT = rf"{_IN} (?P<at>[PR]\d+)"
_ADV = (
    r"(?:still|even|actually|really|already|currently|now|right now|at the moment|at present|just now|yet|today|left|"
    r"again|presently|around|about|by any chance|these days|over|any more|anymore|in fact|maybe|perhaps|by now|"
    r"as we speak|as you speak|this minute|at this moment)"
)
_A = rf"(?: {_ADV})*"
_SOMEBODY = r"(?:somebody|someone|anybody|anyone|people|some people|any people|a person|any person)"
_IT = r"(?:it|he|she|they|that|them)"
_OR = (
    rf"(?:,? or (?:not|no|what|otherwise|elsewhere|anywhere else|somewhere else|is {_IT} (?:not|gone|all gone|finished|"
    rf"empty|"
    rf"missing|elsewhere|somewhere else|out|away)|are they (?:gone|all gone|finished|elsewhere|somewhere else)|"
    rf"(?:has|have) (?:{_IT}|{_SOMEBODY}) (?:all )?(?:gone|left|run out|moved|disappeared|vanished|taken {_IT}|had {_IT}|"
    rf"eaten {_IT}|used {_IT}|moved {_IT}|drunk {_IT}|finished {_IT}|nicked {_IT}|walked off(?: with {_IT})?)(?: all| up|"
    rf" out| off)?|"
    rf"(?:has|have) (?:{_IT} )?been (?:moved|taken|eaten|drunk|used|finished)|gone|all gone|taken|finished|"
    rf"(?:did|does) (?:{_SOMEBODY}|{_IT}) (?:fall|roll|drop|end up|take|move|eat|drink|finish|use|nick|grab|remove|go|"
    rf"leave|put) ?"
    rf"(?:{_IT}|down|off|away|somewhere|somewhere else|off with {_IT})?(?: all| up)?))"
)
_TAIL = rf"{_A}{_OR}?{_A}\??"
_THAT = r"(?:if|whether|that)"
_ANY = r"(?:any|some|any more|some more|any of|still any|still some|enough)"
_PEOPLE = r"(?:people|persons|folks?|guests|visitors|of them|men and women|individuals)"
_GESTURE = (
    r"(?P<ges>waving|sitting(?: down)?|standing(?: up)?|lying(?: down)?|pointing(?: to the)? (?:left|right)|"
    r"raising (?:their|his|her|the|an|a) (?:left |right )?(?:arm|hand)s?)"
)
_WE = r"(?:we|you|i|they|there)"
_GOT = (
    rf"(?:are(?: there)?|is(?: there)?|have {_WE}(?: still)? got|do {_WE}(?: still)? have|have {_WE}|do you see|"
    rf"can you see|"
    rf"you see|you can see|{_WE} have(?: got)?|there are|there is|you find|you found|you count|remain|are to be found|"
    r"can be found|can you find|do you count|you think are)"
)

_GO = (
    r"(?:(?:please|can you|could you|would you|will you|you|i want you to|i need you to|i would like you to|go|come|head|"
    r"pop|"
    r"nip|run|drive|move|roll|walk|quickly|just|kindly|over|across|along|down|up|through|round|around|back|out|in|off|and|"
    r"to|then|ahead|for me|do|be a dear and|try|so|now)[ ,]+)*"
)
_LOOK = (
    r"(?:look|check|see|inspect|visit|(?:have|take|get|grab|sneak) (?:a|another) (?:good |quick |little |proper |close )?"
    r"(?:look|peek|peep|glance|gander)|peek|peep|glance|go|pop|nip|run|head|drive|come|search|check out|look round|"
    r"look around)"
)
LOOKED = re.compile(
    rf"{_GO}{_LOOK}(?! in on\b)(?: (?:over|in|into|at|on|inside|to|by|through|round|around|across|for|"
    rf"out))* (?P<at>[PRN]\d+)"
    rf"(?:{_THERE})?(?:[ ,.;]+(?:and|then|to|please|come back|return))*[ ,.;]+"
    r"(?!(?:tell|report|say|give) ?(?:me |us )?(?:where|his|her|their)\b)(?=(?:tell|let|report|see|check|find|what|who|"
    r"how|if|whether|which|count(?=.*\b(?:tell|let|report|inform)\b)|inform|say|update|give|verify)\b)"
)
"""Where to look, before what is to be found out."""
_TOLD = (
    r"(?:(?:tell|inform|notify|update|report(?: back)?(?: it| that)? to|let|get back to|feed back to|pass (?:it|"
    r"that) on to|"
    r"relay (?:it|that) to) (?P<who>me|us|him|her|them|N\d+)(?: know)?|report(?: back)?|get back)"
)
REPORTED = re.compile(
    rf"(?:[ ,]*(?:and|then))*{_GO}{_TOLD}(?: (?:about|of|on))?[ ,:]+(?=(?:what|who|how|if|whether|which|where|the number|"
    rf"is|are)\b)"
)
"""Who is told, before the question."""
WONDERING = re.compile(
    rf"(?:[ ,]*(?:and|then))*{_GO}(?:(?:find out|see|check|look|verify|work out|figure out|discover|have a look|"
    rf"take a look|"
    r"say|confirm)(?: for (?:me|us))?(?: and see)?|do you (?:happen to )?(?:know|remember)|(?:have you )?(?:any|an) idea|"
    r"i (?:just |really |only )?(?:want|need|have) to know|i would (?:just |really )?(?:like|love|need) to know|"
    r"i (?:just )?wonder(?:ed)?|i am (?:just )?(?:wondering|curious)|i am not (?:quite |really )?sure|"
    r"i was (?:just )?wondering|i do not know|"
    r"i forgot|(?:can|could) you (?:see|tell|say)|(?:would|do) you (?:happen to )?know|you (?:would|will|"
    r"do) not (?:happen to )?know|tell me,?|who knows|remind me|it is not clear)[ ,:]+"
    r"(?=(?:what|who|how|if|whether|which|where|that [TN]\d|the number|is|are|on [PR]\d|in [PR]\d|at [PR]\d))"
)
"""That somebody would like to know, before the question."""
WONDERED = re.compile(
    r"(?P<who>N\d+) (?:(?:really|just|also|would|is|has|was) )*(?:wants? to (?:know|find out|hear)|"
    r"(?:like|love|need|needs) to (?:know|find out|hear)|asking(?: me)?|wondering|asked(?: me)?|asks|wonders|curious|"
    r"been asking)[ ,:]+(?=(?:what|who|how|if|whether|which|where|the number)\b)"
)
"""Who wants to know, before the question."""
GUESSED = re.compile(
    rf"(?:i (?:think|believe|guess|reckon|suppose|am (?:pretty|fairly|quite) sure|thought|heard|am not sure (?:if|"
    rf"whether)|"
    rf"do not know (?:if|whether))(?: that)?|apparently|supposedly|"
    rf"they say|i have a feeling(?: that)?) (?P<what>[TN]\d+) (?P<be>is|are){_A} {_AT}[ ,.;]+(?:but )?"
    rf"(?:(?:please |can you |could you |will you |would you |go and |go |just |quickly )*(?:check|verify|confirm|"
    rf"have a look|"
    rf"take a look|go (?:and )?(?:see|look|check))(?: (?:that|it|for me|please))*|is (?:that|it|this) (?:right|so|true|"
    rf"correct)|"
    r"am i right|right|correct|is (?:he|she|it))\??$"
)
_COUNTED = (
    r"(?:the answer|the result|the number|the total|how many(?: (?:there are|there is|there were|you (?:see|saw|find|"
    r"found|"
    r"count|counted|got)|it is|that is|they are))?|what (?:you (?:see|saw|find|found|can see|have found|have seen)|it is|"
    r"is there|"
    r"they are|there is)|who it is|who is there|(?:if|whether) (?:it|he|she) is(?: there)?|about it|it|that|so|back)"
)
ANSWERED = re.compile(
    rf"(?:[ ,.;?!]*(?:and|then|so|but))*[ ,.;?!]+{_GO}(?:{_TOLD}(?: {_COUNTED})?|"
    r"(?:have|take) a (?:quick |good )?(?:look|peek)(?: (?:for me|please))?|(?:check|look|see|count (?:them|it|those)|"
    r"find (?:it )?out)(?: (?:for me|please|it))*)\??$"
)
"""At the end: that it is to be looked, and who is told."""

PRESENT = re.compile(
    r"\?|\b(?:headcount|head count|count|list|describe|name|what|who|where|whereabouts|which|how|if|whether|is|are|any|"
    r"still|anyone|anybody|"
    r"have|has|seen|do|does|did|number)\b"
)
"""A sentence without any of these inquires nothing."""

_AT_OR_THERE = rf"(?: {_AT}|{_THERE})?"
_WHAT = r"(?P<what>[TN]\d+)"
_WHO = r"(?P<who>N\d+)"
_LIES = (
    r"(?:lying|sitting|standing|left|kept|stored|hiding|hanging|hanging out|hanging around|sat|stood|stashed|resting|"
    r"waiting|"
    r"to be found|put|placed)"
)
_STAYS = r"(?:hiding|hanging out|hanging around|waiting|to be found|left|staying)"
_WENT = (
    r"(?:go|gone|get to|got to|get off to|gone off to|going|got off to|end up|disappear(?:ed)? to|run off to|hiding|hide|"
    r"kept|"
    r"located|to be found|at|be|been|vanish(?:ed)? to|wander(?:ed)? off to|put|stored)"
)
_THING = r"(?:things?|items?|objects?|stuff|bits and pieces)"
_WEAR = r"(?:wearing|dressed in|got on|have on|has on|wear|wears|in|having on)"
_CLOTHES = r"(?: (?:clothes|(?:sort|kind|type) of (?:clothes|clothing|outfit)|outfit|clothing|colou?rs?(?: clothes)?))?"
_DOES = r"(?:is|are|has|have|does|do)"
_DOING = r"(?:up to|doing|at|busy with|busy doing|playing at)"
_SEEN = r"(?:seen|see|spotted|noticed|come across|found|find|run into|bumped into|saw|met)"
_HERE = (
    r"(?: (?:anywhere|somewhere|around|about|lately|recently|at all|today|lying around|lying about|here|around here|"
    r"again))*"
)
_LOST = (
    r"(?:i (?:cannot|can not|could not|do not) (?:find|see|remember where i (?:left|put))|i have (?:lost|misplaced|"
    r"mislaid)|"
    r"i (?:lost|misplaced|mislaid)|i am (?:still )?(?:looking for|missing|searching for|trying to find|hunting for)|"
    r"i have been (?:looking|searching) for|we are missing|i need to find)"
)
_WHERE_IT_IS = (
    r"(?:where (?:is|are|was|has|did) (?:it|he|she|they)(?: go| gone| got to)?|(?:have )?(?:you )?seen (?:it|him|her|"
    r"them)|"
    r"(?:do you know|any idea|do you remember|you know|tell me|can you tell me) where (?:it|he|she|they) (?:is|are|was|"
    r"might be|"
    r"could be|went|got to|has gone))"
)
_FREE = r"(?:empty|free|vacant|occupied|busy|in use|taken|unoccupied|deserted|available|crowded)"
CORES: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern), plain, embedded)
    for pattern, plain, embedded in (
        *(
            (pattern, "what time is it", "what time it is")
            for pattern in (
                rf"(?:what|which) (?:time|hour) (?:is it|it is|do you (?:have|make it)|have you got){_A}\??",
                rf"what is the time{_A}\??",
                rf"(?:do|have) you (?:have|got) the (?:right |exact )?time(?: on you)?{_A}\??",
                rf"(?:how late is it|(?:have you )?got the time(?: on you)?){_A}\??",
            )
        ),
        (r"what is your (?:good |full |first )?name\??", "what is your name", "what your name is"),
        *(
            (pattern, "what day is it", "what day it is")
            for pattern in (
                rf"(?:what|which) day(?: of the week| of the month)? (?:is it|it is|is today|today is|are we){_A}\??",
                rf"(?:today 's |the )?(?:date|day)(?: today)? is what{_A}\??",
                r"what is (?:today 's date|today|the date(?: today)?|the day(?: today)?)\??",
            )
        ),
        *(
            (pattern, "what is {top} in {at}", "what {top} in {at} is")
            for pattern in (
                rf"(?:what|which)(?: {_THING}| one)? (?:is|are) (?P<top>S\d+){_A}{_AT_OR_THERE}{_A}\??",
                rf"(?:what|which)(?: {_THING}| one)? (?P<top>S\d+){_A}{_AT_OR_THERE}{_A} (?:is|are)\??",
                rf"(?:what|which)(?: {_THING}| one)? (?:is|are) (?P<top>S\d+)(?: of the {_THING}| of {_THING}|"
                rf" of all)? {_AT}\??",
            )
        ),
        *(
            # whether a thing, or somebody, is somewhere
            (pattern, "is {what} in {at}", "whether {what} is in {at}")
            for pattern in (
                rf"(?:is|are)(?: there)?{_A}(?: {_ANY})? {_WHAT}{_A}{_AT_OR_THERE}{_TAIL}",
                rf"{_THAT} {_WHAT}{_A} (?:is|are){_A}{_AT_OR_THERE}{_TAIL}",
                rf"{_THAT}(?: there)? (?:is|are)(?: there)?{_A}(?: {_ANY})? {_WHAT}{_A}{_AT_OR_THERE}{_TAIL}",
                rf"(?:do|have) {_WE}{_A}(?: have| got| have got)*{_A}(?: {_ANY})? {_WHAT}{_A} {_AT}{_TAIL}",
                rf"{_THAT} {_WE}{_A} (?:have|has|have got|has got){_A}(?: {_ANY})? {_WHAT}{_A}{_AT_OR_THERE}{_TAIL}",
                rf"(?:has|have|did) {_SOMEBODY} (?:put|left|leave|place|placed|stored|store) {_WHAT} {_AT}{_TAIL}",
                rf"(?:did|has|have) {_SOMEBODY} (?:take|taken|move|moved|use|used|finish|finished|nick|nicked|eat|eaten|"
                rf"drink|drunk) "
                rf"{_WHAT}(?: away)?,? or is it{_A}(?: there)?{_A} {_AT}\??",
                rf"any(?: more)? {_WHAT}{_A} {_AT}{_A}\??",
                rf"(?:does|do) (?P<at>[PR]\d+){_A} (?:have|hold|contain|got)(?: {_ANY})? {_WHAT}(?: (?:in|on) it)?{_TAIL}",
                rf"(?:is|are) (?P<at>[PR]\d+) (?:having|holding|containing)(?: {_ANY})? {_WHAT}{_TAIL}",
                rf"{_THAT} (?P<at>[PR]\d+){_A} (?:has|have|is having|holds|contains|has got)(?: {_ANY})? {_WHAT}(?: (?:in|"
                rf"on) it)?{_TAIL}",
                rf"{_WHAT},? is it{_A} {_AT}{_TAIL}",
                rf"{_WHAT}{_A} {_AT}(?:\?|,)? ?(?:still there|is it(?: still)? there|yes or no|or not|is (?:he|she|it)|"
                rf"right|correct)\??",
                rf"{_WHAT}{_A} {_AT}{_A}\?",
                rf"would {_WHAT} (?:happen to )?be{_A} {_AT}{_TAIL}",
            )
        ),
        *(
            (pattern, "what is in {at}", "what is in {at}")
            for pattern in (
                rf"(?:what|which)(?: all| exactly| else| {_THING}| (?:kinds?|"
                rf"sorts?) of {_THING})?(?: {_GOT})?{_A}(?: {_LIES})?{_A} {_AT}{_A}\??",
                rf"what (?:all )?{_GOT}{_A}(?: {_LIES})?{_A}{_THERE}?{_A}\??",
                rf"(?:list|name|read out|enumerate) (?:everything|all(?: the)?(?: {_THING})?|the {_THING}|"
                rf"what is)(?: (?:that|which) (?:is|are))?"
                rf"(?: {_LIES})? {_AT}{_A}",
                rf"what (?:are|is) the {_THING}{_A}(?: {_LIES})? {_AT}\??",
                rf"what (?:you (?:can )?(?:see|find|found|saw)|is|are|there is){_AT_OR_THERE}\??",
            )
        ),
        *(
            (pattern, "which {what} are in {at}", "which {what} are in {at}")
            for pattern in (
                rf"what {_GOT}{_A} (?:in the way of|by way of|for) (?P<what>T\d+){_AT_OR_THERE}{_A}\??",
                rf"(?:what|which)(?: (?:kinds?|sorts?|"
                rf"types?) of)? (?P<what>T\d+)(?: {_GOT})?{_A}(?: {_LIES})?{_AT_OR_THERE}{_A}\??",
            )
        ),
        *(
            (pattern, "how many {what} are in {at}", "how many {what} are in {at}")
            for pattern in (
                rf"how many(?: of)? (?P<what>T\d+)(?: {_GOT})?{_A}(?: {_LIES})?{_AT_OR_THERE}{_A}\??",
                rf"count(?: me| us| up)?(?: all)?(?: of)? (?P<what>T\d+)(?: (?:that|which)(?: are| stand| lie| sit|"
                rf" you (?:see|find))+)?{_AT_OR_THERE}",
                rf"(?:the )?number of (?P<what>T\d+)(?: there are| that are)?{_AT_OR_THERE}\??",
                rf"how many (?P<what>T\d+) {_AT}(?: are| have)? {_GOT}\??",
            )
        ),
        *(
            (pattern, "how many people are {ges} in {at}", "how many people are {ges} in {at}")
            for pattern in (
                rf"how many(?: {_PEOPLE})?(?: {_GOT})?{_A} {_GESTURE}{_A}{_AT_OR_THERE}{_A}\??",
                rf"how many {_PEOPLE} {_AT} are{_A} {_GESTURE}{_A}\??",
                rf"count(?: up)?(?: all)?(?: of)?(?: the)? {_PEOPLE}(?: (?:who|that) are)? {_GESTURE}{_AT_OR_THERE}",
                rf"(?:is|are)?(?: there)? ?{_SOMEBODY}{_A} {_GESTURE}{_A} {_AT}{_TAIL}",
                rf"(?:is|are)(?: there)? {_SOMEBODY} {_AT}{_A} {_GESTURE}{_TAIL}",
                rf"{_THAT}(?: there is)? {_SOMEBODY}(?: is| are)?{_A} {_GESTURE}{_A}{_AT_OR_THERE}{_TAIL}",
            )
        ),
        *(
            (pattern, "how many people are in {at}", "how many people are in {at}")
            for pattern in (
                rf"how many(?: {_PEOPLE})?(?: {_GOT})?{_A}(?: {_LIES})?{_AT_OR_THERE}{_A}\??",
                rf"(?:the )?number of {_PEOPLE}{_AT_OR_THERE}\??",
                rf"how (?:busy|full|"
                rf"crowded) is (?P<at>R\d+){_A}\?? ?(?:how many {_PEOPLE} (?:are )?(?:in )?there)?{_A}\??",
                rf"count(?: up)?(?: all)?(?: of)?(?: the)? {_PEOPLE}{_AT_OR_THERE}",
                rf"(?P<at>R\d+) (?:headcount|head count|people count){_A}",
                rf"(?:a |the )?(?:headcount|head count)(?: of people)? {_AT}{_A}",
                rf"who all (?:is|are)(?: it| that| there)*{_A}{_AT_OR_THERE}{_A}\??",
            )
        ),
        *(
            (pattern, "is anyone in {at}", "whether anyone is in {at}")
            for pattern in (
                rf"(?:is|are)(?: there)?{_A} {_SOMEBODY}{_A}(?: else| home)?{_A}{_AT_OR_THERE}{_TAIL}",
                rf"{_THAT}(?: there is)?{_A} {_SOMEBODY}(?: is| are)?{_A}(?: else)?{_AT_OR_THERE}{_TAIL}",
                rf"{_SOMEBODY}(?: at)?(?: home| else)?{_A} {_AT}{_A}\??",
                rf"(?:is|are) (?P<at>R\d+){_A} {_FREE}{_TAIL}",
                rf"{_THAT} (?P<at>R\d+) is{_A} {_FREE}{_TAIL}",
            )
        ),
        *(
            (pattern, "who is {ges} in {at}", "who is {ges} in {at}")
            for pattern in (
                rf"who(?: all| else| exactly)?(?: is| are)(?: there)?{_A} {_GESTURE}{_A}{_AT_OR_THERE}{_A}\??",
            )
        ),
        *(
            (pattern, "who is in {at}", "who is in {at}")
            for pattern in (
                rf"who(?: all| else| exactly)?(?: is| are)(?: all| else| it| that|"
                rf" there)*{_A}(?: {_STAYS})?{_AT_OR_THERE}{_A}\??",
                rf"who(?: all| else)? (?:do|have|can) {_WE} (?:have|got|see)(?: got)?{_AT_OR_THERE}{_A}\??",
                rf"who (?:you (?:can )?(?:see|find)){_AT_OR_THERE}",
            )
        ),
        *(
            (pattern, "where is {what}", "where {what} is")
            for pattern in (
                rf"where(?:abouts)? (?:is|are|was|were|has|have|did|do|could|might|can|does|"
                rf"would){_A} {_WHAT}{_A}(?: {_WENT})?{_A}"
                r"(?:,? when you last saw (?:it|him|her|them)| last)?\??",
                rf"where(?:abouts)? {_WHAT}{_A} (?:is|are|was|were|might be|could be|went|has gone|got to|is hiding|"
                rf"is kept|lives){_A}\??",
                rf"where (?:did|have|do|does|had) (?:i|we|you|he|she|they|{_SOMEBODY}) (?:last )?(?:leave|left|put|see|"
                rf"seen|place|placed|"
                rf"lay|find|keep|store) {_WHAT}{_A}(?: last)?\??",
                rf"where(?:abouts)? {_WHAT} (?:was|were|is|got) (?:last )?(?:put|seen|left|kept|stored|"
                rf"placed){_A}(?: last)?\??",
                rf"where (?:i|we|you|he|she|they) (?:last )?(?:left|put|saw|keep|kept|placed) {_WHAT}{_A}(?: last)?\??",
                rf"where (?:can|would|could|might|do|should|will) (?:i|we|one|you) (?:find|be able to find|look for|"
                rf"get hold of|keep|see|"
                rf"get) {_WHAT}{_A}\??",
                rf"(?:(?:have|did|do) you (?:by any chance |happened to |happen to |ever |just )*{_SEEN}|"
                rf"(?:you )?seen) {_WHAT}{_A}{_HERE}\??",
                rf"you (?:have|did) not (?:by any chance |happen to )?{_SEEN} {_WHAT}{_HERE}(?:,? (?:have|did) you)?\??",
                rf"(?:which|what) room (?:is|was) {_WHAT}{_A} in{_A}\??",
                rf"(?:which|what) room {_WHAT} (?:is|was) in\??",
                rf"has {_WHAT} turned up{_HERE}\??",
                rf"{_WHAT}[,.]? (?:where (?:is|are) (?:it|he|she|they)|(?:have )?(?:you )?seen (?:it|him|her|"
                rf"them){_HERE})\??",
                rf"{_LOST} {_WHAT}{_HERE}(?: all (?:day|morning|week))?[,.;]? (?:so )?{_WHERE_IT_IS}{_HERE}\??",
                rf"what is the (?:location|whereabouts) of {_WHAT}\??",
            )
        ),
        *(
            (pattern, "what is {who} wearing", "what {who} is wearing")
            for pattern in (
                rf"what{_CLOTHES} {_DOES} {_WHO}{_A} {_WEAR}{_A}\??",
                rf"what{_CLOTHES} {_WHO} (?:is|has){_A} {_WEAR}{_A}",
                rf"what{_CLOTHES} {_WHO} (?:has on|wears){_A}",
                rf"how (?:is|are) {_WHO}{_A} dressed{_A}\??",
                rf"how {_WHO} is{_A} dressed{_A}",
            )
        ),
        *(
            (pattern, "describe {who} to me", "what {who} is wearing")
            for pattern in (
                rf"describe(?: to me)? {_WHO}(?: 's (?:clothes|outfit|looks|appearance|clothing|attire))?(?: (?:to|"
                rf"for) me)?",
                rf"what does {_WHO} look like{_A}\??",
                rf"what {_WHO} looks like{_A}",
            )
        ),
        *(
            (pattern, "what gesture is {who} making", "what gesture {who} is making")
            for pattern in (
                rf"(?:what|where|which way|what direction|in (?:which|what) direction) is {_WHO}{_A} pointing(?: at| to|"
                rf" in)?"
                rf"(?:,? (?:to the )?left or (?:to the )?right)?{_A}\??",
                rf"(?:what|which) (?:gesture|sign) is {_WHO}{_A} (?:making|doing|giving){_A}\??",
            )
        ),
        *(
            (pattern, "what is {who} doing", "what {who} is doing")
            for pattern in (
                rf"what {_DOES} {_WHO}{_A} {_DOING}{_A}\??",
                rf"what {_WHO} is{_A} {_DOING}{_A}",
            )
        ),
        *(
            (pattern, "how is {who}", "what {who} is doing")
            for pattern in (
                rf"how (?:is|are) {_WHO}{_A}(?: doing| getting on| getting along| feeling| keeping){_A}\??",
                rf"how {_WHO} is{_A}(?: doing| getting on| feeling){_A}",
            )
        ),
        *(
            (pattern, "is {who} {ges}", "whether {who} is {ges}")
            for pattern in (
                rf"(?:is|are) {_WHO}{_A} {_GESTURE}(?: or (?:not|sitting|standing|lying)(?: down| up)?)?{_A}\??",
                rf"{_THAT} {_WHO} is{_A} {_GESTURE}(?: or (?:not|sitting|standing|lying)(?: down| up)?)?{_A}",
            )
        ),
    )
)
"""Questions, each with its plain form and the one inside "tell Jane ..."."""
