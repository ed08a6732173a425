"""From a name to a tree: one place that knows how each kind of strategy is made.

The compiled searches are imported where they are used, so one-step rules work without numba.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.build.catalogue import TreeSpec, UnknownStrategyError
from engine.game.question import Question
from engine.game.responses import ResponseTable
from engine.game.rules import Rules
from engine.strategies.narrowed.k_way import KWaySearch
from engine.strategies.rules.least_frequent import LEAST_FREQUENT
from engine.strategies.rules.one_step import HEURISTICS, heuristic_tree
from engine.tree.files import POSSIBLES_ONLY, TreeRecord
from engine.tree.strategy_tree import StrategyTree

if TYPE_CHECKING:
    from engine.jobs.coordinator import RunProgress
    from engine.jobs.pools import Pool
    from engine.jobs.store import Store

_K_WAY = re.compile(r"kwb-([1-9][0-9]{0,3})")
_BEAM = re.compile(r"beam-([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,4}))?")


class UnprovenTreeError(RuntimeError):
    """A tree whose cost is not the proven value: a fault of the engine, never of the user."""


@dataclass(frozen=True)
class Means:
    """What a beam may use; the tree is the same with any."""

    jobs: int = 1
    """Threads."""
    folder: Path | None = None
    """Where to keep what is searched, so that the next attempt goes on there; None: nowhere."""
    progress: Callable[[str], None] | None = None
    """Is told how far it is."""


def strategy_tree(game: Rules | str, name: str, means: Means | None = None) -> StrategyTree:
    """Return the tree that follows a named strategy throughout.

    >>> strategy_tree("p3c6r", "crush").total
    866

    Names are those of `HEURISTICS`, `LEAST_FREQUENT` and `HYBRIDS`, ``possibles-only``: the fewest
    turns where each guess must be a candidate, proved by search (Francis), ``kwb-K``: Chen's k-way
    branching, and ``beam-K`` and ``beam-K-N``: the K most telling guesses above solved positions,
    which are those of up to N candidates.

    Raises
    ------
    UnknownStrategyError
        If there is no strategy of this name.
    PlanError
        If a hybrid cannot find every secret of the game within its turns.
    """
    rules = Rules.of(game)
    if name in HEURISTICS or name in LEAST_FREQUENT:
        return heuristic_tree(rules, HEURISTICS.get(name) or LEAST_FREQUENT[name])
    if name == POSSIBLES_ONLY:
        return _possibles_only(rules, (means or Means()).jobs)
    ways = _K_WAY.fullmatch(name)
    if ways is not None:
        return KWaySearch(rules, int(ways[1])).tree()
    width = _BEAM.fullmatch(name)
    if width is not None:
        return _beam_tree(rules, int(width[1]), int(width[2] or 0), means or Means())
    return _hybrid_tree(rules, name)


def _possibles_only(rules: Rules, jobs: int) -> StrategyTree:
    from engine.search.solver import solve

    solution = solve(rules, jobs=jobs, candidates_only=True)
    if not solution.optimal:
        raise KeyboardInterrupt
    return solution.tree()


def _beam_tree(rules: Rules, width: int, solved: int, means: Means) -> StrategyTree:
    from engine.jobs.tables import mapped_tables, path_of
    from engine.search.search import table_bits_of
    from engine.strategies.narrowed.beam import SOLVED, BeamSearch

    known = None
    if means.folder is not None:
        place = path_of(means.folder, Question.of(rules))
        known = mapped_tables(place, table_bits_of(rules.size))
    beam = BeamSearch(
        rules, width, solved or SOLVED, jobs=means.jobs, known=known, progress=means.progress
    )
    return beam.tree()


def _hybrid_tree(rules: Rules, name: str) -> StrategyTree:
    from engine.strategies.hybrids.search import HYBRIDS, HybridSearch

    if name not in HYBRIDS:
        readings = "goel-garg-human[-place][-met][-worded]"
        families = [readings, "kwb-1, kwb-2, ...", "beam-1, ..."]
        known = ", ".join([*HEURISTICS, *HYBRIDS, POSSIBLES_ONLY, *families])
        raise UnknownStrategyError(f"unknown strategy {name[:40]!r}; known are {known}")
    return HybridSearch(rules, HYBRIDS[name]).tree()


def build_record(spec: TreeSpec, *, jobs: int = 1) -> TreeRecord | None:
    """Make a shipped tree by one plain search and describe it; the description is a replay's.

    Returns None if the search was interrupted before it proved the tree optimal.
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
    if least is not None and least != tree.total:
        raise UnprovenTreeError(f"beyond its cap {spec.name} could take {least} turns")
    return TreeRecord.of(
        tree,
        objective=spec.objective,
        max_turns=spec.max_turns,
        proof=spec.proof,
        lower=spec.lower if least is None else least,
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
    StoreError, PoolError
        If the store or the workers fail; what was finished is kept.
    """
    from engine.jobs.coordinator import optimal_trees

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
    from engine.search.solver import solve

    table = ResponseTable.of(Rules.parse(spec.rules))
    solution = solve(table, spec.objective, max_turns=spec.max_turns, jobs=jobs)
    if not solution.optimal:
        return None
    tree = solution.tree()
    if tree.cost((0, *solution.search.weights.values)) != solution.upper:
        raise UnprovenTreeError(f"the tree of {spec.name} does not cost what was proven")
    return tree
