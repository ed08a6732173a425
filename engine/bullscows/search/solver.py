"""The exact search: optimal value, guess and tree of any position, for any objective.

`solve` answers one question; a `Search` keeps its tables and answers many.  The result depends on
the question alone: not on the number of threads, the pruning rules, or earlier questions.  Of
several optimal guesses the one reported is, in this order,

1. at a special position, the first candidate that splits all candidates into parts of one;
2. with up to 100 candidates, one whose best optimal tree stores the fewest nodes
   (`bullscows.kernels.entry`);
3. the lexicographically least candidate of these;
4. the lexicographically least of these.

The value is found first, in the order that proves it soonest; the guess second, by trying the
guesses, candidates first, against the known value with a warm table.

A time limit covers the whole question.  If the response table would take most of it, or the search
is not compiled yet, the bounds are those by the number of candidates, and no search is made.  Under
a limit the shipped trees are upper bounds.

If the secret is one of a list of codes, a symmetry of the game need not map the list to itself.  So
the search gets a table of the listed codes without the rules: then it uses no symmetry at all.

Upper bounds from a checkpoint need no trust: at the end the tree must have the cost that they
state.  Lower bounds do: `bullscows.search.from_checkpoint.recheck` searches some of them again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from bullscows.game import arguments
from bullscows.game.history import responses_to, table_after
from bullscows.game.objective import (
    INFINITE,
    MAX_TURNS,
    Bounds,
    Objective,
    Weights,
    combine,
)
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.timer import UNLIMITED, OutOfTimeError, Timer
from bullscows.kernels.pruning import ALL_PRUNING, TIED_SIZE, Pruning
from bullscows.kernels.workspace import COUNTED
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.executor import Cluster, tighten
from bullscows.search.position import HorizonError, Position, ReportProgress, SearchError
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import BoundsMemory, CheckpointError
from bullscows.search.shipped_strategies import (
    ShippedStrategy,
    shipped_strategies,
    unsearched_bound,
)
from bullscows.search.solution import Solution
from bullscows.search.subproblems import tree_of
from bullscows.tree.files import TreeFile

FIRST_HORIZON = 16
"""Turns looked ahead at first when the rules set no cap."""

MAX_TABLE_BITS = 30
"""The largest transposition table has ``2**MAX_TABLE_BITS`` entries, 16 GB."""

LARGE_GAME = 10_000
"""Games of this many codes are bounded from both sides even without a time limit, so that an
interrupt leaves bounds.  It takes a third longer than one question."""


def solve(
    question: Question,
    *,
    table: ResponseTable | None = None,
    threads: int = 1,
    pruning: Pruning = ALL_PRUNING,
    progress: ReportProgress | None = None,
    timer: Timer = UNLIMITED,
    table_bits: int | None = None,
    checkpoint: Path | str | None = None,
    known: TreeFile | None = None,
    cluster: Cluster | None = None,
) -> Solution:
    """Find and prove the optimum of a position; `bullscows.library.solve` describes the arguments.

    `table` has the responses of the game, or of its candidates, if they are made already.
    """
    arguments.threads(threads)
    arguments.instance("pruning", pruning, Pruning, "Pruning")
    arguments.function("progress", progress, is_optional=True)
    if table_bits is not None:
        arguments.integer("table_bits", table_bits, 1, MAX_TABLE_BITS)
    if known is not None:
        arguments.instance("known", known, TreeFile, "a TreeFile, as from read_tree, or None")
    if cluster is not None:
        arguments.instance("cluster", cluster, Cluster, "a Cluster or None")
    check(question)
    file = None
    if checkpoint is not None:
        file = Checkpoint(arguments.path("checkpoint", checkpoint), question)
    search = partial(
        Search,
        threads=threads,
        pruning=pruning,
        table_bits=table_bits,
        candidates_only=question.candidates_only,
        checkpoint=file or (None if cluster is None else BoundsMemory(question.turn)),
    )
    with nullcontext() if file is None else file.saved_at_end():
        return _Run(question, table, search, file, progress, timer, known, cluster).answer()


def check(question: Question) -> None:
    """Raise an error if no code fits the answers, or the first guess is none."""
    arguments.instance("question", question, Question, "a Question")
    game = question.history.game
    left = question.consistent().candidates
    first = question.first
    if first is None:
        return
    if not 0 <= first < game.size:
        raise SearchError(f"first guess {first} is not in 0 to {game.size - 1}")
    if len(left) > 1 and len(set(responses_to(game, first, left).tolist())) < 2:
        raise SearchError(
            f"first guess {question.text(first)} gives the same answer for every candidate"
        )
    if question.candidates_only and first not in left:
        raise SearchError(
            f"first guess {question.text(first)} is no candidate, and only candidates may be "
            "guessed"
        )


def table_of(question: Question, timer: Timer = UNLIMITED) -> ResponseTable:
    """Return the responses; of a large game only the rows that the position needs."""
    game = question.history.game
    if isinstance(game, ResponseTable):
        return game
    if question.secrets is None:
        return table_after(question.history, timer=timer)
    return replace(ResponseTable.of_candidates(game, question.candidates, timer), rules=None)


@dataclass(eq=False)
class _Run:
    """One question, and how it is searched."""

    question: Question
    given: ResponseTable | None
    """The responses, if they are made already."""
    make: Callable[..., Search]
    """Makes a search from a table and weights."""
    checkpoint: Checkpoint | None
    progress: ReportProgress | None
    timer: Timer
    known_tree: TreeFile | None
    cluster: Cluster | None = None
    is_late: bool = False
    """Whether there was too little time to begin a search."""

    def answer(self) -> Solution:
        """Solve for the objective; ``worst`` in it becomes a cap on the turns first."""
        objective = self.question.objective
        cap = self.question.turns_allowed
        if "worst" not in objective.criteria:
            return self._minimise(objective, cap)
        place = objective.criteria.index("worst")
        before = objective.criteria[:place]
        least = self._least_cap(Objective(before), cap)
        if isinstance(least, Solution):
            return least
        return self._minimise(Objective(before + objective.criteria[place + 1 :]), least)

    @cached_property
    def shipped(self) -> Sequence[ShippedStrategy]:
        """The strategies of shipped trees; none if there is time for the proof.

        If the caller has made the table, it knows the shipped trees, too.
        """
        question = self.question
        is_unknown = question.secrets is not None or isinstance(
            question.history.game, ResponseTable
        )
        if self.timer.share() is None or self.given is not None or is_unknown:
            return ()
        cap = question.turns_allowed
        return [
            one
            for one in shipped_strategies(question.history)
            if question.first in (None, one.guess)
            and (cap is None or len(one.distribution) <= cap)
            and (one.is_of_candidates or not question.candidates_only)
        ]

    @cached_property
    def table(self) -> ResponseTable:
        """The responses; raises `OutOfTimeError` if they would take half of the time."""
        return self.given or table_of(self.question, self.timer.extended())

    def _search(self, weights: Weights) -> Search | None:
        """Return a search with weights; None if there is too little time to begin one."""
        if not self.is_late:
            try:
                return self.make(self.table, weights, timer=self.timer.extended())
            except OutOfTimeError:
                self.is_late = True
        return None

    def _least_cap(self, before: Objective, max_turns: int | None) -> Solution | int:
        """Return the smallest last turn that the stronger criteria allow.

        Without a stronger criterion any strategy will do: the weights are all 0.  Returns a
        solution instead if there is no such turn, or the search was stopped.
        """
        turn = self.question.turn
        wanted = Bounds(0, 0)
        if before.criteria:
            target = self._minimise(before, max_turns, value_only=True)
            if target.cost.upper is None or not target.cost.exact:
                return target
            if target.interrupted:
                lower = target.cost.lower
                return self._least_cap_unknown(target, before, max_turns, lower, turn)
            wanted = target.cost
            del target  # frees its search before the next begins
        last = max_turns or turn + MAX_TURNS
        found: Solution | None = None
        for cap in range(turn, last + 1) or (last,):
            del found  # frees its search before the next begins
            found = self._minimise(before, cap, value_only=True)
            if found.cost == wanted and not found.interrupted:
                return cap
            # The next search would not know of a Ctrl-C as this one ended.
            if found.interrupted or (not found.cost.exact and found.cost.upper is None):
                return self._least_cap_unknown(found, before, max_turns, wanted.lower, cap)
        assert found is not None
        return found

    def _least_cap_unknown(
        self, found: Solution, before: Objective, max_turns: int | None, wanted: int, cap: int
    ) -> Solution:
        """Return what is known when the time ends before it is proved whether a cap is enough.

        No fewer turns are enough, and the turns of the shortest known strategy are.
        """
        if before.criteria:
            cost = Bounds(wanted)
            return self._result(max_turns, found.weights, cost, found.guess, found.search)
        shortest = min(self.shipped, key=lambda one: len(one.distribution), default=None)
        upper = None if shortest is None else len(shortest.distribution)
        guess = None if shortest is None else shortest.guess
        cost = Bounds(cap, upper)
        return self._result(max_turns, found.weights, cost, guess, found.search, shortest)

    def _minimise(
        self, objective: Objective, max_turns: int | None, *, value_only: bool = False
    ) -> Solution:
        """Minimise a sum, looking further ahead as long as an uncapped search asks for it."""
        question = self.question
        size = question.history.game.size
        is_capped = max_turns is not None
        horizon = max_turns or question.turn + FIRST_HORIZON
        while True:
            weights = combine(objective, horizon, size, question.answers, capped=is_capped)
            try:
                return self._solution(weights, max_turns, value_only)
            except HorizonError:
                if horizon >= MAX_TURNS:
                    raise
                horizon = min(2 * horizon, MAX_TURNS)

    def _solution(self, weights: Weights, max_turns: int | None, value_only: bool) -> Solution:
        """Run one search, and its tie-break, which takes long if all costs are 0, if wanted."""
        first = self.question.first
        search = self._search(weights)
        costs = [(weights.cost(one.distribution), one) for one in self.shipped]
        in_time = [(cost, one) for cost, one in costs if cost is not None]
        least, best = min(in_time, key=lambda found: found[0], default=(None, None))
        upper = Bounds(0, least)
        if search is None:
            cost = self._unsearched(weights).tightened(upper)
        else:
            cost = self._bounds(search, self._position(search), upper)
        guess = first
        if guess is None and search is not None and cost.exact and not value_only:
            guess = self._guess(search, cost.upper)
        shipped = None
        if best is not None and least == cost.upper and guess in (None, first):
            shipped = best
            guess = best.guess
        solution = self._result(max_turns, weights, cost, guess, search, shipped)
        if self.checkpoint is not None and solution.optimal and solution.guess is not None:
            if not solution.grow(self.timer.extended()):  # then only a known one confirms the file
                cost = Bounds(cost.lower).tightened(upper)
                guess = first if best is None else best.guess
                return self._result(max_turns, weights, cost, guess, search, best)
            proven = self.checkpoint.proven(weights)
            if proven.guess is None:
                proven.learn(cost, solution.guess)
        return solution

    def _result(
        self,
        max_turns: int | None,
        weights: Weights,
        cost: Bounds,
        guess: CodeIndex | None,
        search: Search | None,
        shipped: ShippedStrategy | None = None,
    ) -> Solution:
        """Return the result of a search with the cost of each criterion."""
        question = self.question
        criteria = question.objective.criteria
        shape = len(question.candidates), question.answers, question.turn
        levels: dict[str, int] = {}
        bounds = Bounds(INFINITE)
        if question.found is not None:
            guess = None
            turn, _ = question.found
            levels = {"total": turn}
            bounds = Bounds(turn, turn)
        elif cost.lower < INFINITE:
            if cost.exact:
                costs = list(weights.split(cost.lower, *shape).items())
                if "worst" in criteria and max_turns is not None:
                    costs.insert(criteria.index("worst"), ("worst", max_turns))
                levels = dict(costs)
            if criteria[0] != "worst":
                bounds = weights.first_level(cost, *shape)
            elif max_turns is not None and (weights.levels or cost.exact):
                bounds = Bounds(max_turns, max_turns)
            else:  # the search for the last turn has no levels yet; the next one knows it
                bounds = cost
        return Solution(
            replace(question, max_turns=max_turns),
            guess=guess,
            levels=levels,
            bounds=bounds,
            source=None if shipped is None else shipped.tree,
            weights=weights,
            cost=cost,
            counters=dict.fromkeys(COUNTED, 0) if search is None else search.counters(),
            interrupted=search is not None and search.interrupted,
            position=self._position(search),
            search=search,
            shipped=shipped,
        )

    def _position(self, search: Search | None) -> Position:
        if search is None:
            return Position(tuple(self.question.candidates.tolist()), self.question.turn)
        return Position.after(search.table, self.question.history)

    def _guess(self, search: Search, value: int | None) -> CodeIndex | None:
        """Return the guess that attains the value, if there is one and the time suffices."""
        if value is None:
            return None
        timer = self.timer.extended()
        try:
            return search.table.code(search.guess(self._position(search), value, timer))
        except OutOfTimeError:
            return None

    def _unsearched(self, weights: Weights) -> Bounds:
        """Return the bounds that take no search: by size, and those of the checkpoint."""
        least = 0  # a table without rules is there before the search
        if isinstance(self.question.history.game, Rules):
            least = unsearched_bound(self.question, weights)
        proven = None if self.checkpoint is None else self.checkpoint.proven(weights)
        return Bounds(least).tightened(Bounds() if proven is None else proven.bounds)

    def _bounds(self, search: Search, position: Position, upper: Bounds) -> Bounds:
        """Search for the value, starting from the bounds of a checkpoint and an upper bound."""
        first = self.question.first
        proven = search.proven
        search.take_over(position)
        if self.known_tree is not None:
            _start_from(search, position, first, self.known_tree)
        if proven is not None and proven.bounds.exact:
            return proven.bounds
        is_small = search.table.size < LARGE_GAME and self.cluster is None
        if first is None and self.timer.share() is None and is_small:
            bounds = search.value(position, progress=self.progress)
            number = search.best_guess
            guess = None if number is None else search.table.code(number)
        else:
            tree = tree_of(search, self.question.history)
            option = None if first is None else tree.option(tree.root, first)
            guess = None
            bounds = tighten(
                search,
                tree,
                option=option,
                start=upper if proven is None else proven.bounds.tightened(upper),
                timer=self.timer,
                progress=self.progress,
                cluster=self.cluster,
            )
            if self.cluster is not None:
                search.take_over(position)
        if proven is not None:
            proven.learn(bounds, guess)
            return proven.bounds
        return bounds


# -- a first strategy -----------------------------------------------------------------------------


def _start_from(
    search: Search, position: Position, first: CodeIndex | None, known: TreeFile
) -> None:
    """Take over the costs in a tree of the whole game, and the bound that its file states.

    A part of it that is not remembered, because it is small, is solved soon.

    Raises `CheckpointError` if the tree is no answer to the question, or without a checkpoint.
    """
    tree = known.tree
    table = search.table
    if search.proven is None:
        raise CheckpointError("the cost of a known tree is kept in a checkpoint: name one")
    if tree.rules != table.rules or position.turn > 1 or search.candidates_only:
        raise CheckpointError(f"tree {known.name} is no strategy for what is asked")
    if first in (None, tree.root.guess):
        upper = Bounds(0, search.weights.cost(tree.distribution))
        search.proven.learn(upper, tree.root.guess)
        for node in tree.nodes:
            history = tree.path(node)
            if len(history) == 1 or (history and len(node.candidates) > TIED_SIZE):
                upper = Bounds(0, search.weights.cost(tree.distribution_at(node)))
                part = Position.after(table, history)
                search.remember(part, upper, guess=table.number(node.guess))
    is_average = search.weights.values == tuple(range(1, search.weights.turns + 1))
    if is_average and known.record.lower is not None:
        search.proven.learn(Bounds(known.record.lower))
