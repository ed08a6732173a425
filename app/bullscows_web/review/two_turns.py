"""Puzzles from finished games: a guess after which the next one is the code, whatever the answer.

There is such a guess exactly if some code of the game gets another answer from each candidate.
"""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np

from bullscows.game.history import History, narrowed
from bullscows.game.responses import responses_between
from bullscows.game.rules import CodeIndex
from bullscows.game.symmetry import IndexArray

MAX_CODES = 10_000
"""The most codes of a game: comparing all guesses takes some milliseconds."""
FEWEST = 3
"""With fewer candidates any of them wins in two."""


def winning(history: History, left: IndexArray) -> list[CodeIndex]:
    """Return the guesses that win in two; none if there are too few or too many candidates."""
    rules = history.rules
    if rules.size > MAX_CODES or not FEWEST <= len(left) <= len(rules.answers):
        return []
    answers = responses_between(rules, left, np.arange(rules.size, dtype=np.int32))
    answers.sort(axis=0)
    tells_all = (np.diff(answers, axis=0) != 0).all(axis=0)
    return [int(guess) for guess in np.flatnonzero(tells_all)]


def puzzle(history: History) -> History | None:
    """Return the first position of a game that can be won in two, after one guess or more."""
    rules = history.rules
    if rules.size > MAX_CODES:
        return None
    for turns, left in zip(range(len(history)), narrowed(history), strict=False):
        before = History(rules, history[:turns])
        if turns and winning(before, left):
            return before
    return None


def puzzle_path(position: History) -> str:
    """Return the path of the puzzle of a position, without its language."""
    return f"/puzzle/{position.rules}?{urlencode({'h': '-'.join(position.texts)}, safe=':')}"
