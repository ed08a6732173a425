"""Memory in use by the process, and the release of freed memory to the system.

The memory in use is the resident memory, shared libraries included.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

from bullscows.errors import EngineError
from bullscows.game import response_table

MEGABYTE = 1 << 20


class TooLittleMemoryError(EngineError, MemoryError):
    """A game that can't be searched within the memory limit."""

    def __init__(self, game: str, needed: int, room: int) -> None:
        super().__init__(
            f"to search {game} takes {needed // MEGABYTE} MB at least, "
            f"and {max(room, 0) // MEGABYTE} MB are left"
        )


def resident() -> int | None:
    """Return the bytes in use; None if the system does not report them (Linux does)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def forget() -> None:
    """Clear the caches of modules for large games, and release the memory."""
    response_table.forget_large()
    give_back()


def give_back() -> None:
    """Release memory that is free within the process to the system, if the C library can.

    Large arrays are released when they are freed; of smaller ones, below 128 kB, 128 MB can stay
    resident, and the memory limit of a search process is its resident memory.
    """
    with suppress(AttributeError, OSError):  # not the GNU C library
        ctypes.CDLL(None).malloc_trim(0)
