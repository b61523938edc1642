"""The trio: what texts say and imply becomes a graph, and questions are answered over it."""

from __future__ import annotations

import pytest
import scripted_server as act

from zulong.agent.patterns import (
    Agent,
    PatternError,
    Relation,
    implied,
    model_knowledge,
    rule_knowledge,
    trio,
)
from zulong.agent.patterns.knowledge_view import KnowledgeView
from zulong.stategraph.checkpoint.memory import InMemorySaver

pytestmark = pytest.mark.feature("SG-25")
THREAD = {"configurable": {"thread_id": "1"}}


def asked(text: str = "go") -> dict:
    return {"messages": [{"role": "user", "content": text}]}


def says(name: str, text: str = "yes") -> Agent:
    return Agent(name, lambda messages: text)


@pytest.mark.feature("MG-19")
def test_implied_links_are_found_by_rules_until_nothing_follows() -> None:
    imply = implied(
        symmetric=["beside"],
        transitive=["in"],
        inverse={"owns": "belongs to"},
        chains=[("on", "in", "in")],
    )
    said = [
        ("cup", "on", "desk"),
        ("desk", "in", "office"),
        ("office", "in", "house"),
        ("house", "in", "town"),
        ("anna", "owns", "cup"),
        ("desk", "beside", "shelf"),
    ]
    found = set(imply(KnowledgeView(said)))
    assert found == {
        ("desk", "in", "house"),
        ("desk", "in", "town"),
        ("office", "in", "town"),
        ("cup", "in", "office"),
        ("cup", "in", "house"),
        ("cup", "in", "town"),
        ("cup", "belongs to", "anna"),
        ("shelf", "beside", "desk"),
    }
    circle = [(f"n{n}", "in", f"n{(n + 1) % 200}") for n in range(200)]
    with pytest.raises(PatternError, match="narrow the rules"):
        imply(KnowledgeView(circle))


@pytest.mark.feature("MG-19")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("where is the owner of the cup?", "kitchen, house 7"),
        ("who is the owner of the cup", "Anna"),
        ("what does Bob drink?", "probably tea"),
        ("what has Anna to do with house 7?", "Anna in house 7"),
        ("杯子是谁的？", "小明"),
        ("杯子的主人在哪？", "厨房"),
        ("how is the weather?", ""),
    ],
)
def test_questions_are_answered_over_what_texts_say_imply_and_make_likely(question, answer) -> None:
    parts = rule_knowledge(
        [
            Relation("in", says=("is in", "在"), asks=("where is", "在哪")),
            Relation("owns", says=("owns", "拥有"), asks=("owner of", "是谁的", "的主人")),
            Relation("drinks", says=("drinks",), asks=("drink",)),
        ]
    )
    kept: list = []
    graph = trio(*parts, imply=implied(transitive=["in"]), keep=kept.extend)
    texts = [
        "Anna owns the cup. Anna is in the kitchen, and the kitchen is in house 7.",
        "Anna drinks tea. Bob is in the kitchen.",
        "小明拥有杯子，小明在厨房。",
    ]
    assert graph.invoke({"texts": texts, "question": question})["answer"] == answer
    assert ("Anna", "in", "house 7") in kept and len(set(kept)) == len(kept)


@pytest.mark.feature("MG-19")
def test_a_model_plays_all_three_parts_over_real_http(server, make_model) -> None:
    server.play(
        act.say('{"triples": [["Anna", "owns", "the cup"], ["Anna", "is in", "the kitchen"]]}'),
        act.say('Sure: {"steps": ["find the owner of the cup", "find where she is"]}'),
        act.say('{"result": "Anna"}'),
        act.say('{"result": "the kitchen"}'),
        act.say('{"answer": "In the kitchen."}'),
        act.say("I would rather not."),
    )
    graph = trio(*model_knowledge(make_model()), checkpointer=InMemorySaver())
    given = {"texts": ["Anna owns the cup; she is in the kitchen."], "question": "Where is the cup's owner?"}
    assert graph.invoke(given, THREAD)["answer"] == "In the kitchen."
    assert "Anna | owns | the cup" in server.requests[1]["messages"][0]["content"]
    assert "find the owner of the cup: Anna" in server.requests[3]["messages"][0]["content"]
    with pytest.raises(PatternError, match="'steps', and said 'I would rather not"):
        graph.invoke({"question": "And who is Bob?"}, THREAD)
