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
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bullscows.game.candidates import Correction, corrections
from bullscows.game.history import History, Turns
from bullscows.game.rules import AnswerIndex, CodeIndex
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


def contradiction_repairs(position: GamePosition, answer: AnswerIndex) -> list[Repair]:
    """Return every single answer that may be wrong if `answer` contradicts the earlier ones.

    The most plausible comes first.  An empty list means that at least two answers are wrong.
    """
    return repairs(position, (*path_of(position), (position.node.guess, answer)))


def repairs(
    position: GamePosition, history: Turns, codes: NDArray[np.int32] | None = None
) -> list[Repair]:
    """Return the changes that make some of `codes` fit, all of the game if none are named."""
    found = corrections(History(position.entry.rules, history), codes)
    return [_repair(position, history, one) for one in found]


def _repair(position: GamePosition, history: Turns, found: Correction) -> Repair:
    instead = position.entry.rules.answer_index(*found.instead)
    after = position.before(found.turn).after(instead)
    shown = replace(found, guess=position.show(history[found.turn - 1][0]))
    return Repair(**vars(shown), position=after, onward=resume(after, dict(history)))
