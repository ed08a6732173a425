"""A tree in other formats: JSON, text, HTML, DOT, and the base-92 string itself.

Every format but the string gives the whole path to each node, to be checked on its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from bullscows.game.objective import total_turns
from bullscows.game.rules import CodeError, Rules, Turns
from bullscows.tree.codec import encode
from bullscows.tree.nodes import Candidates, Node
from bullscows.tree.strategy_tree import StrategyTree, TreeError


def path_text(rules: Rules, turns: Turns) -> str:
    """Return turns as text, for example ``0123 0.1 1245 0.2``."""
    return " ".join(f"{rules.text(guess)} {rules.answer_texts[answer]}" for guess, answer in turns)


def _paths(tree: StrategyTree) -> Iterator[tuple[Node, str]]:
    """Yield each node with the text of its path, made from its parent's, which comes earlier."""
    paths: list[str] = []
    for node in tree.nodes:
        path = ""
        if node.parent is not None and node.answer is not None:
            turn = (tree.nodes[node.parent].guess, node.answer)
            path = f"{paths[node.parent]} {path_text(tree.rules, (turn,))}".lstrip()
        paths.append(path)
        yield node, path


def node_record(tree: StrategyTree, node: Node, path: str) -> dict[str, Any]:
    """Return one node as JSON-ready values; `path` is the text of its path.

    ``distribution`` counts the secrets below the node by the turn at which they are found. The
    paper's builder keeps a level n and an estimate e with a node (6.1): ``level`` is the last of
    those turns, ``estimate`` the number of secrets found then; ``total`` is the sum of the turns,
    its e for averages.
    """
    turns = tree.distribution_at(node)
    rules = tree.rules
    return {
        "node": node.number,
        "path": path,
        "turn": node.turn,
        "guess": rules.text(node.guess),
        "is_candidate": node.is_candidate_guess,
        "candidates": node.size,
        "distribution": list(turns),
        "level": len(turns),
        "estimate": turns[-1],
        "total": total_turns(turns),
        "children": {rules.answer_texts[a]: child for a, child in node.children.items()},
    }


def to_json(tree: StrategyTree) -> Iterator[str]:
    """Yield a JSON object: the rules, and all nodes in breadth-first order, one a line."""
    yield f'{{\n "rules": {json.dumps(str(tree.rules))},\n "nodes": ['
    for node, path in _paths(tree):
        yield ("," if node.number else "") + "\n  " + json.dumps(node_record(tree, node, path))
    yield "\n ]\n}\n"


TEXT_HEADER = """\
# Strategy tree of {rules}: {secrets} codes, {nodes} nodes, one a line in breadth-first order.
# PATH -> GUESS CANDIDATES n LAST e COUNT turns TOTAL
# PATH: guesses and answers so far, {answer} each; empty at the root
# GUESS: next guess; ? after it: it cannot be the secret
# CANDIDATES: number of codes that fit the answers so far
# LAST: last turn at which one of these codes is found, counted from the first turn of the game
# COUNT: number of these codes found at that turn
# TOTAL: sum over these codes of the turn at which each is found
"""
"""The lines before the nodes; each begins with ``#``."""


def to_text(tree: StrategyTree) -> Iterator[str]:
    """Yield a header that explains the columns, then a line for each node."""
    answer = "bulls.0" if tree.rules.bulls_only else "bulls.cows"
    counts = {"secrets": tree.root.size, "nodes": len(tree)}
    yield TEXT_HEADER.format(rules=tree.rules, answer=answer, **counts)
    for node, path in _paths(tree):
        turns = tree.distribution_at(node)
        mark = "" if node.is_candidate_guess else "?"
        yield (
            f"{path} -> {tree.rules.text(node.guess)}{mark} {node.size} "
            f"n {len(turns)} e {turns[-1]} turns {total_turns(turns)}\n"
        ).lstrip()


class TextError(TreeError):
    """Text that is no tree; `place` is the line, from 1, or the turns without a guess."""

    def __init__(self, message: str, place: int | str) -> None:
        super().__init__(message)
        self.place = place


def from_text(text: str) -> StrategyTree:
    """Return the tree that `to_text` wrote; only paths and guesses are read.

    Raises `TextError` if the header or a line is missing or can't be read, or a guess splits
    nothing; `TreeError` if the game is too large.
    """
    header, *lines = text.splitlines() or [""]
    if (found := re.match(rf"{HEADER} (\S+):", header)) is None:
        raise TextError(f"the text does not begin with '{HEADER} RULES:'", 1)
    rules = Rules.parse(found[1])
    places = dict[str, tuple[int, int]]()
    for number, line in enumerate(lines, start=2):
        if not line.startswith("#"):
            if (parts := _LINE.fullmatch(line)) is None:
                raise TextError(f"line {number} is no PATH -> GUESS: {line[:40]!r}", number)
            try:
                places[parts[1].strip()] = rules.parse_code(parts[2]), number
            except CodeError as error:
                raise TextError(f"line {number}: {error}", number) from None

    def choose(candidates: Candidates, turns: Turns) -> int:
        path = path_text(rules, turns)
        if path not in places:
            raise TextError(f"no line has the guess after {path or 'no turn'}", path)
        guess, line = places[path]
        if candidates != (guess,) and not rules.splits(guess, candidates):
            raise TextError(f"line {line}: guess {rules.text(guess)} splits nothing", line)
        return guess

    return StrategyTree.grow(rules, choose)


HEADER = "# Strategy tree of"
"""The beginning of exported text."""

_LINE = re.compile(r"((?:\S+ \S+ )*)-> (\w+)\??( .*)?")

STYLE = """
:root{color-scheme:light dark;--line:#c9d3c6;--soft:#536058;--accent:#0b6b46;
background:#f3f5ef;color:#16211b}
@media screen and (prefers-color-scheme:dark){:root{--line:#34423a;--soft:#a5b2a9;
--accent:#76dba6;background:#0e1411;color:#e8efe9}}
body{margin:0 auto;padding:1rem;max-width:48rem;font:1rem/1.5 system-ui,sans-serif;
font-variant-numeric:tabular-nums}
h1{margin:0;font-size:1.6rem;line-height:1.2}
header div,i{color:var(--soft)}
header{margin-bottom:1rem}
details details,details p{margin:0 0 0 .3rem;padding-left:.7rem;border-left:2px solid var(--line)}
summary{padding:.2rem 0;cursor:pointer}
summary:focus-visible{outline:3px solid var(--accent)}
summary::marker{color:var(--accent)}
details p{padding:.1rem 0 .1rem 1.7rem}
b{margin:0 .3rem;font:700 1.05rem ui-monospace,monospace;letter-spacing:.05em}
i{font-style:normal}
@media print{:root{background:#fff}
body{max-width:none;padding:0;columns:3;font-size:8pt;line-height:1.3}
b{font-size:8pt}::details-content{content-visibility:visible;block-size:auto}}
"""


def to_html(tree: StrategyTree) -> Iterator[str]:
    """Yield one HTML page of nested disclosures, without scripts or other files."""
    title = escape(f"Strategy tree for {tree.rules}")
    secrets = tree.root.size
    yield (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n"
        f"<header><h1>{title}</h1>\n"
        f"<div>Finds each of {secrets} secrets, in {tree.total / secrets:.4f} turns on average and "
        f"{tree.depth} at most.</div>\n<div>A line is an answer to the guess above, bulls"
        f"{'' if tree.rules.bulls_only else ' and cows'}; the next guess; "
        "and how many secrets are left.</div></header>\n<main>\n"
    )
    for line in _disclosures(tree, tree.root, ""):
        yield f"{line}\n"
    yield "</main>\n</body>\n</html>\n"


def _disclosures(tree: StrategyTree, node: Node, answer: str) -> Iterator[str]:
    rules = tree.rules
    label = f"{answer} <b>{rules.text(node.guess)}</b> <i>{node.size}</i>".strip()
    if not node.children:
        yield f"<p>{label}</p>"
        return
    yield f"<details{' open' if node.parent is None else ''}><summary>{label}</summary>"
    for given, child in node.children.items():
        yield from _disclosures(tree, tree.nodes[child], str(rules.answers[given]))
    yield "</details>"


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
    "base92": lambda tree: iter((encode(tree),)),  # with DEL unescaped
    "json": to_json,
    "text": to_text,
    "html": to_html,
    "dot": to_dot,
}
"""The formats by name: what yields the pieces of the text, so that none need be held whole."""
