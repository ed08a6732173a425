"""Corrections of contradictory answers in a game along a tree.

A code that disagrees with exactly one answer shows that this answer alone can be wrong, and what it
should have been.  So one pass over all codes finds every correction and the number of codes that
support it.

A corrected answer usually leads to a node whose guesses the player has not seen.  So the game
continues right after the corrected turn, and skips guesses that have been answered already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import Correction, History, corrections
from bullscows.game.rules import AnswerIndex, CodeIndex, Turns
from bullscows_web.trees.position import GamePosition


def resume(position: GamePosition, known: Mapping[CodeIndex, AnswerIndex]) -> GamePosition:
    """Return the position after all guesses, from `position` on, whose answers are known.

    Raises `ContradictionError` if no code gives all these answers.
    """
    while not position.is_finished and position.node.guess in known:
        position = position.after(known[position.node.guess])
    return position


def path_of(position: GamePosition) -> Turns:
    """Return the turns so far, not relabelled."""
    path = position.entry.tree.path(position.node)
    if position.is_finished:
        return (*path, (position.node.guess, position.entry.rules.win))
    return path


def contradiction_corrections(position: GamePosition, answer: AnswerIndex) -> list[Correction]:
    """Return corrections, the most plausible first, if `answer` contradicts; empty if two do."""
    return game_corrections(position, (*path_of(position), (position.node.guess, answer)))


def game_corrections(
    position: GamePosition, history: Turns, codes: NDArray[np.int32] | None = None
) -> list[Correction]:
    """Return the corrections of turns of a game, with guesses as they are shown.

    `position` is any of the game; the history is not relabelled.  `codes`, (n,) int32, are the
    possible secrets; by default all codes.
    """
    found = corrections(History(position.entry.rules, history), codes)
    return [replace(one, guess=position.show(history[one.turn - 1][0])) for one in found]


def corrected(position: GamePosition, correction: Correction) -> GamePosition:
    """Return the position right after the corrected turn."""
    instead = position.entry.rules.answer_index(*correction.instead)
    return position.before(correction.turn).after(instead)


def continued(position: GamePosition, correction: Correction) -> GamePosition:
    """Return the position after the corrected turn and the guesses that are answered already."""
    return resume(corrected(position, correction), dict(correction.history.turns))
