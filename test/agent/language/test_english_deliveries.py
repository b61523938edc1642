"""Deliveries said in pieces are put together as plain orders, and nothing else is."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language.english_deliveries import Deliveries


@pytest.fixture(scope="module")
def deliveries(planner: OfflinePlanner) -> Deliveries:
    return Deliveries(planner.vocabulary)


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return OfflinePlanner()


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("Milk to Robin, sharpish", "bring the milk to robin"),
        ("Two lemons for my gin, ta", "bring me 2 lemons"),
        ("Sponge, please, I've knocked over my tea", "bring me the sponge"),
        ("Could my sister Simone get a plum?", "bring a plum to simone"),
        ("One pear each for Simone, Jane and me", "bring 1 pear to simone and bring 1 pear to jane and bring me 1 pear"),
        ("Robin and I want a cola each", "bring a cola to robin and bring me a cola"),
        ("Three colas: one for me, one for Jane, one for Adel",
         "bring me 1 colas and bring 1 colas to jane and bring 1 colas to adel"),
        ("Pass Adel the red wine, she's on the settee", "bring the red wine to adel on the settee"),
        ("Jules is washing up and needs the sponge", "bring the sponge to jules"),
        ("The Pringles, they're on the sofa, Charlie would like them", "bring the pringles on the sofa to charlie"),
        ("Fetch me four, er, two apples", "bring me 2 apples"),
        ("The blue cup, not the red one, please", "bring me the blue cup"),
    ],
)  # fmt: skip
def test_pieces_of_a_delivery_become_plain_orders(deliveries: Deliveries, said: str, orders: str) -> None:
    assert deliveries.plain(said) == orders


@pytest.mark.parametrize(
    "said",
    [
        "Milk",
        "Milk?",
        "No milk for Robin, thanks",
        "Jane gave Robin the milk",
        "Robin already has a cola",
        "Did Jane get her coffee?",
        "Milk or cola for Robin?",
        "Should I give Jane the apple?",
        "I'll take the coffee to Axel myself",
        "Thanks for the pear for Robin",
        "If Jane wants a cola she can get it herself",
        "A pear for Jane, but not now",
        "Bring me the milk. Robin wants the cola.",
        "Bring a snack for Robin and me",
        "Take the apple to Jane and Robin",
        "Get me a snack, one for Robin and one for Morgan",
        "Whenever Adel waves, bring him a cola",
        "Go to the kitchen and bring me the milk",
        "The sponge is in the garage, bring it to me",
    ],
)
def test_what_orders_nothing_clear_is_no_delivery(deliveries: Deliveries, said: str) -> None:
    assert deliveries.plain(said) is None


def test_lists_of_numbers_are_not_taken_for_a_count_put_right(deliveries: Deliveries) -> None:
    assert deliveries.plain("Two plums, three apples, please") == "bring me 2 plums and bring me 3 apples"
