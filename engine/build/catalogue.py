"""The shipped trees by name: which game, which criterion, and how each is made."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.tree.files import Proof
from engine.tree.folder import UnknownTreeError


class UnknownStrategyError(EngineError, ValueError):
    """A name that no one-step rule and no hybrid has."""


@dataclass(frozen=True)
class TreeSpec:
    """How a shipped tree is made."""

    name: str
    """The file's name without ``.json``."""
    rules: str
    """The game, as in ``p4c10n``."""
    objective: str
    """The objective of the search, or the name of the one-step rule."""
    max_turns: int | None
    """The cap on turns, if any."""
    proof: Proof
    """``exact`` for a search, ``heuristic`` for a rule or a beam followed throughout."""
    lower: int | None = None
    """For the best tree known: the turns over all secrets that a search proved to be needed."""
    is_long: bool = False
    """Whether the proof takes hours, so that it is built only on request."""


def _rule(name: str, rules: str, rule: str) -> TreeSpec:
    return TreeSpec(name, rules, rule, None, "heuristic")


def _best(name: str, rules: str, beam: str, lower: int) -> TreeSpec:
    return TreeSpec(name, rules, beam, None, "heuristic", lower)


def _exact(name: str, rules: str, objective: str, max_turns: int | None = None) -> TreeSpec:
    return TreeSpec(name, rules, objective, max_turns, "exact")


def _long(name: str, rules: str, objective: str) -> TreeSpec:
    return TreeSpec(name, rules, objective, None, "exact", is_long=True)


_SPECS = (
    _exact("avg-bulls-cows", "p4c10n", "average,last", 7),
    _exact("crush-bulls-cows", "p4c10n", "movers", 7),
    _exact("crush-avg-bulls-cows", "p4c10n", "last,average", 7),
    _exact("avg-mastermind", "p4c6r", "average,last", 6),
    _exact("avg-mastermind-5", "p4c6r", "average,last", 5),
    _exact("crush-mastermind", "p4c6r", "movers", 5),
    _exact("crush-avg-mastermind", "p4c6r", "last,average", 5),
    _exact("avg-bulls-cows-3-digits", "p3c10n", "average"),
    _exact("avg-bulls-cows-9-symbols", "p4c9n", "average"),
    _exact("avg-bulls-cows-no-leading-zero", "p4c10z", "average,last", 7),
    _exact("avg-mastermind-3x6", "p3c6r", "average"),
    _exact("avg-mastermind-4x5", "p4c5r", "average"),
    _exact("avg-mastermind-4x7", "p4c7r", "average"),
    _exact("avg-mastermind-4x8", "p4c8r", "average"),
    _exact("avg-mastermind-5x6", "p5c6r", "average"),
    _exact("avg-bulls-cows-5-of-7", "p5c7n", "average"),
    _exact("avg-bulls-cows-5-of-8", "p5c8n", "average"),
    _long("avg-bulls-cows-5-of-9", "p5c9n", "average"),
    _best("best-bulls-cows-5-of-10", "p5c10n", "beam-8-300", 165270),
    _rule("crush-rule-bulls-cows", "p4c10n", "crush"),
    _rule("larmouth-rule-bulls-cows", "p4c10n", "larmouth"),
    _rule("crush-rule-mastermind", "p4c6r", "crush"),
    _rule("larmouth-rule-mastermind", "p4c6r", "larmouth"),
)

CATALOGUE: dict[str, TreeSpec] = {spec.name: spec for spec in _SPECS}
"""All shipped trees."""


def spec(name: str) -> TreeSpec:
    """Return the entry of a shipped tree; raise `UnknownTreeError` if there is none."""
    try:
        return CATALOGUE[name]
    except KeyError:
        raise UnknownTreeError(
            f"unknown tree {name[:40]!r}; known are {', '.join(CATALOGUE)}"
        ) from None
