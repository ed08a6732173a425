"""K-way branching: a search that tries only the k most promising guesses of every position.

Chen et al. (section 3) sort the guesses of a position into groups by the sizes of the parts that
they leave, in descending order, and take the k groups whose sizes compare least: the order of
crush.  One guess stands for each group, a candidate if there is one.  Among these the search is
exhaustive, so with k = 1 the strategy is crush, and with k without limit nearly exact: guesses of
one group need not be worth the same.

The paper leaves open which guess stands for a group, candidates aside; here it is the first in
lexicographic order.  For Mastermind that gives 5778, 5660 and 5643 turns for k = 1, 5 and 10, where
the paper has 5776, 5748 and 5711, and for Bulls & Cows with k = 5 26430, at most 7 a secret, where
it has 26605: the same for one way but for the ties, and better for more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import Turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.kernels.bounds import cheapest
from bullscows.strategies.rules.splits import (
    Splits,
    distinct_guesses,
    split,
)
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess


class KWaySearch:
    """Finds the fewest turns in all with at most `ways` guesses tried in a position.

    Raises
    ------
    ValueError
        Unless ways >= 1.
    TableTooLargeError
        If the game has too many codes for a response table.
    """

    def __init__(self, rules: Rules, ways: int) -> None:
        if ways < 1:
            raise ValueError(f"at least one guess must be tried, not {ways}")
        self._rules = rules
        self._ways = ways
        self._table = ResponseTable.of(rules)
        turns = range(1, rules.size + 1)
        fan_out = self._table.answers - 1
        self._least = [cheapest(count, turns, fan_out) for count in range(rules.size + 1)]
        self._known: dict[bytes, tuple[int, CodeIndex]] = {}

    def total(self) -> int:
        """Return the turns over all secrets."""
        return self._solve(tuple(range(self._rules.size)), ())[0]

    def tree(self) -> StrategyTree:
        """Grow the tree with that total."""
        return StrategyTree.grow(self._rules, self.choose)

    def choose(self, candidates: Candidates, path: Turns) -> CodeIndex:
        """Return the guess for any position of the game."""
        return self._solve(candidates, path)[1]

    def _solve(self, candidates: Candidates, path: Turns) -> tuple[int, CodeIndex]:
        """Return the turns that the candidates take from here on, and the guess."""
        special = special_guess(self._rules, candidates)
        if special is not None:
            return 2 * len(candidates) - 1, special
        members = np.array(candidates, dtype=np.int32)
        key = members.tobytes()
        if key not in self._known:
            self._known[key] = self._search(members, path)
        return self._known[key]

    def _search(self, members: NDArray[np.int32], path: Turns) -> tuple[int, CodeIndex]:
        splits = split(self._table, members, distinct_guesses(self._table, path))
        best, chosen = -1, -1
        for guess in promising(splits, self._ways):
            total = self._total_of_guess(guess, tuple(members.tolist()), path, best)
            if total is not None:
                best, chosen = total, guess
        return best, chosen

    def _total_of_guess(
        self, guess: CodeIndex, candidates: Candidates, path: Turns, best: int
    ) -> int | None:
        """Return the turns if `guess` is played, or None if they are not fewer than `best`."""
        parts = self._rules.partition(guess, candidates)
        parts.pop(self._rules.win, None)
        # Everyone takes this turn; then at least what parts of these sizes take.
        total = len(candidates) + sum(self._least[len(part)] for part in parts.values())
        for answer, part in sorted(parts.items(), key=lambda item: len(item[1])):
            if 0 <= best <= total:
                return None
            turns, _ = self._solve(tuple(part), (*path, (guess, answer)))
            total += turns - self._least[len(part)]
        return None if 0 <= best <= total else total


def promising(splits: Splits, ways: int) -> list[CodeIndex]:
    """Return the guesses that stand for the `ways` best groups, best first.

    Guesses that leave all candidates together are never among them.
    """
    useful = np.flatnonzero(splits.sizes[:, 1] > 0)
    sizes = splits.sizes[useful]
    order = np.lexsort((~splits.is_candidate[useful], *sizes.T[::-1]))
    ordered = sizes[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    chosen: list[CodeIndex] = splits.guesses[useful[order[is_first][:ways]]].tolist()
    return chosen
