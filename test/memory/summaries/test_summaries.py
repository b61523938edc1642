import pytest

from zulong.memory import EdgeType, MemoryConfig, MemoryGraph
from zulong.memory import review as reviews
from zulong.memory.model import ReviewVerdict
from zulong.memory.review import Decision

DAY = 86_400.0


class Clock:
    def __init__(self):
        self.time = 1_750_000_000.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def reopen(tmp_path, clock):
    opened = []

    def again():
        for graph in opened:
            graph.close()
        config = MemoryConfig(retrieval={"background": False}, door={"open": True})
        graph = MemoryGraph.open(tmp_path / "store", clock=clock, config=config)
        opened.append(graph)
        return graph

    yield again
    for graph in opened:
        graph.close()


def compress(graph, label, ids, summary=""):
    decisions = [Decision(id, ReviewVerdict.COMPRESS, "old", label, summary) for id in ids]
    return reviews.apply(graph.engine, decisions).summaries[0]


def fill(graph, clock):
    """A week of watering and a week of guests; a chain holds two of them in place."""
    for day in range(3):
        graph.remember(
            f"Watered the tomatoes on the balcony, pot {day}", id=f"water:{day}", stamp=clock.time + day * DAY
        )
        graph.remember(
            f"奶奶来访，我们一起喝了{'红绿白'[day]}茶", id=f"visit:{day}", stamp=clock.time + (10 + day) * DAY
        )
    graph.link("water:0", "water:1", EdgeType.TEMPORAL)
    first = compress(graph, "balcony week", [f"water:{d}" for d in range(3)])
    second = compress(graph, "奶奶来访", [f"visit:{d}" for d in range(3)])
    return first, second


def navigator(graph):
    graph.recall("anything")  # catches the indexes up
    return graph.retriever.summaries


@pytest.mark.feature("MG-10")
def test_what_was_compressed_is_found_and_leads_back_to_what_is_left(reopen, clock):
    graph = reopen()
    first, second = fill(graph, clock)
    hits = navigator(graph).search("who watered the tomato plants?")
    assert hits[0].node.id == first
    assert [node.id for node in hits[0].originals] == ["water:0", "water:1"]
    assert hits[0].gone == 1
    assert hits[0].words == pytest.approx(1.0)
    assert hits[0].cosine > 0.2
    chinese = navigator(graph).search("奶奶喝了什么茶")
    assert chinese[0].node.id == second
    assert chinese[0].originals == ()
    assert chinese[0].gone == 3
    assert navigator(graph).search("quantum chromodynamics") == []


@pytest.mark.feature("MG-10")
def test_summaries_of_summaries_lead_down_to_the_originals(reopen, clock):
    graph = reopen()
    first, second = fill(graph, clock)
    top = compress(
        graph, "the month", [first, second], "A month of watering tomatoes and of tea with grandmother"
    )
    hit = navigator(graph).search("a month of tomatoes and tea")[0]
    assert hit.node.id == top
    assert hit.originals == () or {node.id for node in hit.originals} <= {"water:0", "water:1"}


@pytest.mark.feature("MG-10")
def test_an_overview_tells_a_stretch_of_time_in_order(reopen, clock):
    graph = reopen()
    first, second = fill(graph, clock)
    overview = navigator(graph).overview(clock.time, clock.time + 30 * DAY)
    assert [hit.node.id for hit in overview] == [first, second]
    assert [
        hit.node.id for hit in navigator(graph).overview(clock.time + 9 * DAY, clock.time + 30 * DAY)
    ] == [second]


@pytest.mark.feature("MG-10")
def test_undoing_the_compression_takes_the_summary_away(reopen, clock):
    graph = reopen()
    first, _ = fill(graph, clock)
    entry = next(entry for entry in graph.journal() if entry.kind == "compress")
    graph.undo(entry.number)
    assert graph.get(first) is None
    assert first not in [hit.node.id for hit in navigator(graph).search("tomatoes on the balcony")]


@pytest.mark.feature("MG-10", "MG-11")
def test_the_file_is_caught_up_at_start_and_made_again_when_damaged(reopen, clock, tmp_path):
    graph = reopen()
    first, second = fill(graph, clock)
    graph = reopen()
    assert {hit.node.id for hit in navigator(graph).overview(0, 1e12)} == {first, second}
    graph.close()
    (tmp_path / "store" / "cache" / "summaries.sqlite").write_bytes(b"no database at all" * 100)
    graph = reopen()
    assert {hit.node.id for hit in navigator(graph).overview(0, 1e12)} == {first, second}


@pytest.mark.feature("MG-21")
def test_forgetting_removes_the_summary_from_the_file(reopen, clock, tmp_path):
    graph = reopen()
    graph.remember("Zorbax hid the marmalade", id="z", person="zorbax")
    graph.remember("Zorbax ate the marmalade", id="y", person="zorbax")
    compress(graph, "zorbax", ["z", "y"])
    assert navigator(graph).search("marmalade")
    assert graph.forget(person="zorbax").index_entries == {"passages": 1, "vectors": 0, "summaries": 1}
    assert navigator(graph).search("marmalade") == []
    graph.close()
    assert b"zorbax" not in (tmp_path / "store" / "cache" / "summaries.sqlite").read_bytes().lower()
