"""The index beside the lists of a conversation is exact whatever is done with the lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.stategraph._message_index import MessageIndex
from zulong.stategraph.graph.message import add_messages


def said(identity: str, content: str = "") -> dict[str, str]:
    return {"role": "user", "id": identity, "content": content}


def plainly(left: list[dict[str, str]], right: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rule without any index."""
    merged = list(left)
    for message in right:
        at = next((n for n, other in enumerate(merged) if other["id"] == message["id"]), None)
        if at is None:
            merged.append(message)
        else:
            merged[at] = message
    return merged


@pytest.mark.feature("SG-07")
@given(
    st.lists(
        st.tuples(
            st.integers(0, 60),
            st.lists(st.tuples(st.sampled_from("abcdefgh"), st.text(max_size=2)), max_size=4),
        ),
        max_size=40,
    )
)
def test_branches_of_a_conversation_never_see_each_others_messages(
    moves: list[tuple[int, list[tuple[str, str]]]],
) -> None:
    made: list[list[dict[str, str]]] = [[]]
    for choice, words in moves:
        base = made[choice % len(made)]
        before = list(base)
        new = [said(identity, content) for identity, content in words]
        result = add_messages(base, new)
        assert result == plainly(before, new)
        assert base == before, "a reducer does not change what it is given"
        made.append(result)


def test_what_a_node_appended_in_place_is_found_by_its_id() -> None:
    conversation = add_messages([], [said("a"), said("b")])
    conversation.append(said("c", "first"))
    assert add_messages(conversation, [said("c", "second")]) == [said("a"), said("b"), said("c", "second")]


def test_an_index_is_held_for_a_few_lists_and_made_anew_for_others() -> None:
    index = MessageIndex()
    first = [said("a")]
    index.keep(first)
    assert index.places(first) == {"a": 0}
    assert index.places([said("a")]) is None, "an equal list is another one"
    for number in range(50):
        index.keep([said(str(number))])
    assert index.places(first) is None
