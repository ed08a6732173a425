"""Positions and guesses evaluated by search: the driver of the bounded tree for the analysis.

The cost of a guess is the sum of the values of its parts; the value of a position is the least of
these costs.  Plain searches come first, because they end soonest if they end at all; then bounds
from both sides are tightened for the rest of the time.  With ``worst`` among the criteria the parts
share the last turn, so `bullscows.search.solver` is asked.

The searches of the last games stay in memory (`bullscows.analysis.search_cache`).  For one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.search_cache import SearchCache
from bullscows.analysis.without_search import by_rule
from bullscows.game.objective import INFINITE, Bounds, Objective
from bullscows.game.question import Question
from bullscows.game.result import IMPOSSIBLE, Analysis, Finding, Infeasible
from bullscows.game.rules import CodeIndex
from bullscows.game.timer import OutOfTimeError, Timer
from bullscows.search.bounded_tree import SETTLED, BoundedTree, Option
from bullscows.search.executor import tighten
from bullscows.search.position import HorizonError, Position
from bullscows.search.position_search import Search
from bullscows.search.shipped_strategies import unsearched_bound
from bullscows.search.solution import Solution
from bullscows.search.solver import solve
from bullscows.search.subproblems import tree_of
from bullscows.tree.strategy_tree import MAX_TREE_CODES

PLAIN, PLAIN_OF_GUESSES = 0.6, 0.7
"""The share of the time for plain searches of a position, and of guesses."""

SUGGESTED = 0.5
"""The share of the remaining time for an upper bound on the suggested guess."""


class TimedSearch:
    """Proves what it can of positions and guesses in a given time.

    The searches it keeps stay within `memory`, the bytes that the whole process may use.
    """

    def __init__(self, memory: int) -> None:
        self.games = SearchCache(memory)

    def analysis(self, question: Question, seconds: float | None) -> Finding:
        """Return what can be proved of a position.

        The position has candidates and is not special.  If the best guess is not found, the guess
        is that of a rule, with an upper bound if there was time for a search.  Ctrl-C is raised.
        Raises `ObjectiveError` or `TooLittleMemoryError` as `SearchCache.search`.
        """
        timer = Timer(seconds)
        # The memory first: a game that does not fit is not ranked in vain.
        try:
            if question.secrets is not None:
                return _of_list(question, timer)
            if "worst" in question.objective.criteria:
                self.games.table(question, timer.extended())
                return self._worst_case(by_rule(question), timer)
            return _Sums(self.games.search(question, timer.extended()), question).analysis(timer)
        except OutOfTimeError:
            return _by_size(question)
        except HorizonError:
            return by_rule(question)

    def evaluations(self, begun: list[Evaluation], seconds: float | None) -> list[Evaluation]:
        """Return evaluations of guesses at one position, at least one, with more proved of them.

        `begun` has the guesses and all that is known of them; `seconds` are for all together, None:
        until each cost is exact.  Errors as of `analysis`.
        """
        question = begun[0].question
        timer = Timer(seconds)
        if "worst" in question.objective.criteria:
            return _improved(begun, timer, self._evaluated_worst_case)
        if all(one.is_whole for one in begun):
            return begun
        try:
            sums = _Sums(self.games.search(question, timer.extended()), question)
        except OutOfTimeError:
            return begun
        some = timer.part(PLAIN_OF_GUESSES)
        searched = _improved(begun, some, sums.searched, lambda one: one.is_whole)
        return _improved(searched, timer, sums.bounded)

    def best_guesses(self, question: Question, number: int) -> tuple[CodeIndex, ...]:
        """Return the guesses of least cost, one of each class under symmetry, best first.

        The allowed loss is raised until `number` guesses keep within it, or all that split the
        candidates do.  For small positions without ``worst``.  Errors as of `analysis`.
        """
        search = self.games.search(question)
        position = Position.after(search.table, question.history)
        least = search.cost(position)
        # Each candidate costs at most the last weight.  The least cost is no measure: it may be 0.
        loss = 0
        most = search.weights.values[-1] * len(position.candidates) - least
        while True:
            found = search.guesses_within(position, least + loss)
            if len(found) >= number or loss >= most:
                break
            loss = min(2 * loss + 1, most)
        likely = set(position.candidates)
        costs = {
            guess: sum(map(search.cost, search.parts(position, guess).values())) for guess in found
        }
        found = tuple(sorted(found, key=lambda one: (costs[one], one not in likely, one)))
        return tuple(search.table.code(guess) for guess in found[:number])

    def _worst_case(self, suggested: Analysis, timer: Timer) -> Finding:
        """Search for the last turn and weaker criteria, then, if need be, for the last turn alone.

        Without weaker criteria, choosing among equally good guesses takes longer than the best.
        """
        question = suggested.question
        criteria = question.objective.criteria
        strongest = criteria[: criteria.index("worst") + 1]
        shares = {criteria: PLAIN, strongest: 1.0}
        for some, share in shares.items():
            solution = self._solution(question, some, timer.part(share))
            if solution.feasible is False:
                return Infeasible(question)
            if solution.optimal and solution.guess is not None:
                found = Analysis.proved(question, solution.guess, solution.levels)
                return found if some == criteria else replace(found, levels={})
        if strongest != ("worst",):
            return suggested
        return replace(suggested, bounds=Bounds(solution.cost.lower))

    def _evaluated_worst_case(self, evaluation: Evaluation, timer: Timer) -> Evaluation:
        """Search for the last turn after a guess, then for weaker criteria."""
        question = evaluation.question
        split = evaluation.split
        criteria = question.objective.criteria
        # A guess without information leaves the same candidates a turn later.
        first = split.guess if split.is_informative else None
        after = question if split.is_informative else question.then(split.guess, split.parts[0][0])
        for some in sorted({criteria[: criteria.index("worst") + 1], criteria}, key=len):
            if timer.is_over:  # each call needs a new search
                return evaluation
            solution = self._solution(after, some, timer, first)
            if solution.feasible is False:
                return replace(evaluation, bounds=IMPOSSIBLE)
            if not solution.optimal:
                known = Bounds(solution.cost.lower) if some == ("worst",) else Bounds()
                return evaluation.bounded(known)
            value = next(iter(solution.levels.values()))
            evaluation = evaluation.bounded(Bounds(value, value))
        return replace(evaluation, levels=solution.levels, last_turn=solution.levels["worst"])

    def _solution(
        self,
        question: Question,
        criteria: tuple[str, ...],
        timer: Timer,
        first: CodeIndex | None = None,
    ) -> Solution:
        table, bits = self.games.table(question)
        asked = replace(question, objective=Objective(criteria), first=first)
        solution = solve(asked, table=table, timer=timer, table_bits=bits)
        if solution.interrupted:
            raise KeyboardInterrupt
        return solution


class _Sums:
    """A position whose objective is a sum over its candidates.

    The position itself may need one search only; its bounded tree is made when it needs more.
    """

    def __init__(self, search: Search, question: Question) -> None:
        self._search = search
        self._search.interrupted = False  # if Ctrl-C ended an earlier question
        self._question = question
        self._options: dict[CodeIndex, Option] = {}
        # Candidates, answers and turn, on which costs by criterion depend.
        self._shape = len(question.candidates), search.table.answers, question.turn

    @cached_property
    def _tree(self) -> BoundedTree:
        return tree_of(self._search, self._question.history)

    def analysis(self, timer: Timer) -> Finding:
        """Run the plain search first, then tighten bounds for the rest of the time."""
        position = Position.after(self._search.table, self._question.history)
        bounds = self._searched(position, timer.part(PLAIN))
        if bounds.exact:
            return self._proved(position, bounds, timer)
        self._tree.root.entry.learn(bounds)
        suggested = by_rule(self._question)
        option = self._option(suggested.guess)
        self._tighten(option, timer.part(SUGGESTED))
        self._tighten(None, timer)
        bounds = self._tree.root.bounds
        if bounds.exact:
            return self._proved(position, bounds, timer)
        weights = self._search.weights
        if option.bounds.upper == bounds.lower:
            levels = weights.split(bounds.lower, *self._shape)
            return Analysis.proved(self._question, suggested.guess, levels)
        known = weights.first_level(Bounds(bounds.lower, option.bounds.upper), *self._shape)
        return replace(suggested, bounds=known)

    def _proved(self, position: Position, bounds: Bounds, timer: Timer) -> Finding:
        """Return the result of a search whose bounds are exact, with its guess."""
        if bounds.upper is None:
            return Infeasible(self._question)
        guess = self._search.guess(position, bounds.upper, timer.extended())
        levels = self._search.weights.split(bounds.upper, *self._shape)
        return Analysis.proved(self._question, self._search.table.code(guess), levels)

    def searched(self, evaluation: Evaluation, timer: Timer) -> Evaluation:
        """Search the parts of a guess one after the other, as far as there is time."""
        option = self._option(evaluation.guess)
        try:
            for part in self._tree.parts(self._tree.root, option):
                if not part.bounds.exact:
                    part.entry.learn(self._searched(part.position(self._search.table), timer))
                if not part.bounds.exact or part.bounds.lower >= INFINITE:
                    break
        except HorizonError:
            return evaluation
        evaluation = self._evaluated(evaluation, option)
        if evaluation.levels:
            last = last_turn(self._search, self._tree, option, timer)
            evaluation = replace(evaluation, last_turn=last)
        return evaluation

    def bounded(self, evaluation: Evaluation, timer: Timer) -> Evaluation:
        """Bound the sum of the parts of a guess from both sides, if there is time to begin."""
        option = self._option(evaluation.guess)
        if timer.is_over:
            return evaluation
        try:
            self._tighten(option, timer)
        except HorizonError:
            return evaluation
        return self._evaluated(evaluation, option)

    def _option(self, guess: CodeIndex) -> Option:
        if guess not in self._options:
            self._options[guess] = self._tree.option(self._tree.root, guess)
        return self._options[guess]

    def _searched(self, position: Position, timer: Timer) -> Bounds:
        """Return what one search proves of a position; raise `KeyboardInterrupt` on Ctrl-C."""
        bounds = self._search.value(position, timer=timer)
        if self._search.interrupted:
            raise KeyboardInterrupt
        return bounds

    def _tighten(self, option: Option | None, timer: Timer) -> None:
        """Bound the position, or a guess there; raise `KeyboardInterrupt` on Ctrl-C."""
        tighten(self._search, self._tree, option=option, timer=timer)
        if self._search.interrupted:
            raise KeyboardInterrupt

    def _evaluated(self, evaluation: Evaluation, option: Option) -> Evaluation:
        weights = self._search.weights
        found = option.bounds
        if found.lower >= INFINITE:
            return replace(evaluation, bounds=IMPOSSIBLE)
        evaluation = evaluation.bounded(weights.first_level(found, *self._shape))
        if found.exact:
            return replace(evaluation, levels=weights.split(found.lower, *self._shape))
        return evaluation


def _of_list(question: Question, timer: Timer) -> Finding:
    """Search a position whose candidates are of a list; nothing of it is kept."""
    solution = solve(question, timer=timer)
    if solution.interrupted:
        raise KeyboardInterrupt
    if solution.feasible is False:
        return Infeasible(question)
    if solution.optimal and solution.guess is not None:
        return Analysis.proved(question, solution.guess, solution.levels)
    return replace(by_rule(question), bounds=Bounds(solution.bounds.lower))


def _by_size(question: Question) -> Finding:
    """Return what takes no search: the guess of a rule, and a lower bound by size."""
    suggested = by_rule(question)
    if "worst" in question.objective.criteria:
        return suggested
    weights = question.weights()
    count = len(question.candidates)
    lower = unsearched_bound(question, weights)
    if lower >= INFINITE:
        return Infeasible(question)
    answers = len(question.rules.answers)
    bounds = weights.first_level(Bounds(lower), count, answers, question.turn)
    return replace(suggested, bounds=bounds)


def last_turn(search: Search, tree: BoundedTree, option: Option, timer: Timer) -> int | None:
    """Return when the last candidate is found after a guess whose parts are solved.

    Their strategies are grown; None without time even for that, or if the game is too large.
    """
    has_trees = search.table.size <= MAX_TREE_CODES
    turn = tree.root.turn
    last = turn + max((part.size for part in option.parts if part.size <= SETTLED), default=0)
    for part in tree.parts(tree.root, option):
        if timer.is_over or not has_trees:
            return None
        strategy = search.strategy(part.position(search.table))
        last = max(last, len(strategy.distribution()))
    return last


def _improved(
    evaluations: list[Evaluation],
    timer: Timer,
    method: Callable[[Evaluation, Timer], Evaluation],
    is_done: Callable[[Evaluation], bool] = lambda one: one.status == "optimal",
) -> list[Evaluation]:
    """Give every evaluation that is not done its share of the time."""
    improved = list(evaluations)
    places = [place for place, one in enumerate(evaluations) if not is_done(one)]
    for done, place in enumerate(places):
        share = timer.part(1.0 / (len(places) - done))
        improved[place] = method(evaluations[place], share)
    return improved
