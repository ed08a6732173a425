"""Compiled bounds of guesses, as `bullscows.tree.proof_checker` finds them without lemmas."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.kernels.compiling.jit import Bytes, Numbers, int64, plain_njit, uint64
from bullscows.kernels.instructions import popcount

AnswerBits: TypeAlias = NDArray[Any]


@plain_njit
def guess_bounds(
    answers: Bytes,
    bits: AnswerBits,
    codes: Numbers,
    guesses: Numbers,
    turn: int,
    limit: int,
    weights: Numbers,
    enough: int,
) -> Numbers:
    """Return a lower bound of the cost of each guess, or `limit` if that is less.

    answers: (all codes, codes).  bits: (codes, all codes); of the win no bit.
    Guesses that give no information have `limit`.  When `enough` guesses have less, the others are
    left out.
    """
    size = len(codes)
    win = int64(answers[codes[0], 0])
    places = np.arange(size)
    union = np.zeros_like(bits[0])
    fan_out, _ = _parts(bits, places, codes, union)
    by_size = np.zeros(size + 1, dtype=np.int64)
    for part in range(size + 1):
        by_size[part] = _least(part, turn + 1, 1, fan_out, fan_out, weights)
    bounds = np.full(len(guesses), limit)
    starts = np.zeros(win + 2, dtype=np.int64)
    for at in range(len(guesses)):
        given = answers[guesses[at]]
        starts[:] = 0
        for answer in given:
            starts[answer + 1] += 1
        sizes = starts[1:].copy()
        if sizes[win] == 0 and sizes.max() == size:
            continue
        bound = sizes[win] * weights[min(turn, len(weights)) - 1]
        for answer in range(win):
            bound += by_size[sizes[answer]]
        if bound < limit:
            for answer in range(win + 1):
                starts[answer + 1] += starts[answer]
            begins = starts[:-1].copy()
            for row in range(size):
                answer = given[row]
                places[begins[answer]] = row
                begins[answer] += 1
            sizes[win] = 0
            for answer in np.argsort(-sizes):
                part = sizes[answer]
                if bound >= limit or part < 3:
                    break
                rows = places[starts[answer] : starts[answer] + part]
                most, by_member = _parts(bits, rows, codes, union)
                by_code = _least(part, turn + 1, 1, by_member, most, weights)
                by_other = _least(part, turn + 1, 0, most, most, weights)
                bound += min(by_code, by_other) - by_size[part]
        bounds[at] = min(bound, limit)
        enough -= bound < limit
        if enough == 0:
            return bounds[: at + 1]
    return bounds


@plain_njit
def _parts(bits: AnswerBits, rows: Numbers, codes: Numbers, union: AnswerBits) -> tuple[int, int]:
    """Return the most parts that a guess makes of the codes of some rows, and one of these codes.

    At least 1.
    """
    union[:] = bits[rows[0]]
    for row in rows[1:]:
        union |= bits[row]
    most = int64(1)
    for guess in range(len(union)):
        most = max(most, int64(popcount(uint64(union[guess]))))
    by_member = int64(1)
    for row in rows:
        by_member = max(by_member, int64(popcount(uint64(union[codes[row]]))))
    return most, by_member


@plain_njit
def _least(codes: int, turn: int, now: int, parts: int, fan_out: int, weights: Numbers) -> int:
    """Return the least cost if a guess finds one or none of some codes and makes some parts."""
    cost = int64(0)
    while codes > 0:
        cost += min(now, codes) * weights[min(turn, len(weights)) - 1]
        codes -= now
        now = parts
        parts *= fan_out
        turn += 1
    return cost
