"""Result of the exact search, which can still grow its distribution and its tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field

from bullscows.game.objective import Bounds, Weights
from bullscows.game.result import Result
from bullscows.game.rules import Rules
from bullscows.game.timer import UNLIMITED, OutOfTimeError, Timer
from bullscows.search.position import Position, SearchError
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import CheckpointError
from bullscows.search.shipped_strategies import ShippedStrategy
from bullscows.tree.nodes import Nodes
from bullscows.tree.strategy_tree import StrategyTree, check_size


@dataclass(frozen=True, repr=False)
class Solution(Result):
    """Result of `bullscows.search.solver.solve`."""

    _: KW_ONLY
    bounds: Bounds
    """Bounds on the cost by the strongest criterion."""
    weights: Weights
    """The weights of the turns, which the criteria are combined into."""
    cost: Bounds
    """Bounds on the combined cost of all criteria."""
    counters: Mapping[str, int]
    """The work: sets searched as ``nodes``, and the cuts of each pruning rule."""
    interrupted: bool
    """Whether Ctrl-C ended the search."""
    position: Position
    """The position, by the numbers of the table."""
    search: Search | None = field(compare=False)
    """None: there was too little time to begin one."""
    shipped: ShippedStrategy | None = None
    """The strategy of a shipped tree that costs the upper bound, if the search found no guess."""

    _strategy: Nodes | None = field(default=None, init=False, compare=False)
    """The nodes of the optimal tree, once they are grown."""
    _is_late: bool = field(default=False, init=False, compare=False)
    """Whether `grow` ran out of time."""

    @property
    def distribution(self) -> tuple[int, ...] | None:
        """The number of candidates that the optimal tree finds at turn 1, 2, ...; None: not proved.

        It is None too if `grow` ran out of time.  Games without rules have it, although they have
        no `tree`.
        """
        return None if self._is_late else self._found(UNLIMITED)

    def grow(self, timer: Timer) -> bool:
        """Compute `distribution` within a time limit; return whether the time sufficed.

        If it did not, `distribution` is None.
        """
        try:
            self._found(timer)
        except OutOfTimeError:
            object.__setattr__(self, "_is_late", True)
        return not self._is_late

    def _found(self, timer: Timer) -> tuple[int, ...] | None:
        if not self.optimal:
            return None
        if self.question.found is not None:
            turn, _ = self.question.found
            return (0,) * (turn - 1) + (1,)
        if self.search is None and self.shipped is not None:
            return self.shipped.distribution
        return self._nodes(timer).distribution()

    def _nodes(self, timer: Timer) -> Nodes:
        """Return the strategy, which is grown once and costs what was proved.

        Raises `CheckpointError` if it costs something else: then bounds of a file were wrong.
        """
        if self.search is None:
            raise SearchError("there was too little time for a search, so it has no tree")
        if self._strategy is None:
            # A guess that a shipped tree has made is given, too.
            given = self.question.first if self.shipped is None else self.guess
            first = None if given is None else self.search.table.number(given)
            nodes = self.search.strategy(self.position, first, timer)
            cost = self.weights.cost(nodes.distribution())
            if cost != self.cost.upper:
                raise CheckpointError(
                    f"the checkpoint's bounds are wrong: the cost should be {self.cost.upper}, and "
                    f"the strategy that they lead to costs {cost}"
                )
            object.__setattr__(self, "_strategy", nodes)
            return nodes
        return self._strategy

    def tree(self) -> StrategyTree:
        """Return the optimal tree, each node of which is optimal.

        Raises `SearchError` if it is not proved, there is none, or the game has no rules.
        """
        if not self.optimal:
            raise SearchError("there is no proven strategy to make a tree of")
        if not isinstance(rules := self.question.history.game, Rules):
            raise SearchError("a tree needs a game with rules")
        check_size(rules)
        return StrategyTree(rules, self._nodes(UNLIMITED))

    def _rows(self) -> list[tuple[str, object]]:
        return [*super()._rows(), ("sets searched", self.counters["nodes"])]
