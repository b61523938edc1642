import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.memory.retrieval.chunks import chunk_text, word_count

TEXT = st.text(alphabet=st.sampled_from("ab 中文\n#.。-"), max_size=400)


@given(TEXT, st.integers(20, 60))
def test_no_word_is_lost_and_no_chunk_is_much_too_long(text, limit):
    chunks = chunk_text(text, limit_words=limit)
    kept = "".join("".join(chunk.full_text.split()) for chunk in chunks)
    for character in "ab中文":
        body = "".join(line for line in text.splitlines() if not line.startswith("#"))
        assert kept.count(character) >= body.count(character)
    assert all(word_count(chunk.text) <= 2 * limit + 20 for chunk in chunks)


def test_a_chunk_carries_the_headings_that_it_stands_under():
    text = "# Trip\n\n## Packing\n\n" + "socks and shoes. " * 40 + "\n\n## Food\n\n" + "bread and soup. " * 40
    chunks = chunk_text(text, limit_words=60)
    assert {chunk.headings for chunk in chunks} == {("Trip", "Packing"), ("Trip", "Food")}
    assert all(chunk.full_text.startswith("Trip\n") for chunk in chunks)


def test_short_sections_share_a_chunk_and_keep_their_headings():
    chunks = chunk_text("# Trip\n## Packing\nsocks\n## Food\nbread")
    assert len(chunks) == 1
    assert chunks[0].full_text == "Trip\nPacking\nsocks\n\nFood\nbread"


def test_a_limit_that_holds_no_sentence_is_refused():
    with pytest.raises(ValueError, match="20"):
        chunk_text("text", limit_words=3)
