"""The codemaker's side: the mean number of turns if the codemaker chooses the kind of code.

Codes that symmetry makes equal are of one *kind*; in games without repeats all codes are.  Within a
kind nothing is gained by preferring a code: a mixture of the images of a strategy is as good
against each of them.  So the game is a matrix with a row for each kind and a column for each
strategy, whose entry is the mean number of turns.  Its *value* is what the codemaker's best mixture
of kinds guarantees, and the codebreaker's best mixture of strategies.

Double oracle: the matrix of the strategies found so far has a mixture of kinds that is best against
them, and an upper bound of the value.  The exact search with weights
(`bullscows.strategies.codemaker_kernels`) finds the best strategy against that mixture, which is
the next column and a lower bound.  If no strategy takes fewer turns than the upper bound, that is
the value.  All bounds are exact fractions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm
from typing import Any, NamedTuple

import numpy as np

from bullscows.errors import EngineError
from bullscows.game.question import Question
from bullscows.game.response_table import GameTooLargeError, ResponseTable
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.symmetry import equivalence_classes, representatives
from bullscows.game.timer import UNLIMITED, OutOfTimeError, ReportText, Timer
from bullscows.kernels.workspace import MAX_ANSWERS
from bullscows.search.solver import solve
from bullscows.search.threads import run_together
from bullscows.strategies import codemaker_kernels as kernels
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree
from bullscows.tree.verifier import verify

MAX_CODES = 20_000
"""The largest game: tables of it take 0.5 GB."""

_SLOTS = (1 << 20) + 7
"""The sets that a search remembers, in 24 MB; not a power of two, so all bits of a sum count."""

_SCALE = 1 << 30
"""About the mean weight of a secret where weights are rounded."""

_MOST = 1 << 60
"""Costs are less, so that sums of a few fit 64 bits."""


class MixtureError(EngineError, ValueError):
    """A result for a codemaker that cannot be read, or that is wrong."""


class Kind(NamedTuple):
    """A kind of code."""

    code: CodeIndex
    """Its least code."""
    codes: int
    """The number of codes of this kind."""
    probability: Fraction
    """The probability with which the codemaker chooses it."""


class Choice(NamedTuple):
    """A strategy of the codebreaker's mixture."""

    tree: StrategyTree
    probability: Fraction


@dataclass(frozen=True)
class Equilibrium:
    """The value of a game in which the codemaker chooses the kind of code, or bounds of it."""

    rules: Rules
    lower: Fraction
    """No strategy takes fewer turns on average against the mixture of `kinds`."""
    upper: Fraction | None
    """The mixture of `trees` takes no more turns on average against any code; None: not known."""
    kinds: tuple[Kind, ...]
    trees: tuple[Choice, ...]
    searches: int = 0
    """The number of mixtures of kinds that were searched."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search."""

    @property
    def proved(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper

    def record(self) -> dict[str, Any]:
        """Return what JSON files say, fractions as texts; `read` is the inverse."""
        text = self.rules.text
        return {
            "rules": str(self.rules),
            "value": str(self.upper) if self.proved else None,
            "value_float": float(self.lower) if self.proved else None,
            "lower": str(self.lower),
            "upper": None if self.upper is None else str(self.upper),
            "optimal": self.proved,
            "kinds": [
                {"code": text(kind.code), "codes": kind.codes, "probability": str(kind.probability)}
                for kind in self.kinds
            ],
            "trees": [
                {
                    "probability": str(choice.probability),
                    "total": choice.tree.total,
                    "means": [str(mean) for mean in means_by_kind(choice.tree)],
                    "guesses": " ".join(text(guess) for guess in choice.tree.nodes.guesses),
                }
                for choice in self.trees
            ],
            "searches": self.searches,
        }


def read(record: Any) -> Equilibrium:
    """Read a record; a tree is given by the guesses of all nodes in breadth-first order.

    Raises `MixtureError` if it is not one.
    """
    try:
        rules = _checked(Rules.parse(record["rules"]))
        shares = [_fraction(kind["probability"]) for kind in record["kinds"]]
        trees = tuple(
            Choice(_replayed(rules, tree["guesses"]), _fraction(tree["probability"]))
            for tree in record["trees"]
        )
        lower = _fraction(record["lower"])
        upper = _fraction(record["upper"])
    except (KeyError, TypeError, AttributeError):
        raise MixtureError("this is no proved result of bullscows codemaker --json") from None
    if len(shares) != len(equivalence_classes(rules, ()).sizes):
        raise MixtureError(f"{len(shares)} is not the number of kinds of codes of {rules}")
    if sum(shares) != 1 or sum(share for _, share in trees) != 1:
        raise MixtureError("the probabilities of the kinds or of the trees do not sum to 1")
    return Equilibrium(rules, lower, upper, _kinds(rules, shares), trees)


def _fraction(text: str) -> Fraction:
    if re.fullmatch("[0-9]{1,99}(/0*[1-9][0-9]{0,98})?", text) is None:
        raise MixtureError(f"{text[:40]!r} is no fraction, for example 560/129")
    return Fraction(text)


def _replayed(rules: Rules, guesses: str) -> StrategyTree:
    """Return the tree with these guesses."""
    words = iter(guesses.split())
    tree = StrategyTree.grow(rules, lambda *_: rules.parse_code(next(words, "")))
    if next(words, None) is not None:
        raise MixtureError("a tree has more guesses than positions")
    return tree


def means_by_kind(tree: StrategyTree) -> list[Fraction]:
    """Return the mean number of turns over the codes of each kind."""
    classes = equivalence_classes(tree.rules, ())
    totals = [0] * len(classes.sizes)
    for node in tree.nodes:
        if node.is_candidate_guess:
            totals[classes.labels[node.guess]] += node.turn
    return [
        Fraction(total, size) for total, size in zip(totals, classes.sizes.tolist(), strict=True)
    ]


def matrix_game(
    payoffs: Sequence[Sequence[Fraction]],
) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """Return the value of a matrix game and a best mixture of its rows and of its columns.

    The player of the rows maximises the payoffs, which are positive.  The simplex method in exact
    fractions, with Bland's rule: the columns' mixture divided by the value has the largest sum of
    all whose payoff is at most 1 in each row.

    >>> matrix_game([[Fraction(3), Fraction(1)], [Fraction(1), Fraction(2)]])[0]
    Fraction(5, 3)
    """
    rows = len(payoffs)
    columns = len(payoffs[0])
    table = [
        [*map(Fraction, row), *(Fraction(one == place) for one in range(rows)), Fraction(1)]
        for place, row in enumerate(payoffs)
    ]
    gains = [Fraction(1)] * columns + [Fraction(0)] * (rows + 1)
    basis = [columns + place for place in range(rows)]
    while (
        enters := next((at for at, gain in enumerate(gains[:-1]) if gain > 0), None)
    ) is not None:
        leaves = min(
            (place for place in range(rows) if table[place][enters] > 0),
            key=lambda place: (table[place][-1] / table[place][enters], basis[place]),
        )
        pivot = [entry / table[leaves][enters] for entry in table[leaves]]
        table = [_eliminated(row, pivot, enters) for row in table]
        table[leaves] = pivot
        gains = _eliminated(gains, pivot, enters)
        basis[leaves] = enters
    value = -1 / gains[-1]
    mixture = [Fraction(0)] * (columns + rows)
    for place, column in enumerate(basis):
        mixture[column] = table[place][-1] * value
    return value, [-gain * value for gain in gains[columns:-1]], mixture[:columns]


def _eliminated(row: list[Fraction], pivot: list[Fraction], column: int) -> list[Fraction]:
    factor = row[column]
    return [entry - factor * other for entry, other in zip(row, pivot, strict=True)]


def equilibrium(
    game: Rules | str,
    *,
    timer: Timer = UNLIMITED,
    progress: ReportText | None = None,
) -> Equilibrium:
    """Find and prove the value of a game in which the codemaker chooses the kind of code.

    >>> found = equilibrium("p2c3r")
    >>> str(found.upper), found.proved
    ('43/17', True)

    The search ends with the bounds that it has at the end of the time, or on Ctrl-C.  `progress`
    receives sentences.

    Raises `GameTooLargeError` if the game has more than `MAX_CODES` codes, or more answers than a
    search handles.
    """
    rules = _checked(Rules.of(game))
    found = _average(rules, timer)
    trees = [choice.tree for choice in found.trees]
    try:
        oracle = _Oracle(rules, timer) if trees else None
        while oracle is not None and not found.proved:
            payoffs = zip(*map(means_by_kind, trees), strict=True)
            value, shares, mixture = matrix_game([list(row) for row in payoffs])
            chosen = zip(trees, mixture, strict=True)
            choices = tuple(Choice(tree, share) for tree, share in chosen if share)
            found = replace(found, upper=value, trees=choices, searches=len(trees))
            if progress is not None:
                progress(f"{float(found.lower):.6f} to {float(value):.6f} turns")
            lower, near, tree = oracle.best_near(shares, trees)
            if lower > found.lower:
                found = replace(found, lower=lower, kinds=_kinds(rules, near))
            if _mean(tree, shares) >= value:
                better = oracle.better(shares, value)
                if better is None:
                    return replace(found, lower=value, kinds=_kinds(rules, shares))
                tree = better
            trees.append(tree)
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        return replace(found, interrupted=True)
    return found


def check(found: Equilibrium, timer: Timer = UNLIMITED) -> None:
    """Prove both bounds of a result again: replay its trees, and search against its kinds.

    Raises `MixtureError` if a bound is wrong, `OutOfTimeError` at the end of the time.
    """
    rules = _checked(found.rules)
    for tree, _ in found.trees:
        for problem in verify(tree).problems:
            raise MixtureError(f"a tree is wrong: {problem}")
    shares = [kind.probability for kind in found.kinds]
    for place, kind in enumerate(found.kinds):
        mean = sum(share * means_by_kind(tree)[place] for tree, share in found.trees)
        if found.upper is None or mean > found.upper:
            code = rules.text(kind.code)
            raise MixtureError(f"the trees take {mean} turns on average to find codes like {code}")
    if len(found.kinds) == 1:
        least = _average(rules, timer).lower
    else:
        better = _Oracle(rules, timer).better(shares, found.lower)
        least = found.lower if better is None else _mean(better, shares)
    if least < found.lower:
        raise MixtureError(f"a strategy takes {least} turns on average against these kinds")


def _checked(rules: Rules) -> Rules:
    if rules.size > MAX_CODES or len(rules.answers) > MAX_ANSWERS:
        raise GameTooLargeError(
            f"{rules} has {rules.size} codes and {len(rules.answers)} answers; the codemaker's "
            f"side is searched for up to {MAX_CODES} codes and {MAX_ANSWERS} answers"
        )
    return rules


def _average(rules: Rules, timer: Timer) -> Equilibrium:
    """Return the bounds by the best strategy if all codes are equally likely."""
    sizes = equivalence_classes(rules, ()).sizes.tolist()
    kinds = _kinds(rules, [Fraction(size, rules.size) for size in sizes])
    solution = solve(Question.of(rules), timer=timer)
    lower = Fraction(solution.cost.lower, rules.size)
    upper = None
    trees: tuple[Choice, ...] = ()
    if solution.optimal and solution.search is not None:
        trees = (Choice(solution.tree(), Fraction(1)),)
        upper = max(means_by_kind(trees[0].tree))
    return Equilibrium(rules, lower, upper, kinds, trees, 1, solution.interrupted)


def _kinds(rules: Rules, shares: Sequence[Fraction]) -> tuple[Kind, ...]:
    classes = equivalence_classes(rules, ())
    codes = classes.representatives.tolist()
    return tuple(map(Kind, codes, classes.sizes.tolist(), shares))


def _mean(tree: StrategyTree, shares: Sequence[Fraction]) -> Fraction:
    """Return the mean number of turns of a strategy against a mixture of kinds."""
    means = zip(shares, means_by_kind(tree), strict=True)
    return sum((share * mean for share, mean in means), Fraction())


class _Oracle:
    """Finds best strategies against mixtures of kinds."""

    def __init__(self, rules: Rules, timer: Timer) -> None:
        self._rules = rules
        self._timer = timer
        self._table = ResponseTable.of(rules, timer)
        self._classes = equivalence_classes(rules, ())
        self._sizes = self._classes.sizes.tolist()
        firsts = self._classes.representatives
        self._allowed = np.zeros((len(firsts) + 1, rules.size), dtype=np.uint8)
        self._allowed[-1, firsts] = 1
        for row, first in enumerate(firsts.tolist()):
            self._allowed[row, representatives(rules, (first,))] = 1
        random = np.random.default_rng(1)
        self._noise = random.integers(1, 1 << 63, (rules.size, 2), dtype=np.uint64)

    def best_near(
        self, shares: Sequence[Fraction], trees: Sequence[StrategyTree]
    ) -> tuple[Fraction, list[Fraction], StrategyTree]:
        """Return the mean turns of a best strategy, the mixture it is best against, and its tree.

        The mixture is near `shares`, but has every kind and rounded weights.  The best of `trees`
        is the upper bound that the search starts from.
        """
        mixed = zip(shares, self._sizes, strict=True)
        weights = [int(share / size * self._rules.size * _SCALE) + 1 for share, size in mixed]
        of_kinds = [weight * size for weight, size in zip(weights, self._sizes, strict=True)]
        total = sum(of_kinds)
        near = [Fraction(weight, total) for weight in of_kinds]
        search = self._search(weights)
        cost = self._cost(search, int(min(_mean(tree, near) for tree in trees) * total))
        return Fraction(cost, total), near, self._tree(search, search)

    def better(self, shares: Sequence[Fraction], value: Fraction) -> StrategyTree | None:
        """Return a best strategy against a mixture of kinds if it takes less than `value` turns."""
        exact = [share / size for share, size in zip(shares, self._sizes, strict=True)]
        scale = lcm(*(weight.denominator for weight in exact))
        limit = ceil(value * scale) - 1
        if limit >= _MOST:
            raise GameTooLargeError(f"the mixture of kinds of {self._rules} exceeds 64 bits")
        search = self._search([int(weight * scale) for weight in exact])
        if self._cost(search, limit) > limit:
            return None
        return self._tree(search, self._search([1] * len(shares)))

    def _search(self, weights: Sequence[int]) -> kernels.Search:
        """Return the arrays of a search in which the codes of each kind have a weight."""
        codes = self._rules.size
        answers = len(self._rules.answers)
        order = sorted(range(len(weights)), key=lambda kind: -weights[kind])
        ranks = np.argsort(order)
        levels = kernels.LEVELS
        return kernels.Search(
            responses=self._table.responses.reshape(-1),
            stride=self._table.stride,
            answers=answers,
            win=self._rules.win,
            kinds=ranks[self._classes.labels],
            weights=np.array([weights[kind] for kind in order], dtype=np.int64),
            allowed=self._allowed[[*order, -1]],
            noise=self._noise,
            checks=np.zeros(_SLOTS, dtype=np.uint64),
            costs=np.zeros(_SLOTS, dtype=np.int64),
            guesses=np.zeros(_SLOTS, dtype=np.int64),
            signal=np.zeros(3, dtype=np.int64),
            secrets=np.zeros((levels, codes), dtype=np.uint32),
            made=np.zeros((levels, self._table.stride), dtype=np.uint8),
            bounds=np.zeros((levels, codes), dtype=np.int64),
            counts=np.zeros((levels, answers, len(weights)), dtype=np.int64),
            sizes=np.zeros((levels, answers), dtype=np.int64),
            least=np.zeros((levels, answers), dtype=np.int64),
            present=np.zeros(len(weights), dtype=np.int64),
            by_parts=np.zeros((len(weights) + 1, answers + 1), dtype=np.int64),
        )

    def _cost(self, search: kernels.Search, limit: int) -> int:
        """Return the least cost of the game if it is at most `limit`, else more than `limit`."""
        codes = self._rules.size
        row = len(self._sizes)
        search.secrets[0] = np.arange(codes)
        cost, stopped, interrupted = run_together(
            [lambda: kernels.best_guess(search, 0, codes, row, limit)[0]],
            search.signal,
            timer=self._timer,
        )
        if interrupted:
            raise KeyboardInterrupt
        if search.signal[kernels.TOO_DEEP]:
            raise GameTooLargeError(f"a game of {self._rules} may take {kernels.LEVELS} turns")
        if stopped:
            raise OutOfTimeError
        search.signal[kernels.STOP] = 0  # the tree may need to search sets again
        return cost

    def _tree(self, search: kernels.Search, other: kernels.Search) -> StrategyTree:
        """Grow the tree of a search; sets without weight are played like `other` does."""

        def choose(candidates: Candidates, path: Turns) -> CodeIndex:
            kinds = search.kinds[list(candidates)]
            if len(candidates) <= 2:
                return candidates[int(kinds.argmin())]
            level = len(path)
            used = search if search.weights[kinds.min()] > 0 else other
            used.secrets[level, : len(candidates)] = candidates
            row = used.kinds[path[0][0]] if path else len(self._sizes)
            _, guess = kernels.best_guess(used, level, len(candidates), int(row), _MOST)
            return int(guess)

        return StrategyTree.grow(self._rules, choose)
