"""One-step rules: guesses chosen by the sizes of the parts that they would leave.

A rule looks one turn ahead.  It sees, for every guess, how many candidates give each answer, in
descending order, and names the guesses it likes best.  The tie-break is part of the strategy: of
these a candidate is preferred, then the lexicographically first; as ``NAME-any`` the first of them
is taken, candidate or not.

Crush is the paper's own rule for few late secrets, Larmouth's is the one that it takes for few
turns (3.2).  The others are the classics of Mastermind.  All compare exactly: a rule never decides
by the last bit of a sum of logarithms.

Every rule that prefers candidates guesses as the special nodes of the paper demand (6.2) without
being told.  At such a node some candidate splits all candidates into singletons; a part can't be
smaller, parts can't be more, and of guesses that split so the first candidate is taken.  The first
of all guesses need not be a candidate there, so a tree that takes it may have no string.

For Bulls & Cows crush totals 27030 turns and Larmouth's rule 26407.  Ties decide: guesses that are
equal under Larmouth's rule in truth give 26409 when the first of them all is taken, 26406 with the
last, 26405 with the last where one of each class is looked at in the first turns, or with the best
(`bullscows.strategies.rules.all_ties`), and again other totals when rounding breaks them.  Francis
prints 26408 for the first in an order of guesses that he does not give (1, 7, 70, 642, 2410, 1806,
103, 1; ours with the first of all: 1, 7, 70, 646, 2400, 1813, 102, 1), and 26406 for the best
choice among equals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import Turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.strategies.rules.least_frequent import LEAST_FREQUENT, LeastFrequent
from bullscows.strategies.rules.logarithms import entropy, landy, larmouth
from bullscows.strategies.rules.splits import Rule, Splits, distinct_guesses, least, split
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess

# -- rules -----------------------------------------------------------------------------------------


def crush(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses whose largest part is smallest, then their second largest, and so on.

    The paper (3.2) compares the sizes in descending order, prefers a candidate among guesses with
    the same sizes, and once all parts of some guess have size one looks at candidates only: the
    preference for candidates says the same, since only such a candidate could still be better.
    """
    best = np.arange(len(splits.guesses))
    for sizes in splits.sizes.T:
        best = least(best, sizes)
    return best


def minimax(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses whose largest part is smallest (Knuth 1976)."""
    return least(np.arange(len(splits.guesses)), splits.sizes[:, 0])


def parts(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses with the most parts (Thompson, in Francis; Kooi 2005)."""
    return least(np.arange(len(splits.guesses)), (splits.sizes == 0).sum(axis=1))


def expected_size(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses that leave the fewest candidates on average (Irving 1978).

    A part of n candidates is met n times, so the sum of the squares is what counts.
    """
    return least(np.arange(len(splits.guesses)), (splits.sizes**2).sum(axis=1))


# -- strategies ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heuristic:
    """A strategy that asks one rule in every position."""

    rule: Rule
    """Names the guesses it likes best."""
    possible_only: bool = False
    """Guess candidates only, whose best total is that of `possibles-only` (Francis, Results)."""
    first_of_all: bool = False
    """Take the first guess that the rule likes, even where it likes a candidate as well."""

    def choose(self, table: ResponseTable, candidates: Candidates, path: Turns) -> CodeIndex:
        """Return the guess for a position of the game.

        A special node needs no rule; see the module's docstring.
        """
        special = self._special(table, candidates)
        if special is not None:
            return special
        members = np.array(candidates, dtype=np.int32)
        guesses = members if self.possible_only else distinct_guesses(table, path)
        splits = split(table, members, guesses)
        liked = self.rule(splits)
        return int(splits.guesses[liked[0]]) if self.first_of_all else splits.prefer(liked)

    def _special(self, table: ResponseTable, candidates: Candidates) -> CodeIndex | None:
        if len(candidates) == 1:
            return candidates[0]
        if table.rules is None or self.first_of_all:
            return None
        return special_guess(table.rules, candidates)


@dataclass(frozen=True)
class FirstCandidate:
    """Guesses the first candidate, whatever it tells; also where another would tell all apart.

    It is what a program does that only filters: 7471 turns for Mastermind.
    """

    def choose(self, _table: ResponseTable, candidates: Candidates, _path: Turns) -> CodeIndex:
        """Return the guess for a position of the game."""
        return candidates[0]


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "crush": crush,
        "larmouth": larmouth,
        "landy": landy,
        "minimax": minimax,
        "parts": parts,
        "expected": expected_size,
        "entropy": entropy,
    }
)
"""The rules by their names."""

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


def heuristic_tree(
    rules: Rules, heuristic: OneStep, table: ResponseTable | None = None
) -> StrategyTree:
    """Grow the tree that follows one heuristic throughout.

    Parameters
    ----------
    rules, heuristic
        The game and the strategy, such as ``HEURISTICS["crush"]``.
    table
        The game's response table, if it is at hand.

    Raises
    ------
    TableTooLargeError
        If the game has too many codes for a response table.
    """
    answers = ResponseTable.of(rules) if table is None else table
    return StrategyTree.grow(rules, lambda *position: heuristic.choose(answers, *position))
