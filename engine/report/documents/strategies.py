"""Whole strategies by rule, by draw and by their ties, none of them optimal; and the adversary.

Francis' table of Results says how many numbers each of his strategies finds at each turn.  Where a
rule likes several guesses equally he takes the first, in an order that he does not give, or the
best; here each common tie-break is a strategy of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.analysis.analyst import Analyst
from engine.analysis.codemaker import Codemaker
from engine.build.strategies import (
    LARMOUTH_ALL,
    RANDOM_CANDIDATE,
    Means,
    expected_lengths,
    strategy_tree,
)
from engine.game.question import Question
from engine.game.rules import Rules
from engine.report.positions import solved
from engine.report.rows import BULLS_COWS, MASTERMIND, Row, Section, published
from engine.strategies.rules.all_ties import BestOfTies
from engine.strategies.rules.splits import Splits
from engine.tree.files import POSSIBLES_ONLY
from engine.tree.strategy_tree import StrategyTree

_ONE = "Larmouth - One (first of equals)"
_ALL = "Larmouth - All (best of equals)"
_POSSIBLES = "Possibles Only (guess only from the remaining candidates, best of them)"
_OPTIMAL = ("Fast Strategy (optimal)", "Slow Strategy (optimal)", "Tanaka (optimal)")

_WHY_ONE = (
    "his order of guesses is not given: exact ties give 26409 with the first of all, 26407 with "
    "the first candidate, and 26405, 26406, 26407 or 26409 in thirteen other orders; sums rounded "
    "in 96 ways give 26405 to 26410, 26408 among them, and never his turns"
)
_WHY_ALL = (
    "26405 with exact ties, 26406 where sums in single precision decide what is a tie (next row)"
)
_SCAN = (
    "the printed row sums to 5039 secrets and 26398 turns, so a digit of it is wrong; his text "
    "says at most seven turns, and of the equally good choices this one takes eight for two secrets"
)


def francis_results(jobs: int) -> Iterator[Row]:
    """The totals of Francis' table of Results, and the turns (Francis, Results)."""
    figures = published()["strategies"][BULLS_COWS]
    optimal = solved(BULLS_COWS, "average", jobs=jobs).tree()
    for name in _OPTIMAL:
        yield from _both(name, figures[name], optimal, depends=True)
    first = strategy_tree(BULLS_COWS, "larmouth-any")
    yield from _both(_ONE, figures[_ONE], first, why=_WHY_ONE, unexplained=True)
    candidate = strategy_tree(BULLS_COWS, "larmouth")
    yield Row("larmouth, first candidate of equals", "", str(candidate.total))
    best = strategy_tree(BULLS_COWS, LARMOUTH_ALL)
    printed = str(figures[_ALL]["total"])
    yield Row(f"{_ALL}, total", printed, str(best.total), _WHY_ALL)
    rounded = BestOfTies(Rules.parse(BULLS_COWS), larmouth_in_single_precision)
    tree = StrategyTree.grow(Rules.parse(BULLS_COWS), rounded.choose)
    yield Row("best of what single precision takes for equal, total", printed, str(tree.total))
    turns = _turns(figures[_ALL]["turns"])
    yield Row(f"{_ALL}, turns", turns, _turns(best.histogram), _SCAN, unexplained=True)
    possibles = strategy_tree(BULLS_COWS, POSSIBLES_ONLY, Means(jobs))
    yield from _both(_POSSIBLES, figures[_POSSIBLES], possibles, depends=True)


def larmouth_in_single_precision(splits: Splits) -> NDArray[np.intp]:
    """Return what Larmouth's rule likes if the sums are rounded to single precision on the way.

    They are of natural logarithms, over the sizes in descending order, less the bonus at the end.
    """
    count = np.arange(int(splits.sizes[:, 0].max()) + 1)
    logarithms = np.log(np.maximum(count, 1)).astype(np.float32)
    terms = (count.astype(np.float32) * logarithms)[splits.sizes]
    *_, sums = accumulate(terms.T)
    sums = sums - np.float32(2) * np.log(np.float32(2)) * splits.is_candidate
    return np.flatnonzero(sums == sums.min())


def _both(
    name: str,
    figures: dict[str, list[int]],
    tree: StrategyTree,
    *,
    why: str = "",
    unexplained: bool = False,
    depends: bool = False,
) -> Iterator[Row]:
    """Yield the total and the turns; `depends`: of optimal trees the turns may differ."""
    ours = str(tree.total)
    yield Row(f"{name}, total", str(figures["total"]), ours, why, unexplained=unexplained)
    turns = _turns(tree.histogram)
    known = _turns(figures["turns"])
    yield Row(f"{name}, turns", known, turns, why, depends=depends, unexplained=unexplained)


def _turns(counts: tuple[int, ...] | list[int]) -> str:
    return "/".join(map(str, counts))


# -- rules and draws in Mastermind -----------------------------------------------------------------


def mastermind(jobs: int) -> Iterator[Row]:
    """One-step rules in Mastermind; those that nobody published stand among all strategies."""
    known = published()["one_step"][MASTERMIND]
    for name in (*known, LARMOUTH_ALL, POSSIBLES_ONLY):
        tree = strategy_tree(MASTERMIND, name, Means(jobs))
        yield Row(f"{name}, total", str(known.get(name, "")), str(tree.total))
        yield Row(f"{name}, turns", "", _turns(tree.histogram))


def random_candidate(_jobs: int) -> Iterator[Row]:
    """What to expect of guessing any candidate, in the mean over all draws."""
    for rules in (BULLS_COWS, MASTERMIND, "p3c10n"):
        lengths = expected_lengths(rules)
        yield Row(f"{rules} {RANDOM_CANDIDATE}, total", "", f"{float(lengths.total):.3f}")
        turns = "/".join(f"{float(found):.6g}" for found in lengths.turns)
        yield Row(f"{rules} {RANDOM_CANDIDATE}, turns", "", turns)


# -- the adversary ---------------------------------------------------------------------------------

_REMOTE = (
    (BULLS_COWS, "7"),
    (MASTERMIND, "5"),
    ("p3c10n", ""),
    ("p4c10z", ""),
    ("p3c6r", ""),
    ("p4c5r", ""),
)


def remoteness(_jobs: int) -> Iterator[Row]:
    """How long a codemaker without a secret can keep a game up (Francis, Variations)."""
    analyst = Analyst(sys.maxsize)
    analyst.load(())
    maker = Codemaker(analyst)
    for rules, known in _REMOTE:
        yield Row(f"{rules}, remoteness", known, str(maker.last_turn(Question.of(rules), None)))
    game = Question.of(BULLS_COWS)
    for number, answer in enumerate(game.rules.answers[:-1]):
        last = maker.last_turn(game.then(0, number), None)
        yield Row(f"0123 {answer}, last turn", "", str(last))
    reply = maker.reply(game, 0, None)
    yield Row("answer to 0123 that keeps it longest", "", str(game.rules.answers[reply.answer]))


SECTIONS = {
    "results": Section("Bulls & Cows: Francis' strategies", "Francis, Results", francis_results),
    "mastermind-rules": Section("Mastermind: one-step rules", "Kooi 2005", mastermind),
    "random": Section("Guessing a random candidate", "our own", random_candidate),
    "remoteness": Section(
        "The codemaker as an adversary", "Francis, Variations; Slovesnov 1", remoteness
    ),
}
