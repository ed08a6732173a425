"""The best strategy that keeps to a rule: a search over all guesses that the rule likes equally.

A one-step rule often likes many guesses equally, and which of them is taken decides what follows.
Here each is tried in every position, so what is found is the least total of any tie-break, by
exhaustive search (*Larmouth - All*, Francis, Results).

Guesses that split the candidates into the same parts are tried once, a candidate first; of guesses
of the same value the first candidate, then the lexicographically first is taken.  A special node is
played as such: there no guess is better, and Larmouth's rule likes no other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bullscows.game.history import Turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.kernels.bounds import cheapest
from bullscows.strategies.rules.splits import Rule, Splits, distinct_guesses, split
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import special_guess


class BestOfTies:
    """Finds the fewest turns in all that a rule attains with any tie-break.

    Parameters
    ----------
    rules
        The game.
    rule
        Names the guesses it likes best; with guesses that tell all candidates apart only some
        candidate that does.

    Raises
    ------
    TableTooLargeError
        If the game has too many codes for a response table.
    """

    def __init__(self, rules: Rules, rule: Rule) -> None:
        self._rules = rules
        self._rule = rule
        self._table = ResponseTable.of(rules)
        turns, fan_out = range(1, rules.size + 1), self._table.answers - 1
        self._least = [cheapest(count, turns, fan_out) for count in range(rules.size + 1)]
        self._known: dict[bytes, tuple[int, CodeIndex]] = {}

    def choose(self, candidates: Candidates, path: Turns) -> CodeIndex:
        """Return the best guess of those that the rule likes."""
        return self._solve(candidates, path)[1]

    def _solve(self, candidates: Candidates, path: Turns) -> tuple[int, CodeIndex]:
        """Return the turns that the candidates take from here on, and the guess."""
        special = special_guess(self._rules, candidates)
        if special is not None:
            return 2 * len(candidates) - 1, special
        key = np.array(candidates, dtype=np.int32).tobytes()
        if key not in self._known:
            self._known[key] = self._best(candidates, path)
        return self._known[key]

    def _best(self, candidates: Candidates, path: Turns) -> tuple[int, CodeIndex]:
        members = np.array(candidates, dtype=np.int32)
        splits = split(self._table, members, distinct_guesses(self._table, path))
        best, chosen = 0, -1
        for guess in self._different(members, splits):
            total = self._total(guess, candidates, path, best if chosen >= 0 else None)
            if total is not None:
                best, chosen = total, guess
        return best, chosen

    def _different(self, members: np.ndarray, splits: Splits) -> Iterator[CodeIndex]:
        """Yield what the rule likes, candidates first, without guesses that split just the same."""
        liked = self._rule(splits)
        liked = liked[np.argsort(~splits.is_candidate[liked], kind="stable")]
        guesses = splits.guesses[liked]
        seen: set[bytes] = set()
        for guess, answers in zip(
            guesses.tolist(), self._table.responses[members][:, guesses].T, strict=True
        ):
            _, first, named = np.unique(answers, return_index=True, return_inverse=True)
            won = int((answers == self._table.win).any())
            form = np.argsort(np.argsort(first))[named].tobytes() + bytes([won])
            if form not in seen:
                seen.add(form)
                yield guess

    def _total(
        self, guess: CodeIndex, candidates: Candidates, path: Turns, best: int | None
    ) -> int | None:
        """Return the turns if `guess` is played, or None if they are not fewer than `best`."""
        parts = self._rules.partition(guess, candidates)
        parts.pop(self._rules.win, None)
        total = len(candidates) + sum(self._least[len(part)] for part in parts.values())
        for answer, part in sorted(parts.items(), key=lambda item: len(item[1])):
            if best is not None and total >= best:
                return None
            turns, _ = self._solve(tuple(part), (*path, (guess, answer)))
            total += turns - self._least[len(part)]
        return None if best is not None and total >= best else total
