"""The game of one place: its notation, its answers and its values."""

import pytest

from bullscows.errors import EngineError
from bullscows.game.number import MAX_NUMBERS, NumberGame
from bullscows.game.rules import Rules, RulesError
from bullscows.search.solver import solve


def least_turns(size: int, known: dict[int, int]) -> int:
    """Return the least turns in all, by recursion over the guesses."""
    if size not in known:
        known[size] = size + min(
            least_turns(guess, known) + least_turns(size - 1 - guess, known)
            for guess in range(size)
        )
    return known[size]


@pytest.mark.parametrize("size", [*range(1, 20), 100])
def test_search_finds_the_least_turns(size: int) -> None:
    assert solve(NumberGame(size).table()).value == least_turns(size, {0: 0})


def test_height_and_path_of_the_paper() -> None:
    """Chen et al., figure 1."""
    table = NumberGame.parse("number:16").table()
    assert solve(table, "worst").value == 5
    average = solve(table)
    assert (average.value, average.distribution) == (54, (1, 2, 4, 8, 1))
    assert average.claim.startswith("number:16, average: total 54 (mean 3.375)")


def test_answers_say_how_the_secret_compares_to_the_guess() -> None:
    game = NumberGame(3)
    answers = game.table().responses[:, :3]
    assert answers.tolist() == [[2, 0, 0], [1, 2, 0], [1, 1, 2]]
    assert [game.parse_answer(answer) for answer in "<>="] == [0, 1, 2]


def test_a_history_leaves_the_numbers_between() -> None:
    game = NumberGame(16)
    solution = solve(game.table(), history=game.turns("7:> 11:<"))
    assert solution.position.candidates == (8, 9, 10)


def test_notation_is_read_and_written() -> None:
    for text in ("number:1", "number:16", f"number:{MAX_NUMBERS}"):
        assert str(NumberGame.parse(text)) == text
    with pytest.raises(RulesError, match="only `bullscows solve` takes it"):
        Rules.parse("number:16")


@pytest.mark.parametrize(
    "text", ["number:", "number:0", "number:016", "number:1001", "number:-1", "number:１", "p4c10n"]
)
def test_other_notations_are_refused(text: str) -> None:
    with pytest.raises(RulesError):
        NumberGame.parse(text)


@pytest.mark.parametrize("word", ["16:<", "-1:<", "7", "7:", "7:1.0", "x:<"])
def test_bad_turns_are_refused(word: str) -> None:
    with pytest.raises(EngineError):
        NumberGame(16).turns(word)
