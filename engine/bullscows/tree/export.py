"""A tree in other people's formats: JSON, text, HTML, DOT, and the base-92 string itself.

Every format but the string names the whole path to each node, so that a line, a branch or an
object can be read, and checked, on its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from bullscows.game.cost import turns_in_all
from bullscows.tree.codec import encode
from bullscows.tree.nodes import Node
from bullscows.tree.page import to_html
from bullscows.tree.strategy_tree import StrategyTree


def to_base92(tree: StrategyTree) -> Iterator[str]:
    """Yield the string of the paper; DEL stands in it as itself."""
    yield encode(tree)


def path_text(tree: StrategyTree, node: Node) -> str:
    """Return the turns that lead to `node`, as in ``0123 0.1 1245 0.2``; empty for the root."""
    rules = tree.rules
    return " ".join(
        f"{rules.text(guess)} {rules.answers[answer]}" for guess, answer in tree.path(node)
    )


def _paths(tree: StrategyTree) -> list[str]:
    """Return the path text of every node, each made from its parent's, which comes earlier."""
    guess = cache(tree.rules.text)
    answers = [str(answer) for answer in tree.rules.answers]
    paths: list[str] = []
    for node in tree.nodes:
        if node.parent is None or node.answer is None:
            paths.append("")
        else:
            turn = f"{guess(tree.nodes[node.parent].guess)} {answers[node.answer]}"
            paths.append(f"{paths[node.parent]} {turn}".lstrip())
    return paths


def node_record(tree: StrategyTree, node: Node, path: str | None = None) -> dict[str, Any]:
    """Return one node as JSON-ready values.

    ``turns`` counts the secrets below the node by the turn at which they are guessed, from turn 1.
    The paper's builder keeps a level n and an estimate e with a node (6.1): ``level`` is the last
    of those turns and ``estimate`` how many secrets it has, which is what its trees with the
    fewest late secrets make least; ``total`` is the sum of the turns, its e for averages.  Who has
    the text of the `path` at hand gives it.
    """
    turns = tree.distribution_at(node)
    rules = tree.rules
    return {
        "node": node.number,
        "path": path_text(tree, node) if path is None else path,
        "turn": node.turn,
        "guess": rules.text(node.guess),
        "is_candidate": node.is_candidate_guess,
        "candidates": node.size,
        "turns": list(turns),
        "level": len(turns),
        "estimate": turns[-1],
        "total": turns_in_all(turns),
        "children": {str(rules.answers[a]): child for a, child in node.children.items()},
    }


def to_json(tree: StrategyTree) -> Iterator[str]:
    """Yield a JSON object: the rules, and all nodes in breadth-first order."""
    yield f'{{\n "rules": {json.dumps(str(tree.rules))},\n "nodes": ['
    for node, path in zip(tree.nodes, _paths(tree), strict=True):
        record = node_record(tree, node, path)
        fields = ",\n".join(f'   "{name}": {_json(value)}' for name, value in record.items())
        yield ("," if node.number else "") + f"\n  {{\n{fields}\n  }}"
    yield "\n ]\n}\n"


def _json(value: object) -> str:
    """Return the value of a node's field as `json` indents it, which takes far longer itself."""
    if isinstance(value, Mapping):
        items = [f'"{key}": {item}' for key, item in value.items()]
    elif isinstance(value, list):
        items = [str(item) for item in value]
    else:
        return json.dumps(value)
    start, end = "{}" if isinstance(value, Mapping) else "[]"
    return start + ",".join(f"\n    {item}" for item in items) + ("\n   " if items else "") + end


TEXT_HEADER = """\
# Strategy tree of {rules}: {secrets} codes, {nodes} nodes, one a line in breadth-first order.
# PATH -> GUESS CANDIDATES n LAST e COUNT turns TOTAL
# PATH: guesses and answers so far, bulls.cows each; empty at the root
# GUESS: next guess; ? after it: it cannot be the secret
# CANDIDATES: number of codes that fit the answers so far
# LAST: last turn at which one of these codes is found, counted from the first turn of the game
# COUNT: number of these codes found at that turn
# TOTAL: sum over these codes of the turn at which each is found
"""
"""The lines before the nodes; each begins with ``#``."""


def to_text(tree: StrategyTree) -> Iterator[str]:
    """Yield a header that explains the columns, then a line for each node.

    Columns: path, ``->``, guess, candidates, ``n`` level, ``e`` estimate, ``turns`` total; the last
    three are those of `node_record`.  ``?`` marks a guess that cannot be the secret.
    """
    yield TEXT_HEADER.format(rules=tree.rules, secrets=tree.root.size, nodes=len(tree))
    for node, path in zip(tree.nodes, _paths(tree), strict=True):
        turns = tree.distribution_at(node)
        mark = "" if node.is_candidate_guess else "?"
        yield (
            f"{path} -> {tree.rules.text(node.guess)}{mark} {node.size} "
            f"n {len(turns)} e {turns[-1]} turns {turns_in_all(turns)}\n"
        ).lstrip()


def to_dot(tree: StrategyTree) -> Iterator[str]:
    """Yield a Graphviz digraph: nodes labelled with guess and candidates, edges with answers."""
    yield "digraph strategy {\n  node [shape=box];\n"
    for node in tree.nodes:
        label = f"{tree.rules.text(node.guess)}\\n{node.size}"
        yield f'  n{node.number} [label="{label}"];\n'
        for answer, child in node.children.items():
            yield f'  n{node.number} -> n{child} [label="{tree.rules.answers[answer]}"];\n'
    yield "}\n"


FORMATS: dict[str, Callable[[StrategyTree], Iterator[str]]] = {
    "base92": to_base92,
    "json": to_json,
    "text": to_text,
    "html": to_html,
    "dot": to_dot,
}
"""The formats by name: what yields the pieces of the text, so that none need be held whole."""
