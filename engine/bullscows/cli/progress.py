"""Progress on a terminal: one line on standard error, gone when the work ends.

Nothing is shown where standard error is no terminal, nor in the first second; but notices always.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.status import Status

import bullscows
from bullscows.game.number import NumberGame
from bullscows.game.rules import Rules

if TYPE_CHECKING:
    from bullscows.jobs.coordinator import RunProgress
    from bullscows.search.position import Progress

QUIET_SECONDS = 1.0
"""A search that is over by then shows nothing."""


@contextmanager
def search_shown(
    rules: Rules | NumberGame, label: str
) -> Iterator[Callable[[Progress], None] | None]:
    """Yield a function that takes the `Progress` of a search and shows it, or None off a terminal.

    Parameters
    ----------
    rules
        The game, to write guesses.
    label
        What is being searched.
    """
    with _status(label) as status:
        if status is None:
            yield None
        else:
            yield lambda progress: _show(
                status, search_line(rules, label, progress), progress.seconds
            )


@contextmanager
def text_shown(label: str) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that shows a sentence, or None off a terminal."""
    with _status(label) as status:
        if status is None:
            yield None
        else:
            yield lambda text: _show(status, f"{label}: {text}", QUIET_SECONDS)


@contextmanager
def tasks_shown(label: str) -> Iterator[Callable[[RunProgress], None] | None]:
    """Yield a function that shows the progress of a run of tasks, or None off a terminal."""
    with text_shown(label) as tell:

        def show(progress: RunProgress) -> None:
            if tell is not None and progress.seconds >= QUIET_SECONDS:
                tell(tasks_line(progress))

        yield None if tell is None else show


def show_notices() -> None:
    """Show on standard error what the search has to say of itself: that it is being compiled."""
    handler = logging.StreamHandler()
    logger = logging.getLogger(f"{bullscows.__name__}.kernels")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False


@contextmanager
def _status(label: str) -> Iterator[Status | None]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    status = console.status(label)
    try:
        yield status
    finally:
        status.stop()


def _show(status: Status, text: str, seconds: float) -> None:
    if seconds < QUIET_SECONDS:
        return
    status.update(text)
    status.start()


def search_line(rules: Rules | NumberGame, label: str, progress: Progress) -> str:
    """Return one line: what is searched, for how long, what is under way and what is known."""
    words = [f"{label}: {progress.seconds:.0f} s, {progress.nodes:,} nodes"]
    if progress.guess is not None:
        words.append(f"guess {rules.text(progress.guess)} under way, {progress.done} settled")
    if progress.lower > 0:
        words.append(f"at least {progress.lower}")
    if progress.best is not None:
        words.append(f"at most {progress.best}")
    return ", ".join(words)


def tasks_line(progress: RunProgress) -> str:
    """Return one line: for how long it runs, how far its tasks are, what is proven."""
    words = [
        f"{progress.seconds:.0f} s, {progress.done} tasks done, "
        f"{progress.running} running, {progress.waiting} waiting"
    ]
    if progress.left is not None:
        words.append(f"{progress.left:.0f} s or more to go")
    if progress.bounds is not None:
        upper = progress.bounds.upper
        words.append(f"at least {progress.bounds.lower}")
        words += [] if upper is None else [f"at most {upper}"]
    return ", ".join(words)
