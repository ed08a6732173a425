"""A strategy tree as a page of its own: nested disclosures, which need no script and no network.

The style is a kilobyte within the page: light and dark as the reader's system is, at home on a
narrow phone, and on paper with everything unfolded.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bullscows.game.rules import Rules
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

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
    """Yield the page piece by piece; of each node its answer, its guess, and how many codes fit."""
    title = escape(f"Strategy tree for {tree.rules}")
    secrets = tree.root.size
    yield (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n"
        f"<header><h1>{title}</h1>\n"
        f"<div>Finds each of {secrets} secrets, in {tree.total / secrets:.4f} turns on average and "
        f"{tree.depth} at most.</div>\n<div>A line is an answer to the guess above, bulls and "
        "cows; the next guess; and how many secrets are left.</div></header>\n<main>\n"
    )
    for line in _nodes(tree, tree.root, ""):
        yield f"{line}\n"
    yield "</main>\n</body>\n</html>\n"


def _nodes(tree: StrategyTree, node: Node, answer: str) -> Iterator[str]:
    """Yield the lines of one node and all below it; a tree is as deep as a game is long."""
    rules: Rules = tree.rules
    label = f"{answer} <b>{rules.text(node.guess)}</b> <i>{node.size}</i>".strip()
    if not node.children:
        yield f"<p>{label}</p>"
        return
    yield f"<details{' open' if node.parent is None else ''}><summary>{label}</summary>"
    for given, child in node.children.items():
        yield from _nodes(tree, tree.nodes[child], str(rules.answers[given]))
    yield "</details>"
