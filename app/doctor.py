"""What is wrong with answers that no code fits, and which single change would mend them.

Nobody chooses a contradiction; one of the answers was a slip.  A code that disagrees with exactly
one answer is a witness that this answer alone may be wrong, and says what it should have been.  So
one pass over all codes finds every single repair, and how many codes stand behind each.

A mended answer leads to another node, whose guesses the player has not been asked as a rule.  A
repair therefore leads to the position right after the mended turn, and on over the guesses that
were asked and answered all the same.  The number of codes counts the whole mended history, because
that is the evidence for this repair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.position import ContradictionError, Position
from app.slip import Correction
from engine.game.candidates import witnesses
from engine.game.history import Turns
from engine.game.rules import (
    Answer,
    AnswerIndex,
    CodeIndex,
)


@dataclass(frozen=True)
class Repair(Correction):
    """A correction, and where the game goes on after it."""

    position: Position
    """The game right after the mended turn."""
    onward: Position
    """The same, past the guesses that come next and have been answered already."""


@dataclass(frozen=True)
class Check:
    """One turn, held against the secret."""

    turn: int
    """The turn, 1 for the first."""
    guess: str
    """What was asked, as it was shown."""
    given: Answer
    """What was answered."""
    correct: Answer
    """What the secret answers."""

    @property
    def is_correct(self) -> bool:
        """Whether the answer was right."""
        return self.given == self.correct


def resume(position: Position, known: Mapping[CodeIndex, AnswerIndex]) -> Position:
    """Return where a game stands after the guesses whose answers are known, as far as they come.

    Raises
    ------
    ContradictionError
        If no code gives all these answers.
    """
    while not position.is_finished and position.node.guess in known:
        position = position.after(known[position.node.guess])
    return position


def repairs(error: ContradictionError) -> list[Repair]:
    """Return every single answer that may be wrong, the refused one too, most plausible first.

    An empty list means that at least two answers are wrong.
    """
    position = error.position
    history = (*_path(position), (position.node.guess, error.answer))
    return _repairs(position, history)


def suspects(position: Position, right: AnswerIndex | None = None) -> list[Repair]:
    """Return the earlier answers that may be wrong if the right answer is not among the choices.

    These are the repairs under which the guess on the board gets the answer `right`, or any that
    is not offered now.  An empty list means that at least two answers are wrong, or that no such
    answer is `unoffered`.
    """
    if position.is_finished:
        return []
    rules, guess = position.entry.rules, position.node.guess
    possible = rules.partition(guess, range(rules.size))
    told = {right} if right is not None else possible.keys() - _offered(position)
    codes = [code for answer in told for code in possible.get(answer, ())]
    return _repairs(position, _path(position), np.array(codes, dtype=np.int32))


def unoffered(position: Position) -> list[Answer]:
    """Return the answers that the guess on the board can get, but from no remaining candidate.

    One of them is the right answer if an earlier one was wrong.
    """
    if position.is_finished:
        return []
    rules, offered = position.entry.rules, _offered(position)
    possible = rules.partition(position.node.guess, range(rules.size))
    return [rules.answers[answer] for answer in possible if answer not in offered]


def explain(position: Position, secret: str) -> list[Check]:
    """Hold every answer of a game against the secret; raise `CodeError` if that is no code."""
    code = position.hide(secret)
    rules = position.entry.rules
    return [
        Check(turn, position.show(guess), rules.answers[given], rules.answers[correct])
        for turn, (guess, given) in enumerate(_path(position), start=1)
        for correct in [rules.respond(guess, code)]
    ]


def _offered(position: Position) -> set[AnswerIndex]:
    node = position.node
    return set(position.entry.rules.partition(node.guess, node.candidates))


def _path(position: Position) -> Turns:
    path = position.entry.tree.path(position.node)
    if position.is_finished:
        return (*path, (position.node.guess, position.entry.rules.win))
    return path


def _repairs(
    position: Position, history: Turns, codes: NDArray[np.int32] | None = None
) -> list[Repair]:
    counts = witnesses(position.entry.rules, history, codes)
    found = [
        _repair(position, history, turn, instead, count)
        for (turn, instead), count in counts.items()
    ]
    return sorted(found, key=lambda repair: repair.order)


def _repair(
    position: Position, history: Turns, turn: int, instead: AnswerIndex, count: int
) -> Repair:
    guess, given = history[turn - 1]
    answers = position.entry.rules.answers
    mended = position.before(turn).after(instead)
    return Repair(
        turn=turn,
        guess=position.show(guess),
        given=answers[given],
        instead=answers[instead],
        remaining=count,
        position=mended,
        onward=resume(mended, dict(history)),
    )
