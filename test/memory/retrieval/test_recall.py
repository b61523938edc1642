import threading
import time

import numpy as np
import pytest

from zulong.embedding import EmbeddingError, HashingEmbedder
from zulong.memory import Draft, EdgeType, Link, NodeType, Place
from zulong.memory.retrieval.indexing import indexer_of

DAY = 86_400.0


def ask(graph, question, **options):
    """Recall with deadlines that a busy machine keeps."""
    return graph.recall(question, **{"hot_deadline_s": 10.0, "cold_deadline_s": 10.0, **options})


def ids(result):
    return [hit.id for hit in result.hits]


def say(graph, session, *turns, start=0.0):
    """Remember a conversation, each turn linked to the one before."""
    names = []
    for number, text in enumerate(turns):
        links = (Link(names[-1], EdgeType.TEMPORAL, 0.5, incoming=True),) if names else ()
        name = f"{session}:{number}"
        stamp = graph.engine.now() + start + number
        graph.remember_many(
            [Draft(text, NodeType.DIALOGUE, id=name, session=session, stamp=stamp, links=links)]
        )
        names.append(name)
    return names


@pytest.mark.feature("MG-06")
def test_what_was_remembered_is_found_at_once_and_explains_itself(open_graph, settle):
    graph = open_graph()
    graph.remember("The red cup stands on the kitchen table", id="cup")
    graph.remember("The battery was charged this morning", id="battery")
    before = ask(graph, "where is the red cup?")
    assert ids(before)[0] == "cup"
    settle(graph)
    result = ask(graph, "where is the red cup?", hot_deadline_s=5, cold_deadline_s=5)
    best = result.hits[0]
    assert best.id == "cup"
    assert best.path == ("cup",)
    assert best.scores["keyword"] == pytest.approx(1.0)
    assert {"hot", "cold", "vector"} <= set(best.scores)
    assert result.late == []
    assert 0 < result.elapsed_s < 10


@pytest.mark.feature("MG-17")
def test_chinese_is_found_by_chinese(open_graph, settle):
    graph = open_graph()
    graph.remember("小明把红色的杯子放在厨房的桌子上", id="cup")
    graph.remember("今天下午给机器人充了电", id="charge")
    settle(graph)
    assert ids(ask(graph, "红色杯子在哪里？"))[0] == "cup"
    assert ids(ask(graph, "机器人什么时候充电的"))[0] == "charge"


class Slow(HashingEmbedder):
    """An embedder that takes its time over a question."""

    def embed_query(self, text):
        time.sleep(2.0)
        return super().embed_query(text)


@pytest.mark.feature("MG-06")
def test_a_late_cold_path_is_left_out_and_named(open_graph, settle):
    graph = open_graph(embedder=Slow())
    graph.remember("The red cup stands on the kitchen table", id="cup")
    settle(graph)
    result = ask(graph, "red cup", hot_deadline_s=5, cold_deadline_s=0.05)
    assert ids(result) == ["cup"]
    assert result.late == ["cold"]
    assert result.elapsed_s < 2.0
    patient = ask(graph, "red cup on the table", hot_deadline_s=10, cold_deadline_s=10)
    assert patient.late == []


class Broken(HashingEmbedder):
    def embed(self, texts):
        raise EmbeddingError("the endpoint does not answer")


def test_without_an_embedder_that_works_the_words_still_answer(open_graph, settle):
    graph = open_graph(embedder=Broken())
    graph.remember("The red cup stands on the kitchen table", id="cup")
    settle(graph)
    result = ask(graph, "red cup", hot_deadline_s=5, cold_deadline_s=5)
    assert ids(result) == ["cup"]
    assert result.late == ["cold"]


@pytest.mark.feature("MG-06", "MG-14")
def test_filters_by_type_time_place_person_robot_and_session(open_graph, clock):
    graph = open_graph()
    common = "the red cup was seen"
    graph.remember(
        common + " one", NodeType.EPISODE, id="a", stamp=clock.time - 5 * DAY, place=Place(0, 0), robot="r1"
    )
    graph.remember(
        common + " two", NodeType.FILE, id="b", stamp=clock.time - 1 * DAY, place=Place(9, 9), person="anna"
    )
    graph.remember(common + " three", NodeType.DIALOGUE, id="c", stamp=clock.time, session="s7")
    assert set(ids(ask(graph, "red cup"))) == {"a", "b", "c"}
    assert ids(ask(graph, "red cup", types=[NodeType.FILE])) == ["b"]
    assert ids(ask(graph, "red cup", until=clock.time - 2 * DAY)) == ["a"]
    assert set(ids(ask(graph, "red cup", since=clock.time - 2 * DAY))) == {"b", "c"}
    assert ids(ask(graph, "red cup", near=Place(8.5, 9), radius_m=1.0)) == ["b"]
    assert ids(ask(graph, "red cup", person="anna")) == ["b"]
    assert ids(ask(graph, "red cup", robot="r1")) == ["a"]
    assert ids(ask(graph, "red cup", session="s7")) == ["c"]


@pytest.mark.feature("MG-14", "MG-15")
def test_recall_asks_what_was_valid_as_of_a_moment(open_graph, clock):
    graph = open_graph()
    graph.remember("The cup is in the kitchen", id="then", stamp=clock.time - 10 * DAY)
    graph.update("then", valid_to=clock.time - 5 * DAY)
    graph.remember("The cup is in the bedroom", id="now", stamp=clock.time - 5 * DAY)
    assert ids(ask(graph, "where is the cup")) == ["now"]
    assert ids(ask(graph, "where is the cup", as_of=clock.time - 7 * DAY)) == ["then"]


@pytest.mark.feature("MG-14")
def test_a_day_named_in_the_question_brings_what_happened_then(open_graph, clock):
    graph = open_graph()
    for day in range(1, 29):
        stamp = 1_746_057_600.0 + (day - 1) * DAY  # 1 May 2025
        graph.remember(f"Watered the plants and met neighbour number {day}", id=f"may-{day}", stamp=stamp)
    assert ids(ask(graph, "whom did I meet when I watered the plants on May 17th?"))[0] == "may-17"
    assert ids(ask(graph, "5月9号给植物浇水时见到了谁 watered the plants"))[0] == "may-9"


@pytest.mark.feature("MG-14")
def test_a_day_begins_at_the_midnight_of_the_clocks_on_the_wall(open_graph):
    shanghai = open_graph(utc_offset_h=8.0)
    shanghai.remember(
        "Watered the plants before dawn", id="early", stamp=1_746_057_600.0 - 3600
    )  # 07:00 on 1 May there
    shanghai.remember("Watered the plants in the evening", id="other", stamp=1_746_057_600.0 - 30 * 3600)
    hits = ask(shanghai, "plants watered on May 1st").hits
    assert [hit.id for hit in hits if "time" in hit.scores] == ["early"]


@pytest.mark.feature("MG-07")
def test_a_short_answer_is_found_through_the_question_before_it(open_graph):
    graph = open_graph()
    turns = say(
        graph,
        "s1",
        "Which tea does grandmother drink in the evening?",
        "Chamomile.",
        "And the weather?",
        "Rain.",
    )
    say(graph, "s2", "Shall we go?", "Later.", "Fine.", start=100)
    result = ask(graph, "Which tea does grandmother drink?", k=4)
    assert ids(result)[:2] == turns[:2]
    answer = result.hits[1]
    assert answer.scores["neighbour"] > 0
    assert answer.path == (turns[0], turns[1])
    assert [edge.type for edge in answer.edges] == [EdgeType.TEMPORAL]


@pytest.mark.feature("MG-07")
def test_spreading_never_lowers_a_memory_that_has_no_neighbours(open_graph):
    lonely, chatty = open_graph("a"), open_graph("b")
    turns = [f"we talked about lanterns and the harbour, part {n}" for n in range(6)]
    for graph, linked in ((lonely, False), (chatty, True)):
        graph.remember("A report on the lanterns of the harbour", NodeType.KNOWLEDGE, id="report")
        if linked:
            say(graph, "s", *turns)
        else:
            for number, text in enumerate(turns):
                graph.remember(text, NodeType.EPISODE, id=f"s:{number}")
    question = "lanterns of the harbour, part 3"
    rank = [ids(ask(graph, question, k=7)).index("report") for graph in (lonely, chatty)]
    assert rank[1] <= rank[0]


@pytest.mark.feature("MG-06")
def test_focus_lifts_its_session_and_what_it_leads_to(open_graph):
    graph = open_graph()
    first = say(graph, "monday", "the lamp in the hall is broken", "ok")
    second = say(graph, "friday", "the lamp in the study is broken", "ok then", start=1000)
    graph.remember("Spare bulbs lie in the cellar", id="bulbs")
    graph.link(second[0], "bulbs", EdgeType.REFERENCE, 0.9)
    assert ids(ask(graph, "which lamp is broken?", focus=[first[0]]))[0] == first[0]
    result = ask(graph, "which lamp is broken?", focus=[second[0]])
    assert ids(result)[0] == second[0]
    bulbs = next(hit for hit in result.hits if hit.id == "bulbs")
    assert bulbs.scores["focus"] > 0
    assert bulbs.path == (second[0], "bulbs")


@pytest.mark.feature("MG-06")
def test_questions_about_memory_itself(open_graph, clock):
    graph = open_graph()
    graph.remember("The red cup stands on the table", id="cup", stamp=clock.time - 2 * DAY)
    graph.remember("The battery is full", NodeType.KNOWLEDGE, id="battery", stamp=clock.time)
    asked = ask(graph, "Do you remember the red cup?")
    assert ids(asked)[0] == "cup"
    assert ids(ask(graph, "你还记得 battery 吗？"))[0] == "battery"
    counted = ask(graph, "How many memories do you have?").hits[0]
    assert counted.node.meta["count"] == 2
    assert counted.node.meta["by_type"] == {"EPISODE": 1, "KNOWLEDGE": 1}
    assert ask(graph, "你有多少条记忆？").hits[0].node.text.startswith("共有 2 条记忆")
    assert ask(graph, "how many memories do you have from two days ago?").hits[0].node.meta["count"] == 1
    assert ids(ask(graph, "What do you remember?")) == ["battery", "cup"]
    assert ids(ask(graph, "How many cups are there?"))[0] == "cup"


def test_the_answer_to_how_many_leaves_the_lifecycle_in_peace(open_graph):
    graph = open_graph()
    graph.remember("The red cup stands on the table", id="cup")
    ask(graph, "how many memories do you have?")
    graph.lifecycle.run_once(["activate", "hebb"])
    assert [counters.failures for counters in graph.lifecycle.counters().values()] == [0] * 9


def test_one_file_does_not_fill_the_list_with_its_chunks(open_graph):
    graph = open_graph()
    graph.remember("Manual of the arm", NodeType.FILE, id="manual")
    for part in range(5):
        graph.remember(
            f"gripper torque table of the arm, page {part}",
            NodeType.DOCUMENT,
            id=f"manual#{part}",
            meta={"file": "manual"},
        )
    graph.remember("The gripper torque was set by Anna", id="anna")
    assert "anna" in ids(ask(graph, "gripper torque", k=2))


def test_a_named_kind_of_memory_is_preferred(open_graph):
    graph = open_graph()
    graph.remember("the budget was discussed with Monica over lunch", NodeType.EPISODE, id="talk")
    graph.remember(
        "the budget was discussed with Monica over lunch.", NodeType.EPISODE, id="mail", tags=["mail"]
    )
    assert ids(ask(graph, "what was discussed with Monica about the budget in the e-mail?"))[0] == "mail"


@pytest.mark.feature("MG-11")
def test_reopened_stores_answer_alike_with_and_without_their_caches(open_graph, settle, tmp_path):
    graph = open_graph()
    for number in range(40):
        graph.remember(
            f"crate {number} holds {'apples' if number % 2 else 'pears'} for dock {number % 7}",
            id=f"c{number}",
        )
    settle(graph)
    expected = ids(ask(graph, "apples for dock 3"))
    graph.retriever._indexer.save()
    graph.remember("crate 99 holds apples for dock 3", id="late")
    graph.forget(ids=["c5"])
    settle(graph)
    fresh = ids(ask(graph, "apples for dock 3"))
    graph.close()
    again = open_graph()
    assert ids(ask(again, "apples for dock 3")) == fresh
    again.close()
    for file in (tmp_path / "store" / "cache").rglob("*"):
        if file.is_file():
            file.write_bytes(b"damaged")
    rebuilt = open_graph()
    settle(rebuilt)
    assert ids(ask(rebuilt, "apples for dock 3")) == fresh
    assert expected[0] in fresh


@pytest.mark.feature("MG-09")
def test_new_memories_get_vectors_and_semantic_edges_by_themselves(open_graph, settle):
    graph = open_graph()
    graph.remember("the red cup is on the kitchen table", id="a")
    graph.remember("the red cups are on the kitchen table now", id="b")
    graph.remember("完全不同的事情", id="c")
    settle(graph)
    stored = {int(u): name for name, uids, _ in graph.engine.vectors() for u in uids}
    assert len(stored) == 3
    assert set(stored.values()) == {HashingEmbedder().name}
    assert {(e.src, e.dst) for e in graph.edges_of("a", [EdgeType.SEMANTIC])} & {("a", "b"), ("b", "a")}
    assert not graph.edges_of("c", [EdgeType.SEMANTIC])


@pytest.mark.feature("MG-09")
def test_another_embedder_has_every_vector_made_anew(open_graph, settle):
    graph = open_graph(embedder=HashingEmbedder(64))
    graph.remember("the red cup", id="a")
    settle(graph)
    graph.close()
    graph = open_graph(embedder=HashingEmbedder(128))
    settle(graph)
    assert [(name, matrix.shape) for name, _, matrix in graph.engine.vectors()] == [
        ("zulong-hashing-1/128", (1, 128))
    ]
    assert ask(graph, "red cup", hot_deadline_s=5, cold_deadline_s=5).hits[0].scores["vector"] > 0.5


@pytest.mark.feature("MG-21")
def test_forgetting_leaves_nothing_in_the_indexes_or_their_files(open_graph, settle, tmp_path):
    graph = open_graph()
    graph.remember("Zorbax likes marmalade", id="secret", person="zorbax")
    graph.remember("The cup is red", id="cup")
    settle(graph)
    graph.retriever._indexer.save()
    graph.forget(person="zorbax")
    assert ids(ask(graph, "does Zorbax like marmalade?")) == []
    indexer = graph.retriever._indexer
    assert "zorbax" not in indexer.keyword._vocabulary
    assert len(indexer.vectors) == 1
    graph.close()
    with np.load(tmp_path / "store" / "cache" / "keyword.npz") as data:
        assert b"zorbax" not in data["words"].tobytes()


def test_a_background_thread_indexes_and_embeds_without_being_asked(open_graph):
    graph = open_graph(background=True)
    graph.remember("the red cup", id="a")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not list(graph.engine.vectors()):
        time.sleep(0.02)
    assert len(list(graph.engine.vectors())) == 1


def test_an_unknown_or_negative_setting_is_refused(open_graph):
    with pytest.raises(ValueError, match="hot_keywrod"):
        open_graph(hot_keywrod=1)
    with pytest.raises(ValueError, match="negative"):
        open_graph("other", time_boost=-1)


@pytest.mark.feature("MG-11", "MG-13")
def test_what_has_been_superseded_gets_vectors_of_a_new_embedder_too(open_graph, settle):
    class Other(HashingEmbedder):
        name = "another/512"

    graph = open_graph()
    graph.remember("The door code is 4711", NodeType.KNOWLEDGE, id="old")
    graph.engine.update("old", valid_to=graph.engine.now() - 10, valid_from=graph.engine.now() - 20)
    graph.remember("The door code is 9999", NodeType.KNOWLEDGE, id="new")
    settle(graph)
    graph.close()
    graph = open_graph(embedder=Other())
    settle(graph)
    assert [(name, len(uids)) for name, uids, _ in graph.engine.vectors()] == [("another/512", 2)]
    asked = ask(graph, "door code", as_of=graph.engine.now() - 15)
    assert ids(asked) == ["old"]
    assert asked.hits[0].scores["vector"] > 0


@pytest.mark.feature("MG-06", "MG-11")
def test_a_recall_waits_for_a_write_that_the_index_is_just_taking_in(open_graph, monkeypatch):
    graph = open_graph(background=True)
    graph.remember("The kettle is on the shelf", id="kettle")
    ask(graph, "kettle")
    begun, go_on = threading.Event(), threading.Event()
    indexer = indexer_of(graph.engine)
    add = indexer.keyword.add

    def slow(nodes):
        begun.set()
        go_on.wait(10)
        add(nodes)

    monkeypatch.setattr(indexer.keyword, "add", slow)
    graph.remember("The lantern hangs in the hall", id="lantern")
    assert begun.wait(10), "the thread has taken the commit from the queue"
    waker = threading.Timer(0.3, go_on.set)
    waker.start()
    assert ids(ask(graph, "where is the lantern?"))[0] == "lantern"
    waker.join()
