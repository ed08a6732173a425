"""Arguments and options that commands share, and the values behind them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from bullscows.jobs.pools import ClusterPool, LocalPool, Pool
from bullscows.tree.files import TreeFile, read_tree
from bullscows.tree.storage import default_folder, tree_path

RULES_HELP = "Game, for example p4c10n; or bulls-cows, mastermind, super-mastermind."

RulesText = Annotated[str, typer.Argument(metavar="RULES", help=RULES_HELP)]
NextGuess = Annotated[str | None, typer.Option(help="Make this the next guess.")]
Turns = Annotated[str, typer.Option(help='Turns so far, for example "0123:0.1 1245:0.2".')]
MaxTurns = Annotated[int | None, typer.Option(help="Last allowed turn.")]
TimeLimit = Annotated[
    float | None, typer.Option(min=0, help="Limit in seconds.", show_default="no limit")
]
Threads = Annotated[int, typer.Option(min=1, max=256, help="Threads of the search.")]
Processes = Annotated[
    int | None,
    typer.Option(min=1, max=256, help="Worker processes.", show_default="all cores"),
]
Cluster = Annotated[
    str | None, typer.Option(help="Address of a Dask scheduler, for example tcp://host:8786.")
]
Nice = Annotated[int, typer.Option(min=0, max=19, help="Niceness of the worker processes.")]
Slice = Annotated[
    float, typer.Option("--slice", min=0.01, help="Seconds after which a task is split.")
]
Folder = Annotated[
    Path | None, typer.Option("--trees", help="Folder of the tree files.", show_default=False)
]
StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store", help="Database of the jobs.", show_default="$BULLSCOWS_JOBS, or your own"
    ),
]


def named_tree(tree: str, folder: Path | None) -> TreeFile:
    """Read a tree by name or path; the default folder is that of the shipped trees."""
    return read_tree(tree_path(tree, folder or default_folder()))


def default_store() -> Path:
    """Return the path in BULLSCOWS_JOBS, or the default path in the user's state folder."""
    named = os.environ.get("BULLSCOWS_JOBS")
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "bullscows" / "jobs.sqlite"


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def terminable() -> Iterator[None]:
    """Raise KeyboardInterrupt in the block on SIGTERM, as on Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def started_pool(processes: int | None, cluster: str | None, nice: int) -> Iterator[Pool]:
    """Start workers, and stop them at the end of the block, also after Ctrl-C or SIGTERM."""
    with terminable():
        pool: Pool = ClusterPool(cluster) if cluster else LocalPool(processes or cores(), nice=nice)
        try:
            yield pool
        finally:
            pool.stop()
