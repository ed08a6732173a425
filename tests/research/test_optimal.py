"""Least and greatest of all trees of the least total, by enumeration without the search."""

from functools import cache

import pytest

from bullscows.game.rules import CodeIndex, Rules
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess
from research.optimal import MEASURES, OptimalTrees
from research.strategies import first_of_equals

pytestmark = pytest.mark.large

Found = tuple[int, frozenset[tuple[int, ...]]]
"""The least total, and the probes, decisions and distribution of each tree that has it."""


@cache
def every_tree(rules: Rules, candidates: Candidates) -> Found:
    """Return all that trees of the fewest turns can have; special positions have one guess."""
    special = special_guess(rules, candidates)
    guesses = range(rules.size) if special is None else [special]
    best: Found | None = None
    for guess in guesses:
        found = _after(rules, candidates, guess)
        if found is not None and (best is None or found[0] <= best[0]):
            best = found if best is None or found[0] < best[0] else (best[0], best[1] | found[1])
    assert best is not None
    return best


def _after(rules: Rules, candidates: Candidates, guess: CodeIndex) -> Found | None:
    parts = rules.partition(guess, candidates)
    is_candidate = parts.pop(rules.win, None) is not None
    if not is_candidate and len(parts) == 1:
        return None
    total = len(candidates)
    trees = {(int(not is_candidate), int(len(candidates) > 1), int(is_candidate), *[0] * 7)}
    for part in parts.values():
        turns, below = every_tree(rules, tuple(part))
        total += turns
        shifted = {(tree[0], tree[1], 0, *tree[2:-1]) for tree in below}
        trees = {
            tuple(map(sum, zip(one, other, strict=True))) for one in trees for other in shifted
        }
    return total, frozenset(trees)


@pytest.mark.parametrize("game", ["p2c4n", "p2c5n", "p3c4n", "p2c4r", "p2c5r"])
def test_extremes_are_those_of_all_trees(game: str) -> None:
    rules = Rules.parse(game)
    total, trees = every_tree(rules, tuple(range(rules.size)))
    ours = OptimalTrees(game)
    assert ours.total == total
    for measure, place in (("probes", 0), ("decisions", 1)):
        counts = [tree[place] for tree in trees]
        assert ours.span(measure) == {"least": min(counts), "greatest": max(counts)}
    columns = list(zip(*(tree[2:] for tree in trees), strict=True))
    depth = max(turn for turn, counts in enumerate(columns, start=1) if max(counts))
    distribution = {
        "least": [min(counts) for counts in columns[:depth]],
        "greatest": [max(counts) for counts in columns[:depth]],
    }
    assert ours.distribution() == distribution


def test_nodes_are_codes_and_guesses_that_are_no_candidate() -> None:
    ours = OptimalTrees("p3c6n")
    spans = [ours.span(measure) for measure in MEASURES]
    assert all(isinstance(span, dict) for span in spans)
    nodes, *_, probes = spans
    assert nodes == {name: 120 + count for name, count in probes.items()}  # type: ignore[union-attr]


def test_no_tree_has_fewer_late_secrets_than_the_one_that_ships() -> None:
    """The fewest at the last turn were proved by another search (`average,last`)."""
    assert OptimalTrees("p3c10n").distribution()["least"][6] == 1
    assert OptimalTrees("p4c7r").distribution()["least"][5] == 114


@pytest.mark.slow
def test_first_of_equals_takes_the_turns_that_francis_prints() -> None:
    tree = StrategyTree.grow(Rules.parse("p4c10n"), first_of_equals)
    assert tree.distribution == (1, 7, 70, 642, 2410, 1806, 103, 1)
