"""Self-repairs inside an English sentence are carried out only where like takes the place of like."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language.english_restarts import repaired

REPAIRED = {
    "Fetch me four, er, two apples": "Fetch me two apples",
    "Wait ten - no, twenty seconds": "Wait twenty seconds",
    "Wait ten seconds, no, twenty": "Wait twenty seconds",
    "I want two, make that three, lemons": "I want three lemons",
    "Bring me, um, bring me the the mustard": "Bring me the mustard",
    "Count the drinks, wait, the snacks, on the side tables": "Count the snacks on the side tables",
    "Ask Jane, actually ask Simone, if she has my charger": "ask Simone if she has my charger",
    "Put the plate on the kitchen... er, in the sink": "Put the plate in the sink",
    "Bring me the, what's it called, the Rubik's cube": "Bring me the Rubik's cube",
    "Give Jane, no, Paris a plum": "Give Paris a plum",
    "Find Adel - Axel, I mean - and bring him here": "Find Axel and bring him here",
    "Take it to the bedroom... no, bathroom": "Take it to the bathroom",
}
KEPT = (
    "Bring me a coffee, no sugar",
    "Bring the apple to Jane. Sorry, Robin needs the pear.",
    "Go to the kitchen, wait, then come back",
    "Go to the kitchen, wait a minute and come back",
    "Take the apple to Jane, hang on, Robin asked first",
    "Bring me the apple, the pear and the plum",
    "Not the bedroom, I meant the living room, go there",
    "Bring me the cup, no, the red one",
    "Tell Jane sorry, I was late",
    "Wait forty-five seconds",
    'Say "the milk, no, the juice" to Jane',
    "Go to the kitchen, no, don't",
    "Is it Jane or, um, Paris in the kitchen?",
)


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize("said", REPAIRED)
def test_what_is_put_right_takes_the_place_of_what_was_said_before(
    planner: OfflinePlanner, said: str
) -> None:
    assert repaired(said, planner.vocabulary) == REPAIRED[said]


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize("said", KEPT)
def test_what_puts_nothing_right_stays_as_it_was_said(planner: OfflinePlanner, said: str) -> None:
    assert repaired(said, planner.vocabulary) == said
