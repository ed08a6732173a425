"""``bullscows build`` and ``openings``: make the shipped files, or make them again.

An interrupted build keeps its work in a hidden folder for each tree until the file is written.
"""

from __future__ import annotations

import os
from functools import partial
from operator import attrgetter
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli import options as opt
from bullscows.cli.trees import tree_line, tree_row
from bullscows.errors import counted
from bullscows.game.rules import Rules
from bullscows.shipping.catalogue import CATALOGUE, TreeSpec, tree_spec
from bullscows.shipping.named_trees import BuildOptions, build_record
from bullscows.tree.files import TreeRecord, read_tree, write_tree
from bullscows.tree.storage import RecordError, default_folder
from bullscows.tree.strategy_tree import StrategyError

if TYPE_CHECKING:
    from bullscows.search.executor import Cluster


# Without `opt.command`, which prints at the end: a tree may take hours, so each is shown when done.
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
    cluster: opt.ClusterAddress = None,
    as_json: opt.AsJson = False,
) -> None:
    """Recompute trees from scratch and write their files.

    A tree is searched or follows a rule. Every secret is replayed before the file is replaced.
    With --cluster the workers of a Dask scheduler search for exact trees. The same command
    continues an interrupted build. The exit code is 1 if there is no tree as the catalogue states.
    """
    entries = list(CATALOGUE.values()) if every else [tree_spec(name) for name in trees or []]
    if every and not long:
        for entry in filter(attrgetter("is_long"), entries):
            typer.echo(f"skipped, its proof takes hours (--long): {entry.name}", err=True)
        entries = [entry for entry in entries if not entry.is_long]
    if not entries:
        raise opt.UsageError("TREE is missing: name the trees to build, or use --all")
    target = folder or default_folder()
    _check_writable(target, entries)
    rows = {}
    try:
        with opt.terminable(), opt.connected(cluster) as workers:
            for entry in entries:
                record = _built(entry, _work_of(entry, target), threads or opt.cores(), workers)
                path = target / f"{entry.name}.json"
                write_tree(path, record)
                rmtree(_work_of(entry, target), ignore_errors=True)
                rows[entry.name] = tree_row(entry.name, read_tree(path).record)
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


def _work_of(entry: TreeSpec, target: Path) -> Path:
    """Return the folder in which an interrupted build of a tree keeps its work."""
    return target / f".{entry.name}"


def _built(entry: TreeSpec, work: Path, threads: int, cluster: Cluster | None) -> TreeRecord:
    """Build a tree, with progress on a terminal; say where the work is after an interrupt."""
    label = f"building {entry.name}"
    line = partial(opt.search_line, Rules.parse(entry.rules).text)
    with opt.progress_shown(label) as tell, opt.progress_shown(label, line) as show:
        try:
            options = BuildOptions(threads, work, tell, cluster)
            return build_record(entry, options, progress=show)
        except KeyboardInterrupt:
            if work.exists():
                typer.echo(f"work kept in {work}; the same command continues", err=True)
            raise


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
