import math

import pytest

from zulong.memory import Draft, EdgeType, Importance, NodeType, Place
from zulong.memory.door import origins

PATIENT = {"hot_deadline_s": 10.0, "cold_deadline_s": 10.0}


@pytest.mark.feature("MG-16")
def test_the_same_thing_said_again_strengthens(open_graph):
    graph = open_graph()
    first = graph.remember("The spare key hangs behind the blue door", NodeType.KNOWLEDGE)
    again = graph.remember("the spare key hangs behind the blue door!", NodeType.KNOWLEDGE)
    assert (again.verdict, again.id) == ("strengthened", first.id)
    assert first.id in again.reason or "same" in again.reason
    assert len(graph) == 1
    assert graph.get(first.id).access_count >= 1


@pytest.mark.feature("MG-16")
@pytest.mark.parametrize(
    "other",
    [
        "The spare key hangs behind the red door",
        "The spare key does not hang behind the blue door",
        "The 2 spare keys hang behind the blue door",
    ],
)
def test_what_differs_in_a_thing_a_number_or_a_not_is_stored(open_graph, other):
    graph = open_graph()
    graph.remember("The spare key hangs behind the blue door", NodeType.KNOWLEDGE)
    assert graph.remember(other, NodeType.KNOWLEDGE).verdict == "added"


def test_the_same_words_of_another_person_or_place_are_another_memory(open_graph):
    graph = open_graph()
    graph.remember("saw a broken lamp in the hall here", person="anna", place=Place(0, 0))
    assert (
        graph.remember("Saw a broken lamp in the hall here!", person="ben", place=Place(0, 0)).verdict
        == "added"
    )
    assert (
        graph.remember("Saw a broken lamp in the hall here?", person="anna", place=Place(5, 5)).verdict
        == "added"
    )
    assert (
        graph.remember("Saw the broken lamp in the hall, here", person="anna", place=Place(0, 0.5)).verdict
        == "strengthened"
    )


@pytest.mark.feature("MG-16")
def test_junk_is_refused_with_its_reason_and_dialogue_is_not(open_graph):
    graph = open_graph()
    refused = graph.remember("asdfghjkl")
    assert refused.verdict == "refused"
    assert "random" in refused.reason
    assert graph.remember("ok", NodeType.DIALOGUE, session="s").verdict == "added"
    assert len(graph) == 1


@pytest.mark.feature("MG-08")
def test_importance_and_tags_are_given_by_rule_unless_named(open_graph):
    graph = open_graph()
    by_rule = graph.get(graph.remember("Anna is allergic to peanuts", tags=["mine"]).id)
    assert by_rule.importance is Importance.IMPORTANT
    assert by_rule.tags == ("mine", "health")
    named = graph.get(graph.remember("Ben is allergic to peanuts", importance=Importance.TRIVIAL).id)
    assert named.importance is Importance.TRIVIAL


@pytest.mark.feature("MG-15")
@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The red cup is in the kitchen", "The red cup is in the bedroom", "where is the red cup?"),
        ("红色的杯子在厨房里", "红色的杯子在卧室里", "红色的杯子在哪里？"),
    ],
)
def test_a_contradiction_keeps_both_and_the_newer_is_valid(open_graph, clock, old, new, question):
    graph = open_graph()
    before = graph.remember(old, NodeType.KNOWLEDGE)
    between = clock()
    after = graph.remember(new, NodeType.KNOWLEDGE)
    assert after.verdict == "added"
    assert [(e.src, e.dst) for e in graph.edges_of(after.id, [EdgeType.CONTRADICTS])] == [
        (after.id, before.id)
    ]
    assert graph.get(before.id).valid_to == graph.get(after.id).stamp
    assert graph.get(after.id).valid_to == math.inf
    assert [hit.id for hit in graph.recall(question, **PATIENT).hits] == [after.id]
    assert [hit.id for hit in graph.recall(question, as_of=between, **PATIENT).hits] == [before.id]


@pytest.mark.feature("MG-15")
def test_contradictions_inside_one_batch_are_found_too(open_graph, clock):
    graph = open_graph()
    drafts = [
        Draft("The door is open", NodeType.KNOWLEDGE, id="a", stamp=clock()),
        Draft("The door is closed", NodeType.KNOWLEDGE, id="b", stamp=clock()),
    ]
    graph.remember_many(drafts)
    assert [(e.src, e.dst) for e in graph.edges_of("b", [EdgeType.CONTRADICTS])] == [("b", "a")]
    assert graph.get("a").valid_to < math.inf


def test_what_was_said_stays_true_of_its_moment(open_graph):
    graph = open_graph()
    graph.remember("The cup is in the kitchen", NodeType.DIALOGUE, id="a", session="s")
    graph.remember("The cup is in the bedroom", NodeType.DIALOGUE, id="b", session="s")
    assert graph.get("a").valid_to == math.inf


@pytest.mark.feature("MG-15")
def test_a_derived_fact_leads_back_to_what_it_came_from(open_graph):
    graph = open_graph()
    graph.remember("I take my tea without sugar", NodeType.DIALOGUE, id="said", session="s", person="anna")
    graph.remember("Anna drinks unsweetened tea", NodeType.KNOWLEDGE, id="fact", source_ids=["said"])
    graph.remember("Anna watches her sugar", NodeType.KNOWLEDGE, id="guess", source_ids=["fact", "gone"])
    found = [(origin.id, origin.depth, origin.node is not None) for origin in origins(graph.engine, "guess")]
    assert found[0] == ("guess", 0, True)
    assert ("fact", 1, True) in found
    assert ("gone", 1, False) in found
    assert ("said", 2, True) in found


def test_an_unknown_setting_is_refused(open_graph):
    with pytest.raises(ValueError, match="duplicate_cosin"):
        open_graph(duplicate_cosin=0.5)
