import pytest

from zulong.memory import NodeType
from zulong.memory.retrieval.bridges import names_in


@pytest.mark.feature("MG-06")
def test_a_name_in_the_first_hit_leads_to_what_the_question_does_not_say(open_graph, settle):
    facts = {
        "lamp": "The storm lantern of the harbour was invented by Wilhelmina Oostra in a shed.",
        "birth": "Wilhelmina Oostra grew up in Texel among fishermen.",
        "other": "The storm of last year broke the wall and flooded a shed.",
        "more": "An inventor from the north mends his nets in winter.",
    }
    ranks = {}
    for weight in (0.0, 0.2):
        graph = open_graph(f"store-{weight}", bridge_weight=weight)
        for id, text in facts.items():
            graph.remember(text, NodeType.KNOWLEDGE, id=id)
        for number in range(40):
            graph.remember(f"A note number {number} about gardening and weather", id=f"filler:{number}")
        settle(graph)
        hits = graph.recall(
            "Where is the inventor of the storm lantern from?",
            k=44,
            hot_deadline_s=10.0,
            cold_deadline_s=10.0,
        ).hits
        assert hits[0].id == "lamp"
        ranks[weight] = [hit.id for hit in hits].index("birth")
        bridged = [hit.id for hit in hits if "bridge" in hit.scores]
        assert bridged == (["birth"] if weight else [])
    assert ranks[0.2] < ranks[0.0]


def test_names_are_capitalised_words_without_function_words():
    assert names_in("The lamp of Wilhelmina Oostra, and 3 cups") == {"wilhelmina", "oostra"}
    assert names_in("红色的杯子 no names here") == set()
