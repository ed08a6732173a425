"""Chen's figures, recomputed: k-way branching, the pigeonhole lemma, the verification of seven."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bullscows.game.number import NumberGame
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.library import solve
from bullscows.shipping.strategies import strategy_tree
from bullscows.strategies.narrowed.search import best_of_ties, k_way
from bullscows.strategies.narrowed.worst_first import least_worst_parts, worst_first
from bullscows.strategies.rules.one_step import RULES, Splits
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree
from research.sections import BULLS_COWS, MASTERMIND, proved, published, section, solved
from research.tables import Row

_TRIED = (
    "neither which guess stands for a group nor four other ways to group them gives his figure "
    "(docs/results.md)"
)


@section("kwb", "Mastermind: k-way branching", "Chen, table 2")
def k_way_mastermind(_threads: int) -> Iterator[Row]:
    """Turns of k-way branching for each k of his table 2."""
    rules = Rules.parse(MASTERMIND)
    for ways, turns in published()["kwb"][MASTERMIND].items():
        total = k_way(rules, int(ways)).tree().total
        if ways == "1":
            least = best_of_ties(rules, RULES["crush"]).tree().total
            why = f"k = 1 is crush, and the best of all its ties takes {least} turns"
            yield Row(f"k={ways}", turns, total, why=why, impossible=least > turns)
        else:
            yield Row(f"k={ways}", turns, total, why=_TRIED, unexplained=True)


@section("kwb-others", "Mastermind: strategies before k-way branching", "Chen, table 2", quick=True)
def others_mastermind(threads: int) -> Iterator[Row]:
    """Turns of what table 2 compares with; Irving's and Neuwirth's strategies are not described."""
    known = published()["kwb"]["p4c6r_others"]
    minimax = strategy_tree(MASTERMIND, "minimax").total
    last = StrategyTree.grow(Rules.parse(MASTERMIND), _last_minimax).total
    kooi = published()["one_step"][MASTERMIND]["minimax"]
    why = f"with the last of equal candidates after 0011; with the first Kooi counts {kooi} too"
    is_last = last == known["Knuth"]
    yield Row("Knuth", known["Knuth"], minimax, why, unexplained=not is_last)
    optimal = proved(solved(MASTERMIND, "average", threads=threads))
    for name in ("Irving", "Neuwirth"):
        yield Row(f"{name}: at least", known[name], optimal, bound="<=")
    yield Row("Koyama and Lai", known["Koyama & Lai"], optimal)


def _last_minimax(candidates: Candidates, path: Turns) -> CodeIndex:
    """Return the last candidate of the guesses that minimax rates best, or else the last guess."""
    rules = Rules.parse(MASTERMIND)
    if not path:
        return rules.parse_code("0011")
    members = np.array(candidates, dtype=np.int32)
    splits = Splits.of(rules, members, np.arange(rules.size, dtype=np.int32))
    best = RULES["minimax"].best(splits)
    inside = best[splits.is_candidate[best]]
    return int(splits.guesses[(inside if len(inside) else best)[-1]])


@section("kwb-columns", "Mastermind: means and shares of table 2", "Chen, table 2", quick=True)
def columns(_threads: int) -> Iterator[Row]:
    """His columns of means and shares, from his totals; times are those of his computer."""
    figures = published()["kwb"]
    totals = {f"k={ways}": total for ways, total in figures[MASTERMIND].items()}
    totals |= figures["p4c6r_others"]
    optimum = totals["Koyama & Lai"]
    size = Rules.parse(MASTERMIND).size
    for name, (mean, share, seconds) in figures["p4c6r_columns"]["rows"].items():
        digits = len(mean.partition(".")[2])
        yield Row(f"{name}, mean", mean, f"{totals[name] / size:.{digits}f}")
        ours = f"{100 * optimum / totals[name]:.2f}".removesuffix(".00")
        yield Row(f"{name}, per cent of the optimum", share, ours)
        if seconds:
            yield Row(f"{name}, seconds on a Pentium III 750", seconds, "")


@section("first-answers", "Candidates after the first guess", "Chen, table 1; Francis", quick=True)
def first_answers(_threads: int) -> Iterator[Row]:
    """How many candidates each answer to the first guess leaves (table 1)."""
    rules = Rules.parse(BULLS_COWS)
    parts = rules.partition(0, range(rules.size))
    for answer, known in published()["responses_first_turn_sizes"]["sizes"].items():
        yield Row(f"0123 {answer}", known, len(parts[rules.parse_answer(answer)]))


@section("kwb-bulls-cows", "Bulls & Cows: k-way branching", "Chen, section 3")
def k_way_bulls_cows(_threads: int) -> Iterator[Row]:
    """Turns and last turn of k-way branching with k = 5 (section 3, B)."""
    known = published()["kwb"][BULLS_COWS]["k=5"]
    tree = k_way(Rules.parse(BULLS_COWS), 5).tree()
    yield Row("k=5, turns in all", known["total"], tree.total, why=_TRIED, unexplained=True)
    yield Row("k=5, last turn", known["depth"], tree.depth)


@section("pigeonhole", "The extended pigeonhole lemma", "Chen, section 4", quick=True)
def pigeonhole(_threads: int) -> Iterator[Row]:
    """How many candidates the worst answers leave, by the extended lemma (lemmas 1 to 3)."""
    figures = published()["kwb"]["pigeonhole"]
    parts = least_worst_parts(BULLS_COWS)
    for turn, (known, part) in enumerate(zip(figures["parts"], parts, strict=True), start=1):
        yield Row(f"candidates left after guess {turn}", known, part)
    yield Row("turns at least", figures["height"], len(parts) + 2)


@section("worst-first", "The verification of seven turns", "Chen, theorem 1")
def verification(_threads: int) -> Iterator[Row]:
    """Backtracks of the worst-first verification, case by case (theorem 1)."""
    figures = published()["kwb"]["verification_of_7"]
    ours = worst_first(BULLS_COWS)
    for case, count in enumerate(ours.backtracks, start=1):
        known = figures[f"backtracks_case_{case}"]
        label = f"case {case}: at least {ours.limits[case - 1]} left after guess {case + 2}"
        yield Row(label, known, count)
    yield Row("case 4: one left too early", figures["case_4"], ours.failures)
    yield Row("second guesses followed", "", ours.second_guesses)
    yield Row("turns at least", figures["height"], ours.turns)
    for rules in ("p3c10n", "p4c8n", "p4c9n"):
        yield Row(f"{rules}, turns at least", "", worst_first(rules).turns)
        yield Row(f"{rules}, turns by a search", "", proved(solved(rules, "worst")))


@section("one-place", "The game of one place", "Chen, section 2", quick=True)
def one_place(threads: int) -> Iterator[Row]:
    """Last turn and turns in all of the game of one place (section 2, figure 1)."""
    figures = published()["kwb"]["game_1xn"]
    table = NumberGame(figures["n"]).table()
    worst = proved(solve(table, "worst", threads=threads))
    yield Row(f"{table.name}, height", figures["height"], worst)
    average = proved(solve(table, "average", threads=threads))
    yield Row(f"{table.name}, path", figures["external_path_length"], average)
