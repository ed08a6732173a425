"""Progress of a run of tasks on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.progress import QUIET_SECONDS, text_shown

if TYPE_CHECKING:
    from engine.jobs.coordinator import Progress


@contextmanager
def tasks_shown(label: str) -> Iterator[Callable[[Progress], None] | None]:
    """Yield a function that shows the `Progress` of a run, or None off a terminal."""
    with text_shown(label) as tell:

        def show(progress: Progress) -> None:
            if tell is not None and progress.seconds >= QUIET_SECONDS:
                tell(line(progress))

        yield None if tell is None else show


def line(progress: Progress) -> str:
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
