"""Answers that no code fits, and which single change would mend them.

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
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bullscows.game.candidates import Correction, witnesses
from bullscows.game.history import History, Turns
from bullscows.game.rules import AnswerIndex, CodeIndex

if TYPE_CHECKING:
    from bullscows_web.trees.position import GamePosition


@dataclass(frozen=True)
class Repair(Correction):
    """A correction, and where the game goes on after it."""

    position: GamePosition
    """The game right after the mended turn."""
    onward: GamePosition
    """The same, past the guesses that come next and have been answered already."""


def resume(position: GamePosition, known: Mapping[CodeIndex, AnswerIndex]) -> GamePosition:
    """Return where a game stands after the guesses whose answers are known, as far as they come.

    Raises
    ------
    ContradictionError
        If no code gives all these answers.
    """
    while not position.is_finished and position.node.guess in known:
        position = position.after(known[position.node.guess])
    return position


def path_of(position: GamePosition) -> Turns:
    """Return the turns so far, as the tree has them."""
    path = position.entry.tree.path(position.node)
    if position.is_finished:
        return (*path, (position.node.guess, position.entry.rules.win))
    return path


def repairs(
    position: GamePosition, history: Turns, codes: NDArray[np.int32] | None = None
) -> list[Repair]:
    """Return the changes that make some of `codes` fit, all of the game if none are named."""
    counts = witnesses(History(position.entry.rules, history), codes)
    found = [
        _repair(position, history, turn, instead, count)
        for (turn, instead), count in counts.items()
    ]
    return sorted(found, key=lambda repair: repair.order)


def _repair(
    position: GamePosition, history: Turns, turn: int, instead: AnswerIndex, count: int
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
