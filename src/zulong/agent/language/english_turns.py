"""Turns of phrase around English orders, put the direct way: light verbs, quantities, corrections, who gets what.

Patterns work on lower-case text with opened contractions and single blanks, like those of
:mod:`zulong.agent.language.english_frames`.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_everyday import put_plainly

_I = r"(?:i|we)"
_NOUN = (
    r"(?:(?:the|my|our|your|that|this|these|those|a|an|some|any|another|his|her|one|two|three|four|five) "
    r"(?:(?!(?:and|or|to|is|are|be|if|that|which|who|but|not|you|i|we|it|for|so|because|then) )[a-z]+ ){1,5}?)"
)
_ROOMS = r"the (?:[a-z]+ ?room|kitchen|office|study|lounge|exit|entrance|front door|way out|toilet|loo)"
_SMALL = (
    (re.compile(r"\bleave (it|that|them|those) (?=(?:there|here|on|in|at|by|near|next|with|for|over|under|behind|"
                r"inside)\b)"),
     r"put \1 "),
    (re.compile(r"\bgive ((?!(?:me|it|them|that)\b)[a-z]+) back (?=(?:the|his|her|their)\b)"), r"give \1 "),
    (re.compile(r"\b(?:chuck|sling|lob|bung|shoot|slide|shove|flip|whack|float) (me|us|over) (?=(?:the|my|a|an|some|"
                r"that)\b)"),
     "bring me "),
    (re.compile(r"\b(?:bung|whack|pop|plonk|stick|whip|sling|perch|prop|nestle|slot|arrange|file) (?=(?:the|my|a|an|"
                r"some|that|it|"
                r"them) (?:[a-z]+ ){0,4}?(?:back |down |away |over )*(?:on|in|into|onto|by|at|inside|next)\b)"), "put "),
    (re.compile(r"\b(?:pop|nip|run|dash|hop|zip|scoot|whizz|trot|jog)(?: over| along| off| out| round| down| up)? "
                r"(?:and|to) "
                r"(?=(?:get|fetch|grab|find|bring|see|check|look|tell|ask|put|pick|take|give|collect)\b)"), "go and "),
    (re.compile(r"\b(?:at your (?:earliest |own |very )*(?:convenience|leisure)|first thing(?=,)|as a first thing|"
                r"if you please)"
                r"(?:, )?"), ""),
    (re.compile(r"(?:^|(?<=[,.;:!?] ))(?:you know what|guess what|tell you what|i tell you what|i will tell you "
                r"what|here is the "
                r"thing|the thing is|thing is|listen up|look here|okay look|right then|right so)[,:.!?]? (?!(?:is|"
                r"are|i|do|does)\b|$)"),
     ""),
    (re.compile(r"\b(?:get|bring|take|have) ((?:the|my|that|this) (?:(?!(?:and|or|to|from|off) )[a-z]+ ){1,4}?)back "
                r"(?=(?:in|on|into|onto) the )"),
     r"put \1"),
    (re.compile(r" for later(?: use| on)?(?=[,.;!?]|$)"), ""),
    (re.compile(r"\bcome and find me\b|\breturn (?:back )?(?:to )?here\b|\breturn to where i am\b"), "come back to me"),
    (re.compile(r"\bleave (?:this room|the room|here|this place|where you are),? and (?=(?:go|head|drive|come|"
                r"move)\b)"), ""),
    (re.compile(r"\b(?:go|come|pop|get) on into\b"), "go into"),
    (re.compile(r"\b(?:go|come|pop|head|run)(?: over| across)? and see (?!(?:if|whether|what|who|whose|how|where|"
                r"that|which|me|to)\b)"
                r"(?=[a-z]+(?:[,.!?]|$| in | at | and | then ))"), "go to "),
    (re.compile(r"\b(?:stop|drop|swing|call|pop|come|go|nip|run)(?: by| in| over| round| past)* to see (?!(?:if|whether|"
                r"what|who|"
                r"whose|how|where|that|which|me|to)\b)(?=[a-z]+(?:[,.!?]|$| in | at | and | then ))"), "go to "),
    (re.compile(r"\b(?:goes|should go|(?:need|ha)s to go|must go|is to go|(?:need|ha)s to get|is going|"
                r"has got to go) from "
                r"(?=the [a-z ]+? to the )"), "goes_from "),
    (re.compile(rf"(?P<start>^|[,.;:!?] (?:and |so |then |but |please )*|"
                rf"\bthen )(?P<what>{_NOUN})goes_from (?P<from>the [a-z ]+?) "
                r"to (?=the )"), r"\g<start>move \g<what>from \g<from> to "),
    (re.compile(r"\bgoes_from "), "goes from "),
    (re.compile(r"\byou are (?:badly |urgently )?(?:needed|wanted|required|expected) (?=(?:in|at|by|over)\b)"), "go "),
    (re.compile(r"\bshow (?:me|us) where (the (?:[a-z]+ ?room|kitchen|office|study|lounge|exit|entrance|front door|"
                r"way out|toilet|loo)) is\b"),
     r"guide me to \1"),
    (re.compile(r"\b(?:pass(?: on| along)?|give|deliver|take|relay|leave|convey|send|bring) (?:a|the|my|this|"
                r"another) (?:message|note) (?:on )?"
                r"(?:to|for|with) (?=[a-z' ]{2,30}$)"), "tell "),
    (re.compile(r"\b(turn|switch|flip|put) ((?:the|my|all the|all|that|those|our) (?:[a-z]+ ){0,3}?(?:lights?|"
                r"lamps?|tv|television|telly|radio|"
                r"music|fan|heating|heater|ac|air con|oven|stove|kettle|dishwasher|washing machine|computer|taps?|"
                r"alarm|coffee machine|"
                r"coffee maker)) (on|off)\b"), r"turn \3 \2"),
    (re.compile(r"\b(?:throw|toss|hurl|fling|chuck|lob|kick|swing|aim|point|wave|brandish) ((?:the|my|that|a|an) "
                r"(?:[a-z]+ ){1,4}?)at (?!(?:the|my|"
                r"a) (?:wall|target|goal|hoop|bin|trash|sink|tree|fence)\b)"), r"threaten \1 at "),
    (re.compile(r"\b(?:spend|pass|while away|kill) (?=(?:a|one|two|three|four|five|ten|\d+|half an?) (?:minutes?|"
                r"seconds?|hours?|hour)\b)"), "wait "),
    (re.compile(r"^(?:no,? )?not (?P<a>[a-z ]{2,25}?),? (?:but )?(?P<b>(?:the )?[a-z ]{2,25}?)[:,;] (?=.*\b(?P=b)\b)"), ""),
    (re.compile(r"(?<=[,.;!?] )(?:no,? )?actually,? (?=(?:the|my|a|an|that) [a-z ]+[.!?]?\s*$)"), "i mean "),
    (re.compile(r"^(?:actually|hold on|hang on|wait|oh|oops|whoops|hmm|oh wait|ah),? (?=(?:the|my) [a-z "
                r"]+?[.!?]?\s*$)"), "no, "),
    (re.compile(r"\bno,? (?:hang on|hold on|wait up|hmm|um|uh|oh)(?:,| please,?)? (?=(?:the|my|a|an|that|make|i|"
                r"not) )"), "no wait "),
    (re.compile(rf"\b(?:{_I} would|{_I} will) rather (?:have )?(?P<x>{_NOUN})than (?:(?:the|a|an|some|any|my) "
                rf")?(?:(?!(?:tomorrow|later|until|till|at|by|if|or|except|tonight|today|before|after|when|in|on|for|and)\b)"
                rf"[a-z]+ ?){{1,3}}(?=[,.;!?]|\s*$)"),
     r"i would like \g<x>"),
    (re.compile(r"^((?:i|we) (?:need|want|would like|could use) (?:the|a|an|some|my) [a-z' ]+?) to (?:cut|wash|clean|cook|"
                r"eat|drink|write|wipe|dry|peel|stir|mix|serve|scrub|bake|season|sweeten|feed|measure|spread|slice|chop)"
                r"\b[^,.;!?]*(?=[.!?]*$)"), r"\1"),
    (re.compile(r"(?:,? (?:but|and))? (?:you can |please |just )?leave the [a-z ]+? (?:where (?:it|they) (?:is|are)|"
                r"alone|be)(?=[,.;!?]|\s*$)"), ""),
    (re.compile(r"\bleave the [a-z ]{2,20}?(?: alone| there| where it is| be)?, (?=(?:bring|get|fetch|give|take|i "
                r"would like|i want)\b)"), ""),
    (re.compile(rf"\bit is not {_NOUN}(?:that )?i (?:want|need|would like),? (?:but|it is|rather) "), "i would like "),
    (re.compile(r"\b(?:let us go|i will go) (?:with|for) (?=(?:the|a|an) )"), "i would like "),
    (re.compile(r"^(?P<o>(?:please |hey |robot,? |ok )*)(?:bring |get |give |take |hand |deliver )?(?:an?|one) "
                r"(?P<x>[a-z]+(?: [a-z]+)?) each (?:for|to) "
                r"(?P<a>[a-z]+) and (?P<b>[a-z]+)(?=[,.!?]|\s*$)"), r"\g<o>bring a \g<x> to \g<a> and a \g<x> to \g<b>"),
    (re.compile(r"\b(?P<a>[a-z]+) and (?P<b>[a-z]+) (?:would each like|each want|both want|would both like|both "
                r"need|each need|want) (?:an?|one|some) "
                r"(?P<x>[a-z]+(?: [a-z]+)?)(?: each)?[,.;] (?:so |please |can you |could you )*(?:bring|give|get|"
                r"take|fetch) (?:them )?(?:(?:an?|one|"
                r"some)(?: each)?(?: to them)?)"), r"bring a \g<x> to \g<a> and a \g<x> to \g<b>"),
    (re.compile(r"\band another (?=(?:to|for) )"), "and another one "),
    (re.compile(r"^(?P<a>[a-z]+) gets (?P<x>(?:the|a|an) [a-z ]+?),? and (?P<b>[a-z]+)(?: gets)? (?P<y>(?:the|a|an) "
                r"[a-z ]+?)(?=[.!]?\s*$)"),
     r"give \g<x> to \g<a> and give \g<y> to \g<b>"),
    (re.compile(r"^(?P<x>(?:the|my) [a-z ]+? and (?:the|my) [a-z ]+?) (?:both |all )?(?:go|belong|should go|need to "
                r"go|live|have to go|should be|need to "
                r"be)(?: put)?(?: back)? (?P<at>(?:on|in|into|onto) (?:the|my) [a-z ]+?)(?=[.!]?\s*$)"),
     r"put \g<x> \g<at>"),
    (re.compile(r"\b(?P<v>put|place|set|lay) (?P<x>the [a-z]+(?: [a-z]+)?) and then (?P<y>the [a-z]+(?: [a-z]+)?) "
                r"(?=(?:on|in|onto|into) )"),
     r"\g<v> \g<x> and \g<y> "),
    (re.compile(r"\b(?P<v>(?:bring|get|give|fetch|hand|pass|grab|take|need|want|would like|have)(?: me| us| him| "
                r"her| them)?) (?:several|many|lots "
                r"of|loads of|plenty of|a lot of|a bunch of|a load of|a number of|numerous|multiple|various|as many|"
                r"quite a few|tons of|heaps of|"
                r"enough) (?=(?:of (?:the|those) )?[a-z]+s\b)"), r"\g<v> zero "),
    (re.compile(r"^(?:that|this|it) is (?P<x>(?:my|the) [a-z ]+?)[,;] (?=(?:so |please |can you |could you |would "
                r"you )*(?:bring|give|get|fetch|"
                r"hand|put|take)\b)"), r"\g<x>, "),
    (re.compile(r"\b(?P<x>if (?:the|my|a|an|any|[a-z]+) ?(?:[a-z]+ ){0,3}?)(?:happens? to be|is to be found|can be "
                r"found|is found|should be|"
                r"might be|turns out to be) (?=(?:in|on|at|here|there|by|near)\b)"), r"\g<x>is "),
    (re.compile(r"\brun (?P<x>him|her|them|me|(?!(?:the|a|my|this|that|it|over|to|and)\b)[a-z]+|the (?:baby|child|"
                r"kid|cat|dog|person|man|woman|boy|"
                r"girl|guest)) over(?=[.!?,]|\s*$)"), r"run over \g<x>"),
    (re.compile(r"\bignor(?:e|ing) (?:all |any |the |every |your )*(?:obstacles?|laser|safety|walls?|emergency stop|"
                r"bumpers?|collision)\b"),
     "ignore the obstacle"),
    (re.compile(rf"\bhelp (?:me|us) (?:to )?(?:find|get to|reach) (?:(?:my|our) way to )?(?P<x>{_ROOMS})\b"),
     r"guide me to \g<x>"),
    (re.compile(rf"\b(?:i|we) (?:really |just )?(?:want|need|would like|have|am trying) to (?:go|get) to "
                rf"(?P<x>{_ROOMS})(?:[,.;!]| and| but| so)* "
                r"(?:so |please |can you |could you |would you |will you )*(?:take|guide|show|lead|bring|walk|"
                r"accompany) me(?: there| the way)?"),
     r"guide me to \g<x>"),
    (re.compile(rf"\bi (?:do not|can not) (?:know|remember|find) (?:where|how to get to|the way to) "
                rf"(?P<x>{_ROOMS})(?: is)?(?:[,.;!]| and| so)* (?:so "
                r"|please |can you |could you |would you |will you )*(?:take|guide|show|lead|bring|walk) me(?: "
                r"there| the way| where it is)?"),
     r"guide me to \g<x>"),
    (re.compile(rf"(?P<x>{_NOUN})would (?:really |just |now )*(?:hit the spot|do (?:nicely|me good|the trick|fine)|"
                rf"go down (?:well|nicely|a treat)|be (?:really |so |very |just "
                r"|much )*(?:nice|great|lovely|good|wonderful|awesome|welcome|appreciated|fantastic|handy|ideal|the "
                r"(?:thing|ticket|job)|spot on|perfect|heaven|amazing|most welcome))(?: right)?(?: about)?(?: "
                r"now)?"), r"i would like \g<x>"),
    (re.compile(r"\b(?:do )?(?:you know )?what would be (?:really |so |just )*(?:great|nice|lovely|good|perfect|"
                r"amazing|awesome|wonderful|fantastic)"
                r"(?: right)?(?: about)?(?: now)?(?: is| would be|\?|,|:) (?=(?:the|a|an|some|my) )"), "i would like "),
    (re.compile(rf"\b(?:would you (?:happen to )?have|do you (?:happen to )?have|is there|have you got) "
                rf"(?P<x>{_NOUN})(?:for me|(?:that )?(?:i|we) "
                r"(?:could|can|may|might) (?:have|get|eat|drink))(?=[,.?!]|\s*$)"), r"i would like \g<x>"),
    (re.compile(r",? for (?:the|my|our|some|this|that|a) (?:recipe|cake|pancakes?|salad|sauce|breakfast|lunch|"
                r"dinner|supper|party|tea|toast|sandwich|"
                r"sandwiches|dessert|picnic|game|stew|omelette|smoothie|cooking|baking|curry|barbecue|bbq|pasta|"
                r"meal|trip|school project|project)"
                r"(?=[,.?!]|\s*$)"), ""),
    (re.compile(r",\s*(?:my )?(?:love|luv|hun|hon|honey|dear|darling|mate|pal|buddy|sweetie|sweetheart|old boy|old "
                r"chap|my friend|lovely|babe|dude|"
                r"bro|man|bud|champ|sunshine|treasure|duck|boss)(?=\s*[.?!]*\s*$)"), ""),
    (re.compile(r"\b(the|that|this|another|some|my|a|an|one|two|three|four|five|our) (?:[a-z]+ )?(?:cartons?|"
                r"bottles?|cans?|tins?|jars?|jugs?|tubes?|packets?|"
                r"packs?|bags?|glass|glasses|boxes|box|bars?|mugs?) of (?=[a-z])(?!(?:the|my|these|those|them)\b)"), r"\1 "),
    (re.compile(r"\b(milk|cola|coke|tuna|soup|tea|cereal|cornflakes|pringles|sugar|mustard|wine) (?:carton|bottle|"
                r"can|tin|jar|tube|box|packet|bag)\b"),
     r"\1"),
    (re.compile(r"^from (?P<at>(?:the|my) [a-z ]+?),? (?:i (?:need|want|would like)|(?:please )?(?:bring|get|fetch|"
                r"give|hand) me) (?P<x>(?:the|my|a|an|some) "
                r"[a-z ]+?)(?=[.?!]?\s*$)"), r"bring me \g<x> from \g<at>"),
    (re.compile(r"\bload (?P<x>(?:the|my|that|this|a) (?:[a-z]+ ){1,3}?)(?=(?:into|in|onto|on) )"), r"put \g<x>"),
    (re.compile(r"\b(?:clear|tidy|pack|sort|stow) (?P<x>(?:the|my|that|this) (?:[a-z]+ ){1,3}?)away (?=(?:into|in|"
                r"onto|on) )"), r"put \g<x>"),
    (re.compile(r"\b(?P<x>[a-z]+), who (?:is|should be) (?:currently |probably |now )?(?P<at>(?:in|at|on|near|by) "
                r"the [a-z ]+?)(?: right now| at the moment| "
                r"now| currently)?, "), r"\g<x> \g<at> "),
    (re.compile(r"\b(?:get|send|bring|pass) (?:the )?word to ([a-z]+) (?:that )?"), r"tell \1 that "),
    (re.compile(r"\b(?:shout|yell|call|whisper)(?: out)? to ([a-z]+) (?:that )?(?=[a-z]+ )"), r"tell \1 that "),
    (re.compile(r"(?:,| and)? after (?P<t>(?:a|one|two|three|four|five|ten|fifteen|twenty|thirty|\d+|half an?) "
                r"(?:minutes?|seconds?|hours?|hour)),? (?:(?:you )?"
                r"(?:can |should )?)(?=(?:come|go|return|head|drive)\b)"), r", wait \g<t> and "),
    (re.compile(r"[.,;!] (?:and )?not the [a-z]+(?: one| [a-z]+)?,? (?:but )?(?P<x>the [a-z]+ one)(?=[.!]?\s*$)"),
     r", \g<x>"),
    (re.compile(rf"^the (?P<x>[a-z]+) (?:that )?{_I} (?:want|need|mean|would like|am after) is the (?P<c>[a-z]+) "
                rf"one\b"), r"i would like the \g<c> \g<x>"),
    (re.compile(r"\b(red|blue|green|yellow|white|black|brown|grey|gray|orange|pink|purple)[ -]colou?red\b"), r"\1"),
    (re.compile(r"\b(?:over|right|up|down) there (?=(?:on|in|at|by|near) (?:the|my|your) )"), ""),
    (re.compile(r",? on your way (?:back )?(?:to me|here|over here|back)(?=[,.!?]|\s*$)"), " and then come back to me"),
    (re.compile(r"^(?P<o>(?:please |could you |can you )*)on (?:your|the) way to (?P<b>(?:the|my) [a-z ]+?),? "
                r"(?:please )?(?:stop|swing|pop|drop|pass|call|go|"
                r"look|nip)(?: by| at| in at| into| in| to)* (?P<a>(?:the|my) [a-z ]+?)(?=[.!?]?\s*$)"),
     r"\g<o>go to \g<a> and then go to \g<b>"),
    (re.compile(r"\b(?:stop|swing|pop|drop|pass|call|go|nip)(?: by| at| in at| into| in| to)* (?P<a>(?:the|my) [a-z "
                r"]+?) on (?:your|the) way to (?P<b>(?:the|my) "
                r"[a-z ]+?)(?=[.!?]?\s*$)"), r"go to \g<a> and then go to \g<b>"),
    (re.compile(r"^(?P<o>[a-z ]+?) (?:when|after|once) you have waited (?:for )?(?P<t>(?:a|one|two|three|five|ten|"
                r"fifteen|twenty|thirty|\d+|half an?) (?:minutes?|"
                r"seconds?|hours?|hour))(?=[.!?]?\s*$)"), r"wait \g<t> and then \g<o>"),
    (re.compile(r"\b(?P<x>go to (?:the|my) [a-z ]+?) and back(?: again)?(?: to me| here)? (?:twice|two times)\b"),
     r"\g<x> and come back to me and then \g<x> and come back to me"),
    (re.compile(r"\b(?P<x>(?:go|run|pop|head|drive) to (?:the|my) [a-z ]+?) and back(?: again)?(?: to me)?(?=[.!?,]|"
                r"\s*$)"), r"\g<x> and come back to me"),
    (re.compile(r"\bought to (?=(?:be|go)\b)"), "should "),
    (re.compile(r" for (?:the|my|a|our) (?:[a-z]+ ){1,3}to (?:play with|read|cuddle|look at|sit on|use|write with|"
                r"write on|draw with)(?=[.!?,]|\s*$)"), ""),
    (re.compile(r"^(?P<o>(?:hey |robot,? |please |ok )*)(?P<x>(?:the|my) [a-z ]+? and (?:the|my) [a-z ]+?),? "
                r"(?:could|can|may) (?:i|we) have (?:both of them|"
                r"both|them both|them|those)(?: here| over here| please)*(?=[.!?]?\s*$)"), r"\g<o>bring me \g<x>"),
    (re.compile(r"\bcheez[ -]?its?\b"), "cheezit"),
    (re.compile(r"\b(?P<w>[a-z]+) (?:is|has|have|'s)(?: nearly| almost| completely| just| all)? (?:run(?:ning)? "
                r")?out of (?P<x>(?:the |her |his )?[a-z]+(?: [a-z]+)?)"
                r"(?=[,.;!])"), r"\g<w> needs \g<x>"),
    (re.compile(r"\b(?:take|bring|get|give|fetch) (?P<w>her|him|them) (?:some|one|it)(?=[.?!,]|\s*$)"), r"bring \g<w> one"),
    (re.compile(r"\bwhat can you (?:actually|really|even|all|currently|possibly) do\b"), "what can you do"),
    (re.compile(r"\bsomewhere (?:safe|tidy|nice|sensible|dry|cool|high|low|suitable|out of (?:the way|sight|reach)|"
                r"i can (?:find|see|reach) it|appropriate|"
                r"clean|better|else)\b"), "somewhere"),
    (re.compile(r"\bdo (?:the|some|my|all the) (?:washing[- ]up|vacuuming|hoovering|ironing|cleaning|dusting|"
                r"mopping|sweeping|tidying(?: up)?|housework|chores|"
                r"washing)\b"), "do the dishes"),
    (re.compile(r"\bhoover\b"), "vacuum"),
    (re.compile(r"\b(?P<x>(?:get|bring|fetch|find|take|hand|grab) [a-z ]*?)(?:from )?wherever (?:it|they) (?:is|are|"
                r"may be|might be)\b"), r"\g<x>"),
    (re.compile(r"\bcheck out (?=(?:the|my) (?:[a-z]+ ?room|kitchen|office)\b)"), "go to "),
    (re.compile(r"\bgive me (?=(?:a|one|two|three|five|ten|fifteen|twenty|thirty|sixty|\d+|half an?) (?:minutes?|"
                r"seconds?|secs?|mins?)\b)"), "wait "),
    (re.compile(r"\b(?:last|latest) (?:place|time|spot) you (?:saw|spotted) (?=(?:the|my)\b)"), "where is "),
    (re.compile(r"\bdo you (?:recall|remember) (?:seeing|having seen) (?=(?:the|my)\b)"), "have you seen "),
    (re.compile(r"\b(?P<w>(?!(?:i|we|you|it|that|this|he|she|they|who|which|what|also|really|and|or)\b)[a-z]+) "
                r"would (?:really |also |just )?(?:like|love) "
                r"(?=(?:a|an|some|the|another|my|his|her) )"), r"\g<w> wants "),
    (re.compile(r"\b(?:can|could|would|will) (?:you|u|ya) (?:please |just |maybe |quickly )*grab (?:me "
                r")?(?P<x>(?:the|my|a|an|some|that|it)(?: (?!(?:and|for|to|then|but|put|"
                r"so)\b)[a-z-]+)*)(?=[.?!]*\s*$|,? (?:please|thx|thanks|ta|cheers)[.?!]*\s*$)"), r"bring me \g<x>"),
    (re.compile(r"^(?P<o>(?:hey |robot,? |ok |oh |well )*)(?P<x>something (?:to [a-z]+(?: on)?|[a-z]+)) would "
                r"(?:really |just )*(?:be (?:really |so |very )*(?:nice|"
                r"great|lovely|good|wonderful|perfect|welcome|appreciated)|hit the spot|do)"), r"\g<o>bring me \g<x>"),
    (re.compile(r"\bhere is what (?:i|we) (?:want|need|would like)\b:?"), "i would like"),
)  # fmt: skip


def put_directly(text: str) -> str:
    """Return the sentence with its turns of phrase put the direct way."""
    for pattern, plain in _SMALL:
        text = pattern.sub(plain, text)
    return put_plainly(text)
