"""A tree in other people's formats: JSON, text, HTML, DOT, and the base-92 string itself.

Every format but the string names the whole path to each node, so that a line, a branch or an
object can be read, and checked, on its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

from engine.game.rules import Rules
from engine.tree.codec import encode
from engine.tree.strategy_tree import Node, StrategyTree


def to_base92(tree: StrategyTree) -> str:
    """Return the string of the paper; DEL stands in it as itself."""
    return encode(tree)


def path_text(tree: StrategyTree, node: Node) -> str:
    """Return the turns that lead to `node`, as in ``0123 0.1 1245 0.2``; empty for the root."""
    rules = tree.rules
    return " ".join(
        f"{rules.text(guess)} {rules.answers[answer]}" for guess, answer in tree.path(node)
    )


def node_record(tree: StrategyTree, node: Node) -> dict[str, Any]:
    """Return one node as JSON-ready values.

    ``turns`` counts the secrets below the node by the turn at which they are guessed, from turn 1.
    The paper's builder keeps a level n and an estimate e with a node (6.1): ``level`` is the last
    of those turns and ``estimate`` how many secrets it has, which is what its trees with the
    fewest late secrets make least; ``total`` is the sum of the turns, its e for averages.
    """
    turns = tree.turns(node)
    rules = tree.rules
    return {
        "node": node.number,
        "path": path_text(tree, node),
        "turn": node.turn,
        "guess": rules.text(node.guess),
        "is_candidate": node.is_candidate_guess,
        "candidates": len(node.candidates),
        "turns": list(turns),
        "level": len(turns),
        "estimate": turns[-1],
        "total": _sum_of(turns),
        "children": {str(rules.answers[a]): child for a, child in node.children.items()},
    }


def _sum_of(turns: Sequence[int]) -> int:
    return sum(turn * count for turn, count in enumerate(turns, start=1))


def to_json(tree: StrategyTree) -> str:
    """Return a JSON object: the rules, and all nodes in breadth-first order."""
    nodes = [node_record(tree, node) for node in tree.nodes]
    return json.dumps({"rules": str(tree.rules), "nodes": nodes}, indent=1) + "\n"


def to_text(tree: StrategyTree) -> str:
    """Return a line per node: path, ``->``, guess, candidates, ``n`` level, ``e`` estimate, turns.

    A guess that can't be the secret is marked with ``?``; the last three as in `node_record`.
    """
    lines = []
    for node in tree.nodes:
        turns = tree.turns(node)
        mark = "" if node.is_candidate_guess else "?"
        start = f"{path_text(tree, node)} " if node.parent is not None else ""
        lines.append(
            f"{start}-> {tree.rules.text(node.guess)}{mark} {len(node.candidates)} "
            f"n {len(turns)} e {turns[-1]} turns {_sum_of(turns)}"
        )
    return "\n".join(lines) + "\n"


def to_dot(tree: StrategyTree) -> str:
    """Return a Graphviz digraph: nodes labelled with guess and candidates, edges with answers."""
    lines = ["digraph strategy {", "  node [shape=box];"]
    for node in tree.nodes:
        label = f"{tree.rules.text(node.guess)}\\n{len(node.candidates)}"
        lines.append(f'  n{node.number} [label="{label}"];')
        lines.extend(
            f'  n{node.number} -> n{child} [label="{tree.rules.answers[answer]}"];'
            for answer, child in node.children.items()
        )
    return "\n".join([*lines, "}"]) + "\n"


def to_html(tree: StrategyTree) -> str:
    """Return a page of its own: nested disclosures, readable without any script or style."""
    title = escape(f"Strategy tree for {tree.rules}")
    body = "\n".join(_html_nodes(tree, tree.root, ""))
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
        f"</head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _html_nodes(tree: StrategyTree, node: Node, answer: str) -> Iterator[str]:
    """Yield the lines of one node and all below it; a tree is as deep as a game is long."""
    rules: Rules = tree.rules
    label = f"{answer} <b>{rules.text(node.guess)}</b> ({len(node.candidates)})".strip()
    if not node.children:
        yield f"<p>{label}</p>"
        return
    yield f"<details{' open' if node.parent is None else ''}><summary>{label}</summary>"
    for given, child in node.children.items():
        yield from _html_nodes(tree, tree.nodes[child], str(rules.answers[given]))
    yield "</details>"


FORMATS: dict[str, Callable[[StrategyTree], str]] = {
    "base92": to_base92,
    "json": to_json,
    "text": to_text,
    "html": to_html,
    "dot": to_dot,
}
"""The formats by name."""
