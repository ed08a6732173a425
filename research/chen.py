"""Chen's figures, recomputed: k-way branching, the pigeonhole lemma, the verification of seven.

In the worst-first verification that Bulls & Cows takes seven turns (section 4, figures 3 and 4),
after each guess only the answer that leaves the most candidates is followed. The extended
pigeonhole principle (lemma 1) says how many candidates are too many: 165 after three guesses leave
15 after four and 2 after five, so they take seven turns. If the largest part reaches its limit the
procedure backtracks and counts the case; if it has one candidate too early, the procedure fails.

His counts follow from these readings: second guesses are those that renaming of symbols leaves
different (209 of 5040), later guesses are all codes; a part that equals the limit is cut; and of
equal parts the first by ascending answer is followed. Symmetry changes no count, so one guess of
each class is followed for all of it up to the third.

The lemma: n boxes with p items have one with at least p / n of them. If a box has a small capacity,
fill it first: the others share the rest. For the parts of candidates the capacities are the parts
that the first guess leaves, since no later part can be larger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from bullscows.game.number_game import NumberGame
from bullscows.game.response_table import all_codes
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray, equivalence_classes
from bullscows.library import solve
from bullscows.shipping.named_trees import strategy_tree
from bullscows.strategies.narrowed import NarrowedSearch, k_way
from bullscows.strategies.one_step import RULES, Splits, sizes_between
from bullscows.strategies.ranking import weighted_guesses
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree
from research.tables import BULLS_COWS, MASTERMIND, Row, proved, published, section, solved


@section("kwb", "Mastermind: k-way branching", "Chen, table 2")
def k_way_mastermind(_threads: int) -> Iterator[Row]:
    """Turns of k-way branching for each k of his table 2."""
    for ways, turns in published()["kwb"][MASTERMIND].items():
        total = ungrouped(Rules.parse(MASTERMIND), "0012", int(ways)).tree().total
        is_crush = ways == "1"
        why = (
            "k = 1 is crush: after 0012 it takes 5773 to 5781 turns, by the order of equal guesses"
            if is_crush
            else "by the rule that gives k = 5 to 30; equal guesses in other orders give 5650"
        )
        yield Row(f"k={ways}", turns, total, why, unexplained=not is_crush)


def ungrouped(rules: Rules, first: str, ways: int) -> NarrowedSearch:
    """Return k-way branching without groups, after a first guess.

    It tries the guesses that crush likes best. Several of them can split the candidates alike.
    """

    def propose(members: IndexArray, splits: Splits) -> list[CodeIndex]:
        if len(members) == rules.size:
            return [rules.parse_code(first)]
        if len(splits.guesses) < rules.size:  # without equivalent guesses
            splits = Splits.of(rules, members, all_codes(rules))
        order = RULES["crush"].order(splits)
        tried: list[CodeIndex] = splits.guesses[order[splits.is_informative[order]][:ways]].tolist()
        return tried

    return NarrowedSearch(rules, propose)


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
    splits = Splits.of(rules, members, all_codes(rules))
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
    why = "with groups; with groups of second guesses only, and new digits in order, 26609"
    yield Row("k=5, turns in all", known["total"], tree.total, why, unexplained=True)
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


# -- the lemma and the procedure -------------------------------------------------------------------


def pigeonhole_bound(pigeons: int, volumes: Sequence[int]) -> int:
    """Return the least that the fullest box can hold: the lemma for the best choice of small ones.

    With the k smallest boxes filled, one of the other n - k holds at least ``ceil((items - their
    capacities) / (n - k))``; the largest of these bounds is attained.

    >>> pigeonhole_bound(1440, [1, 24, 6, 72, 180, 8, 216, 720, 480, 9, 264, 1260, 1440, 360])
    165

    Raises `ValueError` unless there is an item, and the boxes can hold all.
    """
    if not 1 <= pigeons <= sum(volumes):
        raise ValueError(
            f"{pigeons} pigeons: there must be 1 to {sum(volumes)}, what the holes hold"
        )
    filled = accumulate(sorted(volumes), initial=0)
    shares = zip(filled, range(len(volumes), 0, -1), strict=False)
    return max(-(-(pigeons - full) // others) for full, others in shares)


def least_worst_parts(game: Rules | str) -> tuple[int, ...]:
    """Return how many candidates the worst answers leave at least after guess 1, 2, ....

    The last number is above 1. Two candidates take two more guesses, so the game takes two turns
    more than there are numbers (lemmas 2 and 3).

    >>> least_worst_parts("p4c10n")
    (1440, 165, 15, 2)

    Raises `ValueError` if first guesses differ in their parts, or leave no two candidates.
    """
    rules = Rules.of(game)
    if rules.repeats or not rules.leading_zero:
        raise ValueError(f"the first guesses of {rules} are not all equal: no sizes hold for all")
    volumes = [len(part) for part in rules.partition(0, range(rules.size)).values()]
    parts = [max(volumes)]
    if parts[0] < 2:
        raise ValueError(f"the first guess of {rules} leaves no two candidates")
    while (fewer := pigeonhole_bound(parts[-1], volumes)) > 1:
        parts.append(fewer)
    return tuple(parts)


@dataclass(frozen=True)
class WorstFirst:
    """The counts of the procedure."""

    limits: tuple[int, ...]
    """The largest part that is too large after guess 3, 4, ...; the last is 2."""
    second_guesses: int
    """The number of second guesses that were followed."""
    backtracks: tuple[int, ...]
    """How many times the largest part reached each limit: his cases 1, 2, 3."""
    failures: int
    """How many times it had a single candidate: his case 4."""

    @property
    def turns(self) -> int | None:
        """The turns needed in the worst case; None if the procedure fails."""
        return None if self.failures else len(self.limits) + 4


def worst_first(game: Rules | str) -> WorstFirst:
    """Count the backtracks of the worst-first verification by its definition.

    Raises `ValueError` as `least_worst_parts`, or without a bound after the second guess.
    """
    rules = Rules.of(game)
    known = least_worst_parts(rules)
    if len(known) < 2:
        raise ValueError(f"the lemma says nothing of the second guesses of {rules}")
    # The last limit of the lemma can exceed the two candidates that take two more turns.
    limits = (*known[1:-1], 2)
    first = _largest_part(rules, 0, range(rules.size))
    classes = equivalence_classes(rules, (0,))
    ordered = np.array([_names_in_order(code, rules.positions) for code in rules.codes()])
    sizes = np.bincount(classes.labels[ordered], minlength=len(classes.representatives))
    # One second guess of each class, and how many of it name the new symbols in order.
    seconds = dict(zip(classes.representatives.tolist(), sizes.tolist(), strict=True))
    counts = np.zeros(len(limits) + 1, dtype=np.int64)
    for guess, weight in seconds.items():
        worst = _largest_part(rules, guess, first)
        counts += weight * _followed(rules, limits, worst, (0, guess))
    *backtracks, failures = counts.tolist()
    return WorstFirst(limits, sum(seconds.values()), tuple(backtracks), failures)


def _followed(
    rules: Rules, limits: tuple[int, ...], part: IndexArray, made: tuple[CodeIndex, ...]
) -> NDArray[np.int64]:
    """Count the backtracks of each case, then the failures, after guesses that left a part."""
    counts = np.zeros(len(limits) + 1, dtype=np.int64)
    if len(part) == 1:
        counts[-1] = 1
        return counts
    case = len(made) - 2
    guesses, sizes = weighted_guesses(rules, made)
    is_cut = sizes_between(rules, part, guesses)[:, 0] >= limits[case]
    counts[case] = sizes[is_cut].sum()
    for guess, size in zip(guesses[~is_cut].tolist(), sizes[~is_cut].tolist(), strict=True):
        worst = _largest_part(rules, guess, part)
        counts += size * _followed(rules, limits, worst, (*made, guess))
    return counts


def _names_in_order(code: tuple[int, ...], used: int) -> bool:
    """Whether the symbols that the first guess, the first `used`, lacks are the next, in order."""
    new = [symbol for symbol in code if symbol >= used]
    return new == list(range(used, used + len(new)))


def _largest_part(rules: Rules, guess: CodeIndex, members: IndexArray | range) -> IndexArray:
    """Return the largest part that a guess leaves of `members`, of equal ones the first."""
    parts = rules.partition(guess, (int(member) for member in members))
    return np.array(max(parts.values(), key=len), dtype=np.int32)
