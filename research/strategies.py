"""Strategies of Francis and Kooi, random candidates, and the adversary.

Francis' table of Results lists the distribution of each strategy. Among equal guesses of a rule he
takes the first, in an unknown order, or the best; here each tie-break is a strategy of its own.
With `SECOND` and then the first by number, Larmouth's rule has all figures that he prints of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullscows.analysis.adversary import Adversary
from bullscows.analysis.analyst import Analyst
from bullscows.game.objective import total_turns
from bullscows.game.question import Question
from bullscows.game.response_table import all_codes
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.shipping.named_trees import (
    LARMOUTH_ALL,
    RANDOM_CANDIDATE,
    BuildOptions,
    expected_lengths,
    strategy_tree,
)
from bullscows.strategies.narrowed import best_of_ties
from bullscows.strategies.one_step import RULES, Rule, Splits
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree
from research.optimal import OptimalTrees, optimal
from research.tables import BULLS_COWS, MASTERMIND, Row, published, section

ONE = "Larmouth - One (first of equals)"
ALL = "Larmouth - All (best of equals)"
POSSIBLES = "Possibles Only (guess only from the remaining candidates, best of them)"
OPTIMAL = ("Fast Strategy (optimal)", "Slow Strategy (optimal)", "Tanaka (optimal)")
"""The names of strategies in Francis' table of Results."""


@section("results", "Bulls & Cows: Francis' strategies", "Francis, Results")
def francis_results(_threads: int) -> Iterator[Row]:
    """Totals and turns of Francis' table of Results."""
    figures = published()["strategies"][BULLS_COWS]
    for name, trees in _trees_of_least_total():
        yield Row(f"{name}, total", figures[name]["total"], trees.total)
        yield Row(f"{name}, turns", tuple(figures[name]["turns"]), trees.distribution())
    tree = _first_of_equals()
    yield Row(f"{ONE}, total", figures[ONE]["total"], tree.total)
    yield Row(f"{ONE}, turns", tuple(figures[ONE]["turns"]), tree.distribution)
    for name in ("larmouth-any", "larmouth"):
        yield Row(f"{name}, total", "", strategy_tree(BULLS_COWS, name).total)
    yield from _best_of_equals(figures[ALL])


@section("francis-nodes", "Nodes and probes", "Francis, Results")
def nodes_and_probes(_threads: int) -> Iterator[Row]:
    """Positions with several candidates, and guesses there that are no candidates."""
    figures = published()["strategies"][BULLS_COWS]
    for name, trees in _trees_of_least_total():
        if "nodes" in figures[name]:
            yield Row(f"{name}, nodes", figures[name]["nodes"], trees.span("decisions"))
            yield Row(f"{name}, probes", figures[name]["probes"], trees.span("probes"))
    best = strategy_tree(BULLS_COWS, LARMOUTH_ALL)
    why = f"our tree, of {best.total} turns, has other ties"
    for name, tree in ((ONE, _first_of_equals()), (ALL, best)):
        nodes = [node for node in tree.nodes if node.size > 1]
        probes = sum(not node.is_candidate_guess for node in nodes)
        yield Row(f"{name}, nodes", figures[name]["nodes"], len(nodes), why, unexplained=True)
        yield Row(f"{name}, probes", figures[name]["probes"], probes, why, unexplained=True)


def _trees_of_least_total() -> Iterator[tuple[str, OptimalTrees]]:
    for name in OPTIMAL:
        yield name, optimal(BULLS_COWS)
    yield POSSIBLES, optimal(BULLS_COWS, candidates_only=True)


SECOND = {"0.1": "4056", "0.2": "2451", "1.1": "4153"}
"""Second guesses by answer; by number they are 1456, 1435 and 0145, which are equivalent."""


@cache
def _first_of_equals() -> StrategyTree:
    return StrategyTree.grow(Rules.parse(BULLS_COWS), first_of_equals)


def first_of_equals(candidates: Candidates, path: Turns) -> CodeIndex:
    """Return Larmouth's guess: of equal ones the least by number, or that of `SECOND`."""
    if len(candidates) == 1:
        return candidates[0]
    rules = Rules.parse(BULLS_COWS)
    guesses = all_codes(rules)
    splits = Splits.of(rules, np.array(candidates, dtype=np.int32), guesses)
    equal: list[CodeIndex] = splits.guesses[RULES["larmouth"].best(splits)].tolist()
    if len(path) == 1:
        wanted = SECOND.get(str(rules.answers[path[0][1]]))
        equal = [guess for guess in equal if wanted in (None, rules.text(guess))]
    return min(equal)


def _best_of_equals(figures: dict[str, Any]) -> Iterator[Row]:
    best = strategy_tree(BULLS_COWS, LARMOUTH_ALL)
    rules = Rules.parse(BULLS_COWS)
    rounded = best_of_ties(rules, Rule(larmouth_in_single_precision)).tree()
    printed = figures["total"]
    why = f"{best.total} with exact ties, {rounded.total} with sums in single precision"
    is_open = rounded.total != printed
    yield Row(f"{ALL}, total", printed, best.total, why, unexplained=is_open)
    yield Row("best of what single precision takes for equal, total", printed, rounded.total)
    turns = tuple(figures["turns"])
    complete = (*turns, 1)
    why = "with one secret more, at turn 8, both sums are right: a 1 is lost in column 8"
    yield Row(f"{ALL}, secrets of the printed row", sum(turns), sum(complete), why)
    yield Row(f"{ALL}, turns of the printed row", total_turns(turns), total_turns(complete), why)
    why = f"the printed row lacks a secret; our tree, of {best.total} turns, has other ties"
    yield Row(f"{ALL}, turns", turns, best.distribution, why, unexplained=True)


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
