"""A search kept in memory: its arrays, its threads, and the questions it answers.

Threads, not processes: the kernels release Python's lock, so threads run side by side, share the
response table and the transposition table, and start in no time.  The calling thread only waits,
and so can tell progress, keep a time limit, and answer Ctrl-C within a tenth of a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE, Weights
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.kernels import ties
from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import (
    ANY,
    CANDIDATE,
    EVERY_TECHNIQUE,
    Guessing,
    Techniques,
    make_problem,
)
from bullscows.kernels.arrays.transposition import store
from bullscows.kernels.arrays.workspace import ALL, BY_BOUND, BY_TIE
from bullscows.kernels.recursion import solve
from bullscows.kernels.steps import log
from bullscows.kernels.symmetry.history import extend_history, start_history
from bullscows.kernels.symmetry.keys import key_of
from bullscows.kernels.thresholds import SHARED_SIZE, SYMMETRIC_SIZE, TIED_SIZE
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.position import Counters, HorizonError, Position, Progress, SearchError
from bullscows.search.proven import CheckpointError, candidates_of, no_rows
from bullscows.search.threads import run_together
from bullscows.tree.strategy_tree import StrategyTree

STORED_BITS = 16
"""The table of stored nodes, by which ties are broken, has ``2**STORED_BITS`` entries."""


class Search:
    """A game with weights, its scratch and its transposition table.

    Parameters
    ----------
    table
        The responses of the game; at most `MAX_ANSWERS` answers.
    weights
        The cost of each turn.
    jobs
        Threads that share the work.
    techniques
        What to use; all by default.
    table_bits
        The transposition table, and that of each beam, has ``2**table_bits`` entries of 16 bytes;
        by default, as many as the game can use.
    known
        A transposition table of this very game and weights to go on with, which other processes
        may be using at the same time; a new one by default.
    clock
        What time limits are measured by, in seconds.
    width
        Try only so many guesses of each position, the most promising ones: what such a beam finds
        is the cost of a strategy, and no bound that it reports holds beyond it.  0: all guesses.
    candidates_only
        Must each guess be a candidate?  That is another game, with tables of its own.
    checkpoint
        Start from its bounds, add to them, and save it from time to time; a beam, which proves no
        bound, only saves.
    guessing
        Which guesses each turn may make; any, or any candidate, by default.

    Raises
    ------
    SearchError
        If the game has too many answers, or `jobs` is below one.
    """

    def __init__(
        self,
        table: ResponseTable,
        weights: Weights,
        *,
        jobs: int = 1,
        techniques: Techniques = EVERY_TECHNIQUE,
        table_bits: int | None = None,
        known: ws.Tables | None = None,
        clock: Callable[[], float] = time.monotonic,
        width: int = 0,
        candidates_only: bool = False,
        checkpoint: Checkpoint | None = None,
        guessing: Guessing | None = None,
    ) -> None:
        if table.answers > ws.MAX_ANSWERS:
            raise SearchError(
                f"a search handles up to {ws.MAX_ANSWERS} answers, not {table.answers}"
            )
        if jobs < 1:
            raise SearchError(f"a search needs at least one worker, not {jobs}")
        self.table = table
        self.weights = weights
        self.jobs = jobs
        self.clock = clock
        self.stopped = False
        """Was the last search for a value ended by a time limit or Ctrl-C?"""
        self.interrupted = False
        """Has there been a Ctrl-C?"""
        self._techniques = techniques
        self._table_bits = table_bits
        self.candidates_only = candidates_only
        guessing = guessing or Guessing(CANDIDATE if candidates_only else ANY)
        self.problem = make_problem(table, weights, techniques, width, guessing)
        self._by_class = self.problem.by_class > 0
        self._signal = np.zeros(8, dtype=np.int64)
        self._shared = known or ws.make_tables(table_bits or table_bits_of(table.size))
        self._stored = ws.make_tables(STORED_BITS)
        busy = np.zeros(ws.BUSY_SLOTS, dtype=np.uint64)
        self._workspaces = [
            ws.make_workspace(
                self.problem, self._shared, self._signal, busy, is_logged=checkpoint is not None
            )
            for _ in range(jobs)
        ]
        self._checkpoint = checkpoint
        self.proven = None if checkpoint is None or width else checkpoint.proven(weights)
        self._nodes = 0

    def narrowed(self, width: int) -> Search:
        """Return a beam of this width for the same question, with a table of its own."""
        return Search(
            self.table,
            self.weights,
            jobs=self.jobs,
            techniques=self._techniques,
            table_bits=self._table_bits,
            clock=self.clock,
            width=width,
            candidates_only=self.candidates_only,
            checkpoint=self._checkpoint,
        )

    # -- values --------------------------------------------------------------------------------

    def value(
        self,
        position: Position,
        *,
        budget: int = INFINITE - 1,
        progress: Callable[[Progress], None] | None = None,
        time_limit: float | None = None,
    ) -> Bounds:
        """Find the least cost of a position, or prove that it exceeds `budget`.

        A time limit, or Ctrl-C, ends the search with what is proven by then; after Ctrl-C the
        `KeyboardInterrupt` is not raised again.

        Raises
        ------
        HorizonError
            If the weights have no cap and do not reach far enough.
        """
        self.stopped = False
        if len(position.candidates) <= 2:
            return self._settled(position)
        self._begin(position)
        before = self._tried()
        run = partial(self._run, position=position, budget=budget, manner=BY_BOUND)
        self.stopped, value = self._together(run, self.jobs, position, progress, time_limit)
        if any(work.result[ws.BEYOND] for work in self._workspaces):
            raise HorizonError(f"the search needs to look further than {self.weights.turns} turns")
        best = int(self._signal[ws.SIGNAL_BEST]) - 1
        bounds = Bounds(value, best if best >= 0 else None)
        if not self.stopped and value <= budget:
            bounds = Bounds(value, value)
        self.remember(position, bounds, self._tried() - before)
        return bounds

    def parts(self, position: Position, guess: CodeIndex) -> Iterator[tuple[Position, Bounds]]:
        """Yield the positions after `guess`, each with what is known of it without a search."""
        guesses = None if position.guesses is None else (*position.guesses, guess)
        codes = np.array(position.candidates)
        answers = self.table.responses[codes, guess]
        for answer in np.unique(answers):
            part = tuple(codes[answers == answer].tolist())
            if answer == self.table.win:
                yield Position(part, position.turn), self._settled(Position(part, position.turn))
            else:
                after = Position(part, position.turn + 1, guesses)
                settled = len(part) <= 2
                yield after, self._settled(after) if settled else Bounds(0, None)

    def guess(self, position: Position, value: int) -> CodeIndex:
        """Return the optimal guess of a position of known `value`, by the order of ties.

        It is stated in `bullscows.search.solver`.
        """
        if len(position.candidates) <= 2:
            return position.candidates[0]
        special = self._special(position)
        if special is not None:
            return special
        if len(position.candidates) <= TIED_SIZE and not self._by_class:
            return self._optimal_guess(position)
        self._begin(position)
        if self.jobs == 1 and self.proven is None:
            return self._first_in_order(self._workspaces[0], position, value)
        run = partial(self._first_in_order, position=position, value=value)
        stopped, guess = self._together(run, self.jobs, position)
        if stopped:
            raise KeyboardInterrupt
        return guess

    def _first_in_order(self, work: ws.Workspace, position: Position, value: int) -> int:
        self._run(work, position, value, BY_TIE)
        return int(work.result[ws.GUESS])

    def tree(self, position: Position, first: CodeIndex | None = None) -> StrategyTree:
        """Return the whole optimal tree of a position, `first` being its first guess if given.

        Its turns are counted from the first turn of the game, as those of the position are.

        Raises
        ------
        SearchError
            If the game has no rules, or the position cannot be solved within the turns.
        """
        rules = self.table.rules
        if rules is None:
            raise SearchError("a tree needs a game with rules")
        table = self.table
        codes = tuple(table.code(number) for number in position.candidates)
        numbers = dict(zip(codes, position.candidates, strict=True))

        def choose(
            candidates: tuple[CodeIndex, ...], path: tuple[tuple[CodeIndex, AnswerIndex], ...]
        ) -> CodeIndex:
            if len(candidates) <= 2:
                return candidates[0]
            guesses = None
            if position.guesses is not None:
                guesses = (*position.guesses, *(table.number(guess) for guess, _ in path))
            left = tuple(numbers[code] for code in candidates)
            return table.code(self.choice(Position(left, position.turn + len(path), guesses)))

        return StrategyTree.grow(rules, choose, candidates=codes, turn=position.turn, first=first)

    def choice(self, position: Position, first: CodeIndex | None = None) -> CodeIndex:
        """Return the guess of the optimal tree at a position of unknown value; the table is warm.

        It is `first`, if given.
        """
        if first is not None:
            return first
        if len(position.candidates) <= 2:
            return position.candidates[0]
        special = self._special(position)
        return self._optimal_guess(position) if special is None else special

    def _optimal_guess(self, position: Position) -> CodeIndex:
        """Return the guess of a position that is not special.

        A small position takes one call: handing a workspace over costs more than searching it.
        """
        count = len(position.candidates)
        work = self._workspaces[0]
        self._begin(position)
        if count > TIED_SIZE or self._by_class:  # where names count, so would every tie
            value = self._run(work, position, INFINITE - 1, BY_BOUND)
            guess = self.guess(position, value) if value < INFINITE else -1
        else:
            self._load(work, position)
            ties.fewest_stored(
                self.problem, work, self._solver, *self._stored, 0, count, position.turn, count, 0
            )
            guess = int(work.result[ws.GUESS])
        if guess < 0:
            raise SearchError(f"turn {position.turn} comes too late for what is left")
        return guess

    @cached_property
    def _solver(self) -> Any:
        return ties.solver(self.problem, self._workspaces[0])

    def cost(self, position: Position, budget: int = INFINITE - 1) -> int:
        """Return the value, or `INFINITE`, without a thread of its own: for small positions.

        Also for larger ones whose value is in the table.  If the value exceeds `budget`, a bound
        that does too.
        """
        if len(position.candidates) <= 2:
            return self._settled(position).lower
        return min(self._run_alone(position, budget, BY_BOUND), INFINITE)

    def guesses_within(self, position: Position, budget: int) -> tuple[CodeIndex, ...]:
        """Return all guesses that cost at most `budget`, one of each class under symmetry.

        The position has three candidates at least.
        """
        if self._run_alone(position, budget, ALL) > budget:
            return ()
        work = self._workspaces[0]
        return tuple(work.guesses[position.turn, : work.result[ws.TIES]].tolist())

    def _run_alone(self, position: Position, budget: int, manner: int) -> int:
        """Run one thread; for a large position not the calling one, which hears Ctrl-C."""
        self._begin(position)
        work = self._workspaces[0]
        if len(position.candidates) < SHARED_SIZE:
            return self._run(work, position, budget, manner)
        run = partial(self._run, position=position, budget=budget, manner=manner)
        stopped, value = self._together(run, 1, position)
        if stopped:
            raise KeyboardInterrupt
        return value

    # -- one run -------------------------------------------------------------------------------

    def _run(self, work: ws.Workspace, position: Position, budget: int, manner: int) -> int:
        """Load a position into a workspace and search it; the first thread ends the others."""
        turn = position.turn
        if turn > self.problem.turns:
            return INFINITE
        count = self._load(work, position)
        place, check = key_of(self.problem, work, turn, 0, count, turn)
        node = ws.Node(0, count, turn, self.problem.answers - 1, manner)
        return int(solve(self.problem, work, node, budget, _word(place), _word(check), 0))

    def _load(self, work: ws.Workspace, position: Position) -> int:
        """Write a position into a workspace; return the number of candidates."""
        count = len(position.candidates)
        work.members[position.turn, :count] = position.candidates
        self._load_history(work, position)
        work.result[ws.BEYOND] = 0
        return count

    def _begin(self, position: Position) -> None:
        self._signal[:] = 0
        self._signal[ws.SIGNAL_TURN] = position.turn
        if len(position.candidates) >= SHARED_SIZE:
            self._signal[ws.SIGNAL_JOBS] = self.jobs

    def _load_history(self, work: ws.Workspace, position: Position) -> None:
        """Find the symmetry of the history, where it can save more than it costs or is needed."""
        work.stab_count[:] = 0
        few = len(position.candidates) < SYMMETRIC_SIZE or position.turn > ws.STAB_TURNS
        if (few and not self._by_class) or position.guesses is None or self.table.rules is None:
            return
        start_history(self.problem, work, 1)
        for turn, guess in enumerate(position.guesses, start=1):
            extend_history(self.problem, work, turn, guess)

    def _together(
        self,
        run: Callable[[ws.Workspace], int],
        jobs: int,
        position: Position,
        progress: Callable[[Progress], None] | None = None,
        time_limit: float | None = None,
    ) -> tuple[bool, int]:
        """Run threads; return whether they were stopped, and what `Outcome.value` says."""
        self._start_log(position)

        def tell(seconds: float) -> None:
            self._collect()
            if progress is not None:
                progress(self._progress(seconds))

        outcome = run_together(
            [partial(run, work) for work in self._workspaces[:jobs]],
            self._signal,
            clock=self.clock,
            time_limit=time_limit,
            tell=None if progress is None and self._checkpoint is None else tell,
        )
        self._collect()
        self.interrupted = self.interrupted or outcome.interrupted
        return outcome.stopped, outcome.value

    def _progress(self, seconds: float) -> Progress:
        signal = self._signal
        return Progress(
            seconds,
            sum(int(work.counters[ws.NODES]) for work in self._workspaces),
            int(signal[ws.SIGNAL_GUESS]) - 1 if signal[ws.SIGNAL_GUESS] else None,
            int(signal[ws.SIGNAL_DONE]),
            int(signal[ws.SIGNAL_BEST]) - 1 if signal[ws.SIGNAL_BEST] else None,
        )

    def counters(self) -> Counters:
        """Return what has been counted since the search was made."""
        total = np.sum([work.counters for work in self._workspaces], axis=0)
        return Counters(dict(zip(ws.COUNTED, total.tolist(), strict=True)))

    # -- the checkpoint ------------------------------------------------------------------------

    def take_over(self, position: Position) -> None:
        """Put the bounds of the checkpoint into the transposition table."""
        if self.proven is None or len(self.proven.read) == 0:
            return
        rows = self.proven.read
        keys = np.zeros((len(rows), 2), dtype=np.uint64)
        left = np.array(position.candidates)
        for number, candidates in candidates_of(self.table, left, self.proven):
            _, _, turn, _, lower, upper = rows[number, : log.STEPS].tolist()
            if turn > self.problem.turns:
                raise CheckpointError(f"no position has its next guess at turn {turn}")
            keys[number] = self._key(candidates, turn)
            place, check = keys[number]
            store(*self._shared, place, check, lower, int(lower == upper), len(candidates))
        rows[:, [log.PLACE, log.CHECK]] = keys.view(np.int64)
        self.proven.add(rows)
        self.proven.read = no_rows()

    def _key(self, candidates: Sequence[int] | NDArray[np.intp], turn: int) -> tuple[int, int]:
        """Return the table key of a position."""
        work, count = self._workspaces[0], len(candidates)
        work.members[turn, :count] = candidates
        return key_of(self.problem, work, turn, 0, count, turn)

    def _steps(self, position: Position) -> list[int] | None:
        """Return the steps that lead to a position; None if nobody knows or wants them."""
        if self.proven is None or position.guesses is None:
            return None
        answers = self.table.responses[position.candidates[0], list(position.guesses)]
        pairs = zip(position.guesses, answers.tolist(), strict=True)
        return [guess * log.ANSWERS + answer for guess, answer in pairs]

    def _start_log(self, position: Position) -> None:
        """Let the threads log what they prove, if the turns to the position are known."""
        steps = self._steps(position)
        for work in self._workspaces:
            work.log_ends[:] = 0
            if steps is not None:
                work.path[1 : len(steps) + 1] = steps
        if self.proven is not None and steps is not None:
            self._signal[ws.SIGNAL_LOG] = self.proven.least_effort
            self._signal[ws.SIGNAL_FROM] = self.proven.first_turn

    def _collect(self) -> None:
        """Take over what the threads have logged, and save the checkpoint if that is due."""
        nodes = sum(int(work.counters[ws.NODES]) for work in self._workspaces)
        if self.proven is not None and self._signal[ws.SIGNAL_LOG]:
            for work in self._workspaces:
                self.proven.add(self._by_code(log.read_log(work)))
            self.proven.nodes += nodes - self._nodes
            self._signal[ws.SIGNAL_LOG] = self.proven.least_effort
        self._nodes = nodes
        if self._checkpoint is not None:
            self._checkpoint.save_if_due()

    def _by_code(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return rows whose steps have codes instead of numbers of the table."""
        if self.table.codes is not None:
            steps = rows[:, log.STEPS :]
            numbers, answers = np.divmod(steps, log.ANSWERS)
            steps[:] = self.table.codes[numbers] * log.ANSWERS + answers
        return rows

    def _tried(self) -> int:
        """Return how many guesses were ever tried."""
        return sum(int(work.counters[ws.TRIED]) for work in self._workspaces)

    def remember(self, position: Position, bounds: Bounds, effort: int | None = None) -> None:
        """Keep bounds of a position in the checkpoint, if there is one.

        Those that took too little effort are not kept; without a number they are.
        """
        steps, proven = self._steps(position), self.proven
        if proven is None or steps is None or len(position.candidates) <= 2:
            return
        steps = steps[proven.first_turn - 1 :]
        if not 0 < len(steps) <= log.DEPTH or (effort or proven.least_effort) < proven.least_effort:
            return
        row = np.zeros((1, log.SEAL), dtype=np.int64)
        key = np.array(self._key(position.candidates, position.turn), dtype=np.uint64)
        row[0, [log.PLACE, log.CHECK]] = key.view(np.int64)
        row[0, [log.TURN, log.EFFORT]] = position.turn, effort or 0
        row[0, [log.LOWER, log.UPPER]] = (
            min(bounds.lower, INFINITE),
            log.NONE if bounds.upper is None else bounds.upper,
        )
        row[0, log.STEPS : log.STEPS + len(steps)] = steps
        proven.add(self._by_code(row))

    def recalled(self, position: Position) -> Bounds:
        """Return what the checkpoint knows of a position."""
        if self.proven is None or len(position.candidates) <= 2:
            return Bounds()
        return self.proven.find(self._key(position.candidates, position.turn))

    def _settled(self, position: Position) -> Bounds:
        """Return the cost of one or two candidates: guess one, then the other."""
        last = len(self.problem.weights) - 1
        turns = range(position.turn, position.turn + len(position.candidates))
        cost = min(sum(int(self.problem.weights[min(turn, last)]) for turn in turns), INFINITE)
        return Bounds(cost, cost if cost < INFINITE else None)

    def _special(self, position: Position) -> CodeIndex | None:
        """Return the first candidate that splits all candidates into parts of one, if any."""
        count = len(position.candidates)
        if count > self.table.answers:
            return None
        codes = np.array(position.candidates, dtype=np.intp)
        answers = np.sort(self.table.responses[np.ix_(codes, codes)], axis=0)
        apart = (answers[1:] != answers[:-1]).all(axis=0)
        return position.candidates[int(apart.argmax())] if apart.any() else None


def _word(number: int) -> int:
    """Return a uint64 that numba takes for one, however small it is."""
    return cast(int, np.uint64(number))


def table_bits_of(size: int) -> int:
    """Return a size with room for a full search: 4 MB, 64 MB, or 256 MB for the largest games."""
    if size <= 1500:
        return 18
    return 22 if size <= 7000 else 24
