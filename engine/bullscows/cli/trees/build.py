"""``bullscows build``: tree files from nothing, searched, proved, replayed, replaced.

An exact tree is one search with threads, or the tasks of a store on a cluster.  The work of an
interrupted build is kept in a hidden folder for each tree until its file is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from shutil import rmtree
from typing import Annotated, TypeAlias

import typer

from bullscows.build.builder import BuildError, build_by_tasks, build_record
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
    Slice,
    StoreFile,
    cores,
    default_store,
    started_pool,
)
from bullscows.cli.progress import search_shown, tasks_shown, text_shown
from bullscows.cli.trees.verify import tree_line, tree_row
from bullscows.game.rules import Rules
from bullscows.jobs.pools import PoolError
from bullscows.jobs.store.store import Store
from bullscows.search.interrupts import heard
from bullscows.tree.files import TreeRecord, read_tree, write_tree
from bullscows.tree.storage import default_folder

_POLL_SECONDS = 0.2
"""How often Ctrl-C is looked for while other processes build."""

Built: TypeAlias = tuple[TreeSpec, TreeRecord]


def build(
    trees: Annotated[list[str] | None, typer.Argument(metavar="TREE...")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build the shipped trees.")] = False,
    long: Annotated[
        bool, typer.Option("--long", help="With --all: those too whose proof takes hours.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--trees", help="Folder to write to.", show_default=False)
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Threads that share a search.", show_default="all cores"),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Trees built at the same time.")
    ] = 1,
    cluster: Cluster = None,
    nice: Nice = 10,
    seconds: Slice = 10.0,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Make tree files: search or rule, encode, replay, and only then replace.

    Each file is written as soon as its tree is proved.  With --cluster exact trees are made by
    tasks whose results go to the store, and an interrupted build continues with them.
    """
    entries = _every(long) if every else [spec(name) for name in trees or []]
    if not entries:
        raise typer.BadParameter("name the trees to build, or say --all")
    target = folder or default_folder()
    _check_room(target, entries)
    afar = [entry for entry in entries if entry.is_optimal] if cluster else []
    here = [entry for entry in entries if entry not in afar]
    shared = threads or max(cores() // processes, 1)
    rows = {}
    with _claims_told():
        local = _side_by_side if processes > 1 else _one_by_one
        remote = _on_cluster(afar, cluster or "", store or default_store(), seconds)
        for entry, record in chain(remote, local(here, target, shared, nice, processes)):
            path = target / f"{entry.name}.json"
            write_tree(path, record)
            rmtree(_work_of(entry, target), ignore_errors=True)
            rows[entry.name] = tree_row(read_tree(path))
            if not as_json:
                typer.echo(tree_line(rows[entry.name]))
    if as_json:
        typer.echo(json.dumps({"trees": [rows[entry.name] for entry in entries]}))


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


def _every(long: bool) -> list[TreeSpec]:
    left_out = [] if long else [entry.name for entry in CATALOGUE.values() if entry.is_long]
    for name in left_out:
        typer.echo(f"left out, its proof takes hours (--long): {name}", err=True)
    return [entry for entry in CATALOGUE.values() if entry.name not in left_out]


@contextmanager
def _claims_told() -> Iterator[None]:
    """Exit with 1 if there is no tree as the catalogue says."""
    try:
        yield
    except BuildError as error:
        typer.echo(f"bullscows: {error}", err=True)
        raise typer.Exit(CLAIM_FAILS) from None


def _work_of(entry: TreeSpec, target: Path) -> Path:
    """Return the folder of what an interrupted build of a tree continues with."""
    return target / f".{entry.name}"


def _one_by_one(
    entries: Sequence[TreeSpec], target: Path, threads: int, nice: int, _processes: int
) -> Iterator[Built]:
    """Build trees in this process, at low priority, with progress on a terminal."""
    if entries and hasattr(os, "nice"):
        os.nice(nice)
    for entry in entries:
        work, label = _work_of(entry, target), f"building {entry.name}"
        with text_shown(label) as tell, search_shown(Rules.parse(entry.rules), label) as show:
            try:
                yield entry, build_record(entry, Means(threads, work, tell), progress=show)
            except KeyboardInterrupt:
                if work.exists():
                    typer.echo(f"the work is kept in {work}: the same command continues", err=True)
                raise


def _side_by_side(
    entries: Sequence[TreeSpec], target: Path, threads: int, nice: int, processes: int
) -> Iterator[Built]:
    """Build trees at the same time, each in a process of its own."""
    waiting = list(entries)
    running: dict[Future[TreeRecord], TreeSpec] = {}
    with started_pool(processes, None, nice) as pool, heard() as interrupts:
        while waiting or running:
            while waiting and len(running) < pool.slots:
                entry = waiting.pop(0)
                means = Means(threads, _work_of(entry, target))
                running[pool.submit(build_record, entry, means)] = entry
            done, _ = wait(running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            interrupts.check()
            for future in done:
                entry = running.pop(future)
                error = future.exception()
                if error is not None and pool.lost_worker(error):
                    raise PoolError(f"the process that built {entry.name} ended; build it again")
                yield entry, future.result()


def _on_cluster(
    entries: Sequence[TreeSpec], cluster: str, place: Path, seconds: float
) -> Iterator[Built]:
    """Build exact trees by tasks of the store at a place, on the workers of a Dask scheduler."""
    if not entries:
        return
    from bullscows.jobs.coordinator import JobFailedError  # which needs numba

    with (
        Store.open(place) as store,
        started_pool(None, cluster, 0) as pool,
        tasks_shown("building") as show,
    ):
        try:
            records = build_by_tasks(entries, store, pool, slice_seconds=seconds, progress=show)
        except JobFailedError as error:
            raise BuildError(str(error)) from None
    yield from zip(entries, records, strict=True)
