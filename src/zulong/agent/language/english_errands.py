"""Wordings of English errands with people, each put the plain way: saying, asking, finding, leading, waiting.

What somebody is to be told or asked is put in quotation marks, so that it is taken word for word: it is neither
carried out nor searched for unknown words. Patterns work on lower-case text with opened contractions and single
blanks.
"""

from __future__ import annotations

import re

_LIST = tuple[tuple[str, str], ...]

_NEXT = (
    r"(?:come|return|report|tell me|tell us|let me know|let us know|inform me|wait|go|then|bring|give|take|fetch|get|ask|follow|"
    r"guide|lead|escort|look|find|put|head|drive|get back|afterwards|after that|say)"
)
_END = rf"(?=\s*(?:[.?!;]|$)|,? (?:and then|and|then|, then) (?:please |also |go and |go )?{_NEXT}\b|, please\b| please\s*(?:[.?!]|$))"
_SAID = rf"(?P<said>[^\"]+?){_END}"
_NOT_ME = r"(?!(?:me|us|to|that|what|if|whether|where|how|who|why|when|which|it|you|i|nobody|no one|the (?:time|date|day|name|number)|a joke|about|your|something|everything|anything)\b)"
_ONE = rf"(?P<who>{_NOT_ME}[a-z]+)"
_SOMEBODY = (
    rf"(?P<who>{_NOT_ME}(?:(?:the|everyone|everybody|whoever|someone|somebody|anyone|a|an|my|all|our|one of the|any|each|whomever|people) ?"
    r"(?:[a-z' ]{0,70}?)|[a-z]+(?: (?:in|at|on|near|by|over in|out in) (?:the )?[a-z ]{3,20}?)?))"
)
_GOING = r"(?:go (?:and |over and |over to )?)?"
_WISH = (
    r"(?:(?:very |really |most |wonderful )*(?:happy|merry|nice|pleasant|safe|lovely|great|speedy|quick|good|best|fun|"
    r"wonderful|fantastic|restful|blessed|beautiful|successful|warm)\b[a-z ]*|all the best[a-z ]*|luck[a-z ]*|well|"
    r"strength[a-z ]*|sweet dreams|success[a-z ]*|congratulations[a-z ]*|merry christmas|bon appetit|bon voyage)"
)

SPOKEN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        # -- reported: "tell Jane that lunch is on the table"
        (rf"\b(?:tell|inform|notify|advise|assure|remind|warn|alert|let) {_SOMEBODY} (?:know )?that (?!is\b|are\b|was\b|has\b|wears\b|one\b)"
         rf"{_SAID}", r'tell \g<who> "\g<said>"'),
        (rf"\blet {_SOMEBODY} know,?:? (?!if\b|whether\b|what\b|where\b|how\b|who\b|when\b|which\b|about\b|the\b){_SAID}", r'tell \g<who> "\g<said>"'),
        (rf"\blet {_SOMEBODY} know (?=(?:if|whether|what|where|how|who|when|which|about|the)\b)", r"tell \g<who> "),
        (rf"\b(?:pass (?:it |this |the word |word |the news |the message )?(?:on |along )?|relay (?:it |the news |the message )?|convey |"
         rf"mention |explain |announce |report |say |send (?:the )?(?:word|news|message) |bring word |break the news |break it |communicate |"
         rf"give (?:the )?(?:word|message|news) )to {_SOMEBODY},? (?:that|:) ?{_SAID}", r'tell \g<who> "\g<said>"'),
        (rf"\b(?:give|send|bring|pass|take|hand) {_SOMEBODY} (?:the|a|this|my|an) (?:[a-z]+ )?(?:message|note|news|info|information|heads up|notice|"
         rf"reminder|word|warning|update)(?: from me| that says| saying| telling (?:him|her|them))?(?: that|,|:|\.|\?)? {_SAID}",
         r'tell \g<who> "\g<said>"'),
        (rf"\b(?:deliver|pass|pass on|relay|take|bring|give|send|carry|convey|transmit) (?:the|a|this|my|an|the following) (?:[a-z]+ )?"
         rf"(?:message|note|news|info|word|reminder|notice|update)(?: on| along)? (?:to|for) {_SOMEBODY}"
         rf"(?: that says| saying| telling (?:him|her|them))?(?: that|,|:|\.|\?) {_SAID}", r'tell \g<who> "\g<said>"'),
        (rf"^(?P<o>(?:[a-z]+,? )?)(?:a |new |i have a |i have got a |there is a )?(?:message|note|news|word) for {_SOMEBODY}(?:,|:| -) {_SAID}",
         r'\g<o>tell \g<who> "\g<said>"'),
        (rf"\b(?:tell|instruct|order|warn|advise|remind|ask) {_SOMEBODY} not to {_SAID}", r'tell \g<who> "please do not \g<said>"'),
        (rf"\b(?:tell|say to) {_ONE},? (?P<said>(?:i|we|he|she|it|they|you|there|her|his|my|our|their|your|dinner|lunch|breakfast|supper|"
         rf"food|tea) (?:[a-z' ]+ )?(?:is|are|was|were|am|has|have|had|will|would|can|could|should|must|need|needs|want|wants|love|loves|starts|miss|"
         rf"like|likes|do|does|did|went|left|said|called|thinks?|hopes?|comes?|came|found|got|made|brought)\b[^\"]*?){_END}",
         r'tell \g<who> "\g<said>"'),
        (rf"\btell {_ONE},? (?P<said>(?:happy|merry|good luck|well done|congratulations|congrats|sorry|thank you|thanks|bon|welcome (?:home|back)|"
         rf"get well|no problem|yes|all the best|cheers)\b[^\"]*?){_END}", r'tell \g<who> "\g<said>"'),
        (rf"\b{_GOING}(?:thank|say thank you to|say thanks to) {_SOMEBODY} (?P<said>for [^\"]+?){_END}", r'tell \g<who> "thank you \g<said>"'),
        (rf"\b{_GOING}(?:thank|say thank you to|say thanks to) {_SOMEBODY}(?: from me| for me)?{_END}", r'tell \g<who> "thank you"'),
        (rf"\b{_GOING}(?:apologi[sz]e|say sorry) to {_SOMEBODY}(?: for me| from me| on my behalf)?{_END}", r'tell \g<who> "sorry"'),
        (rf"\b{_GOING}(?:apologi[sz]e|say sorry) to {_SOMEBODY}(?: for me| on my behalf)? (?P<said>(?:for|about) [^\"]+?){_END}",
         r'tell \g<who> "sorry \g<said>"'),
        (rf"\b{_GOING}congratulate {_SOMEBODY} (?P<said>(?:on|for) [^\"]+?){_END}", r'tell \g<who> "congratulations \g<said>"'),
        (rf"\b{_GOING}congratulate {_SOMEBODY}{_END}", r'tell \g<who> "congratulations"'),
        (rf"\b(?:send|give|pass on|convey|pass|extend|deliver) (?:my |our )(?P<said>(?:[a-z]+ )?(?:regards|greetings|love|best|wishes|thanks|respects|"
         rf"apologies|condolences|congratulations|compliments)) to {_SOMEBODY}{_END}", r'tell \g<who> "\g<said>"'),
        (rf"\b(?:send|give|pass|extend) {_SOMEBODY} (?:my |our )(?P<said>(?:[a-z]+ )?(?:regards|greetings|love|best|wishes|thanks|respects|apologies|"
         rf"condolences|congratulations|compliments)){_END}", r'tell \g<who> "\g<said>"'),
        # -- wishes
        (rf"\b(?:wish|bid|tell) {_SOMEBODY} (?:a )?(?:very |really )?(?P<said>good night|goodnight|good morning|good evening|good afternoon|"
         rf"good day|farewell|goodbye|good bye|bye|welcome|hello|hi|hey)(?: from me| for me)?{_END}", r"say \g<said> to \g<who>"),
        (rf"\bwish {_SOMEBODY} (?:a |an )?(?P<said>{_WISH}){_END}", r'say "\g<said>" to \g<who>'),
        (rf"\bsay (?:a |an )?(?P<said>{_WISH}) to (?P<who>{_NOT_ME}[a-z' ]+?){_END}", r'say "\g<said>" to \g<who>'),
        (rf"\bsay (?P<said>good (?:morning|evening|afternoon|day)){_END}", r'say "\g<said>"'),
        # -- asked: "find out from Angel what she wants", "ask Robin: are you coming?"
        (rf"\b(?:find out|learn|get to know|hear|check) (?:from|with) {_SOMEBODY} (?P<said>(?:if|whether|what|when|why|how|where|which|who)\b[^\"]+?){_END}",
         r"ask \g<who> \g<said>"),
        (rf"\bask {_SOMEBODY}(?:,|:| this:| the following:| the question:) ?(?P<said>(?!and\b|then\b|please\b)[^\",]+?){_END}", r'ask \g<who> "\g<said>?"'),
    )
)  # fmt: skip
"""What is to be said or asked word for word, put in quotation marks."""

_JOKE = r"(?:an? |some |one of your |your |the )?(?:\w+ )?jokes?"
_THEM = r"(?:him|her|them|it)"
_DO = r"(?:find|spot|locate|track|hunt|get|see|bring|catch|meet|pick|fetch|follow|reach|dig|take|tell|put|go|figure|work|count|ask|search|make out|grab|carry|lead|guide)"
_TEN = r"(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|forty-five|sixty|\d+)"
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?)"
_PERSON = r"((?!the way\b)(?:the |a |an |my |our )?[a-z][a-z' ]{1,40}?)"
_PLACE = r"((?:the |my |our |your |his |her |their )[a-z][a-z ]{2,25}?)"
_STOP = r"(?=\s*(?:[.?!;,]|$)| (?:and|then|please|for me|if|or)\b)"

_WITH_PEOPLE: _LIST = (
    # -- jokes and greetings
    (rf"\b(?:crack|share|make|do|pull|drop|throw in|come up with|find|deliver) {_JOKE} (?:for|to|with|at) ", "tell a joke to "),
    (rf"\b(?:make|have|get|let) {_PERSON} (?:to )?(?:laugh|smile|chuckle|giggle)(?: with {_JOKE})?{_STOP}", r"tell a joke to \1"),
    (rf"\b(?:cheer {_PERSON} up|(?:entertain|amuse|cheer up|brighten up) (\w+|the [a-z ]+?)) (?:with|by telling) {_JOKE}", r"tell a joke to \1\2"),
    (rf"\btell (\w+|the [a-z' ]+?) (?:one of your (?:\w+ )?jokes|your best joke|a (?:good|funny|nice|new|great|silly|little|short|quick) (?:joke|one)){_STOP}", r"tell \1 a joke"),
    (r"\b(?:give|offer|send|extend) (\w+|(?:the|everyone|everybody) [a-z' ]+?) (?:a |an |my |our )?(?:very |big |warm |friendly |kind |nice |little |hearty )*"
     rf"(?:hello|hi|welcome|greeting|greetings|wave|shout|hey|salute|hug and a hello){_STOP}", r"say hello to \1"),
    (r"\b(?:give|offer|extend|send|say|wave) (?:a |an |my |our )?(?:very |big |warm |friendly |kind |nice |little |hearty |quick )*(?:hello|hi|welcome|greeting|"
     r"greetings|wave|shout|hey|salute) (?:over )?(?:to|at) ", "say hello to "),
    (r"\bsay (?:a |an |my |our )?(?:very |big |warm |friendly |kind |nice |little |quick )*(hello|hi|good morning|good night|goodbye|good evening|good afternoon|bye) to ",
     r"say \1 to "),
    (r"\bsay (good day|good morning|good evening|good afternoon) and ", r"say \1, and "),
    (r"\b(?:introduce|present) yourself to the people\b", "say hello to everyone"),
    # -- reporting back
    (r"\b(?:tell|report|inform|let|give|bring)(?: back)?(?: to)? ?(?:me|us)?(?: back)?(?: know)? (?:what|how) (?:(?:he|she|they|\w+) (?:says?|said|answers?|answered|repl(?:y|ies|ied)|"
     r"responds?|responded|thinks?|wants?|tells? you|told you|reacts?)|(?:the|his|her|their) (?:answer|reply|response) (?:is|was|turns out to be)|you (?:find|found) out|you hear|you learn)",
     "tell me the answer"),
    (r"\b(?:bring|give|get|tell|report|pass on)(?: it)?(?: back)?(?: to)?(?: me| us)?(?: back)? (?:with )?(?:his|her|their|the) (?:answer|reply|response)(?: back)?(?: to me| to us)?",
     "tell me the answer"),
    (r"\bask (\w+|the [a-z' ]+?) (?:for|about) (?:his|her|their) name\b", r"ask \1 what the name is"),
    (rf"\bhelp {_PERSON} (?:out )?(?:with|by answering|answer) (?:his|her|their|a) (question|quiz|quiz question|riddle)\b", r"answer the \2 of \1"),
    (rf"\b{_PERSON} (?:has|have|has got|would like to ask|wants to ask|is asking)(?: you)? (?:a|some|one) (question|quiz|riddle)[,.;]? (?:please |can you |could you |would you |and |so |go |kindly )*"
     r"(?:answer|respond to|reply to|help) (?:it|him|her|them|the question|with it)\b", r"answer the \2 of \1"),
    # -- finding
    (r"\bthe (?:one|guest|somebody|someone) (?=(?:who|that) (?:is|has|wears|points|waves|sits|stands)\b)", "the person "),
    (rf"\b(?:go )?(?:and )?(?:see|check|find out|try) (?:if|whether|to see if|and see if) you (?:can|could|are able to|manage to|might) (?={_DO}\b)", ""),
    (r"\b(?:go on|be on|start|begin) (?:a |the )?(?:hunt|search|lookout|quest) for ", "find "),
    (r"\b(?:be |keep )?(?:on the )?(?:an eye out|look ?out) for ", "find "),
    (r"\b(?:have|take|go have|go take|do) (?:a |an )?(?:quick |good |proper )?(?:look|look around|look round|hunt|search|scout around|rummage)(?: around| everywhere)? for ", "find "),
    (rf"\b(?:have|take) a (?:quick |good )?look (?:around|round|in|inside|through) {_PLACE} (?:and|to) (?:find|for|locate|spot|look for|see if you can find) (\w+|the [a-z' ]+?){_STOP}",
     r"find \2 in \1"),
    (rf"\b(?:check|comb|scour|inspect|explore|look through|look around|look round|go through|look over|hunt through|rummage through|search through|search|scan) {_PLACE} "
     rf"(?:for|to find|and find|and look for) ((?:the |my |a |an |some |any |our )?[a-z][a-z' ]{{1,30}}?){_STOP}", r"find \2 in \1"),
    (rf"\b(?:report|tell|give|send|let)(?: me)?(?: back)? (?:his|her|its|their|the) (?:location|whereabouts|position|location back)(?: back)?(?: to me)?", "tell me where it is"),
    (rf"\b(?:report|inform)(?: me)?(?: back)?(?: to me)? (?=where (?:it|he|she|they|you)\b)", "tell me "),
    (rf"\btell me (?:where|in which room|what room|which room) (?:you (?:have )?(?:found|find|saw|see|spotted|located) {_THEM}|(?:he|she|they|it) (?:is|are|was|were)(?: hiding| now| at)?|to find {_THEM})(?: in)?", "tell me where it is"),
    (rf"\b(?:i am looking for|i need to find|i need to see|i am trying to find|i want to find|i can not find) {_PERSON}[,.;] ?(?:and |so |please |can you |could you |would you |will you |kindly |help me )*"
     rf"(?:find|look for|locate|search for|track down|fetch) {_THEM}(?: for me| please)?{_STOP}", r"find \1"),
    (rf"\bhelp (?:me|us) (?:to )?(?=(?:find|look|locate|search|track|count|carry)\b)", ""),
    # -- leading
    (rf"\b(?:see|show|walk|lead|take|escort|bring|guide|accompany|usher) {_PERSON} (?:off|out)(?: please)?(?=\s*(?:[.?!;,]|$))", r"guide \1 to the exit"),
    (rf"\b(?:see|send) {_PERSON} off (?:at|to) ", r"guide \1 to "),
    (r"\bthe way (?:out|outside|to the outside)\b", "the way to the exit"),
    (rf"\b(?:get|fetch|grab|collect|pick up|go get|go and get|go fetch|go and fetch|go to) ((?!the way\b)(?:the )?[a-z]+(?: (?:in|from|at) the [a-z ]+?)?),? and (?:then )?"
     r"(bring|take|lead|guide|escort|accompany|show|walk) (?:him|her)\b", r"find \1 and \2 them"),
    (rf"\b(?:pick up|collect) (\w+) (?:from|in|at) {_PLACE} and (take|bring|lead|guide|escort|walk|accompany) (?:him|her|them)\b", r"find \1 in \2 and \3 them"),
    (rf"\bshow {_PERSON} (?:how to get to|where to find|the way to|the route to|the path to|the road to|to) {_PLACE}{_STOP}", r"guide \1 to \2"),
    (rf"\bhelp {_PERSON} (?:to )?(?:get to|find|reach|find (?:his|her|their) way to|go to|walk to|over to) {_PLACE}{_STOP}", r"guide \1 to \2"),
    (r"\bto (?:his|her|their) (?=(?:chair|bed|desk|room|seat|armchair|sofa|bedroom|office|table)\b)", "to the "),
    # -- following
    (r"\b(follow|go after|go with|stay with|tail|accompany|trail|shadow) ([\w' ]+?)(?: to)? (?:wherever|everywhere|anywhere|where ever) (?:(?:that )?(?:he|she|they|it|i|we|\w+) (?:goes|go|moves|move|walks|walk|heads|head|wanders|may go|might go))?",
     r"\1 \2"),
    (r"\b(?:stay|keep|stick|remain|walk|be|drive|roll|hang) (?:right |close |closely |just )+(?:behind|to|by|with|on the heels of) (?=(?!the (?:bed|sofa|desk|table)\b)\w)", "follow "),
    (r"\bdo not (?:lose|let)(?: sight of| track of)? (\w+),? (?:out of sight,? )?(?:and )?follow (?:him|her|them)\b", r"follow \1"),
    (r"\b(?:be|become) (\w+)'s shadow\b", r"follow \1"),
    # -- waiting
    (rf"\b(?:take|have|make) (?:an? )?({_TEN})[- ](second|minute|hour)s? (?:break|pause|rest|breather|nap|wait|timeout)\b", r"wait \1 \2s"),
    (rf"\b(?:take|have|make) an? (?:short |little |quick )?(?:break|pause|rest|breather) (?:of|for) (?={_TEN}\b)", "wait "),
    (rf"\b(?:chill|chill out|relax|hang|idle|stand by|stand around|stay where you are|stay right there|stay right here|stay there|stay here|do nothing|hold your horses|hold position|"
     rf"hold still|be still|keep still|stay still|hold on|hang on|hang tight|wait here|wait there|remain here|remain there|remain where you are|take five)(?: for)? (?=(?:at most )?{_TEN} (?:and a half |more )?{_UNIT}\b)", "wait "),
    (rf"\b(wait|stay|pause)(?: here| there| right here| right there| where you are| patiently)* (?:for |about |around |roughly |approximately |another |just |a further )+(?={_TEN} (?:more )?{_UNIT})", r"\1 for "),
    (rf"\b({_TEN}) more ({_UNIT})\b", r"\1 \2"),
    (r"\b(?:for )?(?:a |one )?quarter (?:of an? |of one )?hour\b", "for 15 minutes"),
    (r"\b(?:for )?three quarters of an hour\b", "for 45 minutes"),
    (r"\b(?:for )?(?:a|one) minute and a half\b|\b(?:for )?one and a half minutes\b", "for 90 seconds"),
    (r"\b(?:for )?(?:an|one) hour and a half\b|\b(?:for )?one and a half hours\b", "for 90 minutes"),
    (r"\b(?:for )?two and a half minutes\b", "for 150 seconds"),
    (r"\b(?:for )?two minutes and a half\b", "for 150 seconds"),
    (r"\b(?:for )?a couple(?: of)? (seconds|minutes|hours)\b", r"for 2 \1"),
    (r"\bhalf a (minute|second)\b", r"half a \1"),
)  # fmt: skip

WITH_PEOPLE = tuple((re.compile(pattern), plain) for pattern, plain in _WITH_PEOPLE)
"""The patterns and what they are put as, in the order they apply."""


_SECOND = {"is": "are", "has": "have", "does": "do", "was": "were"}


_FREE_HER = frozenset(("to", "in", "on", "at", "for", "and", "or", "with", "that", "if", "today", "now", "there", "here", "tomorrow"))


def to_the_person(words: list[str]) -> str:
    """Turn "if she wants tea" into "you want tea", as it is said to her."""
    said: list[str] = []
    spoken = words[1:] if words[:1] in (["if"], ["whether"]) else words
    for number, word in enumerate(spoken):
        after = spoken[number + 1] if number + 1 < len(spoken) else ""
        if said[-1:] == ["you"] and word in _SECOND:
            word = _SECOND[word]
        elif said[-1:] == ["you"] and word.endswith("s") and not word.endswith("ss") and len(word) > 3:
            word = word[:-1]
        if word in ("his", "their", "its") or (word == "her" and after and after not in _FREE_HER):
            word = "your"
        said.append("you" if word in ("she", "he", "they", "her", "him", "them") else word)
    if said[:2] == ["you", "are"]:
        said[:2] = ["are", "you"]
    return " ".join(said)


_ASKED = re.compile(
    rf"\b(?:ask|question|check with|inquire of|enquire of|inquire from|find out from|see from|hear from) {_SOMEBODY},? "
    rf"(?P<said>(?:if|whether|what|when|why|how|where|which|who|whose|about)\b[^\"]+?){_END}"
)
_PLAIN_QUESTION = re.compile(r"\b(?:name|names|called|time it|day it|date|pose|gesture|day of|quiz)\b|^who (?:is|are|has|wears|wants) ")
"""What the robot knows how to ask, and what may belong to whom it asks."""


def _as_asked(match: re.Match[str]) -> str:
    said = match.group("said")
    if _PLAIN_QUESTION.search(said):
        return match.group(0)
    told = "can you tell me " if said.startswith("about ") else ""
    return f'ask {match.group("who")} "{told}{to_the_person(said.split())}?"'


def quoted(text: str) -> str:
    """Return the sentence with what is to be said or asked word for word in quotation marks."""
    if '"' in text:
        return text
    text = _ASKED.sub(_as_asked, text)
    if '"' in text:
        return text
    for pattern, plain in SPOKEN:
        text = pattern.sub(plain, text)
        if '"' in text:
            break
    return text
