"""``bullscows strategy``: a named strategy against every secret."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import AsJson, RulesText, emit
from engine.game.rules import Rules


def strategy(
    rules: RulesText,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A rule, a hybrid, possibles-only, kwb-5, ..."),
    ],
    as_json: AsJson = False,
) -> None:
    """Play a heuristic or hybrid strategy against every secret and count its turns."""
    from engine.build.builder import strategy_tree

    tree = strategy_tree(Rules.parse(rules), name)
    value = {
        "rules": str(tree.rules),
        "strategy": name,
        "secrets": tree.rules.size,
        "total": tree.total,
        "average": round(tree.total / tree.rules.size, 6),
        "depth": tree.depth,
        "turns": list(tree.histogram),
        "nodes": len(tree),
    }
    turns = "/".join(map(str, tree.histogram))
    emit(value, [f"{name} on {rules}: total {tree.total}, turns {turns}"], as_json)
