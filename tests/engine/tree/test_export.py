"""Exports: each format holds the whole tree."""

import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given

from bullscows.tree.codec import decode
from bullscows.tree.export import FORMATS
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder
from bullscows.tree.strategy_tree import StrategyTree
from tests.support.examples import examples
from tests.support.strategies import random_trees

pytestmark = pytest.mark.large


def lines_of_text(tree: StrategyTree) -> list[str]:
    """Return the lines of the nodes, without the header."""
    lines = "".join(FORMATS["text"](tree)).splitlines()
    return [line for line in lines if not line.startswith("#")]


@examples(20)
@given(random_trees(max_size=60))
def test_every_format_shows_every_node(tree: StrategyTree) -> None:
    """The level is the last turn of a secret below, the estimate how many are guessed then."""
    text = {name: "".join(export(tree)) for name, export in FORMATS.items()}
    assert decode(tree.rules, text["base92"]) == tree
    assert text["dot"].count("label=") == 2 * len(tree) - 1
    soup = BeautifulSoup(text["html"], "html.parser")
    assert len(soup.select("summary, p")) == len(tree)
    nodes = json.loads(text["json"])["nodes"]
    for node, line in zip(nodes, lines_of_text(tree), strict=True):
        below = [nodes[child] for child in node["children"].values()]
        total = sum(child["total"] for child in below) + node["turn"] * node["is_candidate"]
        assert node["total"] == total
        ends = [(child["level"], child["estimate"]) for child in below]
        if node["is_candidate"]:
            ends.append((node["turn"], 1))
        level = max(turn for turn, _ in ends)
        estimate = sum(count for turn, count in ends if turn == level)
        assert (node["level"], node["estimate"]) == (level, estimate)
        assert line.endswith(f" n {level} e {estimate} turns {node['total']}")


def test_html_page_needs_nothing_else() -> None:
    tree = read_tree(default_folder() / "avg-mastermind.json").tree
    text = "".join(FORMATS["html"](tree))
    page = BeautifulSoup(text, "html.parser")
    assert page.select("link, script, img, [src], [href]") == []
    assert "url(" not in text
    assert f"{tree.total / tree.root.size:.4f}" in page.select("header")[0].get_text()
