"""A tree file's figures as text and as JSON."""

from __future__ import annotations

from typing import Any

from engine.treefile import TreeFile


def tree_row(file: TreeFile) -> dict[str, Any]:
    """Return what a tree file says, and that it is sound, as JSON-ready values."""
    record = file.record
    return {
        "name": file.name,
        "rules": record.rules,
        "objective": record.objective,
        "max_turns": record.max_turns,
        "proof": record.proof,
        "secrets": sum(record.turns),
        "total": record.total,
        "average": round(record.total / sum(record.turns), 6),
        "depth": record.depth,
        "turns": record.turns,
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
    turns = "/".join(map(str, row["turns"]))
    proof = f"best known, at least {row['lower']}" if "lower" in row else row["proof"]
    return (
        f"{row['name']}: {row['secrets']} secrets, total {row['total']}, depth {row['depth']}, "
        f"turns {turns}, {row['nodes']} nodes, {row['stored']} stored, {row['bytes']} bytes, "
        f"sha256 {row['sha256'][:12]}, digest {row['digest'][:12]}, {proof}, ok"
    )
