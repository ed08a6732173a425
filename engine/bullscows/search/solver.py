"""The exact search: optimal value, guess and tree of any position, for any objective.

`solve` answers one question; a `Search` keeps its tables and answers many.  The result depends on
the position, the table and the weights alone: not on the number of threads, the pruning rules, or
earlier questions.  Of several optimal guesses the one reported is, in this order,

1. at a special position, the first candidate that splits all candidates into parts of one;
2. with up to 100 candidates, one whose best optimal tree stores the fewest nodes
   (`bullscows.kernels.ties`);
3. the lexicographically least candidate of these;
4. the lexicographically least of these.

The value is found first, in the order that proves it soonest; the guess second, by trying the
guesses, candidates first, against the known value with a warm table.

A time limit covers the whole question.  If the response table would take most of it, or the search
is not compiled yet, the bounds are those by the number of candidates, and no search is made.  Under
a limit the shipped trees are upper bounds.

Upper bounds from a checkpoint need no trust: at the end the tree must have the cost that they
state.  Lower bounds do: `recheck` searches some of them again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from bullscows.game import arguments
from bullscows.game.history import (
    History,
    HistoryError,
    InconsistentError,
    Played,
    candidates,
    table_after,
)
from bullscows.game.objective import MAX_TURNS, Bounds, Objective, Weights, combine
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules, Turn
from bullscows.game.timer import UNLIMITED, OutOfTimeError, Timer
from bullscows.kernels import log
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.kernels.workspace import COUNTED
from bullscows.search.bounding import Bounding, tree_of
from bullscows.search.checkpoint import ALL, CANDIDATES, Checkpoint, Header
from bullscows.search.known import KnownStrategy, cost_of, known_strategies, unsearched_bound
from bullscows.search.position import HorizonError, Position, Progress, SearchError
from bullscows.search.proven import CheckpointError, bounds_of
from bullscows.search.search import Search
from bullscows.search.solution import Solution
from bullscows.tree.files import TreeFile

FIRST_HORIZON = 16
"""Turns looked ahead at first when the rules set no cap."""

MAX_TABLE_BITS = 30
"""The largest transposition table has ``2**MAX_TABLE_BITS`` entries, 16 GB."""

MAX_RECHECKED = 1_000_000
"""The most positions that `recheck` draws."""

LARGE_GAME = 10_000
"""Games of this many codes are bounded from both sides even without a time limit, so that an
interrupt leaves bounds.  It takes a third longer than one question."""


def solve(
    game: ResponseTable | Rules | str,
    objective: Objective | str = "average",
    *,
    history: Played = (),
    first: CodeIndex | str | None = None,
    max_turns: int | None = None,
    threads: int = 1,
    pruning: Pruning = ALL_PRUNING,
    progress: Callable[[Progress], None] | None = None,
    time_limit: float | None = None,
    table_bits: int | None = None,
    candidates_only: bool = False,
    checkpoint: Path | str | None = None,
    known: TreeFile | None = None,
) -> Solution:
    """Find and prove the optimum of a position.

    >>> solution = solve("p3c6n", history="012:0.1")
    >>> solution.value, solution.guess_text
    (140, '134')
    >>> print(solve("p3c6n"))
    p3c6n, average: total 436 (mean 3.633): proven optimal; guess 012

    Parameters
    ----------
    game
        The responses of the game, its rules, or their text.
    objective
        The criteria to minimise (`bullscows.game.objective`), as a value or as text.
    history
        The guesses and answers so far: a `History`, text, or pairs.
    first
        Consider this next guess only.
    max_turns
        The last allowed turn, counted from the start of the game.
    threads
        Number of threads; the result does not depend on it.
    pruning
        The pruning rules in use; the result does not depend on them.
    progress
        Called about ten times a second while searching.
    time_limit
        Seconds after which the search ends with the bounds proved by then.  `Solution.source` names
        a shipped tree if that is the best strategy known.
    table_bits
        As for a `Search`; a question takes at most two searches at once.
    candidates_only
        Whether each guess must be a candidate (Francis, "possibles only").
    checkpoint
        A file of proved bounds (`bullscows.search.checkpoint`): the search continues from it if it
        exists, writes it at least every five minutes, and when it ends, also by Ctrl-C.
    known
        A tree of the whole game, whose cost is an upper bound; needs a checkpoint.

    Returns
    -------
    Solution
        `optimal`, or with bounds after a time limit or Ctrl-C, or not `feasible`.

    Raises
    ------
    ObjectiveError
        If the objective, its weights or its turns make no sense.
    HistoryError, SearchError
        If the question makes no sense; `InconsistentError` if no code fits all answers.
    CheckpointError
        If the checkpoint is damaged, belongs to another question or another engine, or has bounds
        that the strategy found contradicts.
    OSError
        If the checkpoint can't be read or written.
    RulesError, CodeError, AnswerError
        If a text can't be read.
    """
    timer = Timer(arguments.seconds("time_limit", time_limit))
    arguments.threads(threads)
    arguments.instance("pruning", pruning, Pruning, "Pruning")
    arguments.optional_function("progress", progress)
    if table_bits is not None:
        arguments.integer("table_bits", table_bits, 1, MAX_TABLE_BITS)
    if known is not None:
        arguments.instance("known", known, TreeFile, "a TreeFile, as from read_tree, or None")
    query = _Query.of(game, objective, history, first, max_turns, candidates_only)
    file = None
    if checkpoint is not None:
        file = query.checkpoint(arguments.path("checkpoint", checkpoint))
    search = partial(
        Search,
        threads=threads,
        pruning=pruning,
        table_bits=table_bits,
        candidates_only=candidates_only,
        checkpoint=file,
    )
    with nullcontext() if file is None else file.saved_at_end():
        solution = _Run(query, search, file, progress, timer, known).answer()
    found = query.found
    return solution if found is None else replace(solution, guess=None, found=found)


@dataclass(frozen=True)
class Recheck:
    """A position of a checkpoint that was searched again without its bounds."""

    position: str
    """The history that leads to it."""
    stated: Bounds
    found: Bounds

    @property
    def is_confirmed(self) -> bool:
        """Whether the search proved what the checkpoint states."""
        if self.stated.lower == self.stated.upper:
            return self.found == self.stated
        return self.found.lower >= self.stated.lower

    def __str__(self) -> str:
        return f"{self.position}: {self.stated} stated, {self.found} found"


def recheck(
    game: ResponseTable | Rules | str,
    objective: Objective | str = "average",
    *,
    checkpoint: Path | str,
    count: int,
    history: Played = (),
    first: CodeIndex | str | None = None,
    max_turns: int | None = None,
    threads: int = 1,
    candidates_only: bool = False,
) -> Iterator[Recheck]:
    """Search up to `count` random positions of a checkpoint again, without its bounds.

    The question is that of `solve`, with its parameters and errors.  Ctrl-C ends the recheck.
    """
    arguments.threads(threads)
    arguments.integer("count", count, 1, MAX_RECHECKED)
    query = _Query.of(game, objective, history, first, max_turns, candidates_only)
    if not arguments.path("checkpoint", checkpoint).exists():
        raise CheckpointError(f"there is no file {checkpoint}")
    return _rechecked(query.table(), query.checkpoint(Path(checkpoint)), count, threads)


def _rechecked(
    table: ResponseTable, checkpoint: Checkpoint, count: int, threads: int
) -> Iterator[Recheck]:
    """Search up to `count` random positions of a checkpoint again, without its bounds.

    Upper bounds of positions that are not solved are left out.  Ctrl-C is raised.
    """
    candidates_only = checkpoint.header.guesses == CANDIDATES
    proofs = list(checkpoint.proofs.values())
    entries = [(proven, row) for proven in proofs for row in proven.read.tolist() if row[log.LOWER]]
    chosen = random.sample(entries, min(count, len(entries)))
    for proven in proofs:
        weights = Weights(proven.weights, proven.capped)
        search = Search(table, weights, threads=threads, candidates_only=candidates_only)
        for row in [row for owner, row in chosen if owner is proven]:
            stated = bounds_of(row)
            budget = stated.lower if stated.lower == stated.upper else stated.lower - 1
            found = search.value(Position.after(table, checkpoint.turns(row)), budget=budget)
            if search.interrupted:
                raise KeyboardInterrupt
            yield Recheck(checkpoint.text(row), stated, found)


class _Query(NamedTuple):
    """A question that has been checked."""

    game: ResponseTable | Rules
    objective: Objective
    turns: Sequence[Turn]
    candidates: tuple[CodeIndex, ...]
    first: CodeIndex | None
    cap: int | None
    candidates_only: bool

    @classmethod
    def of(
        cls,
        game: ResponseTable | Rules | str,
        objective: Objective | str,
        history: Played,
        first: CodeIndex | str | None,
        max_turns: int | None,
        candidates_only: bool,
    ) -> _Query:
        asked = game if isinstance(game, ResponseTable) else Rules.of(game)
        arguments.flag("candidates_only", candidates_only)
        criteria = Objective.of(objective)
        turns = _turns(asked, history)
        left = _candidates(asked, turns)
        only = None if first is None else _first_guess(asked, left, first)
        if candidates_only and only is not None and only not in left:
            raise SearchError(
                f"first guess {_text(asked, only)} is no candidate, and only candidates may be "
                "guessed"
            )
        cap = criteria.turns_allowed(max_turns)
        return cls(asked, criteria, turns, left, only, cap, candidates_only)

    @property
    def rules(self) -> Rules | None:
        """The rules of the game, if it has any."""
        return _rules(self.game)

    @property
    def name(self) -> str:
        """The name of the game."""
        return str(self.game) if isinstance(self.game, Rules) else self.game.name

    @property
    def turn(self) -> int:
        """The turn of the next guess."""
        return len(self.turns) + 1

    @property
    def found(self) -> tuple[int, CodeIndex] | None:
        """The turn at which the history found the code, and the code; None: it did not."""
        turns = enumerate(self.turns, start=1)
        won = ((at, guess) for at, (guess, answer) in turns if answer == self.game.win)
        return next(won, None)

    @property
    def size(self) -> int:
        """The number of codes of the game."""
        return self.game.size

    @property
    def answers(self) -> int:
        """The number of answers of the game."""
        return len(self.game.answers) if isinstance(self.game, Rules) else self.game.answers

    def table(self, timer: Timer = UNLIMITED) -> ResponseTable:
        """Return the responses; of a large game only the rows that the position needs."""
        if isinstance(self.game, ResponseTable):
            return self.game
        return table_after(History.of(self.game, self.turns), timer=timer)

    def checkpoint(self, path: Path) -> Checkpoint:
        """Open the file of the question; errors as of `Checkpoint`."""
        rules = self.rules
        header = Header(
            str(rules or self.name),
            str(self.objective),
            self.cap,
            "" if rules is None else str(History.of(rules, self.turns)),
            None if self.first is None else _text(self.game, self.first),
            CANDIDATES if self.candidates_only else ALL,
        )
        return Checkpoint(path, header, rules)


def _rules(game: ResponseTable | Rules) -> Rules | None:
    return game if isinstance(game, Rules) else game.rules


def _turns(game: ResponseTable | Rules, history: Played) -> Sequence[Turn]:
    """Return a history by number; a text needs rules."""
    rules = _rules(game)
    if rules is not None:
        return History.of(rules, history)
    allowed = "pairs of a guess and its answer by number, because a game without rules has no texts"
    try:
        given = arguments.listed("history", history, allowed)
        return [
            (arguments.whole("guess", guess), arguments.whole("answer", answer))
            for guess, answer in given
        ]
    except (TypeError, ValueError):
        raise HistoryError(f"history must be {allowed}, not {arguments.shown(history)}") from None


def _candidates(game: ResponseTable | Rules, turns: Sequence[Turn]) -> tuple[CodeIndex, ...]:
    """Return the codes that fit all answers, ascending; `InconsistentError` if there are none."""
    if isinstance(game, ResponseTable):
        position = Position.after(game, turns)
        return tuple(sorted(map(game.code, position.candidates)))
    left: tuple[CodeIndex, ...] = tuple(candidates(game, turns).tolist())
    if not left:
        raise InconsistentError(turns, game)
    return left


def _first_guess(
    game: ResponseTable | Rules, left: tuple[CodeIndex, ...], guess: CodeIndex | str
) -> CodeIndex:
    """Return the code of a first guess, if it exists and gives information."""
    rules = _rules(game)
    if isinstance(guess, str):
        if rules is None:
            raise SearchError(f"a game without rules has no texts: give {guess[:20]!r} by number")
        guess = rules.parse_code(guess)
    guess = arguments.whole("first", guess, "the next guess by number or text, or None")
    if not 0 <= guess < game.size:
        raise SearchError(f"first guess {guess} is not in 0 to {game.size - 1}")
    if len(left) > 1 and not _splits(game, left, guess):
        raise SearchError(
            f"first guess {_text(game, guess)} gives the same answer for every candidate"
        )
    return guess


def _splits(game: ResponseTable | Rules, left: tuple[CodeIndex, ...], guess: CodeIndex) -> bool:
    """Return whether some two candidates give different answers to a guess."""
    if isinstance(game, Rules):
        return game.splits(guess, left)
    rows = [game.number(code) for code in left]
    return len(set(game.responses[rows, game.number(guess)].tolist())) > 1


def _text(game: ResponseTable | Rules, guess: CodeIndex) -> str:
    rules = _rules(game)
    return str(guess) if rules is None else rules.text(guess)


@dataclass(eq=False)
class _Run:
    """One question, and how it is searched."""

    query: _Query
    make: Callable[..., Search]
    """Makes a search from a table and weights."""
    checkpoint: Checkpoint | None
    progress: Callable[[Progress], None] | None
    timer: Timer
    known: TreeFile | None
    started: float = field(default_factory=time.monotonic)
    is_late: bool = False
    """Whether there was too little time to begin a search."""

    def answer(self) -> Solution:
        """Solve for the objective; ``worst`` in it becomes a cap on the turns first."""
        objective = self.query.objective
        cap = self.query.cap
        if "worst" not in objective.criteria:
            return self._minimise(objective, objective, cap)
        place = objective.criteria.index("worst")
        before = objective.criteria[:place]
        after = objective.criteria[place + 1 :]
        least = self._least_cap(Objective(before), cap)
        if isinstance(least, Solution):
            return replace(least, objective=objective)
        return self._minimise(objective, Objective(before + after), least)

    @cached_property
    def strategies(self) -> Sequence[KnownStrategy]:
        """The strategies that are known from shipped trees; none if there is time for the proof."""
        game = self.query.game
        if self.timer.share() is None or not isinstance(game, Rules):
            return ()
        history = History.of(game, self.query.turns)
        return [one for one in known_strategies(history) if self._is_allowed(one)]

    def _is_allowed(self, known: KnownStrategy) -> bool:
        """Return whether a known strategy is one for the question."""
        query = self.query
        is_first = query.first in (None, known.guess)
        is_in_time = query.cap is None or len(known.distribution) <= query.cap
        return is_first and is_in_time and (known.is_of_candidates or not query.candidates_only)

    @cached_property
    def table(self) -> ResponseTable:
        """The responses; raises `OutOfTimeError` if they would take half of the time."""
        return self.query.table(self.timer.extended())

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
        turn = self.query.turn
        wanted = 0
        if before.criteria:
            target = self._minimise(before, before, max_turns, value_only=True)
            if not target.optimal or target.upper is None:
                return target
            wanted = target.upper
            del target  # frees its search before the next begins
        last = max_turns or turn + MAX_TURNS
        found: Solution | None = None
        for cap in range(turn, last + 1) or (last,):
            del found  # frees its search before the next begins
            found = self._minimise(before, before, cap, value_only=True)
            if found.optimal and found.upper == wanted:
                return cap
            if found.feasible is None:
                return self._least_cap_unknown(found, before, max_turns, wanted, cap)
        assert found is not None
        return found

    def _least_cap_unknown(
        self, found: Solution, before: Objective, max_turns: int | None, wanted: int, cap: int
    ) -> Solution:
        """Return what is known when the time ends before it is proved whether a cap is enough.

        No fewer turns are enough, and the turns of the shortest known strategy are.
        """
        if before.criteria:
            return replace(found, max_turns=max_turns, lower=wanted, upper=None)
        shortest = min(self.strategies, key=lambda one: len(one.distribution), default=None)
        upper = None if shortest is None else len(shortest.distribution)
        guess = None if shortest is None else shortest.guess
        return replace(
            found, max_turns=max_turns, lower=cap, upper=upper, guess=guess, known=shortest
        )

    def _minimise(
        self,
        shown: Objective,
        objective: Objective,
        max_turns: int | None,
        *,
        value_only: bool = False,
    ) -> Solution:
        """Minimise a sum, looking further ahead as long as an uncapped search asks for it."""
        query = self.query
        is_capped = max_turns is not None
        horizon = max_turns or query.turn + FIRST_HORIZON
        while True:
            weights = combine(objective, horizon, query.size, query.answers, capped=is_capped)
            try:
                return self._solution(shown, weights, max_turns, value_only)
            except HorizonError:
                if horizon >= MAX_TURNS:
                    raise
                horizon = min(2 * horizon, MAX_TURNS)

    def _solution(
        self, shown: Objective, weights: Weights, max_turns: int | None, value_only: bool
    ) -> Solution:
        """Run one search, and its tie-break, which takes long if all costs are 0, if wanted."""
        query = self.query
        search = self._search(weights)
        best = self._cheapest(weights)
        position = Position(query.candidates, query.turn)
        if search is None:
            bounds = self._unsearched(weights).tightened(_upper(best))
        else:
            position = Position.after(search.table, query.turns)
            bounds = self._bounds(search, position, _upper(best))
        guess = query.first
        if guess is None and search is not None and bounds.exact and not value_only:
            guess = self._guess(search, position, bounds.upper)
        known = None
        if best is not None and best[1] == bounds.upper and guess in (None, query.first):
            known = best[0]
            guess = known.guess
        solution = Solution(
            shown,
            position,
            query.rules,
            str(query.rules or query.name),
            query.answers,
            query.candidates_only,
            query.first,
            max_turns,
            weights,
            bounds.lower,
            bounds.upper,
            guess,
            dict.fromkeys(COUNTED, 0) if search is None else search.counters(),
            time.monotonic() - self.started,
            search is not None and search.interrupted,
            search,
            known,
        )
        if self.checkpoint is not None and solution.optimal and guess is not None:
            if not solution.grow(self.timer.extended()):  # then no strategy confirms the file
                return replace(solution, upper=None, guess=query.first)
            _check_cost(solution)
        return solution

    def _guess(self, search: Search, position: Position, value: int | None) -> CodeIndex | None:
        """Return the guess that attains the value, if there is one and the time suffices."""
        if value is None:
            return None
        try:
            return search.table.code(search.guess(position, value, self.timer.extended()))
        except OutOfTimeError:
            return None

    def _cheapest(self, weights: Weights) -> tuple[KnownStrategy, int] | None:
        """Return the best known strategy with its cost, if one keeps within the turns."""
        costs = [(one, cost_of(one.distribution, weights)) for one in self.strategies]
        kept = [(one, cost) for one, cost in costs if cost is not None]
        return min(kept, key=lambda found: found[1], default=None)

    def _unsearched(self, weights: Weights) -> Bounds:
        """Return the bounds that take no search: by size, and those of the checkpoint."""
        query = self.query
        least = 0  # a table without rules is there before the search
        if query.rules is not None:
            history = History.of(query.rules, query.turns)
            least = unsearched_bound(history, len(query.candidates), weights)
        proven = None if self.checkpoint is None else self.checkpoint.proven(weights)
        return Bounds(least).tightened(Bounds() if proven is None else proven.bounds)

    def _bounds(self, search: Search, position: Position, known: Bounds) -> Bounds:
        """Search for the value, starting from the bounds of a checkpoint and known ones."""
        first = None if self.query.first is None else search.table.number(self.query.first)
        proven = search.proven
        search.take_over(position)
        if self.known is not None:
            _start_from(search, position, first, self.known)
        if proven is not None and proven.bounds.exact:
            return proven.bounds
        left = self.timer.share()
        if first is None and left is None and search.table.size < LARGE_GAME:
            bounds = search.value(position, progress=self.progress)
        else:
            tree = tree_of(search, self.query.turns)
            option = None
            if self.query.first is not None:
                option = tree.option(tree.root, self.query.first)
            bounding = Bounding(search, tree, option=option, progress=self.progress)
            bounding.learn(known)
            if proven is not None:
                bounding.learn(proven.bounds)
            bounds = bounding.bounds(left)
        if proven is not None:
            proven.learn(bounds)
            return proven.bounds
        return bounds


def _upper(best: tuple[KnownStrategy, int] | None) -> Bounds:
    return Bounds() if best is None else Bounds(0, best[1])


# -- a first strategy, and the check at the end --------------------------------------------------


def _start_from(
    search: Search, position: Position, first: CodeIndex | None, known: TreeFile
) -> None:
    """Take over the cost of a tree of the whole game, and the bound that its file states.

    Raises `CheckpointError` if the tree is no answer to the question, or without a checkpoint.
    """
    tree = known.tree
    table = search.table
    guess = table.number(tree.root.guess)
    if search.proven is None:
        raise CheckpointError("the cost of a known tree is kept in a checkpoint: name one")
    if tree.rules != table.rules or position.turn > 1 or search.candidates_only:
        raise CheckpointError(f"tree {known.name} is no strategy for what is asked")
    if first in (None, guess):
        search.proven.learn(Bounds(0, cost_of(tree.distribution, search.weights)))
        parts = {part.candidates: part for part in search.parts(position, guess)}
        for child in map(tree.nodes.__getitem__, tree.root.children.values()):
            part = parts[tuple(map(table.number, child.candidates))]
            search.remember(part, Bounds(0, cost_of(tree.distribution_at(child), search.weights)))
    is_average = search.weights.values == tuple(range(1, search.weights.turns + 1))
    if is_average and known.record.lower is not None:
        search.proven.learn(Bounds(known.record.lower))


def _check_cost(solution: Solution) -> None:
    """Raise `CheckpointError` if the cost of the strategy found differs from the bounds.

    Then the bounds that came from the file are wrong.
    """
    found = cost_of(solution.distribution or (), solution.weights)
    if found != solution.upper:
        raise CheckpointError(
            f"the checkpoint's bounds are wrong: the cost should be {solution.upper}, and the "
            f"strategy that they lead to costs {found}"
        )
