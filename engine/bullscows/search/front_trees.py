"""A tree for each point of a Pareto front: one that costs just so much in both criteria.

The front itself is found without trees (`bullscows.search.fronts`).  Here a point is taken apart
again: at each node a guess is looked for whose parts have points of their own that add up to it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from bullscows.game.history import Turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex
from bullscows.search.fronts import FrontSearch, Known, Limits, WeightedSum
from bullscows.search.points import Point
from bullscows.search.position import Position
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree


class FrontTrees:
    """Grows trees of a game's front.

    Parameters
    ----------
    table
        The responses of the game, which has rules.
    search
        The search that found the front.
    """

    def __init__(self, table: ResponseTable, search: FrontSearch) -> None:
        if table.rules is None:
            raise ValueError("a tree is of a game with rules")
        self._table, self._rules, self._search = table, table.rules, search

    def trees(self, front: tuple[Point, ...]) -> dict[Point, StrategyTree]:
        """Return a tree for each point of the game's front, in its order."""
        if len(front) == 1:
            return {front[0]: self._tree(front[0], None, {})}
        trees: dict[Point, StrategyTree] = {}
        for left, right in pairwise(self._corners(front)):
            total = self._search.sum_across(left, right)
            known: Known = {}
            for point in front:
                if left.first <= point.first <= right.first and point not in trees:
                    trees[point] = self._tree(point, total, known)
        return trees

    def _corners(self, front: tuple[Point, ...]) -> list[Point]:
        """Return the points of the front's lower convex hull."""
        corners: list[Point] = []
        for point in front:
            while len(corners) > 1 and _is_above(corners[-2], corners[-1], point):
                corners.pop()
            corners.append(point)
        return corners

    def _tree(self, target: Point, total: WeightedSum | None, known: Known) -> StrategyTree:
        targets: dict[Turns, Point] = {(): target}

        def choose(candidates: Candidates, path: Turns) -> CodeIndex:
            position = Position(candidates, len(path) + 1, tuple(guess for guess, _ in path))
            guess, points = self._choice(position, targets[path], total, known)
            for answer, point in zip(self._answers(candidates, guess), points, strict=True):
                targets[*path, (guess, answer)] = point
            return guess

        return StrategyTree.grow(self._rules, choose)

    def _answers(self, candidates: Candidates, guess: CodeIndex) -> list[int]:
        answers: list[int] = np.unique(self._table.responses[list(candidates), guess]).tolist()
        return answers

    def _choice(
        self, position: Position, target: Point, total: WeightedSum | None, known: Known
    ) -> tuple[CodeIndex, tuple[Point, ...]]:
        """Return a guess and the points of its parts, by answer, that add up to the target."""
        ends = self._search.ends(position)
        assert ends is not None, "every part of a point can be solved in time"
        for place, (end, search) in enumerate(zip(ends, self._search.orders, strict=True)):
            if end == target:
                guess = search.guess(position, search.cost(position))
                parts = self._parts(position, guess)
                pairs = [self._search.ends(part) for part in parts]
                return guess, tuple(pair[place] for pair in pairs if pair is not None)
        assert total is not None, "a front of one point has equal ends"
        limits = Limits(total.of(target), target.first, target.second)
        for guess in total.search.guesses_within(position, limits.sum):
            sums = self._search.sums(self._parts(position, guess), total, limits, known)
            if target in sums:
                return guess, sums[target]
        raise AssertionError(f"no guess leads to {target}, which was found before")

    def _parts(self, position: Position, guess: CodeIndex) -> list[Position]:
        return [part for part, _ in self._search.orders[0].parts(position, guess)]


def _is_above(left: Point, middle: Point, right: Point) -> bool:
    """Return whether `middle` lies on the straight line from `left` to `right`, or above it."""
    return (middle.second - left.second) * (right.first - left.first) >= (
        right.second - left.second
    ) * (middle.first - left.first)
