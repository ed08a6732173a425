"""The exact search: optimal value, guess and tree of any position, for any objective.

`solve` answers one question; a `Search` keeps its tables and answers many.  The result depends on
the position, the table and the weights alone: not on the number of threads, the techniques, or
what was asked before.  Of several optimal guesses the one reported is, in this order,

1. at a special position, the first candidate that splits all candidates into parts of one;
2. with up to 100 candidates, one whose best optimal tree stores the fewest nodes
   (`bullscows.kernels.ties`);
3. the lexicographically least candidate of these;
4. the lexicographically least of these.

The value is found first, in the order that proves it soonest; the guess second, by trying the
guesses, candidates first, against the known value with a warm table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from bullscows.game.candidates import table_after
from bullscows.game.cost import Bounds
from bullscows.game.history import History, HistoryError, Played, Turn
from bullscows.game.objective import (
    MAX_TURNS,
    Objective,
    combine,
)
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.kernels.arrays.problem import EVERY_TECHNIQUE, Techniques
from bullscows.search.bounding import Bounding, tree_of
from bullscows.search.checkpoint import ALL, CANDIDATES, Asked, Checkpoint
from bullscows.search.position import (
    GuessError,
    HorizonError,
    Position,
    Progress,
)
from bullscows.search.proven import CheckpointError
from bullscows.search.resuming import Recheck, check_cost, rechecked, start_from
from bullscows.search.search import Search
from bullscows.search.solution import Solution
from bullscows.tree.files import TreeFile

FIRST_HORIZON = 16
"""Turns looked ahead at first when the rules set no cap."""

LARGE_GAME = 10_000
"""Games of so many codes are bounded from both sides, which an interrupt needs, also when no time
limit is given: it takes a third longer than one question, which tells no bounds on the way."""

MAX_HORIZON = MAX_TURNS
"""Turns looked ahead at most: the recursion is as deep as the turns."""


def solve(
    game: ResponseTable | Rules | str,
    objective: Objective | str = "average",
    *,
    history: Played = (),
    first: CodeIndex | str | None = None,
    max_turns: int | None = None,
    jobs: int = 1,
    techniques: Techniques = EVERY_TECHNIQUE,
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
        What to minimise (`bullscows.game.objective`), as a value or as text.
    history
        The guesses and answers so far: a `History`, text, or pairs.
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
    table_bits
        As for a `Search`; of the searches that one question takes there are two at once at most.
    candidates_only
        Must each guess be a candidate, that is, possible after all answers (Francis, "possibles
        only")?  Then the optimum is that of such strategies.
    checkpoint
        A file of proven bounds (`bullscows.search.checkpoint`): the search continues from it if it
        exists, writes it every five minutes at least, and when it ends, also by Ctrl-C.
    known
        A tree of the whole game: with a checkpoint, what it costs is an upper bound from the
        start.

    Returns
    -------
    Solution
        `optimal`, or with bounds after a time limit or Ctrl-C, or not `feasible`.

    Raises
    ------
    ObjectiveError
        If the objective, its weights or its turns make no sense.
    HistoryError, GuessError, SearchError
        If the question makes no sense; `InconsistentError` if no code fits all answers.
    CheckpointError
        If the checkpoint is damaged, belongs to another question or another engine, or has bounds
        that the strategy found contradicts.
    OSError
        If the checkpoint can't be read or written.
    RulesError, CodeError, AnswerError
        If a text can't be read.
    """
    table, criteria = _table(game, history), Objective.of(objective)
    turns = _turns(table, history)
    position = Position.after(table, turns)
    only = None if first is None else _first_guess(table, position, first)
    if candidates_only and only is not None:
        _check_candidate(table, position, only)
    cap = criteria.turns_allowed(max_turns)
    asked = _asked(table, criteria, cap, history, only, candidates_only)
    file = None if checkpoint is None else Checkpoint(Path(checkpoint), asked, table.rules)
    run = _Run(
        table,
        turns,
        position,
        only,
        jobs,
        techniques,
        progress,
        time_limit,
        table_bits,
        candidates_only,
        file,
        known,
    )
    with nullcontext() if file is None else file.saved_at_end():
        return run.answer(criteria, cap)


def recheck(
    game: ResponseTable | Rules | str,
    objective: Objective | str = "average",
    *,
    checkpoint: Path | str,
    count: int,
    history: Played = (),
    first: CodeIndex | str | None = None,
    max_turns: int | None = None,
    jobs: int = 1,
    candidates_only: bool = False,
) -> Iterator[Recheck]:
    """Search up to `count` random positions of a checkpoint again, without its bounds.

    The question is that of `solve`, which has the same parameters and raises the same errors.
    Ctrl-C ends the recheck.
    """
    table, criteria = _table(game, history), Objective.of(objective)
    position = Position.after(table, _turns(table, history))
    only = None if first is None else _first_guess(table, position, first)
    cap = criteria.turns_allowed(max_turns)
    asked = _asked(table, criteria, cap, history, only, candidates_only)
    if not Path(checkpoint).exists():
        raise CheckpointError(f"there is no file {checkpoint}")
    return rechecked(table, Checkpoint(Path(checkpoint), asked, table.rules), count, jobs)


def _asked(
    table: ResponseTable,
    objective: Objective,
    max_turns: int | None,
    history: Played,
    first: CodeIndex | None,
    candidates_only: bool,
) -> Asked:
    """Return the question as a checkpoint states it."""
    rules = table.rules
    return Asked(
        str(rules or table.name),
        str(objective),
        max_turns,
        "" if rules is None else str(History.of(rules, history)),
        None if first is None or rules is None else rules.text(table.code(first)),
        CANDIDATES if candidates_only else ALL,
    )


def _table(game: ResponseTable | Rules | str, history: Played) -> ResponseTable:
    """Return the table of a game, or of a large one as many rows as the position needs."""
    if isinstance(game, ResponseTable):
        return game
    return table_after(History.of(game, history))


def _turns(table: ResponseTable, history: Played) -> Sequence[Turn]:
    """Return a history by number; a text needs rules that say how codes are written."""
    if table.rules is not None:
        return History.of(table.rules, history)
    if isinstance(history, str) or any(isinstance(word, str) for turn in history for word in turn):
        raise HistoryError("a game without rules has no texts: give guesses and answers by number")
    return [(int(guess), int(answer)) for guess, answer in history]


def _first_guess(table: ResponseTable, position: Position, guess: CodeIndex | str) -> CodeIndex:
    """Return the table's number of a first guess, if it is one and tells something."""
    if isinstance(guess, str):
        if table.rules is None:
            raise GuessError(f"a game without rules has no texts: give {guess[:20]!r} by number")
        guess = table.rules.parse_code(guess)
    if not 0 <= guess < table.size:
        raise GuessError(f"first guess {guess} is not in 0 to {table.size - 1}")
    number = table.number(guess)
    answers = table.responses[list(position.candidates), number]
    if len(position.candidates) > 1 and len(set(answers.tolist())) == 1:
        name = guess if table.rules is None else table.rules.text(guess)
        raise GuessError(f"first guess {name} tells no two candidates apart")
    return number


def _check_candidate(table: ResponseTable, position: Position, number: CodeIndex) -> None:
    if number not in position.candidates:
        guess = table.code(number)
        name = guess if table.rules is None else table.rules.text(guess)
        raise GuessError(f"first guess {name} is no candidate, and only candidates may be guessed")


@dataclass
class _Run:
    """The searches that one question takes, with all that does not depend on the objective."""

    table: ResponseTable
    turns: Sequence[Turn]
    position: Position
    first: CodeIndex | None
    jobs: int
    techniques: Techniques
    progress: Callable[[Progress], None] | None
    time_limit: float | None
    table_bits: int | None
    candidates_only: bool
    checkpoint: Checkpoint | None
    known: TreeFile | None
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
            target = self._minimise(criteria, criteria, max_turns, value_only=True)
            if not target.optimal or target.upper is None:
                return target
            wanted = target.upper
            del target  # its search goes before the next begins
        last = max_turns or self.position.turn + MAX_HORIZON
        found: Solution | None = None
        for cap in range(self.position.turn, last + 1) or (last,):
            del found  # its search goes before the next begins
            found = self._minimise(criteria, criteria, cap, value_only=True)
            if found.optimal and found.upper == wanted:
                return cap
            if found.feasible is None:
                # Not finished: all that is known is that no fewer turns are enough.
                lower = wanted if before else cap
                return replace(found, max_turns=max_turns, lower=lower, upper=None)
        assert found is not None
        return found

    def _minimise(
        self,
        shown: Objective,
        objective: Objective,
        max_turns: int | None,
        *,
        value_only: bool = False,
    ) -> Solution:
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
            search = Search(
                self.table,
                weights,
                jobs=self.jobs,
                techniques=self.techniques,
                table_bits=self.table_bits,
                candidates_only=self.candidates_only,
                checkpoint=self.checkpoint,
            )
            try:
                return self._search(shown, search, max_turns, value_only)
            except HorizonError:
                if horizon >= MAX_HORIZON:
                    raise
                horizon = min(2 * horizon, MAX_HORIZON)

    def _search(
        self, shown: Objective, search: Search, max_turns: int | None, value_only: bool
    ) -> Solution:
        """Run one search, and its tie-break, which takes long where all costs are 0, if wanted."""
        bounds = self._bounds(search)
        guess = self.first
        if bounds.exact and bounds.upper is not None and guess is None and not value_only:
            guess = search.guess(self.position, bounds.upper)
        solution = Solution(
            shown,
            self.position,
            None if self.first is None else self.table.code(self.first),
            max_turns,
            bounds.lower,
            bounds.upper,
            None if guess is None else self.table.code(guess),
            search.counters(),
            time.monotonic() - self.started,
            search.interrupted,
            search,
        )
        if search.proven is not None and solution.optimal and solution.guess is not None:
            check_cost(solution)
        return solution

    def _bounds(self, search: Search) -> Bounds:
        """Search for the value, from what a checkpoint knows of it."""
        search.take_over(self.position)
        proven = search.proven
        if self.known is not None:
            start_from(search, self.position, self.first, self.known)
        if proven is not None and proven.bounds.exact:
            return proven.bounds
        left = None
        if self.time_limit is not None:
            left = max(self.time_limit - (time.monotonic() - self.started), 0.0)
        if self.first is None and left is None and self.table.size < LARGE_GAME:
            bounds = search.value(self.position, progress=self.progress)
        else:
            tree, option = tree_of(search, self.turns), None
            if self.first is not None:
                option = tree.option(tree.root, self.table.code(self.first))
            bounding = Bounding(search, tree, option=option, progress=self.progress)
            if proven is not None:
                bounding.learn(proven.bounds)
            bounds = bounding.bounds(left)
        if proven is not None:
            proven.learn(bounds)
            return proven.bounds
        return bounds
