"""Values of positions, proved in a given time; the searches of the last games stay warm.

What a search has proved of one position helps with the next of the same game, so a `Prover` keeps
the games asked about last, within its memory, and what it has proved to the end.  It is not
thread-safe: one thread asks.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import replace

from engine.analysis.analysis import Analysis, TooFewTurnsError
from engine.analysis.games import WarmGames
from engine.game.cost import Bounds
from engine.game.history import History
from engine.game.objective import Objective
from engine.game.question import Question
from engine.kernels.bounds import least_levels, split_levels
from engine.search.anytime import AnytimeSearch
from engine.search.position import HorizonError, Position
from engine.search.search import Search
from engine.search.solver import solve

KNOWN = 4096
"""How many analyses are kept."""

AT_ONCE = 0.6
"""The share of the time that a plain search gets, which ends soonest where it ends at all."""

SUGGESTED = 0.5
"""The share of what is left then that goes into an upper bound for the suggested guess."""


class Prover:
    """Searches any position whose table is small enough (`engine.game.candidates`).

    Parameters
    ----------
    memory
        The bytes that the whole process may use; what is kept keeps within it.
    """

    def __init__(self, memory: int) -> None:
        self._games = WarmGames(memory)
        self._known: OrderedDict[Question, Analysis | None] = OrderedDict()
        """What has been proved; None: no strategy keeps within the turns."""

    def analysis(self, suggested: Analysis, seconds: float | None) -> Analysis:
        """Find what can be proved in so many seconds, or without a limit if that is None.

        Parameters
        ----------
        suggested
            The question, which some code fits, and a good guess, for an upper bound if the best
            is not found; it tells something apart.
        seconds
            Making the table of a new game takes more: below a second for up to 10,000 codes.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory.
        """
        asked = suggested.question
        turns = tuple(sorted(asked.history.turns))
        suggested = replace(suggested, question=replace(asked, history=History(asked.rules, turns)))
        known = self._known.get(suggested.question, suggested)
        if known is not None and not known.levels:
            known = self._tightened(suggested, known, _Timer(seconds))
        _keep(self._known, suggested.question, known, KNOWN)
        if known is None:
            raise TooFewTurnsError(asked)
        return replace(known, question=asked)

    def _tightened(self, suggested: Analysis, known: Analysis, timer: _Timer) -> Analysis | None:
        if "worst" in suggested.question.objective.criteria:
            found = self._least_last_turn(suggested, timer)
        else:
            found = self._least_sum(suggested, timer)
        return None if found is None else found.tightened(known)

    def _least_sum(self, suggested: Analysis, timer: _Timer) -> Analysis | None:
        """Ask the plain search first, then tighten bounds for as long as there is time."""
        question, guess = suggested.question, suggested.guess
        search = self._games.search(question)
        position = Position.after(search.table, question.history)
        try:
            bounds = search.value(position, time_limit=timer.share(AT_ONCE))
            if bounds.exact:
                return _proved(search, position, question, bounds)
            begun = AnytimeSearch(search, position, first=search.table.number(guess)).bounds(
                timer.share(SUGGESTED)
            )
            bounds = AnytimeSearch(search, position).bounds(timer.share(1))
        except HorizonError:
            return suggested
        if bounds.exact:
            return _proved(search, position, question, bounds)
        if begun.upper == bounds.lower:
            return Analysis.proved(question, guess, _levels(search, position, bounds.lower))
        lower = _first(search, position, bounds.lower)
        upper = None if begun.upper is None else _first(search, position, begun.upper)
        return replace(suggested, bounds=Bounds(lower, upper))

    def _least_last_turn(self, suggested: Analysis, timer: _Timer) -> Analysis | None:
        """Search for the last turn, then for what is weaker than it."""
        question, found = suggested.question, suggested
        table, bits = self._games.table(question)
        criteria = question.objective.criteria
        place = criteria.index("worst") + 1
        for some in sorted({criteria[:place], criteria}, key=len):
            solution = solve(
                table,
                Objective(some),
                history=question.history,
                max_turns=question.max_turns,
                time_limit=timer.share(1),
                table_bits=bits,
            )
            if solution.feasible is False:
                return None
            if not solution.optimal:
                if found is suggested and some == ("worst",):
                    return replace(suggested, bounds=Bounds(solution.lower))
                return found
            guess, levels = solution.guess, solution.levels
            del solution  # its search goes before the next begins
            assert guess is not None, "an optimal solution has a guess"
            found = Analysis.proved(question, guess, levels)
            if some != criteria:
                found = replace(found, levels={})
        return found


class _Timer:
    """So many seconds from now, or no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._ends = None if seconds is None else time.monotonic() + seconds

    def share(self, part: float) -> float | None:
        """Return a part of the time that is left."""
        if self._ends is None:
            return None
        return part * max(self._ends - time.monotonic(), 0.0)


def _proved(
    search: Search, position: Position, question: Question, bounds: Bounds
) -> Analysis | None:
    if bounds.upper is None:
        return None
    guess = search.table.code(search.guess(position, bounds.upper))
    return Analysis.proved(question, guess, _levels(search, position, bounds.upper))


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


def _keep(
    kept: OrderedDict[Question, Analysis | None],
    question: Question,
    known: Analysis | None,
    most: int,
) -> None:
    """Keep what is known as the newest of at most so many."""
    kept[question] = known
    kept.move_to_end(question)
    while len(kept) > most:
        kept.popitem(last=False)
