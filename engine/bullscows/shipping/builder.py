"""Shipped trees, each made by one search or by a strategy's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.shipping.atlas import proved_lower
from bullscows.shipping.catalogue import TreeSpec
from bullscows.shipping.strategies import BuildOptions, strategy_tree
from bullscows.tree.files import TreeRecord
from bullscows.tree.storage import default_folder
from bullscows.tree.strategy_tree import StrategyError, StrategyTree

if TYPE_CHECKING:
    from bullscows.search.position import Progress


def build_record(
    spec: TreeSpec,
    options: BuildOptions | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> TreeRecord:
    """Build and describe a shipped tree.

    Raises `StrategyError` if no strategy finds every secret within the turns, or the last turn is
    not the one that the catalogue states. Raises `KeyboardInterrupt` if the search was interrupted.
    """
    if spec.is_optimal:
        return _record(spec, _optimal_tree(spec, options or BuildOptions(), progress))
    return _record(spec, strategy_tree(Rules.parse(spec.rules), spec.objective, options))


def _question(spec: TreeSpec) -> Question:
    """Return the question of the one search that proves an exact tree.

    If the cap costs no turns, the search has none: it minimises the total, then the secrets found
    after the cap, then those at the cap. If none are found after it, the tree is optimal for
    ``average,last`` under the cap too, because every optimal strategy ends by then.
    """
    if not spec.is_least or spec.max_turns is None:
        return Question.of(spec.rules, (), spec.objective, spec.max_turns)
    late = f"average,from:{spec.max_turns + 1},from:{spec.max_turns}"
    return Question.of(spec.rules, (), late)


def _optimal_tree(
    spec: TreeSpec, options: BuildOptions, progress: Callable[[Progress], None] | None
) -> StrategyTree:
    from bullscows.search.solver import solve

    solution = solve(
        _question(spec),
        threads=options.threads,
        progress=progress,
        checkpoint=options.checkpoint(),
        cluster=options.cluster,
    )
    if solution.feasible is False:
        raise StrategyError(f"{spec.name}: no strategy finds every secret within the turns")
    if not solution.optimal:
        raise KeyboardInterrupt
    tree = solution.tree()
    if tree.cost((0, *solution.weights.values)) != solution.cost.upper:
        raise RuntimeError(f"the tree of {spec.name} does not cost what was proven")
    return tree


def _record(spec: TreeSpec, tree: StrategyTree) -> TreeRecord:
    """Describe a tree; refuse a last turn that costs turns, or that no secret needs."""
    if spec.is_least and tree.depth != spec.max_turns:
        raise StrategyError(
            f"{spec.name} takes {tree.total} turns, the last of them turn {tree.depth}:"
            f" the catalogue says {spec.max_turns}"
        )
    return TreeRecord.of(
        tree,
        objective=spec.objective,
        max_turns=spec.max_turns,
        proof=spec.proof,
        lower=tree.total if spec.is_least else proved_lower(spec, default_folder()),
    )
