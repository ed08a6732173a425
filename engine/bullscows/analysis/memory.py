"""How much memory the process has in use, and how freed memory goes back to the system.

What is read here is the resident memory: what the process takes away from others, shared libraries
included.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from bullscows.errors import EngineError
from bullscows.game import responses

MEGABYTE = 1 << 20


class TooLittleMemoryError(EngineError, MemoryError):
    """A game that can't be searched within the memory that is allowed."""

    def __init__(self, game: str, needed: int, room: int) -> None:
        super().__init__(
            f"to search {game} takes {needed // MEGABYTE} MB at least, "
            f"and {max(room, 0) // MEGABYTE} MB are left"
        )


def resident() -> int | None:
    """Return the bytes in use; None where the system doesn't tell (Linux does)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def forget() -> None:
    """Drop what modules keep of large games, and give back what that frees."""
    responses.forget_large()
    give_back()


def give_back() -> None:
    """Return memory that is free within the process to the system, where the C library can.

    Large arrays go back as they are freed; smaller ones leave holes in the heap, which stay.
    """
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):  # not the GNU C library
        return
