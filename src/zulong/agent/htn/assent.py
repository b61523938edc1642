"""Whether somebody's answer to a yes-or-no question agrees: what "if she says yes" hangs on.

An answer that is neither clearly yes nor clearly no is neither: an uncertain robot does not act.
"""

from __future__ import annotations

import re

_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|not sure|no idea|(?:do not|don't|dont|wouldn't) know|depends|either|whatever|"
    r"who knows|possibly|ask me later|can't say|hard to say)\b|"
    r"不知道|不清楚|不确定|不一定|说不准|随便|再说|也许|可能|看情况|无所谓|都行|都可以|不好说|没想好"
)
_NO = re.compile(
    r"\b(?:no|nope|nah|not|never|none|neither|nothing|(?:do|does|did|is|are|was|would|will|wo|could|can|has|have|ca|need)n'?t|"
    r"cannot|i'm (?:fine|good|full|ok|okay)|i am (?:fine|good|full|ok|okay)|later|another time|negative)\b|"
    r"不|没|别|甭|算了|免了|下次|回头"
)
_NO_THAT_MEANS_YES = re.compile(
    r"\b(?:why not|not at all|no (?:problem|objection|worries|doubt)|can't wait|couldn't hurt|wouldn't say no|"
    r"(?:do not|don't|would not|wouldn't) mind)\b|没问题|没意见|不错|求之不得|没错|不介意|再好不过"
)
_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|ya|aye|sure|certainly|absolutely|definitely|indeed|of course|ok|okay|alright|all right|"
    r"right|correct|true|please|gladly|go ahead|go on|affirmative|agreed|exactly|always|"
    r"(?:i|we|he|she|they|it) (?:do|does|am|are|is|was|will|would|can|could|have|has|want|need|like|agree|think so)|"
    r"(?:i|we|he|she|they)'(?:d|ll|m|re|s|ve)\b|that would be (?:nice|lovely|great|good|kind|perfect)|"
    r"love (?:to|one|some|it)|sounds (?:good|great|fine)|ready|very|a (?:bit|little|lot))\b|"
    r"要|好|可以|行|是|对|嗯|想|同意|需要|当然|来|愿意|饿|渴|冷|热|累|有|在|会|喜欢|能|得|成|中|答应|肯|乐意|没问题|没意见|"
    r"不错|求之不得|没错|不介意|再好不过|ok"
)


def assents(answer: str) -> bool | None:
    """Return True for an answer that says yes, False for one that says no, None for any other.

    Args:
        answer: the words of the answer, English or Chinese.
    """
    said = re.sub(r"\s+", " ", answer.lower().replace("\u2019", "'")).strip()
    if not said or _UNSURE.search(said):
        return None
    agreed = _NO_THAT_MEANS_YES.search(said) is not None
    denied = _NO.search(_NO_THAT_MEANS_YES.sub("", said)) is not None
    if denied:
        # "Yes, no, wait": both are said, so neither is.
        plainly = re.match(r"(?:yes|yeah|yep|sure|of course|好|行|可以)\b", said) is not None
        return None if agreed or plainly else False
    return True if agreed or _YES.search(said) else None
