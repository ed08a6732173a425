"""Francis' estimator: his table, a slow twin of the fan-outs, and that it is a lower bound."""

from functools import cache

import pytest

from bullscows.game.rules import Rules
from bullscows.report.francis import Estimator
from bullscows.report.sections import published, solved

SMALL = ["p3c5n", "p3c6n"]


@cache
def estimator(game: str) -> Estimator:
    return Estimator(Rules.parse(game))


@pytest.mark.parametrize("row", published()["estimator"]["rows"], ids=lambda row: row[0])
def test_every_line_of_the_table(row: list[int]) -> None:
    game = estimator("p4c10n")
    estimate = game.estimate(game.rules.parse_answer(str(row[0])))
    assert [*estimate.found, estimate.total] == row[2:]


@pytest.mark.parametrize("game", SMALL)
def test_fan_outs_are_those_of_a_slow_twin(game: str) -> None:
    subject, rules = estimator(game), Rules.parse(game)
    for place, guess in enumerate(subject.seconds):
        for first, candidates in rules.partition(0, range(rules.size)).items():
            for second, left in rules.partition(guess, candidates).items():
                widest = max(
                    len(rules.partition(third, left)) - (third not in left)
                    for third in range(rules.size)
                )
                assert subject.fan_out(first, place, second) == widest


@pytest.mark.parametrize("game", [*SMALL, "p4c10n"])
def test_the_guesses_may_change_places(game: str) -> None:
    subject = estimator(game)
    answers = range(len(subject.rules.answers))
    for place in range(len(subject.seconds)):
        for first in answers:
            for second in answers:
                exchanged = subject.fan_out(second, place, first)
                assert subject.fan_out(first, place, second) == exchanged


@pytest.mark.parametrize("game", [*SMALL, "p3c10n", "p4c6n"])
def test_no_strategy_takes_fewer_turns(game: str) -> None:
    """The bound, against the proved optimum after each first answer."""
    subject, rules = estimator(game), Rules.parse(game)
    for answer, left in rules.partition(0, range(rules.size)).items():
        if answer == rules.win:
            continue
        estimate = subject.estimate(answer)
        first = f"{rules.text(0)}:{rules.answers[answer]}"
        least = solved(game, "average", first).value
        assert isinstance(least, int)
        assert estimate.total <= least
        assert sum(estimate.found) == len(left)
