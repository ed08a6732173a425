"""Exports: each format holds the whole tree."""

from __future__ import annotations

import json

from bs4 import BeautifulSoup
from hypothesis import given, settings

from engine.codec import decode
from engine.export import FORMATS
from engine.rules import Rules
from engine.tree import StrategyTree
from tests.strategies import random_trees


@settings(max_examples=20)
@given(random_trees(max_size=60))
def test_every_format_shows_every_node(tree: StrategyTree) -> None:
    text = {name: export(tree) for name, export in FORMATS.items()}
    assert decode(tree.rules, text["base92"]) == tree
    assert len(text["text"].splitlines()) == len(tree)
    assert text["dot"].count("label=") == 2 * len(tree) - 1
    soup = BeautifulSoup(text["html"], "html.parser")
    assert len(soup.select("summary, p")) == len(tree)


@settings(max_examples=20)
@given(random_trees(max_size=60))
def test_json_can_be_checked_node_by_node(tree: StrategyTree) -> None:
    nodes = json.loads(FORMATS["json"](tree))["nodes"]
    assert nodes[0]["total"] == tree.total
    for node in nodes:
        below = sum(nodes[child]["total"] for child in node["children"].values())
        assert node["total"] == below + node["turn"] * node["is_candidate"]


@settings(max_examples=20)
@given(random_trees(max_size=40))
def test_a_line_of_text_can_be_replayed(tree: StrategyTree) -> None:
    rules: Rules = tree.rules
    for line, node in zip(FORMATS["text"](tree).splitlines(), tree.nodes, strict=True):
        path, _, rest = line.partition("-> ")
        answers = [rules.parse_answer(word) for word in path.split()[1::2]]
        assert tree.walk(answers) is node
        assert rest.split()[0].rstrip("?") == rules.text(node.guess)
