"""Beam search for games that are too large to be solved: a few guesses above solved positions.

Positions of few candidates are solved. At larger ones the guesses with the least expected logarithm
of what is left are tried, and the one with the smallest total is taken. The result is reproducible
and never called optimal. (The beams of `bullscows.search.subproblems` give bounds only.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bullscows.game.objective import INFINITE, cheapest
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.timer import ReportText
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import BoundsMemory
from bullscows.strategies.one_step import RULES, Splits, distinct_guesses
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree

SOLVED = 80
"""The largest positions that are solved, by default."""

_REPORTED = 1
"""Progress is reported for guesses after at most this many answers."""


@dataclass
class BeamSearch:
    """Finds a tree with a small total; raises `GameTooLargeError` without a response table."""

    rules: Rules
    width: int
    """Guesses tried at a position that is not solved."""
    solved: int = SOLVED
    """The largest positions that are solved."""
    threads: int = 1
    checkpoint: BoundsMemory | None = field(default=None, repr=False)
    """The bounds that an earlier search has proved, to go on with."""
    progress: ReportText | None = field(default=None, repr=False)
    """Receives progress on the first two guesses."""
    _chosen: dict[Turns, CodeIndex] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._table = ResponseTable.of(self.rules)
        self._weights = Question.of(self.rules).weights()
        self._search = Search(
            self._table, self._weights, threads=self.threads, checkpoint=self.checkpoint
        )

    def tree(
        self, candidates: Candidates | None = None, path: Turns = (), first: CodeIndex | None = None
    ) -> StrategyTree:
        """Return the best tree found; it depends only on the rules, the width and the arguments."""
        root = tuple(range(self.rules.size)) if candidates is None else candidates
        position = Position.reached(root, path)
        self._search.take_over(position)
        if first is None:
            self._cost(position, path, INFINITE - 1)
        else:
            self._cost_of(first, position, path, INFINITE - 1)
        return StrategyTree.grow(self.rules, self._guess, candidates=root, path=path, first=first)

    def _guess(self, candidates: Candidates, path: Turns) -> CodeIndex:
        if len(candidates) > self.solved:
            return self._chosen[path]
        position = Position.reached(candidates, path)
        value = self._value(position, INFINITE - 1)
        return self._search.guess(position, value)

    def _value(self, position: Position, budget: int) -> int:
        """Return the cost of a position if it is at most `budget`, else more than that."""
        bounds = self._search.value(position, budget=budget)
        if self._search.stopped:
            raise KeyboardInterrupt
        return bounds.lower if bounds.upper is None else bounds.upper

    def _cost(self, position: Position, path: Turns, budget: int) -> int:
        """Return the turns of all candidates if that is at most `budget`, else more than that."""
        if len(position.candidates) <= self.solved:
            return self._value(position, budget)
        best = budget + 1
        for guess in self._promising(position.candidates, path):
            cost = self._cost_of(guess, position, path, best - 1)
            if cost < best:
                best = cost
                self._chosen[path] = guess
        return best

    def _cost_of(self, guess: CodeIndex, position: Position, path: Turns, budget: int) -> int:
        """Return the cost of a guess if it is at most `budget`, else more than that."""
        parts = self._search.parts(position, guess)
        is_won = parts.pop(self._table.win, None) is not None
        weights = self._weights.values
        fan_out = self._table.answers - 1
        bounds = {
            answer: cheapest(len(part.candidates), weights, fan_out, part.turn)
            for answer, part in parts.items()
        }
        total = (position.turn if is_won else 0) + sum(bounds.values())
        smallest_first = sorted(parts.items(), key=lambda item: (len(item[1].candidates), item[0]))
        for settled, (answer, part) in enumerate(smallest_first):
            if total > budget:
                break
            self._tell(guess, path, f"{settled} of {len(parts)} answers settled, {total} or more")
            left = budget - total + bounds[answer]
            total += self._cost(part, (*path, (guess, answer)), left) - bounds[answer]
        return total

    def _tell(self, guess: CodeIndex, path: Turns, text: str) -> None:
        if self.progress is not None and len(path) <= _REPORTED:
            guesses = map(self.rules.text, (*(code for code, _ in path), guess))
            self.progress(f"{' '.join(guesses)}: {text}")

    def _promising(self, candidates: Candidates, path: Turns) -> list[CodeIndex]:
        """Return the `width` best guesses by Larmouth's rule."""
        guesses = distinct_guesses(self.rules, path)
        splits = Splits.of(self.rules, np.array(candidates, dtype=np.int32), guesses)
        return list(map(int, guesses[RULES["larmouth"].order(splits)[: self.width]]))
