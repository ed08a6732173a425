"""``bullscows verify``: replay every secret through tree files, and hold them to what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bullscows.cli.options import CLAIM_FAILS, AsJson, Folder, emit
from bullscows.game.cost import turns_text
from bullscows.tree.files import POSSIBLES_ONLY, TreeFile, read_tree
from bullscows.tree.storage import RecordError, default_folder, tree_path


def verify(
    files: Annotated[list[str] | None, typer.Argument(metavar="[FILE...]")] = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Compare tree files' digests, replay every secret, compare the figures; 1 if any fails.

    A FILE is a path or the name of a shipped tree; without any, all files of the folder count.
    With --json a single tree's fields stand in the object itself as well as in "trees".
    """
    shelf = folder or default_folder()
    paths = [tree_path(file, shelf) for file in files] if files else sorted(shelf.glob("*.json"))
    if not paths:
        raise typer.BadParameter(f"no tree files in {shelf}")
    rows = [_verified(path) for path in paths]
    ok = all(row["ok"] for row in rows)
    single = rows[0] if len(rows) == 1 else {}
    emit({**single, "ok": ok, "trees": rows}, [tree_line(row) for row in rows], as_json)
    if not ok:
        raise typer.Exit(CLAIM_FAILS)


def _verified(path: Path) -> dict[str, Any]:
    try:
        return tree_row(read_tree(path))
    except RecordError as error:
        return {"name": path.stem, "ok": False, "error": str(error)}
    except OSError as error:
        return {"name": path.stem, "ok": False, "error": f"{path.name}: {error.strerror}"}


def tree_row(file: TreeFile) -> dict[str, Any]:
    """Return what a tree file says, and that it is sound, as JSON-ready values."""
    record = file.record
    return {
        "name": file.name,
        "rules": record.rules,
        "objective": record.objective,
        "max_turns": record.max_turns,
        "proof": record.proof,
        "secrets": sum(record.distribution),
        "total": record.total,
        "mean": round(record.total / sum(record.distribution), 6),
        "depth": record.depth,
        "distribution": record.distribution,
        "nodes": record.nodes,
        "stored": record.stored,
        "bytes": len(record.string),
        "sha256": record.sha256,
        "digest": record.digest,
        **({} if record.lower is None else {"lower": record.lower}),
        "ok": True,
    }


def tree_line(row: dict[str, Any]) -> str:
    """Return the same on one line; a row that is not ``ok`` has a ``name`` and an ``error``."""
    if not row["ok"]:
        return f"{row['name']}: FAILED: {row['error']}"
    turns = turns_text(row["distribution"])
    proof = row["proof"]
    if proof == "heuristic" and "lower" in row:
        proof = f"best known, at least {row['lower']}"
    elif row["objective"] == POSSIBLES_ONLY:
        proof = "exact among candidates"
    return (
        f"{row['name']}: {row['secrets']} secrets, total {row['total']}, depth {row['depth']}, "
        f"turns {turns}, {row['nodes']} nodes, {row['stored']} stored, {row['bytes']} bytes, "
        f"sha256 {row['sha256'][:12]}, digest {row['digest'][:12]}, {proof}, ok"
    )
