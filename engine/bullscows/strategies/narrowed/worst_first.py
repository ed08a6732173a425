"""Chen's worst-first verification that Bulls & Cows takes seven turns (section 4, figures 3 and 4).

After each guess only the answer that leaves the most candidates is followed. The extended
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

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, equivalence_classes
from bullscows.strategies.rules.one_step import sizes_between
from bullscows.strategies.rules.ranking import weighted_guesses


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
    """How many second guesses were followed."""
    backtracks: tuple[int, ...]
    """How often the largest part reached each limit: his cases 1, 2, 3."""
    failures: int
    """How often it had a single candidate: his case 4."""

    @property
    def turns(self) -> int | None:
        """So many turns are needed in the worst case; None if the procedure fails."""
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
