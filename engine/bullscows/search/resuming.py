"""A search with a checkpoint: a first strategy, a check at the end, and a recheck.

Upper bounds from a file need no trust: at the end the tree must have the cost that they state.
Lower bounds do: `rechecked` searches some of them again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bullscows.game.objective import Bounds, Weights
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex
from bullscows.kernels.steps.log import LOWER
from bullscows.search.checkpoint import CANDIDATES, Checkpoint
from bullscows.search.position import Position
from bullscows.search.proven import CheckpointError, bounds_of
from bullscows.search.search import Search
from bullscows.search.solution import Solution
from bullscows.tree.files import TreeFile


def start_from(
    search: Search, position: Position, first: CodeIndex | None, known: TreeFile
) -> None:
    """Take over the cost of a tree of the whole game, and the bound that its file states.

    Raises `CheckpointError` if the tree is no answer to the question, or without a checkpoint.
    """
    tree, table = known.tree, search.table
    guess = table.number(tree.root.guess)
    if search.proven is None:
        raise CheckpointError("the cost of a known tree is kept in a checkpoint: name one")
    if tree.rules != table.rules or position.turn > 1 or search.candidates_only:
        raise CheckpointError(f"tree {known.name} is no strategy for what is asked")
    if first in (None, guess):
        search.proven.learn(Bounds(0, cost(tree.distribution, search.weights)))
        parts = {part.candidates: part for part in search.parts(position, guess)}
        for child in map(tree.nodes.__getitem__, tree.root.children.values()):
            part = parts[tuple(map(table.number, child.candidates))]
            search.remember(part, Bounds(0, cost(tree.distribution_at(child), search.weights)))
    is_average = search.weights.values == tuple(range(1, search.weights.turns + 1))
    if is_average and known.record.lower is not None:
        search.proven.learn(Bounds(known.record.lower))


def cost(found: Sequence[int], weights: Weights) -> int | None:
    """Return the cost of a strategy from its distribution: secrets found at turn 1, 2, ...

    None if it takes more turns than have a weight.
    """
    if len(found) > weights.turns:
        return None
    return sum(weight * count for weight, count in zip(weights.values, found, strict=False))


def check_cost(solution: Solution) -> None:
    """Raise `CheckpointError` if the cost of the strategy found differs from the bounds.

    Then the bounds that came from the file are wrong.
    """
    found = cost(solution.distribution or (), solution.search.weights)
    if found != solution.upper:
        raise CheckpointError(
            f"the checkpoint's bounds are wrong: the cost should be {solution.upper}, and the "
            f"strategy that they lead to costs {found}"
        )


@dataclass(frozen=True)
class Recheck:
    """A position of a checkpoint that was searched again without its bounds."""

    position: str
    """The history that leads to it."""
    stated: Bounds
    found: Bounds

    @property
    def is_confirmed(self) -> bool:
        """Whether the search proved what the checkpoint states."""
        if self.stated.lower == self.stated.upper:
            return self.found == self.stated
        return self.found.lower >= self.stated.lower

    def __str__(self) -> str:
        return f"{self.position}: {self.stated} stated, {self.found} found"


def rechecked(
    table: ResponseTable, checkpoint: Checkpoint, count: int, threads: int
) -> Iterator[Recheck]:
    """Search up to `count` random positions of a checkpoint again, without its bounds.

    Upper bounds of positions that are not solved are left out.  Ctrl-C is raised.
    """
    candidates_only = checkpoint.header.guesses == CANDIDATES
    proofs = list(checkpoint.proofs.values())
    entries = [(proven, row) for proven in proofs for row in proven.read.tolist() if row[LOWER]]
    chosen = random.sample(entries, min(count, len(entries)))
    for proven in proofs:
        weights = Weights(proven.weights, proven.capped)
        search = Search(table, weights, threads=threads, candidates_only=candidates_only)
        for row in [row for owner, row in chosen if owner is proven]:
            stated = bounds_of(row)
            budget = stated.lower if stated.lower == stated.upper else stated.lower - 1
            found = search.value(Position.after(table, checkpoint.turns(row)), budget=budget)
            if search.interrupted:
                raise KeyboardInterrupt
            yield Recheck(checkpoint.text(row), stated, found)
