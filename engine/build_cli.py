"""The command ``bullscows build``: tree files from nothing, searched, proved, replayed, replaced.

Exact trees are built by tasks of a store, a whole tree being the first try, so that a build that
is interrupted goes on where it was.  Without ``--store`` that is a file beside the trees, which is
gone once the command is done: the next build proves everything again.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from pathlib import Path
from shutil import rmtree
from typing import Annotated

import typer

from engine import treefile
from engine.build import build_by_tasks, rule_record
from engine.catalogue import CATALOGUE, TreeSpec, spec
from engine.jobs.memory import folder_of
from engine.jobs.options import AsJson, Cluster, Nice, Processes, Slice, started_pool
from engine.jobs.pools import Pool
from engine.jobs.shown import tasks_shown
from engine.jobs.store import TAKEN, Store
from engine.tree_text import tree_line, tree_row
from engine.treefile import TreeRecord, default_folder

CLAIM_FAILS = 1
_OWN_STORE = ".jobs.sqlite"


def build(
    trees: Annotated[list[str] | None, typer.Argument(metavar="TREE...")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build every shipped tree.")] = False,
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
    names = list(CATALOGUE) if every else list(trees or [])
    if not names:
        raise typer.BadParameter("name the trees to build, or say --all")
    entries = [spec(name) for name in names]
    target = folder or default_folder()
    if not target.is_dir():
        raise typer.BadParameter(f"there is no folder {target} to write to")
    place = store or target / _OWN_STORE
    exact = [entry for entry in entries if entry.proof == "exact"]
    proved = {}
    if exact:
        proved = _proved(exact, place, started_pool(jobs, cluster, nice), seconds)
    rows = []
    for entry in entries:
        path = target / f"{entry.name}.json"
        treefile.write(path, proved.get(entry.name) or rule_record(entry))
        rows.append(tree_row(treefile.read(path)))
        if not as_json:
            typer.echo(tree_line(rows[-1]))
    if as_json:
        typer.echo(json.dumps({"trees": rows}))
    if exact and store is None:
        _discard(place)


def _proved(
    entries: list[TreeSpec], place: Path, workers: AbstractContextManager[Pool], seconds: float
) -> dict[str, TreeRecord]:
    """Build exact trees by tasks of the store at a place; what is proven stays there."""
    from engine.jobs.coordinator import JobFailedError

    begun = place.exists()
    with Store.open(place) as store:
        if begun:
            typer.echo(f"going on with what is proven in {place}", err=True)
        try:
            with workers as pool, tasks_shown("building") as show:
                records = build_by_tasks(entries, store, pool, slice_seconds=seconds, progress=show)
        except KeyboardInterrupt:
            typer.echo(f"what is proven is kept in {place}: the same command goes on", err=True)
            raise
        except JobFailedError as error:
            typer.echo(f"bullscows: {error}", err=True)
            raise typer.Exit(CLAIM_FAILS) from None
    return {entry.name: record for entry, record in zip(entries, records, strict=True)}


def _discard(place: Path) -> None:
    """Remove a passing store, unless another build is at it."""
    with Store.open(place) as store:
        if any(task.state == TAKEN for task in store.tasks()):
            return
    for path in (place, *(place.with_name(place.name + end) for end in ("-wal", "-shm"))):
        path.unlink(missing_ok=True)
    rmtree(folder_of(place), ignore_errors=True)
