"""One-step rules: guesses chosen by the sizes of the parts that they would leave.

A rule looks one turn ahead.  It sees, for every guess, how many candidates give each answer, in
descending order, and names the guesses it likes best.  Of these a candidate is preferred, then the
lexicographically first: the tie-break is part of the strategy, and the same for all rules here.

Crush is the paper's own rule for few late secrets, Larmouth's is the one that it takes for few
turns (3.2).  The others are the classics of Mastermind.  All compare exactly: a rule never decides
by the last bit of a sum of logarithms.

Every rule guesses as the special nodes of the paper demand (6.2) without being told.  At such a
node some candidate splits all candidates into singletons; a part can't be smaller, parts can't be
more, and of guesses that split so the first candidate is taken.

For Bulls & Cows crush totals 27030 turns and Larmouth's rule 26407.  Ties decide: guesses that are
equal under Larmouth's rule in truth give 26409 when the first of them all is taken, candidate or
not, 26405 with the last, and again other totals when rounding breaks them.  Francis prints 26408
for the first in an order of guesses that he does not give (1, 7, 70, 642, 2410, 1806, 103, 1; ours
with the first of all: 1, 7, 70, 646, 2400, 1813, 102, 1), and 26406 for the best choice among
equals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import and_
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.game.history import Turns
from engine.game.responses import ResponseTable
from engine.game.rules import CodeIndex, Rules
from engine.game.symmetry import IndexArray, representatives
from engine.strategies.rules.least_frequent import LEAST_FREQUENT, LeastFrequent
from engine.tree.strategy_tree import Candidates, StrategyTree, special_guess

_RESPONSES_AT_ONCE = 1 << 21
_TURNS_WITH_SYMMETRY = 2
"""Later there are few candidates, and sorting out equal guesses costs more than counting them."""

_NEAR = 1e-6
"""Sums of n log n farther apart than this differ in truth: the floating error of a sum over a game
of up to 2,000,000 codes is below 1e-7."""

_Kind: TypeAlias = tuple[tuple[int, ...], bool]
"""The sizes of the parts of a guess, and whether it has the bonus."""


@dataclass(frozen=True)
class Splits:
    """What each of some guesses does to the candidates."""

    guesses: IndexArray
    """(guesses,) int32, ascending."""
    sizes: NDArray[np.intp]
    """(guesses, answers): the sizes of the parts in descending order, then zeros."""
    is_candidate: NDArray[np.bool_]
    """(guesses,): whether the guess may be the secret."""

    def prefer(self, places: NDArray[np.intp]) -> CodeIndex:
        """Return the guess at the first of `places` that holds a candidate, or else the first."""
        candidates = places[self.is_candidate[places]]
        return int(self.guesses[candidates[0] if len(candidates) else places[0]])


Rule: TypeAlias = Callable[[Splits], NDArray[np.intp]]
"""Returns the places, ascending, of all guesses that it likes equally and best."""


def split(table: ResponseTable, candidates: IndexArray, guesses: IndexArray) -> Splits:
    """Count the parts into which each guess splits the candidates.

    Parameters
    ----------
    table
        The answers of the game.
    candidates
        (n,) int32, ascending, n > 0.
    guesses
        (m,) int32, ascending.
    """
    every = len(guesses) == table.size
    rows = table.responses[candidates]
    rows = rows[:, : table.size] if every else rows[:, guesses]
    return Splits(guesses, part_sizes(rows, table.answers), np.isin(guesses, candidates))


def part_sizes(responses: NDArray[np.uint8], answers: int) -> NDArray[np.intp]:
    """Return (guesses, answers): the sizes of the parts in descending order, then zeros.

    `responses` is (candidates, guesses), neither of them 0.
    """
    step = max(1, _RESPONSES_AT_ONCE // len(responses))
    blocks = range(0, responses.shape[1], step)
    return np.concatenate(
        [_part_sizes(responses[:, start : start + step], answers) for start in blocks]
    )


def _part_sizes(responses: NDArray[np.uint8], answers: int) -> NDArray[np.intp]:
    guesses = responses.shape[1]
    cells = responses + np.arange(0, guesses * answers, answers)
    counts = np.bincount(cells.ravel(), minlength=guesses * answers).reshape(guesses, answers)
    return np.sort(counts, axis=1)[:, ::-1]


def distinct_guesses(table: ResponseTable, path: Turns) -> IndexArray:
    """Return the guesses to try: at most two turns into a game with rules, one of each class.

    Guesses that symmetry makes equal split alike and are candidates alike.  So the first of the
    best guesses is the first of its class, and a rule chooses the same as among all guesses.
    """
    if table.rules is not None and len(path) <= _TURNS_WITH_SYMMETRY:
        return representatives(table.rules, [guess for guess, _ in path])
    return np.arange(table.size, dtype=np.int32)


# -- rules -----------------------------------------------------------------------------------------


def crush(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses whose largest part is smallest, then their second largest, and so on.

    The paper (3.2) compares the sizes in descending order, prefers a candidate among guesses with
    the same sizes, and once all parts of some guess have size one looks at candidates only: the
    preference for candidates says the same, since only such a candidate could still be better.
    """
    best = np.arange(len(splits.guesses))
    for sizes in splits.sizes.T:
        best = _least(best, sizes)
    return best


def minimax(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses whose largest part is smallest (Knuth 1976)."""
    return _least(np.arange(len(splits.guesses)), splits.sizes[:, 0])


def parts(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses with the most parts (Thompson, in Francis; Kooi 2005)."""
    return _least(np.arange(len(splits.guesses)), (splits.sizes == 0).sum(axis=1))


def expected_size(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses that leave the fewest candidates on average (Irving 1978).

    A part of n candidates is met n times, so the sum of the squares is what counts.
    """
    return _least(np.arange(len(splits.guesses)), (splits.sizes**2).sum(axis=1))


def larmouth(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses with the least ``sum(n log n) - 2 log 2 * IN`` (paper 3.2, Francis).

    The sum is over the sizes n of the parts; IN is 1 for a candidate and 0 otherwise.  With it a
    candidate that leaves one pair equals an outside guess that leaves all apart.
    """
    return _least_sum_of_logarithms(splits, splits.is_candidate)


def entropy(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses whose answer tells the most bits (Neuwirth 1982).

    The entropy of the answer is log N minus the sum of n log n over N, so this is Larmouth's rule
    without its bonus.
    """
    return _least_sum_of_logarithms(splits, np.zeros_like(splits.is_candidate))


def _least(places: NDArray[np.intp], score: NDArray[np.intp]) -> NDArray[np.intp]:
    best: NDArray[np.intp] = places[score[places] == score[places].min()]
    return best


def _least_sum_of_logarithms(splits: Splits, bonus: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the places with the least sum of n log n, less 2 log 2 where there is a bonus.

    Different sizes can have equal sums (4 log 4 = 2 log 2 four times), and floating sums of them
    need not be equal.  So they only select what is near the least; the rest is done in integers,
    where the sum is the logarithm of the product of n**n, and the bonus a division by 4.
    """
    sums = _n_log_n(int(splits.sizes[:, 0].max()))[splits.sizes].sum(axis=1) - np.log(4) * bonus
    near = np.flatnonzero(sums <= sums.min() + _NEAR)
    kinds = list(zip(map(tuple, splits.sizes[near].tolist()), bonus[near].tolist(), strict=True))
    products = _products(set(kinds))
    least = min(products.values())
    return near[[products[kind] == least for kind in kinds]]


@cache
def _n_log_n(largest: int) -> NDArray[np.float64]:
    n = np.arange(largest + 1, dtype=np.float64)
    logarithms: NDArray[np.float64] = np.log(np.maximum(n, 1))
    return n * logarithms


def _products(kinds: Collection[_Kind]) -> dict[_Kind, int]:
    """Return of each kind the product of n**n over its sizes, times 4 for the bonus forgone.

    Sizes that all kinds share are left out of all, which divides each product by the same: of one
    kind alone nothing is left, and of large sets, whose products have millions of digits, little.
    """
    if len(kinds) == 1:
        return dict.fromkeys(kinds, 1)
    counts = {kind: Counter(kind[0]) for kind in kinds}
    shared = reduce(and_, counts.values())
    return {
        kind: _product(tuple(sorted((count - shared).elements())), not kind[1])
        for kind, count in counts.items()
    }


@lru_cache(maxsize=1 << 16)
def _product(sizes: tuple[int, ...], without_bonus: bool) -> int:
    """Return the product of n**n over `sizes`, times 4 for the bonus forgone."""
    return math.prod([4 if without_bonus else 1, *(int(size**size) for size in sizes)])


# -- strategies ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heuristic:
    """A strategy that asks one rule in every position."""

    rule: Rule
    """Names the guesses it likes best."""
    possible_only: bool = False
    """Guess candidates only (the possibles-only play of Francis, Results)."""

    def choose(self, table: ResponseTable, candidates: Candidates, path: Turns) -> CodeIndex:
        """Return the guess for a position of the game.

        A special node needs no rule; see the module's docstring.
        """
        special = None if table.rules is None else special_guess(table.rules, candidates)
        if special is not None:
            return special
        members = np.array(candidates, dtype=np.int32)
        guesses = members if self.possible_only else distinct_guesses(table, path)
        splits = split(table, members, guesses)
        return splits.prefer(self.rule(splits))


_RULES: dict[str, Rule] = {
    "crush": crush,
    "larmouth": larmouth,
    "minimax": minimax,
    "parts": parts,
    "expected": expected_size,
    "entropy": entropy,
}

HEURISTICS: Mapping[str, Heuristic | LeastFrequent] = MappingProxyType(
    {name: Heuristic(rule) for name, rule in _RULES.items()}
    | {f"possible-{name}": Heuristic(rule, True) for name, rule in _RULES.items()}
    | {name: LEAST_FREQUENT[name] for name in ("goel-garg-human", "goel-garg-unique")}
)
"""One-step strategies by name; ``possible-NAME`` guesses only what may be the secret."""


def heuristic_tree(
    rules: Rules, heuristic: Heuristic | LeastFrequent, table: ResponseTable | None = None
) -> StrategyTree:
    """Grow the tree that follows one heuristic throughout.

    Parameters
    ----------
    rules, heuristic
        The game and the strategy, such as ``HEURISTICS["crush"]``.
    table
        The game's response table, if it is at hand.

    Raises
    ------
    TableTooLargeError
        If the game has too many codes for a response table.
    """
    answers = ResponseTable.of(rules) if table is None else table
    return StrategyTree.grow(rules, lambda *position: heuristic.choose(answers, *position))
