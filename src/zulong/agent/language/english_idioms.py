"""Turns of phrase in English, each put the plain way before the sentence is split into words.

Patterns work on lower-case text with single blanks. What they do not match stays as it is.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_chatter import without_chatter
from zulong.agent.language.english_frames import unframed
from zulong.agent.language.english_halves import written_out
from zulong.agent.language.english_wordings import put_plainly

_PLACE_STATES = (
    r"in|at|on|by|near|inside|not|still|already|there|here|gone|sitting|standing|lying|waving|asleep|awake|hungry|"
    r"thirsty|busy|raising|pointing|wearing|ready|open|closed|empty|full|home|waiting|asking|looking"
)
_CAN = r"(?:can|could|may|might|would|should)"
_I = r"(?:i|we)"
_HAVE = r"(?:have|get|grab|take|trouble you for|bother you for|ask you for|ask for)(?! (?:to|you|into)\b)"
_COURTEOUS = (
    r"mind|busy|free|possible|ok|okay|alright|all right|fine|trouble|hassle|bother|time|moment|minute|second|sec|"
    r"chance|able|please|like|want|wish|could|would|will|can|convenient|around|up for it|kind"
)

_OH = (
    r"^((?:(?:hey|hi|hello|ok|okay|so|oh|robot|zulong|um|uh|well|please|sorry|excuse me|quick|quickly|now|right|and|"
    r"tell me|listen|yo)[,.!:]? )*)"
)

_IDIOMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        # -- short forms
        (r"\b(i|you|we|they|who|there)'ve\b", r"\1 have"),
        (r"\b(he|she|it|that|there|this|who|what)'ll\b", r"\1 will"),
        (r"\b(he|she|it)'d\b", r"\1 would"),
        (rf"\b(\w+) ?'s(?= (?:{_PLACE_STATES})\b)", r"\1 is"),
        (r"\b(whoever|whatever|here|when|why|nobody|somebody|everybody|anybody|everyone|someone|anyone) ?'s\b", r"\1 is"),
        (r"(?<!\w)'em\b", "them"),
        (r"\b(mr|mrs|ms|dr|prof)\.", r"\1"),
        (r"\b(?:ya|ye)\b", "you"),
        (r"\b(?:kinda|sorta)\b", ""),
        (r"\b(?:lol|haha|hehe|ha ha|lmao|xd|btw|by the way|fyi)\b", ""),
        (r"\bdo not let (\w+|the \w+) (?:out|leave|go|escape|pass|through|exit)\b", r"block the way"),
        (r"\bso (?:that )?(?:\w+|the \w+) can ?not (?:get|come|go|leave|pass|escape|walk|exit)\b", r"and block the way"),
        (r"\bgive (.{1,40}?) a (?:\w+ )?(push|shove|kick|slap|punch|smack|beating|scare|fright)\b", r"\2 \1"),
        (
            r"^(?:the |all the )?((?:[\w ]{1,20} )?(?:lamp|light|lights|tv|television|radio|music|fan|heating|heater)) "
            r"(on|off)(?=\s*[.!]?$)",
            r"turn \2 the \1",
        ),
        (r"\b(?:do|doing) (?:anything|everything|whatever you like|what you like) (?:but|except|besides)\b", "do not"),
        (r"^((?:please,? |robot,? |zulong,? |no,? |oh,? |ok,? )*)(?:wait|hold on|hang on|one (?:moment|sec|second|"
            r"minute)|"
         r"just a (?:moment|sec|second|minute))(?: please)?, (?!no\b)(?=[a-z])", r"\1"),
        (r",? (?:but only )?if (?:you (?:can |could |happen to )?(?:find|see|spot) (?:one|any|it|some|them)|there "
         r"(?:is|are) (?:one|any|some)(?: left)?|any|available|we (?:still )?(?:have|got) (?:one|any|some)(?: left)?|"
         r"you can get (?:one|it|some))(?=\s*[.!?]?$)", ""),
        (r"\b(bring|give|get|tell|fetch|show|take|hand|pass|grab|find|put|follow)(me|it|him|them|the|my|us)\b(?<!item)",
         r"\1 \2"),
        (r"(^|[,;.] (?:and |then |so |now )?)(?:now |and |then )?(?:straight |right )?(back )?(in|into|on|onto|to|"
            r"off to) "
         r"((?:the|my) [\w ]{2,30}?) with (it|them|him|her)\b", r"\1put \5 \3 \4"),
        (r"\bclear (?=(?:the|my|a|an|that|this|those|these) [\w ]{2,30}? (?:off|from|out of) )", "take "),
        (r"(^|[,;] |and,? |and )should (?!i\b|we\b|you\b)((?:(?:the |my |a |any )?\w+(?: \w+){0,2}?)) (?:be|happen "
         r"to be)\b", r"\1if \2 is"),
        (r"(^|[,;] |and,? |and )should (?!i\b|we\b|you\b)((?:the |my )?\w+) (want|need|have|ask)\b", r"\1if \2 \3s"),
        (r"^((?:\w+[,.] )*)i (?:need|want|would like) you (?:to be )?(?:over |right |back )?(here|in the [\w "
            r"]{3,20}|at the "
         r"[\w ]{3,20})(?= *(?:[.!,]|$| for (?:a|one)\b| now| please))", r"\1come \2"),
        (r"^((?:the|my) [\w ]{3,50}?) (?:should|must|is to|gets?|has to|may|can|shall) (?:get|have|receive|be given) "
         r"(?=(?:the|a|an|some)\b)(.*)$", r"give \2 to \1"),
        (r"\b(?:see|check|try) (?:if|whether) you can (?=\w)", ""),
        (r"\b(nobody|no one|nothing|none) (?:but|except|other than)(?= (?:the|a|an|my|\w+)\b)", "only"),
        (r"\bis (?:killing|murdering) me\b", "is aching"),
        (r"\b(?:ok |okay |so |now )?(?:here is|this is) (?:what|how|the thing)\b[^:,.]{0,40}:", ""),
        (r"\b(?:your|my|the) (?:next |new |first )?(?:task|order|job|instructions?|request|mission) ?"
         r"(?:is|are)?:", ""),
        (rf"\b(?:what|all|the (?:only |one )?thing) (?:that )?{_I} (?:really |actually |just )?(?:want|need|would like|"
         r"would love|"
         r"am after|am asking(?: for)?|ask|require)(?: right now| now| from you| of you| you to do)? is (?:for you to|"
         r"you to|that you|to have you|to)\b", "please"),
        (rf"\b(?:what|all|the (?:only |one )?thing) (?:that )?{_I} (?:really |actually |just )?(?:want|need|would like|"
         r"would love|"
         r"am after|am asking for|could use|am craving)(?: right now| now)? is (?=(?:the|a|an|some|that|my)\b)",
         "i would like "),
        (r"(^|[.;!] ?)(?:step|task|number|part|point) (?:one|two|three|four|five|six|\d) ?[:,.-] ?", r"\1"),
        (r"\b(?:see|see to it|make sure|ensure|make certain|be sure)(?: that)? ((?:the )?\w+) (?:gets|receives|has|is "
         r"given) (?=(?:the|a|an|his|her|their|some)\b)", r"give \1 "),
        (r"\bi would be (?:very |so |really |most |ever so )?(?:grateful|thankful|happy|obliged|glad) for "
         r"(?=(?:the|a|an|some)\b)", "i would like "),
        (r"^((?:\w+, )?)how about (?=(?:some|a|an)\b)", r"\1i would like "),
        (r"^((?:hey |robot,? |zulong,? |so |um )*)(?:do you )?(?:think|reckon|suppose) (?:that )?you "
         r"(?:could|can|might|would)\b",
         r"\1could you"),
        (r",? or (?:not|what|no|nah)(?=\s*[?!.]*\s*$)", ""),
        (r"\bi (?:have |had |just |already )*(?:told|asked|ordered|instructed) you to\b", "please"),
        # -- wishes
        (rf"\b(?:is there )?any chance (?:that )?{_I} {_CAN} {_HAVE}", "can i have"),
        (r"\b(?:is there )?any chance of (?:getting|having|grabbing)\b", "can i have"),
        (rf"\b(?:do you think|is it (?:ok|okay|possible|alright) (?:that|if)|would it be (?:ok|okay|alright) if|"
         rf"i was wondering if|i wonder if|mind if) {_I} (?:{_CAN} )?{_HAVE}", "can i have"),
        (rf"\b(?:would|is) it (?:be )?possible (?:for (?:me|us) )?to {_HAVE}", "can i have"),
        (rf"\b{_CAN} {_I} (?:please |possibly |maybe |perhaps )?{_HAVE}", "can i have"),
        (rf"\b{_I} (?:would|will) (?:rather|just|gladly|happily|really)?\s*(?:have|take|go for|love to have|"
         r"like to have|prefer to have)\b(?! (?:to|you|him|her|them|been|\w+ed)\b)", "i would like"),
        (rf"\b{_I} would rather (?=(?:the|a|an|some|that)\b)", "i would like "),
        (rf"\b{_I} (?:am|are) (?:craving|after|dying for|longing for)\b", "i would like"),
        (rf"\b{_I} (?:have |just )?asked for\b", "i would like"),
        (rf"\b{_I} (?:really |just |only |could |would |do |still |also |now )+(?=(?:want|need|like|love|use)\b)", "i "),
        (r"\bi (?:like|love|use) (?=(?:a|an|some|the|another|one|two|three|four|five|six|\d)\b)", "i would like "),
        (r"\bi (?:can |could )?(?:really |just |totally |sure )*(?:do with|go for|murder|kill for) (?=\w)", "i would like "),
        (r"\bwe (?=(?:need|want|would like)\b)", "i "),
        (r"\b(?:has |have |had |is |are |was |were )?(?:just |also )?(?:asked|asking|begging|waiting|longing|dying|"
         r"ordered|requested)(?: for)? (?=(?:the|a|an|some|his|her|their)\b)", "wants "),
        # -- courtesies in the form of conditions
        (rf"\bif (?:you|it|that|this|there)(?: (?:are|is|have|had|has|do|does|would|could|can|will|be|get|got|not|"
         r"isn't|aren't|don't|doesn't|won't|wouldn't|too|so|very|a|the|any|much|no|free|spare|some|it|to|that|of|find|"
         rf"all|really|happen|ever|just|your|hands))* (?:{_COURTEOUS})(?: (?:to me|with you|for you|of you|to you|to|for|"
         r"at the moment|right now))?(?=\s*(?:[,.!?]|$)|\s+(?:and|could|can|would|will|please|go|bring|take|get|put|"
         r"fetch|grab|tell|find|give|follow|come|show|carry)\b)", "please"),
        (r"\b(?:as soon as|whenever|when|once) you (?:can|could|like|want|wish|have (?:a|the|some|any) (?:moment|minute|"
         r"second|sec|time|chance)|have time|get (?:a|the) (?:moment|minute|second|sec|chance)|are (?:free|ready|able|"
         r"not busy|done|finished|done with that|back))(?=\s*(?:[,.!?]|$)|\s+(?:and|could|can|would|will|please|go|"
         r"bring|take|get|put|fetch|grab|tell|find|give|follow|come|show|carry)\b)", "please"),
        (r"\b(?:please )?(?:do not|never) forget to\b", "please"),
        (r"\b(?:and )?(?:please )?(?:be sure|make sure|be certain) (?:to|that you|you)\b", "please"),
        (r"\b(?:i think |i believe )?(?:somebody|someone) (?:has |have |just |accidentally )*(?:left|put|forgot|placed|"
         r"dropped) (?=(?:the|a|an|my|some)\b[^,.;]*\b(?:in|on|at|by|near)\b[^,.;]*[,.;])", "there is "),
        (r"^((?:please,? |robot,? |ok,? |so,? )*)((?:the|my|this|that) (?![^,.]*\b(?:person|man|woman|guy|girl|boy|lady|"
         r"people|guests?|kids?|child|children|one|door)\b)[\w ]{2,40}?) (?:should|must|needs? to|ha(?:s|ve) to|ought to|"
         r"(?:is|are) to)(?: (?:go|be (?:put|placed|moved|taken|brought|carried|returned|stored|set)))(?: back)? "
         r"(in|on|to|into|onto|inside) (?=[^,;]*$)", r"\1put \2 \3 "),
        # -- moving
        (_OH + r"off (?:you go )?(?:to|into)\b(.{1,30}?)(?: with you)?(?=[.,!]|$)", r"\1go to\2"),
        (r"\b(?:get|take|bring|move|drive|haul|drag|park|position|station|plant|place|put) (?:yourself|your (?:butt|ass|"
         r"self|wheels)) (?:over |down |up |back )?(?=(?:to|into|in|at|by|near|next|beside|behind|close)\b)", "go "),
        (r"\bgo (?:and |to )?(?:see|check|find out|look|figure out)(?= (?:if|whether|who|what|how|where|that)\b)",
         "see"),
        (r"\b(?:once|when|after|as soon as) you (?:have |are |get |had )*(?:been to|been in|been at|visited|reached|"
         r"reach|arrived (?:at|in)|arrive (?:at|in)|gotten to|got to|to|at|in|inside|stopped by)(?= (?:the|my|your)\b)",
         "after you go to"),
        (r"\binstead of (?:going|driving|walking|heading|running) to\b", "do not go to"),
        (r"^((?:please,? |robot,? |ok,? |(?:you )?could |and,? |well,? |so,? )*)(?:go (?:and,? )?)?(?:well, )?"
         r"(?:stand|wait over|stand over) (?=(?:in|at|by(?! for\b)|near|next to|beside)\b)", r"\1go "),
        (r"\b(?:stand|remain|stay) (?=(?:next to|beside|near|by(?! for\b)|close to|in front of|behind|at)\b)", "go "),
        (r"\b(pick|take|get|lift|dig|pull|fish|bring|carry|clear|put|set|lay) ((?:the|my|that|this|a|an) [\w ]{2,25}?) "
         r"(?:up|out|down|away) (?=(?:off|from|out of|on|onto|in|into|to)\b)", r"\1 \2 "),
        (r" for (?:my |our |the |his |her |their |your )?(?:breakfast|lunch|dinner|supper|brunch|elevenses|dessert|afters|"
         r"pudding|later|later on|a start|starters|safekeeping|safe keeping|good measure)(?=\s*(?:[,.!;]|$)| and\b| then\b|"
         r" please\b)", ""),
        (r"\b(?:fill|load|stock) (?:up )?((?:the |my )?(?:fridge|refrigerator|dishwasher|pantry|larder|cabinet|bookshelf|"
         r"shelf|"
         r"storage rack))(?: up)? with (?=\w)([\w ,]+?)(?=[ .!]*$)", r"put \2 in \1"),
        (r"\b(could|can|would|will) (?:somebody|someone|anybody|anyone|one of you)(?: please)? (?=(?:bring|give|get|fetch|"
         r"take|put|"
         r"show|guide|lead|walk|go|tell|help|pop|pass|hand|move|find|check|see)\b)", r"\1 you "),
        (r"\b(wait|stay|pause|for) (?:for )?(?:about|around|roughly|approximately|a good|a full|a whole|a solid|maybe|say|"
         r"some|exactly|"
         r"precisely|at least) (?=(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|"
         r"fifty|"
         r"sixty|half|\d+)(?: and a half| an?)? (?:seconds?|secs?|minutes?|mins?|hours?)\b)", r"\1 "),
        # -- holding, waiting
        (r"(?:,| and)(?: then)?(?: just)? (?:hold(?: on to| onto)?|hang on to|keep(?: hold of| holding)?) (?:it|them)"
         r"(?: for (?:me|now))?(?=\s*(?:[.,!?]|$))", ""),
        (r"\b(?:hang on|hold on|hold it|stand by|sit tight|stay put|stick around|hang around|wait around|hang tight|"
         r"(?:stand|stay|keep|hold|sit) still|stay where you are|stop where you are|freeze|chill|chill out|relax|rest|"
         r"have a rest|take a (?:break|rest|breather)|stay (?:right )?(?:here|there)|hold your (?:position|ground)|"
         r"do not (?:move|budge|go anywhere|go away|stir|leave))"
         r"(?= (?:for )?(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|"
         r"sixty|ninety|half|\d+|another)\b)", "wait"),
        (r"(\b(?:go|drive|walk|run|head|roll) (?:over |back )?(?:to|into) (?:the |my )?[a-z ]{3,20}?),? and (?:then )?"
         r"(?:just )?(?:stay|remain|stop|stand|sit|keep)(?: put| right)?(?: in)? (?:there|put)(?=[ .!]*$)", r"\1"),
        (r"^((?:please |robot,? |hey,? |ok,? )*)give (?:me|us) (?=(?:a couple of|a|an|one|two|three|five|ten|half an?|\d+) "
         r"(?:second|sec|minute|min|hour)s?\b(?! (?:of|warning)))", r"\1wait "),
        # -- asking and telling
        (r"\btell (\w+|the [\w ]{3,40}?) (?:that )?(?:i|we) (?:said|say|says|send|sent) (?:my |a |our )?(hi|hello|hey|"
         r"good morning|good night|good evening|thanks|thank you|goodbye|bye|sorry)\b", r"say \2 to \1"),
        (r"\b(?:find out|check|see|figure out|learn|ask)(?: from)? (if|whether) (\w+) (is (?:hungry|thirsty|tired|"
            r"ok|okay|"
         r"alright|fine|cold|hot|ready|happy|well|busy|free|comfortable|bored|feeling \w+)|wants|needs|would like|"
         r"has|likes|"
         r"knows|prefers|feels|drinks|eats)\b", r"ask \2 \1 they \3"),
        (r"\b(?:find out|check|see|figure out|learn)(?: from)? (what|which \w+|how) (\w+) (wants|needs|would like|likes|"
         r"prefers|thinks|feels)\b", r"ask \2 \1 they \3"),
        (r"\b(where (?:is|are|has|have) )([\w ]{2,30}?) (?:got|gone|gotten|been|run off|disappeared|wandered off|"
            r"ended up|"
         r"hiding|hidden|vanished)(?: to| off to| off)?(?=\s*[?.!,]|\s*$)", r"where is \2"),
        (r"\bdo you (?:happen|by any chance|perhaps|maybe) (?:to )?", "do you "),
        (r"\b(?:do you have |have you got |got )?any (?:idea|clue) (?=where\b|who\b|what\b|how\b)", "do you know "),
        (r"\b(?:would you know|can you recall|do you recall|can you remember) (?=where\b)", "do you know "),
        (_OH + r"seen (?=(?:my|the|any|a)\b)", r"\1have you seen "),
        (r"\bi (?:do not|can not) (?:know|remember|recall) (where\b.{1,40}?)(?=[.,!?]|$| and\b| so\b| but\b)", r"\1"),
        (r"\bi (?:forgot|forget|have forgotten|wonder|am wondering) (?=where\b|how many\b|what is\b|who is\b)", ""),
        (r"\bwhere (?=(\w+|the [\w ]{2,20}|my [\w ]{2,20}) (is|are)\s*\?)(?:\1 \2)", r"where \2 \1"),
        (_OH + r"any (?=[\w ]{2,30}(?: left)? (?:in|on|at|inside|near)\b[^,;:]*(?:[?.!]|$))", r"\1are there any "),
        (_OH + r"(anyone|anybody|somebody|someone)(?= (?:in|on|at|inside|near|home)\b[^,]*\?)",
         r"\1is \2"),
    )
)  # fmt: skip


def plainly(text: str) -> str:
    """Return the sentence with its turns of phrase put plainly."""
    parts = text.strip().split('"')
    for number in range(0, len(parts), 2):
        # What stands in quotation marks is to be said as it is.
        parts[number] = written_out(unframed(without_chatter(parts[number])))
        for pattern, plain in _IDIOMS:
            parts[number] = pattern.sub(plain, parts[number])
        parts[number] = put_plainly(parts[number])
    return re.sub(r"\s+", " ", '"'.join(parts)).strip()
