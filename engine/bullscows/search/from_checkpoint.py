"""A checkpoint without its search continued: its best tree, and whether its bounds are right."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bullscows.game import arguments
from bullscows.game.objective import Bounds, Weights
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex, Turns
from bullscows.game.timer import ReportText
from bullscows.kernels import log
from bullscows.kernels.pruning import TIED_SIZE
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import BoundsMemory, CheckpointError, bounds_of
from bullscows.search.solver import check, table_of
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree

MAX_RECHECKED = 1_000_000
"""The most positions that `recheck` draws."""


def _read(question: Question, checkpoint: Path | str) -> Checkpoint:
    """Read the checkpoint of a question; it has to exist."""
    path = arguments.path("checkpoint", checkpoint)
    if not path.exists():
        raise CheckpointError(f"there is no file {checkpoint}")
    return Checkpoint(path, question)


# -- its bounds, searched again --------------------------------------------------------------------


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


def recheck(
    question: Question, *, checkpoint: Path | str, count: int, threads: int = 1
) -> Iterator[Recheck]:
    """Search up to `count` random positions of a checkpoint again, without its bounds.

    Upper bounds of positions that are not solved are left out.  Errors are those of `solve`; Ctrl-C
    is raised.
    """
    arguments.threads(threads)
    arguments.integer("count", count, 1, MAX_RECHECKED)
    check(question)
    return _rechecked(_read(question, checkpoint), count, threads)


def _rechecked(checkpoint: Checkpoint, count: int, threads: int) -> Iterator[Recheck]:
    question = checkpoint.question
    table = table_of(question)
    proofs = list(checkpoint.proofs.values())
    entries = [(proven, row) for proven in proofs for row in proven.read.tolist() if row[log.LOWER]]
    chosen = random.sample(entries, min(count, len(entries)))
    for proven in proofs:
        weights = Weights(proven.weights, proven.capped)
        only = question.candidates_only
        search = Search(table, weights, threads=threads, candidates_only=only)
        for row in [row for owner, row in chosen if owner is proven]:
            stated = bounds_of(row)
            budget = stated.lower if stated.lower == stated.upper else stated.lower - 1
            found = search.value(Position.after(table, checkpoint.turns(row)), budget=budget)
            if search.interrupted:
                raise KeyboardInterrupt
            yield Recheck(checkpoint.text(row), stated, found)


# -- its best tree ---------------------------------------------------------------------------------


def best_tree(
    question: Question,
    *,
    checkpoint: Path | str,
    threads: int = 1,
    progress: ReportText | None = None,
) -> StrategyTree:
    """Grow the best tree that a checkpoint of a whole game knows, without a proof.

    A position is solved if the file has no guess there, or an outdated one.  `progress` receives
    sentences.  Raises `CheckpointError` if the file has no first guess, or the cost of the tree is
    not within its bounds.  Errors are those of `solve`; Ctrl-C is raised.
    """
    arguments.threads(threads)
    arguments.function("progress", progress, is_optional=True)
    check(question)
    criteria = question.objective.criteria
    if question.history or criteria[0] != "average" or "worst" in criteria:
        raise CheckpointError(
            "a tree grows from a checkpoint of a whole game with an objective that begins with "
            "average and has no worst"
        )
    file = _read(question, checkpoint)
    proven = next((proven for proven in file.proofs.values() if proven.guess is not None), None)
    if proven is None:
        raise CheckpointError(
            f"{file.path} has no strategy for its upper bound yet: continue the search, or name a "
            "tree with --known"
        )
    weights = Weights(proven.weights, proven.capped)
    memory = BoundsMemory(question.turn)  # so that the file stays as it is
    memory.proofs.update(file.proofs)
    search = Search(
        table_of(question),
        weights,
        threads=threads,
        candidates_only=question.candidates_only,
        checkpoint=memory,
    )
    search.take_over(Position.after(search.table, ()))
    proven.merge()
    lower, upper = proven.bounds
    while True:
        tree = _grown(search, question, proven.guess, progress or (lambda _: None))
        cost = weights.cost(tree.distribution)
        if cost is None or upper is None or cost <= upper or not _improved(search, tree, upper):
            break
    if cost is None or upper is None or not lower <= cost <= upper:
        raise CheckpointError(
            f"{file.path} states a cost of {lower} to {upper}, and its strategy costs {cost}"
        )
    return tree


def _grown(
    search: Search, question: Question, first: CodeIndex | None, progress: ReportText
) -> StrategyTree:
    """Grow the tree of the whole game that has the guesses of the checkpoint."""
    nodes = 1  # the root has the guess `first`

    def choose(candidates: Candidates, path: Turns) -> CodeIndex:
        nonlocal nodes
        nodes += 1
        progress(f"{nodes:,} nodes of the tree")
        if len(candidates) <= 2:
            return candidates[0]
        return _known_guess(search, Position.reached(candidates, path))

    return StrategyTree.grow(question.rules, choose, first=first)


def _known_guess(search: Search, position: Position) -> CodeIndex:
    """Return the guess of the checkpoint at a position; an optimal one if it has none."""
    guess = search.recalled_guess(position)
    if guess is None and len(position.candidates) > TIED_SIZE:
        search.value(position)
        if search.stopped:
            raise KeyboardInterrupt
        guess = search.best_guess
    return search.guess(position) if guess is None else guess


def _improved(search: Search, tree: StrategyTree, upper: int) -> bool:
    """Search again below the last node that costs more than stated; return if that lowers a cost.

    `upper` bounds the whole.  The bound of a part may be outdated: a better one is not logged if it
    took little effort, for example because another thread did most of the work.
    """
    assert search.proven is not None
    costs = {node: search.weights.cost(tree.distribution_at(node)) for node in tree.nodes}
    worse = tree.root
    for node in tree.nodes:
        history = tree.path(node)
        stated = search.recalled(Position.after(search.table, history)).upper if history else upper
        cost = costs[node]
        if cost is not None and stated is not None and cost > stated and node.turn >= worse.turn:
            worse = node
    is_better = False
    for child in map(tree.nodes.__getitem__, worse.children.values()):
        cost = costs[child]
        if cost is None or len(child.candidates) <= 2:
            continue
        part = Position.after(search.table, tree.path(child))
        bounds = search.value(part, budget=cost - 1)
        if search.stopped:
            raise KeyboardInterrupt
        search.remember(part, bounds, guess=search.best_guess)
        is_better |= bounds.upper is not None
    search.proven.merge()
    return is_better
