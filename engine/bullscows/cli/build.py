"""``bullscows build`` and ``openings``: make the shipped files, or make them again.

An exact tree is one search with threads, or tasks of a store on a cluster.  An interrupted build
keeps its work in a hidden folder for each tree until the file is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Annotated, Any, TypeAlias

import typer

from bullscows.cli import options as opt
from bullscows.cli.trees import tree_line, tree_row
from bullscows.errors import counted
from bullscows.game.rules import Rules
from bullscows.jobs.pools import POLL_SECONDS
from bullscows.jobs.store.file import JobsError
from bullscows.jobs.store.store import Store
from bullscows.search.threads import deferred_interrupts
from bullscows.shipping.builder import build_by_tasks, build_record
from bullscows.shipping.catalogue import CATALOGUE, TreeSpec, spec
from bullscows.shipping.strategies import BuildOptions
from bullscows.tree.files import TreeRecord, read_tree, write_tree
from bullscows.tree.storage import RecordError, default_folder
from bullscows.tree.strategy_tree import StrategyError

Built: TypeAlias = tuple[TreeSpec, TreeRecord]


def build(
    trees: Annotated[
        list[str] | None, typer.Argument(metavar="TREE", help="Names of shipped trees.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Build the shipped trees.")] = False,
    long: Annotated[
        bool, typer.Option("--long", help="With --all: also trees whose proof takes hours.")
    ] = False,
    folder: opt.Folder = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="Threads of each search.",
            show_default="all cores",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=256, metavar="N", help="Trees built at the same time.")
    ] = 1,
    cluster: opt.Cluster = None,
    nice: opt.Nice = 10,
    seconds: opt.Slice = 10.0,
    store: opt.StoreFile = None,
    as_json: opt.AsJson = False,
) -> None:
    """Recompute trees from scratch and write their files.

    A tree is searched or follows a rule. Every secret is replayed before the file is replaced.
    With --cluster the search of an exact tree is split into tasks whose results are stored. The
    same command continues an interrupted build. The exit code is 1 if there is no tree as the
    catalogue states.
    """
    entries = _every(long) if every else [spec(name) for name in trees or []]
    if not entries:
        raise opt.UsageError("TREE is missing: name the trees to build, or use --all")
    target = folder or default_folder()
    _check_writable(target, entries)
    afar = [entry for entry in entries if entry.is_optimal] if cluster else []
    here = [entry for entry in entries if entry not in afar]
    shared = threads or max(opt.cores() // processes, 1)
    rows = {}
    local = _side_by_side if processes > 1 else _one_by_one
    remote = _on_cluster(afar, cluster or "", store or opt.default_store(), seconds)
    try:
        for entry, record in chain(remote, local(here, target, shared, nice, processes)):
            path = target / f"{entry.name}.json"
            write_tree(path, record)
            rmtree(_work_of(entry, target), ignore_errors=True)
            rows[entry.name] = tree_row(read_tree(path))
            if not as_json:
                typer.echo(tree_line(rows[entry.name]))
    except StrategyError as error:
        typer.echo(f"bullscows: {error}", err=True)
        raise typer.Exit(opt.CLAIM_FAILS) from None
    if as_json:
        opt.print_json({"trees": [rows[entry.name] for entry in entries]})


def _check_writable(target: Path, entries: list[TreeSpec]) -> None:
    """Raise `UsageError` if the files cannot be written, before hours of search."""
    if not os.access(target, os.W_OK | os.X_OK):
        raise opt.UsageError(f"--trees: the folder {target} is not writable")
    for entry in entries:
        path = target / f"{entry.name}.json"
        if path.is_dir():
            raise opt.UsageError(f"--trees: {path} is a folder, so a tree cannot be written there")


def _every(long: bool) -> list[TreeSpec]:
    skipped = [] if long else [entry.name for entry in CATALOGUE.values() if entry.is_long]
    for name in skipped:
        typer.echo(f"skipped, its proof takes hours (--long): {name}", err=True)
    return [entry for entry in CATALOGUE.values() if entry.name not in skipped]


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
        work = _work_of(entry, target)
        label = f"building {entry.name}"
        line = partial(opt.search_line, Rules.parse(entry.rules).text)
        with opt.progress_shown(label) as tell, opt.progress_shown(label, line) as show:
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
    with opt.started_pool(processes, None, nice) as pool, deferred_interrupts() as interrupts:
        while waiting or running:
            while waiting and len(running) < pool.slots:
                entry = waiting.pop(0)
                means = BuildOptions(threads, _work_of(entry, target))
                running[pool.submit(build_record, entry, means)] = entry
            done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            interrupts.check()
            for future in done:
                entry = running.pop(future)
                error = future.exception()
                if error is not None and pool.lost_worker(error):
                    raise JobsError(f"the worker for {entry.name} ended: run the command again")
                yield entry, future.result()


def _on_cluster(
    entries: Sequence[TreeSpec], cluster: str, place: Path, seconds: float
) -> Iterator[Built]:
    """Build exact trees by tasks of a store, on the workers of a Dask scheduler."""
    if not entries:
        return
    with (
        Store.open(place) as store,
        opt.started_pool(None, cluster, 0) as pool,
        opt.progress_shown("building", opt.tasks_line) as show,
    ):
        records = build_by_tasks(entries, store, pool, slice_seconds=seconds, progress=show)
    yield from zip(entries, records, strict=True)


@opt.command
def openings(
    games: Annotated[list[str] | None, typer.Argument(metavar="RULES", help=opt.RULES_HELP)] = None,
    every: Annotated[bool, typer.Option("--all", help="All games of the shipped trees.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only search the files' positions again.")
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="With --check: only N random positions of each file."
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            metavar="S",
            help="Limit for each position in seconds.",
            show_default="no limit",
        ),
    ] = None,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Prove the positions after each first guess and answer of a game.

    The results are written to openings/GAME.json in the folder of the trees. The same command
    continues an interrupted run. With --check the exit code is 1 if a file is damaged or wrong.
    """
    if sample is not None and not check:
        raise opt.UsageError("--sample needs --check")
    if bool(games) == every:
        raise opt.UsageError("name the games, or use --all")
    shelf = folder or default_folder()
    asked = None if every else [Rules.parse(text) for text in games or []]
    rows = _checked(asked, shelf, sample) if check else _made(asked, shelf, time_limit)
    ok = all(row["ok"] for row in rows)
    record = {"ok": ok, "games": rows}
    return opt.Outcome(record, [_line(row) for row in rows], opt.DONE if ok else opt.CLAIM_FAILS)


def _made(asked: list[Rules] | None, shelf: Path, seconds: float | None) -> list[dict[str, Any]]:
    from bullscows.shipping.openings import games, make

    rows = []
    for rules in games() if asked is None else asked:
        with opt.progress_shown(f"{rules}") as show:
            made, late = make(rules, shelf, seconds=seconds, progress=show)
        left_out = list(map(str, late))
        rows.append({"rules": str(rules), "proved": len(made), "left_out": left_out, "ok": True})
    return rows


def _checked(asked: list[Rules] | None, shelf: Path, sample: int | None) -> list[dict[str, Any]]:
    from bullscows.analysis.openings import FOLDER, openings_path

    if asked is None:
        paths = sorted((shelf / FOLDER).glob("*.json"))
    else:
        paths = [openings_path(rules, shelf) for rules in asked]
    if not paths:
        raise opt.UsageError(f"--trees: there are no files in {shelf / FOLDER}")
    return [_checked_file(path, sample) for path in paths]


def _checked_file(path: Path, sample: int | None) -> dict[str, Any]:
    from bullscows.analysis.openings import read_openings
    from bullscows.shipping.openings import wrong_values

    row: dict[str, Any] = {"rules": path.stem}
    try:
        found = read_openings(path, path.stem)
    except RecordError as error:
        return {**row, "ok": False, "error": str(error)}
    except OSError as error:
        return {**row, "ok": False, "error": f"{path.name}: {error.strerror}"}
    every = [(aim, turn) for aim, table in found.tables.items() for turn in table]
    some = every if sample is None else Random().sample(every, min(sample, len(every)))
    with opt.progress_shown(f"searching {path.stem} again") as show:
        wrong = list(wrong_values(found, some, progress=show))
    row |= {"positions": len(every), "searched": len(some), "ok": not wrong}
    return {**row, **({"error": "; ".join(wrong)} if wrong else {})}


def _line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['rules']}: FAILED: {row['error']}"
    if "searched" in row:
        kind = "all" if row["searched"] == row["positions"] else "drawn at random"
        positions = counted(row["positions"], "position")
        return f"{row['rules']}: {row['searched']} of {positions} searched again ({kind}), ok"
    left_out = row["left_out"]
    line = f"{row['rules']}: {counted(row['proved'], 'position')} proved"
    return line + (f"; left out: {', '.join(left_out)}" if left_out else "")
