"""The price of a guess: the values of the positions after it, added up.

A guess is followed by one position for each answer, and what is best in one of them has nothing to
do with the others, so the least cost of going on is the sum of their values, which the search of
the game finds: what it has proved for one guess helps with the next.  With ``worst`` among the
criteria the parts share the last turn; then `bullscows.search.solver` is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from bullscows.analysis.price import IMPOSSIBLE, Price
from bullscows.analysis.proving.games import WarmGames
from bullscows.analysis.proving.kept import Kept
from bullscows.analysis.timer import Timer
from bullscows.game.candidates import Split
from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE, Objective
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows.kernels.bounds import first_level, split_levels
from bullscows.search.anytime import AnytimeSearch
from bullscows.search.position import HorizonError, Position
from bullscows.search.search import Search
from bullscows.search.solution import Solution
from bullscows.search.solver import solve

KNOWN = 20_000
"""How many prices are kept."""

AT_ONCE = 0.7
"""The share of the time that plain searches get, which end soonest where they end at all."""


Ranked: TypeAlias = tuple[CodeIndex, ...]
"""Guesses, best first."""


class Pricer:
    """Finds the prices of guesses, and keeps what it has found.

    Parameters
    ----------
    games
        The searches, kept warm.
    """

    def __init__(self, games: WarmGames) -> None:
        self._games = games
        self._known: Kept[tuple[Question, CodeIndex], Price] = Kept(KNOWN)
        self._ranked: Kept[tuple[Question, int], Ranked] = Kept(KNOWN)

    def prices(
        self, question: Question, splits: Sequence[Split], seconds: float | None
    ) -> list[Price]:
        """Find what can be proved of some guesses in so many seconds, in their order.

        Raises
        ------
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory.
        """
        prices = [self._begun(question, split) for split in splits]
        timer = Timer(seconds)
        if "worst" in question.objective.criteria:
            self._improve(prices, timer, 1.0, self._by_solver)
        else:
            self._improve(
                prices, timer, AT_ONCE, self._by_parts, is_done=lambda price: price.is_whole
            )
            self._improve(prices, timer, 1.0, self._between)
        return prices

    def best_guesses(self, question: Question, number: int) -> Ranked:
        """Return the guesses that cost least of all, one of each class under symmetry, best first.

        What a guess may cost above the best is raised until so many do not cost more, or all that
        tell something have been looked at.  For small positions, as there is no time limit, and for
        sums over the candidates.  What was found is kept.

        Raises
        ------
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory.
        """
        key = (replace(question), number)
        ranked = self._ranked.get(key, ())
        if not ranked:
            ranked = self._least(question, number)
            self._ranked.keep(key, ranked)
        return ranked

    def _least(self, question: Question, number: int) -> Ranked:
        search = self._games.search(question)
        position = Position.after(search.table, question.history)
        least = search.cost(position)
        # Each candidate costs the last weight at most.  The least cost tells nothing: it may be 0.
        above, most = 0, search.weights.values[-1] * len(position.candidates) - least
        while True:
            found = search.guesses_within(position, least + above)
            if len(found) >= number or above >= most:
                break
            above = min(2 * above + 1, most)
        costs = {guess: self._cost(search, position, guess) for guess in found}
        likely = set(position.candidates)
        found = tuple(sorted(found, key=lambda one: (costs[one], one not in likely, one)))
        return tuple(search.table.code(guess) for guess in found[:number])

    def _cost(self, search: Search, position: Position, guess: int) -> int:
        return sum(search.cost(part) for part, _ in search.parts(position, guess))

    def _begun(self, question: Question, split: Split) -> Price:
        unknown = Price(question, split)
        return replace(self._known.get((question, split.guess), unknown), question=question)

    def _improve(
        self,
        prices: list[Price],
        timer: Timer,
        part: float,
        method: Callable[[Price, Timer], Price],
        is_done: Callable[[Price], bool] = lambda price: price.status == "optimal",
    ) -> None:
        """Give every price that is not done its share of a part of the time, and keep it."""
        places = [place for place, price in enumerate(prices) if not is_done(price)]
        for done, place in enumerate(places):
            own = Timer(timer.share(part / (len(places) - done)))
            price = prices[place] = method(prices[place], own)
            asked = replace(price.question)  # one that does not hold its candidates
            self._known.keep((asked, price.guess), replace(price, question=asked))

    def _by_parts(self, price: Price, timer: Timer) -> Price:
        """Add up the values of the parts, if all are found in time."""
        search = self._games.search(price.question)
        position = Position.after(search.table, price.question.history)
        if _is_late(price):
            return self._a_turn_later(price, search, position, timer)
        parts = list(search.parts(position, search.table.number(price.guess)))
        total = 0
        try:
            for part, known in parts:
                found = known if known.exact else search.value(part, time_limit=timer.share())
                _heed(search)
                if found.lower >= INFINITE:
                    return replace(price, bounds=IMPOSSIBLE)
                if not found.exact:
                    return price
                total += found.lower
        except HorizonError:
            return price
        last = last_turn(search, [part for part, _ in parts], timer)
        return replace(_exact(search, position, price, total), last_turn=last)

    def _a_turn_later(
        self, price: Price, search: Search, position: Position, timer: Timer
    ) -> Price:
        """Price a guess that tells nothing by the position as it is, which is known mostly."""
        try:
            found = search.value(position, time_limit=timer.share())
        except HorizonError:
            return price
        _heed(search)
        if not found.exact:
            return price
        count = len(position.candidates)
        last = last_turn(search, [position], timer)
        later = None if last is None else last + 1
        return replace(_exact(search, position, price, found.lower + count), last_turn=later)

    def _between(self, price: Price, timer: Timer) -> Price:
        """Bound the sum of the parts from both sides."""
        search = self._games.search(price.question)
        position = Position.after(search.table, price.question.history)
        guess = search.table.number(price.guess)
        try:
            found = AnytimeSearch(search, position, first=guess).bounds(timer.share())
        except HorizonError:
            return price
        _heed(search)
        if found.lower >= INFINITE:
            return replace(price, bounds=IMPOSSIBLE)
        if found.exact:
            return _exact(search, position, price, found.lower)
        return _tightened(price, first_level(search.weights, found, *_shape(search, position)))

    def _by_solver(self, price: Price, timer: Timer) -> Price:
        """Search for the last turn, then for what is weaker than it."""
        criteria = price.question.objective.criteria
        place = criteria.index("worst") + 1
        for some in sorted({criteria[:place], criteria}, key=len):
            solution = self._solution(price, Objective(some), timer)
            if solution.interrupted:
                raise KeyboardInterrupt
            if solution.feasible is False:
                return replace(price, bounds=IMPOSSIBLE)
            if not solution.optimal:
                known = some == ("worst",)
                return _tightened(price, Bounds(solution.lower)) if known else price
            value = next(iter(solution.levels.values()))
            price = _tightened(price, Bounds(value, value))
        return replace(price, levels=solution.levels, last_turn=solution.levels["worst"])

    def _solution(self, price: Price, objective: Objective, timer: Timer) -> Solution:
        """Solve with the guess; one that tells nothing leaves the same candidates a turn later."""
        question, split = price.question, price.split
        table, bits = self._games.table(question)
        after = question if split.tells else question.then(split.guess, split.parts[0][0])
        return solve(
            table,
            objective,
            history=after.history,
            first=split.guess if split.tells else None,
            max_turns=question.max_turns,
            time_limit=timer.share(),
            table_bits=bits,
        )


def last_turn(search: Search, parts: Sequence[Position], timer: Timer) -> int | None:
    """Return when the last candidate of some positions is found, as `Search.tree` goes on there.

    The positions are solved already, so it takes little.  None if there is no time even for that.
    """
    last = 0
    for part in parts:
        count = len(part.candidates)
        if count > 2 and timer.is_over:
            return None
        last = max(last, part.turn + count - 1 if count <= 2 else search.tree(part).depth)
    return last


def _is_late(price: Price) -> bool:
    """Return whether a guess tells nothing, and puts off by a turn what it leaves as it is."""
    question = price.question
    is_average = question.objective.criteria == ("average",) and question.max_turns is None
    return is_average and not price.split.tells


def _heed(search: Search) -> None:
    """Raise the `KeyboardInterrupt` that ended a search, once."""
    if search.interrupted:
        search.interrupted = False
        raise KeyboardInterrupt


def _exact(search: Search, position: Position, price: Price, cost: int) -> Price:
    levels = split_levels(search.weights, cost, *_shape(search, position))
    value = next(iter(levels.values()))
    return replace(price, levels=levels, bounds=Bounds(value, value))


def _tightened(price: Price, found: Bounds) -> Price:
    bounds = found if price.bounds is None else found.tightened(price.bounds)
    return replace(price, bounds=bounds)


def _shape(search: Search, position: Position) -> tuple[int, int, int]:
    """Return what a cost is taken apart by: the number of candidates, answers, and the turn."""
    return len(position.candidates), search.table.answers, position.turn
