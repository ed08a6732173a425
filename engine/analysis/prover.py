"""Values of positions, proved in a given time; the searches of the last games stay warm.

What a search has proved of one position helps with the next of the same game, so a `Prover` keeps
the games asked about last, within its memory, and what it has proved to the end.  It is not
thread-safe: one thread asks.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from engine.analysis.games import WarmGames
from engine.game.cost import Bounds
from engine.game.history import Turns
from engine.game.objective import Objective
from engine.game.rules import CodeIndex, Rules
from engine.kernels.bounds import least_levels, split_levels
from engine.search.anytime import AnytimeSearch
from engine.search.position import HorizonError, Position
from engine.search.search import Search
from engine.search.solver import solve

FINDINGS = 4096
"""How many proved values are kept."""

AT_ONCE = 0.6
"""The share of the time that a plain search gets, which ends soonest where it ends at all."""

SUGGESTED = 0.5
"""The share of what is left then that goes into an upper bound for the suggested guess."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Finding:
    """What was proved of a position.  Costs are of the strongest criterion, or of each by name."""

    guess: CodeIndex | None = None
    """The best guess known; None if that is no better than the one suggested."""
    levels: dict[str, int] = field(default_factory=dict)
    """The least costs by criterion, strongest first; empty if they are not proved."""
    lower: int | None = None
    """No strategy costs less."""
    upper: int | None = None
    """A strategy that begins with the guess, or with the one suggested, costs this."""
    feasible: bool = True
    """False if it is proved that no strategy keeps within the turns."""

    @property
    def final(self) -> bool:
        """Whether more time would change nothing."""
        return bool(self.levels) or not self.feasible

    def tightened(self, earlier: Finding) -> Finding:
        """Return this finding with the bounds of an earlier one where those are closer."""
        if self.final:
            return self
        lowers = [bound for bound in (self.lower, earlier.lower) if bound is not None]
        uppers = [bound for bound in (self.upper, earlier.upper) if bound is not None]
        guess = earlier.guess if self.guess is None else self.guess
        return Finding(guess, {}, max(lowers, default=None), min(uppers, default=None))


class Prover:
    """Searches any position of any game of `MAX_TABLE_CODES` codes or fewer.

    Parameters
    ----------
    memory
        The bytes that the whole process may use; what is kept keeps within it.
    """

    def __init__(self, memory: int) -> None:
        self._games = WarmGames(memory)
        self._findings: OrderedDict[Hashable, Finding] = OrderedDict()

    def find(
        self,
        rules: Rules,
        history: Turns,
        objective: Objective,
        max_turns: int | None,
        *,
        suggested: CodeIndex,
        seconds: float | None,
    ) -> Finding:
        """Find what can be proved in so many seconds, or without a limit if that is None.

        Parameters
        ----------
        rules, history, objective, max_turns
            The position, which some code fits, and what to minimise.
        suggested
            A good guess, for an upper bound if the best is not found; it tells something apart.
        seconds
            Making the table of a new game takes more: below a second for up to 10,000 codes.

        Raises
        ------
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory.
        """
        turns = tuple(sorted(history))
        question = (rules, turns, objective, max_turns)
        known = self._findings.get(question, Finding())
        if known.final:
            return _keep(self._findings, question, known, FINDINGS)
        timer = _Timer(seconds)
        if "worst" in objective.criteria:
            found = self._least_last_turn(rules, turns, objective, max_turns, timer)
        else:
            found = self._least_sum(rules, turns, objective, max_turns, suggested, timer)
        return _keep(self._findings, question, found.tightened(known), FINDINGS)

    def _least_sum(
        self,
        rules: Rules,
        history: Turns,
        objective: Objective,
        max_turns: int | None,
        suggested: CodeIndex,
        timer: _Timer,
    ) -> Finding:
        """Ask the plain search first, then tighten bounds for as long as there is time."""
        search = self._games.search(rules, objective, objective.turns_allowed(max_turns))
        position = Position.after(search.table, history)
        try:
            bounds = search.value(position, time_limit=timer.share(AT_ONCE))
            if bounds.exact:
                return _proved(search, position, bounds)
            begun = AnytimeSearch(search, position, first=suggested).bounds(timer.share(SUGGESTED))
            bounds = AnytimeSearch(search, position).bounds(timer.share(1))
        except HorizonError:
            return Finding()
        if bounds.exact:
            return _proved(search, position, bounds)
        if begun.upper == bounds.lower:
            return Finding(suggested, _levels(search, position, bounds.lower))
        upper = None if begun.upper is None else _first(search, position, begun.upper)
        return Finding(None, {}, _first(search, position, bounds.lower), upper)

    def _least_last_turn(
        self,
        rules: Rules,
        history: Turns,
        objective: Objective,
        max_turns: int | None,
        timer: _Timer,
    ) -> Finding:
        """Search for the last turn, then for what is weaker than it."""
        table, bits = self._games.table(rules)
        place = objective.criteria.index("worst") + 1
        found = Finding()
        for criteria in sorted({objective.criteria[:place], objective.criteria}, key=len):
            solution = solve(
                table,
                Objective(criteria),
                history=history,
                max_turns=max_turns,
                time_limit=timer.share(1),
                table_bits=bits,
            )
            if solution.feasible is False:
                return Finding(feasible=False)
            if not solution.optimal:
                is_turn = found == Finding() and criteria == ("worst",)
                return Finding(lower=solution.lower) if is_turn else found
            guess, levels = solution.guess, solution.levels
            del solution  # its search goes before the next begins
            value = next(iter(levels.values()))
            found = Finding(guess, {}, value, value)
        return Finding(guess, levels)


class _Timer:
    """So many seconds from now, or no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._ends = None if seconds is None else time.monotonic() + seconds

    def share(self, part: float) -> float | None:
        """Return a part of the time that is left."""
        if self._ends is None:
            return None
        return part * max(self._ends - time.monotonic(), 0.0)


def _proved(search: Search, position: Position, bounds: Bounds) -> Finding:
    if bounds.upper is None:
        return Finding(feasible=False)
    guess = search.guess(position, bounds.upper)
    return Finding(guess, _levels(search, position, bounds.upper))


def _levels(search: Search, position: Position, cost: int) -> dict[str, int]:
    count, answers = len(position.candidates), search.table.answers
    return split_levels(search.weights, cost, count, answers, position.turn)


def _first(search: Search, position: Position, bound: int) -> int:
    """Return the bound of the first criterion that a bound of the combined cost amounts to.

    The criterion's part of a cost is a quotient, which grows with the cost.
    """
    count, answers = len(position.candidates), search.table.answers
    least = least_levels(search.weights, count, answers, position.turn)
    return max(next(iter(search.weights.split(bound, least).values())), least[0])


def _keep(kept: OrderedDict[Hashable, Value], question: Hashable, value: Value, most: int) -> Value:
    """Keep `value` as the newest of at most so many."""
    kept[question] = value
    kept.move_to_end(question)
    while len(kept) > most:
        kept.popitem(last=False)
    return value
