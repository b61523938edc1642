"""Wordings of English questions, each put the plain way: where, how many, what, which, what time.

Patterns work on lower-case text with opened contractions and single blanks. A wording is rewritten only where the
whole of it is known; the names of things and people in it stay as they are, so that an unknown one is still asked
about.
"""

from __future__ import annotations

import re

_END = r"(?=\s*(?:[?.!,;]|$| and (?:tell|let|bring|get|come|then|take|give|fetch|put|report|if)\b))"
_NAME = r"(?:the |my |our |your |his |her |their |that |this |those |these |a |an |some |any )?[\w' ]{2,40}?"
_WE = r"(?:you|i|we|he|she|they|anyone|anybody|someone|somebody|one|people)"
_ROOM = (
    r"(?:rooms?|places?|spots?|parts? of the (?:house|home|flat|apartment|place)|corners?|locations?|areas?|tables?|"
    r"shelf|shelves|surface|piece of furniture|furniture)"
)
_SEE = (
    r"(?:see|saw|seen|spot|spotted|notice|noticed|find|found|leave|left|put|keep|kept|store|stored|place|placed|"
    r"drop|dropped|lay|set|set down|put down|stash|stashed|come across|came across|encounter|encountered|run into|"
    r"ran into|ran across|run across|bump into|bumped into|stumble (?:upon|on|over|across)|"
    r"stumbled (?:upon|on|over|across)|catch sight of|caught sight of|lay eyes on|laid eyes on|meet|met|look at|have|"
    r"had|remember seeing|recall seeing|remember putting|remember leaving|remember)"
)
_OFTEN = (
    r"(?:last|first|ever|happen to|happened to|by any chance|most recently|recently|usually|normally|always|maybe|perhaps|"
    r"already|possibly|actually|even|chance to|get to see|just|typically|generally)"
)
_LATELY = (
    r"(?:lately|recently|today|now|right now|again|anywhere|anywhere around|around|around here|somewhere|about|at|"
    r"by any chance|these days|in the house|in the flat|in the apartment|at home|at present|at the moment|currently|"
    r"here|here somewhere|last|last time|would you|do you know|do you|can you tell me|you know|"
    r"(?:the )?last time (?:that )?(?:you|i|we|anyone) (?:saw|looked|checked|had|used|noticed|met|came across)"
    r"(?: at)?(?: it| them| him| her)?|when you last saw (?:it|them|him|her)|if you know|to be found|hiding|off to|"
    r"got to|up to|to|then|though|anyway|please tell me|in there|exactly|these last days|of late|any more|anymore)"
)
_GONE = (
    r"(?:go|gone|went|going|get to|got to|gotten to|wander off|wandered off|run off|ran off|been|be|be hiding|hide|end up|"
    r"ended up|disappear|disappeared|vanish|vanished|hiding|hidden|move|moved|head|headed|wander|wandered|sneak off|"
    r"got off to|get off to|walk off|walked off|kept|stored|located|placed|left|found|put|situated|hang out|hanging out)"
)
_KNOWING = (
    r"(?:(?:do |would |will |can |could |might )?you (?:not )?(?:would |might |do )?(?:not )?(?:happen to |by any chance |"
    r"perhaps |maybe |possibly |still |even )?(?:know|remember|recall|have (?:any|an|a|some) (?:idea|clue|inkling|notion)|"
    r"(?:be able to )?(?:tell|say|remind) me)|(?:do you have |have you |have you got |you got |got )?(?:any|an|a|some) "
    r"(?:idea|ideas|clue|inkling|thoughts on|notion|guess|memory of)(?: as to| about| of)?|"
    r"i (?:am |was |do )?(?:just )?(?:wonder|wondering|would like to know|would love to know|want to know|need to know|"
    r"would like you to tell me|curious|forget|forgot|have forgotten|not remember|not recall|not know|can not remember|"
    r"can not recall|no longer know|have no idea|have no clue)|wondering|curious|refresh my memory|remind me|no idea)"
)
_LIST = tuple[tuple[str, str], ...]

_WHERE: _LIST = (
    # "where on earth is", "whereabouts is"
    (r"\bwhere ?abouts(?= (?:is|are|was|were|did|do|can|could|have|has|might|would)\b)", "where"),
    (r"\b(where|who|what|how|which room) (?:on earth|in the world|in the (?:house|flat|apartment|home)|the heck|the hell|"
     r"the devil|in heaven's name|exactly|precisely|the fuck|in god's name) (?=(?:is|are|was|were|did|do|does|have|has|can|"
     r"could|might|would|i|you|we)\b)", r"\1 "),
    (rf"\b(?:what|which) (?:is|was) the (?:exact |current |present |last known |most recent |latest )*(?:location|"
     r"whereabouts) of\b", "where is"),
    (r"\b(?:what|which) (?:is|was) the (?:last |latest |most recent )?(?:place|room|spot|location) (?:where |that |in which )?"
     r"(?:you|i|we|anyone) (?:last )?" + _SEE + r"\b", "where is"),
    (r"\bthe (?:last |latest |most recent )?(?:place|room|spot|location) (?:where |that |in which )?(?:you|i|we) (?:last |"
     r"had last )?" + _SEE + r"\b", "where is"),
    (r"\b(?:(?:give|get|tell|send) me |i need |i want |find out |do you know |report |let me know |can i have |any news on |"
     r"any news of )?(?:the |your )?(?:(?:exact|current|present|last known|most recent|latest|last|known|last reported) )*"
     r"(?:location|whereabouts) (?:of|for) ", "where is "),
    # "in which room is ...", "which room did you last see ... in"
    (rf"\b(?:in|on|at|inside) (?:which|what) (?:\w+ )?{_ROOM} (?:is|are|was|were|might|could|can|do|does|did|have|has|would)"
     rf"(?: {_WE})?(?: {_OFTEN})*(?: {_SEE})? (?=\S)", "where is "),
    (rf"\b(?:which|what) (?:\w+ )?{_ROOM} (?:did|do|have|has|can|could) {_WE}(?: {_OFTEN})* {_SEE} ({_NAME})"
     rf"(?: (?:in|on|at))?(?: last)?{_END}", r"where is \1"),
    (rf"\b(?:which|what) (?:\w+ )?{_ROOM} (?:is|are|was|were) ({_NAME}) (?:in|on|at|kept in|kept on|stored in|staying in|"
     rf"sitting in|hiding in)(?: now| right now| at the moment| currently)?{_END}", r"where is \1"),
    # "where did you last see ..."
    (rf"\bwhere (?:is it that |was it that )?(?:did|do|does|have|has|had|can|could|might|may|would) (?:{_WE}|(?!the\b|my\b|"
     rf"your\b)\w+)(?: {_OFTEN})* {_SEE} (?=\S)", "where is "),
    (rf"\bwhere (?:is|was) it (?:that )?{_WE}(?: {_OFTEN})* {_SEE} (?=\S)", "where is "),
    (rf"\bwhere (?:to|can one|could one|might one|would one) (?:find|look for|get|expect) (?=\S)", "where is "),
    (rf"\bwhen (?:did|have) {_WE}(?: {_OFTEN})* {_SEE} (?=(?:the|my|a|any|some|our|your)\b)", "where is "),
    # "where did Paris go", "where has the ball got to"
    (rf"\bwhere (?:did|has|have|had|might|could|can|may|is|are|was|were|would|does|do|will) ({_NAME}) {_GONE}"
     rf"(?: to| off to| off)?(?: {_LATELY})?{_END}", r"where is \1"),
    # -- seen
    (rf"\b(?:have|did|has|had) (?:you|anyone|anybody|someone|somebody)(?: {_OFTEN})* {_SEE} (?=(?:the|my|any|a|an|our|your|"
     r"his|her|some|that)\b|\w+(?: \w+)?(?: (?:around|lately|recently|anywhere|today|about))?\s*[?.]|\w+$)", "have you seen "),
    (rf"\b(?:who|has (?:any|some)(?:one|body)) (?:has |have )?(?:last )?(?:seen|saw|spotted|noticed|found|knows about) "
     r"(?=(?:the|my|our|your)\b)", "have you seen "),
    (rf"\b(?:has|have|did) ({_NAME}) (?:turned up|turn up|shown up|show up|been seen|been spotted|been found|appeared|"
     rf"surfaced|come to light)(?: {_LATELY})?{_END}", r"where is \1"),
    (rf"\bwhat (?:has )?(?:happened to|became of|has become of|become of) ({_NAME}){_END}", r"where is \1"),
    (rf"^((?:[a-z ]+, ?)?)(?:seen|spotted|noticed) ((?:the|my|our|any|a|an) [\w' ]{{2,30}}?|\w+)(?: {_LATELY})*{_END}",
     r"\1have you seen \2"),
    # -- what is lost
    (rf"\bi (?:have )?(?:completely |totally )?(?:lost track of|lost sight of|misplaced|mislaid|lost)\b", "i can not find"),
    (r"\bi (?:can|could|do|am|was) ?not (?:seem to |manage to |quite |able to |get to |for the life of me )*(?:find|locate|"
     r"spot)\b", "i can not find"),
    (r"\bi (?:am |have been )?(?:trying|struggling|looking everywhere|looking all over|searching everywhere|looking|"
     r"searching|hunting)(?: to find| for)\b", "i am looking for"),
    (rf"\bi (?:can not find|am looking for) ({_NAME})(?: anywhere| at all)?[,.;]? (?:and )?(?:have you seen|did you see|any "
     rf"sign of|seen|where (?:is|are)|where could|do you know where|any idea where) (?:it|them|he|she|they|him|her)"
     rf"(?: (?:is|are|be|went|goes|gone))?(?: {_LATELY})?{_END}", r"where is \1"),
    (rf"\bi (?:can not find|am looking for) ({_NAME})(?: anywhere| at all)?[,.;]? (?:so |and )?(?:please |can you |could you |"
     r"would you |will you |go |and |help me |kindly )*(?:find|look for|search for|locate|hunt for|track|seek)"
     r"(?: it| them| him| her)(?: down)?(?: please| for me)?" + _END, r"find \1"),
    (r"[,;.] ?(?:because |as |since )?(?:i|we) (?:can|could|do|did|have) ?not (?:for the life of me )?(?:remember|recall|know|"
     r"think|say|seem to remember|have any idea|have a clue|forgotten) (?:any more |anymore )?where (?:i|we|he|she|they) "
     r"(?:have |had |last )?(?:put|left|laid|placed|saw|had|dropped|stored|kept) (?:it|them)" + _END, ""),
    (r",? (?:and |but )?(?:i|we) (?:do|would|could|really do|honestly do) not (?:really )?(?:care|mind) (?:what|which|where|who|how|when)(?: one| kind)?" + _END, ""),
    # -- knowing
    (rf"\b{_KNOWING},? (?=where\b|how many\b|how much\b|who\b|what\b|which\b|whether\b|when\b)", "tell me "),
    (r"\btell me (?:again )?(?:please )?(?=where (?:is|are)\b)", ""),
    (rf"\bwhere ({_NAME}) (?:went|go|goes|has gone|have gone|is gone|got to|has got to|have got to|might be|could be|may be|"
     rf"is hiding|are hiding|is at|are at|is kept|are kept|is located|are located|can be found|ended up|has ended up|"
     rf"disappeared to|has been|was|were|is now|are now|would be|should be|has wandered off to|wandered off to)"
     rf"(?: {_LATELY})*{_END}", r"where is \1"),
    (rf"^((?:[\w ,]*? )?)tell me where ({_NAME}) (?:is|are)(?: {_LATELY})*(?:, ?(?:would|do|can|could) you)?(?=\s*[?.!]*$)",
     r"\1where is \2"),
    (rf"\bwhere (?:{_WE}) (?:had |have )?(?:last )?(?:{_SEE}) (?=(?:the|my|our|your|a|his|her|that)\b)", "where is "),
    (rf"\bwhere (is|are|was|were|could|might|can|may)(?: be)? ({_NAME})(?: be| be found)?(?:,? {_LATELY})+(?=\s*[?.!,]*$)",
     r"where is \2"),
    (rf"\bwhere (?:could|might|can|may) ({_NAME}) be{_END}", r"where is \1"),
    (rf"\b(have you seen (?!it\b)[\w' ]{{2,40}}?)(?: {_LATELY})+(?=\s*[?.!]*$)", r"\1"),
)  # fmt: skip

_COUNTED = r"(?:how many|the number of|number of|how much|count|tally|the amount of|there are|are there)"
_COUNTING: _LIST = (
    (r"\b(?:ppl|peeps|ppls|peple|pple|poeple|persons)\b", "people"),
    (r"\b(?:rn|atm)\b", ""),
    (rf"\b({_COUNTED}[^,.?!]*?) (?:at the moment|at this moment|right now|at present|altogether|all together|in total|overall|"
     r"in all|all in all|as we speak|at this point|just now|presently|momentarily|currently|for now)(?=\s|[,.?!]|$)", r"\1"),
    (rf"\bexactly (?={_COUNTED})", ""),
    (r"\b(?:(?:do|take|get|run|make|perform|carry out|give|i need|we need|i want|i would like|can i have|could i have|could i "
     r"get|can i get|let me have|please)\s)?(?:me |us )?(?:a |the |an )?(?:quick |full |rough |exact |fast )?"
     r"(?:head ?count|people count|head-count|count of heads)(?: of| for| in| at| on| from)? (?:the )?(?:people |persons )?"
     r"(?:in |at |on )?(?=(?:the |my |our )?\w)", "count the people in "),
    (r"\bcount (?:the )?heads\b", "count the people"),
    (r"\b(?:do|take|run|make|get|give|perform|carry out)(?: me| us)? (?:a |an |the )?(?:quick |full |exact |fast |proper )?"
     r"(?:count|tally|total|census|inventory count|stock count)(?: of| on| for)? (?=(?:the |all |my |our )?\w)", "count "),
    (r"\b(how many|how much|number of|amount of) (?:bottles|cans|glasses|cartons|packs|boxes|bags|tins|packets|tubes|pieces|"
     r"bits|portions|units) of (?=\w)", r"\1 "),
    (rf"\b(how many [\w' ]{{2,30}}?) (?:does|do|has|have|did) ((?:the|my|our) [\w ]{{2,25}}?) (?:have|hold|contain|got|"
     r"store|carry)(?: on it| in it| inside| on top| in there| on there)?" + _END, r"\1 are in \2"),
    (r"\b((?:people|persons|folks|guests|anyone|anybody|someone|somebody|who is|who|everyone)(?: there)?(?: are| is)?) "
     r"(?:hanging out|hanging around|hanging|chilling|chilling out|gathered|present|staying|milling around|assembled|"
     r"loitering|lounging about|to be found|socialising|partying|congregated|around) (?=(?:in|on|at|near|by)\b)", r"\1 "),
    (r"\b(how many [\w' ]{2,30}?(?: there)? are|is there [\w' ]{2,30}?|are there [\w' ]{2,30}?)(?: there)?"
     r" (?:left|remaining|available|stored|kept|to be found) (?=(?:in|on|at)\b)", r"\1 "),
    (r"\b((?:is|are) there (?:any |some |still |a |an )*[\w' ]{2,30}?), ?(?:or|and) (?:are we|did we|have we|is it|are they|not|"
     r"has it)\b(?: (?:run |all )?(?:out|gone|empty|none|it|of it|left))*(?=\s*[?.!]*$)", r"\1"),
    (r"\b((?:is|are) there (?:any |some |still |a |an )*[\w' ]{2,40}?) or (?:are we (?:all )?out|did we run out|have we run "
     r"out|is it (?:all )?gone|not|is it empty|are we out of it)(?=\s*[?.!]*$)", r"\1"),
    (r"\b(?:is|are) (someone|somebody|anyone|anybody|people|the milk|any people) (?:still |already |currently )?"
     r"(?:(?=in\b|on\b|at\b))", r"is \1 "),
    (r"\b(is (?:some|any)(?:one|body) [^,.?!]*?) (?:at the moment|right now|at present|now|currently|just now)(?=\s*[?.!]|$)",
     r"\1"),
    (r"\bhow (?:busy|crowded|full of people|packed) is (?=(?:the|my|our)\b)", "how many people are in "),
)  # fmt: skip

_MOST = (
    r"(?:biggest|largest|smallest|heaviest|lightest|thinnest|leftmost|rightmost|bulkiest|hugest|tiniest|littlest|greatest|"
    r"slimmest|skinniest|weightiest|most massive|most voluminous|most heavy|least heavy|most light|furthest left|most to the "
    r"(?:left|right)|furthest to the (?:left|right))"
)
_WEIGHS = r"weighs? (?:the )?(?:most|least)|(?:is|are) (?:the )?" + _MOST
_WITHIN = r"(?:in|on|at|inside|under|near|next to|by|over there|around)"
_SUPERLATIVES: _LIST = (
    (r"\b(?:bulkiest|hugest|most massive|most voluminous|greatest)\b", "biggest"),
    (rf"\b({_MOST})(?: in (?:size|weight|mass)| by (?:size|weight|mass))\b", r"\1"),
    (r"\b(?:highest|greatest|biggest) (?:weight|mass)\b", "heaviest"),
    (r"\b(?:lowest|smallest) (?:weight|mass)\b", "lightest"),
    (rf"(?:^|(?<=[,.;] )|(?<=me ))(?:out of|from among|from|among|amongst|of|between)(?: all)?(?: of)? ((?:the|those|these|all|my|our) "
     rf"[\w ]{{2,45}}?),? (?:tell me |do you know )?(?:which|what)(?: one)? ({_WEIGHS})\b", r"which of \1 \2"),
    (rf"\b(?:which|what)(?: one)? ({_WEIGHS})(?: one)?,? (?:out of|of|among|amongst|from)(?: all)?(?: of)? ((?:the|those) "
     rf"[\w ]{{2,45}}?){_END}", r"which of \2 \1"),
    (rf"\b({_MOST})(?: one| item)? (?:of|among|amongst|out of) (?:all )?the (\w+)\b", r"\1 \2"),
    (rf"\b(?:find out|work out|figure out|determine|establish|identify|name|report|check|discover|say|find|tell) (?:for me )?"
     rf"(?:the (?:name of the )?|(?:which|what) (?:is )?the )({_MOST}) ([\w ]+? {_WITHIN} [\w ]+?)(?:,? (?:and|then|and then))"
     rf"(?: please)?(?: come back and)? (?:tell|let|report|inform|get back|say|name)(?: it)?(?: back| to| me| know| what it is| it)*{_END}",
     r"tell me what is the \1 \2"),
)  # fmt: skip

_LOOKED = r"(?:you (?:can )?(?:see|find|spot|notice|discover)|is there|is on it|is in it|is inside|is on there|is in there|there is|it looks like|it holds|things you see|is lying there|is on top)"
_SEEING: _LIST = (
    (rf"\bwhat (?:is|are|do we have|have we got|do you have|have you got|all is|else is|stuff is|things are|objects are|"
     rf"items are|is there|are there|might be|could be|can be found|would i find|will i find|can i find|do you find|"
     rf"can one find|do we keep|do i have|have i got|have i|do they have|is there to see|there is)(?: (?:there|lying|sitting|standing|placed|"
     rf"located|kept|stored|left|to be found|currently|around|laid out|resting|visible|found|right now|all|now|hidden|"
     rf"put|available|to see|these days|present|still|inside|going on))* (?={_WITHIN}\b(?! (?:it|a hurry|danger|fire|trouble|time)\b))", "what is "),
    (r"\bwhat (?:all )?(?:does|do) ((?:the|my|our) [\w ]{2,25}?) (?:hold|contain|have (?:on|in) (?:it|top)|have inside|have|"
     r"store|carry|have to offer|keep)(?: inside| right now| at the moment| currently| in it| on it)?" + _END, r"what is in \1"),
    (rf"\b(?:tell me |list |name |give me |read out |show me )?(?:all |every )?(?:the )?contents? of (?=(?:the|my|our)\b)", "tell me what is in "),
    (r"\b(?:what|which) (?:kinds?|sorts?|types?) of (?:stuff|things?|objects?|items?|goods)\b(?: (?:do we have|are there|have we "
     r"got))?", "what"),
    (r"\b(?:what|which) (?:kinds?|sorts?|types?) of (?=\w)", "which "),
    (r"\bwhat (?=(?:are|is) (?:there )?(?:in|on|at) )", "what "),
    (r"\bwhat is (?:there )?(?:for us |for me )?to (?:eat|munch|nibble)(?: on)? (?=(?:in|on|at)\b)", "which food is "),
    (r"\bwhat is (?:there )?(?:for us |for me )?to drink (?=(?:in|on|at)\b)", "which drink is "),
    (r"\bwhat is (?:there )?(?:for us |for me )?to (?:snack on|snack) (?=(?:in|on|at)\b)", "which snack is "),
    (r"\bwhat is (?:there )?to play with (?=(?:in|on|at)\b)", "which toy is "),
    (r"\b(?:go (?:and )?(?:to )?)?(?:(?:have|take|cast|get|grab) an? (?:quick |good |close |closer |brief )?(?:look|peek|peep|"
     r"glance|gander|squint)|look|peek|glance|check)(?: over| around| through)? (?:at|in|inside|on|into|around|over|through) "
     rf"((?:the|my|our|your) [\w ]{{2,25}}?),?(?: and(?: then)?|, then) (?:tell|let|report|say|describe|inform|name|list)"
     rf"(?: back)?(?: to)?(?: me)?(?: know)?(?: about)? (?:what(?: all)?|everything|the things|all) (?:that )?{_LOOKED}{_END}",
     r"tell me what is in \1"),
    (r"\b(?:have|take|cast|get) an? (?:quick |good |close |brief )?(?:look|peek|glance) at (?=what (?:is|are)\b)", "tell me "),
    (r"\blook (?:at )?(?=what (?:is|are)\b)", "tell me "),
    (rf"\b(?:look at|go (?:look at|to|check|inspect)) ((?:the|my|our) [\w ]{{2,25}}?) and (?:describe|tell me|report|say|list)"
     rf"(?: to me| me)? (?:what|everything)(?: that)? {_LOOKED}{_END}", r"tell me what is in \1"),
    (r"\bdescribe (?:to me |for me )?(?=what (?:is|are)\b)", "tell me "),
    (rf"\bdescribe (?:to me |for me )?(?:what |everything |all )(?:that )?(?:you (?:can )?see|there is|is there) (?={_WITHIN}\b)", "tell me what is "),
    (rf"\b(?:list|name|enumerate|read out|tell me|report|describe)(?: me| for me| to me)? (?:all|everything)(?: the "
     rf"(?:things|objects|items|stuff))?(?: that)?(?: is| there is| you (?:can )?see| you find| lying| sitting)? (?={_WITHIN}\b)", "tell me what is "),
    (rf"\btell me about the (?:things|objects|items|stuff) (?={_WITHIN}\b)", "tell me what is "),
    # -- what a person looks like
    (rf"\bwhat (?:do|does) ({_NAME}) look like{_END}", r"describe \1"),
    (rf"\bhow (?:do|does) ({_NAME}) look(?: today| right now| like)?{_END}", r"describe \1"),
    (rf"\bhow (?:is|are) ({_NAME}) (?:dressed|clothed|attired)(?: today| right now)?{_END}", r"what is \1 wearing"),
    (rf"\bwhat (?:has|does|do|is|have) ({_NAME}) (?:got on|have on|wear|had on|dressed in|clothed in|put on|sporting)(?: today| right now| "
     rf"at the moment)?{_END}", r"what is \1 wearing"),
    (rf"\b(?:what|which) (?:sort of |kind of |type of |colou?r |coloured |colour of )?(?:clothes|clothing|shirts?|t-?shirts?|t shirt|tops?|outfit|"
     rf"jackets?|coats?|sweaters?|blouse|jumper|garments?|things|pullover) (?:is|are|does|do|has) ({_NAME}) (?:wearing|wear|have on|got on|"
     rf"dressed in|in)(?: today| right now| at the moment)?{_END}", r"what is \1 wearing"),
    (rf"\b(?:what|which) (?:colou?rs?) (?:is|are|does) ({_NAME}) (?:wearing|wear|dressed in){_END}", r"what is \1 wearing"),
    (rf"\bwhat colou?r (?:is|are) ({_NAME}) 's (?:clothes|clothing|shirt|t-?shirt|t shirt|top|outfit|jacket|coat|sweater|blouse)"
     rf"{_END}", r"what is \1 wearing"),
    (rf"\b(?:what|which) (?:gesture|sign) (?:is|does|are) ({_NAME}) (?:making|make|doing|do|showing|giving|performing){_END}",
     r"tell me the gesture of \1"),
    (rf"\b(?:what|which) (?:pose|posture) (?:is|does|are|has) ({_NAME}) (?:in|have|taking|got|adopting|holding){_END}",
     r"tell me the pose of \1"),
    (rf"\bwhat (?:is|are) ({_NAME}) up to(?: right now| now| today| at the moment)?{_END}", r"what is \1 doing"),
    (r"\bi (?:do )?(?:would like|like|want|need|would love|love|wish) to (?:know|find out|learn|hear) (?=(?:the|who|what|where|how|which|whether|if)\b)", "tell me "),
    (r"\bi am (?:curious|wondering|interested) (?:about |in )?(?=(?:who|what|where|how|which|whether|if)\b)", "tell me "),
)  # fmt: skip

_OF_THE_ROBOT: _LIST = (
    (r"\b(?:what are you|tell me what you are)(?=\s*[?.!]*$)", "who are you"),
    (r"\b(what|which) (time|date|day) (?:is there|have we got|have we|do we have|have you got)(?: today| now| on you)?\b",
     r"\1 \2 is it"),
    (r"\bis there (?:the )?(?:right |correct |exact )?time(?: on you| for me| please| handy| now)?(?=\s*[?.!]*$)", "what time is it"),
    (r"^((?:[a-z]+,? )?)(?:have you )?got the (?:right )?time(?: on you)?(?=\s*[?.!]*$)", r"\1what time is it"),
    (r"^((?:[a-z]+,? )*?)(?:the )?time(?: check| now)?,?(?: please)?(?=\s*[?.!]*$)", r"\1what time is it"),
    (r"\bis there (?:a|your|any) name\b", "what is your name"),
    (r"\bis there a joke\b|\bis there any (?:good |funny |new )?jokes?\b(?: for me)?", "tell me a joke"),
    (r"\b(?:do you know|know|got|have you got|have you|how about|let me hear|let us hear|hit me with|give me|come on with|"
     r"entertain me with|amuse me with|cheer me up with|make me laugh with|i want to hear|i would like to hear|i could use|"
     r"i feel like|i need) (?:a |any |some |one of your )?(?:good |funny |new |great |dad |silly |nice |quick |little )*jokes?\b(?: you know)?",
     "tell me a joke"),
    (r"\b(?:make|get) (?:me|us) (?:to )?(?:laugh|smile|chuckle|giggle)\b|\bcheer me up\b|\bsay something funny\b", "tell me a joke"),
    (r"\bis it (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|the weekend)(?: today| already| now| yet)?(?=\s*[?.!]*$)",
     "what day of the week is it"),
    (r"\b(what|which) (day|date|weekday|time)([\w ]*?)(?: right now| at the moment| exactly| by your clock| precisely| currently| by now)"
     r"(?=\s*[?.!,]|$)", r"\1 \2\3"),
)  # fmt: skip


def _compiled(*tables: _LIST) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), plain) for table in tables for pattern, plain in table)


QUESTIONS = _compiled(_OF_THE_ROBOT, _COUNTING, _SEEING, _SUPERLATIVES, _WHERE)
"""The patterns and what they are put as, in the order they apply."""
