"""How a message in an English sentence is opened, and what ends it.

In the patterns ``<N>`` stands for the name of a person and ``<NS>`` for those of one or more. Text is in lower case.
"""

from __future__ import annotations

import re

_ORDER = (
    r"(?:tell|ask|inform|notify|let (?:him|her|them|me|us|\w+) know|say|bring|get|fetch|give|take|put|go|come|"
    r"return|report|"
    r"follow|guide|find|look|wait|count|check|pick|hand|greet|escort|lead|drive|stay|show|serve|deliver|introduce|meet|"
    r"move|carry|place|search|grab|turn|clean|call|wake|remember|leave|help|see|describe|put away|make sure|see to it)"
)
MINE = (
    r"(?:(?:tell|ask|inform|notify|let) (?:me|us)\b|(?:come|go|drive|get|head) (?:straight |right )?back\b|report|"
    r"return\b|"
    r"(?:bring|get|fetch|give|hand|pass|show|find|grab|follow|guide|take) (?:me|us)\b|come (?:to me|here)\b|"
    r"(?:bring|take|give|fetch|get|hand) (?:it|them|[a-z ]{1,30}?) to (?:me|us)\b)"
)
"""Orders that are the robot's own, whoever is spoken of before them."""
_LATER = (
    rf"(?:{_ORDER}|stand|stop|stay|remain|hold|park|position|head|walk|run|roll|visit|swing|drop|charge|dock|load|set|"
    r"lay|recharge|patrol|explain|repeat|count|pop|stick|accompany|proceed|travel|navigate|locate|seek|transfer|stash|"
    r"shift|"
    r"relocate|nip|fetch|dock|hang|clear)"
)
"""What a bare verb after "then" orders, though it may belong to the message after a mere "and"."""
_AND = r"(?:,? (?:and|but|so|then|and then|but then|after that|afterwards|and also|and after that)|, then|,? also|;)"
_SO = r"(?:(?: then| also| please| afterwards| next| just| finally| now|,)* )"
_SEEN = r"(?:see|find|meet|reach|spot|get to|run into|bump into|have found|come across|catch|found|pass)"
_STATE = (
    r"(?:asleep|sleeping|awake|busy|there|here|in\b|at\b|on\b|home|alone|out\b|away|back\b|up\b|still|on the phone|"
    r"eating|talking|working|resting|not (?:asleep|sleeping|awake|busy|there|here|in|at|home|alone|away))"
)
_THEY = r"(?:she|he|they|it)"
ENDS: tuple[tuple[str, str], ...] = (
    # What adds nothing.
    ("drop", r"(?:,| and|, and) (?:make it (?:quick|snappy|short|fast)|be quick(?: about it)?|hurry(?: up)?|"
             r"that'?s (?:it|all)"
             r"(?: for now)?|that is (?:it|all)|nothing (?:else|more)|no more|leave it at that)(?=\s*[.!?]*\s*$)"),
    ("drop", r", (?:please|thanks|thank you|will you|would you|could you|can you|okay|ok|right away|immediately|quickly|"
             r"at once|as soon as possible|asap)(?=\s*[.!?]*\s*$)"),
    ("drop", rf",? (?:as soon as|when|once|whenever|the moment|next time) you (?:next |first )?{_SEEN} "
             rf"(?:him|her|them|<N>)(?=\s*(?:[.!?,]|$| and\b))"),
    ("drop", r"(?:, (?:and )?not|,? rather than|,? instead of) (?:that|to|if|whether|what|when|where|how) [^.!?;]*"),
    ("drop", r",? (?:and )?(?:not|instead of|rather than)(?: to| telling| asking)? <N>(?=\s*(?:[.!?,]|$| and\b))"),
    # The listener of another message.
    ("same", r",? and (?:then |also )?(?:tell |ask |let |inform |the same (?:goes )?(?:for|to) |do the same (?:for|"
        r"with) |"
             r"likewise )?(?P<n><NS>)(?: know)?(?: the same(?: thing)?| it| that)?,? (?:too|as well|also|likewise)"
             r"(?=\s*(?:[.!?,;]|$| and\b))"),
    ("same", r"(?:,|,? and) then (?P<n><NS>)(?=\s*(?:[.!?,;]|$| and\b))"),
    ("same", r", (?P<n><NS>),? (?:too|as well|also|likewise)(?=\s*(?:[.!?;]|$))"),
    ("same", r"(?:,|,? (?:and|then|and then)) (?:also |then )?(?:tell|ask|inform|say it to|say so to) (?P<n><NS>)"
             r"(?:,? (?:the same(?: thing)?|too|as well|also|that|it|so))?(?=\s*(?:[.!?;]|$))"),
    ("same", r",? (?:and )?(?:the same (?:goes |thing )?(?:for|to)|same for|likewise|do the same (?:for|with)) "
             r"(?P<n><NS>)(?=\s*(?:[.!?,;]|$))"),
    ("other", r"(?:,| and|, and|;)(?: then| also)? (?P<n><NS>(?: (?:in|at|on|by) the [a-z]+(?: [a-z]+)?)?|"
              r"the (?:person|man|woman|guy|lady|guests?|one|people)(?: [a-z]+)?(?: (?:in|at|on|by) the [a-z]"
              r"+(?: [a-z]+)?)?),? "
              r"(?=(?:that|if|whether|to|what|when|where|why|how|who|which)\b)"),
    ("either", r",? or(?: else| rather)?(?: tell| ask)? <NS>(?=\s*(?:[.!?,;]|$|(?: that| if| whether| to)\b))"),
    ("instead", r",? (?:or|and|but) (?=if (?:you (?:can ?not|can't|cannot|do not|don't) (?:find|see) (?:him|her|them)|"
                r"(?:he|she|they) (?:is|are)(?:n't| not)[^,.;]*),? (?:then )?(?:tell )?(?P<n><NS>)\s*(?:[.!?;]|$))"),
    ("either", r",? (?:and )?(?:please )?(?:make sure|see to it|be sure|check|see)(?: that| if| whether)? "
               rf"{_THEY} (?:has |have |really )?(?:heard|hears?|understands?|understood|gets?|got|"
               r"knows?|reads?|listens?)\b"),
    # Taken back, corrected, or about how and when it is to be said.
    ("order", r",?(?: (?:actually|no|oh|wait|but|ah)\b,?)* (?=(?:never ?mind|forget (?:it|that|about it)|cancel (?:that|it)|"
              r"scratch that)(?=\s*[.!?]*\s*$))"),
    ("either", r", (?:no|wait|i mean|i meant|or rather|sorry|actually|not)(?:, (?:no, )?|(?= (?:tell|ask|to|that)\b) ?)"),
    ("either", r", i meant? "),
    ("either", r",? and while (?:he|she|they)\b"),
    ("either", r",? (?:on (?:your|the) way (?:to|back|there|home)\b|while (?:you\b|[a-z]+ing\b)|without [a-z]+ing\b|"
               rf"until {_THEY} (?:answers?|hears?|listens?|comes?|wakes?|understands?|says?|agrees?|reply|replies)\b|"
               r"when(?:ever)? you (?:bring|give|go|take|put|come|get|leave|pick|serve|hand|pass)\b|"
               r"every (?:[a-z]+ )?(?:minutes?|hours?|day|time)\b|(?:twice|(?:two|three|four|five|ten|\d+)"
               r" times)(?=\s*(?:[.!?,]|$))|"
               r"in (?:french|english|german|spanish|italian|chinese|mandarin|russian|japanese)\b)"),
    ("order", rf", (?={_THEY} ?(?:'s|is|are|should be|must be|will be) (?:probably |still |now )?(?:in|at|on|by|"
              rf"near) (?:the|her|his|"
              r"their) [a-z ]+\s*$)"),
    # Orders.
    ("order", r",? (?:and |or |but )?(?=if you (?:can ?not|can't|cannot|do not|don't|did not|didn't) )"),
    ("order", rf"{_AND}{_SO}(?={MINE})"),
    ("order", rf",? (?:and|but|while)(?: then)? you (?=(?:then )?{_ORDER}\b)"),
    ("order", rf",? (?:and )?then(?:,)? (?=(?:please )?{_LATER}\b(?!'))"),
    ("order", rf",(?: please)? (?={MINE})"),
    ("order", r",? (?:and )?then,? (?=(?:i would|i'd) like (?:a|an|the|some|two|three)\b|(?:could|can) i (?:have|get)\b)"),
    ("order", r",? (?:but|and)(?: please| also| then)? (?=(?:do not|don't|never|make sure|be sure|see to it)\b)"),
    ("order", rf",? (?:and|but) (?=if [^,.;]+, (?:then )?(?:please )?(?:{_ORDER}\b|<N>))"),
    ("order", rf",? (?:and|but) (?=if (?:(?:so|not|yes|no)\b|{_THEY} (?:(?:does|do|is|has|can|wants? (?:one|it|some)|says? "
              rf"(?:yes|no|so))(?:n't| not)?)(?=\s*(?:[,.;!?]|$| then\b)|\s+{_ORDER}\b)))"),
    ("order", r",? (?=(?:if not|otherwise|or else|if so)\b)"),
    ("order", rf"{_AND}{_SO}(?=(?:tell|ask) (?:<N>|him|her|them|the [a-z]+)\b)"),
    ("and", rf"{_AND}{_SO}(?={_ORDER}\b(?!'))"),
    ("comma", rf",(?: please)? (?={_ORDER}\b)"),
    ("comma", r",(?: please)? (?=(?:head|proceed|navigate|swing by|stop by|pop|drive|roll|make your way|travel) )"),
    # When and whether the robot is to speak.
    ("when", rf",? (?:but )?(?:right |just |straight |immediately )?(?=(?:before|after) (?:you )?(?:have |"
             rf"had )?{_LATER}\b)"),
    ("when", r",? (?:but )?(?=(?:before|after) (?:going|coming|bringing|taking|putting|getting|fetching|giving|returning|"
             r"finding|leaving for|guiding|following|driving|delivering)\b)"),
    ("if", rf",? (?:but )?(?=(?:only )?(?:if|when|once|in case|provided) you {_SEEN}\b)"),
    ("if", rf",? (?:but |and )?(?=(?:unless|(?:only )?(?:if|when|in case)|as long as|provided(?: that)?) {_THEY} "
           rf"(?:asks?|wants? to know|wakes? up|(?:is|are|isn't|aren't)(?: already)? {_STATE}))"),
    ("if", r",? (?:but )?(?=only (?:if|when)\b)"),
    ("manner", r"(?:,| and|, and|,? but)(?: do it| say it| do so| only)? (?P<how>(?:very |really )?(?:quietly|"
        r"softly|gently|"
               r"politely|nicely|discreetly|loudly|slowly|carefully|in private|in a whisper|"
               r"silently))(?=\s*(?:[.!?]|$))"),
)  # fmt: skip
VP = re.compile(
    r"\b(?:will|would|can|could|should|shall|must|may|might|let us|let's|please|have to|has to|had to|needs? to|"
    r"wants? to|"
    r"going to|able to|[a-z]+'ll|[a-z]+'d|(?:i|we|you|they) (?:always |usually |often )?"
    r"(?:go|come|bring|take|get|put|leave|eat|work|live|sleep|wake|look))\b"
)
"""What a bare verb after "and" may be joined to in a message: "I will go home and bring the milk"."""
OWN_STATE = r"^(?:i|we|you|he|she|they|<N>)\b"
REQUEST = (
    r"\b(?P<verb>tell|ask|order|instruct|request|beg|urge) (?P<who>(?!(?:me|us|you|to|that|if|the (?:time|"
    r"date|day|"
    r"name|number|story|joke|truth|count|answer|result))\b)(?:<NS>|him|her|them|(?:the|an?|my|our|everyone|everybody|"
    r"whoever|"
    r"someone|somebody|anyone)\b(?:(?! (?:that (?!(?:is|are|has)\b)|(?:we|i|it|needs?|wants?|going|about|have|got|he|she|"
    r"they|you|"
    r"(?<!who )(?<!that )(?:is|are|has))\b))[a-z' ]){0,60}?|[a-z]+)) to (?P<said>(?!the\b|a\b|an\b|my\b|me\b|us\b|him\b|"
    r"her\b|them\b|"
    r"<N>\b|every|some|you\b|dinner\b|lunch\b|breakfast\b|it\b|be told\b)[a-z][^\"]*)"
)
TELLING = re.compile(
    r"^(?P<who>tell|show|explain to|let) (?P<to>me|us|you|him|her|them)(?: know)? (?P<said>(?:if|whether|what|when|"
    r"why|how|"
    r"where|which|who|whose)\b.*)$"
)
SAY_TO = (
    r"\bsay (?P<that>that )?(?P<said>(?:i|you|we|it|he|she|they|there|dinner|lunch|breakfast|this|that|(?<=that )[a-z]+)"
    r"(?:'[a-z]+)? (?!to\b)"
    rf"(?:(?! (?:and|then) (?:then )?{_ORDER}\b)[^\",.;])+?) to "
    r"(?P<who><N>|him|her|them|(?:the|everyone|everybody) ?[a-z' ]{0,40}?)"
    r"(?=\s*(?:[.!?;,]|$| and\b))"
)
SAY_BARE = (
    r"\bsay (?P<said>(?:(?:hello|hi|hey|good (?:morning|evening|afternoon|day))(?: everyone| everybody| all)?, (?:and )?"
    r"(?=(?:i|we|you|my|our|this|it|how|nice|welcome)\b)[a-z]+|(?:i|we|you|it|he|she|they|there|this|everything|"
    r"everybody|nobody|"
    r"dinner|lunch|breakfast|the [a-z]+)(?:'[a-z]+| (?:am|is|are|was|were|have|has|had|will|would|can|could|"
    r"should|must|need|"
    r"love|want|do|does|did|think|hope|miss)\b))[^\"]*)"
)
SAY_THAT = r"\bsay that (?P<said>(?!again\b|once\b|to\b|twice\b)[a-z][^\"]+)"
TELL_BARE = (
    r"\b(?:tell|inform) (?P<who><N>|him|her|them|the (?:man|woman|person|guy|lady|boy|girl|guest|guests|people)"
    r"(?: (?:in|at|on) "
    r"the [a-z]+(?: [a-z]+)??)?) (?P<said>(?!(?:the|his|her|your|my|a) (?:[a-z]+ )?(?:time|date|day|names?|number|pose|"
    r"gesture|colou?r|location|amount|count|answer|joke|story|weather|gender|position|way|whereabouts)\b)"
    r"(?:the|my|our|your|his|her|their|an?|some|this|all|no|<N>)(?: (?!(?:who|that|which|where|what|whose|"
    r"of|and|to|from)\b)"
    r"[a-z']+){1,4}? (?:is|are|was|were|has|had|have|will|would|can|could|should|must|isn't|aren't|won't|can't|doesn't|"
    r"leaves?|starts?|begins?|ends?|comes?|goes|works?|needs?|wants?|arrives?|closes?|opens?|runs?|smells?|tastes?|looks?|"
    r"says?|likes?|loves?|gets?|came|left|broke|arrived|called|went|died|won|lost|said|found|misses|stinks?|rang)\b[^\"]*)"
)
ASK_ME = r"\bask (?P<who>me|us) (?P<said>(?:if|whether|what|when|why|how|where|which|who|whose)\b[^\"]*)"
ASIDE = r"\b(tell|ask|inform|let) (<N>|him|her|them), (?:and )?(?:but )?not (?:<N>|him|her|them),? (?=\w)"
LISTED = (
    (r"\bsay (hello|hi|hey|goodbye|bye|good (?:night|morning|evening))(?: to (<NS>|him|her|them))? and that (?=[a-z])",
     r"say \1 to \2 and tell \2 that "),
    (r"\b(?:come|return|get|report) back (?:here |to me )?with (?:his|her|their|the|an) (?:answers?|reply|response)\b",
     "tell me the answer"),
    (r"\btell (<NS>|him|her|them) (hi|hello|hey|goodbye|bye|good (?:night|morning|"
     r"evening))(?: from me)? and that (?=[a-z])",
     r"say \2 to \1 and tell \1 that "),
    (r"\b(tell|inform) (<NS>|him|her|them) ((?:where|what|how many|who|if|whether|which|the time|a joke|hi|hello|goodbye|"
     r"good (?:night|morning|evening)|his|her|your)\b[^.;?!\"]{0,60}?) and that (?=[a-z])", r"\1 \2 \3 and tell \2 that "),
    (r"\b(tell|ask|inform) (?:both |each of )?(<N>)(?: first)?,? (?:and )?(?:then|also|afterwards|after that|finally) "
     r"(?:also )?(<N>),? (?=(?:that|if|whether|to|what|when|where|why|how|who|which)\b)", r"\1 \2 and \3 "),
    (r"\b(tell|ask|inform) (<N>|him|her|them),? and only (?:\2|him|her|them)\b", r"\1 \2"),
    (r"\b(tell|ask|inform) both (?=<NS>)", r"\1 "),
    (r"\b(tell|ask|inform) (<NS>|him|her|them), please,? (?=\w)", r"\1 \2 "),
)  # fmt: skip
"""Ways to name who is spoken to, each with the plain one."""
TELL_ALL = (
    r"\b(?:tell|inform) (?P<who><N>(?:(?:,| and|, and) <N>)+),? (?P<that>that )?(?P<said>(?(that)(?!to\b)|(?:i|"
    r"you|we|he|she|they|"
    r"it|there|the|my|our|your|his|her|their|dinner|lunch|breakfast)(?:'[a-z]+)? )[^\"]+)"
)
QUOTED_NEXT = r'\b(tell|ask)( [^"]*)"([^"]*)"(?:,? and|,)(?: then)? (<N>),? "'
ASK_ALL = (
    r"\bask (?P<who><N>(?:(?:,| and|, and) <N>)+),? "
    r"(?P<said>(?:if|whether|what|when|why|how|where|which|who|whose)\b[^\"]*)"
)
UNKNOWN = re.compile(
    r"\b(tell|explain to|show) (?!(?:me|us)\b)((?:the )?[a-z]+(?: (?:in|at|on) the [a-z]+)?) (?:why\b|how (?:i|"
    r"you|we|he|she|they|it)\b"
    r"|when (?!you\b)|(?:that )?(?:you|i) (?:did|have|had|do)(?: it| so| that)?(?=\s*(?:[.!?;,]|$))|the truth\b|"
    r"a secret\b|a lie\b|lies\b|(?:exactly )?what (?:i|you|we|he|she|they) "
    r"(?!(?:see|saw|find|found|can see|can do|are called)\b)|whether (?:i|you|we)\b|where (?:i|we) (?:am|"
    r"are)\b)[^.!?;,\"]*"
)
ANSWERED = re.compile(
    r"(?P<waits>(?:,| and|, and| then|, then| and then) wait for (?:an?|the|his|her|their) (?:answer|reply|response))|"
    r"\b(?:tell|let|report|bring|give|inform|come)\b[^.;?!\"]*?(?:\b(?:what|how|whether|if) (?:he|she|they) (?:says?|said|"
    r"answers?|answered|reply|replies|replied|responds?|responded|reacts?|reacted|agrees?|thinks?)\b|"
    r"\b(?:his|her|their|the) (?:answer|reply|response|reaction)\b)"
)
"""What shows that an answer is awaited to what somebody is told."""
HOW_IS = (
    r"(?:\b(?:go (?:and )?)?(?:check(?: up)?|look in) on (?P<on>(?!(?:him|her|them)\b)(?:the [a-z ]{2,40}?|[a-z]"
    r"+)),?(?: and)?"
    r"(?: then)?(?: come back)?(?: and)? )?\b(?:tell me|let me know|report(?: back)?(?: to me)?|find out|see) how "
    r"(?P<they>he|she|they) (?:is|are|'s|feels?|(?:is|are) (?:doing|feeling))(?: doing| feeling)?(?=\s*(?:[.?!;,]|$|"
    r" and\b))"
)
