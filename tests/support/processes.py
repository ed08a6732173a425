"""Processes that tests start in order to interrupt them, wherever the suite itself runs.

A shell starts what goes to the background (``make test &``) with SIGINT ignored, and so does
whatever is started from there: a signal that is ignored stays so through fork and exec.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any


def interruptible() -> AbstractContextManager[None]:
    """Take SIGINT as in a terminal's foreground: here, and in what is started meanwhile."""
    return _taking(signal.default_int_handler)


def background() -> AbstractContextManager[None]:
    """Ignore SIGINT as a shell's background does: here, and in what is started meanwhile."""
    return _taking(signal.SIG_IGN)


@contextmanager
def _taking(handler: Any) -> Iterator[None]:
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    """Start a process that SIGINT reaches; the options are those of `subprocess.Popen`."""
    with interruptible():
        return subprocess.Popen(command, text=True, **options)
