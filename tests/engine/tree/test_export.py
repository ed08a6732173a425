"""Exports: each format holds the whole tree."""

import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given

from bullscows.game.rules import Rules
from bullscows.tree.codec import decode
from bullscows.tree.export import FORMATS, node_record
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


@pytest.mark.parametrize(
    ("name", "answer", "level", "estimate", "total"),
    [
        ("crush-bulls-cows", "0.1", 7, 46, None),
        ("crush-bulls-cows", "0.2", 7, 4, None),
        ("crush-bulls-cows", "1.1", 6, 213, None),
        ("crush-bulls-cows", "2.1", 5, 28, None),
        ("avg-bulls-cows", "0.1", 7, None, 7935),
        ("avg-bulls-cows", "1.1", None, None, 3712),
    ],
)
def test_shipped_trees_have_the_papers_estimates(name, answer, level, estimate, total):
    """Slovesnov 5.1.1 and 5.2.1, after 0123 and an answer."""
    tree = read_tree(default_folder() / f"{name}.json").tree
    node = node_record(tree, tree.walk([tree.rules.parse_answer(answer)]))
    assert level in (None, node["level"])
    assert estimate in (None, node["estimate"])
    assert total in (None, node["total"])


@examples(20)
@given(random_trees(max_size=40))
def test_a_line_of_text_can_be_replayed(tree: StrategyTree) -> None:
    rules: Rules = tree.rules
    for line, node in zip(lines_of_text(tree), tree.nodes, strict=True):
        path, _, rest = line.partition("-> ")
        answers = [rules.parse_answer(word) for word in path.split()[1::2]]
        assert tree.walk(answers) == node
        assert rest.split()[0].rstrip("?") == rules.text(node.guess)


def test_html_page_needs_nothing_else() -> None:
    tree = read_tree(default_folder() / "avg-mastermind.json").tree
    text = "".join(FORMATS["html"](tree))
    page = BeautifulSoup(text, "html.parser")
    assert page.select("link, script, img, [src], [href]") == []
    assert "url(" not in text
    assert f"{tree.total / tree.root.size:.4f}" in page.select("header")[0].get_text()
