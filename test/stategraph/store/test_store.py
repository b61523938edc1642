"""The store: put, get, search by filter and by meaning, namespaces, times to live, batches."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zulong.stategraph.checkpoint.errors import UnregisteredTypeError
from zulong.stategraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from zulong.stategraph.store.match import passes
from zulong.stategraph.store.memory import InMemoryStore
from zulong.stategraph.store.paths import get_text_at_path, tokenize_path

pytestmark = pytest.mark.feature("SG-16")


def keys(items: Sequence[Any]) -> list[str]:
    return [item.key for item in items]


# -- put, get, delete ---------------------------------------------------------------------------------


def test_a_value_comes_back_with_its_times(store: Any, clock: Any) -> None:
    store.put(("users", "anna"), "likes", {"drink": "tea"})
    first = store.get(("users", "anna"), "likes")
    clock.pass_minutes(5)
    store.put(("users", "anna"), "likes", {"drink": "coffee"})
    second = store.get(("users", "anna"), "likes")
    assert (first.value, second.value) == ({"drink": "tea"}, {"drink": "coffee"})
    assert (second.namespace, second.key) == (("users", "anna"), "likes")
    assert second.created_at == first.created_at == first.updated_at
    assert (second.updated_at - second.created_at).total_seconds() == 300
    assert Item(**second.dict()) == second


def test_what_is_not_there_is_none_and_deleting_it_is_no_error(store: Any) -> None:
    assert store.get(("a",), "k") is None
    store.delete(("a",), "k")
    store.put(("a",), "k", {"v": 1})
    store.delete(("a",), "k")
    assert store.get(("a",), "k") is None
    assert store.list_namespaces() == []


def test_nobody_changes_a_value_from_outside(store: Any) -> None:
    value = {"list": [1]}
    store.put(("a",), "k", value)
    value["list"].append(2)
    store.get(("a",), "k").value["list"].append(3)
    store.search(("a",))[0].value["list"].append(4)
    assert store.get(("a",), "k").value == {"list": [1]}


def test_labels_and_keys_may_be_long_and_in_any_language(store: Any) -> None:
    places = [
        (("祖龙", "x" * 300), "钥匙" * 200),
        (("a\x01b",), "\x00"),
        (("a",), ""),
        (("a", "b"), "k" * 1000),
    ]
    for number, (namespace, key) in enumerate(places):
        store.put(namespace, key, {"n": number})
    for number, (namespace, key) in enumerate(places):
        found = store.get(namespace, key)
        assert (found.value, found.namespace, found.key) == ({"n": number}, namespace, key)
    assert store.list_namespaces() == sorted(namespace for namespace, _ in places)
    assert len(store.search(("祖龙",))) == 1


@pytest.mark.parametrize("namespace", [(), ("a.b",), ("",), ("a", "b\0"), (1,), "text", ("langgraph",)])
def test_a_bad_namespace_is_refused_everywhere(store: Any, namespace: Any) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {})
    if namespace not in ((), ("langgraph",)):
        for op in (GetOp(namespace, "k"), SearchOp(namespace), PutOp(namespace, "k", {})):
            with pytest.raises(InvalidNamespaceError):
                store.batch([op])


def test_a_type_that_cannot_be_stored_on_disk_is_named(make_store: Any) -> None:
    store = make_store()
    if isinstance(store, InMemoryStore):
        pytest.skip("memory keeps objects")
    with pytest.raises(UnregisteredTypeError, match="object"):
        store.batch([PutOp(("a",), "fine", {"v": 1}), PutOp(("a",), "bad", {"v": object()})])
    assert store.search(("a",)) == []


# -- search -------------------------------------------------------------------------------------------


@pytest.fixture
def filled(store: Any) -> Any:
    for number in range(6):
        store.put(
            ("docs", "even" if number % 2 == 0 else "odd"),
            f"k{number}",
            {"n": number, "tag": ["a", number], "deep": {"x": number, "y": "s"}, "text": f"{number}"},
        )
    store.put(("docsier",), "k", {"n": 1})
    return store


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"n": 3}, ["k3"]),
        ({"n": {"$eq": 3}}, ["k3"]),
        ({"n": {"$ne": 3}}, ["k0", "k1", "k2", "k4", "k5"]),
        ({"n": {"$gt": 3}}, ["k4", "k5"]),
        ({"n": {"$gte": 1, "$lt": 3}}, ["k1", "k2"]),
        ({"n": {"$lte": 0}}, ["k0"]),
        ({"n": {"$in": [1, 5, 9]}}, ["k1", "k5"]),
        ({"n": {"$nin": [0, 1, 2, 3]}}, ["k4", "k5"]),
        ({"text": {"$gt": "4"}}, ["k5"]),
        ({"text": {"$gt": 4}}, ["k5"]),
        ({"deep": {"$gt": 4}}, []),
        ({"missing": {"$exists": False}, "n": 2}, ["k2"]),
        ({"deep": {"x": 2}}, ["k2"]),
        ({"deep": {"x": {"$gte": 4}, "y": "s"}}, ["k4", "k5"]),
        ({"tag": ["a", 1]}, ["k1"]),
        ({"missing": 1}, []),
        ({"n": 2, "deep": {"y": "t"}}, []),
    ],
)
def test_filters_pick_what_they_say(filled: Any, filter: dict[str, Any], expected: list[str]) -> None:
    assert sorted(keys(filled.search(("docs",), filter=filter))) == expected


def test_an_unknown_operator_is_an_error(filled: Any) -> None:
    with pytest.raises(ValueError, match=r"\$like.*\$gte"):
        filled.search(("docs",), filter={"n": {"$like": 1}})


def test_a_prefix_ends_at_a_label_and_pages_do_not_overlap(filled: Any) -> None:
    everything = keys(filled.search((), limit=100))
    assert len(everything) == 7
    assert sorted(keys(filled.search(("docs",), limit=100))) == [f"k{n}" for n in range(6)]
    pages = [keys(filled.search((), limit=3, offset=offset)) for offset in (0, 3, 6, 9)]
    assert [key for page in pages for key in page] == everything
    assert filled.search(("doc",)) == []
    assert filled.search(("docs",), limit=0) == []
    with pytest.raises(ValueError, match="negative"):
        filled.search(("docs",), limit=-1)


def test_a_large_namespace_is_searched_whole(store: Any) -> None:
    store.batch([PutOp(("many", str(n % 3)), f"{n:04}", {"n": n}) for n in range(900)])
    assert len(store.search(("many",), limit=1000)) == 900
    assert keys(store.search(("many",), filter={"n": 777})) == ["0777"]


# -- meaning ------------------------------------------------------------------------------------------

WORDS = {"cup": 0, "mug": 0, "tea": 1, "dog": 2, "cat": 2}


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Count words of one meaning."""
    return [
        [float(sum(word in text for word, axis in WORDS.items() if axis == i)) for i in range(3)]
        for text in texts
    ]


async def aembed(texts: Sequence[str]) -> list[list[float]]:
    await asyncio.sleep(0)
    return embed(texts)


class DocumentEmbeddings:
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return embed([text])[0]


def fill_meanings(store: Any) -> None:
    store.put(("m",), "cup", {"text": "a red cup", "n": 1})
    store.put(("m",), "dog", {"text": "a dog", "n": 2})
    store.put(("m",), "both", {"text": "a cup for the dog", "n": 3})
    store.put(("m",), "unindexed", {"text": "a mug", "n": 4}, index=False)


@pytest.mark.parametrize("embedder", [embed, DocumentEmbeddings()], ids=["function", "object"])
def test_a_query_ranks_by_meaning_and_says_how_near(make_store: Any, embedder: Any) -> None:
    store = make_store(index={"dims": 3, "embed": embedder, "fields": ["text"]})
    fill_meanings(store)
    found = store.search(("m",), query="mug")
    assert keys(found) == ["cup", "both", "dog", "unindexed"]
    assert found[0].score == pytest.approx(1.0)
    assert found[1].score == pytest.approx(2**-0.5)
    assert found[2].score == pytest.approx(0.0)
    assert found[3].score is None
    assert keys(store.search(("m",), query="mug", filter={"n": {"$gt": 1}}, limit=1)) == ["both"]
    assert keys(store.search(("m",), query="mug", limit=2, offset=1)) == ["both", "dog"]


async def test_an_asynchronous_embedder_serves_the_asynchronous_methods(make_store: Any) -> None:
    store = make_store(index={"dims": 3, "embed": aembed, "fields": ["text"]})
    await store.aput(("m",), "cup", {"text": "cup"})
    await store.aput(("m",), "dog", {"text": "dog"})
    assert keys(await store.asearch(("m",), query="cat")) == ["dog", "cup"]
    with pytest.raises(TypeError, match="asynchronous"):
        store.put(("m",), "x", {"text": "cup"})


def test_the_offline_embedder_of_zulong_is_the_default(make_store: Any) -> None:
    store = make_store(index={"embed": None, "fields": ["text"]})
    store.put(("m",), "a", {"text": "the red cup stands on the kitchen table"})
    store.put(("m",), "b", {"text": "battery is low"})
    assert keys(store.search(("m",), query="red cups on a table"))[0] == "a"


def test_of_several_vectors_of_a_value_the_nearest_counts(make_store: Any) -> None:
    store = make_store(index={"dims": 3, "embed": embed, "fields": ["turns[*].content"]})
    store.put(("m",), "talk", {"turns": [{"content": "tea"}, {"content": "dog"}]})
    store.put(("m",), "mixed", {"turns": [{"content": "tea dog"}]})
    store.put(("m",), "own", {"title": "dog", "turns": []}, index=["title"])
    found = store.search(("m",), query="dog")
    assert {item.key: pytest.approx(item.score) for item in found} == {
        "talk": 1.0,
        "own": 1.0,
        "mixed": 2**-0.5,
    }


def test_overwriting_and_deleting_take_the_vectors_along(make_store: Any) -> None:
    store = make_store(index={"dims": 3, "embed": embed, "fields": ["text"]})
    store.put(("m",), "k", {"text": "cup"})
    store.put(("m",), "k", {"text": "dog"})
    assert store.search(("m",), query="cup")[0].score == pytest.approx(0.0)
    store.delete(("m",), "k")
    assert store.search(("m",), query="cup") == []


def test_a_query_without_an_index_still_filters(filled: Any) -> None:
    assert keys(filled.search(("docs",), query="anything", filter={"n": 1})) == ["k1"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"dims": 4, "embed": embed}, "3 dimensions; the index has dims=4"),
        ({"embed": lambda texts: []}, "one vector a text"),
    ],
)
def test_an_embedder_that_does_not_keep_its_word_is_reported(
    make_store: Any, options: Any, error: str
) -> None:
    store = make_store(index=options)
    with pytest.raises(ValueError, match=error):
        store.put(("m",), "k", {"text": "cup"})
    assert store.get(("m",), "k") is None


def test_something_that_cannot_embed_is_refused_at_once(make_store: Any) -> None:
    with pytest.raises(TypeError, match="Embedder"):
        make_store(index={"embed": 5})


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("$", None),
        ("title", ["t"]),
        ("meta.author", ["anna"]),
        ("turns[*].content", ["one", "two"]),
        ("turns[0].content", ["one"]),
        ("turns[-1].content", ["two"]),
        ("turns[9].content", []),
        ("turns[x].content", []),
        ("{title,meta.author}", ["t", "anna"]),
        ("meta.*", ["anna", "2", "True"]),
        ("meta", ['{"author": "anna", "n": 2, "ok": true}']),
        ("absent", []),
        ("title.deeper", []),
        ("none", []),
    ],
)
def test_paths_reach_the_texts_they_name(path: str, texts: list[str] | None) -> None:
    value = {
        "title": "t",
        "none": None,
        "meta": {"author": "anna", "n": 2, "ok": True},
        "turns": [{"content": "one"}, {"content": "two"}],
    }
    found = get_text_at_path(value, path)
    assert found == texts if texts is not None else len(found) == 1 and '"title": "t"' in found[0]
    assert get_text_at_path(value, tokenize_path(path)) == found or path == "$"


# -- namespaces ---------------------------------------------------------------------------------------


def test_namespaces_are_listed_by_prefix_suffix_depth_and_page(store: Any) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("b", "c"), ("a",)):
        store.put(namespace, "k", {})
        store.put(namespace, "k2", {})
    everything = [("a",), ("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("b", "c")]
    assert store.list_namespaces() == everything
    assert store.list_namespaces(prefix=("a",)) == everything[:4]
    assert store.list_namespaces(suffix=("c",)) == [everything[1], everything[3], everything[4]]
    assert store.list_namespaces(prefix=("a", "*", "c")) == [everything[1], everything[3]]
    assert store.list_namespaces(prefix=("a",), suffix=("*", "d")) == [everything[2]]
    assert store.list_namespaces(max_depth=1) == [("a",), ("b",)]
    assert store.list_namespaces(limit=2, offset=1) == everything[1:3]
    with pytest.raises(ValueError, match="middle"):
        store.batch([ListNamespacesOp((MatchCondition("middle", ("a",)),))])  # type: ignore[arg-type]


# -- times to live ------------------------------------------------------------------------------------


def test_a_value_ends_when_its_time_is_over(store: Any, clock: Any) -> None:
    store.put(("a",), "short", {"v": 1}, ttl=10)
    store.put(("a",), "for good", {"v": 2}, ttl=None)
    clock.pass_minutes(9.9)
    assert store.get(("a",), "short", refresh_ttl=False) is not None
    clock.pass_minutes(0.2)
    assert store.get(("a",), "short") is None
    assert keys(store.search(("a",))) == ["for good"]
    assert store.sweep() == 1
    assert store.sweep() == 0


def test_reading_starts_a_time_again_unless_told_not_to(make_store: Any, clock: Any) -> None:
    store = make_store(ttl={"default_ttl": 10})
    store.put(("a",), "k", {"v": 1})
    store.put(("a",), "forever", {"v": 1}, ttl=None)
    for _ in range(3):
        clock.pass_minutes(8)
        assert store.get(("a",), "k") is not None
    clock.pass_minutes(8)
    assert len(store.search(("a",), refresh_ttl=False)) == 2
    clock.pass_minutes(8)
    assert store.get(("a",), "k") is None
    assert store.get(("a",), "forever") is not None
    strict = make_store(ttl={"default_ttl": 10, "refresh_on_read": False})
    strict.put(("a",), "k", {"v": 1})
    clock.pass_minutes(8)
    assert strict.get(("a",), "k") is not None
    clock.pass_minutes(8)
    assert strict.get(("a",), "k") is None


def test_a_read_does_not_bring_an_ended_value_back(make_store: Any, clock: Any) -> None:
    store = make_store(ttl={"omit_expired": False})
    store.put(("a",), "k", {"v": 1}, ttl=1)
    clock.pass_minutes(2)
    assert store.get(("a",), "k") is not None, "shown until the sweep, as was asked"
    assert store.sweep() == 1
    assert store.get(("a",), "k") is None


def test_the_sweep_runs_by_itself_and_ends_with_the_store(make_store: Any) -> None:
    store = make_store(ttl={"sweep_interval_minutes": 0.0005}, clock=time.time)
    store.put(("a",), "k", {"v": 1}, ttl=0.0005)
    deadline = time.monotonic() + 10
    while store.list_namespaces() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert store.list_namespaces() == []
    store.close()
    assert not any(thread.name == "store-sweep" and thread.is_alive() for thread in threading.enumerate())


# -- batches and twins --------------------------------------------------------------------------------


def test_reads_of_a_batch_see_the_state_before_its_writes(store: Any) -> None:
    store.put(("a",), "k", {"v": 0})
    results = store.batch(
        [
            PutOp(("a",), "k", {"v": 1}),
            GetOp(("a",), "k"),
            PutOp(("a",), "k", {"v": 2}),
            SearchOp(("a",)),
            ListNamespacesOp(),
        ]
    )
    assert results[0] is None and results[1].value == {"v": 0} and results[3][0].value == {"v": 0}
    assert results[4] == [("a",)]
    assert store.get(("a",), "k").value == {"v": 2}
    with pytest.raises(ValueError, match="str is no operation"):
        store.batch(["put"])


async def test_asynchronous_twins_do_the_same(store: Any) -> None:
    await asyncio.gather(*(store.aput(("a", str(n % 2)), f"k{n}", {"n": n}) for n in range(20)))
    assert (await store.aget(("a", "1"), "k3")).value == {"n": 3}
    assert len(await store.asearch(("a",), filter={"n": {"$lt": 5}})) == 5
    assert await store.alist_namespaces(prefix=("a",)) == [("a", "0"), ("a", "1")]
    await store.adelete(("a", "1"), "k3")
    assert (await store.abatch([GetOp(("a", "1"), "k3")])) == [None]


def test_threads_may_use_a_store_at_once(store: Any) -> None:
    errors: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for n in range(20):
                store.put(("t", name), str(n), {"n": n})
                assert store.get(("t", name), str(n)).value == {"n": n}
                store.search(("t",), limit=5)
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=work, args=(f"w{i}",)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert errors == []
    assert len(store.search(("t",), limit=100)) == 80


# -- against a simple model ---------------------------------------------------------------------------

labels = st.sampled_from(["a", "b", "ab"])
actions = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "delete", "get", "search", "namespaces"]),
        st.lists(labels, min_size=1, max_size=3).map(tuple),
        st.sampled_from(["k", "l", ""]),
        st.integers(0, 3),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=actions)
def test_any_sequence_of_calls_equals_a_dictionary(make_store: Any, actions: Any) -> None:
    store, model = make_store(), {}
    for action, namespace, key, number in actions:
        if action == "put":
            store.put(namespace, key, {"n": number})
            model[(namespace, key)] = number
        elif action == "delete":
            store.delete(namespace, key)
            model.pop((namespace, key), None)
        elif action == "get":
            found = store.get(namespace, key)
            assert (found.value["n"] if found else None) == model.get((namespace, key))
        elif action == "search":
            found = store.search(namespace, filter={"n": number}, limit=100)
            expected = [a for a, n in model.items() if a[0][: len(namespace)] == namespace and n == number]
            assert sorted((item.namespace, item.key) for item in found) == sorted(expected)
        else:
            assert store.list_namespaces() == sorted({address[0] for address in model})


def test_operators_compare_what_can_be_compared_only() -> None:
    assert not passes({"a": None}, {"a": {"$gt": 1}})
    assert not passes({"a": "x"}, {"a": {"$lt": 5}})
    assert passes({"a": "3"}, {"a": {"$lt": 5}})
    assert passes({}, None)


def test_vectors_stay_plain_numbers_of_single_precision(make_store: Any) -> None:
    store = make_store(index={"dims": 3, "embed": lambda texts: np.ones((len(texts), 3)), "fields": ["text"]})
    store.put(("m",), "k", {"text": "x"})
    assert store.search(("m",), query="y")[0].score == pytest.approx(1.0)
