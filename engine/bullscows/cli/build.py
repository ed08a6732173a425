"""``bullscows build``: search trees, prove them and write their files.

An exact tree is one search with threads, or tasks of a store on a cluster.  An interrupted build
keeps its work in a hidden folder for each tree until the file is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from shutil import rmtree
from typing import Annotated, TypeAlias

import typer

from bullscows.build.builder import build_by_tasks, build_record
from bullscows.build.catalogue import (
    CATALOGUE,
    TreeSpec,
    spec,
)
from bullscows.build.strategies import BuildOptions
from bullscows.cli.options import (
    Cluster,
    Nice,
    Slice,
    StoreFile,
    cores,
    default_store,
    started_pool,
)
from bullscows.cli.outcome import CLAIM_FAILS, AsJson, UsageError, print_json
from bullscows.cli.progress import progress_shown, search_line, tasks_line
from bullscows.cli.trees import tree_line, tree_row
from bullscows.game.rules import Rules
from bullscows.jobs.pools import PoolError
from bullscows.jobs.store.store import Store
from bullscows.search.interrupts import deferred_interrupts
from bullscows.tree.files import TreeRecord, read_tree, write_tree
from bullscows.tree.storage import default_folder
from bullscows.tree.strategy_tree import StrategyError

_POLL_SECONDS = 0.2
"""Interval at which Ctrl-C is checked while other processes build."""

Built: TypeAlias = tuple[TreeSpec, TreeRecord]


def build(
    trees: Annotated[list[str] | None, typer.Argument(metavar="TREE...")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build the shipped trees.")] = False,
    long: Annotated[
        bool, typer.Option("--long", help="With --all: also trees whose proof takes hours.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--trees", help="Folder to write to.", show_default=False)
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Threads of each search.", show_default="all cores"),
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
    """Recompute trees from scratch and write their files.

    A tree is searched or follows a rule. Every secret is replayed before the file is replaced.
    With --cluster the search of an exact tree is split into tasks whose results are stored. The
    same command continues an interrupted build. The exit code is 1 if there is no tree as the
    catalogue states.
    """
    entries = _every(long) if every else [spec(name) for name in trees or []]
    if not entries:
        raise UsageError("TREE is missing: name the trees to build, or use --all")
    target = folder or default_folder()
    _check_writable(target, entries)
    afar = [entry for entry in entries if entry.is_optimal] if cluster else []
    here = [entry for entry in entries if entry not in afar]
    shared = threads or max(cores() // processes, 1)
    rows = {}
    with _failed_claims():
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
        print_json({"trees": [rows[entry.name] for entry in entries]})


def _check_writable(target: Path, entries: list[TreeSpec]) -> None:
    """Raise `UsageError` if the files cannot be written, before hours of search."""
    if not target.is_dir():
        raise UsageError(f"--trees: there is no folder {target}")
    if not os.access(target, os.W_OK | os.X_OK):
        raise UsageError(f"--trees: the folder {target} is not writable")
    for entry in entries:
        path = target / f"{entry.name}.json"
        if path.is_dir():
            raise UsageError(f"--trees: {path} is a folder, so a tree cannot be written there")


def _every(long: bool) -> list[TreeSpec]:
    skipped = [] if long else [entry.name for entry in CATALOGUE.values() if entry.is_long]
    for name in skipped:
        typer.echo(f"skipped, its proof takes hours (--long): {name}", err=True)
    return [entry for entry in CATALOGUE.values() if entry.name not in skipped]


@contextmanager
def _failed_claims() -> Iterator[None]:
    """Exit with `CLAIM_FAILS` if there is no tree as the catalogue states."""
    try:
        yield
    except StrategyError as error:
        typer.echo(f"bullscows: {error}", err=True)
        raise typer.Exit(CLAIM_FAILS) from None


def _work_of(entry: TreeSpec, target: Path) -> Path:
    """Return the folder in which an interrupted build of a tree keeps its work."""
    return target / f".{entry.name}"


def _one_by_one(
    entries: Sequence[TreeSpec], target: Path, threads: int, nice: int, _processes: int
) -> Iterator[Built]:
    """Build trees in this process, at low priority, with progress on a terminal."""
    if entries and hasattr(os, "nice"):
        os.nice(nice)
    for entry in entries:
        work, label = _work_of(entry, target), f"building {entry.name}"
        line = partial(search_line, Rules.parse(entry.rules))
        with progress_shown(label) as tell, progress_shown(label, line) as show:
            try:
                yield entry, build_record(entry, BuildOptions(threads, work, tell), progress=show)
            except KeyboardInterrupt:
                if work.exists():
                    typer.echo(f"work kept in {work}; the same command continues", err=True)
                raise


def _side_by_side(
    entries: Sequence[TreeSpec], target: Path, threads: int, nice: int, processes: int
) -> Iterator[Built]:
    """Build trees concurrently, each in its own process."""
    waiting = list(entries)
    running: dict[Future[TreeRecord], TreeSpec] = {}
    with started_pool(processes, None, nice) as pool, deferred_interrupts() as interrupts:
        while waiting or running:
            while waiting and len(running) < pool.slots:
                entry = waiting.pop(0)
                means = BuildOptions(threads, _work_of(entry, target))
                running[pool.submit(build_record, entry, means)] = entry
            done, _ = wait(running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            interrupts.check()
            for future in done:
                entry = running.pop(future)
                error = future.exception()
                if error is not None and pool.lost_worker(error):
                    raise PoolError(f"the worker for {entry.name} ended: run the command again")
                yield entry, future.result()


def _on_cluster(
    entries: Sequence[TreeSpec], cluster: str, place: Path, seconds: float
) -> Iterator[Built]:
    """Build exact trees by tasks of a store, on the workers of a Dask scheduler."""
    if not entries:
        return
    from bullscows.jobs.coordinator import JobFailedError

    with (
        Store.open(place) as store,
        started_pool(None, cluster, 0) as pool,
        progress_shown("building", tasks_line) as show,
    ):
        try:
            records = build_by_tasks(entries, store, pool, slice_seconds=seconds, progress=show)
        except JobFailedError as error:
            raise StrategyError(str(error)) from None
    yield from zip(entries, records, strict=True)
