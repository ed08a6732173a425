"""The game that a search reads: its responses, its codes and its weights, laid out in arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullscows.game.objective import INFINITE, Weights
from bullscows.game.response_table import ResponseTable, code_array
from bullscows.game.rules import Rules
from bullscows.game.symmetry import place_orders
from bullscows.game.timer import UNLIMITED, Timer
from bullscows.kernels.caps import TABLE_SIZES, Caps, answer_caps, pair_caps, size_bounds
from bullscows.kernels.compiling.jit import Bytes, Codes, Numbers, Words
from bullscows.kernels.compiling.object_files import Structure
from bullscows.kernels.pruning import BUDGETED_SIZE, Pruning

SPARE_TURNS = 3
"""Rows beyond the last turn, so that reading two turns ahead needs no test."""


ANY, CANDIDATE, CRUSH, CRUSH_ALL, LARMOUTH, LARMOUTH_LAST = range(6)
"""The guesses of a turn: any code, any candidate, the one guess of a rule, or, for `CRUSH_ALL`, all
guesses that crush rates equally (`bullscows.kernels.batches`)."""

ORBIT_TURNS = 3
"""Turns of a game with named turns that try one guess of each class: S1, S2 and, without repeats,
S3 of the paper."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem(Structure):
    """A game and an objective: read-only arrays, shared by all threads.

    Without rules there are no positions, and the arrays of codes are empty.
    """

    responses: Bytes
    """(size * stride,): the response table, flat, the winning answer as the last."""
    codes: Bytes
    """(size * positions,): the symbols of every code, flat."""
    cells: Bytes
    """(size * positions,): ``symbol * positions + place`` of every code, flat."""
    index_of: Codes
    """(symbols ** positions,): code index by the digits of the code in base `symbols`."""
    powers: Numbers
    """(positions,): the place values of that base."""
    symbol_sets: Words
    """(size,): the symbols of a code as bits; its `cells` if `by_place`."""
    permutations: Bytes
    """(orders * positions,): the orders of the positions that symmetries have, flat."""
    hashes: Words
    """(2 * size,): two random words for each code."""
    weights: Numbers
    """(rows - 1,): ``weights[t]`` of turn t, `INFINITE` after a cap."""
    bounds: Numbers
    """((rows - 1) * (answers + 1) * (sizes + 1),): `bullscows.kernels.caps.size_bounds`, flat."""
    kinds: Bytes
    """(size,): the kind of each code as a guess, for `answer_caps`."""
    answer_caps: Numbers
    """(kinds * answers,): by the kind of a guess and its answer, the most parts that a next guess
    makes without its own win (`bullscows.kernels.caps`)."""
    pairs: Numbers
    """((answers + 1) ** 2,): `bullscows.kernels.caps.pair_caps`, flat."""
    entropy: Numbers
    """(size + 1,): n log n, to order guesses."""
    guessing: Numbers
    """(rows - 1,): `ANY`, `CANDIDATE` or a rule by turn."""
    logarithms: NDArray[np.float64]
    """(size + 1,): n ln n."""
    size: int
    """Codes."""
    stride: int
    """Bytes from one row of `responses` to the next."""
    answers: int
    win: int
    """The winning answer, which is the last."""
    positions: int
    symbols: int
    repeats: bool
    """Whether a code may contain a symbol twice."""
    by_place: bool
    """Whether symmetries may rename the symbols of each place on its own."""
    pinned: int
    """How many places and symbols, from 0 on, every symmetry fixes."""
    turns: int
    """The last turn at which a node with three candidates is searched."""
    sizes: int
    """The largest size in `bounds`."""
    small_first: bool
    """Whether a late turn costs about as much more as an early one, so that small parts, which are
    cheap to search, raise a bound as well as large ones."""
    budgeted: int
    """From this number of candidates on the parts of a guess share the budget
    (`bullscows.kernels.trial`)."""
    orbit_turns: int
    """Turns that try exactly one guess of each class under the history, and whose values are not
    stored, because they depend on it (docs/proof.md, "Rules"); 0: symmetry is used where it pays.
    """
    width: int
    """The most guesses that are tried at a node; 0: all, as a proof needs."""
    flags: int
    """The pruning rules in use."""


def make_problem(
    table: ResponseTable,
    weights: Weights,
    flags: int,
    width: int = 0,
    usual: int = ANY,
    rules_by_turn: Mapping[int, int] = MappingProxyType({}),
    timer: Timer = UNLIMITED,
) -> Problem:
    """Lay a game and its weights out for the kernels; `flags` are those of `Problem`.

    `rules_by_turn` has `CANDIDATE` or a rule by turn; the other turns make `usual` guesses, `ANY`
    or `CANDIDATE`.  Rules break ties by the names of codes, so the value of a position depends on
    them, but for `CRUSH_ALL`.

    Raises `OutOfTimeError` if the time is over before the caps by answer are counted.
    """
    rules = table.rules
    is_even = _grows_evenly(weights)
    tail = INFINITE if weights.capped else weights.values[-1]
    padded = np.array([0, *weights.values, *[tail] * SPARE_TURNS], dtype=np.int64)
    sizes = min(table.size, TABLE_SIZES)
    responses = _win_last(table)
    kinds, caps = _caps(table, responses, flags, timer)
    pairs = pair_caps(caps)
    bounds = size_bounds(padded, pairs, sizes)
    if not flags & Pruning.SIZE:
        trivial = np.minimum(padded, INFINITE // sizes)[:, None, None] * np.arange(sizes + 1)
        # One or two candidates are never searched: their bound is their value.
        bounds[:, :, 3:] = np.minimum(bounds, trivial)[:, :, 3:]
    turns = weights.turns if weights.capped else weights.turns - 2
    counts = np.arange(table.size + 1, dtype=np.float64)
    entropy = (1000 * counts * np.log2(np.maximum(counts, 1))).astype(np.int64)
    return Problem(
        responses=responses.reshape(-1),
        **_codes(table),
        hashes=np.random.default_rng(0x5EED).integers(0, 2**64, 2 * table.size, dtype=np.uint64),
        weights=padded,
        bounds=bounds.reshape(-1),
        kinds=kinds,
        answer_caps=caps.reshape(-1),
        pairs=pairs.reshape(-1),
        entropy=entropy,
        guessing=np.array(
            [rules_by_turn.get(turn, usual) for turn in range(len(padded))],
            dtype=np.int64,
        ),
        logarithms=np.array([n * log(max(n, 1)) for n in range(table.size + 1)]),
        size=table.size,
        stride=table.stride,
        answers=table.answers,
        win=table.answers - 1,
        positions=rules.positions if rules else 0,
        symbols=rules.symbols if rules else 0,
        repeats=rules.repeats if rules else False,
        by_place=_by_place(rules) if rules else False,
        pinned=rules.pinned if rules else 0,
        turns=turns,
        sizes=sizes,
        small_first=is_even,
        # If late turns cost much more than early ones, asking twice costs more than it saves.
        budgeted=BUDGETED_SIZE if flags & Pruning.BUDGETS and is_even else table.size + 1,
        orbit_turns=_orbit_turns(table) if rules_by_turn else 0,
        width=width,
        flags=int(flags),
    )


def _orbit_turns(table: ResponseTable) -> int:
    repeats = table.rules is not None and table.rules.repeats
    return ORBIT_TURNS - 1 if repeats else ORBIT_TURNS


def _caps(table: ResponseTable, responses: Bytes, flags: int, timer: Timer) -> Caps:
    """Return the caps by answer; for a table without rules, or of some rows, those of any guess."""
    if flags & Pruning.ANSWER_CAPS and table.rules is not None and table.codes is None:
        return answer_caps(table.rules, responses, table.answers, timer)
    caps = np.full((1, table.answers), table.answers - 1, dtype=np.int64)
    return np.zeros(table.size, dtype=np.uint8), caps


def _grows_evenly(weights: Weights) -> bool:
    """Return whether no turn adds more than twice what the second adds to the first.

    If late turns add much more, the cost of a position comes from its large parts; if no turn adds
    anything, one part that cannot be solved in time decides, and the largest is the likeliest.
    """
    steps = np.diff(np.array(weights.values, dtype=np.int64))
    return len(steps) == 0 or bool(0 < steps.max() <= 2 * steps[0])


def _win_last(table: ResponseTable) -> Bytes:
    """Return the responses with the winning answer as the last."""
    last = table.answers - 1
    if table.win == last:
        return table.responses
    order = np.arange(table.answers, dtype=np.uint8)
    order[[table.win, last]] = last, table.win
    return order[table.responses]


def _codes(table: ResponseTable) -> dict[str, Any]:
    """Return the arrays of codes, symbols and positions, by their names."""
    if table.rules is None:
        no_bytes = np.zeros(0, dtype=np.uint8)
        return {
            **dict.fromkeys(("codes", "cells", "permutations"), no_bytes),
            "index_of": no_bytes.astype(np.uint32),
            "powers": no_bytes.astype(np.int64),
            "symbol_sets": no_bytes.astype(np.uint64),
        }
    if not table.shared:
        table.shared.update(_codes_of(table, table.rules))
    return table.shared


def _by_place(rules: Rules) -> bool:
    """Return whether bulls only and repeats allow this, and a word has a bit for each cell."""
    return rules.bulls_only and rules.repeats and rules.positions * rules.symbols <= 64


def _codes_of(table: ResponseTable, rules: Rules) -> dict[str, Any]:
    """Make these arrays; that of the numbers of codes takes 67 MB for eight of eight symbols."""
    positions = rules.positions
    symbols = rules.symbols
    codes = code_array(rules)
    if table.codes is not None:
        codes = codes[table.codes]
    powers = symbols ** np.arange(positions - 1, -1, -1, dtype=np.int64)
    index_of = np.zeros(symbols**positions, dtype=np.uint32)
    index_of[codes.astype(np.int64) @ powers] = np.arange(table.size)
    orders = np.array(list(place_orders(rules)), dtype=np.uint8)
    cells = (codes * positions + np.arange(positions)).astype(np.uint8)
    bits = (cells if _by_place(rules) else codes).astype(np.uint64)
    return {
        "codes": codes.reshape(-1).copy(),
        "cells": cells.reshape(-1),
        "index_of": index_of,
        "powers": powers,
        "symbol_sets": np.bitwise_or.reduce(np.uint64(1) << bits, axis=1),
        "permutations": orders.reshape(-1).copy(),
    }
