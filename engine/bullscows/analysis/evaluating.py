"""Positions and guesses evaluated by search: the driver of the bounded tree for the analysis.

The least cost of going on after a guess is the sum of the values of its parts, and that of a
position the least of these sums.  Plain searches come first, which end soonest if they end at all,
then bounds from both sides tighten for as long as there is time.  With ``worst`` among the criteria
the parts share the last turn; then `bullscows.search.solver` is asked.

A search keeps its proofs for the next question about the same game, so the searches of the last
games stay warm (`bullscows.analysis.games`).  One thread asks at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bullscows.analysis.analysis import Analysis, by_rule
from bullscows.analysis.games import WarmGames
from bullscows.analysis.price import IMPOSSIBLE, Price
from bullscows.analysis.timer import Timer
from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE, Objective
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows.kernels.bounds import first_level, split_levels
from bullscows.search.bounding import Bounding, tree_of
from bullscows.search.position import HorizonError, Position
from bullscows.search.search import Search
from bullscows.search.solution import Solution
from bullscows.search.solver import solve
from bullscows.search.tree import SETTLED, BoundedTree, Option, Place
from bullscows.tree.strategy_tree import MAX_TREE_CODES

PLAIN, PLAIN_OF_GUESSES = 0.6, 0.7
"""The share of the time that plain searches get, for a position and for guesses."""

SUGGESTED = 0.5
"""The share of what is left then that goes into an upper bound for the suggested guess."""


class Evaluator:
    """Finds what can be proved of positions and guesses in a given time.

    Parameters
    ----------
    memory
        The bytes that the whole process may use; the searches kept warm keep within it.
    """

    def __init__(self, memory: int) -> None:
        self.games = WarmGames(memory)

    def analysis(self, question: Question, seconds: float | None) -> Analysis | None:
        """Return what can be proved of a position; None if no strategy keeps within the turns.

        If the best guess is not found, the guess is that of a rule, with an upper bound.

        Parameters
        ----------
        question
            A position that some code fits and no special guess solves.
        seconds
            None: without a limit.  Making the table of a new game takes more.

        Raises
        ------
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory.
        """
        timer = Timer(seconds)
        # The memory first: a game that does not fit is not ranked in vain.
        if "worst" in question.objective.criteria:
            self.games.table(question)
            return self._last_turn(by_rule(question), timer)
        sums = _Sums(self.games.search(question), question)
        suggested = by_rule(question)
        try:
            return sums.analysis(suggested, timer)
        except HorizonError:
            return suggested

    def prices(self, prices: list[Price], seconds: float | None) -> list[Price]:
        """Return prices of guesses at one position, at least one, with more that is proved of them.

        Parameters
        ----------
        prices
            The guesses, and all that is known of them.
        seconds
            For all of them together; None: until each is exact.

        Raises
        ------
        ObjectiveError, TooLittleMemoryError
            As `analysis`.
        KeyboardInterrupt
            On Ctrl-C.
        """
        question, timer = prices[0].question, Timer(seconds)
        if "worst" in question.objective.criteria:
            return _improved(prices, timer, self._price_with_last_turn)
        if all(price.is_whole for price in prices):
            return prices
        sums = _Sums(self.games.search(question), question)
        some = timer.share(PLAIN_OF_GUESSES)
        prices = _improved(prices, Timer(some), sums.plain_price, lambda price: price.is_whole)
        return _improved(prices, timer, sums.bounded_price)

    def best_guesses(self, question: Question, number: int) -> tuple[CodeIndex, ...]:
        """Return the guesses that cost least of all, one of each class under symmetry, best first.

        The cost that a guess may have above the best is raised until `number` guesses keep within
        it, or all guesses that split the candidates do.  For small positions, as there is no time
        limit, and for sums over the candidates.

        Raises
        ------
        ObjectiveError, TooLittleMemoryError
            As `analysis`.
        """
        search = self.games.search(question)
        position = Position.after(search.table, question.history)
        least = search.cost(position)
        # Each candidate costs the last weight at most.  The least cost is no measure: it may be 0.
        above, most = 0, search.weights.values[-1] * len(position.candidates) - least
        while True:
            found = search.guesses_within(position, least + above)
            if len(found) >= number or above >= most:
                break
            above = min(2 * above + 1, most)
        likely = set(position.candidates)
        costs = {
            guess: sum(search.cost(part) for part, _ in search.parts(position, guess))
            for guess in found
        }
        found = tuple(sorted(found, key=lambda one: (costs[one], one not in likely, one)))
        return tuple(search.table.code(guess) for guess in found[:number])

    # -- the last turn -------------------------------------------------------------------------

    def _last_turn(self, suggested: Analysis, timer: Timer) -> Analysis | None:
        """Search for the last turn and what is weaker, then, if need be, for the last turn alone.

        All at once comes first: without what is weaker most guesses are equally good, and to
        choose among them takes longer than to find out which is best.
        """
        question = suggested.question
        criteria = question.objective.criteria
        strongest = criteria[: criteria.index("worst") + 1]
        shares = {criteria: PLAIN, strongest: 1.0}
        for some, share in shares.items():
            solution = self._solution(question, some, timer.share(share))
            if solution.feasible is False:
                return None
            if solution.optimal:
                assert solution.guess is not None, "an optimal solution has a guess"
                found = Analysis.proved(question, solution.guess, solution.levels)
                return found if some == criteria else replace(found, levels={})
        if strongest != ("worst",):
            return suggested
        return replace(suggested, bounds=Bounds(solution.lower))

    def _price_with_last_turn(self, price: Price, timer: Timer) -> Price:
        """Search for the last turn, then for what is weaker than it."""
        question, split = price.question, price.split
        criteria = question.objective.criteria
        # A guess that tells nothing leaves the same candidates a turn later.
        first = split.guess if split.tells else None
        after = question if split.tells else question.then(split.guess, split.parts[0][0])
        for some in sorted({criteria[: criteria.index("worst") + 1], criteria}, key=len):
            if timer.is_over:  # to begin takes a search of its own
                return price
            solution = self._solution(after, some, timer.share(), first)
            if solution.interrupted:
                raise KeyboardInterrupt
            if solution.feasible is False:
                return replace(price, bounds=IMPOSSIBLE)
            if not solution.optimal:
                known = Bounds(solution.lower) if some == ("worst",) else Bounds()
                return _tightened(price, known)
            value = next(iter(solution.levels.values()))
            price = _tightened(price, Bounds(value, value))
        return replace(price, levels=solution.levels, last_turn=solution.levels["worst"])

    def _solution(
        self,
        question: Question,
        criteria: tuple[str, ...],
        seconds: float | None,
        first: CodeIndex | None = None,
    ) -> Solution:
        table, bits = self.games.table(question)
        return solve(
            table,
            Objective(criteria),
            history=question.history,
            first=first,
            max_turns=question.max_turns,
            time_limit=seconds,
            table_bits=bits,
            candidates_only=question.candidates_only,
        )


class _Sums:
    """One position, and sums over its candidates: what the bounded tree has proved of it."""

    def __init__(self, search: Search, question: Question) -> None:
        self._search, self._question = search, question
        self._tree = tree_of(search, question.history)
        self._options: dict[CodeIndex, Option] = {}

    def analysis(self, suggested: Analysis, timer: Timer) -> Analysis | None:
        """Ask the plain search first, then tighten bounds for as long as there is time."""
        root = self._tree.root
        self._ask(root, timer.share(PLAIN))
        if not root.bounds.exact:
            self._bound(self._option(suggested.guess), timer.share(SUGGESTED))
            self._bound(None, timer.share())
        bounds, upper = root.bounds, self._option(suggested.guess).bounds.upper
        if bounds.exact and bounds.upper is None:
            return None
        if bounds.exact and bounds.upper is not None:
            guess = self._search.guess(root.position(self._search.table), bounds.upper)
            code = self._search.table.code(guess)
            return Analysis.proved(self._question, code, self._levels(bounds.lower))
        if upper == bounds.lower:
            return Analysis.proved(self._question, suggested.guess, self._levels(bounds.lower))
        return replace(suggested, bounds=self._first_level(Bounds(bounds.lower, upper)))

    def plain_price(self, price: Price, timer: Timer) -> Price:
        """Search the parts of a guess one after the other, as far as there is time."""
        option = self._option(price.guess)
        try:
            for part in self._tree.parts(self._tree.root, option):
                if not part.bounds.exact:
                    self._ask(part, timer.share())
                    self._check_interrupt()
                if not part.bounds.exact or part.bounds.lower >= INFINITE:
                    break
        except HorizonError:
            return price
        price = self._priced(price, option)
        if price.levels:
            price = replace(price, last_turn=last_turn(self._search, self._tree, option, timer))
        return price

    def bounded_price(self, price: Price, timer: Timer) -> Price:
        """Bound the sum of the parts of a guess from both sides, if there is time to begin."""
        if timer.is_over:
            return price
        option = self._option(price.guess)
        try:
            self._bound(option, timer.share())
        except HorizonError:
            return price
        self._check_interrupt()
        return self._priced(price, option)

    def _option(self, guess: CodeIndex) -> Option:
        if guess not in self._options:
            self._options[guess] = self._tree.option(self._tree.root, guess)
        return self._options[guess]

    def _ask(self, place: Place, seconds: float | None) -> None:
        position = place.position(self._search.table)
        place.known.learn(self._search.value(position, time_limit=seconds))

    def _bound(self, option: Option | None, seconds: float | None) -> None:
        Bounding(self._search, self._tree, option=option).bounds(seconds)

    def _check_interrupt(self) -> None:
        """Raise the `KeyboardInterrupt` that ended a search, once."""
        if self._search.interrupted:
            self._search.interrupted = False
            raise KeyboardInterrupt

    def _priced(self, price: Price, option: Option) -> Price:
        found = option.bounds
        if found.lower >= INFINITE:
            return replace(price, bounds=IMPOSSIBLE)
        levels = self._levels(found.lower) if found.exact else price.levels
        return replace(_tightened(price, self._first_level(found)), levels=levels)

    def _levels(self, cost: int) -> dict[str, int]:
        return split_levels(self._search.weights, cost, *self._shape)

    def _first_level(self, bounds: Bounds) -> Bounds:
        return first_level(self._search.weights, bounds, *self._shape)

    @property
    def _shape(self) -> tuple[int, int, int]:
        """What a cost is taken apart by: the number of candidates, answers, and the turn."""
        return self._tree.root.count, self._search.table.answers, self._question.turn


def last_turn(search: Search, tree: BoundedTree, option: Option, timer: Timer) -> int | None:
    """Return when the last candidate is found after a guess whose parts are solved.

    `Search.tree` goes on from there, which takes little.  None if there is no time even for that,
    or the game is too large for trees.
    """
    has_trees = search.table.size <= MAX_TREE_CODES
    turn = tree.root.turn
    last = turn + max((part.size for part in option.parts if part.size <= SETTLED), default=0)
    for part in tree.parts(tree.root, option):
        if timer.is_over or not has_trees:
            return None
        last = max(last, search.tree(part.position(search.table)).depth)
    return last


def _improved(
    prices: list[Price],
    timer: Timer,
    method: Callable[[Price, Timer], Price],
    is_done: Callable[[Price], bool] = lambda price: price.status == "optimal",
) -> list[Price]:
    """Give every price that is not done its share of the time."""
    improved = list(prices)
    places = [place for place, price in enumerate(prices) if not is_done(price)]
    for done, place in enumerate(places):
        share = timer.share(1.0 / (len(places) - done))
        improved[place] = method(prices[place], Timer(share))
    return improved


def _tightened(price: Price, found: Bounds) -> Price:
    bounds = found if price.bounds is None else found.tightened(price.bounds)
    return replace(price, bounds=bounds)
