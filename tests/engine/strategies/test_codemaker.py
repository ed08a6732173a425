"""The codemaker's side: values against all strategies listed, and proofs that can be wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bullscows.game.response_table import GameTooLargeError
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import equivalence_classes
from bullscows.game.timer import OutOfTimeError, Timer
from bullscows.library import solve
from bullscows.strategies.codemaker import (
    Choice,
    Equilibrium,
    MixtureError,
    check,
    equilibrium,
    matrix_game,
    means_by_kind,
    read,
)
from bullscows.tree.strategy_tree import StrategyTree

pytestmark = pytest.mark.large

Totals = tuple[int, ...]
"""The turns over the codes of each kind."""

TINY = ["p2c2r", "p2c3r", "p2c4r", "p3c2r", "p2c3z", "p2c4z", "p2c3rb", "p3c2rb", "p3c3z"]


@cache
def all_strategies(text: str) -> frozenset[Totals]:
    """Return the totals of all strategies but those that another one beats for each kind."""
    rules = Rules.parse(text)
    classes = equivalence_classes(rules, ())

    @cache
    def listed(left: tuple[CodeIndex, ...]) -> frozenset[Totals]:
        here = tuple((classes.labels[list(left)] == k).sum() for k in range(len(classes.sizes)))
        found: set[Totals] = set()
        for guess in range(rules.size):
            parts = {k: tuple(v) for k, v in rules.partition(guess, left).items()}
            if left in parts.values() and rules.win not in parts:
                continue
            parts.pop(rules.win, None)
            for chosen in product(*map(listed, parts.values())):
                found.add(tuple(map(sum, zip(here, *chosen, strict=True))))
        return frozenset(least(found))

    return listed(tuple(range(rules.size)))


def least(found: set[Totals]) -> Iterator[Totals]:
    for one in found:
        if not any(o != one and all(map(int.__le__, map(int, o), map(int, one))) for o in found):
            yield one


def mean(text: str, totals: Totals, shares: list[Fraction]) -> Fraction:
    sizes = equivalence_classes(Rules.parse(text), ()).sizes.tolist()
    rows = zip(totals, shares, sizes, strict=True)
    return sum((share * Fraction(int(total), size) for total, share, size in rows), Fraction())


@pytest.mark.parametrize("text", TINY)
def test_the_value_is_that_of_all_strategies_listed(text: str) -> None:
    """The mixture of kinds allows no less, and that of trees, which are strategies, no more."""
    found = equilibrium(text)
    assert found.proved
    shares = [kind.probability for kind in found.kinds]
    assert sum(shares) == 1
    assert found.lower == min(mean(text, totals, shares) for totals in all_strategies(text))
    check(found)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(TINY), st.data())
def test_the_search_finds_the_best_strategy_against_any_mixture(text: str, data: st.DataObject):
    """Kinds without weight included: a lower bound is accepted if and only if it is one."""
    found = equilibrium(text)
    weights = [data.draw(st.integers(0, 9)) for _ in found.kinds]
    weights[0] += sum(weights) == 0
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    kinds = tuple(k._replace(probability=s) for k, s in zip(found.kinds, shares, strict=True))
    bound = min(mean(text, totals, shares) for totals in all_strategies(text))
    check(replace(found, kinds=kinds, lower=bound))
    with pytest.raises(MixtureError, match="a strategy takes"):
        check(replace(found, kinds=kinds, lower=bound + Fraction(1, 10**6)))


@pytest.fixture(scope="module")
def mastermind() -> Equilibrium:
    return equilibrium("p4c6r")


def test_mastermind_is_played_best_without_codes_of_one_colour(mastermind: Equilibrium) -> None:
    """M. Wiener (sci.math, 29 November 1995): 5600 turns for the other 1290 codes."""
    assert mastermind.proved
    assert mastermind.lower == Fraction(5600, 1290)
    shares = [kind.probability for kind in mastermind.kinds]
    assert shares == [0, *(Fraction(size, 1290) for size in (120, 90, 720, 360))]


def test_a_record_is_read_as_it_was_and_checked(mastermind: Equilibrium) -> None:
    record = json.loads(json.dumps(mastermind.record()))
    found = read(record)
    assert replace(found, searches=mastermind.searches) == mastermind
    check(found)


def test_no_game_without_repeats_has_more_kinds_than_one() -> None:
    found = equilibrium("p3c6n")
    assert (found.lower, found.proved, len(found.kinds)) == (Fraction(436, 120), True, 1)
    check(found)
    with pytest.raises(MixtureError, match="a strategy takes"):
        check(replace(found, lower=found.lower + 1, upper=found.lower + 1))


def test_a_result_whose_trees_take_longer_is_refused(mastermind: Equilibrium) -> None:
    tree = StrategyTree.grow(mastermind.rules, lambda left, _: left[0])
    with pytest.raises(MixtureError, match="turns on average to find codes like"):
        check(replace(mastermind, trees=(Choice(tree, Fraction(1)),)))
    with pytest.raises(MixtureError, match="to find codes like 0"):
        check(replace(mastermind, upper=mastermind.lower - Fraction(1, 10**9)))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lower": None}, "no proved result"),
        ({"upper": "4.5"}, "'4.5' is no fraction"),
        ({"lower": "1/0"}, "'1/0' is no fraction"),
        ({"kinds": [{"probability": "1"}]}, "1 is not the number of kinds"),
        ({"kinds": [{"probability": "1/3"}] * 2}, "sum to 1"),
        ({"trees": []}, "sum to 1"),
        ({"trees": [{"probability": "1", "guesses": "00 01"}]}, "splits nothing"),
        ({"trees": [{"probability": "1", "guesses": "01"}]}, "invalid code"),
        ({"trees": [{"probability": "1", "guesses": 7}]}, "no proved result"),
        ({"rules": "p8c9r"}, "43046721 codes"),
    ],
)
def test_a_record_that_is_no_result_is_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read(equilibrium("p2c2r").record() | change)


def test_a_tree_with_more_guesses_than_positions_is_refused() -> None:
    record = equilibrium("p2c2r").record()
    record["trees"][0]["guesses"] += " 00"
    with pytest.raises(MixtureError, match="more guesses than positions"):
        read(record)


def test_a_search_that_ends_early_has_bounds() -> None:
    found = equilibrium("p5c6r", timer=Timer(0.0))
    assert found.upper is None
    assert not found.proved
    assert found.lower > 4

    def stop(_: str) -> None:
        raise KeyboardInterrupt

    found = equilibrium("p3c4r", progress=stop)
    assert found.interrupted
    assert found.lower == Fraction(solve("p3c4r").total or 0, 64)
    assert found.upper == max(means_by_kind(found.trees[0].tree))
    with pytest.raises(OutOfTimeError):
        check(found, Timer(0.0))


def test_a_game_too_large_is_refused_at_once() -> None:
    with pytest.raises(GameTooLargeError, match="p8c9r has 43046721 codes"):
        equilibrium("p8c9r")


@given(st.integers(1, 4), st.integers(1, 5), st.data())
def test_a_matrix_game_has_mixtures_that_guarantee_its_value(rows: int, columns: int, data):
    entries = st.lists(st.integers(1, 9).map(Fraction), min_size=columns, max_size=columns)
    payoffs = data.draw(st.lists(entries, min_size=rows, max_size=rows))
    value, ours, theirs = matrix_game(payoffs)
    assert sum(ours) == sum(theirs) == 1
    assert min(ours + theirs) >= 0
    by_column = zip(*payoffs, strict=True)
    assert value == min(sum(map(Fraction.__mul__, ours, column)) for column in by_column)
    assert value == max(sum(map(Fraction.__mul__, theirs, row)) for row in payoffs)
