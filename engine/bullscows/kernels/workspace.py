"""The arrays a search writes: the scratch of its turns, its counters and its tables.

Everything is allocated once.  The recursion itself allocates nothing: a node at turn t owns row t
of each scratch array, and writes the parts of the guess it tries into row t + 1 of `members`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.rules import Rules
from bullscows.kernels.caps import TABLE_SIZES
from bullscows.kernels.compiling.jit import Bytes, Codes, Numbers, Words
from bullscows.kernels.compiling.object_files import Structure
from bullscows.kernels.problem import SPARE_TURNS, Problem

LANES = 32
"""Small sets of up to this number of members are processed at once, a lane for each."""

NEAR = 128
"""Rows of a table of up to this number of bytes may be read in one piece."""

PARTS = LANES * LANES
"""Start of the parts that each member makes in `Workspace.square`, after their responses."""

ROW, NOBODY = 192, 255
"""Bytes of a row of answers, one for each candidate; and what fills it behind the last."""

BEHIND = 64
"""Entries behind the last that vectors may read or write."""

LOCAL_SIZE = 160
"""Sets of up to this number of candidates get a response table of their own, which fits the cache,
and rows of the answers to guesses; below `ROW`."""

BLOCK = 64
"""Guesses whose parts are counted at once."""

CACHED = 256
"""Guesses of a batch whose answers are cached for a small set."""

CACHED_ROW = ROW + 64
"""Bytes for each of these: a row of answers, then the sizes of the parts."""

CELLS, SUMS = 128, 256
"""Start of the entries of `Workspace.signatures` for each symbol at each place."""

MEMBER = 64
"""Added to the number of parts of a guess that is a candidate itself."""

MAX_ANSWERS = 48
"""A scan takes three times 16 answers; eight positions have 44."""

STAB_TURNS = 5
"""The last turn for which the transformations that fix the history are found."""

LOG_ROWS = 1 << 12
"""Rows of the log of a thread."""
LOG_ROW = 17
"""Columns of the log of a thread."""

BUSY_SLOTS = 1 << 12
"""Slots for marks of sets under search; a lost mark costs work, not correctness."""

BY_BOUND, BY_TIE, ALL, FEWEST = range(4)
"""Orders of guesses: best bound first; candidates first and by number; the same without an end; by
the nodes that their trees store."""

# Columns of a row of `Workspace.part`, 64 entries each.
START, SIZE, CAP, LEAST, KNOWN, ORDER, AFTER = 0, 64, 128, 192, 256, 320, 384

SPARE_BYTES = 2 << 20
"""The small arrays of a search, the table of stored nodes among them, take no more."""

COUNTED = (
    *("nodes", "scans", "batches", "guesses bounded", "guesses tried", "member checks"),
    *("quick bounds", "table hits", "cut by size", "cut by members", "cut by parts"),
    *("cut by histogram", "cut by table", "cut by quick bounds", "cut by sum"),
    *("cut by symbols", "cut by history"),
)
"""Names of the entries of `Workspace.counters`, by these places."""
NODES, SCANS, BATCHES, GUESSES, TRIED, MEMBERS, QUICK, HITS, CUT_SIZE = range(9)
CUT_MEMBERS, CUT_PARTS, CUT_HISTOGRAM, CUT_TABLE, CUT_QUICK, CUT_SUM = range(9, 15)
CUT_SYMBOLS, CUT_HISTORY = range(15, len(COUNTED))

# Entries of `Workspace.result`.
GUESS, TIES, TOO_DEEP, BEST, BEST_GUESS = range(5)

# Entries of `Workspace.signal`, which threads share.
SIGNAL_STOP, SIGNAL_TURN, SIGNAL_GUESS, SIGNAL_DONE, SIGNAL_THREADS, SIGNAL_LOG = range(6)
SIGNAL_FROM = 6

Tables: TypeAlias = tuple[Words, Words]
"""The keys and the values of a transposition table."""


class Node(NamedTuple):
    """A set under search: the candidates ``members[turn, start:start + size]``."""

    start: int
    size: int
    turn: int
    """The turn of the next guess, and the row of the arrays that this node owns."""
    cap: int
    """No guess makes more parts without its own win, here or below."""
    order: int
    """`BY_BOUND`, `BY_TIE` or `ALL`."""
    place: int = 0
    check: int = 0
    """The two hashes of its table key, uint64 for the search."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Workspace(Structure):
    """The scratch arrays of one thread, and the tables shared by all.

    Two-dimensional arrays have a row for each turn; `keys`, `values`, `signal`, `busy` are shared.
    """

    members: Codes
    """(rows, size): the candidates of the node, and its siblings."""
    parts: Bytes
    """(rows, stride): the number of parts each guess makes, plus `MEMBER` for a candidate."""
    guesses: Codes
    """(rows, size): the guesses of the current batch, the best first."""
    guess_bound: Numbers
    """(rows, size): lower bounds on these guesses."""
    guess_order: Numbers
    """(rows, size): how promising each of these is, least first, among those with one bound."""
    answer_rows: Bytes
    """(rows, (cached + BLOCK) * CACHED_ROW): the answers of the candidates of a small node to each
    guess of the batch, and space for the guesses of a block while they are bounded."""
    row_of: NDArray[np.int32]
    """(rows, size): the row of answers of a guess of the batch, -1 if there is none."""
    answer_of: Numbers
    """(size,): the answer of each candidate of a node to a guess, while the node is split."""
    local: Bytes
    """(rows, local * local + NEAR): the responses to each other of up to `LOCAL_SIZE` candidates,
    and spare space."""
    places: Codes
    """(rows, size + BEHIND): the parts of the current guess, as offsets into its candidates; of a
    small node once they are needed (`bullscows.kernels.splits`)."""
    part: Numbers
    """(rows, 7 * 64): start, size, cap, bound and known value of the parts of the current guess, by
    answer; the answers whose parts are to be searched, in order; and where each part ends."""
    part_hash: Words
    """(rows, 2 * 64): the two hashes of each part, by answer."""
    symbol_class: Numbers
    """(rows, 3 * 32): of each symbol the least one it can be swapped with, its rank in that class,
    and how often it occurs (`bullscows.kernels.symmetry.symbol_classes`)."""
    stab_count: Numbers
    """(rows,): how many orders of the positions are compatible with the history; 0: none known."""
    stab_order: NDArray[np.int32]
    """(STAB_TURNS + 1, orders): which these are, as numbers in `Problem.permutations`."""
    stab_image: NDArray[np.int8]
    """(STAB_TURNS + 1, orders * max(symbols, 1)): where each of these orders takes each symbol, -1
    if it is free."""
    free_symbols: Numbers
    """(STAB_TURNS + 1, 33): the symbols that are in no guess of the history, ascending."""
    mark: Bytes
    """(size,): 1 for a candidate of the node whose symbols are checked, else 0."""
    sizes: NDArray[np.int32]
    """(BLOCK * MAX_ANSWERS,): the sizes of the parts of a block of guesses, guess by guess and by
    answer, while they are bounded."""
    scratch: Numbers
    """(512,): how often each symbol occurs at each place; then, the order of the places."""
    square: Bytes
    """(PARTS + LANES,): a small set's responses to each other, while its members are checked, and
    the number of parts each makes."""
    signatures: Words
    """(384,): signatures of places and symbols, for keys: 16 places, 16 symbols, and finer; then
    the same of each symbol at each place, twice."""
    counters: Numbers
    """(len(COUNTED),): what has been counted since the workspace was made."""
    result: Numbers
    """(5,): what `solve` returns with the value: a guess, the number of ties listed, and whether it
    would have to look further than the weights go; at the root the cost of the best guess so far,
    and this guess."""
    keys: Words
    """(2 ** bits,): the keys of the transposition table."""
    values: Words
    """(2 ** bits,): its values."""
    signal: Numbers
    """(7,): a word each to stop, for the turn of the root, and for progress there: guess + 1,
    guesses settled; the number of threads; the number of guesses that the search of a part must
    try to be logged, 0 without a log; the turn from which the log has steps."""
    busy: Words
    """(BUSY_SLOTS,): the keys of sets that some thread is searching, by their low bits."""
    path: Numbers
    """(rows,): of each turn the guess and the answer that lead to the part under search, those of
    the history included if there is a log (`bullscows.kernels.log`)."""
    log: Numbers
    """(LOG_ROWS or 0, LOG_ROW): what was proved of parts that took long."""
    log_ends: Numbers
    """(2,): how many rows were ever appended to the log, and how many of them were read."""


def make_tables(bits: int) -> Tables:
    """Return the keys and values of an empty transposition table of ``2**bits`` entries."""
    return np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint64)


_Shapes: TypeAlias = dict[str, tuple[type[np.generic], tuple[int, ...]]]


def _shapes(rows: int, size: int, stride: int, orders: int, symbols: int) -> _Shapes:
    """Return the types and shapes of the arrays of one thread."""
    local = min(size, LOCAL_SIZE)
    return {
        "members": (np.uint32, (rows, size)),
        "parts": (np.uint8, (rows, stride)),
        "guesses": (np.uint32, (rows, size)),
        "guess_bound": (np.int64, (rows, size)),
        "guess_order": (np.int64, (rows, size)),
        "answer_rows": (np.uint8, (rows, (min(size, CACHED) + BLOCK) * CACHED_ROW)),
        "row_of": (np.int32, (rows, size)),
        "answer_of": (np.int64, (size,)),
        "local": (np.uint8, (rows, local * local + NEAR)),
        "places": (np.uint32, (rows, size + BEHIND)),
        "part": (np.int64, (rows, 7 * 64)),
        "part_hash": (np.uint64, (rows, 2 * 64)),
        "symbol_class": (np.int64, (rows, 3 * 32)),
        "stab_count": (np.int64, (rows,)),
        "stab_order": (np.int32, (STAB_TURNS + 1, orders)),
        "stab_image": (np.int8, (STAB_TURNS + 1, orders * max(symbols, 1))),
        "free_symbols": (np.int64, (STAB_TURNS + 1, 33)),
        "mark": (np.uint8, (size,)),
        "sizes": (np.int32, (BLOCK * MAX_ANSWERS,)),
        "scratch": (np.int64, (512,)),
        "square": (np.uint8, (PARTS + LANES,)),
        "signatures": (np.uint64, (384,)),
        "counters": (np.int64, (len(COUNTED),)),
        "result": (np.int64, (5,)),
        "path": (np.int64, (rows,)),
        "log_ends": (np.int64, (2,)),
    }


def make_workspace(
    problem: Problem, shared: Tables, signal: Numbers, busy: Words, *, is_logged: bool = False
) -> Workspace:
    """Allocate the scratch arrays of one thread; with a log if wanted."""
    orders = len(problem.permutations) // max(problem.positions, 1)
    rows = len(problem.weights) + 1
    shapes = _shapes(rows, problem.size, problem.stride, orders, problem.symbols)
    shapes["log"] = (np.int64, (LOG_ROWS if is_logged else 0, LOG_ROW))
    made: dict[str, Any] = {name: np.zeros(shape, kind) for name, (kind, shape) in shapes.items()}
    keys, values = shared
    return Workspace(**made, keys=keys, values=values, signal=signal, busy=busy)


def search_bytes(rules: Rules, turns: int, bits: int) -> int:
    """Return an upper bound, not far off, on the bytes of a search with one thread.

    Without the response table; `turns` are looked ahead, the table has ``2**bits`` entries.
    """
    rows = turns + SPARE_TURNS + 2
    size = rules.size
    orders = factorial(rules.positions - rules.pinned)
    shapes = _shapes(rows, size, size + 64, orders, rules.symbols).values()
    scratch = sum(kind(0).nbytes * prod(shape) for kind, shape in shapes)
    by_digits: int = rules.symbols**rules.positions
    game = size * (41 + 2 * rules.positions) + 4 * by_digits + orders * rules.positions
    bounds = 8 * rows * (len(rules.answers) + 1) * (min(size, TABLE_SIZES) + 1)
    return game + bounds + scratch + (16 << bits) + SPARE_BYTES
