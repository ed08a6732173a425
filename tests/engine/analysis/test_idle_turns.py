"""A position after turns that excluded nothing is the earlier position, that many turns later."""

import pytest

from bullscows.analysis.analyst import Analyst
from bullscows.analysis.certain import postponed, without_idle_turns
from bullscows.analysis.findings import Analysis
from bullscows.game.question import Question

REPEATED = "012:0.1 012:0.1 345:1.0"
SAID_ANYWAY = "012:3.0 345:0.0"


def searched(question: Question) -> Analysis:
    analyst = Analyst(1 << 40)
    analyst.load(())
    return analyst.analysis(question, None)


@pytest.mark.parametrize("objective", ["average", "worst,average", "worst"])
@pytest.mark.parametrize("max_turns", [None, 9])
def test_what_is_known_without_them_and_put_off_is_what_a_search_finds(objective, max_turns):
    question = Question.of("p3c8n", REPEATED, objective, max_turns)
    earlier = without_idle_turns(question)
    assert earlier is not None
    assert str(earlier.history) == "012:0.1 345:1.0"
    assert earlier.max_turns == (None if max_turns is None else max_turns - 1)
    found = postponed(searched(earlier), question)
    whole = searched(question)
    assert found.status == whole.status == "optimal"
    assert (found.levels, found.bounds) == (whole.levels, whole.bounds)
    assert found.last_turn == whole.last_turn == whole.levels.get("worst")
    assert found.question == question


@pytest.mark.parametrize(
    ("turns", "objective", "max_turns"),
    [
        ("012:0.1 345:1.0", "average", None),
        ("012:0.1", "average", None),
        (REPEATED, "last", 6),
        (REPEATED, "average", 1),
    ],
)
def test_positions_without_such_turns_or_whose_costs_go_by_the_turn_are_as_they_are(
    turns, objective, max_turns
):
    assert without_idle_turns(Question.of("p3c8n", turns, objective, max_turns)) is None


def test_guess_whose_answer_follows_from_the_others_excludes_nothing():
    question = Question.of("p3c8n", SAID_ANYWAY)
    earlier = without_idle_turns(question)
    assert earlier is not None
    assert str(earlier.history) == "012:3.0"
