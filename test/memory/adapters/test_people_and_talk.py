import math

import pytest

from zulong.memory import EdgeType, NodeType, Place
from zulong.memory.adapters.access import AdapterError
from zulong.memory.adapters.dialogue import DialogueAdapter, ShortTermMemory, Turn
from zulong.memory.adapters.episodes import Episode, EpisodeAdapter
from zulong.memory.adapters.knowledge import KnowledgeGraphAdapter, Triple
from zulong.memory.adapters.people import PersonProfileAdapter, Profile


@pytest.mark.feature("MG-12")
def test_a_conversation_survives_a_restart_and_goes_on_where_it_was(graph, reopen, clock):
    turns = [Turn("s1", speaker, text, clock() + i) for i, (speaker, text) in enumerate(
        [("anna", "Where is my red cup?"), ("robot", "On the kitchen table."), ("anna", "ok"), ("anna", "谢谢")]
    )]  # fmt: skip
    DialogueAdapter(graph).record(*turns[:3])
    graph = reopen()
    adapter = DialogueAdapter(graph)
    ids = adapter.record(turns[3])
    assert adapter.load("s1") == turns
    assert ids == ["dialogue:s1:4"]
    chain = [(e.src, e.dst) for e in graph.edges_of("dialogue:s1:4", [EdgeType.TEMPORAL])]
    assert chain == [("dialogue:s1:3", "dialogue:s1:4")]
    assert adapter.recall("red cup").hits[0].node.person == "anna"
    assert adapter.short_term.turns() == [turns[3]]


def test_the_short_term_memory_keeps_the_latest_turns_only():
    memory = ShortTermMemory(capacity=2)
    turns = [Turn("a" if i % 2 else "b", "anna", f"turn {i}", float(i)) for i in range(4)]
    for turn in turns:
        memory.add(turn)
    assert memory.turns() == turns[2:]
    assert memory.turns("a") == [turns[3]]
    with pytest.raises(ValueError, match="capacity"):
        ShortTermMemory(0)


def test_a_turn_without_a_word_is_refused_and_breaks_no_chain(graph, clock):
    adapter = DialogueAdapter(graph)
    with pytest.raises(AdapterError, match="no word"):
        adapter.record(Turn("s", "anna", "...", clock()))
    adapter.record(Turn("s", "anna", "The tea is ready", clock()))
    assert [turn.text for turn in adapter.load("s")] == ["The tea is ready"]


@pytest.mark.feature("MG-12", "MG-14")
def test_episodes_come_back_whole_and_in_order(graph, reopen, clock):
    start = clock()
    first = Episode("e1", "Carried the laundry to the bathroom", start, start + 60, "r1", Place(1, 2, room="bathroom"),
                    ("anna",), ("basket",), "done", ("chores",))  # fmt: skip
    second = Episode("e2", "Charged at the dock in the hall", start + 100, start + 900, "r1")
    other = Episode("e3", "Swept the corridor of the house", start + 50, start + 70, "r2")
    PersonProfileAdapter(graph).save(Profile("anna", "Anna"))
    adapter = EpisodeAdapter(graph)
    for episode in (first, second, other):
        adapter.record(episode)
    adapter = EpisodeAdapter(reopen_graph := reopen())
    assert adapter.load(robot="r1") == [first, second]
    assert adapter.load() == [first, other, second]
    assert adapter.load(since=start + 60) == [second]
    assert adapter.get("e3") == other
    edges = reopen_graph.edges_of("episode:e1")
    assert {(e.src, e.dst, e.type) for e in edges} == {
        ("episode:e1", "person:anna", EdgeType.REFERENCE),
        ("episode:e1", "episode:e2", EdgeType.TEMPORAL),
    }
    finished = Episode(
        "e2", "Charged at the dock in the hall", start + 100, start + 999, "r1", outcome="full"
    )
    adapter.record(finished)
    assert adapter.get("e2") == finished
    with pytest.raises(ValueError, match="ends before"):
        adapter.record(Episode("e9", "Went back in time", 2.0, 1.0))


@pytest.mark.feature("MG-12", "MG-15")
def test_statements_come_back_and_a_new_value_ends_the_old(graph, reopen, clock):
    graph.remember("Anna said the cup is hers", NodeType.DIALOGUE, id="said", session="s")
    adapter = KnowledgeGraphAdapter(graph)
    owner = Triple("red cup", "belongs to", "Anna", source_ids=("said",), confidence=0.9)
    likes = [Triple("Anna", "likes", drink, many=True) for drink in ("tea", "coffee")]
    adapter.add(owner, *likes)
    then = clock.advance(10)
    at = clock.advance(10)
    adapter.add(Triple("red cup", "belongs to", "Ben", valid_from=at))
    adapter = KnowledgeGraphAdapter(reopen())
    assert {t.object for t in adapter.triples("Anna", "likes")} == {"tea", "coffee"}
    assert [t.object for t in adapter.triples("red cup", "belongs to")] == ["Ben"]
    earlier = adapter.triples("red cup", "belongs to", as_of=then)
    assert [(t.object, t.confidence, t.source_ids, t.valid_to) for t in earlier] == [
        ("Anna", 0.9, ("said",), at)
    ]


@pytest.mark.feature("MG-12")
def test_chains_of_statements_are_found(graph):
    adapter = KnowledgeGraphAdapter(graph)
    triples = [
        Triple("cup", "stands on", "table"),
        Triple("table", "is part of", "kitchen"),
        Triple("kitchen", "adjoins", "hall"),
    ]
    adapter.add(*triples)
    assert adapter.path("cup", "hall") == triples
    assert adapter.path("cup", "moon") == []
    assert adapter.path("cup", "hall", longest=2) == []
    with pytest.raises(ValueError, match="named"):
        adapter.add(Triple("cup", " ", "table"))
    with pytest.raises(ValueError, match="confidence"):
        adapter.add(Triple("cup", "a", "b", confidence=7))


@pytest.mark.feature("MG-12", "MG-15")
def test_a_profile_comes_back_and_remembers_what_held_before(graph, reopen, clock):
    profile = Profile(
        "p1",
        "Anna",
        ("Annie",),
        {"favourite tea": "chamomile", "home": "Berlin"},
        ("cats", "jazz"),
        ("noise",),
    )
    adapter = PersonProfileAdapter(graph)
    adapter.save(profile)
    moved = clock.advance(100)
    adapter.learn("p1", "home", "Hamburg", stamp=moved)
    adapter = PersonProfileAdapter(reopen())
    stored = adapter.get("p1")
    assert stored == Profile(
        "p1",
        "Anna",
        ("Annie",),
        {"favourite tea": "chamomile", "home": "Hamburg"},
        profile.likes,
        profile.dislikes,
    )
    history = adapter.history("p1", "home")
    assert [(held.value, held.until) for held in history] == [("Berlin", moved), ("Hamburg", math.inf)]
    assert adapter.find("annie") == ["p1"]
    assert adapter.find("nobody") == []
    adapter.save(stored)
    assert len(adapter.history("p1", "home")) == 2
    with pytest.raises(KeyError, match="p9"):
        adapter.learn("p9", "home", "x")


@pytest.mark.feature("MG-21")
def test_forgetting_a_person_takes_the_whole_profile(graph):
    adapter = PersonProfileAdapter(graph)
    adapter.save(Profile("p1", "Anna", (), {"home": "Berlin"}, ("cats",)))
    adapter.save(Profile("p2", "Ben", (), {"home": "Rome"}))
    graph.forget(person="p1")
    assert adapter.get("p1") is None
    assert adapter.history("p1", "home") == []
    assert adapter.get("p2").attributes == {"home": "Rome"}
    assert not [
        hit
        for hit in graph.recall("Anna Berlin cats", hot_deadline_s=10.0, cold_deadline_s=10.0).hits
        if "Anna" in hit.node.text
    ]
