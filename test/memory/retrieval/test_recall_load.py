"""Recall while much else goes on."""

import threading
import time

import pytest

from zulong.embedding import HashingEmbedder
from zulong.memory import NodeType


class Stuck(HashingEmbedder):
    """A model that answers no question until it is let go."""

    def __init__(self):
        super().__init__()
        self.released = threading.Event()

    def embed_query(self, text):
        self.released.wait(30)
        return super().embed_query(text)


@pytest.mark.feature("MG-06")
def test_questions_that_wait_for_a_model_do_not_hold_up_the_words(open_graph):
    embedder = Stuck()
    graph = open_graph(embedder=embedder)
    graph.remember("The red cup stands on the kitchen table", id="cup")
    try:
        for number in range(12):
            result = graph.recall(f"red cup {number}", hot_deadline_s=10.0, cold_deadline_s=0.01)
            assert [hit.id for hit in result.hits] == ["cup"]
            assert result.late == ["cold"]
    finally:
        embedder.released.set()


@pytest.mark.feature("MG-06")
def test_recalls_and_writes_and_forgetting_go_on_side_by_side(open_graph):
    graph = open_graph(background=True)
    graph.remember("The anchor stone lies in the harbour", NodeType.KNOWLEDGE, id="anchor")
    wrong, done = [], threading.Event()

    def ask():
        while not done.is_set():
            hits = graph.recall("where is the anchor stone?", hot_deadline_s=20.0, cold_deadline_s=20.0).hits
            if not hits or hits[0].id != "anchor":
                wrong.append([hit.id for hit in hits])

    readers = [threading.Thread(target=ask) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(60):
        graph.remember(f"A gull number {number} flew over the pier", id=f"gull:{number}")
        if number % 20 == 19:
            graph.forget(ids=[f"gull:{number - 1}"])
    done.set()
    for reader in readers:
        reader.join(60)
    assert not wrong
    found = {
        hit.id for hit in graph.recall("gull on the pier", k=100, hot_deadline_s=20, cold_deadline_s=20).hits
    }
    assert {f"gull:{n}" for n in range(60)} - found == {"gull:18", "gull:38", "gull:58"}


def test_closing_does_not_wait_for_a_model_that_hangs(open_graph):
    embedder = Stuck()
    graph = open_graph(embedder=embedder)
    graph.remember("The red cup", id="cup")
    graph.recall("red cup", hot_deadline_s=10.0, cold_deadline_s=0.01)
    begun = time.monotonic()
    graph.close()
    assert time.monotonic() - begun < 20
    embedder.released.set()
