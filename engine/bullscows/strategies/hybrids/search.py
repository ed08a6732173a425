"""Hybrids: a one-step rule on the named turns, a search over all guesses on the others.

The paper narrows its heuristics step by step (3.3): crush35 asks crush at turns 3 to 5, crush45 at
4 and 5, crush5 at 5 only; avg35, avg45 and avg5 ask Larmouth's rule likewise; crush3 and avg3 are
those of Mastermind.  `fso` asks no rule, but guesses only candidates from turn 4 on (5.2.1).  On
the other turns the best guess of all is found, given what the plan will do later; the last turn
but one is always exact.

The first three turns try one guess of each class of `bullscows.game.symmetry`, as the paper does.
Under a rule equal guesses need not be worth the same, because its tie-break looks at names; so
another choice of representatives, or another tie-break, moves a figure by a little.  The paper does
not give its tie-break.  With ours (a candidate, then the lexicographically first) fso, avg5 and
crush3 come out as published, avg35 and avg45 within one turn of 26,000 (26432 for 26431, 26305 for
26306), and crush finds 129 seven-movers for 99 (crush35) and 75 for 63 (crush45).  With
`Hybrid.outside_last` avg3 is as published throughout, and crush35 finds 104
(docs/research/laboratory.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from bullscows.errors import EngineError
from bullscows.game.history import Turns
from bullscows.game.objective import INFINITE
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import representatives
from bullscows.strategies.hybrids.arrays import (
    ALL,
    CRUSH,
    LARMOUTH,
    POSSIBLE,
    Codes,
    make_game,
    make_scratch,
)
from bullscows.strategies.hybrids.recursion import (
    known_guess,
    solve,
    splitting_guess,
)
from bullscows.strategies.rules.splits import split
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess

_TURNS_BY_CLASS = 3
"""Turns that try one guess of each class: the paper's sets S1, S2, S3."""


class PlanError(EngineError, ValueError):
    """A strategy that cannot find every secret within its turns."""


@dataclass(frozen=True)
class Hybrid:
    """What a hybrid does on each turn, and what it makes least."""

    manners: Mapping[int, int]
    """`CRUSH`, `LARMOUTH` or `POSSIBLE` by turn; other turns try every guess."""
    weights: tuple[int, ...]
    """What a secret costs that is guessed at turn 1, 2, ...; none may come later."""
    outside_last: bool = False
    """Whether a rule takes the last of equal guesses that are no candidates, not the first."""


def _fewest_late(manners: Mapping[int, int], turns: int) -> Hybrid:
    return Hybrid(manners, (*[0] * (turns - 1), 1))


def _fewest_turns(manners: Mapping[int, int], turns: int) -> Hybrid:
    return Hybrid(manners, tuple(range(1, turns + 1)))


HYBRIDS: Mapping[str, Hybrid] = MappingProxyType(
    {
        "crush35": _fewest_late(dict.fromkeys((3, 4, 5), CRUSH), 7),
        "crush45": _fewest_late(dict.fromkeys((4, 5), CRUSH), 7),
        "crush5": _fewest_late({5: CRUSH}, 7),
        "avg35": _fewest_turns(dict.fromkeys((3, 4, 5), LARMOUTH), 7),
        "avg45": _fewest_turns(dict.fromkeys((4, 5), LARMOUTH), 7),
        "avg5": _fewest_turns({5: LARMOUTH}, 7),
        "fso": _fewest_turns(dict.fromkeys((4, 5, 6), POSSIBLE), 7),
        "crush3": _fewest_late({3: CRUSH}, 5),
        "avg3": _fewest_turns({3: LARMOUTH}, 5),
    }
)
"""The hybrids of the paper by name; the last two are for Mastermind's five turns."""


@dataclass
class HybridSearch:
    """Finds what a hybrid costs in any position, and its tree.

    Raises
    ------
    TableTooLargeError
        If the game has too many codes for a response table.
    """

    rules: Rules
    hybrid: Hybrid
    same_answers: bool = False
    """Whether guesses with the same answer may change places when guesses are sorted into classes
    (paper, 2.6.3, lemma 9).  It leaves out more, and no value changes but by the ties of a rule."""
    drops_equal_splits: bool = False
    """Whether guesses that split the candidates alike are searched once (paper, 2.5.8)."""
    _settled: dict[Turns, tuple[int, CodeIndex]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._table = ResponseTable.of(self.rules)
        hybrid = self.hybrid
        self._game = make_game(
            self._table,
            hybrid.weights,
            hybrid.manners,
            hybrid.outside_last,
            self.drops_equal_splits,
        )
        self._scratch = make_scratch(self._game)

    def value(self, path: Turns = ()) -> int | None:
        """Return the least cost of the secrets that fit `path`, or None if some come too late.

        The cost is in the hybrid's weights: turns, or secrets at the last turn, counted from the
        start of the game.

        Raises
        ------
        ValueError
            If no secret fits.
        """
        candidates = self._left(path)
        if not candidates:
            raise ValueError("no secret fits these answers")
        cost = self._cost(candidates, path, INFINITE)
        return None if cost >= INFINITE else cost

    def tree(self, path: Turns = (), first: CodeIndex | None = None) -> StrategyTree:
        """Grow the tree that the hybrid follows after the turns of `path`, which some code fits.

        Parameters
        ----------
        path
            The turns so far.
        first
            The next guess, if the hybrid does not choose it.

        Raises
        ------
        PlanError
            If it cannot find every secret within its turns.
        """
        left = self._left(path)
        if not self._is_in_time(left, path, first):
            raise PlanError(
                f"{self.rules}: the plan cannot find every secret in time, by turn "
                f"{self._game.last}"
            )
        return StrategyTree.grow(self.rules, self._guess, candidates=left, path=path, first=first)

    def _left(self, path: Turns) -> Candidates:
        candidates: Candidates = tuple(range(self.rules.size))
        for guess, answer in path:
            candidates = tuple(self.rules.partition(guess, candidates).get(answer, ()))
        return candidates

    def _is_in_time(self, left: Candidates, path: Turns, first: CodeIndex | None) -> bool:
        if len(path) >= self._game.last:
            return False
        if first is None:
            return self._cost(left, path, INFINITE) < INFINITE
        parts = self.rules.partition(first, left)
        parts.pop(self.rules.win, None)
        return all(
            self._cost(tuple(part), (*path, (first, answer)), INFINITE) < INFINITE
            for answer, part in parts.items()
        )

    # -- the first turns, one guess of each class ----------------------------------------------

    def _cost(self, candidates: Candidates, path: Turns, budget: int) -> int:
        """Return the cost if it is less than `budget`, else a bound that is not."""
        turn = len(path) + 1
        if len(candidates) == 1:
            return int(self._game.weights[turn])
        if turn >= _TURNS_BY_CLASS or turn >= self._game.last - 1:
            self._scratch.members[turn, : len(candidates)] = candidates
            count = len(candidates)
            return solve(self._game, self._scratch, turn, 0, count, budget, self._listed(path))
        if path not in self._settled:
            cost, guess = self._least(candidates, path, budget)
            if cost >= budget and budget < INFINITE:
                return cost
            self._settled[path] = cost, guess
        return self._settled[path][0]

    def _listed(self, path: Turns) -> Codes:
        turn = len(path) + 1
        if turn > _TURNS_BY_CLASS or self.hybrid.manners.get(turn, ALL) != ALL:
            return self._game.every
        guesses = [guess for guess, _ in path]
        answers = [answer for _, answer in path] if self.same_answers else None
        return representatives(self.rules, guesses, answers=answers).astype(np.uint32)

    def _least(self, candidates: Candidates, path: Turns, budget: int) -> tuple[int, CodeIndex]:
        guesses = self._listed(path).astype(np.int32)
        splits = split(self._table, np.array(candidates, dtype=np.int32), guesses)
        best, chosen = budget, -1
        for place in np.argsort((splits.sizes**2).sum(axis=1), kind="stable").tolist():
            if splits.sizes[place, 1] > 0:
                guess = int(splits.guesses[place])
                cost = self._cost_of_guess(guess, candidates, path, best)
                if cost < best:
                    best, chosen = cost, guess
        return best, chosen

    def _cost_of_guess(
        self, guess: CodeIndex, candidates: Candidates, path: Turns, budget: int
    ) -> int:
        turn = len(path) + 1
        parts = self.rules.partition(guess, candidates)
        total = int(self._game.weights[turn]) * len(parts.pop(self.rules.win, ()))
        rest = sum(int(self._game.bounds[turn + 1, len(part)]) for part in parts.values())
        for answer, part in sorted(parts.items(), key=lambda item: len(item[1])):
            rest -= int(self._game.bounds[turn + 1, len(part)])
            slack = budget - total - rest
            # The first guesses are few: what follows each is worth keeping whole.
            below = INFINITE if turn == 1 else slack
            total += self._cost(tuple(part), (*path, (guess, answer)), below)
            if total + rest >= budget:
                break
        return min(total + rest, INFINITE)

    # -- the tree ------------------------------------------------------------------------------

    def _guess(self, candidates: Candidates, path: Turns) -> CodeIndex:
        special = special_guess(self.rules, candidates)
        if special is not None:
            return special
        self._cost(candidates, path, INFINITE)
        if path in self._settled:
            return self._settled[path][1]
        turn = len(path) + 1
        self._scratch.members[turn, : len(candidates)] = candidates
        if turn == self._game.last - 1:
            return splitting_guess(self._game, self._scratch, turn, 0, len(candidates))
        return known_guess(self._game, self._scratch, turn, len(candidates), self._listed(path))
