"""Caps on the parts that guesses make, by answer; and bounds of sets by their size, under caps.

The candidates left after the answer r to a guess g lie in a class, the codes that answer r to g.
No guess makes more parts of a subset than of the class; and the classes of two guesses of one kind
are images of each other (docs/proof.md, "Answers").  So one scan for each kind and answer caps the
fan-out of every part of every guess.

With a guess that splits a set into at most b parts without its own win, at most one secret is
guessed now, b next turn, b*b the turn after, or fewer if caps by answer are known (`pair_caps`),
and so on.  Weights never decrease, so filling the turns in this order is the cheapest way to place
n secrets, and its cost is a lower bound (docs/proof.md, "Size").  The cap b is at most the number
of answers other than the win, and at most the largest number of parts seen on a superset (Francis,
Estimators; docs/proof.md, "Fan-out").
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from bullscows.game.objective import INFINITE
from bullscows.game.response_table import code_array
from bullscows.game.rules import Rules
from bullscows.game.timer import UNLIMITED, Timer
from bullscows.kernels.compiling.jit import Bytes, Numbers
from bullscows.kernels.parts import count_parts

Caps: TypeAlias = tuple[Bytes, Numbers]
"""The kind of each code, (size,), and the cap of each kind and answer, (kinds, answers)."""

TABLE_SIZES = 1024
"""Limit on the sizes of sets with tabulated bounds; larger sets are few, and are computed."""

_CACHED_GAMES = 8

_cache: dict[Rules, Caps] = {}


def answer_caps(rules: Rules, responses: Bytes, answers: int, timer: Timer = UNLIMITED) -> Caps:
    """Return the kinds of the codes of a game, and the caps by answer; cached for the last games.

    `responses` is the whole table, (size, stride), the winning answer as the last.  Raises
    `OutOfTimeError` if the time is over before.
    """
    known = _cache.get(rules)  # other threads may drop it in the meantime
    if known is None:
        while len(_cache) >= _CACHED_GAMES:
            _cache.pop(next(iter(_cache)), None)
        kinds = kinds_of(rules)
        least = np.unique(kinds, return_index=True)[1].tolist()
        caps = [class_caps(responses, rules.size, answers, guess, timer) for guess in least]
        known = _cache[rules] = kinds, np.array(caps, dtype=np.int64)
    return known


def kinds_of(rules: Rules) -> Bytes:
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
    responses: Bytes, size: int, answers: int, guess: int, timer: Timer = UNLIMITED
) -> Numbers:
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


def pair_caps(caps: Numbers) -> Numbers:
    """Return the most parts that the next guesses, one in each part of a guess, make together.

    `caps` is (kinds, answers) int64: by kind of a guess and its answer, the most parts that a next
    guess makes without its own win; the last answer is the win.  Row b, column k of the result,
    (answers + 1, answers + 1) int64: the limit if each next guess makes at most b parts and the
    guess makes k, own wins not counted (docs/proof.md, "Pairs of answers").
    """
    answers = caps.shape[1]
    each = np.minimum(caps[:, None, :-1], np.arange(answers + 1)[:, None])
    pairs = np.zeros((answers + 1, answers + 1), dtype=np.int64)
    pairs[:, 1:answers] = np.cumsum(-np.sort(-each, axis=2), axis=2).max(axis=0)
    pairs[:, answers] = pairs[:, answers - 1]
    return pairs


def size_bounds(weights: Numbers, pairs: Numbers, sizes: int) -> Numbers:
    """Tabulate the bound by size for each cap of `pairs` and sizes up to `sizes`.

    `weights` is (turns,) int64, ``weights[t]`` of turn t; entry 0 is not used, the last entry holds
    for every later turn too, and `INFINITE` forbids a turn; `pairs` is that of `pair_caps`, (caps,
    caps).  Returns (turns, caps, sizes + 1) int64, C-contiguous: the bound for n candidates whose
    first guess is made at turn t, under the cap b, or 1 for b = 0; at most `INFINITE`.
    """
    turns = len(weights)
    bounds = np.zeros((turns, len(pairs), sizes + 1), dtype=np.int64)
    finite = np.where(weights < INFINITE, weights, 0)
    for cap in range(len(pairs)):
        delay = _delays(sizes, max(cap, 1), int(pairs[cap, cap]))
        turn_of = np.minimum(np.arange(turns)[:, None] + delay, turns - 1)
        totals = np.cumsum(finite[turn_of], axis=1)
        bounds[:, cap, 1:] = np.where(weights[turn_of] < INFINITE, totals, INFINITE)
    return bounds


def _delays(count: int, cap: int, pair: int) -> Numbers:
    """Return how many turns later than the first each of `count` secrets is guessed."""
    if cap == 1:
        return np.arange(count, dtype=np.int64)
    levels = [1, cap]
    while sum(levels) < count:
        levels.append(min(levels[-1] * cap, levels[-2] * max(pair, 1)))
    return np.repeat(np.arange(len(levels)), levels)[:count]
