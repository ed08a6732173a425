"""The paper's hybrids (3.3): a one-step rule at some turns, a search over all guesses at others.

crush35 uses crush at turns 3 to 5, crush45 at 4 and 5, crush5 at 5; avg35, avg45 and avg5 use
Larmouth's rule likewise; crush3 and avg3 are for Mastermind. `fso` guesses only candidates from
turn 4 on (5.2.1). The last turn but one is always exact.

The first three turns, with repeats two, try one guess of each class of `bullscows.game.symmetry`,
like the paper. The paper does not give its tie-breaks. With ours all figures of avg35, avg45, avg5,
avg3, crush3 and fso come out as published. No tie-break explains crush35, crush45 and crush5:
crush45-all tries every guess that crush rates equally and still finds more seven-movers
(docs/results.md, "Hybrids").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bullscows.game.objective import INFINITE, Weights
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.kernels.problem import CANDIDATE, CRUSH, CRUSH_ALL, LARMOUTH, LARMOUTH_LAST
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import BoundsMemory
from bullscows.tree.strategy_tree import StrategyError, StrategyTree

_OF_NAMES = Pruning.CANONICAL | Pruning.SYMBOLS
"""The pruning rules that rename positions."""


@dataclass(frozen=True)
class Hybrid:
    """The rule of each turn, and the weights to minimise."""

    rules_by_turn: Mapping[int, int]
    """`CANDIDATE` or a rule by turn; other turns try every guess."""
    weights: tuple[int, ...]
    """The cost of a secret found at turn 1, 2, ...; none may come later."""


def _hybrid(rule: int, first: int, last: int, turns: int) -> Hybrid:
    """Return a rule for some turns: crush for the fewest late secrets, others for few turns."""
    fewest_late = (*[0] * (turns - 1), 1)
    fewest_turns = tuple(range(1, turns + 1))
    weights = fewest_late if rule in (CRUSH, CRUSH_ALL) else fewest_turns
    return Hybrid(dict.fromkeys(range(first, last + 1), rule), weights)


HYBRIDS: Mapping[str, Hybrid] = MappingProxyType(
    {
        "crush35": _hybrid(CRUSH, 3, 5, 7),
        "crush45": _hybrid(CRUSH, 4, 5, 7),
        "crush5": _hybrid(CRUSH, 5, 5, 7),
        "crush35-all": _hybrid(CRUSH_ALL, 3, 5, 7),
        "crush45-all": _hybrid(CRUSH_ALL, 4, 5, 7),
        "crush5-all": _hybrid(CRUSH_ALL, 5, 5, 7),
        "avg35": _hybrid(LARMOUTH_LAST, 3, 5, 7),
        "avg45": _hybrid(LARMOUTH_LAST, 4, 5, 7),
        "avg5": _hybrid(LARMOUTH_LAST, 5, 5, 7),
        "fso": _hybrid(CANDIDATE, 4, 6, 7),
        "crush3": _hybrid(CRUSH, 3, 3, 5),
        "avg3": _hybrid(LARMOUTH, 3, 3, 5),
    }
)
"""The hybrids of the paper by name; crush3 and avg3 are for Mastermind's five turns."""


def hybrid_of(question: Question) -> Hybrid:
    """Return the hybrid of a question with `mde`: crush for late secrets, Larmouth's for turns."""
    assert question.mde is not None
    assert question.max_turns is not None
    rule = CRUSH
    if question.objective.criteria[0] == "average":
        rule = LARMOUTH if question.rules.repeats else LARMOUTH_LAST
    turns = range(question.mde + 1, question.max_turns - 1)
    return Hybrid(dict.fromkeys(turns, rule), question.weights().values)


def hybrid_search(
    rules: Rules, hybrid: Hybrid, *, threads: int = 1, checkpoint: BoundsMemory | None = None
) -> Search:
    """Return the search of a hybrid; raise `GameTooLargeError` if the game has too many codes."""
    last = len(hybrid.weights)
    # The last turn but one is exact: a rule is not asked, but candidates stay candidates.
    named = {
        turn: rule for turn, rule in hybrid.rules_by_turn.items() if turn < last - 1 or rule < CRUSH
    }
    # Renamed positions may have different values if a rule breaks ties.
    breaks_ties = not {CANDIDATE, CRUSH_ALL}.issuperset(hybrid.rules_by_turn.values())
    return Search(
        ResponseTable.of(rules),
        Weights.of(hybrid.weights),
        threads=threads,
        pruning=ALL_PRUNING & ~_OF_NAMES if breaks_ties else ALL_PRUNING,
        rules_by_turn=named,
        checkpoint=checkpoint,
    )


class HybridSearch:
    """Finds what a hybrid costs in any position, and its tree; raises `GameTooLargeError`."""

    def __init__(self, rules: Rules, hybrid: Hybrid) -> None:
        self.rules = rules
        self.hybrid = hybrid
        self._search = hybrid_search(rules, hybrid)

    def value(self, path: Turns = ()) -> int | None:
        """Return the least cost, None if secrets come late; `InconsistentError` if none fits."""
        cost = self._search.cost(self._position(path))
        return None if cost >= INFINITE else cost

    def tree(self, path: Turns = (), first: CodeIndex | None = None) -> StrategyTree:
        """Grow the tree that the hybrid follows after the turns of `path`, which some code fits.

        Raises `StrategyError` if the hybrid cannot find every secret within its turns.
        """
        position = self._position(path)
        parts = [position]
        if first is not None:
            parts = list(self._search.parts(position, first).values())
        if any(self._search.cost(part) >= INFINITE for part in parts):
            raise StrategyError(
                f"{self.rules}: the plan cannot find every secret in time, by turn "
                f"{len(self.hybrid.weights)}"
            )
        return StrategyTree(self.rules, self._search.strategy(position, first))

    def _position(self, path: Turns) -> Position:
        return Position.after(self._search.table, path)
