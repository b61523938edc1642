"""Everyday ways of saying where things go and how things are done, put the direct way.

"Chuck the can in the bin" puts it there, "get Charlie to follow you to the sofa" guides him, "blade down, carefully" and
"with the other toys" change nothing of what is to be done. Patterns work on lower-case text with opened contractions and
single blanks, like those of :mod:`zulong.agent.language.english_turns`.
"""

from __future__ import annotations

import re

_NP = (
    r"(?:it|them|that|those|(?:the|my|our|your|that|this|these|those|a|an|some|all the|his|her|two|three) "
    r"(?:(?!(?:and|or|to|is|are|if|but|not|you|i|we|it|so|then|in|into|out|away|down) )[a-z'-]+ ){0,4}?"
    r"(?!(?:and|or|to|is|are|if|but|not|you|i|we|it|so|then|in|into|out|away|down)\b)[a-z'-]+)"
)
_BIN = r"(?=(?:the |my |our )?(?:[a-z]+ )?(?:bin|trash ?bin|trash|rubbish|garbage|dustbin|waste ?basket|trash can)\b)"
_STARTS = r"(?:^|(?<=[,.;:!?] )|(?<=\band )|(?<=\bthen )|(?<=\bplease )|(?<=\byou )|(?<=\bjust )|(?<=\bso ))"
_SUCH = (
    r"(?:fruits?|toys?|drinks?|dishes|snacks?|foods?|things?|stuff|cups?|mugs?|balls?|ones?|cleaning (?:things|stuff|"
    r"supplies)|"
    r"plates?|bottles?|tins?|cans?|cutlery|spoons?|forks?|bits?|groceries)"
)
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|half|quarter|moment)"
_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        # fillers
        (r"^(?:ok |so |well |right |oi |hmm |um )*(?:let us see|let me see|let me think|"
         r"let us think)(?: now)?[,.:;]+ (?=[a-z])",
         ""),
        (r"\b(a|one|two|three|four|five|ten) (?:whole|full|entire|good|solid) (?=(?:minute|second|hour)s?\b)", r"\1 "),
        (r"^(?:the |my |our )?(?:[a-z]+ )?(?:desk|table|sink|shelf|bed|sofa|stand|rack|fridge|kitchen|office|bedroom|"
         r"bathroom|room|"
         r"place|floor|counter|pantry|cabinet|bookshelf|dishwasher) needs? (?:clearing|tidying|a tidy|sorting|emptying|"
         r"a clear(?:ing)? out)"
         r"(?: up| out)?[:.,;-]+ (?=[a-z][^.]* (?:to|into|onto) the )", ""),
        (rf"\bbring ({_NP}) (?:along )?with you (?:and|when you) (?:come|return)(?: back| here| over)*(?: to me)?\b",
         r"bring me \1"),
        # where a thing belongs
        (rf"^(?:i|we) do not want ({_NP}) (in|on|at|by) (the [a-z ]+?)[.,;!]+ (?:so |please )*(?:put|move|take|place|"
         rf"stick) it "
         r"(?=(?:to|in|on|into|onto|back)\b)", r"there is \1 \2 \3, put it "),
        (rf"^({_NP}) (?:has no business|has no place)(?: being)? (in|on|at) (the [a-z ]+?)[.,;!]+ (?:it (?:goes|belongs|"
         rf"lives) )?"
         r"(?:in |on |to )?(?:the )?([a-z]+(?: [a-z]+)?)(?=[.!]*$)", r"move \1 from \3 to the \4"),
        (r"^((?:(?:the|my|our) )?(?:(?!(?:it|they|that|this|i|we|you|he|she|if|not|everything|"
         r"who)\b)[a-z']+ ){1,7}?)(?:both |all )?"
         r"(?:belongs?|goes|lives?|should (?:go|be|live)|needs? to (?:go|be)) ((?:on|in|at) (?:the|my) [a-z ]+?)[.,;]* "
         r"(?:so |and )?(?:please |can you |could you |kindly )*(?:take care of (?:it|that|this)|see to (?:it|that|this)|"
         r"sort "
         r"(?:it|that|this)(?: out)?|handle (?:it|that|this)|deal with (?:it|that|this)|do (?:it|that)|make (?:that|"
         r"it) happen|"
         r"put (?:it|them) (?:there|back|away)|get (?:it|them) there|move (?:it|them)(?: there)?)(?: for me|"
         r" please)*(?=[.!?]*$)",
         r"put \1\2"),
        # other words for going and bringing
        (r"\b(?:make|take|do) a (?:quick |little |short )?(?:trip|run|dash|visit) (?:over |down |up )?(?=to (?:the|"
         r"my) )", "go "),
        (r"^your (?:next|first|last|final) (?:stop|destination|port of call) (?:is|will be) (?=(?:the|my) )", "go to "),
        (r"\b(?:rustle|dig|fish|hunt) me (?:up|out|down) ", "bring me "),
        (r"\bshoot (?:me )?over (?=(?:the|a|an|my|some) )", "bring me "),
        (r"\bpoint ((?!(?:me|us|it|at|to|out)\b)[a-z]+) the way (?=to (?:the|my) )", r"guide \1 "),
        (rf"\b(?:shove|yeet|wang|bang|whop) ({_NP}) (?=(?:on|in|onto|into|inside|back) )", r"put \1 "),
        (rf"\b((?:kindly|please) )keep ({_NP}) (?=(?:on|in|inside) (?:the|my) )", r"\1put \2 "),
        (r"\b([a-z]+) fancies (?=(?:the|a|an|some) )", r"\1 wants "),
        # into the bin
        (rf"\b(?:throw|toss|chuck|sling|lob|bung|dump|fling|ditch|drop|get rid of)(?: out| away)? ({_NP})(?: out| away)? "
         rf"(?:in|into|in to) {_BIN}", r"put \1 in "),
        (rf"{_STARTS}bin ({_NP})(?=\s*(?:[,.;!?]|$| for me| and\b| please\b))", r"put \1 in the bin"),
        # who is led
        (r"\b(?:get|have|let|ask) ((?!(?:me|us|it|them)\b)[a-z]+|the (?:person|man|woman|guy|lady|"
         r"guest)[a-z ]{0,30}?) (?:to )?"
         r"follow you (?:back |over |along )?(?=(?:to|into) )", r"guide \1 "),
        (r"\b(follow|guide|lead|escort|accompany|walk|take) ((?:me|us|him|her|them|[a-z]+)) as far as (?=the |my |our )",
         r"\1 \2 to "),
        (r"\b(go|drive|walk|come|head|roll) as far as (?=the |my |our )", r"\1 to "),
        (r"(?<=[a-z])(?:,|\.|;)? (?:because |as |since )?i need (?:him|her|them)(?: (?:now|here|urgently|"
         r"over here))*(?=[.!]*$)",
         ""),
        (r"^stop following [a-z]+(?:,| and|,? then|,? and then)+ (?=follow )(?P<rest>[^,.;]+?)(?: instead)?(?=[.!]*$)",
         r"\g<rest>"),
        (r"\b(?:fetch|get|collect|pick up) ((?!(?:me|us|it|them|the|a|an|some|my)\b)[a-z]+) from (the [a-z]+(?: [a-z]+)?) "
         r"and (?:bring|take|lead|guide|escort|show|walk) (?:him|her) ", r"guide \1 in \2 "),
        (r"\b(?:fetch|collect|get) ((?!(?:me|us|it|them|the|a|an|some|my)\b)[a-z]+(?<!s)) from (the [a-z]+(?: [a-z]+)?) "
         r"and (?:bring|take|lead|guide|escort|show|walk) them (?=to the )", r"guide \1 in \2 "),
        (r"\b(follow [a-z]+)(?:, (?:he|she|they) (?:is|are) [^,.;]+)?,? (?:but )?only (?:till|until|up to|as far as|"
         r"to) (?=(?:the|my) [a-z ]+[.!]*$)",
         r"\1 to "),
        (r"^(?:when|once|as soon as) ([a-z]+) (?:gets going|starts? (?:walking|moving|to move|to walk|off)|moves|sets off|"
         r"gets "
         r"up)(?: off)?, (?:follow|tag along behind|go after|walk behind|tag along with|trail) (?:him|her|"
         r"them)\b", r"follow \1"),
        (r"\bcome (?:(?:a (?:bit|little)|much) )?(?:closer|nearer)(?: to me)?\b(?: please)?(?:[,.;]+ (?:i|we) can ?not "
         r"(?:hear|see|reach) you[a-z ]*)?", "come to me"),
        (r"\breport back (?:here|over here)\b", "come back here"),
        (r"(?<=[a-z])(?:,|;|\.)?(?: and)?(?: then)? (?:end|finish)(?: up| off)? (?:at|in|by) (?=(?:the|my|"
         r"your) [a-z ]+[.!]*$)",
         ", then go to "),
        # staying
        (rf"\bstop (?:there|here|put|off there)(?: for)? (?=(?:about |another )?(?:[a-z0-9-]+ ){{1,3}}{_UNIT}\b)",
         "wait there for "),
        # how it is done
        (r",? (?:and )?(?:with )?(?:the )?(?:blade|handle|face|lid|label|right side|right way|this way|pointy end|sharp end|"
         r"open end|upside) (?:down|up|first|out|in)(?:wards?)?(?=\s*(?:[,.;!?]|$))", ""),
        (r",? with (?:my|our|all my) (?:compliments|love|regards|best wishes|thanks|blessing|best regards)(?=\s*(?:[,.;!?]|"
         r"$))",
         ""),
        (rf" (?:along |together )?with (?:the|all the|my|your|our) (?:other|rest of the) (?:{_SUCH} )?(?=(?:on|in|at|into|"
         rf"onto) "
         r"(?:the|my|our) )", " "),
        (rf"((?:on|in|into|onto|at) (?:the|my|our) [a-z ]+?) (?:along |together )?with (?:the|all the|my|your|"
         rf"our) (?:others?|rest)"
         rf"(?: (?:of the )?{_SUCH})?(?=\s*(?:[,.;!?]|$))", r"\1"),
        (r",? before (?:somebody|someone|anyone|anybody|i|we|he|she|they|one of us|the kids?) (?:trips?|falls?|slips?|"
         r"steps?|"
         r"treads?|stands?|stumbles?|sits?|breaks? (?:his|her|my|their|a) neck)(?: (?:over|on)(?: (?:it|them|that))?)?"
         r"(?=\s*(?:[,.;!?]|$))", ""),
        (r"\b(pop|put|set|plonk|stick) ((?:the|my) [a-z ]+?) down for (?:me|us)\b", r"put \2 down"),
        (r" or (?:thereabouts|thereabout|around there|somewhere (?:near|close|around)(?: by| there)?)(?=\s*(?:[,.;!?]|"
         r"$))", ""),
        # wishes
        (r"\bwould (?:quite|rather|really|very much|so|dearly|absolutely|actually|kind of|sort of) (?=(?:like|love|"
         r"appreciate) )", "would "),
        (r"\bpl+e+a+s+e+\b", "please"),
        (r"\bis wanting\b", "wants"),
        (r"\bare wanting\b", "want"),
        (r"\b(?:is|are) needing\b", "needs"),
        (r"\b([a-z]+ and [a-z]+) both (?=(?:want|need|would like|fancy) )", r"\1 "),
        # turned round
        (r"\btable of (?:the )?kitchen\b", "kitchen table"),
        (r"\bball of tennis\b", "tennis ball"),
        (r"\bjuice of orange\b", "orange juice"),
        (r"\bsoup of tomato\b", "tomato soup"),
        (r"\bthe way in(?=\s*(?:[,.;!?]|$)| for | and | then )", "the entrance"),
        # what is said of the robot
        (r"\bdock yourself\b", "go to your dock"),
        (r"^(?:mission (?:complete|accomplished)|job done|all done(?: here)?|we are (?:all )?done(?: here)?|that is (?:all|"
         r"it)|"
         r"good (?:work|job)|well done)[,.;!]+ (?=[a-z])", ""),
        (r"(?<=[a-z])[,.;]* (?:your |the )?batter(?:y|ies) (?:is|are|looks?|must be) (?:[a-z]+ ){0,3}?(?:low|flat|empty|"
         r"dying|"
         r"dead|down|weak|drained|exhausted|red)(?=[.!]*$)", ""),
        (r"[,.;]* (?:and )?then (?:you are|that is you) (?:done|finished|free|through|all done)(?: for (?:now|"
         r"today))?(?=[.!]*$)",
         ""),
    )
)  # fmt: skip


_TOGETHER: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            rf"\b(?:get|grab|take|fetch|pick up|collect) ((?:{_NP}, )*{_NP},? and {_NP}),? (?:and then|and|then) (?:put|"
            rf"place|"
            r"set|leave|stick|drop|pop|stash) (?:them|both|both of them|these) ",
            re.IGNORECASE,
        ),
        r"put \1 ",
    ),
    (
        re.compile(
            rf"\b(?:get|grab|take|fetch|pick up|collect) ((?:{_NP}, )*{_NP},? and {_NP}),? (?:and then|and|then) (?:give|"
            rf"hand|"
            r"bring|take|deliver|carry) (?:them|both|both of them|these) (?:over )?to ",
            re.IGNORECASE,
        ),
        r"bring \1 to ",
    ),
)


def gathered(text: str) -> str:
    """Return "get the cup and the bowl and put them on the desk" as putting both there, in any spelling."""
    for pattern, plain in _TOGETHER:
        text = pattern.sub(plain, text)
    return text


def put_plainly(text: str) -> str:
    """Return the sentence with its everyday turns put the direct way."""
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return text
