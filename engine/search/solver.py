"""The exact search: optimal value, guess and tree of any position, for any objective.

`solve` answers one question; a `Search` keeps its tables and answers many.  The result depends on
the position, the table and the weights alone: not on the number of threads, the techniques, or
what was asked before.  Of several optimal guesses the one reported is, in this order,

1. at a special position, the first candidate that splits all candidates into parts of one;
2. with up to 100 candidates, one whose best optimal tree stores the fewest nodes
   (`engine.kernels.ties`);
3. the lexicographically least candidate of these;
4. the lexicographically least of these.

The value is found first, in the order that proves it soonest; the guess second, by trying the
guesses, candidates first, against the known value with a warm table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.game.history import Turn
from engine.game.objective import (
    INFINITE,
    MAX_TURNS,
    Objective,
    combine,
)
from engine.game.responses import ResponseTable
from engine.game.rules import CodeIndex
from engine.kernels.bounds import split_levels
from engine.search.brackets import Squeeze
from engine.search.position import (
    GuessError,
    HistoryError,
    HorizonError,
    Outcome,
    Position,
    Progress,
    SearchError,
    Statistics,
    Techniques,
)
from engine.search.search import Search
from engine.tree.strategy_tree import StrategyTree

__all__ = [
    "GuessError",
    "HistoryError",
    "HorizonError",
    "Outcome",
    "Position",
    "Progress",
    "Search",
    "SearchError",
    "Solution",
    "Statistics",
    "Techniques",
    "solve",
]

FIRST_HORIZON = 16
"""Turns looked ahead at first when the rules set no cap."""

LARGE_GAME = 6000
"""Games of so many codes are bounded from both sides, which an interrupt needs, also when no time
limit is given: it takes a tenth longer."""

MAX_HORIZON = MAX_TURNS
"""Turns looked ahead at most: the recursion is as deep as the turns."""


@dataclass(frozen=True)
class Solution:
    """The answer of `solve`."""

    objective: Objective
    position: Position
    first: CodeIndex | None
    """The first guess that was asked for, if any."""
    max_turns: int | None
    """The last allowed turn, as given or as found for ``worst``."""
    lower: int
    """No strategy costs less."""
    upper: int | None
    """The cost of the best strategy found; None if none was, or there is none."""
    guess: CodeIndex | None
    """The optimal first guess; None if the search did not finish or there is none."""
    statistics: Statistics
    seconds: float
    interrupted: bool
    """Was it ended by Ctrl-C?"""
    search: Search = field(repr=False, compare=False)

    @property
    def optimal(self) -> bool:
        """Whether `value` is proven."""
        return self.upper is not None and self.upper == self.lower

    @property
    def feasible(self) -> bool | None:
        """Can every secret be guessed in time?  None if that is not known yet."""
        if self.upper is not None:
            return True
        return False if self.lower >= INFINITE else None

    @property
    def value(self) -> int | None:
        """The least cost, if proven and there is one; for ``worst`` alone, the last turn."""
        if not self.optimal:
            return None
        return self.max_turns if self.objective.criteria == ("worst",) else self.upper

    @property
    def secrets(self) -> int:
        """The number of candidates."""
        return len(self.position.candidates)

    @property
    def levels(self) -> dict[str, int]:
        """The value taken apart: the cost of each criterion by its name, strongest first."""
        if not self.optimal or self.upper is None:
            return {}
        weights = self.search.weights
        answers, turn = self.search.table.answers, self.position.turn
        costs = split_levels(weights, self.upper, self.secrets, answers, turn)
        if "worst" in self.objective.criteria and self.max_turns is not None:
            place = self.objective.criteria.index("worst")
            items = list(costs.items())
            return dict([*items[:place], ("worst", self.max_turns), *items[place:]])
        return costs

    def tree(self) -> StrategyTree:
        """Return the whole optimal tree: every node of it is optimal, not the main line only.

        Raises
        ------
        SearchError
            If the value is not proven, there is no strategy, or the game has no rules.
        """
        if not self.optimal:
            raise SearchError("there is no proven strategy to make a tree of")
        return self.search.tree(self.position, self.first)


def solve(
    table: ResponseTable,
    objective: Objective | str,
    *,
    history: Sequence[Turn] = (),
    first: CodeIndex | None = None,
    max_turns: int | None = None,
    jobs: int = 1,
    techniques: Techniques | None = None,
    progress: Callable[[Progress], None] | None = None,
    time_limit: float | None = None,
    table_bits: int | None = None,
) -> Solution:
    """Find and prove the optimum of a position.

    Parameters
    ----------
    table
        The responses of the game.
    objective
        What to minimise (`engine.game.objective`), as a value or as text.
    history
        The guesses and answers so far, by number.
    first
        Consider this next guess only.
    max_turns
        The last allowed turn, counted from the start of the game.
    jobs
        Threads that share the work; the result does not depend on it.
    techniques
        What to use; the result does not depend on it.
    progress
        Called about ten times a second while searching.
    time_limit
        Seconds after which the search ends with the bounds proven by then.
    table_bits
        As for a `Search`; of the searches that one question takes there are two at once at most.

    Returns
    -------
    Solution
        `optimal`, or with bounds after a time limit or Ctrl-C, or not `feasible`.

    Raises
    ------
    ObjectiveError
        If the objective, its weights or its turns make no sense.
    HistoryError, GuessError, SearchError
        If the question makes no sense.
    """
    question = Objective.parse(objective) if isinstance(objective, str) else objective
    position = Position.after(table, history)
    if first is not None:
        _check_first(table, position, first)
    ask = _Question(table, position, first, jobs, techniques, progress, time_limit, table_bits)
    return ask.answer(question, question.turns_allowed(max_turns))


def _check_first(table: ResponseTable, position: Position, first: CodeIndex) -> None:
    if not 0 <= first < table.size:
        raise GuessError(f"first guess {first} is not in 0 to {table.size - 1}")
    answers = table.responses[list(position.candidates), first]
    if len(position.candidates) > 1 and len(set(answers.tolist())) == 1:
        name = first if table.rules is None else table.rules.text(first)
        raise GuessError(f"first guess {name} tells no two candidates apart")


@dataclass
class _Question:
    """A position with all that does not depend on the objective."""

    table: ResponseTable
    position: Position
    first: CodeIndex | None
    jobs: int
    techniques: Techniques | None
    progress: Callable[[Progress], None] | None
    time_limit: float | None
    table_bits: int | None
    started: float = field(default_factory=time.monotonic)

    def answer(self, objective: Objective, max_turns: int | None) -> Solution:
        """Solve for an objective; ``worst`` in it becomes a cap on the turns first."""
        if "worst" not in objective.criteria:
            return self._minimise(objective, objective, max_turns)
        place = objective.criteria.index("worst")
        before, after = objective.criteria[:place], objective.criteria[place + 1 :]
        cap = self._least_cap(before, max_turns)
        if isinstance(cap, Solution):
            return replace(cap, objective=objective)
        return self._minimise(objective, Objective(before + after), cap)

    def _least_cap(self, before: tuple[str, ...], max_turns: int | None) -> Solution | int:
        """Return the smallest last turn that the stronger criteria allow.

        Without a stronger criterion any strategy will do: the weights are all 0.  Returns the
        solution of the search that proved that there is none, or was stopped, instead of a turn.
        """
        wanted = 0
        criteria = Objective(before)
        if before:
            target = self._minimise(criteria, criteria, max_turns)
            if target.value is None:
                return target
            wanted = target.value
            del target  # its search goes before the next begins
        last = max_turns or self.position.turn + MAX_HORIZON
        found: Solution | None = None
        for cap in range(self.position.turn, last + 1) or (last,):
            del found  # its search goes before the next begins
            found = self._minimise(criteria, criteria, cap)
            if found.value == wanted:
                return cap
            if found.feasible is None:
                # Not finished: all that is known is that no fewer turns are enough.
                lower = found.lower if before else cap
                return replace(found, max_turns=max_turns, lower=lower, upper=None)
        assert found is not None
        return found

    def _minimise(self, shown: Objective, objective: Objective, max_turns: int | None) -> Solution:
        """Minimise a sum, looking further ahead as long as an uncapped search asks for it."""
        horizon = max_turns or self.position.turn + FIRST_HORIZON
        while True:
            weights = combine(
                objective,
                horizon,
                self.table.size,
                self.table.answers,
                capped=max_turns is not None,
            )
            search = Search(
                self.table,
                weights,
                jobs=self.jobs,
                techniques=self.techniques,
                table_bits=self.table_bits,
            )
            try:
                return self._search(shown, search, max_turns)
            except HorizonError:
                if horizon >= MAX_HORIZON:
                    raise
                horizon = min(2 * horizon, MAX_HORIZON)

    def _search(self, shown: Objective, search: Search, max_turns: int | None) -> Solution:
        """Run one search and its tie-break."""
        left = None
        if self.time_limit is not None:
            left = max(self.time_limit - (time.monotonic() - self.started), 0.0)
        if self.first is None and left is None and self.table.size < LARGE_GAME:
            outcome = search.value(self.position, progress=self.progress)
        else:
            squeeze = Squeeze(search, self.position, first=self.first, progress=self.progress)
            outcome = squeeze.outcome(left)
        guess = self.first
        if outcome.exact and outcome.upper is not None and guess is None:
            guess = search.guess(self.position, outcome.upper)
        return Solution(
            shown,
            self.position,
            self.first,
            max_turns,
            outcome.lower,
            outcome.upper,
            guess,
            search.statistics(),
            time.monotonic() - self.started,
            search.interrupted,
            search,
        )
