"""Chen's worst-first verification: his counts, and a plain recursion over all guesses."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.strategies.one_step import RULES, Splits
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import special_guess
from research.chen import (
    WorstFirst,
    least_worst_parts,
    pigeonhole_bound,
    ungrouped,
    worst_first,
)

pytestmark = pytest.mark.large


def plainly(rules: Rules, limits: tuple[int, ...]) -> tuple[int, list[int], int]:
    """Return second guesses, backtracks and failures by the definition, without symmetry."""
    backtracks = [0] * len(limits)
    failures = 0

    def largest(guess: int, members: list[int]) -> list[int]:
        parts: dict[int, list[int]] = {}
        for member in members:
            parts.setdefault(rules.respond(guess, member), []).append(member)
        return max((parts[answer] for answer in sorted(parts)), key=len)

    def follow(members: list[int], case: int) -> None:
        nonlocal failures
        for guess in range(rules.size):
            part = largest(guess, members)
            if len(part) >= limits[case]:
                backtracks[case] += 1
            elif len(part) == 1:
                failures += 1
            else:
                follow(part, case + 1)

    first = largest(0, list(range(rules.size)))
    seconds = []
    for guess, code in enumerate(rules.codes()):
        new = [symbol for symbol in code if symbol >= rules.positions]
        if new == sorted(new) and new == list(range(rules.positions, rules.positions + len(new))):
            seconds.append(guess)
    for guess in seconds:
        follow(largest(guess, first), 0)
    return len(seconds), backtracks, failures


@pytest.mark.parametrize(
    "text", ["p3c5n", "p3c6n", "p4c5n", pytest.param("p3c7n", marks=pytest.mark.slow)]
)
def test_counts_are_those_of_a_plain_recursion(text: str) -> None:
    ours = worst_first(text)
    assert (ours.second_guesses, list(ours.backtracks), ours.failures) == plainly(
        Rules.parse(text), ours.limits
    )


@pytest.mark.parametrize("text", ["p3c5n", "p3c6n", "p3c10n", "p4c5n"])
def test_turns_that_are_shown_to_be_needed_are_no_more_than_the_worst_case(text: str) -> None:
    shown = worst_first(text).turns
    worst = solve(text, "worst").value
    assert worst is not None
    assert len(least_worst_parts(text)) + 2 <= worst
    assert shown is None or shown <= worst


@pytest.mark.slow
def test_bulls_and_cows_needs_seven_turns() -> None:
    """Theorem 1, with the counts that Chen et al. give."""
    ours = worst_first("p4c10n")
    assert ours == WorstFirst((165, 15, 2), 209, (407528, 3254981544, 59149440), 0)
    assert ours.turns == 7


@pytest.mark.parametrize("text", ["p4c6r", "p2c3n"])
def test_games_of_which_it_says_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"not all equal|says nothing"):
        worst_first(text)
    assert WorstFirst((2,), 3, (40,), 1).turns is None
    assert WorstFirst((2,), 3, (40,), 0).turns == 5


BULLS_AND_COWS = [1, 24, 6, 72, 180, 8, 216, 720, 480, 9, 264, 1260, 1440, 360]


@pytest.mark.parametrize(("pigeons", "fullest"), [(1440, 165), (165, 15), (15, 2), (14, 1)])
def test_examples_of_the_paper(pigeons: int, fullest: int) -> None:
    assert pigeonhole_bound(pigeons, BULLS_AND_COWS) == fullest


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.data())
def test_bound_is_what_the_best_filling_attains(volumes: list[int], data: st.DataObject) -> None:
    fillings = list(product(*(range(volume + 1) for volume in volumes)))
    pigeons = sum(data.draw(st.sampled_from([f for f in fillings if sum(f)] or [(1,)])))
    if pigeons > sum(volumes):
        return
    best = min(max(filling) for filling in fillings if sum(filling) == pigeons)
    assert pigeonhole_bound(pigeons, volumes) == best


def test_worst_parts_of_bulls_and_cows() -> None:
    assert least_worst_parts("p4c10n") == (1440, 165, 15, 2)


@pytest.mark.parametrize(("ways", "total"), [(5, 5748), (10, 5711)])
def test_ways_without_groups_take_the_turns_of_table_2(ways: int, total: int) -> None:
    rules = Rules.parse("p4c6r")
    assert ungrouped(rules, "0012", ways).tree().total == total


@pytest.mark.slow
def test_crush_takes_the_turns_of_table_2_by_some_order_of_equal_guesses() -> None:
    rules = Rules.parse("p4c6r")
    guesses = np.arange(rules.size, dtype=np.int32)

    def totals_after(guess: int, left: Candidates) -> frozenset[int]:
        totals = {len(left)}
        for answer, part in rules.partition(guess, left).items():
            if answer != rules.win:
                totals = {one + other for one in totals for other in totals_of(tuple(part))}
        return frozenset(totals)

    @cache
    def totals_of(left: Candidates) -> frozenset[int]:
        if special_guess(rules, left) is not None:
            return frozenset({2 * len(left) - 1})
        splits = Splits.of(rules, np.array(left, dtype=np.int32), guesses)
        liked = splits.guesses[RULES["crush"].best(splits)].tolist()
        partitions = {guess: rules.partition(guess, left) for guess in liked}
        ways = {
            (rules.win in parts, *sorted(map(tuple, parts.values()))): guess
            for guess, parts in partitions.items()
        }
        return frozenset().union(*(totals_after(guess, left) for guess in ways.values()))

    assert totals_after(rules.parse_code("0012"), tuple(range(rules.size))) == {*range(5773, 5782)}
