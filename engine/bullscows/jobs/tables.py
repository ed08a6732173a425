"""Transposition tables in files: what a worker has searched outlives it, and the others use it.

A table is mapped into memory, so that the processes of one game share its pages.  The pages belong
to the system: a worker may be killed at any moment, and what it had written remains.  Nothing needs
to be trusted: an entry with a torn, flipped or zeroed word counts as empty
(`bullscows.kernels.arrays.transposition`).  A file only saves time and may be deleted.
"""

from __future__ import annotations

import os
import tempfile
from hashlib import sha256
from pathlib import Path

import numpy as np

from bullscows import __version__
from bullscows.game.question import Question
from bullscows.kernels.arrays.workspace import Tables

_WORD = 8


def folder_of(store: Path) -> Path:
    """Return the folder of the tables that belong to a store."""
    return store.with_name(store.name + "-tables")


def path_of(folder: Path, question: Question) -> Path:
    """Return the file for all positions of a question's game, with its objective and turns."""
    game = f"{__version__} {question.rules} {question.objective} {question.max_turns}"
    return folder / f"{sha256(game.encode()).hexdigest()[:32]}.table"


def mapped_tables(path: Path, bits: int) -> Tables | None:
    """Map the table of ``2**bits`` entries in a file, which is created if need be.

    Returns None if that fails, for example on a full disk; then a private table has to do.
    """
    size = 2 * _WORD << bits
    try:
        if not path.exists() or path.stat().st_size != size:
            _make(path, size)
        words = np.memmap(path, dtype=np.uint64, mode="r+", shape=(2, 1 << bits))
    except (OSError, ValueError):
        return None
    return np.asarray(words[0]), np.asarray(words[1])


def _make(path: Path, size: int) -> None:
    """Create an empty table, all of its blocks reserved: a mapped file must not lack any."""
    path.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:  # Windows: a file that is extended gets its blocks
                file.truncate(size)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def discard(path: Path) -> None:
    """Remove a table, and its folder with the last one; processes that use it continue."""
    path.unlink(missing_ok=True)
    try:
        path.parent.rmdir()
    except OSError:
        return
