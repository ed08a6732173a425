"""The shipped trees by name: which game, which criterion, and how each is made.

``catalogue.csv``, next to this module, has a row for each.  A tree that takes the fewest turns on
average has, among such trees, the fewest secrets at its last turn.  The weights of a champion of
the duel are those of the best reply to its own distribution.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bullscows.game.rules import Rules
from bullscows.tree.files import POSSIBLES_ONLY, Proof, read_tree
from bullscows.tree.storage import UnknownTreeError


@dataclass(frozen=True)
class TreeSpec:
    """How a shipped tree is made."""

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


CHECKPOINTS = "checkpoints"
"""The folder within that of the trees with the proved bounds of games."""


def proved_lower(spec: TreeSpec, folder: Path) -> int | None:
    """Return the best lower bound on the total of a game whose best tree is not proved.

    It is the greatest of the catalogue's, that of a checkpoint in the folder of trees, and that of
    the tree there; None if the catalogue has no bound.
    """
    if spec.lower is None:
        return None
    bounds = [spec.lower, checkpoint_bound(folder, Rules.parse(spec.rules))]
    shipped = folder / f"{spec.name}.json"
    if shipped.exists():
        bounds.append(read_tree(shipped).record.lower or 0)
    return max(bounds)


def checkpoint_bound(folder: Path, rules: Rules) -> int:
    """Return the lower bound on the total of a game by its checkpoint, 0 if there is none."""
    from bullscows.search.checkpoint import total_bound

    path = folder / CHECKPOINTS / f"{rules}.json"
    return total_bound(path, rules) if path.exists() else 0
