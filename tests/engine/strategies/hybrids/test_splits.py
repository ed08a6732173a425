"""Equal splits: as many guesses are left as there are different splits, and values stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import INFINITE
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.strategies.hybrids.arrays import POSSIBLE, make_game, make_scratch
from bullscows.strategies.hybrids.guesses import list_guesses
from bullscows.strategies.hybrids.search import Hybrid, HybridSearch
from tests.support.examples import examples

RULES = Rules.parse("p3c6r")
GAMES = [
    make_game(ResponseTable.of(RULES), range(1, 8), {}, drops_equal_splits=drops)
    for drops in (False, True)
]
SCRATCH = make_scratch(GAMES[0])


def split_of(guess: int, candidates: list[int]) -> tuple[bool, frozenset[tuple[int, ...]]]:
    parts = RULES.partition(guess, candidates).values()
    return guess in candidates, frozenset(map(tuple, parts))


def listed(number: int, candidates: list[int]) -> list[int]:
    game = GAMES[number]
    SCRATCH.members[2, : len(candidates)] = candidates
    found = list_guesses(game, SCRATCH, 2, 0, len(candidates), INFINITE, game.every)
    return [int(SCRATCH.guesses[2, place]) for place in SCRATCH.order[2, :found]]


@examples(25)
@given(st.sets(st.integers(0, RULES.size - 1), min_size=3, max_size=60))
def test_one_guess_of_each_split_is_left(secrets: set[int]) -> None:
    candidates = sorted(secrets)
    every, left = listed(0, candidates), listed(1, candidates)
    assert len({split_of(guess, candidates) for guess in left}) == len(left)
    assert {split_of(guess, candidates) for guess in every} == {
        split_of(guess, candidates) for guess in left
    }


@pytest.mark.parametrize("game", ["p3c7n", "p3c5r"])
def test_no_value_changes(game: str) -> None:
    rules, plain = Rules.parse(game), Hybrid({4: POSSIBLE}, tuple(range(1, 8)))
    fewer = HybridSearch(rules, plain, drops_equal_splits=True)
    assert fewer.value() == HybridSearch(rules, plain).value()
