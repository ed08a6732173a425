"""Which earlier answers of a game may be wrong, if no answer that is offered is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bullscows.game.candidates import Correction
from bullscows.game.rules import (
    Answer,
    AnswerIndex,
)
from bullscows_web.trees.corrections import game_corrections, path_of
from bullscows_web.trees.position import GamePosition


@dataclass(frozen=True)
class Check:
    """One turn, held against the secret."""

    turn: int
    """The turn, 1 for the first."""
    guess: str
    """The guess as it was shown."""
    given: Answer
    correct: Answer
    """The answer of the secret."""

    @property
    def is_correct(self) -> bool:
        """Whether the answer was right."""
        return self.given == self.correct


def suspects(position: GamePosition, right: AnswerIndex | None = None) -> list[Correction]:
    """Return the earlier answers that may be wrong if the right answer is not among the choices.

    These are the corrections under which the current guess gets the answer `right`, or any that is
    not offered now.  An empty list means that at least two answers are wrong, or that no such
    answer is `unoffered`.
    """
    if position.is_finished:
        return []
    rules, guess = position.entry.rules, position.node.guess
    possible = rules.partition(guess, range(rules.size))
    answers = {right} if right is not None else possible.keys() - _offered(position)
    codes = [code for answer in answers for code in possible.get(answer, ())]
    return game_corrections(position, path_of(position), np.array(codes, dtype=np.int32))


def unoffered(position: GamePosition) -> list[Answer]:
    """Return the answers that the guess on the board can get, but from no remaining candidate.

    One of them is the right answer if an earlier one was wrong.
    """
    if position.is_finished:
        return []
    rules, offered = position.entry.rules, _offered(position)
    possible = rules.partition(position.node.guess, range(rules.size))
    return [rules.answers[answer] for answer in possible if answer not in offered]


def explain(position: GamePosition, secret: str) -> list[Check]:
    """Hold every answer of a game against the secret; raise `CodeError` if that is no code."""
    code = position.hide(secret)
    rules = position.entry.rules
    return [
        Check(turn, position.show(guess), rules.answers[given], rules.answers[correct])
        for turn, (guess, given) in enumerate(path_of(position), start=1)
        for correct in [rules.respond(guess, code)]
    ]


def _offered(position: GamePosition) -> set[AnswerIndex]:
    node = position.node
    return set(position.entry.rules.partition(node.guess, node.candidates))
