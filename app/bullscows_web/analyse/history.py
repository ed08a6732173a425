"""Histories as visitors write them, and what is wrong with those that no code fits.

Unlike `bullscows_web.trees.position.GamePosition` a history follows no tree, and need not make
sense: `mends` says which single answer may be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from bullscows.game.candidates import Correction, corrections
from bullscows.game.history import History
from bullscows.game.rules import Rules
from bullscows_web.analyse.turn_notation import read_turns


def read_history(rules: Rules, text: str) -> History:
    """Read ``0123:0.1-4567:1.1``, or turns in any notation of the module `turn_notation`.

    Raises
    ------
    UnreadableTurnError
        If a turn can't be read, or there are too many.
    """
    return History(rules, read_turns(rules, text))


@dataclass(frozen=True)
class Mend(Correction):
    """A correction, and the history after it."""

    history: History
    """The whole history so mended."""


def mends(history: History) -> list[Mend]:
    """Return every single answer that may be wrong, most plausible first.

    An empty list means that at least two answers are wrong.
    """
    answer = history.rules.answer_index
    return [
        Mend(**vars(found), history=history.mended(found.turn, answer(*found.instead)))
        for found in corrections(history)
    ]
