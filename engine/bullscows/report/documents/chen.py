"""Chen's figures, recomputed: k-way branching, the pigeonhole lemma, the verification of seven."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bullscows.build.strategies import strategy_tree
from bullscows.game.number import NumberGame
from bullscows.game.rules import Rules
from bullscows.report.positions import table_of
from bullscows.report.rows import BULLS_COWS, MASTERMIND, Row, Section, figure, published
from bullscows.search.solver import solve
from bullscows.strategies.narrowed.search import k_way
from bullscows.strategies.narrowed.worst_first import least_worst_parts, worst_first

_TRIED = (
    "neither which guess stands for a group nor four other ways to group them gives his figure "
    "(docs/research.md)"
)


def k_way_mastermind(_jobs: int) -> Iterator[Row]:
    """Turns of k-way branching for each k of his table 2."""
    rules = Rules.parse(MASTERMIND)
    for ways, turns in published()["kwb"][MASTERMIND].items():
        total = k_way(rules, int(ways)).tree().total
        yield Row(f"k={ways}", str(turns), str(total), why=_TRIED, unexplained=True)


def others_mastermind(jobs: int) -> Iterator[Row]:
    """Turns of what table 2 compares with; Neuwirth's strategy is not among ours."""
    known = published()["kwb"]["p4c6r_others"]
    minimax = strategy_tree(MASTERMIND, "minimax").total
    kooi = published()["one_step"][MASTERMIND]["minimax"]
    why = "ours takes the first candidate of equals"
    if minimax == kooi:
        why += f"; Kooi counts {kooi} for it too"
    yield Row("Knuth", str(known["Knuth"]), str(minimax), why, unexplained=True)
    optimal = figure(solve(table_of(MASTERMIND), "average", threads=jobs))
    yield Row("Koyama and Lai", str(known["Koyama & Lai"]), optimal)


def first_answers(_jobs: int) -> Iterator[Row]:
    """How many candidates each answer to the first guess leaves (table 1)."""
    rules = Rules.parse(BULLS_COWS)
    sizes = np.bincount(
        table_of(BULLS_COWS).responses[0, : rules.size], minlength=len(rules.answers)
    )
    for answer, known in published()["responses_first_turn_sizes"]["sizes"].items():
        yield Row(f"0123 {answer}", str(known), str(sizes[rules.parse_answer(answer)]))


def k_way_bulls_cows(_jobs: int) -> Iterator[Row]:
    """Turns and last turn of k-way branching with k = 5 (section 3, B)."""
    known = published()["kwb"][BULLS_COWS]["k=5"]
    tree = k_way(Rules.parse(BULLS_COWS), 5).tree()
    yield Row(
        "k=5, turns in all", str(known["total"]), str(tree.total), why=_TRIED, unexplained=True
    )
    yield Row("k=5, last turn", str(known["depth"]), str(tree.depth))


def pigeonhole(_jobs: int) -> Iterator[Row]:
    """How many candidates the worst answers leave, by the extended lemma (lemmas 1 to 3)."""
    figures = published()["kwb"]["pigeonhole"]
    parts = least_worst_parts(BULLS_COWS)
    for turn, (known, part) in enumerate(zip(figures["parts"], parts, strict=True), start=1):
        yield Row(f"candidates left after guess {turn}", str(known), str(part))
    yield Row("turns at least", str(figures["height"]), str(len(parts) + 2))


def verification(_jobs: int) -> Iterator[Row]:
    """Backtracks of the worst-first verification, case by case (theorem 1)."""
    figures = published()["kwb"]["verification_of_7"]
    ours = worst_first(BULLS_COWS)
    for case, count in enumerate(ours.backtracks, start=1):
        known = figures[f"backtracks_case_{case}"]
        label = f"case {case}: at least {ours.limits[case - 1]} left after guess {case + 2}"
        yield Row(label, str(known), str(count))
    yield Row("case 4: one left too early", str(figures["case_4"]), str(ours.failures))
    yield Row("second guesses followed", "", str(ours.second_guesses))
    yield Row("turns at least", str(figures["height"]), str(ours.turns))


def one_place(jobs: int) -> Iterator[Row]:
    """Last turn and turns in all of the game of one place (section 2, figure 1)."""
    figures = published()["kwb"]["game_1xn"]
    table = NumberGame(figures["n"]).table()
    worst = figure(solve(table, "worst", threads=jobs))
    yield Row(f"{table.name}, height", str(figures["height"]), worst)
    average = figure(solve(table, "average", threads=jobs))
    yield Row(f"{table.name}, path", str(figures["external_path_length"]), average)


SECTIONS = {
    "kwb": Section("Mastermind: k-way branching", "Chen, table 2", k_way_mastermind),
    "kwb-others": Section(
        "Mastermind: strategies before k-way branching",
        "Chen, table 2",
        others_mastermind,
        is_quick=True,
    ),
    "first-answers": Section(
        "Candidates after the first guess", "Chen, table 1; Francis", first_answers, is_quick=True
    ),
    "kwb-bulls-cows": Section("Bulls & Cows: k-way branching", "Chen, section 3", k_way_bulls_cows),
    "pigeonhole": Section(
        "The extended pigeonhole lemma", "Chen, section 4", pigeonhole, is_quick=True
    ),
    "worst-first": Section("The verification of seven turns", "Chen, theorem 1", verification),
    "one-place": Section("The game of one place", "Chen, section 2", one_place, is_quick=True),
}
