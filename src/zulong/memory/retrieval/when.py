"""Time expressions in a question, in English and Chinese, as spans of time that memories can be matched against.

"on March 23rd", "in early May", "between 2024-03-01 and April", "last week", "two days ago", "before June",
「上周」「三天前」「2024年5月4日」「五月下旬」. An expression that names no year means that day or month of any
year, so that a question can be matched without knowing when it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

DAY_S = 86_400.0
_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS = {name: i + 1 for i, name in enumerate(_MONTH_NAMES)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_WEEKDAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAYS = {name: i for i, name in enumerate(_WEEKDAY_NAMES)}
_WEEKDAYS |= {f"{prefix}{c}": i for prefix in ("周", "星期", "礼拜") for i, c in enumerate("一二三四五六日")}
_WEEKDAYS |= {f"{prefix}天": 6 for prefix in ("星期", "礼拜")}
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
_SEASONS |= {"春天": (3, 5), "夏天": (6, 8), "秋天": (9, 11), "冬天": (12, 2)}
_HOLIDAYS = {"new year's day": (1, 1), "new year's eve": (12, 31), "valentine's day": (2, 14)}
_HOLIDAYS |= {
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
}
_HOLIDAYS |= {"元旦": (1, 1), "情人节": (2, 14), "劳动节": (5, 1), "国庆节": (10, 1), "圣诞节": (12, 25)}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_NUMBERS |= {"eight": 8, "nine": 9, "ten": 10, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3}
_CHINESE_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}

# Parts of a month or year as shares of it; people's edges are soft, so neighbouring parts overlap a little.
_PARTS = {
    **dict.fromkeys(("early", "the beginning of", "the start of", "初", "上旬"), (0.0, 0.4)),
    **dict.fromkeys(("mid", "mid-", "middle of", "the middle of", "中旬"), (0.3, 0.7)),
    **dict.fromkeys(("late", "the end of", "end of", "底", "末", "下旬"), (0.6, 1.0)),
    **dict.fromkeys(("the first half of", "first half of", "上半月"), (0.0, 0.5)),
    **dict.fromkeys(("the second half of", "the latter half of", "latter half of", "下半月"), (0.5, 1.0)),
}


@dataclass(slots=True, frozen=True)
class Span:
    """A stretch of time, seconds since the epoch (UTC), end excluded.

    Attributes:
        start, end: infinite for an open side ("before June").
        weight: how much a match says, 0 to 1: a day more than a month, a month more than a year.
    """

    start: float
    end: float
    weight: float


@dataclass(slots=True, frozen=True)
class _Mention:
    begin: int
    stop: int
    spans: tuple[tuple[datetime, datetime], ...]
    weight: float


_MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
)
_NUMBER = (
    r"(?P<number>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?couple of|(?:a )?few)"
)
_PART = r"(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end|(?:first|second|latter) half) of)"
_CN_NUMBER = r"[\d零〇一二三四五六七八九十两]{1,3}"


def _chinese_number(text: str) -> int:
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, ones = text.split("十", 1)
        return (_CHINESE_DIGITS.get(tens, 1) if tens else 1) * 10 + (
            _CHINESE_DIGITS.get(ones, 0) if ones else 0
        )
    value = 0
    for character in text:
        value = value * 10 + _CHINESE_DIGITS.get(character, 0)
    return value


def _day(year: int, month: int, day: int) -> tuple[datetime, datetime] | None:
    try:
        start = datetime(year, month, day, tzinfo=timezone.utc)
    except ValueError:
        return None  # the 30th of February
    return start, start + timedelta(days=1)


def _month(year: int, month: int) -> tuple[datetime, datetime] | None:
    if not 1 <= month <= 12:
        return None
    start = datetime(year, month, 1, tzinfo=timezone.utc)
    return start, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=timezone.utc)


def _part_of(span: tuple[datetime, datetime], part: str) -> tuple[datetime, datetime]:
    low, high = _PARTS.get(part) or _PARTS.get(f"the {part}") or (0.0, 1.0)
    length = span[1] - span[0]
    return span[0] + length * low, span[0] + length * high


class TimeExpressions:
    """Finds spans of time in questions.

    Args:
        first_year, last_year: years that expressions without a year may mean (those the memory covers).
        now: seconds since the epoch that "last week" counts from; None leaves relative expressions out.
    """

    def __init__(self, first_year: int, last_year: int, now: float | None = None) -> None:
        self._years = range(first_year, last_year + 1)
        self._now = None if now is None else datetime.fromtimestamp(now, tz=timezone.utc)

    def spans(self, question: str) -> list[Span]:
        """Return the spans that ``question`` names; empty where it names none."""
        text = question.replace("’", "'")
        if not _HINT.search(text):
            return []
        mentions = self._mentions(text)
        return [span for group in _grouped(text, mentions) for span in group]

    def _mentions(self, text: str) -> list[_Mention]:
        found: list[_Mention] = []
        taken = bytearray(len(text))
        for pattern, build in _RULES:
            for match in pattern.finditer(text):
                if any(taken[match.start() : match.end()]):
                    continue
                built = build(self, match)
                if built is None:
                    continue
                spans, weight = built
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                found.append(_Mention(match.start(), match.end(), tuple(spans), weight))
        return sorted(found, key=lambda mention: mention.begin)

    # Each rule returns the possible (start, end) pairs and the weight of a match, or None.

    def _full_date(self, match: re.Match[str]) -> _Built:
        groups = match.groupdict()
        month = _MONTHS[groups["month"].lower()] if groups.get("month") else int(groups["m"])
        days = [int(groups["d"])]
        if groups.get("d2"):
            days = list(range(days[0], int(groups["d2"]) + 1))
        years = [int(groups["y"])] if groups.get("y") else list(self._years)
        spans = [span for year in years for day in days if (span := _day(year, month, day))]
        return (spans, 1.0) if spans else None

    def _chinese_date(self, match: re.Match[str]) -> _Built:
        year, month, day = match["y"], _chinese_number(match["m"]), _chinese_number(match["d"])
        years = [_chinese_number(year)] if year else list(self._years)
        spans = [span for y in years if (span := _day(y, month, day))]
        return (spans, 1.0) if spans else None

    def _month_name(self, match: re.Match[str]) -> _Built:
        word = match["month"].rstrip(".")
        # "may" and "march" are verbs too: only the capitalised month with no year or part beside it counts.
        if word.lower() in {"may", "march", "mar"} and not word[0].isupper():
            return None
        if word == "May" and match.start("month") == 0 and not match["y"]:
            return None
        years = [int(match["y"])] if match["y"] else list(self._years)
        whole = [span for year in years if (span := _month(year, _MONTHS[word.lower()]))]
        if match["part"]:
            return [_part_of(span, match["part"].lower()) for span in whole], 0.75
        return whole, 0.6

    def _chinese_month(self, match: re.Match[str]) -> _Built:
        years = [_chinese_number(match["y"])] if match["y"] else list(self._years)
        month = _chinese_number(match["m"])
        whole = [span for year in years if (span := _month(year, month))]
        if not whole:
            return None
        return ([_part_of(span, match["part"]) for span in whole], 0.75) if match["part"] else (whole, 0.6)

    def _year(self, match: re.Match[str]) -> _Built:
        year = int(match["y"])
        if not 1900 <= year <= 2100:
            return None
        start, end = datetime(year, 1, 1, tzinfo=timezone.utc), datetime(year + 1, 1, 1, tzinfo=timezone.utc)
        part = match.groupdict().get("part")
        return ([_part_of((start, end), part.lower())], 0.5) if part else ([(start, end)], 0.3)

    def _season(self, match: re.Match[str]) -> _Built:
        first, last = _SEASONS[match["season"].lower()]
        years = [int(match["y"])] if match.groupdict().get("y") else list(self._years)
        spans = []
        for year in years:
            start, end = _month(year, first), _month(year + (last < first), last)
            if start and end:
                spans.append((start[0], end[1]))
        return spans, 0.4

    def _holiday(self, match: re.Match[str]) -> _Built:
        month, day = _HOLIDAYS[match["holiday"].lower()]
        return [span for year in self._years if (span := _day(year, month, day))], 0.9

    def _weekday(self, match: re.Match[str]) -> _Built:
        weekday = _WEEKDAYS[match["weekday"].lower()]
        which = (match.groupdict().get("which") or "").lower()
        if self._now is None:
            return None
        today = self._now.replace(hour=0, minute=0, second=0, microsecond=0)
        back = (today.weekday() - weekday) % 7 or 7
        if which.startswith("上"):  # 上周三 is Wednesday of the calendar week before this one
            back = today.weekday() + 7 - weekday
        start = today - timedelta(days=back)
        return [(start, start + timedelta(days=1))], 0.9 if which else 0.5

    def _ago(self, match: re.Match[str]) -> _Built:
        if self._now is None:
            return None
        raw = match["number"].lower()
        number = int(raw) if raw.isdigit() else _NUMBERS.get(raw) or _chinese_number(raw)
        return self._back(number, match["unit"].lower())

    def _back(self, number: int, unit: str) -> _Built:
        assert self._now is not None  # noqa: S101 - callers have looked
        today = self._now.replace(hour=0, minute=0, second=0, microsecond=0)
        if unit.startswith(("day", "天", "日")):
            start = today - timedelta(days=number)
            return [(start, start + timedelta(days=1))], 1.0
        if unit.startswith(("week", "周", "个星期", "星期", "礼拜", "个礼拜")):
            start = today - timedelta(days=7 * number + 3)
            return [(start, start + timedelta(days=7))], 0.75
        if unit.startswith(("month", "个月", "月")):
            months = today.year * 12 + today.month - 1 - number
            span = _month(months // 12, months % 12 + 1)
            return ([span], 0.6) if span else None
        year = today.year - number
        return [
            (datetime(year, 1, 1, tzinfo=timezone.utc), datetime(year + 1, 1, 1, tzinfo=timezone.utc))
        ], 0.3

    def _relative(self, match: re.Match[str]) -> _Built:
        if self._now is None:
            return None
        today = self._now.replace(hour=0, minute=0, second=0, microsecond=0)
        word = re.sub(r"\s+", " ", match.group().lower())
        back = {
            "today": 0,
            "tonight": 0,
            "今天": 0,
            "yesterday": 1,
            "last night": 1,
            "昨天": 1,
            "昨晚": 1,
            "前天": 2,
        }
        if word in back:
            start = today - timedelta(days=back[word])
            return [(start, start + timedelta(days=1))], 1.0
        this = word.startswith(("this", "the current", "这", "本", "今年"))
        if "week" in word or "周" in word or "星期" in word:
            monday = today - timedelta(days=today.weekday() + (0 if this else 7))
            return [(monday, monday + timedelta(days=7))], 0.75
        if "month" in word or "月" in word:
            months = today.year * 12 + today.month - 1 - (0 if this else 1)
            span = _month(months // 12, months % 12 + 1)
            return ([span], 0.6) if span else None
        year = today.year - (0 if this else 1)
        return [
            (datetime(year, 1, 1, tzinfo=timezone.utc), datetime(year + 1, 1, 1, tzinfo=timezone.utc))
        ], 0.3


_Built = tuple[list[tuple[datetime, datetime]], float] | None
_Rule = tuple[re.Pattern[str], Callable[[TimeExpressions, re.Match[str]], _Built]]


def _rule(pattern: str, build: Callable[[TimeExpressions, re.Match[str]], _Built]) -> _Rule:
    return re.compile(pattern, re.IGNORECASE), build


def _any(words: dict[str, object]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_EXPRESSIONS = TimeExpressions  # short name for the table below
# The more specific rule comes first: what it has taken, a later one does not take again.
_RULES: tuple[_Rule, ...] = (
    _rule(r"\b(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b", _EXPRESSIONS._full_date),
    _rule(
        rf"(?:(?P<y>\d{{4}}|[零〇一二三四五六七八九]{{4}})年)?(?P<m>{_CN_NUMBER})月(?P<d>{_CN_NUMBER})[日号]",
        _EXPRESSIONS._chinese_date,
    ),
    _rule(
        rf"\b{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:\s*(?:-|–|to|through)\s*(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b)?"
        rf"(?:\s*,?\s*(?P<y>(?:19|20)\d\d)\b)?",
        _EXPRESSIONS._full_date,
    ),
    _rule(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s*,?\s*(?P<y>(?:19|20)\d\d)\b)?",
        _EXPRESSIONS._full_date,
    ),
    _rule(rf"\b(?:{_PART}[\s-]+)?{_MONTH}(?:\s*,?\s*(?P<y>(?:19|20)\d\d)\b)?", _EXPRESSIONS._month_name),
    _rule(
        r"(?:(?P<y>\d{4}|[零〇一二三四五六七八九]{4})年)?(?P<m>\d{1,2}|十[一二]?|[一二三四五六七八九])月份?"
        r"(?P<part>初|上旬|中旬|下旬|底|末|上半月|下半月)?",
        _EXPRESSIONS._chinese_month,
    ),
    _rule(
        rf"\b{_NUMBER}\s+(?P<unit>days?|weeks?|months?|years?)\s+(?:ago|earlier|back)\b", _EXPRESSIONS._ago
    ),
    _rule(
        rf"(?P<number>{_CN_NUMBER})(?P<unit>天|日|周|个星期|星期|个礼拜|礼拜|个月|年)(?:以前|之前|前)",
        _EXPRESSIONS._ago,
    ),
    _rule(
        r"\b(?:(?P<which>last|past)\s+)(?P<weekday>" + _any(dict(_WEEKDAYS)) + r")\b", _EXPRESSIONS._weekday
    ),
    _rule(r"(?P<which>上|上个)?(?P<weekday>(?:周|星期|礼拜)[一二三四五六日天])", _EXPRESSIONS._weekday),
    _rule(r"\bon\s+(?P<weekday>" + "|".join(_WEEKDAY_NAMES) + r")\b", _EXPRESSIONS._weekday),
    _rule(
        r"\b(?:today|tonight|yesterday|last night|(?:this|last|the current)\s+(?:week|weekend|month|year))\b"
        r"|今天|昨天|昨晚|前天|(?:上|这)个?(?:周|星期|月)|本[周月]|今年|去年",
        _EXPRESSIONS._relative,
    ),
    _rule(rf"\b(?P<holiday>{_any(dict(_HOLIDAYS))})(?!\w)", _EXPRESSIONS._holiday),
    _rule(
        r"\b(?:in|during|of|the|this|last)\s+(?P<season>spring|summer|autumn|fall|winter)\b(?:\s+(?:of\s+)?(?P<y>(?:19|20)\d\d)\b)?",
        _EXPRESSIONS._season,
    ),
    _rule(r"(?P<season>春天|夏天|秋天|冬天)", _EXPRESSIONS._season),
    _rule(
        rf"\b(?:{_PART}\s+|in\s+|during\s+|of\s+|since\s+|before\s+|after\s+)(?P<y>(?:19|20)\d\d)\b",
        _EXPRESSIONS._year,
    ),
    _rule(r"(?P<y>(?:19|20)\d\d)年", _EXPRESSIONS._year),
)

# Every expression holds a digit or one of these; most questions name no time and are done here.
_HINT = re.compile(
    r"\d|[月年周天昨前星礼元节今]|day|night|week|month|year|ago|earlier|back|christmas|halloween|eve\b|spring|summer|autumn|fall"
    rf"|winter|\b(?:{'|'.join(_MONTHS)})",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:\b(?:before|prior to|until|till|up to|by|preceding|earlier than)\s+(?:the\s+)?)$", re.IGNORECASE
)
_AFTER = re.compile(r"(?:\b(?:after|since|following|later than)\s+(?:the\s+)?)$", re.IGNORECASE)
_JOIN = re.compile(r"^\s*(?:-|–|—|to|and|through|until|till|到|至|和)\s*(?:the\s+)?$", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:the\s+)?$", re.IGNORECASE)
_OPEN_WEIGHT = 0.4  # "before June" leaves half of the memory: a weak sign


def _grouped(text: str, mentions: list[_Mention]) -> Iterator[list[Span]]:
    i = 0
    while i < len(mentions):
        mention = mentions[i]
        before = text[: mention.begin]
        if i + 1 < len(mentions):
            following = mentions[i + 1]
            joint = text[mention.stop : following.begin]
            ranged = _BETWEEN.search(before) or not re.fullmatch(
                r"\s*(?:and|和)\s*(?:the\s+)?", joint, re.IGNORECASE
            )
            if _JOIN.match(joint) and ranged:
                yield _range(mention, following)
                i += 2
                continue
        after_text = text[mention.stop : mention.stop + 2]
        if _BEFORE.search(before) or after_text in {"之前", "以前"}:
            yield [Span(float("-inf"), start.timestamp(), _OPEN_WEIGHT) for start, _ in mention.spans[-1:]]
        elif _AFTER.search(before) or after_text in {"之后", "以后", "以来"}:
            yield [Span(end.timestamp(), float("inf"), _OPEN_WEIGHT) for _, end in mention.spans[:1]]
        else:
            yield [Span(a.timestamp(), b.timestamp(), mention.weight) for a, b in mention.spans]
        i += 1


def _range(first: _Mention, last: _Mention) -> list[Span]:
    weight = min(first.weight, last.weight, 0.75)
    spans = []
    for start, _ in first.spans:
        ends = [end for _, end in last.spans if end > start]
        if ends:
            spans.append(Span(start.timestamp(), min(ends).timestamp(), weight))
    return spans
