"""Strategies of Francis and Kooi, random candidates, and the adversary.

Francis' table of Results lists the distribution of each strategy. Among equal guesses of a rule he
takes the first, in an unknown order, or the best; here each tie-break is a strategy of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullscows.analysis.adversary import Adversary
from bullscows.analysis.analyst import Analyst
from bullscows.game.objective import total_turns
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.shipping.strategies import (
    LARMOUTH_ALL,
    RANDOM_CANDIDATE,
    BuildOptions,
    expected_lengths,
    strategy_tree,
)
from bullscows.strategies.narrowed.search import best_of_ties
from bullscows.strategies.rules.one_step import Rule, Splits
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.strategy_tree import StrategyTree
from research.sections import BULLS_COWS, MASTERMIND, published, section, solved
from research.tables import Row

ONE = "Larmouth - One (first of equals)"
_ALL = "Larmouth - All (best of equals)"
POSSIBLES = "Possibles Only (guess only from the remaining candidates, best of them)"
OPTIMAL = ("Fast Strategy (optimal)", "Slow Strategy (optimal)", "Tanaka (optimal)")
"""How Francis calls his strategies in his table of Results."""


@section("results", "Bulls & Cows: Francis' strategies", "Francis, Results")
def francis_results(threads: int) -> Iterator[Row]:
    """The totals of Francis' table of Results, and the turns (Francis, Results)."""
    figures = published()["strategies"][BULLS_COWS]
    optimal = solved(BULLS_COWS, "average", threads=threads).tree()
    for name in OPTIMAL:
        yield from _both(name, figures[name], optimal, depends=True)
    yield from _first_of_equals(figures[ONE])
    yield from _best_of_equals(figures[_ALL])
    possibles = strategy_tree(BULLS_COWS, POSSIBLES_ONLY, BuildOptions(threads))
    yield from _both(POSSIBLES, figures[POSSIBLES], possibles, depends=True)


def _first_of_equals(figures: dict[str, Any]) -> Iterator[Row]:
    first = strategy_tree(BULLS_COWS, "larmouth-any")
    candidate = strategy_tree(BULLS_COWS, "larmouth")
    why = (
        f"his order of guesses is not given: exact ties give {first.total} with the first of all, "
        f"{candidate.total} with the first candidate; other orders and sums rounded in other ways "
        "were tried (docs/results.md)"
    )
    yield from _both(ONE, figures, first, why=why, unexplained=True)
    yield Row("larmouth, first candidate of equals", "", candidate.total)


def _best_of_equals(figures: dict[str, Any]) -> Iterator[Row]:
    best = strategy_tree(BULLS_COWS, LARMOUTH_ALL)
    rules = Rules.parse(BULLS_COWS)
    rounded = best_of_ties(rules, Rule(larmouth_in_single_precision)).tree()
    printed = figures["total"]
    yield total_of_best(printed, best.total, rounded.total)
    label = "best of what single precision takes for equal, total"
    yield Row(label, printed, rounded.total)
    turns = tuple(figures["turns"])
    why = _scan(figures["turns"], best)
    is_misprint = sum(turns) != best.rules.size
    yield Row(f"{_ALL}, turns", turns, best.distribution, why, impossible=is_misprint)


def total_of_best(printed: int, exact: int, rounded: int) -> Row:
    """Return the row of exact ties: explained if rounding the sums leads to the printed total."""
    why = f"{exact} with exact ties, {rounded} with sums in single precision"
    return Row(f"{_ALL}, total", printed, exact, why, unexplained=rounded != printed)


def _scan(turns: list[int], best: StrategyTree) -> str:
    """Return what is amiss with the printed turns, and how long ours are."""
    secrets = sum(turns)
    total = total_turns(turns)
    return (
        f"the printed row sums to {secrets} secrets and {total} turns, where the game has "
        f"{best.rules.size} secrets; the tree here takes {best.depth} turns for "
        f"{best.distribution[-1]} of them"
    )


def larmouth_in_single_precision(splits: Splits) -> NDArray[np.float32]:
    """Return (guesses, 1): Larmouth's sums in single precision.

    Natural logarithms are summed over the sizes in descending order; the bonus comes last.
    """
    count = np.arange(int(splits.sizes[:, 0].max()) + 1)
    logarithms = np.log(np.maximum(count, 1)).astype(np.float32)
    terms = (count.astype(np.float32) * logarithms)[splits.sizes]
    *_, sums = accumulate(terms.T)
    bonus = np.float32(2) * np.log(np.float32(2)) * splits.is_candidate
    rounded: NDArray[np.float32] = (sums - bonus)[:, None]
    return rounded


def _both(
    name: str,
    figures: dict[str, Any],
    tree: StrategyTree,
    *,
    why: str = "",
    unexplained: bool = False,
    depends: bool = False,
) -> Iterator[Row]:
    """Yield the total and the turns; `depends`: of optimal trees the turns may differ."""
    yield Row(f"{name}, total", figures["total"], tree.total, why, unexplained=unexplained)
    turns = tuple(figures["turns"])
    ours = tree.distribution
    yield Row(f"{name}, turns", turns, ours, why, depends=depends, unexplained=unexplained)


# -- rules and draws in Mastermind -----------------------------------------------------------------


@section("mastermind-rules", "Mastermind: one-step rules", "Kooi 2005")
def mastermind(threads: int) -> Iterator[Row]:
    """One-step rules in Mastermind; those that nobody published stand among all strategies."""
    known = published()["one_step"][MASTERMIND]
    for name in (*known, LARMOUTH_ALL, POSSIBLES_ONLY):
        tree = strategy_tree(MASTERMIND, name, BuildOptions(threads))
        yield Row(f"{name}, total", known.get(name, ""), tree.total)
        yield Row(f"{name}, turns", "", tree.distribution)


@section("random", "Guessing a random candidate", "our own")
def random_candidate(_threads: int) -> Iterator[Row]:
    """The mean distribution of guessing any candidate, over all draws."""
    for rules in (BULLS_COWS, MASTERMIND, "p3c10n"):
        lengths = expected_lengths(rules)
        yield Row(f"{rules} {RANDOM_CANDIDATE}, total", "", f"{float(lengths.total):.3f}")
        turns = "/".join(f"{float(found):.6g}" for found in lengths.turns)
        yield Row(f"{rules} {RANDOM_CANDIDATE}, turns", "", turns)


# -- the adversary ---------------------------------------------------------------------------------

_REMOTE = (BULLS_COWS, MASTERMIND, "p3c10n", "p4c10z", "p3c6r", "p4c5r")


@section("remoteness", "The codemaker as an adversary", "Francis, Variations; Slovesnov 1")
def remoteness(_threads: int) -> Iterator[Row]:
    """How long a codemaker without a secret can keep a game up (Francis, Variations)."""
    maker = Adversary(Analyst.loaded())
    published_turns = published()["remoteness"]["turns"]
    for rules in _REMOTE:
        known = published_turns.get(rules, "")
        yield Row(f"{rules}, remoteness", known, maker.last_turn(Question.of(rules), None))
    game = Question.of(BULLS_COWS)
    for number, answer in enumerate(game.rules.answers[:-1]):
        last = maker.last_turn(game.then(0, number), None)
        yield Row(f"0123 {answer}, last turn", "", last)
    reply = maker.reply(game, 0, None)
    yield Row("answer to 0123 that keeps it longest", "", str(game.rules.answers[reply.answer]))
