"""Where a reply that was broken off is gone on with: no word is said twice, and none is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.agent.chat.seam import Seam

pytestmark = pytest.mark.feature("RB-12")


def joined(said: str, *pieces: str) -> str:
    seam = Seam(said)
    return said + "".join(seam.feed(piece) for piece in pieces) + seam.flush()


@pytest.mark.parametrize(
    ("said", "then", "whole"),
    [
        # it goes on at once
        ("The cup is on ", "the desk.", "The cup is on the desk."),
        ("The cup is on", " the desk.", "The cup is on the desk."),
        ("The cup is on the de", "sk.", "The cup is on the desk."),
        ("It is on a", " apple tree.", "It is on a apple tree."),
        ("The cup", " is the cup that you want.", "The cup is the cup that you want."),
        ("the blue i", "t", "the blue it"),
        ("I see a cup. ", "It is red.", "I see a cup. It is red."),
        ("1, 2, ", "3, 4.", "1, 2, 3, 4."),
        ("杯子在桌", "子上。", "杯子在桌子上。"),
        ("你妈", "妈来了。", "你妈妈来了。"),
        ("Yes.", " Indeed.", "Yes. Indeed."),
        # it repeats the last words, or the one that was cut
        ("The cup is on ", "is on the desk.", "The cup is on the desk."),
        ("The cup is on the", "on the desk.", "The cup is on the desk."),
        ("The cup is on the de", "desk.", "The cup is on the desk."),
        ("The cup is on the de", " the desk.", "The cup is on the desk."),
        ("I saw a", "a cat", "I saw a cat"),
        ("The cup is ", "...is on the desk.", "The cup is on the desk."),
        ("The cup is on the ", "“on the desk.", "The cup is on the desk."),
        ("杯子在桌", "在桌子上。", "杯子在桌子上。"),
        ("杯子在红色的桌", "红色的桌子上。", "杯子在红色的桌子上。"),
        # it begins anew
        ("The cup is on ", "The cup is on the desk.", "The cup is on the desk."),
        ("The cup is on ", " The cup is on the desk.", "The cup is on the desk."),
        ("The cup is on ", "\n\nThe cup is on the desk.", "The cup is on the desk."),
        ("The cup  is on\n", "The cup is on the desk.", "The cup  is on\nthe desk."),
        ("The cup is on ", '"The cup is on the desk.', "The cup is on the desk."),
        ("杯", "杯子在桌子上。", "杯子在桌子上。"),
        # it begins anew and goes on differently, or ends sooner
        ("The cup is on the desk and", "The cup is on the desk.", "The cup is on the desk and."),
        ("The cup is on the desk", "The cup is on the dresser.", "The cup is on the desk dresser."),
        ("The cup is on the desk and", "The cup is on", "The cup is on the desk and"),
        ("红色的杯子在桌", "红色的杯子就在桌子上。", "红色的杯子在桌就在桌子上。"),
        ("The cup is on the desk. ", "The cup is blue.", "The cup is on the desk. The cup is blue."),
        # it has nothing more to say
        ("The cup is on the desk.", "The cup is on the desk.", "The cup is on the desk."),
        ("The cup is on the desk.", "on the desk.", "The cup is on the desk."),
        ("The cup is on the desk.", "", "The cup is on the desk."),
    ],
)
def test_a_continuation_gives_the_reply_once_however_it_comes_in_pieces(said, then, whole) -> None:
    assert joined(said, then) == whole
    assert joined(said, *then) == whole
    assert joined(said, *(then[i : i + 3] for i in range(0, len(then), 3))) == whole


WORDS = ["red", "blue", "cup", "is", "on", "the", "desk", "and", "so", "it", "goes"]


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=2, max_size=12, unique=True),
    cut=st.integers(1, 200),
    back=st.integers(0, 200),
    pieces=st.integers(1, 7),
)
def test_wherever_a_reply_is_cut_and_whichever_word_is_gone_on_from(words, cut, back, pieces) -> None:
    text = " ".join(words)
    cut = 1 + cut % (len(text) - 1)
    starts = [0, cut, *(at + 1 for at, c in enumerate(text) if c == " " and at + 1 < cut)]
    start = starts[back % len(starts)]
    then = text[start:]
    # A word that is cut where another word ends ("it" of "it", "so" of "so") cannot be told from that word.
    if start == cut and text[cut - 1].isalnum() and text[cut].isalnum():
        begun = text[:cut].rpartition(" ")[2]
        if then.startswith(begun):
            return
    assert joined(text[:cut], *(then[i : i + pieces] for i in range(0, len(then), pieces))) == text


def test_a_long_reply_is_held_back_only_as_long_as_it_agrees() -> None:
    said = "word " * 3000
    seam = Seam(said)
    assert seam.feed("A new thought") == "A new thought"
    assert seam.feed(" goes on") == " goes on"
