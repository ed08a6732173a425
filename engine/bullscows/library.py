"""Functions of the public API that take texts: each builds a `Question` and has it answered."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bullscows.game import arguments
from bullscows.game.history import Played
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.timer import Timer
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.search.executor import Cluster
from bullscows.search.position import ReportProgress
from bullscows.search.solution import Solution
from bullscows.search.solver import solve as solve_question
from bullscows.tree.files import TreeFile


def solve(
    game: ResponseTable | Rules | str,
    objective: Objective | str = "average",
    *,
    history: Played = (),
    first: CodeIndex | str | None = None,
    max_turns: int | None = None,
    threads: int = 1,
    pruning: Pruning = ALL_PRUNING,
    progress: ReportProgress | None = None,
    time_limit: float | None = None,
    table_bits: int | None = None,
    candidates_only: bool = False,
    secrets: Iterable[CodeIndex | str] | None = None,
    checkpoint: Path | str | None = None,
    known: TreeFile | None = None,
    cluster: Cluster | None = None,
) -> Solution:
    """Find and prove the optimum of a position.

    Examples
    --------
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
    secrets
        The codes that may be the secret, by number or text; None: all.  Every code may be guessed.
    checkpoint
        A file of proved bounds (`bullscows.search.checkpoint`): the search continues from it if it
        exists, writes it at least every five minutes, and when it ends, also by Ctrl-C.
    known
        A tree of the whole game, whose cost is an upper bound; needs a checkpoint.
    cluster
        The workers that search (`bullscows.search.executor`), instead of threads here.

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
        If the checkpoint can't be read or written; `ClusterError` if the cluster goes away.
    RulesError, CodeError, AnswerError
        If a text can't be read.
    """
    question = Question.of(
        game,
        history,
        objective,
        max_turns,
        first=first,
        candidates_only=candidates_only,
        secrets=secrets,
    )
    return solve_question(
        question,
        table=game if isinstance(game, ResponseTable) and secrets is None else None,
        threads=threads,
        pruning=pruning,
        progress=progress,
        timer=Timer(arguments.seconds("time_limit", time_limit)),
        table_bits=table_bits,
        checkpoint=checkpoint,
        known=known,
        cluster=cluster,
    )
