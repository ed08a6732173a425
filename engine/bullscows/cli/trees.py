"""Commands on tree files: list, verify, import, export, and build them."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from functools import partial
from operator import attrgetter
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bullscows.cli import options as opt
from bullscows.errors import EngineError, counted
from bullscows.game.objective import distribution_text
from bullscows.game.rules import Rules
from bullscows.shipping.catalogue import CATALOGUE, TreeSpec, build_record, tree_spec
from bullscows.shipping.named_trees import BuildOptions
from bullscows.tree.codec import decode
from bullscows.tree.export import FORMATS, HEADER, from_text
from bullscows.tree.files import (
    POSSIBLES_ONLY,
    TreeRecord,
    read_record,
    read_tree,
    write_tree,
)
from bullscows.tree.proof_checker import ProofError
from bullscows.tree.proof_checker import check as check_proof
from bullscows.tree.proof_files import proof_files
from bullscows.tree.storage import NAME, RecordError, default_folder, tree_files, tree_path
from bullscows.tree.strategy_tree import StrategyError

if TYPE_CHECKING:
    from bullscows.search.executor import Cluster

NOT_CHECKED = "optimality not checked"
"""Of a tree without a proof, or if proofs are not to be checked."""

StringRules = Annotated[
    str | None,
    typer.Option("--rules", metavar="RULES", help="Game of a base-92 string, for example p4c10n."),
]


@opt.command
def verify(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Names or files of trees.")
    ] = None,
    rules: StringRules = None,
    folder: opt.Folder = None,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="Check that no strategy takes fewer turns, too.")
    ] = False,
) -> opt.Outcome:
    """Check tree files: digest, every figure, and a replay of every secret.

    The replay shows that the tree finds every code in its total of turns. --proofs also checks that
    no strategy takes fewer, which takes minutes in large games. A FILE is the name of a shipped
    tree, or the path of a tree file, of a base-92 string (with --rules) or of exported text; the
    default is all files of the folder. The exit code is 1 if a file fails.
    """
    shelf = folder or default_folder()
    paths = [tree_path(file, shelf) for file in files] if files else tree_files(shelf)
    if not paths:
        raise opt.UsageError(f"--trees: there are no tree files in {shelf}")
    rows = [_verified(path, rules) for path in paths]
    for row in rows:
        row["optimality"] = _optimality(row, shelf) if proofs and row["ok"] else NOT_CHECKED
    ok = all(row["ok"] for row in rows)
    single = rows[0] if len(rows) == 1 else {}
    record = {**single, "ok": ok, "trees": rows}
    return opt.Outcome(
        record, [tree_line(row) for row in rows], opt.DONE if ok else opt.CLAIM_FAILS
    )


def _optimality(row: dict[str, Any], shelf: Path) -> str:
    """Return what the proofs of a tree and of its game say; a false proof is an error."""
    statements = []
    try:
        for proof in proof_files(row["name"], row["rules"], shelf):
            check_proof(proof.path)
            statements.append(f"{proof.statement(row['distribution'])}: proof checked")
    except (ProofError, RecordError) as error:
        row |= {"ok": False, "error": f"a proof about this tree is wrong: {error}"}
        return NOT_CHECKED
    return "; ".join(statements) or NOT_CHECKED


def _verified(path: Path, rules: str | None, *, is_foreign: bool = False) -> dict[str, Any]:
    try:
        is_tree = path.suffix == ".json" and not is_foreign
        record = read_tree(path).record if is_tree else _foreign(path, rules)
        return tree_row(path.stem, record)
    except opt.UsageError:
        raise
    except EngineError as error:
        return {"name": path.stem, "ok": False, "error": str(error)}
    except OSError as error:
        return {"name": path.stem, "ok": False, "error": f"{path.name}: {error.strerror}"}


def _foreign(path: Path, rules: str | None) -> TreeRecord:
    """Read a base-92 string or exported text, and replay every secret."""
    text = path.read_bytes().decode("ascii", "replace").strip("\r\n")
    if text.startswith(HEADER):
        tree = from_text(text)
    elif rules is None:
        raise opt.UsageError(
            f"{path.name} is no tree file (.json) and no exported text: if it is a base-92 string, "
            "name its game with --rules"
        )
    else:
        tree = decode(rules, text)
    return TreeRecord.of(tree, objective="imported")


@opt.command
def import_tree(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File of a string or of text.")],
    rules: StringRules = None,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Write a base-92 string or exported text as a tree file, after a replay of every secret.

    The tree has the name of FILE. The exit code is 1 if FILE is no complete strategy.
    """
    if not file.is_file():
        raise opt.UsageError(f"no such file: {file}: name one with a base-92 string or a text")
    target = (folder or default_folder()) / f"{file.stem}.json"
    if target.exists() or NAME.fullmatch(file.stem) is None:
        raise opt.UsageError(f"FILE: {target.name} exists already, or is no name of a tree")
    row = _verified(file, rules, is_foreign=True)
    if row["ok"]:
        write_tree(target, _foreign(file, rules))
    return opt.Outcome(row, [tree_line(row)], opt.DONE if row["ok"] else opt.CLAIM_FAILS)


def tree_row(name: str, record: TreeRecord) -> dict[str, Any]:
    """Return the record of a valid tree file as JSON-ready values, without the tree."""
    secrets = sum(record.distribution)
    hidden = {"format", "string", "engine_version"} | ({"lower"} if record.lower is None else set())
    return {
        "name": name,
        **{field: value for field, value in asdict(record).items() if field not in hidden},
        "secrets": secrets,
        "mean": round(record.total / secrets, 6),
        "bytes": len(record.string),
        "digest": record.digest,
        "ok": True,
    }


def tree_line(row: dict[str, Any]) -> str:
    """Return a row as text; a row that is not ``ok`` has a ``name`` and an ``error``."""
    if not row["ok"]:
        return f"{row['name']}: FAILED: {row['error']}"
    turns = distribution_text(row["distribution"])
    proof = row["proof"]
    if proof == "heuristic" and "lower" in row:
        proof = f"best known, at least {row['lower']}"
    elif row["objective"] == POSSIBLES_ONLY:
        proof = "exact among candidates"
    return (
        f"{row['name']}: {counted(row['secrets'], 'secret')}, total {row['total']}, "
        f"depth {row['depth']}, turns {turns}, {counted(row['nodes'], 'node')}, "
        f"{row['stored']} stored, {counted(row['bytes'], 'byte')}, "
        f"sha256 {row['sha256'][:12]}, digest {row['digest'][:12]}, {proof}, ok"
        + (f"; {row['optimality']}" if "optimality" in row else "")
    )


LISTED = (
    *("name", "rules", "objective", "max_turns", "secrets", "total", "lower", "mean", "depth"),
    "proof",
)
"""The fields of a tree in the list."""


@opt.command
def list_trees(
    rules: Annotated[
        str, typer.Argument(metavar="RULES", help=f"Only trees of this game. {opt.RULES_HELP}")
    ] = "",
    folder: opt.Folder = None,
) -> opt.Outcome:
    """List the trees: game, codes, mean turns and last turn, and whether the mean is proved least.

    Use a name with play, verify, export, build or adversary, and at /play?tree=NAME of the server.
    """
    game = str(Rules.parse(rules)) if rules else ""
    shelf = folder or default_folder()
    records = [(path.stem, read_record(path)) for path in tree_files(shelf)]
    chosen = [(name, record) for name, record in records if game in ("", record.rules)]
    rows = []
    for name, record in chosen:
        row = tree_row(name, record) | {"lower": record.lower}
        rows.append({field: row[field] for field in LISTED})
    if not rows:
        return opt.Outcome({"trees": []}, [f"no trees of {game or 'any game'} in {shelf}"])
    lines = ["name                            game      codes    mean  turns", *map(_line, rows)]
    return opt.Outcome({"trees": rows}, lines)


def _line(row: dict[str, Any]) -> str:
    claim = "" if row["lower"] is None else "best known mean"
    if row["lower"] == row["total"]:
        claim = "least mean"
    return (
        f"{row['name']:31} {row['rules']:7} {row['secrets']:7} {row['mean']:7.4f} "
        f"{row['depth']:6}  {claim}"
    ).rstrip()


def export(
    tree: Annotated[str, typer.Argument(metavar="TREE", help="Name or path of a tree file.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}.", show_default="text"
        ),
    ] = None,
    folder: opt.Folder = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Write a tree to standard output in another format."""
    if as_json and form not in (None, "json"):
        raise opt.UsageError(
            f"--json cannot be combined with --format {form}: leave one of them out"
        )
    form = form or ("json" if as_json else "text")
    if form not in FORMATS:
        raise opt.UsageError(f"--format cannot be {form!r}: write one of {', '.join(FORMATS)}")
    found = opt.named_tree(tree, folder)
    sys.stdout.writelines(FORMATS[form](found.tree))


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
    rows = []
    try:
        with opt.terminable(), opt.connected(cluster) as workers:
            for entry in entries:
                record = _built(entry, target, threads or opt.cores(), workers)
                rows.append(tree_row(entry.name, record))
                if not as_json:
                    typer.echo(tree_line(rows[-1]))
    except StrategyError as error:
        typer.echo(f"bullscows: {error}", err=True)
        raise typer.Exit(opt.CLAIM_FAILS) from None
    if as_json:
        opt.print_json({"trees": rows})


def _check_writable(target: Path, entries: list[TreeSpec]) -> None:
    """Raise `UsageError` if the files cannot be written, before hours of search."""
    if not os.access(target, os.W_OK | os.X_OK):
        raise opt.UsageError(f"--trees: the folder {target} is not writable")
    for entry in entries:
        path = target / f"{entry.name}.json"
        if path.is_dir():
            raise opt.UsageError(f"--trees: {path} is a folder, so a tree cannot be written there")


def _built(entry: TreeSpec, target: Path, threads: int, cluster: Cluster | None) -> TreeRecord:
    """Build a tree, write its file, and read and check the file again.

    An interrupted build keeps its work in a hidden folder, and says so.
    """
    path = target / f"{entry.name}.json"
    work = target / f".{entry.name}"
    line = partial(opt.search_line, Rules.parse(entry.rules).text)
    with opt.progress_shown(f"building {entry.name}", line) as show:
        try:
            options = BuildOptions(threads, work, show, cluster, trees=target)
            write_tree(path, build_record(entry, options))
        except KeyboardInterrupt:
            if work.exists():
                typer.echo(f"work kept in {work}; the same command continues", err=True)
            raise
    rmtree(work, ignore_errors=True)
    return read_tree(path).record
