"""What the commands have in common: exit codes, options, output, and workers that end."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from bullscows.jobs.pools import ClusterPool, LocalPool, Pool
from bullscows.tree.files import TreeFile, read_tree
from bullscows.tree.storage import default_folder, tree_path

DONE, CLAIM_FAILS, USAGE, UNPROVED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141
"""Exit codes; with `UNPROVED` a limit stopped a search before it had proved its result."""

RULES_HELP = "A game: p4c10n, p4c6r, ... or bulls-cows, mastermind, super-mastermind."

RulesText = Annotated[str, typer.Argument(metavar="RULES", help=RULES_HELP)]
Folder = Annotated[
    Path | None, typer.Option("--trees", help="Folder of the tree files.", show_default=False)
]
Threads = Annotated[int, typer.Option(min=1, max=256, help="Threads of the search.")]
TimeLimit = Annotated[float | None, typer.Option(min=0, help="Limit of the search in seconds.")]
NextGuess = Annotated[str | None, typer.Option(help="Make this the next guess.")]
Turns = Annotated[str, typer.Option(help='Turns so far, for example "0123:0.1 1245:0.2".')]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="File of the store.", show_default="$BULLSCOWS_JOBS, else yours"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Processes = Annotated[
    int | None,
    typer.Option(min=1, max=256, help="Worker processes.", show_default="all cores"),
]
Cluster = Annotated[
    str | None, typer.Option(help="Address of a Dask scheduler, as in tcp://host:8786.")
]
Nice = Annotated[int, typer.Option(min=0, max=19, help="How low the priority is.")]
Slice = Annotated[float, typer.Option("--slice", min=0.01, help="Seconds of a turn at a task.")]


def emit(value: dict[str, Any], lines: Sequence[str], as_json: bool) -> None:
    """Print a result as one JSON object or as lines of text."""
    if as_json:
        typer.echo(json.dumps(value).replace("\x7f", "\\u007f"))
    else:
        for line in lines:
            typer.echo(line)


def named_tree(tree: str, folder: Path | None) -> TreeFile:
    """Read the tree that a user means by a name or a file; without a folder, one that ships."""
    return read_tree(tree_path(tree, folder or default_folder()))


def default_store() -> Path:
    """Return the store that BULLSCOWS_JOBS names, else the one in the user's state folder."""
    named = os.environ.get("BULLSCOWS_JOBS")
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "bullscows" / "jobs.sqlite"


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end the block like Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def started_pool(processes: int | None, cluster: str | None, nice: int) -> Iterator[Pool]:
    """Start workers, and end them however the block ends; SIGTERM ends it like Ctrl-C."""
    with terminable():
        pool: Pool = ClusterPool(cluster) if cluster else LocalPool(processes or cores(), nice=nice)
        try:
            yield pool
        finally:
            pool.stop()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
