"""The arrays a search writes: the scratch of its turns, its counters and its tables.

Everything is allocated once.  The recursion itself allocates nothing: a node at turn t owns row t
of each scratch array, and writes the parts of the guess it tries into row t + 1 of `members`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.rules import Rules
from bullscows.kernels.caps import TABLE_SIZES
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
"""Entries behind the last that vectors may read, or write."""

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
LOG_ROW = 16
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
GUESS, TIES, TOO_DEEP = range(3)

# Entries of `Workspace.signal`, which threads share.
SIGNAL_STOP, SIGNAL_TURN, SIGNAL_GUESS, SIGNAL_DONE, SIGNAL_BEST, SIGNAL_THREADS = range(6)
SIGNAL_LOG, SIGNAL_FROM = 6, 7

Tables: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint64]]
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

    members: NDArray[np.uint32]
    """(rows, size): the candidates of the node, and its siblings."""
    parts: NDArray[np.uint8]
    """(rows, stride): the number of parts each guess makes, plus `MEMBER` for a candidate."""
    guesses: NDArray[np.uint32]
    """(rows, size): the guesses of the current batch, the best first."""
    guess_bound: NDArray[np.int64]
    """(rows, size): lower bounds on these guesses."""
    guess_order: NDArray[np.int64]
    """(rows, size): how promising each of these is, least first, among those with one bound."""
    answer_rows: NDArray[np.uint8]
    """(rows, (cached + BLOCK) * CACHED_ROW): the answers of the candidates of a small node to each
    guess of the batch, and space for the guesses of a block while they are bounded."""
    row_of: NDArray[np.int32]
    """(rows, size): the row of answers of a guess of the batch, -1 if there is none."""
    answer_of: NDArray[np.int64]
    """(size,): the answer of each candidate of a node to a guess, while the node is split."""
    local: NDArray[np.uint8]
    """(rows, local * local + NEAR): the responses to each other of up to `LOCAL_SIZE` candidates,
    and spare space."""
    places: NDArray[np.uint32]
    """(rows, size + BEHIND): the parts of the current guess, as offsets into its candidates; of a
    small node once they are needed (`bullscows.kernels.splits`)."""
    part: NDArray[np.int64]
    """(rows, 7 * 64): start, size, cap, bound and known value of the parts of the current guess, by
    answer; the answers whose parts are to be searched, in order; and where each part ends."""
    part_hash: NDArray[np.uint64]
    """(rows, 2 * 64): the two hashes of each part, by answer."""
    symbol_class: NDArray[np.int64]
    """(rows, 3 * 32): of each symbol the least one it can be swapped with, its rank in that class,
    and how often it occurs (`bullscows.kernels.symmetry.symbol_classes`)."""
    stab_count: NDArray[np.int64]
    """(rows,): how many orders of the positions are compatible with the history; 0: none known."""
    stab_order: NDArray[np.int32]
    """(STAB_TURNS + 1, orders): which these are, as numbers in `Problem.permutations`."""
    stab_image: NDArray[np.int8]
    """(STAB_TURNS + 1, orders * max(symbols, 1)): where each of these orders takes each symbol, -1
    if it is free."""
    free_symbols: NDArray[np.int64]
    """(STAB_TURNS + 1, 33): the symbols that are in no guess of the history, ascending."""
    mark: NDArray[np.uint8]
    """(size,): 1 for a candidate of the node whose symbols are checked, else 0."""
    sizes: NDArray[np.int32]
    """(BLOCK * MAX_ANSWERS,): the sizes of the parts of a block of guesses, guess by guess and by
    answer, while they are bounded."""
    scratch: NDArray[np.int64]
    """(512,): how often each symbol occurs at each place; then, the order of the places."""
    square: NDArray[np.uint8]
    """(PARTS + LANES,): a small set's responses to each other, while its members are checked, and
    the number of parts each makes."""
    signatures: NDArray[np.uint64]
    """(384,): signatures of places and symbols, for keys: 16 places, 16 symbols, and finer; then
    the same of each symbol at each place, twice."""
    counters: NDArray[np.int64]
    """(len(COUNTED),): what has been counted since the workspace was made."""
    result: NDArray[np.int64]
    """(3,): what `solve` returns with the value: a guess, the number of ties listed, and whether it
    would have to look further than the weights go."""
    keys: NDArray[np.uint64]
    """(2 ** bits,): the keys of the transposition table."""
    values: NDArray[np.uint64]
    """(2 ** bits,): its values."""
    signal: NDArray[np.int64]
    """(8,): a word each to stop, for the turn of the root, and for progress there: guess + 1,
    guesses settled, best cost + 1; the number of threads; the number of guesses that the search of
    a part must try to be logged, 0 without a log; the turn from which the log has steps."""
    busy: NDArray[np.uint64]
    """(BUSY_SLOTS,): the keys of sets that some thread is searching, by their low bits."""
    path: NDArray[np.int64]
    """(rows,): of each turn the guess and the answer that lead to the part under search, those of
    the history included if there is a log (`bullscows.kernels.log`)."""
    log: NDArray[np.int64]
    """(LOG_ROWS or 0, LOG_ROW): what was proved of parts that took long."""
    log_ends: NDArray[np.int64]
    """(2,): how many rows were ever appended to the log, and how many of them were read."""


def make_tables(bits: int) -> Tables:
    """Return the keys and values of an empty transposition table of ``2**bits`` entries."""
    return np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint64)


def make_workspace(
    problem: Problem,
    shared: Tables,
    signal: NDArray[np.int64],
    busy: NDArray[np.uint64],
    *,
    is_logged: bool = False,
) -> Workspace:
    """Allocate the scratch arrays of one thread; with a log if wanted."""
    rows = len(problem.weights) + 1
    size = problem.size
    stride = problem.stride
    orders = len(problem.permutations) // max(problem.positions, 1)
    local = min(size, LOCAL_SIZE)
    keys, values = shared
    return Workspace(
        members=np.zeros((rows, size), dtype=np.uint32),
        parts=np.zeros((rows, stride), dtype=np.uint8),
        guesses=np.zeros((rows, size), dtype=np.uint32),
        guess_bound=np.zeros((rows, size), dtype=np.int64),
        guess_order=np.zeros((rows, size), dtype=np.int64),
        answer_rows=np.zeros((rows, (min(size, CACHED) + BLOCK) * CACHED_ROW), dtype=np.uint8),
        row_of=np.zeros((rows, size), dtype=np.int32),
        answer_of=np.zeros(size, dtype=np.int64),
        local=np.zeros((rows, local * local + NEAR), dtype=np.uint8),
        places=np.zeros((rows, size + BEHIND), dtype=np.uint32),
        part=np.zeros((rows, 7 * 64), dtype=np.int64),
        part_hash=np.zeros((rows, 2 * 64), dtype=np.uint64),
        symbol_class=np.zeros((rows, 3 * 32), dtype=np.int64),
        stab_count=np.zeros(rows, dtype=np.int64),
        stab_order=np.zeros((STAB_TURNS + 1, orders), dtype=np.int32),
        stab_image=np.zeros((STAB_TURNS + 1, orders * max(problem.symbols, 1)), dtype=np.int8),
        free_symbols=np.zeros((STAB_TURNS + 1, 33), dtype=np.int64),
        mark=np.zeros(size, dtype=np.uint8),
        sizes=np.zeros(BLOCK * MAX_ANSWERS, dtype=np.int32),
        scratch=np.zeros(512, dtype=np.int64),
        square=np.zeros(PARTS + LANES, dtype=np.uint8),
        signatures=np.zeros(384, dtype=np.uint64),
        counters=np.zeros(len(COUNTED), dtype=np.int64),
        result=np.zeros(3, dtype=np.int64),
        keys=keys,
        values=values,
        signal=signal,
        busy=busy,
        path=np.zeros(rows, dtype=np.int64),
        log=np.zeros((LOG_ROWS if is_logged else 0, LOG_ROW), dtype=np.int64),
        log_ends=np.zeros(2, dtype=np.int64),
    )


def search_bytes(rules: Rules, turns: int, bits: int) -> int:
    """Return an upper bound, not far off, on the bytes of a search with one thread.

    Without the response table; `turns` are looked ahead, the table has ``2**bits`` entries.
    """
    rows = turns + SPARE_TURNS + 2
    size = rules.size
    stride = size + 64
    local = min(size, LOCAL_SIZE)
    orders = factorial(rules.positions - rules.pinned)
    by_digits: int = rules.symbols**rules.positions
    fan_out = len(rules.answers) + 1
    game = size * (48 + rules.positions) + 4 * by_digits
    bounds = 8 * rows * fan_out * (min(size, TABLE_SIZES) + 1)
    answer_rows = (min(size, CACHED) + BLOCK) * CACHED_ROW
    nodes = rows * (32 * size + stride + local * local + answer_rows + 6000)
    symmetry = orders * (rules.positions + (STAB_TURNS + 1) * (4 + rules.symbols))
    return game + bounds + nodes + symmetry + (16 << bits) + SPARE_BYTES
