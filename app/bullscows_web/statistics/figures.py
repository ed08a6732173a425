"""What a tree's games are like, in numbers: by the first answer, and by the turn of the find.

Every code is guessed at exactly one node of its tree, so the nodes whose guess can be the secret
are as many as the secrets, and their share of all nodes is secrets over nodes.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

from bullscows.game.cost import turns_in_all
from bullscows.game.rules import Answer
from bullscows.tree.nodes import Node
from bullscows_web.trees.library import Entry

HEATS = 6
"""How many colours tell shares apart."""


@dataclass(frozen=True)
class Row:
    """Some of the games: those with one first answer, or all."""

    answer: Answer | None
    """The answer to the first guess; None for all games."""
    turns: tuple[int, ...]
    """Secrets guessed at turn 1, 2, ..., as long as the longest game of the tree."""
    nodes: int
    """Nodes of these games; the first guess belongs to the games that it wins."""

    @property
    def secrets(self) -> int:
        """How many games these are."""
        return sum(self.turns)

    @property
    def total(self) -> int:
        """The turns of all these games."""
        return turns_in_all(self.turns)

    @property
    def average(self) -> float:
        """The mean number of turns."""
        return self.total / self.secrets

    @property
    def candidate_share(self) -> float:
        """Which share of the guesses can be the secret."""
        return self.secrets / self.nodes

    def heat(self, count: int) -> int:
        """Return in which of `HEATS` steps a count shares in these games, none of them empty."""
        return ceil(HEATS * count / self.secrets)


@dataclass(frozen=True)
class Column:
    """The secrets that are guessed at one turn."""

    turn: int
    """1 for the first."""
    secrets: int
    """How many are guessed now."""
    so_far: int
    """How many are guessed now or earlier."""
    nodes: int
    """How many nodes ask their guess now."""

    @property
    def total(self) -> int:
        """The turns of the games that end now."""
        return self.turn * self.secrets


@dataclass(frozen=True)
class Statistics:
    """The figures of one tree."""

    entry: Entry
    """The tree."""
    rows: tuple[Row, ...]
    """One per first answer that some secret gives, ascending."""
    columns: tuple[Column, ...]
    """One per turn."""
    whole: Row
    """All games."""

    def share(self, count: int) -> float:
        """Return which share of all secrets a count is."""
        return count / self.whole.secrets

    @property
    def guess(self) -> str:
        """The first guess."""
        return self.entry.rules.text(self.entry.tree.root.guess)


@lru_cache(maxsize=256)
def statistics(entry: Entry) -> Statistics:
    """Count a tree's games; what was counted is kept, some kilobytes for a tree."""
    tree = entry.tree
    depth = entry.record.depth
    children = [(answer, tree.nodes[number]) for answer, number in tree.root.children.items()]
    rows = [
        Row(entry.rules.answers[answer], _padded(entry.turns(child), depth), _size(child))
        for answer, child in children
    ]
    if tree.root.is_candidate_guess:
        rows.append(Row(entry.rules.answers[-1], _padded((1,), depth), 1))
    whole = Row(None, _padded(entry.turns(tree.root), depth), len(tree))
    return Statistics(entry, tuple(rows), _columns(whole.turns, tree.root), whole)


def _size(node: Node) -> int:
    """Return how many nodes a node has below it, itself included."""
    return sum(node.nodes.sizes_below(node.number))


def _padded(turns: tuple[int, ...], depth: int) -> tuple[int, ...]:
    return turns + (0,) * (depth - len(turns))


def _columns(turns: tuple[int, ...], root: Node) -> tuple[Column, ...]:
    asked = root.nodes.sizes_below(root.number)
    return tuple(
        Column(turn, secrets, sum(turns[:turn]), nodes)
        for turn, (secrets, nodes) in enumerate(zip(turns, asked, strict=True), start=1)
    )


# -- for programs ------------------------------------------------------------------------------


def to_json(figures: Statistics) -> bytes:
    """Return the figures as a JSON object; fields may be added, none is renamed or removed."""
    record = figures.entry.record
    document = {
        "tree": figures.entry.name,
        "rules": record.rules,
        "objective": record.objective,
        "max_turns": record.max_turns,
        "proof": record.proof,
        "lower": record.lower,
        "sha256": record.sha256,
        "digest": record.digest,
        "guess": figures.guess,
        "depth": record.depth,
        "stored": record.stored,
        **_row_record(figures.whole),
        "answers": [{"answer": str(row.answer), **_row_record(row)} for row in figures.rows],
        "columns": [
            {
                "turn": column.turn,
                "secrets": column.secrets,
                "so_far": column.so_far,
                "total": column.total,
                "nodes": column.nodes,
            }
            for column in figures.columns
        ],
    }
    return (json.dumps(document, indent=1) + "\n").encode("ascii")


def _row_record(row: Row) -> dict[str, Any]:
    return {
        "turns": list(row.turns),
        "secrets": row.secrets,
        "total": row.total,
        "average": row.average,
        "nodes": row.nodes,
        "candidate_share": row.candidate_share,
    }


def to_csv(figures: Statistics) -> bytes:
    """Return a table (RFC 4180): a line of names, one per first answer, and one for all games."""
    text = io.StringIO()
    writer = csv.writer(text)
    turns = [f"turn_{column.turn}" for column in figures.columns]
    rest = ["secrets", "total", "average", "nodes", "candidate_share"]
    writer.writerow(["answer", *turns, *rest])
    for row in (*figures.rows, figures.whole):
        shares = f"{row.average:.6f}", row.nodes, f"{row.candidate_share:.6f}"
        writer.writerow([row.answer or "all", *row.turns, row.secrets, row.total, *shares])
    return text.getvalue().encode("ascii")
