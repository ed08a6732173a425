"""``bullscows build``: tree files from nothing, searched, proved, replayed, replaced.

Exact trees are built by tasks of a store, a whole tree being the first try, so that a build that
is interrupted goes on where it was.  Without ``--store`` that is a file beside the trees, which is
gone once the command is done: the next build proves everything again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Annotated

import typer

from bullscows.build.builder import build_by_tasks, rule_record
from bullscows.build.catalogue import (
    CATALOGUE,
    TreeSpec,
    spec,
)
from bullscows.build.strategies import Means
from bullscows.cli.options import (
    CLAIM_FAILS,
    AsJson,
    Cluster,
    Nice,
    Processes,
    Slice,
    cores,
    started_pool,
)
from bullscows.cli.progress import tasks_shown, text_shown
from bullscows.cli.trees.verify import tree_line, tree_row
from bullscows.jobs.pools import Pool
from bullscows.jobs.store.store import Store
from bullscows.jobs.tables import folder_of
from bullscows.tree.files import TreeRecord, read_tree, write_tree
from bullscows.tree.folder import default_folder

_OWN_STORE = ".jobs.sqlite"


def build(
    trees: Annotated[list[str] | None, typer.Argument(metavar="TREE...")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build the shipped trees.")] = False,
    long: Annotated[
        bool, typer.Option("--long", help="With --all: those too whose proof takes hours.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--trees", help="Folder to write to.", show_default=False)
    ] = None,
    jobs: Processes = None,
    cluster: Cluster = None,
    nice: Nice = 10,
    seconds: Slice = 10.0,
    store: Annotated[
        Path | None, typer.Option("--store", help="A store of tasks to use and to keep.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make tree files: search or rule, encode, replay, and only then replace.

    Interrupt it at will and run it again: what was proven is kept.
    """
    entries = _every(long) if every else [spec(name) for name in trees or []]
    if not entries:
        raise typer.BadParameter("name the trees to build, or say --all")
    target = folder or default_folder()
    _check_room(target, entries)
    place = store or target / _OWN_STORE
    exact = [entry for entry in entries if entry.is_optimal]
    with builders_of(target) as builders, _kept(place):
        proved = {}
        if exact:
            proved = _proved(exact, place, started_pool(jobs, cluster, nice), seconds)
        rows = []
        for entry in entries:
            path = target / f"{entry.name}.json"
            write_tree(path, proved.get(entry.name) or _followed(entry, place, jobs or cores()))
            rows.append(tree_row(read_tree(path)))
            if not as_json:
                typer.echo(tree_line(rows[-1]))
        if as_json:
            typer.echo(json.dumps({"trees": rows}))
        if store is None and _is_last(builders):
            _discard(place)


def _check_room(target: Path, entries: list[TreeSpec]) -> None:
    """Refuse at once what could not be written after hours of search."""
    if not target.is_dir():
        raise typer.BadParameter(f"there is no folder {target} to write to")
    if not os.access(target, os.W_OK | os.X_OK):
        raise typer.BadParameter(f"the folder {target} can't be written to")
    for entry in entries:
        path = target / f"{entry.name}.json"
        if path.is_dir():
            raise typer.BadParameter(f"{path} is a folder: the tree can't replace it")


@contextmanager
def builders_of(target: Path) -> Iterator[int]:
    """Count among those who build in a folder as long as the block runs; yield their handle."""
    handle = os.open(target, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield handle
    finally:
        os.close(handle)


def _is_last(handle: int) -> bool:
    """Return whether nobody else builds in the folder; from then on nobody begins to."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _every(long: bool) -> list[TreeSpec]:
    left_out = [] if long else [entry.name for entry in CATALOGUE.values() if entry.is_long]
    for name in left_out:
        typer.echo(f"left out, its proof takes hours (--long): {name}", err=True)
    return [entry for entry in CATALOGUE.values() if entry.name not in left_out]


def _proved(
    entries: list[TreeSpec], place: Path, workers: AbstractContextManager[Pool], seconds: float
) -> dict[str, TreeRecord]:
    """Build exact trees by tasks of the store at a place; what is proven stays there."""
    from bullscows.jobs.coordinator import JobFailedError

    begun = place.exists()
    with Store.open(place) as store:
        if begun:
            typer.echo(f"going on with what is proven in {place}", err=True)
        try:
            with workers as pool, tasks_shown("building") as show:
                records = build_by_tasks(entries, store, pool, slice_seconds=seconds, progress=show)
        except JobFailedError as error:
            typer.echo(f"bullscows: {error}", err=True)
            raise typer.Exit(CLAIM_FAILS) from None
    return {entry.name: record for entry, record in zip(entries, records, strict=True)}


def _followed(entry: TreeSpec, place: Path, jobs: int) -> TreeRecord:
    """Make a tree that follows a rule or a beam; what a beam searched stays beside the store."""
    with text_shown(f"building {entry.name}") as tell:
        return rule_record(entry, Means(jobs, folder_of(place), tell))


@contextmanager
def _kept(place: Path) -> Iterator[None]:
    """Say at Ctrl-C where that is what the same command goes on with: the store, or its tables."""
    try:
        yield
    except KeyboardInterrupt:
        kept = next((path for path in (place, folder_of(place)) if path.exists()), None)
        if kept is not None:
            typer.echo(f"what is proven is kept in {kept}: the same command goes on", err=True)
        raise


def _discard(place: Path) -> None:
    """Remove a passing store and its tables."""
    for path in (place, *(place.with_name(place.name + end) for end in ("-wal", "-shm"))):
        path.unlink(missing_ok=True)
    rmtree(folder_of(place), ignore_errors=True)
