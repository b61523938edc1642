from datetime import datetime, timezone

import pytest

from zulong.memory.retrieval.when import TimeExpressions

NOW = datetime(2024, 5, 16, 15, 0, tzinfo=timezone.utc).timestamp()  # a Thursday


def spans(text, now=NOW, years=(2024, 2024)):
    def day(moment):
        return (
            str(moment)
            if abs(moment) == float("inf")
            else datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d")
        )

    return [(day(s.start), day(s.end)) for s in TimeExpressions(*years, now).spans(text)]


@pytest.mark.feature("MG-14")
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what happened on 2024-03-15?", "2024-03-15", "2024-03-16"),
        ("our brunch on March 23rd", "2024-03-23", "2024-03-24"),
        ("the meeting of 4 May 2024", "2024-05-04", "2024-05-05"),
        ("from January 15th to January 24th", "2024-01-15", "2024-01-25"),
        ("between 2024-03-01 and April", "2024-03-01", "2024-05-01"),
        ("May 13-15", "2024-05-13", "2024-05-14"),
        ("in February", "2024-02-01", "2024-03-01"),
        ("late in the second half of June", "2024-06-16", "2024-07-01"),
        ("in early May", "2024-05-01", "2024-05-13"),
        ("yesterday evening", "2024-05-15", "2024-05-16"),
        ("three days ago", "2024-05-13", "2024-05-14"),
        ("last week", "2024-05-06", "2024-05-13"),
        ("last month", "2024-04-01", "2024-05-01"),
        ("this month", "2024-05-01", "2024-06-01"),
        ("last Tuesday", "2024-05-14", "2024-05-15"),
        ("before June 2024", "-inf", "2024-06-01"),
        ("since March 3rd", "2024-03-04", "inf"),
        ("on Christmas Eve", "2024-12-24", "2024-12-25"),
        ("in the summer of 2023", "2023-06-01", "2023-09-01"),
        ("昨天下午", "2024-05-15", "2024-05-16"),
        ("三天前", "2024-05-13", "2024-05-14"),
        ("2024年3月15日", "2024-03-15", "2024-03-16"),
        ("五月四号", "2024-05-04", "2024-05-05"),
        ("上周三", "2024-05-08", "2024-05-09"),
        ("上个月", "2024-04-01", "2024-05-01"),
        ("六月之前", "-inf", "2024-06-01"),
        ("三月下旬", "2024-03-19", "2024-04-01"),
        ("三月到五月", "2024-03-01", "2024-06-01"),
    ],
)
def test_an_expression_names_its_span(text, start, end):
    assert (start, end) in spans(text)


@pytest.mark.parametrize(
    "text",
    [
        "May I ask you something?",
        "march to the kitchen",
        "the second cup",
        "房间里有三个杯子",
        "",
    ],
)
def test_what_only_looks_like_a_time_names_none(text):
    assert spans(text) == []


def test_a_day_without_a_year_means_that_day_of_every_year_covered():
    assert spans("on March 3rd", years=(2022, 2024)) == [
        (f"{y}-03-03", f"{y}-03-04") for y in (2022, 2023, 2024)
    ]


def test_relative_times_need_to_know_when_the_question_is_asked():
    assert spans("yesterday and last week", now=None) == []
