"""The exact search: optimal value, guess and tree of any position, for any objective.

`solve` answers one question; a `Search` keeps its tables and answers many.  The result depends on
the position, the table and the weights alone: not on the number of threads, the techniques, or
what was asked before.  Of several optimal guesses the one reported is, in this order,

1. at a special position, the first candidate that splits all candidates into parts of one;
2. the lexicographically least candidate that is optimal;
3. the lexicographically least optimal guess.

The value is found first, in the order that proves it soonest; the guess second, by trying the
guesses in the order of ties against the known value with a warm table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields, replace
from typing import TypeAlias, cast

import numpy as np

from engine import branch
from engine import workspace as ws
from engine.bounds import cheapest
from engine.branch import BY_BOUND, BY_TIE
from engine.canonical import extend_history, start_history
from engine.objective import INFINITE, Objective, Weights, combine
from engine.rules import AnswerIndex, CodeIndex
from engine.table import ResponseTable
from engine.tree import StrategyTree

History: TypeAlias = Sequence[tuple[CodeIndex, AnswerIndex]]

FIRST_HORIZON = 16
"""Turns looked ahead at first when the rules set no cap."""

MAX_HORIZON = 512
"""Turns looked ahead at most: the recursion is as deep as the turns."""

SHARED_SIZE = 100
"""Positions with fewer candidates are left to one thread."""

POLL_SECONDS = 0.1
"""How often progress is told and the clock looked at."""


class SearchError(ValueError):
    """A question that no search can answer."""


class HistoryError(SearchError):
    """Answers that no secret gives, or guesses and answers that do not exist."""


class GuessError(SearchError):
    """A first guess that does not exist or tells nothing apart."""


@dataclass(frozen=True)
class Techniques:
    """Switches of the ways to leave work out; none of them changes a value or a tree."""

    size: bool = True
    """Bound a set by its size and the fan-out (paper, 2.5.2 and 2.5.3)."""
    parts: bool = True
    """Take guesses in waves of equal numbers of parts (Francis, Estimators)."""
    cap: bool = True
    """Cap the fan-out below a node by the largest number of parts seen at it."""
    members: bool = True
    """Settle small sets by their members alone (paper, 2.5.6)."""
    quick: bool = True
    """Bound all parts of a guess by a scan each before one is searched (paper, 2.5.7)."""
    table: bool = True
    """Keep values and bounds in a transposition table (paper, 2.5.9)."""
    canonical: bool = True
    """Key large sets by a relabelled image (paper, lemma 1)."""
    history: bool = True
    """Try one guess of each class that the history does not tell apart (paper, 2.3)."""
    symbols: bool = True
    """Try one guess of each class under swaps of symbols that fix the candidates."""
    order: bool = True
    """Try the most promising guess of a wave first (paper, 2.5.1)."""
    small_first: bool = True
    """Search small parts before large ones."""
    slack: bool = True
    """Leave a part as soon as its guess cannot be better than the best (paper, 2.5.4)."""

    @property
    def flags(self) -> int:
        """The switches as bits, in the order of the fields."""
        return sum(getattr(self, item.name) << bit for bit, item in enumerate(fields(self)))


@dataclass(frozen=True)
class Position:
    """What the search has to solve: candidates, and the turn of the next guess."""

    candidates: tuple[CodeIndex, ...]
    """The codes that are still possible secrets; ascending, at least one."""
    turn: int = 1
    """The number of the next guess."""
    guesses: tuple[CodeIndex, ...] | None = None
    """The guesses of a history that leaves just these candidates, for its symmetry; None if the
    candidates came from elsewhere."""

    @classmethod
    def after(cls, table: ResponseTable, history: History) -> Position:
        """Return the position after guesses and answers given by number.

        Raises
        ------
        HistoryError
            If a guess or an answer does not exist, or no secret gives these answers.
        """
        left = np.arange(table.size)
        for guess, answer in history:
            if not (0 <= guess < table.size and 0 <= answer < table.answers):
                raise HistoryError(f"no guess {guess} with answer {answer} in this game")
            left = left[table.responses[left, guess] == answer]
        if len(left) == 0:
            raise HistoryError(f"no secret gives these {len(history)} answers")
        guesses = tuple(guess for guess, _ in history)
        return cls(tuple(left.tolist()), len(history) + 1, guesses)


@dataclass(frozen=True)
class Progress:
    """How far a search is; told about ten times a second."""

    seconds: float
    nodes: int
    guess: CodeIndex | None
    """The guess under way at the root."""
    done: int
    """Guesses at the root that are settled."""
    best: int | None
    """The cost of the best guess so far."""


@dataclass(frozen=True)
class Statistics:
    """What a search did, and which rule cut how often."""

    counts: dict[str, int] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        """The number of sets that were searched."""
        return self.counts.get("nodes", 0)

    @property
    def scans(self) -> int:
        """The number of sets for which all guesses were scanned."""
        return self.counts.get("scans", 0)


_COUNTED = {
    "nodes": ws.NODES,
    "scans": ws.SCANS,
    "waves": ws.WAVES,
    "guesses bounded": ws.GUESSES,
    "guesses tried": ws.TRIED,
    "member checks": ws.MEMBERS,
    "quick bounds": ws.QUICK,
    "table hits": ws.HITS,
    "cut by size": ws.CUT_SIZE,
    "cut by members": ws.CUT_MEMBERS,
    "cut by parts": ws.CUT_PARTS,
    "cut by histogram": ws.CUT_HISTOGRAM,
    "cut by table": ws.CUT_TABLE,
    "cut by quick bounds": ws.CUT_QUICK,
    "cut by sum": ws.CUT_SUM,
    "cut by symbols": ws.CUT_SYMBOLS,
    "cut by history": ws.CUT_HISTORY,
}


class HorizonError(SearchError):
    """An uncapped search looked further ahead than its weights go."""


@dataclass(frozen=True)
class Outcome:
    """What one run of the search proved about a position."""

    lower: int
    """No strategy costs less; `INFINITE` or more: there is no strategy."""
    upper: int | None
    """What some strategy costs, if one is known."""

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.upper == self.lower or self.lower >= INFINITE


class Search:
    """A game with weights, its scratch and its transposition table.

    Parameters
    ----------
    table
        The responses of the game; at most 32 answers.
    weights
        The cost of each turn.
    jobs
        Threads that share the work.
    techniques
        What to use; all by default.
    table_bits
        The transposition table has ``2**table_bits`` entries of 16 bytes.

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
        techniques: Techniques | None = None,
        table_bits: int | None = None,
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
        self.problem = ws.make_problem(table, weights, (techniques or Techniques()).flags)
        self._signal = np.zeros(8, dtype=np.int64)
        self._shared = ws.make_tables(table_bits or _table_bits(table.size))
        busy = np.zeros(ws.BUSY_SLOTS, dtype=np.uint64)
        self._workspaces = [
            ws.make_workspace(self.problem, self._shared, self._signal, busy) for _ in range(jobs)
        ]

    # -- values --------------------------------------------------------------------------------

    def value(
        self,
        position: Position,
        *,
        budget: int = INFINITE - 1,
        progress: Callable[[Progress], None] | None = None,
        time_limit: float | None = None,
    ) -> Outcome:
        """Find the least cost of a position, or prove that it exceeds `budget`.

        A time limit, or Ctrl-C, ends the search with what is proven by then; after Ctrl-C the
        `KeyboardInterrupt` is not raised again.

        Raises
        ------
        HorizonError
            If the weights have no cap and do not reach far enough.
        """
        if len(position.candidates) <= 2:
            return self._settled(position)
        self._begin(position)
        with ThreadPoolExecutor(self.jobs) as pool:
            running = [
                pool.submit(self._run, work, position, budget, BY_BOUND)
                for work in self._workspaces
            ]
            stopped, value = self._watch(running, progress, time_limit)
        if any(work.counters[ws.BEYOND] for work in self._workspaces):
            raise HorizonError(f"the search needs to look further than {self.weights.turns} turns")
        if not stopped and value <= budget:
            return Outcome(value, value)
        best = int(self._signal[ws.SIGNAL_BEST]) - 1
        return Outcome(value, best if best >= 0 else None)

    def value_of_guess(
        self,
        position: Position,
        guess: CodeIndex,
        *,
        progress: Callable[[Progress], None] | None = None,
        time_limit: float | None = None,
    ) -> Outcome:
        """Find the least cost of a position whose next guess is given; the rest as `value`."""
        deadline = None if time_limit is None else time.monotonic() + time_limit
        lower = 0
        upper: int | None = 0
        for part, won in self._parts(position, guess):
            if won:
                outcome = self._settled(Position(part.candidates, position.turn))
            else:
                left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
                outcome = self.value(part, progress=progress, time_limit=left)
            lower = min(lower + outcome.lower, INFINITE)
            if upper is not None:
                upper = None if outcome.upper is None else upper + outcome.upper
        return Outcome(lower, upper if lower < INFINITE else None)

    def _parts(self, position: Position, guess: CodeIndex) -> Iterator[tuple[Position, bool]]:
        """Yield the positions after `guess`, and whether it has won there."""
        guesses = None if position.guesses is None else (*position.guesses, guess)
        codes = np.array(position.candidates)
        answers = self.table.responses[codes, guess]
        for answer in np.unique(answers):
            part = tuple(codes[answers == answer].tolist())
            yield Position(part, position.turn + 1, guesses), answer == self.table.win

    def guess(self, position: Position, value: int) -> CodeIndex:
        """Return the optimal guess of a position of known `value`, by the stated order of ties."""
        if len(position.candidates) <= 2:
            return position.candidates[0]
        special = self._special(position)
        if special is not None:
            return special
        self._begin(position)
        if self.jobs == 1 or len(position.candidates) < SHARED_SIZE:
            return self._first_in_order(self._workspaces[0], position, value)
        with ThreadPoolExecutor(self.jobs) as pool:
            running = [
                pool.submit(self._first_in_order, work, position, value)
                for work in self._workspaces
            ]
            return self._watch(running, None, None)[1]

    def _first_in_order(self, work: ws.Workspace, position: Position, value: int) -> int:
        self._run(work, position, value, BY_TIE)
        return int(work.counters[ws.GUESS])

    def tree(self, position: Position, first: CodeIndex | None = None) -> StrategyTree:
        """Return the whole optimal tree of a position, `first` being its first guess if given.

        Raises
        ------
        SearchError
            If the game has no rules, or the position cannot be solved within the turns.
        """
        rules = self.table.rules
        if rules is None:
            raise SearchError("a tree needs a game with rules")

        def choose(
            candidates: tuple[CodeIndex, ...], path: tuple[tuple[CodeIndex, AnswerIndex], ...]
        ) -> CodeIndex:
            if len(candidates) <= 2:
                return candidates[0]
            if not path and first is not None:
                return first
            guesses = None
            if position.guesses is not None:
                guesses = (*position.guesses, *(guess for guess, _ in path))
            here = Position(candidates, position.turn + len(path), guesses)
            return self.guess(here, self._known_value(here))

        return StrategyTree.grow(rules, choose, candidates=position.candidates)

    def _known_value(self, position: Position) -> int:
        """Return the exact value, without a thread of its own: the table is warm."""
        self._begin(position)
        value = self._run(self._workspaces[0], position, INFINITE - 1, BY_BOUND)
        if value >= INFINITE:
            raise SearchError(f"turn {position.turn} comes too late for what is left")
        return value

    # -- one run -------------------------------------------------------------------------------

    def _run(self, work: ws.Workspace, position: Position, budget: int, manner: int) -> int:
        """Load a position into a workspace and search it; the first thread ends the others."""
        turn = position.turn
        if turn > self.problem.turns:
            return INFINITE
        work.members[turn, : len(position.candidates)] = position.candidates
        self._load_history(work, position)
        work.counters[ws.BEYOND] = 0
        count = len(position.candidates)
        place, check = branch.key_of(self.problem, work, turn, 0, count, turn)
        return int(
            branch.solve(
                self.problem,
                work,
                0,
                count,
                turn,
                budget,
                self.problem.answers - 1,
                _word(place),
                _word(check),
                0,
                manner,
            )
        )

    def _begin(self, position: Position) -> None:
        self._signal[:] = 0
        self._signal[ws.SIGNAL_TURN] = position.turn
        if len(position.candidates) >= SHARED_SIZE:
            self._signal[ws.SIGNAL_JOBS] = self.jobs

    def _load_history(self, work: ws.Workspace, position: Position) -> None:
        work.stab_count[:] = 0
        if position.guesses is None or self.table.rules is None or position.turn > ws.STAB_TURNS:
            return
        start_history(self.problem, work, 1)
        for turn, guess in enumerate(position.guesses, start=1):
            extend_history(self.problem, work, turn, guess)

    def _watch(
        self,
        running: list[Future[int]],
        progress: Callable[[Progress], None] | None,
        time_limit: float | None,
    ) -> tuple[bool, int]:
        """Wait for the first thread; tell progress; stop all at the time limit or on Ctrl-C.

        Returns whether they were stopped, and the result of the first thread; if they were
        stopped, the best of their lower bounds.
        """
        started = time.monotonic()
        while not any(future.done() for future in running):
            try:
                elapsed = time.monotonic() - started
                left = (
                    POLL_SECONDS if time_limit is None else min(POLL_SECONDS, time_limit - elapsed)
                )
                wait(running, timeout=max(left, 0), return_when=FIRST_COMPLETED)
                elapsed = time.monotonic() - started
                if progress is not None:
                    progress(self._progress(elapsed))
                if time_limit is not None and elapsed >= time_limit:
                    break
            except KeyboardInterrupt:
                break
        first = next((future for future in running if future.done()), None)
        stopped = first is None or bool(self._signal[ws.SIGNAL_STOP])
        self._signal[ws.SIGNAL_STOP] = 1
        wait(running)
        if stopped or first is None:
            return True, max(future.result() for future in running)
        return False, first.result()

    def _progress(self, seconds: float) -> Progress:
        signal = self._signal
        return Progress(
            seconds,
            sum(int(work.counters[ws.NODES]) for work in self._workspaces),
            int(signal[ws.SIGNAL_GUESS]) - 1 if signal[ws.SIGNAL_GUESS] else None,
            int(signal[ws.SIGNAL_DONE]),
            int(signal[ws.SIGNAL_BEST]) - 1 if signal[ws.SIGNAL_BEST] else None,
        )

    def statistics(self) -> Statistics:
        """Return what has been counted since the search was made."""
        total = np.sum([work.counters for work in self._workspaces], axis=0)
        return Statistics({name: int(total[place]) for name, place in _COUNTED.items()})

    def _settled(self, position: Position) -> Outcome:
        """Return the cost of one or two candidates: guess one, then the other."""
        last = len(self.problem.weights) - 1
        turns = range(position.turn, position.turn + len(position.candidates))
        cost = min(sum(int(self.problem.weights[min(turn, last)]) for turn in turns), INFINITE)
        return Outcome(cost, cost if cost < INFINITE else None)

    def _special(self, position: Position) -> CodeIndex | None:
        """Return the first candidate that splits all candidates into parts of one, if any."""
        count = len(position.candidates)
        if count > self.table.answers:
            return None
        codes = np.array(position.candidates)
        made = self.table.responses[codes[:, None], codes[None, :]]
        ordered = np.sort(made, axis=0)
        apart = (ordered[1:] != ordered[:-1]).all(axis=0)
        return int(codes[np.argmax(apart)]) if apart.any() else None


def _word(number: int) -> int:
    """Return a uint64 that numba takes for one, however small it is."""
    return cast(int, np.uint64(number))


def _table_bits(size: int) -> int:
    return 18 if size <= 1500 else 22


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
        fan_out = max(self.search.table.answers - 1, 1)
        least = [
            cheapest(self.secrets, level.weights, fan_out, self.position.turn)
            for level in weights.levels
        ]
        costs = weights.split(self.upper, least)
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
    history: History = (),
    first: CodeIndex | None = None,
    max_turns: int | None = None,
    jobs: int = 1,
    techniques: Techniques | None = None,
    progress: Callable[[Progress], None] | None = None,
    time_limit: float | None = None,
) -> Solution:
    """Find and prove the optimum of a position.

    Parameters
    ----------
    table
        The responses of the game.
    objective
        What to minimise (`engine.objective`), as a value or as text.
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
    ask = _Question(table, position, first, jobs, techniques, progress, time_limit)
    return ask.answer(question, question.turns_allowed(max_turns))


def _check_first(table: ResponseTable, position: Position, first: CodeIndex) -> None:
    if not 0 <= first < table.size:
        raise GuessError(f"first guess {first} is not in 0 to {table.size - 1}")
    answers = table.responses[list(position.candidates), first]
    if len(position.candidates) > 1 and len(set(answers.tolist())) == 1:
        raise GuessError(f"first guess {first} tells no two candidates apart")


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
        last = max_turns or self.position.turn + MAX_HORIZON
        for cap in range(self.position.turn, last + 1):
            found = self._minimise(criteria, criteria, cap)
            if found.value == wanted:
                return cap
            if found.feasible is None:
                break
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
            search = Search(self.table, weights, jobs=self.jobs, techniques=self.techniques)
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
        if self.first is None:
            outcome = search.value(self.position, progress=self.progress, time_limit=left)
        else:
            outcome = search.value_of_guess(
                self.position, self.first, progress=self.progress, time_limit=left
            )
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
            search,
        )
