"""From a name to a tree: one place that knows how each kind of strategy is made."""

from __future__ import annotations

from engine.catalogue import TreeSpec
from engine.heuristics import HEURISTICS, heuristic_tree
from engine.rules import Rules
from engine.tree import StrategyTree
from engine.treefile import TreeRecord


class UnknownStrategyError(ValueError):
    """A name that no strategy has."""


def strategy_tree(rules: Rules, name: str) -> StrategyTree:
    """Return the tree that follows a named strategy throughout.

    Raises
    ------
    UnknownStrategyError
        If there is no strategy of this name.
    """
    try:
        heuristic = HEURISTICS[name]
    except KeyError:
        raise UnknownStrategyError(
            f"unknown strategy {name[:40]!r}; known are {', '.join(HEURISTICS)}"
        ) from None
    return heuristic_tree(rules, heuristic)


def build_record(spec: TreeSpec) -> TreeRecord:
    """Make a shipped tree from nothing and describe it; the description comes from a replay."""
    tree = strategy_tree(Rules.parse(spec.rules), spec.objective)
    return TreeRecord.of(
        tree, objective=spec.objective, max_turns=spec.max_turns, proof=spec.proof
    )
