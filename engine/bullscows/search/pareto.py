"""The Pareto front of two criteria: all costs that no strategy improves on in both.

The corners of its convex hull are optima of weighted sums ``p * first + q * second``, which the
exact search finds.  Between two corners all strategies are listed whose weighted sum exceeds the
corners' by little, with their costs as pairs: a guess is followed only if the search proves that
its sum is small enough, and the pairs of its parts are added up.  The margin grows until every pair
that could still improve the front would exceed it (docs/proof.md, "Fronts").

A point is found without a tree.  `ParetoSearch.trees` grows the trees: at each node it looks for a
guess whose parts have points that add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import mul
from typing import NamedTuple, TypeAlias

import numpy as np

from bullscows.game import arguments
from bullscows.game.objective import (
    INFINITE,
    Objective,
    ObjectiveError,
    Weights,
    combine,
    scaled,
)
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.timer import ReportText
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree

Vectors: TypeAlias = tuple[Sequence[int], Sequence[int]]


class Point(NamedTuple):
    """The costs of a strategy in the two criteria."""

    first: int
    """The cost in the first criterion."""
    second: int
    """The cost in the second criterion."""

    def __str__(self) -> str:
        return f"{self.first}/{self.second}"

    def plus(self, other: Point, times: int = 1) -> Point:
        """Return the sum of this and a multiple of another."""
        return Point(self.first + times * other.first, self.second + times * other.second)


def nondominated(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return the points that no other dominates, by ascending first cost."""
    kept: list[Point] = []
    for point in sorted(points):
        if not kept or point.second < kept[-1].second:
            kept.append(point)
    return tuple(kept)


def sums_of(
    sums: dict[Point, tuple[Point, ...]], points: tuple[Point, ...]
) -> dict[Point, tuple[Point, ...]]:
    """Add a point to each sum in every way, and return the nondominated sums."""
    ways = {
        before.plus(point): (*chosen, point) for before, chosen in sums.items() for point in points
    }
    return {point: ways[point] for point in nondominated(ways)}


def is_bettered(point: Point, found: tuple[Point, ...]) -> bool:
    """Return whether one of `found` is at most this in both criteria."""
    return any(other.first <= point.first and other.second <= point.second for other in found)


def gaps(found: Sequence[Point]) -> list[Point]:
    """Return the worst point that could still lie between each two neighbours."""
    return [
        Point(right.first - 1, left.second - 1)
        for left, right in pairwise(found)
        if left.first < right.first - 1 and right.second < left.second - 1
    ]


@dataclass(frozen=True)
class Limits:
    """Limits on the costs of strategies: on a weighted sum, and on each criterion."""

    sum: int
    first: int
    second: int

    def admit(self, point: Point, total: WeightedSum) -> bool:
        """Return whether the costs of a strategy are within the limits."""
        within = point.first <= self.first and point.second <= self.second
        return within and total.of(point) <= self.sum

    def cover(self, other: Limits) -> bool:
        """Return whether all that `other` admits is admitted here."""
        return other.sum <= self.sum and other.first <= self.first and other.second <= self.second


class WeightedSum:
    """The exact search for ``p * first + q * second``."""

    def __init__(self, table: ResponseTable, vectors: Vectors, p: int, q: int) -> None:
        self.p = p
        self.q = q
        values = [p * first + q * second for first, second in zip(*vectors, strict=True)]
        if values[-1] * table.size >= INFINITE:
            raise ObjectiveError(f"weights up to {values[-1]} do not fit 64-bit integers")
        self.search = Search(table, Weights.of(values))

    def of(self, point: Point) -> int:
        """Return the weighted sum of the costs of a strategy."""
        return self.p * point.first + self.q * point.second


Memo: TypeAlias = dict[tuple[int, tuple[CodeIndex, ...]], tuple[Limits, tuple[Point, ...]]]


class ParetoSearch:
    """The search for the front of a game under two weight vectors.

    Both have the weights of turns 1, 2, ... and end with the last allowed turn.  `progress` gets
    sentences.  Raises `ObjectiveError` if the weights make no sense, or do not fit.
    """

    def __init__(
        self, table: ResponseTable, vectors: Vectors, *, progress: ReportText | None = None
    ) -> None:
        self._table = table
        self._vectors = vectors
        self._report = progress or (lambda _text: None)
        named = [(f"{place}", tuple(vector)) for place, vector in enumerate(vectors)]
        self.orders = [
            Search(table, scaled(order, table.size, table.answers, capped=True))
            for order in (named, named[::-1])
        ]
        self._ends_of: dict[tuple[int, tuple[CodeIndex, ...]], tuple[Point, Point] | None] = {}

    @classmethod
    def of(
        cls,
        game: ResponseTable | Rules | str,
        objective: Objective | str,
        *,
        max_turns: int | None = None,
        progress: ReportText | None = None,
    ) -> ParetoSearch:
        """Return the search for the front of two criteria by name.

        Raises `ObjectiveError` unless there are two, both sums over secrets, and a last turn, and
        `GameTooLargeError` if the game has too many codes.
        """
        arguments.function("progress", progress, is_optional=True)
        asked = Objective.of(objective)
        if len(asked.criteria) != 2 or {"worst", "movers"} & set(asked.criteria):
            raise ObjectiveError(f"a front is of two sums over secrets, not of {asked}")
        turns = asked.turns_allowed(max_turns)
        if turns is None:
            raise ObjectiveError(
                f"the front of {asked} needs a last allowed turn: give max_turns", field="max_turns"
            )
        table = ResponseTable.of(game)
        one, other = (
            combine(Objective((name,)), turns, table.size, table.answers, capped=True).values
            for name in asked.criteria
        )
        return cls(table, (one, other), progress=progress)

    def front(self) -> tuple[Point, ...]:
        """Return the front; it is empty if no strategy guesses every secret within the turns."""
        root = Position.after(self._table, ())
        ends = self.ends(root)
        if ends is None:
            return ()
        hull = self._hull(root, *ends)
        points = set(hull)
        for left, right in pairwise(hull):
            points |= set(self._between(root, left, right))
        return nondominated(points)

    def ends(self, position: Position) -> tuple[Point, Point] | None:
        """Return the best point by the first, then the second criterion, and the other way round.

        None if there is no strategy.
        """
        key = position.turn, position.candidates
        if key not in self._ends_of:
            one, other = (self._end(search, position) for search in self.orders)
            ends = None if one is None or other is None else (one, Point(*reversed(other)))
            self._ends_of[key] = ends
        return self._ends_of[key]

    def _end(self, search: Search, position: Position) -> Point | None:
        value = search.cost(position)
        if value >= INFINITE:
            return None
        count = len(position.candidates)
        answers = self._table.answers
        levels = search.weights.split(value, count, answers, position.turn)
        return Point(*levels.values())

    def _hull(self, root: Position, left: Point, right: Point) -> list[Point]:
        """Return the corners of the convex hull from `left` to `right`, maybe more on its edges."""
        if left == right:
            return [left]
        total = self.sum_across(left, right)
        value = total.search.cost(root)
        self._report(f"hull from {left} to {right}")
        if value >= total.of(left):
            return [left, right]
        found = total.search.strategy(root).distribution()
        first, second = (sum(map(mul, vector, found)) for vector in self._vectors)
        middle = Point(first, second)
        return self._hull(root, left, middle)[:-1] + self._hull(root, middle, right)

    def sum_across(self, left: Point, right: Point) -> WeightedSum:
        """Return the weighted sum that is the same for both points."""
        p = left.second - right.second
        q = right.first - left.first
        return WeightedSum(self._table, self._vectors, p, q)

    def _between(self, root: Position, left: Point, right: Point) -> tuple[Point, ...]:
        """Return the front from `left` to `right`."""
        found = nondominated((left, right))
        if not gaps(found):
            return found
        total = self.sum_across(left, right)
        memo: Memo = {}
        margin = 0
        while True:
            limits = Limits(total.of(left) + margin, right.first - 1, left.second - 1)
            found = nondominated((*found, *self._points(root, total, limits, memo)))
            widest = max(map(total.of, gaps(found)), default=0) - total.of(left)
            known_points = f"margin {margin} of {widest}, {len(found)} points"
            self._report(f"from {left} to {right}: {known_points}")
            if margin >= widest:
                return found
            margin = min(max(2 * margin, total.p, total.q), widest)

    def _points(
        self, position: Position, total: WeightedSum, limits: Limits, memo: Memo
    ) -> tuple[Point, ...]:
        """Return the front among the strategies within the limits."""
        ends = self.ends(position)
        if ends is None or ends[0].first > limits.first or ends[1].second > limits.second:
            return ()
        if ends[0] == ends[1]:
            return tuple(point for point in ends[:1] if limits.admit(point, total))
        key = position.turn, position.candidates
        if key not in memo or not memo[key][0].cover(limits):
            # Add up the points of the parts of every guess within the limits.
            found = tuple(one for one in ends if limits.admit(one, total))
            for guess in total.search.guesses_within(position, limits.sum):
                parts = list(total.search.parts(position, guess).values())
                found = nondominated((*found, *self.sums(parts, total, limits, memo, found)))
            memo[key] = limits, found
        return tuple(point for point in memo[key][1] if limits.admit(point, total))

    def sums(
        self,
        parts: Sequence[Position],
        total: WeightedSum,
        limits: Limits,
        memo: Memo,
        found: tuple[Point, ...] = (),
    ) -> dict[Point, tuple[Point, ...]]:
        """Return the sums of points of all parts that are within the limits and not in `found`.

        Each comes with its points, one for each part.
        """
        ends = [pair for part in parts if (pair := self.ends(part)) is not None]
        if len(ends) < len(parts):
            return {}
        lowest = [Point(one.first, other.second) for one, other in ends]
        rest = reduce(Point.plus, lowest, Point(0, 0))
        costs = [
            total.of(one) if one == other else total.search.cost(part)
            for part, (one, other) in zip(parts, ends, strict=True)
        ]
        spare = Point(limits.first, limits.second).plus(rest, -1)
        slack = Limits(limits.sum - sum(costs), *spare)
        sums: dict[Point, tuple[Point, ...]] = {Point(0, 0): ()}
        for part, low, cost in zip(parts, lowest, costs, strict=True):
            rest = rest.plus(low, -1)
            within = Limits(slack.sum + cost, slack.first + low.first, slack.second + low.second)
            sums = sums_of(sums, self._points(part, total, within, memo))
            for point in [point for point in sums if is_bettered(point.plus(rest), found)]:
                del sums[point]
            if not sums:
                break
        return {point: chosen for point, chosen in sums.items() if limits.admit(point, total)}

    def trees(self, front: tuple[Point, ...]) -> dict[Point, StrategyTree]:
        """Return a tree for each point of the front; raise `ValueError` without rules."""
        if self._table.rules is None:
            raise ValueError("a tree is of a game with rules")
        if len(front) == 1:
            return {front[0]: self._tree(front[0], None, {})}
        trees: dict[Point, StrategyTree] = {}
        for left, right in pairwise(_corners(front)):
            total = self.sum_across(left, right)
            memo: Memo = {}
            for point in front:
                if left.first <= point.first <= right.first and point not in trees:
                    trees[point] = self._tree(point, total, memo)
        return trees

    def _tree(self, target: Point, total: WeightedSum | None, memo: Memo) -> StrategyTree:
        targets: dict[Turns, Point] = {(): target}

        def choose(candidates: Candidates, path: Turns) -> CodeIndex:
            position = Position.reached(candidates, path)
            guess, points = self._choice(position, targets[path], total, memo)
            answers = np.unique(self._table.responses[list(candidates), guess]).tolist()
            for answer, point in zip(answers, points, strict=True):
                targets[*path, (guess, answer)] = point
            return guess

        assert self._table.rules is not None
        return StrategyTree.grow(self._table.rules, choose)

    def _choice(
        self, position: Position, target: Point, total: WeightedSum | None, memo: Memo
    ) -> tuple[CodeIndex, tuple[Point, ...]]:
        """Return a guess and the points of its parts, by answer, that add up to the target."""
        ends = self.ends(position)
        assert ends is not None, "every part of a point can be solved in time"
        for place, (end, search) in enumerate(zip(ends, self.orders, strict=True)):
            if end == target:
                guess = search.guess(position, search.cost(position))
                pairs = [self.ends(part) for part in search.parts(position, guess).values()]
                return guess, tuple(pair[place] for pair in pairs if pair is not None)
        assert total is not None, "a front of one point has equal ends"
        limits = Limits(total.of(target), target.first, target.second)
        for guess in total.search.guesses_within(position, limits.sum):
            parts = list(total.search.parts(position, guess).values())
            sums = self.sums(parts, total, limits, memo)
            if target in sums:
                return guess, sums[target]
        raise AssertionError(f"no guess leads to {target}, which was found before")


def pareto_front(
    game: ResponseTable | Rules | str,
    objective: Objective | str = "average,last",
    *,
    max_turns: int | None = None,
    progress: ReportText | None = None,
) -> tuple[Point, ...]:
    """Prove the Pareto front of two criteria; empty if no strategy keeps within the turns.

    Examples
    --------
    >>> [str(point) for point in pareto_front("p3c6n", max_turns=5)]
    ['436/4', '437/3']

    Parameters
    ----------
    game
        The responses of the game, its rules, or their text.
    objective, max_turns, progress
        As for `ParetoSearch.of`.

    Returns
    -------
    tuple of Point
        The points of the front, by the first criterion.

    Raises
    ------
    ObjectiveError
        As `ParetoSearch.of`.
    """
    return ParetoSearch.of(game, objective, max_turns=max_turns, progress=progress).front()


def _is_above(left: Point, middle: Point, right: Point) -> bool:
    """Return whether `middle` lies on the straight line from `left` to `right`, or above it."""
    return (middle.second - left.second) * (right.first - left.first) >= (
        right.second - left.second
    ) * (middle.first - left.first)


def _corners(front: tuple[Point, ...]) -> list[Point]:
    """Return the points of the front's lower convex hull."""
    corners: list[Point] = []
    for point in front:
        while len(corners) > 1 and _is_above(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return corners
