"""Progress on a terminal: one line on standard error, removed when the work ends."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console

import bullscows
from bullscows.game.number import NumberGame
from bullscows.game.rules import Rules

if TYPE_CHECKING:
    from bullscows.jobs.coordinator import RunProgress
    from bullscows.search.position import Progress

QUIET_SECONDS = 1.0
"""Seconds for which no progress is shown, so that short work shows none."""


@contextmanager
def progress_shown(
    label: str, line: Callable[[Any], str] = str, quiet: float = QUIET_SECONDS
) -> Iterator[Callable[[Any], None] | None]:
    """Yield a function that shows a report, as `line` writes it, or None without a terminal.

    `label` says what is being done; for the first `quiet` seconds nothing is shown.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    started, status = time.monotonic(), console.status(label)

    def show(report: Any) -> None:
        if time.monotonic() - started >= quiet:
            status.update(f"{label}: {line(report)}")
            status.start()

    try:
        yield show
    finally:
        status.stop()


def show_notices() -> None:
    """Print the notices of the kernels, for example that they are being compiled."""
    logger = logging.getLogger(f"{bullscows.__name__}.kernels")
    logger.handlers[:] = [logging.StreamHandler()]
    logger.setLevel(logging.INFO)
    logger.propagate = False


def search_line(rules: Rules | NumberGame, progress: Progress) -> str:
    """Return the progress of a search: time, nodes, the guess under search and the bounds."""
    words = [f"{progress.seconds:.0f} s, {progress.nodes:,} nodes"]
    if progress.guess is not None:
        words.append(f"searching guess {rules.text(progress.guess)}, {progress.done} done")
    if progress.lower > 0:
        words.append(f"at least {progress.lower}")
    if progress.best is not None:
        words.append(f"at most {progress.best}")
    return ", ".join(words)


def tasks_line(progress: RunProgress) -> str:
    """Return the progress of a run of tasks: time, tasks by state and the proven bounds."""
    words = [
        f"{progress.seconds:.0f} s, {progress.done} tasks done, "
        f"{progress.running} running, {progress.waiting} waiting"
    ]
    if progress.left is not None:
        words.append(f"at least {progress.left:.0f} s left")
    if progress.bounds is not None:
        upper = progress.bounds.upper
        words.append(f"at least {progress.bounds.lower}")
        words += [] if upper is None else [f"at most {upper}"]
    return ", ".join(words)
