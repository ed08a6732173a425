"""A search kept in memory: its arrays, its threads, and the questions it answers.

The kernels release Python's lock, so threads run in parallel and share the response table and the
transposition table.  The calling thread waits; it reports progress, enforces the time limit, and
handles Ctrl-C within a tenth of a second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullscows.game import arguments
from bullscows.game.canonical import canonical_form
from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Bounds, Weights
from bullscows.game.response_table import ResponseTable, first_apart
from bullscows.game.rules import AnswerIndex, CodeIndex, Turns
from bullscows.game.timer import UNLIMITED, OutOfTimeError, Timer
from bullscows.kernels import entry, log
from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Numbers
from bullscows.kernels.problem import ANY, CANDIDATE, make_problem
from bullscows.kernels.pruning import ALL_PRUNING, SHARED_SIZE, SYMMETRIC_SIZE, TIED_SIZE, Pruning
from bullscows.kernels.transposition import key_of, store
from bullscows.search.position import HorizonError, Position, Progress, ReportProgress, SearchError
from bullscows.search.proven_bounds import (
    BoundsMemory,
    CheckpointError,
    ProvenBounds,
    bounds_of,
    candidates_of,
    no_rows,
    row_of,
    turns_of,
)
from bullscows.search.threads import run_together
from bullscows.tree.nodes import Nodes

_logger = logging.getLogger(entry.__name__)

POSTPONED = (
    "the search is not compiled for this machine yet, which takes about 10 seconds once: without "
    "more time there is no search"
)

COMPILING_SECONDS = 9.0
"""With less time left the search is not compiled, because that can't be interrupted."""

STORED_BITS = 16
"""The table of stored nodes, by which ties are broken, has ``2**STORED_BITS`` entries."""


class Search:
    """The exact search for a game and weights, with its transposition table.

    The transposition table, and that of each beam, has ``2**table_bits`` entries of 16 bytes; by
    default, as many as the game can use.

    `width` makes the search a *beam* that tries only this number of guesses at each position, the
    most promising ones; 0: all.  A beam finds the cost of a strategy; its lower bounds hold for the
    beam only.  The search starts from the bounds of a `checkpoint`, adds to them and saves it from
    time to time; a beam adds only upper bounds.  `rules_by_turn` as for `make_problem`.

    Raises `SearchError` if the game has more than `MAX_ANSWERS` answers, `ArgumentError` if
    `threads` is not 1 to `MAX_THREADS`, and `OutOfTimeError` if the search is not prepared when
    `timer` ends.
    """

    def __init__(
        self,
        table: ResponseTable,
        weights: Weights,
        *,
        threads: int = 1,
        pruning: Pruning = ALL_PRUNING,
        table_bits: int | None = None,
        width: int = 0,
        candidates_only: bool = False,
        checkpoint: BoundsMemory | None = None,
        rules_by_turn: Mapping[int, int] = MappingProxyType({}),
        timer: Timer = UNLIMITED,
    ) -> None:
        if table.answers > ws.MAX_ANSWERS:
            raise SearchError(
                f"a search handles up to {ws.MAX_ANSWERS} answers, not {table.answers}"
            )
        arguments.threads(threads)
        self.table = table
        """Answers to all guesses."""
        self.weights = weights
        """Cost of a code found at each turn."""
        self.threads = threads
        """Number of threads of a search."""
        self.candidates_only = candidates_only
        """Whether every guess must be a candidate."""
        self.stopped = False
        """Whether a time limit or Ctrl-C ended the last search."""
        self.interrupted = False
        """Whether there has been a Ctrl-C."""
        self.best_guess: int | None = None
        """The guess, by number, that attains the upper bound of the last value, if it is known."""
        usual = CANDIDATE if candidates_only else ANY
        _check_compiled(timer)
        self.problem = make_problem(table, weights, pruning, width, usual, rules_by_turn, timer)
        """The arrays that the kernels read."""
        self.beam = partial(
            Search,
            table,
            weights,
            threads=threads,
            pruning=pruning,
            table_bits=table_bits,
            candidates_only=candidates_only,
            checkpoint=checkpoint,
        )
        """Returns a beam for the same question, given its `width`, with a table of its own."""
        self._by_class = self.problem.orbit_turns > 0
        self._signal = np.zeros(7, dtype=np.int64)
        self._shared = ws.make_tables(table_bits or table_bits_of(table.size))
        self._stored = ws.make_tables(STORED_BITS)
        busy = np.zeros(ws.BUSY_SLOTS, dtype=np.uint64)
        is_logged = checkpoint is not None
        self._workspaces = [
            ws.make_workspace(self.problem, self._shared, self._signal, busy, is_logged=is_logged)
            for _ in range(threads)
        ]
        self._checkpoint = checkpoint
        self._nodes = 0
        self._is_beam = width > 0
        self.proven = None if checkpoint is None else checkpoint.proven(weights)
        """Bounds of earlier searches; None without a checkpoint."""

    # -- values --------------------------------------------------------------------------------

    def value(
        self,
        position: Position,
        *,
        budget: int = INFINITE - 1,
        progress: ReportProgress | None = None,
        timer: Timer = UNLIMITED,
    ) -> Bounds:
        """Find the least cost of a position, or prove that it exceeds `budget`.

        A time limit, or Ctrl-C, which is not raised, ends the search with what is proved by then.
        Raises `HorizonError` if uncapped weights do not reach far enough.
        """
        self.stopped = False
        self.best_guess = None
        if len(position.candidates) <= 2:
            return self._settled(position)
        tried = self.tried
        run = partial(self._run, position=position, budget=budget, order=ws.BY_BOUND)
        threads = 1 if len(position.candidates) < SHARED_SIZE else self.threads
        value = self._together(run, threads, position, timer, progress)
        if any(work.result[ws.TOO_DEEP] for work in self._workspaces[:threads]):
            raise HorizonError(f"the search needs to look further than {self.weights.turns} turns")
        best, guess = self._best()
        bounds = Bounds(value, best if self.stopped or value > budget else value)
        self.best_guess = guess if best == bounds.upper else None
        if self.proven is not None:
            self.remember(position, bounds, self.tried - tried, self.best_guess)
        return bounds

    def cost(self, position: Position, budget: int = INFINITE - 1, timer: Timer = UNLIMITED) -> int:
        """Return the value, or `INFINITE`, by one thread: for small positions, or a warm table.

        If the value exceeds `budget`, a lower bound that does too.  Ctrl-C is raised.  Raises
        `OutOfTimeError` if the time is over before.
        """
        if len(position.candidates) <= 2:
            return self._settled(position).lower
        return min(self._run_alone(position, budget, ws.BY_BOUND, timer), INFINITE)

    def guesses_within(self, position: Position, budget: int) -> tuple[CodeIndex, ...]:
        """Return the guesses that cost at most `budget`, one a class; of 3 candidates or more."""
        if self._run_alone(position, budget, ws.ALL, UNLIMITED) > budget:
            return ()
        work = self._workspaces[0]
        return tuple(work.guesses[position.turn, : work.result[ws.TIES]].tolist())

    def parts(self, position: Position, guess: CodeIndex) -> dict[AnswerIndex, Position]:
        """Return the position after each answer to `guess`; after the win, it is at this turn."""
        guesses = None if position.guesses is None else (*position.guesses, guess)
        codes = np.array(position.candidates)
        answers = self.table.responses[codes, guess]
        parts = {}
        for answer in np.unique(answers).tolist():
            part = tuple(codes[answers == answer].tolist())
            if answer == self.table.win:
                parts[answer] = Position(part, position.turn)
            else:
                parts[answer] = Position(part, position.turn + 1, guesses)
        return parts

    # -- strategies ----------------------------------------------------------------------------

    def guess(
        self, position: Position, value: int | None = None, timer: Timer = UNLIMITED
    ) -> CodeIndex:
        """Return the optimal guess of a position by the order of `bullscows.search.solver`.

        `value` is the value of the position, if known; the result is -1 if no guess attains it.
        Ctrl-C is raised.  Raises `SearchError` if the turns do not suffice, `OutOfTimeError` if
        the time is over before.
        """
        timer.check()
        candidates = position.candidates
        special = self._special(position)
        if special is not None:
            return special
        if len(candidates) <= TIED_SIZE and not self._by_class:  # a rule breaks ties by names
            self._begin(position)
            self._run(self._workspaces[0], position, len(candidates), ws.FEWEST)
            guess = int(self._workspaces[0].result[ws.GUESS])
        else:
            cost = self.cost(position, timer=timer) if value is None else value
            guess = self._first_tie(position, cost, timer) if cost < INFINITE else -1
        if guess < 0 and value is None:
            raise SearchError(f"turn {position.turn} comes too late for what is left")
        return guess

    def _first_tie(self, position: Position, value: int, timer: Timer) -> CodeIndex:
        """Return the first guess that attains the value, candidates before others."""

        def run(work: ws.Workspace) -> int:
            self._run(work, position, value, ws.BY_TIE)
            return int(work.result[ws.GUESS])

        return self._finished(run, self.threads, position, timer)

    def strategy(
        self, position: Position, first: CodeIndex | None = None, timer: Timer = UNLIMITED
    ) -> Nodes:
        """Return the nodes of the optimal tree, with codes by their number in the game.

        `first` is the guess at the position itself, by number, if it is given.  Errors are those of
        `guess`.
        """
        guesses: list[CodeIndex] = []
        edges: list[tuple[int, AnswerIndex]] = []
        sizes: list[int] = []
        codes: list[CodeIndex] = []
        queue = [position]
        for node, here in enumerate(queue):
            guess = first if first is not None else self.guess(here, timer=timer)
            first = None
            for answer, part in self.parts(here, guess).items():
                if answer != self.table.win:
                    edges.append((node, answer))
                    queue.append(part)
            guesses.append(self.table.code(guess))
            sizes.append(len(here.candidates))
            codes += map(self.table.code, here.candidates)
        return Nodes.of(guesses, edges, sizes, codes, position.turn)

    def _settled(self, position: Position) -> Bounds:
        """Return the cost of one or two candidates: guess one, then the other."""
        last = len(self.problem.weights) - 1
        turns = range(position.turn, position.turn + len(position.candidates))
        cost = min(sum(int(self.problem.weights[min(turn, last)]) for turn in turns), INFINITE)
        return Bounds(cost, cost if cost < INFINITE else None)

    def _special(self, position: Position) -> CodeIndex | None:
        """Return the first candidate that splits all candidates into parts of one, if any."""
        count = len(position.candidates)
        if count <= 2:
            return position.candidates[0]
        if count > self.table.answers:
            return None
        codes = np.array(position.candidates, dtype=np.intp)
        number = first_apart(self.table.responses[np.ix_(codes, codes)])
        return None if number is None else position.candidates[number]

    def _run_alone(self, position: Position, budget: int, order: int, timer: Timer) -> int:
        """Run one thread; for a small position the calling one, which takes less time."""
        if len(position.candidates) < SHARED_SIZE:
            self._begin(position)
            return self._run(self._workspaces[0], position, budget, order)
        run = partial(self._run, position=position, budget=budget, order=order)
        return self._finished(run, 1, position, timer)

    def _finished(
        self, run: Callable[[ws.Workspace], int], threads: int, position: Position, timer: Timer
    ) -> int:
        """Run threads; raise `KeyboardInterrupt` or `OutOfTimeError` if they were stopped."""
        value = self._together(run, threads, position, timer)
        if self.stopped:
            raise KeyboardInterrupt if self.interrupted else OutOfTimeError
        return value

    def _run(self, work: ws.Workspace, position: Position, budget: int, order: int) -> int:
        """Load a position into a workspace and search it.

        The symmetry of its history is found if it can save more than it costs, or is needed.
        """
        turn = position.turn
        count = len(position.candidates)
        guesses = position.guesses
        if turn > self.problem.turns:
            work.result[ws.GUESS] = -1
            return INFINITE
        work.members[turn, :count] = position.candidates
        is_small = count < SYMMETRIC_SIZE or turn > ws.STAB_TURNS
        is_used = self._by_class or not is_small
        if guesses is None or self.table.rules is None or not is_used:
            guesses = ()
            turns = -1
        else:
            turns = len(guesses)
        history = np.array(guesses, dtype=np.int64)
        node = ws.Node(0, count, turn, self.problem.answers - 1, order)
        return entry.search(self.problem, work, self._stored, history, turns, node, budget)

    def _begin(self, position: Position) -> None:
        self._signal[:] = 0
        for work in self._workspaces:
            work.result[ws.BEST] = INFINITE
        self._signal[ws.SIGNAL_TURN] = position.turn
        if len(position.candidates) >= SHARED_SIZE:
            self._signal[ws.SIGNAL_THREADS] = self.threads

    def _together(
        self,
        run: Callable[[ws.Workspace], int],
        threads: int,
        position: Position,
        timer: Timer,
        progress: ReportProgress | None = None,
    ) -> int:
        """Run threads; return the value of `run_together`, and note whether they were stopped."""
        self._begin(position)
        if self.proven is not None:
            self._start_log(position, self.proven)

        def report(seconds: float) -> None:
            if self.proven is not None:
                self._collect(self.proven)
            if progress is not None:
                progress(self._progress(seconds))

        value, self.stopped, interrupted = run_together(
            [partial(run, work) for work in self._workspaces[:threads]],
            self._signal,
            timer=timer,
            report=None if progress is None and self.proven is None else report,
        )
        if self.proven is not None:
            self._collect(self.proven)
        self.interrupted |= interrupted
        return value

    def _progress(self, seconds: float) -> Progress:
        guess, done = self._signal[ws.SIGNAL_GUESS : ws.SIGNAL_DONE + 1].tolist()
        best, _ = self._best()
        code = self.table.code(guess - 1) if guess else None
        return Progress(seconds, self.counters()["nodes"], code, done, best)

    def _best(self) -> tuple[int | None, int | None]:
        """Return the cost of the best guess that a thread has tried at the root, and the guess."""
        found = [work.result[ws.BEST : ws.BEST_GUESS + 1].tolist() for work in self._workspaces]
        cost, guess = min(found)
        return (cost, guess) if cost < INFINITE else (None, None)

    def counters(self) -> dict[str, int]:
        """Return the work since the search was made: nodes, and the cuts of each pruning rule."""
        total = np.sum([work.counters for work in self._workspaces], axis=0)
        return dict(zip(ws.COUNTED, total.tolist(), strict=True))

    @property
    def tried(self) -> int:
        """The number of guesses tried since the search was made."""
        return sum(int(work.counters[ws.TRIED]) for work in self._workspaces)

    # -- the checkpoint ------------------------------------------------------------------------

    def take_over(self, position: Position) -> None:
        """Put the bounds of the checkpoint into the transposition table.

        Not those of early turns if rules break ties by names there: they depend on the history.
        """
        if self.proven is None:
            return
        rows = np.concatenate([self.proven.take(), self.proven.read])
        if len(rows) == 0:
            return
        left = np.array(position.candidates)
        for number, candidates in candidates_of(self.table, left, rows, self.proven.first_turn):
            _, _, turn, _, lower, upper = rows[number, : log.GUESS].tolist()
            if turn > self.problem.turns:
                raise CheckpointError(f"no position has its next guess at turn {turn}")
            place, check = key = np.array(self._key(candidates, turn), dtype=np.uint64)
            if turn > self.problem.orbit_turns:
                store(*self._shared, place, check, lower, int(lower == upper), len(candidates))
            rows[number, [log.PLACE, log.CHECK]] = key.view(np.int64)
        self.proven.add(rows)
        self.proven.read = no_rows()

    def take_in(self, rows: Numbers, nodes: int, tried: int) -> None:
        """Add what another search of the same question has proved, and its work."""
        counters = self._workspaces[0].counters
        counters[ws.NODES] += nodes
        counters[ws.TRIED] += tried
        self._nodes += nodes
        if self.proven is not None:
            self.proven.add(rows)
            self.proven.nodes += nodes
            self._collect(self.proven)

    def _key(self, candidates: Sequence[int] | NDArray[np.intp], turn: int) -> tuple[int, int]:
        work = self._workspaces[0]
        count = len(candidates)
        work.members[turn, :count] = candidates
        return key_of(self.problem, work, turn, 0, count)

    def _turns(self, position: Position) -> Turns | None:
        """Return the turns to a position; None if they are unknown, or there is no checkpoint."""
        if self.proven is None or position.guesses is None:
            return None
        answers = self.table.responses[position.candidates[0], list(position.guesses)]
        return tuple(zip(map(self.table.code, position.guesses), answers.tolist(), strict=True))

    def _start_log(self, position: Position, proven: ProvenBounds) -> None:
        """Let the threads log what they prove, if the turns to the position are known."""
        turns = self._turns(position)
        for work in self._workspaces:
            work.log_ends[:] = 0
            for turn, (guess, answer) in enumerate(turns or (), start=1):
                work.path[turn] = self.table.number(guess) * log.ANSWERS + answer
        if turns is not None:
            self._signal[ws.SIGNAL_LOG] = proven.least_effort
            self._signal[ws.SIGNAL_FROM] = proven.first_turn

    def _collect(self, proven: ProvenBounds) -> None:
        """Read the logs of the threads, and save the checkpoint if that is due."""
        nodes = self.counters()["nodes"]
        if self._signal[ws.SIGNAL_LOG]:
            for work in self._workspaces:
                rows = log.read_log(work)
                if self._is_beam:
                    rows = rows[rows[:, log.UPPER] != log.NONE]
                    rows[:, log.LOWER] = 0
                proven.add(self._by_code(rows))
            proven.nodes += nodes - self._nodes
            self._signal[ws.SIGNAL_LOG] = proven.least_effort
        self._nodes = nodes
        if self._checkpoint is not None:
            self._checkpoint.save_if_due()

    def _by_code(self, rows: Numbers) -> Numbers:
        """Return rows whose guesses are codes instead of numbers of the table."""
        if self.table.codes is not None:
            steps = rows[:, log.STEPS :]
            numbers, answers = np.divmod(steps, log.ANSWERS)
            steps[:] = self.table.codes[numbers] * log.ANSWERS + answers
            is_known = rows[:, log.GUESS] > 0
            rows[is_known, log.GUESS] = self.table.codes[rows[is_known, log.GUESS] - 1] + 1
        return rows

    def remember(
        self,
        position: Position,
        bounds: Bounds,
        effort: int | None = None,
        guess: int | None = None,
    ) -> None:
        """Keep bounds of a position in the checkpoint, if there is one.

        Bounds that took too little effort (guesses tried) are not kept; None: always kept.
        `guess`, by number, attains the upper bound, if there is one.
        """
        turns = self._turns(position)
        proven = self.proven
        if proven is None or turns is None or len(position.candidates) <= 2:
            return
        turns = turns[proven.first_turn - 1 :]
        is_cheap = effort is not None and effort < proven.least_effort
        if is_cheap or not 0 < len(turns) <= log.DEPTH:
            return
        lower = 0 if self._is_beam else min(bounds.lower, INFINITE)
        attaining = None if guess is None or bounds.upper is None else self.table.code(guess)
        known = Bounds(lower, bounds.upper)
        row = np.array([row_of(position.turn, known, effort or 0, attaining, turns)])
        key = np.array(self._key(position.candidates, position.turn), dtype=np.uint64)
        row[0, [log.PLACE, log.CHECK]] = key.view(np.int64)
        proven.add(row)

    def recalled(self, position: Position) -> Bounds:
        """Return the bounds of a position in the checkpoint."""
        row = self._row(position)
        return Bounds() if row is None else bounds_of(row)

    def recalled_guess(self, position: Position) -> int | None:
        """Return the guess of the checkpoint that attains its upper bound of a position, if any.

        It has a guess for one history of each position; another history that a symmetry maps to
        this one gets the image of the guess.
        """
        row = self._row(position)
        rules = self.table.rules
        ours = self._turns(position)
        if self.proven is None or row is None or not row[log.GUESS] or not ours or rules is None:
            return None
        before = ours[: self.proven.first_turn - 1]
        theirs = turns_of(row, self.proven.first_turn)
        form = canonical_form(History(rules, before + theirs))
        here = canonical_form(History(rules, ours))
        if form.history != here.history:
            return None
        return self.table.number(here.named_back(form.image(row[log.GUESS] - 1)))

    def _row(self, position: Position) -> list[int] | None:
        """Return the row of a position in the checkpoint."""
        if self.proven is None or len(position.candidates) <= 2:
            return None
        return self.proven.find(self._key(position.candidates, position.turn))


def _check_compiled(timer: Timer) -> None:
    """Raise `OutOfTimeError` if the search is not compiled, and there is too little time for it."""
    left = timer.share()
    kernel: Any = entry.search
    if left is not None and left < COMPILING_SECONDS and not kernel.is_compiled:
        _logger.info(POSTPONED)
        raise OutOfTimeError


def table_bits_of(size: int) -> int:
    """Return a size that suits a full search: 4 MB, 64 MB, or 256 MB for the largest games."""
    if size <= 1500:
        return 18
    return 22 if size <= 7000 else 24
