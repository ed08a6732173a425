"""The shipped trees by name: which game, which criterion, and how each is made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bullscows.game.duel import objective_of, reply_weights
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


def _heuristic(name: str, rules: str, strategy: str, lower: int | None = None) -> TreeSpec:
    return TreeSpec(name, rules, strategy, None, "heuristic", lower)


def _exact(name: str, rules: str, objective: str, max_turns: int | None = None) -> TreeSpec:
    return TreeSpec(name, rules, objective, max_turns, "exact")


def _least(name: str, rules: str, last: int, *, is_long: bool = False) -> TreeSpec:
    """The fewest turns on average; among such trees, the fewest secrets at turn `last`."""
    return TreeSpec(name, rules, "average,last", last, "exact", is_long=is_long, is_least=True)


def _champion(name: str, rules: str, *turns: int) -> TreeSpec:
    """Return the best reply in the duel to a distribution, which is its own."""
    return TreeSpec(name, rules, str(objective_of(reply_weights(turns))), None, "exact")


_SPECS = (
    _least("avg-bulls-cows", "p4c10n", 7),
    _exact("crush-bulls-cows", "p4c10n", "movers", 7),
    _exact("crush-avg-bulls-cows", "p4c10n", "last,average", 7),
    _least("avg-mastermind", "p4c6r", 6),
    _exact("avg-mastermind-5", "p4c6r", "average,last", 5),
    _exact("crush-mastermind", "p4c6r", "movers", 5),
    _exact("crush-avg-mastermind", "p4c6r", "last,average", 5),
    _least("avg-bulls-cows-3-digits", "p3c10n", 7),
    _least("avg-bulls-cows-9-symbols", "p4c9n", 7),
    _least("avg-bulls-cows-11-symbols", "p4c11n", 8),
    _least("avg-bulls-cows-no-leading-zero", "p4c10z", 7),
    _least("avg-mastermind-3x5", "p3c5r", 5),
    _least("avg-mastermind-3x6", "p3c6r", 5),
    _least("avg-mastermind-3x10", "p3c10r", 7),
    _least("avg-mastermind-4x4", "p4c4r", 4),
    _least("avg-mastermind-4x5", "p4c5r", 5),
    _least("avg-mastermind-4x7", "p4c7r", 6),
    _least("avg-mastermind-4x8", "p4c8r", 7),
    _least("avg-mastermind-4x9", "p4c9r", 7),
    _least("avg-mastermind-4x10", "p4c10r", 8),
    _least("avg-mastermind-5x4", "p5c4r", 5),
    _least("avg-mastermind-5x5", "p5c5r", 6),
    _least("avg-mastermind-5x6", "p5c6r", 6),
    _least("avg-mastermind-5x7", "p5c7r", 7, is_long=True),
    _least("avg-mastermind-6x4", "p6c4r", 6),
    _least("avg-bulls-cows-3-of-6", "p3c6n", 5),
    _least("avg-bulls-cows-3-of-7", "p3c7n", 5),
    _least("avg-bulls-cows-3-of-8", "p3c8n", 6),
    _least("avg-bulls-cows-3-of-9", "p3c9n", 6),
    _least("avg-bulls-cows-4-of-6", "p4c6n", 5),
    _least("avg-bulls-cows-4-of-7", "p4c7n", 6),
    _least("avg-bulls-cows-4-of-8", "p4c8n", 6),
    _least("avg-bulls-cows-5-of-6", "p5c6n", 6),
    _least("avg-bulls-cows-5-of-7", "p5c7n", 6),
    _least("avg-bulls-cows-5-of-8", "p5c8n", 7),
    _least("avg-bulls-cows-6-of-6", "p6c6n", 7),
    _least("avg-bulls-cows-5-of-9", "p5c9n", 7, is_long=True),
    _least("avg-bulls-cows-6-of-7", "p6c7n", 8, is_long=True),
    _least("avg-bulls-only-4x6", "p4c6rb", 9),
    _least("avg-bulls-only-3x6", "p3c6rb", 8),
    _least("avg-bulls-only-3x10", "p3c10rb", 12),
    _least("avg-bulls-only-3-of-10", "p3c10nb", 11),
    _least("avg-bulls-only-4-of-4", "p4c4nb", 5),
    _least("avg-bulls-only-5-of-5", "p5c5nb", 6),
    _least("avg-bulls-only-6-of-6", "p6c6nb", 7),
    _heuristic("best-bulls-cows-5-of-10", "p5c10n", "beam-8-300", 0),
    _heuristic("best-bulls-cows-6-of-8", "p6c8n", "beam-4-400", 112942),
    _heuristic("best-mastermind-5x8", "p5c8r", "beam-4-400", 169886),
    _champion("duel-bulls-cows", "p4c10n", 1, 4, 48, 693, 2527, 1623, 144),
    _champion("duel-bulls-cows-3-digits", "p3c10n", 1, 4, 18, 141, 394, 152, 10),
    _champion("duel-mastermind", "p4c6r", 1, 8, 80, 679, 511, 17),
    _exact("possibles-bulls-cows", "p4c10n", POSSIBLES_ONLY),
    _exact("possibles-mastermind", "p4c6r", POSSIBLES_ONLY),
    _heuristic("crush-rule-bulls-cows", "p4c10n", "crush"),
    _heuristic("larmouth-rule-bulls-cows", "p4c10n", "larmouth"),
    _heuristic("crush-rule-mastermind", "p4c6r", "crush"),
    _heuristic("larmouth-rule-mastermind", "p4c6r", "larmouth"),
)

CATALOGUE: dict[str, TreeSpec] = {spec.name: spec for spec in _SPECS}
"""All shipped trees."""


def spec(name: str) -> TreeSpec:
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
