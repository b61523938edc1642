"""Background and courtesies of English orders; see :mod:`zulong.agent.language.rewording`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.stretches import NAMES, Mention, Stretch, different, ended, kind_of, named_first

_MARK = re.compile(
    r"(\s*[,.;!?:]+(?:\s+|$)|\s+[-–—]+\s+|,?\s+(?:and then|and also|and so|so that|and|then|but|so|"
    r"because|since)\s+(?!(?:wants|needs|would like|would love|is asking|asked for|has asked|is waiting|likes)\b))",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[\s,]+(?:and|but|so|because|since|as|and then|then)\s*", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:(?:please|robot|zulong|hey|hi|hello|ok|okay|alright|right|so|well|oh|um+|uh+|hmm|now|then|just|"
    r"kindly|yo|man|"
    r"sorry|look|listen|anyway|actually|honestly|"
    r"(?:could|can|would|will) you(?: please| kindly| maybe| perhaps| just)?(?! (?:see|hear|understand|feel|do)\b)|"
    r"i(?:'d| would) (?:like|love|appreciate it if) you(?: to| would| could)?|"
    r"i(?: just)? (?:want|need) you to|you (?:could|can|should|might|may)(?: please)?|do me a favou?r and|"
    r"go ahead and|"
    r"be so kind (?:as to|and)|be a (?:dear|darling|star|love) and|would you be so kind (?:as to|and)|"
    r"i was wondering (?:if|whether) you (?:could|would|can)|is it (?:ok|okay|possible|all right) if you|"
    r"it would be (?:great|nice|lovely|good|wonderful) if you (?:could|would)|it'd be (?:great|nice|"
    r"lovely|good) if you (?:could|would)|"
    r"(?:may|might|could|can) i ask you to|all i (?:ask|want|need) is that you|"
    r"i think you should|"
    r"make sure (?:to|you|that you)|be sure to|try to|your (?:job|task|next task) is to|"
    r"the (?:next )?(?:task|job) is to)"
    r"(?:\s*,\s*|\s+))+(?=\S)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:\s*,\s*|\s+)(?:please|thanks|thank you|thx|ta|cheers|will you|would you|could you|can you|"
    r"won't you|ok|okay|"
    r"right now|right away|immediately|at once|asap|rq|real quick|quickly|rn|mate|buddy|pal|dear|darling|"
    r"sweetie|robot|zulong|"
    r"when(?:ever)? you (?:can|have time|get a chance)|if you (?:can|could|would|please|don't mind|"
    r"do not mind)|"
    r"before (?:it|they) (?:goes|go|gets|get|turns|turn|melts?|spoils?)(?: bad| warm| cold| off| sour| soft)?|"
    r"before (?:the )?(?:[a-z]+ ){1,2}?(?:sees?|finds?|eats?|drinks?|notices?|nicks?|steals?|scoffs?|breaks?|spills?|"
    r"trips? over|steps? on|sits? on|gets? (?:to|at|hold of|(?:his|her) hands on)|grabs?|takes?|knocks? over|treads? on)"
    r" (?:it|them|that|all of it|one)|"
    r"chop chop|on the double|pronto|if it's no trouble|if possible|i beg you|alright|all right)$",
    re.IGNORECASE,
)
_ONLY_COURTESY = re.compile(
    r"(?:please|thanks|thank you(?: so much| very much)?|hey|hi|hello|hello there|ok|okay|right|well|oh|"
    r"so|now|robot|zulong|"
    r"hey robot|hi robot|yo|sorry|excuse me|(?:sorry )?to (?:bother|disturb|trouble|interrupt) you(?: again| all)?|"
    r"um+|uh+|hmm+|"
    r"let me see|let me think|you know|i mean|"
    r"anyway|anyways|look|listen|by the way|no rush|no hurry|take your time|be quick|off you go|"
    r"(?:as )?(?:quick|fast|quickly|soon) as you can|hurry(?: up)?|quick|"
    r"quickly|"
    r"will you|would you|could you|can you|if you please|good (?:robot|boy)|there you go|that's all|"
    r"that is all|would that be (?:ok|okay|possible))",
    re.IGNORECASE,
)

_NAMED = (
    r"(?:the|my|your|our|his|her|their|a|an|some|this|that|these|those|all|every) [\w']+(?: [\w']+){0,3}?"
)
_FOLK = (
    r"(?:(?:some )?(?:guests|visitors|people|friends|relatives|company|kids|children|neighbours|neighbors)|mum|mom|dad|"
    r"gran|"
    r"grandma|grandad|grandpa|nan|nana|dinner|lunch|breakfast|supper|tea|food|baby)"
)
_SUBJECT = (
    rf"(?:i|we|{_FOLK}|he|she|they|it|that|this|there|here|somebody|someone|nobody|everyone|everybody|{_NAMED}|"
    r"{people})"
)
_FINITE = (
    r"(?:'s|'re|'m|'ve|'d| (?:is|are|am|was|were|has|have|had|does|did|do|doesn't|don't|didn't|isn't|"
    r"aren't|wasn't|weren't|"
    r"hasn't|haven't|hadn't|can't|cannot|can not|couldn't|could not|can hardly|can barely|just|always|"
    r"still|never|really|"
    r"keeps?|lies|lie|sits|sit|stands|stand|lives?|feels?|thinks?|believes?|knows?|hears?|sees?|sleeps?|"
    r"works?|smells?|looks?|"
    r"tastes?|seems?|gets?|loves?|likes?|hates?|forgot|left|put|lost|saw|ate|came|went|got|told|said|"
    r"thought|made|ran|felt|fell|"
    r"broke|spilled|knew|heard|bought|brought|took|gave|kept|slept|sat|stood|began|"
    r"[a-z]{2,}ed)\b)"
)
_NOT_BACKGROUND = re.compile(
    r"\b(?:want|wants|wanted|need|needs|needed|would like|would love|'d like|'d love|like you|love you to|"
    r"wish|wishes|should|must|shall|will you|"
    r"has to|have to|had to|got to|gotta|ought|supposed(?! to (?:arrive|come|visit|call|ring|be here|be back))|"
    r"belongs?|prefers?|ordered|asked|asks?|asking|"
    r"requested|waiting for|craving|fancy|"
    r"already|anymore|any more|no longer|changed|mind|forget it|never mind|nevermind|instead|rather|wrong|"
    r"mistake|mistaken|"
    r"meant|mean|stop|wait|cancel|kidding|joking|if|unless|until|till|except|only|tomorrow|tonight|later|"
    r"before|after|"
    r"when|whenever|once|while|told you|tell you|said to|told me to|says|you)\b",
    re.IGNORECASE,
)
_ASKS_MORE = re.compile(
    r"(?:and |then |tell me )*(?:what|who|whose|which|where|why|how(?: many| much)?)(?: colou?rs?| things?)? "
    r"(?:is|are|was|were|does|do|did|has|have|they|he|she|it)\b",
    re.IGNORECASE,
)
"""A question beside another is no background."""
_WHAT_FOR = re.compile(
    r"(?:i|we) (?:really |just )?(?:need|want|am going to need|'ll need|will need) (?:it|them|this|that) (?:for|to|"
    r"in|so|badly|"
    r"urgently|right|today|quickly|now|desperately)\b.*|(?:i|we) (?:really |just )?(?:need|want|am going|have|am "
    r"trying) to (?:talk|speak|chat|have a (?:word|chat)|ask|tell|thank|meet|say|see|try|"
    r"use|show|look|read|check|test|play|taste|cook|bake|wipe|clean|wash|eat|drink|make|start|finish|get ready|"
    r"leave|go)\b.*|"
    r"(?:(?:my|our|his|her|their|the|some) (?:\w+ )?\w+|guests|visitors|people|friends|family|company|everyone|everybody|"
    r"they|we)"
    r"(?:'s|'re|s| is| are| will be|'ll be) (?:all |also |finally |just |really )?(?:coming|arriving|visiting|popping|"
    r"dropping|"
    r"stopping|staying|calling|flying|driving|getting (?:here|in|back)|due|moving in|leaving|having|"
    r"going)\b(?! to (?:bring|take|fetch))"
    r".*|"
    r"(?:my|our|the|his|her) \w+(?: \w+)? (?:wants?|needs?|would like|is going|has|is dying|would love) to (?:see|"
    r"try|use|show|look|read|have "
    r"a look|borrow|check|test|play|taste|know)\b.*|(?:it's|its|it is|they're|they are|this is|that's) (?:for|"
    r"because|to)\b.*",
    re.IGNORECASE,
)
"""What something is wanted for: said after an order it changes nothing."""
_ABOUT_YOU = re.compile(
    r"you(?:'re| are) (?:in (?:my|the|our|everyone's) way|(?:blocking|in front of|standing (?:in|on|in front of)|"
    r"under) .*)|"
    r"your (?:battery|batteries|charge) .*|you(?:'re| are| look| seem| must be)(?: \w+){0,2} (?:tired|closer|nearer|"
    r"free|up|exhausted|low on "
    r"\w+|running (?:low|out)(?: of \w+)?|the best|a star|an angel|amazing|great|so kind|very kind)|i (?:fancy|feel "
    r"like|want|could do "
    r"with|could use|need|'m in the mood for|am in the mood for) (?:a|an|some|something|another) (?:\w+ )?(?:game|"
    r"snack|break|rest|nap|"
    r"bite|change|walk|laugh|treat|sip|sweet|salty|cold|fresh|refreshing|breather|pick-me-up|refreshment|healthy|"
    r"warm|nice|to nibble|"
    r"to snack on)|what an? [\w ]+|(?:my |your |our )?(?:mum|mom|dad|doctor|wife|husband|sister|brother|boss|mother|"
    r"father) (?:said|says|"
    r"told me) (?:that )?(?:i|we) (?:can|could|may|should|might|must) .*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'-]+")
_LOCATIVE = frozenset(("in", "on", "at", "by", "near", "inside", "under", "from", "off", "behind", "beside"))
_LOCATED = re.compile(
    r"\b(?:in|on|onto|under|behind|beside|inside|near) (?:the|my|our|his|her|a|your)\b", re.IGNORECASE
)
_ARTICLES = frozenset(("the", "a", "an", "my", "your", "our", "some", "any", "that", "this"))
_IT = re.compile(
    r"\b(?:it|that one|this one)\b|"
    r"\b(?:them|that|those)\b(?=\s*(?:$|to\b|in\b|into\b|on\b|onto\b|from\b|there\b|over\b|back\b|for\b|"
    r"up\b|down\b|away\b|here\b|[,.!?]))",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:one|some)\b(?! of\b)", re.IGNORECASE)
_THEM = re.compile(
    r"\b(?:him|her|them)\b|\b(?:he|she|they)\b(?=\s+(?:is|are|sits|stands|lies)\b)", re.IGNORECASE
)
_THERE = re.compile(r"\b(?:back |over |right |up |in )?there\b(?! (?:is|are|was|were)\b)", re.IGNORECASE)


class EnglishBackground:
    """What only tells and what orders, in English.

    Args:
        vocabulary: knows the names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        people = sorted(
            (" ".join(phrase) for phrase, senses in vocabulary.english.items() if senses[0].kind == "person"),
            key=len,
            reverse=True,
        )
        names = "|".join(map(re.escape, people)) or r"(?!)"
        self._statement = re.compile(
            r"(?:(?:well|look|see|you see|you know|the thing is|it'?s just|it is just|i think|i guess|i believe|"
            r"i'm afraid|because|since|"
            r"as|oh|hey|that|now|so|today|yesterday|this morning|just now|but)\s*,?\s+)*"
            + "(?:"
            + _SUBJECT.replace("{people}", names)
            + _FINITE
            + r"|(?:im|ive)\b)"
            + r".*",
            re.IGNORECASE,
        )

    def split(self, text: str) -> list[Stretch]:
        """Return the stretches of a sentence."""
        parts = _MARK.split(text.strip())
        pairs = zip(parts[::2], [*parts[1::2], ""], strict=True)
        return [Stretch(said.strip(), mark) for said, mark in pairs if said.strip()]

    def joined(self, stretches: Sequence[Stretch]) -> str:
        """Return the sentence that the stretches make."""
        kept = [stretch for stretch in stretches if stretch.text]
        if kept and _TRAILING.fullmatch(kept[-1].mark):
            # What the word led on to was left out.
            kept[-1] = Stretch(kept[-1].text, "", kept[-1].looked_up)
        return "".join(stretch.text + (stretch.mark or " ") for stretch in kept).strip()

    def without_courtesies(self, text: str) -> str:
        """Return the stretch without the courtesies at its ends, "" when it is nothing else."""
        if _ONLY_COURTESY.fullmatch(text):
            return ""
        opening = _OPENING.match(text)
        said = text[opening.end() :] if opening else text
        while (closing := _CLOSING.search(said)) is not None:
            said = said[: closing.start()]
        return "" if _ONLY_COURTESY.fullmatch(said) else said

    def tells(self, stretch: Stretch) -> bool:
        """Return whether the stretch only tells something."""
        if stretch.looked_up or "?" in stretch.mark:
            return False
        text = stretch.text
        if _ASKS_MORE.match(text):
            return False
        if _WHAT_FOR.fullmatch(text) or _ABOUT_YOU.fullmatch(text):
            return not self._dangerous(text)
        return (
            self._statement.fullmatch(text) is not None
            and _NOT_BACKGROUND.search(re.sub(r"^(?:you see|you know)\b", "", text, flags=re.IGNORECASE))
            is None
            and not self._dangerous(text)
            and not self._elsewhere(text)
        )

    def with_whole_names(self, text: str) -> tuple[str, dict[str, str]]:
        """Return the text as it is: no slot cuts a word."""
        return text, {}

    def names(self, text: str) -> bool:
        """Return whether the text is a name with at most an article, and says nothing else."""
        words = tuple(word.lower() for word in _WORD.findall(text))
        bare = words[1:] if words[:1] and words[0] in _ARTICLES else words
        senses = self._vocabulary.english.get(bare, ())
        return any(sense.kind in NAMES for sense in senses)

    def retold(self, stretches: Sequence[Stretch], told: Sequence[int]) -> Iterator[str]:
        """Yield sentences in which what was told stands in for pronouns, is said plainly, or is left out."""
        mentions = [mention for number in told for mention in self.mentions(stretches[number].text)]
        orders = [stretch for number, stretch in enumerate(stretches) if number not in told]
        things = different(mentions, "thing")
        people = different(mentions, "person")
        places = different(mentions, "place")
        named = self._named(orders, things, people, places)
        located = [place for place in places if place.before in _LOCATIVE]
        for version in (named, list(orders)) if named != orders else (named,):
            if len(things) == 1 and len(located) == 1:
                thing, place = things[0].text, located[0]
                preposition = "in" if place.before in ("from", "off") else place.before
                yield self.joined(
                    [Stretch(f"there is a {thing} {preposition} the {place.text}", ", "), *version]
                )
            if len(people) == 1 and len(located) == 1:
                yield self.joined(
                    [*ended(version, ", "), Stretch(f"{people[0].text} is in the {located[0].text}")]
                )
            yield self.joined(version)

    def mentions(self, text: str) -> list[Mention]:
        """Return the things, people and places that are named in a text, in their order."""
        words = [word.lower() for word in _WORD.findall(text.replace("'s", " 's"))]
        found: list[Mention] = []
        at = 0
        while at < len(words):
            longest = self._vocabulary.first_words.get(words[at], 0)
            for length in range(min(longest, len(words) - at), 0, -1):
                phrase = tuple(words[at : at + length])
                senses = self._vocabulary.english.get(phrase, ())
                kind = next((k for k in map(kind_of, senses) if k), "")
                if kind:
                    before = words[at - 1] if at else ""
                    if before in ("the", "my", "a", "our") and at > 1:
                        before = words[at - 2]
                    found.append(Mention(kind, " ".join(phrase), before))
                    at += length - 1
                    break
            at += 1
        return found

    def _named(
        self,
        orders: Sequence[Stretch],
        things: Sequence[Mention],
        people: Sequence[Mention],
        places: Sequence[Mention],
    ) -> list[Stretch]:
        """Put names for the first pronouns of the orders where only one can be meant."""
        said = list(orders)
        if len(things) == 1 and not self._names_kind(orders, "thing"):
            said = named_first(said, _IT, f"the {things[0].text}") or said
            said = named_first(said, _ONE, f"a {things[0].text}") or said
        if len(people) == 1 and not self._names_kind(orders, "person"):
            said = named_first(said, _THEM, people[0].text.title()) or said
        if len(places) == 1 and not self._names_kind(orders, "place"):
            said = named_first(said, _THERE, f"to the {places[0].text}") or said
        return said

    def _names_kind(self, orders: Sequence[Stretch], kind: str) -> bool:
        return any(mention.kind == kind for stretch in orders for mention in self.mentions(stretch.text))

    def _elsewhere(self, text: str) -> bool:
        """Return whether a thing is told to be somewhere that has no name on the map: that may not be left out."""
        named = self.mentions(text)
        places = [mention for mention in named if mention.kind == "place"]
        return (
            bool(_LOCATED.search(text)) and not places and any(mention.kind == "thing" for mention in named)
        )

    def _dangerous(self, text: str) -> bool:
        words = [word.lower() for word in _WORD.findall(text)]
        for at in range(len(words)):
            for length in range(1, 5):
                senses = self._vocabulary.english.get(tuple(words[at : at + length]), ())
                if any(sense.value == "dangerous" for sense in senses):
                    return True
        return False
