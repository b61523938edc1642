"""English sentences made smoother before deliveries are looked for in them: hesitation, repairs, kin, packing.

Names of things, people and places stay as they were said.
"""

from __future__ import annotations

import re

from zulong.agent.language.english_delivery_words import delivery_words
from zulong.agent.language.english_frames import base_of
from zulong.agent.language.english_words import gestures_joined, opened
from zulong.agent.language.lexicon import Vocabulary

_PAIRS = re.compile(r"\b(?:an? |the )?(?:couple|pair)(?: of)? (?=[a-z])")
_OUT_THE = re.compile(r"\bout (?=(?:the|my|your|our) (?!window|door|way|house|blue|box)[a-z])")
_FOUR = re.compile(r"(?<=[a-z] )4(?= [a-z]{3,})")
_IS = re.compile(
    r"(?<=[a-z]) ?'s (?=(?:[a-z]+ing|[a-z]+ed|in|on|at|by|for|after|not|so|very|just|still|too|really|always|never|the|a|an|"
    r"my|our|here|there|back|home|out|thirsty|hungry|tired|poorly|sick|ill|cold|hot|wet|dry|asleep|awake|busy|upset|sad|"
    r"dead|empty|full|gone|got|lost|left|run|broken|spilt|had|done|new|ready|due|next|who|that|up|off|over|through|near|"
    r"next|under|behind|all|almost|nearly|only|quite|a bit|feverish|unwell|grumpy|lonely|filthy|dirty|late|old|young|"
    r"shy|blind|deaf|in|low|sore|dizzy|peckish|famished|ravenous)\b)"
)
_FILLED = re.compile(
    r"(?:,\s*)?\b(?:um+|uh+h*|er+m*|erm|hmm+|coming up|kinda|sorta|kind of|sort of|like(?=,))\b(?:\s*,)?(?= )"
)
_BY_THE_WAY = re.compile(
    r",\s*(?:you know|like|if i may|if i might|perhaps|maybe|possibly|i think|let us say|how shall i say|dare i say|you see|"
    r"if you will|say)\s*,\s*"
)
_NUMBER = r"(?:a|an|one|two|three|four|five|six|\d)"
_COUNTED_AGAIN = re.compile(
    rf"\b{_NUMBER}(?:(?: [a-z]+)??,? (?:no|no wait|wait|sorry|i mean|make that|make it|or rather|actually|no sorry),? |,? )"
    r"(?=(?:two|three|four|five|six|\d) [a-z]+)"
)
_MORE = re.compile(r"\b(another|one|two|three|four|a) more (?=[a-z])")
_CLOTHES = r"(?:t shirt|tee|shirt|jacket|coat|blouse|sweater|jumper|pullover)"
_DRESSED = re.compile(
    r"\b(?:is|has|have|had|'s|with)(?: got)? (?:the |a |an |his |her |their )?"
    r"((?:[a-z]+ )?(?:t shirt|tee|shirt|jacket|coat|blouse|sweater|jumper|pullover)) on\b"
)
_SAID_AGAIN = re.compile(
    r"\b(?!chop|now|so|very|night|bye|no|there|knock|quick|please)([a-z]+(?: [a-z]+){0,2}),? \1\b"
)
_DUG_OUT = re.compile(
    r"\b(?:dig|rustle|hunt|track|fish|scare|round|scout) (it|them|one|(?:the|a|an|my|some) [a-z ]{2,25}?) (?:out|up|down)\b"
)
_NO_NOT = re.compile(r"\bno,? (?=(?:it is )?not for\b)")
_AND_I = re.compile(r"\b[a-z]+ and i (?=(?:are|were|had|always|love|like|just)\b)")
_AND_ME = re.compile(
    r"\band i (?=(?:want|need|would (?:like|love)|fancy|could (?:do with|use|murder)|are to (?:get|have)|"
    r"should (?:get|have)|each (?:want|need|get))\b)"
)
_THEM_ALL = re.compile(r"\b(?:them all|all of them|it all|the lot|all three|all that|both of them)\b")
_MIND = re.compile(
    r"\b(?:would you |do you )?mind (?:terribly |awfully |very much |just |quickly |please )*([a-z]+ing)\b"
)
_DASHES = re.compile(r"\s*(?:\.\.+|…)\s*|\s+[-–—]+\s+|—|\s*[()]\s*")


def _wanting(match: re.Match[str]) -> str:
    people = re.sub(r"\bi\b", "me", match[1])
    return f"{people} want "


def _asked_for(match: re.Match[str]) -> str:
    return base_of(match[1]) or match[0]


def _unpacked(match: re.Match[str]) -> str:
    before = match[1]
    return f"{before.split()[0]} " if before[-1:] == " " and before[0].isalpha() else before


class Smoother:
    """Makes sentences smoother.

    Args:
        vocabulary: knows the names of people.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        people = "|".join(
            re.escape(" ".join(phrase))
            for phrase, senses in vocabulary.english.items()
            if any(sense.kind == "person" for sense in senses)
        )
        words = delivery_words()
        adjective = words.adjective.pattern
        self._kin = re.compile(
            rf"\b(?:(?:my|our|his|her|their|your|the|this|that) )?(?:{adjective} )*(?:{words.kin} )+"
            rf"(?=(?:{people or '(?!)'})\b(?! and my\b))|\bour (?=(?:{people or '(?!)'})\b)"
        )
        self._together = re.compile(
            rf"\b(?:can|could|may|might) ((?:(?:{people or '(?!)'}|i|me)(?:, and |, | and ))+(?:{people or '(?!)'}|i|me)) "
            r"(?:each |both |all |please )*(?:have|get) (?=[a-z])"
        )
        self._to = re.compile(rf"(?<=[a-z] )2(?= (?:{people or '(?!)'})\b)")
        kin = rf"(?:my|our|his|her|the|their) (?:{adjective} )*{words.kin}"
        self._beside = re.compile(rf"\b(?:({people or '(?!)'}), {kin}, |{kin}, ({people or '(?!)'}), )")
        self._both = re.compile(
            rf"\b(?:each of|both of|both) ((?:{people or '(?!)'}) and (?:{people or '(?!)'}|me|myself))\b"
        )
        self._described = re.compile(
            rf"\b(?:my|our|his|her|their|the|an?) (?:{adjective} )*{words.kin} (?=(?:(?:who|that) (?:is |are )?)?"
            rf"(?:(?:in|with|wearing) (?:a|an|the|her|his) (?:[a-z]+ )?{_CLOTHES}|wearing|waving|pointing|sitting|standing|"
            r"lying|raising|gesture_))"
        )
        self._container = re.compile(
            rf"(^|\b(?:a|an|the|that|this|my|some|another|one|two|three|four|five|six|his|her|their|our|your) "
            rf"(?:[a-z]+ )?|[,.:;!] |\b(?:bring|get|fetch|grab|me|us|need|want) )"
            rf"{words.container} (?:of )(?=(?!the\b|my\b|your\b|those\b|these\b)[a-z])"
        )

    def lightly(self, text: str) -> str:
        """Return the sentence in lower case with contractions opened, without hesitation and what is said twice."""
        plain = _FILLED.sub("", _BY_THE_WAY.sub(" ", _DASHES.sub(", ", opened(text))))
        plain = _SAID_AGAIN.sub(r"\1", _COUNTED_AGAIN.sub("", plain))
        plain = gestures_joined(_IS.sub(" is ", _FOUR.sub("for", plain)) + " ")
        return re.sub(r"\s+", " ", plain.replace(" 's ", "'s ")).strip(" ,")

    def simpler(self, text: str) -> str:
        """Return the sentence without words for kin before names and for what something is packed in."""
        text = _DUG_OUT.sub(r"bring \1", _NO_NOT.sub("", text))
        text = self._together.sub(_wanting, _AND_ME.sub("and me ", _MIND.sub(_asked_for, text)))
        text = _AND_I.sub("we ", _DRESSED.sub(r"wearing the \1", _MORE.sub(r"\1 ", text)))
        text = self._described.sub("the person ", text)
        text = self._to.sub("to", self._beside.sub(r"\1\2 ", text))
        text = self._both.sub(r"\1 each", _THEM_ALL.sub("them", text))
        text = self._kin.sub("", _OUT_THE.sub("out of ", _PAIRS.sub("two ", text)))
        return self._container.sub(_unpacked, text)
