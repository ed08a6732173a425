"""The shipped trees by name: which game, which criterion, and how each is built.

``catalogue.csv``, next to this module, has a row for each.  A tree that takes the fewest turns on
average has, among such trees, the fewest secrets at its last turn.  The weights of a champion of
the duel are those of the best reply to its own distribution.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.shipping.named_trees import BuildOptions, strategy_tree
from bullscows.tree.files import POSSIBLES_ONLY, Proof, TreeRecord, read_tree
from bullscows.tree.storage import UnknownTreeError, checkpoint_path
from bullscows.tree.strategy_tree import StrategyError, StrategyTree


@dataclass(frozen=True)
class TreeSpec:
    """A shipped tree: its name, its goal and its proof."""

    name: str
    """The file's name without ``.json``."""
    rules: str
    """The game, for example ``p4c10n``."""
    objective: str
    """The objective of the search, or the name of the one-step rule."""
    max_turns: int | None
    """The cap on turns, if any."""
    proof: Proof
    """``exact`` for a search, if only among candidates; ``heuristic`` for a rule or a beam."""
    lower: int | None = None
    """For the best tree known: the turns over all secrets that a search proved to be needed.  A
    checkpoint of the game may prove more (`proved_lower`)."""
    is_long: bool = False
    """Whether the proof takes hours, so that it is built only on request."""
    is_least: bool = False
    """Whether no strategy at all takes fewer turns on average, however many it may take: then the
    cap names the last turn and is no limit, and the build proves so."""

    @property
    def is_optimal(self) -> bool:
        """Whether the build proves that no strategy at all serves the objective better."""
        return self.proof == "exact" and self.objective != POSSIBLES_ONLY


def _listed() -> Iterator[TreeSpec]:
    with Path(__file__).with_name("catalogue.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield TreeSpec(
                row["name"],
                row["rules"],
                row["objective"],
                max_turns=int(row["max_turns"]) if row["max_turns"] else None,
                proof="exact" if row["proof"] == "exact" else "heuristic",
                lower=int(row["lower"]) if row["lower"] else None,
                is_long=row["is_long"] == "yes",
                is_least=row["is_least"] == "yes",
            )


CATALOGUE: dict[str, TreeSpec] = {spec.name: spec for spec in _listed()}
"""All shipped trees."""


def tree_spec(name: str) -> TreeSpec:
    """Return the entry of a shipped tree; raise `UnknownTreeError` if there is none."""
    try:
        return CATALOGUE[name]
    except KeyError:
        raise UnknownTreeError.of(name, list(CATALOGUE)) from None


def build_record(spec: TreeSpec, options: BuildOptions | None = None) -> TreeRecord:
    """Build and describe a shipped tree.

    Raises `StrategyError` if no strategy finds every secret within the turns, or the last turn is
    not the one that the catalogue states. Raises `KeyboardInterrupt` if the search was interrupted.
    Raises `RecordError` or `CheckpointError`, before a search, if a file with a bound is damaged.
    """
    options = options or BuildOptions()
    lower = proved_lower(spec, *options.tree_folders)
    if spec.is_optimal:
        tree = _optimal_tree(spec, options)
    else:
        tree = strategy_tree(spec.rules, spec.objective, options)
    return TreeRecord.of(
        tree,
        objective=spec.objective,
        max_turns=spec.max_turns,
        proof=spec.proof,
        lower=tree.total if spec.is_least else lower,
    )


def _optimal_tree(spec: TreeSpec, options: BuildOptions) -> StrategyTree:
    """Return the tree of the one search that proves an exact one.

    If the cap costs no turns, the search has none: it minimises the total, then the secrets found
    after the cap, then those at the cap. If none are found after it, the tree is optimal for
    ``average,last`` under the cap too, because every optimal strategy ends by then.
    """
    from bullscows.search.solver import solve

    question = Question.of(spec.rules, (), spec.objective, spec.max_turns)
    if spec.is_least and spec.max_turns is not None:
        late = f"average,from:{spec.max_turns + 1},from:{spec.max_turns}"
        question = Question.of(spec.rules, (), late)
    solution = solve(
        question,
        threads=options.threads,
        progress=options.progress,
        checkpoint=options.checkpoint(),
        cluster=options.cluster,
    )
    if solution.feasible is False:
        raise StrategyError(f"{question}: no strategy finds every secret within the turns")
    if not solution.optimal:
        raise KeyboardInterrupt
    tree = solution.tree()
    if spec.is_least and tree.depth != spec.max_turns:
        raise StrategyError(
            f"{spec.name} takes {tree.total} turns, the last of them turn {tree.depth}:"
            f" the catalogue says {spec.max_turns}"
        )
    return tree


def proved_lower(spec: TreeSpec, *folders: Path) -> int | None:
    """Return the best lower bound on the total of a game whose best tree is not proved.

    It is the greatest of the catalogue's and those that folders of trees have: of the game's
    checkpoint, and in the file of the tree. None if the catalogue has no bound.
    """
    if spec.lower is None:
        return None
    bounds = [spec.lower]
    for folder in folders:
        bounds.append(checkpoint_bound(folder, Rules.parse(spec.rules)))
        file = folder / f"{spec.name}.json"
        if file.exists():
            bounds.append(read_tree(file).record.lower or 0)
    return max(bounds)


def checkpoint_bound(folder: Path, rules: Rules) -> int:
    """Return the lower bound on the total of a game by its checkpoint, 0 if there is none."""
    from bullscows.search.checkpoint import total_bound

    path = checkpoint_path(rules, folder)
    return total_bound(path, rules) if path.exists() else 0
