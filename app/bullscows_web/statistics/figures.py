"""Statistics of a tree: its games by first answer and by the turn at which the secret is found.

Every code is guessed at exactly one node, so the share of guesses that can be the secret is secrets
divided by nodes.

The pages show all trees, each tree, and the meaning of the columns.  The same figures are available
as CSV and JSON at the address of a page with `.csv` or `.json`.  These have no language, so they
exist only below English addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import accumulate
from math import ceil
from typing import Any

from fastapi import APIRouter, Request, Response

from bullscows.game.objective import total_turns
from bullscows.game.rules import Rules
from bullscows.game.scoring import Answer
from bullscows.tree.nodes import Node
from bullscows_web.trees.library import Entry, EntryDep, Library, LibraryDep
from bullscows_web.web.caching import exported
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.rendering import respond

router = APIRouter(dependencies=[IN_TURN])
files = APIRouter()

HEATS = 6
"""Number of colours for shares."""

FIGURES = ("secrets", "total", "mean", "nodes", "candidate_share")
"""Figures of a row in files."""


@dataclass(frozen=True)
class Row:
    """Games with one first answer, or all games."""

    answer: Answer | None
    """The answer to the first guess; None for all games."""
    distribution: tuple[int, ...]
    """Secrets found at turn 1, 2, ..., up to the depth of the tree."""
    nodes: int
    """Nodes of these games; the root counts for the games that its guess wins."""

    @property
    def secrets(self) -> int:
        """Number of games."""
        return sum(self.distribution)

    @property
    def total(self) -> int:
        """Turns summed over the games."""
        return total_turns(self.distribution)

    @property
    def mean(self) -> float:
        """Turns per game."""
        return self.total / self.secrets

    @property
    def candidate_share(self) -> float:
        """Share of the guesses that can be the secret."""
        return self.secrets / self.nodes

    def heat(self, count: int) -> int:
        """Return the colour, 1 to `HEATS`, of a count above 0 as a share of these games."""
        return ceil(HEATS * count / self.secrets)


@dataclass(frozen=True)
class Column:
    """One turn of all games."""

    turn: int
    """1 for the first."""
    secrets: int
    """Secrets found at this turn."""
    so_far: int
    """Secrets found at this turn or earlier."""
    nodes: int
    """Nodes at this turn."""

    @property
    def total(self) -> int:
        """Turns summed over the games that end at this turn."""
        return self.turn * self.secrets


@dataclass(frozen=True)
class Statistics:
    """Statistics of one tree."""

    entry: Entry
    rows: Sequence[Row]
    """One row for each possible first answer, ascending."""
    columns: Sequence[Column]
    """One column for each turn."""
    whole: Row
    """All games."""

    def share(self, count: int) -> float:
        """Return a count as a share of all secrets."""
        return count / self.whole.secrets

    @property
    def guess(self) -> str:
        """The first guess."""
        return self.entry.rules.text(self.entry.tree.root.guess)


@lru_cache(maxsize=256)
def statistics(entry: Entry) -> Statistics:
    """Return the statistics of a tree; the cache takes a few kilobytes for each tree."""
    tree = entry.tree
    depth = entry.record.depth

    def row(answer: Answer | None, node: Node) -> Row:
        found = tree.distribution_at(node)
        nodes = sum(tree.nodes.sizes_below(node.number))
        return Row(answer, found + (0,) * (depth - len(found)), nodes)

    answers = entry.rules.answers
    rows = [row(answers[one], tree.nodes[child]) for one, child in tree.root.children.items()]
    if tree.root.is_candidate_guess:
        rows.append(Row(answers[-1], (1,) + (0,) * (depth - 1), 1))
    whole = row(None, tree.root)
    turns = zip(whole.distribution, accumulate(whole.distribution), strict=True)
    asked = tree.nodes.sizes_below(tree.root.number)
    columns = [
        Column(turn, secrets, so_far, nodes)
        for turn, ((secrets, so_far), nodes) in enumerate(zip(turns, asked, strict=True), start=1)
    ]
    return Statistics(entry, rows, columns, whole)


def document(figures: Statistics) -> dict[str, Any]:
    """Return the statistics as a JSON object."""
    record = figures.entry.record
    return {
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
        "first_answers": [{"answer": str(row.answer), **_row_record(row)} for row in figures.rows],
        "columns": [asdict(column) | {"total": column.total} for column in figures.columns],
    }


def _row_record(row: Row) -> dict[str, Any]:
    return {"distribution": row.distribution} | {name: getattr(row, name) for name in FIGURES}


def lines(figures: Statistics) -> Iterator[Sequence[object]]:
    """Yield a header, a row for each first answer, and a row for all games."""
    turns = [f"turn_{column.turn}" for column in figures.columns]
    yield "answer", *turns, *FIGURES
    for row in (*figures.rows, figures.whole):
        shares = f"{row.mean:.6f}", row.nodes, f"{row.candidate_share:.6f}"
        yield row.answer or "all", *row.distribution, row.secrets, row.total, *shares


# -- pages and files ---------------------------------------------------------------------------


@dataclass(frozen=True)
class GameStatistics:
    """Table of several trees: all trees of one game, or of the games with a single tree."""

    rules: Rules | None
    """The game; None for several."""
    figures: Sequence[Statistics]

    @property
    def depth(self) -> int:
        """Greatest depth of the trees."""
        return max(len(figures.columns) for figures in self.figures)


@dataclass(frozen=True)
class StatisticsPage:
    """Context of the page of one tree."""

    figures: Statistics
    others: Sequence[Entry]
    """The other trees of the game."""


@files.get("/statistics/{tree}.{form}")
def save(request: Request, entry: EntryDep, form: str) -> Response:
    """Return the statistics of a tree as CSV or JSON."""
    name = f"{entry.name}-statistics"
    figures = statistics(entry)
    contents = {"csv": lambda: lines(figures), "json": lambda: document(figures)}
    return exported(request, entry.record.digest, contents, name, form, indent=1)


@router.get("/statistics")
def index(request: Request, library: LibraryDep) -> Response:
    """Show the statistics of all trees."""
    page = list(_tables(library))
    return respond(request, "statistics/all.html", page)


def _tables(library: Library) -> Iterator[GameStatistics]:
    singles = []
    for game in library.games:
        figures = [statistics(entry) for entry in game.entries]
        if len(figures) > 1:
            yield GameStatistics(game.rules, figures)
        else:
            singles += figures
    if singles:
        yield GameStatistics(None, singles)


@router.get("/statistics/columns")
def columns(request: Request, library: LibraryDep) -> Response:
    """Explain the columns; a tree named `columns` would have no statistics page."""
    entry = next(iter(library), None)
    page = statistics(entry) if entry else None  # with it as the example
    return respond(request, "statistics/columns.html", page)


@router.get("/statistics/{tree}")
def show(request: Request, library: LibraryDep, entry: EntryDep) -> Response:
    """Show the statistics of one tree by first answer and turn."""
    page = StatisticsPage(statistics(entry), library.others(entry))
    return respond(request, "statistics/tree.html", page)
