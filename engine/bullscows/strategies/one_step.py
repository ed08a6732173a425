"""One-step rules: guesses chosen by the sizes of the parts that they leave.

A rule sees, for every guess, how many candidates give each answer, in descending order. Of the
guesses that it rates best a candidate is preferred, then the lexicographically first; ``NAME-any``
takes the first, candidate or not. Crush and Larmouth's are the paper's rules (3.2), the others are
the classics of Mastermind. All compare exactly: rounding of logarithms never decides.

Every rule that prefers candidates plays special nodes (6.2) as the string format demands: a
candidate that splits all candidates into singletons is best, and the first such one is taken. The
first of all guesses need not be a candidate there, so a tree of ``NAME-any`` may have no string.

For Bulls & Cows crush totals 27030 turns and Larmouth's rule 26407. Ties decide: of the guesses
that Larmouth's rule rates equal, the first of all gives 26409, the last 26406, the best 26405
(`bullscows.strategies.narrowed`). Francis prints 26408 for the first in an order that he
does not give, and 26406 for the best choice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import and_
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import answer_counts
from bullscows.game.response_table import all_codes
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray, representatives
from bullscows.strategies.least_frequent import LEAST_FREQUENT, LeastFrequent
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import special_guess

Places: TypeAlias = NDArray[np.intp]
"""Numbers of guesses in a `Splits`."""

TURNS_WITH_SYMMETRY = 2
"""Later there are few candidates, and sorting out equal guesses costs more than counting them."""

_NEAR = 1e-6
"""Sums of n log n farther apart than this differ in truth: the floating error of a sum over a game
of up to 2,000,000 codes is below 1e-7."""

_EQUAL = 1e-8
"""Landy's sums nearer than this are taken for equal; their floating error is far below it."""

_NEWTON_STEPS = 60


def sizes_between(rules: Rules, secrets: IndexArray, guesses: IndexArray) -> NDArray[np.intp]:
    """Return (guesses, answers) intp of int32 arrays: sizes of parts, descending, then zeros."""
    counts = answer_counts(rules, secrets, guesses)
    counts.sort(axis=1)
    return counts[:, ::-1].astype(np.intp)


@dataclass(frozen=True)
class Splits:
    """The parts into which each of some guesses splits the candidates."""

    guesses: IndexArray
    """(guesses,) int32, ascending."""
    sizes: NDArray[np.intp]
    """(guesses, answers or candidates, whichever are fewer): the sizes of the parts in descending
    order, then zeros."""
    is_candidate: NDArray[np.bool_]
    """(guesses,): whether the guess may be the secret."""

    @classmethod
    def of(cls, rules: Rules, candidates: IndexArray, guesses: IndexArray) -> Splits:
        """Count the parts into which each guess splits the candidates, (n,) int32, n > 0."""
        sizes = sizes_between(rules, candidates, guesses)[:, : len(candidates)]
        return cls(guesses, sizes, np.isin(guesses, candidates))

    @property
    def is_informative(self) -> NDArray[np.bool_]:
        """(guesses,): whether the guess leaves another position than the same one a turn later."""
        return self.is_candidate | (self.sizes[:, 1:2] > 0).any(axis=1)

    def only(self, which: NDArray[np.bool_]) -> Splits:
        """Return the splits of some guesses, those where `which`, (guesses,), is true."""
        return Splits(self.guesses[which], self.sizes[which], self.is_candidate[which])

    @classmethod
    def joined(cls, first: Splits, second: Splits) -> Splits:
        """Return the splits of the same candidates by the guesses of both, the second's later."""
        columns = zip(vars(first).values(), vars(second).values(), strict=True)
        return cls(*map(np.concatenate, columns))

    def prefer(self, places: Places) -> CodeIndex:
        """Return the guess at the first of `places` that holds a candidate, or else the first."""
        candidates = places[self.is_candidate[places]]
        return int(self.guesses[candidates[0] if len(candidates) else places[0]])


@dataclass(frozen=True)
class Rule:
    """A measure that a one-step rule minimises."""

    score: Callable[[Splits], NDArray[Any]]
    """Returns (guesses, columns): the least row, compared from the left, is best."""
    slack: float = 0.0
    """Scores this near to the least may equal it in truth."""
    settle: Callable[[Splits, Places], Places] | None = None
    """Returns those of some nearly best places that are best in exact arithmetic."""

    def best(self, splits: Splits) -> Places:
        """Return the places, ascending, of all guesses that the rule likes equally and best."""
        places = np.arange(len(splits.guesses))
        for column in self.score(splits).T:
            values = column[places]
            places = places[values <= values.min() + self.slack]
        return places if self.settle is None else self.settle(splits, places)

    def keys(self, splits: Splits) -> list[NDArray[Any]]:
        """Return the sort keys of guesses, each (guesses,): scores, then candidates.

        Scores are rounded, so that equal sums of logarithms compare as equal.
        """
        return [*np.round(self.score(splits), 6).T, ~splits.is_candidate]

    def order(self, splits: Splits) -> Places:
        """Return all places, best first; of equal keys, by number."""
        return np.lexsort((splits.guesses, *self.keys(splits)[::-1]))


def distinct_guesses(rules: Rules, path: Turns) -> IndexArray:
    """Return the guesses to try: at most two turns into a game, one of each class.

    Equivalent guesses have the same parts, so a rule chooses the same guess as among all.
    """
    if len(path) <= TURNS_WITH_SYMMETRY:
        return representatives(rules, [guess for guess, _ in path])
    return all_codes(rules)


def _summed(values: Callable[[int], NDArray[np.float64]], splits: Splits) -> NDArray[np.float64]:
    """Return (guesses, 1): the sum over the parts of a tabulated function of their sizes."""
    largest = (1 << int(splits.sizes[:, 0].max()).bit_length()) - 1
    sums: NDArray[np.float64] = values(largest)[splits.sizes].sum(axis=1, keepdims=True)
    return sums


@lru_cache(maxsize=4)
def _n_log_n(largest: int) -> NDArray[np.float64]:
    n = np.arange(largest + 1, dtype=np.float64)
    logarithms: NDArray[np.float64] = np.log(np.maximum(n, 1))
    return n * logarithms


def _larmouth(splits: Splits) -> NDArray[np.float64]:
    # The bonus of candidates, as what the others pay: subtracted, it would be rounded otherwise.
    forgone: NDArray[np.float64] = np.log(4) * ~splits.is_candidate[:, None]
    return _summed(_n_log_n, splits) + forgone


def _least_product(has_bonus: bool) -> Callable[[Splits, Places], Places]:
    """Return the exact comparison of sums of n log n: products of n**n, times 4 for outsiders.

    Different sizes can have equal sums (4 log 4 = 2 log 2 four times), of which floating sums need
    not be equal. Sizes that all guesses share are left out: their products are huge.
    """

    def settle(splits: Splits, near: Places) -> Places:
        places = _by_kind(splits, near, np.where(splits.is_candidate & has_bonus, 1, 4))
        counts = {kind: Counter(kind[0]) for kind in places}
        shared = reduce(and_, counts.values())
        products = {
            kind: _product(tuple(sorted((count - shared).elements())), kind[1])
            for kind, count in counts.items()
        }
        least = min(products.values())
        liked = [places[kind] for kind, product in products.items() if product == least]
        return np.sort(np.concatenate(liked))

    return settle


def _by_kind(
    splits: Splits, places: Places, factors: NDArray[np.intp]
) -> dict[tuple[tuple[int, ...], int], Places]:
    """Return `places` by the sizes of the parts and the factor there, (guesses,)."""
    found = {}
    while len(places):
        sizes = splits.sizes[places[0]]
        factor = factors[places[0]]
        equal = (splits.sizes[places] == sizes).all(axis=1) & (factors[places] == factor)
        found[tuple(sizes.tolist()), int(factor)] = places[equal]
        places = places[~equal]
    return found


@lru_cache(maxsize=1 << 16)
def _product(sizes: tuple[int, ...], factor: int) -> int:
    return math.prod([factor, *(int(size**size) for size in sizes)])


@lru_cache(maxsize=4)
def _turns_expected(largest: int) -> NDArray[np.float64]:
    """Return ``n x(n)`` for n = 0 to `largest`, by Newton's method on ``x log x = log n``."""
    n = np.arange(largest + 1, dtype=np.float64)
    logarithms = np.log(np.maximum(n, 1))
    x = 1 + logarithms
    for _ in range(_NEWTON_STEPS):
        x -= (x * np.log(x) - logarithms) / (np.log(x) + 1)
    turns: NDArray[np.float64] = n * x
    return turns


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        # The largest part, then the second largest, and so on (paper, 3.2).  Once all parts of some
        # guess have size one the paper looks at candidates only, and only such a one is better.
        "crush": Rule(lambda splits: splits.sizes),
        # sum(n log n) - 2 log 2 * IN, where IN is 1 for a candidate (paper, 3.2, Francis): one that
        # leaves a pair equals an outside guess that leaves all apart.
        "larmouth": Rule(_larmouth, _NEAR, _least_product(True)),
        # sum(n x(n)), where x(n)**x(n) = n, without what the guess itself finds: each of n codes
        # is taken to need x more turns, 1 for 1 code, 2 for 4, 3 for 27.  B. Landy's strategies are
        # named in a column of 1971 (Francis); what is known of this one is its function.
        "landy": Rule(
            lambda splits: _summed(_turns_expected, splits) - splits.is_candidate[:, None], _EQUAL
        ),
        # The largest part (Knuth 1976).
        "minimax": Rule(lambda splits: splits.sizes[:, :1]),
        # The most parts (Thompson, in Francis; Kooi 2005).
        "parts": Rule(lambda splits: (splits.sizes == 0).sum(axis=1, keepdims=True)),
        # The fewest candidates on average: a part of n is met n times (Irving 1978).
        "expected": Rule(lambda splits: (splits.sizes**2).sum(axis=1, keepdims=True)),
        # The most bits, log N less the sum of n log n over N (Neuwirth 1982): Larmouth's sum
        # without its bonus.
        "entropy": Rule(lambda splits: _summed(_n_log_n, splits), _NEAR, _least_product(False)),
    }
)
"""The rules by their names."""


@dataclass(frozen=True)
class Heuristic:
    """A strategy that asks one rule in every position."""

    rule: Rule
    """Names the guesses it likes best."""
    possible_only: bool = False
    """Guess candidates only, whose best total is that of `possibles-only` (Francis, Results)."""
    first_of_all: bool = False
    """Take the first guess that the rule likes, even where it likes a candidate as well."""

    def choose(self, rules: Rules, candidates: Candidates, path: Turns) -> CodeIndex:
        """Return the guess for a position of the game."""
        if len(candidates) == 1:
            return candidates[0]
        special = None if self.first_of_all else special_guess(rules, candidates)
        if special is not None:
            return special
        members = np.array(candidates, dtype=np.int32)
        guesses = members if self.possible_only else distinct_guesses(rules, path)
        splits = Splits.of(rules, members, guesses)
        liked = self.rule.best(splits)
        return int(splits.guesses[liked[0]]) if self.first_of_all else splits.prefer(liked)


@dataclass(frozen=True)
class FirstCandidate:
    """Guesses the first candidate, as a program that only filters: 7471 turns in Mastermind."""

    def choose(self, _rules: Rules, candidates: Candidates, _path: Turns) -> CodeIndex:
        """Return the guess for a position of the game."""
        return candidates[0]


OneStep: TypeAlias = Heuristic | FirstCandidate | LeastFrequent

HEURISTICS: Mapping[str, OneStep] = MappingProxyType(
    {name: Heuristic(rule) for name, rule in RULES.items()}
    | {f"possible-{name}": Heuristic(rule, True) for name, rule in RULES.items()}
    | {f"{name}-any": Heuristic(rule, first_of_all=True) for name, rule in RULES.items()}
    | {"first-candidate": FirstCandidate()}
    | {name: LEAST_FREQUENT[name] for name in ("goel-garg-human", "goel-garg-unique")}
)
"""One-step strategies by name; ``possible-NAME`` guesses only what may be the secret, ``NAME-any``
the first of all guesses that the rule likes."""
