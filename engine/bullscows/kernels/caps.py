"""Caps by answer: the most parts that any guess makes of the codes that give an answer to another.

The candidates left after the answer r to a guess g lie in a class, the codes that answer r to g.
No guess makes more parts of a subset than of the class; and the classes of two guesses of one kind
are images of each other (docs/proof.md, "Answers").  So one scan for each kind and answer caps the
fan-out of every part of every guess.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import code_array
from bullscows.game.rules import Rules
from bullscows.game.timer import UNLIMITED, Timer
from bullscows.kernels.vectors.scan import count_parts

Caps: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""The kind of each code, (size,), and the cap of each kind and answer, (kinds, answers)."""

_GAMES_KEPT = 8

_kept: dict[Rules, Caps] = {}


def answer_caps(
    rules: Rules, responses: NDArray[np.uint8], answers: int, timer: Timer = UNLIMITED
) -> Caps:
    """Return the kinds of the codes of a game, and the caps by answer; the last games' are kept.

    `responses` is the whole table, (size, stride), the winning answer as the last.  Raises
    `OutOfTimeError` if the time is over before.
    """
    known = _kept.get(rules)  # other threads may drop it in the meantime
    if known is None:
        while len(_kept) >= _GAMES_KEPT:
            _kept.pop(next(iter(_kept)), None)
        kinds = kinds_of(rules)
        least = np.unique(kinds, return_index=True)[1].tolist()
        caps = [class_caps(responses, rules.size, answers, guess, timer) for guess in least]
        known = _kept[rules] = kinds, np.array(caps, dtype=np.int64)
    return known


def kinds_of(rules: Rules) -> NDArray[np.uint8]:
    """Return the kind of each code, (size,): how often its symbols occur, whichever they are.

    A transformation maps a code to every other of its kind, and to no other code.
    """
    codes = code_array(rules)
    if rules.repeats:
        often = (codes[:, :, None] == codes[:, None, :]).sum(axis=2)
        # A digit for each frequency, in a base that no number of places reaches.
        words = ((rules.positions + 1) ** often).sum(axis=1)
    else:
        words = (codes < rules.pinned).any(axis=1)
    return np.unique(words, return_inverse=True)[1].astype(np.uint8)


def class_caps(
    responses: NDArray[np.uint8], size: int, answers: int, guess: int, timer: Timer = UNLIMITED
) -> NDArray[np.int64]:
    """Return, by answer to `guess`, the most parts that any guess makes of the codes that give it.

    (answers,): the own win of a guess does not count; 0 for an answer that no code gives.
    """
    stride = responses.shape[1]
    given = responses[:, guess]
    order = np.argsort(given, kind="stable").astype(np.uint32)
    sizes = np.bincount(given, minlength=answers)
    parts = np.zeros(stride, dtype=np.uint8)
    caps = np.zeros(answers, dtype=np.int64)
    start = 0
    for answer, count in enumerate(sizes.tolist()):
        if count:
            timer.check()
            flat = responses.reshape(-1)
            count_parts(flat, stride, answers, order, start, count, parts)
            parts[order[start : start + count]] -= 1
            caps[answer] = parts[:size].max()
        start += count
    return caps
