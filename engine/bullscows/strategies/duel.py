"""Best replies and champions of the duel, by exact search.

A strategy that is a best reply to itself is a *champion*: no strategy wins against it more often
than it loses. Proof: let ``f(x, y)`` be the expected wins minus losses of distribution ``x``
against ``y``; ``f(x, y) = -f(y, x)``, so ``f(c, c) = 0``, and if ``c`` is a best reply to ``c``,
``f(x, c) <= f(c, c) = 0`` for every strategy ``x``.

If the player who begins wins ties, there are two champions, each a best reply to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from bullscows.game import arguments
from bullscows.game.duel import (
    OPPOSITE,
    Lengths,
    Score,
    Tie,
    checked_lengths,
    objective_of,
    padded,
    reply_weights,
    score,
)
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.game.timer import ReportText
from bullscows.search.solution import Solution
from bullscows.search.solver import solve
from bullscows.tree.strategy_tree import StrategyError, StrategyTree

MAX_REPLIES = 50
"""Limit on the replies that are tried in a search for an unbeatable strategy."""


@dataclass(frozen=True)
class Reply:
    """A best reply, proved by search."""

    tree: StrategyTree
    """The strategy that replies."""
    score: Score
    """The shares of duels that it wins, draws and loses."""


@dataclass(frozen=True)
class Champions:
    """Two strategies, each a proved best reply to the other; the same one if ties are draws."""

    begins: Reply
    """The player that wins ties, or draws them; the score is that against the other."""
    follows: Reply
    """The player that loses ties, or draws them."""
    gains: tuple[Fraction, ...]
    """The net wins that each reply gained; the last gains nothing."""


def best_reply(
    game: ResponseTable | Rules | str, theirs: Lengths, tie: Tie = "draw", *, threads: int = 1
) -> Reply:
    """Find and prove the strategy with the most wins minus losses against a distribution.

    Examples
    --------
    >>> best_reply("p2c3n", (1, 2, 3)).score
    Score(won=14, drawn=13, lost=9)

    Parameters
    ----------
    game
        The game that the reply plays; the opponent can play another.
    theirs
        The opponent's distribution.
    tie
        The result of equal turns for the player who replies.
    threads
        Number of threads.

    Returns
    -------
    Reply
        The strategy and its score.

    Raises
    ------
    ObjectiveError
        If the counts are too large for the search.
    KeyboardInterrupt
        On Ctrl-C.
    """
    table = ResponseTable.of(game)
    arguments.threads(threads)
    theirs = checked_lengths(theirs)
    turns = 2 * len(theirs)
    while True:
        solution = _proved(table, objective_of(reply_weights(theirs, tie, turns)), threads)
        if solution.feasible is False:
            turns *= 2
            continue
        tree = solution.tree()
        if len(theirs) + tree.depth <= turns:  # no more turns are of use
            return Reply(tree, score(tree.distribution, theirs, tie))
        turns = len(theirs) + tree.depth


def champions(
    game: Rules | str, tie: Tie = "draw", *, threads: int = 1, progress: ReportText | None = None
) -> Champions:
    """Iterate best replies, from the smallest total on, until each is one to the other.

    Examples
    --------
    >>> champions("p2c3n").begins.tree.distribution
    (1, 3, 2)

    Parameters
    ----------
    game
        The rules.
    tie
        ``draw``: both guess equally often. ``won``: the player who begins wins ties.
    threads
        Threads.
    progress
        Receives the gain of each reply.

    Returns
    -------
    Champions
        The strategies of both players, with their scores.

    Raises
    ------
    StrategyError
        If the replies go round in a circle.
    """
    table = ResponseTable.of(game)
    arguments.threads(threads)
    arguments.choice("tie", tie, get_args(Tie))
    arguments.function("progress", progress, is_optional=True)
    gains: list[Fraction] = []
    follows = _proved(table, Objective.parse("average"), threads).tree()
    for _ in range(MAX_REPLIES):
        begins = best_reply(table, follows.distribution, tie, threads=threads)
        reply = best_reply(table, begins.tree.distribution, OPPOSITE[tie], threads=threads)
        gains.append(reply.score.net + begins.score.net)
        if progress is not None:
            progress(f"the best reply gains {float(gains[-1]):.6f} net wins a duel")
        if gains[-1] == 0:
            fair = score(follows.distribution, begins.tree.distribution, OPPOSITE[tie])
            return Champions(begins, Reply(follows, fair), tuple(gains))
        follows = reply.tree
    raise StrategyError(
        f"after {2 * MAX_REPLIES} best replies no two are one to the other: "
        "only a mixture of strategies may be unbeatable"
    )


def is_only_reply(
    game: ResponseTable | Rules | str,
    reply: Lengths,
    theirs: Lengths,
    tie: Tie = "draw",
    *,
    threads: int = 1,
) -> bool:
    """Prove whether all best replies have the same distribution, up to turns of equal weight.

    For each turn at which the weight grows, the search minimises the secrets that a best reply
    finds then or later. If `reply`, the distribution of one best reply, has no more than that at
    any of them, no best reply has fewer; and none has more, because the cost is the sum of these
    numbers times the growth, and equal for all best replies.
    """
    table = ResponseTable.of(game)
    weights = reply_weights(theirs, tie, len(theirs) + max(len(theirs), len(reply)))
    lengths = padded(reply, len(weights))
    cost = sum(count * weight for count, weight in zip(lengths, weights, strict=True))
    scale = sum(lengths) + 1
    for turn in range(1, len(weights)):
        if weights[turn] == weights[turn - 1]:
            continue
        finer = [scale * weight + (at >= turn) for at, weight in enumerate(weights)]
        solution = _proved(table, objective_of(finer), threads)
        if solution.cost.lower - scale * cost < sum(lengths[turn:]):
            return False
    return True


def _proved(table: ResponseTable, objective: Objective, threads: int) -> Solution:
    """Search to the end; if Ctrl-C stops it, raise the `KeyboardInterrupt`."""
    solution = solve(Question.of(table, (), objective), table=table, threads=threads)
    if not solution.optimal and solution.feasible is not False:
        raise KeyboardInterrupt
    return solution
