"""The arrays a search works on: the game it reads, and the scratch it writes.

Everything is allocated once.  The recursion itself allocates nothing: a node at turn t owns row t
of each scratch array, and writes the parts of the guess it tries into row t + 1 of `members`.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.game.objective import INFINITE, Weights
from engine.game.responses import ResponseTable, code_array
from engine.game.rules import Rules
from engine.kernels.bounds import TABLE_SIZES, size_bounds

LOCAL_SIZE = 160
"""Sets of up to so many candidates get a response table of their own, which fits the cache."""

MEMBER = 64
"""Added to the number of parts of a guess that is a candidate itself."""

MAX_ANSWERS = 32
"""Answers are bits of a 32-bit mask."""

STAB_TURNS = 5
"""Turns up to which the transformations that fix the history are looked for."""

BUSY_SLOTS = 1 << 12
"""Sets that threads can mark as being searched; a lost mark costs work, not correctness."""

SPARE_TURNS = 3
"""Rows beyond the last turn, so that reading two turns ahead needs no test."""

BY_BOUND, BY_TIE, ALL = 0, 1, 2
"""Orders of guesses: best bound first, or candidates first and by number; and without an end."""

# Columns of a row of `Workspace.part`, 64 entries each.
START, SIZE, LEAST, KNOWN, ORDER = 0, 64, 128, 192, 256

SPARE_BYTES = 2 << 20
"""The small arrays of a search, the table of stored nodes among them, take no more."""

# Entries of `Workspace.counters`.
NODES, SCANS, WAVES, GUESSES, TRIED, LOCAL, QUICK, HITS, MEMBERS = range(9)
CUT_SIZE, CUT_MEMBERS, CUT_TABLE, CUT_PARTS, CUT_HISTOGRAM = range(9, 14)
CUT_SUM, CUT_QUICK, CUT_SYMBOLS, CUT_HISTORY, BEYOND, GUESS, TIES = range(14, 21)
COUNTERS = 32

# Entries of `Workspace.signal`, which threads share.
SIGNAL_STOP, SIGNAL_TURN, SIGNAL_GUESS, SIGNAL_DONE, SIGNAL_BEST, SIGNAL_JOBS = range(6)

# Bits of `Problem.flags`: techniques that are on.
(
    USE_SIZE,
    USE_PARTS,
    USE_CAP,
    USE_MEMBERS,
    USE_QUICK,
    USE_TABLE,
    USE_CANONICAL,
    USE_HISTORY,
    USE_SYMBOLS,
    USE_ORDER,
    USE_PART_ORDER,
    USE_SLACK,
) = (1 << bit for bit in range(12))


Tables: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint64]]
"""The keys and the values of a transposition table."""


class Problem(NamedTuple):
    """A game and an objective: read-only arrays, shared by all threads."""

    responses: NDArray[np.uint8]
    """(size * stride,): the response table, flat."""
    codes: NDArray[np.uint8]
    """(size * positions,): the symbols of every code, flat; empty without rules."""
    index_of: NDArray[np.uint32]
    """(symbols ** positions,): code index by the digits of the code in base `symbols`."""
    powers: NDArray[np.int64]
    """(positions,): the place values of that base."""
    symbol_sets: NDArray[np.uint64]
    """(size,): the symbols of a code as bits."""
    permutations: NDArray[np.uint8]
    """(positions! * positions,): all orders of the positions."""
    hashes: NDArray[np.uint64]
    """(2 * size,): two random words for each code."""
    weights: NDArray[np.int64]
    """(turns + 1 + `SPARE_TURNS`,): ``weights[t]`` of turn t, `INFINITE` after a cap."""
    bounds: NDArray[np.int64]
    """Flat `engine.kernels.bounds.size_bounds` of sizes up to `sizes`."""
    entropy: NDArray[np.int64]
    """(size + 1,): n log n, to order guesses."""
    size: int
    stride: int
    answers: int
    win: int
    positions: int
    symbols: int
    repeats: bool
    turns: int
    """The last turn at which a node with three candidates may stand."""
    sizes: int
    small_first: bool
    """Does a late turn cost about as much more as an early one, so that small parts, the cheap
    ones to search, raise a bound as well as large ones?"""
    width: int
    """The most guesses that are tried at a node; 0: all, as a proof needs."""
    flags: int


class Node(NamedTuple):
    """A set under search: the candidates ``members[turn, start:start + size]``."""

    start: int
    size: int
    turn: int
    """The turn of the next guess, and the row of the arrays that this node owns."""
    cap: int
    """No guess makes more parts besides its own win, here or further down."""
    manner: int
    """`BY_BOUND`, `BY_TIE` or `ALL`."""


class Workspace(NamedTuple):
    """The scratch of one thread, and the tables shared by all.

    Arrays with a row for each turn are two-dimensional; `keys`, `values` and `signal` are shared.
    """

    members: NDArray[np.uint32]
    """(turns, size): the candidates of the node of each turn, and its siblings."""
    masks: NDArray[np.uint8]
    parts: NDArray[np.uint8]
    """(turns, stride): the number of parts each guess makes, plus `MEMBER` for a candidate."""
    guesses: NDArray[np.uint32]
    guess_bound: NDArray[np.int64]
    guess_order: NDArray[np.int64]
    answer_of: NDArray[np.int64]
    local: NDArray[np.uint8]
    """(turns, LOCAL_SIZE ** 2): the responses of the node's candidates to each other."""
    places: NDArray[np.uint32]
    """(turns, size): the parts of the guess under way, as offsets into the node's candidates."""
    part: NDArray[np.int64]
    """(turns, 6 * 32): start, size, bound, known value, order of the parts, by answer."""
    part_hash: NDArray[np.uint64]
    symbol_class: NDArray[np.int64]
    stab_count: NDArray[np.int64]
    """(turns,): how many position permutations are compatible with the history; 0: none known."""
    stab_order: NDArray[np.int32]
    stab_image: NDArray[np.int8]
    free_symbols: NDArray[np.int64]
    mark: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    scratch: NDArray[np.int64]
    signatures: NDArray[np.uint64]
    counters: NDArray[np.int64]
    keys: NDArray[np.uint64]
    values: NDArray[np.uint64]
    signal: NDArray[np.int64]
    """(8,): a word each to stop, for the turn of the root, and for progress there: guess + 1,
    guesses settled, best cost + 1; and the number of threads."""
    busy: NDArray[np.uint64]
    """(BUSY_SLOTS,): the keys of sets that some thread is searching, by their low bits."""


def make_problem(table: ResponseTable, weights: Weights, flags: int, width: int = 0) -> Problem:
    """Lay a game and its weights out for the kernels."""
    tail = INFINITE if weights.capped else weights.values[-1]
    padded = np.array([0, *weights.values, *[tail] * SPARE_TURNS], dtype=np.int64)
    sizes = min(table.size, TABLE_SIZES)
    bounds = size_bounds(padded, table.answers, sizes)
    if not flags & USE_SIZE:
        trivial = np.minimum(padded, INFINITE // sizes)[:, None, None] * np.arange(sizes + 1)
        # One or two candidates are never searched: their bound is their value.
        bounds[:, :, 3:] = np.minimum(bounds, trivial)[:, :, 3:]
    turns = weights.turns if weights.capped else weights.turns - 2
    counts = np.arange(table.size + 1, dtype=np.float64)
    entropy = (1000 * counts * np.log2(np.maximum(counts, 1))).astype(np.int64)
    return Problem(
        _win_last(table).reshape(-1),
        *_code_arrays(table),
        _random_words(2 * table.size),
        padded,
        bounds.reshape(-1),
        entropy,
        table.size,
        table.stride,
        table.answers,
        table.answers - 1,
        *_shape(table),
        turns,
        sizes,
        _grows_evenly(weights),
        width,
        flags,
    )


def _grows_evenly(weights: Weights) -> bool:
    """Return whether no turn adds more than twice what the second adds to the first.

    If late turns add much more, what a position costs comes from its large parts; if no turn adds
    anything, one part that cannot be solved in time decides, and the largest is the likeliest.
    """
    steps = np.diff(np.array(weights.values, dtype=np.int64))
    return len(steps) == 0 or bool(0 < steps.max() <= 2 * steps[0])


def _win_last(table: ResponseTable) -> NDArray[np.uint8]:
    """Return the responses with the winning answer as the last, as the kernels want it."""
    last = table.answers - 1
    if table.win == last:
        return table.responses
    order = np.arange(table.answers, dtype=np.uint8)
    order[[table.win, last]] = last, table.win
    return order[table.responses]


def _shape(table: ResponseTable) -> tuple[int, int, bool]:
    if table.rules is None:
        return 0, 0, False
    return table.rules.positions, table.rules.symbols, table.rules.repeats


def _code_arrays(
    table: ResponseTable,
) -> tuple[
    NDArray[np.uint8], NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint8]
]:
    if table.rules is None:
        empty = np.zeros(0, dtype=np.uint8)
        return (
            empty,
            empty.astype(np.uint32),
            empty.astype(np.int64),
            empty.astype(np.uint64),
            empty,
        )
    positions, symbols = table.rules.positions, table.rules.symbols
    codes = code_array(table.rules)
    if table.codes is not None:
        codes = codes[table.codes]
    powers = symbols ** np.arange(positions - 1, -1, -1, dtype=np.int64)
    index_of = np.zeros(symbols**positions, dtype=np.uint32)
    index_of[codes.astype(np.int64) @ powers] = np.arange(table.size)
    sets = np.bitwise_or.reduce(np.uint64(1) << codes.astype(np.uint64), axis=1)
    orders = np.array(list(permutations(range(positions))), dtype=np.uint8)
    return codes.reshape(-1).copy(), index_of, powers, sets, orders.reshape(-1).copy()


def _random_words(count: int) -> NDArray[np.uint64]:
    return np.random.default_rng(0x5EED).integers(0, 2**64, count, dtype=np.uint64)


def make_tables(bits: int) -> Tables:
    """Return the keys and values of an empty transposition table of ``2**bits`` entries."""
    return np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint64)


def make_workspace(
    problem: Problem,
    shared: Tables,
    signal: NDArray[np.int64],
    busy: NDArray[np.uint64],
) -> Workspace:
    """Allocate the scratch of one thread."""
    rows = len(problem.weights) + 1
    size, stride = problem.size, problem.stride
    orders = len(problem.permutations) // max(problem.positions, 1)
    local = min(size, LOCAL_SIZE)

    def zeros(*shape: int, dtype: type = np.int64) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=dtype)

    return Workspace(
        np.zeros((rows, size), dtype=np.uint32),
        np.zeros(2 * stride, dtype=np.uint8),
        np.zeros((rows, stride), dtype=np.uint8),
        np.zeros((rows, size), dtype=np.uint32),
        zeros(rows, size),
        zeros(rows, size),
        zeros(size),
        np.zeros((rows, local * local), dtype=np.uint8),
        np.zeros((rows, size), dtype=np.uint32),
        zeros(rows, 6 * 64),
        np.zeros((rows, 2 * 64), dtype=np.uint64),
        zeros(rows, 3 * 32),
        zeros(rows),
        np.zeros((STAB_TURNS + 1, orders), dtype=np.int32),
        np.zeros((STAB_TURNS + 1, orders * max(problem.symbols, 1)), dtype=np.int8),
        zeros(STAB_TURNS + 1, 33),
        np.zeros(size, dtype=np.uint8),
        zeros(128),
        zeros(512),
        np.zeros(128, dtype=np.uint64),
        zeros(COUNTERS),
        *shared,
        signal,
        busy,
    )


def search_bytes(rules: Rules, turns: int, bits: int) -> int:
    """Return about the bytes that a search of a game with one thread takes, no less.

    The response table is not counted; `turns` are those looked ahead, and the transposition table
    has ``2**bits`` entries.
    """
    rows, size = turns + SPARE_TURNS + 2, rules.size
    stride, local = size + 64, min(size, LOCAL_SIZE)
    orders = factorial(rules.positions)
    by_digits: int = rules.symbols**rules.positions
    fan_out = len(rules.answers) + 1
    game = size * (48 + rules.positions) + 4 * by_digits
    bounds = 8 * rows * fan_out * (min(size, TABLE_SIZES) + 1)
    nodes = rows * (28 * size + stride + local * local + 6000)
    symmetry = orders * (rules.positions + (STAB_TURNS + 1) * (4 + rules.symbols))
    return game + bounds + nodes + symmetry + (16 << bits) + SPARE_BYTES
