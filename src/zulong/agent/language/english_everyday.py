"""Everyday ways of saying where things go and how things are done, put the direct way.

"Chuck the can in the bin" puts it there, "get Charlie to follow you to the sofa" guides him, "blade down, carefully" and
"with the other toys" change nothing of what is to be done. Patterns work on lower-case text with opened contractions and
single blanks, like those of :mod:`zulong.agent.language.english_turns`.
"""

from __future__ import annotations

import re

_NP = (
    r"(?:it|them|that|those|(?:the|my|our|your|that|this|these|those|a|an|some|all the|his|her|two|three) "
    r"(?:(?!(?:and|or|to|is|are|if|but|not|you|i|we|it|so|then|in|into|out|away|down) )[a-z']+ ){0,4}?"
    r"(?!(?:and|or|to|is|are|if|but|not|you|i|we|it|so|then|in|into|out|away|down)\b)[a-z']+)"
)
_BIN = r"(?=(?:the |my |our )?(?:[a-z]+ )?(?:bin|trash ?bin|trash|rubbish|garbage|dustbin|waste ?basket|trash can)\b)"
_STARTS = r"(?:^|(?<=[,.;:!?] )|(?<=\band )|(?<=\bthen )|(?<=\bplease )|(?<=\byou )|(?<=\bjust )|(?<=\bso ))"
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|half|quarter|moment)"
_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
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
        # staying
        (rf"\bstop (?:there|here|put|off there)(?: for)? (?=(?:about |another )?(?:[a-z0-9-]+ ){{1,3}}{_UNIT}\b)",
         "wait there for "),
        # how it is done
        (r",? (?:and )?(?:with )?(?:the )?(?:blade|handle|face|lid|label|right side|right way|this way|pointy end|sharp end|"
         r"open end|upside) (?:down|up|first|out|in)(?:wards?)?(?=\s*(?:[,.;!?]|$))", ""),
        (r",? with (?:my|our|all my) (?:compliments|love|regards|best wishes|thanks|blessing|best regards)(?=\s*(?:[,.;!?]|"
         r"$))",
         ""),
        (r" (?:along |together )?with (?:the|all the|my|your|our) (?:other|rest of the) (?:(?!(?:on|in|at|"
         r"to)\b)[a-z]+ ){0,2}?"
         r"(?=(?:on|in|at|into|onto) (?:the|my|our) )", " "),
        (r"((?:on|in|into|onto|at) (?:the|my|our) [a-z ]+?) (?:along |together )?with (?:the|all the|my|your|"
         r"our) (?:others?|"
         r"rest)(?: (?:of the )?[a-z]+){0,2}(?=\s*(?:[,.;!?]|$))", r"\1"),
        (r",? before (?:somebody|someone|anyone|anybody|i|we|he|she|they|one of us|the kids?) (?:trips?|falls?|slips?|"
         r"steps?|"
         r"treads?|stands?|stumbles?|sits?|breaks? (?:his|her|my|their|a) neck)(?: (?:over|on)(?: (?:it|them|that))?)?"
         r"(?=\s*(?:[,.;!?]|$))", ""),
        (r"\b(pop|put|set|plonk|stick) ((?:the|my) [a-z ]+?) down for (?:me|us)\b", r"put \2 down"),
        (r" or (?:thereabouts|thereabout|around there|somewhere (?:near|close|around)(?: by| there)?)(?=\s*(?:[,.;!?]|$))", ""),
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


def put_plainly(text: str) -> str:
    """Return the sentence with its everyday turns put the direct way."""
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return text
