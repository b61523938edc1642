"""English orders in an unusual order of words, turned into the usual one.

"To Jane give the pasta", "on the left of the bowl is a thing, bring it to me", "of the things in the bedroom, find
three". Patterns work on lower-case text with single blanks, outside quotation marks; each covers the whole of what it
turns round, so that nothing that was said gets lost.
"""

from __future__ import annotations

import re

_POLITE = r"((?:(?:please|robot|zulong|hey|ok|okay|so|and|then|now|could you|can you|would you)[, ]+)*)"
_GIVE = r"(give|bring|hand|pass|deliver|take|fetch|serve)"
_THE_NOUN = r"(?:the|this|that|my|these|those) [\w ]{2,30}?"
_NOUN = r"(?:(?:the|a|an|some|my|this|that|these|those) )?(?!(?:he|she|it|they|i|we|you|there|who|what|which)\b)[\w ]{2,30}?"
_THING = r"(?:object|item|thing|article|one|something)"
_SIDES = r"(?:side|hand side|part|end|edge|corner)"
_PLACED = r"(?:from|on|in|at|by|inside|off)"
_RELATION = (
    r"(?:at|on|to) the (?:left|right)(?: (?:hand )?side)? of|above|behind|under|below|underneath|beneath|on top of|"
    r"in front of"
)
_END = r"(?:,? (?:please|now|thanks|thank you|right away|right now|for me|quickly|as soon as possible|robot))*\W*$"
_REPLY = r"(?:an|the|your|some|a)? ?(?:answer|answers|response|reply)"
_QUESTION = r"(?:(?:a|an|the|his|her|their|any|my|one|some) )*(question|quiz|questions)"

_INVERSIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"^{_POLITE}i(?: would|'d) (?:really |also )?(?:like|love) (?:you|for you) to (?=\w)", r"\1please "),
        (rf"^{_POLITE}(?:would|could|can|will|do) you (?:mind )?(?:helping|help) me(?: out)?(?: please)?(?: with "
            rf"something)?"
         r"[?.!,:;]+ (?=\w)", r"\1"),
        (rf"^{_POLITE}to (\w+|the \w+) {_GIVE} (?=\w)([^,;]+)$", r"\1\3 \4 to \2"),
        # "the milk goes on the table", "the milk needs to be given to Jane"
        (rf"^{_POLITE}({_THE_NOUN}) goes? (?=(?:on|in|into|onto|to|inside) (?:the|my)\b)([^,;]+)$", r"\1put \2 \3"),
        (rf"^{_POLITE}({_NOUN}) (?:needs?|ha(?:s|ve)|ought|is|are|must|should)(?: to)? be "
         r"(?:given|brought|handed|delivered|taken|passed|fetched) (?=to\b)([^,;]+)$", r"\1bring \2 \3"),
        (rf"^{_POLITE}({_THE_NOUN}) goes? to (?!the\b|my\b|him\b|her\b|a\b)(\w+)(?={_END})", r"\1bring \2 to \3"),
        (rf"^{_POLITE}({_NOUN}) (?:needs|wants|would like|has) to (?:be told|hear|know) (?=(?:the|what|your|something|a)\b)",
         r"\1tell \2 "),
        (rf"^{_POLITE}({_NOUN}) is (?:what|the one(?: that)?) i (?:want|need|would like)(?={_END})", r"\1bring me \2"),
        (rf"^{_POLITE}({_NOUN}) (?:needs?|ha(?:s|ve)|must|should)(?: to)? be (?:found|located) (?=(?:in|on|at) )([^,;]+)$",
         r"\1find \2 \3"),
        # "from the desk to the shelf move the tray"
        (rf"^{_POLITE}from (the [\w ]+?) to (the [\w ]+?),? (move|bring|take|carry|lead|guide|escort|follow) (\w+|{_NOUN})"
         rf"(?={_END})", r"\1\4 \5 from \2 to \3"),
        # "of the things in the bedroom, could you locate three?"
        (rf"^{_POLITE}of (?:all )?(?:the )?(\w+) ((?:in|on|at|inside) [\w ]+?),? {_POLITE}"
         rf"(find|locate|look for|bring me|get me) (two|three|four|\d){_END}", r"\1\4\5 \6 \2 \3"),
        # "on the left of the bowl from the sofa is an object, hand it to me"
        (rf"^{_POLITE}(?:(?:there is |there 's )?(?:an? |the |some )?({_THING}) )?(?:located |placed |sitting |that is )?"
         rf"({_RELATION}) ({_NOUN}) ({_PLACED} {_NOUN})(?: (?:there )?is (?:an? |the |some )?({_THING}))?[,;.]? {_POLITE}"
         rf"({_GIVE[1:-1]}|get|grab|retrieve)((?: me)?) it\b(?: over)?([^,;]*)$",
         r"\1\7\8\9 the object \3 \4 \5\10"),
        # "the thing placed at the right most of the bar"
        (rf"\b(?:the |an |a )?({_THING}) (?:that is |which is )?(?:placed |located |situated |sitting )?(?:at|on|to|"
            rf"in) the "
         rf"(?:far |very )?(right|left) ?most(?: {_SIDES})? (?:of|from|in|on|at)\b", r"the \2most \1 from"),
        (r"\b(?:on|at|to) the (right|left)(?: (?:hand )?side)? of the room\b", r"on the \1"),
        (rf"^{_POLITE}the ((?:\w+ )?(?:big|larg|small|heavi|light|thinn)\w*est [\w ]+?), {_POLITE}"
         r"(bring|give|hand|pass|get|fetch)((?: me)?) (?:it|them)\b([^,;]*)$", r"\1\3\4\5 the \2\6"),
        # "I want the chips from the chair, can you bring them to me?"
        (rf"^{_POLITE}i (?:want|need|would like) ({_NOUN}) (from {_NOUN})[,.;]? (?:so )?(?:can|could|will|would) you "
         rf"(?:please )?(?:bring|get|give|fetch|grab|hand|pass)(?: me)? (?:it|them)(?: to me| for me)?(?={_END})",
         r"\1bring me \2 \3"),
        (rf"^{_POLITE}(?:can|could|do) you see ((?:the|a|an|any|some|my) [\w ]+? (?:in|on|at) [^,;]+)$", r"\1is there \2"),
        (rf"\b(?:put|place|set|lay|leave) ({_NOUN}) (?:in|into) my hands?\b", r"bring me \1"),
        (rf"\bswitch ({_NOUN}) from (?=[\w ]+? to (?:the|my)\b)", r"move \1 from "),
        (rf"\bhang ({_NOUN}|it|them) (?:up )?(?=(?:on|in|over|by) (?:the|my)\b)", r"put \1 "),
        (r"\bgo (?:on|ahead|right) (?=(?:over|to|into|down to|up to|in)\b(?! with))", "go "),
        (r"\bhand (\w+) over (?=(?:the|a|an|my|some|that|this)\b)", r"hand \1 "),
        (r"\bfrom where (?:he|she|they|it) (?:is|are) (?:at|in|on|by) ", "from "),
        (r"\b(at|on|to) the (?:very|extreme|absolute) (left|right)\b", r"\1 the far \2"),
        (r"\b(which|what) one is (?=the \w+est\b)", r"\1 is "),
        (r"\bthose (?=who\b|that (?:are|is)\b)", "the people "),
        (r"\bidentify (?=the (?:person|man|woman|guest|individual) (?:in|at|on|by)\b)", "tell me the name of "),
        (r"\bhow (the (?:person|man|woman|guest)\b[\w ]*?) is (?:posed|posing|positioned)\b", r"the pose of \1"),
        (r"\bhow is (the (?:person|man|woman|guest)\b[\w ]*?) (?:posed|posing|positioned)\b", r"what is the pose of \1"),
        (r"\bgive me a list of\b", "tell me"),
        (r"\bwhat (?:position|stance) (?=(?:is|does) (?:the|that) (?:person|man|woman|guy|lady|guest)\b)", "what pose "),
        (rf"^{_POLITE}(at|in|on|by|near|inside) (the [\w ]+?),? you (?:will|can|may|might|should)? ?"
         r"(?:find|see|meet) ([\w ]+?)[,.;] (?=\w)", r"\1\4 is \2 \3. "),
        (r"\b(take|bring|guide|lead|escort|accompany) (\w+), (?:who )?you (?:can|will|may) find (?:(?:him|her|them) )?"
         r"(?:at|in|on|by|near) (the [\w ]+?), to (?=the\b)", r"\1 \2 from \3 to "),
        (rf"\b(?:make sure|see to it|ensure)(?: that)? ({_NOUN}) (?:ends? up|goes|gets put|is put|lands|is placed) "
         r"(?=(?:in|on|into|onto|inside|at|by) (?:the|my)\b)", r"put \1 "),
        # somebody's question
        (r"\b(?:needs?|wants?|would like|has|have) (?:a|some|their|his|her) questions? answered\b", "has a question"),
        (rf"^{_POLITE}there is ({_NOUN}(?: (?:in|at|on|by) the [\w ]+?)?) (?:who has|that has|with|having) (?:a|some) "
         rf"(question|quiz)(?: for you)?(?={_END})", r"\1answer the \3 of \2"),
        (rf"^{_POLITE}(?:there is )?((?:the|a|an) [\w ]{{2,60}}?) (?:who |that )?(?:has|with|having|have) (?:a|some) "
         rf"(question|quiz)(?: for you)?[,;.]? {_POLITE}(?:go )?(?:and )?answer (?:it|him|her|them)(?=\W*$)",
         r"\1\4answer the \3 of \2"),
        (rf"\b(?:give|provide|offer|supply)(?: (?:him|her|them))?(?: with)? {_REPLY} (?:to|for) ((?:the )?\w+) ?'s "
         r"(question|quiz)\b", r"answer \1's \2"),
        (rf"\b(?:give|provide|offer|supply|tell|say|share|present)((?: (?:him|her|them|me|the \w+))?)(?: with)? {_REPLY} "
         rf"(?:to|for) {_QUESTION}(?! (?:of|that|who)\b)", r"answer\1 a \2"),
        (rf"\b(provide|supply|present) (him|her|them|\w+) with {_REPLY}(?! to\b)", r"answer \2 a question"),
        (r"\b(question|quiz) (?:that |which )?(?:you (?:will be|are going to be|are)|will be) asked\b", r"\1"),
        (r"\b(question|quiz) (?:posed|asked|raised|put forward) by\b", r"\1 of"),
        # who goes along with whom
        (r"\b(follow) (\w+|the [\w ]+?) (?:as|while|when) (?:he|she|they) (?:goes|walks|moves|heads|go|walk|move|head) "
         r"(?=from|to)", r"\1 \2 "),
        (rf"^{_POLITE}(?:starting|beginning) (?:at|from) (the [\w ]+?), {_POLITE}(follow|guide|lead|escort|take|accompany) "
         r"(\w+|the [\w ]+?) to (?=the\b)", r"\1\3\4 \5 from \2 to "),
        (r"\b(?:have|let|make|get|ask) (him|her|them|\w+)(?: to)? (?:follow|come (?:along )?with|go (?:along )?with|"
         r"accompany|tag along with) you\b", r"guide \1"),
        (r"\b(?:find|make) (?:your |the |a )?way (?:over |back )?(?:to|into|towards)\b", "go to"),
        # "find the room where the beer is"
        (r"\b(find|locate|look for|search) (?:out )?(?:the )?(?!out\b)(\w+(?: room)?) where ((?:the |my |a |some )?[\w ]+?) "
         rf"(?:is|are)(?={_END})", r"find \3 in the \2"),
        # "tell Michael, over at the stove, what day it is"
        (r"\b(tell|give|bring|ask|hand|let) (\w+), (?:who is )?(?:over )?((?:at|in|by|near|on) (?:the )?[\w ]{3,20}?), ",
         r"\1 \2 \3 "),
    )
)  # fmt: skip


def straightened(text: str) -> str:
    """Return the sentence in the usual order of words."""
    said = text.rstrip()
    blank = text[len(said) :]
    for pattern, plain in _INVERSIONS:
        said = pattern.sub(plain, said)
    return said + blank
