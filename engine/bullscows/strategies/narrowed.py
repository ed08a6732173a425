"""Exhaustive search among the guesses that a rule proposes.

**K-way branching.** Chen et al. (section 3) group the guesses of a position by the sizes of the
parts that they leave, in descending order, and take the k groups whose sizes compare least: the
order of crush. One guess represents each group, a candidate if there is one. With k = 1 the
strategy is crush, without a limit nearly exact. The paper leaves open which guess represents a
group; here it is the first in lexicographic order. For Mastermind that gives 5778, 5660 and 5643
turns for k = 1, 5 and 10. The paper has 5776, 5748 and 5711: its totals are those of guesses that
are not grouped (`research/chen.py`).

**The best of all ties.** If each of the guesses that a one-step rule rates equally is tried in
every position, the total is the least of any tie-break (*Larmouth - All*, Francis, Results). Of
guesses with the same partition one is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np

from bullscows.game.objective import cheapest
from bullscows.game.response_table import responses_between
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray
from bullscows.strategies.one_step import RULES, Rule, Splits, distinct_guesses
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess

Propose: TypeAlias = Callable[[IndexArray, Splits], Iterable[CodeIndex]]
"""Returns the guesses to try at a position; of those with one value the first is taken."""


class NarrowedSearch:
    """Finds the fewest turns in all if only proposed guesses, or special nodes, may be played."""

    def __init__(self, rules: Rules, propose: Propose) -> None:
        self._rules = rules
        self._propose = propose
        turns = range(1, rules.size + 1)
        fan_out = len(rules.answers) - 1
        self._least = [cheapest(count, turns, fan_out) for count in range(rules.size + 1)]
        self._known: dict[Candidates, tuple[int, CodeIndex]] = {}

    def tree(self) -> StrategyTree:
        """Grow the best tree of the whole game."""
        return StrategyTree.grow(self._rules, self.choose)

    def choose(self, candidates: Candidates, path: Turns) -> CodeIndex:
        """Return the guess for any position of the game."""
        return self._solve(candidates, path)[1]

    def _solve(self, candidates: Candidates, path: Turns) -> tuple[int, CodeIndex]:
        """Return the turns that the candidates take from here on, and the guess."""
        special = special_guess(self._rules, candidates)
        if special is not None:
            return 2 * len(candidates) - 1, special
        if candidates not in self._known:
            self._known[candidates] = self._search(candidates, path)
        return self._known[candidates]

    def _search(self, candidates: Candidates, path: Turns) -> tuple[int, CodeIndex]:
        members = np.array(candidates, dtype=np.int32)
        splits = Splits.of(self._rules, members, distinct_guesses(self._rules, path))
        best = None
        chosen = -1
        for guess in self._propose(members, splits):
            total = self._total(guess, candidates, path, best)
            if total is not None:
                best = total
                chosen = guess
        assert best is not None, "some proposed guess splits the candidates"
        return best, chosen

    def _total(
        self, guess: CodeIndex, candidates: Candidates, path: Turns, best: int | None
    ) -> int | None:
        """Return the turns if `guess` is played, or None if they are not fewer than `best`."""
        parts = self._rules.partition(guess, candidates)
        parts.pop(self._rules.win, None)
        # Each candidate takes this turn, and each part at least the turns of its size.
        total = len(candidates) + sum(self._least[len(part)] for part in parts.values())
        for answer, part in sorted(parts.items(), key=lambda item: len(item[1])):
            if best is not None and total >= best:
                return None
            turns, _ = self._solve(tuple(part), (*path, (guess, answer)))
            total += turns - self._least[len(part)]
        return None if best is not None and total >= best else total


def k_way(rules: Rules, ways: int) -> NarrowedSearch:
    """Return the search of one guess of each of the best `ways` >= 1 groups by sizes of parts."""
    if ways < 1:
        raise ValueError(f"at least one guess must be tried, not {ways}")
    return NarrowedSearch(rules, lambda _, splits: one_of_each_group(splits)[:ways])


def one_of_each_group(splits: Splits) -> list[CodeIndex]:
    """Return a splitting guess for each different row of sizes, in the order of crush."""
    order = RULES["crush"].order(splits)
    order = order[splits.sizes[order, 1] > 0]
    ordered = splits.sizes[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    chosen: list[CodeIndex] = splits.guesses[order[is_first]].tolist()
    return chosen


def best_of_ties(rules: Rules, rule: Rule) -> NarrowedSearch:
    """Return the search of all guesses that a rule likes equally, candidates first."""

    def propose(members: IndexArray, splits: Splits) -> Iterator[CodeIndex]:
        liked = rule.best(splits)
        guesses = splits.guesses[liked[np.argsort(~splits.is_candidate[liked], kind="stable")]]
        answers = responses_between(rules, members, guesses)
        seen: set[bytes] = set()
        for guess, column in zip(guesses.tolist(), answers.T, strict=True):
            _, first, named = np.unique(column, return_index=True, return_inverse=True)
            won = int((column == rules.win).any())
            form = np.argsort(np.argsort(first))[named].tobytes() + bytes([won])
            if form not in seen:
                seen.add(form)
                yield guess

    return NarrowedSearch(rules, propose)
