import math
import threading
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.embedding.tokens import terms
from zulong.memory.model import Importance, Node, NodeType
from zulong.memory.retrieval.keyword import KeywordIndex, question_weights
from zulong.memory.retrieval.when import Span


def node(uid: int, text: str, **fields) -> Node:
    fields.setdefault("stamp", float(uid))
    return Node(
        id=f"n{uid}", uid=uid, type=fields.pop("type", NodeType.EPISODE), text=text, importance=Importance.NORMAL,
        created_at=0.0, last_access=0.0, **fields,
    )  # fmt: skip


def found(index: KeywordIndex, question: str, n: int = 10, **options) -> list[int]:
    return index.score(question_weights(question)).best(n, **options).uids.tolist()


def plain_bm25(texts: dict[int, str], question: str) -> dict[int, float]:
    """The definition, word for word."""
    counted = {uid: Counter(terms(text, keep_stop_words=True)) for uid, text in texts.items()}
    average = max(sum(sum(c.values()) for c in counted.values()) / max(len(counted), 1), 1.0)
    scores = {}
    for uid, counts in counted.items():
        score = 0.0
        for term, weight in question_weights(question).items():
            holding = sum(term in other for other in counted.values())
            if counts[term]:
                idf = math.log(1 + (len(counted) - holding + 0.5) / (holding + 0.5))
                norm = 1.5 * (1 - 0.75 + 0.75 * sum(counts.values()) / average)
                score += weight * idf * counts[term] * 2.5 / (counts[term] + norm)
        scores[uid] = score
    return scores


WORDS = st.sampled_from(["cup", "red", "kitchen", "robot", "杯子", "红色", "厨房", "the", "ran", "running"])
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


@pytest.mark.feature("MG-17")
@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=25), TEXTS, st.integers(1, 5))
def test_scores_are_those_of_the_definition_however_the_index_grew(texts, question, batch):
    index = KeywordIndex()
    nodes = [node(uid, text) for uid, text in enumerate(texts)]
    for start in range(0, len(nodes), batch):
        index.add(nodes[start : start + batch])
    scores = index.score(question_weights(question)).of(np.arange(len(texts)))
    expected = plain_bm25(dict(enumerate(texts)), question)
    assert np.allclose(scores, [expected[uid] for uid in range(len(texts))], atol=1e-3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.one_of(st.none(), TEXTS)), max_size=30))
def test_after_any_adds_changes_and_removals_it_finds_what_is_left(steps):
    index, texts = KeywordIndex(), {}
    for uid, text in steps:
        if text is None:
            index.remove([uid])
            texts.pop(uid, None)
        else:
            index.add([node(uid, text)])
            texts[uid] = text
    for word in ("cup", "kitchen", "红色"):
        having = {uid for uid, text in texts.items() if set(terms(word)) & set(terms(text))}
        assert set(found(index, word, 100)) == having


@pytest.mark.feature("MG-17")
def test_english_is_stemmed_and_chinese_found_by_bigrams():
    index = KeywordIndex()
    index.add(
        [
            node(1, "The robot carried three cups"),
            node(2, "机器人把红色的杯子拿到了厨房"),
            node(3, "晚饭吃面条"),
        ]
    )
    assert found(index, "carrying a cup") == [1]
    assert found(index, "红色杯子在哪里")[0] == 2
    assert found(index, "面条") == [3]


def test_a_time_and_a_filter_narrow_the_search():
    index = KeywordIndex()
    index.add([node(uid, "the red cup", stamp=uid * 100.0) for uid in range(10)])
    assert sorted(found(index, "red cup", spans=[Span(200.0, 400.0, 1.0)])) == [2, 3]
    assert sorted(found(index, "red cup", passes=lambda uids: uids > 7)) == [8, 9]


def test_a_long_text_is_found_by_its_best_passage():
    index = KeywordIndex(passage_words=50)
    filler = " ".join(f"word{i}." for i in range(600))
    index.add([node(1, f"{filler} The secret is the blue lantern. {filler}"), node(2, filler)])
    assert found(index, "blue lantern") == [1]
    assert len(index) > 20


def test_the_cache_brings_back_the_same_answers_and_its_transaction(tmp_path):
    index = KeywordIndex()
    index.add([node(uid, f"cup number {uid}") for uid in range(20)])
    index.remove([3])
    index.save(tmp_path / "keyword.npz", 42)
    again = KeywordIndex()
    assert again.load(tmp_path / "keyword.npz") == 42
    assert found(again, "cup 7") == found(index, "cup 7")
    assert 3 not in found(again, "cup", 100)
    assert again.frequency("7") == 1
    assert "3" not in again._vocabulary, "a word that only a removed memory had is not written"
    again.add([node(30, "cup number 3 again")])
    assert found(again, "number 3 again")[0] == 30
    assert found(again, "cup 7")[0] == 7


@pytest.mark.parametrize("damage", [b"", b"junk", None])
def test_a_missing_or_damaged_cache_is_no_error(tmp_path, damage):
    path = tmp_path / "keyword.npz"
    index = KeywordIndex()
    index.add([node(uid, f"cup number {uid}") for uid in range(20)])
    index.save(path, 1)
    if damage is None:
        path.write_bytes(path.read_bytes()[:-200])
    else:
        path.write_bytes(damage)
    assert KeywordIndex().load(path) is None
    assert KeywordIndex().load(tmp_path / "absent.npz") is None


def test_readers_are_right_while_a_writer_adds_and_merges():
    index, wrong, done = KeywordIndex(), [], threading.Event()
    index.add([node(0, "the anchor stone")])

    def read() -> None:
        while not done.is_set():
            if found(index, "anchor stone") != [0]:
                wrong.append(found(index, "anchor stone"))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for uid in range(1, 400):
        index.add([node(uid, f"pebble {uid}")])
    done.set()
    for reader in readers:
        reader.join(30)
    assert not wrong


def test_a_search_beside_additions_and_purges_never_misses_what_is_there():
    index, wrong, done = KeywordIndex(), [], threading.Event()
    index.add([node(uid, f"filler text number {uid}") for uid in range(200)])
    index.add([node(1000, "the anchor stone")])

    def look():
        while not done.is_set():
            if 1000 not in found(index, "anchor stone", 3):
                wrong.append(found(index, "anchor stone", 3))

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for step in range(60):
        index.remove([step])
        index.add([node(1000, "the anchor stone"), node(2000 + step, f"new word w{step}")])
        index.purge()
    done.set()
    for reader in readers:
        reader.join(30)
    assert not wrong
