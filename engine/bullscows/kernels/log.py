"""Log of proved positions that took a search long, for a checkpoint.

Each thread has its own log, a ring in `Workspace.log`.  The kernel appends a row when a part of a
guess has been searched; the thread that waits for the search reads the rows.  If the ring is full
the row is dropped: a checkpoint may leave out any bound.  Every row ends with a hash of its words,
so that a row that is only partly visible to the reader is dropped as well.
"""

from __future__ import annotations

import numpy as np

from bullscows.game.objective import INFINITE
from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Numbers, int64, kernel, uint64

# Columns of a row of `Workspace.log`: the table key, the turn of the position, how many guesses its
# search tried, its bounds, the guess that attains the upper one + 1, or 0 if it is unknown, and the
# steps that lead to the position from the turn `SIGNAL_FROM` on.
PLACE, CHECK, TURN, EFFORT, LOWER, UPPER, GUESS, STEPS = range(8)
CHECKSUM = ws.LOG_ROW - 1
DEPTH = CHECKSUM - STEPS
"""Positions that are more steps away are not logged."""

NONE = INFINITE + 1
"""The upper bound of a position without a known strategy."""

ANSWERS = 64
"""A step is ``guess * ANSWERS + answer``."""

FACTOR = 0x9E3779B97F4A7C15
"""Mixes words of a row into a hash."""


@kernel
def log_part(work: ws.Workspace, node: ws.Node, value: int, budget: int, effort: int) -> None:
    """Append what was proved of a part, if its search tried `effort` guesses, and these are enough.

    The value is a lower bound if it exceeds the budget; a search that is stopped returns no values.
    """
    turn = node.turn
    begin = work.signal[ws.SIGNAL_FROM]
    least = work.signal[ws.SIGNAL_LOG]
    if least == 0 or effort < least or work.signal[ws.SIGNAL_STOP] != 0:
        return
    written = work.log_ends[0]
    capacity = int64(work.log.shape[0])
    if turn - begin > DEPTH or written - work.log_ends[1] >= capacity:
        return
    row = work.log[written % capacity]
    row[PLACE] = int64(node.place)
    row[CHECK] = int64(node.check)
    row[TURN] = turn
    row[EFFORT] = effort
    row[LOWER] = min(value, int64(INFINITE))
    row[UPPER] = value if value <= budget else int64(NONE)
    row[GUESS] = work.result[ws.GUESS] + 1 if value <= budget else int64(0)
    for step in range(DEPTH):
        row[STEPS + step] = work.path[begin + step] if begin + step < turn else int64(0)
    checksum = uint64(0)
    for column in range(CHECKSUM):
        checksum = checksum * uint64(FACTOR) + uint64(row[column])
    row[CHECKSUM] = int64(checksum)
    work.log_ends[0] = written + 1


def read_log(work: ws.Workspace) -> Numbers:
    """Return and free the rows appended since the last call, (n, CHECKSUM) int64."""
    written, read = work.log_ends.tolist()
    rows = work.log[np.arange(read, written) % len(work.log)]
    work.log_ends[1] = written
    words = rows.view(np.uint64)
    checksums = np.zeros(len(rows), dtype=np.uint64)
    for column in range(CHECKSUM):
        checksums = checksums * np.uint64(FACTOR) + words[:, column]
    whole: Numbers = rows[checksums == words[:, CHECKSUM], :CHECKSUM]
    return whole
