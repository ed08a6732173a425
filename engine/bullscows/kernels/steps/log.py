"""Log of what was proved: the positions that took a search long, for a checkpoint.

Each thread has a log of its own, a ring in `Workspace.log`.  The kernel appends a row when a part
of a guess has been searched; the thread that waits for the search reads the rows
(`bullscows.search.search`).  If the ring is full the row is dropped: a checkpoint may leave out
any bound.  Every row ends with a hash of its words, so a row that is only partly visible to the
reader is dropped as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE
from bullscows.kernels.arrays.workspace import (
    LOG_ROW,
    SIGNAL_LOG,
    SIGNAL_STOP,
    SIGNAL_TURN,
    Workspace,
)
from bullscows.kernels.compiling.jit import inlined, int64, kernel, uint64

# Columns of a row of `Workspace.log`; the path from the root takes what is left.
TURN, WORK, VALUE, PLACE, CHECK, SEAL, PATH = range(7)

ANSWERS = 64
"""A step of a path is ``guess * ANSWERS + answer``."""

_FACTOR = 0x9E3779B97F4A7C15


@inlined
def take_step(work: Workspace, turn: int, guess: int, answer: int) -> None:
    """Write the guess and the answer that lead from a node at `turn` to the part under search."""
    work.path[turn] = int64(guess) * int64(ANSWERS) + answer


@inlined
def is_logged(work: Workspace, nodes: int) -> bool:
    """Return whether a part that took so many nodes goes to the log.

    Nothing does once the search was told to stop: what it returns then is no value.
    """
    least = work.signal[SIGNAL_LOG]
    return bool(least != 0 and nodes >= least and work.signal[SIGNAL_STOP] == 0)


@kernel
def log_part(
    work: Workspace, turn: int, place: int, check: int, value: int, budget: int, nodes: int
) -> None:
    """Append what was proved of a part, which stands at `turn`.

    Parameters
    ----------
    place, check
        The table key of the part.
    value, budget
        What the search of it returned, and the most it could use: the value is exact if it is at
        most the budget, else a lower bound.
    nodes
        The nodes that it took.
    """
    root = work.signal[SIGNAL_TURN]
    written = work.log_ends[0]
    capacity = int64(work.log.shape[0])
    if turn - root > LOG_ROW - PATH or written - work.log_ends[1] >= capacity:
        return
    row = work.log[written % capacity]
    row[TURN], row[WORK] = turn, nodes
    row[VALUE] = min(value, int64(INFINITE)) * 2 + int64(value <= budget)
    row[PLACE], row[CHECK] = int64(place), int64(check)
    for step in range(LOG_ROW - PATH):
        row[PATH + step] = work.path[root + step] if root + step < turn else int64(0)
    seal = uint64(0)
    for column in range(LOG_ROW):
        if column != SEAL:
            seal = seal * uint64(_FACTOR) + uint64(row[column])
    row[SEAL] = int64(seal)
    work.log_ends[0] = written + 1


class Logged(NamedTuple):
    """What a row of the log says of a position."""

    path: tuple[tuple[int, int], ...]
    """The guesses and answers, by the numbers of the table, that lead to it from the root."""
    key: tuple[int, int]
    """Its two hashes, each below 2**64."""
    bounds: Bounds
    nodes: int


def read_log(work: Workspace) -> Iterator[Logged]:
    """Yield what was appended since the last call, and free the rows."""
    written, read = int(work.log_ends[0]), int(work.log_ends[1])
    if written == read:
        return
    rows = work.log[np.arange(read, written) % len(work.log)]
    work.log_ends[1] = written
    words = rows.view(np.uint64)
    whole = _seals(words) == words[:, SEAL]
    keys = words[whole, PLACE:SEAL].tolist()
    root = int(work.signal[SIGNAL_TURN])
    for row, (place, check) in zip(rows[whole].tolist(), keys, strict=True):
        steps = row[PATH : PATH + row[TURN] - root]
        value = row[VALUE] // 2
        yield Logged(
            tuple((step // ANSWERS, step % ANSWERS) for step in steps),
            (place, check),
            Bounds(value, value if row[VALUE] % 2 else None),
            row[WORK],
        )


def _seals(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the seal that each row should have."""
    seals = np.zeros(len(words), dtype=np.uint64)
    for column in range(LOG_ROW):
        if column != SEAL:
            seals = seals * np.uint64(_FACTOR) + words[:, column]
    return seals
