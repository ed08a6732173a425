"""Positions of the part of a game that is split into tasks, and the guesses worth a try at each.

Nothing here needs the compiled search: the guesses that symmetry leaves are bounded by the sizes
of their parts (docs/proof.md, "Fan-out").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import log2

import numpy as np

from bullscows.game.cost import Bounds
from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Objective
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import representatives
from bullscows.kernels.bounds import cheapest
from bullscows.search.position import Position


@dataclass(frozen=True)
class Option:
    """A guess at a position that is split."""

    guess: CodeIndex
    rank: tuple[bool, CodeIndex]
    """The order of ties: candidates first, then by number."""
    won: int
    """The cost of the secret that the guess finds, 0 if it is no candidate."""
    parts: tuple[tuple[AnswerIndex, int], ...]
    """The other answers with the number of secrets of each, largest first."""
    bound: int
    """No strategy with this guess costs less."""


@dataclass
class Place:
    """A position of the part of the game that is split, or at its edge."""

    question: Question
    count: int
    """How many candidates it has."""
    fan_out: int
    """No guess splits any of its subsets into more parts, its own win left out."""
    below: dict[tuple[CodeIndex, AnswerIndex], Place] = field(default_factory=dict)
    """The positions one turn later that have been looked at."""
    bounds: Bounds | None = None
    """What its own splitting has proven."""
    best: Option | None = None

    @cached_property
    def key(self) -> str:
        """The address of its task."""
        return self.question.key

    def then(self, option: Option, answer: AnswerIndex, count: int) -> Place:
        """Return the position after a guess and its answer."""
        turn = (option.guess, answer)
        if turn not in self.below:
            self.below[turn] = Place(self.question.then(*turn), count, self.split[1])
        return self.below[turn]

    @property
    def options(self) -> list[Option]:
        """The guesses worth a try, most promising first."""
        return self.split[0]

    @cached_property
    def split(self) -> tuple[list[Option], int]:
        """The guesses, and the fan-out of the positions below: no more parts than seen here."""
        return _options(self.question, self.fan_out)


def place_of(question: Question) -> Place:
    """Return the place of a question's position, nothing of it looked at."""
    return Place(question, len(candidates_of(question)), table_of(question).answers - 1)


def candidates_of(question: Question) -> tuple[CodeIndex, ...]:
    """Return the candidates of a question's position, ascending."""
    return Position.after(table_of(question), question.history).candidates


@lru_cache(maxsize=2)
def _table_of(rules: Rules) -> ResponseTable:
    return ResponseTable.of(rules)


def table_of(question: Question) -> ResponseTable:
    """Return the responses of a question's game; those of the last two games are kept."""
    return _table_of(question.rules)


@lru_cache(maxsize=1 << 16)
def _least_cost(
    rules: Rules, objective: Objective, max_turns: int | None, turn: int, count: int, fan_out: int
) -> int:
    weights = Question(History(rules), objective, max_turns).weights()
    if weights.capped and turn + min(count, 2) - 1 > weights.turns:
        return INFINITE
    return min(cheapest(count, weights.values, fan_out, turn), INFINITE)


def least(question: Question, count: int, fan_out: int, later: int = 0) -> int:
    """Return a lower bound of the cost of `count` candidates; the cost itself for one or two."""
    turn = question.turn + later
    return _least_cost(question.rules, question.objective, question.max_turns, turn, count, fan_out)


def _options(question: Question, fan_out: int) -> tuple[list[Option], int]:
    """List the guesses that tell something apart, by bound, then by how finely they split.

    The second value is the fan-out below: a guess splits a subset into no more parts than the
    set, so the most parts that any guess makes here, its own win left out, cap it (docs/proof.md,
    "Fan-out").
    """
    table = table_of(question)
    codes = np.array(candidates_of(question))
    answers = [answer for _, answer in question.history]
    guesses = representatives(question.rules, question.history.guesses, answers=answers)
    split = table.responses[np.ix_(codes, guesses)]
    sizes = np.stack([(split == answer).sum(axis=0) for answer in range(table.answers)], axis=1)
    open_parts = (sizes > 0).sum(axis=1) - (sizes[:, table.win] > 0)
    fan_out = min(fan_out, int(open_parts.max()))
    ranked = []
    for guess, row in zip(guesses.tolist(), sizes.tolist(), strict=True):
        if max(row) < len(codes):
            option = _option(question, fan_out, guess, row)
            disorder = sum(count * log2(count) for _, count in option.parts)
            ranked.append((option.bound, disorder, option.rank, option))
    return [entry[-1] for entry in sorted(ranked, key=lambda entry: entry[:3])], fan_out


def _option(question: Question, fan_out: int, guess: CodeIndex, sizes: list[int]) -> Option:
    win = question.rules.win
    wins = sizes[win] > 0
    weights = question.weights().values
    won = weights[min(question.turn, len(weights)) - 1] if wins else 0
    parts = [(answer, count) for answer, count in enumerate(sizes) if count and answer != win]
    parts.sort(key=lambda part: (-part[1], part[0]))
    bound = won + sum(least(question, count, fan_out, later=1) for _, count in parts)
    return Option(guess, (not wins, guess), won, tuple(parts), min(bound, INFINITE))
