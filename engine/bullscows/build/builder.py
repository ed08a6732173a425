"""The shipped trees, made again: by one search, by tasks of a store, or by a strategy's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bullscows.build.catalogue import TreeSpec
from bullscows.build.strategies import Means, strategy_tree
from bullscows.errors import EngineError
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.tree.files import TreeRecord
from bullscows.tree.strategy_tree import StrategyTree

if TYPE_CHECKING:
    from bullscows.jobs.coordinator import RunProgress
    from bullscows.jobs.pools import Pool
    from bullscows.jobs.store.store import Store


class UnprovenTreeError(RuntimeError):
    """A tree whose cost is not the proven value: a fault of the engine, never of the user."""


class LastTurnError(EngineError, ValueError):
    """A last turn in the catalogue that is not the one of the fewest turns on average."""


def build_record(spec: TreeSpec, *, jobs: int = 1) -> TreeRecord | None:
    """Make a shipped tree by one plain search and describe it; the description is a replay's.

    Returns None if the search was interrupted before it proved the tree optimal.

    Raises
    ------
    LastTurnError
        If fewer turns are possible with a later last turn, or the last turn is never needed.
    """
    if not spec.is_optimal:
        return rule_record(spec, Means(jobs))
    tree = _optimal_tree(spec, jobs)
    if tree is None or not spec.is_least:
        return None if tree is None else _record(spec, tree)
    least = _optimal_tree(_any_turns(spec), jobs)
    return None if least is None else _record(spec, tree, least.total)


def rule_record(spec: TreeSpec, means: Means | None = None) -> TreeRecord:
    """Make a shipped tree that a strategy names, and describe it."""
    return _record(spec, strategy_tree(Rules.parse(spec.rules), spec.objective, means))


def _record(spec: TreeSpec, tree: StrategyTree, least: int | None = None) -> TreeRecord:
    """Describe a tree; where fewer turns were looked for beyond its cap, so many is the least."""
    if least is not None:
        _check_last_turn(spec, tree, least)
    return TreeRecord.of(
        tree,
        objective=spec.objective,
        max_turns=spec.max_turns,
        proof=spec.proof,
        lower=spec.lower if least is None else least,
    )


def _check_last_turn(spec: TreeSpec, tree: StrategyTree, least: int) -> None:
    """Refuse a cap that costs turns, and one after which nothing is left to minimise."""
    if least != tree.total:
        raise LastTurnError(
            f"{spec.name} takes {tree.total} turns within {spec.max_turns}: {least}"
            " are possible with a later last turn in the catalogue"
        )
    if tree.depth != spec.max_turns:
        raise LastTurnError(
            f"{spec.name} never comes to turn {spec.max_turns}: put its last turn,"
            f" {tree.depth}, into the catalogue"
        )


def _any_turns(spec: TreeSpec) -> TreeSpec:
    """Return the same game with the turns on average alone, however many there are."""
    return replace(spec, objective="average", max_turns=None)


def build_by_tasks(
    specs: Sequence[TreeSpec],
    store: Store,
    pool: Pool,
    *,
    slice_seconds: float,
    progress: Callable[[RunProgress], None] | None = None,
) -> list[TreeRecord]:
    """Make shipped exact trees by tasks of a store; the records are those of `build_record`.

    Raises
    ------
    JobFailedError
        If a task failed, or no strategy answers within the turns.
    LastTurnError
        As of `build_record`.
    StoreError, PoolError
        If the store or the workers fail; what was finished is kept.
    """
    from bullscows.jobs.coordinator import optimal_trees

    least = [spec for spec in specs if spec.is_least]
    asked = [*specs, *map(_any_turns, least)]
    questions = [Question.of(spec.rules, (), spec.objective, spec.max_turns) for spec in asked]
    trees = optimal_trees(
        questions, store, pool, plies=0, slice_seconds=slice_seconds, progress=progress
    )
    totals = {spec.name: tree.total for spec, tree in zip(least, trees[len(specs) :], strict=True)}
    return [
        _record(spec, tree, totals.get(spec.name))
        for spec, tree in zip(specs, trees[: len(specs)], strict=True)
    ]


def _optimal_tree(spec: TreeSpec, jobs: int) -> StrategyTree | None:
    from bullscows.search.solver import solve

    table = ResponseTable.of(Rules.parse(spec.rules))
    solution = solve(table, spec.objective, max_turns=spec.max_turns, jobs=jobs)
    if not solution.optimal:
        return None
    tree = solution.tree()
    if tree.cost((0, *solution.search.weights.values)) != solution.upper:
        raise UnprovenTreeError(f"the tree of {spec.name} does not cost what was proven")
    return tree
